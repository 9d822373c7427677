"""`askance serve` as it is, or a twin of it: python collector.py TWIN SURVEY --store STORE …"""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from askance.__main__ import main
from askance.collect import sqlite, writer
from askance.collect.outcome import Outcome
from askance.collect.store import Store


def early() -> None:
    """Acknowledge before the commit."""

    def flush(store: Store, waiting: Sequence[Any], _: Any) -> None:
        if waiting:
            told = [Outcome.NEW] * len(waiting)
            loop = waiting[0][1].get_loop()
            loop.call_soon_threadsafe(writer._tell, [future for _, future in waiting], told)
            store.append([report for report, _ in waiting])

    writer._flush = flush


def relaxed() -> None:
    """Acknowledge what the database has not flushed."""
    settings = (one.replace("= FULL", "= OFF") for one in sqlite._SETTINGS)
    sqlite._SETTINGS = tuple(settings)  # type: ignore[misc]
    try:
        from askance.collect import postgres
    except ImportError:
        return
    connect: Any = postgres._connect

    def connected(*words: Any, **named: Any) -> Any:
        connection = connect(*words, **named)
        connection.execute("SET synchronous_commit TO off")
        return connection

    postgres._connect = connected


def tidy() -> None:
    """Move SQLite's log into the file often."""
    sqlite._OFTEN = 20


def hasty() -> None:
    """Give up on a store sooner."""
    writer.PATIENCE = 2.0


TWINS: dict[str, Callable[[], None]] = {
    "honest": lambda: None,
    "early": early,
    "relaxed": relaxed,
    "tidy": tidy,
    "hasty": hasty,
}

if __name__ == "__main__":
    TWINS[sys.argv.pop(1)]()
    sys.argv[0] = "askance"
    sys.argv.insert(1, "serve")
    main()
