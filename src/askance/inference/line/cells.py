"""Estimates of a number on a line from its ranges: precision cell by cell, and what is learnt."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.identification import describe_piece
from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    inclusion_by_step,
    narrowed_chances,
    within,
)
from askance.channels.ranges import Ranges
from askance.chart import (
    CUMULATIVE,
    Axis,
    Chart,
    MarkKind,
    Series,
    chart_frame,
    draw,
    draw_result,
    histogram,
)
from askance.inference.fit_result import Convergence, DesignVariance, GoodnessOfFit, Untested
from askance.inference.provenance import Computation
from askance.inference.ranges.distribution import Distribution
from askance.results import (
    Listing,
    json_of,
    kept_mapping,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LineEstimate:
    """The estimated distribution of a number that was asked by random cuts.

    A number is known only up to its step of the line, so the mean has a lower and an upper bound
    even with endless reports; its interval holds both bounds at the stated level. Of whole numbers
    in steps of 1 the bounds are one, and quantiles are values.

    Attributes
    ----------
    title, unit : str
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
        The numbers at the ticks of the line; of a plain number on a line of more than 1,000, those
        at its ends, where somebody stands, and one tick below each.
    cdf, band_lower, band_upper : array, shape (t + 1,)
        Share of the population up to each tick, and its interval tick by tick.
    quantiles : mapping of float to (float, float, float)
        For each share the lower end, the estimate and the upper end.
    coverage, coverage_counts : array, shape (c,)
        For each range that was reported, the share of the population it leaves possible, and how
        often it was reported.
    average_coverage : float
        Mean of ``coverage`` over the reports: 1 is nothing revealed.
    effective_sample_size : float
        How many plainly asked, truthful numbers would give the mean with the same error.
    reports : int
        Ranges that were reported.
    method : str
    design_variance : DesignVariance, optional
        What design-based errors rest on: with sampling weights.
    convergence : Convergence
    unresolved : tuple of (float, float)
        The ``(lower, upper]`` wider than a step inside which no cut can fall: how much lies in each
        was learnt, where inside it was not.
    integer : bool
        Whether the number takes integers alone: the bounds of the mean, and the ends of
        quantiles, are such as these allow.
    goodness_of_fit : GoodnessOfFit
        Whether the ranges can have been drawn by the law of the cuts.
    """

    computation: ClassVar[Computation] = Computation.NUMBER
    title: str = "distribution of a number"
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
    effective_sample_size: float
    reports: int
    method: str
    design_variance: DesignVariance | None = None
    convergence: Convergence
    unresolved: tuple[tuple[float, float], ...] = ()
    integer: bool = False
    goodness_of_fit: GoodnessOfFit

    def __post_init__(self) -> None:
        object.__setattr__(self, "quantiles", kept_mapping(self.quantiles))

    @property
    def mean(self) -> float:
        """The middle of the mean's bounds."""
        return (self.mean_low + self.mean_high) / 2

    @property
    def jumps(self) -> bool:
        """Whether the share rises at ticks alone: of whole numbers, in steps of 1."""
        return bool(np.all(np.diff(self.ticks) == self.integer))

    @property
    def gap(self) -> float:
        """At most this much mean log-likelihood per report is missing to the maximum."""
        return self.distribution.gap

    def to_dict(self) -> Json:
        """Write the estimate for JSON: lists for arrays, None where there is no number."""
        names = (
            "title unit mean mean_low mean_high se lower upper level ticks cdf band_lower "
            "band_upper coverage coverage_counts average_coverage plain=effective_sample_size "
            "reports method gap unlearnt=unresolved"
        )
        quantiles = plain_json({f"{share:g}": ends for share, ends in self.quantiles.items()})
        parts = {"quantiles": quantiles} | json_of(self, "distribution goodness_of_fit")
        written = json_of(self, names) | parts | self.convergence.to_dict()
        return written | ({"whole": True} if self.integer else {})

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        rows = [["mean", number(self.mean), number(self.lower), number(self.upper)]]
        for share, (low, value, high) in self.quantiles.items():
            rows.append([f"quantile {share:g}", number(value), number(low), number(high)])
        bounds = f"mean between {number(self.mean_low)} and {number(self.mean_high)}, "
        worth = f"worth {self.effective_sample_size:,.0f} plain answers"
        reported = f"ranges, average coverage {number(self.average_coverage)}"
        if self.reports and not len(self.coverage):
            reported = "number" + "s" * (self.reports > 1)
        notes = [
            f"{bounds * (self.mean_low < self.mean_high)}se {number(self.se)}, {worth}",
            f"{self.reports:,} {reported}; {self.method}; {self.convergence.value}",
        ]
        if self.unresolved:
            notes.append(
                "nothing is learnt inside " + ", ".join(map(describe_piece, self.unresolved))
            )
        notes += self.goodness_of_fit.misfit
        title = f"{self.title}, {self.unit}" if self.unit else self.title
        return title, ["", "value", f"{percent} from", "to"], rows, notes

    def _chart(self) -> Chart:
        """Describe the cumulative share with its band: steps, or boxes where it is unknown."""
        low, high = self.distribution.cdf_bounds(self.ticks)
        later = 0 if self.jumps else 1  # inside a step of the line nothing is known
        steps = Series(
            mark=MarkKind.STEP,
            label="share" if self.jumps else "share; a box where it is unknown",
            x=self.ticks[:-1],
            x_end=self.ticks[1:],
            low=low[:-1],
            high=high[later : len(high) - 1 + later],
        )
        band = Series(
            mark=MarkKind.BAND,
            label=f"{100 * self.level:g} % interval",
            x=self.ticks[:-1],
            x_end=self.ticks[1:],
            low=self.band_lower[:-1],
            high=self.band_upper[later : len(high) - 1 + later],
            continues=True,
        )
        x = Axis(name=self.unit or "value", limits=self._span(), fits=False)
        return Chart(series=(steps, band), x=x, y=CUMULATIVE)

    def _span(self) -> tuple[float, float]:
        """Where the curve rises; on a long line, where somebody stands."""
        steps, upper = np.diff(self.ticks), self.distribution.upper
        if np.allclose(steps, steps[0]):
            rising = np.flatnonzero((self.cdf[1:] > _FLAT) & (self.cdf[:-1] < 1 - _FLAT))
            if not len(rising):
                return float(self.ticks[0]), float(self.ticks[-1])
            return float(self.ticks[rising[0]]), float(self.ticks[rising[-1] + 1])
        margin = max(float(np.ptp(upper)) / 20, float(steps.min()))
        return float(upper.min()) - margin, float(upper.max()) + margin

    plot = draw_result
    plot_data = chart_frame

    @checked
    def plot_coverage(self, ax: Any = None, *, label: str = "", color: Any = None) -> Any:
        """Draw how much of the population each report leaves possible, as a histogram.

        Parameters
        ----------
        ax, label, color
            As for `plot`.

        Raises
        ------
        MissingExtra
            If matplotlib is not installed.
        """
        y = Axis(name="reports", limits=(0, math.inf))
        chart = histogram(self.coverage, self.coverage_counts, self.average_coverage, y)
        return draw(chart, ax, label=label, color=color)

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def empty_estimate(
    numbers: Floats,
    level: float,
    unit: str,
    reports: int = 0,
    *,
    integer: bool = False,
    fit: GoodnessOfFit | None = None,
) -> LineEstimate:
    """The estimate where nothing was learnt: every interval spans all that the line allows.

    Parameters
    ----------
    numbers : array, shape (t + 1,)
        The numbers at the ticks of the line.
    level : float
    unit : str
    reports : int
        How many came that settle no share; if none did, that is why nothing was learnt.
    integer : bool
        Whether the line has whole numbers alone.
    fit : GoodnessOfFit, optional
        Of reports that settle no share.

    >>> fit = empty_estimate(np.array([0.0, 1.0, 2.0]), 0.95, "years")
    >>> fit.lower, fit.upper, fit.convergence.name
    (0.0, 2.0, 'NO_REPORTS')
    """
    convergence = Convergence.PARTLY_IDENTIFIED if reports else Convergence.NO_REPORTS
    first, last, nothing = float(numbers[0]), float(numbers[-1]), float("nan")
    least = first + integer
    return LineEstimate(
        unit=unit,
        distribution=_uninformative(first, last, convergence),
        mean_low=least,
        mean_high=last,
        se=nothing,
        lower=least,
        upper=last,
        level=level,
        ticks=numbers,
        cdf=np.full(len(numbers), nothing),
        band_lower=np.append(np.zeros(len(numbers) - 1), 1.0),
        band_upper=np.append(0.0, np.ones(len(numbers) - 1)),
        quantiles=dict.fromkeys(SHARES, (least, nothing, last)),
        coverage=np.empty(0),
        coverage_counts=np.empty(0),
        average_coverage=nothing,
        effective_sample_size=0.0,
        reports=reports,
        method="none",
        convergence=convergence,
        unresolved=((first, last),) if reports else (),
        integer=integer,
        goodness_of_fit=GoodnessOfFit(untested=Untested.NO_REPORTS) if fit is None else fit,
    )


def _uninformative(first: float, last: float, convergence: Convergence) -> Distribution:
    """The uninformative distribution: all mass somewhere between two ends."""
    return Distribution(
        lower=np.array([first]),
        upper=np.array([last]),
        mass=np.ones(1),
        n=0,
        gap=float("nan"),
        method="none",
        convergence=convergence,
    )


SHARES: Mapping[float, str] = {
    0.1: "10th percentile",
    0.25: "lower quartile",
    0.5: "median",
    0.75: "upper quartile",
    0.9: "90th percentile",
}
"""The quantiles that are reported, with what they are called."""


MOST_TICKS = 1_000
_OFF = 1e-6  # steps by which an end may miss its tick


_FLAT = 5e-4  # a share that a figure does not show


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
    return np.array([float(line.value_at(tick)) for tick in range(line.ticks + 1)])


def reported(channel: AbstractRangeChannel, ranges: Ranges) -> Reported:
    """Place ranges on the ticks of the line and count equal ones.

    Raises
    ------
    InputError
        As `placed`.
    """
    cells, is_counted = placed(channel, ranges), ranges.weights > 0
    return Reported(cells=cells[is_counted], counts=ranges.weights[is_counted]).distinct()


def placed(channel: AbstractRangeChannel, ranges: Ranges) -> Integers:
    """Place ranges on the ticks of the line, shape (n, 2).

    Raises
    ------
    InputError
        If an end is not a tick, or the channel never reports such a range.
    """
    line, step = channel.line, float(channel.line.step)
    exact = (np.stack([ranges.lower, ranges.upper], axis=1) - float(line.value_at(0))) / step
    exact[np.isneginf(exact)], exact[np.isposinf(exact)] = 0, line.ticks
    ticks = np.rint(exact)
    off = (np.abs(exact - ticks) > _OFF) | (ticks < 0) | (ticks > line.ticks)
    pieces = np.where(off, 0, ticks).astype(np.int64)
    off = np.logical_or.reduceat(off.any(axis=1), ranges.starts[:-1]) if len(ranges) else off[:, 0]
    if ranges.is_single_piece and isinstance(channel, RangeChannel) and not channel.open:
        cells, possible = pieces, channel.can_report(pieces)
    else:
        cells, possible = _find_cells(channel, pieces, ranges.starts)
    is_counted = ranges.weights > 0
    for row in np.flatnonzero((off | ~possible) & is_counted):
        span = slice(ranges.starts[row], ranges.starts[row + 1])
        ends = zip(ranges.lower[span].tolist(), ranges.upper[span].tolist(), strict=True)
        raise InputError(
            f"Ranges[{row}]",
            got=" | ".join(f"({low}, {high}]" for low, high in ends),
            allowed="a range that some draw of the cuts reports",
            remedy="check that the reports belong to this form",
        )
    return cells


def _find_cells(
    channel: AbstractRangeChannel, pieces: Integers, starts: Integers
) -> tuple[Integers, Booleans]:
    """Find for each range, of one piece or several, the cell that means just these pieces."""
    rows = [tuple(map(tuple, pieces[a:b].tolist())) for a, b in pairwise(starts.tolist())]
    tried = [(row, cell) for row in dict.fromkeys(rows) for cell in _candidate_cells(channel, row)]
    possible = channel.can_report([cell for _, cell in tried])
    cell_of: dict[tuple[Any, ...], tuple[int, int]] = {}
    for (row, cell), fits in zip(tried, possible.tolist(), strict=True):
        if fits and row not in cell_of and channel.pieces(*cell) == row:
            cell_of[row] = cell
    cells = np.array([cell_of.get(row, (0, 0)) for row in rows], dtype=np.int64).reshape(-1, 2)
    return cells, np.array([row in cell_of for row in rows], dtype=bool)


def _candidate_cells(channel: AbstractRangeChannel, row: Any) -> Iterator[tuple[int, int]]:
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


_ROUNDING = 9  # decimals at which sums of marks are equal
_LEAST = 1e-9  # of the largest eigenvalue: a sum that reports do not tell


Law = tuple[Integers, Floats]
"""Ranges, shape (c, 2), and the chance of each that whoever is in it sends it."""


def atoms(channel: AbstractRangeChannel) -> Integers:
    """Number the steps of the line, with one number for steps that no report distinguishes.

    Each range gets a mark of its own; steps inside the same ranges have equal sums of marks, and so
    does each step that is sent exactly, which no other has.

    >>> from askance.channels.cut_variants import RingChannel
    >>> from askance_collect.exact.line import Floor
    >>> from askance_collect.exact.line import Line
    >>> atoms(RingChannel(Line(0, 5, 1), [1, 0, 1, 0], Floor([1] * 5, 1))).tolist()
    [0, 1, 1, 0, 0]
    >>> sent = RangeChannel(Line(0, 8, 1), [0, 1, 0, 0, 1, 0, 0], 2, open=[(2, 4)])
    >>> atoms(sent).tolist()
    [0, 0, 1, 2, 3, 4, 4, 4]
    """
    ends, _ = channel.cells()
    marks = 2 + np.sin(np.arange(1.0, len(ends) + 1) ** 2)
    sums = np.round(inclusion_by_step(channel.line.ticks, ends, marks), _ROUNDING)
    _, first, number = np.unique(sums, return_index=True, return_inverse=True)
    ranks = np.argsort(np.argsort(first))
    return ranks[number].astype(np.int64)


def reach(number: Integers) -> tuple[Integers, Integers]:
    """For each step the first and the last step that it is not told apart from.

    >>> first, last = reach(np.array([0, 1, 1, 0]))
    >>> first.tolist(), last.tolist()
    ([0, 1, 1, 0], [3, 2, 2, 3])
    """
    first, last = np.full(number.max() + 1, len(number)), np.zeros(number.max() + 1, dtype=np.int64)
    np.minimum.at(first, number, np.arange(len(number)))
    np.maximum.at(last, number, np.arange(len(number)))
    return first[number], last[number]


def identified(channel: AbstractRangeChannel) -> bool:
    """Say whether the shares of all atoms can be learnt: only their sum is known beforehand.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> identified(RangeChannel(Line(0, 4, 1), [1, 0, 1]))
    True
    """
    _, first, steps = np.unique(atoms(channel), return_index=True, return_counts=True)
    if len(first) < 2:
        return False
    even = np.full(channel.line.ticks, 1 / channel.line.ticks)
    information = _information(channel, 1.0, even, channel.cells())[np.ix_(first, first)] * np.sqrt(
        np.outer(steps, steps)
    )
    ascending = np.linalg.eigvalsh(information)
    return bool(ascending[1] > _LEAST * ascending[-1])


def shares_covariance(
    channel: AbstractRangeChannel,
    n: float,
    shares: Floats,
    sums: Floats,
    law: Law | None = None,
) -> Floats:
    """The variance of sums of shares of steps, from n reports that were sent.

    The information is n/P Σ_S g_S 1_S 1_Sᵀ / P(S) − n s sᵀ/P², over the ranges S that can be sent,
    each with the chance g_S given an answer in it; s = Σ_S g_S 1_S is the chance to be heard of and
    P = s · shares. Shares sum to one, so a sum c counts as c − c · shares.

    Parameters
    ----------
    channel : AbstractRangeChannel
    n : float
    shares : array, shape (ticks,)
        Positive.
    sums : array, shape (r, ticks)
        Which steps each sum takes, or with what weight: constant on `atoms`.
    law : (array of int, shape (c, 2), array, shape (c,)), optional
        The ranges and their chances, where these are not the channel's own.

    Returns
    -------
    array, shape (r,)
    """
    _, centred, inverse = _invert_information(channel, n, shares, sums, law)
    variance: Floats = np.einsum("ri,ij,rj->r", centred, inverse, centred)
    return variance


def shares_influence(
    channel: AbstractRangeChannel,
    reported: Reported,
    shares: Floats,
    sums: Floats,
    law: Law | None = None,
) -> Floats:
    """By how much one report more of each cell moves sums of shares of steps, shape (c, r).

    c I⁻¹ s, with I the information of all reports and s_j = 1(j ∈ S)/P(S) − s_j/P the score of a
    report S by the share of step j, as in `shares_covariance`. Weighted by how often each cell was
    sent they add up to 0 where shares are most likely.

    Parameters
    ----------
    channel : AbstractRangeChannel
    reported : Reported
        The cells, and how often each was sent.
    shares, sums, law
        As in `shares_covariance`.
    """
    law = channel.cells() if law is None else law
    first, centred, inverse = _invert_information(channel, reported.counts.sum(), shares, sums, law)
    inclusion = _inclusion_chances(channel, law)
    inside = np.column_stack(
        [
            channel.range_probabilities(reported.cells, np.arange(len(shares)) == step)
            for step in first
        ]
    )
    scores = inside / channel.range_probabilities(reported.cells, shares)[:, None] - inclusion[
        first
    ] / (inclusion @ shares)
    return scores @ inverse @ centred.T


def _invert_information(
    channel: AbstractRangeChannel, n: float, shares: Floats, sums: Floats, law: Law | None
) -> tuple[Integers, Floats, Floats]:
    """A step of each atom, what each sum counts there, and the inverse information on these."""
    _, first = np.unique(atoms(channel), return_index=True)
    information = _information(channel, n, shares, channel.cells() if law is None else law)
    inverse = np.linalg.pinv(information[np.ix_(first, first)], rcond=_LEAST, hermitian=True)
    return (
        first.astype(np.int64),
        (sums - (sums @ shares)[:, None])[:, first],
        inverse.astype(float),
    )


def _inclusion_chances(channel: AbstractRangeChannel, law: Law) -> Floats:
    """The inclusion probability of a number in each step."""
    accepted = np.zeros(channel.line.ticks, dtype=bool)
    for start, end in channel.open:
        accepted[start:end] = True
    return np.where(accepted, 1.0, inclusion_by_step(channel.line.ticks, *law))


def _information(channel: AbstractRangeChannel, n: float, shares: Floats, law: Law) -> Floats:
    accepted = np.zeros(channel.line.ticks, dtype=bool)
    for start, end in channel.open:
        accepted[start:end] = True
    inclusion = _inclusion_chances(channel, law)
    total, added = float(inclusion @ shares), _sum_blocks(channel, shares, law, accepted)
    return n / total * added - n / total**2 * np.outer(inclusion, inclusion)


def _sum_blocks(
    channel: AbstractRangeChannel, shares: Floats, law: Law, accepted: Booleans
) -> Floats:
    """Add up g_S 1_S 1_Sᵀ / P(S): each range is a square block, a ring's outside all but one."""
    ends, chances = law
    n, weight = channel.line.ticks, chances / channel.range_probabilities(ends, shares)
    cell = ~accepted[ends.min(axis=1)] | (np.abs(np.diff(ends, axis=1)[:, 0]) > 1)
    low, high = np.sort(ends, axis=1)[cell].T
    outside, weight = (ends[:, 0] > ends[:, 1])[cell], weight[cell]
    corners = np.zeros((n + 1) ** 2)
    for row, column, sign in ((low, low, 1), (low, high, -1), (high, low, -1), (high, high, 1)):
        corners += sign * np.bincount(row * (n + 1) + column, weight, (n + 1) ** 2)
    blocks = corners.reshape(n + 1, n + 1).cumsum(axis=0).cumsum(axis=1)[:n, :n]
    rings = inclusion_by_step(n, np.stack([low, high], axis=1)[outside], weight[outside])
    summed: Floats = blocks + weight[outside].sum() - rings[:, None] - rings[None, :]
    summed[accepted] = summed[:, accepted] = 0
    summed[accepted, accepted] = 1 / shares[accepted]
    return summed


def cdf_covariance(channel: RangeChannel, n: float, cdf: Floats, law: Law | None = None) -> Floats:
    """Invert the expected information on F at the ticks that can be cut.

    n Σ_S g_S (e_high − e_low)(e_high − e_low)ᵀ / F(S), over cells S with chance g_S of being one:
    the Laplacian of a graph whose nodes are the ticks, grounded at the ends of the line. For one
    cut it is diagonal, and the variance at a tick is F(1 − F)/(n g).

    Parameters
    ----------
    channel : RangeChannel
    n : float
        Reports.
    cdf : array, shape (t + 1,)
        F at all ticks, strictly increasing.
    law : (array of int, shape (c, 2), array, shape (c,)), optional
        The ranges and their chances, where these are not the channel's own (`drawn_law`).

    Returns
    -------
    array, shape (c, c)

    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 3, 1), [1, 3])
    >>> covariance = cdf_covariance(channel, 100, np.array([0, 0.2, 0.5, 1]))
    >>> covariance.round(9).tolist()  # 0.2 · 0.8 / 25 and 0.5 · 0.5 / 75
    [[0.0064, 0.0], [0.0, 0.003333333]]
    """
    cuts, ticks = channel.cut_ticks(), channel.line.ticks
    cells, chances = channel.cells() if law is None else law
    weight = n * chances / (cdf[cells[:, 1]] - cdf[cells[:, 0]])
    node = np.full(ticks + 1, -1)
    node[cuts] = np.arange(len(cuts))
    low, high = node[cells[:, 0]], node[cells[:, 1]]
    size = len(cuts)
    own = np.bincount(low + 1, weight, size + 1) + np.bincount(high + 1, weight, size + 1)
    inner = (low >= 0) & (high >= 0)
    shared = np.bincount(low[inner] * size + high[inner], weight[inner], size**2)
    information = -shared.reshape(size, size).astype(float)
    information += information.T + np.diag(own[1:])
    return np.linalg.inv(information)


def drawn_law(channel: RangeChannel, reported: Reported, cdf: Floats) -> Law:
    r"""The law of ranges, raked to the cuts that came.

    .. math:: g'_S = g_S\, a_{w(\text{low})}\, a_{w(\text{high})}

    with a factor for each stretch w of the line, such that as many reports are expected to end in
    it as did: people who see their cuts may answer more readily at some of them, and which cuts
    came is ancillary where that depends on the cuts alone. Each stretch has 20 ends or more,
    so that the law is smooth where the cuts are few (iterative proportional fitting: Deming &
    Stephan, 1940).

    Parameters
    ----------
    channel : RangeChannel
    reported : Reported
    cdf : array, shape (t + 1,)
        F at all ticks, strictly increasing.

    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 3, 1), [1, 1])
    >>> came = Reported(cells=np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), counts=np.full(4, 100.0))
    >>> drawn_law(channel, came, np.array([0, 0.5, 0.7, 1]))[1].round(9).tolist()
    [0.5, 0.5, 0.5, 0.5]
    >>> shy = Reported(cells=came.cells, counts=np.array([150, 150, 50, 50.0]))  # of the second cut
    >>> drawn_law(channel, shy, np.array([0, 0.5, 0.7, 1]))[1].round(9).tolist()
    [0.75, 0.25, 0.75, 0.25]
    """
    cells, chances = channel.cells()
    ticks, n = channel.line.ticks, reported.counts.sum()
    ends = np.zeros(ticks + 1)
    np.add.at(ends, reported.cells.ravel(), np.repeat(reported.counts, 2))
    stretch = _number_stretches(ends[channel.cut_ticks()])
    window = np.zeros(ticks + 1, dtype=np.int64)  # 0: an end of the line
    window[channel.cut_ticks()] = 1 + stretch
    came, sides = np.bincount(window, ends), window[cells]
    expected, size = n * chances * (cdf[cells[:, 1]] - cdf[cells[:, 0]]), len(came)
    pairs = np.bincount(sides @ [size, 1], expected, size**2).reshape(size, size)
    factor = np.ones(size)
    for _ in range(_RAKED):
        now = pairs * factor[:, None] * factor
        counted = now.sum(axis=0) + now.sum(axis=1)
        step = np.divide(came, counted, out=np.ones(size), where=counted > 0)
        step[0] = 1.0
        factor = factor * (step if channel.number == 1 else np.sqrt(step))
        if np.abs(step - 1).max() < _RAKED_CLOSE:
            break
    return cells, chances * factor[sides[:, 0]] * factor[sides[:, 1]]


_FEWEST_ENDS = 20.0
_RAKED, _RAKED_CLOSE = 50, 1e-6


def _number_stretches(ends: Floats) -> Integers:
    """Number stretches of neighbouring ticks that hold 20 ends each, or more."""
    number, ends_so_far, stretch = 0, 0.0, np.zeros(len(ends), dtype=np.int64)
    for i, count in enumerate(ends.tolist()):
        stretch[i], ends_so_far = number, ends_so_far + count
        if ends_so_far >= _FEWEST_ENDS:
            number, ends_so_far = number + 1, 0.0
    return stretch if ends_so_far >= _FEWEST_ENDS else np.minimum(stretch, max(number - 1, 0))


def mean_coefficients(channel: RangeChannel, numbers: Floats) -> Floats:
    """How the bounds of the mean fall with F at each tick that can be cut, shape (2, c).

    Summing by parts, E_low = x_last − Σ F(x_i)(x_i − x_{i−1}) and E_high alike one step later.

    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 0, 1])
    >>> mean_coefficients(channel, np.arange(5.0)).tolist()
    [[-1.0, -2.0], [-2.0, -1.0]]
    """
    ends = np.concatenate([[0], channel.cut_ticks(), [channel.line.ticks]])
    steps = np.diff(numbers[ends])
    return np.stack([-steps[:-1], -steps[1:]])


_ROUNDS = 200  # of EM, on no more shares than there are cuts


def stopped_law(
    channel: AbstractRangeChannel, ends: Integers, counts: Floats
) -> tuple[Integers, Floats]:
    """The chance of each range, if people take as many steps as these are likeliest to have.

    After j candidates a range has a chance that is the same from every answer in it. So what share
    of people stopped after each j follows from how narrow the ranges are, without their
    distribution: the most likely mixture, by EM.

    Parameters
    ----------
    channel : RangeChannel
        Of people who never stop; nothing is withheld.
    ends : array of int, shape (c, 2)
        The ranges that were sent, the whole line left out.
    counts : array, shape (c,)

    Returns
    -------
    ends : array of int, shape (d, 2)
    chances : array, shape (d,)
        Of those who took a step at all.

    Raises
    ------
    InputError
        If the channel is not one of cuts that come in turn.

    >>> from askance_collect.exact.line import Line
    >>> two = RangeChannel(Line(0, 3, 1), [1, 1], 2)
    >>> one_step = np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), np.full(4, 25.0)
    >>> ends, chances = stopped_law(two, *one_step)
    >>> {tuple(end): round(chance, 1) for end, chance in zip(ends.tolist(), chances.tolist())}
    {(0, 1): 0.5, (0, 2): 0.5, (1, 2): 0.0, (1, 3): 0.5, (2, 3): 0.5}
    """
    if not isinstance(channel, RangeChannel) or channel.withhold:
        raise InputError("stopped_law.channel", allowed="cuts that come in turn, none withheld")
    whole_line, cells = (0, channel.line.ticks), channel.cells()[0]
    cells = cells[~np.all(cells == whole_line, axis=1)]
    laws = [
        chance / (1 - chance[whole_line])
        for steps in range(1, channel.number + 1)
        for chance in [narrowed_chances(channel.cut_weights, steps, channel.floor)]
    ]
    ranged = ~within(channel.open, ends)
    by_law = np.array([law[tuple(ends[ranged].T)] for law in laws])
    weights = np.full(len(laws), 1 / len(laws))
    frequency = counts[ranged] / max(counts[ranged].sum(), 1)
    for _ in range(_ROUNDS):
        mixed = weights @ by_law
        weights = weights * (by_law @ (frequency / mixed)) if frequency.any() else weights
    chances = sum(w * law[tuple(cells.T)] for w, law in zip(weights, laws, strict=True))
    return cells, np.where(within(channel.open, cells), 1.0, chances)


def _rounding_error(number: float) -> float:
    """By how much rounding may make a number miss the value that it is."""
    return 1e-9 + 64 * float(np.spacing(abs(number)))


def at_values(low: float, high: float) -> tuple[float, float]:
    """Move bounds of a mean, read off a line of whole numbers, to its values; one where they meet.

    >>> at_values(2.25, 3.25), at_values(2.25, 4)
    ((3.25, 3.25), (3.25, 4))
    """
    return (high if high - low < 1 + _rounding_error(high) else low + 1), high


def values_of(
    quantiles: dict[float, tuple[float, float, float]],
) -> dict[float, tuple[float, float, float]]:
    """Move quantiles of ``(low, high]``, read off a line of whole numbers, to its values; never −0.

    >>> values_of({0.5: (1.0, 1.4, 3.0)})
    {0.5: (2.0, 2.0, 3.0)}
    """
    return {
        share: (low + 1, float(np.ceil(middle - _rounding_error(middle))) + 0.0, high)
        for share, (low, middle, high) in quantiles.items()
    }
