"""Reports: taken in if and only if they are the one spelling of values that some answer can send.

A case is one byte that says under which form it is read, and a body. Short bodies are filled with
spaces to the form's size, unless the byte's highest bit is set.
"""

import json
import sys
from collections import Counter
from itertools import product
from pathlib import Path

from changes import ODD_SPELLINGS, ODD_VALUES, STATUS, encoded, scrambled

sys.path.append(str(Path(__file__).parents[1] / "vectors"))
from sample_forms import FORMS

from askance_collect.collect import accept
from askance_collect.errors import ReportRefused
from askance_collect.wire import Form, Report, read_report

TALLY = Counter()
_FORMS = [Form.read(document) for document in FORMS.values()]
_IDS = ["0" * 32, "f" * 32, "0123456789abcdef" * 2]
_RAW = 0x80
_MOST_LISTED = 60


def _possible(question):
    """List values that the question allows, ranges too, and so many that it does not."""
    ticks = question.line.ticks if hasattr(question, "line") else 0
    plain = [index for index in range(max(ticks, 4) + 2) if question.allows(index)]
    ranges = [
        list(ends) for ends in product(range(ticks + 1), repeat=2) if question.allows(list(ends))
    ]
    return [None, *plain[:_MOST_LISTED], *ranges[:: len(ranges) // _MOST_LISTED + 1]]


_VALUES = [{question.name: _possible(question) for question in form.questions} for form in _FORMS]
_TOKENS = [*encoded(ODD_SPELLINGS), b"[0,12]", b"null", b"true", b"-", b'":', b'"id":', b" " * 9]


def seeds():
    """Give a body of blanks under each form, and one with a value for every question."""
    result = []
    for index, form in enumerate(_FORMS):
        for number in (0, -1):
            values = {name: some[number] for name, some in _VALUES[index].items()}
            body = Report(form.fingerprint, _IDS[index % 3], values).body(form.size)
            result.append(bytes([index]) + body.rstrip())
    return result


def vary(dice):
    """Make a body with possible values, or with one that is not, and change its bytes or not."""
    number = dice.randrange(len(_FORMS))
    form = _FORMS[number]
    values = {name: dice.choice(some) for name, some in _VALUES[number].items()}
    if dice.random() < 0.3:
        _spoilt(dice, values)
    parts = {"answers": values, "form": form.fingerprint, "id": dice.choice(_IDS)}
    if dice.random() < 0.05:
        parts[dice.choice(["form", "id", "answers", "more"])] = dice.choice(ODD_VALUES)
    body = json.dumps(
        parts, sort_keys=dice.random() < 0.95, separators=(",", dice.choice((":",) * 9 + (": ",)))
    ).encode()
    if dice.random() < 0.5:
        body = scrambled(dice, body, _TOKENS)
    return bytes([number | (_RAW if dice.random() < 0.05 else 0)]) + body


def _spoilt(dice, values):
    name = dice.choice(list(values))
    number = dice.randrange(4)
    if number == 0:
        del values[name]
    elif number == 1:
        values[dice.choice(["", "a", "\ud83d", "😀", "constructor", name.upper()])] = None
    elif number == 2 and isinstance(values[name], list):
        values[name] = [end + dice.choice((-1, 0, 1)) for end in values[name]]
    else:
        values[name] = dice.choice(ODD_VALUES)


def judge(cases):
    """Say of each case what is wrong: nothing, as a rule."""
    return [_wrong(case) for case in cases]


def _wrong(case):
    if not case:
        return ""
    form = _FORMS[(case[0] & ~_RAW) % len(_FORMS)]
    body = case[1:] if case[0] & _RAW else case[1:].ljust(form.size)
    try:
        chosen = _taken(body, form)
        wanted = _wanted(body, form)
    except (Exception, RecursionError) as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return "" if chosen == wanted else f"taken in as {chosen}, wanted {wanted}"


def _taken(body, form):
    """Give what is kept of a body; None if it is refused as a refusal is told."""
    try:
        accept_result = accept(body, form)
    except ReportRefused as refusal:
        result = refusal.code in STATUS and refusal.got is None and refusal.allowed
        return None if result else f"a refusal that says too much or nothing: {refusal}"
    TALLY["taken in"] += 1
    report = read_report(body, form)
    assert report.body(form.size) == body, "kept, and spelt otherwise"
    assert json.loads(accept_result.answers) == json.loads(json.dumps(dict(report.values))), (
        "other values"
    )
    return accept_result.id.hex(), accept_result.answers


def _members(pairs):
    """Make an object of its members, none of which stands there twice."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("twice")
    return dict(pairs)


def _wanted(body, form):
    """Read a body slowly and simply: values that are possible, in the one spelling."""
    try:
        document = json.loads(body.decode("ascii"), object_pairs_hook=_members)
        values = {question.name: document["answers"][question.name] for question in form.questions}
        id = document["id"]
        spelling = json.dumps(document, sort_keys=True, separators=(",", ":")).ljust(form.size)
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    expected = isinstance(id, str) and len(id) == 32 and set(id) <= set("0123456789abcdef")
    requests = [(question, values[question.name]) for question in form.questions]
    possible = all(value is None or item.allows(value) for item, value in requests)
    is_whole = {"answers": values, "form": form.fingerprint, "id": id} == document
    if expected and possible and is_whole and spelling.encode() == body:
        return id, json.dumps(values, sort_keys=True, separators=(",", ":"))
    return None
