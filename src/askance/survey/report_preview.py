"""What a report will look like and give away, in sentences: kinds, previews, coverage and rows."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Protocol, final

import numpy as np

from askance.channels.range_channel import left_over
from askance.privacy.guarantee import EVENLY, Guarantee, Notion
from askance.results import json_of
from askance.typing import Floats, Integers, Json
from askance_collect.exact.ratio import cautious, percent
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import (
    Number,
    Question,
    RangeQuestion,
    TableQuestion,
    Value,
    count_in_unit,
)

SENT_AS_GIVEN = "Sent as it is given: this question is not protected."
UNPROTECTED = "Not protected: the report reveals the answer."

COIN = (
    "The reply is sent as it is given, and the device draws nothing. It is protected by {}, if "
    "nobody knows the outcome and its chances are as the survey says."
)

LEARNT = "Whoever sees a report learns for certain that the answer fits it, and nothing more."
SHARE_TOLERANCE = 1e-9
"""Shares of people that count as equal."""

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@final
class ReportKind(Enum):
    """How an answer becomes what is sent."""

    PLAINLY = "as it is given"
    BARE = "as a report that reveals it"
    PERHAPS_FALSE = "as a report that may be false"
    BROAD = "as a report that is true, but fits other answers too"
    PROVING = "as a report that can prove it"


Stretches = tuple[tuple[float, float], ...]
"""Parts of what lies between 0 and 1, ascending."""


class ShareLaw(Protocol):
    """How a share is distributed, such as a `CoverageLaw`."""

    @property
    def mean(self) -> float:
        """The mean share."""

    @property
    def minimum(self) -> float:
        """The smallest share."""

    @property
    def values(self) -> Floats:
        """The shares that can be, ascending."""

    @property
    def chances(self) -> Floats:
        """The chance of each."""

    def plot(self, ax: Any = None) -> Any:
        """Draw the distribution."""

    def quantile(self, share: Any) -> Any:
        """The share that is not exceeded with this chance."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPreview:
    """Preview of reports that are always true: typical and worst one, and law of the coverage.

    Attributes
    ----------
    assumed_population : str
        How common answers are taken to be.
    typical : str
        The report whose individual coverage is the median; of several, the likeliest.
    worst : str
        The report that fewest people's answers fit.
    worst_share : str
        How many of 100 people that are.
    law : ShareLaw
        Of the share of people whose answers a report leaves possible. One that is withheld counts
        as 1, one that chance leaves blank does not count.
    learnt : tuple of str
        What whoever sees the report learns.
    typical_held, worst_held : tuple of (float, float)
        What those two reports hold: stretches of the line, or of the listed answers, from 0 to 1.
    ends : tuple of (str, str)
        What stands at 0 and at 1.
    notes : tuple of str
        What the law takes for granted, such as how reports count that are no ranges.
    """

    assumed_population: str
    typical: str
    worst: str
    worst_share: str
    law: ShareLaw
    learnt: tuple[str, ...]
    typical_held: Stretches
    worst_held: Stretches
    ends: tuple[str, str]
    notes: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Typical and worst report, each in a sentence."""
        middle = percent(Fraction(float(self.law.quantile(0.5))).limit_denominator(1000))
        return (
            f"Typically: {self.typical}. "
            f"Of 100 people, {self.assumed_population}, {middle} would fit.",
            f"At worst: {self.worst}. That would fit {self.worst_share} of 100.",
        )

    def to_dict(self) -> Json:
        """Write the preview for JSON; numbers as strings, as a form needs them."""
        quantiles = zip(_QUANTILES, self.law.quantile(_QUANTILES), strict=True)
        coverage = {"mean": self.law.mean, "least": self.law.minimum}
        coverage |= {f"{share:g}": value for share, value in quantiles}
        return json_of(self, "spread=assumed_population typical worst") | {
            "coverage": {name: f"{value:.4f}" for name, value in coverage.items()},
            "learnt": list(self.learnt),
        }


def figure(guarantee: Guarantee) -> str:
    """Print a guarantee as its figure, rounded towards caution.

    >>> figure(Guarantee(Notion.LOCAL, Fraction(6), ""))
    'ε = 1.791760 (ratio 6)'
    >>> figure(Guarantee(Notion.LOCAL, math.inf, "")), figure(Guarantee(Notion.ADVANTAGE, 0.5, ""))
    ('ε = ∞', '0.5000')
    """
    if not guarantee.notion.is_loss:
        return guarantee.printed(4)
    if guarantee.notion is Notion.FLATNESS:
        return f"ratio {guarantee.printed(4)}"
    if guarantee.value == math.inf:
        return "ε = ∞"
    return f"ε = {guarantee.epsilon:.6f} (ratio {guarantee.printed(4)})"


def describe_blanks(blank: Fraction) -> list[str]:
    """State how many of 100 people send nothing; an empty list if nobody does.

    >>> describe_blanks(Fraction(1, 20)), describe_blanks(Fraction(0))
    (['5 send nothing'], [])
    """
    return [f"{percent(blank)} send nothing"] if blank else []


def write_blank_sentence(blank: Fraction) -> tuple[str, ...]:
    """Write the share of people who send nothing as a sentence; no sentence if nobody does.

    >>> write_blank_sentence(Fraction(1, 20))
    ('Of 100 people, whatever their answer, 5 send nothing by chance.',)
    """
    return tuple(
        f"Of 100 people, whatever their answer, {blanks} by chance."
        for blanks in describe_blanks(blank)
    )


def describe_row(question: TableQuestion, i: int) -> str:
    """Describe the reports to one answer in counts of 100 people."""
    blank = Fraction(*question.blank)
    shares = [
        f"{percent(chance * (1 - blank))} send “{report.name}”"
        for chance, report in zip(question.table.row(i), question.reports, strict=True)
        if chance
    ]
    listing = ", ".join(shares + describe_blanks(blank))
    return f"Of 100 people whose answer is “{question.answers[i].name}”, {listing}."


def find_narrowest(coverages: Floats, among: Integers) -> int:
    """Find the report of least coverage among the given ones.

    >>> find_narrowest(np.array([0.5, 0.25, 0.1]), np.array([0, 1]))
    1
    """
    return int(among[coverages[among] < coverages[among].min() + SHARE_TOLERANCE][0])


def find_typical(coverages: Floats, chances: Floats) -> int:
    """Find the report of median coverage; among ties the most probable one.

    >>> find_typical(np.array([0.5, 0.25, 0.5]), np.array([0.2, 0.4, 0.4]))
    2
    """
    order = np.argsort(coverages, kind="stable")
    upto = np.cumsum(chances[order])
    median = coverages[order[np.searchsorted(upto, upto[-1] / 2 * (1 - SHARE_TOLERANCE))]]
    ties = np.flatnonzero(np.abs(coverages - median) < SHARE_TOLERANCE)
    likeliest = chances[ties].max()
    return int(ties[chances[ties] > likeliest - SHARE_TOLERANCE][0])


def correct_rounding(share: float) -> Fraction:
    """Round a share that was summed in doubles up by more than their rounding error.

    >>> correct_rounding(0.25) > Fraction(1, 4)
    True
    """
    return Fraction(share * (1 + SHARE_TOLERANCE))


def describe_coverage(
    guarantees: Sequence[Guarantee], *, partly_exact: bool = False, proves: bool = False
) -> str:
    """State the coverage of reports that are always true, on average and at worst.

    >>> wide = [Guarantee(notion, Fraction(1, 2), "") for notion in (Notion.COVERAGE, Notion.FLOOR)]
    >>> describe_coverage(wide)
    'Always true: on average 50 of 100 people could have sent it; at worst 50.'
    """
    values = {guarantee.notion: Fraction(guarantee.value) for guarantee in guarantees}
    average, minimum = (
        cautious(values[notion], math.floor) for notion in (Notion.COVERAGE, Notion.FLOOR)
    )
    how = "Proof possible" if proves else "Always true"
    how = "Partly exact" if partly_exact else how
    return f"{how}: on average {average} of 100 people could have sent it; at worst {minimum}."


class AbstractDeployed(ABC):
    """A deployed question: built once from the form's integers, with its guarantees.

    What is the same for every question of a kind stands in its class as a constant.

    Attributes
    ----------
    question : Question
        As it stands in the form; what judges wrote beside it may be missing.
    guarantees : tuple of Guarantee
        Of a report as it is drawn; none where reports are the answers.
    """

    __slots__ = ()
    question: Question
    guarantees: tuple[Guarantee, ...]

    @property
    @abstractmethod
    def report_kind(self) -> ReportKind:
        """How an answer becomes what is sent."""

    @property
    @abstractmethod
    def assumed_population(self) -> str:
        """How common answers are taken to be, in every figure about this question."""

    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, in counts of 100 people or as the ranges that can be sent."""

    def answer_sentences(self) -> tuple[str, ...]:
        """Those of the sentences that say in turn what is sent for each answer."""
        return ()

    @property
    @abstractmethod
    def by_answer(self) -> bool:
        """Whether there is a sentence for each answer, so that pages may show the first few."""

    def preview(self) -> ReportPreview | None:
        """Say what a report will look like; None where reports may lie, or are the answers."""
        return None

    @abstractmethod
    def protection(self) -> str:
        """Say in a sentence how well one report is protected; for `assumed_population`."""

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name; nothing for a number or a text."""
        return {}

    @abstractmethod
    def column(self, values: Sequence[Value], /) -> list[Any] | None:
        """What was reported as a column of a table; None where it is texts or ranges."""


class AbstractPlain(AbstractDeployed):
    """A question that is asked plainly: the report is the answer."""

    __slots__ = ()
    report_kind: ClassVar[ReportKind] = ReportKind.PLAINLY
    assumed_population: ClassVar[str] = EVENLY
    by_answer: ClassVar[bool] = False

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent."""
        return (SENT_AS_GIVEN,)

    def protection(self) -> str:
        """State that a report is not protected."""
        return UNPROTECTED


def describe_range(question: RangeQuestion, cell: tuple[int, int]) -> str:
    """Describe a reported range in words: above its lower end, up to its upper end.

    >>> from askance_collect.wire.question import read_question
    >>> raw = {"kind": "ring", "name": "q", "text": {"en": ""}, "ask": "cells", "about": {}}
    >>> raw |= {"line": {"lower": "0", "step": "500", "ticks": 4, "unit": {"en": "euros"}}}
    >>> ring = {"weights": [1, 1, 1], "sizes": [1, 1, 1, 1], "least": 1}
    >>> question = read_question(raw | {"ring": ring, "typed": False, "blank": [0, 1]}, ["en"], "q")
    >>> [describe_range(question, cell) for cell in [(1, 3), (3, 1)]]
    ['between 500 and 1,500 euros', '500 euros or less, or more than 1,500 euros']
    >>> cuts = {"number": 1, "weights": [1, 0, 1], "floor": None, "open": [[1, 2]]}
    >>> raw |= {"kind": "cuts", "cuts": cuts, "typed": False, "blank": [0, 1]}
    >>> question = read_question(raw, ["en"], "q")
    >>> [describe_range(question, cell) for cell in [(1, 2), (0, 1)]]
    ['1,000 euros', '500 euros or less']
    >>> describe_range(question, (0, 3))
    '1,500 euros or less, but not what is sent exactly'
    >>> describe_range(question, (0, 4))
    'any answer, but not what is sent exactly'
    >>> raw |= {"cuts": cuts | {"open": []}}
    >>> raw |= {"line": {"lower": "-1", "step": "1", "ticks": 4, "unit": {"en": ""}, "whole": True}}
    >>> question = read_question(raw, ["en"], "q")
    >>> [describe_range(question, cell) for cell in [(0, 1), (1, 2), (1, 3), (3, 4)]]
    ['0 or less', '1', '1 to 2', '3 or more']
    """
    low, high = cell
    if question.is_sent_exactly(low) and high == low + 1:
        return describe_number(question, question.line.value_at(high))
    if low > high:
        outer = (0, high), (low, question.line.ticks)
        return ", or ".join(describe_range(question, end) for end in outer)
    if left_over(question.open, *cell) != (cell,):
        return f"{_describe_interval(question, cell)}, but not what is sent exactly"
    return _describe_interval(question, cell)


def describe_number(
    question: RangeQuestion | Number, number: Fraction, word: Callable[[str], str] | None = None
) -> str:
    """Describe a number with its unit in the form's first language, in the right plural.

    ``word`` words the number, given the unit; without it the unit follows the number.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import Number
    >>> plurals = {"one": {"en": "year"}}
    >>> age = Number("age", {}, Line(0, 9), {"en": "years"}, plurals)
    >>> describe_number(age, Fraction(1)), describe_number(age, Fraction(2))
    ('1 year', '2 years')
    >>> describe_number(Number("age", {}, Line(0, 9), {"en": "years"}), Fraction(1))
    'years: 1'
    """
    language = next(iter(question.unit))
    if word is None:
        word = f"{format_number(number)} {{}}".format
    return count_in_unit(number, question.unit, question.wordings, language, word)


def format_number(number: Fraction) -> str:
    """Write a number for reading."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,g}"


def _describe_interval(question: RangeQuestion, cell: tuple[int, int]) -> str:
    (low, high), line = cell, question.line
    above, upto = (line.value_at(tick) for tick in cell)
    is_last = high == line.ticks
    if is_last and not low:
        return "any answer"
    if is_last and "highest" in question.wordings and high - low == 1:
        return in_first_language(question.wordings["highest"])
    if not low:
        return _describe_lowest(question, high)
    number = format_number(above)
    if is_last and not line.integer:
        return describe_number(question, above, f"more than {number} {{}}".format)
    if not line.integer:
        span = f"between {number} and {format_number(upto)} {{}}"
        return describe_number(question, upto, span.format)
    return _describe_whole(question, low, high)


def _describe_whole(question: RangeQuestion, low: int, high: int) -> str:
    """Describe whole numbers by the first and the last of them."""
    first, last = question.line.value_at(low) + 1, question.line.value_at(high)
    if high == question.line.ticks:
        return describe_number(question, first, f"{format_number(first)} {{}} or more".format)
    if first == last:
        return describe_number(question, last)
    span = f"{format_number(first)} to {format_number(last)} {{}}"
    return describe_number(question, last, span.format)


def _describe_lowest(question: RangeQuestion, high: int) -> str:
    """Describe a range that begins at the lowest answer, which may have a name of its own."""
    last = question.line.value_at(high)
    rest = describe_number(question, last, f"{format_number(last)} {{}} or less".format)
    if "lowest" not in question.wordings:
        return rest
    name = in_first_language(question.wordings["lowest"])
    if not question.line.integer or question.line.step > 1:
        return f"{name}, or {rest}"
    return name if high == 1 else f"{name}, or {_describe_whole(question, 1, high)}"
