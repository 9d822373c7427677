"""The most likely masses over any number of places: EM, Newton near and far, a growing support.

All places move at once, which is quick at the start. Both methods begin on the simplex, at masses
that give every row a positive chance, and stop after so many steps or when the gap is at most tol.

In levels a row bends the likelihood at its few ends alone, and a place without mass is two levels
that are one; so the model's best point on any set of places is one Cholesky solve. From one cut a
person (current status) the masses are an isotonic regression.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.ranges import Ranges
from askance.inference.maximisation import (
    SimplexIterate,
    best_on_simplex,
    evaluate_shares,
    improve,
    maximise_on_simplex,
    search_line,
)
from askance.inference.ranges.support import (
    RangeRows,
    bend,
    intersections,
    observed,
    ordered,
    tops,
)
from askance.typing import Booleans, Floats, Integers

_DENSE = 2_000  # places that a dense Cholesky factor may have
_TIED = 700  # the same where exact numbers tie neighbours, which far steps like
_MOST = 5_000  # the same where rows are very many, which far steps dislike
_FULL = 4  # pairs of places a row, at most, where rows are very many
_FEW = 100  # places that need no growing
_CROWDED = 500  # free places: among more, a minorant chooses where to begin
_PATIENCE = 40  # rounds in which the gap does not halve
_EXACT = 0.08  # of the numbers exact: from there extrapolated EM begins best
_MANY = 60  # places of which blocks are fitted first
_STEPS = 4  # over all places, to begin
_ROUGH = 1e-4  # the gap of a start from blocks of places
_ENDING = 1e-3  # the gap from which a support hardly changes any more
_NEAR = 5e-3  # the gap from which Newton's method is quicker


def most_likely(runs: RangeRows, tol: float) -> tuple[Floats, float]:
    """Find the masses that maximise the likelihood, and by how much they may miss.

    Coarse blocks of places first, a few steps of isotonic regression over all places, then Newton's
    method on the places with mass and the top of the slope between each two of them (Wang, 2007),
    until the slope at no place promises more.

    Parameters
    ----------
    runs : RangeRows
    tol : float
        Stop when the gap is at most this.

    Returns
    -------
    mass : array, shape (m,)
    gap : float
    """
    near = max(tol, _NEAR)
    if runs.counts.sum() > _EXACT * runs.n and runs.m > _FEW:
        mass = icm(runs, squarem(runs, _uniform(runs.m), 60, tol), _STEPS, tol, em=True)
    elif runs.m > _MANY:
        mass = icm(runs, _fit_coarsely(runs), _STEPS, near)
    else:
        mass = icm(runs, _uniform(runs.m), _STEPS, near, em=True)
    return grown(runs, mass, tol)


def _uniform(m: int) -> Floats:
    return np.full(m, 1 / m)


def _fit_coarsely(runs: RangeRows) -> Floats:
    """Fit whole blocks of places roughly, and spread the mass of each over its places.

    There are as many blocks as places with mass at the end, of the order of the cube root of all.
    """
    m = round(5 * runs.m ** (1 / 3))
    rough = icm(runs.in_blocks(m), _uniform(m), _STEPS, _ROUGH, em=True)
    block = np.arange(runs.m) * m // runs.m
    mass = (rough / np.bincount(block, minlength=m))[block] + 0.01 / runs.m
    spread: Floats = mass / mass.sum()
    return spread


def grown(runs: RangeRows, mass: Floats, tol: float) -> tuple[Floats, float]:
    """Maximise from masses that give every row a chance; see `most_likely`."""
    least, patience = np.inf, _PATIENCE
    while True:
        chances = runs.chances(mass)
        if min(chance.min(initial=1.0) for chance in chances) <= 0:
            mass = (mass + 1 / runs.m) / 2  # a row lost its chance by rounding
            chances = runs.chances(mass)
        slope = runs.pull(chances)
        gap, begun = float(slope.max() / runs.n - 1), least < np.inf
        least, patience = (gap, _PATIENCE) if gap < least / 2 else (least, patience - 1)
        if gap <= tol or not patience:
            return mass, gap
        if runs.m <= _FEW:
            mass = newton(runs, mass, tol / 2)
            continue
        if patience < _PATIENCE - 1:
            mass = icm(runs, mass, 3, tol)
            slope = runs.pull(runs.chances(mass))
        support = with_mass = np.flatnonzero(mass)
        if begun:
            support = np.union1d(with_mass, tops(slope, with_mass, runs.n))
        method = newton if len(support) <= _dense_limit(runs, len(support)) else far_newton
        near = tol / 2 if gap < _ENDING else gap * min(gap, 0.1)
        shares = method(runs.onto(support), mass[support], near)
        mass = np.zeros(runs.m)
        mass[support] = shares


def _dense_limit(runs: RangeRows, size: int) -> int:
    """How many places a dense factor may have; rows may be too many for far steps."""
    if size**2 < _FULL * sum(len(part.weights) for part in runs.parts):
        return _MOST
    return _DENSE if 2 * len(runs.points) < size else _TIED


def icm(runs: RangeRows, mass: Floats, steps: int, tol: float, *, em: bool = False) -> Floats:
    """Take steps of the iterative convex minorant algorithm (Groeneboom & Wellner, 1992).

    Each fits the cumulative share by an isotonic regression that sees the diagonal of the curvature
    alone, with a line search (Jongbloed, 1998). Far from the maximum they need a step of EM before
    each (Wellner & Zhan, 1997). Only where one went the whole way are most masses zero, so the last
    step is such a one if it can be.
    """
    upto = _sum_up(mass)
    problem, derivatives, is_full_step = _Masses(runs=runs), runs.derivatives(upto), True
    for _ in range(steps):
        if derivatives is None:
            break
        slope = runs.by_mass(derivatives[0])
        if is_full_step and slope.max() <= runs.n * (1 + tol):
            break
        if em:
            mass = mass * slope
            mass /= mass.sum()
            upto = _sum_up(mass)
            derivatives = runs.derivatives(upto) or derivatives
        target = _minorant(upto, *derivatives)
        towards, derivatives = np.diff(target), runs.derivatives(target)
        if derivatives and derivatives[0] @ (target - upto) >= 0:
            mass, upto, is_full_step = towards, target, True  # it has risen: it is concave
            continue
        improved = search_line(problem, mass, runs.chances(mass), towards, runs.chances(towards))
        is_full_step, em = improved is not None and improved[0] is towards, em or improved is None
        if improved is not None:
            mass = improved[0]
        upto = _sum_up(mass)
        derivatives = runs.derivatives(upto)
    return mass


def _sum_up(mass: Floats) -> Floats:
    upto = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=upto[1:])
    return upto


def squarem(runs: RangeRows, mass: Floats, steps: int, tol: float) -> Floats:
    """Take EM steps two at a time and extrapolate (Varadhan & Roland, 2008, scheme S3).

    Quick where many numbers are known exactly.
    """
    chances = runs.chances(mass)
    for _ in range(steps):
        slope = runs.pull(chances)
        if slope.max() <= runs.n * (1 + tol):
            break
        once = mass * slope
        once /= once.sum()
        twice = once * runs.pull(runs.chances(once))
        twice /= twice.sum()
        first, second = once - mass, twice - once
        bend = second - first
        stretch = np.sqrt(first @ first / max(float(bend @ bend), 1e-300))
        far = mass + 2 * stretch * first + stretch**2 * bend if stretch > 1 else twice
        far = np.maximum(far, twice * 1e-3)
        far /= far.sum()
        beyond = runs.chances(far)
        if gain(runs, beyond, chances) < 0:
            far, beyond = twice, runs.chances(twice)
        mass, chances = far, beyond
    return mass


def _minorant(upto: Floats, slope: Floats, curve: Floats) -> Floats:
    from scipy.optimize import isotonic_regression

    target, weights = np.zeros_like(upto), curve[1:-1]
    aim = slope[1:-1] / weights
    aim += upto[1:-1]
    isotonic_regression(aim, weights=weights).x.clip(0, 1, out=target[1:-1])
    target[-1] = 1.0
    return target


_MOST_STEPS = 60


def newton(runs: RangeRows, mass: Floats, tol: float) -> Floats:
    """Find the most likely masses on all places of a small problem.

    Parameters
    ----------
    runs : RangeRows
    mass : array, shape (m,)
        On the simplex, giving every row a positive chance.
    tol : float
        Stop when the gap is at most this, or nothing is gained any more.
    """
    nearly_all = 2 * np.count_nonzero(mass) > runs.m  # which then keep theirs
    free = (mass > 0) | nearly_all
    return maximise_on_simplex(_Masses(runs=runs), mass, tol, free=free, most=_MOST_STEPS).shares


_NODES = 60  # levels by which far places are tied
_FINE = 360  # shares of the whole that rows end in, as far as the nodes are concerned
_MOST_CONJUGATE = 300  # steps of conjugate gradients
_MOST_FAR_STEPS = 12
_LOOSEST, _TIGHTEST = 1e-2, 1e-8  # what a solution may lack: a step is as good as its start


def far_newton(runs: RangeRows, mass: Floats, tol: float) -> Floats:
    """Maximise by Newton steps whose model is solved by preconditioned conjugate gradients.

    Near levels are tied by exact numbers, far ones by wide ranges; so a tridiagonal factor and a
    dense one over a few nodes precondition together (Nicolaides, 1987).

    Parameters
    ----------
    runs : RangeRows
    mass : array, shape (m,)
        On the simplex, giving every row a positive chance.
    tol : float
        Stop when the gap is at most this, or a step gains nothing.
    """
    places, shares = np.arange(runs.m), np.zeros(runs.m)
    problem = _Masses(runs=runs)
    iterate = evaluate_shares(problem, mass, problem.chance(mass))
    inverse, hats = _far(runs, runs.curves(iterate.chance), mass)
    for _ in range(_MOST_FAR_STEPS):
        if iterate.gap <= tol:
            break
        runs = problem.runs
        curves = runs.curves(iterate.chance)
        gradient = runs.by_level(runs.ratios(iterate.chance), signed=True)[1:-1]
        near = _near_and_far(runs, curves, inverse, hats)
        step = _solved(runs, curves, gradient, near, min(iterate.gap, _LOOSEST))
        target = (iterate.shares + np.diff(step, prepend=0.0, append=0.0)).clip(0)
        candidate = improve(problem, iterate, target / target.sum())
        if candidate is None:
            break
        iterate = candidate
        if not iterate.shares.all():
            with_mass = np.flatnonzero(iterate.shares)
            problem, places, hats = problem.onto(with_mass), places[with_mass], hats[with_mass[:-1]]
            again = evaluate_shares(
                problem, iterate.shares[with_mass], problem.chance(iterate.shares[with_mass])
            )
            iterate = replace(again, gap=iterate.gap)  # of all places
    shares[places] = iterate.shares
    return shares


def _solved(
    runs: RangeRows,
    curves: list[Floats],
    gradient: Floats,
    near: Callable[[Floats], Floats],
    loose: float,
) -> Floats:
    """Solve H step = gradient, H the curvature by the inner levels, but for a part so large."""

    def bent(step: Floats) -> Floats:
        return runs.bent(curves, np.concatenate([[0.0], step, [0.0]]))[1:-1]

    step, residual = np.zeros(len(gradient)), gradient.copy()
    aim = ahead = near(residual)
    size = residual @ ahead
    first = size
    for _ in range(_MOST_CONJUGATE):
        if size <= max(loose, _TIGHTEST) ** 2 * first:
            break
        pull = bent(aim)
        length = size / (aim @ pull)
        step += length * aim
        residual -= length * pull
        ahead = near(residual)
        size, before = residual @ ahead, size
        aim = ahead + (size / before) * aim
    return step


def _near_and_far(
    runs: RangeRows, curves: list[Floats], inverse: Floats, hats: Any
) -> Callable[[Floats], Floats]:
    from scipy.linalg import cho_solve_banded, cholesky_banded

    band = np.zeros((2, runs.m - 1))
    band[0] = runs.by_level(curves, signed=False)[1:-1] * (1 + 1e-12)
    band[1, :-1] = -np.bincount(runs.points, curves[-1], runs.m)[1:-1]
    local = cholesky_banded(band, lower=True)

    def solve(right: Floats) -> Floats:
        near: Floats = cho_solve_banded((local, True), right)
        near += hats @ (inverse @ (hats.T @ right))
        return near

    return solve


def _far(runs: RangeRows, curves: list[Floats], mass: Floats) -> tuple[Floats, Any]:
    """The inverse bend over a few nodes, and how each inner level hangs between them."""
    levels = np.concatenate([[0.0], np.cumsum(mass)[:-1].clip(0, 1), [1.0]])
    rank = 1 + (levels * (_FINE - 1e-9)).astype(np.int64)
    rank[0], rank[-1] = 0, _FINE + 1
    rows = replace(runs, points=runs.points[:0], counts=runs.counts[:0])
    fine = bend(rows, [*curves[:-1], curves[-1][:0]], rank)[1:-1, 1:-1]
    fine += np.triu(fine, 1).T
    middle, hats = _node_weights((np.arange(_FINE) + 0.5) / _FINE), _node_weights(levels)
    tied = hats[runs.points + 1] - hats[runs.points]
    wide = middle.T @ (middle.T @ fine).T + (tied.T @ (tied * curves[-1][:, None])).toarray()
    wide[np.diag_indices(_NODES)] *= 1 + 1e-10
    wide[np.diag_indices(_NODES)] += 1e-12 * wide.max()
    return np.linalg.inv(wide), hats[1:-1]


def _node_weights(levels: Floats) -> Any:
    """Write levels between 0 and 1 by the two nodes around each, shape (levels, nodes)."""
    from scipy.sparse import csr_array

    nodes = levels * (_NODES + 1)
    node = nodes.astype(np.int64).clip(0, _NODES)
    part, row = nodes - node, np.arange(len(levels))
    value, column = np.concatenate([1 - part, part]), np.concatenate([node, node + 1])
    shape = (len(levels), _NODES + 2)
    return csr_array((value, (np.tile(row, 2), column)), shape=shape)[:, 1:-1]


def gain(runs: RangeRows, new: list[Floats], old: list[Floats]) -> float:
    """How much log-likelihood a change of the chances gains; −∞ if one is lost.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.support import intersections
    >>> runs = intersections(Ranges([0, 1, 2, 3, 3], [2, 3, 4, 4, 5], [1, 2, 3, 4, 5])).runs
    >>> masses = np.linspace(1, 2, runs.m), np.linspace(3, 1, runs.m)
    >>> old, new = (runs.chances(mass / mass.sum()) for mass in masses)
    >>> rises = zip(runs.weights(), new, old)
    >>> risen = sum(float(w @ np.log(now / before)) for w, now, before in rises)
    >>> bool(np.isclose(gain(runs, new, old), risen, rtol=1e-12)), round(risen, 3) != 0
    (True, True)
    >>> new[0][0] = 0.0
    >>> gain(runs, new, old)
    -inf
    """
    total = 0.0
    for weight, now, before in zip(runs.weights(), new, old, strict=True):
        if len(now) and now.min() <= 0:
            return -np.inf
        change = now - before
        change /= before
        with np.errstate(divide="ignore"):  # a chance may shrink by more than doubles tell from all
            total += float(weight @ np.log1p(change, out=change))
    return total


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Masses:
    """The likelihood of ranges by the mass of each place, as a problem on the simplex."""

    runs: RangeRows

    @property
    def n(self) -> float:
        return self.runs.n

    def onto(self, support: Integers) -> "_Masses":
        return _Masses(runs=self.runs.onto(support))

    def chance(self, shares: Floats) -> list[Floats]:
        return self.runs.chances(shares)

    def between(self, old: list[Floats], new: list[Floats], length: float) -> list[Floats]:
        return [start + length * (stop - start) for start, stop in zip(old, new, strict=True)]

    def slope(self, chance: list[Floats]) -> Floats:
        return self.runs.pull(chance)

    def gain(self, new: list[Floats], old: list[Floats]) -> float:
        return gain(self.runs, new, old)

    def best(self, iterate: SimplexIterate[list[Floats]], free: Booleans) -> Floats:
        return LevelModel.near(self.runs, iterate.shares, iterate.chance).best(free)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelModel:
    """A quadratic with the likelihood's first two derivatives at some masses.

    Attributes
    ----------
    runs : RangeRows
    mass : array, shape (m,)
    gradient : array, shape (m + 1,)
        By the levels; 0 by the first and the last, which are fixed.
    curves : list of arrays
        Minus the second derivative by the chance of each row.
    """

    runs: RangeRows
    mass: Floats
    gradient: Floats
    curves: list[Floats]

    @classmethod
    def near(cls, runs: RangeRows, mass: Floats, chances: list[Floats]) -> "LevelModel":
        """Take the derivatives at masses that give the rows these chances."""
        gradient = _fix_ends(runs.by_level(runs.ratios(chances), signed=True))
        return cls(runs=runs, mass=mass, gradient=gradient, curves=runs.curves(chances))

    def best(self, free: Booleans) -> Floats:
        """Maximise over the simplex from the free places; of many, from those of a minorant."""
        if np.count_nonzero(free) > _CROWDED:
            curve = self.runs.by_level(self.curves, signed=False)
            free = np.diff(_minorant(_sum_up(self.mass), self.gradient, curve)) > 0
        return best_on_simplex(self._solve_on_places, self.mass, free)

    def _solve_on_places(self, free: Integers) -> tuple[Floats, Floats]:
        """Solve with mass on the free places alone, as a change, so that faint ones last.

        Returns the masses, and the model's slope by each mass, up to a constant.
        """
        target = np.zeros(len(self.mass))
        target[free] = self.mass[free]
        removed, gradient = self.mass - target, self.gradient
        if removed.any():
            target[free[-1]] += removed.sum()
            removed[free[-1]] -= removed.sum()
            gradient = gradient + self._change(np.append(0.0, np.cumsum(removed)))
        ends = np.zeros(len(self.mass) + 1, dtype=np.int64)
        ends[free + 1] = 1
        rank = np.cumsum(ends)
        step = self._solved(rank, _fix_ends(np.bincount(rank, gradient).astype(np.float64)))
        target[free] += np.diff(step)
        remaining = gradient - self._change(step[rank])
        return target, np.cumsum(remaining[:0:-1])[::-1]

    def _solved(self, rank: Integers, side: Floats) -> Floats:
        from scipy.linalg import LinAlgError, cho_factor, cho_solve

        matrix = self._bend_inside(rank)
        try:
            factor = cho_factor(matrix.T, lower=True, overwrite_a=True, check_finite=False)
            return np.asarray(cho_solve(factor, side, check_finite=False), dtype=np.float64)
        except LinAlgError:
            matrix = self._bend_inside(rank)  # the factor was written over it
            diagonal = np.einsum("ii->i", matrix)
            diagonal += 1e-9 * max(float(diagonal.max()), 1.0)
            matrix += np.triu(matrix, 1).T
            return np.asarray(np.linalg.solve(matrix, side), dtype=np.float64)

    def _bend_inside(self, rank: Integers) -> Floats:
        matrix = bend(self.runs, self.curves, rank)
        matrix[0] = matrix[:, -1] = 0.0
        matrix[0, 0] = matrix[-1, -1] = 1.0
        return matrix

    def _change(self, step: Floats) -> Floats:
        """Minus the change of the gradient for a step of the levels, 0 at both ends."""
        return _fix_ends(self.runs.bent(self.curves, step))


def _fix_ends(by_level: Floats) -> Floats:
    """Leave the first level and the last where they are."""
    by_level[0] = by_level[-1] = 0.0
    return by_level


_FAINT = 1e-8  # of all weight: a level may come that close to one
SMALL, LARGE = 1e-100, 1e100  # beyond, weights lose digits


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Masses on disjoint intervals, with what is missing to the maximum.

    Attributes
    ----------
    lower, upper, mass : array, shape (m,)
    gap : float
    method : str
    zero_pieces, non_identified : tuple of (float, float)
        As in `Distribution`.
    """

    lower: Floats
    upper: Floats
    mass: Floats
    gap: float
    method: str
    zero_pieces: tuple[tuple[float, float], ...] = ()
    non_identified: tuple[tuple[float, float], ...] = ()


def current_status(ranges: Ranges) -> Fit | None:
    """Fit ranges that are all one-sided by isotonic regression; None if one is not.

    The share up to each cut is the isotonic share of ranges that end there (Ayer, Brunk, Ewing,
    Reid & Silverman, 1955). It takes one sort. Until the first range that ends at its cut nothing
    lies below, from the last that begins there everything does; between them, neighbours that end
    at their cuts and those after them that begin there share one level. Where some weigh next to
    nothing beside the rest, levels come too close to one for their differences: None too, and where
    weights are in a strange unit.

    >>> fit = current_status(Ranges([-np.inf, 1, 2], [1, np.inf, np.inf]))
    >>> fit.upper.tolist(), fit.mass.tolist()
    ([1.0, inf], [0.3333333333333333, 0.6666666666666667])
    """
    above = ranges.upper == np.inf
    if not ranges.is_single_piece or np.count_nonzero(above == (ranges.lower == -np.inf)):
        counted = observed(ranges)
        return None if counted is ranges else current_status(counted)
    ends, sides, weights = _sort_packed(ranges, above) or _sort_cuts(ranges, above)
    if len(ends) == 2 or (weights is not None and not _has_sound_weights(weights)):
        return None
    turns = (sides[1:] != sides[:-1]).nonzero()[0]
    if weights is None:
        return _fit_levels(ends, turns, turns[1:] - turns[:-1], len(ranges))
    return _fit_levels(ends, turns, np.add.reduceat(weights, turns)[:-1], weights.sum())


def _has_sound_weights(weights: Floats) -> bool:
    total = float(weights.sum())
    return SMALL < total < LARGE and weights[:-1].min() >= _FAINT * total


def _fit_levels(ends: Floats, turns: Integers, runs: npt.NDArray[Any], n: float) -> Fit:
    """Fit the share up to each cut.

    Parameters
    ----------
    ends : array
        −∞, the cuts, ∞.
    turns : array of int, shape (2 k + 1,)
        How many cuts come before each run of ranges on one side of theirs, first one of ranges
        below.
    runs : array, shape (2 k,)
        How many ranges each holds; beyond the last all are below.
    n : float
        How many they all are.
    """
    from scipy.optimize import isotonic_regression

    below, people = runs[::2], runs[::2] + runs[1::2]
    share = below / people
    solved = isotonic_regression(share, weights=people)
    starts = solved.blocks[:-1]
    level, cut_index = solved.x[starts], turns[::2][solved.blocks]
    upto = np.concatenate(([0.0], level, [1.0]))
    mass = upto[1:] - upto[:-1]
    if not mass[-1]:  # a share of one but for rounding
        level, starts, cut_index, mass = level[:-1], starts[:-1], cut_index[:-1], mass[:-1]
    return Fit(
        lower=ends[cut_index],
        upper=ends[cut_index + 1],
        mass=mass,
        gap=_excess((share - solved.x) * people, level, starts) / n,
        method="isotonic regression",
    )


def _sort_packed(ranges: Ranges, above: Booleans) -> tuple[Floats, Booleans, None] | None:
    """Sort cuts without a sign and of equal weight, by whole numbers that hold cut and side.

    Returns
    -------
    ends : array, shape (n + 2,)
        −∞, the cuts, ∞.
    sides : array of bool, shape (n + 2,)
        Whether the range begins at its cut; ranges that end there come first at a tie. The outer
        two are those of a range below all cuts, and of one above.
    """
    n, weights = len(ranges), ranges.weights
    if not n or not weights[0] or np.count_nonzero(weights != weights[0]):
        return None
    ends, sides = np.empty(n + 2), np.empty(n + 2, dtype=np.bool_)
    ends[0], ends[-1], sides[0], sides[-1] = -np.inf, np.inf, True, False
    cuts = np.negative(ranges.upper, out=ends[1:-1])
    np.maximum(cuts, ranges.lower, out=cuts)
    if np.count_nonzero(np.signbit(cuts) == above):
        return None
    bits = cuts.view(np.uint64)  # of doubles without a sign these are in the same order
    bits <<= 1
    bits |= above
    bits.sort()
    sides[1:-1] = bits & 1
    bits >>= 1
    return ends, sides, None


def _sort_cuts(ranges: Ranges, above: Booleans) -> tuple[Floats, Booleans, Floats]:
    """Sort cuts of any sign and weight; see `_sort_packed`. One weight of zero is added behind."""
    has_weight = ranges.weights > 0
    rows = np.concatenate([np.flatnonzero(has_weight & ~above), np.flatnonzero(has_weight & above)])
    order, cuts = ordered(np.where(above, ranges.lower, ranges.upper)[rows])
    rows = rows[order]
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    sides = np.concatenate([[True], above[rows], [False]])
    return ends, sides, np.append(ranges.weights[rows], 0.0)


def _excess(over: Floats, level: Floats, starts: Integers) -> float:
    """By how much the slope exceeds n at its highest.

    The slope is n at both ends of a block of equal levels and differs inside it by what the ranges
    that end there leave over; beyond the blocks, where the level is 0 or 1, it is below n.
    """
    leftover = np.zeros(len(over) + 1)
    over.cumsum(out=leftover[1:])
    fallen = leftover[starts] - np.minimum.reduceat(leftover[1:], starts)
    return max((fallen / (level * (1 - level))).tolist(), default=0.0)


_SOUND = 1e-6  # the gap of a start


def roughly(ranges: Ranges) -> tuple[Floats, Floats]:
    """Say up to where mass can lie, and how much does about: a start for another likelihood."""
    cells = intersections(ranges)
    mass, _ = most_likely(cells.runs, _SOUND)
    return cells.upper, mass


def one_fit(ranges: Ranges, tol: float) -> Fit:
    """Fit quickly: where shares can be traded, with one division of them, whichever."""
    fit = current_status(ranges)
    if fit is not None:
        return fit
    cells = intersections(ranges)
    return fit_on(cells.lower, cells.upper, *most_likely(cells.runs, tol))


def fit_on(lower: Floats, upper: Floats, mass: Floats, gap: float) -> Fit:
    """Keep the intervals that have mass, as a fit."""
    has_mass = mass > 0
    return Fit(
        lower=lower[has_mass],
        upper=upper[has_mass],
        mass=mass[has_mass],
        gap=gap,
        method="most likely distribution, growing support",
    )
