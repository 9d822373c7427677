"""Totals, means and ratios from a complex sample, from direct answers or through a channel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel, report_columns
from askance.chart import Axis, Chart, chart_frame, draw_result, rows_chart
from askance.inference.joint_inclusion import JointInclusion, pair_factors, refuse_negative
from askance.inference.provenance import Computation
from askance.inference.replicate_weights import (
    ReplicateWeights,
    replicate_covariance,
    replicate_variances,
)
from askance.inference.sampling_design import (
    AbstractSamplingDesign,
    SamplingDesign,
    Stage,
    score_table,
)
from askance.inference.shares.information import identify, right_inverse
from askance.results import (
    Listing,
    describe_freedom,
    doubles,
    figure_rows,
    json_of,
    listed,
    read_only,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SurveyStatistic:
    """Totals, means or ratios, with their design-based errors.

    Attributes
    ----------
    title : str
    value : array, shape (p,)
    covariance : array, shape (p, p)
    df : float
        Degrees of freedom of the intervals, by Student's t; of 0 no interval is known, and its ends
        are not a number.
    effect : array, shape (p,)
        Design effects: the variance over that of as many people drawn at random with replacement
        and weighed alike (Kish, 1965); not a number where that is not known.
    n : int
        People of positive weight.
    level : float
    """

    computation: ClassVar[Computation] = Computation.SURVEY_STATISTIC
    title: str
    value: Floats
    covariance: Floats
    df: float
    effect: Floats
    n: int
    level: float

    @property
    def se(self) -> Floats:
        """Standard errors, shape (p,)."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def effective_sample_size(self) -> Floats:
        """Effective sample sizes: people over the design effect, shape (p,)."""
        return read_only(self.n / np.where(self.effect > 0, self.effect, np.nan))

    @property
    def lower(self) -> Floats:
        """Lower ends of the intervals."""
        return read_only(self.value - student_quantile(self.level, self.df) * self.se)

    @property
    def upper(self) -> Floats:
        """Upper ends of the intervals."""
        return read_only(self.value + student_quantile(self.level, self.df) * self.se)

    def to_dict(self) -> Json:
        """Write the statistic for JSON."""
        names = "title value se covariance lower upper df effect effective_sample_size n level"
        return json_of(self, names)

    def _table(self) -> Listing:
        columns = (self.value, self.se, self.lower, self.upper, self.effect)
        rows = figure_rows([str(i + 1) for i in range(len(self.value))], *columns)
        head = ["", "value", "se", f"{100 * self.level:g} % from", "to", "design effect"]
        return self.title, head, rows, [f"{self.n:,} people; {describe_freedom(self.df)}"]

    def _chart(self) -> Chart:
        """Describe a row for each value, with its interval."""
        names = [str(i + 1) for i in range(len(self.value))]
        ends, x = (self.lower, self.upper), Axis(name=self.title)
        return rows_chart(names, self.value, ends, level=self.level, x=x, y="variable")

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def survey_total(
    sampling: AbstractSamplingDesign,
    values: Any,
    level: float = 0.95,
    *,
    channel: Channel | None = None,
) -> SurveyStatistic:
    r"""Estimate totals of the population from a complex sample: Σ w y (Horvitz & Thompson, 1952).

    Through a channel y is the unbiased inversion of each report, a column for each answer, and the
    totals are how many people have it. A finite-population correction takes a part f of all that
    varies; what the channel draws varies whole, so that

    .. math:: \sum_i f_i w_i^2 (y_i y_i^T - \mathrm{diag}\, y_i)

    is given back, whose mean given the answers is what f took of the channel's draws.

    Parameters
    ----------
    sampling : SamplingDesign or ReplicateWeights
    values : array_like, shape (n,) or (n, p); or sequence of str, beside a channel
        Reports, by their names.
    level : float
    channel : Channel, optional
        Through which the values came.

    Raises
    ------
    InputError
        If a report is missing, or none of the channel's.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Särndal, Swensson & Wretman (1992), on values that are measured with error.

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[10, 10, 20, 20], strata=list("aabb"))
    >>> ak.inference.survey_total(sampling, [1, 3, 2, 2]).value.tolist()
    [120.0]
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> half = ak.inference.SamplingDesign(fpc=[8] * 4)  # four of eight
    >>> reports = ["yes", "no", "no", "yes"]
    >>> ak.inference.survey_total(half, reports, channel=q).value.round(9).tolist()
    [4.0, 4.0]
    """
    scores = _read_values(values, channel, len(sampling.weights))
    value = sampling.weights @ scores
    total = sampling.weights.sum()
    plain = _variance_with_replacement(sampling, scores - value / total) * total**2
    covariance = sampling.covariance(scores)
    if channel is not None:
        covariance = covariance + _channel_correction(sampling, scores)
    return _build_statistic("total", value, covariance, plain, sampling, level)


def _read_values(values: Any, channel: Channel | None, n: int) -> Floats:
    """Read values of n people, or estimate them without bias from reports through a channel."""
    if channel is None:
        return score_table(values, n)
    identify(channel)
    columns = report_columns(channel, values, "values")
    if len(columns) != n:
        raise InputError("values", got=f"{len(columns):,} reports", allowed=f"{n:,}")
    if (columns < 0).any():
        raise InputError(
            f"values[{int(np.argmax(columns < 0))}]",
            got="nothing",
            allowed="a report of everybody",
            remedy="leave who sent none out by sampling.domain(…), and give them any report",
        )
    can = channel.matrix.max(axis=0) > 0
    inverse = np.zeros((len(can), len(channel.frame)))
    inverse[can] = right_inverse(channel.matrix[:, can])
    return inverse[columns]


def _channel_correction(sampling: AbstractSamplingDesign, scores: Floats) -> Floats:
    """Unbiased estimate of the channel variance that finite-population corrections removed."""
    correction = sampling.sampling_fraction * sampling.weights**2
    return (scores * correction[:, None]).T @ scores - np.diag(correction @ scores)


@checked
def survey_mean(
    sampling: AbstractSamplingDesign,
    values: Any,
    level: float = 0.95,
    *,
    channel: Channel | None = None,
) -> SurveyStatistic:
    """Estimate means of the population from a complex sample: Σ w y / Σ w.

    The variance is linearised, or from replicates that each give a mean. Through a channel the
    means are shares of the answers, as `moment_estimate` has them but for reports that say nothing.

    Parameters
    ----------
    sampling : SamplingDesign or ReplicateWeights
    values : array_like, shape (n,) or (n, p); or sequence of str, beside a channel
    level : float
    channel : Channel, optional
        As in `survey_total`.

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[10, 10, 20, 20], strata=list("aabb"))
    >>> ak.inference.survey_mean(sampling, [1, 3, 2, 2])
    mean
       value      se  95 % from     to  design effect
    1      2  0.3333     0.5658  3.434              1
    4 people; 2 degrees of freedom
    """
    scores = _read_values(values, channel, len(sampling.weights))
    ratio = survey_ratio(sampling, scores, np.ones(len(scores)), level)
    covariance = ratio.covariance
    if channel is not None:
        covariance = (
            covariance + _channel_correction(sampling, scores) / sampling.weights.sum() ** 2
        )
    plain = _variance_with_replacement(sampling, scores - ratio.value)
    return _build_statistic("mean", ratio.value, covariance, plain, sampling, level)


@checked
def survey_ratio(
    sampling: AbstractSamplingDesign,
    values: npt.ArrayLike,
    denominator: npt.ArrayLike,
    level: float = 0.95,
) -> SurveyStatistic:
    """Estimate ratios of totals from a complex sample: Σ w y / Σ w z.

    The variance is that of the total of (y − R z)/Σ w z, or from replicates that each give a ratio.

    Parameters
    ----------
    sampling : SamplingDesign or ReplicateWeights
    values : array_like, shape (n,) or (n, p)
        y.
    denominator : array_like, shape (n,)
        z.
    level : float

    Raises
    ------
    InputError
        If the total of z is 0.

    References
    ----------
    Särndal, Swensson & Wretman (1992).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(clusters=list("aabc"))
    >>> ak.inference.survey_ratio(sampling, [1, 2, 3, 4], [2, 4, 6, 8]).se.tolist()
    [0.0]
    """
    n = len(sampling.weights)
    numerators, denominators = score_table(values, n), score_table(denominator, n)
    if denominators.shape[1] != 1:
        raise InputError(
            "survey_ratio.denominator", got=f"{denominators.shape[1]} columns", allowed="one column"
        )
    base = denominators[:, 0]
    total = float(sampling.weights @ base)
    if not total:
        raise InputError(
            "survey_ratio.denominator", got="a total of 0", allowed="a total that is not 0"
        )
    value = sampling.weights @ numerators / total
    scores = (numerators - value * base[:, None]) / total
    if isinstance(sampling, ReplicateWeights):
        covariance = replicated(
            sampling, lambda weights: weights @ numerators / (weights @ base), level
        ).covariance
    else:
        covariance = sampling.covariance(scores)
    plain = _variance_with_replacement(sampling, scores * sampling.weights.sum())
    return _build_statistic("ratio", value, covariance, plain, sampling, level)


@checked
def replicated(
    sampling: ReplicateWeights, statistic: Callable[[Floats], Any], level: float = 0.95
) -> SurveyStatistic:
    """Estimate whatever weights give, with the variance over the replicates.

    Parameters
    ----------
    sampling : ReplicateWeights
    statistic : callable
        Gives one number, or p, for weights of shape (n,): a quantile, a fitted average.
    level : float

    Raises
    ------
    InputError
        If it gives anything but finite numbers.

    >>> import askance as ak
    >>> y = np.array([1.0, 2.0, 4.0, 7.0])
    >>> thrice = ak.inference.jackknife(ak.inference.SamplingDesign(weights=[1.0] * 4))
    >>> ak.inference.replicated(thrice, lambda w: w @ y / w.sum()).value.tolist()
    [3.5]
    """
    value = _evaluate(statistic, sampling.weights, None)
    replicate_values = np.array(
        [_evaluate(statistic, weights, len(value)) for weights in sampling.replicates.T]
    )
    unknown = np.full(len(value), np.nan)
    return _build_statistic(
        "statistic",
        value,
        replicate_covariance(sampling, replicate_values, value),
        unknown,
        sampling,
        level,
    )


def _evaluate(statistic: Callable[[Floats], Any], weights: Floats, many: int | None) -> Floats:
    where = "replicated.statistic"
    values = np.atleast_1d(doubles(statistic(weights), where))
    if values.ndim != 1 or len(values) != (many or len(values)) or not np.isfinite(values).all():
        raise InputError(
            where,
            got="what is no number, with some of the weights",
            allowed="as many finite numbers for all weights",
            remedy="replicates give weights of 0: leave out nothing else",
        )
    return values


def _variance_with_replacement(sampling: AbstractSamplingDesign, scores: Floats) -> Floats:
    """Variance of a mean from a simple random sample with replacement of the same size."""
    weights = sampling.weights
    n, total = int((weights > 0).sum()), weights.sum()
    if n < 2:
        return np.full(scores.shape[1], np.nan)
    deviations = scores - weights @ scores / total
    spread: Floats = weights @ deviations**2 / total / (n - 1)
    return spread


def _build_statistic(
    name: str,
    value: Floats,
    covariance: Floats,
    plain: Floats,
    sampling: AbstractSamplingDesign,
    level: float,
) -> SurveyStatistic:
    is_known = plain > 0
    effect = np.where(is_known, np.diag(covariance) / np.where(is_known, plain, 1.0), np.nan)
    return SurveyStatistic(
        title=name,
        value=value,
        covariance=covariance,
        df=sampling.df,
        effect=effect,
        n=int((sampling.weights > 0).sum()),
        level=level,
    )


def share_variances(sampling: AbstractSamplingDesign, rank: Integers, ranks: int) -> Floats:
    """Variances of the weighted shares of people up to each rank, as `survey_mean` has them.

    A variance is a sum of squares of sums over clusters and strata. From one rank to the next only
    what the people of this rank belong to changes, so all of them are running sums: n log n steps,
    for a table of pairs n², and of replicates each gives all its shares.

    Parameters
    ----------
    sampling : SamplingDesign, ReplicateWeights or JointInclusion
    rank : array of int, shape (n,)
        From 0 on; of people outside the domain it does not matter.
    ranks : int

    Returns
    -------
    array, shape (ranks,)

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[10, 10, 20, 20], clusters=list("aabc"))
    >>> share_variances(sampling, np.array([0, 2, 1, 0]), 3).round(6).tolist()
    [0.083333, 0.027778, 0.0]
    >>> upto = np.array([[1, 1], [0, 0], [0, 1], [1, 1]])
    >>> (ak.inference.survey_mean(sampling, upto).se ** 2).round(6).tolist()
    [0.083333, 0.027778]
    """
    if isinstance(sampling, ReplicateWeights):
        return _variances_over_replicates(sampling, rank, ranks)
    order = np.argsort(rank, kind="stable")
    running = _RunningSums(order=order, upto=np.cumsum(np.bincount(rank, minlength=ranks)))
    total = float(sampling.weights.sum())
    if isinstance(sampling, SamplingDesign):
        variances = _variances_over_clusters(sampling, running, total)
    else:
        assert isinstance(sampling, JointInclusion)
        variances = _variances_over_pairs(sampling, running, total)
    return np.asarray(np.maximum(variances / total**2, 0.0), dtype=np.float64)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RunningSums:
    """People in the order of their ranks, and how many there are up to each, shape (ranks,)."""

    order: Integers
    upto: Integers

    def sums(self, values: Floats) -> Floats:
        """Running sums of people's values up to each rank; from shape (n, …)."""
        return self.added(values[self.order])

    def squares(
        self, group: Integers, times: Floats, scores: Floats, fixed: Floats, coefficients: Floats
    ) -> Floats:
        r"""Add up, over groups, times_g (Σ s_i up to the rank − Σ_j m_j Σ f_ij)², at each rank.

        Parameters
        ----------
        group : array of int, shape (n,)
        times : array, shape (groups,)
        scores : array, shape (n,)
            s, of those up to the rank.
        fixed : array, shape (n, p)
            f, of everybody in the group.
        coefficients : array, shape (ranks, p)
            m.
        """
        of, ordered = group[self.order], scores[self.order]
        counted, group_sums = times[of] * ordered, _sum_by_group(group, fixed, len(times))
        own = self.added(counted * (2 * _sum_before(of, ordered) + ordered))
        cross = self.added(counted[:, None] * group_sums[of])
        bend = (group_sums * times[:, None]).T @ group_sums
        squares: Floats = (
            own
            - 2 * (coefficients * cross).sum(axis=1)
            + (coefficients @ bend * coefficients).sum(axis=1)
        )
        return squares

    def added(self, values: Floats) -> Floats:
        """Running sums of people already in order."""
        none = np.zeros((1, *values.shape[1:]))
        return np.concatenate([none, np.cumsum(values, axis=0)])[self.upto]


def _sum_before(group: Integers, values: Floats) -> Floats:
    """Sum, for each person, of the values of earlier people of the same group."""
    by = np.argsort(group, kind="stable")
    grown = np.cumsum(values[by]) - values[by]
    first = np.searchsorted(group[by], group[by])
    sums = np.empty_like(values)
    sums[by] = grown - grown[first]
    return sums


def _sum_by_group(group: Integers, fixed: Floats, groups: int) -> Floats:
    return np.column_stack([np.bincount(group, column, groups) for column in fixed.T])


def _variances_over_clusters(
    sampling: SamplingDesign, running: _RunningSums, total: float
) -> Floats:
    """Variances by stage: squares of clusters about the means of their strata.

    Of a calibrated sample the scores are less what the auxiliary variables explain, U Vᵀ scores.
    """
    weights, (left_factor, right_factor) = sampling.weights, _calibration_factors(sampling)
    share = running.sums(weights) / total
    weighted = right_factor * weights[:, None]
    slopes = running.sums(weighted) - share[:, None] * weighted.sum(axis=0)
    parts = weights, np.column_stack([weights, left_factor]), np.column_stack([share, slopes])
    variances = np.zeros(len(share))
    for stage in sampling.stages:
        times = stage.times(sampling.lonely)
        variances += running.squares(stage.unit, times, *parts)
        means = _correct_for_means(stage, times, adjusted=sampling.lonely == "adjust")
        variances -= running.squares(stage.stratum[stage.unit], means, *parts)
    return variances


def _correct_for_means(stage: Stage, times: Floats, *, adjusted: bool) -> Floats:
    """Correction for the stratum mean: the factor of the square of each stratum's total."""
    sizes, rows = stage.sample_sizes(), np.bincount(stage.stratum)
    stratum_times = np.zeros(len(sizes))
    stratum_times[stage.stratum] = times
    corrections = stratum_times * (2 / sizes - rows / sizes**2)
    return np.where(stage.lonely(), 0.0, corrections) if adjusted else np.asarray(corrections)


def _calibration_factors(sampling: SamplingDesign) -> tuple[Floats, Floats]:
    """U and V of all calibrations one after the other: scores x become x − U Vᵀ x, (n, q)."""
    left_factor = right_factor = np.zeros((sampling.n, 0))
    for calibration in sampling.calibrations:
        first = calibration.basis / calibration.scale[:, None]
        first = first - right_factor @ (left_factor.T @ first)
        left_factor = np.column_stack([left_factor, calibration.basis * calibration.scale[:, None]])
        right_factor = np.column_stack([right_factor, first])
    return left_factor, right_factor


def _variances_over_pairs(sampling: JointInclusion, running: _RunningSums, total: float) -> Floats:
    """Variances by joint inclusion probabilities, or by Hájek's approximation."""
    weights, unsampled = sampling.weights, 1 - sampling.sampling_fraction
    share = (running.sums(weights) / total)[:, None]
    if sampling.joint is not None:
        return _variances_from_table(sampling, running, share[:, 0])
    times, alone = sampling.n / (sampling.n - 1), np.zeros(sampling.n, dtype=np.int64)
    variances = running.squares(
        np.arange(sampling.n), times * unsampled, weights, weights[:, None], share
    )
    if unsampled.any():
        mean = np.array([times / unsampled.sum()])
        variances -= running.squares(
            alone, mean, unsampled * weights, (unsampled * weights)[:, None], share
        )
    return variances


def _variances_from_table(sampling: JointInclusion, running: _RunningSums, share: Floats) -> Floats:
    weights = sampling.weights
    table = pair_factors(sampling) * weights * weights[:, None]
    table = table[np.ix_(running.order, running.order)]
    every, own = table.sum(axis=1), 2 * np.tril(table).sum(axis=1) - np.diag(table)
    variances = running.added(own) - 2 * share * running.added(every) + share**2 * every.sum()
    refuse_negative(sampling, variances, float(np.abs(table).sum()))
    return np.asarray(variances)


def _variances_over_replicates(sampling: ReplicateWeights, rank: Integers, ranks: int) -> Floats:
    def shares(weights: Floats) -> Floats:
        cumulative: Floats = np.cumsum(np.bincount(rank, weights, ranks)) / weights.sum()
        return cumulative

    full_shares = _evaluate(shares, sampling.weights, ranks)
    replicate_shares = np.array(
        [_evaluate(shares, weights, ranks) for weights in sampling.replicates.T]
    )
    return replicate_variances(sampling, replicate_shares, full_shares)
