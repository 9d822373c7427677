"""Answers without an order, parted at random into blocks; the report is the answer's block."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import ClassVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.exact.ratio import whole
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.block_law import block_channel, parted

MOST_ANSWERS = 10


@final
@dataclass(frozen=True, slots=True, init=False)
class Blocks(AbstractMechanism):
    """Draw one of all partitions of the answers into so many blocks; send the one that is true.

    Interval privacy for answers without an order: a report is always true, and inside it nothing is
    told. Read as evidence, a row is a mass function whose belief in the true answer alone is the
    chance that it is disclosed.

    Parameters
    ----------
    number : int
        How many blocks; fewer than there are answers, of which there are at most 10.

    Raises
    ------
    InputError
        If the number is not at least 2; from `channel`, if it is not below that of the answers.

    References
    ----------
    Ding & Ding (2022), Definition 1, on a frame: answers without an order are future work there.

    >>> three = Blocks(number=2).channel(Frame(["a", "b", "c"]))
    >>> three.reports
    ('a', 'b', 'c', 'a or b', 'a or c', 'b or c')
    >>> three.mass("a").belief(["a"])
    Fraction(1, 3)
    """

    name: ClassVar[str] = "blocks"
    number: int

    def __init__(self, *, number: int = 2) -> None:
        count = whole(number, "Blocks.number", "an integer in [2, ∞)", 2)
        object.__setattr__(self, "number", count)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = parted(frame, self.number, "Blocks.number", MOST_ANSWERS)
        return block_channel(frame, dict(self._law(frame, k)))

    def _law(self, frame: Frame, k: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        total = _partitions(k, self.number)
        for size in range(1, k - self.number + 2):
            chance = Fraction(_partitions(k - size, self.number - 1), total)
            for block in combinations(frame.answers, size):
                yield block, chance

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"number": str(self.number)}


@cache
def _partitions(of: int, into: int) -> int:
    """Count the partitions of a set into non-empty blocks: Stirling's second numbers."""
    if not of or not into:
        return int(of == into)
    return into * _partitions(of - 1, into) + _partitions(of - 1, into - 1)
