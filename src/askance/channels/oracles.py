"""Frequency oracles: channels for many answers, defined by a rule without a matrix.

A report of an oracle names a set of answers, and what it says of its sender is that alone: it is ρ
times as likely from an answer in the set as from one outside (a pure oracle; Wang, Blocki, Li &
Jha, 2017). So counting how many reports leave an answer possible is enough to estimate its share,
and losses, moments of those counts and draws are closed forms in the number of answers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import (
    BLOCK,
    MOST_ANSWERS,
    AbstractChance,
    AbstractOracle,
    AbstractRows,
    Places,
    Ratio,
    by_blocks,
    either,
    largest_of,
    mixed,
    own_or_drawn,
    put_bits,
    refuse_answers,
    refuse_long,
    register_oracle,
    too_long,
)
from askance.typing import Booleans, Integers
from askance_collect.exact.ratio import chance as read_chance
from askance_collect.exact.ratio import over_power, read_integer

_PLACE_BITS = MOST_ANSWERS.bit_length()
_FEW = 4


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class KAryOracle(AbstractOracle):
    r"""k-ary randomised response (k-RR, GRR): S is one answer, the true one with chance t.

    .. math:: p^* = t, \quad q^* = (1 - t)/(k - 1)

    References
    ----------
    Kairouz, Bonawitz & Ramage (2016), k-RR; Wang, Blocki, Li & Jha (2017), direct encoding.

    >>> KAryOracle(answers=4, truth=Fraction(1, 2)).false_positive_rate
    Fraction(1, 6)
    """

    name: ClassVar[str] = "kary"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "names"
    by_report: ClassVar[bool] = True
    answers: int
    truth: Fraction

    def __post_init__(self) -> None:
        refuse_answers("KAryOracle.answers", self.answers)
        object.__setattr__(self, "truth", read_chance(self.truth, "KAryOracle.truth"))

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the report is the true answer."""
        return self.truth

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that the report is a certain other answer."""
        return (1 - self.truth) / (self.answers - 1)

    @property
    def both_inside(self) -> Fraction:
        """Never: S is one answer."""
        return Fraction(0)

    @property
    def both_outside(self) -> Fraction:
        """Never: S is one answer."""
        return Fraction(0)

    @property
    def ratio(self) -> Ratio:
        """t(k − 1)/(1 − t), or its inverse."""
        low, high = sorted((self.true_positive_rate, self.false_positive_rate))
        return largest_of(high, low)

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """Always."""
        return self.true_positive_rate, self.false_positive_rate

    @property
    def reports(self) -> int:
        """One for each answer."""
        return self.answers

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """A square of two chances."""
        refuse_long(self, self.answers)
        places = range(self.answers)
        true, other = self.true_positive_rate, self.false_positive_rate
        rows = [[other] * x + [true] + [other] * (self.answers - x - 1) for x in places]
        return [1 << answer for answer in places], rows

    def draw(self, chance: AbstractChance) -> Callable[[Integers], Places]:
        """Draw by one word: any report evenly, or else the answer's own."""
        if self.truth < self.false_positive_rate:
            return self._draw_other(chance)
        own, k = self.truth - self.false_positive_rate, self.answers
        draw_other, often = chance.even_or_none(own, k), float(own)
        return lambda answers: own_or_drawn(answers, draw_other(len(answers)), k, often)

    def _draw_other(self, chance: AbstractChance) -> Callable[[Integers], Places]:
        """Draw by one word where the truth is the rarest: one of the others, or else the truth."""
        others = self.answers - 1
        draw_other = chance.even_or_none(self.truth, others)

        def draw_reports(answers: Integers) -> Places:
            other = draw_other(len(answers)).astype(np.int64)
            return either(other >= others, answers.astype(np.int64), other + (other >= answers))

        return draw_reports

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """The answer that is reported."""
        return np.asarray(reports[:, None] == np.arange(self.answers)[answers], dtype=np.bool_)


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnaryOracle(AbstractOracle):
    r"""Unary encoding: each answer is in S by itself, the true one with chance p, others with q.

    .. math:: e^\varepsilon = p(1 - q) / (q(1 - p))

    Symmetric (SUE, the one-time basic RAPPOR) where p + q = 1, optimised (OUE) where p = ½.

    References
    ----------
    Erlingsson, Pihur & Korolova (2014), basic one-time RAPPOR; Wang, Blocki, Li & Jha (2017), unary
    encoding.

    >>> UnaryOracle(answers=1000, truth="1/2", lie="1/4").ratio
    Fraction(3, 1)
    """

    name: ClassVar[str] = "unary"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "bits"
    by_report: ClassVar[bool] = False
    answers: int
    truth: Fraction
    lie: Fraction

    def __post_init__(self) -> None:
        refuse_answers("UnaryOracle.answers", self.answers)
        for name in ("truth", "lie"):
            value = read_chance(getattr(self, name), f"UnaryOracle.{name}")
            object.__setattr__(self, name, value)

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the bit of the true answer is set."""
        return self.truth

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that the bit of a certain other answer is set."""
        return self.lie

    @property
    def both_inside(self) -> Fraction:
        """pq: answers are in S independently."""
        return self.truth * self.lie

    @property
    def both_outside(self) -> Fraction:
        """q²."""
        return self.lie**2

    @property
    def ratio(self) -> Ratio:
        """One answer's bit is set and the other's is not, or the reverse."""
        low, high = sorted((self.truth * (1 - self.lie), self.lie * (1 - self.truth)))
        return largest_of(high, low)

    @property
    def resolved(self) -> tuple[Ratio, Ratio]:
        """Plausibility over belief; rounded up in the 50th digit where answers are many.

        Belief in {y} needs all other bits unset, (1 − q)^{k−2}, so this grows with k without end.
        """
        p, q, k = self.truth, self.lie, self.answers
        if p in (0, 1) or q in (0, 1):
            return math.inf, Fraction(1) if p - q == 1 else math.inf
        unset, blank = (1 - q) / q, (1 - p) / p
        other_ratio = over_power(1 / (1 - p), 1 - q, k - 2) + unset
        ratios = [
            over_power(p / (q * (1 - p)), 1 - q, k - 2) + unset,
            over_power(q / p, 1 - q, k - 1) + blank,
            *[other_ratio][: k - 2],
        ]
        return max(ratios), max(over_power(Fraction(1), 1 - q, k - 1) + blank, other_ratio)

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """All other bits are unset."""
        p, q, k = self.truth, self.lie, self.answers
        return p * (1 - q) ** (k - 1), q * (1 - p) * (1 - q) ** (k - 2)

    @property
    def empty(self) -> Fraction:
        """All bits are unset."""
        return (1 - self.truth) * (1 - self.lie) ** (self.answers - 1)

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Each set of answers."""
        refuse_long(self, 1 << min(self.answers, 64))
        sets = list(range(1 << self.answers))
        return sets, [[self._mask_chance(x, mask) for mask in sets] for x in range(self.answers)]

    def _mask_chance(self, answer: int, mask: int) -> Fraction:
        others = (mask & ~(1 << answer)).bit_count()
        lies = self.lie**others * (1 - self.lie) ** (self.answers - 1 - others)
        return lies * (self.truth if mask >> answer & 1 else 1 - self.truth)

    def draw(self, chance: AbstractChance) -> Callable[[Integers], npt.NDArray[np.uint8]]:
        """Draw one bit for each answer, packed as `numpy.packbits` does: shape (n, ⌈k/8⌉)."""
        bits = chance.bits(self.lie, self.answers)

        def block(answers: Integers) -> npt.NDArray[np.uint8]:
            packed, rows = bits(len(answers))
            put_bits(packed, answers, rows.flips(self.truth))
            return packed

        return by_blocks(block, BLOCK // self.answers)


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetOracle(AbstractOracle):
    r"""Subset selection: S is d of the k answers, among them the true one with chance p.

    .. math:: e^\varepsilon = \frac{p\,(k - d)}{(1 - p)\,d}

    References
    ----------
    Ye & Barg (2018); Wang, Huang, Nie, Xu, Wang & Yiu (2019), the ω-subset mechanism.

    >>> SubsetOracle(answers=9, size=3, truth="3/5").ratio
    Fraction(3, 1)
    """

    name: ClassVar[str] = "subset"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "bits"
    by_report: ClassVar[bool] = False
    answers: int
    size: int
    truth: Fraction

    def __post_init__(self) -> None:
        k = refuse_answers("SubsetOracle.answers", self.answers)
        read_integer(self.size, "SubsetOracle.size", f"a whole number from 1 to {k - 1}", 1, k - 1)
        object.__setattr__(self, "truth", read_chance(self.truth, "SubsetOracle.truth"))

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the set holds the true answer."""
        return self.truth

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that the set holds a certain other answer: (d − p)/(k − 1)."""
        return (self.size - self.truth) / (self.answers - 1)

    @property
    def both_inside(self) -> Fraction:
        """p(d − 1)/(k − 1)."""
        return self.truth * (self.size - 1) / (self.answers - 1)

    @property
    def both_outside(self) -> Fraction:
        """Two of the d − 1 or d others that S holds."""
        p, d, k = self.truth, self.size, self.answers
        pairs = p * (d - 1) * (d - 2) + (1 - p) * d * (d - 1)
        return pairs / ((k - 1) * (k - 2)) if k > 2 else Fraction(0)

    @property
    def ratio(self) -> Ratio:
        """A set that holds one answer and not the other."""
        truth_weight = self.truth * (self.answers - self.size)
        low, high = sorted((truth_weight, (1 - self.truth) * self.size))
        return largest_of(high, low)

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """Only where S is one answer."""
        return (
            (self.true_positive_rate, self.false_positive_rate)
            if self.size == 1
            else (Fraction(0), Fraction(0))
        )

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Each set of d answers."""
        k, d = self.answers, self.size
        refuse_long(self, math.comb(k, d) if k <= 64 else 1 << 64)
        true_chance = self.truth / math.comb(k - 1, d - 1)
        other = (1 - self.truth) / math.comb(k - 1, d)
        sets = [sum(1 << answer for answer in subset) for subset in combinations(range(k), d)]
        return sets, [[true_chance if mask >> x & 1 else other for mask in sets] for x in range(k)]

    def draw(self, chance: AbstractChance) -> Callable[[Integers], npt.NDArray[np.uint8]]:
        """Draw a set, packed as one bit for each answer: shape (n, ⌈k/8⌉).

        Bits that are drawn alike make every set of their number equally likely, and so does adding
        answers to it, or taking them out, at random until their number is right.
        """
        k, d = self.answers, self.size
        rough = round(256 * d / k)  # any chance does
        sparse = rough < _FEW  # then all are added

        def block(answers: Integers) -> npt.NDArray[np.uint8]:
            rows = chance.rows(len(answers))
            true = rows.flips(self.truth)
            members = np.zeros((len(answers), k), dtype=bool) if sparse else rows.bytes(k) < rough
            sets = members.view(np.uint8)
            sets[np.arange(len(answers)), answers] = true
            _resize(sets, answers, d, rows)
            return np.packbits(sets, axis=1)

        return by_blocks(block, BLOCK // k)


def _resize(sets: npt.NDArray[np.uint8], fixed: Integers, size: int, rows: AbstractRows) -> None:
    """Add answers at random to sets that are too small, or take some out; one is left as it is."""
    short = size - sets.sum(axis=1, dtype=np.int64)
    while len(open_ := np.flatnonzero(short)):
        lacking = np.abs(short[open_])
        mean = int(lacking.mean())
        candidates = rows.several(sets.shape[1], open_, mean if mean > _FEW else 1)
        right = sets[open_[:, None], candidates] != (short[open_] > 0)[:, None]
        right &= candidates != fixed[open_, None]
        hit, answer = _first_distinct(candidates, right, lacking)
        sets[open_[hit], answer] ^= 1
        short[open_] -= np.sign(short[open_]) * np.bincount(hit, minlength=len(open_))


def _first_distinct(places: Integers, right: Booleans, most: Integers) -> tuple[Integers, Integers]:
    """List by row the places that are right, each once, in their order, so many at most."""
    if places.shape[1] == 1:
        row = np.flatnonzero(right)
        return row, places[row, 0]
    row, step = np.nonzero(right)
    answer = places[row, step]
    _, first = np.unique((row << _PLACE_BITS) + answer, return_index=True)
    first.sort()
    row, answer = row[first], answer[first]
    begins = np.searchsorted(row, np.arange(len(most)))
    within = np.arange(len(row)) - begins[row] < most[row]
    return row[within], answer[within]


_SEEDS = 1 << 40
_WIDEST = 1 << 20


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HashOracle(AbstractOracle):
    r"""Local hashing: answers are thrown into g cells by a random seed; S is one cell of them.

    The cell of the true answer is reported with chance p, each other one equally often otherwise.
    A report is the number seed · g + cell. Whoever counts throws all k answers for every report, so
    that it takes n · k steps.

    .. math:: e^\varepsilon = p (g - 1) / (1 - p), \quad p^* = p, \quad q^* = 1/g

    q* is the mean over a seed of 40 bits, as far as the hash, SplitMix's, is even.

    References
    ----------
    Wang, Blocki, Li & Jha (2017): g = 2 is binary (BLH), g = e^ε + 1 optimal (OLH).

    >>> HashOracle(answers=1000, cells=4, truth="1/2").ratio
    Fraction(3, 1)
    """

    name: ClassVar[str] = "hash"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "numbers"
    by_report: ClassVar[bool] = False
    answers: int
    cells: int
    truth: Fraction

    def __post_init__(self) -> None:
        refuse_answers("HashOracle.answers", self.answers)
        allowed = "a whole number from 2 to 2^20"
        read_integer(self.cells, "HashOracle.cells", allowed, 2, _WIDEST)
        object.__setattr__(self, "truth", read_chance(self.truth, "HashOracle.truth"))

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the cell of the true answer is reported."""
        return self.truth

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that a certain other answer is in the reported cell."""
        return Fraction(1, self.cells)

    @property
    def both_inside(self) -> Fraction:
        """Another answer falls into the true cell."""
        return self.truth / self.cells

    @property
    def both_outside(self) -> Fraction:
        """Two others fall into the cell."""
        return Fraction(1, self.cells**2)

    @property
    def ratio(self) -> Ratio:
        """p(g − 1)/(1 − p), or its inverse."""
        low, high = sorted((self.truth * (self.cells - 1), 1 - self.truth))
        return largest_of(high, low)

    @property
    def resolved(self) -> tuple[Ratio, Ratio]:
        """No bound: hardly a seed leaves an answer alone in its cell, and which does is chance."""
        return math.inf, math.inf

    @property
    def empty(self) -> Fraction:
        """Another cell than the true one is reported, and nobody is in it."""
        share = Fraction(self.cells - 1, self.cells)
        return (1 - self.truth) * share ** (self.answers - 1)

    @property
    def reports(self) -> int:
        """A seed and a cell: g · 2^40."""
        return self.cells * _SEEDS

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Refuse: there are too many seeds."""
        raise too_long(self, f"{self.reports:,} reports")

    def draw(self, chance: AbstractChance) -> Callable[[Integers], Integers]:
        """Draw a seed and a cell, as one number."""
        g = self.cells

        def draw_reports(answers: Integers) -> Integers:
            rows = chance.rows(len(answers))
            true, seed, other = rows.flips(self.truth), rows.below(_SEEDS), rows.below(g - 1)
            cell = self.cells_of(seed, answers)
            return seed * g + np.where(true, cell, other + (other >= cell))

        return draw_reports

    def cells_of(self, seeds: Integers, answers: Integers) -> Integers:
        """Throw answers, by position, into cells by these seeds."""
        words = mixed(mixed(seeds.astype(np.uint64)) + answers.astype(np.uint64))
        high = (words >> np.uint64(32)) * np.uint64(self.cells)
        return (high >> np.uint64(32)).astype(np.int64)

    def count(self, reports: npt.NDArray[Any]) -> Integers:
        """Throw all answers for every report, and count those in its cell."""
        counts = np.zeros(self.answers, dtype=np.int64)
        every = np.arange(self.answers)
        step = max(BLOCK // (8 * self.answers), 1)
        for start in range(0, len(reports), step):
            seed, cell = np.divmod(reports[start : start + step], self.cells)
            counts += (self.cells_of(seed[:, None], every) == cell[:, None]).sum(axis=0)
        return counts

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """The answers that fall into the cell that is reported."""
        seed, cell = np.divmod(reports, self.cells)
        thrown = self.cells_of(seed[:, None], np.arange(self.answers)[answers])
        return np.asarray(thrown == cell[:, None], dtype=np.bool_)
