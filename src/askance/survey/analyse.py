"""A form judged before it is asked, and what its reports say: to each question, and to others.

`check` says what each respondent risks and how precise answers will be, `analyse` what was learnt
from counted reports. `reported_ranges` and `respondents` hand reports to other estimators.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.engines.count import ID, Counts, ReportRow
from askance.engines.tables import read_cells, table_rows
from askance.errors import DocumentError, InputError, refuse_unknown
from askance.exact.ratio import whole
from askance.inference.line.cells import LineEstimate, nothing_told
from askance.inference.shares.information import Estimate
from askance.survey.deployed import (
    SIZES,
    AbstractDeployed,
    Analysis,
    Check,
    CheckedQuestion,
    CheckedTrait,
    Finding,
    Way,
    minimum_of,
)
from askance.survey.deployed_answers import ProtectedAnswers
from askance.survey.deployed_numbers import ProtectedNumber
from askance.survey.publish import DeployedForm, deployed, together, traits_of
from askance.wire.form import Form
from askance.wire.question import Value, said, sent_of


@checked
def check(form: Form, sizes: Sequence[int] = SIZES) -> Check:
    """Judge every question of a form, and questions about one trait together.

    Parameters
    ----------
    form : Form
    sizes : sequence of int
        Numbers of reports to give the precision for.

    >>> from askance.survey.survey_file import load_survey
    >>> from askance.survey.publish import publish
    >>> judged = check(publish(load_survey("examples/affairs.toml")))
    >>> judged.questions[3].words[-1]
    'What is sent is always true.'
    """
    return judged(DeployedForm.of(form), sizes)


def judged(deployed: DeployedForm, sizes: Sequence[int] = SIZES) -> Check:
    """Judge a form whose questions are built already."""
    sizes = [whole(n, "check.sizes", "numbers of people in [1, ∞)") for n in sizes]
    form, questions = deployed.form, deployed.questions
    guarantees = {one.question.name: one.guarantees for one in questions}
    traits = tuple(
        CheckedTrait(trait, names, together([guarantees[name] for name in names]))
        for trait, names in traits_of(form).items()
    )
    return Check(
        form.document["title"][deployed.language],
        form.fingerprint,
        tuple(_judged(one, sizes) for one in questions),
        traits,
        _warnings(deployed),
    )


def _judged(one: AbstractDeployed, sizes: Sequence[int]) -> CheckedQuestion:
    n = sizes[len(sizes) // 2] if sizes else SIZES[1]
    widths = one.precision(sizes)
    return CheckedQuestion(
        one.question.name,
        said(one.question.text),
        one.question.kind,
        one.sentences(),
        one.guarantees,
        tuple(zip(sizes, widths, strict=True)) if widths else (),
        one.preview(),
        one.spread,
        one.protection(),
        one.moved(max(n // 10, 1), n),
        one.by_answer,
    )


def _warnings(deployed: DeployedForm) -> tuple[str, ...]:
    questions = deployed.questions
    told = [one.blank_warning for one in questions] + [one.mean_warning for one in questions]
    told = [*filter(None, told), *deployed.rounding_notes]
    if plain := [one.question.name for one in questions if not one.guarantees]:
        told.append(
            f"Asked plainly, and kept as given: {', '.join(plain)}. Together with other answers "
            "they can single a person out in a small population."
        )
    return tuple(told)


@checked
def analyse(
    form: Form,
    counts: Counts,
    *,
    level: float = 0.95,
    command: str = "",
    data_fingerprint: str = "",
    truth: Mapping[str, Mapping[str, float]] | None = None,
) -> Analysis:
    """Estimate every question of a form from its counted reports.

    Channels are taken from the form: what was deployed is what is inverted.

    Parameters
    ----------
    form : Form
    counts : Counts
        From `askance.engines.count.count_reports`.
    level : float in (0, 1)
    command, data_fingerprint : str
        How to compute this again, and from what.
    truth : mapping, optional
        By question and label, for a rehearsal.

    Raises
    ------
    InputError
        If the level is not in (0, 1).
    """
    return analysed(
        DeployedForm.of(form),
        counts,
        level=level,
        command=command,
        data_fingerprint=data_fingerprint,
        truth=truth,
    )


def analysed(
    deployed: DeployedForm,
    counts: Counts,
    *,
    level: float = 0.95,
    command: str = "",
    data_fingerprint: str = "",
    truth: Mapping[str, Mapping[str, float]] | None = None,
) -> Analysis:
    """Estimate every question of a form whose questions are built already."""
    if not 0 < level < 1:
        raise InputError("level", got=level, allowed="a probability in (0, 1)")
    form, known = deployed.form, dict[str, Any](truth or {})
    for name, told in known.items():
        refuse_unknown("analyse.truth", name, [question.name for question in form.questions])
        if not isinstance(told, Mapping):
            where, allowed = f"analyse.truth[{name!r}]", "a mapping of labels to numbers"
            raise InputError(where, got=told, allowed=allowed)
    minimum = minimum_of(form)
    findings = tuple(
        _finding(one, counts.values[name], minimum, level, known.get(name))
        for name, one in zip((one.name for one in form.questions), deployed.questions, strict=True)
    )
    return Analysis(
        form=form,
        reports=counts.reports,
        command=command,
        form_fingerprint=form.fingerprint,
        data_fingerprint=data_fingerprint,
        findings=findings,
    )


def _finding(
    one: AbstractDeployed,
    values: Mapping[Value, int],
    minimum: int,
    level: float,
    truth: Mapping[str, float] | None,
) -> Finding:
    total, n = sum(values.values()), sum(sent_of(values).values())
    learnt, (units, of) = one.learn(values, level), one.question.blank
    return Finding(
        name=one.question.name,
        text=said(one.question.text),
        kind=one.question.kind,
        protected=bool(one.guarantees),
        reports=n,
        blank=total - n,
        expected_blank=total * units / of,
        estimate=_unsure(learnt.estimate) if learnt.fit.doubted else learnt.estimate,
        sent=one.sentences(),
        guarantees=one.guarantees,
        truth=truth,
        suppressed=n < minimum,
        spread=one.spread if one.guarantees else "",
        fit=learnt.fit,
        manipulation=learnt.moved,
        way=one.way,
        wording=one.wording,
        left_open=learnt.left_open,
        tally=learnt.tally,
    )


def _unsure(found: Estimate | LineEstimate) -> Estimate | LineEstimate:
    """Let every interval span all that is possible: what was sent to mislead has no law."""
    nothing = float("nan")
    if isinstance(found, Estimate):
        k = len(found.labels)
        worth = np.full(k, nothing)
        return replace(found, lower=np.zeros(k), upper=np.ones(k), effective_sample_size=worth)
    wide = nothing_told(found.ticks, found.level, found.unit, whole=found.whole)
    first, last = wide.lower, wide.upper
    quantiles = {share: (first, middle, last) for share, (_, middle, _) in found.quantiles.items()}
    return replace(
        found,
        lower=first,
        upper=last,
        band_lower=wide.band_lower,
        band_upper=wide.band_upper,
        quantiles=quantiles,
        effective_sample_size=nothing,
    )


@checked
def reported_ranges(form: Form, counts: Counts, question: str) -> Ranges:
    """Interval-censored data of a numeric question: its distinct ranges, with their counts.

    Parameters
    ----------
    form : Form
    counts : Counts
        What `count_reports` found in the store; blanks are left out.
    question : str
        The name of a question that was asked by ranges.

    Returns
    -------
    Ranges
        In the unit of the form, with no end where a report has no limit.

    Raises
    ------
    InputError
        If the question is not asked by ranges.
    FormError
        If the form has no such question.

    >>> from askance.survey.survey_file import parse_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Age"
    ... consent = "Voluntary."
    ... [[question]]
    ... name = "age"
    ... text = "How old are you?"
    ... line = { lower = 20, upper = 80, step = 10, unit = "years" }
    ... mechanism = { name = "cuts", number = 1 }
    ... '''))
    >>> counts = Counts(9, {"age": {(0, 2): 3, (2, 6): 5, None: 1}})  # up to the second tick: 40
    >>> reported_ranges(form, counts, "age")
    Ranges((-inf, 40], (40, inf])
    """
    asked = deployed(form.question(question))
    if not isinstance(asked, ProtectedNumber):
        raise InputError(
            "reported_ranges.question",
            got=f"{question!r}, a {asked.question.kind} question",
            allowed="a question asked by cuts or a ring",
            remedy="analyse estimates questions of every kind",
        )
    cells = {cell: n for cell, n in counts.values[question].items() if isinstance(cell, tuple)}
    return asked.channel.ranges(list(cells), list(cells.values()))


Columns = dict[str, list[Any]]


def respondents(
    asked: DeployedForm, rows: Sequence[ReportRow], covariates: Path | None = None
) -> tuple[Columns, int]:
    """Columns for a regression, and how many reports have no row among the covariates.

    A question about answers is a column of what was reported, None for a blank; a number asked
    plainly is a column of numbers. Questions asked by ranges have no column. Other columns of a
    table of reports are there too, and so are those of a table of covariates: each row of it
    belongs to the report that bears its ``id``, and reports without a row are left out.

    Raises
    ------
    DocumentError
        If the covariates have no ``id``, name one twice, or a column that a question has already.
    """
    known = _by_id(covariates) if covariates is not None else None
    kept = [row for row in rows if known is None or row.beside.get(ID) in known]
    if known is not None and not kept:
        raise DocumentError(
            str(covariates),
            got="no id of a report",
            allowed="ids that respondents kept, in a column named id",
            remedy="an export has no ids: give the store, or a table that has them",
        )
    columns: Columns = {}
    for one in asked.questions:
        name = one.question.name
        told = one.column([row.values[name] for row in kept])
        if told is not None:
            columns[name] = told
    beside = [{**row.beside, **(known[row.beside[ID]] if known else {})} for row in kept]
    for name in beside[0] if beside else ():
        if name in columns:
            raise DocumentError(
                f"{covariates}: column {name}",
                got="the name of a question",
                allowed="a name of its own",
            )
        columns[name] = read_cells([cells.get(name, "") for cells in beside])
    return columns, len(rows) - len(kept)


def protected(asked: DeployedForm, name: str) -> ProtectedAnswers:
    """Find the question whose reports are to be regressed.

    Raises
    ------
    InputError
        If there is none of this name that was asked through a table of chances.
    """
    tables = (one for one in asked.questions if isinstance(one, ProtectedAnswers))
    named = {one.question.name: one for one in tables}
    if name not in named:
        raise InputError(
            "formula",
            got=name,
            allowed=f"a protected question on the left: {', '.join(named) or 'the form has none'}",
        )
    return named[name]


def refuse_protected(
    asked: DeployedForm, names: Sequence[str], where: str = "formula", what: str = "a covariate"
) -> None:
    """Make sure that no covariate was itself protected: a report is not the answer.

    Raises
    ------
    InputError
        Naming the question.
    """
    for one in asked.questions:
        if one.question.name in names and one.way is not Way.PLAINLY:
            raise InputError(
                where,
                got=f"{one.question.name} as {what}",
                allowed="questions that were asked plainly, or other columns",
                remedy="its reports are not its answers",
            )


def _by_id(path: Path) -> Mapping[str, Mapping[str, str]]:
    header, rows = table_rows(path)
    if header.count(ID) != 1:
        raise DocumentError(
            f"{path}: row 1", got=f"{header.count(ID)} columns named 'id'", allowed="exactly one"
        )
    at = header.index(ID)
    known = {row[at].strip().lower(): dict(zip(header, row, strict=True)) for row in rows}
    if len(known) < len(rows):
        raise DocumentError(str(path), got="an id twice", allowed="one row for each report")
    for id, cells in known.items():
        cells[ID] = id
    return known
