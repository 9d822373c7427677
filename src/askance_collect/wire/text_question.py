"""A text that people write: the kind of question whose report is the answer, word for word.

Its length is counted as browsers count it, in code units of UTF-16: a letter is one, an emoji two
or more. Each takes at most six bytes of a report, so that every report has room for any text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from askance_collect.wire.label import NEVER, is_index, is_legible, keep_unchangeable, read_wording

MOST_CHARACTERS = 2_000
"""The most that one text can be allowed."""

MOST_LINES = 20
"""The most lines that the place for a text is high."""

TEXT_GIVEN = 0
"""What stands for a text wherever reports are counted or exported: that there is one."""

_UNIT = len("\\u0000")


@final
@dataclass(frozen=True, slots=True)
class FreeText:
    r"""A text, asked plainly: the report is what somebody wrote.

    Attributes
    ----------
    name, text
        As of every question.
    limit : int
        The most characters, in code units of UTF-16.
    lines : int
        How many lines the place for it is high. In a single one there are no line breaks.
    beside : bool
        Whether it is a comment: asked on the screen of the question before it.

    >>> from askance_collect.wire import FreeText
    >>> more = FreeText("more", {}, 12, 1)
    >>> more.allows("Rühreier 🍳"), more.allows("two\nlines"), more.allows("more than twelve")
    (True, False, False)
    """

    kind: ClassVar[str] = "text"
    blank: ClassVar[tuple[int, int]] = NEVER
    narrow: ClassVar[bool] = False
    hidden: ClassVar[bool] = False
    is_known: ClassVar[bool] = False
    possible: ClassVar[range] = range(0)
    name: str
    text: Mapping[str, str]
    limit: int
    lines: int
    beside: bool = False

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text")

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this text: legible, neither empty nor blank at an end."""
        if not is_legible(value) or not value or value != value.strip(" \n"):
            return False
        unused = "\t\r" if self.lines > 1 else "\t\r\n"
        return characters(value) <= self.limit and not any(sign in value for sign in unused)

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return len('""') + _UNIT * self.limit


def characters(text: str) -> int:
    """Count the characters of a text as browsers do.

    >>> characters("Tee"), characters("🍳")
    (3, 2)
    """
    return len(text.encode("utf-16-le")) // 2


def read_text(raw: Any, languages: Sequence[str]) -> FreeText:
    """Read a question that is answered in one's own words."""
    limit, lines = raw["limit"], raw["lines"]
    if not is_index(limit, MOST_CHARACTERS + 1) or not limit:
        raise ValueError(f"a limit of 1 to {MOST_CHARACTERS} characters")
    if not is_index(lines, MOST_LINES + 1) or not lines:
        raise ValueError(f"1 to {MOST_LINES} lines")
    if raw.get("beside", True) is not True:
        raise ValueError("beside as true, or left out")
    text = read_wording(raw["text"], languages)
    return FreeText(raw["name"], text, limit, lines, "beside" in raw)
