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
    ALIKE,
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
)
from askance.errors import InputError
from askance.exact.ratio import chance as read_chance
from askance.exact.ratio import whole
from askance.typing import Booleans, Integers

MOST_ASKED = 62
"""A report asks about so many answers at the most: their bits are one whole number."""
_ONES = np.array([one.bit_count() for one in range(256)], dtype=np.uint8)
_ROWS = 1 << 14  # drawn at a time


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

    >>> asked = BitFlipOracle(answers=8, asked=2, truth="3/4", lie="1/4")
    >>> asked.inside, asked.told, asked.ratio
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
        whole(self.asked, "BitFlipOracle.asked", f"a whole number from 1 to {most}", 1, most)
        for name in ("truth", "lie"):
            value = read_chance(getattr(self, name), f"BitFlipOracle.{name}")
            object.__setattr__(self, name, value)
        if self.lie > self.truth:
            raise InputError(
                "BitFlipOracle.lie", got=str(self.lie), allowed=f"at most the truth, {self.truth}"
            )

    @property
    def inside(self) -> Fraction:
        """The true answer is asked and its bit set: p d/k."""
        return self.truth * self._one

    @property
    def outside(self) -> Fraction:
        """Another answer is asked and its bit set: q d/k."""
        return self.lie * self._one

    @property
    def both(self) -> Fraction:
        """Both are asked, and their bits set."""
        return self.truth * self.lie * self.both_asked

    @property
    def neither(self) -> Fraction:
        """Two others are asked, and their bits set."""
        return self.lie**2 * self.both_asked

    @property
    def told(self) -> tuple[Fraction, Fraction]:
        """How often a bit that is asked is set: p and q."""
        return self.truth, self.lie

    @property
    def _one(self) -> Fraction:
        """The chance that a certain answer is asked."""
        return Fraction(self.asked, self.answers)

    @property
    def both_asked(self) -> Fraction:
        """The chance that two certain answers are asked."""
        return self._one * Fraction(self.asked - 1, self.answers - 1)

    @property
    def ratio(self) -> Ratio:
        """Both answers are asked, one bit is set and the other is not; or one of them is asked."""
        p, q = self.truth, self.lie
        if self.asked > 1:
            return largest_of(p * (1 - q), q * (1 - p))
        return max(largest_of(p, q), largest_of(1 - q, 1 - p))

    @property
    def between(self) -> Pairwise:
        """Between two answers: either, both or none of them is asked."""
        p, q, two, one = self.truth, self.lie, self.both_asked, self._one - self.both_asked
        found = {
            "{0}, not {1}": (two * p * (1 - q), two * q * (1 - p)),
            "{1}, not {0}": (two * q * (1 - p), two * p * (1 - q)),
            "{0}; {1} not asked": (one * p, one * q),
            "not {0}; {1} not asked": (one * (1 - p), one * (1 - q)),
            "{1}; {0} not asked": (one * q, one * p),
            "not {1}; {0} not asked": (one * (1 - q), one * (1 - p)),
        }
        rest = 1 - sum((own for own, _ in found.values()), Fraction(0))
        return found | {ALIKE: (rest, rest)}

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """The one bit that is set."""
        p, q, d = self.truth, self.lie, self.asked
        unset = (1 - q) ** (d - 1)
        beside = (1 - p) * (1 - q) ** (d - 2) if d > 1 else Fraction(0)
        return p * self._one * unset, q * (
            self.both_asked * beside + (self._one - self.both_asked) * unset
        )

    @property
    def empty(self) -> Fraction:
        """No bit is set."""
        p, q, d = self.truth, self.lie, self.asked
        unset = (1 - q) ** (d - 1)
        return unset * (self._one * (1 - p) + (1 - self._one) * (1 - q))

    @property
    def reports(self) -> None:
        """There are 2^d for each d answers."""
        return None

    def parameters(self) -> dict[str, str]:
        """How many answers are asked, and both chances."""
        return {"asked": str(self.asked), "truth": str(self.truth), "lie": str(self.lie)}

    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Each d answers, with each choice of their bits."""
        k, d = self.answers, self.asked
        ways = math.comb(k, d)
        refuse_long(self, ways << d)
        reports = list(product(combinations(range(k), d), product((0, 1), repeat=d)))
        sets = [sum(bit << at for at, bit in zip(*one, strict=True)) for one in reports]
        return sets, [[self._of(x, *one) / ways for one in reports] for x in range(k)]

    def _of(self, answer: int, asked: tuple[int, ...], bits: tuple[int, ...]) -> Fraction:
        chances = (self.truth if at == answer else self.lie for at in asked)
        pairs = zip(chances, bits, strict=True)
        return math.prod((one if bit else 1 - one for one, bit in pairs), start=Fraction(1))

    def draw(self, chance: AbstractChance) -> Callable[[Integers], Bits]:
        """Draw who is asked what, and a bit for each: shape (n, 2⌈k/8⌉), as `pack` packs them."""

        def block(answers: Integers) -> Bits:
            rows = chance.rows(len(answers))
            asked = self.choose(rows, len(answers))
            words = np.zeros(len(answers), dtype=np.int64)
            for at in range(self.asked):
                words |= self.flip(rows, asked[:, at] == answers) << np.int64(at)
            return self.pack(asked, words)

        def drawn(answers: Integers) -> Bits:
            parts = [answers[at : at + _ROWS] for at in range(0, len(answers), _ROWS)]
            return np.concatenate([block(part) for part in parts or [answers]])

        return drawn

    def choose(self, rows: AbstractRows, count: int) -> Integers:
        """Draw for each row which answers are asked, any d equally likely: shape (n, d).

        References
        ----------
        Bentley & Floyd (1987), sampling without replacement.
        """
        found = np.empty((count, self.asked), dtype=np.int64)
        for at, last in enumerate(range(self.answers - self.asked, self.answers)):
            tried = rows.below(last + 1)
            again = (found[:, :at] == tried[:, None]).any(axis=1)
            found[:, at] = np.where(again, last, tried)
        return found

    def flip(self, rows: AbstractRows, own: npt.NDArray[Any]) -> Integers:
        """Draw one bit for each row: with p where it is the true answer's, else with q."""
        lies, truths = rows.flips(self.lie), rows.flips(self.truth)
        return np.where(own, truths, lies).astype(np.int64)

    def pack(self, asked: Integers, words: Integers) -> Bits:
        """Write reports: ⌈k/8⌉ bytes of bits that are set, and as many of those that were asked."""
        half = self.width // 2
        found = np.zeros((len(asked), 2 * half), dtype=np.uint8)
        for at in range(self.asked):
            put_bits(found[:, :half], asked[:, at], words >> np.int64(at) & 1)
            put_bits(found[:, half:], asked[:, at], np.ones(len(asked), dtype=np.bool_))
        return found

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
        bits, asked = reports[:, :half], reports[:, half:]
        after = asked[:, -1] & ((1 << (-self.answers % 8)) - 1)
        stray: Booleans = (bits & ~asked).any(axis=1) | (after != 0)
        wrong: Booleans = stray | (_ONES[asked].sum(axis=1) != self.asked)
        return wrong

    @property
    def counted(self) -> int:
        """Bits that are set, and bits that were asked."""
        return 2 * self.answers

    def count(self, reports: npt.NDArray[Any]) -> Integers:
        """Count both, shape (2k,)."""
        half = self.width // 2
        both = (reports[:, :half], reports[:, half:])
        return np.concatenate([bit_counts(one, self.answers) for one in both])

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """Bits that are set."""
        return bits_of(reports[:, : self.width // 2], answers)

    def tells(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """Bits that were asked."""
        return bits_of(reports[:, self.width // 2 :], answers)

    def supports(self, counts: Integers) -> Integers:
        """Bits that are set."""
        return counts[: self.answers]

    def heard(self, counts: Integers, total: int) -> Integers:  # noqa: ARG002  one interface
        """Bits that were asked."""
        return counts[self.answers :]
