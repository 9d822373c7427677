"""What a privacy loss allows at best: the floor under every trade-off curve, and the ceiling."""

import math
from fractions import Fraction

import numpy as np

from askance.arguments import checked
from askance.exact.level import loss_reach
from askance.exact.ratio import whole
from askance.privacy.tradeoffs.curve import Curve, curve_of
from askance.privacy.tradeoffs.neyman_pearson import neyman_pearson

_EXACT_BITS = 1 << 22  # so many in all the numbers of an exact curve are built in a second
_MOST = 1_000_000


@checked
def error_floor(epsilon: object = None, times: int = 1, *, ratio: object = None) -> Curve:
    r"""Give the least type II error that a loss of at most ε per report allows, over k reports.

    .. math::

       f_{\varepsilon,k}(\alpha) = \max_{0 \le i \le k/2} \max\{1 - d_i - e^{(k-2i)\varepsilon}
       \alpha,\; e^{-(k-2i)\varepsilon}(1 - d_i - \alpha),\; 0\}, \quad
       d_i = \sum_{l < i} \binom{k}{l} \frac{e^{(k-l)\varepsilon} - e^{(k-2i+l)\varepsilon}}
       {(1+e^\varepsilon)^k}

    It is the curve of k replies to Warner's question at ε, so it cannot be raised. It bounds what
    is told by messages (`shafer_loss`); over several reports it does *not* bound readers who
    resolve vague reports as they like (`walley_loss`): for them use ``error_floor(k * epsilon)``.

    Parameters
    ----------
    epsilon : number, optional
        In [0, 10000], or infinite. A float stands for all logarithms that round to it.
    times : int
        k in [1, 1000000]. For many reports the curve is in doubles, each of its numbers right to
        rounding; otherwise it is exact for the ratio.
    ratio : number, optional
        e^ε instead, exactly.

    Raises
    ------
    InputError
        If not exactly one of ε and the ratio is given, or it is no such number, or ``times`` is no
        such whole number.

    References
    ----------
    Kairouz, Oh & Viswanath (2017), Theorem 3.3; for k = 1 Wasserman & Zhou (2010), Theorem 2.4; the
    two-fold bound is u² of Li, Zhou, Qin & Xu (2022), Corollary 6.

    >>> error_floor(ratio=3).beta([0.05, 0.25]).tolist()
    [0.85, 0.25]
    """
    k = whole(times, "times", f"a whole number in [1, {_MOST}]", 1, _MOST)
    reach = loss_reach(epsilon, ratio)
    return floor_at(reach, k) if isinstance(reach, Fraction) else Curve([(0, 0), (1, 0)])


@checked
def error_ceiling(epsilon: object = None, times: int = 1, *, ratio: object = None) -> Curve:
    r"""Give the largest type II error that a sensible test can have: the floor turned around.

    .. math:: U_{\varepsilon,k}(\alpha) = 1 - f_{\varepsilon,k}(1 - \alpha)

    Same parameters and errors as `error_floor`.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Corollary 6. The middle part of U² is 2e^ε/(1 + e^ε) − α; the printed
    constant (3 − e^{−2ε})/(1 + e^ε) is too small, as the pages on the paper show.

    >>> error_ceiling(1, times=2).beta(0.0), round(error_ceiling(1, times=2).beta(0.5), 10)
    (1.0, 0.9323323584)
    """
    return error_floor(epsilon, times, ratio=ratio).turned()


def floor_at(ratio: Fraction, times: int) -> Curve:
    """Give the floor for a ratio e^ε: exact where the numbers are not too long.

    >>> floor_at(Fraction(3, 2), 1).exact[1]
    (Fraction(2, 5), Fraction(2, 5))
    """
    lie, truth = ratio.denominator, ratio.numerator
    if times**2 * truth.bit_length() > _EXACT_BITS:
        return _rounded(float(lie / Fraction(lie + truth)), times)
    counts = range(times + 1)
    first = [math.comb(times, j) * truth ** (times - j) * lie**j for j in counts]
    return neyman_pearson(first, first[::-1])


def _rounded(lie: float, times: int) -> Curve:
    """Do the same in doubles, by the number of replies that speak for the second answer.

    Each tail is summed by itself, so that the smallest chances keep their digits.
    """
    from scipy.stats import binom

    at = np.arange(-1, times + 1)
    rare, common = binom.sf(at, times, lie), binom.cdf(at, times, lie)
    return curve_of(rare[::-1], rare, common[::-1], common)
