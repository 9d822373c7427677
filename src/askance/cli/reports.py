"""The reports a verb is given: their channel, their columns, and how people were drawn."""

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, TypeVar, final

import click

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.tally import Tally
from askance.cli.typed import apart, named, unquoted
from askance.engines.count import columns_of_reports
from askance.engines.sources import Kind, files_at
from askance.engines.tables import Columns, column_of, read_cells, repeated, table_columns
from askance.engines.tallies import tally
from askance.errors import DocumentError, InputError, nearest
from askance.inference.design_columns import DesignColumns
from askance.mechanisms.catalogue import ANSWERS, answer_mechanism
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.result_table import MethodsParagraph, ResultTable, in_latex, joined
from askance.survey.publish import DeployedForm, deployed_at
from askance.survey.respondents import refuse_protected, respondents

Command = TypeVar("Command", bound=Callable[..., Any])

_COUNTS = "reports"  # what the column of counts of a table in TOML is called


def design_options(command: Command) -> Command:
    """Let a command take designs by their names in the place of a form."""
    command = click.option("--answers", help="With --design: names with commas between (yes,no).")(
        command
    )
    return click.option(
        "--design",
        multiple=True,
        help="Instead of FORM: NAME:KEY=VALUE,…, such as crosswise:harmless=1/4; of several "
        "groups GROUP=NAME:KEY=VALUE,… each.",
    )(command)


def sample_options(command: Command) -> Command:
    """Let a command name the columns that say how people were drawn."""
    for name, told in (
        ("--fpc", "The column of populations, or fractions; again for each stage."),
        ("--clusters", "The column of clusters; again for each stage."),
        ("--strata", "The column of strata; again for each stage."),
    ):
        command = click.option(name, multiple=True, help=told)(command)
    return click.option("--weights", help="The column of sampling weights.")(command)


def table_options(command: Command) -> Command:
    """Let a command say what the columns of a table are."""
    command = click.option(
        "--by", multiple=True, help="Tell groups apart by this column; again for several."
    )(command)
    for name, told in (
        ("--codes", "What other entries stand for: 1=yes,2=no,9= (nothing: a blank)."),
        ("--counts", "The column that says how many people a row stands for."),
    ):
        command = click.option(name, help=told)(command)
    return command


def output_options(command: Command) -> Command:
    """Let a command say how results are written."""
    command = click.option(
        "--methods", "with_methods", is_flag=True, help="Write a methods paragraph to paste, too."
    )(command)
    command = click.option(
        "--format",
        "form_of",
        type=click.Choice(["table", "json", "latex", "html", "csv"]),
        help="How to write the result.  [default: table]",
    )(command)
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def chosen_format(form_of: str | None, *, as_json: bool) -> str:
    """Say how to write the result.

    Raises
    ------
    InputError
        If two ways are asked for.

    >>> chosen_format(None, as_json=True)
    'json'
    """
    if as_json and form_of not in (None, "json"):
        raise InputError("--format", got=f"{form_of}, with --json", allowed="one of them")
    return "json" if as_json else form_of or "table"


def echo_tables(
    tables: Sequence[ResultTable], how: str, paragraphs: Sequence[MethodsParagraph] = ()
) -> None:
    """Print tables in a format that is pasted, and what is to be said of them."""
    if paragraphs and how == "csv":
        raise InputError("--methods", got="--format csv", allowed="table, json, latex or html")
    click.echo(joined(tables, how))
    for one in paragraphs:
        told = [one.text, "References", *one.references]
        if how == "html":
            click.echo("".join(f"\n<p>{escape(part)}</p>" for part in told))
        else:
            click.echo("\n" + "\n\n".join(map(in_latex, told)))


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
    name : str
        How it was named.
    places : tuple of str
    """

    form: DeployedForm | None
    channel: Channel | None
    recipe: AbstractMechanism | None = None
    groups: Mapping[str, Channel] = field(default_factory=dict)
    name: str
    places: tuple[str, ...]

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channel of each group, or of everybody, without a name; none beside a form."""
        return self.groups or ({} if self.channel is None else {"": self.channel})


def asked_by(words: Sequence[str], design: Sequence[str], answers: str | None) -> Asked:
    """Read what a verb was given: FORM REPORTS…, or REPORTS… with designs by their names.

    Raises
    ------
    InputError
        If no reports are left, or a design cannot be read.
    """
    if design:
        pairs = [_GROUP.fullmatch(one) for one in design]
        if len(design) == 1 and pairs[0] is None:
            recipe, typed = designed(design[0], answers)
            return Asked(
                form=None, channel=typed, recipe=recipe, name=design[0], places=tuple(words)
            )
        return _in_groups(words, design, [one.groups() if one else None for one in pairs], answers)
    if answers is not None:
        raise InputError("--answers", got=answers, allowed="nothing, without --design")
    form, *places = words
    if not places:
        raise click.UsageError("Missing argument 'REPORTS...'.")
    channel = channel_at(Path(form))
    return Asked(
        form=deployed_at(Path(form)) if channel is None else None,
        channel=channel,
        name=Path(form).name,
        places=tuple(places),
    )


_GROUP = re.compile(r"\s*([^:=]*[^:=\s])\s*=\s*(.+)", re.DOTALL)


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
        groups[pair[0]] = designed(pair[1], answers)[1]
    return Asked(
        form=None,
        channel=next(iter(groups.values())),
        groups=groups,
        name=" ".join(design),
        places=tuple(words),
    )


def channel_at(path: Path) -> Channel | None:
    """Read a channel as JSON; None for a form or a survey file.

    >>> channel_at(Path("examples/affairs.toml")) is None
    True
    """
    if path.suffix != ".json" or not path.is_file():
        return None
    try:
        written = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None  # whoever reads it as a form says what is wrong
    if not isinstance(written, dict) or "matrix" not in written:
        return None
    return Channel.from_dict(written)


def designed(written: str, answers: str | None = None) -> tuple[AbstractMechanism, Channel]:
    """Read a design as it is typed, with the names and numbers of a survey file.

    Raises
    ------
    InputError
        If it is no such design, or a number is out of its range.

    >>> designed("forced:yes=1/6,no=1/6")[1].matrix.round(4).tolist()
    [[0.8333, 0.1667], [0.1667, 0.8333]]
    >>> designed("crosswise:harmless=1/4")[1].reports
    ('both or neither', 'just one')
    """
    names = [one.strip() for one in ("yes,no" if answers is None else answers).split(",")]
    name, numbers = named(written, "--design")
    name = name.replace("-", "_")
    if name not in ANSWERS:
        raise InputError(
            "--design",
            got=name,
            allowed=", ".join(ANSWERS),
            remedy=nearest(name, tuple(ANSWERS)) or "such as crosswise:harmless=1/4",
        )
    if name == "forced" and set(numbers) & set(names):  # of whom each is told to say what
        numbers = {"forced": numbers}
    try:
        recipe = answer_mechanism(name, numbers, Frame(names))
        return recipe, recipe.channel(Frame(names))
    except InputError as error:
        raise InputError(
            f"--design {name}: {error.where}",
            got=error.got,
            allowed=error.allowed,
            remedy=error.remedy,
        ) from None


_QUOTED = r'\s*"(?:[^"]|"")*"\s*'
_CODE = re.compile(rf'({_QUOTED}|\s*(?:[^="\s][^=]*)?)=({_QUOTED}|\s*(?:[^"\s].*)?)', re.DOTALL)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a verb was told of the columns of a table.

    Attributes
    ----------
    column : str or None
        That of the reports.
    weights, counts, codes : str or None
    strata, clusters, fpc, by : tuple of str
    """

    column: str | None = None
    weights: str | None = None
    strata: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    fpc: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    counts: str | None = None
    codes: str | None = None

    @property
    def told(self) -> dict[str, Any]:
        """What was given, by the name of its flag."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}

    @property
    def drawn(self) -> DesignColumns | None:
        """How people were drawn; None if like lots from an urn."""
        if self.weights is None and not self.stages:
            return None
        return DesignColumns(
            weights=self.weights, strata=self.strata, clusters=self.clusters, fpc=self.fpc
        )

    @property
    def stages(self) -> bool:
        """Whether more than weights says how they were drawn."""
        return bool(self.strata or self.clusters or self.fpc)

    @property
    def others(self) -> tuple[str, ...]:
        """All columns but that of the reports."""
        single = [one for one in (self.weights, self.counts) if one]
        return (*single, *self.strata, *self.clusters, *self.fpc, *self.by)

    @property
    def apart(self) -> tuple[str, ...]:
        """The columns whose values tell people apart."""
        return (*self.strata, *self.clusters, *self.by)

    def read_codes(self) -> dict[str, str | None]:
        """What entries stand for that are no reports.

        >>> Sample(codes="1=yes,9=").read_codes()
        {'1': 'yes', '9': None}
        >>> Sample(codes='"Yes, once"=yes, "a=b"="no"').read_codes()
        {'Yes, once': 'yes', 'a=b': 'no'}
        """
        told: dict[str, str | None] = {}
        for part in apart(self.codes) if self.codes else ():
            pair = _CODE.fullmatch(part)
            entry, report = (unquoted(one.strip()) for one in pair.groups()) if pair else ("", "")
            if pair is None or entry in told:
                raise InputError(
                    "--codes",
                    got=part,
                    allowed="ENTRY=REPORT with commas between, each once",
                    remedy="quotes go round an entry with a comma or an equals sign",
                )
            told[entry] = report or None
        return told


def columns_at(asked: Asked, sample: Sample, named: Sequence[str]) -> Columns:
    """Read the reports of all places as columns, a row for each person.

    Raises
    ------
    DocumentError
        If a place cannot be read, or has other columns than the first.
    """
    if sample.stages and asked.form is not None:
        _refuse_tables(asked.places, "put the rows of one sample into one table")
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
    return {name: [value for one in found for value in one[name]] for name in first}


def _files(place: str) -> list[str]:
    """List the tables at a place, which may be a folder or a pattern."""
    return [place] if _is_counts(place) else [str(one) for one in files_at(place)[0]]


def _of_form(asked: Asked, sample: Sample, place: str, _: Sequence[str]) -> Columns:
    assert asked.form is not None
    if sample.codes:
        raise InputError("--codes", got=sample.codes, allowed="nothing, beside a form")
    values, beside = columns_of_reports(place, asked.form.form)
    columns = respondents(asked.form.questions, values, beside, apart=sample.apart)[0]
    columns = {**values, **columns}  # of ranges, their ticks
    return repeated(columns, sample.counts) if sample.counts else columns


def _of_table(asked: Asked, sample: Sample, place: str, named: Sequence[str]) -> Columns:
    if _is_counts(place):
        return _counted(Path(place), asked, sample, named)
    codes = _codes_of(asked, sample)
    kept = {*codes, *_reports_of(asked)}
    columns = table_columns(place, named, apart=sample.apart, kept=kept)
    if sample.counts:
        columns = repeated(columns, sample.counts)
    for name in named:
        held = column_of(columns, name, "--column")
        columns[name] = [_decoded(one, codes) for one in held] if codes else held
        with _by_flags(asked, sample):
            _refuse_entries(columns[name], asked, f"{name_of(place)}: column {name!r}")
    return columns


def _refuse_entries(entries: Sequence[Any], asked: Asked, where: str) -> None:
    """Make sure that all are reports, or blank."""
    reports = _reports_of(asked)
    known = {*reports, None, ""}
    for row, entry in enumerate(entries, start=1):
        if entry not in known:
            raise DocumentError(
                f"{where}, row {row}",
                got=entry,
                allowed=f"{', '.join(reports)}, or None for a blank",
            )


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
                allowed=f"ENTRY=REPORT, of {', '.join(reports)}; nothing for a blank",
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


def _decoded(entry: Any, codes: Mapping[str, str | None]) -> Any:
    """What an entry stands for; 1.0, as Parquet has a 1 beside blanks, is 1.

    >>> _decoded(1, {"1": "yes"}), _decoded("1.0", {"1": "yes"}), _decoded("no", {"1": "yes"})
    ('yes', 'yes', 'no')
    """
    if entry is None:
        return None
    told = entry if isinstance(entry, str) else json.dumps(entry)
    short = told.removesuffix(".0")
    plain = short if short.lstrip("-").isdecimal() else told
    return codes.get(told, codes.get(plain, entry))


def _is_counts(place: str) -> bool:
    """Say whether a place is a table of counts in TOML."""
    return place.lower().endswith(".toml")


def _counted(path: Path, asked: Asked, sample: Sample, named: Sequence[str]) -> Columns:
    """Read a table of counts in TOML: ``yes = 310``."""
    if sample.others:
        raise InputError(
            "--by" if sample.by else "REPORTS",
            got=f"{path.name}, which has counts of reports alone",
            allowed="no columns beside such a table",
        )
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DocumentError(
            str(path), got=str(error), allowed="counts in TOML: yes = 310"
        ) from error
    codes = _codes_of(asked, sample)
    name = named[0] if named else "report"
    rows: Columns = {
        name: [codes.get(one, one) for one in told],
        _COUNTS: list(told.values()),
    }
    return repeated(rows, _COUNTS, str(path))


def tallies_of(asked: Asked, sample: Sample) -> Tally | Mapping[Any, Tally]:
    """Tally the reports of a channel: where they lie, unless a row has first to be read anew."""
    assert asked.channel is not None
    if asked.groups:
        raise InputError(
            "--design",
            got=f"{len(asked.groups)} groups",
            allowed="one design",
            remedy='regress takes designs of groups, with --group: --formula "said ~ 1"',
        )
    if sample.stages:
        _refuse_tables([place for place in asked.places if not _written(place)])
    refuse_own(sample.column, sample.by)
    if sample.told and not sample.by and all(map(_written, asked.places)):
        raise InputError(
            ", ".join(f"--{one}" for one in sample.told),
            got="counts that were written",
            allowed="nothing beside them: they are counted",
        )
    if sample.counts or sample.codes or any(map(_is_counts, asked.places)):
        column = sample.column or _only(asked, sample)
        return tally_columns(asked.channel, columns_at(asked, sample, [column]), column, sample)
    how: dict[str, Any] = {"column": sample.column, "weights": sample.weights}
    if sample.stages:
        how = {"column": sample.column, "design": sample.drawn}
    if sample.by:
        how["by"] = list(sample.by)
    with _by_flags(asked, sample):
        found = [
            _read_groups(
                place,
                tally(asked.channel, place, **({} if _written(place) and not sample.by else how)),
            )
            for place in different(asked.places)
        ]
    return in_order(_together(found)) if sample.by else sum(found[1:], found[0])


def _read_groups(place: str, told: Any) -> Any:
    """Read the groups of a text, which an engine leaves as texts, as the cells of its columns."""
    if not isinstance(told, Mapping) or files_at(place)[1] is not Kind.TABLE:
        return told
    groups = [one if isinstance(one, tuple) else (one,) for one in told]
    cells = (["" if one is None else one for one in column] for column in zip(*groups, strict=True))
    read = zip(*(read_cells(column, apart=True) for column in cells), strict=True)
    named = (one if len(one) > 1 else one[0] for one in read)
    return dict(zip(named, told.values(), strict=True))


def _only(asked: Asked, sample: Sample) -> str:
    """The column of reports, where it is the only one left."""
    place = asked.places[0]
    if _is_counts(place):
        return "report"
    left = [name for name in table_columns(_files(place)[0]) if name not in sample.others]
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
    channel: Channel, columns: Columns, column: str, sample: Sample
) -> Tally | Mapping[Any, Tally]:
    """Tally a column at hand, by groups if some are asked for."""
    reports = column_of(columns, column, "--column")
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


def group_order(group: Any) -> list[tuple[int, float, str]]:
    """Say where a group comes: numbers first, then names, what is missing last.

    >>> sorted(["b", "10", None, "9", 2.5], key=group_order)
    [2.5, '9', '10', 'b', None]
    """
    return [_order(one) for one in (group if isinstance(group, tuple) else (group,))]


def _order(value: Any) -> tuple[int, float, str]:
    if value is None:
        return 2, 0.0, ""
    with suppress(TypeError, ValueError):
        if math.isfinite(number := float(value)):
            return 0, number, str(value)
    return 1, 0.0, str(value)


def groups_of(columns: Columns, by: Sequence[str]) -> list[Any]:
    """Say of each row which group it belongs to: a value, or a tuple of several columns' values.

    >>> groups_of({"a": [1, 2], "b": ["x", "y"]}, ["a", "b"])
    [(1, 'x'), (2, 'y')]
    """
    held = [column_of(columns, name, "--by") for name in by]
    return held[0] if len(held) == 1 else list(zip(*held, strict=True))


def refuse_reports(asked: DeployedForm, by: Sequence[str]) -> None:
    """Make sure that no group is told by what was protected."""
    refuse_protected(asked.questions, by, "--by", "a group")


def refuse_own(column: str | None, names: Sequence[str], where: str = "--by") -> None:
    """Make sure that reports are not told apart by themselves.

    Raises
    ------
    InputError
        If the column of reports is among the names.
    """
    if column is not None and column in names:
        raise InputError(
            where,
            got=f"{column}, the column of reports",
            allowed="other columns",
            remedy="reports would be compared with themselves",
        )


def _written(place: str) -> bool:
    """Say whether a place holds a tally that was written."""
    return place.lower().endswith(".json")


_ONE_PATTERN = (
    'name the files of one sample by a pattern, such as "sent/*.csv"; count others with '
    "askance count"
)


def _refuse_tables(tables: Sequence[str], remedy: str = _ONE_PATTERN) -> None:
    """Refuse several tables of a sample: clusters of one name may be one, or one in each."""
    if len(tables) > 1:
        raise InputError(
            "REPORTS",
            got=f"{len(tables)} tables of a complex sample",
            allowed="one table, or counts of samples that were drawn apart",
            remedy=remedy,
        )


def different(reports: Sequence[str]) -> Sequence[str]:
    """Refuse a place that is named twice: its reports would count twice.

    Raises
    ------
    DocumentError
        With its name.
    """
    for at, place in enumerate(reports):
        if place in reports[:at]:
            raise DocumentError(name_of(place), got="twice", allowed="each place once")
    return reports


def name_of(reports: str) -> str:
    """Name the reports without a folder, a host, a user or a password.

    >>> name_of("postgresql://ann:secret@host/club?password=secret"), name_of("a/sent.csv")
    ('club', 'sent.csv')
    >>> name_of("postgresql://ann:secret@host")
    'postgresql'
    """
    if "://" not in reports:
        return reports.rsplit("/", 1)[-1]
    kind, _, rest = reports.partition("://")
    return rest.partition("?")[0].partition("#")[0].partition("/")[2] or kind
