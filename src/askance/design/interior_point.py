"""Interior-point maximisation over mixtures, with a proven upper bound.

A linear criterion has its best mixture at a corner, which pivots find. `AbstractTerm` says what
the maximiser needs to know of a concave criterion.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

from askance.typing import Floats, Integers
from askance_collect.errors import InputError, NotIdentified


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalModel:
    """Linear model of the multipliers x around an iterate.

    A step obeys moment + yielding dx − lift dt = pull + push κ, with κ the barrier; lift · x is the
    weight of the term.

    Attributes
    ----------
    yielding : array, shape (d, d)
    lift, pull, push : array, shape (d,)
    """

    yielding: Floats
    lift: Floats
    pull: Floats
    push: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move:
    """A full Newton step: of the information, of the level, and of the multipliers."""

    moment: Floats
    level: float
    multipliers: Floats


class AbstractTrial(ABC):
    """A full Newton step of one criterion, before its length is chosen."""

    __slots__ = ()

    @property
    @abstractmethod
    def fall(self) -> float:
        """The inverse of the longest step length that keeps everything positive."""

    @property
    @abstractmethod
    def curved(self) -> Floats:
        """The second-order error of the full step, which the corrector step removes."""

    @abstractmethod
    def advance(self, length: float) -> "AbstractState":
        """Take the step, shortened to this length."""


class AbstractState(ABC):
    """The iterate of one criterion."""

    __slots__ = ()

    @property
    @abstractmethod
    def weight(self) -> float:
        """The weight of this criterion among all."""

    @property
    @abstractmethod
    def constant(self) -> float:
        """The constant of the tangent bound: constant + gradient · information."""

    @property
    @abstractmethod
    def gradient(self) -> Floats:
        """The derivative of the weighted criterion by the entries of the information."""

    @property
    @abstractmethod
    def product(self) -> float:
        """The duality gap of this criterion: the sum of its complementarity products."""

    @property
    @abstractmethod
    def local(self) -> LocalModel:
        """The linear model of the multipliers around this iterate."""

    @abstractmethod
    def tried(self, move: Move) -> AbstractTrial:
        """Describe the full Newton step from this iterate."""


class AbstractTerm(ABC):
    """A concave criterion at one guess of the shares, to be kept above a level t."""

    __slots__ = ()

    @property
    @abstractmethod
    def order(self) -> int:
        """The number of complementarity products, all 0 at the optimum."""

    @property
    @abstractmethod
    def entries(self) -> Floats:
        """The information of each column, by entries, shape (d, n)."""

    @abstractmethod
    def restricted(self, columns: Integers) -> "AbstractTerm":
        """The same term with some of the columns only."""

    @abstractmethod
    def level(self, z: Floats) -> float:
        """The value of the criterion; minus infinity where the information is singular."""

    @abstractmethod
    def begin(self, moment: Floats, t: float, weight: float) -> AbstractState:
        """Make the first iterate at an information."""


_SHORT = 1e-8  # a step that gets nowhere
_INSIDE = 0.995  # of the way to the nearest wall
_LEAST = 1e-4  # of the barrier: it falls no faster in one step
_DEAR = 1.5  # times what the best column adds: the first prices


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Programme:
    """The maximisation problem: its criteria and its linear equations.

    Attributes
    ----------
    terms : sequence of AbstractTerm
    order : int
        The number of complementarity products, all 0 at the optimum.
    rows : array, shape (r + q, n)
        The left sides of the equations, and less what columns add to the information of each term:
        so that prices and multipliers make what a column costs less what it adds.
    right : array, shape (r,)
    owns : sequence of slice
        Which multipliers are each term's.
    """

    terms: Sequence[AbstractTerm]
    order: int
    rows: Floats
    right: Floats
    owns: Sequence[slice]

    def off(self, z: Floats) -> Floats:
        """Residuals of the equations at a mixture."""
        return self.right - self.rows[: len(self.right)] @ z

    def slack(self, price: Floats, states: Sequence[AbstractState]) -> Floats:
        """Reduced costs: what each column costs less what it adds."""
        return np.concatenate([price, *[state.gradient for state in states]]) @ self.rows


def state_programme(
    terms: Sequence[AbstractTerm], coefficients: Floats, right: Floats
) -> Programme:
    """Build the programme of some criteria and equations."""
    parts = [term.entries for term in terms]
    ends = np.cumsum([len(coefficients), *map(len, parts)]).tolist()
    return Programme(
        terms=terms,
        order=coefficients.shape[1] + sum(term.order for term in terms),
        rows=np.concatenate([coefficients, *[-part for part in parts]]),
        right=right,
        owns=[slice(*ends[i : i + 2]) for i in range(len(terms))],
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InteriorPoint:
    """A mixture z with slacks s, a level t, prices of the equations, and the figures of merit.

    Attributes
    ----------
    primal_dual : array, shape (2, n)
        z and s, positive.
    t : float
    price : array, shape (r,)
    states : sequence of AbstractState
    """

    primal_dual: Floats
    t: float
    price: Floats
    states: Sequence[AbstractState]

    @property
    def products(self) -> float:
        """The duality gap, once the equations hold."""
        z, s = self.primal_dual
        return float(z @ s) + sum(state.product for state in self.states)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _System:
    """The factored Newton system for prices and multipliers, the mixture eliminated."""

    missing: Floats
    steep: Floats
    factors: Floats
    pivots: Integers
    pull: Floats
    push: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Step:
    """A full Newton step, and the inverse of its longest feasible length."""

    primal_dual: Floats
    t: float
    price: Floats
    trials: Sequence[AbstractTrial]
    fall: float


def starting_point(programme: Programme, start: Floats, level: float) -> InteriorPoint:
    """Make a feasible first iterate: its level below the start's, every reduced cost positive."""
    n, p, r = len(start), len(programme.terms), len(programme.right)
    t = level - abs(level) * min(0.5, programme.order / n - 1)
    states = [
        term.begin(-programme.rows[own] @ start, t, 1 / p)
        for term, own in zip(programme.terms, programme.owns, strict=True)
    ]
    scores = -programme.slack(np.zeros(r), states)
    column_sums = programme.rows[:r].sum(axis=0)
    price = np.full(r, _DEAR * float((scores / column_sums).max()))
    primal_dual = np.array([start, price[0] * column_sums - scores])
    return InteriorPoint(primal_dual=primal_dual, t=t, price=price, states=states)


def step_ahead(programme: Programme, point: InteriorPoint) -> InteriorPoint | None:
    """Take a predictor-corrector step; None if it would be too short.

    References
    ----------
    Mehrotra (1992).
    """
    system = _linearise(programme, point)
    first = _solve_step(programme, point, system, 0.0)
    shrunk = max((1 - 1 / max(first.fall, 1.0)) ** 3, _LEAST)
    step = _solve_step(programme, point, system, shrunk * point.products / programme.order, first)
    length = _INSIDE / max(1.0, step.fall, *[trial.fall for trial in step.trials])
    if length < _SHORT:
        return None
    return InteriorPoint(
        primal_dual=point.primal_dual + length * step.primal_dual,
        t=point.t + length * step.t,
        price=point.price + length * step.price,
        states=[trial.advance(length) for trial in step.trials],
    )


def _linearise(programme: Programme, point: InteriorPoint) -> _System:
    """Linearise the central path, and factor the Newton system."""
    z, s = point.primal_dual
    size, r, steep = len(programme.rows), len(point.price), z / s
    matrix, pull, push = np.zeros((size + 1, size + 1)), np.zeros(size + 1), np.zeros(size + 1)
    halves = programme.rows * np.sqrt(steep)
    matrix[:size, :size] = halves @ halves.T
    pull[:r] = -programme.off(z)
    pull[size] = sum(state.weight for state in point.states) - 1
    for state, own in zip(point.states, programme.owns, strict=True):
        local = state.local
        matrix[own, own] += local.yielding
        matrix[own, size] = matrix[size, own] = -local.lift
        pull[own], push[own] = local.pull, local.push
    factors, pivots, singular = dgetrf(matrix.T, overwrite_a=True)
    if singular:
        raise np.linalg.LinAlgError
    return _System(
        missing=programme.slack(point.price, point.states) - s,
        steep=steep,
        factors=factors,
        pivots=pivots,
        pull=pull,
        push=push,
    )


def _solve_step(
    programme: Programme,
    point: InteriorPoint,
    system: _System,
    barrier: float,
    first: _Step | None = None,
) -> _Step:
    """Solve for the step to a barrier value; with a predictor step, correct its error."""
    z, s = point.primal_dual
    right, lacking = system.pull + barrier * system.push, barrier - z * s
    if first is not None:
        lacking -= first.primal_dual[0] * first.primal_dual[1]
        for trial, own in zip(first.trials, programme.owns, strict=True):
            right[own] -= trial.curved
    aim = lacking / s - system.steep * system.missing
    right[:-1] += programme.rows @ aim
    solved = dgetrs(system.factors, system.pivots, right)[0]
    slide = solved[:-1] @ programme.rows
    primal_dual = np.array([aim - system.steep * slide, system.missing + slide])
    along, level = programme.rows @ primal_dual[0], float(solved[-1])
    trials = [
        state.tried(Move(moment=-along[own], level=level, multipliers=solved[own]))
        for state, own in zip(point.states, programme.owns, strict=True)
    ]
    fall = -float((primal_dual / point.primal_dual).min())
    return _Step(
        primal_dual=primal_dual, t=level, price=solved[: len(point.price)], trials=trials, fall=fall
    )


_STEPS = 60
_BALANCED = 1e-9  # how far off the equations may be at the end


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peak:
    """A mixture near the maximum, and what no mixture is above.

    Attributes
    ----------
    z : array, shape (n,)
    bound : float
        From the prices.
    """

    z: Floats
    bound: float


def maximise_least(
    terms: Sequence[AbstractTerm],
    coefficients: Floats,
    right: Floats,
    start: Floats,
    slacks: int,
    precision: float,
) -> Peak:
    r"""Maximise the least of concave merits over z ≥ 0 with coefficients z = right.

    A primal-dual path: z_j s_j = κ for every column, with s_j what its price exceeds its merit by,
    and likewise for what the merits exceed the level t by and their weights, as κ shrinks by as
    much as a step for κ = 0 would allow.

    Parameters
    ----------
    terms : sequence of AbstractTerm
    coefficients : array, shape (r, n)
    right : array, shape (r,)
    start : array, shape (n,)
        Positive.
    slacks : int
        How many of the last columns are slacks; the others have mean one.
    precision : float
        How far below the best the merit may end, as a part of its size.

    Raises
    ------
    NotIdentified
        If the information is singular at the start, and so everywhere.

    References
    ----------
    Nesterov & Todd (1997); Boyd & Vandenberghe (2004), chapter 11.
    """
    programme = state_programme(terms, coefficients, right)
    level = least_merit(terms, start)
    if not np.isfinite(level):
        raise NotIdentified(
            "constraints", got="no channel that identifies all shares", allowed="wider bounds"
        )
    point = starting_point(programme, start, level)
    for _ in range(_STEPS):
        done = point.products <= precision * abs(point.t)
        if done and np.abs(programme.off(point.primal_dual[0])).max() <= _BALANCED:
            break
        try:
            further = step_ahead(programme, point)
        except np.linalg.LinAlgError:
            break
        if further is None:
            break
        point = further
    return Peak(z=point.primal_dual[0], bound=_upper_bound(programme, point, slacks))


def least_merit(terms: Sequence[AbstractTerm], z: Floats) -> float:
    """The least figure of merit."""
    return min(term.level(z) for term in terms)


def _upper_bound(programme: Programme, point: InteriorPoint, slacks: int) -> float:
    """Bound every mixture by tangents at the prices.

    Columns have mean one, so that the chances of any mixture sum to one: the bound is short by no
    more than the most that a column gains. Prices of slacks are not negative.
    """
    rows = len(point.price) - slacks
    price = np.append(point.price[:rows], np.maximum(point.price[rows:], 0.0))
    short = -float(programme.slack(price, point.states).min())
    constant = sum(state.constant for state in point.states)
    weight = sum(state.weight for state in point.states)
    return (constant + float(price @ programme.right) + max(short, 0.0)) / weight


_ENOUGH = 1e-12  # of the largest gain; less is rounding
_IN_BALANCE = 1e-9  # how far off the equations may be
_PIVOT = 1e-9  # the least that is divided by
_FRESH = 24  # exchanges after which the inverse is taken anew
_MAX_EXCHANGES = 100_000  # exchanges


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Corner:
    """The best corner.

    Attributes
    ----------
    z : array, shape (n,)
    price : array, shape (r,)
        Of the equations: no column gains more than it costs.
    """

    z: Floats
    price: Floats


def best_corner(gain: Floats, coefficients: Floats, right: Floats) -> Corner:
    """Maximise gain · z over z ≥ 0 with coefficients z = right.

    Starts from the columns with the largest entry in each row, if these make a mixture, and
    otherwise from what lacks to the equations. The column that gains most enters; where that gains
    nothing for long, the first that gains, so that it ends.

    Parameters
    ----------
    gain : array, shape (n,)
    coefficients : array, shape (r, n)
    right : array, shape (r,)

    Raises
    ------
    InputError
        If no z fits, or there is no end to the gain.

    References
    ----------
    Dantzig (1963), chapter 9; Bland (1977).

    >>> best_corner(np.array([1.0, 3.0, 1.0]), np.array([[1.0, 2.0, 0.5]]), np.ones(1)).z.tolist()
    [0.0, 0.0, 2.0]
    """
    n, r = len(gain), len(right)
    extended = np.hstack([coefficients, np.diag(np.where(right < 0, -1.0, 1.0))])
    basis = coefficients.argmax(axis=1)
    if not _is_feasible(coefficients, basis, right):
        basis = _run_simplex(
            np.append(np.zeros(n), -np.ones(r)), extended, right, n + np.arange(r), n
        )
        amounts = np.linalg.solve(extended[:, basis], right)
        if amounts[basis >= n].sum() > _IN_BALANCE * max(1.0, float(np.abs(right).max())):
            raise InputError(
                "optimal_channel", got="equations that nothing fits", allowed="wider bounds"
            )
        basis = _drop_artificial(extended, basis, n)
    padded = np.append(gain, np.zeros(r))
    basis = _run_simplex(padded, extended, right, basis, n)
    z = np.zeros(n + r)
    z[basis] = np.maximum(np.linalg.solve(extended[:, basis], right), 0.0)
    price: Floats = np.asarray(np.linalg.solve(extended[:, basis].T, padded[basis]), dtype=float)
    return Corner(z=z[:n], price=price)


def _is_feasible(coefficients: Floats, basis: Integers, right: Floats) -> bool:
    """Say whether these columns alone fulfil the equations."""
    square = coefficients[:, basis]
    if np.linalg.cond(square) > 1 / _PIVOT:
        return False
    return bool(np.linalg.solve(square, right).min() >= 0)


def _drop_artificial(extended: Floats, basis: Integers, n: int) -> Integers:
    """Exchange artificial variables at zero for columns; without one the equation is redundant."""
    for row_index in np.flatnonzero(basis >= n):
        row = np.linalg.inv(extended[:, basis])[row_index] @ extended[:, :n]
        row[basis[basis < n]] = 0.0
        best = int(np.argmax(np.abs(row)))
        if abs(row[best]) > _PIVOT:
            basis[row_index] = best
    return basis


def _run_simplex(
    gain: Floats, coefficients: Floats, right: Floats, basis: Integers, n: int
) -> Integers:
    """Exchange columns, of the first n, while that gains."""
    basis, stuck = basis.copy(), 0
    enough = _ENOUGH * max(float(np.abs(gain).max()), np.finfo(float).tiny)
    for turn in range(_MAX_EXCHANGES):
        if turn % _FRESH == 0:
            inverse = np.linalg.inv(coefficients[:, basis])
            z = np.maximum(inverse @ right, 0.0)
        gains = gain[:n] - (gain[basis] @ inverse) @ coefficients[:, :n]
        gains[basis[basis < n]] = 0.0
        careful = stuck > len(right)
        enters = int(np.argmax(gains > enough) if careful else np.argmax(gains))
        if gains[enters] <= enough:
            break
        along = inverse @ coefficients[:, enters]
        leaves = _leaving_column(z, along, basis, careful)
        length = float(z[leaves] / along[leaves])
        stuck = stuck + 1 if length <= _ENOUGH else 0
        z = np.maximum(z - length * along, 0.0)
        z[leaves], basis[leaves] = length, enters
        row = inverse[leaves] / along[leaves]
        inverse = inverse - np.outer(along, row)
        inverse[leaves] = row
    return basis


def _leaving_column(z: Floats, along: Floats, basis: Integers, careful: bool) -> int:
    """Say which column is used up first; of several, the safest to divide by, or the first."""
    falls = np.flatnonzero(along > _PIVOT)
    if not len(falls):
        raise InputError("optimal_channel", got="a gain without end", allowed="a bounded one")
    ratios = z[falls] / along[falls]
    first = falls[ratios <= ratios.min() + _ENOUGH]
    return int(first[np.argmin(basis[first]) if careful else np.argmax(along[first])])


_DEPENDENT = 1e-14  # an equation that follows from the others
_LOOSE = 1e-6  # by how much a slack at 0 may still move
_EXACT = 1e-15  # an equation that rounding has not touched


def correct_round_off(z: Floats, rows: Floats, right: Floats, slacks: int = 0) -> Floats:
    """Take back what rounding did to the equations, by the least change in units of z.

    The last columns are slacks, which may change freely.

    >>> z, rows = np.array([0.5, 0.4]), np.array([[1.0, 1.0]])
    >>> correct_round_off(z, rows, np.array([1.0])).round(12).tolist()
    [0.560975609756, 0.439024390244]
    """
    fixed = z
    for _ in range(3):
        off = right - rows @ fixed
        if np.abs(off).max() <= _EXACT:
            break
        unit = fixed.copy()
        unit[len(z) - slacks :] = np.maximum(unit[len(z) - slacks :], _LOOSE)
        scaled = rows * unit
        price = np.linalg.lstsq(scaled @ scaled.T, off, rcond=_DEPENDENT)[0]
        change = price @ scaled
        fixed = np.maximum(fixed + unit * np.maximum(change, -0.5), 0.0)
    return fixed
