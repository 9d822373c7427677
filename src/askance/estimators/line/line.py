"""What was learnt about a protected number: its mean, quantiles and distribution."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np

from askance.channels.identification import told
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.distribution import Distribution
from askance.results import Listing, axes, json_of, keep_read_only, listed, number, plain_json
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LineEstimate:
    """The estimated distribution of a number that was asked by random cuts.

    A number is known only up to its step of the line, so the mean has a lower and an upper bound
    even with endless reports; its interval holds both bounds at the stated level.

    Attributes
    ----------
    what, unit : str
    distribution : Distribution
        The fit itself, on the declared line.
    mean_low, mean_high : float
        The estimated mean if everyone stood at the lower, or upper, end of their interval.
    se : float
        Standard error of either bound.
    lower, upper : float
        ``mean_low − z se`` and ``mean_high + z se``, inside the declared line.
    level : float
    ticks : array, shape (t + 1,)
        The numbers at the ticks of the line.
    cdf, band_lower, band_upper : array, shape (t + 1,)
        Share of the population up to each tick, and its interval tick by tick.
    quantiles : mapping of float to (float, float, float)
        For each share the lower end, the estimate and the upper end.
    coverage, coverage_counts : array, shape (c,)
        For each range that was reported, the share of the population it leaves possible, and how
        often it was reported.
    average_coverage : float
        Mean of ``coverage`` over the reports: 1 is nothing revealed.
    plain : float
        How many plainly asked, truthful numbers would give the mean with the same error.
    reports : int
        Ranges that were reported.
    method : str
    outcome : Outcome
    unlearnt : tuple of (float, float)
        The ``(lower, upper]`` wider than a step inside which no cut can fall: how much lies in each
        was learnt, where inside it was not.
    """

    what: str = "distribution of a number"
    unit: str = ""
    distribution: Distribution
    mean_low: float
    mean_high: float
    se: float
    lower: float
    upper: float
    level: float
    ticks: Floats
    cdf: Floats
    band_lower: Floats
    band_upper: Floats
    quantiles: Mapping[float, tuple[float, float, float]]
    coverage: Floats
    coverage_counts: Floats
    average_coverage: float
    plain: float
    reports: int
    method: str
    outcome: Outcome
    unlearnt: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        keep_read_only(self, "ticks cdf band_lower band_upper coverage coverage_counts")
        object.__setattr__(self, "quantiles", MappingProxyType(dict(self.quantiles)))

    @property
    def mean(self) -> float:
        """The middle of the mean's bounds."""
        return (self.mean_low + self.mean_high) / 2

    @property
    def gap(self) -> float:
        """At most this much mean log-likelihood per report is missing to the maximum."""
        return self.distribution.gap

    def to_dict(self) -> Json:
        """Write the estimate for JSON: lists for arrays, None where there is no number."""
        names = (
            "what unit mean mean_low mean_high se lower upper level ticks cdf band_lower "
            "band_upper coverage coverage_counts average_coverage plain reports method gap unlearnt"
        )
        quantiles = plain_json({f"{share:g}": ends for share, ends in self.quantiles.items()})
        parts = {"quantiles": quantiles, "distribution": self.distribution.to_dict()}
        return json_of(self, names) | parts | self.outcome.to_dict()

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        rows = [["mean", number(self.mean), number(self.lower), number(self.upper)]]
        for share, (low, value, high) in self.quantiles.items():
            rows.append([f"quantile {share:g}", number(value), number(low), number(high)])
        notes = [
            f"mean between {number(self.mean_low)} and {number(self.mean_high)}, "
            f"se {number(self.se)}, worth {self.plain:,.0f} plain answers",
            f"{self.reports:,} ranges, average coverage {number(self.average_coverage)}; "
            f"{self.method}; {self.outcome.value}",
        ]
        if self.unlearnt:
            notes.append("nothing is learnt inside " + ", ".join(map(told, self.unlearnt)))
        title = f"{self.what}, {self.unit}" if self.unit else self.what
        return title, ["", "value", f"{percent} from", "to"], rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the cumulative share with its band.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        ax.fill_between(self.ticks, self.band_lower, self.band_upper, alpha=0.25, linewidth=0)
        ax.plot(self.ticks, self.cdf, linewidth=1.5)
        ax.set_xlim(float(self.ticks[0]), float(self.ticks[-1]))
        ax.set_ylim(0, 1)
        ax.set_xlabel(self.unit)
        ax.set_ylabel("share up to here")
        return ax

    def plot_coverage(self, ax: Any = None) -> Any:
        """Draw how much of the population each report leaves possible, as a histogram.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        ax.hist(self.coverage, bins=np.linspace(0, 1, 21).tolist(), weights=self.coverage_counts)
        ax.plot(self.average_coverage, 0, "^", color="black", clip_on=False, zorder=5)
        ax.set(xlim=(0, 1), ylim=(0, None))
        ax.set_xlabel("share of the population that a report leaves possible (triangle: average)")
        ax.set_ylabel("reports")
        return ax
