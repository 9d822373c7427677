"""One false-alarm budget for every statistical test of the suite.

A test that is right fails by chance with at most its share of ``FAMILY``, whatever the seed. Bounds
are exact binomial tails; sample sizes follow from the null and from the defect that must be found.
Nothing is ever tried again. Seeds are fixed; ``ASKANCE_ODDS_SEED`` gives others.
"""

import os
import zlib
from functools import cache
from typing import Literal

import numpy as np
from scipy.stats import binom

FAMILY = 1e-6
MISS = 1e-6
"""How often a broken twin may go unnoticed."""

REGISTERED = (
    "abstain",
    "abstain at 0",
    "abstain where some people are common",
    "warner",
    "warner at 1",
    "unequal reports",
    "k-ary a",
    "k-ary d",
    "k-ary at 0",
    "one cut, mean",
    "one cut, F(3)",
    "one cut, F(6)",
    "two cuts, mean",
    "two cuts, F(3)",
    "two cuts, F(6)",
    "two cuts, mean of two ends",
    "one cut, median",
    "a cut each, F(0.3)",
    "a cut each, F(0.5)",
    "a cut each on a grid, F(0.3)",
    "a uniform cut each, unbiased mean",
    "resolved, share",
    "resolved, whole set",
    "two questions, both",
    "two questions, neither",
    "curve, one cut, average",
    "curve, two cuts, average",
    "curve, ring, average",
    "curve, progressive, average",
    "curve, two cuts, coarse grid, average",
    "curve, one cut, people beyond",
    "curve, two cuts, people beyond",
    "curve, one cut, fine grid, F(0.5)",
    "curve, two cuts, F(0.5)",
    "curve, one cut, few on a grid, tail",
    "encode, table",
    "encode, k-ary table",
    "encode, blank",
    "encode, one cut",
    "encode, two cuts",
    "privatise, dice",
    "privatise, coin",
    "privatise, estimated back",
    "log-rank, no difference",
    "Kolmogorov, no difference",
    "regression, observed errors",
    "regression, expected errors",
    "regression, robust errors",
    "regression, errors by household",
    "regression, share",
    "regression, log-odds of three answers",
    "regression, three ordered answers",
    "regression, an answer as a predictor",
    "regression, two answers together",
    "regression, ranges",
    "regression, ranges, robust errors",
    "regression, ranges, errors by village",
    "goodness of fit, table",
    "goodness of fit, ranges",
    "goodness of fit, stopped",
)
"""Every test that draws on the budget, in equal shares."""

Verdict = Literal["holds", "too low", "too high"]


def alarm(name: str) -> float:
    """Give the share of the budget that a registered test may spend."""
    if name not in REGISTERED:
        raise KeyError(f"register {name!r} in tests/odds/budget.py before spending on it")
    return FAMILY / len(REGISTERED)


def dice(name: str) -> np.random.Generator:
    """Give the seeded generator of a test."""
    seed = int(os.environ.get("ASKANCE_ODDS_SEED", "1965"))
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


def judge(hits: int, n: int, null: tuple[float, float], spend: float) -> Verdict:
    """Test that the chance of a hit lies in the null, spending half on each side."""
    if binom.cdf(hits, n, null[0]) <= spend / 2:
        return "too low"
    if binom.sf(hits - 1, n, null[1]) <= spend / 2:
        return "too high"
    return "holds"


@cache
def trials(null: tuple[float, float], defects: tuple[float, ...], spend: float) -> int:
    """Say how many trials tell each defect from the null, both kinds of error within budget."""
    n = 50
    while not all(_found(n, null, defect, spend) for defect in defects):
        n = int(n * 1.05) + 1
    return n


def _found(n: int, null: tuple[float, float], defect: float, spend: float) -> bool:
    if defect < null[0]:
        most = binom.ppf(spend / 2, n, null[0]) - 1  # the largest count that is refused as too low
        return bool(binom.sf(most, n, defect) <= MISS)
    least = binom.isf(spend / 2, n, null[1]) + 1
    return bool(binom.cdf(least - 1, n, defect) <= MISS)
