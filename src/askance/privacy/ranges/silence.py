"""What it tells that nothing was sent, where narrow ranges are withheld."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.arguments import checked
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.listing import Listing, listed
from askance.exact.ratio import chance
from askance.privacy.guarantee import EVENLY, Guarantee, Notion
from askance.privacy.ranges.shares import shares_of
from askance.typing import Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Silence:
    r"""The chance that nothing is sent, by the answer, and what a silence therefore tells.

    With ρ the chance that a device is let speak at all, 1 − ρ = ``blank``, and s(y) that the range
    of an answer y is then wide enough, silence has the chance 1 − ρ s(y).

    Attributes
    ----------
    sent : tuple of Fraction, one for each step of the line
        s: the chance that a range is wide enough to be sent.
    blank : Fraction
        1 − ρ: the chance that nothing is sent whatever the answer.

    >>> Silence(sent=(Fraction(2, 3), Fraction(1)), blank=Fraction(1, 2))
    where nothing is sent
    chance of it, by the answer         50.0 % to 66.7 %
    worst ratio between two answers   1.3334 (at most 2)
    by chance alone                               85.7 %
    blank that makes chance likelier              14.3 %
    the last two: if answers were spread evenly
    """

    sent: tuple[Fraction, ...]
    blank: Fraction

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """The chance of silence for each step."""
        return tuple(1 - (1 - self.blank) * one for one in self.sent)

    @property
    def ratio(self) -> Fraction | float:
        """The worst ratio of the chances: (1 − ρ min s)/(1 − ρ max s), exact; α is its logarithm.

        Reports that are sent are flat, so with the coverage τ this is (τ, α)-interval-differential
        privacy.
        """
        least = min(self.chances)
        return max(self.chances) / least if least else (1 if max(self.chances) == 0 else math.inf)

    @property
    def bound(self) -> Fraction | float:
        """What the ratio cannot exceed whatever the sizes and cuts: 1 / (1 − ρ)."""
        return 1 / self.blank if self.blank else math.inf

    @property
    def guarantee(self) -> Guarantee:
        """The ratio as a guarantee; its epsilon is α."""
        where = (self.chances.index(end(self.chances)) for end in (max, min))
        told = "between steps {} and {} of the line".format(*(at + 1 for at in where))
        return Guarantee(Notion.SILENCE, self.ratio, told)

    @checked
    def by_chance(self, shares: Sequence[object] | None = None) -> Fraction:
        """Give how likely it is, where nothing was sent, that chance alone had decided so.

        (1 − ρ)/(1 − ρ s) with s averaged over the answers: evenly, or by their shares.

        Raises
        ------
        InputError
            If there is not one share for each step, or they do not sum to one.
        """
        silent = 1 - (1 - self.blank) * self._average(shares)
        return self.blank / silent if silent else Fraction(1)

    @checked
    def least_blank(self, shares: Sequence[object] | None = None) -> Fraction:
        """Give the least blank at which chance is the likelier reason: ρ ≤ 1/(2 − s), sharply.

        The paper's ρ ≤ 1/2 is sufficient whatever s is.
        """
        s = self._average(shares)
        return (1 - s) / (2 - s)

    def _average(self, shares: Sequence[object] | None) -> Fraction:
        read = shares_of(shares, len(self.sent), "Silence.shares")
        return sum((a * b for a, b in zip(read, self.sent, strict=True)), Fraction(0))

    def to_dict(self) -> Json:
        """Write what silence tells for JSON; exact numbers as strings."""
        return {
            "sent": [str(one) for one in self.sent],
            "blank": str(self.blank),
            "ratio": str(self.ratio),
            "bound": str(self.bound),
            "by_chance": str(self.by_chance()),
            "least_blank": str(self.least_blank()),
        }

    def _table(self) -> Listing:
        low, high = (100 * float(end(self.chances)) for end in (min, max))
        bound = Guarantee(Notion.SILENCE, self.bound, "").printed()
        rows = [
            ["chance of it, by the answer", f"{low:.1f} % to {high:.1f} %"],
            ["worst ratio between two answers", f"{self.guarantee.printed()} (at most {bound})"],
            ["by chance alone", f"{100 * float(self.by_chance()):.1f} %"],
            ["blank that makes chance likelier", f"{100 * float(self.least_blank()):.1f} %"],
        ]
        return "where nothing is sent", rows[0], rows[1:], [f"the last two: {EVENLY}"]


@checked
def silence(channel: AbstractRangeChannel, blank: object = 0) -> Silence:
    """Say what it tells that nothing was sent.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    blank : probability
        The chance that nothing is sent whatever the answer: 1 − ρ of a (τ, ρ)-selective mechanism.

    Raises
    ------
    InputError
        If the blank is not a probability.

    References
    ----------
    Ding & Ding (2022), Definition 5 and Proposition 2, made sharp.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> held = RangeChannel(Line(0, 4, 1), [1, 1, 1], floor=Floor([1] * 4, 2), withhold=True)
    >>> told = silence(held, "1/2")  # 1/2 + 1/2 · 1/3 against 1/2
    >>> told.ratio, told.bound, told.by_chance(), told.least_blank()
    (Fraction(4, 3), Fraction(2, 1), Fraction(6, 7), Fraction(1, 7))
    """
    sent = tuple(1 - channel.null_chance(step) for step in range(channel.line.ticks))
    return Silence(sent=sent, blank=chance(blank, "silence.blank"))
