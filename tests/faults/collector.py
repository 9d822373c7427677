"""Collectors, each a fork of one process that has imported everything: that takes half the time.

Each line on standard input is an order in JSON and gets an answer. A collector is `askance serve`,
or a twin of it.
"""

import ctypes
import json
import os
import runpy
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Any

from askance_collect.collect import Outcome, Store, postgres, sqlite, writer


def early() -> None:
    """Acknowledge before the commit."""

    def flush(store: Store, waiting: Sequence[Any], *_: Any) -> None:
        if waiting:
            result = [Outcome.NEW] * len(waiting)
            loop = waiting[0][1].get_loop()
            loop.call_soon_threadsafe(writer._tell, [future for _, future in waiting], result)
            time.sleep(0.02)
            store.append([report for report, _ in waiting])

    writer._flush = flush


def relaxed() -> None:
    """Acknowledge what the database has not flushed."""
    settings = (item.replace("= EXTRA", "= OFF") for item in sqlite._SETTINGS)
    sqlite._SETTINGS = tuple(settings)  # type: ignore[misc]
    connect: Any = postgres._connect

    def connected(*words: Any, **named: Any) -> Any:
        connection = connect(*words, **named)
        connection.execute("SET synchronous_commit TO off")
        return connection

    postgres._connect = connected


def tidy() -> None:
    """Move SQLite's log into the file often."""
    sqlite._OFTEN = 20


def trusting() -> None:
    """Believe what the system shows after a flush that failed."""
    sqlite._write_log_again = lambda path: None
    sqlite._write_again = lambda descriptor: None


def hasty() -> None:
    """Give up on a store sooner."""
    writer.PATIENCE = 2.0


TWINS: dict[str, Callable[[], None]] = {
    "honest": lambda: None,
    "early": early,
    "relaxed": relaxed,
    "tidy": tidy,
    "trusting": trusting,
    "hasty": hasty,
}


def run(twin: str, words: list[str], settings: dict[str, str], output: str, log: str) -> int:
    """Be a collector, and give the exit status."""
    for path, stream in ((os.devnull, 0), (output, 1), (log, 2)):
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        os.dup2(file, stream)
        os.close(file)
    os.environ.update(settings)
    ctypes.CDLL(None).begin_faults()
    for part in twin.split("+"):
        TWINS[part]()
    sys.argv = ["askance-collect", "serve", *words]
    try:
        runpy.run_module("askance_collect", run_name="__main__")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def imported() -> None:
    """Import all that a collector does, so that no fork has to."""
    sys.argv = ["askance-collect", "--help"]
    with redirect_stdout(StringIO()), suppress(SystemExit):
        runpy.run_module("askance_collect", run_name="__main__")


def begun(order: dict[str, Any]) -> int:
    """Fork a collector and give its number."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = run(**order)
        finally:
            os._exit(status)
    return child


def ended(child: int, patient: bool) -> int | None:
    """Give the exit status of a collector, once it has one."""
    result, status = os.waitpid(child, 0 if patient else os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if result else None


if __name__ == "__main__":
    imported()
    for line in sys.stdin:
        order = json.loads(line)
        answer = ended(*order) if isinstance(order, list) else begun(order)
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()
