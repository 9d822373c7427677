"""The distribution of an unseen number, known only up to where its mass lies inside intervals.

The most likely chances of the ranges are one set of numbers, the masses may be many: where all
ranges that hold a place hold one of two others too, say. Ranges of one piece never leave a choice:
every place is the last of one of them and the first of one, so they tie all levels of F together.
Two curves drawn through it rise everywhere; how much they do from one cut to the next, in standard
errors, decides the law of F(t). A smooth distribution comes at the end.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.identification import describe_piece, directions
from askance.channels.ranges import Ranges, single_numbers
from askance.chart import CUMULATIVE, Axis, Chart, MarkKind, Series, chart_frame, draw_in_unit
from askance.inference.fit_result import Convergence, GoodnessOfFit, Untested
from askance.inference.provenance import Computation
from askance.inference.ranges.support import (
    OrderedEnds,
    RangeRows,
    RowGroup,
    collapsed,
    narrower,
    observed,
    piece_weights,
    ranks,
)
from askance.results import (
    Listing,
    counted,
    json_of,
    keep_doubles,
    listed,
    number,
    numbers,
    plain_json,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_ROUNDING = 1e-12  # of a share
_AROUND = 0.15  # of the population to either side, for the slope of F


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Distribution:
    """Masses on disjoint intervals ``(lower, upper]``; where inside them is not known.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        Ends of the intervals in ascending order; infinite where no cut was drawn.
    mass : array, shape (m,)
        The mass of each, positive, summing to one.
    n : float
        How many numbers were observed, counting weights.
    gap : float
        At most this much mean log-likelihood is missing to the maximum.
    method : str
    convergence : Convergence
    zero_pieces : tuple of (float, float)
        Parts of the line that no report can come from: the masses are shares of the rest.
    non_identified : tuple of (float, float)
        Intervals of which the ranges tell only sums of masses; how they are divided here is one
        choice of many.
    null_directions : array, shape (d, m)
        The directions in which masses can move though every report keeps its chance, of being sent
        and, where nulls are counted, of being one: ``mass + z @ null_directions`` is as likely
        wherever it is not negative.
    ignores_selection : bool
        Whether ranges were fitted as though all had been sent, though some were withheld.
    """

    computation: ClassVar[Computation] = Computation.DISTRIBUTION
    lower: Floats
    upper: Floats
    mass: Floats
    n: float
    gap: float
    method: str
    convergence: Convergence
    zero_pieces: tuple[tuple[float, float], ...] = ()
    non_identified: tuple[tuple[float, float], ...] = ()
    null_directions: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    ignores_selection: bool = False

    def cdf_bounds(self, points: Any) -> tuple[Floats, Floats]:
        """Bound the share of numbers up to each point.

        Parameters
        ----------
        points : array_like

        Returns
        -------
        low, high : arrays of the shape of ``points``
            Low counts the intervals that end by then, high those that have begun, each with the
            masses that trades make lowest, or highest.
        """
        points = numbers(points, "cdf_bounds.points")
        least, most = levels(self.mass, self.null_directions)
        low, high = self._count_passed(points)
        return read_only(least[low]), read_only(most[high])

    def _count_passed(self, points: Floats) -> tuple[Integers, Integers]:
        """Count the intervals that end by each point, and those that have begun."""
        ended = np.searchsorted(self.upper, points, side="right")
        return ended, np.searchsorted(self.lower, points, side="left")

    def cdf(self, points: Any) -> Floats:
        """The share of numbers up to each point, masses spread evenly over their intervals.

        A mass on an unbounded interval counts half inside it. The truth lies anywhere between
        `cdf_bounds`; this is one line through the middle, for a figure.
        """
        points = numbers(points, "cdf.points")
        upto = levels(self.mass, self.null_directions[:0])[0]
        ended, begun = self._count_passed(points)
        low, high = upto[ended], upto[begun]
        cell = np.searchsorted(self.upper, points, side="left").clip(0, len(self.upper) - 1)
        start, end = self.lower[cell], self.upper[cell]
        bounded = np.isfinite(start) & np.isfinite(end)
        width = np.where(bounded, end - start, 1.0)
        near = np.clip(points, start, end)
        part = np.where(bounded, (near - np.where(bounded, start, 0.0)) / width, 0.5)
        return read_only(low + (high - low) * part)

    def sf(self, points: Any) -> Floats:
        """The share of numbers above each point: 1 − `cdf`."""
        return read_only(1 - self.cdf(points))

    def ppf(self, share: Any) -> Floats:
        """The number up to which each share lies: the inverse of `cdf`; NaN outside [0, 1]."""
        shares = numbers(share, "ppf.share")
        upto = levels(self.mass, self.null_directions[:0])[0]
        cell = np.searchsorted(upto[1:], shares, side="left").clip(0, len(self.mass) - 1)
        start, end = self.lower[cell], self.upper[cell]
        part = (np.clip(shares, 0, 1) - upto[cell]) / self.mass[cell]
        bounded = np.isfinite(start) & np.isfinite(end)
        width = np.where(bounded, end - np.where(bounded, start, 0.0), 0.0)
        inside = np.where(bounded, start, 0.0) + part * width
        quantiles = np.where(bounded, inside, np.where(part <= 0.5, start, end))
        return read_only(np.where((shares >= 0) & (shares <= 1), quantiles, np.nan))

    @checked
    def log_likelihood(self, ranges: Ranges) -> float:
        """The log-likelihood Σ w log P(range) of ranges, those fitted or others.

        Mass counts where its whole interval lies in the range, as it does for the ranges that the
        distribution was fitted to; for others this is the least that the chances can be, shares
        divided as here. Of truncated ranges it is Σ w log P(range)/P(window). Selection is left out
        of account.

        >>> from askance.inference.ranges.npmle import npmle
        >>> ranges = Ranges([0, 2], [2, 4], counts=[1, 3])
        >>> round(npmle(ranges).log_likelihood(ranges), 6)  # log 1/4 + 3 log 3/4
        -2.249341
        """
        ranges = observed(ranges)
        ranges = ranges[narrower(ranges)]
        chance, windows = self._chances(ranges), ranges.windows
        if windows is not None:
            window_chance = self._chances(windows)
            chance = np.divide(
                chance, window_chance, out=np.zeros(len(chance)), where=window_chance > 0
            )
        with np.errstate(divide="ignore"):
            return float(ranges.weights @ np.log(chance))

    def _chances(self, ranges: Ranges) -> Floats:
        """The mass of all intervals that lie in each range."""
        upto = levels(self.mass, self.null_directions[:0])[0]
        first = np.searchsorted(self.lower, ranges.lower, side="left")
        last = np.searchsorted(self.upper, ranges.upper, side="right")
        piece_mass = upto[np.maximum(first, last)] - upto[first]
        return np.add.reduceat(piece_mass, ranges.starts[:-1]) if len(ranges) else piece_mass

    @checked
    def quantile(self, share: float) -> tuple[float, float]:
        """Bound the number that this share of the population does not exceed: ``(low, high]``.

        Of a number that was told exactly both are that number.

        Raises
        ------
        InputError
            If the share is not in (0, 1].
        """
        if not 0 < share <= 1:
            raise InputError("quantile", got=share, allowed="a share in (0, 1]")
        least, most = levels(self.mass, self.null_directions)[:, 1:]
        last, goal = len(self.mass) - 1, share * (1 - _ROUNDING)
        first, final = (min(int(np.searchsorted(upto, goal)), last) for upto in (most, least))
        low = self.upper if single_numbers(self.lower, self.upper)[first] else self.lower
        return float(low[first]), float(self.upper[final])

    @checked
    def mean_bounds(self, support: tuple[float, float] | None = None) -> tuple[float, float]:
        """Bound the mean: every mass at the lower end of its interval, then at the upper.

        Parameters
        ----------
        support : (float, float), optional
            Declared bounds of the number, which make unbounded intervals finite. Without them a
            mass on an unbounded interval makes the bound infinite.
        """
        low, high = support if support is not None else (-np.inf, np.inf)
        if not low < high or (self.lower >= high).any() or (self.upper < low).any():
            allowed = "(low, high) that cuts no interval with mass away"
            raise InputError("mean_bounds.support", got=support, allowed=allowed)
        ends = np.maximum(self.lower, low), np.minimum(self.upper, high)
        return extremes(self.mass, self.null_directions, *ends)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the distribution for JSON; None is an end that is infinite."""
        names = "lower upper mass n gap method unseen=zero_pieces confounded=non_identified"
        return json_of(self, names) | self.convergence.to_dict()

    def _frame(self) -> Any:
        is_exact = single_numbers(self.lower, self.upper)
        columns = {"lower": np.where(is_exact, self.upper, self.lower), "upper": self.upper}
        return columns | {"mass": self.mass, "up to": np.cumsum(self.mass)}

    def _table(self) -> Listing:
        upto = np.cumsum(self.mass)
        rows = [
            [describe_piece((low, high)), number(mass), number(share)]
            for low, high, mass, share in zip(self.lower, self.upper, self.mass, upto, strict=True)
        ]
        if len(rows) > 24:
            rows = [*rows[:12], ["…", "", ""], *rows[-11:]]
        notes = [
            f"{counted(self.n, 'range')}; {self.method}; gap {self.gap:.1e}; "
            f"{self.convergence.value}",
        ]
        if self.zero_pieces:
            notes.append(
                f"shares of the rest: nobody is observed from {_list_pieces(self.zero_pieces)}"
            )
        if self.non_identified:
            notes.append(
                f"only sums are identified of the shares in {_list_pieces(self.non_identified)}"
            )
        return "distribution of an unseen number", ["interval", "mass", "up to"], rows, notes

    def _chart(self) -> Chart:
        """Describe the cumulative share as steps: boxes where the ranges leave it open."""
        ends = np.unique(np.concatenate([self.lower, self.upper]))
        edges = self._add_margins(ends[np.isfinite(ends)])
        steps = Series(
            mark=MarkKind.STEP,
            label="share; a box where it is unknown",
            x=edges[:-1],
            x_end=edges[1:],
            low=self.cdf_bounds(edges[:-1])[0],
            high=self.cdf_bounds(edges[1:])[1],
        )
        limits = float(edges[0]), float(edges[-1])
        return Chart(series=(steps,), x=Axis(name="value", limits=limits, fits=False), y=CUMULATIVE)

    plot = draw_in_unit
    plot_data = chart_frame

    def _add_margins(self, ends: Floats) -> Floats:
        """Add a margin at both sides, in which masses without an end are seen."""
        first, last = (ends[0], ends[-1]) if len(ends) else (0.0, 1.0)
        margin = 0.05 * (last - first) or 0.5
        return np.concatenate([[first - margin], ends, [last + margin]])

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _list_pieces(pieces: tuple[tuple[float, float], ...]) -> str:
    names = [describe_piece(piece) for piece in pieces]
    return ", ".join(names if len(names) <= 8 else [*names[:4], "…", *names[-3:]])


_TIGHT = 1e-6
_NOTHING = 1e-9
_NEAR, _CENTRED, _MOST_TURNS = 0.25, 1e-10, 100  # full steps within a quarter of the centre


def null_directions(runs: RangeRows, support: Integers) -> Floats:
    """All directions in which the masses of a support can move, shape (d, places).

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.support import intersections
    >>> rings = Ranges.unions([[(0, 1), (2, 3)], [(1, 2), (3, 4)]])
    >>> null_directions(intersections(rings).runs, np.arange(4)).shape
    (2, 4)
    """
    tied = _tie_levels(runs, support)
    parts = int(tied.max()) + 1
    if parts == 1:
        return np.zeros((0, len(support)))
    levels = tied[ranks(runs.m, support)]
    rows = [
        _piece_levels(collapsed(part, parts - 1, [levels] * len(part.ends)), 0)
        for part in runs.parts
        if not _is_single(part)
    ]
    rows = rows or [np.zeros((2, 1, 1), dtype=np.int64)]
    low, high = np.concatenate([row.reshape(2, -1) for row in rows], axis=1)
    count = np.concatenate([np.full(row.shape[1], row.shape[2]) for row in rows])
    free = directions(low, high, np.cumsum(np.append(0, count)), parts)[tied]
    moves = np.diff(free, axis=0).T
    return np.where(np.abs(moves) > _NOTHING, moves, 0.0)


def _tie_levels(runs: RangeRows, support: Integers) -> Integers:
    """Assign one number to all levels that ranges of one piece tie together.

    The whole is such a range, since all masses sum to one; so is a place that was observed exactly.
    The lowest level and the highest are number 0.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    s, rank = len(support), ranks(runs.m, support)
    ends = [np.array([[0], [s]]), np.stack([rank[runs.points], rank[runs.points + 1]])]
    ends += [
        _piece_levels(collapsed(part, s, [rank] * len(part.ends)), s)[..., 0]
        for part in filter(_is_single, runs.parts)
    ]
    low, high = np.concatenate(ends, axis=1)
    graph = csr_array((np.ones(len(low)), (low, high)), shape=(s + 1, s + 1))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _is_single(part: RowGroup) -> bool:
    return len(part.ends) + part.reach <= 2


def _piece_levels(part: RowGroup, last: int) -> Integers:
    """The levels at both ends of each piece, shape (2, rows, pieces)."""
    before = (len(part.ends) + part.reach) % 2
    ends = np.pad(np.stack(part.ends), ((before, part.reach), (0, 0)))
    if part.reach:
        ends[-1] = last
    return np.stack([ends[::2].T, ends[1::2].T])


def shared_out(runs: RangeRows, mass: Floats) -> tuple[Floats, Floats]:
    """Assign a share to every place that may have one in some most likely distribution.

    Of all such divisions it is the analytic centre, whichever was found.

    Returns
    -------
    mass : array, shape (m,)
    moves : array, shape (d, places)
        The trades of the places that have mass now.
    """
    none = np.zeros((0, np.count_nonzero(mass)))
    if all(map(_is_single, runs.parts)):
        return mass, none
    slope = runs.pull(runs.chances(mass)) / runs.n
    return divided(mass, slope, lambda support, _: null_directions(runs, support))


def divided(
    mass: Floats, slope: Floats, trades: Callable[[Integers, Floats], Floats]
) -> tuple[Floats, Floats]:
    """Divide masses as `shared_out` does, where trades of some places and their masses are known.

    Parameters
    ----------
    mass : array, shape (m,)
        Most likely masses that sum to one, whichever.
    slope : array, shape (m,)
        What the likelihood gains by each, over what it costs: 1 where mass may be.
    trades : callable
        From some places and their masses to the directions in which these can move.
    """
    none = np.zeros((0, np.count_nonzero(mass)))
    candidates = np.flatnonzero((mass > 0) | (slope >= 1 - _TIGHT))
    moves, vertices = trades(candidates, mass[candidates]), [mass[candidates]]
    if not len(moves):
        return mass, none
    for index in np.flatnonzero((mass[candidates] == 0) & np.any(moves, axis=0)):
        vertex, _ = furthest(mass[candidates], moves, np.eye(len(candidates))[index])
        vertices += [vertex] * bool(vertex[index] > _NOTHING)
    shares = np.zeros(len(mass))
    shares[candidates] = np.mean(vertices, axis=0)
    support = np.flatnonzero(shares)
    if len(support) < len(candidates):
        moves = trades(support, shares[support])
    shares[support] = centred(shares[support], moves)
    return shares, moves if len(moves) else np.zeros((0, len(support)))


def centred(mass: Floats, moves: Floats) -> Floats:
    """Divide positive masses as the trades allow with the largest product: their analytic centre.

    There is one, wherever the division began: no rounding on the way there decides what is shown.

    >>> centred(np.array([0.1, 0.5, 0.4]), np.array([[1.0, -1.0, 0.0]])).round(9).tolist()
    [0.3, 0.3, 0.4]
    """
    for _ in range(_MOST_TURNS if len(moves) else 0):
        slopes = moves / mass
        gain = slopes.sum(axis=1)
        step = np.linalg.lstsq(slopes @ slopes.T, gain)[0]
        far = np.sqrt(max(float(gain @ step), 0.0))
        mass = mass + step @ moves / (1 + far * (far > _NEAR))
        if far < _CENTRED:
            break
    return mass


def furthest(mass: Floats, moves: Floats, value: Floats) -> tuple[Floats, Floats]:
    """Find the masses of the largest Σ mass · value that trades reach, and what bars more.

    Returns
    -------
    mass : array, shape (m,)
    spared : array, shape (m,)
        By how much less each place is worth than its chances are elsewhere: trades change Σ mass ·
        (value + spared) no more. 0 where mass is left.
    """
    unit = max(float(np.abs(value).max()), np.finfo(float).tiny)
    gain = moves @ (value / unit) if len(moves) else np.zeros(0)
    if not np.any(np.abs(gain) > _NOTHING):
        return mass, np.zeros(len(mass))
    from scipy.optimize import linprog  # seldom needed, and slow to load

    solution: Any = linprog(-gain, A_ub=-moves.T, b_ub=mass, bounds=(None, None))
    return (mass + solution.x @ moves).clip(0), -unit * solution.ineqlin.marginals


def extremes(mass: Floats, moves: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """The least Σ mass · low and the largest Σ mass · high that trades reach.

    >>> extremes(np.array([0.5, 0.5]), np.array([[1.0, -1.0]]), np.zeros(2), np.arange(2.0))
    (0.0, 1.0)
    """
    least = furthest(mass, moves, -low)[0] if np.isfinite(low).all() else mass
    most = furthest(mass, moves, high)[0] if np.isfinite(high).all() else mass
    return float(least @ low), float(most @ high)


def levels(mass: Floats, moves: Floats) -> Floats:
    """The least and the largest share before each place that trades reach, shape (2, m + 1).

    >>> levels(np.full(4, 0.25), np.array([[1.0, 0, -1, 0], [0, 1, 0, -1]])).tolist()
    [[0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0]]
    """
    upto, order = np.append(0.0, np.cumsum(mass)), np.arange(len(mass))
    bounds = np.minimum(np.tile(upto / max(upto[-1], _NOTHING), (2, 1)), 1.0)
    cumulative = np.cumsum(np.pad(moves.T, ((1, 0), (0, 0))), axis=0).round(9)
    for move in np.unique(cumulative, axis=0) if len(moves) else ():
        indices = np.flatnonzero((cumulative == move).all(axis=1))
        before = (order < indices[0]).astype(float)
        for row, sign in enumerate((-1, 1)):
            bounds[row, indices] += before @ (furthest(mass, moves, sign * before)[0] - mass)
    bounded: Floats = bounds.clip(0, 1)
    return bounded


def two_curves(fit: Distribution, numbers: Floats, answers: float = 1.0) -> tuple[Floats, Floats]:
    """F at ascending numbers, rising everywhere: masses where they are, then spread out.

    What makes F rise everywhere counts as so many answers more, spread over the whole line.
    """
    return _make_rising(fit, fit.cdf(numbers), answers), spread_curve(fit, numbers, answers)


def spread_curve(
    fit: Distribution, numbers: Floats, answers: float = 1.0, nobody: float = 0.0
) -> Floats:
    """The second of `two_curves`, without masses of so little of one person.

    A number that was told exactly keeps its mass, as in the first: it is known where that lies.
    """
    has_mass = fit.mass >= min(nobody / fit.n, nobody) * fit.mass.sum()
    lower, upper, mass = fit.lower[has_mass], fit.upper[has_mass], fit.mass[has_mass]
    is_exact, halfway = single_numbers(lower, upper), (upper[:-1] + lower[1:]) / 2
    start = np.where(is_exact, lower, np.append(numbers[0], halfway))
    end = np.where(is_exact, upper, np.append(halfway, numbers[-1]))
    upto = np.append(0.0, np.cumsum(mass)) / mass.sum()
    edges, levels = np.stack([start, end]), np.stack([upto[:-1], upto[1:]])
    spread = np.interp(numbers, edges.ravel(order="F"), levels.ravel(order="F"))
    return _make_rising(fit, spread, answers)


_NOBODY = 0.02  # of a person: what a maximisation may leave of a mass that is none


def _make_rising(fit: Distribution, curve: Floats, answers: float) -> Floats:
    even = np.linspace(0, 1, len(curve))
    return (fit.n * curve + answers * even) / (fit.n + answers)


def rises(cuts: OrderedEnds, fit: Distribution, points: Floats) -> Floats:
    """How much F rises from one cut to the next near each point, in standard errors.

    That error is what those whose range ends at the cut leave if all else is known,
    1/√(Σ w / P(range)²); for one cut a person it is √(F(1 − F)/n) of those asked there. The slope
    of F is that over the nearest 15 % of the population to either side, between the outer cuts.

    Parameters
    ----------
    cuts : OrderedEnds
    fit : Distribution
    points : array, shape (k,)
        Points among the cuts.

    Returns
    -------
    array, shape (k,)
    """
    ends = cuts.ends
    if len(ends) < 2:
        return np.full(len(points), np.inf)
    span = ends[-1] - ends[0]
    numbers = np.concatenate([[ends[0] - span], ends, [ends[-1] + span]])
    curve = spread_curve(fit, numbers, nobody=_NOBODY)
    information = _information(cuts, curve[1:-1])
    before = np.searchsorted(ends, points, side="right") - 1
    after = np.minimum(before + (ends[before] < points), len(ends) - 1)
    first, last = np.maximum(before - 1, 0), np.minimum(after + 1, len(ends) - 1)
    step = (ends[last] - ends[first]) / np.maximum(last - first, 1)
    share = np.interp(points, numbers, curve)
    rise: Floats = (
        step
        * _slope(share, numbers, curve)
        * np.sqrt((information[before] + information[after]) / 2)
    )
    return rise


def _slope(share: Floats, numbers: Floats, curve: Floats) -> Floats:
    """The slope of a curve around shares, beyond the outer cuts if it has none between."""
    low, high = np.maximum(share - _AROUND, 0), np.minimum(share + _AROUND, 1)
    least, most = np.maximum(low, curve[1]), np.minimum(high, curve[-2])
    rises = least < most
    low, high = np.where(rises, least, low), np.where(rises, most, high)
    edges = np.where(rises, numbers[1], numbers[0]), np.where(rises, numbers[-2], numbers[-1])
    first, last = (np.clip(np.interp(level, curve, numbers), *edges) for level in (low, high))
    return (high - low) / (last - first)


def information_at_ends(cuts: OrderedEnds, fit: Distribution) -> Floats:
    """What is known of F at each end if all else is, by the fit with its masses spread, (c,)."""
    ends = cuts.ends
    span = ends[-1] - ends[0]
    numbers = np.concatenate([[ends[0] - span], ends, [ends[-1] + span]])
    return _information(cuts, spread_curve(fit, numbers, nobody=_NOBODY)[1:-1])


def _information(cuts: OrderedEnds, curve: Floats) -> Floats:
    """Add up w/P² over the ranges that end at each cut, shape (c,)."""
    ranges, upto = cuts.ranges, np.concatenate([[0.0], curve, [1.0]])
    chance = upto.take(cuts.past) - upto.take(cuts.first)
    if not ranges.is_single_piece:
        piece = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
        chance = np.bincount(piece, chance)[piece]
    return cuts.summed(piece_weights(ranges) / np.maximum(chance, 1 / (ranges.total + 1)) ** 2)


_KERNEL = np.polynomial.Polynomial([35 / 32, 0, -105 / 32, 0, 105 / 32, 0, -35 / 32])
_UPTO = _KERNEL.integ(lbnd=-1)
_UPTO_UPTO = _UPTO.integ(lbnd=-1)
_NARROW = 1e-4  # bandwidths: an interval so short is widened, for its own width is divided by


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmoothDistribution:
    """A distribution with a density: masses spread by a kernel, reflected at the support's ends.

    Attributes
    ----------
    fit : Distribution
        What was smoothed.
    support : (float, float)
    bandwidth : float
        How far mass is spread to either side.
    lower, upper : array, shape (m,)
        The intervals of the fit, cut to the support; mass is spread evenly inside them first.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> curve = smoothed(npmle(Ranges([0, 2], [2, 4])), (0, 4), bandwidth=1.5)
    >>> curve.cdf([0, 2, 4]).round(12).tolist()
    [0.0, 0.5, 1.0]
    """

    computation: ClassVar[Computation] = Computation.SMOOTH_DISTRIBUTION
    fit: Distribution
    support: tuple[float, float]
    bandwidth: float
    lower: Floats
    upper: Floats

    def __post_init__(self) -> None:
        keep_doubles(self)

    def cdf(self, points: Any) -> Floats:
        """The share of numbers up to each point."""
        points = np.clip(numbers(points, "cdf.points"), *self.support)
        low, high = self.support
        inside = self._spread(points) - self._spread(2 * low - points)
        return read_only(inside + 1 - self._spread(2 * high - points))

    def density(self, points: Any) -> Floats:
        """The density at each point; 0 outside the support."""
        requested, (low, high) = numbers(points, "density.points"), self.support
        points = np.clip(requested, low, high)
        density = sum(
            self._spread(reflected, 1)
            for reflected in (points, 2 * low - points, 2 * high - points)
        )
        return read_only(np.where(points == requested, density, 0.0))

    def _spread(self, points: Floats, order: int = 0) -> Floats:
        """Average the kernel, integrated once or not at all, over where each mass may lie."""
        h, shape = self.bandwidth, points.shape
        near = np.maximum(self.upper - self.lower, _NARROW * h)
        middle = (self.upper + self.lower) / 2
        above, once = (_UPTO, _KERNEL)[order], (_UPTO_UPTO, _UPTO)[order]
        flat = points.reshape(-1, 1)
        start, end = (flat - middle + near / 2) / h, (flat - middle - near / 2) / h
        beyond = np.maximum(start, 1.0) - np.maximum(end, 1.0)
        inner = once(np.clip(start, -1, 1)) - once(np.clip(end, -1, 1)) + above(1.0) * beyond
        average: Floats = (inner / near * h / h**order) @ self.fit.mass
        return average.reshape(shape)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the curve for JSON: its settings, and cdf and density at 201 points."""
        places = np.linspace(*self.support, 201)
        written: Json = plain_json(
            {
                "support": self.support,
                "bandwidth": self.bandwidth,
                "at": places,
                "cdf": self.cdf(places),
                "density": self.density(places),
            }
        )
        return written

    def __repr__(self) -> str:
        low, high = self.support
        return f"SmoothDistribution on [{low:g}, {high:g}], bandwidth {self.bandwidth:.4g}"

    def _chart(self) -> Chart:
        """Describe the density."""
        places = np.linspace(*self.support, 401)
        line = Series(mark=MarkKind.LINE, label="density", x=places, value=self.density(places))
        y = Axis(name="density", limits=(0, math.inf))
        return Chart(series=(line,), x=Axis(name="value"), y=y)

    def _frame(self) -> dict[str, Any]:
        written = self.to_dict()
        return {name: written[name] for name in ("at", "cdf", "density")}

    plot = draw_in_unit
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def smoothed(
    fit: Distribution, support: tuple[float, float], bandwidth: float | None = None
) -> SmoothDistribution:
    r"""Smooth the most likely distribution, for a density or for people who want a curve.

    .. math:: \tilde F(t) = \int \mathbb K\Bigl(\frac{t-u}{h}\Bigr) d\hat F(u)

    with the triweight kernel and reflection at both ends. Smoothing answers how the curve looks,
    not how well it is known: `Distribution.cdf_bounds` and `cdf_intervals` do that.

    Parameters
    ----------
    fit : Distribution
    support : (float, float)
        Declared bounds of the number.
    bandwidth : float, optional
        h; the width of the support times n to the power −1/5 if left out.

    Raises
    ------
    InputError
        If the support is infinite or cuts mass away, or the bandwidth is not positive or wider than
        the support.

    References
    ----------
    Groeneboom, Jongbloed & Witte (2010), for one cut a person; the power −1/5 is theirs.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> smoothed(npmle(Ranges([0, 2], [2, 4], counts=[16, 16])), (0, 4))
    SmoothDistribution on [0, 4], bandwidth 2
    """
    low, high = support
    lower, upper = np.maximum(fit.lower, low), np.minimum(fit.upper, high)
    if not (np.isfinite(low) and np.isfinite(high) and low < high) or np.any(lower >= upper):
        raise InputError(
            "smoothed.support", got=support, allowed="finite (low, high) that cuts no mass away"
        )
    h = (high - low) * fit.n**-0.2 if bandwidth is None else bandwidth
    if not 0 < h <= high - low:
        raise InputError("smoothed.bandwidth", got=h, allowed=f"a width in (0, {high - low}]")
    return SmoothDistribution(
        fit=fit, support=(float(low), float(high)), bandwidth=float(h), lower=lower, upper=upper
    )
