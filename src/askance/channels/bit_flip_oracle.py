"""The oracle of dBitFlip: each report asks about some answers alone, and has a bit for each.

Unlike a pure oracle's, its report tells three things of an answer: that its bit is set, that it is
not, or, where it was not asked, nothing. Which answers are asked is drawn without looking at the
true one, and told: so counts are told apart from silence, and an answer's share is estimated from
those who were asked.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import (
    EQUALLY_LIKELY,
    AbstractChance,
    AbstractOracle,
    AbstractRows,
    Bits,
    Pairwise,
    Ratio,
    bit_counts,
    bits_of,
    largest_of,
    put_bits,
    refuse_answers,
    refuse_long,
    register_oracle,
)
from askance.typing import Booleans, Integers
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance as read_chance
from askance_collect.exact.ratio import read_integer

MOST_ASKED = 62
"""A report asks about so many answers at the most: their bits are one whole number."""
_ONES = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
_ROWS = 1 << 14  # drawn at a time


@register_oracle
@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BitFlipOracle(AbstractOracle):
    r"""dBitFlip: d of k answers, drawn evenly, are asked; each has a bit, the true one's with p.

    All other bits are set with q. S is the asked answers whose bit is set. Bits that are not asked
    are those of a unary encoding that are kept back.

    .. math:: p^* = \frac{d}{k} p, \quad q^* = \frac{d}{k} q, \quad
        e^\varepsilon = \frac{p (1 - q)}{q (1 - p)} \text{ where } d \ge 2

    One bit alone (d = 1) tells less: e^ε is p/q or (1 − q)/(1 − p), whichever is more.

    References
    ----------
    Ding, Kulkarni & Yekhanin (2017), dBitFlip.

    >>> oracle = BitFlipOracle(answers=8, asked=2, truth="3/4", lie="1/4")
    >>> oracle.true_positive_rate, oracle.informative_chances, oracle.ratio
    (Fraction(3, 16), (Fraction(3, 4), Fraction(1, 4)), Fraction(9, 1))
    """

    name: ClassVar[str] = "bit_flip"
    coded: ClassVar[Literal["names", "numbers", "bits"]] = "bits"
    by_report: ClassVar[bool] = False
    answers: int
    asked: int
    truth: Fraction
    lie: Fraction

    def __post_init__(self) -> None:
        k = refuse_answers("BitFlipOracle.answers", self.answers)
        most = min(k, MOST_ASKED)
        read_integer(self.asked, "BitFlipOracle.asked", f"a whole number from 1 to {most}", 1, most)
        for name in ("truth", "lie"):
            value = read_chance(getattr(self, name), f"BitFlipOracle.{name}")
            object.__setattr__(self, name, value)
        if self.lie > self.truth:
            raise InputError(
                "BitFlipOracle.lie", got=str(self.lie), allowed=f"at most the truth, {self.truth}"
            )

    @property
    def true_positive_rate(self) -> Fraction:
        """The chance that the set holds the true answer: p d/k."""
        return self.truth * self._asked_chance

    @property
    def false_positive_rate(self) -> Fraction:
        """The chance that the set holds a certain other answer: q d/k."""
        return self.lie * self._asked_chance

    @property
    def both_inside(self) -> Fraction:
        """Both are asked, and their bits set."""
        return self.truth * self.lie * self.both_asked

    @property
    def both_outside(self) -> Fraction:
        """Two others are asked, and their bits set."""
        return self.lie**2 * self.both_asked

    @property
    def informative_chances(self) -> tuple[Fraction, Fraction]:
        """How often a bit that is asked is set: p and q."""
        return self.truth, self.lie

    @property
    def _asked_chance(self) -> Fraction:
        """The chance that a certain answer is asked."""
        return Fraction(self.asked, self.answers)

    @property
    def both_asked(self) -> Fraction:
        """The chance that two certain answers are asked."""
        return self._asked_chance * Fraction(self.asked - 1, self.answers - 1)

    @property
    def ratio(self) -> Ratio:
        """With both answers asked: one bit set and the other unset. With d = 1: one is asked."""
        p, q = self.truth, self.lie
        if self.asked > 1:
            return largest_of(p * (1 - q), q * (1 - p))
        return max(largest_of(p, q), largest_of(1 - q, 1 - p))

    @property
    def between(self) -> Pairwise:
        """Between two answers: either, both or none of them is asked."""
        p, q, pair, single = (
            self.truth,
            self.lie,
            self.both_asked,
            self._asked_chance - self.both_asked,
        )
        chances = {
            "{0}, not {1}": (pair * p * (1 - q), pair * q * (1 - p)),
            "{1}, not {0}": (pair * q * (1 - p), pair * p * (1 - q)),
            "{0}; {1} not asked": (single * p, single * q),
            "not {0}; {1} not asked": (single * (1 - p), single * (1 - q)),
            "{1}; {0} not asked": (single * q, single * p),
            "not {1}; {0} not asked": (single * (1 - q), single * (1 - p)),
        }
        rest = 1 - sum((own for own, _ in chances.values()), Fraction(0))
        return chances | {EQUALLY_LIKELY: (rest, rest)}

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """The one bit that is set."""
        p, q, d = self.truth, self.lie, self.asked
        unset = (1 - q) ** (d - 1)
        others_unset = (1 - p) * (1 - q) ** (d - 2) if d > 1 else Fraction(0)
        return p * self._asked_chance * unset, q * (
            self.both_asked * others_unset + (self._asked_chance - self.both_asked) * unset
        )

    @property
    def empty(self) -> Fraction:
        """No bit is set."""
        p, q, d = self.truth, self.lie, self.asked
        unset = (1 - q) ** (d - 1)
        return unset * (self._asked_chance * (1 - p) + (1 - self._asked_chance) * (1 - q))

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Each d answers, with each choice of their bits."""
        k, d = self.answers, self.asked
        ways = math.comb(k, d)
        refuse_long(self, ways << d)
        reports = list(product(combinations(range(k), d), product((0, 1), repeat=d)))
        sets = [
            sum(bit << answer for answer, bit in zip(*report, strict=True)) for report in reports
        ]
        return sets, [
            [self._report_chance(x, *report) / ways for report in reports] for x in range(k)
        ]

    def _report_chance(
        self, answer: int, asked_answers: tuple[int, ...], bits: tuple[int, ...]
    ) -> Fraction:
        chances = (self.truth if candidate == answer else self.lie for candidate in asked_answers)
        pairs = zip(chances, bits, strict=True)
        return math.prod(
            (chance if bit else 1 - chance for chance, bit in pairs), start=Fraction(1)
        )

    def draw(self, chance: AbstractChance) -> Callable[[Integers], Bits]:
        """Draw who is asked what, and a bit for each: shape (n, 2⌈k/8⌉), as `pack` packs them."""

        def block(answers: Integers) -> Bits:
            rows = chance.rows(len(answers))
            asked_answers = self.choose(rows, len(answers))
            words = np.zeros(len(answers), dtype=np.int64)
            for position in range(self.asked):
                words |= self.flip(rows, asked_answers[:, position] == answers) << np.int64(
                    position
                )
            return self.pack(asked_answers, words)

        def draw_blocks(answers: Integers) -> Bits:
            parts = [answers[start : start + _ROWS] for start in range(0, len(answers), _ROWS)]
            return np.concatenate([block(part) for part in parts or [answers]])

        return draw_blocks

    def choose(self, rows: AbstractRows, count: int) -> Integers:
        """Draw for each row which answers are asked, any d equally likely: shape (n, d).

        References
        ----------
        Bentley & Floyd (1987), sampling without replacement.
        """
        chosen = np.empty((count, self.asked), dtype=np.int64)
        for position, last in enumerate(range(self.answers - self.asked, self.answers)):
            tried = rows.below(last + 1)
            again = (chosen[:, :position] == tried[:, None]).any(axis=1)
            chosen[:, position] = np.where(again, last, tried)
        return chosen

    def flip(self, rows: AbstractRows, own: npt.NDArray[Any]) -> Integers:
        """Draw one bit for each row: with p where it is the true answer's, else with q."""
        lies, truths = rows.flips(self.lie), rows.flips(self.truth)
        return np.where(own, truths, lies).astype(np.int64)

    def pack(self, asked_answers: Integers, words: Integers) -> Bits:
        """Write reports: ⌈k/8⌉ bytes of bits that are set, and as many of those that were asked."""
        half = self.width // 2
        packed = np.zeros((len(asked_answers), 2 * half), dtype=np.uint8)
        for position in range(self.asked):
            put_bits(packed[:, :half], asked_answers[:, position], words >> np.int64(position) & 1)
            put_bits(
                packed[:, half:],
                asked_answers[:, position],
                np.ones(len(asked_answers), dtype=np.bool_),
            )
        return packed

    @property
    def width(self) -> int:
        """Twice a bit for each answer."""
        return 2 * -(-self.answers // 8)

    @property
    def spelling(self) -> str:
        """Bits that are set, and bits that were asked."""
        some = f"answer{'' if self.asked == 1 else 's'}"
        return (
            f"{self.width // 2} byte{'' if self.width == 2 else 's'} of bits that are set, then as "
            f"many of bits that were asked, of {self.asked} {some}"
        )

    def misspelt(self, reports: Bits) -> Booleans:
        """Others than d answers are asked, a bit is set that is not, or one stands after all."""
        half = self.width // 2
        bits, asked_bits = reports[:, :half], reports[:, half:]
        after = asked_bits[:, -1] & ((1 << (-self.answers % 8)) - 1)
        stray: Booleans = (bits & ~asked_bits).any(axis=1) | (after != 0)
        wrong: Booleans = stray | (_ONES[asked_bits].sum(axis=1) != self.asked)
        return wrong

    @property
    def counted(self) -> int:
        """Bits that are set, and bits that were asked."""
        return 2 * self.answers

    def count(self, reports: npt.NDArray[Any]) -> Integers:
        """Count both, shape (2k,)."""
        half = self.width // 2
        halves = (reports[:, :half], reports[:, half:])
        return np.concatenate([bit_counts(bits, self.answers) for bits in halves])

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """Bits that are set."""
        return bits_of(reports[:, : self.width // 2], answers)

    def tells(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """Bits that were asked."""
        return bits_of(reports[:, self.width // 2 :], answers)

    def supports(self, counts: Integers) -> Integers:
        """Bits that are set."""
        return counts[: self.answers]

    def count_informative(self, counts: Integers, total: int) -> Integers:  # noqa: ARG002  one interface
        """Bits that were asked."""
        return counts[self.answers :]
