"""The law of support counts: how often reports name an answer, and the covariance of shares."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import AbstractOracle
from askance.results import doubles, keep_doubles, numbers
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.ratio import chance

_MOST_WRITTEN = 4096  # answers whose covariance is written out: 128 MiB


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SupportLaw:
    """Chances that a report's set holds an answer, for a channel symmetric in the answers.

    Attributes
    ----------
    true_positive_rate : probability
        p, the chance that the set holds the true answer.
    false_positive_rate : probability
        q < p, the chance that it holds any other one.
    both_inside : probability, optional
        r₁, the chance that it holds the true answer and a certain other one.
    both_outside : probability, optional
        r₀, the chance that it holds two certain others, where it is the same for any two; without
        it variances are known and covariances are not (Hadamard response, projective geometry).

    Raises
    ------
    NotIdentified
        If the set holds true and other answers equally often.
    InputError
        If a chance is none, or cannot stand beside the others.

    >>> SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4").gain
    Fraction(1, 4)
    """

    true_positive_rate: Fraction
    false_positive_rate: Fraction
    both_inside: Fraction | None = None
    both_outside: Fraction | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None or name in ("true_positive_rate", "false_positive_rate"):
                object.__setattr__(self, name, chance(value, f"SupportLaw.{name}"))
        p, q = self.true_positive_rate, self.false_positive_rate
        if p == q:
            raise NotIdentified(
                "SupportLaw",
                got=f"a set that holds every answer with chance {p}, true or not",
                allowed="true_positive_rate above false_positive_rate",
                remedy="no number of reports distinguishes the answers",
            )
        if p < q:
            raise InputError(
                "SupportLaw",
                got=f"{p} and {q}",
                allowed="true_positive_rate above false_positive_rate",
                remedy="let a report mean the answers that it does not name",
            )
        _refuse_pair("SupportLaw.both_inside", self.both_inside, p, q)
        _refuse_pair("SupportLaw.both_outside", self.both_outside, q, q)

    @property
    def gain(self) -> Fraction:
        """How much the chance to be named rises with the share: p − q."""
        return self.true_positive_rate - self.false_positive_rate

    @checked
    def named(self, share: npt.ArrayLike) -> Floats:
        """The chance that a report names an answer of this share: q + (p − q) π.

        Raises
        ------
        InputError
            If a share is no number in [0, 1].

        >>> law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
        >>> law.named([0.0, 0.5, 1.0]).tolist()
        [0.25, 0.375, 0.5]
        """
        shares = numbers(share, "share")
        if not np.all((shares >= 0) & (shares <= 1)):
            raise InputError("share", got=share, allowed="shares in [0, 1]")
        return float(self.false_positive_rate) + float(self.gain) * shares

    @checked
    def share(self, frequency: npt.ArrayLike) -> Floats:
        """The share at which an answer is named this often: (f − q) / (p − q).

        Raises
        ------
        InputError
            If a frequency is no number in [0, 1].

        >>> law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
        >>> law.share([0.125, 0.375]).tolist()
        [-0.5, 0.5]
        """
        frequencies = numbers(frequency, "frequency")
        if not np.all((frequencies >= 0) & (frequencies <= 1)):
            raise InputError("frequency", got=frequency, allowed="frequencies in [0, 1]")
        return (frequencies - float(self.false_positive_rate)) / float(self.gain)

    def to_dict(self) -> Json:
        """Write the law for JSON: fractions as text."""
        fractions = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: None if fraction is None else str(fraction)
            for name, fraction in fractions.items()
        }


@lru_cache(maxsize=64)
def law_of(oracle: AbstractOracle) -> tuple[SupportLaw, bool]:
    """Read an oracle's support law, and whether each report covers only some answers."""
    p, q = oracle.informative_chances
    if p != oracle.true_positive_rate:  # pairs of answers are asked by too few to count them
        return SupportLaw(true_positive_rate=p, false_positive_rate=q), True
    return SupportLaw(
        true_positive_rate=p,
        false_positive_rate=q,
        both_inside=oracle.both_inside,
        both_outside=oracle.both_outside,
    ), False


def _refuse_pair(where: str, pair: Fraction | None, first: Fraction, second: Fraction) -> None:
    """Refuse a chance of two together that the chances of either rule out (Fréchet's bounds)."""
    least, most = max(first + second - 1, Fraction(0)), min(first, second)
    if pair is not None and not least <= pair <= most:
        raise InputError(where, got=str(pair), allowed=f"a chance in [{least}, {most}]")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FrequencyCovariance:
    r"""Covariance of unbiased shares from support counts: a diagonal and a part of rank two.

    .. math:: \operatorname{Cov}(\hat\pi_a, \hat\pi_b) = \frac{r_0 + (r_1 - r_0)(\pi_a + \pi_b)
              - w_a w_b}{n (p - q)^2}, \qquad
              \operatorname{Var}(\hat\pi_a) = \frac{w_a (1 - w_a)}{n (p - q)^2}

    with w = q + (p − q)π the chance to be named. It is exact, not approximate; what is estimated
    are the shares put into it. The two follow from reports that are independent: a report of who
    answers a names a and b with chance r₁, any other two with r₀.

    Attributes
    ----------
    law : SupportLaw
    shares : array, shape (k,)
        Shares that sum to one.
    reports : int, or array of int of shape (k,)
        n, at least one; of each answer by itself where each report tells of some alone: then
        variances are known, given who was asked, and covariances are not kept.
    correlation : array, shape (k, k), optional
        Of a sample with weights or a sampling design, how shares go together: in place of the
        law's.

    >>> plain = SupportLaw(  # multinomial counts
    ...     true_positive_rate=1, false_positive_rate=0, both_inside=0, both_outside=0
    ... )
    >>> covariance = FrequencyCovariance(law=plain, shares=np.array([0.2, 0.3, 0.5]), reports=100)
    >>> covariance.diagonal().round(9).tolist(), (covariance @ [1, 0, 0]).round(9).tolist()
    ([0.0016, 0.0021, 0.0025], [0.0016, -0.0006, -0.001])
    >>> round(covariance.variance([1, -1, 0]), 9)  # .0016 + .0021 + 2 · .0006
    0.0049
    """

    law: SupportLaw
    shares: Floats
    reports: npt.ArrayLike
    correlation: Floats | None = None

    def __post_init__(self) -> None:
        keep_doubles(self)

    def diagonal(self) -> Floats:
        """The variance of each share, shape (k,)."""
        named = self.law.named(self.shares)
        return named * (1 - named) / self._scale

    def __matmul__(self, vector: npt.ArrayLike) -> Floats:
        """The covariances of every share with a combination of shares, or with several.

        Raises
        ------
        InputError
            If the pairs of other answers are not alike, or there is not one weight for each answer.
        """
        vectors = doubles(vector, "vector")
        if not 1 <= vectors.ndim <= 2 or len(vectors) != len(self.shares):
            raise InputError(
                "vector",
                got=f"shape {vectors.shape}",
                allowed=f"{len(self.shares)} weights, or as many rows of them",
            )
        if self.correlation is not None:
            return np.asarray(self._written(self.correlation) @ vectors, dtype=np.float64)
        core, own = self._parts()
        basis = np.stack([np.ones(len(self.shares)), self.shares], axis=1)
        single = own if vectors.ndim == 1 else own[:, None]
        return (single * vectors + basis @ (core @ (basis.T @ vectors))) / self._scale

    def variance(self, contrast: npt.ArrayLike) -> float:
        """The variance Σ Σ c_a c_b Cov(a, b) of a combination of shares, such as a difference.

        Raises
        ------
        InputError
            If the pairs of other answers are not alike, or there is not one weight for each answer.

        >>> both = {"both_inside": "1/8", "both_outside": "1/16"}
        >>> unary = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4", **both)
        >>> covariance = FrequencyCovariance(law=unary, shares=np.full(4, 0.25), reports=1000)
        >>> round(covariance.variance([1, -1, 0, 0]), 9)
        0.007
        """
        weights = doubles(contrast, "contrast")
        if weights.shape != self.shares.shape:
            raise InputError(
                "contrast",
                got=f"shape {weights.shape}",
                allowed=f"{len(self.shares)} weights, one for each answer",
            )
        if self.correlation is not None:
            return max(float(weights @ self._written(self.correlation) @ weights), 0.0)
        core, own = self._parts()
        sums = np.array([weights.sum(), weights @ self.shares])
        return max(float(own @ weights**2 + sums @ core @ sums), 0.0) / float(self._scale)

    def toarray(self) -> Floats:
        """Write all k × k covariances out, for up to 4,096 answers.

        Raises
        ------
        InputError
            If there are more answers, or pairs of other answers are not alike.

        >>> both = {"both_inside": 0, "both_outside": 0}
        >>> plain = SupportLaw(true_positive_rate=1, false_positive_rate=0, **both)
        >>> covariance = FrequencyCovariance(law=plain, shares=np.array([0.5, 0.5]), reports=25)
        >>> covariance.toarray().tolist()
        [[0.01, -0.01], [-0.01, 0.01]]
        """
        k = len(self.shares)
        if k > _MOST_WRITTEN:
            raise InputError(
                "FrequencyCovariance.toarray",
                got=f"{k:,} answers",
                allowed=f"at most {_MOST_WRITTEN:,}",
                remedy="ask .diagonal(), .variance(contrast) or covariance @ vector",
            )
        return self @ np.eye(k)

    def _written(self, correlation: Floats) -> Floats:
        se = np.sqrt(self.diagonal())
        return correlation * se * se[:, None]

    @property
    def _scale(self) -> Floats:
        return doubles(self.reports, "reports") * float(self.law.gain) ** 2

    def _parts(self) -> tuple[Floats, Floats]:
        if self.law.both_inside is None or self.law.both_outside is None or self._scale.ndim:
            raise InputError(
                "FrequencyCovariance",
                got="pairs of answers with an unknown chance that a report names both",
                allowed="a law whose `both_inside` and `both_outside` are known, and reports about "
                "all answers",
                remedy="variances, .diagonal(), are known; covariances are not kept here",
            )
        return shared_and_own(self.law, self.shares)


def shared_and_own(law: SupportLaw, shares: Floats) -> tuple[Floats, Floats]:
    """Covariance shared by all pairs of answers, as a form in (1, π), and the rest of each.

    Where it is not known how often two answers are named together, as if by tosses of their own.
    """
    q, gain = law.false_positive_rate, law.gain
    both_chance = law.true_positive_rate * q if law.both_inside is None else law.both_inside
    neither = q * q if law.both_outside is None else law.both_outside
    even, tilt = neither - q * q, both_chance - neither - q * gain
    core = np.array([[even, tilt], [tilt, -gain * gain]], dtype=float)
    named = law.named(shares)
    shared = core[0, 0] + 2 * core[0, 1] * shares + core[1, 1] * shares**2
    return core, named * (1 - named) - shared


def compute_by_count(
    counts: Integers | Floats,
    trials: npt.ArrayLike,
    work: Callable[[Floats, Floats], tuple[Floats, ...]],
) -> tuple[Floats, ...]:
    """Compute a function of counts and n, once for each distinct count if n is constant.

    >>> compute_by_count(np.array([3, 2, 3]), 4, lambda count, n: (count / n,))
    (array([0.75, 0.5 , 0.75]),)
    """
    n = doubles(trials, "trials")
    is_constant = not n.ndim or bool((n == n.flat[0]).all())
    if not is_constant:
        return work(counts.astype(float), n)
    occurring, back = np.unique(counts, return_inverse=True)
    results = work(occurring.astype(float), np.full(1, n.flat[0]))
    return tuple(doubles(result, "counts")[back] for result in results)


def counted_oftener(counts: Integers | Floats, trials: npt.ArrayLike, chance: float) -> Floats:
    """Exact p-values: the binomial chance of as many reports of n or more, I_w(c, n − c + 1).

    >>> counted_oftener(np.array([0, 1, 2]), 2, 0.5).tolist()
    [1.0, 0.75, 0.25]
    """
    from scipy.special import betainc

    def tails(occurring: Floats, n: Floats) -> tuple[Floats, ...]:
        tail = betainc(np.maximum(occurring, 1), n - occurring + 1, chance)
        return (np.where(occurring > 0, tail, 1.0),)

    return compute_by_count(counts, trials, tails)[0]
