"""Shares up to a point, each with an interval of its own."""

from dataclasses import dataclass
from typing import Any, final

from askance.channels.canvas import axes
from askance.channels.listing import html_listing, listing, number
from askance.channels.readonly import plain_json, read_only
from askance.typing import Floats, Json


@final
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
        Ends of the interval of each; the level is that of each point, not of all together.
    level : float
    critical : float
        How large twice the fall of the log-likelihood may be.
    n : float
        How many ranges, counting weights.
    method : str

    >>> import numpy as np
    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.cdf_intervals import cdf_intervals
    >>> told = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> cdf_intervals(Ranges.tallied(told), [20, 30, 40])
    share of numbers up to a point
    up to  share  95 % from      to
    20       0.3      0.216  0.3941
    30       0.3      0.216  0.6453
    40      0.55     0.4522  0.6453
    200 ranges; likelihood ratio, cuts on a grid; critical value 3.841
    """

    at: Floats
    value: Floats
    lower: Floats
    upper: Floats
    level: float
    critical: float
    n: float
    method: str

    def __post_init__(self) -> None:
        for name in ("at", "value", "lower", "upper"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def to_dict(self) -> Json:
        """Write the intervals for JSON."""
        names = ("at", "value", "lower", "upper", "level", "critical", "n", "method")
        written: Json = plain_json({name: getattr(self, name) for name in names})
        return written

    def __repr__(self) -> str:
        return listing(*self._table())

    def _repr_html_(self) -> str:
        return html_listing(*self._table())

    def _table(self) -> tuple[str, list[str], list[list[str]], list[str]]:
        head = ["up to", "share", f"{100 * self.level:g} % from", "to"]
        columns = (self.at, self.value, self.lower, self.upper)
        rows = [[number(float(one)) for one in row] for row in zip(*columns, strict=True)]
        notes = [f"{self.n:,.0f} ranges; {self.method}; critical value {self.critical:.4g}"]
        return "share of numbers up to a point", head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw each share with its interval.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        ax.vlines(self.at, self.lower, self.upper, linewidth=2)
        ax.plot(self.at, self.value, "o", markersize=5)
        ax.set_ylim(0, 1)
        ax.set_ylabel("share up to here")
        return ax
