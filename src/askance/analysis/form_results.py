"""Results of a check of a form and of an analysis of its reports."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from askance.channels.tally import Tally
from askance.chart import SHARE, Chart, chart_frame, draw_result, rows_chart
from askance.engines.counts import Fieldwork
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.line.cells import LineEstimate
from askance.inference.shares.information import Estimate
from askance.privacy.crowd import RowCrowd
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.privacy.population import JointPosterior
from askance.results import (
    Cell,
    Cells,
    Listing,
    cells_of,
    json_of,
    kept_mapping,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.survey.question_risk import QuestionRisk
from askance.survey.report_preview import ReportKind, ReportPreview, figure
from askance.typing import Json
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import keep_unchangeable

if TYPE_CHECKING:
    from askance.inference.regression.coefficients import Margins
    from askance.inference.shares.inattention import InattentionCorrection


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PoisoningBound:
    """Upper bound on how far false reports can move a published estimate.

    Attributes
    ----------
    false_reports, reports : int
        How many reports are false, and how many there are.
    max_shift, direct_shift : float
        The bound on the shift of a share or the mean, and what it would be for a direct question.
    unit : str
        Points of a share, or the unit of the number.
    target : str
        The estimate that moves, as the sentence names it.
    unbiased : bool
        Whether the bound is on the unbiased estimate, which need not lie in [0, 1].
    is_randomised : bool
        Whether chance protects the question; a plain question has one bound, not two.
    population : str
        The population whose answers the bound supposes; empty where it holds for any.
    is_approximate : bool
        Whether the figure only approximates the bound: it was found on some numbers of a long line.
    """

    false_reports: int
    reports: int
    max_shift: float
    direct_shift: float
    unit: str
    target: str
    is_randomised: bool
    population: str = ""
    is_approximate: bool = False
    unbiased: bool = False

    @property
    def shift_text(self) -> str:
        """The bound on the shift, rounded upwards, with its unit."""
        return f"{_round_up(self.max_shift)} {self.unit}".rstrip()

    @property
    def direct_shift_text(self) -> str:
        """The bound for a direct question, rounded upwards; empty for a direct question."""
        return _round_up(self.direct_shift) if self.is_randomised else ""

    @property
    def sentence(self) -> str:
        """The bound in a sentence."""
        verb = "was" if self.false_reports == 1 else "were"
        fabricated = f"If {self.false_reports:,} of {self.reports:,} reports {verb} fabricated"
        directly = (
            f" ({self.direct_shift_text} if asked directly)" if self.direct_shift_text else ""
        )
        people = f", {self.population}" * bool(self.population)
        limit = "about" if self.is_approximate else "up to"
        shift = f"{limit} {self.shift_text}{directly}"
        return f"{fabricated}, {self.target} could shift by {shift}{people}."

    def to_dict(self) -> Json:
        """Write the bound for JSON."""
        return json_of(
            self,
            "false=false_reports reports at_most=max_shift plain=direct_shift unit "
            "people=population thinned=is_approximate",
        )


def _round_up(value: float) -> str:
    """Round upwards: to a whole number where it is large, below 1 to two digits.

    >>> _round_up(0.08991), _round_up(16.44), _round_up(123.2)
    ('0.090', '16.5', '124')
    """
    if value >= 100:
        return f"{math.ceil(value * (1 - 1e-12)):,}"
    places = 1 if value >= 1 or value <= 0 else 1 - math.floor(math.log10(value))
    return f"{math.ceil(10**places * value * (1 - 1e-12)) / 10**places:,.{places}f}"


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
    difference_in_means : Margins or None
        Of a list experiment the share for whom the sensitive item holds, without a likelihood.
    """

    estimate: Estimate | LineEstimate
    fit: GoodnessOfFit
    manipulation: PoisoningBound | None
    left_open: tuple[str, ...] = ()
    tally: Tally | None = None
    difference_in_means: "Margins | None" = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionCheck:
    """Counts of people who passed and who failed the attention check of one question.

    Attributes
    ----------
    question : str
        Its name.
    correct_answer : str
        The name of the right answer.
    passed, failed, blank : int
        Reports with the right answer, with another one, and with none.

    >>> import askance as ak
    >>> from askance.analysis import AttentionCheck
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "colour"
    ... text = "Please choose blue here."
    ... answers = ["red", "blue"]
    ... attention = "blue"
    ... '''))
    >>> analysis = ak.analyse(form, ak.engines.Counts(100, {"colour": {0: 8, 1: 90, None: 2}}))
    >>> check: AttentionCheck = analysis.attention[0]
    >>> check.passed, check.failed, check.blank
    (90, 8, 2)
    """

    question: str
    correct_answer: str
    passed: int
    failed: int
    blank: int

    @property
    def sentence(self) -> str:
        """The counts in a sentence."""
        answered = self.passed + self.failed
        return (
            f"Attention: {self.failed:,} of {answered:,} people gave another answer than "
            f"“{self.correct_answer}”; {self.blank:,} gave none."
        )

    def to_dict(self) -> Json:
        """Write the counts for JSON."""
        return json_of(self, keys={"correct_answer": "right"})


@final
@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """Privacy guarantees and precision of one question, as deployed.

    Attributes
    ----------
    name, text, kind : str
    sentences : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of Guarantee
    precision : tuple of (int, str)
        For some numbers of reports the half-width of a 95 % interval.
    preview : ReportPreview or None
        What a report will look like, where it never lies.
    assumed_population : str
        How common answers are taken to be in figures about reports, such as a coverage.
    precision_population : str
        How common they are taken to be for the half-widths.
    protection : str
        The strongest thing to say about one report, in a sentence.
    manipulation : PoisoningBound or None
        How far false reports move what is published; None where nothing bounds it.
    by_answer : bool
        Whether the sentences can be one for each answer.
    answer_sentences : tuple of str
        Those of the sentences that say in turn what is sent for each answer.
    risk : QuestionRisk or None
        What each report proves, excludes or makes likelier, and of how many people.
    risks : tuple of str
        What reports prove, and what they tell of the population that the survey declares.
    worst_case : str
        In which population a report tells most; empty where the survey declares one.
    accepted : str
        Why the survey accepts that reports prove an answer; empty where it does not.

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
    >>> first: ak.analysis.CheckedQuestion = check.questions[0]
    >>> first.name, first.guarantees[0].notion.name
    ('tea', 'LOCAL')
    """

    name: str
    text: str
    kind: str
    sentences: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]
    precision: tuple[tuple[int, str], ...]
    preview: ReportPreview | None = None
    assumed_population: str = EVENLY
    precision_population: str = EVENLY
    protection: str = ""
    manipulation: PoisoningBound | None = None
    by_answer: bool = False
    answer_sentences: tuple[str, ...] = ()
    risk: QuestionRisk | None = None
    risks: tuple[str, ...] = ()
    worst_case: str = ""
    accepted: str = ""


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
    risk : str
        What their reports tell together of the population that the survey declares.
    joint : JointPosterior or None
        The same as a value; None where no population is declared, or nothing bounds it.

    >>> from askance.analysis import CheckedTrait
    >>> CheckedTrait("fidelity", ("affair", "desire"), ()).questions
    ('affair', 'desire')
    """

    name: str
    questions: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]
    risk: str = ""
    joint: JointPosterior | None = None


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
    crowd : RowCrowd or None
        How many people could have sent one row.
    """

    title: str
    fingerprint: str
    questions: tuple[CheckedQuestion, ...]
    traits: tuple[CheckedTrait, ...]
    warnings: tuple[str, ...]
    crowd: RowCrowd | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The estimate of one question, with what was asked and what was sent.

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
    sentences : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of Guarantee
    truth : mapping of str to float, or None
        The true shares by label, in a rehearsal.
    suppressed : bool
        Whether there are too few reports to publish.
    assumed_population : str
        How common answers are taken to be, in the guarantees.
    fit : GoodnessOfFit
        Whether the reports can have been drawn as the form says. Where this is doubted nobody knows
        how many were sent to mislead, and every interval spans all that is possible.
    manipulation : PoisoningBound or None
        How far false reports, 1 % of those that came, move the estimate at most.
    report_kind : ReportKind
        How an answer became what was sent.
    wording : mapping of str to str
        How the form words each answer, by its name; empty for a number.
    left_open : tuple of str
        Which part of a distribution was not learnt, and what was assumed for the rest.
    tally : Tally or None
        The reports on named answers that were protected, for an analysis of noncompliance.
    by_answer : bool
        Whether the sentences can be one for each answer.
    difference_in_means : Margins or None
        Of a list experiment, as of `QuestionEstimate`.
    """

    name: str
    text: str
    kind: str
    protected: bool
    reports: int
    blank: int
    expected_blank: float
    estimate: Estimate | LineEstimate
    sentences: tuple[str, ...]
    guarantees: tuple[Guarantee, ...]
    truth: Mapping[str, float] | None
    suppressed: bool
    assumed_population: str = ""
    fit: GoodnessOfFit = field(default_factory=GoodnessOfFit)
    manipulation: PoisoningBound | None = None
    report_kind: ReportKind = ReportKind.PLAINLY
    wording: Mapping[str, str] = field(default_factory=dict)
    left_open: tuple[str, ...] = ()
    tally: Tally | None = None
    by_answer: bool = False
    not_asked: int = 0
    difference_in_means: "Margins | None" = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "wording", kept_mapping(self.wording))
        if self.truth is not None:
            object.__setattr__(self, "truth", kept_mapping(self.truth))

    def to_dict(self) -> Json:
        """Write the finding for JSON; an estimate from too few reports is withheld."""
        difference = None if self.suppressed else self.difference_in_means
        some = {} if difference is None else {"difference_in_means": difference.to_dict()}
        promises = [guarantee.promise for guarantee in self.guarantees]
        figures = {guarantee.notion.label: figure(guarantee) for guarantee in self.guarantees}
        return {
            **some,
            **json_of(self, _FINDING),
            "estimate": None if self.suppressed else self.estimate.to_dict(),
            "what_is_sent": [*self.sentences, *promises],
            "guarantees": figures,
            "spread": self.assumed_population,
            "fit": None if self.suppressed else self.fit.to_dict(),
            "manipulation": plain_json(self.manipulation),
            "truth": dict(self.truth) if self.truth else None,
        }


_FINDING = "name text kind protected reports blank not_asked expected_blank withheld=suppressed"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TickedShare:
    """The share of people who tick an item of a list, or both of two.

    Attributes
    ----------
    items : tuple of str
        The items as the form words them.
    reports : int
        Reports with a value.
    share, se, lower, upper : float
        The estimated share, its standard error and its interval.
    effective_sample_size : float
        The number of direct, truthful answers with the same precision.
    suppressed : bool
        Whether there are too few reports to publish.
    truth : float or None
        The share in the data, where this is a rehearsal.

    >>> import askance as ak
    >>> from askance.analysis import ChecklistFinding, TickedShare
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... minimum = 1
    ... [[question]]
    ... name = "tea"
    ... text = "Which do you drink?"
    ... choose = "all"
    ... protect = "together"
    ... answers = ["black", "green"]
    ... mechanism = { name = "kary", ratio = 5 }
    ... '''))
    >>> analysis = ak.analyse(form, ak.engines.Counts(80, {"tea": {0: 30, 1: 20, 2: 20, 3: 10}}))
    >>> first: ChecklistFinding = analysis.lists[0]
    >>> black: TickedShare = first.items[0]
    >>> black.items, black.share, first.pairs[0].items
    (('black',), 0.25, ('black', 'green'))
    """

    items: tuple[str, ...]
    reports: int
    share: float
    se: float
    lower: float
    upper: float
    effective_sample_size: float
    suppressed: bool
    truth: float | None = None

    def to_dict(self) -> Json:
        """Write the share for JSON; withheld from too few reports."""
        return json_of(self, _FIELDS if self.suppressed else f"{_FIELDS} share se lower upper")


_FIELDS = "items reports withheld=suppressed truth"


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChecklistFinding:
    """Estimated shares of the items and pairs of a multi-select list.

    Attributes
    ----------
    text : str
    questions : tuple of str
        The names of its questions: one, where it was sent as one report.
    items : tuple of TickedShare
        The share of people who tick each item.
    pairs : tuple of TickedShare
        The share who tick both of each two items, as far as these are counted together.
    level : float
        Of the intervals.

    >>> from askance.analysis import ChecklistFinding
    >>> ChecklistFinding(text="Which?", questions=("tea",), items=()).to_dict()["pairs"]
    []
    """

    text: str
    questions: tuple[str, ...]
    items: tuple[TickedShare, ...]
    pairs: tuple[TickedShare, ...] = ()
    level: float = 0.95

    def to_dict(self) -> Json:
        """Write the finding for JSON."""
        return json_of(self, "text questions items pairs")

    def columns(self) -> Cells:
        """The head of a table, and its rows; nothing in a cell where it is withheld."""
        rows: list[list[Cell]] = [
            [
                " + ".join(ticked.items),
                *(None if ticked.suppressed else getattr(ticked, name) for name in _OF_TICKED),
                ticked.reports,
            ]
            for ticked in (*self.items, *self.pairs)
        ]
        return ["ticked", "share", "se", "lower", "upper", "reports"], rows

    def _table(self) -> Listing:
        rows = [
            [str(name), *("–" if cell is None else number(float(cell)) for cell in cells)]
            for name, *cells in self.columns()[1]
        ]
        head = ["ticked", "share", "se", f"{100 * self.level:g} % from", "to", "reports"]
        return self.text, head, rows, []

    def _chart(self) -> Chart:
        """Describe the share of people who tick each item, a row for each."""
        cells = [
            [math.nan if item.suppressed else getattr(item, name) for name in _OF_TICKED]
            for item in self.items
        ]
        value, _, lower, upper = np.reshape(np.array(cells, dtype=float), (-1, 4)).T
        names, x = [" + ".join(item.items) for item in self.items], SHARE
        return rows_chart(names, value, (lower, upper), level=self.level, x=x, y="ticked")

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_OF_TICKED = "share", "se", "lower", "upper"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRate:
    """A share of people, with its standard error.

    Attributes
    ----------
    group : str
        Of whom; empty where it is of everybody.
    answer : str
        The answer that they gave.
    reports : int
    share, se : float or None
        None where too few reports came to publish it.

    >>> from askance.analysis import EvidenceRate
    >>> EvidenceRate(group="card", answer="right", reports=100, share=0.8, se=0.05).share
    0.8
    """

    group: str
    answer: str
    reports: int
    share: float | None
    se: float | None

    def to_dict(self) -> Json:
        """Write the rate for JSON."""
        return json_of(self)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceFinding:
    """Evidence on one sensitive question: comprehension, carelessness and false positives.

    Attributes
    ----------
    question : str
        The sensitive question.
    comprehension : tuple of EvidenceRate
        Who gave the right answer to the teach-back: everybody, then each group.
    comprehension_p : float or None
        p of a test that groups understood alike; None where one of them is withheld.
    by_group : tuple of EvidenceRate
        The share of the sensitive question's first answer in each group.
    by_group_p : float or None
        p of a test that groups gave it alike.
    false_positive : EvidenceRate or None
        Who admitted to the sham what can be true of nobody.
    corrections : mapping of str to InattentionCorrection
        By the anchor and by the sham, as far as they tell: the careless rate, and shares of the
        sensitive question without inattentive people.
    untold : mapping of str to str
        Of the questions that do not tell, why.

    >>> from askance.analysis import EvidenceFinding
    >>> EvidenceFinding(question="tea", comprehension=()).to_dict()["question"]
    'tea'
    """

    question: str
    comprehension: tuple[EvidenceRate, ...]
    comprehension_p: float | None = None
    by_group: tuple[EvidenceRate, ...] = ()
    by_group_p: float | None = None
    false_positive: EvidenceRate | None = None
    corrections: Mapping[str, "InattentionCorrection"] = field(default_factory=dict)
    untold: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "corrections untold")

    def to_dict(self) -> Json:
        """Write the finding for JSON."""
        return json_of(self)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The estimates of a survey's questions, with all that is needed to compute them again.

    Attributes
    ----------
    form : Form
    reports : int
        How many reports were analysed.
    findings : tuple
        The finding of each question, in the form's order.
    lists : tuple
        The shares of items, for each multi-select list.
    attention : tuple of AttentionCheck
        How many people passed and failed, for each question that checks attention.
    evidence : EvidenceFinding, optional
        Who understood, was careless or admitted what cannot be, where the form asks for evidence.
    left_out : int
        How many further reports the estimates leave out: of people who failed an attention check.
    command : str
        The command that computes it again.
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
    lists: tuple[ChecklistFinding, ...] = ()
    attention: tuple[AttentionCheck, ...] = ()
    evidence: EvidenceFinding | None = None
    left_out: int = 0
    fieldwork: Fieldwork = Fieldwork.UNKNOWN

    def to_dict(self) -> Json:
        """Write the analysis for JSON."""
        title = {"title": self.form.document["title"]}
        optional = ("lists", "attention", "evidence", "left_out")
        some = [name for name in optional if getattr(self, name)]
        return title | json_of(self, " ".join([_ANALYSIS, *some]))

    def _frame(self) -> dict[str, Any]:
        rows = [row for finding in self.findings for row in _list_cells(finding)]
        head = "question", "answer", "estimate", "se", "lower", "upper", "reports"
        return {name: [row[i] for row in rows] for i, name in enumerate(head)}

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_ANALYSIS = (
    "reports fieldwork command form_sha256=form_fingerprint data_sha256=data_fingerprint findings"
)


def _list_cells(finding: Finding) -> list[list[Any]]:
    """List a row for each share of a question, or for its mean; no row for a withheld estimate."""
    estimate = finding.estimate
    if finding.suppressed:
        return [[finding.name, *[None] * 5, finding.reports]]
    if isinstance(estimate, LineEstimate):
        numbers = (estimate.mean, estimate.se, estimate.lower, estimate.upper)
        return [[finding.name, "average", *numbers, finding.reports]]
    columns = (estimate.value, estimate.se, estimate.lower, estimate.upper)
    cells = cells_of(estimate.labels, *columns)
    return [[finding.name, *row, finding.reports] for row in cells]
