"""Crowds behind rows: how many people would give the same plain answers and fit the reports."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import final

import numpy as np

from askance.results import json_of
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance, read_integer

_BINS = 1024
"""So many bins of log-shares a halving; a share is never rounded up."""
_MOST_HALVINGS = 64


@final
class FactorKind(Enum):
    """How an answer of a row narrows down who may have sent it.

    >>> [kind.name for kind in FactorKind]
    ['DECLARED', 'UNDECLARED', 'FITTING']
    """

    DECLARED = "a plain answer, whose shares are declared"
    UNDECLARED = "a plain answer, whose shares nobody declares"
    FITTING = "a protected report, which only some answers can send"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RowFactor:
    """The share of people that one question leaves possible as senders of a row.

    Attributes
    ----------
    name : str
        Of the question.
    kind : FactorKind
    mean_share : Fraction or float
        The share of people who fit, on average over those who answer.
    min_share : Fraction or float
        The share who fit in the worst case; 0 if somebody may be the only one.
    shares : tuple of Fraction
        Of each plain answer, if they are declared.

    >>> RowFactor(name="sex", kind=FactorKind.UNDECLARED, mean_share=Fraction(1, 2), min_share=0)
    RowFactor(name='sex', kind=<FactorKind.UNDECLARED: 'a plain answer, whose shares nobody decl...
    """

    name: str
    kind: FactorKind
    mean_share: Fraction | float
    min_share: Fraction | float
    shares: tuple[Fraction, ...] = ()


@checked
def declared_factor(name: str, shares: Sequence[Fraction]) -> RowFactor:
    r"""Judge a plain question whose answers' shares are declared.

    .. math:: \sum_x p_x^2

    is the chance that a second person gives the answer of the first (Simpson 1949).

    Parameters
    ----------
    name : str
    shares : sequence of Fraction
        p, in sum one; answers that nobody gives are left out of the worst case.

    Raises
    ------
    InputError
        If a share is none, or the sum is not one.

    References
    ----------
    Simpson (1949), Measurement of diversity, Nature 163, p. 688: λ.

    >>> declared_factor("sex", [Fraction(1, 4), Fraction(3, 4)]).mean_share
    Fraction(5, 8)
    """
    given = [chance(share, "shares") for share in shares]
    if sum(given) != 1:
        raise InputError("shares", got=f"a sum of {sum(given)}", allowed="shares that sum to 1")
    return RowFactor(
        name=name,
        kind=FactorKind.DECLARED,
        mean_share=sum((share * share for share in given), Fraction(0)),
        min_share=min(share for share in given if share),
        shares=tuple(given),
    )


@checked
def undeclared_factor(name: str, answers: int) -> RowFactor:
    r"""Judge a plain question with undeclared shares of answers by its worst case.

    The chance that two people give one answer of K is at least 1/K, whatever the shares are; and
    each answer may be that of a single person.

    Parameters
    ----------
    name : str
    answers : int
        K.

    Raises
    ------
    InputError
        If it is no whole number from 1 on.

    >>> undeclared_factor("sport", 4).mean_share
    Fraction(1, 4)
    """
    share = Fraction(1, read_integer(answers, "answers", "a number of answers in [1, ∞)"))
    return RowFactor(name=name, kind=FactorKind.UNDECLARED, mean_share=share, min_share=0)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RowCrowd:
    r"""How many people could have sent a row, by its plain answers and by what reports exclude.

    Of N people, and shares :math:`\lambda_q` of those who fit at each question q, independently:

    .. math:: 1 + (N - 1) \prod_q \lambda_q

    are expected to fit, the sender among them. Independence is a supposition: answers that go
    together, such as age and years of training, usually leave more people alike than this.

    Attributes
    ----------
    people : int
        N: how many people could have answered.
    are_people_declared : bool
        Whether the survey says so; else N stands for each thousand.
    minimum : int
        The fewest that the survey wants a row to fit.
    factors : tuple of RowFactor
    texts : tuple of str
        Questions answered in people's own words: such a text fits its writer alone.

    >>> factors = (undeclared_factor("sport", 4), undeclared_factor("tested", 2))
    >>> crowd: RowCrowd = RowCrowd(people=801, are_people_declared=True, minimum=10,
    ...     factors=factors)
    >>> crowd.mean, crowd.smallest, crowd.is_too_small
    (101.0, 1.0, False)
    """

    people: int
    are_people_declared: bool
    minimum: int
    factors: tuple[RowFactor, ...]
    texts: tuple[str, ...] = ()

    @property
    def plain(self) -> tuple[RowFactor, ...]:
        """The factors of plain answers."""
        return tuple(factor for factor in self.factors if factor.kind is not FactorKind.FITTING)

    @property
    def undeclared(self) -> tuple[str, ...]:
        """The plain questions with undeclared shares of answers."""
        return tuple(factor.name for factor in self.factors if factor.kind is FactorKind.UNDECLARED)

    @property
    def mean(self) -> float:
        """The expected number of people who fit a row, on average over those who answer."""
        return self._expect(factor.mean_share for factor in self.factors)

    @property
    def mean_by_plain(self) -> float:
        """The same by plain answers alone."""
        return self._expect(factor.mean_share for factor in self.plain)

    @property
    def smallest(self) -> float:
        """The expected number of people who fit the rarest row: 1 is nobody else."""
        return self._expect(factor.min_share for factor in self.factors)

    @property
    def is_too_small(self) -> bool:
        """Whether fewer people than the minimum are expected to fit a row, on average."""
        return self.mean < self.minimum

    @property
    def narrowest(self) -> str:
        """The question that narrows the crowd most; empty where none does."""
        least = min(self.factors, key=lambda factor: factor.mean_share, default=None)
        return "" if least is None or least.mean_share == 1 else least.name

    @property
    def share_in_small_crowds(self) -> float | None:
        r"""The share of people with plain answers that fewer than the minimum are expected to give.

        An upper bound, within one part in a hundred of the crowd: shares are multiplied as whole
        numbers of log-bins, rounded down. None where the shares of a plain question are unknown.
        """
        if self.undeclared or not self.plain:
            return None
        bins = np.ones(1)
        for factor in self.plain:
            bins = _multiply(bins, factor.shares)
        log_shares = -np.arange(len(bins)) / _BINS
        crowds = 1 + (self.people - 1) * np.exp2(log_shares)
        return float(min(1.0, bins[crowds < self.minimum].sum()))

    def to_dict(self) -> Json:
        """Write the crowd for JSON."""
        derived = ("mean", "mean_by_plain", "smallest", "share_in_small_crowds", "is_too_small")
        return json_of(self) | {name: getattr(self, name) for name in derived}

    def _expect(self, shares: Iterable[Fraction | float]) -> float:
        return float(1 + (self.people - 1) * math.prod(shares))


def _multiply(bins: Floats, shares: Sequence[Fraction]) -> Floats:
    """Multiply the shares that people fall into by those of one more question."""
    shifts = [math.ceil(-math.log2(share) * _BINS) for share in shares if share]
    longest = min(len(bins) + max(shifts), _MOST_HALVINGS * _BINS)
    product = np.zeros(longest)
    for share, shift in zip((share for share in shares if share), shifts, strict=True):
        places = np.minimum(np.arange(len(bins)) + shift, longest - 1)
        np.add.at(product, places, float(share) * bins)
    return product
