"""Partitions of the answers that are written out, one of which is drawn for each person."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError
from askance.exact.ratio import ratio
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.block_law import MOST_BLOCKS, block_channel

Block = tuple[str, ...]


@final
@dataclass(frozen=True, slots=True, init=False)
class Partitions(AbstractMechanism):
    """Draw one of the listed partitions, by weight; send the block that holds the answer.

    Any topology at all: districts of a map grouped in several ways, the squares of a grid, unions
    of ranges that are apart. A report is always true, and inside it nothing is told.

    Parameters
    ----------
    partitions : sequence of partitions
        Each a sequence of blocks, each a sequence of answers; every answer stands in one block.
    weights : sequence of number, optional
        One for each partition; even if left out.

    Raises
    ------
    InputError
        If there are fewer weights than partitions, a weight is negative or all are 0; from
        `channel`, if a partition leaves an answer out or has it twice.

    References
    ----------
    Ding & Ding (2022), Definition 4, the extended interval mechanism.

    >>> map_of_four = Partitions([[["N", "E"], ["S", "W"]], [["N", "W"], ["S", "E"]]])
    >>> map_of_four.channel(Frame(["N", "E", "S", "W"])).reports
    ('N or E', 'S or W', 'N or W', 'E or S')
    """

    name: ClassVar[str] = "partitions"
    partitions: tuple[tuple[Block, ...], ...]
    weights: tuple[Fraction, ...]

    def __init__(self, partitions: Any, weights: Sequence[object] | None = None) -> None:
        read = _read(partitions)
        units = (1,) * len(read) if weights is None else weights
        listed = isinstance(units, list | tuple) and len(units) == len(read)
        law = tuple(ratio(one, "Partitions.weights") for one in units) if listed else ()
        if not law or min(law) < 0 or not sum(law):
            raise InputError(
                "Partitions.weights",
                got=weights,
                allowed=f"{len(read)} non-negative numbers, not all zero",
            )
        object.__setattr__(self, "partitions", read)
        object.__setattr__(self, "weights", law)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        chances: dict[Block, Fraction] = {}
        for at, (parts, weight) in enumerate(zip(self.partitions, self.weights, strict=True)):
            named = sorted(answer for block in parts for answer in block)
            if named != sorted(frame.answers):
                raise InputError(
                    f"Partitions.partitions[{at}]",
                    got=", ".join(named),
                    allowed=f"every answer once: {', '.join(frame.answers)}",
                )
            for block in parts:
                ordered = tuple(answer for answer in frame.answers if answer in block)
                chances[ordered] = chances.get(ordered, Fraction(0)) + weight / sum(self.weights)
        if len(chances) > MOST_BLOCKS:
            raise InputError(
                "Partitions.partitions",
                got=f"{len(chances)} blocks",
                allowed=f"at most {MOST_BLOCKS}",
            )
        return block_channel(frame, {block: one for block, one in chances.items() if one})

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        weights = [str(weight) for weight in self.weights]
        return {
            "partitions": json.dumps(self.partitions, ensure_ascii=False),
            "weights": json.dumps(weights),
        }


def _read(given: Any) -> tuple[tuple[Block, ...], ...]:
    def listed(one: Any) -> bool:
        return isinstance(one, list | tuple) and len(one) > 0

    fits = listed(given) and all(
        listed(parts)
        and all(listed(block) and all(isinstance(name, str) for name in block) for block in parts)
        for parts in given
    )
    if not fits:
        raise InputError(
            "Partitions.partitions",
            got=given,
            allowed='lists of blocks of answers: [[["a", "b"], ["c"]], …]',
        )
    return tuple(tuple(tuple(block) for block in parts) for parts in given)
