"""Maximisation of log-likelihoods, over a simplex or without bounds, and how a fit ended.

Over a simplex the likelihood is a concave one of a mixture: shares of answers, masses of a
distribution on its places, joint tables. One loop takes Newton steps on the active set, and steps
of EM where one would descend; what differs is how a problem finds the best point of its quadratic
model. Without bounds it is that of a regression.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, final

import numpy as np
import numpy.typing as npt

from askance.typing import Booleans, Floats, Integers

_MOST_STEPS = 500
_ROUNDING = 4e-15  # of the log-likelihood of one observation
_FAINTEST = 1e-290  # below, the slope of 10^12 reports overflows

_Reached = TypeVar("_Reached")
_Chance = TypeVar("_Chance")


def backtrack(reach: Callable[[float], _Reached | None], most: int = 40) -> _Reached | None:
    """Backtracking search: halve the step until it is accepted; None if it never is.

    >>> backtrack(lambda length: length if length < 0.3 else None)
    0.25
    """
    length = 1.0
    for _ in range(most):
        reached = reach(length)
        if reached is not None:
            return reached
        length /= 2
    return None


class OnSimplex(Protocol[_Chance]):
    """A concave log-likelihood Σ w log(chance) whose chances are linear in shares that sum to 1."""

    @property
    def n(self) -> float:
        """What the weights sum to."""

    def chance(self, shares: Floats) -> _Chance:
        """The chance of each observation."""

    def between(self, old: _Chance, new: _Chance, length: float) -> _Chance:
        """The chances a part of the way from some shares to others."""

    def slope(self, chance: _Chance) -> Floats:
        """The derivative of the log-likelihood by each share."""

    def gain(self, new: _Chance, old: _Chance) -> float:
        """How much log-likelihood a change of the chances gains; −∞ if one is lost."""

    def best(self, iterate: "SimplexIterate[_Chance]", free: Booleans, /) -> Floats:
        """Maximise the quadratic model over the simplex, from the shares that may be positive."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimplexIterate(Generic[_Chance]):
    """An iterate: shares with their chances, slope and duality gap.

    Attributes
    ----------
    shares : array, shape (k,)
    chance : array, or whatever the problem calls chances
    slope : array, shape (k,)
    gap : float
        Per observation, what is missing to the maximum at most (the duality gap).
    """

    shares: Floats
    chance: _Chance
    slope: Floats
    gap: float


def evaluate_shares(
    problem: OnSimplex[_Chance], shares: Floats, chance: _Chance
) -> SimplexIterate[_Chance]:
    """Evaluate slope and duality gap at shares whose chances are known."""
    slope = problem.slope(chance)
    missing = slope.max() - slope @ shares
    return SimplexIterate(shares=shares, chance=chance, slope=slope, gap=float(missing / problem.n))


def maximise_on_simplex(
    problem: OnSimplex[_Chance],
    start: Floats,
    tol: float,
    *,
    free: Booleans | None = None,
    most: int = _MOST_STEPS,
) -> SimplexIterate[_Chance]:
    """Maximise by Newton steps on the active set, with EM where one would descend.

    Each step maximises the local quadratic model over the whole simplex, so shares reach and leave
    zero exactly (after Kim, Carbonetto, Stephens & Anitescu, 2020, mix-SQP).

    Parameters
    ----------
    problem : OnSimplex
    start : array, shape (k,)
        Non-negative shares that give every observation a positive chance.
    tol : float
        Stop when the gap is at most this, or no step helps.
    free : array of bool, shape (k,), optional
        The shares that are likely positive after the first step; those that are, if left out.
    most : int
        Steps.
    """
    iterate = evaluate_shares(problem, start, problem.chance(start))
    for _ in range(most):
        if iterate.gap <= tol:
            break
        following = improve(
            problem, iterate, problem.best(iterate, iterate.shares > 0 if free is None else free)
        )
        if following is None:
            following = improve(problem, iterate, em_target(iterate))
        if following is None:
            break
        iterate, free = following, None
    return iterate


def em_target(iterate: SimplexIterate[_Chance]) -> Floats:
    """Target of one step of expectation and maximisation (EM), which never descends.

    x_j ← x_j g_j / Σ x g with g the slope (Dempster, Laird & Rubin, 1977).

    >>> rng, gains = np.random.default_rng(1), []
    >>> for _ in range(20):
    ...     rows, counts = rng.random((9, 4)), rng.integers(1, 10 ** rng.integers(1, 9), 9)
    ...     problem, shares = curve_mixture(mixture(rows, counts)), rng.dirichlet(np.ones(4))
    ...     for _ in range(5):
    ...         iterate = evaluate_shares(problem, shares, problem.chance(shares))
    ...         shares = em_target(iterate)
    ...         gains.append(problem.gain(problem.chance(shares), iterate.chance) / problem.n)
    >>> bool(min(gains) > -1e-13), round(float(shares.sum()), 12)
    (True, 1.0)
    """
    weighted = iterate.shares * iterate.slope
    scaled: Floats = weighted / weighted.sum()
    return scaled


def improve(
    problem: OnSimplex[_Chance], iterate: SimplexIterate[_Chance], target: Floats
) -> SimplexIterate[_Chance] | None:
    """Step to the target if that at least halves the gap and loses nothing, else search.

    None if nothing is gained.

    >>> rng, gains = np.random.default_rng(1), []
    >>> for _ in range(20):
    ...     rows, counts = rng.random((9, 4)), rng.integers(1, 10 ** rng.integers(1, 9), 9)
    ...     problem, shares = curve_mixture(mixture(rows, counts)), rng.dirichlet(np.ones(4))
    ...     iterate = evaluate_shares(problem, shares, problem.chance(shares))
    ...     for _ in range(8):
    ...         if better := improve(problem, iterate, problem.best(iterate, iterate.shares > 0)):
    ...             gains.append(problem.gain(better.chance, iterate.chance) / problem.n)
    ...             iterate = better
    >>> bool(len(gains) > 40 and min(gains) > -1e-14)
    True
    """
    target_chance = problem.chance(target)
    if problem.gain(target_chance, iterate.chance) >= -_ROUNDING * problem.n:
        candidate = evaluate_shares(problem, target, target_chance)
        if candidate.gap < iterate.gap / 2:
            return candidate
    reached = search_line(problem, iterate.shares, iterate.chance, target, target_chance)
    return None if reached is None else evaluate_shares(problem, *reached)


def search_line(
    problem: OnSimplex[_Chance],
    shares: Floats,
    chance: _Chance,
    target: Floats,
    target_chance: _Chance,
) -> tuple[Floats, _Chance] | None:
    """Go towards the target, halving until the likelihood rises; None if it never does."""

    def reach(length: float) -> tuple[Floats, _Chance] | None:
        if length == 1:
            return (target, target_chance) if problem.gain(target_chance, chance) > 0 else None
        if not problem.gain(problem.between(chance, target_chance, length), chance) > 0:
            return None
        point = shares + length * (target - shares)
        return point, problem.chance(point)

    return backtrack(reach)


_EXCHANGES = 100  # mostly a handful settle
_PATIENCE = 3  # exchanges that may leave as many on the wrong side
_SAME = 1e-12  # slopes that are equal but for rounding

Face = Callable[[Integers], tuple[Floats, Floats]]
"""Gives, from the shares that are free, the best point with nothing on the others, and the model's
slope there by every share, up to a constant."""


def best_on_simplex(face: Face, start: Floats, free: Booleans) -> Floats:
    """Maximise a concave quadratic over a simplex, from a point on it.

    Block principal pivoting (Portugal, Júdice & Vicente, 1994): all shares on the wrong side of
    their optimality condition change sides together, which takes a handful of solves; where they
    grow no fewer, one at a time. Where that does not settle, a primal active set that lets one
    share in at a time, which must.
    """
    point = _exchange_blocks(face, free)
    return _exchange_singly(face, start) if point is None else point


def _exchange_blocks(face: Face, free: Booleans) -> Floats | None:
    """Block pivoting: exchange all wrong shares at once, or the last alone if those grow no fewer.

    None if that does not settle.
    """
    fewest, patience = len(free) + 1, _PATIENCE
    for _ in range(_EXCHANGES):
        if not free.any():
            return None
        point, slope = face(np.flatnonzero(free))
        wrong = np.flatnonzero(np.where(free, point < 0, _find_better(slope, free)))
        if not len(wrong):
            return point
        fewest, patience = (
            (len(wrong), _PATIENCE) if len(wrong) < fewest else (fewest, patience - 1)
        )
        free = free.copy()
        free[wrong if patience > 0 else wrong[-1:]] ^= True
    return None


def _exchange_singly(face: Face, point: Floats) -> Floats:
    """Maximise by a primal active set that frees or fixes one share at a time."""
    free = point > 0
    for _ in range(10 * len(free) + _EXCHANGES):
        target, slope = face(np.flatnonzero(free))
        falling = free & (target < 0)
        if falling.any():
            reach = point[falling] / (point[falling] - target[falling])
            length = reach.min()
            point = np.where(free, point + length * (target - point), 0.0).clip(0)
            free[np.flatnonzero(falling)[reach <= length * (1 + _SAME)]] = False
            point[~free] = 0.0
            continue
        point = target
        better = _find_better(slope, free)
        if not better.any():
            break
        free[np.argmax(np.where(better, slope, -np.inf))] = True
    return point


def _find_better(slope: Floats, free: Booleans) -> Booleans:
    """Mask of fixed shares whose slope exceeds that of the free ones."""
    better: Booleans = ~free & (slope > slope[free].max() + _SAME * np.abs(slope).max())
    return better


class MixtureLike(Protocol):
    """A mixture likelihood whose rows need not be written out."""

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""

    def chance(self, shares: Floats) -> Floats:
        """The chance of each row."""

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each share."""

    def curvature(self, chance: Floats) -> Floats:
        """The negative second derivative of the log-likelihood by each pair of shares."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """Rows of chances and the count of each row.

    Attributes
    ----------
    rows : array, shape (m, k)
    weights : array, shape (m,)
        All positive.
    """

    rows: Floats
    weights: Floats

    def chance(self, shares: Floats) -> Floats:
        """The chance of each row."""
        return self.rows @ shares

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each share."""
        return (self.weights / chance) @ self.rows

    def curvature(self, chance: Floats) -> Floats:
        """The negative second derivative by each pair of shares."""
        scaled = self.rows * (np.sqrt(self.weights) / chance)[:, None]
        return scaled.T @ scaled


def mixture(rows: npt.ArrayLike, weights: npt.ArrayLike) -> Mixture:
    """State rows of chances and their counts as a mixture."""
    return Mixture(rows=np.asarray(rows, dtype=float), weights=np.asarray(weights, dtype=float))


def gain(weights: Floats, new: Floats, old: Floats) -> float:
    """How much log-likelihood a change of the chances gains, without cancellation."""
    if not np.all(new > _FAINTEST):
        return -np.inf
    with np.errstate(divide="ignore"):  # a chance all of which was lost
        return float(weights @ np.log1p((new - old) / old))


def best_of_model(
    shares: Floats, slope: Floats, curvature: Floats, free: Booleans | None = None
) -> Floats:
    """Maximise slope·d − d·curvature·d/2 over d with shares + d on the simplex.

    Parameters
    ----------
    shares : array, shape (k,)
        On the simplex.
    slope : array, shape (k,)
    curvature : array, shape (k, k)
        Symmetric and positive definite.
    free : array of bool, shape (k,), optional
        Which are likely positive at the maximum; those that are, if left out.

    >>> best_of_model(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.eye(2)).tolist()
    [1.0, 0.0]
    """
    linear = slope + curvature @ shares

    def face(support: Integers) -> tuple[Floats, Floats]:
        sides = np.ones((len(support), 2))
        sides[:, 0] = linear[support]
        solution = np.linalg.solve(curvature.take(support, axis=0).take(support, axis=1), sides)
        price = (solution[:, 0].sum() - 1) / solution[:, 1].sum()
        point = np.zeros(len(shares))
        point[support] = solution[:, 0] - price * solution[:, 1]
        return point, linear - curvature @ point

    point = best_on_simplex(face, shares, shares > 0 if free is None else free)
    scaled: Floats = point / point.sum()
    return scaled


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurvedMixture:
    """A mixture with the matrix of its curvature, as a problem on the simplex."""

    problem: MixtureLike
    weights: Floats
    n: float

    def chance(self, shares: Floats) -> Floats:
        """The chance of each row."""
        return self.problem.chance(shares)

    def between(self, old: Floats, new: Floats, length: float) -> Floats:
        """The chances a part of the way."""
        return old + length * (new - old)

    def slope(self, chance: Floats) -> Floats:
        """The derivative by each share."""
        return self.problem.slope(chance)

    def gain(self, new: Floats, old: Floats) -> float:
        """How much log-likelihood a change gains."""
        return gain(self.weights, new, old)

    def best(self, iterate: SimplexIterate[Floats], free: Booleans) -> Floats:
        """Maximise the quadratic model; the curvature is made steeper by what rounding may hide."""
        curvature = self.problem.curvature(iterate.chance)
        diagonal = np.einsum("ii->i", curvature)
        diagonal += 1e-12 * diagonal + 1e-14 * diagonal.max()
        return best_of_model(iterate.shares, iterate.slope, curvature, free)


def curve_mixture(problem: MixtureLike) -> CurvedMixture:
    """State a mixture as a problem on the simplex."""
    weights = problem.weights
    return CurvedMixture(problem=problem, weights=weights, n=float(weights.sum()))


def maximise_mixture(
    problem: MixtureLike, start: Floats, tol: float = 1e-10
) -> tuple[Floats, float]:
    """Maximise by Newton steps on the active set, with EM where one would descend.

    As `maximise_on_simplex`, by the matrix of the curvature.

    Parameters
    ----------
    problem : MixtureLike
    start : array, shape (k,)
        Non-negative shares that give every row a positive chance.
    tol : float
        Stop when the gap per observation is at most this.

    Returns
    -------
    shares : array, shape (k,)
    gap : float
        At most this much mean log-likelihood is missing; above ``tol`` only if no step helps.

    >>> problem = mixture([[0.75, 0.25], [0.25, 0.75]], [3, 1])
    >>> shares, gap = maximise_mixture(problem, np.array([0.5, 0.5]))
    >>> shares.round(9).tolist(), gap <= 1e-10
    ([1.0, 0.0], True)
    """
    optimum = maximise_on_simplex(curve_mixture(problem), start, tol)
    return optimum.shares, max(optimum.gap, 0.0)


_MOST_FREE_STEPS = 200
_MOST_HALVES = 30
_SETTLED = 1e-13
"""Converged when a step would gain less than this part of the log-likelihood, or of 1000."""

_LAST = 1e-22
"""A step that gains no more than this moves nothing by 10⁻¹⁰ standard errors."""

_MOST_LAST_STEPS = 40


class LogLikelihood(Protocol):
    """A log-likelihood with its slope, and matrices that stand in for its curvature."""

    def total(self, parameters: Floats, /) -> float:
        """The log-likelihood; -∞ where the data are impossible."""

    def slope(self, parameters: Floats, /) -> Floats:
        """The gradient."""

    def informations(self, parameters: Floats, /) -> Iterator[Callable[[], Floats]]:
        """Information matrices to try in turn, the fastest first, the safest last."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class LastEvaluation:
    """Memory of the last evaluation, which value, slope and curvature share.

    >>> last = LastEvaluation()
    >>> [last.once("double", np.ones(1), lambda x: [2 * x, print("found")])[0] for _ in range(2)]
    found
    [array([2.]), array([2.])]
    """

    _stored: dict[str, tuple[Floats, Any]] = field(default_factory=dict, init=False)

    def once(self, name: str, point: Floats, find: Callable[[Floats], _Reached]) -> _Reached:
        """The result at a point, computed only if the last one was at another point."""
        stored = self._stored.get(name)
        if stored is None or not np.array_equal(stored[0], point):
            stored = self._stored[name] = (point.copy(), find(point))
        return stored[1]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Optimum:
    """The end of an ascent: parameters, log-likelihood, and whether it converged.

    Attributes
    ----------
    parameters : array
    total : float
        The log-likelihood there.
    gap : float
        What one more step would gain.
    settled : bool
    """

    parameters: Floats
    total: float
    gap: float
    settled: bool


Within = tuple[Floats, Floats]
"""The least and the largest value of each parameter."""


def maximise(problem: LogLikelihood, start: Floats, within: Within | None = None) -> Optimum:
    """Maximise a log-likelihood by backtracking steps until a step would gain nothing.

    A step is taken along the inverse of the observed information if that ascends; else along that
    of the expected one; else along that of the complete data, which is EM's to first order (Lange,
    1995). Each is halved until the likelihood does not fall. Parameters at a bound beyond which it
    would rise stay there, and steps end at bounds (projected Newton; Bertsekas, 1982). Where the
    likelihood is too level to tell two places apart, the slope still does: the last steps are taken
    by it alone, along the same matrix, until they no longer shrink. That is left out where only a
    safer way was open: then the top is a ridge, and its place tells nothing.

    Parameters
    ----------
    problem : LogLikelihood
    start : array
        Inside the bounds.
    within : pair of array, optional
        Bounds, where there are any.

    Returns
    -------
    Optimum
    """
    parameters, total, gap = start, problem.total(start), np.inf
    for _ in range(_MOST_FREE_STEPS):
        slope = problem.slope(parameters)
        better = None
        for attempt, information in enumerate(problem.informations(parameters)):
            matrix = information()
            step = _solve_free_step(matrix, slope, parameters, within)
            if step is None:
                continue
            gap = float(slope @ step) / 2
            if gap <= _SETTLED * max(1000.0, abs(total)):
                optimum = Optimum(parameters=parameters, total=total, gap=gap, settled=True)
                return _polish(problem, optimum, step, None if attempt else matrix, within)
            better = _backtrack_step(problem, (parameters, total), step, within)
            if better is not None:
                break
        if better is None:
            break
        parameters, total = better
    return Optimum(parameters=parameters, total=total, gap=gap, settled=False)


def _polish(
    problem: LogLikelihood,
    optimum: Optimum,
    step: Floats,
    matrix: Floats | None,
    within: Within | None,
) -> Optimum:
    """Take the last steps by the slope, where values differ by no more than their rounding."""
    parameters, gap = _clip_to_bounds(optimum.parameters + step, within), optimum.gap
    total = problem.total(parameters)
    if not total >= optimum.total - _SETTLED * max(1000.0, abs(total)):
        return optimum
    if matrix is None:
        return Optimum(parameters=parameters, total=total, gap=gap, settled=True)
    for _ in range(_MOST_LAST_STEPS):
        slope = problem.slope(parameters)
        further = _solve_free_step(matrix, slope, parameters, within)
        remaining = np.inf if further is None else float(slope @ further) / 2
        if further is None or not remaining < gap:
            break
        parameters, gap = _clip_to_bounds(parameters + further, within), remaining
        if gap <= _LAST:
            break
    return Optimum(parameters=parameters, total=total, gap=gap, settled=True)


def _solve_step(information: Floats, slope: Floats) -> Floats | None:
    """Solve for a step, unless the matrix is not positive definite."""
    scale = np.sqrt(np.diag(information).clip(0))
    if not np.isfinite(information).all() or not (scale > 0).all():
        return None
    values, axes = np.linalg.eigh(information / np.outer(scale, scale))
    if not values[0] > len(scale) * np.finfo(float).eps:
        return None
    step: Floats = axes @ (axes.T @ (slope / scale) / values) / scale
    return step


def _solve_free_step(
    information: Floats, slope: Floats, parameters: Floats, within: Within | None
) -> Floats | None:
    """Solve for a step of the parameters that no bound holds back."""
    if within is None:
        return _solve_step(information, slope)
    lowest, highest = parameters <= within[0], parameters >= within[1]
    free = ~(lowest & (slope <= 0) | highest & (slope >= 0))
    while free.any():
        part = _solve_step(information[np.ix_(free, free)], slope[free])
        if part is None:
            return None
        step = np.zeros(len(parameters))
        step[free] = part
        leaves = lowest & (step < 0) | highest & (step > 0)
        if not leaves.any():
            return step
        free &= ~leaves
    return np.zeros(len(parameters))


def _clip_to_bounds(parameters: Floats, within: Within | None) -> Floats:
    return parameters if within is None else parameters.clip(*within)


def _backtrack_step(
    problem: LogLikelihood, current: tuple[Floats, float], step: Floats, within: Within | None
) -> tuple[Floats, float] | None:
    parameters, total = current

    def reach(length: float) -> tuple[Floats, float] | None:
        candidate = _clip_to_bounds(parameters + length * step, within)
        reached = problem.total(candidate)
        return (candidate, reached) if reached > total else None

    return backtrack(reach, _MOST_HALVES)
