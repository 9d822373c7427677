"""The kinds of question a form can hold, each with the reports that are possible under it.

Those on a line are here: a ``number`` is asked plainly; a ``cuts`` or a ``ring`` question sends a
random range that holds the answer.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any, ClassVar, TypeGuard, final

from askance_collect.arguments import checked
from askance_collect.errors import AskanceError, FormError
from askance_collect.exact.line import Floor, Line, PairLaw
from askance_collect.exact.ratio import LARGEST_TOTAL, read_ratio
from askance_collect.wire.answer_question import (
    Choice,
    TableQuestion,
    read_blank,
    read_choice,
    read_table_question,
)
from askance_collect.wire.label import NEVER, is_index, keep_unchangeable, read_wording
from askance_collect.wire.text_question import TEXT_GIVEN, FreeText, read_text

MOST_CUTS = 16
"""The most candidates that one question draws."""


@final
@dataclass(frozen=True, slots=True)
class CutsQuestion:
    """A protected number: ``number`` candidate cuts fall on inner ticks by ``weights``.

    The value ``(a, b)`` reads "above tick a, up to tick b"; tick 0 as the lower end means "no lower
    limit" and the last tick as the upper end means "no upper limit", so that every report is true.

    Attributes
    ----------
    floor : Floor, optional
        The least size of a reported cell. A candidate that would leave a side of the current range
        smaller is passed over before anyone knows on which side the answer is; or, with
        ``withhold``, all candidates cut and a smaller cell is not sent.
    withhold : bool
    open : tuple of (int, int)
        Ticks ``(a, b]`` inside which an answer is sent exactly, as its step; a cell means its steps
        outside them. The floor has size 0 there.
    progressive : bool
        Asked one step narrower at a time; the person may stop at any step.
    name : str
    text : mapping of str to str
        The question by language.
    line : Line
    unit : mapping of str to str
        By language.
    typed : bool
        Whether the number is typed rather than pressed.
    blank : pair of int
        The chance that nothing is sent whatever the answer: units, total.
    about : mapping
        What analysts are told, such as the trait.
    """

    kind: ClassVar[str] = "cuts"
    is_randomised: ClassVar[bool] = True
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]
    number: int
    weights: tuple[int, ...]
    typed: bool
    blank: tuple[int, int]
    about: Mapping[str, Any]
    floor: Floor | None = None
    withhold: bool = False
    open: tuple[tuple[int, int], ...] = ()
    progressive: bool = False
    _may_be_whole: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit about")
        object.__setattr__(self, "_may_be_whole", self.progressive or self._may_stay_whole())

    @property
    def possible_answers(self) -> range:
        """The answers, as a device takes them: the steps of the line."""
        return range(self.line.ticks)

    @property
    def is_known_to_device(self) -> bool:
        """Whether the device knows the answer: where ranges are chosen from, it knows a range."""
        return self.typed and not self.progressive

    def number_bounds(self, step: int) -> tuple[Fraction, Fraction]:
        """The least and the largest number of a step; of all numbers between, its ends."""
        return self.line.value_at(step) + self.line.spacing, self.line.value_at(step + 1)

    def is_sent_exactly(self, step: int) -> bool:
        """Say whether an answer in this step is sent exactly."""
        low, high = self._opened_at(step)
        return low <= step < high

    def allows(self, value: object) -> bool:
        """Say whether some draw of the cuts, and some answer, send this cell."""
        if not is_cell(value, self.line.ticks) or value[0] >= value[1]:
            return False
        low, high = value
        start, end = self._opened_at(low)
        if start <= low and high <= end:
            return high == low + 1
        inner = [tick for tick in (low, high) if 0 < tick < self.line.ticks]
        if not inner:
            return self._may_be_whole
        cut = len(inner) <= self.number and all(self.weights[tick - 1] for tick in inner)
        return cut and self._keeps(low, high)

    def _opened_at(self, tick: int) -> tuple[int, int]:
        """The last stretch sent exactly that begins at a tick or below; nothing if none."""
        index = bisect_right(self.open, tick, key=itemgetter(0))
        return self.open[index - 1] if index else (0, 0)

    def _may_stay_whole(self) -> bool:
        if self.floor is None or self.withhold:
            return False
        cut_ticks = (tick for tick, weight in enumerate(self.weights, start=1) if weight)
        return any(not self.floor.allows_cut(0, tick, self.line.ticks) for tick in cut_ticks)

    def _keeps(self, low: int, high: int) -> bool:
        """Say whether a cell with a drawn end is sent: by both rules it must be large enough.

        With cuts passed over, what lies beyond each end was once a side of a range too.
        """
        if self.floor is None:
            return True
        outer = () if self.withhold else ((0, low), (high, self.line.ticks))
        beyond = [side for side in outer if side[0] < side[1]]
        return all(self.floor.allows_range(*cell) for cell in ((low, high), *beyond))

    @property
    def max_encoded_length(self) -> int:
        """The most characters that a value takes."""
        return len(f"[{self.line.ticks},{self.line.ticks}]")


def read_cuts(raw: Any, languages: Sequence[str]) -> CutsQuestion:
    """Read a question that is asked by random cuts."""
    line, cuts, typed, ask = read_line(raw["line"]), raw["cuts"], raw["typed"], raw["ask"]
    number, weights = cuts["number"], tuple(cuts["weights"])
    if any(type(weight) is not int or weight < 0 for weight in (number, *weights)):
        raise ValueError("whole, non-negative weights")
    if len(weights) != line.ticks - 1 or not 0 < sum(weights) <= LARGEST_TOTAL:
        raise ValueError("one weight for each inner tick, with a sum in [1, 2^48]")
    if not 1 <= number <= MOST_CUTS or type(typed) is not bool:
        raise ValueError(f"1 to {MOST_CUTS} cuts, and typed as true or false")
    opened = _opened(cuts["open"], line.ticks)
    floor, withhold = _floor(cuts["floor"], line.ticks, opened)
    if ask not in ("cells", "narrow") or (withhold and ask == "narrow"):
        raise ValueError('ask as "cells", or as "narrow" where nothing is withheld')
    if floor is not None and not _cuts_somewhere(floor, weights, withhold):
        raise ValueError("a floor that some cut keeps: no range could ever be sent")
    return CutsQuestion(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
        number,
        weights,
        typed,
        read_blank(raw["blank"]),
        raw["about"],
        floor,
        withhold,
        opened,
        ask == "narrow",
    )


def _opened(raw: Any, ticks: int) -> tuple[tuple[int, int], ...]:
    if type(raw) is not list:
        raise ValueError("open as a list of ranges [a, b]")
    ranges = tuple((low, high) for low, high in raw)
    ends = [-1, *(end for stretch in ranges for end in stretch)]
    ascending = all(
        is_index(end, ticks + 1) and end > ends[index] for index, end in enumerate(ends[1:])
    )
    if not ascending or (0, ticks) in ranges:
        raise ValueError("open as ascending ranges of ticks that do not touch or fill the line")
    return ranges


def _floor(raw: Any, ticks: int, opened: tuple[tuple[int, int], ...]) -> tuple[Floor | None, bool]:
    if raw is None:
        return None, False
    floor, rule = Floor(raw["sizes"], raw["least"]), raw["rule"]
    if len(floor.sizes) != ticks or rule not in ("skip", "withhold"):
        raise ValueError('one size for each step, and the rule "skip" or "withhold"')
    if any(floor.size(low, high) for low, high in opened):
        raise ValueError("a size of 0 for each step that is sent exactly")
    return floor, rule == "withhold"


def _cuts_somewhere(floor: Floor, weights: Sequence[int], withhold: bool) -> bool:
    enough = any if withhold else all
    ticks = [tick for tick, weight in enumerate(weights, start=1) if weight]
    n = len(floor.sizes)
    return any(enough((floor.allows_range(0, tick), floor.allows_range(tick, n))) for tick in ticks)


@final
@dataclass(frozen=True, slots=True)
class RingQuestion:
    """A protected number: one pair of ticks is drawn, and the report is their inside or outside.

    The value ``(a, b)`` with a < b reads "above tick a, up to tick b"; with a > b it is the ring's
    outside, "above tick a, or up to tick b". Both keep the least size of the law's floor. Nothing
    is withheld, sent exactly or asked step by step.

    Attributes
    ----------
    name : str
    text : mapping of str to str
        The question by language.
    line : Line
    unit : mapping of str to str
        By language.
    typed : bool
        Whether the number is typed rather than pressed.
    blank : pair of int
        The chance that nothing is sent whatever the answer: units, total.
    about : mapping
        What analysts are told, such as the trait.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> from askance_collect.exact import PairLaw
    >>> from askance_collect.wire import RingQuestion
    >>> pairs = PairLaw([1, 1, 1], Floor([1, 1, 1, 1], 2))
    >>> ring = RingQuestion("cups", {}, Line(0, 4), {}, pairs, False, (0, 1), {})
    >>> ring.allows((1, 3)), ring.allows((3, 1)), ring.allows((1, 2))
    (True, True, False)
    """

    kind: ClassVar[str] = "ring"
    is_randomised: ClassVar[bool] = True
    withhold: ClassVar[bool] = False
    open: ClassVar[tuple[tuple[int, int], ...]] = ()
    progressive: ClassVar[bool] = False
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

    @property
    def possible_answers(self) -> range:
        """The answers, as a device takes them: the steps of the line."""
        return range(self.line.ticks)

    @property
    def is_known_to_device(self) -> bool:
        """Whether the device knows the answer: where ranges are chosen from, it knows a range."""
        return self.typed and not self.progressive

    def number_bounds(self, step: int) -> tuple[Fraction, Fraction]:
        """The least and the largest number of a step; of all numbers between, its ends."""
        return self.line.value_at(step) + self.line.spacing, self.line.value_at(step + 1)

    def is_sent_exactly(self, step: int) -> bool:  # noqa: ARG002  the same for every step
        """Return False: no answer is sent exactly."""
        return False

    def allows(self, value: object) -> bool:
        """Say whether some drawn pair, and some answer, send this range."""
        if not is_cell(value, self.line.ticks):
            return False
        low, high = min(value), max(value)
        return 0 < low < high < self.line.ticks and self.law.weight(low, high) > 0

    @property
    def max_encoded_length(self) -> int:
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


MOST_TICKS = 100_000
"""The most of a line in form-1, and of one that chance cuts."""

MOST_NUMBERS = 10**12
"""The most ticks of a line whose numbers are sent as they are."""


WRITTEN_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15}|/[0-9]{1,15})?")


def is_cell(value: object, ticks: int) -> TypeGuard[Sequence[int]]:
    """Say whether a value is a pair of ticks of a line."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return is_index(value[0], ticks + 1) and is_index(value[1], ticks + 1)


def read_line(raw: Any, max_ticks: int = MOST_TICKS) -> Line:
    """Read a line of a form, of so many ticks at most."""
    ticks = raw["ticks"]
    if type(ticks) is not int or not 2 <= ticks <= max_ticks:
        raise ValueError(f"a line of 2 to {max_ticks} ticks")
    if not all(
        type(raw[end]) is str and WRITTEN_NUMBER.fullmatch(raw[end]) for end in ("lower", "step")
    ):
        raise ValueError('numbers written as "17", "0.5" or "1/2"')
    lower, step = read_ratio(raw["lower"], "line.lower"), read_ratio(raw["step"], "line.step")
    is_whole = raw.get("whole", False)
    if "whole" in raw and is_whole is not True:
        raise ValueError("whole as true, or left out")
    return Line(lower + bool(is_whole), lower + ticks * step, step, integer=bool(is_whole))


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number asked plainly: the report is a tick of the line, of whole numbers from 1 on.

    Attributes
    ----------
    name : str
    text, unit : mapping of str to str
        By language.
    line : Line

    >>> from askance_collect.wire import Number
    >>> age = Number("age", {}, Line(17, 70), {})
    >>> age.allows(0), age.allows(53), age.allows(54)
    (True, True, False)
    """

    kind: ClassVar[str] = "number"
    is_randomised: ClassVar[bool] = False
    is_known_to_device: ClassVar[bool] = True
    blank: ClassVar[tuple[int, int]] = NEVER
    progressive: ClassVar[bool] = False
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit")

    @property
    def possible_answers(self) -> range:
        """The answers, as a device takes them: ticks of the line."""
        return range(self.line.spacing, self.line.ticks + 1)

    def number_bounds(self, tick: int) -> tuple[Fraction, Fraction]:
        """The least and the largest number of an answer: both are the number itself."""
        return self.line.value_at(tick), self.line.value_at(tick)

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return is_index(value, self.line.ticks + 1) and value >= self.line.spacing

    @property
    def max_encoded_length(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(self.line.ticks)))


RangeQuestion = CutsQuestion | RingQuestion


def read_number(raw: Any, languages: Sequence[str]) -> Number:
    """Read a number that is asked plainly."""
    line = read_line(raw["line"], MOST_NUMBERS)
    if line.integer and line.step > 1:
        raise ValueError("steps of 1, where whole numbers are asked for as they are")
    return Number(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
    )


Value = int | tuple[int, int] | None
"""What one question adds to counts: a column, a tick, a cell, or nothing; of a text `TEXT_GIVEN`.

A report has the text itself in its place."""


Question = Choice | Number | TableQuestion | CutsQuestion | RingQuestion | FreeText


@checked
def read_question(raw: Any, languages: Sequence[str], where: str = "question") -> Question:
    """Read one question of a form's document, refusing what cannot be asked or drawn as written.

    Parameters
    ----------
    raw : Mapping
        As in form-2.json.
    languages : sequence of str
        Those in which each of its texts is worded.
    where : str
        Where the question stands, for messages.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> raw = {"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...     {"name": name, "label": {"en": name}} for name in ("yes", "no")]}
    >>> read_question(raw, ["en"]).max_encoded_length
    4
    >>> read_question(raw | {"answers": []}, ["en"])
    Traceback (most recent call last):
    askance_collect.errors.FormError: question: got 'ValueError: at least two labels, ...
    """
    try:
        return _READERS[raw["kind"]](raw, languages)
    except FormError:
        raise
    except AskanceError as error:
        raise FormError(f"{where}.{error.where}", got=error.got, allowed=error.allowed) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FormError(
            where, got=f"{type(error).__name__}: {error}", allowed="a question as in form-2.json"
        ) from error


_READERS: dict[str, Callable[[Any, Sequence[str]], Question]] = {
    "choice": read_choice,
    "number": read_number,
    "table": read_table_question,
    "cuts": read_cuts,
    "ring": read_ring,
    "text": read_text,
}


def is_counted(question: Question, value: object) -> bool:
    """Say whether a value can be counted or exported as a report; of a text, `TEXT_GIVEN` alone.

    >>> is_counted(FreeText("more", {}, 12, 1), TEXT_GIVEN)
    True
    """
    if isinstance(question, FreeText):
        return is_index(value, TEXT_GIVEN + 1)
    return question.allows(value)


ReportCounts = Mapping[int | tuple[int, int], int]
"""How often each value was sent, blanks left out."""


def sent_of(values: Mapping[Value, int]) -> dict[int | tuple[int, int], int]:
    """Leave out blanks, and what nobody sent.

    >>> sent_of({0: 5, 1: 0, None: 2})
    {0: 5}
    """
    return {value: count for value, count in values.items() if value is not None and count}
