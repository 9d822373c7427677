"""Source files of reports: which files a path names, their kind, and the width of a table."""

import csv
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final, final

from askance.engines.labelled_files import ENDINGS
from askance_collect.errors import DocumentError

MISSING_CODES: Final = ("", "NA")
"""What a cell of text holds where there is no value: nothing, or what R writes."""

_SQLITE = b"SQLite format 3\x00"
_BEGINNING = 64  # bytes that tell of which kind a file is
_RESULTS = re.compile(rb'(\xef\xbb\xbf)?\s*(\[|\{\s*"responses")')
"""How JSON begins that has an object for each person: SurveyJS's data, or LimeSurvey's."""


@final
class Kind(Enum):
    """How reports are kept."""

    STORE = "a collector's database"
    TABLE = ".csv"
    LINES = ".jsonl or .ndjson"
    PARQUET = ".parquet"
    LABELLED = ".sav, .zsav or .dta"
    COUNTED = ".json"
    RESULTS = ".json with an array of results"


def missing_codes(names: Collection[str] = ()) -> list[str]:
    """List the cells that hold no value, in a column in which these names are values.

    >>> missing_codes(), missing_codes(["NA", "yes"])
    (['', 'NA'], [''])
    """
    return [code for code in MISSING_CODES if code not in names]


def kind_of(source: str | Path) -> Kind:
    """Say how reports are kept at a path or URL: a database by what is in it, a file by its name.

    Raises
    ------
    DocumentError
        If there is no such file, or it is of none of these kinds.

    >>> kind_of("postgresql://localhost/survey")
    <Kind.STORE: "a collector's database">
    """
    if "://" in str(source):
        return Kind.STORE
    path = Path(source)
    if not path.is_file():
        raise DocumentError(str(path), got="no such file", allowed="a file of reports")
    with path.open("rb") as file:
        begins = file.read(_BEGINNING)
    if begins.startswith(_SQLITE):
        return Kind.STORE
    kinds = {
        ".csv": Kind.TABLE,
        ".jsonl": Kind.LINES,
        ".ndjson": Kind.LINES,
        ".parquet": Kind.PARQUET,
        ".json": Kind.COUNTED,
        **dict.fromkeys(ENDINGS, Kind.LABELLED),
    }
    if path.suffix.lower() not in kinds:
        raise DocumentError(
            str(path),
            got=f"a file that ends in {path.suffix!r}",
            allowed=", ".join(kind.value for kind in Kind),
        )
    kind = kinds[path.suffix.lower()]
    return Kind.RESULTS if kind is Kind.COUNTED and _RESULTS.match(begins) else kind


def files_at(source: str | Path) -> tuple[list[Path], Kind]:
    """List the files at a path, in a folder or that match a pattern, with the kind of all of them.

    In a folder, what begins with a dot or an underscore is passed over, as engines that write
    folders expect.

    Raises
    ------
    DocumentError
        If there is none, or they are of several kinds.

    >>> files_at("examples/affairs-*.csv")
    ([PosixPath('examples/affairs-answers.csv')], <Kind.TABLE: '.csv'>)
    """
    path = Path(source)
    if "://" in str(source) or path.is_file():
        return [path], kind_of(source)
    files: list[Path] = []
    with suppress(ValueError):  # of what is no pattern
        if path.is_dir() and str(source):
            files = [file for file in path.rglob("*") if _is_data(file, path)]
        elif str(source):
            files = list(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    files = sorted(file for file in files if file.is_file())
    if not files:
        raise DocumentError(
            str(source) or "source",
            got="no such file",
            allowed="a file, a folder or a pattern of files",
            remedy="" if path.suffix or path.is_dir() else "reports themselves are given as a list",
        )
    kinds = {kind_of(file): file for file in files}
    if len(kinds) > 1 or (Kind.STORE in kinds and len(files) > 1):
        raise DocumentError(
            str(source),
            got=", ".join(sorted(file.name for file in kinds.values())),
            allowed="files of one kind: Parquet, CSV, JSON Lines, SPSS or Stata",
        )
    return files, next(iter(kinds))


def _is_data(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return not any(part.startswith((".", "_")) for part in parts)


def escape_pattern(path: Path) -> str:
    """Name this one file, not those that its name would match as a pattern."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def csv_header(path: Path) -> list[str]:
    """Read the names of a CSV table's columns.

    Raises
    ------
    DocumentError
        If there is none.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
    except (OSError, ValueError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error
    if not header:
        raise DocumentError(str(path), got="an empty file", allowed="a CSV table with a header")
    return header


def check_width(row: Sequence[str], header: Sequence[str], where: str) -> None:
    """Refuse a row that has not as many cells as the header."""
    if len(row) != len(header):
        raise DocumentError(where, got=f"{len(row)} cells", allowed=f"{len(header)} cells")
