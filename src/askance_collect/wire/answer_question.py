"""The kinds of question with named answers, each with the reports that are possible under it.

A ``choice`` is asked plainly; a ``table`` question sends a column drawn from the answer's row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, ClassVar, final

from askance_collect.exact.ratio import Table
from askance_collect.wire.form_schema import (
    NEVER,
    Label,
    bounds,
    is_index,
    keep_unchangeable,
    read_labels,
    read_wording,
    refuse,
    rule,
)

_, MOST_TICKED = bounds("table.ticks")
"""A list that is sent as one report has so many items at the most: 64 sets of them."""


def read_blank(raw: Any) -> tuple[int, int]:
    """Read the chance that nothing is sent whatever the answer, as ``(units, total)``."""
    units, total = raw
    return units, total


@rule("blank")
def _is_below_total(blank: Any, _: Sequence[str]) -> bool:
    return bool(blank[0] < blank[1])


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
        return TableQuestion(*leading_fields, coin.meanings, coin.table, NEVER, coin.about)


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
    """

    kind: ClassVar[str] = "table"
    is_randomised: ClassVar[bool] = True
    is_known_to_device: ClassVar[bool] = True
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


def _sets(
    raw: Any, answers: int, languages: Sequence[str]
) -> tuple[tuple[Label, tuple[int, ...]], ...]:
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
    return TableQuestion(raw["name"], text, answers, reports, means, *parts)


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
