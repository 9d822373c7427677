"""The reports a verb is given: as columns, and tallied, of everybody or of groups of people."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import compress
from pathlib import Path
from typing import Any, TypeVar, final

import click
import numpy as np

from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.cli.designs import OwnChances, channel_at, counted_groups, designed, designs_typed
from askance.cli.sample import (
    Sample,
    at_hand,
    decoded,
    different,
    group_order,
    group_places,
    groups_of,
    in_groups_of,
    is_counts,
    join_groups,
    name_of,
    refuse_own,
    refuse_tables,
)
from askance.cli.seal import key_typed, opened_places
from askance.engines import tally_groups
from askance.engines.count import columns_of_reports, fieldwork_at
from askance.engines.counts import Fieldwork
from askance.engines.files import Kind, files_at
from askance.engines.tables import Columns, column_of, read_cells, repeated, table_columns
from askance.engines.tallies import tally
from askance.errors import AskanceError, DocumentError, InputError, listed_names, nearest
from askance.inference.domains import group_name, why_withheld, withheld_groups
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.results import is_missing
from askance.survey.deployed import minimum_of
from askance.survey.deployed_answers import (
    PlainAnswers,
    ProtectedAnswers,
    recipe_of,
    reports_by_group,
)
from askance.survey.publish import DeployedForm, deployed_at
from askance.survey.respondents import refuse_protected, respondents
from askance.typing import Integers
from askance.wire.toml_text import load_toml

_COUNTS, _GROUP = "reports", "group"  # what columns of a table of counts in TOML are called


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What stands in the place of a form, and where the reports are.

    Attributes
    ----------
    form : DeployedForm or None
    channel : Channel or None
        One of the two.
    recipe : AbstractMechanism or None
        What the channel was made by, where a design was named.
    groups : mapping of str to Channel
        Of designs of several groups the channel of each; the first is `channel`.
    own : OwnChances or None
        Where each person has chances of their own; the channel is then that of somebody.
    name : str
        How it was named.
    places : tuple of str
    typed : tuple of str
        The form as it is typed before the places, or nothing, and what is typed of designs.
    """

    form: DeployedForm | None
    channel: Channel | None
    recipe: AbstractMechanism | None = None
    groups: Mapping[str, Channel] = field(default_factory=dict)
    own: OwnChances | None = None
    name: str
    places: tuple[str, ...]
    typed: tuple[str, ...]

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channel of each group, or of everybody, without a name; none beside a form."""
        return self.groups or ({} if self.channel is None else {"": self.channel})

    @property
    def fieldwork(self) -> Fieldwork:
        """Whether reports still come in; without a form it is not known."""
        if self.form is None:
            return Fieldwork.UNKNOWN
        form = self.form.form
        return reduce(Fieldwork.together, (fieldwork_at(place, form) for place in self.places))


def asked_by(words: Sequence[str], design: Sequence[str], answers: str | None) -> Asked:
    """Read what a verb was given: FORM REPORTS…, or REPORTS… with designs by their names.

    Raises
    ------
    InputError
        If no reports are left, or a design cannot be read.
    """
    if design:
        pairs = [_NAMED.fullmatch(one) for one in design]
        if len(design) == 1 and pairs[0] is None:
            recipe, typed, own = designed(design[0], answers)
            return Asked(
                form=None,
                channel=typed,
                recipe=None if own else recipe,
                own=own,
                name=design[0],
                places=tuple(words),
                typed=designs_typed(design, answers),
            )
        return _in_groups(words, design, [one.groups() if one else None for one in pairs], answers)
    if answers is not None:
        raise InputError("--answers", got=answers, allowed="nothing, without --design")
    form, *places = words
    if not places:
        raise click.UsageError("Missing argument 'REPORTS...'.")
    channel = channel_at(Path(form))
    deployed = deployed_at(Path(form)) if channel is None else None
    return Asked(
        form=deployed,
        channel=channel,
        name=Path(form).name,
        places=tuple(places) if deployed is None else opened_places(deployed.form, places),
        typed=(Path(form).name, *key_typed()),
    )


_NAMED = re.compile(r"\s*([^:=]*[^:=\s])\s*=\s*(.+)", re.DOTALL)


def _in_groups(
    words: Sequence[str],
    design: Sequence[str],
    pairs: Sequence[Sequence[str | Any] | None],
    answers: str | None,
) -> Asked:
    """Read designs of several groups, each by its name."""
    groups: dict[str, Channel] = {}
    for written, pair in zip(design, pairs, strict=True):
        if pair is None or pair[0] in groups:
            raise InputError(
                "--design",
                got=written,
                allowed="one, or of several groups GROUP=NAME:KEY=VALUE,…, each group once",
            )
        groups[pair[0]], own = designed(pair[1], answers)[1:]
        if own is not None:
            raise InputError("--design", got=written, allowed="numbers, where groups have designs")
    return Asked(
        form=None,
        channel=next(iter(groups.values())),
        groups=groups,
        name=" ".join(design),
        places=tuple(words),
        typed=designs_typed(design, answers),
    )


Told = TypeVar("Told")

Counted = Tally | GroupedTally
"""A tally, or one for each group that was asked in its own way."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tallies:
    """What was reported to one question: of everybody, or of each group of people.

    Attributes
    ----------
    name : str
        The question, or the column.
    channels : mapping of str to Channel
        Of each group that was asked in its own way; "" where everybody was asked alike.
    recipe : AbstractMechanism or None
        What the one channel was made by, if that is known.
    sample : Sample
    counted : mapping of tuple to Tally or GroupedTally
        By groups of people; those of `()` are everybody.
    minimum : int
        Of fewer reports nothing is shown.
    blank : Fraction
        The chance that the form sends a blank, whatever the answer.
    silence : str or None
        The report as which those are counted who sent none.
    """

    name: str
    channels: Mapping[str, Channel]
    recipe: AbstractMechanism | None
    sample: Sample
    counted: Mapping[tuple[Any, ...], Counted]
    minimum: int
    blank: Fraction = Fraction(0)
    silence: str | None = None

    @property
    def everybody(self) -> Counted:
        """The tally of everybody, without groups of people."""
        return self.counted[()]

    def each(
        self, learn: Callable[[Counted], Told]
    ) -> list[tuple[tuple[Any, ...], int, Told | AskanceError | str]]:
        """Learn from everybody, or from each group: with its size, or why not."""
        found: list[tuple[tuple[Any, ...], int, Told | AskanceError | str]] = []
        totals = list(map(self._replies, self.counted.values()))
        held = withheld_groups(list(self.counted), totals, self.minimum, self.sample.by)
        for (group, counted), n, out in zip(self.counted.items(), totals, held, strict=True):
            if out or (self.sample.by and not n):
                found.append((group, n, ", ".join(why_withheld(n, self.minimum))))
                continue
            try:
                found.append((group, n, learn(counted)))
            except AskanceError as error:
                found.append((group, n, error))
        return found

    def _replies(self, counted: Counted) -> int:
        """How many sent a report."""
        parts = counted.tallies.values() if isinstance(counted, GroupedTally) else [counted]
        replied = (one.counts[[of != self.silence for of in one.channel.reports]] for one in parts)
        return sum(int(one.sum()) for one in replied)

    @property
    def asked(self) -> dict[str, Any]:
        """How they were asked, and drawn: what `methods_paragraph` is told beside a result."""
        first, *others = self.channels.values()
        alike = all(one == first for one in others)
        asked = first if alike else self.channels
        return {"channel": asked, "recipe": self.recipe, "sample": self.sample.drawn}


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """Reports of one question, a row for each person.

    Attributes
    ----------
    channels : mapping of str to Channel
    said : list of str or None
    group : list of str or None
        Whose channel each row has; None where there is one.
    columns : Columns
    recipe : AbstractMechanism or None
    """

    channels: Mapping[str, Channel]
    said: list[Any]
    group: list[str] | None
    columns: Columns
    recipe: AbstractMechanism | None


def tallied(
    asked: Asked,
    sample: Sample,
    group: str | None = None,
    *,
    apart: bool = False,
    alike: bool = False,
    silence: Callable[[Channel, Fraction], Channel] | None = None,
) -> Tallies:
    """Tally one question of a form, or one column of tables.

    Parameters
    ----------
    asked : Asked
    sample : Sample
    group : str or None
        The column of groups.
    apart : bool
        Whether groups of a form that were asked in different ways are told apart.
    alike : bool
        Whether a column may tell groups apart that were asked in one way.
    silence : callable, optional
        Gives a channel, and the chance that its form sends a blank, a report for who sends none.
    """
    refuse_own(sample.column, [*sample.by, *([group] if group else [])])
    if (asked.own or asked.groups) and any(map(written, asked.places)):
        _refuse_beside_counts(sample, [*_tables(asked), *([f"--group {group}"] if group else [])])
        places = [Path(one) for one in different(asked.places)]
        told: Any = counted_groups(places, asked.groups, asked.own)
        more = {"name": "reports", "channels": told.channels, "recipe": asked.recipe}
        return _tallies(told, asked, sample, **more)
    group = group or group_of_counts(asked)
    read_first = asked.groups or asked.own or group is not None or silence is not None
    if (
        asked.form is None and asked.channel is not None and not read_first
    ):  # counted where they lie
        told = tallies_of(asked, sample)
        name, channels, recipe = sample.column or "reports", {"": asked.channel}, asked.recipe
        return _tallies(told, asked, sample, name=name, channels=channels, recipe=recipe)
    name = _name(asked, sample, group)
    rows = _rows(asked, sample, name, group, apart=apart, alike=alike)
    blank, none = _blank(asked, name), None
    if silence is not None:
        rows, none = _with_silence(rows, silence, blank)
    return _tallies(
        _tallied_rows(rows, sample),
        asked,
        sample,
        name=name,
        channels=rows.channels,
        recipe=rows.recipe,
        blank=blank,
        silence=none,
    )


def _tallies(told: Any, asked: Asked, sample: Sample, **more: Any) -> Tallies:
    counted = told if isinstance(told, Mapping) else {(): told}
    return Tallies(
        sample=sample,
        counted={one if isinstance(one, tuple) else (one,): of for one, of in counted.items()},
        minimum=1 if asked.form is None else max(minimum_of(asked.form.form), 1),
        **more,
    )


def _blank(asked: Asked, name: str) -> Fraction:
    question = _question(asked, name)
    return Fraction(0) if question is None else Fraction(*question.question.blank)


def asked_in_groups(asked: Asked, sample: Sample) -> bool:
    """Say whether groups of people were asked in different ways: then they need no column."""
    if asked.form is None:
        return bool(asked.groups or asked.own or group_of_counts(asked))
    question = _question(asked, _name(asked, sample, None))
    return isinstance(question, ProtectedAnswers) and bool(question.question.groups)


def _name(asked: Asked, sample: Sample, group: str | None) -> str:
    """Name the question, or the column, of which there may be only one."""
    if asked.form is None:
        return sample.column or only_column(asked, sample, group)
    kinds = PlainAnswers | ProtectedAnswers
    named = {one.question.name: one for one in asked.form.questions if isinstance(one, kinds)}
    shut = [name for name, one in named.items() if isinstance(one, ProtectedAnswers)]
    if sample.column is None and len(shut) == 1:
        return shut[0]
    if sample.column not in named:
        raise InputError(
            "--column",
            got=sample.column or "no column",
            allowed=f"a question with answers: {', '.join(named) or 'the form has none'}",
        )
    return sample.column


def _question(asked: Asked, name: str) -> PlainAnswers | ProtectedAnswers | None:
    """The question of a form; None of a table."""
    if asked.form is None:
        return None
    (found,) = (one for one in asked.form.questions if one.question.name == name)
    assert isinstance(found, PlainAnswers | ProtectedAnswers)
    return found


def _rows(
    asked: Asked, sample: Sample, name: str, group: str | None, *, apart: bool, alike: bool
) -> _Rows:
    """Read who said what, through which channel."""
    question = _question(asked, name)
    if asked.form is not None:
        refuse_reports(asked.form, [*sample.by, *([group] if group else [])])
    columns = columns_at(asked, sample, [] if question else [name], group)
    channels = asked.channels if question is None else {"": question.channel}
    recipe = asked.recipe
    if isinstance(question, ProtectedAnswers):
        recipe = recipe_of(question.question)
        if apart and group is None and question.question.groups:
            channels, said, at = reports_by_group(question, columns[name])
            names = [list(channels)[one] for one in at.tolist()]
            return _Rows(channels=channels, said=said, group=names, columns=columns, recipe=recipe)
    said = list(column_of(columns, name, "--column"))
    if group is None and "" in channels and asked.own is None:
        return _Rows(channels=channels, said=said, group=None, columns=columns, recipe=recipe)
    if group is not None and "" in channels and alike and asked.own is None:
        labels = column_of(columns, group, "--group")
        names = [group_name(one) for one in labels]
        found = map(group_name, sorted(set(labels), key=group_order))
        channels = dict.fromkeys(found, channels[""])
    else:
        channels, places = asked_group(asked, columns, group)
        names = [] if places is None else [list(channels)[at] for at in places.tolist()]
    return _Rows(channels=channels, said=said, group=names, columns=columns, recipe=recipe)


def asked_group(
    asked: Asked, columns: Columns, group: str | None
) -> tuple[Mapping[str, Channel], Integers | None]:
    """The channels of a table's groups, and the position of each row's; None where there is one.

    Raises
    ------
    InputError
        If there are several designs and no column, or the other way round.
    """
    known = bool(asked.groups)
    if known is not (group is not None):
        raise InputError(
            "--group",
            got="no column" if group is None else group,
            allowed="the column of groups" if known else "nothing, with one design",
            remedy="--design few=one-sided:forced_yes=1/4 --design many=… names the groups",
        )
    if asked.own is not None:
        return asked.own.of(columns)
    if group is None:
        return asked.channels, None
    return asked.channels, group_places(column_of(columns, group, "--group"), asked.channels)


def _with_silence(
    rows: _Rows, silence: Callable[[Channel, Fraction], Channel], blank: Fraction
) -> tuple[_Rows, str]:
    """Count who sent nothing as one more report, and name it."""
    channels = {name: silence(one, blank) for name, one in rows.channels.items()}
    none = next(iter(channels.values())).reports[-1]
    said = [none if is_missing(one) or one == "" else one for one in rows.said]
    return replace(rows, channels=channels, said=said), none


def _tallied_rows(rows: _Rows, sample: Sample) -> Counted | Mapping[Any, Counted]:
    """Tally the rows, by groups of people if some are asked for."""
    if rows.group is None:
        return tally_columns(rows.channels[""], rows.columns, rows.said, sample)
    design = sample.drawn.of(rows.columns) if sample.stages and sample.drawn else None
    weights = column_of(rows.columns, sample.weights, "--weights") if sample.weights else None
    n = len(rows.said)
    labels = groups_of(rows.columns, sample.by) if sample.by else [()] * n
    found: dict[Any, Counted] = {}
    for label in sorted(set(labels), key=group_order):
        kept = np.array([one == label for one in labels])
        if design is not None:
            how: dict[str, Any] = {"design": design if kept.all() else design.domain(kept)}
            said, group = rows.said, rows.group
        else:
            said, group = (list(compress(column, kept)) for column in (rows.said, rows.group))
            how = {"weights": None if weights is None else list(compress(weights, kept))}
        found[label] = tally_groups(rows.channels, said, group, **how)
    return found


def columns_at(
    asked: Asked, sample: Sample, named: Sequence[str], group: str | None = None
) -> Columns:
    """Read the reports of all places as columns, a row for each person, and join groups.

    Raises
    ------
    DocumentError
        If a place cannot be read, or has other columns than the first.
    """
    if sample.stages and asked.form is not None:
        refuse_tables(asked.places, "put the rows of one sample into one table")
    places, read = different(asked.places), _of_form if asked.form is not None else _of_table
    if asked.form is None:
        places = [one for place in places for one in _files(place)]
    found: list[Columns] = [read(asked, sample, place, named) for place in places]
    first = found[0]
    for place, one in zip(places, found, strict=True):
        if set(one) != set(first):
            raise DocumentError(
                name_of(place), got=f"columns {', '.join(one)}", allowed=f"{', '.join(first)}"
            )
    columns = first
    if len(found) > 1:
        columns = {name: [value for one in found for value in one[name]] for name in first}
    return join_groups(columns, [*sample.by, *([group] if group else [])], sample.join)


def _files(place: str) -> list[str]:
    """List the tables at a place, which may be a folder or a pattern."""
    return [place] if at_hand(place) else [str(one) for one in files_at(place)[0]]


def _of_form(asked: Asked, sample: Sample, place: str, _: Sequence[str]) -> Columns:
    assert asked.form is not None
    if sample.codes:
        raise InputError("--codes", got=sample.codes, allowed="nothing, beside a form")
    values, beside = columns_of_reports(place, asked.form.form)
    columns = respondents(asked.form.questions, values, beside, id_columns=sample.apart)[0]
    columns = {**values, **columns}  # of ranges, their ticks
    return repeated(columns, sample.counts) if sample.counts else columns


def _of_table(asked: Asked, sample: Sample, place: str, named: Sequence[str]) -> Columns:
    if is_counts(place):
        return _counted(Path(place), asked, sample, named)
    codes = _codes_of(asked, sample)
    kept = {*codes, *_reports_of(asked)}
    columns = table_columns(place, named, identifiers=sample.apart, valid_names=kept)
    if sample.counts:
        columns = repeated(columns, sample.counts)
    for name in named:
        held = column_of(columns, name, "--column" if name == sample.column else "formula")
        columns[name] = [decoded(one, codes) for one in held] if codes else held
        with _by_flags(asked, sample):
            _refuse_entries(columns[name], asked, f"{name_of(place)}: column {name!r}")
    return columns


def _refuse_entries(entries: Sequence[Any], asked: Asked, where: str) -> None:
    """Make sure that all are reports, or blank."""
    reports = _reports_of(asked)
    if strange := {*entries} - {*reports, None, ""}:
        row, got = next((at, one) for at, one in enumerate(entries, start=1) if one in strange)
        allowed = f"{listed_names(reports)}, or None for a blank"
        raise DocumentError(f"{where}, row {row}", got=got, allowed=allowed)


def _reports_of(asked: Asked) -> list[str]:
    """List the reports of all groups."""
    return list(dict.fromkeys(one for each in asked.channels.values() for one in each.reports))


def _codes_of(asked: Asked, sample: Sample) -> dict[str, str | None]:
    """Read what entries stand for, each for a report."""
    codes, reports = sample.read_codes(), _reports_of(asked)
    for entry, report in codes.items():
        if report is not None and report not in reports:
            raise InputError(
                "--codes",
                got=f"{entry}={report}",
                allowed=f"ENTRY=REPORT, of {listed_names(reports)}; nothing for a blank",
                remedy=nearest(report, reports),
            )
    return codes


@contextmanager
def _by_flags(asked: Asked, sample: Sample) -> Iterator[None]:
    """Tell by which flag a table is read that cannot be read without."""
    try:
        yield
    except (InputError, DocumentError) as error:
        where, remedy = error.where, error.remedy
        if sample.column is None and where == "tally.column":
            where, remedy = "--column", ""
        elif not sample.codes and error.allowed.endswith(("None for a blank", "column of names")):
            remedy = f'say what entries stand for: --codes "ENTRY={_reports_of(asked)[0]},…"'
        raise type(error)(where, got=error.got, allowed=error.allowed, remedy=remedy) from None


def _counted(path: Path, asked: Asked, sample: Sample, named: Sequence[str]) -> Columns:
    """Read a table of counts in TOML: ``yes = 310``."""
    if sample.others:
        raise InputError(
            "--by" if sample.by else "REPORTS",
            got=f"{path.name}, which has counts of reports alone",
            allowed="no columns beside such a table",
        )
    try:
        told = load_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DocumentError(
            str(path), got=str(error), allowed="counts in TOML: yes = 310"
        ) from error
    codes = _codes_of(asked, sample)
    parts = told.items() if in_groups_of(told) else [("", told)]
    rows: Columns = {
        _GROUP: [name for name, part in parts for _ in part],
        named[0] if named else "report": [codes.get(one, one) for _, part in parts for one in part],
        _COUNTS: [count for _, part in parts for count in part.values()],
    }
    return repeated(rows, _COUNTS, str(path))


def group_of_counts(asked: Asked) -> str | None:
    """The column of groups, where designs of several are read from counts in TOML."""
    return _GROUP if asked.groups and all(map(is_counts, asked.places)) else None


def tallies_of(asked: Asked, sample: Sample) -> Tally | Mapping[Any, Tally]:
    """Tally the reports of a channel: where they lie, unless a row has first to be read anew."""
    assert asked.channel is not None
    if asked.groups:
        raise InputError(
            "--design",
            got=f"{len(asked.groups)} groups",
            allowed="one design",
            remedy="compare, compliance, bounds and regress take designs of groups, with --group",
        )
    if sample.stages:
        refuse_tables(_tables(asked))
    refuse_own(sample.column, sample.by)
    if not (sample.by or _tables(asked)):
        _refuse_beside_counts(sample)
    here = any(map(at_hand, asked.places))
    if sample.counts or sample.codes or sample.replicates or sample.join or here:
        column = sample.column or only_column(asked, sample)
        columns = columns_at(asked, sample, [column])
        return tally_columns(asked.channel, columns, columns[column], sample)
    how: dict[str, Any] = {"column": sample.column, "weights": sample.weights}
    if sample.stages:
        how = {"column": sample.column, "design": sample.drawn}
    if sample.by:
        how["by"] = list(sample.by)
    with _by_flags(asked, sample):
        found = [
            _read_groups(
                place,
                tally(asked.channel, place, **({} if written(place) and not sample.by else how)),
            )
            for place in different(asked.places)
        ]
    return in_order(_together(found)) if sample.by else sum(found[1:], found[0])


def _tables(asked: Asked) -> list[str]:
    """The places that hold no counts that were written."""
    return [place for place in asked.places if not written(place)]


def _refuse_beside_counts(sample: Sample, others: Sequence[str] = ()) -> None:
    """Refuse columns beside counts that were written, which have none."""
    if told := [*(f"--{one}" for one in sample.told), *map(name_of, others)]:
        raise InputError(
            ", ".join(told),
            got="counts that were written",
            allowed="nothing beside them: they are counted",
            remedy="count tables first" if others else "",
        )


def _read_groups(place: str, told: Any) -> Any:
    """Read the groups of a text, which an engine leaves as texts, as the cells of its columns."""
    if not isinstance(told, Mapping) or files_at(place)[1] not in (Kind.TABLE, Kind.RESULTS):
        return told
    groups = [one if isinstance(one, tuple) else (one,) for one in told]
    cells = (["" if one is None else one for one in column] for column in zip(*groups, strict=True))
    read = zip(*(read_cells(column, is_identifier=True) for column in cells), strict=True)
    named = (one if len(one) > 1 else one[0] for one in read)
    return dict(zip(named, told.values(), strict=True))


def only_column(asked: Asked, sample: Sample, *others: str | None) -> str:
    """The column of reports, where it is the only one left.

    Raises
    ------
    InputError
        With the columns of which it may be one.
    """
    place = asked.places[0]
    if is_counts(place):
        return "report"
    beside = {*sample.others, *others}
    left = [name for name in table_columns(_files(place)[0]) if name not in beside]
    if len(left) != 1:
        raise InputError(
            "--column", got="no column", allowed=f"that of the reports: {', '.join(left[:20])}"
        )
    return left[0]


def _together(found: Sequence[Any]) -> Mapping[Any, Tally]:
    """Add up the tallies of each group."""
    sums: dict[Any, Tally] = {}
    for one in found:
        for group, counted in one.items():
            sums[group] = sums[group] + counted if group in sums else counted
    return sums


def tally_columns(
    channel: Channel, columns: Columns, reports: Sequence[Any], sample: Sample
) -> Tally | Mapping[Any, Tally]:
    """Tally a column at hand, beside others, by groups if some are asked for."""
    how: dict[str, Any] = {}
    if sample.stages and sample.drawn is not None:
        how["design"] = sample.drawn.of(columns)
    elif sample.weights:
        how["weights"] = column_of(columns, sample.weights, "--weights")
    if sample.by:
        how["by"] = groups_of(columns, sample.by)
    told: Tally | Mapping[Any, Tally] = tally(channel, reports, **how)
    return told if isinstance(told, Tally) else in_order(told)


def in_order(groups: Mapping[Any, Tally]) -> Mapping[Any, Tally]:
    """Bring groups into their order, numbers by their size also where a file has them as texts."""
    return {group: groups[group] for group in sorted(groups, key=group_order)}


def refuse_reports(asked: DeployedForm, by: Sequence[str]) -> None:
    """Make sure that no group is told by what was protected."""
    refuse_protected(asked.questions, by, "--by", "a group")


def written(place: str) -> bool:
    """Say whether a place holds counts that were written.

    >>> written("rows.csv")
    False
    """
    return place.lower().endswith(".json") and files_at(place)[1] is Kind.COUNTED
