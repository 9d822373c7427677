"""Workbooks, .xlsx and .ods, as tables of text: numbers as they are typed, dates as 2026-01-31.

They are read by python-calamine, of the extra ``files``.
"""

from datetime import datetime, time
from pathlib import Path
from typing import Any

from askance_collect.errors import DocumentError, MissingExtra, nearest


def workbook_rows(
    path: Path, sheet: str | None = None
) -> tuple[list[str], list[list[str]], list[int]]:
    """Read a sheet of a workbook as text: its header, its rows, and their numbers.

    A row with nothing in it is a row, but not above the header or below the last one.

    Raises
    ------
    DocumentError
        If it cannot be read, has no such sheet, or a cell stands beside the header.
    MissingExtra
        If python-calamine is not installed.
    """
    try:
        import python_calamine as calamine
    except ImportError as error:
        raise MissingExtra("python-calamine", "files") from error
    try:
        with calamine.load_workbook(path) as book:
            names = list(book.sheet_names)
            if sheet is not None and sheet not in names:
                raise DocumentError(
                    f"{path}: sheet {sheet!r}",
                    got="no such sheet",
                    allowed=", ".join(names),
                    remedy=nearest(sheet, tuple(names)),
                )
            cells = book.get_sheet_by_name(sheet or names[0]).to_python(skip_empty_area=False)
    except (calamine.CalamineError, OSError) as error:
        raise DocumentError(
            str(path), got="a file that is damaged or of another kind", allowed="a workbook"
        ) from error
    texts = [[_text(cell) for cell in row] for row in cells]
    filled = [number for number, row in enumerate(texts, start=1) if any(row)]
    if not filled:
        raise DocumentError(
            f"{path}: sheet {(sheet or names[0])!r}", got="nothing", allowed="a header and rows"
        )
    first, last = filled[0], filled[-1]
    header, rows = texts[first - 1], list(enumerate(texts[first:last], start=first + 1))
    width = max(i for i, name in enumerate(header, start=1) if name)
    for number, row in rows:
        if any(row[width:]):
            raise DocumentError(
                f"{path}: row {number}", got="a cell beside the table", allowed=f"{width} cells"
            )
    return header[:width], [row[:width] for _, row in rows], [number for number, _ in rows]


def _text(cell: Any) -> str:
    """Write a cell as text: 1.0 is 1, and a day has no hour."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
