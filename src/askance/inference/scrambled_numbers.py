"""Scrambled numbers: means and totals from numbers that respondents multiplied or added to.

By the moments of what was drawn (`Scrambling`), or by the channel that was drawn from
(`mean_of_numbers`), which keeps numbers on a grid and has a finite loss.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.chart import Chart, chart_frame, draw_result
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.provenance import Computation, ScramblingModel
from askance.inference.regression.coefficients import Margins, normal_margins
from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import (
    Listing,
    counted,
    describe_freedom,
    json_of,
    listed,
    number,
    numbers,
    read_only,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified

Moments = tuple[float, float]
"""Mean and standard deviation."""

_MOST = 1e100  # whose square has a square
_LARGE = 1e50  # whose square can be told
_CLOSE = 1e-8  # of the largest number, to which scores have to give every number back
_LEAST = 1e-15  # the smallest chance to be asked, for as many people as a population may have


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scrambling:
    r"""A scrambled response design, as far as means of reports depend on it.

    .. math:: z = y \text{ with chance } p, \quad S y + T \text{ otherwise}

    Made by the class methods, which are named for who proposed the design. No ε is told here: what
    is known of S and T are moments. A factor alone hides no 0, since S · 0 = 0, and where the
    number itself is told with a chance, it stands among the reports: neither has a finite loss.

    Attributes
    ----------
    name : str
    model : ScramblingModel, optional
        Whose design it is.
    truth_chance : float
        p.
    factor, factor_square : float
        Mean of S, and of S².
    added, added_square : float
        Mean of T, and of T².
    cross_moment : float
        Mean of S T.

    >>> from askance.inference import Scrambling
    >>> Scrambling.eichhorn_hayre(factor=(1, 0.5)).factor_square
    1.25
    """

    name: str
    model: ScramblingModel | None = None
    truth_chance: float
    factor: float
    factor_square: float
    added: float
    added_square: float
    cross_moment: float

    def __post_init__(self) -> None:
        _read_chance(self.truth_chance, "Scrambling.truth_chance")
        spreads = np.sqrt([self.factor_square, self.added_square]) * (1 + 1e-9)
        means = np.abs([self.factor, self.added])
        if not (spreads < _MOST).all() or not (means <= spreads).all():
            squares = f"mean squares {self.factor_square:g} and {self.added_square:g}"
            raise InputError("Scrambling", got=squares, allowed="at least the squares of the means")
        if not abs(self.cross_moment) <= spreads.prod():
            allowed = "at most the root of both mean squares"
            raise InputError("Scrambling.cross_moment", got=self.cross_moment, allowed=allowed)
        if abs(self.scale) < 1e-12:
            raise NotIdentified(
                "Scrambling",
                got="reports whose mean does not depend on the number",
                allowed="a factor of another mean",
            )

    @classmethod
    @checked
    def eichhorn_hayre(cls, *, factor: Moments) -> "Scrambling":
        """Multiply by a factor: z = S y (Eichhorn & Hayre, 1983)."""
        return _with_independent_noise(ScramblingModel.EICHHORN_HAYRE, 0.0, factor, (0.0, 0.0))

    @classmethod
    @checked
    def bar_lev(cls, *, truth_chance: float, factor: Moments) -> "Scrambling":
        """Report the number with a chance, else multiply it (Bar-Lev, Bobovitch & Boukai, 2004)."""
        return _with_independent_noise(ScramblingModel.BAR_LEV, truth_chance, factor, (0.0, 0.0))

    @classmethod
    @checked
    def pollock_bek(cls, *, added: Moments) -> "Scrambling":
        """Add a number: z = y + T (Pollock & Bek, 1976)."""
        return _with_independent_noise(ScramblingModel.POLLOCK_BEK, 0.0, (1.0, 0.0), added)

    @classmethod
    @checked
    def saha(cls, *, factor: Moments, added: Moments) -> "Scrambling":
        """Add and then multiply: z = W (y + U) (Saha, 2007)."""
        return _with_common_factor(ScramblingModel.SAHA, 0.0, factor, added, 1.0, 1.0)

    @classmethod
    @checked
    def diana_perri_1(cls, *, truth_chance: float, factor: Moments, added: Moments) -> "Scrambling":
        """Report the number with a chance, else z = W (y + U) (Diana & Perri, 2010)."""
        return _with_common_factor(
            ScramblingModel.DIANA_PERRI_1, truth_chance, factor, added, 1.0, 1.0
        )

    @classmethod
    @checked
    def diana_perri_2(cls, *, weight: float, factor: Moments, added: Moments) -> "Scrambling":
        """Mix and then multiply: z = W (β U + (1 − β) y), with weight β (Diana & Perri, 2010)."""
        beta = _read_chance(weight, "Scrambling.weight")
        return _with_common_factor(
            ScramblingModel.DIANA_PERRI_2, 0.0, factor, added, 1 - beta, beta
        )

    @property
    def scale(self) -> float:
        """What the mean report rises by where the number rises by 1."""
        return self.truth_chance + (1 - self.truth_chance) * self.factor

    @checked
    def unscramble(self, reports: Any) -> Floats:
        """Give each report's unbiased estimate of its number: (z − (1 − p) E T) / scale.

        Raises
        ------
        InputError
            If a report is missing or infinite, or above 10¹⁰⁰.
        """
        values = numbers(reports, "reports")
        odd = values[~(np.abs(values) <= _MOST)]
        if odd.size:
            allowed = "numbers in [-1e100, 1e100]"
            raise InputError("reports", got=float(odd[0]), allowed=allowed)
        return read_only((values - (1 - self.truth_chance) * self.added) / self.scale)

    @checked
    def variance(self, mean: float, mean_square: float) -> float:
        """What scrambling adds to one unscrambled report's variance, given moments of the number.

        (E z² − E (E z | y)²) / scale², with E z² = (p + q E S²) E y² + 2 q E ST E y + q E T².

        Raises
        ------
        InputError
            If the mean square is below the squared mean.
        """
        if not mean * mean * (1 - 1e-12) <= mean_square < _MOST:
            moments = f"{mean_square} beside a mean of {mean}"
            allowed = f"at least the squared mean, {mean * mean}, and below 1e100"
            raise InputError("mean_square", got=moments, allowed=allowed)
        q = 1 - self.truth_chance
        square = (self.truth_chance + q * self.factor_square) * mean_square
        square += 2 * q * self.cross_moment * mean + q * self.added_square
        line = self.scale**2 * mean_square + 2 * self.scale * q * self.added * mean
        return (square - line - (q * self.added) ** 2) / self.scale**2


def _with_independent_noise(
    model: ScramblingModel, truth_chance: float, factor: Moments, added: Moments
) -> Scrambling:
    (s, spread), (t, noise) = _read_moments(factor, "factor"), _read_moments(added, "added")
    return Scrambling(
        name=model.value,
        model=model,
        truth_chance=_read_chance(truth_chance, "Scrambling.truth_chance"),
        factor=s,
        factor_square=s * s + spread**2,
        added=t,
        added_square=t * t + noise**2,
        cross_moment=s * t,
    )


def _with_common_factor(
    model: ScramblingModel,
    truth_chance: float,
    factor: Moments,
    added: Moments,
    own: float,
    other: float,
) -> Scrambling:
    """W (a y + b U): both parts share the factor."""
    (w, spread), (u, noise) = _read_moments(factor, "factor"), _read_moments(added, "added")
    square = w * w + spread**2
    return Scrambling(
        name=model.value,
        model=model,
        truth_chance=_read_chance(truth_chance, "Scrambling.truth_chance"),
        factor=own * w,
        factor_square=own**2 * square,
        added=other * w * u,
        added_square=other**2 * square * (u * u + noise**2),
        cross_moment=own * other * square * u,
    )


def _read_moments(moments: Moments, where: str) -> Moments:
    mean, spread = map(float, moments)
    if not (np.isfinite([mean, spread]).all() and spread >= 0 and abs(mean) + spread < 1e50):
        allowed = "a mean, and a standard deviation of at least 0, below 10⁵⁰"
        raise InputError(f"Scrambling.{where}", got=moments, allowed=allowed)
    return mean, spread


def _read_chance(chance: float, where: str) -> float:
    if not 0 <= chance < 1:
        raise InputError(where, got=chance, allowed="a number in [0, 1)")
    return float(chance)


_WRITTEN = (
    "design=scrambling value se lower upper total total_se deviation=sd n effective_sample_size "
    "level"
)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ScrambledMean:
    """The mean of numbers that were scrambled, or perturbed by a channel.

    Attributes
    ----------
    scrambling : str
    value, se, lower, upper : float
        The mean, its standard error and normal interval; of a complex sample by Student's t.
    total, total_se : float
        Of the population; NaN where its size is not known.
    sd : float
        The estimated standard deviation of the numbers themselves; 0 where it comes out negative,
        NaN where reports tell the mean alone.
    n : int
    effective_sample_size : float
        The number of unscrambled numbers with the same precision; NaN beside such a deviation.
    level : float
    df : float
        Degrees of freedom of the interval; infinite without a sampling design.
    is_from_channel : bool
        Whether numbers went through a channel, whose losses are known.
    model : ScramblingModel, optional
        Whose scrambled design it was.

    >>> from askance.inference import Scrambling, scrambled_mean
    >>> mean = scrambled_mean([2.0, 9.0, 4.0], Scrambling.pollock_bek(added=(1, 1)))
    >>> mean.value, round(mean.se, 4)
    (4.0, 2.0817)
    """

    computation: ClassVar[Computation] = Computation.SCRAMBLED_MEAN
    scrambling: str
    value: float
    se: float
    lower: float
    upper: float
    total: float
    total_se: float
    sd: float
    n: int
    effective_sample_size: float
    level: float
    df: float = np.inf
    is_from_channel: bool = False
    model: ScramblingModel | None = None

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: noise of a stated law hides any numbers."""
        return GoodnessOfFit(untested=Untested.NO_TEST)

    def to_dict(self) -> Json:
        """Write the estimate for JSON."""
        return json_of(self, _WRITTEN)

    def margins(self) -> Margins:
        """The mean with its interval; the total too, where the population's size is known."""
        return self._margins(1 if np.isnan(self.total) else 2)

    def _frame(self) -> Any:
        margins = self.margins()
        columns = {name: getattr(margins, name) for name in ("value", "se", "lower", "upper")}
        return {"of": margins.labels} | columns

    def _chart(self) -> Chart:
        """Describe the mean with its interval."""
        return self._margins(1)._chart()

    plot = draw_result
    plot_data = chart_frame

    def _margins(self, count: int) -> Margins:
        value = np.array([self.value, self.total][:count])
        se = np.array([self.se, self.total_se][:count])
        kind = "perturbed" if self.is_from_channel else "scrambled"
        title = f"mean of {kind} numbers, {self.scrambling}"
        labels = ("mean", "total")[:count]
        return normal_margins(title, labels, value, np.outer(se, se), self.level, self.df)

    def _table(self) -> Listing:
        title, head, rows, _ = self.margins()._table()
        worth = (
            f", worth {self.effective_sample_size:,.0f} plain numbers; "
            f"standard deviation of the numbers {number(self.sd, 3)}"
        )
        notes = [
            f"{counted(self.n, 'report')}" + ("" if np.isnan(self.sd) else worth),
            "local_loss of the channel bounds what a report gives away"
            if self.is_from_channel
            else "no finite ε follows from the moments of a scramble",
        ]
        if self.df < np.inf:
            notes[0] += f"; {describe_freedom(self.df)}"
        return title, head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def scrambled_mean(
    reports: Any,
    scrambling: Scrambling,
    *,
    inclusion: Any = None,
    population: float | None = None,
    sampling: AbstractSamplingDesign | None = None,
    level: float = 0.95,
) -> ScrambledMean:
    r"""Mean and total of a sensitive number from scrambled responses, by Horvitz–Thompson weights.

    .. math:: \hat\mu = \frac{\sum r_i / \pi_i}{\sum 1 / \pi_i}, \qquad
              \hat V = \frac{n}{n - 1} \frac{\sum (r_i - \hat\mu)^2 / \pi_i^2}{(\sum 1 / \pi_i)^2}

    with r the unscrambled reports and π the chances to be asked. With a population's size N given,
    the total is Σ r/π and the mean that over N. Variances are those of draws with replacement,
    which are too large rather than too small where much of a population is asked; they hold what
    scrambling adds. Of a complex sample they are the sampling design's, of Σ w (r − μ̂)/Σ w and of
    Σ w r, to which a finite-population correction gives back what scrambling adds: who is drawn is
    known better then, what they drew is not.

    Parameters
    ----------
    reports : array_like, length n
    scrambling : Scrambling
    inclusion : array_like, length n, optional
        π, each in (0, 1]; all alike if left out.
    population : float, optional
        N.
    sampling : SamplingDesign or ReplicateWeights, optional
        How the people were drawn, a row for each report; in place of the two before it.
    level : float
        Of the interval.

    Raises
    ------
    InputError
        If fewer than two reports are given, one is missing, a chance is not in (0, 1], or a
        sampling design is of other rows or stands beside chances.

    References
    ----------
    Eichhorn & Hayre (1983); the designs' estimators and variances are those of R's RRTCS 0.0.4.

    >>> from askance.inference import Scrambling, scrambled_mean
    >>> scrambling = Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6))
    >>> scrambled_mean([12.0, 30.0, 21.0, 45.0, 18.0], scrambling, population=100)
    mean of scrambled numbers, Saha
           value     se  95 % from    to
    mean    11.3  3.826      3.801  18.8
    total   1130  382.6      380.1  1880
    5 reports, worth 4 plain numbers; standard deviation of the numbers 7.76
    no finite ε follows from the moments of a scramble
    """
    r = scrambling.unscramble(reports)
    n = r.size
    if r.ndim != 1 or n < 2:
        raise InputError("reports", got=f"shape {r.shape}", allowed="two or more numbers in a row")
    if sampling is not None:
        if inclusion is not None or population is not None:
            raise InputError(
                "scrambled_mean",
                got="a sampling design beside inclusion or population",
                allowed="one of them: a sampling design has weights and what part was drawn",
            )
        return _estimate_from_sample(r, scrambling, sampling, level)
    pi = _read_inclusion(inclusion, n)
    if population is not None and not n <= population <= 1e15:
        raise InputError("population", got=population, allowed=f"a number of people in [{n}, 1e15]")
    weights = 1 / pi if inclusion is not None or population is None else np.full(n, population / n)
    size = float(weights.sum() if population is None else population)
    value = float(weights @ r) / size
    away = weights * (r - value) if population is None else weights * r - size * value / n
    variance = float(away @ away) * n / (n - 1) / size**2
    spread = _variance_of_numbers(r, weights / weights.sum(), scrambling)
    has_total = population is not None or inclusion is not None
    total = size if has_total else np.nan
    moments = _Moments(value, variance, total * value, total**2 * variance, spread, n)
    return replace(moments.estimate(scrambling.name, level), model=scrambling.model)


def _read_inclusion(inclusion: Any, n: int) -> Floats:
    pi = np.ones(n) if inclusion is None else numbers(inclusion, "inclusion")
    if pi.shape != (n,):
        raise InputError("inclusion", got=f"shape {pi.shape}", allowed=f"{n}: one per report")
    odd = pi[~((pi >= _LEAST) & (pi <= 1))]
    if odd.size:
        raise InputError("inclusion", got=float(odd[0]), allowed="chances in [1e-15, 1]")
    return pi


def _variance_of_numbers(r: Floats, share: Floats, scrambling: Scrambling) -> float:
    """Variance of the numbers themselves: that of the reports less that of scrambling."""
    mean, n = float(share @ r), len(r)
    observed = float(share @ (r - mean) ** 2) * n / (n - 1)
    per_square = scrambling.variance(0.0, 1.0) - scrambling.variance(0.0, 0.0)
    rest = scrambling.variance(mean, mean**2)
    return max((observed - rest) / (1 + per_square), 0.0)


@final
@dataclass(frozen=True, slots=True)
class _Moments:
    """Mean and total with their variances, the variance of the numbers, and how many there are."""

    mean: float
    variance: float
    total: float
    total_variance: float
    spread: float
    n: int

    def estimate(self, scrambling: str, level: float, df: float = np.inf) -> ScrambledMean:
        """Add errors and the interval."""
        se = float(np.sqrt(self.variance))
        reach = student_quantile(level, df) * se
        return ScrambledMean(
            scrambling=scrambling,
            value=self.mean,
            se=se,
            lower=self.mean - reach,
            upper=self.mean + reach,
            total=self.total,
            total_se=float(np.sqrt(self.total_variance)),
            sd=float(np.sqrt(self.spread)),
            n=self.n,
            effective_sample_size=self.spread / self.variance if self.variance else float(self.n),
            level=level,
            df=df,
        )


def _estimate_from_sample(
    r: Floats, scrambling: Scrambling, sampling: AbstractSamplingDesign, level: float
) -> ScrambledMean:
    """Mean and total of unscrambled reports from a complex sample."""
    w = sampling.weights
    if w.shape != r.shape or (w > 0).sum() < 2:
        raise InputError(
            "scrambled_mean.sampling",
            got=f"a sampling design of {len(w):,} rows, {int((w > 0).sum()):,} with a weight",
            allowed=f"one of {len(r):,} rows, two or more with a weight",
        )
    size, total = float(w.sum()), float(w @ r)
    mean = total / size
    of_mean = ratio_covariance(sampling, ((r - mean) / size)[:, None], np.ones((len(r), 1)))
    is_sampled = w > 0
    spread = _variance_of_numbers(r[is_sampled], w[is_sampled] / size, scrambling)
    again = float(sampling.sampling_fraction @ w**2) * scrambling.variance(mean, spread + mean**2)
    moments = _Moments(
        mean,
        float(of_mean[0, 0]) + again / size**2,
        total,
        float(sampling.covariance(r)[0, 0]) + again,
        spread,
        int(is_sampled.sum()),
    )
    estimate = moments.estimate(scrambling.name, level, sampling.df)
    return replace(estimate, model=scrambling.model)


@checked
def mean_of_numbers(
    tally: Tally,
    values: npt.ArrayLike | None = None,
    *,
    population: float | None = None,
    level: float = 0.95,
) -> ScrambledMean:
    r"""Mean, total and standard deviation of a number whose reports went through a channel.

    .. math:: \hat\mu = \frac{\sum_j W_j g_j}{\sum_j W_j}, \qquad \sum_j Q_{ij} g_j = y_i

    with W the counts or sums of weights of the reports and y the numbers that the answers stand
    for: g_j is the estimate from one report j, unbiased whatever the number. Of discrete Laplace
    noise inside the ends it is the report itself, and beyond them by α/(1 − α) steps more.

    .. math:: \hat V = \frac{n}{n - 1} \frac{\sum_j S_j (g_j - \hat\mu)^2}{(\sum_j W_j)^2}

    with S the sums of squared weights; of a complex sample the sampling design's covariance takes
    its place. Where there are more reports than answers, of all such g the one of least variance at
    equal shares is taken. Two reports tell a mean and no deviation, which is then not a number.
    Shares of the single numbers, and so their distribution, come from `estimate`.

    Parameters
    ----------
    tally : Tally
        With weights or a sampling design, if there are any.
    values : array_like, shape (k,), optional
        y, in the order of the answers; left out, the answers are read as numbers.
    population : float, optional
        N, for a total from a tally without weights. One with weights adds up to the population.
    level : float
        Of the interval: normal, or by Student's t of the sampling design's degrees of freedom.

    Raises
    ------
    InputError
        If fewer than two reports were received, an answer is no number and there are no values, or
        a population stands beside weights.
    NotIdentified
        If the reports do not determine the mean; or, in a sample of a finite population, what their
        draws add to its variance.

    References
    ----------
    Wang et al. (2017), section 3, for unbiased estimates from one report each; the ends follow from
    the geometric law, which has no memory.

    >>> from askance import Frame, Tally
    >>> from askance.inference import mean_of_numbers
    >>> from askance.mechanisms import DiscreteLaplace
    >>> q = DiscreteLaplace(decay="1/2").channel(Frame(["0", "1", "2", "3"]))
    >>> mean_of_numbers(Tally(q, {"0": 490, "1": 250, "2": 200, "3": 260}), population=5_000)
    mean of perturbed numbers, 4 answers
           value       se  95 % from    to
    mean       1  0.05593     0.8904  1.11
    total   5000    279.6       4452  5548
    1,200 reports, worth 321 plain numbers; standard deviation of the numbers 1
    local_loss of the channel bounds what a report gives away
    """
    if tally.total < 2:
        raise InputError("tally", got=f"{tally.total} reports", allowed="two or more")
    is_weighted = tally.weights is not None
    if population is not None and (is_weighted or not tally.total <= population <= 1e15):
        problem = "a population beside weights" if is_weighted else population
        allowed = f"a number of people in [{tally.total}, 1e15], without weights"
        raise InputError("population", got=problem, allowed=allowed)
    scores = _solve_scores(tally.channel, _read_values(tally.channel, values))
    name = f"{len(tally.channel.frame):,} answers"
    moments, df = _estimate_from_counts(tally, scores, population)
    return replace(moments.estimate(name, level, df), is_from_channel=True)


def _read_values(channel: Channel, values: npt.ArrayLike | None) -> Floats:
    """Read the number that each answer stands for."""
    answers = channel.frame.answers
    if values is None:
        try:
            read = [float(name) for name in answers]
        except ValueError as error:
            odd = next(name for name in answers if not _is_number(name))
            raise InputError(
                "tally.channel.frame",
                got=odd,
                allowed="answers that are written as numbers",
                remedy="say what they stand for: values=",
            ) from error
    y = numbers(read if values is None else values, "values")
    if y.shape != (len(answers),) or not (np.abs(y) < _LARGE).all():
        raise InputError(
            "values", got=f"shape {y.shape}", allowed=f"{len(answers)} numbers below 1e50"
        )
    return y


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _solve_scores(channel: Channel, y: Floats) -> Floats:
    """Estimates from one report each: of the number, its square, and the variance of the first."""
    matrix = channel.matrix
    can = matrix.max(axis=0) > 0
    scale = 1 / np.sqrt(matrix[:, can].mean(axis=0))
    weighted = matrix[:, can] * scale

    def solved(wanted: Floats) -> Floats:
        solution = np.zeros(matrix.shape[1])
        solution[can] = scale * np.linalg.lstsq(weighted, wanted, rcond=None)[0]
        missed = np.abs(matrix @ solution - wanted).max()
        lost = missed > _CLOSE * max(np.abs(wanted).max(), 1e-300)
        return np.full_like(solution, np.nan) if lost else solution

    first = solved(y)
    if np.isnan(first).any():
        raise NotIdentified(
            "tally.channel",
            got="reports that leave the mean open",
            allowed="a channel whose reports determine it",
            remedy="identified(channel) shows what they confuse",
        )
    return np.stack([first, solved(y**2), solved(matrix @ first**2 - y**2)])


def _channel_variance(repeated: Floats, added: Floats) -> float:
    """Variance that the reports' randomisation adds to finite-population sampling."""
    if not repeated.any():
        return 0.0
    if np.isnan(added).any():
        raise NotIdentified(
            "tally.sample",
            got="a finite population, and reports that leave the variance of their draws open",
            allowed="a sampling design with replacement for a channel of so few reports",
            remedy="tally with sampling.with_replacement()",
        )
    return max(float(repeated @ added), 0.0)


def _estimate_from_counts(
    tally: Tally, scores: Floats, population: float | None
) -> tuple[_Moments, float]:
    """Mean and total of the scores of all reports, with their sampling variance."""
    g, square, added = scores
    n, counts = tally.total, tally.counts.astype(float)
    w = counts if tally.weights is None else tally.weights
    squares = counts if tally.squares is None else tally.squares
    size = float(w.sum())
    mean = float(w @ g) / size
    deviations = g - mean
    if tally.sample is None:
        variance = n / (n - 1) * float(squares @ deviations**2) / size**2
        beyond = n / (n - 1) * (float(squares @ g**2) - float(w @ g) ** 2 / n)
        df = np.inf
    else:
        again = _channel_variance(tally.sample.fpc_squares, added)
        variance = (float(deviations @ tally.sample.covariance @ deviations) + again) / size**2
        beyond, df = float(g @ tally.sample.covariance @ g) + again, tally.sample.df
    spread = max(float(w @ square) / size - mean**2 + variance, 0.0)
    if tally.weights is not None:
        return _Moments(mean, variance, size * mean, max(beyond, 0.0), spread, n), df
    people = np.nan if population is None else population
    moments = _Moments(mean, variance, people * mean, people**2 * variance, spread, n)
    return moments, df
