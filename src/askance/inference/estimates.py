"""What was learnt: the shares of answers, or a number on a line, each with its uncertainty."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from askance.channels.identification import told
from askance.inference.climb import Convergence
from askance.inference.ranges.distribution import Distribution
from askance.results import (
    Listing,
    axes,
    json_of,
    keep_read_only,
    kept_mapping,
    listed,
    number,
    plain_json,
    read_only,
)
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate:
    """The estimated share of each answer in the population that answered.

    Attributes
    ----------
    what : str
        What the shares are of.
    labels : tuple of str
        The k answers.
    value : array, shape (k,)
        Estimated shares; not a number where nothing was learnt.
    covariance : array, shape (k, k)
        Their estimated covariance.
    lower, upper : array, shape (k,)
        Ends of the interval of each share, inside [0, 1] and never empty.
    level : float
        How often such an interval holds the true share.
    reports : int
        Reports that say anything: those whose chance depends on the answer.
    plain : array, shape (k,)
        How many plainly asked, truthful answers would have told as much.
    method : str
    convergence : Convergence
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum; not a number
        for closed forms.
    """

    what: str = "share of each answer"
    labels: tuple[str, ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float
    reports: int
    plain: Floats
    method: str
    convergence: Convergence
    gap: float = field(default=float("nan"))

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance lower upper plain")

    @property
    def se(self) -> Floats:
        """Standard error of each share, shape (k,)."""
        return read_only(np.sqrt(np.diag(self.covariance)))

    def to_dict(self) -> Json:
        """Write the estimate for JSON: lists for arrays, None where there is no number."""
        names = "what labels value se covariance lower upper level reports plain method gap"
        return json_of(self, names) | self.convergence.to_dict()

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        head = ["answer", "share", "se", f"{percent} from", "to", "plain answers"]
        columns = (self.value, self.se, self.lower, self.upper)
        rows = [
            [label, *(number(column[at]) for column in columns), f"{self.plain[at]:,.0f}"]
            for at, label in enumerate(self.labels)
        ]
        notes = [f"{self.reports:,} reports; {self.method}; {self.convergence.value}"]
        return self.what, head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw one bar per answer with its interval, first answer on top.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        at = np.arange(len(self.labels))
        (dots,) = ax.plot(self.value, at, "o", markersize=5)
        ax.barh(at, np.nan_to_num(self.value), height=0.6, alpha=0.35, color=dots.get_color())
        ax.hlines(at, self.lower, self.upper, color=dots.get_color(), linewidth=2)
        ax.set_yticks(at, self.labels)
        ax.invert_yaxis()
        ax.set_xlim(0, 1)
        ax.set_xlabel(f"{self.what}, {100 * self.level:g} % interval")
        return ax


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
    convergence : Convergence
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
    convergence: Convergence
    unlearnt: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        keep_read_only(self, "ticks cdf band_lower band_upper coverage coverage_counts")
        object.__setattr__(self, "quantiles", kept_mapping(self.quantiles))

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
        return json_of(self, names) | parts | self.convergence.to_dict()

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        rows = [["mean", number(self.mean), number(self.lower), number(self.upper)]]
        for share, (low, value, high) in self.quantiles.items():
            rows.append([f"quantile {share:g}", number(value), number(low), number(high)])
        notes = [
            f"mean between {number(self.mean_low)} and {number(self.mean_high)}, "
            f"se {number(self.se)}, worth {self.plain:,.0f} plain answers",
            f"{self.reports:,} ranges, average coverage {number(self.average_coverage)}; "
            f"{self.method}; {self.convergence.value}",
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


def nothing_told(numbers: Floats, level: float, unit: str, reports: int = 0) -> LineEstimate:
    """The estimate where nothing was learnt: every interval spans all that the line allows.

    Parameters
    ----------
    numbers : array, shape (t + 1,)
        The numbers at the ticks of the line.
    level : float
    unit : str
    reports : int
        How many came that settle no share; if none did, that is why nothing was learnt.

    >>> fit = nothing_told(np.array([0.0, 1.0, 2.0]), 0.95, "years")
    >>> fit.lower, fit.upper, fit.convergence.name
    (0.0, 2.0, 'NO_REPORTS')
    """
    convergence = Convergence.PARTLY_IDENTIFIED if reports else Convergence.NO_REPORTS
    first, last, nothing = float(numbers[0]), float(numbers[-1]), float("nan")
    return LineEstimate(
        unit=unit,
        distribution=Distribution(
            lower=np.array([first]),
            upper=np.array([last]),
            mass=np.ones(1),
            n=0,
            gap=nothing,
            method="none",
            convergence=convergence,
        ),
        mean_low=first,
        mean_high=last,
        se=nothing,
        lower=first,
        upper=last,
        level=level,
        ticks=numbers,
        cdf=np.full(len(numbers), nothing),
        band_lower=np.append(np.zeros(len(numbers) - 1), 1.0),
        band_upper=np.append(0.0, np.ones(len(numbers) - 1)),
        quantiles=dict.fromkeys(SHARES, (first, nothing, last)),
        coverage=np.empty(0),
        coverage_counts=np.empty(0),
        average_coverage=nothing,
        plain=0.0,
        reports=reports,
        method="none",
        convergence=convergence,
        unlearnt=((first, last),) if reports else (),
    )


SHARES: Mapping[float, str] = {
    0.1: "10th percentile",
    0.25: "lower quartile",
    0.5: "median",
    0.75: "upper quartile",
    0.9: "90th percentile",
}
"""The quantiles that are reported, with what they are called."""
