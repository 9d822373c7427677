"""Forms, read by Python and by JavaScript: both take a form, and draw alike under it, or neither.

What Python publishes is its own spelling of what it reads; that is what a page holds. A text that
Python refuses is given to JavaScript as it stands.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import cycle
from pathlib import Path

from changes import ODD_SPELLINGS, any_text, any_value, changed, copied, encoded, scrambled

sys.path.append(str(Path(__file__).parents[1] / "vectors"))
from bad_documents import BAD_FORMS
from sample_forms import (
    FORMS,
    FORMS_2,
    SPELT,
    SPELT_2,
    choice,
    cuts,
    floor,
    for_a_crowd,
    form,
    grouped,
    labels,
    line,
    reports,
    ring,
    sealed,
    table,
    tossed,
)

from askance_collect.errors import FormError
from askance_collect.respond import draw, draw_bounds, encode
from askance_collect.wire import Form, body_size, read_question

TALLY = Counter()
"""How many cases were taken in: a fuzzer whose cases are all refused finds little."""

_WORDS = [int.from_bytes(hashlib.sha256(b"%d" % index).digest()[:6], "big") for index in range(64)]
_TOKENS = encoded(ODD_SPELLINGS)
_ANSWERS = {"text": "a", "sealed": None}
"""What is answered to questions of a kind; 1 to others. A sealed text needs a key of its own."""

_EN, _BILINGUAL = {"en": "Q"}, {"en": "Q", "de": "F"}
_LINE = line("0", "1", 4, {"en": "h"})
_WHOLE = line("-1", "1", 4, {"en": "h"}) | {"whole": True}
_PAIR = reports(("A", [0]), ("B", [1]), ("C", [0, 1]))
_SMALL = [
    choice("q", _EN, labels("A", "B")),
    {"kind": "number", "name": "n", "text": _EN, "line": _LINE},
    table("t", _EN, labels("A", "B"), reports(("A", [0]), ("B", [0, 1])), [[3, 1], [1, 3]]),
    cuts("c", _EN, _LINE, 2, [1, 2, 1], ask="narrow"),
    cuts("f", _EN, _LINE, 1, [1, 2, 1], floor=floor([1, 1, 1, 1], 1, "withhold"), typed=True),
    cuts("o", _EN, _LINE, 1, [1, 2, 1], floor=floor([1, 2, 0, 1], 1, "skip"), open=[[2, 3]]),
    ring("r", _EN, _LINE, [1, 1, 1], [1, 1, 1, 1], 1),
    {"kind": "number", "name": "w", "text": _EN, "line": _WHOLE},
    cuts("k", _EN, _WHOLE, 2, [1, 2, 1], typed=True),
    grouped(table("g", _EN, labels("A", "B"), _PAIR, [[3, 1, 2], [1, 3, 2]]), 2, 1),
    tossed(choice("j", _EN, labels("C", "D")), _EN, labels("A", "B"), [[0], [1]], [[3, 1], [1, 3]]),
]
_SKIP = {"question": 1, "after": 0, "answered": [1], "send": None}
_QUOTA = {"question": 0, "answer": 1, "most": 3}
_EVIDENCE = {"question": 0, "groups": [{"first": "card"}, {"first": "picture", "text": _EN}]}
_LIST = {"at": 0, "text": _EN, "items": [_EN, _EN], "none": _EN}
_SECTION = {"at": 0, "title": _EN, "text": _EN, "order": "random"}
_DOCUMENTS = [
    *(form([item]) for item in _SMALL),
    form([_SMALL[0], _SMALL[1]], sections=[_SECTION]),
    form([_SMALL[0], _SMALL[1]], skips=[_SKIP]),
    form([_SMALL[0], _SMALL[0] | {"name": "p"}], checklists=[_LIST]),
    form([_SMALL[0]], quotas=[_QUOTA]),
    form([next(item for item in _SMALL if "groups" in item)], evidence=_EVIDENCE),
    form([_SMALL[0]], later=14),
    form([_SMALL[0]], tablet=True),
    form([_SMALL[0]], pin=True),
    form([_SMALL[0]], seal=sealed()["seal"]),
    form([_SMALL[0]], about={"minimum": 50}, tokens=for_a_crowd()["tokens"]),
    form(
        [_SMALL[0], _SMALL[3]],
        about={"b": [1, {"a": None}], "é": "<"},
        collector="https://example.org:8443/s/",
    ),
    form(
        [
            choice(
                "q",
                {"en": "Q", "de": "F"},
                [{"name": n, "label": {"en": n, "de": n}} for n in "ab"],
            )
        ],
        languages=["en", "de"],
        title={"en": "", "de": "😀"},
    ),
]
_EVERY = FORMS | SPELT | FORMS_2 | SPELT_2
"""A form for each part that one can have."""

_TAGS = [
    *(
        "en",
        "en",
        "de",
        "xx",
        "abc",
        "e",
        "En",
        "constructor",
        "latn",
        "Hant",
        "US",
        "us",
        "419",
        "1",
    ),
    *("1901", "rozaj", "abcdefgh", "abcdefghi", "a", "x", "u", "t", "ca", "m0", "", "en_US", "é"),
]
# No names that begin with xn--: which of them a browser takes depends on the Unicode that it knows.
_HOSTS = [
    *("a", "1", "0x1", "08", "a.1", "1.2", "1.2.3.4", "256.1.1.1", "1.2.3.4.5", "4294967296", "."),
    *("a..b", "-", "a-.b", "[::1]", "[::]", "[1::2::3]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]"),
    *("[:]", "[12345::]", "[::1", "1.", "a.1.", "0x", "a.0x", "a.0xg", "0.0.0.0x100", "1..2"),
]


def seeds():
    """Give forms in their canonical spelling, and texts that are none."""
    texts = [item["text"] * min(item.get("times", 1), 2000) for item in BAD_FORMS if "text" in item]
    return [canonical(item) for item in (*_DOCUMENTS, *_EVERY.values())] + encoded(texts)


def vary(dice):
    """Change a form, mostly a small one, and spell it as it is published or in some other way."""
    document = copied(dice.choice(_DOCUMENTS if dice.random() < 0.5 else list(_EVERY.values())))
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
        dice.choice((changed, changed, changed, _about, _addressed, _spoken))(dice, document)
    _fitted(dice, document)
    text = _spelt(dice, document)
    if dice.random() < 0.03:
        text = text.replace(b'"about":{}', b'"about":{"a":%s}' % _deep(dice))
    return scrambled(dice, text, _TOKENS) if dice.random() < 0.1 else text


def _about(dice, document):
    """Write what is for people alone: it may be anything."""
    document["about"] = {any_text(dice): any_value(dice) for _ in range(dice.randrange(5))}


def _addressed(dice, document):
    port = dice.choice(("", "", ":0", ":80", ":65535", ":65536", ":99999", ":00080"))
    path = dice.choice(("/", "/", "/s/", "/../", "/./", "/~/", ""))
    scheme = dice.choice(("https", "http", "HTTPS", "ws"))
    document["collector"] = f"{scheme}://{dice.choice(_HOSTS)}{port}{path}"


def _spoken(dice, document):
    """Put a language in the place of the first, in all texts."""
    tag = "-".join(dice.choice(_TAGS) for _ in range(dice.choice((1, 1, 2, 2, 3, 4, 5))))
    spelling = json.dumps(document).replace('"en":', f'"{tag}":').replace('["en"', f'["{tag}"')
    document.clear()
    document.update(json.loads(spelling))


def _fitted(dice, document):
    """Give a form the size that belongs to its questions, where it has one."""
    if dice.random() < 0.1:
        return
    try:
        languages, questions = document["languages"], document["questions"]
        read = tuple(read_question(question, languages, "") for question in questions)
        document["size"] = body_size(read)
    except Exception:  # it is refused for another reason
        return


def canonical(document):
    """Spell a document as it is published."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return re.sub("[<>&]", lambda sign: f"\\u{ord(sign[0]):04x}", text).encode("ascii")


def _spelt(dice, document):
    number = dice.randrange(20)
    try:
        if number > 2:
            return canonical(document)
        if number == 2:
            return canonical(document).replace(b":0", b":" + dice.choice(_TOKENS), 1)
        text = json.dumps(document, ensure_ascii=number == 0, indent=dice.choice((None, None, 1)))
    except ValueError:  # not a number
        text = json.dumps(document)
    mark = dice.choice(("", "", "\ufeff"))
    return (mark + text).encode(dice.choice(("utf-8",) * 9 + ("utf-16-le",)), "surrogatepass")


def _deep(dice):
    depth = dice.choice((*range(28, 36), *range(60, 68), 100, 300, 490, 500, 900, 990, 1100, 5000))
    return b"[" * depth + b"]" * depth if dice.random() < 0.5 else _nested(depth)


def _nested(depth):
    return b'{"a":' * depth + b"0" + b"}" * depth


class Page:
    """The page's reader, in one process of Node for all cases."""

    def __init__(self):
        node = shutil.which("node")
        assert node, "node is not installed: the page's reader cannot be asked without it"
        script = str(Path(__file__).with_name("forms.mjs"))
        self._process = subprocess.Popen(
            [node, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def close(self):
        """End the process."""
        page.cache_clear()
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def verdicts(self, texts):
        """Say of each text how it is read: digest and plan, or nothing where it is refused."""
        self._process.stdin.write(json.dumps(texts).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@cache
def page():
    """Give the one reader of all cases."""
    return Page()


def python_verdict(case):
    """Say how Python reads bytes: as a form with its digest and plan, or not at all."""
    try:
        form = Form.read(case)
    except FormError as refusal:
        if not refusal.where or not refusal.allowed:
            raise ValueError("a refusal that does not say where, or what is allowed") from refusal
        return None, None
    TALLY["taken in"] += 1
    assert Form.read(form.bytes) == form, "a form that reads otherwise once it is published"
    words = cycle(_WORDS)
    drawn_values = [draw(question, lambda: next(words)) for question in form.questions]
    texts = [_ANSWERS.get(item.kind, 1) for item in form.questions]
    items = list(map(encode, form.questions, texts, drawn_values))
    plan = [form.size, [draw_bounds(question) for question in form.questions], drawn_values, items]
    return form, [form.fingerprint, json.dumps(plan, separators=(",", ":"))]


def judge(cases):
    """Say of each case what is wrong: nothing, as a rule."""
    read = [_told(case) for case in cases]
    texts = [_text(case, element) for case, element in zip(cases, read, strict=True)]
    theirs = iter(page().verdicts([text for text in texts if text is not None]))
    result = []
    for text, item in zip(texts, read, strict=True):
        their = next(theirs) if text is not None else None
        if isinstance(item, str):
            result.append(item)
        else:
            result.append("" if item[1] == their else f"DIFFERENCE: Python {item[1]}, page {their}")
    return result


def _told(case):
    try:
        return python_verdict(case)
    except (Exception, RecursionError) as error:
        return f"{type(error).__name__}: {str(error)[:200]}"


def _text(case, read):
    """Give what the page would hold; nothing where the bytes are no text at all."""
    if not isinstance(read, str) and read[0] is not None:
        return read[0].bytes.decode("ascii")
    try:
        return case.decode("utf-8")
    except UnicodeDecodeError:
        return None
