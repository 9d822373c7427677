"""What a mass function is made from: sets by name or mask, masses exact or in doubles."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import fsum, lcm
from numbers import Rational, Real
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from askance.channels.frame import Frame
from askance.channels.lattice import LARGEST
from askance.errors import InputError

Mass: TypeAlias = Fraction | float
"""A mass: exact, or a double."""

Names: TypeAlias = Iterable[str] | int
"""A set of answers: their names, or its mask."""

_EXACT_DOUBLES = 1 << 53  # below this every whole number is a double

TOLERANCE = 1e-9
"""By so much may doubles that must sum to one, or must not be negative, miss it."""


def mask_of(frame: Frame, answers: Names, where: str = "answers") -> int:
    """Write a set of answers as a mask.

    >>> yn = Frame(["yes", "no"])
    >>> mask_of(yn, ["no"]), mask_of(yn, 3)
    (2, 3)
    """
    if not isinstance(answers, int):
        return frame.mask(answers)
    if not 0 <= answers <= frame.everything:
        raise InputError(where, got=answers, allowed=f"a mask in [0, {frame.everything}]")
    return answers


def masses_read(frame: Frame, given: Mapping[Any, Mass]) -> dict[int, Mass]:
    """Read masses by mask: all Fractions where all are rational, doubles otherwise.

    Raises
    ------
    InputError
        If a mass is negative or no number, stands on the empty set, or they do not sum to one.

    >>> masses_read(Frame(["yes", "no"]), {("yes",): Fraction(1, 3), ("yes", "no"): Fraction(2, 3)})
    {1: Fraction(1, 3), 3: Fraction(2, 3)}
    """
    as_number = _kind(given.values())
    read: dict[int, Mass] = {}
    for names, mass in given.items():
        at = f"MassFunction.masses[{names!r}]"
        if not isinstance(mass, Real) or not mass >= 0:
            plain = mass.item() if isinstance(mass, np.generic) else mass
            raise InputError(at, got=plain, allowed="a mass in [0, 1]")
        mask = mask_of(frame, names, at)
        if not mask and mass:
            raise InputError(at, got=mass, allowed="no mass on the empty set")
        if mass:
            read[mask] = read.get(mask, 0) + as_number(mass)
    _sums_to_one(read.values(), "MassFunction.masses")
    return read


def coded(frame: Frame, codes: Iterable[tuple[Mass, Names]]) -> dict[int, Mass]:
    """Add the chances of the codes by what they say, given that they say something possible."""
    drawn = [(chance, mask_of(frame, names)) for chance, names in codes]
    where = "MassFunction.from_codes"
    for at, (chance, _) in enumerate(drawn):
        if not isinstance(chance, Real) or not chance >= 0:
            raise InputError(f"{where}[{at}]", got=chance, allowed="a chance in [0, 1]")
    _sums_to_one([chance for chance, _ in drawn], where)
    said: dict[int, Mass] = {}
    as_number = _kind(chance for chance, _ in drawn)
    for chance, mask in drawn:
        said[mask] = said.get(mask, 0) + as_number(chance)
    impossible = said.pop(0, 0)
    if not any(said.values()):
        raise InputError(where, got="no code that says anything", allowed="at least one that does")
    return {mask: chance / (1 - impossible) for mask, chance in said.items()}


def over_every_set(
    frame: Frame,
    masses: Mapping[int, Mass],
    transform: Callable[[npt.ArrayLike], npt.NDArray[Any]],
) -> npt.NDArray[Any]:
    """Spread masses over every set by mask and sum them; Fractions stay exact.

    Raises
    ------
    InputError
        If the frame has more than 24 answers.

    >>> over_every_set(Frame(["a", "b"]), {1: 0.25, 3: 0.75}, np.asarray).tolist()
    [0.0, 0.25, 0.0, 0.75]
    """
    if len(frame) > LARGEST:
        raise InputError(
            "values over every set",
            got=f"a frame of {len(frame)} answers",
            allowed=f"at most {LARGEST} answers",
            remedy="belief, plausibility and commonality of single sets need focal sets alone",
        )
    exact = isinstance(next(iter(masses.values())), Fraction)
    total = lcm(*(mass.denominator for mass in masses.values() if isinstance(mass, Fraction)))
    whole = exact and total >= _EXACT_DOUBLES  # else doubles add units of the total exactly
    spread = np.zeros(1 << len(frame), dtype=object if whole else np.float64)
    for focal, mass in masses.items():
        spread[focal] = int(mass * total) if exact else mass
    sums = transform(spread)
    if exact:
        distinct, where = np.unique(sums, return_inverse=True)
        sums = np.array([Fraction(int(one), total) for one in distinct], dtype=object)[where]
    sums.setflags(write=False)
    return sums


def _kind(masses: Iterable[Mass]) -> Callable[[Any], Mass]:
    return Fraction if all(isinstance(mass, Rational) for mass in masses if mass) else float


def _sums_to_one(masses: Iterable[Mass], where: str) -> None:
    known = list(masses)
    exact = all(isinstance(mass, Rational) for mass in known)
    total: Mass = sum(known) if exact else fsum(known)
    if not (total == 1 if exact else abs(float(total) - 1) <= TOLERANCE):
        raise InputError(where, got=f"sum {total}", allowed="masses that sum to one")
