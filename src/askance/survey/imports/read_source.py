"""The file of a questionnaire: which program it is of, and its parts as a tree."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any

from askance.survey.imports.draft import Draft
from askance.survey.imports.limesurvey import read_limesurvey
from askance.survey.imports.qualtrics import read_qualtrics
from askance.survey.imports.source_tree import Path, SourceTree, plain_text, refuse_deep
from askance.survey.imports.surveyjs import read_surveyjs
from askance.survey.imports.xlsform import read_xlsform
from askance_collect.errors import DocumentError, MissingExtra

_LARGEST = 32 * 2**20
_UNPACKED = 128 * 2**20
_MOST_CELLS = 8_000_000
_ALLOWED = (
    "a questionnaire of Qualtrics (.qsf), LimeSurvey (.lss, or .txt with tabs), XLSForm (.xlsx) "
    "or SurveyJS (.json)"
)
_CELL = re.compile(rb'<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"')
_DOCTYPE = "Survey"


def read_source(file: FilePath) -> tuple[str, Draft]:
    """Read the file of a questionnaire, and recognise its program.

    Raises
    ------
    DocumentError
        If it cannot be read, is too large, or is of no such program.
    """
    raw = _read_bytes(file)
    if raw.startswith(b"PK"):
        return "xlsform", _read_workbook(file, raw)
    text = _decode(file.name, raw)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return _read_json(file.name, text)
    if start == "<":
        return "limesurvey", _read_xml(file.name, raw)
    if "\t" in text.partition("\n")[0]:
        return "limesurvey", _read_tabs(file.name, text)
    raise DocumentError(file.name, got="another kind of file", allowed=_ALLOWED)


def _read_bytes(file: FilePath) -> bytes:
    try:
        with file.open("rb") as opened:
            raw = opened.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no name of a file"
        raise DocumentError(str(file), got=reason, allowed="a readable file") from error
    if len(raw) > _LARGEST:
        size = f"more than {_LARGEST:,} bytes"
        remedy = "export the questionnaire without responses and files"
        raise DocumentError(file.name, got=size, allowed=f"at most {_LARGEST:,}", remedy=remedy)
    if not raw.strip():
        raise DocumentError(file.name, got="an empty file", allowed=_ALLOWED)
    return raw


def _decode(name: str, raw: bytes) -> str:
    """Decode UTF-8, or UTF-16 with its mark."""
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        position = f"a byte that is no {encoding[:6].upper().rstrip('-')} at {error.start}"
        remedy = "save it as UTF-8, or export it again"
        raise DocumentError(
            name, got=position, allowed="UTF-8, or UTF-16 with a byte order mark", remedy=remedy
        ) from None


def _read_json(name: str, text: str) -> tuple[str, Draft]:
    try:
        document = json.loads(text, object_pairs_hook=_keep_twins, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise DocumentError(name, got=str(error)[:200], allowed="JSON") from None
    refuse_deep(document, name)
    tree = SourceTree(document=document, write_path=write_json_path)
    if isinstance(document, dict) and "SurveyElements" in document:
        return "qualtrics", read_qualtrics(tree)
    keys = {"pages", "elements", "questions"}
    if isinstance(document, dict) and keys & document.keys():
        return "surveyjs", read_surveyjs(tree)
    got = "JSON without SurveyElements, pages or elements"
    raise DocumentError(name, got=got, allowed=_ALLOWED)


def _keep_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Keep every value of a key that stands twice: the later ones under a numbered key."""
    kept_pairs: dict[str, Any] = {}
    for key, value in pairs:
        name, number = key, 1
        while name in kept_pairs:
            number += 1
            name = f"{key} ({number})"
        kept_pairs[name] = value
    return kept_pairs


def write_json_path(path: Path) -> str:
    """Write a path as JavaScript would.

    >>> write_json_path(("pages", 0, "elements", 2, "title"))
    'pages[0].elements[2].title'
    """
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).lstrip(".") or "the whole file"


def _read_xml(name: str, raw: bytes) -> Draft:
    """Read the tables of a LimeSurvey export: entities and document types are refused."""
    try:
        from defusedxml import DefusedXmlException
        from defusedxml.ElementTree import ParseError, fromstring
    except ModuleNotFoundError as error:
        raise MissingExtra("defusedxml", "imports") from error
    try:
        root = fromstring(raw, forbid_dtd=True)
    except DefusedXmlException:
        got = "a document type or entities of its own"
        raise DocumentError(name, got=got, allowed="XML without them") from None
    except (ParseError, ValueError, LookupError) as error:
        raise DocumentError(name, got=str(error), allowed="XML") from None
    kind = root.findtext("LimeSurveyDocType") or f"a document <{root.tag}>"
    if kind != _DOCTYPE:
        remedy = "export the structure of the whole survey (.lss)"
        raise DocumentError(name, got=kind, allowed="LimeSurveyDocType Survey", remedy=remedy)
    document = _keep_twins([(child.tag, _read_table(child)) for child in root])
    return read_limesurvey(SourceTree(document=document, write_path=write_json_path))


def _read_table(element: Any) -> Any:
    """Read a table of rows, a list of languages, or a text."""
    rows = element.find("rows")
    if rows is not None:
        return [_keep_twins([(cell.tag, _all_text(cell)) for cell in row]) for row in rows]
    if len(element):
        return [_all_text(child) for child in element]
    return _all_text(element)


def _all_text(element: Any) -> str:
    return "".join(element.itertext())


def _read_tabs(name: str, text: str) -> Draft:
    """Read the rows of a survey structure that LimeSurvey separated by tabs."""
    before = csv.field_size_limit(_LARGEST)  # of the whole process: tables are read by another
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
    except csv.Error as error:
        raise DocumentError(name, got=str(error), allowed="rows separated by tabs") from None
    finally:
        csv.field_size_limit(before)
    document = {"rows": _name_cells(rows)}
    if not rows or not {"class", "name", "text"} <= {*rows[0]}:
        got = ", ".join(rows[0])[:200] if rows else "no row"
        allowed = "a first row with the columns class, type/scale, name, relevance and text"
        raise DocumentError(f"{name}, line 1", got=got, allowed=allowed)
    return read_limesurvey(SourceTree(document=document, write_path=_write_row_path))


def _write_row_path(path: Path) -> str:
    row = f"row {int(path[1]) + 2}" if len(path) > 1 else "the whole file"
    return f"{row}, {path[2]}" if len(path) > 2 else row


def _name_cells(rows: Sequence[Sequence[Any]], *, lower: bool = False) -> list[dict[str, Any]]:
    """Name the cells of rows below the first one; one without a name by its column."""
    heads = [plain_text(cell) for cell in rows[0]] if rows else []
    if lower:  # but what stands behind a colon names a language
        pairs = [head.partition(":") for head in heads]
        heads = [f"{'_'.join(name.lower().split())}{colon}{rest}" for name, colon, rest in pairs]
    return [
        _keep_twins(
            [
                (heads[i] if i < len(heads) and heads[i] else f"column {i + 1}", cell)
                for i, cell in enumerate(row)
            ]
        )
        for row in rows[1:]
    ]


def _read_workbook(file: FilePath, raw: bytes) -> Draft:
    """Read the sheets of an XLSForm."""
    try:
        import python_calamine as calamine
    except ModuleNotFoundError as error:
        raise MissingExtra("python-calamine", "imports") from error
    _refuse_large_workbook(file.name, raw)
    try:
        with calamine.load_workbook(io.BytesIO(raw)) as book:
            sheets = {name: book.get_sheet_by_name(name) for name in book.sheet_names}
            rows = {
                name: [
                    [_cell(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)
                ]
                for name, sheet in sheets.items()
            }
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise DocumentError(file.name, got=str(error), allowed="a workbook (.xlsx)") from None
    names = {name.strip().lower() for name in rows}
    if "survey" not in names:
        allowed = "an XLSForm: a sheet named survey, with the columns type and name"
        raise DocumentError(file.name, got=f"sheets {', '.join(rows)}", allowed=allowed)
    document = {
        name.strip().lower(): _name_cells(table, lower=True) for name, table in rows.items()
    }
    return read_xlsform(SourceTree(document=document, write_path=_write_cell_path))


def _cell(cell: Any) -> Any:
    """Write a cell as a text, as XLSForms mean it: 3, not 3.0."""
    return str(cell).lower() if isinstance(cell, bool) else plain_text(cell)


def _write_cell_path(path: Path) -> str:
    if len(path) < 2:
        return str(path[0]) if path else "the whole file"
    row = f"{path[0]}, row {int(path[1]) + 2}"
    return f"{row}, {path[2]}" if len(path) > 2 else row


def _refuse_large_workbook(name: str, raw: bytes) -> None:
    """Refuse a workbook that unpacks to very much, before it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > _UNPACKED:
                got = f"{size:,} bytes when unpacked"
                raise DocumentError(name, got=got, allowed=f"at most {_UNPACKED:,}")
            sheets = [entry for entry in archive.namelist() if "worksheets/" in entry]
            for sheet in sheets:
                _refuse_far_cells(name, sheet, archive.read(sheet))
    except (zipfile.BadZipFile, RuntimeError, EOFError) as error:
        raise DocumentError(name, got=str(error), allowed="a workbook (.xlsx)") from None


def _refuse_far_cells(name: str, sheet: str, raw: bytes) -> None:
    """Refuse a sheet whose last cells stand so far out that its table would fill the memory."""
    rows = columns = 1
    for letters, row in _CELL.findall(raw):
        column = 0
        for letter in letters:
            column = column * 26 + letter - 64
        rows, columns = max(rows, int(row)), max(columns, column)
    if rows * columns > _MOST_CELLS:
        got = f"{rows:,} rows and {columns:,} columns"
        remedy = "delete what stands far outside the form"
        allowed = f"at most {_MOST_CELLS:,} cells"
        raise DocumentError(f"{name}, {sheet}", got=got, allowed=allowed, remedy=remedy)
