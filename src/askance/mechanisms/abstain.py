"""Truth, lie or "don't know": randomised response that may also say nothing."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.level import AtLevel

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
    def at_epsilon(
        cls, epsilon: object = None, *, ratio: object = None, answered: object = 1
    ) -> "AtLevel[Abstain]":
        """Answer with chance c, as truthfully as ε-local differential privacy allows.

        p = c e^ε / (e^ε + k − 1): the generalised Warner mechanism of Li, Zhou, Qin & Xu (2022),
        Corollary 12, with the constant as corrected in the explanation pages. How many answers
        there are, k, is asked when the recipe meets them.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.
        answered : probability
            c.

        >>> m = Abstain.at_epsilon(1, answered="7/10").on(Frame(["yes", "no"]))
        >>> float(m.truth), m.truth + m.lie
        (0.511741..., Fraction(7, 10))
        """
        return AtLevel("Abstain", _made, epsilon, ratio, answered)

    @checked
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


def _made(truth: Fraction, lie: Fraction, frame: Frame) -> Abstain:
    return Abstain(truth=truth, lie=(len(frame) - 1) * lie)
