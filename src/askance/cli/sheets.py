"""Paper and telephone: sheets and scripts of a survey, and the double entry of their answers."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import click

from askance.engines.tables import table_rows
from askance_collect.cli.documents import FILE, form_at, save
from askance_collect.collect.export import columns, find_columns, spell, unspell
from askance_collect.errors import DocumentError, InputError
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import written
from askance_collect.exact.typed_number import number_readings
from askance_collect.respond.by_hand import DEVICES
from askance_collect.respond.on_paper import unchecked_language
from askance_collect.respond.sheet import SIZES, render_sheets
from askance_collect.respond.telephone import telephone_script
from askance_collect.wire.canonical_json import escape_formula
from askance_collect.wire.form import Form
from askance_collect.wire.question import Number, RangeQuestion
from askance_collect.wire.text_question import FreeText

SHEET = "sheet"
"""The column of the sheets' numbers."""


@click.command()
@click.argument("survey", type=FILE)
@click.argument("output", type=FILE)
@click.option("--device", type=click.Choice(DEVICES), default=DEVICES[0], show_default=True)
@click.option("--paper", "size", type=click.Choice(SIZES), default=SIZES[0], show_default=True)
@click.option("--large-print", "large", is_flag=True, help="18 points or more.")
@click.option("--copies", default=1, show_default=True, help="How many sheets.")
@click.option("--first", default=1, show_default=True, help="The number of the first sheet.")
@click.option("--language", help="One of the form's.")
def print(
    survey: Path,
    output: Path,
    device: str,
    size: str,
    large: bool,
    copies: int,
    first: int,
    language: str | None,
) -> None:
    """Write SURVEY, or its form, as sheets to print (HTML).

    Each copy has a page to keep, with how to answer by dice, cards or a spinner at exactly the
    chances of the form, and a page to hand in.
    """
    form = form_at(survey)
    sheets = render_sheets(
        form,
        device=device,
        copies=copies,
        first=first,
        size=size,
        large=large,
        language=language,
    )
    save(output, sheets)
    last = f" to {first + copies - 1}" if copies > 1 else ""
    click.echo(f"{output} is written: sheet {first}{last}, form SHA-256 {form.fingerprint}")
    click.echo("Print it on one side: what is kept and what is handed in are leaves of their own.")
    _warn_of_words(form, language)


@click.command()
@click.argument("survey", type=FILE)
@click.argument("output", type=FILE)
@click.option("--copies", default=1, show_default=True, help="For how many calls.")
@click.option("--first", default=1, show_default=True, help="The number of the first call.")
@click.option("--language", help="One of the form's.")
@click.option("--messages", is_flag=True, help="As text messages to send one after the other.")
def telephone(
    survey: Path, output: Path, copies: int, first: int, language: str | None, messages: bool
) -> None:
    """Write SURVEY, or its form, as a telephone script (text).

    Digits of a banknote that the respondent alone sees decide at exactly the chances of the form;
    the interviewer learns the report.
    """
    form = form_at(survey)
    text = telephone_script(form, copies=copies, first=first, language=language, messages=messages)
    save(output, text)
    click.echo(f"{output} is written: form SHA-256 {form.fingerprint}")
    _warn_of_words(form, language)


def _warn_of_words(form: Form, language: str | None) -> None:
    if unread := unchecked_language(form, language):
        click.echo(
            f"No native speaker has read what it says of its own in {unread}: have one read it "
            "before anybody is asked."
        )


@click.command()
@click.argument("survey", type=FILE, metavar="FORM")
@click.argument("readings", type=FILE, nargs=2, metavar="FIRST SECOND")
@click.argument("output", type=FILE)
def reconcile(survey: Path, readings: tuple[Path, Path], output: Path) -> None:
    """Compare two typists' tables of sheets; write what both read.

    FIRST and SECOND have a column `sheet` and the columns of the collector's export. Every
    difference is told, with exit status 1; OUTPUT is written when there is none, and is what
    `askance estimate FORM OUTPUT` reads.
    """
    if readings[0].resolve() == readings[1].resolve():
        raise InputError(
            "SECOND",
            got=str(readings[1]),
            allowed="another table than FIRST",
            remedy="have the sheets typed by two people who do not see each other's table",
        )
    form = form_at(survey)
    first, second = (_read(form, path) for path in readings)
    if differences := list(_differences(form, readings, first, second)):
        for line in differences:
            click.echo(line)
        counted = "1 difference" if len(differences) == 1 else f"{len(differences)} differences"
        click.echo(f"{counted}: look at the sheets, mend the tables, reconcile again.")
        raise SystemExit(1)
    rows = [[number, *_spell_cells(form, cells)] for number, cells in first.items()]
    header = [SHEET, *(name for names in columns(form).values() for name in names)]
    save(output, _write_csv([header, *rows]))
    click.echo(f"{output} is written: {len(rows)} sheets, read alike twice")
    texts = [[name, escape_formula(cell)] for name, cell in _texts(form, first)]
    if texts:
        texts_path = output.with_name(f"{output.stem}.texts.csv")
        save(texts_path, _write_csv([["question", "text"], *sorted(texts)]))
        click.echo(
            f"{texts_path} is written: {len(texts)} texts, by their letters, without a sheet"
        )


Cells = Mapping[str, tuple[str, ...]]
"""What one typist read on one sheet: for each question its cells."""


def _read(form: Form, path: Path) -> dict[str, Cells]:
    """Read one typist's table: by the sheet's number, what each question says.

    Raises
    ------
    DocumentError
        If a column is missing, a number is no sheet's or stands there twice, or a cell holds what
        nobody can have ticked; the message names its sheet.
    """
    header, rows = table_rows(path)
    wanted = {SHEET: (SHEET,)} | dict(columns(form))
    places = find_columns(header, wanted, str(path))
    sheets: dict[str, Cells] = {}
    for row_number, row in enumerate(rows, start=2):
        cells = {
            name: tuple(row[position].strip() for position in positions)
            for name, positions in places.items()
        }
        number = cells.pop(SHEET)[0]
        if not (number.isascii() and number.isdigit() and int(number)):
            raise DocumentError(
                f"{path}: row {row_number}", got=number, allowed="the number on the sheet, from 1"
            )
        number = str(int(number))
        if number in sheets:
            raise DocumentError(
                f"{path}: row {row_number}",
                got=f"sheet {number} again",
                allowed="one row for each sheet",
            )
        sheets[number] = _read_cells(form, cells, f"{path}: sheet {number}")
    if not sheets:
        raise DocumentError(str(path), got="no sheet", allowed="a row for each sheet")
    return sheets


def _read_cells(form: Form, cells: Cells, where: str) -> Cells:
    """Read one sheet's cells: numbers as people type them, and nothing that nobody can have ticked.

    Raises
    ------
    DocumentError
        If a cell could mean two numbers of its line, or is no value of its question.
    """
    plain = {}
    for question in form.questions:
        location, typed = f"{where}, {question.name}", cells[question.name]
        plain[question.name] = typed
        if isinstance(question, Number | RangeQuestion):
            plain[question.name] = tuple(
                _read_number(question.line, cell, location) for cell in typed
            )
        try:
            unspell(question, plain[question.name])
        except InputError as error:
            raise DocumentError(
                location,
                got=" … ".join(typed),
                allowed=error.allowed,
                remedy="leave it empty where nothing is ticked",
            ) from error
    return plain


def _read_number(line: Line, typed: str, location: str) -> str:
    """Spell a typed number as the export does; as it is where the line has no place for it."""
    readings = number_readings(typed)
    possible = [number for number in readings if _is_tick(line, number)]
    if len(possible) > 1:
        first, second = map(written, reversed(possible))
        plainly = _THREE_DECIMALS.sub(r".\g<1>0", second)
        raise DocumentError(
            location,
            got=f"{typed}, which can mean {first} or {second}",
            allowed="a number that can be read in one way",
            remedy=f"type {first}, or {plainly}",
        )
    return written(readings[0]) if readings and readings[0] in possible else typed


_THREE_DECIMALS = re.compile(r"\.(\d{3})$")
"""Of these the mark could be one for thousands; of four it could not."""


def _is_tick(line: Line, number: Fraction) -> bool:
    steps = (number - line.value_at(0)) / line.step
    return steps.denominator == 1 and 0 <= steps <= line.ticks


def _differences(
    form: Form,
    places: Sequence[Path],
    first_sheets: Mapping[str, Cells],
    second_sheets: Mapping[str, Cells],
) -> Iterator[str]:
    """Name each sheet that only one read, and each cell that they read in two ways."""
    for number in sorted({*first_sheets, *second_sheets}, key=int):
        if number not in first_sheets or number not in second_sheets:
            yield f"sheet {number}: not in {places[number in first_sheets]}"
            continue
        for question in form.questions:
            name, pair = question.name, (first_sheets[number], second_sheets[number])
            first, second = (unspell(question, cells[name]) for cells in pair)
            texts = [" ".join(cells[name][0].split()) for cells in pair]
            differ = texts[0] != texts[1] if isinstance(question, FreeText) else first != second
            if differ:
                typed = [_format_cells(cells[name]) for cells in pair]
                yield f"sheet {number}, {name}: {typed[0]} in the first, {typed[1]} in the second"


def _format_cells(cells: Sequence[str]) -> str:
    if not any(cells):
        return "empty"
    return repr(cells[0]) if len(cells) == 1 else f"({cells[0]}, {cells[1]}]"


def _spell_cells(form: Form, cells: Cells) -> Iterator[str]:
    """Spell what both read as an export has it."""
    for question in form.questions:
        yield from spell(question, unspell(question, cells[question.name]))


def _texts(form: Form, read: Mapping[str, Cells]) -> Iterator[tuple[str, str]]:
    for question in form.questions:
        if isinstance(question, FreeText):
            cells = (sheet[question.name][0] for sheet in read.values())
            yield from ((question.name, cell) for cell in cells if cell)


def _write_csv(rows: Sequence[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()
