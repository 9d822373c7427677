"""One false-alarm budget for every statistical test of the suite.

A test that is right fails by chance with at most its share of ``FAMILY``, whatever the seed. A
`Watch` stops as soon as the trials have told enough, within both budgets; where as many are drawn
as `trials` says, bounds are exact binomial tails. Both follow from the null and from the defect
that must be found. Nothing is ever tried again. Seeds are fixed; ``ASKANCE_ODDS_SEED`` gives
others.
"""

import os
import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from math import inf, log
from typing import Any, Literal, final

import numpy as np
import pytest
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
    "one-sided",
    "one-sided at 0",
    "three cards",
    "hidden sensitivity",
    "hidden sensitivity at 0",
    "one cut, mean",
    "one cut, F(3)",
    "one cut, F(6)",
    "one cut, whole numbers, mean",
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
    "curve, one cut, few on a line, F(6)",
    "curve, one cut, beside a lump, F(12)",
    "curve, two cuts, beside a lump, F(8)",
    "curve, one cut, at the first heap, F(1,500)",
    "curve, one cut, heaped, F(3,000)",
    "curve, two cuts, heaped, F(2,000)",
    "curve, two cuts, heaped, six tenths",
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
    "regression, sampling weights",
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
    "item count, difference in means",
    "item count, effect on an outcome",
    "item count, mean share where the model is wrong",
    "item count, mean share where the likelihood is wrong",
    "item count, slope",
    "item count, share by least squares",
    "item count, share where some hide",
    "item count, share where a chance is held",
    "item count, share near 0, long lists lower counts",
    "two lists, share near 0, long lists lower counts",
    "item count, nobody, long lists lower counts",
    "item count, a hundredth",
    "scrambled mean",
    "mean of noisy numbers",
    "goodness of fit, table",
    "goodness of fit, ranges",
    "goodness of fit, stopped",
    "goodness of fit, villages",
    "weighted shares",
    "weighted shares, many refuse",
    "one cut, many refuse at some",
    "silence, few and many",
    "two questions, many refuse",
    "complex sample, a hundredth",
    "complex sample, a twentieth, weights as counts",
    "complex sample, share of 200",
    "complex sample, share of 1,000",
    "complex sample, share of 5,000",
    "complex sample, slope of 200",
    "complex sample, slope of 1,000",
    "complex sample, a number from ranges",
    "complex sample, two questions together",
    "complex sample, a curve",
    "complex sample, an average",
    "complex sample, groups compared",
    "complex sample, some do not reply",
    "complex sample, bits of an oracle",
    "complex sample, answers of an oracle together",
    "complex sample, an average refitted",
    "many answers, one",
    "many answers, together",
    "many answers, found",
    "rounds, covered",
    "rounds, unbiased",
    "compliance, cheats",
    "compliance, lies",
    "compliance, all lie",
    "compliance, nobody lies",
    "compliance, share by regression",
    "compliance of a sample, cheats",
    "compliance of a sample, one group",
    "two rules",
    "invited groups",
    "small groups",
    "small groups of more answers",
    "small groups of villages",
    "areas by their covariates",
    "streams, a caller's draws",
    "streams, two columns",
    "audit, right",
    "audit, right, by its ε",
    "audit, faults",
)
"""Every test that draws on the budget, in equal shares."""

WIDE = (
    "a cut each",
    "a cut each on a grid",
    "an answer as a predictor",
    "complex sample, share of 200",
    "complex sample, share of 5,000",
    "complex sample, slope of 1,000",
    "complex sample, slope of 200",
    "compliance of a sample, cheats",
    "compliance of a sample, one group",
    "compliance, all lie",
    "compliance, cheats",
    "compliance, nobody lies",
    "curve, one cut, at the first heap, F(1,500)",
    "curve, one cut, average",
    "curve, ring, average",
    "curve, two cuts, average",
    "curve, two cuts, heaped, F(2,000)",
    "curve, two cuts, heaped, six tenths",
    "encode, two cuts",
    "hidden sensitivity",
    "item count, mean share where the model is wrong",
    "item count, share where some hide",
    "item count, slope",
    "Kolmogorov, no difference",
    "log-odds of three answers",
    "logit, expected",
    "logit, households",
    "one cut, whole numbers",
    "regression, ranges, errors by village",
    "regression, ranges, robust errors",
    "small groups",
    "three ordered answers",
    "two answers together",
    "two cuts",
    "two cuts, two ends",
)
"""The dearest designs, whose nearest kin `make test` tries; `make wide` tries them."""

Verdict = Literal["holds", "too low", "too high"]


def alarm(name: str) -> float:
    """Give the share of the budget that a registered test may spend."""
    if name not in REGISTERED:
        raise KeyError(f"register {name!r} in tests/odds/budget.py before spending on it")
    return FAMILY / len(REGISTERED)


def each(names: Iterable[str]) -> list[Any]:
    """Give designs as the parameters of a test, the dearest to be left to `make wide`."""
    wide = pytest.mark.wide
    return [pytest.param(name, id=name, marks=wide if name in WIDE else ()) for name in names]


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


@final
class Watch:
    """Judge a chance while trials come in: a sequential probability ratio test on each side.

    Each defect is weighed against the end of the null on its side. Its side is refused where the
    likelihood ratio reaches 2/spend, which under the null it does at any time with chance spend/2
    at most (Ville's inequality; the ratio falls further inside the null). It is let go at
    ``MISS``, which the defect and all beyond it reach with chance ``MISS`` at most. Between the
    two one draws on: fewer on average than any fixed number with both promises (Wald, 1945).
    """

    def __init__(self, null: tuple[float, float], defects: tuple[float, ...], spend: float) -> None:
        """Watch a chance that should be in the null, for defects outside it."""
        self.verdict: Verdict | None = None
        self._enough = log(2 / spend)
        self._steps: dict[Verdict, tuple[float, float]] = {}
        for defect in defects:
            result, end = ("too low", null[0]) if defect < null[0] else ("too high", null[1])
            self._steps[result] = _log_ratio(defect, end), _log_ratio(1 - defect, 1 - end)
        self._weights = dict.fromkeys(self._steps, 0.0)

    def see(self, hits: int, n: int = 1) -> None:
        """Take so many more trials in; where every side is let go, the null holds."""
        for result, weight in tuple(self._weights.items()):
            hit, miss = self._steps[result]
            now = weight + _times(hits, hit) + _times(n - hits, miss)
            self._weights[result] = now
            if now >= self._enough:
                self.verdict = result
            elif now <= log(MISS):
                del self._weights[result]
        if not self._weights:
            self.verdict = "holds"


def _log_ratio(item: float, other: float) -> float:
    return (log(item) if item else -inf) - (log(other) if other else -inf)


def _times(trials: int, step: float) -> float:
    return trials * step if trials else 0.0


Watches = Mapping[Hashable, tuple[Watch, Callable[[Any], bool]]]


def settle(draw: Callable[[], Any], watches: Watches) -> dict[Any, Verdict]:
    """Draw until every watch, with what it calls a hit, has its verdict."""
    while waiting := [item for item in watches.values() if item[0].verdict is None]:
        drawn_value = draw()
        for watch, hit in waiting:
            watch.see(hit(drawn_value))
    return {name: watch.verdict for name, (watch, _) in watches.items()}


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
