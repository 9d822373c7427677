"""Counts of the values and ranges that were sent, by question, wherever reports lie.

Reports are also brought one by one, with what else stands in their row.

A file is counted by DuckDB; the one narwhals expression runs on any other engine as well.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial, reduce
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from askance.channels.ranges import Closed, Ranges
from askance.engines.counts import Counts, Fieldwork, in_order, list_question_pairs
from askance.engines.files import Kind, TextTable, escape_pattern, export_at, files_at, kind_of
from askance.engines.labelled_files import refuse_padded
from askance.engines.reading import (
    AUTOMATIC,
    MISSING_CODES,
    PLAIN,
    TableReading,
    TextFormat,
    decide_format,
    decode_cell,
)
from askance.engines.sources import (
    GroupedRows,
    Grouping,
    engines,
    file_groups,
    frame_groups,
    name_failing_file,
    open_engine,
    open_text_relation,
    parts_of,
    read_lines,
    read_text_table,
    table_of,
    text_header,
)
from askance.engines.tables import ID, OtherColumns, ReportRow
from askance.results import is_missing
from askance_collect.arguments import checked
from askance_collect.collect.export import columns, find_columns, unspell
from askance_collect.collect.store import group_store, open_store
from askance_collect.errors import DocumentError, InputError, ReportRefused, restate
from askance_collect.wire.canonical_json import (
    RESPONDENT,
    describe_difference,
    fold,
    read_json,
    unescape_formula,
)
from askance_collect.wire.form import Form
from askance_collect.wire.question import (
    TEXT_GIVEN,
    Choice,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    TableQuestion,
    Value,
    is_counted,
)
from askance_collect.wire.report import read_values

SMALL = 4_000_000
"""Bytes of a file that is counted before a database engine would have been loaded."""


@checked
def count_reports(source: str | Path, form: Form, *, reading: TableReading | None = None) -> Counts:
    r"""Count the reports of a form where they lie, and check every value against the form.

    Parameters
    ----------
    source : str or Path
        A collector's SQLite file, a ``postgresql://…`` URL, a table in CSV, Parquet, SPSS or Stata
        with the columns that `ak.collect.export_csv` writes (more columns do no harm),
        what a survey platform exported of such columns (`askance.engines.files`),
        or JSON Lines with one report's values on each line (``.jsonl`` or ``.ndjson``). Or counts
        that `Counts.to_dict` wrote (``.json``).
    form : Form
    reading : TableReading, optional
        How a table is read, if its own contents do not say it.

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names row and column.

    >>> from askance_collect.wire.form import Form
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
    reading = reading or AUTOMATIC
    values = in_order(_group(source, form, reading))
    reports = sum(next(iter(values.values())).values())
    question_pairs = list_question_pairs(form)
    columns = columns_of_reports(source, form, reading)[0] if question_pairs else {}
    pairs = {
        pair: dict(Counter(zip(*map(columns.get, pair), strict=True))) for pair in question_pairs
    }
    return Counts(reports, values, pairs, fieldwork_at(source, form))


def fieldwork_at(source: str | Path, form: Form) -> Fieldwork:
    """Say whether the store at a place still takes reports; counts say it of theirs, others do not.

    Raises
    ------
    DocumentError
        If the store, or the counts, are another form's.
    """
    if kind_of(source) is Kind.COUNTED:
        return _read_counts(Path(source), form).fieldwork
    if kind_of(source) is not Kind.STORE:
        return Fieldwork.UNKNOWN
    with closing(open_store(source, form, read_only=True)) as store:
        return Fieldwork.CLOSED if store.closed else Fieldwork.OPEN


def count_by_attention(
    sources: Sequence[str | Path],
    form: Form,
    right: Mapping[str, Value],
    reading: TableReading = AUTOMATIC,
) -> tuple[Counts, Counts]:
    """Count the reports that give no wrong answer, and those that give one, each by themselves.

    Parameters
    ----------
    sources : sequence of str or Path
        As in `count_reports`, but for counts.
    form : Form
    right : mapping of str to Value
        The right value of some questions; a blank is none that is wrong.

    Returns
    -------
    passing, failing : Counts
    """
    passing, failing = Counter[tuple[Value, ...]](), Counter[tuple[Value, ...]]()
    names = [question.name for question in form.questions]
    places = {names.index(name): value for name, value in right.items()}
    for source in sources:
        columns, _ = columns_of_reports(source, form, reading)
        for row in zip(*(columns[name] for name in names), strict=True):
            failed = any(row[i] not in (None, value) for i, value in places.items())
            (failing if failed else passing)[row] += 1
    fieldworks = [fieldwork_at(source, form) for source in sources]
    fieldwork = reduce(Fieldwork.together, fieldworks)
    return _count_rows(passing, form, fieldwork), _count_rows(failing, form, fieldwork)


def _count_rows(rows: Mapping[tuple[Value, ...], int], form: Form, fieldwork: Fieldwork) -> Counts:
    """Count values, and those that are sent together, in rows of one value for each question."""
    names = [question.name for question in form.questions]
    values: dict[str, Counter[Value]] = {name: Counter() for name in names}
    pairs: dict[tuple[str, str], Counter[tuple[Value, Value]]] = {
        pair: Counter() for pair in list_question_pairs(form)
    }
    for row, count in rows.items():
        reported = dict(zip(names, row, strict=True))
        for name, value in reported.items():
            values[name][value] += count
        for (first, second), counts in pairs.items():
            counts[reported[first], reported[second]] += count
    return Counts(sum(rows.values()), in_order(values), pairs, fieldwork)


def _read_counts(path: Path, form: Form) -> Counts:
    written = read_json(path.read_bytes(), str(path), "counts in JSON")
    try:
        return Counts.from_dict(written, form)
    except DocumentError as error:
        raise restate(error, f"{path}: {error.where}", DocumentError) from error


def _group(source: str | Path, form: Form, reading: TableReading) -> dict[str, dict[Value, int]]:
    kind = kind_of(source)
    refuse_undecoded(kind, reading, str(source))
    if kind is Kind.STORE:
        return group_database(source, form)
    path = Path(source)
    is_small = path.is_file() and path.stat().st_size < SMALL and kind is not Kind.PARQUET
    if is_small or kind is Kind.LABELLED:
        return group_rows(path, form, reading)
    if kind is Kind.LINES:
        return group_jsonl(path, form)
    if export_at(path, reading) is not None:
        return group_rows(path, form, reading)
    return group_table(path, form, reading)


def refuse_undecoded(kind: Kind, reading: TableReading, where: str) -> None:
    """Refuse a reading of what is no table: a store, or lines of values as they were sent.

    Raises
    ------
    InputError
        If the reading says more than how a text is written.
    """
    if reading.decodes and kind in (Kind.STORE, Kind.LINES, Kind.COUNTED):
        raise InputError(
            "--reading, --recode or --missing-codes",
            got=f"{where}, which holds values as they were sent",
            allowed="a table, beside a form",
        )


def group_database(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the reports in a store by value, for each question.

    Raises
    ------
    DocumentError
        If the store is another form's, or holds what no respondent can have sent.
    """
    with closing(open_store(source, form, read_only=True)) as store:
        return group_store(store, form)


def group_table(
    path: Path, form: Form, reading: TableReading = AUTOMATIC
) -> dict[str, dict[Value, int]]:
    """Count the rows of a table by value, for each question.

    Raises
    ------
    DocumentError
        With the first row and column that no respondent can have sent.
    """
    kind = kind_of(path)
    try:
        with open_engine() as engine, name_failing_file(path):
            relation = open_text_relation(engine, path, kind, reading, missing=[""])
            header = (
                read_text_table(path, kind).header
                if kind is Kind.PARQUET
                else text_header(path, kind, reading)
            )
            named = columns(form)
            places = find_columns(list(header), named, str(path))
            text = decide_format(path, reading) if kind is Kind.TABLE else PLAIN
            read = partial(read_question_cells, is_export=RESPONDENT in header)
            return {
                question.name: _group_rows(
                    relation,
                    [f"c{i}" for i in places[question.name]],
                    partial(read, question, named[question.name], reading, text),
                )
                for question in form.questions
            }
    except (InputError, DocumentError):
        return group_rows(path, form, reading)  # which says in which row


def group_rows(
    path: Path, form: Form, reading: TableReading = AUTOMATIC
) -> dict[str, dict[Value, int]]:
    """Count the rows of a file by value, for each question, without an engine.

    Raises
    ------
    DocumentError
        With the first row and column that no respondent can have sent.
    """
    values, _ = columns_of_reports(path, form, reading)
    return {name: dict(Counter(column)) for name, column in values.items()}


def group_jsonl(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the lines of a file by value, for each question.

    Raises
    ------
    DocumentError
        With the first line and question that no respondent can have sent.
    """
    failed = engines()[0].Error
    names = [question.name for question in form.questions]
    is_complete = f"list_sort(json_keys(json)) = {sorted(names)}"
    picked = ", ".join(
        f"CASE WHEN {is_complete} THEN json -> '{name}' END AS c{i}" for i, name in enumerate(names)
    )
    query = f"SELECT {picked} FROM read_ndjson_objects(?)"  # noqa: S608 names are [a-z0-9_]
    try:
        with open_engine() as engine:
            lines = engine.sql(query, params=[escape_pattern(path)])
            return {
                question.name: _group_rows(lines, [f"c{i}"], partial(_from_json, question))
                for i, question in enumerate(form.questions)
            }
    except (failed, InputError, RecursionError):
        return group_rows(path, form)  # which says in which line


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


def read_question_cells(
    question: Question,
    names: Sequence[str],
    reading: TableReading,
    form: TextFormat,
    cells: Sequence[str | None],
    *,
    is_export: bool,
) -> Value:
    """Read what stands in the cells of a row: a missing code is a blank, unless it is an answer."""
    texts = [cell or "" for cell in cells]
    if reading.decodes:
        texts = _decode_cells(question, names, reading, texts, is_export=is_export)
    if isinstance(question, Number | RangeQuestion):
        texts = [form.plain_number(text) for text in texts]
    if isinstance(question, FreeText):
        return None if texts[0] in MISSING_CODES else TEXT_GIVEN
    if not {*texts}.isdisjoint(MISSING_CODES):
        with suppress(InputError):
            return unspell(question, texts, is_export=is_export)
        texts = ["" if cell in MISSING_CODES else cell for cell in texts]
    return unspell(question, texts, is_export=is_export)


def _decode_cells(
    question: Question,
    columns: Sequence[str],
    reading: TableReading,
    cells: Sequence[str],
    *,
    is_export: bool,
) -> list[str]:
    """Replace entries by the values they stand for, where this question has those values."""
    names = {*_list_names(question)}
    recode = {entry: name for entry, name in reading.recode.items() if name in {*names, ""}}
    own = replace(reading, recode=recode if names else {})
    decoded = []
    for column, cell in zip(columns, cells, strict=True):
        entry = unescape_formula(cell, names, is_guarded=is_export)
        value = decode_cell(own, column, entry, names, is_report=True)
        decoded.append(cell if value == entry else "" if value is None else value)
    return decoded


def _from_json(question: Question, cells: Sequence[str | None]) -> Value:
    value = json.loads(cells[0] or '""')
    if value is not None and not is_counted(question, value):
        raise InputError(question.name, allowed="what a respondent can send")
    return tuple(value) if isinstance(value, list) else value


_RANGES = "count_ranges.source"


@checked
def count_ranges(
    source: Any,
    lower: str = "lower",
    upper: str = "upper",
    *,
    counts: str | None = None,
    closed: Closed = "right",
    reading: TableReading | None = None,
) -> Ranges:
    r"""Count ranges by their distinct ends: the sufficient statistic of interval-censored numbers.

        n(a, b) = #{i : lower_i = a, upper_i = b}

    Rows are counted by whatever holds them, and each distinct range comes here once, with how often
    it was observed. `askance.npmle` and every interval of it start from there: what they need grows
    with the distinct ranges, not with the rows.

    Parameters
    ----------
    source : table, path, or iterator of tables
        As in `askance.tally`.
    lower, upper : str
        The columns of the ends, ``-inf`` and ``inf`` where there is none. A row without both is a
        blank and is left out.
    counts : str, optional
        A column that says how often each row is there: each range then has their sum. Sampling
        weights are none: intervals would take them for so many people.
    closed : {"right", "left", "both", "neither", "survival"}
        Which ends are inside, as in `askance.Ranges`; with "survival" one missing end is open.
    reading : TableReading, optional
        How a table is read, if its own contents do not say it.

    Raises
    ------
    InputError
        If a column is missing or holds no numbers, a range is empty or reversed, or there is none.
    DocumentError
        If a file cannot be read.

    >>> import askance as ak
    >>> from askance.engines import count_ranges
    >>> import pandas as pd
    >>> table = pd.DataFrame({"lower": [-np.inf, 30, 30, 30], "upper": [30, np.inf, 50, np.inf]})
    >>> ranges = count_ranges(table)
    >>> ranges, ranges.weights.tolist()
    (Ranges((-inf, 30], (30, 50], (30, inf]), [1.0, 1.0, 2.0])
    >>> float(ak.npmle(ranges).cdf(30))
    0.25
    """
    grouping = Grouping(
        keys=(lower, upper),
        weights=counts,
        numbers=True,
        where=_RANGES,
        reading=reading or AUTOMATIC,
    )
    totals: dict[tuple[float | None, float | None], float] = {}
    for group in _end_groups(source, grouping):
        low, high = (None if end is None else float(end) for end in group.cells)
        if low is not None or high is not None:
            counted = group.rows if counts is None else group.weight
            totals[low, high] = totals.get((low, high), 0.0) + counted
    if not totals:
        raise InputError(_RANGES, got="no range", allowed="at least one range")
    distinct = sorted(totals, key=lambda ends: [(end is not None, end or 0.0) for end in ends])
    ends = np.array(distinct, dtype=np.float64)
    try:
        return Ranges(ends, counts=[totals[pair] for pair in distinct], closed=closed)
    except InputError as error:  # which speaks of a row that nobody sees
        raise restate(error, _RANGES, InputError) from error


def _end_groups(source: Any, grouping: Grouping) -> Iterable[GroupedRows]:
    """Count where the ranges lie."""
    if isinstance(source, str | Path):
        return file_groups(*files_at(source), grouping)
    parts = parts_of(source)
    return (
        group
        for part in ([source] if parts is None else parts)
        for group in _table_groups(part, grouping)
    )


def _table_groups(part: Any, grouping: Grouping) -> Iterable[GroupedRows]:
    frame = table_of(part)
    if frame is None:
        raise InputError(
            _RANGES,
            got=type(part).__name__,
            allowed="a table, a path, or an iterator of tables",
            remedy="askance.Ranges takes two columns at hand",
        )
    return frame_groups(_read_objects(frame, grouping.keys), grouping)


def _read_objects(frame: Any, names: Sequence[str]) -> Any:
    """Read columns of Python objects, such as numbers mixed with pandas.NA, as numbers."""
    schema, nw = frame.collect_schema(), engines()[1]
    for name in names:
        if schema.get(name) == nw.Object and hasattr(frame, "get_column"):
            ends = [None if is_missing(end) else end for end in frame.get_column(name).to_list()]
            if all(end is None or type(end) in (int, float) for end in ends):
                column = nw.new_series(name, ends, nw.Float64, backend=frame.implementation)
                frame = frame.with_columns(column)
    return frame


@checked
def report_rows(
    source: str | Path, form: Form, *, reading: TableReading | None = None
) -> list[ReportRow]:
    r"""Read reports one by one from a store or a file, for a regression on them.

    To count them, `count_reports` need not bring them here.

    Parameters
    ----------
    source : str or Path
        A store (a file or ``postgresql://…``), what was exported of it, or such a table as Parquet.
    form : Form
    reading : TableReading, optional
        How a table is read, if its own contents do not say it.

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
    >>> [(row.values["tea"], row.other_columns["age"]) for row in rows]
    [(1, '31'), (0, '40')]
    """
    values, others = columns_of_reports(source, form, reading or AUTOMATIC)
    other_columns = others.cells
    together = zip(*values.values(), *other_columns.values(), strict=True)
    names, other_names = list(values), list(other_columns)
    return [
        ReportRow(
            dict(zip(names, row, strict=False)),
            dict(zip(other_names, row[len(names) :], strict=True)),
        )
        for row in together
    ]


def columns_of_reports(
    source: str | Path, form: Form, reading: TableReading = AUTOMATIC
) -> tuple[dict[str, list[Value]], OtherColumns]:
    """Read reports as columns: values by question, and the other columns of the table.

    Raises
    ------
    DocumentError
        As `report_rows` does.
    """
    path, kind = Path(source), kind_of(source)
    if kind is Kind.COUNTED:
        raise DocumentError(str(path), got="counts", allowed="the reports themselves")
    refuse_undecoded(kind, reading, str(source))
    if kind not in (Kind.LINES, Kind.STORE):
        return _from_table(path, form, reading)
    if kind is Kind.LINES:
        blame_jsonl(path, form)
        lines = [record for _, record in read_lines(path)]
        return _by_question(lines, form, exported=True), OtherColumns(cells={})
    with closing(open_store(source, form, read_only=True)) as store:
        stored = list(store.reports())
    stored_values = _by_question([json.loads(answers) for _, answers in stored], form)
    return stored_values, OtherColumns(cells={ID: [id for id, _ in stored]})


def _by_question(
    reports: Sequence[Any], form: Form, *, exported: bool = False
) -> dict[str, list[Value]]:
    """Bring reports into columns, which hold no text: only that there is one."""
    read = [read_values(report, form, exported=exported) for report in reports]
    return {
        question.name: [
            TEXT_GIVEN if isinstance(value := values[question.name], str) else value
            for values in read
        ]
        for question in form.questions
    }


def _from_table(
    path: Path, form: Form, reading: TableReading
) -> tuple[dict[str, list[Value]], OtherColumns]:
    table = read_text_table(path, kind_of(path), reading)
    _check_export(table, form, path)
    header, rows = list(table.header), table.rows
    named = columns(form)
    if kind_of(path) is Kind.LABELLED:
        for question in form.questions:
            refuse_padded(_list_names(question), path)
    places = find_columns(header, named, str(path))
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    used = {i for group in places.values() for i in group}
    others = {name: table.cells(i) for i, name in enumerate(header) if i not in used}
    read = partial(read_question_cells, is_export=RESPONDENT in header)
    try:
        values = {
            question.name: _read_cells(
                partial(read, question, named[question.name], reading, table.form),
                [cells[i] for i in places[question.name]],
            )
            for question in form.questions
        }
    except InputError:
        for row, place in zip(rows, table.places, strict=True):
            where = f"{path}: {place}"
            read_row(row, places, form, where, reading, table.form, is_export=RESPONDENT in header)
        raise
    return values, OtherColumns(cells=others, where=str(path), form=table.form, rows=table.numbers)


def _check_export(export: TextTable, form: Form, path: Path) -> None:
    """Make sure that it is of this form, and has one report of each person."""
    if others := export.forms - {form.fingerprint}:
        raise DocumentError(
            str(path),
            got=f"reports to the form {min(others)}",
            allowed=f"reports to the form {form.fingerprint}",
            remedy="give the form that was asked",
        )
    export.refuse_unclear(chain.from_iterable(columns(form).values()), path)


def _read_cells(
    read: Callable[[Sequence[str | None]], Value], cells: Sequence[Sequence[str]]
) -> list[Value]:
    """Read each spelling once."""
    together = list(zip(*cells, strict=True))
    values = {spelling: read(spelling) for spelling in set(together)}
    return [values[spelling] for spelling in together]


def read_row(
    row: Sequence[str],
    places: Mapping[str, tuple[int, ...]],
    form: Form,
    where: str,
    reading: TableReading = AUTOMATIC,
    text: TextFormat = PLAIN,
    *,
    is_export: bool = False,
) -> dict[str, Value]:
    """Read the values of a table row; an error names the column and does not repeat the cell.

    Raises
    ------
    DocumentError
        If there is something that no respondent can have sent.
    """
    values = {}
    for question in form.questions:
        named = columns(form)[question.name]
        try:
            cells = [row[i] for i in places[question.name]]
            values[question.name] = read_question_cells(
                question, named, reading, text, cells, is_export=is_export
            )
        except InputError as error:
            if len(named) == 1:
                location, empty = f"column {named[0]}", "an empty cell for a blank"
            else:
                location, empty = f"columns {' and '.join(named)}", "an empty cell for an open end"
            allowed = f"{error.allowed}; or {empty}"
            remedy = error.remedy or _describe_look(question, cells)
            raise DocumentError(
                f"{where}, {location}", got=error.got, allowed=allowed, remedy=remedy
            ) from None
    return values


def _describe_look(question: Question, cells: Sequence[str]) -> str:
    """Say in what a cell differs from the name that it looks like, but not which it is."""
    names = _list_names(question)
    name = next((name for name in names if fold(name) == fold(cells[0])), None)
    if name is None:
        return "--recode says what entries stand for" if names else ""
    return f"it looks like one of these, but has {describe_difference(cells[0], name)}"


def _list_names(question: Question) -> list[str]:
    """List what the cells of a question may be called; nothing of numbers and texts."""
    if isinstance(question, Choice):
        return [label.name for label in question.answers]
    return [label.name for label in question.reports] if isinstance(question, TableQuestion) else []


def blame_jsonl(path: Path, form: Form) -> None:
    """Raise for the first line of a file that is wrong, if there is one; it is not repeated.

    Raises
    ------
    DocumentError
        With line and question.
    """
    for number, values in read_lines(path):
        try:
            read_values(values, form, exported=True)
        except ReportRefused as error:
            where = f"{path}: line {number}: {error.where}"
            raise DocumentError(where, allowed=error.allowed) from None
