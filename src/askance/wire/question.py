"""The four kinds of question a form can hold, each with the reports that are possible under it.

A ``choice`` and a ``number`` are asked plainly. A ``table`` question sends a column drawn from the
answer's row; a ``cuts`` question sends the cell of a randomly cut line that holds the answer.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeGuard, final

from askance.errors import AskanceError, FormError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.exact.table import LARGEST_TOTAL, Table

_MOST_TICKS = 100_000
_WRITTEN = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15}|/[0-9]{1,15})?")

Value = int | tuple[int, int] | None
"""What one question contributes to a report: a column, a tick, a cell, or nothing."""


@final
@dataclass(frozen=True, slots=True)
class Label:
    """A stable name with its wording in each language of the form."""

    name: str
    wording: Mapping[str, str]


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A question with named answers, asked plainly: the report is the answer's index."""

    kind: ClassVar[str] = "choice"
    name: str
    text: Mapping[str, str]
    answers: tuple[Label, ...]

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return _is_index(value, len(self.answers))

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

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return _is_index(value, self.line.ticks + 1)

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

    def allows(self, value: object) -> bool:
        """Say whether some answer can send this value."""
        return _is_index(value, len(self.reports)) and any(row[value] for row in self.table.rows)

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.reports) - 1)))


@final
@dataclass(frozen=True, slots=True)
class CutsQuestion:
    """A protected number: ``number`` cuts fall on inner ticks by ``weights``; the cell is reported.

    The value ``(a, b)`` reads "above tick a, up to tick b"; tick 0 as the lower end means "no lower
    limit" and the last tick as the upper end means "no upper limit", so that every report is true.
    """

    kind: ClassVar[str] = "cuts"
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]
    number: int
    weights: tuple[int, ...]
    typed: bool
    blank: tuple[int, int]
    about: Mapping[str, Any]

    def allows(self, value: object) -> bool:
        """Say whether some draw of the cuts has this cell."""
        if not (isinstance(value, list | tuple) and len(value) == 2):
            return False
        low, high = value
        if not (_is_index(low, self.line.ticks) and _is_index(high, self.line.ticks + 1)):
            return False
        inner = [tick for tick in (low, high) if 0 < tick < self.line.ticks]
        cut = all(self.weights[tick - 1] for tick in inner)
        return low < high and 0 < len(inner) <= self.number and cut

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return len(f"[{self.line.ticks},{self.line.ticks}]")


Question = Choice | Number | TableQuestion | CutsQuestion


def _is_index(value: object, bound: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < bound


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


def _wording(raw: Any, languages: Sequence[str]) -> dict[str, str]:
    wording = {str(language): str(raw[language]) for language in languages}
    if any(type(text) is not str for text in raw.values()) or set(raw) != set(languages):
        raise ValueError("one text for each language of the form")
    return wording


def _labels(raw: Any, languages: Sequence[str]) -> tuple[Label, ...]:
    labels = tuple(Label(one["name"], _wording(one["label"], languages)) for one in raw)
    if any(type(label.name) is not str or not label.name for label in labels):
        raise ValueError("a text as the name of every label")
    if len({label.name for label in labels}) != len(labels) or len(labels) < 2:
        raise ValueError("at least two labels, all different")
    return labels


def _line(raw: Any) -> Line:
    ticks = raw["ticks"]
    if type(ticks) is not int or not 2 <= ticks <= _MOST_TICKS:
        raise ValueError(f"a line of 2 to {_MOST_TICKS} ticks")
    if not all(type(raw[end]) is str and _WRITTEN.fullmatch(raw[end]) for end in ("lower", "step")):
        raise ValueError('numbers written as "17", "0.5" or "1/2"')
    lower, step = ratio(raw["lower"], "line.lower"), ratio(raw["step"], "line.step")
    return Line(lower, lower + ticks * step, step)


def _blank(raw: Any) -> tuple[int, int]:
    units, total = raw
    if not (type(units) is type(total) is int and 0 <= units < total <= LARGEST_TOTAL):
        raise ValueError("blank as [units, total] with units below total")
    return units, total


def _choice(raw: Any, languages: Sequence[str]) -> Choice:
    return Choice(raw["name"], _wording(raw["text"], languages), _labels(raw["answers"], languages))


def _number(raw: Any, languages: Sequence[str]) -> Number:
    return Number(
        raw["name"],
        _wording(raw["text"], languages),
        _line(raw["line"]),
        _wording(raw["line"]["unit"], languages),
    )


def _table(raw: Any, languages: Sequence[str]) -> TableQuestion:
    answers, reports = _labels(raw["answers"], languages), _labels(raw["reports"], languages)
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
    text = _wording(raw["text"], languages)
    blank = _blank(raw["blank"])
    return TableQuestion(raw["name"], text, answers, reports, means, table, blank, raw["about"])


def _cuts(raw: Any, languages: Sequence[str]) -> CutsQuestion:
    line, unit, cuts = _line(raw["line"]), _wording(raw["line"]["unit"], languages), raw["cuts"]
    number, weights = cuts["number"], tuple(cuts["weights"])
    if any(type(weight) is not int or weight < 0 for weight in (number, *weights)):
        raise ValueError("whole, non-negative weights")
    if len(weights) != line.ticks - 1 or not 0 < sum(weights) <= LARGEST_TOTAL:
        raise ValueError("one weight for each inner tick, with a sum in [1, 2^48]")
    typed, text, blank = raw["typed"], _wording(raw["text"], languages), _blank(raw["blank"])
    if not 1 <= number <= 16 or type(typed) is not bool:
        raise ValueError("1 to 16 cuts, and typed as true or false")
    return CutsQuestion(raw["name"], text, line, unit, number, weights, typed, blank, raw["about"])


_READERS: dict[str, Callable[[Any, Sequence[str]], Question]] = {
    "choice": _choice,
    "number": _number,
    "table": _table,
    "cuts": _cuts,
}
