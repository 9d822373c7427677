"""Where results are drawn: the given axes, or fresh ones if matplotlib is installed."""

from typing import Any

from askance.errors import MissingExtra


def axes(ax: Any = None) -> Any:
    """Give the axes to draw on.

    Raises
    ------
    MissingExtra
        If none are given and matplotlib is not installed.

    >>> axes("given")
    'given'
    """
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    return pyplot.subplots(layout="constrained")[1]
