"""The kinds of question a form can hold, each with the reports that are possible under it.

A ``choice`` and a ``number`` are asked plainly. A ``table`` question sends a column drawn from the
answer's row; a ``cuts`` or a ``ring`` question sends a random range that holds the answer.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from types import MappingProxyType
from typing import Any, ClassVar, TypeGuard, final

from askance.arguments import checked
from askance.errors import AskanceError, FormError
from askance.exact.line import Floor, Line, PairLaw
from askance.exact.ratio import LARGEST_TOTAL, Table, ratio

MOST_CUTS = 16
"""The most candidates that one question draws."""

NEVER = (0, 1)
"""The chance of a blank that no kind of plain question has, as ``(units, total)``."""


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
    narrow : bool
        Asked one step narrower at a time; the person may stop at any step.
    """

    kind: ClassVar[str] = "cuts"
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
    narrow: bool = False
    _whole: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit about")
        object.__setattr__(self, "_whole", self.narrow or self._may_stay_whole())

    def accepts(self, step: int) -> bool:
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
            return self._whole
        cut = len(inner) <= self.number and all(self.weights[tick - 1] for tick in inner)
        return cut and self._keeps(low, high)

    def _opened_at(self, tick: int) -> tuple[int, int]:
        """The last stretch sent exactly that begins at a tick or below; nothing if none."""
        at = bisect_right(self.open, tick, key=itemgetter(0))
        return self.open[at - 1] if at else (0, 0)

    def _may_stay_whole(self) -> bool:
        if self.floor is None or self.withhold:
            return False
        drawn = (tick for tick, weight in enumerate(self.weights, start=1) if weight)
        return any(not self.floor.divides(0, tick, self.line.ticks) for tick in drawn)

    def _keeps(self, low: int, high: int) -> bool:
        """Say whether a cell with a drawn end is sent: by both rules it must be large enough.

        With cuts passed over, what lies beyond each end was once a side of a range too.
        """
        if self.floor is None:
            return True
        outer = () if self.withhold else ((0, low), (high, self.line.ticks))
        beyond = [side for side in outer if side[0] < side[1]]
        return all(self.floor.keeps(*cell) for cell in ((low, high), *beyond))

    @property
    def widest(self) -> int:
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
    ends = [-1, *(end for one in ranges for end in one)]
    ascending = all(is_index(end, ticks + 1) and end > ends[at] for at, end in enumerate(ends[1:]))
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
    return any(enough((floor.keeps(0, tick), floor.keeps(tick, n))) for tick in ticks)


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

    >>> from askance.exact import PairLaw
    >>> from askance.wire import RingQuestion
    >>> pairs = PairLaw([1, 1, 1], Floor([1, 1, 1, 1], 2))
    >>> ring = RingQuestion("cups", {}, Line(0, 4), {}, pairs, False, (0, 1), {})
    >>> ring.allows((1, 3)), ring.allows((3, 1)), ring.allows((1, 2))
    (True, True, False)
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

    def accepts(self, step: int) -> bool:  # noqa: ARG002  the same for every step
        """Say that no answer is sent exactly."""
        return False

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


_MOST_TICKS = 100_000
_ILLEGIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LANGUAGE = re.compile(
    "[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?"
)
_WRITTEN = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15}|/[0-9]{1,15})?")


@final
@dataclass(frozen=True, slots=True)
class Label:
    """A stable name with its wording in each language of the form."""

    name: str
    wording: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "wording")


def is_legible(text: object) -> TypeGuard[str]:
    r"""Say whether a value is a text that is shown as it is written.

    A control character can rewrite a terminal; a mark that turns the direction of writing can
    rearrange the sentences in which the text stands; half a character cannot be written at all.

    >>> is_legible("Ja\n\u05db\u05df"), is_legible("Yes\u202e"), is_legible("Yes\x1b[2K")
    (True, False, False)
    """
    return isinstance(text, str) and not _ILLEGIBLE.search(text)


def is_language(tag: object) -> TypeGuard[str]:
    """Say whether a value is a language tag that every browser can write numbers and lists in.

    A language, and where they are told a script, a region, one variant and something of one's own.

    References
    ----------
    BCP 47, section 2.1. The page's program would stop at any other shape.

    >>> [is_language(tag) for tag in ("de-AT", "zh-Hant-TW", "de-1996-x-easy", "en-1", "en-US-GB")]
    [True, True, True, False, False]
    """
    return isinstance(tag, str) and bool(_LANGUAGE.fullmatch(tag))


def is_index(value: object, bound: int) -> TypeGuard[int]:
    """Say whether a value is a whole number in ``0 … bound − 1``."""
    return type(value) is int and 0 <= value < bound


def is_cell(value: object, ticks: int) -> TypeGuard[Sequence[int]]:
    """Say whether a value is a pair of ticks of a line."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return is_index(value[0], ticks + 1) and is_index(value[1], ticks + 1)


def read_wording(raw: Any, languages: Sequence[str]) -> dict[str, str]:
    """Read one text for each language of the form."""
    wording = {str(language): str(raw[language]) for language in languages}
    if set(raw) != set(languages) or not all(map(is_legible, raw.values())):
        raise ValueError("one text for each language of the form, without control characters")
    return wording


def read_labels(raw: Any, languages: Sequence[str]) -> tuple[Label, ...]:
    """Read two labels or more, all of different names."""
    labels = tuple(Label(one["name"], read_wording(one["label"], languages)) for one in raw)
    if not all(label.name and is_legible(label.name) for label in labels):
        raise ValueError("a text without control characters as the name of every label")
    if len({label.name for label in labels}) != len(labels) or len(labels) < 2:
        raise ValueError("at least two labels, all different")
    return labels


def read_line(raw: Any) -> Line:
    """Read a line of a form."""
    ticks = raw["ticks"]
    if type(ticks) is not int or not 2 <= ticks <= _MOST_TICKS:
        raise ValueError(f"a line of 2 to {_MOST_TICKS} ticks")
    if not all(type(raw[end]) is str and _WRITTEN.fullmatch(raw[end]) for end in ("lower", "step")):
        raise ValueError('numbers written as "17", "0.5" or "1/2"')
    lower, step = ratio(raw["lower"], "line.lower"), ratio(raw["step"], "line.step")
    whole = raw.get("whole", False)
    if "whole" in raw and whole is not True:
        raise ValueError("whole as true, or left out")
    return Line(lower + bool(whole), lower + ticks * step, step, whole=bool(whole))


def read_blank(raw: Any) -> tuple[int, int]:
    """Read the chance that nothing is sent whatever the answer, as ``(units, total)``."""
    units, total = raw
    if not (type(units) is type(total) is int and 0 <= units < total <= LARGEST_TOTAL):
        raise ValueError("blank as [units, total] with units below total")
    return units, total


Value = int | tuple[int, int] | None
"""What one question contributes to a report: a column, a tick, a cell, or nothing."""


@final
@dataclass(frozen=True, slots=True)
class Coin:
    """Chance in the world, such as a birthday: how probable each reply is given each answer.

    ``text`` says whose coin it is; ``answers`` are those that nobody sends, the rows of ``table``;
    ``means`` says for each reply which of them it leaves possible.
    """

    text: Mapping[str, str]
    answers: tuple[Label, ...]
    means: tuple[tuple[int, ...], ...]
    table: Table
    about: Mapping[str, Any]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text about")


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A question with named answers, asked plainly: the report is the answer's index.

    With a ``coin`` the answers are replies to two things at once, such as "just one of them": sent
    as they are given, and protected by what nobody else knows.
    """

    kind: ClassVar[str] = "choice"
    blank: ClassVar[tuple[int, int]] = NEVER
    narrow: ClassVar[bool] = False
    name: str
    text: Mapping[str, str]
    answers: tuple[Label, ...]
    coin: Coin | None = None

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text")

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return is_index(value, len(self.answers))

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.answers) - 1)))

    @property
    def judged(self) -> "Choice | TableQuestion":
        """The question as reports are judged and estimated: with a coin, through its table."""
        if (coin := self.coin) is None:
            return self
        shown = self.name, self.text, coin.answers, self.answers
        return TableQuestion(*shown, coin.means, coin.table, NEVER, coin.about)


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number asked plainly: the report is a tick of the line, of whole numbers from 1 on.

    >>> from askance.wire import Number
    >>> age = Number("age", {}, Line(17, 70), {})
    >>> age.allows(0), age.allows(53), age.allows(54)
    (True, True, False)
    """

    kind: ClassVar[str] = "number"
    blank: ClassVar[tuple[int, int]] = NEVER
    narrow: ClassVar[bool] = False
    name: str
    text: Mapping[str, str]
    line: Line
    unit: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit")

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this value."""
        return is_index(value, self.line.ticks + 1) and value >= self.line.spacing

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(self.line.ticks)))


@final
@dataclass(frozen=True, slots=True)
class Group:
    """People whom chance puts together: all are asked through the same columns of a table.

    ``reports`` says how many columns are the group's own, after those of the groups before it.

    >>> from askance.wire import Group
    >>> Group("few", {"en": "A few"}, 2).reports
    2
    """

    name: str
    wording: Mapping[str, str]
    reports: int

    def __post_init__(self) -> None:
        keep_unchangeable(self, "wording")


@final
@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A protected question with named answers: the report is a column of the table.

    ``means`` says for each report which answers it leaves possible; ``blank`` is the chance, as
    ``(units, total)``, that nothing is sent whatever the answer. With ``groups`` the columns are
    those of one group after another. Every answer has the same chance of a group's columns, so
    that the one draw puts a device into its group whatever the answer is, and the report says
    which one.
    """

    kind: ClassVar[str] = "table"
    narrow: ClassVar[bool] = False
    name: str
    text: Mapping[str, str]
    answers: tuple[Label, ...]
    reports: tuple[Label, ...]
    means: tuple[tuple[int, ...], ...]
    table: Table
    blank: tuple[int, int]
    about: Mapping[str, Any]
    groups: tuple[Group, ...] = ()
    _sent: tuple[bool, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text about")
        sent = tuple(any(column) for column in zip(*self.table.rows, strict=True))
        object.__setattr__(self, "_sent", sent)

    def allows(self, value: object) -> bool:
        """Say whether some answer can send this value."""
        return is_index(value, len(self._sent)) and self._sent[value]

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.reports) - 1)))

    @property
    def by_group(self) -> tuple["TableQuestion", ...]:
        """The question as each group is asked it, with its chances, and no group in the names."""
        told: object = self.about
        told = told.get("mechanism") if isinstance(told, Mapping) else None
        recipes = told if isinstance(told, Mapping) else {}
        asked, first = [], 0
        for group in self.groups:
            own = slice(first, first + group.reports)
            rows = tuple(row[own] for row in self.table.rows)
            one = replace(
                self,
                reports=tuple(
                    replace(report, name=report.name.removeprefix(f"{group.name}: "))
                    for report in self.reports[own]
                ),
                means=self.means[own],
                table=Table(sum(rows[0]), rows),
                about={"mechanism": recipes.get(group.name)},
                groups=(),
            )
            asked.append(one)
            first += group.reports
        return tuple(asked)


RangeQuestion = CutsQuestion | RingQuestion
Question = Choice | Number | TableQuestion | CutsQuestion | RingQuestion


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
    >>> read_question(raw, ["en"]).widest
    4
    >>> read_question(raw | {"answers": []}, ["en"])
    Traceback (most recent call last):
    askance.errors.FormError: question: got 'ValueError: at least two labels, ...
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


def _choice(raw: Any, languages: Sequence[str]) -> Choice:
    text, answers = read_wording(raw["text"], languages), read_labels(raw["answers"], languages)
    coin = _coin(raw["coin"], answers, languages) if "coin" in raw else None
    return Choice(raw["name"], text, answers, coin)


def _coin(raw: Any, replies: Sequence[Label], languages: Sequence[str]) -> Coin:
    answers = read_labels(raw["answers"], languages)
    table, means = _read_table(raw["table"], raw["means"], len(answers), len(replies))
    return Coin(read_wording(raw["text"], languages), answers, means, table, raw["about"])


def _number(raw: Any, languages: Sequence[str]) -> Number:
    line = read_line(raw["line"])
    if line.whole and line.step > 1:
        raise ValueError("steps of 1, where whole numbers are asked for as they are")
    return Number(
        raw["name"],
        read_wording(raw["text"], languages),
        line,
        read_wording(raw["line"]["unit"], languages),
    )


def _table(raw: Any, languages: Sequence[str]) -> TableQuestion:
    answers, reports = (read_labels(raw[key], languages) for key in ("answers", "reports"))
    meant = [report["means"] for report in raw["reports"]]
    table, means = _read_table(raw["table"], meant, len(answers), len(reports))
    text, blank = read_wording(raw["text"], languages), read_blank(raw["blank"])
    groups = _groups(raw["groups"], table, languages) if "groups" in raw else ()
    return TableQuestion(
        raw["name"], text, answers, reports, means, table, blank, raw["about"], groups
    )


def _read_table(
    raw: Any, meant: Any, answers: int, reports: int
) -> tuple[Table, tuple[tuple[int, ...], ...]]:
    """Read a table, and what each of its columns means."""
    total, entries = raw["total"], raw["rows"]
    means = tuple(map(tuple, meant))
    if any(type(entry) is not int for row in ((total,), *entries, *means) for entry in row):
        raise ValueError("integers in the table and in the meanings")
    table = Table(total, tuple(tuple(row) for row in entries))
    shape = len(table.rows), len(table.rows[0]), len(means)
    if table.total > LARGEST_TOTAL or shape != (answers, reports, reports):
        raise ValueError("a row for each answer and a column for each report, in 2^48 at most")
    known = [set(meaning) & set(range(answers)) for meaning in means]
    if not all(known) or list(map(len, known)) != list(map(len, means)):
        raise ValueError("at least one answer of the question in every meaning, each once")
    return table, means


def _groups(raw: Any, table: Table, languages: Sequence[str]) -> tuple[Group, ...]:
    """Read the groups whose columns stand one after another: chance alone may choose among them."""
    labels = read_labels(raw, languages)
    sizes = [one["reports"] for one in raw]
    if any(type(size) is not int or size < 1 for size in sizes) or sum(sizes) != len(table.rows[0]):
        raise ValueError("every report in one group, and none of them empty")
    first = 0
    for size in sizes:
        units = {sum(row[first : first + size]) for row in table.rows}
        if len(units) > 1 or 0 in units:
            raise ValueError("the same share of people in a group, whatever their answer")
        first += size
    return tuple(
        Group(label.name, label.wording, size) for label, size in zip(labels, sizes, strict=True)
    )


_READERS: dict[str, Callable[[Any, Sequence[str]], Question]] = {
    "choice": _choice,
    "number": _number,
    "table": _table,
    "cuts": read_cuts,
    "ring": read_ring,
}


Sent = Mapping[int | tuple[int, int], int]
"""How often each value was sent, blanks left out."""


def sent_of(values: Mapping[Value, int]) -> dict[int | tuple[int, int], int]:
    """Leave out blanks, and what nobody sent.

    >>> sent_of({0: 5, 1: 0, None: 2})
    {0: 5}
    """
    return {value: count for value, count in values.items() if value is not None and count}


def said(texts: Mapping[str, str]) -> str:
    """A text in the first language of its form.

    >>> said({"en": "years", "de": "Jahre"})
    'years'
    """
    return next(iter(texts.values()))


def unchangeable(document: Any) -> Any:
    """Copy a document, at any depth, so that it can be read and not written.

    >>> unchangeable({"a": [1, {"b": 2}]})
    mappingproxy({'a': (1, mappingproxy({'b': 2}))})
    """
    if isinstance(document, dict | MappingProxyType):
        return MappingProxyType({key: unchangeable(value) for key, value in document.items()})
    if isinstance(document, list | tuple):
        return tuple(unchangeable(value) for value in document)
    return document


def keep_unchangeable(value: object, names: str) -> None:
    """Copy documents that a frozen value was given, so that nobody else can change them."""
    for name in names.split():
        object.__setattr__(value, name, unchangeable(getattr(value, name)))
