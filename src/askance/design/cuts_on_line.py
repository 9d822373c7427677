"""Independent cuts, and rings, on the ticks of a line with a promised coverage or floor."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import betainc

from askance.channels.cut_variants import RingChannel
from askance.channels.number_law import UNITS, step_sizes, tick_weights
from askance.channels.range_channel import RangeChannel
from askance.mechanisms.cuts import Ring, TwoCuts, above_a_quarter, cut_count
from askance.privacy.coverage import line_coverage, step_chances
from askance.typing import Floats, Integers
from askance_collect.arguments import checked, no_less, no_more
from askance_collect.errors import InputError
from askance_collect.exact.line import Floor, Line
from askance_collect.exact.ratio import read_ratio
from askance_collect.wire.question import MOST_CUTS

_WIDEST, _NARROWEST = math.log(1e-3), math.log(1e4)  # shapes of the Beta law, as logarithms
_HALVINGS = 40  # beyond, no weight changes


@checked
def cuts_on_line(
    line: Line, coverage: object, prior: Any = "even", number: object = 1
) -> tuple[int, ...]:
    r"""Weights of random cuts on a line with a promised coverage, and hardly more.

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
        How many cuts are drawn, from 1 to 16.

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

    >>> from askance.design import cuts_on_line
    >>> line = Line(0, 40, 1)
    >>> channel = RangeChannel(line, cuts_on_line(line, "3/5"))
    >>> round(float(line_coverage([channel]).value), 4)
    0.6
    """
    tau, count = read_ratio(coverage, "Cuts.coverage"), cut_count(number, "Cuts.number")
    sizes = step_sizes(line, prior, "Cuts.prior")
    p = np.array(sizes, dtype=float) / sum(sizes)

    def draw(shape: float) -> RangeChannel:
        return RangeChannel(line, _weights(p, shape), count)

    channel, least, most = _tightest_cuts(draw, p, tau)
    if channel is None or tau < least:
        raise InputError(
            "Cuts.coverage",
            got=str(coverage),
            allowed=f"a coverage from {no_less(least)} to {no_more(most)} for "
            f"{count} cut{'s' * (count > 1)} on this line",
            remedy="for less draw more cuts, for more take a smaller step",
        )
    return channel.cut_weights


@checked
def two_cuts_on_line(line: Line, coverage: object, prior: Any = "even") -> TwoCuts:
    r"""Joint law of two cuts on a line with a promised coverage above 1/3, and hardly more.

    Two independent cuts where they can have it. Below that, candidates are drawn from the law of
    either cut of `DirichletCuts`, with even chances, until two leave every range more than a
    quarter of people:

    .. math:: U = F^{-1}(B), \quad B \sim \tfrac12 \mathrm{Beta}(a, 2a)
        + \tfrac12 \mathrm{Beta}(2a, a)

    As many candidates as the coverage takes, from 3 to 16; the least spread that keeps the promise
    is found on the line itself, with the whole weights that are deployed.

    Parameters
    ----------
    line : Line
    coverage : number
        τ, under the prior.
    prior : "even", distribution, callable, or sequence of number, one for each step
        F, of the answers: declared, published, never fitted.

    Raises
    ------
    InputError
        If no such cuts have this coverage; the message says which they can have.

    References
    ----------
    Ding & Ding (2022), Theorem 1, Case II.

    >>> from askance.design import two_cuts_on_line
    >>> line = Line(0, 30, 1)
    >>> for tau in "17/50", "2/5", "1/2", "4/5":
    ...     cuts = two_cuts_on_line(line, tau)
    ...     print(cuts.number, round(float(line_coverage([cuts.channel(line)]).value), 4))
    7 0.34
    3 0.4
    2 0.5
    2 0.8
    """
    tau = read_ratio(coverage, "TwoCuts.coverage")
    sizes = step_sizes(line, prior, "TwoCuts.prior")
    p = np.array(sizes, dtype=float) / sum(sizes)
    above, lowest, highest = [], Fraction(1), Fraction(0)
    quarter = above_a_quarter(sizes)
    inner = [quarter.allows_cut(0, tick, line.ticks) for tick in range(1, line.ticks)]
    for number in range(2, MOST_CUTS + 1 if any(inner) else 3):

        def draw(shape: float, number: int = number) -> RangeChannel:
            if number == 2:
                return RangeChannel(line, _weights(p, shape), 2)
            weights = np.maximum(_dirichlet_weights(p, shape), inner)  # some candidate can cut
            return RangeChannel(line, weights.tolist(), number, floor=quarter)

        channel, least, most = _tightest_cuts(draw, p, tau)
        lowest, highest = min(lowest, least), max(highest, most)
        if channel is not None:
            above.append((max(least, tau), number, channel.cut_weights))
        if above and least <= tau:
            break
    if above and lowest <= tau:
        _, number, law = min(above)
        return TwoCuts(number=number, law=law, sizes=sizes)
    raise InputError(
        "TwoCuts.coverage",
        got=str(coverage),
        allowed=f"a coverage from {no_less(lowest)} to {no_more(highest)} on this line",
        remedy="take a smaller step; less than a third takes more cuts",
    )


def _tightest_cuts(
    draw: Callable[[float], RangeChannel], p: Floats, tau: Fraction
) -> tuple[RangeChannel | None, Fraction, Fraction]:
    """Find the least spread of cuts that keeps a coverage, and the range of attainable coverages.

    None where all have less.
    """

    def coverage_at(log: float) -> float:
        return float(line_coverage([draw(math.exp(log))], p).value)

    grid = np.linspace(_WIDEST, _NARROWEST, 24)
    coverages = np.array([coverage_at(float(log)) for log in grid])
    tightest = int(np.argmin(coverages))
    coverages = coverages[: tightest + 1]
    least, most = attainable_range(coverages)
    if tau > coverages.max() + ROUND_OFF:
        return None, least, most
    low = int(np.flatnonzero(coverages >= float(tau) - ROUND_OFF)[-1])
    wide, tight = float(grid[low]), float(grid[min(low + 1, tightest)])
    for _ in range(_HALVINGS):
        middle = (wide + tight) / 2
        wide, tight = (middle, tight) if coverage_at(middle) >= tau else (wide, middle)
    return draw(math.exp(wide)), least, most


def _dirichlet_weights(p: Floats, shape: float) -> tuple[int, ...]:
    """Each inner tick what either cut of a Dirichlet(a, a, a) law gives to the answers nearest."""
    upto = np.cumsum(p)
    inner = np.clip(upto[1:-1] - p[1:-1] / 2, 0, 1)
    between = (betainc(shape, 2 * shape, inner) + betainc(2 * shape, shape, inner)) / 2
    return _whole_weights(between)


def _weights(p: Floats, shape: float) -> tuple[int, ...]:
    """Each inner tick the Beta chance of the answers nearer to it than to another."""
    upto = np.cumsum(p)
    return _whole_weights(betainc(shape, shape, np.clip(upto[1:-1] - p[1:-1] / 2, 0, 1)))


def _whole_weights(between: Floats) -> tuple[int, ...]:
    """Divide the whole weights at the chances up to the edges between ticks."""
    edges = np.rint(np.concatenate([[0.0], between, [1.0]]) * UNITS).astype(np.int64)
    return tuple(np.diff(edges).tolist())


@checked
def ring_on_line(line: Line, coverage: object, law: Any = "even", sizes: Any = "even") -> Ring:
    r"""Ring of two cuts with a promised coverage and the highest least coverage (floor).

    Where both ends fall among the answers, and steps are fine,

    .. math:: \tau = \tfrac23 (1 - \delta + \delta^2):

    the higher the floor δ, the nearer to halves are the two sides, and the lower the coverage τ.
    The floor is found on the line itself, with the whole numbers that are deployed.

    Parameters
    ----------
    line : Line
    coverage : number
        τ, under the declared sizes.
    law, sizes : as for `Ring`

    Raises
    ------
    InputError
        If no ring on this line has this coverage; the message says which coverages they can have.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> from askance.design import ring_on_line
    >>> ring_on_line(Line(0, 40, 1), "3/5").floor  # on a fine line δ = .1127
    Fraction(1, 8)
    """
    tau = read_ratio(coverage, "Ring.coverage")
    counted = np.array(step_sizes(line, sizes, "Ring.sizes"), dtype=np.int64)
    weights = np.array(tick_weights(line, law, "Ring.law"), dtype=float)
    floors, coverages = _coverages(counted, weights)
    if not len(floors):
        raise InputError(
            "Ring.coverage",
            got="no pair of ticks with people on both sides",
            allowed="a law and sizes that have one on this line",
            remedy="take a smaller step",
        )
    least, most = attainable_range(coverages)
    if not least <= tau <= coverages.max() + ROUND_OFF:
        raise InputError(
            "Ring.coverage",
            got=str(coverage),
            allowed=f"a coverage from {no_less(least)} to {no_more(most)} for a ring on this line",
            remedy="for less or more ask by cuts instead",
        )
    highest = int(floors[coverages >= float(tau) - ROUND_OFF][-1])
    return Ring(floor=Fraction(highest, int(counted.sum())), law=law, sizes=sizes)


def _coverages(counted: Integers, weights: Floats) -> tuple[Integers, Floats]:
    """List every floor that some pair just keeps, ascending, with the coverage of its ring."""
    total, upto = counted.sum(), np.cumsum(counted)[:-1]
    first, last = np.triu_indices(len(weights), 1)
    inside = upto[last] - upto[first]
    side, units = np.minimum(inside, total - inside), weights[first] * weights[last]
    able = (side > 0) & (units > 0)
    floors, floor_index = np.unique(side[able], return_inverse=True)
    share = floors / total
    chances = np.bincount(floor_index, units[able], len(floors))[::-1].cumsum()[::-1]
    wide = share**2 + (1 - share) ** 2
    sums = (np.bincount(floor_index, units[able], len(floors)) * wide)[::-1].cumsum()[::-1]
    return floors, sums / chances


_UNITS = 1_000_000  # whole parts of the prior


@checked
def ring_with_floor(line: Line, prior: Any, floor: object) -> RingChannel:
    r"""Find a ring whose every report holds at least a promised share of the answers.

    .. math:: \tau = \tfrac23 (1 - \delta + \delta^2)

    Both ends of the ring are drawn among the answers, from the pairs alone that leave the share δ
    inside and outside. On a fine line the coverage is the one above; on a coarse one, see
    `coverage`.

    Parameters
    ----------
    line : Line
    prior : distribution, callable, or sequence of float of shape (ticks,)
        F, what is thought of the answers: declared and fixed beforehand.
    floor : number
        δ, the least individual coverage, in (0, 1/2].

    Raises
    ------
    InputError
        If the floor is not in (0, 1/2], or the line has no pair of ticks that keeps it.

    References
    ----------
    Ding & Ding (2022), Example 3. The coverage: given its bounds, the share s inside has a density
    in proportion to 1 − s, and s² + (1 − s)² is the same on both sides of 1/2.

    >>> from scipy import stats
    >>> from askance.privacy.coverage import coverage
    >>> ring = ring_with_floor(Line(0, 100, 1), stats.uniform(0, 100), "1/5")
    >>> round(float(coverage(ring).value), 2)
    0.56
    """
    least = read_ratio(floor, "floor")
    if not 0 < least * 2 <= 1:
        raise InputError(
            "floor",
            got=str(floor),
            allowed="a share in (0, 1/2]",
            remedy="inside and outside cannot both hold more than half" if least > 0 else "",
        )
    p = step_chances(line, prior, "ring_with_floor.prior")
    upto = np.concatenate([[0.0], np.cumsum(p)])
    sizes = np.diff(np.rint(upto * _UNITS).astype(np.int64))
    weights = np.diff(np.rint((upto[:-1] + upto[1:]) / 2 * _UNITS).astype(np.int64))
    return RingChannel(line, weights.tolist(), Floor(sizes.tolist(), -(-least * _UNITS // 1)))


ROUND_OFF = 1e-9
_DECIMALS = 10_000


def attainable_range(coverages: Floats) -> tuple[Fraction, Fraction]:
    """The least and the largest coverage, rounded down to four decimals: what each keeps.

    As fractions, since a promise is one: the double next to .52 is more than .52.

    >>> import numpy as np
    >>> attainable_range(np.array([0.50006, 5 / 9, 0.65]))
    (Fraction(1, 2), Fraction(13, 20))
    """
    least, most = (
        Fraction(math.floor((float(end) + ROUND_OFF) * _DECIMALS), _DECIMALS)
        for end in (coverages.min(), coverages.max())
    )
    return least, most
