"""Two values of one share that a test is to tell apart."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import ndtr, ndtri

from askance.arguments import no_more
from askance.channels.channel import Channel
from askance.channels.readonly import doubles
from askance.channels.tally import Tally
from askance.design.people.aim import AbstractAim
from askance.design.people.binomial import MOST_EXACT, bulk, critical, mass, upper_tail
from askance.design.people.enumeration import enumerable, likelihood_ratio_power
from askance.design.people.spread import Prevalence, shares_of, spread
from askance.errors import InputError
from askance.estimators.shares.informative import Informative, informative
from askance.typing import Floats

_WINDOW = (0.6, 1.5)  # times the number by the normal law: where the exact one is looked for
_SPARE = 60  # reports


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Detection(AbstractAim):
    """A test of one share of two answers where another is true.

    Attributes
    ----------
    channel : Channel
        For two answers.
    prevalence, against : float
        What is thought true, and what it is tested against.
    alpha : float
        Chance of a false alarm towards the side of the truth.
    power : float
        The chance to notice that is asked for.
    """

    channel: Channel
    prevalence: float
    against: float
    alpha: float
    power: float

    @property
    def told(self) -> str:
        """The aim in words."""
        return f"a share of {self.prevalence:g} told from {self.against:g} with power {self.power}"

    @property
    def design_effect(self) -> float:
        """How many reports tell as much as one plain answer."""
        return spread(self.channel, self.prevalence).design_effect

    def normal(self, n: float, population: float | None = None) -> float:
        """Give the power by the normal law.

        Φ((|π − π₀| − z √V(π₀)) / √V(π)), with V the variance of the estimate.
        """
        both = (self.against, self.prevalence)
        null, true = (spread(self.channel, at).variance(n, population) for at in both)
        far = abs(self.prevalence - self.against)
        margin = far + float(ndtri(self.alpha)) * math.sqrt(null)
        return float(ndtr(margin / max(math.sqrt(max(true, 0)), 1e-300)))

    def approximate(self, population: int | None) -> int:
        """Solve for the power by the normal law: closed without a population, halving with one."""
        if population is not None:
            return self._halved(population)
        both = (self.against, self.prevalence)
        null, true = (math.sqrt(spread(self.channel, at).variance(1)) for at in both)
        margin = -float(ndtri(self.alpha)) * null + float(ndtri(self.power)) * true
        n = (max(margin, 0) / (self.prevalence - self.against)) ** 2
        return max(math.ceil(n * (1 - 1e-12)), 1)

    def _halved(self, population: int) -> int:
        if (most := self.normal(population, population)) < self.power:
            raise InputError(
                "power",
                got=self.power,
                allowed=f"at most {no_more(most)} in a population of "
                f"{population:,}, which is what asking everyone reaches",
            )
        low, high = 0, population
        while high - low > 1:
            middle = (low + high) // 2
            reached = self.normal(middle, population) >= self.power
            low, high = (low, middle) if reached else (middle, high)
        return high

    def exact(self, near: int) -> int | None:
        """Find the number from which on, as far as is looked, no number falls short."""
        first, last = math.ceil(_WINDOW[0] * near), math.ceil(_WINDOW[1] * near) + _SPARE
        while last <= MOST_EXACT:
            sizes = np.arange(float(max(first, 1)), last + 1)
            powers = self.exact_power(sizes)
            if powers is None:
                return None
            short = np.flatnonzero(powers < self.power)
            if len(short) and short[-1] < len(sizes) - 1:
                return int(sizes[short[-1]]) + 1
            if not len(short) and first <= 1:
                return 1
            first, last = (first, 2 * last) if len(short) else (first // 2, last)
        return None

    def attained(self, n: int, population: int | None, exact: bool) -> float:
        """Say what power so many reports reach."""
        found = self.exact_power(np.array([float(n)])) if exact else None
        return self.normal(n, population) if found is None else float(found[0])

    def exact_power(self, sizes: Floats) -> Floats | None:
        """Give the power after each number of reports, exactly; None where that is too much work.

        Given how many reports say anything, the most powerful test that errs at most α of the time
        rejects beyond a critical count; its power is averaged over that number.
        """
        if sizes[-1] > MOST_EXACT:
            return None
        data = informative(Tally(self.channel, {}))
        heard = sizes if data.share == 1 else np.arange(sizes[-1] + 1)
        given = self._given(data, heard)
        if given is None or data.share == 1:
            return given
        counts = [bulk(n, data.share) for n in sizes]
        both = zip(counts, sizes, strict=True)
        return np.array([mass(at, n, data.share) @ given[at.astype(int)] for at, n in both])

    def _given(self, data: Informative, heard: Floats) -> Floats | None:
        """Give the power after so many reports that say anything."""
        chances = data.rows / data.share
        null, true = (chances @ [share, 1 - share] for share in (self.against, self.prevalence))
        if len(null) == 2:
            at = int(np.argmax(true - null))
            least = critical(heard, null[at], self.alpha)
            return upper_tail(least, heard, true[at])
        if not enumerable(float(heard[-1]), len(null)):
            return None
        return np.array([likelihood_ratio_power(int(n), null, true, self.alpha) for n in heard])


def detection(
    channel: Channel,
    prevalence: Prevalence,
    against: Prevalence,
    *,
    power: float = 0.8,
    level: float = 0.95,
    sides: int = 2,
) -> Detection:
    """Check what is to be told apart.

    >>> from askance.mechanisms.warner import Warner
    >>> from askance.channels.frame import Frame
    >>> detection(Warner(truth="3/4").channel(Frame(["yes", "no"])), 0.2, 0.1, sides=1).alpha
    0.05...
    """
    if len(channel.frame) != 2:
        raise InputError(
            "against",
            got=f"{len(channel.frame)} answers",
            allowed="two answers, where power against an alternative is asked for",
            remedy="plan by half_width",
        )
    true, null = (
        float(shares_of(value, 2, name)[0])
        for name, value in (("prevalence", prevalence), ("against", against))
    )
    if true == null:
        raise InputError("against", got=null, allowed="another share than the prevalence")
    if sides not in (1, 2):
        raise InputError("sides", got=sides, allowed="1 or 2")
    for name, value in (("level", level), ("power", power)):
        if not 0 < doubles(value, name) < 1:
            raise InputError(name, got=value, allowed="a probability strictly between 0 and 1")
    alpha = (1 - level) / sides
    return Detection(channel=channel, prevalence=true, against=null, alpha=alpha, power=power)
