"""A bar on standard error, in a terminal, while a verb computes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def progress_bar(text: str, total: int) -> Iterator[Callable[..., None]]:
    """Show how far a computation of so many steps is.

    Yields
    ------
    callable
        Moves the bar on by a step, or to the step that it is called with.
    """
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(text, total=total)

        def move(step: int | None = None) -> None:
            if step is None:
                progress.advance(bar)
            else:
                progress.update(bar, completed=step)

        yield move
