"""An average over a distribution known from ranges, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Ranges, single_numbers
from askance.errors import InputError
from askance.estimators.bounds import Average, functional_bounds
from askance.estimators.intervals.efficient import efficient_error
from askance.estimators.intervals.local_rise import cut_ends, inner_ends
from askance.estimators.ranges.npmle import npmle
from askance.estimators.shares.share_intervals import normal_quantile
from askance.results import Listing, counted, function_values, json_of, listed, number, numbers
from askance.typing import Booleans, Floats, Json

_SMALL = 0.1  # of the error: a change that hardly shows in how often the interval covers


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FunctionalInterval:
    """An estimated average, between two bounds, with its standard error and interval.

    Attributes
    ----------
    low, high : float
        The estimate if all mass were where φ is lowest, or highest, in its interval.
    se : float
        Standard error of either.
    lower, upper : float
        ``low − z se`` and ``high + z se``; further out where people may lie beyond all cuts.
    level : float
    n : float
        How many ranges, counting weights.

    >>> functional_interval(Ranges([0, 2], [2, 4], weights=[40, 60]), lambda y: y, (0, 4))
    average over what ranges hold
             low  high       se  95 % from     to
    average  1.2   3.2  0.09847      1.007  3.393
    100 ranges
    """

    low: float
    high: float
    se: float
    lower: float
    upper: float
    level: float
    n: float

    def to_dict(self) -> Json:
        """Write the estimate for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        head = ["", "low", "high", "se", f"{100 * self.level:g} % from", "to"]
        told = (self.low, self.high, self.se, self.lower, self.upper)
        rows = [["average", *(number(one) for one in told)]]
        return "average over what ranges hold", head, rows, [counted(self.n, "range")]


@checked
def functional_interval(
    ranges: Ranges,
    phi: Average,
    support: tuple[float, float] | None = None,
    level: float = 0.95,
    *,
    turns: Sequence[float] = (),
) -> FunctionalInterval:
    r"""Estimate the average of a smooth φ from ranges of any shape, with an interval.

    The most likely ∫ φ dF errs with the square root of the number of people though F itself does
    not, and as little as any regular estimate can (Groeneboom & Wellner, 1992; Geskus & Groeneboom,
    1999, for two cuts a person). Its variance is estimated from the ranges, by the worst direction
    in which F could be wrong. Where mass may lie inside its interval widens the result beside that,
    and so do shares that can be traded for one another.

    People beyond all cuts are known only to be there, or, of rings, on one side or the other, and
    the average is learnt only up to what φ does there. How many they are the most likely F does not
    tell, however many are asked: where the one person with the highest cut is below it, F is 1
    there and nobody beyond. So ``low`` and ``high`` can lie too close together. Where that matters,
    the 2√n outermost ends at either side (√n if there are unions, of which most tell two ends) are
    counted as one cut, which so many share, and the interval goes on to where that of the fit to
    them does: it covers all that is left possible.

    For a share up to a point, whose φ jumps, see `cdf_intervals`.

    Parameters
    ----------
    ranges : Ranges
        Of any shape.
    phi : callable
        φ, continuous, rising or falling between any two neighbouring turns; it takes arrays.
    support : (float, float), optional
        Declared bounds of the number. Without them φ is asked for its value at −∞ and ∞.
    level : float
    turns : sequence of float
        Where φ changes from rising to falling or back; all of them.

    Raises
    ------
    InputError
        If there is no range, one reaches beyond the support, φ is not finite at an end of the
        line, or the level is not in (0, 1).

    >>> cuts = np.linspace(0.5, 99.5, 100)
    >>> below = (37 * np.arange(100)) % 100 < cuts  # numbers spread evenly up to 100
    >>> ranges = Ranges(np.where(below, -np.inf, cuts), np.where(below, cuts, np.inf))
    >>> functional_interval(ranges, lambda y: y, (0, 100))
    average over what ranges hold
               low  high     se  95 % from     to
    average  47.55  48.5  3.974      39.76  56.29
    100 ranges
    """
    z, fit, where = normal_quantile(level), npmle(ranges, support), "functional_interval.phi"
    turns = numbers(turns, "functional_interval.turns").ravel().tolist()
    line = (-np.inf, np.inf) if support is None else support
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        outer = function_values(phi, np.array(line), where).tolist()
    if not np.isfinite(outer).all():
        raise InputError(
            where,
            got=f"{outer[0]} and {outer[1]} at the ends {line[0]} and {line[1]}",
            allowed="finite values",
            remedy="declare the support",
        )
    low, high = functional_bounds(fit, phi, support, turns)
    se = efficient_error(ranges, fit, phi, line)
    lower = -_open_upwards(ranges, lambda y: -function_values(phi, y, where), support, turns, z)
    upper = _open_upwards(ranges, phi, support, turns, z)
    return FunctionalInterval(
        low=low,
        high=high,
        se=se,
        lower=min(low - z * se, lower),
        upper=max(high + z * se, upper),
        level=level,
        n=ranges.total,
    )


def _open_upwards(
    ranges: Ranges,
    phi: Average,
    support: tuple[float, float] | None,
    turns: Sequence[float],
    z: float,
) -> float:
    """Give the interval's upper end with the outer cuts counted as one, where φ goes on to rise.

    −∞ where that is little: beside a tenth of the error it does not matter.
    """
    line, ranges = (-np.inf, np.inf) if support is None else support, ranges[ranges.weights > 0]
    rise = _rise_beyond(ranges, phi, line, turns)
    edges, fewer = _outer_cuts_as_one(ranges, line, rise > 0)
    if fewer is ranges:
        return -np.inf
    fit = npmle(fewer, support)
    error = z * efficient_error(fewer, fit, phi, line)
    beyond = fit.mass @ np.stack([fit.upper <= edges[0], fit.lower >= edges[1]], axis=1)
    matters = float(beyond @ rise) > _SMALL * error
    return functional_bounds(fit, phi, support, turns)[1] + error if matters else -np.inf


def _rise_beyond(
    ranges: Ranges, phi: Average, line: tuple[float, float], turns: Sequence[float]
) -> Floats:
    """Give how far φ rises below the lowest cut, and above the highest.

    Unions may tell of both by one report: then it is by how much φ differs there at all.
    """
    ends = cut_ends(ranges)
    ends = ends[(ends > line[0]) & (ends < line[1])]
    if not len(ends):
        return np.zeros(2)
    outer = []
    for cut, end in ((ends[0], line[0]), (ends[-1], line[1])):
        low, high = sorted((cut, end))
        places = [cut, end, *(turn for turn in turns if low < turn < high)]
        with np.errstate(over="ignore", invalid="ignore"):
            outer.append(function_values(phi, np.array(places), "functional_interval.phi"))
    if ranges.plain:
        return np.array([one.max() - one[0] for one in outer])
    return np.full(2, np.ptp(np.concatenate(outer)))


def _outer_cuts_as_one(
    ranges: Ranges, line: tuple[float, float], sides: Booleans
) -> tuple[tuple[float, float], Ranges]:
    """Move the outermost ends at chosen sides to the innermost of them.

    A range with both ends beyond that place becomes the place itself, from inside. Exact numbers
    stay. Gives the two places too.
    """
    low, high = inner_ends(ranges, line)
    low, high = low if sides[0] else -np.inf, high if sides[1] else np.inf
    ends = np.stack([ranges.lower, ranges.upper])
    cut = (ends > line[0]) & (ends < line[1]) & ~single_numbers(ranges.lower, ranges.upper)
    lower, upper = np.where(cut, ends.clip(low, high), ends)
    if np.array_equal(np.stack([lower, upper]), ends):
        return line, ranges
    empty = lower == upper
    upper[empty & (lower == low)] = np.nextafter(low, np.inf)
    lower[empty & (upper == high)] = np.nextafter(high, -np.inf)
    return (low, high), Ranges(lower, upper, ranges.weights, pieces=np.diff(ranges.starts))
