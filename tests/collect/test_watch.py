"""Health is a write that leaves nothing; counts show nobody; each failure has a name."""

import http.client
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from askance_collect.collect import Environment, Store, create_app, open_store, serving
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import Form

KEY = "k" * 32
STEP, PERIOD, FRESH = 10, 900, 5
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "report.md"
Ask = Callable[..., tuple[int, dict[str, str], bytes]]
Make = Callable[[], bytes]


@pytest.fixture
def clock() -> SimpleNamespace:
    """The collector's clock, moved by hand."""
    hand = SimpleNamespace(now=1000.0)
    hand.environment = Environment(monotonic=lambda: hand.now)
    return hand


@pytest.fixture
def store(place: Callable[[], str], affairs_form: Form) -> Iterator[Store]:
    store = open_store(place(), affairs_form)
    yield store
    store.close()


@pytest.fixture
def ask(store: Store, affairs_form: Form, clock: SimpleNamespace) -> Iterator[Ask]:
    with _door(affairs_form, store, clock) as ask:
        yield ask


@contextmanager
def _door(form: Form, store: Any, clock: SimpleNamespace) -> Iterator[Ask]:
    named = {"operator_key": KEY, "environment": clock.environment}
    app = create_app(form, b"<!doctype html>", {}, "ab" * 32, store, **named)
    with serving(app) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)

        def ask(method: str, path: str, body: Any = None, **headers: str) -> Any:
            line.request(method, path, body, headers)
            reply = line.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()

        yield ask
        line.close()


def _metrics(ask: Ask) -> dict[tuple[str, str], float]:
    status, headers, text = ask("GET", "/metrics", authorization=f"Bearer {KEY}")
    assert (status, headers["content-type"]) == (200, OPENMETRICS)
    families = list(text_string_to_metric_families(text.decode()))
    return {
        (sample.name, "".join(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_health_writes_and_leaves_nothing(ask: Ask, store: Store, make_body: Make) -> None:
    assert ask("POST", "/report", make_body())[0] == 201
    status, headers, replies = ask("GET", "/health")
    assert (status, json.loads(replies), headers["cache-control"]) == (
        200,
        {"healthy": True},
        "no-store, no-transform",
    )
    assert store.count() == 1
    store.check()
    assert len(list(store.reports())) == 1


def test_trying_out_is_a_write_to_the_log_on_the_disk(tmp_path: Path, affairs_form: Form) -> None:
    store = open_store(tmp_path / "survey.db", affairs_form)
    store.check()
    before = (tmp_path / "survey.db-wal").stat().st_size
    store.check_writable()
    log = (tmp_path / "survey.db-wal").read_bytes()
    assert len(log) > before
    assert store.count() == 0
    store.close()


def test_trying_out_finds_a_store_that_takes_nothing(
    tmp_path: Path, affairs_form: Form, make_body: Make
) -> None:
    store: Any = open_store(tmp_path / "survey.db", affairs_form)
    store.check()
    store.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(sqlite3.OperationalError):
        store.check_writable()
    store.connection.execute("PRAGMA query_only = OFF")
    store.close()


class _Broken:
    """A store that keeps nothing, until it is mended."""

    closed, tries = False, 0

    def __init__(self, wrong: Exception | None) -> None:
        self.wrong, self.go = wrong, threading.Event()

    def check_writable(self) -> None:
        self.tries += 1
        if self.wrong is not None:
            raise self.wrong
        assert self.go.wait(10)

    def append(self, _: Any) -> Any:
        raise AssertionError("nothing was sent")


def test_health_is_tried_seldom_and_tells_no_reason(
    affairs_form: Form, clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    store = _Broken(OSError(28, "no space"))
    with _door(affairs_form, store, clock) as ask:
        result = [ask("GET", "/health") for _ in range(5)]
        assert [(status, replies) for status, _, replies in result] == [
            (503, b'{"healthy":false}')
        ] * 5
        assert store.tries == 1
        store.wrong = None
        store.go.set()
        assert ask("GET", "/health")[0] == 503  # as it was just now
        clock.now += FRESH
        assert [ask("GET", "/health")[0] for _ in range(5)] == [200] * 5
        assert store.tries == 2
    assert caplog.messages == [
        "reports are not written: the collector's disk is full [disk-full]; "
        "nobody was told they were",
        "reports are written again",
    ]


def test_a_store_that_does_not_answer_is_not_healthy(
    affairs_form: Form, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askance_collect.collect.watch._PATIENCE", 0.01)
    store = _Broken(None)
    with _door(affairs_form, store, clock) as ask:
        assert ask("GET", "/health")[0] == 503
        store.go.set()
        monkeypatch.setattr("askance_collect.collect.watch._PATIENCE", 10)
        clock.now += FRESH
        assert ask("GET", "/health")[0] == 200


@pytest.mark.long
def test_a_closed_survey_is_healthy_and_told_to_be_closed(
    affairs_form: Form, tmp_path: Path, clock: SimpleNamespace
) -> None:
    store = open_store(tmp_path / "survey.db", affairs_form)
    store.close_survey()
    with _door(affairs_form, store, clock) as ask:
        result = ask("GET", "/health")[2], ask("GET", "/metrics", authorization=f"Bearer {KEY}")[2]
    store.close()
    assert result[0] == b'{"healthy":true}'
    assert b"\naskance_survey_open 0\n" in result[1]


def test_metrics_are_there_for_the_key_alone(ask: Ask, affairs_form: Form) -> None:
    for wrong in ("", KEY, f"Bearer {KEY}x", f"Bearer {KEY[1:]}", "Bearer \xe4"):
        status, _, replies = ask("GET", "/metrics", authorization=wrong)
        assert (status, json.loads(replies)["error"]["code"]) == (404, "not-found")
    assert _metrics(ask)["askance_store_able", ""] == 1
    for guessed in ("secret", "k" * 31, "k" * 31 + "\n"):
        with pytest.raises(InputError, match="32 or more") as refused:
            create_app(affairs_form, b"", {}, "", None, operator_key=guessed)  # type: ignore[arg-type]
        assert guessed not in str(refused.value)


def test_nobody_is_seen_in_a_count(
    ask: Ask, make_body: Make, clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    remaining, size = ("askance_reports_total", "kept"), ("askance_refusals_total", "size")
    for _ in range(19):
        assert ask("POST", "/report", make_body())[0] == 201
    for _ in range(STEP):
        assert ask("POST", "/report", b"x")[0] == 400
    assert {_metrics(ask)[item] for item in (remaining, size)} == {0}  # the period is not over
    assert caplog.messages == []
    clock.now += PERIOD
    assert _metrics(ask)[remaining] == STEP
    assert caplog.messages == ["refused since the start, in steps of 10: size 10"]
    assert ask("POST", "/report", make_body())[0] == 201
    clock.now += PERIOD - 1
    assert _metrics(ask)[remaining] == STEP  # one more, and nobody can tell when
    clock.now += 1
    metrics_result = _metrics(ask)
    assert (metrics_result[remaining], metrics_result[size]) == (2 * STEP, STEP)
    assert len(caplog.messages) == 1  # told once
    assert {
        value % STEP for (name, _), value in metrics_result.items() if name.endswith("_total")
    } == {0}


def _causes() -> set[str]:
    """Read which causes of failures the reference lists."""
    listed = REFERENCE.read_text("utf-8").split("The causes of failures are")[1].split("\n\n")[0]
    return set(re.findall(r"`([a-z-]+)`", listed))


def test_every_refusal_and_failure_has_a_name(ask: Ask, documented: dict[str, int]) -> None:
    named = _metrics(ask)
    refusals = {cause for family, cause in named if family == "askance_refusals_total"}
    failures = {cause for family, cause in named if family == "askance_failures_total"}
    assert refusals == {*documented, "not-found", "method", "request", "head", "slow"}
    assert failures == _causes() == {cause for _, cause in WRONG} | {"silent"}


class _Told(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__("31415926 203.0.113.9")
        self.sqlstate = sqlstate


WRONG: list[tuple[Exception, str]] = [
    (OSError(28, "31415926"), "disk-full"),
    (OSError(30, "31415926"), "read-only"),
    (OSError(5, "31415926"), "disk-error"),
    (OSError(24, "31415926"), "no-descriptors"),
    (MemoryError("31415926"), "no-memory"),
    (_Told("53300"), "no-connection"),
    (_Told("57P01"), "database-gone"),
    (_Told("55P03"), "taken"),
    (_Told("XX001"), "damaged"),
    (DocumentError("a file", got="moved"), "moved"),
    (ZeroDivisionError("31415926"), "unforeseen"),
]


@pytest.mark.long
@pytest.mark.parametrize(("wrong", "cause"), WRONG, ids=[cause for _, cause in WRONG])
def test_a_failure_is_named_in_the_log_and_counted(
    wrong: Exception,
    cause: str,
    affairs_form: Form,
    clock: SimpleNamespace,
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = _Broken(wrong)
    with _door(affairs_form, store, clock) as ask:
        for _ in range(STEP):
            assert ask("GET", "/health")[0] == 503
            clock.now += FRESH
        clock.now += PERIOD
        store.wrong = None
        store.go.set()
        metrics_result = _metrics(ask)
    grown = {name for name, n in metrics_result.items() if n == STEP}
    assert grown == {("askance_failures_total", cause)}
    result, over = caplog.messages  # once, however often
    assert f" [{cause}]; nobody" in result
    assert over == "reports are written again"
    assert "31415926" not in result
    assert "203.0.113" not in result


def test_a_fault_that_comes_again_and_again_is_a_line_in_a_quarter_of_an_hour(
    affairs_form: Form,
    store: Store,
    clock: SimpleNamespace,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken: Any = {"broken": (b"", {"kind": 7})}  # no header can be a number
    app = create_app(
        affairs_form,
        b"",
        {},
        "ab" * 32,
        store,
        adjacent_files=broken,
        environment=clock.environment,
    )
    with serving(app) as url:
        for later in [0.0] * 50 + [float(PERIOD)]:
            clock.now += later
            line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
            line.request("GET", "/broken")
            assert line.getresponse().status == 500
            line.close()
    lines = [
        message for message in caplog.messages if message.startswith("a request was not answered")
    ]
    assert len(lines) == 2
    assert lines[1] == f"{lines[0]}, and 49 times more before"
