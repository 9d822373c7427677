"""Memoised draws: what a person draws once for each answer and keeps, and how reports follow.

The laws of the recipes for repeated questions, without their names: of each answer (or of each cell
that answers are hashed to) a permanent draw is made once; every report is drawn from that of the
answer of its round.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance, whole

_MOST = 1 << 32


def _count(value: object, where: str, lowest: int = 1) -> int:
    return whole(value, where, f"a whole number in [{lowest}, 2^32]", lowest, _MOST)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoisedSymbols:
    r"""One of k symbols is kept for each answer, by k-ary response; reports are k-ary again.

    .. math:: P(m_a = a) = t, \quad P(m_a = b) = \frac{1 - t}{k - 1}, \quad
        P(r = m) = p, \quad P(r = b) = \frac{1 - p}{k - 1}

    Parameters
    ----------
    classes : int
        How many answers, or cells, keep a draw of their own, at most k.
    symbols : int
        k, how many symbols there are, 2 or more.
    truth : probability
        t, that the symbol of the answer itself is kept; at least 1/k.
    again : probability
        p, that a report is the symbol that is kept; at least 1/k.

    References
    ----------
    Arcolezi, Couchot, Al Bouna & Xiao (2022), L-GRR; Arcolezi, Pinzón, Palamidessi & Gambs (2023),
    LOLOHA.

    >>> MemoisedSymbols(classes=2, symbols=2, truth="6/7", again="17/20").step
    Fraction(17, 3)
    """

    classes: int
    symbols: int
    truth: Fraction
    again: Fraction

    def __post_init__(self) -> None:
        _count(self.classes, "MemoisedSymbols.classes")
        k = _count(self.symbols, "MemoisedSymbols.symbols", 2)
        if self.classes > k:
            raise InputError(
                "MemoisedSymbols.classes", got=self.classes, allowed=f"at most {k}, the symbols"
            )
        for name in ("truth", "again"):
            where = f"MemoisedSymbols.{name}"
            value = chance(getattr(self, name), where)
            if value * k < 1:
                raise InputError(where, got=str(value), allowed=f"at least 1/{k}")
            object.__setattr__(self, name, value)

    @property
    def lie(self) -> Fraction:
        """The chance that a certain other symbol is kept."""
        return (1 - self.truth) / (self.symbols - 1)

    @property
    def step(self) -> Fraction | None:
        """Ratio of the chances of a report from two kept symbols; None where one rules it out."""
        other = (1 - self.again) / (self.symbols - 1)
        return self.again / other if other else None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoisedBits:
    r"""Some bits are kept for each answer, each drawn by itself; so are those of a report.

    .. math:: P(m_{ab} = 1) = t \text{ if } a = b \text{ else } l, \quad
        P(r_b = 1) = p \text{ if } m_{ab} = 1 \text{ else } q

    Parameters
    ----------
    classes : int
        How many answers keep draws of their own: as many as bits; or one more, which has no bit,
        where what is kept is sent as it is.
    bits : int
        How many bits there are.
    truth, lie : probability
        t and l, of the permanent step.
    again_truth, again_lie : probability
        p and q, of each report; 1 and 0 where what is kept is sent as it is.

    References
    ----------
    Erlingsson, Pihur & Korolova (2014), basic RAPPOR; Ding, Kulkarni & Yekhanin (2017), dBitFlipPM.

    >>> MemoisedBits(classes=3, bits=2, truth="3/4", lie="1/4", again_truth=1, again_lie=0).classes
    3
    """

    classes: int
    bits: int
    truth: Fraction
    lie: Fraction
    again_truth: Fraction
    again_lie: Fraction

    def __post_init__(self) -> None:
        bits = _count(self.bits, "MemoisedBits.bits")
        _count(self.classes, "MemoisedBits.classes")
        for name in ("truth", "lie", "again_truth", "again_lie"):
            value = chance(getattr(self, name), f"MemoisedBits.{name}")
            object.__setattr__(self, name, value)
        kept_is_sent = self.again_truth == 1 and self.again_lie == 0
        allowed = {bits, bits + 1} if kept_is_sent else {bits}
        if self.classes not in allowed:
            raise InputError(
                "MemoisedBits.classes",
                got=self.classes,
                allowed=" or ".join(map(str, sorted(allowed))),
                remedy="give each answer a bit",
            )


MemoisedDraws: TypeAlias = MemoisedSymbols | MemoisedBits
"""What a recipe for repeated questions keeps: one symbol for each answer, or bits."""
