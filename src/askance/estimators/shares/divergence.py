"""How far apart two laws of a report are, by every measure that a test's errors depend on."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.errors import InputError
from askance.results import doubles, function_values
from askance.typing import Floats

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


@checked
def f_divergence(
    f: Callable[[Floats], Floats],
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    slope: float | None = None,
) -> float:
    r"""Give the f-divergence Σ q f(p/q), for any convex f with f(1) = 0.

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
    p, q = _laws(first, second)
    _refuse_shape(f)
    both = (p > 0) & (q > 0)
    total = float(q[both] @ _values(f, p[both] / q[both]))
    unmet, outside = float(q[p == 0].sum()), float(p[q == 0].sum())
    if unmet:
        at_zero = float(_values(f, np.zeros(1), holes=True)[0])
        total += unmet * (_limit(lambda t: _values(f, t)) if math.isnan(at_zero) else at_zero)
    if outside:
        found = _limit(lambda s: s * _values(f, 1 / s)) if slope is None else slope
        total += outside * found
    return total


def _values(f: Callable[[Floats], Floats], t: Floats, *, holes: bool = False) -> Floats:
    told = function_values(f, t, "f_divergence.f")
    if np.isnan(told).any() and not holes:
        at = float(t[int(np.argmax(np.isnan(told)))])
        raise InputError("f_divergence.f", got=f"no number at {at:g}", allowed="a number above 0")
    return told


def _limit(g: Callable[[Floats], Floats]) -> float:
    """Give lim g(s) as s → 0, of what is monotone there: infinite where it grows like a logarithm.

    >>> round(_limit(lambda s: np.sqrt(s) - 1), 9), _limit(lambda s: -np.log(s))
    (-1.0, inf)
    """
    far, middle, near = (float(one) for one in g(np.array([1e-75, 1e-150, 1e-300])))
    if math.isinf(near):
        return near
    before, after = abs(middle - far), abs(near - middle)
    return math.copysign(math.inf, near) if after > before > _ROUNDING * abs(near) else near


def _refuse_shape(f: Callable[[Floats], Floats]) -> None:
    """Refuse what is not convex: what it says is no distance."""
    grid: Floats = np.ldexp(1.0, np.arange(-20, 21))
    told = _values(f, grid)
    with np.errstate(invalid="ignore"):
        steep = np.diff(told) / np.diff(grid)
        falls = np.diff(steep) < -_SUM * (1 + np.abs(steep[1:]) + np.abs(steep[:-1]))
    if (told == -np.inf).any() or falls.any():
        raise InputError(
            "f_divergence.f", got="a function that is not convex", allowed="a convex f"
        )


@checked
def relative_entropy(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Give Σ p ln(p/q), in nats; infinite where q alone is zero.

    References
    ----------
    Kullback & Leibler (1951), equation (2.4).

    >>> round(relative_entropy([0.5, 0.5], [0.25, 0.75]), 6)  # ½ ln(4/3)
    0.143841
    """
    p, q = _laws(first, second)
    sent = p > 0
    with np.errstate(divide="ignore"):
        return float(p[sent] @ np.log(p[sent] / q[sent]))


@checked
def renyi_divergence(first: npt.ArrayLike, second: npt.ArrayLike, order: float) -> float:
    r"""Give the relative Rényi entropy of an order.

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
    p, q = _laws(first, second)
    if order == 1:
        return relative_entropy(p, q)
    if order > 1 and np.any((q == 0) & (p > 0)):
        return math.inf
    if order > _MOST_ORDER:
        return float(np.log((p[p > 0] / q[p > 0]).max()))
    return -_log_affinity(p, q, order) / (1 - order)


@checked
def chernoff(first: npt.ArrayLike, second: npt.ArrayLike) -> Chernoff:
    r"""Give the exponent of the error of the best test between two laws.

    .. math:: C(P, Q) = \max_{0 \le s \le 1} -\ln \sum_y p(y)^s q(y)^{1-s}

    Parameters
    ----------
    first, second : array, shape (m,)
        Chances of each report.

    References
    ----------
    Chernoff (1952), Theorem 1; Yoshida, Yung & Hayashi (2019), Corollary 1.

    >>> found = chernoff([0.75, 0.25], [0.25, 0.75])  # −ln(2 √(3/16)) at s = ½
    >>> round(found.exponent, 6), round(found.order, 6)
    (0.143841, 0.5)
    """
    p, q = _laws(first, second)
    both = (p > 0) & (q > 0)
    if not both.any():
        return Chernoff(exponent=math.inf, order=0.5)
    p, q = p[both], q[both]
    tilt = np.log(p / q)
    low, high = 0.0, 1.0
    while high - low > _WIDTH:
        middle = (low + high) / 2
        if float((p**middle * q ** (1 - middle)) @ tilt) < 0:
            low = middle
        else:
            high = middle
    order = (low + high) / 2
    return Chernoff(exponent=max(-_log_affinity(p, q, order), 0.0), order=order)


def _log_affinity(p: Floats, q: Floats, order: float) -> float:
    """Give ln Σ p^order q^(1 − order) over what both laws can send.

    Near 1 the sum is taken as its distance from 1, so that laws that all but agree do not cancel.
    """
    both = (p > 0) & (q > 0)
    p, q = p[both], q[both]
    outer = 1 - float(q.sum())
    ratios = p / q
    bent = float(q @ (np.expm1(order * np.log(ratios)) - order * (ratios - 1)))
    straight = order * float((p - q).sum()) - outer
    total = bent + straight
    return math.log1p(total) if total > -1 else -math.inf


def _laws(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, Floats]:
    p, q = doubles(first, "laws"), doubles(second, "laws")
    fits = p.ndim == 1 and p.shape == q.shape and p.size > 0
    if not fits or any(not np.all(law >= 0) or abs(law.sum() - 1) > _SUM for law in (p, q)):
        raise InputError(
            "laws", got=f"{p.tolist()} and {q.tolist()}", allowed="equally long chances, sum one"
        )
    return p, q
