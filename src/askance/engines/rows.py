"""Reports one by one, with what else stands in their row, and the first row that is none."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from askance.arguments import checked
from askance.collect.export import columns, find_columns, unspell
from askance.collect.store import open_store
from askance.engines.sources import Kind, check_width, kind_of, parquet_rows
from askance.errors import DocumentError, InputError, ReportRefused
from askance.typing import Json
from askance.wire.form import Form
from askance.wire.question import Question, Value, keep_unchangeable
from askance.wire.report import read_values

ID = "id"
"""What a report's id is called, beside its values and in a table of covariates."""


@final
@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report as it was kept, with what stands beside it in its table.

    Attributes
    ----------
    values : mapping of str to Value
        What was sent, by question.
    beside : mapping of str to str
        Other columns of its table; of a store, the report's ``id``.
    """

    values: Mapping[str, Value]
    beside: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values beside")


@checked
def report_rows(source: str | Path, form: Form) -> list[ReportRow]:
    r"""Read reports one by one from a store or a file, for a regression on them.

    To count them, `count_reports` need not bring them here.

    Parameters
    ----------
    source : str or Path
        A store (a file or ``postgresql://…``), what was exported of it, or such a table as Parquet.
    form : Form

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names the row.

    >>> from tempfile import TemporaryDirectory
    >>> from askance.engines import ReportRow, report_rows
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("tea,age\nno,31\nyes,40\n")
    ...     rows: list[ReportRow] = report_rows(table, form)
    >>> [(row.values["tea"], row.beside["age"]) for row in rows]
    [(1, '31'), (0, '40')]
    """
    path, kind = Path(source), kind_of(source)
    if kind is Kind.COUNTED:
        raise DocumentError(str(path), got="counts", allowed="the reports themselves")
    if kind in (Kind.TABLE, Kind.PARQUET):
        return list(_from_table(path, form))
    if kind is Kind.LINES:
        blame_jsonl(path, form)
        lines = path.read_text(encoding="utf-8").splitlines()
        return [ReportRow(read_values(json.loads(line), form), {}) for line in lines]
    store = open_store(source, form, read_only=True)
    try:
        return [
            ReportRow(read_values(json.loads(answers), form), {ID: id})
            for id, answers in store.reports()
        ]
    finally:
        store.close()


def table_rows(path: Path) -> tuple[list[str], list[list[str]]]:
    """Read a CSV table, or one of Parquet as text: its header, and rows of as many cells.

    Raises
    ------
    DocumentError
        If it cannot be read, or a row has another number of cells than the header.
    """
    if path.suffix.lower() == Kind.PARQUET.value:
        return parquet_rows(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = csv.reader(file, strict=True)
    except (OSError, ValueError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error
    for number, row in enumerate(rows, start=2):
        check_width(row, header, f"{path}: row {number}")
    return header, rows


def _from_table(path: Path, form: Form) -> Iterator[ReportRow]:
    header, rows = table_rows(path)
    places = find_columns(header, columns(form), str(path))
    asked = {at for group in places.values() for at in group}
    others = {name: at for at, name in enumerate(header) if at not in asked}
    for number, row in enumerate(rows, start=2):
        values = read_row(row, places, form, f"{path}: row {number}")
        yield ReportRow(values, {name: row[at] for name, at in others.items()})


def read_row(
    row: Sequence[str], places: Mapping[str, tuple[int, ...]], form: Form, where: str
) -> dict[str, Value]:
    """Read the values in a row of a table; a refusal names the column and does not repeat the cell.

    Raises
    ------
    DocumentError
        If there is something that no respondent can have sent.
    """
    values = {}
    for question in form.questions:
        try:
            values[question.name] = unspell(question, [row[at] for at in places[question.name]])
        except InputError as error:
            named = columns(form)[question.name]
            if len(named) == 1:
                place, empty = f"column {named[0]}", "an empty cell for a blank"
            else:
                place, empty = f"columns {' and '.join(named)}", "an empty cell for an open end"
            allowed = f"{error.allowed}; or {empty}"
            raise DocumentError(f"{where}, {place}", allowed=allowed) from None
    return values


def blame_csv(path: Path, form: Form) -> None:
    """Raise for the first row of a table that is wrong, if there is one; the cell is not repeated.

    Raises
    ------
    DocumentError
        With row and column. Row 1 is the header.
    """
    where = f"{path}: row 1"
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = next(rows, [])
            places = find_columns(header, columns(form), str(path))
            for number, row in enumerate(rows, start=2):
                where = f"{path}: row {number}"
                check_width(row, header, where)
                read_row(row, places, form, where)
    except (csv.Error, UnicodeDecodeError) as error:
        raise DocumentError(where, got=str(error), allowed="a CSV table in UTF-8") from error


def blame_parquet(path: Path, form: Form) -> None:
    """Raise for the first row of a Parquet file that is wrong, if there is one.

    Raises
    ------
    DocumentError
        With row and column; there is no header, and the first row is row 1.
    """
    header, rows = parquet_rows(path)
    places = find_columns(header, columns(form), str(path))
    for number, row in enumerate(rows, start=1):
        read_row(row, places, form, f"{path}: row {number}")


def blame_jsonl(path: Path, form: Form) -> None:
    """Raise for the first line of a file that is wrong, if there is one; it is not repeated.

    Raises
    ------
    DocumentError
        With line and question.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}: line {number}"
            try:
                values = json.loads(line)
                if not isinstance(values, dict):
                    raise TypeError
                read_values(values, form)
            except ReportRefused as error:
                raise DocumentError(f"{where}: {error.where}", allowed=error.allowed) from None
            except (ValueError, TypeError, RecursionError):
                raise DocumentError(where, allowed="one JSON object on each line") from None


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """Reports counted by value.

    Attributes
    ----------
    reports : int
        How many reports there are.
    values : Mapping[str, Mapping[Value, int]]
        For each question how often each column, tick, cell ``(a, b)`` or blank (None) was sent.
    """

    reports: int
    values: Mapping[str, Mapping[Value, int]]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values")

    def __add__(self, other: "Counts") -> "Counts":
        """Put reports to one form together that were counted in two places."""
        if not isinstance(other, Counts):
            return NotImplemented
        if set(other.values) != set(self.values):
            raise InputError(
                "Counts.__add__",
                got="counts of other questions",
                allowed="counts of the questions of one form",
            )
        values = {
            name: {one: found.get(one, 0) + more.get(one, 0) for one in {**found, **more}}
            for name, found in self.values.items()
            for more in [other.values[name]]
        }
        return Counts(self.reports + other.reports, in_order(values))

    def __radd__(self, other: object) -> "Counts":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    @checked
    def to_dict(self, form: Form) -> Json:
        """Write the counts for JSON, with the fingerprint of the form whose reports they count."""
        return {
            "askance": COUNTED,
            "form": form.fingerprint,
            "reports": self.reports,
            "questions": {
                name: [[one, count] for one, count in found.items()]
                for name, found in self.values.items()
            },
        }

    @classmethod
    @checked
    def from_dict(cls, written: Any, form: Form) -> "Counts":
        """Read what `to_dict` wrote, of exactly this form, and check every value against it.

        Raises
        ------
        DocumentError
            If these are no counts, or those of another form.
        """
        parts = {"askance", "form", "reports", "questions"}
        if not isinstance(written, dict) or set(written) != parts or written["askance"] != COUNTED:
            got = ", ".join(sorted(map(str, written))) if isinstance(written, dict) else "no object"
            raise DocumentError(
                "counts", got=got, allowed=f'"askance": "{COUNTED}", form, reports, questions'
            )
        if written["form"] != form.fingerprint:
            raise DocumentError(
                "counts.form",
                got=f"counts for the form {str(written['form'])[:16]}…",
                allowed=f"counts for the form {form.fingerprint[:16]}…",
            )
        told = written["questions"]
        if not isinstance(told, dict) or set(told) != {one.name for one in form.questions}:
            raise DocumentError("counts.questions", allowed="the questions of the form")
        values = {one.name: _counted(told[one.name], one) for one in form.questions}
        reports = written["reports"]
        if type(reports) is not int or {sum(one.values()) for one in values.values()} != {reports}:
            raise DocumentError("counts.reports", allowed="as many reports to every question")
        return cls(reports, in_order(values))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let counts cross processes."""
        values = {name: dict(found) for name, found in self.values.items()}
        return Counts, (self.reports, values)


COUNTED = "counts-1"
"""What written counts say that they are."""


def _counted(told: Any, question: Question) -> dict[Value, int]:
    """Read how often each value was sent to a question."""
    where = f"counts.questions.{question.name}"
    found: dict[Value, int] = {}
    try:
        for spelt, count in told:
            value = tuple(spelt) if isinstance(spelt, list) else spelt
            known = value is None or question.allows(value)
            if not known or type(count) is not int or count < 0 or value in found:
                raise ValueError
            found[value] = count
    except (TypeError, ValueError) as error:
        allowed = "pairs of a value that a respondent can send and how often it was sent"
        raise DocumentError(where, allowed=allowed) from error
    return found


def in_order(values: Mapping[str, Mapping[Value, int]]) -> dict[str, dict[Value, int]]:
    """Bring the values of each question into their order, blanks last."""
    return {name: dict(sorted(found.items(), key=_rank)) for name, found in values.items()}


def _rank(item: tuple[Value, int]) -> tuple[int, ...]:
    value = item[0]
    if value is None:
        return (1,)
    return (0, value) if isinstance(value, int) else (0, *value)
