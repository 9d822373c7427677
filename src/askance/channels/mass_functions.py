"""Mass functions on a frame (Shafer, 1976), the probabilities that they allow, and both as JSON."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise
from math import isfinite
from numbers import Rational, Real
from operator import or_
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.channels import frame as lattice
from askance.channels.frame import (
    TOLERANCE,
    Frame,
    Mass,
    Names,
    coded,
    mask_of,
    masses_read,
    over_every_set,
)
from askance.results import kept_mapping
from askance.typing import Json
from askance_collect.arguments import checked, refusal
from askance_collect.errors import DocumentError, InputError
from askance_collect.exact.ratio import chance, read_ratio

_FRACTION = re.compile(r"[0-9]{1,4000}/0*[1-9][0-9]{0,3999}")  # a text of digits is read so far


def masses_written(frame: Frame, masses: Mapping[int, Mass]) -> Json:
    """Write masses set by set.

    >>> masses_written(Frame(["a"]), {1: Fraction(1)})
    {'frame': ['a'], 'masses': [{'set': ['a'], 'mass': '1'}]}
    """
    entries = [
        {"set": list(frame.names(focal)), "mass": mass}
        for focal, mass in zip(masses, numbers_written(masses.values()), strict=True)
    ]
    return {"frame": list(frame.answers), "masses": entries}


def masses_opened(written: Any) -> tuple[Frame, dict[int, Mass]]:
    """Read what `masses_written` wrote.

    Raises
    ------
    DocumentError
        If a part is missing, unknown, twice there or no number.

    >>> masses_opened({"frame": ["a"], "masses": [{"set": ["a"], "mass": "1"}]})
    (Frame(answers=('a',)), {1: Fraction(1, 1)})
    """
    answers, entries = opened(written, "mass function", ("frame", "masses"))
    frame = Frame(strings(answers, "frame"))
    parts = [
        opened(entry, f"masses[{i}]", ("set", "mass"))
        for i, entry in enumerate(listed(entries, "masses"))
    ]
    shares = numbers_read([share for _, share in parts], "masses")
    masses: dict[int, Mass] = {}
    for i, ((names, _), share) in enumerate(zip(parts, shares, strict=True)):
        focal = frame.mask(strings(names, f"masses[{i}].set"))
        if focal in masses:
            raise DocumentError(f"masses[{i}].set", got=names, allowed="each set once")
        masses[focal] = share
    return frame, masses


def channel_opened(
    written: Any,
) -> tuple[Frame, Frame, dict[str, list[str]], list[list[Any]]]:
    """Read a channel's frame, output, reports with meanings, and rows.

    Raises
    ------
    DocumentError
        If a part is missing, unknown, twice there or of the wrong kind.

    >>> report = {"name": "a", "means": ["a"]}
    >>> document = {"frame": ["a"], "output": ["a"], "reports": [report], "matrix": [["1"]]}
    >>> channel_opened(document)[2:]
    ({'a': ['a']}, [[Fraction(1, 1)]])
    """
    parts = ("frame", "output", "reports", "matrix")
    answers, outputs, entries, matrix = opened(written, "channel", parts)
    reports: dict[str, list[str]] = {}
    for i, entry in enumerate(listed(entries, "reports")):
        name, means = opened(entry, f"reports[{i}]", ("name", "means"))
        if not isinstance(name, str) or name in reports:
            raise DocumentError(f"reports[{i}].name", got=name, allowed="different names")
        reports[name] = strings(means, f"reports[{i}].means")
    rows = [
        numbers_read(listed(row, f"matrix[{i}]"), f"matrix[{i}]")
        for i, row in enumerate(listed(matrix, "matrix"))
    ]
    return Frame(strings(answers, "frame")), Frame(strings(outputs, "output")), reports, rows


def opened(written: Any, where: str, parts: Sequence[str]) -> tuple[Any, ...]:
    """Take a JSON object apart.

    Raises
    ------
    DocumentError
        If it is no object, or a part is missing or unknown.

    >>> opened({"frame": ["a"], "masses": []}, "mass function", ("frame", "masses"))
    (['a'], [])
    """
    if not isinstance(written, dict) or set(written) != set(parts):
        summary = sorted(written) if isinstance(written, dict) else type(written).__name__
        raise DocumentError(where, got=summary, allowed=f"an object with {', '.join(parts)}")
    return tuple(written[part] for part in parts)


def numbers_written(numbers: Iterable[Mass]) -> list[str | float]:
    """Write Fractions as strings such as "3/5" and doubles as they are.

    >>> numbers_written([Fraction(3, 5), Fraction(2)]), numbers_written([0.6])
    (['3/5', '2'], [0.6])
    """
    return [str(number) if isinstance(number, Fraction) else float(number) for number in numbers]


def numbers_read(written: Iterable[Any], where: str) -> list[Mass]:
    """Read numbers back: exactly where all are strings or integers, as doubles otherwise.

    Raises
    ------
    DocumentError
        If one is no number.

    >>> numbers_read(["3/5", 2], "row"), numbers_read(["3/5", 0.5], "row")
    ([Fraction(3, 5), Fraction(2, 1)], [0.6, 0.5])
    """
    values = list(written)
    try:
        exact = [_number(value, f"{where}[{i}]") for i, value in enumerate(values)]
    except InputError as error:
        raise DocumentError(error.where, got=error.got, allowed=error.allowed) from error
    if any(isinstance(value, float) for value in values):
        return [
            value if isinstance(value, float) else float(exact[i]) for i, value in enumerate(values)
        ]
    return list(exact)


def _number(value: Any, where: str) -> Fraction:
    """Read a number; a fraction of any length, since `numbers_written` writes them so."""
    return (
        Fraction(value)
        if isinstance(value, str) and _FRACTION.fullmatch(value)
        else read_ratio(value, where)
    )


def strings(written: Any, where: str) -> list[str]:
    """Read a list of names.

    >>> strings(["a", "b"], "frame")
    ['a', 'b']
    """
    if not isinstance(written, list) or not all(isinstance(name, str) for name in written):
        raise DocumentError(where, got=written, allowed="a list of names")
    return written


def listed(written: Any, where: str) -> list[Any]:
    """Read a list.

    >>> listed([1], "matrix")
    [1]
    """
    if not isinstance(written, list):
        raise DocumentError(where, got=type(written).__name__, allowed="a list")
    return written


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class MassFunction:
    """A probability distribution over sets of answers (Shafer, 1976, chapter 2).

    Parameters
    ----------
    frame : Frame
    masses : mapping of (iterable of str, or mask) to number
        Mass of each focal set; non-negative, sum one, none on the empty set. Where all masses are
        integers or Fractions, everything computed from them is exact; otherwise it is in doubles.

    Attributes
    ----------
    masses : mapping of int to Fraction or float
        The positive masses, by mask.

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
    masses: Mapping[int, Mass]

    @checked
    def __init__(self, frame: Frame, masses: Mapping[Any, Mass]) -> None:
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "masses", kept_mapping(masses_read(frame, masses)))

    @classmethod
    def from_belief(cls, frame: Frame, beliefs: lattice.SetValues) -> "MassFunction":
        """Find the masses behind the beliefs of every set.

        Parameters
        ----------
        frame : Frame
        beliefs : array_like of shape (2^l,), or mapping of (iterable of str, or mask) to number
            The belief of each set of the l answers; the empty set may be left out of a mapping.

        Raises
        ------
        InputError
            If a set is missing, or this is no belief function; the message names a set at fault.

        References
        ----------
        Shafer (1976), chapter 2, by the Möbius transform.

        >>> yn = Frame(["yes", "no"])
        >>> MassFunction.from_belief(yn, {("yes",): 0.5, ("no",): 0.25, ("yes", "no"): 1})
        MassFunction(yes: 0.5, no: 0.25, yes or no: 0.25)
        """
        return cls(frame, lattice.from_belief(frame, beliefs))

    @classmethod
    def from_plausibility(cls, frame: Frame, plausibilities: lattice.SetValues) -> "MassFunction":
        """Find the masses behind the plausibilities of every set, as in `from_belief`.

        >>> MassFunction.from_plausibility(Frame(["yes", "no"]), [0, 0.75, 0.5, 1])
        MassFunction(yes: 0.5, no: 0.25, yes or no: 0.25)
        """
        return cls(frame, lattice.from_plausibility(frame, plausibilities))

    @classmethod
    def from_commonality(cls, frame: Frame, commonalities: lattice.SetValues) -> "MassFunction":
        """Find the masses behind the commonalities of every set, as in `from_belief`.

        >>> MassFunction.from_commonality(Frame(["yes", "no"]), [1, 0.75, 0.5, 0.25])
        MassFunction(yes: 0.5, no: 0.25, yes or no: 0.25)
        """
        return cls(frame, lattice.from_commonality(frame, commonalities))

    @classmethod
    def from_codes(cls, frame: Frame, codes: Iterable[tuple[Mass, Names]]) -> "MassFunction":
        """Read a message whose code was drawn at random.

        Parameters
        ----------
        frame : Frame
        codes : iterable of (number, iterable of str)
            Each code's chance, which sum to one, and what the message says if that code was used.
            A code by which it says nothing possible was not used: the others share its chance.

        Raises
        ------
        InputError
            If a chance is negative, they do not sum to one, or no code was possible.

        References
        ----------
        Shafer (1981), the canonical examples of randomly coded messages.

        >>> codes = [(0.5, ["yes"]), (0.25, []), (0.25, ["yes", "no"])]
        >>> m = MassFunction.from_codes(Frame(["yes", "no"]), codes)
        >>> round(m.belief(["yes"]), 6)
        0.666667
        """
        return cls(frame, coded(frame, codes))

    @property
    def exact(self) -> bool:
        """Whether the masses are Fractions."""
        return isinstance(next(iter(self.masses.values())), Fraction)

    @property
    def focal_sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets with positive mass, in the order of their masks."""
        return tuple(self.frame.names(focal) for focal in sorted(self.masses))

    @property
    def is_normal(self) -> bool:
        """Whether the empty set has no mass; the constructor admits nothing else."""
        return 0 not in self.masses

    @property
    def is_bayesian(self) -> bool:
        """Whether every focal set is a single answer: belief is then a probability."""
        return all(focal.bit_count() == 1 for focal in self.masses)

    @property
    def is_consonant(self) -> bool:
        """Whether the focal sets are nested: plausibility is then a possibility."""
        chain = sorted(self.masses, key=int.bit_count)
        return all(not inner & ~outer for inner, outer in pairwise(chain))

    @property
    def is_vacuous(self) -> bool:
        """Whether all mass is on the whole frame: nothing is said."""
        return set(self.masses) == {self.frame.full_mask}

    def belief(self, answers: Names) -> Mass:
        """Belief bel(A): the mass of the focal sets inside A."""
        within = mask_of(self.frame, answers)
        return self._sum(mass for focal, mass in self.masses.items() if not focal & ~within)

    def plausibility(self, answers: Names) -> Mass:
        """Plausibility pl(A): the mass of the focal sets that meet A."""
        mask = mask_of(self.frame, answers)
        return self._sum(mass for focal, mass in self.masses.items() if focal & mask)

    def commonality(self, answers: Names) -> Mass:
        """Commonality q(A): the mass of the focal sets that contain A."""
        part = mask_of(self.frame, answers)
        return self._sum(mass for focal, mass in self.masses.items() if focal & part == part)

    def beliefs(self) -> npt.NDArray[Any]:
        """The belief of every set, by mask; shape (2^l,).

        Raises
        ------
        InputError
            If the frame has more than 24 answers; single sets still work.
        """
        return over_every_set(self.frame, self.masses, partial(lattice.subset_sums, copy=False))

    def plausibilities(self) -> npt.NDArray[Any]:
        """The plausibility of every set, by mask, as in `beliefs`."""
        return over_every_set(self.frame, self.masses, partial(lattice.meeting_sums, copy=False))

    def commonalities(self) -> npt.NDArray[Any]:
        """The commonality of every set, by mask, as in `beliefs`."""
        return over_every_set(self.frame, self.masses, partial(lattice.superset_sums, copy=False))

    def contour(self) -> npt.NDArray[Any]:
        """The plausibility of each single answer, shape (k,)."""
        return self._vector(
            [self.plausibility(1 << position) for position in range(len(self.frame))]
        )

    def pignistic(self) -> npt.NDArray[Any]:
        """Share every focal mass equally among its answers; shape (k,) (Smets, 1990)."""
        shares = [self._sum([])] * len(self.frame)
        for focal, mass in self.masses.items():
            share = mass / focal.bit_count()
            for position in self.frame.positions(focal):
                shares[position] += share
        return self._vector(shares)

    def plausibility_transform(self) -> npt.NDArray[Any]:
        """Scale the contour to sum to one; shape (k,) (Cobb & Shenoy, 2006)."""
        contour = self.contour()
        return self._vector((contour / contour.sum()).tolist())

    def condition(self, answers: Names) -> "MassFunction":
        """Learn that the truth is among these answers: Dempster's rule with certain evidence.

        Raises
        ------
        InputError
            If that was held impossible.

        References
        ----------
        Shafer (1976), chapter 3.

        >>> yn = Frame(["yes", "no"])
        >>> MassFunction(yn, {("yes",): 0.6, ("yes", "no"): 0.4}).condition(["no"])
        MassFunction(no: 1.0)
        """
        within = mask_of(self.frame, answers)
        plausibility = self.plausibility(within)
        if not plausibility:
            raise InputError(
                "MassFunction.condition",
                got=" or ".join(self.frame.names(within)) or "no answer",
                allowed="answers of positive plausibility",
            )
        masses: dict[int, Mass] = {}
        for focal, mass in self.masses.items():
            if intersection := focal & within:
                masses[intersection] = masses.get(intersection, self._sum([])) + mass / plausibility
        return MassFunction(self.frame, masses)

    def discount(self, doubt: Mass) -> "MassFunction":
        """Believe the source only so far: keep 1 − doubt of every mass, and say nothing otherwise.

        Raises
        ------
        InputError
            If the doubt is no probability.

        References
        ----------
        Shafer (1976), chapter 11.

        >>> MassFunction(Frame(["yes", "no"]), {("yes",): 1}).discount(Fraction(1, 4))
        MassFunction(yes: 3/4, yes or no: 1/4)
        """
        share = chance(doubt, "doubt") if self.exact else float(chance(doubt, "doubt"))
        masses = {focal: mass * (1 - share) for focal, mass in self.masses.items()}
        everything = self.frame.full_mask
        return MassFunction(self.frame, masses | {everything: masses.get(everything, 0) + share})

    def to_dict(self) -> Json:
        """Write the mass function for JSON; Fractions become strings such as "3/5"."""
        return masses_written(self.frame, self.masses)

    @classmethod
    def from_dict(cls, written: Json) -> "MassFunction":
        """Read what `to_dict` wrote.

        Raises
        ------
        DocumentError
            If a part is missing, unknown or no number.

        >>> m = MassFunction(Frame(["a", "b"]), {1: Fraction(1, 3), 3: Fraction(2, 3)})
        >>> MassFunction.from_dict(m.to_dict()) == m
        True
        """
        return cls(*masses_opened(written))

    def __hash__(self) -> int:
        return hash((self.frame, frozenset(self.masses.items())))

    def __repr__(self) -> str:
        texts = (
            f"{' or '.join(self.frame.names(focal))}: {self.masses[focal]}" for focal in self.masses
        )
        return f"MassFunction({', '.join(texts)})"

    def _sum(self, masses: Iterable[Mass]) -> Mass:
        return sum(masses, Fraction(0) if self.exact else 0.0)

    def _vector(self, values: list[Mass]) -> npt.NDArray[Any]:
        array = np.array(values, dtype=object if self.exact else np.float64)
        array.setflags(write=False)
        return array


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
        mass: object = self.mass
        if not isinstance(mass, MassFunction):
            raise refusal("CredalSet.mass", mass, (MassFunction,))

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
        probabilities = self._values(chances, "chances")
        exact = self._exactly(probabilities)
        slack = Fraction(0) if exact else TOLERANCE
        excess: Any = sum(probabilities) - 1
        if any(probability + slack < 0 for probability in probabilities) or abs(excess) > slack:
            raise InputError(
                "chances", got=probabilities, allowed="chances in [0, 1] that sum to one"
            )
        beliefs = self.mass.beliefs()
        sums = np.zeros(1, dtype=object if exact else np.float64)
        for probability in probabilities:
            sums = np.concatenate([sums, sums + probability])
        return bool(np.all(sums >= beliefs - slack))

    def lower(self, values: npt.ArrayLike) -> Mass:
        r"""The least mean of a number that depends on the answer.

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
        listed_values = self._values(values, "values")
        return self._mean(listed_values, min)

    def upper(self, values: npt.ArrayLike) -> Mass:
        """The greatest mean of a number that depends on the answer; see `lower`."""
        listed_values = self._values(values, "values")
        return self._mean(listed_values, max)

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
        places = self.mass.frame.positions
        chosen = (
            mass * choose(values[position] for position in places(focal))
            for focal, mass in self.mass.masses.items()
        )
        return sum(chosen, Fraction(0) if self._exactly(values) else 0.0)

    def _exactly(self, values: list[Mass]) -> bool:
        return self.mass.exact and isinstance(values[0], Fraction)

    def _values(self, array: npt.ArrayLike, where: str) -> list[Mass]:
        """Read one finite number per answer: all Fractions, or all doubles."""
        answers = len(self.mass.frame)
        try:
            values = np.asarray(array).tolist()
        except ValueError as error:
            raise InputError(where, got=str(error), allowed=f"{answers} numbers") from error
        if not isinstance(values, list) or len(values) != answers:
            raise InputError(where, got=values, allowed=f"{answers} numbers, one per answer")
        if not all(isinstance(value, Real) and isfinite(value) for value in values):
            raise InputError(where, got=values, allowed="finite numbers")
        exact = all(isinstance(value, Rational) for value in values)
        return [Fraction(value) if exact else float(value) for value in values]


def _corners(
    mass: MassFunction, remaining: _Focal, cache: dict[_Focal, set[_Point]]
) -> set[_Point]:
    """List the ways to hand the focal sets that are left to the answers, in every order."""
    if remaining not in cache:
        nothing = mass.belief(0)
        corners = set() if remaining else {(nothing,) * len(mass.frame)}
        for answer in mass.frame.positions(reduce(or_, remaining, 0)):
            claimed = [focal for focal in remaining if focal >> answer & 1]
            gain = sum((mass.masses[focal] for focal in claimed), nothing)
            rest = tuple(focal for focal in remaining if not focal >> answer & 1)
            corners |= {
                (*corner[:answer], gain, *corner[answer + 1 :])
                for corner in _corners(mass, rest, cache)
            }
        cache[remaining] = corners
    return cache[remaining]
