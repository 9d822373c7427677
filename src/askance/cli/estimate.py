"""From a form and its reports to counts, to estimates, and to what the true answers depend on.

`count` counts reports where they lie, and puts together what was counted in many places; `estimate`
says what was learnt of each question; `regress` what a protected answer depends on. The first two
also take a channel as JSON instead of a form.
"""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, TypeVar

import click

from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.cli.documents import FILE, echo_json, save
from askance.engines.count import Counts, count_reports, report_rows
from askance.engines.tallies import tally
from askance.errors import DocumentError, InputError
from askance.inference.design_columns import DesignColumns
from askance.inference.regression.answer_model import LINKS
from askance.inference.regression.formula import sides
from askance.inference.regression.response_regression import ERRORS, response_regression
from askance.inference.shares.estimate import estimate as estimate_shares
from askance.survey.analyse import analysed, protected, refuse_protected, respondents
from askance.survey.publish import deployed_at
from askance.wire.form import Form, read_form

_Command = TypeVar("_Command", bound=Callable[..., Any])

_REPORTS = click.argument("reports", nargs=-1, required=True)


def _columns(command: _Command) -> _Command:
    """Let a command name columns of a table, which goes with a channel."""
    for name, told in (
        ("--fpc", "The column of populations, or fractions; again for each stage."),
        ("--clusters", "The column of clusters; again for each stage."),
        ("--strata", "The column of strata; again for each stage."),
    ):
        command = click.option(name, multiple=True, help=f"With a channel. {told}")(command)
    for name, told in (
        ("--weights", "With a channel: the column of sampling weights."),
        ("--column", "With a channel: the column that holds the reports."),
    ):
        command = click.option(name, help=told)(command)
    return command


@click.command()
@click.argument("form", type=FILE)
@_REPORTS
@click.option("--out", type=FILE, required=True, help="Write the counts: a .json file.")
@_columns
def count(form: Path, reports: Sequence[str], out: Path, **columns: Any) -> None:
    """Count REPORTS under FORM, and write only counts.

    Each of REPORTS is a .db, .csv, .jsonl or .parquet file, postgresql://…, or counts that this
    verb wrote; all are added up. FORM may be a channel as JSON instead of a form; REPORTS then are
    tables with a column of its reports.
    """
    if out.suffix != ".json":
        raise InputError("--out", got=out.name, allowed="a file that ends in .json")
    channel = _channel_at(form)
    if channel is None:
        _refuse_columns(columns)
        published = read_form(form) if form.suffix == ".json" else deployed_at(form).form
        found = _counts_of(published, reports)
        told, received = found.to_dict(published), found.reports
    else:
        tallied = _tally_of(channel, reports, **columns)
        told, received = tallied.to_dict(), tallied.total
    save(out, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    click.echo(f"{received:,} report{'' if received == 1 else 's'}  {out}")


@click.command()
@click.argument("form", type=FILE)
@_REPORTS
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--page", type=FILE, help="Write the page.")
@_columns
def estimate(
    form: Path,
    reports: Sequence[str],
    level: float,
    as_json: bool,
    page: Path | None,
    **columns: Any,
) -> None:
    """Estimate from REPORTS under FORM.

    Each of REPORTS is a .db, .csv, .jsonl or .parquet file, postgresql://…, or counts that
    `askance count` wrote; all are added up. FORM may be a channel as JSON instead of a form;
    REPORTS then are tables with a column of its reports.
    """
    channel = _channel_at(form)
    if channel is not None:
        if page is not None:
            raise InputError("--page", got=page.name, allowed="nothing, beside a channel")
        told = estimate_shares(_tally_of(channel, reports, **columns), level)
        echo_json(told.to_dict()) if as_json else click.echo(str(told))
        return
    _refuse_columns(columns)
    deployed = deployed_at(form)
    named = " ".join(shlex.quote(_name(one)) for one in reports)
    analysis = analysed(
        deployed,
        _counts_of(deployed.form, reports),
        level=level,
        command=f"askance estimate {form.name} {named} --level {level:g}",
        data_fingerprint=_digests(reports),
    )
    if page is not None:
        from askance.present.analysis_page import render_analysis

        save(page, render_analysis(analysis))
    if as_json:
        echo_json(analysis.to_dict())
    else:
        from rich.console import Console

        from askance.present.terminal import estimate_table

        Console().print(estimate_table(analysis))


def _channel_at(path: Path) -> Channel | None:
    """Read a channel as JSON; None for a form or a survey file.

    >>> _channel_at(Path("examples/affairs.toml")) is None
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


def _counts_of(form: Form, reports: Sequence[str]) -> Counts:
    """Count the reports of every place, and add them up."""
    first, *more = (count_reports(place, form) for place in _different(reports))
    return sum(more, first)


def _tally_of(
    channel: Channel,
    reports: Sequence[str],
    *,
    column: str | None,
    weights: str | None,
    strata: tuple[str, ...],
    clusters: tuple[str, ...],
    fpc: tuple[str, ...],
) -> Tally:
    """Tally the reports of every place, and add them up; written tallies have no columns."""
    how: dict[str, Any] = {"column": column, "weights": weights}
    if strata or clusters or fpc:
        _refuse_tables([place for place in reports if not _counted(place)])
        design = DesignColumns(weights=weights, strata=strata, clusters=clusters, fpc=fpc)
        how = {"column": column, "design": design}
    found: list[Tally] = []
    for place in _different(reports):
        one = tally(channel, place, **({} if _counted(place) else how))
        assert isinstance(one, Tally)  # of a channel with a matrix
        found.append(one)
    return sum(found[1:], found[0])


def _counted(place: str) -> bool:
    """Say whether a place holds a tally that was written."""
    return place.lower().endswith(".json")


def _refuse_tables(tables: Sequence[str]) -> None:
    """Refuse several tables of one sample: tallied one by one, they would count as several."""
    if len(tables) > 1:
        raise InputError(
            "REPORTS",
            got=f"{len(tables)} tables of a complex sample",
            allowed="one table, or counts of samples that were drawn apart",
            remedy='name the files of one sample by a pattern, such as "sent/*.csv"; count others '
            "with askance count",
        )


def _different(reports: Sequence[str]) -> Sequence[str]:
    """Refuse a place that is named twice: its reports would count twice.

    Raises
    ------
    DocumentError
        With its name.
    """
    for at, place in enumerate(reports):
        if place in reports[:at]:
            raise DocumentError(place.rsplit("/", 1)[-1], got="twice", allowed="each place once")
    return reports


def _refuse_columns(columns: Mapping[str, Any]) -> None:
    """Refuse columns where there is a form, which says what they are called."""
    for name, given in columns.items():
        if given:
            raise InputError(f"--{name}", got=given, allowed="nothing, beside a form")


def _name(reports: str) -> str:
    """Name the reports without a folder, a user or a password."""
    return reports.rsplit("/", 1)[-1]


def _digests(reports: Sequence[str]) -> str:
    """The SHA-256 of the file; of several the SHA-256 of their digests, one after the other."""
    told = [_digest(one) for one in reports]
    if len(told) == 1 or not all(told):
        return told[0] if len(told) == 1 else ""
    return sha256("".join(told).encode("ascii")).hexdigest()


def _digest(reports: str) -> str:
    path = Path(reports)
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@click.command()
@click.argument("form", type=FILE)
@click.argument("reports")
@click.option("--formula", required=True, help='Such as "affair ~ marriage + C(age)".')
@click.option(
    "--covariates",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A CSV table with a column id: the ids of reports, as their respondents kept them.",
)
@click.option("--link", type=click.Choice(list(LINKS)), default="logit", show_default=True)
@click.option("--ordered", is_flag=True, help="The answers have an order, the form's.")
@click.option("--errors", type=click.Choice(ERRORS), default="observed", show_default=True)
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option("--effects", is_flag=True, help="Print average marginal effects too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--plot", type=FILE, help="Draw the coefficients: .svg, .png")
def regress(
    form: Path,
    reports: str,
    formula: str,
    covariates: Path | None,
    effects: bool,
    as_json: bool,
    plot: Path | None,
    **chosen: Any,
) -> None:
    """Regress a protected answer in REPORTS under FORM.

    REPORTS is a .db, .csv, .jsonl or .parquet file, or postgresql://…

    The covariates are questions that the same form asked plainly, other columns of a CSV table of
    reports, or a table of its own.
    """
    asked = deployed_at(form)
    name, covered, needed = sides(formula)
    question = protected(asked, name)
    refuse_protected(asked, needed)
    columns, without = respondents(asked, report_rows(reports, asked.form), covariates)
    fit = response_regression(name, covered, question.channel, data=columns, **chosen)
    if plot is not None:
        _draw(fit, plot)
    if without:
        click.echo(f"{without:,} reports have no row in {covariates}: left out", err=True)
    if as_json:
        echo_json({**fit.to_dict(), "formula": formula})
        return
    click.echo(repr(fit))
    if effects:
        click.echo(f"\n{fit.effects()!r}")


def _draw(fit: Any, path: Path) -> None:
    from matplotlib.figure import Figure

    from askance.present.figures import house_style

    with house_style():
        names = len(fit.names)
        figure = Figure(figsize=(6.4, 1.2 + 0.3 * names), layout="constrained")
        fit.plot(figure.add_subplot())
        try:
            figure.savefig(path)
        except (OSError, ValueError) as error:
            raise InputError(
                "--plot", got=str(path), allowed="a .svg, .png or .pdf file", remedy=str(error)
            ) from error
