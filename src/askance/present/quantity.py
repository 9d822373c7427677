"""One thing learnt, with its uncertainty: what every table and headline is made of."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from askance.estimators.line.band import SHARES
from askance.estimators.line.line import LineEstimate
from askance.estimators.shares.estimate import Estimate
from askance.present import wording

if TYPE_CHECKING:
    from askance.survey.analyse import Finding


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
    def told(self) -> str:
        """The estimate in words."""
        if self.unit is None:
            return wording.share(self.low)
        if self.plain == 0:
            return wording.NOTHING
        low, high = (wording.number(end, self.error) for end in (self.low, self.high))
        return low if low == high else f"{low} to {high}"

    @property
    def interval(self) -> str:
        """The interval in words."""
        if self.unit is None:
            return wording.share_interval(self.lower, self.upper)
        if self.plain == 0 or math.isnan(self.low):
            return wording.UNKNOWN
        return wording.number_interval(self.lower, self.upper, self.error)

    @property
    def truth_told(self) -> str:
        """The truth of a rehearsal in words, or nothing."""
        if self.truth is None:
            return ""
        if self.unit is None:
            return wording.share(self.truth)
        return wording.number(self.truth, self.error)

    @property
    def worth(self) -> str:
        """How many plain answers this is worth, or nothing."""
        if 0 < self.plain < 0.5:
            return "under 1"
        return wording.count(self.plain) if self.plain == self.plain else ""


def quantities(finding: "Finding") -> tuple[Quantity, ...]:
    """List what a finding holds, headline first; nothing where it is withheld.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.Counts(1020, sent))
    >>> [(held.label, held.told, held.interval) for held in quantities(analysis.findings[1])]
    [('yes', '32.4 %', '27.5 to 37.5 %'), ('no', '67.6 %', '62.5 to 72.5 %')]
    """
    if finding.suppressed:
        return ()
    if isinstance(finding.estimate, Estimate):
        return _shares(finding.estimate, finding.truth or {})
    return _numbers(finding.estimate, finding.truth or {})


def headline(finding: "Finding") -> Quantity | None:
    """Give the figure to say first: the first of two answers, the commonest of more, the mean.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.Counts(1020, sent))
    >>> headline(analysis.findings[1]).label, headline(analysis.findings[0])
    ('yes', None)
    """
    held = quantities(finding)
    if isinstance(finding.estimate, Estimate) and len(held) > 2:
        return max(held, key=lambda quantity: quantity.low if quantity.low == quantity.low else -1)
    return held[0] if held else None


def _shares(estimate: Estimate, truth: Mapping[str, float]) -> tuple[Quantity, ...]:
    return tuple(
        Quantity(
            label=label,
            low=float(estimate.value[at]),
            high=float(estimate.value[at]),
            lower=float(estimate.lower[at]),
            upper=float(estimate.upper[at]),
            error=float(estimate.se[at]),
            plain=float(estimate.plain[at]),
            unit=None,
            truth=truth.get(label),
        )
        for at, label in enumerate(estimate.labels)
    )


def _numbers(estimate: LineEstimate, truth: Mapping[str, float]) -> tuple[Quantity, ...]:
    mean = Quantity(
        label="mean",
        low=estimate.mean_low,
        high=estimate.mean_high,
        lower=estimate.lower,
        upper=estimate.upper,
        error=estimate.se,
        plain=estimate.plain,
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
            error=estimate.se,
            plain=math.nan,
            unit=estimate.unit,
            truth=truth.get(SHARES.get(p, "")),
        )
        for p, (lower, value, upper) in estimate.quantiles.items()
    )
    return (mean, *quantiles)
