"""Hand the reports to other programs, in an order drawn afresh each time."""

import csv
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TextIO

from askance.collect.codebook import codebook
from askance.collect.columns import RESPONDENT, columns, spell
from askance.collect.integrity import receipt
from askance.collect.store import Store
from askance.errors import DocumentError
from askance.wire.form import Form
from askance.wire.report import read_values

_OFTEN = 1 << 15
"""So many different reports are spelt once and then looked up."""


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
    _write_rows(table, chain([header], _rows(store, form)))
    _write_rows(book, codebook(form))
    return book


def export_jsonl(store: Store, form: Form, path: str | Path) -> None:
    """Write the reports as JSON Lines: on each line one report's values as they were sent."""

    @lru_cache(_OFTEN)
    def line(answers: str) -> str:
        read_values(json.loads(answers), form)
        return f"{answers}\n"

    with _replacing(Path(path)) as file:
        file.writelines(map(line, store.shuffled()))


def export_receipts(store: Store, path: str | Path) -> str:
    """Write the digest on every receipt, a line each, in the order of the random ids.

    Who publishes the list shows every respondent that the report is kept as it was sent; who keeps
    its SHA-256 elsewhere can tell whether reports were changed, lost or added since.

    Returns
    -------
    str
        The SHA-256 of the file.
    """
    root = sha256()
    with _replacing(Path(path)) as file:
        for line in receipts(store):
            file.write(line)
            root.update(line.encode("ascii"))
    return root.hexdigest()


def receipts(store: Store) -> Iterator[str]:
    """Give the lines of the list of receipts: each is the SHA-256 of a message that was sent."""
    form = store.form()
    return (f"{receipt(form, bytes.fromhex(id), answers)}\n" for id, answers in store.reports())


def _rows(store: Store, form: Form) -> Iterator[Sequence[str]]:
    @lru_cache(_OFTEN)
    def cells(answers: str) -> tuple[str, ...]:
        values = read_values(json.loads(answers), form)
        return tuple(
            cell for question in form.questions for cell in spell(question, values[question.name])
        )

    for number, answers in enumerate(store.shuffled(), start=1):
        yield (str(number), *cells(answers))


def _write_rows(path: Path, rows: Iterable[Sequence[str]]) -> None:
    with _replacing(path) as file:
        csv.writer(file).writerows(rows)


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Write beside the path and move into place at the end, so that no half file bears the name.

    Nobody but its owner can read the file.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.unlink(missing_ok=True)
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with beside.open("w", encoding="utf-8", newline="") as file:
            yield file
        beside.replace(path)
    except OSError as error:
        raise DocumentError(
            str(path),
            got=error.strerror,
            allowed="a file that can be written, on a disk with room for it",
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink()
