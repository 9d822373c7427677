"""What a protected answer depends on: of everybody, or of each group of a sample."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import click
import numpy as np

from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.cli.documents import FILE, echo_json
from askance.cli.noncompliers import kinds_of
from askance.cli.options import (
    Learnt,
    Outcome,
    chosen_format,
    design_options,
    draw,
    echo_groups,
    echo_misfit,
    echo_one_look,
    echo_tables,
    fieldwork_json,
    output_options,
    refuse_beside_groups,
    refuse_nothing,
    sample_options,
    table_options,
)
from askance.cli.reports import (
    Asked,
    asked_by,
    asked_group,
    columns_at,
    group_of_counts,
    refuse_reports,
    tallied,
    written,
)
from askance.cli.sample import (
    Sample,
    counted_reports,
    group_order,
    groups_of,
    name_of,
    refuse_own,
)
from askance.engines.count import columns_of_reports, count_reports
from askance.engines.tables import Columns, expand_count_columns, repeated
from askance.errors import AskanceError, InputError
from askance.inference.domains import why_withheld, withheld_groups
from askance.inference.regression.answer_model import LINKS
from askance.inference.regression.compliance_regression import (
    ComplianceRegression,
    compliance_regression,
)
from askance.inference.regression.formula import complete_rows, names_in, sides
from askance.inference.regression.response_regression import (
    ERRORS,
    ResponseRegression,
    response_regression,
)
from askance.inference.shares.compliance import Noncompliers
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.methods import methods_paragraph
from askance.present.result_table import MethodsParagraph, result_table
from askance.results import in_terminal, is_missing
from askance.survey.deployed import minimum_of
from askance.survey.deployed_answers import ProtectedAnswers, recipe_of, reports_by_group
from askance.survey.respondents import protected, refuse_protected, respondents
from askance.typing import Booleans, Integers, Json

_LISTED = 5  # rows in a message


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FORM REPORTS")
@click.option("--formula", required=True, help='Such as "affair ~ marriage + C(age)".')
@click.option(
    "--covariates",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A CSV table with a column id: the ids of reports, as their respondents kept them.",
)
@click.option(
    "--missing",
    type=click.Choice(["refuse", "drop"]),
    default="refuse",
    show_default=True,
    help="What to do with rows whose covariates have holes.",
)
@click.option("--link", type=click.Choice(list(LINKS)), default="logit", show_default=True)
@click.option("--ordered", is_flag=True, help="The answers have an order, the form's.")
@click.option("--errors", type=click.Choice(ERRORS), default="observed", show_default=True)
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option(
    "--effects/--no-effects",
    default=None,
    help="Average marginal effects too.  [default: in JSON]",
)
@output_options
@click.option("--plot", type=FILE, help="Draw the coefficients: .svg, .png")
@click.option("--compliance", help='With --model: on what it depends who complies ("~ age").')
@click.option(
    "--model",
    "models",
    multiple=True,
    help="Some do not comply: cheating, sld, self-protective:says=REPORT or random; again "
    "for several kinds.",
)
@click.option("--group", help="The column of groups, of which each has a --design of its own.")
@design_options
@sample_options
@table_options
def regress(
    words: Sequence[str],
    formula: str,
    covariates: Path | None,
    missing: str,
    effects: bool | None,
    as_json: bool,
    form_of: str | None,
    with_methods: bool,
    plot: Path | None,
    compliance: str | None,
    models: Sequence[str],
    group: str | None,
    design: Sequence[str],
    answers: str | None,
    **told: Any,
) -> None:
    """Regress a protected answer in REPORTS under FORM.

    REPORTS is a .db, .csv, .jsonl, .parquet, .sav or .dta file, or postgresql://… FORM may be a
    channel as JSON instead of a form, or a --design takes its place.

    The covariates are questions that the same form asked plainly, other columns of a table of
    reports, or a table of its own. Of counts by covariate pattern each row may be one report, with
    --counts the column of people; or one pattern, with a column of counts for each report:
    --formula "cbind(yes, no) ~ age". Counts that askance count wrote take ~ 1.
    """
    how = chosen_format(form_of, as_json=as_json)
    chosen = {name: told.pop(name) for name in ("link", "ordered", "errors", "level")}
    sample = Sample(**told)
    alone = {"plot": plot is not None, "methods": with_methods, "effects": effects}
    refuse_beside_groups(sample.by, alone)
    _refuse_effects(how, effects=bool(effects))
    some = _Noncompliance(kinds=kinds_of(models), compliance=compliance, group=group)
    asked = asked_by(words, design, answers)
    given = _given(asked, formula, sample, covariates, some)
    kept, left_out = _without_holes(given, missing)
    _echo_left_out(left_out, len(kept))
    echo_one_look(asked.fieldwork, how)
    more = {"formula": formula, **fieldwork_json(asked.fieldwork)}
    more |= {"left_out": left_out} if left_out else {}
    if sample.by:
        _by_group(given, kept, chosen, more, how, effects=effects is not False)
        return
    _refuse_few(given, kept)
    fit = given.fit(kept, chosen)
    if plot is not None:
        draw(fit, plot, rows=len(fit.names))
    said = given.methods(fit, left_out) if with_methods else None
    _write(fit, said, more, how, effects=effects)


def _echo_left_out(left_out: Json, rows: int) -> None:
    if left_out:
        held = ", ".join(f"{name} {n:,}" for name, n in left_out["columns"].items())
        told = f"{left_out['rows']:,} of {rows:,} rows left out; nothing in {held}"
        click.echo(told, err=True)


def _refuse_effects(how: str, *, effects: bool) -> None:
    """Refuse two tables in one of CSV."""
    if effects and how == "csv":
        raise InputError(
            "--effects",
            got="--format csv",
            allowed="table, json, latex or html",
            remedy="a table of CSV holds the coefficients alone",
        )


def _refuse_few(given: "_Given", kept: Booleans) -> None:
    """Refuse to regress fewer reports than the form's author wants shown."""
    if given.minimum > 1 and (n := given.reports(kept)) < given.minimum:
        raise InputError(
            "REPORTS",
            got=f"{n:,} report{'s' * (n != 1)} to regress",
            allowed=f"at least {given.minimum:,}, the form's minimum",
        )


_Regression = ResponseRegression | ComplianceRegression


def _write(
    fit: _Regression, said: MethodsParagraph | None, more: Json, how: str, *, effects: bool | None
) -> None:
    if how == "json":
        echo_json(
            {**_json(fit, effects=effects is not False), **more}
            | ({"methods": said.to_dict()} if said else {})
        )
        return
    classes = fit.classes if isinstance(fit, ComplianceRegression) else fit
    averages = classes.effects() if effects and classes.terms else None
    paragraphs = [said] if said else []
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
    if said:
        click.echo(f"\n{said}")


def _json(fit: _Regression, *, effects: bool) -> Json:
    """All of a fit; its effects are those of the formula's variables."""
    if isinstance(fit, ResponseRegression) and not effects:
        return replace(fit, formula=None).to_dict()
    return fit.to_dict()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Noncompliance:
    """Kinds of people who do not comply, on what that depends, and the column of groups."""

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
class _Given:
    """A regression to come.

    Attributes
    ----------
    channels : mapping of str to Channel
        Of each group, or of everybody.
    group : array of int or None
        The position of each row's group.
    some : _Noncompliance
    name, right : str
        The column of reports, and the covariates' side of the formula.
    needed : tuple of str
        The covariates' columns.
    columns : Columns
    sample : Sample
    header : int or None
        The number in its file of the row that comes first; None where rows are not those of a file.
    recipe : AbstractMechanism or None
    minimum : int
        From fewer reports nothing is shown.
    """

    channels: Mapping[str, Channel]
    group: Integers | None
    some: _Noncompliance
    recipe: AbstractMechanism | None
    name: str
    right: str
    needed: tuple[str, ...]
    columns: Columns
    sample: Sample
    header: int | None
    minimum: int

    def reports(self, members: Booleans) -> int:
        """How many reports some of the rows hold: rows that count, and are no blanks."""
        drawn = self.sample.drawn
        counted = members if drawn is None else members & (drawn.of(self.columns).weights > 0)
        together = zip(self.columns[self.name], counted, strict=True)
        return sum(bool(kept) and not is_missing(one) for one, kept in together)

    def fit(self, members: Booleans, chosen: dict[str, Any]) -> _Regression:
        """Regress among some of the rows; a design stays whole, as of a domain."""
        drawn = self.sample.drawn
        if drawn is None:
            data, group = self.columns, self.group
            if not members.all():
                data = {
                    name: [value for value, kept in zip(column, members, strict=True) if kept]
                    for name, column in self.columns.items()
                }
                group = None if group is None else group[members]
            return self._regressed(data=data, group=group, **chosen)
        whole = drawn.of(self.columns)
        domain = whole if members.all() else whole.domain(members)
        first = int(np.argmax(members))
        data = self.columns | {  # what a row of weight 0 holds is not looked at
            name: [
                value if kept else column[first]
                for value, kept in zip(column, members, strict=True)
            ]
            for name, column in ((name, self.columns[name]) for name in self.needed)
        }
        return self._regressed(data=data, group=self.group, design=domain, **chosen)

    def _regressed(self, **how: Any) -> _Regression:
        channels, kinds = list(self.channels.values()), self.some.kinds
        if not kinds:
            return response_regression(self.name, self.right, channels, **how)
        how["compliance"] = self.some.compliance
        return compliance_regression(self.name, self.right, channels, kinds, **how)

    def methods(self, fit: _Regression, left_out: Json) -> MethodsParagraph:
        """Say how it was regressed."""
        asked = self.channels if len(self.channels) > 1 else next(iter(self.channels.values()))
        gone = int(left_out.get("rows", 0))
        drawn = self.sample.drawn
        return methods_paragraph(fit, asked, recipe=self.recipe, sample=drawn, left_out=gone)


def _given(
    asked: Asked, formula: str, sample: Sample, covariates: Path | None, some: _Noncompliance
) -> _Given:
    """Read the reports as columns, and find what the formula asks for."""
    if len(asked.places) != 1:
        raise InputError("REPORTS", got=f"{len(asked.places)} places", allowed="one")
    (place,) = asked.places
    name, right, needed = sides(formula)
    if some.compliance is not None:
        more = sides(f"{formula.partition('~')[0]}{some.compliance}")[2]
        needed = tuple(dict.fromkeys((*needed, *more)))
    refuse_own(name, needed, "formula")
    refuse_own(name, sample.by)
    if written(place):
        if beside := [
            *needed,
            *(f"--{one}" for one in sample.told),
            *([some.group] if some.group else []),
        ]:
            raise _no_columns(beside)
        question, channels, columns, group = _counted_before(asked, name, apart=bool(some.kinds))
    else:
        question, columns = _columns_of(asked, sample, covariates, name, needed)
        channels, columns, group = _asked_groups(
            asked, question, columns, name, some.group, apart=bool(some.kinds)
        )
    return _Given(
        channels=channels,
        group=group,
        some=some,
        recipe=asked.recipe if question is None else recipe_of(question.question),
        name=name,
        right=right,
        needed=needed,
        columns=columns,
        sample=sample,
        header=None if sample.counts or covariates or _CBIND.fullmatch(name) else _first_row(place),
        minimum=1 if asked.form is None else max(minimum_of(asked.form.form), 1),
    )


def _no_columns(beside: Sequence[str]) -> InputError:
    """Refuse covariates of counts by themselves."""
    return InputError(
        "formula",
        got=f"{', '.join(beside)}, of counts that were written",
        allowed="~ 1: of whom they were counted is not in them",
        remedy='hand over the rows; or counts by covariate pattern: "cbind(yes, no) ~ age" of a '
        "table with a column of counts for each report, or --counts with a column of people",
    )


def _counted_before(
    asked: Asked, name: str, *, apart: bool
) -> tuple[ProtectedAnswers | None, Mapping[str, Channel], Columns, Integers | None]:
    """Read counts that were written as a row for each person, with the channel of each group."""
    if asked.form is not None:
        question = protected(asked.form.questions, name)
        sent = count_reports(asked.places[0], asked.form.form).values[name]
        known: dict[Any, str] = dict(enumerate(question.channel.reports))
        said = [known.get(one) for one, people in sent.items() for _ in range(people)]
        return question, *_asked_groups(asked, question, {name: said}, name, None, apart=apart)
    told = tallied(asked, Sample()).everybody
    if told.weighted:
        raise InputError(
            name_of(asked.places[0]),
            got="sums of weights",
            allowed="counts of people: an error goes by how weights and covariates go together",
            remedy="regress the rows, with --weights and the design; askance estimate gives shares",
        )
    parts = told.tallies if isinstance(told, GroupedTally) else {"": told}
    each = [
        [report for report, people in counted_reports(one) for _ in range(people)]
        for one in parts.values()
    ]
    group = np.repeat(np.arange(len(each)), list(map(len, each))) if len(each) > 1 else None
    channels = {of: one.channel for of, one in parts.items()}
    return None, channels, {name: [report for one in each for report in one]}, group


def _side_by_side(asked: Asked, sample: Sample, name: str) -> Columns | None:
    """Read a table with a column of counts for each report, as R's cbind(yes, no) on the left."""
    called = _CBIND.fullmatch(name)
    if called is None:
        return None
    reports = list(dict.fromkeys(one for each in asked.channels.values() for one in each.reports))
    named = list(names_in(called[1]))
    if sorted(named) != sorted(reports) or sample.counts:
        raise InputError(
            "formula",
            got=f"{name}, beside --counts" if sample.counts else name,
            allowed=f"cbind({', '.join(map(_in_formula, reports))}): the counts of each report",
        )
    return expand_count_columns(columns_at(asked, sample, []), named, name, "formula")


_CBIND = re.compile(r"cbind\s*\((.*)\)", re.DOTALL)


def _in_formula(name: str) -> str:
    return name if names_in(name) == (name,) else f"`{name}`"


def _columns_of(
    asked: Asked, sample: Sample, covariates: Path | None, name: str, needed: Sequence[str]
) -> tuple[ProtectedAnswers | None, Columns]:
    """Read the columns of a table, or those of a form's reports and the question that was asked."""
    if asked.form is None:
        if covariates is not None:
            raise InputError("--covariates", got=covariates.name, allowed="nothing without a form")
        return None, _side_by_side(asked, sample, name) or columns_at(asked, sample, [name])
    if sample.codes:
        raise InputError("--codes", got=sample.codes, allowed="nothing, beside a form")
    question = protected(asked.form.questions, name)
    refuse_protected(asked.form.questions, needed)
    refuse_reports(asked.form, sample.by)
    columns, without = respondents(
        asked.form.questions,
        *columns_of_reports(asked.places[0], asked.form.form),
        covariates,
        id_columns=sample.apart,
    )
    if without:
        click.echo(f"{without:,} reports have no row in {covariates}: left out", err=True)
    return question, repeated(columns, sample.counts) if sample.counts else columns


def _asked_groups(
    asked: Asked,
    question: ProtectedAnswers | None,
    columns: Columns,
    name: str,
    group: str | None,
    *,
    apart: bool,
) -> tuple[dict[str, Channel], Columns, Integers | None]:
    """Say through which channel each group was asked, what each row then says, and who is in which.

    A form knows its groups, and a report says its own; of a table a column does. Without groups
    there is one channel; so there is where those of a form need not be told apart, since its own
    channel says the group in each report.
    """
    if question is not None:
        if group is not None:
            raise InputError("--group", got=group, allowed="nothing, beside a form: it knows")
        if not (apart and question.question.groups):
            return {"": question.channel}, columns, None
        channels, said, at = reports_by_group(question, columns[name])
        return channels, columns | {name: said}, at
    known, places = asked_group(asked, columns, group or group_of_counts(asked))
    return dict(known), columns, places


def _first_row(place: str) -> int:
    return 2 if place.lower().endswith(".csv") else 1


def _without_holes(given: _Given, missing: str) -> tuple[Booleans, Json]:
    """Say which rows have all covariates, and how many of which columns have not."""
    whole, lacking = complete_rows(given.columns, given.needed)
    if not lacking:
        return whole, {}
    if missing == "refuse":
        name = next(iter(lacking))
        others = [other for other in lacking if other != name]
        raise InputError(
            f"column {name!r}",
            got=f"nothing in {_rows(given, name)}"
            + (f"; holes in {', '.join(others)} too" if others else ""),
            allowed="covariates without holes",
            remedy="--missing drop leaves such rows out, and says how many",
        )
    if not whole.any():
        raise InputError(
            "--missing", got=f"holes in every row: {', '.join(lacking)}", allowed="a row without"
        )
    return whole, {"rows": int((~whole).sum()), "columns": lacking}


def _rows(given: _Given, name: str) -> str:
    """Say which rows lack a value, as they are numbered in their file."""
    empty = [at for at, one in enumerate(given.columns[name]) if is_missing(one)]
    if given.header is None:
        return f"{len(empty):,} row{'s' * (len(empty) > 1)}"
    rows = ", ".join(str(at + given.header) for at in empty[:_LISTED])
    return f"row {rows}" + (f" … ({len(empty):,} rows)" if len(empty) > _LISTED else "")


def _by_group(
    given: _Given, kept: Booleans, chosen: dict[str, Any], more: Json, how: str, *, effects: bool
) -> None:
    """Regress in each group; one withheld, or that tells too little, is listed with the reason."""
    found = list(_fits(given, kept, chosen, effects=effects))
    refuse_nothing(found)
    echo_groups(given.sample.by, found, how, keys=("rows", "fit"), more=more)


def _fits(
    given: _Given, kept: Booleans, chosen: dict[str, Any], *, effects: bool
) -> Iterator[Outcome]:
    labels = groups_of(given.columns, given.sample.by)
    apart = sorted(set(labels), key=group_order)
    rows = [kept & np.array([one == label for one in labels], dtype=bool) for label in apart]
    groups = [label if isinstance(label, tuple) else (label,) for label in apart]
    n = [given.reports(members) for members in rows]
    withheld = withheld_groups(groups, n, given.minimum, given.sample.by)
    for group, members, reports, held in zip(groups, rows, n, withheld, strict=True):
        if held:
            yield group, int(members.sum()), ", ".join(why_withheld(reports, given.minimum))
            continue
        try:
            if not members.any():
                raise InputError("--by", got="no row without holes", allowed="one or more")
            fit = given.fit(members, chosen)
            yield group, int(members.sum()), Learnt(json=_json(fit, effects=effects), shown=(fit,))
        except AskanceError as error:
            yield group, int(members.sum()), error
