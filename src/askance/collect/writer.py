"""One thread writes: everything that arrived during a flush shares the next one.

What keeps it from writing has a code for whoever sends and words for the operator, told once.
"""

import asyncio
import errno
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import final

from askance.collect.accept import Accepted, Outcome, Store
from askance.collect.integrity import REMEDY
from askance.errors import AskanceError, ReportRefused

_log = logging.getLogger("askance.collect")

LIMIT = 4096
"""So many reports may wait for the disk; the next is told to come back."""
PATIENCE = 20.0
"""Seconds that a report waits for the store before its sender is told to come back.

The respondent's page gives up after 30.
"""
_Waiting = tuple[Accepted, "asyncio.Future[Outcome]"]
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
_DAMAGED = f"the store is damaged; {REMEDY}"
_TAKEN = "another program keeps the store to itself; end what reads or writes it"
_MEMORY = "there is no memory left"
_TOLD: dict[str | int | None, str] = {
    errno.EMFILE: "there are no descriptors left; raise the limit (ulimit -n)",
    errno.ENFILE: "the system has no descriptors left",
    errno.ENOMEM: _MEMORY,
    "MemoryError": _MEMORY,
    "SQLITE_NOMEM": _MEMORY,
    "SQLITE_BUSY": _TAKEN,
    "SQLITE_LOCKED": _TAKEN,
    "SQLITE_CANTOPEN": "a file beside the store cannot be opened; look at its folder and its owner,"
    " and at the limit of descriptors (ulimit -n)",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _DAMAGED,
    "40P01": _TAKEN,
    "55P03": _TAKEN,
    "53200": "the database has no memory left",
    "53300": "the database takes no more connections",
    "XX001": "the database is damaged",
    "XX002": "the database is damaged",
}
"""What its operator is told beyond that."""


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
    trouble: "_Trouble" = field(repr=False)
    patience: "_Patience" = field(repr=False)
    ended: Event = field(repr=False)

    @classmethod
    def start(
        cls,
        store: Store,
        limit: int = LIMIT,
        *,
        closed: bool = False,
        kept: Callable[[str], None] | None = None,
    ) -> "Writer":
        """Start the thread, which tells what it has kept. From now on the store belongs to it."""
        queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        trouble, ended = _Trouble(), Event()
        if closed:
            ended.set()
        work = (store, queue, trouble, ended, kept)
        thread = Thread(target=_work, args=work, name="askance-writer", daemon=True)
        thread.start()
        return cls(queue, thread, limit, trouble, _Patience(trouble), ended)

    @property
    def closed(self) -> bool:
        """Whether the store was closed when the thread began, or has refused a report since."""
        return self.ended.is_set()

    async def write(self, report: Accepted) -> Outcome:
        """Wait until a report is on the disk and say what became of it.

        Raises
        ------
        ReportRefused
            With code ``busy`` if too many are waiting or the store does not answer, or
            ``disk-full``, ``read-only`` or ``disk-error`` if it cannot be written to; nothing is
            acknowledged.
        """
        if self.queue.qsize() >= self.limit or not self.thread.is_alive():
            raise _refusal("busy")
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.patience.begin(future)
        self.queue.put((report, future))
        try:
            return await future
        finally:
            self.patience.end(future)

    def stop(self) -> None:
        """Write what is waiting, then end the thread; leave it if the store does not answer."""
        self.queue.put(None)
        self.thread.join(PATIENCE)
        if self.thread.is_alive():
            self.trouble.tell("the store does not answer any more")


@final
class _Trouble:
    """What keeps reports from being written, told to the operator once and not for every batch."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        self._told = ""

    def tell(self, words: str) -> None:
        """Say what is wrong, if that is news."""
        if words != self._told:
            self._told = words
            _log.error("reports are not written: %s; nobody was told they were", words)

    def over(self) -> None:
        """Say that nothing is wrong any more, if something was."""
        if self._told:
            self._told = ""
            _log.warning("reports are written again")


@final
class _Patience:
    """How long each report has waited: one clock for all, as one for each costs more than they do.

    It stands still while none waits.
    """

    __slots__ = ("_since", "_ticking", "_trouble")

    def __init__(self, trouble: _Trouble) -> None:
        self._trouble = trouble
        self._since: dict[asyncio.Future[Outcome], float] = {}
        self._ticking = False

    def begin(self, future: "asyncio.Future[Outcome]") -> None:
        """Wait for a report from now on."""
        self._since[future] = monotonic()
        if not self._ticking:
            self._tick()

    def end(self, future: "asyncio.Future[Outcome]") -> None:
        """Wait for it no more."""
        del self._since[future]

    def _tick(self) -> None:
        """Give up what was waited for too long, the oldest first."""
        overdue = monotonic() - PATIENCE
        for future, since in self._since.items():
            if since > overdue:
                break
            if not future.done():
                self._trouble.tell(f"the store has not answered for {PATIENCE:.0f} seconds")
                future.set_exception(_refusal("busy"))
        self._ticking = bool(self._since)
        if self._ticking:
            asyncio.get_running_loop().call_later(PATIENCE / 20, self._tick)


_Kept = Callable[[str], None] | None


def _work(
    store: Store,
    queue: SimpleQueue[_Waiting | None],
    trouble: _Trouble,
    ended: Event,
    kept: _Kept,
) -> None:
    going = True
    while going:
        waiting = [queue.get(), *_at_hand(queue)]
        going = None not in waiting
        _flush(store, [one for one in waiting if one is not None], trouble, ended, kept)


def _at_hand(queue: SimpleQueue[_Waiting | None]) -> list[_Waiting | None]:
    taken: list[_Waiting | None] = []
    try:
        while len(taken) < LIMIT:
            taken.append(queue.get_nowait())
    except Empty:
        pass
    return taken


def _flush(
    store: Store, waiting: Sequence[_Waiting], trouble: _Trouble, ended: Event, kept: _Kept
) -> None:
    if not waiting:
        return
    outcomes: Sequence[Outcome] | str
    try:
        outcomes = store.append([report for report, _ in waiting])
        trouble.over()
        if Outcome.CLOSED in outcomes:
            ended.set()
        for (report, _), outcome in zip(waiting, outcomes, strict=True):
            if kept is not None and outcome is Outcome.NEW:
                kept(report.answers)
    except Exception as error:
        outcomes = _reason(error)
        trouble.tell(_words(error, outcomes))
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


def _facts(error: BaseException | None) -> Iterator[str | int | None]:
    """What an error, and those that it came from, say of themselves but in words."""
    while error is not None:
        yield "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])
        yield getattr(error, "sqlstate", None)
        yield getattr(error, "errno", None)
        yield type(error).__name__
        error = error.__cause__ or error.__context__


def _reason(error: BaseException) -> str:
    """Say by its code what kept a store from writing; ``busy`` where it may pass by itself."""
    return next((_KNOWN[fact] for fact in _facts(error) if fact in _KNOWN), "busy")


def _words(error: BaseException, code: str) -> str:
    """Say in words what kept a store from writing; where there are none, what it was and where."""
    if isinstance(error, AskanceError):
        return str(error)
    for words in (_TOLD[fact] for fact in _facts(error) if fact in _TOLD):
        return words
    if hasattr(error, "sqlstate") and (error.sqlstate or "08")[:3] in ("08", "57P"):
        return "the database cannot be reached"
    return _REASONS[code] or origin(error)


def origin(error: BaseException) -> str:
    """Say of what type an error is and where it was raised, and nothing that it holds.

    >>> try:
    ...     int("a secret")
    ... except ValueError as error:
    ...     origin(error)
    'ValueError at askance.collect.writer:2'
    """
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" at {at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}" if at else ""
    return f"{type(error).__name__}{place}"


def _refusal(code: str) -> ReportRefused:
    told = (_REASONS[code], "it was not kept; send it again in a moment")
    return ReportRefused(code, "report", remedy="; ".join(one for one in told if one))
