"""Reports in one SQLite file: one writer, a write-ahead log, every commit flushed to the disk."""

import json
import os
import re
import sqlite3
import struct
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import final

from askance.collect.accept import Accepted
from askance.collect.outcome import Outcome, settle
from askance.errors import DocumentError
from askance.wire.form import Form

try:
    import fcntl

    _CLAIM: int | None = getattr(fcntl, "F_OFD_SETLK", None)
except ImportError:
    _CLAIM = None

_File = tuple[int, int]
"""A file whatever it is called: its device and its number there."""

_BEYOND = 1 << 62
"""The byte that a writer claims: beyond every page, and beyond the bytes that SQLite locks."""

_OCTAL = re.compile(rb"\\([0-7]{3})")
_MOUNTS = Path("/proc/self/mountinfo")
_SCHEMA = (
    "CREATE TABLE survey (form BLOB NOT NULL, closed INTEGER NOT NULL)",
    "CREATE TABLE reports (id BLOB PRIMARY KEY, answers TEXT NOT NULL) WITHOUT ROWID",
)
_INSERT = """
    INSERT INTO reports (id, answers)
    SELECT bytes_of(value ->> 0), value ->> 1 FROM json_each(?) WHERE true
    ON CONFLICT DO NOTHING RETURNING id
"""
_LOOK_UP = "SELECT id, answers FROM reports WHERE id IN (SELECT bytes_of(value) FROM json_each(?))"
_COUNTS = """
    SELECT CASE WHEN json_valid(answers) THEN answers -> ? END, count(*) FROM reports GROUP BY 1
"""


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
    file: _File = field(repr=False)
    lock: "_WriterLock | None" = field(repr=False)

    @classmethod
    def open(cls, path: Path, form: Form | None, *, read_only: bool) -> "SqliteStore":
        """Open a file, or make it if a form is given and there is none.

        Raises
        ------
        DocumentError
            If there is no such file, if it is no store, if another process writes to it, under
            whatever name, or if the log beside it could be another than the file's.
        """
        if not path.exists() and (form is None or read_only):
            raise DocumentError(
                str(path),
                got="no such file",
                allowed="a store of reports",
                remedy="askance serve makes one",
            )
        real = path.resolve()
        try:
            lock = None if read_only else _WriterLock.take(real)
            try:
                return cls._connected(real, form, lock)
            except BaseException:
                if lock is not None:
                    lock.release()
                raise
        except (sqlite3.DatabaseError, OSError) as error:
            raise DocumentError(str(path), got=str(error), allowed="a store of reports") from error

    @classmethod
    def _connected(cls, path: Path, form: Form | None, lock: "_WriterLock | None") -> "SqliteStore":
        file = _file(path)
        _refuse_other_names(path, writing=lock is not None)
        _descriptors.connected(file)
        try:
            return cls(path, _connect(path, form, read_only=lock is None), file, lock)
        except BaseException:
            _descriptors.disconnected(file)
            raise

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Keep a batch in one transaction, flushed before this returns."""
        return settle(batch, self._insert, self._look_up)

    def reports(self) -> Iterator[tuple[str, str]]:
        """Give every report's id, in hex, with its values in canonical JSON, in their order."""
        yield from self.connection.execute(
            "SELECT lower(hex(id)), answers FROM reports ORDER BY id"
        )

    def counts(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        """Count the reports by their value for each question, all at one moment."""
        self.connection.execute("BEGIN")
        try:
            return {
                name: self.connection.execute(_COUNTS, (f"$.{name}",)).fetchall() for name in names
            }
        finally:
            self.connection.execute("COMMIT")

    def count(self) -> int:
        """Count the reports."""
        return int(self.connection.execute("SELECT count(*) FROM reports").fetchone()[0])

    def form(self) -> bytes:
        """Give the canonical bytes of the form that the reports answer."""
        return bytes(self.connection.execute("SELECT form FROM survey").fetchone()[0])

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        return bool(self.connection.execute("SELECT closed FROM survey").fetchone()[0])

    def close_survey(self) -> None:
        """Refuse further reports and rewrite the file, so that no page tells what came when."""
        self.connection.execute("UPDATE survey SET closed = 1")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.connection.execute("VACUUM")
        self.connection.execute("PRAGMA journal_mode = DELETE").fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()
        _descriptors.disconnected(self.file)
        if self.lock is not None:
            self.lock.release()

    def _insert(self, firsts: Mapping[bytes, str]) -> set[bytes]:
        self._stay()
        if self.closed:
            return set()
        rows = json.dumps([(id.hex(), answers) for id, answers in firsts.items()])
        return {id for (id,) in self.connection.execute(_INSERT, (rows,)).fetchall()}

    def _stay(self) -> None:
        """Refuse to write once the file was moved: a log under its former name would be lost."""
        try:
            moved = _file(self.path) != self.file
        except OSError:
            moved = True
        if moved:
            raise DocumentError(
                str(self.path),
                got="a file that was moved or replaced while it was in use",
                allowed="the file that was opened",
                remedy="move it back, or stop, put file and log back and start again",
            )

    def _look_up(self, ids: Sequence[bytes]) -> dict[bytes, str]:
        listed = json.dumps([id.hex() for id in ids])
        return dict(self.connection.execute(_LOOK_UP, (listed,)).fetchall())


@final
@dataclass(frozen=True, slots=True)
class _WriterLock:
    """What one process at a time may hold; it ends with the process, however it ends.

    A file beside the store's is locked on every operating system. Where an open file can be locked
    by itself, a byte of the store's is locked as well: no link, mount or new name leads past it.
    """

    beside: sqlite3.Connection
    descriptor: int

    @classmethod
    def take(cls, path: Path) -> "_WriterLock":
        beside = _lock_beside(path)
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600)
        except BaseException:
            beside.close()
            raise
        lock = cls(beside, descriptor)
        try:
            lock._claim(getattr(fcntl, "F_WRLCK", 0) if _CLAIM else 0)
        except BlockingIOError as error:
            lock.release()
            raise _taken(path, "another process writes to this file, under another name") from error
        except BaseException:
            lock.release()
            raise
        return lock

    def release(self) -> None:
        if _CLAIM is not None:
            self._claim(fcntl.F_UNLCK)
        _descriptors.let_go(self.descriptor)
        self.beside.close()

    def _claim(self, kind: int) -> None:
        if _CLAIM is not None:
            fcntl.fcntl(
                self.descriptor, _CLAIM, struct.pack("hhqqi", kind, os.SEEK_SET, _BEYOND, 1, 0)
            )


@final
class _Descriptors:
    """Descriptors of stores that may not be closed yet.

    When a process closes any descriptor of a file, it loses all locks that SQLite holds on it for
    this process; so one is kept until the last connection to the file is gone.
    """

    __slots__ = ("_connections", "_guard", "_kept")

    def __init__(self) -> None:
        self._guard = Lock()
        self._connections: Counter[_File] = Counter()
        self._kept: list[tuple[_File, int]] = []

    def connected(self, file: _File) -> None:
        with self._guard:
            self._connections[file] += 1

    def disconnected(self, file: _File) -> None:
        with self._guard:
            self._connections[file] -= 1
            self._close()

    def let_go(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        with self._guard:
            self._kept.append(((status.st_dev, status.st_ino), descriptor))
            self._close()

    def _close(self) -> None:
        self._connections = +self._connections
        for _, descriptor in (one for one in self._kept if one[0] not in self._connections):
            os.close(descriptor)
        self._kept = [one for one in self._kept if one[0] in self._connections]


_descriptors = _Descriptors()


def _lock_beside(path: Path) -> sqlite3.Connection:
    lock = None
    try:
        lock = sqlite3.connect(f"{path}-lock", timeout=0, check_same_thread=False)
        lock.isolation_level = None
        lock.execute("PRAGMA journal_mode = OFF").fetchall()
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            raise _taken(path, str(error)) from error
        raise DocumentError(
            str(path), got=str(error), allowed="a folder that can be written to"
        ) from error
    return lock


def _taken(path: Path, got: str) -> DocumentError:
    return DocumentError(
        str(path),
        got=got,
        allowed="one process that writes",
        remedy="stop the server that uses this store first",
    )


def _file(path: Path) -> _File:
    status = path.stat()
    return status.st_dev, status.st_ino


def _refuse_other_names(path: Path, *, writing: bool) -> None:
    """Refuse a file that has a second name: its log would lie beside the other one.

    Once it is closed there is no log, and reading it does no harm.
    """
    several, alone = path.stat().st_nlink > 1, _mounted_alone(path)
    if not (several or alone) or not (writing or _has_log(path)):
        return
    if several:
        raise DocumentError(
            str(path),
            got="a file with several names (hard links)",
            allowed="a file with one name, beside which its log lies",
            remedy="remove the other names, or copy the closed store",
        )
    raise DocumentError(
        str(path),
        got="a file that is mounted by itself",
        allowed="a file in the folder in which its log lies",
        remedy="mount its folder",
    )


def _has_log(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 20)[18:] == b"\x02\x02"
    finally:
        _descriptors.let_go(descriptor)


def _mounted_alone(path: Path) -> bool:
    """Say whether a mount shows this one file without its folder, where the system tells."""
    if not _MOUNTS.exists():
        return False
    places = (line.split(b" ")[4] for line in _MOUNTS.read_bytes().splitlines())
    return os.fsencode(path) in (_OCTAL.sub(_byte, place) for place in places)


def _byte(octal: re.Match[bytes]) -> bytes:
    """Give the byte that the kernel writes as an octal number, such as a space."""
    return bytes([int(octal[1], 8)])


def _connect(path: Path, form: Form | None, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.create_function("bytes_of", 1, bytes.fromhex, deterministic=True)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if not tables and form is not None:
            _make(connection, form)
        elif not {"survey", "reports"} <= tables:
            raise sqlite3.DatabaseError("a database without reports")
        if not read_only and not connection.execute("SELECT closed FROM survey").fetchone()[0]:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _make(connection: sqlite3.Connection, form: Form) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA:
        connection.execute(statement)
    connection.execute("INSERT INTO survey VALUES (?, 0)", (form.bytes,))
    connection.execute("COMMIT")
