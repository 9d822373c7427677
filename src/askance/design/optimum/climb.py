"""Climbing to the best mixture of columns: a path inside the polytope, with its prices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.design.optimum.term import AbstractPlace, AbstractTerm, Move
from askance.typing import Floats

_STEPS = 60
_SHORT = 1e-8
_INSIDE = 0.99
_LEAST = 1e-4
_DEAR = 1.5
_BALANCED = 1e-9
_DEPENDENT = 1e-14
_LOOSE = 1e-6
_EXACT = 1e-15


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


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Programme:
    """The figures of merit and the equations, which stay the same on the way."""

    terms: Sequence[AbstractTerm]
    entries: Sequence[Floats]
    left: Floats
    right: Floats
    slacks: int

    @property
    def order(self) -> int:
        """How many products have to vanish."""
        return int(self.left.shape[1]) + sum(term.order for term in self.terms)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Stand:
    """A mixture z with slacks s, a level t, prices of the equations, and the figures of merit."""

    z: Floats
    s: Floats
    t: float
    price: Floats
    places: Sequence[AbstractPlace]

    @property
    def products(self) -> float:
        """What is left to win, once the equations hold."""
        return float(self.z @ self.s) + sum(place.product for place in self.places)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _System:
    """The path linearised: where prices and multipliers fit in, and what slacks still lack."""

    shadow: Floats
    missing: Floats
    steep: Floats
    whole: Floats
    pull: Floats
    push: Floats
    owns: Sequence[slice]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Step:
    """A whole step, and the length at which a column is used up, one at most."""

    z: Floats
    s: Floats
    price: Floats
    moves: Sequence[Move]
    length: float


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

    References
    ----------
    Nesterov & Todd (1997); Boyd & Vandenberghe (2004), chapter 11.
    """
    programme = _Programme(
        terms=terms,
        entries=[np.hstack([block.entries for block in term.blocks]) for term in terms],
        left=left,
        right=right,
        slacks=slacks,
    )
    stand = _begun(programme, start)
    for _ in range(_STEPS):
        done = stand.products <= precision * abs(stand.t)
        if done and np.abs(right - left @ stand.z).max() <= _BALANCED:
            break
        try:
            ahead = _ahead(programme, stand)
        except np.linalg.LinAlgError:
            break
        if ahead is None:
            break
        stand = ahead
    return Peak(z=stand.z, bound=_bound(programme, stand))


def _begun(programme: _Programme, start: Floats) -> _Stand:
    """Stand a little below the merit of the start, with prices above what every column adds."""
    n, p = len(start), len(programme.terms)
    level = min(term.level(start) for term in programme.terms)
    t = level - abs(level) * min(0.5, programme.order / n - 1)
    places = [
        term.place(entries.T @ start, t, 1 / p)
        for term, entries in zip(programme.terms, programme.entries, strict=True)
    ]
    scores = _scores(programme, places)
    whole = programme.left.sum(axis=0)
    price = np.full(len(programme.left), _DEAR * float((scores / whole).max()))
    return _Stand(z=start, s=price @ programme.left - scores, t=t, price=price, places=places)


def _scores(programme: _Programme, places: Sequence[AbstractPlace]) -> Floats:
    parts = zip(programme.entries, places, strict=True)
    scores: Floats = np.sum([entries @ place.gradient for entries, place in parts], axis=0)
    return scores


def _bound(programme: _Programme, stand: _Stand) -> float:
    """Bound every mixture by tangents at the prices.

    Columns have mean one, so that the chances of any mixture sum to one: the bound is short by no
    more than the most that a column gains. Prices of slacks are not negative.
    """
    rows = len(stand.price) - programme.slacks
    price = np.append(stand.price[:rows], np.maximum(stand.price[rows:], 0.0))
    gains = _scores(programme, stand.places) - price @ programme.left
    constant = sum(place.constant for place in stand.places)
    weight = sum(place.weight for place in stand.places)
    return (constant + float(price @ programme.right) + max(float(gains.max()), 0.0)) / weight


def _ahead(programme: _Programme, stand: _Stand) -> _Stand | None:
    """Step towards the path, as near to its end as a step for the end itself could go.

    What that step shows of the curvature is made up for.

    References
    ----------
    Mehrotra (1992).
    """
    system = _system(programme, stand)
    first = _step(programme, stand, system, 0.0, np.zeros(1))
    shrunk = max((1 - first.length) ** 3, _LEAST)
    barrier = shrunk * stand.products / programme.order
    step = _step(programme, stand, system, barrier, first.z * first.s)
    falls = [place.fall(move) for place, move in zip(stand.places, step.moves, strict=True)]
    length = _INSIDE * min(step.length, 1 / max(*falls, 1.0))
    if length < _SHORT:
        return None
    return _Stand(
        z=stand.z + length * step.z,
        s=stand.s + length * step.s,
        t=stand.t + length * step.moves[0].level,
        price=stand.price + length * step.price,
        places=[
            place.moved(move, length) for place, move in zip(stand.places, step.moves, strict=True)
        ],
    )


def _system(programme: _Programme, stand: _Stand) -> _System:
    """Linearise the path, with the chances eliminated."""
    parts = zip(stand.places, programme.entries, strict=True)
    locals_ = [place.local(entries) for place, entries in parts]
    shadow = np.hstack([programme.left.T, *[one.shadow for one in locals_]])
    steep, size, at = stand.z / stand.s, shadow.shape[1], len(stand.price)
    whole, pull, push = np.zeros((size + 1, size + 1)), np.zeros(size + 1), np.zeros(size + 1)
    whole[:size, :size] = shadow.T @ (shadow * steep[:, None])
    pull[:at] = programme.left @ stand.z - programme.right
    pull[size] = sum(place.weight for place in stand.places) - 1
    owns = []
    for one in locals_:
        own = slice(at, at + len(one.lift))
        at = own.stop
        owns.append(own)
        whole[own, own] += one.yielding
        whole[own, size] = whole[size, own] = -one.lift
        pull[own], push[own] = one.pull, one.push
    return _System(
        shadow=shadow,
        missing=stand.price @ programme.left - _scores(programme, stand.places) - stand.s,
        steep=steep,
        whole=whole,
        pull=pull,
        push=push,
        owns=owns,
    )


def _step(
    programme: _Programme, stand: _Stand, system: _System, barrier: float, curved: Floats
) -> _Step:
    """Solve for a step, and say how much of it the columns allow."""
    aim = (barrier - curved) / stand.s - stand.z - system.steep * system.missing
    right = system.pull + barrier * system.push
    right[:-1] += system.shadow.T @ aim
    solved = np.asarray(np.linalg.solve(system.whole, right), dtype=float)
    slide = system.shadow @ solved[:-1]
    dz, ds = aim - system.steep * slide, system.missing + slide
    moves = [
        Move(
            moment=dz @ entries,
            level=float(solved[-1]),
            multipliers=solved[own],
            barrier=barrier,
        )
        for entries, own in zip(programme.entries, system.owns, strict=True)
    ]
    most = max(float((-dz / stand.z).max()), float((-ds / stand.s).max()), 1.0)
    return _Step(z=dz, s=ds, price=solved[: len(stand.price)], moves=moves, length=1 / most)


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
