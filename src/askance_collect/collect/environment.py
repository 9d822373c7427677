"""What a collector takes from the machine that it runs on: the time, randomness and a thread.

A simulation gives its own, so that a day of a collector can be repeated to the letter.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Thread
from typing import Protocol, final

from askance_collect.random_bytes import SYSTEM_BYTES


class Runner(Protocol):
    """Runs the turns of a writer, one after the other, until the last one."""

    def wake(self) -> None:
        """Notice that something waits to be written."""
        ...

    def is_alive(self) -> bool:
        """Say whether a further turn may come."""
        ...

    def join(self, timeout: float) -> None:
        """Wait for the last turn, so many seconds at most."""
        ...


@final
class ThreadRunner:
    """Runs turns in a thread of their own; a turn waits by itself until there is something to do.

    >>> runner = ThreadRunner(lambda: False)
    >>> runner.join(10)
    >>> runner.is_alive()
    False
    """

    __slots__ = ("_thread",)

    def __init__(self, turn: Callable[[], bool]) -> None:
        def run() -> None:
            while turn():
                pass

        self._thread = Thread(target=run, name="askance-writer", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Nothing: the turn waits for the queue itself."""

    def is_alive(self) -> bool:
        """Say whether the thread still runs."""
        return self._thread.is_alive()

    def join(self, timeout: float) -> None:
        """Wait for the thread to end."""
        self._thread.join(timeout)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The clocks, the randomness and the writer's runner of a collector.

    Attributes
    ----------
    wall_clock : callable
        Gives the seconds since 1970, as the machine has them.
    monotonic : callable
        Gives seconds that only grow, from any start.
    random_bytes : callable
        Draws so many bytes that nobody can foresee. A collector that serves people needs the
        system's own.
    run_writer : callable
        Takes the writer's turn, which says whether another may follow, and gives its `Runner`. Each
        turn writes all that waits; by default a thread runs them.

    >>> from askance_collect.collect import Environment
    >>> len(Environment().random_bytes(16))
    16
    """

    wall_clock: Callable[[], float] = field(default_factory=lambda: time.time)
    monotonic: Callable[[], float] = field(default_factory=lambda: time.monotonic)
    random_bytes: Callable[[int], bytes] = field(default_factory=lambda: SYSTEM_BYTES.draw)
    run_writer: Callable[[Callable[[], bool]], Runner] = field(default_factory=lambda: ThreadRunner)

    def __repr__(self) -> str:
        """A name alone: what functions stand for a machine says nothing."""
        return "Environment()"


SYSTEM = Environment()
"""The machine's own."""
