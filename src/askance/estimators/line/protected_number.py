"""From the reported cells of a protected number to its distribution, mean and quantiles."""

from askance.arguments import checked
from askance.channels.identification import identified_range
from askance.channels.range_channel import AbstractRangeChannel
from askance.channels.ranges import Ranges
from askance.estimators.line.band import cdf_band, coverage_of, number_variance, quantiles
from askance.estimators.line.grid import of_one_piece, reported, tick_numbers
from askance.estimators.line.information import se_and_worth
from askance.estimators.line.line import LineEstimate
from askance.estimators.line.nothing import nothing_told
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.npmle import npmle
from askance.estimators.shares.share_intervals import normal_quantile


@checked
def estimate_line(
    channel: AbstractRangeChannel, ranges: Ranges, level: float = 0.95, *, unit: str | None = None
) -> LineEstimate:
    """Estimate the distribution, mean and quantiles of a number asked by random cuts.

    The fit is the most likely distribution (`npmle`). Errors come from the information that the
    cells are expected to carry about F at the ticks (`cdf_covariance`); for one cut the variance of
    the mean is Σ step² F(1 − F)/(n g), the discrete form of Ding & Ding (2022), theorem 2. The
    band is Wilson's interval at each tick, with as many observations as F(1 − F) over its variance;
    it does not use that F is monotone, so it is wide where the steps are fine for so few reports.
    Where no cut can fall the band spans what the neighbouring ticks allow.

    Parameters
    ----------
    channel : RangeChannel
    ranges : Ranges
        In the unit of the line, ends on its ticks; infinite ends where no cut was drawn.
        `channel.ranges` writes them from the ticks of reports.
    level : float
        How often each interval holds the truth. The mean's holds both of its bounds.
    unit : str, optional
        For people; the line's own if left out.

    Raises
    ------
    InputError
        If a range is not a cell of the channel, the line has more than 1,000 ticks, or the level is
        not in (0, 1).

    >>> from askance.exact.line import Line
    >>> from askance.channels.range_channel import RangeChannel
    >>> channel = RangeChannel(Line(0, 3, 1, "years"), [1, 1])
    >>> cells = channel.ranges([[0, 1], [1, 3], [0, 2], [2, 3]], [20, 30, 40, 10])
    >>> print(estimate_line(channel, cells))  # F at the two cuts: 20/50 and 40/50
    distribution of a number, years
                   value  95 % from     to
    mean             1.3     0.6246  1.975
    quantile 0.1    0.25          0      1
    ...
    """
    channel = of_one_piece(channel)
    z, numbers = normal_quantile(level), tick_numbers(channel)
    unit = channel.line.unit if unit is None else unit
    cells = reported(channel, ranges)
    if not cells.counts.sum():
        return nothing_told(numbers, level, unit)
    fit = npmle(channel.ranges(cells.cells, cells.counts), (numbers[0], numbers[-1]))
    se, worth = se_and_worth(channel, fit, numbers)
    band = cdf_band(channel, fit, numbers, worth, z)
    low, high = fit.mean_bounds()
    coverage = coverage_of(fit, numbers, cells)
    closed = len(channel.cut_ticks()) == channel.line.ticks - 1 or fit.outcome is Outcome.STOPPED
    return LineEstimate(
        unit=unit,
        distribution=fit,
        mean_low=low,
        mean_high=high,
        se=se,
        lower=max(low - z * se, numbers[0]),
        upper=min(high + z * se, numbers[-1]),
        level=level,
        ticks=numbers,
        cdf=fit.cdf(numbers),
        band_lower=band[0],
        band_upper=band[1],
        quantiles=quantiles(fit, numbers, band),
        coverage=coverage,
        coverage_counts=cells.counts,
        average_coverage=float(coverage @ cells.counts / fit.n),
        plain=min(number_variance(fit) / se**2, fit.n),
        reports=int(fit.n),
        method=fit.method,
        outcome=fit.outcome if closed else Outcome.PARTLY_IDENTIFIED,
        unlearnt=identified_range(channel).unlearnt,
    )
