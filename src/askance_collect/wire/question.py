"""The kinds of question a form can hold, each with the reports that are possible under it.

Of those with named answers a ``choice`` is asked plainly, and a ``table`` question sends a column
drawn from the answer's row. Of those on a line a ``number`` is asked plainly, and a ``cuts`` or a
``ring`` question sends a random range that holds the answer.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from operator import itemgetter
from types import MappingProxyType
from typing import Any, ClassVar, TypeGuard, final

from askance_collect.arguments import checked
from askance_collect.errors import AskanceError, FormError, InputError, restate
from askance_collect.exact.line import Floor, Line, PairLaw
from askance_collect.exact.ratio import LARGEST_TOTAL, Table, read_integer, read_ratio
from askance_collect.wire.form_schema import (
    NEVER,
    Label,
    bounds,
    conform,
    is_index,
    is_legible,
    keep_unchangeable,
    pattern,
    read_labels,
    read_wording,
    refuse,
    rule,
)

_, MOST_CHARACTERS = bounds("text.limit")
"""The most that one text can be allowed."""

_, MOST_LINES = bounds("text.lines")
"""The most lines that the place for a text is high."""

TEXT_GIVEN = 0
"""What stands for a text wherever reports are counted or exported: that there is one."""

_UNIT = len("\\u0000")


_LONGEST_UNIT = 3
"""Bytes that a code unit of UTF-16 takes in UTF-8 at the most."""


@final
@dataclass(frozen=True, slots=True)
class FreeText:
    r"""A text, asked plainly: the report is what somebody wrote, or that encrypted on the device.

    Attributes
    ----------
    name, text
        As of every question.
    limit : int
        The most characters, in code units of UTF-16.
    lines : int
        How many lines the place for it is high. In a single one there are no line breaks.
    is_comment : bool
        Whether it is a comment: asked on the screen of the question before it.
    is_sealed : bool
        Whether the device encrypts it for the form's key: a report carries a text of fixed length,
        which whoever keeps it cannot read.

    >>> from askance_collect.wire import FreeText
    >>> more = FreeText("more", {}, 12, 1)
    >>> more.allows("Rühreier 🍳"), more.allows("two\nlines"), more.allows("more than twelve")
    (True, False, False)
    """

    blank: ClassVar[tuple[int, int]] = NEVER
    progressive: ClassVar[bool] = False
    is_randomised: ClassVar[bool] = False
    is_known_to_device: ClassVar[bool] = False
    possible_answers: ClassVar[range] = range(0)
    name: str
    text: Mapping[str, str]
    limit: int
    lines: int
    is_comment: bool = False
    is_sealed: bool = False

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text")

    @property
    def kind(self) -> str:
        """The kind of question, as a form names it."""
        return "sealed" if self.is_sealed else "text"

    @property
    def padded_size(self) -> int:
        """The bytes to which a text is filled up with spaces before it is encrypted."""
        return _LONGEST_UNIT * self.limit

    def allows(self, value: object) -> bool:
        """Say whether a report may carry this text: legible, neither empty nor blank at an end.

        One that is sealed has the one length that all have.
        """
        if not self.is_sealed:
            return self.allows_plaintext(value)
        from askance_collect.wire.sealed_text import read_envelope

        return isinstance(value, str) and read_envelope(value, self.padded_size) is not None

    def allows_plaintext(self, value: object) -> bool:
        """Say whether somebody can have written this text, whether it is sealed or not."""
        if not is_legible(value) or not value or value != value.strip(" \n"):
            return False
        unused = "\t\r" if self.lines > 1 else "\t\r\n"
        return characters(value) <= self.limit and not any(sign in value for sign in unused)

    @property
    def max_encoded_length(self) -> int:
        """The most characters that a value takes."""
        if not self.is_sealed:
            return len('""') + _UNIT * self.limit
        from askance_collect.wire.sealed_text import longest_envelope

        return len('""') + longest_envelope(self.padded_size)


def characters(text: str) -> int:
    """Count the characters of a text as browsers do.

    >>> characters("Tee"), characters("🍳")
    (3, 2)
    """
    return len(text.encode("utf-16-le")) // 2


def read_text(raw: Any, languages: Sequence[str]) -> FreeText:
    """Read a question that is answered in one's own words."""
    text = read_wording(raw["text"], languages)
    is_sealed = raw["kind"] == "sealed"
    return FreeText(raw["name"], text, raw["limit"], raw["lines"], "beside" in raw, is_sealed)


_, MOST_TICKED = bounds("table.ticks")
"""A list that is sent as one report has so many items at the most: 64 sets of them."""


def read_blank(raw: Any) -> tuple[int, int]:
    """Read the chance that nothing is sent whatever the answer, as ``(units, total)``."""
    units, total = raw
    return units, total


@rule("blank")
def _is_below_total(blank: Any, _: Sequence[str]) -> bool:
    return bool(blank[0] < blank[1])


Sets = tuple[tuple[Label, tuple[int, ...]], ...]
"""Sets of answers that partition them, each with the positions of its answers."""


@final
@dataclass(frozen=True, slots=True)
class Coin:
    """Chance in the world, such as a birthday: how probable each reply is given each answer.

    ``text`` says whose coin it is; ``answers`` are those that nobody sends, the rows of ``table``;
    ``meanings`` says for each reply which of them it leaves possible. With ``sets`` the replies
    tell the share of each set of answers, and not how common the answers in it are.
    """

    text: Mapping[str, str]
    answers: tuple[Label, ...]
    meanings: tuple[tuple[int, ...], ...]
    table: Table
    about: Mapping[str, Any]
    sets: Sets = ()

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text about")


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A question with named answers, asked plainly: the report is the answer's index.

    With a ``coin`` the answers are replies to two things at once, such as "just one of them": sent
    as they are given, and protected by what nobody else knows.

    Attributes
    ----------
    name : str
    text : mapping of str to str
        The question by language.
    """

    kind: ClassVar[str] = "choice"
    is_randomised: ClassVar[bool] = False
    blank: ClassVar[tuple[int, int]] = NEVER
    progressive: ClassVar[bool] = False
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
    def max_encoded_length(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.answers) - 1)))

    @property
    def possible_answers(self) -> range:
        """The answers, as a device takes them."""
        return range(len(self.answers))

    @property
    def is_known_to_device(self) -> bool:
        """Whether the device knows the answer: behind a coin it does not."""
        return self.coin is None

    @property
    def underlying_question(self) -> "Choice | TableQuestion":
        """The question as reports are judged and estimated: with a coin, through its table."""
        if (coin := self.coin) is None:
            return self
        leading_fields = self.name, self.text, coin.answers, self.answers
        parts = coin.meanings, coin.table, NEVER, coin.about
        return TableQuestion(*leading_fields, *parts, sets=coin.sets)


BY_INVITATION = "invitation"
"""Who chooses among groups where chance does not."""


@final
@dataclass(frozen=True, slots=True)
class Group:
    """A group formed by chance: its members are asked through the same columns of a table.

    ``reports`` says how many columns are the group's own, after those of the groups before it.

    Attributes
    ----------
    name : str
    wording : mapping of str to str
        What its people read, by language.
    reports : int
        Its own columns.

    >>> from askance_collect.wire import Group
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
class ItemCount:
    """A list experiment: two groups of people count how many items of their list hold for them.

    The first group has the control list, the second the same items and the sensitive one.

    Attributes
    ----------
    items : tuple of mapping
        The control list: each item by language.
    sensitive : mapping of str to str
        The sensitive item, by language.

    References
    ----------
    Blair & Imai (2012), for the design and its terms.

    >>> from askance_collect.wire import ItemCount
    >>> lists = ItemCount(({"en": "I drink tea."}, {"en": "I run."}), {"en": "I cheated."})
    >>> lists.list_of(1)[-1]["en"]
    'I cheated.'
    """

    items: tuple[Mapping[str, str], ...]
    sensitive: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "items sensitive")

    @checked
    def list_of(self, group: int) -> tuple[Mapping[str, str], ...]:
        """The list that a group counts: the control list of group 0, or that of group 1.

        The second has the sensitive item too.

        Raises
        ------
        InputError
            If there is no such group.
        """
        return self.items + (self.sensitive,) * read_integer(group, "group", "0 or 1", 0, 1)

    def _is_counted_by(self, table: Table, groups: Sequence[Group]) -> bool:
        """Say whether a table sends what each group counts, for certain.

        Its rows are how many of the items hold, first where the sensitive one does not.
        """
        k = len(self.items) + 1
        if [group.reports for group in groups] != [k, k + 1] or len(table.rows) != 2 * k:
            return False
        return all(
            row[holds] and row[k + holds + extra]
            for extra in (0, 1)
            for holds, row in enumerate(table.rows[extra * k :][:k])
        ) and all(sum(map(bool, row)) == len(groups) for row in table.rows)


@final
@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A protected question with named answers: the report is a column of the table.

    ``meanings`` says for each report which answers it leaves possible; ``blank`` is the chance, as
    ``(units, total)``, that nothing is sent whatever the answer. With ``groups`` the columns are
    those of one group after another. Every answer has the same chance of a group's columns, so
    that the one draw puts a device into its group whatever the answer is, and the report says
    which one. Where they are ``invited`` the address by which somebody comes may name the group
    instead: all are as wide, and the draw is one of that group's. With ``checkbox_count`` the
    answers are all sets of so many things to tick: item i is in the answer of position s where bit
    i of s is set.

    Attributes
    ----------
    text : mapping of str to str
        The question by language.
    reports : tuple
        What may be sent, by label.
    about : mapping
        What analysts are told, such as the trait.
    item_count : ItemCount or None
        The lists of a list experiment.
    """

    kind: ClassVar[str] = "table"
    is_randomised: ClassVar[bool] = True
    progressive: ClassVar[bool] = False
    name: str
    text: Mapping[str, str]
    answers: tuple[Label, ...]
    reports: tuple[Label, ...]
    meanings: tuple[tuple[int, ...], ...]
    table: Table
    blank: tuple[int, int]
    about: Mapping[str, Any]
    groups: tuple[Group, ...] = ()
    checkbox_count: int = 0
    invited: bool = False
    sets: Sets = ()
    item_count: ItemCount | None = None
    _is_sendable: tuple[bool, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text about")
        is_sendable = tuple(any(column) for column in zip(*self.table.rows, strict=True))
        object.__setattr__(self, "_is_sendable", is_sendable)

    def allows(self, value: object) -> bool:
        """Say whether some answer can send this value."""
        return is_index(value, len(self._is_sendable)) and self._is_sendable[value]

    @property
    def max_encoded_length(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.reports) - 1)))

    @property
    def is_truthful(self) -> bool:
        """Whether every report that an answer can send leaves that answer possible."""
        return all(
            answer in meaning or not row[column]
            for answer, row in enumerate(self.table.rows)
            for column, meaning in enumerate(self.meanings)
        )

    @property
    def possible_answers(self) -> range:
        """The answers, as a device takes them."""
        return range(len(self.answers))

    @property
    def is_known_to_device(self) -> bool:
        """Whether the device knows the answer: of a list experiment it knows a number alone."""
        return self.item_count is None

    @property
    def items(self) -> tuple[Label, ...]:
        """The things to tick, each worded as the set of it alone."""
        return tuple(self.answers[1 << item] for item in range(self.checkbox_count))

    @property
    def group_questions(self) -> tuple["TableQuestion", ...]:
        """The question as each group is asked it, with its chances, and no group in the names."""
        about: object = self.about
        about = about.get("mechanism") if isinstance(about, Mapping) else None
        recipes = about if isinstance(about, Mapping) else {}
        group_questions = []
        for group, own in zip(self.groups, _columns_of(self.groups), strict=True):
            rows = tuple(row[own] for row in self.table.rows)
            group_question = replace(
                self,
                reports=tuple(
                    replace(report, name=report.name.removeprefix(f"{group.name}: "))
                    for report in self.reports[own]
                ),
                meanings=self.meanings[own],
                table=Table(sum(rows[0]), rows),
                about={"mechanism": recipes.get(group.name)},
                groups=(),
                invited=False,
            )
            group_questions.append(group_question)
        return tuple(group_questions)

    @property
    def underlying_question(self) -> "TableQuestion":
        """The question as reports are judged and estimated: classes of answers, where reports name.

        Where answers are sent alike, such as all that are not right, and each such class is what
        a report means, the classes are the answers, called as those reports.
        """
        rows = self.table.rows
        classes: dict[tuple[int, ...], list[int]] = {}
        for answer, row in enumerate(rows):
            classes.setdefault(row, []).append(answer)
        if not 1 < len(classes) < len(rows):
            return self
        own = self.group_questions[0] if self.groups else self
        members = set(map(frozenset, classes.values()))
        named = [
            (frozenset(meaning), report)
            for meaning, report in zip(own.meanings, own.reports, strict=True)
            if frozenset(meaning) in members
        ]
        if len(named) != len(members):
            return self
        meanings = tuple(
            tuple(i for i, (answers, _) in enumerate(named) if answers & set(meaning))
            for meaning in self.meanings
        )
        return replace(
            self,
            answers=tuple(self._name_without_group(report) for _, report in named),
            meanings=meanings,
            table=Table(self.table.total, tuple(rows[min(answers)] for answers, _ in named)),
        )

    @property
    def answer_classes(self) -> tuple[int, ...]:
        """For each answer the position of the one that it is judged as."""
        judged = self.underlying_question
        if judged is self:
            return tuple(range(len(self.answers)))
        return tuple(map(judged.table.rows.index, self.table.rows))

    def _name_without_group(self, report: Label) -> Label:
        """The label of a report of the first group, if any, as the same report of any group."""
        group = self.groups[0].wording if self.groups else {}
        wording = {
            tag: text.removeprefix(f"{group[tag]}: ") if group else text
            for tag, text in report.wording.items()
        }
        return Label(report.name, wording)


def read_choice(raw: Any, languages: Sequence[str]) -> Choice:
    """Read a question with answers that is asked plainly, or by a coin in the world."""
    text, answers = read_wording(raw["text"], languages), read_labels(raw["answers"], languages)
    coin = _coin(raw["coin"], answers, languages) if "coin" in raw else None
    return Choice(raw["name"], text, answers, coin)


def _coin(raw: Any, replies: Sequence[Label], languages: Sequence[str]) -> Coin:
    answers = read_labels(raw["answers"], languages)
    table, means = _read_table(raw["table"], raw["means"], len(answers), len(replies), "coin.")
    text = read_wording(raw["text"], languages)
    sets = _sets(raw["sets"], len(answers), languages) if "sets" in raw else ()
    return Coin(text, answers, means, table, raw["about"], sets)


def _sets(raw: Any, answers: int, languages: Sequence[str]) -> Sets:
    """Read sets of answers that partition the answers."""
    labels, members = read_labels(raw, languages), [tuple(entry["answers"]) for entry in raw]
    if sorted(sum(members, ())) != list(range(answers)):
        raise refuse("sets", "coin.sets", members)
    return tuple(zip(labels, members, strict=True))


def read_table_question(raw: Any, languages: Sequence[str]) -> TableQuestion:
    """Read a question whose report is a column of a table."""
    answers, reports = (read_labels(raw[key], languages) for key in ("answers", "reports"))
    meant = [report["means"] for report in raw["reports"]]
    table, means = _read_table(raw["table"], meant, len(answers), len(reports))
    text, blank = read_wording(raw["text"], languages), read_blank(raw["blank"])
    groups = _groups(raw["groups"], table, languages) if "groups" in raw else ()
    ticks, invited = raw.get("ticks", 0), "assigned" in raw
    if ticks and (groups or len(answers) != 1 << ticks):
        raise refuse("ticks", "ticks", ticks)
    if invited and len({sum(table.rows[0][own]) for own in _columns_of(groups)}) > 1:
        raise refuse("assigned", "assigned", raw["assigned"])
    parts = table, blank, raw["about"], groups, ticks, invited
    counted = _item_count(raw["count"], table, groups, languages) if "count" in raw else ()
    return TableQuestion(raw["name"], text, answers, reports, means, *parts, *counted)


def _item_count(
    raw: Any, table: Table, groups: Sequence[Group], languages: Sequence[str]
) -> tuple[Sets, ItemCount]:
    """Read a list experiment, and the sets of answers by whether the sensitive item holds."""
    items = tuple(read_wording(item, languages) for item in raw["items"])
    item_count = ItemCount(items, read_wording(raw["sensitive"], languages))
    labels, k = read_labels(raw["answers"], languages), len(items) + 1
    if len(labels) != 2 or not item_count._is_counted_by(table, groups):
        raise refuse("count", "count", [group.reports for group in groups])
    holds, holds_not = labels
    return ((holds, tuple(range(k, 2 * k))), (holds_not, tuple(range(k)))), item_count


def _read_table(
    raw: Any, meant: Any, answers: int, reports: int, within: str = ""
) -> tuple[Table, tuple[tuple[int, ...], ...]]:
    """Read a table, and what each of its columns means."""
    total, rows = raw["total"], tuple(map(tuple, raw["rows"]))
    if len(rows) != answers or any(len(row) != reports or sum(row) != total for row in rows):
        raise refuse("table", f"{within}table.rows", [len(rows), *map(sum, rows)])
    if len(meant) != reports or any(max(meaning) >= answers for meaning in meant):
        raise refuse("means", f"{within}means", meant)
    return Table(total, rows), tuple(map(tuple, meant))


def _columns_of(groups: Sequence[Group]) -> list[slice]:
    """The columns of each group, which stand one after another."""
    ends = list(accumulate((group.reports for group in groups), initial=0))
    return list(map(slice, ends, ends[1:]))


def _groups(raw: Any, table: Table, languages: Sequence[str]) -> tuple[Group, ...]:
    """Read groups: chance alone may choose among them."""
    groups = tuple(
        Group(label.name, label.wording, entry["reports"])
        for label, entry in zip(read_labels(raw, languages), raw, strict=True)
    )
    if sum(group.reports for group in groups) != len(table.rows[0]):
        raise refuse("groups", "groups", [group.reports for group in groups])
    for own in _columns_of(groups):
        units = {sum(row[own]) for row in table.rows}
        if len(units) > 1 or 0 in units:
            raise refuse("shares", "groups", sorted(units))
    return groups


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
    wordings : mapping
        By plural the unit, and the names of the lowest and the highest answer, each by language.
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
    wordings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    _may_be_whole: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit about wordings")
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
        read_wordings(raw["line"], languages),
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
    wordings : mapping
        By plural the unit, and the names of the lowest and the highest answer, each by language.

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
    wordings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit about wordings")

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
        read_wordings(raw["line"], languages),
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
    wordings : mapping
        By plural the unit, and the names of the lowest and the highest answer, each by language.

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
    wordings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text unit wordings")

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
        read_wordings(raw["line"], languages),
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
    InputError
        If the languages are no list of texts.

    >>> raw = {"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...     {"name": name, "label": {"en": name}} for name in ("yes", "no")]}
    >>> read_question(raw, ["en"]).max_encoded_length
    4
    >>> read_question(raw | {"answers": []}, ["en"])
    Traceback (most recent call last):
    askance_collect.errors.FormError: question.answers: got []; allowed: a list, from 2 on
    """
    if isinstance(languages, str) or not all(isinstance(name, str) for name in languages):
        raise InputError(
            "read_question.languages", got=languages, allowed='names of languages: ["en"]'
        )
    conform(raw, "question", languages, where)
    return build_question(raw, languages, where)


def build_question(raw: Any, languages: Sequence[str], where: str) -> Question:
    """Make a question of what conforms to the schema, refusing what breaks a rule."""
    try:
        return _READERS[raw["kind"]](raw, languages)
    except FormError as error:
        raise restate(error, f"{where}.{error.where}", FormError) from error
    except AskanceError as error:
        rule, allowed = error.where.partition(".")[0].lower(), f"here {error.allowed}"
        raise refuse(rule, f"{where}.{error.where}", error.got, allowed) from error


_READERS: dict[str, Callable[[Any, Sequence[str]], Question]] = {
    "choice": read_choice,
    "number": read_number,
    "table": read_table_question,
    "cuts": read_cuts,
    "ring": read_ring,
    "text": read_text,
    "sealed": read_text,
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


# A number beside its unit: where a line lacks a plural, the unit stands before the number.

PLURALS = ("zero", "one", "two", "few", "many")
"""The plurals that Unicode's CLDR knows, beside ``other``, which a line's ``unit`` is."""

ENDS = ("lowest", "highest")
"""What names the ends of a line."""

Wordings = Mapping[str, Mapping[str, str]]
"""Texts by plural or end, each by language."""


def read_wordings(line: Mapping[str, Any], languages: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read from a form's line the plurals of its unit, and the names of its ends.

    >>> read_wordings({"unit": {"en": "years"}, "one": {"en": "year"}}, ["en"])
    {'one': {'en': 'year'}}
    """
    return {name: read_wording(line[name], languages) for name in (*PLURALS, *ENDS) if name in line}


def plural_category(number: Fraction | int, language: str) -> str:
    """Name the plural of CLDR in which a language counts a number written in digits.

    Parameters
    ----------
    number : Fraction or int
        Its sign does not matter.
    language : str
        A tag of BCP 47.

    Returns
    -------
    str
        ``zero``, ``one``, ``two``, ``few``, ``many`` or ``other``; of a language without rules
        here, ``other`` of every number but 1.

    References
    ----------
    Unicode (2024), CLDR 46, Language Plural Rules.

    >>> [plural_category(number, "ar") for number in (0, 1, 2, 3, 11, 100)]
    ['zero', 'one', 'two', 'few', 'many', 'other']
    >>> plural_category(Fraction(3, 2), "fr"), plural_category(Fraction(3, 2), "en")
    ('one', 'other')
    """
    value, short = abs(Fraction(number)), language.partition("-")[0]
    if language.startswith("pt-PT"):
        short = "es"
    rules = _RULES.get(short, _RULES[""])
    return next((category for category, holds in rules.items() if holds(value)), "other")


def needed_plurals(languages: Sequence[str], *, in_millions: bool = False) -> tuple[str, ...]:
    """Name the plurals, ``other`` aside, in which these languages count.

    French, Italian, Portuguese and Spanish count whole millions by ``many``.

    >>> needed_plurals(["en", "de"]), needed_plurals(["fr"], in_millions=True)
    (('one',), ('one', 'many'))
    """
    categories = {
        category
        for language in languages
        for category, holds in _RULES.get(language.partition("-")[0], _RULES[""]).items()
        if in_millions or holds is not _is_million
    }
    return tuple(category for category in PLURALS if category in categories)


def count_in_unit(
    number: Fraction | int,
    unit: Mapping[str, str],
    wordings: Mapping[str, Mapping[str, str]],
    language: str,
    word: Callable[[str], str],
) -> str:
    """Word a number with its unit: in the right plural, or with the unit before it.

    Parameters
    ----------
    number : Fraction or int
        What is counted.
    unit : mapping of str to str
        By language, in the plural ``other``.
    wordings : mapping
        The other plurals of the unit, as `read_wordings` reads them.
    language : str
        One of the form's languages.
    word : callable
        Words the number, given the unit, which may be empty.

    >>> unit, plurals = {"en": "years"}, {"one": {"en": "year"}}
    >>> count_in_unit(1, unit, plurals, "en", lambda unit: f"1 {unit} or less")
    '1 year or less'
    >>> count_in_unit(1, unit, {}, "en", lambda unit: f"1 {unit} or less")
    'years: 1 or less'
    """
    category = plural_category(number, language)
    text = unit[language]
    counted = text if category == "other" else wordings.get(category, {}).get(language, "")
    phrase = " ".join(word(counted).split())
    return phrase if counted or not text else f"{text}: {phrase}"


Rule = Callable[[Fraction], bool]


def _is_million(value: Fraction) -> bool:
    return value != 0 and value % 1_000_000 == 0


def _is_one(value: Fraction) -> bool:
    return value == 1


def _is_below_two(value: Fraction) -> bool:
    return value < 2


_RULES: Mapping[str, Mapping[str, Rule]] = MappingProxyType(
    {
        "": {"one": _is_one},
        "ar": {
            "zero": lambda value: value == 0,
            "one": _is_one,
            "two": lambda value: value == 2,
            "few": lambda value: value.denominator == 1 and 3 <= value % 100 <= 10,
            "many": lambda value: value.denominator == 1 and value % 100 >= 11,
        },
        "es": {"one": _is_one, "many": _is_million},
        "fr": {"one": _is_below_two, "many": _is_million},
        "hi": {"one": lambda value: value <= 1},
        "it": {"one": _is_one, "many": _is_million},
        "pt": {"one": _is_below_two, "many": _is_million},
        "zh": {},
    }
)
"""What numbers a plural has, by language; English, German and Turkish go by the first."""
