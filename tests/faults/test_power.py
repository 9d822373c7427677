"""Power that goes at any moment: what was acknowledged is on the disk."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from errno import EIO
from pathlib import Path

import psycopg
import pytest
from lab import Cluster, Crowd, Machine, Tell, serving, trials, until
from power import Event, Start, read

from askance_collect.collect import open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

pytestmark = pytest.mark.faults
CUTS = trials("CUTS", 20)
EACH = 10
CHANCE = random._inst  # type: ignore[attr-defined]
"""The dice that are seeded anew for each test."""


_FILLS = """
import os, sys, time
file = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for _ in range(30):
    os.write(file, os.urandom(1) * 1_000_000)
time.sleep(60)
"""


def test_a_record_that_a_kill_tore_hides_none_behind_it(machine: Machine) -> None:
    target, image = machine.folder / "survey.db", bytearray()
    for day in range(5):
        so_far = machine.done
        process = subprocess.Popen(
            [sys.executable, "-c", _FILLS, target],
            env=os.environ | machine.settings(recording=True),
        )
        until(lambda: machine.done > so_far + 3_000_000)  # noqa: B023
        process.kill()
        process.wait()
        with machine.journal.open("r+b") as journal:  # torn for sure, wherever the kill fell
            torn = journal.read(100_000 * day)
            journal.seek(0, os.SEEK_END)
            journal.write(torn)
    written = [event for event in read(machine.journal) if event.kind == "W"]
    for item in written:
        assert item.data == item.data[:1] * 1_000_000
        image[item.at : item.at + len(item.data)] = item.data
    content = target.read_bytes()
    assert image.startswith(content)
    assert len(written) >= 15


def _cut(start: Start, events: Sequence[Event], upto: int, target: Path) -> Path:
    """Give the store after a cut, in a folder that is there for it alone."""
    shutil.rmtree(target, ignore_errors=True)
    start.cut(events, upto, CHANCE, target)
    if random.random() < 0.5 and (target / "survey.db-wal").exists():
        (target / "survey.db-shm").write_bytes(random.randbytes(32768))
    return target / "survey.db"


def _one_day(machine: Machine, crowd: Crowd, twin: str, more: int) -> None:
    """Serve under load, and end in one way or the other."""
    settings = machine.settings(recording=True)
    store = machine.folder / "survey.db"
    path = machine.place / "run"
    with serving(crowd.form, store, path, twin=twin, settings=settings) as collector:
        crowd.begin(collector.url())
        assert crowd.wait(more) >= more
        if random.random() < 0.5:
            collector.tell(signal.SIGTERM)
        else:
            collector.tell()
        crowd.end()
        collector.gone()
    assert collector.said == ""


def _days(machine: Machine, form: Form, cuts: int, twin: str = "") -> tuple[int, int]:
    """Cut the power so often, and go on each day with what the last cut left.

    Say how many were acknowledged in all, and how many of these were lost.
    """
    crowd, lost, acknowledged = Crowd(form, machine), 0, 0
    machine.breaks(delay=20_000 if twin else 1000)
    for day in range(max(1, cuts // EACH)):
        machine.forget()
        start = Start.of(machine.folder, machine.place / f"day{day}")
        _one_day(machine, crowd, twin or random.choice(["honest", "tidy"]), 150)
        acknowledged += sum(value > 0 for value in crowd.acknowledged.values())
        events = read(machine.journal)
        for _ in range(EACH):
            upto = random.choice(events).end
            store = _cut(start, events, upto, machine.place / "after")
            try:
                lost += crowd.lost(store, upto)
            except DocumentError:  # a store that is refused is lost, all of it
                lost += sum(value <= upto for value in crowd.acknowledged.values())
        if lost:
            break
        crowd.fall_back(upto)
        shutil.rmtree(machine.folder)
        shutil.copytree(store.parent, machine.folder)
    return acknowledged, lost


def test_a_loss_of_power_takes_nothing(machine: Machine, affairs_form: Form, tell: Tell) -> None:
    tell("SQLite: power cut, sectors torn", CUTS, *_days(machine, affairs_form, CUTS))


@pytest.mark.parametrize("twin", ["early", "relaxed", "honest"])
def test_it_takes_what_was_not_flushed(
    twin: str, machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    """The controls: if these lost nothing, the test above could not fail."""
    machine.breaks(no_sync=twin == "honest")
    done = _days(machine, affairs_form, 5 * EACH, twin)  # to the first day on which one is lost
    why = {"early": "acknowledged before the commit", "relaxed": "synchronous = OFF"}
    value = why.get(twin, "flushes that do nothing")
    tell(f"SQLite: power cut, {value}", EACH, *done, control=True)


def _collect(machine: Machine, *words: str | Path) -> str:
    """Run `askance collect` on the machine, to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "askance", "collect", *words],
        env=os.environ | machine.settings(recording=True),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _store(machine: Machine, form: Form, many: int, *, first_version: bool = False) -> Crowd:
    """Make a store of reports, as after a crash or as the first version did."""
    crowd = Crowd(form)
    crowd.kept(machine.folder / "survey.db", many, leave_log=not first_version)
    for path in machine.folder.glob("elsewhere*"):
        path.unlink()
    if first_version:
        with closing(sqlite3.connect(machine.folder / "survey.db")) as connection:
            connection.execute("DROP TABLE sums")
            connection.execute("PRAGMA user_version = 0")
            connection.commit()
    return crowd


def _everywhere(events: Sequence[Event], cuts: int) -> list[int]:
    """Give the places after each event, and the last more often, so many times in all or more."""
    ends = [0, *(event.end for event in events)]
    return ends * (cuts // len(ends)) + ends[-1:] * 5 + random.sample(ends, cuts % len(ends))


@pytest.mark.parametrize("first_version", [False, True])
def test_a_closing_is_finished_or_can_be(
    first_version: bool, machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    """Also one that upgrades the store. Once it was said to be closed, it is."""
    crowd = _store(machine, affairs_form, 60, first_version=first_version)
    start = Start.of(machine.folder, machine.place / "before")
    assert _collect(machine, "close", machine.folder / "survey.db") == "closed with 60 reports\n"
    events, lost = read(machine.journal), 0
    content = (machine.folder / "survey.db").read_bytes()
    cuts = _everywhere(events, CUTS)
    for upto in cuts:
        path = _cut(start, events, upto, machine.place / "after")
        lost += crowd.lost(path)
        store = open_store(path)
        assert store.closed or upto < events[-1].end
        store.close_survey()
        store.close()
        assert path.read_bytes()[100:] == content[100:]
        assert {file.name for file in path.parent.iterdir()} == {"survey.db", "survey.db-lock"}
    done = "closing an upgraded store" if first_version else "closing"
    tell(f"SQLite: power cut, {done}", len(cuts), 60 * len(cuts), lost)


def test_what_was_withdrawn_does_not_come_back(
    machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    crowd, lost, cuts = _store(machine, affairs_form, 60), 0, 0
    path = machine.folder / "survey.db"
    for closed in (False, True):
        if closed:
            _collect(machine, "close", path)
        machine.forget()
        start = Start.of(machine.folder, machine.place / f"before {closed}")
        id = random.choice(list(crowd.acknowledged))
        assert "withdrawn" in _collect(machine, "withdraw", path, id)
        del crowd.acknowledged[id]
        events = read(machine.journal)
        for upto in _everywhere(events, CUTS // 2):
            cuts += 1
            after = _cut(start, events, upto, machine.place / "after")
            text = b"".join(file.read_bytes() for file in after.parent.iterdir())
            lost += crowd.lost(after)
            if upto == events[-1].end:
                assert bytes.fromhex(id) not in text
    tell("SQLite: power cut, withdrawing", cuts, len(crowd.acknowledged) * cuts, lost)


@contextmanager
def _read(store: Path) -> Iterator[None]:
    """Read a store for as long as the block lasts, so that its log cannot all be moved."""
    with closing(open_store(store, read_only=True)) as reader, closing(reader.reports()) as rows:
        next(rows)
        yield


def _flush_fails(machine: Machine, crowd: Crowd, twin: str, match: str, then: str) -> int:
    """Serve while flushes fail, and afterwards; say how long the journal was in between."""
    twin = twin if then == "a restart" else f"tidy+{twin}"
    store, settings = machine.folder / "survey.db", machine.settings(recording=True)
    named = {"place": machine.place / "run", "twin": twin, "settings": settings}
    with serving(crowd.form, store, **named) as collector, ExitStack() as stack:
        crowd.begin(collector.url())
        crowd.wait(100)
        if then == "a reader gone":
            stack.enter_context(_read(store))
            crowd.wait(100)
        machine.breaks(on_sync=EIO, often=-1 if then == "a restart" else 2, match=match)
        stack.close()
        if then != "a restart":
            until(lambda: machine.mended)
            failed = machine.done
            assert crowd.wait(100) >= 100
            collector.tell()
            crowd.end()
            return failed
        crowd.wait_told("disk-error")
        failed = machine.done
        collector.tell()
        crowd.end()
    machine.works()
    with serving(crowd.form, store, **named) as collector:
        crowd.begin(collector.url())
        assert crowd.wait(100) >= 100
        collector.tell()
        crowd.end()
    return failed


def _after_a_failed_flush(
    machine: Machine, form: Form, twin: str, match: str, then: str, cuts: int
) -> tuple[int, int]:
    """Cut the power after flushes failed; count what was acknowledged, and what was lost."""
    crowd, lost = Crowd(form, machine), 0
    start = Start.of(machine.folder, machine.place / "before")
    failed = _flush_fails(machine, crowd, twin, match, then)
    events = read(machine.journal)
    ends = [event.end for event in events if event.end > failed]
    for _ in range(cuts):
        upto = random.choice(ends)
        after = _cut(start, events, upto, machine.place / "after")
        try:
            lost += crowd.lost(after, upto)
        except DocumentError:
            lost += sum(value <= upto for value in crowd.acknowledged.values())
    return len(crowd.acknowledged), lost


FLUSHES = {"-wal": "the log", "survey.db$": "the file", "": "both"}


@pytest.mark.parametrize(
    ("match", "then"),
    [
        ("-wal", "going on"),
        ("survey.db$", "a reader gone"),
        ("-wal", "a restart"),
        ("", "a restart"),
    ],
)
def test_nothing_rests_on_a_flush_that_failed(
    match: str, then: str, machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    """What the system could not flush it takes for clean: it is read, and is not on the disk."""
    cuts = max(EACH, CUTS // 4)
    done = _after_a_failed_flush(machine, affairs_form, "honest", match, then, cuts)
    tell(f"SQLite: flush of {FLUSHES[match]} fails, {then}, power cut", cuts, *done)


def test_it_would_be_lost_if_the_log_were_not_written_again(
    machine: Machine, affairs_form: Form, tell: Tell
) -> None:
    trials = acknowledged = lost = 0
    while not lost and trials < 5 * EACH:  # on a busy machine a day's failure may spoil nothing
        machine.forget()
        for folder in (machine.folder, machine.place / "before"):
            shutil.rmtree(folder, ignore_errors=True)
        machine.folder.mkdir()
        day = _after_a_failed_flush(machine, affairs_form, "trusting", "", "a restart", EACH)
        trials, acknowledged, lost = trials + EACH, acknowledged + day[0], lost + day[1]
    fault = "SQLite: flush fails, a restart, log taken as it is"
    tell(fault, trials, acknowledged, lost, control=True)


def _database_day(cluster: Cluster, form: Form, twin: str) -> Crowd:
    """Serve under load, with a checkpoint in the middle; then stop everything at once."""
    crowd = Crowd(form, cluster.machine)
    cluster.start(recording=True)
    with serving(form, cluster.url, cluster.place / "run", twin=twin) as collector:
        crowd.begin(collector.url())
        crowd.wait(60)
        with psycopg.connect(cluster.url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")
        assert crowd.wait(60) >= 60
        collector.tell()
        crowd.end()
    cluster.stop()
    return crowd


def _database_days(cluster: Cluster, form: Form, cuts: int, twin: str) -> tuple[int, int]:
    """Cut the power of a database so often."""
    acknowledged = lost = 0
    cluster.machine.breaks(delay=20_000 if twin != "honest" else 1000)
    for day in range(-(-cuts // EACH)):
        cluster.machine.forget()
        start = Start.of(cluster.data, cluster.place / f"day{day}")
        crowd = _database_day(cluster, form, twin)
        acknowledged += len(crowd.acknowledged)
        events, today = read(cluster.machine.journal), cluster.data
        ends = [event.end for event in events if event.end >= min(crowd.acknowledged.values())]
        for cut in range(min(EACH, cuts - day * EACH)):
            upto, cluster.data = random.choice(ends), cluster.place / f"cut{cut}"
            start.cut(events, upto, CHANCE, cluster.data, noise=False)
            (cluster.data / "postmaster.pid").unlink(missing_ok=True)
            lost += _database_lost(cluster, crowd, upto)
            shutil.rmtree(cluster.data)
        cluster.data = today
        shutil.rmtree(today)
        start.copy.rename(today)
    return acknowledged, lost


def _database_lost(cluster: Cluster, crowd: Crowd, upto: int) -> int:
    """Start a database on what was left; one that does not start has lost everything."""
    due = sum(value <= upto for value in crowd.acknowledged.values())
    try:
        cluster.start()
    except RuntimeError:
        return due
    try:
        return crowd.lost(cluster.url, upto)
    except (DocumentError, psycopg.Error):
        return due
    finally:
        cluster.stop()


@pytest.mark.postgres
def test_a_loss_of_power_takes_nothing_from_a_database(
    cluster: Cluster, affairs_form: Form, tell: Tell
) -> None:
    cuts = trials("CUTS", 3)
    done = _database_days(cluster, affairs_form, cuts, "honest")
    tell("PostgreSQL: power cut, sectors torn", cuts, *done)


@pytest.mark.postgres
@pytest.mark.parametrize("twin", ["early", "relaxed", "honest"])
def test_it_takes_what_a_database_did_not_flush(
    twin: str, cluster: Cluster, affairs_form: Form, tell: Tell
) -> None:
    cluster.machine.breaks(no_sync=twin == "honest")
    item, cuts, done = 3, 0, (0, 0)
    while not done[1] and cuts < 5 * item:  # on a busy machine a day may lose nothing
        done, cuts = _database_days(cluster, affairs_form, item, twin), cuts + item
    why = {"early": "acknowledged before the commit", "relaxed": "synchronous_commit = off"}
    value = why.get(twin, "flushes that do nothing")
    tell(f"PostgreSQL: power cut, {value}", cuts, *done, control=True)
