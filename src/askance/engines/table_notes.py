"""What somebody should know of how a table is read: a warning, unless a verb writes it down."""

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import final

from askance.results import list_heard


@final
class TableNote(UserWarning):
    """A note on how a table is read, such as on rows that are hidden.

    >>> import warnings
    >>> warnings.simplefilter("ignore", TableNote)  # for who has read them
    """


def warn_of_table(path: Path, notes: Iterable[str]) -> None:
    """Warn the caller of the package about how a table is read.

    >>> from askance.results import hearing_notes
    >>> with hearing_notes() as notes:
    ...     warn_of_table(Path("t.xlsx"), ["has 1 hidden column, read like the others"])
    >>> [f"{path} {note}" for path, note in notes]
    ['t.xlsx has 1 hidden column, read like the others']
    """
    heard = list_heard()
    for note in notes:
        if heard is None:
            warnings.warn(f"{path} {note}", TableNote, stacklevel=_count_own_frames())
        else:
            heard.setdefault((path, note))


def _count_own_frames() -> int:
    """Count the frames of this package above the one that warns, up to its caller."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("askance"):
        level, frame = level + 1, frame.f_back
    return level
