"""The largest ratios between rows of chances: the worst of all by columns, the others when asked.

A column's largest ratio is that of its largest entry over its least, so the worst of all pairs of
rows is found in one pass over the columns. Ratios of one row over all others are computed when they
are asked for.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.privacy.guarantee import Guarantee, Notion, Pairs, PairsByRow, Ratio
from askance.typing import Booleans, Floats

Cell: TypeAlias = tuple[Ratio, int]
"""The largest ratio of a row over another, and the first column that attains it."""

Worst: TypeAlias = tuple[Ratio, int, int, int]
"""The largest ratio of all, the row, the other row and the column."""

_SLACK = 2.0**-40  # more than two sums of 4,000 doubles, and their ratio, lose
_CLOSE = 1e-12  # more than the ratio of two rounded doubles loses
_SMALLEST = 1e-290  # doubles below lose digits
_AT_ONCE = 1 << 20  # so many entries are compared at a time, which bounds the memory
_FEW = 8  # rows, whose ratios are sooner all computed than the worst is looked for
_WIDE = 64  # times as many columns as rows: too much to keep for ratios that nobody may ask for


@final
@dataclass(frozen=True, slots=True, eq=False)
class RankedEntries:
    """Numbers in rows that compare as their ranks do.

    Attributes
    ----------
    ranks : array, shape (k, m)
        The numbers themselves, where they are doubles; else their places among ``values``.
    values : tuple of (int or Fraction), or None
        All numbers there are, ascending.
    near : array of float, or None
        Doubles in proportion to them, up to rounding; None if some are too small.
    """

    ranks: npt.NDArray[Any]
    values: tuple[Any, ...] | None = None
    near: Floats | None = None

    @classmethod
    def of(cls, rows: npt.NDArray[Any]) -> "RankedEntries":
        """Rank numbers of any size, that are not doubles."""
        if rows.dtype != object:
            return cls(_read_only_view(rows))
        listed = rows.tolist()
        values = tuple(sorted(set().union(*listed)))
        places = {value: rank for rank, value in enumerate(values)}
        ranks = np.array([[places[entry] for entry in row] for row in listed], dtype=np.int64)
        most = Fraction(values[-1] or 1)
        near = np.array([float(value / most) for value in values])
        small = any(
            value > 0 and double < _SMALLEST
            for value, double in zip(values, near.tolist(), strict=True)
        )
        return cls(_read_only_view(ranks), values, None if small else _read_only_view(near))

    def doubles(self, ranks: npt.NDArray[Any]) -> Floats | None:
        """Some of the numbers, by their ranks, as doubles in proportion to them."""
        if self.values is None:
            return ranks
        return None if self.near is None else self.near[ranks]

    def positive(self, ranks: npt.NDArray[Any]) -> Booleans:
        """Say which of some numbers, by their ranks, are not zero."""
        zeros = self.values is None or not self.values[0]
        return ranks > 0 if zeros else np.ones(ranks.shape, dtype=bool)

    def value(self, rank: Any) -> Any:
        """One number, exactly, by its rank."""
        return int(rank) if self.values is None else self.values[rank]


def _read_only_view(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = values.view()
    view.setflags(write=False)
    return view


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """The largest ratio of each row over each other, with 0/0 left out and a/0 = ∞.

    Attributes
    ----------
    above, below : Entries
        As many rows each.
    exact : bool
        If not, ratios are rounded up by more than what sums of doubles can lose.
    own : bool
        Whether both are one, so that the ratio of a row over itself is 1.

    >>> rows = RankedEntries.of(np.array([[1.0, 6.0, 3.0], [6.0, 1.0, 3.0]]))
    >>> ratios = Ratios(rows, rows, exact=True, own=True)
    >>> ratios(0), ratios.worst()
    ((Fraction(1, 1), Fraction(6, 1)), (Fraction(6, 1), 0, 1, 1))
    """

    above: RankedEntries
    below: RankedEntries
    exact: bool
    own: bool

    def __len__(self) -> int:
        return len(self.above.ranks)

    @classmethod
    def between(
        cls, above: npt.NDArray[Any], below: npt.NDArray[Any] | None = None, *, exact: bool
    ) -> "Ratios":
        """Compare the rows of one array with those of another, or with each other.

        Parameters
        ----------
        above, below : array, shape (k, m)
            No row all zero; whole numbers as doubles, or objects with exact arithmetic, where
            ``exact``.
        exact : bool
        """
        over = RankedEntries.of(above)
        return cls(over, over if below is None else RankedEntries.of(below), exact, below is None)

    def __call__(self, x: int) -> tuple[Ratio, ...]:
        """Give the largest ratio of one row over each."""
        return tuple(value for value, _ in self.cells(x))

    def cells(self, x: int) -> list[Cell]:
        """Give the largest ratio of one row over each, and where it is."""
        step = max(_AT_ONCE // self.below.ranks.shape[1], 1)
        parts = [self.below.ranks[start : start + step] for start in range(0, len(self), step)]
        row = self.above.ranks[x]
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.above.values is None:
                cells = [cell for part in parts for cell in _compare_rows(row, part, self.exact)]
            else:
                ratio_of: dict[tuple[int, int], Ratio] = {}
                cells = [
                    cell for part in parts for cell in self._compare_ranks(row, part, ratio_of)
                ]
        if self.own:
            cells[x] = Fraction(1), 0
        return cells

    def _compare_ranks(
        self, row: npt.NDArray[Any], below: npt.NDArray[Any], ratio_of: dict[tuple[int, int], Ratio]
    ) -> Iterator[Cell]:
        """Compare one row with several, exactly where doubles do not decide which is larger."""
        close = self.above.positive(row) | self.below.positive(below)
        rough, under = self.above.doubles(row), self.below.doubles(below)
        if rough is not None and under is not None:
            ratios = rough / under
            tops = np.fmax.reduce(ratios, axis=1)
            close &= (ratios >= (tops * (1 - _CLOSE))[:, None]) | np.isinf(ratios)
        for other, top in zip(below, close, strict=True):
            places = np.flatnonzero(top)
            firsts: dict[tuple[int, int], int] = {}
            pairs = zip(row[places].tolist(), other[places].tolist(), strict=True)
            for column, pair in zip(places.tolist(), pairs, strict=True):
                firsts.setdefault(pair, column)
            for pair in firsts.keys() - ratio_of.keys():
                ratio_of[pair] = self._ratio(*pair)
            largest, back = max((ratio_of[pair], -column) for pair, column in firsts.items())
            yield largest, -back

    def _ratio(self, above: Any, below: Any) -> Ratio:
        under = self.below.value(below)
        return Fraction(self.above.value(above)) / under if under else math.inf

    def worst(self, *, diagonal: bool = False) -> Worst | None:
        """Find the largest ratio, the first pair of rows that attains it, and its first column.

        Parameters
        ----------
        diagonal : bool
            Whether a row over itself counts.

        Returns
        -------
        tuple of (Fraction or float), int, int, int, or None
            None if no ratio is above 1.
        """
        if len(self) == 1 and not diagonal:
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = _ColumnExtremes.of(
                self.above.ranks, self.below.ranks, distinct_rows=not (diagonal or self.own)
            )
            value, attained = self._find_largest(ends.highs, ends.lows)
            if not value > 1:
                return None
            x = int(self._find_attaining(value, ends, attained).any(axis=1).argmax())
        cells = enumerate(self.cells(x))
        return next(
            (value, x, other, column)
            for other, (ratio, column) in cells
            if ratio == value and (diagonal or x != other)
        )

    def _find_largest(
        self, highs: npt.NDArray[Any], lows: npt.NDArray[Any]
    ) -> tuple[Ratio, Booleans]:
        """Find the largest of the ratios of some pairs, and say which pairs attain it."""
        if self.above.values is None:
            ratios = highs / lows * (1 if self.exact else 1 + _SLACK)
            top = float(np.fmax.reduce(ratios, axis=None))
            tied = ratios == top
            if top == math.inf or not self.exact:
                return top, tied
        else:
            tied = self.above.positive(highs) | self.below.positive(lows)
        pairs = list(zip(highs[tied].tolist(), lows[tied].tolist(), strict=True))
        ratio_of = {pair: self._ratio(*pair) for pair in set(pairs)}
        most = max(ratio_of.values())
        winners = {pair for pair, ratio in ratio_of.items() if ratio == most}
        tied[tied] = [pair in winners for pair in pairs]
        return most, tied

    def _find_attaining(
        self, value: Ratio, ends: "_ColumnExtremes", attained: Booleans
    ) -> Booleans:
        """Say which entries attain the largest ratio, among the columns that do."""
        columns = np.flatnonzero(attained.any(axis=0))
        above, below = self.above.ranks[:, columns], ends.lows_of_others(columns, len(self))
        if not self.exact:  # where a ratio of doubles may overflow, too
            rounded: Booleans = above / below * (1 + _SLACK) == float(value)
            return rounded
        if value == math.inf:
            return self.above.positive(above) & ~self.below.positive(below)
        attaining = np.zeros(above.shape, dtype=bool)
        for highs, lows, attained_row in zip(ends.highs, ends.lows, attained, strict=True):
            attaining |= (
                (above == highs[columns]) & (below == lows[columns]) & attained_row[columns]
            )
        return attaining


@final
@dataclass(frozen=True, slots=True, eq=False)
class _ColumnExtremes:
    """The largest entry above and the least below of each column: of two rows, where asked so.

    Attributes
    ----------
    highs, lows : array, shape (1 or 2, m)
        One of them in each column has the largest ratio.
    low, next_low : array, shape (m,)
        The least entry below, and the next one.
    least : array of int, shape (m,), or None
        Which row has the least entry below; None if that of the same row counts, too.
    """

    highs: npt.NDArray[Any]
    lows: npt.NDArray[Any]
    low: npt.NDArray[Any]
    next_low: npt.NDArray[Any]
    least: npt.NDArray[np.int64] | None

    @classmethod
    def of(
        cls, above: npt.NDArray[Any], below: npt.NDArray[Any], *, distinct_rows: bool
    ) -> "_ColumnExtremes":
        """Go through the columns of two arrays of as many rows."""
        if not distinct_rows:
            low = below.min(axis=0)
            return cls(above.max(axis=0)[None], low[None], low, low, None)
        rows, most, least = np.arange(above.shape[1]), above.argmax(axis=0), below.argmin(axis=0)
        high, low = above[most, rows], below[least, rows]
        rest, others = above.copy(), below.copy()
        rest[most, rows], others[least, rows] = above.min(), below.max()
        next_high, next_low, same = rest.max(axis=0), others.min(axis=0), most == least
        highs = np.stack([np.where(same, next_high, high), high])
        lows = np.stack([low, np.where(same, next_low, low)])
        return cls(highs, lows, low, next_low, least)

    def lows_of_others(self, columns: npt.NDArray[np.int64], rows: int) -> npt.NDArray[Any]:
        """For each row, the least entries below among the other rows."""
        others_low = np.repeat(self.low[None, columns], rows, axis=0)
        if self.least is not None:
            others_low[self.least[columns], np.arange(len(columns))] = self.next_low[columns]
        return others_low


def worst_pair(
    notion: Notion,
    answers: Sequence[str],
    ratios: Ratios,
    named: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> Guarantee:
    """Find the worst pair of answers; the ratios of all pairs are computed when read.

    Parameters
    ----------
    notion : Notion
    answers : sequence of str
    ratios : Ratios
    named : callable
        Names a column.
    diagonal : bool
        Whether an answer beside itself counts.
    """
    size = len(answers)
    pairs: Pairs
    if size > _FEW and ratios.above.ranks.shape[1] <= _WIDE * size:
        worst, pairs = ratios.worst(diagonal=diagonal), PairsByRow(size, ratios)
    else:
        cells = [ratios.cells(x) for x in range(size)]
        worst, pairs = (
            _find_worst(cells, diagonal),
            tuple(tuple(v for v, _ in row) for row in cells),
        )
    if worst is None:
        return Guarantee(notion, Fraction(1), "by every report alike", pairs)
    value, x, other, column = worst
    where = f"{named(column)} between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(notion, value, where, pairs)


def _find_worst(cells: Sequence[Sequence[Cell]], diagonal: bool) -> Worst | None:
    """Find the largest ratio above 1 of all pairs of rows."""
    worst: Worst | None = None
    for x, row in enumerate(cells):
        for other, (value, column) in enumerate(row):
            if value > (worst[0] if worst else 1) and (diagonal or x != other):
                worst = value, x, other, column
    return worst


def _compare_rows(row: npt.NDArray[Any], below: npt.NDArray[Any], exact: bool) -> Iterator[Cell]:
    """Compare one row with several.

    Division keeps the order up to ties, and whole doubles whose ratio rounds to one are equal.
    """
    ratios = row / below
    tops = np.fmax.reduce(ratios, axis=1)
    tied = ratios == tops[:, None]
    firsts, ties = tied.argmax(axis=1).tolist(), tied.sum(axis=1).tolist()
    ratio_of: dict[tuple[int, int], Fraction] = {}
    for other, (top, column) in enumerate(zip(tops.tolist(), firsts, strict=True)):
        if top == math.inf:
            yield math.inf, column
        elif not exact:
            yield top * (1 + _SLACK), column
        elif ties[other] == 1 or top == 1:
            pair = int(row[column]), int(below[other, column])
            if pair not in ratio_of:
                ratio_of[pair] = Fraction(*pair)
            yield ratio_of[pair], column
        else:
            yield _break_tie(row, below[other], np.flatnonzero(tied[other]))


def _break_tie(row: npt.NDArray[Any], other: npt.NDArray[Any], places: npt.NDArray[Any]) -> Cell:
    """Find the largest of ratios that are equal as doubles, and its first column."""
    pairs = zip(row[places].tolist(), other[places].tolist(), strict=True)
    firsts: dict[tuple[float, float], int] = {}
    for column, pair in zip(places.tolist(), pairs, strict=True):
        firsts.setdefault(pair, column)
    largest, back = max((Fraction(int(a), int(b)), -column) for (a, b), column in firsts.items())
    return largest, -back
