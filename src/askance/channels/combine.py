"""Two bodies of evidence made one, and several questions at once: the frame of all combinations."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from itertools import product
from math import fsum
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels import lattice
from askance.channels.frame import Frame
from askance.channels.lattice import Mass
from askance.channels.mass_functions import MassFunction
from askance.errors import InputError, refuse_unknown
from askance.results import kept_mapping

_Array: TypeAlias = npt.NDArray[Any]


@final
class Rule(Enum):
    """How the focal sets of two independent sources meet; each value says it.

    References
    ----------
    Dempster (1967); Dubois and Prade (1986) for the disjunctive rule, Dubois and Prade (1988) for
    the one that bears their names.
    """

    DEMPSTER = "both sources are right: intersect, and share out what contradicts"
    DISJUNCTIVE = "at least one source is right: unite"
    DUBOIS_PRADE = "both are right unless they contradict each other: intersect, else unite"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """Two mass functions combined.

    Attributes
    ----------
    mass : MassFunction
    conflict : Fraction or float
        The chance that independent sources contradict each other: the product mass on pairs of
        disjoint focal sets. Dempster's rule shares it out; the others put it on unions.
    rule : Rule
    """

    mass: MassFunction
    conflict: Mass
    rule: Rule


@checked
def combine(first: MassFunction, second: MassFunction, rule: Rule = Rule.DEMPSTER) -> Combination:
    r"""Combine two independent bodies of evidence about one frame.

    .. math:: m(C) \propto \sum_{A * B = C} m_1(A)\, m_2(B)

    Parameters
    ----------
    first, second : MassFunction
        m₁ and m₂, on equal frames; A and B run over their focal sets.
    rule : Rule
        What ``*`` is: intersection, union, or union where the intersection is empty.

    Returns
    -------
    Combination
        Exact where both are exact. In doubles and with very many focal sets, Dempster's and the
        disjunctive rule multiply commonalities or beliefs; small masses are then right to about
        1e-12 in absolute size.

    Raises
    ------
    InputError
        If the frames differ, or the conflict is total under Dempster's rule.

    References
    ----------
    Shafer (1976), chapter 3.

    >>> from askance.channels.frame import Frame
    >>> abc = Frame(["a", "b", "c"])
    >>> one = MassFunction(abc, {("a",): 0.75, ("a", "b", "c"): 0.25})
    >>> other = MassFunction(abc, {("b",): 0.5, ("a", "b", "c"): 0.5})
    >>> both = combine(one, other)
    >>> both.conflict, both.mass
    (0.375, MassFunction(a: 0.6, b: 0.2, a or b or c: 0.2))
    """
    if first.frame != second.frame:
        raise InputError(
            "combine",
            got=f"frames {first.frame.answers} and {second.frame.answers}",
            allowed="two mass functions on one frame",
            remedy="extend both to a product frame first",
        )
    joined, conflict = _joined(first, second, rule)
    if rule is Rule.DEMPSTER:
        if conflict >= 1 or not joined:
            raise InputError(
                "combine",
                got="total conflict: no focal set of one meets a focal set of the other",
                allowed="sources that do not contradict each other altogether",
                remedy="discount one of them, or use Rule.DISJUNCTIVE or Rule.DUBOIS_PRADE",
            )
        left = sum(joined.values()) if first.exact and second.exact else fsum(joined.values())
        joined = {focal: mass / left for focal, mass in joined.items()}
    return Combination(mass=MassFunction(first.frame, joined), conflict=conflict, rule=rule)


def _joined(first: MassFunction, second: MassFunction, rule: Rule) -> tuple[dict[int, Mass], Mass]:
    """The product masses by the rule's set, and the product mass on disjoint pairs."""
    pairs, answers = len(first.masses) * len(second.masses), len(first.frame)
    swift = answers <= lattice.LARGEST and pairs > answers << answers
    if swift and rule is not Rule.DUBOIS_PRADE and not (first.exact and second.exact):
        return _multiplied(first, second, rule)
    joined: dict[int, Mass] = {}
    conflict: Mass = 0
    for focal, mass in first.masses.items():
        for other, beside in second.masses.items():
            met = focal & other
            conflict += 0 if met else mass * beside
            united = rule is Rule.DISJUNCTIVE or (rule is Rule.DUBOIS_PRADE and not met)
            into = focal | other if united else met
            if into:
                joined[into] = joined.get(into, 0) + mass * beside
    return joined, conflict


def _multiplied(
    first: MassFunction, second: MassFunction, rule: Rule
) -> tuple[dict[int, Mass], Mass]:
    """Multiply commonalities (or beliefs): the transform turns the sum over pairs into products."""
    masses = [_spread(one) for one in (first, second)]
    conflict = float(masses[0] @ (masses[1].sum() - lattice.meeting_sums(masses[1])))
    there, back = lattice.superset_sums, lattice.superset_differences
    if rule is Rule.DISJUNCTIVE:
        there, back = lattice.subset_sums, lattice.subset_differences
    product = _through(masses, there, back)
    # Counts of pairs are whole numbers below 2^53: they tell focal sets from rounding exactly.
    pairs = _through([(one > 0).astype(float) for one in masses], there, back)
    focal = np.flatnonzero((pairs > 0) & (product > 0) & (np.arange(len(pairs)) > 0))
    return {int(mask): float(product[mask]) for mask in focal}, conflict


def _through(
    pair: list[_Array], there: Callable[[_Array], _Array], back: Callable[[_Array], _Array]
) -> _Array:
    return back(there(pair[0]) * there(pair[1]))


def _spread(one: MassFunction) -> _Array:
    array = np.zeros(1 << len(one.frame))
    array[list(one.masses)] = [float(mass) for mass in one.masses.values()]
    return array


@final
@dataclass(frozen=True, slots=True, init=False)
class ProductFrame:
    """The combinations of answers to several questions, the last varying fastest.

    Parameters
    ----------
    parts : mapping of str to Frame
        The questions' frames by name.

    Attributes
    ----------
    joint : Frame
        The combinations, named such as "yes, red".

    Raises
    ------
    InputError
        If there is no part.

    References
    ----------
    Shafer (1976), chapters 6 and 7: refinings, marginals and vacuous extensions.

    >>> yn = Frame(["yes", "no"])
    >>> both = ProductFrame({"smokes": yn, "drinks": yn})
    >>> both.joint.answers
    ('yes, yes', 'yes, no', 'no, yes', 'no, no')
    """

    parts: Mapping[str, Frame]
    joint: Frame

    @checked
    def __init__(self, parts: Mapping[str, Frame]) -> None:
        if not parts:
            raise InputError("ProductFrame.parts", got=parts, allowed="one or more frames by name")
        combinations = product(*(frame.answers for frame in parts.values()))
        object.__setattr__(self, "parts", kept_mapping(parts))
        object.__setattr__(self, "joint", Frame(", ".join(one) for one in combinations))

    def rectangle(self, sides: Mapping[str, Iterable[str]]) -> int:
        """The combinations whose answers lie in these sets, as a mask of the joint frame.

        A part that is left out may be anything.

        >>> yn = Frame(["yes", "no"])
        >>> ProductFrame({"smokes": yn, "drinks": yn}).rectangle({"drinks": ["no"]})
        10
        """
        for part in sides:
            self._part(part)
        masks = [
            frame.mask(sides[part]) if part in sides else frame.everything
            for part, frame in self.parts.items()
        ]
        return self._cross(masks)

    def extend(self, part: str, mass: MassFunction) -> MassFunction:
        """Read evidence about one part as evidence about the combinations that says no more.

        >>> yn = Frame(["yes", "no"])
        >>> both = ProductFrame({"smokes": yn, "drinks": yn})
        >>> both.extend("smokes", MassFunction(yn, {("yes",): 0.5, ("yes", "no"): 0.5})).focal_sets
        (('yes, yes', 'yes, no'), ('yes, yes', 'yes, no', 'no, yes', 'no, no'))
        """
        frame = self._part(part)
        if mass.frame != frame:
            raise InputError(
                "ProductFrame.extend",
                got=f"a mass function on {', '.join(mass.frame.answers)}",
                allowed=f"one on the frame of {part!r}: {', '.join(frame.answers)}",
            )
        extended: dict[int, Mass] = {}
        for focal, share in mass.masses.items():
            masks = [
                focal if name == part else other.everything for name, other in self.parts.items()
            ]
            extended[self._cross(masks)] = share
        return MassFunction(self.joint, extended)

    def marginal(self, part: str, mass: MassFunction) -> MassFunction:
        """Keep what evidence about the combinations says about one part.

        >>> yn = Frame(["yes", "no"])
        >>> both = ProductFrame({"smokes": yn, "drinks": yn})
        >>> m = MassFunction(both.joint, {("yes, yes", "yes, no"): 0.5, ("yes, no", "no, no"): 0.5})
        >>> both.marginal("smokes", m)
        MassFunction(yes: 0.5, yes or no: 0.5)
        """
        frame = self._part(part)
        if mass.frame != self.joint:
            raise InputError(
                "ProductFrame.marginal",
                got=f"a mass function on {len(mass.frame)} other answers",
                allowed="one on the joint frame",
            )
        at = list(self.parts).index(part)
        sides = list(product(*(range(len(one)) for one in self.parts.values())))
        shadow: dict[int, Mass] = {}
        for focal, share in mass.masses.items():
            seen = {sides[place][at] for place in self.joint.places(focal)}
            onto = sum(1 << answer for answer in seen)
            shadow[onto] = shadow.get(onto, 0) + share
        return MassFunction(frame, shadow)

    def independent(self, masses: Mapping[str, MassFunction]) -> MassFunction:
        """Join independent evidence about the parts: random-set independence.

        The focal sets are rectangles, and their masses are products. A part that is left out stays
        unknown.

        >>> yn = Frame(["yes", "no"])
        >>> both = ProductFrame({"smokes": yn, "drinks": yn})
        >>> half = MassFunction(yn, {("yes",): 0.5, ("yes", "no"): 0.5})
        >>> both.independent({"smokes": half, "drinks": half}).belief(["yes, yes"])
        0.25
        """
        vacuous = MassFunction(self.joint, {self.joint.everything: 1})
        extended = [self.extend(part, mass) for part, mass in masses.items()]
        return reduce(lambda one, other: combine(one, other).mass, extended, vacuous)

    def _cross(self, masks: list[int]) -> int:
        """Cross one mask per part: bit by bit, the last part varying fastest."""
        crossed, size = 1, 1
        for mask, frame in zip(reversed(masks), reversed(list(self.parts.values())), strict=True):
            crossed = sum(crossed << size * at for at in frame.places(mask))
            size *= len(frame)
        return crossed

    def _part(self, part: str) -> Frame:
        refuse_unknown("part", part, self.parts)
        return self.parts[part]
