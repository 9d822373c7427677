"""Shares of many small groups, pooled by a model or explained by covariates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar, final

import msgspec
import numpy as np
from msgspec import structs

from askance.channels.tally import Tally
from askance.cli.reports import (
    Counted,
    ReportOptions,
    ReportSource,
    TableOptions,
    Tallies,
    read_columns,
    read_source,
    tally_question,
)
from askance.cli.sample import SampleColumns, row_groups, show_replicates
from askance.cli.typed_request import Level, takes_request
from askance.cli.verb_result import OutputOptions, VerbResult, draw, echo_results
from askance.engines.tables import Columns, column_of, table_columns
from askance.inference.area_level import FayHerriotEstimates, fay_herriot
from askance.inference.domains import group_name, why_withheld, withheld_groups
from askance.inference.regression.formula import (
    RegressionColumns,
    look_up_columns,
    names_in,
    uncategorised,
)
from askance.inference.shares.estimate import moment_estimate
from askance.inference.shares.information import speaking
from askance.inference.shares.small_areas import SmallAreaEstimates, estimate_small_areas
from askance.typing import Floats, Json
from askance_collect.errors import InputError

_Areas = TypeVar("_Areas", SmallAreaEstimates, FayHerriotEstimates)
_Group = tuple[Any, ...]

_BY_GROUP = (
    "value",
    "se",
    "lower",
    "upper",
    "direct",
    "direct_se",
    "borrowed",
    "reports",
    "effective",
)


@final
class SmallAreasRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of many small groups.

    Attributes
    ----------
    plot : Path, optional
        Draw the shares: .svg, .png
    errors : str
        With `--formula`: standard errors at everybody's share, or each group's own.
    areas : str, optional
        With `--formula`: a table of the groups, with a column as in `--by`; without it,
        columns that all rows of a group have alike.
    formula : str, optional
        Covariates of the groups, such as `"~ rural"` (Fay and Herriot).
    """

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    sample: SampleColumns = SampleColumns()
    plot: Path | None = None
    errors: Literal["pooled", "own"] = "pooled"
    areas: str | None = None
    formula: str | None = None


@takes_request()
@show_replicates
def small_areas(request: SmallAreasRequest) -> None:
    """Pool shares of many small groups in REPORTS under FORM.

    Groups of --by borrow strength from all others (empirical Bayes), or with a --formula from those
    with similar covariates (the model of Fay and Herriot).

    FORM and REPORTS are those of `askance estimate`.
    """
    sample, formula, level = request.sample, request.formula, request.level
    if not sample.by:
        raise InputError("--by", got="nothing", allowed="the column of groups")
    if formula is None and request.areas is not None:
        raise InputError("--areas", got=request.areas, allowed="nothing, without --formula")
    source = read_source(request.source, request.tables)
    tallies = tally_question(source, sample)
    estimates: dict[str, Any]
    if formula is None:
        counted = {_name_group(group): tally for group, tally in _tally_groups(tallies).items()}
        estimates = {"": estimate_small_areas(counted, level)}
    else:
        overall = _stacked(tally_question(source, structs.replace(sample, by=())).overall)
        covariates = _read_covariates(source, sample, tallies, formula, request.areas)
        estimates = _fit_fay_herriot(
            _tally_groups(tallies), overall, covariates, own=request.errors == "own", level=level
        )
    result = _make_result(estimates, tallies)
    if request.plot is not None:
        draw(result.results[0], request.plot)
    n = sum(counted.total for counted in tallies.counted.values())
    echo_results([((), n, result)], request.output, (), tallies.methods, source.fieldwork)


def _name_group(group: _Group) -> str:
    return ", ".join(map(group_name, group))


def _tally_groups(tallies: Tallies) -> dict[_Group, Tally]:
    """The tally of each group, through one channel; of chances of people's own that of all."""
    return {group: _stacked(counted) for group, counted in tallies.counted.items()}


def _stacked(counted: Counted) -> Tally:
    return counted if isinstance(counted, Tally) else counted.stacked


def _read_covariates(
    source: ReportSource, sample: SampleColumns, tallies: Tallies, formula: str, areas: str | None
) -> tuple[list[_Group], RegressionColumns]:
    """Read the covariates of each group, from a table of groups or from the rows of reports."""
    used = uncategorised(formula)
    if areas is not None:
        columns = table_columns(
            areas, id_columns=sample.by, used=used, reading=source.second_reading
        )
        rows = _find_area_rows(columns, tallies, sample.by)
    else:
        columns = read_columns(source, sample, [], used=used)
        labels = row_groups(columns, sample.by)
        rows = {label: i for i, label in reversed(list(enumerate(labels)))}
        _refuse_varied(columns, labels, rows, formula)
    groups = [*tallies.counted, *(group for group in rows if group not in tallies.counted)]
    table = {name: [column[rows[group]] for group in groups] for name, column in columns.items()}
    return groups, look_up_columns(table, formula, None)


def _find_area_rows(columns: Columns, tallies: Tallies, by: Sequence[str]) -> dict[_Group, int]:
    """Find the row of each group in a table of them."""
    rows: dict[_Group, int] = {}
    for i, label in enumerate(row_groups(columns, by)):
        if label in rows:
            raise InputError(
                f"--areas, row {i + 1}", got=_name_group(label), allowed="each group once"
            )
        rows[label] = i
    lacking = [group for group in tallies.counted if group not in rows]
    if lacking:
        raise InputError(
            "--areas",
            got=f"no row of {_name_group(lacking[0])}",
            allowed="a row for each group that has reports",
        )
    return rows


def _refuse_varied(
    columns: Columns, labels: Sequence[_Group], rows: Mapping[_Group, int], formula: str
) -> None:
    """Refuse covariates that differ between the rows of a group."""
    for name in names_in(formula):
        column = column_of(columns, name, "--formula")
        for i, label in enumerate(labels):
            if column[i] != column[rows[label]]:
                raise InputError(
                    f"--formula, {name}",
                    got=f"{column[rows[label]]} and {column[i]} in {_name_group(label)}",
                    allowed="what all rows of a group tell alike",
                    remedy="give a table of the groups: --areas FILE",
                )


def _fit_fay_herriot(
    tallies: Mapping[_Group, Tally],
    overall: Any,
    covariates: tuple[list[_Group], RegressionColumns],
    *,
    own: bool,
    level: float,
) -> dict[str, FayHerriotEstimates]:
    """Fit the model of Fay and Herriot to each share; of two answers only to the first."""
    groups, model = covariates
    labels = overall.channel.frame.answers
    group_tallies = [tallies.get(group) for group in groups]
    direct = _estimate_directly(group_tallies, len(labels), "value")
    errors = _errors(group_tallies, overall, len(labels), own=own)
    return {
        name: fay_herriot(
            direct[:, i],
            errors[:, i],
            model.covariates if model.terms else None,
            level,
            groups=[_name_group(group) for group in groups],
            terms=model.terms,
        )
        for i, name in enumerate(labels[: 1 if len(labels) == 2 else None])
    }


def _estimate_directly(tallies: Sequence[Tally | None], k: int, figure: str) -> Floats:
    """The unbiased shares, or their errors, by group: shares may lie outside 0 and 1."""
    return np.array(
        [
            getattr(moment_estimate(tally), figure)
            if tally is not None and tally.total
            else np.full(k, np.nan)
            for tally in tallies
        ]
    )


def _errors(group_tallies: Sequence[Tally | None], overall: Tally, k: int, *, own: bool) -> Floats:
    """Standard errors of the unbiased shares, shape (groups, k).

    Those of few reports err too, and are 0 where all reports are the same. So they are reckoned at
    the share of everybody, with everybody's design effect, for as many reports as the group has.
    """
    if own:
        return _estimate_directly(group_tallies, k, "se")
    sizes = np.array(
        [np.nan if tally is None or not tally.total else _size(tally) for tally in group_tallies]
    )
    return moment_estimate(overall).se * np.sqrt(_size(overall) / sizes)[:, None]


def _size(tally: Tally) -> float:
    """How many equally weighted reports say anything: (Σ w)²/Σ w² (Kish, 1965)."""
    informative = speaking(tally.channel)
    if tally.weights is None or tally.squares is None:
        return float(tally.counts[informative].sum())
    return float(tally.weights[informative].sum() ** 2 / tally.squares[informative].sum())


def _make_result(estimates: Mapping[str, Any], tallies: Tallies) -> VerbResult:
    """Make the result of all groups but those that are withheld."""
    n = [tally.total for tally in tallies.counted.values()]
    withheld = withheld_groups(list(tallies.counted), n, tallies.minimum, tallies.sample.by)
    out = {
        _name_group(group): ", ".join(why_withheld(size, tallies.minimum))
        for group, size, is_withheld in zip(tallies.counted, n, withheld, strict=True)
        if is_withheld and size
    }
    remaining = {name: _leave_out(estimate, out) for name, estimate in estimates.items()}
    written: Json = {"answers": {name: estimate.to_dict() for name, estimate in remaining.items()}}
    if "" in remaining:
        written = remaining[""].to_dict()
    return VerbResult(
        json=written | ({"withheld": out} if out else {}),
        results=tuple(remaining.values()),
        titles=tuple(remaining),
        notes=tuple(f"{name}: {why}" for name, why in out.items()),
    )


def _leave_out(estimates: _Areas, out: Mapping[str, str]) -> _Areas:
    """Leave out the groups that are withheld."""
    if not out:
        return estimates
    remaining = np.array([name not in out for name in estimates.groups])
    if not remaining.any():
        raise InputError("REPORTS", got="groups that are all withheld", allowed="larger groups")
    rows = {
        name: getattr(estimates, name)[remaining] for name in _BY_GROUP if hasattr(estimates, name)
    }
    names = tuple(name for name in estimates.groups if name not in out)
    return replace(estimates, groups=names, **rows)
