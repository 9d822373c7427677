"""Goodness of fit of list experiments: whether one more item added 0 or 1 to everybody's count."""

from collections.abc import Sequence

import numpy as np
from scipy.special import gammaln

from askance.inference.fit_result import FitClaim, FitTest, GoodnessOfFit
from askance.typing import Floats, Integers

_MOST = 1e9  # people: of more, logarithms of how many ways there are lose the digits


def list_fit(counts: Floats, people: Floats, names: Sequence[str]) -> GoodnessOfFit:
    r"""Test that each list with one more item is counted as that without it allows.

    Whoever the people are, an item that adds 0 or 1 to everybody's count leaves
    F₀(y − 1) ≤ F₁(y) ≤ F₀(y) for every y, with F₁ and F₀ the shares of those who count at most y
    items with it and without. Each of these 2J inequalities is tested by Fisher's exact test, the
    smallest p-value taken 2J times: honest counts are doubted at most as often as it says, however
    few people there are. `design_effect_test` asks the same of all together, for many people.

    Parameters
    ----------
    counts : array, shape (1 + M, J + 2)
        How many people of each group gave each count, the control group first.
    people : array, shape (1 + M,)
        How many people drawn alike each group is worth.
    names : sequence of str, length M
        What was added to each of the other lists.

    References
    ----------
    Agresti (1992), the test; Blair & Imai (2012), the inequalities.

    >>> counts = np.array([[10.0, 30, 40, 20, 0], [10, 60, 20, 6, 4]])
    >>> print(*list_fit(counts, np.full(2, 100.0), ["“a”"]).misfit)
    misfit (p ...): A count of at most 1 with “a” listed came 70 times where 10 to 40 are due; ...
    """
    upto = np.cumsum(counts, axis=1)[:, :-1] / counts.sum(axis=1, keepdims=True)
    lists = zip(upto[1:], people[1:], names, strict=True)
    first = upto[0], min(float(people[0]), _MOST)
    tests = (_test_worst((up, min(float(n), _MOST)), first, name) for up, n, name in lists)
    return GoodnessOfFit(tests=tuple(tests))


def fit_of_answers(
    arm: Integers, count: Integers, people: Floats, names: Sequence[str], items: int
) -> GoodnessOfFit:
    """Test the fit of what each respondent said, everybody counting once.

    Parameters
    ----------
    arm : array of int, shape (n,)
        0 of those who saw no further item.
    count : array of int, shape (n,)
    people : array, shape (n,)
        How many people each row is.
    names : sequence of str
    items : int
        J.

    >>> arm, count = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    >>> fit_of_answers(arm, count, np.full(4, 100.0), ["“a”"], 1).doubted
    False
    """
    counts = np.zeros((1 + len(names), items + 2))
    np.add.at(counts, (arm, count), people)
    return list_fit(counts, counts.sum(axis=1), names)


def _test_worst(group: tuple[Floats, float], control: tuple[Floats, float], name: str) -> FitTest:
    """Test the inequality that fits worst, of all of one item."""
    (share, n), (most, others) = group, control
    least = np.append(0.0, most[:-1])
    tails = _bound_tails(share, n, share.clip(least, most), others)
    y, many = int(np.argmin(tails)), 2 * (len(share) - 1)
    at_most = f"at most {y}" if y else "0"
    return FitTest(
        claim=FitClaim.ADDED_ITEM,
        event=f"A count of {at_most} with {name} listed",
        observed=n * float(share[y]),
        expected=(n * float(least[y]), n * float(most[y])),
        reports=n,
        statistic=n * float(share[y]),
        p_value=min(1.0, many * float(tails[y])),
    )


def _bound_tails(share: Floats, n: float, nearest: Floats, others: float) -> Floats:
    """Bound Fisher's p-value that a share of n people lies so far from that of others.

    Its terms fall ever faster: their sum is at most the first, times that of a geometric series.
    """
    high = share > nearest  # else the share that does not count so few is the one too large
    a, b = n * np.where(high, share, 1 - share), others * np.where(high, nearest, 1 - nearest)
    first = _log_binomial(n, a) + _log_binomial(others, b) - _log_binomial(n + others, a + b)
    falls = b * (n - a) / ((a + 1) * (others - b + 1))
    is_bounded = (share != nearest) & (falls < 1)
    return np.where(is_bounded, np.exp(first) / np.where(is_bounded, 1 - falls, 1.0), 1.0)


def _log_binomial(n: float, chosen: Floats) -> Floats:
    """The logarithm of in how many ways so many of n are chosen."""
    return gammaln(n + 1) - gammaln(chosen + 1) - gammaln(n - chosen + 1)
