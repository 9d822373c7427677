"""The best tests between two laws: accuse on the outcomes that favour it most."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from askance.errors import InputError
from askance.exact.ratio import whole as read_whole
from askance.privacy.tradeoffs.curve import Curve

MOST_COUNTS = 20_000
"""Of so many repeated outcomes at the most, in any order: a second or two in whole numbers."""

Law = Sequence[Any]
"""Exact numbers: whole ones, fractions, or doubles taken as they are."""


def whole(row: Sequence[Any]) -> tuple[int, ...]:
    """Write a row of exact numbers as whole ones, up to a factor.

    >>> whole([0.5, 0.25, 0.25])
    (2, 1, 1)
    """
    exact = [Fraction(entry) for entry in row]
    scale = math.lcm(*(entry.denominator for entry in exact))
    return tuple(int(entry * scale) for entry in exact)


def ranking(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Order outcomes by how much they favour the second law over the first.

    >>> ranking([3, 1, 0], [1, 3, 0])
    [1, 0]
    """
    both = [p + q for p, q in zip(first, second, strict=True)]
    digits = 2 * max(both).bit_length() + 1  # enough to tell any two ratios apart
    possible = [at for at, sum_of in enumerate(both) if sum_of]
    return sorted(possible, key=lambda at: -((second[at] << digits) // both[at]))


def repeated(
    first: Sequence[int], second: Sequence[int], times: int
) -> tuple[list[int], list[int]]:
    """Give both laws of so many independent outcomes: how often each ratio comes, in any order.

    Parameters
    ----------
    first, second : sequence of int, shape (m,)
    times : int

    Raises
    ------
    InputError
        If ``times`` is no whole number from 1, or there are more than 20,000 different counts.

    >>> repeated([3, 1], [1, 3], 2)
    ([1, 6, 9], [9, 6, 1])
    """
    k = read_whole(times, "times", "a whole number from 1")
    atoms: dict[Fraction | float, tuple[int, int]] = {}
    for one, two in zip(first, second, strict=True):
        if one or two:
            key = Fraction(two, one) if one else math.inf
            had = atoms.get(key, (0, 0))
            atoms[key] = had[0] + one, had[1] + two
    counts = math.comb(k + len(atoms) - 1, len(atoms) - 1)
    if counts > MOST_COUNTS:
        raise InputError(
            "times",
            got=f"{k} reports of {len(atoms)} likelihood ratios, {counts:,} counts",
            allowed=f"at most {MOST_COUNTS:,} counts",
            remedy="Ledger().spend(channel, times).tradeoff() is for many messages",
        )
    states = [(k, 1, 1)]
    *others, last = atoms.values()
    for one, two in others:
        states = [
            (left - n, p * math.comb(left, n) * one**n, q * math.comb(left, n) * two**n)
            for left, p, q in states
            for n in range(left + 1)
        ]
    laws = [(p * last[0] ** left, q * last[1] ** left) for left, p, q in states]
    return [p for p, _ in laws], [q for _, q in laws]


def neyman_pearson(first: Law, second: Law) -> Curve:
    r"""Give the least type II error against the second law at each type I error of the first.

    .. math:: T(\alpha) = \inf\{1 - E_{p'} \varphi : E_p \varphi \le \alpha\}

    Parameters
    ----------
    first, second : sequence of numbers, shape (m,)
        The two laws over the same outcomes, each up to a factor.

    Returns
    -------
    Curve
        Exact; its knots are the running sums in the order of the likelihood ratio.

    References
    ----------
    Neyman & Pearson (1933), section III.

    >>> neyman_pearson([6, 1, 3], [1, 6, 3]).exact[1:3]
    ((Fraction(1, 10), Fraction(2, 5)), (Fraction(2, 5), Fraction(1, 10)))
    """
    null, claim = whole(first), whole(second)
    alarms, misses = sum(null), sum(claim)
    alarm, missed = 0, misses
    knots = [(alarm, missed)]
    for at in ranking(null, claim):
        alarm, missed = alarm + null[at], missed - claim[at]
        if alarm == knots[-1][0]:
            knots.pop()
        knots.append((alarm, missed))
    return Curve([(Fraction(a, alarms), Fraction(b, misses)) for a, b in knots])
