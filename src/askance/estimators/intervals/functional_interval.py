"""An average over a distribution known from ranges, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.listing import Listing, counted, listed, number
from askance.channels.ranges import Ranges
from askance.channels.readonly import json_of
from askance.errors import InputError
from askance.estimators.bounds.functional import Average, functional_bounds
from askance.estimators.intervals.efficient import efficient_error
from askance.estimators.ranges.npmle import npmle
from askance.estimators.shares.uncertainty import normal_quantile
from askance.typing import Json


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
        ``low − z se`` and ``high + z se``.
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
    z, fit = normal_quantile(level), npmle(ranges, support)
    line = (-np.inf, np.inf) if support is None else support
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        outer = [float(phi(np.float64(end))) for end in line]
    if not np.isfinite(outer).all():
        raise InputError(
            "functional_interval.phi",
            got=f"{outer[0]} and {outer[1]} at the ends {line[0]} and {line[1]}",
            allowed="finite values",
            remedy="declare the support",
        )
    low, high = functional_bounds(fit, phi, support, turns)
    se = efficient_error(ranges, fit, phi, line)
    return FunctionalInterval(
        low=low,
        high=high,
        se=se,
        lower=low - z * se,
        upper=high + z * se,
        level=level,
        n=ranges.total,
    )
