"""The kinds of question with named answers, each with the reports that are possible under it.

A ``choice`` is asked plainly; a ``table`` question sends a column drawn from the answer's row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

from askance_collect.exact.ratio import LARGEST_TOTAL, Table
from askance_collect.wire.label import (
    NEVER,
    Label,
    is_index,
    keep_unchangeable,
    read_labels,
    read_wording,
)

MOST_TICKED = 6
"""A list that is sent as one report has so many items at the most: 64 sets of them."""


def read_blank(raw: Any) -> tuple[int, int]:
    """Read the chance that nothing is sent whatever the answer, as ``(units, total)``."""
    units, total = raw
    if not (type(units) is type(total) is int and 0 <= units < total <= LARGEST_TOTAL):
        raise ValueError("blank as [units, total] with units below total")
    return units, total


@final
@dataclass(frozen=True, slots=True)
class Coin:
    """Chance in the world, such as a birthday: how probable each reply is given each answer.

    ``text`` says whose coin it is; ``answers`` are those that nobody sends, the rows of ``table``;
    ``means`` says for each reply which of them it leaves possible. With ``sets`` the replies tell
    the share of each set of answers, and not how common the answers in it are.
    """

    text: Mapping[str, str]
    answers: tuple[Label, ...]
    means: tuple[tuple[int, ...], ...]
    table: Table
    about: Mapping[str, Any]
    sets: tuple[tuple[Label, tuple[int, ...]], ...] = ()

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
    hidden: ClassVar[bool] = False
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
    def possible(self) -> range:
        """The answers, as a device takes them."""
        return range(len(self.answers))

    @property
    def is_known(self) -> bool:
        """Whether the device knows the answer: behind a coin it does not."""
        return self.coin is None

    @property
    def judged(self) -> "Choice | TableQuestion":
        """The question as reports are judged and estimated: with a coin, through its table."""
        if (coin := self.coin) is None:
            return self
        leading_fields = self.name, self.text, coin.answers, self.answers
        return TableQuestion(*leading_fields, coin.means, coin.table, NEVER, coin.about)


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
class TableQuestion:
    """A protected question with named answers: the report is a column of the table.

    ``means`` says for each report which answers it leaves possible; ``blank`` is the chance, as
    ``(units, total)``, that nothing is sent whatever the answer. With ``groups`` the columns are
    those of one group after another. Every answer has the same chance of a group's columns, so
    that the one draw puts a device into its group whatever the answer is, and the report says
    which one. Where they are ``invited`` the address by which somebody comes may name the group
    instead: all are as wide, and the draw is one of that group's. With ``ticks`` the answers are
    all sets of so many things to tick: item i is in the
    answer of position s where bit i of s is set.

    Attributes
    ----------
    text : mapping of str to str
        The question by language.
    reports : tuple
        What may be sent, by label.
    about : mapping
        What analysts are told, such as the trait.
    """

    kind: ClassVar[str] = "table"
    hidden: ClassVar[bool] = True
    is_known: ClassVar[bool] = True
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
    ticks: int = 0
    invited: bool = False
    _is_sendable: tuple[bool, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text about")
        is_sendable = tuple(any(column) for column in zip(*self.table.rows, strict=True))
        object.__setattr__(self, "_is_sendable", is_sendable)

    def allows(self, value: object) -> bool:
        """Say whether some answer can send this value."""
        return is_index(value, len(self._is_sendable)) and self._is_sendable[value]

    @property
    def widest(self) -> int:
        """The most characters that a value takes."""
        return max(4, len(str(len(self.reports) - 1)))

    @property
    def truthful(self) -> bool:
        """Whether every report that an answer can send leaves that answer possible."""
        return all(
            answer in meaning or not row[column]
            for answer, row in enumerate(self.table.rows)
            for column, meaning in enumerate(self.means)
        )

    @property
    def possible(self) -> range:
        """The answers, as a device takes them."""
        return range(len(self.answers))

    @property
    def items(self) -> tuple[Label, ...]:
        """The things to tick, each worded as the set of it alone."""
        return tuple(self.answers[1 << item] for item in range(self.ticks))

    @property
    def by_group(self) -> tuple["TableQuestion", ...]:
        """The question as each group is asked it, with its chances, and no group in the names."""
        about: object = self.about
        about = about.get("mechanism") if isinstance(about, Mapping) else None
        recipes = about if isinstance(about, Mapping) else {}
        group_questions, first = [], 0
        for group in self.groups:
            own = slice(first, first + group.reports)
            rows = tuple(row[own] for row in self.table.rows)
            group_question = replace(
                self,
                reports=tuple(
                    replace(report, name=report.name.removeprefix(f"{group.name}: "))
                    for report in self.reports[own]
                ),
                means=self.means[own],
                table=Table(sum(rows[0]), rows),
                about={"mechanism": recipes.get(group.name)},
                groups=(),
                invited=False,
            )
            group_questions.append(group_question)
            first += group.reports
        return tuple(group_questions)


def read_choice(raw: Any, languages: Sequence[str]) -> Choice:
    """Read a question with answers that is asked plainly, or by a coin in the world."""
    text, answers = read_wording(raw["text"], languages), read_labels(raw["answers"], languages)
    coin = _coin(raw["coin"], answers, languages) if "coin" in raw else None
    return Choice(raw["name"], text, answers, coin)


def _coin(raw: Any, replies: Sequence[Label], languages: Sequence[str]) -> Coin:
    answers = read_labels(raw["answers"], languages)
    table, means = _read_table(raw["table"], raw["means"], len(answers), len(replies))
    text = read_wording(raw["text"], languages)
    sets = _sets(raw["sets"], len(answers), languages) if "sets" in raw else ()
    return Coin(text, answers, means, table, raw["about"], sets)


def _sets(
    raw: Any, answers: int, languages: Sequence[str]
) -> tuple[tuple[Label, tuple[int, ...]], ...]:
    """Read sets of answers that partition the answers."""
    labels, members = read_labels(raw, languages), [tuple(entry["answers"]) for entry in raw]
    listed = [position for positions in members for position in positions]
    if not all(members) or any(type(position) is not int for position in listed):
        raise ValueError("positions of answers in every set")
    if sorted(listed) != list(range(answers)):
        raise ValueError("every answer in one set, and in no other")
    return tuple(zip(labels, members, strict=True))


def read_table_question(raw: Any, languages: Sequence[str]) -> TableQuestion:
    """Read a question whose report is a column of a table."""
    answers, reports = (read_labels(raw[key], languages) for key in ("answers", "reports"))
    meant = [report["means"] for report in raw["reports"]]
    table, means = _read_table(raw["table"], meant, len(answers), len(reports))
    text, blank = read_wording(raw["text"], languages), read_blank(raw["blank"])
    groups = _groups(raw["groups"], table, languages) if "groups" in raw else ()
    ticks = _ticks(raw, len(answers)) if "ticks" in raw else 0
    invited = _is_invited(raw["assigned"], table, groups) if "assigned" in raw else False
    named, about = raw["name"], raw["about"]
    question = TableQuestion(
        named, text, answers, reports, means, table, blank, about, groups, ticks
    )
    return replace(question, invited=invited)


def _is_invited(raw: Any, table: Table, groups: Sequence[Group]) -> bool:
    """Read who chooses among groups: an invitation can where they are all as wide."""
    if raw != BY_INVITATION or not groups:
        raise ValueError(f"assigned as {BY_INVITATION!r} beside groups, or left out")
    first = 0
    for group in groups:
        if sum(table.rows[0][first : first + group.reports]) * len(groups) != table.total:
            raise ValueError("groups of one share each, where invitations choose")
        first += group.reports
    return True


def _ticks(raw: Any, answers: int) -> int:
    """Read how many items there are to tick: the answers are all sets of items."""
    ticks = raw["ticks"]
    if type(ticks) is not int or not 2 <= ticks <= MOST_TICKED or "groups" in raw:
        raise ValueError(f"2 to {MOST_TICKED} ticks, asked of everybody alike")
    if answers != 1 << ticks:
        raise ValueError("an answer for each set of ticks")
    return ticks


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
    meant_answers = [set(meaning) & set(range(answers)) for meaning in means]
    if not all(meant_answers) or list(map(len, meant_answers)) != list(map(len, means)):
        raise ValueError("at least one answer of the question in every meaning, each once")
    return table, means


def _groups(raw: Any, table: Table, languages: Sequence[str]) -> tuple[Group, ...]:
    """Read the groups whose columns stand one after another: chance alone may choose among them."""
    labels = read_labels(raw, languages)
    sizes = [entry["reports"] for entry in raw]
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
