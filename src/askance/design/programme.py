"""The best mixture of columns, certified: by a linear programme, by a climb, or made as asked."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.design.concave_terms import LOGARITHM, VARIANCE, Block, Smallest, Spectral
from askance.design.constraints import Limits
from askance.design.extremal_columns import Candidates
from askance.design.interior_point import AbstractTerm, climb, least
from askance.design.utility import (
    AbstractUtility,
    AOptimal,
    DOptimal,
    EOptimal,
    MeanSquaredError,
    MutualInformation,
    guesses,
    shared_nats,
)
from askance.errors import InputError
from askance.typing import Floats, Integers

_SHARP = 1e-8  # of the merit: what the climb and the clearing may leave
_UNUSED = 1e-9  # of an even share: a column that no mixture uses
_TRIFLES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)  # chances that may be rounding, the boldest first
_FITS = 1e-10  # how far off the equations may be


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """Chances of the candidates, and a level that no mixture is above.

    Attributes
    ----------
    chances : array, shape (n,)
    level : float
        The least figure of merit that it attains.
    bound : float
        From the dual: no other mixture attains more.
    """

    chances: Floats
    level: float
    bound: float


def best_for_scores(candidates: Candidates, scores: Floats) -> Mixture:
    """Maximise the least of linear utilities.

    Parameters
    ----------
    candidates : Candidates
    scores : array, shape (p, n)

    References
    ----------
    Kairouz, Oh & Viswanath (2016), the linear programme over staircase columns.
    """
    left, right = candidates.equations
    n, m = left.shape[1], len(candidates.columns)
    gain = np.zeros(n)
    gain[:m] = scores[0]
    if len(scores) > 1:
        left, right, gain = _least_of(scores, left, right)
    corner = best_corner(gain, left, right)
    z = corner.z[:m]
    most = max(float((gain - corner.price @ left).max()), 0.0)
    bound = float(corner.price @ right) + most
    return Mixture(chances=z, level=float((scores @ z).min()), bound=bound)


def _least_of(scores: Floats, left: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """Add a level that no score is below, and what each is above it; the level is the gain."""
    p, n = len(scores), left.shape[1]
    more = np.zeros((p, n + 1 + p))
    more[:, : scores.shape[1]] = scores
    more[:, n] = -1.0
    more[:, n + 1 :] = -np.eye(p)
    both = np.vstack([np.hstack([left, np.zeros((len(left), 1 + p))]), more])
    return both, np.append(right, np.zeros(p)), np.eye(n + 1 + p)[n]


def best_for_terms(candidates: Candidates, terms: Sequence[AbstractTerm]) -> Mixture:
    """Maximise the least of concave figures of merit.

    A climb over all columns gives a mixture, and prices from which no mixture is above a bound.
    """
    left, right = candidates.equations
    n, slacks = left.shape[1], len(candidates.limits)
    usable = np.arange(n)
    start = _inside(left, right) if slacks else np.full(n, 1 / n)
    if start.min() <= _UNUSED / n:
        usable = _usable(left, right)
        left, slacks = left[:, usable], int((usable >= len(candidates.columns)).sum())
        terms = [term.restricted(usable) for term in terms]
        start = _inside(left, right)
    peak = climb(terms, left, right, start, slacks, _SHARP)
    chances = np.zeros(n)
    chances[usable], level = _cleared(terms, peak.z, left, right, slacks)
    return Mixture(chances=chances[: len(candidates.columns)], level=level, bound=peak.bound)


def _cleared(
    terms: Sequence[AbstractTerm], z: Floats, left: Floats, right: Floats, slacks: int
) -> tuple[Floats, float]:
    """Leave out columns that are hardly used, as far as the merit does not feel it; give both."""
    level = least(terms, z)
    used = np.append(z[: len(z) - slacks], np.full(slacks, np.inf))
    for part in (*_TRIFLES, 0.0):
        fewer = mended(np.where(used < part, 0.0, z), left, right, slacks)
        fits = np.abs(left @ fewer - right).max() <= _FITS
        found = least(terms, fewer)
        if fits and found >= level - _SHARP * abs(level):
            break
    return fewer, found


def _inside(left: Floats, right: Floats) -> Floats:
    """Find a mixture whose least chance is as large as possible."""
    evenly = np.append(np.zeros(left.shape[1]), 1.0)
    found = best_corner(evenly, np.column_stack([left, left.sum(axis=1)]), right).z
    start: Floats = found[:-1] + found[-1]
    return start


def _usable(left: Floats, right: Floats) -> Integers:
    """Leave out columns and slacks that are zero in every mixture, where caps are as low as can be.

    Maximises the sum of min(z, tiny): as many bounds as columns, so with a solver that has them.
    """
    from scipy.optimize import linprog

    n = left.shape[1]
    tiny = 1e-4 / n
    bounds: Any = np.column_stack([np.zeros(2 * n), np.repeat([np.inf, tiny], n)])
    found: Any = linprog(
        np.repeat([0.0, -1.0], n),
        A_eq=np.column_stack([left, left]),
        b_eq=right,
        bounds=bounds,
        method="highs",
    )
    return np.flatnonzero(found.x[n:] > tiny / 2)


def best_mixture(
    candidates: Candidates, utility: AbstractUtility, answered: float
) -> tuple[Mixture, float]:
    """Choose the best mixture, of which the share answered is used; give a bound on the utility."""
    shares = guesses(utility.prior, len(candidates.groups))
    if isinstance(utility, MutualInformation):
        scores = answered * np.array([shared_nats(candidates.columns, guess) for guess in shares])
        alone = _alone(scores[0]) if candidates.alike else None
        found = alone or best_for_scores(candidates, scores)
        return found, found.bound
    make, back = _maker(utility)
    terms = [make(candidates, guess, answered) for guess in shares]
    if candidates.alike:
        found = _alone(candidates.blocks(shares[0])[0].features[:, 0] ** 2)
        return found, back(terms[0].level(found.chances))
    found = best_for_terms(candidates, terms)
    return found, back(found.bound)


def _alone(scores: Floats) -> Mixture:
    """Use the best class alone: where all answers are alike, it tells one number, the most.

    >>> _alone(np.array([0.1, 0.3, 0.2])).chances.tolist()
    [0.0, 1.0, 0.0]
    """
    best = int(np.argmax(scores))
    chances = np.zeros(len(scores))
    chances[best] = 1.0
    return Mixture(chances=chances, level=float(scores[best]), bound=float(scores[best]))


Maker = Callable[[Candidates, Floats, float], AbstractTerm]


def _maker(utility: AbstractUtility) -> tuple[Maker, Callable[[float], float]]:
    match utility:
        case AOptimal():
            return _variances, lambda level: -level
        case MeanSquaredError():
            return _errors, lambda level: -level
        case DOptimal():
            return _volume, lambda level: math.exp(-level)
        case EOptimal():
            return _smallest, lambda level: 1 / level
    raise InputError(
        "utility",
        got=type(utility).__name__,
        allowed="AOptimal, DOptimal, EOptimal, MeanSquaredError or MutualInformation",
    )


def _variances(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    return Spectral(blocks=candidates.blocks(guess), curve=VARIANCE, scale=1 / answered)


def _errors(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    drawn = 1 - float(guess @ guess)
    return Spectral(
        blocks=candidates.blocks(guess), curve=VARIANCE, scale=1 / answered, shift=drawn
    )


def _volume(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    axes = len(guess) - 1
    blocks = candidates.blocks(guess)
    return Spectral(blocks=blocks, curve=LOGARITHM, scale=1 / axes, shift=math.log(answered))


def _smallest(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    blocks = candidates.blocks(guess)
    return Smallest(blocks=[Block(features=math.sqrt(answered) * one.features) for one in blocks])


_ROUNDS = 30
_GAP = 1e-9  # relative; columns that gain less are not added
_NO_CHANCE = 1e-12  # a chance that is only rounding


def generated(limits: Limits, shares: Floats) -> tuple[Floats, Floats, float]:
    r"""Maximise the mutual information under one bound e^ε on all ratios.

    What a staircase column tells depends on the share p = π(S) of its high answers alone: with
    r = e^ε and s = 1 + (r − 1)p it is g(p) = p r ln r − s ln s, which is concave. So columns are
    sought at the share that tells most for its weight, by exchanging answers; a linear programme
    mixes them; its prices, with g relaxed to all p, bound every other mixture.

    Parameters
    ----------
    limits : Limits
        One bounded ratio and nothing else.
    shares : array, shape (k,)
        π.

    Returns
    -------
    columns : array, shape (m, k)
    chances : array, shape (m,)
    bound : float
    """
    ratio = limits.common_ratio
    if ratio is None or limits.caps:
        raise InputError("constraints", got="unlike pairs", allowed="one bounded loss")
    r, k = float(ratio), len(shares)
    rng = np.random.default_rng(0)
    best_share = _best_share(r)
    high = np.vstack(
        [np.eye(k, dtype=bool), ~np.eye(k, dtype=bool), _near(best_share, shares, rng, 24 * k)]
    )
    bound, chances, columns = math.inf, np.zeros(0), np.zeros((0, k))
    for _ in range(_ROUNDS):
        columns = np.where(high, r, 1.0)
        scores = shared_nats(columns, shares)
        corner = best_corner(scores, columns.T, np.ones(k))
        chances, price = corner.z, corner.price
        value = float(scores @ chances)
        bound = min(bound, _relaxed(r, price, shares))
        gains = scores - columns @ price
        if bound - value <= _GAP * bound:
            break
        tried = _climbed(high[np.argsort(gains)[-2 * k :]], r, price, shares)
        more = np.unique(tried, axis=0)
        new = shared_nats(np.where(more, r, 1.0), shares) - np.where(more, r, 1.0) @ price
        more = more[new > _GAP * bound]
        if not len(more):
            break
        high = np.unique(np.vstack([high[gains > -0.1 * value], more]), axis=0)
    used = chances > _NO_CHANCE
    return columns[used], chances[used], bound


def _best_share(r: float) -> float:
    """The share of high answers that tells most for the weight that the column takes."""
    from scipy.optimize import minimize_scalar

    def told(s: float) -> float:
        return -(r * math.log(r) * (s - 1) / (r - 1) / s - math.log(s))

    found = minimize_scalar(told, bounds=(1.0, r), method="bounded", options={"xatol": 1e-12})
    return (float(found.x) - 1) / (r - 1)


def _near(share: float, shares: Floats, rng: np.random.Generator, number: int) -> Floats:
    """Draw sets and exchange answers until their shares are as near as single exchanges get."""
    k = len(shares)
    sets = rng.random((number, k)) < share
    moves = np.vstack([np.eye(k), (np.eye(k)[:, None] - np.eye(k)[None, :]).reshape(-1, k)])
    moves = moves[np.abs(moves).sum(axis=1) > 0]
    gains = moves @ shares
    takes, gives = moves > 0, moves < 0
    for chosen in sets:
        for _ in range(4 * k):
            off = share - float(shares[chosen].sum())
            fits = ~(takes & chosen).any(axis=1) & ~(gives & ~chosen).any(axis=1)
            best = int(np.argmin(np.where(fits, np.abs(off - gains), np.inf)))
            if not fits[best] or abs(off - gains[best]) >= abs(off):
                break
            chosen[:] = (chosen | takes[best]) & ~gives[best]
    kept: Floats = np.unique(sets[sets.any(axis=1) & ~sets.all(axis=1)], axis=0)
    return kept


def _climbed(sets: Floats, r: float, price: Floats, shares: Floats) -> Floats:
    """Put in or take out single answers while the reduced gain grows."""
    cost = (r - 1) * price
    high = sets.copy()
    for _ in range(4 * len(shares)):
        p = high @ shares
        toggled = p[:, None] + np.where(high, -1, 1) * shares
        change = _told(toggled, r) - _told(p, r)[:, None] - np.where(high, -1, 1) * cost
        best = np.argmax(change, axis=1)
        rows = np.flatnonzero(change[np.arange(len(high)), best] > 1e-13)
        if not len(rows):
            break
        high[rows, best[rows]] = ~high[rows, best[rows]]
    return high


def _told(p: Floats, r: float) -> Floats:
    s = 1 + (r - 1) * p
    told: Floats = p * r * math.log(r) - s * np.log(s)
    return told


def _relaxed(r: float, price: Floats, shares: Floats) -> float:
    """Bound every mixture: by the best share alone, or by prices with answers divisible.

    A mixture's chances sum to one at most, since columns are one at least.
    """
    p = _best_share(r)
    alone = float(_told(np.array(p), r)) / (1 + (r - 1) * p)
    order = np.argsort(price / shares)
    cost, there = (r - 1) * price[order], shares[order]
    ends = np.concatenate([[0.0], np.cumsum(there)])
    spent = np.concatenate([[0.0], np.cumsum(cost)])
    slopes = cost / there
    level = np.clip((np.exp((r * math.log(r) - slopes) / (r - 1) - 1) - 1) / (r - 1), 0, 1)
    inside = np.clip(level, ends[:-1], ends[1:])
    gains = _told(inside, r) - spent[:-1] - slopes * (inside - ends[:-1])
    worst = max(float(gains.max()) - float(price.sum()), 0.0)
    return min(alone, float(price.sum()) + worst)


_ENOUGH = 1e-12  # of the largest gain; less is rounding
_BALANCED = 1e-9  # how far off the equations may be
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
        if amounts[basis >= n].sum() > _BALANCED * max(1.0, float(np.abs(right).max())):
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
