"""The reports a verb is given: as columns, and tallied, of everybody or of groups of people."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import chain, compress
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Literal, TypeVar, final

import msgspec
import numpy as np
from msgspec import structs

from askance.analysis.respondents import refuse_kept_apart, refuse_protected, respondents
from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.channels.written_values import refuse_alike_kinds
from askance.cli.mechanism_option import (
    AnswerNames,
    OwnChances,
    Recipe,
    channel_at,
    convert_recipes,
    format_recipes,
    read_group_counts,
    read_mechanism,
    read_recipes,
)
from askance.cli.sample import (
    SampleColumns,
    collapse_groups,
    group_order,
    group_positions,
    groups_of,
    has_group_tables,
    is_at_hand,
    is_counts,
    name_of,
    refuse_own,
    refuse_repeated,
    refuse_tables,
)
from askance.cli.seal import format_seal_flags, open_sealed
from askance.cli.typed_request import split_list, unquote, write_texts
from askance.engines import tally_groups
from askance.engines.count import columns_of_reports, count_reports, fieldwork_at
from askance.engines.counts import Counts, Fieldwork
from askance.engines.files import Kind, files_at
from askance.engines.reading import (
    AUTOMATIC,
    ColumnKind,
    ColumnReading,
    OddEntry,
    TableReading,
    TextFormat,
    decide_format,
    find_look_alike,
    find_odd,
    format_of_texts,
    read_column,
)
from askance.engines.tables import (
    Columns,
    column_of,
    first_row,
    repeat_rows,
    table_columns,
    write_text,
)
from askance.engines.tallies import tally
from askance.inference.domains import group_name, why_withheld, withheld_groups
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.result_table import MethodsParagraph
from askance.results import is_missing
from askance.survey.deployed import (
    DeployedForm,
    PlainAnswers,
    ProtectedAnswers,
    minimum_of,
    recipe_of,
    reports_by_group,
)
from askance.survey.publish import deployed_at
from askance.typing import Integers
from askance_collect.cli.request_options import Arg
from askance_collect.errors import (
    AskanceError,
    DocumentError,
    Fault,
    InputError,
    listed_names,
    nearest,
    restate,
)
from askance_collect.wire.canonical_json import fold
from askance_collect.wire.toml_text import read_toml

_COUNTS, _GROUP = "reports", "group"  # what columns of a table of counts in TOML are called


@final
class TableOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How tables are read, where their contents do not decide it.

    Attributes
    ----------
    reading : Path, optional
        A [reading](../how-to/read-a-table.md), which `askance look` writes.
    missing_codes : tuple of str
        More codes that are missing: `99,refused`, or of one column `age=99`; again for several.
    decimal : str, optional
        The decimal mark of numbers.
    thousands : str, optional
        The mark between thousands.
    encoding : str, optional
        The encoding of a text.
    """

    reading: Path | None = None
    missing_codes: tuple[str, ...] = ()
    decimal: Literal[".", ","] | None = None
    thousands: Literal[".", ",", " ", "'"] | None = None
    encoding: Literal["utf-8", "utf-16", "latin-1"] | None = None

    @property
    def words(self) -> list[str]:
        """What is typed to read tables in the same way, a file without its folder.

        >>> TableOptions(decimal=",", reading=Path("data/sent.toml")).words
        ['--reading', 'sent.toml', '--decimal', ',']
        """
        reading = [] if self.reading is None else ["--reading", self.reading.name]
        codes = [word for codes in self.missing_codes for word in ("--missing-codes", codes)]
        marks = {name: getattr(self, name) for name in ("decimal", "thousands", "encoding")}
        return [*reading, *codes, *(w for name, v in marks.items() if v for w in (f"--{name}", v))]

    def read(self) -> TableReading:
        """Return the reading, with the options of the command line applied to it.

        >>> TableOptions(missing_codes=("99", "age=0,-1")).read().columns["age"].missing
        ('0', '-1')
        """
        reading = AUTOMATIC if self.reading is None else TableReading.read(self.reading)
        marks = ("decimal", "thousands", "encoding")
        reading = replace(
            reading, **{mark: own for mark in marks if (own := getattr(self, mark)) is not None}
        )
        for written in self.missing_codes:
            name, equals, listed = written.partition("=")
            codes = [unquote(code.strip()) for code in split_list(listed if equals else written)]
            if not equals:
                reading = replace(reading, missing=(*reading.missing, *codes))
                continue
            column = reading.columns.get(name, ColumnReading())
            column = replace(column, missing=(*column.missing, *codes))
            reading = replace(reading, columns={**reading.columns, name: column})
        return reading


@final
class ReportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where the reports are, and what they were made by: a form, or mechanisms by their names.

    Attributes
    ----------
    form : str, optional
        A published form, a survey file, or a channel as JSON.
    reports : tuple of str
        Where the reports are.
    mechanism : mapping of str
        A [mechanism by its name](#mechanisms-by-name) instead of FORM, such as
        `crosswise:harmless=1/4`; of several groups `GROUP=NAME:KEY=VALUE,…` each.
    key : Path, optional
        The private key that opens
        [sealed](../how-to/ask-inside-another-page.md#sealed-for-the-study) reports.
    unsealed : bool
        With a form that has a key: take reports that are not sealed, too.
    answers : tuple of str, optional
        With `--mechanism`: the names of the answers, with commas between (`yes,no`).
    """

    form: Annotated[str | None, Arg(flag="")] = None
    reports: Annotated[tuple[str, ...], Arg(flag="")] = ()
    mechanism: Annotated[
        dict[str, Recipe],
        Arg(
            read=read_recipes,
            convert=convert_recipes,
            allowed='{"name": "warner", "truth": "3/4"}, as in a survey file; or those of groups',
        ),
    ] = msgspec.field(default_factory=dict)
    key: Path | None = None
    unsealed: bool = False
    answers: AnswerNames | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSource:
    """What stands in the place of a form, and where the reports are.

    Attributes
    ----------
    form : DeployedForm or None
    channel : Channel or None
        One of the two.
    recipe : AbstractMechanism or None
        What the channel was made by, where a mechanism was named.
    groups : mapping of str to Channel
        Of mechanisms of several groups the channel of each; the first is `channel`.
    own : OwnChances or None
        Where each person has chances of their own; the channel is then that of somebody.
    name : str
        How it was named.
    places : tuple of str
    typed : tuple of str
        The form as it is typed before the places, or nothing, and what is typed of mechanisms.
    reading : TableReading
        How tables are read.
    """

    form: DeployedForm | None
    channel: Channel | None
    recipe: AbstractMechanism | None = None
    groups: Mapping[str, Channel] = field(default_factory=dict)
    own: OwnChances | None = None
    name: str
    places: tuple[str, ...]
    typed: tuple[str, ...]
    reading: TableReading = AUTOMATIC

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channel of each group, or of everybody under an empty name; empty for a form."""
        return self.groups or ({} if self.channel is None else {"": self.channel})

    @property
    def report_names(self) -> list[str]:
        """The names of the reports of all channels, each once."""
        reports = (channel.reports for channel in self.channels.values())
        return list(dict.fromkeys(chain.from_iterable(reports)))

    @property
    def has_tables(self) -> bool:
        """Whether reports are in tables: in no store, and not counted already."""
        kinds = {files_at(location)[1] for location in self.places if not is_at_hand(location)}
        return not kinds <= {Kind.STORE, Kind.COUNTED}

    @property
    def second_reading(self) -> TableReading:
        """The reading of the second table: options for two tables apply to the first."""
        return AUTOMATIC if self.has_tables else self.reading

    @property
    def fieldwork(self) -> Fieldwork:
        """Whether fieldwork is still open; unknown without a form."""
        if self.form is None:
            return Fieldwork.UNKNOWN
        form = self.form.form
        return reduce(
            Fieldwork.together, (fieldwork_at(location, form) for location in self.places)
        )


def read_source(
    options: ReportOptions,
    tables: TableOptions = TableOptions(),  # noqa: B008 it is frozen
) -> ReportSource:
    """Read a form, or mechanisms by their names, and where the reports are.

    Raises
    ------
    InputError
        If there are no reports, a form stands beside a mechanism, or a mechanism cannot be read.
    """
    if options.mechanism:
        if options.form is not None:
            raise InputError("FORM", got=options.form, allowed="nothing, beside --mechanism")
        if not options.reports:
            raise InputError("REPORTS", got="nothing", allowed="where the reports are")
        return _with_tables(_read_mechanism_source(options), tables)
    if options.answers is not None:
        raise InputError(
            "--answers", got=", ".join(options.answers), allowed="nothing, without --mechanism"
        )
    if options.form is None or not options.reports:
        lacking = "REPORTS" if options.form else "FORM"
        raise InputError(lacking, got="nothing", allowed="a form, and where its reports are")
    return _with_tables(_read_form_source(options, Path(options.form)), tables)


def _with_tables(source: ReportSource, tables: TableOptions) -> ReportSource:
    """Add how tables are read."""
    return replace(source, reading=tables.read(), typed=(*source.typed, *tables.words))


def _read_mechanism_source(options: ReportOptions) -> ReportSource:
    texts, answers = format_recipes(options.mechanism), options.answers
    words = [word for text in texts for word in ("--mechanism", text)]
    source = ReportSource(
        form=None,
        channel=None,
        name=" ".join(texts),
        places=options.reports,
        typed=("", *words, *([] if answers is None else ["--answers", write_texts(answers)])),
    )
    if "" not in options.mechanism:
        groups = _read_groups_of(options)
        return replace(source, channel=next(iter(groups.values())), groups=groups)
    recipe, channel, own = read_mechanism(options.mechanism[""], answers)
    return replace(source, channel=channel, recipe=None if own else recipe, own=own)


def _read_form_source(options: ReportOptions, form: Path) -> ReportSource:
    channel, places = channel_at(form), options.reports
    deployed = deployed_at(form) if channel is None else None
    if deployed is not None:
        places = open_sealed(deployed.form, places, options.key, unsealed=options.unsealed)
    return ReportSource(
        form=deployed,
        channel=channel,
        name=form.name,
        places=places,
        typed=(form.name, *format_seal_flags(options.key, unsealed=options.unsealed)),
    )


def _read_groups_of(options: ReportOptions) -> dict[str, Channel]:
    """Read the channel of each group from its mechanism."""
    groups: dict[str, Channel] = {}
    for group, recipe in options.mechanism.items():
        groups[group], own = read_mechanism(recipe, options.answers)[1:]
        if own is not None:
            (text,) = format_recipes({group: recipe})
            raise InputError(
                "--mechanism", got=text, allowed="numbers, where groups have mechanisms"
            )
    return groups


Result = TypeVar("Result")

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
    sample : SampleColumns
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
    sample: SampleColumns
    counted: Mapping[tuple[Any, ...], Counted]
    minimum: int
    blank: Fraction = Fraction(0)
    silence: str | None = None

    @property
    def overall(self) -> Counted:
        """The tally of everybody, without groups of people."""
        return self.counted[()]

    def estimate_each(
        self, learn: Callable[[Counted], Result]
    ) -> list[tuple[tuple[Any, ...], int, Result | AskanceError | str]]:
        """Estimate for everybody, or for each group with its size; else say why it is not shown."""
        if not self.counted:
            raise InputError("REPORTS", got="no report", allowed="at least one report")
        outcomes: list[tuple[tuple[Any, ...], int, Result | AskanceError | str]] = []
        totals = list(map(self._replies, self.counted.values()))
        withheld = withheld_groups(list(self.counted), totals, self.minimum, self.sample.by)
        for (group, counted), n, out in zip(self.counted.items(), totals, withheld, strict=True):
            if out or (self.sample.by and not n):
                outcomes.append((group, n, ", ".join(why_withheld(n, self.minimum))))
                continue
            try:
                outcomes.append((group, n, learn(counted)))
            except AskanceError as error:
                outcomes.append((group, n, error))
        return outcomes

    def _replies(self, counted: Counted) -> int:
        """How many sent a report."""
        parts = counted.tallies.values() if isinstance(counted, GroupedTally) else [counted]
        replied = (
            part.counts[[of != self.silence for of in part.channel.reports]] for part in parts
        )
        return sum(int(counts.sum()) for counts in replied)

    @property
    def methods_arguments(self) -> dict[str, Any]:
        """Channel, recipe and sampling design, as `methods_paragraph` takes them."""
        first, *others = self.channels.values()
        is_one_channel = all(other == first for other in others)
        channel = first if is_one_channel else self.channels
        return {"channel": channel, "recipe": self.recipe, "sampling": self.sample.sampling}

    def methods(self, result: Any) -> MethodsParagraph:
        """Write the methods paragraph of a result from these reports."""
        from askance.present import methods_paragraph

        return methods_paragraph(result, **self.methods_arguments)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ReportRows:
    """Reports of one question, a row for each person.

    Attributes
    ----------
    channels : mapping of str to Channel
    reports : list of str or None
    group : list of str or None
        Whose channel each row has; None where there is one.
    columns : Columns
    recipe : AbstractMechanism or None
    """

    channels: Mapping[str, Channel]
    reports: list[Any]
    group: list[str] | None
    columns: Columns
    recipe: AbstractMechanism | None


def tally_question(
    source: ReportSource,
    sample: SampleColumns,
    group: str | None = None,
    *,
    separate_groups: bool = False,
    allow_one_channel: bool = False,
    silence: Callable[[Channel, Fraction], Channel] | None = None,
) -> Tallies:
    """Tally one question of a form, or one column of tables.

    Parameters
    ----------
    source : ReportSource
    sample : SampleColumns
    group : str or None
        The column of groups.
    separate_groups : bool
        Whether groups of a form that were asked in different ways have tallies of their own.
    allow_one_channel : bool
        Whether groups that were asked in one way may have a column of groups.
    silence : callable, optional
        Adds a report for nonrespondents to a channel, given the form's chance of a blank.
    """
    refuse_own(sample.column, [*sample.by, *([group] if group else [])])
    if (source.own or source.groups) and any(map(is_written_counts, source.places)):
        others = [*_list_tables(source), *([f"--group {group}"] if group else [])]
        _refuse_beside_counts(sample, others)
        places = [Path(location) for location in refuse_repeated(source.places)]
        counted: Any = read_group_counts(places, source.groups, source.own)
        more = {"name": "reports", "channels": counted.channels, "recipe": source.recipe}
        return _make_tallies(counted, source, sample, **more)
    group = group or group_of_counts(source)
    read_first = source.groups or source.own or group is not None or silence is not None
    # counted where they lie
    if source.form is None and source.channel is not None and not read_first:
        counted = tallies_of(source, sample)
        name, channels, recipe = sample.column or "reports", {"": source.channel}, source.recipe
        return _make_tallies(counted, source, sample, name=name, channels=channels, recipe=recipe)
    name = _find_name(source, sample, group)
    rows = _read_rows(
        source, sample, name, group, separate=separate_groups, one_channel=allow_one_channel
    )
    blank, none = _blank_chance(source, name), None
    if silence is not None:
        rows, none = _with_silence(rows, silence, blank)
    return _make_tallies(
        _tally_rows(rows, sample),
        source,
        sample,
        name=name,
        channels=rows.channels,
        recipe=rows.recipe,
        blank=blank,
        silence=none,
    )


def _make_tallies(result: Any, source: ReportSource, sample: SampleColumns, **more: Any) -> Tallies:
    counted = result if isinstance(result, Mapping) else {(): result}
    return Tallies(
        sample=sample,
        counted={
            group if isinstance(group, tuple) else (group,): of for group, of in counted.items()
        },
        minimum=1 if source.form is None else max(minimum_of(source.form.form), 1),
        **more,
    )


def _blank_chance(source: ReportSource, name: str) -> Fraction:
    question = _find_question(source, name)
    return Fraction(0) if question is None else Fraction(*question.question.blank)


def is_asked_in_groups(source: ReportSource, sample: SampleColumns) -> bool:
    """Say whether groups of people were asked in different ways: then they need no column."""
    if source.form is None:
        return bool(source.groups or source.own or group_of_counts(source))
    question = _find_question(source, _find_name(source, sample, None))
    return isinstance(question, ProtectedAnswers) and bool(question.question.groups)


def _find_name(source: ReportSource, sample: SampleColumns, group: str | None) -> str:
    """Name the one question, or the one column, of the reports."""
    if source.form is None:
        return sample.column or only_column(source, sample, group)
    kinds = PlainAnswers | ProtectedAnswers
    named = {
        question.question.name: question
        for question in source.form.questions
        if isinstance(question, kinds)
    }
    shut = [name for name, question in named.items() if isinstance(question, ProtectedAnswers)]
    if sample.column is None and len(shut) == 1:
        return shut[0]
    if sample.column not in named:
        raise InputError(
            "--column",
            got=sample.column or "no column",
            allowed=f"a question with answers: {', '.join(named) or 'the form has none'}",
        )
    return sample.column


def _find_question(source: ReportSource, name: str) -> PlainAnswers | ProtectedAnswers | None:
    """The question of a form; None of a table."""
    if source.form is None:
        return None
    (question,) = (
        candidate for candidate in source.form.questions if candidate.question.name == name
    )
    assert isinstance(question, PlainAnswers | ProtectedAnswers)
    return question


def _read_rows(
    source: ReportSource,
    sample: SampleColumns,
    name: str,
    group: str | None,
    *,
    separate: bool,
    one_channel: bool,
) -> _ReportRows:
    """Read who said what, through which channel."""
    question = _find_question(source, name)
    if source.form is not None:
        refuse_reports(source.form, [*sample.by, *([group] if group else [])])
    columns = read_columns(source, sample, [] if question else [name], group)
    channels = source.channels if question is None else {"": question.channel}
    recipe = source.recipe
    if isinstance(question, ProtectedAnswers):
        recipe = recipe_of(question.question)
        if separate and group is None and question.question.groups:
            channels, reports, positions = reports_by_group(question, columns[name])
            names = [list(channels)[i] for i in positions.tolist()]
            return _ReportRows(
                channels=channels, reports=reports, group=names, columns=columns, recipe=recipe
            )
    reports = list(column_of(columns, name, "--column"))
    if group is None and "" in channels and source.own is None:
        return _ReportRows(
            channels=channels, reports=reports, group=None, columns=columns, recipe=recipe
        )
    if group is not None and "" in channels and one_channel and source.own is None:
        labels = column_of(columns, group, "--group")
        names = [group_name(label) for label in labels]
        ordered = map(group_name, sorted(set(labels), key=group_order))
        channels = dict.fromkeys(ordered, channels[""])
    else:
        channels, places = find_group_channels(source, columns, group)
        names = [] if places is None else [list(channels)[i] for i in places.tolist()]
    return _ReportRows(
        channels=channels, reports=reports, group=names, columns=columns, recipe=recipe
    )


def find_group_channels(
    source: ReportSource, columns: Columns, group: str | None
) -> tuple[Mapping[str, Channel], Integers | None]:
    """The channels of a table's groups, and the position of each row's; None where there is one.

    Raises
    ------
    InputError
        If there are several mechanisms and no column, or the other way round.
    """
    several = bool(source.groups)
    if several is not (group is not None):
        raise InputError(
            "--group",
            got="no column" if group is None else group,
            allowed="the column of groups" if several else "nothing, with one mechanism",
            remedy="--mechanism few=one-sided:forced_yes=1/4 --mechanism many=… names the groups",
        )
    if source.own is not None:
        return source.own.of(columns)
    if group is None:
        return source.channels, None
    return source.channels, group_positions(column_of(columns, group, "--group"), source.channels)


def _with_silence(
    rows: _ReportRows, silence: Callable[[Channel, Fraction], Channel], blank: Fraction
) -> tuple[_ReportRows, str]:
    """Count who sent nothing as one more report, and name it."""
    channels = {name: silence(channel, blank) for name, channel in rows.channels.items()}
    none = next(iter(channels.values())).reports[-1]
    reports = [none if is_missing(report) or report == "" else report for report in rows.reports]
    return replace(rows, channels=channels, reports=reports), none


def _tally_rows(rows: _ReportRows, sample: SampleColumns) -> Counted | Mapping[Any, Counted]:
    """Tally the rows, by groups of people if some are asked for."""
    if rows.group is None:
        return tally_columns(rows.channels[""], rows.columns, rows.reports, sample)
    sampling = sample.sampling.of(rows.columns) if sample.stages and sample.sampling else None
    weights = column_of(rows.columns, sample.weights, "--weights") if sample.weights else None
    n = len(rows.reports)
    labels = groups_of(rows.columns, sample.by) if sample.by else [()] * n
    tallies: dict[Any, Counted] = {}
    for label in sorted(set(labels), key=group_order):
        members = np.array([row_label == label for row_label in labels])
        if sampling is not None:
            how: dict[str, Any] = {
                "sampling": sampling if members.all() else sampling.domain(members)
            }
            reports, group = rows.reports, rows.group
        else:
            reports, group = (
                list(compress(column, members)) for column in (rows.reports, rows.group)
            )
            how = {"weights": None if weights is None else list(compress(weights, members))}
        tallies[label] = tally_groups(rows.channels, reports, group, **how)
    return tallies


def count_source(source: ReportSource, reading: TableReading) -> Counts:
    """Count the reports to a form in every place, and add them up."""
    assert source.form is not None
    first, *more = (
        count_reports(location, source.form.form, reading=reading)
        for location in refuse_repeated(source.places)
    )
    return sum(more, first)


def read_columns(
    source: ReportSource,
    sample: SampleColumns,
    named: Sequence[str],
    group: str | None = None,
    used: Sequence[str] = (),
) -> Columns:
    """Read the reports of all places as columns, a row for each person, and collapse groups.

    Columns that are used hold numbers alone, or names alone.

    Raises
    ------
    DocumentError
        If a place cannot be read, or has other columns than the first.
    """
    if sample.stages and source.form is not None:
        refuse_tables(source.places, "put the rows of one sample into one table")
    places = refuse_repeated(source.places)
    read = _read_form_columns if source.form is not None else _read_table_columns
    if source.form is None:
        places = [file for location in places for file in _list_files(location)]
    id_columns = [*sample.id_columns, *([group] if group else [])]
    tables: list[Columns] = [
        read(source, sample, location, named, used, id_columns) for location in places
    ]
    first = tables[0]
    for location, table in zip(places, tables, strict=True):
        if set(table) != set(first):
            raise DocumentError(
                name_of(location), got=f"columns {', '.join(table)}", allowed=f"{', '.join(first)}"
            )
    columns = first
    if len(tables) > 1:
        columns = {name: [value for table in tables for value in table[name]] for name in first}
    for name in id_columns:
        refuse_alike_kinds(columns.get(name, ()), f"column {name!r}")
    return collapse_groups(columns, [*sample.by, *([group] if group else [])], sample.collapse)


def _list_files(location: str) -> list[str]:
    """List the tables at a place, which may be a folder or a pattern."""
    return [location] if is_at_hand(location) else [str(file) for file in files_at(location)[0]]


def _read_form_columns(
    source: ReportSource,
    sample: SampleColumns,
    location: str,
    _: Sequence[str],
    used: Sequence[str],
    id_columns: Sequence[str],
) -> Columns:
    assert source.form is not None
    reading = reading_of(source, sample)
    values, other_columns = columns_of_reports(location, source.form.form, reading)
    columns = respondents(
        source.form.questions,
        values,
        other_columns,
        id_columns=id_columns,
        used=(*sample.numbers, *used),
        reading=reading,
    )[0]
    columns = {**values, **columns}  # of ranges, their ticks
    return repeat_rows(columns, sample.counts) if sample.counts else columns


def _read_table_columns(
    source: ReportSource,
    sample: SampleColumns,
    location: str,
    named: Sequence[str],
    used: Sequence[str],
    id_columns: Sequence[str],
) -> Columns:
    if is_counts(location):
        return _read_counts_table(Path(location), source, sample, named)
    valid_names = source.report_names
    columns = table_columns(
        location,
        named,
        id_columns=id_columns,
        valid_names=valid_names,
        used=(*sample.numbers, *used),
        reading=reading_of(source, sample),
    )
    if sample.counts:
        columns = repeat_rows(columns, sample.counts)
    for name in named:
        column_of(columns, name, "--column" if name == sample.column else "formula")
        with _naming_flags(source, sample):
            _refuse_entries(columns[name], source, location, name)
    return columns


def reading_of(source: ReportSource, sample: SampleColumns) -> TableReading:
    """Give the reading of tables, with what entries of reports were said to stand for.

    Raises
    ------
    InputError
        If an entry stands for nothing that can be reported.
    """
    codes = sample.recode or {}
    reports = source.report_names
    for question in () if source.form is None else source.form.questions:
        if isinstance(question, PlainAnswers | ProtectedAnswers):
            reports += question.channel.reports
    for entry, report in codes.items():
        if report is not None and report not in reports:
            raise InputError(
                "--recode",
                got=f"{entry}={report}",
                allowed=f"ENTRY=REPORT, of {listed_names(reports)}; nothing for a blank",
                remedy=nearest(report, reports),
            )
    if not codes:
        return source.reading
    recode = {entry: report or "" for entry, report in codes.items()}
    return replace(source.reading, recode={**source.reading.recode, **recode})


def _refuse_entries(entries: Sequence[Any], source: ReportSource, location: str, name: str) -> None:
    """Make sure that all are reports, or blank; else name all that are not, at once."""
    reports = source.report_names
    if not {*entries} - {*reports, None, ""}:
        return
    odd = find_odd(entries, {*entries} - {*reports, None, ""}, range(1, len(entries) + 1))
    where = f"{name_of(location)}: column {name!r}, row {odd[0].row}"
    if not is_at_hand(location):
        paths, kind = files_at(location)
        where = first_row(paths, kind, name, odd[0].entry, source.reading) or where
        where = name_of(where)
    alike = [sentence for entry in odd if (sentence := find_look_alike(str(entry.entry), reports))]
    others = ", ".join(f"{entry.entry!r} ({entry.count:,})" for entry in odd[1:40])
    raise DocumentError(
        where,
        got=f"{odd[0].entry!r}, and others: {others}" if others else odd[0].entry,
        allowed=f"{listed_names(reports)}, or None for a blank",
        remedy="; ".join([*alike, f"--recode {_recode_flag(odd, reports)} says what they are"]),
        fault=Fault.NOT_A_REPORT,
    )


def _recode_flag(odd: Sequence[OddEntry], reports: Sequence[str]) -> str:
    """Write the flag that says what odd entries stand for, as far as they look like a report."""
    pairs = []
    for entry in odd[:10]:
        text = str(entry.entry)
        alike = next((report for report in reports if fold(report) == fold(text)), "REPORT")
        if re.search(r"[\s,=\"']", text):
            text = '"' + text.replace('"', '""') + '"'
        pairs.append(f"{text}={alike}")
    written = ",".join(pairs)
    return quote(written) if "'" in written else f"'{written}'"


@contextmanager
def _naming_entries(source: ReportSource, sample: SampleColumns) -> Iterator[None]:
    """Name all entries that are no reports, at once, where an engine has met one."""
    try:
        with _naming_flags(source, sample):
            yield
    except InputError as error:
        if error.fault is Fault.NOT_A_REPORT:
            column = sample.column or only_column(source, sample)
            read_columns(source, structs.replace(sample, by=(), collapse=()), [column])
        raise


@contextmanager
def _naming_flags(source: ReportSource, sample: SampleColumns) -> Iterator[None]:
    """Name in an error the flag by which the table could be read."""
    try:
        yield
    except (InputError, DocumentError) as error:
        where, remedy = error.where, error.remedy
        if sample.column is None and where == "tally.column":
            where, remedy = "--column", ""
        elif not sample.recode and error.fault is Fault.NOT_A_REPORT and "--recode" not in remedy:
            remedy = f'say what entries stand for: --recode "ENTRY={source.report_names[0]},…"'
        where = "--by" if where == "tally.by" else _place_in_table(where, source, sample)
        raise restate(error, where, type(error), remedy) from None


def _place_in_table(where: str, source: ReportSource, sample: SampleColumns) -> str:
    """Name the table and its column in place of an engine's argument."""
    if not where.startswith(_ENGINE):
        return where
    table = ", ".join(name for name in source.places if "://" not in name) or "REPORTS"
    rest = where.removeprefix(_ENGINE)
    column = f": column {sample.column!r}" if sample.column and not rest.startswith(":") else ""
    return f"{table}{column}{rest}"


_ENGINE = "tally.column"


def _read_counts_table(
    path: Path, source: ReportSource, sample: SampleColumns, named: Sequence[str]
) -> Columns:
    """Read a table of counts in TOML: ``yes = 310``."""
    if sample.others:
        raise InputError(
            "--by" if sample.by else "REPORTS",
            got=f"{path.name}, which has counts of reports alone",
            allowed="no columns beside such a table",
        )
    counts = read_toml(path, "counts in TOML: yes = 310")
    codes = {entry: name or None for entry, name in reading_of(source, sample).recode.items()}
    parts = counts.items() if has_group_tables(counts) else [("", counts)]
    names = {codes.get(name, name) for _, part in parts for name in part}
    _refuse_unknown_reports(path, source, names)
    rows: Columns = {
        _GROUP: [name for name, part in parts for _ in part],
        named[0] if named else "report": [
            codes.get(entry, entry) for _, part in parts for entry in part
        ],
        _COUNTS: [count for _, part in parts for count in part.values()],
    }
    return repeat_rows(rows, _COUNTS, str(path))


def _refuse_unknown_reports(path: Path, source: ReportSource, names: Set[str | None]) -> None:
    """Refuse counts of reports that the mechanism does not have."""
    known = source.report_names
    if unknown := sorted(name for name in names if name is not None and name not in known):
        raise InputError(
            str(path),
            got=", ".join(unknown),
            allowed=f"counts of {', '.join(known)}",
            remedy=f"--recode '{unknown[0]}={known[0]}' says what another name stands for",
        )


def group_of_counts(source: ReportSource) -> str | None:
    """The column of groups, where mechanisms of several are read from counts in TOML."""
    return _GROUP if source.groups and all(map(is_counts, source.places)) else None


def tallies_of(source: ReportSource, sample: SampleColumns) -> Tally | Mapping[Any, Tally]:
    """Tally the reports of a channel where they lie, or at hand if rows need decoding first."""
    assert source.channel is not None
    if source.groups:
        raise InputError(
            "--mechanism",
            got=f"{len(source.groups)} groups",
            allowed="one mechanism",
            remedy="compare, compliance, bounds and regress take several, with --group",
        )
    if sample.stages:
        refuse_tables(_list_tables(source))
    refuse_own(sample.column, sample.by)
    if not (sample.by or _list_tables(source)):
        _refuse_beside_counts(sample)
    is_local = any(map(is_at_hand, source.places))
    if sample.counts or sample.replicates or sample.collapse or is_local:
        column = sample.column or only_column(source, sample)
        columns = read_columns(source, sample, [column])
        with _naming_flags(source, sample):
            return tally_columns(source.channel, columns, columns[column], sample)
    reading = reading_of(source, sample)
    how: dict[str, Any] = {"column": sample.column, "reading": reading}
    how |= {"sampling": sample.sampling} if sample.stages else {"weights": sample.weights}
    if sample.by:
        how["by"] = list(sample.by)
    with _naming_entries(source, sample):
        tallies = [
            _read_groups(
                location,
                tally(
                    source.channel,
                    location,
                    **({} if is_written_counts(location) and not sample.by else how),
                ),
                sample,
                reading,
            )
            for location in refuse_repeated(source.places)
        ]
    return in_order(_add_tallies(tallies)) if sample.by else sum(tallies[1:], tallies[0])


def _list_tables(source: ReportSource) -> list[str]:
    """The places that hold no counts that were written."""
    return [location for location in source.places if not is_written_counts(location)]


def _refuse_beside_counts(sample: SampleColumns, others: Sequence[str] = ()) -> None:
    """Refuse options that name columns of written counts, which have no columns."""
    if excluded := [*(f"--{flag}" for flag in sample.flags), *map(name_of, others)]:
        raise InputError(
            ", ".join(excluded),
            got="counts that were written",
            allowed="nothing beside them: they are counted",
            remedy="count tables first" if others else "",
        )


def _read_groups(location: str, tallies: Any, sample: SampleColumns, reading: TableReading) -> Any:
    """Read the groups of a text, which an engine leaves as texts, as the cells of its columns."""
    paths, kind = files_at(location)
    if not isinstance(tallies, Mapping) or kind not in (*_TEXTS, Kind.LINES):
        return tallies
    groups = [group if isinstance(group, tuple) else (group,) for group in tallies]
    is_text = kind is Kind.TABLE
    form = decide_format(paths[0], reading) if is_text else format_of_texts(reading)
    read = zip(
        *(
            _read_group_cells(cells, name, reading, form)
            for name, cells in zip(sample.by, zip(*groups, strict=True), strict=True)
        ),
        strict=True,
    )
    named = (group if len(group) > 1 else group[0] for group in read)
    return dict(zip(named, tallies.values(), strict=True))


_TEXTS = (Kind.TABLE, Kind.RESULTS, Kind.WORKBOOK)


def _read_group_cells(
    cells: Sequence[Any], name: str, reading: TableReading, form: TextFormat
) -> Sequence[Any]:
    """Read the groups of a column of texts, or of texts and numbers, as JSON may hold them."""
    if str not in {*map(type, cells)}:
        return cells
    texts = [write_text(cell, form) for cell in cells]
    column = read_column(texts, name, reading, form, is_identifier=True)
    is_mixed = {*map(type, cells)} - {str, type(None)} and column.odd
    return cells if is_mixed and column.kind is ColumnKind.NAME else column.values


def only_column(source: ReportSource, sample: SampleColumns, *others: str | None) -> str:
    """The column of reports, where it is the only one left.

    Raises
    ------
    InputError
        With the columns of which it may be one.
    """
    location = source.places[0]
    if is_counts(location):
        return "report"
    other_names = {*sample.others, *others}
    candidates = [
        name
        for name in table_columns(_list_files(location)[0], reading=source.reading)
        if name not in other_names
    ]
    if len(candidates) != 1:
        raise InputError(
            "--column",
            got="no column",
            allowed=f"that of the reports: {', '.join(candidates[:20])}",
        )
    return candidates[0]


def _add_tallies(tallies: Sequence[Any]) -> Mapping[Any, Tally]:
    """Add up the tallies of each group."""
    sums: dict[Any, Tally] = {}
    for by_group in tallies:
        for group, counted in by_group.items():
            sums[group] = sums[group] + counted if group in sums else counted
    groups = (group if isinstance(group, tuple) else (group,) for group in sums)
    for cells in zip(*groups, strict=True):
        refuse_alike_kinds(cells, "--by")
    return sums


def tally_columns(
    channel: Channel, columns: Columns, reports: Sequence[Any], sample: SampleColumns
) -> Tally | Mapping[Any, Tally]:
    """Tally a column of a table at hand, by groups if some are asked for."""
    how: dict[str, Any] = {}
    if sample.stages and sample.sampling is not None:
        how["sampling"] = sample.sampling.of(columns)
    elif sample.weights:
        how["weights"] = column_of(columns, sample.weights, "--weights")
    if sample.by:
        how["by"] = groups_of(columns, sample.by)
    with _naming_weights(sample):
        counted: Tally | Mapping[Any, Tally] = tally(channel, reports, **how)
    return counted if isinstance(counted, Tally) else in_order(counted)


@contextmanager
def _naming_weights(sample: SampleColumns) -> Iterator[None]:
    """Name the column of weights in the place of an engine's argument."""
    try:
        yield
    except InputError as error:
        if not error.where.startswith("tally.weights"):
            raise
        raise restate(error, f"--weights: column {sample.weights!r}", InputError) from None


def in_order(groups: Mapping[Any, Tally]) -> Mapping[Any, Tally]:
    """Bring groups into their order, numbers by their size also where a file has them as texts."""
    return {group: groups[group] for group in sorted(groups, key=group_order)}


def refuse_reports(form: DeployedForm, by: Sequence[str]) -> None:
    """Refuse to group people by a protected answer, or by one that is kept apart."""
    refuse_protected(form.questions, by, "--by", "a group")
    refuse_kept_apart(form.form, by, "--by")


def is_written_counts(location: str) -> bool:
    """Say whether a place holds counts that were written.

    >>> is_written_counts("rows.csv")
    False
    """
    return location.lower().endswith(".json") and files_at(location)[1] is Kind.COUNTED
