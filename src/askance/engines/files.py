"""Count in a file through DuckDB; the one narwhals expression runs on any other engine as well."""

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from askance.collect.export import columns, unspell
from askance.engines.rows import blame_csv, blame_jsonl, find_columns
from askance.errors import DocumentError, InputError, MissingExtra
from askance.wire.form import Form
from askance.wire.question import Question, Value

try:
    import duckdb
    import narwhals as nw
except ImportError as error:
    raise MissingExtra("duckdb or narwhals", "engines") from error


def group_csv(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the rows of a table by value, for each question.

    Raises
    ------
    DocumentError
        With the first row and column that no respondent can have sent.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
        places = find_columns(header, columns(form), str(path))
        with _alone() as engine:
            table = engine.read_csv(
                _literally(path),
                auto_detect=False,
                columns={f"c{at}": "VARCHAR" for at in range(len(header))},
                header=True,
                delimiter=",",
                quotechar='"',
                escapechar='"',
                hive_partitioning=False,
            )
            return {
                question.name: _group_rows(
                    table,
                    [f"c{at}" for at in places[question.name]],
                    partial(_from_cells, question),
                )
                for question in form.questions
            }
    except (duckdb.Error, InputError, UnicodeDecodeError, csv.Error) as error:
        blame_csv(path, form)
        raise _unreadable(path, error) from error


def group_jsonl(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the lines of a file by value, for each question.

    Raises
    ------
    DocumentError
        With the first line and question that no respondent can have sent.
    """
    names = [question.name for question in form.questions]
    whole = f"list_sort(json_keys(json)) = {sorted(names)}"
    picked = ", ".join(
        f"CASE WHEN {whole} THEN json -> '{name}' END AS c{at}" for at, name in enumerate(names)
    )
    query = f"SELECT {picked} FROM read_ndjson_objects(?)"  # noqa: S608 names are [a-z0-9_]
    try:
        with _alone() as engine:
            lines = engine.sql(query, params=[_literally(path)])
            return {
                question.name: _group_rows(lines, [f"c{at}"], partial(_from_json, question))
                for at, question in enumerate(form.questions)
            }
    except (duckdb.Error, InputError) as error:
        blame_jsonl(path, form)
        raise _unreadable(path, error) from error


def _group_rows(
    relation: Any, names: Iterable[str], read: Callable[[Sequence[str | None]], Value]
) -> dict[Value, int]:
    """Count equal spellings in the engine, then add up those that mean the same."""
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


def _alone() -> duckdb.DuckDBPyConnection:
    """Open an engine that fetches nothing from anywhere."""
    return duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    )


def _literally(path: Path) -> str:
    """Name this one file, not those that its name would match as a pattern."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def _unreadable(path: Path, error: Exception) -> DocumentError:
    return DocumentError(str(path), got=type(error).__name__, allowed="a file of reports in UTF-8")
