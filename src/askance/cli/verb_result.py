"""How verbs print what they learnt: of everybody, or of each group."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal, final
from warnings import catch_warnings, simplefilter

import click
import msgspec

from askance.engines.counts import Fieldwork
from askance.inference.domains import group_json, group_name
from askance.inference.fit_result import GoodnessOfFit
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
from askance_collect.cli.documents import echo_json
from askance_collect.cli.request_options import Arg
from askance_collect.errors import AskanceError, InputError


@final
class OutputOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a result is written.

    Attributes
    ----------
    as_json : bool
        Print JSON, as `--format json` does.
    format : str, optional
        How to write the result; `csv` has every digit.  [default: table]
    methods : bool
        Write a methods paragraph to paste, with its references.
    """

    as_json: Annotated[bool, Arg(flag="--json")] = msgspec.field(default=False, name="json")
    format: Literal["table", "json", "latex", "html", "csv"] | None = None
    methods: bool = False

    def __post_init__(self) -> None:
        if self.as_json and self.format not in (None, "json"):
            raise InputError("--format", got=f"{self.format}, with --json", allowed="one of them")
        if self.methods and self.format == "csv":
            raise InputError("--methods", got="--format csv", allowed="table, json, latex or html")

    @property
    def form(self) -> str:
        """The format that was asked for, or a table."""
        return "json" if self.as_json else self.format or "table"


def echo_tables(
    tables: Sequence[ResultTable], how: str, paragraphs: Sequence[MethodsParagraph] = ()
) -> None:
    """Print tables in a format that is pasted, and what is to be said of them."""
    click.echo(join_tables(tables, how))
    for paragraph in paragraphs:
        parts = [paragraph.text, "References", *paragraph.references]
        if how == "html":
            click.echo("".join(f"\n<p>{escape(part)}</p>" for part in parts))
        else:
            click.echo("\n" + "\n\n".join(map(in_latex, parts)))


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
    """The results of a verb for one group of people, in every format.

    Attributes
    ----------
    json : mapping
        The whole result.
    results : tuple of results
        In the order in which they are printed; a table of CSV holds the first.
    estimates : int
        How many of these, from the first on, have a methods paragraph.
    notes : tuple of str
        What is said below them in a terminal.
    titles : tuple of str
        The title of each result that has none of its own.
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
        """Tables of the results for a format; in CSV results with equal columns are one table."""
        if form != "csv":
            return [result_table(result, title) for title, result in self._titled()]
        if not any(self.titles):
            return [result_table(self.results[0])]
        return [
            named_rows(result_table(result), {"answer": name}) for name, result in self._titled()
        ]

    def named(self, name: str) -> Iterator[tuple[str, Any]]:
        """Pairs of title and result, for the results that have a methods paragraph."""
        for title, result in list(self._titled())[: self.estimates]:
            yield title or name, result

    def _titled(self) -> Iterator[tuple[str, Any]]:
        return zip_longest(self.titles, self.results, fillvalue="")


def single_result(result: Any) -> VerbResult:
    """Make of one result what a verb learnt."""
    return VerbResult(json=result.to_dict(), results=(result,))


def echo_one_look(fieldwork: Fieldwork, form: str) -> None:
    """Warn on standard error that intervals are for one look, while a survey is open.

    In JSON a value says it: nothing is printed then.
    """
    if form == "json" or fieldwork is not Fieldwork.OPEN:
        return
    from askance.present.findings import explain_open_survey

    click.echo(in_lines([explain_open_survey(fieldwork)]), err=True)


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
    output: OutputOptions,
    by: Sequence[str],
    write: Callable[[Any], MethodsParagraph],
    fieldwork: Fieldwork = Fieldwork.UNKNOWN,
) -> None:
    """Print what was learnt of everybody, with its methods, or of each group.

    And of a survey that is still open that its intervals are for one look.
    """
    refuse_all_failed(outcomes)
    echo_one_look(fieldwork, output.form)
    if by:
        echo_groups(by, outcomes, output.form, more=fieldwork_json(fieldwork))
        return
    ((_, n, result),) = outcomes
    if not isinstance(result, VerbResult):
        raise InputError("REPORTS", got=f"{n:,} report{'s' * (n != 1)}", allowed=str(result))
    described = result.results[: result.estimates] if output.methods else ()
    paragraphs = list(map(write, described))
    if output.form == "json":
        written = [paragraph.to_dict() for paragraph in paragraphs]
        methods = {"methods": written if result.estimates > 1 else written[0]} if paragraphs else {}
        echo_json({**result.json, **fieldwork_json(fieldwork), **methods})
    elif output.form == "table":
        click.echo("\n\n".join(map(str, [result, *paragraphs])))
    else:
        echo_tables(result.tables(output.form), output.form, paragraphs)
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


def draw(result: Any, path: Path) -> None:
    """Draw a result that has a plot, as high as its rows need.

    Raises
    ------
    InputError
        If the file cannot be written, or is of no kind that is drawn.
    """
    from askance.chart import figure_of
    from askance.present.figures import house_style, save_figure

    with house_style(), catch_warnings(record=True) as warned:
        simplefilter("always")
        try:
            save_figure(figure_of(result._chart()), path)
        except InputError as error:
            allowed = "a .svg, .png or .pdf file"
            raise InputError(
                "--plot", got=str(path), allowed=allowed, remedy=error.remedy
            ) from error
    is_missed = any(issubclass(warning.category, UnicodeWarning) for warning in warned)
    if path.suffix != ".svg" and is_missed:
        click.echo(
            "--plot: no installed font has all characters; an .svg file uses its reader's fonts",
            err=True,
        )
