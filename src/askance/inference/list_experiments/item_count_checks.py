"""Whether a list experiment worked: design effects, and the likelihood's model of the counts."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, final

import numpy as np
from scipy.optimize import nnls
from scipy.special import chdtrc, fdtrc

from askance.inference.list_experiments.item_count import type_moments
from askance.inference.list_experiments.item_count_least_squares import (
    ItemCountLeastSquares,
    squares_again,
)
from askance.inference.list_experiments.item_count_model import curvature, freed
from askance.inference.list_experiments.item_count_regression import ItemCountRegression
from askance.inference.list_experiments.item_tally import ItemCounts
from askance.inference.provenance import Computation
from askance.inference.regression.coefficients import (
    influence_spread,
    inverse,
    refitted,
    replicate_covariance,
)
from askance.inference.replicate_weights import ReplicateWeights
from askance.results import (
    Listing,
    figure_rows,
    json_of,
    listed,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified

_MOST_CONDITIONS = 12
_NEGLIGIBLE = 1e-8  # what rounding may leave of 0, beside 1


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DesignEffectTest:
    """Whether adding the sensitive item changed the answers to the others.

    Attributes
    ----------
    items : tuple of str
        The M sensitive items.
    statistic : array, shape (M, 2)
        How far the shares of types lie from any that are not negative: of people for whom the
        item holds, and of the others.
    conditions : array, shape (M, 2)
        How many shares were tested.
    p_values : array, shape (M, 2)
    p_value : array, shape (M,)
        Of both, by Bonferroni.

    >>> from askance.inference import ItemCounts, design_effect_test
    >>> design_effect_test(ItemCounts([10, 30, 40, 20], {"a": [10, 60, 20, 6, 4]}))
    test of no design effect
       holds  does not         p  p  p of both
    a     20         0  2.84e-05  1   5.67e-05
    a small p: some answers to the other items changed, or people did not comply
    """

    computation: ClassVar[Computation] = Computation.DESIGN_EFFECT_TEST
    items: tuple[str, ...]
    statistic: Floats
    conditions: Floats
    p_values: Floats
    p_value: Floats

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        return json_of(self)

    def _frame(self) -> dict[str, Any]:
        return {
            "item": self.items,
            "statistic_holds": self.statistic[:, 0],
            "statistic_does_not": self.statistic[:, 1],
            "p_holds": self.p_values[:, 0],
            "p_does_not": self.p_values[:, 1],
            "p_value": self.p_value,
        }

    def _table(self) -> Listing:
        columns = (*self.statistic.T, *self.p_values.T, self.p_value)
        rows = figure_rows(self.items, *columns, digits=3)
        head = ["", "holds", "does not", "p", "p", "p of both"]
        notes = ["a small p: some answers to the other items changed, or people did not comply"]
        return "test of no design effect", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def design_effect_test(tally: ItemCounts, *, select: bool = True) -> DesignEffectTest:
    r"""Test of no design effect in a list experiment, by moment inequalities.

    .. math:: \lambda = \min_{t \ge 0} (\hat\pi - t)^T \hat\Sigma^{-1} (\hat\pi - t)

    with π the joint shares of types, once of those for whom the item holds and once of the others.
    Where no type has a share below 0, λ has at most a mixture of χ² laws; its weights are chances
    that a normal vector lies in a cone (Kudô, 1963). The p-value is twice the smaller one of both.

    Parameters
    ----------
    tally : ItemCounts
    select : bool
        Whether to leave shares out that lie more than √(log n) errors above 0 (generalised moment
        selection), which finds more.

    Returns
    -------
    DesignEffectTest

    Raises
    ------
    InputError
        If more than 12 shares are to be tested at once, or a share is below 0 with an estimated
        error of 0.
    NotIdentified
        If the shares tested determine each other, other than in pairs.

    References
    ----------
    Blair & Imai (2012); Kudô (1963), the weights.

    >>> from askance.inference import ItemCounts, design_effect_test
    >>> test = design_effect_test(ItemCounts([8, 132, 222, 227], {"a": [19, 123, 229, 219, 34]}))
    >>> test.p_value.round(3).tolist()
    [0.154]
    """
    rows = [_test_item(tally, group, select=select) for group in range(1, len(tally.counts))]
    statistic, conditions, p_values = (np.array(part) for part in zip(*rows, strict=True))
    return DesignEffectTest(
        items=tally.sensitive,
        statistic=statistic,
        conditions=conditions,
        p_values=p_values,
        p_value=(2 * p_values.min(axis=1)).clip(max=1),
    )


_Rows = tuple[list[float], list[float], list[float]]


def _test_item(tally: ItemCounts, group: int, *, select: bool) -> _Rows:
    value, covariance = type_moments(tally, group)
    k = value.shape[1]
    people = sum(tally.counts[arm].sum() ** 2 / tally.squares[arm].sum() for arm in (0, group))
    columns: _Rows = [], [], []
    for places in (np.arange(k - 1), np.arange(k + 1, 2 * k)):  # those that chance may make < 0
        shares = value.ravel()[places]
        se = np.sqrt(covariance[places, places].clip(0))
        tested = places[
            _select_conditions(shares, se, np.sqrt(np.log(people)) if select else np.inf)
        ]
        tested = tested[_select_smallest(value.ravel()[tested], covariance[np.ix_(tested, tested)])]
        test = _test_inequality(value.ravel()[tested], covariance[np.ix_(tested, tested)])
        for column, figure in zip(columns, (test[0], len(tested), test[1]), strict=True):
            column.append(float(figure))
    return columns


def _select_conditions(value: Floats, se: Floats, most: float) -> Booleans:
    without_error = se <= _NEGLIGIBLE * se.max(initial=0)
    if (without_error & (value < -_NEGLIGIBLE)).any():
        raise InputError(
            "tally",
            got="a share of people below 0 whose error is estimated as 0",
            allowed="counts that vary in both groups",
            remedy="look at types() of item_count: no normal test says how odd this is",
        )
    selected: Booleans = ~without_error
    selected[selected] = value[selected] <= most * se[selected]
    return selected


def _select_smallest(value: Floats, covariance: Floats) -> list[int]:
    """The smallest of shares that differ by a constant, where a count in between is absent."""
    variance = np.add.outer(np.diag(covariance), np.diag(covariance)) - 2 * covariance
    same = variance <= _NEGLIGIBLE * np.diag(covariance)
    order = np.argsort(value, kind="stable")
    chosen: list[int] = []
    for index in order:
        if not same[index, chosen].any():
            chosen.append(int(index))
    return sorted(chosen)


def _test_inequality(value: Floats, covariance: Floats) -> tuple[float, float]:
    """Distance of a normal mean from the positive cone, and its p-value at the cone's tip."""
    if not (value < 0).any():
        return 0.0, 1.0
    if len(value) > _MOST_CONDITIONS:
        raise InputError(
            "tally",
            got=f"{len(value)} shares to test at once",
            allowed=f"at most {_MOST_CONDITIONS}",
        )
    size = np.sqrt(np.diag(covariance))
    if np.linalg.eigvalsh(covariance / np.outer(size, size))[0] <= _NEGLIGIBLE:
        raise NotIdentified(
            "tally",
            got="shares of types that determine each other",
            allowed="more different counts in each group",
            remedy="ask more people",
        )
    root = np.linalg.cholesky(covariance)
    away = nnls(np.linalg.inv(root), np.linalg.solve(root, value))[1] ** 2
    weights = cone_weights(covariance)
    d = len(value)
    chances = [weights[j] * chdtrc(d - j, away) for j in range(d)]
    return float(away), float(min(sum(chances), 1.0))


def cone_weights(covariance: Floats) -> Floats:
    """Chances that 0, 1, …, d coordinates stay positive when a normal vector meets its cone.

    Σ over sets A of j coordinates of P((Σ_{A'A'})⁻¹ positive) P(Σ_{A | A'} positive), where P is
    the chance that a normal vector with this covariance is positive (Kudô, 1963).

    >>> cone_weights(np.eye(2)).round(9).tolist()
    [0.25, 0.5, 0.25]
    """
    d = len(covariance)
    weights = np.zeros(d + 1)
    for j in range(d + 1):
        for inside in combinations(range(d), j):
            chosen = list(inside)
            others = [index for index in range(d) if index not in inside]
            of_left = covariance[np.ix_(others, others)]
            cross = covariance[np.ix_(chosen, others)]
            conditional = covariance[np.ix_(chosen, chosen)]
            if others and chosen:
                conditional = conditional - cross @ np.linalg.solve(of_left, cross.T)
            weights[j] += _orthant_probability(np.linalg.inv(of_left)) * _orthant_probability(
                conditional
            )
    total: float = weights.sum()
    return weights / total


def _orthant_probability(covariance: Any) -> float:
    """The chance that a normal vector has no negative coordinate: in closed form up to three."""
    d = len(covariance)
    if d < 2:
        return 1.0 if d == 0 else 0.5
    size = np.sqrt(np.diag(covariance))
    correlation = (covariance / np.outer(size, size)).clip(-1, 1)
    if d <= 3:
        angles = np.arcsin(correlation[np.triu_indices(d, 1)]).sum()
        return float(2.0**-d + angles / (2 * np.pi * (d - 1)))
    from scipy.stats import multivariate_normal

    normal = multivariate_normal(mean=np.zeros(d), cov=correlation, seed=1963)  # quadrature
    return float(normal.cdf(np.zeros(d)))


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HausmanTest:
    """Whether least squares and the likelihood find the same.

    Attributes
    ----------
    statistic : float
    df : int
        Coefficients that were compared.
    denominator_df : float
        Of a complex sample the degrees of freedom that F has below: the sampling design's, less one
        for each coefficient but the first. Infinite otherwise.

    >>> from askance.inference import HausmanTest
    >>> round(HausmanTest(statistic=3.84, df=1).p_value, 3)
    0.05
    """

    computation: ClassVar[Computation] = Computation.HAUSMAN_TEST
    statistic: float
    df: int
    denominator_df: float = math.inf

    @property
    def p_value(self) -> float:
        """The p-value of the difference: by χ², or by F for a complex sample."""
        if math.isinf(self.denominator_df):
            return float(chdtrc(self.df, self.statistic))
        share = self.denominator_df / (self.denominator_df + self.df - 1) / self.df
        return float(fdtrc(self.df, self.denominator_df, self.statistic * share))

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        names = "statistic df p_value" + (
            "" if math.isinf(self.denominator_df) else " denominator_df"
        )
        return json_of(self, names)

    def _table(self) -> Listing:
        row = [number(self.statistic, 3), f"{self.df}", number(self.p_value, 3)]
        notes = ["a small p: the likelihood's law of the counts is wrong; least squares need none"]
        head = ["statistic", "degrees of freedom", "p"]
        return "test of the law of the counts", head, [row], notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def hausman_test(
    least_squares: ItemCountLeastSquares, likelihood_fit: ItemCountRegression
) -> HausmanTest:
    r"""Hausman's specification test of the likelihood's model of the counts.

    .. math:: (\hat\delta - \tilde\delta)^T \hat V^{-1} (\hat\delta - \tilde\delta)

    with δ the coefficients of the sensitive items, once by least squares and once by maximum
    likelihood. Where the law of counts is as the likelihood has it both find the same; else least
    squares still find the right ones. V is the covariance of the difference from each row's
    influence on both, or of replicates from fits of both to each; not the difference of the
    covariances, which need not be positive. Of a few hundred people it refuses a right model less
    often than its level says.

    Parameters
    ----------
    least_squares : ItemCountLeastSquares
        In log-odds; its clusters or sampling design are those of the test.
    likelihood_fit : ItemCountRegression
        Of the same rows, weights and covariates, not anchored.

    Returns
    -------
    HausmanTest

    Raises
    ------
    InputError
        If the two are of other counts, covariates or weights, if the link is no logit, or if a
        chance or a mean share of the likelihood is fixed, or its items go with control items.

    References
    ----------
    Hausman (1978).

    >>> from askance.inference import (
    ...     hausman_test, item_count_least_squares, item_count_regression
    ... )
    >>> lists = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10, [0] * 60 + [1] * 80
    >>> means = item_count_least_squares(*lists, items=2)
    >>> hausman_test(means, item_count_regression(*lists, items=2))
    test of the law of the counts
    statistic  degrees of freedom      p
        0.134                       1  0.714
    a small p: the likelihood's law of the counts is wrong; least squares need none
    """
    _refuse_other(least_squares, likelihood_fit)
    compared = len(least_squares.sensitive) * (1 + len(least_squares.terms))
    difference = least_squares.value[:compared] - likelihood_fit.value[:compared]
    covariance, denominator_df = _difference_covariance(least_squares, likelihood_fit, compared)
    statistic = float(difference @ np.linalg.solve(covariance, difference))
    return HausmanTest(statistic=statistic, df=compared, denominator_df=denominator_df)


def _difference_covariance(
    least_squares: ItemCountLeastSquares, likelihood_fit: ItemCountRegression, compared: int
) -> tuple[Floats, float]:
    """The covariance of the difference in the first coefficients, and its degrees of freedom."""
    if isinstance(least_squares.sampling, ReplicateWeights):
        return _refitted_covariance(least_squares, likelihood_fit, compared, least_squares.sampling)
    bread = inverse(likelihood_fit.likelihood.observed(likelihood_fit.value))
    other = likelihood_fit.likelihood.scores(likelihood_fit.value) @ bread[:, :compared]
    rows = least_squares.influence()[:, :compared] - other
    spread = (least_squares.clusters, least_squares.sampling)
    covariance, errors = influence_spread(rows, least_squares.squares.weights, spread)
    return covariance, errors.df


def _refitted_covariance(
    least_squares: ItemCountLeastSquares,
    likelihood_fit: ItemCountRegression,
    compared: int,
    sampling: ReplicateWeights,
) -> tuple[Floats, float]:
    """The same by replicates: both models are fitted again to each."""
    squares = squares_again(
        least_squares.squares, least_squares.value, anchored=least_squares.anchored
    )
    inside, parameters = freed(likelihood_fit.likelihood, likelihood_fit.value)
    refit_likelihood = refitted(
        inside, parameters, inverse(curvature(inside, parameters)), inside.within
    )

    def refit(weights: Floats) -> Floats | None:
        by_squares, by_likelihood = squares(weights), refit_likelihood(weights)
        return (
            None
            if by_squares is None or by_likelihood is None
            else by_squares[:compared] - by_likelihood[:compared]
        )

    difference = least_squares.value[:compared] - likelihood_fit.value[:compared]
    covariance, errors = replicate_covariance(refit, difference, sampling)
    return covariance, errors.df


def _refuse_other(
    least_squares: ItemCountLeastSquares, likelihood_fit: ItemCountRegression
) -> None:
    own, other = least_squares.squares.answers, likelihood_fit.likelihood.answers
    same = (
        np.array_equal(own.arm, other.arm)
        and np.array_equal(own.count, other.count)
        and np.array_equal(least_squares.squares.weights, likelihood_fit.likelihood.weights)
        and np.array_equal(
            least_squares.squares.model_matrix, likelihood_fit.likelihood.model_matrix
        )
    )
    others = {
        "another link than the logit": least_squares.link != "logit",
        "other people": not same,
        "a chance held at 0 or 1": bool(likelihood_fit.model.fixed),
        "a likelihood whose mean share is held": likelihood_fit.anchored,
        "items that go with control items": likelihood_fit.model.condition != "none",
    }
    for fault, wrong in others.items():
        if wrong:
            allowed = "two regressions of the same counts and covariates, in log-odds"
            raise InputError("hausman_test", got=fault, allowed=allowed)
