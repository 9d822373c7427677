"""Paper and telephone: sheets and scripts of a survey, and the double entry of their answers."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.typed_request import takes_request
from askance.engines.tables import text_table
from askance_collect.cli.documents import form_at, save
from askance_collect.cli.request_options import Arg
from askance_collect.collect.export import columns, find_columns, spell, unspell
from askance_collect.errors import DocumentError, InputError
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import written
from askance_collect.exact.typed_number import numbers_on_line
from askance_collect.respond.by_hand import DEVICES
from askance_collect.respond.on_paper import unchecked_language
from askance_collect.respond.sheet import SIZES, render_sheets
from askance_collect.respond.telephone import telephone_script
from askance_collect.wire.canonical_json import escape_formula
from askance_collect.wire.form import Form
from askance_collect.wire.question import FreeText, Number, RangeQuestion

SHEET = "sheet"
"""The column of the sheets' numbers."""


_Language = Annotated[
    str | None,
    Arg(
        help="One of the form's, in [ten languages]"
        "(../how-to/ask-on-paper-and-by-telephone.md#in-ten-languages) (the first of them)."
    ),
]


@final
class PrintRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A survey as sheets to print.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    output : Path
        Where the sheets go.
    device : str
        What draws the reports, at exactly the form's chances.
    paper : str
        The size of a sheet.
    large_print : bool
        Letters of 18 points or more.
    copies : int
        How many sheets, each with ranges of its own.
    first : int
        The number of the first sheet.
    """

    survey: Annotated[Path, Arg(flag="")]
    output: Annotated[Path, Arg(flag="")]
    device: Annotated[str, Arg(choices=DEVICES)] = DEVICES[0]
    paper: Annotated[str, Arg(choices=SIZES)] = SIZES[0]
    large_print: bool = False
    copies: int = 1
    first: int = 1
    language: _Language = None


@takes_request()
def print(request: PrintRequest) -> None:
    """Write SURVEY, or its form, as sheets to print (HTML).

    Each copy has a page to keep, with how to answer by dice, cards or a spinner at exactly the
    chances of the form, and a page to hand in.
    """
    form, first, copies = form_at(request.survey), request.first, request.copies
    sheets = render_sheets(
        form,
        device=request.device,
        copies=copies,
        first=first,
        size=request.paper,
        large=request.large_print,
        language=request.language,
    )
    save(request.output, sheets)
    last = f" to {first + copies - 1}" if copies > 1 else ""
    click.echo(f"{request.output} is written: sheet {first}{last}, form SHA-256 {form.fingerprint}")
    click.echo(
        "Print it single-sided: the part to keep and the part to hand in are separate sheets."
    )
    _warn_of_words(form, request.language)


@final
class TelephoneRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A survey as a script for the telephone.

    Attributes
    ----------
    survey : Path
        A survey file, or a published form.
    output : Path
        Where the script goes.
    copies : int
        For how many calls, each with ranges of its own.
    first : int
        The number of the first call.
    messages : bool
        As [text messages](../how-to/ask-on-paper-and-by-telephone.md#by-text-message) to send one
        after the other.
    """

    survey: Annotated[Path, Arg(flag="")]
    output: Annotated[Path, Arg(flag="")]
    copies: int = 1
    first: int = 1
    language: _Language = None
    messages: bool = False


@takes_request()
def telephone(request: TelephoneRequest) -> None:
    """Write SURVEY, or its form, as a telephone script (text).

    Digits of a banknote that the respondent alone sees decide at exactly the chances of the form;
    the interviewer learns the report.
    """
    form = form_at(request.survey)
    text = telephone_script(
        form,
        copies=request.copies,
        first=request.first,
        language=request.language,
        messages=request.messages,
    )
    save(request.output, text)
    click.echo(f"{request.output} is written: form SHA-256 {form.fingerprint}")
    _warn_of_words(form, request.language)


def _warn_of_words(form: Form, language: str | None) -> None:
    if unread := unchecked_language(form, language):
        click.echo(
            f"No native speaker has checked its fixed texts in {unread}: have one check them "
            "before you ask anybody."
        )


@final
class ReconcileRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Two typists' tables of the same sheets.

    Attributes
    ----------
    form : Path
        The form of the sheets, or its survey file.
    first, second : Path
        Each with a column `sheet` and the columns of the collector's export.
    output : Path
        What both read.
    """

    form: Annotated[Path, Arg(flag="")]
    first: Annotated[Path, Arg(flag="", help="The table of one typist.")]
    second: Annotated[Path, Arg(flag="", help="The table of another typist.")]
    output: Annotated[Path, Arg(flag="")]


@takes_request()
def reconcile(request: ReconcileRequest) -> None:
    """Compare two typists' tables of sheets; write what both read.

    FIRST and SECOND have a column `sheet` and the columns of the collector's export. Every
    difference is listed, with exit status 1; OUTPUT is written when there is none, and is what
    `askance estimate FORM OUTPUT` reads.
    """
    readings = request.first, request.second
    if request.first.resolve() == request.second.resolve():
        raise InputError(
            "SECOND",
            got=str(request.second),
            allowed="another table than FIRST",
            remedy="have the sheets typed by two people who do not see each other's table",
        )
    form, output = form_at(request.form), request.output
    first, second = (_read(form, path) for path in readings)
    if differences := list(_differences(form, readings, first, second)):
        for line in differences:
            click.echo(line)
        counted = "1 difference" if len(differences) == 1 else f"{len(differences)} differences"
        click.echo(f"{counted}: compare the sheets, correct the tables, reconcile again.")
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
    table = text_table(path)
    wanted = {SHEET: (SHEET,)} | dict(columns(form))
    places = find_columns(list(table.header), wanted, str(path))
    sheets: dict[str, Cells] = {}
    for place, row in zip(table.places, table.rows, strict=True):
        cells = {
            name: tuple(row[position].strip() for position in positions)
            for name, positions in places.items()
        }
        number = cells.pop(SHEET)[0]
        if not (number.isdecimal() and int(number)):
            raise DocumentError(
                f"{path}: {place}", got=number, allowed="the number on the sheet, from 1"
            )
        number = str(int(number))
        if number in sheets:
            raise DocumentError(
                f"{path}: {place}",
                got=f"sheet {number} again",
                allowed="one row for each sheet",
            )
        sheets[number] = _read_cells(form, cells, f"{path}: sheet {number}")
    if not sheets:
        raise DocumentError(str(path), got="no sheet", allowed="a row for each sheet")
    return sheets


def _read_cells(form: Form, cells: Cells, where: str) -> Cells:
    """Read one sheet's cells as people type them, and refuse values that cannot be ticked.

    Raises
    ------
    DocumentError
        If a cell could mean two numbers of its line, or is no value of its question.
    """
    plain, conventions = {}, _conventions(form)
    for question in form.questions:
        location, typed = f"{where}, {question.name}", cells[question.name]
        plain[question.name] = typed
        if isinstance(question, Number | RangeQuestion):
            plain[question.name] = tuple(
                _read_number(question.line, cell, conventions, location) for cell in typed
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


def _conventions(form: Form) -> Sequence[tuple[str, str]]:
    """List the marks for thousands and for decimals that typists of a form's languages may use.

    An export has a decimal point, whatever its language: typists may have seen one.
    """
    languages = {language.partition("-")[0] for language in form.languages}
    return _POINT if languages <= _WITH_POINT else (*_POINT, (".", ","))


_POINT = ((",", "."),)
_WITH_POINT = {"en", "hi", "zh"}
"""Languages that write 12,345.5 wherever they are spoken."""


def _read_number(
    line: Line, typed: str, conventions: Sequence[tuple[str, str]], location: str
) -> str:
    """Write a typed number as the export does; return one outside the line unchanged."""
    possible = {
        number
        for group, decimal in conventions
        for number in numbers_on_line(typed, line, group=group, decimal=decimal)
    }
    if len(possible) > 1:
        second, first = map(written, sorted(possible, key=abs))
        plainly = _THREE_DECIMALS.sub(r".\g<1>0", second)
        raise DocumentError(
            location,
            got=f"{typed}, which can mean {first} or {second}",
            allowed="a number that can be read in one way",
            remedy=f"type {first}, or {plainly}",
        )
    return written(possible.pop()) if possible else typed


_THREE_DECIMALS = re.compile(r"\.(\d{3})$")
"""Of these the mark could be one for thousands; of four it could not."""


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
