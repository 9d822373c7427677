"""Read a table's text into values by a *reading*, decided once and kept.

A reading says the encoding, the separator of cells, the decimal mark, the mark of thousands, which
codes are missing, what entries stand for, and the kind of each column. `decide_format` decides for
a file what a reading leaves open; whoever reads a table reads it through the same decision. As a
small TOML file a reading lies beside the data.
"""

import codecs
import csv
import gzip
import io
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TextIO, final

from askance.channels.written_values import (
    APOSTROPHES,
    LIKE_NUMBER,
    MARKS,
    MAYBE_THOUSANDS,
    SPACES,
    are_numbers,
    bare_number,
    find_unit,
    is_written_number,
    parse_number,
    write_plainly,
    written_forms,
)
from askance.engines.table_notes import warn_of_table
from askance.results import counted, is_missing
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, nearest, restate
from askance_collect.wire.canonical_json import describe_difference, fold
from askance_collect.wire.toml_text import load_toml

MISSING_CODES: Final = ("", "NA")
"""What a cell of text holds where there is no value: nothing, or what R writes."""

_SAMPLE = 1 << 18  # characters by which separator and marks of numbers are decided
_ROWS = 2_000
_SEPARATORS = ",;\t|"
_TRUTH = dict.fromkeys(("TRUE", "True", "true"), True)
_TRUTH |= dict.fromkeys(("FALSE", "False", "false"), False)
_ENCODINGS = ("utf-8", "utf-16", "latin-1")
_LISTED = 40  # odd entries in a message


@final
class ColumnKind(Enum):
    """What the cells of a column hold."""

    NUMBER = "number"
    TRUTH = "truth"
    NAME = "name"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReading:
    """How one column is read.

    Attributes
    ----------
    kind : ColumnKind or None
        None where the cells decide.
    missing : tuple of str
        Codes that are missing in this column, beside those of the table.
    recode : mapping of str to str
        What other entries stand for; an empty text stands for a missing value.
    """

    kind: ColumnKind | None = None
    missing: tuple[str, ...] = ()
    recode: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "recode", MappingProxyType(dict(self.recode)))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TableReading:
    r"""How a table is read; a setting of None is inferred from the file.

    Attributes
    ----------
    encoding : str or None
        ``utf-8``, ``utf-16`` or ``latin-1``, which is Windows-1252.
    separator : str or None
        What stands between cells.
    decimal, thousands : str or None
        The marks inside numbers; an empty text where thousands have no mark.
    sheet : str or None
        Of a workbook, the sheet; the first one otherwise.
    missing : tuple of str
        Codes that are missing in every column, beside nothing and ``NA``.
    recode : mapping of str to str
        What entries of reports stand for; an empty text stands for a blank.
    columns : mapping of str to ColumnReading

    Raises
    ------
    InputError
        If a mark or an encoding is none that is known.

    >>> from askance.engines import ColumnKind, ColumnReading, TableReading
    >>> town = ColumnReading(kind=ColumnKind.NAME)
    >>> reading = TableReading(decimal=",", missing=["99"], columns={"town": town})
    >>> print(reading.to_toml())
    decimal = ","
    missing = ["99"]
    <BLANKLINE>
    [columns."town"]
    kind = "name"
    <BLANKLINE>
    >>> TableReading.from_toml(reading.to_toml()) == reading
    True
    """

    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    recode: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, ColumnReading] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read what may be written as in TOML, and refuse marks that are none."""
        allowed = {
            "encoding": _ENCODINGS,
            "separator": (",", ";", "\t", "|"),
            "decimal": (".", ","),
            "thousands": ("", ".", ",", " ", "'"),
        }
        for name, choices in allowed.items():
            value = getattr(self, name)
            if value is not None and value not in choices:
                listed = ", ".join(json.dumps(choice) for choice in choices)
                raise InputError(f"reading.{name}", got=value, allowed=listed)
        if self.decimal is not None and self.decimal == self.thousands:
            raise InputError(
                "reading.thousands", got=self.thousands, allowed="another mark than the decimal's"
            )
        columns = {
            name: column if isinstance(column, ColumnReading) else _column(name, column)
            for name, column in _table(self.columns, "columns").items()
        }
        object.__setattr__(self, "missing", _texts(self.missing, "missing"))
        object.__setattr__(self, "recode", MappingProxyType(_recode(self.recode, "recode")))
        object.__setattr__(self, "columns", MappingProxyType(columns))

    def __hash__(self) -> int:
        return hash((self.encoding, self.separator, self.decimal, self.thousands, self.sheet))

    @classmethod
    @checked
    def from_toml(cls, text: str, where: str = "reading") -> "TableReading":
        """Read a reading that was written as TOML.

        Raises
        ------
        DocumentError
            If it is no TOML, or has a key that no reading has.
        """
        try:
            document = load_toml(text)
        except ValueError as error:
            raise DocumentError(where, got=str(error), allowed="a reading in TOML") from error
        _refuse_unknown(document, [spec.name for spec in fields(cls)], where)
        try:
            return cls(**document)
        except InputError as error:
            raise restate(error, f"{where}: {error.where}", DocumentError) from None

    @classmethod
    @checked
    def read(cls, path: Path) -> "TableReading":
        """Read a reading from its file.

        Raises
        ------
        DocumentError
            As `from_toml` does.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise DocumentError(str(path), got=str(error), allowed="a reading in TOML") from error
        return cls.from_toml(text, str(path))

    def to_toml(self) -> str:
        """Write the reading as TOML; a setting of None is omitted."""
        return write_reading(self)

    @property
    def decodes(self) -> bool:
        """Whether entries are recoded, or further codes are missing."""
        own = any(column.missing or column.recode for column in self.columns.values())
        return bool(self.missing or self.recode or own)


_OPEN = ColumnReading()


def missing_codes(names: Collection[str] = ()) -> list[str]:
    """List the cells that hold no value, in a column in which these names are values.

    >>> missing_codes(), missing_codes(["NA", "yes"])
    (['', 'NA'], [''])
    """
    return [code for code in MISSING_CODES if code not in names]


def write_reading(
    reading: TableReading, remarks: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> str:
    """Write a reading as TOML, with remarks on columns; a setting of None is omitted.

    >>> town = {"town": ColumnReading(kind=ColumnKind.NAME)}
    >>> print(write_reading(TableReading(columns=town), {"town": ["as in the register"]}).strip())
    [columns."town"]
    # as in the register
    kind = "name"
    """
    plain: dict[str, Any] = {spec.name: getattr(reading, spec.name) for spec in fields(reading)}
    columns = plain.pop("columns")
    lines = _toml_lines(plain)
    for name, column in columns.items():
        kind = None if column.kind is None else column.kind.value
        own = {"kind": kind, "missing": column.missing, "recode": column.recode}
        inner = [f"# {remark}" for remark in remarks.get(name, ())] + _toml_lines(own)
        if inner:
            lines += ["", f"[columns.{_toml(name)}]", *inner]
    return "\n".join([*lines, ""])


def decode_cell(
    reading: TableReading,
    column: str,
    cell: Any,
    names: Collection[str] = (),
    *,
    is_report: bool = False,
) -> Any:
    """Decode a cell: None where it is missing, and what an entry stands for.

    Parameters
    ----------
    reading : TableReading
    column : str
    cell : object
    names : collection of str
        What is a value in this column although it is missing elsewhere.
    is_report : bool
        Whether the entries of reports are decoded too.

    >>> reading = TableReading(recode={"1": "yes", "9": ""}, missing=["99"])
    >>> [decode_cell(reading, "q", cell, is_report=True) for cell in ("1", 1.0, "9", "NA", "99")]
    ['yes', 'yes', None, None, None]
    """
    if is_missing(cell):
        return None
    own = reading.columns.get(column, _OPEN)
    recode = own.recode or (reading.recode if is_report else None)
    if recode:
        for text in written_forms(cell):
            if text in recode:
                return recode[text] or None
    codes = {*reading.missing, *own.missing}
    if not isinstance(cell, str):
        return None if codes and not codes.isdisjoint(written_forms(cell)) else cell
    return None if cell in codes or cell in missing_codes(names) else cell


def refuse_unknown_columns(reading: TableReading, header: Sequence[str], where: str) -> None:
    """Make sure that a table has every column that is read in its own way.

    Raises
    ------
    DocumentError
        With the first that it has not.
    """
    for name in reading.columns:
        if name not in header:
            raise DocumentError(
                where,
                got=f"no column {name!r}, which the reading names",
                allowed=f"one of {', '.join(header[:20])}",
                remedy=nearest(name, tuple(header)),
            )


def _column(name: str, written: Any) -> ColumnReading:
    where = f"columns.{name}"
    written = _table(written, where)
    _refuse_unknown(written, ["kind", "missing", "recode"], f"reading.{where}")
    kind = written.get("kind")
    kinds = [kind.value for kind in ColumnKind]
    if kind is not None and kind not in kinds:
        raise InputError(f"reading.{where}.kind", got=kind, allowed=", ".join(kinds))
    return ColumnReading(
        kind=None if kind is None else ColumnKind(kind),
        missing=_texts(written.get("missing", ()), f"{where}.missing"),
        recode=_recode(written.get("recode", {}), f"{where}.recode"),
    )


def _refuse_unknown(written: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in written:
        if name not in known:
            remedy = nearest(name, tuple(known))
            raise DocumentError(where, got=name, allowed=", ".join(known), remedy=remedy)


def _table(written: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(written, Mapping):
        raise InputError(f"reading.{where}", got=written, allowed="a table of columns")
    return written


def _texts(written: Any, where: str) -> tuple[str, ...]:
    if not isinstance(written, list | tuple) or not all(isinstance(c, str) for c in written):
        raise InputError(f"reading.{where}", got=written, allowed='a list of texts: ["99", "?"]')
    return tuple(written)


def _recode(written: Any, where: str) -> dict[str, str]:
    table = _table(written, where)
    if not all(isinstance(text, str) for pair in table.items() for text in pair):
        raise InputError(f"reading.{where}", got=dict(table), allowed='texts: { 1 = "yes" }')
    return dict(table)


def _toml_lines(values: Mapping[str, Any]) -> list[str]:
    """Write keys and values, but those that say nothing."""
    return [
        f"{name} = {_toml(value)}"
        for name, value in values.items()
        if value is not None and (value or name == "thousands")
    ]


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_toml(k)} = {_toml(v)}' for k, v in value.items())} }}"
    return f"[{', '.join(map(_toml, value))}]"


AUTOMATIC: Final = TableReading()
"""Everything is decided by what is in the file."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat:
    """How the text of one file is written.

    Attributes
    ----------
    encoding, separator, decimal, thousands : str
    skip : int
        Lines above the header, such as ``sep=;``.
    ambiguous : str
        A number that may be two, such as 1.234 beside semicolons; empty where none is.
    """

    encoding: str = "utf-8"
    separator: str = ","
    decimal: str = "."
    thousands: str = ""
    skip: int = 0
    ambiguous: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether an engine reads it as it is: UTF-8, with points in numbers."""
        return self.encoding == "utf-8" and (self.decimal, self.thousands) == (".", "")

    @property
    def notes(self) -> tuple[str, ...]:
        """What somebody should hear of how the file is read."""
        latin = "is not UTF-8 and was read as Latin-1 (Windows-1252)"
        return (latin,) if self.encoding == "latin-1" else ()

    def parse_number(self, cell: str) -> float | None:
        """Read a number; None for NaN.

        Raises
        ------
        ValueError
            If it is none, has a mark in the wrong place, or may be two.

        >>> TextFormat(decimal=",", thousands=".").parse_number("1.234,5")
        1234.5
        """
        text = cell.strip()
        if self.ambiguous and MAYBE_THOUSANDS.fullmatch(text):
            raise ValueError(cell)
        number = parse_number(text, self.decimal, self.thousands)
        return None if math.isnan(number) else number

    def plain_number(self, cell: str) -> str:
        """Write a number with a point and without marks of thousands; other text stays as it is.

        >>> TextFormat(decimal=",", thousands=".").plain_number("1.234,5")
        '1234.5'
        """
        if (self.decimal, self.thousands) == (".", "") and not self.ambiguous:
            return cell
        try:
            self.parse_number(cell)
        except ValueError:
            return cell
        return write_plainly(cell.strip(), self.decimal, self.thousands)

    def write_number(self, text: str) -> str:
        """Write a number that has a point with the decimal mark of this format.

        >>> TextFormat(decimal=",").write_number("1.5")
        '1,5'
        """
        return text.replace(".", self.decimal) if self.decimal != "." else text


PLAIN = TextFormat()
"""Points in numbers, and no mark of thousands: as files that are no text have them."""


def format_of_texts(reading: TableReading) -> TextFormat:
    """Give the format of numbers that are texts in files that are no text, such as workbooks.

    >>> format_of_texts(TableReading(decimal=",")).parse_number("1,5")
    1.5
    """
    thousands = reading.thousands or ""
    decimal = reading.decimal or ("," if thousands == "." else ".")
    return TextFormat(decimal=decimal, thousands=thousands)


def decide_format(path: Path, reading: TableReading = AUTOMATIC) -> TextFormat:
    r"""Decide how the text of a file is written, where a reading does not say it.

    The encoding is decided by all bytes: a byte-order mark, then UTF-8, then Latin-1. The separator
    and the marks in numbers are decided by the first rows; a later cell that does not fit is
    refused, and is never read otherwise.

    Raises
    ------
    DocumentError
        If there is no such file, or it is empty.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("tea;sum\nyes;1,5\nno;1.000,25\n", encoding="utf-16")
    ...     decided = decide_format(table)
    >>> decided.encoding, decided.separator, decided.decimal, decided.thousands
    ('utf-16', ';', ',', '.')
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise DocumentError(str(path), got="no such file", allowed="a table") from error
    form = _decide_format(path, stat.st_mtime_ns, stat.st_size, reading)
    if form.notes and not reading.encoding:
        warn_of_table(path, form.notes)
    return form


@lru_cache(64)
def _decide_format(path: Path, _changed: int, size: int, reading: TableReading) -> TextFormat:
    if not size:
        raise DocumentError(str(path), got="an empty file", allowed="a table with a header")
    with whole_text(path):
        form = TextFormat(encoding=reading.encoding or _decide_encoding(path))
        with _open(path, form.encoding) as file:
            sample = file.read(_SAMPLE)
    if "\0" in sample:
        raise _binary(path, sample.count("\n", 0, sample.index("\0")) + 1)
    is_part = len(sample) == _SAMPLE
    if is_part:
        sample = sample[: sample.rfind("\n") + 1] or sample
    stated = re.match(r"sep=(.)\r?\n", sample)
    if stated:
        form = replace(form, skip=1)
        sample = sample[stated.end() :]
    separator = reading.separator or (stated[1] if stated else _decide_separator(sample, path))
    form = replace(form, separator=separator)
    rows = list(_sample_rows(sample, separator))[1:]
    form = _decide_marks(form, rows, reading)
    is_open = reading.decimal is None and reading.thousands is None and separator != ","
    if is_open and (is_part or len(rows) >= _ROWS - 1) and not any(map(_has_mark, rows)):
        form = replace(form, ambiguous=_find_late_mark(path, form))
    return form


def _has_mark(row: Sequence[str]) -> bool:
    return any(LIKE_NUMBER.fullmatch(cell) and ("." in cell or "," in cell) for cell in row)


def _find_late_mark(path: Path, form: TextFormat) -> str:
    """Find a number that may be two below the rows by which marks are decided; empty without."""
    between = f'[{re.escape(form.separator)}\r\n"]'
    late = re.compile(f"{between}({MAYBE_THOUSANDS.pattern})(?={between})")
    with whole_text(path), _open(path, form.encoding) as file:
        rest = ""
        while part := file.read(_SAMPLE):
            if match := late.search(rest + part):
                return match[1]
            rest = part[-20:]
    return ""


def _decide_encoding(path: Path) -> str:
    if _begins_with_mark(path):
        return "utf-16"
    with open_bytes(path) as file:
        first = file.read(4)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(first)
            while part := file.read(1 << 20):
                decoder.decode(part)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            _refuse_two_encodings(path)
            return "latin-1"
    return "utf-16" if first[1::2] == b"\0\0" else "utf-8"


def _refuse_two_encodings(path: Path) -> None:
    """Refuse a file that mixes lines of UTF-8 with lines of another encoding."""
    lines: dict[bool, int] = {}
    with open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            if line.isascii():
                continue
            try:
                line.decode("utf-8")
                is_unicode = True
            except UnicodeDecodeError:
                is_unicode = False
            lines.setdefault(is_unicode, number)
            if len(lines) > 1:
                raise DocumentError(
                    f"{path}: line {lines[False]}",
                    got=f"bytes that are not UTF-8, while line {lines[True]} is UTF-8",
                    allowed="one encoding in the whole file",
                    remedy="save each part as UTF-8 first; or take all for one: --encoding latin-1",
                )


def open_bytes(path: Path) -> Any:
    """Open a file that may be compressed, as bytes."""
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")


@contextmanager
def whole_text(where: str | Path) -> Iterator[None]:
    """Say in words of our own that a file cannot be read to its end.

    Raises
    ------
    DocumentError
        If it is damaged, cut off or no text.
    """
    try:
        yield
    except UnicodeError as error:
        raise DocumentError(
            str(where),
            got="bytes that are no text in this encoding",
            allowed=f"one encoding: {', '.join(_ENCODINGS)}",
            remedy="name it: --encoding latin-1",
        ) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DocumentError(
            str(where),
            got="a compressed file that is damaged, cut off or of another kind",
            allowed="a whole file, as gzip writes it",
        ) from error
    except OSError as error:
        raise DocumentError(str(where), got=error.strerror, allowed="a file to read") from error


_SIGNATURES = {
    b"PK\x03\x04": "as a workbook or a .zip does: name it .xlsx or .ods, or unpack it",
    b"\x1f\x8b": "as a compressed file does: name it .csv.gz",
    b"PAR1": "as Parquet does: name it .parquet",
    b"$FL": "as a file of SPSS does: name it .sav",
    b"\xd0\xcf\x11\xe0": "as a workbook of old does: save it as .xlsx",
}
"""How files of other kinds begin, and what to do."""


def _binary(path: Path, line: int) -> DocumentError:
    with path.open("rb") as file:
        begins = file.read(4)
    kinds = (remedy for mark, remedy in _SIGNATURES.items() if begins.startswith(mark))
    kind = None if path.suffix.lower() == ".gz" else next(kinds, None)
    return DocumentError(
        f"{path}: line {line}",
        got="a byte of 0, which no text has",
        allowed=f"a table of text: {', '.join(_ENCODINGS)}",
        remedy="the file is damaged, or of another kind, as UTF-32 is: export it again"
        if kind is None
        else f"the file begins {kind}",
    )


_AS_LATIN_1 = "askance_latin_1"


def _decode_as_latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)  # nothing is encoded so
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_AS_LATIN_1, _decode_as_latin_1)


def _open(path: Path, encoding: str) -> TextIO:
    names = {"utf-8": "utf-8-sig", "latin-1": "cp1252"}
    if encoding == "utf-16" and not _begins_with_mark(path):
        encoding = "utf-16-le"
    # what Windows-1252 leaves open are signs of Latin-1, so that no two texts become one
    errors = _AS_LATIN_1 if encoding == "latin-1" else "strict"
    return io.TextIOWrapper(
        open_bytes(path), encoding=names.get(encoding, encoding), errors=errors, newline=""
    )


def _begins_with_mark(path: Path) -> bool:
    with open_bytes(path) as file:
        return bool(file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _sample_rows(sample: str, separator: str) -> Iterator[list[str]]:
    rows = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
    with suppress(csv.Error):
        yield from islice((row for row in rows if row), _ROWS)


def _decide_separator(sample: str, path: Path) -> str:
    """Choose the separator that splits all rows into equally many cells, and into the most."""
    preferred = "\t" if ".tsv" in path.suffixes else ","

    def fit(separator: str) -> tuple[bool, float, bool, int]:
        widths = [len(row) for row in _sample_rows(sample, separator)]
        header = widths[0] if widths else 0
        same = sum(width == header for width in widths) / max(len(widths), 1)
        return header > 1, same, separator == preferred, header

    best = max(_SEPARATORS, key=fit)
    return best if fit(best)[0] else ","


def _decide_marks(
    form: TextFormat, rows: Sequence[Sequence[str]], reading: TableReading
) -> TextFormat:
    """Choose the decimal and thousands marks by which most columns hold only numbers."""
    if reading.decimal is not None or reading.thousands is not None:
        thousands = reading.thousands or ""
        decimal = reading.decimal or ("," if thousands == "." else ".")
        return replace(form, decimal=decimal, thousands=thousands)
    width = max(map(len, rows), default=0)
    columns = []
    for i in range(width):
        cells = {row[i].strip() for row in rows if len(row) > i}
        if like := {cell for cell in cells if LIKE_NUMBER.fullmatch(cell)}:
            columns.append(like)
    # beside commas a comma inside a number may be either mark: nobody decides that unasked
    marks = MARKS[:1] if form.separator == "," else MARKS
    scores = [sum(are_numbers(cells, *pair) for cells in columns) for pair in marks]
    decimal, thousands = marks[scores.index(max(scores, default=0))]
    form = replace(form, decimal=decimal, thousands=thousands)
    marked = [cell for cells in columns for cell in cells if decimal in cell]
    doubtful = form.separator != "," and not thousands and marked
    if doubtful and all(map(MAYBE_THOUSANDS.fullmatch, marked)):
        return replace(form, ambiguous=min(marked))
    return form


@contextmanager
def open_rows(path: Path, form: TextFormat) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Read a table of text row by row, each with its number: the header first.

    A line with nothing on it is no row; in a table of one column it is an empty cell.

    Raises
    ------
    DocumentError
        If a row has another number of cells than the header, or quotes do not match.
    """
    with _open(path, form.encoding) as file:
        reader = csv.reader(file, delimiter=form.separator, strict=True)
        with whole_text(path):
            yield _numbered_rows(reader, path, form.skip)


def _numbered_rows(reader: Any, path: Path, skip: int) -> Iterator[tuple[int, list[str]]]:
    header: list[str] = []
    number = 0
    try:
        for number, row in enumerate(reader, start=1):
            if number <= skip or (not row and len(header) != 1):
                continue
            cells = row or [""]
            if cells == header and len(header) > 1:
                raise DocumentError(
                    f"{path}: row {number}",
                    got="the header once more",
                    allowed="one header, in the first row",
                    remedy="give files that were joined one by one",
                )
            header = header or cells
            check_width(cells, header, f"{path}: row {number}")
            yield number, cells
    except csv.Error as error:
        fault, allowed = _describe_fault(str(error))
        where = f"{path}: row {number + 1}, line {reader.line_num}"
        raise DocumentError(where, got=fault, allowed=allowed) from error


def _describe_fault(fault: str) -> tuple[str, str]:
    """Word a fault of the csv module, which has no other sign than its message, and the remedy."""
    if "limit" in fault:
        allowed = f"cells of at most {csv.field_size_limit():,} characters"
        return "a cell that is too long", allowed
    allowed = 'a cell in quotes ends with a quote; a quote inside it is doubled: "" '
    is_open = "end of data" in fault
    return "a quote that never ends" if is_open else "a quote in the middle of a cell", allowed


def check_width(row: Sequence[str], header: Sequence[str], where: str) -> None:
    """Refuse a row that has not as many cells as the header."""
    if len(row) != len(header):
        remedy = ""
        if len(header) == 1 < len(row):
            remedy = "delete what stands above the header"
        elif not any(row[len(header) :]) and len(row) > len(header):
            remedy = "delete the separator at the end of rows, or end the header with one, too"
        raise DocumentError(
            where,
            got=counted(len(row), "cell"),
            allowed=counted(len(header), "cell"),
            remedy=remedy,
        )


def refuse_repeated_columns(header: Sequence[str], where: str) -> None:
    """Refuse a table with two columns of one name.

    Raises
    ------
    DocumentError
        With the name, and where both stand.
    """
    repeated = [name for name, times in Counter(header).items() if name and times > 1]
    if repeated:
        places = [str(i) for i, name in enumerate(header, 1) if name == repeated[0]]
        raise DocumentError(
            f"{where}: row 1",
            got=f"two columns {repeated[0]!r}, the columns {' and '.join(places)}",
            allowed="one each",
        )


@final
@dataclass(frozen=True, slots=True)
class OddEntry:
    """An entry that does not fit the kind of its column.

    Attributes
    ----------
    entry : str
    count : int
        How often it stands there.
    row : int
        The number of the row in which it stands first.
    """

    entry: str
    count: int
    row: int

    def __str__(self) -> str:
        """Say what, how often, and where first."""
        where = f"in row {self.row}"
        times = where if self.count == 1 else f"{self.count:,} times, first {where}"
        return f"{self.entry!r} ({times})"


@final
@dataclass(frozen=True, slots=True)
class ReadColumn:
    """The cells of a column with what they mean.

    Attributes
    ----------
    kind : ColumnKind
    values : list
        Numbers, truth values or names; None where a value is missing.
    odd : tuple of OddEntry
        Where some cells are numbers and some are not: those that are not.
    """

    kind: ColumnKind
    values: list[Any]
    odd: tuple[OddEntry, ...] = ()


def read_column(
    cells: Sequence[str],
    name: str = "",
    reading: TableReading = AUTOMATIC,
    form: TextFormat = PLAIN,
    *,
    rows: Sequence[int] | None = None,
    is_identifier: bool = False,
) -> ReadColumn:
    """Read a column as numbers or truth values if it holds nothing else, else as names.

    Identifiers of rows are names too where two of them are one number.

    >>> read_column(["1", "NA", ""]).values, read_column(["TRUE", "FALSE"]).values
    ([1.0, None, None], [True, False])
    >>> read_column(["1", "refused", "2", "refused"])
    ReadColumn(kind=<ColumnKind.NAME: 'name'>, values=['1', 'refused', '2', 'refused'], odd=(...))
    >>> str(_.odd[0])
    "'refused' (2 times, first in row 3)"
    """
    own = reading.columns.get(name)
    kind = None if own is None else own.kind
    if kind in (None, ColumnKind.NUMBER) and not is_identifier and not reading.decodes:
        numbers = _plain_numbers(cells, form)
        if numbers is not None:
            return ReadColumn(ColumnKind.NUMBER, numbers)
    names = _read_names(cells, name, reading)
    present = {cell for cell in names if cell is not None}
    if kind is ColumnKind.NAME or (not present and kind is None):
        return ReadColumn(ColumnKind.NAME if present else ColumnKind.NUMBER, names)
    if present and present <= {*_TRUTH} and kind in (None, ColumnKind.TRUTH):
        truths = [None if cell is None else _TRUTH[cell] for cell in names]
        return ReadColumn(ColumnKind.TRUTH, truths)
    numbers_by_cell: dict[str | None, float | None] = {None: None}
    for cell in present:
        with suppress(ValueError):
            numbers_by_cell[cell] = form.parse_number(cell)
    odd_cells = present - numbers_by_cell.keys()
    if is_identifier and (odd_cells or len({*numbers_by_cell.values()}) < len(numbers_by_cell)):
        return ReadColumn(ColumnKind.NAME, names)
    if not odd_cells:
        return ReadColumn(ColumnKind.NUMBER, [numbers_by_cell[cell] for cell in names])
    is_written = any(map(is_written_number, odd_cells)) or bool(find_unit(odd_cells))
    is_mixed = kind or len(numbers_by_cell) > 1 or is_written
    return ReadColumn(ColumnKind.NAME, names, find_odd(names, odd_cells, rows) if is_mixed else ())


def _plain_numbers(cells: Sequence[str], form: TextFormat) -> list[Any] | None:
    """Read numbers without a hole, as most columns are; None where there is anything else."""
    if (form.decimal, form.thousands) != (".", "") or form.ambiguous:
        return None
    try:
        numbers = list(map(float, cells))
    except ValueError:
        return None
    return None if math.isnan(sum(numbers)) or "_" in ",".join(cells) else numbers


def _read_names(cells: Sequence[str], name: str, reading: TableReading) -> list[str | None]:
    if not reading.decodes:
        return [None if cell in MISSING_CODES else cell for cell in cells]
    decoded = {cell: decode_cell(reading, name, cell) for cell in {*cells}}
    return [decoded[cell] for cell in cells]


def find_odd(
    names: Sequence[Any], odd_cells: Collection[Any], rows: Sequence[int] | None = None
) -> tuple[OddEntry, ...]:
    """Count odd cells, in the order in which they come, with the row where each stands first."""
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for i, cell in enumerate(names):
        if cell in odd_cells and cell is not None:
            counts[cell] += 1
            first.setdefault(cell, rows[i] if rows is not None else i + 2)
    return tuple(OddEntry(cell, counts[cell], first[cell]) for cell in first)


def find_look_alike(entry: str, names: Collection[str]) -> str:
    r"""Name the value that an entry looks like, and how it differs; empty without one.

    >>> find_look_alike("yes\u00a0", ["no", "yes"])
    "'yes\\xa0' looks like 'yes', but has NO-BREAK SPACE"
    """
    name = next((name for name in names if name != entry and fold(name) == fold(entry)), None)
    if name is None:
        return ""
    return f"{entry!a} looks like {name!r}, but has {describe_difference(entry, name)}"


_TIME = r"\d{1,2}:\d\d(:\d\d(\.\d+)?)?"
_DATE = re.compile(
    rf"\d{{4}}-\d\d-\d\d([T ]{_TIME}(Z|[+-]\d\d(:?\d\d)?)?)?|{_TIME}"
    r"|\d{1,2}(?P<mark>[./-])\d{1,2}(?P=mark)(\d{4}|\d\d)\.?"
)


def _refuse_dates(name: str, column: ReadColumn, where: str) -> None:
    """Refuse a column of dates: each would be a level of a factor."""
    dates = {cell for cell in column.values if cell is not None}
    if not dates or not all(_DATE.fullmatch(str(date).strip()) for date in dates):
        return
    first = next(cell for cell in column.values if cell in dates)
    raise DocumentError(
        f"{where}: column {name!r}",
        got=f"dates or times, such as {first}",
        allowed="numbers, or names of groups",
        remedy="turn them into numbers, such as years since one date; or, for groups, write "
        f"C({name})",
    )


def refuse_odd(name: str, column: ReadColumn, where: str, form: TextFormat = PLAIN) -> None:
    """Refuse a column that mixes numbers and texts, or dates: it is no factor unseen.

    Raises
    ------
    DocumentError
        With all distinct odd entries at once, and what may be added to the command.
    """
    if not column.odd:
        if column.kind is ColumnKind.NAME:
            _refuse_dates(name, column, where)
        return
    listed = "; ".join(map(str, column.odd[:_LISTED]))
    more = len(column.odd) - _LISTED
    has_numbers = {*column.values} - {None} - {odd.entry for odd in column.odd}
    beside = "beside numbers" if has_numbers else "no number, but"
    raise DocumentError(
        f"{where}: column {name!r}",
        got=f"{beside} {listed}" + (f"; and {more:,} more" if more > 0 else ""),
        allowed="numbers alone, or names alone",
        remedy=_odd_remedy(name, [odd.entry for odd in column.odd], form),
    )


def describe_ambiguity(entry: str) -> str:
    """Describe a number with two readings, and the flags that choose.

    >>> describe_ambiguity("1.250")
    '1.250 may be two numbers: --decimal . or --thousands .'
    """
    mark = "," if "," in entry else "."
    return f"{entry} may be two numbers: --decimal {mark} or --thousands {mark}"


def _marks_flag(entries: Sequence[str], form: TextFormat, decimal: str, thousands: str) -> str:
    """Write the flags of marks by which all entries are numbers; empty where they are not."""
    text = APOSTROPHES.sub("'", SPACES.sub(" ", "".join(entries)))
    is_used = (decimal == form.decimal or decimal in text) and thousands in text
    is_other = (decimal, thousands) != (form.decimal, form.thousands)
    if not (is_used and is_other and are_numbers(entries, decimal, thousands)):
        return ""
    flags = [f'--decimal "{decimal}"'] if decimal == "," or not thousands else []
    return " ".join([*flags, *([f'--thousands "{thousands}"'] if thousands else [])])


def _odd_remedy(name: str, entries: Sequence[str], form: TextFormat) -> str:
    """Write the lines that would make sense of the entries."""
    if form.ambiguous and all(MAYBE_THOUSANDS.fullmatch(entry) for entry in entries):
        return describe_ambiguity(entries[0])
    if flags := [flag for marks in MARKS if (flag := _marks_flag(entries, form, *marks))]:
        return f"write {' or '.join(flags)}"
    signed = next((entry for entry in entries if bare_number(entry) != entry.strip()), None)
    if (signed is not None and is_written_number(signed)) or find_unit(entries):
        signed = entries[0] if signed is None else signed
        bare = bare_number(signed).removesuffix(find_unit(entries)).strip()
        noun = "units" if find_unit(entries) else "signs"
        return (
            f"write numbers without {noun}, {bare} for {signed}; or, if they are "
            f'names, into a --reading, below [columns.{_toml(name)}]: kind = "name"'
        )
    codes = ",".join(f'"{entry}"' if "," in entry else entry for entry in entries[:_LISTED])
    quote = "'" if '"' in codes else '"'
    return (
        f"if they are missing: --missing-codes {quote}{name}={codes}{quote}; else write into a "
        f'--reading, below [columns.{_toml(name)}]: kind = "name", or '
        f'recode = {{ {_toml(entries[0])} = "0" }}'
    )
