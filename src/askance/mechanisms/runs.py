"""Answers in an order, cut at random into runs of neighbours; the report is the answer's run."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.exact.ratio import whole
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.block_law import block_channel, parted

MOST_ANSWERS = 40


@final
@dataclass(frozen=True, slots=True, init=False)
class Runs(AbstractMechanism):
    """Cut the answers, in the order they are listed, into so many runs; send the one that is true.

    All ways to cut are equally likely. A report is always true, and inside it nothing is told.

    Parameters
    ----------
    number : int
        How many runs; fewer than there are answers, of which there are at most 40.

    Raises
    ------
    InputError
        If the number is not at least 2; from `channel`, if it is not below that of the answers.

    References
    ----------
    Ding & Ding (2022), the canonical interval mechanism (4), on a frame instead of a line.

    >>> rated = Runs(number=2).channel(Frame(["never", "seldom", "often"]))
    >>> rated.reports, rated.table.rows[1]
    (('never', 'never or seldom', 'seldom or often', 'often'), (0, 1, 1, 0))
    """

    name: ClassVar[str] = "runs"
    number: int

    def __init__(self, *, number: int = 2) -> None:
        object.__setattr__(self, "number", whole(number, "Runs.number", "an integer in [2, ∞)", 2))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        k = parted(frame, self.number, "Runs.number", MOST_ANSWERS)
        total = comb(k - 1, self.number - 1)
        chances = {}
        for low in range(k):
            for high in range(low + 1, k + 1):
                ends = (low > 0) + (high < k)
                elsewhere = max(low - 1, 0) + max(k - high - 1, 0)
                if ways := _ways(elsewhere, self.number - 1 - ends):
                    chances[frame.answers[low:high]] = Fraction(ways, total)
        return block_channel(frame, chances)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return {"number": str(self.number)}


def _ways(places: int, cuts: int) -> int:
    return comb(places, cuts) if cuts >= 0 else 0
