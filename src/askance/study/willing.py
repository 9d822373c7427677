"""How far a respondent lets a range be narrowed: each has an own sensitivity."""

from enum import Enum
from typing import final

from askance.respond.partition import Draws, next_cut
from askance.typing import Floats
from askance.wire.cuts import CutsQuestion


@final
class Stops(Enum):
    """What a person who stops goes by.

    With ``BEFORE`` she stops once her present range holds no more of the people than she likes: a
    choice made before the next cut is seen, so that it tells no more than the range itself. With
    ``AFTER`` she looks at her own side of the next cut, and steps back where that is too narrow;
    then her stopping says where she is (Ding & Ding, 2022, Example 4).
    """

    BEFORE = "before the next cut is seen"
    AFTER = "after her own side of it is seen"


def agreed_steps(
    question: CutsQuestion,
    step: int,
    draws: Draws,
    sensitivity: float,
    upto: Floats,
    stops: Stops,
) -> int:
    """Count the steps that a person agrees to.

    Parameters
    ----------
    question : CutsQuestion
    step : int
        Where the answer is.
    draws : tuple of int
    sensitivity : float
        The least share of the people that should be left in the range.
    upto : array, shape (ticks + 1,)
        Share of the people up to each tick.
    stops : Stops
    """
    low, high, agreed = 0, question.line.ticks, 0
    while upto[high] - upto[low] > sensitivity:
        tick = next_cut(question, draws, (low, high))
        if tick is None:
            break
        side = (tick, high) if tick <= step else (low, tick)
        if stops is Stops.AFTER and upto[side[1]] - upto[side[0]] < sensitivity:
            break
        (low, high), agreed = side, agreed + 1
    return agreed
