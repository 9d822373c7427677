"""From a table of a list experiment to the share for whom the sensitive item holds, and of whom."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import click
import numpy as np

from askance.cli.options import (
    Learnt,
    Outcome,
    echo_groups,
    echo_learnt,
    output_options,
    refuse_nothing,
    sample_options,
    told_how,
)
from askance.cli.sample import Sample, group_order, groups_of, refuse_own
from askance.engines.tables import Columns, column_of, table_columns
from askance.errors import AskanceError, InputError
from askance.inference.list_experiments.item_count import item_count as difference_in_means
from askance.inference.list_experiments.item_count_least_squares import item_count_least_squares
from askance.inference.list_experiments.item_count_outcome import item_count_outcome
from askance.inference.list_experiments.item_count_regression import item_count_regression
from askance.inference.list_experiments.item_tally import count_items
from askance.inference.regression.formula import complete_rows, sides
from askance.inference.regression.outcome_law import ERRORS, FAMILIES
from askance.inference.sampling_design import AbstractDesign
from askance.present.methods import methods_paragraph
from askance.present.result_table import MethodsParagraph
from askance.typing import Booleans

_LINKS = {"nls": "logit", "lm": "identity"}
_MISREPORTS = ("none", "ceiling", "floor", "ceiling and floor", "top", "uniform")

_TAKEN = {
    "without --formula": (),
    "with --outcome": ("family", "errors", "unconstrained"),
    "with --method ml": (
        "errors",
        "unconstrained",
        "overdispersed",
        "misreport",
        "condition",
        "anchored",
    ),
    "with --method nls": ("anchored",),
    "with --method lm": ("anchored",),
}
"""What each way to estimate has a use for, of what may be told of a model."""
_SAMPLE = ("weights", "strata", "clusters", "fpc", "replicates", "by")


@click.command("item-count")
@click.argument("table")
@click.option("--column", help="The column of counts, for a difference in means.")
@click.option("--formula", help='Instead: a regression, such as "items ~ age + C(region)".')
@click.option("--list", "seen", required=True, help="The column that says which list was seen.")
@click.option("--control", required=True, help="What it says of the list without the item.")
@click.option("--items", type=int, required=True, help="How many items that list has.")
@click.option(
    "--method",
    type=click.Choice(["ml", *_LINKS]),
    help="Of a regression: maximum likelihood, nonlinear or linear least squares (ml).",
)
@click.option("--outcome", help="The column to regress on the item and the covariates.")
@click.option("--family", type=click.Choice(FAMILIES), help="Its law: normal, or log-odds of a 1.")
@click.option("--errors", type=click.Choice(ERRORS), help="Of a likelihood (observed).")
@click.option("--anchored", is_flag=True, help="Hold the mean share at the difference in means.")
@click.option("--unconstrained", is_flag=True, help="Other items depend on the sensitive one.")
@click.option("--overdispersed", is_flag=True, help="Other items go together.")
@click.option("--misreport", type=click.Choice(_MISREPORTS), default="none", show_default=True)
@click.option(
    "--condition",
    type=click.Choice(["none", "level", "indicators"]),
    default="none",
    show_default=True,
    help="How the item depends on how many others hold.",
)
@click.option("--missing", type=click.Choice(["refuse", "drop"]), default="refuse")
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@output_options
@click.option("--by", multiple=True, help="Tell groups apart by this column; again for several.")
@sample_options
def item_count(
    table: str,
    column: str | None,
    formula: str | None,
    outcome: str | None,
    method: str | None,
    level: float,
    missing: str,
    **told: Any,
) -> None:
    """Estimate from a list experiment in TABLE.

    For how many people does the sensitive item hold, on what does it depend, and what depends on
    it? TABLE is a .csv, .parquet, .jsonl, .sav or .dta file with a row for each person: how many
    items hold, and which list was seen.
    """
    _refuse_unless_one(column, formula)
    seen, control, items = (told.pop(name) for name in ("seen", "control", "items"))
    sample = Sample(**{name: told.pop(name) for name in _SAMPLE})
    how = told_how(told, sample.by)
    model = _model(told, formula, outcome, method)
    reports, right, needed = sides(formula) if formula else (str(column), "", ())
    columns = table_columns(table, {seen}, identifiers=sample.apart)
    named = {"--outcome": outcome} if outcome else {}
    for where, name in ({"--column": reports, "--list": seen} | named).items():
        column_of(columns, name, where)
    used, asked = [reports, seen, *named.values(), *needed], {"items": items, "control": control}

    def fit(data: Columns, design: AbstractDesign | None) -> Any:
        people = asked | {"data": data, "design": design}
        if formula is None:
            return difference_in_means(count_items(reports, seen, **people), level=level)
        if outcome is not None:
            return item_count_outcome(reports, seen, outcome, right, **people, **model, level=level)
        if method in _LINKS:
            squares = model | {"link": _LINKS[method], "level": level}
            return item_count_least_squares(reports, seen, right, **people, **squares)
        return item_count_regression(reports, seen, right, **people, **model, level=level)

    refuse_own(reports, sample.by)
    given = _given(columns, sample, used, missing)
    if sample.by:
        found = _by_group(given, fit, sample.by)
        refuse_nothing(found)
        echo_groups(sample.by, found, how.form, keys=("rows", "fit" if formula else "estimate"))
        return
    one = _learnt(fit(*given.among(given.whole)))
    echo_learnt([((), 0, one)], how, (), lambda found: given.methods(found, sample))


def _learnt(found: Any) -> Learnt:
    return Learnt(json=found.to_dict(), shown=(found,))


def _refuse_unless_one(column: str | None, formula: str | None) -> None:
    if (column is None) == (formula is None):
        got = "both --column and --formula" if column else "neither --column nor --formula"
        raise InputError("item-count", got=got, allowed="one of them")


def _model(
    told: Mapping[str, Any], formula: str | None, outcome: str | None, method: str | None
) -> dict[str, Any]:
    """What is told of the model, as its function takes it; refused where it has no use for it."""
    if formula is None:
        way, beside = "without --formula", {"method": method, "outcome": outcome}
    elif outcome is not None:
        way, beside = "with --outcome", {"method": method}
    else:
        way, beside = f"with --method {method or 'ml'}", {}
    given = {name: one for name, one in told.items() if one not in (None, False, "none")}
    for name, one in (beside | given).items():
        if one is not None and name not in _TAKEN[way]:
            got = name if one is True else one
            raise InputError(f"--{name}", got=got, allowed=f"nothing, {way}")
    if given.pop("unconstrained", False):
        given["constrained"] = False
    return given


def _given(columns: Columns, sample: Sample, names: list[str], missing: str) -> "_Given":
    """Read who was drawn, and which rows have everything: others are refused, or left out."""
    whole, lacking = complete_rows(columns, names)
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
    design = None if sample.drawn is None else sample.drawn.of(columns)
    return _Given(columns=columns, used=names, design=design, whole=whole)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Given:
    """Rows of a list experiment.

    Attributes
    ----------
    columns : Columns
    used : list of str
        The columns that are looked at.
    design : AbstractDesign or None
        How all rows were drawn.
    whole : array of bool
        Which rows have no holes.
    """

    columns: Columns
    used: list[str]
    design: AbstractDesign | None
    whole: Booleans

    def counted(self, members: Booleans) -> int:
        """How many rows count, of some."""
        return int((members if self.design is None else members & (self.design.weights > 0)).sum())

    def methods(self, found: Any, sample: Sample) -> MethodsParagraph:
        """Say how it was estimated."""
        gone = int((~self.whole).sum())
        return methods_paragraph(found, sample=sample.drawn, left_out=gone)

    def among(self, members: Booleans) -> tuple[Columns, AbstractDesign | None]:
        """Some of the rows; or all of a sample, in which the others are outside the domain."""
        if self.design is None:
            return {
                name: [value for value, kept in zip(column, members, strict=True) if kept]
                for name, column in self.columns.items()
            }, None
        if members.all():
            return self.columns, self.design
        first = int(members.argmax())
        filled = {  # what a row of weight 0 holds is not looked at
            name: [
                value if kept else self.columns[name][first]
                for value, kept in zip(self.columns[name], members, strict=True)
            ]
            for name in self.used
        }
        return self.columns | filled, self.design.domain(members)


def _by_group(
    given: _Given, fit: Callable[[Columns, AbstractDesign | None], Any], by: Sequence[str]
) -> list[Outcome]:
    """Estimate of each group, as of a domain; or say why not."""
    labels = groups_of(given.columns, by)
    found: list[Outcome] = []
    for label in sorted(set(labels), key=group_order):
        members = given.whole & np.array([one == label for one in labels])
        told: Learnt | AskanceError | str
        try:
            if not (n := given.counted(members)):
                raise InputError("--by", got="no row without holes", allowed="one or more")
            told = _learnt(fit(*given.among(members)))
        except AskanceError as error:
            told = error
        found.append((label if isinstance(label, tuple) else (label,), n, told))
    return found
