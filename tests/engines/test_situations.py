"""Tables as people have them: what is decided of each, or what is said, in words of our own."""

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import odf.opendocument
import odf.table
import odf.text
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
import scipy.stats
from click.testing import CliRunner
from sklearn.tree import DecisionTreeRegressor

import askance as ak
from askance.cli import verbs
from askance.engines import TableNote, TableReading, count_ranges, table_columns, tally
from askance_collect.errors import DocumentError, InputError

YES_NO = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
SAID = ["yes", "no", None, "no"]
AGE = [31.5, 40.0, None, 1250.0]
COLUMNS = {"said": SAID, "age": AGE}
TEXT = "said,age\nyes,31.5\nno,40\n,\nno,1250\n"
GERMAN = "said;age\nyes;31,5\nno;40\n;\nno;1.250,0\n"


def channel_of(*names: str) -> Any:
    return ak.KAry(truth="3/4").channel(ak.Frame(names))


def text(content: str, encoding: str = "utf-8") -> bytes:
    return content.encode(encoding)


def write_xlsx(path: Path, rows: list[list[Any]]) -> None:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
        for cell in book.active[book.active.max_row]:
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type  # no formula
    book.save(path)


def write_ods(path: Path, rows: list[list[Any]]) -> None:
    book = odf.opendocument.OpenDocumentSpreadsheet()
    sheet = odf.table.Table(name="reports")
    for row in rows:
        line = odf.table.TableRow()
        for value in row:
            is_number = isinstance(value, int | float)
            kind: dict[str, Any] = (
                {"valuetype": "float", "value": value} if is_number else {"valuetype": "string"}
            )
            cell = odf.table.TableCell(**({} if value is None else kind))
            if value is not None:
                cell.addElement(odf.text.P(text=str(value)))
            line.addElement(cell)
        sheet.addElement(line)
    book.spreadsheet.addElement(sheet)
    book.save(path)


def write_table(path: Path, columns: Mapping[str, list[Any]] = COLUMNS) -> None:
    """Write columns as a file of the kind that its name says."""
    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    ends = "".join(path.suffixes)
    if ends == ".xlsx":
        write_xlsx(path, rows)
    elif ends == ".ods":
        write_ods(path, rows)
    elif ends == ".parquet":
        pq.write_table(pa.table(dict(columns)), path)
    elif ends in (".sav", ".dta"):
        frame = pd.DataFrame({name: pd.Series(cells) for name, cells in columns.items()})
        frame["said"] = frame["said"].fillna("")
        (pyreadstat.write_sav if ends == ".sav" else pyreadstat.write_dta)(frame, str(path))
    elif ends.startswith(".jsonl"):
        lines = (dict(zip(rows[0], row, strict=True)) for row in rows[1:])
        write_text(path, "".join(json.dumps(line) + "\n" for line in lines))
    else:
        mark = "\t" if ".tsv" in ends else ","
        lines = (["" if cell is None else str(cell) for cell in row] for row in rows)
        write_text(path, "".join(mark.join(line) + "\n" for line in lines))


def write_text(path: Path, content: str) -> None:
    path.write_bytes(gzip.compress(content.encode()) if path.suffix == ".gz" else content.encode())


KINDS = (
    *("t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.jsonl", "t.jsonl.gz"),
    *("t.xlsx", "t.ods", "t.parquet", "t.sav", "t.dta"),
)


@pytest.mark.parametrize("name", KINDS)
def test_the_same_data_is_the_same_in_every_kind_of_file(name: str, tmp_path: Path) -> None:
    write_table(tmp_path / name)
    counted = tally(YES_NO, tmp_path / name, "said")
    assert (counted.counts.tolist(), counted.blanks) == ([1, 2], 1)
    columns = table_columns(tmp_path / name, ["said"], used=["age"])
    assert (list(columns["said"]), list(columns["age"])) == (SAID, AGE)
    by_age = tally(YES_NO, tmp_path / name, "said", recode={"yes": "no", "no": "yes"})
    assert by_age.counts.tolist() == [2, 1]


@pytest.mark.parametrize("name", KINDS)
def test_ranges_are_the_same_in_every_kind_of_file(name: str, tmp_path: Path) -> None:
    ends = {"said": [""] * 3, "lower": [1.5, 2.0, None], "upper": [3.0, 7.25, None]}
    write_table(tmp_path / name, ends)
    ranges = count_ranges(tmp_path / name)
    assert np.column_stack([ranges.lower, ranges.upper]).tolist() == [[1.5, 3.0], [2.0, 7.25]]


DECIDED: dict[str, tuple[str, bytes]] = {
    "byte-order mark": ("t.csv", b"\xef\xbb\xbf" + text(TEXT)),
    "UTF-16": ("t.csv", text(TEXT, "utf-16")),
    "UTF-16 without a mark": ("t.csv", text(TEXT, "utf-16-le")),
    "sep= line": ("t.csv", text("sep=;\r\n" + GERMAN)),
    "semicolons and decimal commas": ("t.csv", text(GERMAN)),
    "tabs and decimal commas": ("t.tsv", text(GERMAN.replace(";", "\t"))),
    "tabs in .txt": ("t.txt", text(TEXT.replace(",", "\t"))),
    "bars": ("t.csv", text(TEXT.replace(",", "|"))),
    "thousands with spaces": ("t.csv", text(GERMAN.replace("1.250,0", "1 250,0"))),
    "thousands with narrow spaces": ("t.csv", text(GERMAN.replace("1.250,0", "1\u202f250,0"))),
    "thousands with apostrophes": ("t.csv", text("said;age\nyes;31.5\nno;40\n;\nno;1'250\n")),
    "quotes everywhere": ("t.csv", text('"said","age"\n"yes","31.5"\n"no","40"\n"",""\nno,1250\n')),
    "CRLF": ("t.csv", text(TEXT.replace("\n", "\r\n"))),
    "CR alone": ("t.csv", text(TEXT.replace("\n", "\r"))),
    "no line end at the end": ("t.csv", text(TEXT.rstrip("\n"))),
    "empty lines": ("t.csv", text(TEXT.replace("no,40", "\nno,40") + "\n\n")),
    "NA as R writes it": ("t.csv", text(TEXT.replace("\n,\n", "\nNA,NA\n"))),
    "NaN as numpy writes it": ("t.csv", text(TEXT.replace("\n,\n", "\n,nan\n"))),
    "guarded formulas": ("t.csv", text(TEXT.replace("yes", "'yes"))),
    "exponents": ("t.csv", text(TEXT.replace("1250", "1.25e3"))),
    "compressed": ("t.csv.gz", gzip.compress(text(GERMAN))),
}
"""A file in another shape holds the very same data."""


@pytest.mark.parametrize("situation", DECIDED)
def test_what_is_decided(situation: str, tmp_path: Path) -> None:
    name, content = DECIDED[situation]
    (tmp_path / name).write_bytes(content)
    columns = table_columns(tmp_path / name, ["said"], used=["age"])
    assert (list(columns["said"]), list(columns["age"])) == (SAID, AGE)
    counted = tally(YES_NO, tmp_path / name, "said")
    assert (counted.counts.tolist(), counted.blanks) == ([1, 2], 1)


HOSTILE = (
    *("", "NA", "TRUE", "007", "1e5", "nan", "=x", "ja, sicher", "a;b", 'say "no"', "two\nlines"),
    *("größer", "👍🏽", "نعم", "é", "-1", "'quoted'"),
)
"""Answers that some program takes for something else."""


@pytest.mark.parametrize("ends", ["csv", "tsv", "jsonl", "xlsx", "parquet", "csv.gz", "dta"])
def test_hostile_answers_stay_what_they_are(ends: str, tmp_path: Path) -> None:
    answers = [name for name in HOSTILE if name]  # an empty name is no name, but a blank
    channel = channel_of(*answers)
    path = tmp_path / f"t.{ends}"
    rows = [*answers, None]
    if ends in ("csv", "tsv", "csv.gz"):
        guarded = ["'" + name if name and name[0] in "=+-@'" else name for name in rows]
        frame = pd.DataFrame({"said": guarded, "n": range(len(rows))})
        frame.to_csv(path, index=False, sep="\t" if ends == "tsv" else ",", quoting=1)
    else:
        write_table(path, {"said": rows, "n": list(range(len(rows)))})
    assert tally(channel, path, "said").counts.tolist() == [1] * len(answers)
    columns = table_columns(path, ["said"], valid_names=answers)
    assert [name for name in columns["said"] if name is not None] == answers


def refuse(content: bytes | str, name: str = "t.csv", **how: Any) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return table_columns(path, ["said"], used=["age"], **how)

    return read


SAYS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "an empty file": (refuse(""), r"t\.csv: got 'an empty file'"),
    "a header alone": (refuse("said,age\n"), r"t\.csv: got 'no rows'"),
    "a ragged row": (refuse("said,age\nyes,1\nno\n"), r"row 3: got '1 cell'; allowed: 2 cells"),
    "a row too long": (refuse("said,age\nyes,1,2\n"), r"row 2: got '3 cells'"),
    "a column twice": (refuse("said,age,age\nyes,1,2\n"), "two columns 'age', the columns 2 and 3"),
    "a quote that never ends": (refuse('said,age\n"yes,1\n'), "a quote that never ends"),
    "a quote inside a cell": (refuse('said,age\n"y"es,1\n'), "row 2.*a quote in the middle"),
    "a word among numbers": (
        refuse("said,age\nyes,31\nno,refused\nno,?\nno,refused\n"),
        r"column 'age': .*'refused' \(2 times, first in row 3\); '\?' \(in row 4\).*"
        r'--missing-codes "age=refused,\?".*kind = "name"',
    ),
    "a decimal comma beside commas": (
        refuse('said,age\nyes,"31,5"\nno,"40,25"\n'),
        r"""'31,5' \(in row 2\).*--decimal ",\"""",
    ),
    "thousands beside commas": (
        refuse('said,age\nyes,"1,250"\nno,40\n'),
        r"""'1,250' \(in row 2\).*--decimal ","  or --thousands ",\"|--thousands ",\"""",
    ),
    "a number that may be two": (
        refuse("said;age\nyes;1.250\nno;3.500\n"),
        r"1\.250 may be two numbers: --decimal \. or --thousands \.",
    ),
    "a date among numbers": (refuse("said,age\nyes,31\nno,2026-01-31\n"), r"'2026-01-31'"),
    "Stata's point": (refuse("said,age\nyes,31\nno,.\n"), r"'\.' \(in row 3\)"),
    "a column that the reading alone has": (
        refuse("said,age\nyes,1\n", reading=TableReading(columns={"agee": {"kind": "number"}})),
        "no column 'agee', which the reading names.*did you mean 'age'",
    ),
    "a name where the reading has numbers": (
        refuse("said,age\nyes,old\n", reading=TableReading(columns={"age": {"kind": "number"}})),
        r"'old' \(in row 2\)",
    ),
    "damaged UTF-16": (refuse(b"\xff\xfea\x00\x00"), "bytes that are no text"),
    "a damaged workbook": (refuse(b"PK\x03\x04", "t.xlsx"), "a file that is damaged"),
    "a line that is no object": (
        refuse('{"said": "yes"}\n[1]\n', "t.jsonl"),
        "line 2: allowed: one JSON object",
    ),
    "another kind of file": (
        refuse("x", "t.docx"),
        r"ends in .*\.docx.*; allowed: .*\.xlsx or \.ods",
    ),
}


@pytest.mark.parametrize("situation", SAYS)
def test_what_is_said(situation: str, tmp_path: Path) -> None:
    read, message = SAYS[situation]
    with pytest.raises((DocumentError, InputError), match=message) as caught:
        read(tmp_path)
    for word in ("CSV Error", "Conversion Error", "codec can't", "Traceback", "line contains"):
        assert word not in str(caught.value)


def run(*words: object) -> Any:
    return CliRunner().invoke(verbs, [*map(str, words)], catch_exceptions=False)


def test_latin_1_is_read_with_a_word(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("said,age\ngrößer,1\n€ 5,2\n".encode("cp1252"))
    with pytest.warns(TableNote, match="t.csv is not UTF-8 and was read as Latin-1"):
        assert table_columns(tmp_path / "t.csv", ["said"])["said"] == ["größer", "€ 5"]
    (tmp_path / "t.csv").write_bytes("said,town\nyes,Köln\nno,Bonn\n".encode("cp1252"))
    result = run(
        "estimate", "--mechanism", "warner:truth=3/4", tmp_path / "t.csv", "--column", "said"
    )
    assert "t.csv is not UTF-8 and was read as Latin-1" in result.stderr


def test_a_verb_looks_and_what_it_writes_is_read_by_others(tmp_path: Path) -> None:
    table, written = tmp_path / "t.csv", tmp_path / "t.toml"
    others = ["no;30", "yes;50,5", "no;45", "yes;28", "no;51", "no;29,5"] * 20
    rows = ["yes;31,5", "no;refused", "Yes ;1.250,0", "no;refused", *others]
    table.write_text("\n".join(["said;age", *rows, ""]))
    looked = json.loads(run("look", table, "--write", written, "--json").stdout)
    replies, age = looked["columns"]
    assert (looked["separator"], looked["decimal"], looked["thousands"]) == (";", ",", ".")
    assert (replies["kind"], age["kind"]) == ("name", "mixed")
    assert age["odd"] == [{"entry": "refused", "count": 2, "row": 3}]
    assert "'Yes ' looks like 'yes'" in replies["notes"][0]
    how = ("regress", "--mechanism", "warner:truth=3/4", table, "--formula", "said ~ age")
    with pytest.raises(DocumentError, match=r"row 4, column 'said': .*--recode '\"Yes \"=yes'"):
        run(*how[:-1], "said ~ 1")
    recoded = (*how, "--recode", '"Yes "=yes')
    with pytest.raises(DocumentError, match=r"'refused' \(2 times, first in row 3\)"):
        run(*recoded, "--reading", written)
    missing = ("--missing-codes", "age=refused", "--missing", "drop", "--json")
    assert json.loads(run(*recoded, *missing).stdout)["n"] == 122
    written.write_text(written.read_text() + 'missing = ["refused"]\n')
    assert json.loads(run(*recoded, "--reading", written, *missing[2:]).stdout)["n"] == 122


def test_standard_input_is_read(tmp_path: Path) -> None:
    words = ["estimate", "--mechanism", "warner:truth=3/4", "-", "--column", "said", "--json"]
    for content in (TEXT, GERMAN, '{"said": "yes"}\n{"said": "no"}\n{"said": "no"}\n'):
        result = CliRunner().invoke(verbs, words, input=content, catch_exceptions=False)
        assert json.loads(result.stdout)["reports"] == 3


def test_codes_of_spss_and_stata_are_missing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"said": ["yes", "no", "no"], "age": [31.0, 99.0, 97.0]})
    ranges = {"age": [{"lo": 97.0, "hi": 99.0}]}
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"), missing_ranges=ranges)
    assert table_columns(tmp_path / "t.sav", ["said"], used=["age"])["age"] == [31.0, None, None]
    stata = pd.DataFrame({"said": ["yes", "no", "no"], "age": [31.0, "a", "z"]})
    pyreadstat.write_dta(stata, str(tmp_path / "t.dta"), missing_user_values={"age": ["a", "z"]})
    assert table_columns(tmp_path / "t.dta", ["said"], used=["age"])["age"] == [31.0, None, None]


def test_dates_and_numbers_of_excel(tmp_path: Path) -> None:
    day = pd.Timestamp("2026-01-31").to_pydatetime()
    write_xlsx(
        tmp_path / "t.xlsx", [["said", "day", "n"], ["yes", day, 7], [None] * 3, ["no", day, 0.1]]
    )
    columns = table_columns(tmp_path / "t.xlsx", ["said"])
    day_text = "2026-01-31"
    assert columns["said"] == ["yes", None, "no"]
    assert (columns["day"], columns["n"]) == ([day_text, None, day_text], [7.0, None, 0.1])
    with pytest.raises(DocumentError, match=r"no such sheet.*allowed: Sheet"):
        table_columns(tmp_path / "t.xlsx", reading=TableReading(sheet="two"))


def test_nulls_and_dictionaries(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"said": null, "age": 1}\n{"said": "no"}\n{"said": ""}\n')
    assert table_columns(tmp_path / "t.jsonl", ["said"])["said"] == [None, "no", None]
    encode = pa.array(["yes", None, "no"]).dictionary_encode()
    pq.write_table(
        pa.table({"said": encode, "age": [1.0, float("nan"), None]}), tmp_path / "t.parquet"
    )
    assert tally(YES_NO, tmp_path / "t.parquet", "said").blanks == 1
    assert table_columns(tmp_path / "t.parquet", ["said"])["age"] == [1.0, None, None]


def test_one_row_and_a_column_of_one_kind(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("said\nyes\n")
    assert tally(YES_NO, tmp_path / "t.csv").total == 1
    (tmp_path / "t.csv").write_text("said\nyes\n\nno\n")  # in one column a line is a cell
    assert table_columns(tmp_path / "t.csv", ["said"])["said"] == ["yes", None, "no"]
    assert tally(YES_NO, tmp_path / "t.csv").blanks == 1


def test_a_reading_is_written_and_read_again(tmp_path: Path) -> None:
    reading = TableReading(
        decimal=",",
        thousands="",
        missing=["99", 'say "no"'],
        recode={"1": "yes", "": "no"},
        columns={"rr.q1": {"kind": "name"}, "größe": {"kind": "number", "missing": ["?"]}},
    )
    assert TableReading.from_toml(reading.to_toml()) == reading
    with pytest.raises(DocumentError, match=r"decimals'; allowed: .*did you mean 'decimal'"):
        TableReading.from_toml('decimals = ","')
    with pytest.raises(DocumentError, match=r"reading\.decimal: got ';'; allowed: .*\"\.\", \",\""):
        TableReading.from_toml('decimal = ";"')


def test_a_reading_decides_in_every_room(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('said,lower,upper\n1,"1,5","2,5"\n2,"1,5",9\n?,9,9\n')
    reading = TableReading(
        decimal=",",
        columns={
            "said": {"recode": {"1": "yes", "2": "no"}, "missing": ["?"]},
            "lower": {"missing": ["9"]},
            "upper": {"missing": ["9"]},
        },
    )
    counted = tally(YES_NO, tmp_path / "t.csv", "said", reading=reading)
    assert (counted.counts.tolist(), counted.blanks) == ([1, 1], 1)
    columns = table_columns(tmp_path / "t.csv", ["said"], used=["lower"], reading=reading)
    assert columns == {
        "said": ["yes", "no", None],
        "lower": [1.5, 1.5, None],
        "upper": [2.5, None, None],
    }
    ranges = count_ranges(tmp_path / "t.csv", closed="survival", reading=reading)
    assert {*zip(ranges.lower, ranges.upper, strict=True)} == {(1.5, 2.5), (1.5, float("inf"))}


MISSING = {
    "None": None,
    "NaN": float("nan"),
    "NumPy NaN": np.float64("nan"),
    "NA of pandas": pd.NA,
    "NaT": pd.NaT,
    "masked": np.ma.masked,
}


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
def test_what_is_missing_is_missing_in_every_room(value: Any) -> None:
    counted = tally(YES_NO, ["yes", value, "no"])
    assert (counted.counts.tolist(), counted.blanks) == ([1, 1], 1)
    frame = pd.DataFrame({"said": pd.Series(["yes", value, "no"], dtype=object)})
    assert tally(YES_NO, frame, "said").blanks == 1
    assert tally(YES_NO, frame, "said", recode={"yes": "no"}).blanks == 1
    rows = {"said": ["yes", value, "no", "no"], "age": [30.0, 40.0, 50.0, 20.0]}
    fit = ak.inference.response_regression("said", "~ 1", YES_NO, data=rows)
    assert fit.blanks == 1


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
def test_a_missing_end_is_missing_in_every_room(value: Any) -> None:
    lower, upper = [1.0, value, 0.0], [value, 2.0, 3.0]
    rooms = [
        ak.Ranges(lower, upper, closed="survival"),
        ak.Ranges([list(pair) for pair in zip(lower, upper, strict=True)], closed="survival"),
        ak.Ranges(pd.DataFrame({"a": lower, "b": upper}, dtype=object), closed="survival"),
    ]
    for ranges in rooms:
        assert ranges.lower.tolist() == [1.0, -np.inf, 0.0]
        assert ranges.upper.tolist() == [np.inf, 2.0, 3.0]
    for closed in ("right", "both"):
        with pytest.raises(InputError, match="an open end is -inf or inf"):
            ak.Ranges(lower, upper, closed=closed)
    with pytest.raises(InputError, match="ends nan and nan"):
        ak.Ranges([value, 1.0], [value, 2.0], closed="survival", pieces=[2])


ENDS = {"lower": [1.0, None, 0.0, None], "upper": [None, 2.0, 3.0, None]}
"""Ranges with an open end, and a blank, in a table of each library."""
NAN = {
    name: [float("nan") if end is None else end for end in column] for name, column in ENDS.items()
}
TABLES_OF_ENDS: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame(ENDS),
    "pandas with NA": lambda: pd.DataFrame(ENDS, dtype="Float64"),
    "pandas with objects": lambda: pd.DataFrame(ENDS, dtype=object).fillna(pd.NA),
    "pandas with another index": lambda: pd.DataFrame(ENDS, dtype=object, index=[9, 7, 7, 1]),
    "Arrow": lambda: pa.table(ENDS),
    "Arrow with NaN": lambda: pa.table(NAN),
    "polars": lambda: pl.DataFrame(ENDS),
    "polars with NaN": lambda: pl.DataFrame(NAN),
}


@pytest.mark.parametrize("library", TABLES_OF_ENDS)
def test_open_ends_and_blanks_are_alike_in_tables_of_every_library(library: str) -> None:
    table = TABLES_OF_ENDS[library]()
    whole = ak.Ranges([1.0, -np.inf, 0.0], [np.inf, 2.0, 3.0])
    expected = ak.npmle(whole).mass
    for ranges in (ak.Ranges(table, closed="survival"), count_ranges(table, closed="survival")):
        assert ranges.total == 3
        np.testing.assert_allclose(ak.npmle(ranges).mass, expected)
    for read in (ak.Ranges, count_ranges):
        with pytest.raises(InputError, match="an open end is -inf or inf"):
            read(table)


WHOLE = np.arange(24.0) % 6, np.arange(24.0) % 6 + 2 + np.arange(24) % 2
WHERE = np.sin(np.arange(24.0))[:, None]
BLANK = 7
OTHERS = np.arange(24) != BLANK
CLUSTERS = np.arange(24) // 3


def cut_sides(ranges: ak.Ranges) -> ak.Ranges:
    """Up to their upper ends alone; a blank stays one."""
    ends = (
        np.where(ranges.weights > 0, -np.inf, np.nan),
        np.where(ranges.weights, ranges.upper, np.nan),
    )
    return ak.Ranges(*ends)


ROOMS: dict[str, Callable[[ak.Ranges, Any, Any], Any]] = {
    "npmle": lambda ranges, _, __: ak.npmle(ranges).mass,
    "npmle of a sample": lambda ranges, _, sampling: ak.npmle(ranges, sampling=sampling).mass,
    "cdf_intervals": lambda ranges, _, __: ak.inference.cdf_intervals(ranges, [3.0]).lower,
    "cdf_intervals of a sample": lambda ranges, _, sampling: (
        ak.inference.cdf_intervals(ranges, [3.0], sampling=sampling).lower
    ),
    "fit_family": lambda ranges, _, __: ak.inference.fit_family(ranges, scipy.stats.norm).value,
    "unbiased_mean": lambda ranges, _, sampling: [
        (fit.value, fit.se)
        for fit in (
            ak.inference.unbiased_mean(cut_sides(ranges), (0, 9)),
            ak.inference.unbiased_mean(cut_sides(ranges), (0, 9), sampling=sampling),
        )
    ],
    "censored_regression": lambda ranges, X, _: (
        ak.inference.censored_regression(ranges, X).covariance
    ),
    "censored_regression of a sample": lambda ranges, X, sampling: (
        ak.inference.censored_regression(ranges, X, sampling=sampling).covariance
    ),
    "IntervalRegressor": lambda ranges, X, _: (
        ak.learn.IntervalRegressor().fit(X, ranges).predict([[0.0], [1.0]])
    ),
}


@pytest.mark.parametrize("room", ROOMS)
def test_a_blank_among_ranges_says_nothing_in_every_room(room: str) -> None:
    lower, upper = (np.where(OTHERS, ends, np.nan) for ends in WHOLE)
    sampling = ak.inference.SamplingDesign(weights=1 + CLUSTERS % 2, clusters=CLUSTERS)
    with_blank = ROOMS[room](ak.Ranges(lower, upper), WHERE, sampling)
    without = ROOMS[room](ak.Ranges(lower, upper)[OTHERS], WHERE[OTHERS], _keep(sampling))
    np.testing.assert_allclose(with_blank, without, rtol=1e-6)
    rooms = ROOMS[room](ak.Ranges(*WHOLE), WHERE, sampling)
    assert not np.allclose(rooms, without, rtol=1e-4)


def _keep(sampling: ak.inference.SamplingDesign) -> ak.inference.SamplingDesign:
    """The sample without the row of the blank, whose cluster stays by its others."""
    return ak.inference.SamplingDesign(weights=sampling.weights[OTHERS], clusters=CLUSTERS[OTHERS])


def test_boosting_takes_a_blank_and_learns_nothing_of_it() -> None:
    lower, upper = (np.where(OTHERS, ends, np.nan) for ends in WHOLE)
    how: dict[str, Any] = {"max_iter": 5, "random_state": 0}
    fits = [
        ak.learn.IntervalBooster(DecisionTreeRegressor(max_depth=2), **how).fit(X, ranges)
        for X, ranges in (
            (WHERE, ak.Ranges(lower, upper)),
            (np.where(OTHERS[:, None], WHERE, 50.0), ak.Ranges(lower, upper)),
        )
    ]
    assert fits[0].loglik_ == pytest.approx(fits[1].loglik_)


@pytest.mark.parametrize("value", [None, float("nan"), pd.NA], ids=str)
def test_a_classifier_asks_to_leave_blanks_out(value: Any) -> None:
    model = ak.learn.ChannelClassifier(channel=YES_NO)
    with pytest.raises(InputError, match=r"y\[1\]: got .*leave rows without a report out"):
        model.fit([[0.0], [1.0], [2.0]], ["yes", value, "no"])


def test_a_range_without_ends_is_a_blank() -> None:
    for kind in ("float64", "Float64", "double[pyarrow]"):
        table = pd.DataFrame({"lower": [1.0, None], "upper": [2.0, None]}).astype(kind)
        assert count_ranges(table).total == 1


SURVEY = """
askance = "survey-1"
title = "A study with a spinner"
consent = "Asked on paper."

[[question]]
name = "stole"
text = "Have you ever taken something from a shop without paying?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }

[[question]]
name = "hours"
text = "How many hours a week do you work?"
line = { lower = 0, upper = 60, step = 0.5, unit = "hours" }
mechanism = { name = "cuts", number = 1 }
"""


def test_a_form_is_estimated_from_entries_of_others(tmp_path: Path) -> None:
    survey = tmp_path / "s.toml"
    survey.write_text(SURVEY, encoding="utf-8")
    ours = ["stole,hours_above,hours_upto", *["yes,12.5,", "no,,37.5", "no,40,", ",,"] * 15]
    (tmp_path / "ours.csv").write_text("\n".join(ours) + "\n")
    theirs = ["stole;hours_above;hours_upto", *["1;12,5;", "2;;37,5", "2;40;", "9;;"] * 15]
    (tmp_path / "theirs.csv").write_text("\n".join(theirs) + "\n")
    rows = [line.replace(",", ".").split(";") for line in theirs]
    write_xlsx(tmp_path / "theirs.xlsx", [[cell or None for cell in row] for row in rows])
    expected = json.loads(run("estimate", survey, tmp_path / "ours.csv", "--json").stdout)
    for name in ("theirs.csv", "theirs.xlsx"):
        how = (survey, tmp_path / name, "--recode", "1=yes,2=no,9=", "--json")
        estimated = json.loads(run("estimate", *how).stdout)
        assert "--recode 1=yes,2=no,9=" in estimated["command"]
        differing = {name for name, value in estimated.items() if value != expected[name]}
        assert differing == {"command", "data_sha256"}
    with pytest.raises(DocumentError, match="row 2, column stole"):
        run("estimate", survey, tmp_path / "theirs.csv")
    looked = json.loads(run("look", tmp_path / "theirs.csv", survey, "--json").stdout)
    by_name = {column["name"]: column for column in looked["columns"]}
    assert [odd["entry"] for odd in by_name["stole"]["odd"]] == ["1", "2", "9"]
    assert by_name["hours_above"]["odd"] == []
    store = [{"stole": 0, "hours": [0, 75]}]
    (tmp_path / "sent.jsonl").write_text("".join(json.dumps(line) + "\n" for line in store))
    with pytest.raises(InputError, match="values as they were sent"):
        run("estimate", survey, tmp_path / "sent.jsonl", "--recode", "1=yes")
