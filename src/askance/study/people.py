"""Respondents for rehearsals: invented, or read from a table; how far they go, what they send."""

import csv
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar, final
from urllib.parse import urlsplit

import numpy as np

from askance.inference.line.cells import SHARES
from askance.inference.line.plain_number import ticks_to_report
from askance.random_streams import random_stream
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.collect.export import find_columns
from askance_collect.errors import (
    AskanceError,
    DocumentError,
    InputError,
    ReportRefused,
    listed_names,
    refuse_unknown,
)
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import read_integer, read_ratio
from askance_collect.respond.encode import Draws, draw, encode, follow_skips, next_cut, respond
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import keep_unchangeable
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    TableQuestion,
)


@final
@dataclass(frozen=True, slots=True)
class Recorded:
    """The people of a rehearsal, with their true answers and shares.

    Attributes
    ----------
    people : tuple of mappings from str to int, str or None
        Each person's answers as the respondent's side takes them; None is no answer.
    truth : mapping of str to mapping of str to float
        By question the share of each answer, or the mean and quantiles of a number.
    numbers : mapping of str to tuple of float
        By question on a line, the numbers themselves.
    """

    people: tuple[Mapping[str, int | str | None], ...]
    truth: Mapping[str, Mapping[str, float]]
    numbers: Mapping[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "people truth numbers")


@checked
def read_answers(path: Path, form: Form) -> Recorded:
    """Read a CSV table with a column for each question: names of answers, or numbers.

    An empty cell is no answer. Columns that the form does not ask for are ignored. Whoever skips a
    question by the form's rules has the answer that the form says, whatever the table has.

    Parameters
    ----------
    path : str or Path
        The table.
    form : Form

    Raises
    ------
    DocumentError
        If a column is missing or a cell is not an answer; the message names row and column.
    """
    head, rows = _read_table(path)
    columns: dict[str, list[str]] = {}
    find_columns(head, {question.name: (question.name,) for question in form.questions}, path.name)
    for question in form.questions:
        columns[question.name] = [(row[question.name] or "").strip() for row in rows]
    return record(form, columns, path.name)


def record(form: Form, columns: Mapping[str, Sequence[str]], where: str) -> Recorded:
    """Take people's answers, one list for each question, as the respondent's side does."""
    kinds = {question.name: answering(question) for question in form.questions}
    encoded = {
        name: [
            kind.read(cell, f"{where}: row {row}, column {name}") if cell else None
            for row, cell in enumerate(columns[name], start=2)
        ]
        for name, kind in kinds.items()
    }
    people = [dict(zip(kinds, row, strict=True)) for row in zip(*encoded.values(), strict=True)]
    cells = {name: list(columns[name]) for name in kinds}
    if form.skips:
        _apply_skips(form, people, cells)
    answered = {name: [cell for cell in cells[name] if cell] for name in kinds}
    numbers = {
        name: tuple(float(read_ratio(cell)) for cell in answered[name])
        for name, kind in kinds.items()
        if kind.numeric
    }
    truth = {name: kind.truth(answered[name]) for name, kind in kinds.items()}
    return Recorded(tuple(people), truth, numbers)


def _apply_skips(
    form: Form, people: list[dict[str, int | str | None]], cells: Mapping[str, list[str]]
) -> None:
    """Give people who skip a question the answer that their device would send."""
    decided = [
        question
        for question in form.questions
        if question.is_randomised or question.is_known_to_device or isinstance(question, FreeText)
    ]
    names = [question.name for question in decided]
    rules = [
        (form.questions[skip.question], form.questions[skip.after].name, skip)
        for skip in form.skips
    ]
    for row, person in enumerate(people):
        followed = follow_skips(form, {name: person[name] for name in names})
        for question, after, skip in rules:
            name, answer = question.name, followed[question.name]
            if followed[after] in skip.answered or answer != person[name]:
                person[name] = answer
                cells[name][row] = answering(question).write(answer)


def _read_table(path: Path) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            names, rows = tuple(reader.fieldnames or ()), list(reader)
    except OSError as error:
        raise DocumentError(str(path), got=error.strerror, allowed="a readable file") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise DocumentError(f"{path}: row 1", got=f"two columns {twice[0]!r}", allowed="one each")
    return names, rows


_EVEN = "even"


class AbstractAnswering(ABC):
    """Read, write and invent the answers to one kind of question.

    Attributes
    ----------
    numeric : bool
        Whether answers are numbers.
    """

    __slots__ = ()
    numeric: ClassVar[bool]

    @abstractmethod
    def read(self, cell: str, where: str) -> int | str:
        """Read an answer as the respondent's side takes it."""

    def write(self, answer: int | None) -> str:
        """Write an answer as a cell of a table; an empty cell for no answer."""
        return "" if answer is None else self.cell(answer)

    @abstractmethod
    def cell(self, answer: int, /) -> str:
        """Write an answer: its name, or its number; of a step of all numbers its upper end.

        The first step is written as the lower end of the line, where all that is below it counts.
        """

    @abstractmethod
    def truth(self, cells: Sequence[str], /) -> dict[str, float]:
        """True values among those who answer: shares, or the mean and quantiles."""

    @abstractmethod
    def invent(self, law: Any, people: int) -> list[str]:
        """Invent the answers of so many people, by a law or evenly."""

    @abstractmethod
    def upto(self, answers: Sequence[int], /) -> Floats:
        """The share of people up to each answer, or up to each tick of `ticks_to_report`."""


def answering(question: Question) -> AbstractAnswering:
    """Find how people answer a question."""
    match question:
        case Choice():
            return _Names(judged := question.underlying_question, _name_sets(judged))
        case TableQuestion() if question.sets:
            return _Names(question, _name_sets(question))
        case TableQuestion():
            judged, classes = question.underlying_question, question.answer_classes
            members = {
                label.name: [i for i, own in enumerate(classes) if own == position]
                for position, label in enumerate(judged.answers)
            }
            return _Names(question, {} if judged is question else members)
        case Number():
            return _Ticks(question)
        case FreeText():
            return _Words(question)
        case _:
            return _Steps(question)


def _name_sets(question: Choice | TableQuestion) -> dict[str, Sequence[int]]:
    sets = question.sets if isinstance(question, TableQuestion) else ()
    return {label.name: members for label, members in sets}


@final
@dataclass(frozen=True, slots=True)
class _Names(AbstractAnswering):
    """Answers by name."""

    numeric: ClassVar[bool] = False
    question: Choice | TableQuestion
    sets: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [answer.name for answer in self.question.answers]

    def read(self, cell: str, where: str) -> int:
        if cell not in self.names:
            raise DocumentError(where, allowed=f"{listed_names(self.names)}; or an empty cell")
        return self.names.index(cell)

    def cell(self, answer: int) -> str:
        return self.names[answer]

    def truth(self, cells: Sequence[str]) -> dict[str, float]:
        if not cells:
            return {}
        shares = {name: cells.count(name) / len(cells) for name in self.names}
        ordered = [shares[name] for name in self.names]
        return {
            name: sum(ordered[i] for i in members) for name, members in self.sets.items()
        } or shares

    def invent(self, law: Any, people: int) -> list[str]:
        names, where = self.names, self.question.name
        shares = np.ones(len(names)) if law is _EVEN else _read_shares(law, len(names), where)
        upto = np.cumsum(shares / shares.sum())
        positions = np.searchsorted(upto, _space_levels(people), side="right")
        return [names[min(position, len(names) - 1)] for position in positions.tolist()]

    def upto(self, answers: Sequence[int]) -> Floats:
        return _accumulate(np.bincount(answers))


@final
@dataclass(frozen=True, slots=True)
class _Ticks(AbstractAnswering):
    """Numbers at the ticks of a line."""

    numeric: ClassVar[bool] = True
    question: Number

    def read(self, cell: str, where: str) -> int:
        line = self.question.line
        tick = (_read_number(cell, where) - line.value_at(0)) / line.step
        if tick.denominator != 1 or not line.spacing <= tick <= line.ticks:
            raise DocumentError(where, allowed=f"{line.lower} to {line.upper} by {line.step}")
        return int(tick)

    def cell(self, answer: int) -> str:
        return str(self.question.line.value_at(answer))

    def truth(self, cells: Sequence[str]) -> dict[str, float]:
        return _describe_numbers(cells)

    def invent(self, law: Any, people: int) -> list[str]:
        line = self.question.line
        inside = _place_inside(line, law, people, self.question.name)
        ticks = np.rint((inside - float(line.lower)) / float(line.step)).astype(int)
        return [str(line.lower + line.step * tick) for tick in ticks.tolist()]

    def upto(self, answers: Sequence[int]) -> Floats:
        ticks = ticks_to_report(self.question.line, answers)
        return _accumulate(np.bincount(np.searchsorted(ticks, answers), minlength=len(ticks)))


@final
@dataclass(frozen=True, slots=True)
class _Steps(AbstractAnswering):
    """Numbers in the steps of a line."""

    numeric: ClassVar[bool] = True
    question: RangeQuestion

    def read(self, cell: str, where: str) -> int:
        try:
            return self.question.line.cell(_read_number(cell, where))
        except InputError as error:
            raise DocumentError(where, allowed=error.allowed) from error

    def cell(self, answer: int) -> str:
        line = self.question.line
        return str(line.value_at(answer + 1) if answer or line.integer else line.lower)

    def truth(self, cells: Sequence[str]) -> dict[str, float]:
        return _describe_numbers(cells)

    def invent(self, law: Any, people: int) -> list[str]:
        inside = _place_inside(self.question.line, law, people, self.question.name)
        if self.question.line.integer:
            return [str(number) for number in inside.astype(int).tolist()]
        return [repr(number) for number in inside.tolist()]

    def upto(self, answers: Sequence[int]) -> Floats:
        steps = np.bincount(answers, minlength=self.question.line.ticks)
        return _accumulate(np.concatenate([[0], steps]))


@final
@dataclass(frozen=True, slots=True)
class _Words(AbstractAnswering):
    """Free texts, without a known distribution."""

    numeric: ClassVar[bool] = False
    question: FreeText

    def read(self, cell: str, where: str) -> str:
        if not self.question.allows_plaintext(cell):
            most = f"at most {self.question.limit} characters in {self.question.lines} lines"
            raise DocumentError(where, allowed=f"{most}; or an empty cell")
        return cell

    def cell(self, _answer: int, /) -> str:
        return _INVENTED

    def truth(self, _cells: Sequence[str], /) -> dict[str, float]:
        return {}

    def invent(self, law: Any, people: int) -> list[str]:
        if law is not _EVEN:
            where, allowed = f"expected.{self.question.name}", "no law of what people write"
            raise InputError(where, got=law, allowed=allowed)
        return [_INVENTED] * people

    def upto(self, _answers: Sequence[int], /) -> Floats:
        return np.ones(1)


_INVENTED = "…"
"""What invented people write."""


def _accumulate(counts: Integers) -> Floats:
    return np.asarray(np.cumsum(counts) / counts.sum())


def _read_number(cell: str, where: str) -> Fraction:
    try:
        return read_ratio(cell, where)
    except AskanceError as error:
        raise DocumentError(where, allowed="a number") from error


def _describe_numbers(cells: Sequence[str]) -> dict[str, float]:
    """The mean and the quantiles of numbers."""
    if not cells:
        return {}
    ascending = sorted(float(read_ratio(cell)) for cell in cells)
    quantiles = {
        name: ascending[math.ceil(share * len(ascending)) - 1] for share, name in SHARES.items()
    }
    return {"mean": fmean(ascending), **quantiles}


_MOST = 10_000_000  # people that fit in memory


@checked
def invent_answers(
    form: Form, expected: Mapping[str, Any] | None = None, *, people: int = 2_000
) -> Recorded:
    """Invent people who answer a form as is expected of them, to rehearse it with.

    Every question has its own distribution; the answers of one person to two questions have nothing
    to do with each other, since each list is shuffled by a fixed rule, but for rules by which a
    question is skipped: what is expected of it is of those who are asked, and whoever skips it has
    the answer that the form says.

    Parameters
    ----------
    form : Form
    expected : mapping of str to distribution or sequence of number, optional
        By question: for a number a distribution with a ``ppf``, as those of SciPy, whose numbers
        are brought inside the line; for named answers a share of each. Even where left out.
    people : int

    Raises
    ------
    InputError
        If a question is not the form's, a distribution gives no numbers, or shares do not fit.

    >>> from askance.survey.survey_file import load_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> invent_answers(form, {"affair": [0.3, 0.7]}, people=10).truth["affair"]["yes"]
    0.3
    """
    laws = dict(expected or {})
    names = [question.name for question in form.questions]
    for name in laws:
        refuse_unknown("expected", name, names)
    people = read_integer(people, "people", f"a whole number from 1 to {_MOST:,}", 1, _MOST)
    cells = {
        question.name: _shuffle(
            answering(question).invent(laws.get(question.name, _EVEN), people), question.name
        )
        for question in form.questions
    }
    return record(form, cells, "invented")


def _shuffle(cells: Sequence[str], question: str) -> list[str]:
    order = random_stream(0, "invent_answers", question).permutation(len(cells))
    return [cells[row] for row in order]


def _place_inside(line: Line, law: Any, people: int, name: str) -> Any:
    """Quantiles of a distribution at evenly spaced levels, clipped to the line."""
    low, high, half = float(line.lower), float(line.upper), line.spacing / 2
    if law is _EVEN:
        numbers = low - half + (high - low + line.spacing) * _space_levels(people)
    else:
        numbers = _draw_quantiles(law, people, name)
    return np.clip(np.floor(numbers + half) if line.integer else numbers, low, high)


def _space_levels(people: int) -> Any:
    return (np.arange(people) + 0.5) / people


def _read_shares(law: Any, answers: int, name: str) -> Any:
    try:
        shares = np.array(law, dtype=float)
    except (TypeError, ValueError):
        shares = np.empty(0)
    right = shares.shape == (answers,) and np.isfinite(shares).all() and (shares >= 0).all()
    if not right or not shares.sum():
        raise InputError(f"expected.{name}", got=law, allowed=f"{answers} shares, not all zero")
    return shares


def _draw_quantiles(law: Any, people: int, name: str) -> Any:
    if not hasattr(law, "ppf"):
        raise InputError(f"expected.{name}", got=law, allowed="a distribution with a ppf")
    quantiles = np.asarray(law.ppf(_space_levels(people)), dtype=float)
    if quantiles.shape != (people,) or np.isnan(quantiles).any():
        raise InputError(f"expected.{name}", got=law, allowed="a distribution of one number")
    return quantiles


@final
class StoppingRule(Enum):
    """The rule by which a person stops narrowing the range.

    With ``BEFORE`` she stops once her present range holds no more of the people than she likes: a
    choice made before the next cut is seen, so that it tells no more than the range itself. With
    ``AFTER`` she looks at her own side of the next cut, and steps back where that is too narrow;
    then her stopping says where she is (Ding & Ding, 2022, Example 4).
    """

    BEFORE = "before the next cut is seen"
    AFTER = "after her own side of it is seen"

    def agreed_steps(
        self, question: CutsQuestion, step: int, draws: Draws, sensitivity: float, cdf: Floats
    ) -> int:
        """Count the cuts that a person accepts before stopping.

        Parameters
        ----------
        question : CutsQuestion
        step : int
            The step of the answer.
        draws : tuple of int
        sensitivity : float
            The least share of the people that should be left in the range.
        cdf : array, shape (ticks + 1,)
            The share of people up to each tick.
        """
        low, high, agreed = 0, question.line.ticks, 0
        while cdf[high] - cdf[low] > sensitivity:
            tick = next_cut(question, draws, (low, high))
            if tick is None:
                break
            side = (tick, high) if tick <= step else (low, tick)
            if self is StoppingRule.AFTER and cdf[side[1]] - cdf[side[0]] < sensitivity:
                break
            (low, high), agreed = side, agreed + 1
        return agreed


def fetch(url: str) -> bytes:
    """Get a document from a collector.

    Raises
    ------
    ReportRefused
        If it does not answer with the document.
    """
    connection = _connect(url)
    try:
        connection.request("GET", urlsplit(url).path or "/")
        reply = connection.getresponse()
        body = reply.read()
    except (OSError, HTTPException) as error:
        raise ReportRefused("unreachable", url, allowed="a collector that answers") from error
    finally:
        connection.close()
    if reply.status != 200:
        raise ReportRefused("unreachable", url, allowed="a collector that answers")
    return body


def send_all(
    url: str,
    form: Form,
    people: Iterable[Mapping[str, Any]],
    done: Callable[[], None] = lambda: None,
) -> int:
    """Privatise each person's answers with fresh random bits and post the report.

    Parameters
    ----------
    url : str
        The collector's folder, ending in a slash.
    form : Form
    people : iterable of mappings
        Answers as `ak.respond.respond` takes them.
    done : callable
        Called after each acknowledgement, for a progress bar.

    Returns
    -------
    int
        How many reports were acknowledged.

    Raises
    ------
    ReportRefused
        If the collector does not acknowledge a report.
    """
    connection = _connect(url)
    path = f"{urlsplit(url).path.rstrip('/')}/report"
    acknowledged = 0
    try:
        for answers in people:
            body = respond(form, _replies(form, answers)).body(form.size)
            connection.request("POST", path, body, {"content-type": "text/plain"})
            reply = connection.getresponse()
            reply.read()
            if reply.status != 201:
                raise ReportRefused("refused", f"{url}report", allowed="status 201")
            acknowledged += 1
            done()
    except (OSError, HTTPException) as error:
        raise ReportRefused("unreachable", url, allowed="a collector that answers") from error
    finally:
        connection.close()
    return acknowledged


def _replies(form: Form, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Simulate the physical coins of invented people: replace answers by replies."""
    replies = dict(answers)
    for question in form.questions:
        if not isinstance(question, Choice) or answers.get(question.name) is None:
            continue
        judged = question.underlying_question
        if isinstance(judged, TableQuestion):
            replies[question.name] = encode(judged, answers[question.name], draw(judged))
    return replies


def _connect(url: str) -> HTTPConnection:
    parts = urlsplit(url)
    return HTTPConnection(parts.hostname or "", parts.port, timeout=30)
