"""One step of a regression with noise within ranges: what to regress on, and the next scale.

The noise is counted from its mean, so that fitted values are means whatever the family.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError, NotIdentified
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.parts import parts
from askance.estimators.noise.slopes import Slopes, joined, slopes_within
from askance.estimators.noise.within import mean_within
from askance.typing import Floats

_LEAST_WEIGHT = 0.02  # keeps one row from a step without end
_LONGEST_MOVE = 4.0  # scales
_LONGEST = np.log(2.0)  # step of the log-scale


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Working:
    """What a weighted least-squares fit takes to step towards the highest likelihood.

    Attributes
    ----------
    response, weight : array, shape (n,)
    """

    response: Floats
    weight: Floats


def first_guess(noise: AbstractNoise, ranges: Ranges) -> tuple[float, float]:
    """Guess a mean and a scale from the finite ends.

    Raises
    ------
    InputError
        If no range has a positive weight.
    NotIdentified
        If no range says anything, or all leave the same side open.

    >>> from askance.estimators.noise.normal import NormalNoise
    >>> first_guess(NormalNoise(), Ranges([0, 2], [2, 4]))
    (2.0, 1.0)
    """
    counted = ranges.weights > 0
    if not counted.any():
        raise InputError("ranges", got=f"{len(counted)} rows", allowed="a row of positive weight")
    _refuse_one_side(ranges if counted.all() else ranges[counted])
    ends = np.stack([ranges.lower, ranges.upper])
    finite = np.isfinite(ends)
    number, total = finite.sum(axis=0), np.where(finite, ends, 0.0).sum(axis=0)
    if not ranges.plain:
        number, total = (np.add.reduceat(one, ranges.starts[:-1]) for one in (number, total))
    middle = total / np.maximum(number, 1)
    weight = ranges.weights * (number > 0)
    weight = weight / weight.sum()
    mean = float(weight @ middle)
    spread = float(np.sqrt(weight @ (middle - mean) ** 2 / noise.variance))
    return mean, spread or max(abs(mean), 1.0)


def _refuse_one_side(ranges: Ranges) -> None:
    for side, ends in (("lower", ranges.lower), ("upper", ranges.upper)):
        if np.isinf(ends).all():
            raise NotIdentified(
                "ranges",
                got=f"no finite {side} end in any row",
                allowed="ranges of which some end below and some above",
                remedy="nothing tells how far the answers reach",
            )


def slopes_at(noise: AbstractNoise, ranges: Ranges, fitted: Floats, scale: float) -> Slopes:
    """Give each range's log-chance and its derivatives by the location and the scale."""
    location = fitted - scale * noise.mean
    told = [slopes_within(noise, seen) for seen in parts(noise, ranges, location, scale)]
    return joined(told)


def working(slopes: Slopes, fitted: Floats, scale: float) -> Working:
    """Turn the slopes of the likelihood into a weighted least-squares problem.

    ``z = f + σ ℓ'/w`` with weights ``w = max(−ℓ'', |ℓ'|/4, 0.02)``: where least squares fits z by f
    itself, the likelihood is at its highest (Green 1984). The weights keep z within four scales.
    """
    steep = np.abs(slopes.first[0]) / _LONGEST_MOVE
    weight = np.maximum(np.maximum(-slopes.second[0], steep), _LEAST_WEIGHT)
    return Working(response=fitted + scale * slopes.first[0] / weight, weight=weight)


def next_scale(noise: AbstractNoise, slopes: Slopes, weights: Floats, scale: float) -> float:
    """Take one Newton step of the likelihood in the logarithm of the scale, fitted values held.

    The fixed point is that of the EM step ``σ² ← mean{(ỹ − f)² + Var(ε | range)}`` for normal noise
    and the likelihood's own for every other (Liu and Rubin 1994); a step at most doubles or halves.
    """
    return _stepped(_by_scale(noise, slopes, weights), scale)


def filled(
    noise: AbstractNoise, ranges: Ranges, fitted: Floats, scale: float, weights: Floats
) -> tuple[Floats, float]:
    """Give the mean of each unseen number, given its range and its fitted mean; and `next_scale`.

    ``ỹ = f + σ E[ε | f + σ ε in the range]`` (Ding and Ding 2022, Algorithm 1; the noise ε has mean
    zero here).

    Parameters
    ----------
    noise : AbstractNoise
    ranges : Ranges, n rows
    fitted : array, shape (n,)
        Fitted means f.
    scale : float
        Scale σ of the noise.
    weights : array, shape (n,)
        How much each row tells of the scale.

    >>> from askance.estimators.noise.normal import NormalNoise
    >>> above = Ranges([0.0], [np.inf])
    >>> means, _ = filled(NormalNoise(), above, np.zeros(1), 2.0, above.weights)
    >>> means.round(6).tolist()
    [1.595769]
    """
    location = fitted - scale * noise.mean
    means, by = np.empty(len(fitted)), np.zeros(2)
    for seen in parts(noise, ranges, location, scale):
        means[seen.rows] = mean_within(noise, seen)
        by += _by_scale(noise, slopes_within(noise, seen), weights[seen.rows])
    return location + scale * means, _stepped(by, scale)


def _by_scale(noise: AbstractNoise, slopes: Slopes, weights: Floats) -> Floats:
    """Give the slope and the bend of the log-likelihood by the logarithm of the scale."""
    mean, first, second = noise.mean, slopes.first[1], slopes.second[2]
    if mean:
        first = first - mean * slopes.first[0]
        second = second - mean * (2 * slopes.second[1] - mean * slopes.second[0] + slopes.first[0])
    return np.array([weights @ first, weights @ second])


def _stepped(by: Floats, scale: float) -> float:
    first, second = by
    if not np.isfinite(first):
        return scale
    step = -first / second if second < 0 else np.sign(first) * _LONGEST
    return float(scale * np.exp(np.clip(step, -_LONGEST, _LONGEST)))
