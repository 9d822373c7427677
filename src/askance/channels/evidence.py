"""Mass functions on a frame: belief, plausibility and commonality (Shafer, 1976)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import numpy as np

from askance.channels.frame import Frame
from askance.errors import InputError
from askance.typing import Floats

_TOLERANCE = 1e-9


@final
@dataclass(frozen=True, slots=True, init=False)
class MassFunction:
    """A probability distribution over sets of answers (Shafer, 1976, chapter 2).

    Parameters
    ----------
    frame : Frame
    masses : mapping of (iterable of str) to float
        Mass of each focal set; non-negative, sum one, none on the empty set.

    Raises
    ------
    InputError
        If a mass is negative or missing, stands on the empty set, or the masses do not sum to one.

    >>> yn = Frame(["yes", "no"])
    >>> m = MassFunction(yn, {("yes",): 0.6, ("no",): 0.1, ("yes", "no"): 0.3})
    >>> m.belief(["yes"]), round(m.plausibility(["yes"]), 12), m.commonality(["yes", "no"])
    (0.6, 0.9, 0.3)
    """

    frame: Frame
    masses: Mapping[int, float]

    def __init__(self, frame: Frame, masses: Mapping[tuple[str, ...], float]) -> None:
        read: dict[int, float] = {}
        for names, mass in masses.items():
            where = f"MassFunction.masses[{names!r}]"
            mask = frame.mask(names)
            if not mass >= 0:
                raise InputError(where, got=mass, allowed="a mass in [0, 1]")
            if not mask and mass:
                raise InputError(where, got=mass, allowed="no mass on the empty set")
            if mass:
                read[mask] = read.get(mask, 0.0) + float(mass)
        if not abs(sum(read.values()) - 1) <= _TOLERANCE:
            raise InputError(
                "MassFunction.masses",
                got=f"sum {sum(read.values())}",
                allowed="masses that sum to one",
            )
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "masses", MappingProxyType(read))

    def belief(self, answers: Iterable[str]) -> float:
        """Give bel(A): the mass of the focal sets inside A."""
        within = self.frame.mask(answers)
        return sum(mass for focal, mass in self.masses.items() if not focal & ~within)

    def plausibility(self, answers: Iterable[str]) -> float:
        """Give pl(A): the mass of the focal sets that meet A."""
        met = self.frame.mask(answers)
        return sum(mass for focal, mass in self.masses.items() if focal & met)

    def commonality(self, answers: Iterable[str]) -> float:
        """Give q(A): the mass of the focal sets that contain A."""
        part = self.frame.mask(answers)
        return sum(mass for focal, mass in self.masses.items() if focal & part == part)

    def pignistic(self) -> Floats:
        """Share every focal mass equally among its answers; shape (k,) (Smets, 1990)."""
        shares = np.zeros(len(self.frame))
        for focal, mass in self.masses.items():
            members = [at for at in range(len(self.frame)) if focal >> at & 1]
            shares[members] += mass / len(members)
        return shares
