"""Two rows for two answers: the best that a stated privacy allows, exactly."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.design.pairs.naming import fresh
from askance.errors import InputError
from askance.exact.ratio import ratio
from askance.mechanisms.abstain import DONT_KNOW

_HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalPair:
    """The chances of each report for two answers, in fractions.

    Attributes
    ----------
    first, second : tuple of Fraction
        Rows of the answer whose share is asked for and of the other one: p₁ and p₀ in Yoshida,
        Yung & Hayashi (2019).
    first_weight : Fraction
        w, the chance that a guesser gives the first answer beforehand.
    """

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    first_weight: Fraction = _HALF

    def information(self, prevalence: object) -> Fraction | float:
        r"""Give the Fisher information of one report, exactly.

        .. math:: J_\theta = \sum_y \frac{(p_1(y) - p_0(y))^2}{(1 - \theta) p_0(y) + \theta p_1(y)}

        Parameters
        ----------
        prevalence : probability
            θ, the share of the first answer; at 0 or 1 the information can be infinite.

        References
        ----------
        Yoshida, Yung & Hayashi (2019), Section II.

        >>> third = Fraction(1, 4)
        >>> OptimalPair(first=(third, 1 - third), second=(1 - third, third)).information("1/2")
        Fraction(1, 1)
        """
        theta = share(prevalence)
        total = Fraction(0)
        for one, zero in zip(self.first, self.second, strict=True):
            chance = theta * one + (1 - theta) * zero
            if chance:
                total += (one - zero) ** 2 / chance
            elif one != zero:
                return math.inf
        return total

    @property
    def advantage(self) -> Fraction:
        """The weighted advantage ‖(1 − w)p₀ − w p₁‖₁."""
        rows = zip(self.first, self.second, strict=True)
        w = self.first_weight
        return sum((abs((1 - w) * zero - w * one) for one, zero in rows), Fraction(0))

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel: a report means the answer it makes the likelier one, or both.

        Parameters
        ----------
        frame : Frame
            Two answers, the one whose share is asked for first.

        Raises
        ------
        InputError
            If there are not two answers, or one is called "don't know".

        >>> fifth = Fraction(1, 5)
        >>> pair = OptimalPair(first=(fifth, 0 * fifth, 4 * fifth), second=(0, fifth, 4 * fifth))
        >>> pair.channel(Frame(["yes", "no"])).reports
        ('yes', 'no', "don't know")
        """
        if len(frame) != 2 or DONT_KNOW in frame.answers:
            raise InputError(
                "frame", got=frame.answers, allowed=f"two answers, neither of them {DONT_KNOW!r}"
            )
        reports: dict[str, tuple[str, ...]] = {}
        columns: list[tuple[Fraction, Fraction]] = []
        for one, zero in zip(self.first, self.second, strict=True):
            told = self.first_weight * one - (1 - self.first_weight) * zero if one != zero else 0
            names = frame.answers if not told else (frame.answers[told < 0],)
            name = names[0] if told else DONT_KNOW
            if one or zero:
                reports[fresh(name, reports)] = names
                columns.append((Fraction(one), Fraction(zero)))
        return Channel(frame, reports, list(zip(*columns, strict=True)))


def share(prevalence: object, where: str = "prevalence") -> Fraction:
    """Read a share exactly.

    >>> share(0.2)
    Fraction(1, 5)
    """
    read = ratio(prevalence, where)
    if not 0 <= read <= 1:
        raise InputError(where, got=str(prevalence), allowed="a share in [0, 1]")
    return read


def inner_share(prevalence: object, where: str = "prevalence") -> Fraction:
    """Read a share that is neither 0 nor 1.

    Raises
    ------
    InputError
        If the share is not in (0, 1): there the information can be infinite, and what is best for
        it is of no use anywhere else.

    >>> inner_share("1/3")
    Fraction(1, 3)
    """
    read = ratio(prevalence, where)
    if not 0 < read < 1:
        raise InputError(
            where,
            got=str(prevalence),
            allowed="a share in (0, 1)",
            remedy="give the share that you expect, if only roughly",
        )
    return read


def advantage_limit(limit: object, weight: Fraction) -> Fraction:
    """Read a bound δ on the weighted advantage.

    Raises
    ------
    InputError
        If δ is below |1 − 2w|, which whoever ignores the report reaches, if it is 0, or if it is 1
        or more.

    >>> advantage_limit("1/4", Fraction(1, 2))
    Fraction(1, 4)
    """
    read, least = ratio(limit, "advantage"), abs(1 - 2 * weight)
    if read >= 1 or read < least or read == 0:
        nearest = f"the least that can hold is {least}: guessing without a report attains it"
        remedies = [
            (read >= 1, "1 bounds nothing: leave the constraint out"),
            (read == 0, "at 0 no report says anything"),
            (True, nearest),
        ]
        raise InputError(
            "advantage",
            got=str(limit),
            allowed=f"a bound in [{least}, 1), above 0" if least else "a bound in (0, 1)",
            remedy=next(remedy for holds, remedy in remedies if holds),
        )
    return read
