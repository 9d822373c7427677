"""How the chance of a range changes with the location and the scale of the noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.parts import Narrow, Parts
from askance.estimators.noise.tail import Tail
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slopes:
    """Derivatives of each range's log-chance.

    Attributes
    ----------
    log_chance : array, shape (n,)
    first : array, shape (2, n)
        By the location in units of the scale, and by the logarithm of the scale.
    second : array, shape (3, n)
        Twice by the location, by both, twice by the logarithm of the scale.
    """

    log_chance: Floats
    first: Floats
    second: Floats


def joined(told: Sequence[Slopes]) -> Slopes:
    """Give the slopes of the rows of all blocks."""
    return Slopes(
        log_chance=np.concatenate([one.log_chance for one in told]),
        first=np.concatenate([one.first for one in told], axis=1),
        second=np.concatenate([one.second for one in told], axis=1),
    )


def slopes_within(noise: AbstractNoise, seen: Parts) -> Slopes:
    """Tell how each range's log-chance changes with the location and the scale.

    With P = ∫ f over the range, ∂P/∂η = −∫ f', ∂P/∂log σ = −∫ (z f)' and so on: differences of
    f, z f, f', z f' and z² f' at the ends.
    """
    change = _by_ends(noise, seen)
    change[:, seen.narrow.part] = _by_nodes(noise, seen.narrow)
    by = seen.summed(change)
    by[2, seen.crossed] += noise.kink * np.exp(-seen.total[seen.crossed])
    first = -by[:2]
    second = by[2:]
    second[0] -= first[0] ** 2
    second[1] -= first[0] * (first[1] + 1)
    second[2] -= first[1] * (first[1] + 1)
    return Slopes(log_chance=seen.total, first=first, second=second)


def _by_ends(noise: AbstractNoise, seen: Parts) -> Floats:
    """Give the differences of f, z f, f', z f', z² f' over each part, by its chance."""
    change = np.empty((5, len(seen.left)))
    share = seen.near.side / (1 - seen.left)
    far = _at_end(noise, seen.far, share * seen.left)
    near = _at_end(noise, seen.near, share)
    for at, (one, other) in enumerate(zip(far, near, strict=True)):
        np.subtract(one, other, out=change[at])
    return change


def _at_end(noise: AbstractNoise, end: Tail, share: Floats) -> tuple[Floats, ...]:
    z, height = end.t * end.side, end.rate * share
    steep = height * noise.slope(z)
    bent = z * steep
    return height, z * height, steep, bent, z * bent


def _by_nodes(noise: AbstractNoise, narrow: Narrow) -> Floats:
    """Average (f)', (z f)', (f')', (z f')', (z² f')' over f."""
    z = narrow.place
    slope, bend = noise.slope(z), noise.bend(z)
    rates = slope, 1 + z * slope, bend, slope + z * bend, 2 * z * slope + z * z * bend
    return np.stack([(one * narrow.weight).sum(axis=1) for one in rates])
