"""Warner's randomised response: the question or its mirror image."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.kary import KAry
from askance.mechanisms.level import AtLevel


@final
@dataclass(frozen=True, slots=True, init=False)
class Warner(AbstractMechanism):
    r"""Report the true one of two answers with one chance, the other otherwise.

    .. math:: Q = \begin{pmatrix} p & 1-p \\ 1-p & p \end{pmatrix}

    Parameters
    ----------
    truth : probability
        p, the chance that the report is the true answer. At ½ nothing can be learnt.

    References
    ----------
    Warner (1965), equation (1).

    >>> Warner(truth="3/4").channel(Frame(["yes", "no"])).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    name: ClassVar[str] = "warner"
    truth: Fraction

    def __init__(self, *, truth: object) -> None:
        object.__setattr__(self, "truth", chance(truth, "Warner.truth"))

    @classmethod
    def at_epsilon(cls, epsilon: object = None, *, ratio: object = None) -> "AtLevel[Warner]":
        """Be as truthful as ε-local differential privacy allows: p = e^ε / (e^ε + 1).

        Parameters
        ----------
        epsilon : number, optional
            ε in (0, 12].
        ratio : number, optional
            e^ε instead, exactly.

        >>> Warner.at_epsilon(ratio=3).on(Frame(["yes", "no"]))
        Warner(truth=Fraction(3, 4))
        """
        return AtLevel("Warner", _made, epsilon, ratio)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over two answers."""
        _demand_two(frame)
        return KAry(truth=self.truth).channel(frame)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"truth": str(self.truth)}


def _made(truth: Fraction, lie: Fraction, frame: Frame) -> Warner:  # noqa: ARG001  one shape for all
    _demand_two(frame)
    return Warner(truth=truth)


def _demand_two(frame: Frame) -> None:
    if len(frame) != 2:
        raise InputError(
            "Warner.channel",
            got=f"{len(frame)} answers",
            allowed="two answers",
            remedy="for more answers use KAry",
        )
