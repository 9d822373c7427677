"""Processes that end without a word, at any moment."""

import random
import signal
import time
from pathlib import Path

import pytest
from conftest import Tell, trials
from lab import Collector, Crowd, serving

from askance.wire.form import Form

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
        collector.process.send_signal(signal.SIGTERM)
    time.sleep(random.uniform(0, 0.02))
    collector.end()
    crowd.end()


def test_a_killed_collector_loses_nothing(tmp_path: Path, affairs_form: Form, tell: Tell) -> None:
    store, crowd, lost = tmp_path / "survey.db", Crowd(affairs_form), 0
    for _ in range(KILLS):
        with serving(affairs_form, store, tmp_path / "run") as collector:
            _killed(collector, crowd)
        lost += crowd.lost(store)
    all_sent_again(crowd, store, tmp_path)
    tell("SQLite: collector killed", KILLS, len(crowd.acknowledged), lost)


def all_sent_again(crowd: Crowd, store: str | Path, place: Path) -> None:
    """Send what nobody acknowledged until all is acknowledged, and find everything once."""
    with serving(crowd.form, store, place / "run") as collector:
        line = crowd.line(collector.url())
        while crowd.owed:
            assert crowd.post(line, crowd.owed.pop()) in (200, 201)
        line.close()
        assert collector.end(signal.SIGTERM) == 0
    assert collector.said == ""
    assert set(crowd.acknowledged) == set(crowd.sent)
    assert crowd.lost(store) == 0
