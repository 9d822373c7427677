"""Climbing to the best mixture of columns, with a level that no mixture is above."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.design.solver.path import Programme, Stand, ahead, begun, stated
from askance.design.solver.term import AbstractTerm
from askance.errors import NotIdentified
from askance.typing import Floats

_STEPS = 60
_BALANCED = 1e-9  # how far off the equations may be at the end


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peak:
    """A mixture near the maximum, and what no mixture is above.

    Attributes
    ----------
    z : array, shape (n,)
    bound : float
        From the prices.
    """

    z: Floats
    bound: float


def climb(
    terms: Sequence[AbstractTerm],
    left: Floats,
    right: Floats,
    start: Floats,
    slacks: int,
    precision: float,
) -> Peak:
    r"""Maximise the least of concave merits over z ≥ 0 with left z = right.

    A primal-dual path: z_j s_j = κ for every column, with s_j what its price exceeds its merit by,
    and likewise for what the merits exceed the level t by and their weights, as κ shrinks by as
    much as a step for κ = 0 would allow.

    Parameters
    ----------
    terms : sequence of AbstractTerm
    left : array, shape (r, n)
    right : array, shape (r,)
    start : array, shape (n,)
        Positive.
    slacks : int
        How many of the last columns are slacks; the others have mean one.
    precision : float
        How far below the best the merit may end, as a part of its size.

    Raises
    ------
    NotIdentified
        If the information is singular at the start, and so everywhere.

    References
    ----------
    Nesterov & Todd (1997); Boyd & Vandenberghe (2004), chapter 11.
    """
    programme = stated(terms, left, right)
    level = least(terms, start)
    if not np.isfinite(level):
        raise NotIdentified(
            "constraints", got="no channel that tells all shares apart", allowed="wider bounds"
        )
    stand = begun(programme, start, level)
    for _ in range(_STEPS):
        done = stand.products <= precision * abs(stand.t)
        if done and np.abs(programme.off(stand.both[0])).max() <= _BALANCED:
            break
        try:
            further = ahead(programme, stand)
        except np.linalg.LinAlgError:
            break
        if further is None:
            break
        stand = further
    return Peak(z=stand.both[0], bound=_bound(programme, stand, slacks))


def least(terms: Sequence[AbstractTerm], z: Floats) -> float:
    """Give the least figure of merit."""
    return min(term.level(z) for term in terms)


def _bound(programme: Programme, stand: Stand, slacks: int) -> float:
    """Bound every mixture by tangents at the prices.

    Columns have mean one, so that the chances of any mixture sum to one: the bound is short by no
    more than the most that a column gains. Prices of slacks are not negative.
    """
    rows = len(stand.price) - slacks
    price = np.append(stand.price[:rows], np.maximum(stand.price[rows:], 0.0))
    short = -float(programme.slack(price, stand.places).min())
    constant = sum(place.constant for place in stand.places)
    weight = sum(place.weight for place in stand.places)
    return (constant + float(price @ programme.right) + max(short, 0.0)) / weight
