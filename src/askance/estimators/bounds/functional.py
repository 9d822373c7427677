"""What a distribution known only up to intervals says of a mean, a moment, any average."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.errors import InputError
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.ranges.trades import extremes
from askance.results import function_values, numbers
from askance.typing import Floats

Average = Callable[[Any], Any]
"""A number that depends on the answer, written so that it takes arrays."""


@checked
def functional_bounds(
    fit: Distribution,
    phi: Average,
    support: tuple[float, float] | None = None,
    turns: Sequence[float] = (),
) -> tuple[float, float]:
    r"""Bound the average of any φ over a distribution that is known only up to intervals.

    .. math:: \sum_j m_j \inf_{(l_j, r_j]} \varphi \le \int \varphi\,dF
              \le \sum_j m_j \sup_{(l_j, r_j]} \varphi

    Both bounds are attained, or approached, by distributions that are equally likely.

    Parameters
    ----------
    fit : Distribution
        Masses m_j on the intervals ``(l_j, r_j]``.
    phi : callable
        φ, continuous, rising or falling between any two neighbouring turns; it takes arrays.
    support : (float, float), optional
        Declared bounds of the number; they cut the intervals. Without them φ is asked for its value
        at −∞ and ∞, which may be infinite.
    turns : sequence of float
        Where φ changes from rising to falling or back; all of them.

    Returns
    -------
    low, high : float

    Raises
    ------
    InputError
        If φ has no value at an end, or mass lies outside the support.

    References
    ----------
    The intervals are those of Turnbull (1976); that mass may lie anywhere inside them is why there
    are two figures.

    >>> from askance.estimators.ranges.npmle import npmle
    >>> from askance.channels.ranges import Ranges
    >>> fit = npmle(Ranges([0, 2], [2, 4], weights=[1, 3]))
    >>> functional_bounds(fit, lambda y: y)  # 3/4 · 2 and 1/4 · 2 + 3/4 · 4
    (1.5, 3.5)
    >>> functional_bounds(fit, lambda y: (y - 1) ** 2, turns=[1])  # 3/4 · 1 and 1/4 · 1 + 3/4 · 9
    (0.75, 7.0)
    """
    return extremes(fit.mass, fit.trades, *end_values(fit, phi, support, turns))


def end_values(
    fit: Distribution,
    phi: Average,
    support: tuple[float, float] | None,
    turns: Sequence[float] = (),
) -> tuple[Floats, Floats]:
    """Give the least and the largest φ inside each interval."""
    lower, upper = inside(fit, support)
    between = numbers(turns, "turns").ravel().tolist()
    points: list[Floats] = [lower, upper, *(np.clip(turn, lower, upper) for turn in between)]
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.array([function_values(phi, one, "functional_bounds.phi") for one in points])
    bad = np.isnan(values).any(axis=0)
    if bad.any():
        at = int(np.argmax(bad))
        raise InputError(
            "functional_bounds.phi",
            got=f"no value on ({lower[at]}, {upper[at]}]",
            allowed="a number at both ends of every interval with mass",
            remedy="declare the support",
        )
    return values.min(axis=0), values.max(axis=0)


@checked
def moment_bounds(
    fit: Distribution,
    order: int,
    support: tuple[float, float] | None = None,
    about: float = 0.0,
) -> tuple[float, float]:
    """Bound the average of (Y − about)^order over a distribution known only up to intervals.

    Parameters
    ----------
    fit : Distribution
    order : int
        1 for the mean, 2 for the mean square, and so on.
    support : (float, float), optional
        Declared bounds of the number; without them a mass on an unbounded interval makes a bound
        infinite.
    about : float

    Returns
    -------
    low, high : float

    Raises
    ------
    InputError
        If the order is not a positive integer, or mass lies outside the support.

    >>> from askance.estimators.ranges.npmle import npmle
    >>> from askance.channels.ranges import Ranges
    >>> fit = npmle(Ranges([-np.inf, 1], [1, np.inf], weights=[1, 3]))
    >>> moment_bounds(fit, 2), moment_bounds(fit, 2, support=(0, 2))
    ((0.75, inf), (0.75, 3.25))
    """
    if order < 1 or order != int(order):
        raise InputError("moment_bounds.order", got=order, allowed="an integer in [1, ∞)")
    turns = () if order % 2 else (about,)
    return functional_bounds(fit, lambda y: (y - about) ** int(order), support, turns)


def inside(fit: Distribution, support: tuple[float, float] | None) -> tuple[Floats, Floats]:
    """Cut the intervals of a fit to a support; its lower end is inside, for exact numbers there."""
    low, high = (-np.inf, np.inf) if support is None else support
    upper = np.minimum(fit.upper, high)
    if not low < high or np.any(fit.lower >= high) or np.any(upper < low):
        raise InputError(
            "support",
            got=support,
            allowed="(low, high) that cuts no interval with mass away",
        )
    return np.minimum(np.maximum(fit.lower, low), upper), upper
