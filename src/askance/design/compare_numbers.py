"""Whole numbers asked by ranges, by noise and by scrambles, side by side at equal utility."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.channels.frame import Frame
from askance.channels.range_channel import AbstractRangeChannel
from askance.design.precision import Prevalence, shares_of
from askance.inference.scrambled_numbers import Scrambling
from askance.mechanisms.cuts import AbstractRangeMechanism, Cuts
from askance.mechanisms.discrete_laplace import DiscreteLaplace
from askance.privacy.losses import local_loss
from askance.results import Listing, json_of, listed, number, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import read_integer

_MOST = 128
"""Numbers, of which each is compared with each report of each other."""
_BINS = 2_000
"""In how many parts the reports of a continuous factor are looked at."""
_RANGES: tuple[AbstractRangeMechanism, ...] = (Cuts(), Cuts(number=2))
_NONE = 1e-9  # of the variance of the numbers: what rounding leaves of an added variance of 0
_HEAD = ["asked by", "effective sample", "ε", "farthest", "typical", "guessed", "possible"]
_COLUMNS = (
    "asked=label beside=matched_on variance effective_sample_size epsilon "
    "farthest=max_total_variation typical=mean_total_variation guessed=guess_probability "
    "left_possible=mean_coverage"
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCost:
    """A way to ask for a whole number: precision of the estimated mean, and privacy of a report.

    Attributes
    ----------
    label : str
    matched_on : str
        What it has in common with the ranges above it; empty for ranges.
    mechanism : AbstractRangeMechanism, DiscreteLaplace or Scrambling
    variance : float
        Of the estimated mean, times the number of people.
    effective_sample_size : float
        How many people, asked directly, would tell as much as all that are asked.
    epsilon : float
        The local loss over all numbers; infinite where a report rules a number out.
    max_total_variation, mean_total_variation : float
        How much better than by chance a report tells two numbers apart (their total variation):
        the two that it tells apart best, and on average two different ones of two people.
    guess_probability : float
        How often the likeliest number, given the report, is the true one.
    mean_coverage : float
        The share of people whose number a report does not rule out, on average.

    >>> from askance.design import NumberCost, compare_numbers
    >>> from askance_collect.exact import Line
    >>> first: NumberCost = compare_numbers(Line(0, 9, integer=True)).rows[0]
    >>> first.label, first.epsilon
    ('one cut', inf)
    """

    label: str
    matched_on: str
    mechanism: AbstractRangeMechanism | DiscreteLaplace | Scrambling
    variance: float
    effective_sample_size: float
    epsilon: float
    max_total_variation: float
    mean_total_variation: float
    guess_probability: float
    mean_coverage: float

    def to_dict(self) -> Json:
        """Write it for JSON; an infinite loss becomes None."""
        return json_of(self, _COLUMNS)

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in a table: what it gives away is rounded up."""
        percentages = (
            math.ceil(1000 * chance - 1e-6) / 10
            for chance in (
                self.max_total_variation,
                self.mean_total_variation,
                self.guess_probability,
            )
        )
        loss = "∞" if math.isinf(self.epsilon) else f"{math.ceil(100 * self.epsilon) / 100:.2f}"
        people = self.effective_sample_size
        size = f"{people:,.0f}" if people >= 10 else number(people, 2)
        possible = f"{math.floor(1000 * self.mean_coverage + 1e-6) / 10:.1f} %"
        label = f"  {self.label}, {self.matched_on}" if self.matched_on else self.label
        return (label, size, loss, *(f"{percentage:.1f} %" for percentage in percentages), possible)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NumberComparison:
    """Ranges of a whole number, each with noise and scrambles that equal them in one respect.

    Attributes
    ----------
    people : int
    rows : tuple of NumberCost
        Each range recipe, followed by what has its variance or its typical advantage.
    numbers : int
        How many values the number may have.

    >>> from askance.design import NumberComparison, compare_numbers
    >>> from askance_collect.exact import Line
    >>> comparison: NumberComparison = compare_numbers(Line(0, 9, integer=True))
    >>> [cost.label for cost in comparison.rows[:5]]
    ['one cut', 'discrete Laplace', 'even addend', 'gamma factor', 'discrete Laplace']
    """

    people: int
    numbers: int
    rows: tuple[NumberCost, ...]

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        return json_of(self, "people numbers rows")

    def _frame(self) -> Any:
        return [row.to_dict() for row in self.rows]

    def _table(self) -> Listing:
        title = f"the mean of {self.numbers} whole numbers, {self.people:,} people"
        notes = [
            "ε is over all numbers; farthest and typical: how much better than chance two are told "
            "apart; guessed: how often the true number; possible: share of people not ruled out"
        ]
        return title, _HEAD, [row.cells for row in self.rows], notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def compare_numbers(
    line: Line,
    *,
    shares: Prevalence = None,
    ranges: Sequence[AbstractRangeMechanism] | None = None,
    epsilon: object = None,
    ratio: object = None,
    people: int = 1_000,
) -> NumberComparison:
    r"""Utility and privacy of ranges, discrete Laplace noise and scrambles of a whole number.

    Below each range recipe stand four others: with the same variance of the estimated mean discrete
    Laplace noise, an even addend from −m to m (Pollock & Bek, 1976) and a gamma factor of mean one
    (Eichhorn & Hayre, 1983); and discrete Laplace noise under which two people's numbers are told
    apart equally well on average. The variance is that of the best unbiased estimate,

    .. math:: n \operatorname{Var}(\hat\mu) = y^\top (Q D^{-1} Q^\top)^{-1} y - \mu^2, \qquad
              D = \operatorname{diag}(\pi^\top Q)

    with Q the chances of the reports, y the numbers and π their shares; of the addend and the
    factor that of the moments that are known, y + T and S y.

    Ranges rule numbers out and have no finite ε, as do addends with an end; a factor leaves 0 as it
    is, and no other number has a bound either. Noise rules nothing out. What a report of them gives
    away is compared by the advantage (total variation) between two numbers; reports of a factor are
    looked at in 2,000 parts, so that what they give away is no less than is told.

    Parameters
    ----------
    line : Line
        Of whole numbers, one a step, 128 of them at most.
    shares : array_like, shape (k,), optional
        π; even if left out.
    ranges : sequence of AbstractRangeMechanism, optional
        One cut and two cuts, if left out.
    epsilon, ratio : number, optional
        A bound on the local loss over all numbers, or e to it: the noise that keeps it comes first.
    people : int
        How many are asked.

    Raises
    ------
    InputError
        If the line is not of whole numbers, or of too many, or begins below 0.
    NotIdentified
        If a recipe's ranges leave the mean open.

    References
    ----------
    Pollock & Bek (1976) and Eichhorn & Hayre (1983) for the scrambles; Ding & Ding (2022) for the
    ranges.

    >>> from askance.design import compare_numbers
    >>> from askance_collect.exact import Line
    >>> from askance.mechanisms import Cuts
    >>> compare_numbers(Line(0, 20, integer=True), ranges=[Cuts(number=2)]).to_frame().shape
    (5, 9)
    """
    n = read_integer(people, "people", "a number of people in [1, ∞)")
    if not line.integer or line.step != 1 or line.ticks > _MOST or line.lower < 0:
        raise InputError(
            "compare_numbers.line",
            got=f"{line.ticks} steps of {line.step} from {line.lower}",
            allowed=f"whole numbers of 0 or more, one a step, at most {_MOST}",
            remedy="Line(0, 40, integer=True), in a unit that makes them few",
        )
    population = _Population.of(line, shares_of(shares, line.ticks, "shares"), n)
    rows = [row for recipe in ranges or _RANGES for row in population.judge_with_equals(recipe)]
    if epsilon is not None or ratio is not None:
        recipe = DiscreteLaplace.at_epsilon(epsilon, ratio=ratio)
        constraint = f"ε = {epsilon}" if ratio is None else f"e^ε = {ratio}"
        rows.insert(0, population.noisy(recipe, constraint))
    return NumberComparison(people=n, numbers=line.ticks, rows=tuple(rows))


@final
@dataclass(frozen=True, slots=True)
class _Population:
    """The values of the number, the shares of people who have them, and how many people."""

    line: Line
    values: Floats
    shares: Floats
    people: int

    @classmethod
    def of(cls, line: Line, shares: Floats, people: int) -> "_Population":
        """Read the values off the line."""
        values = np.arange(line.ticks, dtype=np.float64) + float(line.lower)
        return cls(line, values, shares, people)

    @property
    def mean(self) -> float:
        return float(self.shares @ self.values)

    @property
    def spread(self) -> float:
        return float(self.shares @ (self.values - self.mean) ** 2)

    def judge_with_equals(self, recipe: AbstractRangeMechanism) -> list[NumberCost]:
        """Judge a range recipe, and what equals it."""
        matrix = _range_matrix(recipe.channel(self.line))
        own = self._judged(
            _describe_recipe(recipe), "", recipe, matrix, _best_variance(self, matrix)
        )
        added = max(own.variance - self.spread, _NONE * self.spread)
        return [
            own,
            self._noise("same variance", lambda decay: _noise_variance(self, decay), own.variance),
            self._addend(added),
            self._factor(added),
            self._noise(
                "same advantage",
                lambda decay: -_typical_advantage(self, _noise_matrix(self, decay)),
                -own.mean_total_variation,
            ),
        ]

    def _noise(self, matched_on: str, rises: Callable[[float], float], wanted: float) -> NumberCost:
        """Take the discrete Laplace noise at which something that rises with α is as wanted."""
        low, high = 1e-9, 60.0  # of ln 1/α
        for _ in range(60):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if rises(math.exp(-middle)) > wanted else (low, middle)
        decay = Fraction(round(math.exp(-high) * 10_000), 10_000)
        recipe = DiscreteLaplace(
            decay=min(max(decay, Fraction(1, 10_000)), Fraction(9_999, 10_000))
        )
        return self.noisy(recipe, matched_on)

    def noisy(self, recipe: DiscreteLaplace, matched_on: str) -> NumberCost:
        """Judge discrete Laplace noise."""
        channel = recipe.channel(Frame([str(tick) for tick in range(self.line.ticks)]))
        variance = _best_variance(self, channel.matrix)
        loss = local_loss(channel).epsilon
        name = "discrete Laplace"
        return self._judged(name, matched_on, recipe, channel.matrix, variance, loss)

    def _addend(self, added: float) -> NumberCost:
        """An even addend from −m to m, with m(m + 1)/3 next to what is to be added."""
        half_range = max(round((math.sqrt(1 + 12 * added) - 1) / 2), 1)
        k = self.line.ticks
        matrix = np.zeros((k, k + 2 * half_range))
        for i in range(k):
            matrix[i, i : i + 2 * half_range + 1] = 1 / (2 * half_range + 1)
        recipe = Scrambling.pollock_bek(added=(0.0, math.sqrt(half_range * (half_range + 1) / 3)))
        variance = self.spread + recipe.variance(self.mean, self.spread + self.mean**2)
        return self._judged("even addend", "nearest variance", recipe, matrix, variance)

    def _factor(self, added: float) -> NumberCost:
        """A factor of mean one, whose variance adds as much on average."""
        square = self.spread + self.mean**2
        sd = math.sqrt(added / square) if square else 1.0
        recipe = Scrambling.eichhorn_hayre(factor=(1.0, sd))
        variance = self.spread + recipe.variance(self.mean, square)
        matrix = _factor_matrix(self.values, sd)
        return self._judged("gamma factor", "same variance", recipe, matrix, variance)

    def _judged(
        self,
        label: str,
        matched_on: str,
        mechanism: AbstractRangeMechanism | DiscreteLaplace | Scrambling,
        matrix: Floats,
        variance: float,
        epsilon: float = math.inf,
    ) -> NumberCost:
        distances = _total_variation(matrix)
        possible = self.shares @ (matrix > 0)
        return NumberCost(
            label=label,
            matched_on=matched_on,
            mechanism=mechanism,
            variance=variance,
            effective_sample_size=self.people * self.spread / variance,
            epsilon=epsilon,
            max_total_variation=float(distances.max()),
            mean_total_variation=_mean_total_variation(self, distances),
            guess_probability=float((self.shares[:, None] * matrix).max(axis=0).sum()),
            mean_coverage=float(self.shares @ matrix @ possible),
        )


def _describe_recipe(recipe: AbstractRangeMechanism) -> str:
    written = recipe.parameters()
    if isinstance(recipe, Cuts):
        number = {"1": "one cut", "2": "two cuts"}
        return number.get(written["number"], f"{written['number']} cuts")
    parameters = (f"{name} {written[name]}" for name in ("number", "floor") if name in written)
    return f"{recipe.name}: {', '.join(parameters)}"


def _range_matrix(channel: AbstractRangeChannel) -> Floats:
    """Chances of the ranges given each step."""
    ends, chances = channel.cells()
    matrix = np.zeros((channel.line.ticks, len(ends)))
    for column, (low, high) in enumerate(ends.tolist()):
        for piece in channel.pieces(low, high):
            matrix[slice(*piece), column] = chances[column]
    if (matrix.sum(axis=1) < 1 - 1e-9).any():
        raise InputError(
            "compare_numbers.ranges", got="reports withheld", allowed="a range for every number"
        )
    return matrix


def _noise_matrix(population: _Population, decay: float) -> Floats:
    """Discrete Laplace noise on the grid, in doubles."""
    k = population.line.ticks
    steps = np.abs(np.arange(k)[:, None] - np.arange(k))
    matrix: Floats = (1 - decay) / (1 + decay) * decay**steps
    matrix[:, [0, -1]] = decay ** steps[:, [0, -1]] / (1 + decay)
    return matrix


def _noise_variance(population: _Population, decay: float) -> float:
    """The variance of one report's estimate; at an end it lies α/(1 − α) beyond."""
    worth = population.values.copy()
    worth[0] -= decay / (1 - decay)
    worth[-1] += decay / (1 - decay)
    return (
        float(population.shares @ _noise_matrix(population, decay) @ worth**2) - population.mean**2
    )


def _best_variance(population: _Population, matrix: Floats) -> float:
    """The variance of the best unbiased estimate of the mean, for one report."""
    chance = population.shares @ matrix
    can = chance > 0
    weighted = matrix[:, can] / np.sqrt(chance[can])
    coefficients = np.linalg.lstsq(weighted, population.values, rcond=None)[0]
    if np.abs(weighted @ coefficients - population.values).max() > 1e-6 * max(
        population.values.max(), 1
    ):
        raise NotIdentified(
            "compare_numbers.ranges",
            got="ranges that leave the mean open",
            allowed="a law whose cuts separate every number from the next",
        )
    return float(coefficients @ coefficients) - population.mean**2


def _factor_matrix(values: Floats, sd: float) -> Floats:
    """Chances of bins of S y, S of a gamma law of mean one; 0 has a bin of its own."""
    from scipy.stats import gamma

    law = gamma(1 / sd**2, scale=sd**2)
    top = values.max() * law.isf(1e-9)
    edges = np.concatenate([[0.0], np.geomspace(top * 1e-7, top, _BINS), [np.inf]])
    matrix = np.zeros((len(values), len(edges)))
    for i, value in enumerate(values):
        if value == 0:
            matrix[i, 0] = 1.0
        else:
            parts = np.diff(law.cdf(edges / value))
            matrix[i, 1:] = np.maximum(parts, np.finfo(float).tiny)  # none is ruled out
    return matrix


def _total_variation(matrix: Floats) -> Floats:
    """Total variation between the reports of any two numbers."""
    return np.stack([np.abs(matrix - row).sum(axis=1) / 2 for row in matrix])


def _mean_total_variation(population: _Population, distances: Floats) -> float:
    """Mean total variation between the reports of two people with different numbers."""
    differ = 1 - float(population.shares @ population.shares)
    return float(population.shares @ distances @ population.shares) / differ


def _typical_advantage(population: _Population, matrix: Floats) -> float:
    return _mean_total_variation(population, _total_variation(matrix))
