"""Privacy loss distributions: of one report, of many together, and their Gaussian limit.

Of many reports together the law is exact where that is small, else on a grid: each atom is split
between the two grid points around its loss, so that its chance is kept under both answers. Whoever
sees the grid point sees at least as much as before, so figures on the grid are safe. How much they
overstate is bounded by how far the splits can carry a sum.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, final

import numpy as np
import numpy.typing as npt
from scipy.fft import irfft
from scipy.special import gammaln, ndtr, ndtri

from askance.privacy.tradeoff_function import TradeoffFunction, at_most_guessing, curve_of
from askance.results import doubles, numbers, read_only
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.level import Names, log_double, loss_nearest

_LEVEL_NAMES: Names = ("delta.epsilon", "delta.ratio")
_SAME = 2.0**-46  # relative to the largest: losses so near are told apart by rounding alone
_NEGLIGIBLE = 2.0**-92  # chance that no figure shows, even beside others of 2^−46
_SUM_OFF = 2.0**-51  # from 1: rounding of doubles that sum to it
_FAR = 700.0  # a factor of e^700 raises every chance above 1 that a double holds


@final
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class PrivacyLossDistribution:
    r"""Privacy loss distribution (PLD) of reports, under each of two answers.

    The loss of a report y is :math:`\ln Q(y \mid x') / Q(y \mid x)`: by how much y speaks for x′.

    Parameters
    ----------
    losses : array of shape (m,)
        Finite losses, in any order; those equal to rounding are gathered.
    first, second : array of shape (m,)
        The chance of each loss under x and under x′.
    only_first, only_second : float
        Chances of reports that prove x, and that prove x′.
    max_loss : float, optional
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

    >>> ln3 = 1.0986122886681098
    >>> law = PrivacyLossDistribution([ln3, -ln3], [0.25, 0.75], [0.75, 0.25])
    >>> round(law.delta(0), 12), law.tradeoff().beta(0.05)
    (0.5, 0.85)
    """

    losses: Floats
    first: Floats
    second: Floats
    only_first: float
    only_second: float
    max_loss: float
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
        max_loss: float | None = None,
        missing: float = 0.0,
        shift: float = 0.0,
    ) -> None:
        read = [numbers(row, "PrivacyLossDistribution") for row in (losses, first, second)]
        if len({row.shape for row in read}) > 1 or read[0].ndim != 1:
            shapes = ", ".join(str(row.shape) for row in read)
            raise InputError(
                "PrivacyLossDistribution",
                got=f"shapes {shapes}",
                allowed="three rows of one length",
            )
        gathered = _merge_losses(*read)
        for name, values in zip(("losses", "first", "second"), gathered, strict=True):
            object.__setattr__(self, name, read_only(values))
        object.__setattr__(self, "only_first", only_first)
        object.__setattr__(self, "only_second", only_second)
        top = float(self.losses[0]) if len(self.losses) else -math.inf
        object.__setattr__(self, "max_loss", top if max_loss is None else max_loss)
        object.__setattr__(self, "missing", missing)
        object.__setattr__(self, "shift", shift)

    @property
    def exact(self) -> bool:
        """Whether the figures are right to rounding; otherwise upper and lower ones differ."""
        return not self.shift and self.missing < _NEGLIGIBLE

    def tradeoff(self) -> TradeoffFunction:
        """The lower bound of the trade-off curve: no test does better."""
        alpha, beta, specific, power = self._corners()
        if self.exact:
            inner = (coordinate[1:] for coordinate in (alpha, beta, specific, power))
            return _curve(self.only_second, *at_most_guessing(*inner))
        less, beyond = self.missing, alpha > self.missing
        power = np.minimum(power + less, 1.0)
        start = float(np.interp(less, alpha, power))
        beta = np.maximum(beta - less, 0.0)
        inner = (coordinate[beyond] for coordinate in (alpha - less, beta, specific + less, power))
        return _curve(start, *at_most_guessing(*inner))

    def tradeoff_upper(self) -> TradeoffFunction:
        r"""The upper bound of the trade-off curve: some test does at least as well.

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
            float(power[0]),
            *(coordinate[alpha < 1] for coordinate in (alpha, beta, 1 - alpha, power)),
        )

    def _corners(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Accuse from the greatest loss downwards: α, β and what they leave of 1, after each atom.

        What is near 1 is summed from the other end, so that no chance is lost beside another.
        """
        possible = (self.first > 0) | (self.second > 0)
        first, second = self.first[possible], self.second[possible]
        if self.exact:
            first = _scale_to_one(first, self.only_first)
            second = _scale_to_one(second, self.only_second)
        return (
            np.append(0.0, _cumulate(first)),
            np.append(_cumulate(second[::-1])[::-1], 0.0),
            self.only_first + np.append(_cumulate(first[::-1])[::-1], 0.0),
            self.only_second + np.append(0.0, _cumulate(second)),
        )

    def delta(self, epsilon: object = None, *, ratio: object = None) -> float:
        r"""The δ of (ε, δ)-differential privacy at ε, or at the logarithm of a ratio.

        .. math:: \delta(\varepsilon) = \sum_y
                  \max\{Q(y \mid x') - e^\varepsilon Q(y \mid x), 0\}

        Never less than the truth, but for rounding; ``delta_lower`` is never more.
        """
        return min(
            self._delta(loss_nearest(epsilon, ratio, names=_LEVEL_NAMES)) + self.missing, 1.0
        )

    def delta_lower(self, epsilon: object = None, *, ratio: object = None) -> float:
        """A lower bound on what a loss of ε does not cover; equal to ``delta`` if exact."""
        loss = loss_nearest(epsilon, ratio, names=_LEVEL_NAMES)
        return max(self._delta(loss + self.shift) - 2 * self.missing, 0.0)

    @checked
    def epsilon(self, delta: float) -> float:
        """The smallest ε ≥ 0 of (ε, δ)-differential privacy at δ: ∞ if no finite ε holds.

        Raises
        ------
        InputError
            If δ is not in [0, 1].
        """
        _check_delta(delta)
        if delta < self.only_second:
            return math.inf
        return max(min(self._epsilon(delta - self.missing), self.max_loss), 0.0)

    @checked
    def epsilon_lower(self, delta: float) -> float:
        """A lower bound on ε: at any smaller loss, more than δ remains; ``epsilon`` if exact."""
        _check_delta(delta)
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
        positive = self.losses[: int(np.searchsorted(-self.losses, 0.0))].tolist()
        low = bisect_right(positive, delta, lo=1, key=self._delta) - 1
        top = float(self.losses[low])
        part = self.second[: low + 1]
        beyond = self.only_second - delta + float(part.sum())
        weight = float((part * np.exp(top - self.losses[: low + 1])).sum())
        return top if beyond <= 0 else top + math.log(beyond / weight)

    def __repr__(self) -> str:
        kind = "exact" if self.exact else f"missing ≤ {self.missing:.1e}, shift {self.shift:.1e}"
        return f"PrivacyLossDistribution({len(self.losses)} losses, {kind})"


def _check_delta(delta: float) -> None:
    if not 0 <= delta <= 1:
        raise InputError("epsilon.delta", got=delta, allowed="a chance in [0, 1]")


def _merge_losses(losses: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats, Floats]:
    """Sort by falling loss and merge losses that differ by rounding alone."""
    order = np.argsort(-losses)
    losses, first, second = losses[order], first[order], second[order]
    if not len(losses):
        return losses, first, second
    same = _SAME * max(1.0, float(np.abs(losses).max()))
    starts = np.flatnonzero(np.append(True, -np.diff(losses) > same))
    if len(starts) == len(losses):
        return losses, first, second
    return losses[starts], np.add.reduceat(first, starts), np.add.reduceat(second, starts)


def _scale_to_one(masses: Floats, proven: float) -> Floats:
    """Scale chances whose sum is not 1, as some processors round: no curve may lie above guessing.

    >>> float(_scale_to_one(np.array([0.5, 0.25 + 1e-14]), 0.25).sum())
    0.75
    """
    off = float(masses.sum(dtype=np.longdouble) + np.longdouble(proven) - 1)
    if abs(off) <= _SUM_OFF:
        return masses
    return masses * ((1 - proven) / (1 - proven + off))


def _cumulate(masses: Floats) -> Floats:
    return np.cumsum(masses, dtype=np.longdouble).astype(np.float64)


def _curve(
    proven: float, alpha: Floats, beta: Floats, specific: Floats, power: Floats
) -> TradeoffFunction:
    """Join (0, 1 − what is proven), the points between, and (1, 0)."""
    inner = specific > 0
    return curve_of(
        np.r_[0.0, alpha[inner], 1.0],
        np.r_[1 - proven, beta[inner], 0.0],
        np.r_[1.0, specific[inner], 0.0],
        np.r_[proven, power[inner], 1.0],
    )


_FINEST = 64  # the most steps between the extreme losses on a lattice


@final
@dataclass(frozen=True, slots=True)
class AnswerPair:
    """Likelihood ratios of two answers' rows and their chances: all that a test can use.

    Messages with the same likelihood ratio are one atom: a test needs no more (Neyman & Pearson,
    1933).

    Parameters
    ----------
    ratios : tuple of Fraction
        The distinct positive ratios of the second chance to the first, falling.
    first, second : tuple of Fraction
        The chance of each ratio under the first and the second answer.
    only_first, only_second : Fraction
        Chances of messages that the other answer cannot send.

    >>> warner = AnswerPair.of([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)])
    >>> warner.ratios
    (Fraction(3, 1), Fraction(1, 3))
    """

    ratios: tuple[Fraction, ...]
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    only_first: Fraction
    only_second: Fraction

    @classmethod
    def of(cls, first: Iterable[Fraction], second: Iterable[Fraction]) -> "AnswerPair":
        """Gather two rows, message by message, into atoms."""
        gathered: dict[Fraction, tuple[Fraction, Fraction]] = {}
        alone = [Fraction(0), Fraction(0)]
        for mass, other_mass in zip(first, second, strict=True):
            if mass and other_mass:
                had = gathered.get(other_mass / mass, (Fraction(0), Fraction(0)))
                gathered[other_mass / mass] = had[0] + mass, had[1] + other_mass
            else:
                alone = [alone[0] + mass, alone[1] + other_mass]
        ratios = sorted(gathered, reverse=True)
        return cls(
            tuple(ratios),
            tuple(gathered[ratio][0] for ratio in ratios),
            tuple(gathered[ratio][1] for ratio in ratios),
            alone[0],
            alone[1],
        )

    @property
    def losses(self) -> tuple[float, ...]:
        """The logarithms of the ratios, falling."""
        return tuple(log_double(ratio) for ratio in self.ratios)

    @property
    def undecided(self) -> tuple[Floats, Floats]:
        """The chances of each ratio under either answer, given that the message proves neither."""
        first, second = sum(self.first), sum(self.second)
        return (
            np.array([float(chance / first) for chance in self.first]),
            np.array([float(chance / second) for chance in self.second]),
        )

    def proven(self, k: int) -> tuple[float, float]:
        """The chances that one of k messages proves the first answer, and the second.

        A chance that is too small beside 1 is not lost.

        >>> AnswerPair.of([1, 0], [1 - Fraction(1, 10**20), Fraction(1, 10**20)]).proven(2)
        (0.0, 2e-20)
        """
        once = float(self.only_first), float(self.only_second)
        first, second = (-math.expm1(k * math.log1p(-p)) if p < 1 else 1.0 for p in once)
        return first + 0.0, second + 0.0

    def lattice(self) -> tuple[int, ...] | None:
        """Whole numbers whose differences are in proportion to those of the losses.

        None where there are no such numbers up to 64. Proportions are checked on the exact ratios.

        >>> rows = [6, 1, 3], [1, 6, 3]
        >>> AnswerPair.of(*([Fraction(n, 10) for n in row] for row in rows)).lattice()
        (2, 1, 0)
        """
        if len(self.ratios) < 2:
            return (0,) * len(self.ratios)
        steps = [ratio / self.ratios[-1] for ratio in self.ratios]
        shares = []
        for step in steps:
            share = Fraction(log_double(step) / log_double(steps[0])).limit_denominator(_FINEST)
            if step**share.denominator != steps[0] ** share.numerator:
                return None
            shares.append(share)
        unit = math.lcm(*(share.denominator for share in shares))
        return tuple(int(share * unit) for share in shares) if unit <= _FINEST else None


_SHEVTSOVA = 0.56


@final
@dataclass(frozen=True, slots=True, eq=False)
class GaussianLimit:
    r"""Gaussian differential privacy: the trade-off function of N(0, 1) against N(μ, 1).

    .. math:: G_\mu(\alpha) = \Phi(\Phi^{-1}(1 - \alpha) - \mu)

    Attributes
    ----------
    mu : float
        By how many standard deviations the two answers stand apart.
    bound : float
        η with :math:`G_\mu(\alpha + \eta) - \eta \le T(\alpha) \le G_\mu(\alpha - \eta) + \eta`,
        from the inequality of Berry and Esseen; it shrinks like 1/√k.
    distance : float
        The largest difference between the exact curve and this one, at any α.

    References
    ----------
    Dong, Roth & Su (2022), Definition 2.6 and Theorem 3.4; Shevtsova (2010) for the constant 0.56.
    """

    mu: float
    bound: float
    distance: float

    def beta(self, alpha: npt.ArrayLike) -> Any:
        """The type II error at a type I error.

        >>> round(GaussianLimit(1.0, 0.1, 0.01).beta(0.05), 6)
        0.740489
        """
        levels = doubles(alpha, "GaussianLimit.beta")
        if not np.all((levels >= 0) & (levels <= 1)):
            raise InputError("GaussianLimit.beta", got=alpha, allowed="chances in [0, 1]")
        betas = _beta(levels, self.mu)
        return betas if betas.ndim else float(betas)


def gaussian_limit(counts: Mapping[AnswerPair, int], law: PrivacyLossDistribution) -> GaussianLimit:
    """Fit the Gaussian curve to the mean and spread of the composed loss.

    μ is the difference of the mean losses under the two answers over their common standard
    deviation; where the two deviations differ, the bound counts the difference.

    Raises
    ------
    InputError
        If a report can prove an answer, or no report says anything.

    >>> from fractions import Fraction
    >>> from askance.privacy.loss_distribution import kfold
    >>> pair = AnswerPair.of(*([Fraction(n, 20) for n in row] for row in ([11, 9], [9, 11])))
    >>> limit = gaussian_limit({pair: 400}, kfold([(pair, 400)]))
    >>> round(limit.mu, 4), round(limit.distance, 4), limit.distance < limit.bound
    (4.0202, 0.0065, True)
    """
    if any(pair.only_first or pair.only_second for pair in counts):
        raise InputError(
            "gaussian_limit", got="a report that proves an answer", allowed="finite losses"
        )
    (low, spread, skew), (high, other_spread, tail) = (_moments(counts, side) for side in (0, 1))
    if not spread:
        raise InputError(
            "gaussian_limit", got="reports that say nothing", allowed="a loss that is not zero"
        )
    mu = (high - low) / math.sqrt((spread + other_spread) / 2)
    errors = [_SHEVTSOVA * skew / spread**1.5, _SHEVTSOVA * tail / other_spread**1.5]
    errors[1] += curves_apart(
        math.sqrt(spread / other_spread), (high - low) / math.sqrt(other_spread), mu
    )
    curves = (law.tradeoff(), law.tradeoff_upper())
    return GaussianLimit(mu, max(errors), max(distance(curve, mu) for curve in curves))


def distance(curve: TradeoffFunction, mu: float) -> float:
    """The largest difference between a curve and the Gaussian one, at any α.

    On a straight piece the difference is concave, so it is largest where the slopes agree and
    smallest at the ends.

    >>> round(distance(TradeoffFunction([(0, 1), (1, 0)]), 0.5), 6)
    0.197413
    """
    alpha, beta = curve.knots.T
    with np.errstate(divide="ignore"):
        slope = np.log(-np.diff(beta)) - np.log(np.diff(alpha))
        z = (slope + mu**2 / 2) / mu
    touching = np.unique(np.r_[alpha, np.clip(ndtr(-z), alpha[:-1], alpha[1:])])
    return float(np.abs(curve.beta(touching) - _beta(touching, mu)).max())


def _beta(alpha: Floats, mu: float) -> Floats:
    return np.asarray(ndtr(-ndtri(alpha) - mu))


def _moments(counts: Mapping[AnswerPair, int], side: int) -> tuple[float, float, float]:
    """Add up means, variances and third absolute central moments of the losses."""
    sums = np.zeros(3)
    for pair, k in counts.items():
        losses, masses = np.array(pair.losses), pair.undecided[side]
        mean = masses @ losses
        off = np.abs(losses - mean)
        sums += k * np.array([mean, masses @ off**2, masses @ off**3])
    return float(sums[0]), float(sums[1]), float(sums[2])


def curves_apart(scale: float, offset: float, mu: float) -> float:
    """The largest difference between Φ(a z − b) and Φ(z − μ), at any z."""
    a, b, c = scale**2 - 1, -2 * (scale * offset - mu), offset**2 - mu**2 - 2 * math.log(scale)
    if abs(a) < 1e-12:
        points = np.array([mu / 2 if not b else -c / b])
    else:
        root = math.sqrt(max(b**2 - 4 * a * c, 0.0))
        points = np.array([(-b - root) / (2 * a), (-b + root) / (2 * a)])
    return float(np.abs(ndtr(scale * points - offset) - ndtr(points - mu)).max())


MOST = 10_000
"""The most reports about one person that are accounted for together."""

_CELLS = 1 << 20
_LATTICE = 60_000  # points, which are convolved in about a second


def kfold(spent: Sequence[tuple[AnswerPair, int]]) -> PrivacyLossDistribution:
    """Compose independent reports: the law of the sum of their losses.

    It is exact to rounding where the losses of each pair lie on a lattice (every mechanism with
    ratios r, 1, 1/r), where there are up to three of them, or where all compositions number at most
    a million; otherwise certified from both sides on a fine grid.

    Parameters
    ----------
    spent : sequence of (AnswerPair, int)
        Pairs of rows and how many reports were sent by each.

    Raises
    ------
    InputError
        If a number of reports is not in [1, 10000] or there are more in all.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 3 and Corollary 6, on messages; Dong, Roth & Su (2022),
    Definition 3.1.

    >>> from fractions import Fraction
    >>> rows = ([Fraction(n, 10) for n in row] for row in ([6, 1, 3], [1, 6, 3]))
    >>> round(kfold([(AnswerPair.of(*rows), 50)]).epsilon(1e-6), 6)
    78.748848
    """
    counts: Counter[AnswerPair] = Counter()
    for pair, times in spent:
        counts[pair] += times
    total = sum(counts.values())
    if not counts or min(counts.values()) < 1 or total > MOST:
        raise InputError("kfold.spent", got=f"{total} reports", allowed=f"1 to {MOST} reports")
    if any(not pair.ratios for pair in counts):
        return PrivacyLossDistribution([], [], [], only_first=1.0, only_second=1.0)
    parts = [_exact_law(pair, k) for pair, k in counts.items()]
    exact = [part for part in parts if part is not None]
    cells = math.prod(len(part.losses) for part in exact)
    if len(exact) < len(parts) or (len(parts) > 1 and cells > _CELLS):
        return on_grid(counts)
    return reduce(_product, exact)


def _exact_law(pair: AnswerPair, k: int) -> PrivacyLossDistribution | None:
    """The exact law of k reports by one pair, where a few million points hold it."""
    points = _points(pair, k)
    if points is None:
        return None
    losses, first, second, missing = points
    first = first * (1 - float(pair.only_first)) ** k
    second = second * (1 - float(pair.only_second)) ** k
    only_first, only_second = pair.proven(k)
    rarer = np.exp(-np.abs(losses))  # a chance flushed to zero is the other times e^±loss
    return PrivacyLossDistribution(
        losses,
        np.where(losses > 0, second * rarer, first),
        np.where(losses < 0, first * rarer, second),
        only_first=only_first,
        only_second=only_second,
        max_loss=k * pair.losses[0],
        missing=missing,
    )


def _points(pair: AnswerPair, k: int) -> tuple[Floats, Floats, Floats, float] | None:
    """List losses and their chances given that no report is decisive."""
    first, second = pair.undecided
    losses, steps = np.array(pair.losses), pair.lattice()
    if steps is not None and k * steps[0] <= _LATTICE:
        under_first, missing = power(np.array(steps), first, k)
        under_second, second_missing = power(np.array(steps), second, k)
        return (
            lattice_losses(pair, np.array(steps), k),
            under_first,
            under_second,
            missing + second_missing,
        )
    if count_of_cells(k, len(losses)) <= _CELLS:
        cells, missing = every_cell(k, losses, first, second), 0.0
    elif len(losses) == 3:
        cells, missing = likely_cells(k, losses, first, second)
    else:
        return None
    return cells[0], np.exp(cells[1]), np.exp(cells[2]), missing


def _product(
    law: PrivacyLossDistribution, other: PrivacyLossDistribution
) -> PrivacyLossDistribution:
    """Add independent losses."""
    return PrivacyLossDistribution(
        np.add.outer(law.losses, other.losses).ravel(),
        np.outer(law.first, other.first).ravel(),
        np.outer(law.second, other.second).ravel(),
        only_first=law.only_first + other.only_first - law.only_first * other.only_first,
        only_second=law.only_second + other.only_second - law.only_second * other.only_second,
        max_loss=law.max_loss + other.max_loss,
        missing=law.missing + other.missing,
    )


_STIRLING_FROM = 32  # from here on three terms of the series are right to 2e-14
_TAIL_NATS = 72.0  # each window fails with chance at most e^−72

Cells = tuple[Floats, Floats, Floats]
"""Losses, and the logarithms of the two chances."""


def count_of_cells(k: int, atoms: int) -> int:
    """The number of compositions of k into so many parts.

    >>> count_of_cells(1000, 3)
    501501
    """
    return math.comb(k + atoms - 1, atoms - 1)


def every_cell(k: int, losses: Floats, first: Floats, second: Floats) -> Cells:
    """Enumerate all compositions of k into as many parts as there are atoms.

    The logarithm of a multinomial chance is a sum of one deviance for each part, so that bulk cells
    lose no digit to large factorials (Loader, 2000).

    >>> cells = every_cell(2, np.array([1.0, -1.0]), np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    >>> np.exp(cells[1])
    array([0.25, 0.5 , 0.25])
    """
    remaining = np.array([k])
    gathered = [np.zeros(1) for _ in range(3)]
    tables = _tables(k, losses, first, second)
    for atom in range(len(losses) - 1):
        parent, n = _list_within(np.zeros_like(remaining), remaining)
        gathered = [
            old[parent] + table[atom][n] for old, table in zip(gathered, tables, strict=True)
        ]
        remaining = remaining[parent] - n
    loss, log_first, log_second = (
        old + table[-1][remaining] for old, table in zip(gathered, tables, strict=True)
    )
    return loss, log_first, log_second


def likely_cells(k: int, losses: Floats, first: Floats, second: Floats) -> tuple[Cells, float]:
    """Enumerate, for three atoms, the compositions that either answer makes likely.

    What is left out has a chance of at most 4 e^−72 under either answer, by the inequality of
    Bernstein (1946) for the first count and for the second count given the first.

    Returns
    -------
    cells : Cells
    missing : float
        A bound on the chance left out.

    >>> cells, missing = likely_cells(50, *(np.array([1, 2, 3]) / 6,) * 3)
    >>> len(cells[0]), missing < 1e-30
    (1326, True)
    """
    tables = _tables(k, losses, first, second)
    parts: list[Cells] = []
    for row, before in ((first, None), (second, first)):
        low, high = _bound_count(np.array([k]), float(row[0]))
        i = np.arange(low[0], high[0] + 1)
        low, high = _bound_count(k - i, float(row[1] / (row[1] + row[2])))
        parent, j = _list_within(low, high)
        i = i[parent]
        if before is not None:
            new = ~_is_likely(k, i, j, before)
            i, j = i[new], j[new]
        loss, log_first, log_second = (
            table[0][i] + table[1][j] + table[2][k - i - j] for table in tables
        )
        parts.append((loss, log_first, log_second))
    loss, log_first, log_second = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return (loss, log_first, log_second), 4 * math.exp(-_TAIL_NATS)


def _is_likely(k: int, i: Integers, j: Integers, row: Floats) -> Booleans:
    low, high = _bound_count(np.array([k]), float(row[0]))
    beside_low, beside_high = _bound_count(k - i, float(row[1] / (row[1] + row[2])))
    inside = (low[0] <= i) & (i <= high[0]) & (beside_low <= j) & (j <= beside_high)
    return np.asarray(inside)


def _bound_count(n: Integers, share: float) -> tuple[Integers, Integers]:
    """Bound a binomial count on both sides; each side fails with chance at most e^−72."""
    third = _TAIL_NATS / 3
    reach = third + np.sqrt(third**2 + 2 * _TAIL_NATS * n * share * (1 - share))
    low = np.maximum(np.floor(n * share - reach), 0).astype(np.int64)
    return low, np.minimum(np.ceil(n * share + reach), n).astype(np.int64)


def _list_within(low: Integers, high: Integers) -> tuple[Integers, Integers]:
    """List low … high for each row: the row of each value, and the value."""
    lengths = high - low + 1
    parent = np.repeat(np.arange(len(low)), lengths)
    start = np.cumsum(lengths) - lengths
    return parent, np.arange(len(parent)) - start[parent] + low[parent]


def _tables(
    k: int, losses: Floats, first: Floats, second: Floats
) -> tuple[Sequence[Floats], Sequence[Floats], Sequence[Floats]]:
    """Tabulate what each count of each atom adds to the loss and to the two logarithms."""
    counts = np.arange(k + 1, dtype=float)
    return (
        [loss * counts for loss in losses],
        _deviances(counts, first),
        _deviances(counts, second),
    )


def _deviances(counts: Floats, row: Floats) -> list[Floats]:
    k = len(counts) - 1
    scale = np.where(counts > 0, -_stirling_error(counts) - 0.5 * np.log(np.maximum(counts, 1)), 0)
    scale -= np.where(counts > 0, 0.5 * math.log(2 * math.pi), 0)
    tables = [scale - _deviance(counts, k * float(share)) for share in row]
    total = np.array([float(k)])
    tables[0] += _stirling_error(total)[0] + 0.5 * math.log(2 * math.pi * k)
    return tables


def _deviance(counts: Floats, mean: float) -> Floats:
    """The term n ln(n / mean) − n + mean, without cancellation near the mean."""
    positive = np.maximum(counts, 1)
    near = positive * np.log1p((positive - mean) / mean) - (positive - mean)
    return np.where(counts > 0, near, mean)


def _stirling_error(n: Floats) -> Floats:
    """The remainder ln n! minus Stirling's formula."""
    safe = np.maximum(n, 1)
    small = gammaln(safe + 1) - (safe + 0.5) * np.log(safe) + safe - 0.5 * math.log(2 * math.pi)
    inverse = 1 / safe
    series = inverse * (1 / 12 - inverse**2 * (1 / 360 - inverse**2 * (1 / 1260)))
    return np.where(safe < _STIRLING_FROM, small, series)


_FLUSHED = 1e-150  # products of two such chances are still normal doubles


def power(steps: Integers, masses: Floats, k: int) -> tuple[Floats, float]:
    """Convolve a law on whole numbers with itself, k times.

    All terms are positive, so every sum is right to rounding relative to itself. Chances below
    1e−150 are set to zero on the way.

    Parameters
    ----------
    steps : array of shape (m,)
        The whole numbers, at least 0.
    masses : array of shape (m,)
        Their chances.
    k : int
        At least 1.

    Returns
    -------
    masses : array of shape (k · max(steps) + 1,)
    missing : float
        A bound on the chance set to zero.

    >>> power(np.array([1, 0]), np.array([0.5, 0.5]), 3)[0]
    array([0.125, 0.375, 0.375, 0.125])
    """
    base = np.zeros(int(steps.max()) + 1)
    np.add.at(base, steps, masses)
    result, flushed = base, 0
    for bit in bin(k)[3:]:
        for factor in (result, base) if bit == "1" else (result,):
            result = np.convolve(result, factor)
            tiny = (result > 0) & (result < _FLUSHED)
            result[tiny] = 0.0
            flushed += k * int(tiny.sum())
    return result, flushed * _FLUSHED


def lattice_losses(pair: AnswerPair, steps: Integers, k: int) -> Floats:
    """The k-fold loss at every lattice point, rising.

    >>> from fractions import Fraction
    >>> pair = AnswerPair.of(*([Fraction(n, 4) for n in row] for row in ([3, 1], [1, 3])))
    >>> lattice_losses(pair, np.array([1, 0]), 2).round(6)
    array([-2.197225,  0.      ,  2.197225])
    """
    losses = pair.losses
    span = int(steps.max())
    points = np.arange(k * span + 1)
    if not span:
        return np.array([k * losses[0]])
    high = points / span
    return np.asarray(high * losses[0] + (k - high) * losses[-1])


_POINTS = 1 << 20
_NATS = 40.0  # each bound fails with chance at most e^−40
_UNIT = 2.0**-53  # the relative error of one operation on doubles
_TILTS = np.geomspace(1e-4, 1e3, 300)

Spectrum = npt.NDArray[np.complex128]
Split = tuple[Integers, Floats, Floats]
"""Lower grid points; the parts of each atom that go one point up, under x and under x′."""


def on_grid(counts: Mapping[AnswerPair, int], points: int = _POINTS) -> PrivacyLossDistribution:
    r"""Compose independent reports on a grid of losses.

    With grid step h and k reports, a composed loss moves by at most
    :math:`s = k h^2 / 8 + h \sqrt{k \ln(1/r) / 2}`, except with chance r (Hoeffding, 1963, Theorem
    2). Sums run through a Fourier transform whose rounding is bounded (Higham, 2002, Theorem 24.2).

    Parameters
    ----------
    counts : mapping of AnswerPair to int
        Each with at least one finite loss.
    points : int
        How many grid points to use: a power of two.

    Returns
    -------
    PrivacyLossDistribution
        Its ``missing`` chance holds the window, the transform and r; its ``shift`` is s.

    >>> from fractions import Fraction
    >>> pair = AnswerPair.of(*([Fraction(n, 4) for n in row] for row in ([3, 1], [1, 3])))
    >>> law = on_grid({pair: 20})
    >>> 0 <= law.delta(2) - law.delta_lower(2) < 1e-3
    True
    """
    total = sum(counts.values())
    low, high = grid_window(counts)
    reach = math.sqrt(total * _NATS / 2) + total
    step = (high - low) / (points - 2 * reach - 4) if points > 4 * reach else math.inf
    start = math.floor(low / step - reach) - 1
    spectra, rounding = _spectra(counts, points, step)
    first, second = (
        np.roll(np.maximum(irfft(spectrum, points), 0), -start) for spectrum in spectra
    )
    proven = zip(*(pair.proven(k) for pair, k in counts.items()), strict=True)
    alone = [reduce(lambda a, b: a + b - a * b, parts) for parts in proven]
    return PrivacyLossDistribution(
        (start + np.arange(points)) * step,
        first * (1 - alone[0]),
        second * (1 - alone[1]),
        only_first=alone[0],
        only_second=alone[1],
        max_loss=sum(k * pair.losses[0] for pair, k in counts.items()),
        missing=rounding + 10 * math.exp(-_NATS),
        shift=total * step**2 / 8 + step * math.sqrt(total * _NATS / 2),
    )


def grid_window(counts: Mapping[AnswerPair, int]) -> tuple[float, float]:
    """Bound the composed loss on both sides and under both answers, by Chernoff (1952)."""
    ends = []
    for sign in (-1, 1):
        for side in (0, 1):
            growth = np.zeros_like(_TILTS)
            for pair, k in counts.items():
                tilted = sign * np.outer(_TILTS, pair.losses)
                top = tilted.max(axis=1)
                mean = np.exp(tilted - top[:, None]) @ pair.undecided[side]
                growth += k * (np.log(mean) + top)
            ends.append(sign * float(((growth + _NATS) / _TILTS).min()))
    return min(ends[:2]), max(ends[2:])


def _split(pair: AnswerPair, step: float) -> Split:
    losses = np.array(pair.losses)
    below = np.floor(losses / step)
    above = losses - below * step
    return (
        below.astype(np.int64),
        np.expm1(above) / math.expm1(step),
        np.expm1(-above) / math.expm1(-step),
    )


def _spectra(
    counts: Mapping[AnswerPair, int], points: int, step: float
) -> tuple[tuple[Spectrum, Spectrum], float]:
    """Multiply characteristic functions; bound the rounding of the sums they turn into.

    Each frequency is a short sum of roots of unity, so its error is a few units of rounding.
    """
    roots = np.exp(-2j * np.pi * np.arange(points) / points)
    half = np.arange(points // 2 + 1)
    results: list[Spectrum] = [np.ones(len(half), complex), np.ones(len(half), complex)]
    slopes, sizes = [np.zeros(len(half)) for _ in range(2)], [np.ones(len(half)) for _ in range(2)]
    for pair, k in counts.items():
        below, *up = _split(pair, step)
        turned = [roots[half * point % points] for point in below]
        for side, masses in enumerate(pair.undecided):
            once = np.zeros(len(half), complex)
            for atom, mass in enumerate(masses):
                once += turned[atom] * (
                    mass * (1 - up[side][atom]) + mass * up[side][atom] * roots[half]
                )
            unit = 4 * (len(masses) + 8) * _UNIT
            size = np.abs(once) + unit
            slopes[side] += k * (unit + 4 * _UNIT) / size
            sizes[side] *= size**k
            results[side] *= _raise_to_power(once, k)
    errors = []
    for slope, size in zip(slopes, sizes, strict=True):
        transform = 8 * math.log2(points) * _UNIT * math.sqrt(2 * float((size**2).sum()))
        errors.append(math.sqrt(2 * float(((slope * size) ** 2).sum())) + transform)
    return (results[0], results[1]), max(errors)


def _raise_to_power(once: Spectrum, k: int) -> Spectrum:
    """Raise to a power by squaring."""
    result = once.copy()
    for bit in bin(k)[3:]:
        result *= result
        if bit == "1":
            result *= once
    return result
