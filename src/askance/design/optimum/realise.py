"""From classes of columns to columns that can be sent: few enough, and still even."""

from math import comb, gcd, lcm, prod

import numpy as np

from askance.design.optimum.candidates import Candidates
from askance.design.solver.moment import paired
from askance.errors import InputError
from askance.typing import Floats, Integers

_EVERY = 256  # columns of a class that are listed, rather than shifted
_MOST_REPORTS = 1 << 15
_TRIFLE = 1e-7  # of the largest chance
_FITS = 1e-10  # how far off the equations may be
_DEPENDENT = 1e-10  # a combination that changes nothing

Columns = tuple[Floats, Floats]
"""Columns, shape (m, k), and their chances, shape (m,)."""


def realise(candidates: Candidates, chances: Floats, guesses: Floats, *, told: bool) -> Columns:
    """Give columns that do the same as a mixture.

    Parameters
    ----------
    candidates : Candidates
    chances : array, shape (n,)
    guesses : array, shape (p, k)
        Where the information has to stay the same.
    told : bool
        Whether the information has to stay, and not only a linear score.
    """
    used = np.flatnonzero(chances > 0)
    columns, weights = candidates.columns[used], chances[used]
    g = candidates.balance.shape[1]
    if told and len(used) > g * (g + 1) // 2:
        weights = _fewer(candidates, used, weights, guesses)
    columns, weights = columns[weights > 0], weights[weights > 0]
    if g == len(candidates.groups):
        return columns, weights
    parts = [_orbit(*one, candidates.groups) for one in zip(columns, weights, strict=True)]
    return np.vstack([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _fewer(candidates: Candidates, used: Integers, weights: Floats, guesses: Floats) -> Floats:
    """Move along what changes no sum, distance or information, until columns are used up."""
    parts = [candidates.balance[used], candidates.caps[used]]
    for guess in guesses:
        parts += [paired(block.features[used]).T for block in candidates.blocks(guess)]
    left = np.hstack(parts).T
    size = np.abs(left).max(axis=1)
    left = left[size > 0] / size[size > 0, None]
    _, sizes, ways = np.linalg.svd(left)
    ways = ways[(sizes > _DEPENDENT * sizes[0]).sum() :]
    fewer = weights.copy()
    while len(ways):
        way, ways = ways[-1], ways[:-1]
        way = way if way.max() > 0 else -way
        ends = np.where(way > 0, fewer / np.where(way > 0, way, 1.0), np.inf)
        gone = int(np.argmin(ends))
        fewer = np.maximum(fewer - ends[gone] * way, 0.0)
        fewer[gone] = 0.0
        ways = ways - np.outer(ways[:, gone] / way[gone], way)
        ways[:, gone] = 0.0
    return _cleared(left, left @ weights, fewer)


def _cleared(left: Floats, right: Floats, weights: Floats) -> Floats:
    """Leave out what rounding left at a corner, and solve for the rest anew."""
    used = weights > _TRIFLE * weights.max()
    cleared = np.zeros(len(weights))
    cleared[used] = np.linalg.lstsq(left[:, used], right, rcond=None)[0]
    off = np.abs(left @ cleared - right).max()
    return cleared if cleared.min() >= 0 and off < _FITS else weights


def _orbit(column: Floats, chance: float, groups: Integers) -> Columns:
    """Spread a class over columns so evenly that every pair of answers is treated alike.

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
    from itertools import combinations, product

    k = sum(len(member) for member in members)
    choices = [
        list(combinations(member, count)) for member, count in zip(members, counts, strict=True)
    ]
    sets = np.zeros((prod(len(choice) for choice in choices), k), dtype=bool)
    for at, chosen in enumerate(product(*choices)):
        sets[at, [answer for part in chosen for answer in part]] = True
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
            got=f"groups of {', '.join(str(len(one)) for one in members)} answers",
            allowed=f"groups that can be treated evenly by at most {_MOST_REPORTS} reports",
            remedy="make guesses equal, or groups of sizes that divide each other",
        )
    sets, shares = [], []
    for at in used:
        for shift in range(period):
            moved = np.zeros(len(bases[at]), dtype=bool)
            for member in members:
                moved[member] = np.roll(bases[at][member], shift % len(member))
            sets.append(moved)
            shares.append(weights[at] / period)
    distinct, place = np.unique(np.array(sets), axis=0, return_inverse=True)
    return distinct, np.bincount(place.ravel(), weights=shares) / np.sum(shares)


def _even_bases(
    members: list[Integers], counts: Integers, rng: np.random.Generator
) -> tuple[list[Floats], Floats]:
    """Choose chances of random sets, by a linear programme; all zero if there are none."""
    from scipy.optimize import linprog

    wanted = _meetings(members, counts, None)
    right = np.append(wanted / np.maximum(wanted, 1.0), 1.0)
    bases: list[Floats] = []
    for more in (4, 8, 16):
        bases = [_random_set(members, counts, rng) for _ in range(more * len(wanted) + 16)]
        met = np.array([_meetings(members, counts, base) for base in bases])
        left = np.vstack([met.T / np.maximum(wanted, 1.0)[:, None], np.ones(len(bases))])
        found = linprog(
            np.zeros(len(bases)),
            A_eq=left,
            b_eq=right,
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10},
        )
        if found.status == 0:
            return bases, _cleared(left, right, np.asarray(found.x))
    return bases, np.zeros(len(bases))


def _random_set(members: list[Integers], counts: Integers, rng: np.random.Generator) -> Floats:
    chosen = np.zeros(sum(len(member) for member in members), dtype=bool)
    for member, count in zip(members, counts, strict=True):
        chosen[rng.choice(member, size=int(count), replace=False)] = True
    return chosen


def _meetings(members: list[Integers], counts: Integers, base: Floats | None) -> Floats:
    """Count pairs in a set by how far apart they are; without a set, what is even.

    Shifting all groups together keeps the distance within a group, and between two groups the
    distance modulo the divisor that their sizes share.
    """
    found: list[float] = []
    for i, member in enumerate(members):
        n, s = len(member), int(counts[i])
        if base is None:
            found += [s * (s - 1) / (n - 1)] * (n // 2) if n > 1 else []
        else:
            inside = base[member].astype(float)
            found += [float(inside @ np.roll(inside, far)) for far in range(1, n // 2 + 1)]
        for j in range(i):
            shared = gcd(n, len(members[j]))
            if base is None:
                found += [s * int(counts[j]) / shared] * shared
            else:
                one, two = np.flatnonzero(base[member]), np.flatnonzero(base[members[j]])
                far = (one[:, None] - two[None, :]) % shared
                found += np.bincount(far.ravel(), minlength=shared).astype(float).tolist()
    return np.array(found)
