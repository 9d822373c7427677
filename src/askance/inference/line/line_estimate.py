"""What was learnt about a number on a line: mean, quantiles, distribution, or nothing at all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from askance.channels.identification import told
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.inference.convergence import Convergence
from askance.inference.ranges.distribution import Distribution
from askance.inference.shares.share_intervals import wilson
from askance.results import (
    Listing,
    axes,
    json_of,
    keep_read_only,
    kept_mapping,
    listed,
    number,
    plain_json,
)
from askance.typing import Booleans, Floats, Integers, Json


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


MOST_TICKS = 1_000
_OFF = 1e-6  # steps by which an end may miss its tick


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reported:
    """The cells that were reported.

    Attributes
    ----------
    cells : array of int, shape (c, 2)
        Ticks ``(low, high]``; a ring's outside where low > high.
    counts : array, shape (c,)
    """

    cells: Integers
    counts: Floats

    def distinct(self) -> "Reported":
        """Sort the cells, and count equal ones together."""
        cells, where = np.unique(self.cells, axis=0, return_inverse=True)
        counts = np.bincount(where.ravel(), self.counts, len(cells)).astype(float)
        return Reported(cells=cells, counts=counts)


def tick_numbers(channel: AbstractRangeChannel) -> Floats:
    """The numbers at the ticks of the line, shape (t + 1,).

    Raises
    ------
    InputError
        If the line has more ticks than can be estimated tick by tick.
    """
    line = channel.line
    if line.ticks > MOST_TICKS:
        raise InputError(
            "line.ticks",
            got=line.ticks,
            allowed=f"at most {MOST_TICKS}",
            remedy="publish the question with a larger step",
        )
    return np.array([float(line.at(tick)) for tick in range(line.ticks + 1)])


def reported(channel: AbstractRangeChannel, ranges: Ranges) -> Reported:
    """Place ranges on the ticks of the line and count equal ones.

    Raises
    ------
    InputError
        If an end is not a tick, or the channel never reports such a range.
    """
    line, step = channel.line, float(channel.line.step)
    exact = (np.stack([ranges.lower, ranges.upper], axis=1) - float(line.lower)) / step
    exact[np.isneginf(exact)], exact[np.isposinf(exact)] = 0, line.ticks
    ticks = np.rint(exact)
    off = (np.abs(exact - ticks) > _OFF) | (ticks < 0) | (ticks > line.ticks)
    pieces = np.where(off, 0, ticks).astype(np.int64)
    off = np.logical_or.reduceat(off.any(axis=1), ranges.starts[:-1]) if len(ranges) else off[:, 0]
    if ranges.plain and isinstance(channel, RangeChannel) and not channel.open:
        cells, known = pieces, channel.possible(pieces)
    else:
        cells, known = _cells_meant(channel, pieces, ranges.starts)
    seen = ranges.weights > 0
    for at in np.flatnonzero((off | ~known) & seen):
        one = slice(ranges.starts[at], ranges.starts[at + 1])
        ends = zip(ranges.lower[one].tolist(), ranges.upper[one].tolist(), strict=True)
        raise InputError(
            f"Ranges[{at}]",
            got=" | ".join(f"({low}, {high}]" for low, high in ends),
            allowed="a range that some draw of the cuts reports",
            remedy="check that the reports belong to this form",
        )
    return Reported(cells=cells[seen], counts=ranges.weights[seen]).distinct()


def _cells_meant(
    channel: AbstractRangeChannel, pieces: Integers, starts: Integers
) -> tuple[Integers, Booleans]:
    """Find for each range, of one piece or several, the cell that means just these pieces."""
    rows = [tuple(map(tuple, pieces[a:b].tolist())) for a, b in pairwise(starts.tolist())]
    tried = [(row, cell) for row in dict.fromkeys(rows) for cell in _perhaps(channel, row)]
    possible = channel.possible([cell for _, cell in tried])
    found: dict[tuple[Any, ...], tuple[int, int]] = {}
    for (row, cell), fits in zip(tried, possible.tolist(), strict=True):
        if fits and row not in found and channel.pieces(*cell) == row:
            found[row] = cell
    cells = np.array([found.get(row, (0, 0)) for row in rows], dtype=np.int64).reshape(-1, 2)
    return cells, np.array([row in found for row in rows], dtype=bool)


def _perhaps(channel: AbstractRangeChannel, row: Any) -> Iterator[tuple[int, int]]:
    """List the cells that may mean some pieces: as they stand, a ring's outside, or ends sent."""
    (low, end), (start, high) = row[0], row[-1]
    yield low, high
    if (low, high) == (0, channel.line.ticks) and len(row) == 2:
        yield start, end
    for first, last in channel.open:  # a cell that ends in a stretch that is sent exactly
        if last == low:
            yield from ((tick, high) for tick in range(first, last))
        if first == high:
            yield from ((low, tick) for tick in range(first + 1, last + 1))


SHARES: Mapping[float, str] = {
    0.1: "10th percentile",
    0.25: "lower quartile",
    0.5: "median",
    0.75: "upper quartile",
    0.9: "90th percentile",
}
"""The quantiles that are reported, with what they are called."""


def cdf_band(
    channel: RangeChannel, fit: Distribution, numbers: Floats, worth: Floats, z: float
) -> tuple[Floats, Floats]:
    """An interval for F at every tick; where no cut falls, from the nearest cuts around."""
    cuts = channel.cut_ticks()
    low, high = fit.cdf_bounds(numbers[cuts])
    lower = np.concatenate([[0.0], wilson(low, worth, z)[0], [1.0]])
    upper = np.concatenate([[0.0], wilson(high, worth, z)[1], [1.0]])
    ends = np.concatenate([[0], cuts, [len(numbers) - 1]])
    every = np.arange(len(numbers))
    before = np.searchsorted(ends, every, side="right") - 1
    after = np.searchsorted(ends, every, side="left")
    return lower[before], upper[after]


def quantiles(
    fit: Distribution, numbers: Floats, band: tuple[Floats, Floats]
) -> dict[float, tuple[float, float, float]]:
    """Invert the band: a quantile lies in ``(low, high]`` where it lets the cdf cross the share."""
    cdf, found = fit.cdf(numbers), {}
    for share in SHARES:
        low = numbers[int(np.argmax(band[1] >= share)) - 1]
        high = numbers[int(np.flatnonzero(band[0] < share)[-1]) + 1]
        middle = float(np.clip(np.interp(share, cdf, numbers), low, high))
        found[share] = (float(low), middle, float(high))
    return found


def number_variance(fit: Distribution) -> float:
    """The variance of the number, masses spread evenly over their intervals."""
    middle, width = (fit.lower + fit.upper) / 2, fit.upper - fit.lower
    return float(fit.mass @ (middle**2 + width**2 / 12) - (fit.mass @ middle) ** 2)
