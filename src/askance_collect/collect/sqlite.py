"""Reports in one SQLite file: one writer, a write-ahead log, every commit flushed to the disk."""

import errno
import json
import os
import shutil
import sqlite3
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, final

from askance_collect.collect.accept import (
    PARTED,
    Accepted,
    Outcome,
    Snapshot,
    settle,
    spendable,
)
from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.collect.folder import Folder, refuse_foreign_link
from askance_collect.collect.integrity import (
    REMEDY,
    File,
    Once,
    WriterLock,
    check_receipt,
    count_values,
    descriptors,
    file_at,
    in_groups,
    receipt,
    refuse_odd_files,
    refuse_other_names,
    seal,
    sums,
    sums_of_tokens,
    verified,
    verify,
)
from askance_collect.collect.owner import refuse_as_root
from askance_collect.collect.report_sums import Sums
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire.form import Form

_VERSION, _SPENDING = 2, 3
"""Version 1, which bears no number, had no sums; it is read, and upgraded by whoever writes. A
store of a form that wants tokens is of version 3: it remembers those that are spent. So is one of a
form whose parts are kept apart: it remembers the digests of reports that were parted."""

_SCHEMA = (
    "CREATE TABLE survey (form BLOB NOT NULL, closed INTEGER NOT NULL)",
    "CREATE TABLE reports (id BLOB PRIMARY KEY, answers TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE sums (sums BLOB NOT NULL)",
    "CREATE TABLE spent (token BLOB PRIMARY KEY, key INTEGER NOT NULL) WITHOUT ROWID",
)
_SETTINGS = (
    "PRAGMA synchronous = EXTRA",
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA mmap_size = 0",
    "PRAGMA cell_size_check = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
)
_FAULTS = MappingProxyType(
    {
        sqlite3.SQLITE_NOTADB: ("a store of reports", ""),
        sqlite3.SQLITE_CORRUPT: ("a store as it was written", REMEDY),
        sqlite3.SQLITE_FULL: ("free space on the disk", "make room, and do it again"),
        sqlite3.SQLITE_READONLY: ("a file that can be written", "check who owns it"),
        sqlite3.SQLITE_IOERR: ("a disk that works", "check the disk before anything else"),
        sqlite3.SQLITE_BUSY: ("nobody else who uses it", "end what reads or writes it"),
        sqlite3.SQLITE_LOCKED: ("nobody else who uses it", "end what reads or writes it"),
        sqlite3.SQLITE_CANTOPEN: ("a file and a folder that can be opened", ""),
    }
)
_TEMP_STORE = "PRAGMA temp_store = {}"
"""Where SQLite keeps what it may need back within a statement: pages as they were, rows to sort.

Those of a batch fit into memory, and a file costs more than the batch; those of a whole store do
not fit.
"""
_SQLITE_CODES = MappingProxyType(
    {
        errno.ENOSPC: sqlite3.SQLITE_FULL,
        errno.EDQUOT: sqlite3.SQLITE_FULL,
        errno.EROFS: sqlite3.SQLITE_READONLY,
        errno.EACCES: sqlite3.SQLITE_READONLY,
        errno.EPERM: sqlite3.SQLITE_READONLY,
        errno.EIO: sqlite3.SQLITE_IOERR,
        errno.EMFILE: sqlite3.SQLITE_CANTOPEN,
    }
)
"""What the system calls a fault, and what SQLite does."""

_OFTEN = 250
"""The log is moved into the file after about so many pages: reports wait meanwhile, so often and
briefly rather than seldom and long."""

_READ, _WRITTEN = 32_000, 8_000
"""Kilobytes of pages that a connection holds. Reports go to pages drawn by lot, which the system
has at hand as well: a second copy, from afar in memory, saves a writer nothing."""

_PIECE = 1 << 20
_ID_BYTES = 16
_INSERT = f"""
    INSERT INTO reports (id, answers)
    SELECT substr(?, 1 + {_ID_BYTES} * key, {_ID_BYTES}), value FROM json_each(?) WHERE true
    ON CONFLICT DO NOTHING
"""  # noqa: S608 a number
# No call back into Python and no row out of the statement: each would wait until the thread that
# serves lets this one run again.
_TOKEN_BYTES = 32
_SPEND = f"""
    INSERT INTO spent (token, key)
    SELECT substr(?, 1 + {_TOKEN_BYTES} * key, {_TOKEN_BYTES}), value FROM json_each(?) WHERE true
    ON CONFLICT DO NOTHING
"""  # noqa: S608 a number
_SPENT = "SELECT token FROM spent WHERE token IN (SELECT bytes_of(value) FROM json_each(?))"
_LOOK_UP = "SELECT id, answers FROM reports WHERE id IN (SELECT bytes_of(value) FROM json_each(?))"


@final
class _Log:
    """How much was written to the log since it was last moved, and whether a flush failed since."""

    __slots__ = ("doubtful", "pages")

    def __init__(self) -> None:
        self.doubtful = False
        self.pages = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice that the disk failed."""
        try:
            yield
        except sqlite3.OperationalError as error:
            self.doubtful |= error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR
            raise


@final
@dataclass(frozen=True, slots=True)
class SqliteStore:
    """A store in one file. Only the process that holds its lock may write to it.

    There is one connection that writes, and it alone moves the write-ahead log into the file; all
    others are opened read-only. SQLite before 3.51.3 can lose what was committed where two
    connections do either at once.
    """

    path: Path
    connection: sqlite3.Connection = field(repr=False)
    file: File = field(repr=False)
    lock: "WriterLock | None" = field(repr=False)
    log: _Log = field(repr=False, default_factory=_Log)
    once: Once = field(repr=False, default_factory=Once)
    environment: Environment = field(repr=False, default=SYSTEM)

    @classmethod
    def open(
        cls,
        path: Path,
        form: Form | None,
        *,
        read_only: bool,
        environment: Environment = SYSTEM,
    ) -> "SqliteStore":
        """Open a file, or make a new one if a form is given.

        Raises
        ------
        DocumentError
            If there is no such file, if it is no store, if another process writes to it, under
            whatever name, or if the log beside it could be another than the file's; for root, if
            its folder is another account's.
        """
        if not path.exists() and (form is None or read_only):
            raise DocumentError(
                str(path),
                got="no such file",
                allowed="a store of reports",
                remedy="askance-collect serve makes one",
            )
        real = path.resolve()
        try:
            refuse_as_root(path)
            refuse_foreign_link(path)
            with _translating_errors(path):
                lock = None if read_only else WriterLock.take(real)
                try:
                    return cls._connected(real, form, lock, environment)
                except BaseException:
                    if lock is not None:
                        lock.release()
                    raise
        except OSError as error:
            allowed, remedy = _FAULTS[_SQLITE_CODES.get(error.errno or 0, sqlite3.SQLITE_NOTADB)]
            reason = error.strerror or str(error)
            raise DocumentError(str(path), got=reason, allowed=allowed, remedy=remedy) from error

    @classmethod
    def _connected(
        cls, path: Path, form: Form | None, lock: "WriterLock | None", environment: Environment
    ) -> "SqliteStore":
        file = file_at(path)
        refuse_odd_files(path)
        refuse_other_names(path, writing=lock is not None)
        if lock is not None:
            _write_log_again(path)
        descriptors.connected(file)
        try:
            connection = _connect(path, form, read_only=lock is None)
            return cls(path, connection, file, lock, environment=environment)
        except BaseException:
            descriptors.disconnected(file)
            raise

    def check(self) -> None:
        """Read every page and every report once, and refuse to add to what is damaged.

        A store of the first version gets its sums.
        """
        self.once.run(self._check)

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Keep a batch in one transaction, flushed before this returns."""
        self.check()
        self._refuse_if_moved()
        self._write_again()
        with self.log.watched(), _transaction(self.connection, "IMMEDIATE"):
            outcomes = settle(batch, self._insert, self._look_up)
        self._move_log(len(batch))
        return outcomes

    def look_up(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Say what became of each report, and keep none."""
        self.check()
        self._refuse_if_moved()
        return settle(batch, lambda _: None, self._look_up)

    def check_writable(self) -> None:
        """Write what is no report and take it out again, in one transaction that is flushed."""
        self.check()
        self._refuse_if_moved()
        self._write_again()
        with self.log.watched(), _transaction(self.connection, "IMMEDIATE"):
            nobody = self.environment.random_bytes(_ID_BYTES)
            self._add([Accepted(nobody, "{}")])
            self.connection.execute("DELETE FROM reports WHERE id = ?", (nobody,))
        self._move_log(1)

    def reports(self) -> Iterator[tuple[str, str]]:
        """Every report's id, in hex, with its values in canonical JSON, in their order."""
        for id, answers in self._rows("SELECT id, answers FROM reports ORDER BY id"):
            yield id.hex(), answers

    def digests(self) -> Iterator[str]:
        """The SHA-256 of every message that was sent, in hex, in the order of the ids."""
        form = self.form()
        return (receipt(form, bytes.fromhex(id), answers) for id, answers in self.reports())

    def shuffled_values(self) -> Iterator[str]:
        """The values of every report, in an order drawn afresh, sorted on the disk."""
        self.connection.execute(_TEMP_STORE.format("FILE"))
        for _, answers in self._rows("SELECT id, answers FROM reports ORDER BY random()"):
            yield answers

    def counts(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        """Count the reports by their value for each question, all at one moment."""
        with _translating_errors(self.path), _transaction(self.connection, "DEFERRED"):
            answers = self.connection.execute("SELECT answers FROM reports")
            groups = in_groups(chain.from_iterable(answers))
            return count_values(groups, names, _read_report_sums(self.connection), self.form())

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Everything as it is at one moment, for a copy."""
        with _translating_errors(self.path), _transaction(self.connection, "DEFERRED"):
            form, closed, stored_sums = self.form(), self.closed, _read_report_sums(self.connection)
            rows = self.connection.execute("SELECT id, answers FROM reports ORDER BY id")
            tokens = iter(_spent(self.connection, " ORDER BY token"))
            yield Snapshot(form, closed, verified(rows, stored_sums, form, closed), tokens)

    def count(self) -> int:
        """Count the reports."""
        return int(self._read_scalar("SELECT count(*) FROM reports"))

    def spent_tokens(self) -> dict[int, int]:
        """Count the tokens that are spent, by the position of their key among the form's."""
        with _translating_errors(self.path), _transaction(self.connection, "DEFERRED"):
            return dict(sorted(Counter(key for _, key in _spent(self.connection)).items()))

    def form(self) -> bytes:
        """The canonical bytes of the form that the reports answer."""
        with _translating_errors(self.path):
            form = self._read_scalar("SELECT form FROM survey")
            if not isinstance(form, bytes):
                raise _fault("values of another kind than a store's")
            return form

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        return bool(self._read_scalar("SELECT closed FROM survey"))

    def withdraw(self, id: bytes, digest: str | None = None) -> None:
        """Take a report out, and write zeros where it stood in the file and in its log.

        Raises
        ------
        DocumentError
            If there is no such report, if the digest is not its, or if somebody reads the file, so
            that the log cannot be emptied yet.
        """
        self.check()
        self._refuse_if_moved()
        with _translating_errors(self.path):
            with _transaction(self.connection, "IMMEDIATE"):
                form, stored = self.form(), self._look_up([id]).get(id)
                answers = check_receipt(form, id, stored, digest)
                self.connection.execute("DELETE FROM reports WHERE id = ?", (id,))
                total = _sums(self.connection) or Sums()
                self._put(total - sums([(id, answers)], form))
            self._empty_log()

    def _empty_log(self) -> None:
        """Erase deleted reports from the log, and from the file of a closed survey."""
        if self.closed:
            self._rewrite()
        elif self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            message = "a report that is withdrawn, but still in the log, which somebody reads"
            raise _fault(message, sqlite3.SQLITE_BUSY)
        else:
            _write_log_again(self.path)  # else it could come back with the power

    def let_go(self, digests: Sequence[bytes]) -> None:
        """Take every report out, and note the digests of their messages in the place of tokens.

        Zeros are written where reports stood in the file. Their log is emptied, unless somebody
        reads it; then it is the next time.
        """
        with self.log.watched(), _translating_errors(self.path):
            with _transaction(self.connection, "IMMEDIATE"):
                form, total = self.form(), _sums(self.connection) or Sums()
                rows = self.connection.execute("SELECT id, answers FROM reports")
                noted = [(digest, PARTED) for digest in sorted(digests)]
                total = total - sums(rows, form) + sums_of_tokens(noted)
                self.connection.execute("DELETE FROM reports")
                if self._remember(noted) != len(noted):
                    raise _fault("reports that were parted before")
                self._put(total)
            emptied = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not self.closed and not emptied[0]:
                self.log.pages = 0
                _write_log_again(self.path)

    def forget(self, digest: bytes) -> None:
        """Take out the digest of a report that was parted, if it is noted, and empty the log.

        Raises
        ------
        DocumentError
            If somebody reads the file, so that the log cannot be emptied yet.
        """
        self._refuse_if_moved()
        with _translating_errors(self.path):
            with _transaction(self.connection, "IMMEDIATE"):
                parameters = (digest, PARTED)
                query = "DELETE FROM spent WHERE token = ? AND key = ?"
                if self.connection.execute(query, parameters).rowcount:
                    self._put((_sums(self.connection) or Sums()) - sums_of_tokens([parameters]))
            self._empty_log()

    def find_parted(self, digests: Sequence[bytes]) -> set[bytes]:
        """Find the digests that are noted of reports that were parted."""
        with _translating_errors(self.path):
            return self._look_up_tokens(digests)

    def parted(self) -> Iterator[str]:
        """The digests, in hex, of the reports that were parted, in their order."""
        query = "SELECT token FROM spent WHERE key = ? ORDER BY token"
        with _translating_errors(self.path):
            for (digest,) in self.connection.execute(query, (PARTED,)):
                yield digest.hex()

    def stored_answers(self, id: bytes) -> str | None:
        """The values that are kept under an id, in canonical JSON; None without such a report."""
        with _translating_errors(self.path):
            return self._look_up([id]).get(id)

    def remaining_capacity(self) -> int:
        """Count the bytes that are free on the file's disk."""
        return shutil.disk_usage(self.path.parent).free

    def close_survey(self) -> None:
        """Refuse further reports and rewrite the file, so that no page shows the order of arrival.

        Interrupted, it leaves a store that can be closed again.

        Raises
        ------
        DocumentError
            If somebody reads the file meanwhile. Further reports are refused all the same.
        """
        self.check()
        self._refuse_if_moved()
        with _translating_errors(self.path):
            with _transaction(self.connection, "IMMEDIATE"):
                form = self.form()
                total = sums(self.connection.execute("SELECT id, answers FROM reports"), form)
                total += sums_of_tokens(_spent(self.connection))
                verify(total, _sums(self.connection), form, self.closed)
                self.connection.execute("UPDATE survey SET closed = 1")
                self._put(total + seal(form, True))
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._rewrite()
            self.connection.execute("PRAGMA journal_mode = DELETE").fetchall()

    def delete_all(self) -> None:
        """Close for good and delete everything; zeros are written over the file and its log.

        Raises
        ------
        DocumentError
            If somebody reads the file, so that the log cannot be emptied yet.
        """
        self._refuse_if_moved()
        with _translating_errors(self.path):
            if _sums(self.connection) is None:
                _upgrade(self.connection)
            self.connection.execute("PRAGMA journal_mode = WAL").fetchall()  # keeps no old page
            with _transaction(self.connection, "IMMEDIATE"):
                self.connection.execute("DELETE FROM reports")
                if self.connection.execute("PRAGMA user_version").fetchone()[0] >= _SPENDING:
                    self.connection.execute("DELETE FROM spent")
                self.connection.execute("UPDATE survey SET closed = 1")
                self._put(seal(self.form(), True))
            if self.connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()[0]:
                message = "reports that are deleted, but still in the log, which somebody reads"
                raise _fault(message, sqlite3.SQLITE_BUSY)
            with _overwritten(Path(f"{self.path}-wal")):
                self.connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            self._rewrite()

    def close(self) -> None:
        """Let go of the file, once."""
        if not _in_use(self.connection):
            return
        self.once.leave()
        self.connection.close()
        descriptors.disconnected(self.file)
        if self.lock is not None:
            self.lock.release()

    def _check(self) -> None:
        with _translating_errors(self.path):
            _check(self.connection, self.once)
            if self.lock is not None:
                if _sums(self.connection) is None:
                    _upgrade(self.connection)
                if not self.closed:
                    self.connection.execute("PRAGMA journal_mode = WAL").fetchall()

    def _insert(self, firsts: Mapping[bytes, Accepted]) -> set[bytes] | None:
        state = "SELECT survey.closed, survey.form, sums.sums FROM survey, sums"
        ((closed, form, stored_sums),) = self.connection.execute(state).fetchall()
        if closed:
            return None
        new = spendable(firsts.values())
        if not self._add(new):
            self.connection.execute("ROLLBACK")
            self.connection.execute("BEGIN IMMEDIATE")
            stored = self._look_up(list(firsts))
            missing = [report for report in firsts.values() if report.id not in stored]
            new = spendable(
                missing, self._look_up_tokens([report.token for report in missing if report.token])
            )
            self._add(new)
        if new:
            more = sums(((report.id, report.answers) for report in new), form)
            more += sums_of_tokens((report.token, report.key) for report in new if report.token)
            self._put(Sums.read(stored_sums) + more)
        return {report.id for report in new}

    def _add(self, new: Sequence[Accepted]) -> bool:
        """Insert reports, and their tokens; say whether none of either was there yet."""
        if any(len(report.id) != _ID_BYTES for report in new):
            raise InputError("id", allowed=f"{_ID_BYTES} bytes")
        parameters = (
            b"".join(report.id for report in new),
            json.dumps([report.answers for report in new]),
        )
        added = self.connection.execute(_INSERT, parameters).rowcount == len(new)
        tokens = [(report.token, report.key) for report in new if report.token]
        return added and self._remember(tokens) == len(tokens)

    def fill(
        self,
        reports: Iterable[Sequence[tuple[bytes, str]]],
        tokens: Iterable[Sequence[tuple[bytes, int]]],
    ) -> Sums:
        """Put ids with values, and spent tokens, into a new store at once; give their sums.

        Pages are written once, in their order: there is nothing yet that a log would have to keep.
        """
        self.check()
        self._refuse_if_moved()
        with _translating_errors(self.path):
            self.connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            with _transaction(self.connection, "IMMEDIATE"):
                form, total = self.form(), Sums()
                for part in reports:
                    self.connection.executemany("INSERT INTO reports VALUES (?, ?)", part)
                    total += sums(part, form)
                for spent in tokens:
                    self.connection.executemany("INSERT INTO spent VALUES (?, ?)", spent)
                    total += sums_of_tokens(spent)
                self._put(total + seal(form, False))
            self.connection.execute("PRAGMA journal_mode = WAL").fetchall()
        return total

    def add_spent_tokens(self, tokens: Sequence[tuple[bytes, int]]) -> None:
        """Note tokens as spent that another store knew."""
        with _translating_errors(self.path), _transaction(self.connection, "IMMEDIATE"):
            already_spent = self._look_up_tokens([token for token, _ in tokens])
            fresh = [
                (token, key) for token, key in dict(tokens).items() if token not in already_spent
            ]
            self._remember(fresh)
            self._put((_sums(self.connection) or Sums()) + sums_of_tokens(fresh))

    def _remember(self, tokens: Sequence[tuple[bytes, int]]) -> int:
        """Note tokens as spent, and say how many were not yet; their sums are the caller's."""
        if not tokens:
            return 0
        listed = json.dumps([key for _, key in tokens])
        parameters = (b"".join(token for token, _ in tokens), listed)
        return self.connection.execute(_SPEND, parameters).rowcount

    def _write_again(self) -> None:
        """After a flush that failed, bring all to the disk before anything else rests on it."""
        if self.log.doubtful and self.lock is not None:
            _write_log_again(self.path)
            _write_again(self.lock.descriptor)
            self.log.doubtful = False

    def _move_log(self, reports: int) -> None:
        """Move the log into the file now and then; SQLite itself does not report a failure."""
        self.log.pages += 3 + reports
        if self.log.pages >= _OFTEN:
            self.log.pages = 0
            with suppress(sqlite3.OperationalError), self.log.watched():
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _rewrite(self) -> None:
        self.connection.execute(_TEMP_STORE.format("FILE"))
        self.connection.execute("VACUUM")

    def _put(self, total: Sums) -> None:
        self.connection.execute("UPDATE sums SET sums = ?", (total.spelling,))

    def _rows(self, query: str) -> Iterator[tuple[bytes, str]]:
        """Read reports as they are at one moment; after the last one, refuse a damaged store."""
        with _translating_errors(self.path), _transaction(self.connection, "DEFERRED"):
            rows, stored_sums = self.connection.execute(query), _read_report_sums(self.connection)
            yield from verified(rows, stored_sums, self.form(), self.closed)

    def _read_scalar(self, query: str) -> Any:
        with _translating_errors(self.path):
            row = self.connection.execute(query).fetchone()
            if row is None:
                raise _fault("a table without its row")
            return row[0]

    def _refuse_if_moved(self) -> None:
        """Refuse to write once the file was moved: a log under its former name would be lost."""
        try:
            is_moved = file_at(self.path) != self.file
        except OSError:
            is_moved = True
        if is_moved:
            raise DocumentError(
                str(self.path),
                got="a file that was moved or replaced while it was in use",
                allowed="the file that was opened",
                remedy="move it back, or stop, put file and log back and start again",
            )

    def _look_up(self, ids: Sequence[bytes]) -> dict[bytes, str]:
        listed = json.dumps([id.hex() for id in ids])
        return dict(self.connection.execute(_LOOK_UP, (listed,)).fetchall())

    def _look_up_tokens(self, tokens: Sequence[bytes]) -> set[bytes]:
        """Find those that are spent."""
        if not tokens:
            return set()
        listed = json.dumps([token.hex() for token in tokens])
        rows = self.connection.execute(_SPENT, (listed,)).fetchall()
        return {token for (token,) in rows}


def _write_log_again(path: Path) -> None:
    """Bring the log to the disk, if there is one: a flush of it may have failed in a former run.

    Nobody may read it afterwards who may not read the store.
    """
    try:
        with Folder.opened(path.parent) as folder:
            descriptor = folder.open_file(f"{path.name}-wal", os.O_RDWR)
            mode = stat.S_IMODE(folder.status(path.name).st_mode)
    except FileNotFoundError:
        return
    try:
        if os.name == "posix" and stat.S_IMODE(os.fstat(descriptor).st_mode) & ~mode:
            os.fchmod(descriptor, mode)
        _write_again(descriptor)
    finally:
        os.close(descriptor)


def _write_again(descriptor: int) -> None:
    """Write a file's bytes where they stand, and flush it.

    What a flush did not bring to the disk the system takes for clean: it is read from memory as if
    it were there, and no later flush is for it, unless it is written again.
    """
    offset = os.lseek(descriptor, 0, os.SEEK_SET)
    while piece := os.read(descriptor, _PIECE):
        os.lseek(descriptor, offset, os.SEEK_SET)
        offset += os.write(descriptor, piece)
        os.lseek(descriptor, offset, os.SEEK_SET)
    os.fsync(descriptor)


@contextmanager
def _overwritten(path: Path) -> Iterator[None]:
    """Once a file's name is gone, write zeros where it lay."""
    with Folder.opened(path.parent) as folder:
        descriptor = folder.open_file(path.name, os.O_RDWR)
    with os.fdopen(descriptor, "r+b") as file:
        yield
        if path.exists():
            raise _fault("a log that somebody reads", sqlite3.SQLITE_BUSY)
        remaining = os.fstat(file.fileno()).st_size
        while remaining > 0:
            remaining -= file.write(bytes(min(remaining, _PIECE)))
        file.flush()
        os.fsync(file.fileno())


def _connect(path: Path, form: Form | None, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.create_function("bytes_of", 1, bytes.fromhex, deterministic=True)
        for setting in _SETTINGS:
            connection.execute(setting)
        connection.execute(f"PRAGMA cache_size = {-_READ if read_only else -_WRITTEN}")
        connection.execute(_TEMP_STORE.format("FILE" if read_only else "MEMORY"))
        _prepare(connection, form)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, form: Form | None) -> None:
    """Make a store, or see that it is one."""
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_schema").fetchall())
    if not tables and form is not None:
        _make(connection, form)
        return
    if not {"survey", "reports"} <= set(tables):
        raise _fault("a database without reports", sqlite3.SQLITE_NOTADB)
    version = connection.execute("PRAGMA user_version").fetchone()[0] or 1
    if version > _SPENDING:
        later = f"a store of version {version}, made by a later Askance"
        raise _fault(later, sqlite3.SQLITE_NOTADB)
    if set(tables.values()) != {*_SCHEMA[: 1 + version]}:
        raise _fault("tables that are not a store's")


def _make(connection: sqlite3.Connection, form: Form) -> None:
    version = _SPENDING if form.tokens is not None or form.keeps_apart else _VERSION
    with _transaction(connection, "IMMEDIATE"):
        for statement in _SCHEMA[: 1 + version]:
            connection.execute(statement)
        connection.execute("INSERT INTO survey VALUES (?, 0)", (form.bytes,))
        connection.execute("INSERT INTO sums VALUES (?)", (seal(form.bytes, False).spelling,))
        connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("PRAGMA journal_mode = WAL").fetchall()


def _upgrade(connection: sqlite3.Connection) -> None:
    """Add checksums to a store that has none; from now on every change is detected."""
    with _transaction(connection, "IMMEDIATE"):
        form, closed = connection.execute("SELECT form, closed FROM survey").fetchone()
        rows = connection.execute("SELECT id, answers FROM reports")
        connection.execute(_SCHEMA[_VERSION])
        total = sums(rows, form) + seal(form, closed)
        connection.execute("INSERT INTO sums VALUES (?)", (total.spelling,))
        connection.execute(f"PRAGMA user_version = {_VERSION}")


def _check(connection: sqlite3.Connection, once: Once) -> None:
    """Compare pages with each other, and reports with their sums."""
    try:
        with _transaction(connection, "DEFERRED"):
            if (complaint := structure(connection)) != "ok":
                raise _fault(complaint)
            ((form, closed),) = connection.execute("SELECT form, closed FROM survey").fetchall()
            if closed not in (0, 1):
                raise _fault("a survey that is neither open nor closed")
            rows = connection.execute("SELECT id, answers FROM reports")
            verify(
                sums(once.watched(rows), form), _read_report_sums(connection), form, bool(closed)
            )
    except (ValueError, TypeError) as error:
        if isinstance(error, DocumentError):
            raise
        raise _fault("values of another kind than a store's") from error


def structure(connection: sqlite3.Connection) -> str:
    """Say the first thing that is wrong with the pages of a file, or "ok"."""
    return str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0]).splitlines()[-1]


def _sums(connection: sqlite3.Connection) -> Sums | None:
    """Read the sums, which a store of the first version does not have."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        return None
    ((spelling,),) = connection.execute("SELECT sums FROM sums").fetchall()
    return Sums.read(spelling)


def _read_report_sums(connection: sqlite3.Connection) -> Sums | None:
    """Read the sums of the reports alone: without what the tokens add that are spent."""
    total = _sums(connection)
    return total and total - sums_of_tokens(_spent(connection))


def _spent(connection: sqlite3.Connection, order: str = "") -> Iterable[tuple[bytes, int]]:
    """Read the tokens that are spent, which a form without tokens has none of."""
    if connection.execute("PRAGMA user_version").fetchone()[0] < _SPENDING:
        return ()
    return connection.execute(f"SELECT token, key FROM spent{order}")  # noqa: S608 our own


def _fault(message: str, code: int = sqlite3.SQLITE_CORRUPT) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(message)
    error.sqlite_errorcode = code
    return error


def _in_use(connection: sqlite3.Connection) -> bool:
    try:
        connection.total_changes  # noqa: B018 a closed connection refuses to say
    except sqlite3.ProgrammingError:
        return False
    return True


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _translating_errors(path: Path) -> Iterator[None]:
    """Say what went wrong in a database in words, and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        allowed, remedy = _FAULTS.get(code, _FAULTS[sqlite3.SQLITE_NOTADB])
        raise DocumentError(str(path), got=str(error), allowed=allowed, remedy=remedy) from error
