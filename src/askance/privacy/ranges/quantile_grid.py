"""A law of cuts on 512 steps that hold equal shares of the answers."""

import numpy as np

from askance.channels.continuous import ContinuousLaw
from askance.channels.cut_law import CutLaw
from askance.channels.open_cell_channel import closed_chances
from askance.channels.range_channel import RangeChannel
from askance.exact.line import Line
from askance.typing import Floats

_STEPS = 512
_UNITS = 1 << 40  # in which the law of a cut is written as whole weights


def cells_of(mechanism: CutLaw, prior: ContinuousLaw) -> tuple[Floats, Floats]:
    """List what share of the answers each cell holds, and how likely it is to be reported.

    Two steps without answers are added at the ends, for cuts beyond everybody.
    """
    quantiles = np.arange(_STEPS + 1) / _STEPS
    between = prior.ppf(np.arange(_STEPS) / _STEPS + 0.5 / _STEPS)
    mass = np.diff(np.concatenate([[0.0], mechanism.law.cdf(between), [1.0]]))
    step = np.diff(quantiles) * _closed(mechanism, prior)
    upto = np.concatenate([[0.0, 0.0], np.cumsum(step), [step.sum()]])
    units = np.rint(mass * _UNITS).astype(np.int64).tolist()
    channel = RangeChannel(Line(0, _STEPS + 2, 1), units, mechanism.number)
    ends, chances = channel.cells()
    values = upto[ends[:, 1]] - upto[ends[:, 0]]
    if mechanism.ring:
        inner = (ends[:, 0] > 0) & (ends[:, 1] <= _STEPS + 1)
        around = _outer(mass, upto, mechanism.number)
        values = np.concatenate([values[inner], around[0]])
        chances = np.concatenate([chances[inner], around[1]])
    if mechanism.open_cells:
        chances = closed_chances(channel, mechanism.open_cells)[tuple(ends.T)]
    told = max(1 - float(chances @ values), 0.0) if mechanism.open_cells else 1 - upto[-1]
    return np.append(values, 0.0), np.append(chances * values, told)


def _closed(mechanism: CutLaw, prior: ContinuousLaw) -> Floats:
    """Give the part of each step that is outside the acceptable range."""
    closed = np.ones(_STEPS)
    for interval in mechanism.open:
        low, high = np.asarray(prior.cdf(np.array(interval))) * _STEPS
        at = np.arange(_STEPS)
        closed -= np.clip(np.minimum(high, at + 1) - np.maximum(low, at), 0, 1)
    return np.clip(closed, 0, 1)


def _outer(mass: Floats, upto: Floats, number: int) -> tuple[Floats, Floats]:
    """List what the outer arc of a ring holds, by its lowest and highest cut, and its chance."""
    low, high = np.triu_indices(len(mass))
    below = np.concatenate([[0.0], np.cumsum(mass)])
    within = np.triu(below[None, :] - below[:, None], 1) ** number  # all cuts from low to high − 1
    chance = within[low, high + 1] - within[low + 1, high + 1]
    chance += within[low + 1, high] - within[low, high]
    return upto[-1] - (upto[high + 1] - upto[low + 1]), chance.clip(0)
