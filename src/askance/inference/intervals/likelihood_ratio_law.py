"""How large a likelihood ratio may be at a share that is true, and the intervals that come of it.

Between the law of 𝔻, where cuts hardly ever tie, and χ², where many people share each cut.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, final

import numpy as np

from askance.channels.ranges import Ranges
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.intervals.ratio_quantiles import critical_value
from askance.inference.ranges.distribution import Distribution, rises
from askance.inference.ranges.support import OrderedEnds, several_ends, some_exact
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

_ONE_END = (0.0, 1.0), (0.0, 1.0)
_SEVERAL_ENDS = (0.0, 0.2, 1.0), (0.2, 0.7, 7 / 6)
"""By how far the law is on the way from 𝔻 to χ² of one end each: how far it is of such ranges."""

_FINE, _COARSE = 0.1, 0.9  # of that way: where a grid is told of as none, or as coarse


@final
class Ties(Enum):
    """How many people share a cut, which decides on the law of the likelihood ratio."""

    HARDLY = "hardly shared"
    PARTLY = "partly shared"
    GRID = "on a grid"
    EXACT = "some numbers exact"


LEAST_RATIO, MOST_HELD = 1.3, 0.87
"""Of 95 % intervals, one cut a person, hardly shared: those that hold whatever F is are at least so
many times as wide where F is smooth as those for a smooth F, and none that is as narrow as these
holds more often than so at every F. ``benchmarks/npmle/heaped.py --bound`` prints both."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """For which distributions intervals hold their level, and what that must cost.

    Attributes
    ----------
    smooth : bool
        Whether they hold only where F has a positive density, or for any F.
    ties : Ties
    least_ratio : float
        How many times as wide as for a smooth F 95 % intervals that hold for any F must be where it
        is smooth, after Pratt (1961); 1 where no bound is known.
    most_held : float
        How often 95 % intervals that are as narrow as those for a smooth F hold at most at some F;
        1 where no bound is known.
    """

    smooth: bool
    ties: Ties
    least_ratio: float
    most_held: float

    @classmethod
    def of(cls, ranges: Ranges, critical: Floats, level: float, *, smooth: bool) -> "Scope":
        """Classify ties by how far critical values for a smooth F are from 𝔻 to χ²."""
        ties = ties_of(ranges, critical, level)
        bounded = ties is Ties.HARDLY and not several_ends(ranges)
        least, most = (LEAST_RATIO, MOST_HELD) if bounded else (1.0, 1.0)
        return cls(smooth=smooth, ties=ties, least_ratio=least, most_held=most)

    def to_dict(self) -> Json:
        """Write it for JSON."""
        return json_of(self) | {"ties": self.ties.value}

    def __str__(self) -> str:
        if self.ties is Ties.EXACT:
            return "F is taken to be learnt mainly from exact numbers"
        if not self.smooth:
            cost = f": at 95 % at least {self.least_ratio:g} times as wide as for a smooth one"
            return "for any F" + cost * (self.least_ratio > 1)
        coverage = f": beside some steps 95 % intervals so narrow hold {self.most_held:g} at most"
        return "only where F has a density" + coverage * (self.most_held < 1)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PointIntervals:
    """Pointwise confidence intervals of a distribution function.

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
    critical : array, shape (2, k)
        How large the squared deviate is at the lower end of each, and at the upper one: twice the
        fall of the log-likelihood, where many tell of a share.
    n : float
        How many ranges, counting weights.
    method : str
        Which law the critical values come from, and for what kind of data.
    together : bool
        Whether the level is that all intervals hold at once.
    scope : Scope
        For which distributions they hold their level, and what that must cost.

    >>> import numpy as np
    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.intervals.cdf_intervals import cdf_intervals
    >>> counts = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> cdf_intervals(Ranges.tallied(counts), [20, 30, 40])
    share of numbers up to a point
    up to  share  95 % from      to
    20       0.3     0.2163  0.3951
    30       0.3     0.2163  0.6454
    40      0.55     0.4517  0.6454
    200 ranges; likelihood ratio, cuts on a grid; critical value 3.841
    for any F
    """

    at: Floats
    value: Floats
    lower: Floats
    upper: Floats
    level: float
    critical: Floats
    n: float
    method: str
    scope: Scope
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

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the intervals for JSON."""
        return json_of(self) | {"scope": self.scope.to_dict()}

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} %" + " together" * self.together
        head = ["up to", "share", f"{level} from", "to"]
        columns = (self.at, self.value, self.lower, self.upper)
        rows = [[number(float(value)) for value in row] for row in zip(*columns, strict=True)]
        falls = sorted({f"{fall:.4g}" for fall in self.critical.ravel()}, key=float)
        critical = falls[0] if len(falls) == 1 else f"{falls[0]} to {falls[-1]}"
        note = f"{counted(self.n, 'range')}; {self.method}; critical value {critical}"
        notes = [note, str(self.scope)]
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


def point_intervals(
    cuts: OrderedEnds,
    fit: Distribution,
    points: Floats,
    ends: tuple[Floats, Floats],
    critical: tuple[Floats, Floats],
    level: float,
    *,
    smooth: bool = False,
) -> PointIntervals:
    """Assemble the intervals at some points, with the most likely shares.

    The critical values are those of the law where F rises alike on both sides, which is told, and
    those at the ends.
    """
    return PointIntervals(
        at=points,
        value=np.append(0.0, np.cumsum(fit.mass))[np.searchsorted(fit.upper, points, side="right")],
        lower=ends[0],
        upper=ends[1],
        level=level,
        critical=critical[1],
        n=cuts.ranges.total,
        method=law(cuts.ranges, critical[0], level),
        scope=Scope.of(cuts.ranges, critical[0], level, smooth=smooth),
    )


def critical_values(
    cuts: OrderedEnds,
    fit: Distribution,
    points: Floats,
    level: float,
    effects: Floats | None = None,
) -> Floats:
    """Say how large a squared deviate may be at each point, of design effects there."""
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    if some_exact(cuts.ranges):
        return np.full(len(points), furthest)
    rise = rises(cuts, fit, points) / (1.0 if effects is None else np.sqrt(effects))
    fraction = np.interp(fraction_to_chi_square(rise), *_fractions(cuts.ranges))
    critical: Floats = nearest + fraction * (furthest - nearest)
    return critical


def _fractions(ranges: Ranges) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return _SEVERAL_ENDS if several_ends(ranges) else _ONE_END


def ties_of(ranges: Ranges, critical: Floats, level: float) -> Ties:
    """Say how many people share a cut, by critical values for an F that rises evenly."""
    if some_exact(ranges):
        return Ties.EXACT
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    one_end, several = _fractions(ranges)
    fraction = np.interp((critical - nearest) / (furthest - nearest), several, one_end)
    shared = Ties.HARDLY if fraction.max() < _FINE else Ties.PARTLY
    return Ties.GRID if fraction.min() > _COARSE else shared


def law(ranges: Ranges, critical: Floats, level: float) -> str:
    """Say by which law squared deviates may be so large."""
    ties = ties_of(ranges, critical, level)
    if ties is Ties.EXACT:
        return f"likelihood ratio, {ties.value}"
    cuts = "several cuts each," if several_ends(ranges) else "cuts"
    return f"likelihood ratio, {cuts} {ties.value}"


_RISES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
_CHI_SQUARE_FRACTIONS = (0.0, 0.05, 0.08, 0.13, 0.21, 0.28, 0.41, 0.51, 0.61, 0.72, 0.87, 0.97, 1.0)
"""How far the 0.95 quantile lies on the way from 𝔻 to χ², from
``papers/tang-banerjee-kosorok-2012/limit.py``: 200,000 paths; at 0.8 and 0.99 within 0.06."""


def fraction_to_chi_square(rise: Floats) -> Floats:
    """Say how far the law of the ratio is from that of 𝔻, at 0, to χ², at 1.

    Parameters
    ----------
    rise : array
        How much F rises from one cut to the next, in standard errors of the share up to a cut that
        only those asked there tell.

    >>> fraction_to_chi_square(np.array([0.0, 1, 9])).tolist()
    [0.0, 0.61, 1.0]
    """
    fraction: Floats = np.interp(rise, _RISES, _CHI_SQUARE_FRACTIONS)
    return fraction
