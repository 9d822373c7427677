"""Reports in one SQLite file: one writer, a write-ahead log, every commit flushed to the disk."""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from askance.collect.accept import Accepted
from askance.collect.outcome import Outcome, settle
from askance.errors import DocumentError
from askance.wire.form import Form

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
    """A store in one file. Only the process that holds its lock may write to it."""

    path: Path
    connection: sqlite3.Connection = field(repr=False)
    lock: sqlite3.Connection | None = field(repr=False)

    @classmethod
    def open(cls, path: Path, form: Form | None, *, read_only: bool) -> "SqliteStore":
        """Open a file, or make it if a form is given and there is none.

        Raises
        ------
        DocumentError
            If there is no such file, if it is no store, or if another process writes to it.
        """
        if not path.exists() and (form is None or read_only):
            raise DocumentError(
                str(path),
                got="no such file",
                allowed="a store of reports",
                remedy="askance serve makes one",
            )
        lock = None if read_only else _lock(path)
        try:
            return cls(path, _connect(path, form, read_only=read_only), lock)
        except (sqlite3.DatabaseError, OSError) as error:
            if lock is not None:
                lock.close()
            raise DocumentError(str(path), got=str(error), allowed="a store of reports") from error

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
        if self.lock is not None:
            self.lock.close()

    def _insert(self, firsts: Mapping[bytes, str]) -> set[bytes]:
        if self.closed:
            return set()
        rows = json.dumps([(id.hex(), answers) for id, answers in firsts.items()])
        return {id for (id,) in self.connection.execute(_INSERT, (rows,)).fetchall()}

    def _look_up(self, ids: Sequence[bytes]) -> dict[bytes, str]:
        listed = json.dumps([id.hex() for id in ids])
        return dict(self.connection.execute(_LOOK_UP, (listed,)).fetchall())


def _lock(path: Path) -> sqlite3.Connection:
    """Hold a lock that ends with the process, however it ends, on every operating system."""
    lock = None
    try:
        lock = sqlite3.connect(f"{path}-lock", timeout=0, check_same_thread=False)
        lock.isolation_level = None
        lock.execute("PRAGMA journal_mode = OFF").fetchall()
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if lock is not None:
            lock.close()
        taken = "locked" in str(error)
        raise DocumentError(
            str(path),
            got=str(error),
            allowed="one process that writes" if taken else "a folder that can be written to",
            remedy="stop the server that uses this store first" if taken else "",
        ) from error
    return lock


def _connect(path: Path, form: Form | None, *, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
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
