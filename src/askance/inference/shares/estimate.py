"""From a tally to the estimated shares: in closed form, by maximum likelihood, or unbiased."""

from dataclasses import dataclass, replace
from typing import ClassVar, final, overload

import numpy as np

from askance.channels.grouped_tally import GroupedTally, counts_by_group
from askance.channels.tally import SupportTally, Tally, of_arrays
from askance.inference.fit_result import Convergence, DesignVariance, GoodnessOfFit
from askance.inference.frequency_tests import fit_of_groups
from askance.inference.maximisation import maximise_mixture, mixture
from askance.inference.provenance import Computation
from askance.inference.shares.frequencies import FrequencyEstimate, estimate_frequencies
from askance.inference.shares.information import (
    DENSE,
    Estimate,
    Informative,
    ShareEstimator,
    answers_worth,
    binomial_share,
    interior_shares,
    mean_inverse,
    observed_covariance,
    refuse_trials,
    right_inverse,
    speaking,
)
from askance.inference.shares.sampled_law import channel_covariance
from askance.inference.shares.share_intervals import informative, intervals
from askance.inference.shares.share_profiles import symmetric
from askance.results import (
    Listing,
    counted,
    json_of,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified


@overload
def estimate(tally: Tally | GroupedTally, level: float = 0.95) -> Estimate: ...
@overload
def estimate(tally: SupportTally, level: float = 0.95) -> FrequencyEstimate: ...
@checked
def estimate(
    tally: Tally | GroupedTally | SupportTally, level: float = 0.95
) -> Estimate | FrequencyEstimate:
    """Estimate the share of each answer by maximum likelihood: use this for one question.

    `maximum_likelihood` iterates even where a closed form is known: use it where one method has to
    serve several channels. `moment_estimate` is unbiased, and can leave [0, 1].

    Intervals behave at 0 and 1. Two answers told by two informative reports (Warner, forced
    response, truth-lie-"don't know" and the like) are solved in closed form, the unbiased estimate
    cut to [0, 1] (Li, Zhou, Qin & Xu, 2022, equation 2); every other channel goes to
    `maximum_likelihood`. Standard errors are those of the observed information: conditional on how
    many reports say something, so that a "don't know" more or less changes nothing (before reports
    are in, `truth_lie_variance` averages over that number). Intervals invert the score test for two
    answers and the likelihood ratio for more. A tally with sampling weights goes to
    `maximum_likelihood` too, whose errors are then design-based. So do groups that were asked
    through different channels, which are taken as assigned at random: shares are the same in each,
    and its size is given.

    Support counts of a frequency oracle, which do not tell the likelihood, are inverted without
    bias, as by `estimate_frequencies`.

    Parameters
    ----------
    tally : Tally, GroupedTally or SupportTally
        How often each report was received, under the channel that was deployed.
    level : float
        How often the intervals hold the true share.

    Returns
    -------
    Estimate, or FrequencyEstimate of support counts

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send, or the level is not in (0, 1).

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> reports = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}
    >>> q = Channel(Frame(["yes", "no"]), reports, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    >>> estimate(Tally(q, {"yes": 250, "no": 450, "don't know": 300}))
    share of each answer
    answer  share       se  95 % from      to  plain answers
    yes       0.3  0.02535     0.2515  0.3507            327
    no        0.7  0.02535     0.6493  0.7485            327
    700 reports; clipped inversion, the most likely shares; computed in closed form
    """
    if isinstance(tally, SupportTally):
        return estimate_frequencies(tally, level=level)
    normal_quantile(level)
    data = _informative(tally)
    binomial = binomial_share(data) if _stacked_tally(tally).weights is None else None
    if binomial is None:
        return maximum_likelihood(tally, level)
    if not data.total:
        return nothing_learnt(data, level, _test_fit(tally))
    share = min(max(binomial.raw, 0.0), 1.0)
    shares = np.array([share, 1 - share])
    return with_intervals(
        data,
        shares,
        level,
        estimator=ShareEstimator.CLIPPED_INVERSION,
        convergence=Convergence.EXACT if 0 < share < 1 else Convergence.ON_BOUNDARY,
        fit=_test_fit(tally, shares),
    )


_ROUNDING = 1e-12


@checked
def truth_lie_variance(prevalence: float, truth: float, lie: float, n: int) -> float:
    """Exact variance of the estimated share under truth, lie or "don't know", before asking.

    For design: it averages over how many reports will name an answer. Once they are in, that number
    is known, and `estimate` takes it as given.

    [−(π − ½)² + ((p + q)/(p − q))²/4] · E[1/N | N > 0] with N ~ Binomial(n, p + q) the number of
    reports that name an answer (Li, Zhou, Qin & Xu, 2022, theorem 10 as it holds: the mean is the
    conditional one, and needs no further division by P(N > 0)).

    Parameters
    ----------
    prevalence : float
        π, the true share of the answer.
    truth, lie : float
        p and q, the chances of naming the true and the false answer.
    n : int
        Reports, those that say "don't know" included.

    Raises
    ------
    InputError
        If the share or a chance is not in [0, 1], the chances sum to more than 1, or n is no whole
        number of at least one.
    NotIdentified
        If truth and lie are equally likely.

    >>> truth_lie_variance(0.0, 0.6, 0.1, 1)
    0.2399999999999...
    """
    for name, value in (("prevalence", prevalence), ("truth", truth), ("lie", lie)):
        if not 0 <= value <= 1:
            allowed = "a share in [0, 1]" if name == "prevalence" else "a chance in [0, 1]"
            raise InputError(f"truth_lie_variance.{name}", got=value, allowed=allowed)
    if truth + lie > 1 + _ROUNDING:
        raise InputError(
            "truth_lie_variance",
            got=f"truth {truth} and lie {lie}",
            allowed="chances that sum to at most 1: the rest say that they do not know",
        )
    if truth == lie:
        raise NotIdentified(
            "truth_lie_variance", got=f"truth = lie = {truth}", allowed="truth ≠ lie"
        )
    spread = ((truth + lie) / (truth - lie)) ** 2 / 4 - (prevalence - 0.5) ** 2
    return max(spread, 0.0) * mean_inverse(n, min(truth + lie, 1.0))


@checked
def moment_estimate(tally: Tally | GroupedTally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer without bias; shares sum to one but can leave [0, 1].

    Two answers told by two informative reports: (f − q/s)/((p − q)/s) with f the frequency among
    informative reports (Warner, 1965; Li, Zhou, Qin & Xu, 2022, equation 2), with the binomial
    variance given how many there are. Otherwise frequencies times a right inverse
    of the channel, with the multinomial covariance at the frequencies (of groups by weighted least
    squares at equal shares, given their sizes: a multinomial in each). Intervals are those of the
    most likely shares, since an estimate outside [0, 1] has none of its own.

    With sampling weights f is the weighted frequency, Σ w of a report over Σ w of all that say
    anything: a ratio, whose variance is linearised and design-based, of the tally's complex sample
    or of people drawn with replacement. What a finite population took of the channel's draws is
    given back at the estimate.

    Parameters
    ----------
    tally : Tally or GroupedTally
        Also with sampling weights, or of a complex sample.
    level : float
        How often the intervals hold the true share.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send, or the level is not in (0, 1).

    References
    ----------
    Särndal, Swensson & Wretman (1992), on ratios of weighted totals.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> moment_estimate(Tally(q, {"yes": 20, "no": 80})).value.round(9).tolist()
    [-0.1, 1.1]
    """
    normal_quantile(level)
    data, stacked = _informative(tally), _stacked_tally(tally)
    if not data.total:
        return nothing_learnt(data, level, _test_fit(tally))
    if stacked.weighted:
        value, covariance = _invert_sample(stacked, data)
    else:
        value, covariance = _invert_plain(data)
    likely = maximum_likelihood(tally, level)
    return Estimate(
        labels=data.labels,
        value=value,
        covariance=covariance,
        lower=likely.lower,
        upper=likely.upper,
        level=level,
        reports=likely.reports,
        effective_sample_size=answers_worth(value, covariance, data.total),
        estimator=ShareEstimator.UNBIASED_INVERSION,
        design_variance=_design_variance(stacked) if stacked.weighted else None,
        convergence=Convergence.EXACT,
        goodness_of_fit=likely.goodness_of_fit,
    )


def _test_fit(
    tally: Tally | GroupedTally, shares: Floats | None = None, gap: float = 0.0
) -> GoodnessOfFit:
    """Test the fit at the most likely shares, where these are known and are of the plain counts."""
    plain_shares = shares if _stacked_tally(tally).weights is None else None
    return fit_of_groups(counts_by_group(tally), plain_shares, gap)


def _informative(tally: Tally | GroupedTally) -> Informative:
    """Read the reports that say something, those of groups as of one channel."""
    group = tally.group if isinstance(tally, GroupedTally) else None
    return informative(_stacked_tally(tally), group=group)


def _stacked_tally(tally: Tally | GroupedTally) -> Tally:
    return tally.stacked if isinstance(tally, GroupedTally) else tally


def _invert_plain(data: Informative) -> tuple[Floats, Floats]:
    """Invert the informative reports alone, conditional on their number."""
    frequency, inverse, group = _inversion_parts(data)
    spread = np.diag(frequency)
    sizes = np.bincount(group, frequency)[group].astype(float)
    outer = np.outer(frequency, frequency) * (group[:, None] == group)
    spread -= np.divide(outer, sizes[:, None], out=np.zeros_like(outer), where=sizes[:, None] > 0)
    return frequency @ inverse, inverse.T @ spread @ inverse / data.total


def _inversion_parts(data: Informative) -> tuple[Floats, Floats, Integers]:
    """Frequencies of informative reports, the matrix that inverts them, and their groups."""
    frequency, inverse = data.counts / data.total, right_inverse(data.rows.T / data.share)
    group = np.zeros(len(frequency), dtype=int) if data.group is None else data.group
    return frequency, inverse, group


def _invert_sample(tally: Tally, data: Informative) -> tuple[Floats, Floats]:
    """Invert the weighted frequencies of informative reports, each a ratio to its group's."""
    assert tally.weights is not None
    frequency, inverse, group = _inversion_parts(data)
    value, columns = frequency @ inverse, data.columns
    if _count_people(tally) < 2:
        return value, np.full((len(value), len(value)), np.nan)
    sizes = np.bincount(group, frequency)
    sums = np.column_stack([np.bincount(group, frequency * column) for column in inverse.T])
    means = np.divide(sums, sizes[:, None], out=np.zeros_like(sums), where=sizes[:, None] > 0)
    scores = np.zeros((len(tally.counts), len(value)))
    scores[columns] = (inverse - means[group]) / tally.weights[columns].sum()
    likely = np.clip(value, 0.0, None)
    covariance: Floats = scores.T @ _weight_covariance(tally, likely / likely.sum()) @ scores
    return value, (covariance + covariance.T) / 2


@checked
def grab_savage(n: int, share: float) -> float:
    """Approximate E[1/N | N > 0] for N ~ Binomial(n, share) by 1/((n + 1) share − 1).

    For comparison only: `mean_inverse` is exact and what every variance here uses. With few reports
    the approximation can be infinite or negative. It approximates the conditional mean, so that it
    must not be divided by P(N > 0) again.

    Parameters
    ----------
    n, share : int, float
        As in `mean_inverse`, which refuses the same.

    References
    ----------
    Grab & Savage (1954), as used by Li, Zhou, Qin & Xu (2022) before Corollary 11.

    >>> round(grab_savage(100, 0.7) / mean_inverse(100, 0.7) - 1, 6)
    -6.3e-05
    """
    refuse_trials("grab_savage", n, share)
    below = (n + 1) * share - 1
    return 1 / below if below else float("inf")


@checked
def maximum_likelihood(tally: Tally | GroupedTally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer by maximum likelihood, through any channel.

    Use `estimate` for one question: it takes the closed form where there is one, and else does as
    this. Use this where one method has to serve several channels.

    Maximises Σ_j n_j log Σ_i π_i q_ij over shares π ≥ 0 that sum to one, as `most_likely` does: its
    gap bounds what is missing to the maximum (Li, Zhou, Qin & Xu, remark 8, leave this to EM).
    Standard errors are those of the observed information, conditional on the number of reports that
    say something, on group sizes and on which cuts were drawn; of the expected one, of as many
    informative reports, where a share is estimated as 0 or too few kinds of reports came to invert
    the observed one.

    With sampling weights n_j is the sum of the weights of those who sent j (pseudo-likelihood).
    Standard errors are then linearised and design-based: of the tally's complex sample, or for
    people drawn with replacement. Intervals are those of as many equally weighted people as would
    tell each share as precisely, with Student's law in place of the normal one where the sampling
    design says its degrees of freedom (Korn & Graubard, 1998).

    Parameters
    ----------
    tally : Tally or GroupedTally
    level : float
        How often the intervals hold the true share.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send, or the level is not in (0, 1).

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> maximum_likelihood(Tally(q, {"yes": 40, "no": 60})).value.round(9).tolist()
    [0.3, 0.7]
    """
    normal_quantile(level)
    data = _informative(tally)
    if not data.total:
        return nothing_learnt(data, level, _test_fit(tally))
    fit = fit_informative(tally, data)
    if tally.weighted:
        return _estimate_weighted(_stacked_tally(tally), data, fit, level)
    return with_intervals(
        data,
        fit.value,
        level,
        estimator=ShareEstimator.MAXIMUM_LIKELIHOOD,
        convergence=fit.convergence,
        gap=fit.gap,
        fit=fit.goodness_of_fit,
    )


def _estimate_weighted(
    tally: Tally, data: Informative, fit: "MostLikely", level: float
) -> Estimate:
    """Add design-based errors and intervals to the shares of a weighted sample."""
    people, shares = _count_people(tally), fit.value
    covariance, effects = _weighted_covariance(tally, data, shares)
    stretch = 1.0
    if tally.sample is None:
        effects = np.maximum(effects, 1.0)
    else:  # Student's law is wider than the normal one: as if there were fewer people
        stretch = student_quantile(level, max(tally.sample.df, 1.0)) / normal_quantile(level)
    plain = np.diag(observed_covariance(data, shares))
    ends = np.zeros((2, len(shares)))
    for answers in [[0, 1]] if len(shares) == 2 else [[answer] for answer in range(len(shares))]:
        equivalent = replace(data, counts=data.counts / (effects[answers].max() * stretch**2))
        se = stretch * np.sqrt(plain * effects)
        low, high = intervals(equivalent, shares, se, level, np.array(answers))
        ends[:, answers] = low[answers], high[answers]
    if tally.sample is not None and tally.sample.df < 1:
        ends[0], ends[1] = 0.0, 1.0  # how sure the shares are cannot be told at all
    return Estimate(
        labels=data.labels,
        value=shares,
        covariance=covariance,
        lower=ends[0],
        upper=ends[1],
        level=level,
        reports=people,
        effective_sample_size=answers_worth(shares, covariance, people),
        estimator=ShareEstimator.PSEUDO_LIKELIHOOD,
        design_variance=_design_variance(tally),
        convergence=fit.convergence,
        gap=fit.gap,
        goodness_of_fit=fit.goodness_of_fit,
    )


def _count_people(tally: Tally) -> int:
    """How many people sent a report that says something."""
    return int(tally.counts[speaking(tally.channel)].sum())


def _weighted_covariance(tally: Tally, data: Informative, shares: Floats) -> tuple[Floats, Floats]:
    assert tally.weights is not None
    assert tally.squares is not None
    plain = observed_covariance(data, shares)
    if data.total < 2:
        return np.full(plain.shape, np.nan), np.ones(len(shares))
    sampled, simple = (
        linearised_covariance(counted, data, shares)
        for counted in (tally, _as_equally_weighted(tally))
    )
    speaks = speaking(tally.channel)
    weights, squares = tally.weights[speaks].sum(), tally.squares[speaks].sum()
    kish = data.total * squares / weights**2
    return design_based_covariance(plain, sampled, simple, (float(kish), bool(shares.min() <= 0)))


def design_based_covariance(
    plain: Floats, sampled: Floats, simple: Floats, otherwise: tuple[float, bool]
) -> tuple[Floats, Floats]:
    """The covariance of weighted shares, shape (k, k), and the design effect of each, shape (k,).

    A design effect is over the variance that the same reports of people drawn alike would have, by
    the same linearisation, so that a simple sample has 1 wherever its frequencies lie. Where a
    share is estimated as 0 the frequencies need be none that shares can send, and vary less than
    those that can: the covariance is then that of a simple sample at the shares, with the design
    effects of the sample in each direction. Where the sample does not tell one it is Kish's.

    Parameters
    ----------
    plain : array, shape (k, k)
        Of a simple sample, by the information on shares.
    sampled, simple : array, shape (k, k)
        Linearised: of the sample as it was drawn, and of one drawn alike.
    otherwise : (float, bool)
        Kish's effect of unequal weights, and whether a share is estimated as 0.

    >>> half = np.array([[0.5, -0.5], [-0.5, 0.5]])
    >>> covariance, effects = design_based_covariance(half, 0.2 * half, 0.1 * half, (1.5, True))
    >>> covariance.round(9).tolist(), effects.round(9).tolist()
    ([[1.0, -1.0], [-1.0, 1.0]], [2.0, 2.0])
    """
    kish, border = otherwise
    if border:
        sampled = _rescale_covariance(plain, sampled, simple, kish)
        simple = plain
    variance, simple_variance = np.diag(sampled), np.diag(simple)
    is_known = (variance > 0) & (simple_variance > _FAINT * np.diag(plain))
    effects = np.where(is_known, variance / np.where(is_known, simple_variance, 1.0), kish)
    return sampled, effects


_FAINT = 1e-9  # of a variance: rounding


def _rescale_covariance(plain: Floats, sampled: Floats, simple: Floats, kish: float) -> Floats:
    """P^½ S^−½ D S^−½ P^½ with S and D the simple and the design-based covariance in units of P."""
    sizes, axes = np.linalg.eigh(plain)
    in_range = sizes > _FAINT * sizes[-1]
    root = axes[:, in_range] * np.sqrt(sizes[in_range])
    unit = axes[:, in_range] / np.sqrt(sizes[in_range])
    spread, turned = np.linalg.eigh(unit.T @ simple @ unit)
    is_estimable = spread > _FAINT
    scale = turned[:, is_estimable] / np.sqrt(spread[is_estimable]) @ turned[:, is_estimable].T
    blind = turned[:, ~is_estimable] @ turned[:, ~is_estimable].T
    effects = scale @ (unit.T @ sampled @ unit) @ scale + kish * blind
    covariance: Floats = root @ effects @ root.T
    return (covariance + covariance.T) / 2


def _as_equally_weighted(tally: Tally) -> Tally:
    """The same weighted frequencies as counts of an equally weighted sample."""
    assert tally.weights is not None
    speaks, counts = speaking(tally.channel), np.zeros(len(tally.counts))
    counts[speaks] = tally.weights[speaks] * (_count_people(tally) / tally.weights[speaks].sum())
    return of_arrays(tally.channel, tally.counts, (counts, counts), tally.blanks)


def _design_variance(tally: Tally) -> DesignVariance:
    """Give what the variance rests on: shares are linearised in counts, if not counts too."""
    if tally.sample is None:
        return DesignVariance()
    return DesignVariance(replicates=tally.sample.replicates, df=tally.sample.df)


def with_intervals(
    data: Informative,
    shares: Floats,
    level: float,
    *,
    estimator: ShareEstimator,
    convergence: Convergence,
    fit: GoodnessOfFit,
    gap: float = float("nan"),
) -> Estimate:
    """Add standard errors, intervals and effective sample sizes to the most likely shares."""
    covariance = observed_covariance(data, shares)
    ends = intervals(data, shares, np.sqrt(np.diag(covariance)), level)
    return Estimate(
        labels=data.labels,
        value=shares,
        covariance=covariance,
        lower=ends[0],
        upper=ends[1],
        level=level,
        reports=int(data.total),
        effective_sample_size=answers_worth(shares, covariance, data.total),
        estimator=estimator,
        convergence=convergence,
        gap=gap,
        goodness_of_fit=fit,
    )


def nothing_learnt(data: Informative, level: float, fit: GoodnessOfFit) -> Estimate:
    """Estimate without any informative report: no value, intervals from 0 to 1."""
    k = len(data.labels)
    nothing = np.full(k, np.nan)
    return Estimate(
        labels=data.labels,
        value=nothing,
        covariance=np.full((k, k), np.nan),
        lower=np.zeros(k),
        upper=np.ones(k),
        level=level,
        reports=0,
        effective_sample_size=np.zeros(k),
        estimator=ShareEstimator.NONE,
        convergence=Convergence.NO_REPORTS,
        goodness_of_fit=fit,
    )


TOLERANCE = 1e-12
"""The gap, per report, at which a maximum counts as certified."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MostLikely:
    """The maximum of the likelihood over shares that sum to one.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    value : array, shape (k,)
        Shares; not a number without an informative report.
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum.
    reports : int
        Reports that say anything.
    convergence : Convergence
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent these reports at all.
    """

    computation: ClassVar[Computation] = Computation.MAXIMUM_LIKELIHOOD
    labels: tuple[str, ...]
    value: Floats
    gap: float
    reports: int
    convergence: Convergence
    goodness_of_fit: GoodnessOfFit

    def to_dict(self) -> Json:
        """Write the shares for JSON."""
        written = json_of(self, "labels value gap reports") | self.convergence.to_dict()
        return written | json_of(self, "goodness_of_fit")

    def _table(self) -> Listing:
        rows = [
            [label, number(share)] for label, share in zip(self.labels, self.value, strict=True)
        ]
        notes = [f"{counted(self.reports, 'report')}; gap {self.gap:.1g}; {self.convergence.value}"]
        notes += self.goodness_of_fit.misfit
        return "most likely share of each answer", ["answer", "share"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def most_likely(tally: Tally | GroupedTally) -> MostLikely:
    """Find the most likely shares, certified, without intervals: milliseconds for many answers.

    What `maximum_likelihood` starts from; intervals for a hundred answers take ten times as long as
    their shares.

    Parameters
    ----------
    tally : Tally or GroupedTally
        Counts of reports, with their channel.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> most_likely(Tally(q, {"yes": 40, "no": 60})).value.round(9).tolist()
    [0.3, 0.7]
    """
    return fit_informative(tally, _informative(tally))


def fit_informative(tally: Tally | GroupedTally, data: Informative) -> MostLikely:
    """Maximise the likelihood of the informative reports.

    Maximises Σ_j n_j log Σ_i π_i q_ij by Newton steps on the active set with EM (Dempster, Laird &
    Rubin, 1977) where a step would descend. The gap, max_i (Σ_j n_j q_ij / P_j)/n − 1, bounds what
    is missing to the maximum (Kuhn–Tucker). Where many answers are all protected alike the start is
    the maximum already, in closed form.
    """
    k = len(data.labels)
    if not data.total:
        return MostLikely(
            labels=data.labels,
            value=np.full(k, np.nan),
            gap=float("nan"),
            reports=0,
            convergence=Convergence.NO_REPORTS,
            goodness_of_fit=_test_fit(tally),
        )
    is_observed = data.counts > 0
    law = symmetric(data.rows, data.counts) if k > DENSE else None
    shares, gap = maximise_mixture(
        mixture(data.rows[is_observed], data.counts[is_observed]),
        np.full(k, 1 / k) if law is None else law.shares(),
        TOLERANCE,
    )
    convergence = Convergence.CONVERGED if gap <= TOLERANCE else Convergence.STOPPED
    if gap <= TOLERANCE and shares.min() <= 0:
        convergence = Convergence.ON_BOUNDARY
    return MostLikely(
        labels=data.labels,
        value=shares,
        gap=gap,
        reports=int(_stacked_tally(tally).counts[data.columns].sum()),
        convergence=convergence,
        goodness_of_fit=_test_fit(tally, shares, gap),
    )


def linearised_covariance(tally: Tally, data: Informative, shares: Floats) -> Floats:
    """Covariance of the weighted shares by linearisation, people drawn with replacement.

    Cov = A⁻¹ B A⁻¹ on the changes that sum to zero, with the scores s_j = q_j / P_j,

        A = Σ_j W_j s_j s_jᵀ / W,   B = n/(n − 1) Σ_j S_j (s_j − s̄)(s_j − s̄)ᵀ / W²

    where s̄ = Σ_j W_j s_j / W, W_j and S_j are the sums of weights and of their squares over those
    who sent report j, W = Σ_j W_j, and n is how many they are: of reports that say something, for
    who sends one is ancillary. A is the information observed. B is the variance of a weighted mean
    of scores as the sample itself tells it, so that weights may go together with answers (Särndal,
    Swensson & Wretman, 1992; for the solution of weighted score equations Binder, 1983).

    Of a complex sample B = Σ_jl C_jl (s_j − s̄)(s_l − s̄)ᵀ / W² with C the sampling design's
    covariance of the W_j, to which, of a finite population, what the channel draws is given back.

    Parameters
    ----------
    tally : Tally
        With weights, of two people or more who said something.
    data : Informative
        What its reports say.
    shares : array, shape (k,)
        The weighted most likely shares. One that is exactly 0 is taken as in `fisher_covariance`.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> sums = {"yes": 20.0, "no": 80.0}
    >>> tally = Tally(q, {"yes": 20, "no": 80}, weights=sums, squares=sums)
    >>> covariance = linearised_covariance(tally, informative(tally), np.array([0.2, 0.8]))
    >>> print(round(covariance[0, 0] * 99, 9))  # 0.2 · 0.8
    0.16
    """
    slope = _influence(tally, data, shares)
    covariance: Floats = (
        slope.T @ _weight_covariance(tally, interior_shares(shares, data.total)) @ slope
    )
    return (covariance + covariance.T) / 2


def influence(tally: Tally, shares: Floats) -> Floats:
    """Derivative of each weighted most likely share by the weighted count of each report.

    Z A⁻¹ (s_j − s̄)/W in the notation of `linearised_covariance`, with Z back from the changes that
    sum to zero to the shares; 0 of reports that say nothing.

    Parameters
    ----------
    tally : Tally
        With weights.
    shares : array, shape (k,)

    Returns
    -------
    array, shape (m, k)

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> sums = {"yes": 20.0, "no": 80.0}
    >>> tally = Tally(q, {"yes": 20, "no": 80}, weights=sums, squares=sums)
    >>> influence(tally, np.array([0.2, 0.8]))[:, 0].round(9).tolist()  # of W₁/(W₁ + W₂)
    [0.008, -0.002]
    """
    return _influence(tally, informative(tally), shares)


def _influence(tally: Tally, data: Informative, shares: Floats) -> Floats:
    assert tally.weights is not None
    weights, chance = tally.weights[data.columns], data.rows @ interior_shares(shares, data.total)
    scores = np.zeros(data.rows.shape)
    possible = chance > 0
    scores[possible] = data.rows[possible] / chance[possible, None]
    spread = np.where(possible[:, None], scores - weights @ scores / weights.sum(), 0.0)
    moves = np.zeros((len(tally.counts), len(shares)))
    bread = observed_covariance(data, shares) * data.total
    moves[data.columns] = spread @ bread / weights.sum()
    return moves


def _weight_covariance(tally: Tally, shares: Floats) -> Floats:
    """Covariance of the weighted report counts, over sampling and the channel's randomisation.

    Parameters
    ----------
    tally : Tally
        With weights, of two people or more who said something.
    shares : array, shape (k,)
        At which the channel's draws are given back, of a finite population.
    """
    assert tally.squares is not None
    if tally.sample is None:
        people = _count_people(tally)
        return np.asarray(np.diag(tally.squares) * (people / (people - 1)))
    back = channel_covariance(tally.sample.fpc_squares, tally.channel.matrix, shares)
    return np.asarray(tally.sample.covariance + back)
