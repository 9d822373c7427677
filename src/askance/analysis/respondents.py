"""What each respondent reported, as columns for a regression or for groups."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from askance.engines.files import TextTable
from askance.engines.reading import AUTOMATIC, TableReading
from askance.engines.tables import ID, Columns, OtherColumns, text_table
from askance.survey.deployed import ProtectedAnswers
from askance.survey.report_preview import AbstractDeployed, ReportKind
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire.form import Form, is_protected
from askance_collect.wire.parts import names_kept_apart
from askance_collect.wire.question import Value


def respondents(
    questions: Sequence[AbstractDeployed],
    values: Mapping[str, Sequence[Value]],
    other_columns: OtherColumns,
    covariates: Path | None = None,
    *,
    id_columns: Collection[str] = (),
    used: Collection[str] = (),
    reading: TableReading = AUTOMATIC,
    covariate_reading: TableReading = AUTOMATIC,
) -> tuple[Columns, int]:
    """Read reports as columns for a regression, and count those without a row of covariates.

    A question about answers is a column of what was reported, None for a blank; a number asked
    plainly is a column of numbers. Questions asked by ranges have no column. The other
    columns of a table of reports are there too, and so are those of a table of
    covariates: each row of it belongs to the report that bears its ``id``, and reports without a
    row are left out. ``id_columns`` identify groups of people, such as clusters: they are numbers
    only where these tell as many apart. Of columns that are ``used`` none may hold numbers beside
    other entries. The file of covariates is opened by ``covariate_reading``, and all cells are read
    by ``reading``.

    Raises
    ------
    DocumentError
        If the covariates have no ``id``, name one twice, or a column that a question has already;
        or numbers stand beside other entries.
    """
    without, tables = 0, [other_columns]
    if covariates is not None:
        ids = other_columns.cells.get(ID, ())
        rows, joined = _join_covariates(covariates, ids, covariate_reading)
        without = max(map(len, values.values()), default=0) - len(rows)
        values = {name: [column[i] for i in rows] for name, column in values.items()}
        tables = [other_columns.at_rows(rows), joined]
    columns: Columns = {}
    for question in questions:
        name = question.question.name
        column = question.column(values[name])
        if column is not None:
            columns[name] = column
    asked = {*columns}
    for table in tables:
        for name, cells in table.cells.items():
            if name in asked:
                raise DocumentError(
                    f"{covariates}: column {name}",
                    got="the name of a question",
                    allowed="a name of its own",
                )
            if cells:
                columns[name] = table.read(
                    name, reading, is_identifier=name in id_columns, is_used=name in used
                )
    return columns, without


def _join_covariates(
    path: Path, ids: Sequence[str], reading: TableReading
) -> tuple[list[int], OtherColumns]:
    """Join a table of covariates to reports by id: the matched rows and the columns."""
    table = text_table(path, reading=reading)
    row_by_id = _index_by_id(path, table)
    rows = [i for i, id in enumerate(ids) if id in row_by_id]
    if not rows:
        raise DocumentError(
            str(path),
            got="no id of a report",
            allowed="ids that respondents kept, in a column named id",
            remedy="an export has no ids: give the store, or a table that has them",
        )
    cells = {name: table.cells(i) for i, name in enumerate(table.header)}
    joined = OtherColumns(cells=cells, where=str(path), form=table.form, rows=table.numbers)
    matched = joined.at_rows([row_by_id[ids[i]] for i in rows])
    return rows, replace(matched, cells={**matched.cells, ID: [ids[i] for i in rows]})


def protected(questions: Sequence[AbstractDeployed], name: str) -> ProtectedAnswers:
    """Find the question whose reports are to be regressed.

    Raises
    ------
    InputError
        If there is none of this name that was asked through a table of chances.
    """
    tables = (question for question in questions if isinstance(question, ProtectedAnswers))
    named = {question.question.name: question for question in tables}
    if name not in named:
        raise InputError(
            "formula",
            got=name,
            allowed=f"a protected question on the left: {', '.join(named) or 'the form has none'}",
        )
    return named[name]


def refuse_protected(
    questions: Sequence[AbstractDeployed],
    names: Sequence[str],
    where: str = "formula",
    role: str = "a covariate",
) -> None:
    """Refuse covariates that were themselves protected: a report is not the answer.

    Raises
    ------
    InputError
        Naming the question.
    """
    for question in questions:
        if question.question.name in names and question.report_kind is not ReportKind.PLAINLY:
            raise InputError(
                where,
                got=f"{question.question.name} as {role}",
                allowed="questions that were asked plainly, or other columns",
                remedy="its reports are not its answers",
            )


def refuse_kept_apart(form: Form, names: Sequence[str], where: str = "formula") -> None:
    """Refuse to join answers that a form keeps apart from those that are estimated.

    Parameters
    ----------
    form : Form
        A whole one, or that of one part.
    names : sequence of str
        Of groups or covariates.
    where : str

    Raises
    ------
    InputError
        Naming the question.
    """
    apart = set(names_kept_apart(form))
    if form.keeps_apart:
        apart = {question.name for question in form.questions if not is_protected(question)}
    if joined := next((name for name in names if name in apart), None):
        raise InputError(
            where,
            got=f"{joined}, whose answers are kept apart (apart = true)",
            allowed="questions of the same part, or other columns",
            remedy="nothing links the plain answers and the reports of one person",
        )


def _index_by_id(path: Path, table: TextTable) -> Mapping[str, int]:
    header = list(table.header)
    if header.count(ID) != 1:
        raise DocumentError(
            f"{path}: row 1", got=f"{header.count(ID)} columns named 'id'", allowed="exactly one"
        )
    position = header.index(ID)
    by_id = {row[position].strip().lower(): i for i, row in enumerate(table.rows)}
    if len(by_id) < len(table.rows):
        raise DocumentError(str(path), got="an id twice", allowed="one row for each report")
    return by_id
