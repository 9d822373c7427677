"""The interface of a deployed question of any kind, and the values that it returns.

They are gathered in a `Check` of a form before it is asked, and in an `Analysis` of its reports.

A deployed question is built once, with its channel and with what that guarantees, and is handed on
from verb to verb. Each kind is a class; what differs by kind is a method of it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.channels.tally import Tally
from askance.engines.counts import Fieldwork
from askance.errors import FormError
from askance.exact.ratio import cautious, percent
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.line.cells import LineEstimate
from askance.inference.shares.information import Estimate
from askance.privacy.coverage import CoverageLaw
from askance.privacy.guarantee import EVENLY, Guarantee, Notion
from askance.results import kept_mapping
from askance.survey.attention import AttentionCheck
from askance.survey.ticked import ListFinding
from askance.typing import Floats, Integers, Json
from askance.wire.answer_question import TableQuestion
from askance.wire.form import Form
from askance.wire.question import Question, ReportCounts, Value

SENT_AS_GIVEN = "Sent as it is given: this question is not protected."
UNPROTECTED = "Not protected: what is sent tells the answer."
COIN = (
    "The reply is sent as it is given, and the device draws nothing. What protects it is {}, where "
    "nobody knows how that fell and its chances are as the survey says."
)
LEARNT = "Whoever sees a report learns for certain that the answer fits it, and nothing more."
SHARE_TOLERANCE = 1e-9
"""Shares of people that count as equal."""


_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@final
class Way(Enum):
    """How an answer becomes what is sent."""

    PLAINLY = "as it is given"
    BARE = "as a report that tells it"
    PERHAPS_FALSE = "as a report that may be false"
    BROAD = "as a report that is true, but fits other answers too"
    PROVING = "as a report that can prove it"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PoisoningBound:
    """Upper bound on how far false reports can move a published estimate.

    Attributes
    ----------
    false, reports : int
        How many are false, of how many.
    at_most, plain : float
        How far they move a share, or the mean; and would, had the question been asked plainly.
    unit : str
        Points of a share, or the unit of the number.
    target : str
        What is moved.
    unbiased : bool
        Whether the bound is on the unbiased estimate, which need not lie in [0, 1].
    by_chance : bool
        Whether the question is protected: else its bound is said once.
    people : str
        Whose answers this is for; empty where it holds for anybody's.
    thinned : bool
        Whether it is near the bound, found on some numbers of a long line, and none itself.
    """

    false: int
    reports: int
    at_most: float
    plain: float
    unit: str
    target: str
    by_chance: bool
    people: str = ""
    thinned: bool = False
    unbiased: bool = False

    @property
    def far(self) -> str:
        """How far, rounded upwards, with its unit."""
        return f"{_round_up(self.at_most)} {self.unit}".rstrip()

    @property
    def plainly(self) -> str:
        """How far a plain question would move, rounded upwards; empty for a plain question."""
        return _round_up(self.plain) if self.by_chance else ""

    @property
    def sentence(self) -> str:
        """The bound in a sentence."""
        among = f"{self.false:,} false report{'s' * (self.false != 1)} among {self.reports:,}"
        plainly = f"; asked plainly, by {self.plainly}" if self.plainly else ""
        people = f", {self.people}" * bool(self.people)
        limit = "about" if self.thinned else "at most"
        return f"{among} can move {self.target} by {limit} {self.far}{people}{plainly}."

    def to_dict(self) -> Json:
        """Write the bound for JSON."""
        return {
            "false": self.false,
            "reports": self.reports,
            "at_most": self.at_most,
            "plain": self.plain,
            "unit": self.unit,
            "people": self.people,
            "thinned": self.thinned,
        }


def _round_up(value: float) -> str:
    """Round upwards: to a whole number where it is large, below 1 to two digits.

    >>> _round_up(0.08991), _round_up(16.44), _round_up(123.2)
    ('0.090', '16.5', '124')
    """
    if value >= 100:
        return f"{math.ceil(value * (1 - 1e-12)):,}"
    places = 1 if value >= 1 or value <= 0 else 1 - math.floor(math.log10(value))
    return f"{math.ceil(10**places * value * (1 - 1e-12)) / 10**places:,.{places}f}"


Stretches = tuple[tuple[float, float], ...]
"""Parts of what lies between 0 and 1, ascending."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPreview:
    """Preview of reports that are always true: typical and worst one, and law of the coverage.

    Attributes
    ----------
    spread : str
        How common answers are taken to be.
    typical : str
        The report whose individual coverage is the median; of several, the likeliest.
    worst : str
        The report that fewest people's answers fit.
    worst_share : str
        How many of 100 people that are.
    law : CoverageLaw
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

    spread: str
    typical: str
    worst: str
    worst_share: str
    law: CoverageLaw
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
            f"Typically: {self.typical}. Of 100 people, {self.spread}, {middle} would fit.",
            f"At worst: {self.worst}. That would fit {self.worst_share} of 100.",
        )

    def to_dict(self) -> Json:
        """Write the outlook for JSON; numbers as strings, as a form needs them."""
        quantiles = zip(_QUANTILES, self.law.quantile(_QUANTILES), strict=True)
        return {
            "spread": self.spread,
            "typical": self.typical,
            "worst": self.worst,
            "coverage": {
                "mean": f"{self.law.mean:.4f}",
                "least": f"{self.law.least:.4f}",
                **{f"{share:g}": f"{value:.4f}" for share, value in quantiles},
            },
            "learnt": list(self.learnt),
        }


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEstimate:
    """The estimate of one question, its goodness of fit and its poisoning bound.

    Attributes
    ----------
    estimate : Estimate or LineEstimate
    fit : GoodnessOfFit
        Whether the reports can have been drawn as the form says.
    manipulation : PoisoningBound or None
        How far false reports, 1 % of those that came, move the estimate at most: where the bound
        is for certain people, these are as estimated.
    left_open : tuple of str
        Which part of a distribution was not learnt, and what was assumed for the rest.
    tally : Tally or None
        The reports on named answers that were protected.
    """

    estimate: Estimate | LineEstimate
    fit: GoodnessOfFit
    manipulation: PoisoningBound | None
    left_open: tuple[str, ...] = ()
    tally: Tally | None = None


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
    def way(self) -> Way:
        """How an answer becomes what is sent."""

    @property
    @abstractmethod
    def spread(self) -> str:
        """How common answers are taken to be, in every figure about this question."""

    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, in counts of 100 people or as the ranges that can be sent."""

    @property
    @abstractmethod
    def by_answer(self) -> bool:
        """Whether there is a sentence for each answer, so that pages may show the first few."""

    @abstractmethod
    def preview(self) -> ReportPreview | None:
        """Say what a report will look like; None where reports may lie, or are the answers."""

    @abstractmethod
    def protection(self) -> str:
        """Say in a sentence how well one report is protected; shares are those of `spread`."""

    @abstractmethod
    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports; empty if unknown."""

    @abstractmethod
    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move a share or a mean; None without a bound."""

    @property
    @abstractmethod
    def blank_warning(self) -> str:
        """A warning that a blank reveals more than necessary, or an empty text."""

    @property
    @abstractmethod
    def mean_warning(self) -> str:
        """A warning that the reports do not identify the mean, or an empty text."""

    @property
    @abstractmethod
    def rounding_note(self) -> str:
        """A note that chances were rounded when the question was deployed; empty if not."""

    @abstractmethod
    def estimate(self, counts: ReportCounts, level: float) -> Estimate | LineEstimate:
        """Estimate from how often each value was sent, blanks left out."""

    @abstractmethod
    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports, test them against the form, and list what stays open."""

    @property
    @abstractmethod
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name; nothing for a number."""

    @abstractmethod
    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """What was reported as a column of a table; None where it is ranges."""


FALSE = 100
"""One report in so many is taken to be false."""


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
    ('Of 100 people, whatever their answer, 5 send nothing.',)
    """
    return tuple(
        f"Of 100 people, whatever their answer, {blanks}." for blanks in describe_blanks(blank)
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


def expect_sent(n: int, share: Fraction) -> int:
    """Expected number of sent reports among n people, at least one.

    >>> expect_sent(100, Fraction(19, 20)), expect_sent(1, Fraction(1, 4))
    (95, 1)
    """
    return max(round(n * share), 1)


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
    'True, but broad: it fits 50 of 100 people on average, 50 at worst.'
    """
    values = {guarantee.notion: Fraction(guarantee.value) for guarantee in guarantees}
    average, minimum = (
        cautious(values[notion], math.floor) for notion in (Notion.COVERAGE, Notion.FLOOR)
    )
    how = "It can prove an answer" if proves else "True, but broad"
    how = "Partly sent exactly" if partly_exact else how
    return f"{how}: it fits {average} of 100 people on average, {minimum} at worst."


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one question taught.

    Attributes
    ----------
    name, text, kind : str
    protected : bool
    reports, blank, not_asked : int
        Reports with a value, those of people who left the question blank, and those of people to
        whom a skip rule did not put it.
    expected_blank : float
        How many reports the form's own chance leaves blank, whatever the answer.
    estimate : Estimate or LineEstimate
    sent : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of Guarantee
    truth : mapping of str to float, or None
        By label, where this is a rehearsal.
    suppressed : bool
        Whether there are too few reports to publish.
    spread : str
        How common answers are taken to be, in the guarantees.
    fit : GoodnessOfFit
        Whether the reports can have been drawn as the form says. Where this is doubted nobody knows
        how many were sent to mislead, and every interval spans all that is possible.
    manipulation : PoisoningBound or None
        How far false reports, 1 % of those that came, move the estimate at most.
    way : Way
        How an answer became what was sent.
    wording : mapping of str to str
        How the form words each answer, by its name; empty for a number.
    left_open : tuple of str
        Which part of a distribution was not learnt, and what was assumed for the rest.
    tally : Tally or None
        The reports on named answers that were protected, for what depends on who complies.
    by_answer : bool
        Whether what is sent can be a sentence for each answer.
    """

    name: str
    text: str
    kind: str
    protected: bool
    reports: int
    blank: int
    expected_blank: float
    estimate: Estimate | LineEstimate
    sent: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]
    truth: Mapping[str, float] | None
    suppressed: bool
    spread: str = ""
    fit: GoodnessOfFit = field(default_factory=GoodnessOfFit)
    manipulation: PoisoningBound | None = None
    way: Way = Way.PLAINLY
    wording: Mapping[str, str] = field(default_factory=dict)
    left_open: tuple[str, ...] = ()
    tally: Tally | None = None
    by_answer: bool = False
    not_asked: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "wording", kept_mapping(self.wording))
        if self.truth is not None:
            object.__setattr__(self, "truth", kept_mapping(self.truth))

    def to_dict(self) -> Json:
        """Write the finding for JSON; an estimate from too few reports is withheld."""
        return {
            "name": self.name,
            "text": self.text,
            "kind": self.kind,
            "protected": self.protected,
            "reports": self.reports,
            "blank": self.blank,
            "not_asked": self.not_asked,
            "expected_blank": self.expected_blank,
            "withheld": self.suppressed,
            "estimate": None if self.suppressed else self.estimate.to_dict(),
            "what_is_sent": [*self.sent, *(guarantee.promise for guarantee in self.guarantees)],
            "guarantees": {
                guarantee.notion.label: figure(guarantee) for guarantee in self.guarantees
            },
            "spread": self.spread,
            "fit": None if self.suppressed else self.fit.to_dict(),
            "manipulation": self.manipulation.to_dict() if self.manipulation else None,
            "truth": dict(self.truth) if self.truth else None,
        }


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What a survey taught, with all that is needed to compute it again.

    Attributes
    ----------
    form : Form
    reports : int
        How many there are.
    findings : tuple
        What each question tells, in the form's order.
    lists : tuple
        Of questions to which several answers were ticked.
    attention : tuple of AttentionCheck
        How many answered at random, where that was asked.
    left_out : int
        How many further reports are told of other people, and not counted here.
    command : str
        What computes it again.
    form_fingerprint, data_fingerprint : str
        SHA-256 of the form, and of the counts.
    fieldwork : Fieldwork
        Whether reports still come in: intervals are for one look, at the number that was planned.
    """

    form: Form
    reports: int
    command: str
    form_fingerprint: str
    data_fingerprint: str
    findings: tuple[Finding, ...]
    lists: tuple[ListFinding, ...] = ()
    attention: tuple[AttentionCheck, ...] = ()
    left_out: int = 0
    fieldwork: Fieldwork = Fieldwork.UNKNOWN

    def to_dict(self) -> Json:
        """Write the analysis for JSON."""
        optional: Json = {"lists": self.lists, "attention": self.attention}
        more: Json = {
            name: [entry.to_dict() for entry in entries]
            for name, entries in optional.items()
            if entries
        }
        if self.left_out:
            more["left_out"] = self.left_out
        return {
            "title": self.form.document["title"],
            "reports": self.reports,
            "fieldwork": self.fieldwork.value,
            "command": self.command,
            "form_sha256": self.form_fingerprint,
            "data_sha256": self.data_fingerprint,
            "findings": [finding.to_dict() for finding in self.findings],
        } | more


SIZES = (100, 1_000, 10_000)


@final
@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """Privacy guarantees and precision of one question, as deployed.

    Attributes
    ----------
    name, text, kind : str
    words : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of Guarantee
    precision : tuple of (int, str)
        For some numbers of reports the half-width of a 95 % interval.
    preview : ReportPreview or None
        What a report will look like, where it never lies.
    spread : str
        How common answers are taken to be: in every figure about this question.
    protection : str
        The strongest thing to say about one report, in a sentence.
    manipulation : PoisoningBound or None
        How far false reports move what is published; None where nothing bounds it.
    by_answer : bool
        Whether the words can be a sentence for each answer.

    >>> import askance as ak
    >>> check = ak.check(ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "3/4" }
    ... ''')))
    >>> first: ak.survey.CheckedQuestion = check.questions[0]
    >>> first.name, first.guarantees[0].notion.name
    ('tea', 'LOCAL')
    """

    name: str
    text: str
    kind: str
    words: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]
    precision: tuple[tuple[int, str], ...]
    preview: ReportPreview | None = None
    spread: str = EVENLY
    protection: str = ""
    manipulation: PoisoningBound | None = None
    by_answer: bool = False


@final
@dataclass(frozen=True, slots=True)
class CheckedTrait:
    """Joint privacy guarantees of several questions about one trait.

    Attributes
    ----------
    name : str
    questions : tuple of str
    guarantees : tuple of Guarantee
        Empty where nothing bounds what they tell together.

    >>> from askance.survey import CheckedTrait
    >>> CheckedTrait("fidelity", ("affair", "desire"), ()).questions
    ('affair', 'desire')
    """

    name: str
    questions: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]


@final
@dataclass(frozen=True, slots=True)
class Check:
    """Privacy guarantees, precision and warnings of every question of a form.

    Attributes
    ----------
    title, fingerprint : str
        Of the form.
    questions : tuple
        What each question's reports give away, and tell.
    traits : tuple
        What several questions about one trait give away together.
    warnings : tuple of str
        What is unwise.
    """

    title: str
    fingerprint: str
    questions: tuple[CheckedQuestion, ...]
    traits: tuple[CheckedTrait, ...]
    warnings: tuple[str, ...]


def minimum_of(form: Form) -> int:
    """Read the minimum number of reports for which a form's author shows an estimate.

    Raises
    ------
    FormError
        If that is no whole number.
    """
    least = form.document["about"].get("minimum", 1)
    if type(least) is not int:
        raise FormError("about.minimum", got=least, allowed="a whole number of reports")
    return least
