"""What a distribution known only up to intervals says: averages, moments, and distances.

Between neighbouring ends both curves are level, each at one of two levels: that of a mass not yet
there, or there already. The least distance takes the nearest levels piece by piece. The largest has
every mass at one end of its interval, since the squared distance is convex; which one is found by
dynamic programming along the line.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.inference.fit_result import Convergence
from askance.inference.ranges.distribution import Distribution, extremes
from askance.results import doubles, function_values, numbers
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError

Average = Callable[[Any], Any]
"""A number that depends on the answer, written so that it takes arrays."""


@checked
def functional_bounds(
    fit: Distribution,
    phi: Average,
    support: tuple[float, float] | None = None,
    extrema: Sequence[float] = (),
) -> tuple[float, float]:
    r"""Bound the average of any φ over a distribution that is known only up to intervals.

    .. math:: \sum_j m_j \inf_{(l_j, r_j]} \varphi \le \int \varphi\,dF
              \le \sum_j m_j \sup_{(l_j, r_j]} \varphi

    Both bounds are attained, or approached, by distributions that are equally likely.

    Parameters
    ----------
    fit : Distribution
        Masses m_j on the intervals ``(l_j, r_j]``.
    phi : callable
        φ; it takes arrays.
    support : (float, float), optional
        Declared bounds of the number; they cut the intervals. Without them φ is asked for its value
        at −∞ and ∞, which may be infinite.
    extrema : sequence of float
        Where φ changes from rising to falling or back. Others are found by evaluation at thousands
        of numbers, at all whole ones on a line shorter than 65,536, and refined; a spike that is
        narrower than about 1/10,000 of the line may be missed, and must be told.

    Returns
    -------
    low, high : float

    Raises
    ------
    InputError
        If φ has no value at an end or between, turns more often than can be followed, or mass lies
        outside the support.

    References
    ----------
    The intervals are those of Turnbull (1976); that mass may lie anywhere inside them is why there
    are two figures.

    >>> from askance.inference.ranges.npmle import npmle
    >>> from askance.channels.ranges import Ranges
    >>> fit = npmle(Ranges([0, 2], [2, 4], counts=[1, 3]))
    >>> functional_bounds(fit, lambda y: y)  # 3/4 · 2 and 1/4 · 2 + 3/4 · 4
    (1.5, 3.5)
    >>> functional_bounds(fit, lambda y: (y - 1) ** 2)  # 3/4 · 1 and 1/4 · 1 + 3/4 · 9
    (0.75, 7.0)
    """
    declared = numbers(extrema, "functional_bounds.extrema").ravel().tolist()
    lower, upper = cut_to_support(fit, support)
    values_at_ends(phi, lower, upper)
    line = float(lower.min()), float(upper.max())
    cells = np.concatenate([lower, upper])
    all_turns = turning_points(phi, line, cells, declared, "functional_bounds.phi")
    return bounds_between_turns(fit, phi, support, all_turns)


def bounds_between_turns(
    fit: Distribution, phi: Average, support: tuple[float, float] | None, extrema: Floats
) -> tuple[float, float]:
    """The bounds of `functional_bounds`, of a φ all of whose turns are known."""
    ends = cut_to_support(fit, support)
    return extremes(fit.mass, fit.null_directions, *extremes_on_intervals(phi, *ends, extrema))


def extremes_on_intervals(
    phi: Average, lower: Floats, upper: Floats, extrema: Floats
) -> tuple[Floats, Floats]:
    """Minimum and maximum of φ on each interval, from its ends and the turns between."""
    values = values_at_ends(phi, lower, upper)
    least, most = values.min(axis=0), values.max(axis=0)
    if not len(extrema):
        return least, most
    tops = function_values(phi, extrema, "functional_bounds.phi")
    first = np.searchsorted(extrema, lower, side="right")
    past = np.searchsorted(extrema, upper, side="left")
    some = np.flatnonzero(first < past)
    pairs = np.stack([first[some], past[some]], axis=1).ravel()
    for extreme, better in ((least, np.minimum), (most, np.maximum)):
        if len(some):
            inner = better.reduceat(np.append(tops, tops[-1]), pairs)[::2]
            extreme[some] = better(extreme[some], inner)
    return least, most


def values_at_ends(phi: Average, lower: Floats, upper: Floats) -> Floats:
    """Values of φ at both ends of each interval, shape (2, m).

    Raises
    ------
    InputError
        If it is no number.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        ends = [function_values(phi, end, "functional_bounds.phi") for end in (lower, upper)]
    values = np.array(ends)
    bad = np.isnan(values).any(axis=0)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            "functional_bounds.phi",
            got=f"no value on ({lower[row]}, {upper[row]}]",
            allowed="a number at both ends of every interval with mass",
            remedy="declare the support",
        )
    return values


@checked
def moment_bounds(
    fit: Distribution,
    order: int,
    support: tuple[float, float] | None = None,
    about: float = 0.0,
) -> tuple[float, float]:
    """Bound the average of (Y − about)^order over a distribution known only up to intervals.

    Parameters
    ----------
    fit : Distribution
    order : int
        1 for the mean, 2 for the mean square, and so on.
    support : (float, float), optional
        Declared bounds of the number; without them a mass on an unbounded interval makes a bound
        infinite.
    about : float

    Returns
    -------
    low, high : float

    Raises
    ------
    InputError
        If the order is not a positive integer, or mass lies outside the support.

    >>> from askance.inference.ranges.npmle import npmle
    >>> from askance.channels.ranges import Ranges
    >>> fit = npmle(Ranges([-np.inf, 1], [1, np.inf], counts=[1, 3]))
    >>> moment_bounds(fit, 2), moment_bounds(fit, 2, support=(0, 2))
    ((0.75, inf), (0.75, 3.25))
    """
    if order < 1 or order != int(order):
        raise InputError("moment_bounds.order", got=order, allowed="an integer in [1, ∞)")
    extrema = np.array([] if order % 2 else [about], dtype=float)
    return bounds_between_turns(fit, lambda y: (y - about) ** int(order), support, extrema)


def cut_to_support(fit: Distribution, support: tuple[float, float] | None) -> tuple[Floats, Floats]:
    """Cut the intervals of a fit to a support; its lower end is inside, for exact numbers there."""
    low, high = (-np.inf, np.inf) if support is None else support
    upper = np.minimum(fit.upper, high)
    if not low < high or np.any(fit.lower >= high) or np.any(upper < low):
        raise InputError(
            "support",
            got=support,
            allowed="(low, high) that cuts no interval with mass away",
        )
    return np.minimum(np.maximum(fit.lower, low), upper), upper


_ROUNDING = 1e-12  # a difference of levels that is none
_KNOTS = 128  # pieces of a law's middle
_NODES = 8  # a piece
_RARE = 0.5 ** np.arange(8, 37)
"""Shares at which a law's tails are cut into pieces; what lies beyond them is negligible."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Levels:
    """A cumulative curve that is constant except where its masses may lie.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        The ends of the intervals, which are cut to the support.
    upto : array, shape (m + 1,)
    """

    lower: Floats
    upper: Floats
    upto: Floats

    def on(self, edges: Floats) -> tuple[Floats, Booleans]:
        """The levels of each piece, shape (2, p), and whether its interval began before."""
        begun = np.searchsorted(self.lower, edges[:-1], side="right")
        ended = np.searchsorted(self.upper, edges[:-1], side="right")
        went_on = (begun > ended) & (self.lower[begun - 1] < edges[:-1])
        return self.upto[np.stack([ended, begun])], went_on


@checked
def energy_bounds(
    fit: Distribution, other: Any, support: tuple[float, float] | None = None
) -> tuple[float, float]:
    r"""Bound the energy distance between two distributions.

    .. math:: D = \Bigl(2 \int (F(t) - G(t))^2\,dt\Bigr)^{1/2}

    Parameters
    ----------
    fit : Distribution
        F, whose masses may lie anywhere inside their intervals.
    other : Distribution, array_like or scipy distribution
        G: another fit, a sample of exact numbers, or a frozen continuous distribution of
        `scipy.stats`, which is integrated numerically.
    support : (float, float), optional
        Declared bounds of both numbers; they cut the intervals. Without them a mass on an unbounded
        interval makes the upper bound infinite.

    Returns
    -------
    low, high : float
        The least and the largest D that the intervals allow, in the unit of √t; both are attained
        or approached. Shares that are not identified (`Distribution.null_directions`) stay as they
        are divided.

    Raises
    ------
    InputError
        If mass lies outside the support, the sample is empty or holds what is no finite number, or
        the scipy distribution is not continuous.

    References
    ----------
    Székely & Rizzo (2013); it is the D of `scipy.stats.energy_distance`.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> fit = npmle(Ranges([0, 2], [2, 4]))
    >>> energy_bounds(fit, [2, 4])  # at most both masses lie at lower ends: (2 · 4 · 0.25)^½
    (0.0, 1.4142135623730951)
    """
    first = _levels(fit, support)
    if hasattr(other, "cdf") and not isinstance(other, Distribution):
        return _bound_distance_to_law(first, other)
    rival = (
        other
        if isinstance(other, Distribution)
        else empirical_distribution(other, "energy_bounds.other")
    )
    second = _levels(rival, support)
    edges = np.unique(np.concatenate([first.lower, first.upper, second.lower, second.upper]))
    first_level, first_continues = first.on(edges)
    second_level, second_continues = second.on(edges)
    width = np.diff(edges)
    least = _integrate_square(
        np.maximum(first_level[0] - second_level[1], second_level[0] - first_level[1]).clip(0),
        width,
    )
    costs = _integrate_square(first_level[:, None] - second_level[None, :], width)
    return _distance_from_half(least.sum()), _distance_from_half(
        _maximise_cost(costs, first_continues, second_continues)
    )


def _levels(fit: Distribution, support: tuple[float, float] | None) -> _Levels:
    lower, upper = cut_to_support(fit, support)
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    return _Levels(lower=lower, upper=upper, upto=np.minimum(upto / upto[-1], 1.0))


def _integrate_square(height: Floats, width: Floats | float) -> Floats:
    """Integrate the square of a level difference; rounding errors count as 0."""
    return height**2 * np.where(np.abs(height) > _ROUNDING, width, 0.0)


def _distance_from_half(half: float) -> float:
    return float(np.sqrt(2 * half))


def _maximise_cost(costs: Floats, first_continues: Booleans, second_continues: Booleans) -> float:
    """Choose a level of each curve for each of its intervals, so that the costs are largest."""
    best = np.zeros((2, 2))
    for cost, continues_first, continues_second in zip(
        np.moveaxis(costs, -1, 0), first_continues, second_continues, strict=True
    ):
        if not continues_first:
            best = np.maximum(best[:1], best[1:])
        if not continues_second:
            best = np.maximum(best[:, :1], best[:, 1:])
        best = best + cost
    return float(best.max())


def _bound_distance_to_law(levels: _Levels, law: Any) -> tuple[float, float]:
    """Bound the distance to a continuous law, its curve crossing no level inside a piece."""
    if not hasattr(law, "pdf"):
        raise InputError(
            "energy_bounds.other", got=law, allowed="a continuous distribution, a fit or a sample"
        )
    shares = np.concatenate([levels.upto, np.arange(1, _KNOTS) / _KNOTS, _RARE, 1 - _RARE])
    knots = law.ppf(shares[(shares > _ROUNDING) & (shares < 1 - _ROUNDING)])
    edges = np.unique(np.concatenate([[-np.inf], levels.lower, levels.upper, knots, [np.inf]]))
    level, continues = levels.on(edges)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    width = np.diff(edges[1:-1])[:, None] / 2
    away = level[:, 1:-1, None] - law.cdf(edges[1:-2, None] + width * (nodes + 1))
    nearest = np.maximum(away[0], -away[1]).clip(0)
    outer = [_integrate_square(end, np.inf) for end in (level[:, :1], 1 - level[:, -1:])]
    costs = np.concatenate([outer[0], np.sum(away**2 * width * weights, axis=-1), outer[1]], axis=1)
    free = np.zeros(len(continues), dtype=bool)
    dearest = _maximise_cost(np.repeat(costs[:, None], 2, axis=1), continues, free)
    return _distance_from_half(float(np.sum(nearest**2 * width * weights))), _distance_from_half(
        dearest
    )


@checked
def kolmogorov_bounds(fit: Distribution, other: Any) -> tuple[float, float]:
    r"""Bound the largest difference between two cumulative shares.

    .. math:: D = \sup_t |F(t) - G(t)|

    Parameters
    ----------
    fit : Distribution
        F, whose masses may lie anywhere inside their intervals.
    other : Distribution, array_like or scipy distribution
        G: another fit, a sample of exact numbers, or a frozen distribution of `scipy.stats`.

    Returns
    -------
    low, high : float
        The least and the largest D that the intervals allow; both are attained or approached, but
        the least may be larger where shares are not identified (`Distribution.null_directions`).

    Raises
    ------
    InputError
        If the sample is empty, or holds what is no finite number.

    References
    ----------
    Turnbull (1976) for the intervals. Both bounds follow from `Distribution.cdf_bounds` point by
    point: a curve raised or lowered to the other's bounds is still a distribution.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> fit = npmle(Ranges([0, 2], [2, 4]))
    >>> kolmogorov_bounds(fit, [2, 4]), kolmogorov_bounds(fit, [1, 1])
    ((0.0, 0.5), (0.5, 1.0))
    """
    rival = (
        other if hasattr(other, "cdf") else empirical_distribution(other, "kolmogorov_bounds.other")
    )
    ends = [fit.lower, fit.upper]
    if isinstance(rival, Distribution):
        ends += [rival.lower, rival.upper]
    points = np.concatenate(ends)
    points = np.unique(
        np.concatenate([points, np.nextafter(points, -np.inf), np.nextafter(points, np.inf)])
    )
    low, high = fit.cdf_bounds(points)
    if isinstance(rival, Distribution):
        below, above = rival.cdf_bounds(points)
    else:
        with np.errstate(over="ignore"):
            below = above = np.asarray(rival.cdf(points), dtype=float)
    least = np.maximum(low - above, below - high).max()
    return max(float(least), 0.0), float(np.maximum(high - below, above - low).max())


def empirical_distribution(values: Any, where: str) -> Distribution:
    """The empirical distribution of a sample, with equal mass on every number.

    Raises
    ------
    InputError
        If the sample is empty, or holds what is no finite number.

    >>> empirical_distribution([3, 5, 5, 3], "sample").mass.tolist()
    [0.5, 0.5]
    """
    numbers = doubles(values, where)
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise InputError(
            where, got=f"shape {numbers.shape}", allowed="finite numbers, at least one, in a row"
        )
    upper, counts = np.unique(numbers, return_counts=True)
    return Distribution(
        lower=np.nextafter(upper, -np.inf),
        upper=upper,
        mass=counts / numbers.size,
        n=float(numbers.size),
        gap=0.0,
        method="sample",
        convergence=Convergence.EXACT,
    )


_FIRST_NODES, _ROUNDS = 4096, 6  # evaluations of the first round, each twice as many as before
_GOLDEN = (5**0.5 - 1) / 2  # multiples of it, less whole numbers, lie evenly and resonate with none
_MOST_INTEGERS = 2**16  # whole numbers on a line that are all evaluated
_NOISE = 1e-13  # of a value: a difference that is rounding
_NEGLIGIBLE = 1e-9  # of the range of values: what a missed turn may be worth
_PARTS, _CUTS = 8, 20  # into which a bracket is parted, so often
_STEEPEST, _HALVINGS, _JUMP = 8, 64, 1e-6


def turning_points(
    phi: Callable[[Any], Any],
    line: tuple[float, float],
    cells: Floats,
    declared: Sequence[float],
    where: str,
) -> Floats:
    """Numbers at which a function of one variable has local extremes, declared ones among them.

    The function is evaluated at 4,096 numbers that are spread evenly over the line and over its
    cells, at the ends of cells and, on a line shorter than 65,536, at all whole numbers. Twice as
    many others must then lie between their neighbours' values, but beside a turn; where some do
    not, they are added, up to 258,048 in all. Each turn is refined in its bracket. A spike is seen
    if it is wider than about 1/10,000 of the line; no number of evaluations rules out a narrower
    one, which must be declared.

    Parameters
    ----------
    phi : callable
        Takes arrays.
    line : (float, float)
    cells : array
        Ends that part the line into cells inside which nothing is learnt.
    declared : sequence of float
    where : str
        Whose argument the function is.

    Raises
    ------
    InputError
        If it has no value between the ends of the line, or turns too often to be followed.

    >>> turns = turning_points(lambda y: (y - 1) ** 2, (0, 4), np.array([2.0]), (), "phi")
    >>> turns.round(6).tolist()
    [1.0]
    """
    knots = _knots(line, cells, declared)
    points = np.unique(np.concatenate([knots, _whole_numbers(line), _nodes(line, knots, 0)]))
    values = _evaluate(phi, points, line, where)
    for number in range(1, _ROUNDS):
        more = np.setdiff1d(_nodes(line, knots, number), points)
        more_values = _evaluate(phi, more, line, where)
        missed = _find_missed(points, values, more, more_values)
        points, order = np.unique(np.concatenate([points, more]), return_index=True)
        values = np.concatenate([values, more_values])[order]
        if not missed.any():
            return np.union1d(_refine_turns(phi, points, values, (line, where)), declared)
    raise InputError(
        where,
        got=f"a function that turns more often than {len(points):,} evaluations show, as near "
        f"{more[np.argmax(missed)]:.6g}",
        allowed="a function that rises and falls in stretches that can be found",
        remedy="declare every turn with turns=, or average out the oscillation",
    )


def refuse_jumps(
    phi: Callable[[Any], Any], line: tuple[float, float], cells: Floats, where: str
) -> None:
    """Refuse a function that jumps: its average is not learnt with the square root of people.

    Raises
    ------
    InputError
        If one of its eight steepest rises or falls stays, however near the two numbers are.
    """
    knots = _knots(line, cells, ())
    points = np.unique(np.concatenate([knots, _whole_numbers(line), _nodes(line, knots, 0)]))
    values = _evaluate(phi, points, line, where)
    rise = np.abs(np.diff(values))
    steep = (
        np.argpartition(rise, -_STEEPEST)[-_STEEPEST:]
        if len(rise) > _STEEPEST
        else np.arange(len(rise))
    )
    low, high, below, above = points[steep], points[steep + 1], values[steep], values[steep + 1]
    for _ in range(_HALVINGS):
        middle = low + (high - low) / 2
        middle_values = _evaluate(phi, middle, line, where)
        first = np.abs(middle_values - below) >= np.abs(above - middle_values)
        high, above = np.where(first, middle, high), np.where(first, middle_values, above)
        low, below = np.where(first, low, middle), np.where(first, below, middle_values)
    height = np.abs(above - below)
    if len(height) and height.max() > _JUMP * np.ptp(values):
        raise InputError(
            where,
            got=f"a function that jumps by {height.max():.4g} at {high[height.argmax()]:.6g}",
            allowed="a continuous function",
            remedy="for a share up to a number use cdf_intervals; bounds without an error are "
            "those of functional_bounds",
        )


def _knots(line: tuple[float, float], cells: Floats, declared: Sequence[float]) -> Floats:
    candidates = np.concatenate(
        [np.asarray(line, dtype=float), cells, np.asarray(declared, dtype=float)]
    )
    inside = np.unique(
        candidates[np.isfinite(candidates) & (candidates >= line[0]) & (candidates <= line[1])]
    )
    return inside if len(inside) else np.zeros(1)


def _whole_numbers(line: tuple[float, float]) -> Floats:
    if not line[1] - line[0] < _MOST_INTEGERS:
        return np.zeros(0)
    return np.arange(np.ceil(line[0]), np.floor(line[1]) + 1)


def _nodes(line: tuple[float, float], knots: Floats, number: int) -> Floats:
    """The numbers of one round: over the line, over cells, and beyond where a side is open."""
    start = _FIRST_NODES * (2**number - 1)
    part = np.arange(start + 1, start + 1 + _FIRST_NODES * 2**number) * _GOLDEN % 1
    low, high = knots[0], knots[-1]
    cell = np.interp(part, np.linspace(0, 1, len(knots)), knots)
    beyond = max(float(high - low), 1.0) * (part / (1 - part)) ** 2
    pieces = [low + (high - low) * part, cell]
    pieces += [high + beyond] * (line[1] == np.inf) + [low - beyond] * (line[0] == -np.inf)
    nodes = np.concatenate(pieces)
    return nodes[(nodes >= line[0]) & (nodes <= line[1])]


def _evaluate(
    phi: Callable[[Any], Any], points: Floats, line: tuple[float, float], where: str
) -> Floats:
    """The values at some numbers, each finite if it is between the ends of the line."""
    values = function_values(phi, points, where)
    bad = ~np.isfinite(values) & (points > line[0]) & (points < line[1])
    if bad.any():
        raise InputError(
            where,
            got=f"no finite value at {points[np.argmax(bad)]:.6g}",
            allowed="a number everywhere between the ends of the line",
            remedy="declare the support",
        )
    return values


def _find_turns(values: Floats) -> tuple[Integers, Integers, Booleans]:
    """The last value before each turn, the first after it, and whether it is a top."""
    with np.errstate(invalid="ignore"):
        step = np.diff(values)
        noise = _NOISE * np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    moves = np.flatnonzero(~(np.abs(step) <= noise) & ~np.isnan(step))
    rising = step[moves] > 0
    turn = np.flatnonzero(rising[1:] != rising[:-1])
    return moves[turn], moves[turn + 1] + 1, rising[turn]


def _find_missed(points: Floats, values: Floats, more: Floats, more_values: Floats) -> Booleans:
    """Whether each new value lies beyond both neighbours', away from any known turn."""
    before, after, _ = _find_turns(values)
    change = np.zeros(len(points) + 1)
    np.add.at(change, before, 1)
    np.add.at(change, after, -1)
    turning = np.cumsum(change)[:-1] > 0  # from this number to the next
    finite = values[np.isfinite(values)]
    tolerance = _NEGLIGIBLE * (np.ptp(finite) if len(finite) else 0.0)
    position = np.searchsorted(points, more)
    inside = (position > 0) & (position < len(points))
    left_neighbour, right_neighbour = (position - 1).clip(0), position.clip(0, len(points) - 1)
    low = np.minimum(values[left_neighbour], values[right_neighbour]) - tolerance
    high = np.maximum(values[left_neighbour], values[right_neighbour]) + tolerance
    missed: Booleans = (
        inside & ~turning[left_neighbour] & ((more_values < low) | (more_values > high))
    )
    return missed


def _refine_turns(
    phi: Callable[[Any], Any],
    points: Floats,
    values: Floats,
    context: tuple[tuple[float, float], str],
) -> Floats:
    """Refine each bracketed turn by repeated grid search around the best point."""
    before, after, top = _find_turns(values)
    if not len(before):
        return np.zeros(0)
    low, high, sign = points[before], points[after], np.where(top, 1.0, -1.0)
    rows = np.arange(len(low))
    best = np.zeros(0)
    for _ in range(_CUTS):
        some = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _PARTS + 1)
        signed = _evaluate(phi, some.ravel(), *context).reshape(some.shape) * sign[:, None]
        position = np.argmax(np.where(np.isnan(signed), -np.inf, signed), axis=1)
        best = some[rows, position]
        low, high = some[rows, (position - 1).clip(0)], some[rows, (position + 1).clip(0, _PARTS)]
    inner = [points[at_top] for at_top in (before + 1, after - 1)]  # what was seen is kept
    return np.unique(np.concatenate([best, *inner]))
