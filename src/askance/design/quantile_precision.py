"""How precise a quantile of a number on a line will be, and how many people that takes."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np
from scipy.special import ndtr

from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.design.precision import (
    AbstractAim,
    AnyChannel,
    Prevalence,
    check_report_count,
    name_unit,
    shares_of,
)
from askance.inference.intervals.likelihood_ratio_law import (
    HIGHEST,
    LOWEST,
    critical_value,
    critical_values,
)
from askance.inference.intervals.outermost_share import squared_deviate
from askance.inference.intervals.profile_likelihood import (
    ConstrainedShare,
    constrained_law,
)
from askance.inference.line.cells import cdf_covariance, shares_covariance, tick_numbers
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.npmle import npmle
from askance.inference.ranges.support import OrderedEnds
from askance.results import keep_read_only, normal_quantile
from askance.typing import Floats
from askance_collect.arguments import checked, no_less, no_more
from askance_collect.errors import InputError

_TIED = 1e-9  # shares that are the quantile's but for rounding
_PEOPLE, _GAP = 1e4, 1e-11  # of whom reports are expected, and how closely fitted
_FINEST = 120  # cuts
_FEWEST, _MOST = 4.0, 1e9  # reports
_STRIDE, _SHARP = 2.0, 1e-3  # of their logarithm


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantileForecast:
    """What is assumed about the interval of a quantile before anybody is asked.

    The interval holds each step of the line that it cannot leave out. A step above the quantile is
    left out if the share up to its lower tick cannot be the quantile's, one below if that up to its
    upper tick cannot. So the expected width is the sum of the steps, each times the chance that it
    stays (Pratt, 1961).

    Attributes
    ----------
    spacing : float
        How far a value is from the next.
    quantile, level : float
    ends : array, shape (c + 2,)
        The numbers where cuts fall, between the ends of the line.
    upto : array, shape (c + 2,)
        The shares up to these.
    worth : array, shape (c,)
        How many numbers asked plainly tell each share as precisely as one report.
    constrained : tuple of arrays, shape (c,)
        How far the expected log-likelihood of a report falls where each share is held at the
        quantile, and its slope there.
    limits : callable
        How large the squared deviate of each share may be, of so many reports.
    """

    spacing: float
    quantile: float
    level: float
    ends: Floats
    upto: Floats
    worth: Floats
    constrained: tuple[Floats, Floats]
    limits: Callable[[float], Floats]

    def __post_init__(self) -> None:
        keep_read_only(self, "ends upto worth")

    @property
    def widest(self) -> float:
        """Half the line."""
        return float(self.ends[-1] - self.ends[0] - self.spacing) / 2

    @property
    def least(self) -> float:
        """The half-width that any number of reports leaves: the steps that hold the quantile."""
        return self._added(np.zeros(len(self.worth)))

    def by_likelihood(self, n: float) -> float:
        """Half the expected width by likelihood ratio, which knows that shares rise.

        Of the reports that are expected the deviate is r where the share is held at the quantile,
        and √c may be reached. In a survey it is about normal around r, with a spread of √c/z, so
        that it stays below √c with the chance Φ(z(1 − r/√c)): exactly the level where r = 0.
        """
        share = self.quantile
        agree = np.where(self.upto[1:-1] < share, share, 1 - share)
        terms = (
            (n * fall for fall in self.constrained[0]),
            (n * slope for slope in self.constrained[1]),
            agree,
        )
        pulls = zip(*(map(float, term) for term in terms), strict=True)
        square = [
            squared_deviate(fall, share * (1 - share) * slope, to) if slope > 0 else 0.0
            for fall, slope, to in pulls
        ]
        over = np.sqrt(np.array(square) / self.limits(n))
        return self._added(ndtr(normal_quantile(self.level) * (1 - over)))

    def tick_by_tick(self, n: float, *, plain: bool = False) -> float:
        """Half the expected width by Wilson's interval of each share by itself.

        Parameters
        ----------
        n : float
        plain : bool
            Whether numbers are asked plainly, and each is worth one.
        """
        share, worth = self.upto[1:-1], n * (np.ones_like(self.worth) if plain else self.worth)
        limit = normal_quantile(self.level) * math.sqrt(self.quantile * (1 - self.quantile))
        far = np.abs(share - self.quantile) * np.sqrt(worth)
        return self._added(ndtr((limit - far) / np.sqrt(share * (1 - share))))

    def _added(self, stays: Floats) -> float:
        """Add up half the steps, each if the end that decides about it stays."""
        tied = np.abs(self.upto - self.quantile) <= _TIED
        stays = np.where(tied, (1 + self.level) / 2, np.concatenate([[0.0], stays, [0.0]]))
        below = self.upto[1:] <= self.quantile + _TIED
        above = self.upto[:-1] >= self.quantile - _TIED
        chance = np.where(below, stays[1:], np.where(above, stays[:-1], 1.0))
        return max(float(np.diff(self.ends) @ chance) - self.spacing, 0.0) / 2


def _is_forecastable(channel: AbstractRangeChannel) -> bool:
    """Say whether every range is sent, as one piece, and shares are few enough to be held."""
    complete = isinstance(channel, RangeChannel) and channel.reports_every_answer
    return complete and len(channel.cut_ticks()) <= _FINEST


def quantile_forecast(
    channel: AbstractRangeChannel, quantile: float, level: float, shares: Floats
) -> QuantileForecast:
    """Forecast the interval of a quantile from the shares of people in the steps of the line.

    Raises
    ------
    InputError
        If the quantile is not in (0, 1), the level is not tabled, some ranges have several pieces
        or are withheld, or there are too many cuts.
    """
    if not 0 < quantile < 1:
        raise InputError("quantile", got=quantile, allowed="a share strictly between 0 and 1")
    critical_value(level, 0)
    numbers, cut = tick_numbers(channel), channel.cut_ticks()
    if not (isinstance(channel, RangeChannel) and _is_forecastable(channel)):
        raise InputError(
            "quantile",
            got=f"{len(cut):,} ticks where ends of ranges fall, by {type(channel).__name__}",
            allowed=f"at most {_FINEST} cuts, with every range sent as one piece",
            remedy="rehearse it: `askance study` prints half-widths of all quantiles",
        )
    cells, chances = channel.cells()
    expected = chances * channel.range_probabilities(cells, shares)
    ranges = channel.ranges(cells[expected > 0], _PEOPLE * expected[expected > 0] / expected.sum())
    cuts, upto = OrderedEnds.of(ranges), np.append(0.0, np.cumsum(shares))
    fit = npmle(ranges, (numbers[0], numbers[-1]), tol=_GAP)
    ends, inner = cuts.ends, upto[cut]
    fits = ConstrainedShare(ranges=ranges, fit=fit, cuts=cuts)
    sides = zip(ends.tolist(), (inner < quantile).tolist(), strict=True)
    excesses = [fits.excess(end, quantile, 1.0, up=up)[1] for end, up in sides]
    constrained = np.array(
        [(0.0, 0.0) if excess is None else (excess.fall, abs(excess.slope)) for excess in excesses]
    )
    return QuantileForecast(
        spacing=channel.line.spacing,
        quantile=quantile,
        level=level,
        ends=numbers[np.concatenate([[0], cut, [len(numbers) - 1]])],
        upto=np.concatenate([[0.0], inner, [1.0]]),
        worth=inner * (1 - inner) / _variances(channel, shares, upto, cut),
        constrained=(constrained[:, 0] / _PEOPLE, constrained[:, 1] / _PEOPLE),
        limits=_limits(cuts, fit, level, quantile),
    )


def _limits(
    cuts: OrderedEnds, fit: Distribution, level: float, quantile: float
) -> Callable[[float], Floats]:
    """How large the squared deviate of the quantile's share may be at each end, of n reports."""
    law, ends = constrained_law(cuts, fit, level), cuts.ends
    if law is None:
        return lambda n: critical_values(cuts, fit, ends, level, np.full(len(ends), _PEOPLE / n))
    every, upto = np.arange(len(ends)), fit.cdf_bounds(ends)[0]
    shares = np.where(
        every < every[:, None], np.minimum(upto, quantile), np.maximum(upto, quantile)
    )
    np.fill_diagonal(shares, quantile)
    return lambda n: law.critical(every, shares, np.full(len(ends), _PEOPLE / n))


def _variances(
    channel: AbstractRangeChannel, shares: Floats, upto: Floats, ticks: Iterable[int]
) -> Floats:
    """Of one report's worth of the share up to each of some ticks."""
    if isinstance(channel, RangeChannel) and channel.reports_every_cell:
        return np.diag(cdf_covariance(channel, 1.0, upto))
    below = np.arange(len(shares)) < np.array(ticks)[:, None]
    return shares_covariance(channel, 1.0, shares, below.astype(float))


@checked
def quantile_half_width(
    channel: AbstractRangeChannel,
    n: Annotated[float, "a number of reports above 0"],
    quantile: float = 0.5,
    level: float = 0.95,
    *,
    prevalence: Prevalence = None,
) -> float:
    r"""Expected half-width of a quantile's confidence interval, by likelihood ratio.

    .. math::
        \tfrac12 \sum_i (x_{i+1} - x_i)\, \Phi\bigl(z(1 - r_i/\sqrt{c_i})\bigr)

    over the steps beside that of the quantile, which counts whole: r_i is the deviate of the
    expected reports where F is held at the quantile at the end of the step that is nearer to it,
    and c_i its critical value by the shares beside it, as they are expected then. Measured,
    intervals of `estimate_line` are about as wide, within a fifth.

    Parameters
    ----------
    channel : AbstractRangeChannel
    n : float
        Reports that will arrive, from 4 to 10⁹.
    quantile : float
        In (0, 1); 0.5 is the median.
    level : float
        In [0.5, 0.999].
    prevalence : array, optional
        A share for each step of the line; even if left out.

    Raises
    ------
    InputError
        If a number is outside its range, some ranges have several pieces or are withheld, or the
        line has more than 121 steps.

    References
    ----------
    Pratt (1961): an interval is as long, on average, as it is likely to hold what is not true.

    >>> from askance_collect.exact.line import Line
    >>> cut = RangeChannel(Line(0, 10, 1), [1] * 9)
    >>> [round(quantile_half_width(cut, n), 2) for n in (200, 2_000, 20_000)]
    [2.4, 1.13, 0.98]
    """
    if not _FEWEST <= check_report_count(n) <= _MOST:
        raise InputError("n", got=n, allowed=f"reports in [{no_less(_FEWEST)}, {no_more(_MOST)}]")
    shares = shares_of(prevalence, channel.line.ticks)
    return quantile_forecast(channel, quantile, level, shares).by_likelihood(n)


def reports_for(half_width: Callable[[float], float], goal: float) -> float:
    """Say how many reports have a half-width that falls with them; ∞ where no number has.

    >>> round(reports_for(lambda n: 2 / math.sqrt(n), 0.1))
    400
    """

    def beyond(size: float) -> float:
        return half_width(math.exp(size)) - goal

    low, high, most = math.log(_FEWEST), math.log(_FEWEST) + _STRIDE, math.log(_MOST)
    if beyond(low) <= 0:
        return _FEWEST
    while beyond(high) > 0:
        if high >= most:
            return math.inf
        low, high = high, min(high + _STRIDE, most)
    from scipy.optimize import brentq  # slow to load

    return float(math.exp(brentq(beyond, low, high, xtol=_SHARP)))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantileNarrowing(AbstractAim):
    """An interval of some level and half-width, for a quantile of a number on a line.

    Attributes
    ----------
    forecast : QuantileForecast
    half_width : float
    unit : str
    """

    forecast: QuantileForecast
    half_width: float
    unit: str

    @property
    def description(self) -> str:
        """The aim in words."""
        width, share = name_unit(f"{self.half_width:,g}", self.unit), self.forecast.quantile
        quantile = "the median" if share == 0.5 else f"quantile {share:g}"
        comma = "," if self.unit else ""
        return f"{100 * self.forecast.level:g} % interval of ± {width}{comma} for {quantile}"

    @property
    def quantity(self) -> str:
        """The half-width, its level and its unit."""
        level = f"{100 * self.forecast.level:g} %"
        return name_unit(f"half-width of the {level} interval", self.unit)

    @property
    def design_effect(self) -> float:
        """How many reports have as narrow an interval as one plain answer."""
        plain = reports_for(lambda n: self.forecast.tick_by_tick(n, plain=True), self.half_width)
        return max(self.approximate(None) / plain, 1.0)

    def approximate(self, population: int | None) -> int:
        """The least number of reports with the expected half-width."""
        if population is not None:
            raise InputError(
                "population",
                got=f"{population:,} beside a quantile",
                allowed="none: people are drawn from as many as you like",
                remedy="leave it out; the number is enough in any population",
            )
        n = reports_for(self.forecast.by_likelihood, self.half_width)
        if n == math.inf:
            most = self.forecast.by_likelihood(_MOST)
            raise InputError(
                "half_width",
                got=self.half_width,
                allowed=f"at least {no_less(most)}, which {no_more(_MOST)} reports leave",
            )
        return math.ceil(n)

    def exact(self, near: int) -> None:
        """Return None: no exhaustive search over counts is available."""

    def attained(self, n: int, population: int | None, exact: bool) -> float:  # noqa: ARG002  as of a mean
        """Say what half-width so many reports leave."""
        return self.forecast.by_likelihood(n)

    def without(self, population: int | None) -> tuple[float, float]:  # noqa: ARG002  as of a mean
        """How many reports it would take without whole numbers, and without knowing that F rises.

        ∞ where no number would do.
        """
        any_value = self.half_width - self.forecast.spacing / 2
        alone = reports_for(self.forecast.tick_by_tick, self.half_width)
        return reports_for(self.forecast.by_likelihood, any_value), alone


def saved_by_monotonicity(
    channel: AbstractRangeChannel, n: float, half_width: float, level: float, shares: Floats
) -> float:
    """How many reports more Wilson's interval at each tick takes for so narrow a median.

    Parameters
    ----------
    channel : AbstractRangeChannel
    n : float
        Reports of which the interval that knows that shares rise is so narrow.
    half_width, level : float
    shares : array, shape (ticks,)

    Returns
    -------
    float
        0 where nothing is foretold, and where no number of reports would do.

    >>> from askance_collect.exact.line import Line
    >>> cut = RangeChannel(Line(0, 24, 1), [1] * 23)
    >>> round(saved_by_monotonicity(cut, 1_000, 3, 0.95, np.full(24, 1 / 24)), -1)
    1000.0
    """
    if not (_is_forecastable(channel) and LOWEST <= level <= HIGHEST):
        return 0.0
    alone = reports_for(quantile_forecast(channel, 0.5, level, shares).tick_by_tick, half_width)
    return max(alone - n, 0.0) if alone < math.inf else 0.0


def quantile_narrowing(
    channel: AnyChannel,
    prevalence: Prevalence,
    half_width: object,
    level: float,
    quantile: float,
) -> QuantileNarrowing:
    """Check that a half-width of a quantile's interval is attainable.

    Raises
    ------
    InputError
        If the half-width is not between what no number of reports improves and half the line.

    >>> from askance_collect.exact.line import Line
    >>> quantile_narrowing(RangeChannel(Line(0, 10, 1), [1] * 9), None, 0.4, 0.95, 0.25)
    Traceback (most recent call last):
    askance_collect.errors.InputError: half_width: got 0.4; allowed: a number in (0.5, 5); ... sm...
    """
    if not isinstance(channel, AbstractRangeChannel):
        raise InputError(
            "quantile", got="a question with named answers", allowed="a number on a line"
        )
    shares = shares_of(prevalence, channel.line.ticks)
    forecast = quantile_forecast(channel, quantile, level, shares)
    width = float(half_width) if isinstance(half_width, int | float) else math.nan
    if not forecast.least < width < forecast.widest:
        raise InputError(
            "half_width",
            got=half_width,
            allowed=f"a number in ({no_less(forecast.least)}, {no_more(forecast.widest)})",
            remedy="choose a smaller step" if width <= forecast.least else "",
        )
    return QuantileNarrowing(forecast=forecast, half_width=width, unit=channel.line.unit)
