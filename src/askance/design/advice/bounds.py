"""How truthful a report may be under stated privacy."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import final

from askance.channels.frame import Frame
from askance.design.optimum.constraint import AbstractConstraint, Advantage, LocalPrivacy, Walley
from askance.design.optimum.limits import Limits
from askance.errors import InputError
from askance.exact.level import NAMES, Names, loss_bound
from askance.exact.ratio import ratio as read_ratio
from askance.privacy.guarantee import Guarantee, Notion


@final
@dataclass(frozen=True, slots=True, init=False)
class Bounds:
    """What is asked of a mechanism: any of three bounds, at least one.

    Parameters
    ----------
    epsilon : number, optional
        The local loss, which for reports of different meanings is Shafer's loss too, in (0, 12].
    walley : number, optional
        Walley's loss, in (0, 12].
    ratio, walley_ratio : number, optional
        e to these losses instead, exactly.
    advantage : probability, optional
        How much better than chance a report lets anyone tell two answers apart, in (0, 1).

    Raises
    ------
    InputError
        If nothing is bounded or a bound is outside its range.

    >>> Bounds(epsilon=1, advantage="1/4").told, Bounds(ratio=6).told
    ('local ε ≤ 1, advantage ≤ 0.25', 'local ε ≤ ln 6')
    """

    local: Fraction | None
    walley: Fraction | None
    advantage: Fraction | None
    told: str
    constraints: tuple[AbstractConstraint, ...]

    def __init__(
        self,
        *,
        epsilon: object = None,
        walley: object = None,
        advantage: object = None,
        ratio: object = None,
        walley_ratio: object = None,
    ) -> None:
        asked = {
            "local ε ≤ ": epsilon,
            "local ε ≤ ln ": ratio,
            "Walley's ε ≤ ": walley,
            "Walley's ε ≤ ln ": walley_ratio,
            "advantage ≤ ": advantage,
        }
        given = {name: to for name, to in asked.items() if to is not None}
        if not given:
            raise InputError(
                "privacy", got="no bound", allowed="a bound on epsilon, on advantage, or both"
            )
        object.__setattr__(self, "local", _loss(epsilon, ratio, NAMES))
        object.__setattr__(self, "walley", _loss(walley, walley_ratio, ("walley", "walley_ratio")))
        object.__setattr__(self, "advantage", _share(advantage))
        told = [f"{name}{float(read_ratio(to, 'bound')):g}" for name, to in given.items()]
        object.__setattr__(self, "told", ", ".join(told))
        bounds = (("local", LocalPrivacy), ("walley", Walley))
        losses = ((kind, getattr(self, name)) for name, kind in bounds)
        found = [kind(ratio=most) for kind, most in losses if most is not None]
        caps = [Advantage(self.advantage)] if self.advantage is not None else []
        object.__setattr__(self, "constraints", (*found, *caps))

    def limits(self, frame: Frame) -> Limits:
        """Ask all of it of a channel.

        >>> Bounds(advantage="1/2").limits(Frame(["yes", "no"])).caps[0].limit
        Fraction(1, 2)
        """
        asked = Limits.free(frame)
        for constraint in self.constraints:
            asked = constraint.tighten(asked)
        return asked

    def kept_by(self, guarantees: Sequence[Guarantee]) -> bool:
        """Say whether a channel with these guarantees keeps all of it.

        >>> from askance.mechanisms.warner import Warner
        >>> from askance.privacy.losses import local_loss
        >>> told = local_loss(Warner(truth="3/4").channel(Frame(["yes", "no"])))
        >>> [Bounds(epsilon=epsilon).kept_by([told]) for epsilon in (1, 2)]  # ln 3
        [False, True]
        """
        most = {
            Notion.LOCAL: self.local,
            Notion.WALLEY: self.walley,
            Notion.ADVANTAGE: self.advantage,
        }
        bounded = ((one.value, most.get(one.notion)) for one in guarantees)
        return all(limit is None or value <= limit for value, limit in bounded)

    def lines(self, answers: int) -> tuple[tuple[Fraction, Fraction], ...]:
        """Give bounds on the truth p as lines in the chance c that a report names an answer.

        With (c − p)/(k − 1) for each other answer, p ≤ c, p/q ≤ e^ε, (p + 1 − c)/q ≤ e^ε_W and
        p − q ≤ δ are p ≤ slope · c + start.

        >>> Bounds(advantage="1/2").lines(2)
        ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 4)))
        """
        others = answers - 1
        found = [(Fraction(1), Fraction(0))]
        if self.local is not None:
            found.append((self.local / (self.local + others), Fraction(0)))
        if self.walley is not None:
            whole = self.walley + others
            found.append((Fraction(1), Fraction(-others) / whole))
        if self.advantage is not None:
            found.append((Fraction(1, answers), self.advantage * others / answers))
        return tuple(found)

    def most_truth(self, answered: int, total: int, answers: int) -> int:
        """Give the most parts of `total` that tell the truth, if so many name an answer.

        Rounded down; it can be negative, where so much silence is not allowed.

        >>> Bounds(advantage="1/2").most_truth(10, 10, 2)
        7
        """
        return min(
            (
                slope.numerator * start.denominator * answered
                + start.numerator * slope.denominator * total
            )
            // (slope.denominator * start.denominator)
            for slope, start in self.lines(answers)
        )

    def kinks(self, answers: int) -> tuple[Fraction, ...]:
        """List the chances of naming an answer at which one bound takes over from another.

        >>> Bounds(advantage="1/2").kinks(2)
        (Fraction(1, 2), Fraction(1, 1))
        """
        lines = combinations(self.lines(answers), 2)
        met = {
            (other - start) / (slope - steeper)
            for (slope, start), (steeper, other) in lines
            if slope != steeper
        }
        return tuple(sorted({one for one in met if 0 < one < 1} | {Fraction(1)}))


def _loss(epsilon: object, ratio: object, names: Names) -> Fraction | None:
    if epsilon is None and ratio is None:
        return None
    return loss_bound(epsilon, ratio, names=names, instead="ask plainly")


def _share(advantage: object) -> Fraction | None:
    if advantage is None:
        return None
    read = read_ratio(advantage, "advantage")
    if not 0 < read < 1:
        remedy = "at 0 no report says anything" if read <= 0 else "ask plainly"
        raise InputError(
            "advantage", got=str(advantage), allowed="an advantage in (0, 1)", remedy=remedy
        )
    return read
