"""Coverage: how wide reported ranges are, each by itself, on average, at least, and in boxes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product
from math import prod
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.cut_law import CutLaw
from askance.channels.cut_variants import closed_chances
from askance.channels.number_law import ContinuousLaw, continuous_law
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel, range_written
from askance.channels.ranges import Ranges, refuse_truncation
from askance.chart import Axis, Chart, chart_frame, draw_result, histogram
from askance.privacy.guarantee import AS_GIVEN, EVENLY, Guarantee, Notion
from askance.results import (
    Listing,
    counted,
    doubles,
    json_of,
    listed,
    number,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Floor, Line


@checked
def coverage(
    channel: AbstractRangeChannel | CutLaw | Sequence[AbstractRangeChannel] | Sequence[CutLaw],
    distribution: Any = None,
) -> Guarantee:
    r"""Coverage τ (interval privacy): the chance that another's number lies in a reported range.

    .. math:: \tau = E\bigl[(1 - |G(Y) - G(Y')|)^m\bigr]

    with G the law of one of m independent cuts and Y, Y' independent answers. 1 − τ is the leakage.
    Of several mechanisms that draw independently, it is the coverage of the range that all reports
    together leave: exact, where `compose` adds leakages up.

    Parameters
    ----------
    channel : RangeChannel, RingChannel, OpenCellChannel, CutLaw, or a sequence of channels or laws
        Several channels have one line. A report that is withheld leaves every number possible and
        counts as 1, though it may tell them apart. A number in the acceptable range leaves only
        itself possible: 0 under a law of cuts, the share of its step on a line.
    distribution : sequence of float, shape (ticks,), or distribution, optional
        Of the answers. For channels on a line: the chance that an answer falls in each step, an
        even spread if left out. For both: a frozen distribution of SciPy, or a cumulative function.

    Returns
    -------
    Guarantee
        A Fraction for an even spread on a short line; otherwise a lower bound, below by no more
        than the error that it names.

    Raises
    ------
    InputError
        If the distribution has another length, a negative or missing chance, or does not sum to 1;
        if a law of cuts is judged without one; or if channels have different lines.

    References
    ----------
    Ding & Ding (2022), Definition 1; for independent cuts by conditioning on the two answers.
    Several together: Theorem 4.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> coverage(RangeChannel(Line(0, 2, 1), [1], 1)).printed()
    '0.5000'
    >>> from scipy import stats
    >>> coverage(CutLaw(stats.uniform(0, 1)), stats.uniform(0, 1)).printed()  # 2/3
    '0.6666'
    """
    several = [channel] if isinstance(channel, AbstractRangeChannel | CutLaw) else list(channel)
    laws = [mechanism for mechanism in several if isinstance(mechanism, CutLaw)]
    channels = [mechanism for mechanism in several if isinstance(mechanism, AbstractRangeChannel)]
    if not several or (len(laws) != len(several) and len(channels) != len(several)):
        raise InputError(
            "coverage.channel",
            got=f"{len(laws)} laws of cuts, {len(channels)} channels of {len(several)}",
            allowed="one or more laws of cuts, or one or more channels on one line",
        )
    if channels:
        return line_coverage(channels, distribution)
    value, error = pair_mean(laws, continuous_law(distribution, "coverage.distribution"))
    attained = f"on average over answers and cuts, within {error:.0e}"
    return Guarantee(
        Notion.COVERAGE, max(value - error, 0.0), attained, assumed_population=AS_GIVEN
    )


_TABLE_SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CoverageLaw:
    """How likely each individual coverage is: the share of the population inside one's range.

    Attributes
    ----------
    values, chances : array, shape (c,)
        Individual coverages, ascending, and how likely each is.
    n : float
        How many reports it was counted from; 0 if it was computed from a mechanism.

    >>> CoverageLaw(values=[0.25, 0.75], chances=[0.25, 0.75], n=0)
    individual coverage
    share of people  coverage at most
    least                        0.25
    5 %                          0.25
    25 %                         0.25
    50 %                         0.75
    75 %                         0.75
    95 %                         0.75
    mean 0.625
    """

    values: Floats
    chances: Floats
    n: float

    def __post_init__(self) -> None:
        order = np.argsort(self.values, kind="stable")
        for name in ("values", "chances"):
            object.__setattr__(self, name, read_only(np.asarray(getattr(self, name))[order]))

    @property
    def mean(self) -> float:
        """The coverage τ; 1 − τ is the leakage."""
        return float(self.values @ self.chances)

    @property
    def minimum(self) -> float:
        """The least individual coverage that can occur: the floor."""
        return float(self.values[self.chances > 0][0])

    @property
    def se(self) -> float:
        r"""A standard error of the mean, if counted from reports; NaN otherwise.

        .. math:: 2\,\mathrm{sd} / \sqrt n

        Twice the usual: the distribution was fitted to the same reports. The efficient influence
        of the fitted distribution is a projection of F(R) − τ, so it can at most double the error.
        """
        assumed_population = float(self.chances @ (self.values - self.mean) ** 2)
        return 2 * float(np.sqrt(assumed_population / self.n)) if self.n > 0 else float("nan")

    def quantile(self, share: npt.ArrayLike) -> Floats:
        """The individual coverage that this share of people do not exceed.

        Raises
        ------
        InputError
            If a share is outside [0, 1].
        """
        shares = doubles(share, "CoverageLaw.quantile.share")
        if not ((shares >= 0) & (shares <= 1)).all():
            raise InputError("CoverageLaw.quantile.share", got=share, allowed="shares in [0, 1]")
        possible = self.chances > 0
        upto = np.cumsum(self.chances[possible])
        index = np.searchsorted(upto, shares - 1e-12)
        return read_only(self.values[possible][np.minimum(index, len(upto) - 1)])

    def _chart(self) -> Chart:
        """Describe the histogram, with the mean as a triangle on the axis."""
        return histogram(
            self.values, self.chances, self.mean, Axis(name="chance", limits=(0, math.inf))
        )

    plot = draw_result
    plot_data = chart_frame

    def to_dict(self) -> Json:
        """Write the law for JSON; None is a number that is not known."""
        return json_of(self, "values chances n mean least=minimum se")

    def _table(self) -> Listing:
        quantiles = self.quantile(_TABLE_SHARES)
        names = ["least", *(f"{100 * share:g} %" for share in _TABLE_SHARES[1:])]
        rows = [
            [name, number(float(quantile))] for name, quantile in zip(names, quantiles, strict=True)
        ]
        mean = f"mean {number(self.mean)}"
        note = (
            f"{mean} ± {number(self.se, 2)} (s.e.), {counted(self.n, 'report')}" if self.n else mean
        )
        return "individual coverage", ["share of people", "coverage at most"], rows, [note]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def coverage_law(
    reports: AbstractRangeChannel | CutLaw | Ranges, distribution: Any = None
) -> CoverageLaw:
    """Distribution of the individual coverage: how much of the population single ranges hold.

    Parameters
    ----------
    reports : RangeChannel, RingChannel, OpenCellChannel, CutLaw or Ranges
        A mechanism before it is used, or reports that were received. For a law of cuts, answers
        are told apart by 512 quantiles.
    distribution : sequence of float, distribution or fit, optional
        Of the answers, as for `coverage`; of reports, anything with a ``cdf``, such as the
        `Distribution` that `npmle` fitted to them: the mean then estimates the coverage
        consistently. With few reports it comes out too high, since the fit favours the ranges sent.

    Raises
    ------
    InputError
        If there is no report, or the distribution is none.

    References
    ----------
    Ding & Ding (2022), Implication 3 of Definition 1, and the estimator below Theorem 1.

    >>> from scipy import stats
    >>> law = coverage_law(CutLaw(stats.uniform()), stats.uniform())
    >>> round(law.mean, 3), law.quantile(0.5).round(2).tolist()
    (0.667, 0.71)
    >>> ranges = Ranges([-np.inf, 0.2], [0.2, np.inf], counts=[1, 3])
    >>> round(coverage_law(ranges, stats.uniform()).mean, 12)
    0.65
    """
    if isinstance(reports, Ranges):
        refuse_truncation(reports, "coverage_law", "say what is reported, not what is observed")
        return _reported_coverage_law(reports, distribution)
    if isinstance(reports, CutLaw):
        law = continuous_law(distribution, "coverage_law.distribution")
        values, chances = cells_of(reports, law)
        return CoverageLaw(values=values, chances=chances, n=0.0)
    return _channel_coverage_law(reports, step_chances(reports.line, distribution))


def _channel_coverage_law(channel: AbstractRangeChannel, p: Floats) -> CoverageLaw:
    ends, chances = channel.cells()
    values, silent = (
        channel.range_probabilities(ends, p),
        float(p @ (1 - channel.inclusion_probability())),
    )
    return CoverageLaw(
        values=np.append(values, 1.0), chances=np.append(chances * values, silent), n=0.0
    )


def _reported_coverage_law(ranges: Ranges, distribution: Any) -> CoverageLaw:
    if not ranges.total > 0:
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    cdf = getattr(distribution, "cdf", None)
    if cdf is None:
        cdf = continuous_law(distribution, "coverage_law.distribution").cdf
    low, high = (
        np.where(np.isneginf(end), 0.0, np.where(np.isposinf(end), 1.0, cdf(end)))
        for end in (ranges.lower, ranges.upper)
    )
    coverages = np.add.reduceat(high - low, ranges.starts[:-1])
    return CoverageLaw(values=coverages, chances=ranges.weights / ranges.total, n=ranges.total)


_BOX_ROUND_OFF = 1e-12  # taken off: what sums of products of doubles may overstate
_SUM = 1e-9  # by so much may chances miss one


@checked
def box_coverage(
    channels: Sequence[AbstractRangeChannel], distribution: npt.ArrayLike
) -> Guarantee:
    r"""Coverage of several numbers: the chance that another's all lie in the box one reports.

    .. math:: \tau = \sum_{y, y'} P(y)\,P(y') \prod_d K_d(y_d, y'_d)

    K_d is the chance that the range of one number in step y_d leaves step y'_d possible. Where the
    numbers have nothing to do with each other, it is the product of their coverages; numbers that
    go together give a box more.

    Parameters
    ----------
    channels : sequence of RangeChannel, RingChannel or OpenCellChannel
        One for each number, drawing independently.
    distribution : array_like, shape (ticks₁, ticks₂, …)
        Chance of each combination of steps.

    Raises
    ------
    InputError
        If the distribution has another shape, a negative chance, or does not sum to 1.

    References
    ----------
    Ding & Ding (2022), Definition 1, for partitions of the plane into boxes.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> two = RangeChannel(Line(0, 2, 1), [1])
    >>> box_coverage([two, two], [[0.25, 0.25], [0.25, 0.25]])
    Guarantee(COVERAGE, 0.2499, attained on average over answers and cuts)
    >>> box_coverage([two, two], [[0.5, 0], [0, 0.5]])  # 1/2, printed from below
    Guarantee(COVERAGE, 0.4999, attained on average over answers and cuts)
    """
    p = doubles(distribution, "box_coverage.distribution")
    shape = tuple(channel.line.ticks for channel in channels)
    if not shape or p.shape != shape or not (p >= 0).all() or abs(p.sum() - 1) > _SUM:
        raise InputError(
            "box_coverage.distribution",
            got=f"shape {p.shape} with sum {p.sum():g}",
            allowed=f"chances of shape {shape} that sum to one",
        )
    covered = p
    for axis, channel in enumerate(channels):
        covered = np.moveaxis(
            np.tensordot(left_possible(channel), covered, axes=(1, axis)), 0, axis
        )
    value = float((p * covered).sum()) * (1 - _BOX_ROUND_OFF)
    attained = "on average over answers and cuts"
    return Guarantee(Notion.COVERAGE, value, attained, assumed_population=AS_GIVEN)


@checked
def least_coverage(channel: AbstractRangeChannel, sizes: Sequence[int] | None = None) -> Guarantee:
    """Least coverage: the smallest share of people whose answers a report leaves possible.

    An answer in the acceptable range leaves its step. A report that is withheld leaves all.

    Parameters
    ----------
    channel : AbstractRangeChannel
    sizes : sequence of int, shape (ticks,), optional
        How many people are thought to be in each step; equally many if left out.

    Raises
    ------
    InputError
        If there is not one whole, non-negative size for each step, not all zero.

    References
    ----------
    Ding & Ding (2022), equation (8), held by every range that is sent.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Floor
    >>> from askance_collect.exact.line import Line
    >>> least_coverage(RangeChannel(Line(0, 9, 1), [1] * 8, 3, floor=Floor([1] * 9, 3))).value
    Fraction(1, 3)
    """
    counted = Floor([1] * channel.line.ticks if sizes is None else sizes, 1)
    if len(counted.sizes) != channel.line.ticks:
        raise InputError(
            "least_coverage.sizes",
            got=f"{len(counted.sizes)} sizes",
            allowed=f"{channel.line.ticks} sizes",
        )
    ends, _ = channel.cells()
    cell_sizes = channel.range_probabilities(ends, counted.sizes)
    smallest = int(cell_sizes.argmin())
    cell = range_written(channel, *ends[smallest].tolist())
    assumed_population = EVENLY if sizes is None else AS_GIVEN
    least = Fraction(int(cell_sizes[smallest]), counted.total)
    return Guarantee(Notion.FLOOR, least, f"by {cell}", assumed_population=assumed_population)


_MOST_PAIRS = 1_000_000  # of steps, for each channel: more are not gone through exactly
_MOST_STEPS = 10_000  # in all cells
_ROUND_OFF, _CELLS_ROUND_OFF = 1e-12, 1e-9
_ATTAINED = "on average over answers and cuts"


def line_coverage(channels: Sequence[AbstractRangeChannel], distribution: Any = None) -> Guarantee:
    """The coverage of the range that independent reports about one number leave together.

    >>> line_coverage([RangeChannel(Line(0, 2, 1), [1])] * 2).value
    Fraction(1, 2)
    """
    line = channels[0].line
    for channel in channels:
        if channel.line != line:
            raise InputError(
                "coverage.channel", got=f"{channel.line} and {line}", allowed="channels on one line"
            )
    n = line.ticks
    plain = [
        channel
        for channel in channels
        if isinstance(channel, RangeChannel) and channel.reports_every_cell
    ]
    if len(plain) == len(channels) and distribution is None and n * n * len(plain) <= _MOST_PAIRS:
        return Guarantee(
            Notion.COVERAGE, _coverage_by_pairs(plain), _ATTAINED, assumed_population=EVENLY
        )
    if len(channels) == 1 and not plain:
        return cell_coverage(channels[0], distribution)
    p = step_chances(line, distribution)
    laws = [np.cumsum([0, *channel.cut_weights]) / channel.total for channel in plain]
    numbers = [channel.number for channel in plain]
    others = [left_possible(channel) for channel in channels if channel not in plain]
    mean = 0.0
    for step in np.flatnonzero(p):
        factors = [matrix[step] for matrix in others]
        factors += [(1 - np.abs(g - g[step])) ** m for g, m in zip(laws, numbers, strict=True)]
        mean += p[step] * float(p @ np.prod(factors, axis=0))
    assumed_population = EVENLY if distribution is None else AS_GIVEN
    return Guarantee(
        Notion.COVERAGE, mean * (1 - _ROUND_OFF), _ATTAINED, assumed_population=assumed_population
    )


def cell_coverage(channel: AbstractRangeChannel, distribution: Any = None) -> Guarantee:
    """The coverage of any law of ranges, added up over all of them.

    Σ_S g_S P(S)², over the ranges S that can be reported, each with the chance g_S that whoever is
    in it reports it. A report that is withheld leaves every number possible and counts as 1, though
    it may tell them apart (`silence`). An answer that is sent exactly leaves its step possible, and
    counts with the share of that: what is reported decides, not why. With ever finer steps it
    counts as 0, as in the paper, where the acceptable range is left out.

    References
    ----------
    Ding & Ding (2022), Definition 1, and the proof of Theorem 3 for the acceptable range.

    >>> from askance.channels.cut_variants import RingChannel
    >>> from askance_collect.exact.line import Floor
    >>> from askance_collect.exact.line import Line
    >>> cell_coverage(RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 2))).printed()
    '0.5000'
    """
    ends, chances = channel.cells()
    if distribution is None and channel.line.ticks * len(ends) <= _MOST_STEPS:
        return Guarantee(
            Notion.COVERAGE, _coverage_by_cells(channel, ends), _ATTAINED, assumed_population=EVENLY
        )
    p = step_chances(channel.line, distribution)
    silent = float(p @ (1 - channel.inclusion_probability()))
    value = float(chances @ channel.range_probabilities(ends, p) ** 2) + silent
    assumed_population = EVENLY if distribution is None else AS_GIVEN
    return Guarantee(
        Notion.COVERAGE,
        value * (1 - _CELLS_ROUND_OFF),
        _ATTAINED,
        assumed_population=assumed_population,
    )


def step_chances(
    line: Line, distribution: Any = None, where: str = "coverage.distribution"
) -> Floats:
    """The chance of each step of a line, shape (ticks,); the outer steps are open-ended.

    Of whole numbers a law with a density tells the nearest.

    Raises
    ------
    InputError
        If chances have another length, are negative or missing, or do not sum to 1.

    >>> from scipy import stats
    >>> step_chances(Line(0, 4, 1), stats.uniform(-1, 4)).tolist()
    [0.5, 0.25, 0.25, 0.0]
    """
    n = line.ticks
    if hasattr(distribution, "cdf") or callable(distribution):
        law = continuous_law(distribution, where)
        borders = float(line.value_at(0)) + line.spacing / 2 + np.arange(1, n) * float(line.step)
        return np.diff(np.concatenate([[0.0], np.asarray(law.cdf(borders)), [1.0]]))
    p = np.full(n, 1 / n) if distribution is None else doubles(distribution, where)
    if p.shape != (n,) or not (p >= 0).all() or not abs(p.sum() - 1) < 1e-9:
        raise InputError(
            where,
            got=f"{p.size} chances that sum to {p.sum():.12g}",
            allowed=f"{n} chances in [0, 1] that sum to one",
        )
    return p


def _coverage_by_pairs(channels: Sequence[RangeChannel]) -> Fraction:
    """Go through all pairs of steps, for cuts into every cell."""
    n = channels[0].line.ticks
    laws = [
        (list(accumulate(channel.cut_weights, initial=0)), channel.number) for channel in channels
    ]
    units = 2 * sum(
        prod((g[-1] - g[b] + g[a]) ** number for g, number in laws)
        for b in range(n)
        for a in range(b)
    )
    total = prod(g[-1] ** number for g, number in laws)
    return Fraction(units + n * total, n * n * total)


def _coverage_by_cells(channel: AbstractRangeChannel, ends: Integers) -> Fraction:
    n = channel.line.ticks
    steps = channel.range_probabilities(ends, np.ones(n))
    squares = sum(
        channel.cell_chance(low, high) * int(width) ** 2
        for (low, high), width in zip(ends.tolist(), steps, strict=True)
    )
    silent = sum(channel.null_chance(step) for step in range(n))
    return Fraction(squares, n * n) + Fraction(silent, n)


_MOST_TICKS = 2_000  # the matrix is then 32 MB


def left_possible(channel: AbstractRangeChannel) -> Floats:
    """The chance that the report of an answer in one step leaves another step possible.

    Where nothing is sent, every step remains possible.

    Returns
    -------
    array, shape (ticks, ticks)
        Row: the step of the answer.

    Raises
    ------
    InputError
        If the line has more than 2,000 ticks.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> left_possible(RangeChannel(Line(0, 3, 1), [1, 1])).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    n = channel.line.ticks
    if n > _MOST_TICKS:
        raise InputError("coverage.channel", got=f"{n} ticks", allowed=f"at most {_MOST_TICKS}")
    corners = np.zeros((n + 1, n + 1))
    ends, chances = channel.cells()
    for (low, high), chance in zip(ends.tolist(), chances.tolist(), strict=True):
        for (a, b), (c, d) in product(channel.pieces(low, high), repeat=2):
            corners[[a, b, a, b], [c, d, d, c]] += [chance, chance, -chance, -chance]
    reported = corners.cumsum(axis=0).cumsum(axis=1)[:n, :n]
    return np.clip(reported + (1 - channel.inclusion_probability())[:, None], 0, 1)


_STEPS = 512
_UNITS = 1 << 40  # in which the law of a cut is written as whole weights


def cells_of(mechanism: CutLaw, prior: ContinuousLaw) -> tuple[Floats, Floats]:
    """List what share of the answers each cell holds, and how likely it is to be reported.

    Two steps without answers are added at the ends, for cuts beyond everybody.
    """
    quantiles = np.arange(_STEPS + 1) / _STEPS
    between = prior.ppf(np.arange(_STEPS) / _STEPS + 0.5 / _STEPS)
    mass = np.diff(np.concatenate([[0.0], mechanism.law.cdf(between), [1.0]]))
    step = np.diff(quantiles) * _closed_parts(mechanism, prior)
    upto = np.concatenate([[0.0, 0.0], np.cumsum(step), [step.sum()]])
    units = np.rint(mass * _UNITS).astype(np.int64).tolist()
    channel = RangeChannel(Line(0, _STEPS + 2, 1), units, mechanism.number)
    ends, chances = channel.cells()
    values = upto[ends[:, 1]] - upto[ends[:, 0]]
    if mechanism.ring:
        inner = (ends[:, 0] > 0) & (ends[:, 1] <= _STEPS + 1)
        around = _outer_arcs(mass, upto, mechanism.number)
        values = np.concatenate([values[inner], around[0]])
        chances = np.concatenate([chances[inner], around[1]])
    if mechanism.open_cells:
        chances = closed_chances(channel, mechanism.open_cells)[tuple(ends.T)]
    exactly_sent = max(1 - float(chances @ values), 0.0) if mechanism.open_cells else 1 - upto[-1]
    return np.append(values, 0.0), np.append(chances * values, exactly_sent)


def _closed_parts(mechanism: CutLaw, prior: ContinuousLaw) -> Floats:
    """The part of each step that is outside the acceptable range."""
    closed = np.ones(_STEPS)
    for interval in mechanism.open:
        low, high = np.asarray(prior.cdf(np.array(interval))) * _STEPS
        steps = np.arange(_STEPS)
        closed -= np.clip(np.minimum(high, steps + 1) - np.maximum(low, steps), 0, 1)
    return np.clip(closed, 0, 1)


def _outer_arcs(mass: Floats, upto: Floats, number: int) -> tuple[Floats, Floats]:
    """List what the outer arc of a ring holds, by its lowest and highest cut, and its chance."""
    low, high = np.triu_indices(len(mass))
    below = np.concatenate([[0.0], np.cumsum(mass)])
    within = np.triu(below[None, :] - below[:, None], 1) ** number  # all cuts from low to high − 1
    chance = within[low, high + 1] - within[low + 1, high + 1]
    chance += within[low + 1, high] - within[low, high]
    return upto[-1] - (upto[high + 1] - upto[low + 1]), chance.clip(0)


_NODES = 16
_HALVINGS = 52  # the last panel next to 0 or 1 is as short as doubles there are apart
_MOST_TERMS = 4096
_PAIR_ROUND_OFF = 1e-14

Term = tuple[float, int, int, int, int]
"""A coefficient and the powers of 1 − a, a, 1 − b and b in one term."""


def pair_mean(mechanisms: Sequence[CutLaw], prior: ContinuousLaw) -> tuple[float, float]:
    r"""The chance that none of several reports separates Y from Y', with an error bound.

    .. math:: E\prod_j s_j\bigl(|G_j(Y) - G_j(Y')|\bigr)

    With d = a − b, where a ≥ b are chances G, and s(d) = (1 − d)^m for m cuts; for a ring
    (1 − d)^m + d^m, since its outer arc holds both where all cuts fall between them. Terms are
    split into a function of a times a function of b, all of one sign for cuts; so the double
    integral over quantiles is two single ones. Panels halve towards both tails and at the quantiles
    of every G. The error is how far sixteen nodes a panel move when panels are halved.
    """
    edges = _panel_edges(mechanisms, prior)
    halved = np.sort(np.concatenate([edges, (edges[:-1] + edges[1:]) / 2]))
    coarse, fine = (_integrate(mechanisms, prior, grid) for grid in (edges, halved))
    signs = math.prod(
        2.0**mechanism.number for mechanism in mechanisms if mechanism.ring
    )  # d^m takes differences
    return fine, abs(fine - coarse) + _PAIR_ROUND_OFF * signs


def _panel_edges(mechanisms: Sequence[CutLaw], prior: ContinuousLaw) -> Floats:
    tail = 2.0 ** -np.arange(1.0, _HALVINGS)
    grid = np.unique(np.concatenate([tail, 1 - tail, np.arange(1, 32) / 32]))
    grid = np.concatenate([[0.0], grid, [1.0]])
    upto = np.append(0.0, np.cumsum(getattr(prior, "mass", 1.0)))  # of a fit, where it turns
    edges = [grid, upto, (upto[:-1] + upto[1:]) / 2]
    for mechanism in mechanisms:
        edges += [prior.cdf(mechanism.law.ppf(grid)), prior.cdf(np.array(mechanism.open).ravel())]
    return np.unique(np.clip(np.concatenate(edges), 0, 1))


@lru_cache(maxsize=1)
def _quadrature_rule() -> tuple[Floats, Floats, Floats]:
    """Nodes on [0, 1], their weights, and weights for integrals from 0 up to each node."""
    nodes, weight = np.polynomial.legendre.leggauss(_NODES)
    values = np.polynomial.legendre.legvander(nodes, _NODES)
    upto = np.empty((_NODES, _NODES))
    for k in range(_NODES):
        below = values[:, k - 1] if k else np.full(_NODES, -1.0)
        upto[:, k] = (values[:, k + 1] - below) / (2 * k + 1)
    scale = (2 * np.arange(_NODES) + 1) / 2
    return (nodes + 1) / 2, weight / 2, upto @ (scale[:, None] * values[:, :-1].T * weight) / 2


def _integrate(mechanisms: Sequence[CutLaw], prior: ContinuousLaw, edges: Floats) -> float:
    nodes, weights, upto = _quadrature_rule()
    width = np.diff(edges)[:, None]
    quantile = prior.ppf(edges[:-1, None] + width * nodes)
    closed = np.ones(quantile.shape)
    for low, high in (interval for mechanism in mechanisms for interval in mechanism.open):
        closed[(quantile > low) & (quantile <= high)] = 0
    cut = [np.clip(mechanism.law.cdf(quantile), 0, 1) for mechanism in mechanisms]
    terms = [_expand_terms(mechanism) for mechanism in mechanisms]
    if math.prod(len(mechanism_terms) for mechanism_terms in terms) > _MOST_TERMS:
        raise InputError("coverage", got=f"{len(terms)} mechanisms", allowed="fewer cuts in all")
    total = 0.0
    for combined in product(*terms):
        upper, lower = closed.copy(), closed.copy()
        for (sign, up_free, up, low_free, low), a in zip(combined, cut, strict=True):
            upper *= sign * (1 - a) ** up_free * a**up
            lower *= (1 - a) ** low_free * a**low
        panel = width * (lower @ weights)[:, None]
        below = np.cumsum(panel, axis=0) - panel + width * (lower @ upto.T)
        total += float(np.sum(width * weights * upper * below))
    return 2 * total


def _expand_terms(mechanism: CutLaw) -> list[Term]:
    m = mechanism.number
    closed = [j for j in range(m + 1) if j + 1 not in mechanism.open_cells]
    inner = [(float(math.comb(m, j)), m - j, 0, 0, j) for j in closed]  # j cuts below both
    outer = [((-1.0) ** j * math.comb(m, j), 0, m - j, 0, j) for j in range(m + 1)]
    return inner + outer if mechanism.ring else inner
