"""A protected number asked by two cuts that make a ring: is it between them, or outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from askance.exact.floor import Floor, PairLaw
from askance.exact.line import Line
from askance.wire.canonical import keep_unchangeable
from askance.wire.parts import is_cell, read_blank, read_line, read_wording


@final
@dataclass(frozen=True, slots=True)
class RingQuestion:
    """A protected number: one pair of ticks is drawn, and the report is their inside or outside.

    The value ``(a, b)`` with a < b reads "above tick a, up to tick b"; with a > b it is the ring's
    outside, "above tick a, or up to tick b". Both keep the least size of the law's floor. Nothing
    is withheld, sent exactly or asked step by step.

    References
    ----------
    Ding & Ding (2022), Example 3.
    """

    kind: ClassVar[str] = "ring"
    withhold: ClassVar[bool] = False
    open: ClassVar[tuple[tuple[int, int], ...]] = ()
    narrow: ClassVar[bool] = False
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]
    law: PairLaw
    typed: bool
    blank: tuple[int, int]
    about: Mapping[str, Any]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit about")

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each inner tick."""
        return self.law.weights

    @property
    def floor(self) -> Floor:
        """The least size of the inside and of the outside."""
        return self.law.floor

    def allows(self, value: object) -> bool:
        """Say whether some drawn pair, and some answer, send this range."""
        if not is_cell(value, self.line.ticks):
            return False
        low, high = min(value), max(value)
        return 0 < low < high < self.line.ticks and self.law.weight(low, high) > 0

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return len(f"[{self.line.ticks},{self.line.ticks}]")


def read_ring(raw: Any, languages: Sequence[str]) -> RingQuestion:
    """Read a question that is asked by a random ring."""
    line, ring, typed = read_line(raw["line"]), raw["ring"], raw["typed"]
    if type(typed) is not bool or raw["ask"] != "cells":
        raise ValueError('typed as true or false, and ask as "cells"')
    if len(ring["sizes"]) != line.ticks:
        raise ValueError("one size for each step")
    return RingQuestion(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
        PairLaw(ring["weights"], Floor(ring["sizes"], ring["least"])),
        typed,
        read_blank(raw["blank"]),
        raw["about"],
    )
