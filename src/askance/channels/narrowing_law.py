"""How a range is narrowed by candidate cuts in turn: the law of what is left, round by round."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.exact.floor import Floor
from askance.typing import Floats, Integers

Units = npt.NDArray[np.object_]
"""An array of Python's integers, which never overflow."""


@lru_cache(maxsize=2)
def narrowed_units(weights: tuple[int, ...], number: int, floor: Floor | None) -> Units:
    """Count the draws of all candidates after which a range is a cell, out of total^number.

    >>> narrowed_units((1, 1), 1, None).tolist()
    [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    """
    return _rounds(np.array([0, *weights, 0], dtype=object), number, floor)


def narrowed_chances(weights: Sequence[int], number: int, floor: Floor | None) -> Floats:
    """Give in doubles the chance that each range is a cell, shape (ticks + 1, ticks + 1).

    >>> narrowed_chances((1, 1), 1, Floor([1, 1, 1], 2)).tolist()[0]
    [0.0, 0.0, 0.0, 1.0]
    """
    law = np.array([0, *weights, 0], dtype=float) / sum(weights)
    chances: Floats = _rounds(law, number, floor)
    return chances


def _rounds(law: npt.NDArray[Any], number: int, floor: Floor | None) -> npt.NDArray[Any]:
    """Follow the ranges through the candidates.

    A range stays unless a tick inside it is drawn that leaves enough on both sides. It arises from
    each longer one that shares one of its ends, if the other end is drawn and what is cut off is
    enough too. Whether a side is enough ascends with its far end, so sums from there on suffice.
    """
    n = len(law) - 1
    nearest, farthest = reaches(n, floor)
    upto = np.cumsum(law)
    inside = upto[np.maximum(farthest, 0)][None, :] - upto[nearest - 1][:, None]
    stay = np.maximum(upto[-1] - np.where(farthest[None, :] >= nearest[:, None], inside, 0), 0)
    enough = np.arange(n + 1)[None, :] >= nearest[:, None]
    chance = np.zeros((n + 1, n + 1), dtype=law.dtype)
    chance[0, n] = 1
    for _ in range(number):
        above = np.zeros((n + 1, n + 2), dtype=law.dtype)
        above[:, : n + 1] = np.cumsum(chance[:, ::-1], axis=1)[:, ::-1]
        below = np.zeros((n + 2, n + 1), dtype=law.dtype)
        below[1:] = np.cumsum(chance, axis=0)
        arising = law[None, :] * above[:, nearest] + law[:, None] * below[farthest + 1]
        chance = chance * stay + np.where(enough, arising, 0)
    return chance


def reaches(n: int, floor: Floor | None) -> tuple[Integers, Integers]:
    """Give for each tick the nearest upper and the nearest lower end of a range that is enough.

    n + 1 and −1 where there is none.
    """
    ticks = np.arange(n + 1)
    if floor is None:
        return ticks + 1, ticks - 1
    sizes = np.array(floor.upto)
    nearest = np.searchsorted(sizes, sizes + floor.least)
    farthest = np.searchsorted(sizes, sizes - floor.least, side="right") - 1
    return nearest, farthest
