"""Reports one by one, with what else stands in their row."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

from askance.collect.columns import columns
from askance.collect.store import open_store
from askance.engines.fault import blame_jsonl, check_width, find_columns, read_row
from askance.engines.source import Kind, kind_of
from askance.errors import DocumentError
from askance.wire.canonical import keep_unchangeable
from askance.wire.form import Form
from askance.wire.question import Value
from askance.wire.report import read_values

ID = "id"
"""What a report's id is called, beside its values and in a table of covariates."""


@final
@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report.

    Attributes
    ----------
    values : mapping of str to Value
        What was sent, by question.
    beside : mapping of str to str
        Other columns of its table; of a store, the report's id.
    """

    values: Mapping[str, Value]
    beside: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values beside")


def report_rows(source: str | Path, form: Form) -> list[ReportRow]:
    """Read the reports of a store (a file or ``postgresql://…``), a CSV table or JSON Lines.

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names the row.
    """
    path, kind = Path(source), kind_of(source)
    if kind is Kind.TABLE:
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
    """Read a CSV table: its header, and rows of as many cells.

    Raises
    ------
    DocumentError
        If it cannot be read, or a row has another number of cells than the header.
    """
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
