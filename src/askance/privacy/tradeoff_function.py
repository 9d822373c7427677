"""Trade-off functions: the least type II error of a test at each type I error."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result
from askance.results import Listing, doubles, listed, number, read_only, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import loss_reach
from askance_collect.exact.ratio import chance
from askance_collect.exact.ratio import read_integer as read_whole

Number = Fraction | float
Point = tuple[Number, Number]
Exact = tuple[tuple[Fraction, Fraction], ...]


def lower_hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the lower convex hull of points, by ascending α (Andrew, 1979).

    >>> lower_hull([(0, 1), (0.5, 0.75), (0.5, 0.25), (1, 0)])
    [(0, 1), (0.5, 0.25), (1, 0)]
    """
    corners: list[Point] = []
    for a, b in ascending(sorted(points)):
        while len(corners) > 1:
            (a0, b0), (a1, b1) = corners[-2:]
            if (b1 - b0) * (a - a0) < (b - b0) * (a1 - a0):
                break
            corners.pop()
        corners.append((a, b))
    return corners


def ascending(points: Iterable[Point]) -> list[Point]:
    """Keep the first of equal α, and let nothing rise.

    >>> ascending([(0, 0.75), (0, 1), (0.5, 0.8), (1, 0)])
    [(0, 0.75), (0.5, 0.75), (1, 0)]
    """
    rising: list[Point] = []
    for a, b in points:
        if not rising or a > rising[-1][0]:
            rising.append((a, min(b, rising[-1][1]) if rising else b))
    return rising


def together(first: Exact, second: Exact) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Read two curves at the knots of both and where they cross: (α, first, second).

    >>> line, step = ((0, 1), (1, 0)), ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    >>> [tuple(map(float, read)) for read in together(line, step)]
    [(0.0, 1.0, 0.5), (0.5, 0.5, 0.5), (1.0, 0.0, 0.5)]
    """
    grid = sorted({a for a, _ in first} | {a for a, _ in second})
    read = list(zip(grid, values_at(first, grid), values_at(second, grid), strict=True))
    points = read[:1]
    for (a0, b0, c0), (a1, b1, c1) in pairwise(read):
        if (b0 - c0) * (b1 - c1) < 0:
            part = (b0 - c0) / ((b0 - c0) - (b1 - c1))
            crossing = b0 + part * (b1 - b0)
            points.append((a0 + part * (a1 - a0), crossing, crossing))
        points.append((a1, b1, c1))
    return points


def values_at(knots: Exact, grid: Sequence[Fraction]) -> list[Fraction]:
    """Read a curve at ascending arguments.

    >>> values_at(((0, 1), (1, 0)), [Fraction(1, 4)])
    [Fraction(3, 4)]
    """
    values, index = [], 0
    for a in grid:
        while knots[index + 1][0] < a:
            index += 1
        (a0, b0), (a1, b1) = knots[index : index + 2]
        values.append(b0 + (b1 - b0) * (a - a0) / (a1 - a0))
    return values


_LEAST = 5e-324  # the smallest double: a chance below it is none that a double can hold
_BELOW_ONE = 1 - 2.0**-53
_NEAR_ONE = 1 - 2.0**-10  # beyond it, a number is read by its distance from 1
_SLACK = 2.0**-34  # so much of itself a sum of ten thousand reports' chances may lose to rounding
_LOST = 1e-140  # what sums of reports leave out, and more
_UNITS = 1074  # every double is a whole multiple of 2^−1074
_TABLE_ROWS = 24
_LINE = {"linewidth": 1.5, "clip_on": False, "zorder": 3}


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class TradeoffFunction:
    """Trade-off function (f-DP): the type II error β at each type I error α, linear in between.

    Someone who must tell from a report whether the answer is x or x′ accuses wrongly with chance α
    and misses with chance β. The curve need not be convex. A higher curve is more private; 1 − α is
    blind guessing.

    Parameters
    ----------
    knots : sequence of pairs, or array of shape (m, 2)
        Points (α, β): α ascending from 0 to 1, β never rising, both chances. Where all numbers are
        fractions or integers they are kept exactly.

    Attributes
    ----------
    knots : array, shape (m, 2)
        In doubles. Where several lie between two doubles, one knot holds the value of the curve.
    exact : tuple of pairs of Fraction, or None
        The same, exactly, with no knot that a straight line makes needless.

    Raises
    ------
    InputError
        If there are fewer than two knots, or they are not such a curve.

    References
    ----------
    Dong, Roth & Su (2022), Definition 2.1.

    >>> curve = TradeoffFunction([(0, 1), (Fraction(1, 4), Fraction(1, 4)), (1, 0)])
    >>> curve.beta(0.05), curve.exact_beta("1/20"), curve.advantage
    (0.85, Fraction(17, 20), Fraction(1, 2))
    """

    knots: Floats
    exact: Exact | None
    _ends: Floats

    # α, β, 1 − α and 1 − β of every knot, each to its own rounding: what is near 1 keeps as many
    # digits as what is near 0, so that slopes of any size can be read and turned

    def __init__(self, knots: Sequence[Point] | npt.ArrayLike) -> None:
        pairs = _pairs(knots)
        wrong = _describe_fault(pairs)
        if wrong:
            raise InputError(
                "TradeoffFunction.knots",
                got=wrong,
                allowed="two or more pairs (α, β): α strictly ascending from 0 to 1, "
                "β in [0, 1] and never rising",
            )
        exact = _drop_collinear(pairs)
        four = (*pairs.T, *(1 - pairs.T)) if exact is None else _round_coordinates(exact)
        _set_attributes(self, _order_knots(*four), exact)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TradeoffFunction):
            return NotImplemented
        return self.exact == other.exact and np.array_equal(self._ends, other._ends)

    def __hash__(self) -> int:
        return hash(self.knots.tobytes())

    def beta(self, alpha: npt.ArrayLike) -> Any:
        """The type II error at a type I error.

        Of a curve that is nowhere above blind guessing, rounding makes it no more than 1 − α.

        Parameters
        ----------
        alpha : float or array_like
            Chances.

        Returns
        -------
        float or array of the shape of ``alpha``

        Raises
        ------
        InputError
            If a number is not in [0, 1].
        """
        levels = doubles(alpha, "TradeoffFunction.beta")
        if not np.all((levels >= 0) & (levels <= 1)):
            raise InputError("TradeoffFunction.beta", got=alpha, allowed="chances in [0, 1]")
        betas = _interpolate_beta(self._ends, levels)
        knots, misses, specific, _ = self._ends
        if (misses <= np.maximum(specific, 1 - knots)).all():
            betas = np.minimum(betas, 1 - levels)
        return betas if levels.ndim else float(betas)

    def exact_beta(self, alpha: object) -> Fraction:
        """The type II error of the knots as they are, in exact arithmetic.

        Raises
        ------
        InputError
            If α is not a number in [0, 1].
        """
        return Fraction(values_at(self.points(), [chance(alpha, "TradeoffFunction.exact_beta")])[0])

    def points(self) -> Exact:
        """List the knots as fractions: those given, or the doubles as they are."""
        if self.exact is not None:
            return self.exact
        return tuple(zip(*(_fractions(*self._ends[side::2]) for side in (0, 1)), strict=True))

    @property
    def advantage(self) -> Number:
        """The most that 1 − α − β reaches: the total variation distance on a convex curve.

        References
        ----------
        Dong, Roth & Su (2022), section 2.
        """
        if self.exact is not None:
            return max(1 - a - b for a, b in self.exact)
        alpha, beta, specific, power = self._ends
        return float(np.where(alpha <= _NEAR_ONE, power - alpha, specific - beta).max())

    @property
    def convex(self) -> bool:
        """Whether no mixture of two tests would beat the curve; in doubles, to rounding."""
        if self.exact is not None:
            return _is_convex(self.exact)
        shallowest, steepest = _slopes(self._ends)
        return bool((np.minimum.accumulate(steepest)[:-1] >= shallowest[1:]).all())

    @checked
    def is_at_least_as_strong(self, other: "TradeoffFunction") -> bool:
        """Say whether this curve lies nowhere below another: it is at least as private.

        Compared exactly where both are exact. Where one is in doubles, rounding is allowed for: six
        parts in 10¹¹ of each error, or of its difference from 1 where that is smaller, and what no
        sum of reports keeps: 10⁻¹⁴⁰.
        """
        if self.exact is not None and other.exact is not None:
            return all(mine >= its for _, mine, its in together(self.exact, other.exact))
        its = _loosen(other._ends)
        alpha, specific = np.concatenate([self._ends[::2], its[::2]], axis=1)
        (beta, power), (low, rest) = (
            [_interpolate_beta(ends[[0, side, 2]], alpha, specific) for side in (1, 3)]
            for ends in (self._ends, its)
        )
        above = np.where(low <= _NEAR_ONE, beta >= low * _BELOW_ONE, power * _BELOW_ONE <= rest)
        return bool(above.all())

    @checked
    def minimum(self, other: "TradeoffFunction") -> "TradeoffFunction":
        """The lower of two curves at each α: what holds when either test may be used."""
        return self._combine(other, min)

    @checked
    def maximum(self, other: "TradeoffFunction") -> "TradeoffFunction":
        """The higher of two curves at each α: two bounds that both hold."""
        return self._combine(other, max)

    def _combine(self, other: "TradeoffFunction", pick: Callable[..., Any]) -> "TradeoffFunction":
        points = [(a, pick(b, c)) for a, b, c in together(self.points(), other.points())]
        if self.exact is not None and other.exact is not None:
            return TradeoffFunction(points)
        return curve_of(*_round_coordinates(points))

    def reflected(self) -> "TradeoffFunction":
        """1 − β(1 − α): a bound on errors, turned into a bound from the other side."""
        if self.exact is not None:
            return TradeoffFunction([(1 - a, 1 - b) for a, b in reversed(self.exact)])
        return _set_attributes(
            object.__new__(TradeoffFunction), self._ends[[2, 3, 0, 1], ::-1], None
        )

    def hull(self) -> "TradeoffFunction":
        """The greatest convex curve that is nowhere above: what mixing tests attains."""
        if self.exact is not None:
            return TradeoffFunction(
                [self.exact[index] for index in _corners(_scale_to_integers(self.exact))]
            )
        points = [*zip(*(_units(*self._ends[side::2]) for side in (0, 1)), strict=True)]
        return _set_attributes(
            object.__new__(TradeoffFunction), self._ends[:, _corners(points)], None
        )

    def to_dict(self) -> Json:
        """Write the curve for JSON; fractions as strings where it is exact."""
        exact = None if self.exact is None else [[str(a), str(b)] for a, b in self.exact]
        return {"knots": self.knots.tolist(), "exact": exact}

    def _frame(self) -> dict[str, Any]:
        return {"false_alarm": self.knots[:, 0], "miss": self.knots[:, 1]}

    def _table(self) -> Listing:
        written = self.exact or self.knots.tolist()
        rows = [[number(float(a)), number(float(b))] for a, b in written]
        if len(rows) > _TABLE_ROWS:
            rows = [*rows[: _TABLE_ROWS // 2], ["…", ""], *rows[1 - _TABLE_ROWS // 2 :]]
        notes = [f"advantage {number(float(self.advantage))}"]
        return "trade-off function", ["false alarm α", "miss β"], rows, notes

    def _chart(self) -> Chart:
        """Describe the curve, and blind guessing."""
        ends = np.array([0.0, 1.0])
        guess = Series(
            mark=MarkKind.LINE, label="blind guessing", x=ends, value=ends[::-1], is_reference=True
        )
        curve = Series(
            mark=MarkKind.LINE, label="trade-off", x=self.knots[:, 0], value=self.knots[:, 1]
        )
        return Chart(
            series=(guess, curve),
            x=Axis(name="type I error α: false alarm", limits=(0, 1), fits=False),
            y=Axis(name="type II error β: miss", limits=(0, 1), fits=False),
            is_square=True,
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _pairs(knots: Any) -> npt.NDArray[Any]:
    """Hold exact numbers as objects, all others as doubles."""
    if isinstance(knots, np.ndarray):
        return doubles(knots, "TradeoffFunction.knots")
    try:
        pairs = [tuple(pair) for pair in knots]
    except TypeError as error:
        raise InputError(
            "TradeoffFunction.knots", got=str(error), allowed="pairs (α, β)"
        ) from error
    exact = all(isinstance(value, Fraction | int) for pair in pairs for value in pair)
    return np.array(pairs, dtype=object) if exact else doubles(pairs, "TradeoffFunction.knots")


def _describe_fault(knots: npt.NDArray[Any]) -> str:
    if knots.ndim != 2 or knots.shape[1] != 2 or len(knots) < 2:
        return f"shape {knots.shape}"
    alpha, beta = knots.T
    if not (alpha[0] == 0 and alpha[-1] == 1 and (alpha[1:] > alpha[:-1]).all()):
        return f"α from {alpha[0]} to {alpha[-1]}, ascending or not"
    if not ((beta >= 0) & (beta <= 1)).all():
        return "β outside [0, 1]"
    return "" if (beta[1:] <= beta[:-1]).all() else "β that rises"


def _drop_collinear(knots: npt.NDArray[Any]) -> Exact | None:
    """Drop the knots that lie on the straight line between their neighbours."""
    if knots.dtype != object:
        return None
    corners: list[int] = []
    points = _scale_to_integers(knots.tolist())
    for index, (a, b) in enumerate(points):
        while len(corners) > 1:
            (a0, b0), (a1, b1) = (points[before] for before in corners[-2:])
            if (b1 - b0) * (a - a0) != (b - b0) * (a1 - a0):
                break
            corners.pop()
        corners.append(index)
    return tuple((Fraction(a), Fraction(b)) for a, b in knots[corners].tolist())


def _scale_to_integers(points: Sequence[Sequence[Any]]) -> list[tuple[int, int]]:
    """Write fractions as whole numbers, α and β each up to a factor: slopes compare as they did."""
    columns = []
    for values in zip(*points, strict=True):
        scale = math.lcm(*(value.denominator for value in values))
        columns.append([value.numerator * (scale // value.denominator) for value in values])
    return list(zip(*columns, strict=True))


def curve_of(alpha: Floats, beta: Floats, specific: Floats, power: Floats) -> TradeoffFunction:
    """Make a curve of doubles whose distances from 1 are known better than by subtraction.

    Knots that rounding makes one are joined, at the lowest β; β may rise by rounding only.

    Parameters
    ----------
    alpha, beta, specific, power : arrays of shape (m,)
        α from 0 to 1, β, 1 − α and 1 − β. A knot between the ends has positive α and 1 − α, however
        small: where a double holds neither, it stands for the smallest that there is.

    >>> chances = np.array([0.0, 1e-30, 1.0])
    >>> curve = curve_of(chances, chances[::-1], 1 - chances, 1 - chances[::-1])
    >>> curve.knots.tolist(), curve.reflected().knots.tolist()
    ([[0.0, 1.0], [1e-30, 1e-30], [1.0, 0.0]], [[0.0, 1.0], [0.9999999999999999, 1.0], [1.0, 0.0]])
    """
    return _set_attributes(
        object.__new__(TradeoffFunction), _order_knots(alpha, beta, specific, power), None
    )


def at_most_guessing(
    alpha: Floats, beta: Floats, specific: Floats, power: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Let no knot lie above blind guessing by rounding: β ≤ 1 − α, where α has more digits.

    >>> near = [np.array([value]) for value in (0.5, 0.5 + 2.0**-52, 0.5 + 2.0**-52, 0.5)]
    >>> [row.tolist() for row in at_most_guessing(*near)][1]
    [0.5]
    """
    guessed = np.where(alpha <= _NEAR_ONE, 1 - alpha, specific)
    lucky = np.where(specific <= _NEAR_ONE, 1 - specific, alpha)
    near = beta * (1 - _SLACK) <= guessed, lucky * (1 - _SLACK) <= power
    beta = np.where(near[0], np.minimum(beta, guessed), beta)
    return alpha, beta, specific, np.where(near[1], np.maximum(power, lucky), power)


def _set_attributes(curve: TradeoffFunction, ends: Floats, exact: Exact | None) -> TradeoffFunction:
    object.__setattr__(curve, "knots", read_only(_doubles(ends)))
    object.__setattr__(curve, "exact", exact)
    object.__setattr__(curve, "_ends", read_only(ends))
    return curve


def _round_coordinates(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[Floats, ...]:
    """Round α, β, 1 − α and 1 − β, each by itself."""
    every = [(a, b, 1 - a, 1 - b) for a, b in points]
    return tuple(np.array([float(part) for part in column]) for column in zip(*every, strict=True))


def _order_knots(alpha: Floats, beta: Floats, specific: Floats, power: Floats) -> Floats:
    """Let α ascend strictly, read by itself and near 1 by 1 − α, and let β never rise."""
    alpha, specific = alpha.copy(), specific.copy()
    for inner in (alpha[1:-1], specific[1:-1]):
        np.maximum(inner, _LEAST, out=inner)
    beta, power = np.minimum.accumulate(beta), np.maximum.accumulate(power)
    for values, rest in ((alpha, specific), (beta, power)):
        low, near = values <= _NEAR_ONE, 1 - _NEAR_ONE
        rest[low], rest[~low] = np.maximum(rest[low], near), np.minimum(rest[~low], near)
    rises = np.where(alpha[1:] <= _NEAR_ONE, np.diff(alpha), -np.diff(specific)) > 0
    is_distinct = np.append(rises, True)
    is_distinct[0] = True
    ends = np.stack([alpha, beta, specific, power])
    return ends[:, is_distinct] if not is_distinct.all() else ends


def _interpolate_beta(ends: Floats, levels: Floats, rest: Floats | None = None) -> Any:
    """Read β, from the side where the argument has more digits; it may come with 1 less itself."""
    alpha, beta, specific = ends[:3]
    low = levels <= _NEAR_ONE
    rest = 1 - levels if rest is None else rest
    betas = np.empty(levels.shape)
    betas[low] = _interpolate(alpha, beta, levels[low])
    betas[~low] = _interpolate(specific[::-1], beta[::-1], rest[~low])
    return betas


def _loosen(ends: Floats) -> Floats:
    """Lower a curve by what rounding may have raised it, knot by knot."""
    alpha, beta, specific, power = ends
    aside, off = (_SLACK * np.minimum(*ends[side::2]) for side in (0, 1))
    aside[1:-1] += _LOST
    off[1:-1] += _LOST
    return _order_knots(alpha - aside, np.maximum(beta - off, 0), specific + aside, power + off)


def _interpolate(x: Floats, y: Floats, points: Floats) -> Floats:
    """Interpolate from the nearer knot, without a slope that could overflow."""
    index = np.clip(np.searchsorted(x, points, side="right") - 1, 0, len(x) - 2)
    x0, x1, y0, y1 = x[index], x[index + 1], y[index], y[index + 1]
    part, back = (points - x0) / (x1 - x0), (x1 - points) / (x1 - x0)
    return np.asarray(np.where(part <= 0.5, y0 + part * (y1 - y0), y1 + back * (y0 - y1)))


def _doubles(ends: Floats) -> Floats:
    """Knots whose α are distinct doubles, with the curve's value where rounding moves them."""
    alpha, beta, specific, _ = ends
    near = np.where(specific > 0, np.minimum(alpha, _BELOW_ONE), 1.0)
    last = np.append(np.diff(near) > 0, True)
    shared = (near > _NEAR_ONE) | ~last | ~np.append(True, last[:-1])
    betas = np.where(shared, _interpolate_beta(ends, near), beta)[last]
    return np.column_stack([near[last], np.minimum.accumulate(betas)])


def _corners(points: Sequence[tuple[int, int]]) -> list[int]:
    """Find the points that are corners of their lower hull."""
    corners: set[object] = {*lower_hull(points)}
    return [index for index, point in enumerate(points) if point in corners]


def _is_convex(points: Exact) -> bool:
    """Say whether slopes never fall."""
    steps = [(a1 - a0, b1 - b0) for (a0, b0), (a1, b1) in pairwise(_scale_to_integers(points))]
    return all(b0 * a1 <= b1 * a0 for (a0, b0), (a1, b1) in pairwise(steps))


def _slopes(ends: Floats) -> tuple[Floats, Floats]:
    """Bound how steeply each piece falls, from both sides, for knots that are right to rounding."""
    alpha, beta, specific, power = ends
    run = np.where(alpha[:-1] <= _NEAR_ONE, np.diff(alpha), -np.diff(specific))
    fall = np.where(beta[:-1] <= _NEAR_ONE, -np.diff(beta), np.diff(power))
    loose = [_SLACK * np.minimum(*ends[side::2]) + 2 * _LEAST for side in (0, 1)]
    aside, off = (slack[:-1] + slack[1:] for slack in loose)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        shallowest = np.maximum(fall - off, 0) / (run + aside)
        steepest = (fall + off) / np.maximum(run - aside, 0)
    return shallowest, np.where(np.isnan(steepest), np.inf, steepest)


def _fractions(low: Floats, rest: Floats) -> Iterator[Fraction]:
    """Read each number from the side where it has more digits."""
    for entry, other in zip(low.tolist(), rest.tolist(), strict=True):
        yield Fraction(entry) if entry <= _NEAR_ONE else 1 - Fraction(other)


def _units(low: Floats, rest: Floats) -> Iterator[int]:
    """Write each number as a whole multiple of the smallest double."""
    for entry, other in zip(low.tolist(), rest.tolist(), strict=True):
        above, below = (entry if entry <= _NEAR_ONE else other).as_integer_ratio()
        units = above << (_UNITS + 1 - below.bit_length())
        yield units if entry <= _NEAR_ONE else (1 << _UNITS) - units


def to_integers(row: Sequence[Any]) -> tuple[int, ...]:
    """Write a row of exact numbers as whole ones, up to a factor.

    >>> to_integers([0.5, 0.25, 0.25])
    (2, 1, 1)
    """
    exact = [Fraction(entry) for entry in row]
    scale = math.lcm(*(entry.denominator for entry in exact))
    return tuple(int(entry * scale) for entry in exact)


def ranking(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Order outcomes by how much they favour the second law over the first.

    >>> ranking([3, 1, 0], [1, 3, 0])
    [1, 0]
    """
    totals = [p + q for p, q in zip(first, second, strict=True)]
    digits = 2 * max(totals).bit_length() + 1  # enough to tell any two ratios apart
    possible = [outcome for outcome, sum_of in enumerate(totals) if sum_of]
    return sorted(possible, key=lambda outcome: -((second[outcome] << digits) // totals[outcome]))


@checked
def neyman_pearson(first: Sequence[object], second: Sequence[object]) -> TradeoffFunction:
    r"""Trade-off function of two discrete distributions: least type II error at each type I error.

    .. math:: T(\alpha) = \inf\{1 - E_{p'} \varphi : E_p \varphi \le \alpha\}

    Parameters
    ----------
    first, second : sequence of numbers, shape (m,)
        p, which a test takes for true, and p′, which it looks for: over the same outcomes, each up
        to a factor. Fractions and whole numbers are kept, doubles taken as they are.

    Returns
    -------
    TradeoffFunction
        Exact; its knots are the running sums in the order of the likelihood ratio.

    Raises
    ------
    InputError
        If they are not equally many, a number is below 0 or none, or all are 0.

    References
    ----------
    Neyman & Pearson (1933), section III; Dong, Roth & Su (2022), Definition 2.1.

    >>> from askance.privacy import neyman_pearson
    >>> neyman_pearson([6, 1, 3], [1, 6, 3]).exact[1:3]
    ((Fraction(1, 10), Fraction(2, 5)), (Fraction(2, 5), Fraction(1, 10)))
    """
    null, claim = _masses(first, "first"), _masses(second, "second")
    if len(null) != len(claim):
        raise InputError(
            "neyman_pearson",
            got=f"{len(null)} and {len(claim)} outcomes",
            allowed="two laws over the same outcomes",
        )
    alarms, misses = sum(null), sum(claim)
    alarm, missed = 0, misses
    knots = [(alarm, missed)]
    for outcome in ranking(null, claim):
        alarm, missed = alarm + null[outcome], missed - claim[outcome]
        if alarm == knots[-1][0]:
            knots.pop()
        knots.append((alarm, missed))
    return TradeoffFunction([(Fraction(a, alarms), Fraction(b, misses)) for a, b in knots])


def _masses(law: Sequence[Any], name: str) -> tuple[int, ...]:
    try:
        masses = to_integers(law)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        masses = ()
    if min(masses, default=-1) < 0 or not any(masses):
        raise InputError(
            f"neyman_pearson.{name}",
            got=law,
            allowed=("numbers from 0, at least one of them above 0"),
        )
    return masses


_EXACT_BITS = 1 << 22  # so many in all the numbers of an exact curve are built in a second
_MOST = 1_000_000


@checked
def error_floor(
    epsilon: object = None, times: int = 1, *, ratio: object = None
) -> TradeoffFunction:
    r"""Trade-off function of k reports that are each ε-LDP: the least type II error allowed.

    .. math::

       f_{\varepsilon,k}(\alpha) = \max_{0 \le i \le k/2} \max\{1 - d_i - e^{(k-2i)\varepsilon}
       \alpha,\; e^{-(k-2i)\varepsilon}(1 - d_i - \alpha),\; 0\}, \quad
       d_i = \sum_{l < i} \binom{k}{l} \frac{e^{(k-l)\varepsilon} - e^{(k-2i+l)\varepsilon}}
       {(1+e^\varepsilon)^k}

    It is the curve of k replies to Warner's question at ε, so it cannot be raised. It bounds what
    is told by messages (`shafer_loss`); over several reports it does *not* bound readers who
    resolve vague reports as they like (`walley_loss`): for them use ``error_floor(k * epsilon)``.

    Parameters
    ----------
    epsilon : number, optional
        In [0, 10000], or infinite. A float stands for all logarithms that round to it.
    times : int
        k in [1, 1000000]. For many reports the curve is in doubles, each of its numbers right to
        rounding; otherwise it is exact for the ratio.
    ratio : number, optional
        e^ε instead, exactly.

    Raises
    ------
    InputError
        If not exactly one of ε and the ratio is given, or it is no such number, or ``times`` is no
        such whole number.

    References
    ----------
    Kairouz, Oh & Viswanath (2017), Theorem 3.3; for k = 1 Wasserman & Zhou (2010), Theorem 2.4; the
    two-fold bound is u² of Li, Zhou, Qin & Xu (2022), Corollary 6.

    >>> error_floor(ratio=3).beta([0.05, 0.25]).tolist()
    [0.85, 0.25]
    """
    k = read_whole(times, "times", f"a whole number in [1, {_MOST}]", 1, _MOST)
    reach = loss_reach(epsilon, ratio)
    return floor_at(reach, k) if isinstance(reach, Fraction) else TradeoffFunction([(0, 0), (1, 0)])


@checked
def error_ceiling(
    epsilon: object = None, times: int = 1, *, ratio: object = None
) -> TradeoffFunction:
    r"""Upper trade-off bound: the largest type II error of a sensible test; the floor, turned.

    .. math:: U_{\varepsilon,k}(\alpha) = 1 - f_{\varepsilon,k}(1 - \alpha)

    Same parameters and errors as `error_floor`.

    Parameters
    ----------
    epsilon, ratio, times
        As in `error_floor`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Corollary 6. The middle part of U² is 2e^ε/(1 + e^ε) − α; the printed
    constant (3 − e^{−2ε})/(1 + e^ε) is too small, as the pages on the paper show.

    >>> error_ceiling(1, times=2).beta(0.0), round(error_ceiling(1, times=2).beta(0.5), 10)
    (1.0, 0.9323323584)
    """
    return error_floor(epsilon, times, ratio=ratio).reflected()


def floor_at(ratio: Fraction, times: int) -> TradeoffFunction:
    """The floor for a ratio e^ε: exact where the numbers are not too long.

    >>> floor_at(Fraction(3, 2), 1).exact[1]
    (Fraction(2, 5), Fraction(2, 5))
    """
    lie, truth = ratio.denominator, ratio.numerator
    if times**2 * truth.bit_length() > _EXACT_BITS:
        return rounded_floor(float(lie / Fraction(lie + truth)), times)
    counts = range(times + 1)
    first = [math.comb(times, j) * truth ** (times - j) * lie**j for j in counts]
    return neyman_pearson(first, first[::-1])


def rounded_floor(lie: float, times: int) -> TradeoffFunction:
    """The floor in doubles, by the number of replies that speak for the second answer.

    Each tail is summed by itself, so that the smallest chances keep their digits.
    """
    from scipy.stats import binom

    replies = np.arange(-1, times + 1)
    rare, common = binom.sf(replies, times, lie), binom.cdf(replies, times, lie)
    return curve_of(rare[::-1], rare, common[::-1], common)
