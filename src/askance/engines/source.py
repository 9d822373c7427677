"""Where reports lie, and in which of three ways."""

from enum import Enum
from pathlib import Path
from typing import final

from askance.errors import DocumentError

_SQLITE = b"SQLite format 3\x00"


@final
class Kind(Enum):
    """How reports are kept."""

    STORE = "a collector's database"
    TABLE = ".csv"
    LINES = ".jsonl or .ndjson"


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
        if file.read(len(_SQLITE)) == _SQLITE:
            return Kind.STORE
    kinds = {".csv": Kind.TABLE, ".jsonl": Kind.LINES, ".ndjson": Kind.LINES}
    if path.suffix.lower() not in kinds:
        raise DocumentError(
            str(path),
            got=f"a file that ends in {path.suffix!r}",
            allowed=", ".join(kind.value for kind in Kind),
        )
    return kinds[path.suffix.lower()]
