"""What was reported: the ranges sent to one question, or every respondent as a row of a table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.engines.rows import ID, Counts, ReportRow, table_rows
from askance.errors import DocumentError, InputError
from askance.survey.deployed import Way
from askance.survey.deployed_answers import ProtectedAnswers
from askance.survey.deployed_numbers import ProtectedNumber
from askance.survey.publish import DeployedForm, deployed
from askance.wire.form import Form


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
        columns[name] = _read([cells.get(name, "") for cells in beside])
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


def refuse_protected(asked: DeployedForm, names: Sequence[str]) -> None:
    """Make sure that no covariate was itself protected: a report is not the answer.

    Raises
    ------
    InputError
        Naming the question.
    """
    for one in asked.questions:
        if one.question.name in names and one.way is not Way.PLAINLY:
            raise InputError(
                "formula",
                got=f"{one.question.name} as a covariate",
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


def _read(cells: Sequence[str]) -> list[Any]:
    """Read a column as numbers if it holds nothing else; an empty cell is missing."""
    try:
        return [float(cell) if cell else None for cell in cells]
    except ValueError:
        return [cell or None for cell in cells]
