"""The probabilities that a mass function allows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import isfinite
from numbers import Rational, Real
from operator import or_
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.arguments import refusal
from askance.channels.evidence import MassFunction
from askance.channels.reading import TOLERANCE, Mass
from askance.errors import InputError

_FEW = 8  # 8! = 40,320 corners
_Focal: TypeAlias = tuple[int, ...]
_Point: TypeAlias = tuple[Mass, ...]


@final
@dataclass(frozen=True, slots=True)
class CredalSet:
    """Every probability that gives each set of answers at least its belief.

    Whoever resolves vague reports as they like, by whatever rule, gets one of these (Walley, 1991).

    Parameters
    ----------
    mass : MassFunction

    >>> from askance.channels.frame import Frame
    >>> m = MassFunction(Frame(["yes", "no"]), {("yes",): 0.5, ("no",): 0.25, ("yes", "no"): 0.25})
    >>> allowed = CredalSet(m)
    >>> allowed.contains([0.6, 0.4]), allowed.contains([0.9, 0.1])
    (True, False)
    >>> allowed.lower([1, 0]), allowed.upper([1, 0])
    (0.5, 0.75)
    """

    mass: MassFunction

    def __post_init__(self) -> None:
        given: object = self.mass
        if not isinstance(given, MassFunction):
            raise refusal("CredalSet.mass", given, (MassFunction,))

    def contains(self, chances: npt.ArrayLike) -> bool:
        """Say whether a probability is allowed: no set has less chance than belief.

        Parameters
        ----------
        chances : array_like, shape (k,)
            One chance per answer; exact if all are Fractions and the masses are.

        Raises
        ------
        InputError
            If these are not k chances that sum to one, or the frame has over 24 answers.
        """
        given = self._values(chances, "chances")
        exact = self._exactly(given)
        slack = Fraction(0) if exact else TOLERANCE
        excess: Any = sum(given) - 1
        if any(one + slack < 0 for one in given) or abs(excess) > slack:
            raise InputError("chances", got=given, allowed="chances in [0, 1] that sum to one")
        beliefs = self.mass.beliefs()
        sums = np.zeros(1, dtype=object if exact else np.float64)
        for chance in given:
            sums = np.concatenate([sums, sums + chance])
        return bool(np.all(sums >= beliefs - slack))

    def lower(self, values: npt.ArrayLike) -> Mass:
        r"""Give the least mean of a number that depends on the answer.

        .. math:: \underline{E}\varphi = \sum_E m(E) \min_{y \in E} \varphi(y)

        Parameters
        ----------
        values : array_like, shape (k,)
            φ: the number for each answer.

        Raises
        ------
        InputError
            If these are not k finite numbers.

        References
        ----------
        Choquet (1954), whose integral this is; Walley (1991).
        """
        given = self._values(values, "values")
        return self._mean(given, min)

    def upper(self, values: npt.ArrayLike) -> Mass:
        """Give the greatest mean of a number that depends on the answer; see `lower`."""
        given = self._values(values, "values")
        return self._mean(given, max)

    def extreme_points(self) -> npt.NDArray[Any]:
        """List the corners of the set: one for each order in which answers claim focal sets.

        In an order of the answers, the first gets all the mass that can be its own, the second all
        that is left and can be its own, and so on. Different orders may give one corner.

        Returns
        -------
        array, shape (c, k)
            Distinct corners; at most k! of them.

        Raises
        ------
        InputError
            If the frame has more than 8 answers.

        References
        ----------
        Shapley (1971), theorem 3, for convex games; Dempster (1967).

        >>> from askance.channels.frame import Frame
        >>> CredalSet(MassFunction(Frame(["yes", "no"]), {3: 1})).extreme_points().tolist()
        [[Fraction(0, 1), Fraction(1, 1)], [Fraction(1, 1), Fraction(0, 1)]]
        """
        answers = len(self.mass.frame)
        if answers > _FEW:
            raise InputError(
                "CredalSet.extreme_points",
                got=f"{answers} answers",
                allowed=f"at most {_FEW}: there may be as many corners as orders of the answers",
                remedy="lower() and upper() give the range of any mean, on any frame",
            )
        points = _corners(self.mass, tuple(self.mass.masses), {})
        return np.array(sorted(points), dtype=object if self.mass.exact else np.float64)

    def _mean(self, values: list[Mass], choose: Callable[[Iterable[Mass]], Mass]) -> Mass:
        places = self.mass.frame.places
        chosen = (
            mass * choose(values[at] for at in places(focal))
            for focal, mass in self.mass.masses.items()
        )
        return sum(chosen, Fraction(0) if self._exactly(values) else 0.0)

    def _exactly(self, values: list[Mass]) -> bool:
        return self.mass.exact and isinstance(values[0], Fraction)

    def _values(self, given: npt.ArrayLike, where: str) -> list[Mass]:
        """Read one finite number per answer: all Fractions, or all doubles."""
        answers = len(self.mass.frame)
        try:
            values = np.asarray(given).tolist()
        except ValueError as error:
            raise InputError(where, got=str(error), allowed=f"{answers} numbers") from error
        if not isinstance(values, list) or len(values) != answers:
            raise InputError(where, got=values, allowed=f"{answers} numbers, one per answer")
        if not all(isinstance(value, Real) and isfinite(value) for value in values):
            raise InputError(where, got=values, allowed="finite numbers")
        exact = all(isinstance(value, Rational) for value in values)
        return [Fraction(value) if exact else float(value) for value in values]


def _corners(mass: MassFunction, left: _Focal, known: dict[_Focal, set[_Point]]) -> set[_Point]:
    """List the ways to hand the focal sets that are left to the answers, in every order."""
    if left not in known:
        nothing = mass.belief(0)
        found = set() if left else {(nothing,) * len(mass.frame)}
        for at in mass.frame.places(reduce(or_, left, 0)):
            claimed = [focal for focal in left if focal >> at & 1]
            gain = sum((mass.masses[focal] for focal in claimed), nothing)
            rest = tuple(focal for focal in left if not focal >> at & 1)
            found |= {(*one[:at], gain, *one[at + 1 :]) for one in _corners(mass, rest, known)}
        known[left] = found
    return known[left]
