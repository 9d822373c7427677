"""Answers parted at random into blocks or runs; the report is the part that holds the answer."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, ClassVar, final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.mechanisms.randomised_response import AbstractMechanism
from askance_collect.arguments import checked
from askance_collect.errors import InputError, listed_names
from askance_collect.exact.ratio import read_integer, read_ratio

MOST_IN_BLOCKS = 10


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
        count = read_integer(number, "Blocks.number", "an integer in [2, ∞)", 2)
        object.__setattr__(self, "number", count)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = parted(frame, self.number, "Blocks.number", MOST_IN_BLOCKS)
        return block_channel(frame, dict(self._law(frame, k)))

    def _law(self, frame: Frame, k: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        total = _partitions(k, self.number)
        for size in range(1, k - self.number + 2):
            chance = Fraction(_partitions(k - size, self.number - 1), total)
            for block in combinations(frame.answers, size):
                yield block, chance


@cache
def _partitions(of: int, into: int) -> int:
    """Count the partitions of a set into non-empty blocks: Stirling's second numbers."""
    if not of or not into:
        return int(of == into)
    return into * _partitions(of - 1, into) + _partitions(of - 1, into - 1)


MOST_IN_RUNS = 40


@final
@dataclass(frozen=True, slots=True, init=False)
class Runs(AbstractMechanism):
    """Cut the answers, in the order they are listed, into so many runs; send the one that is true.

    All ways to cut are equally likely. A report is always true, and inside it nothing is told.

    Parameters
    ----------
    number : int
        How many runs; fewer than there are answers, of which there are at most 40.

    Raises
    ------
    InputError
        If the number is not at least 2; from `channel`, if it is not below that of the answers.

    References
    ----------
    Ding & Ding (2022), the canonical interval mechanism (4), on a frame instead of a line.

    >>> rated = Runs(number=2).channel(Frame(["never", "seldom", "often"]))
    >>> rated.reports, rated.table.rows[1]
    (('never', 'never or seldom', 'seldom or often', 'often'), (0, 1, 1, 0))
    """

    name: ClassVar[str] = "runs"
    number: int

    def __init__(self, *, number: int = 2) -> None:
        object.__setattr__(
            self, "number", read_integer(number, "Runs.number", "an integer in [2, ∞)", 2)
        )

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = parted(frame, self.number, "Runs.number", MOST_IN_RUNS)
        total = comb(k - 1, self.number - 1)
        chances = {}
        for low in range(k):
            for high in range(low + 1, k + 1):
                ends = (low > 0) + (high < k)
                elsewhere = max(low - 1, 0) + max(k - high - 1, 0)
                if ways := _ways(elsewhere, self.number - 1 - ends):
                    chances[frame.answers[low:high]] = Fraction(ways, total)
        return block_channel(frame, chances)


def _ways(places: int, cuts: int) -> int:
    return comb(places, cuts) if cuts >= 0 else 0


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
        read = _read_partitions(partitions)
        units = (1,) * len(read) if weights is None else weights
        listed = isinstance(units, list | tuple) and len(units) == len(read)
        law = tuple(read_ratio(weight, "Partitions.weights") for weight in units) if listed else ()
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
        for index, (parts, weight) in enumerate(zip(self.partitions, self.weights, strict=True)):
            named = sorted(answer for block in parts for answer in block)
            if named != sorted(frame.answers):
                raise InputError(
                    f"Partitions.partitions[{index}]",
                    got=", ".join(named),
                    allowed=f"every answer once: {listed_names(frame.answers)}",
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
        return block_channel(frame, {block: chance for block, chance in chances.items() if chance})

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        weights = [str(weight) for weight in self.weights]
        return {
            "partitions": json.dumps(self.partitions, ensure_ascii=False),
            "weights": json.dumps(weights),
        }


def _read_partitions(partitions: Any) -> tuple[tuple[Block, ...], ...]:
    def listed(sequence: Any) -> bool:
        return isinstance(sequence, list | tuple) and len(sequence) > 0

    fits = listed(partitions) and all(
        listed(parts)
        and all(listed(block) and all(isinstance(name, str) for name in block) for block in parts)
        for parts in partitions
    )
    if not fits:
        raise InputError(
            "Partitions.partitions",
            got=partitions,
            allowed='lists of blocks of answers: [[["a", "b"], ["c"]], …]',
        )
    return tuple(tuple(tuple(block) for block in parts) for parts in partitions)


MOST_BLOCKS = 1_100
"""The most reports that a table of blocks may have."""


def block_channel(frame: Frame, chances: Mapping[tuple[str, ...], Fraction]) -> Channel:
    """Send each block, from every answer in it, with the chance that it is drawn.

    The partition is drawn before the answer is looked at: a report never lies, and all answers in
    it send it equally often.

    Raises
    ------
    InputError
        If two blocks would have the same name.

    >>> third = Fraction(1, 3)
    >>> blocks = {("a", "b"): third, ("c",): third, ("a",): 1 - third, ("b", "c"): 1 - third}
    >>> block_channel(Frame(["a", "b", "c"]), blocks).table.rows[1]
    (1, 0, 0, 2)
    """
    meant = {" or ".join(block): block for block in chances}
    if len(meant) < len(chances):
        raise InputError(
            "answers",
            got='names with " or " in them',
            allowed="names by which blocks can be told apart",
        )
    rows = [
        [chance if answer in block else Fraction(0) for block, chance in chances.items()]
        for answer in frame.answers
    ]
    return Channel(frame, meant, rows)


def parted(frame: Frame, number: int, where: str, most: int) -> int:
    """Check that so many blocks hide something of so many answers; give their count.

    >>> parted(Frame(["a", "b", "c"]), 2, "Runs", 100)
    3
    """
    k = len(frame)
    if not number < k <= most:
        raise InputError(
            where,
            got=f"{number} blocks of {k} answers",
            allowed=f"fewer blocks than answers, at most {most}",
            remedy="as many blocks as answers would send every answer as it is",
        )
    return k
