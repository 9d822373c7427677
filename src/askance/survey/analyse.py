"""From a form and its counted reports to what was learnt, question by question."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Tally
from askance.channels.range_channel import RangeChannel
from askance.engines.count import Counts
from askance.errors import InputError, NotIdentified, refuse_unknown
from askance.inference.goodness_of_fit import (
    GoodnessOfFit,
    blanks_fit,
    goodness_of_fit,
    range_fit,
    stopped_fit,
)
from askance.inference.line.estimate_line import estimate_cells, estimate_plain
from askance.inference.line.line_estimate import (
    LineEstimate,
    Reported,
    nothing_told,
    tick_numbers,
)
from askance.inference.line.line_information import stopped_law
from askance.inference.shares.estimate import estimate
from askance.inference.shares.maximum_likelihood import Estimate
from askance.privacy.guarantee import meaning
from askance.survey.deployed import (
    channel_of,
    guarantees_of,
    minimum_of,
    range_channel_of,
    spread_of,
)
from askance.survey.words import Moved, figure, moved, sentences
from askance.typing import Floats, Integers, Json
from askance.wire.form import Form
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
    Value,
)

_FALSE = 100  # one report in so many is taken to be false

Sent = Mapping[int | tuple[int, int], int]
"""How often each value was sent, blanks left out."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one question taught.

    Attributes
    ----------
    name, text, kind : str
    protected : bool
    reports, blank : int
        Reports with a value, and without.
    expected_blank : float
        How many reports the form's own chance leaves blank, whatever the answer.
    estimate : Estimate or LineEstimate
    guarantee_words : tuple of str
        What is sent, in plain sentences.
    guarantees : tuple of (str, str)
        Label and figure.
    truth : mapping of str to float, or None
        By label, where this is a rehearsal.
    suppressed : bool
        Whether there are too few reports to publish.
    spread : str
        How common answers are taken to be, in the guarantees.
    fit : GoodnessOfFit
        Whether the reports can have been drawn as the form says. Where this is doubted nobody knows
        how many were sent to mislead, and every interval spans all that is possible.
    manipulation : Moved or None
        How far false reports, 1 % of those that came, move the estimate at most.
    """

    name: str
    text: str
    kind: str
    protected: bool
    reports: int
    blank: int
    expected_blank: float
    estimate: Estimate | LineEstimate
    guarantee_words: tuple[str, ...]
    guarantees: tuple[tuple[str, str], ...]
    truth: Mapping[str, float] | None
    suppressed: bool
    spread: str = ""
    fit: GoodnessOfFit = field(default_factory=GoodnessOfFit)
    manipulation: Moved | None = None

    def to_dict(self) -> Json:
        """Write the finding for JSON; an estimate from too few reports is withheld."""
        return {
            "name": self.name,
            "text": self.text,
            "kind": self.kind,
            "protected": self.protected,
            "reports": self.reports,
            "blank": self.blank,
            "expected_blank": self.expected_blank,
            "withheld": self.suppressed,
            "estimate": None if self.suppressed else self.estimate.to_dict(),
            "what_is_sent": list(self.guarantee_words),
            "guarantees": dict(self.guarantees),
            "spread": self.spread,
            "fit": None if self.suppressed else self.fit.to_dict(),
            "manipulation": self.manipulation.to_dict() if self.manipulation else None,
            "truth": dict(self.truth) if self.truth else None,
        }


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What a survey taught, with all that is needed to compute it again."""

    form: Form
    reports: int
    command: str
    form_fingerprint: str
    data_fingerprint: str
    findings: tuple[Finding, ...]

    def to_dict(self) -> Json:
        """Write the analysis for JSON."""
        return {
            "title": self.form.document["title"],
            "reports": self.reports,
            "command": self.command,
            "form_sha256": self.form_fingerprint,
            "data_sha256": self.data_fingerprint,
            "findings": [finding.to_dict() for finding in self.findings],
        }


@checked
def analyse(
    form: Form,
    counts: Counts,
    *,
    level: float = 0.95,
    command: str = "",
    data_fingerprint: str = "",
    truth: Mapping[str, Mapping[str, float]] | None = None,
) -> Analysis:
    """Estimate every question of a form from its counted reports.

    Channels are taken from the form: what was deployed is what is inverted.

    Parameters
    ----------
    form : Form
    counts : Counts
        From `askance.engines.count.count_reports`.
    level : float in (0, 1)
    command, data_fingerprint : str
        How to compute this again, and from what.
    truth : mapping, optional
        By question and label, for a rehearsal.

    Raises
    ------
    InputError
        If the level is not in (0, 1).
    """
    if not 0 < level < 1:
        raise InputError("level", got=level, allowed="a probability in (0, 1)")
    known: Mapping[str, Any] = truth or {}
    for name, told in known.items():
        refuse_unknown("analyse.truth", name, [question.name for question in form.questions])
        if not isinstance(told, Mapping):
            where, allowed = f"analyse.truth[{name!r}]", "a mapping of labels to numbers"
            raise InputError(where, got=told, allowed=allowed)
    findings = tuple(
        _finding(form, question, counts.values[question.name], level, known.get(question.name))
        for question in form.questions
    )
    return Analysis(
        form=form,
        reports=counts.reports,
        command=command,
        form_fingerprint=form.fingerprint,
        data_fingerprint=data_fingerprint,
        findings=findings,
    )


def _finding(
    form: Form,
    question: Question,
    values: Mapping[Value, int],
    level: float,
    truth: Mapping[str, float] | None,
) -> Finding:
    sent = {value: count for value, count in values.items() if value is not None and count}
    total, n = sum(values.values()), sum(sent.values())
    guarantees = guarantees_of(question)
    units, of = question.blank if isinstance(question, TableQuestion | RangeQuestion) else (0, 1)
    fit = _fit(question, sent, total - n)
    estimated = estimate_question(question, sent, level, form.languages[0])
    return Finding(
        name=question.name,
        text=question.text[form.languages[0]],
        kind=question.kind,
        protected=bool(guarantees),
        reports=n,
        blank=total - n,
        expected_blank=total * units / of,
        estimate=_unsure(estimated) if fit.doubted else estimated,
        guarantee_words=(*sentences(question), *(meaning(one) for one in guarantees)),
        guarantees=tuple((one.notion.label, figure(one)) for one in guarantees),
        truth=truth,
        suppressed=n < minimum_of(form),
        spread=spread_of(question) if guarantees else "",
        fit=fit,
        manipulation=_moved(question, sent, estimated) if n else None,
    )


def _moved(question: Question, sent: Sent, found: Estimate | LineEstimate) -> Moved | None:
    """Let one report in a hundred be false, and people be as they are estimated."""
    n, shares, law = sum(sent.values()), None, None
    if isinstance(question, RangeQuestion) and isinstance(found, LineEstimate) and found.reports:
        n, shares = found.reports, np.diff(found.cdf)
        if isinstance(question, CutsQuestion) and question.narrow:
            law = stopped_law(range_channel_of(question), *_ranged(question, sent))
    return moved(question, max(n // _FALSE, 1), n, shares, law)


def _ranged(question: RangeQuestion, sent: Sent) -> tuple[Integers, Floats]:
    """List the ranges that were sent, but the whole line, where a person took no step."""
    whole = (0, question.line.ticks)
    cells = [value for value in sent if isinstance(value, tuple) and value != whole]
    counts = np.array([sent[cell] for cell in cells], dtype=float)
    return np.array(cells, dtype=np.int64).reshape(-1, 2), counts


def _fit(question: Question, sent: Sent, blank: int) -> GoodnessOfFit:
    """Test all that a form promises of the reports to a question, as one family."""
    if not isinstance(question, TableQuestion | RangeQuestion) or not sent:
        return GoodnessOfFit()
    if isinstance(question, TableQuestion):
        tests = goodness_of_fit(_tally(question, sent)).tests
    else:
        channel, ranged = range_channel_of(question), (list(sent), list(sent.values()))
        narrow = isinstance(question, CutsQuestion) and question.narrow
        if narrow and isinstance(channel, RangeChannel):
            tests = stopped_fit(channel, *ranged)
        else:
            tests = range_fit(channel, *ranged)
    units, of = question.blank
    if units:
        tests += (blanks_fit(blank, blank + sum(sent.values()), units / of),)
    return GoodnessOfFit(tests=tests)


def _unsure(found: Estimate | LineEstimate) -> Estimate | LineEstimate:
    """Let every interval span all that is possible: what was sent to mislead has no law."""
    nothing = float("nan")
    if isinstance(found, Estimate):
        k = len(found.labels)
        plain = np.full(k, nothing)
        return replace(found, lower=np.zeros(k), upper=np.ones(k), plain=plain)
    first, last = float(found.ticks[0]), float(found.ticks[-1])
    wide = nothing_told(found.ticks, found.level, found.unit)
    quantiles = {share: (first, middle, last) for share, (_, middle, _) in found.quantiles.items()}
    return replace(
        found,
        lower=first,
        upper=last,
        band_lower=wide.band_lower,
        band_upper=wide.band_upper,
        quantiles=quantiles,
        plain=nothing,
    )


def estimate_question(
    question: Question, sent: Sent, level: float, language: str
) -> Estimate | LineEstimate:
    """Estimate one question from how often each value was sent, blanks left out."""
    match question:
        case TableQuestion() | Choice():
            return estimate(_tally(question, sent), level=level)
        case CutsQuestion() | RingQuestion():
            return _estimate_range(question, sent, level)
        case Number():
            ticks = {value: n for value, n in sent.items() if type(value) is int}
            return estimate_plain(question.line, ticks, level=level, unit=question.unit[language])


def _tally(question: TableQuestion | Choice, sent: Sent) -> Tally:
    channel = channel_of(question)
    named = {channel.reports[value]: n for value, n in sent.items() if type(value) is int}
    return Tally(channel, named)


def _estimate_range(question: RangeQuestion, sent: Sent, level: float) -> LineEstimate:
    """Invert the ranges; the whole line, where a person took no step, tells nothing.

    Nor do ranges of which the narrow ones are withheld, if the others settle no share.
    """
    ranges = range_channel_of(question)
    ends, counts = _ranged(question, sent)
    cells = Reported(cells=ends, counts=counts)
    try:
        return estimate_cells(ranges, cells, level, stopping=question.narrow)
    except NotIdentified:
        return nothing_told(tick_numbers(ranges), level, ranges.line.unit, int(counts.sum()))
