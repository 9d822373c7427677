"""How a case is changed into another, and what has been the undoing of readers before."""

import json
import re
from pathlib import Path

_REPORT = Path(__file__).parents[2] / "docs" / "reference" / "report.md"
STATUS = {
    code: int(status)
    for code, status in re.findall(
        r"^\| `([a-z-]+)` \| (\d{3})", _REPORT.read_text(encoding="utf-8"), re.MULTILINE
    )
}
"""The HTTP status of every refusal, as the reference lists them."""

ODD_TEXTS = [
    "",
    "a",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    "toString",
    "length",
    "é",
    "e\u0301",
    "\ufb01",
    "\ue000",
    "\uffff",
    "\uff61",
    "😀",
    "\U0010ffff",
    "\ud83d",
    "\ude00",
    "\ude00\ud83d",
    "\u2028",
    "\u202e",
    "\x00",
    "\x1f",
    "\x7f",
    "\x80",
    "\x9f",
    "\xa0",
    "\ufeff",
    "\n",
    "\t",
    "<!--",
    "</script>",
    "&",
    '"',
    "\\",
    "\\u0061",
    "٧",
    "none",
    "true",
    "0",
    "-0",
    "1/0",
    "0/1",
    "0.5",
    "1/3",
    "1e3",
    "nan",
    "a" * 40,
    "a" * 41,
    "0" * 16,
    "9" * 15,
]
ODD_NUMBERS = [
    *(0, 1, -1, 2, 3, 8, 16, 17, 255, 256, 1000, 100_000, 100_001),
    *(2**k + more for k in (24, 31, 32, 47, 48, 53, 63, 64) for more in (-1, 0, 1)),
    *(-(2**53), -(2**53) + 1, 10**15, 10**16, 10**21, 10**25),
]
ODD_VALUES = [
    *ODD_TEXTS,
    *ODD_NUMBERS,
    *(None, True, False, 0.5, 1.0, -0.0, 1e300, [], {}, [0], [[]], {"": 0}, ["cuts"], ["table"]),
]
ODD_SPELLINGS = [
    *("-0", "1.0", "1e0", "1E0", "1e400", "0.5", "01", "+1", ".5", "1.", "0x1", "1_0"),
    *("NaN", "Infinity", "-Infinity", "undefined", "nul", "tru", "'a'", "/**/", ",", ":", "[", "]"),
    *("{", "}", '"', "\\", '"\\u0061"', '"\\ud83d\\ude00"', '"\\u+041"', '"\\x61"', "\\u"),
    *(" ", "\t", "\r\n", "\n", "\x0b", "\x0c", "\x00", "\xa0", "\ufeff", "\u2028", "é", "😀"),
    *("9" * 17, "1" + "0" * 400, "9" * 5000, '"a":1,', '"__proto__":{},', "[" * 50, '{"a":' * 50),
    *("9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993"),
]


def scrambled(dice, case, tokens):
    """Change a few bytes: lose, double, turn or put in some."""
    changed = bytearray(case)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        number = dice.randrange(len(changed) + 1)
        end = min(len(changed), number + dice.choice((0, 1, 1, 2, 5, 30)))
        variant = dice.randrange(5)
        if variant == 0:
            del changed[number:end]
        elif variant == 1:
            changed[number:number] = changed[number:end]
        elif variant == 2 and number < len(changed):
            changed[number] ^= 1 << dice.randrange(8)
        elif variant == 3:
            other = dice.randrange(len(changed) + 1)
            changed[number:end] = changed[other : other + end - number]
        else:
            changed[number:end] = dice.choice(tokens)
    return bytes(changed)


def encoded(texts):
    """Give texts as bytes, halves of characters too."""
    return [text.encode("utf-8", "surrogatepass") for text in texts]


def places(document):
    """List every place of a document: what holds it, and its key there."""
    result, waiting = [], [document]
    while waiting:
        part = waiting.pop()
        for key in part if isinstance(part, dict) else range(len(part)):
            result.append((part, key))
            if isinstance(part[key], dict | list):
                waiting.append(part[key])
    return result


def copied(document):
    return json.loads(json.dumps(document))


def any_value(dice, depth=0):
    """Make a value of any kind."""
    if depth > 3 or dice.random() < 0.7:
        value = dice.choice(ODD_VALUES)
        return copied(value) if isinstance(value, dict | list) else value
    if dice.random() < 0.5:
        return [any_value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {any_text(dice): any_value(dice, depth + 1) for _ in range(dice.randrange(4))}


def any_text(dice):
    return "".join(dice.choice(ODD_TEXTS) for _ in range(dice.choice((1, 1, 2))))


def changed(dice, document):
    """Change one place of a document, which stays otherwise as it is."""
    holder, key = dice.choice(places(document))
    number = dice.randrange(8)
    if number == 0:
        del holder[key]
    elif number < 3 and isinstance(holder, dict):
        holder[any_text(dice)] = any_value(dice) if number == 1 else holder.pop(key)
    elif number < 3:
        holder.insert(key, copied(holder[dice.randrange(len(holder))]))
    elif number == 3:
        other, position = dice.choice(places(document))
        holder[key] = copied(other[position])
    elif number == 4:
        holder[key] = [holder[key]]
    elif number == 5:
        holder[key] = any_value(dice)
    else:
        holder[key] = _near(dice, holder[key])


def _near(dice, value):
    """Give a value of the same kind that is a little different."""
    if isinstance(value, str):
        number = dice.randrange(len(value) + 1)
        return value[:number] + any_text(dice) + value[number:]
    return value + dice.choice((-1, 1, 2)) if isinstance(value, int) else any_value(dice)
