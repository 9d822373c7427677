"""Numbers that are counted: what a range, a quantile and a mean say of one that is whole."""

from dataclasses import replace
from typing import overload

import numpy as np

from askance.arguments import checked
from askance.channels.identification import told
from askance.errors import InputError
from askance.inference.intervals.cdf_intervals import QuantileIntervals
from askance.inference.ranges.distribution import Distribution
from askance.typing import Floats

_ROUNDING = 1e-9  # of a number, by which a quantile may miss the value that it is


@overload
def integer_valued(found: Distribution) -> Distribution: ...
@overload
def integer_valued(found: QuantileIntervals) -> QuantileIntervals: ...
@checked
def integer_valued(
    found: Distribution | QuantileIntervals,
) -> Distribution | QuantileIntervals:
    r"""Restrict a distribution, or quantiles, known from ranges to integers: a lattice variable.

    An integer is in :math:`(a, b]` if and only if it is one of :math:`\lfloor a \rfloor + 1, …,
    \lfloor b \rfloor`. So the likelihood is what it is, masses and F at the integers stay, and each
    mass, or end, moves to the integers of its interval. Where an interval holds one alone the mass
    is on it: the mean, quantiles and F are then points, where those of any number are known up to
    the interval.

    Parameters
    ----------
    found : Distribution or QuantileIntervals
        Of ranges such as `npmle` and `quantile_intervals` take. `cdf_intervals` at an integer say
        of an integer what they say of any number.

    Returns
    -------
    Distribution or QuantileIntervals
        As was given. Lower ends of a distribution are held as the double below their integer, as
        for a number that was told exactly; those of quantiles are the integer itself.

    Raises
    ------
    InputError
        If an interval with mass holds no integer: then the number takes other values too.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> cups = npmle(Ranges([-1, 1, 2], [1, 2, 4], weights=[30, 50, 20]))
    >>> [round(end, 9) for end in cups.mean_bounds()], cups.quantile(0.5)
    ([0.6, 2.1], (1.0, 2.0))
    >>> whole = integer_valued(cups)  # 0 or 1, 2, and 3 or 4
    >>> [round(end, 9) for end in whole.mean_bounds()], whole.quantile(0.5)
    ([1.6, 2.1], (2.0, 2.0))
    """
    if isinstance(found, QuantileIntervals):
        low, high = _least(found.low), np.floor(found.high)
        lower, upper = _least(found.lower), np.floor(found.upper)
        return replace(found, low=low, high=high, lower=lower, upper=upper)
    least, most = _least(found.lower), np.floor(found.upper)
    empty = np.flatnonzero(least > most)
    if len(empty):
        at = int(empty[0])
        piece = float(found.lower[at]), float(found.upper[at])
        raise InputError(
            "integer_valued",
            got=f"{told(piece)}, which has mass and holds no whole number",
            allowed="ranges of whole numbers",
            remedy="count in a smaller unit, or use the distribution as it is",
        )
    return replace(found, lower=np.nextafter(least, -np.inf), upper=most)


def _least(lower: Floats) -> Floats:
    """The least integer above each lower end; −∞ stays."""
    least: Floats = np.floor(lower) + 1
    return least


def at_values(low: float, high: float) -> tuple[float, float]:
    """Move bounds of a mean, read off a line of whole numbers, to its values; one where they meet.

    >>> at_values(2.25, 3.25), at_values(2.25, 4)
    ((3.25, 3.25), (3.25, 4))
    """
    return (high if high - low < 1 + _ROUNDING else low + 1), high


def values_of(
    quantiles: dict[float, tuple[float, float, float]],
) -> dict[float, tuple[float, float, float]]:
    """Move quantiles of ``(low, high]``, read off a line of whole numbers, to its values; never −0.

    >>> values_of({0.5: (1.0, 1.4, 3.0)})
    {0.5: (2.0, 2.0, 3.0)}
    """
    return {
        share: (low + 1, float(np.ceil(middle - _ROUNDING)) + 0.0, high)
        for share, (low, middle, high) in quantiles.items()
    }
