"""Figures and sentences of a finding, for page and terminal."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, final

import numpy as np

from askance.engines.counts import Fieldwork
from askance.inference.fit_result import DOUBT
from askance.inference.line.cells import SHARES, LineEstimate
from askance.inference.shares.information import Estimate
from askance.present.sentences import Writer, load_sentences
from askance.privacy.guarantee import Guarantee, Notion
from askance.survey.report_preview import figure
from askance.typing import Floats
from askance_collect.wire.explanations import read_evidence

if TYPE_CHECKING:
    from askance.analysis import (
        Analysis,
        Check,
        CheckedQuestion,
        EvidenceRate,
        Finding,
        TickedShare,
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One figure that a finding holds.

    Attributes
    ----------
    label : str
        The answer, or "mean", "median" and so on.
    low, high : float
        The estimate; two numbers where the reports only fix a range for it.
    lower, upper : float
        The interval.
    error : float
        Standard error.
    plain : float
        How many plain answers would tell as much; nan where that has no meaning.
    unit : str or None
        Unit of a number; None for a share.
    truth : float or None
        What the data hold, where this is a rehearsal.
    """

    label: str
    low: float
    high: float
    lower: float
    upper: float
    error: float
    plain: float
    unit: str | None
    truth: float | None

    @property
    def name(self) -> str:
        """The label with the unit, where there is one."""
        return f"{self.label}, {self.unit}" if self.unit else self.label

    @property
    def estimate(self) -> str:
        """The estimate in words."""
        if self.unit is None:
            return share(self.low)
        if self.plain == 0:
            return NOTHING
        low, high = (number(end, self.error) for end in (self.low, self.high))
        return low if low == high else f"{low} to {high}"

    @property
    def interval(self) -> str:
        """The interval in words."""
        if self.unit is None:
            return share_interval(self.lower, self.upper)
        if self.plain == 0 or math.isnan(self.low):
            return UNKNOWN
        return number_interval(self.lower, self.upper, self.error)

    @property
    def written_truth(self) -> str:
        """The truth of a rehearsal in words, or nothing."""
        if self.truth is None:
            return ""
        if self.unit is None:
            return share(self.truth)
        return number(self.truth, self.error)

    @property
    def worth(self) -> str:
        """How many plain answers this is worth, or nothing."""
        if 0 < self.plain < 0.5:
            return "under 1"
        return count(self.plain) if self.plain == self.plain else ""


def quantities(finding: "Finding") -> tuple[Quantity, ...]:
    """List what a finding holds, headline first; nothing where it is withheld.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> [(row.label, row.estimate, row.interval) for row in quantities(analysis.findings[1])]
    [('yes', '32.4 %', '27.5 to 37.5 %'), ('no', '67.6 %', '62.5 to 72.5 %')]
    """
    return () if finding.suppressed else figures_of(finding.estimate, finding.truth or {})


def figures_of(
    estimate: Estimate | LineEstimate, truth: Mapping[str, float] = MappingProxyType({})
) -> tuple[Quantity, ...]:
    """List what an estimate holds: the share of each answer, or average and quantiles.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> [row.estimate for row in figures_of(ak.estimate(ak.Tally(q, {"yes": 50, "no": 50})))]
    ['50.0 %', '50.0 %']
    """
    if isinstance(estimate, Estimate):
        return _list_shares(estimate, truth)
    return _list_numbers(estimate, truth)


def explain_left_out(left_out: int) -> str:
    """Say how many people's reports are left out, by their answer to an attention check.

    >>> explain_left_out(1), explain_left_out(1200)[:50]
    ('The report of 1 person ...', 'The reports of 1,200 people are left out: they fai')
    """
    who = "report of 1 person is" if left_out == 1 else f"reports of {count(left_out)} people are"
    return (
        f"The {who} left out: they failed an attention check. Estimates without them are withheld "
        "for a question that too few of them answered, because they would reveal something about "
        "those few."
    )


def explain_open_survey(fieldwork: Fieldwork) -> str:
    """Explain the intervals of a survey that is still open; an empty text for others.

    >>> from askance.engines import Fieldwork
    >>> explain_open_survey(Fieldwork.OPEN)[:45], explain_open_survey(Fieldwork.CLOSED)
    ('The survey is still open. Every interval is f', '')
    """
    if fieldwork is not Fieldwork.OPEN:
        return ""
    return (
        "The survey is still open. Every interval is for a single look, at the planned number of "
        "reports. Looking repeatedly, and stopping when the result suits, misleads far more often "
        "than its level says."
    )


def list_ticked(shares: Iterable["TickedShare"]) -> tuple[Quantity, ...]:
    """List the shares of people who tick items of a list; nothing of those that are withheld."""
    return tuple(
        Quantity(
            label=" and ".join(share.items),
            low=share.share,
            high=share.share,
            lower=share.lower,
            upper=share.upper,
            error=share.se,
            plain=share.effective_sample_size,
            unit=None,
            truth=share.truth,
        )
        for share in shares
        if not share.suppressed
    )


def headline(finding: "Finding") -> Quantity | None:
    """The headline figure: of the first of two answers, of the commonest of more, or the mean.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> headline(analysis.findings[1]).label, headline(analysis.findings[0])
    ('yes', None)
    """
    figures = quantities(finding)
    if isinstance(finding.estimate, Estimate) and len(figures) > 2:
        return max(
            figures, key=lambda quantity: quantity.low if quantity.low == quantity.low else -1
        )
    return figures[0] if figures else None


def _list_shares(estimate: Estimate, truth: Mapping[str, float]) -> tuple[Quantity, ...]:
    return tuple(
        Quantity(
            label=label,
            low=float(estimate.value[i]),
            high=float(estimate.value[i]),
            lower=float(estimate.lower[i]),
            upper=float(estimate.upper[i]),
            error=float(estimate.se[i]),
            plain=float(estimate.effective_sample_size[i]),
            unit=None,
            truth=truth.get(label),
        )
        for i, label in enumerate(estimate.labels)
    )


def _list_numbers(estimate: LineEstimate, truth: Mapping[str, float]) -> tuple[Quantity, ...]:
    mean = Quantity(
        label="mean",
        low=estimate.mean_low,
        high=estimate.mean_high,
        lower=estimate.lower,
        upper=estimate.upper,
        error=estimate.se,
        plain=estimate.effective_sample_size,
        unit=estimate.unit,
        truth=truth.get("mean"),
    )
    quantiles = (
        Quantity(
            label=SHARES.get(p, f"{p:.0%} are at or below"),
            low=value,
            high=value,
            lower=lower,
            upper=upper,
            error=1.0 if estimate.integer else estimate.se,
            plain=math.nan,
            unit=estimate.unit,
            truth=truth.get(SHARES.get(p, "")),
        )
        for p, (lower, value, upper) in estimate.quantiles.items()
    )
    return (mean, *quantiles)


UNKNOWN = "not known"
"""Said where there is no number."""

_MOST_PLACES = 9

NOTHING = "nothing learnt"
"""Said of a number of which the reports tell no more than that it is on its line."""


def share(value: float) -> str:
    """Say a share as a percentage.

    >>> share(0.3241), share(0.0), share(0.0004), share(0.9997), share(float("nan"))
    ('32.4 %', '0.0 %', 'under 0.1 %', 'over 99.9 %', 'not known')
    """
    if not math.isfinite(value):
        return UNKNOWN
    if 0 < value < 0.0005:
        return "under 0.1 %"
    if 0.9995 < value < 1:
        return "over 99.9 %"
    return f"{100 * value:.1f} %"


def share_interval(lower: float, upper: float) -> str:
    """Write an interval of shares, with as many decimals as its ends need to differ.

    >>> share_interval(0.271, 0.382), share_interval(0, 1), share_interval(0.99996, 1)
    ('27.1 to 38.2 %', '0.0 to 100.0 %', '99.996 to 100.000 %')
    """
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return UNKNOWN
    for places in range(1, _MOST_PLACES):
        low, high = (f"{100 * end:.{places}f}" for end in (lower, upper))
        if low != high:
            break
    return f"{low} to {high} %"


def warn_of_misfit(misfits: Iterable[str], doubted: bool) -> tuple[str, ...]:
    """Warn of reports that do not fit their form; nothing where they do.

    >>> warn_of_misfit(["Blank is 0.0 % of the reports."], doubted=True)[1]
    'Blank is 0.0 % of the reports.'
    """
    if not doubted:
        return ()
    return (
        "These reports do not fit the form: many were not drawn with the chances that it states.",
        *misfits,
        "No interval can be given, because the number of false reports is unknown. Honest reports "
        f"fail this test at one question in {1 / DOUBT:,.0f} at most.",
    )


def digits(error: float) -> int:
    """Say how many decimals a number deserves whose standard error is this.

    >>> digits(0.31), digits(4.2), digits(120), digits(0.0042), digits(0.0)
    (1, 0, 0, 3, 2)
    """
    if not (math.isfinite(error) and error > 0):
        return 2
    return min(max(-math.floor(math.log10(error)), 0), 6)


def number(value: float, error: float) -> str:
    """Say a number to the precision that its standard error allows.

    >>> number(29.0831, 0.31), number(1234.5, 120)
    ('29.1', '1,234')
    """
    return f"{value:,.{digits(error)}f}" if math.isfinite(value) else UNKNOWN


def number_interval(lower: float, upper: float, error: float) -> str:
    """Say an interval of numbers; an end that no cut bounds is said as such.

    >>> number_interval(28.61, 29.56, 0.31), number_interval(28, float("inf"), 1)
    ('28.6 to 29.6', 'above 28')
    """
    places = digits(error)
    if math.isnan(lower) or math.isnan(upper) or (math.isinf(lower) and math.isinf(upper)):
        return UNKNOWN
    if math.isinf(upper):
        return f"above {lower:,.{places}f}"
    if math.isinf(lower):
        return f"up to {upper:,.{places}f}"
    return f"{lower:,.{places}f} to {upper:,.{places}f}"


def count(value: float) -> str:
    """Say how many.

    >>> count(1234.4), count(float("nan"))
    ('1,234', 'not known')
    """
    return f"{value:,.0f}" if math.isfinite(value) else UNKNOWN


def percent_level(levels: Iterable[float]) -> str:
    """Name the intervals of a table by their level, where it is one.

    >>> percent_level([0.95, 0.95]), percent_level([0.9, 0.95]), percent_level([])
    ('95 % interval', 'interval', 'interval')
    """
    distinct_levels = set(levels)
    return (
        f"{100 * distinct_levels.pop():g} % interval" if len(distinct_levels) == 1 else "interval"
    )


_MOST_WORDS = 4


def select_first(sentences: Sequence[str], *, by_answer: bool) -> Sequence[str]:
    """The first sentences on what is sent: all, or four where there is one for each answer.

    >>> select_first("abcdef", by_answer=True), select_first("abcdef", by_answer=False)
    ('abcd', 'abcdef')
    """
    return sentences[:_MOST_WORDS] if by_answer else sentences


def shorten(question: "CheckedQuestion", most: int = _MOST_WORDS) -> list[str]:
    """List what is said of a question: of a sentence for each of its answers, only the first.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> [sentence[:30] for sentence in shorten(ak.check(form).questions[1], 1)]
    ['Of 100 people whose answer is ', '… and so for 1 more.']
    """
    repeated = question.answer_sentences
    if len(repeated) <= most:
        return [*question.sentences]
    shortened = [sentence for sentence in question.sentences if sentence not in repeated[most:]]
    shortened.insert(
        shortened.index(repeated[most - 1]) + 1, f"… and so for {len(repeated) - most} more."
    )
    return shortened


def promise(finding: "Finding") -> tuple[str, ...]:
    """Say what is sent, and what the first guarantee means.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> counts = ak.engines.Counts(0, {question.name: {} for question in form.questions})
    >>> promise(ak.analyse(form, counts).findings[1])[2]
    'No report is more than 6 times as likely from one answer as from another.'
    """
    sentences = select_first(finding.sentences, by_answer=finding.by_answer)
    return (*sentences, *(guarantee.promise for guarantee in finding.guarantees[:1]))


def left_open(finding: "Finding") -> tuple[str, ...]:
    """Say what was not learnt of a number, or learnt otherwise; nothing of what is withheld.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> left_open(ak.analyse(form, ak.engines.Counts(1020, sent)).findings[1])
    ()
    """
    if finding.suppressed:
        return ()
    difference = finding.difference_in_means
    if difference is None:
        return finding.left_open
    label = finding.wording.get(difference.labels[0], difference.labels[0])
    share, lower, upper = (
        f"{100 * ends[0]:.1f}" for ends in (difference.value, difference.lower, difference.upper)
    )
    level = percent_level([difference.level])
    return (*finding.left_open, _DIFFERENCE.format(label, share, level, lower, upper))


_DIFFERENCE = "By the difference in means, “{}” holds for {} of 100 people ({} {} to {})."


def use_wording(finding: "Finding") -> "Finding":
    """Replace the answers' names by their wording in the form's first language.

    Labels that are no answer's name, and names whose wording is not the only one of its kind, stay.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> use_wording(analysis.findings[1]).estimate.labels
    ('yes', 'no')
    """
    wording = keep_distinct(finding.wording)
    if not wording or not isinstance(finding.estimate, Estimate):
        return finding
    labels = tuple(wording.get(label, label) for label in finding.estimate.labels)
    truth = finding.truth and {
        wording.get(name, name): share for name, share in finding.truth.items()
    }
    return replace(finding, estimate=replace(finding.estimate, labels=labels), truth=truth)


def keep_distinct(wording: Mapping[str, str]) -> Mapping[str, str]:
    """The wording of answers, if all wordings differ; else nothing.

    >>> keep_distinct({"a": "always", "n": "never"}), keep_distinct({"a": "yes", "b": "yes"})
    ({'a': 'always', 'n': 'never'}, {})
    """
    return wording if len(set(wording.values())) == len(wording) else {}


def without_random(shares: Floats, careless: float) -> Floats:
    r"""The shares among careful people, had so many others picked an answer at random.

    What is estimated is then a mixture, so that :math:`\pi = (\hat\pi - r/k)/(1 - r)`, held inside
    [0, 1].

    Parameters
    ----------
    shares : array of shape (k,)
        The estimated shares :math:`\hat\pi` of the k answers.
    careless : float
        The share r of people who answered at random, in [0, 1).

    >>> without_random(np.array([0.3, 0.7]), 0.1).round(3).tolist()
    [0.278, 0.722]
    >>> without_random(np.array([0.01, 0.99]), 0.1).tolist()
    [0.0, 1.0]
    """
    return np.clip((np.asarray(shares) - careless / len(shares)) / (1 - careless), 0, 1)


def mean_without_random(mean: float, middle: float, careless: float) -> float:
    r"""The mean among careful people, had so many others answered at random.

    Random answers centre on the middle c of the line, so that
    :math:`\mu = (\hat\mu - r c)/(1 - r)`.

    >>> round(mean_without_random(29.0, 43.5, 0.1), 2)
    27.39
    """
    return (mean - careless * middle) / (1 - careless)


GLOSSES: Mapping[Notion, str] = MappingProxyType(
    {Notion[name]: str(gloss) for name, gloss in load_sentences("notes.toml")["glosses"].items()}
)
"""What figures mean, in plain words."""


def list_glosses(check: "Check") -> list[tuple[str, str]]:
    """List the notions of a check's figures, each once, with what they say."""
    groups = [entry.guarantees for entry in check.questions]
    groups += [trait.guarantees for trait in check.traits]
    notions = dict.fromkeys(guarantee.notion for guarantee in chain.from_iterable(groups))
    return [(notion.label, GLOSSES[notion]) for notion in notions if notion in GLOSSES]


def list_figures(guarantees: Iterable[Guarantee]) -> tuple[tuple[str, str, str], ...]:
    """List guarantees: the notion of each, its figure and its promise."""
    return tuple(
        (guarantee.notion.label, figure(guarantee), guarantee.promise) for guarantee in guarantees
    )


def note_evidence(analysis: "Analysis") -> Mapping[str, tuple[str, ...]]:
    """Write sentences on the evidence of an analysis, by the question at which they stand.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> note_evidence(ak.analyse(form, ak.engines.Counts(0, sent)))
    {}
    """
    form, found = analysis.form, analysis.evidence
    asked = read_evidence(form.document, form.questions)
    if found is None or asked is None:
        return {}
    notes = {asked.teach_back: _note_comprehension(found.comprehension, found.comprehension_p)}
    if found.by_group_p is not None:
        notes[asked.question] = _say_groups("answered_by_group", found.by_group, found.by_group_p)
    if (rate := found.false_positive) is not None and asked.sham is not None:
        says = "false_positive" if rate.share is not None else "false_positive_withheld"
        notes[asked.sham] = (_WRITER.write(says, _in_hundred(rate)),)
    for name, fit in found.corrections.items():
        facts = {
            "careless": 100 * fit.careless,
            "careless_se": 100 * fit.careless_se,
            "share": 100 * fit.value[0],
            "se": 100 * fit.se[0],
            "uncorrected": 100 * fit.uncorrected[0],
            "uncorrected_se": 100 * fit.uncorrected_se[0],
            "answer": fit.labels[0],
            "question": found.question,
        }
        notes[name] = (*notes.get(name, ()), _WRITER.write("careless", facts))
    for name, reason in found.untold.items():
        notes[name] = (*notes.get(name, ()), _WRITER.write("untold", {"reason": reason}))
    return notes


def _note_comprehension(
    rates: tuple["EvidenceRate", ...], p_value: float | None
) -> tuple[str, ...]:
    everybody, *groups = rates
    if everybody.share is None:
        return (_WRITER.write("understood_withheld", {}),)
    understood = _WRITER.write("understood", _in_hundred(everybody))
    if p_value is None:
        return understood, _WRITER.write("groups_withheld", {})
    return understood, *_say_groups("understood_by_group", tuple(groups), p_value)


def _say_groups(
    sentence: str, rates: tuple["EvidenceRate", ...], p_value: float
) -> tuple[str, ...]:
    facts = {
        "answer": rates[0].answer,
        "rates": tuple(map(_in_hundred, rates)),
        "p": p_value,
    }
    return (_WRITER.write(sentence, facts),)


def _in_hundred(rate: "EvidenceRate") -> dict[str, object]:
    return {
        "group": rate.group,
        "answer": rate.answer,
        "share": None if rate.share is None else 100 * rate.share,
        "se": None if rate.se is None else 100 * rate.se,
    }


_WRITER = Writer(
    tables={"sentences": load_sentences("notes.toml")["evidence"]}, cite=", ".join, facts={}
)
