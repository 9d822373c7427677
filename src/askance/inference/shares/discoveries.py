"""Which of many answers are named oftener than a share would be, at a false-discovery rate."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from askance.results import doubles
from askance.typing import Floats, Integers

Dependence = Literal["any", "positive"]
"""What is assumed of the counts of different answers."""


def by_count(counts: Integers, work: Callable[[Floats], tuple[Floats, ...]]) -> tuple[Floats, ...]:
    """Compute what depends on a count alone once for each that occurs.

    >>> by_count(np.array([3, 2, 3]), lambda seen: (seen / len(seen),))
    (array([1.5, 1. , 1.5]),)
    """
    seen, back = np.unique(counts, return_inverse=True)
    return tuple(doubles(one, "counts")[back] for one in work(seen.astype(float)))


def counted_oftener(counts: Integers, n: int, chance: float) -> Floats:
    """Exact p-values: the binomial chance of as many reports of n or more, I_w(c, n − c + 1).

    >>> counted_oftener(np.array([0, 1, 2]), 2, 0.5).tolist()
    [1.0, 0.75, 0.25]
    """
    from scipy.special import betainc

    def tails(seen: Floats) -> tuple[Floats, ...]:
        told = betainc(np.maximum(seen, 1), n - seen + 1, chance)
        return (np.where(seen > 0, told, 1.0),)

    return by_count(counts, tails)[0]


def adjusted(p_values: Floats, dependence: Dependence = "any") -> Floats:
    r"""Step-up q-values: the least false-discovery rate at which each answer is found.

    .. math:: q_{(i)} = \min_{j \ge i} \frac{k\,h}{j}\, p_{(j)}

    with h = 1 + ½ + … + 1/k under any dependence (Benjamini & Yekutieli, 2001, Theorem 1.3), and
    h = 1 under positive dependence (Benjamini & Hochberg, 1995, equation 1).

    >>> adjusted(np.array([0.04, 0.01]), "positive").tolist()
    [0.04, 0.02]
    >>> adjusted(np.array([0.04, 0.01])).tolist()  # h is 1.5
    [0.06, 0.03]
    """
    k = len(p_values)
    order = np.argsort(p_values, kind="stable")
    price = float((1 / np.arange(1, k + 1)).sum()) if dependence == "any" else 1.0
    steps = p_values[order] * k * price / np.arange(1, k + 1)
    told = np.empty(k)
    told[order] = np.minimum.accumulate(steps[::-1])[::-1].clip(0, 1)
    return told
