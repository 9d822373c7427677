"""An average over a distribution known from ranges, with an interval; the mean without bias."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges, refuse_truncation, single_numbers
from askance.chart import Axis, Chart, chart_frame, draw_in_unit, rows_chart, sets_chart
from askance.inference.bounds import (
    Average,
    bounds_between_turns,
    cut_to_support,
    extremes_on_intervals,
    refuse_jumps,
    turning_points,
)
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.provenance import Computation
from askance.inference.ranges.distribution import Distribution, furthest, two_curves
from askance.inference.ranges.npmle import npmle
from askance.inference.ranges.sampled import (
    SampledRanges,
    drawn_ranges,
    refitted_error,
    replicates_of,
    sample_of,
    sampled_ranges,
    senders,
)
from askance.inference.ranges.support import OrderedEnds, cut_ends, inner_ends, observed
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.survey_statistics import survey_mean
from askance.results import (
    Listing,
    counted,
    describe_freedom,
    describe_variance,
    function_values,
    json_of,
    listed,
    normal_quantile,
    number,
    numbers,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified

_SMALL = 0.1  # of the error: a change that hardly shows in how often the interval covers


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FunctionalInterval:
    """An estimated average, between two bounds, with its standard error and interval.

    Attributes
    ----------
    low, high : float
        The estimate if all mass were where φ is lowest, or highest, in its interval.
    se : float
        Standard error of either.
    lower, upper : float
        ``low − z se`` and ``high + z se``; further out where people may lie beyond all cuts. Of a
        complex sample z is Student's quantile.
    level : float
    n : float
        How many ranges, counting weights.
    df : float
        Degrees of freedom of a complex sample; without a sampling design infinitely many.
    replicates : int
        By how many replicates the error was found; 0 if by none.

    >>> functional_interval(Ranges([0, 2], [2, 4], counts=[40, 60]), lambda y: y, (0, 4))
    average over what ranges hold
             low  high       se  95 % from     to
    average  1.2   3.2  0.09847      1.007  3.393
    100 ranges
    """

    computation: ClassVar[Computation] = Computation.FUNCTIONAL_INTERVAL
    low: float
    high: float
    se: float
    lower: float
    upper: float
    level: float
    n: float
    df: float = math.inf
    replicates: int = 0

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the estimate for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        head = ["", "low", "high", "se", f"{100 * self.level:g} % from", "to"]
        values = (self.low, self.high, self.se, self.lower, self.upper)
        rows = [["average", *(number(value) for value in values)]]
        note = counted(self.n, "range") + _sampled_note(self.df, self.replicates)
        return "average over what ranges hold", head, rows, [note]

    def _chart(self) -> Chart:
        """Describe the bounds of the average as a box, and its interval."""
        fitting = np.array([self.low]), np.array([self.high])
        ends, x = (np.array([self.lower]), np.array([self.upper])), Axis(name="value")
        return sets_chart(["average"], fitting, ends, level=self.level, x=x, y="what")

    plot = draw_in_unit
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _sampled_note(df: float, replicates: int) -> str:
    return f"; {describe_variance(replicates)}, {describe_freedom(df)}" if math.isfinite(df) else ""


@checked
def functional_interval(
    ranges: Ranges,
    phi: Average,
    support: tuple[float, float] | None = None,
    level: float = 0.95,
    *,
    extrema: Sequence[float] = (),
    inclusion: InclusionProbability | None = None,
    sampling: AbstractSamplingDesign | None = None,
) -> FunctionalInterval:
    r"""Estimate the average of a smooth φ from ranges of any shape, with an interval.

    The most likely ∫ φ dF errs with the square root of the number of people though F itself does
    not, and as little as any regular estimate can (Groeneboom & Wellner, 1992; Geskus & Groeneboom,
    1999, for two cuts a person). Its variance is estimated from the ranges, by the worst direction
    in which F could be wrong. Where mass may lie inside its interval widens the result beside that,
    and so do shares that can be traded for one another.

    People beyond all cuts are known only to be there, or, of rings, on one side or the other, and
    the average is learnt only up to what φ does there. How many they are the most likely F does not
    tell, however many are asked: where the one person with the highest cut is below it, F is 1
    there and nobody beyond. So ``low`` and ``high`` can lie too close together. Where that matters,
    the 2√n outermost ends at either side (√n if there are unions, of which most tell two ends) are
    counted as one cut, which so many share, and the interval goes on to where that of the fit to
    them does: it covers all that is left possible.

    With a sampling design the likelihood is weighted, and the variance is the sampling design's, of
    the total of what each report moves the average by (Binder, 1983). Of replicates each fits the
    distribution again: the error is that of either bound over the replicates, whichever is larger;
    where all of them say the same it is linearised. The outermost ends are then those of as many
    people as tell so much: their number over the design effect.

    For a share up to a point, whose φ jumps, see `cdf_intervals`.

    Parameters
    ----------
    ranges : Ranges
        Of any shape; without weights beside a sampling design.
    phi : callable
        φ, continuous; it takes arrays.
    support : (float, float), optional
        Declared bounds of the number. Without them φ is asked for its value at −∞ and ∞.
    level : float
    extrema : sequence of float
        Where φ changes from rising to falling or back. Others are found, as by `functional_bounds`;
        a spike that is narrower than about 1/10,000 of the support may be missed, and must be told.
    inclusion : InclusionProbability, optional
        How likely each number was to be heard of at all, as in `npmle`: positive everywhere.
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, a row for each range; beside an inclusion probability, of those who
        were heard of. Cuts were drawn too: finite populations are left out.

    Raises
    ------
    InputError
        If there is no range, one reaches beyond the support, φ is not finite at an end of the line
        or inside it, jumps, or turns more often than can be followed, the level is not in (0, 1),
        or a sampling design has no degree of freedom or stands beside weights.
    NotIdentified
        If some numbers are never heard of, or nobody counts in a replicate.

    >>> cuts = np.linspace(0.5, 99.5, 100)
    >>> below = (37 * np.arange(100)) % 100 < cuts  # numbers spread evenly up to 100
    >>> ranges = Ranges(np.where(below, -np.inf, cuts), np.where(below, cuts, np.inf))
    >>> functional_interval(ranges, lambda y: y, (0, 100))
    average over what ranges hold
               low  high     se  95 % from     to
    average  47.55  48.5  3.974      39.76  56.29
    100 ranges
    """
    refuse_truncation(ranges, "functional_interval", "npmle and its mean_bounds allow for them")
    where, declared = "functional_interval.phi", numbers(extrema, "functional_interval.extrema")
    line = _read_line(support, inclusion)
    ranges, sample = drawn_ranges("functional_interval", ranges, sampling)
    df = math.inf if sample is None else sample.sampling.df
    z = student_quantile(level, df)
    _refuse_infinite(phi, line)
    cells = cut_ends(ranges)
    refuse_jumps(phi, line, cells, where)
    all_turns = turning_points(phi, line, cells, declared.ravel().tolist(), where)
    setting = _Setting(line=line, extrema=all_turns, inclusion=inclusion, sample=sample)
    fit = setting.fit(ranges)
    low, high = bounds_between_turns(fit, phi, line, setting.extrema)
    se = setting.error(ranges, fit, phi)
    effect = (se / setting.information(ranges, fit, phi)) ** 2 if sample is not None else 1.0
    people = 1 / effect if effect > 1 else 1.0
    lower = -_end_beyond_cuts(ranges, lambda y: -function_values(phi, y, where), setting, z, people)
    upper = _end_beyond_cuts(ranges, phi, setting, z, people)
    return FunctionalInterval(
        low=low,
        high=high,
        se=se,
        lower=min(low - z * se, lower),
        upper=max(high + z * se, upper),
        level=level,
        n=ranges.total,
        df=df,
        replicates=replicates_of(sampling),
    )


def _refuse_infinite(phi: Average, line: tuple[float, float]) -> None:
    """Refuse a function without a value at an end of the line."""
    where = "functional_interval.phi"
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        outer = function_values(phi, np.array(line), where).tolist()
    if not np.isfinite(outer).all():
        raise InputError(
            where,
            got=f"{outer[0]} and {outer[1]} at the ends {line[0]} and {line[1]}",
            allowed="finite values",
            remedy="declare the support",
        )


def _read_line(
    support: tuple[float, float] | None, inclusion: InclusionProbability | None
) -> tuple[float, float]:
    """Read the support of the numbers; refuse numbers that are never included."""
    if inclusion is None:
        return (-np.inf, np.inf) if support is None else support
    span = float(inclusion.ends[0]), float(inclusion.ends[-1])
    line = span if support is None else support
    if not span[0] <= line[0] < line[1] <= span[1]:
        raise InputError("functional_interval.support", got=support, allowed=f"inside {span}")
    silent = [gap for gap in inclusion.zero_pieces if gap[0] < line[1] and line[0] < gap[1]]
    if silent:
        raise NotIdentified(
            "functional_interval.inclusion",
            got=f"numbers in ({silent[0][0]:g}, {silent[0][1]:g}], which are never observed",
            allowed="a positive chance for every number",
            remedy="bound the average with functional_bounds of npmle",
        )
    return line


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Setting:
    """The support, turning points, inclusion and sampling design of an estimated average."""

    line: tuple[float, float]
    extrema: Floats
    inclusion: InclusionProbability | None
    sample: SampledRanges | None

    def fit(self, ranges: Ranges) -> Distribution:
        """The most likely distribution."""
        return npmle(ranges, self.line, inclusion=self.inclusion)

    def error(self, ranges: Ranges, fit: Distribution, phi: Average) -> float:
        """The standard error: by fits to replicates, or else linearised."""
        if self.sample is None:
            return self.information(ranges, fit, phi)

        def ends(weights: Floats) -> tuple[float, float]:
            again = self.fit(ranges.reweighed(weights))
            return bounds_between_turns(again, phi, self.line, self.extrema)

        sampling, of = self.sample.sampling, self.sample.of
        full_bounds = bounds_between_turns(fit, phi, self.line, self.extrema)
        return refitted_error(sampling, of, ends, full_bounds) or self.linearised(ranges, fit, phi)

    def linearised(self, ranges: Ranges, fit: Distribution, phi: Average) -> float:
        """The efficient standard error, by the sampling design if there is one."""
        sample = None if self.sample is None else replace(self.sample, ranges=ranges)
        return efficient_error(
            ranges, fit, phi, self.line, self.extrema, inclusion=self.inclusion, sample=sample
        )

    def information(self, ranges: Ranges, fit: Distribution, phi: Average) -> float:
        """The efficient standard error of as many people drawn at random."""
        return efficient_error(ranges, fit, phi, self.line, self.extrema, inclusion=self.inclusion)


def _end_beyond_cuts(
    ranges: Ranges, phi: Average, setting: _Setting, z: float, people: float
) -> float:
    """The interval's upper end with the outer cuts counted as one, where φ goes on to rise.

    −∞ where that is little: beside a tenth of the error it does not matter. How many people each
    counts for says which cuts are outer.
    """
    ranges = ranges if setting.sample is not None else observed(ranges)
    rise = _rise_beyond(ranges, phi, setting.line, setting.extrema)
    edges, fewer = _merge_outer_cuts(ranges, setting.line, rise > 0, people)
    if fewer is ranges:
        return -np.inf
    fit = setting.fit(fewer)
    beyond = fit.mass @ np.stack([fit.upper <= edges[0], fit.lower >= edges[1]], axis=1)
    if float(beyond @ rise) <= _SMALL * z * setting.linearised(fewer, fit, phi):
        return -np.inf
    high = bounds_between_turns(fit, phi, setting.line, setting.extrema)[1]
    return high + z * setting.error(fewer, fit, phi)


def _rise_beyond(
    ranges: Ranges, phi: Average, line: tuple[float, float], extrema: Floats
) -> Floats:
    """How far φ rises below the lowest cut, and above the highest.

    Unions may tell of both by one report: then it is by how much φ differs there at all.
    """
    ends = cut_ends(ranges)
    ends = ends[(ends > line[0]) & (ends < line[1])]
    if not len(ends):
        return np.zeros(2)
    outer = []
    for cut, end in ((ends[0], line[0]), (ends[-1], line[1])):
        low, high = sorted((cut, end))
        places = [cut, end, *extrema[(low < extrema) & (extrema < high)].tolist()]
        with np.errstate(over="ignore", invalid="ignore"):
            outer.append(function_values(phi, np.array(places), "functional_interval.phi"))
    if observed(ranges).is_single_piece:
        return np.array([heights.max() - heights[0] for heights in outer])
    return np.full(2, np.ptp(np.concatenate(outer)))


def _merge_outer_cuts(
    ranges: Ranges, line: tuple[float, float], sides: Booleans, people: float
) -> tuple[tuple[float, float], Ranges]:
    """Move the outermost ends at chosen sides to the innermost of them.

    A range with both ends beyond that place becomes the place itself, from inside. Exact numbers
    stay. Gives the two places too.
    """
    as_few = ranges.reweighed(ranges.weights * people)
    low, high = inner_ends(OrderedEnds.of(as_few), line)
    low, high = low if sides[0] else -np.inf, high if sides[1] else np.inf
    ends = np.stack([ranges.lower, ranges.upper])
    cut = (ends > line[0]) & (ends < line[1]) & ~single_numbers(ranges.lower, ranges.upper)
    lower, upper = np.where(cut, ends.clip(low, high), ends)
    if np.array_equal(np.stack([lower, upper]), ends):
        return line, ranges
    empty = lower == upper
    upper[empty & (lower == low)] = np.nextafter(low, np.inf)
    lower[empty & (upper == high)] = np.nextafter(high, -np.inf)
    return (low, high), Ranges(lower, upper, ranges.weights, pieces=np.diff(ranges.starts))


_STEEPEST = 1e6


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnbiasedMean:
    """An estimated mean with its standard error and normal interval.

    Attributes
    ----------
    value, se : float
    lower, upper : float
        Ends of the interval.
    level : float
    n : float
        How many numbers were observed, counting weights.
    df : float
        Degrees of freedom of a complex sample; without a sampling design infinitely many.
    replicates : int
        By how many replicates the error was found; 0 if by none.

    >>> unbiased_mean(Ranges([-np.inf, 4], [6, np.inf], counts=[40, 60]), (0, 10))
    mean from one uniform cut
          value      se  95 % from     to
    mean    5.8  0.3939      5.028  6.572
    100 ranges
    """

    computation: ClassVar[Computation] = Computation.UNBIASED_MEAN
    value: float
    se: float
    lower: float
    upper: float
    level: float
    n: float
    df: float = math.inf
    replicates: int = 0

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the estimate for JSON; None is a number that is not known."""
        names = "value se lower upper level n"
        return json_of(self, names + (" df replicates" if math.isfinite(self.df) else ""))

    def _table(self) -> Listing:
        head = ["", "value", "se", f"{100 * self.level:g} % from", "to"]
        row = ["mean", *(number(value) for value in (self.value, self.se, self.lower, self.upper))]
        note = counted(self.n, "range") + _sampled_note(self.df, self.replicates)
        return "mean from one uniform cut", head, [row], [note]

    def _chart(self) -> Chart:
        """Describe the mean with its interval."""
        low, value, high = np.array([[self.lower], [self.value], [self.upper]])
        x = Axis(name="value")
        return rows_chart(["mean"], value, (low, high), level=self.level, x=x, y="what")

    plot = draw_in_unit
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def unbiased_mean(
    ranges: Ranges,
    support: tuple[float, float],
    level: float = 0.95,
    *,
    slope: float = 1.0,
    sampling: AbstractSamplingDesign | None = None,
) -> UnbiasedMean:
    r"""Estimate a mean without bias where each person's one cut was uniform on the support.

    .. math:: \hat\mu = \frac1n\sum_i \Bigl[a + s\,(U_i - \tfrac{a+b}2) + (b-a)\,1\{Y_i > U_i\}
              \Bigr]

    No curve is fitted, so n need not be large; all it needs is that the cuts were uniform and the
    numbers lie in [a, b]. With s = 1 the summand is the middle of the range, doubled: 2 (middle)
    − (a + b)/2. Ding & Ding (2022), Example 2, has s = 2, which is never more precise.

    Parameters
    ----------
    ranges : Ranges
        One-sided: up to the cut, or above it.
    support : (float, float)
        Where the cuts were drawn: a and b.
    level : float
    slope : float
        s. Any value is unbiased; `unbiased_mean_variance` says how precise it is.
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, a row for each range. It is then the weighted mean of the summands
        (Hájek's ratio, unbiased but for what the sum of weights varies), with the variance of
        `survey_mean`. Cuts were drawn too: finite populations are left out.

    Raises
    ------
    InputError
        If there is no range, a range has two ends inside the support, or a cut is outside; or if a
        design has no degree of freedom, or stands beside weights.

    References
    ----------
    Ding & Ding (2022), Proposition 1, for answers inside [a, b]; otherwise it is unbiased for the
    mean of the answers clipped to [a, b].

    >>> fit = unbiased_mean(Ranges([-np.inf, 4], [6, np.inf], counts=[1, 3]), (0, 10))
    >>> fit.value  # (1 · (6 − 5) + 3 · (4 + 5)) / 4
    7.0
    """
    refuse_truncation(ranges, "unbiased_mean", "npmle and its mean_bounds allow for them")
    low, high = read_support("unbiased_mean", support, slope)
    if sampling is not None:
        sampling, ranges = senders(ranges, sampling), sampled_ranges(ranges, sampling)
    cut, above = read_single_cuts(ranges, low, high)
    z, w, n = normal_quantile(level), ranges.weights, ranges.total
    if not n > 0:
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    summands = low + slope * (cut - (low + high) / 2) + (high - low) * above
    if sampling is not None:
        return _sample_mean(summands, sampling, level)
    mean = float(w @ summands / n)
    variance = float(w @ (summands - mean) ** 2) / (n - 1) if n > 1 else float("nan")
    se = float(np.sqrt(variance / n))
    return UnbiasedMean(
        value=mean, se=se, lower=mean - z * se, upper=mean + z * se, level=level, n=n
    )


def _sample_mean(summands: Floats, sampling: AbstractSamplingDesign, level: float) -> UnbiasedMean:
    """The weighted mean of what each person's cut says, with its design-based error."""
    mean = survey_mean(sample_of("unbiased_mean", sampling), summands, level)
    return UnbiasedMean(
        value=float(mean.value[0]),
        se=float(mean.se[0]),
        lower=float(mean.lower[0]),
        upper=float(mean.upper[0]),
        level=level,
        n=float(mean.n),
        df=mean.df,
        replicates=replicates_of(sampling),
    )


@checked
def unbiased_mean_variance(
    support: tuple[float, float], mean: float, variance: float, n: float, *, slope: float = 1.0
) -> float:
    r"""The exact variance of `unbiased_mean`, before anybody is asked.

    .. math:: \operatorname{Var}\hat\mu = \frac1n\Bigl[\sigma^2 + \frac{s^2 (b-a)^2}{12}
              + (1-s)\Bigl(\frac{(b-a)^2}{4} - \sigma^2 - (\mu - \tfrac{a+b}2)^2\Bigr)\Bigr]

    At s = 1 it is σ² + (b − a)²/12, whatever the answers. At s = 2 it is (b − a)²/12 + 2σ² +
    (μ − (a + b)/2)², the variance of Ding & Ding (2022), Example 2: larger by the mean square
    distance of the answers from the middle.

    Parameters
    ----------
    support : (float, float)
        a and b.
    mean, variance : float
        μ and σ² of the answers.
    n : float
        How many people are asked.
    slope : float
        s.

    Raises
    ------
    InputError
        If no answers in [a, b] have this mean and variance, or n is not positive.

    >>> round(unbiased_mean_variance((0, 10), 2, 3, 1, slope=2), 9)  # 100/12 + 2 · 3 + 3²
    23.333333333
    >>> round(unbiased_mean_variance((0, 10), 2, 3, 1), 9)  # 3 + 100/12
    11.333333333
    """
    low, high = read_support("unbiased_mean_variance", support, slope)
    if not low <= mean <= high or not 0 <= variance <= (mean - low) * (high - mean) * (1 + 1e-12):
        raise InputError(
            "unbiased_mean_variance",
            got=f"mean {mean}, variance {variance}",
            allowed=f"those of answers in [{low}, {high}]",
        )
    if not n > 0:
        raise InputError("n", got=n, allowed="a number of people in (0, ∞)")
    width, off = high - low, mean - (low + high) / 2
    inside = width**2 / 4 - variance - off**2
    return float((variance + slope**2 * width**2 / 12 + (1 - slope) * inside) / n)


def read_support(
    where: str, support: tuple[float, float], slope: float = 1.0
) -> tuple[float, float]:
    """Read the ends between which cuts were drawn, finite and ascending.

    >>> read_support("unbiased_mean", (0, 10))
    (0, 10)
    """
    low, high = support
    if not -np.inf < low < high < np.inf:
        raise InputError(f"{where}.support", got=support, allowed="(low, high), both finite")
    if not abs(slope) <= _STEEPEST:
        raise InputError(f"{where}.slope", got=slope, allowed="a number in [-10⁶, 10⁶]")
    return low, high


def read_single_cuts(ranges: Ranges, low: float, high: float) -> tuple[Floats, Floats]:
    """Read each range as a single cut inside a support, and 1 where the number is above it.

    Raises
    ------
    InputError
        If a range has several pieces, two ends inside the support, or its cut outside.

    >>> [side.tolist() for side in read_single_cuts(Ranges([-np.inf, 4], [6, np.inf]), 0, 10)]
    [[6.0, 4.0], [0.0, 1.0]]
    """
    if not observed(ranges).is_single_piece:
        raise InputError("Ranges", got="unions of ranges", allowed="up to, or above, one cut")
    first = ranges.starts[:-1]  # those of weight 0 may have more pieces
    lower, upper = ranges.lower[first], ranges.upper[first]
    above = upper >= high
    cut = np.where(above, lower, upper)
    wrong = (above == (lower <= low)) | ~(low <= cut) | ~(cut <= high)
    for row in np.flatnonzero(wrong & (ranges.weights > 0)):
        raise InputError(
            f"Ranges[{row}]",
            got=f"({lower[row]}, {upper[row]}]",
            allowed=f"up to, or above, one cut in [{low}, {high}]",
        )
    return np.where(wrong, low, cut), above.astype(float)


_MOST_BLOCKS = 200  # directions; more are not better observed
_AT_ONCE = 20_000  # ranges that fit in memory beside all blocks
_FAINT = 1e-9  # how much of F lies where no answer was, so that no range is impossible


def efficient_error(
    ranges: Ranges,
    fit: Distribution,
    phi: Average,
    support: tuple[float, float],
    extrema: Floats,
    *,
    inclusion: InclusionProbability | None = None,
    sample: SampledRanges | None = None,
) -> float:
    r"""The standard error of the most likely ∫ φ dF.

    The variance is that of the worst direction in which F could be wrong,

    .. math:: \max_h \frac{(\int (\varphi - \theta) h\,dF)^2}
              {\sum_i w_i E_F(h \mid Y \in R_i)^2}

    (Groeneboom & Wellner, 1992). Directions h are constant on blocks between cuts, of about equal
    mass and at most √n of them, so that the information is well observed; where there are fewer
    cuts, as on a grid, every direction is seen. A most likely F sits on few places, so it is taken
    twice, with its masses where they are and spread out, and the larger error counts. One plain
    answer is added, so that what is not learnt has a large error, but a finite one. It is never
    less than the error if all had told their numbers; infinite if fewer than two did.

    At the worst h each report moves the average by its E(h | Y ∈ R_i): of a complex sample the
    variance is the sampling design's, of the total of these (Binder, 1983), and that of the one
    plain answer; and at least that of all numbers told, times the design effect of what each report
    expects of its own. By that effect n counts people and not rows, where blocks are chosen, and
    the one plain answer counts as one person does. Where a number is heard of with chance s(y),
    E_F(s h)/E_F(s) is taken off each: what those who were heard of say of h on the whole.

    Parameters
    ----------
    ranges : Ranges
    fit : Distribution
    phi : callable
        φ, with a finite value at both ends of the support.
    support : (float, float)
        Of the number; infinite if φ allows.
    extrema : array
        Where φ turns, ascending.
    inclusion : InclusionProbability, optional
        Positive on the support.
    sample : SampledRanges, optional
        Whose ranges these are, row by row.
    """
    ends = cut_ends(ranges)
    if inclusion is not None:
        ends = np.unique(np.concatenate([ends, inclusion.ends]))
    ends = ends[(ends > support[0]) & (ends < support[1])]
    if not len(ends) or ranges.total <= 1:
        return float("inf")
    span = max(float(ends[-1] - ends[0]), 1.0)
    low = support[0] if np.isfinite(support[0]) else ends[0] - span
    high = support[1] if np.isfinite(support[1]) else ends[-1] + span
    places = np.concatenate([[support[0]], ends, [support[1]]])
    lower, upper = extremes_on_intervals(phi, places[:-1], places[1:], extrema)
    least, most = extremes_on_intervals(phi, *cut_to_support(fit, support), extrema)
    lower = lower - _adjust_for_trades(fit, -least, places[1:])
    upper = upper + _adjust_for_trades(fit, most, places[1:])
    information = _RangeInformation(
        ranges=ranges, ends=ends, chance=_inclusion_chances(inclusion, places), sample=sample
    )
    curves = two_curves(fit, np.concatenate([[low], ends, [high]]), _FAINT * ranges.total)
    return max(information.error(curve, value) for curve in curves for value in (lower, upper))


def _adjust_for_trades(fit: Distribution, value: Floats, ends: Floats) -> Floats:
    """The shift of φ that makes its average invariant to unidentified trades of shares."""
    _, spared = furthest(fit.mass, fit.null_directions, value)
    adjustment: Floats = spared[np.searchsorted(fit.upper, ends).clip(0, len(spared) - 1)]
    return adjustment


def _inclusion_chances(inclusion: InclusionProbability | None, places: Floats) -> Floats | None:
    """The inclusion probability of a number at each place between neighbouring ends."""
    if inclusion is None:
        return None
    step = np.searchsorted(inclusion.ends, places[1:]) - 1
    chances: Floats = inclusion.chance[step.clip(0, len(inclusion.chance) - 1)]
    return chances


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RangeInformation:
    """The information of ranges about averages.

    Attributes
    ----------
    ranges : Ranges
    ends : array, shape (c,)
        Which part the line into places.
    chance : array, shape (c + 1,), or None
        How likely a number at each place is to be heard of, up to a factor.
    sample : SampledRanges, optional
    """

    ranges: Ranges
    ends: Floats
    chance: Floats | None
    sample: SampledRanges | None

    def error(self, curve: Floats, value: Floats) -> float:
        """The standard error of Σ mass · value, where F is this curve at the ends of all places."""
        mass, n = np.diff(curve), self.ranges.total
        centred = value - mass @ value
        chance = np.ones(len(mass)) if self.chance is None else self.chance
        effect = self._design_effect(curve, mass * centred / chance)
        person = max(effect, 1.0)  # of so many rows
        first = _cut_into_blocks(curve, int(np.sqrt(n / person)))
        share, away = np.add.reduceat(mass, first), np.add.reduceat(mass * centred, first)
        paid = 0.0 if self.chance is None else _block_masses(mass * self.chance, first)
        edges = curve[np.append(first, -1)]
        information = person * np.diag(share)
        for rows, shares in self._block_shares(curve, edges):
            away_from = shares - paid
            information += away_from.T @ (away_from * self.ranges.weights[rows, None])
        worst = np.linalg.solve(information, away)
        exactly = (mass @ (centred**2 / chance)) * (mass @ chance)
        if self.sample is None:
            return float(np.sqrt(max(away @ worst, exactly / (n - 1))))
        influence = np.zeros(len(self.ranges))
        for rows, shares in self._block_shares(curve, edges):
            influence[rows] = (shares - paid) @ worst
        variance = self.sample.variance(influence) + float(share @ (person * worst) ** 2)
        return float(np.sqrt(max(variance, float(exactly) / n * effect)))

    def _design_effect(self, curve: Floats, sums: Floats) -> float:
        """The design effect of what each report expects of its own number; 1 without a sample."""
        if self.sample is None:
            return 1.0
        effect = self.sample.effect(self._average_by_range(curve, sums))
        return self.sample.alone() if effect is None else effect

    def _block_shares(self, curve: Floats, edges: Floats) -> Iterator[tuple[Integers, Floats]]:
        """Give each range's shares of blocks, of some of those that count at a time."""
        counted_rows = np.flatnonzero(self.ranges.weights > 0)
        for start in range(0, len(counted_rows), _AT_ONCE):
            rows = counted_rows[start : start + _AT_ONCE]
            some = self.ranges[rows]
            low, high = (self._read_curve(curve, end) for end in (some.lower, some.upper))
            pieces = np.clip(high[:, None], edges[:-1], edges[1:])
            pieces -= np.clip(low[:, None], edges[:-1], edges[1:])
            shares = np.add.reduceat(pieces, some.starts[:-1])
            yield rows, shares / shares.sum(axis=1, keepdims=True)

    def _average_by_range(self, curve: Floats, sums: Floats) -> Floats:
        """Average over each range a function given by its sums at each place."""
        upto = np.append(0.0, np.cumsum(sums))
        totals = [
            np.add.reduceat(
                self._read_curve(cumulative, self.ranges.upper)
                - self._read_curve(cumulative, self.ranges.lower),
                self.ranges.starts[:-1],
            )
            for cumulative in (upto, curve)
        ]
        return np.asarray(totals[0] / np.where(totals[1] > 0, totals[1], 1.0), dtype=np.float64)

    def _read_curve(self, curve: Floats, number: Floats) -> Floats:
        """Read a curve at ends of ranges."""
        inside = curve[np.searchsorted(self.ends, number, side="right")]
        return np.where(number > self.ends[-1], curve[-1], inside)


def _block_masses(mass: Floats, first: Integers) -> Floats:
    """What part of all each block has."""
    return np.asarray(np.add.reduceat(mass, first) / mass.sum(), dtype=np.float64)


def _cut_into_blocks(curve: Floats, people: int) -> Integers:
    """Cut the places into blocks of about equal mass; each place alone if there are few."""
    places, wanted = len(curve) - 1, int(np.clip(people, 2, _MOST_BLOCKS))
    if places <= wanted:
        return np.arange(places)
    level = np.searchsorted(curve, np.arange(1, wanted) / wanted)
    return np.unique(np.concatenate([[0], np.minimum(level, places - 1)]))
