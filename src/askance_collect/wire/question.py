"""The kinds of question a form can hold, each with the reports that are possible under it.

Those on a line are here: a ``number`` is asked plainly; a ``cuts`` or a ``ring`` question sends a
random range that holds the answer.
"""

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
from askance_collect.wire.form_schema import (
    NEVER,
    bounds,
    conform,
    is_index,
    keep_unchangeable,
    pattern,
    read_wording,
    refuse,
)
from askance_collect.wire.text_question import TEXT_GIVEN, FreeText, read_text

_, MOST_CUTS = bounds("cuts.cuts.number")
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
    line, cuts = read_line(raw["line"]), raw["cuts"]
    weights, opened = tuple(cuts["weights"]), tuple(map(tuple, cuts["open"]))
    if len(weights) != line.ticks - 1 or not 0 < sum(weights) <= LARGEST_TOTAL:
        raise refuse("weights", "cuts.weights", f"{len(weights)} with the sum {sum(weights)}")
    ends = [end for stretch in opened for end in stretch]
    if sorted(set(ends)) != ends or ends[-1:] > [line.ticks] or ends == [0, line.ticks]:
        raise refuse("open", "cuts.open", cuts["open"])
    floor = _floor(cuts["floor"], line.ticks, opened)
    withhold = floor is not None and cuts["floor"]["rule"] == "withhold"
    if withhold and raw["ask"] == "narrow":
        raise refuse("narrow", "ask", raw["ask"])
    if floor is not None and not _cuts_somewhere(floor, weights, withhold):
        raise refuse("cut", "cuts.floor.least", floor.minimum)
    return CutsQuestion(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
        cuts["number"],
        weights,
        raw["typed"],
        read_blank(raw["blank"]),
        raw["about"],
        floor,
        withhold,
        opened,
        raw["ask"] == "narrow",
    )


def _floor(raw: Any, ticks: int, opened: tuple[tuple[int, int], ...]) -> Floor | None:
    if raw is None:
        return None
    floor = Floor(raw["sizes"], raw["least"])
    if len(floor.sizes) != ticks or any(floor.size(low, high) for low, high in opened):
        raise refuse("sizes", "cuts.floor.sizes", f"{len(floor.sizes)} sizes")
    return floor


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
    line, ring = read_line(raw["line"]), raw["ring"]
    if len(ring["sizes"]) != line.ticks:
        raise refuse("sizes", "ring.sizes", f"{len(ring['sizes'])} sizes")
    return RingQuestion(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
        PairLaw(ring["weights"], Floor(ring["sizes"], ring["least"])),
        raw["typed"],
        read_blank(raw["blank"]),
        raw["about"],
    )


_, MOST_TICKS = bounds("cuts.line.ticks")
"""The most of a line in form-1, and of one that chance cuts."""

_, MOST_NUMBERS = bounds("line.ticks")
"""The most ticks of a line whose numbers are sent as they are."""


WRITTEN_NUMBER = pattern("exact")
"""A number as a form writes it."""


def is_cell(value: object, ticks: int) -> TypeGuard[Sequence[int]]:
    """Say whether a value is a pair of ticks of a line."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return is_index(value[0], ticks + 1) and is_index(value[1], ticks + 1)


def read_line(raw: Any) -> Line:
    """Read a line of a form."""
    lower, step = (read_ratio(raw[end], f"line.{end}") for end in ("lower", "step"))
    is_whole = "whole" in raw
    return Line(lower + is_whole, lower + raw["ticks"] * step, step, integer=is_whole)


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
    line = read_line(raw["line"])
    if line.integer and line.step > 1:
        raise refuse("steps", "line.step", raw["line"]["step"])
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
    askance_collect.errors.FormError: question.answers: got []; allowed: a list, from 2 on
    """
    conform(raw, "question", languages, where)
    return build_question(raw, languages, where)


def build_question(raw: Any, languages: Sequence[str], where: str) -> Question:
    """Make a question of what conforms to the schema, refusing what breaks a rule."""
    try:
        return _READERS[raw["kind"]](raw, languages)
    except AskanceError as error:
        raise FormError(
            f"{where}.{error.where}", got=error.got, allowed=error.allowed, remedy=error.remedy
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
