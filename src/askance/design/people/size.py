"""How many people to ask."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.listing import Listing, listed
from askance.channels.readonly import json_of
from askance.design.people.aim import AbstractAim
from askance.design.people.detection import detection
from askance.design.people.narrowing import narrowing
from askance.design.people.spread import Asked, Prevalence, shares_of, spread_told
from askance.errors import InputError
from askance.exact.ratio import chance, whole
from askance.typing import Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SampleSize:
    """How many reports reach an aim, and how many people to ask for them.

    Attributes
    ----------
    aim : str
        What is to be reached.
    reports : int
        Reports that carry a value.
    people : int
        People to ask, so that on average as many reports come back.
    attained : float
        The half-width, or the power, to expect of so many reports.
    plain : int
        Plain, truthful answers that would do.
    design_effect : float
        Reports for one plain answer.
    approximate : int
        Reports by the normal law, which is what is given where `exact` is false.
    exact : bool
        Whether every count was gone through.
    spread : str
        How common answers are taken to be.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> sample_size(plain, half_width=0.03, population=500).to_dict()["reports"]
    341
    """

    aim: str
    reports: int
    people: int
    attained: float
    plain: int
    design_effect: float
    approximate: int
    exact: bool
    spread: str

    def to_dict(self) -> Json:
        """Write the sample size for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        digits = 4 if self.attained < 10 else 1
        rows = [
            ["people to ask", f"{self.people:,}"],
            ["reports", f"{self.reports:,}"],
            ["plain answers that would do", f"{self.plain:,}"],
            ["reports for one plain answer", f"{self.design_effect:.2f}"],
            ["attained", f"{self.attained:,.{digits}f}"],
        ]
        how = "every count gone through" if self.exact else "by the normal law"
        return self.aim, rows[0], rows[1:], [f"{how}, {self.spread}"]


@checked
def sample_size(
    channel: Asked,
    *,
    prevalence: Prevalence = None,
    half_width: Annotated[float | None, "a number in (0, 0.5)"] = None,
    against: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: int = 2,
    population: int | None = None,
    response: object = 1,
    blank: object = 0,
) -> SampleSize:
    """Say how many reports reach a half-width, or tell one share from another, and whom to ask.

    Exact where every count can be gone through (see `expected_half_width` and `power`), for up to
    some thousand reports; beyond, and for a finite population, by the normal law: n = z² V/h², or
    ((z_α √V₀ + z_β √V)/(π − π₀))². With a power, no larger number that was tried falls short, since
    an exact power rises in jagged steps.

    Parameters
    ----------
    channel : Channel or AbstractRangeChannel
        For a line, the half-width is that of the mean's interval, in its unit.
    prevalence : float or array, optional
        The share of the first of two answers, a share for each answer, or for each step of a line.
        Even if left out.
    half_width : float, optional
        Of the interval; give this or `against`.
    against : float, optional
        For two answers, the share that a test is to reject, with chance `power`.
    power, level : float
    sides : int
        1 where only deviations towards the truth count, otherwise 2.
    population : int, optional
        How many people there are. Sampling them without replacement lessens the uncertainty of
        sampling, but not that of the mechanism.
    response : probability
        Which part of those asked will answer.
    blank : probability
        The chance that the device sends nothing, as in the survey file.

    Raises
    ------
    InputError
        If a number is outside its range or the aim cannot be reached; with the nearest that can.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Cochran (1977), equation (4.2), for the finite population.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> sample_size(q, prevalence=0.1, half_width=0.05, response=0.6)
    95 % interval of ± 0.05
    people to ask                  2,145
    reports                        1,287
    plain answers that would do      138
    reports for one plain answer    9.33
    attained                      0.0500
    every count gone through, if shares were 0.1 and 0.9
    """
    if (half_width is None) == (against is None):
        got = "neither" if half_width is None else "both"
        raise InputError("sample_size", got=got, allowed="either half_width or against")
    if population is not None:
        population = whole(population, "population", "a number of people in [2, ∞)", 2)
    aim: AbstractAim = (
        narrowing(channel, prevalence, half_width, level)
        if half_width is not None
        else detection(_finite(channel), prevalence, against, power=power, level=level, sides=sides)
    )
    near = aim.approximate(population)
    found = aim.exact(near) if population is None else None
    reports = near if found is None else found
    k = channel.line.ticks if isinstance(channel, AbstractRangeChannel) else len(channel.frame)
    silent = 1 - (1 - chance(blank, "blank")) * _heard(channel, prevalence)
    people = _asked(reports, response, silent, population)
    return SampleSize(
        aim=aim.told,
        reports=reports,
        people=people,
        attained=aim.attained(reports, population, found is not None),
        plain=math.ceil(reports / aim.design_effect - 1e-9),
        design_effect=aim.design_effect,
        approximate=near,
        exact=found is not None,
        spread=spread_told(shares_of(prevalence, k)),
    )


def _heard(channel: Asked, prevalence: Prevalence) -> Fraction:
    """Give the share of people whose range is wide enough to be sent; 1 where all are."""
    if not isinstance(channel, AbstractRangeChannel) or channel.heard().min() == 1:
        return Fraction(1)
    shares = shares_of(prevalence, channel.line.ticks)
    return Fraction(float(channel.heard() @ shares)).limit_denominator(10**6)


def _finite(channel: Asked) -> Channel:
    if isinstance(channel, AbstractRangeChannel):
        raise InputError(
            "against", got="a line", allowed="a question with two answers", remedy="use half_width"
        )
    return channel


def _asked(reports: int, response: object, blank: object, population: int | None) -> int:
    """Ask as many more as will not answer or will be left blank by chance."""
    answering, silent = chance(response, "response"), chance(blank, "blank")
    for name, value, wrong in (("response", answering, 0), ("blank", silent, 1)):
        if value == wrong:
            raise InputError(name, got=str(value), allowed="a chance that leaves some reports")
    people = math.ceil(reports / (answering * (1 - silent)))
    if population is not None and people > population:
        most = int(population * answering * (1 - silent))
        raise InputError(
            "response",
            got=f"{float(answering):g}, so that {people:,} people were to be asked",
            allowed=f"a population of {population:,} allows {most:,} reports",
            remedy="widen the half-width",
        )
    return people
