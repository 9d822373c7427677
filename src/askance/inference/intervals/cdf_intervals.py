"""Intervals by likelihood ratio: of a distribution at a point, of all of it, and of quantiles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.channels.identification import InclusionProbability, describe_piece
from askance.channels.ranges import Ranges
from askance.chart import Axis, Chart, chart_frame, draw_in_unit, sets_chart
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.intervals.constrained_npmle import MOST_PEOPLE
from askance.inference.intervals.likelihood_ratio_law import (
    HIGHEST,
    PointIntervals,
    Scope,
    critical_value,
    critical_values,
    describe_vanished,
    law,
    point_intervals,
)
from askance.inference.intervals.profile_likelihood import (
    ConstrainedShare,
    can_join,
    conditional_chances,
    fit_with_crowd,
    mean_inclusion_chance,
    side_of,
    tolerance,
)
from askance.inference.provenance import Computation
from askance.inference.ranges.distribution import Distribution, spread_curve
from askance.inference.ranges.npmle import npmle_or_limit
from askance.inference.ranges.sampled import SampledRanges, drawn_ranges
from askance.inference.ranges.support import OrderedEnds, inner_ends
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import (
    Listing,
    counted,
    doubles,
    json_of,
    listed,
    normal_quantile,
    number,
    numbers,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked, no_less, no_more
from askance_collect.errors import InputError


@checked
def cdf_intervals(
    ranges: Ranges,
    points: npt.ArrayLike,
    level: float = 0.95,
    *,
    smooth: bool = False,
    inclusion: InclusionProbability | None = None,
    sampling: AbstractSamplingDesign | None = None,
) -> PointIntervals:
    r"""Pointwise confidence intervals of a distribution function, from interval-censored numbers.

    All θ whose likelihood ratio 2 (max l − max {l : F(t) = θ}) is at most a critical value. Where
    few people tell of a share, the ratio is replaced by the squared normal deviate that is as rare
    under a binomial law with the same ratio and slope (`squared_deviate`): the two agree where many
    do. Intervals hold for any F, with heaps of people and stretches without any: the law of the
    ratio depends on F, and is that of the most likely distribution with F(t) = θ, at each θ anew,
    by how many shares tie with θ there on either side (`ConstrainedLaw`):

    - many on both sides: near the law of 𝔻 (Banerjee & Wellner, 2001), which needs a density;
    - none, as on a grid where many people share each cut: χ² (Tang, Banerjee & Kosorok, 2012);
    - many on one side, as beside a step of F: more, the more people tell of the stretch;
    - ranges with several ends: a sixth further of the way from 𝔻 to χ²; amid a long stretch where
      nobody is they link the shares that tie, which move as one, and it is χ² again;
    - some numbers told exactly: χ².

    An interval that holds beside steps must be wider where F is smooth, as no number of people
    tells a slope from a step as small as F errs: without ties at least 1.3 times, and this one is
    about 1.4 times, as wide as with ``smooth=True``. None that is as narrow holds more than .87 of
    the time at every F. (After Pratt, 1961; `Scope` has the figures.)

    With ``smooth=True`` F is taken to have a positive density, and the critical value is by how far
    it rises from cut to cut: of one cut from 𝔻 to χ², of ranges with several ends from a fifth of
    the way between them to a sixth beyond χ².

    These laws hold inside the cuts. Beyond all but the 2√n outermost ends at either side (√n if
    there are unions) the share is bounded by what is known of it there: from below at the upper
    side, from above at the lower one.

    Of truncated ranges, ``Ranges(entry=, exit=)``, the likelihood is conditional on the windows and
    F that of numbers in the window of some range that is narrower. The law is taken to be that of
    the same ranges without truncation, as near a point it is. A share that others need may go to
    nothing, at the estimate or where an end is sought: with entries alone, or exits alone, the
    interval then is that of the limit, and ``method`` names the share that is not identified, where
    `npmle` raises an error. Where one person alone is at risk, as after the first entry, little
    speaks against a share that lies there, and upper ends are far: entries of at least some number,
    ``np.maximum(entry, start)``, give the distribution of numbers above it. Of 150 people whose
    number has a density, up to a third not heard of, 95 % intervals held F in at least .97 of 200
    surveys, and with ``smooth=True`` in .925 to .975 (``benchmarks/npmle/truncation.py``).

    With a sampling design the likelihood is weighted, and counts at each point as many people as
    tell so much: n over the design effect of what each person loses in log-likelihood where F(t) is
    moved,

    .. math:: \delta = \widehat{\mathrm{Var}}\Bigl(\sum w_i u_i\Bigr) / \sum w_i (u_i - \bar u)^2

    with weights that sum to n, u_i = log P(range_i | heard of) at either end of the interval less
    that at the top, and the variance the sampling design's: what Rao & Scott (1984) do for tables
    and Lumley & Scott (2014) for a parameter of any model. It is at least 1, and times (t/z)²,
    Student's quantile for the degrees of freedom over the normal one.

    Parameters
    ----------
    ranges : Ranges
        Of people drawn at random, with counts as weights; without weights beside a sampling design.
    points : array_like
        The points t, each between the smallest and the largest finite end of a range. Between two
        points of a grid nothing is learnt: the interval spans those of its neighbours.
    level : float
        In [0.5, 0.999].
    smooth : bool
        Whether F is known to have a positive density at each point and around it.
    inclusion : InclusionProbability, optional
        How likely each number was to be heard of at all, as in `npmle`.
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, a row for each range; beside an inclusion probability, of those who
        were heard of. Cuts were drawn too: finite populations are left out.

    Raises
    ------
    InputError
        If no range with a positive weight has an end, one weighs next to nothing beside all, a
        point is outside the ends, the level is outside the table of the law of 𝔻, or a sampling
        design has no degree of freedom or stands beside weights.

    References
    ----------
    Banerjee & Wellner (2001); Tang, Banerjee & Kosorok (2012); for ties Godland & Kabluchko (2020);
    for few people Lancaster (1961). One cut a person has intervals by binomial laws, which hold for
    any F too: Kim, Fay & Proschan (2018). The plain bootstrap of F(t) fails here: Kosorok (2008).
    Of complex samples Rao & Scott (1984); Lumley & Scott (2014).

    >>> cuts = np.arange(1, 201)
    >>> below = (77 * cuts) % 200 < cuts  # numbers spread evenly up to 200
    >>> lower, upper = np.where(below, -np.inf, cuts), np.where(below, cuts, np.inf)
    >>> cdf_intervals(Ranges(lower, upper), [50, 100, 150])
    share of numbers up to a point
    up to   share  95 % from      to
    50     0.2308    0.06985  0.5185
    100    0.4615     0.2327  0.7348
    150    0.6923     0.4359  0.9039
    200 ranges; likelihood ratio, cuts hardly shared; critical value 5.505 to 6.919
    for any F: at 95 % at least 1.3 times as wide as for a smooth one
    >>> smooth = cdf_intervals(Ranges(lower, upper), 100, smooth=True)
    >>> smooth.lower.round(4), smooth.upper.round(4)
    (array([0.3017]), array([0.6586]))
    """
    ranges, sample = drawn_ranges("cdf_intervals", ranges, sampling)
    points, cuts = np.unique(doubles(points, "cdf_intervals.points")), OrderedEnds.of(ranges)
    ends = cut_at_all(cuts)
    if not len(points) or not (ends[0] <= points[0] and points[-1] <= ends[-1]):
        raise InputError(
            "cdf_intervals.points",
            got=points.tolist(),
            allowed=f"points in [{ends[0]}, {ends[-1]}], where cuts fell",
        )
    critical_value(level, 0)
    settings = IntervalSettings(level=level, smooth=smooth, inclusion=inclusion)
    if sample is not None:
        return _sample_intervals(sample, points, settings)
    return intervals_at(ranges, cuts, points, settings)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalSettings:
    """The level of intervals, whether F is smooth, and the inclusion probabilities."""

    level: float
    smooth: bool = False
    inclusion: InclusionProbability | None = None

    def profile(self, ranges: Ranges, fit: Distribution, cuts: OrderedEnds) -> ConstrainedShare:
        """The profile likelihood, with the law of any distribution unless F is smooth."""
        level = None if self.smooth else self.level
        return ConstrainedShare(
            ranges=ranges, fit=fit, inclusion=self.inclusion, cuts=cuts, level=level
        )


def cut_at_all(cuts: OrderedEnds) -> Floats:
    """Return the ends of ranges; refuse ranges without ends and weights lost to rounding.

    Raises
    ------
    InputError
        If not.
    """
    if not len(cuts.ends):
        raise InputError("Ranges", got="no end", allowed="at least one range with a finite end")
    weights = cuts.ranges.weights
    least = weights.min(where=weights > 0, initial=np.inf)
    if least < _FAINT * cuts.ranges.total:
        raise InputError(
            "Ranges.counts",
            got=f"a count of {least:g} among {cuts.ranges.total:g}",
            allowed=f"0, or at least {no_less(_FAINT)} of all",
            remedy="leave out ranges that hardly count",
        )
    return cuts.ends


_FAINT = 1e-14  # of all weights: beside it shares are lost


def intervals_at(
    ranges: Ranges,
    cuts: OrderedEnds,
    points: Floats,
    settings: IntervalSettings,
) -> PointIntervals:
    """Find the interval at each point between the outermost ends."""
    fit, level = closely(ranges, ranges.total, settings.inclusion), settings.level
    inner = np.clip(inner_ends(cuts), cuts.ends[0], cuts.ends[-1])
    critical = critical_values(cuts, fit, np.append(points, inner), level)
    profile = settings.profile(ranges, fit, cuts)
    pairs = zip(points.tolist(), critical.tolist(), strict=False)
    solved = [[profile.end(point, fall, up=up) for up in (False, True)] for point, fall in pairs]
    bounds, reached = np.array(solved).T
    ends = _widen_near_ends(profile, points, bounds.T, (inner, critical[-2:]))
    values = critical[:-2], reached
    return point_intervals(cuts, fit, points, ends, values, level, smooth=settings.smooth)


_PLACES = 64  # at which shares on a fine grid are asked for
_LARGEST = 200  # places with mass, that shares are asked for one by one


def spread_intervals(ranges: Ranges, fit: Distribution, level: float) -> PointIntervals | None:
    """The intervals at 64 ends that part the population evenly, asked for one by one.

    None where that would last: where so many people told of so fine a grid that F has hundreds of
    steps.

    Parameters
    ----------
    ranges : Ranges
        With an end.
    fit : Distribution
        The most likely one, perhaps roughly.
    level : float
    """
    if len(fit.mass) > _LARGEST or ranges.total > MOST_PEOPLE:
        return None
    cuts = OrderedEnds.of(ranges)
    return intervals_at(
        ranges, cuts, _choose_spread_ends(cuts.ends, fit), IntervalSettings(level=level)
    )


def _choose_spread_ends(ends: Floats, fit: Distribution) -> Floats:
    """Choose ends that part the population evenly, the outermost among them."""
    curve = spread_curve(fit, ends)
    some = np.searchsorted(curve, np.linspace(curve[0], curve[-1], _PLACES))
    chosen: Floats = ends[np.unique(np.append(some.clip(0, len(ends) - 1), len(ends) - 1))]
    return chosen


def _widen_near_ends(
    profile: ConstrainedShare, points: Floats, bounds: Floats, inner: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Let the interval beyond the outermost ends but a few be as wide as there: F rises.

    What nobody can tell otherwise stays as it is.

    Parameters
    ----------
    profile : ConstrainedShare
    points : array, shape (k,)
    bounds : array, shape (k, 2)
    inner : tuple of array
        The two ends but a few, and how large a squared deviate may be there.
    """
    lower, upper = bounds.T
    (low, high), (critical_low, critical_high) = inner[0].tolist(), inner[1].tolist()
    moves = lower < upper
    before, beyond = moves & (points < low), moves & (points > high)
    if beyond.any():
        end, _ = profile.end(high, critical_high, up=False)
        lower = np.where(beyond, np.minimum(lower, end), lower)
    if before.any():
        end, _ = profile.end(low, critical_low, up=True)
        upper = np.where(before, np.maximum(upper, end), upper)
    return lower, upper


def _sample_intervals(
    sample: SampledRanges, points: Floats, settings: IntervalSettings
) -> PointIntervals:
    """Compute the interval at each point with the effective sample size there."""
    ranges, cuts, level = sample.ranges, OrderedEnds.of(sample.ranges), settings.level
    fit = closely(ranges, ranges.total, settings.inclusion)
    pointwise = [
        intervals_at(fewer, OrderedEnds.of(fewer), np.array([point]), settings)
        for point in points.tolist()
        for fewer in [reweigh_to_effective_size(sample, fit, (point, level), settings.inclusion)]
    ]
    lower, upper, reached = (
        np.concatenate([getattr(interval, name) for interval in pointwise], axis=-1)
        for name in ("lower", "upper", "critical")
    )
    critical = critical_values(cuts, fit, points, level), reached
    ends, smooth = (lower, upper), settings.smooth
    intervals = point_intervals(cuts, fit, points, ends, critical, level, smooth=smooth)
    return replace(intervals, method=f"{intervals.method}; {sample.describe_effects()}")


def reweigh_to_effective_size(
    sample: SampledRanges,
    fit: Distribution,
    point_and_level: tuple[float, float],
    inclusion: InclusionProbability | None,
) -> Ranges:
    """Divide the weights of ranges by the design effect of F at a point."""
    point, level = point_and_level
    point_and_critical = point, critical_value(level, 1)
    effects = [
        _design_effect(sample, fit, point_and_critical, inclusion, up=up)
        for up in (False, True)
        if can_join(side_of(point, up=up), inclusion)
    ]
    effect = max(
        (candidate for candidate in effects if candidate is not None), default=sample.alone()
    )
    stretch = student_quantile(level, sample.sampling.df) / normal_quantile(level)
    return sample.ranges.reweighed(sample.ranges.weights / (max(effect, 1.0) * stretch**2))


_MOVES = 4  # of a crowd, until likelihood falls about as far as is asked
_SLOWER = 0.6  # the power of the fall that a crowd goes with


def _design_effect(
    sample: SampledRanges,
    fit: Distribution,
    point_and_critical: tuple[float, float],
    inclusion: InclusionProbability | None,
    *,
    up: bool,
) -> float | None:
    """The design effect of the likelihood that is lost where F at a point is moved.

    None where it cannot be moved.
    """
    (point, critical), ranges = point_and_critical, sample.ranges
    side = side_of(point, up=up)
    weights, is_counted, n = ranges.weights, ranges.weights > 0, ranges.total
    people, before = critical * n ** (1 / 3), _chances_if_observed(fit, ranges, inclusion)
    for _ in range(_MOVES):
        shifted = fit_with_crowd(ranges, side, people, inclusion, near=fit)
        after = _chances_if_observed(shifted, ranges, inclusion)
        lost = np.zeros(len(ranges))
        lost[is_counted] = np.log(after[is_counted] / before[is_counted])
        fall = -float(weights @ lost)
        people *= float(np.clip((critical / 2 / max(fall, _FAINT)) ** _SLOWER, 0.1, 10))
    return sample.effect(lost)


def _chances_if_observed(
    fit: Distribution, ranges: Ranges, inclusion: InclusionProbability | None
) -> Floats:
    """The chance of each range given inclusion, up to a factor of its own."""
    mean_chance = 1.0 if inclusion is None else mean_inclusion_chance(fit, inclusion)
    return np.asarray(conditional_chances(fit, ranges) / mean_chance, dtype=np.float64)


_FEWEST = 4  # points of a band


@checked
def simultaneous_band(
    ranges: Ranges,
    level: float = 0.95,
    *,
    smooth: bool = False,
    sampling: AbstractSamplingDesign | None = None,
) -> PointIntervals:
    """Simultaneous confidence band of a distribution function, from interval-censored numbers.

    Intervals of `cdf_intervals` at K cuts, each at the level to the power 1/K. So many hold at once
    if their errors are independent, and at least so many of normal errors that are not (Šidák,
    1967). One cut a person on a grid makes them independent, cuts that hardly tie nearly so at
    places apart. F rises, so between two of them it lies above the lower end before and below the
    upper end after: `PointIntervals.bounds` gives these everywhere. K is twice the cube root of the
    number of people, about as many places as F is learnt at apart from each other, and all cuts
    where they are fewer; the places are spread over the cuts, whatever was answered.

    Parameters
    ----------
    ranges : Ranges
    level : float
        In [0.5, 0.996].
    smooth : bool
        Whether F is known to have a positive density, as in `cdf_intervals`.
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, as in `cdf_intervals`. Of clusters errors at two cuts are correlated,
        upwards: so many hold at once, or more.

    Raises
    ------
    InputError
        If no range has an end, one weighs next to nothing beside all, the level is too high for the
        table of 𝔻, or `cdf_intervals` refuses the sampling design.

    >>> counts = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> band = simultaneous_band(Ranges.from_counts(counts))
    >>> band
    share of numbers up to a point
    up to  share  95 % together from      to
    20       0.3              0.2055  0.4089
    40      0.55               0.438  0.6584
    200 ranges; likelihood ratio, cuts on a grid; critical value 5.002
    for any F
    >>> [float(end.round(3)) for end in band.bounds(30)]
    [0.206, 0.658]
    """
    if not 0.5 <= level <= HIGHEST**_FEWEST:
        allowed = f"a level in [0.5, {no_more(HIGHEST**_FEWEST)}]"
        raise InputError("simultaneous_band.level", got=level, allowed=allowed)
    ranges, sample = drawn_ranges("simultaneous_band", ranges, sampling)
    cuts = OrderedEnds.of(ranges)
    ends = cut_at_all(cuts)
    max_places = int(np.log(level) / np.log(HIGHEST))
    places = min(max(int(2 * ranges.total ** (1 / 3)), _FEWEST), max_places)
    if len(ends) > places:
        ends = ends[np.linspace(0, len(ends) - 1, 2 * places + 1).round().astype(int)[1::2]]
    pointwise_level = min(level ** (1 / len(ends)), HIGHEST)
    settings = IntervalSettings(level=pointwise_level, smooth=smooth)
    if sample is None:
        intervals = intervals_at(ranges, cuts, ends, settings)
    else:
        intervals = _sample_intervals(sample, ends, settings)
    return replace(
        intervals,
        lower=np.maximum.accumulate(intervals.lower),
        upper=np.minimum.accumulate(intervals.upper[::-1])[::-1],
        level=level,
        together=True,
    )


def closely(
    ranges: Ranges, people: float, inclusion: InclusionProbability | None = None
) -> Distribution:
    """Fit until hardly any log-likelihood is missing, summed over so many people.

    Of truncated ranges without a most likely distribution it is the limit.
    """
    return npmle_or_limit(ranges, tolerance(people), inclusion)


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
    scope : Scope
        For which distributions they hold their level, and what that must cost.

    >>> counts = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> quantile_intervals(Ranges.from_counts(counts), [0.25, 0.5]).upper.tolist()
    [40.0, inf]
    """

    computation: ClassVar[Computation] = Computation.QUANTILE_INTERVALS
    share: Floats
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats
    level: float
    n: float
    method: str
    scope: Scope

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the quantiles for JSON; None is an end that is infinite."""
        return json_of(self)

    def _table(self) -> Listing:
        head = ["share", "number", f"{100 * self.level:g} % from", "to"]
        columns = (self.share, self.low, self.high, self.lower, self.upper)
        rows = [
            [number(share), describe_piece((low, high)), number(lower), number(upper)]
            for share, low, high, lower, upper in zip(*columns, strict=True)
        ]
        notes = [f"{counted(self.n, 'range')}; {self.method}", str(self.scope)]
        return "quantiles", head, rows, notes

    def _chart(self) -> Chart:
        """Describe a row for each quantile: a box where it may lie, and its interval."""
        names = [f"quantile {number(share)}" for share in self.share]
        fitting, ends = (self.low, self.high), (self.lower, self.upper)
        return sets_chart(
            names, fitting, ends, level=self.level, x=Axis(name="value"), y="quantile"
        )

    plot = draw_in_unit
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def quantile_intervals(
    ranges: Ranges,
    shares: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 0.9),
    level: float = 0.95,
    *,
    smooth: bool = False,
    inclusion: InclusionProbability | None = None,
    sampling: AbstractSamplingDesign | None = None,
) -> QuantileIntervals:
    """Quantiles of interval-censored numbers, with profile-likelihood confidence intervals.

    A quantile may lie wherever `cdf_intervals` lets the cumulative share cross its share: after the
    last end of a range up to which the share is too small, to the first up to which it is reached.
    Truncation is allowed for as there.

    Parameters
    ----------
    ranges : Ranges
        Of any shape that `cdf_intervals` takes.
    shares : sequence of float
        Each strictly between 0 and 1.
    level : float
        In [0.5, 0.999].
    smooth : bool
        Whether F is known to have a positive density, as in `cdf_intervals`.
    inclusion : InclusionProbability, optional
        How likely each number was to be heard of at all, as in `npmle`.
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, as in `cdf_intervals`; design effects are those at either end.

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
    >>> quartiles = quantile_intervals(ranges, [0.25, 0.5, 0.9])
    >>> quartiles.low.tolist(), quartiles.high.tolist()
    ([10.0, 20.0, 50.0], [20.0, 30.0, inf])
    >>> quartiles.lower.tolist(), quartiles.upper.tolist()
    ([-inf, 10.0, 40.0], [30.0, 40.0, inf])
    """
    share = np.unique(numbers(shares, "quantile_intervals.shares"))
    if not share.size or not np.all((share > 0) & (share < 1)):
        raise InputError(
            "quantile_intervals.shares", got=shares, allowed="shares strictly between 0 and 1"
        )
    ranges, sample = drawn_ranges("quantile_intervals", ranges, sampling)
    cuts = OrderedEnds.of(ranges)
    ends = cut_at_all(cuts)
    critical_value(level, 0)
    fit = npmle_or_limit(ranges, inclusion=inclusion)
    close = fit.gap <= tolerance(ranges.total)
    close_fit = fit if close else closely(ranges, ranges.total, inclusion)
    settings = IntervalSettings(level=level, smooth=smooth, inclusion=inclusion)
    if sample is None:
        crossed = _Crossings.of(settings.profile(ranges, close_fit, cuts), cuts, level)
        lower, upper, (method, scope) = _find_crossings(crossed, share, smooth=smooth)
    else:
        lower, upper, (method, scope) = _find_sample_crossings(sample, close_fit, share, settings)
    middle = np.array([fit.quantile(goal) for goal in share.tolist()])
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
        scope=scope,
    )


_Law = tuple[str, Scope]


def _find_crossings(
    crossed: "_Crossings", share: Floats, *, smooth: bool
) -> tuple[Integers, Integers, _Law]:
    """The ends of each quantile."""
    lower = np.array([crossed.last(goal) for goal in share.tolist()])
    upper = np.array([crossed.first(goal) for goal in share.tolist()])
    return lower, upper, crossed.law([*lower, *(upper - 1)], smooth=smooth)


def _find_sample_crossings(
    sample: SampledRanges, fit: Distribution, share: Floats, settings: IntervalSettings
) -> tuple[Integers, Integers, _Law]:
    """The ends of each quantile, with the effective sample size at either end."""
    ends = OrderedEnds.of(sample.ranges).ends
    edge, inclusion = np.concatenate([ends[:1], ends, ends[-1:]]), settings.inclusion

    @cache
    def crossings_near(point: float) -> _Crossings:
        fewer = reweigh_to_effective_size(sample, fit, (point, settings.level), inclusion)
        cuts = OrderedEnds.of(fewer)
        close = closely(fewer, fewer.total, inclusion)
        return _Crossings.of(settings.profile(fewer, close, cuts), cuts, settings.level)

    lower, upper, laws = list[int](), list[int](), list[_Law]()
    for goal in share.tolist():
        middle = np.searchsorted(fit.cdf_bounds(ends)[0], goal)
        crossings = crossings_near(float(ends[min(middle, len(ends) - 1)]))
        low, high = crossings.last(goal), crossings.first(goal)
        laws.append(crossings.law([low, high - 1], smooth=settings.smooth))
        lower.append(crossings_near(float(edge[low])).last(goal))
        upper.append(crossings_near(float(edge[high])).first(goal))
    method, scope = laws[-1]
    return np.array(lower), np.array(upper), (f"{method}; {sample.describe_effects()}", scope)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Crossings:
    """Where the share up to an end may cross that of a quantile.

    Ends count from 1; 0 is none below and one more than there are is none above.

    Attributes
    ----------
    profile : ConstrainedShare
    ranges : Ranges
        Those observed.
    ends : array, shape (c,)
    upto : array, shape (c,)
        The most likely share up to each.
    critical : array, shape (c,)
    inner : tuple of int
        Beyond which ends the share is bounded by what is known there.
    level : float
    """

    profile: ConstrainedShare
    ranges: Ranges
    ends: Floats
    upto: Floats
    critical: Floats
    inner: tuple[int, int]
    level: float

    @classmethod
    def of(cls, profile: ConstrainedShare, cuts: OrderedEnds, level: float) -> "_Crossings":
        """Look up how large a deviate may be at each end."""
        low, high = np.searchsorted(cuts.ends, inner_ends(cuts)) + 1
        return cls(
            profile=profile,
            ranges=cuts.ranges,
            ends=cuts.ends,
            upto=profile.fit.cdf_bounds(cuts.ends)[0],
            critical=critical_values(cuts, profile.fit, cuts.ends, level),
            inner=(int(low), int(high)),
            level=level,
        )

    def last(self, goal: float) -> int:
        """The last end up to which the share is surely too small."""
        return self._find_crossing(goal, surely=False)

    def first(self, goal: float) -> int:
        """The first end up to which it is surely reached."""
        return self._find_crossing(goal, surely=True) + 1

    def law(self, ends: Sequence[int], *, smooth: bool) -> _Law:
        """Say on which law these ends rest, and for which distributions it holds."""
        critical = self.critical[np.clip(ends, 0, len(self.ends) - 1)]
        scope = Scope.of(self.ranges, critical, self.level, smooth=smooth)
        method = law(self.ranges, critical, self.level) + describe_vanished(self.profile.fit)
        return method, scope

    def _find_crossing(self, goal: float, *, surely: bool) -> int:
        stride = max(round(_STRIDE * len(self.ends) ** (2 / 3)), 1)
        self.profile.last.clear()  # the other shares asked for leave no trace
        reached = partial(self._excess_at, goal=goal, surely=surely)
        return _last(reached, self.upto, goal, stride if surely else -stride)

    def _excess_at(self, end: int, goal: float, *, surely: bool) -> tuple[float, int, int]:
        requested, sign = end, 1 if surely else -1
        low, high = self.inner
        end = min(end, high) if surely else max(end, low)  # as `cdf_intervals` does
        if (self.upto[end - 1] >= goal) != surely:  # on the share's other side no fit is needed
            return -float(sign), requested, requested
        limit = float(self.critical[end - 1])
        excess, fit = self.profile.excess(float(self.ends[end - 1]), goal, limit, up=not surely)
        first, last = end, end
        if fit and not self.profile.law and fit.levels[0] <= end <= fit.levels[1]:
            first, last = _levels_of_same_sign(excess, end, fit.levels, self.critical)
        return sign * excess, min(first, requested), max(last, requested)


def _levels_of_same_sign(
    excess: float, end: int, levels: tuple[int, int], critical: Floats
) -> tuple[int, int]:
    """Find the ends that share a fit and the sign of their excess, each by its own critical value.

    Where some say otherwise, or so little that it may not be precise enough, each is asked.
    """
    start, stop = max(levels[0], 1), min(levels[1], len(critical))
    others = (excess + 1) * np.sqrt(critical[end - 1] / critical[start - 1 : stop]) - 1
    agree = (others * np.sign(excess) > _LITTLE * abs(excess)).all()
    return (start, stop) if agree else (end, end)


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
            end = _chord_step(before, after, again)
        else:
            end = (last if stride > 0 else first) + _extrapolate_end(end - start, value)
    return before[0]


def _extrapolate_end(far: int, value: float) -> int:
    """Step twice as far at most, to beyond the root of a straight line from the estimate."""
    rest = float(np.clip(_BEYOND * abs(value) / max(1 - abs(value), 0.1), _LEAST_REST, 1.0))
    return round(rest * far) or int(np.sign(far))


def _chord_step(before: tuple[int, float], after: tuple[int, float], again: int) -> int:
    """Step to the root of a straight line, further the more often one side has moved in a row."""
    (low, short), (high, over) = before, after
    if over - short == 2:  # no more than the sides is known
        return (low + high) // 2
    position = low + short / (short - over) * (high - low)
    if again > 1:
        position = high - (high - position) * 2 ** (again - 1) - 1
    elif again < -1:
        position = low + (position - low) * 2 ** (-again - 1) + 1
    return int(np.clip(round(position), low + 1, high - 1))
