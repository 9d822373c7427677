"""A text that people write: the kind of question whose report is the answer, word for word.

Its length is counted as browsers count it, in code units of UTF-16: a letter is one, an emoji two
or more. Each takes at most six bytes of a report, so that every report has room for any text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from askance_collect.wire.form_schema import (
    NEVER,
    bounds,
    is_legible,
    keep_unchangeable,
    read_wording,
)

_, MOST_CHARACTERS = bounds("text.limit")
"""The most that one text can be allowed."""

_, MOST_LINES = bounds("text.lines")
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
    is_comment : bool
        Whether it is a comment: asked on the screen of the question before it.

    >>> from askance_collect.wire import FreeText
    >>> more = FreeText("more", {}, 12, 1)
    >>> more.allows("Rühreier 🍳"), more.allows("two\nlines"), more.allows("more than twelve")
    (True, False, False)
    """

    kind: ClassVar[str] = "text"
    blank: ClassVar[tuple[int, int]] = NEVER
    progressive: ClassVar[bool] = False
    is_randomised: ClassVar[bool] = False
    is_known_to_device: ClassVar[bool] = False
    possible_answers: ClassVar[range] = range(0)
    name: str
    text: Mapping[str, str]
    limit: int
    lines: int
    is_comment: bool = False

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text")

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this text: legible, neither empty nor blank at an end."""
        if not is_legible(value) or not value or value != value.strip(" \n"):
            return False
        unused = "\t\r" if self.lines > 1 else "\t\r\n"
        return characters(value) <= self.limit and not any(sign in value for sign in unused)

    @property
    def max_encoded_length(self) -> int:
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
    text = read_wording(raw["text"], languages)
    return FreeText(raw["name"], text, raw["limit"], raw["lines"], "beside" in raw)
