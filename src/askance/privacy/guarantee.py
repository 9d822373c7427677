"""A guarantee: which notion of privacy holds, how strongly, and what it promises in plain words."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Context, Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, final

import numpy as np

from askance.results import read_only, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotComparable
from askance_collect.exact.level import log_double, log_nearest
from askance_collect.exact.ratio import cautious, log_up
from askance_collect.exact.ratio import read_integer as whole_number
from askance_collect.wire.toml_text import packaged_toml

EVENLY = "if answers were spread evenly"
"""How common answers are taken to be where nothing else is said."""

AS_GIVEN = "with the distribution that was given"
"""How common answers are taken to be where that was said."""


@final
class Notion(Enum):
    """What is bounded; each member's value is its definition in one sentence."""

    LOCAL = "the most that the chance of a report can differ between two answers, as a ratio"
    SHAFER = "the same for messages: sets of answers read as evidence"
    BELIEF = "the most that the belief in a set of answers can differ between two answers"
    PLAUSIBILITY = "the most that the plausibility of a set can differ between two answers"
    WALLEY = "the most that plausibility under one answer can exceed belief under another"
    ADVANTAGE = "how much better than chance a report lets anyone tell two answers apart"
    COVERAGE = "the chance that an unrelated person's number lies in the reported range"
    FLOOR = "the least share of people whose answers a report leaves possible"
    FLATNESS = "the most that the chance of a range can differ between two numbers in it"
    SILENCE = "the most that the chance that nothing is sent can differ between two numbers"
    INFORMATION = "the most that a report can change the chance of an answer, as a ratio either way"

    @property
    def label(self) -> str:
        """What the notion is called in a table."""
        return str(_WORDS["labels"][self.name])

    @property
    def is_loss(self) -> bool:
        """Whether the value is a ratio whose logarithm is a privacy loss ε."""
        return self is not Notion.ADVANTAGE and not self.is_width

    @property
    def is_width(self) -> bool:
        """Whether the value is a share of people, and a larger one protects more."""
        return self in {Notion.COVERAGE, Notion.FLOOR}


_WORDS = packaged_toml("askance.privacy", "notions.toml")


Ratio: TypeAlias = Fraction | float
"""A ratio of chances: exact, or a double, or infinite."""

MOST_PAIRS = 1 << 20
"""So many pairs of answers are written out at the most: of 1,024 answers."""

_MOST_DOUBLES = 1 << 24
_CACHED_LOGS = 1 << 12  # logarithms, of ratios that often come again


class Pairs(Protocol):
    """The worst ratio of each answer, a row, over each other: a sequence of k rows of k."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Sequence[Ratio]]: ...

    def __getitem__(self, index: int, /) -> Sequence[Ratio]: ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class AlikePairs:
    """Pairs of any number of answers with one common ratio, which is stored once.

    Attributes
    ----------
    size : int
        k, the number of answers.
    off : Fraction or float
        The worst ratio of every answer over every other.
    on : Fraction or float
        That of every answer over itself.

    >>> pairs = AlikePairs(10**6, Fraction(3))
    >>> len(pairs), pairs[1][:3]
    (1000000, (Fraction(3, 1), Fraction(1, 1), Fraction(3, 1)))
    """

    size: int
    off: Ratio
    on: Ratio = Fraction(1)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[tuple[Ratio, ...]]:
        return map(self._row, range(self.size))

    def __getitem__(self, index: Any) -> Any:
        return _index_rows(self.size, index, self._row)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AlikePairs):
            same_ratio = self.size < 2 or self.off == other.off
            return same_ratio and self.size == other.size and (not self.size or self.on == other.on)
        return _same_rows(self, other)

    __hash__ = None  # type: ignore[assignment]  # equal to tuples, whose hash takes every pair

    def _row(self, index: int) -> tuple[Ratio, ...]:
        return (self.off,) * index + (self.on,) + (self.off,) * (self.size - index - 1)


@final
@dataclass(frozen=True, slots=True, eq=False)
class PairsByRow:
    """Pairs of answers whose rows are computed when they are first asked for, and then kept.

    Attributes
    ----------
    size : int
        k, the number of answers.
    row : callable
        Gives the worst ratios of one answer, by its position, over all k. To cross processes it
        must be able to.

    >>> pairs = PairsByRow(2, lambda x: (Fraction(1 + x), Fraction(2 - x)))
    >>> pairs[1]
    (Fraction(2, 1), Fraction(1, 1))
    """

    size: int
    row: Callable[[int], tuple[Ratio, ...]] = field(repr=False)
    _cached_row: Callable[[int], tuple[Ratio, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cached_row", lru_cache(None)(self.row))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let pairs cross processes as what they are computed from."""
        return PairsByRow, (self.size, self.row)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[tuple[Ratio, ...]]:
        return map(self._cached_row, range(self.size))

    def __getitem__(self, index: Any) -> Any:
        return _index_rows(self.size, index, self._cached_row)

    def __eq__(self, other: object) -> bool:
        return self is other or _same_rows(self, other)

    __hash__ = None  # type: ignore[assignment]  # equal to tuples, whose hash takes every pair


def _index_rows(size: int, index: Any, row: Callable[[int], tuple[Ratio, ...]]) -> Any:
    """Index rows as a tuple of them is indexed."""
    position = range(size)[index]
    return tuple(map(row, position)) if isinstance(position, range) else row(position)


def _same_rows(pairs: Pairs, other: object) -> bool:
    if not isinstance(other, tuple | AlikePairs | PairsByRow):
        return False
    rows = zip(pairs, other, strict=True)
    return len(pairs) == len(other) and all(bool(row == other_row) for row, other_row in rows)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Guarantee:
    """One notion with its exact value. Guarantees compare within their notion only.

    Attributes
    ----------
    notion : Notion
    value : Fraction or float
        A ratio in [1, ∞] for losses and flatness, a probability otherwise. Exact where the channel
        is exact.
    attained : str
        The answers and the report at which the worst case is attained.
    pairs : sequence of sequence of (Fraction or float), k × k
        For losses of a channel, the worst ratio of each answer (row) over each other (column);
        empty otherwise. The value is the largest entry off the diagonal, unless it was asked for
        with the diagonal. A row is computed when it is first asked for.
    assumed_population : str
        How common answers are taken to be, where the value is a share of people; empty otherwise.

    >>> strong, weak = (Guarantee(Notion.LOCAL, Fraction(r), "") for r in (2, 6))
    >>> strong.is_at_least_as_strong(weak), weak.epsilon, weak.epsilon_nearest
    (True, 1.79176, 1.791759469228055)
    """

    notion: Notion
    value: Fraction | float
    attained: str
    pairs: Pairs = ()
    assumed_population: str = ""

    @classmethod
    @checked
    def for_equal_pairs(
        cls,
        notion: Notion,
        answers: int,
        value: Fraction | float,
        attained: str,
        *,
        own_ratio: Fraction | float = Fraction(1),
    ) -> "Guarantee":
        """Write the loss of a channel whose worst ratio is the same for all pairs of answers.

        Parameters
        ----------
        notion : Notion
        answers : int
            k, how many there are: `pairs` takes no more room for many.
        value : Fraction or float
            The worst ratio of any answer over any other.
        attained : str
        own_ratio : Fraction or float
            The worst ratio of any answer over itself.

        Raises
        ------
        InputError
            If there is no answer, or a ratio is less than 1.

        >>> Guarantee.for_equal_pairs(Notion.LOCAL, 10**6, Fraction(3), "here").pairs[7][8]
        Fraction(3, 1)
        """
        size = whole_number(answers, "answers", "a number of answers in [1, ∞)")
        _demand_ratio(value, "value")
        _demand_ratio(own_ratio, "own_ratio")
        return cls(notion, value, attained, AlikePairs(size, value, own_ratio))

    @property
    def epsilon(self) -> float:
        """The loss ln(value), rounded up to six decimals; infinite if an answer is excluded."""
        if not self.notion.is_loss:
            raise NotComparable("epsilon", got=self.notion.name, allowed="a loss")
        return float(log_up(Fraction(self.value))) if self.value != math.inf else math.inf

    @property
    def epsilon_nearest(self) -> float:
        """The loss ln(value) as the nearest double, not rounded up; `value` is the ratio itself."""
        if not self.notion.is_loss:
            raise NotComparable("epsilon_nearest", got=self.notion.name, allowed="a loss")
        return log_nearest(Fraction(self.value)) if self.value != math.inf else math.inf

    @property
    def pair_epsilons(self) -> Floats:
        """The logarithms of `pairs`, shape (k, k): in double precision, not rounded up.

        Raises
        ------
        InputError
            If there are more than 2^24 pairs.
        """
        self._refuse_many("pair_epsilons", _MOST_DOUBLES)
        log = lru_cache(_CACHED_LOGS)(_log)
        if isinstance(self.pairs, AlikePairs):
            off, on = _log(self.pairs.off), _log(self.pairs.on)
            return read_only(np.where(np.eye(len(self.pairs), dtype=bool), on, off))
        return read_only([[log(entry) for entry in row] for row in self.pairs])

    @checked
    def is_at_least_as_strong(self, other: "Guarantee") -> bool:
        """Say whether this guarantee is at least as strong as another of the same notion.

        Raises
        ------
        NotComparable
            If the notions differ, or the people whose shares are counted: a bound of one kind, or
            for some people, implies nothing about another.
        """
        if self.notion is not other.notion:
            raise NotComparable(
                "guarantees",
                got=f"{self.notion.name} and {other.notion.name}",
                allowed="two guarantees of the same notion",
            )
        if (
            self.assumed_population
            and other.assumed_population
            and self.assumed_population != other.assumed_population
        ):
            raise NotComparable(
                "guarantees",
                got=f"one {self.assumed_population}, one {other.assumed_population}",
                allowed="shares of the same people",
            )
        if self.notion.is_width:
            return self.value >= other.value
        return self.value <= other.value

    @property
    def promise(self) -> str:
        """What the guarantee promises to one person, in one sentence.

        >>> Guarantee(Notion.ADVANTAGE, Fraction(1, 2), "").promise
        'If two answers are equally likely beforehand, a guess between them is right at most 75 ...'
        """
        if self.value == math.inf:
            silent = self.notion is Notion.SILENCE
            return f"{'Silence' if silent else 'Some report'} rules an answer out for certain."
        if self.notion is Notion.FLATNESS and self.value == 1:
            return _FLAT
        match self.notion:
            case Notion.ADVANTAGE:
                figure = cautious((1 + Fraction(self.value)) / 2, math.ceil)
            case Notion.COVERAGE | Notion.FLOOR:
                figure = cautious(Fraction(self.value), math.floor)
            case _:
                figure = self.printed(2)
        sentence = str(_WORDS["promises"][self.notion.name]).format(figure)
        if self.notion not in _OF_PEOPLE:
            return sentence
        return (
            f"{sentence}, {self.assumed_population}." if self.assumed_population else f"{sentence}."
        )

    @checked
    def printed(self, digits: int = 4) -> str:
        """Print the value rounded towards caution; beyond 10^16 as a power of ten.

        >>> Guarantee(Notion.ADVANTAGE, Fraction(1, 3), "").printed()
        '0.3334'
        >>> Guarantee(Notion.LOCAL, Fraction(10**400 - 1, 3), "").printed(2)
        '3.34 × 10^399'
        """
        whole_number(digits, "digits", "a number of digits from 1 to 100", 1, 100)
        if self.value == math.inf:
            return "∞"
        exact = Fraction(self.value)
        if exact > _READABLE:
            return _format_in_powers(exact, digits)
        if exact.denominator == 1:
            return str(exact)
        towards = math.floor if self.notion.is_width else math.ceil
        integer, decimals = divmod(towards(exact * 10**digits), 10**digits)
        return f"{integer}.{decimals:0{digits}}"

    def to_dict(self) -> Json:
        """Write the guarantee for JSON; numbers as strings, exact where they are.

        Raises
        ------
        InputError
            If there are more than 2^20 pairs of answers.

        >>> Guarantee(Notion.ADVANTAGE, Fraction(1, 3), "here").to_dict()
        {'notion': 'advantage', 'value': '1/3', 'attained': 'here', 'pairs': [], 'spread': ''}
        """
        self._refuse_many("to_dict", MOST_PAIRS)
        return {
            "notion": self.notion.name.lower(),
            "value": str(self.value),
            "attained": self.attained,
            "pairs": [[str(ratio) for ratio in row] for row in self.pairs],
            "spread": self.assumed_population,
        }

    def _refuse_many(self, name: str, most: int) -> None:
        if len(self.pairs) ** 2 > most:
            raise InputError(
                f"Guarantee.{name}",
                got=f"pairs of {len(self.pairs):,} answers",
                allowed=f"at most {most:,} pairs, of {math.isqrt(most):,} answers",
                remedy="ask for `value`, the worst of them, or pairs[x], those of one answer",
            )

    def __repr__(self) -> str:
        value = f"ε = {self.epsilon}" if self.notion.is_loss else self.printed()
        return f"Guarantee({self.notion.name}, {value}, attained {self.attained})"

    def _frame(self) -> dict[str, Any]:
        return {
            "notion": [self.notion.name.lower()],
            "value": [float(self.value)],
            "attained": [self.attained],
            "spread": [self.assumed_population],
        }

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _demand_ratio(value: object, name: str) -> None:
    if not isinstance(value, Fraction | float | int) or not value >= 1:
        raise InputError(
            f"Guarantee.for_equal_pairs.{name}", got=str(value), allowed="a ratio in [1, ∞]"
        )


_READABLE = 10**16


def _format_in_powers(value: Fraction, digits: int) -> str:
    """Write a large number as a power of ten, rounded up to so many digits after the point."""
    rounded = Context(prec=digits + 1, rounding=ROUND_CEILING).divide(
        *map(Decimal, value.as_integer_ratio())
    )
    power = rounded.adjusted()
    if value == 10**power:
        return f"10^{power}"
    return f"{rounded.scaleb(-power):.{digits}f} × 10^{power}"


def _log(value: Fraction | float) -> float:
    return math.inf if value == math.inf else log_double(Fraction(value))


_FLAT = "All answers that a report leaves possible are equally likely to have sent it."
_OF_PEOPLE = {Notion.COVERAGE, Notion.FLOOR, Notion.INFORMATION}
"""What depends on how common the answers are."""


_NOT_COMPOSED = {Notion.ADVANTAGE, Notion.FLOOR, Notion.INFORMATION}
"""Of several reports together these say nothing: ranges of any width can meet in one point, and two
reports that each halve the chance of an answer can make it a fifth."""


@checked
def compose(guarantees: Sequence[Guarantee]) -> Guarantee:
    """Composition: a bound on what independent reports about one trait give away together.

    Losses add, so ratios multiply (Li, Zhou, Qin & Xu, 2022, Lemmas 3 and 15); for ranges the
    leakages 1 − τ add (Ding & Ding, 2022, Theorem 4), whatever the cuts. Each coverage then counts
    the people that it was computed for.

    Parameters
    ----------
    guarantees : Guarantee
        One for each report, of one notion.

    Raises
    ------
    InputError
        If there is nothing to compose.
    NotComparable
        If notions differ, or the notion does not compose by itself (advantage, floor,
        information).

    >>> six = Guarantee(Notion.LOCAL, Fraction(6), "")
    >>> compose([six, six]).value
    Fraction(36, 1)
    """
    if not guarantees:
        raise InputError("compose.guarantees", got="none", allowed="one or more guarantees")
    notions = {guarantee.notion for guarantee in guarantees}
    if len(notions) > 1 or notions & _NOT_COMPOSED:
        raise NotComparable(
            "compose",
            got=", ".join(sorted(notion.name for notion in notions)),
            allowed="guarantees of one notion that composes",
            remedy="compose losses, or coverages",
        )
    values = [guarantee.value for guarantee in guarantees]
    attained = f"over {len(values)} reports together"
    if Notion.COVERAGE in notions:
        together: Fraction | float = max(1 - sum(1 - value for value in values), Fraction(0))
    elif math.inf not in values:
        together = math.prod((Fraction(value) for value in values), start=Fraction(1))
    else:
        together = math.inf
    spreads = dict.fromkeys(guarantee.assumed_population for guarantee in guarantees)
    assumed_population = (
        next(iter(spreads)) if len(spreads) == 1 else "each counted by its own people"
    )
    return Guarantee(
        guarantees[0].notion, together, attained, assumed_population=assumed_population
    )
