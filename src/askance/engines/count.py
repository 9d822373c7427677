"""How often each value was sent, question by question, from wherever the reports lie.

A file is counted by DuckDB; the one narwhals expression runs on any other engine as well.
"""

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from askance.arguments import checked
from askance.collect.accept import Store
from askance.collect.export import columns, find_columns, unspell
from askance.collect.store import open_store
from askance.engines.rows import Counts, blame_csv, blame_jsonl, blame_parquet, in_order
from askance.engines.sources import (
    Kind,
    alone,
    csv_table,
    engines,
    kind_of,
    literally,
    parquet_text,
    told_of,
)
from askance.errors import DocumentError, InputError
from askance.wire.form import Form, members
from askance.wire.question import Question, Value


@checked
def count_reports(source: str | Path, form: Form) -> Counts:
    r"""Count the reports of a form where they lie, and check every value against the form.

    Parameters
    ----------
    source : str or Path
        A collector's SQLite file, a ``postgresql://…`` URL, a table in CSV or Parquet with the
        columns that `askance.collect.export.export_csv` writes (more columns do no harm), or JSON
        Lines with one report's values on each line (``.jsonl`` or ``.ndjson``). Or counts that
        `Counts.to_dict` wrote (``.json``).
    form : Form

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names row and column.

    >>> from askance.wire.form import Form
    >>> form = Form.read({
    ...     "askance": "form-1", "title": {"en": ""}, "consent": {"en": ""}, "contact": {"en": ""},
    ...     "languages": ["en"], "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...         {"name": "yes", "label": {"en": "Yes"}}, {"name": "no", "label": {"en": "No"}}]}],
    ... })
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("tea\nyes\nno\nyes\n")
    ...     counts = count_reports(table, form)
    >>> counts.reports, dict(counts.values["tea"])
    (3, {0: 2, 1: 1})
    """
    if kind_of(source) is Kind.COUNTED:
        return _read_counts(Path(source), form)
    values = in_order(_group(source, form))
    reports = sum(next(iter(values.values())).values())
    return Counts(reports, values)


def _read_counts(path: Path, form: Form) -> Counts:
    try:
        written = json.loads(path.read_bytes(), object_pairs_hook=members)
    except (ValueError, RecursionError) as error:
        raise DocumentError(str(path), got=str(error), allowed="counts in JSON") from error
    return Counts.from_dict(written, form)


def _group(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    kind = kind_of(source)
    if kind is Kind.STORE:
        return group_database(source, form)
    group = {Kind.TABLE: group_csv, Kind.LINES: group_jsonl, Kind.PARQUET: group_parquet}[kind]
    return group(Path(source), form)


def group_database(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the reports in a store by value, for each question.

    Raises
    ------
    DocumentError
        If the store is another form's, or holds what no respondent can have sent.
    """
    store = open_store(source, form, read_only=True)
    try:
        return group_store(store, form)
    finally:
        store.close()


def group_store(store: Store, form: Form) -> dict[str, dict[Value, int]]:
    """Count the reports in an open store by value, for each question.

    Raises
    ------
    DocumentError
        If it holds what no respondent can have sent.
    """
    found = store.counts([question.name for question in form.questions])
    groups: dict[str, dict[Value, int]] = {}
    for question in form.questions:
        group: dict[Value, int] = {}
        for spelling, count in found[question.name]:
            value = None if spelling is None else json.loads(spelling)
            if spelling is None or not (value is None or question.allows(value)):
                raise DocumentError(
                    f"reports.answers.{question.name}",
                    got=f"{count} reports with something else",
                    allowed="null, or a value that some respondent can send",
                    remedy="the database was changed by another program",
                )
            group[tuple(value) if isinstance(value, list) else value] = count
        groups[question.name] = group
    return groups


def group_csv(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the rows of a table by value, for each question.

    Raises
    ------
    DocumentError
        With the first row and column that no respondent can have sent.
    """
    failed = engines()[0].Error
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
        places = find_columns(header, columns(form), str(path))
        with alone() as engine:
            table = csv_table(engine, path, len(header))
            return {
                question.name: _group_rows(
                    table,
                    [f"c{at}" for at in places[question.name]],
                    partial(_from_cells, question),
                )
                for question in form.questions
            }
    except (failed, InputError, UnicodeDecodeError, csv.Error) as error:
        blame_csv(path, form)
        raise _unreadable(path, error) from error


def group_parquet(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the rows of a Parquet file by value, for each question.

    Raises
    ------
    DocumentError
        With the first row and column that no respondent can have sent.
    """
    try:
        with alone() as engine, told_of(path):
            table = parquet_text(engine, path)
            named = columns(form)
            find_columns(table.columns, named, str(path))
            return {
                question.name: _group_rows(
                    table, named[question.name], partial(_from_cells, question)
                )
                for question in form.questions
            }
    except InputError as error:
        blame_parquet(path, form)
        raise _unreadable(path, error) from error


def group_jsonl(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the lines of a file by value, for each question.

    Raises
    ------
    DocumentError
        With the first line and question that no respondent can have sent.
    """
    failed = engines()[0].Error
    names = [question.name for question in form.questions]
    whole = f"list_sort(json_keys(json)) = {sorted(names)}"
    picked = ", ".join(
        f"CASE WHEN {whole} THEN json -> '{name}' END AS c{at}" for at, name in enumerate(names)
    )
    query = f"SELECT {picked} FROM read_ndjson_objects(?)"  # noqa: S608 names are [a-z0-9_]
    try:
        with alone() as engine:
            lines = engine.sql(query, params=[literally(path)])
            return {
                question.name: _group_rows(lines, [f"c{at}"], partial(_from_json, question))
                for at, question in enumerate(form.questions)
            }
    except (failed, InputError) as error:
        blame_jsonl(path, form)
        raise _unreadable(path, error) from error


def _group_rows(
    relation: Any, names: Iterable[str], read: Callable[[Sequence[str | None]], Value]
) -> dict[Value, int]:
    """Count equal spellings in the engine, then add up those that mean the same."""
    nw = engines()[1]
    frame = nw.from_native(relation)
    counted = frame.group_by(*names).agg(nw.len().alias("how often")).to_native().fetchall()
    group: dict[Value, int] = {}
    for *cells, count in counted:
        value = read(cells)
        group[value] = group.get(value, 0) + count
    return group


def _from_cells(question: Question, cells: Sequence[str | None]) -> Value:
    return unspell(question, [cell or "" for cell in cells])


def _from_json(question: Question, cells: Sequence[str | None]) -> Value:
    value = json.loads(cells[0] or '""')
    if value is not None and not question.allows(value):
        raise InputError(question.name, allowed="what a respondent can send")
    return tuple(value) if isinstance(value, list) else value


def _unreadable(path: Path, error: Exception) -> DocumentError:
    return DocumentError(str(path), got=type(error).__name__, allowed="a file of reports in UTF-8")
