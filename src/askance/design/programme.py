"""The best mixture of extremal columns, with a proven bound, and channels that realise it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, gcd, lcm, prod
from typing import Any, final

import numpy as np

from askance.design.concave_terms import (
    LOGARITHM,
    VARIANCE,
    Block,
    Smallest,
    Spectral,
    outer_entries,
)
from askance.design.extremal_columns import Candidates, Limits
from askance.design.interior_point import (
    AbstractTerm,
    best_corner,
    correct_round_off,
    least_merit,
    maximise_least,
)
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
from askance.typing import Floats, Integers
from askance_collect.errors import InputError

_SHARP = 1e-8  # of the merit: what the maximiser and the clearing may leave
_UNUSED = 1e-9  # of an even share: a column that no mixture uses
_TRIFLES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)  # chances that may be rounding, the boldest first
_FITS = 1e-10  # how far off the equations may be


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnMixture:
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


def best_for_scores(candidates: Candidates, scores: Floats) -> ColumnMixture:
    """Maximise the least of linear utilities.

    Parameters
    ----------
    candidates : Candidates
    scores : array, shape (p, n)

    References
    ----------
    Kairouz, Oh & Viswanath (2016), the linear programme over staircase columns.
    """
    coefficients, right = candidates.equations
    n, m = coefficients.shape[1], len(candidates.columns)
    gain = np.zeros(n)
    gain[:m] = scores[0]
    if len(scores) > 1:
        coefficients, right, gain = _add_level(scores, coefficients, right)
    corner = best_corner(gain, coefficients, right)
    z = corner.z[:m]
    most = max(float((gain - corner.price @ coefficients).max()), 0.0)
    bound = float(corner.price @ right) + most
    return ColumnMixture(chances=z, level=float((scores @ z).min()), bound=bound)


def _add_level(
    scores: Floats, coefficients: Floats, right: Floats
) -> tuple[Floats, Floats, Floats]:
    """Add a level that no score is below, and what each is above it; the level is the gain."""
    p, n = len(scores), coefficients.shape[1]
    more = np.zeros((p, n + 1 + p))
    more[:, : scores.shape[1]] = scores
    more[:, n] = -1.0
    more[:, n + 1 :] = -np.eye(p)
    extended = np.vstack([np.hstack([coefficients, np.zeros((len(coefficients), 1 + p))]), more])
    return extended, np.append(right, np.zeros(p)), np.eye(n + 1 + p)[n]


def best_for_terms(candidates: Candidates, terms: Sequence[AbstractTerm]) -> ColumnMixture:
    """Maximise the least of concave figures of merit.

    An interior-point method over all columns gives a mixture, and prices that prove a bound on
    all mixtures.
    """
    coefficients, right = candidates.equations
    n, slacks = coefficients.shape[1], len(candidates.limits)
    usable = np.arange(n)
    start = _interior_mixture(coefficients, right) if slacks else np.full(n, 1 / n)
    if start.min() <= _UNUSED / n:
        usable = _usable_columns(coefficients, right)
        coefficients, slacks = (
            coefficients[:, usable],
            int((usable >= len(candidates.columns)).sum()),
        )
        terms = [term.restricted(usable) for term in terms]
        start = _interior_mixture(coefficients, right)
    peak = maximise_least(terms, coefficients, right, start, slacks, _SHARP)
    chances = np.zeros(n)
    chances[usable], level = _drop_trifles(terms, peak.z, coefficients, right, slacks)
    return ColumnMixture(chances=chances[: len(candidates.columns)], level=level, bound=peak.bound)


def _drop_trifles(
    terms: Sequence[AbstractTerm], z: Floats, coefficients: Floats, right: Floats, slacks: int
) -> tuple[Floats, float]:
    """Leave out columns that are hardly used, as far as the merit does not feel it; give both."""
    level = least_merit(terms, z)
    used = np.append(z[: len(z) - slacks], np.full(slacks, np.inf))
    for part in (*_TRIFLES, 0.0):
        fewer = correct_round_off(np.where(used < part, 0.0, z), coefficients, right, slacks)
        fits = np.abs(coefficients @ fewer - right).max() <= _FITS
        reached = least_merit(terms, fewer)
        if fits and reached >= level - _SHARP * abs(level):
            break
    return fewer, reached


def _interior_mixture(coefficients: Floats, right: Floats) -> Floats:
    """Find a mixture whose least chance is as large as possible."""
    evenly = np.append(np.zeros(coefficients.shape[1]), 1.0)
    solution = best_corner(
        evenly, np.column_stack([coefficients, coefficients.sum(axis=1)]), right
    ).z
    start: Floats = solution[:-1] + solution[-1]
    return start


def _usable_columns(coefficients: Floats, right: Floats) -> Integers:
    """Leave out columns and slacks that are zero in every mixture, where caps are as low as can be.

    Maximises the sum of min(z, tiny): as many bounds as columns, so with a solver that has them.
    """
    from scipy.optimize import linprog

    n = coefficients.shape[1]
    tiny = 1e-4 / n
    bounds: Any = np.column_stack([np.zeros(2 * n), np.repeat([np.inf, tiny], n)])
    solution: Any = linprog(
        np.repeat([0.0, -1.0], n),
        A_eq=np.column_stack([coefficients, coefficients]),
        b_eq=right,
        bounds=bounds,
        method="highs",
    )
    return np.flatnonzero(solution.x[n:] > tiny / 2)


def best_mixture(
    candidates: Candidates, utility: AbstractUtility, answered: float
) -> tuple[ColumnMixture, float]:
    """Choose the best mixture where a share of people answers, and bound the utility."""
    shares = guesses(utility.prior, len(candidates.groups))
    if isinstance(utility, MutualInformation):
        scores = answered * np.array([shared_nats(candidates.columns, guess) for guess in shares])
        alone = _single_class(scores[0]) if candidates.is_exchangeable else None
        mixture = alone or best_for_scores(candidates, scores)
        return mixture, mixture.bound
    make, to_utility = _maker(utility)
    terms = [make(candidates, guess, answered) for guess in shares]
    if candidates.is_exchangeable:
        mixture = _single_class(candidates.blocks(shares[0])[0].features[:, 0] ** 2)
        return mixture, to_utility(terms[0].level(mixture.chances))
    mixture = best_for_terms(candidates, terms)
    return mixture, to_utility(mixture.bound)


def _single_class(scores: Floats) -> ColumnMixture:
    """Use the best class alone, which is optimal where all answers are exchangeable.

    >>> _single_class(np.array([0.1, 0.3, 0.2])).chances.tolist()
    [0.0, 1.0, 0.0]
    """
    best = int(np.argmax(scores))
    chances = np.zeros(len(scores))
    chances[best] = 1.0
    return ColumnMixture(chances=chances, level=float(scores[best]), bound=float(scores[best]))


Maker = Callable[[Candidates, Floats, float], AbstractTerm]


def _maker(utility: AbstractUtility) -> tuple[Maker, Callable[[float], float]]:
    match utility:
        case AOptimal():
            return _variance_term, lambda level: -level
        case MeanSquaredError():
            return _squared_error_term, lambda level: -level
        case DOptimal():
            return _determinant_term, lambda level: math.exp(-level)
        case EOptimal():
            return _eigenvalue_term, lambda level: 1 / level
    raise InputError(
        "utility",
        got=type(utility).__name__,
        allowed="AOptimal, DOptimal, EOptimal, MeanSquaredError or MutualInformation",
    )


def _variance_term(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    return Spectral(blocks=candidates.blocks(guess), curve=VARIANCE, scale=1 / answered)


def _squared_error_term(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    sampling = 1 - float(guess @ guess)
    return Spectral(
        blocks=candidates.blocks(guess), curve=VARIANCE, scale=1 / answered, shift=sampling
    )


def _determinant_term(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    axes = len(guess) - 1
    blocks = candidates.blocks(guess)
    return Spectral(blocks=blocks, curve=LOGARITHM, scale=1 / axes, shift=math.log(answered))


def _eigenvalue_term(candidates: Candidates, guess: Floats, answered: float) -> AbstractTerm:
    blocks = candidates.blocks(guess)
    return Smallest(
        blocks=[Block(features=math.sqrt(answered) * block.features) for block in blocks]
    )


_ROUNDS = 30
_GAP = 1e-9  # relative; columns that gain less are not added
_NO_CHANCE = 1e-12  # a chance that is only rounding


def generate_columns(limits: Limits, shares: Floats) -> tuple[Floats, Floats, float]:
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
        [
            np.eye(k, dtype=bool),
            ~np.eye(k, dtype=bool),
            _draw_sets_near(best_share, shares, rng, 24 * k),
        ]
    )
    bound, chances, columns = math.inf, np.zeros(0), np.zeros((0, k))
    for _ in range(_ROUNDS):
        columns = np.where(high, r, 1.0)
        scores = shared_nats(columns, shares)
        corner = best_corner(scores, columns.T, np.ones(k))
        chances, price = corner.z, corner.price
        value = float(scores @ chances)
        bound = min(bound, _relaxed_bound(r, price, shares))
        gains = scores - columns @ price
        if bound - value <= _GAP * bound:
            break
        tried = _exchange_answers(high[np.argsort(gains)[-2 * k :]], r, price, shares)
        more = np.unique(tried, axis=0)
        new = shared_nats(np.where(more, r, 1.0), shares) - np.where(more, r, 1.0) @ price
        more = more[new > _GAP * bound]
        if not len(more):
            break
        high = np.unique(np.vstack([high[gains > -0.1 * value], more]), axis=0)
    used = chances > _NO_CHANCE
    return columns[used], chances[used], bound


def _best_share(r: float) -> float:
    """The share of high answers with the most information per unit of a column's weight."""
    from scipy.optimize import minimize_scalar

    def negative_rate(s: float) -> float:
        return -(r * math.log(r) * (s - 1) / (r - 1) / s - math.log(s))

    optimum = minimize_scalar(
        negative_rate, bounds=(1.0, r), method="bounded", options={"xatol": 1e-12}
    )
    return (float(optimum.x) - 1) / (r - 1)


def _draw_sets_near(share: float, shares: Floats, rng: np.random.Generator, number: int) -> Floats:
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
    return np.unique(sets[sets.any(axis=1) & ~sets.all(axis=1)], axis=0)


def _exchange_answers(sets: Floats, r: float, price: Floats, shares: Floats) -> Floats:
    """Put in or take out single answers while the reduced gain grows."""
    cost = (r - 1) * price
    high = sets.copy()
    for _ in range(4 * len(shares)):
        p = high @ shares
        toggled = p[:, None] + np.where(high, -1, 1) * shares
        change = (
            _column_nats(toggled, r) - _column_nats(p, r)[:, None] - np.where(high, -1, 1) * cost
        )
        best = np.argmax(change, axis=1)
        rows = np.flatnonzero(change[np.arange(len(high)), best] > 1e-13)
        if not len(rows):
            break
        high[rows, best[rows]] = ~high[rows, best[rows]]
    return high


def _column_nats(p: Floats, r: float) -> Floats:
    s = 1 + (r - 1) * p
    return p * r * math.log(r) - s * np.log(s)


def _relaxed_bound(r: float, price: Floats, shares: Floats) -> float:
    """Bound every mixture: by the best share alone, or by prices with answers divisible.

    A mixture's chances sum to one at most, since columns are one at least.
    """
    p = _best_share(r)
    alone = float(_column_nats(np.array(p), r)) / (1 + (r - 1) * p)
    order = np.argsort(price / shares)
    cost, sorted_shares = (r - 1) * price[order], shares[order]
    ends = np.concatenate([[0.0], np.cumsum(sorted_shares)])
    spent = np.concatenate([[0.0], np.cumsum(cost)])
    slopes = cost / sorted_shares
    level = np.clip((np.exp((r * math.log(r) - slopes) / (r - 1) - 1) - 1) / (r - 1), 0, 1)
    inside = np.clip(level, ends[:-1], ends[1:])
    gains = _column_nats(inside, r) - spent[:-1] - slopes * (inside - ends[:-1])
    worst = max(float(gains.max()) - float(price.sum()), 0.0)
    return min(alone, float(price.sum()) + worst)


_EVERY = 256  # columns of a class that are listed, rather than shifted
_MOST_REPORTS = 1 << 15
_TRIFLE = 1e-7  # of the largest chance
_EQUAL = 1e-10  # how far off the equations may be
_IDLE = 1e-10  # a combination that changes nothing
Columns = tuple[Floats, Floats]
"""Columns, shape (m, k), and their chances, shape (m,)."""


def realise(
    candidates: Candidates, chances: Floats, guesses: Floats, *, keep_information: bool
) -> Columns:
    """Columns that do the same as a mixture.

    Parameters
    ----------
    candidates : Candidates
    chances : array, shape (n,)
    guesses : array, shape (p, k)
        Where the information has to stay the same.
    keep_information : bool
        Whether the information has to stay, and not only a linear score.
    """
    used = np.flatnonzero(chances > 0)
    columns, weights = candidates.columns[used], chances[used]
    g = candidates.balance.shape[1]
    if keep_information and len(used) > g * (g + 1) // 2:
        weights = _reduce_support(candidates, used, weights, guesses)
    columns, weights = columns[weights > 0], weights[weights > 0]
    if g == len(candidates.groups):
        return columns, weights
    parts = [
        _spread_class(*used_class, candidates.groups)
        for used_class in zip(columns, weights, strict=True)
    ]
    return np.vstack([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _reduce_support(
    candidates: Candidates, used: Integers, weights: Floats, guesses: Floats
) -> Floats:
    """Move along what changes no sum, distance or information, until columns are used up."""
    parts = [candidates.balance[used], candidates.caps[used]]
    for guess in guesses:
        parts += [outer_entries(block.features[used]).T for block in candidates.blocks(guess)]
    coefficients = np.hstack(parts).T
    size = np.abs(coefficients).max(axis=1)
    coefficients = coefficients[size > 0] / size[size > 0, None]
    _, sizes, directions = np.linalg.svd(coefficients)
    directions = directions[(sizes > _IDLE * sizes[0]).sum() :]
    fewer = weights.copy()
    while len(directions):
        direction, directions = directions[-1], directions[:-1]
        direction = direction if direction.max() > 0 else -direction
        ends = np.where(direction > 0, fewer / np.where(direction > 0, direction, 1.0), np.inf)
        used_up = int(np.argmin(ends))
        fewer = np.maximum(fewer - ends[used_up] * direction, 0.0)
        fewer[used_up] = 0.0
        directions = directions - np.outer(directions[:, used_up] / direction[used_up], direction)
        directions[:, used_up] = 0.0
    return _solve_for_used(coefficients, coefficients @ weights, fewer)


def _solve_for_used(coefficients: Floats, right: Floats, weights: Floats) -> Floats:
    """Drop chances that are only rounding at a corner, and solve again for the others."""
    used = weights > _TRIFLE * weights.max()
    cleared = np.zeros(len(weights))
    cleared[used] = np.linalg.lstsq(coefficients[:, used], right, rcond=None)[0]
    off = np.abs(coefficients @ cleared - right).max()
    return cleared if cleared.min() >= 0 and off < _EQUAL else weights


def _spread_class(column: Floats, chance: float, groups: Integers) -> Columns:
    """Spread a class over columns so evenly that all pairs of answers are treated equally.

    Over all columns of the class where they are few; otherwise over shifts of some, with chances
    that make all pairs of answers meet as often as in the whole class.
    """
    sizes = np.bincount(groups)
    members = [np.flatnonzero(groups == group) for group in range(len(sizes))]
    high = column > column.min()
    counts = np.array([int(high[member].sum()) for member in members])
    if high.all() or not high.any():
        return column[None, :], np.array([chance])
    every = prod(comb(int(size), int(count)) for size, count in zip(sizes, counts, strict=True))
    if every <= _EVERY:
        sets, shares = _all_sets(members, counts), np.full(every, 1 / every)
    else:
        sets, shares = _shifted_sets(members, counts, np.random.default_rng(0))
    columns = np.where(sets, column.max(), column.min())
    return columns, chance * shares


def _all_sets(members: list[Integers], counts: Integers) -> Floats:

    k = sum(len(member) for member in members)
    choices = [
        list(combinations(member, count)) for member, count in zip(members, counts, strict=True)
    ]
    sets = np.zeros((prod(len(choice) for choice in choices), k), dtype=bool)
    for row, chosen in enumerate(product(*choices)):
        sets[row, [answer for part in chosen for answer in part]] = True
    return sets


def _shifted_sets(
    members: list[Integers], counts: Integers, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Find random sets whose shifts, with the right chances, are even over pairs."""
    period = lcm(*map(len, members))
    bases, weights = _even_bases(members, counts, rng)
    used = np.flatnonzero(weights).tolist()
    if not used or len(used) * period > _MOST_REPORTS:
        raise InputError(
            "optimal_channel",
            got=f"groups of {', '.join(str(len(member)) for member in members)} answers",
            allowed=f"groups that can be treated evenly by at most {_MOST_REPORTS} reports",
            remedy="make guesses equal, or groups of sizes that divide each other",
        )
    sets, shares = [], []
    for i in used:
        for shift in range(period):
            shifted = np.zeros(len(bases[i]), dtype=bool)
            for member in members:
                shifted[member] = np.roll(bases[i][member], shift % len(member))
            sets.append(shifted)
            shares.append(weights[i] / period)
    distinct, inverse = np.unique(np.array(sets), axis=0, return_inverse=True)
    return distinct, np.bincount(inverse.ravel(), weights=shares) / np.sum(shares)


def _even_bases(
    members: list[Integers], counts: Integers, rng: np.random.Generator
) -> tuple[list[Floats], Floats]:
    """Choose chances of random sets, by a linear programme; all zero if there are none."""
    from scipy.optimize import linprog

    wanted = _count_pairs(members, counts, None)
    right = np.append(wanted / np.maximum(wanted, 1.0), 1.0)
    bases: list[Floats] = []
    for more in (4, 8, 16):
        bases = [_random_set(members, counts, rng) for _ in range(more * len(wanted) + 16)]
        pair_counts = np.array([_count_pairs(members, counts, base) for base in bases])
        coefficients = np.vstack(
            [pair_counts.T / np.maximum(wanted, 1.0)[:, None], np.ones(len(bases))]
        )
        solution = linprog(
            np.zeros(len(bases)),
            A_eq=coefficients,
            b_eq=right,
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10},
        )
        if solution.status == 0:
            return bases, _solve_for_used(coefficients, right, np.asarray(solution.x))
    return bases, np.zeros(len(bases))


def _random_set(members: list[Integers], counts: Integers, rng: np.random.Generator) -> Floats:
    chosen = np.zeros(sum(len(member) for member in members), dtype=bool)
    for member, count in zip(members, counts, strict=True):
        chosen[rng.choice(member, size=int(count), replace=False)] = True
    return chosen


def _count_pairs(members: list[Integers], counts: Integers, base: Floats | None) -> Floats:
    """Count pairs in a set by how far apart they are; without a set, what is even.

    Shifting all groups together keeps the distance within a group, and between two groups the
    distance modulo the divisor that their sizes share.
    """
    pair_counts: list[float] = []
    for i, member in enumerate(members):
        n, s = len(member), int(counts[i])
        if base is None:
            pair_counts += [s * (s - 1) / (n - 1)] * (n // 2) if n > 1 else []
        else:
            inside = base[member].astype(float)
            pair_counts += [float(inside @ np.roll(inside, far)) for far in range(1, n // 2 + 1)]
        for j in range(i):
            shared = gcd(n, len(members[j]))
            if base is None:
                pair_counts += [s * int(counts[j]) / shared] * shared
            else:
                first, second = np.flatnonzero(base[member]), np.flatnonzero(base[members[j]])
                far = (first[:, None] - second[None, :]) % shared
                pair_counts += np.bincount(far.ravel(), minlength=shared).astype(float).tolist()
    return np.array(pair_counts)
