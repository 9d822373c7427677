"""Hand the reports to other programs, in an order drawn afresh each time."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from typing import TextIO

from askance.collect.codebook import codebook
from askance.collect.columns import RESPONDENT, columns, spell
from askance.collect.store import Store
from askance.errors import DocumentError
from askance.wire.form import Form
from askance.wire.report import read_values


def export_csv(store: Store, form: Form, path: str | Path) -> Path:
    """Write the reports as a CSV table and, beside it, the codebook that says how to read it.

    Parameters
    ----------
    store : Store
        Open or closed, also read-only while a server writes.
    form : Form
        The form that the store belongs to.
    path : str or Path
        Where the table goes; the codebook goes to ``<stem>.codebook.csv``.

    Returns
    -------
    Path
        Where the codebook is.

    Notes
    -----
    UTF-8 and RFC 4180. The respondent column numbers the shuffled rows and is no key to anything.
    `askance.collect.columns` says how values are spelt.
    """
    table = Path(path)
    book = table.with_name(f"{table.stem}.codebook.csv")
    header = [RESPONDENT, *(name for names in columns(form).values() for name in names)]
    _write_rows(table, [header, *_rows(store, form)])
    _write_rows(book, codebook(form))
    return book


def export_jsonl(store: Store, form: Form, path: str | Path) -> None:
    """Write the reports as JSON Lines: on each line one report's values as they were sent."""
    with _replacing(Path(path)) as file:
        for answers in _shuffled(store):
            read_values(json.loads(answers), form)
            file.write(f"{answers}\n")


def _rows(store: Store, form: Form) -> Iterator[list[str]]:
    for number, answers in enumerate(_shuffled(store), start=1):
        values = read_values(json.loads(answers), form)
        cells = (spell(question, values[question.name]) for question in form.questions)
        yield [str(number), *(cell for group in cells for cell in group)]


def _shuffled(store: Store) -> list[str]:
    shuffled = [answers for _, answers in store.reports()]
    SystemRandom().shuffle(shuffled)
    return shuffled


def _write_rows(path: Path, rows: Iterable[Sequence[str]]) -> None:
    with _replacing(path) as file:
        csv.writer(file).writerows(rows)


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Write beside the path and move into place at the end, so that no half file bears the name."""
    beside = path.with_name(f"{path.name}.part")
    try:
        file = beside.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise DocumentError(
            str(path), got=error.strerror, allowed="a file that can be written"
        ) from error
    try:
        with file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
