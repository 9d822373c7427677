"""A bar that shows how many fits to replicates are done, where these take long."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

from askance.inference.replicate_weights import track_replicates

_PATIENCE = 2.0  # seconds without a bar


@contextmanager
def replicate_progress() -> Iterator[None]:
    """Show a bar on standard error, in a terminal, while replicates are fitted."""
    bar = _ReplicateBar()
    try:
        with track_replicates(bar.hear):
            yield
    finally:
        bar.stop()


@final
class _ReplicateBar:
    """How many replicates are fitted, shown from two seconds on."""

    __slots__ = ("_begun", "_progress", "_task")

    def __init__(self) -> None:
        self._progress: Any = None

    def hear(self, fitted: int, total: int) -> None:
        """Count one more; the bar goes when the last one is fitted, for what is printed then."""
        if self._progress is None or fitted == 1:
            self._begin()
        self._progress.update(self._task, completed=fitted, total=total)
        if fitted == total:
            self.stop()
        elif time.monotonic() - self._begun > _PATIENCE and not self._progress.live.is_started:
            self._progress.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        if self._progress is None:
            console = Console(stderr=True)
            self._progress = Progress(
                console=console, transient=True, disable=not console.is_terminal
            )
            self._task = self._progress.add_task("replicates fitted", total=None)
        self._begun = time.monotonic()
