"""One thread, one flush for all that waits, and no acknowledgement before it."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from askance_collect.collect import Accepted, Outcome
from askance_collect.collect.writer import Writer
from askance_collect.errors import DocumentError, ReportRefused


class Slow:
    """A store whose flush waits for the test, and fails when told to."""

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)
        self.batches: list[list[Accepted]] = []
        self.failing = False

    def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
        assert self.go.acquire(timeout=10)
        if self.failing:
            raise OSError(5, f"input/output error near {batch[0].answers}")
        self.batches.append(list(batch))
        return [Outcome.NEW] * len(batch)


def _report(number: int) -> Accepted:
    return Accepted(number.to_bytes(16, "big"), '{"secret":31415926}')


def _play(scene: Coroutine[Any, Any, Any]) -> Any:
    """Run a scene in a thread of its own: a browser may keep this thread's event loop busy."""
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(asyncio.run, scene).result()


async def _begin(writer: Writer, number: int) -> "asyncio.Task[Outcome]":
    task = asyncio.create_task(writer.write(_report(number)))
    await asyncio.sleep(0.01)
    return task


def test_what_comes_during_a_flush_shares_the_next() -> None:
    async def scene() -> list[list[int]]:
        store = Slow()
        writer = Writer.start(store)
        first = await _begin(writer, 0)
        rest = [await _begin(writer, number) for number in range(1, 9)]
        assert not first.done()
        store.go.release()
        assert await first is Outcome.NEW
        assert not any(task.done() for task in rest)
        store.go.release()
        await asyncio.gather(*rest)
        writer.stop()
        return [[int.from_bytes(item.id, "big") for item in batch] for batch in store.batches]

    assert _play(scene()) == [[0], list(range(1, 9))]


def test_a_full_queue_is_busy() -> None:
    async def scene() -> None:
        store = Slow()
        writer = Writer.start(store, limit=3)
        tasks = [await _begin(writer, number) for number in range(4)]
        with pytest.raises(ReportRefused) as caught:
            await writer.write(_report(9))
        assert caught.value.code == "busy"
        store.go.release(2)
        assert await asyncio.gather(*tasks) == [Outcome.NEW] * 4
        writer.stop()

    _play(scene())


def test_a_failing_disk_refuses_that_batch_and_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene() -> list[list[Accepted]]:
        store = Slow()
        writer = Writer.start(store)
        store.failing = True
        store.go.release(2)
        with pytest.raises(ReportRefused) as caught:
            await writer.write(_report(1))
        assert caught.value.code == "disk-error"
        store.failing = False
        assert await writer.write(_report(1)) is Outcome.NEW
        writer.stop()
        return store.batches

    with caplog.at_level(logging.DEBUG):
        assert _play(scene()) == [[_report(1)]]
    assert "not written: the collector's disk cannot be written to [disk-error];" in caplog.text
    assert "31415926" not in caplog.text


def test_stopping_writes_what_waits_and_takes_no_more() -> None:
    async def scene() -> None:
        store = Slow()
        writer = Writer.start(store)
        tasks = [await _begin(writer, number) for number in range(5)]
        store.go.release(2)
        writer.stop()
        assert await asyncio.gather(*tasks) == [Outcome.NEW] * 5
        assert sum(map(len, store.batches)) == 5
        with pytest.raises(ReportRefused):
            await writer.write(_report(7))

    _play(scene())


def test_someone_who_hangs_up_harms_nobody() -> None:
    async def scene() -> None:
        store = Slow()
        writer = Writer.start(store)
        begin_result, local = await _begin(writer, 1), await _begin(writer, 2)
        begin_result.cancel()
        store.go.release(2)
        assert await local is Outcome.NEW
        writer.stop()
        assert sum(map(len, store.batches)) == 2

    _play(scene())


def test_a_store_that_does_not_answer_is_not_waited_for_for_ever(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askance_collect.collect.writer.PATIENCE", 0.05)

    async def scene() -> None:
        store = Slow()
        writer = Writer.start(store)
        for number in (1, 2):
            with pytest.raises(ReportRefused) as caught:
                await writer.write(_report(number))
            assert caught.value.code == "busy"
        writer.stop()
        assert writer.runner.is_alive()
        store.go.release(2)
        writer.runner.join(10)
        assert sum(map(len, store.batches)) == 2  # who sends again finds it there

    with caplog.at_level(logging.WARNING):
        _play(scene())
    assert [record.getMessage().partition(";")[0] for record in caplog.records] == [
        "reports are not written: the store has not answered for 0 seconds [silent]",
        "reports are not written: the store does not answer any more [silent]",
        "reports are written again",
    ]


class _Told(Exception):
    """What a database says, by its number."""

    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("31415926")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (OSError(24, "31415926"), "no descriptors left"),
        (MemoryError("31415926"), "no memory left"),
        (_Told(None), "the database cannot be reached"),
        (_Told("57P02"), "the database cannot be reached"),
        (_Told("53300"), "no more connections"),
        (_Told("53100"), "the collector's disk is full"),
        (DocumentError("a file", got="moved"), "a file: got 'moved'"),
        (ZeroDivisionError("31415926"), "ZeroDivisionError at tests.collect.test_writer:"),
        (_Told("42601"), "_Told at "),
    ],
    ids=str,
)
def test_the_operator_is_told_once_and_in_words(
    wrong: Exception, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing:
        left = 3

        def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
            self.left -= 1
            if self.left >= 0:
                raise wrong
            return [Outcome.NEW] * len(batch)

    async def scene() -> None:
        writer = Writer.start(Failing())  # type: ignore[arg-type]
        for number in range(3):
            with pytest.raises(ReportRefused):
                await writer.write(_report(number))
        assert await writer.write(_report(9)) is Outcome.NEW
        writer.stop()

    with caplog.at_level(logging.WARNING):
        _play(scene())
    assert len(caplog.records) == 2
    assert words in caplog.messages[0]
    assert "31415926" not in caplog.text


def test_a_disk_that_fails_is_named_though_a_store_tells_of_it_in_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A store's own error says what is wrong; the cause by name is that of the error behind it."""

    class Failing(Slow):
        def append(self, batch: Sequence[Accepted]) -> list[Outcome]:
            del batch
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
            raise DocumentError("survey.db", got="disk I/O error") from error

    causes: list[str] = []

    async def scene() -> None:
        writer = Writer.start(Failing(), on_failed=causes.append)
        with pytest.raises(ReportRefused) as caught:
            await writer.write(_report(1))
        assert caught.value.code == "disk-error"
        writer.stop()

    _play(scene())
    assert causes == ["disk-error"]
    assert "[disk-error]" in caplog.text
