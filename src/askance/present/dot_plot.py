"""The dot plot of a table: a row's estimate, its interval and its truth, on one scale for all.

Each row is drawn beside its own words, so that nothing is named twice. Places are per cent of the
width, whatever it is: type and marks keep their size on a phone. A dot is the estimate and nothing
else, a level line its interval, an upright one the truth in the data.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import final

from askance.present.findings import Quantity

Stretch = tuple[float, float]

_SPARE = 1.06  # of the widest share
_ROOM, _LETTER, _APART = 300, 8, 16  # pixels: a plot on a phone, a letter, between two labels
_MOST_TICKS = 5


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where the marks of one row stand, in per cent of the width; None where there is no number.

    Attributes
    ----------
    estimate : tuple of float, or None
        Both ends: apart where the reports only fix a range for it.
    interval : tuple of float, or None
    truth : float or None
    """

    estimate: Stretch | None
    interval: Stretch | None
    truth: float | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DotPlot:
    """The marks of all rows, and the ticks below them: a place in per cent, and what it says."""

    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]


def dot_plot(rows: Sequence[Quantity]) -> DotPlot:
    """Place a dot and an interval for each row of a table, on one scale.

    Shares begin at nought; other numbers where the lowest interval does.

    Parameters
    ----------
    rows : sequence of Quantity
        All shares, or all in one unit; at least one.

    >>> def yes(low, lower, upper):
    ...     return Quantity(label="yes", low=low, high=low, lower=lower, upper=upper, error=0.1,
    ...                     plain=9.0, unit=None, truth=None)
    >>> plot = dot_plot([yes(0.25, 0.2, 0.5), yes(0.5, 0.4, 1.0)])
    >>> plot.marks[0].estimate, plot.marks[1].interval
    ((25.0, 25.0), (40.0, 100.0))
    >>> [label for _, label in plot.ticks]
    ['0 %', '20 %', '40 %', '60 %', '80 %', '100 %']
    """
    shares = all(row.unit is None for row in rows)
    known = [value for row in rows for value in _numbers(row) if math.isfinite(value)]
    if shares:
        low, high = 0.0, min(1.0, _SPARE * max(known, default=1.0)) or 1.0
    else:
        low, high = min(known, default=0.0), max(known, default=1.0)
        high = high if high > low else low + 1
    ticks = _ticks(low, high, shares=shares)
    low = min(low, ticks[0])

    def place(value: float) -> float:
        return round(100 * (min(max(value, low), high) - low) / (high - low), 2)

    marks = tuple(
        Mark(
            estimate=_stretch(row.low, row.high, place),
            interval=_stretch(row.lower, row.upper, place),
            truth=None if row.truth is None else place(row.truth),
        )
        for row in rows
    )
    return DotPlot(marks=marks, ticks=tuple((place(at), _told(at, shares)) for at in ticks))


def _numbers(row: Quantity) -> Iterable[float]:
    """What the scale has to hold; an end of an interval that no cut bounds is not drawn."""
    told = (row.low, row.high, row.lower, row.upper)
    return told if row.truth is None else (*told, row.truth)


def _stretch(low: float, high: float, place: Callable[[float], float]) -> Stretch | None:
    return None if math.isnan(low) or math.isnan(high) else (place(low), place(high))


def _ticks(low: float, high: float, *, shares: bool) -> list[float]:
    """Round numbers from just below the lowest to the highest, as many as stand apart."""
    letters = len("100 %") if shares else max(len(f"{end:,.0f}") for end in (low, high))
    most = min(_MOST_TICKS, max(1, _ROOM // (_LETTER * letters + _APART)))
    step = _step((high - low) / most)
    first, last = math.floor(low / step + 1e-9), math.floor(high / step + 1e-9)
    return [round(at * step, 12) for at in range(first, last + 1)]


def _step(least: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))


def _told(value: float, shares: bool) -> str:
    return f"{100 * value:.10g} %" if shares else f"{value:,.10g}"
