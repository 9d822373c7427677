"""Whatever could not have been sent is refused, with its code and without an echo."""

import http.client
import json
import random
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import Accepted, accept, create_app, open_store, serving
from askance_collect.errors import ReportRefused
from askance_collect.wire import Form, Report

SECRET = "31415926"


def _body(form: Form, /, **changes: Any) -> bytes:
    document = {
        "answers": {"any_affair": 2, "age": [0, 12], "children": None, "years": 7},
        "form": form.fingerprint,
        "id": "0f" * 16,
    }
    return json.dumps(document | changes).encode().ljust(form.size)


def test_a_possible_report_is_taken_in(affairs_form: Form) -> None:
    values = {"any_affair": 2, "age": (0, 12), "children": None, "years": 7}
    report = Report(affairs_form.fingerprint, "0f" * 16, values)
    accept_result = accept(report.body(affairs_form.size), affairs_form)
    assert accept_result == Accepted(
        b"\x0f" * 16, '{"age":[0,12],"any_affair":2,"children":null,"years":7}'
    )
    assert "12" not in repr(accept_result)


def _answers(**changes: Any) -> Callable[[Form], bytes]:
    entire = {"any_affair": 2, "age": [0, 12], "children": None, "years": 7}
    return lambda form: _body(form, answers=entire | changes)


DEEP = b'{"answers":' + b"[" * 99 + b"]" * 99 + b"}"

BAD: list[tuple[str, str, Callable[[Form], bytes]]] = [
    ("empty", "size", lambda form: b""),
    ("truncated", "size", lambda form: _body(form)[:-1]),
    ("oversized", "size", lambda form: _body(form) + b" "),
    ("cut in the middle and padded", "not-json", lambda form: _body(form)[:40].ljust(form.size)),
    ("binary junk", "not-json", lambda form: bytes(range(256)) * (form.size // 256)),
    ("non-ASCII", "not-json", lambda form: '"é"'.encode().ljust(form.size)),
    ("a byte order mark", "not-json", lambda form: b"\xef\xbb\xbf{}".ljust(form.size)),
    ("a list", "shape", lambda form: b"[]".ljust(form.size)),
    ("not a number", "impossible", _answers(years=float("nan"))),
    ("deep nesting", "shape", lambda form: DEEP.ljust(form.size)),
    ("very deep nesting", "not-json", lambda form: b"[" * form.size),
    ("a key more", "shape", lambda form: _body(form, time=1)),
    ("a key twice", "not-json", lambda form: b'{"id":1,"id":1}'.ljust(form.size)),
    ("answers in a list", "shape", lambda form: _body(form, answers=[1, 2])),
    ("another form", "wrong-form", lambda form: _body(form, form="0" * 64)),
    ("no form", "wrong-form", lambda form: _body(form, form=None)),
    ("a short id", "id", lambda form: _body(form, id="0f" * 15)),
    ("an id in capitals", "id", lambda form: _body(form, id="0F" * 16)),
    ("an id with a line end", "id", lambda form: _body(form, id="0f" * 16 + "\n")),
    ("an id of another type", "id", lambda form: _body(form, id=7)),
    ("no answers", "questions", lambda form: _body(form, answers={})),
    ("a question more", "questions", _answers(name=SECRET)),
    ("an impossible column", "impossible", _answers(any_affair=3)),
    ("a negative column", "impossible", _answers(any_affair=-1)),
    ("a column as a text", "impossible", _answers(any_affair="2")),
    ("a column as a truth value", "impossible", _answers(any_affair=True)),
    ("a column as a fraction", "impossible", _answers(any_affair=2.0)),
    ("an enormous number", "impossible", _answers(years=int(SECRET * 6))),
    ("an empty range", "impossible", _answers(age=[12, 12])),
    ("a range the wrong way", "impossible", _answers(age=[12, 0])),
    ("a range between two cuts of one", "impossible", _answers(age=[3, 12])),
    ("the whole line", "impossible", _answers(age=[0, 53])),
    ("a range off the line", "impossible", _answers(age=[0, 54])),
    ("a range of three", "impossible", _answers(age=[0, 1, 2])),
    ("a range as an object", "impossible", _answers(age={"0": 12})),
    ("another spelling", "not-canonical", _body),
]


@pytest.mark.parametrize(("code", "spoil"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_input_is_refused(
    code: str, spoil: Callable[[Form], bytes], affairs_form: Form, documented: dict[str, int]
) -> None:
    with pytest.raises(ReportRefused) as caught:
        accept(spoil(affairs_form), affairs_form)
    assert caught.value.code == code
    assert code in documented
    assert SECRET not in str(caught.value)


def test_every_refusal_has_its_documented_status(
    affairs_form: Form, documented: dict[str, int], tmp_path: Path
) -> None:
    """Those of the store, of its disk and of other pages' reports have tests of their own."""
    with closing(open_store(tmp_path / "survey.db", affairs_form)) as store:
        app = create_app(affairs_form, b"", {}, "ab" * 32, store)
        distinct = set()
        with serving(app) as url:
            line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
            for _, _, spoil in BAD:
                line.request("POST", "/report", spoil(affairs_form))
                reply = line.getresponse()
                distinct.add((reply.status, json.loads(reply.read())["error"]["code"]))
            line.close()
    elsewhere = {"origin", "conflict", "closed", "busy", "disk-full", "read-only", "disk-error"}
    elsewhere |= {"token", "spent", "work", "rate"}
    assert {(documented[code], code) for code in documented.keys() - elsewhere} == distinct


def test_junk_never_gets_past_a_refusal(affairs_form: Form, make_report: Callable[[], Report]):
    """Any byte of a good report changed: another possible report, or refused; nothing else."""
    body = make_report().body(affairs_form.size)
    for _ in range(3000):
        spoilt = bytearray(body)
        spoilt[random.randrange(len(body))] = random.randrange(256)
        with suppress(ReportRefused):
            accept_result = accept(bytes(spoilt), affairs_form)
            report = Report(
                affairs_form.fingerprint, accept_result.id.hex(), json.loads(accept_result.answers)
            )
            assert report.body(affairs_form.size) == spoilt


def _widest_forms(form_of: Callable[..., Form]) -> dict[str, Form]:
    """Forms that make a judge work: many ticks, answers, stretches and questions."""
    ticks = 100_000
    line = {"lower": "0", "step": "1", "ticks": ticks, "unit": {"en": "steps"}}
    fixed = {"text": {"en": "?"}, "name": "q"}
    draws = fixed | {"line": line, "typed": False, "blank": [0, 1], "about": {}, "ask": "cells"}
    floor = {"sizes": [1] * ticks, "least": 1, "rule": "skip"}
    cuts = {"number": 3, "weights": [1] * (ticks - 1), "floor": None, "open": []}
    opened = [[index, index + 1] for index in range(2, ticks - 2, 3)]
    labels = [{"name": f"a{index}", "label": {"en": "?"}} for index in range(2000)]
    reports = [label | {"means": [index]} for index, label in enumerate(labels[:2])]
    table = {"total": 2, "rows": [[2, 0]] * len(labels)}
    result = {"answers": labels, "reports": reports, "table": table, "blank": [0, 1], "about": {}}
    two = {"kind": "choice", "text": {"en": "?"}, "answers": labels[:2]}
    return {
        "a floor": form_of(draws | {"kind": "cuts", "cuts": cuts | {"floor": floor}}),
        "stretches": form_of(draws | {"kind": "cuts", "cuts": cuts | {"open": opened}}),
        "a table": form_of(fixed | result | {"kind": "table"}),
        "questions": form_of(*(two | {"name": f"q{index}"} for index in range(1000))),
    }


@pytest.mark.long
def test_no_report_takes_long_to_judge(
    make_form: Callable[..., Form], instructions: Callable[[Callable[[], Any]], int]
) -> None:
    """Nobody else is answered in the meantime, so it may not depend on the ticks of a form."""
    for name, form in _widest_forms(make_form).items():
        names = [question.name for question in form.questions]
        for value in ([0, 100_000], [50_000, 60_000], [2, 3], 1, 0, None):
            if len(names) > 1 and isinstance(value, list):
                continue  # it would not fit
            body = Report(form.fingerprint, "0f" * 16, dict.fromkeys(names, value)).body(form.size)

            def judge(body: bytes = body, form: Form = form) -> None:
                with suppress(ReportRefused):
                    accept(body, form)

            assert instructions(judge) < 5_000 + 100 * len(names), f"{name}: {value}"
