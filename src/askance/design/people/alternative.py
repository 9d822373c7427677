"""One way to ask: its mechanism, what it guarantees, what it costs."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.readonly import plain_json
from askance.design.people.size import SampleSize
from askance.design.people.spread import Prevalence, spread
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.table import Written
from askance.privacy.guarantee import Guarantee
from askance.privacy.guessing import advantage
from askance.privacy.losses import local_loss, shafer_loss, walley_loss
from askance.typing import Json


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A mechanism judged under every notion.

    Attributes
    ----------
    mechanism : AbstractMechanism
    channel : Channel
        As it would be deployed.
    guarantees : tuple of Guarantee
        Local privacy, Shafer's and Walley's loss, advantage.
    design_effect : float
        Reports for one plain answer, for the share that fares worst.
    size : SampleSize or None
        For the aim, where there is one.
    """

    mechanism: AbstractMechanism
    channel: Channel
    guarantees: tuple[Guarantee, ...]
    design_effect: float
    size: SampleSize | None = None

    @property
    def told(self) -> str:
        """The mechanism in a few words."""
        return described(self.mechanism)

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in a table: mechanism, losses, chance of a right guess, price."""
        local, _, walley, gain = self.guarantees
        guesses = f"{math.ceil(500 * (1 + Fraction(gain.value))) / 10:.1f} %"
        losses = [_loss(one) for one in (local, walley)]
        return (self.told, *losses, guesses, f"{self.design_effect:.2f}")

    def to_dict(self) -> Json:
        """Write the alternative for JSON; an infinite loss becomes None."""
        named = {one.notion.name.lower(): one for one in self.guarantees}
        written: Json = plain_json(
            {
                "mechanism": {"name": self.mechanism.name, **self.mechanism.parameters()},
                "guarantees": {
                    name: one.epsilon if one.notion.is_loss else float(one.value)
                    for name, one in named.items()
                },
                "design_effect": self.design_effect,
            }
        )
        return written | {"size": self.size.to_dict() if self.size else None}


def judged(
    mechanism: AbstractMechanism,
    frame: Frame,
    prevalence: Prevalence = None,
    size: SampleSize | None = None,
) -> Alternative:
    """Judge a mechanism under every notion, and say what it costs.

    >>> from askance.mechanisms.warner import Warner
    >>> judged(Warner(truth="3/4"), Frame(["yes", "no"])).cells
    ('warner: truth 0.75', '1.099', '1.099', '75.0 %', '4.00')
    """
    channel = mechanism.channel(frame)
    judges = local_loss, shafer_loss, walley_loss, advantage
    return Alternative(
        mechanism=mechanism,
        channel=channel,
        guarantees=tuple(judge(channel) for judge in judges),
        design_effect=spread(channel, prevalence).design_effect,
        size=size,
    )


def described(mechanism: AbstractMechanism) -> str:
    """Say a mechanism in a few words.

    >>> from askance.mechanisms.abstain import Abstain
    >>> described(Abstain(truth="3/5", lie="1/10"))
    'abstain: truth 0.6, lie 0.1'
    """
    if isinstance(mechanism, Written):
        return f"table of {len(mechanism.reports)} reports"
    given = mechanism.parameters().items()
    told = ", ".join(f"{name} {float(Fraction(value)):.6g}" for name, value in given)
    return f"{mechanism.name}: {told}"


def _loss(guarantee: Guarantee) -> str:
    if guarantee.value == math.inf:
        return "∞"
    return f"{math.ceil(1000 * guarantee.epsilon - 1e-9) / 1000:.3f}"
