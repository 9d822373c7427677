"""Estimate from a list experiment the share with the sensitive item, and what it depends on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, final

import click
import msgspec

from askance.cli.reports import TableOptions
from askance.cli.sample import (
    SampleColumns,
    refuse_own,
    restrict_rows,
    show_replicates,
    split_by_groups,
)
from askance.cli.typed_request import Level, takes_request
from askance.cli.verb_result import (
    Outcome,
    OutputOptions,
    VerbResult,
    echo_groups,
    echo_results,
    refuse_all_failed,
    refuse_beside_groups,
    single_result,
)
from askance.engines.tables import Columns, column_of, table_columns
from askance.inference.list_experiments.item_count import item_count as difference_in_means
from askance.inference.list_experiments.item_count_least_squares import item_count_least_squares
from askance.inference.list_experiments.item_count_outcome import item_count_outcome
from askance.inference.list_experiments.item_count_regression import item_count_regression
from askance.inference.list_experiments.item_tally import count_items
from askance.inference.regression.formula import complete_rows, sides, uncategorised
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.present.result_table import MethodsParagraph
from askance.typing import Booleans
from askance_collect.cli.request_options import Arg, list_arguments
from askance_collect.errors import AskanceError, InputError

_LINKS = {"nls": "logit", "lm": "identity"}

_OPTIONS_BY_METHOD = {
    "without --formula": (),
    "with --outcome": ("family", "errors", "constrained"),
    "with --method ml": (
        "errors",
        "constrained",
        "overdispersed",
        "misreport",
        "condition",
        "anchored",
    ),
    "with --method nls": ("anchored",),
    "with --method lm": ("anchored",),
}
"""The options of the model that each way to estimate takes."""


@final
class ItemCountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates and regressions from a list experiment.

    Attributes
    ----------
    table : str
        The table of the experiment.
    column : str, optional
        The column of counts, for a difference in means.
    formula : str, optional
        Instead: a regression, such as `"items ~ age + C(region)"`.
    arms : str
        The column that says which list was seen.
    control : str
        The value of that column for the list without the sensitive item.
    items : int
        How many items that list has.
    method : str, optional
        For a regression: maximum likelihood, nonlinear or linear least squares (`ml`).
    outcome : str, optional
        The column to regress on the item and the covariates.
    family : str, optional
        The distribution of the outcome: `normal`, or `logit` for the log-odds of a 1.
    errors : str, optional
        The standard errors of a likelihood (`observed`).
    anchored : bool
        Hold the mean share at the difference in means.
    constrained : bool
        Whether the other items are independent of the sensitive one; `--unconstrained` lets them
        depend on it.
    overdispersed : bool
        Let the other items be correlated.
    misreport : str
        Which respondents misreport.
    condition : str
        How the item depends on the number of other items that hold.
    missing : str
        What to do with rows with holes.
    """

    table: Annotated[str, Arg(flag="")]
    column: str | None = None
    formula: str | None = None
    arms: Annotated[str, Arg(flag="--list")] = msgspec.field(name="list")
    control: str
    items: int
    method: Literal["ml", "nls", "lm"] | None = None
    outcome: str | None = None
    family: Literal["normal", "logit"] | None = None
    errors: Literal["observed", "robust"] | None = None
    anchored: bool = False
    constrained: Annotated[bool, Arg(flag="--unconstrained")] = True
    overdispersed: bool = False
    misreport: Literal["none", "ceiling", "floor", "ceiling and floor", "top", "uniform"] = "none"
    condition: Literal["none", "level", "indicators"] = "none"
    missing: Literal["refuse", "drop"] = "refuse"
    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    tables: TableOptions = TableOptions()
    sample: Annotated[SampleColumns, Arg(without=("column", "counts", "recode", "collapse"))] = (
        SampleColumns()
    )


@takes_request()
@show_replicates
def item_count(request: ItemCountRequest) -> None:
    """Estimate from a list experiment in TABLE.

    Estimates the share of people for whom the sensitive item holds, a regression of the item, or
    one of an outcome on it. TABLE is a .csv, .parquet, .jsonl, .sav or .dta file with a row for
    each person: how many items hold, and which list was seen.
    """
    column, formula, outcome = request.column, request.formula, request.outcome
    _refuse_unless_one(column, formula)
    arms, sample, output, level = request.arms, request.sample, request.output, request.level
    refuse_beside_groups(sample.by, {"methods": output.methods})
    model = _read_model(request)
    reports, right, needed = sides(formula) if formula else (str(column), "", ())
    named = {"--outcome": outcome} if outcome else {}
    columns = table_columns(
        request.table,
        {arms},
        id_columns=sample.id_columns,
        used=(reports, *named.values(), *uncategorised(formula or ""), *sample.numbers),
        reading=request.tables.read(),
    )
    for where, name in ({"--column": reports, "--list": arms} | named).items():
        column_of(columns, name, where)
    used = [reports, arms, *named.values(), *needed]
    lists: dict[str, Any] = {"items": request.items, "control": request.control}

    def fit(data: Columns, sampling: AbstractSamplingDesign | None) -> Any:
        people = lists | {"data": data, "sampling": sampling}
        if formula is None:
            return difference_in_means(count_items(reports, arms, **people), level=level)
        if outcome is not None:
            return item_count_outcome(reports, arms, outcome, right, **people, **model, level=level)
        if request.method in _LINKS:
            squares = model | {"link": _LINKS[request.method], "level": level}
            return item_count_least_squares(reports, arms, right, **people, **squares)
        return item_count_regression(reports, arms, right, **people, **model, level=level)

    refuse_own(reports, sample.by)
    experiment = _read_experiment(columns, sample, used, request.missing)
    if sample.by:
        outcomes = _estimate_groups(experiment, fit, sample.by)
        refuse_all_failed(outcomes)
        echo_groups(
            sample.by, outcomes, output.form, keys=("rows", "fit" if formula else "estimate")
        )
        return
    estimate = single_result(fit(*experiment.among(experiment.complete)))
    echo_results([((), 0, estimate)], output, (), lambda result: experiment.methods(result, sample))


def _refuse_unless_one(column: str | None, formula: str | None) -> None:
    if (column is None) == (formula is None):
        stated = "both --column and --formula" if column else "neither --column nor --formula"
        raise InputError("item-count", got=stated, allowed="one of them")


def _read_model(request: ItemCountRequest) -> dict[str, Any]:
    """Read the options of the model as arguments of its function; refuse those it does not take."""
    method, outcome = request.method, request.outcome
    if request.formula is None:
        method_text, excluded = "without --formula", {"method": method, "outcome": outcome}
    elif outcome is not None:
        method_text, excluded = "with --outcome", {"method": method}
    else:
        method_text, excluded = f"with --method {method or 'ml'}", {}
    chosen = {
        argument.name: getattr(request, argument.attribute)
        for argument in list_arguments(ItemCountRequest)
        if argument.name in _OPTIONS_BY_METHOD["with --method ml"] + ("family",)
        and getattr(request, argument.attribute) != argument.default
    }
    for name, value in (excluded | chosen).items():
        if value is not None and name not in _OPTIONS_BY_METHOD[method_text]:
            flag = "unconstrained" if name == "constrained" else name
            offending = flag if isinstance(value, bool) else value
            raise InputError(f"--{flag}", got=offending, allowed=f"nothing, {method_text}")
    return chosen


def _read_experiment(
    columns: Columns, sample: SampleColumns, names: list[str], missing: str
) -> "_ListExperiment":
    """Read who was drawn, and which rows have everything: others are refused, or left out."""
    complete, lacking = complete_rows(columns, names)
    holes = ", ".join(f"{name} {n:,}" for name, n in lacking.items())
    if lacking and (missing == "refuse" or not complete.any()):
        raise InputError(
            "TABLE",
            got=f"nothing in {holes}",
            allowed="rows without holes",
            remedy="--missing drop leaves such rows out, and says how many",
        )
    if lacking:
        click.echo(
            f"{sum(~complete):,} of {len(complete):,} rows left out; nothing in {holes}", err=True
        )
    sampling = None if sample.sampling is None else sample.sampling.of(columns)
    return _ListExperiment(columns=columns, used=names, sampling=sampling, complete=complete)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ListExperiment:
    """Rows of a list experiment.

    Attributes
    ----------
    columns : Columns
    used : list of str
        The columns that are looked at.
    sampling : AbstractSamplingDesign or None
        How all rows were drawn.
    complete : array of bool
        Which rows have no holes.
    """

    columns: Columns
    used: list[str]
    sampling: AbstractSamplingDesign | None
    complete: Booleans

    def counted(self, members: Booleans) -> int:
        """How many rows count, of some."""
        return int(
            (members if self.sampling is None else members & (self.sampling.weights > 0)).sum()
        )

    def methods(self, result: Any, sample: SampleColumns) -> MethodsParagraph:
        """Say how it was estimated."""
        from askance.present import methods_paragraph

        left_out_rows = int((~self.complete).sum())
        return methods_paragraph(result, sampling=sample.sampling, left_out=left_out_rows)

    def among(self, members: Booleans) -> tuple[Columns, AbstractSamplingDesign | None]:
        """Restrict the rows and their sampling design to a domain."""
        return restrict_rows(self.columns, self.used, self.sampling, members)


def _estimate_groups(
    experiment: _ListExperiment,
    fit: Callable[[Columns, AbstractSamplingDesign | None], Any],
    by: Sequence[str],
) -> list[Outcome]:
    """Estimate of each group, as of a domain; or say why not."""
    outcomes: list[Outcome] = []
    for group, rows in split_by_groups(experiment.columns, by):
        members = experiment.complete & rows
        outcome: VerbResult | AskanceError | str
        try:
            if not (n := experiment.counted(members)):
                raise InputError("--by", got="no row without holes", allowed="one or more")
            outcome = single_result(fit(*experiment.among(members)))
        except AskanceError as error:
            outcome = error
        outcomes.append((group, n, outcome))
    return outcomes
