"""Truth, lie or "don't know": randomised response that may also say nothing."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError
from askance.exact.ratio import chance, loss_ratio
from askance.exact.table import LARGEST_TOTAL, ROUNDED_TOTAL
from askance.mechanisms.base import AbstractMechanism

DONT_KNOW = "don't know"
"""The report that leaves every answer possible."""


@final
@dataclass(frozen=True, slots=True, init=False)
class Abstain(AbstractMechanism):
    r"""Report the truth with one chance, another answer with another, "don't know" otherwise.

    .. math:: Q_{2\times 3} = \begin{pmatrix} p & q & 1-p-q \\ q & p & 1-p-q \end{pmatrix}

    Parameters
    ----------
    truth : probability
        p, the chance that the report is the true answer.
    lie : probability
        q, the chance that the report is an untrue answer, shared equally among the others.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the mechanism Q with two inputs and three outputs, whose estimator is
    their equation (2).

    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> q.reports, q.table.rows
    (('yes', 'no', "don't know"), ((6, 1, 3), (1, 6, 3)))
    """

    name: ClassVar[str] = "abstain"
    truth: Fraction
    lie: Fraction

    def __init__(self, *, truth: object, lie: object) -> None:
        p, q = chance(truth, "Abstain.truth"), chance(lie, "Abstain.lie")
        if p + q > 1:
            raise InputError(
                "Abstain",
                got=f"truth + lie = {p + q}",
                allowed="a sum of at most 1",
                remedy='what is left to 1 is the chance of "don\'t know"',
            )
        object.__setattr__(self, "truth", p)
        object.__setattr__(self, "lie", q)

    @classmethod
    def at_epsilon(cls, epsilon: object, *, answered: object = 1, answers: int = 2) -> "Abstain":
        """Answer with chance c, as truthfully as a local privacy loss of at most ε allows.

        p = c e^ε / (e^ε + k − 1): the generalised Warner mechanism of Li, Zhou, Qin & Xu (2022),
        Corollary 12, with the constant as corrected in the explanation pages. Where no table holds
        these fractions, truth is rounded down and lies up, so that the loss stays below ε, and c
        moves by no more than k units of 2^−40.

        >>> m = Abstain.at_epsilon(1, answered="7/10")
        >>> float(m.truth), m.truth + m.lie
        (0.511741..., Fraction(7, 10))
        """
        ratio, share = loss_ratio(epsilon), chance(answered, "Abstain.answered")
        lie = share / (ratio + answers - 1)
        truth = ratio * lie
        if math.lcm(truth.denominator, lie.denominator, share.denominator) > LARGEST_TOTAL:
            lie = Fraction(math.ceil(lie * ROUNDED_TOTAL), ROUNDED_TOTAL)
            most = min(truth, 1 - (answers - 1) * lie)
            truth = Fraction(math.floor(most * ROUNDED_TOTAL), ROUNDED_TOTAL)
        return cls(truth=truth, lie=(answers - 1) * lie)

    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = len(frame)
        if k < 2 or DONT_KNOW in frame.answers:
            raise InputError(
                "Abstain.channel",
                got=frame.answers,
                allowed=f"two or more answers, none of them {DONT_KNOW!r}",
            )
        other, silent = self.lie / (k - 1), 1 - self.truth - self.lie
        rows = [[*(self.truth if y == x else other for y in range(k)), silent] for x in range(k)]
        meanings = {answer: (answer,) for answer in frame.answers}
        return Channel(frame, {**meanings, DONT_KNOW: frame.answers}, rows)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"truth": str(self.truth), "lie": str(self.lie)}
