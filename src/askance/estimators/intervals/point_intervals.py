"""Shares up to a point, each with an interval of its own."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.results import (
    Listing,
    axes,
    counted,
    json_of,
    keep_read_only,
    listed,
    number,
    numbers,
    read_only,
)
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PointIntervals:
    """A cumulative share with an interval, point by point.

    Attributes
    ----------
    at : array, shape (k,)
        The points, ascending.
    value : array, shape (k,)
        The most likely share of numbers up to each.
    lower, upper : array, shape (k,)
        Ends of the interval of each.
    level : float
        That of each point, or of all together.
    critical : array, shape (k,)
        How large the squared deviate of a share may be at each: twice the fall of the
        log-likelihood, where many tell of it.
    n : float
        How many ranges, counting weights.
    method : str
        Which law the critical values come from, and for what kind of data.
    together : bool
        Whether the level is that all intervals hold at once.

    >>> import numpy as np
    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.intervals.cdf_intervals import cdf_intervals
    >>> told = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> cdf_intervals(Ranges.tallied(told), [20, 30, 40])
    share of numbers up to a point
    up to  share  95 % from      to
    20       0.3     0.2163  0.3951
    30       0.3     0.2163  0.6454
    40      0.55     0.4517  0.6454
    200 ranges; likelihood ratio, cuts on a grid; critical value 3.841
    """

    at: Floats
    value: Floats
    lower: Floats
    upper: Floats
    level: float
    critical: Floats
    n: float
    method: str
    together: bool = False

    def __post_init__(self) -> None:
        keep_read_only(self, "at value lower upper critical")

    def bounds(self, at: Any) -> tuple[Floats, Floats]:
        """Bound the share up to any numbers, at the same level, because shares rise.

        Parameters
        ----------
        at : array_like

        Returns
        -------
        low, high : arrays of the shape of ``at``
            The lower end at the point before, the upper end at the point after; 0 and 1 beyond.
        """
        points = numbers(at, "bounds.at")
        low = np.append(0.0, self.lower)[np.searchsorted(self.at, points, side="right")]
        high = np.append(self.upper, 1.0)[np.searchsorted(self.at, points, side="left")]
        return read_only(low), read_only(high)

    def to_dict(self) -> Json:
        """Write the intervals for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} %" + " together" * self.together
        head = ["up to", "share", f"{level} from", "to"]
        columns = (self.at, self.value, self.lower, self.upper)
        rows = [[number(float(one)) for one in row] for row in zip(*columns, strict=True)]
        falls = sorted({f"{fall:.4g}" for fall in self.critical}, key=float)
        told = falls[0] if len(falls) == 1 else f"{falls[0]} to {falls[-1]}"
        notes = [f"{counted(self.n, 'range')}; {self.method}; critical value {told}"]
        return "share of numbers up to a point", head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw each share with its interval, and between them what the band leaves open.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        (dots,) = ax.plot(self.at, self.value, "o", markersize=5)
        colour = dots.get_color()
        if self.together:
            low, high = self.lower[:-1], self.upper[1:]
            for start, end, below, above in zip(self.at[:-1], self.at[1:], low, high, strict=True):
                ax.fill_between([start, end], below, above, color=colour, alpha=0.25, linewidth=0)
        ax.vlines(self.at, self.lower, self.upper, color=colour, linewidth=2)
        ax.set_ylim(0, 1)
        ax.set_ylabel("share up to here")
        return ax
