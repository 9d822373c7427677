"""The law of the privacy loss: everything that reports say about telling two answers apart."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.readonly import numbers, read_only
from askance.errors import InputError
from askance.exact.level import Names, loss_nearest
from askance.privacy.tradeoffs.curve import Curve, curve_of
from askance.typing import Floats

_ASKED: Names = ("delta.epsilon", "delta.ratio")
_SAME = 2.0**-46  # relative to the largest: losses so near are told apart by rounding alone
_NEGLIGIBLE = 2.0**-92  # chance that no figure shows, even beside others of 2^−46
_FAR = 700.0  # a factor of e^700 raises every chance above 1 that a double holds


@final
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class LossLaw:
    r"""How often the reports have which privacy loss, under each of two answers.

    The loss of a report y is :math:`\ln Q(y \mid x') / Q(y \mid x)`: by how much y speaks for x′.

    Parameters
    ----------
    losses : array of shape (m,)
        Finite losses, in any order; those equal to rounding are gathered.
    first, second : array of shape (m,)
        The chance of each loss under x and under x′.
    only_first, only_second : float
        Chances of reports that prove x, and that prove x′.
    greatest : float, optional
        The greatest finite loss that is possible, where chances too small to list are left out.
    missing : float
        How much chance may be missing from any sum, on either side.
    shift : float
        How far the true losses may lie below these, with chance at least 1 − ``missing``.

    Attributes
    ----------
    losses : array
        Falling.

    References
    ----------
    Dong, Roth & Su (2022), section 2, for the curve; Neyman & Pearson (1933) for its tests.

    >>> law = LossLaw([1.0986122886681098, -1.0986122886681098], [0.25, 0.75], [0.75, 0.25])
    >>> round(law.delta(0), 12), law.tradeoff().beta(0.05)
    (0.5, 0.85)
    """

    losses: Floats
    first: Floats
    second: Floats
    only_first: float
    only_second: float
    greatest: float
    missing: float
    shift: float

    @checked
    def __init__(
        self,
        losses: npt.ArrayLike,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        *,
        only_first: float = 0.0,
        only_second: float = 0.0,
        greatest: float | None = None,
        missing: float = 0.0,
        shift: float = 0.0,
    ) -> None:
        read = [numbers(one, "LossLaw") for one in (losses, first, second)]
        if len({one.shape for one in read}) > 1 or read[0].ndim != 1:
            shapes = ", ".join(str(one.shape) for one in read)
            raise InputError("LossLaw", got=f"shapes {shapes}", allowed="three rows of one length")
        gathered = _gather(*read)
        for name, values in zip(("losses", "first", "second"), gathered, strict=True):
            object.__setattr__(self, name, read_only(values))
        object.__setattr__(self, "only_first", only_first)
        object.__setattr__(self, "only_second", only_second)
        top = float(self.losses[0]) if len(self.losses) else -math.inf
        object.__setattr__(self, "greatest", top if greatest is None else greatest)
        object.__setattr__(self, "missing", missing)
        object.__setattr__(self, "shift", shift)

    @property
    def exact(self) -> bool:
        """Whether the figures are right to rounding; otherwise upper and lower ones differ."""
        return not self.shift and self.missing < _NEGLIGIBLE

    def tradeoff(self) -> Curve:
        """Give the curve that certainly holds: no test does better."""
        alpha, beta, specific, power = self._corners()
        if self.exact:
            return _curve(self.only_second, alpha[1:], beta[1:], specific[1:], power[1:])
        less, left = self.missing, alpha > self.missing
        power = np.minimum(power + less, 1.0)
        start = float(np.interp(less, alpha, power))
        beta = np.maximum(beta - less, 0.0)
        return _curve(start, *(each[left] for each in (alpha - less, beta, specific + less, power)))

    def tradeoff_upper(self) -> Curve:
        r"""Give the curve that some test attains or beats: the other end of the uncertainty.

        It is the same as ``tradeoff`` where the law is exact. Otherwise
        :math:`T(\alpha) \le \hat T(e^{-s}\alpha - r) + 2r` with shift s and missing chance r.
        """
        if self.exact:
            return self.tradeoff()
        alpha, beta, _, power = self._corners()
        alpha = math.exp(min(self.shift, _FAR)) * (alpha + self.missing)
        power = np.maximum(power - 2 * self.missing, 0.0)
        beta = np.minimum(beta + 2 * self.missing, 1.0)
        return _curve(
            float(power[0]), *(each[alpha < 1] for each in (alpha, beta, 1 - alpha, power))
        )

    def _corners(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Accuse from the greatest loss downwards: α, β and what they leave of 1, after each atom.

        What is near 1 is summed from the other end, so that no chance is lost beside another.
        """
        sent = (self.first > 0) | (self.second > 0)
        first, second = self.first[sent], self.second[sent]
        return (
            np.append(0.0, _summed(first)),
            np.append(_summed(second[::-1])[::-1], 0.0),
            self.only_first + np.append(_summed(first[::-1])[::-1], 0.0),
            self.only_second + np.append(0.0, _summed(second)),
        )

    def delta(self, epsilon: object = None, *, ratio: object = None) -> float:
        r"""Give what a loss of ε, or of the logarithm of a ratio, does not cover.

        .. math:: \delta(\varepsilon) = \sum_y
                  \max\{Q(y \mid x') - e^\varepsilon Q(y \mid x), 0\}

        Never less than the truth, but for rounding; ``delta_lower`` is never more.
        """
        return min(self._delta(loss_nearest(epsilon, ratio, names=_ASKED)) + self.missing, 1.0)

    def delta_lower(self, epsilon: object = None, *, ratio: object = None) -> float:
        """Give a lower bound on what a loss of ε does not cover; equal to ``delta`` if exact."""
        loss = loss_nearest(epsilon, ratio, names=_ASKED)
        return max(self._delta(loss + self.shift) - 2 * self.missing, 0.0)

    @checked
    def epsilon(self, delta: float) -> float:
        """Give the smallest loss ε ≥ 0 that leaves no more than δ uncovered: ∞ if there is none.

        Raises
        ------
        InputError
            If δ is not in [0, 1].
        """
        _check(delta)
        if delta < self.only_second:
            return math.inf
        return max(min(self._epsilon(delta - self.missing), self.greatest), 0.0)

    @checked
    def epsilon_lower(self, delta: float) -> float:
        """Give a loss below which more than δ is certainly uncovered; ``epsilon`` if exact."""
        _check(delta)
        return max(self._epsilon(min(delta + 2 * self.missing, 1.0)) - self.shift, 0.0)

    def _delta(self, epsilon: float) -> float:
        above = int(np.searchsorted(-self.losses, -epsilon))
        part = self.second[:above] * -np.expm1(epsilon - self.losses[:above])
        return self.only_second + float(part.sum())

    def _epsilon(self, delta: float) -> float:
        """Bisect for the atom where δ is crossed; between atoms δ is linear in e^ε."""
        if delta < self.only_second:
            return math.inf
        if self._delta(0.0) <= delta:
            return 0.0
        low, high = 0, int(np.searchsorted(-self.losses, 0.0))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if self._delta(self.losses[middle]) > delta else (middle, high)
            )
        top = float(self.losses[low])
        part = self.second[: low + 1]
        beyond = self.only_second - delta + float(part.sum())
        weight = float((part * np.exp(top - self.losses[: low + 1])).sum())
        return top if beyond <= 0 else top + math.log(beyond / weight)

    def __repr__(self) -> str:
        kind = "exact" if self.exact else f"missing ≤ {self.missing:.1e}, shift {self.shift:.1e}"
        return f"LossLaw({len(self.losses)} losses, {kind})"


def _check(delta: float) -> None:
    if not 0 <= delta <= 1:
        raise InputError("epsilon.delta", got=delta, allowed="a chance in [0, 1]")


def _gather(losses: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats, Floats]:
    """Order by falling loss and add up what rounding alone tells apart."""
    order = np.argsort(-losses)
    losses, first, second = losses[order], first[order], second[order]
    if not len(losses):
        return losses, first, second
    same = _SAME * max(1.0, float(np.abs(losses).max()))
    starts = np.flatnonzero(np.append(True, -np.diff(losses) > same))
    if len(starts) == len(losses):
        return losses, first, second
    return losses[starts], np.add.reduceat(first, starts), np.add.reduceat(second, starts)


def _summed(masses: Floats) -> Floats:
    return np.cumsum(masses, dtype=np.longdouble).astype(np.float64)


def _curve(proven: float, alpha: Floats, beta: Floats, specific: Floats, power: Floats) -> Curve:
    """Join (0, 1 − what is proven), the points between, and (1, 0)."""
    inner = specific > 0
    return curve_of(
        np.r_[0.0, alpha[inner], 1.0],
        np.r_[1 - proven, beta[inner], 0.0],
        np.r_[1.0, specific[inner], 0.0],
        np.r_[proven, power[inner], 1.0],
    )
