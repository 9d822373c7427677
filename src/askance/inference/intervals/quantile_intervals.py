"""Quantiles of a number of which only ranges were seen, each with an interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.identification import InclusionProbability, told
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.inference.intervals.cdf_intervals import critical_value, critical_values, law
from askance.inference.intervals.held_share import HeldShare, closely, tolerance
from askance.inference.intervals.local_rise import cut_ends, inner_ends
from askance.inference.ranges.npmle import npmle
from askance.results import Listing, counted, json_of, keep_read_only, listed, number, numbers
from askance.typing import Floats, Integers, Json

_BEYOND = 2.0  # of the way that is left on a straight line
_LITTLE = 0.1  # of what a fit says of its own end
_LEAST_REST = 0.1  # of the way behind, that is gone at least
_STRIDE = 0.5  # of the ends to the power 2/3: about as far as a quantile errs


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class QuantileIntervals:
    """Quantiles with confidence intervals, each known up to an interval of the fit.

    Attributes
    ----------
    share : array, shape (k,)
        The share of the population that each quantile bounds from above, ascending.
    low, high : array, shape (k,)
        The most likely quantile lies in ``(low, high]``; where in it the ranges do not say.
    lower, upper : array, shape (k,)
        Ends of the interval of each, infinite where the ranges do not bound it; the level is that
        of each quantile, not of all together.
    level : float
    n : float
        How many ranges, counting weights.
    method : str

    >>> told = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> quantile_intervals(Ranges.tallied(told), [0.25, 0.5]).upper.tolist()
    [40.0, inf]
    """

    share: Floats
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats
    level: float
    n: float
    method: str

    def __post_init__(self) -> None:
        keep_read_only(self, "share low high lower upper")

    def to_dict(self) -> Json:
        """Write the quantiles for JSON; None is an end that is infinite."""
        return json_of(self)

    def _table(self) -> Listing:
        head = ["share", "number", f"{100 * self.level:g} % from", "to"]
        columns = (self.share, self.low, self.high, self.lower, self.upper)
        rows = [
            [number(share), told((low, high)), number(lower), number(upper)]
            for share, low, high, lower, upper in zip(*columns, strict=True)
        ]
        return "quantiles", head, rows, [f"{counted(self.n, 'range')}; {self.method}"]


@checked
def quantile_intervals(
    ranges: Ranges,
    shares: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 0.9),
    level: float = 0.95,
    *,
    inclusion: InclusionProbability | None = None,
) -> QuantileIntervals:
    """Quantiles of interval-censored numbers, with profile-likelihood confidence intervals.

    A quantile may lie wherever `cdf_intervals` lets the cumulative share cross its share: after the
    last end of a range up to which the share is too small, to the first up to which it is reached.

    Parameters
    ----------
    ranges : Ranges
        Of any shape that `cdf_intervals` takes.
    shares : sequence of float
        Each strictly between 0 and 1.
    level : float
        In [0.5, 0.999].
    inclusion : InclusionProbability, optional
        How likely each number was to be heard of at all, as in `npmle`.

    Raises
    ------
    InputError
        If a share is not strictly between 0 and 1, or `cdf_intervals` refuses the ranges.

    References
    ----------
    Banerjee & Wellner (2001), whose intervals for the cumulative share are turned round.

    >>> cuts = np.repeat([10, 20, 30, 40, 50], 40)
    >>> below = np.arange(200) % 40 < cuts * 2 / 3  # numbers spread evenly up to 60
    >>> ranges = Ranges(np.where(below, -np.inf, cuts), np.where(below, cuts, np.inf))
    >>> found = quantile_intervals(ranges, [0.25, 0.5, 0.9])
    >>> found.low.tolist(), found.high.tolist()
    ([10.0, 20.0, 50.0], [20.0, 30.0, inf])
    >>> found.lower.tolist(), found.upper.tolist()
    ([-inf, 10.0, 40.0], [30.0, 40.0, inf])
    """
    share = np.unique(numbers(shares, "quantile_intervals.shares"))
    if not share.size or not np.all((share > 0) & (share < 1)):
        raise InputError(
            "quantile_intervals.shares", got=shares, allowed="shares strictly between 0 and 1"
        )
    ends = cut_ends(ranges)
    if not len(ends):
        raise InputError("Ranges", got="no end", allowed="at least one range with a finite end")
    critical_value(level, 0)
    fit = npmle(ranges, inclusion=inclusion)
    close = fit.gap <= tolerance(ranges.total)
    near = fit if close else closely(ranges, ranges.total, inclusion)
    held = HeldShare(ranges=ranges, fit=near, inclusion=inclusion)
    lower, upper, method = _crossings(held, ends, share, level)
    middle = np.array([fit.quantile(one) for one in share.tolist()])
    edge = np.concatenate([[-np.inf], ends, [np.inf]])
    return QuantileIntervals(
        share=share,
        low=middle[:, 0],
        high=middle[:, 1],
        lower=np.minimum(edge[lower], middle[:, 0]),
        upper=np.maximum(edge[upper], middle[:, 1]),
        level=level,
        n=ranges.total,
        method=method,
    )


def _crossings(
    held: HeldShare, ends: Floats, share: Floats, level: float
) -> tuple[Integers, Integers, str]:
    """Find the last end that is surely too low, and the first that is surely reached.

    Ends count from 1; 0 is none below and one more than there are is none above.
    """
    upto = held.fit.cdf_bounds(ends)[0]
    critical = critical_values(held.ranges, held.fit, ends, level)
    low, high = np.searchsorted(ends, inner_ends(held.ranges)) + 1

    def reached(end: int, goal: float, *, surely: bool) -> tuple[float, int, int]:
        asked, sign = end, 1 if surely else -1
        end = int(min(end, high) if surely else max(end, low))  # as `cdf_intervals` does
        if (upto[end - 1] >= goal) != surely:  # on the share's other side no fit is needed
            return -float(sign), asked, asked
        limit = float(critical[end - 1])
        excess, fit = held.excess(float(ends[end - 1]), goal, limit, up=not surely)
        first, last = end, end
        if fit is not None and fit.levels[0] <= end <= fit.levels[1]:
            first, last = _alike(excess, end, fit.levels, critical)
        return sign * excess, min(first, asked), max(last, asked)

    stride = max(round(_STRIDE * len(ends) ** (2 / 3)), 1)

    def crossed(goal: float, *, surely: bool) -> int:
        held.last.clear()  # the other shares asked for leave no trace
        return _last(
            partial(reached, goal=goal, surely=surely), upto, goal, stride if surely else -stride
        )

    last = [crossed(one, surely=False) for one in share.tolist()]
    first = [crossed(one, surely=True) for one in share.tolist()]
    told = np.clip(last + first, 0, len(ends) - 1)
    return np.array(last), np.array(first) + 1, law(held.ranges, critical[told], level)


def _alike(excess: float, end: int, levels: tuple[int, int], critical: Floats) -> tuple[int, int]:
    """Tell from which end to which a fit that serves all says the same, by each one's own value.

    Where some say otherwise, or so little that it may not be precise enough, each is asked.
    """
    start, stop = max(levels[0], 1), min(levels[1], len(critical))
    others = (excess + 1) * np.sqrt(critical[end - 1] / critical[start - 1 : stop]) - 1
    alike = (others * np.sign(excess) > _LITTLE * abs(excess)).all()
    return (start, stop) if alike else (end, end)


def _last(
    reached: Callable[[int], tuple[float, int, int]], upto: Floats, goal: float, stride: int
) -> int:
    """The last end, from 1, that is not reached: by strides, then by chords.

    Not to be reached is a number up to 0, which other ends nearby may share. On the side of the
    estimate that the stride leaves, ends need not be asked.
    """
    none, start = len(upto) + 1, int(np.searchsorted(upto, goal)) + 1
    before = (start - 1 if stride > 0 else 0, -1.0)
    after = (start if stride < 0 else none, 1.0)
    end, again = start + stride, 0
    while after[0] - before[0] > 1:
        if not before[0] < end < after[0]:
            end = (before[0] + after[0]) // 2
        value, first, last = reached(end)
        again = max(again, 0) + 1 if value > 0 else min(again, 0) - 1
        before, after = (before, (first, value)) if value > 0 else ((last, value), after)
        if before[0] > 0 and after[0] < none:
            end = _chord(before, after, again)
        else:
            end = (last if stride > 0 else first) + _further(end - start, value)
    return before[0]


def _further(far: int, value: float) -> int:
    """Go on to beyond where a straight line from the estimate is 0, at most twice as far."""
    rest = float(np.clip(_BEYOND * abs(value) / max(1 - abs(value), 0.1), _LEAST_REST, 1.0))
    return round(rest * far) or int(np.sign(far))


def _chord(before: tuple[int, float], after: tuple[int, float], again: int) -> int:
    """Go where a straight line is 0, and further the more often one side has moved in a row."""
    (low, short), (high, over) = before, after
    if over - short == 2:  # no more than the sides is known
        return (low + high) // 2
    place = low + short / (short - over) * (high - low)
    if again > 1:
        place = high - (high - place) * 2 ** (again - 1) - 1
    elif again < -1:
        place = low + (place - low) * 2 ** (-again - 1) + 1
    return int(np.clip(round(place), low + 1, high - 1))
