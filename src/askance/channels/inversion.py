"""From values over every set back to masses: the Möbius inversion, with its verdict."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from numbers import Rational, Real
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from askance.channels import lattice
from askance.channels.frame import Frame
from askance.channels.reading import TOLERANCE, Mass, mask_of
from askance.errors import InputError

Given: TypeAlias = Mapping[Any, Mass] | npt.ArrayLike
"""One value per set: an array by mask, or a mapping by names or mask."""


def from_belief(frame: Frame, beliefs: Given) -> dict[int, Mass]:
    """Find the masses behind beliefs, or name a set whose mass would be negative.

    >>> from_belief(Frame(["a", "b"]), [0, 0.5, 0.25, 1])
    {1: 0.5, 2: 0.25, 3: 0.25}
    >>> from_belief(Frame(["a", "b"]), [0, 0.75, 0.5, 1])
    Traceback (most recent call last):
    askance.errors.InputError: beliefs: got 'a mass of -0.25 on a or b'; allowed: a belief function:
    no mass is negative; the value of a or b does not fit those of its parts
    """
    values = _every(frame, beliefs, "beliefs", nothing=0)
    return _verdict(frame, lattice.subset_differences(values), "beliefs")


def from_plausibility(frame: Frame, plausibilities: Given) -> dict[int, Mass]:
    """Find the masses behind plausibilities: bel(A) = 1 − pl(Aᶜ).

    >>> from_plausibility(Frame(["a", "b"]), [0, 0.75, 0.5, 1])
    {1: 0.5, 2: 0.25, 3: 0.25}
    """
    values = _every(frame, plausibilities, "plausibilities", nothing=0)
    beliefs = values[-1] - values[::-1]
    return _verdict(frame, lattice.subset_differences(beliefs), "plausibilities")


def from_commonality(frame: Frame, commonalities: Given) -> dict[int, Mass]:
    """Find the masses behind commonalities.

    >>> from_commonality(Frame(["a", "b"]), [1, 0.75, 0.5, 0.25])
    {1: 0.5, 2: 0.25, 3: 0.25}
    """
    values = _every(frame, commonalities, "commonalities", nothing=1)
    return _verdict(frame, lattice.superset_differences(values), "commonalities")


def _every(frame: Frame, given: Given, where: str, nothing: int) -> npt.NDArray[Any]:
    """Lay the values out by mask; the empty set's must be what it is for every mass function."""
    if len(frame) > lattice.LARGEST:
        raise InputError(
            where,
            got=f"a frame of {len(frame)} answers",
            allowed=f"at most {lattice.LARGEST} answers",
            remedy="give the masses of the focal sets instead",
        )
    size = 1 << len(frame)
    values = np.array(
        _listed(frame, given, where, nothing) if isinstance(given, Mapping) else given
    )
    if values.shape != (size,):
        raise InputError(where, got=f"shape {values.shape}", allowed=f"shape ({size},)")
    values = _numbers(frame, values, where)
    if abs(values[0] - nothing) > TOLERANCE:
        raise InputError(f"{where} of the empty set", got=float(values[0]), allowed=str(nothing))
    whole = values[0] if nothing else values[-1]
    if abs(whole - 1) > TOLERANCE:
        raise InputError(f"{where} of the whole frame", got=float(whole), allowed="1")
    return values


def _listed(frame: Frame, given: Mapping[Any, Mass], where: str, nothing: int) -> list[Mass]:
    by_mask: dict[int, Mass] = {0: nothing}
    by_mask |= {mask_of(frame, names, where): value for names, value in given.items()}
    known = [0, *sorted(by_mask), 1 << len(frame)]
    gap = next((low + 1 for low, high in pairwise(known) if high > low + 1), None)
    if gap is not None:
        raise InputError(where, got=f"no value for {_said(frame, gap)}", allowed="one for each set")
    return [by_mask[mask] for mask in range(1 << len(frame))]


def _numbers(frame: Frame, values: npt.NDArray[Any], where: str) -> npt.NDArray[Any]:
    if values.dtype == object:
        for mask, value in enumerate(values):
            if not isinstance(value, Real):
                raise InputError(f"{where} of {_said(frame, mask)}", got=value, allowed="a number")
        if all(isinstance(value, Rational) for value in values):
            return values
    try:
        numbers = values.astype(np.float64)
    except ValueError as error:
        raise InputError(where, got=str(error), allowed="numbers") from error
    if not np.isfinite(numbers).all():
        mask = int(np.argmin(np.isfinite(numbers)))
        raise InputError(
            f"{where} of {_said(frame, mask)}", got=float(numbers[mask]), allowed="a finite number"
        )
    return numbers


def _verdict(frame: Frame, masses: npt.NDArray[Any], where: str) -> dict[int, Mass]:
    exact = masses.dtype == object
    worst = int(np.argmin(masses))
    if masses[worst] < (0 if exact else -TOLERANCE):
        raise InputError(
            where,
            got=f"a mass of {float(masses[worst]):.6g} on {_said(frame, worst)}",
            allowed="a belief function: no mass is negative",
            remedy=f"the value of {_said(frame, worst)} does not fit those of its parts",
        )
    # Doubles leave 2^l roundings in a mass, whose sum grows like its square root.
    noise = 0 if exact else 8 * np.finfo(float).eps * 2 ** (len(frame) / 2)
    focal = np.flatnonzero(masses > noise)
    number = Fraction if exact else float
    return {int(mask): number(masses[mask]) for mask in focal}


def _said(frame: Frame, mask: int) -> str:
    return " or ".join(frame.names(mask)) or "the empty set"
