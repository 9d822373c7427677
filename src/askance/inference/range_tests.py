"""Tests that reported ranges follow the published law of their cuts.

Each is exact or conservative, whoever the people are.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
import numpy.typing as npt

from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    inclusion_by_step,
    narrowed_chances,
    range_written,
    within,
)
from askance.inference.fit_result import (
    FitClaim,
    FitTest,
    GoodnessOfFit,
    Untested,
)
from askance.inference.frequency_tests import ReportEvent, worst_event
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked

_ROUNDING = 1e-9  # of a chance
_CLOSE = 1e-12  # of the gap per report
_TICKS = 24  # ends whose frequency is tested
_WIDTHS = 12  # widths whose frequency is tested


@checked
def range_fit(
    channel: AbstractRangeChannel, cells: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[FitTest, ...]:
    """Test that reported ranges follow the published law of their cuts.

    Given the answer y, a set of ranges has a chance that the law gives, between its least and its
    largest over all y, so its count is between two binomial ones. Three families, each by
    Bonferroni: no range comes more often than its cuts are drawn; the ends fall as cuts do; ranges
    are as wide as the law makes them. What is withheld does not count.

    Parameters
    ----------
    channel : RangeChannel or RingChannel
    cells : array_like of int, shape (c, 2)
        Distinct, as reports carry them: ticks ``(low, high]``; a ring's outside where low > high.
    counts : array_like, shape (c,)

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> [test.p_value < 1e-9 for test in range_fit(channel, [[0, 2], [3, 4]], [20, 400])]
    [True, True, True]
    """
    ends, law = channel.cells()
    ranges = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
    observed = np.asarray(counts, dtype=float)
    if not observed.sum():
        return ()
    rows = _ConditionalChances(channel, ends, law)
    families = (
        (FitClaim.RANGE, _range_events(channel, rows, ranges, observed)),
        (FitClaim.END, _end_events(channel, rows, ranges, observed)),
        (FitClaim.WIDTH, _width_events(channel, rows, ranges, observed)),
    )
    n = float(observed.sum())
    return tuple(worst_event(claim, events, n, many) for claim, (events, many) in families)


@checked
def stopped_fit(
    channel: RangeChannel, cells: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[FitTest, ...]:
    """Test ranges that people narrowed step by step and stopped where they liked.

    When they stop may depend on their answer and on all that they saw. But a range that is sent was
    passed through, which has at most the chances of being the range after 1, 2, … steps together;
    and steps only make it narrower, so that narrow ranges come at most as often as from people who
    take every step. Each test is conservative, whoever stops when.

    Parameters
    ----------
    channel : RangeChannel
        Of people who never stop; nothing is withheld.
    cells : array_like of int, shape (c, 2)
        Distinct, as reports carry them; the whole line from who took no step.
    counts : array_like, shape (c,)

    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], 2)
    >>> [test.p_value < 1e-9 for test in stopped_fit(channel, [[0, 4], [3, 4]], [20, 4_000])]
    [True, True]
    >>> [test.p_value for test in stopped_fit(channel, [[0, 4], [3, 4]], [400, 20])]
    [1.0, 1.0]
    """
    ranges = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
    observed = np.asarray(counts, dtype=float)
    if not observed.sum():
        return ()
    steps = range(1, channel.number + 1)
    passed = sum(narrowed_chances(channel.cut_weights, step, channel.floor) for step in steps)
    is_free = np.all(ranges == (0, channel.line.ticks), axis=1) | within(channel.open, ranges)
    events = []
    for (low, high), count, free in zip(ranges.tolist(), observed.tolist(), is_free, strict=True):
        most = 1.0 if free else min(float(np.asarray(passed)[low, high]), 1.0)
        events.append(
            ReportEvent(f"The range {range_written(channel, low, high)}", count, 0.0, most)
        )
    rows = _ConditionalChances(channel, *channel.cells())
    widths = [
        replace(event, least=0.0) for event in _width_events(channel, rows, ranges, observed)[0]
    ]
    families = (
        (FitClaim.PASSED, events, len(rows.ends)),
        (FitClaim.NARROW, widths, 0),
    )
    n = float(observed.sum())
    return tuple(worst_event(claim, family, n, many) for claim, family, many in families)


def cells_fit(
    channel: AbstractRangeChannel, cells: Integers, counts: Floats, *, stopping: bool = False
) -> GoodnessOfFit:
    """Test that ranges follow the published law of their cuts, as one family.

    Parameters
    ----------
    channel : RangeChannel or RingChannel
    cells : array of int, shape (c, 2)
    counts : array, shape (c,)
        Everybody counts once.
    stopping : bool
        Whether people may stop before their range is as narrow as it could be.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> print(*cells_fit(channel, np.array([[0, 2], [3, 4]]), np.array([20, 400])).misfit)
    misfit (p 3e-160): A range of at most 1 step came 400 times where at most 140 are due; ...
    """
    if not counts.sum():
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    if stopping:
        assert isinstance(channel, RangeChannel)
        return GoodnessOfFit(tests=stopped_fit(channel, cells, counts))
    return GoodnessOfFit(tests=range_fit(channel, cells, counts))


@final
@dataclass(frozen=True, slots=True)
class _ConditionalChances:
    """The chances of sets of ranges given the answer, among those that are sent."""

    channel: AbstractRangeChannel
    ends: Integers
    law: Floats

    def bounds(self, among: Booleans) -> tuple[float, float]:
        """Least and largest conditional chance, over all answers that can yield a report."""
        ticks, inclusion = self.channel.line.ticks, self.channel.inclusion_probability()
        exact = within(self.channel.open, self.ends)
        chance = inclusion_by_step(ticks, self.ends[among & ~exact], self.law[among & ~exact])
        for low, high in self.channel.open:
            chance[low:high] = 0
        chance[self.ends[among & exact, 0]] = 1
        some = inclusion > 0
        chances = np.clip(chance[some] / inclusion[some], 0, 1)
        return float(chances.min()), float(chances.max())


def _range_events(
    channel: AbstractRangeChannel, rows: _ConditionalChances, cells: Integers, counts: Floats
) -> tuple[list[ReportEvent], int]:
    """Bound each range that came by its chance, largest over the answers in it."""
    inclusion = np.maximum(channel.inclusion_probability(), 1e-300)
    chances = dict(zip(map(tuple, rows.ends.tolist()), rows.law.tolist(), strict=True))
    events = []
    for (low, high), count in zip(cells.tolist(), counts.tolist(), strict=True):
        inside = np.concatenate([inclusion[a:b] for a, b in channel.pieces(low, high)])
        most = min(chances.get((low, high), 0.0) / float(inside.min()), 1.0)
        events.append(
            ReportEvent(f"The range {range_written(channel, low, high)}", count, 0.0, most)
        )
    return events, len(rows.ends)


def _end_events(
    channel: AbstractRangeChannel, rows: _ConditionalChances, cells: Integers, counts: Floats
) -> tuple[list[ReportEvent], int]:
    """Events that the lowest, or the highest, end that is a cut is at or below some ticks."""
    cuts, last = channel.cut_ticks(), channel.line.ticks
    some = cuts[np.unique(np.linspace(0, len(cuts) - 1, min(_TICKS, len(cuts))).astype(int))]
    events = []
    for word, side in (("lowest", 0), ("highest", 1)):
        mine, theirs = _cut_end(rows.ends, side, last), _cut_end(cells, side, last)
        for tick in some.tolist():
            count = float(counts[theirs <= tick].sum())
            label = f"A {word} end at or below {channel.line.value_at(tick)}"
            events.append(ReportEvent(label, count, *rows.bounds(mine <= tick)))
    return events, 0


def _cut_end(cells: Integers, side: int, last: int) -> Integers:
    """Lowest or highest end of each range that is a cut; beyond the line if no end is one."""
    ends = np.sort(cells, axis=1)
    low, high = ends.T
    if side:
        return np.where(high < last, high, np.where(low > 0, low, last + 1))
    return np.where(low > 0, low, np.where(high < last, high, last + 1))


def _width_events(
    channel: AbstractRangeChannel, rows: _ConditionalChances, cells: Integers, counts: Floats
) -> tuple[list[ReportEvent], int]:
    """Events that a range holds at most so many steps."""
    ones = np.ones(channel.line.ticks)
    mine = channel.range_probabilities(rows.ends, ones)
    theirs = channel.range_probabilities(cells, ones)
    wide = np.unique(mine)
    some = wide[np.unique(np.linspace(0, len(wide) - 1, min(_WIDTHS, len(wide))).astype(int))]
    return [
        ReportEvent(
            f"A range of at most {most:,.0f} step{'' if most == 1 else 's'}",
            float(counts[theirs <= most + 0.5].sum()),
            *rows.bounds(mine <= most + 0.5),
        )
        for most in some.tolist()
    ], 0
