"""From numbers sent plainly, in cells or in ranges of any shape to their distribution."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final, overload

import numpy as np

from askance.channels.identification import InclusionProbability, describe_piece
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel, identified_range
from askance.channels.ranges import Ranges, refuse_truncation
from askance.inference.fit_result import Convergence, DesignVariance, GoodnessOfFit
from askance.inference.intervals.cdf_intervals import (
    QuantileIntervals,
    quantile_intervals,
    spread_intervals,
)
from askance.inference.intervals.cdf_profile import grid_intervals
from askance.inference.intervals.likelihood_ratio_law import HIGHEST, LOWEST, PointIntervals
from askance.inference.line.cells import (
    SHARES,
    Law,
    LineEstimate,
    Reported,
    at_values,
    atoms,
    cdf_covariance,
    drawn_law,
    empty_estimate,
    mean_coefficients,
    placed,
    reach,
    reported,
    shares_covariance,
    shares_influence,
    stopped_law,
    tick_numbers,
    values_of,
)
from askance.inference.range_tests import cells_fit
from askance.inference.ranges.distribution import Distribution, extremes, two_curves
from askance.inference.ranges.npmle import npmle
from askance.inference.ranges.sampled import (
    refitted_error,
    replicates_of,
    sample_of,
    sampled_ranges,
    senders,
)
from askance.inference.ranges.support import cut_ends
from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import normal_quantile, student_quantile, wilson
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@checked
def estimate_line(
    channel: AbstractRangeChannel,
    ranges: Ranges,
    level: float = 0.95,
    *,
    unit: str | None = None,
    stopping: bool = False,
    sampling: AbstractSamplingDesign | None = None,
) -> LineEstimate:
    """Estimate the distribution, mean and quantiles of a number from the ranges it was reported as.

    The fit is the nonparametric maximum likelihood estimate of the distribution function F
    (`npmle`); errors come from the information expected of it.

    Independent cuts of which every cell is sent: the information is that about F at the ticks,
    given the cuts that came, since people who see their cut may refuse more often at some of them
    (`drawn_law`). For one cut the variance of the mean is Σ step² F(1 − F)/(n g), the discrete form
    of Ding & Ding (2022), theorem 2, with n g as many as came of each cut.

    The band is that of `cdf_intervals` at each tick, by likelihood ratio, which knows that F rises;
    where several cuts each fell on more than 48 ticks, it is asked for at 64 of them, and spans
    what the neighbours allow between. Quantiles invert it (`quantile_intervals`). At levels at
    which that law is not tabled, where some weight is less than 1e-12 of all, and of so many
    reports on so fine a line that F has hundreds of steps, it is Wilson's interval at each tick,
    with as many observations as F(1 − F) over its variance.

    Rings, ranges with parts sent exactly, and laws that withhold narrow ranges: the information is
    that of ranges of any shape, and the likelihood is adjusted for what is withheld. What no report
    tells apart is spread to its ends in the bounds of the mean and in the band, which is Wilson's
    where ranges have several pieces or some are withheld. Quantiles have the intervals of
    `quantile_intervals`; of a sample of rings they invert the band.

    On a line of whole numbers masses are on values, the last of a step being its upper tick
    (`integer_valued`). In steps of 1 the mean has one bound and nothing is left open inside a step.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    ranges : Ranges
        In the unit of the line, ends on its ticks; infinite ends where no cut was drawn.
        `channel.ranges` writes them from the ticks of reports. Their weights are counts, or what
        is expected of counts: errors are those of so many people drawn at random. Sampling weights
        belong into a sampling design.
    level : float
        How often each interval holds the truth. The mean's holds both of its bounds.
    unit : str, optional
        For people; the line's own if left out.
    stopping : bool
        Whether people may stop before their range is as narrow as it could be. Errors then come
        from the law of ranges of those who stopped as these did (`stopped_law`). A choice to stop
        that depends on more of the answer than the range tells biases the estimate by what nobody
        can know.
    sampling : SamplingDesign or ReplicateWeights, optional
        How people were drawn, of ranges without weights. The likelihood is weighted, errors are
        linearised, intervals are Student's, and the band counts at each tick as many people as
        tell so much: n over the design effect there, which is 1 at least. To each replicate the
        distribution is fitted again for the mean's error, that of either bound, whichever is
        larger. Cuts were drawn too: finite populations are left out.

    Raises
    ------
    InputError
        If a range is not a cell of the channel, the line has more than 1,000 ticks, the level is
        not in (0, 1), people cannot stop because the cuts do not come in turn, or a sampling design
        has no degree of freedom or stands beside weights.
    NotIdentified
        If withheld ranges leave the distribution open.

    >>> from askance_collect.exact.line import Line
    >>> from askance.channels.range_channel import RangeChannel
    >>> channel = RangeChannel(Line(0, 3, 1, "years"), [1, 1])
    >>> cells = channel.ranges([[0, 1], [1, 3], [0, 2], [2, 3]], [20, 30, 40, 10])
    >>> print(estimate_line(channel, cells))  # F at the two cuts: 20/50 and 40/50
    distribution of a number, years
                   value  95 % from     to
    mean             1.3     0.6246  1.975
    quantile 0.1    0.25          0      1
    ...
    >>> from askance.channels.cut_variants import RingChannel
    >>> from askance_collect.exact.line import Floor
    >>> ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 1))
    >>> ends = [[1, 2], [2, 1], [2, 3], [3, 2], [1, 3], [3, 1]]
    >>> cells = ring.ranges(ends, [30, 70, 20, 80, 50, 50])
    >>> fit = estimate_line(ring, cells)
    >>> round(fit.mean_low, 6), round(fit.mean_high, 6)  # .3 and .2 inside, .5 at either end
    (0.7, 3.2)
    """
    normal_quantile(level)
    tick_numbers(channel)
    remedy = "npmle takes ranges with entry= and exit=, without a channel"
    refuse_truncation(ranges, "estimate_line", remedy)
    if sampling is not None:
        return _estimate_sample(channel, ranges, sampling, level, unit=unit, stopping=stopping)
    cells = reported(channel, ranges)
    return estimate_cells(channel, cells, level, unit=unit, stopping=stopping)


def _estimate_sample(
    channel: AbstractRangeChannel,
    ranges: Ranges,
    sampling: AbstractSamplingDesign,
    level: float,
    *,
    unit: str | None,
    stopping: bool,
) -> LineEstimate:
    """Weigh ranges as their sample says, and take its errors."""
    sample = sample_of("estimate_line", senders(ranges, sampling))
    ranges = sampled_ranges(ranges, sampling)
    cells, is_counted = placed(channel, ranges), ranges.weights > 0
    anywhere = np.where(is_counted[:, None], cells, [0, channel.line.ticks])
    scale = ranges.total / sample.weights.sum()
    sampled = Sampled(sampling=sample, cells=anywhere, scale=scale)
    observed = Reported(cells=cells[is_counted], counts=ranges.weights[is_counted]).distinct()
    return estimate_cells(channel, observed, level, unit=unit, stopping=stopping, sample=sampled)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampled:
    """A complex sample of people, and the cell that each reported.

    Attributes
    ----------
    sampling : AbstractSamplingDesign
    cells : array of int, shape (n, 2)
        The whole line for who has no weight.
    scale : float
        What weights are multiplied by, so that they sum to the people who have some.
    """

    sampling: AbstractSamplingDesign
    cells: Integers
    scale: float

    def covariance(self, channel: RangeChannel, bread: Floats, cdf: Floats) -> Floats:
        """Covariance of F at the ticks that can be cut, of scores of the weighted likelihood."""
        node = np.full(channel.line.ticks + 1, -1)
        node[channel.cut_ticks()] = np.arange(len(bread))
        rows, share = np.arange(len(self.cells)), np.diff(cdf[self.cells], axis=1)[:, 0]
        scores = np.zeros((len(rows), len(bread) + 1))
        scores[rows, node[self.cells[:, 1]]] += self.scale / share
        scores[rows, node[self.cells[:, 0]]] -= self.scale / share
        return np.asarray(bread @ self._total_covariance(scores[:, :-1]) @ bread, dtype=np.float64)

    def _total_covariance(self, scores: Floats) -> Floats:
        """Covariance of weighted totals under the sampling design, or over replicates."""
        return ratio_covariance(self.sampling, scores, (self.sampling.weights > 0)[:, None])

    def distinct(self) -> tuple[Reported, Integers]:
        """Each distinct cell with its weights; and which of them each row is."""
        cells, index = np.unique(self.cells, axis=0, return_inverse=True)
        of = index.ravel()
        counts = np.bincount(of, self.sampling.weights * self.scale, len(cells)).astype(float)
        return Reported(cells=cells, counts=counts), of

    def people(self) -> Reported:
        """Each distinct cell with how many people reported it: who has a weight counts once."""
        is_counted = self.sampling.weights > 0
        cells, counts = np.unique(self.cells[is_counted], axis=0, return_counts=True)
        return Reported(cells=cells, counts=counts.astype(float))

    def variance(
        self, channel: AbstractRangeChannel, shares: Floats, sums: Floats, law: Law | None
    ) -> Floats:
        """Of sums of shares of steps: the sampling design's, of what each report moves them by."""
        is_counted = self.sampling.weights > 0
        cells, index = np.unique(self.cells[is_counted], axis=0, return_inverse=True)
        weights = self.sampling.weights[is_counted] * self.scale
        counts = np.bincount(index.ravel(), weights, len(cells)).astype(float)
        observed = Reported(cells=cells, counts=counts)
        influence = shares_influence(channel, observed, shares, sums, law)
        variances = np.zeros(len(sums))
        for some in np.array_split(np.arange(len(sums)), -(-len(sums) // _SUMS)):
            scores = np.zeros((len(is_counted), len(some)))
            scores[is_counted] = influence[index.ravel()][:, some] * self.scale
            variances[some] = np.diag(self._total_covariance(scores))
        return variances


_SUMS = 16  # of which everybody's part fits in memory


def estimate_cells(
    channel: AbstractRangeChannel,
    cells: Reported,
    level: float = 0.95,
    *,
    unit: str | None = None,
    stopping: bool = False,
    sample: Sampled | None = None,
) -> LineEstimate:
    """Estimate a number from cells given by their ticks, as reports carry them.

    Raises
    ------
    InputError, NotIdentified
        As `estimate_line`.
    """
    z, numbers = _deviate(level, sample), tick_numbers(channel)
    unit = channel.line.unit if unit is None else unit
    if not cells.counts.sum():
        return empty_estimate(numbers, level, unit, integer=channel.line.integer)
    if isinstance(channel, RangeChannel) and channel.reports_every_answer and not stopping:
        fit, read = _fit_cuts(channel, cells.distinct(), numbers, (level, z), sample)
    else:
        fit, read = _fit_ranges(channel, cells, numbers, (level, z), sample, stopping=stopping)
    low, high, se = _bound_mean(channel, read, sample)
    if is_integer := channel.line.integer:
        low, high = at_values(low, high)
        read["quantiles"] = values_of(read["quantiles"])
    return LineEstimate(
        unit=unit,
        distribution=integer_valued(fit) if is_integer else fit,
        mean_low=low,
        mean_high=high,
        se=se,
        lower=max(low - z * se, numbers[0] + is_integer),
        upper=min(high + z * se, numbers[-1]),
        level=level,
        ticks=numbers,
        cdf=fit.cdf(numbers),
        average_coverage=float(read["coverage"] @ read["coverage_counts"] / fit.n),
        effective_sample_size=min(number_variance(fit, int(is_integer)) / se**2, fit.n),
        unresolved=identified_range(channel).unresolved,
        integer=is_integer,
        goodness_of_fit=_test_fit(channel, cells, sample, stopping=stopping),
        **_describe_fit(fit, sample),
        **read,
    )


def _describe_fit(fit: Distribution, sample: Sampled | None) -> dict[str, Any]:
    """Name how many reports were fitted, how, and where errors come from."""
    return {
        "reports": round(fit.n),
        "method": fit.method,
        "design_variance": _design_variance(sample),
    }


def _test_fit(
    channel: AbstractRangeChannel, cells: Reported, sample: Sampled | None, *, stopping: bool
) -> GoodnessOfFit:
    """Test the fit of ranges to the law of the cuts; everybody counts once, whatever the weight."""
    people = cells if sample is None else sample.people()
    return cells_fit(channel, people.cells, people.counts, stopping=stopping)


def _bound_mean(
    channel: AbstractRangeChannel, read: dict[str, Any], sample: Sampled | None
) -> tuple[float, float, float]:
    """Take the mean's bounds and their error: of replicates by a fit to each."""
    low, high, se = (read.pop(name) for name in ("mean_low", "mean_high", "se"))
    if sample is None or not replicates_of(sample.sampling):
        return low, high, se
    observed, of = sample.distinct()
    numbers, inclusion = tick_numbers(channel), _inclusion(channel)
    independent = isinstance(channel, RangeChannel) and channel.reports_every_answer

    def ends(weights: Floats) -> tuple[float, float]:
        has_weight = weights > 0
        ranges = channel.ranges(observed.cells[has_weight], weights[has_weight] * sample.scale)
        fit = npmle(ranges, (numbers[0], numbers[-1]), inclusion=inclusion)
        if independent:
            return fit.mean_bounds()
        first, last = _mass_hulls(channel, fit, numbers)
        return extremes(fit.mass, fit.null_directions, numbers[first], numbers[last])

    return low, high, refitted_error(sample.sampling, of, ends, (low, high)) or se


def _deviate(level: float, sample: Sampled | None) -> float:
    return student_quantile(level, math.inf if sample is None else sample.sampling.df)


def _fit_cuts(
    channel: RangeChannel,
    cells: Reported,
    numbers: Floats,
    sure: tuple[float, float],
    sample: Sampled | None,
) -> tuple[Distribution, dict[str, Any]]:
    """Estimate from independent cuts: F at the ticks where they fall."""
    level, z = sure
    ranges = channel.ranges(cells.cells, cells.counts)
    fit = npmle(ranges, (numbers[0], numbers[-1]))
    se, worth, effects = se_and_worth(channel, fit, numbers, cells, sample)
    band = cdf_band(channel, fit, numbers, worth, z)
    if sample is None:
        shares = _band_and_quantiles(ranges, None, fit, numbers, level, band)
    else:
        student_factor = (z / normal_quantile(level)) ** 2
        shares = _sample_band_and_quantiles(
            ranges, fit, numbers, level, (band, effects * student_factor)
        )
        fit = _name_error_source(fit, sample)
    low, high = fit.mean_bounds()
    upto, _ = fit.cdf_bounds(numbers[cells.cells])
    closed = (
        len(channel.cut_ticks()) == channel.line.ticks - 1 or fit.convergence is Convergence.STOPPED
    )
    return fit, {
        "mean_low": low,
        "mean_high": high,
        "se": se,
        **shares,
        "coverage": upto[:, 1] - upto[:, 0],
        "coverage_counts": cells.counts,
        "convergence": fit.convergence if closed else Convergence.PARTLY_IDENTIFIED,
    }


def _name_error_source(fit: Distribution, sample: Sampled | None) -> Distribution:
    """Say where errors come from."""
    if sample is None:
        return fit
    variance = _design_variance(sample)
    return fit if variance is None else replace(fit, method=f"{fit.method}; {variance.describe()}")


def _design_variance(sample: Sampled | None) -> DesignVariance | None:
    if sample is None:
        return None
    return DesignVariance(replicates=replicates_of(sample.sampling), df=sample.sampling.df)


def _fit_ranges(
    channel: AbstractRangeChannel,
    cells: Reported,
    numbers: Floats,
    sure: tuple[float, float],
    sample: Sampled | None,
    *,
    stopping: bool,
) -> tuple[Distribution, dict[str, Any]]:
    """Estimate from ranges of any shape: the shares of steps that some report distinguishes."""
    ends, counts, (level, z) = cells.cells, cells.counts, sure
    ranges, inclusion = channel.ranges(ends, counts), _inclusion(channel)
    fit = npmle(ranges, (numbers[0], numbers[-1]), inclusion=inclusion)
    hull = _mass_hulls(channel, fit, numbers)
    law = stopped_law(channel, ends, counts) if stopping else None
    se, band = _estimate_errors(channel, fit, hull, (law, sample), z)
    complete = identified_range(channel).complete
    low, high = extremes(fit.mass, fit.null_directions, numbers[hull[0]], numbers[hull[1]])
    if sample is None:
        shares = _band_and_quantiles(ranges, inclusion, fit, numbers, level, band)
    else:
        shares = _read_off(fit, numbers, band)
    if sample is not None and inclusion is not None:
        sampled = channel.ranges(sample.cells), sample.sampling
        shares["quantiles"] = _read_quantiles(sampled, inclusion, fit, numbers, level)
    return _name_error_source(fit, sample), {
        "mean_low": low,
        "mean_high": high,
        "se": se,
        **shares,
        "coverage": channel.range_probabilities(ends, np.diff(fit.cdf(numbers))),
        "coverage_counts": counts,
        "convergence": fit.convergence if complete else Convergence.PARTLY_IDENTIFIED,
    }


def _inclusion(channel: AbstractRangeChannel) -> InclusionProbability | None:
    return (
        InclusionProbability.from_channel(channel)
        if channel.inclusion_probability().min() < 1
        else None
    )


def _sums(numbers: Floats, first: Integers, last: Integers) -> Floats:
    """Weigh the steps: by either end of the mean, then below each tick for sure, and perhaps."""
    ticks = np.arange(len(numbers))
    below = (last[None, :] < ticks[:, None]).astype(float)
    touching = (first[None, :] < ticks[:, None]).astype(float)
    return np.concatenate([np.stack([numbers[first], numbers[last + 1]]), below, touching])


def _estimate_errors(
    channel: AbstractRangeChannel,
    fit: Distribution,
    ends: tuple[Integers, Integers],
    law_and_sample: tuple[Law | None, Sampled | None],
    z: float,
) -> tuple[float, tuple[Floats, Floats]]:
    """The error of the mean's bounds, and the band: the wider of what two curves expect."""
    numbers, (law, sample) = tick_numbers(channel), law_and_sample
    sums = _sums(numbers, *reach(atoms(channel)))
    shares = [np.diff(curve) for curve in two_curves(fit, numbers)]
    variances = [shares_covariance(channel, fit.n, p, sums, law) for p in shares]
    if sample is not None:  # of the band never less than of as many people drawn at random
        survey_variances = [sample.variance(channel, p, sums, law) for p in shares]
        pairs = zip(survey_variances, variances, strict=True)
        variances = [np.append(own[:2], np.maximum(own, simple)[2:]) for own, simple in pairs]
    se = float(np.sqrt(max(0.0, *(v[:2].max() for v in variances))))
    return se, _band(fit, ends, sums, list(zip(shares, variances, strict=True)), z)


def _band(
    fit: Distribution,
    ends: tuple[Integers, Integers],
    sums: Floats,
    curves: Sequence[tuple[Floats, Floats]],
    z: float,
) -> tuple[Floats, Floats]:
    n = len(sums) // 2 - 1
    ticks = np.arange(n)
    worths = []
    for shares, variance in curves:
        mean = sums[2:] @ shares
        with np.errstate(divide="ignore", invalid="ignore"):
            worths.append(mean * (1 - mean) / np.maximum(variance[2:], 0))
    worth = np.fmin(np.fmin(*worths), fit.n)  # no report is worth more than a plain number
    below = (ends[1] <= ticks[:, None]).astype(float), (ends[0] < ticks[:, None]).astype(float)
    traded = [extremes(fit.mass, fit.null_directions, *pair) for pair in zip(*below, strict=True)]
    lowest, highest = np.transpose(traded)
    sure_low, sure_high = sums[2 : 2 + n].sum(axis=1), sums[2 + n :].sum(axis=1)
    lower = np.where(sure_low > 0, wilson(np.clip(lowest, 0, 1), worth[:n], z)[0], 0.0)
    upper = np.where(sure_high < n - 1, wilson(np.clip(highest, 0, 1), worth[n:], z)[1], 1.0)
    upper[0], lower[-1] = 0.0, 1.0
    return lower, upper


def _mass_hulls(
    channel: AbstractRangeChannel, fit: Distribution, numbers: Floats
) -> tuple[Integers, Integers]:
    """The ticks between which each mass of the fit may lie, seen by the reports alone."""
    first, last = reach(atoms(channel))
    low = np.searchsorted(numbers, fit.lower, side="right") - 1
    high = np.maximum(np.searchsorted(numbers, fit.upper), low + 1)
    spans = list(zip(low.tolist(), high.tolist(), strict=True))
    return (
        np.array([first[a:b].min() for a, b in spans]),
        np.array([last[a:b].max() + 1 for a, b in spans]),
    )


_FAINT = 1e-12  # of all weights: shares beside it are not precise enough


def _tabled(ranges: Ranges, level: float) -> bool:
    """Say whether the law of the likelihood ratio is tabled, and its fall can be told.

    Some range has an end then, and each weight is seen beside the others.
    """
    least = ranges.weights.min(where=ranges.weights > 0, initial=np.inf)
    sharp = bool(least >= _FAINT * ranges.total)
    return LOWEST <= level <= HIGHEST and sharp and len(cut_ends(ranges)) > 0


def _band_and_quantiles(
    ranges: Ranges,
    inclusion: InclusionProbability | None,
    fit: Distribution,
    numbers: Floats,
    level: float,
    band: tuple[Floats, Floats],
) -> dict[str, Any]:
    """The band and each reported quantile between the ends of its interval, ticks of the line.

    By likelihood ratio, which knows that F rises. Where that is not tabled, or takes too long, the
    band is as given, and so it is where ranges have several pieces or some are withheld. Quantiles
    are read off it where it holds all that is known.
    """
    tabled, plain = _tabled(ranges, level), ranges.is_single_piece and inclusion is None
    intervals = grid_intervals(ranges, fit, level) if tabled and plain else None
    if intervals is None and tabled and plain:
        intervals = spread_intervals(ranges, fit, level)
    from_band = plain or not tabled
    if intervals is not None:
        band = _extend_band(intervals, numbers)
        from_band = len(intervals.points) == len(cut_ends(ranges))
    if from_band:
        return _read_off(fit, numbers, band)
    read = _read_quantiles((ranges, None), inclusion, fit, numbers, level)
    return {"band_lower": band[0], "band_upper": band[1], "quantiles": read}


def _sample_band_and_quantiles(
    ranges: Ranges,
    fit: Distribution,
    numbers: Floats,
    level: float,
    band_and_effects: tuple[tuple[Floats, Floats], Floats],
) -> dict[str, Any]:
    """The band by likelihood ratio, with the effective sample size at each tick that was cut.

    As given where that is not tabled, or takes too long. Quantiles are read off it.
    """
    band, effects = band_and_effects
    intervals = None
    if _tabled(ranges, level):
        tick = np.searchsorted(numbers, cut_ends(ranges) - _NEAR * np.diff(numbers).min())
        intervals = grid_intervals(ranges, fit, level, effects[tick])
    return _read_off(fit, numbers, band if intervals is None else _extend_band(intervals, numbers))


_NEAR = 0.5  # of a step: the tick of an end


def _extend_band(intervals: PointIntervals, numbers: Floats) -> tuple[Floats, Floats]:
    """The band at all ticks from intervals at some."""
    low, high = intervals.bounds(numbers)
    return np.append(low[:-1], 1.0), np.append(0.0, high[1:])


def _read_off(fit: Distribution, numbers: Floats, band: tuple[Floats, Floats]) -> dict[str, Any]:
    return {
        "band_lower": band[0],
        "band_upper": band[1],
        "quantiles": quantiles(fit, numbers, band),
    }


def _read_quantiles(
    ranges_and_sampling: tuple[Ranges, AbstractSamplingDesign | None],
    inclusion: InclusionProbability | None,
    fit: Distribution,
    numbers: Floats,
    level: float,
) -> dict[float, tuple[float, float, float]]:
    ranges, sampling = ranges_and_sampling
    intervals = quantile_intervals(
        ranges, tuple(SHARES), level, inclusion=inclusion, sampling=sampling
    )
    lower, upper = (
        np.clip(ends, numbers[0], numbers[-1]) for ends in (intervals.lower, intervals.upper)
    )
    middle = np.clip(np.interp(intervals.share, fit.cdf(numbers), numbers), lower, upper)
    triples = zip(lower.tolist(), middle.tolist(), upper.tolist(), strict=True)
    return dict(zip(SHARES, triples, strict=True))


def cdf_band(
    channel: RangeChannel, fit: Distribution, numbers: Floats, worth: Floats, z: float
) -> tuple[Floats, Floats]:
    """An interval for F at every tick; where no cut falls, from the nearest cuts around."""
    cuts = channel.cut_ticks()
    low, high = fit.cdf_bounds(numbers[cuts])
    lower = np.concatenate([[0.0], wilson(low, worth, z)[0], [1.0]])
    upper = np.concatenate([[0.0], wilson(high, worth, z)[1], [1.0]])
    ends = np.concatenate([[0], cuts, [len(numbers) - 1]])
    every = np.arange(len(numbers))
    before = np.searchsorted(ends, every, side="right") - 1
    after = np.searchsorted(ends, every, side="left")
    return lower[before], upper[after]


def quantiles(
    fit: Distribution, numbers: Floats, band: tuple[Floats, Floats]
) -> dict[float, tuple[float, float, float]]:
    """Invert the band: a quantile lies in ``(low, high]`` where it lets the cdf cross the share."""
    cdf, by_share = fit.cdf(numbers), {}
    for share in SHARES:
        low = numbers[int(np.argmax(band[1] >= share)) - 1]
        high = numbers[int(np.flatnonzero(band[0] < share)[-1]) + 1]
        middle = float(np.clip(np.interp(share, cdf, numbers), low, high))
        by_share[share] = (float(low), middle, float(high))
    return by_share


def number_variance(fit: Distribution, spacing: int = 0) -> float:
    """The variance of the number, masses spread evenly over the values of their intervals.

    These are all numbers, with a variance of width²/12, or whole ones, with (width² − 1)/12.
    """
    middle, width = (fit.lower + fit.upper) / 2, fit.upper - fit.lower
    inside = (width**2 - spacing**2) / 12
    return float(fit.mass @ ((middle - fit.mass @ middle) ** 2 + inside))


def se_and_worth(
    channel: RangeChannel,
    fit: Distribution,
    numbers: Floats,
    cells: Reported,
    sample: Sampled | None = None,
) -> tuple[float, Floats, Floats]:
    """The standard error of the mean's bounds, and what the reports are worth at each tick.

    A most likely distribution sits on few intervals, so the information is taken twice: with its
    masses where they are, and spread evenly up to half the way to their neighbours. The first
    flatters a smooth distribution, the second one with a gap; the larger error and the smaller
    worth count. One answer spread over the whole line is added, so that no cell is thought
    impossible. Of a complex sample worth is never more than with as many people drawn at random: at
    a tick that hardly anybody's cut hit the sample knows no error.

    Returns
    -------
    se : float
    worth : array, shape (c,)
        At each tick that can be cut, how many direct observations of F would vary as little.
    effects : array, shape (t + 1,)
        Design effects at all ticks, at least 1; between two cuts that of the one before.
    """
    curves = two_curves(fit, numbers)
    expected = [_expected_errors(channel, cells, cdf, numbers, sample) for cdf in curves]
    variance, worth, effects = zip(*expected, strict=True)
    cut = np.searchsorted(channel.cut_ticks(), np.arange(len(numbers)), side="right") - 1
    return (
        float(np.sqrt(max(variance))),
        np.minimum(*worth),
        np.maximum(*effects)[cut.clip(0)],
    )


def _expected_errors(
    channel: RangeChannel, cells: Reported, cdf: Floats, numbers: Floats, sample: Sampled | None
) -> tuple[float, Floats, Floats]:
    law = drawn_law(channel, cells, cdf)
    covariance = cdf_covariance(channel, float(cells.counts.sum()), cdf, law)
    least = np.diag(covariance)
    if sample is not None:
        covariance = sample.covariance(channel, covariance, cdf)
    shift, inner = mean_coefficients(channel, numbers), cdf[channel.cut_ticks()]
    variance = np.einsum("ij,jk,ik->i", shift, covariance, shift).max()
    most = np.maximum(np.diag(covariance), least)
    return float(variance), inner * (1 - inner) / most, most / least


@overload
def integer_valued(estimate: Distribution) -> Distribution: ...
@overload
def integer_valued(estimate: QuantileIntervals) -> QuantileIntervals: ...
@checked
def integer_valued(
    estimate: Distribution | QuantileIntervals,
) -> Distribution | QuantileIntervals:
    r"""Restrict a distribution, or quantiles, known from ranges to integers: a lattice variable.

    An integer is in :math:`(a, b]` if and only if it is one of
    :math:`\lfloor a \rfloor + 1, \ldots, \lfloor b \rfloor`. So the likelihood is what it is,
    masses and F at the integers stay, and each mass, or end, moves to the integers of its interval.
    Where an interval holds one alone the mass is on it: the mean, quantiles and F are then points,
    where those of any number are known up to the interval.

    Parameters
    ----------
    estimate : Distribution or QuantileIntervals
        Of ranges such as `npmle` and `quantile_intervals` take. `cdf_intervals` at an integer say
        of an integer what they say of any number.

    Returns
    -------
    Distribution or QuantileIntervals
        As was given. Lower ends of a distribution are held as the double below their integer, as
        for a number that was told exactly; those of quantiles are the integer itself.

    Raises
    ------
    InputError
        If an interval with mass holds no integer: then the number takes other values too.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> cups = npmle(Ranges([-1, 1, 2], [1, 2, 4], counts=[30, 50, 20]))
    >>> [round(end, 9) for end in cups.mean_bounds()], cups.quantile(0.5)
    ([0.6, 2.1], (1.0, 2.0))
    >>> integers = integer_valued(cups)  # 0 or 1, 2, and 3 or 4
    >>> [round(end, 9) for end in integers.mean_bounds()], integers.quantile(0.5)
    ([1.6, 2.1], (2.0, 2.0))
    """
    if isinstance(estimate, QuantileIntervals):
        low, high = _round_to_integers(estimate.low, estimate.high)
        lower, upper = _round_to_integers(estimate.lower, estimate.upper)
        return replace(estimate, low=low, high=high, lower=lower, upper=upper)
    least, most = _round_to_integers(estimate.lower, estimate.upper)
    return replace(estimate, lower=np.nextafter(least, -np.inf), upper=most)


def _round_to_integers(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """The least and the largest integer in each ``(lower, upper]``; infinite ends stay."""
    least, most = np.floor(lower) + 1, np.floor(upper)
    empty = np.flatnonzero(least > most)
    if len(empty):
        piece = float(lower[empty[0]]), float(upper[empty[0]])
        raise InputError(
            "integer_valued",
            got=f"{describe_piece(piece)}, which has mass and holds no whole number",
            allowed="ranges of whole numbers",
            remedy="count in a smaller unit, or use what was found as it is",
        )
    return least, most
