"""How a table is read, column by column: what was decided, and every entry that does not fit."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, final

import click
import msgspec

from askance.channels.written_values import find_alike_kinds
from askance.cli.reports import TableOptions
from askance.cli.sample import name_of
from askance.cli.typed_request import PrintJson, takes_request
from askance.engines.count import read_question_cells
from askance.engines.files import Kind, TextTable, is_handed_over, kind_of
from askance.engines.labelled_files import describe_labelled_numbers
from askance.engines.reading import (
    MISSING_CODES,
    ColumnKind,
    ColumnReading,
    OddEntry,
    TableReading,
    TextFormat,
    describe_ambiguity,
    find_look_alike,
    find_odd,
    read_column,
    refuse_unknown_columns,
    write_reading,
)
from askance.engines.sources import cell_text, columns_of_32_bits, read_text_table
from askance.engines.tables import table_columns
from askance.results import TableNotes, counted, hearing_notes, listing
from askance.survey.publish import deployed_at
from askance_collect.cli.documents import echo_json, save
from askance_collect.cli.request_options import Arg
from askance_collect.collect.export import columns
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire.form import Form
from askance_collect.wire.question import Question, RangeQuestion

_SHOWN = 20  # odd entries of a column on the screen


@final
class LookRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How a table is read.

    Attributes
    ----------
    table : str
        The table; `-` is what comes through a pipe.
    form : Path, optional
        A published form, or a survey file: its questions say what their columns may hold.
    write : Path, optional
        Write the reading: a .toml file for `--reading`.
    """

    table: Annotated[str, Arg(flag="")]
    form: Annotated[Path | None, Arg(flag="")] = None
    write: Path | None = None
    tables: TableOptions = TableOptions()
    json: PrintJson = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _LookedColumn:
    """What one column holds.

    Attributes
    ----------
    name : str
    kind : str
        ``number``, ``truth``, ``name`` or ``mixed``; or the kind of its question.
    distinct, missing : int
        Different values, and cells without one.
    odd : tuple of OddEntry
        Entries that do not fit.
    notes : tuple of str
        What somebody should know of it.
    """

    name: str
    kind: str
    distinct: int
    missing: int
    odd: tuple[OddEntry, ...]
    notes: tuple[str, ...]


@takes_request(words="TABLE [FORM]")
def look(request: LookRequest) -> None:
    """Show how TABLE is read, column by column.

    Every entry that does not fit is listed, with its count and its first place.
    TABLE is a .csv, .tsv or .txt file (also .gz), .xlsx, .ods, .jsonl, .parquet, .sav or .dta, or -
    for standard input. With FORM, entries that no respondent can have sent are listed too. The
    reading that --write keeps is taken by every verb that reads a table: --reading FILE.
    """
    path, reading = Path(request.table), request.tables.read()
    with hearing_notes() as heard_notes:  # which are shown below the columns
        _show(request, path, reading, heard_notes)


def _show(request: LookRequest, path: Path, reading: TableReading, heard_notes: TableNotes) -> None:
    """Show a table, and write its reading if that is asked for."""
    kind = Kind.LINES if is_handed_over(path) else kind_of(request.table)
    table = _read_table(path, kind, reading)
    form = None if request.form is None else deployed_at(request.form).form
    looked = _look_at_columns(table, reading, form)
    looked = _add_notes(looked, _note_kinds(path, kind))
    marks = {name: getattr(table.form, name) for name in _MARKS} if kind is Kind.TABLE else {}
    decided = replace(reading, **marks, columns=_decided_columns(looked, reading))
    if request.write is not None:
        if request.write.suffix != ".toml":
            raise InputError("--write", got=request.write.name, allowed="a file that ends in .toml")
        remarks = {column.name: [f"odd: {odd}" for odd in column.odd] for column in looked}
        save(request.write, write_reading(decided, remarks))
    own_name = name_of(request.table)
    notes = [f"{own_name} {note}" for _, note in heard_notes]
    if table.form.ambiguous:
        notes.append(describe_ambiguity(table.form.ambiguous))
    if request.json:
        file = {"file": name_of(request.table), "kind": kind.name.lower(), "rows": len(table.rows)}
        marks = {name: getattr(decided, name) for name in _DECIDED}
        listed = [asdict(column) for column in looked]
        echo_json(
            {**file, **marks, "notes": notes, "columns": listed, "reading": _to_json(reading)}
        )
        return
    click.echo(_describe(request.table, table, decided, looked, notes))


def _note_kinds(path: Path, kind: Kind) -> dict[str, list[str]]:
    """Note what the kinds of the cells in a file say of its columns, by their names."""
    notes: dict[str, list[str]] = {}
    for name in columns_of_32_bits(path, kind):
        note = "numbers of 32 bits, read as they were written: 0.1 is 0.1, not 0.10000000149"
        notes.setdefault(name, []).append(note)
    if kind is Kind.LABELLED:
        for name, note in describe_labelled_numbers(path).items():
            notes.setdefault(name, []).append(note)
    if kind is Kind.LINES:
        for name, cells in table_columns(path).items():
            for cell, text in find_alike_kinds(cells)[:1]:
                note = f"{cell!r} and the text {text!r} look alike: a verb refuses them"
                notes.setdefault(name, []).append(note)
    return notes


def _add_notes(
    looked: Sequence[_LookedColumn], notes: Mapping[str, Sequence[str]]
) -> list[_LookedColumn]:
    return [
        replace(column, notes=(*column.notes, *notes.get(column.name, ()))) for column in looked
    ]


def _to_json(reading: TableReading) -> dict[str, Any]:
    """Write the codes and columns of a reading as JSON, for programs that read no TOML."""
    columns = {
        name: {
            "kind": None if column.kind is None else column.kind.value,
            "missing": list(column.missing),
            "recode": dict(column.recode),
        }
        for name, column in reading.columns.items()
    }
    codes = {"missing": list(reading.missing), "recode": dict(reading.recode)}
    return {**codes, "columns": columns}


_MARKS = ("encoding", "separator", "decimal", "thousands")
_DECIDED = (*_MARKS, "sheet")


def _read_table(path: Path, kind: Kind, reading: TableReading) -> TextTable:
    """Read a table of any kind as text."""
    if kind in (Kind.STORE, Kind.COUNTED):
        raise DocumentError(str(path), got=kind.value, allowed="a table")
    if kind is not Kind.LINES:
        return read_text_table(path, kind, reading)
    typed = table_columns(path)
    refuse_unknown_columns(reading, list(typed), str(path))
    rows = list(
        zip(
            *(
                ["" if cell is None else cell_text(cell) for cell in column]
                for column in typed.values()
            ),
            strict=True,
        )
    )
    places = [f"line {number}" for number in range(1, len(rows) + 1)]
    return TextTable(list(typed), rows, places, is_guarded=False)


def _look_at_columns(
    table: TextTable, reading: TableReading, form: Form | None
) -> list[_LookedColumn]:
    header = list(table.header)
    asked: dict[str, Question] = {}
    named = {} if form is None else columns(form)
    for question in () if form is None else form.questions:
        for name in named[question.name]:
            if name not in header:
                raise DocumentError(
                    "FORM", got=f"no column {name!r}", allowed="a table with every question"
                )
            asked[name] = question
    columns_by_name = {
        name: [row[i] for row in table.rows] if name in asked else table.cells(i)
        for i, name in enumerate(header)
    }
    return [
        _look_at_column(name, cells, table, reading, asked.get(name))
        for name, cells in columns_by_name.items()
    ]


def _look_at_column(
    name: str,
    cells: Sequence[str],
    table: TextTable,
    reading: TableReading,
    question: Question | None,
) -> _LookedColumn:
    rows = table.numbers
    column = read_column(cells, name, reading, table.form, rows=rows)
    odd, notes = column.odd, list[str]()
    values: Sequence[Any] = column.values
    if question is not None:
        read = {cell: _read_cell(question, name, cell, reading, table.form) for cell in {*cells}}
        odd = find_odd(cells, {cell for cell, value in read.items() if value is _IMPOSSIBLE}, rows)
        values = [read[cell] for cell in cells]
    if column.kind is ColumnKind.NAME:
        notes += _find_look_alikes(cells)
    elif padded := [cell for cell in cells if cell[:1] == "0" and cell[1:2].isdigit()]:
        notes.append(f'{padded[0]} is read as a number; for codes write kind = "name"')
    elif rounded := [cell for cell in cells if cell.isdecimal() and Decimal(cell) != float(cell)]:
        notes.append(f'{rounded[0]} is rounded as a number; for codes write kind = "name"')
    kind = "mixed" if column.odd else column.kind.value
    return _LookedColumn(
        name=name,
        kind=kind if question is None else question.kind,
        distinct=len({value for value in values if value is not None}),
        missing=sum(value is None for value in values),
        odd=odd,
        notes=tuple(notes),
    )


def _find_look_alikes(cells: Sequence[str]) -> list[str]:
    """List entries that look like a more frequent one."""
    names = [name for name, _ in Counter(filter(None, cells)).most_common()]
    alike = (find_look_alike(name, names[:i]) for i, name in enumerate(names))
    return [sentence for sentence in alike if sentence]


_IMPOSSIBLE = object()


def _read_cell(
    question: Question, name: str, cell: str, reading: TableReading, form: TextFormat
) -> Any:
    """Read the report in a cell; in a cell of a range, either end."""
    is_range = isinstance(question, RangeQuestion)
    for cells in ([cell, ""], ["", cell]) if is_range else ([cell],):
        with suppress(InputError):
            return read_question_cells(
                question, [name] * len(cells), reading, form, cells, is_export=False
            )
    return _IMPOSSIBLE


def _decided_columns(
    looked: Sequence[_LookedColumn], reading: TableReading
) -> dict[str, ColumnReading]:
    """Keep the kind of each column that is not in doubt."""
    kinds = {kind.value: kind for kind in ColumnKind}
    return {
        column.name: replace(
            reading.columns.get(column.name, ColumnReading()),
            kind=None if column.odd else kinds.get(column.kind),
        )
        for column in looked
    }


def _describe(
    location: str,
    table: TextTable,
    decided: TableReading,
    looked: Sequence[_LookedColumn],
    notes: Sequence[str],
) -> str:
    """Write what was decided for a terminal."""
    names = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space", ".": "point"}
    marks = [
        f"{name} {names.get(value, value)}"
        for name in _DECIDED
        if (value := getattr(decided, name))
    ]
    title = ", ".join([f"{name_of(location)}: {counted(len(table.rows), 'row')}", *marks])
    missing = ", ".join(map(repr, (*MISSING_CODES, *decided.missing)))
    body = [
        [
            column.name,
            column.kind,
            f"{column.distinct:,}",
            f"{column.missing:,}",
            f"{sum(entry.count for entry in column.odd):,}",
        ]
        for column in looked
    ]
    lines = [listing(title, ["column", "kind", "values", "missing", "odd"], body)]
    lines.append(f"missing everywhere: {missing}")
    lines += notes
    for column in looked:
        lines += [f"{column.name}: {odd}" for odd in column.odd[:_SHOWN]]
        if len(column.odd) > _SHOWN:
            lines.append(f"{column.name}: and {len(column.odd) - _SHOWN:,} more")
        lines += [f"{column.name}: {note}" for note in column.notes]
    return "\n".join(lines)
