"""Files of SPSS and Stata, and workbooks, as tables: labels become names, user-missing is missing.

They are read by pyreadstat and python-calamine, of the extra ``files``. Whether a code such as 9
is an answer or none is said in the file, by its missing values; what it does not declare missing is
an answer.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, time
from functools import lru_cache, reduce
from html import unescape
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

import numpy as np

from askance.channels.channel import Channel
from askance.engines.labelled_codebook import read_codebook
from askance.engines.table_notes import warn_of_table
from askance.engines.workbook_notes import describe_cells, describe_merged, find_header
from askance.results import counted, is_missing
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, MissingExtra, nearest

ENDINGS = (".sav", ".zsav", ".dta")
"""How such files end: SPSS, SPSS compressed, Stata."""


@checked
def labelled_table(source: str | Path, *, named: Collection[str] = ()) -> Any:
    """Read a file of SPSS or Stata as a data frame whose value labels stand for their codes.

    A column becomes one of names if every value that occurs in it has a label. If only some do, as
    the ends of a scale or "don't know" of an age, it stays one of numbers, but for those that are
    ``named``; so it does if every label is its own code. A label of two codes is followed by the
    code, ``other [9]``. System-missing and user-missing values, and empty texts, are missing.

    Parameters
    ----------
    source : str or Path
        A ``.sav``, ``.zsav`` or ``.dta`` file.
    named : collection of str
        Columns that are names in any case, such as reports: a value without a label is its number
        as text, which a channel then refuses by name.

    Returns
    -------
    pandas.DataFrame
        Which `askance.tally` and the regressions take.

    Raises
    ------
    DocumentError
        If it cannot be read, or is of another kind.
    MissingExtra
        If pyreadstat is not installed.

    >>> import pandas as pd
    >>> import pyreadstat
    >>> from tempfile import TemporaryDirectory
    >>> from askance.engines import labelled_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "panel.sav")
    ...     codes = pd.DataFrame({"q1": [1.0, 2.0, 9.0], "age": [31.0, 40.0, 28.0]})
    ...     labels = {"q1": {1: "yes", 2: "no", 9: "refused"}}
    ...     pyreadstat.write_sav(codes, path, variable_value_labels=labels,
    ...                          missing_ranges={"q1": [9]})
    ...     table = labelled_table(path)
    >>> table["q1"].isna().tolist(), table["q1"].dropna().tolist(), table["age"].tolist()
    ([False, False, True], ['yes', 'no'], [31.0, 40.0, 28.0])
    """
    import pandas as pd

    columns, labels = _read(Path(source))
    return pd.DataFrame(
        {
            name: _label_column(name, values, labels.get(name, {}), always=name in named)
            for name, values in columns.items()
        }
    )


def labelled_rows(
    path: Path, write_number: Callable[[str], str] = str
) -> tuple[list[str], list[list[str]]]:
    """Read a file of SPSS or Stata as text: its header, and its rows.

    Parameters
    ----------
    path : Path
    write_number : callable
        Writes the text of a number with a point as texts in the file have it.

    Raises
    ------
    DocumentError
        As in `labelled_table`.
    """
    columns, labels = _read(path)
    texts = [
        [
            "" if value is None else _write(value, _text, write_number)
            for value in _label_column(name, values, labels.get(name, {}))
        ]
        for name, values in columns.items()
    ]
    return list(columns), [list(row) for row in zip(*texts, strict=True)]


def refuse_padded(names: Collection[str], path: Path) -> None:
    """Refuse names that differ only in trailing blanks, which such a file drops.

    Raises
    ------
    InputError
        With one of them.
    """
    for name in names:
        if name != name.rstrip(" ") and name.rstrip(" ") in names:
            raise InputError(
                str(path),
                got=f"answers {name.rstrip(' ')!r} and {name!r}, which end in different blanks",
                allowed="answers that differ in more, since SPSS and Stata drop blanks at the end",
                remedy="export the reports as .csv, .parquet or .xlsx",
            )


def labelled_names(path: Path) -> list[str]:
    """Name the columns of such a file."""
    return list(_read(path, rows=False)[0])


@checked
def labelled_channels(source: str | Path) -> dict[str, Channel]:
    r"""Read the channels of a file that `export_labelled` wrote: P(report | answer), by variable.

    Parameters
    ----------
    source : str or Path
        A ``.sav``, ``.zsav`` or ``.dta`` file.

    Returns
    -------
    dict of str to Channel
        Of each protected question, for `askance.tally` of the same file; empty for a file that
        another program wrote.

    Raises
    ------
    DocumentError, MissingExtra
        As in `labelled_table`, or if what was written was damaged.

    >>> import askance as ak
    >>> from tempfile import TemporaryDirectory
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "sent.jsonl").write_text(
    ...         '{"marriage":0,"affair":1,"religious":2,"years":null}\n')
    ...     ak.present.export_labelled(form, f"{folder}/sent.jsonl", f"{folder}/sent.sav")
    ...     channels = ak.engines.labelled_channels(f"{folder}/sent.sav")
    ...     tally = ak.tally(channels["affair"], f"{folder}/sent.sav", "affair")
    >>> tally.counts.tolist()
    [0, 1, 0]
    """
    metadata = _read_file(Path(source), rows=False)[1]
    variables = read_codebook(metadata.notes, str(source)).get("variables", {})
    return {
        str(entry.get("column", name)): Channel.from_dict(entry["channel"])
        for name, entry in variables.items()
        if "channel" in entry
    }


def _read(
    path: Path, *, rows: bool = True
) -> tuple[Mapping[str, list[Any]], Mapping[str, Mapping[Any, str]]]:
    """Read the columns, and the labels of their values, as the codebook in the file names them."""
    columns, metadata = _read_file(path, rows=rows)
    variables = read_codebook(metadata.notes, str(path)).get("variables", {})
    named, labels = dict[str, list[Any]](), dict[str, Mapping[Any, str]]()
    for variable in metadata.column_names:
        entry = variables.get(variable, {})
        name, whole = entry.get("column", variable), entry.get("labels", {})
        is_single = metadata.readstat_variable_types.get(variable) == "float"
        values = map(_read_single, columns[variable]) if is_single else columns[variable]
        named[name] = list(values) if rows else []
        labels[name] = {
            code: whole.get(label, label)
            for code, label in metadata.variable_value_labels.get(variable, {}).items()
        }
    return named, labels


def _read_single(value: Any) -> Any:
    """Read a number of 32 bits as it was written: 0.1, not 0.10000000149."""
    return float(str(np.float32(value))) if isinstance(value, float) else value


def single_columns(path: Path) -> list[str]:
    """Name the columns of such a file that hold numbers of 32 bits."""
    metadata = _read_file(path, rows=False)[1]
    variables = read_codebook(metadata.notes, str(path)).get("variables", {})
    return [
        str(variables.get(variable, {}).get("column", variable))
        for variable, kind in metadata.readstat_variable_types.items()
        if kind == "float"
    ]


def describe_labelled_numbers(path: Path) -> dict[str, str]:
    """Say of columns of numbers in such a file which of their values have a label, by their name.

    A label such as "refused" makes no value missing, if the file does not declare it so.
    """
    columns, labels = _read(path)
    notes = {}
    for name, values in columns.items():
        own = labels.get(name, {})
        occurring = {value for value in values if not (is_missing(value) or value == "")}
        named = sorted(code for code in occurring & own.keys() if own[code] != _text(code))
        if named and not occurring <= own.keys():
            code = _text(named[0])
            notes[name] = (
                f"{code} is labelled {own[named[0]]!r}, and counts as the number {code}: where it "
                f'is missing, write --missing-codes "{name}={code}"'
            )
    return notes


def _read_file(path: Path, *, rows: bool) -> tuple[Mapping[str, Sequence[Any]], Any]:
    """Read a file by pyreadstat: its columns, and what it says of them."""
    try:
        import pyreadstat
    except ImportError as error:
        raise MissingExtra("pyreadstat", "files") from error
    if path.suffix.lower() not in ENDINGS:
        raise DocumentError(str(path), got=f"{path.suffix!r}", allowed=", ".join(ENDINGS))
    faults = pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError
    read = pyreadstat.read_dta if path.suffix.lower() == ".dta" else pyreadstat.read_sav
    try:
        columns, metadata = read(str(path), output_format="dict", metadataonly=not rows)
    except faults as error:
        raise DocumentError(
            str(path),
            got="a file that is damaged, cut off or of another kind",
            allowed="a whole file of SPSS or Stata",
        ) from error
    return columns, metadata


def _label_column(
    name: str, values: list[Any], labels: Mapping[Any, str], *, always: bool = False
) -> list[Any]:
    """Put labels in the place of codes where all have one."""
    cleaned = [None if is_missing(value) or value == "" else value for value in values]
    distinct = {value for value in cleaned if value is not None}
    if always:
        _refuse_equal_labels(name, {code: labels[code] for code in distinct & labels.keys()})
        return [None if value is None else _text(labels.get(value, value)) for value in cleaned]
    if labels and distinct <= set(labels):
        if all(labels[value] == _text(value) for value in distinct):
            return cleaned
        names = _name_codes({value: labels[value] for value in distinct})
        return [None if value is None else names[value] for value in cleaned]
    return cleaned


def _name_codes(labels: Mapping[Any, str]) -> dict[Any, str]:
    """Name codes by their labels; a label of several codes is followed by the code."""
    times = Counter(labels.values())
    return {
        code: label if times[label] == 1 else f"{label} [{_text(code)}]"
        for code, label in labels.items()
    }


def _refuse_equal_labels(name: str, labels: Mapping[Any, str]) -> None:
    """Refuse one label of two codes, which would become one answer unseen."""
    codes: dict[str, Any] = {}
    for code, label in labels.items():
        if label in codes:
            raise InputError(
                f"value labels of column {name!r}",
                got=f"{label!r} of both {codes[label]} and {code}",
                allowed="a label of its own for every value",
            )
        codes[label] = code


def _write(value: Any, write: Callable[[Any], str], write_number: Callable[[str], str]) -> str:
    """Write a value as text, a number with the decimal mark of texts."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return write_number(write(value)) if is_number else write(value)


def _text(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def workbook_rows(
    path: Path, sheet: str | None = None, write_number: Callable[[str], str] = str
) -> tuple[list[str], list[list[str]], list[int]]:
    """Read a sheet of a workbook as text: its header, its rows, and their numbers.

    A row with nothing in it is a row, but not above the header or below the last one. Numbers are
    written with a point, and then as `write_number` writes them.

    Raises
    ------
    DocumentError
        If it cannot be read, has no such sheet, or a cell stands beside the header.
    MissingExtra
        If python-calamine is not installed.
    """
    calamine, is_named = _load_calamine(), sheet is not None
    try:
        with calamine.load_workbook(path) as book:
            names = list(book.sheet_names)
            if not names or (sheet is not None and sheet not in names):
                raise DocumentError(
                    f"{path}: sheet {sheet!r}" if sheet else str(path),
                    got="no such sheet" if names else "a workbook without a sheet",
                    allowed=", ".join(names) or "at least one sheet",
                    remedy=nearest(sheet or "", tuple(names)),
                )
            sheet = sheet or _filled_sheets(book)[0]
            cells = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
            valueless = _find_valueless(path, names.index(sheet))
    except DocumentError:
        raise
    except (calamine.CalamineError, OSError, ValueError, KeyError, BadZipFile) as error:
        raise DocumentError(
            str(path), got="a file that is damaged or of another kind", allowed="a workbook"
        ) from error
    warn_of_table(path, _describe_sheets(path, sheet if is_named else None))
    texts = _write_cells(cells, valueless, write_number)
    filled = [number for number, row in enumerate(texts, start=1) if any(row)]
    if not filled:
        raise DocumentError(f"{path}: sheet {sheet!r}", got="nothing", allowed="a header and rows")
    return _cut_table(path, texts, filled[0], filled[-1])


def _filled_sheets(book: Any) -> list[str]:
    """Name the visible sheets with cells; without one, the first sheet."""
    visible = [
        sheet.name
        for sheet in book.sheets_metadata
        if f"{sheet.visible} {sheet.typ}" == "SheetVisibleEnum.Visible SheetTypeEnum.WorkSheet"
    ]
    filled = [name for name in visible if book.get_sheet_by_name(name).height]
    return filled or [*visible, *book.sheet_names][:1]


def _load_calamine() -> Any:
    try:
        import python_calamine
    except ImportError as error:
        raise MissingExtra("python-calamine", "files") from error
    return python_calamine


def _describe_sheets(path: Path, sheet: str | None) -> tuple[str, ...]:
    """Say which of several sheets of a workbook is read, and what of it nobody may expect.

    Hidden rows and columns are read; of merged cells only the first holds a value; some numbers are
    texts. Of a sheet that a reading names this alone is said.
    """
    stat = path.stat()
    return _describe_workbook(path, stat.st_mtime_ns, stat.st_size, sheet)


@lru_cache(64)
def _describe_workbook(path: Path, _changed: int, _size: int, sheet: str | None) -> tuple[str, ...]:
    calamine = _load_calamine()
    try:
        with calamine.load_workbook(path) as book:
            all_names = list(book.sheet_names)
            names = _filled_sheets(book) if sheet is None and all_names else [sheet or ""]
            rows = book.get_sheet_by_name(names[0]).to_python(skip_empty_area=False)
        content = _read_sheet(path, all_names.index(names[0]))
        notes = (
            *_describe_hidden(content),
            *describe_merged(content, find_header(rows)),
            *describe_cells(rows),
        )
    except (calamine.CalamineError, OSError, ValueError, KeyError, BadZipFile):
        return ()  # reading the table says what is wrong
    if len(names) < 2:
        return notes
    others = ", ".join(map(repr, names[1:]))
    return (
        *notes,
        f"has several sheets; {names[0]!r} was read, not {others}: in a --reading, "
        f"sheet = {json.dumps(names[1], ensure_ascii=False)} reads another",
    )


def _cut_table(
    path: Path, texts: list[list[str]], first: int, last: int
) -> tuple[list[str], list[list[str]], list[int]]:
    """Cut a table out of a sheet: its header, its rows, and their numbers."""
    header, rows = texts[first - 1], list(enumerate(texts[first:last], start=first + 1))
    width = max(i for i, name in enumerate(header, start=1) if name)
    for number, row in rows:
        if any(row[width:]):
            raise DocumentError(
                f"{path}: row {number}",
                got="a cell beside the table",
                allowed=f"{counted(width, 'cell')}, as the header in row {first} has",
                remedy="delete what stands above the header, or beside the table, or name "
                "its column",
            )
    return header[:width], [row[:width] for _, row in rows], [number for number, _ in rows]


def _write_cells(
    cells: Sequence[Sequence[Any]],
    valueless: Mapping[tuple[int, int], str],
    write_number: Callable[[str], str],
) -> list[list[str]]:
    """Write cells as text, also those that were read as empty though something stands there."""
    texts = [[_write(cell, _cell_text, write_number) for cell in row] for row in cells]
    for (row_index, column), text in valueless.items():
        texts += [[] for _ in range(row_index + 1 - len(texts))]
        row = texts[row_index]
        row += [""] * (column + 1 - len(row))
        row[column] = text
    return texts


_ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*[^/>])>(.*?)</(?:\w+:)?c>", re.DOTALL)
_CELL_PART = re.compile(rb"<(?:\w+:)?(f|v)\b[^>]*>([^<]*)</")
_SHEET = re.compile(rb"<(?:\w+:)?sheet\b([^>]*)>")
_TARGET = re.compile(rb"<(?:\w+:)?Relationship\b([^>]*)>")
_ODS_ERROR = re.compile(rb'calcext:value-type="error"[^>]*>\s*<text:p>([^<]*)<')


def _find_valueless(path: Path, sheet: int) -> dict[tuple[int, int], str]:
    """Find cells that would be read as empty: errors, and formulas whose value was not saved.

    Returns
    -------
    dict
        What stands there as text, such as ``#N/A`` or ``=A1``, by row and column from 0.

    Raises
    ------
    DocumentError
        If an .ods file holds an error: it keeps a value beside it that is none.
    """
    if not is_zipfile(path):
        return {}
    with ZipFile(path) as book:
        if "content.xml" in book.namelist():
            if wrong := _ODS_ERROR.search(book.read("content.xml")):
                raise DocumentError(
                    str(path),
                    got=f"a cell with the error {wrong[1].decode()}",
                    allowed="cells with values",
                    remedy="empty such cells, or save the sheet as .csv",
                )
            return {}
        content = _read_xlsx_sheet(book, sheet)
    if b't="e"' not in content and b"<f" not in content:
        return {}
    return dict(filter(None, map(_read_valueless, _CELL.finditer(content))))


def _read_xlsx_sheet(book: ZipFile, sheet: int) -> bytes:
    """Read the XML of a sheet of an .xlsx workbook, or no bytes if there is no such sheet."""
    links = [dict(_ATTRIBUTE.findall(tag)) for tag in _read_tags(book, "workbook.xml", _SHEET)]
    targets = {
        target[b"Id"]: target[b"Target"].decode()
        for tag in _read_tags(book, "_rels/workbook.xml.rels", _TARGET)
        if (target := dict(_ATTRIBUTE.findall(tag))).keys() >= {b"Id", b"Target"}
    }
    name = targets.get(links[sheet].get(b"r:id", b""), "") if sheet < len(links) else ""
    part = name.removeprefix("/") if name.startswith("/") else f"xl/{name}"
    return book.read(part) if part in book.namelist() else b""


def _read_sheet(path: Path, sheet: int) -> bytes:
    """Read the XML of a sheet, or no bytes if it is not there."""
    if not is_zipfile(path):
        return b""
    with ZipFile(path) as book:
        if "content.xml" not in book.namelist():
            return _read_xlsx_sheet(book, sheet)
        parts = _ODS_TABLE.split(book.read("content.xml"))[1:]
        return parts[sheet] if sheet < len(parts) else b""


def _describe_hidden(content: bytes) -> tuple[str, ...]:
    """Say which rows of a sheet are hidden, also by a filter, and how many columns."""
    is_ods = b"<table:table-row" in content
    rows, columns = (_find_hidden_ods if is_ods else _find_hidden_xlsx)(content)
    notes = []
    if rows:
        listed = ", ".join(map(str, rows[:_LISTED])) + (", …" if len(rows) > _LISTED else "")
        notes.append(
            f"has {counted(len(rows), 'hidden or filtered row')}, read like the others: {listed}; "
            "delete what does not belong"
        )
    if columns:
        notes.append(f"has {counted(columns, 'hidden column')}, read like the others")
    return tuple(notes)


def _find_hidden_xlsx(content: bytes) -> tuple[list[int], int]:
    """Number the hidden rows that hold something, and count hidden columns."""
    rows = [
        int(attributes.get(b"r", b"0"))
        for row in _HIDDEN_ROW.finditer(content)
        if (attributes := dict(_ATTRIBUTE.findall(row[1]))).get(b"hidden") in _IS_TRUE
    ]
    columns = [dict(_ATTRIBUTE.findall(tag)) for tag in _COLUMN.findall(content)]
    hidden = [column for column in columns if column.get(b"hidden") in _IS_TRUE]
    widths = (int(column[b"max"]) - int(column[b"min"]) + 1 for column in hidden)
    used = (width for width in widths if width < _ALL_COLUMNS)
    return rows, sum(used)


def _find_hidden_ods(content: bytes) -> tuple[list[int], int]:
    """Number the hidden rows that hold something, and count hidden columns."""
    rows, number, columns = list[int](), 1, 0
    for tag, attributes, inside in _ODS_LINE.findall(content):
        written = dict(_ODS_ATTRIBUTE.findall(attributes))
        times = int(written.get(b"table:number-%bs-repeated" % tag, b"1"))
        is_hidden = written.get(b"table:visibility") in (b"collapse", b"filter")
        if tag == b"row":
            if is_hidden and b"office:value-type" in inside:
                rows += range(number, number + times)
            number += times
        elif is_hidden and times < _ALL_COLUMNS:
            columns += times
    return rows, columns


_LISTED = 10  # hidden rows in a message
_ALL_COLUMNS = 1_000  # hidden at once: those beside the table
_IS_TRUE = (b"1", b"true")
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*\bhidden=[^>]*[^/>])>(?=\s*<(?:\w+:)?c\b)")
_COLUMN = re.compile(rb"<(?:\w+:)?col\b([^>]*)/?>")
_ODS_TABLE = re.compile(rb"<table:table(?=[\s>])")
_ODS_ATTRIBUTE = re.compile(rb'([\w:-]+)="([^"]*)"')
_ODS_LINE = re.compile(
    rb"<table:table-(row|column)\b([^>]*?)(?:/>|>(.*?)</table:table-\1>)", re.DOTALL
)


def _read_tags(book: ZipFile, part: str, tag: re.Pattern[bytes]) -> list[bytes]:
    """List the attributes of each such tag in a part of a workbook."""
    found: list[bytes] = tag.findall(book.read(f"xl/{part}"))
    return found


def _read_valueless(cell: re.Match[bytes]) -> tuple[tuple[int, int], str] | None:
    """Read what stands in a cell that holds an error, or a formula without its value."""
    attributes = dict(_ATTRIBUTE.findall(cell[1]))
    parts = dict(_CELL_PART.findall(cell[2]))
    is_error, formula = attributes.get(b"t") == b"e", b"f" in parts or b"<f" in cell[2]
    where = re.fullmatch(rb"([A-Z]+)([0-9]+)", attributes.get(b"r", b""))
    if where is None or not (is_error or (formula and not parts.get(b"v"))):
        return None
    text = parts.get(b"v", b"#") if is_error else b"=" + parts.get(b"f", b"")
    column = reduce(lambda number, letter: 26 * number + letter - ord("A") + 1, where[1], 0)
    return (int(where[2]) - 1, column - 1), unescape(text.decode())


def _cell_text(cell: Any) -> str:
    """Write a cell as text: 1.0 is 1, and a day has no hour."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
