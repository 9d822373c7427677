"""Damaged files of each kind are refused in words of our own, which name the file and the place."""

import gzip
import io
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

import askance as ak
from askance.engines import table_columns, tally
from askance_collect.errors import DocumentError, InputError

YES_NO = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
TABLE = pd.DataFrame({"said": ["yes", "no", "", "no"] * 50, "age": [31.5, 40.0, 7.0, 12.0] * 50})
TEXT = TABLE.to_csv(index=False).encode()
LINES = TABLE.to_json(orient="records", lines=True).encode()
PACKED = gzip.compress(TEXT)
ENGINES = (
    *("Error:", "Exception", "codec can't", "magic bytes", "Traceback", "Unable to", "char 0"),
    *("Expecting", "zlib", "end-of-stream", "CRC", "list index", "TProtocol", "Invalid "),
)


@cache
def whole(ends: str) -> bytes:
    """A whole file of a kind."""
    write: Mapping[str, Callable[[str], Any]] = {
        "parquet": lambda path: TABLE.to_parquet(path, index=False),
        "xlsx": lambda path: TABLE.to_excel(path, index=False),
        "ods": lambda path: TABLE.to_excel(path, index=False, engine="odf"),
        "sav": lambda path: pyreadstat.write_sav(TABLE, path),
        "zsav": lambda path: pyreadstat.write_sav(TABLE, path, compress=True),
        "dta": lambda path: pyreadstat.write_dta(TABLE, path),
    }
    with TemporaryDirectory() as folder:
        path = Path(folder, f"t.{ends}")
        write[ends](str(path))
        return path.read_bytes()


def without(ends: str, part: str, instead: bytes | None = None) -> bytes:
    """A workbook that lacks a part, or has something else in its place."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole(ends))) as book, zipfile.ZipFile(out, "w") as damaged:
        for name in book.namelist():
            if name != part or instead is not None:
                damaged.writestr(name, instead if name == part and instead else book.read(name))
    return out.getvalue()


def with_error() -> bytes:
    """The content of an .ods file in which a cell holds an error."""
    with zipfile.ZipFile(io.BytesIO(whole("ods"))) as book:
        content = book.read("content.xml")
    error = b' calcext:value-type="error"><text:p>#DIV/0!'
    return content.replace(b"><text:p>yes", error, 1)


def sheet(*rows: list[Any]) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def twice() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table([pa.array(["yes"]), pa.array(["no"])], names=["said", "said"]), out)
    return out.getvalue()


_CUT = "damaged, cut off or of another kind"
DAMAGED: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "a compressed text that is cut": ("t.csv.gz", lambda: PACKED[:-30], _CUT),
    "a changed byte in it": (
        "t.csv.gz",
        lambda: PACKED[:60] + b"\x00\xff\x12" + PACKED[63:],
        _CUT,
    ),
    "a wrong sum at its end": ("t.csv.gz", lambda: PACKED[:-8] + b"wrong!!!", _CUT),
    "something behind its end": ("t.csv.gz", lambda: PACKED + b"and more", _CUT),
    "a text that is not compressed": ("t.csv.gz", lambda: TEXT, _CUT),
    "compressed lines that are cut": ("t.jsonl.gz", lambda: gzip.compress(LINES)[:-20], _CUT),
    "lines that are not compressed": ("t.jsonl.gz", lambda: LINES, _CUT),
    "nothing compressed": ("t.csv.gz", lambda: gzip.compress(b""), "an empty file"),
    "two headers": (
        "t.csv",
        lambda: TEXT + TEXT,
        r"row 202: got 'the header once more'.*one by one",
    ),
    "a title above the header": ("t.csv", lambda: b"A study\n" + TEXT, r"\bA study\b|row 2"),
    "a header without names": ("t.csv", lambda: b",,\nyes,1,2\n", "a header without names"),
    "two encodings": (
        "t.csv",
        lambda: "said,age\ngrößer,1\n".encode() + "größer,2\n".encode("latin-1"),
        "line 3: got 'bytes that are not UTF-8, while line 2 is UTF-8'.*--encoding latin-1",
    ),
    "a byte of 0": ("t.csv", lambda: TEXT.replace(b"no", b"n\0", 1), "line 3: got 'a byte of 0"),
    "UTF-32": ("t.csv", lambda: TEXT.decode().encode("utf-32"), "line 1: got 'a byte of 0"),
    "half of UTF-16": ("t.csv", lambda: TEXT.decode().encode("utf-16")[:-1], "no text in this"),
    "a workbook's bytes": ("t.csv", lambda: whole("xlsx"), "a byte of 0"),
    "columns of one name": ("t.csv", lambda: b"said,said\nyes,no\n", "two columns 'said'"),
    "a ragged row": ("t.csv", lambda: TEXT + b"yes\n", "row 202: got '1 cell'"),
    "a quote that never ends": ("t.csv", lambda: TEXT + b'"yes,1\n', "row 202.*never ends"),
    "no footer": ("t.parquet", lambda: whole("parquet")[:-8], _CUT),
    "no beginning": ("t.parquet", lambda: whole("parquet")[4:], _CUT),
    "a changed page": (
        "t.parquet",
        lambda: whole("parquet")[:60] + b"\xff" * 40 + whole("parquet")[100:],
        _CUT,
    ),
    "no Parquet": ("t.parquet", lambda: TEXT, _CUT),
    "nothing": ("t.parquet", lambda: b"", _CUT),
    "two columns of Parquet": ("t.parquet", twice, "two columns 'said', the columns 1 and 2"),
    "a cut workbook": ("t.xlsx", lambda: whole("xlsx")[:-200], "damaged"),
    "no workbook": ("t.xlsx", lambda: TEXT, "damaged"),
    "a workbook without its sheet": (
        "t.xlsx",
        lambda: without("xlsx", "xl/worksheets/sheet1.xml"),
        "damaged",
    ),
    "a workbook without a list of sheets": (
        "t.xlsx",
        lambda: without("xlsx", "xl/workbook.xml"),
        "a workbook without a sheet|damaged",
    ),
    "half a sheet": (
        "t.xlsx",
        lambda: without("xlsx", "xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row><c"),
        "damaged",
    ),
    "an empty sheet": ("t.xlsx", sheet, "sheet 'Sheet': got 'nothing'"),
    "a title above the sheet's header": (
        "t.xlsx",
        lambda: sheet(["A study"], ["said", "age"], ["yes", 1]),
        "row 2: got 'a cell beside the table'.*above the header",
    ),
    "a formula without a value": (
        "t.xlsx",
        lambda: sheet(["said", "age"], ["=A1", 1], ["yes", 2]),
        "row 2, column 'said': got '=A1'",
    ),
    "an error of Excel": (
        "t.xlsx",
        lambda: sheet(["said", "age"], ["yes", 1], ["#N/A", 2]),
        "row 3, column 'said': got '#N/A'",
    ),
    "columns of one name in a sheet": (
        "t.xlsx",
        lambda: sheet(["said", "said"], ["yes", "no"]),
        "two columns 'said'",
    ),
    "a cut .ods": ("t.ods", lambda: whole("ods")[:-200], "damaged"),
    "an .ods without content": ("t.ods", lambda: without("ods", "content.xml"), "damaged"),
    "an .ods of other content": (
        "t.ods",
        lambda: without("ods", "content.xml", b"<a><b>"),
        "a workbook without a sheet",
    ),
    "an error of Calc": (
        "t.ods",
        lambda: without("ods", "content.xml", with_error()),
        "the error #DIV/0!",
    ),
    "a cut .sav": ("t.sav", lambda: whole("sav")[:-100], _CUT),
    "the head of a .sav": ("t.sav", lambda: whole("sav")[:100], _CUT),
    "a cut .zsav": ("t.zsav", lambda: whole("zsav")[:-30], _CUT),
    "no .sav": ("t.sav", lambda: TEXT, _CUT),
    "a cut .dta": ("t.dta", lambda: whole("dta")[:-100], _CUT),
    "no .dta": ("t.dta", lambda: TEXT, _CUT),
    "half a line": ("t.jsonl", lambda: LINES[:-20], "line 200: allowed: one JSON object"),
    "a key twice": ("t.jsonl", lambda: b'{"said":"yes","said":"no"}\n', "line 1.*each key once"),
    "half of a pair of escapes": ("t.jsonl", lambda: b'{"said":"\\ud800"}\n', "line 1"),
    "lines of Latin-1": ("t.jsonl", lambda: '{"said":"ö"}\n'.encode("latin-1"), "line 1"),
    "deep lines": ("t.jsonl", lambda: b'{"said":' + b"[" * 10**5 + b"]" * 10**5 + b"}\n", "line 1"),
    "half of an array": ("t.json", lambda: b'[{"said":"yes"},{"sai', "line 1, column 18"),
    "a deep array": ("t.json", lambda: b"[" * 10**5, "nested too deeply"),
    "an array of texts": ("t.json", lambda: b'["yes"]', "result 1"),
}


@pytest.mark.parametrize("situation", DAMAGED)
def test_what_is_damaged_is_refused_in_our_words(situation: str, tmp_path: Path) -> None:
    name, content, message = DAMAGED[situation]
    path = tmp_path / name
    path.write_bytes(content())
    with pytest.raises((DocumentError, InputError), match=message) as caught:
        tally(YES_NO, path, "said")
    said = str(caught.value)
    assert name in said
    for word in ENGINES:
        assert word not in said


WHOLE: dict[str, tuple[str, bytes]] = {
    "a byte-order mark before lines": ("t.jsonl", b"\xef\xbb\xbf" + LINES),
    "empty lines": ("t.jsonl", LINES.replace(b"\n", b"\n\n", 3)),
    "line ends of three kinds": (
        "t.csv",
        TEXT.replace(b"\n", b"\r\n", 3).removesuffix(b"\n") + b"\r",
    ),
}


@pytest.mark.parametrize("situation", WHOLE)
def test_what_only_looks_damaged_is_read(situation: str, tmp_path: Path) -> None:
    name, content = WHOLE[situation]
    path = tmp_path / name
    path.write_bytes(content)
    counted = tally(YES_NO, path, "said")
    assert (counted.counts.tolist(), counted.blanks) == ([50, 100], 50)
    assert len(table_columns(path, ["said"], used=["age"])["said"]) == 200
