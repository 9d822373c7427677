"""Every value of every question survives being written into a table and read again."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askance.collect.export import HEADER, codebook, columns, guard, spell, unspell, written
from askance.errors import InputError
from askance.exact.ratio import ratio
from askance.wire import Form
from askance.wire.question import Question, Value


def _values(question: Question) -> list[Value]:
    singles: list[Value] = [None, *range(200)]
    cells: list[Value] = [(low, high) for low in range(60) for high in range(60)]
    return [value for value in singles + cells if value is None or question.allows(value)]


def test_every_value_survives(affairs_form: Form) -> None:
    for question in affairs_form.questions:
        values = _values(question)
        spelt = [spell(question, value) for value in values]
        assert len(set(spelt)) == len(values) > 3
        assert [unspell(question, cells) for cells in spelt] == values


def test_values_read_as_a_person_would_write_them(affairs_form: Form) -> None:
    spelt = {
        ("any_affair", 2): ("don't know",),
        ("any_affair", None): ("",),
        ("age", (0, 12)): ("", "29"),
        ("age", (12, 53)): ("29", ""),
        ("age", None): ("", ""),
        ("children", 1): ("one",),
        ("years", 7): ("3.5",),
    }
    for (name, value), cells in spelt.items():
        assert spell(affairs_form.question(name), value) == cells
    assert unspell(affairs_form.question("years"), ["7/2"]) == 7
    assert unspell(affairs_form.question("years"), ["3.50"]) == 7


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("any_affair", ["perhaps"]),
        ("any_affair", ["YES"]),
        ("children", ["1"]),
        ("years", ["3.25"]),
        ("years", ["41"]),
        ("years", ["many"]),
        ("years", ["inf"]),
        ("age", ["18", "30"]),
        ("age", ["", "17"]),
        ("age", ["30", "18"]),
        ("age", ["x", ""]),
    ],
)
def test_what_nobody_can_have_sent_is_refused(
    name: str, cells: list[str], affairs_form: Form
) -> None:
    with pytest.raises(InputError):
        unspell(affairs_form.question(name), cells)


@given(st.fractions())
@example(Fraction(1, 2**61))
def test_numbers_are_written_exactly(number: Fraction) -> None:
    assert Fraction(written(number)) == number
    assert ratio(written(number)) == number


@given(st.text(min_size=1))
@pytest.mark.long
def test_no_name_is_a_formula_and_none_is_changed(name: str) -> None:
    assert not guard(name).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert guard(name).removeprefix("'") == name


def _asked(name: str, kind: str) -> dict[str, object]:
    text = {"en": name}
    if kind == "choice":
        labels = [{"name": one, "label": {"en": one}} for one in "ab"]
        return {"kind": kind, "name": name, "text": text, "answers": labels}
    return {
        "kind": "cuts",
        "name": name,
        "text": text,
        "line": {"lower": "0", "step": "1", "ticks": 3, "unit": {"en": ""}},
        "cuts": {"number": 1, "weights": [1, 1], "floor": None, "open": []},
        "ask": "cells",
        "typed": False,
        "blank": [0, 1],
        "about": {},
    }


def test_columns_never_share_a_name(affairs_form: Form) -> None:
    asked = [
        _asked("age_above", "choice"),
        _asked("respondent", "choice"),
        _asked("age", "cuts"),
    ]
    form = Form.read(affairs_form.document | {"questions": asked, "size": 256})
    assert columns(form) == {
        "age_above": ("age_above",),
        "respondent": ("respondent_",),
        "age": ("age__above", "age__upto"),
    }


VECTORS = Path(__file__).parents[2] / "src/askance/wire/vectors/1/forms.json"
GOOD = {one["name"]: one["form"] for one in json.loads(VECTORS.read_text("ascii"))["good"]}
RANGES = Form.read(GOOD["ranges"])


@pytest.mark.parametrize("question", RANGES.questions, ids=lambda one: one.name)
def test_every_range_that_can_be_sent_is_read_back(question: Question) -> None:
    ends = range(question.line.ticks + 1)
    for value in filter(question.allows, product(ends, ends)):
        if value != (0, question.line.ticks):
            assert unspell(question, spell(question, value)) == value


def test_the_codebook_tells_the_law_of_every_kind_of_range() -> None:
    rows = [dict(zip(HEADER, row, strict=True)) for row in list(codebook(RANGES))[1:]]
    for question in RANGES.questions:
        own = [row for row in rows if row["question"] == question.name]
        assert {row["kind"] for row in own} == {question.kind}
        floor = question.law.floor if question.kind == "ring" else question.floor
        told = {row["report"] for row in own}
        assert ("size" in told) == (floor is not None)
        silent = [row for row in own if row["reads"] == "nothing was sent, whatever the answer"]
        chances = [Fraction(int(one["numerator"]), int(one["denominator"])) for one in silent]
        assert chances == [Fraction(*question.blank)] * (question.blank[0] > 0)
        assert ("open" in told) == (question.kind == "cuts" and bool(question.open))
        for report, first in (("cut", 0), ("size", 1)):
            runs = [row for row in own if row["report"] == report]
            total = sum(
                Fraction(int(row["numerator"]), int(row["denominator"]))
                * (Fraction(row["upper"]) - Fraction(row["lower"]) + (1 - first))
                for row in runs
            )
            assert not runs or total == 1


def test_a_table_that_is_always_sent_lists_no_silence() -> None:
    tables = [
        (Form.read(form), one)
        for form in GOOD.values()
        for one in form["questions"]
        if one["kind"] == "table"
    ]
    assert {one["blank"][0] > 0 for _, one in tables} == {True, False}
    for form, one in tables:
        own = [row for row in codebook(form) if row[0] == one["name"]]
        silent = [row for row in own if row[HEADER.index("report")] == ""]
        assert len(silent) == (len(one["answers"]) if one["blank"][0] else 0)
