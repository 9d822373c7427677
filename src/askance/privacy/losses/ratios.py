"""The largest ratio of two lists of chances: exact, or rounded towards caution."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.privacy.guarantee import Guarantee, Notion

Ratio = Fraction | float
PairRatio = Callable[[int, int], tuple[Ratio, int]]

_SLACK = 2.0**-40


def largest_ratio(
    above: npt.NDArray[Any], below: npt.NDArray[Any], *, exact: bool
) -> tuple[Ratio, int]:
    """Give the largest ratio and where it is, with 0/0 left out and a/0 = ∞.

    Parameters
    ----------
    above, below : array, shape (m,)
        Not all zero; whole numbers as doubles, or objects with exact arithmetic, where ``exact``.
    exact : bool
        If not, the ratio is rounded up by more than what sums of doubles can lose.

    >>> largest_ratio(np.array([1.0, 6.0, 3.0]), np.array([6.0, 1.0, 3.0]), exact=True)
    (Fraction(6, 1), 1)
    """
    sure = (below == 0) & (above > 0)
    if sure.any():
        return math.inf, int(np.argmax(sure))
    if above.dtype == object:
        pairs = enumerate(zip(above, below, strict=True))
        found, back = max((Fraction(a) / b, -at) for at, (a, b) in pairs if b)
        return found, -back
    ratios = np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
    top = ratios.max()
    if not exact:
        return float(top) * (1 + _SLACK), int(np.argmax(ratios))
    best, at = Fraction(0), 0
    for column in np.flatnonzero(ratios >= top * (1 - _SLACK)).tolist():
        over, under = int(above[column]), int(below[column])
        if over * best.denominator > best.numerator * under:
            best, at = Fraction(over, under), column
    return best, at


def between_rows(rows: npt.NDArray[Any], *, exact: bool) -> PairRatio:
    """Compare the rows of one array: the ratio of a row over itself is 1.

    >>> between_rows(np.array([[3.0, 1.0], [1.0, 3.0]]), exact=True)(1, 0)
    (Fraction(3, 1), 1)
    """

    def ratio(x: int, other: int) -> tuple[Ratio, int]:
        if x == other:
            return Fraction(1), 0
        return largest_ratio(rows[x], rows[other], exact=exact)

    return ratio


def worst_pair(
    notion: Notion,
    answers: Sequence[str],
    ratio: PairRatio,
    named: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> Guarantee:
    """Fill the matrix of pairs of answers and find its worst entry.

    Parameters
    ----------
    notion : Notion
    answers : sequence of str
    ratio : callable
        The worst ratio of one row over another, and the column at which it is attained.
    named : callable
        Names a column.
    diagonal : bool
        Whether an answer beside itself counts.
    """
    rows = range(len(answers))
    cells = [[ratio(x, other) for other in rows] for x in rows]
    worst: Ratio = Fraction(1)
    where = "by every report alike"
    for x in rows:
        for other in rows:
            value, column = cells[x][other]
            if (x != other or diagonal) and value > worst:
                worst, where = (
                    value,
                    f"{named(column)} between {answers[x]!r} and {answers[other]!r}",
                )
    return Guarantee(notion, worst, where, tuple(tuple(v for v, _ in row) for row in cells))
