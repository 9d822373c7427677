"""A machine on which something fails: what whoever sends is told, what its operator reads.

Nothing that was acknowledged is lost, and when the fault is over the collector goes on.
"""

import http.client
import random
import resource
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import EACCES, EIO, ENOSPC, EROFS
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from lab import Cluster, Collector, Crowd, Machine, Tell, serving, silent, until

from askance_collect.wire import Form

pytestmark = pytest.mark.faults
YEARS = 10 * 365 * 86400


@contextmanager
def _under_load(
    form: Form, store: str | Path, path: Path, **named: Any
) -> Iterator[tuple[Collector, Crowd]]:
    """Serve, with a crowd that sends; afterwards all is well again."""
    crowd = Crowd(form)
    with serving(form, store, path, **named) as collector:
        crowd.begin(collector.url())
        assert crowd.wait(20) >= 20
        yield collector, crowd
        assert crowd.wait(20) >= 20
        crowd.end()
        assert collector.end(signal.SIGTERM) == 0
    assert silent(collector.said)


DISKS: dict[str, tuple[dict[str, Any], str, str]] = {
    "full": ({"room": 30_000}, "disk-full", "the collector's disk is full"),
    "read-only": ({"on_write": EROFS}, "read-only", "the collector may not write to its store"),
    "fails to write": ({"on_write": EIO}, "disk-error", "cannot be written to"),
    "fails to flush": ({"on_sync": EIO, "often": -1}, "disk-error", "cannot be written to"),
}


@pytest.mark.parametrize("name", DISKS)
def test_a_disk_that_fails_is_named_and_nothing_is_lost(
    name: str, machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    breaks, code, words = DISKS[name]
    store, settings = machine.folder / "survey.db", machine.settings()
    path = machine.place / "run"
    with _under_load(affairs_form, store, path, settings=settings) as (collector, crowd):
        machine.breaks(**breaks)
        result = crowd.wait_told(code)
        machine.works()
    assert words in result
    assert "it was not kept; send it again in a moment" in result
    *wrong, last = collector.said.splitlines()
    assert words in wrong[-1]
    for item in wrong:
        assert item.startswith("reports are not written: the collector")
        assert item.endswith("; nobody was told they were")
    assert (len(wrong) <= 2, last) == (True, "reports are written again")
    assert crowd.codes <= {code, "disk-error"}
    tell(f"SQLite: disk {name}", 1, len(crowd.acknowledged), crowd.lost(store))


def test_a_slow_disk_keeps_everybody_waiting_and_refuses_nobody(
    machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    store, settings = machine.folder / "survey.db", machine.settings()
    machine.breaks(delay=200_000)
    path = machine.place / "run"
    with _under_load(affairs_form, store, path, settings=settings) as (collector, crowd):
        pass
    assert (crowd.codes, collector.said) == (set(), "")
    tell("SQLite: disk slow", 1, len(crowd.acknowledged), crowd.lost(store))


def test_the_wall_clock_does_not_matter(machine: Machine, affairs_form: Form, tell: Tell) -> None:
    store, settings = machine.folder / "survey.db", machine.settings()
    path = machine.place / "run"
    with _under_load(affairs_form, store, path, settings=settings) as (collector, crowd):
        for years in (YEARS, -YEARS, 0):
            machine.breaks(clock=years)
            assert crowd.wait(20) >= 20
    assert (crowd.codes, collector.said) == (set(), "")
    tell("SQLite: clock ten years on and back", 3, len(crowd.acknowledged), crowd.lost(store))


def _size(collector: Collector) -> int:
    pages = Path(f"/proc/{collector.pid}/statm").read_text().split()[0]
    return int(pages) * resource.getpagesize()


@contextmanager
def _limited(collector: Collector, kind: int, limit: int) -> Iterator[None]:
    """Take something away from a process, and give it back."""
    before = resource.prlimit(collector.pid, kind)
    resource.prlimit(collector.pid, kind, (limit, before[1]))
    try:
        yield
    finally:
        if collector.status is None:
            resource.prlimit(collector.pid, kind, before)


def _more_lines(crowd: Crowd, url: str, many: int, seconds: float) -> list[int]:
    """Send from new connections; give each one's status, 0 if there was no answer in time."""
    result = []
    for _ in range(many):
        line, report = crowd.line(url), crowd.report()
        line.timeout = seconds
        try:
            result.append(crowd.post(line, report))
        except (OSError, http.client.HTTPException):
            crowd.owed.append(report)
            result.append(0)
        finally:
            line.close()
    return result


def test_without_descriptors_who_is_there_is_served(
    tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    store = tmp_path / "survey.db"
    with _under_load(affairs_form, store, tmp_path / "run") as (collector, crowd):
        with _limited(collector, resource.RLIMIT_NOFILE, 0):
            assert crowd.wait(100) >= 100
            assert _more_lines(crowd, collector.address, 2, 1) == [0, 0]
        assert {*_more_lines(crowd, collector.address, 2, 30)} <= {200, 201}
    assert crowd.codes <= {"busy"}
    tell("SQLite: no descriptors left", 1, len(crowd.acknowledged), crowd.lost(store))


def _pressed(collector: Collector) -> bool:
    """Hold as many unfinished messages as the collector lets in; say whether it has ended."""
    urlsplit_result, content = urlsplit(collector.address), []
    with suppress(OSError):
        for _ in range(800):
            line = socket.create_connection(
                (urlsplit_result.hostname or "", urlsplit_result.port or 0), timeout=5
            )
            content.append(line)
            line.sendall(b"POST /report HTTP/1.1\r\nHost: x\r\nContent-Length: 16000\r\n\r\n")
            line.sendall(bytes(15000))
    for line in content:
        line.close()
    return collector.status is not None


def test_without_memory_a_collector_ends_and_nothing_is_lost(
    tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    store, crowd = tmp_path / "survey.db", Crowd(affairs_form)
    with serving(affairs_form, store, tmp_path / "run") as collector:
        crowd.begin(collector.url())
        assert crowd.wait(20) >= 20
        with _limited(collector, resource.RLIMIT_AS, _size(collector)):
            until(lambda: _pressed(collector))
        crowd.end()
        assert "no memory left" in collector.said
        assert collector.gone() == 1
    assert silent(collector.said)
    tell("SQLite: no memory left", 1, len(crowd.acknowledged), crowd.lost(store))


def _started(form: Form, store: str | Path, path: Path, **named: Any) -> tuple[str, str, int]:
    """Start a collector that cannot run; give its address, words and status."""
    with serving(form, store, path, **named) as collector:
        return collector.url(), collector.said, collector.gone()


STARTS: dict[str, tuple[dict[str, Any], str]] = {
    "full": ({"on_write": ENOSPC}, "allowed: free space on the disk; make room, and do it again"),
    "read-only": (
        {"on_open": EROFS, "on_write": EROFS},
        "allowed: a folder that can be written to",
    ),
    "not its own": ({"on_open": EACCES}, "allowed: a folder that can be written to"),
    "fails to write": ({"on_write": EIO}, "a disk that works; check the disk before anything else"),
    "fails to flush": ({"on_sync": EIO, "often": -1}, "a disk that works; check the disk"),
}


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("new", [True, False], ids=["new", "old"])
def test_a_collector_that_cannot_start_says_why_and_harms_nothing(
    new: bool, name: str, machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    store, settings = machine.folder / "survey.db", machine.settings()
    crowd = Crowd(affairs_form)
    if not new:
        crowd.kept(store, 50, leave_log=True)
    machine.breaks(**STARTS[name][0])
    path = machine.place / "run"
    url, replies, status = _started(affairs_form, store, path, settings=settings)
    assert (url, status) == ("", 2)
    assert STARTS[name][1] in replies
    assert replies.startswith(f"askance-collect: {store}: got ")
    assert (replies.count("\n"), silent(replies)) == (1, True)
    machine.works()
    crowd.kept(store, 50)
    text = "new store" if new else "store with a log"
    tell(f"SQLite: start, {text}, disk {name}", 1, len(crowd.acknowledged), crowd.lost(store))


def _damaged(store: Path) -> None:
    with store.open("r+b") as file:
        file.seek(8192)
        file.write(random.randbytes(4096))


def _not_a_store(store: Path) -> None:
    store.write_bytes(random.randbytes(9000))


def _another_form(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE survey SET form = replace(form, 'Marriage', 'Carriage')")
        connection.commit()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (
            _damaged,
            "askance-collect repair STORE NEW saves what is good",
        ),
        (_not_a_store, "allowed: a store of reports"),
        (_another_form, "allowed: a store as it was written"),
    ],
)
def test_a_spoilt_store_is_left_alone(
    spoil: Callable[[Path], None], words: str, tmp_path: Path, affairs_form: Form
) -> None:
    store = tmp_path / "survey.db"
    Crowd(affairs_form).kept(store, 200)
    spoil(store)
    before = store.read_bytes()
    url, replies, status = _started(affairs_form, store, tmp_path / "run")
    assert (url, status, words in replies, silent(replies)) == ("", 2, True, True)
    assert store.read_bytes() == before


def test_a_second_collector_on_a_file_is_refused_and_the_first_goes_on(
    tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    store = tmp_path / "survey.db"
    with _under_load(affairs_form, store, tmp_path / "run") as (_, crowd):
        for trial in range(3):
            url, replies, status = _started(affairs_form, store, tmp_path / f"second {trial}")
            assert (url, status) == ("", 2)
            assert "stop the server that uses this store first" in replies
    tell("SQLite: a second collector", 3, len(crowd.acknowledged), crowd.lost(store))


def test_another_surveys_collector_is_refused(
    tmp_path: Path, affairs_form: Form, make_form: Callable[..., Form], tell: Tell
) -> None:
    store, crowd = tmp_path / "survey.db", Crowd(affairs_form)
    crowd.kept(store, 20)
    other = make_form(affairs_form.document["questions"][2])
    url, replies, status = _started(other, store, tmp_path / "run")
    assert (url, status) == ("", 2)
    assert "name another store: one store belongs to one form" in replies
    tell("SQLite: another survey's collector", 1, 20, crowd.lost(store))


# ---- with a database ----


@pytest.fixture
def database(cluster: Cluster) -> Cluster:
    cluster.start(failing=True)
    return cluster


@pytest.mark.postgres
def test_several_collectors_and_one_of_them_killed(
    database: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    store = database.url
    with _under_load(affairs_form, store, tmp_path / "one") as (_, crowd):
        for trial in range(2):
            with serving(affairs_form, store, tmp_path / f"other {trial}") as other:
                crowd.begin(other.url())
                assert crowd.wait(50) >= 50
    tell("PostgreSQL: one of two collectors killed", 2, len(crowd.acknowledged), crowd.lost(store))


@pytest.mark.postgres
def test_a_database_that_does_not_answer_is_not_waited_for(
    database: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    store, path = database.url, tmp_path / "run"
    with _under_load(affairs_form, store, path, twin="hasty") as (collector, crowd):
        with database.halted():
            result = crowd.wait_told("busy")
        assert crowd.wait(20) >= 20
    assert result == "report: it was not kept; send it again in a moment"
    assert collector.said.splitlines() == [
        "reports are not written: the store has not answered for 2 seconds [silent]; "
        "nobody was told they were",
        "reports are written again",
    ]
    tell("PostgreSQL: halted", 1, len(crowd.acknowledged), crowd.lost(store))


@pytest.mark.postgres
def test_a_collector_ends_though_its_database_does_not_answer(
    database: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    crowd = Crowd(affairs_form)
    with serving(affairs_form, database.url, tmp_path / "run", twin="hasty") as collector:
        crowd.begin(collector.url())
        crowd.wait(50)
        with database.halted():
            crowd.wait_told("busy")
            collector.end(signal.SIGTERM)
        crowd.end()
    assert silent(collector.said)
    assert "the store does not answer any more" in collector.said
    done = len(crowd.acknowledged), crowd.lost(database.url)
    tell("PostgreSQL: halted, collector stopped", 1, *done)


@pytest.mark.postgres
def test_a_database_that_is_stopped_is_named(
    database: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    store, path = database.url, tmp_path / "run"
    with _under_load(affairs_form, store, path) as (collector, crowd):
        database.stop("fast")
        assert "send it again in a moment" in crowd.wait_told("busy")
        until(lambda: "allowed: a database that can be reached" in collector.said)
        database.start()
    assert "the database cannot be reached" in collector.said
    tell("PostgreSQL: stopped and started", 1, len(crowd.acknowledged), crowd.lost(store))
    database.stop("fast")
    url, replies, status = _started(affairs_form, store, tmp_path / "late")
    assert (url, status) == ("", 2)
    assert "allowed: a database that can be reached; check that it runs" in replies
    assert silent(replies)


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("breaks", "code", "text"),
    [
        ({"on_write": ENOSPC, "match": "/base/"}, "disk-full", "disk full"),
        ({"on_sync": EIO, "often": 1, "match": "/pg_wal/"}, "busy", "a flush of its log fails"),
    ],
    ids=["full", "flush"],
)
def test_a_database_whose_disk_fails(
    breaks: dict[str, Any],
    code: str,
    text: str,
    database: Cluster,
    tmp_path: Path,
    affairs_form: Form,
    tell: Tell,
) -> None:
    store, path = database.url, tmp_path / "run"
    with _under_load(affairs_form, store, path) as (_, crowd):
        database.machine.breaks(**breaks)
        crowd.wait_told(code)
        database.machine.works()
        until(database.answers)
    tell(f"PostgreSQL: {text}", 1, len(crowd.acknowledged), crowd.lost(store))


SMALL = "-c max_connections=6 -c superuser_reserved_connections=0 -c max_locks_per_transaction=10"
"""A database with little room."""
OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND NOT pid = ANY(%s)
"""


def _all_connections(url: str, stack: ExitStack) -> "list[psycopg.Connection[Any]]":
    """Connect until the database takes no more."""
    content = []
    with suppress(psycopg.OperationalError):
        while True:
            content.append(stack.enter_context(psycopg.connect(url, autocommit=True)))
    return content


@pytest.mark.postgres
def test_a_database_that_takes_no_more_connections_is_named(
    cluster: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    cluster.start(SMALL)
    store, words = cluster.url, "end other connections, or raise its max_connections"
    with (
        _under_load(affairs_form, store, tmp_path / "run") as (collector, crowd),
        ExitStack() as others,
    ):
        connections = _all_connections(store, others)
        url, replies, status = _started(affairs_form, store, tmp_path / "late")
        assert (url, status) == ("", 2)
        assert words in replies
        collector.tell(signal.SIGSTOP)  # or it would connect again before the others do
        connections[0].execute(
            OTHERS, ([connection.info.backend_pid for connection in connections],)
        ).fetchall()
        assert len(_all_connections(store, others)) == 1
        collector.tell(signal.SIGCONT)
        assert "send it again in a moment" in crowd.wait_told("busy")
        until(lambda: words in collector.said)
    assert collector.said.splitlines()[-1] == "reports are written again"
    tell("PostgreSQL: no free connection", 1, len(crowd.acknowledged), crowd.lost(store))


@pytest.mark.postgres
def test_a_database_without_memory_is_named(
    cluster: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    """Its shared memory is full of locks: no transaction that writes finds room for its own."""
    cluster.start(SMALL)
    store = cluster.url
    with (
        _under_load(affairs_form, store, tmp_path / "run") as (collector, crowd),
        psycopg.connect(store, autocommit=True) as other,
    ):
        with pytest.raises(psycopg.errors.OutOfMemory):
            other.execute("SELECT pg_advisory_lock(at) FROM generate_series(1, 1000000) at")
        crowd.wait_told("busy")
        until(lambda: "the database has no memory left" in collector.said)
    assert collector.said.splitlines()[-1] == "reports are written again"
    tell("PostgreSQL: no memory", 1, len(crowd.acknowledged), crowd.lost(store))
