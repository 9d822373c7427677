"""Every value of every question survives being written into a table and read again."""

import csv
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from askance.engines import report_rows
from askance_collect.collect import Accepted, export_csv, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

Row = dict[str, str]
Values = list[Any]
Make = Callable[..., Form]


def _exported(
    form: Form, reports: Iterable[Mapping[str, Any]]
) -> tuple[list[Row], list[Row], Values]:
    """Keep reports and export them: the table, its codebook, and the table read back."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"{folder}/reports.db", form)
        blank = dict.fromkeys(question.name for question in form.questions)
        store.append(
            [
                Accepted(
                    os.urandom(16),
                    json.dumps(blank | report, sort_keys=True, separators=(",", ":")),
                )
                for report in reports
            ]
        )
        table = Path(folder, "table.csv")
        book = export_csv(store, form, table)
        store.close()
        read = [dict(row.values) for row in report_rows(table, form)]
        return _rows(table), _rows(book), read


def _rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def _read(form: Form, cells: Mapping[str, str], folder: Path) -> Mapping[str, Any]:
    """Read a table of one row, as a person may have written it."""
    path = folder / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(cells), list(cells.values())])
    (row,) = report_rows(path, form)
    return row.values


def _values(question: Any) -> Values:
    singles: Values = [None, *range(200)]
    cells: Values = [(low, high) for low in range(60) for high in range(60)]
    return [value for value in singles + cells if value is None or question.allows(value)]


def test_every_value_survives(affairs_form: Form) -> None:
    for question in affairs_form.questions:
        values, name = _values(question), question.name
        table, _, read = _exported(affairs_form, [{name: value} for value in values])
        spelt = [tuple(cell for key, cell in row.items() if key != "respondent") for row in table]
        assert len(set(spelt)) == len(values) > 3
        assert sorted((item[name] for item in read), key=str) == sorted(values, key=str)


SPELT: list[tuple[str, Any, Row]] = [
    ("any_affair", 2, {"any_affair": "don't know"}),
    ("any_affair", None, {"any_affair": ""}),
    ("age", (0, 12), {"age_above": "", "age_upto": "29"}),
    ("age", (12, 53), {"age_above": "29", "age_upto": ""}),
    ("age", None, {"age_above": "", "age_upto": ""}),
    ("children", 1, {"children": "one"}),
    ("years", 7, {"years": "3.5"}),
]
BLANK = dict.fromkeys(["any_affair", "age_above", "age_upto", "children", "years"], "")


@pytest.mark.parametrize(("name", "value", "cells"), SPELT)
def test_values_read_as_a_person_would_write_them(
    name: str, value: Any, cells: Row, affairs_form: Form
) -> None:
    (row,), _, _ = _exported(affairs_form, [{name: value}])
    assert row == {"respondent": "1"} | BLANK | cells


@pytest.mark.parametrize("cell", ["7/2", "3.50", "3.5"])
def test_numbers_are_read_whatever_their_spelling(
    cell: str, affairs_form: Form, tmp_path: Path
) -> None:
    assert _read(affairs_form, BLANK | {"years": cell}, tmp_path)["years"] == 7


@pytest.mark.parametrize(
    "cells",
    [
        {"any_affair": "perhaps"},
        {"any_affair": "YES"},
        {"children": "1"},
        {"years": "3.25"},
        {"years": "41"},
        {"years": "many"},
        {"years": "inf"},
        {"age_above": "18", "age_upto": "30"},
        {"age_upto": "17"},
        {"age_above": "30", "age_upto": "18"},
        {"age_above": "x"},
    ],
    ids=str,
)
def test_what_nobody_can_have_sent_is_refused(
    cells: Row, affairs_form: Form, tmp_path: Path
) -> None:
    with pytest.raises(DocumentError, match="row 2, column"):
        _read(affairs_form, BLANK | cells, tmp_path)


def _asked(name: str, kind: str, **inputs: Any) -> dict[str, Any]:
    text = {"en": name}
    if kind == "choice":
        labels = [{"name": item, "label": {"en": item}} for item in inputs.get("answers", "ab")]
        return {"kind": kind, "name": name, "text": text, "answers": labels}
    line = {"lower": "0", "step": "1", "ticks": 3, "unit": {"en": ""}} | inputs
    if kind == "number":
        return {"kind": kind, "name": name, "text": text, "line": line}
    return {
        "kind": "cuts",
        "name": name,
        "text": text,
        "line": line,
        "cuts": {"number": 1, "weights": [1, 1], "floor": None, "open": []},
        "ask": "cells",
        "typed": False,
        "blank": [0, 1],
        "about": {},
    }


DIGITS = st.integers(-(10**15) + 1, 10**15 - 1)
"""What a form's numbers are made of, below and above the line."""


@pytest.mark.long
@settings(max_examples=5)
@given(st.lists(st.builds(Fraction, DIGITS, DIGITS.filter(bool)), min_size=20, max_size=40))
@example([Fraction(1, 2**49), Fraction(1, 10**15 - 1), Fraction(-1, 3)])
def test_numbers_are_written_exactly(make_form: Make, numbers: list[Fraction]) -> None:
    """Each is the lower end of a line: the codebook tells it, and who is there sends it."""
    questions = [
        _asked(f"q{position}", "number", lower=str(item)) for position, item in enumerate(numbers)
    ]
    form = make_form(*questions)
    (row,), book, (read,) = _exported(form, [{question["name"]: 0 for question in questions}])
    for index, number in enumerate(numbers):
        (result,) = [line for line in book if line["question"] == f"q{index}"]
        assert Fraction(result["lower"]) == Fraction(row[f"q{index}"]) == number
        assert read[f"q{index}"] == 0


NAMES = st.text(st.sampled_from("=+-@'") | st.characters(exclude_categories=["C", "Z"]), min_size=1)
"""Often what a spreadsheet would take for a formula."""


@settings(max_examples=5)
@given(st.lists(NAMES, min_size=20, max_size=40, unique=True))
@example(["=1+1", "+1", "-1", "@x", "'", "'=", "yes"])
@pytest.mark.long
def test_no_name_is_a_formula_and_none_is_changed(make_form: Make, names: list[str]) -> None:
    form = make_form(_asked("q", "choice", answers=names))
    table, book, read = _exported(form, [{"q": index} for index in range(len(names))])
    cells = [row["q"] for row in table]
    result = [row[key] for row in book for key in ("report", "reads", "means", "answer")]
    assert not [
        item for item in cells + result if item.startswith(("=", "+", "-", "@", "\t", "\r"))
    ]
    assert sorted(cell.removeprefix("'") for cell in cells) == sorted(names)
    assert [names[item["q"]] for item in read] == [cell.removeprefix("'") for cell in cells]


def test_columns_never_share_a_name(make_form: Make) -> None:
    questions = [
        _asked("age_above", "choice"),
        _asked("respondent", "choice"),
        _asked("age", "cuts"),
    ]
    (row,), book, _ = _exported(make_form(*questions), [{}])
    assert list(row) == ["respondent", "age_above", "respondent_", "age__above", "age__upto"]
    assert {line["question"]: line["columns"] for line in book} == {
        "age_above": "age_above",
        "respondent": "respondent_",
        "age": "age__above age__upto",
    }


VECTORS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/1/forms.json"
GOOD = {item["name"]: item["form"] for item in json.loads(VECTORS.read_text("ascii"))["good"]}
RANGES = Form.read(GOOD["ranges"])


@pytest.mark.long
@pytest.mark.parametrize("question", RANGES.questions, ids=lambda item: item.name)
def test_every_range_that_can_be_sent_is_read_back(question: Any) -> None:
    """The whole line too, by its upper end: a blank alone has two empty cells."""
    ends = range(question.line.ticks + 1)
    distinct = set(filter(question.allows, product(ends, ends)))
    _, _, read = _exported(RANGES, [{question.name: value} for value in distinct])
    assert len(read) == len(distinct)
    assert {element[question.name] for element in read} == distinct


def test_the_codebook_tells_the_law_of_every_kind_of_range() -> None:
    _, rows, _ = _exported(RANGES, [])
    for question in RANGES.questions:
        own = [row for row in rows if row["question"] == question.name]
        assert {row["kind"] for row in own} == {question.kind}
        floor = question.law.floor if question.kind == "ring" else question.floor
        result = {row["report"] for row in own}
        assert ("size" in result) == (floor is not None)
        silent = [row for row in own if row["reads"] == "nothing was sent, whatever the answer"]
        chances = [Fraction(int(item["numerator"]), int(item["denominator"])) for item in silent]
        assert chances == [Fraction(*question.blank)] * (question.blank[0] > 0)
        assert ("open" in result) == (question.kind == "cuts" and bool(question.open))
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
        (Form.read(form), question)
        for form in GOOD.values()
        for question in form["questions"]
        if question["kind"] == "table"
    ]
    assert {element["blank"][0] > 0 for _, element in tables} == {True, False}
    for form, item in tables:
        own = [row for row in _exported(form, [])[1] if row["question"] == item["name"]]
        silent = [row for row in own if row["report"] == ""]
        assert len(silent) == (len(item["answers"]) if item["blank"][0] else 0)
