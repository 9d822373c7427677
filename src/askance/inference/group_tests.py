"""Tests whether several groups of interval-censored numbers have one distribution."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

import numpy as np
from scipy.special import gammaincc

from askance.channels.ranges import Ranges, refuse_truncation
from askance.inference.provenance import Computation, GroupTest
from askance.inference.ranges.npmle import npmle
from askance.random_streams import random_stream
from askance.results import (
    Listing,
    json_of,
    listed,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_FEW = 10_000_000  # ranges that are dealt one by one
_MOST_DEALS = 10_000_000
_MOST = 1_000_000_000  # what NumPy deals


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pooled:
    """The ranges of all groups, fitted as if there were one.

    Attributes
    ----------
    labels : tuple of str
    counts : array of int, shape (groups, n)
        How often each group observed each range.
    mass : array, shape (m,)
        The most likely distribution of all numbers, ascending.
    first, past : array of int, one for each piece
        The places that it holds.
    starts : array of int, shape (n,)
        The first piece of each range.
    chance : array, shape (n,)
        The mass of each range.
    window : (array of int, array of int) or None
        The first place that the window of each truncated range holds, and that behind its last.
    """

    labels: tuple[str, ...]
    counts: Integers
    mass: Floats
    first: Integers
    past: Integers
    starts: Integers
    chance: Floats
    window: tuple[Integers, Integers] | None

    @property
    def sizes(self) -> Integers:
        """The number of observations in each group."""
        sizes: Integers = self.counts.sum(axis=1)
        return sizes

    def expected(self, values: Floats) -> Floats:
        """Average a value of each place over each range, under the fitted distribution.

        Of truncated ranges less its average over their windows.
        """
        upto = np.concatenate([[0.0], np.cumsum(self.mass * values)])
        inside: Floats = np.add.reduceat(upto[self.past] - upto[self.first], self.starts)
        if self.window is None:
            return inside / self.chance
        first, past = self.window
        before = np.concatenate([[0.0], np.cumsum(self.mass)])
        window_chance, has_mass = before[past] - before[first], self.chance > 0
        average = (upto[past] - upto[first]) / np.where(window_chance > 0, window_chance, 1.0)
        return np.where(has_mass, inside / np.where(has_mass, self.chance, 1.0) - average, 0.0)

    def shuffled(self, times: int, rng: np.random.Generator) -> Iterator[Integers]:
        """Permute the ranges between groups of fixed sizes, all permutations equally likely."""
        total = self.counts.sum(axis=0)
        if times > _MOST_DEALS:
            allowed = f"at most {_MOST_DEALS:,}"
            raise InputError("permutations", got=times, allowed=allowed)
        if times and total.sum() >= _MOST:
            raise InputError(
                "permutations",
                got=f"{times} of {total.sum():,} ranges",
                allowed=f"fewer than {_MOST:,} ranges",
                remedy="permutations=0 with log_rank_test, whose asymptotic p-value needs none",
            )
        method: Literal["count", "marginals"] = "count" if total.sum() <= _FEW else "marginals"
        for _ in range(times):
            remaining, dealt = total.copy(), np.empty_like(self.counts)
            for group, size in enumerate(self.sizes[:-1]):
                dealt[group] = rng.multivariate_hypergeometric(remaining, size, method=method)
                remaining -= dealt[group]
            dealt[-1] = remaining
            yield dealt


def pool_groups(samples: Mapping[str, Ranges]) -> Pooled:
    """Fit one distribution to all groups.

    Raises
    ------
    InputError
        If there are fewer than two groups, one is empty, or a weight is not a whole number.

    >>> pool = pool_groups({"a": Ranges([0, 0], [1, 2]), "b": Ranges([1], [2], [2])})
    >>> pool.counts.tolist(), pool.mass.round(9).tolist(), pool.chance.round(9).tolist()
    ([[1, 1, 0], [0, 0, 2]], [0.333333333, 0.666666667], [0.333333333, 1.0, 0.666666667])
    """
    if len(samples) < 2:
        raise InputError("samples", got=f"{len(samples)} group", allowed="two groups or more")
    groups = [_require_counts(label, ranges) for label, ranges in samples.items()]
    together = _concatenate(groups)
    fit, windows = npmle(together), together.windows
    first = np.searchsorted(fit.lower, together.lower, side="left")
    past = np.searchsorted(fit.upper, together.upper, side="right")
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    starts = together.starts[:-1]
    counts = np.zeros((len(groups), len(together)), dtype=np.int64)
    ends = np.cumsum([0, *(len(ranges) for ranges in groups)])
    for group, ranges in enumerate(groups):
        counts[group, ends[group] : ends[group + 1]] = ranges.weights
    return Pooled(
        labels=tuple(str(label) for label in samples),
        counts=counts,
        mass=fit.mass,
        first=first,
        past=past,
        starts=starts,
        chance=np.add.reduceat(upto[past] - upto[first], starts),
        window=None
        if windows is None
        else (
            np.searchsorted(fit.lower, windows.lower, side="left"),
            np.searchsorted(fit.upper, windows.upper, side="right"),
        ),
    )


def _concatenate(groups: Sequence[Ranges]) -> Ranges:
    """List the ranges of all groups."""
    truncated = any(ranges.entry is not None for ranges in groups)
    return Ranges(
        np.concatenate([ranges.lower for ranges in groups]),
        np.concatenate([ranges.upper for ranges in groups]),
        np.concatenate([ranges.weights for ranges in groups]),
        pieces=np.concatenate([np.diff(ranges.starts) for ranges in groups]),
        entry=_sides(groups, -np.inf) if truncated else None,
        exit=_sides(groups, np.inf) if truncated else None,
    )


def _sides(groups: Sequence[Ranges], none: float) -> Floats:
    ends = [ranges.entry if none < 0 else ranges.exit for ranges in groups]
    pairs = zip(groups, ends, strict=True)
    return np.concatenate(
        [np.full(len(ranges), none) if end is None else end for ranges, end in pairs]
    )


def _require_counts(label: str, ranges: Ranges) -> Ranges:
    """Keep the ranges that were observed, each a whole number of times."""
    if not ranges.total > 0:
        raise InputError(
            f"samples[{label!r}]", got="no range", allowed="at least one with a positive weight"
        )
    if np.any(ranges.weights != np.floor(ranges.weights)):
        raise InputError(
            f"samples[{label!r}]",
            got="weights that are not whole",
            allowed="how often each range was observed: whole numbers",
            remedy="of a complex sample, censored_regression by group takes sampling=",
        )
    return ranges[ranges.weights > 0]


_ROUNDING = 1e-9  # relative; deals so near the true one count as extreme


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampleTest:
    """A test of the claim that every group's numbers have the same distribution.

    Attributes
    ----------
    method : GroupTest
    labels : tuple of str
    n : array, shape (k,)
        How many numbers each group has.
    score : array, shape (k,)
        How far each group is from all together: see the test.
    statistic : float
    df : int
        Degrees of freedom of its χ² limit; 0 if it has none.
    p_asymptotic : float
        How often χ² is at least the statistic; not a number if it has no such limit.
    p_permutation : float
        How often dealing the ranges out again makes the statistic as large; not a number if none
        were dealt out.
    permutations : int

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.group_tests import log_rank_test
    >>> first, second = Ranges([0, 2], [2, 4], counts=[9, 1]), Ranges([2], [4], counts=[10])
    >>> test = log_rank_test({"first": first, "second": second}, rng=1)
    >>> test.p_value, test.score.tolist()
    (0.001, [4.5, -4.5])
    """

    computation: ClassVar[Computation] = Computation.GROUP_TEST
    method: GroupTest
    labels: tuple[str, ...]
    n: Floats
    score: Floats
    statistic: float
    df: int
    p_asymptotic: float
    p_permutation: float
    permutations: int

    @property
    def p_value(self) -> float:
        """The p-value of the permutations, or the asymptotic one if there were none."""
        return self.p_permutation if self.permutations else self.p_asymptotic

    def to_dict(self) -> Json:
        """Write the test for JSON; None is a number that was not computed."""
        return json_of(self)

    def _table(self) -> Listing:
        rows = [
            [label, f"{n:,.0f}", number(float(score))]
            for label, n, score in zip(self.labels, self.n, self.score, strict=True)
        ]
        notes = [f"statistic {number(self.statistic)}"]
        if self.df:
            notes = [f"χ² {number(self.statistic)} on {self.df}, p {self.p_asymptotic:.3g}"]
        if self.permutations:
            notes.append(f"p {self.p_permutation:.3g} from {self.permutations:,} permutations")
        return f"{self.method.value} test of one distribution", ["group", "n", "score"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def permutation_p_value(
    pool: Pooled,
    statistic: Callable[[Integers], float],
    permutations: int,
    dice: np.random.Generator,
) -> float:
    """Permutation p-value: how often permuted groups give a statistic as large.

    The share of deals, the true one among them, so that the test never rejects too often (Phipson &
    Smyth, 2010).

    Raises
    ------
    InputError
        If the number of permutations is not a whole number of at least 0.
    """
    if permutations < 0 or permutations != int(permutations):
        raise InputError("permutations", got=permutations, allowed="a whole number in [0, ∞)")
    if not permutations:
        return float("nan")
    least = statistic(pool.counts) * (1 - _ROUNDING)
    beyond = sum(statistic(deal) >= least for deal in pool.shuffled(int(permutations), dice))
    return (1 + beyond) / (1 + int(permutations))


_NOTHING = 1e-20  # variance of scores that are all the same


@checked
def log_rank_test(
    samples: Mapping[str, Ranges], *, permutations: int = 999, rng: Any = None
) -> SampleTest:
    r"""Log-rank test of interval-censored groups, where one may be ahead of another throughout.

    .. math:: U_g = \sum_{i \in g} w_i\, E[1 - \Lambda(Y) \mid Y \in R_i], \quad
              \chi^2 = \sum_g \frac{U_g^2}{n_g s^2}

    with F the most likely distribution of all groups together, Λ its cumulative hazard and s² the
    variance of the scores. Where numbers are exact or censored to the right, U is observed less
    expected; above 0 the group's numbers are small. Ranges may be of any shape. Of truncated ranges
    the average over the window is taken off: with delayed entry, at risk are those who entered.

    Parameters
    ----------
    samples : mapping of str to Ranges
        The ranges of each group. Weights are counts.
    permutations : int
        How often to deal the ranges out to the groups again; 0 for the asymptotic p-value alone.
    rng : seed or numpy Generator, optional
        Of the permutations.

    Returns
    -------
    SampleTest
        Both p-values hold if how ranges came about (the law of the cuts, and of entries and exits)
        is the same in all groups; the one from permutations then holds for any size.

    Raises
    ------
    InputError
        If there are fewer than two groups, one is empty, a weight is not a whole number, or a
        thousand million ranges are to be permuted.

    References
    ----------
    Sun (1996) for the scores; Fay & Shaw (2010) for this form, that of R's interval.

    >>> cut = Ranges.from_counts({(-np.inf, 5): 30, (5, np.inf): 10})
    >>> log_rank_test({"men": cut, "women": Ranges([-np.inf, 5], [5, np.inf], [18, 22])}, rng=1)
    log-rank test of one distribution
    group   n  score
    men    40      6
    women  40     -6
    χ² 7.406 on 1, p 0.0065
    p 0.007 from 999 permutations
    """
    pool = pool_groups(samples)
    scores = _log_rank_scores(pool)
    total, n = pool.counts.sum(axis=0), pool.counts.sum()
    scores = scores - total @ scores / n
    spread = float(total @ scores**2) / (n - 1)

    def statistic(counts: Integers) -> float:
        if spread <= _NOTHING:
            return 0.0
        return float(np.sum((counts @ scores) ** 2 / pool.sizes) / spread)

    value, df = statistic(pool.counts), len(pool.labels) - 1
    dice = random_stream(rng, "log_rank_test")
    return SampleTest(
        method=GroupTest.LOG_RANK,
        labels=pool.labels,
        n=pool.sizes.astype(float),
        score=pool.counts @ scores,
        statistic=value,
        df=df,
        p_asymptotic=float(gammaincc(df / 2, value / 2)),
        p_permutation=permutation_p_value(pool, statistic, permutations, dice),
        permutations=permutations,
    )


def _log_rank_scores(pool: Pooled) -> Floats:
    """Log-rank score of each range: its expected 1 − Λ."""
    beyond = np.cumsum(pool.mass[::-1])[::-1]
    return pool.expected(1 - np.cumsum(pool.mass / beyond))


@checked
def kolmogorov_test(
    samples: Mapping[str, Ranges], *, permutations: int = 999, rng: Any = None
) -> SampleTest:
    r"""Kolmogorov test of interval-censored groups, against any difference.

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
    rng : seed or numpy Generator, optional
        Of the permutations.

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
    p 0.057 from 999 permutations
    """
    for ranges in samples.values():
        refuse_truncation(ranges, "kolmogorov_test", "log_rank_test allows for them")
    pool = pool_groups(samples)

    def statistic(counts: Integers) -> float:
        sizes = pool.sizes
        scale = np.sqrt(sizes / (1 - sizes / sizes.sum()))
        return float(np.max(scale * np.abs(_largest_differences(pool, counts))))

    dice = random_stream(rng, "kolmogorov_test")
    return SampleTest(
        method=GroupTest.KOLMOGOROV,
        labels=pool.labels,
        n=pool.sizes.astype(float),
        score=_largest_differences(pool, pool.counts),
        statistic=statistic(pool.counts),
        df=0,
        p_asymptotic=float("nan"),
        p_permutation=permutation_p_value(pool, statistic, permutations, dice),
        permutations=permutations,
    )


def _largest_differences(pool: Pooled, counts: Integers) -> Floats:
    """Each group's largest difference from all together, with its sign."""
    m, pieces = len(pool.mass), np.diff(np.append(pool.starts, len(pool.first)))
    upto, largest = np.cumsum(pool.mass), np.empty(len(counts))
    for group, count in enumerate(counts):
        pull = np.repeat(count / pool.chance, pieces)
        begun = np.bincount(pool.first, pull, m + 1) - np.bincount(pool.past, pull, m + 1)
        away = np.cumsum(pool.mass * np.cumsum(begun)[:-1]) / count.sum() - upto
        largest[group] = away[np.argmax(np.abs(away))]
    return largest
