"""Options that several verbs share, and how what they learnt is printed: of all, or by groups."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar, cast, final
from warnings import catch_warnings, simplefilter

import click

from askance.cli.documents import echo_json
from askance.cli.seal import seal_options
from askance.engines.counts import Fieldwork
from askance.errors import AskanceError, InputError
from askance.inference.domains import group_json, group_name
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.replicate_weights import hear_replicates
from askance.present.result_table import (
    MethodsParagraph,
    ResultTable,
    in_latex,
    join_tables,
    named_rows,
    result_table,
)
from askance.results import in_lines, in_terminal
from askance.typing import Json

Command = TypeVar("Command", bound=Callable[..., Any])


def mechanism_options(command: Command) -> Command:
    """Let a command take mechanisms by their names instead of a form, or open sealed reports."""
    command = click.option(
        "--answers", help="With --mechanism: names with commas between (yes,no)."
    )(command)
    command = seal_options(command)
    return click.option(
        "--mechanism",
        multiple=True,
        help="Instead of FORM: NAME:KEY=VALUE,…, such as crosswise:harmless=1/4; of several "
        "groups GROUP=NAME:KEY=VALUE,… each.",
    )(command)


def sample_options(command: Command) -> Command:
    """Let a command name the columns that say how people were drawn.

    Who waits for fits to replicates sees how far they are.
    """
    command = click.option(
        "--replicates", help="Columns of replicate weights, by their kind: brr:rep*, jk1:rep*."
    )(command)
    for name, help_text in (
        ("--fpc", "The column of populations, or fractions; again for each stage."),
        ("--clusters", "The column of clusters; again for each stage."),
        ("--strata", "The column of strata; again for each stage."),
    ):
        command = click.option(name, multiple=True, help=help_text)(command)
    return click.option("--weights", help="The column of sampling weights.")(
        _show_progress(command)
    )


def _show_progress(command: Command) -> Command:
    """Show a bar on standard error where a command's replicates take long."""

    @wraps(command)
    def wrapped(*words: Any, **options: Any) -> Any:
        if options.get("replicates") is None:
            return command(*words, **options)
        from rich.console import Console

        bar = _ReplicateBar(Console(stderr=True))
        try:
            with hear_replicates(bar.hear):
                return command(*words, **options)
        finally:
            bar.progress.stop()

    return cast(Command, wrapped)


@final
class _ReplicateBar:
    """How many replicates are fitted, told in a terminal from two seconds on."""

    __slots__ = ("_begun", "_task", "progress")

    def __init__(self, console: Any) -> None:
        from rich.progress import Progress

        self.progress = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._task = self.progress.add_task("replicates fitted", total=None)
        self._begun = time.monotonic()

    def hear(self, fitted: int, total: int) -> None:
        """Count one more; the bar goes when the last one is fitted, for what is printed then."""
        if fitted == 1:
            self._begun = time.monotonic()
        self.progress.update(self._task, completed=fitted, total=total)
        if fitted == total:
            self.progress.stop()
        elif time.monotonic() - self._begun > _PATIENCE and not self.progress.live.is_started:
            self.progress.start()


_PATIENCE = 2.0  # seconds without a bar


def table_options(command: Command) -> Command:
    """Let a command say what the columns of a table are."""
    command = click.option(
        "--collapse",
        multiple=True,
        help="Take groups as one: other,woman, or COLUMN=other,woman; again for several.",
    )(command)
    command = click.option(
        "--by", multiple=True, help="Tell groups apart by this column; again for several."
    )(command)
    for name, help_text in (
        ("--recode", "What other entries stand for: 1=yes,2=no,9= (nothing: a blank)."),
        ("--counts", "The column that says how many people a row stands for."),
    ):
        command = click.option(name, help=help_text)(command)
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


def reports_options(command: Command) -> Command:
    """Let a command take reports, and say how they are read and how the result is written."""
    for option in (table_options, sample_options, mechanism_options, output_options):
        command = option(command)
    for decorate in (
        click.option("--column", help="The column that holds the reports, or the question."),
        click.option("--level", default=0.95, show_default=True, help="Of the intervals."),
        click.argument("words", nargs=-1, required=True, metavar="FORM REPORTS..."),
    ):
        command = decorate(command)
    return command


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
    _refuse_methods(how, methods=bool(paragraphs))
    click.echo(join_tables(tables, how))
    for paragraph in paragraphs:
        parts = [paragraph.text, "References", *paragraph.references]
        if how == "html":
            click.echo("".join(f"\n<p>{escape(part)}</p>" for part in parts))
        else:
            click.echo("\n" + "\n\n".join(map(in_latex, parts)))


def _refuse_methods(how: str, *, methods: bool) -> None:
    if methods and how == "csv":
        raise InputError("--methods", got="--format csv", allowed="table, json, latex or html")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How results are written.

    Attributes
    ----------
    form : str
        table, json, latex, html or csv.
    methods : bool
        Whether a methods paragraph is written too.
    """

    form: str
    methods: bool


def pop_output_options(options: dict[str, Any], by: Sequence[str], **alone: object) -> How:
    """Take from what was typed how results are written.

    Parameters
    ----------
    told : dict
        What was typed, by the names of `output_options`, which are taken out.
    by : sequence of str
        What groups are told apart by.
    **alone
        What is drawn or told of everybody alone, None or False where it is not asked for.

    Raises
    ------
    InputError
        If that, or a methods paragraph, is asked for beside groups.
    """
    form = chosen_format(options.pop("form_of"), as_json=options.pop("as_json"))
    methods = options.pop("with_methods")
    _refuse_methods(form, methods=methods)
    refuse_beside_groups(by, {"methods": methods, **alone})
    return How(form=form, methods=methods)


def refuse_beside_groups(by: Sequence[str], alone: Mapping[str, object]) -> None:
    """Refuse options for a single estimate where there is one for each group."""
    for name, value in alone.items():
        if by and value:
            raise InputError(
                f"--{name}",
                got="--by too",
                allowed="one estimate, of everybody",
                remedy="leave --by out, or give a table of one group's rows at a time",
            )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VerbResult:
    """What a verb learnt of some people.

    Attributes
    ----------
    json : mapping
        All of it.
    results : tuple of results
        In the order in which they are printed; a table of CSV holds the first.
    estimates : int
        How many of these, from the first on, methods are told of.
    notes : tuple of str
        What is said below them in a terminal.
    titles : tuple of str
        Whose each of them is, where they do not say it.
    """

    json: Json
    results: tuple[Any, ...]
    estimates: int = 1
    notes: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    def __str__(self) -> str:
        texts = (
            f"{title}: {in_terminal(result)}" if title else in_terminal(result)
            for title, result in self._titled()
        )
        return "\n\n".join([*texts, *filter(None, [in_lines(self.notes)])])

    def tables(self, form: str) -> list[ResultTable]:
        """Set them for a format that is pasted; those of one head are one table of CSV."""
        if form != "csv":
            return [result_table(result, title) for title, result in self._titled()]
        if not any(self.titles):
            return [result_table(self.results[0])]
        return [
            named_rows(result_table(result), {"answer": name}) for name, result in self._titled()
        ]

    def named(self, name: str) -> Iterator[tuple[str, Any]]:
        """The results that have a methods paragraph, each by its title, or else by a name."""
        for title, result in list(self._titled())[: self.estimates]:
            yield title or name, result

    def _titled(self) -> Iterator[tuple[str, Any]]:
        return zip_longest(self.titles, self.results, fillvalue="")


def echo_one_look(fieldwork: Fieldwork, form: str) -> None:
    """Print how intervals are meant while a survey is still open, on standard error.

    In JSON a value says it: nothing is printed then.
    """
    from askance.present.findings import explain_open_survey

    if form != "json" and (note := explain_open_survey(fieldwork)):
        click.echo(in_lines([note]), err=True)


def fieldwork_json(fieldwork: Fieldwork) -> Json:
    """Whether reports still come in, where that is known.

    >>> fieldwork_json(Fieldwork.OPEN), fieldwork_json(Fieldwork.UNKNOWN)
    ({'fieldwork': 'open'}, {})
    """
    return {} if fieldwork is Fieldwork.UNKNOWN else {"fieldwork": fieldwork.value}


def echo_misfit(results: Mapping[str, Any]) -> None:
    """Print the results whose reports do not fit, on standard error."""
    fits = {name: getattr(result, "goodness_of_fit", None) for name, result in results.items()}
    odd = [
        f"{name} ({fit.worst.contrast}, p {fit.p_value:.2g})"
        for name, fit in fits.items()
        if isinstance(fit, GoodnessOfFit) and fit.doubted and fit.worst is not None
    ]
    if odd:
        click.echo(f"reports do not fit: {', '.join(odd)}", err=True)


Outcome = tuple[tuple[Any, ...], int, VerbResult | AskanceError | str]
"""A group of people, how many they are, and what was learnt, why it was refused, or withheld."""


def echo_results(
    outcomes: Sequence[Outcome],
    how: How,
    by: Sequence[str],
    write: Callable[[Any], MethodsParagraph],
    fieldwork: Fieldwork = Fieldwork.UNKNOWN,
) -> None:
    """Print what was learnt of everybody, with its methods, or of each group.

    And of a survey that is still open that its intervals are for one look.
    """
    refuse_all_failed(outcomes)
    echo_one_look(fieldwork, how.form)
    if by:
        echo_groups(by, outcomes, how.form, more=fieldwork_json(fieldwork))
        return
    ((_, n, result),) = outcomes
    if not isinstance(result, VerbResult):
        raise InputError("REPORTS", got=f"{n:,} report{'s' * (n != 1)}", allowed=str(result))
    paragraphs = (
        [write(estimate) for estimate in result.results[: result.estimates]] if how.methods else []
    )
    if how.form == "json":
        written = [paragraph.to_dict() for paragraph in paragraphs]
        methods = {"methods": written if result.estimates > 1 else written[0]} if paragraphs else {}
        echo_json({**result.json, **fieldwork_json(fieldwork), **methods})
    elif how.form == "table":
        click.echo("\n\n".join(map(str, [result, *paragraphs])))
    else:
        echo_tables(result.tables(how.form), how.form, paragraphs)
        echo_misfit(dict(result.named("REPORTS")))


def refuse_all_failed(outcomes: Sequence[Outcome]) -> None:
    """Raise the first error if there is an error for every group."""
    results = [result for _, _, result in outcomes]
    if all(isinstance(result, AskanceError) for result in results):
        raise next(result for result in results if isinstance(result, AskanceError))


def echo_groups(
    by: Sequence[str],
    outcomes: Sequence[Outcome],
    form: str,
    *,
    keys: tuple[str, str] = ("reports", "estimate"),
    more: Json | None = None,
) -> None:
    """Print the result of each group, or the reason why it is withheld or not estimated.

    Parameters
    ----------
    by : sequence of str
    outcomes : sequence of Outcome
    form : str
    keys : (str, str)
        What its size and its result are called in the JSON.
    more : mapping, optional
        What else the JSON holds.
    """
    named = [dict(zip(by, map(group_name, group), strict=True)) for group, _, _ in outcomes]
    if form == "json":
        documents = [_group_json(by, outcome, keys) for outcome in outcomes]
        echo_json({"by": list(by), "groups": documents, **(more or {})})
        return
    if form == "table":
        for names, (_, _, result) in zip(named, outcomes, strict=True):
            click.echo(_title(names))
            click.echo(
                f"{result if isinstance(result, VerbResult) else f'not estimated: {result}'}\n"
            )
    else:
        echo_tables(_tables(named, outcomes, form), form)
        titled_results = [
            (_title(of), result) for of, (*_, result) in zip(named, outcomes, strict=True)
        ]
        learnt = [
            (title, result) for title, result in titled_results if isinstance(result, VerbResult)
        ]
        echo_misfit(
            dict(named_result for title, result in learnt for named_result in result.named(title))
        )
    if all(isinstance(result, str) for _, _, result in outcomes):
        click.echo("nothing is left to show: every group is withheld", err=form != "table")


def _title(names: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in names.items())


def _tables(
    named: Sequence[Mapping[str, str]], outcomes: Sequence[Outcome], form: str
) -> list[ResultTable]:
    tables = []
    for names, (_, _, result) in zip(named, outcomes, strict=True):
        if not isinstance(result, VerbResult):
            click.echo(f"{_title(names)}: not estimated: {result}", err=True)
            continue
        for table in result.tables(form):
            titled = replace(table, title=f"{_title(names)}: {table.title}")
            tables.append(named_rows(table, names) if form == "csv" else titled)
    return tables


def _group_json(by: Sequence[str], outcome: Outcome, keys: tuple[str, str]) -> Json:
    group, n, result = outcome
    size_key, result_key = keys
    written: Json = {"group": group_json(by, group), size_key: n}
    if isinstance(result, VerbResult):
        return {**written, result_key: result.json}
    return {**written, result_key: None, "refused": str(result)}


def draw(result: Any, path: Path, rows: int) -> None:
    """Draw a result that has a plot, high enough for so many rows.

    Raises
    ------
    InputError
        If the file cannot be written, or is of no kind that is drawn.
    """
    from matplotlib.figure import Figure

    from askance.present.figures import house_style

    with house_style():
        figure = Figure(figsize=(6.4, 1.2 + 0.3 * rows), layout="constrained")
        result.plot(figure.add_subplot())
        try:
            with catch_warnings(record=True) as warned:
                simplefilter("always")
                figure.savefig(path)
        except (OSError, ValueError) as error:
            raise InputError(
                "--plot", got=str(path), allowed="a .svg, .png or .pdf file", remedy=str(error)
            ) from error
    if path.suffix != ".svg" and any("Glyph" in str(warning.message) for warning in warned):
        click.echo(
            "--plot: no font here has all signs; in .svg whoever opens it has theirs", err=True
        )
