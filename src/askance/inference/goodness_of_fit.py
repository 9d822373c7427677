"""Goodness of fit: whether reports can have been drawn by their channel at all.

Whoever sends reports that nobody drew leaves frequencies that no population can explain. Each test
here is exact or conservative for every n and every population, whether people are taken as sampled
or as they are: its chance to doubt honest reports is at most its level.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    heard_of,
    narrowed_chances,
    range_written,
    within,
)
from askance.channels.tally import Tally
from askance.errors import InputError
from askance.inference.climb import climb, mixture
from askance.results import Listing, listed, number
from askance.typing import Booleans, Floats, Integers, Json

DOUBT = 0.001
"""How often reports that were honestly drawn are doubted, at most."""

_ROUNDING = 1e-9  # of a chance
_CLOSE = 1e-12  # of the gap per report
_TICKS = 24  # ends whose frequency is tested
_WIDTHS = 12  # widths whose frequency is tested


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FitTest:
    """One test that reports were drawn as their form says.

    Attributes
    ----------
    claim : str
        What holds of honest reports.
    found : str
        What was found, in a sentence.
    p_value : float
        How often honest reports are at least this far from the claim, at most.
    """

    claim: str
    found: str
    p_value: float

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        return {"claim": self.claim, "found": self.found, "p_value": self.p_value}


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GoodnessOfFit:
    """Tests that reports were drawn by their channel, as one family.

    Attributes
    ----------
    tests : tuple of FitTest
        None where nothing can be tested: plain answers fit whatever they are.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> goodness_of_fit(Tally(q, {"yes": 82, "no": 18}))
    whether the reports fit their channel
    honest reports                                       p
    each report is as frequent as some shares allow  0.126
    all together: p = 0.126
    """

    tests: tuple[FitTest, ...] = ()

    @property
    def p_value(self) -> float:
        """The p-value of the family, by Bonferroni; 1 where there is no test."""
        least = min((one.p_value for one in self.tests), default=1.0)
        return min(1.0, max(len(self.tests), 1) * least)

    @property
    def doubted(self) -> bool:
        """Whether honest reports would look like this less often than once in 1,000 surveys."""
        return self.p_value < DOUBT

    @property
    def found(self) -> tuple[str, ...]:
        """What does not fit, in sentences."""
        each = DOUBT / max(len(self.tests), 1)
        return tuple(one.found for one in self.tests if one.p_value < each)

    def to_dict(self) -> Json:
        """Write the tests for JSON."""
        return {
            "p_value": self.p_value,
            "doubted": self.doubted,
            "level": DOUBT,
            "tests": [one.to_dict() for one in self.tests],
        }

    def _table(self) -> Listing:
        rows = [[one.claim, number(one.p_value)] for one in self.tests]
        notes = [f"all together: p = {number(self.p_value)}", *self.found]
        return "whether the reports fit their channel", ["honest reports", "p"], rows, notes


@checked
def goodness_of_fit(tally: Tally) -> GoodnessOfFit:
    r"""Test the goodness of fit of a channel: whether any shares explain the reports.

    Honest reports have chances πQ for some shares π: a mixture of the channel's rows. Two tests, as
    one family:

    1. Each report's count against a binomial law: whatever π, the chance of report j lies between
       its least and its largest in the rows. With two reports this is all there is, and exact.
    2. All frequencies f against the nearest mixture, by likelihood ratio. With t = n min_π D(f‖πQ)
       and m reports that can be sent,

       .. math:: p = \min\bigl(1, e^{-(t - m + 1)} (t / (m - 1))^{m - 1}\bigr)

       for t > m − 1, and else 1: Chernoff's bound of a gamma law of shape m − 1, which bounds the
       moments of nD.

    Everybody counts once, whatever their weights, strata and clusters: each coin is tossed by
    itself, by whoever is asked, so that both tests are as conservative of a complex sample.
    Villages whose people are alike make no honest report odd, and weights would only hide who
    invents. Whether *weighted* frequencies are those of some shares of the population tells
    `overidentification_test`, by design effects (Rao & Scott, 1984).

    Parameters
    ----------
    tally : Tally
        With weights or a design too.

    Returns
    -------
    GoodnessOfFit

    Raises
    ------
    InputError
        If a report was received that no answer can send.

    References
    ----------
    Agrawal (2020), abstract; Hoeffding (1963), theorem 4, for people who are not sampled.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> goodness_of_fit(Tally(q, {"yes": 700, "no": 300})).doubted
    False
    >>> goodness_of_fit(Tally(q, {"yes": 820, "no": 180})).found
    ('“yes” is 82.0 % of the reports; of honest ones it is 25.0 to 75.0 % on average.',)
    """
    matrix, counts = tally.channel.matrix, tally.counts.astype(float)
    sent = matrix.max(axis=0) > 0
    if counts[~sent].any():
        raise InputError(
            "Tally.counts",
            got="a report that no answer can send",
            allowed="reports of the channel",
            remedy="check that the reports belong to this form",
        )
    rows, seen = matrix[:, sent], counts[sent]
    names = [name for name, can in zip(tally.channel.reports, sent, strict=True) if can]
    if not seen.sum() or len(seen) == 1:
        return GoodnessOfFit()
    events = [
        _Event(f"“{name}”", count, float(column.min()), float(column.max()))
        for name, count, column in zip(names, seen.tolist(), rows.T, strict=True)
    ]
    n = float(seen.sum())
    alone = _likeliest("each report is as frequent as some shares allow", events, n)
    if len(seen) == 2:
        alone = _likeliest(alone.claim, events[:1], n)
        return GoodnessOfFit(tests=(alone,))
    return GoodnessOfFit(tests=(alone, _mixed(rows, seen)))


def blanks_fit(blank: int, total: int, chance: float) -> FitTest:
    """Test that chance left reports blank as often as the form says; people may leave more.

    Exact: the count of blanks is at least a binomial one. Invented reports carry no blanks.

    Parameters
    ----------
    blank, total : int
        Blank reports, and all.
    chance : float
        Of a blank, whatever the answer.

    >>> round(blanks_fit(0, 100, 0.05).p_value / 0.95**100, 6)
    1.0
    >>> [round(blanks_fit(blank, 100, 0.05).p_value, 6) for blank in (60, 100)]  # too many are none
    [1.0, 1.0]
    """
    event = _Event("Blank", blank, chance, 1.0)
    return _likeliest("blanks are as frequent as chance leaves them", [event], total)


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
    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> [test.p_value < 1e-9 for test in range_fit(channel, [[0, 2], [3, 4]], [20, 400])]
    [True, True, True]
    """
    ends, law = channel.cells()
    given, seen = np.asarray(cells, dtype=np.int64).reshape(-1, 2), np.asarray(counts, dtype=float)
    if not seen.sum():
        return ()
    rows = _Rows(channel, ends, law)
    families = (
        ("no range comes more often than its cuts are drawn", _ranges(channel, rows, given, seen)),
        ("the ends of ranges fall as the cuts do", _ends(channel, rows, given, seen)),
        ("ranges are as wide as the law makes them", _widths(channel, rows, given, seen)),
    )
    n = float(seen.sum())
    return tuple(_likeliest(claim, events, n, many) for claim, (events, many) in families)


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

    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], 2)
    >>> [test.p_value < 1e-9 for test in stopped_fit(channel, [[0, 4], [3, 4]], [20, 4_000])]
    [True, True]
    >>> [test.p_value for test in stopped_fit(channel, [[0, 4], [3, 4]], [400, 20])]
    [1.0, 1.0]
    """
    given, seen = np.asarray(cells, dtype=np.int64).reshape(-1, 2), np.asarray(counts, dtype=float)
    if not seen.sum():
        return ()
    steps = range(1, channel.number + 1)
    passed = sum(narrowed_chances(channel.weights, step, channel.floor) for step in steps)
    whole = np.all(given == (0, channel.line.ticks), axis=1) | within(channel.open, given)
    events = []
    for (low, high), count, free in zip(given.tolist(), seen.tolist(), whole, strict=True):
        most = 1.0 if free else min(float(np.asarray(passed)[low, high]), 1.0)
        events.append(_Event(f"The range {range_written(channel, low, high)}", count, 0.0, most))
    rows = _Rows(channel, *channel.cells())
    widths = [replace(one, least=0.0) for one in _widths(channel, rows, given, seen)[0]]
    families = (
        ("no range comes more often than it is passed through", events, len(rows.ends)),
        ("ranges are no narrower than every step makes them", widths, 0),
    )
    n = float(seen.sum())
    return tuple(_likeliest(claim, each, n, many) for claim, each, many in families)


@final
@dataclass(frozen=True, slots=True)
class _Event:
    """A set of reports: how many there were, and how likely it is at least and at most."""

    what: str
    count: float
    least: float
    most: float

    def p_value(self, n: float) -> float:
        """Bound the chance that honest reports are so few, or so many: twice the smaller tail."""
        few = _lower_tail(self.count, n, self.least * (1 - _ROUNDING))
        many = _lower_tail(n - self.count, n, 1 - min(self.most * (1 + _ROUNDING), 1.0))
        sides = (self.least > 0) + (self.most < 1)
        return min(1.0, sides * min(few, many)) if sides else 1.0

    def told(self, n: float) -> str:
        """Say how frequent it was, and should be."""
        least, most = 100 * self.least, 100 * self.most
        honest = f"{least:.1f} to {most:.1f} %"
        if most - least < 0.05:
            honest = f"{least:.1f} %"
        elif least <= 0 or most >= 100:
            honest = f"at most {most:.1f} %" if least <= 0 else f"at least {least:.1f} %"
        return (
            f"{self.what} is {100 * self.count / n:.1f} % of the reports; "
            f"of honest ones it is {honest} on average."
        )


@final
@dataclass(frozen=True, slots=True)
class _Rows:
    """The chances of sets of ranges given the answer, among those that are sent."""

    channel: AbstractRangeChannel
    ends: Integers
    law: Floats

    def bounds(self, among: Booleans) -> tuple[float, float]:
        """The least and the largest chance, over all answers that are heard of."""
        ticks, heard = self.channel.line.ticks, self.channel.inclusion_probability()
        exact = within(self.channel.open, self.ends)
        chance = heard_of(ticks, self.ends[among & ~exact], self.law[among & ~exact])
        for low, high in self.channel.open:
            chance[low:high] = 0
        chance[self.ends[among & exact, 0]] = 1
        some = heard > 0
        found = np.clip(chance[some] / heard[some], 0, 1)
        return float(found.min()), float(found.max())


def _lower_tail(count: float, n: float, chance: float) -> float:
    """P(Binomial(n, chance) ≤ count)."""
    from scipy.special import betainc

    if count >= n or chance <= 0:
        return 1.0
    return float(betainc(n - count, count + 1, 1 - chance))


def _likeliest(claim: str, events: Iterable[_Event], n: float, many: int = 0) -> FitTest:
    """Test each event of a family, of so many members, and tell the one that fits least."""
    listed = list(events)
    p_values = [event.p_value(n) for event in listed]
    at = int(np.argmin(p_values))
    p_value = min(1.0, max(many, len(listed)) * p_values[at])
    return FitTest(claim=claim, found=listed[at].told(n), p_value=p_value)


def _mixed(rows: Floats, counts: Floats) -> FitTest:
    seen, n, k, m = counts > 0, counts.sum(), len(rows), len(counts)
    problem = mixture(rows.T[seen], counts[seen])
    shares, gap = climb(problem, np.full(k, 1 / k), _CLOSE)
    frequency = counts[seen] / n
    far = float(frequency @ np.log(frequency / problem.chance(shares)))
    t, freedom = n * max(far - gap - _CLOSE, 0.0), m - 1
    p_value = math.exp(freedom - t + freedom * math.log(t / freedom)) if t > freedom else 1.0
    return FitTest(
        claim="all frequencies together come from some shares",
        found="The frequencies of the reports, taken together, are those of no honest people.",
        p_value=p_value,
    )


def _ranges(
    channel: AbstractRangeChannel, rows: _Rows, cells: Integers, counts: Floats
) -> tuple[list[_Event], int]:
    """Bound each range that came by its chance, largest over the answers in it."""
    heard = np.maximum(channel.inclusion_probability(), 1e-300)
    chances = dict(zip(map(tuple, rows.ends.tolist()), rows.law.tolist(), strict=True))
    events = []
    for (low, high), count in zip(cells.tolist(), counts.tolist(), strict=True):
        inside = np.concatenate([heard[a:b] for a, b in channel.pieces(low, high)])
        most = min(chances.get((low, high), 0.0) / float(inside.min()), 1.0)
        events.append(_Event(f"The range {range_written(channel, low, high)}", count, 0.0, most))
    return events, len(rows.ends)


def _ends(
    channel: AbstractRangeChannel, rows: _Rows, cells: Integers, counts: Floats
) -> tuple[list[_Event], int]:
    """Ask how often the lowest, and the highest, end that is a cut is at or below some ticks."""
    cuts, last = channel.cut_ticks(), channel.line.ticks
    some = cuts[np.unique(np.linspace(0, len(cuts) - 1, min(_TICKS, len(cuts))).astype(int))]
    events = []
    for word, side in (("lowest", 0), ("highest", 1)):
        mine, theirs = _cut_end(rows.ends, side, last), _cut_end(cells, side, last)
        for tick in some.tolist():
            count = float(counts[theirs <= tick].sum())
            what = f"A {word} end at or below {channel.line.at(tick)}"
            events.append(_Event(what, count, *rows.bounds(mine <= tick)))
    return events, 0


def _cut_end(cells: Integers, side: int, last: int) -> Integers:
    """The lowest or highest end that is a cut; beyond the line where there is none."""
    ends = np.sort(cells, axis=1)
    low, high = ends.T
    if side:
        return np.where(high < last, high, np.where(low > 0, low, last + 1))
    return np.where(low > 0, low, np.where(high < last, high, last + 1))


def _widths(
    channel: AbstractRangeChannel, rows: _Rows, cells: Integers, counts: Floats
) -> tuple[list[_Event], int]:
    """Ask how often ranges hold at most so many steps."""
    one = np.ones(channel.line.ticks)
    mine, theirs = channel.inside(rows.ends, one), channel.inside(cells, one)
    wide = np.unique(mine)
    some = wide[np.unique(np.linspace(0, len(wide) - 1, min(_WIDTHS, len(wide))).astype(int))]
    return [
        _Event(
            f"A range of at most {most:,.0f} step{'' if most == 1 else 's'}",
            float(counts[theirs <= most + 0.5].sum()),
            *rows.bounds(mine <= most + 0.5),
        )
        for most in some.tolist()
    ], 0
