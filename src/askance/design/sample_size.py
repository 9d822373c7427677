"""Sample size for an interval of given half-width, or for a test of given power."""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Annotated, ClassVar, final

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, xlogy

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result
from askance.design.precision import (
    MOST_EXACT,
    AbstractAim,
    AnyChannel,
    Prevalence,
    Spread,
    binomial_mass,
    critical_count,
    describe_shares,
    exact_half_width,
    likely_counts,
    name_unit,
    shares_of,
    spread,
    undivided_width,
    upper_tail,
)
from askance.design.quantile_precision import QuantileNarrowing, quantile_narrowing
from askance.inference.provenance import Computation
from askance.inference.shares.information import Informative, identifying
from askance.results import (
    Listing,
    doubles,
    json_of,
    keep_doubles,
    listed,
    normal_quantile,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked, no_less, no_more
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance, read_integer

_SAVINGS = ("saved=saved_by_integers", "saved_by_order=saved_by_monotonicity")
"""The keys of JSON, and the attributes that they hold where these are not 0."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SampleSize:
    """Sample size: the reports that reach an aim, and the people to ask for them.

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
    effective_sample_size : int
        Plain, truthful answers that would do.
    design_effect : float
        Reports for one plain answer.
    approximate : int
        Reports by the normal law, which is what is given where `exact` is false.
    exact : bool
        Whether every count was gone through.
    assumed_population : str
        How common answers are taken to be.
    saved_by_integers : float
        On a line of whole numbers, how many people more it would take if the number could have any
        value; ∞ where no number of people would do, 0 of everything else.
    saved_by_monotonicity : float
        For a quantile, how many people more it would take if the share up to each tick were told by
        itself, by Wilson's interval, as though shares need not rise; ∞ and 0 likewise.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> sample_size(plain, half_width=0.03, population=500).to_dict()["reports"]
    341
    """

    computation: ClassVar[Computation] = Computation.SAMPLE_SIZE
    aim: str
    reports: int
    people: int
    attained: float
    effective_sample_size: int
    design_effect: float
    approximate: int
    exact: bool
    assumed_population: str
    saved_by_integers: float = 0.0
    saved_by_monotonicity: float = 0.0
    _aim: AbstractAim = field(compare=False)
    _population: int | None = field(default=None, compare=False)

    def to_dict(self) -> Json:
        """Write the sample size for JSON; what is saved where something is, None if it is all."""
        names = (
            "aim reports people attained plain=effective_sample_size design_effect "
            "approximate exact spread=assumed_population"
        )
        some = [name for name in _SAVINGS if getattr(self, name.partition("=")[2])]
        return json_of(self, " ".join([names, *some]))

    def _table(self) -> Listing:
        digits = 4 if self.attained < 10 else 1
        rows = [
            ["people to ask", f"{self.people:,}"],
            ["reports", f"{self.reports:,}"],
            ["plain answers that would do", f"{self.effective_sample_size:,}"],
            ["reports for one plain answer", f"{self.design_effect:.2f}"],
            ["attained", f"{self.attained:,.{digits}f}"],
        ]
        why = {
            "whole numbers": self.saved_by_integers,
            "knowing that shares rise": self.saved_by_monotonicity,
        }
        for source, saved in why.items():
            if saved:
                more = f"{saved:,.0f}" if saved < math.inf else "without, no number would do"
                rows.append([f"people saved by {source}", more])
        how = "every count gone through" if self.exact else "by the normal law"
        return self.aim, rows[0], rows[1:], [f"{how}, {self.assumed_population}"]

    def _chart(self) -> Chart:
        """Describe the half-width, or the power, by the number of reports; and the number found."""
        most = min(4 * self.reports, self._population or math.inf)
        spread = np.geomspace(math.ceil(self.reports / 4), most, _PLACES).round()
        sizes = np.unique(np.append(spread, self.reports))
        reached = [self._aim.attained(int(n), self._population, self.exact) for n in sizes]
        how = "every count gone through" if self.exact else "by the normal law"
        curve = Series(mark=MarkKind.LINE, label=how, x=sizes, value=np.array(reached))
        label, here = f"{self.reports:,} reports", np.array([float(self.reports)])
        rule = Series(mark=MarkKind.RULE, label=label, x=here, is_reference=True)
        x = Axis(name="reports", label=f"reports; {self.assumed_population}")
        y = Axis(name="attained", label=self._aim.quantity, limits=(0, math.inf))
        return Chart(series=(curve, rule), x=x, y=y)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_PLACES = 25
"""At how many numbers of reports the curve of a sample size is computed."""


@checked
def sample_size(
    channel: AnyChannel,
    *,
    prevalence: Prevalence = None,
    half_width: Annotated[float | None, "a number in (0, 0.5)"] = None,
    quantile: float | None = None,
    null_prevalence: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: int = 2,
    population: int | None = None,
    response: object = 1,
    blank: object = 0,
) -> SampleSize:
    """Sample size: how many reports reach a half-width, or a power, and how many to ask.

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
        Of the interval; give this or `null_prevalence`.
    quantile : float, optional
        On a line: of this quantile's interval, 0.5 being the median's, not of the mean's
        (`quantile_half_width`).
    null_prevalence : float, optional
        For two answers, the share that a test is to reject, with chance `power`.
    power, level : float
    sides : int
        1 where only deviations towards the truth count, otherwise 2.
    population : int, optional
        How many people there are. Sampling them without replacement lessens the uncertainty of
        sampling, but not that of the mechanism.
    response : probability
        The share of the people asked who will answer.
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
    if population is not None:
        population = read_integer(population, "population", "a number of people in [2, ∞)", 2)
    if _is_narrowing(half_width, quantile, null_prevalence):
        aim = _choose_narrowing(channel, prevalence, half_width, quantile, level)
    else:
        tested = _require_answers(channel), prevalence, null_prevalence
        aim = detection(*tested, power=power, level=level, sides=sides)
    approximate, effect = aim.approximate(population), aim.design_effect
    exact = aim.exact(approximate) if population is None else None
    reports = approximate if exact is None else exact
    silent = 1 - (1 - chance(blank, "blank")) * _share_sent(channel, prevalence)
    people_for = partial(_people_to_ask, response=response, blank=silent, population=population)
    return SampleSize(
        aim=aim.description,
        reports=reports,
        people=people_for(reports),
        attained=aim.attained(reports, population, exact is not None),
        effective_sample_size=math.ceil(reports / effect - 1e-9),
        design_effect=effect,
        approximate=approximate,
        exact=exact is not None,
        assumed_population=describe_shares(_shares(channel, prevalence)),
        _aim=aim,
        _population=population,
        **_count_saved(aim, population, people_for),
    )


def _is_narrowing(half_width: object, quantile: object, null_prevalence: object) -> bool:
    if (half_width is None) == (null_prevalence is None):
        stated = "neither" if half_width is None else "both"
        raise InputError("sample_size", got=stated, allowed="either half_width or null_prevalence")
    if half_width is None and quantile is not None:
        raise InputError("quantile", got="one to test", allowed="none beside null_prevalence")
    return half_width is not None


def _choose_narrowing(
    channel: AnyChannel,
    prevalence: Prevalence,
    half_width: object,
    quantile: float | None,
    level: float,
) -> AbstractAim:
    if quantile is None:
        return narrowing(channel, prevalence, half_width, level)
    return quantile_narrowing(channel, prevalence, half_width, level, quantile)


def _shares(channel: AnyChannel, prevalence: Prevalence) -> Floats:
    k = channel.line.ticks if isinstance(channel, AbstractRangeChannel) else len(channel.frame)
    return shares_of(prevalence, k)


def _share_sent(channel: AnyChannel, prevalence: Prevalence) -> Fraction:
    """The share of people whose range is wide enough to be sent; 1 where all are."""
    if not isinstance(channel, AbstractRangeChannel) or channel.inclusion_probability().min() == 1:
        return Fraction(1)
    shares = shares_of(prevalence, channel.line.ticks)
    return Fraction(float(channel.inclusion_probability() @ shares)).limit_denominator(10**6)


def _require_answers(channel: AnyChannel) -> Channel:
    if isinstance(channel, AbstractRangeChannel):
        raise InputError(
            "null_prevalence",
            got="a line",
            allowed="a question with two answers",
            remedy="use half_width",
        )
    return channel


def _people_to_ask(reports: int, response: object, blank: object, population: int | None) -> int:
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

    channel: AnyChannel
    shares: Floats
    half_width: float
    level: float
    spread: Spread
    unknown: float

    def __post_init__(self) -> None:
        keep_doubles(self)

    @property
    def description(self) -> str:
        """The aim in words."""
        unit = self.channel.line.unit if isinstance(self.channel, AbstractRangeChannel) else ""
        return f"{100 * self.level:g} % interval of ± {name_unit(f'{self.half_width:,g}', unit)}"

    @property
    def quantity(self) -> str:
        """The half-width, its level, and its unit on a line."""
        unit = self.channel.line.unit if isinstance(self.channel, AbstractRangeChannel) else ""
        return name_unit(f"half-width of the {100 * self.level:g} % interval", unit)

    @property
    def design_effect(self) -> float:
        """The design effect: reports with the precision of one direct answer."""
        return self.spread.design_effect

    def approximate(self, population: int | None) -> int:
        """Solve z² V(n)/n = h² for n, in closed form for each figure; the largest counts."""
        variance = ((self.half_width - self.unknown) / normal_quantile(self.level)) ** 2
        sampling, noise = self.spread.sampling, self.spread.noise
        if population is None:
            return _round_up(float((sampling + noise).max()) / variance)
        shrinking = sampling / (population - 1)
        n = float(((sampling + shrinking + noise) / (variance + shrinking)).max())
        if n > population * (1 + 1e-9):
            least = self._width(population, population)
            raise InputError(
                "half_width",
                got=self.half_width,
                allowed=f"at least {no_less(least)} in a population of "
                f"{population:,}, the half-width if everyone is asked",
                remedy="widen the interval, or allow a larger loss",
            )
        return _round_up(n)

    def exact(self, near: int) -> int | None:
        """Find the least number by the mean half-width over every count, which falls with it.

        It falls nearly as one over the root, so that few numbers are tried.
        """
        high = math.ceil(1.3 * near) + 30
        if high > MOST_EXACT or not self._reached(high):
            return None
        low, n, tries = 0, near, 0
        while high - low > 1 and (width := self._exactly(n)) is not None:
            low, high = (low, n) if width <= self.half_width else (n, high)
            tries += 1
            aimed = math.ceil(n * (width / self.half_width) ** 2) - (high == n)
            inside = min(max(aimed, low + 1), high - 1)
            n = inside if tries < _NEAR else (low + high) // 2
        return high if high - low == 1 else None

    def attained(self, n: int, population: int | None, exact: bool) -> float:
        """Say what half-width so many reports leave."""
        width = self._exactly(n) if exact else None
        return self._width(n, population) if width is None else width

    def without(self, population: int | None) -> tuple[float, ...]:
        """How many reports it would take if half of 1 more stayed unknown, of whole numbers."""
        if not (isinstance(self.channel, AbstractRangeChannel) and self.channel.line.integer):
            return ()
        other = replace(self, unknown=self.unknown + 0.5)
        try:
            reached = other.unknown < self.half_width
            return (other.approximate(population) if reached else math.inf,)
        except InputError:  # a population that is too small
            return (math.inf,)

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
    channel: AnyChannel,
    prevalence: Prevalence,
    half_width: object,
    level: float,
) -> Narrowing:
    """Check that a half-width is attainable.

    Raises
    ------
    InputError
        If the half-width is not between what no number of reports improves and half the scale.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> narrowing(RangeChannel(Line(0, 10, 1), [1] * 9), None, 0.2, 0.95)
    Traceback (most recent call last):
    askance_collect.errors.InputError: half_width: got 0.2; allowed: a number in (0.5, 5); cuts...
    """
    if isinstance(channel, AbstractRangeChannel):
        line = channel.line
        unknown = undivided_width(channel, shares_of(prevalence, line.ticks)) / 2
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
            remedy=remedy if width <= unknown and unknown else "",
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


def _count_saved(
    aim: AbstractAim, population: int | None, people_for: Callable[[int], int]
) -> dict[str, float]:
    """How many people more it takes if a number may have any value, and if shares need not rise."""
    without = aim.without(population) if isinstance(aim, (Narrowing, QuantileNarrowing)) else ()
    people, saved = people_for(aim.approximate(population)), [0.0, 0.0]
    for i, reports in enumerate(without):
        try:
            saved[i] = people_for(math.ceil(reports)) - people if reports < math.inf else math.inf
        except InputError:  # a population that is too small
            saved[i] = math.inf
    return {"saved_by_integers": max(saved[0], 0.0), "saved_by_monotonicity": max(saved[1], 0.0)}


def _round_up(n: float) -> int:
    return max(math.ceil(n * (1 - 1e-12)), 1)


_WINDOW = (0.6, 1.5)  # times the number by the normal law: where the exact one is looked for
_SPARE = 60  # reports
_NEAR = 6  # numbers tried by that root before those between are halved


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Detection(AbstractAim):
    """A test of one share of two answers where another is true.

    Attributes
    ----------
    channel : Channel
        For two answers.
    prevalence, null_prevalence : float
        What is thought true, and what it is tested against.
    alpha : float
        Chance of a false alarm towards the side of the truth.
    power : float
        The chance to notice that is asked for.
    """

    channel: Channel
    prevalence: float
    null_prevalence: float
    alpha: float
    power: float

    @property
    def description(self) -> str:
        """The aim in words."""
        shares = f"{self.prevalence:g} told from {self.null_prevalence:g}"
        return f"a share of {shares} with power {self.power}"

    @property
    def quantity(self) -> str:
        """The power."""
        return "power"

    @property
    def design_effect(self) -> float:
        """The design effect: reports with the precision of one direct answer."""
        return spread(self.channel, self.prevalence).design_effect

    def normal(self, n: float, population: float | None = None) -> float:
        """The power by the normal law.

        Φ((|π − π₀| − z √V(π₀)) / √V(π)), with V the variance of the estimate.
        """
        shares = (self.null_prevalence, self.prevalence)
        null, true = (spread(self.channel, share).variance(n, population) for share in shares)
        far = abs(self.prevalence - self.null_prevalence)
        margin = far + float(ndtri(self.alpha)) * math.sqrt(null)
        return float(ndtr(margin / max(math.sqrt(max(true, 0)), 1e-300)))

    def approximate(self, population: int | None) -> int:
        """Solve for the power by the normal law: closed without a population, a search with one."""
        if population is not None:
            return self._least(population)
        shares = (self.null_prevalence, self.prevalence)
        null, true = (math.sqrt(spread(self.channel, share).variance(1)) for share in shares)
        margin = -float(ndtri(self.alpha)) * null + float(ndtri(self.power)) * true
        n = (max(margin, 0) / (self.prevalence - self.null_prevalence)) ** 2
        return max(math.ceil(n * (1 - 1e-12)), 1)

    def _least(self, population: int) -> int:
        if (most := self.normal(population, population)) < self.power:
            raise InputError(
                "power",
                got=self.power,
                allowed=f"at most {no_more(most)} in a population of "
                f"{population:,}, the power if everyone is asked",
            )
        return bisect_left(
            range(population), self.power, lo=1, key=lambda n: self.normal(n, population)
        )

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
        powers = self.exact_power(np.array([float(n)])) if exact else None
        return self.normal(n, population) if powers is None else float(powers[0])

    def exact_power(self, sizes: Floats) -> Floats | None:
        """The power after each number of reports, exactly; None where that is too much work.

        Given how many reports say anything, the most powerful test that errs at most α of the time
        rejects beyond a critical count; its power is averaged over that number.
        """
        if sizes[-1] > MOST_EXACT:
            return None
        data = identifying(self.channel)
        totals = sizes if data.share == 1 else np.arange(sizes[-1] + 1)
        powers = self._conditional_power(data, totals)
        if powers is None or data.share == 1:
            return powers
        counts = [likely_counts(n, data.share) for n in sizes]
        pairs = zip(counts, sizes, strict=True)
        return np.array(
            [
                binomial_mass(likely, n, data.share) @ powers[likely.astype(int)]
                for likely, n in pairs
            ]
        )

    def _conditional_power(self, data: Informative, totals: Floats) -> Floats | None:
        """The power after so many reports that say anything."""
        chances = data.rows / data.share
        null, true = (
            chances @ [share, 1 - share] for share in (self.null_prevalence, self.prevalence)
        )
        if len(null) == 2:
            report = int(np.argmax(true - null))
            least = critical_count(totals, null[report], self.alpha)
            return upper_tail(least, totals, true[report])
        if not is_enumerable(float(totals[-1]), len(null)):
            return None
        return np.array([likelihood_ratio_power(int(n), null, true, self.alpha) for n in totals])


def detection(
    channel: Channel,
    prevalence: Prevalence,
    null_prevalence: Prevalence,
    *,
    power: float = 0.8,
    level: float = 0.95,
    sides: int = 2,
) -> Detection:
    """Check the two shares and the error rates of a test.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> from askance.channels.frame import Frame
    >>> detection(Warner(truth="3/4").channel(Frame(["yes", "no"])), 0.2, 0.1, sides=1).alpha
    0.05...
    """
    if len(channel.frame) != 2:
        raise InputError(
            "null_prevalence",
            got=f"{len(channel.frame)} answers",
            allowed="two answers, where power against an alternative is asked for",
            remedy="plan by half_width",
        )
    true, null = (
        float(shares_of(value, 2, name)[0])
        for name, value in (("prevalence", prevalence), ("null_prevalence", null_prevalence))
    )
    if true == null:
        raise InputError("null_prevalence", got=null, allowed="another share than the prevalence")
    if sides not in (1, 2):
        raise InputError("sides", got=sides, allowed="1 or 2")
    for name, value in (("level", level), ("power", power)):
        if not 0 < doubles(value, name) < 1:
            raise InputError(name, got=value, allowed="a probability strictly between 0 and 1")
    alpha = (1 - level) / sides
    return Detection(
        channel=channel, prevalence=true, null_prevalence=null, alpha=alpha, power=power
    )


@checked
def power(
    channel: Channel,
    n: int,
    *,
    prevalence: float,
    null_prevalence: float,
    level: float = 0.95,
    sides: int = 2,
) -> float:
    """Power of a test on a share: the chance that n reports reject it where another is true.

    Exact for two answers told by two reports (and any number that say nothing) up to 10,000
    reports, and by three reports up to some two hundred, where every count can be gone through; the
    test then is the most powerful one that never errs more often than it may. Otherwise by the
    normal law.

    Parameters
    ----------
    channel : Channel
        For two answers.
    n : int
        Reports that will arrive.
    prevalence : float
        The true share of the first answer.
    null_prevalence : float
        The share that is tested.
    level : float
        1 − α, with α the chance of a false alarm.
    sides : int
        1 where only deviations towards the truth count, 2 where α is halved for either side.

    Raises
    ------
    InputError
        If there are not two answers, the shares are equal or not in (0, 1), or sides is not 1 or 2.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> found = power(plain, 5, prevalence=0.9, null_prevalence=0.5, sides=1)
    >>> round(found, 6)  # five of five: 0.9⁵
    0.59049
    """
    test = detection(channel, prevalence, null_prevalence, level=level, sides=sides)
    count = read_integer(n, "n", "a number of reports in [1, ∞)")
    exact = test.exact_power(np.array([float(count)]))
    return test.normal(count) if exact is None else float(exact[0])


_MOST_WAYS = 20_000  # some two hundred reports of three kinds
_TIE = 1e-9  # log-likelihood ratios that are the same but for rounding


def is_enumerable(n: float, reports: int) -> bool:
    """Say whether there are few enough ways for n reports of so many kinds.

    >>> is_enumerable(150, 3), is_enumerable(500, 3)
    (True, False)
    """
    return math.comb(int(n) + reports - 1, reports - 1) <= _MOST_WAYS


def list_counts(n: int, reports: int) -> Floats:
    """List every way in which n reports can be of so many kinds, shape (ways, reports).

    >>> list_counts(2, 2).tolist()
    [[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]]
    """
    ways = np.zeros((1, 0))
    for _ in range(reports - 1):
        remaining = (n - ways.sum(axis=1)).astype(int)
        nth = np.concatenate([np.arange(most + 1.0) for most in remaining])
        ways = np.column_stack([np.repeat(ways, remaining + 1, axis=0), nth])
    return np.column_stack([ways, n - ways.sum(axis=1)])


def likelihood_ratio_power(n: int, null: Floats, true: Floats, alpha: float) -> float:
    """The power of the most powerful test that errs at most alpha of the time.

    Neyman & Pearson's: reject where the likelihood ratio is largest, ties together.

    >>> likelihood_ratio_power(5, np.array([0.5, 0.5]), np.array([0.9, 0.1]), 0.05)  # 0.9⁵
    0.590490...
    """
    ways = list_counts(n, len(null))
    if not n:
        return 0.0
    arrangements = gammaln(n + 1) - gammaln(ways + 1).sum(axis=1)
    first, second = xlogy(ways, null).sum(axis=1), xlogy(ways, true).sum(axis=1)
    with np.errstate(invalid="ignore"):
        ratio = np.where(np.isinf(first), np.inf, second - first)
    order = np.argsort(-ratio)
    errs = np.cumsum(np.exp(arrangements + first)[order])
    finds = np.cumsum(np.exp(arrangements + second)[order])
    with np.errstate(invalid="ignore"):
        ends = np.append(np.abs(np.diff(ratio[order])) > _TIE, True)
    allowed = np.flatnonzero(ends & (errs <= alpha * (1 + 1e-12)))
    return float(finds[allowed[-1]]) if len(allowed) else 0.0
