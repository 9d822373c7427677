"""The default: from a tally to an estimate; unbiased shares, by the channel inverted."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.tally import Tally
from askance.errors import InputError, NotIdentified
from askance.inference.climb import Convergence
from askance.inference.shares.identified import Informative, informative
from askance.inference.shares.maximum_likelihood import (
    Estimate,
    maximum_likelihood,
    nothing_learnt,
    plain_answers,
    with_intervals,
)
from askance.inference.shares.share_intervals import normal_quantile
from askance.typing import Floats


@checked
def estimate(tally: Tally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer by maximum likelihood: use this for one question.

    `maximum_likelihood` climbs even where a closed form is known: use it where one method has to
    serve several channels. `moment_estimate` is unbiased, and can leave [0, 1].

    Intervals behave at 0 and 1. Two answers told by two informative reports (Warner, forced
    response, truth-lie-"don't know" and the like) are solved in closed form, the unbiased estimate
    cut to [0, 1] (Li, Zhou, Qin & Xu, 2022, equation 2), with its exact variance; every other
    channel goes to `maximum_likelihood`. Intervals invert the score test for two answers and the
    likelihood ratio for more. A tally with sampling weights goes to `maximum_likelihood` too, whose
    errors are then design-based.

    Parameters
    ----------
    tally : Tally
        How often each report was received, under the channel that was deployed.
    level : float
        How often the intervals hold the true share.

    Returns
    -------
    Estimate

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
    >>> estimate(Tally(q, {"yes": 310, "no": 520, "don't know": 170}))
    share of each answer
    answer   share      se  95 % from      to  plain answers
    yes     0.3229  0.0256     0.2777  0.3697            334
    no      0.6771  0.0256     0.6303  0.7223            334
    830 reports; clipped inversion, the most likely shares; computed in closed form
    """
    normal_quantile(level)
    data = informative(tally, weighted=True)
    known = None if tally.weighted else binomial_share(data)
    if known is None:
        return maximum_likelihood(tally, level)
    if not data.total:
        return nothing_learnt(data, level)
    share = min(max(known.raw, 0.0), 1.0)
    return with_intervals(
        data,
        np.array([share, 1 - share]),
        two_covariance(known.variance(share)),
        level,
        method="clipped inversion, the most likely shares",
        convergence=Convergence.EXACT if 0 < share < 1 else Convergence.ON_BOUNDARY,
    )


_ROUNDING = 1e-12


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BinomialShare:
    """The share of the first answer, seen through a binomial count.

    Attributes
    ----------
    base, slope : float
        Given that a report is informative it is the first one with chance
        base + slope · share.
    seen, total : float
        First reports, and informative reports.
    share : float
        Chance that a report is informative.
    received : int
        All reports, the others included.
    """

    base: float
    slope: float
    seen: float
    total: float
    share: float
    received: int

    @property
    def raw(self) -> float:
        """The unbiased estimate, which can leave [0, 1]; not a number without a report."""
        return (self.seen / self.total - self.base) / self.slope if self.total else float("nan")

    def variance(self, prevalence: float) -> float:
        r"""The exact variance of the unbiased estimate, given that a report says anything.

        r(1 − r)/slope² · E[1/N | N > 0] with r = base + slope · prevalence. For truth p, lie q and
        "don't know" otherwise this is [−(π − ½)² + ((p + q)/(p − q))²/4] · E[1/N | N > 0] (Li,
        Zhou, Qin & Xu, 2022, theorem 10, with the conditional mean in place of its misprint). With
        p + q = 1 it is [1/(4(2p − 1)²) − (π − ½)²]/n (Warner, 1965, equation 1).
        """
        chance = self.base + self.slope * prevalence
        spread = chance * (1 - chance) / self.slope**2
        return max(spread, 0.0) * mean_inverse(self.received, self.share)


def binomial_share(data: Informative) -> BinomialShare | None:
    """Recognise two answers told by exactly two informative reports, from the chances alone."""
    if len(data.labels) != 2 or len(data.counts) != 2:
        return None
    base, top = data.rows[0, 1] / data.share, data.rows[0, 0] / data.share
    return BinomialShare(
        base=float(base),
        slope=float(top - base),
        seen=float(data.counts[0]),
        total=data.total,
        share=data.share,
        received=data.received,
    )


@checked
def truth_lie_variance(prevalence: float, truth: float, lie: float, n: int) -> float:
    """Exact variance of the estimated share under truth, lie or "don't know".

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
def moment_estimate(tally: Tally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer without bias; shares sum to one but can leave [0, 1].

    Two answers told by two informative reports: (f − q/s)/((p − q)/s) with f the frequency among
    informative reports (Warner, 1965; Li, Zhou, Qin & Xu, 2022, equation 2), with its exact
    variance given that there is one, at the estimate. Otherwise frequencies times a right inverse
    of the channel, with the multinomial covariance at the frequencies. Intervals are those of the
    most likely shares, since an estimate outside [0, 1] has none of its own.

    Parameters
    ----------
    tally : Tally
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
    >>> moment_estimate(Tally(q, {"yes": 20, "no": 80})).value.round(9).tolist()
    [-0.1, 1.1]
    """
    normal_quantile(level)
    data = informative(tally)
    if not data.total:
        return nothing_learnt(data, level)
    known = binomial_share(data)
    value, covariance = _binomial(known) if known is not None else _inverted(data)
    likely = maximum_likelihood(tally, level)
    ends = (likely.lower, likely.upper)
    return Estimate(
        labels=data.labels,
        value=value,
        covariance=covariance,
        lower=likely.lower,
        upper=likely.upper,
        level=level,
        reports=likely.reports,
        plain=plain_answers(np.clip(value, 0, 1), covariance, ends, data.received),
        method="unbiased inversion of the channel",
        convergence=Convergence.EXACT,
    )


def right_inverse(matrix: Floats) -> Floats:
    """G with matrix · G = 1, weighted so that estimated shares always sum to one.

    G = W⁻¹Qᵀ(QW⁻¹Qᵀ)⁻¹ with W the mean chance of each report: weighted least squares at equal
    shares.

    Parameters
    ----------
    matrix : array, shape (k, m)
        Of full row rank, without impossible reports.

    >>> right_inverse(np.array([[0.75, 0.25], [0.25, 0.75]])).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    weighted = matrix.T / matrix.mean(axis=0)[:, None]
    inverse: Floats = np.linalg.solve((matrix @ weighted).T, weighted.T).T
    return inverse


def two_covariance(variance: float) -> Floats:
    """Spread the variance of one share over two that sum to one."""
    return variance * np.array([[1.0, -1.0], [-1.0, 1.0]])


def _binomial(known: BinomialShare) -> tuple[Floats, Floats]:
    value = np.array([known.raw, 1 - known.raw])
    return value, two_covariance(known.variance(known.raw))


def _inverted(data: Informative) -> tuple[Floats, Floats]:
    """Invert the informative reports alone: the others say nothing, and their number is given."""
    inverse = right_inverse(data.rows.T / data.share)
    frequency = data.counts / data.total
    spread = np.diag(frequency) - np.outer(frequency, frequency)
    return frequency @ inverse, inverse.T @ spread @ inverse / data.total


_SUMMED = 100.0  # mean count up to which terms are few
_CLOSE = 1e-18  # of the sum: where the series is cut


@checked
def mean_inverse(n: int, share: float) -> float:
    """E[1/N | N > 0] for N ~ Binomial(n, share), the price of an uncertain sample size.

    Up to a mean count of 100 the sum over the probability mass function: 14 standard deviations and
    60 values either side of the mode, which leaves out less than e^−90 of the mass. Beyond, the
    factorial series of `inverse_series`, whose error is bounded.

    Parameters
    ----------
    n : int
        How many trials, at least one.
    share : float
        Chance of each, in (0, 1].

    Raises
    ------
    InputError
        If n is no whole number of at least one, or the share is outside its range.

    >>> mean_inverse(2, 0.7)  # (2 · 0.7 · 0.3 + 0.49 / 2) / 0.91
    0.730769230769...
    """
    refuse_trials("mean_inverse", n, share)
    if share == 1:
        return 1 / n
    return inverse_series(n, share)[0] if n * share > _SUMMED else inverse_sum(n, share)


def inverse_sum(n: int, share: float) -> float:
    """Sum 1/N over the bulk of the binomial law.

    >>> inverse_sum(1, 0.25)
    1.0
    """
    reach = 14 * math.sqrt(n * share * (1 - share)) + 60
    mode = (n + 1) * share
    count = np.arange(max(1, int(mode - reach)), min(n, int(mode + reach)) + 1, dtype=float)
    ratio = np.log((n - count[:-1]) / (count[:-1] + 1)) + math.log(share / (1 - share))
    log = np.concatenate([[0.0], np.cumsum(ratio)])
    mass = np.exp(log - log.max())
    return float((mass / count).sum() / mass.sum())


def inverse_series(n: int, share: float) -> tuple[float, float]:
    """Σ_i (i − 1)! / ((n + 1)…(n + i) share^i) (Stephan, 1945), and a bound on its error.

    After t terms 1/N is short by t!/(N (N + 1)…(N + t)), at most (t + 2) t!/((N + 1)…(N + t + 1))
    for N ≥ 1, whose mean is at most (t + 2) t!/((n + 1)…(n + t + 1) share^(t+1)). The series is cut
    where this is below 10^−18 of its first term. Taking N = 0 in adds less than P(N = 0) (1 + t)
    and a lower tail of the shifted binomials; with a mean count above 100 both are below 10^−20.

    Returns
    -------
    value, bound : float

    >>> value, bound = inverse_series(10**9, 0.5)
    >>> value * 10**9, bound < 1e-25
    (2.000000002..., True)
    """
    value, term, size = 0.0, 1 / ((n + 1) * share), 1.0
    for at in range(1, 40):
        value += term
        term *= at / ((n + at + 1) * share)
        size = (at + 2) * term
        if size <= _CLOSE * value:
            break
    return value, size


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


def refuse_trials(where: str, n: int, share: float) -> None:
    """Refuse what is no number of trials or no chance.

    Raises
    ------
    InputError
        If n is below one or the share is not in (0, 1].

    >>> refuse_trials("mean_inverse", 3, 0.5)
    """
    if n < 1 or not 0 < share <= 1:
        raise InputError(where, got=(n, share), allowed="n in [1, ∞) and a share in (0, 1]")
