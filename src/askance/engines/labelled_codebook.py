"""Read and write the codebook inside a file of SPSS or Stata, as `export_labelled` has it.

It is JSON in the file's notes, which every reader of such files keeps: a first line that names it,
then lines of at most 80 signs, as SPSS allows, to be joined by nothing. Stata has them as notes of
the data, and of each protected question its channel as a characteristic.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from askance_collect.errors import DocumentError

HEAD = "askance codebook-1: the lines below, joined by nothing, are JSON"
"""The note before those that hold a codebook."""

_WIDTH = 80
_LONGEST_CHARACTERISTIC = 67_000
_SECTIONS = 14
"""Places that the map of Stata's format 118 names: the data begin at the tenth."""
_DATA = 9


def codebook_lines(document: Mapping[str, Any]) -> list[str]:
    """Write a codebook as notes of at most 80 ASCII characters, without trailing spaces.

    >>> codebook_lines({"a": "b"})[1:]
    ['{"a":"b"}']
    """
    text = json.dumps(document, separators=(",", ":"), default=dict).replace("  ", " \\u0020")
    lines = [HEAD]
    while text:
        width = _WIDTH - (text[_WIDTH - 1 : _WIDTH] == " ")
        lines.append(text[:width])
        text = text[width:]
    return lines


def read_codebook(notes: Sequence[str], where: str) -> dict[str, Any]:
    """Read the codebook from notes; empty without one.

    Raises
    ------
    DocumentError
        If it was damaged.

    >>> read_codebook(["of others", *codebook_lines({"a": "b"})], "x.sav")
    {'a': 'b'}
    """
    if HEAD not in notes:
        return {}
    lines = notes[notes.index(HEAD) + 1 :]
    try:
        document: dict[str, Any] = dict(json.JSONDecoder().raw_decode("".join(lines))[0])
    except (ValueError, TypeError) as error:
        allowed = "a codebook as askance wrote it, or none"
        raise DocumentError(f"{where}: notes", got=str(error), allowed=allowed) from error
    return document


def write_characteristics(path: Path, entries: Iterable[tuple[str, str, str]]) -> None:
    """Write characteristics into a file of Stata 14 or later, which libraries leave empty.

    Parameters
    ----------
    path : Path
        A file in format 118, without characteristics.
    entries : iterable of (str, str, str)
        The variable, or ``_dta`` for all data; the name; and the text, which is left out where
        Stata has no room for it.

    References
    ----------
    StataCorp, file formats .dta, section 5.8: each characteristic has its length, then two names of
    129 bytes each, then a text that ends with a zero. Offsets behind them move in the map.
    """
    content = path.read_bytes()
    parts = b"".join(
        _frame(variable, name, text.encode())
        for variable, name, text in entries
        if len(text.encode()) <= _LONGEST_CHARACTERISTIC
    )
    place = content.index(b"</characteristics>")
    start = content.index(b"<map>") + len(b"<map>")
    layout = struct.Struct(f"<{_SECTIONS}Q")
    offsets = layout.unpack_from(content, start)
    moved = [offset + len(parts) * (i >= _DATA) for i, offset in enumerate(offsets)]
    end = start + layout.size
    path.write_bytes(
        content[:start] + layout.pack(*moved) + content[end:place] + parts + content[place:]
    )


def _frame(variable: str, name: str, text: bytes) -> bytes:
    names = (part.encode().ljust(129, b"\0") for part in (variable, name))
    body = b"".join(names) + text + b"\0"
    return b"<ch>" + struct.pack("<I", len(body)) + body + b"</ch>"


def stata_notes(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Give notes of the data as Stata numbers them, with how many there are.

    >>> list(stata_notes(["one"]))
    [('_dta', 'note0', '1'), ('_dta', 'note1', 'one')]
    """
    yield "_dta", "note0", str(len(lines))
    yield from (("_dta", f"note{number}", line) for number, line in enumerate(lines, start=1))
