"""From a table of a list experiment to the share for whom the sensitive item holds, and of whom."""

from collections.abc import Mapping
from typing import Any

import click

from askance.cli.documents import echo_json
from askance.cli.reports import Sample, sample_options
from askance.engines.tables import Columns, column_of, table_columns
from askance.errors import InputError
from askance.inference.list_experiments.item_count import item_count as difference_in_means
from askance.inference.list_experiments.item_count_least_squares import item_count_least_squares
from askance.inference.list_experiments.item_count_regression import item_count_regression
from askance.inference.list_experiments.item_tally import count_items
from askance.inference.regression.formula import sides, whole_rows
from askance.inference.sampling_design import AbstractDesign

_METHODS = {"ml": "", "nls": "logit", "lm": "identity"}
_MISREPORTS = ("none", "ceiling", "floor", "ceiling and floor", "top", "uniform")


@click.command("item-count")
@click.argument("table")
@click.option("--column", help="The column of counts, for a difference in means.")
@click.option("--formula", help='Instead: a regression, such as "items ~ age + C(region)".')
@click.option("--list", "seen", required=True, help="The column that says which list was seen.")
@click.option("--control", required=True, help="What it says of the list without the item.")
@click.option("--items", type=int, required=True, help="How many items that list has.")
@click.option(
    "--method",
    type=click.Choice(list(_METHODS)),
    help="Of a regression: maximum likelihood, nonlinear or linear least squares (ml).",
)
@click.option("--anchored", is_flag=True, help="Hold the mean share at the difference in means.")
@click.option("--unconstrained", is_flag=True, help="Other items depend on the sensitive one.")
@click.option("--overdispersed", is_flag=True, help="Other items go together.")
@click.option("--misreport", type=click.Choice(_MISREPORTS), default="none", show_default=True)
@click.option("--missing", type=click.Choice(["refuse", "drop"]), default="refuse")
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@sample_options
def item_count(
    table: str,
    column: str | None,
    formula: str | None,
    level: float,
    method: str | None,
    missing: str,
    as_json: bool,
    **told: Any,
) -> None:
    """Estimate from a list experiment in TABLE.

    For how many people does the sensitive item hold, and on what does it depend? TABLE is a .csv,
    .parquet, .jsonl, .sav or .dta file with a row for each person: how many items hold, and which
    list was seen.
    """
    if (column is None) == (formula is None):
        got = "both --column and --formula" if column else "neither --column nor --formula"
        raise InputError("item-count", got=got, allowed="one of them")
    lists = {name: told.pop(name) for name in ("seen", "control", "items")}
    model = {name: told.pop(name) for name in ("unconstrained", "overdispersed", "misreport")}
    anchored = told.pop("anchored")
    sample = Sample(**told)
    counts, right, needed = sides(formula) if formula else (str(column), "", ())
    columns = table_columns(table, {lists["seen"]}, apart=sample.apart)
    for name, where in ((counts, "--column"), (lists["seen"], "--list")):
        column_of(columns, name, where)
    data, design = _without_holes(columns, sample, [counts, lists["seen"], *needed], missing)
    asked = {"items": lists["items"], "control": lists["control"], "data": data, "design": design}
    if formula is None:
        _refuse_model({"method": method, "anchored": anchored, **model}, "without --formula")
        tallied = count_items(counts, lists["seen"], **asked)
        fit: Any = difference_in_means(tallied, level=level)
    elif method in ("nls", "lm"):
        _refuse_model(model, f"with --method {method}")
        asked |= {"link": _METHODS[method], "anchored": anchored, "level": level}
        fit = item_count_least_squares(counts, lists["seen"], right, **asked)
    else:
        _refuse_model({"anchored": anchored}, "with --method ml")
        asked |= {"constrained": not model.pop("unconstrained"), **model, "level": level}
        fit = item_count_regression(counts, lists["seen"], right, **asked)
    echo_json(fit.to_dict()) if as_json else click.echo(repr(fit))


def _refuse_model(model: Mapping[str, Any], where: str) -> None:
    """Refuse what only a likelihood has, or only a regression."""
    for name, given in model.items():
        if given not in (None, False, "none"):
            told = name if given is True else given
            raise InputError(f"--{name}", got=told, allowed=f"nothing, {where}")


def _without_holes(
    columns: Columns, sample: Sample, names: list[str], missing: str
) -> tuple[Columns, AbstractDesign | None]:
    """The rows that have everything, or all of a sample, in which the others are outside."""
    whole, lacking = whole_rows(columns, names)
    held = ", ".join(f"{name} {n:,}" for name, n in lacking.items())
    if lacking and (missing == "refuse" or not whole.any()):
        raise InputError(
            "TABLE",
            got=f"nothing in {held}",
            allowed="rows without holes",
            remedy="--missing drop leaves such rows out, and says how many",
        )
    if lacking:
        click.echo(f"{sum(~whole):,} of {len(whole):,} rows left out; nothing in {held}", err=True)
    if sample.drawn is None:
        return {
            name: [value for value, kept in zip(column, whole, strict=True) if kept]
            for name, column in columns.items()
        }, None
    drawn = sample.drawn.of(columns)
    if whole.all():
        return columns, drawn
    first = int(whole.argmax())
    filled = {  # what a row of weight 0 holds is not looked at
        name: [
            value if kept else columns[name][first]
            for value, kept in zip(columns[name], whole, strict=True)
        ]
        for name in names
    }
    return columns | filled, drawn.domain(whole)
