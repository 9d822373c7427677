"""The log-rank test for groups of which only ranges were seen."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import gammaincc

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.estimators.groups.pooled import Pooled, pooled
from askance.estimators.groups.sample_test import SampleTest, dealt_out
from askance.typing import Floats, Integers

_NOTHING = 1e-20  # variance of scores that are all the same


@checked
def log_rank_test(
    samples: Mapping[str, Ranges], *, permutations: int = 999, rng: Any = None
) -> SampleTest:
    r"""Test whether groups have one distribution, when one may be ahead of another throughout.

    .. math:: U_g = \sum_{i \in g} w_i\, E[1 - \Lambda(Y) \mid Y \in R_i], \quad
              \chi^2 = \sum_g \frac{U_g^2}{n_g s^2}

    with F the most likely distribution of all groups together, Λ its cumulative hazard and s² the
    variance of the scores. Where numbers are exact or censored to the right, U is observed less
    expected; above 0 the group's numbers are small. Ranges may be of any shape.

    Parameters
    ----------
    samples : mapping of str to Ranges
        The ranges of each group. Weights are counts.
    permutations : int
        How often to deal the ranges out to the groups again; 0 for the asymptotic p-value alone.
    rng : optional
        Of the permutations, as `numpy.random.default_rng` takes it.

    Returns
    -------
    SampleTest
        Both p-values hold if how ranges came about (the law of the cuts) is the same in all groups;
        the one from permutations then holds for any size.

    Raises
    ------
    InputError
        If there are fewer than two groups, one is empty, a weight is not a whole number, or a
        thousand million ranges are to be permuted.

    References
    ----------
    Sun (1996) for the scores; Fay & Shaw (2010) for this form, that of R's interval.

    >>> cut = Ranges.tallied({(-np.inf, 5): 30, (5, np.inf): 10})
    >>> log_rank_test({"men": cut, "women": Ranges([-np.inf, 5], [5, np.inf], [18, 22])}, rng=1)
    log-rank test of one distribution
    group   n  score
    men    40      6
    women  40     -6
    χ² 7.406 on 1, p 0.0065
    p 0.01 from 999 permutations
    """
    pool = pooled(samples)
    scores = _scores(pool)
    total, n = pool.counts.sum(axis=0), pool.counts.sum()
    scores = scores - total @ scores / n
    spread = float(total @ scores**2) / (n - 1)

    def statistic(counts: Integers) -> float:
        if spread <= _NOTHING:
            return 0.0
        return float(np.sum((counts @ scores) ** 2 / pool.sizes) / spread)

    found, freedom = statistic(pool.counts), len(pool.labels) - 1
    return SampleTest(
        method="log-rank",
        labels=pool.labels,
        n=pool.sizes.astype(float),
        score=pool.counts @ scores,
        statistic=found,
        freedom=freedom,
        p_asymptotic=float(gammaincc(freedom / 2, found / 2)),
        p_permutation=dealt_out(pool, statistic, permutations, rng),
        permutations=permutations,
    )


def _scores(pool: Pooled) -> Floats:
    """Give each range its expected 1 − Λ."""
    beyond = np.cumsum(pool.mass[::-1])[::-1]
    return pool.expected(1 - np.cumsum(pool.mass / beyond))
