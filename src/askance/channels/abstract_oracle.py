"""The interfaces of frequency oracles and of sources of chance, and the registry of oracles.

Channels know the interface of an oracle alone. The module of an oracle registers it here, and is
imported when a document names it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError
from askance_collect.exact.ratio import Table, read_integer

BLOCK = 1 << 20
"""Bits that are looked at at a time."""
Words: TypeAlias = npt.NDArray[Any]
Places: TypeAlias = npt.NDArray[Any]
"""Positions of reports or of weights, in the narrowest whole numbers that hold them."""


class AbstractChance(ABC):
    """A source of randomness: draws from integer weights and from channels, many at a time."""

    __slots__ = ()

    @abstractmethod
    def places(self, weights: Sequence[int]) -> Callable[[int], Integers]:
        """Prepare to draw positions in proportion to integer weights."""

    @abstractmethod
    def reports(self, matrix: Floats, table: Table | None) -> Callable[[Integers], Places]:
        """Prepare to draw a report for each of several answers, all by position."""

    @abstractmethod
    def even_or_none(self, own: Fraction, others: int) -> Callable[[int], Integers]:
        """Prepare to draw from one word each: uniformly one of the others, or with a chance none.

        That none of them is drawn is told as ``others`` or more.
        """

    @abstractmethod
    def rows(self, count: int) -> "AbstractRows":
        """Prepare independent random draws for this many rows."""

    @abstractmethod
    def bits(self, chance: Fraction, width: int) -> Callable[[int], "tuple[Bits, AbstractRows]"]:
        """Prepare to draw rows of bits, each set with this chance, and further draws by row."""


Bits: TypeAlias = npt.NDArray[np.uint8]
"""Bits as `numpy.packbits` packs them: shape (n, ⌈width/8⌉)."""


class AbstractRows(ABC):
    """Independent random draws for each row, as many as each needs."""

    __slots__ = ()

    @abstractmethod
    def flips(self, chance: Fraction) -> Booleans:
        """Draw a Bernoulli variable with this chance for each row."""

    @abstractmethod
    def below(self, bound: int) -> Integers:
        """Draw an integer uniform on 0 … bound − 1 for each row."""

    @abstractmethod
    def several(self, bound: int, rows: Integers, count: int) -> Integers:
        """Draw ``count`` integers below ``bound`` for each of these rows: (len(rows), count)."""

    @abstractmethod
    def bytes(self, width: int) -> npt.NDArray[np.uint8]:
        """Draw ``width`` bytes for each row: shape (n, width)."""


_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


def mixed(words: Words) -> Words:
    """Mix the bits of each 64-bit word by a bijection.

    References
    ----------
    Steele, Lea & Flood (2014), the finaliser of SplitMix.

    >>> mixed(np.array([0, 1], dtype=np.uint64)).tolist()
    [0, 6238072747940578789]
    """
    state = words
    for shift, factor in _MIX:
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    last: Words = state ^ (state >> np.uint64(31))
    return last


def either(condition: Booleans, when_true: Places, when_false: Places) -> Places:
    """Choose between two arrays element by element: `numpy.where`, in a tenth of the time.

    >>> either(np.array([True, False]), np.array([1, 2]), np.array([7, -8])).tolist()
    [1, -8]
    """
    mask = condition.astype(when_false.dtype)
    np.negative(mask, out=mask)
    selected: Places = when_true ^ when_false
    selected &= mask
    selected ^= when_false
    return selected


def put(condition: Booleans, source: Places, target: Places) -> Places:
    """Overwrite elements of the target where a condition holds, faster than `either` if few.

    >>> put(np.array([True, False]), np.array([1, 2]), np.array([7, -8])).tolist()
    [1, -8]
    """
    rows = np.flatnonzero(condition)
    target[rows] = source[rows]
    return target


def own_or_drawn(answers: Places, draws: npt.NDArray[Any], count: int, own: float) -> Places:
    """Replace draws beyond the last report by the answer itself, in place.

    Parameters
    ----------
    answers, draws : array of int, shape (n,)
    count : int
        How many reports there are.
    own : float
        How often none is drawn, which decides the sooner way and nothing else.

    >>> own_or_drawn(np.array([2, 2]), np.array([3, 0]), 3, 0.5).tolist()
    [2, 0]
    """
    keep = put if own < _RARE and draws.itemsize > 1 else either
    return as_places(keep(draws >= count, like(answers, draws), draws))


def like(answers: Places, draws: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert positions to the integer type of some draws.

    >>> like(np.array([3, 0]), np.zeros(2, dtype=np.uint8)).dtype
    dtype('uint8')
    """
    signed = np.dtype(f"i{draws.itemsize}")
    return answers.astype(signed, copy=False).view(draws.dtype)


def as_places(unsigned: npt.NDArray[Any]) -> Places:
    """View unsigned draws as signed positions."""
    return unsigned.view(np.dtype(f"i{unsigned.itemsize}"))


def by_blocks(
    draw: Callable[[Integers], npt.NDArray[Any]], rows: int
) -> Callable[[Integers], npt.NDArray[Any]]:
    """Make a draw work in blocks of rows, so that its memory fits into the cache.

    >>> by_blocks(lambda answers: answers + len(answers), 2)(np.array([0, 0, 0])).tolist()
    [2, 2, 1]
    """
    step = max(rows, 1)

    def draw_blocks(answers: Integers) -> npt.NDArray[Any]:
        parts = [answers[start : start + step] for start in range(0, len(answers), step)]
        return np.concatenate([draw(part) for part in parts or [answers]])

    return draw_blocks


Ratio: TypeAlias = Fraction | float
"""A ratio of chances, or infinity."""
Pairwise: TypeAlias = Mapping[str, tuple[Fraction, Fraction]]
"""Reports between two answers: what they say of {0} and {1}, and their chance given either."""
EQUALLY_LIKELY = "both or neither"
"""What is as likely from either of two answers."""
LARGEST_MATRIX = 1 << 22
"""So many chances are written as a matrix at the most."""
MOST_ANSWERS = 1 << 24
"""Oracles are for so many answers at the most."""
_RARE = 1 / 64


def largest_of(above: Fraction, below: Fraction) -> Ratio:
    """Divide two chances: 0/0 is 1, and anything else over 0 is infinite.

    >>> largest_of(Fraction(3), Fraction(2)), largest_of(Fraction(1), Fraction(0))
    (Fraction(3, 2), inf)
    """
    if below:
        return above / below
    return math.inf if above else Fraction(1)


class AbstractOracle(ABC):
    """A rule by which a report names a set S of answers, whatever their number.

    Attributes
    ----------
    name : str
        The rule, in a document.
    coded : str
        What a report is: the name of an answer, a number, or packed bits.
    by_report : bool
        Whether reports are counted one by one; else those are that leave an answer possible.
    answers : int
        k, how many answers there are.
    """

    __slots__ = ()
    name: ClassVar[str]
    coded: ClassVar[Literal["names", "numbers", "bits"]]
    by_report: ClassVar[bool]
    answers: int

    @property
    @abstractmethod
    def true_positive_rate(self) -> Fraction:
        """p*: the chance that S holds the answer that was given."""

    @property
    @abstractmethod
    def false_positive_rate(self) -> Fraction:
        """q*: the chance that S holds a certain other answer."""

    @property
    @abstractmethod
    def both_inside(self) -> Fraction:
        """The chance that S holds the answer that was given and a certain other one."""

    @property
    @abstractmethod
    def both_outside(self) -> Fraction | None:
        """The chance that S holds two certain other answers; None if it depends on which."""

    @property
    @abstractmethod
    def ratio(self) -> Ratio:
        """The most that the chance of a report differs between two answers: e^ε."""

    @property
    def resolved(self) -> tuple[Ratio, Ratio]:
        """The most that plausibility of an answer exceeds belief: under another, under the same.

        An empty set says nothing, and means every answer.
        """
        own, other = self.alone
        likely, unlikely = (
            self.true_positive_rate + self.empty,
            self.false_positive_rate + self.empty,
        )
        ratios, other_ratio = [largest_of(likely, other)], largest_of(unlikely, other)
        ratios += [largest_of(unlikely, own), *[other_ratio][: self.answers - 2]]
        return max(ratios), max(largest_of(likely, own), other_ratio)

    @property
    def alone(self) -> tuple[Fraction, Fraction]:
        """The chance that S is {y}, given y and given another answer; 0 if some y never is S."""
        return Fraction(0), Fraction(0)

    @property
    def empty(self) -> Fraction:
        """The chance that S is empty: 0, by default."""
        return Fraction(0)

    @property
    def reports(self) -> int | None:
        """How many reports there are, m, where they are names or numbers; None for bits."""
        return None

    def parameters(self) -> dict[str, str]:
        """Write the parameters, exactly: all but how many answers there are."""
        names: tuple[str, ...] = self.__slots__
        return {name: str(getattr(self, name)) for name in names if name != "answers"}

    @abstractmethod
    def written(self) -> tuple[list[int], list[list[Fraction]]]:
        """Write the whole channel for few answers: each report's set as a mask, and the rows."""

    @abstractmethod
    def draw(self, chance: AbstractChance) -> Callable[[Integers], npt.NDArray[Any]]:
        """Prepare to draw for each of some answers, by position, its report."""

    def count(self, reports: npt.NDArray[Any]) -> Integers:
        """Count reports one by one, shape (m,), or for each answer those that hold it, (k,)."""
        if self.by_report:
            return np.bincount(reports, minlength=self.counted).astype(np.int64)
        return bit_counts(reports, self.answers)

    def supports(self, counts: Integers) -> Integers:
        """From these counts: for each answer, how many reports leave it possible, shape (k,).

        They are the counts themselves, by default.
        """
        return counts

    def sets(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """Say for each report whether S holds each of these neighbouring answers: shape (n, b).

        S is the bits that are set, by default.
        """
        return bits_of(reports, answers)

    def tells(self, reports: npt.NDArray[Any], answers: slice) -> Booleans:
        """Say which reports are informative about these answers, shape (n, b): all, by default."""
        return np.ones((len(reports), len(range(self.answers)[answers])), dtype=np.bool_)

    @property
    def counted(self) -> int:
        """How many counts there are: of single reports, or of answers."""
        return (self.reports or 0) if self.by_report else self.answers

    def count_informative(self, counts: Integers, total: int) -> Integers:  # noqa: ARG002  all of them
        """Count the reports that are informative about each answer, shape (k,)."""
        return np.broadcast_to(np.int64(total), (self.answers,))

    @property
    def informative_chances(self) -> tuple[Fraction, Fraction]:
        """The chances that S holds the true answer and another, given an informative report."""
        return self.true_positive_rate, self.false_positive_rate

    @property
    def between(self) -> Pairwise:
        """Between two answers: S holds the one and not the other, the reverse, or all else."""
        true, lie = (
            self.true_positive_rate - self.both_inside,
            self.false_positive_rate - self.both_inside,
        )
        rest = 1 - true - lie
        return {
            "{0}, not {1}": (true, lie),
            "{1}, not {0}": (lie, true),
            EQUALLY_LIKELY: (rest, rest),
        }

    @property
    def width(self) -> int:
        """How many bytes a report has, where it is bits."""
        return -(-self.answers // 8)

    @property
    def spelling(self) -> str:
        """How a report stands in its bytes, where it is bits."""
        some = "byte" if self.width == 1 else "bytes"
        return f"{self.width} {some} with no bit after that of the last answer"

    def misspelt(self, reports: Bits) -> Booleans:
        """Say which rows of bits are no report."""
        invalid: Booleans = (reports[:, -1] & ((1 << (-self.answers % 8)) - 1)) != 0
        return invalid


Oracle = TypeVar("Oracle", bound=AbstractOracle)

ORACLE_MODULES: Mapping[str, str] = MappingProxyType(
    {
        "kary": "askance.channels.oracles",
        "unary": "askance.channels.oracles",
        "subset": "askance.channels.oracles",
        "hash": "askance.channels.oracles",
        "hadamard": "askance.channels.projective_oracles",
        "projective": "askance.channels.projective_oracles",
        "bit_flip": "askance.channels.bit_flip_oracle",
    }
)
"""The module in which the oracle of each name registers itself."""

_REGISTERED: dict[str, type[AbstractOracle]] = {}


def register_oracle(oracle: type[Oracle]) -> type[Oracle]:
    """Register a class of oracles under its name, as a decorator; the class comes back as it is.

    >>> from askance.channels.oracles import KAryOracle
    >>> register_oracle(KAryOracle) is KAryOracle
    True
    """
    _REGISTERED[oracle.name] = oracle
    return oracle


def registered_oracle(name: str) -> type[AbstractOracle]:
    """Find the class of oracles of this name, one of `ORACLE_MODULES`, and import its module.

    >>> registered_oracle("subset").__name__
    'SubsetOracle'
    """
    import_module(ORACLE_MODULES[name])
    return _REGISTERED[name]


def too_long(oracle: AbstractOracle, size: str) -> InputError:
    """Make the error for a channel that is too large for a matrix.

    >>> from askance.channels.oracles import KAryOracle
    >>> str(too_long(KAryOracle(answers=9999, truth="1/2"), "9,999 reports"))[:60]
    "channel.matrix: got 'a kary oracle of 9,999 answers with 9,9"
    """
    return InputError(
        "channel.matrix",
        got=f"a {oracle.name} oracle of {oracle.answers:,} answers with {size}",
        allowed="a channel of at most 2^22 chances",
        remedy="losses, privatise, tally and inference.estimate_frequencies need no matrix",
    )


def refuse_long(oracle: AbstractOracle, reports: int) -> None:
    """Refuse to write what has too many chances."""
    if oracle.answers * reports > LARGEST_MATRIX:
        raise too_long(oracle, f"{reports:,} reports")


def refuse_answers(where: str, answers: object) -> int:
    """Read how many answers there are.

    >>> refuse_answers("KAryOracle.answers", 3)
    3
    """
    return read_integer(answers, where, "a whole number from 2 to 2^24", 2, MOST_ANSWERS)


def put_bits(packed: npt.NDArray[np.uint8], places: Integers, values: npt.NDArray[Any]) -> None:
    """Set or unset one bit of each row, in place.

    >>> rows = np.zeros((2, 1), dtype=np.uint8)
    >>> put_bits(rows, np.array([0, 7]), np.array([True, True]))
    >>> rows.tolist()
    [[128], [1]]
    """
    rows, byte = np.arange(len(packed)), places >> 3
    bit = np.uint8(128) >> (places & 7).astype(np.uint8)
    cleared = packed[rows, byte] & ~bit
    packed[rows, byte] = np.where(values, cleared | bit, cleared)


def bits_of(packed: npt.NDArray[Any], answers: slice) -> Booleans:
    """Unpack the bits of some neighbouring answers, shape (n, b).

    >>> bits_of(np.array([[128, 64]], dtype=np.uint8), slice(8, 10)).tolist()
    [[False, True]]
    """
    first = answers.start >> 3
    bits = np.unpackbits(packed[:, first : (answers.stop + 7) >> 3], axis=1)
    return bits[:, answers.start - 8 * first : answers.stop - 8 * first].astype(np.bool_)


def bit_counts(packed: npt.NDArray[Any], answers: int) -> Integers:
    """Count for each answer the rows whose bit for it is set, some rows at a time.

    >>> bit_counts(np.array([[128], [129]], dtype=np.uint8), 8).tolist()
    [2, 0, 0, 0, 0, 0, 0, 1]
    """
    counts = np.zeros(answers, dtype=np.int64)
    step = min(max(BLOCK // (8 * packed.shape[1]), 1), 255)
    for start in range(0, len(packed), step):
        part = np.unpackbits(packed[start : start + step], axis=1, count=answers)
        counts += np.add.reduce(part, axis=0, dtype=np.uint8)
    return counts
