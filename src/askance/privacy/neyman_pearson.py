"""The best tests between two laws, and what a privacy loss allows at best: floor and ceiling."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.errors import InputError
from askance.exact.level import loss_reach
from askance.exact.ratio import whole as read_whole
from askance.privacy.tradeoff_function import TradeoffFunction, curve_of

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
    """Both laws of so many independent outcomes: how often each ratio comes, in any order.

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


def neyman_pearson(first: Law, second: Law) -> TradeoffFunction:
    r"""The least type II error against the second law at each type I error of the first.

    .. math:: T(\alpha) = \inf\{1 - E_{p'} \varphi : E_p \varphi \le \alpha\}

    Parameters
    ----------
    first, second : sequence of numbers, shape (m,)
        The two laws over the same outcomes, each up to a factor.

    Returns
    -------
    TradeoffFunction
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
    return TradeoffFunction([(Fraction(a, alarms), Fraction(b, misses)) for a, b in knots])


_EXACT_BITS = 1 << 22  # so many in all the numbers of an exact curve are built in a second
_MOST = 1_000_000


@checked
def error_floor(
    epsilon: object = None, times: int = 1, *, ratio: object = None
) -> TradeoffFunction:
    r"""Trade-off function of k reports that are each ε-LDP: the least type II error allowed.

    .. math::

       f_{\varepsilon,k}(\alpha) = \max_{0 \le i \le k/2} \max\{1 - d_i - e^{(k-2i)\varepsilon}
       \alpha,\; e^{-(k-2i)\varepsilon}(1 - d_i - \alpha),\; 0\}, \quad
       d_i = \sum_{l < i} \binom{k}{l} \frac{e^{(k-l)\varepsilon} - e^{(k-2i+l)\varepsilon}}
       {(1+e^\varepsilon)^k}

    It is the curve of k replies to Warner's question at ε, so it cannot be raised. It bounds what
    is told by messages (`shafer_loss`); over several reports it does *not* bound readers who
    resolve vague reports as they like (`walley_loss`): for them use ``error_floor(k * epsilon)``.

    Parameters
    ----------
    epsilon : number, optional
        In [0, 10000], or infinite. A float stands for all logarithms that round to it.
    times : int
        k in [1, 1000000]. For many reports the curve is in doubles, each of its numbers right to
        rounding; otherwise it is exact for the ratio.
    ratio : number, optional
        e^ε instead, exactly.

    Raises
    ------
    InputError
        If not exactly one of ε and the ratio is given, or it is no such number, or ``times`` is no
        such whole number.

    References
    ----------
    Kairouz, Oh & Viswanath (2017), Theorem 3.3; for k = 1 Wasserman & Zhou (2010), Theorem 2.4; the
    two-fold bound is u² of Li, Zhou, Qin & Xu (2022), Corollary 6.

    >>> error_floor(ratio=3).beta([0.05, 0.25]).tolist()
    [0.85, 0.25]
    """
    k = read_whole(times, "times", f"a whole number in [1, {_MOST}]", 1, _MOST)
    reach = loss_reach(epsilon, ratio)
    return floor_at(reach, k) if isinstance(reach, Fraction) else TradeoffFunction([(0, 0), (1, 0)])


@checked
def error_ceiling(
    epsilon: object = None, times: int = 1, *, ratio: object = None
) -> TradeoffFunction:
    r"""Upper trade-off bound: the largest type II error of a sensible test; the floor, turned.

    .. math:: U_{\varepsilon,k}(\alpha) = 1 - f_{\varepsilon,k}(1 - \alpha)

    Same parameters and errors as `error_floor`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Corollary 6. The middle part of U² is 2e^ε/(1 + e^ε) − α; the printed
    constant (3 − e^{−2ε})/(1 + e^ε) is too small, as the pages on the paper show.

    >>> error_ceiling(1, times=2).beta(0.0), round(error_ceiling(1, times=2).beta(0.5), 10)
    (1.0, 0.9323323584)
    """
    return error_floor(epsilon, times, ratio=ratio).turned()


def floor_at(ratio: Fraction, times: int) -> TradeoffFunction:
    """The floor for a ratio e^ε: exact where the numbers are not too long.

    >>> floor_at(Fraction(3, 2), 1).exact[1]
    (Fraction(2, 5), Fraction(2, 5))
    """
    lie, truth = ratio.denominator, ratio.numerator
    if times**2 * truth.bit_length() > _EXACT_BITS:
        return rounded_floor(float(lie / Fraction(lie + truth)), times)
    counts = range(times + 1)
    first = [math.comb(times, j) * truth ** (times - j) * lie**j for j in counts]
    return neyman_pearson(first, first[::-1])


def rounded_floor(lie: float, times: int) -> TradeoffFunction:
    """Do the same in doubles, by the number of replies that speak for the second answer.

    Each tail is summed by itself, so that the smallest chances keep their digits.
    """
    from scipy.stats import binom

    at = np.arange(-1, times + 1)
    rare, common = binom.sf(at, times, lie), binom.cdf(at, times, lie)
    return curve_of(rare[::-1], rare, common[::-1], common)
