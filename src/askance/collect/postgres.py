"""Reports in PostgreSQL, in the same shape: one statement, one flush, for a whole batch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from askance.collect.accept import Accepted
from askance.collect.outcome import Outcome, settle
from askance.errors import DocumentError, MissingExtra
from askance.wire.form import Form

try:
    import psycopg
except ImportError as error:
    raise MissingExtra("psycopg", "postgres") from error

_PLACE = "the PostgreSQL database"
_LATCH = 0x61736B616E6365
_SCHEMA = """
    CREATE SCHEMA IF NOT EXISTS askance;
    CREATE TABLE askance.survey (form bytea NOT NULL, closed boolean NOT NULL);
    CREATE TABLE askance.reports (id bytea PRIMARY KEY, answers json NOT NULL);
"""
_INSERT = """
    INSERT INTO askance.reports (id, answers)
    SELECT id, answers::json FROM unnest(%b::bytea[], %b::text[]) AS batch (id, answers)
    ON CONFLICT DO NOTHING RETURNING id
"""
_LOOK_UP = "SELECT id, answers::text FROM askance.reports WHERE id = ANY(%b::bytea[])"
_COUNTS = "SELECT (answers -> %s)::text, count(*) FROM askance.reports GROUP BY 1"
_CLOSE = """
    LOCK TABLE askance.reports IN ACCESS EXCLUSIVE MODE;
    CREATE TEMPORARY TABLE rewritten ON COMMIT DROP AS SELECT id, answers FROM askance.reports;
    DROP TRIGGER IF EXISTS closed ON askance.reports;
    TRUNCATE askance.reports;
    INSERT INTO askance.reports SELECT id, answers FROM rewritten ORDER BY id;
    UPDATE askance.survey SET closed = true;
    CREATE OR REPLACE FUNCTION askance.turn_away() RETURNS trigger
        LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER closed BEFORE INSERT ON askance.reports
        FOR EACH ROW EXECUTE FUNCTION askance.turn_away();
"""
# The trigger passes every later row over, also those of other servers: closing needs no flag that a
# writer might read too early, and no error, with which the database would log the row and the time.


@final
class PostgresStore:
    """A store in a database of its own. Several servers may write to it at once."""

    __slots__ = ("_connection", "_read_only", "_url")

    def __init__(self, url: str, *, read_only: bool) -> None:
        self._url = url
        self._read_only = read_only
        self._connection = _connect(url, read_only=read_only)

    @classmethod
    def open(cls, url: str, form: Form | None, *, read_only: bool) -> "PostgresStore":
        """Connect to a database; make the tables if a form is given and there are none.

        Raises
        ------
        DocumentError
            If the database cannot be reached or holds no reports and no form is given.
        """
        store = cls(url, read_only=read_only)
        try:
            _prepare(store._connection, None if read_only else form)
        except BaseException:
            store.close()
            raise
        return store

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Keep a batch in one transaction, flushed before this returns."""
        if self._connection.closed:
            self._connection = _connect(self._url, read_only=self._read_only)
        return settle(batch, self._insert, self._look_up)

    def reports(self) -> Iterator[tuple[str, str]]:
        """Give every report's id, in hex, with its values in canonical JSON, in their order."""
        with self._connection.transaction(), self._connection.cursor("reports") as cursor:
            cursor.itersize = 10_000
            cursor.execute(
                "SELECT encode(id, 'hex'), answers::text FROM askance.reports ORDER BY id"
            )
            yield from cursor

    def counts(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        """Count the reports by their value for each question, all at one moment."""
        with self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            return {name: self._connection.execute(_COUNTS, (name,)).fetchall() for name in names}

    def count(self) -> int:
        """Count the reports."""
        return int(self._one("SELECT count(*) FROM askance.reports"))

    def form(self) -> bytes:
        """Give the canonical bytes of the form that the reports answer."""
        return bytes(self._one("SELECT form FROM askance.survey"))

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        return bool(self._one("SELECT closed FROM askance.survey"))

    def close_survey(self) -> None:
        """Refuse further reports and rewrite the rest, so that xmin and ctid tell nothing."""
        with self._connection.transaction():
            self._connection.execute(_CLOSE)

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _insert(self, firsts: Mapping[bytes, str]) -> set[bytes]:
        columns = (list(firsts), list(firsts.values()))
        return {id for (id,) in self._connection.execute(_INSERT, columns).fetchall()}

    def _look_up(self, ids: Sequence[bytes]) -> dict[bytes, str]:
        return dict(self._connection.execute(_LOOK_UP, (list(ids),)).fetchall())

    def _one(self, query: str) -> Any:
        row = self._connection.execute(query.encode()).fetchone()
        assert row is not None
        return row[0]


def _connect(url: str, *, read_only: bool) -> "psycopg.Connection[Any]":
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=10)
    except psycopg.Error as error:
        raise DocumentError(
            _PLACE,
            got=type(error).__name__,
            allowed="a database that can be reached",
            remedy="check host, name, user and password in the URL",
        ) from None
    connection.execute("SET synchronous_commit TO on")
    connection.execute(f"SET default_transaction_read_only TO {'on' if read_only else 'off'}")
    return connection


def _prepare(connection: "psycopg.Connection[Any]", form: Form | None) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LATCH,))
        found = connection.execute("SELECT to_regclass('askance.survey') IS NOT NULL").fetchone()
        if found == (True,):
            return
        if form is None:
            raise DocumentError(
                _PLACE,
                got="no reports",
                allowed="a store of reports",
                remedy="askance serve makes one",
            )
        connection.execute(_SCHEMA)
        connection.execute("INSERT INTO askance.survey VALUES (%s, false)", (form.bytes,))
