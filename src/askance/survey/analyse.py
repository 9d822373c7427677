"""From a form and its counted reports to what was learnt, question by question."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.engines.rows import Counts
from askance.errors import InputError, refuse_unknown
from askance.inference.estimates import Estimate, LineEstimate, nothing_told
from askance.inference.goodness_of_fit import GoodnessOfFit
from askance.privacy.guarantee import Guarantee
from askance.results import kept_mapping
from askance.survey.deployed import AbstractDeployed, Moved, Way, figure, said, sent_of
from askance.survey.publish import DeployedForm, minimum_of
from askance.typing import Json
from askance.wire.form import Form
from askance.wire.question import Value


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
    manipulation : Moved or None
        How far false reports, 1 % of those that came, move the estimate at most.
    way : Way
        How an answer became what was sent.
    wording : mapping of str to str
        How the form words each answer, by its name; empty for a number.
    left_open : tuple of str
        Which part of a distribution was not learnt, and what was assumed for the rest.
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
    manipulation: Moved | None = None
    way: Way = Way.PLAINLY
    wording: Mapping[str, str] = field(default_factory=dict)
    left_open: tuple[str, ...] = ()

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
            "expected_blank": self.expected_blank,
            "withheld": self.suppressed,
            "estimate": None if self.suppressed else self.estimate.to_dict(),
            "what_is_sent": [*self.sent, *(one.promise for one in self.guarantees)],
            "guarantees": {one.notion.label: figure(one) for one in self.guarantees},
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
    return analysed(
        DeployedForm.of(form),
        counts,
        level=level,
        command=command,
        data_fingerprint=data_fingerprint,
        truth=truth,
    )


def analysed(
    deployed: DeployedForm,
    counts: Counts,
    *,
    level: float = 0.95,
    command: str = "",
    data_fingerprint: str = "",
    truth: Mapping[str, Mapping[str, float]] | None = None,
) -> Analysis:
    """Estimate every question of a form whose questions are built already."""
    if not 0 < level < 1:
        raise InputError("level", got=level, allowed="a probability in (0, 1)")
    form, known = deployed.form, dict[str, Any](truth or {})
    for name, told in known.items():
        refuse_unknown("analyse.truth", name, [question.name for question in form.questions])
        if not isinstance(told, Mapping):
            where, allowed = f"analyse.truth[{name!r}]", "a mapping of labels to numbers"
            raise InputError(where, got=told, allowed=allowed)
    minimum = minimum_of(form)
    findings = tuple(
        _finding(one, counts.values[name], minimum, level, known.get(name))
        for name, one in zip((one.name for one in form.questions), deployed.questions, strict=True)
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
    one: AbstractDeployed,
    values: Mapping[Value, int],
    minimum: int,
    level: float,
    truth: Mapping[str, float] | None,
) -> Finding:
    total, n = sum(values.values()), sum(sent_of(values).values())
    learnt, (units, of) = one.learn(values, level), one.question.blank
    return Finding(
        name=one.question.name,
        text=said(one.question.text),
        kind=one.question.kind,
        protected=bool(one.guarantees),
        reports=n,
        blank=total - n,
        expected_blank=total * units / of,
        estimate=_unsure(learnt.estimate) if learnt.fit.doubted else learnt.estimate,
        sent=one.sentences(),
        guarantees=one.guarantees,
        truth=truth,
        suppressed=n < minimum,
        spread=one.spread if one.guarantees else "",
        fit=learnt.fit,
        manipulation=learnt.moved,
        way=one.way,
        wording=one.wording,
        left_open=learnt.left_open,
    )


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
