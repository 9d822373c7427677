"""A number that was told as it is: its distribution, its mean and its quantiles."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from askance.inference.fit_result import Convergence, DesignVariance, GoodnessOfFit
from askance.inference.line.cells import MOST_TICKS, SHARES, LineEstimate, empty_estimate
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.sampled import replicates_of
from askance.inference.sampling_columns import read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.survey_statistics import share_variances, survey_mean
from askance.results import normal_quantile, student_quantile, wilson
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import read_integer


@checked
def estimate_plain(
    line: Line, counts: Mapping[int, int], *, level: float = 0.95, unit: str = ""
) -> LineEstimate:
    """Estimate the distribution of a number that everyone gave as it is.

    Parameters
    ----------
    line : Line
    counts : mapping of int to int
        How often each tick was given; on a line of whole numbers from 1 on, where its values begin.
    level : float
    unit : str

    Returns
    -------
    LineEstimate
        With the sample mean, its normal interval, and Wilson's (1927) interval for the share up to
        each tick. Where all gave the same number the mean's interval is that of everybody whom
        Wilson's interval of 0 of n still allows, at either end of the line.

    Raises
    ------
    InputError
        If a tick is not the line's, a count is no whole number, or the line has whole numbers in
        steps of more than 1.

    >>> fit = estimate_plain(Line(0, 10, 1), {2: 1, 4: 3})
    >>> fit.mean, fit.effective_sample_size
    (3.5, 4.0)
    >>> equal = estimate_plain(Line(0, 10, 1), {10: 1_000})  # 0 of 1,000: up to .38 % may be at 0
    >>> equal.mean, round(equal.lower, 4), equal.upper
    (10.0, 9.9617, 10.0)
    """
    z = normal_quantile(level)
    _refuse_counts(line, counts)
    ticks = ticks_to_report(line, counts)
    numbers = numbers_at(line, ticks)
    by_tick = np.array([counts.get(tick, 0) for tick in ticks.tolist()], dtype=float)
    n = float(by_tick.sum())
    if not n:
        return empty_estimate(numbers, level, unit, integer=line.integer)
    mean = float(by_tick @ numbers / n)
    se = float(np.sqrt(by_tick @ (numbers - mean) ** 2 / (n - 1) / n)) if n > 1 else np.inf
    return _assemble(line, ticks, by_tick, (se, np.array(n), z), n, level, unit)


@checked
def estimate_plain_sample(
    line: Line,
    ticks: Sequence[int | None],
    sampling: AbstractSamplingDesign,
    *,
    level: float = 0.95,
    unit: str = "",
) -> LineEstimate:
    """Estimate the distribution of a number that a complex sample gave as it is.

    The mean is `survey_mean`'s, with its error and Student's interval. At each tick the band is
    Wilson's of as many people drawn at random as would tell the weighted share up to there as
    precisely (Korn & Graubard, 1998), no more than were asked; where it is 0 or 1, as many as at
    the nearest tick where it is not, and no more than their weights allow. Quantiles invert the
    band (Woodruff, 1952).

    Parameters
    ----------
    line : Line
    ticks : sequence of int or None, length n
        What each person gave; on a line of whole numbers from 1 on. None is a blank, outside the
        domain.
    sampling : SamplingDesign, ReplicateWeights or JointInclusion
        How they were drawn, a row for each; finite populations count.
    level : float
    unit : str

    Raises
    ------
    InputError
        If a tick is not the line's, rows are more or fewer, or there is no degree of freedom.

    References
    ----------
    Korn & Graubard (1998); Woodruff (1952).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[10, 10, 20, 20], clusters=list("aabc"))
    >>> fit = ak.inference.estimate_plain_sample(ak.Line(0, 10, 1), [2, 4, 4, 5], sampling)
    >>> mean = ak.inference.survey_mean(sampling, [2.0, 4, 4, 5])
    >>> round(fit.mean, 6), round(fit.se, 6) == round(float(mean.se[0]), 6)
    (4.0, True)
    """
    sampling = read_sampling(sampling, None, len(ticks)) or sampling
    tick_counts = dict.fromkeys((tick for tick in ticks if tick is not None), 1)
    _refuse_counts(line, tick_counts, "estimate_plain_sample.ticks")
    answers = np.array([-1 if tick is None else tick for tick in ticks], dtype=np.int64)
    sample, grid = sampling.domain(answers >= 0), ticks_to_report(line, answers[answers >= 0])
    numbers = numbers_at(line, grid)
    n = int(np.count_nonzero(sample.weights))
    if not n:
        return empty_estimate(numbers, level, unit, integer=line.integer)
    if not sample.df > 0:
        raise InputError(
            "estimate_plain_sample.sampling",
            got=f"{sample.df:g} degrees of freedom",
            allowed="more clusters than strata",
        )
    index = np.searchsorted(grid, answers.clip(0))
    by_tick = np.bincount(index, sample.weights, len(grid))
    se = float(survey_mean(sample, numbers[index]).se[0])
    worth = _effective_size(sample, index, grid, by_tick / by_tick.sum(), n)
    spread = se, worth, student_quantile(level, sample.df)
    estimate = _assemble(line, grid, by_tick * (n / by_tick.sum()), spread, n, level, unit)
    variance = float(by_tick @ (numbers - estimate.mean) ** 2 / by_tick.sum())
    variance_source = DesignVariance(replicates=replicates_of(sample), df=sample.df)
    return replace(
        estimate,
        effective_sample_size=min(variance / se**2, n) if se else float(worth.min()),
        method=f"weighted sample; {variance_source.describe()}",
        design_variance=variance_source,
    )


def ticks_to_report(line: Line, answers: Iterable[int] = ()) -> Integers:
    """The ticks at which the distribution of plain numbers is reported, ascending.

    All of them; on a line of more than `MOST_TICKS` its ends, the first value, and of each number
    that was given its tick and the one below. The share rises nowhere else, so a line of millions
    takes no more room than the numbers that were given.

    >>> ticks_to_report(Line(0, 3, 1)).tolist()
    [0, 1, 2, 3]
    >>> ticks_to_report(Line(0, 10**7, 1), [40, 7]).tolist()
    [0, 6, 7, 39, 40, 10000000]
    """
    if line.ticks <= MOST_TICKS:
        return np.arange(line.ticks + 1)
    rises = np.fromiter(answers, dtype=np.int64)
    return np.unique(np.concatenate([[0, line.spacing, line.ticks], rises, (rises - 1).clip(0)]))


def numbers_at(line: Line, ticks: Integers) -> Floats:
    """The numbers at ticks of a line.

    >>> numbers_at(Line(17, 70, "1/2"), np.array([0, 3])).tolist()
    [17.0, 18.5]
    """
    return np.array([float(line.value_at(tick)) for tick in ticks.tolist()])


def _effective_size(
    sample: AbstractSamplingDesign, index: Integers, grid: Integers, shares: Floats, n: int
) -> Floats:
    """The effective sample size of the share up to each tick, (t + 1,)."""
    weights, upto = sample.weights, np.minimum(np.cumsum(shares), 1.0)
    people = float(weights.sum() ** 2 / (weights @ weights))
    variance, inner = share_variances(sample, index, len(grid)), upto * (1 - upto)
    is_known = variance > _NONE * inner
    is_known[np.flatnonzero(shares)[-1] :] = False  # nothing varies
    if not is_known.any():
        return np.full(len(shares), people)
    worth = np.interp(grid, grid[is_known], inner[is_known] / variance[is_known])
    return np.asarray(np.minimum(worth, np.where(is_known, n, people)), dtype=np.float64)


_NONE = 1e-12  # of the variance of one person: what is certain but for rounding


def _assemble(
    line: Line,
    ticks: Integers,
    by_tick: Floats,
    spread: tuple[float, Floats, float],
    n: float,
    level: float,
    unit: str,
) -> LineEstimate:
    """Assemble the estimate from the sample at each tick, its error, worth and deviate."""
    (se, worth, z), first, numbers = spread, line.spacing, numbers_at(line, ticks)
    sample = _sample_distribution(numbers, by_tick, None if line.integer else float(line.step))
    upto = np.minimum(np.cumsum(by_tick) / by_tick.sum(), 1)
    low, high = _band(upto, worth, z)
    _, mean = sample.mean_bounds()
    lower, upper = _mean_interval(line, mean, se, float(worth.min()), z)
    return LineEstimate(
        unit=unit,
        distribution=sample,
        mean_low=mean,
        mean_high=mean,
        se=se,
        lower=lower,
        upper=upper,
        level=level,
        ticks=numbers,
        cdf=upto,
        band_lower=low,
        band_upper=high,
        quantiles=_quantiles(*(column[first:] for column in (numbers, upto, low, high))),
        coverage=np.empty(0),
        coverage_counts=np.empty(0),
        average_coverage=0.0,
        effective_sample_size=n,
        reports=int(n),
        method=sample.method,
        convergence=sample.convergence,
        integer=line.integer,
        goodness_of_fit=GoodnessOfFit(),
    )


def _band(upto: Floats, worth: Floats, z: float) -> tuple[Floats, Floats]:
    """Give the intervals of the shares up to each tick, none falling."""
    low, high = wilson(upto, worth, z)
    if worth.ndim:  # of a complex sample
        return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    return low, high


def _refuse_counts(
    line: Line, counts: Mapping[int, int], where: str = "estimate_plain.counts"
) -> None:
    first = line.spacing
    if line.integer and line.step > 1:
        allowed = "steps of 1, where whole numbers are given as they are"
        raise InputError("estimate_plain.line", got=f"steps of {line.step}", allowed=allowed)
    for tick, count in counts.items():
        read_integer(tick, where, f"ticks from {first} to {line.ticks}", first, line.ticks)
        read_integer(count, f"{where}[{tick!r}]", "a whole number in [0, ∞)", 0)


def _mean_interval(line: Line, mean: float, se: float, n: float, z: float) -> tuple[float, float]:
    ends = float(line.lower), float(line.upper)
    if se:
        return max(mean - z * se, ends[0]), min(mean + z * se, ends[1])
    unseen = float(wilson(np.zeros(1), np.array(n), z)[1][0])
    return mean + unseen * (ends[0] - mean), mean + unseen * (ends[1] - mean)


def _sample_distribution(numbers: Floats, by_tick: Floats, step: float | None) -> Distribution:
    """What was given, up to a step; whole numbers are as `integer_valued` has them."""
    occurs = by_tick > 0
    below = np.nextafter(numbers, -np.inf) if step is None else numbers - step
    return Distribution(
        lower=below[occurs],
        upper=numbers[occurs],
        mass=by_tick[occurs] / by_tick.sum(),
        n=float(by_tick.sum()),
        gap=0.0,
        method="the sample itself",
        convergence=Convergence.EXACT,
    )


def _quantiles(
    numbers: Floats, upto: Floats, low: Floats, high: Floats
) -> dict[float, tuple[float, float, float]]:
    """Read quantiles and their intervals off the cumulative share and its band."""
    shares, last = list(SHARES), len(numbers) - 1
    places = (np.searchsorted(curve, np.array(shares) - 1e-12) for curve in (high, upto, low))
    ends = (numbers[np.minimum(index, last)].tolist() for index in places)
    return dict(zip(shares, zip(*ends, strict=True), strict=True))
