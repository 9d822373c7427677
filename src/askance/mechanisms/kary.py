"""k-ary randomised response: tell the truth, or else name one of the other answers at random."""

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


@final
@dataclass(frozen=True, slots=True, init=False)
class KAry(AbstractMechanism):
    r"""Report the true answer with one chance, each other answer equally often otherwise.

    .. math:: Q(y \mid x) = t \text{ if } y = x, \quad (1 - t)/(k - 1) \text{ otherwise.}

    Parameters
    ----------
    truth : probability
        t, the chance that the report is the true answer.

    References
    ----------
    Warner (1965), equation (1), for k = 2; Kairouz, Oh & Viswanath (2016), the randomised
    response mechanism, for any k.

    >>> KAry(truth="1/2").channel(Frame(["a", "b", "c"])).table.rows[0]
    (2, 1, 1)
    """

    name: ClassVar[str] = "kary"
    truth: Fraction

    def __init__(self, *, truth: object) -> None:
        object.__setattr__(self, "truth", chance(truth, "KAry.truth"))

    @classmethod
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "AtLevel[KAry]":
        """Be as truthful as ε-local differential privacy allows: t = e^ε / (e^ε + k − 1).

        How many answers there are, k, is asked when the recipe meets them: ``channel(frame)``
        yields the channel, ``on(frame)`` the recipe with its chances.

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> level = KAry.at_epsilon(1)
        >>> [round(float(level.on(Frame(list("abcd"[:k]))).truth), 6) for k in (2, 4)]
        [0.731059, 0.475367]
        """
        return AtLevel("KAry", _made, epsilon, ratio)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = len(frame)
        if k < 2:
            raise InputError("KAry.channel", got=f"{k} answer", allowed="two or more answers")
        other = (1 - self.truth) / (k - 1)
        rows = [[self.truth if y == x else other for y in range(k)] for x in range(k)]
        return Channel(frame, {answer: [answer] for answer in frame.answers}, rows)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"truth": str(self.truth)}


def _made(truth: Fraction, lie: Fraction, frame: Frame) -> KAry:  # noqa: ARG001  one shape for all
    return KAry(truth=truth)
