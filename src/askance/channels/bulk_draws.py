"""Draws in bulk: the analyst's dice or the respondent's coin, laid out over a channel's chances.

A word is a whole number of 16, 32 or 64 random bits. Chances are laid end to end over all words, so
that a word names a report. What every answer sends alike is one layout for all; where an answer
then has one report of its own (k-ary, Warner's and forced responses, truth or "don't know"), that
is all. Any other channel has an alias table for each answer: a word's leading bits name a cell,
and a cell holds two reports at most.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import (
    AbstractChance,
    AbstractRows,
    Bits,
    Places,
    Words,
    either,
    mixed,
    own_or_drawn,
)
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError
from askance_collect.exact.ratio import LARGEST_TOTAL, Table
from askance_collect.random_bytes import (
    LIKE_THE_FIRST,
    REPETITIONS,
    SYSTEM_BYTES,
    WINDOW,
    has_repetition,
)

_PARTS = 1 << 14  # into how many equal parts [0, 1) is divided, to find a number by a table
_AT_A_TIME = 1 << 17  # rows for which there is room, not to be made anew for each part
_LEAD = 16  # leading bits of a word that are looked up
_SPARE = 64  # of so many words one at most is thrown away
_TOLERANCE = 2.0**-50
_FROM_FORM = "askance.survey.deployed(form.question(…)).channel"
_AGAIN, _SEARCH = -1, -2


@final
@dataclass(frozen=True, slots=True)
class Dice(AbstractChance):
    """The analyst's dice: reproducible, one word for each row, chances to double precision."""

    rng: np.random.Generator

    def places(self, weights: Sequence[int]) -> Callable[[int], Integers]:
        """Draw by one double each."""
        find = inverse_table(weights)
        return lambda count: find(self.rng.random(count))

    def reports(self, matrix: Floats, table: Table | None) -> Callable[[Integers], Places]:  # noqa: ARG002  one interface
        """Draw by one word of 64 bits each."""
        rows = matrix / matrix.sum(axis=1, keepdims=True)
        split = _split_own_reports(rows, _TOLERANCE)
        if split is None:
            half = np.ldexp(rows, 63).astype(np.uint64)
            half[np.arange(len(rows)), rows.argmax(axis=1)] += np.uint64(1 << 63) - half.sum(axis=1)
            return _sample_by_alias_tables(half, self.words, 64, 0)
        common, own = split
        chances = [*common.tolist(), max(1 - float(common.sum()), 0.0)]
        is_even = float(np.ptp(common)) <= _TOLERANCE * chances[0]
        if is_even and np.array_equal(own, np.arange(len(own))):
            return self._draw_even_or_own(chances[0], len(own))
        units = [int(math.ldexp(chance, 64)) for chance in chances]
        units[chances.index(max(chances))] += (1 << 64) - sum(units)
        return _sample_with_own_report(_Layout.over(units, 64), own, len(common), self.words)

    def words(self, count: int) -> Words:
        """Draw words by the generator."""
        top = np.iinfo(np.uint64).max
        return self.rng.integers(0, top, count, dtype=np.uint64, endpoint=True)

    def even_or_none(self, own: Fraction, others: int) -> Callable[[int], Integers]:
        """Draw by one word of 64 bits each, the part of [0, 1) in which it lies."""
        return self._draw_parts(float(others / (1 - own)) if own < 1 else math.inf, others)

    def _draw_even_or_own(self, chance: float, count: int) -> Callable[[Integers], Places]:
        """Draw each of so many reports with this chance, and else the answer's own report."""
        part, own = self._draw_parts(1 / chance if chance else math.inf, count), 1 - count * chance
        return lambda answers: own_or_drawn(answers, part(len(answers)), count, own)

    def _draw_parts(self, scale: float, count: int) -> Callable[[int], Places]:
        """Draw in which part of [0, 1) a double lies, each 1/scale long: ``count`` beyond them."""
        kind = np.dtype(
            f"u{np.dtype(_narrowest_type(count)).itemsize}"
        )  # twice as much fits into it
        fits = scale <= np.iinfo(kind).max
        room = np.empty(_AT_A_TIME)

        def draw(rows: int) -> Places:
            share = self.rng.random(out=room[:rows]) if rows <= len(room) else self.rng.random(rows)
            if not math.isfinite(scale):
                return np.full(rows, count, dtype=kind)
            share *= scale
            if not fits:
                np.minimum(share, count, out=share)
            return share.astype(kind)

        return draw

    def rows(self, count: int) -> "DiceRows":
        """Draw one word for each row, from which all else follows."""
        return DiceRows(self.words(count))

    def bits(self, chance: Fraction, width: int) -> Callable[[int], "tuple[Bits, DiceRows]"]:
        """Draw a fixed number of words for each row, and one more from which all else follows."""
        plan = _BitPlan.of(chance, width, _DICE_DIGITS)
        last = float(plan.rest)

        def draw(count: int) -> tuple[Bits, DiceRows]:
            words = self.words(count * (plan.words + 1)).reshape(count, plan.words + 1)
            rows = DiceRows(words[:, 0].copy())
            return plan.bits(words[:, 1:], lambda row, bit: rows.chances(row, bit) < last), rows

        return draw


@final
@dataclass(frozen=True, slots=True)
class CoinChance(AbstractChance):
    """The respondent's coin: fresh bits of the operating system, chances exactly as integers.

    A word beyond the last whole multiple of the total is thrown away and drawn anew, whatever the
    answer: what is left is exactly even.
    """

    def places(self, weights: Sequence[int]) -> Callable[[int], Integers]:
        """Draw with exactly the chances that the weights have."""
        total = _check_total(sum(weights), "channel.cut_weights")
        bits = _word_size(total)
        layout = _Layout.over([(1 << bits) // total * weight for weight in weights], bits)
        words = _coin_words(bits)
        return lambda count: layout.places(words, count).astype(np.int64)

    def below(self, bound: int, count: int) -> Integers:
        """Draw integers uniform on 0 … bound − 1, as many."""
        limit = np.uint64(2**64 - 2**64 % bound - 1)  # the last word that counts
        words = _coin_words(64)(count).copy()
        while len(odd := np.flatnonzero(words > limit)):
            words[odd] = _coin_words(64)(len(odd))
        return (words % np.uint64(bound)).astype(np.int64)

    def even_or_none(self, own: Fraction, others: int) -> Callable[[int], Integers]:
        """Draw with exactly these chances."""
        other = (1 - own) / others
        total = _check_denominator(math.lcm(own.denominator, other.denominator))
        bits = _word_size(total)
        times = (1 << bits) // total
        part, limit = int(other * total) * times, times * total

        def draw(count: int) -> Integers:
            words = _coin_words(bits)(count).astype(np.uint64)
            while len(odd := np.flatnonzero(words > np.uint64(limit - 1))):
                words[odd] = _coin_words(bits)(len(odd))
            return _find_parts(words, part, others)

        return draw

    def rows(self, count: int) -> "CoinRows":
        """Draw fresh bits whenever some are needed."""
        return CoinRows(self, count)

    def bits(self, chance: Fraction, width: int) -> Callable[[int], "tuple[Bits, CoinRows]"]:
        """Draw with exactly this chance."""
        _check_denominator(chance.denominator)
        plan = _BitPlan.of(chance, width, _COIN_DIGITS)
        top, bottom = plan.rest.as_integer_ratio()

        def draw(count: int) -> tuple[Bits, CoinRows]:
            words = self.words(count * plan.words).reshape(count, plan.words)
            bits = plan.bits(words, lambda row, _: self.below(bottom, len(row)) < top)
            return bits, CoinRows(self, count)

        return draw

    def words(self, count: int) -> Words:
        """Draw words of the operating system's bits."""
        return _coin_words(64)(count)

    def reports(self, matrix: Floats, table: Table | None) -> Callable[[Integers], Places]:
        """Draw with exactly the chances of the channel's table."""
        if table is None:
            raise InputError(
                "privatise.channel",
                got="chances that are doubles",
                allowed="with coin=True, exact chances, so that the guarantees hold for the draws",
                remedy=f"give its matrix as fractions, or take {_FROM_FORM}",
            )
        bits = _word_size(max(_check_total(table.total, "channel.table"), matrix.shape[1]))
        rows = np.array(table.rows, dtype=np.int64)
        split = _split_own_reports(rows, 0)
        if split is None:
            times = (1 << (bits - 1)) // table.total
            half = rows.astype(np.uint64) * np.uint64(times)
            spare = (1 << (bits - 1)) - times * table.total
            return _sample_by_alias_tables(half, _coin_words(bits), bits, spare)
        common, own = split
        shared = [int(units) for units in common]
        times = (1 << bits) // table.total
        units = [times * unit for unit in (*shared, table.total - sum(shared))]
        return _sample_with_own_report(
            _Layout.over(units, bits), own, len(common), _coin_words(bits)
        )


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LARGEST_RULED = 1 << 57
_DICE_DIGITS, _COIN_DIGITS = 10, 8


@final
@dataclass(frozen=True, slots=True)
class DiceRows(AbstractRows):
    """All draws of a row follow from its first word: SplitMix with that as its state.

    References
    ----------
    Steele, Lea & Flood (2014).
    """

    state: Words

    def _next_words(self) -> Words:
        np.add(self.state, _GOLDEN, out=self.state)
        return mixed(self.state)

    def flips(self, chance: Fraction) -> Booleans:
        """Compare one word, to double precision."""
        return (self._next_words() >> np.uint64(11)) < int(chance * (1 << 53))

    def below(self, bound: int) -> Integers:
        """Take the part of the range in which one word lies; even to double precision."""
        return _scale_words(self._next_words(), bound)

    def several(self, bound: int, rows: Integers, count: int) -> Integers:
        """Take one word after the other."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN
        integers = _scale_words(mixed(self.state[rows, None] + steps), bound)
        self.state[rows] += steps[-1]
        return integers

    def bytes(self, width: int) -> npt.NDArray[np.uint8]:
        """Take one word after the other."""
        words = -(-width // 8)
        steps = np.arange(1, words + 1, dtype=np.uint64) * _GOLDEN
        state_words = mixed(self.state[:, None] + steps)
        np.add(self.state, steps[-1], out=self.state)
        return state_words.view(np.uint8)[:, :width]

    def chances(self, rows: Integers, places: Integers) -> Floats:
        """A number in [0, 1) for each of these places in these rows; the state stays."""
        words = mixed(mixed(self.state[rows]) + (places.astype(np.uint64) + np.uint64(1)) * _GOLDEN)
        numbers: Floats = np.ldexp((words >> np.uint64(11)).astype(float), -53)
        return numbers


def _scale_words(words: Words, bound: int) -> Integers:
    """Say in which of so many equal parts of their range words lie."""
    share = (words >> np.uint64(11)) * 2.0**-53
    return np.minimum((share * bound).astype(np.int64), bound - 1)


@final
@dataclass(frozen=True, slots=True)
class CoinRows(AbstractRows):
    """Fresh bits of the operating system for each draw, exactly."""

    coin: CoinChance
    count: int

    def flips(self, chance: Fraction) -> Booleans:
        """Draw an integer below the denominator."""
        return self.below(_check_denominator(chance.denominator)) < chance.numerator

    def below(self, bound: int) -> Integers:
        """Draw integers."""
        return self.coin.below(bound, self.count)

    def several(self, bound: int, rows: Integers, count: int) -> Integers:
        """Draw integers."""
        return self.coin.below(bound, len(rows) * count).reshape(len(rows), count)

    def bytes(self, width: int) -> npt.NDArray[np.uint8]:
        """Draw bytes."""
        octets = SYSTEM_BYTES.draw(width * self.count, raises_alarm_in_bulk)
        return np.frombuffer(octets, dtype=np.uint8).reshape(self.count, width)


@final
@dataclass(frozen=True, slots=True)
class _BitPlan:
    """How rows of bits with one chance are drawn, 64 at a time.

    A bit is set if a uniform number is below the chance: their binary digits are compared one after
    the other, for all bits of a word at once, until some differ. After so many digits the few bits
    for which all were equal are decided by what is left of the chance.

    Attributes
    ----------
    digits : tuple of bool
        The first binary digits of the chance.
    rest : Fraction
        What is left of the chance after them, in units of the last one: in [0, 1], 1 for certainty.
    width : int
        How many bits a row has.
    """

    digits: tuple[bool, ...]
    rest: Fraction
    width: int

    @classmethod
    def of(cls, chance: Fraction, width: int, most: int) -> "_BitPlan":
        """Take as many digits as are needed, and no more than ``most``."""
        digits: list[bool] = []
        rest = chance
        while rest not in (0, 1) and len(digits) < most:
            digits.append(2 * rest >= 1)
            rest = 2 * rest - digits[-1]
        return cls(tuple(digits), rest, width)

    @property
    def lanes(self) -> int:
        """How many words hold the bits of a row."""
        return -(-self.width // 64)

    @property
    def words(self) -> int:
        """How many words are drawn for a row."""
        return self.lanes * len(self.digits)

    def bits(self, words: Words, decide: Callable[[Integers, Integers], Booleans]) -> Bits:
        """Draw the bits of some rows from words, shape (n, words)."""
        below, equal = self._compare_digits(words)
        open_ = np.flatnonzero(equal.ravel() != 0)
        row, lane = np.divmod(open_, self.lanes)
        open_bits = np.unpackbits(equal.ravel()[open_].view(np.uint8))
        bits = np.ascontiguousarray(below.view(np.uint8)[:, : -(-self.width // 8)])
        bits[:, -1] &= 0xFF << (-self.width % 8) & 0xFF
        bit = np.flatnonzero(open_bits.view(np.bool_))
        which = bit >> 6
        row, position = row[which], 64 * lane[which] + (bit & 63)
        if self.rest and len(row):
            inside = position < self.width
            row, position = row[inside], position[inside]
            won = decide(row, position)
            row, position = row[won], position[won]
            np.bitwise_or.at(
                bits, (row, position >> 3), np.uint8(128) >> (position & 7).astype(np.uint8)
            )
        return bits

    def _compare_digits(self, words: Words) -> tuple[Words, Words]:
        """Say for which bits the digits are below those of the chance, and for which equal."""
        shape = (len(words), self.lanes)
        below, equal = np.zeros(shape, dtype=np.uint64), np.full(shape, ~np.uint64(0))
        matching = np.empty(shape, dtype=np.uint64)
        for i, digit in enumerate(self.digits):
            word = words[:, i * self.lanes : (i + 1) * self.lanes]
            np.bitwise_and(equal, word, out=matching)
            equal ^= matching  # where the word has no bit
            if digit:
                below |= equal
                equal, matching = matching, equal
        return below, equal


def _find_parts(words: Words, part: int, count: int) -> Integers:
    """Say in which of so many parts, of one length each, words lie: ``count`` beyond them all."""
    if not part:
        return np.full(len(words), count, dtype=np.int64)
    return np.minimum(words // np.uint64(part), np.uint64(count)).astype(np.int64)


def _check_total(total: int, where: str) -> int:
    if total > LARGEST_TOTAL:
        raise InputError(
            f"privatise.{where}",
            got=f"a total of {total}",
            allowed="with coin=True, at most 2^48: one draw is 48 bits",
            remedy="publish it, which rounds once and keeps the guarantees, and take " + _FROM_FORM,
        )
    return total


def _check_denominator(total: int) -> int:
    """Refuse an oracle whose denominator needs more bits than one word has."""
    if total > _LARGEST_RULED:
        raise InputError(
            "privatise.channel.oracle",
            got=f"chances over a denominator of {total}",
            allowed="with coin=True, at most 2^57: one draw is 64 bits",
            remedy="take chances with a smaller one, as at_epsilon does",
        )
    return total


def _word_size(total: int) -> int:
    """The smallest word size, in bits, for which rejection discards few words."""
    return next(bits for bits in (16, 32, 64) if total * _SPARE <= 1 << (bits - 1))


def _coin_words(bits: int) -> Callable[[int], Words]:
    size = bits // 8
    return lambda count: np.frombuffer(
        SYSTEM_BYTES.draw(size * count, raises_alarm_in_bulk), dtype=f"u{size}"
    )


def raises_alarm_in_bulk(before: bytes, windows: bytes) -> bool:
    """Say of whole windows, a row each, whether they fail one of the system's `HealthTests`.

    Six equal bytes in a row hold two equal pairs of bytes, the first at an even place.

    >>> raises_alarm_in_bulk(b"", bytes(range(256)) * 2)
    False
    """
    rows = np.frombuffer(windows, dtype=np.uint8).reshape(-1, WINDOW)
    lanes = (rows == rows[:, :1]).view(np.uint64).sum(axis=1)
    if lanes.view(np.uint8).reshape(-1, 8).sum(axis=1).max() >= LIKE_THE_FIRST:
        return True
    row = before + windows
    pairs = np.frombuffer(row, dtype=np.uint16, count=len(row) // 2)
    repeats = 2 * np.flatnonzero(pairs[1:] == pairs[:-1])
    return any(
        has_repetition(row[max(0, start - REPETITIONS) : start + 2 * REPETITIONS])
        for start in repeats.tolist()
    )


def _split_own_reports(
    rows: npt.NDArray[Any], tolerance: float
) -> tuple[npt.NDArray[Any], Integers] | None:
    """Split rows into a common part and one own report for each row; None if impossible.

    Chances that differ by no more than this part of themselves are the same.
    """
    common = rows.min(axis=0)
    besides = rows - common
    several = (besides > tolerance * rows).sum(axis=1).max() > 1
    if several or np.ptp(besides.max(axis=1)) > tolerance:
        return None
    return common, besides.argmax(axis=1)


@final
@dataclass(frozen=True, slots=True)
class _Layout:
    """Whole weights laid end to end over all words of so many bits.

    Attributes
    ----------
    inner : array of uint64
        Where one weight ends and the next begins.
    owner : array of int
        Whose weight each stretch is.
    rest : unsigned integer
        How many bits follow the leading ones.
    lead : array of int
        Whose weight a word with these leading bits falls on, or that it must be searched for.
    """

    inner: npt.NDArray[np.uint64]
    owner: Integers
    rest: np.unsignedinteger[Any]
    lead: Places

    @classmethod
    def over(cls, units: Sequence[int], bits: int) -> "_Layout":
        """Lay units end to end; words beyond them are drawn again."""
        spare = (1 << bits) - sum(units)
        parts = [(index, size) for index, size in (*enumerate(units), (_AGAIN, spare)) if size]
        owner = np.array([index for index, _ in parts])
        inner = np.array(list(accumulate(size for _, size in parts))[:-1], dtype=np.uint64)
        rest = np.dtype(f"u{bits // 8}").type(bits - _LEAD)
        cell = inner >> np.uint64(rest)
        cut = cell << np.uint64(rest) < inner  # cells in which one weight ends and another begins
        lengths = np.diff(np.r_[0, (cell + cut).astype(np.int64), 1 << _LEAD])
        lead = owner.astype(_narrowest_type(len(units))).repeat(lengths)
        lead[cell[cut]] = _SEARCH
        return cls(inner, owner, rest, lead)

    def places(self, words: Callable[[int], Words], count: int) -> Places:
        """Draw so many places among the units."""
        samples = words(count)
        owners: Places = self.lead.take(_as_signed(samples >> self.rest))
        odd = np.flatnonzero(owners < 0)
        if len(odd):
            search = np.searchsorted(self.inner, samples[odd].astype(np.uint64), side="right")
            owners[odd] = self.owner[search]
            again = odd[owners[odd] == _AGAIN]
            if len(again):
                owners[again] = self.places(words, len(again))
        return owners


def _sample_with_own_report(
    layout: _Layout, own: Integers, own_place: int, words: Callable[[int], Words]
) -> Callable[[Integers], Places]:
    """Draw from the common part of all rows, in which one position is the own report."""
    mine = own.astype(layout.lead.dtype)
    same = np.array_equal(own, np.arange(len(own)))  # where each answer is its own report

    def draw(answers: Integers) -> Places:
        positions = layout.places(words, len(answers))
        true = answers.astype(mine.dtype, copy=False) if same else mine.take(answers)
        return either(positions == own_place, true, positions)

    return draw


def _sample_by_alias_tables(
    rows: npt.NDArray[np.uint64], words: Callable[[int], Words], bits: int, spare: int
) -> Callable[[Integers], Places]:
    """Draw from one alias table for each answer; spare units are words to be drawn again."""
    reports = rows.shape[1]
    cells = max(2, 1 << (reports + bool(spare) - 1).bit_length())
    units = np.zeros((len(rows), cells), dtype=np.uint64)
    units[:, :reports] = rows
    if spare:
        units[:, reports] = spare
    upto, other = _alias_tables(units, bits)
    kind, again = _narrowest_type(cells), reports
    upto, other = upto.astype(f"u{bits // 8}").ravel(), other.astype(kind).ravel()
    rest = upto.dtype.type(bits - (cells.bit_length() - 1))

    def draw(answers: Integers) -> Places:
        samples = words(len(answers))
        cell = _as_signed(samples >> rest)
        cell_index = answers.astype(np.int64) * cells + cell
        positions = either(
            samples < upto.take(cell_index), cell.astype(kind), other.take(cell_index)
        )
        odd = np.flatnonzero(positions == again) if spare else ()
        if len(odd):
            positions[odd] = draw(answers[odd])
        return positions

    return draw


def _alias_tables(
    units: npt.NDArray[np.uint64], bits: int
) -> tuple[npt.NDArray[np.uint64], Integers]:
    """Fill the cells of all rows at once, one cell of each at a time (Walker's alias method).

    Words below ``upto`` in a cell are the cell's own report, all others in it are the other one. A
    row sums to 2^(bits − 1), half the words, so that its sum is a number of 64 bits.
    """
    count, cells = units.shape
    size = np.uint64((1 << (bits - 1)) // cells)
    own = np.full_like(units, size)
    other = np.tile(np.arange(cells), (count, 1))
    order = np.argsort(units > size, axis=1, kind="stable")  # what fits into a cell comes first
    row, light = np.arange(count), np.zeros(count, dtype=np.int64)
    heavy = (units <= size).sum(axis=1)
    row, light, heavy = (array[heavy < cells] for array in (row, light, heavy))
    remaining = units[row, order[row, heavy]]
    while len(row):
        over, heavy_cell = remaining > size, order[row, heavy]
        more = over | (heavy + 1 < cells)  # else the last heavy one fills its cell
        row, light, heavy, remaining, over, heavy_cell = (
            array[more] for array in (row, light, heavy, remaining, over, heavy_cell)
        )
        filled = np.where(over, order[row, np.minimum(light, cells - 1)], heavy_cell)
        heavy = heavy + ~over
        following = order[row, heavy]
        filled_units = np.where(over, units[row, filled], remaining)
        own[row, filled] = filled_units
        other[row, filled] = following
        remaining = np.where(over, remaining, units[row, following]) - (size - filled_units)
        light = light + over
    full = own == size
    other[full] = np.nonzero(full)[1]
    begins = np.arange(cells, dtype=np.uint64) * size
    return np.where(full, begins, begins + own) << np.uint64(1), other


def _as_signed(leading: Words) -> Integers:
    """Leading bits as signed numbers, which are what positions are."""
    return leading.view(np.int64) if leading.itemsize == 8 else leading.astype(np.int64)


def _narrowest_type(count: int) -> type[np.signedinteger[Any]]:
    return next(kind for kind in (np.int8, np.int16, np.int32) if count <= np.iinfo(kind).max + 1)


def inverse_table(weights: npt.ArrayLike) -> Callable[[Floats], Integers]:
    """Prepare to find the place of numbers in [0, 1) among weights laid end to end.

    Nearly all parts of the table belong to one place alone; in the others it is searched for.
    """
    upto = np.cumsum(weights, dtype=float)
    upto /= upto[-1]
    first = np.searchsorted(upto, np.arange(_PARTS + 1) / _PARTS, side="right")
    shared = first[1:] > first[:-1]

    def find(u: Floats) -> Integers:
        part = (u * _PARTS).astype(np.int64)
        position: Integers = first[part]
        search = np.flatnonzero(shared[part])
        position[search] = np.searchsorted(upto, u[search], side="right")
        return position

    return find
