"""An interval that is to be so narrow."""

import math
from dataclasses import dataclass
from typing import final

from askance.arguments import no_less, no_more
from askance.channels.line_channel import AbstractRangeChannel
from askance.design.people.aim import AbstractAim
from askance.design.people.binomial import MOST_EXACT
from askance.design.people.line_spread import undivided
from askance.design.people.spread import Asked, Prevalence, Spread, shares_of, spread
from askance.design.people.width import exact_half_width
from askance.errors import InputError
from askance.estimators.shares.uncertainty import normal_quantile
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Narrowing(AbstractAim):
    """An interval of some level and half-width, for shares or for a mean.

    Attributes
    ----------
    channel : Channel or AbstractRangeChannel
    shares : array
        Of the answers, or of the steps of the line.
    half_width, level : float
    spread : Spread
    unknown : float
        What no number of reports takes off the half-width.
    """

    channel: Asked
    shares: Floats
    half_width: float
    level: float
    spread: Spread
    unknown: float

    @property
    def told(self) -> str:
        """The aim in words."""
        unit = self.channel.line.unit if isinstance(self.channel, AbstractRangeChannel) else ""
        return f"{100 * self.level:g} % interval of ± {self.half_width:,g} {unit}".rstrip()

    @property
    def design_effect(self) -> float:
        """How many reports tell as much as one plain answer."""
        return self.spread.design_effect

    def approximate(self, population: int | None) -> int:
        """Solve z² V(n)/n = h² for n, in closed form for each figure; the largest counts."""
        variance = ((self.half_width - self.unknown) / normal_quantile(self.level)) ** 2
        sampling, noise = self.spread.sampling, self.spread.noise
        if population is None:
            return _up(float((sampling + noise).max()) / variance)
        shrinking = sampling / (population - 1)
        n = float(((sampling + shrinking + noise) / (variance + shrinking)).max())
        if n > population * (1 + 1e-9):
            least = self._width(population, population)
            raise InputError(
                "half_width",
                got=self.half_width,
                allowed=f"at least {no_less(least)} in a population of "
                f"{population:,}, which is what asking everyone leaves",
                remedy="widen the interval, or allow a larger loss",
            )
        return _up(n)

    def exact(self, near: int) -> int | None:
        """Halve the bracket of the mean half-width over every count."""
        high = math.ceil(1.3 * near) + 30
        if high > MOST_EXACT or not self._reached(high):
            return None
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._reached(middle) else (middle, high)
        return high

    def attained(self, n: int, population: int | None, exact: bool) -> float:
        """Say what half-width so many reports leave."""
        found = self._exactly(n) if exact else None
        return self._width(n, population) if found is None else found

    def _width(self, n: int, population: int | None) -> float:
        z = normal_quantile(self.level)
        return z * math.sqrt(self.spread.variance(n, population)) + self.unknown

    def _exactly(self, n: int) -> float | None:
        if isinstance(self.channel, AbstractRangeChannel):
            return None
        return exact_half_width(self.channel, n, float(self.shares[0]), normal_quantile(self.level))

    def _reached(self, n: int) -> bool:
        width = self._exactly(n)
        return width is not None and width <= self.half_width


def narrowing(
    channel: Asked,
    prevalence: Prevalence,
    half_width: object,
    level: float,
) -> Narrowing:
    """Check what half-width can be had.

    Raises
    ------
    InputError
        If the half-width is not between what no number of reports improves and half the scale.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> narrowing(RangeChannel(Line(0, 10, 1), [1] * 9), None, 0.2, 0.95)
    Traceback (most recent call last):
    askance.errors.InputError: half_width: got 0.2; allowed: a number in (0.5, 5); cuts ... step
    """
    if isinstance(channel, AbstractRangeChannel):
        line = channel.line
        unknown = undivided(channel, shares_of(prevalence, line.ticks)) / 2
        k, most = line.ticks, float(line.upper - line.lower) / 2
        less = (
            "choose a smaller step"
            if getattr(channel, "floor", None) is None
            else "lower the floor"
        )
        remedy = f"cuts cannot divide the widest pieces further; {less}"
    else:
        k, unknown, most, remedy = len(channel.frame), 0.0, 0.5, ""
    width = float(half_width) if isinstance(half_width, int | float) else math.nan
    if not unknown < width < most:
        raise InputError(
            "half_width",
            got=half_width,
            allowed=f"a number in ({no_less(unknown)}, {no_more(most)})",
            remedy=remedy if width <= unknown else "",
        )
    shares = shares_of(prevalence, k)
    return Narrowing(
        channel=channel,
        shares=shares,
        half_width=width,
        level=level,
        spread=spread(channel, shares),
        unknown=unknown,
    )


def _up(n: float) -> int:
    return max(math.ceil(n * (1 - 1e-12)), 1)
