"""Processes that end without a word, at any moment."""

import os
import random
import signal
import time
from pathlib import Path

import psycopg
import pytest
from lab import Cluster, Collector, Crowd, Tell, serving, silent, trials, until

from askance_collect.wire import Form

pytestmark = pytest.mark.faults

KILLS = trials("KILLS", 4)


def _killed(collector: Collector, crowd: Crowd) -> None:
    """Kill a collector: under load, when it has only just been started, or while it stops."""
    moment = random.choice(["load", "load", "load", "start", "stop"])
    if moment == "start":
        time.sleep(random.uniform(0, 1))
        collector.end()
        return
    crowd.begin(collector.url())
    crowd.wait(random.randrange(1, 150))
    if moment == "stop":
        collector.tell(signal.SIGTERM)
    time.sleep(random.uniform(0, 0.02))
    collector.end()
    crowd.end()


def _often(form: Form, store: str | Path, path: Path) -> tuple[int, int, int]:
    crowd, lost = Crowd(form), 0
    for _ in range(KILLS):
        with serving(form, store, path / "run") as collector:
            _killed(collector, crowd)
        lost += crowd.lost(store)
    _all_sent_again(crowd, store, path)
    return KILLS, len(crowd.acknowledged), lost


def test_a_killed_collector_loses_nothing(tmp_path: Path, affairs_form: Form, tell: Tell) -> None:
    tell("SQLite: collector killed", *_often(affairs_form, tmp_path / "survey.db", tmp_path))


@pytest.mark.postgres
def test_nor_does_one_with_a_database(
    cluster: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    cluster.start()
    tell("PostgreSQL: collector killed", *_often(affairs_form, cluster.url, tmp_path))


def _end_backend(cluster: Cluster) -> None:
    """Kill the process that works for the collector; the database starts all of them anew."""
    with psycopg.connect(cluster.url, autocommit=True) as connection:
        text = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
        own = connection.info.backend_pid
        pids = [pid for (pid,) in connection.execute(text) if pid != own]
    before = cluster.pids()[1:]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    until(lambda: set(before).isdisjoint(cluster.pids()) and cluster.answers())


def _stop_at_once(cluster: Cluster) -> None:
    cluster.stop("immediate")
    cluster.start()


@pytest.mark.postgres
def test_a_database_that_ends_loses_nothing_and_the_collector_goes_on(
    cluster: Cluster, tmp_path: Path, affairs_form: Form, tell: Tell
) -> None:
    ways = {
        "a process of it killed": _end_backend,
        "its first process killed": Cluster.crash,
        "stopped at once": _stop_at_once,
    }
    cluster.start()
    crowd, lost, acknowledged = Crowd(affairs_form), 0, 0
    with serving(affairs_form, cluster.url, tmp_path / "run") as collector:
        url = collector.url()
        for name, end in ways.items():
            often, before = -(-KILLS // 3), len(crowd.acknowledged)
            for _ in range(often):
                crowd.begin(url)
                assert crowd.wait(random.randrange(1, 150))
                end(cluster)
                assert crowd.wait()
                crowd.end()
                lost += crowd.lost(cluster.url)
            acknowledged = len(crowd.acknowledged) - before
            tell(f"PostgreSQL: {name}", often, acknowledged, lost)
        assert collector.end(signal.SIGTERM) == 0
    assert {code for _, code, _ in crowd.told} == {"busy"}
    assert silent(collector.said)
    assert "the database" in collector.said
    _all_sent_again(crowd, cluster.url, tmp_path)


def _all_sent_again(crowd: Crowd, store: str | Path, path: Path) -> None:
    """Send what nobody acknowledged until all is acknowledged, and find everything once."""
    with serving(crowd.form, store, path / "run") as collector:
        line = crowd.line(collector.url())
        while crowd.owed:
            assert crowd.post(line, crowd.owed.pop()) in (200, 201)
        line.close()
        assert collector.end(signal.SIGTERM) == 0
    assert set(crowd.acknowledged) == set(crowd.sent)
    assert crowd.lost(store) == 0
