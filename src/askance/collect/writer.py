"""One thread that writes: everything that arrived during a flush shares the next one."""

import asyncio
import errno
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import final

from askance.collect.accept import Accepted
from askance.collect.outcome import Outcome
from askance.collect.store import Store
from askance.errors import ReportRefused

LIMIT = 4096
"""So many reports may wait for the disk; the next is told to come back."""

_Waiting = tuple[Accepted, "asyncio.Future[Outcome]"]
_log = logging.getLogger("askance.collect")

_REASONS = {
    "disk-full": "the collector's disk is full",
    "read-only": "the collector may not write to its store",
    "disk-error": "the collector's disk cannot be written to",
    "busy": "",
}
_KNOWN: dict[str | int | None, str] = {
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.EIO: "disk-error",
    "SQLITE_FULL": "disk-full",
    "SQLITE_READONLY": "read-only",
    "SQLITE_IOERR": "disk-error",
    "SQLITE_CANTOPEN": "disk-error",
    "SQLITE_CORRUPT": "disk-error",
    "SQLITE_NOTADB": "disk-error",
    "53100": "disk-full",
    "25006": "read-only",
    "58030": "disk-error",
}
"""What keeps a store from writing: by the system's number, SQLite's name or PostgreSQL's state."""


@final
@dataclass(frozen=True, slots=True)
class Writer:
    """Hands reports to the store's only writer, and answers when they are on the disk.

    There is no timer: a report that comes alone is flushed at once, and those that come during a
    flush are flushed together (group commit).
    """

    queue: SimpleQueue[_Waiting | None] = field(repr=False)
    thread: Thread = field(repr=False)
    limit: int

    @classmethod
    def start(cls, store: Store, limit: int = LIMIT) -> "Writer":
        """Start the thread. From now on the store belongs to it."""
        queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        thread = Thread(target=_work, args=(store, queue), name="askance-writer", daemon=True)
        thread.start()
        return cls(queue, thread, limit)

    async def write(self, report: Accepted) -> Outcome:
        """Wait until a report is on the disk and say what became of it.

        Raises
        ------
        ReportRefused
            With code ``busy`` if too many are waiting, or ``disk-full``, ``read-only`` or
            ``disk-error`` if the store cannot be written to; nothing is acknowledged.
        """
        if self.queue.qsize() >= self.limit or not self.thread.is_alive():
            raise _refusal("busy")
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.queue.put((report, future))
        return await future

    def stop(self) -> None:
        """Write what is waiting, then end the thread."""
        self.queue.put(None)
        self.thread.join()


def _work(store: Store, queue: SimpleQueue[_Waiting | None]) -> None:
    going = True
    while going:
        waiting = [queue.get(), *_at_hand(queue)]
        going = None not in waiting
        _flush(store, [one for one in waiting if one is not None])


def _at_hand(queue: SimpleQueue[_Waiting | None]) -> list[_Waiting | None]:
    taken: list[_Waiting | None] = []
    try:
        while len(taken) < LIMIT:
            taken.append(queue.get_nowait())
    except Empty:
        pass
    return taken


def _flush(store: Store, waiting: Sequence[_Waiting]) -> None:
    if not waiting:
        return
    outcomes: Sequence[Outcome] | str
    try:
        outcomes = store.append([report for report, _ in waiting])
    except Exception as error:
        outcomes = _reason(error)
        told = ": ".join(one for one in (type(error).__name__, _REASONS[outcomes]) if one)
        _log.error("a batch was not written (%s); nobody was told it was", told)
    loop = waiting[0][1].get_loop()
    loop.call_soon_threadsafe(_tell, [future for _, future in waiting], outcomes)


def _tell(futures: Sequence["asyncio.Future[Outcome]"], outcomes: Sequence[Outcome] | str) -> None:
    for at, future in enumerate(futures):
        if future.done():
            continue
        if isinstance(outcomes, str):
            future.set_exception(_refusal(outcomes))
        else:
            future.set_result(outcomes[at])


def _reason(error: BaseException | None) -> str:
    """Say by its code what kept a store from writing; ``busy`` where it may pass by itself."""
    while error is not None:
        name = "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])
        facts = (name, getattr(error, "sqlstate", None), getattr(error, "errno", None))
        for fact in facts:
            if fact in _KNOWN:
                return _KNOWN[fact]
        error = error.__cause__ or error.__context__
    return "busy"


def _refusal(code: str) -> ReportRefused:
    told = (_REASONS[code], "it was not kept; send it again in a moment")
    return ReportRefused(code, "report", remedy="; ".join(one for one in told if one))
