"""Poisoning: how far false reports move the estimate of shares, of a mean and of quantiles."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.channels.tally import Tally
from askance.inference.line.cells import (
    Law,
    atoms,
    identified,
    mean_coefficients,
    reach,
    tick_numbers,
)
from askance.inference.maximisation import backtrack
from askance.inference.provenance import Computation
from askance.inference.shares.information import right_inverse
from askance.inference.shares.share_intervals import informative
from askance.results import (
    Listing,
    json_of,
    kept_mapping,
    listed,
    number,
    numbers,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.line import Line


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Manipulation:
    """How far false reports move the estimated share of each answer, at most.

    Attributes
    ----------
    labels : tuple of str
    unbiased : array, shape (k,)
        The unbiased estimate, wherever chance put the honest one.
    clipped : array, shape (k,)
        The estimate cut to [0, 1].
    false_reports, reports : int
        How many reports are false, and how many there are.
    linear : bool
        Whether the most likely shares are the unbiased ones, cut: of two answers told by two
        reports, and of plain answers.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> manipulation(plain, 100, 1_000)
    how far 100 false reports among 1,000 move a share
    answer  cut to [0, 1]  unbiased
    yes               0.1       0.1
    no                0.1       0.1
    """

    computation: ClassVar[Computation] = Computation.POISONING_BOUND
    labels: tuple[str, ...]
    unbiased: Floats
    clipped: Floats
    false_reports: int
    reports: int
    linear: bool

    def to_dict(self) -> Json:
        """Write the bounds for JSON."""
        return json_of(self, keys={"clipped": "cut", "false_reports": "false"})

    def _table(self) -> Listing:
        rows = [
            [label, number(cut), number(far)]
            for label, cut, far in zip(self.labels, self.clipped, self.unbiased, strict=True)
        ]
        title = f"how far {self.false_reports:,} false reports among {self.reports:,} move a share"
        return title, ["answer", "cut to [0, 1]", "unbiased"], rows, []

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def manipulation(channel: Channel, false_reports: int, reports: int) -> Manipulation:
    r"""Bound how far a manipulation attack moves each estimated share, exactly.

    The unbiased estimate is the mean of :math:`G_{ij}` over the reports j that say anything, with G
    the right inverse of the channel. Honest reports say something with chance s; m false ones among
    n all do, and make up :math:`\gamma = m/(m + (n - m) s)` of those that count. They move it from
    the honest reports' own estimate by at most

    .. math:: \gamma (\max_j G_{ij} - \min_j G_{ij})

    and if both are cut to [0, 1] by at most
    :math:`\min(1, \gamma \max(\max_j G_{ij}, 1 - \min_j G_{ij}))`. Both are attained, by sending
    one report again and again. A plain question has γ = m/n for both. Where the most likely shares
    are not `linear` in the reports these bounds do not cover them.

    Parameters
    ----------
    channel : Channel
    false_reports, reports : int
        m and n; honest reports are counted as often as they are expected to say something.

    Raises
    ------
    InputError
        Unless 0 ≤ false ≤ reports, with at least one report.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Cheu, Smith & Ullman (2021): any non-interactive locally private protocol is moved further than
    plain answers are.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> manipulation(q, 100, 1_000).clipped.round(9).tolist()  # a tenth of (1 − ¼)/½
    [0.15, 0.15]
    """
    if not 0 <= false_reports <= reports or reports < 1:
        raise InputError(
            "manipulation.false_reports",
            got=f"{false_reports} of {reports}",
            allowed="a number of reports from 0 to all, with at least one report",
        )
    data = informative(Tally(channel, {}))
    inverse = right_inverse(data.rows.T / data.share)
    weight = false_reports / (false_reports + (reports - false_reports) * data.share)
    most, least = inverse.max(axis=0), inverse.min(axis=0)
    return Manipulation(
        labels=data.labels,
        unbiased=weight * (most - least),
        clipped=np.minimum(1.0, weight * np.maximum(most, 1 - least)),
        false_reports=false_reports,
        reports=reports,
        linear=len(data.counts) == 2 or bool(((data.rows > 0).sum(axis=1) == 1).all()),
    )


_WRITTEN = "mean plain=direct false=false_reports reports unit thinned=is_approximate"
"""What JSON holds, beside quantiles."""

_MOST = 40  # numbers that a line is thinned to
_STEPS = 40  # of Newton, at one height of the barrier
_CENTRED = 0.1  # of that height: what one more step of Newton may still gain
_LOWEST = 1e-12  # height of the barrier
_FEWEST = 1e-6  # false ones of all: fewer are taken to be so many
_CLOSE = 0.02  # of what false reports move a plain mean


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RangeManipulation:
    """How far false reports move the most likely distribution of a number, at most.

    Attributes
    ----------
    mean : float
        How far they move the mean, if everyone stands at the lower end of their interval or at the
        upper one.
    direct : float
        How far they would move it, had the same people been asked directly.
    quantiles : mapping of float to (float, float)
        Between which numbers each quantile is left; on a line of whole numbers the least is one.
    false_reports, reports : int
        How many reports are false, and how many there are.
    unit : str
    is_approximate : bool
        Whether 40 numbers stand for all of a longer line: figures are near the bounds then, and not
        bounds themselves.

    >>> RangeManipulation(
    ...     mean=2.5, direct=2, quantiles={0.5: (3, 5)}, false_reports=1, reports=9, unit="h"
    ... )
    how far 1 false report among 9 moves a number, h
                  at least  at most
    mean, by                    2.5
    mean, asked plainly           2
    quantile 0.5         3        5
    """

    computation: ClassVar[Computation] = Computation.RANGE_POISONING_BOUND
    mean: float
    direct: float
    quantiles: Mapping[float, tuple[float, float]]
    false_reports: int
    reports: int
    unit: str = ""
    is_approximate: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "quantiles", kept_mapping(self.quantiles))

    def to_dict(self) -> Json:
        """Write the bounds for JSON."""
        quantiles = plain_json({f"{share:g}": ends for share, ends in self.quantiles.items()})
        return json_of(self, _WRITTEN) | {"quantiles": quantiles}

    def _frame(self) -> list[dict[str, Any]]:
        mean = {"of": "mean", "share": None, "least": None, "most": self.mean}
        direct = {"of": "mean, asked directly", "share": None, "least": None, "most": self.direct}
        return [mean, direct] + [
            {"of": "quantile", "share": share, "least": ends[0], "most": ends[1]}
            for share, ends in self.quantiles.items()
        ]

    def _table(self) -> Listing:
        rows = [["mean, by", "", number(self.mean)]]
        rows.append(["mean, asked plainly", "", number(self.direct)])
        for share, ends in self.quantiles.items():
            rows.append([f"quantile {share:g}", *map(number, ends)])
        several = "s" * (self.false_reports != 1)
        title = f"how far {self.false_reports:,} false report{several} among {self.reports:,} "
        title += f"move{'s' * (self.false_reports == 1)} a number"
        notes = [
            f"near the bounds: {_MOST} numbers of the line stand for all"
        ] * self.is_approximate
        return f"{title}, {self.unit}".removesuffix(", "), ["", "at least", "at most"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def mean_manipulation(channel: RangeChannel, false_reports: float, reports: float) -> float:
    r"""Bound for anybody how far false reports move the most likely mean under one cut, exactly.

    With :math:`n_t` honest reports cut at t and :math:`m_t` false ones, F(t) moves by at most
    :math:`m_t/(n_t + m_t)`, and so the mean by

    .. math:: \max_{\sum m_t = m} \sum_t \Delta_t \frac{m_t}{n_t + m_t},
              \qquad n_t = (n - m) g_t, \quad m_t = \max(0, \sqrt{\Delta_t n_t/\lambda} - n_t)

    with Δ the steps between cuts. It is attained where everybody stands at one end. That F is
    fitted as a monotone curve changes nothing: where it pools cuts, as many false reports spread
    over them would do the same without pooling.

    Parameters
    ----------
    channel : RangeChannel
        Of one cut, without a floor and with no part sent exactly.
    false_reports, reports : float
        m and n.

    Raises
    ------
    InputError
        If the channel is another, or not 0 ≤ false ≤ reports.

    >>> from askance import Line, RangeChannel
    >>> from askance.inference import mean_manipulation
    >>> even = RangeChannel(Line(0, 10, 1), [1] * 9)
    >>> round(mean_manipulation(even, 100, 1_000), 9)  # a tenth of the 9 between the bounds
    0.9
    """
    if channel.number > 1 or channel.floor is not None or not channel.reports_every_answer:
        raise InputError(
            "mean_manipulation.channel",
            got=channel,
            allowed="one cut, without a floor and with no part sent exactly",
            remedy="range_manipulation takes every law of ranges",
        )
    if not (0 <= false_reports <= reports and 0 < reports < np.inf):
        allowed = "a number of reports from 0 to all of them"
        raise InputError(
            "mean_manipulation.false_reports", got=f"{false_reports} of {reports}", allowed=allowed
        )
    ticks = channel.line.ticks
    numbers = np.array([float(channel.line.value_at(tick)) for tick in range(ticks + 1)])
    law = np.array(channel.cut_weights, dtype=float)[channel.cut_ticks() - 1] / channel.total
    honest = (reports - false_reports) * law
    if false_reports <= 0:
        return 0.0
    return max(
        _pour_false(-steps, honest, false_reports) for steps in mean_coefficients(channel, numbers)
    )


def _pour_false(steps: Floats, honest: Floats, false_reports: float) -> float:
    """Maximise Σ Δ m/(n + m) over m ≥ 0 that sum to the false ones, by its multiplier."""
    roots = np.sqrt(steps * honest)
    some = np.flatnonzero(roots > 0)
    if not len(some):  # nobody is honest: every step is theirs
        return float(steps.sum())
    some = some[np.argsort(honest[some] / roots[some])]  # the first of these take them all
    price = ((false_reports + np.cumsum(honest[some])) / np.cumsum(roots[some])).min()
    poured = np.maximum(price * roots - honest, 0)
    return float(steps @ (poured / np.maximum(honest + poured, 1e-300)))


@checked
def range_manipulation(
    channel: AbstractRangeChannel,
    shares: npt.ArrayLike,
    false_reports: int,
    reports: int,
    quantiles: Sequence[float] = (0.25, 0.5, 0.75),
) -> RangeManipulation:
    r"""Bound how far false reports move the most likely distribution of certain people.

    Let F be the people's distribution and :math:`g_S` the chance that whoever is in the range S
    sends it, so that :math:`h(x) = \sum_{S \ni x} g_S` are heard of. Honest reports come as often
    as expected, and the share γ = m/n is false, by any law. Whatever it is, a most likely G keeps

    .. math:: (1 - γ) \sum_{S \ni x} g_S \frac{F(S)/h_F}{G(S)/h_G} \le h(x)
              \quad \text{for every } x

    with :math:`h_F` the mean of h under F: adding mass at x would else make the reports likelier.
    In G/h_G this is convex. Where any single step can be sent false reports reach all of it, and
    the bounds are attained. Extremes are found behind a barrier, and prices of the conditions turn
    what is found into a bound.

    A line of more than 40 numbers is thinned to 40, at which people and fit are taken to stand.
    What is found is near the bounds then, and `is_approximate` says so.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    shares : array_like, shape (ticks,)
        F, step by step.
    false_reports, reports : int
        m and n.
    quantiles : sequence of float in (0, 1)
        Of which quantiles to tell where they are left.

    Raises
    ------
    InputError
        Unless 0 ≤ false < reports, and shares are of the steps and quantiles in (0, 1).
    NotIdentified
        If the ranges cannot tell some numbers apart.

    References
    ----------
    Turnbull (1976), on what a most likely distribution keeps.

    >>> from askance_collect.exact.line import Line
    >>> two = RangeChannel(Line(0, 4, 1), [1, 1, 1], 2)
    >>> range_manipulation(two, [0.4, 0.3, 0.2, 0.1], 50, 1_000, [0.5])
    how far 50 false reports among 1,000 move a number
                         at least  at most
    mean, by                         0.118
    mean, asked plainly                0.1
    quantile 0.5                1        2
    """
    return bound_manipulation(channel, shares, false_reports, reports, quantiles)


def bound_manipulation(
    channel: AbstractRangeChannel,
    shares: npt.ArrayLike,
    false_reports: int,
    reports: int,
    quantiles: Sequence[float] = (),
    law: Law | None = None,
) -> RangeManipulation:
    """Do as `range_manipulation`, also where ranges have a law that is not the channel's own."""
    if not 0 <= false_reports < reports:
        raise InputError(
            "range_manipulation.false_reports",
            got=f"{false_reports} of {reports}",
            allowed="a number of reports from 0 to less than all of them",
        )
    if not identified(channel) or channel.inclusion_probability().min() <= 0:
        raise NotIdentified(
            "range_manipulation.channel",
            allowed="ranges that distinguish every number of the line from the rest",
        )
    levels = _read_levels(quantiles)
    added = max(false_reports / reports, _FEWEST)
    world = _make_world(channel, _read_shares(channel, shares), added, law)
    people, ends = world.people, (world.low, world.high, -world.low, -world.high)
    shifts = (_bound_largest(world, worth) - float(worth @ people) for worth in ends)
    far = max(shifts) if false_reports else 0.0
    means = world.low @ people, world.high @ people
    span = max(means[0] - world.low.min(), world.high.max() - means[1])
    return RangeManipulation(
        mean=far,
        direct=float(span) * false_reports / reports,
        quantiles={share: _quantile(world, share, channel.line) for share in levels.tolist()},
        false_reports=false_reports,
        reports=reports,
        unit=channel.line.unit,
        is_approximate=world.is_approximate,
    )


def _read_levels(quantiles: Sequence[float]) -> Floats:
    levels = numbers(quantiles, "range_manipulation.quantiles")
    if levels.ndim != 1 or not np.all((levels > 0) & (levels < 1)):
        raise InputError("range_manipulation.quantiles", allowed="a list of shares in (0, 1)")
    return levels


def _read_shares(channel: AbstractRangeChannel, values: npt.ArrayLike) -> Floats:
    shares = numbers(values, "range_manipulation.shares")
    ticks = channel.line.ticks
    if shares.shape != (ticks,) or not np.all(shares >= 0) or not 0 < shares.sum() < np.inf:
        allowed = f"{ticks} shares, none below 0 and not all of them 0"
        raise InputError("range_manipulation.shares", got=f"shape {shares.shape}", allowed=allowed)
    normalised: Floats = shares / shares.sum()
    return normalised


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _World:
    """Numbers at which people may stand, and the sets of them that are reported.

    `low` and `high` are the ends of each number's interval, `holds` the sets, `honest` how often
    each comes among honest reports, `inclusion` is h, and `excess` is γ/(1 − γ).
    `is_approximate` says that these numbers are not all.
    """

    low: Floats
    high: Floats
    people: Floats
    holds: Floats
    honest: Floats
    inclusion: Floats
    excess: float
    is_approximate: bool

    def slack(self, fit: Floats) -> Floats:
        """Say how far each condition is from being broken, by a fit over which h sums to one."""
        return (1 + self.excess) * self.inclusion - (self.honest / (self.holds @ fit)) @ self.holds

    def planes(self, fit: Floats) -> Floats:
        """What no such fit is above 0 in: 1/y is nowhere below 2u − u² y, at u = 1/y here."""
        over = (self.inclusion @ fit) / (self.holds @ fit)
        first = (self.honest * over) @ self.holds
        second = (self.holds.T * (self.honest * over**2)) @ self.holds
        return np.outer(2 * first - (1 + self.excess) * self.inclusion, self.inclusion) - second


def _make_world(
    channel: AbstractRangeChannel, shares: Floats, weight: float, law: Law | None
) -> _World:
    """Let people stand at one step of each atom, or at 40 of them."""
    ticks, atom_numbers = tick_numbers(channel), atoms(channel)
    _, first_steps, atom = np.unique(atom_numbers, return_index=True, return_inverse=True)
    some = np.unique(
        np.rint(np.linspace(0, len(first_steps) - 1, min(len(first_steps), _MOST))).astype(int)
    )
    nearest = np.searchsorted((some[1:] + some[:-1]) / 2, np.arange(len(first_steps)))
    people = np.asarray(np.bincount(nearest[atom], shares, len(some)), dtype=float)
    ends, chances = channel.cells() if law is None else law
    stand = first_steps[some]
    holds = (
        np.array(
            [channel.range_probabilities(ends, step == np.arange(len(shares))) for step in stand]
        ).T
        > 0.5
    )
    sets, which = np.unique(holds, axis=0, return_inverse=True)
    chance = np.asarray(np.bincount(which.ravel(), chances, len(sets)), dtype=float)
    inclusion = chance @ sets
    honest = chance * (sets @ people) / float(inclusion @ people)
    first, last = reach(atom_numbers)
    return _World(
        low=ticks[first[stand]],
        high=ticks[last[stand] + 1],
        people=people,
        holds=sets[honest > 0].astype(float),
        honest=honest[honest > 0],
        inclusion=inclusion,
        excess=weight / (1 - weight),
        is_approximate=len(first_steps) > _MOST,
    )


def _bound_largest(world: _World, worth: Floats) -> float:
    """Bound the mean worth of any fit from above: closely, and in any case.

    Fits near the best one are found behind a barrier that is lowered step by step. Conditions that
    are drawn straight at each of them make a linear programme, whose value is a bound.
    """
    scale = float(np.ptp(worth))
    if not scale:
        return float(worth.max())
    close = _CLOSE * scale * world.excess / (1 + world.excess)
    fit, planes = _start(world), []
    lower, upper = float(worth @ world.people), float(worth.max())
    barrier = 0.1
    while upper - lower > close and barrier > _LOWEST:
        fit = _centre_fit(world, (worth - lower) / scale, barrier, fit)
        planes.append(world.planes(fit))
        lower = max(lower, float(worth @ fit / fit.sum()))
        if barrier * len(worth) * scale <= close:  # what is left above is about so much
            upper = min(upper, _solve_programme(np.concatenate(planes), worth))
        barrier /= 5
    return upper


def _solve_programme(planes: Floats, worth: Floats) -> float:
    """Maximise the mean worth of shares that sum to one and are above no plane."""
    from scipy.optimize import linprog

    rows = planes / np.abs(planes).max(axis=1, keepdims=True)
    solution = linprog(
        -worth, A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=np.ones((1, len(worth))), b_eq=[1.0]
    )
    return float(worth.max()) if solution.fun is None else -float(solution.fun)


def _centre_fit(world: _World, worth: Floats, barrier: float, fit: Floats) -> Floats:
    """Maximise worth behind a barrier by Newton's method, from a fit that is strictly inside.

    Fits are scaled so that h sums to one over them: then the conditions are convex.
    """
    for _ in range(_STEPS):
        value, slope, curve = _barrier_value(world, worth, barrier, fit)
        step = _newton(slope, curve, world.inclusion)
        rise = -float(slope @ step)
        if rise < _CENTRED * barrier:
            break
        candidate = backtrack(partial(_try_step, world, worth, barrier, fit, step, value, rise))
        if candidate is None:
            break
        fit = candidate
    return fit


def _try_step(
    world: _World,
    worth: Floats,
    barrier: float,
    fit: Floats,
    step: Floats,
    value: float,
    rise: float,
    size: float,
) -> Floats | None:
    candidate = fit + size * step
    falls = _barrier_value(world, worth, barrier, candidate)[0] < value - 0.2 * size * rise
    return candidate if falls else None


def _start(world: _World) -> Floats:
    """Stand strictly inside, near the people themselves."""
    added = 0.5
    while True:
        fit = (1 - added) * world.people + added / len(world.people)
        fit /= world.inclusion @ fit
        if np.all(world.slack(fit) > 0.3 * world.excess * world.inclusion):
            return fit
        added /= 2


def _barrier_value(
    world: _World, worth: Floats, barrier: float, fit: Floats
) -> tuple[float, Floats, Floats]:
    """What is to be made least, its slope and its curvature; infinite outside."""
    slack = world.slack(fit) if np.all(fit > 0) else np.zeros(1)
    if not np.all(slack > 0):
        return np.inf, fit, fit
    holds, over = world.holds, 1 / (world.holds @ fit)
    slopes = (holds.T * (-world.honest * over**2)) @ holds
    weight = 2 * world.honest * over**3 * (holds @ (1 / slack))
    curve = (slopes.T / slack**2) @ slopes + (holds.T * weight) @ holds + np.diag(1 / fit**2)
    value = -float(worth @ fit) - barrier * float(np.log(slack).sum() + np.log(fit).sum())
    return value, -worth + barrier * (slopes.T @ (1 / slack) - 1 / fit), barrier * curve


def _newton(slope: Floats, curve: Floats, inclusion: Floats) -> Floats:
    """Step to the least of a parabola along which h keeps its sum."""
    scale = 1 / np.sqrt(np.diag(curve))
    root = np.linalg.solve(
        curve * scale * scale[:, None], np.stack([slope, inclusion], 1) * scale[:, None]
    )
    down, across = (root * scale[:, None]).T
    step: Floats = across * (inclusion @ down) / (inclusion @ across) - down
    return step


def _quantile(world: _World, share: float, line: Line) -> tuple[float, float]:
    """Find from where, and up to where, so large a share can and must be."""
    bounds = []
    for sign, ends in ((1, world.low), (-1, world.high)):
        order = np.unique(ends)

        def largest_share(
            index: int, order: Floats = order, ends: Floats = ends, sign: int = sign
        ) -> float:
            upto = (ends <= order[index]).astype(float)
            return sign * _bound_largest(world, sign * upto)

        index = bisect_left(range(len(order) - 1), share - 1e-9, key=largest_share)
        bounds.append(float(order[index]))
    return bounds[0] + line.spacing, bounds[1]
