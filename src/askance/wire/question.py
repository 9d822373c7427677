"""The kinds of question a form can hold, each with the reports that are possible under it.

A ``choice`` and a ``number`` are asked plainly. A ``table`` question sends a column drawn from the
answer's row; a ``cuts`` or a ``ring`` question sends a random range that holds the answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from askance.errors import AskanceError, FormError
from askance.exact.line import Line
from askance.exact.table import LARGEST_TOTAL, Table
from askance.wire.canonical import keep_unchangeable
from askance.wire.cuts import CutsQuestion, read_cuts
from askance.wire.parts import (
    Label,
    is_index,
    read_blank,
    read_labels,
    read_line,
    read_wording,
)
from askance.wire.ring import RingQuestion, read_ring

__all__ = [
    "Choice",
    "CutsQuestion",
    "Label",
    "Number",
    "Question",
    "RangeQuestion",
    "RingQuestion",
    "TableQuestion",
    "Value",
    "read_question",
]

Value = int | tuple[int, int] | None
"""What one question contributes to a report: a column, a tick, a cell, or nothing."""


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A question with named answers, asked plainly: the report is the answer's index."""

    kind: ClassVar[str] = "choice"
    name: str
    text: Mapping[str, str]
    answers: tuple[Label, ...]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text")

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return is_index(value, len(self.answers))

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.answers) - 1)))


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number asked plainly: the report is a tick of the line."""

    kind: ClassVar[str] = "number"
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit")

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return is_index(value, self.line.ticks + 1)

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(self.line.ticks)))


@final
@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A protected question with named answers: the report is a column of the table.

    ``means`` says for each report which answers it leaves possible; ``blank`` is the chance, as
    ``(units, total)``, that nothing is sent whatever the answer.
    """

    kind: ClassVar[str] = "table"
    name: str
    text: Mapping[str, str]
    answers: tuple[Label, ...]
    reports: tuple[Label, ...]
    means: tuple[tuple[int, ...], ...]
    table: Table
    blank: tuple[int, int]
    about: Mapping[str, Any]
    _sent: tuple[bool, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text about")
        sent = tuple(any(column) for column in zip(*self.table.rows, strict=True))
        object.__setattr__(self, "_sent", sent)

    def allows(self, value: object) -> bool:
        """Say whether some answer can send this value."""
        return is_index(value, len(self._sent)) and self._sent[value]

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.reports) - 1)))


RangeQuestion = CutsQuestion | RingQuestion
Question = Choice | Number | TableQuestion | CutsQuestion | RingQuestion


def read_question(raw: Any, languages: Sequence[str], where: str) -> Question:
    """Read one question of a form, refusing whatever could not be asked or drawn as written.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.
    """
    try:
        return _READERS[raw["kind"]](raw, languages)
    except FormError:
        raise
    except AskanceError as error:
        raise FormError(f"{where}.{error.where}", got=error.got, allowed=error.allowed) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FormError(
            where, got=f"{type(error).__name__}: {error}", allowed="a question as in form-1.json"
        ) from error


def _choice(raw: Any, languages: Sequence[str]) -> Choice:
    return Choice(
        raw["name"], read_wording(raw["text"], languages), read_labels(raw["answers"], languages)
    )


def _number(raw: Any, languages: Sequence[str]) -> Number:
    return Number(
        raw["name"],
        read_wording(raw["text"], languages),
        read_line(raw["line"]),
        read_wording(raw["line"]["unit"], languages),
    )


def _table(raw: Any, languages: Sequence[str]) -> TableQuestion:
    answers, reports = (read_labels(raw[key], languages) for key in ("answers", "reports"))
    total, entries = raw["table"]["total"], raw["table"]["rows"]
    means = tuple(tuple(report["means"]) for report in raw["reports"])
    if any(type(entry) is not int for row in ((total,), *entries, *means) for entry in row):
        raise ValueError("integers in the table and in the meanings")
    table = Table(total, tuple(tuple(row) for row in entries))
    if table.total > LARGEST_TOTAL or len(table.rows) != len(answers):
        raise ValueError("one row for each answer, with a total of at most 2^48")
    if len(table.rows[0]) != len(reports):
        raise ValueError("one column for each report")
    if not all(meaning and set(meaning) <= set(range(len(answers))) for meaning in means):
        raise ValueError("every report means at least one answer of the question")
    if any(len(set(meaning)) != len(meaning) for meaning in means):
        raise ValueError("every answer at most once in a meaning")
    text, blank = read_wording(raw["text"], languages), read_blank(raw["blank"])
    return TableQuestion(raw["name"], text, answers, reports, means, table, blank, raw["about"])


_READERS: dict[str, Callable[[Any, Sequence[str]], Question]] = {
    "choice": _choice,
    "number": _number,
    "table": _table,
    "cuts": read_cuts,
    "ring": read_ring,
}
