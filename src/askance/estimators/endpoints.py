"""Ends of pieces turned into whole numbers: all that a likelihood needs to know of them."""

import numpy as np

from askance.typing import Floats, Integers

_SMALL = 20_000  # below, a stable sort is as quick as any trick
_SAMPLE = 2_048
_BUCKETS = 1 << 16
_REPAIRS = 1_000
_NARROWEST, _WIDEST = 1e-200, 1e200
_POINT, _UPPER, _LOWER = 0, 1, 2  # the order of ends at a tie


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
    begun, ended = np.isneginf(low), np.isposinf(high)
    point = np.nextafter(low, np.inf) == high
    points, stops, starts = (np.flatnonzero(part) for part in (point, ~ended, ~(begun | point)))
    values = np.concatenate([high[points], high[stops], low[starts]])
    counts = np.array([len(points), len(stops), len(starts)])
    ends, kinds, place = _in_order(values, counts)
    before = np.concatenate([[begun.any()], kinds != _UPPER])
    closes = before & np.append(kinds == _UPPER, ended.any())
    upto = np.cumsum(closes)
    codes = upto[place]
    first, past = np.zeros(len(low), dtype=np.int64), np.full(len(low), int(upto[-1]))
    parts = np.cumsum(counts)
    first[points], past[stops] = codes[: parts[0]], codes[parts[0] : parts[1]]
    first[starts] = codes[parts[1] :]
    at = np.flatnonzero(closes)
    edge = np.concatenate([[-np.inf], ends, [np.inf]])
    lower, upper = edge[at], edge[at + 1]
    after_point = np.concatenate([[False], kinds == _POINT])[at]
    lower[after_point] = np.nextafter(lower[after_point], -np.inf)
    return lower, upper, first, past


def _in_order(values: Floats, counts: Integers) -> tuple[Floats, Integers, Integers]:
    """Sort ends; at a tie points come first, lower ends last.

    Returns the sorted ends, the kind of each, and where each of the given ends is among them.
    """
    table = _table(values)
    if table is None:
        order, ends = ordered(values)
        kinds = np.searchsorted(np.cumsum(counts), order, side="right")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return ends, kinds, place
    listed, codes = table
    codes = 3 * codes + np.repeat(np.arange(3), counts)
    seen = np.zeros(3 * len(listed), dtype=bool)
    seen[codes] = True
    place = np.cumsum(seen) - 1
    return np.repeat(listed, 3)[seen], np.flatnonzero(seen) % 3, place[codes]


def _table(values: Floats) -> tuple[Floats, Integers] | None:
    """Look up ends that are few and often repeated in a table, which spares the sort."""
    if len(values) < max(_SMALL, 1):
        return None
    listed = np.unique(values[:: max(len(values) // _SAMPLE, 1)])
    if 4 * len(listed) > _SAMPLE:
        return None
    for _ in range(2):
        low, span = listed[0], float(listed[-1] - listed[0])
        scale = (_BUCKETS - 1) / span if _NARROWEST < span < _WIDEST else 0.0
        bucket = np.zeros(_BUCKETS, dtype=np.int64)
        bucket[((listed - low) * scale).astype(np.int64)] = np.arange(len(listed))
        at = ((values - low) * scale).clip(0, _BUCKETS - 1).astype(np.int64)
        codes = bucket[at]
        unknown = listed[codes] != values
        if not unknown.any():
            return listed, codes
        listed = np.union1d(listed, values[unknown])
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
    bits = n.bit_length()
    bottom = float(values.min()) if n >= max(_SMALL, 1) else 0.0
    span = float(values.max()) - bottom if n >= max(_SMALL, 1) else 0.0
    if not _NARROWEST < span < _WIDEST:
        return _plainly(values)
    scaled = values - bottom
    scaled *= (1 << (62 - bits)) / span
    keys = scaled.astype(np.int64)
    keys <<= bits
    keys |= np.arange(n)
    keys.sort()
    order: Integers = keys & ((1 << bits) - 1)
    sorted_values = values[order]
    wrong = np.flatnonzero(sorted_values[1:] < sorted_values[:-1])
    if len(wrong) > _REPAIRS:
        return _plainly(values)
    keys >>= bits
    for at in wrong.tolist():
        start = int(np.searchsorted(keys, keys[at], side="left"))
        stop = int(np.searchsorted(keys, keys[at], side="right"))
        tied = np.sort(order[start:stop])
        order[start:stop] = tied[np.argsort(values[tied], kind="stable")]
        sorted_values[start:stop] = values[order[start:stop]]
    return order, sorted_values


def _plainly(values: Floats) -> tuple[Integers, Floats]:
    order = np.argsort(values, kind="stable").astype(np.int64)
    return order, values[order]
