"""Where the mass of a most likely distribution can lie, and which ranges hold each such place.

With F_t the mass before place t, every union of runs has chance c F_m + Σ ± F_e over its ends e,
where c is 1 if it reaches the last place and the signs alternate. An interval has two ends, a ring
two with c = 1, a one-sided range one, whatever the number of places.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.ranges import Ranges, single_numbers
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError

_SMALL = 20_000  # below, a stable sort is as quick as any trick
_SAMPLE = 2_048  # ends that show whether few are repeated
_BUCKETS = 1 << 16
_DIGITS = 3  # of 16 bits each, by which ends are sorted: NumPy sorts such by radix
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
    finite = _classify_pieces(low, high)
    counts = np.array([np.count_nonzero(flags) for flags in finite])
    ends, kinds, spread = _sort_ends(_select_ends((high, high, low), finite), counts)
    upper_end = kinds == _UPPER
    closes = np.append(upper_end, counts[_UPPER] < len(high))
    closes[0] &= counts[_POINT] + counts[_LOWER] < len(low)
    closes[1:] &= ~upper_end
    closing = np.flatnonzero(closes)
    lower, upper = np.full(len(closing), -np.inf), np.full(len(closing), np.inf)
    begun, ended = closing[closing > 0], closing[closing < len(ends)]
    lower[len(closing) - len(begun) :], upper[: len(ended)] = ends[begun - 1], ends[ended]
    if counts[_POINT]:
        after_point = np.append(False, kinds == _POINT)[closing]
        lower[after_point] = np.nextafter(lower[after_point], -np.inf)
    del ends
    upto = np.cumsum(closes, dtype=np.int32 if len(closes) < 1 << 31 else np.int64)
    codes = spread(upto[:-1])
    del upto, spread
    first, past = np.zeros(len(low), dtype=np.int64), np.full(len(low), len(closing))
    codes_by_kind = np.split(codes, np.cumsum(counts)[:-1])
    for side, flags, places in zip((first, past, first), finite, codes_by_kind, strict=True):
        side[flags] = places
    return lower, upper, first, past


def _chunks(n: int) -> Iterator[slice]:
    for start in range(0, n, _CHUNK):
        yield slice(start, min(start + _CHUNK, n))


def _classify_pieces(low: Floats, high: Floats) -> tuple[Booleans, Booleans, Booleans]:
    """Mark the pieces that are points, those with an upper end, and other lower ends."""
    point = np.empty(len(low), dtype=bool)
    for part in _chunks(len(low)):
        point[part] = single_numbers(low[part], high[part])
    return point, high != np.inf, ~point & (low != -np.inf)


def _select_ends(sides: tuple[Floats, ...], flags: tuple[Booleans, ...]) -> Floats:
    return np.concatenate(
        [side[np.flatnonzero(flag)] for side, flag in zip(sides, flags, strict=True)]
    )


def _sort_ends(values: Floats, counts: Integers) -> tuple[Floats, npt.NDArray[np.int8], _Spread]:
    """Sort ends; at a tie points come first, lower ends last.

    Returns the sorted distinct ends, or all of them, the kind of each, and what spreads a number
    of each back over the given ends.
    """
    kind_of_value = np.repeat(np.arange(3, dtype=np.int8), counts)
    table = _table(values)
    if table is None:
        order, ends = ordered(values)

        def spread(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
            unsorted = np.empty_like(numbers)
            unsorted[order] = numbers
            return unsorted

        return ends, kind_of_value.take(order), spread
    listed, (codes,) = table
    codes *= 3
    codes += kind_of_value
    is_used = np.zeros(3 * len(listed), dtype=bool)
    is_used[codes] = True
    rank = np.cumsum(is_used) - 1
    kinds = (np.flatnonzero(is_used) % 3).astype(np.int8)
    return np.repeat(listed, 3)[is_used], kinds, lambda numbers: numbers[rank].take(codes)


def _table(*sides: Floats) -> tuple[Floats, list[Integers]] | None:
    """Look up ends that are few and often repeated in a table, which spares the sort.

    Returns them in order, −∞ and ∞ among them, and the index of each end of each side.
    """
    if len(sides[0]) < _SMALL:
        return None
    step = max(len(sides) * len(sides[0]) // _SAMPLE, 1)
    listed = np.unique(np.concatenate([[-np.inf, np.inf], *(side[::step] for side in sides)]))
    if not 2 < len(listed) <= _SAMPLE // 4:
        return None
    for _ in range(2):
        span = float(listed[-2] - listed[1])
        if span and not _NARROWEST < span < _WIDEST:
            break
        find_bucket, bucket = _buckets(listed, (_BUCKETS - 3) / (span or 1.0))
        codes = [
            np.concatenate([bucket.take(find_bucket(side[part])) for part in _chunks(len(side))])
            for side in sides
        ]
        unlisted = [
            side[listed.take(code) != side] for side, code in zip(sides, codes, strict=True)
        ]
        if not any(map(len, unlisted)):
            return listed, codes
        listed = np.union1d(listed, np.concatenate(unlisted))
        if len(listed) > 2 * _SAMPLE:
            break
    return None


def _buckets(listed: Floats, scale: float) -> tuple[Callable[[Floats], Integers], Integers]:
    """Divide the line into buckets: give the bucket of an end, and the listed end in a bucket.

    Of several the last. The first bucket and the last hold what lies beyond the finite ends.
    """

    def find_bucket(ends: Floats) -> Integers:
        with np.errstate(over="ignore"):  # far beyond all that are listed
            position = ends - listed[1]
            position *= scale
        position += 1
        numbers: Integers = position.clip(0, _BUCKETS - 1).astype(np.int64)
        return numbers

    bucket = np.zeros(_BUCKETS, dtype=np.int64)
    bucket[find_bucket(listed[1:-1])] = np.arange(1, len(listed) - 1)
    bucket[-1] = len(listed) - 1
    return find_bucket, bucket


def ordered(values: Floats) -> tuple[Integers, Floats]:
    """Sort stably: by radix, 16 bits of the scaled ends at a time, then put right.

    Returns the order and the sorted values.

    >>> ordered(np.array([3.0, 1.0]))
    (array([1, 0]), array([1., 3.]))
    """
    n = len(values)
    if n < _SMALL:
        return _sort_plainly(values)
    bottom = float(values.min())
    span = float(values.max()) - bottom
    if not _NARROWEST < span < _WIDEST:
        return _sort_plainly(values)
    scale, keys = ((1 << 16 * _DIGITS) - 1) / span, np.empty(n, dtype=np.uint64)
    for part in _chunks(n):
        keys[part] = (values[part] - bottom) * scale
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for digit in range(1, _DIGITS):
        digits = (keys >> np.uint64(16 * digit)).astype(np.uint16)
        order = order.take(np.argsort(digits.take(order), kind="stable"))
    in_order = values.take(order)
    wrong = np.flatnonzero(in_order[1:] < in_order[:-1])
    if len(wrong) > _REPAIRS:
        return _sort_plainly(values)

    def scaled(index: int) -> int:
        return int((in_order[index] - bottom) * scale)

    for index in wrong.tolist():
        start = bisect_left(range(n), scaled(index), key=scaled)
        stop = bisect_right(range(n), scaled(index), key=scaled)
        tied = np.sort(order[start:stop])
        order[start:stop] = tied[np.argsort(values[tied], kind="stable")]
        in_order[start:stop] = values[order[start:stop]]
    return order, in_order


def _sort_plainly(values: Floats) -> tuple[Integers, Floats]:
    order = np.argsort(values)
    in_order = values.take(order)
    if np.any(in_order[1:] == in_order[:-1]):  # a stable sort is several times as slow
        order = np.argsort(values, kind="stable")
    return order.astype(np.int64, copy=False), in_order


_LOOSE = 16  # a table of sums may be this much longer than the rows it takes
_PRECISE = 4_096  # places for which what sums round away is worth its time
_UNEVEN = 1e-6  # the least weight, of the largest, below which it is worth its time too


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowGroup:
    """Rows with the same number of ends, either all or none reaching the last place.

    Attributes
    ----------
    ends : tuple of k arrays of int, each of shape (r,)
        Ascending in each row, in 0 … m.
    reach : bool
        Whether the rows reach the last place.
    weights : array, shape (r,)
    """

    ends: tuple[Integers, ...]
    reach: bool
    weights: Floats

    def signed(self) -> Iterator[tuple[Integers, int]]:
        """Each end with its sign; the last is + unless the rows reach the last place."""
        k = len(self.ends)
        for i, end in enumerate(self.ends):
            yield end, -1 if (k - i + self.reach) % 2 == 0 else 1

    def chance(self, upto: Floats) -> Floats:
        """The chance of each row."""
        *inner, (last, _) = self.signed()
        total: Floats = upto.take(last)
        if self.reach:
            np.subtract(upto[-1], total, out=total)
        for end, sign in reversed(inner):  # neighbours first: they lie closest
            (np.add if sign > 0 else np.subtract)(total, upto.take(end), out=total)
        return total

    def add_to(self, sums: Floats, values: Floats, *, signed: bool) -> None:
        """Add a value of each row at each of its ends, with its sign or without."""
        if self.reach and signed:
            sums[-1] += values.sum()
        for end, sign in self.signed():
            (np.subtract if signed and sign < 0 else np.add).at(sums, end, values)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RangeRows:
    """All rows of a likelihood over m places, by kind.

    Attributes
    ----------
    m : int
    parts : tuple of RowGroup
    points : array of int, shape (p,)
        Distinct places that are rows of their own, so that faint masses are not lost in
        differences.
    counts : array, shape (p,)
        How often each was observed.
    n : float
        What the weights sum to, rows that hold every place included.
    vacuous : float
        What the weights of rows that hold every place sum to.
    loses_digits : bool
        Whether it is worth its time to sum what sums of masses round away.
    """

    m: int
    parts: tuple[RowGroup, ...]
    points: Integers
    counts: Floats
    n: float
    vacuous: float = field(init=False)
    loses_digits: bool = field(init=False)

    def __post_init__(self) -> None:
        non_vacuous = sum(float(weight.sum()) for weight in self.weights())
        object.__setattr__(self, "vacuous", self.n - non_vacuous)
        object.__setattr__(self, "loses_digits", self.m <= _PRECISE or self._is_uneven())

    def _is_uneven(self) -> bool:
        weights = [weight for weight in self.weights() if len(weight)]
        most = max((weight.max() for weight in weights), default=0.0)
        return any(weight.min() < _UNEVEN * most for weight in weights)

    def chances(self, mass: Floats) -> list[Floats]:
        """The chance of each row of each part, the points last.

        Where places are few, or weights uneven, what the sums round away is summed too (Knuth,
        1969), so that faint masses keep all their digits.
        """
        upto = np.zeros(self.m + 1)
        np.cumsum(mass, out=upto[1:])
        chances = [part.chance(upto) for part in self.parts]
        if self.loses_digits:
            represented = upto[1:] - upto[:-1]
            lost = (upto[:-1] - (upto[1:] - represented)) + (mass - represented)
            rest = np.concatenate([[0.0], np.cumsum(lost)])
            chances = [
                chance + part.chance(rest) for chance, part in zip(chances, self.parts, strict=True)
            ]
        return [*chances, mass.take(self.points)]

    def weights(self) -> list[Floats]:
        """How often each row was observed, in the order of `chances`."""
        return [*(part.weights for part in self.parts), self.counts]

    def ratios(self, chances: list[Floats]) -> list[Floats]:
        """The derivative of the log-likelihood by the chance of each row."""
        return [weight / chance for weight, chance in zip(self.weights(), chances, strict=True)]

    def curves(self, chances: list[Floats]) -> list[Floats]:
        """Its negative second derivative by the chance of each row."""
        ratios = self.ratios(chances)
        return [ratio / chance for ratio, chance in zip(ratios, chances, strict=True)]

    def by_level(self, values: list[Floats], *, signed: bool) -> Floats:
        """Add up a value of each row at its ends, with their signs or without, shape (m + 1,)."""
        sums = self._parts_by_level(values, signed=signed)
        np.add.at(sums[1:], self.points, values[-1])
        (np.subtract if signed else np.add).at(sums, self.points, values[-1])
        return sums

    def _parts_by_level(self, values: list[Floats], *, signed: bool) -> Floats:
        sums = np.zeros(self.m + 1)
        for part, value in zip(self.parts, values, strict=False):
            part.add_to(sums, value, signed=signed)
        return sums

    def pull(self, chances: list[Floats]) -> Floats:
        """The derivative of the log-likelihood by each mass, shape (m,)."""
        ratios = self.ratios(chances)
        slope = self.by_mass(self._parts_by_level(ratios, signed=True))
        np.add.at(slope, self.points, ratios[-1])
        return slope

    def by_mass(self, slope: Floats) -> Floats:
        """The derivative by each mass, of that by each level."""
        pull: Floats = np.cumsum(slope[:0:-1])[::-1]
        pull += self.vacuous
        return pull

    def derivatives(self, upto: Floats) -> tuple[Floats, Floats] | None:
        """The slope by each level and minus the second derivative; None if a row has no chance.

        As `by_level` of `ratios` and `curves`, at the mass before each place, shape (m + 1,).
        """
        slope, curve = np.zeros((2, self.m + 1))
        shares = upto.take(self.points + 1) - upto.take(self.points)
        for part in self.parts:
            chance = part.chance(upto)
            if not chance.min() > 0:
                return None
            ratio = part.weights / chance
            part.add_to(slope, ratio, signed=True)
            ratio /= chance
            part.add_to(curve, ratio, signed=False)
        if not shares.min(initial=1.0) > 0:
            return None
        ratio = self.counts / shares
        for sums, sign, values in ((slope, -1, ratio), (curve, 1, ratio / shares)):
            np.add.at(sums[1:], self.points, values)
            np.add.at(sums, self.points, sign * values)
        return slope, curve

    def bent(self, curves: list[Floats], step: Floats) -> Floats:
        """By how much the slope by each level falls where the levels rise by a step."""
        changes = [part.chance(step) for part in self.parts]
        changes.append(np.diff(step).take(self.points))
        values = [curve * change for curve, change in zip(curves, changes, strict=True)]
        return self.by_level(values, signed=True)

    def in_blocks(self, blocks: int) -> "RangeRows":
        """Widen every row to whole blocks of neighbouring places: a coarse look at the problem."""
        level = np.arange(self.m + 1)
        down, up = level * blocks // self.m, -(-level * blocks // self.m)
        parts = [
            collapsed(part, blocks, [up if sign > 0 else down for _, sign in part.signed()])
            for part in self.parts
        ]
        sums = np.bincount(down[self.points], self.counts, blocks).astype(np.float64)
        points = np.flatnonzero(sums)
        return replace(self, m=blocks, parts=tuple(parts), points=points, counts=sums[points])

    def onto(self, support: Integers) -> "RangeRows":
        """Narrow to the places of a support, equal rows added up."""
        rank, s = ranks(self.m, support), len(support)
        parts = [collapsed(part, s, [rank] * len(part.ends)) for part in self.parts]
        return RangeRows(
            m=s,
            parts=tuple(parts),
            points=rank[self.points],
            counts=self.counts,
            n=self.n,
        )


def ranks(m: int, support: Integers) -> Integers:
    """Count the places of a support before each of m + 1 levels.

    >>> ranks(3, np.array([0, 2])).tolist()
    [0, 1, 1, 2]
    """
    is_support = np.zeros(m + 1, dtype=np.int64)
    is_support[support + 1] = 1
    return np.cumsum(is_support)


def collapsed(part: RowGroup, m: int, tables: list[Integers] | None = None) -> RowGroup:
    """Add up equal rows, unless a table of all that are possible were much longer than they are.

    Parameters
    ----------
    part : RowGroup
    m : int
        How many places there are.
    tables : list of arrays of int, optional
        Where each end comes to be first.
    """
    shape = (m + 1,) * len(part.ends)
    if math.prod(shape) > _LOOSE * len(part.weights):
        ends = part.ends if tables is None else map(np.take, tables, part.ends)
        return replace(part, ends=tuple(ends))
    sums = np.zeros(math.prod(shape))
    for start in range(0, len(part.weights), _CHUNK):
        some, row = slice(start, start + _CHUNK), np.zeros(1, dtype=np.int64)
        for i, end in enumerate(part.ends):
            row = row * (m + 1) + (end[some] if tables is None else tables[i].take(end[some]))
        np.add.at(sums, row, part.weights[some])
    nonzero = _interleave(np.flatnonzero(sums != 0))
    return RowGroup(ends=np.unravel_index(nonzero, shape), reach=part.reach, weights=sums[nonzero])


def _interleave(rows: Integers) -> Integers:
    """Reorder rows so that neighbours rarely share an end: sums at one end wait for each other.

    >>> _interleave(np.arange(7)).tolist()
    [0, 3, 6, 1, 4, 2, 5]
    """
    step = math.isqrt(len(rows)) + 1
    return np.concatenate([rows[start::step] for start in range(step)])


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intersections:
    """Places where mass can lie, and the ranges written over them.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        Ends of the places, disjoint and ascending.
    runs : RangeRows
        The ranges, each a union of runs of places.
    """

    lower: Floats
    upper: Floats
    runs: RangeRows


def observed(ranges: Ranges) -> Ranges:
    """Leave out ranges of weight 0, which nobody told: they change no result.

    >>> observed(Ranges([0, 1], [2, 3], counts=[1, 0]))
    Ranges((0, 2])
    """
    return ranges if ranges.weights.all() else ranges[ranges.weights > 0]


def narrower(ranges: Ranges) -> Booleans:
    """Say which ranges say more than that their number was observed: all that have no window.

    >>> narrower(Ranges([0, 1], [2, 2], entry=[0, 0], exit=[2, 2])).tolist()
    [False, True]
    """
    if ranges.entry is None or ranges.exit is None:
        return np.ones(len(ranges), dtype=np.bool_)
    several = np.diff(ranges.starts) > 1
    first, last = ranges.lower[ranges.starts[:-1]], ranges.upper[ranges.starts[1:] - 1]
    return several | (first > ranges.entry) | (last < ranges.exit)


def intersections(ranges: Ranges) -> Intersections:
    """Reduce ranges to what their likelihood depends on.

    A place is ``(l, r]`` with l a lower end, r an upper end and no end between them. For ranges of
    one piece these are the maximal intersections (Turnbull, 1976).

    Raises
    ------
    InputError
        If no range has a positive weight.

    >>> cells = intersections(Ranges([0, 1, 4], [2, 3, 5]))
    >>> cells.lower.tolist(), cells.upper.tolist()
    ([1.0, 4.0], [2.0, 5.0])
    """
    ranges = _pooled(observed(ranges))
    if not len(ranges):
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    lower, upper, first, past = encoded(ranges.lower, ranges.upper)
    runs = runs_over(ranges, first, past, len(lower))
    return Intersections(lower=lower, upper=upper, runs=runs)


def _pooled(ranges: Ranges) -> Ranges:
    """Add up equal ranges of one piece where their ends are few."""
    table = _table(ranges.lower, ranges.upper) if ranges.is_single_piece else None
    if table is None or len(table[0]) ** 2 > _LOOSE * len(ranges):
        return ranges
    ends, (pair, last) = table
    pair *= len(ends)
    pair += last
    shape = (len(ends), len(ends))
    equal = ranges.weights.min() == ranges.weights.max()
    sums = np.bincount(pair, None if equal else ranges.weights, len(ends) ** 2)
    pairs = np.flatnonzero(sums)
    weights = sums[pairs] * (ranges.weights[0] if equal else 1.0)
    first, last = np.unravel_index(pairs, shape)
    return Ranges(ends[first], ends[last], weights)


def runs_over(ranges: Ranges, first: Integers, past: Integers, m: int) -> RangeRows:
    """Write ranges over m places; piece i covers ``first[i] … past[i] − 1``."""
    parts, sums = [], np.zeros(m)
    for ends, weights in _group_by_pieces(ranges, first, past):
        has_first, has_last = ends[0] == 0, ends[-1] == m
        if len(ends) == 2:
            single = ends[1] - ends[0] == 1
            rows = np.flatnonzero(single & (m > 1))
            sums = np.bincount(ends[0][rows], weights[rows], m).astype(np.float64)
            has_first, has_last = has_first | single, has_last | single  # they are counted apart
            if (m + 1) ** 2 <= _LOOSE * len(weights):  # one table of all is quicker
                has_first = has_last = has_first & has_last
        parts += [collapsed(part, m) for part in _group_rows(ends, weights, has_first, has_last)]
    points = np.flatnonzero(sums)
    return RangeRows(m=m, parts=tuple(parts), points=points, counts=sums[points], n=ranges.total)


def _group_by_pieces(
    ranges: Ranges, first: Integers, past: Integers
) -> Iterator[tuple[list[Integers], Floats]]:
    """The ends and weights of ranges of one piece, of two, and so on."""
    if ranges.is_single_piece:
        yield [first, past], ranges.weights
        return
    pieces = np.diff(ranges.starts)
    for number in np.flatnonzero(np.bincount(pieces)).tolist():
        rows = np.flatnonzero(pieces == number)
        starts = ranges.starts[rows]
        ends = [side[starts + piece] for piece in range(number) for side in (first, past)]
        yield ends, ranges.weights[rows]


def _group_rows(
    ends: list[Integers], weights: Floats, has_first: Booleans, has_last: Booleans
) -> Iterator[RowGroup]:
    """Group ranges by whether they hold the first place and the last, which are no ends."""
    for first, last in ((False, False), (False, True), (True, False), (True, True)):
        chosen = np.flatnonzero((has_first == first) & (has_last == last))
        inner = ends[int(first) : len(ends) - int(last)]
        if inner and len(chosen):
            group_ends = tuple(end[chosen] for end in inner)
            yield RowGroup(ends=group_ends, reach=last, weights=weights[chosen])


def tops(slope: Floats, support: Integers, above: float) -> Integers:
    """Find the top of the slope between each two neighbours of the support, where it is high.

    The first of equals; nothing where all between are low.

    >>> slope = np.array([5.0, 9, 4, 1, 4, 9, 2, 3, 1, 6, 6, 4, 5])
    >>> tops(slope, np.array([1, 5, 8]), 3.0).tolist()
    [0, 2, 9]
    >>> tops(slope, np.array([], dtype=int), 3.0).tolist(), tops(slope, np.array([5]), 9.0).tolist()
    ([1], [])
    >>> rng = np.random.default_rng(1)
    >>> for m in range(1, 200):
    ...     slope, kept = rng.integers(0, 6, m) * 1.0, np.flatnonzero(rng.random(m) < 0.3)
    ...     parts = np.split(np.where(np.isin(range(m), kept), 0, slope), kept)
    ...     begins = [0, *kept.tolist()]
    ...     high = [a + int(np.argmax(p)) for a, p in zip(begins, parts) if max(p, default=0) > 3]
    ...     assert tops(slope, kept, 3.0).tolist() == high
    """
    high = slope > above
    high[support] = False
    high_places = np.flatnonzero(high)
    if not len(high_places):
        return high_places
    between, height = np.searchsorted(support, high_places), slope[high_places]
    starts = np.flatnonzero(np.diff(between, prepend=-1))
    highest = np.maximum.reduceat(height, starts)
    top = height == np.repeat(highest, np.diff(starts, append=len(high_places)))
    first = np.diff(between[top], prepend=-1) > 0
    top_places: Integers = high_places[top][first]
    return top_places


def bend(runs: RangeRows, curves: list[Floats], rank: Integers) -> Floats:
    """The negative second derivative by each pair of levels, on the diagonal and above it.

    Parameters
    ----------
    runs : RangeRows
    curves : list of arrays
        As `RangeRows.curves` gives them.
    rank : array of int, shape (m + 1,)
        Ascending by at most one, from 0: levels of the same rank are one.
    """
    size = int(rank[-1]) + 1
    pairs, own = np.zeros(size * size), np.zeros(size)
    for part, curve in zip(runs.parts, curves, strict=False):
        for (first_end, first_sign), (second_end, second_sign) in combinations(part.signed(), 2):
            key = rank.take(first_end)
            key *= size
            key += rank.take(second_end)
            (np.add if first_sign == second_sign else np.subtract).at(pairs, key, curve)
    np.subtract.at(pairs, rank[runs.points] * size + rank[runs.points + 1], curves[-1])
    np.add.at(own, rank, runs.by_level(curves, signed=False))
    diagonal = pairs[:: size + 1]
    diagonal *= 2  # two ends that are one level meet twice
    diagonal += own
    return pairs.reshape(size, size)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrderedEnds:
    """The finite ends of the ranges that were observed, in order, and which each piece has.

    Attributes
    ----------
    ranges : Ranges
        Those observed.
    ends : array, shape (c,)
        Distinct, ascending.
    first, past : array of int, shape (k,)
        Piece i holds the cells ``first[i] … past[i] − 1`` of the c + 1 that these ends part.
    """

    ranges: Ranges
    ends: Floats
    first: Integers
    past: Integers

    @classmethod
    def of(cls, ranges: Ranges) -> "OrderedEnds":
        """Sort once."""
        counted = observed(ranges)
        every = np.concatenate([counted.lower, counted.upper])
        finite = np.flatnonzero(np.isfinite(every))
        order, sorted_ends = ordered(every[finite])
        new = np.ones(len(order), dtype=np.bool_)
        np.not_equal(sorted_ends[1:], sorted_ends[:-1], out=new[1:])
        ends, pieces = sorted_ends[new], len(counted.lower)
        end_ranks = np.zeros(len(every), dtype=np.int64)
        end_ranks[pieces:] = len(ends) + 1
        end_ranks[finite[order]] = np.cumsum(new)
        return cls(ranges=counted, ends=ends, first=end_ranks[:pieces], past=end_ranks[pieces:])

    def summed(self, values: Floats) -> Floats:
        """Add up a value of each piece at each of its ends, shape (c,)."""
        size = len(self.ends) + 2
        sums = np.bincount(self.first, values, size) + np.bincount(self.past, values, size)
        return sums[1:-1].astype(float)  # whole numbers of no piece


def cut_ends(ranges: Ranges) -> Floats:
    """List the distinct finite ends of the ranges that were observed, ascending."""
    return OrderedEnds.of(ranges).ends


def inner_ends(
    cuts: OrderedEnds, line: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[float, float]:
    """The innermost of the 2√n outermost ends at either side of a line; infinite of no end.

    Of unions it is √n, since most tell two ends. Nearer the outermost end F rests on so few that
    its most likely value does not settle there: where the one person with the highest cut is below
    it, it is 1. Exact numbers are no cuts.
    """
    ranges, ends = cuts.ranges, cuts.ends
    counts = cuts.summed(piece_weights(ranges) * ~single_numbers(ranges.lower, ranges.upper))
    upto = np.cumsum(counts * ((ends > line[0]) & (ends < line[1])))
    if not len(upto) or not upto[-1]:
        return -np.inf, np.inf
    few = min((1 + ranges.is_single_piece) * np.sqrt(ranges.total), upto[-1] / 4)
    first, last = np.searchsorted(upto, [few, upto[-1] - few], side="right")
    return float(ends[first]), float(ends[min(last, len(ends) - 1)])


def some_exact(ranges: Ranges) -> bool:
    """Say whether some number was told exactly, by ranges that were observed."""
    return bool(single_numbers(ranges.lower, ranges.upper).any())


def several_ends(ranges: Ranges) -> bool:
    """Say whether some range that was observed has more than one finite end."""
    two = np.isfinite(ranges.lower) & np.isfinite(ranges.upper)
    return not ranges.is_single_piece or bool(two.any())


def piece_weights(ranges: Ranges) -> Floats:
    """The weight of each piece."""
    return (
        ranges.weights
        if ranges.is_single_piece
        else np.repeat(ranges.weights, np.diff(ranges.starts))
    )
