"""One thread writes: everything that arrived during a flush shares the next one.

What keeps it from writing has a code for whoever sends, and for the operator words and a cause by
name, told once.
"""

import asyncio
import errno
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any, TypeVar, final

from askance_collect.collect.accept import Accepted, Outcome, Store
from askance_collect.collect.environment import SYSTEM, Environment, Runner
from askance_collect.collect.integrity import REMEDY
from askance_collect.errors import AskanceError, DamagedStore, ReportRefused

_log = logging.getLogger("askance_collect.collect")

LIMIT = 4096
"""So many reports may wait for the disk; the next is told to come back."""
PATIENCE = 20.0
"""Seconds that a report waits for the store before its sender is told to come back.

The respondent's page gives up after 30.
"""
_Result = TypeVar("_Result")
_Order = Callable[[Store], Any]
"""What is done to a store, but to keep a report."""

_Waiting = tuple[Accepted | _Order, "asyncio.Future[Any]"]
"""A report or an order, and who waits for it."""
_REASONS = {
    "disk-full": "the collector's disk is full",
    "read-only": "the collector may not write to its store",
    "disk-error": "the collector's disk cannot be written to",
    "busy": "",
}
_REFUSAL_CODES: dict[str | int | None, str] = {
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
_IN_USE = "another program keeps the store to itself; end what reads or writes it"
_MEMORY = "there is no memory left"
_CAUSES: dict[str | int | None, tuple[str, str]] = {
    errno.EMFILE: ("no-descriptors", "there are no descriptors left; raise the limit (ulimit -n)"),
    errno.ENFILE: ("no-descriptors", "the system has no descriptors left"),
    errno.ENOMEM: ("no-memory", _MEMORY),
    "SQLITE_NOMEM": ("no-memory", _MEMORY),
    "SQLITE_BUSY": ("taken", _IN_USE),
    "SQLITE_LOCKED": ("taken", _IN_USE),
    "SQLITE_CANTOPEN": (
        "no-descriptors",
        "a file beside the store cannot be opened; look at its folder and its owner,"
        " and at the limit of descriptors (ulimit -n)",
    ),
    "SQLITE_CORRUPT": ("damaged", _DAMAGED),
    "SQLITE_NOTADB": ("damaged", _DAMAGED),
    "40P01": ("taken", _IN_USE),
    "55P03": ("taken", _IN_USE),
    "53200": ("no-memory", "the database has no memory left"),
    "53300": ("no-connection", "the database takes no more connections"),
    "XX001": ("damaged", "the database is damaged"),
    "XX002": ("damaged", "the database is damaged"),
}
"""What its operator is told beyond that, and the cause by name (`FAILURES`)."""


@final
@dataclass(frozen=True, slots=True)
class Writer:
    """Hands reports to the store's only writer, and answers when they are on the disk.

    There is no timer: a report that comes alone is flushed at once, and those that come during a
    flush are flushed together (group commit).
    """

    queue: SimpleQueue[_Waiting | None] = field(repr=False)
    runner: Runner = field(repr=False)
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
        on_kept: Callable[[str], None] | None = None,
        on_failed: Callable[[str], None] | None = None,
        environment: Environment = SYSTEM,
    ) -> "Writer":
        """Start the runner, which calls back with each stored report and each cause of failure.

        From now on the store belongs to it.
        """
        queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        trouble, ended = _Trouble(on_failed), Event()
        if closed:
            ended.set()
        runner = environment.run_writer(partial(_work, store, queue, trouble, ended, on_kept))
        patience = _Patience(trouble, environment.monotonic)
        return cls(queue, runner, limit, trouble, patience, ended)

    @property
    def closed(self) -> bool:
        """Whether the store was closed when the writer began, or has refused a report since."""
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
        outcome: Outcome = await self._wait(report)
        return outcome

    async def recall(self, report: Accepted) -> Outcome:
        """Say what became of a report, once the last day is over: none is kept any more.

        Raises
        ------
        ReportRefused
            If the store cannot be asked, with the same codes.
        """
        (outcome,) = await self.ask(lambda store: store.recall([report]))
        return outcome

    async def try_out(self) -> None:
        """Wait until the store has taken in what is no report, flushed, and forgotten it again.

        Raises
        ------
        ReportRefused
            If a report could not be written, with the same codes.
        """
        if not self.closed:
            await self.ask(lambda store: store.try_out())

    async def ask(self, order: Callable[[Store], _Result]) -> _Result:
        """Have something done between two batches, by the thread that the store belongs to.

        Raises
        ------
        ReportRefused
            If it could not be done, with the same codes; after a while that it is not done yet.
        """
        result: _Result = await self._wait(order)
        return result

    async def close_survey(self) -> None:
        """Refuse further reports for good, as `Store.close_survey`."""

        def close(store: Store) -> None:
            store.close_survey()
            self.ended.set()

        await self.ask(close)

    async def _wait(self, work: Accepted | _Order) -> Any:
        if self.queue.qsize() >= self.limit or not self.runner.is_alive():
            raise _refusal("busy")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.patience.begin(future)
        self.queue.put((work, future))
        self.runner.wake()
        try:
            return await future
        finally:
            self.patience.end(future)

    def stop(self) -> None:
        """Write what is waiting, then end the runner; leave it if the store does not answer."""
        self.queue.put(None)
        self.runner.wake()
        self.runner.join(PATIENCE)
        if self.runner.is_alive():
            self.trouble.tell("silent", "the store does not answer any more")


@final
class _Trouble:
    """What keeps reports from being written, told to the operator once and not for every batch."""

    __slots__ = ("_failed", "_last_words")

    def __init__(self, failed: Callable[[str], None] | None = None) -> None:
        self._failed, self._last_words = failed, ""

    def tell(self, cause: str, words: str) -> None:
        """Say what is wrong, if that is news."""
        if self._failed is not None:
            self._failed(cause)
        if words != self._last_words:
            self._last_words = words
            message = "reports are not written: %s [%s]; nobody was told they were"
            _log.error(message, words, cause)

    def over(self) -> None:
        """Log that writing works again, if it had failed."""
        if self._last_words:
            self._last_words = ""
            _log.warning("reports are written again")


@final
class _Patience:
    """How long each report has waited: one clock for all, as one for each costs more than they do.

    It stands still while none waits.
    """

    __slots__ = ("_monotonic", "_since", "_ticking", "_trouble")

    def __init__(self, trouble: _Trouble, monotonic: Callable[[], float]) -> None:
        self._trouble, self._monotonic = trouble, monotonic
        self._since: dict[asyncio.Future[Outcome], float] = {}
        self._ticking = False

    def begin(self, future: "asyncio.Future[Outcome]") -> None:
        """Wait for a report from now on."""
        self._since[future] = self._monotonic()
        if not self._ticking:
            self._tick()

    def end(self, future: "asyncio.Future[Outcome]") -> None:
        """Wait for it no more."""
        del self._since[future]

    def _tick(self) -> None:
        """Give up what was waited for too long, the oldest first."""
        overdue = self._monotonic() - PATIENCE
        for future, since in self._since.items():
            if since > overdue:
                break
            if not future.done():
                words = f"the store has not answered for {PATIENCE:.0f} seconds"
                self._trouble.tell("silent", words)
                future.set_exception(_refusal("busy"))
        self._ticking = bool(self._since)
        if self._ticking:
            asyncio.get_running_loop().call_later(PATIENCE / 20, self._tick)


_OnKept = Callable[[str], None] | None


def _work(
    store: Store,
    queue: SimpleQueue[_Waiting | None],
    trouble: _Trouble,
    ended: Event,
    on_kept: _OnKept,
) -> bool:
    """Wait for something to write, write all that waits, and say whether more may come."""
    waiting = [queue.get(), *_take_waiting(queue)]
    tasks = [task for task in waiting if task is not None]
    _flush(store, tasks, trouble, ended, on_kept)
    for order, future in tasks:
        if not isinstance(order, Accepted):
            _attempt([future], partial(_carry_out, order, store), trouble)
    return None not in waiting


def _take_waiting(queue: SimpleQueue[_Waiting | None]) -> list[_Waiting | None]:
    tasks: list[_Waiting | None] = []
    try:
        while len(tasks) < LIMIT:
            tasks.append(queue.get_nowait())
    except Empty:
        pass
    return tasks


def _flush(
    store: Store, waiting: Sequence[_Waiting], trouble: _Trouble, ended: Event, on_kept: _OnKept
) -> None:
    reports = [report for report, _ in waiting if isinstance(report, Accepted)]

    def append() -> Sequence[Outcome]:
        outcomes = store.append(reports)
        if Outcome.CLOSED in outcomes:
            ended.set()
        for report, outcome in zip(reports, outcomes, strict=True):
            if on_kept is not None and outcome is Outcome.NEW:
                on_kept(report.answers)
        return outcomes

    futures = [future for report, future in waiting if isinstance(report, Accepted)]
    _attempt(futures, append, trouble)


def _carry_out(order: _Order, store: Store) -> Sequence[Any]:
    return [order(store)]


def _attempt(
    waiting: Sequence["asyncio.Future[Any]"],
    write: Callable[[], Sequence[Any]],
    trouble: _Trouble,
) -> None:
    """Write, and pass the outcome to everybody who waits for it."""
    if not waiting:
        return
    outcomes: Sequence[Any] | str
    try:
        outcomes = write()
        trouble.over()
    except Exception as error:
        outcomes = _refusal_code(error)
        trouble.tell(*_name_cause(error, outcomes))
    waiting[0].get_loop().call_soon_threadsafe(_tell, waiting, outcomes)


def _tell(futures: Sequence["asyncio.Future[Any]"], outcomes: Sequence[Any] | str) -> None:
    for i, future in enumerate(futures):
        if future.done():
            continue
        if isinstance(outcomes, str):
            future.set_exception(_refusal(outcomes))
        else:
            future.set_result(outcomes[i])


def _list_error_codes(error: BaseException | None) -> Iterator[str | int | None]:
    """What an error, and those that it came from, say of themselves but in words."""
    while error is not None:
        yield "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])
        yield getattr(error, "sqlstate", None)
        yield getattr(error, "errno", None)
        yield errno.ENOMEM if isinstance(error, MemoryError) else None
        error = error.__cause__ or error.__context__


def _refusal_code(error: BaseException) -> str:
    """Say by its code what kept a store from writing; ``busy`` where it may pass by itself."""
    return next(
        (_REFUSAL_CODES[fact] for fact in _list_error_codes(error) if fact in _REFUSAL_CODES),
        "busy",
    )


def _name_cause(error: BaseException, code: str) -> tuple[str, str]:
    """Name what kept a store from writing, and say it in words, or at least where it was."""
    if isinstance(error, AskanceError):
        causes = (_CAUSES[fact][0] for fact in _list_error_codes(error) if fact in _CAUSES)
        cause = next(causes, "moved" if code == "busy" else code)
        return "damaged" if isinstance(error, DamagedStore) else cause, str(error)
    for description in (_CAUSES[fact] for fact in _list_error_codes(error) if fact in _CAUSES):
        return description
    if hasattr(error, "sqlstate") and (error.sqlstate or "08")[:3] in ("08", "57P"):
        return "database-gone", "the database cannot be reached"
    return (code, _REASONS[code]) if _REASONS[code] else ("unforeseen", origin(error))


def origin(error: BaseException) -> str:
    """Say of what type an error is and where it was raised, and nothing that it holds.

    >>> try:
    ...     int("a secret")
    ... except ValueError as error:
    ...     origin(error)
    'ValueError at askance_collect.collect.writer:2'
    """
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    location = (
        f" at {traceback.tb_frame.f_globals.get('__name__')}:{traceback.tb_lineno}"
        if traceback
        else ""
    )
    return f"{type(error).__name__}{location}"


def _refusal(code: str) -> ReportRefused:
    sentences = (_REASONS[code], "it was not kept; send it again in a moment")
    return ReportRefused(
        code, "report", remedy="; ".join(sentence for sentence in sentences if sentence)
    )
