"""Observed ranges of any shape: each known to hold a number that nobody saw.

One convention for ends holds inside: every range is a union of pieces ``(lower, upper]``, in
doubles. An infinite end is no end. An exact number v is the piece from the double just below v up
to v; closed and open ends move by one double likewise. So no set needs a case of its own.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from askance.results import doubles, function_values, is_missing, numbers
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked, reads
from askance_collect.errors import InputError

Closed = Literal["right", "left", "both", "neither", "survival"]

_CONVENTIONS: dict[str, tuple[bool, bool]] = {  # whether the lower and the upper end are inside
    "right": (False, True),
    "left": (True, False),
    "both": (True, True),
    "neither": (False, False),
    "survival": (False, True),
}

_NO_NUMBERS = ("complex", "date", "time", "duration")


@final
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Ranges:
    """Interval-censored numbers: observed ranges, one per row, each known to hold its number.

    Parameters
    ----------
    lower, upper : array_like of shape (n,)
        Ends: lists, arrays or columns of a data frame; ``-inf`` and ``inf`` where there is none.
        Without ``upper``, ``lower`` has shape (n, 2), an array or a data frame of two columns, or
        holds intervals: what ``pandas.cut`` gives, an `IntervalArray`, an `IntervalIndex`.
    counts : array_like of shape (n,), optional
        How often each range was observed, or was expected to be; ones if left out. They are held as
        ``weights``. Sampling weights belong into a sampling design: intervals of a curve, of its
        mean and of quantiles would take them for so many people.
    closed : {"right", "left", "both", "neither", "survival"}
        Which ends are inside: "right" is ``(lower, upper]``, where equal ends are refused as empty;
        "both" is lifelines' ``[lower, upper]``, where equal ends are an exact number; "survival" is
        that of SurPyval and of R's survival and icenReg: ``(lower, upper]``, but equal ends are an
        exact number and one missing end is infinite. Intervals say themselves which are.
    pieces : array_like of int, shape (n,), optional
        How many consecutive rows of ``lower`` and ``upper`` each range takes; ones if left out.
        ``starts`` then says where each begins.
    entry, exit : float or array_like of shape (n,), optional
        Truncation: a row is in the data only because its number is in ``(entry, exit]``, as with
        delayed entry into a study; ``-inf`` and ``inf`` where every number would have been seen.
        Ranges are intersected with it, and estimates are conditional on it.

    A row without both ends is a blank, as in a table: it stays in its place, as ``(-inf, inf]``,
    and is counted 0 times, so that nothing is learnt from it. A missing interval is refused, since
    `pandas.cut` gives one for a number outside its bins, and so is a missing piece.

    Raises
    ------
    InputError
        If lengths differ, one end alone is missing, but for "survival", or is not a number, a piece
        is empty or reversed, a weight is negative or not finite, or the convention is unknown; or
        an entry or exit is missing, or leaves nothing of a range.

    >>> len(Ranges([-np.inf, 30], [30, np.inf], counts=[7, 5]))
    2
    >>> Ranges([[1, 1], [2, 5]], closed="both")[0]
    Ranges({1})
    >>> Ranges([-np.inf, 40, 20], [20, np.inf, 40], pieces=[2, 1])
    Ranges((-inf, 20] | (40, inf], (20, 40])
    >>> import pandas as pd
    >>> Ranges(pd.cut([31, 45, 62], [-np.inf, 30, 40, 50, np.inf]))
    Ranges((30, 40], (40, 50], (50, inf])
    >>> Ranges([0, np.nan, 2], [2, np.nan, 4]).weights.tolist()
    [1.0, 0.0, 1.0]
    >>> Ranges([-np.inf, 7], [5, np.inf], entry=[0, 4])  # left-censored, entered at 0
    Ranges((0, 5] given (0, inf], (7, inf] given (4, inf])

    A public function that takes `Ranges` takes all that ``lower`` may be alone, too.
    """

    lower: Floats
    upper: Floats
    weights: Floats
    starts: Integers
    entry: Floats | None
    exit: Floats | None

    def __init__(
        self,
        lower: Any,
        upper: Any = None,
        counts: npt.ArrayLike | None = None,
        *,
        closed: Closed = "right",
        pieces: npt.ArrayLike | None = None,
        entry: npt.ArrayLike | None = None,
        exit: npt.ArrayLike | None = None,
    ) -> None:
        intervals = _find_intervals(lower) if upper is None else None
        if intervals is not None:
            lower, upper, closed = _read_intervals(intervals, closed)
        low, high = _read_ends(lower, upper)
        is_ends = intervals is None and pieces is None  # pandas.cut: no interval, outside all bins
        blank = np.isnan(low) & np.isnan(high) & is_ends
        low[blank], high[blank] = -np.inf, np.inf
        low, high = _to_half_open(low, high, closed)
        starts = np.arange(len(low) + 1) if pieces is None else _read_starts(pieces, len(low))
        _refuse_empty(low, high, starts)
        if len(starts) <= len(low):
            low, high, starts = _merge_pieces(low, high, starts)
        observed = _read_counts(counts, len(starts) - 1)
        if blank.any():
            observed[blank] = 0
        window = _read_window(entry, exit, blank if pieces is None else np.zeros_like(observed) > 0)
        if window is not None:
            low, high, starts = _intersect(low, high, starts, window)
        _set_attributes(self, low, high, observed, starts, window)

    @classmethod
    @checked
    def unions(
        cls,
        ranges: Iterable[Iterable[Sequence[float]]],
        counts: npt.ArrayLike | None = None,
        *,
        closed: Closed = "right",
    ) -> "Ranges":
        """Take each range as a list of its pieces.

        >>> Ranges.unions([[(0, 1), (4, 9)], [(1, 4)]])
        Ranges((0, 1] | (4, 9], (1, 4])
        """
        rows = [list(pieces) for pieces in ranges]
        ends = [piece for pieces in rows for piece in pieces]
        if any(len(piece) != 2 for piece in ends):
            raise InputError("Ranges.unions", allowed="pieces (lower, upper)")
        lower, upper = np.array(ends, dtype=float).reshape(-1, 2).T
        return cls(lower, upper, counts, closed=closed, pieces=[len(pieces) for pieces in rows])

    @classmethod
    @checked
    def from_counts(
        cls, counts: Mapping[tuple[float, float], float], *, closed: Closed = "right"
    ) -> "Ranges":
        """Take distinct ranges with how often each was reported.

        >>> Ranges.from_counts({(-np.inf, 30): 7, (30, np.inf): 5}).total
        12.0
        """
        ends = np.array(list(counts), dtype=float).reshape(-1, 2)
        return cls(ends, counts=list(counts.values()), closed=closed)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refuse conversion to numbers, as by scores of scikit-learn that do not know ranges."""
        raise InputError(
            "Ranges",
            got="ranges where numbers are asked for",
            allowed="what takes ranges",
            remedy="score predictions of ranges by the learner's own score, or by "
            "askance.learn.concordance or interval_score",
        )

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, rows: Any) -> "Ranges":
        """Choose ranges as from an array; one number chooses one, still as `Ranges`."""
        chosen = np.atleast_1d(np.arange(len(self))[rows])
        count = np.diff(self.starts)[chosen]
        ends = np.concatenate([[0], np.cumsum(count)])
        index = np.arange(ends[-1]) + np.repeat(self.starts[chosen] - ends[:-1], count)
        window = None
        if self.entry is not None and self.exit is not None:
            window = self.entry[chosen], self.exit[chosen]
        chosen_ranges = object.__new__(Ranges)
        pieces = self.lower[index], self.upper[index]
        _set_attributes(chosen_ranges, *pieces, self.weights[chosen], ends, window)
        return chosen_ranges

    def __repr__(self) -> str:
        texts = [_describe_range(self, row) for row in range(min(len(self), 6))]
        more = [f"… {len(self) - 6:,} more"] if len(self) > 6 else []
        return f"Ranges({', '.join(texts + more)})"

    @property
    def shape(self) -> tuple[int]:
        """``(n,)``, as of a column: scikit-learn chooses rows of what has a shape."""
        return (len(self.weights),)

    @property
    def total(self) -> float:
        """How many numbers were observed, counting weights."""
        return float(self.weights.sum())

    @property
    def is_single_piece(self) -> bool:
        """Whether every range is one piece; row i then has ends ``lower[i]`` and ``upper[i]``."""
        return len(self.weights) == len(self.lower)

    @property
    def windows(self) -> "Ranges | None":
        """Where each row's number would have been observed; None where that is everywhere.

        >>> Ranges([3, 2], [5, 4], entry=[1, 2]).windows
        Ranges((1, inf], (2, inf])
        """
        if self.entry is None or self.exit is None:
            return None
        windows = object.__new__(Ranges)
        rows = np.arange(len(self) + 1)
        _set_attributes(windows, self.entry, self.exit, self.weights, rows, None)
        return windows

    def reweighed(self, weights: npt.ArrayLike) -> "Ranges":
        """Count the same ranges otherwise.

        >>> Ranges([0, 1], [1, 2]).reweighed([2.0, 3.0]).total
        5.0
        """
        pieces = None if self.is_single_piece else np.diff(self.starts)
        entry, exit_ = self.entry, self.exit
        return Ranges(self.lower, self.upper, weights, pieces=pieces, entry=entry, exit=exit_)

    def untruncated(self) -> "Ranges":
        """Take ranges as though every number would have been observed.

        >>> Ranges([3], [5], entry=1).untruncated()
        Ranges((3, 5])
        """
        if self.entry is None:
            return self
        pieces = None if self.is_single_piece else np.diff(self.starts)
        return Ranges(self.lower, self.upper, self.weights, pieces=pieces)


def _read_ranges(column: Any) -> Ranges | None:
    """Take two columns, or intervals, as ranges; anything else is something else."""
    if _find_intervals(column) is not None or len(_column_names(column)) == 2 or _is_pairs(column):
        return Ranges(column)
    return None


reads(Ranges, _read_ranges)


def _column_names(table: Any) -> list[Any]:
    """The names of a data frame's columns; pyarrow calls them otherwise."""
    names = getattr(table, "column_names", getattr(table, "columns", ()))
    return [] if callable(names) else list(names)


def _is_pairs(column: Any) -> bool:
    if isinstance(column, list | tuple):
        return bool(column) and all(
            isinstance(row, list | tuple) and len(row) == 2 for row in column
        )
    return isinstance(column, np.ndarray) and column.ndim == 2 and column.shape[1] == 2


def _find_intervals(column: Any) -> Any:
    """Find intervals of pandas, which is not imported for it; None where there are none.

    Gives what has their ``left``, ``right`` and ``closed``: of all, or of each.
    """
    categories: Any = getattr(getattr(column, "dtype", None), "categories", None)
    if _is_interval(categories):
        codes = np.asarray(getattr(column, "cat", column).codes)
        return categories.append(categories[:0]).take(codes, allow_fill=True, fill_value=None)
    array = getattr(column, "array", column)  # of a column
    if _is_interval(array):
        return array
    is_listed = (
        isinstance(column, list | tuple)
        or getattr(getattr(array, "dtype", None), "kind", "") == "O"
    )
    return list(array) if is_listed and len(array) and all(map(_is_interval, array)) else None


def _is_interval(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("left", "right", "closed"))


def _read_intervals(intervals: Any, closed: str) -> tuple[Any, Any, Any]:
    """The ends of intervals, and which are inside."""
    several = isinstance(intervals, list)
    closures = (
        sorted({interval.closed for interval in intervals}) if several else [intervals.closed]
    )
    if len(closures) > 1 or closed not in ("right", closures[0]):
        raise InputError(
            "Ranges.closed",
            got=f"{closed}, of intervals closed {' and '.join(closures)}",
            allowed="the closure of the intervals themselves, the same for all",
        )
    if several:
        return (
            [interval.left for interval in intervals],
            [interval.right for interval in intervals],
            closures[0],
        )
    return intervals.left, intervals.right, closures[0]


_Window = tuple[Floats, Floats]


def _set_attributes(
    ranges: Ranges,
    low: Floats,
    high: Floats,
    counts: Floats,
    starts: Integers,
    window: _Window | None,
) -> None:
    for name, value in (("lower", low), ("upper", high), ("weights", counts), ("starts", starts)):
        value.setflags(write=False)
        object.__setattr__(ranges, name, value)
    for name, ends in zip(("entry", "exit"), window or (None, None), strict=True):
        if ends is not None:
            ends.setflags(write=False)
        object.__setattr__(ranges, name, ends)


def _read_window(entry: Any, exit_: Any, blank: Booleans) -> _Window | None:
    """Read where each row's number would have been observed; None where that is everywhere."""
    if entry is None and exit_ is None:
        return None
    sides = []
    for name, value, none in (("entry", entry, -np.inf), ("exit", exit_, np.inf)):
        ends = _read_doubles(none if value is None else value, f"Ranges.{name}")
        if ends.ndim > 1 or (ends.ndim and ends.shape != blank.shape):
            allowed = f"one number, or {len(blank)}"
            raise InputError(f"Ranges.{name}", got=f"shape {ends.shape}", allowed=allowed)
        ends = np.where(blank & np.isnan(ends), none, ends)
        if np.isnan(ends).any():
            raise InputError(
                f"Ranges[{int(np.argmax(np.isnan(ends)))}]",
                got=f"a missing {name}",
                allowed=f"a number, {none} where there is none",
                remedy=f"use {none} only for rows that are open on that side; leave out rows whose "
                f"{name} was not recorded",
            )
        sides.append(ends)
    first, last = sides
    if not (first < last).all():
        row = int(np.argmin(first < last))
        raise InputError(
            f"Ranges[{row}]",
            got=f"entry {first[row]:g} and exit {last[row]:g}",
            allowed="entry < exit",
            remedy="are the columns the wrong way round?",
        )
    return None if np.isinf(first).all() and np.isinf(last).all() else (first, last)


def _intersect(
    low: Floats, high: Floats, starts: Integers, window: _Window
) -> tuple[Floats, Floats, Integers]:
    """Intersect ranges with where their numbers would have been observed."""
    first, last = window
    row = np.repeat(np.arange(len(first)), np.diff(starts))
    begun, ended = np.maximum(low, first[row]), np.minimum(high, last[row])
    is_left = begun < ended
    pieces = np.bincount(row[is_left], minlength=len(first))
    if (pieces == 0).any():
        wrong = int(np.argmin(pieces))
        piece = int(starts[wrong])
        tie = high[starts[wrong + 1] - 1] == first[wrong]
        raise InputError(
            f"Ranges[{wrong}]",
            got=f"the range ({low[piece]:g}, {high[starts[wrong + 1] - 1]:g}] of a number that is "
            f"observed only in ({first[wrong]:g}, {last[wrong]:g}]",
            allowed="a range that ends after its entry and begins before its exit",
            remedy="somebody who enters at the event was never at risk of it: an entry is before "
            "its event"
            if tie
            else "leave out rows that could not have been observed",
        )
    return begun[is_left], ended[is_left], np.concatenate([[0], np.cumsum(pieces)])


def refuse_truncation(ranges: Ranges, where: str, remedy: str) -> None:
    """Refuse ranges with entries or exits where truncation cannot be allowed for.

    Raises
    ------
    InputError

    >>> refuse_truncation(Ranges([3], [5], entry=1), "here", "npmle can")
    Traceback (most recent call last):
    askance_collect.errors.InputError: here: got 'ranges with entries or exits, which truncat...
    """
    if ranges.entry is not None:
        raise InputError(
            where,
            got="ranges with entries or exits, which truncate them",
            allowed="ranges without",
            remedy=remedy,
        )


def _read_doubles(values: Any, where: str) -> Floats:
    """Copy numbers of any kind as doubles; what is masked or missing is not a number."""
    kind = str(getattr(values, "dtype", getattr(values, "type", "")))  # pyarrow's is a type
    if kind.lower().startswith(_NO_NUMBERS):
        raise InputError(where, got=kind, allowed="real numbers", remedy="write dates as numbers")
    try:
        if isinstance(values, np.ma.MaskedArray):
            values = np.ma.filled(values.astype(np.float64), np.nan)
        if isinstance(values, list | tuple) or kind == "object":
            values = _fill_missing(values)
        with np.errstate(over="raise"):
            return np.array(np.asarray(values, dtype=np.float64))  # Arrow lends its own
    except (TypeError, ValueError, ArithmeticError) as fault:
        raise InputError(where, got=type(values).__name__, allowed="numbers") from fault


def _fill_missing(values: Any) -> Any:
    """Replace the missing values of a nested list by NaN."""
    listed = values if isinstance(values, list | tuple) else np.asarray(values, dtype=object)
    if {float, int, np.float64}.issuperset(map(type, listed)):
        return values
    return [
        _fill_missing(value)
        if isinstance(value, list | tuple | np.ndarray) and value is not np.ma.masked
        else np.nan
        if is_missing(value)
        else value
        for value in listed
    ]


def _read_ends(lower: Any, upper: Any) -> tuple[Floats, Floats]:
    names = _column_names(lower)
    if upper is None and len(names) == 2 and names[0] != names[1]:
        lower, upper = (lower[name] for name in names)  # each may have missing values of its kind
    if upper is None:
        pairs = _read_doubles(lower, "Ranges")
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InputError(
                "Ranges", got=f"shape {pairs.shape}", allowed="(n, 2), or lower and upper ends"
            )
        return pairs[:, 0].copy(), pairs[:, 1].copy()
    low, high = _read_doubles(lower, "Ranges.lower"), _read_doubles(upper, "Ranges.upper")
    if low.ndim != 1 or low.shape != high.shape:
        raise InputError(
            "Ranges",
            got=f"shapes {low.shape}, {high.shape}",
            allowed="as many lower ends as upper ends, in one dimension",
        )
    return low, high


def _to_half_open(low: Floats, high: Floats, closed: str) -> tuple[Floats, Floats]:
    """Write ends of any convention as ``(lower, upper]`` of doubles."""
    convention: object = closed
    if not isinstance(convention, str) or convention not in _CONVENTIONS:
        raise InputError("Ranges.closed", got=closed, allowed=", ".join(_CONVENTIONS))
    exact = np.zeros(0, dtype=np.int64)
    if closed == "survival":
        some = ~(np.isnan(low) & np.isnan(high))  # of pieces, none may lack both
        low[some & np.isnan(low)], high[some & np.isnan(high)] = -np.inf, np.inf
        exact = np.flatnonzero((low == high) & np.isfinite(low))
    low_inside, high_inside = _CONVENTIONS[closed]
    if low_inside:
        exact = np.flatnonzero((low <= high) & np.isfinite(low))
    with np.errstate(over="ignore"):  # below the lowest double is no number
        low[exact] = np.nextafter(low[exact], -np.inf)
    if not high_inside:
        open_end = np.flatnonzero((low < high) & np.isfinite(high))
        high[open_end] = np.nextafter(high[open_end], -np.inf)
    return low, high


def _read_starts(pieces: npt.ArrayLike, total: int) -> Integers:
    counts = doubles(pieces, "Ranges.pieces")
    counts = (
        counts.astype(np.int64) if (counts == np.floor(counts.clip(0, total))).all() else counts
    )
    is_valid = counts.ndim == 1 and counts.dtype.kind in "iu" and bool(np.all(counts >= 1))
    if counts.size and (not is_valid or counts.sum() != total):
        raise InputError(
            "Ranges.pieces",
            got=f"{counts.size} numbers for {total} pieces",
            allowed="whole numbers of at least 1 that sum to the number of pieces",
            remedy="a range without pieces holds nothing",
        )
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _refuse_empty(low: Floats, high: Floats, starts: Integers) -> None:
    wrong = ~(low < high)
    if wrong.any():
        piece = int(np.argmax(wrong))
        raise InputError(
            f"Ranges[{int(np.searchsorted(starts, piece, side='right')) - 1}]",
            got=f"ends {low[piece]} and {high[piece]}",
            allowed="lower < upper, both numbers",
            remedy=_remedy(low[piece], high[piece]),
        )


def _remedy(low: float, high: float) -> str:
    if math.isnan(low) or math.isnan(high):
        return 'an open end is -inf or inf; closed="survival" takes one missing end as open'
    if low > high:
        return "are the columns the wrong way round?"
    return 'closed="both" or "survival" takes equal ends as an exact number'


def _read_counts(counts: npt.ArrayLike | None, n: int) -> Floats:
    if counts is None:
        return np.ones(n)
    often = np.atleast_1d(_read_doubles(counts, "Ranges.counts"))
    if often.shape != (n,):
        raise InputError("Ranges.counts", got=f"shape {often.shape}", allowed=f"{n} counts")
    wrong = ~((often >= 0) & np.isfinite(often))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"Ranges[{row}]", got=f"count {often[row]}", allowed="a finite count in [0, ∞)"
        )
    if often.size and often.max() > np.finfo(float).max / often.size:
        raise InputError("Ranges.counts", got=f"counts of {often.max()}", allowed="a finite sum")
    return often


def _merge_pieces(low: Floats, high: Floats, starts: Integers) -> tuple[Floats, Floats, Integers]:
    """Sort the pieces of each range and join those that touch or overlap."""
    begins = np.ones(len(low), dtype=bool)
    np.greater(low[1:], high[:-1], out=begins[1:])
    begins[starts[:-1]] = True
    if begins.all():
        return low, high, starts
    in_order = begins.copy()
    in_order[1:] |= low[1:] == high[:-1]
    if not in_order.all():
        row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.lexsort((low, row))
        low, high = low[order], high[order]
        ranks = np.unique(high, return_inverse=True)
        reach = np.maximum.accumulate(ranks[1] + row * len(ranks[0])) % len(ranks[0])
        high = ranks[0][reach]
        begins[1:] = (row[1:] > row[:-1]) | (low[1:] > high[:-1])
    last = np.append(begins[1:], True)
    return low[begins], high[last], np.concatenate([[0], np.cumsum(begins)])[starts]


def _describe_range(ranges: Ranges, row: int) -> str:
    pieces = slice(ranges.starts[row], ranges.starts[row + 1])
    text = " | ".join(
        f"{{{high:g}}}" if np.nextafter(low, high) == high else "{}{:g}, {:g}{}".format(*ends)
        for low, high in zip(ranges.lower[pieces], ranges.upper[pieces], strict=True)
        for ends in [as_given(low, high)]
    )
    if ranges.entry is None or ranges.exit is None:
        return text
    return f"{text} given ({ranges.entry[row]:g}, {ranges.exit[row]:g}]"


Branch = tuple[float, float, Callable[[Any], Any]]
"""Where a branch runs, ``(lower, upper]``, and the inverse of the function there."""


@checked
def pull_back(ranges: Ranges, branches: Sequence[Branch]) -> Ranges:
    """Read ranges of g(Y) as what they say of Y: a union, with one piece for each branch of g.

    A person may report a range of the square, or the logarithm, of a number. Of the number itself
    that says at most as much: the coverage of a range pulled back is its coverage among the values
    of g.

    Parameters
    ----------
    ranges : Ranges
        Of g(Y).
    branches : sequence of (lower, upper, inverse)
        Stretches that part the numbers, on each of which g is monotone and continuous, ascending;
        ``inverse`` takes an array of values of g, and gives numbers. What it gives beyond its
        stretch is cut off.

    Raises
    ------
    InputError
        If branches do not ascend, an inverse gives no number inside the range of g, or a range
        holds no value of g but one at an end of a branch.

    References
    ----------
    Ding & Ding (2022), Theorem 5.

    >>> squares = Ranges([-np.inf, 4], [4, np.inf])
    >>> root = lambda s: np.sqrt(np.maximum(s, 0))
    >>> pull_back(squares, [(-np.inf, 0, lambda s: -root(s)), (0, np.inf, root)])
    Ranges([-2, 2], (-inf, -2) | (2, inf])
    """
    refuse_truncation(ranges, "pull_back", "pull ranges back first, then give entry= and exit=")
    listed_branches: Sequence[Any] = branches
    for index, branch in enumerate(listed_branches):
        if not (isinstance(branch, tuple | list) and len(branch) == 3 and callable(branch[2])):
            allowed = "(lower, upper, inverse)"
            raise InputError(f"pull_back.branches[{index}]", got=branch, allowed=allowed)
        numbers(branch[:2], f"pull_back.branches[{index}]")
    ends = [end for low, high, _ in branches for end in (float(low), float(high))]
    ascends = all(a <= b for a, b in pairwise(ends))
    if not ends or not ascends or any(low >= high for low, high, _ in branches):
        raise InputError("pull_back.branches", got=ends, allowed="disjoint ascending stretches")
    row = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
    images = [_pull_back_branch(ranges, branch) for branch in branches]
    low, high = (np.concatenate(part) for part in zip(*images, strict=True))
    rows = np.tile(row, len(branches))
    non_empty = low < high
    order = np.argsort(rows[non_empty], kind="stable")
    pieces = np.bincount(rows[non_empty], minlength=len(ranges))
    if (pieces == 0).any():
        raise InputError(
            f"Ranges[{int(np.argmin(pieces))}]",
            got="a range without numbers",
            allowed="values of g",
        )
    return Ranges(low[non_empty][order], high[non_empty][order], ranges.weights, pieces=pieces)


def _pull_back_branch(ranges: Ranges, branch: Branch) -> tuple[Any, Any]:
    start, end, inverse = branch
    with np.errstate(all="ignore"):
        first = function_values(inverse, ranges.lower, "pull_back.branches")
        last = function_values(inverse, ranges.upper, "pull_back.branches")
    if np.isnan(first).any() or np.isnan(last).any():
        raise InputError("pull_back.branches", got="no number", allowed="an inverse on all ends")
    falls, point = first > last, (first == last) & (start < first) & (first < end)
    low = np.where(falls | point, np.nextafter(np.minimum(first, last), -np.inf), first)
    high = np.where(falls & (first < end), np.nextafter(first, -np.inf), np.maximum(first, last))
    return np.clip(low, start, end), np.clip(high, start, end)


_CLOSE = 2 * np.finfo(float).eps  # more than neighbouring doubles are apart, as a part of either
_ROUNDER = 8  # digits that the neighbouring double is shorter by, where an end was moved to it
_FAINTEST = 2 * np.finfo(float).tiny  # and near zero, where the gaps no longer shrink


def single_numbers(lower: Floats, upper: Floats) -> Booleans:
    """Say of each piece ``(lower, upper]`` whether its upper end is the next double.

    >>> single_numbers(np.array([np.nextafter(3, 0), 0.0]), np.array([3.0, np.inf])).tolist()
    [True, False]
    """
    with np.errstate(over="ignore"):
        single = upper - lower < _CLOSE * np.abs(upper) + _FAINTEST  # few are left to look at
    near = np.flatnonzero(single)
    single[near] = np.nextafter(lower[near], np.inf) == upper[near]
    return np.asarray(single)


def as_given(low: float, high: float) -> tuple[str, float, float, str]:
    """The ends of ``(low, high]`` with their brackets, one double moved back where moved.

    A closed lower end and an open upper end are held as the double below: it is told by how many
    more digits it takes to write.

    >>> as_given(np.nextafter(16, 0), 20.0), as_given(16.0, np.nextafter(20, 0))
    (('[', 16.0, 20.0, ']'), ('(', 16.0, 20.0, ')'))
    """
    first, past = (float(np.nextafter(end, np.inf)) + 0.0 for end in (low, high))  # no −0
    opens = ("[", first) if _is_rounder(first, low) else ("(", float(low))
    closes = (past, ")") if _is_rounder(past, high) else (float(high), "]")
    return *opens, *closes


def _is_rounder(end: float, other: float) -> bool:
    if not np.isfinite(other):
        return False
    return end == 0 or len(repr(float(other))) - len(repr(end)) >= _ROUNDER
