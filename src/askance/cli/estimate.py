"""Estimate every question of a form, or one column, from its reports.

`estimate` also takes a channel as JSON instead of a form, or a mechanism by its name, and then the
columns of any table.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import compress
from pathlib import Path
from typing import Any, final

import click
import msgspec
import numpy as np
from msgspec import structs

from askance.analysis.analyse import analyse_deployed
from askance.analysis.form_notes import find_right_answers
from askance.analysis.form_results import Analysis
from askance.analysis.question_analysis import prepare_analysis
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.cli.reports import (
    ReportOptions,
    ReportSource,
    TableOptions,
    count_source,
    read_columns,
    read_source,
    reading_of,
    refuse_reports,
    tallies_of,
    tally_columns,
    tally_question,
)
from askance.cli.sample import (
    SampleColumns,
    collapse_example,
    digest_of,
    group_order,
    name_of,
    refuse_own,
    refuse_repeated,
    row_groups,
    show_replicates,
)
from askance.cli.typed_request import Level, takes_request
from askance.cli.verb_result import (
    OutputOptions,
    echo_misfit,
    echo_one_look,
    echo_results,
    echo_tables,
    fieldwork_json,
    single_result,
)
from askance.engines.count import count_by_attention
from askance.engines.counts import Counts, Fieldwork
from askance.engines.files import name_standard_input
from askance.engines.reading import TableReading
from askance.engines.tables import Columns, column_of
from askance.inference.domains import (
    DomainEstimates,
    LineDomains,
    estimate_domains,
    group_name,
    line_domains,
)
from askance.inference.line.cells import LineEstimate, empty_estimate
from askance.inference.line.estimate_line import estimate_line
from askance.inference.line.plain_number import estimate_plain_sample, numbers_at, ticks_to_report
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.shares.estimate import estimate as estimate_shares
from askance.inference.shares.information import Estimate
from askance.present.result_table import MethodsParagraph, ResultTable, named_rows, result_table
from askance.privacy.losses import local_loss
from askance.results import in_terminal
from askance.survey.deployed import (
    DeployedForm,
    PlainAnswers,
    ProtectedAnswers,
    answers_channel,
    minimum_of,
)
from askance.survey.random_ranges import PlainNumber, ProtectedNumber
from askance.survey.report_preview import AbstractDeployed
from askance_collect.cli.documents import echo_json, save
from askance_collect.errors import InputError, NotIdentified
from askance_collect.wire.form import Form, unpiped
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import Choice

QuestionEstimate = Estimate | DomainEstimates | LineEstimate | LineDomains
"""What was learnt of one question: of everybody, or of each group."""


@final
class EstimateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates of a form's questions, or of a column of reports.

    Attributes
    ----------
    page : Path, optional
        Write the analyst's page, one file that loads nothing.
    attentive : bool
        Leave out people who [failed an attention
        check](#without-those-who-fail-an-attention-check).
    """

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    page: Path | None = None
    attentive: bool = False
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    sample: SampleColumns = SampleColumns()


@takes_request()
@show_replicates
def estimate(request: EstimateRequest) -> None:
    """Estimate from REPORTS under FORM.

    Each of REPORTS is a .db, .csv, .jsonl, .parquet, .sav or .dta file, postgresql://…, or counts
    that `askance count` wrote; all are added up. FORM may be a channel as JSON instead of a form,
    or a --mechanism takes its place; REPORTS then are tables with a column of its reports, or
    counts of them in TOML. Columns define groups and the sampling design.
    """
    source = read_source(request.source, request.tables)
    sample, output = request.sample, request.output
    if request.attentive and source.form is None:
        raise InputError("--attentive", got="a channel", allowed="a form")
    if source.form is None:
        result, methods_arguments = _estimate_channel(source, sample, request.level)
        if request.page is not None:
            page = _page_of_one(source, sample, result, methods_arguments, request.level)
            save(request.page, page)
        _write_one(result, methods_arguments, output)
        return
    if {*sample.flags} - {"recode"}:
        estimates = _by_question(source, source.form, sample, request)
        if request.page is not None:
            page = _page_of_several(source, source.form, sample, estimates, request)
            save(request.page, page)
        _write_several(source.form, sample, estimates, output)
        whys = [*estimates.failed, *estimates.left_out.values()]
        _echo_names(("without a report", estimates.blank), *(("left out", [why]) for why in whys))
        echo_one_look(estimates.fieldwork, output.form)
        return
    _analyse(source, source.form, request)


def _estimate_channel(
    source: ReportSource, sample: SampleColumns, level: float
) -> tuple[QuestionEstimate, dict[str, Any]]:
    """Estimate through one channel, or through that of each person; and say how they were asked."""
    if source.own is None:
        tally: Any = tallies_of(source, sample)
        how = {"channel": source.channel, "recipe": source.recipe, "sampling": sample.sampling}
        return _estimate_tally(tally, level, sample.by, 1), how
    tallies = tally_question(source, sample)
    tally = tallies.counted.get(())
    if tally is None:
        tally = {
            group: counted.stacked
            for group, counted in tallies.counted.items()
            if isinstance(counted, GroupedTally)
        }
    return _estimate_tally(tally, level, sample.by, 1), tallies.methods_arguments


def _page_of_one(
    source: ReportSource,
    sample: SampleColumns,
    result: QuestionEstimate,
    methods_arguments: Mapping[str, Any],
    level: float,
) -> str:
    """Render the estimates through one channel as a page, group by group."""
    from askance.present.group_page import GroupFinding, render_groups

    overall = (
        _estimate_channel(source, structs.replace(sample, by=()), level)[0] if sample.by else result
    )
    location, channels = name_of(source.places[0]), methods_arguments["channel"]
    listed = channels.values() if isinstance(channels, Mapping) else [channels]
    finding = GroupFinding(
        text=sample.column or "reports",
        description=f"Reports were drawn at random given the answer: {source.name}.",
        overall=_overall(overall),
        groups=_groups(result),
        promise=(max(map(local_loss, listed), key=lambda guarantee: guarantee.value).promise,),
        pool=_command_line("small-areas", source, sample, level),
    )
    return render_groups(location, [finding], **_reproduced(source, sample, level))


def _page_of_several(
    source: ReportSource,
    deployed: DeployedForm,
    sample: SampleColumns,
    estimates: "_FormEstimates",
    request: EstimateRequest,
) -> str:
    """Render the estimates of a form's questions as a page, group by group."""
    from askance.present.group_page import GroupFinding, render_groups
    from askance.present.page_sheet import HOW

    named = {question.question.name: question for question in deployed.questions}
    alone = structs.replace(sample, by=())
    overall = _by_question(source, deployed, alone, request) if sample.by else estimates
    words = {name: question.wording for name, question in named.items()}
    findings = [
        GroupFinding(
            text=unpiped(in_first_language(question.question.text)),
            description=f"{HOW[question.report_kind]}.",
            overall=_overall(overall.results[name]),
            groups=_groups(result),
            wording=question.wording,
            names=words,
            promise=_promise(question),
            pool=_command_line(
                "small-areas", source, structs.replace(sample, column=name), request.level
            ),
        )
        for name, result in estimates.results.items()
        for question in [named[name]]
    ]
    form = deployed.form
    return render_groups(
        form.document["title"][form.languages[0]],
        findings,
        language=form.languages[0],
        notes=_notes(estimates),
        form_fingerprint=form.fingerprint,
        **_reproduced(source, sample, request.level, attentive=request.attentive),
    )


def _notes(estimates: "_FormEstimates") -> list[str]:
    """Say how intervals are meant, and whose reports and which questions are not shown."""
    from askance.present.findings import explain_open_survey

    notes = [*filter(None, [explain_open_survey(estimates.fieldwork)])]
    notes += [f"Left out: {why}." for why in estimates.failed]
    if estimates.unshown:
        notes.append(f"Not shown, as no report is informative: {', '.join(estimates.unshown)}.")
    return notes


def _promise(question: AbstractDeployed) -> tuple[str, ...]:
    """Say what is sent, and what the first guarantee means."""
    from askance.present.findings import select_first

    sentences = select_first(question.sentences(), by_answer=question.by_answer)
    return (*sentences, *(guarantee.promise for guarantee in question.guarantees[:1]))


def _overall(overall: QuestionEstimate) -> Estimate | LineEstimate | None:
    """The estimate of all people, or none if it is withheld."""
    return None if isinstance(overall, DomainEstimates | LineDomains) else overall


def _groups(result: QuestionEstimate) -> DomainEstimates | LineDomains | None:
    """The estimates of groups, or none without groups."""
    return result if isinstance(result, DomainEstimates | LineDomains) and result.by else None


def _reproduced(
    source: ReportSource, sample: SampleColumns, level: float, *, attentive: bool = False
) -> dict[str, str]:
    """How to compute this again, and from what."""
    command = _command_line("estimate", source, sample, level) + " --attentive" * attentive
    return {"command": command, "data_fingerprint": _digests(source.places)}


def _command_line(verb: str, source: ReportSource, sample: SampleColumns, level: float) -> str:
    """What to type for the same sample, places without a folder or a password."""
    flags = [
        word
        for name, value in sample.flags.items()
        for text in (value if isinstance(value, tuple) else [value])
        for word in (f"--{name}", text)
    ]
    form, *mechanisms = source.typed
    names = {location: name_of(location) for location in source.places}
    places = ["-" if name_standard_input(path) == "stdin" else name for path, name in names.items()]
    words = [*([form] if form else []), *places, *mechanisms, *flags, "--level", f"{level:g}"]
    return shlex.join(["askance", verb, *words])


def _write_one(
    result: QuestionEstimate, methods_arguments: dict[str, Any], output: OutputOptions
) -> None:
    """Write what was learnt through one channel."""

    def describe(estimate: Any) -> MethodsParagraph:
        from askance.present import methods_paragraph

        return methods_paragraph(estimate, **methods_arguments)

    echo_results([((), 0, single_result(result))], output, (), describe)
    _say_how_to_collapse([result])


def _write_several(
    deployed: DeployedForm,
    sample: SampleColumns,
    estimates: "_FormEstimates",
    output: OutputOptions,
) -> None:
    """Write what was learnt of several questions of a form."""
    paragraphs = _paragraphs(deployed, estimates.results, sample) if output.methods else {}
    if output.form == "json":
        document = _json(estimates, sample)
        document |= (
            {"methods": {name: paragraph.to_dict() for name, paragraph in paragraphs.items()}}
            if paragraphs
            else {}
        )
        echo_json(document)
        return
    if output.form == "table":
        for name, result in estimates.results.items():
            click.echo(f"{name}: {in_terminal(result)}\n")
        for name, paragraph in paragraphs.items():
            click.echo(f"{name}: {paragraph}\n")
    else:
        several = sample.column is None and len(deployed.questions) > 1
        tables = _tables(estimates.results, output.form, several=several)
        echo_tables(tables, output.form, list(paragraphs.values()))
        echo_misfit(estimates.results)
    _say_how_to_collapse(estimates.results.values())


def _say_how_to_collapse(estimates: Iterable[QuestionEstimate]) -> None:
    """Name the flag that merges a withheld group with another group."""
    for result in estimates:
        if not isinstance(result, DomainEstimates | LineDomains) or not result.by:
            continue
        rows = list(zip(result.groups, result.reports, result.estimates, strict=True))
        small = [group[-1] for group, reports, value in rows if reports and value is None]
        if small and len(rows) > 1:
            column = result.by[-1] if len(result.by) > 1 else ""
            names = dict.fromkeys(group_name(group[-1]) for group in result.groups)
            flag = collapse_example(group_name(small[0]), names, column)
            click.echo(f"to show a group that is withheld, join it with another: {flag}", err=True)
            return


def _echo_names(*notes: tuple[str, Sequence[str]]) -> None:
    """Print names of questions with a reason, on standard error."""
    for why, names in notes:
        if names:
            click.echo(f"{why}: {', '.join(names)}", err=True)


def _tables(results: Mapping[str, Any], how: str, *, several: bool) -> list[ResultTable]:
    """Set what was learnt of each question; of several a column of CSV says which it is."""
    if how == "csv" and several:
        return [
            named_rows(result_table(result), {"question": name}) for name, result in results.items()
        ]
    return [result_table(result, name) for name, result in results.items()]


def _paragraphs(
    deployed: DeployedForm, results: Mapping[str, Any], sample: SampleColumns
) -> dict[str, MethodsParagraph]:
    """Write the methods of each protected question, and name the others."""
    from askance.present.methods import question_methods

    questions = {question.question.name: question for question in deployed.questions}
    written = {
        name: question_methods(questions[name], result, sample.sampling)
        for name, result in results.items()
    }
    others = [name for name, paragraph in written.items() if paragraph is None]
    _echo_names(("no methods are written for", others))
    return {name: paragraph for name, paragraph in written.items() if paragraph is not None}


def _analyse(source: ReportSource, deployed: DeployedForm, request: EstimateRequest) -> None:
    """Estimate every question of a form from counts alone, of all or of those who are attentive."""
    reading = reading_of(source, request.sample)
    counts, left_out = (
        _count_attentive(deployed.form, source, reading)
        if request.attentive
        else (count_source(source, reading), None)
    )
    again = _reproduced(source, request.sample, request.level, attentive=request.attentive)
    analysis = analyse_deployed(
        deployed,
        counts,
        level=request.level,
        command=again["command"],
        data_fingerprint=again["data_fingerprint"],
        left_out=left_out,
    )
    if request.page is not None:
        from askance.present.analysis_page import render_analysis

        save(request.page, render_analysis(analysis))
    _write_analysis(deployed, analysis, request.output)


def _write_analysis(deployed: DeployedForm, analysis: Analysis, output: OutputOptions) -> None:
    """Write what was learnt of every question of a form."""
    findings = [finding for finding in analysis.findings if not finding.suppressed]
    estimates = {finding.name: finding.estimate for finding in findings}
    trusted = {
        finding.name: finding.estimate
        for finding in findings
        if finding.reports and not finding.fit.doubted
    }
    paragraphs = _paragraphs(deployed, trusted, SampleColumns()) if output.methods else {}
    if output.form == "json":
        methods = {name: paragraph.to_dict() for name, paragraph in paragraphs.items()}
        echo_json(analysis.to_dict() | ({"methods": methods} if methods else {}))
    elif output.form == "table":
        from rich.console import Console

        from askance.present.terminal import estimate_table

        Console().print(estimate_table(analysis))
        for name, paragraph in paragraphs.items():
            click.echo(f"{name}: {paragraph}\n")
    else:
        tables = _tables(estimates, output.form, several=len(deployed.questions) > 1)
        echo_tables(tables, output.form, list(paragraphs.values()))
        _warn(analysis)


def _warn(analysis: Analysis) -> None:
    """Warn of withheld questions, and of those whose reports do not fit."""
    withheld = [finding.name for finding in analysis.findings if finding.suppressed]
    odd = [
        finding.name
        for finding in analysis.findings
        if not finding.suppressed and finding.fit.doubted
    ]
    _echo_names(("withheld: too few reports", withheld), ("reports do not fit", odd))


def _estimate_tally(
    tally: Tally | GroupedTally | Mapping[Any, Tally], level: float, by: Sequence[str], minimum: int
) -> QuestionEstimate:
    """Estimate from a tally, or from one for each group; withheld from fewer than so many."""
    if isinstance(tally, Mapping):
        return estimate_domains(tally, level, by=by, minimum=minimum)
    if isinstance(tally, Tally) and tally.total < minimum:
        return estimate_domains({(): tally}, level, by=(), minimum=minimum)
    return estimate_shares(tally, level)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _FormEstimates:
    """Estimates of the questions of a form, with columns of a sample or of groups.

    Attributes
    ----------
    results : Mapping[str, QuestionEstimate]
    blank : sequence of str
        The questions that nobody answered.
    left_out : Mapping[str, str]
        Why others cannot be estimated, by their names.
    failed : sequence of str
        How many they are, in words.
    fieldwork : Fieldwork
        Whether reports still come in.
    """

    results: Mapping[str, QuestionEstimate]
    blank: Sequence[str]
    left_out: Mapping[str, str]
    failed: Sequence[str]
    fieldwork: Fieldwork

    @property
    def unshown(self) -> list[str]:
        """The questions that have no estimate to print."""
        return [*self.blank, *self.left_out]


def _by_question(
    source: ReportSource,
    deployed: DeployedForm,
    sample: SampleColumns,
    request: EstimateRequest,
) -> _FormEstimates:
    """Estimate each question, or one, of everybody or of those who are attentive."""
    named = {question.question.name: question for question in deployed.questions}
    _refuse_column(sample.column, named)
    refuse_reports(deployed, sample.by)
    refuse_own(sample.column, sample.by)
    wanted = [sample.column] if sample.column else [name for name in named if name not in sample.by]
    columns, failed = read_columns(source, sample, []), list[str]()
    if request.attentive:
        columns, failed = _split_by_attention(columns, deployed.form)
        sample = structs.replace(sample, by=(*sample.by, _PASSED))
    minimum = max(minimum_of(deployed.form), 1)
    blank = [name for name in wanted if all(value is None for value in columns[name])]
    _refuse_zero_weights(columns, sample)
    questions = {name: named[name] for name in wanted if name not in blank}
    results, left_out = _estimate_questions(questions, columns, sample, request.level, minimum)
    if not results and blank:
        raise InputError("REPORTS", got=f"blanks alone: {', '.join(blank)}", allowed="a report")
    if request.attentive:
        results = {name: _keep_attentive(result) for name, result in results.items()}
    return _FormEstimates(
        results=results,
        blank=blank,
        left_out=left_out,
        failed=failed,
        fieldwork=source.fieldwork,
    )


def _refuse_zero_weights(columns: Columns, sample: SampleColumns) -> None:
    """Refuse weights that count nobody."""
    weights = column_of(columns, sample.weights, "--weights") if sample.weights else []
    if len(weights) and all(weight == 0 for weight in weights):
        where = f"--weights: column {sample.weights!r}"
        raise InputError(where, got="zeros alone", allowed="a weight above 0")


def _estimate_questions(
    questions: Mapping[str, AbstractDeployed],
    columns: Columns,
    sample: SampleColumns,
    level: float,
    minimum: int,
) -> tuple[dict[str, QuestionEstimate], dict[str, str]]:
    """Estimate each question; say why numbers are left out."""
    results, left_out = dict[str, QuestionEstimate](), dict[str, str]()
    for name, question in questions.items():
        if (channel := answers_channel(question)) is not None:
            tally = tally_columns(channel, columns, columns[name], sample)
            results[name] = _estimate_tally(tally, level, sample.by, minimum)
        elif isinstance(question, PlainNumber | ProtectedNumber):
            try:
                results[name] = _estimate_number(question, columns, sample, level, minimum)
            except InputError as error:
                if sample.column:
                    raise
                left_out[name] = str(error)
    return results, left_out


_PASSED = "--attentive"
"""The column of who failed no check of attention: no question, and no column, is called so."""


def _split_by_attention(columns: Columns, form: Form) -> tuple[Columns, list[str]]:
    """Split people by whether they failed a check of attention, and count those who did.

    Both are groups, so that a group is withheld, too, where those left out of it are few: its
    estimate with them, less that without, would be theirs.
    """
    right = _checks(form)
    wanted = [
        question.answers[right[question.name]].name
        for question in map(form.question, right)
        if isinstance(question, Choice)
    ]
    answer_rows = zip(*(columns[name] for name in right), strict=True)
    passed = [all(map(_is_right, row, wanted)) for row in answer_rows]
    if not any(passed):
        raise InputError("--attentive", got="nobody who passed", allowed="some who did")
    failed = passed.count(False)
    people = f"the reports of {failed:,} people who failed an attention check"
    return {**columns, _PASSED: passed}, [people] if failed else []


def _is_right(answer: object, right: str) -> bool:
    return answer is None or answer == right


def _keep_attentive(domains: QuestionEstimate) -> QuestionEstimate:
    """Return the estimates of people who failed no attention check, by the requested groups."""
    assert isinstance(domains, DomainEstimates | LineDomains)
    positions = [i for i, group in enumerate(domains.groups) if group[-1]]
    groups = tuple(domains.groups[i][:-1] for i in positions)
    reports = tuple(domains.reports[i] for i in positions)
    estimates: Any = tuple(domains.estimates[i] for i in positions)
    # withheld groups together would be with those who failed
    remainder: Any = {"remainder": None} if isinstance(domains, DomainEstimates) else {}
    narrowed = replace(
        domains,
        by=domains.by[:-1],
        groups=groups,
        reports=reports,
        estimates=estimates,
        **remainder,
    )
    return estimates[0] if not narrowed.by and estimates[0] is not None else narrowed


def _refuse_column(column: str | None, named: Mapping[str, AbstractDeployed]) -> None:
    """Refuse a column that is not a question which can be estimated by itself."""
    kinds = PlainAnswers | ProtectedAnswers | PlainNumber | ProtectedNumber
    if column is None or isinstance(named.get(column), kinds):
        return
    answered = [name for name, question in named.items() if isinstance(question, kinds)]
    raise InputError(
        "--column",
        got=column,
        allowed=f"a question with answers, or a number: {', '.join(answered) or 'none'}",
    )


def _estimate_number(
    question: PlainNumber | ProtectedNumber,
    columns: Columns,
    sample: SampleColumns,
    level: float,
    minimum: int,
) -> LineEstimate | LineDomains:
    """Estimate a number of everybody, or of each group; withheld from fewer than so many."""
    ticks = _ticks(question, columns)
    named = row_groups(columns, sample.by) if sample.by else [()] * len(ticks)
    sampling = sample.sampling.of(columns) if sample.sampling is not None else None
    weighs = np.ones(len(ticks)) if sampling is None else sampling.weights
    counts = [
        value is not None and bool(weight) for value, weight in zip(ticks, weighs, strict=True)
    ]
    reports = dict.fromkeys(sorted(set(named), key=group_order), 0)
    for group, counted in zip(named, counts, strict=True):
        reports[group] += counted
    members, analysis = list(reports.items()), prepare_analysis(question)

    def estimated(i: int) -> LineEstimate:
        in_group = np.array(counts) & np.array([group == members[i][0] for group in named])
        if sampling is None:
            return analysis.estimate(Counter(compress(ticks, in_group)), level)
        return _estimate_sampled_number(question, ticks, sampling.domain(in_group), level)

    domains = line_domains(sample.by, members, estimated, minimum)
    alone = domains.estimates[0] if members and not sample.by else None
    return domains if alone is None else alone


def _ticks(question: PlainNumber | ProtectedNumber, columns: Columns) -> list[Any]:
    """What each person sent, by ticks; None for a blank, and for the whole line."""
    values, line = columns[question.question.name], question.question.line
    if isinstance(question, ProtectedNumber):
        return [None if value == (0, line.ticks) else value for value in values]
    first, step = line.value_at(0), line.step
    return [None if value is None else round((Fraction(value) - first) / step) for value in values]


def _estimate_sampled_number(
    question: PlainNumber | ProtectedNumber,
    values: Sequence[Any],
    sampling: AbstractSamplingDesign,
    level: float,
) -> LineEstimate:
    """Estimate the distribution of a number from a complex sample."""
    line = question.question.line
    n, numbers = int(np.count_nonzero(sampling.weights)), numbers_at(line, ticks_to_report(line))
    nothing = empty_estimate(numbers, level, line.unit, n, integer=line.integer)
    if not sampling.with_replacement().df > 0:
        return nothing
    if isinstance(question, PlainNumber):
        unit = in_first_language(question.question.unit)
        return estimate_plain_sample(line, values, sampling, level=level, unit=unit)
    anywhere = (0, line.ticks)
    cells = question.channel.ranges([anywhere if value is None else value for value in values])
    try:
        return estimate_line(
            question.channel,
            cells,
            level,
            sampling=sampling,
            stopping=question.question.progressive,
        )
    except NotIdentified:  # the ranges that were sent settle no share
        return nothing


def _json(estimates: _FormEstimates, sample: SampleColumns) -> Any:
    if sample.column is not None:
        return {**estimates.results[sample.column].to_dict(), **fieldwork_json(estimates.fieldwork)}
    return {
        "questions": {name: result.to_dict() for name, result in estimates.results.items()},
        "left_out": estimates.unshown,
        "fieldwork": estimates.fieldwork.value,
    }


def _count_attentive(
    form: Form, source: ReportSource, reading: TableReading
) -> tuple[Counts, Counts]:
    """Count the reports of those who failed no attention check, and of those who did."""
    return count_by_attention(refuse_repeated(source.places), form, _checks(form), reading)


def _checks(form: Form) -> dict[str, int]:
    """The position of the right answer of each question that checks attention."""
    if not (right := find_right_answers(form)):
        raise InputError(
            "--attentive",
            got="a form without an attention check",
            allowed="a form with one",
            remedy='write attention = "…", the right answer, into a plain question',
        )
    return right


def _digests(reports: Sequence[str]) -> str:
    """The SHA-256 of the file; of several the SHA-256 of their digests, one after the other."""
    digests = [digest_of(location) for location in reports]
    if len(digests) == 1 or not all(digests):
        return digests[0] if len(digests) == 1 else ""
    return sha256("".join(digests).encode("ascii")).hexdigest()
