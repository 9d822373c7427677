"""Whatever the reports lie in, the counts are those of counting them one by one."""

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from askance.engines import Counts, Fieldwork, count_reports, report_rows
from askance_collect.collect import Accepted, export_csv, export_jsonl, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

Value = int | tuple[int, int] | None
Values = list[dict[str, Value]]


@pytest.fixture
def values(affairs_form: Form) -> Values:
    return [
        {
            "any_affair": random.choice([0, 1, 2, None]),
            "age": random.choice([None, (0, low := random.randrange(1, 53)), (low, 53)]),
            "children": random.choice([0, 1, 2, None]),
            "years": random.choice([None, random.randrange(81)]),
        }
        for _ in range(500)
    ]


def _filled(url: str, form: Form, values: Values) -> str:
    store = open_store(url, form)
    spelt = [json.dumps(value, separators=(",", ":"), sort_keys=True) for value in values]
    store.append([Accepted(random.randbytes(16), item) for item in spelt])
    store.close()
    return url


def _by_hand(values: Values) -> dict[str, dict[Value, int]]:
    return {name: dict(Counter(value[name] for value in values)) for name in values[0]}


def _count_by_value(counts: Counts) -> dict[str, dict[Value, int]]:
    return {name: dict(value) for name, value in counts.values.items()}


def test_in_sqlite_open_and_closed(tmp_path: Path, affairs_form: Form, values: Values) -> None:
    url = _filled(str(tmp_path / "survey.db"), affairs_form, values)
    counts = count_reports(url, affairs_form)
    assert (counts.reports, _count_by_value(counts)) == (500, _by_hand(values))
    store = open_store(url)
    assert counts.fieldwork is Fieldwork.OPEN
    assert count_reports(tmp_path / "survey.db", affairs_form) == counts
    store.close_survey()
    store.close()
    closed = replace(counts, fieldwork=Fieldwork.CLOSED)
    assert count_reports(f"sqlite:///{url}", affairs_form) == closed
    assert (counts + closed).fieldwork is Fieldwork.OPEN
    assert Counts.from_dict(counts.to_dict(affairs_form), affairs_form) == counts


@pytest.mark.postgres
def test_in_postgres(postgres_url: str, affairs_form: Form, values: Values) -> None:
    counts = count_reports(_filled(postgres_url, affairs_form, values), affairs_form)
    assert (counts.reports, _count_by_value(counts)) == (500, _by_hand(values))


@pytest.mark.long
@pytest.mark.parametrize("name", ["reports", "re'ports [1]*?", "a=b"])
def test_in_files_of_our_own(name: str, tmp_path: Path, affairs_form: Form, values: Values) -> None:
    store = open_store(_filled(str(tmp_path / "survey.db"), affairs_form, values))
    table, lines = tmp_path / f"{name}.csv", tmp_path / f"{name}.jsonl"
    export_csv(store, affairs_form, table)
    export_jsonl(store, affairs_form, lines)
    store.close()
    (tmp_path / "re'ports 1x.csv").write_text("another file that the name would match\n")
    for path in (table, lines):
        counts = count_reports(path, affairs_form)
        assert (counts.reports, _count_by_value(counts)) == (500, _by_hand(values))


def test_in_files_so_large_that_an_engine_counts_them(
    tmp_path: Path, affairs_form: Form, values: Values
) -> None:
    store = open_store(_filled(str(tmp_path / "survey.db"), affairs_form, values))
    paths = tmp_path / "reports.csv", tmp_path / "reports.jsonl"
    export_csv(store, affairs_form, paths[0])
    export_jsonl(store, affairs_form, paths[1])
    store.close()
    for path in paths:
        header, *rows = path.read_text().splitlines()
        if path.suffix == ".csv":
            padded = [f"{header},remark", *(f"{row},{'-' * 8_200}" for row in rows)]
        else:
            padded = [row.replace("{", "{" + " " * 8_200, 1) for row in (header, *rows)]
        path.write_text("\n".join(padded) + "\n")
        assert path.stat().st_size > 4_000_000
        counts = count_reports(path, affairs_form)
        assert (counts.reports, _count_by_value(counts)) == (500, _by_hand(values))


def test_in_an_empty_store_and_its_files(tmp_path: Path, affairs_form: Form) -> None:
    store = open_store(_filled(str(tmp_path / "survey.db"), affairs_form, []))
    export_csv(store, affairs_form, tmp_path / "reports.csv")
    export_jsonl(store, affairs_form, tmp_path / "reports.jsonl")
    store.close()
    for name in ("survey.db", "reports.csv", "reports.jsonl"):
        assert count_reports(tmp_path / name, affairs_form).reports == 0


def test_names_that_look_like_formulas_or_line_ends_come_back(
    tmp_path: Path, affairs_form: Form
) -> None:
    names = ["=1+1", "'=1+1", "a,b", 'say "x"', "two\r\nlines", " spaced ", "-", "NULL", "é", "''"]
    labels = [{"name": name, "label": {"en": name}} for name in names]
    questions = {"kind": "choice", "name": "q", "text": {"en": "?"}, "answers": labels}
    form = Form.read(affairs_form.document | {"questions": [questions], "size": 256})
    values: Values = [{"q": index} for index in range(len(names)) for _ in range(index + 1)]
    store = open_store(_filled(str(tmp_path / "survey.db"), form, values))
    export_csv(store, form, tmp_path / "reports.csv")
    store.close()
    assert _count_by_value(count_reports(tmp_path / "reports.csv", form)) == _by_hand(values)


@pytest.mark.long
def test_questions_may_be_named_as_the_engines_words_are(
    tmp_path: Path, affairs_form: Form
) -> None:
    labels = [{"name": name, "label": {"en": name}} for name in "ab"]
    names = ["select", "group", "end", "c1", "json", "answers", "id", "n"]
    questions = [
        {"kind": "choice", "name": name, "text": {"en": "?"}, "answers": labels} for name in names
    ]
    form = Form.read(affairs_form.document | {"questions": questions, "size": 256})
    values: Values = [{name: random.randrange(2) for name in names} for _ in range(50)]
    store = open_store(_filled(str(tmp_path / "survey.db"), form, values))
    export_csv(store, form, tmp_path / "reports.csv")
    export_jsonl(store, form, tmp_path / "reports.jsonl")
    store.close()
    for word in ("survey.db", "reports.csv", "reports.jsonl"):
        assert _count_by_value(count_reports(tmp_path / word, form)) == _by_hand(values)


def test_a_table_from_another_program_counts(tmp_path: Path, affairs_form: Form) -> None:
    """Other columns, another order, a byte order mark, other spellings of the same numbers."""
    path = tmp_path / "panel.CSV"
    path.write_text(
        "\ufeffAge,years,children,age_upto,age,age_above,any_affair\n"
        "x,3.50,one,,,29,yes\nx,7/2,one,29,,,\nx,3.5,,,,,don't know\n",
        encoding="utf-8",
    )
    assert _count_by_value(count_reports(path, affairs_form)) == {
        "any_affair": {0: 1, 2: 1, None: 1},
        "age": {(12, 53): 1, (0, 12): 1, None: 1},
        "children": {1: 2, None: 1},
        "years": {7: 3},
    }


GOOD = '{"age":[0,12],"any_affair":2,"children":null,"years":7}'
Spoil = Callable[[str], str]


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda good: good.replace('"any_affair":2', '"any_affair":3'), ": answers.any_affair"),
        (lambda good: good.replace('"any_affair":2', '"any_affair":"2"'), ": answers.any_affair"),
        (lambda good: good.replace('"years":7', '"years":7.0'), ": answers.years"),
        (lambda good: good.replace('"years":7', '"months":7'), ": answers"),
        (lambda good: good.replace('"years":7', '"years":7,"time":1'), ": answers"),
        (lambda good: good.replace("[0,12]", "[3,12]"), ": answers.age"),
        (lambda good: good[:-1], ""),
        (lambda good: "5", ""),
        (lambda good: "\x00\x01", ""),
    ],
)
def test_a_damaged_line_is_named(
    spoil: Spoil, text: str, tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "reports.jsonl"
    bad = spoil(GOOD)
    assert bad != GOOD
    path.write_text(f"{GOOD}\n{GOOD}\n{bad}\n{GOOD}\n", encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        count_reports(path, affairs_form)
    where = caught.value.where.removeprefix(f"{path}: ")
    assert where.startswith("line 3")
    assert where.endswith(text)


HEADER = "respondent,any_affair,age_above,age_upto,children,years"


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("3,perhaps,,29,one,3.5", "row 4, column any_affair"),
        ("3,yes,18,29,one,3.5", "row 4, columns age_above and age_upto"),
        ("3,yes,,29,one,3.3", "row 4, column years"),
        ("3,yes,,29,one", "row 4"),
        ("3,yes,,29,one,3.5,more", "row 4"),
        ('3,yes,,29,"one,3.5', "row"),
        ("3,\xff,,29,one,3.5", "row"),
    ],
)
@pytest.mark.filterwarnings("ignore::askance.engines.TableNote")
def test_a_damaged_row_is_named(row: str, text: str, tmp_path: Path, affairs_form: Form) -> None:
    path = tmp_path / "reports.csv"
    good = "1,yes,,29,one,3.5"
    path.write_bytes(f"{HEADER}\n{good}\n{good}\n{row}\n{good}\n".encode("latin-1"))
    with pytest.raises(DocumentError) as caught:
        count_reports(path, affairs_form)
    assert text in caught.value.where
    assert "perhaps" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "allowed"),
    [
        ("3,N/A,,29,one,3.5", "yes, no, don't know; or an empty cell for a blank"),
        ("3,yes,-Inf,29,one,3.5", "17, 18 and so on up to 70; or an empty cell for an open end"),
        ("3,yes,,29,one,3.3", "0, 0.5 and so on up to 40; or an empty cell for a blank"),
    ],
)
def test_a_damaged_cell_is_told_what_may_stand_there(
    row: str, allowed: str, tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "reports.csv"
    path.write_text(f"{HEADER}\n{row}\n")
    with pytest.raises(DocumentError) as caught:
        count_reports(path, affairs_form)
    assert caught.value.allowed == allowed


@pytest.mark.long
@pytest.mark.parametrize("before", [0, 1, 3000])
@pytest.mark.parametrize("after", [0, 1, 3000])
def test_a_quote_that_never_ends_hides_no_rows(
    before: int, after: int, tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "reports.csv"
    good = "1,yes,,29,one,3.5\n"
    path.write_text(f'{HEADER}\n{good * before}1,yes,,29,"one,3.5\n{good * after}')
    with pytest.raises(DocumentError, match=r": row \d"):
        count_reports(path, affairs_form)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("respondent,any_afair,age_above,age_upto,children,years", "did you mean 'any_afair'"),
        (
            "any_affair/age_above/age_upto/children/years",
            "no columns named 'any_affair'",
        ),
        ("person,q1,age_above,age_upto,children,years", "the name of the question"),
        (f"{HEADER},years", "two columns 'years', the columns 6 and 7"),
    ],
)
def test_a_wrong_header_is_named(
    header: str, message: str, tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "reports.csv"
    path.write_text(f"{header}\n" if header else "")
    with pytest.raises(DocumentError, match=message) as caught:
        count_reports(path, affairs_form)
    assert "row 1" in caught.value.where


def test_a_damaged_database_is_named(tmp_path: Path, affairs_form: Form) -> None:
    for change in ("""'{"age":5}'""", "'[]'", "'not JSON'", "replace(answers, '7', '\"7\"')"):
        path = tmp_path / f"{abs(hash(change))}.db"
        _filled(str(path), affairs_form, [json.loads(GOOD)])
        with sqlite3.connect(path) as connection:
            connection.execute(f"UPDATE reports SET answers = {change}")
        connection.close()
        with pytest.raises(DocumentError, match="changed by another program") as caught:
            count_reports(path, affairs_form)
        assert caught.value.where.startswith("reports.answers.")


def test_what_holds_no_reports_is_named(tmp_path: Path, affairs_form: Form) -> None:
    for name in ("reports.doc", "reports", "reports.db"):
        path = tmp_path / name
        with pytest.raises(DocumentError, match="no such file"):
            count_reports(path, affairs_form)
        path.write_bytes(b"PK\x03\x04")
        with pytest.raises(DocumentError, match="allowed: a collector's database"):
            count_reports(path, affairs_form)


def test_reports_of_another_form_are_refused(tmp_path: Path, affairs_form: Form) -> None:
    url = _filled(str(tmp_path / "survey.db"), affairs_form, [])
    other = Form.read(affairs_form.document | {"title": {"en": "Other"}})
    with pytest.raises(DocumentError, match="one store belongs to one form"):
        count_reports(url, other)


@pytest.mark.long
def test_in_parquet(tmp_path: Path, affairs_form: Form, values: Values) -> None:
    store = open_store(_filled(str(tmp_path / "survey.db"), affairs_form, values))
    export_csv(store, affairs_form, tmp_path / "r.csv")
    store.close()
    table = pd.read_csv(tmp_path / "r.csv")
    assert {table["age_above"].dtype, table["years"].dtype} == {np.dtype(float)}
    table.to_parquet(tmp_path / "r.parquet")
    assert _count_by_value(count_reports(tmp_path / "r.parquet", affairs_form)) == _by_hand(values)
    rows = report_rows(tmp_path / "r.parquet", affairs_form)
    result = {name: dict(Counter(row.values[name] for row in rows)) for name in values[0]}
    assert result == _by_hand(values)
    table.loc[3, "any_affair"] = "perhaps"
    table.to_parquet(tmp_path / "r.parquet")
    with pytest.raises(DocumentError, match=r"r\.parquet: row 4, column any_affair"):
        count_reports(tmp_path / "r.parquet", affairs_form)
    table.drop(columns="years").to_parquet(tmp_path / "r.parquet")
    with pytest.raises(DocumentError, match="no columns named 'years'"):
        count_reports(tmp_path / "r.parquet", affairs_form)
