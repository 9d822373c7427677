"""What a protected answer depends on: of everybody, or of each group of a sample."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, final

import click
import msgspec
import numpy as np

from askance.analysis.respondents import protected, refuse_kept_apart, refuse_protected, respondents
from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.cli.noncompliers import kinds_of
from askance.cli.reports import (
    ReportOptions,
    ReportSource,
    TableOptions,
    find_group_channels,
    group_of_counts,
    is_written_counts,
    read_columns,
    read_source,
    reading_of,
    refuse_reports,
    tally_question,
)
from askance.cli.sample import (
    SampleColumns,
    count_by_report,
    name_of,
    refuse_own,
    restrict_rows,
    show_replicates,
    split_by_groups,
)
from askance.cli.typed_request import GroupColumn, Level, Noncompliance, takes_request
from askance.cli.verb_result import (
    Outcome,
    OutputOptions,
    VerbResult,
    draw,
    echo_groups,
    echo_misfit,
    echo_one_look,
    echo_tables,
    fieldwork_json,
    refuse_all_failed,
    refuse_beside_groups,
)
from askance.engines.count import columns_of_reports, count_reports
from askance.engines.reading import AUTOMATIC
from askance.engines.tables import Columns, expand_count_columns, repeat_rows
from askance.inference.domains import why_withheld, withheld_groups
from askance.inference.regression.compliance_regression import (
    ComplianceRegression,
    compliance_regression,
)
from askance.inference.regression.formula import complete_rows, names_in, sides, uncategorised
from askance.inference.regression.response_regression import (
    ResponseRegression,
    response_regression,
)
from askance.inference.shares.compliance import Noncompliers
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.result_table import MethodsParagraph, result_table
from askance.results import counted, in_terminal, is_missing
from askance.survey.deployed import ProtectedAnswers, minimum_of, recipe_of, reports_by_group
from askance.typing import Booleans, Integers, Json
from askance_collect.cli.documents import echo_json
from askance_collect.cli.request_options import Arg
from askance_collect.errors import AskanceError, InputError

_LISTED = 5  # rows in a message


@final
class RegressRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A regression of a protected answer.

    Attributes
    ----------
    formula : str
        Such as `"affair ~ marriage + C(age)"`.
    covariates : Path, optional
        A CSV table of covariates with a column `id`: the ids of reports, as their
        respondents kept them.
    missing : str
        What to do with rows whose covariates have holes.
    link : str
        The link function.
    ordered : bool
        The answers have an order, the form's.
    errors : str
        The standard errors; columns of a sample give their own.
    effects : bool, optional
        Average marginal effects too.  [default: in JSON]
    plot : Path, optional
        Draw the coefficients: .svg, .png
    compliance : str, optional
        With `--model`: covariates of compliance, such as `"~ age"`.
    """

    formula: str
    covariates: Path | None = None
    missing: Literal["refuse", "drop"] = "refuse"
    link: Literal["logit", "probit", "loglog", "cloglog"] = "logit"
    ordered: bool = False
    errors: Literal["observed", "expected", "robust"] = "observed"
    level: Level = 0.95
    effects: bool | None = None
    output: OutputOptions = OutputOptions()
    plot: Path | None = None
    compliance: str | None = None
    models: Noncompliance = ()
    group: GroupColumn = None
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    sample: Annotated[SampleColumns, Arg(without=("column",))] = SampleColumns()


@takes_request(words="FORM REPORTS")
@show_replicates
def regress(request: RegressRequest) -> None:
    """Regress a protected answer in REPORTS under FORM.

    REPORTS is a .db, .csv, .jsonl, .parquet, .sav or .dta file, or postgresql://… FORM may be a
    channel as JSON instead of a form, or a --mechanism takes its place.

    The covariates are questions that the same form asked plainly, other columns of a table of
    reports, or a table of its own. Of counts by covariate pattern each row may be one report, with
    --counts the column of people; or one pattern, with a column of counts for each report:
    --formula "cbind(yes, no) ~ age". Counts that askance count wrote take ~ 1.
    """
    sample, output, effects = request.sample, request.output, request.effects
    alone = {"plot": request.plot is not None, "methods": output.methods, "effects": effects}
    refuse_beside_groups(sample.by, alone)
    _refuse_effects(output.form, effects=bool(effects))
    noncompliance = _Noncompliance(
        kinds=kinds_of(request.models), compliance=request.compliance, group=request.group
    )
    source = read_source(request.source, request.tables)
    planned = _plan_regression(source, request, noncompliance)
    complete, left_out = _find_complete_rows(planned, request.missing)
    _echo_left_out(left_out, len(complete))
    echo_one_look(source.fieldwork, output.form)
    more = {"formula": request.formula, **fieldwork_json(source.fieldwork)}
    more |= {"left_out": left_out} if left_out else {}
    if sample.by:
        _regress_groups(planned, complete, more, output.form, effects=effects is not False)
        return
    _refuse_few(planned, complete)
    fit = planned.fit(complete)
    if request.plot is not None:
        draw(fit, request.plot)
    paragraph = planned.methods(fit, left_out) if output.methods else None
    _write(fit, paragraph, more, output.form, effects=effects)


def _echo_left_out(left_out: Json, rows: int) -> None:
    if left_out:
        holes = ", ".join(f"{name} {n:,}" for name, n in left_out["columns"].items())
        note = f"{left_out['rows']:,} of {rows:,} rows left out; nothing in {holes}"
        click.echo(note, err=True)


def _refuse_effects(how: str, *, effects: bool) -> None:
    """Refuse two tables in one of CSV."""
    if effects and how == "csv":
        raise InputError(
            "--effects",
            got="--format csv",
            allowed="table, json, latex or html",
            remedy="a table of CSV holds the coefficients alone",
        )


def _refuse_few(planned: "_PlannedRegression", complete: Booleans) -> None:
    """Refuse to regress fewer reports than the form's author wants shown."""
    if planned.minimum > 1 and (n := planned.reports(complete)) < planned.minimum:
        raise InputError(
            "REPORTS",
            got=f"{n:,} report{'s' * (n != 1)} to regress",
            allowed=f"at least {planned.minimum:,}, the form's minimum",
        )


_Regression = ResponseRegression | ComplianceRegression


def _write(
    fit: _Regression,
    paragraph: MethodsParagraph | None,
    more: Json,
    how: str,
    *,
    effects: bool | None,
) -> None:
    if how == "json":
        echo_json(
            {**_json(fit, effects=effects is not False), **more}
            | ({"methods": paragraph.to_dict()} if paragraph else {})
        )
        return
    classes = fit.classes if isinstance(fit, ComplianceRegression) else fit
    averages = classes.effects() if effects and classes.terms else None
    paragraphs = [paragraph] if paragraph else []
    if how != "table":
        tables = [result_table(fit)]
        if isinstance(fit, ComplianceRegression) and how != "csv":
            tables += [
                result_table(fit.prevalence()),
                result_table(classes.prevalence(), "classes"),
            ]
        echo_tables(tables + ([result_table(averages)] if averages else []), how, paragraphs)
        echo_misfit({"REPORTS": fit})
        return
    click.echo(in_terminal(fit))
    if averages:
        click.echo(f"\n{in_terminal(averages)}")
    if paragraph:
        click.echo(f"\n{paragraph}")


def _json(fit: _Regression, *, effects: bool) -> Json:
    """All of a fit; its effects are those of the formula's variables."""
    if isinstance(fit, ResponseRegression) and not effects:
        return replace(fit, formula=None).to_dict()
    return fit.to_dict()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Noncompliance:
    """Kinds of people who do not comply, the covariates of compliance, and the column of groups."""

    kinds: tuple[Noncompliers, ...]
    compliance: str | None
    group: str | None

    def __post_init__(self) -> None:
        if self.compliance is None:
            return
        if not self.kinds or self.compliance.partition("~")[0].strip():
            raise InputError(
                "--compliance",
                got=self.compliance if self.kinds else "no --model",
                allowed="the right side of a formula (~ age), beside --model",
            )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _PlannedRegression:
    """A regression that is read and checked, before it is fitted.

    Attributes
    ----------
    channels : mapping of str to Channel
        Of each group, or of everybody.
    group : array of int or None
        The position of each row's group.
    noncompliance : _Noncompliance
    name, right : str
        The column of reports, and the covariates' side of the formula.
    needed : tuple of str
        The covariates' columns.
    columns : Columns
    model : mapping of str
        The arguments of the model: link, ordered, errors, level.
    sample : SampleColumns
    header : int or None
        The number in its file of the row that comes first; None where rows are not those of a file.
    recipe : AbstractMechanism or None
    minimum : int
        From fewer reports nothing is shown.
    """

    channels: Mapping[str, Channel]
    group: Integers | None
    noncompliance: _Noncompliance
    recipe: AbstractMechanism | None
    name: str
    right: str
    needed: tuple[str, ...]
    columns: Columns
    model: Mapping[str, Any]
    sample: SampleColumns
    header: int | None
    minimum: int

    def reports(self, members: Booleans) -> int:
        """How many reports some of the rows hold: rows that count, and are no blanks."""
        sampling = self.sample.sampling
        counted = members if sampling is None else members & (sampling.of(self.columns).weights > 0)
        together = zip(self.columns[self.name], counted, strict=True)
        return sum(bool(is_counted) and not is_missing(report) for report, is_counted in together)

    def fit(self, members: Booleans) -> _Regression:
        """Regress among some of the rows; a sampling design stays whole, as of a domain."""
        sampling, group = self.sample.sampling, self.group
        full = None if sampling is None else sampling.of(self.columns)
        data, domain = restrict_rows(self.columns, self.needed, full, members)
        if full is None and group is not None:
            group = group[members]
        return self._regressed(data=data, group=group, sampling=domain)

    def _regressed(self, **how: Any) -> _Regression:
        channels, kinds = list(self.channels.values()), self.noncompliance.kinds
        how |= self.model
        if not kinds:
            return response_regression(self.name, self.right, channels, **how)
        how["compliance"] = self.noncompliance.compliance
        return compliance_regression(self.name, self.right, channels, kinds, **how)

    def methods(self, fit: _Regression, left_out: Json) -> MethodsParagraph:
        """Say how it was regressed."""
        from askance.present import methods_paragraph

        channel = self.channels if len(self.channels) > 1 else next(iter(self.channels.values()))
        left_out_rows = int(left_out.get("rows", 0))
        sampling = self.sample.sampling
        return methods_paragraph(
            fit, channel, recipe=self.recipe, sampling=sampling, left_out=left_out_rows
        )


def _plan_regression(
    source: ReportSource, request: RegressRequest, noncompliance: _Noncompliance
) -> _PlannedRegression:
    """Read the reports as columns, and find what the formula asks for."""
    if len(source.places) != 1:
        raise InputError("REPORTS", got=f"{len(source.places)} places", allowed="one")
    (location,) = source.places
    sample, covariates = request.sample, request.covariates
    name, right, needed = _read_sides(request.formula, noncompliance.compliance)
    separate = bool(noncompliance.kinds)
    refuse_own(name, needed, "formula")
    refuse_own(name, sample.by)
    if is_written_counts(location):
        excluded = [*needed, *(f"--{flag}" for flag in sample.flags)]
        if excluded := excluded + ([noncompliance.group] if noncompliance.group else []):
            raise _no_columns(excluded)
        question, channels, columns, group = _read_written_counts(source, name, separate=separate)
    else:
        question, columns = _columns_of(source, request, name, needed)
        channels, columns, group = _split_groups(
            source, question, columns, name, noncompliance.group, separate=separate
        )
    return _PlannedRegression(
        channels=channels,
        group=group,
        noncompliance=noncompliance,
        recipe=source.recipe if question is None else recipe_of(question.question),
        name=name,
        right=right,
        needed=needed,
        columns=columns,
        model={name: getattr(request, name) for name in ("link", "ordered", "errors", "level")},
        sample=sample,
        header=None
        if sample.counts or covariates or _CBIND.fullmatch(name)
        else _first_row(location),
        minimum=1 if source.form is None else max(minimum_of(source.form.form), 1),
    )


def _read_sides(formula: str, compliance: str | None) -> tuple[str, str, tuple[str, ...]]:
    """Read the column of reports, the covariates' side of a formula, and the columns it needs."""
    name, right, needed = sides(formula)
    if compliance is not None:
        more = sides(f"{formula.partition('~')[0]}{compliance}")[2]
        needed = tuple(dict.fromkeys((*needed, *more)))
    return name, right, needed


def _no_columns(excluded: Sequence[str]) -> InputError:
    """Refuse covariates of counts by themselves."""
    return InputError(
        "formula",
        got=f"{', '.join(excluded)}, of counts that were written",
        allowed="~ 1: written counts do not say whose reports they count",
        remedy='hand over the rows; or counts by covariate pattern: "cbind(yes, no) ~ age" of a '
        "table with a column of counts for each report, or --counts with a column of people",
    )


def _read_written_counts(
    source: ReportSource, name: str, *, separate: bool
) -> tuple[ProtectedAnswers | None, Mapping[str, Channel], Columns, Integers | None]:
    """Read counts that were written as a row for each person, with the channel of each group."""
    if source.form is not None:
        question = protected(source.form.questions, name)
        counts = count_reports(source.places[0], source.form.form).values[name]
        reports: dict[Any, str] = dict(enumerate(question.channel.reports))
        values = [reports.get(value) for value, people in counts.items() for _ in range(people)]
        return question, *_split_groups(
            source, question, {name: values}, name, None, separate=separate
        )
    tally = tally_question(source, SampleColumns()).overall
    if tally.weighted:
        raise InputError(
            name_of(source.places[0]),
            got="sums of weights",
            allowed="counts of people: an error goes by how weights and covariates go together",
            remedy="regress the rows, with --weights and the columns of the sample; "
            "askance estimate gives shares",
        )
    parts = tally.tallies if isinstance(tally, GroupedTally) else {"": tally}
    reports_by_group = [
        [report for report, people in count_by_report(part) for _ in range(people)]
        for part in parts.values()
    ]
    group = (
        np.repeat(np.arange(len(reports_by_group)), list(map(len, reports_by_group)))
        if len(reports_by_group) > 1
        else None
    )
    channels = {of: part.channel for of, part in parts.items()}
    return (
        None,
        channels,
        {name: [report for group_reports in reports_by_group for report in group_reports]},
        group,
    )


def _read_count_columns(source: ReportSource, sample: SampleColumns, name: str) -> Columns | None:
    """Read a table with a column of counts for each report, as R's cbind(yes, no) on the left."""
    called = _CBIND.fullmatch(name)
    if called is None:
        return None
    reports = source.report_names
    named = list(names_in(called[1]))
    if sorted(named) != sorted(reports) or sample.counts:
        raise InputError(
            "formula",
            got=f"{name}, beside --counts" if sample.counts else name,
            allowed=f"cbind({', '.join(map(_in_formula, reports))}): the counts of each report",
        )
    columns = read_columns(source, sample, [], used=named)
    return expand_count_columns(columns, named, name, "formula")


_CBIND = re.compile(r"cbind\s*\((.*)\)", re.DOTALL)


def _in_formula(name: str) -> str:
    return name if names_in(name) == (name,) else f"`{name}`"


def _columns_of(
    source: ReportSource, request: RegressRequest, name: str, needed: Sequence[str]
) -> tuple[ProtectedAnswers | None, Columns]:
    """Read the columns of a table, or those of a form's reports and the question that was asked."""
    sample, covariates = request.sample, request.covariates
    used = (*uncategorised(request.formula), *uncategorised(request.compliance or ""))
    if source.form is None:
        if covariates is not None:
            raise InputError("--covariates", got=covariates.name, allowed="nothing without a form")
        return None, _read_count_columns(source, sample, name) or read_columns(
            source, sample, [name], used=used
        )
    reading = reading_of(source, sample)
    question = protected(source.form.questions, name)
    refuse_protected(source.form.questions, needed)
    refuse_kept_apart(source.form.form, needed)
    refuse_reports(source.form, sample.by)
    is_of_covariates = covariates is not None and not (sample.recode or source.has_tables)
    opened_by = AUTOMATIC if is_of_covariates else reading
    columns, without = respondents(
        source.form.questions,
        *columns_of_reports(source.places[0], source.form.form, opened_by),
        covariates,
        id_columns=sample.id_columns,
        used=(*sample.numbers, *used),
        reading=reading,
        covariate_reading=source.second_reading,
    )
    if without:
        click.echo(
            f"{counted(without, 'report')} without a row in {covariates}: left out", err=True
        )
    return question, repeat_rows(columns, sample.counts) if sample.counts else columns


def _split_groups(
    source: ReportSource,
    question: ProtectedAnswers | None,
    columns: Columns,
    name: str,
    group: str | None,
    *,
    separate: bool,
) -> tuple[dict[str, Channel], Columns, Integers | None]:
    """Find the channel of each group, and the report and the group of each row.

    A form knows its groups, and a report says its own; of a table a column does. Without groups
    there is one channel; so there is where those of a form need not be told apart, since its own
    channel says the group in each report.
    """
    if question is not None:
        if group is not None:
            raise InputError("--group", got=group, allowed="nothing, beside a form: it states it")
        if not (separate and question.question.groups):
            return {"": question.channel}, columns, None
        channels, reports, positions = reports_by_group(question, columns[name])
        return channels, columns | {name: reports}, positions
    table_channels, table_positions = find_group_channels(
        source, columns, group or group_of_counts(source)
    )
    return dict(table_channels), columns, table_positions


def _first_row(location: str) -> int:
    return 2 if location.lower().endswith(".csv") else 1


def _find_complete_rows(planned: _PlannedRegression, missing: str) -> tuple[Booleans, Json]:
    """Find the rows with all covariates, and count missing values by column."""
    complete, lacking = complete_rows(planned.columns, planned.needed)
    if not lacking:
        return complete, {}
    if missing == "refuse":
        name = next(iter(lacking))
        others = [other for other in lacking if other != name]
        raise InputError(
            f"column {name!r}",
            got=f"nothing in {_describe_rows(planned, name)}"
            + (f"; holes in {', '.join(others)} too" if others else ""),
            allowed="covariates without holes",
            remedy="--missing drop leaves such rows out, and says how many",
        )
    if not complete.any():
        raise InputError(
            "--missing", got=f"holes in every row: {', '.join(lacking)}", allowed="a row without"
        )
    return complete, {"rows": int((~complete).sum()), "columns": lacking}


def _describe_rows(planned: _PlannedRegression, name: str) -> str:
    """Say which rows lack a value, as they are numbered in their file."""
    empty = [i for i, value in enumerate(planned.columns[name]) if is_missing(value)]
    if planned.header is None:
        return f"{len(empty):,} row{'s' * (len(empty) > 1)}"
    rows = ", ".join(str(i + planned.header) for i in empty[:_LISTED])
    return f"row {rows}" + (f" … ({len(empty):,} rows)" if len(empty) > _LISTED else "")


def _regress_groups(
    planned: _PlannedRegression,
    complete: Booleans,
    more: Json,
    how: str,
    *,
    effects: bool,
) -> None:
    """Regress in each group; of one withheld or not estimated print the reason."""
    outcomes = list(_fit_groups(planned, complete, effects=effects))
    refuse_all_failed(outcomes)
    echo_groups(planned.sample.by, outcomes, how, keys=("rows", "fit"), more=more)


def _fit_groups(
    planned: _PlannedRegression, complete: Booleans, *, effects: bool
) -> Iterator[Outcome]:
    by_group = split_by_groups(planned.columns, planned.sample.by)
    groups = [group for group, _ in by_group]
    rows = [complete & members for _, members in by_group]
    n = [planned.reports(members) for members in rows]
    withheld = withheld_groups(groups, n, planned.minimum, planned.sample.by)
    for group, members, reports, is_withheld in zip(groups, rows, n, withheld, strict=True):
        if is_withheld:
            yield group, int(members.sum()), ", ".join(why_withheld(reports, planned.minimum))
            continue
        try:
            if not members.any():
                raise InputError("--by", got="no row without holes", allowed="one or more")
            fit = planned.fit(members)
            yield (
                group,
                int(members.sum()),
                VerbResult(json=_json(fit, effects=effects), results=(fit,)),
            )
        except AskanceError as error:
            yield group, int(members.sum()), error
