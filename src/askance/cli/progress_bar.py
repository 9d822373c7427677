"""Bars on standard error, in a terminal, while a verb computes."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, final

from askance.inference.replicate_weights import track_replicates

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 2.0  # seconds without a bar of replicates


def _make_bars() -> "Progress":
    """Make bars that only a terminal shows, and that vanish."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def progress_bar(text: str, total: int) -> Iterator[Callable[..., None]]:
    """Show how far a computation of so many steps is.

    Yields
    ------
    callable
        Moves the bar on by a step, or to the step that it is called with.
    """
    with _make_bars() as progress:
        bar = progress.add_task(text, total=total)

        def move(step: int | None = None) -> None:
            if step is None:
                progress.advance(bar)
            else:
                progress.update(bar, completed=step)

        yield move


@contextmanager
def replicate_progress() -> Iterator[None]:
    """Show a bar while replicates are fitted, where these take long."""
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
            self._begun = time.monotonic()
        if self._progress is None:
            self._progress = _make_bars()
            self._task = self._progress.add_task("replicates fitted", total=None)
        self._progress.update(self._task, completed=fitted, total=total)
        if fitted == total:
            self.stop()
        elif time.monotonic() - self._begun > _PATIENCE and not self._progress.live.is_started:
            self._progress.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()
