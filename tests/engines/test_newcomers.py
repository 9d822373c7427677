"""Tables as newcomers have them: no wrong number without a word, and every verb says the same."""

import datetime
import gzip
import json
import re
import shlex
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import TableNote, table_columns, tally
from askance_collect.errors import DocumentError, InputError

YES_NO = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))


def run(*words: object) -> Any:
    return CliRunner().invoke(verbs, [*map(str, words)], catch_exceptions=False)


def estimate(path: Path, *words: object) -> Any:
    return run("estimate", "--mechanism", "warner:truth=3/4", path, "--column", "said", *words)


SPLIT_OTHERWISE = {
    "a separator at the end of rows": "said,age\nyes,20,\nno,30,\n",
    "a separator at the end of one row": "said,age\nyes,20\nno,30,\n",
    "a separator at the end of the file": "said,age\nyes,20\nno,30,",
    "the same in one column": "said\nyes\nno,\n",
    "the same behind quotes": 'said,age\n"yes","20",\n"no",30\n',
    "the same behind a comma in quotes": 'said,age\n"yes","2,0",\n"no",30\n',
    "the same behind two lines in quotes": 'said,age\n"yes","2\n0",\n"no",30\n',
    "blanks behind a quote": 'said,age\n"yes" ,20\nno,30\n',
    "blanks behind the last quote": 'said,age\nno,30\nyes,"20" ',
    "ends of lines of two kinds": "said,age\r\nno,30\r\n\r yes,20\r\n",
}
"""What an engine reads, and rows of cells are not."""


@pytest.mark.parametrize("situation", SPLIT_OTHERWISE)
@pytest.mark.parametrize("ends", ["csv", "csv.gz"])
def test_counts_refuse_what_a_look_refuses(situation: str, ends: str, tmp_path: Path) -> None:
    path, content = tmp_path / f"t.{ends}", SPLIT_OTHERWISE[situation].encode()
    path.write_bytes(gzip.compress(content) if ends == "csv.gz" else content)
    with pytest.raises((DocumentError, InputError)) as looked:
        tally(YES_NO, table_columns(path, ["said"])["said"])
    with pytest.raises((DocumentError, InputError)) as counted:
        tally(YES_NO, path, "said")
    assert type(looked.value) is type(counted.value)


def test_a_separator_at_the_end_of_header_and_rows_is_a_column_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('said,age,\nyes,20,\n"no",,\n"no","1,5",\n')
    assert tally(YES_NO, tmp_path / "t.csv", "said").counts.tolist() == [1, 2]
    assert table_columns(tmp_path / "t.csv", ["said"])["said"] == ["yes", "no", "no"]


def test_blanks_at_the_end_of_rows_are_counted_as_fast_as_others(tmp_path: Path) -> None:
    rows = "".join(f"{i},{'yes' if i % 3 else 'no'},\n" for i in range(300_000))
    (tmp_path / "t.csv").write_text("id,said,note\n" + rows)
    before = time.process_time()
    assert tally(YES_NO, tmp_path / "t.csv", "said").counts.tolist() == [200_000, 100_000]
    assert time.process_time() - before < 3


def test_a_cell_that_is_too_long_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"said,age\nyes,1\nno,{'9' * 200_000}\n")
    with pytest.raises(DocumentError, match=r"row 3.*too long.*cells of at most 131,072 char"):
        table_columns(tmp_path / "t.csv", ["said"])


@pytest.mark.parametrize("weight", ["1_000", "1_0.5", "1e1_0"])
@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_an_underscore_is_in_no_number(weight: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(
        f"said,w\nyes,{weight}\nno,2\n"
        if name == "t.csv"
        else f'{{"said": "yes", "w": "{weight}"}}\n{{"said": "no", "w": 2}}\n'
    )
    row = 2 if name == "t.csv" else 1
    with pytest.raises(DocumentError, match=rf"column 'w': .*'{weight}' \(in row {row}\)"):
        tally(YES_NO, path, "said", weights="w")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (["1", "inf"], "a weight that is infinite or no number"),
        (["1", "nan"], "a weight that is infinite or no number"),
        (["1", "-9"], "weights of -9'"),
        (["1", ""], "1 missing weight'"),
    ],
)
def test_faulty_weights_are_described(weights: list[str], message: str, tmp_path: Path) -> None:
    rows = "".join(f"yes,{weight}\n" for weight in weights)
    (tmp_path / "t.csv").write_text("said,w\n" + rows)
    with pytest.raises(InputError, match=message):
        tally(YES_NO, tmp_path / "t.csv", "said", weights="w")


WRITTEN = {
    "per cent": (["20%", "30%"], "without signs, 20 for 20%"),
    "per cent beside numbers": (["20%", "30"], "without signs, 20 for 20%"),
    "dollars": (["$20", "$30"], r"without signs, 20 for \$20"),
    "euros": (["20 €", "30 €"], "without signs, 20 for 20 €"),
    "a comma beside a word": (["1,5", "refused"], "'1,5'"),
    "spaces beside commas": (["20\u202f000", "30"], '--thousands " "'),
    "apostrophes of a typesetter": (["20\u2019000", "30"], '--thousands "\'"'),
}
"""Numbers as people write them, which were a factor without a word."""


@pytest.mark.parametrize("situation", WRITTEN)
def test_a_written_number_is_no_factor(situation: str, tmp_path: Path) -> None:
    cells, remedy = WRITTEN[situation]
    rows = "".join(f'{said},"{cell}"\n' for said in ("yes", "no") for cell in cells)
    (tmp_path / "t.csv").write_text("said,age\n" + rows)
    with pytest.raises(DocumentError, match=remedy):
        table_columns(tmp_path / "t.csv", ["said"], used=["age"])
    looked = json.loads(run("look", tmp_path / "t.csv", "--json").stdout)
    assert looked["columns"][1]["kind"] == "mixed"


def test_an_address_of_a_computer_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("said,ip\nyes,192.168.100.101\nno,10.0.0.1\n")
    looked = json.loads(run("look", tmp_path / "t.csv", "--json").stdout)
    assert looked["columns"][1]["kind"] == "name"


READ = {
    "a minus of a typesetter": ("said,age\nyes,\u22125\nno,3\n", [-5.0, 3.0], {}),
    "lakhs": ('said,age\nyes,"12,34,567"\nno,3\n', [1234567.0, 3.0], {"thousands": ","}),
    "apostrophes of a typesetter": ("said;age\nyes;1\u2019250.5\nno;3\n", [1250.5, 3.0], {}),
    "apostrophes and commas": ("said;age\nyes;1'250,50\nno;3,5\n", [1250.5, 3.5], {}),
}


@pytest.mark.parametrize("situation", READ)
def test_a_number_in_another_hand_is_read(situation: str, tmp_path: Path) -> None:
    content, numbers, how = READ[situation]
    (tmp_path / "t.csv").write_text(content)
    reading = ak.engines.TableReading(**how)
    columns = table_columns(tmp_path / "t.csv", ["said"], used=["age"], reading=reading)
    assert columns["age"] == numbers
    weighed = (
        tally(YES_NO, tmp_path / "t.csv", "said", weights="age", reading=reading)
        if (min(numbers) > 0)
        else None
    )
    assert weighed is None or weighed.weights.tolist() == numbers


MAY_BE_TWO = {
    "Excel's tabs": ("t.txt", 'said\tpay\nyes\t"1,500"\nno\t"25,000"\n'),
    "semicolons": ("t.csv", "said;pay\nyes;1,500\nno;2,250\n"),
    "tabs and points": ("t.tsv", "said\tpay\nyes\t1.500\nno\t25.000\n"),
    "far below": ("t.csv", "said;pay\n" + "yes;7\n" * 2_500 + "no;1.500\n"),
    "far below, with commas": ("t.tsv", "said\tpay\n" + "yes\t7\n" * 90_000 + "no\t1,500\n"),
}


@pytest.mark.parametrize("situation", MAY_BE_TWO)
def test_a_number_that_may_be_two_is_never_one_of_them(situation: str, tmp_path: Path) -> None:
    name, content = MAY_BE_TWO[situation]
    (tmp_path / name).write_text(content)
    mark = "," if "," in content else r"\."
    message = f"may be two numbers: --decimal {mark} or --thousands {mark}"
    with pytest.raises(DocumentError, match=message):
        table_columns(tmp_path / name, ["said"], used=["pay"])
    with pytest.raises(DocumentError, match=message):
        tally(YES_NO, tmp_path / name, "said", weights="pay")


@pytest.mark.parametrize("above", ["# made by a program\n# 2026\n", "Survey 2026\n"])
def test_a_title_above_the_header_is_named(above: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(above + "said,age\nyes,1\n")
    for read in (lambda path: tally(YES_NO, path, "said"), table_columns):
        with pytest.raises(DocumentError, match="delete what stands above the header"):
            read(tmp_path / "t.csv")


def write_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", "said\nyes\n" * 9)


OTHER_KINDS: dict[str, tuple[str, Callable[[Path], Any], str]] = {
    "a .zip": ("t.csv", write_zip, r"name it \.xlsx or \.ods, or unpack it"),
    "compressed": (
        "t.csv",
        lambda path: path.write_bytes(gzip.compress(b"said\nyes\n")),
        r"name it \.csv\.gz",
    ),
    "Parquet": (
        "t.csv",
        lambda path: pq.write_table(pa.table({"said": ["yes"]}), path),
        r"name it \.parquet",
    ),
    "a workbook of old": ("t.xls", lambda path: path.write_bytes(b"x"), r"save it as \.xlsx"),
    "an archive": ("t.csv.zip", write_zip, "unpack it"),
    "data of R": ("t.rds", lambda path: path.write_bytes(b"x"), "haven::write_sav"),
}


@pytest.mark.parametrize("situation", OTHER_KINDS)
def test_a_file_of_another_kind_is_named(situation: str, tmp_path: Path) -> None:
    name, write, remedy = OTHER_KINDS[situation]
    write(tmp_path / name)
    with pytest.raises(DocumentError, match=remedy):
        tally(YES_NO, tmp_path / name, "said")


def test_groups_of_parquet_are_values(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    said = pa.array(["yes", "no"])
    pq.write_table(pa.table({"said": said, "Said": said}), path)
    with pytest.raises(DocumentError, match="'said' and 'Said', which differ in capitals alone"):
        tally(YES_NO, path, "said")
    moments = pa.array(
        [datetime.datetime(2026, 1, 31, 23, 30)] * 2, pa.timestamp("us", "Asia/Tokyo")
    )
    pq.write_table(pa.table({"said": said, "when": moments}), path)
    assert list(tally(YES_NO, path, "said", by="when")) == ["2026-01-31 23:30:00+00"]
    assert table_columns(path, ["said"])["when"] == ["2026-01-31 23:30:00+00"] * 2
    for nested in ([[1], [2]], [{"a": 1}, {"a": 2}]):
        pq.write_table(pa.table({"said": said, "group": nested}), path)
        with pytest.raises(InputError, match="a column with one value in each row"):
            tally(YES_NO, path, "said", by="group")


def test_truth_values_are_no_numbers_among_groups(tmp_path: Path) -> None:
    lines = '{"said": "yes", "group": 1}\n{"said": "no", "group": true}\n'
    (tmp_path / "t.jsonl").write_text(lines)
    message = "in one column'; allowed: truth values alone, or numbers alone"
    with pytest.raises(InputError, match=message):
        tally(YES_NO, tmp_path / "t.jsonl", "said", by="group")
    with pytest.raises(InputError, match=message):
        tally(YES_NO, ["yes", "no"], by=[0, False])


FRAMES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "two columns of one name": (
        lambda: pd.DataFrame([["yes", "no"]], columns=["said", "said"]),
        "said",
        "two columns 'said'",
    ),
    "names of two levels": (
        lambda: pd.DataFrame(
            [["yes", "no"]], columns=pd.MultiIndex.from_tuples([("a", "said"), ("b", "said")])
        ),
        "said",
        r"in 2 levels.*map\(\"_\".join\)",
    ),
    "lists": (
        lambda: pd.DataFrame({"said": ["yes", "no"], "group": [[1], [2]]}),
        "group",
        "a column with one value in each row",
    ),
    "truth values and numbers": (
        lambda: pd.DataFrame({"said": ["yes", "no"], "group": [1.0, True]}, dtype=object),
        "group",
        "truth values alone, or numbers alone",
    ),
}


@pytest.mark.parametrize("situation", FRAMES)
def test_faulty_frames_are_described(situation: str) -> None:
    make, by, message = FRAMES[situation]
    with pytest.raises(InputError, match=message):
        tally(YES_NO, make(), "said", by=None if by == "said" else by)


def test_an_apostrophe_of_a_name_stays(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("said,town\nyes,'s-Hertogenbosch\nno,'=x\n")
    assert set(tally(YES_NO, tmp_path / "t.csv", "said", by="town")) == {"'s-Hertogenbosch", "=x"}
    assert table_columns(tmp_path / "t.csv", ["said"])["town"] == ["'s-Hertogenbosch", "=x"]


def test_labels_of_several_codes_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    frame = pd.DataFrame({"said": ["yes", "no"] * 2, "town": [1.0, 2.0, 3.0, 1.0], "w": [1.0] * 4})
    labels = {"town": {1: "other", 2: "other", 3: "Bonn", 4: "Bonn"}, "w": {1: "1", 2: "2"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels)
    assert set(tally(YES_NO, path, "said", by="town")) == {"other [1]", "other [2]", "Bonn"}
    assert tally(YES_NO, path, "said", weights="w").weights.tolist() == [2.0, 2.0]
    assert table_columns(path, ["said"])["w"] == [1.0] * 4
    pyreadstat.write_sav(
        frame[["town"]], str(path), variable_value_labels={"town": {1: "yes", 2: "yes", 3: "no"}}
    )
    with pytest.raises(InputError, match=r"'yes' of both 1\.0 and 2\.0"):
        tally(YES_NO, path, "town")


@pytest.mark.parametrize("write", [pyreadstat.write_sav, pyreadstat.write_dta])
def test_a_file_without_rows_is_named(write: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / ("t.sav" if write is pyreadstat.write_sav else "t.dta")
    write(pd.DataFrame({"said": ["yes"]}).head(0), str(path))
    with pytest.raises(InputError, match="no report"):
        tally(YES_NO, path, "said")
    with pytest.raises(DocumentError, match="no rows"):
        table_columns(path, ["said"])


def test_sheets_that_are_not_read_are_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for sheet, said in ((book.active, "yes"), (book.create_sheet("wave 2"), "no")):
        for row in (["said"], [said], [said]):
            sheet.append(row)
    book.create_sheet("empty", 0)
    hidden = book.create_sheet("old", 0)
    hidden.append(["said"])
    hidden.append(["no"])
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "t.xlsx")
    with pytest.warns(TableNote, match="has several sheets"):
        assert tally(YES_NO, tmp_path / "t.xlsx", "said").counts.tolist() == [2, 0]
    note = "t.xlsx has several sheets; 'Sheet' was read, not 'wave 2'"
    assert note in estimate(tmp_path / "t.xlsx").stderr
    assert note in " ".join(run("look", tmp_path / "t.xlsx").stdout.split())
    (tmp_path / "r.toml").write_text('sheet = "wave 2"\n')
    read = estimate(tmp_path / "t.xlsx", "--reading", tmp_path / "r.toml", "--json")
    assert "sheets" not in read.stderr
    assert tally(
        YES_NO, tmp_path / "t.xlsx", "said", reading=ak.engines.TableReading(sheet="wave 2")
    ).counts.tolist() == [0, 2]


def test_a_look_names_numbers_that_would_be_rounded(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id\n9007199254740992\n9007199254740993\n")
    (column,) = json.loads(run("look", tmp_path / "t.csv", "--json").stdout)["columns"]
    assert column["notes"] == [
        '9007199254740993 is rounded as a number; for codes write kind = "name"'
    ]


def test_a_look_at_a_very_long_number_names_it(tmp_path: Path) -> None:
    """More than 4,300 digits, which Python reads as no whole number, ended in a traceback."""
    (tmp_path / "t.csv").write_text(f"id\n{'9' * 5_000}\n1\n")
    (column,) = json.loads(run("look", tmp_path / "t.csv", "--json").stdout)["columns"]
    assert column["notes"][0].endswith('9 is rounded as a number; for codes write kind = "name"')


def test_a_recoding_is_written_as_a_shell_reads_it(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('said\n"it\'s ""no"""\nyes\n')
    with pytest.raises(DocumentError, match="REPORT") as caught:
        estimate(tmp_path / "t.csv")
    flag = re.search(r"--recode (.*) says what", str(caught.value))
    assert flag is not None
    (word,) = shlex.split(flag[1])
    recoded = estimate(tmp_path / "t.csv", "--recode", word.replace("REPORT", "no"), "--json")
    assert json.loads(recoded.stdout)["reports"] == 2


ALIKE = {
    "a number and a text": ("1", 1),
    "a whole number and a text": ("1", 1.0),
    "a truth value and a text": ("TRUE", True),
    "a fraction and a text": ("1.5", 1.5),
}


@pytest.mark.parametrize("situation", ALIKE)
@pytest.mark.parametrize("more", [[], ["a"], [2]])
def test_groups_that_look_alike_are_neither_merged_nor_split(
    situation: str, more: list[Any], tmp_path: Path
) -> None:
    groups = [*ALIKE[situation], *more]
    rows = [{"said": said, "g": group} for group in groups for said in ("yes", "no", "no")]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(InputError, match="look alike"):
        tally(YES_NO, path, "said", by="g")
    with pytest.raises(InputError, match="look alike"):
        tally(YES_NO, pd.DataFrame(rows), "said", by="g")
    for verb in ("estimate", "compare"):
        with pytest.raises(InputError, match="look alike"):
            run(verb, "--mechanism", "warner:truth=3/4", path, "--column", "said", "--by", "g")
    (tmp_path / "r.toml").write_text('[columns.g]\nkind = "name"\n')
    words = ("--reading", tmp_path / "r.toml", "--by", "g", "--json")
    read = estimate(path, *words)
    totals = [group["reports"] for group in json.loads(read.stdout)["groups"]]
    assert sorted(totals) == [3] * len(more) + [6]


@pytest.mark.parametrize("situation", ALIKE)
def test_covariates_that_look_alike_are_not_merged(situation: str, tmp_path: Path) -> None:
    """The text "1" counted as the number 1 in regressions, and the same column was no group."""
    cells = [*ALIKE[situation], None] if "truth" in situation else [*ALIKE[situation], 2, 4, 3.5]
    rows = [
        {"said": said, "x": cell}
        for i, cell in enumerate(cells * 12)
        for said in ("yes", "no", "no", "yes")[: 1 + i % 4]
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    regress = ("regress", "--mechanism", "warner:truth=3/4", path, "--missing", "drop", "--json")
    for formula in ("said ~ x", "said ~ C(x)", "said ~ x + I(2 * x)"):
        with pytest.raises(InputError, match="look alike"):
            run(*regress, "--formula", formula)
        with pytest.raises(InputError, match="look alike"):
            ak.inference.response_regression(
                "said", formula[4:], YES_NO, data=pd.DataFrame(rows), missing="drop"
            )
    assert "look alike" in run("look", path).stdout
    kind = "truth" if "truth" in situation else "number"
    (tmp_path / "r.toml").write_text(f'[columns.x]\nkind = "{kind}"\n')
    words = ("--formula", "said ~ x", "--reading", tmp_path / "r.toml")
    if kind == "number":
        assert json.loads(run(*regress, *words).stdout)["n"] == len(rows)
        read = json.loads(estimate(path, "--by", "x", *words[2:], "--json").stdout)["groups"]
        totals = {group["group"]["x"]: group["reports"] for group in read}
        assert totals == dict(Counter(float(row["x"]) for row in rows))


MIXED: dict[str, tuple[list[Any], str]] = {
    "a word among numbers": ([31, 40, "refused", 5], "31 in row 0, and 'refused' in row 2"),
    "a code of R": ([31.5, "NA", 40.0, 5.0], "31.5 in row 0, and 'NA' in row 1"),
    "an empty text": ([31, 40, 5, ""], "31 in row 0, and '' in row 3"),
    "a truth value": ([2, True, 3, 4], "2 in row 0, and True in row 1"),
    "a truth value and its number": ([1, True, 3, 4], "True and 1 in one column"),
    "bytes": ([b"a", b"b", b"a", b"a"], "the bytes b'a'"),
}
"""Columns that were factors of one level for each entry, without a word."""
WRITTEN_NUMBERS = {
    "texts": ["31", "40", "5", "6"],
    "a text among texts": ["31", "refused", "5", "6"],
    "decimal commas": ["31,5", "40,2", "5,1", "6,0"],
    "a currency": ["20 €", "30 €", "40 €", "50 €"],
}


@pytest.mark.parametrize("missing", ["refuse", "drop"])
@pytest.mark.parametrize("situation", [*MIXED, *WRITTEN_NUMBERS])
def test_numbers_of_a_data_frame_are_no_factor(situation: str, missing: Any) -> None:
    cells, message = MIXED.get(situation, (WRITTEN_NUMBERS.get(situation, []), "which is a number"))
    said = ["yes", "no", "no", "yes", "no"] * 48
    column = cells * 60 if missing == "refuse" else [*cells, *cells[:3], None] * 30
    table = {"said": said, "x": pd.Series(column, dtype=object)}

    def regress(formula: str, data: Any) -> Any:
        return ak.inference.response_regression("said", formula, YES_NO, data=data, missing=missing)

    with pytest.raises(InputError, match=re.escape(message)):
        regress("~ x", pd.DataFrame(table))
    if situation in MIXED:
        with pytest.raises(InputError, match=re.escape(message)):
            regress("~ x", {"said": said, "x": list(table["x"])})
        return
    grouped = pd.DataFrame(table | {"x": pd.Categorical(table["x"])})
    assert all(term.startswith("x[T.") for term in regress("~ x", grouped).terms)
    assert all(term.startswith("C(x)[T.") for term in regress("~ C(x)", pd.DataFrame(table)).terms)


def test_decimals_of_a_database_are_numbers() -> None:
    """Each was a level of its own."""
    said = ["yes", "no", "no", "yes", "no"] * 16
    prices = [Decimal("1.5"), Decimal("2.25"), Decimal("3"), Decimal("1.5")] * 20
    fits = [
        ak.inference.response_regression("said", "~ x", YES_NO, data={"said": said, "x": values})
        for values in (prices, [float(price) for price in prices])
    ]
    assert fits[0].terms == ("x",)
    assert str(fits[0]) == str(fits[1])
    frame = pa.table({"said": said, "x": pa.array(prices, pa.decimal128(10, 2))})
    assert [*tally(YES_NO, frame, "said", by="x")] == [1.5, 2.25, 3.0]


UNITS = {"a unit": (["20 kg", "30 kg"], "without units, 20 for 20 kg")}
UNITS |= {"a code of a currency": (["CHF 20", "30.50 EUR"], "without signs, 20 for CHF 20")}


@pytest.mark.parametrize("situation", UNITS)
def test_a_number_with_its_unit_is_no_factor(situation: str, tmp_path: Path) -> None:
    cells, remedy = UNITS[situation]
    rows = "".join(f"{said},{cell}\n" for said in ("yes", "no") for cell in cells)
    (tmp_path / "t.csv").write_text("said,x\n" + rows)
    with pytest.raises(DocumentError, match=remedy):
        table_columns(tmp_path / "t.csv", ["said"], used=["x"])
    (tmp_path / "t.csv").write_text("said,x\nyes,12 Monkeys\nno,20 kg\n")
    assert table_columns(tmp_path / "t.csv", ["said"], used=["x"])["x"] == ["12 Monkeys", "20 kg"]


LIBRARIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas with NA": lambda table: pd.DataFrame(table).astype({"w": "Float32"}),
    "pandas with Arrow": lambda table: pd.DataFrame(table).astype({"w": "float[pyarrow]"}),
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "pyarrow": lambda table: pa.table(table | {"w": pa.array(table["w"])}),
    "DuckDB": lambda table: duckdb.from_arrow(pa.table(table | {"w": pa.array(table["w"])})),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_numbers_of_32_bits_at_hand_are_those_of_files(library: str, tmp_path: Path) -> None:
    said, w = ["yes", "no", "no", "yes"], np.float32([0.1, 0.7, 0.2, 1e20])
    pq.write_table(pa.table({"said": said, "w": w}), tmp_path / "t.parquet")
    table = LIBRARIES[library]({"said": said, "w": w})
    path = tmp_path / "t.parquet"
    assert [*tally(YES_NO, table, "said", by="w")] == [0.1, 0.2, 0.7, 1e20]
    for how in ({"weights": "w"}, {"sampling": ak.inference.SamplingColumns(weights="w")}):
        counted, read = (tally(YES_NO, source, "said", **how) for source in (table, path))
        assert counted.weights.tolist() == read.weights.tolist() == [1e20 + 0.1, 0.7 + 0.2]
    ends = [ak.engines.count_ranges(source, "w", "w", closed="both") for source in (table, path)]
    assert ends[0].upper.tolist() == ends[1].upper.tolist() == [0.1, 0.2, 0.7, 1e20]
    assert tally(YES_NO, said, weights=w).weights.tolist() == [1e20 + 0.1, 0.7 + 0.2]
    if library not in ("lazy polars", "DuckDB"):
        written = {"said": ["yes", "no", "no"] * 49, "w": [i % 7 / 10 for i in range(147)]}
        singles = LIBRARIES[library](written | {"w": np.float32(written["w"])})
        fits = [
            ak.inference.response_regression("said", "~ w", YES_NO, data=data).to_dict()
            for data in (singles, written)
        ]
        assert fits[0] == fits[1]


GERMAN = ak.engines.TableReading(decimal=",", thousands=".")


def write_sheet(path: Path, columns: dict[str, list[Any]]) -> None:
    book = openpyxl.Workbook()
    for row in (list(columns), *zip(*columns.values(), strict=True)):
        book.active.append(list(row))
    book.save(path)


WITH_TYPES: dict[str, Callable[[Path, dict[str, list[Any]]], Any]] = {
    "t.xlsx": write_sheet,
    "t.jsonl": lambda path, columns: pd.DataFrame(columns).to_json(
        path, orient="records", lines=True
    ),
    "t.json": lambda path, columns: pd.DataFrame(columns).to_json(path, orient="records"),
}


@pytest.mark.filterwarnings("ignore::askance.engines.TableNote")
@pytest.mark.parametrize("name", WITH_TYPES)
def test_marks_of_numbers_hold_for_texts_in_every_kind_of_file(name: str, tmp_path: Path) -> None:
    """--thousands was taken, and 1.250 was 1.25 all the same."""
    columns = {"said": ["yes", "no", "no"], "x": ["1.250", "1,5", 2.5], "y": [1.125, 2.0, 3.5]}
    WITH_TYPES[name](tmp_path / name, columns)
    read = table_columns(tmp_path / name, ["said"], used=["x", "y"], reading=GERMAN)
    assert (list(read["x"]), list(read["y"])) == ([1250.0, 1.5, 2.5], [1.125, 2.0, 3.5])
    counted = tally(YES_NO, tmp_path / name, "said", weights="y", reading=GERMAN)
    assert counted.weights.tolist() == [1.125, 5.5]
    if name == "t.jsonl":
        with pytest.raises(DocumentError, match=r"column 'x'.*numbers without quotes"):
            tally(YES_NO, tmp_path / name, "said", weights="x", reading=GERMAN)
    else:
        counted = tally(YES_NO, tmp_path / name, "said", weights="x", reading=GERMAN)
        assert counted.weights.tolist() == [1250.0, 4.0]
    with pytest.raises(DocumentError, match=r"'1,5' .*--decimal"):
        table_columns(tmp_path / name, ["said"], used=["x"])


def test_marks_of_numbers_hold_for_texts_beside_typed_columns(tmp_path: Path) -> None:
    frame = pd.DataFrame({"said": ["yes", "no"], "x": ["1.250", "2,5"], "y": [1.125, 2.0]})
    frame.to_parquet(tmp_path / "t.parquet")
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"))
    for name in ("t.parquet", "t.sav"):
        read = table_columns(tmp_path / name, ["said"], used=["x", "y"], reading=GERMAN)
        assert (list(read["x"]), list(read["y"])) == ([1250.0, 2.5], [1.125, 2.0])


ENDS = {"a decimal comma": '"1,5"', "a word": '"x"', "a list": "[1]", "a truth": "true"}
ENDS |= {"an underscore": '"1_0"'}


@pytest.mark.parametrize("situation", ENDS)
def test_an_end_that_is_no_number_is_named(situation: str, tmp_path: Path) -> None:
    """It was a traceback, or another number."""
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"lower": 1, "upper": 2}}\n{{"lower": {ENDS[situation]}, "upper": 30}}\n')
    with pytest.raises(DocumentError, match=r"t\.jsonl: column 'lower': .*in row 2"):
        ak.engines.count_ranges(path)
    if situation == "a decimal comma":
        ranges = ak.engines.count_ranges(path, reading=GERMAN)
        assert ranges.lower.tolist() == [1.0, 1.5]


@pytest.mark.parametrize(
    "cell", ["2026-01-31", "31.01.2026", "1/31/2026", "2026-01-31 10:30", "12:30"]
)
def test_dates_are_no_factor(cell: str, tmp_path: Path) -> None:
    """Each was a level; a data frame of dates was refused."""
    (tmp_path / "t.csv").write_text(f"said,x\nyes,{cell}\nno,\nno,{cell}\n")
    with pytest.raises(DocumentError, match=rf"dates or times, such as {cell}.*C\(x\)"):
        table_columns(tmp_path / "t.csv", ["said"], used=["x"])
    assert table_columns(tmp_path / "t.csv", ["said"])["x"] == [cell, None, cell]
    (tmp_path / "t.csv").write_text(f"said,x\nyes,{cell}\nno,never\n")
    assert table_columns(tmp_path / "t.csv", ["said"], used=["x"])["x"] == [cell, "never"]


@pytest.mark.filterwarnings("ignore::askance.engines.TableNote")
def test_texts_of_another_encoding_stay_two(tmp_path: Path) -> None:
    """Bytes that Windows-1252 does not have were one sign, and so were the groups."""
    (tmp_path / "t.csv").write_bytes(b"said,g\nyes,a\x81\nno,a\x8d\n")
    assert [*tally(YES_NO, tmp_path / "t.csv", "said", by="g")] == ["a\x81", "a\x8d"]
    assert table_columns(tmp_path / "t.csv", ["said"])["g"] == ["a\x81", "a\x8d"]


SHEETS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a number that is text": (
        lambda sheet: sheet.cell(3, 2, "40"),
        "has 1 number that is stored as text in column 'age', read as a number: row 3",
    ),
    "merged cells": (
        lambda sheet: sheet.merge_cells("B2:B3"),
        "has merged cells, whose value only the first of them holds: B2:B3",
    ),
    "a date among texts": (
        lambda sheet: [
            sheet.cell(2, 2, "1-2"),
            sheet.cell(3, 2, datetime.date(2026, 6, 3)),
            sheet.cell(4, 2, "7-9"),
        ],
        "has 1 date among the texts of column 'age': row 3",
    ),
    "a text that may be two numbers": (
        lambda sheet: [sheet.cell(row, 2, "1.250") for row in (2, 3, 4)],
        "has the text '1.250' in column 'age', which may be two numbers: --decimal . or",
    ),
}
"""What counted in silence: 1.250 as 1.25, 40 as a number, the second of merged cells as missing."""


@pytest.mark.parametrize("situation", SHEETS)
def test_what_nobody_expects_of_a_sheet_is_said(situation: str, tmp_path: Path) -> None:
    change, note = SHEETS[situation]
    book = openpyxl.Workbook()
    for row in (["said", "age"], ["yes", 1], ["no", 2], ["no", 3]):
        book.active.append(row)
    change(book.active)
    book.save(tmp_path / "t.xlsx")
    with pytest.warns(TableNote, match=re.escape(note)):
        table_columns(tmp_path / "t.xlsx")
    for said in (estimate(tmp_path / "t.xlsx").stderr, run("look", tmp_path / "t.xlsx").stdout):
        assert " ".join(said.split()).count(note) == 1


def test_a_look_names_labelled_codes_that_are_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"said": ["yes", "no", "no"], "age": [31.0, 40.0, 99.0]})
    labels: Any = {"age": {99: "refused"}}
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"), variable_value_labels=labels)
    said = " ".join(run("look", tmp_path / "t.sav").stdout.split())
    assert "age: 99 is labelled 'refused', and counts as the number 99" in said
    assert '--missing-codes "age=99"' in said


def test_groups_that_look_alike_in_two_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("said,g\nyes,1\nno,x\n")
    pq.write_table(pa.table({"said": ["yes", "no"], "g": [1, 2]}), tmp_path / "b.parquet")
    for verb in ("estimate", "compare"):
        words = ("--mechanism", "warner:truth=3/4", "--column", "said", "--by", "g")
        with pytest.raises(InputError, match="look alike"):
            run(verb, *words, tmp_path / "a.csv", tmp_path / "b.parquet")


def test_bytes_of_parquet_are_text_in_every_verb(tmp_path: Path) -> None:
    said, town = [b"yes", b"no", b"no"], ["Köln".encode(), b"a", b"a"]
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"said": said, "town": town}), path)
    assert tally(YES_NO, path, "said").counts.tolist() == [1, 2]
    assert [*tally(YES_NO, path, "said", by="town")] == ["Köln", "a"]
    assert table_columns(path, ["said"])["town"] == ["Köln", "a", "a"]
    pq.write_table(pa.table({"said": ["yes"], "town": [b"\xff"]}), path)
    for read in (lambda: tally(YES_NO, path, "said", by="town"), lambda: table_columns(path)):
        with pytest.raises(DocumentError, match="no UTF-8"):
            read()
    at_hand = pd.DataFrame({"said": ["yes"], "town": [b"a"]})
    with pytest.raises(InputError, match="decode"):
        tally(YES_NO, at_hand, "said", by="town")


def test_numbers_of_32_bits_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    w = pa.array([0.1, 0.7, 0.2], pa.float32())
    pq.write_table(pa.table({"said": ["yes", "no", "no"], "w": w}), path)
    assert tally(YES_NO, path, "said", weights="w").weights.tolist() == [0.1, 0.7 + 0.2]
    assert [*tally(YES_NO, path, "said", by="w")] == [0.1, 0.2, 0.7]
    assert table_columns(path, ["said"])["w"] == [0.1, 0.7, 0.2]
    (_, column) = json.loads(run("look", path, "--json").stdout)["columns"]
    assert "32 bits" in " ".join(column["notes"])
    frame = pd.DataFrame({"said": ["yes", "no"], "w": [0.1, 0.7]}).astype({"w": "float32"})
    frame.to_stata(tmp_path / "t.dta", write_index=False)
    assert table_columns(tmp_path / "t.dta", ["said"])["w"] == [0.1, 0.7]
    weighted = tally(YES_NO, tmp_path / "t.dta", "said", weights="w")
    assert weighted.weights.tolist() == [0.1, 0.7]


def test_standard_input_is_named(tmp_path: Path) -> None:
    for content in ("said,g\nyes\n", "said\nmaybe\n", "", '{"said":1}\nx', "PAR1"):
        for verb in (["look"], ["estimate", "--mechanism", "warner:truth=3/4"]):
            read = CliRunner().invoke(verbs, [*verb, "-"], input=content)
            said = f"{read.stdout}{read.exception}"
            assert "stdin" in said, content
            assert "/" not in said.partition(";")[0].partition("NA")[0], said


def test_hidden_rows_and_columns_are_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["said", "age"], ["yes", 1], ["no", 2], ["no", 3]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = sheet.row_dimensions[99].hidden = True
    sheet.column_dimensions["B"].hidden = True
    book.save(tmp_path / "t.xlsx")
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = "".join(
        f"<table:table-row{hidden}>{cell.format(said)}</table:table-row>"
        for said, hidden in (
            ("said", ""),
            ("yes", ""),
            ("no", ' table:visibility="filter"'),
            ("no", ""),
        )
    )
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f"<office:document-content{spaces}><office:body><office:spreadsheet>"
        '<table:table table:name="s">'
        f'<table:table-column table:visibility="collapse"/>{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    for name in ("t.xlsx", "t.ods"):
        for read in (table_columns, lambda path: tally(YES_NO, path, "said")):
            with pytest.warns(TableNote) as warned:
                read(tmp_path / name)
            notes = {str(warning.message): warning.filename for warning in warned}
            assert {*notes.values()} == {__file__}
            hidden_row, hidden_column = notes
            assert "has 1 hidden or filtered row, read like the others: 3" in hidden_row
            assert "has 1 hidden column, read like the others" in hidden_column
        for heard in (estimate(tmp_path / name).stderr, run("look", tmp_path / name).stdout):
            assert "1 hidden or filtered row, read like the others: 3" in " ".join(heard.split())
            assert "1 hidden column, read like the others" in " ".join(heard.split())
