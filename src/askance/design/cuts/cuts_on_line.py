"""Independent cuts on the ticks of a line with a promised coverage."""

import math
from typing import Any

import numpy as np
from scipy.special import betainc

from askance.arguments import no_less, no_more
from askance.channels.range_channel import RangeChannel
from askance.channels.tick_weights import UNITS, step_sizes
from askance.design.cuts.reach import ROUND_OFF, reach
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.floored import cut_count
from askance.privacy.coverage import line_coverage
from askance.typing import Floats

_WIDEST, _NARROWEST = math.log(1e-3), math.log(1e4)  # shapes of the Beta law, as logarithms
_HALVINGS = 40  # beyond, no weight changes


def cuts_on_line(
    line: Line, coverage: object, prior: Any = "even", number: int = 1
) -> tuple[int, ...]:
    r"""Find weights of the ticks with which cuts have at least a coverage, and hardly more.

    As `cuts_with_coverage` does where answers are continuous: cuts at the Beta(a, a) quantiles of
    the answers, each at the nearest tick. The least spread that keeps the promise is found on the
    line itself, with the whole weights that are deployed.

    Parameters
    ----------
    line : Line
    coverage : number
        τ, under the prior.
    prior : "even", distribution, callable, or sequence of number, one for each step
    number : int
        How many cuts are drawn.

    Returns
    -------
    tuple of int
        One weight for each inner tick.

    Raises
    ------
    InputError
        If no such cuts have this coverage, the message saying which they can have; or `number` is
        not in [1, 16].

    References
    ----------
    Ding & Ding (2022), Theorem 1, made constructive.

    >>> line = Line(0, 40, 1)
    >>> found = RangeChannel(line, cuts_on_line(line, "3/5"))
    >>> round(float(line_coverage([found]).value), 4)
    0.6
    """
    tau, count = ratio(coverage, "Cuts.coverage"), cut_count(number, "Cuts.number")
    sizes = step_sizes(line, prior, "Cuts.prior")
    p = np.array(sizes, dtype=float) / sum(sizes)

    def held(log: float) -> float:
        channel = RangeChannel(line, _weights(p, math.exp(log)), count)
        return float(line_coverage([channel], p).value)

    grid = np.linspace(_WIDEST, _NARROWEST, 24)
    found = np.array([held(float(log)) for log in grid])
    tightest = int(np.argmin(found))
    found = found[: tightest + 1]
    least, most = reach(found)
    if not least <= tau <= found.max() + ROUND_OFF:
        raise InputError(
            "Cuts.coverage",
            got=str(coverage),
            allowed=f"a coverage from {no_less(least)} to {no_more(most)} for "
            f"{count} cut{'s' * (count > 1)} on this line",
            remedy="for less draw more cuts, for more take a smaller step",
        )
    low = int(np.flatnonzero(found >= float(tau) - ROUND_OFF)[-1])
    wide, tight = float(grid[low]), float(grid[min(low + 1, tightest)])
    for _ in range(_HALVINGS):
        middle = (wide + tight) / 2
        wide, tight = (middle, tight) if held(middle) >= tau else (wide, middle)
    return _weights(p, math.exp(wide))


def _weights(p: Floats, shape: float) -> tuple[int, ...]:
    """Give each inner tick the Beta chance of the answers nearer to it than to another."""
    upto = np.cumsum(p)
    between = betainc(shape, shape, np.clip(upto[1:-1] - p[1:-1] / 2, 0, 1))
    edges = np.rint(np.concatenate([[0.0], between, [1.0]]) * UNITS).astype(np.int64)
    return tuple(np.diff(edges).tolist())
