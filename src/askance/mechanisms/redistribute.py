"""Truth, lie or a toss: what would have been "don't know" is told or untold by a declared share."""

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


@final
@dataclass(frozen=True, slots=True, init=False)
class Redistribute(AbstractMechanism):
    r"""Tell the truth, lie, or let a declared share of the rest be truth and the remainder lies.

    .. math:: Q_\lambda = \begin{pmatrix} t & 1-t \\ 1-t & t \end{pmatrix},
              \qquad t = p + \lambda (1-p-q)

    One way to resolve every "don't know" of `Abstain`; the estimators recover the share from its
    channel, as (n₁/n − q − (1 − λ)r)/(p − q + (2λ − 1)r) with r = 1 − p − q for two answers.

    Parameters
    ----------
    truth, lie : probability
        p and q, as of `Abstain`.
    share : probability
        λ, which part of what is left to 1 becomes truth.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the mechanism Q_λ of their last section, with the denominator of its
    estimator as corrected in the explanation pages.

    >>> Redistribute(truth="3/5", lie="1/10", share="1/2").channel(Frame(["yes", "no"])).table.rows
    ((3, 1), (1, 3))
    """

    name: ClassVar[str] = "redistribute"
    truth: Fraction
    lie: Fraction
    share: Fraction

    def __init__(self, *, truth: object, lie: object, share: object) -> None:
        p, q = chance(truth, "Redistribute.truth"), chance(lie, "Redistribute.lie")
        if p + q > 1:
            raise InputError(
                "Redistribute",
                got=f"truth + lie = {p + q}",
                allowed="a sum of at most 1",
                remedy="what is left to 1 is redistributed",
            )
        object.__setattr__(self, "truth", p)
        object.__setattr__(self, "lie", q)
        object.__setattr__(self, "share", chance(share, "Redistribute.share"))

    @property
    def told(self) -> Fraction:
        """How often the report is true in the end: p + λ(1 − p − q)."""
        return self.truth + self.share * (1 - self.truth - self.lie)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return KAry(truth=self.told).channel(frame)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {name: str(getattr(self, name)) for name in ("truth", "lie", "share")}
