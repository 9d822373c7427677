"""From a form and its reports to estimates: what was learnt of each question.

`estimate` also takes a channel as JSON instead of a form, or a design by its name, and then the
columns of any table.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from hashlib import file_digest, sha256
from itertools import compress
from pathlib import Path
from typing import Any, final

import click
import numpy as np

from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.cli.documents import FILE, echo_json, save
from askance.cli.options import (
    chosen_format,
    design_options,
    echo_misfit,
    echo_one_look,
    echo_tables,
    fieldwork_json,
    output_options,
    sample_options,
    table_options,
)
from askance.cli.reports import (
    Asked,
    asked_by,
    columns_at,
    refuse_reports,
    tallied,
    tallies_of,
    tally_columns,
)
from askance.cli.sample import (
    Sample,
    different,
    group_order,
    groups_of,
    join_example,
    name_of,
    refuse_own,
)
from askance.engines.count import count_by_attention, count_reports
from askance.engines.counts import Counts, Fieldwork
from askance.engines.tables import Columns
from askance.errors import InputError, NotIdentified
from askance.inference.domains import (
    DomainEstimates,
    LineDomains,
    estimate_domains,
    group_name,
    line_domains,
)
from askance.inference.line.cells import LineEstimate, nothing_told
from askance.inference.line.estimate_line import estimate_line
from askance.inference.line.plain_number import estimate_plain_sample, numbers_at, told_ticks
from askance.inference.sampling_design import AbstractDesign
from askance.inference.shares.estimate import estimate as estimate_shares
from askance.inference.shares.information import Estimate
from askance.present.methods import methods_paragraph
from askance.present.result_table import MethodsParagraph, ResultTable, named_rows, result_table
from askance.privacy.losses import local_loss
from askance.results import in_terminal
from askance.survey.analyse import analysed
from askance.survey.attention import right_answers
from askance.survey.deployed import AbstractDeployed, Analysis, minimum_of
from askance.survey.deployed_answers import PlainAnswers, ProtectedAnswers, recipe_of
from askance.survey.deployed_numbers import PlainNumber, ProtectedNumber
from askance.survey.publish import DeployedForm
from askance.wire.answer_question import Choice
from askance.wire.form import Form
from askance.wire.label import said
from askance.wire.pipes import unpiped

_WORDS = click.argument("words", nargs=-1, required=True, metavar="FORM REPORTS...")
_COLUMN = click.option("--column", help="The column that holds the reports.")

Learnt = Estimate | DomainEstimates | LineEstimate | LineDomains
"""What was learnt of one question: of everybody, or of each group."""


@click.command()
@_WORDS
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@output_options
@click.option("--page", type=FILE, help="Write the page.")
@click.option("--attentive", is_flag=True, help="Without those who failed an attention check.")
@design_options
@_COLUMN
@sample_options
@table_options
def estimate(
    words: Sequence[str],
    level: float,
    as_json: bool,
    form_of: str | None,
    with_methods: bool,
    page: Path | None,
    attentive: bool,
    design: Sequence[str],
    answers: str | None,
    **columns: Any,
) -> None:
    """Estimate from REPORTS under FORM.

    Each of REPORTS is a .db, .csv, .jsonl, .parquet, .sav or .dta file, postgresql://…, or counts
    that `askance count` wrote; all are added up. FORM may be a channel as JSON instead of a form,
    or a --design takes its place; REPORTS then are tables with a column of its reports, or counts
    of them in TOML. Columns tell groups apart and say how people were drawn.
    """
    how = chosen_format(form_of, as_json=as_json)
    asked, sample = asked_by(words, design, answers), Sample(**columns)
    if attentive and asked.form is None:
        raise InputError("--attentive", got="a channel", allowed="a form")
    if asked.form is None:
        told, by_which = _through(asked, sample, level)
        if page is not None:
            save(page, _page_of_one(asked, sample, told, by_which, level))
        _write_one(told, by_which, how, with_methods=with_methods)
        return
    if sample.told:
        found = _by_question(asked, asked.form, sample, level, attentive=attentive)
        if page is not None:
            save(page, _page_of_several(asked, asked.form, sample, found, level))
        _write_several(asked.form, sample, found, how, with_methods=with_methods)
        whys = [*found.failed, *found.left_out.values()]
        _say(("without a report", found.blank), *(("left out", [why]) for why in whys))
        echo_one_look(found.fieldwork, how)
        return
    counts = _apart(asked.form.form, asked.places) if attentive else ()
    _analyse(asked, asked.form, level, page, how, counts, with_methods=with_methods)


def _through(asked: Asked, sample: Sample, level: float) -> tuple[Learnt, dict[str, Any]]:
    """Estimate through one channel, or through that of each person; and say how they were asked."""
    if asked.own is None:
        told: Any = tallies_of(asked, sample)
        how = {"channel": asked.channel, "recipe": asked.recipe, "sample": sample.drawn}
        return _learnt(told, level, sample.by, 1), how
    tallies = tallied(asked, sample)
    told = tallies.counted.get(())
    if told is None:
        told = {
            group: one.stacked
            for group, one in tallies.counted.items()
            if isinstance(one, GroupedTally)
        }
    return _learnt(told, level, sample.by, 1), tallies.asked


def _page_of_one(
    asked: Asked, sample: Sample, told: Learnt, by_which: Mapping[str, Any], level: float
) -> str:
    """Set what was learnt through one channel beside each other by group."""
    from askance.present.group_page import GroupFinding, render_groups

    whole = _through(asked, replace(sample, by=()), level)[0] if sample.by else told
    place, channels = name_of(asked.places[0]), by_which["channel"]
    each = channels.values() if isinstance(channels, Mapping) else [channels]
    found = GroupFinding(
        text=sample.column or "reports",
        how=f"Reports were drawn by chance given the answer: {asked.name}.",
        **_parts(told, whole),
        promise=(max(map(local_loss, each), key=lambda one: one.value).promise,),
        pool=_typed("small-areas", asked, sample, level),
    )
    return render_groups(place, [found], **_reproduced(asked, sample, level))


def _page_of_several(
    asked: Asked,
    deployed: DeployedForm,
    sample: Sample,
    found: "_Found",
    level: float,
) -> str:
    """Set what was learnt of each question of a form beside each other by group."""
    from askance.present.group_page import GroupFinding, render_groups
    from askance.present.page_sheet import HOW

    named = {one.question.name: one for one in deployed.questions}
    alone = replace(sample, by=())
    again = partial(_by_question, asked, deployed, alone, level, attentive=found.attentive)
    wholes = again().told if sample.by else found.told
    words = {name: one.wording for name, one in named.items()}
    findings = [
        GroupFinding(
            text=unpiped(said(one.question.text)),
            how=f"{HOW[one.way]}.",
            **_parts(told, wholes[name]),
            wording=one.wording,
            names=words,
            promise=_promise(one),
            pool=_typed("small-areas", asked, replace(sample, column=name), level),
        )
        for name, told in found.told.items()
        for one in [named[name]]
    ]
    form = deployed.form
    return render_groups(
        form.document["title"][form.languages[0]],
        findings,
        language=form.languages[0],
        notes=_notes(found),
        form_fingerprint=form.fingerprint,
        **_reproduced(asked, sample, level, attentive=found.attentive),
    )


def _notes(found: "_Found") -> list[str]:
    """Say how intervals are meant, and whose reports and which questions are not shown."""
    from askance.present.findings import one_look

    notes = [*filter(None, [one_look(found.fieldwork)])]
    notes += [f"Left out: {why}." for why in found.failed]
    if found.unshown:
        notes.append(f"Not shown, without a report that tells: {', '.join(found.unshown)}.")
    return notes


def _promise(one: AbstractDeployed) -> tuple[str, ...]:
    """Say what is sent, and what the first guarantee means."""
    from askance.present.findings import at_once

    sent = at_once(one.sentences(), by_answer=one.by_answer)
    return (*sent, *(guarantee.promise for guarantee in one.guarantees[:1]))


def _parts(told: Learnt, whole: Learnt) -> dict[str, Any]:
    """Everybody's estimate, if it is not withheld, and those of groups, if there are."""
    domains = DomainEstimates | LineDomains
    return {
        "whole": None if isinstance(whole, domains) else whole,
        "groups": told if isinstance(told, domains) and told.by else None,
    }


def _reproduced(
    asked: Asked, sample: Sample, level: float, *, attentive: bool = False
) -> dict[str, str]:
    """How to compute this again, and from what."""
    command = _typed("estimate", asked, sample, level) + " --attentive" * attentive
    return {"command": command, "data_fingerprint": _digests(asked.places)}


def _typed(verb: str, asked: Asked, sample: Sample, level: float) -> str:
    """What to type for the same sample, places without a folder or a password."""
    flags = [
        word
        for name, value in sample.told.items()
        for one in (value if isinstance(value, tuple) else [value])
        for word in (f"--{name}", one)
    ]
    form, *designs = asked.typed
    places = [name_of(one) for one in asked.places]
    words = [*([form] if form else []), *places, *designs, *flags, "--level", f"{level:g}"]
    return shlex.join(["askance", verb, *words])


def _write_one(told: Learnt, asked: dict[str, Any], how: str, *, with_methods: bool) -> None:
    """Write what was learnt through one channel."""
    said = methods_paragraph(told, **asked) if with_methods else None
    if how == "json":
        echo_json(told.to_dict() | ({"methods": said.to_dict()} if said else {}))
    elif how == "table":
        click.echo(in_terminal(told))
        if said:
            click.echo(f"\n{said}")
    else:
        echo_tables([result_table(told)], how, [said] if said else [])
        echo_misfit({"REPORTS": told})
    _say_how_to_join([told])


def _write_several(
    deployed: DeployedForm,
    sample: Sample,
    found: "_Found",
    how: str,
    *,
    with_methods: bool,
) -> None:
    """Write what was learnt of several questions of a form."""
    said = _paragraphs(deployed, found.told, sample) if with_methods else {}
    if how == "json":
        told = _json(found, sample)
        told |= {"methods": {name: one.to_dict() for name, one in said.items()}} if said else {}
        echo_json(told)
        return
    if how == "table":
        for name, one in found.told.items():
            click.echo(f"{name}: {in_terminal(one)}\n")
        for name, paragraph in said.items():
            click.echo(f"{name}: {paragraph}\n")
    else:
        several = sample.column is None and len(deployed.questions) > 1
        echo_tables(_tables(found.told, how, several=several), how, list(said.values()))
        echo_misfit(found.told)
    _say_how_to_join(found.told.values())


def _say_how_to_join(estimates: Iterable[Learnt]) -> None:
    """Name the flag that takes a group which is withheld and another one as one."""
    for result in estimates:
        if not isinstance(result, DomainEstimates | LineDomains) or not result.by:
            continue
        rows = list(zip(result.groups, result.reports, result.estimates, strict=True))
        small = [group[-1] for group, reports, shown in rows if reports and shown is None]
        if small and len(rows) > 1:
            column = result.by[-1] if len(result.by) > 1 else ""
            names = dict.fromkeys(group_name(group[-1]) for group in result.groups)
            flag = join_example(group_name(small[0]), names, column)
            click.echo(f"a group that is withheld can be shown with another: {flag}", err=True)
            return


def _say(*told: tuple[str, Sequence[str]]) -> None:
    """Name questions beside the results, and why."""
    for why, names in told:
        if names:
            click.echo(f"{why}: {', '.join(names)}", err=True)


def _tables(found: Mapping[str, Any], how: str, *, several: bool) -> list[ResultTable]:
    """Set what was learnt of each question; of several a column of CSV says which it is."""
    if how == "csv" and several:
        return [named_rows(result_table(one), {"question": name}) for name, one in found.items()]
    return [result_table(one, name) for name, one in found.items()]


def _paragraphs(
    deployed: DeployedForm, found: Mapping[str, Any], sample: Sample
) -> dict[str, MethodsParagraph]:
    """Write the methods of each protected question, and name the others."""
    asked = {one.question.name: one for one in deployed.questions}
    kinds = ProtectedAnswers | ProtectedNumber
    others = [name for name in found if not isinstance(asked[name], kinds)]
    _say(("methods are written of protected questions, not of", others))
    said: dict[str, MethodsParagraph] = {}
    for name, told in found.items():
        one = asked[name]
        if isinstance(one, ProtectedAnswers):
            said[name] = methods_paragraph(
                told,
                one.channel,
                recipe=recipe_of(one.question),
                drawn=not one.coin,
                sample=sample.drawn,
            )
        elif isinstance(one, ProtectedNumber):
            said[name] = methods_paragraph(told, one.channel, sample=sample.drawn)
    return said


def _analyse(
    asked: Asked,
    deployed: DeployedForm,
    level: float,
    page: Path | None,
    how: str,
    apart: Sequence[Counts],
    *,
    with_methods: bool,
) -> None:
    """Estimate every question of a form from counts alone, of all or of those who are attentive."""
    named = " ".join(shlex.quote(name_of(one)) for one in asked.places)
    flag = " --attentive" * bool(apart)
    typed = "".join(f"{shlex.quote(one)} " for one in asked.typed[1:])
    counts, left_out = apart or (_counts_of(deployed.form, asked.places), None)
    analysis = analysed(
        deployed,
        counts,
        level=level,
        command=f"askance estimate {asked.name} {named} {typed}--level {level:g}{flag}",
        data_fingerprint=_digests(asked.places),
        left_out=left_out,
    )
    if page is not None:
        from askance.present.analysis_page import render_analysis

        save(page, render_analysis(analysis))
    _write_analysis(deployed, analysis, how, with_methods=with_methods)


def _write_analysis(
    deployed: DeployedForm, analysis: Analysis, how: str, *, with_methods: bool
) -> None:
    """Write what was learnt of every question of a form."""
    findings = [one for one in analysis.findings if not one.suppressed]
    shown = {one.name: one.estimate for one in findings}
    trusted = {one.name: one.estimate for one in findings if one.reports and not one.fit.doubted}
    said = _paragraphs(deployed, trusted, Sample()) if with_methods else {}
    if how == "json":
        told = {name: one.to_dict() for name, one in said.items()}
        echo_json(analysis.to_dict() | ({"methods": told} if told else {}))
    elif how == "table":
        from rich.console import Console

        from askance.present.terminal import estimate_table

        Console().print(estimate_table(analysis))
        for name, paragraph in said.items():
            click.echo(f"{name}: {paragraph}\n")
    else:
        tables = _tables(shown, how, several=len(deployed.questions) > 1)
        echo_tables(tables, how, list(said.values()))
        _warn(analysis)


def _warn(analysis: Analysis) -> None:
    """Name the questions that are held back and those whose reports do not fit."""
    held = [one.name for one in analysis.findings if one.suppressed]
    odd = [one.name for one in analysis.findings if not one.suppressed and one.fit.doubted]
    _say(("withheld, from too few reports", held), ("reports do not fit", odd))


def _learnt(
    told: Tally | GroupedTally | Mapping[Any, Tally], level: float, by: Sequence[str], minimum: int
) -> Learnt:
    """Estimate from a tally, or from one for each group; withheld from fewer than so many."""
    if isinstance(told, Mapping):
        return estimate_domains(told, level, by=by, minimum=minimum)
    if isinstance(told, Tally) and told.total < minimum:
        return estimate_domains({(): told}, level, by=(), minimum=minimum)
    return estimate_shares(told, level)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What was learnt of the questions of a form beside columns of a sample.

    Attributes
    ----------
    told : Mapping[str, Learnt]
    blank : sequence of str
        The questions that nobody answered.
    left_out : Mapping[str, str]
        Why others cannot be estimated, by their names.
    attentive : bool
        Whether those who failed a check of attention are left out.
    failed : sequence of str
        How many they are, in words.
    fieldwork : Fieldwork
        Whether reports still come in.
    """

    told: Mapping[str, Learnt]
    blank: Sequence[str]
    left_out: Mapping[str, str]
    attentive: bool
    failed: Sequence[str]
    fieldwork: Fieldwork

    @property
    def unshown(self) -> list[str]:
        """The questions of which nothing is told."""
        return [*self.blank, *self.left_out]


def _by_question(
    asked: Asked, deployed: DeployedForm, sample: Sample, level: float, *, attentive: bool
) -> _Found:
    """Estimate each question, or one, of everybody or of those who are attentive."""
    named = {one.question.name: one for one in deployed.questions}
    _refuse_column(sample.column, named)
    refuse_reports(deployed, sample.by)
    refuse_own(sample.column, sample.by)
    wanted = [sample.column] if sample.column else [one for one in named if one not in sample.by]
    columns, failed = columns_at(asked, sample, []), list[str]()
    if attentive:
        columns, failed = _with_attention(columns, deployed.form)
        sample = replace(sample, by=(*sample.by, _PASSED))
    minimum = max(minimum_of(deployed.form), 1)
    blank = [name for name in wanted if all(value is None for value in columns[name])]
    asked_of = {name: named[name] for name in wanted if name not in blank}
    found, left_out = _each(asked_of, columns, sample, level, minimum)
    if not found and blank:
        raise InputError("REPORTS", got=f"blanks alone: {', '.join(blank)}", allowed="a report")
    if attentive:
        found = {name: _of_attentive(told) for name, told in found.items()}
    return _Found(
        told=found,
        blank=blank,
        left_out=left_out,
        attentive=attentive,
        failed=failed,
        fieldwork=asked.fieldwork,
    )


def _each(
    questions: Mapping[str, AbstractDeployed],
    columns: Columns,
    sample: Sample,
    level: float,
    minimum: int,
) -> tuple[dict[str, Learnt], dict[str, str]]:
    """Estimate each question; say why numbers are left out."""
    found, left_out = dict[str, Learnt](), dict[str, str]()
    for name, one in questions.items():
        if (channel := _channel_of(one)) is not None:
            told = tally_columns(channel, columns, columns[name], sample)
            found[name] = _learnt(told, level, sample.by, minimum)
        elif isinstance(one, PlainNumber | ProtectedNumber):
            try:
                found[name] = _number(one, columns, sample, level, minimum)
            except InputError as error:
                if sample.column:
                    raise
                left_out[name] = str(error)
    return found, left_out


_PASSED = "--attentive"
"""The column of who failed no check of attention: no question, and no column, is called so."""


def _with_attention(columns: Columns, form: Form) -> tuple[Columns, list[str]]:
    """Tell those who failed a check of attention apart from all others; say how many they are.

    Both are groups, so that a group is withheld, too, where those left out of it are few: its
    estimate with them, less that without, would be theirs.
    """
    right = _checks(form)
    wanted = [
        one.answers[right[one.name]].name
        for one in map(form.question, right)
        if isinstance(one, Choice)
    ]
    said = zip(*(columns[name] for name in right), strict=True)
    passed = [all(map(_is_right, row, wanted)) for row in said]
    if not any(passed):
        raise InputError("--attentive", got="nobody who passed", allowed="some who did")
    failed = passed.count(False)
    people = f"the reports of {failed:,} people, who failed a check of attention"
    return {**columns, _PASSED: passed}, [people] if failed else []


def _is_right(said: object, right: str) -> bool:
    return said is None or said == right


def _of_attentive(told: Learnt) -> Learnt:
    """Give what was learnt of those who failed no check, by the groups that were asked for."""
    assert isinstance(told, DomainEstimates | LineDomains)
    at = [place for place, group in enumerate(told.groups) if group[-1]]
    groups = tuple(told.groups[place][:-1] for place in at)
    reports = tuple(told.reports[place] for place in at)
    estimates: Any = tuple(told.estimates[place] for place in at)
    left = replace(told, by=told.by[:-1], groups=groups, reports=reports, estimates=estimates)
    return estimates[0] if not left.by and estimates[0] is not None else left


def _refuse_column(column: str | None, named: Mapping[str, AbstractDeployed]) -> None:
    """Refuse to estimate what is no question that can be estimated by itself."""
    kinds = PlainAnswers | ProtectedAnswers | PlainNumber | ProtectedNumber
    if column is None or isinstance(named.get(column), kinds):
        return
    answered = [name for name, one in named.items() if isinstance(one, kinds)]
    raise InputError(
        "--column",
        got=column,
        allowed=f"a question with answers, or a number: {', '.join(answered) or 'none'}",
    )


def _number(
    one: PlainNumber | ProtectedNumber,
    columns: Columns,
    sample: Sample,
    level: float,
    minimum: int,
) -> LineEstimate | LineDomains:
    """Estimate a number of everybody, or of each group; withheld from fewer than so many."""
    sent = _ticks(one, columns)
    groups = groups_of(columns, sample.by) if sample.by else [()] * len(sent)
    named = [one if isinstance(one, tuple) else (one,) for one in groups]
    design = sample.drawn.of(columns) if sample.drawn is not None else None
    weighs = np.ones(len(sent)) if design is None else design.weights
    counts = [
        value is not None and bool(weight) for value, weight in zip(sent, weighs, strict=True)
    ]
    reports = dict.fromkeys(sorted(set(named), key=group_order), 0)
    for group, counted in zip(named, counts, strict=True):
        reports[group] += counted
    members = list(reports.items())

    def estimated(at: int) -> LineEstimate:
        here = np.array(counts) & np.array([group == members[at][0] for group in named])
        if design is None:
            return one.estimate(Counter(compress(sent, here)), level)
        return _drawn(one, sent, design.domain(here), level)

    told = line_domains(sample.by, members, estimated, minimum)
    alone = told.estimates[0] if members and not sample.by else None
    return told if alone is None else alone


def _ticks(one: PlainNumber | ProtectedNumber, columns: Columns) -> list[Any]:
    """What each person sent, by ticks; None for a blank, and for the whole line."""
    sent, line = columns[one.question.name], one.question.line
    if isinstance(one, ProtectedNumber):
        return [None if value == (0, line.ticks) else value for value in sent]
    first, step = line.at(0), line.step
    return [None if value is None else round((Fraction(value) - first) / step) for value in sent]


def _drawn(
    one: PlainNumber | ProtectedNumber,
    sent: Sequence[Any],
    design: AbstractDesign,
    level: float,
) -> LineEstimate:
    """Estimate a number from what people told who were drawn so."""
    line = one.question.line
    n, numbers = int(np.count_nonzero(design.weights)), numbers_at(line, told_ticks(line))
    nothing = nothing_told(numbers, level, line.unit, n, whole=line.whole)
    if not design.with_replacement().freedom > 0:
        return nothing
    if isinstance(one, PlainNumber):
        unit = said(one.question.unit)
        return estimate_plain_sample(line, sent, design, level=level, unit=unit)
    anywhere = (0, line.ticks)
    cells = one.channel.ranges([anywhere if value is None else value for value in sent])
    try:
        return estimate_line(one.channel, cells, level, design=design, stopping=one.question.narrow)
    except NotIdentified:  # the ranges that were sent settle no share
        return nothing


def _channel_of(one: AbstractDeployed) -> Channel | None:
    return one.channel if isinstance(one, PlainAnswers | ProtectedAnswers) else None


def _json(found: _Found, sample: Sample) -> Any:
    if sample.column is not None:
        return {**found.told[sample.column].to_dict(), **fieldwork_json(found.fieldwork)}
    return {
        "questions": {name: one.to_dict() for name, one in found.told.items()},
        "left_out": found.unshown,
        "fieldwork": found.fieldwork.value,
    }


def _counts_of(form: Form, reports: Sequence[str]) -> Counts:
    """Count the reports of every place, and add them up."""
    first, *more = (count_reports(place, form) for place in different(reports))
    return sum(more, first)


def _apart(form: Form, places: Sequence[str]) -> tuple[Counts, Counts]:
    """Count the reports of those who failed no attention check, and of those who did."""
    return count_by_attention(different(places), form, _checks(form))


def _checks(form: Form) -> dict[str, int]:
    """The position of the right answer of each question that checks attention."""
    if not (right := right_answers(form)):
        raise InputError(
            "--attentive",
            got="a form without an attention check",
            allowed="a form with one",
            remedy='write attention = "…", the right answer, into a plain question',
        )
    return right


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
