"""What every recipe can do, and recipes at a privacy level, which find their chances themselves."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.exact.level import log_nearest, loss_bound
from askance.exact.ratio import LARGEST_TOTAL, chance, just_below
from askance.exact.ratio import ratio as read_ratio

if TYPE_CHECKING:
    from askance.channels import RangeChannel, RingChannel
    from askance.exact import Line


class AbstractMechanism(ABC):
    """A recipe for questions with named answers."""

    __slots__ = ()
    name: ClassVar[str]

    @abstractmethod
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""

    @abstractmethod
    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""


class AbstractRangeMechanism(ABC):
    """A recipe for numbers on a line.

    ``narrow`` says whether a person is asked one step narrower at a time and may stop at any.
    """

    __slots__ = ()
    name: ClassVar[str]
    narrow: ClassVar[bool]

    @abstractmethod
    def channel(self, line: "Line") -> "RangeChannel | RingChannel":
        """Yield the exact law of the ranges on this line."""

    @abstractmethod
    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""


Recipe = TypeVar("Recipe", bound=AbstractMechanism)
Made = Callable[[Fraction, Fraction, Frame], Recipe]
"""Makes a recipe from the chance of the truth, that of each other answer, and the answers."""

_NEAR = Fraction(1, 1 << 53)  # of the ratio is given up at first
_FEW = 1 << 16  # with a finer chance to answer, a table has no room left for the ratio


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class AtLevel(Generic[Recipe]):
    """A recipe at a privacy level: as truthful as a bound on local differential privacy allows.

    With k answers, of which the report is one with chance c, the truth has the chance
    c r/(r + k − 1) and each other answer c/(r + k − 1), where r is e^ε, if that is a fraction which
    a table can hold, or one just below it: as near as a double where the table has room. So the
    loss is ε for every number of answers, and never more.

    Attributes
    ----------
    most : Fraction
        e^ε, rounded down in the 50th digit, or as it was given.
    answered : Fraction
        c, exactly. Where its denominator is over 2^16, a table that can be drawn is found when the
        form is published.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), the randomised response mechanism; Li, Zhou, Qin & Xu (2022),
    Corollary 12, with the constant as corrected in the explanation pages.

    >>> from askance.mechanisms.randomised_response import KAry
    >>> level = KAry.at_epsilon(ratio="3")
    >>> level.on(Frame(["yes", "no"])), level.on(Frame(["a", "b", "c"]))
    (KAry(truth=Fraction(3, 4)), KAry(truth=Fraction(3, 5)))
    """

    most: Fraction
    answered: Fraction
    told: tuple[tuple[str, str], ...]
    made: Made[Recipe] = field(repr=False)
    title: str = field(repr=False)

    def __init__(
        self,
        title: str,
        made: Made[Recipe],
        epsilon: object,
        ratio: object,
        answered: object = None,
    ) -> None:
        share = chance(1 if answered is None else answered, f"{title}.answered")
        level = ("ratio", ratio) if epsilon is None else ("epsilon", epsilon)
        object.__setattr__(self, "most", loss_bound(epsilon, ratio))
        object.__setattr__(self, "answered", share)
        told = {level[0]: str(read_ratio(level[1]))}
        told |= {} if answered is None else {"answered": str(share)}
        object.__setattr__(self, "told", tuple(told.items()))
        object.__setattr__(self, "made", made)
        object.__setattr__(self, "title", title)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.told)
        return f"{self.title}.at_epsilon({given})"

    def on(self, frame: Frame) -> Recipe:
        """The recipe with its chances for these answers."""
        return self.made(*level_chances(self.most, len(frame), self.answered), frame)

    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""
        return self.on(frame).channel(frame)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        return dict(self.told)


def level_chances(most: Fraction, answers: int, share: Fraction) -> tuple[Fraction, Fraction]:
    """The chance of the truth and of each other answer: their ratio is at most ``most``.

    >>> level_chances(Fraction(3), 3, Fraction(1, 2))
    (Fraction(3, 10), Fraction(1, 10))
    """
    others, total, near = answers - 1, LARGEST_TOTAL // share.denominator, _simplest(most)
    known = (one.as_integer_ratio() for one in (most, near))
    fits = (pair for pair in known if pair[0] + others * pair[1] <= total)
    fine = share.denominator > _FEW
    fitting = near.as_integer_ratio() if fine else largest_ratio(most, others, total)
    truth, lie = next(fits, fitting)
    part = share / (truth + others * lie)
    return truth * part, lie * part


def _simplest(most: Fraction) -> Fraction:
    """Find a simple fraction just below a ratio whose logarithm rounds to the same double."""
    near, asked = _NEAR, log_nearest(most)
    while log_nearest(found := just_below(most, near)) != asked:
        near /= 8
    return found


def largest_ratio(most: Fraction, others: int, total: int) -> tuple[int, int]:
    """Find the largest a/b up to a ratio of 1 or more with a + others · b ≤ total.

    Down the Stern–Brocot tree: of two neighbours, one not above and one above the
    ratio, no fraction between has smaller parts than their sum.
    """
    (a, b), (c, d) = (1, 1), (1, 0)
    while (gap := most * b - a) and a + c + others * (b + d) <= total:
        over = c - most * d
        steps = min(math.floor(gap / over), (total - a - others * b) // (c + others * d))
        a, b = a + steps * c, b + steps * d
        if not steps:
            back = math.ceil(over / gap) - 1
            c, d = c + back * a, d + back * b
    return a, b
