"""Stores of reports: open one by its driver, or salvage a damaged one.

To save what is good the pages of a file are read one by one, whatever the tree above them says; a
report is good if it could have been sent under the form.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, final
from urllib.parse import urlsplit

from askance_collect.arguments import checked
from askance_collect.collect.accept import PARTED, Accepted, Outcome, Store
from askance_collect.collect.apart import ApartStore, path_of_part
from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.collect.folder import Folder, refuse_foreign_link
from askance_collect.collect.integrity import WriterLock, is_possible, seal, sums, sums_of_tokens
from askance_collect.collect.owner import refuse_as_root
from askance_collect.collect.report_sums import Sums
from askance_collect.collect.sqlite import SqliteStore, structure
from askance_collect.errors import DocumentError, FormError, ReportRefused, file_faults
from askance_collect.wire.canonical_json import canonical, fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.parts import FormPart, form_of_part
from askance_collect.wire.question import TEXT_GIVEN, Value
from askance_collect.wire.report import read_values


@checked
def open_store(
    url: str | Path,
    form: Form | None = None,
    *,
    read_only: bool = False,
    environment: Environment = SYSTEM,
) -> Store:
    """Open the store at a path or URL, or make one for a form.

    Parameters
    ----------
    url : str or Path
        A path, ``sqlite:///relative.db``, ``sqlite:////absolute.db`` or ``postgresql://…``.
    form : Form, optional
        Needed to make a store; an existing one must belong to exactly this form.
    read_only : bool
        For counting and exporting, also while a server is writing.
    environment : Environment, optional
        Where randomness comes from; by default from this machine.

    Raises
    ------
    DocumentError
        If there is no store, if it belongs to another form, or if another process writes to it.

    >>> open_store("nowhere.db", read_only=True)
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere.db: got 'no such file'; allowed: a store of rep...
    """
    scheme = str(url).partition("://")[0] if "://" in str(url) else ""
    store: Store
    if scheme in ("postgresql", "postgres"):
        if form is not None and form.keeps_apart:
            raise DocumentError(
                _hide_password(url),
                got="a database",
                allowed="a file: protected and plain answers are kept apart, in a file each",
                remedy="name a file, or publish the survey without apart = true",
            )
        from askance_collect.collect.postgres import PostgresStore

        store = PostgresStore.open(str(url), form, read_only=read_only, environment=environment)
    elif scheme in ("sqlite", ""):
        path = Path(str(url).removeprefix("sqlite:///"))
        store = _open_file(path, form, read_only=read_only, environment=environment)
    else:
        raise DocumentError(scheme, allowed="a path, sqlite:///… or postgresql://…")
    try:
        if form is not None and store.form() != form.bytes:
            store.check()  # or the form was damaged
            raise DocumentError(
                _hide_password(url),
                got=f"a store for the form {fingerprint(store.form())[:16]}…",
                allowed=f"a store for the form {form.fingerprint[:16]}…",
                remedy=_other_form_remedy(store.form(), form),
            )
    except BaseException:
        store.close()
        raise
    return store


def _open_file(
    path: Path, form: Form | None, *, read_only: bool, environment: Environment
) -> Store:
    """Open the store in a file, with those of its two parts if its form keeps them apart."""
    store = SqliteStore.open(path, form, read_only=read_only, environment=environment)
    try:
        stored_form = store.form()
        if _read_form_key(stored_form, "apart") is not True:
            return store
        how = partial(SqliteStore.open, read_only=read_only, environment=environment)
        return _open_parts(store, Form.read(stored_form), how, read_only=read_only)
    except BaseException:
        store.close()
        raise


def _open_parts(
    waiting: SqliteStore,
    form: Form,
    open_file: Callable[[Path, Form | None], SqliteStore],
    *,
    read_only: bool,
) -> ApartStore:
    """Open the stores of both parts, and the one in which reports wait.

    Raises
    ------
    DocumentError
        If one of them cannot be opened, is another form's, or is missing though reports were
        parted.
    """
    parts: dict[FormPart, SqliteStore] = {}
    try:
        may_make = not read_only and PARTED not in waiting.spent_tokens()
        for part in FormPart:
            own, path = form_of_part(form, part), path_of_part(waiting.path, part)
            if not (path.exists() or may_make):
                raise DocumentError(
                    str(path),
                    got="no such file",
                    allowed=f"the store of the {part.value} part, into which reports were parted",
                    remedy="put it back beside the store of the form",
                )
            parts[part] = open_file(path, own if may_make else None)
            if parts[part].form() != own.bytes:
                allowed = f"the store of the {part.value} part of {waiting.path.name}"
                raise DocumentError(str(path), got="another form's store", allowed=allowed)
    except BaseException:
        for store in parts.values():
            store.close()
        raise
    files = waiting.path, *(store.path for store in parts.values())
    lookups = {part: store.stored_answers for part, store in parts.items()}
    return ApartStore(files, waiting, waiting, parts, lookups, form, read_only)


def _read_form_key(form: bytes, key: str) -> Any:
    """Read a key of a form that may be damaged; None if it is."""
    try:
        return json.loads(form).get(key)
    except (ValueError, AttributeError, RecursionError):
        return None


def _other_form_remedy(stored_form: bytes, form: Form) -> str:
    """Say what to name instead of a store that is another form's, or of one part of this one."""
    about = _read_form_key(stored_form, "about")
    described = about.get("part") if isinstance(about, dict) else None
    if isinstance(described, dict) and described.get("of") == form.fingerprint:
        name = described.get("name")
        return f"it keeps the {name} part of this form: name that part's form, ….{name}.json"
    return "name another store: one store belongs to one form"


def _hide_password(url: str | Path) -> str:
    """Name a store without the password that its URL may hold."""
    parts = urlsplit(str(url))
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}" if parts.scheme else str(url)


def group_store(store: Store, form: Form) -> dict[str, dict[Value, int]]:
    """Count the reports in an open store by value, for each question.

    Raises
    ------
    DocumentError
        If it holds what no respondent can have sent.
    """
    counts = store.counts([question.name for question in form.questions])
    groups: dict[str, dict[Value, int]] = {}
    for question in form.questions:
        group: dict[Value, int] = {}
        for spelling, count in counts[question.name]:
            value = None if spelling is None else json.loads(spelling)
            if spelling is None or not is_possible(question, value):
                raise DocumentError(
                    f"reports.answers.{question.name}",
                    got=f"{count} reports with something else",
                    allowed="null, or a value that some respondent can send",
                    remedy="the database was changed by another program",
                )
            if isinstance(value, list):
                value = tuple(value)
            group[TEXT_GIVEN if value == "" else value] = count
        groups[question.name] = group
    return groups


_LEAF, _INNER = 10, 2
_ID, _MANY = 16, 1000


@final
@dataclass(frozen=True, slots=True)
class Repair:
    """What was salvaged from a damaged store.

    Attributes
    ----------
    damage : str
        What the database says of the file; "ok" if its structure is whole.
    saved : int
        Reports in the new store.
    expected : int or None
        Reports that were in the old one, as its sums say; None if they cannot be read.
    complete : bool
        Whether the saved reports are exactly those that were kept.
    closed : bool
        Whether the survey was closed, as far as that can be read; the new store is, too.
    spent : int
        Tokens that are known to be spent, of a form that wants tokens.
    """

    damage: str
    saved: int
    expected: int | None
    complete: bool
    closed: bool
    spent: int = 0


@checked
def repair(path: str | Path, new: str | Path, form: Form | None = None) -> Repair:
    """Save the good reports of a store in a file into a new one; the old one stays as it is.

    Parameters
    ----------
    path, new : str or Path
        No server may use the one; there may be no file under the other.
    form : Form, optional
        Needed if the store's own cannot be read.

    Raises
    ------
    DocumentError
        If the files are not such, or if it is not known which form the reports answer.

    >>> from askance_collect.collect import Repair, accept, open_store, repair
    >>> from askance_collect.wire import Report
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> body = Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size)
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = open_store(f"{folder}/tea.db", form)
    ...     outcomes = store.append([accept(body, form)])
    ...     store.close()
    ...     saved: Repair = repair(f"{folder}/tea.db", f"{folder}/new.db")
    >>> saved
    Repair(damage='ok', saved=1, expected=1, complete=True, closed=False, spent=0)
    """
    old, fresh = Path(path).resolve(), Path(new)
    if not old.is_file():
        raise DocumentError(str(path), got="no such file", allowed="a store in a file")
    if os.path.lexists(fresh):
        raise DocumentError(str(new), got="a file", allowed="a new file")
    refuse_foreign_link(Path(path))
    refuse_as_root(old)
    with file_faults(path, "a store that can be locked"):
        lock = WriterLock.take(old)
    with ExitStack() as stack:
        stack.callback(lock.release)
        stack.enter_context(file_faults(new, "a folder with room for two copies"))
        refuse_as_root(fresh)
        parent = stack.enter_context(Folder.opened(fresh.parent))
        folder = stack.enter_context(parent.working(".repairing-"))
        copy, rebuilt = folder.path / "copy.db", folder.path / "new.db"
        _copy(old, folder)
        damage = _empty_log(copy)
        form, closed, stored_sums = _read_head(copy, form, str(path))
        good = _filter_possible(_scan_rows(copy.read_bytes()), form)
        done = _save_reports(good, rebuilt, form, damage, closed, stored_sums, _read_tokens(copy))
        folder.rename(rebuilt.name, fresh.name, parent)
        return done


def _copy(old: Path, folder: Folder) -> None:
    """Copy a store and its log, as plain files."""
    with Folder.opened(old.parent) as source_folder:
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                descriptor = source_folder.open_file(f"{old.name}{end}", names=False)
                with (
                    os.fdopen(descriptor, "rb") as source,
                    os.fdopen(folder.create(f"copy.db{end}"), "wb") as copy,
                ):
                    shutil.copyfileobj(source, copy)


def _empty_log(copy: Path) -> str:
    """Move the log into the file, as far as it goes; say what the database complains of."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            with suppress(sqlite3.DatabaseError):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return structure(connection)
    except sqlite3.DatabaseError as error:
        return str(error)


def _read_head(copy: Path, form: Form | None, where: str) -> tuple[Form, bool, Sums | None]:
    """Read the form, whether the survey is closed, and the sums, as far as they can be read."""
    form_bytes, closed, spelling = (
        _read_scalar(copy, f"SELECT {name} FROM {table}")  # noqa: S608 names of our own
        for name, table in (("form", "survey"), ("closed", "survey"), ("sums", "sums"))
    )
    own: Form | None = None
    if isinstance(form_bytes, bytes):
        with suppress(FormError, ValueError, TypeError):
            own = Form.read(form_bytes)
    if own is not None and form is not None and own.fingerprint != form.fingerprint:
        raise DocumentError(
            where,
            got=f"a store for the form {own.fingerprint[:16]}…",
            allowed=f"a store for the form {form.fingerprint[:16]}…",
        )
    if (known_form := own or form) is None:
        raise DocumentError(
            where,
            got="no form that can be read",
            allowed="a store whose form is known",
            remedy="give the form that was published: --form FORM",
        )
    stored_sums = (
        Sums.read(spelling) if isinstance(spelling, bytes) and len(spelling) == 72 else None
    )
    return known_form, closed == 1, stored_sums


def _read_scalar(copy: Path, query: str) -> Any:
    try:
        with closing(sqlite3.connect(copy)) as connection:
            row = connection.execute(query).fetchone()
            return row and row[0]
    except sqlite3.DatabaseError:
        return None


def _read_tokens(copy: Path) -> list[tuple[bytes, int]]:
    """Read the tokens that are spent, as far as they can be read."""
    tokens: list[tuple[bytes, int]] = []
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(copy)) as connection:
        tokens.extend(connection.execute("SELECT token, key FROM spent"))
    return tokens


def _save_reports(
    good: Iterable[Accepted],
    new: Path,
    form: Form,
    damage: str,
    closed: bool,
    stored_sums: Sums | None,
    tokens: Sequence[tuple[bytes, int]],
) -> Repair:
    store = SqliteStore.open(new, form, read_only=False)
    total, batch = sums_of_tokens(tokens), list[Accepted]()
    try:
        if tokens:
            store.add_spent_tokens(tokens)
        for report in good:
            batch.append(report)
            if len(batch) == _MANY:
                total += _append(store, batch, form)
        total += _append(store, batch, form)
        if closed:
            store.close_survey()
    finally:
        store.close()
    complete = stored_sums is not None and stored_sums in {
        total + seal(form.bytes, state) for state in (False, closed)
    }
    stored_count = None if stored_sums is None else stored_sums.count
    return Repair(damage, total.count, stored_count, complete, closed, len(tokens))


def _append(store: Store, batch: list[Accepted], form: Form) -> Sums:
    """Keep a batch; a page may stand in the file twice."""
    outcomes = store.append(batch)
    new = [
        report for report, outcome in zip(batch, outcomes, strict=True) if outcome is Outcome.NEW
    ]
    batch.clear()
    return sums(((report.id, report.answers) for report in new), form.bytes)


def _filter_possible(rows: Iterable[tuple[bytes, bytes]], form: Form) -> Iterator[Accepted]:
    for id, spelling in rows:
        try:
            values = read_values(json.loads(spelling.decode("ascii")), form)
        except (ReportRefused, ValueError, TypeError, RecursionError):
            continue
        if canonical(dict(values)) == spelling:
            yield Accepted(id, spelling.decode("ascii"))


def _scan_rows(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Read what looks like a report on any page that looks like one of the table of reports.

    The layout is that of SQLite's documentation, "Database File Format", sections 1.5 and 1.6.
    """
    size = int.from_bytes(file[16:18], "big")
    size = 65536 if size == 1 else size
    if size < 512 or size & (size - 1):
        size = 4096
    for offset in range(0, len(file) - size + 1, size):
        page = file[offset : offset + size]
        if page[0] not in (_LEAF, _INNER):
            continue
        first = 8 if page[0] == _LEAF else 12
        for cell in range(int.from_bytes(page[3:5], "big")):
            pointer = page[first + 2 * cell : first + 2 * cell + 2]
            start = int.from_bytes(pointer, "big") + (0 if page[0] == _LEAF else 4)
            with suppress(IndexError):
                row = _parse_row(_read_payload(file, page, start))
                if row is not None:
                    yield row


def _read_payload(file: bytes, page: bytes, start: int) -> bytes:
    """Read a cell's content; beyond a limit it continues on overflow pages."""
    size = len(page)
    length, start = _read_varint(page, start)
    max_local, min_local = ((size - 12) * part // 255 - 23 for part in (64, 32))
    if length <= max_local:
        return page[start : start + length]
    local = min_local + (length - min_local) % (size - 4)
    local = local if local <= max_local else min_local
    content = page[start : start + local]
    follow = int.from_bytes(page[start + local : start + local + 4], "big")
    while follow and len(content) < length <= len(file):
        beyond = file[(follow - 1) * size : follow * size]
        if len(beyond) < size:
            break
        content += beyond[4:]
        follow = int.from_bytes(beyond[:4], "big")
    return content[:length]


def _parse_row(payload: bytes) -> tuple[bytes, bytes] | None:
    """Read an id of 16 bytes and a text, if the record's header declares these two."""
    head, position = _read_varint(payload, 0)
    blob, position = _read_varint(payload, position)
    text, position = _read_varint(payload, position)
    length = (text - 13) // 2
    fits = position == head and head + _ID + length == len(payload)
    if blob != 12 + 2 * _ID or text < 13 or text % 2 == 0 or not fits:
        return None
    return payload[head : head + _ID], payload[head + _ID :]


def _read_varint(page: bytes, position: int) -> tuple[int, int]:
    """Read a number of up to nine bytes, and say where it ends."""
    number = 0
    for step in range(8):
        number = number << 7 | page[position + step] & 0x7F
        if page[position + step] < 0x80:
            return number, position + step + 1
    return number << 8 | page[position + 8], position + 9
