"""What each respondent reported, as columns for a regression or for groups."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from askance.engines.tables import ID, Columns, read_cells, table_rows
from askance.errors import DocumentError, InputError
from askance.survey.deployed import AbstractDeployed, Way
from askance.survey.deployed_answers import ProtectedAnswers
from askance.wire.question import Value


def respondents(
    questions: Sequence[AbstractDeployed],
    values: Mapping[str, Sequence[Value]],
    beside: Mapping[str, Sequence[str]],
    covariates: Path | None = None,
    *,
    apart: Collection[str] = (),
) -> tuple[Columns, int]:
    """Columns for a regression, and how many reports have no row among the covariates.

    A question about answers is a column of what was reported, None for a blank; a number asked
    plainly is a column of numbers. Questions asked by ranges have no column. Columns that stand
    ``beside`` the values in a table of reports are there too, and so are those of a table of
    covariates: each row of it belongs to the report that bears its ``id``, and reports without a
    row are left out. Columns that tell people ``apart``, such as clusters, are numbers only where
    these tell as many.

    Raises
    ------
    DocumentError
        If the covariates have no ``id``, name one twice, or a column that a question has already.
    """
    without = 0
    if covariates is not None:
        kept, joined = _joined(covariates, beside.get(ID, ()))
        without = max(map(len, values.values()), default=0) - len(kept)
        values = {name: [column[at] for at in kept] for name, column in values.items()}
        beside = {name: [column[at] for at in kept] for name, column in beside.items()} | joined
    columns: Columns = {}
    for one in questions:
        name = one.question.name
        told = one.column(values[name])
        if told is not None:
            columns[name] = told
    for name, cells in beside.items():
        if name in columns:
            raise DocumentError(
                f"{covariates}: column {name}",
                got="the name of a question",
                allowed="a name of its own",
            )
        if cells:
            columns[name] = read_cells(cells, apart=name in apart)
    return columns, without


def _joined(path: Path, ids: Sequence[str]) -> tuple[list[int], dict[str, list[str]]]:
    """Which reports have a row in a table of covariates, and the columns of it in their order."""
    known = _by_id(path)
    kept = [at for at, id in enumerate(ids) if id in known]
    if not kept:
        raise DocumentError(
            str(path),
            got="no id of a report",
            allowed="ids that respondents kept, in a column named id",
            remedy="an export has no ids: give the store, or a table that has them",
        )
    names = known[ids[kept[0]]]
    return kept, {name: [known[ids[at]][name] for at in kept] for name in names}


def protected(questions: Sequence[AbstractDeployed], name: str) -> ProtectedAnswers:
    """Find the question whose reports are to be regressed.

    Raises
    ------
    InputError
        If there is none of this name that was asked through a table of chances.
    """
    tables = (one for one in questions if isinstance(one, ProtectedAnswers))
    named = {one.question.name: one for one in tables}
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
    what: str = "a covariate",
) -> None:
    """Make sure that no covariate was itself protected: a report is not the answer.

    Raises
    ------
    InputError
        Naming the question.
    """
    for one in questions:
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
