"""Ends of pieces turned into whole numbers: all that a likelihood needs to know of them."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.channels.ranges import single_numbers
from askance.typing import Booleans, Floats, Integers

_SMALL = 20_000  # below, a stable sort is as quick as any trick
_SAMPLE = 2_048  # ends that show whether few are repeated
_BUCKETS = 1 << 16
_REPAIRS = 1_000  # ends out of order that are put right one by one
_CHUNK = 1 << 15  # numbers that fit in a fast cache: what is made of them is not written out
_NARROWEST, _WIDEST = 1e-200, 1e200  # spans that can be scaled
_POINT, _UPPER, _LOWER = 0, 1, 2  # the order of ends at a tie
_Spread = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]


def encoded(low: Floats, high: Floats) -> tuple[Floats, Floats, Integers, Integers]:
    """Find where mass can lie, and between which such places each piece begins and ends.

    Mass can lie in ``(l, r]`` with l a lower end, r an upper end and no end between them
    (Turnbull, 1976). At a tie an upper end comes first: ``(1, 2]`` and ``(2, 3]`` share nothing.

    Returns
    -------
    lower, upper : array, shape (m,)
        Ends of the places, disjoint and ascending.
    first, past : array of int, shape (k,)
        Piece i holds the places ``first[i] … past[i] − 1``.

    >>> lower, upper, first, past = encoded(np.array([0.0, 1, 4]), np.array([2.0, 3, 5]))
    >>> lower.tolist(), upper.tolist(), first.tolist(), past.tolist()
    ([1.0, 4.0], [2.0, 5.0], [0, 0, 1], [1, 1, 2])
    """
    finite = _finite(low, high)
    counts = np.array([np.count_nonzero(one) for one in finite])
    ends, kinds, spread = _in_order(_chosen((high, high, low), finite), counts)
    upper_end = kinds == _UPPER
    closes = np.append(upper_end, counts[_UPPER] < len(high))
    closes[0] &= counts[_POINT] + counts[_LOWER] < len(low)
    closes[1:] &= ~upper_end
    at = np.flatnonzero(closes)
    lower, upper = np.full(len(at), -np.inf), np.full(len(at), np.inf)
    begun, ended = at[at > 0], at[at < len(ends)]
    lower[len(at) - len(begun) :], upper[: len(ended)] = ends[begun - 1], ends[ended]
    if counts[_POINT]:
        after_point = np.append(False, kinds == _POINT)[at]
        lower[after_point] = np.nextafter(lower[after_point], -np.inf)
    del ends
    upto = np.cumsum(closes, dtype=np.int32 if len(closes) < 1 << 31 else np.int64)
    codes = spread(upto[:-1])
    del upto, spread
    first, past = np.zeros(len(low), dtype=np.int64), np.full(len(low), len(at))
    told = np.split(codes, np.cumsum(counts)[:-1])
    for side, one, places in zip((first, past, first), finite, told, strict=True):
        side[np.flatnonzero(one)] = places
    return lower, upper, first, past


def _chunks(n: int) -> Iterator[slice]:
    for start in range(0, n, _CHUNK):
        yield slice(start, min(start + _CHUNK, n))


def _finite(low: Floats, high: Floats) -> tuple[Booleans, Booleans, Booleans]:
    """Tell the pieces that are points, those that have an upper end, and other lower ends."""
    point = np.empty(len(low), dtype=bool)
    for part in _chunks(len(low)):
        point[part] = single_numbers(low[part], high[part])
    return point, high != np.inf, ~point & (low != -np.inf)


def _chosen(sides: tuple[Floats, ...], flags: tuple[Booleans, ...]) -> Floats:
    return np.concatenate(
        [side[np.flatnonzero(one)] for side, one in zip(sides, flags, strict=True)]
    )


def _in_order(values: Floats, counts: Integers) -> tuple[Floats, npt.NDArray[np.int8], _Spread]:
    """Sort ends; at a tie points come first, lower ends last.

    Returns the sorted distinct ends, or all of them, the kind of each, and what spreads a number
    of each back over the given ends.
    """
    given = np.repeat(np.arange(3, dtype=np.int8), counts)
    table = _table(values)
    if table is None:
        order, ends = ordered(values)

        def spread(told: npt.NDArray[Any]) -> npt.NDArray[Any]:
            back = np.empty_like(told)
            back[order] = told
            return back

        return ends, given.take(order), spread
    listed, codes = table
    codes *= 3
    codes += given
    seen = np.zeros(3 * len(listed), dtype=bool)
    seen[codes] = True
    place = np.cumsum(seen) - 1
    kinds = (np.flatnonzero(seen) % 3).astype(np.int8)
    return np.repeat(listed, 3)[seen], kinds, lambda told: told[place].take(codes)


def _table(values: Floats) -> tuple[Floats, Integers] | None:
    """Look up ends that are few and often repeated in a table, which spares the sort."""
    if len(values) < _SMALL:
        return None
    listed = np.unique(values[:: max(len(values) // _SAMPLE, 1)])
    if 4 * len(listed) > _SAMPLE:
        return None
    for _ in range(2):
        low, span = listed[0], float(listed[-1] - listed[0])
        scale = (_BUCKETS - 1) / span if _NARROWEST < span < _WIDEST else 0.0
        bucket = np.zeros(_BUCKETS, dtype=np.int64)
        bucket[((listed - low) * scale).astype(np.int64)] = np.arange(len(listed))
        codes, unknown = np.empty(len(values), dtype=np.int64), []
        for part in _chunks(len(values)):
            near = values[part]
            at = ((near - low) * scale).clip(0, _BUCKETS - 1).astype(np.int64)
            codes[part] = bucket.take(at)
            unknown.append(near[listed.take(codes[part]) != near])
        if not any(map(len, unknown)):
            return listed, codes
        listed = np.union1d(listed, np.concatenate(unknown))
        if len(listed) > 2 * _SAMPLE:
            break
    return None


def ordered(values: Floats) -> tuple[Integers, Floats]:
    """Sort stably: by whole numbers that hold the scaled end and its place, then put right.

    Returns the order and the sorted values.

    >>> ordered(np.array([3.0, 1.0]))
    (array([1, 0]), array([1., 3.]))
    """
    n = len(values)
    if n < _SMALL:
        return _plainly(values)
    bits, bottom = n.bit_length(), float(values.min())
    span = float(values.max()) - bottom
    if not _NARROWEST < span < _WIDEST:
        return _plainly(values)
    scale, order = (1 << (62 - bits)) / span, np.empty(n, dtype=np.int64)
    for part in _chunks(n):
        order[part] = (values[part] - bottom) * scale
        order[part] <<= bits
        order[part] |= np.arange(part.start, part.stop)
    order.sort()
    order &= (1 << bits) - 1
    in_order = values.take(order)
    wrong = np.flatnonzero(in_order[1:] < in_order[:-1])
    if len(wrong) > _REPAIRS:
        return _plainly(values)

    def scaled(place: int) -> int:
        return int((in_order[place] - bottom) * scale)

    for at in wrong.tolist():
        start = bisect_left(range(n), scaled(at), key=scaled)
        stop = bisect_right(range(n), scaled(at), key=scaled)
        tied = np.sort(order[start:stop])
        order[start:stop] = tied[np.argsort(values[tied], kind="stable")]
        in_order[start:stop] = values[order[start:stop]]
    return order, in_order


def _plainly(values: Floats) -> tuple[Integers, Floats]:
    order = np.argsort(values)
    in_order = values.take(order)
    if np.any(in_order[1:] == in_order[:-1]):  # a stable sort is several times as slow
        order = np.argsort(values, kind="stable")
    return order.astype(np.int64, copy=False), in_order
