"""Discrimination between two populations: divergences of report laws, and the best test."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.results import doubles, function_values, json_of, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_ratio

_SUM = 1e-9  # how far chances may sum from one
_ROUNDING = 1e-12
_MOST_ORDER = 1e9
_WIDTH = 1e-12  # of the order at the end


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Chernoff:
    """How fast the error of the best test between two laws falls with the number of reports.

    Attributes
    ----------
    exponent : float
        The error is e^(−n · exponent) up to factors that grow more slowly; infinite where one
        report settles it.
    order : float
        s in [0, 1], the power of the first law at which it is attained.
    """

    exponent: float
    order: float

    def to_dict(self) -> Json:
        """Write the exponent and the order for JSON."""
        return json_of(self)

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def f_divergence(
    f: Callable[[Floats], Floats],
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    slope: float | None = None,
) -> float:
    r"""The f-divergence Σ q f(p/q), for any convex f with f(1) = 0.

    .. math:: D_f(P \Vert Q) = \sum_{p, q > 0} q(y)\, f\bigl(p(y)/q(y)\bigr)
              + Q(p = 0) \lim_{t \to 0} f(t) + P(q = 0) \lim_{t \to \infty} f(t)/t

    Both limits are there for every convex f, and may be infinite; each counts only where reports
    of the one law are none of the other. What f itself gives at 0 is taken, if that is a number.

    Parameters
    ----------
    f : callable
        Convex on (0, ∞), on arrays.
    first, second : array, shape (m,)
        P and Q: chances of each report.
    slope : float, optional
        lim f(t)/t, where it is known; it is searched for if left out.

    Raises
    ------
    InputError
        If f gives no number for each of an array, is not convex, or the chances are none.

    References
    ----------
    Csiszár (1967); Yoshida, Yung & Hayashi (2019), Theorem 3.

    >>> square = lambda t: (t - 1) ** 2
    >>> round(f_divergence(square, [0.5, 0.5], [0.25, 0.75]), 12)  # 0.25 + 1/12
    0.333333333333
    >>> round(f_divergence(lambda t: 1 - np.sqrt(t), [0.5, 0.5], [1, 0]), 12)  # 1 − √½
    0.292893218813
    >>> round(f_divergence(lambda t: t * np.log(t), [1, 0], [0.5, 0.5]), 12)  # ln 2
    0.69314718056
    """
    p, q = _read_laws(first, second)
    _refuse_shape(f)
    common = (p > 0) & (q > 0)
    total = float(q[common] @ _evaluate(f, p[common] / q[common]))
    unmet, outside = float(q[p == 0].sum()), float(p[q == 0].sum())
    if unmet:
        at_zero = float(_evaluate(f, np.zeros(1), holes=True)[0])
        total += unmet * (
            _limit_at_zero(lambda t: _evaluate(f, t)) if math.isnan(at_zero) else at_zero
        )
    if outside:
        limit = _limit_at_zero(lambda s: s * _evaluate(f, 1 / s)) if slope is None else slope
        total += outside * limit
    return total


def _evaluate(f: Callable[[Floats], Floats], t: Floats, *, holes: bool = False) -> Floats:
    values = function_values(f, t, "f_divergence.f")
    if np.isnan(values).any() and not holes:
        point = float(t[int(np.argmax(np.isnan(values)))])
        raise InputError(
            "f_divergence.f", got=f"no number at {point:g}", allowed="a number above 0"
        )
    return values


def _limit_at_zero(g: Callable[[Floats], Floats]) -> float:
    """Limit of g(s) as s → 0, of what is monotone there: infinite where it grows like a logarithm.

    >>> round(_limit_at_zero(lambda s: np.sqrt(s) - 1), 9), _limit_at_zero(lambda s: -np.log(s))
    (-1.0, inf)
    """
    far, middle, nearest = (float(value) for value in g(np.array([1e-75, 1e-150, 1e-300])))
    if math.isinf(nearest):
        return nearest
    before, after = abs(middle - far), abs(nearest - middle)
    return (
        math.copysign(math.inf, nearest) if after > before > _ROUNDING * abs(nearest) else nearest
    )


def _refuse_shape(f: Callable[[Floats], Floats]) -> None:
    """Refuse a function that is not convex."""
    grid: Floats = np.ldexp(1.0, np.arange(-20, 21))
    values = _evaluate(f, grid)
    with np.errstate(invalid="ignore"):
        steep = np.diff(values) / np.diff(grid)
        falls = np.diff(steep) < -_SUM * (1 + np.abs(steep[1:]) + np.abs(steep[:-1]))
    if (values == -np.inf).any() or falls.any():
        raise InputError(
            "f_divergence.f", got="a function that is not convex", allowed="a convex f"
        )


@checked
def relative_entropy(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Relative entropy (Kullback–Leibler divergence) Σ p ln(p/q), in nats.

    Parameters
    ----------
    first, second : array_like of shape (k,)
        Probabilities p and q; infinite where q is 0 and p is not.

    References
    ----------
    Kullback & Leibler (1951), equation (2.4).

    >>> round(relative_entropy([0.5, 0.5], [0.25, 0.75]), 6)  # ½ ln(4/3)
    0.143841
    """
    p, q = _read_laws(first, second)
    possible = p > 0
    with np.errstate(divide="ignore"):
        return float(p[possible] @ np.log(p[possible] / q[possible]))


@checked
def renyi_divergence(first: npt.ArrayLike, second: npt.ArrayLike, order: float) -> float:
    r"""Rényi divergence of an order between two laws.

    .. math:: D_{1-s}(P \Vert Q) = -\frac{1}{s} \ln \sum_y p(y)^{1-s} q(y)^s, \qquad s = 1 - order

    which tends to the relative entropy D(P‖Q) as s → 0. (Yoshida, Yung & Hayashi (2019) print the
    exponents the other way round, which would tend to D(Q‖P).)

    Parameters
    ----------
    first, second : array, shape (m,)
    order : float
        In (0, ∞); at 1 the relative entropy, and from 10⁹ on the limit ln max p/q.

    References
    ----------
    Rényi (1961), equation (3.3); Yoshida, Yung & Hayashi (2019), Corollary 1.

    >>> near, exact = (renyi_divergence([0.5, 0.5], [0.25, 0.75], a) for a in (1 - 1e-6, 1))
    >>> round(near, 4) == round(exact, 4) == 0.1438
    True
    """
    if not 0 < order < math.inf:
        raise InputError("order", got=order, allowed="a number in (0, ∞)")
    p, q = _read_laws(first, second)
    if order == 1:
        return relative_entropy(p, q)
    if order > 1 and np.any((q == 0) & (p > 0)):
        return math.inf
    if order > _MOST_ORDER:
        return float(np.log((p[p > 0] / q[p > 0]).max()))
    return -_log_affinity(p, q, order) / (1 - order)


@checked
def chernoff(first: npt.ArrayLike, second: npt.ArrayLike) -> Chernoff:
    r"""Chernoff information: the exponent of the error of the best test between two laws.

    .. math:: C(P, Q) = \max_{0 \le s \le 1} -\ln \sum_y p(y)^s q(y)^{1-s}

    Parameters
    ----------
    first, second : array, shape (m,)
        Chances of each report.

    References
    ----------
    Chernoff (1952), Theorem 1; Yoshida, Yung & Hayashi (2019), Corollary 1.

    >>> information = chernoff([0.75, 0.25], [0.25, 0.75])  # −ln(2 √(3/16)) at s = ½
    >>> round(information.exponent, 6), round(information.order, 6)
    (0.143841, 0.5)
    """
    p, q = _read_laws(first, second)
    common = (p > 0) & (q > 0)
    if not common.any():
        return Chernoff(exponent=math.inf, order=0.5)
    p, q = p[common], q[common]
    from scipy.optimize import brentq

    tilt = np.log(p / q)

    def slope(order: float) -> float:
        return float((p**order * q ** (1 - order)) @ tilt)

    ends = slope(0.0), slope(1.0)
    if ends[0] >= 0 or ends[1] <= 0:  # equal laws, or one that the other leaves in part
        order = 0.0 if ends[0] >= 0 else 1.0
    else:
        order = float(brentq(slope, 0.0, 1.0, xtol=_WIDTH))
    return Chernoff(exponent=max(-_log_affinity(p, q, order), 0.0), order=order)


def _log_affinity(p: Floats, q: Floats, order: float) -> float:
    """The logarithm ln Σ p^order q^(1 − order) over what both laws can send.

    Near 1 the sum is taken as its distance from 1, so that laws that all but agree do not cancel.
    """
    common = (p > 0) & (q > 0)
    p, q = p[common], q[common]
    outer = 1 - float(q.sum())
    ratios = p / q
    bent = float(q @ (np.expm1(order * np.log(ratios)) - order * (ratios - 1)))
    straight = order * float((p - q).sum()) - outer
    total = bent + straight
    return math.log1p(total) if total > -1 else -math.inf


def _read_laws(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, Floats]:
    p, q = doubles(first, "laws"), doubles(second, "laws")
    fits = p.ndim == 1 and p.shape == q.shape and p.size > 0
    if not fits or any(not np.all(law >= 0) or abs(law.sum() - 1) > _SUM for law in (p, q)):
        raise InputError(
            "laws", got=f"{p.tolist()} and {q.tolist()}", allowed="equally long chances, sum one"
        )
    return p, q


_MOST_REPORTS = 10**15  # which doubles count
_MOST = 20_000_000  # tallies that fit in memory
_TIE = 1e-12  # log-likelihood ratios that are one


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
    chernoff : Chernoff
        How fast the error falls with n, and the order at which the exponent is attained.
    log_ratios : array, shape (m,)
        What one report of each kind adds to the log-likelihood ratio of second over first.
    """

    channel: Channel
    n: int
    false_alarm: float
    miss: float
    first_weight: float
    chernoff: Chernoff
    log_ratios: Floats

    @property
    def error(self) -> float:
        """The average error probability, wα + (1 − w)β."""
        return self.first_weight * self.false_alarm + (1 - self.first_weight) * self.miss

    @checked
    def log_likelihood_ratio(self, tally: Tally) -> float:
        """The log-likelihood ratio of the second population over the first.

        Raises
        ------
        InputError
            If it is another channel's tally, or one with weights or of a complex sample: the best
            test, and its errors, are for a simple random sample.
        """
        if tally.channel != self.channel:
            raise InputError(
                "tally", got="another channel", allowed="reports of the channel of the test"
            )
        if tally.weighted:
            kind = "a weighted tally" if tally.sample is None else "a complex sample"
            raise InputError(
                "tally",
                got=kind,
                allowed="reports of a simple random sample, for which the errors are exact",
                remedy="see on which side of both shares the interval of estimate(tally) lies",
            )
        is_observed = tally.counts > 0
        return float(tally.counts[is_observed] @ self.log_ratios[is_observed])

    @checked
    def favours_second(self, tally: Tally) -> bool:
        """Decide: whether the second population is the likelier one.

        The errors are those of n reports; another number is judged as well, at other errors.
        """
        return self.log_likelihood_ratio(tally) > (
            _log_threshold(self.first_weight) + _rounding_slack(self.log_ratios, tally.total)
        )

    def to_dict(self) -> Json:
        """Write the errors of the test for JSON, and what each report adds to the ratio."""
        names = "n false_alarm miss error first_weight chernoff log_ratios"
        return json_of(self, names) | json_of(self.channel, "reports")

    def _frame(self) -> dict[str, Any]:
        return {"report": self.channel.reports, "log ratio": self.log_ratios}

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


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
    >>> round(test.error, 12), round(test.chernoff.exponent, 6)  # −ln(2 √.21)
    (0.3, 0.087177)
    """
    laws = [_report_law(channel, shares) for shares in (first, second)]
    w = float(read_ratio(first_weight, "first_weight"))
    if not 0 < w < 1:
        raise InputError("first_weight", got=str(first_weight), allowed="a probability in (0, 1)")
    if not 0 <= n <= _MOST_REPORTS:
        raise InputError("n", got=n, allowed=f"a whole number of reports up to {_MOST_REPORTS:,}")
    scores = _log_ratios(*laws)
    alpha, beta = _error_chances(scores, laws, int(n), _log_threshold(w))
    scores.setflags(write=False)
    return Discrimination(
        channel=channel,
        n=int(n),
        false_alarm=alpha,
        miss=beta,
        first_weight=w,
        chernoff=chernoff(*laws),
        log_ratios=scores,
    )


def _report_law(channel: Channel, shares: float | npt.ArrayLike) -> Floats:
    k = len(channel.frame)
    prevalence = doubles(shares, "shares")
    if prevalence.ndim == 0 and k == 2:
        prevalence = np.array([prevalence, 1 - prevalence])
    if prevalence.shape != (k,) or not np.all(prevalence >= 0) or abs(prevalence.sum() - 1) > _SUM:
        raise InputError(
            "shares",
            got=prevalence.tolist(),
            allowed=f"{k} shares in [0, 1] that sum to one, or for two answers that of the first",
        )
    law = prevalence @ channel.matrix
    scaled: Floats = law / law.sum()
    return scaled


def _log_ratios(first: Floats, second: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        scores: Floats = np.log(second) - np.log(first)
    scores[(first == 0) & (second == 0)] = 0.0
    scores[np.abs(scores) < _TIE] = 0.0
    return scores


def _log_threshold(first_weight: float) -> float:
    return math.log(first_weight) - math.log1p(-first_weight)


def _rounding_slack(scores: Floats, n: int) -> float:
    """Bound of the rounding error of a sum that is exactly at the threshold."""
    finite = scores[np.isfinite(scores)]
    return _TIE + 1e-14 * n * float(np.abs(finite).max(initial=0.0))


def _error_chances(scores: Floats, laws: list[Floats], n: int, bar: float) -> tuple[float, float]:
    """Sum both laws over the tallies on the wrong side of the bar."""
    order = np.argsort(scores)
    above = scores[order][1:] > scores[order][:-1] + _TIE
    starts = np.flatnonzero(np.concatenate([[True], above]))
    levels = scores[order][starts]
    first, second = (np.add.reduceat(law[order], starts) for law in laws)
    is_finite = np.isfinite(levels)
    chances = math.comb(n + int(is_finite.sum()) - 1, max(int(is_finite.sum()) - 1, 0))
    if chances > _MOST:
        raise InputError(
            "n",
            got=f"{n} reports of {len(levels)} kinds, {chances:.1e} tallies",
            allowed=f"at most {_MOST:,} tallies",
            remedy="the exponent, `chernoff`, shows how the error falls",
        )
    alpha = _tail_chance(levels[is_finite], first[is_finite], n, bar, above=True)
    beta = _tail_chance(levels[is_finite], second[is_finite], n, bar, above=False)
    return min(alpha, 1.0), min(beta, 1.0)


def _tail_chance(levels: Floats, law: Floats, n: int, bar: float, *, above: bool) -> float:
    """The chance that n reports, all of these kinds, sum to more than the bar, or not.

    A report that only the other population sends never occurs under this law, and one that only
    this population sends decides rightly, so neither adds to its error.
    """
    sums, logs, remaining = np.zeros(1), np.zeros(1), np.array([n])
    factorial = _log_factorials(n)
    for i, (level, chance) in enumerate(zip(levels, law, strict=True)):
        last = i == len(levels) - 1
        counts = remaining if last else np.concatenate([np.arange(rest + 1) for rest in remaining])
        if not last:
            repeat = remaining + 1
            sums, logs, remaining = (np.repeat(part, repeat) for part in (sums, logs, remaining))
        with np.errstate(divide="ignore"):
            power = np.where(counts > 0, counts * np.log(chance), 0.0)
        sums = sums + counts * level
        logs = logs + power - factorial[counts]
        remaining = remaining - counts
    wrong = (sums > bar + _rounding_slack(levels, n)) == above
    return float(np.exp(logs[wrong & (remaining == 0)] + factorial[n]).sum())


def _log_factorials(n: int) -> Floats:
    from scipy.special import gammaln

    return gammaln(np.arange(n + 1) + 1.0)
