"""Defects to plant in the collector, and how each is planted: the simulator has to find every one.

Each is a small change of what the collector does, or of what the disk does for it, for as long as a
block lasts.
"""

import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, final

import simulation
from lab import Machine

from askance_collect.collect import Accepted, Environment, Outcome, sqlite, writer

OF_FOLDERS, OF_LOGS, OF_FILES = 1, 2, 4
"""Which flushes `disk.c` skips."""

_STORE: Any = sqlite.SqliteStore
_Plant = Callable[["Patch"], None]


@final
class Patch:
    """Sets names of the collector's modules, and puts back what stood there."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._before: list[tuple[Any, str, Any]] = []

    def set(self, owner: Any, name: str, value: Any) -> Any:
        """Set a name, and give what stood there as it was written down."""
        before = vars(owner)[name]
        self._before.append((owner, name, before))
        setattr(owner, name, value)
        return before

    def undo(self) -> None:
        for owner, name, before in reversed(self._before):
            setattr(owner, name, before)


@final
@dataclass(frozen=True, slots=True)
class Defect:
    """A fault that somebody could make, in words, and what makes it."""

    words: str
    plant: _Plant

    @contextmanager
    def planted(self, machine: Machine) -> Iterator[None]:
        """Have the collector do it for as long as the block lasts."""
        patch = Patch(machine)
        self.plant(patch)
        try:
            yield
        finally:
            patch.undo()
            machine.breaks(skipped=0)


DEFECTS: dict[str, Defect] = {}


def _defect(name: str, words: str) -> Callable[[_Plant], _Plant]:
    def listed(plant: _Plant) -> _Plant:
        DEFECTS[name] = Defect(words, plant)
        return plant

    return listed


def _settings(patch: Patch, before: str, after: str) -> None:
    changed = tuple(item.replace(before, after) for item in sqlite._SETTINGS)
    patch.set(sqlite, "_SETTINGS", changed)


@_defect("early", "acknowledged before the commit")
def _early(patch: Patch) -> None:
    def flush(store: Any, waiting: Sequence[Any], *_: Any) -> None:
        reports = [item for item in waiting if isinstance(item[0], Accepted)]
        if reports:
            loop = reports[0][1].get_loop()
            result = [Outcome.NEW] * len(reports)
            loop.call_soon_threadsafe(writer._tell, [future for _, future in reports], result)
            loop.call_later(0.02, _quietly, store, [report for report, _ in reports])

    patch.set(writer, "_flush", flush)


def _quietly(store: Any, reports: Sequence[Accepted]) -> None:
    with suppress(Exception):
        store.append(reports)


@_defect("sync-off", "SQLite flushes nothing (synchronous = OFF)")
def _sync_off(patch: Patch) -> None:
    _settings(patch, "synchronous = EXTRA", "synchronous = OFF")


@_defect("sync-normal", "a commit is not flushed (synchronous = NORMAL)")
def _sync_normal(patch: Patch) -> None:
    _settings(patch, "synchronous = EXTRA", "synchronous = NORMAL")


@_defect("log-unflushed", "flushes of the log do nothing")
def _log_unflushed(patch: Patch) -> None:
    patch.machine.breaks(skipped=OF_LOGS)


@_defect("file-unflushed", "flushes of the file do nothing, before its log begins anew")
def _file_unflushed(patch: Patch) -> None:
    patch.machine.breaks(skipped=OF_FILES)


@_defect("folder-unflushed", "flushes of the folder do nothing: new names may be lost")
def _folder_unflushed(patch: Patch) -> None:
    patch.machine.breaks(skipped=OF_FOLDERS)


@_defect("log-trusted", "what a failed flush was for is not written again after a restart")
def _log_trusted(patch: Patch) -> None:
    patch.set(sqlite, "_write_log_again", lambda path: None)


@_defect("log-removed", "a log that a crash left is removed at the start")
def _log_removed(patch: Patch) -> None:
    connect = sqlite._connect

    def connected(path: Any, *words: Any, **named: Any) -> Any:
        if not named["read_only"]:
            path.with_name(f"{path.name}-wal").unlink(missing_ok=True)
        return connect(path, *words, **named)

    patch.set(sqlite, "_connect", connected)


@_defect("flush-ignored", "a commit whose flush failed counts as done")
def _flush_ignored(patch: Patch) -> None:
    @contextmanager
    def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
        connection.execute(f"BEGIN {kind}")
        try:
            yield
            with suppress(sqlite3.OperationalError):
                connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    patch.set(sqlite, "_transaction", transaction)


@_defect("errors-swallowed", "errors of the disk are swallowed, and the reports called kept")
def _errors_swallowed(patch: Patch) -> None:
    append = _STORE.append

    def swallowing(store: Any, batch: Sequence[Accepted]) -> list[Outcome]:
        try:
            return list(append(store, batch))
        except sqlite3.OperationalError:
            return [Outcome.NEW] * len(batch)

    patch.set(_STORE, "append", swallowing)


@_defect("writer-ends", "the writer ends with the first error")
def _writer_ends(patch: Patch) -> None:
    attempt = writer._attempt

    def once(waiting: Any, write: Callable[[], Any], trouble: Any) -> None:
        failed: list[Exception] = []

        def noted() -> Any:
            try:
                return write()
            except Exception as error:
                failed.append(error)
                raise

        attempt(waiting, noted, trouble)
        if failed:
            raise failed[0]

    patch.set(writer, "_attempt", once)


@_defect("one-outcome", "a batch has one outcome: the first report's")
def _one_outcome(patch: Patch) -> None:
    settle = sqlite.settle

    def settled(batch: Sequence[Accepted], *how: Any) -> list[Outcome]:
        return settle(batch, *how)[:1] * len(batch)

    patch.set(sqlite, "settle", settled)


@_defect("id-reused", "another report under an id that is taken counts as a repetition")
def _id_reused(patch: Patch) -> None:
    settle = sqlite.settle

    def settled(batch: Sequence[Accepted], *how: Any) -> list[Outcome]:
        outcome = settle(batch, *how)
        return [Outcome.REPEATED if item is Outcome.CONFLICTING else item for item in outcome]

    patch.set(sqlite, "settle", settled)


@_defect("replaced", "another report under an id replaces the first")
def _replaced(patch: Patch) -> None:
    settle = sqlite.settle

    def settled(batch: Sequence[Accepted], insert: Any, look_up: Any) -> list[Outcome]:
        result = settle(batch, insert, look_up)
        store = getattr(insert, "__self__", None)
        for item, outcome in zip(batch, result, strict=True):
            if outcome is Outcome.CONFLICTING and store is not None:
                output = (item.answers, item.id)
                store.connection.execute("UPDATE reports SET answers = ? WHERE id = ?", output)
        return result

    patch.set(sqlite, "settle", settled)


@_defect("retry-inserted", "a report that is sent again is kept under an id of its own")
def _retry_inserted(patch: Patch) -> None:
    append = _STORE.append

    def again(store: Any, batch: Sequence[Accepted]) -> list[Outcome]:
        up = store._look_up([item.id for item in batch])
        fresh = [
            replace(item, id=bytes(16 - len(item.id[1:])) + item.id[1:]) if item.id in up else item
            for item in batch
        ]
        return list(append(store, fresh))

    patch.set(_STORE, "append", again)


@_defect("no-lock", "the store is not locked at all")
def _no_lock(patch: Patch) -> None:
    _claims(patch, beside=False)


@_defect("lock-by-name", "the lock is of a name, not of the file")
def _lock_by_name(patch: Patch) -> None:
    _claims(patch, beside=True)


def _claims(patch: Patch, *, beside: bool) -> None:
    lock: Any = sqlite.WriterLock
    take = lock.take.__func__

    def taken(cls: Any, path: Any) -> Any:
        take_result = take(cls, path)
        if not beside:
            take_result.lock_connection.execute("ROLLBACK")
        return take_result

    patch.set(lock, "take", classmethod(taken))
    patch.set(lock, "_claim", lambda *_: None)


@_defect("close-unchecked", "whether the survey is closed is not asked in the transaction")
def _close_unchecked(patch: Patch) -> None:
    insert = _STORE._insert

    @contextmanager
    def opened(store: Any) -> Iterator[None]:
        state = store.connection.execute("SELECT closed FROM survey").fetchone()
        store.connection.execute("UPDATE survey SET closed = 0")
        yield
        store.connection.execute("UPDATE survey SET closed = ?", state)

    def unchecked(store: Any, firsts: Mapping[bytes, Accepted]) -> Any:
        with opened(store):
            return insert(store, firsts)

    patch.set(_STORE, "_insert", unchecked)


@_defect("close-unflushed", "a closing is acknowledged before it is flushed")
def _close_unflushed(patch: Patch) -> None:
    close = _STORE.close_survey

    def hasty(store: Any) -> None:
        store.connection.execute("PRAGMA synchronous = OFF")
        close(store)
        store.connection.execute("PRAGMA synchronous = EXTRA")

    patch.set(_STORE, "close_survey", hasty)


@_defect("recall-forgets", "after the end, a report that is kept is called refused")
def _recall_forgets(patch: Patch) -> None:
    settle = sqlite.settle

    def settled(batch: Sequence[Accepted], insert: Any, look_up: Any) -> list[Outcome]:
        closed = insert({}) is None
        outcome = settle(batch, insert, look_up)
        return [Outcome.CLOSED] * len(batch) if closed else outcome

    patch.set(sqlite, "settle", settled)


@_defect("token-after", "a token is noted as spent after the commit, by itself")
def _token_after(patch: Patch) -> None:
    append, remember = _STORE.append, _STORE._remember

    def later(store: Any, batch: Sequence[Accepted]) -> list[Outcome]:
        noted: list[tuple[bytes, int]] = []

        def remembered(_: Any, tokens: Sequence[tuple[bytes, int]]) -> int:
            fresh = [token for token in tokens if not store._look_up_tokens([token[0]])]
            noted[:] = fresh
            return len(fresh)

        _STORE._remember = remembered
        try:
            outcomes = list(append(store, batch))
        finally:
            _STORE._remember = remember
        with sqlite._transaction(store.connection, "IMMEDIATE"):
            remember(store, noted)
        return outcomes

    patch.set(_STORE, "append", later)


@_defect("token-in-memory", "tokens that are spent are kept in memory alone")
def _token_in_memory(patch: Patch) -> None:
    def remembered(store: Any, tokens: Sequence[tuple[bytes, int]]) -> int:
        del store
        return len(tokens)

    patch.set(_STORE, "_remember", remembered)


@_defect("sums-after", "the sums are brought up to date after the commit, by themselves")
def _sums_after(patch: Patch) -> None:
    append, put = _STORE.append, _STORE._put

    def later(store: Any, batch: Sequence[Accepted]) -> list[Outcome]:
        noted: list[Any] = []
        _STORE._put = lambda _, entire: noted.append(entire)
        try:
            outcomes = list(append(store, batch))
        finally:
            _STORE._put = put
        for complete in noted:
            with sqlite._transaction(store.connection, "IMMEDIATE"):
                put(store, complete)
        return outcomes

    patch.set(_STORE, "append", later)


@_defect("token-twice", "two reports that come at once with one token are both kept")
def _token_twice(patch: Patch) -> None:
    def spendable(reports: Iterable[Accepted], spent: Container[bytes] = ()) -> list[Accepted]:
        return [report for report in reports if report.token not in spent]

    patch.set(sqlite, "spendable", spendable)


@_defect("tried-is-kept", "a report that was tried once counts as kept when it comes again")
def _tried_is_kept(patch: Patch) -> None:
    append = _STORE.append
    connect = sqlite._connect
    tried = set[tuple[bytes, str]]()

    def remembered(store: Any, batch: Sequence[Accepted]) -> list[Outcome]:
        keys = [(item.id, item.answers) for item in batch]
        if all(key in tried for key in keys):
            return [Outcome.REPEATED] * len(batch)
        tried.update(keys)
        return list(append(store, batch))

    def begun(*words: Any, **named: Any) -> Any:
        tried.clear()
        return connect(*words, **named)

    patch.set(_STORE, "append", remembered)
    patch.set(sqlite, "_connect", begun)


@_defect("clock-once", "the clock on the wall is read once, at the start")
def _clock_once(patch: Patch) -> None:
    def frozen(**named: Any) -> Environment:
        begun = named["wall_clock"]()
        return Environment(**(named | {"wall_clock": lambda: begun}))

    patch.set(simulation, "Environment", frozen)
