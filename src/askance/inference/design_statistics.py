"""Totals, means and ratios of what was asked openly, from a complex sample."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.errors import InputError
from askance.inference.replicate_weights import ReplicateWeights, spread
from askance.inference.sampling_design import AbstractDesign, score_table
from askance.results import (
    Listing,
    doubles,
    freedom_told,
    json_of,
    keep_read_only,
    listed,
    number,
    read_only,
    student_quantile,
)
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DesignStatistic:
    """Totals, means or ratios, with their design-based errors.

    Attributes
    ----------
    what : str
    value : array, shape (p,)
    covariance : array, shape (p, p)
    freedom : float
        Degrees of freedom of the intervals, by Student's t; of 0 no interval is known, and its ends
        are not a number.
    effect : array, shape (p,)
        Design effects: the variance over that of as many people drawn at random with replacement
        and weighed alike (Kish, 1965); not a number where that is not known.
    n : int
        People of positive weight.
    level : float
    """

    what: str
    value: Floats
    covariance: Floats
    freedom: float
    effect: Floats
    n: int
    level: float

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance effect")

    @property
    def se(self) -> Floats:
        """Standard errors, shape (p,)."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def effective_sample_size(self) -> Floats:
        """Effective sample sizes: people over the design effect, shape (p,)."""
        return read_only(self.n / np.where(self.effect > 0, self.effect, np.nan))

    @property
    def lower(self) -> Floats:
        """Lower ends of the intervals."""
        return read_only(self.value - student_quantile(self.level, self.freedom) * self.se)

    @property
    def upper(self) -> Floats:
        """Upper ends of the intervals."""
        return read_only(self.value + student_quantile(self.level, self.freedom) * self.se)

    def to_dict(self) -> Json:
        """Write the statistic for JSON."""
        names = "what value se covariance lower upper freedom effect effective_sample_size n level"
        return json_of(self, names)

    def _table(self) -> Listing:
        columns = (self.value, self.se, self.lower, self.upper, self.effect)
        rows = [
            [str(at + 1), *(number(float(column[at])) for column in columns)]
            for at in range(len(self.value))
        ]
        head = ["", "value", "se", f"{100 * self.level:g} % from", "to", "design effect"]
        return self.what, head, rows, [f"{self.n:,} people; {freedom_told(self.freedom)}"]


@checked
def design_total(
    design: AbstractDesign, values: npt.ArrayLike, level: float = 0.95
) -> DesignStatistic:
    """Estimate totals of the population from a complex sample: Σ w y (Horvitz & Thompson, 1952).

    Parameters
    ----------
    design : SamplingDesign or ReplicateWeights
    values : array_like, shape (n,) or (n, p)
    level : float

    >>> import askance as ak
    >>> asked = ak.inference.SamplingDesign(weights=[10, 10, 20, 20], strata=list("aabb"))
    >>> ak.inference.design_total(asked, [1, 3, 2, 2]).value.tolist()
    [120.0]
    """
    held = score_table(values, len(design.weights))
    value = design.weights @ held
    total = design.weights.sum()
    plain = _plain(design, held - value / total) * total**2
    return _statistic("total", value, design.covariance(held), plain, design, level)


@checked
def design_mean(
    design: AbstractDesign, values: npt.ArrayLike, level: float = 0.95
) -> DesignStatistic:
    """Estimate means of the population from a complex sample: Σ w y / Σ w.

    The variance is linearised, or from replicates that each give a mean.

    Parameters
    ----------
    design : SamplingDesign or ReplicateWeights
    values : array_like, shape (n,) or (n, p)
    level : float

    >>> import askance as ak
    >>> asked = ak.inference.SamplingDesign(weights=[10, 10, 20, 20], strata=list("aabb"))
    >>> ak.inference.design_mean(asked, [1, 3, 2, 2])
    mean
       value      se  95 % from     to  design effect
    1      2  0.3333     0.5658  3.434              1
    4 people; 2 degrees of freedom
    """
    held = score_table(values, len(design.weights))
    told = design_ratio(design, held, np.ones(len(held)), level)
    return DesignStatistic(
        what="mean",
        value=told.value,
        covariance=told.covariance,
        freedom=told.freedom,
        effect=told.effect,
        n=told.n,
        level=level,
    )


@checked
def design_ratio(
    design: AbstractDesign, values: npt.ArrayLike, over: npt.ArrayLike, level: float = 0.95
) -> DesignStatistic:
    """Estimate ratios of totals from a complex sample: Σ w y / Σ w z.

    The variance is that of the total of (y − R z)/Σ w z, or from replicates that each give a ratio.

    Parameters
    ----------
    design : SamplingDesign or ReplicateWeights
    values : array_like, shape (n,) or (n, p)
        y.
    over : array_like, shape (n,)
        z.
    level : float

    Raises
    ------
    InputError
        If the total of z is 0.

    References
    ----------
    Särndal, Swensson & Wretman (1992).

    >>> import askance as ak
    >>> asked = ak.inference.SamplingDesign(clusters=list("aabc"))
    >>> ak.inference.design_ratio(asked, [1, 2, 3, 4], [2, 4, 6, 8]).se.tolist()
    [0.0]
    """
    n = len(design.weights)
    held, below = score_table(values, n), score_table(over, n)
    if below.shape[1] != 1:
        raise InputError("design_ratio.over", got=f"{below.shape[1]} columns", allowed="one column")
    base = below[:, 0]
    total = float(design.weights @ base)
    if not total:
        raise InputError("design_ratio.over", got="a total of 0", allowed="a total that is not 0")
    value = design.weights @ held / total
    scores = (held - value * base[:, None]) / total
    if isinstance(design, ReplicateWeights):
        covariance = replicated(
            design, lambda weights: weights @ held / (weights @ base), level
        ).covariance
    else:
        covariance = design.covariance(scores)
    plain = _plain(design, scores * design.weights.sum())
    return _statistic("ratio", value, covariance, plain, design, level)


@checked
def replicated(
    design: ReplicateWeights, statistic: Callable[[Floats], Any], level: float = 0.95
) -> DesignStatistic:
    """Estimate whatever weights give, with the variance over the replicates.

    Parameters
    ----------
    design : ReplicateWeights
    statistic : callable
        Gives one number, or p, for weights of shape (n,): a quantile, a fitted average.
    level : float

    Raises
    ------
    InputError
        If it gives anything but finite numbers.

    >>> import askance as ak
    >>> y = np.array([1.0, 2.0, 4.0, 7.0])
    >>> thrice = ak.inference.jackknife(ak.inference.SamplingDesign(weights=[1.0] * 4))
    >>> ak.inference.replicated(thrice, lambda w: w @ y / w.sum()).value.tolist()
    [3.5]
    """
    value = _asked(statistic, design.weights, None)
    found = np.array([_asked(statistic, one, len(value)) for one in design.replicates.T])
    unknown = np.full(len(value), np.nan)
    return _statistic("statistic", value, spread(design, found, value), unknown, design, level)


def _asked(statistic: Callable[[Floats], Any], weights: Floats, many: int | None) -> Floats:
    where = "replicated.statistic"
    found = np.atleast_1d(doubles(statistic(weights), where))
    if found.ndim != 1 or len(found) != (many or len(found)) or not np.isfinite(found).all():
        raise InputError(
            where,
            got="what is no number, with some of the weights",
            allowed="as many finite numbers for all weights",
            remedy="replicates give weights of 0: leave out nothing else",
        )
    return found


def _plain(design: AbstractDesign, scores: Floats) -> Floats:
    """The variance that as many people alike would give, drawn with replacement; of a mean."""
    weights = design.weights
    n, total = int((weights > 0).sum()), weights.sum()
    if n < 2:
        return np.full(scores.shape[1], np.nan)
    apart = scores - weights @ scores / total
    spread: Floats = weights @ apart**2 / total / (n - 1)
    return spread


def _statistic(
    what: str,
    value: Floats,
    covariance: Floats,
    plain: Floats,
    design: AbstractDesign,
    level: float,
) -> DesignStatistic:
    known = plain > 0
    effect = np.where(known, np.diag(covariance) / np.where(known, plain, 1.0), np.nan)
    return DesignStatistic(
        what=what,
        value=value,
        covariance=covariance,
        freedom=design.freedom,
        effect=effect,
        n=int((design.weights > 0).sum()),
        level=level,
    )
