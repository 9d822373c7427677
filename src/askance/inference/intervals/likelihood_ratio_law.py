"""The law of the likelihood ratio at the true share, and the intervals that invert it.

Between the law of 𝔻, where cuts hardly ever tie, and χ², where many people share each cut.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import digamma, gammainc, gammaincinv, gammaln, rel_entr, xlogy

from askance.channels.identification import describe_piece
from askance.channels.ranges import Ranges
from askance.chart import CUMULATIVE, Axis, Chart, MarkKind, Series, chart_frame, draw_in_unit
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.provenance import Computation, Ties
from askance.inference.ranges.distribution import Distribution, rises
from askance.inference.ranges.support import (
    OrderedEnds,
    piece_weights,
    several_ends,
    some_exact,
)
from askance.results import (
    Listing,
    counted,
    json_of,
    listed,
    number,
    numbers,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.errors import InputError

_ONE_END = (0.0, 1.0), (0.0, 1.0)
_SEVERAL_ENDS = (0.0, 0.2, 1.0), (0.2, 0.7, 7 / 6)
"""By how far the law is on the way from 𝔻 to χ² of one end each: how far it is of such ranges."""

_FINE, _COARSE = 0.1, 0.9  # of that way: where a grid is told of as none, or as coarse


LEAST_RATIO, MOST_HELD = 1.3, 0.87
"""Of 95 % intervals, one cut a person, hardly shared: those that hold whatever F is are at least so
many times as wide where F is smooth as those for a smooth F, and none that is as narrow as these
holds more often than so at every F. ``benchmarks/npmle/heaped.py --bound`` prints both."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """For which distributions intervals hold their level, and what that must cost.

    Attributes
    ----------
    smooth : bool
        Whether they hold only where F has a positive density, or for any F.
    ties : Ties
    least_ratio : float
        How many times as wide as for a smooth F 95 % intervals that hold for any F must be where it
        is smooth, after Pratt (1961); 1 where no bound is known.
    most_held : float
        How often 95 % intervals that are as narrow as those for a smooth F hold at most at some F;
        1 where no bound is known.
    """

    smooth: bool
    ties: Ties
    least_ratio: float
    most_held: float

    @classmethod
    def of(cls, ranges: Ranges, critical: Floats, level: float, *, smooth: bool) -> "Scope":
        """Classify ties by how far critical values for a smooth F are from 𝔻 to χ²."""
        ties = ties_of(ranges, critical, level)
        bounded = ties is Ties.HARDLY and not several_ends(ranges)
        least, most = (LEAST_RATIO, MOST_HELD) if bounded else (1.0, 1.0)
        return cls(smooth=smooth, ties=ties, least_ratio=least, most_held=most)

    def to_dict(self) -> Json:
        """Write it for JSON."""
        return json_of(self)

    def __str__(self) -> str:
        if self.ties is Ties.EXACT:
            return "F is taken to be learnt mainly from exact numbers"
        if not self.smooth:
            cost = f": at 95 % at least {self.least_ratio:g} times as wide as for a smooth one"
            return "for any F" + cost * (self.least_ratio > 1)
        coverage = f": beside some steps 95 % intervals so narrow hold {self.most_held:g} at most"
        return "only where F has a density" + coverage * (self.most_held < 1)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PointIntervals:
    """Pointwise confidence intervals of a distribution function.

    Attributes
    ----------
    points : array, shape (k,)
        The points, ascending.
    value : array, shape (k,)
        The most likely share of numbers up to each.
    lower, upper : array, shape (k,)
        Ends of the interval of each.
    level : float
        That of each point, or of all together.
    critical : array, shape (2, k)
        How large the squared deviate is at the lower end of each, and at the upper one: twice the
        fall of the log-likelihood, where many tell of a share.
    n : float
        How many ranges, counting weights.
    method : str
        Which law the critical values come from, and for what kind of data.
    together : bool
        Whether the level is that all intervals hold at once.
    scope : Scope
        For which distributions they hold their level, and what that must cost.

    >>> import numpy as np
    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.intervals.cdf_intervals import cdf_intervals
    >>> counts = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> cdf_intervals(Ranges.from_counts(counts), [20, 30, 40])
    share of numbers up to a point
    up to  share  95 % from      to
    20       0.3     0.2163  0.3951
    30       0.3     0.2163  0.6454
    40      0.55     0.4517  0.6454
    200 ranges; likelihood ratio, cuts on a grid; critical value 3.841
    for any F
    """

    computation: ClassVar[Computation] = Computation.POINT_INTERVALS
    points: Floats
    value: Floats
    lower: Floats
    upper: Floats
    level: float
    critical: Floats
    n: float
    method: str
    scope: Scope
    together: bool = False

    def bounds(self, points: Any) -> tuple[Floats, Floats]:
        """Bound the share up to any numbers, at the same level, because shares rise.

        Parameters
        ----------
        points : array_like

        Returns
        -------
        low, high : arrays of the shape of ``points``
            The lower end at the point before, the upper end at the point after; 0 and 1 beyond.
        """
        points = numbers(points, "bounds.points")
        low = np.append(0.0, self.lower)[np.searchsorted(self.points, points, side="right")]
        high = np.append(self.upper, 1.0)[np.searchsorted(self.points, points, side="left")]
        return read_only(low), read_only(high)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the intervals for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} %" + " together" * self.together
        head = ["up to", "share", f"{level} from", "to"]
        columns = (self.points, self.value, self.lower, self.upper)
        rows = [[number(float(value)) for value in row] for row in zip(*columns, strict=True)]
        falls = sorted({f"{fall:.4g}" for fall in self.critical.ravel()}, key=float)
        critical = falls[0] if len(falls) == 1 else f"{falls[0]} to {falls[-1]}"
        note = f"{counted(self.n, 'range')}; {self.method}; critical value {critical}"
        notes = [note, str(self.scope)]
        return "share of numbers up to a point", head, rows, notes

    def _chart(self) -> Chart:
        """Describe each share with its interval, and between them what the band leaves open."""
        intervals = Series(
            mark=MarkKind.INTERVAL,
            label=f"{100 * self.level:g} % intervals",
            x=self.points,
            value=self.value,
            low=self.lower,
            high=self.upper,
        )
        between = Series(
            mark=MarkKind.BAND,
            x=self.points[:-1],
            x_end=self.points[1:],
            low=self.lower[:-1],
            high=self.upper[1:],
            continues=True,
        )
        series = (intervals, between) if self.together and len(self.points) > 1 else (intervals,)
        return Chart(series=series, x=Axis(name="value"), y=CUMULATIVE)

    plot = draw_in_unit
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def point_intervals(
    cuts: OrderedEnds,
    fit: Distribution,
    points: Floats,
    ends: tuple[Floats, Floats],
    critical: tuple[Floats, Floats],
    level: float,
    *,
    smooth: bool = False,
) -> PointIntervals:
    """Assemble the intervals at some points, with the most likely shares.

    The critical values are those of the law where F rises alike on both sides, which is told, and
    those at the ends.
    """
    return PointIntervals(
        points=points,
        value=np.append(0.0, np.cumsum(fit.mass))[np.searchsorted(fit.upper, points, side="right")],
        lower=ends[0],
        upper=ends[1],
        level=level,
        critical=critical[1],
        n=cuts.ranges.total,
        method=law(cuts.ranges, critical[0], level) + describe_vanished(fit),
        scope=Scope.of(cuts.ranges, critical[0], level, smooth=smooth),
    )


def critical_values(
    cuts: OrderedEnds,
    fit: Distribution,
    points: Floats,
    level: float,
    effects: Floats | None = None,
) -> Floats:
    """Say how large a squared deviate may be at each point, of design effects there."""
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    if some_exact(cuts.ranges):
        return np.full(len(points), furthest)
    rise = rises(cuts, fit, points) / (1.0 if effects is None else np.sqrt(effects))
    fraction = np.interp(fraction_to_chi_square(rise), *_fractions(cuts.ranges))
    return nearest + fraction * (furthest - nearest)


def _fractions(ranges: Ranges) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return _SEVERAL_ENDS if several_ends(ranges) else _ONE_END


def ties_of(ranges: Ranges, critical: Floats, level: float) -> Ties:
    """Say how many people share a cut, by critical values for an F that rises evenly."""
    if some_exact(ranges):
        return Ties.EXACT
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    one_end, several = _fractions(ranges)
    fraction = np.interp((critical - nearest) / (furthest - nearest), several, one_end)
    shared = Ties.HARDLY if fraction.max() < _FINE else Ties.PARTLY
    return Ties.GRID if fraction.min() > _COARSE else shared


def describe_vanished(fit: Distribution) -> str:
    """Describe the tails whose share is not identified and vanishes in the limit of the fits.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle_or_limit
    >>> late = Ranges([1, 3, 4], [1, 3, 4], closed="both", entry=[0, 2, 2])
    >>> describe_vanished(npmle_or_limit(late))
    '; the share of (1, inf] is not identified: it is taken to vanish'
    """
    first, last = fit.lower[0], fit.upper[-1]
    return "".join(
        f"; the share of {describe_piece(piece)} is not identified: it is taken to vanish"
        for piece in fit.non_identified
        if piece[0] >= last or piece[1] <= first
    )


def law(ranges: Ranges, critical: Floats, level: float) -> str:
    """Say by which law squared deviates may be so large."""
    ties = ties_of(ranges, critical, level)
    if ties is Ties.EXACT:
        return f"likelihood ratio, {ties.value}"
    cuts = "several cuts each," if several_ends(ranges) else "cuts"
    return f"likelihood ratio, {cuts} {ties.value}"


_RISES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
_CHI_SQUARE_FRACTIONS = (0.0, 0.05, 0.08, 0.13, 0.21, 0.28, 0.41, 0.51, 0.61, 0.72, 0.87, 0.97, 1.0)
"""How far the 0.95 quantile lies on the way from 𝔻 to χ², from
``papers/tang-banerjee-kosorok-2012/limit.py``: 200,000 paths; at 0.8 and 0.99 within 0.06."""


def fraction_to_chi_square(rise: Floats) -> Floats:
    """Say how far the law of the ratio is from that of 𝔻, at 0, to χ², at 1.

    Parameters
    ----------
    rise : array
        How much F rises from one cut to the next, in standard errors of the share up to a cut that
        only those asked there tell.

    >>> fraction_to_chi_square(np.array([0.0, 1, 9])).tolist()
    [0.0, 0.61, 1.0]
    """
    return np.interp(rise, _RISES, _CHI_SQUARE_FRACTIONS)


LOWEST, HIGHEST = 0.5, 0.999
"""The levels at which the law is tabled."""

_QUANTILES = {
    0.5: 0.2809,
    0.6: 0.4321,
    0.7: 0.6492,
    0.75: 0.7947,
    0.8: 0.9813,
    0.85: 1.2306,
    0.9: 1.5997,
    0.925: 1.8691,
    0.95: 2.2580,
    0.975: 2.9468,
    0.98: 3.1660,
    0.99: 3.8838,
    0.995: 4.6148,
    0.999: 6.3765,
}
"""From ``papers/banerjee-wellner-2001/limit.py``: a million paths, steps of 0.00125. The standard
error at 0.95 is 0.005; four times coarser steps lower the figure by 0.003."""


def critical_value(level: float, fraction: float) -> float:
    """Quantile of twice the fall of the log-likelihood at the true share.

    Parameters
    ----------
    level : float
        In [0.5, 0.999].
    fraction : float
        0 where cuts hardly ever tie: the law of 𝔻 (Banerjee & Wellner, 2001), simulated and
        interpolated. 1 where many people share each cut: χ² with one degree of freedom (Tang,
        Banerjee & Kosorok, 2012). In between and beyond, that far from the first to the second.

    Raises
    ------
    InputError
        If the level is outside the table.

    >>> round(critical_value(0.95, 1), 4)
    3.8415
    >>> round(critical_value(0.95, 0), 2)
    2.26
    >>> levels = np.linspace(0.5, 0.999, 200)
    >>> own, half, top = ([critical_value(level, part) for level in levels] for part in (0, 0.5, 1))
    >>> bool((np.diff(own) > 0).all() and np.less(own, half).all() and np.less(half, top).all())
    True
    """
    levels = np.array(list(_QUANTILES))
    if not LOWEST <= level <= HIGHEST:
        raise InputError("level", got=level, allowed=f"a level in [{LOWEST}, {HIGHEST}]")
    own = np.interp(-np.log1p(-level), -np.log1p(-levels), list(_QUANTILES.values()))
    return float(own + fraction * (2 * gammaincinv(0.5, level) - own))


_FEW_MEANS = (0.693, 0.72, 0.76, 0.8333, 1.0)
_WAY_OF_FEW = (0.2, 0.3, 0.39, 0.59, 1.0)
"""How far the quantiles lie on the way from 𝔻 to χ² where shares tie on both sides, by the ratio's
mean: from ``papers/tang-banerjee-kosorok-2012/beside.py``, within 2.5 % of the root of each."""

_MEANS = np.linspace(1, 9, 65)
_FREEDOM = np.arange(80)  # degrees beyond the first: more have no chance at such means
_LARGEST = 200.0
_BISECTIONS = 60


@cache
def _quantiles(level: float) -> tuple[Floats, Floats]:
    """Means of the ratio, and its quantile for each."""
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    few = nearest + np.array(_WAY_OF_FEW) * (furthest - nearest)
    df, more = _FREEDOM, (_MEANS - 1)[:, None]
    chance = np.exp(xlogy(df, more) - more - gammaln(df + 1))
    low, high = np.zeros(len(_MEANS)), np.full(len(_MEANS), _LARGEST)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        short = (chance * gammainc((1 + df) / 2, middle[:, None] / 2)).sum(axis=1) < level
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.append(_FEW_MEANS[:-1], _MEANS), np.append(few[:-1], low)


_PULLED, _RELEASED = 2.0, 0.5
"""Standard errors at which a share beside the fixed one hardly ties with it: on the side whose
shares pull it back to the estimate, and on the other, which it moves away from."""

_LINKED = 0.6  # the expected fall, in standard errors, at which 1 − 1/e of shares cannot part
_FURTHER = 1 / 6  # of the way from 𝔻 to χ²: of ranges with several ends
_NOBODY = 1e-12
_FEW_ENDS = 500  # of which all are looked at
_NO_TIE = 1e-44  # of a tie: all together are no share of one, at weights of any size


def quantile_beside(before: Floats, after: Floats, level: float) -> Floats:
    r"""The quantile of the likelihood ratio of F(t) by how many shares tie with it on either side.

    Let b shares before the fixed one be equal to it, a after it, and all others far away. Then the
    ratio is the squared length of a normal vector projected on the cone of b + 1 + a shares that
    rise, less that on the cone of those that rise to 0 and from it. Its mean is the difference of
    the cones' statistical dimensions (Godland & Kabluchko, 2020),

    .. math:: H_{b+1+a} - \tfrac12 H_b - \tfrac12 H_a, \qquad H_k = 1 + \tfrac12 + \ldots + \tfrac1k

    of which the quantile is a function, but for a few hundredths: up to a mean m of 1 by
    simulation, beyond it that of χ² with 1 + N degrees of freedom, N Poisson with mean m − 1. With
    b = 0 it grows with log a: a step of F has a neighbour on one side only. What is counted in
    part is the chance that one more ties: the mean of both quantiles is taken.

    Parameters
    ----------
    before, after : array, shape (k,)
        How many shares tie with the fixed one, on either side; not whole where some nearly do.
    level : float

    >>> quantile_beside(np.array([0.0, 9, 40, 0]), np.array([0.0, 0, 40, 1000]), 0.95).round(1)
    array([ 3.8,  5.3,  2.6, 10. ])
    """
    (p, b), (q, a) = (
        (np.stack([1 - count % 1, count % 1]), np.stack([np.floor(count), np.floor(count) + 1]))
        for count in (before, after)
    )
    mean = _harmonic(b[:, None] + 1 + a) - (_harmonic(b)[:, None] + _harmonic(a)) / 2
    quantiles = np.interp(mean, *_quantiles(level))
    return np.asarray((p[:, None] * q * quantiles).sum(axis=(0, 1)))


def _harmonic(k: Floats) -> Floats:
    return np.asarray(digamma(k + 1) + np.euler_gamma)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConstrainedLaw:
    r"""The critical value of a squared deviate at a fixed share, by the shares that tie with it.

    Where all with F(t) = θ are compared, the most likely of them has the law that is nearest to the
    truth's if θ is true: how many of its shares beside t are θ, or so near that they tie with it,
    decides how large the ratio gets. One beside a step of F, or at the end of a stretch where
    nobody is, has no neighbour on one side to pull it back. A share as far from θ as d of its
    standard errors, known as well as all from t up to it together, counts exp(−(d/2)²) of what is
    known there over what is known at t on the side that pulls it back to the estimate (after t if θ
    is above it), and exp(−(d/0.5)²) on the other. Were more counted there, shares beside a small
    step would get too small quantiles; as it is those of an F that rises evenly get too large ones.

    Of m people with one cut each d² is the deviance 2m KL(share ‖ θ), which is nearly that of a
    normal law where the share is near θ and larger where it is 0 or 1: before the first of the
    people few have to be asked until nobody ties. Of ranges with several ends it is the squared
    distance times what is known.

    Ranges with several ends link shares that tie. Nobody reports a number between two cuts of hers
    in a stretch where nobody is. Were F to rise by r there, the S people who have a cut on either
    side of the rise would lose S r in log-likelihood, and what those tell who have a cut beyond
    it, I in all, would have to outweigh that by chance: by z = S/√I standard errors. Where z is
    large the stretch moves as one share, whose law is χ², not that of 𝔻. S is not seen, as who is
    below both cuts names one. It is taken to be what it is if a person's cuts are independent,

    .. math:: S = T_{\text{beyond}} T_{\text{rest}} / \sum_i m_i, \qquad
       \text{linked} = 1 - e^{-(z/0.6)^2}

    of T people on either side of the rise who told of ends that tie, and m_i of end i. A share is
    linked as the weakest rise between it and the fixed one is; what is linked counts with the
    people at t, and the rest ties as above. In the limit, where S is known, 1.6 fits in place of
    0.6 (``papers/tang-banerjee-kosorok-2012/stretch.py``); in surveys some ends are not told and
    ties are counted in part, so z comes out small, and 0.6 is by what they cover
    (``benchmarks/npmle/heaped.py``).

    Attributes
    ----------
    level : float
    ends : array, shape (c,)
    upto : array, shape (c,)
        The most likely share up to each.
    people : array, shape (c,)
        How many told of each end.
    information : array, shape (c,), or None
        What they tell of F there, of ranges with several ends: Σ w / P(range)²; otherwise it is
        their number over θ(1 − θ).
    informed : array, shape (c,)
        What is known up to each end: running sums of the information, or of the people.
    """

    level: float
    ends: Floats
    upto: Floats
    people: Floats
    information: Floats | None
    informed: Floats = field(init=False)

    def __post_init__(self) -> None:
        known = self.people if self.information is None else self.information
        object.__setattr__(self, "informed", np.cumsum(known))

    @classmethod
    def of(
        cls, cuts: OrderedEnds, level: float, *, upto: Floats, information: Floats | None
    ) -> "ConstrainedLaw | None":
        """Count the observations at each end; None where some are exact: they have another law."""
        if some_exact(cuts.ranges):
            return None
        people = cuts.summed(piece_weights(cuts.ranges))
        return cls(level=level, ends=cuts.ends, upto=upto, people=people, information=information)

    def critical(self, constrained_ends: Integers, shares: Floats, effect: Floats) -> Floats:
        """Say how large a squared deviate may be.

        Parameters
        ----------
        constrained_ends : array of int, shape (k,)
            At which end each share is fixed.
        shares : array, shape (k, c)
            Up to all ends, as they are most likely then.
        effect : array, shape (k,)
            Design effects: so many times fewer people are known of.
        """
        before, after = self.count_ties(constrained_ends, shares, effect)
        quantile = quantile_beside(before, after, self.level)
        return quantile + self._further()

    def _further(self) -> float:
        """The amount by which critical values of ranges with several ends are larger."""
        if self.information is None:
            return 0.0
        return _FURTHER * (critical_value(self.level, 1) - critical_value(self.level, 0))

    def critical_of(self, constrained_end: int, shares: Floats) -> float:
        """The critical value of one fixed share, with these up to all ends."""
        return float(self.critical(np.array([constrained_end]), shares[None], np.ones(1))[0])

    def nearest_shares(self, constrained_end: int, share: float) -> Floats:
        """The shares up to all ends if one is fixed and the others change as little as possible."""
        end, fixed = np.array([constrained_end]), np.array([share])
        return np.asarray(_pool_beyond(self.upto[None], end, fixed)[0])

    def nearly(self, constrained_end: int, share: float) -> float:
        """The critical value if the other shares change as little as possible."""
        return self.critical_of(constrained_end, self.nearest_shares(constrained_end, share))

    def most_until(
        self,
        constrained_ends: Integers,
        shares: Floats,
        ties: Floats,
        fixed: Floats,
        effect: Floats,
    ) -> Floats:
        """Bound the critical values from each fixed share to another, further off.

        As a fixed share moves, others move after it if at all. So how many tie with it on the side
        that it comes nearer to is at most, and on the other side at least, how many do if others
        stay until they are pooled. The largest value is at a corner, as its mean bends upwards.

        Parameters
        ----------
        constrained_ends : array of int, shape (k,)
        shares : array, shape (k, c)
            The shares up to all ends in the first case.
        ties : array, shape (2, k)
            What `count_ties` says of the first case.
        fixed : array, shape (k,)
            The fixed share in the second.
        effect : array, shape (k,)
            Design effects.
        """
        pooled = _pool_beyond(shares, constrained_ends, fixed)
        both = ties, self.count_ties(constrained_ends, pooled, effect)
        before, after = np.stack([(b, a) for b, _ in both for _, a in both], axis=1)
        return np.asarray(quantile_beside(before, after, self.level).max(axis=0) + self._further())

    def count_ties(self, constrained_ends: Integers, shares: Floats, effect: Floats) -> Floats:
        """How many shares tie with the fixed one, before it and after it, shape (2, k)."""
        near = self._near(constrained_ends, shares, effect)
        ends, pivot = np.arange(near.start, near.stop), constrained_ends[:, None]
        part = self._tie_weights(constrained_ends, shares, effect, near)
        tied, linked = self.people[near] * part, self._linked_parts(part, pivot, effect, near)
        before, after = (
            np.where(side, tied * (1 - linked), 0.0).sum(axis=1)
            for side in (ends < pivot, ends > pivot)
        )
        return np.asarray(np.stack([before, after]) / (tied * linked).sum(axis=1))

    def _near(self, constrained_ends: Integers, shares: Floats, effect: Floats) -> slice:
        """The ends at which shares fixed at one end may tie with others; all if fixed at several.

        The further an end, the less its share ties: a few, each twice as far, say where none does.
        """
        count = len(self.people)
        if count <= _FEW_ENDS or len(set(constrained_ends.tolist())) != 1:
            return slice(0, count)
        pivot, steps = int(constrained_ends[0]), 1 << np.arange(count.bit_length() + 1)
        ends = np.concatenate([pivot - steps[::-1], [pivot], pivot + steps]).clip(0, count - 1)
        weight = self._tie_weights(constrained_ends, shares, effect, ends).max(axis=0)
        some = np.flatnonzero(weight > _NO_TIE)
        first, last = max(some[0] - 1, 0), min(some[-1] + 1, len(ends) - 1)
        return slice(int(ends[first]), int(ends[last]) + 1)

    def _tie_weights(
        self,
        constrained_ends: Integers,
        shares: Floats,
        effect: Floats,
        near: slice | Integers,
    ) -> Floats:
        """How far the share of each of some ends ties with the fixed one, from 0 to 1, (k, s)."""
        pivot, informed = constrained_ends[:, None], self.informed
        ends, share = np.arange(len(informed))[near], np.take_along_axis(shares, pivot, axis=1)
        known = self.people if self.information is None else self.information
        upto, before = informed[near], informed[near] - known[near]
        between = np.where(
            ends < pivot, informed[pivot] - known[pivot] - before, upto - informed[pivot]
        )
        distance = between / effect[:, None] * self._divergence(shares[:, near], share)
        above = share > self.upto[pivot]
        return np.asarray(
            np.exp(-distance / np.where((ends > pivot) == above, _PULLED, _RELEASED) ** 2)
        )

    def _linked_parts(self, part: Floats, pivot: Integers, effect: Floats, near: slice) -> Floats:
        """The part of each share that must move with the fixed one, shape (k, s); its own is 1."""
        ends = np.arange(near.start, near.stop)
        if self.information is None:
            return np.where(ends == pivot, 1.0, 0.0)
        tied, informed = part * self.people[near], part * self.information[near]
        before = _weakest(tied, informed, ends < pivot)
        after = _weakest(tied[:, ::-1], informed[:, ::-1], (ends > pivot)[:, ::-1])[:, ::-1]
        rise = np.minimum(before, after) / (self.people.sum() * np.sqrt(effect)[:, None])
        return np.asarray(-np.expm1(-((rise / _LINKED) ** 2)))

    def _divergence(self, shares: Floats, share: Floats) -> Floats:
        """Squared distances from the fixed ones, in standard errors, for each of what is known."""
        if self.information is not None:
            return np.asarray((shares - share) ** 2)
        share = share.clip(_NOBODY, 1 - _NOBODY)
        return np.asarray(2 * (rel_entr(shares, share) + rel_entr(1 - shares, 1 - share)))


def _pool_beyond(shares: Floats, constrained_ends: Integers, fixed: Floats) -> Floats:
    """Move the share up to an end, and pool others only where they would decrease, (k, c)."""
    after = np.arange(shares.shape[1]) > constrained_ends[:, None]
    pooled = np.where(after, np.maximum(shares, fixed[:, None]), np.minimum(shares, fixed[:, None]))
    np.put_along_axis(pooled, constrained_ends[:, None], fixed[:, None], axis=1)
    return pooled


def _weakest(tied: Floats, informed: Floats, on_side: Booleans) -> Floats:
    """The strength of the weakest link between a share and the fixed one, up to a factor, (k, c).

    Shares are from the outermost on; ∞ at those that are not beside it.
    """
    beyond = tied.cumsum(axis=1)
    rest = beyond[:, -1:] - beyond
    holds = beyond * rest / np.sqrt(np.maximum(informed.cumsum(axis=1), _NOBODY))
    outwards = np.where(on_side, holds, np.inf)[:, ::-1]
    return np.asarray(np.minimum.accumulate(outwards, axis=1)[:, ::-1])
