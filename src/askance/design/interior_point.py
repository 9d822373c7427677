"""Climbing inside a polytope to the best mixture, with a level that no mixture is above.

Where what is wanted is linear the best mixture is a corner, found by pivots. What the climb asks of
a figure of merit is said by `AbstractTerm`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

from askance.errors import InputError, NotIdentified
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """How multipliers x answer to steps of the information and the level.

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
    """A whole step: of the information, of the level, and of the multipliers."""

    moment: Floats
    level: float
    multipliers: Floats


class AbstractTrial(ABC):
    """A whole step as a figure of merit sees it, before it is known how much of it can be gone."""

    __slots__ = ()

    @property
    @abstractmethod
    def fall(self) -> float:
        """How many times over it would use up what has to stay positive."""

    @property
    @abstractmethod
    def curved(self) -> Floats:
        """What it leaves of the products that it was to undo, by multipliers."""

    @abstractmethod
    def moved(self, length: float) -> "AbstractPlace":
        """Go part of it."""


class AbstractPlace(ABC):
    """Where a figure of merit stands on the way."""

    __slots__ = ()

    @property
    @abstractmethod
    def weight(self) -> float:
        """Of the figure of merit in the whole."""

    @property
    @abstractmethod
    def constant(self) -> float:
        """With the gradient a bound on the weighted figure, constant + gradient · information."""

    @property
    @abstractmethod
    def gradient(self) -> Floats:
        """By the numbers that the information consists of."""

    @property
    @abstractmethod
    def product(self) -> float:
        """The sum of products of multipliers and what they multiply, zero at the best."""

    @property
    @abstractmethod
    def local(self) -> Local:
        """What is nearly so around here."""

    @abstractmethod
    def tried(self, move: Move) -> AbstractTrial:
        """Look at a whole step."""


class AbstractTerm(ABC):
    """The figure of merit at one guess of the shares, to be kept above a level t."""

    __slots__ = ()

    @property
    @abstractmethod
    def order(self) -> int:
        """How many products have to vanish."""

    @property
    @abstractmethod
    def entries(self) -> Floats:
        """What columns add to the information, by multipliers, shape (d, n)."""

    @abstractmethod
    def restricted(self, columns: Integers) -> "AbstractTerm":
        """Keep some of the columns."""

    @abstractmethod
    def level(self, z: Floats) -> float:
        """The figure of merit; minus infinity where the information is singular."""

    @abstractmethod
    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information."""


_SHORT = 1e-8  # a step that gets nowhere
_INSIDE = 0.995  # of the way to the nearest wall
_LEAST = 1e-4  # of the barrier: it falls no faster in one step
_DEAR = 1.5  # times what the best column adds: the first prices


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Programme:
    """The figures of merit and the equations, which stay the same on the way.

    Attributes
    ----------
    terms : sequence of AbstractTerm
    order : int
        How many products have to vanish.
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
        """Say what the equations lack."""
        return self.right - self.rows[: len(self.right)] @ z

    def slack(self, price: Floats, places: Sequence[AbstractPlace]) -> Floats:
        """Say what each column costs less what it adds."""
        return np.concatenate([price, *[place.gradient for place in places]]) @ self.rows


def stated(terms: Sequence[AbstractTerm], left: Floats, right: Floats) -> Programme:
    """State what is to be maximised, and the equations."""
    parts = [term.entries for term in terms]
    ends = np.cumsum([len(left), *map(len, parts)]).tolist()
    return Programme(
        terms=terms,
        order=left.shape[1] + sum(term.order for term in terms),
        rows=np.concatenate([left, *[-part for part in parts]]),
        right=right,
        owns=[slice(*ends[at : at + 2]) for at in range(len(terms))],
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stand:
    """A mixture z with slacks s, a level t, prices of the equations, and the figures of merit.

    Attributes
    ----------
    both : array, shape (2, n)
        z and s, positive.
    t : float
    price : array, shape (r,)
    places : sequence of AbstractPlace
    """

    both: Floats
    t: float
    price: Floats
    places: Sequence[AbstractPlace]

    @property
    def products(self) -> float:
        """What is left to win, once the equations hold."""
        z, s = self.both
        return float(z @ s) + sum(place.product for place in self.places)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _System:
    """The path linearised, with the chances eliminated: what prices and multipliers solve."""

    missing: Floats
    steep: Floats
    factors: Floats
    pivots: Integers
    pull: Floats
    push: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Step:
    """A whole step, and how many times over it would use up a column or a slack."""

    both: Floats
    t: float
    price: Floats
    trials: Sequence[AbstractTrial]
    fall: float


def begun(programme: Programme, start: Floats, level: float) -> Stand:
    """Stand a little below the level of the start, with prices above what every column adds."""
    n, p, r = len(start), len(programme.terms), len(programme.right)
    t = level - abs(level) * min(0.5, programme.order / n - 1)
    places = [
        term.place(-programme.rows[own] @ start, t, 1 / p)
        for term, own in zip(programme.terms, programme.owns, strict=True)
    ]
    scores = -programme.slack(np.zeros(r), places)
    whole = programme.rows[:r].sum(axis=0)
    price = np.full(r, _DEAR * float((scores / whole).max()))
    both = np.array([start, price[0] * whole - scores])
    return Stand(both=both, t=t, price=price, places=places)


def ahead(programme: Programme, stand: Stand) -> Stand | None:
    """Step towards the path, as near to its end as a step for the end itself could go.

    What that step shows of the curvature is made up for.

    References
    ----------
    Mehrotra (1992).
    """
    system = _system(programme, stand)
    first = _step(programme, stand, system, 0.0)
    shrunk = max((1 - 1 / max(first.fall, 1.0)) ** 3, _LEAST)
    step = _step(programme, stand, system, shrunk * stand.products / programme.order, first)
    length = _INSIDE / max(1.0, step.fall, *[trial.fall for trial in step.trials])
    if length < _SHORT:
        return None
    return Stand(
        both=stand.both + length * step.both,
        t=stand.t + length * step.t,
        price=stand.price + length * step.price,
        places=[trial.moved(length) for trial in step.trials],
    )


def _system(programme: Programme, stand: Stand) -> _System:
    """Linearise the path, and factorise what both steps solve."""
    z, s = stand.both
    size, r, steep = len(programme.rows), len(stand.price), z / s
    whole, pull, push = np.zeros((size + 1, size + 1)), np.zeros(size + 1), np.zeros(size + 1)
    halves = programme.rows * np.sqrt(steep)
    whole[:size, :size] = halves @ halves.T
    pull[:r] = -programme.off(z)
    pull[size] = sum(place.weight for place in stand.places) - 1
    for place, own in zip(stand.places, programme.owns, strict=True):
        local = place.local
        whole[own, own] += local.yielding
        whole[own, size] = whole[size, own] = -local.lift
        pull[own], push[own] = local.pull, local.push
    factors, pivots, singular = dgetrf(whole.T, overwrite_a=True)
    if singular:
        raise np.linalg.LinAlgError
    return _System(
        missing=programme.slack(stand.price, stand.places) - s,
        steep=steep,
        factors=factors,
        pivots=pivots,
        pull=pull,
        push=push,
    )


def _step(
    programme: Programme, stand: Stand, system: _System, barrier: float, first: _Step | None = None
) -> _Step:
    """Solve for a step to this barrier; with a first one, make up for what that leaves."""
    z, s = stand.both
    right, lacking = system.pull + barrier * system.push, barrier - z * s
    if first is not None:
        lacking -= first.both[0] * first.both[1]
        for trial, own in zip(first.trials, programme.owns, strict=True):
            right[own] -= trial.curved
    aim = lacking / s - system.steep * system.missing
    right[:-1] += programme.rows @ aim
    solved = dgetrs(system.factors, system.pivots, right)[0]
    slide = solved[:-1] @ programme.rows
    both = np.array([aim - system.steep * slide, system.missing + slide])
    along, level = programme.rows @ both[0], float(solved[-1])
    trials = [
        place.tried(Move(moment=-along[own], level=level, multipliers=solved[own]))
        for place, own in zip(stand.places, programme.owns, strict=True)
    ]
    fall = -float((both / stand.both).min())
    return _Step(both=both, t=level, price=solved[: len(stand.price)], trials=trials, fall=fall)


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


def climb(
    terms: Sequence[AbstractTerm],
    left: Floats,
    right: Floats,
    start: Floats,
    slacks: int,
    precision: float,
) -> Peak:
    r"""Maximise the least of concave merits over z ≥ 0 with left z = right.

    A primal-dual path: z_j s_j = κ for every column, with s_j what its price exceeds its merit by,
    and likewise for what the merits exceed the level t by and their weights, as κ shrinks by as
    much as a step for κ = 0 would allow.

    Parameters
    ----------
    terms : sequence of AbstractTerm
    left : array, shape (r, n)
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
    programme = stated(terms, left, right)
    level = least(terms, start)
    if not np.isfinite(level):
        raise NotIdentified(
            "constraints", got="no channel that tells all shares apart", allowed="wider bounds"
        )
    stand = begun(programme, start, level)
    for _ in range(_STEPS):
        done = stand.products <= precision * abs(stand.t)
        if done and np.abs(programme.off(stand.both[0])).max() <= _BALANCED:
            break
        try:
            further = ahead(programme, stand)
        except np.linalg.LinAlgError:
            break
        if further is None:
            break
        stand = further
    return Peak(z=stand.both[0], bound=_bound(programme, stand, slacks))


def least(terms: Sequence[AbstractTerm], z: Floats) -> float:
    """The least figure of merit."""
    return min(term.level(z) for term in terms)


def _bound(programme: Programme, stand: Stand, slacks: int) -> float:
    """Bound every mixture by tangents at the prices.

    Columns have mean one, so that the chances of any mixture sum to one: the bound is short by no
    more than the most that a column gains. Prices of slacks are not negative.
    """
    rows = len(stand.price) - slacks
    price = np.append(stand.price[:rows], np.maximum(stand.price[rows:], 0.0))
    short = -float(programme.slack(price, stand.places).min())
    constant = sum(place.constant for place in stand.places)
    weight = sum(place.weight for place in stand.places)
    return (constant + float(price @ programme.right) + max(short, 0.0)) / weight


_ENOUGH = 1e-12  # of the largest gain; less is rounding
_IN_BALANCE = 1e-9  # how far off the equations may be
_PIVOT = 1e-9  # the least that is divided by
_FRESH = 24  # exchanges after which the inverse is taken anew
_MOST = 100_000  # exchanges


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


def best_corner(gain: Floats, left: Floats, right: Floats) -> Corner:
    """Maximise gain · z over z ≥ 0 with left z = right.

    Starts from the columns with the largest entry in each row, if these make a mixture, and
    otherwise from what lacks to the equations. The column that gains most enters; where that gains
    nothing for long, the first that gains, so that it ends.

    Parameters
    ----------
    gain : array, shape (n,)
    left : array, shape (r, n)
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
    whole = np.hstack([left, np.diag(np.where(right < 0, -1.0, 1.0))])
    basis = left.argmax(axis=1)
    if not _makes(left, basis, right):
        basis = _pivoted(np.append(np.zeros(n), -np.ones(r)), whole, right, n + np.arange(r), n)
        amounts = np.linalg.solve(whole[:, basis], right)
        if amounts[basis >= n].sum() > _IN_BALANCE * max(1.0, float(np.abs(right).max())):
            raise InputError(
                "optimal_channel", got="equations that nothing fits", allowed="wider bounds"
            )
        basis = _without_lacks(whole, basis, n)
    padded = np.append(gain, np.zeros(r))
    basis = _pivoted(padded, whole, right, basis, n)
    z = np.zeros(n + r)
    z[basis] = np.maximum(np.linalg.solve(whole[:, basis], right), 0.0)
    price: Floats = np.asarray(np.linalg.solve(whole[:, basis].T, padded[basis]), dtype=float)
    return Corner(z=z[:n], price=price)


def _makes(left: Floats, basis: Integers, right: Floats) -> bool:
    """Say whether these columns alone fulfil the equations."""
    square = left[:, basis]
    if np.linalg.cond(square) > 1 / _PIVOT:
        return False
    return bool(np.linalg.solve(square, right).min() >= 0)


def _without_lacks(whole: Floats, basis: Integers, n: int) -> Integers:
    """Exchange what lacks nothing for columns; where there is none, the equation follows."""
    for at in np.flatnonzero(basis >= n):
        row = np.linalg.inv(whole[:, basis])[at] @ whole[:, :n]
        row[basis[basis < n]] = 0.0
        best = int(np.argmax(np.abs(row)))
        if abs(row[best]) > _PIVOT:
            basis[at] = best
    return basis


def _pivoted(gain: Floats, left: Floats, right: Floats, basis: Integers, n: int) -> Integers:
    """Exchange columns, of the first n, while that gains."""
    basis, stuck = basis.copy(), 0
    enough = _ENOUGH * max(float(np.abs(gain).max()), np.finfo(float).tiny)
    for turn in range(_MOST):
        if turn % _FRESH == 0:
            inverse = np.linalg.inv(left[:, basis])
            z = np.maximum(inverse @ right, 0.0)
        gains = gain[:n] - (gain[basis] @ inverse) @ left[:, :n]
        gains[basis[basis < n]] = 0.0
        careful = stuck > len(right)
        enters = int(np.argmax(gains > enough) if careful else np.argmax(gains))
        if gains[enters] <= enough:
            break
        along = inverse @ left[:, enters]
        leaves = _leaving(z, along, basis, careful)
        length = float(z[leaves] / along[leaves])
        stuck = stuck + 1 if length <= _ENOUGH else 0
        z = np.maximum(z - length * along, 0.0)
        z[leaves], basis[leaves] = length, enters
        row = inverse[leaves] / along[leaves]
        inverse = inverse - np.outer(along, row)
        inverse[leaves] = row
    return basis


def _leaving(z: Floats, along: Floats, basis: Integers, careful: bool) -> int:
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


def mended(z: Floats, rows: Floats, right: Floats, slacks: int = 0) -> Floats:
    """Take back what rounding did to the equations, by the least change in units of z.

    The last columns are slacks, which may change freely.

    >>> mended(np.array([0.5, 0.4]), np.array([[1.0, 1.0]]), np.array([1.0])).round(12).tolist()
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
