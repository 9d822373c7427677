"""Which of two stated populations do the reports come from? The likelihood-ratio test."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel, Tally
from askance.errors import InputError
from askance.estimators.shares.divergence import Chernoff, chernoff
from askance.exact.ratio import ratio
from askance.results import doubles
from askance.typing import Floats

_MOST_REPORTS = 10**15  # which doubles count
_MOST = 20_000_000  # tallies that fit in memory
_ALIKE = 1e-12  # log-likelihood ratios that are one
_SUM = 1e-9  # how far shares may sum from one


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Discrimination:
    """The best test between two populations from n reports, with its exact errors.

    Attributes
    ----------
    channel : Channel
    n : int
        Reports.
    false_alarm : float
        α, the chance of deciding for the second population although the first is true.
    miss : float
        β, the chance of deciding for the first although the second is true.
    first_weight : float
        w, the prior chance of the first population.
    speed : Chernoff
        How fast the error falls with n, and the order at which the exponent is attained.
    scores : array, shape (m,)
        What one report of each kind adds to the log-likelihood ratio of second over first.
    """

    channel: Channel
    n: int
    false_alarm: float
    miss: float
    first_weight: float
    speed: Chernoff
    scores: Floats

    @property
    def error(self) -> float:
        """The average error probability, wα + (1 − w)β."""
        return self.first_weight * self.false_alarm + (1 - self.first_weight) * self.miss

    @checked
    def evidence(self, tally: Tally) -> float:
        """Give the log-likelihood ratio of the second population over the first."""
        if tally.channel != self.channel:
            raise InputError(
                "tally", got="another channel", allowed="reports of the channel of the test"
            )
        seen = tally.counts > 0
        return float(tally.counts[seen] @ self.scores[seen])

    @checked
    def second(self, tally: Tally) -> bool:
        """Decide: whether the second population is the likelier one.

        The errors are those of n reports; another number is judged as well, at other errors.
        """
        return self.evidence(tally) > _bar(self.first_weight) + _slack(self.scores, tally.total)


@checked
def discriminate(
    channel: Channel,
    first: float | npt.ArrayLike,
    second: float | npt.ArrayLike,
    n: int,
    *,
    first_weight: object = "1/2",
) -> Discrimination:
    r"""Test between two sets of shares: the errors of the best test, exactly.

    .. math:: \sum_i \ln \frac{P_2(y_i)}{P_1(y_i)} > \ln \frac{w}{1 - w}

    decides for the second. No test has a smaller average error. Every possible tally is gone
    through; reports with the same ratio are counted as one.

    Parameters
    ----------
    channel : Channel
    first, second : float, or array of shape (k,)
        The share of the first of two answers, or the shares of all.
    n : int
        Reports.
    first_weight : probability
        w in (0, 1), the prior chance of the first population. At the bar the first is decided for.

    Raises
    ------
    InputError
        If the shares are not probabilities, n is negative, or there are more than 20 million
        different tallies.

    References
    ----------
    Neyman & Pearson (1933); Chernoff (1952), Theorem 1, for the exponent; Yoshida, Yung & Hayashi
    (2019), Corollary 1.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> test = discriminate(q, 0.1, 0.9, 1)  # one report: chances .3 and .7 of a yes
    >>> round(test.error, 12), round(test.speed.exponent, 6)  # −ln(2 √.21)
    (0.3, 0.087177)
    """
    laws = [_law(channel, shares) for shares in (first, second)]
    w = float(ratio(first_weight, "first_weight"))
    if not 0 < w < 1:
        raise InputError("first_weight", got=str(first_weight), allowed="a probability in (0, 1)")
    if not 0 <= n <= _MOST_REPORTS:
        raise InputError("n", got=n, allowed=f"a whole number of reports up to {_MOST_REPORTS:,}")
    scores = _scores(*laws)
    alpha, beta = _errors(scores, laws, int(n), _bar(w))
    scores.setflags(write=False)
    return Discrimination(
        channel=channel,
        n=int(n),
        false_alarm=alpha,
        miss=beta,
        first_weight=w,
        speed=chernoff(*laws),
        scores=scores,
    )


def _law(channel: Channel, shares: float | npt.ArrayLike) -> Floats:
    k = len(channel.frame)
    given = doubles(shares, "shares")
    if given.ndim == 0 and k == 2:
        given = np.array([given, 1 - given])
    if given.shape != (k,) or not np.all(given >= 0) or abs(given.sum() - 1) > _SUM:
        raise InputError(
            "shares",
            got=given.tolist(),
            allowed=f"{k} shares in [0, 1] that sum to one, or for two answers that of the first",
        )
    law = given @ channel.matrix
    scaled: Floats = law / law.sum()
    return scaled


def _scores(first: Floats, second: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        scores: Floats = np.log(second) - np.log(first)
    scores[(first == 0) & (second == 0)] = 0.0
    scores[np.abs(scores) < _ALIKE] = 0.0
    return scores


def _bar(first_weight: float) -> float:
    return math.log(first_weight) - math.log1p(-first_weight)


def _slack(scores: Floats, n: int) -> float:
    """Give what rounding may add to a sum that is exactly at the bar."""
    known = scores[np.isfinite(scores)]
    return _ALIKE + 1e-14 * n * float(np.abs(known).max(initial=0.0))


def _errors(scores: Floats, laws: list[Floats], n: int, bar: float) -> tuple[float, float]:
    """Sum both laws over the tallies on the wrong side of the bar."""
    order = np.argsort(scores)
    above = scores[order][1:] > scores[order][:-1] + _ALIKE
    starts = np.flatnonzero(np.concatenate([[True], above]))
    levels = scores[order][starts]
    first, second = (np.add.reduceat(law[order], starts) for law in laws)
    known = np.isfinite(levels)
    chances = math.comb(n + int(known.sum()) - 1, max(int(known.sum()) - 1, 0))
    if chances > _MOST:
        raise InputError(
            "n",
            got=f"{n} reports of {len(levels)} kinds, {chances:.1e} tallies",
            allowed=f"at most {_MOST:,} tallies",
            remedy="the exponent, `chernoff`, tells how the error falls",
        )
    alpha = _tail(levels[known], first[known], n, bar, above=True)
    beta = _tail(levels[known], second[known], n, bar, above=False)
    return min(alpha, 1.0), min(beta, 1.0)


def _tail(levels: Floats, law: Floats, n: int, bar: float, *, above: bool) -> float:
    """Give the chance that n reports, all of these kinds, sum to more than the bar, or not.

    A report that only the other population sends never occurs under this law, and one that only
    this population sends decides rightly, so neither adds to its error.
    """
    sums, logs, left = np.zeros(1), np.zeros(1), np.array([n])
    factorial = _log_factorials(n)
    for at, (level, chance) in enumerate(zip(levels, law, strict=True)):
        last = at == len(levels) - 1
        taken = left if last else np.concatenate([np.arange(rest + 1) for rest in left])
        if not last:
            repeat = left + 1
            sums, logs, left = (np.repeat(part, repeat) for part in (sums, logs, left))
        with np.errstate(divide="ignore"):
            power = np.where(taken > 0, taken * np.log(chance), 0.0)
        sums, logs, left = sums + taken * level, logs + power - factorial[taken], left - taken
    wrong = (sums > bar + _slack(levels, n)) == above
    return float(np.exp(logs[wrong & (left == 0)] + factorial[n]).sum())


def _log_factorials(n: int) -> Floats:
    from scipy.special import gammaln

    values: Floats = gammaln(np.arange(n + 1) + 1.0)
    return values
