"""The largest ratio of two lists of chances: exact, or rounded towards caution."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.privacy.guarantee import Guarantee, Notion
from askance.typing import Floats

Ratio = Fraction | float
Cell = tuple[Ratio, int]

_SLACK = 2.0**-40  # more than two sums of 4,000 doubles, and their ratio, lose
_CLOSE = 1e-12  # more than the ratio of two rounded doubles loses
_SMALLEST = 1e-290  # doubles below lose digits
_AT_ONCE = 1 << 20  # so many entries are compared at a time, which bounds the memory


def largest_ratios(
    above: npt.NDArray[Any], below: npt.NDArray[Any], *, exact: bool
) -> list[list[Cell]]:
    """Give for each two rows the largest ratio and where it is, with 0/0 left out and a/0 = ∞.

    Parameters
    ----------
    above : array, shape (k, m)
    below : array, shape (l, m)
        No row all zero; whole numbers as doubles, or objects with exact arithmetic, where
        ``exact``.
    exact : bool
        If not, the ratio is rounded up by more than what sums of doubles can lose.

    >>> rows = np.array([[1.0, 6.0, 3.0], [6.0, 1.0, 3.0]])
    >>> largest_ratios(rows[:1], rows, exact=True)
    [[(Fraction(1, 1), 0), (Fraction(6, 1), 1)]]
    """
    step = max(_AT_ONCE // below.shape[1], 1)
    parts = [slice(at, at + step) for at in range(0, len(below), step)]
    with np.errstate(divide="ignore", invalid="ignore"):
        if above.dtype != object:
            return [
                [cell for part in parts for cell in _over(row, below[part], exact)] for row in above
            ]
        near, under = _nearly(above), _nearly(below)
        if near is None or under is None:
            return [[_of_objects(row, other) for other in below] for row in above]
        return [
            [
                cell
                for part in parts
                for cell in _over_objects(row, below[part], rough / under[part])
            ]
            for row, rough in zip(above, near, strict=True)
        ]


def _over(row: npt.NDArray[Any], below: npt.NDArray[Any], exact: bool) -> Iterator[Cell]:
    """Compare one row with several.

    Division keeps the order up to ties, and whole doubles whose ratio rounds to one are equal.
    """
    ratios = row / below
    tops = np.fmax.reduce(ratios, axis=1)
    tied = ratios == tops[:, None]
    firsts, ties = tied.argmax(axis=1).tolist(), tied.sum(axis=1).tolist()
    for other, (top, at) in enumerate(zip(tops.tolist(), firsts, strict=True)):
        if top == math.inf:
            yield math.inf, at
        elif not exact:
            yield top * (1 + _SLACK), at
        elif ties[other] == 1 or top == 1:
            yield Fraction(int(row[at]), int(below[other, at])), at
        else:
            places = np.flatnonzero(tied[other]).tolist()
            cells = (
                (Fraction(int(row[place]), int(below[other, place])), -place) for place in places
            )
            found, back = max(cells)
            yield found, -back


def _nearly(rows: npt.NDArray[Any]) -> Floats | None:
    """Give doubles in proportion to exact numbers, up to rounding; None if some are too small."""
    most = Fraction(max(rows.flat) or 1)
    found = np.array([[float(entry / most) for entry in row] for row in rows])
    return None if np.any((rows > 0) & (found < _SMALLEST)) else found


def _over_objects(row: npt.NDArray[Any], below: npt.NDArray[Any], ratios: Floats) -> Iterator[Cell]:
    """Compare one row with several, exactly where doubles do not tell which ratio is larger."""
    tops = np.fmax.reduce(ratios, axis=1)
    close = (ratios >= (tops * (1 - _CLOSE))[:, None]) | np.isinf(ratios)
    for other, top in zip(below, close, strict=True):
        places = np.flatnonzero(top).tolist()
        firsts: dict[tuple[Any, Any], int] = {}
        for at in places:
            firsts.setdefault((row[at], other[at]), at)
        cells = ((Fraction(a) / b if b else math.inf, -at) for (a, b), at in firsts.items())
        found, back = max(cells)
        yield found, -back


def _of_objects(above: npt.NDArray[Any], below: npt.NDArray[Any]) -> Cell:
    sure = (below == 0) & (above > 0)
    if sure.any():
        return math.inf, int(np.argmax(sure))
    pairs = enumerate(zip(above, below, strict=True))
    found, back = max((Fraction(a) / b, -at) for at, (a, b) in pairs if b)
    return found, -back


def between_rows(rows: npt.NDArray[Any], *, exact: bool) -> list[list[Cell]]:
    """Compare the rows of one array: the ratio of a row over itself is 1.

    >>> between_rows(np.array([[3.0, 1.0], [1.0, 3.0]]), exact=True)[1]
    [(Fraction(3, 1), 1), (Fraction(1, 1), 0)]
    """
    cells = largest_ratios(rows, rows, exact=exact)
    for at, row in enumerate(cells):
        row[at] = Fraction(1), 0
    return cells


def worst_pair(
    notion: Notion,
    answers: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    named: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> Guarantee:
    """Fill the matrix of pairs of answers and find its worst entry.

    Parameters
    ----------
    notion : Notion
    answers : sequence of str
    cells : sequence of sequence of tuple
        The worst ratio of one row over another, and the column at which it is attained.
    named : callable
        Names a column.
    diagonal : bool
        Whether an answer beside itself counts.
    """
    rows = range(len(answers))
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
