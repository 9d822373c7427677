"""Several questions at once: the frame of all combinations of their answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import product
from types import MappingProxyType
from typing import Any, final

from askance.arguments import checked
from askance.channels.combine import combine
from askance.channels.evidence import MassFunction
from askance.channels.frame import Frame
from askance.channels.reading import Mass
from askance.errors import InputError, refuse_unknown


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
        object.__setattr__(self, "parts", MappingProxyType(dict(parts)))
        object.__setattr__(self, "joint", Frame(", ".join(one) for one in combinations))

    def rectangle(self, sides: Mapping[str, Iterable[str]]) -> int:
        """Give the combinations whose answers lie in these sets, as a mask of the joint frame.

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

    def __reduce__(self) -> tuple[Any, ...]:
        return ProductFrame, (dict(self.parts),)

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
