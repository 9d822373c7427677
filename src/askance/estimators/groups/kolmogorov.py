"""Kolmogorov's test for groups of which only ranges were seen."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.estimators.groups.pooled import Pooled, pooled
from askance.estimators.groups.sample_test import SampleTest, dealt_out
from askance.typing import Floats, Integers


@checked
def kolmogorov_test(
    samples: Mapping[str, Ranges], *, permutations: int = 999, rng: Any = None
) -> SampleTest:
    r"""Test whether groups have one distribution, against any difference.

    .. math:: D = \max_g \sqrt{\frac{n_g}{1 - n_g / n}} \sup_t
              \Bigl|\frac{1}{n_g} \sum_{i \in g} w_i P(Y \le t \mid Y \in R_i) - F(t)\Bigr|

    with F the most likely distribution of all groups together and P its chances. Where two groups'
    numbers are exact, D is that of Kolmogorov and Smirnov, times √(n₁ n₂ / n). It needs one fit,
    however many permutations. `log_rank_test` sees sooner that one group is ahead throughout; this
    test also sees curves that cross.

    Parameters
    ----------
    samples : mapping of str to Ranges
        The ranges of each group, of any shape. Weights are counts.
    permutations : int
        How often to deal the ranges out to the groups again; at least one.
    rng : optional
        Of the permutations, as `numpy.random.default_rng` takes it.

    Returns
    -------
    SampleTest
        The score of a group is its largest difference from all together: above 0 where more of its
        numbers are small. The p-value holds for any size if how ranges came about (the law of the
        cuts) is the same in all groups.

    Raises
    ------
    InputError
        If there are fewer than two groups, one is empty, a weight is not a whole number, a thousand
        million ranges are to be permuted, or the number of permutations is not a whole number.

    References
    ----------
    Smirnov (1939) for exact numbers; Turnbull (1976) for the chances inside a range.

    >>> few, many = Ranges([0, 1, 2, 3], [2, 3, 5, 6]), Ranges([3, 5, 6, 7], [7, 6, 9, 8])
    >>> kolmogorov_test({"left": few, "right": many}, rng=1)
    Kolmogorov test of one distribution
    group  n   score
    left   4   0.375
    right  4  -0.375
    statistic 1.061
    p 0.063 from 999 permutations
    """
    pool = pooled(samples)

    def statistic(counts: Integers) -> float:
        sizes = pool.sizes
        scale = np.sqrt(sizes / (1 - sizes / sizes.sum()))
        return float(np.max(scale * np.abs(_largest(pool, counts))))

    return SampleTest(
        method="Kolmogorov",
        labels=pool.labels,
        n=pool.sizes.astype(float),
        score=_largest(pool, pool.counts),
        statistic=statistic(pool.counts),
        freedom=0,
        p_asymptotic=float("nan"),
        p_permutation=dealt_out(pool, statistic, permutations, rng),
        permutations=permutations,
    )


def _largest(pool: Pooled, counts: Integers) -> Floats:
    """Give each group's largest difference from all together, with its sign."""
    m, pieces = len(pool.mass), np.diff(np.append(pool.starts, len(pool.first)))
    upto, found = np.cumsum(pool.mass), np.empty(len(counts))
    for at, count in enumerate(counts):
        pull = np.repeat(count / pool.chance, pieces)
        begun = np.bincount(pool.first, pull, m + 1) - np.bincount(pool.past, pull, m + 1)
        away = np.cumsum(pool.mass * np.cumsum(begun)[:-1]) / count.sum() - upto
        found[at] = away[np.argmax(np.abs(away))]
    return found
