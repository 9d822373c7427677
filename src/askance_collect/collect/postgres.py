"""Reports in PostgreSQL, in the same shape: one statement, one flush, for a whole batch."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, final

from askance_collect.collect.accept import Accepted, Outcome, Snapshot, settle, spendable
from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.collect.integrity import (
    Once,
    check_receipt,
    count_values,
    receipt,
    seal,
    sums,
    sums_of_tokens,
    verified,
    verify,
)
from askance_collect.collect.report_sums import Sums
from askance_collect.errors import DocumentError, MissingExtra
from askance_collect.lazy import DISTRIBUTION
from askance_collect.wire.form import Form

try:
    import psycopg
except ImportError as error:
    raise MissingExtra("psycopg", "postgres", DISTRIBUTION) from error

_DATABASE = "the PostgreSQL database"
_FULL = ("too many clients", "too many connections", "connection slots are reserved")
"""What a database says, in English, that takes no more connections: there is no number to it."""
_LATCH = 0x61736B616E6365
_SCHEMA = """
    CREATE SCHEMA IF NOT EXISTS askance;
    CREATE TABLE askance.survey (form bytea NOT NULL, closed boolean NOT NULL);
    CREATE TABLE askance.reports (id bytea PRIMARY KEY, answers json NOT NULL);
"""
_VERSION = 2
"""Version 1 had no sums; it is read, and upgraded by whoever writes."""

_SUMS = """
    CREATE TABLE askance.sums (
        version integer NOT NULL,
        reports bigint NOT NULL,
        of_values numeric NOT NULL,
        of_reports numeric NOT NULL
    )
"""
_SPENT = "CREATE TABLE askance.spent (token bytea PRIMARY KEY, key smallint NOT NULL)"
_SPEND = """
    INSERT INTO askance.spent SELECT * FROM unnest(%b::bytea[], %b::smallint[])
    ON CONFLICT DO NOTHING RETURNING token
"""
_UNSPEND = "DELETE FROM askance.spent WHERE token = ANY(%b::bytea[])"
_FIRST = "INSERT INTO askance.sums VALUES (%s, 0, 0, 0)"
_INSERT = """
    WITH batch AS (
        SELECT * FROM unnest(%b::bytea[], %b::text[], %b::numeric[], %b::numeric[])
            AS batch (id, answers, of_values, of_reports)
    ), kept AS (
        INSERT INTO askance.reports (id, answers) SELECT id, answers::json FROM batch
        ON CONFLICT DO NOTHING RETURNING id
    ), more AS (
        SELECT count(*) AS reports, sum(of_values) AS of_values, sum(of_reports) AS of_reports
        FROM batch JOIN kept USING (id)
    ), summed AS (
        UPDATE askance.sums SET
            reports = sums.reports + more.reports,
            of_values = mod(sums.of_values + more.of_values, 2::numeric ^ 256),
            of_reports = mod(sums.of_reports + more.of_reports, 2::numeric ^ 256)
        FROM more WHERE more.reports > 0
    )
    SELECT id FROM kept
"""
# The row of sums is locked last, and by each writer once, so that nobody waits in a ring.
_SET = "UPDATE askance.sums SET reports = %s, of_values = %s, of_reports = %s"
_MOVE = """
    UPDATE askance.sums SET
        reports = reports + %b,
        of_values = mod(of_values + %b, 2::numeric ^ 256),
        of_reports = mod(of_reports + %b, 2::numeric ^ 256)
"""
_LOOK_UP = "SELECT id, answers::text FROM askance.reports WHERE id = ANY(%b::bytea[])"
_READ = b"SELECT id, answers::text FROM askance.reports"
_COUNTS = "SELECT answers::text, count(*) FROM askance.reports GROUP BY 1"
_CLOSE = """
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

    __slots__ = ("_connection", "_environment", "_once", "_read_only", "_url")

    def __init__(self, url: str, *, read_only: bool, environment: Environment = SYSTEM) -> None:
        self._url, self._environment = url, environment
        self._read_only = read_only
        self._once = Once()
        self._connection = _connect(url, read_only=read_only)

    @classmethod
    def open(
        cls,
        url: str,
        form: Form | None,
        *,
        read_only: bool,
        environment: Environment = SYSTEM,
    ) -> "PostgresStore":
        """Connect to a database; make the tables if a form is given and there are none.

        Raises
        ------
        DocumentError
            If the database cannot be reached or holds no reports and no form is given.
        """
        store = cls(url, read_only=read_only, environment=environment)
        try:
            store._prepare(None if read_only else form)
        except BaseException:
            store.close()
            raise
        return store

    def check(self) -> None:
        """Read every report once, and refuse to add to what is damaged.

        A store of the first version gets its sums.
        """
        self._once.run(self._check)

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Keep a batch in one transaction, flushed before this returns."""
        self._connect_again()
        self.check()
        return settle(batch, self._insert, self._look_up)

    def look_up(self, batch: Sequence[Accepted]) -> list[Outcome]:
        """Say what became of each report, and keep none."""
        self._connect_again()
        self.check()
        return settle(batch, lambda _: None, self._look_up)

    def check_writable(self) -> None:
        """Write what is no report and take it out again, in one transaction that is flushed."""
        self._connect_again()
        self.check()
        nobody = self._environment.random_bytes(16)
        with self._connection.transaction():
            self._connection.execute("INSERT INTO askance.reports VALUES (%s, '{}')", (nobody,))
            self._connection.execute("DELETE FROM askance.reports WHERE id = %s", (nobody,))

    def reports(self) -> Iterator[tuple[str, str]]:
        """Every report's id, in hex, with its values in canonical JSON, in their order."""
        with self._moment():
            for id, answers in self._rows(b" ORDER BY id"):
                yield id.hex(), answers

    def digests(self) -> Iterator[str]:
        """The SHA-256 of every message that was sent, in hex, in the order of the ids."""
        form = self.form()
        return (receipt(form, bytes.fromhex(id), answers) for id, answers in self.reports())

    def shuffled_values(self) -> Iterator[str]:
        """The values of every report, in an order drawn afresh, sorted on the disk."""
        with self._moment():
            for _, answers in self._rows(b" ORDER BY gen_random_uuid()"):
                yield answers

    def counts(self, names: Sequence[str]) -> dict[str, list[tuple[str | None, int]]]:
        """Count the reports by their value for each question, all at one moment."""
        with self._moment(), self._connection.cursor("counts") as cursor:
            cursor.itersize = 10_000
            cursor.execute(_COUNTS)
            return count_values(cursor, names, self._read_report_sums(), self.form())

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Everything as it is at one moment, for a copy."""
        with self._moment():
            tokens = self._spent(" ORDER BY token")
            yield Snapshot(self.form(), self.closed, self._rows(b" ORDER BY id"), tokens)

    def fill(
        self,
        reports: Iterable[Sequence[tuple[bytes, str]]],
        tokens: Iterable[Sequence[tuple[bytes, int]]],
    ) -> Sums:
        """Put ids with values, and spent tokens, into a new store at once; give their sums."""
        self.check()
        with self._connection.transaction(), self._connection.cursor() as cursor:
            form, total = self.form(), Sums()
            with cursor.copy("COPY askance.reports (id, answers) FROM STDIN") as copy:
                for part in reports:
                    for row in part:
                        copy.write_row(row)
                    total += sums(part, form)
            for spent in tokens:
                cursor.executemany("INSERT INTO askance.spent VALUES (%s, %s)", spent)
                total += sums_of_tokens(spent)
            self._put(total + seal(form, False))
        return total

    def add_spent_tokens(self, tokens: Sequence[tuple[bytes, int]]) -> None:
        """Note tokens as spent that another store knew."""
        keys = dict(tokens)
        with self._connection.transaction():
            columns = (list(keys), list(keys.values()))
            fresh = {token for (token,) in self._connection.execute(_SPEND, columns).fetchall()}
            more = sums_of_tokens((token, keys[token]) for token in fresh)
            self._connection.execute(_MOVE, (0, Decimal(0), Decimal(more.reports)))

    def count(self) -> int:
        """Count the reports."""
        return int(self._read_scalar("SELECT count(*) FROM askance.reports"))

    def spent_tokens(self) -> dict[int, int]:
        """Count the tokens that are spent, by the position of their key among the form's."""
        with self._moment():
            return dict(sorted(Counter(key for _, key in self._spent()).items()))

    def form(self) -> bytes:
        """The canonical bytes of the form that the reports answer."""
        return bytes(self._read_scalar("SELECT form FROM askance.survey"))

    @property
    def closed(self) -> bool:
        """Whether further reports are refused."""
        return bool(self._read_scalar("SELECT closed FROM askance.survey"))

    def withdraw(self, id: bytes, digest: str | None = None) -> None:
        """Take a report out, and let the database reuse its place.

        Raises
        ------
        DocumentError
            If there is no such report, or if the digest is not its.
        """
        self.check()
        with self._connection.transaction():
            form, stored = self.form(), self._look_up([id]).get(id)
            answers = check_receipt(form, id, stored, digest)
            self._connection.execute("DELETE FROM askance.reports WHERE id = %s", (id,))
            less = Sums() - sums([(id, answers)], form)
            row = (less.count, Decimal(less.values), Decimal(less.reports))
            self._connection.execute(_MOVE, row)
        self._connection.execute("VACUUM askance.reports")

    def remaining_capacity(self) -> None:
        """The database's disk is not seen from here."""

    def close_survey(self) -> None:
        """Refuse further reports; rewrite the rest, so that xmin and ctid show no order."""
        self.check()
        with self._connection.transaction():
            self._connection.execute("LOCK TABLE askance.reports IN ACCESS EXCLUSIVE MODE")
            form = self.form()
            total = sums(self._read(b""), form) + sums_of_tokens(self._spent())
            verify(total, self._sums(), form, self.closed)
            self._connection.execute(_CLOSE)
            self._put(total + seal(form, True))

    def delete_all(self) -> None:
        """Close for good and delete everything: the tables get new files, and the old ones go."""
        self._connect_again()
        with self._connection.transaction():
            self._connection.execute("LOCK TABLE askance.reports IN ACCESS EXCLUSIVE MODE")
            self._connection.execute("TRUNCATE askance.reports")
            if not self._read_scalar("SELECT to_regclass('askance.spent') IS NULL"):
                self._connection.execute("TRUNCATE askance.spent")
            self._connection.execute(_CLOSE)
            self._put(seal(self.form(), True))

    def close(self) -> None:
        """Let go of the connection."""
        self._once.leave()
        self._connection.close()

    def _connect_again(self) -> None:
        if self._connection.closed:
            self._connection = _connect(self._url, read_only=self._read_only)

    def _check(self) -> None:
        if not self._read_only:
            self._upgrade()
        with self._moment():
            form = self.form()
            total = sums(self._once.watched(self._read(b"")), form)
            verify(total, self._read_report_sums(), form, self.closed)

    def _upgrade(self) -> None:
        """Add checksums to a store that has none; from now on every change is detected."""
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LATCH,))
            if self._sums() is None:
                self._connection.execute("LOCK TABLE askance.reports IN ACCESS EXCLUSIVE MODE")
                self._connection.execute(_SUMS)
                self._connection.execute(_FIRST, (_VERSION,))
                form = self.form()
                self._put(sums(self._read(b""), form) + seal(form, self.closed))

    def _insert(self, firsts: Mapping[bytes, Accepted]) -> set[bytes] | None:
        if not any(report.token for report in firsts.values()):
            return self._add(list(firsts.values())) or self._none()
        with self._connection.transaction():
            return self._add_with_tokens(firsts) or self._none()

    def _none(self) -> set[bytes] | None:
        """None of a batch was new: say whether that is because the survey is closed."""
        return None if self.closed else set()

    def _add_with_tokens(self, firsts: Mapping[bytes, Accepted]) -> set[bytes]:
        """Keep reports whose tokens are not spent.

        Every writer spends in the order of the tokens before it keeps in that of the ids, so that
        none waits for another in a ring.
        """
        stored = self._look_up(list(firsts))
        new = spendable(report for id, report in firsts.items() if id not in stored)
        keys = {report.token: report.key for report in sorted(new, key=lambda report: report.token)}
        columns = (list(keys), list(keys.values()))
        fresh = {token for (token,) in self._connection.execute(_SPEND, columns).fetchall()}
        ids = self._add([report for report in new if report.token in fresh])
        spent = {report.token for report in new if report.id in ids}
        if fresh - spent:
            self._connection.execute(_UNSPEND, (list(fresh - spent),))
        if spent:
            more = sums_of_tokens((token, keys[token]) for token in spent)
            self._connection.execute(_MOVE, (0, Decimal(0), Decimal(more.reports)))
        return ids

    def _add(self, new: Sequence[Accepted]) -> set[bytes]:
        """Insert reports in the order of their ids, and give those that were not there yet."""
        form = self.form()
        report_sums = [sums([(report.id, report.answers)], form) for report in new]
        columns = (
            [report.id for report in new],
            [report.answers for report in new],
            [str(report_sum.values) for report_sum in report_sums],
            [str(report_sum.reports) for report_sum in report_sums],
        )
        return {id for (id,) in self._connection.execute(_INSERT, columns).fetchall()}

    def _look_up(self, ids: Sequence[bytes]) -> dict[bytes, str]:
        return dict(self._connection.execute(_LOOK_UP, (list(ids),)).fetchall())

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """See everything as it is at one moment."""
        with self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield

    def _rows(self, order: bytes) -> Iterator[tuple[bytes, str]]:
        return verified(self._read(order), self._read_report_sums(), self.form(), self.closed)

    def _read(self, order: bytes) -> Iterator[tuple[bytes, str]]:
        with self._connection.cursor("reports", binary=True) as cursor:
            cursor.itersize = 10_000
            cursor.execute(_READ + order)
            yield from cursor

    def _sums(self) -> Sums | None:
        if self._read_scalar("SELECT to_regclass('askance.sums') IS NULL"):
            return None
        rows = self._connection.execute("SELECT * FROM askance.sums").fetchall()
        if len(rows) != 1 or rows[0][0] != _VERSION:
            raise DocumentError(
                _DATABASE,
                got="sums that are not a store's, or a later Askance's",
                allowed=f"a store of version 1 or {_VERSION}",
            )
        return Sums(*map(int, rows[0][1:]))

    def _read_report_sums(self) -> Sums | None:
        """Read the sums of the reports alone: without what the tokens add that are spent."""
        total = self._sums()
        return total and total - sums_of_tokens(self._spent())

    def _spent(self, order: str = "") -> Iterator[tuple[bytes, int]]:
        """Read the tokens that are spent, which a form without tokens has none of."""
        if self._read_scalar("SELECT to_regclass('askance.spent') IS NULL"):
            return iter(())
        query = f"SELECT token, key FROM askance.spent{order}"  # noqa: S608 our own
        return iter(self._connection.execute(query.encode()))

    def _put(self, total: Sums) -> None:
        """Set the sums. The row is never replaced: a writer that waits for it would lose it."""
        row = (total.count, Decimal(total.values), Decimal(total.reports))
        self._connection.execute(_SET, row)

    def _prepare(self, form: Form | None) -> None:
        """Create the tables of a store, or check that they exist."""
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LATCH,))
            if self._read_scalar("SELECT to_regclass('askance.survey') IS NULL"):
                self._make(form)

    def _make(self, form: Form | None) -> None:
        if form is None:
            raise DocumentError(
                _DATABASE,
                got="no reports",
                allowed="a store of reports",
                remedy="askance-collect serve makes one",
            )
        self._connection.execute(_SCHEMA)
        self._connection.execute(_SUMS)
        if form.tokens is not None:
            self._connection.execute(_SPENT)
        self._connection.execute(_FIRST, (_VERSION,))
        self._connection.execute("INSERT INTO askance.survey VALUES (%s, false)", (form.bytes,))
        self._put(seal(form.bytes, False))

    def _read_scalar(self, query: str) -> Any:
        row = self._connection.execute(query.encode()).fetchone()
        assert row is not None
        return row[0]


def _connect(url: str, *, read_only: bool) -> "psycopg.Connection[Any]":
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=10)
    except psycopg.Error as error:
        full = any(words in str(error) for words in _FULL)
        raise DocumentError(
            _DATABASE,
            got="no free connection" if full else "no connection",
            allowed="a database that can be reached",
            remedy="end other connections, or raise its max_connections"
            if full
            else "check that it runs, host, name and user in the URL, and the password "
            "(~/.pgpass, ?passfile=, PGPASSFILE or PGPASSWORD)",
        ) from None
    connection.execute("SET synchronous_commit TO on")
    connection.execute("SET default_transaction_isolation TO 'read committed'")
    connection.execute(f"SET default_transaction_read_only TO {'on' if read_only else 'off'}")
    return connection
