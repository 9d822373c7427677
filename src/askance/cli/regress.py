"""From a form and its reports to what the true answers depend on."""

from pathlib import Path
from typing import Any

import click

from askance.cli.documents import FILE, echo_json
from askance.engines.count import report_rows
from askance.errors import InputError
from askance.inference.regression.answer_model import LINKS
from askance.inference.regression.covariates import sides
from askance.inference.regression.response_regression import ERRORS, response_regression
from askance.survey.analyse import protected, refuse_protected, respondents
from askance.survey.publish import deployed_at


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
