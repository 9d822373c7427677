"""Whether a list experiment worked, and what joins it with a direct question or a second list."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np
from scipy.optimize import nnls
from scipy.special import chdtrc, fdtrc, ndtr
from scipy.stats import multivariate_normal

from askance.arguments import checked, same_rows
from askance.errors import InputError, NotIdentified
from askance.inference.list_experiments.item_count import type_moments
from askance.inference.list_experiments.item_count_least_squares import (
    ItemCountLeastSquares,
    equation_spread,
)
from askance.inference.list_experiments.item_count_regression import ItemCountRegression
from askance.inference.list_experiments.item_tally import MOST_ITEMS, ItemCounts, arms_of
from askance.inference.regression.coefficients import Margins, inverse, normal_margins
from askance.inference.regression.formula import column_or_values, columns_of
from askance.results import Listing, doubles, json_of, keep_read_only, listed, number
from askance.typing import Booleans, Floats, Integers, Json

_MOST_CONDITIONS = 12
_ALIKE = 1e-8  # what rounding may leave of 0, beside 1


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

    items: tuple[str, ...]
    statistic: Floats
    conditions: Floats
    p_values: Floats
    p_value: Floats

    def __post_init__(self) -> None:
        keep_read_only(self, "statistic conditions p_values p_value")

    def to_dict(self) -> Json:
        """Write the test for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        rows = [
            [
                item,
                *(number(float(one), 3) for one in self.statistic[at]),
                *(number(float(one), 3) for one in self.p_values[at]),
                number(float(self.p_value[at]), 3),
            ]
            for at, item in enumerate(self.items)
        ]
        head = ["", "holds", "does not", "p", "p", "p of both"]
        notes = ["a small p: some answers to the other items changed, or people did not comply"]
        return "test of no design effect", head, rows, notes


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
    >>> found = design_effect_test(ItemCounts([8, 132, 222, 227], {"a": [19, 123, 229, 219, 34]}))
    >>> found.p_value.round(3).tolist()
    [0.154]
    """
    rows = [_tested(tally, at, select=select) for at in range(1, len(tally.counts))]
    statistic, conditions, p_values = (np.array(part) for part in zip(*rows, strict=True))
    return DesignEffectTest(
        items=tally.sensitive,
        statistic=statistic,
        conditions=conditions,
        p_values=p_values,
        p_value=(2 * p_values.min(axis=1)).clip(max=1),
    )


_Rows = tuple[list[float], list[float], list[float]]


def _tested(tally: ItemCounts, at: int, *, select: bool) -> _Rows:
    value, covariance = type_moments(tally, at)
    k = value.shape[1]
    people = sum(tally.counts[one].sum() ** 2 / tally.squares[one].sum() for one in (0, at))
    held: _Rows = [], [], []
    for places in (np.arange(k - 1), np.arange(k + 1, 2 * k)):  # those that chance may make < 0
        told = value.ravel()[places]
        se = np.sqrt(covariance[places, places].clip(0))
        kept = places[_kept(told, se, np.sqrt(np.log(people)) if select else np.inf)]
        kept = kept[_smallest(value.ravel()[kept], covariance[np.ix_(kept, kept)])]
        found = _inequality(value.ravel()[kept], covariance[np.ix_(kept, kept)])
        for column, one in zip(held, (found[0], len(kept), found[1]), strict=True):
            column.append(float(one))
    return held


def _kept(value: Floats, se: Floats, most: float) -> Booleans:
    known = se <= _ALIKE * se.max(initial=0)
    if (known & (value < -_ALIKE)).any():
        raise InputError(
            "tally",
            got="a share of people below 0 whose error is estimated as 0",
            allowed="counts that vary in both groups",
            remedy="look at types() of item_count: no normal test says how odd this is",
        )
    kept: Booleans = ~known
    kept[kept] = value[kept] <= most * se[kept]
    return kept


def _smallest(value: Floats, covariance: Floats) -> list[int]:
    """Of shares that differ by a constant, where nobody gave the count between, the smallest."""
    apart = np.add.outer(np.diag(covariance), np.diag(covariance)) - 2 * covariance
    alike = apart <= _ALIKE * np.diag(covariance)
    order = np.argsort(value, kind="stable")
    chosen: list[int] = []
    for at in order:
        if not alike[at, chosen].any():
            chosen.append(int(at))
    return sorted(chosen)


def _inequality(value: Floats, covariance: Floats) -> tuple[float, float]:
    """How far a normal mean lies from the positive cone, and the chance of as far at its tip."""
    if not (value < 0).any():
        return 0.0, 1.0
    if len(value) > _MOST_CONDITIONS:
        raise InputError(
            "tally",
            got=f"{len(value)} shares to test at once",
            allowed=f"at most {_MOST_CONDITIONS}",
        )
    size = np.sqrt(np.diag(covariance))
    if np.linalg.eigvalsh(covariance / np.outer(size, size))[0] <= _ALIKE:
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
    held = np.zeros(d + 1)
    for j in range(d + 1):
        for inside in combinations(range(d), j):
            kept = list(inside)
            left = [at for at in range(d) if at not in inside]
            of_left = covariance[np.ix_(left, left)]
            both = covariance[np.ix_(kept, left)]
            given = covariance[np.ix_(kept, kept)]
            if left and kept:
                given = given - both @ np.linalg.solve(of_left, both.T)
            held[j] += _positive(np.linalg.inv(of_left)) * _positive(given)
    total: float = held.sum()
    return held / total


def _positive(covariance: Any) -> float:
    """The chance that a normal vector has no negative coordinate: in closed form up to three."""
    d = len(covariance)
    if d < 2:
        return 1.0 if d == 0 else 0.5
    size = np.sqrt(np.diag(covariance))
    correlation = (covariance / np.outer(size, size)).clip(-1, 1)
    if d <= 3:
        angles = np.arcsin(correlation[np.triu_indices(d, 1)]).sum()
        return float(2.0**-d + angles / (2 * np.pi * (d - 1)))
    normal = multivariate_normal(mean=np.zeros(d), cov=correlation, seed=1963)  # quadrature
    return float(normal.cdf(np.zeros(d)))


@checked
def hausman_test(
    means: ItemCountLeastSquares, likely: ItemCountRegression
) -> tuple[float, int, float]:
    r"""Hausman's specification test of the likelihood's model of the counts.

    .. math:: (\hat\delta - \tilde\delta)^T \hat V^{-1} (\hat\delta - \tilde\delta)

    with δ the coefficients of the sensitive items, once by least squares and once by maximum
    likelihood. Where the law of counts is as the likelihood has it both find the same; else least
    squares still find the right ones. V is the covariance of the difference from each row's
    influence on both, not the difference of the covariances, which need not be positive. Of a few
    hundred people it refuses a right model less often than its level says.

    Parameters
    ----------
    means : ItemCountLeastSquares
        In log-odds; its clusters or design are those of the test.
    likely : ItemCountRegression
        Of the same rows, weights and covariates.

    Returns
    -------
    statistic, freedom, p_value
        By χ²; of a complex sample by F, with the design's degrees of freedom.

    Raises
    ------
    InputError
        If the two are of other counts, covariates or weights, if the link is no logit, or if a
        chance of the likelihood is held at 0 or 1.

    References
    ----------
    Hausman (1978).

    >>> from askance.inference import (
    ...     hausman_test, item_count_least_squares, item_count_regression
    ... )
    >>> said = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10, [0] * 60 + [1] * 80
    >>> means = item_count_least_squares(*said, items=2)
    >>> statistic, freedom, p = hausman_test(means, item_count_regression(*said, items=2))
    >>> round(statistic, 2), freedom, round(p, 2)
    (0.13, 1, 0.71)
    """
    _refuse_other(means, likely)
    held = len(means.sensitive) * (1 + len(means.terms))
    apart = means.value[:held] - likely.value[:held]
    bread = inverse(likely.likelihood.observed(likely.value))
    other = likely.likelihood.scores(likely.value) @ bread[:, :held]
    own = means.squares.scores(means.value) @ inverse(means.squares.slopes(means.value)).T
    rows = _Influence(rows=own[:, :held] - other, weights=means.squares.weights)
    spread = means.clusters, means.sample
    covariance, _, freedom = equation_spread(rows, apart, np.eye(held), spread)
    statistic = float(apart @ np.linalg.solve(covariance, apart))
    if math.isinf(freedom):
        return statistic, held, float(chdtrc(held, statistic))
    whole = freedom + held - 1
    return statistic, held, float(fdtrc(held, freedom, statistic * freedom / whole / held))


def _refuse_other(means: ItemCountLeastSquares, likely: ItemCountRegression) -> None:
    own, other = means.squares.answers, likely.likelihood.answers
    same = (
        np.array_equal(own.arm, other.arm)
        and np.array_equal(own.count, other.count)
        and np.array_equal(means.squares.weights, likely.likelihood.weights)
        and np.array_equal(means.squares.design, likely.likelihood.design)
    )
    if not same or likely.model.fixed or means.link != "logit":
        got = "another link than the logit" if means.link != "logit" else "other people"
        raise InputError(
            "hausman_test",
            got="a chance held at 0 or 1" if same and likely.model.fixed else got,
            allowed="two regressions of the same counts and covariates, in log-odds",
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Influence:
    """How much each row moves an estimate, for what adds up over rows or clusters."""

    rows: Floats
    weights: Floats

    def scores(self, at: Floats) -> Floats:
        """Of the first so many parameters."""
        return self.rows[:, : len(at)]


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CombinedShares:
    """Several estimates of one share, and tests of what must hold if they agree.

    Attributes
    ----------
    shares : Margins
        The combined estimate first.
    tests : tuple of str
        What is tested.
    statistic, se, null, p_value : array, one for each test
        The normal test that the statistic is the null.
    people : int

    >>> from askance.inference import double_item_count
    >>> double_item_count([1, 2, 1, 2, 3, 2], [2, 2, 2, 1, 2, 1], [0, 0, 0, 1, 1, 1])
    share for whom the item holds
                 value     se  95 % from    to
    both lists   0.833  0.167      0.507  1.16
    first list       1  0.471     0.0761  1.92
    second list  0.667  0.333     0.0133  1.32
    first list less second: 0.333 ± 0.75, 0 expected; p 0.65
    6 people
    """

    shares: Margins
    tests: tuple[str, ...]
    statistic: Floats
    se: Floats
    null: Floats
    p_value: Floats
    people: int

    def __post_init__(self) -> None:
        keep_read_only(self, "statistic se null p_value")

    def to_dict(self) -> Json:
        """Write the shares and the tests for JSON."""
        tested = json_of(self, "tests statistic se null p_value people")
        return tested | {"shares": self.shares.to_dict()}

    def plot(self, ax: Any = None) -> Any:
        """Draw each share with its interval.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        return self.shares.plot(ax)

    def _table(self) -> Listing:
        told = self.shares
        columns = (told.value, told.se, told.lower, told.upper)
        rows = [
            [label, *(number(float(column[at]), 3) for column in columns)]
            for at, label in enumerate(told.labels)
        ]
        notes = [
            f"{test}: {number(self.statistic[at], 3)} ± {number(self.se[at], 2)}, "
            f"{number(self.null[at])} expected; p {number(self.p_value[at], 2)}"
            for at, test in enumerate(self.tests)
        ]
        head = ["", "value", "se", f"{100 * told.level:g} % from", "to"]
        return told.what, head, rows, [*notes, f"{self.people:,} people"]


@checked
def item_count_with_direct(
    counts: Any,
    arms: Any,
    direct: Any,
    *,
    control: Any = 0,
    data: Any = None,
    level: float = 0.95,
) -> CombinedShares:
    r"""Combined estimate from a list experiment and a direct question to the same people.

    .. math:: \hat\pi = \bar d + (1 - \bar d)(\bar y_1 - \bar y_0)_{d = 0}

    If who says yes outright tells the truth, only the others need the list: the variance is mostly
    smaller than that of the list alone. Two placebo tests look at what this rests on: the list
    finds everybody who said yes (the difference in means among them is 1), and which list somebody
    saw changed no direct answer.

    Parameters
    ----------
    counts, arms : array_like, length n, or str
        As in `count_items`; one sensitive item.
    direct : array_like of 0 or 1, length n, or str
        Who said yes to the direct question.
    control : value, optional
    data : data frame or mapping of str to sequence, optional
    level : float
        Of the intervals.

    Returns
    -------
    CombinedShares
        Combined, direct and list estimates; the covariance holds their variances alone.

    Raises
    ------
    InputError
        If something is missing, or there are several sensitive items.
    NotIdentified
        If of those who said no fewer than two saw either list.

    References
    ----------
    Aronow, Coppock, Crawford & Green (2015).

    >>> from askance.inference import item_count_with_direct
    >>> said = [0, 1, 2, 1, 2, 1, 1, 2, 3, 2, 2, 1]
    >>> saw, yes = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0]
    >>> item_count_with_direct(said, saw, yes).shares.value.round(4).tolist()
    [0.8333, 0.3333, 0.6667]
    """
    same_rows(data=data, counts=counts, arms=arms, direct=direct)
    arm, (said, yes) = _rows_of(arms, control, data, counts=counts, direct=direct)
    if not np.isin(yes, (0, 1)).all():
        raise InputError("direct", got="other values", allowed="0 or 1 in every row")
    n, openly = len(arm), float(yes.mean())
    among, spread = _difference(said, arm, yes == 0)
    everybody = np.ones(n, dtype=bool)
    whole, noise = _difference(said, arm, everybody)
    combined = openly + (1 - openly) * among
    treated = float(arm.mean())
    rest = (1 - openly) * (spread[1] / treated + spread[0] / (1 - treated))
    variance = ((1 - combined) ** 2 * openly / (1 - openly) + rest) / n
    shares = normal_margins(
        "share for whom the item holds",
        ("combined", "direct question", "list"),
        np.array([combined, openly, whole]),
        np.diag([variance, yes.var(ddof=1) / n, _variance(noise, arm, everybody)]),
        level,
    )
    tests = {
        "list among those who said yes": (*_placebo(said, arm, yes == 1), 1.0),
        "effect of the list on the direct answer": (*_placebo(yes, arm, everybody), 0.0),
    }
    return _combined(shares, tests, n)


def _placebo(column: Floats, arm: Integers, rows: Booleans) -> tuple[float, float]:
    """A difference in means and its variance; no numbers where too few people are left."""
    if not _enough(arm, rows):
        return np.nan, np.nan
    value, spread = _difference(column, arm, rows)
    return value, _variance(spread, arm, rows)


@checked
def double_item_count(
    first: Any,
    second: Any,
    arms: Any,
    *,
    control: Any = 0,
    data: Any = None,
    level: float = 0.95,
) -> CombinedShares:
    r"""Double list experiment: everybody sees the sensitive item in one of two lists.

    .. math:: \hat\pi = \tfrac12 \big( \overline{(a - b)}_1 - \overline{(a - b)}_0 \big)

    with a and b what a person counted in the first and the second list. Those of ``control`` saw
    the sensitive item in the second list, the others in the first. Where people answer both lists
    alike, the variance is far smaller than that of one list.

    Parameters
    ----------
    first, second : array_like of number, length n, or str
        What each respondent counted in each list.
    arms : array_like, length n, or str
    control : value, optional
    data : data frame or mapping of str to sequence, optional
    level : float
        Of the intervals.

    Returns
    -------
    CombinedShares
        Of both lists, the first and the second; the test is that the two lists agree.

    Raises
    ------
    InputError
        If something is missing, or there are more than two groups.

    References
    ----------
    Droitcour, Caspar, Hubbard, Parsley, Visscher & Ezzati (1991).

    >>> from askance.inference import double_item_count
    >>> found = double_item_count([1, 2, 1, 2, 3, 2], [2, 2, 2, 1, 2, 1], [0, 0, 0, 1, 1, 1])
    >>> found.shares.value.round(4).tolist()
    [0.8333, 1.0, 0.6667]
    """
    same_rows(data=data, first=first, second=second, arms=arms)
    arm, (a, b) = _rows_of(arms, control, data, first=first, second=second)
    both = np.stack([a, -b])  # each column's difference in means is one list's estimate
    means, covariance = np.zeros(2), np.zeros((2, 2))
    for group, sign in ((1, 1), (0, -1)):
        column = both[:, arm == group]
        means += sign * column.mean(axis=1)
        covariance += np.cov(column) / column.shape[1]
    join = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    shares = normal_margins(
        "share for whom the item holds",
        ("both lists", "first list", "second list"),
        join @ means,
        join @ covariance @ join.T,
        level,
    )
    apart = np.array([1.0, -1.0])
    tests = {
        "first list less second": (float(apart @ means), float(apart @ covariance @ apart), 0.0)
    }
    return _combined(shares, tests, len(arm))


def _rows_of(
    arms: Any, control: Any, data: Any, **given: Any
) -> tuple[Integers, tuple[Floats, ...]]:
    """Read the group of each row, 0 or 1, and columns of numbers."""
    if data is not None:
        table = columns_of(data)
        arms = column_or_values(table, arms)
        given = {name: column_or_values(table, one) for name, one in given.items()}
    names, arm = arms_of(arms, control)
    if len(names) > 1:
        raise InputError("arms", got=", ".join(names), allowed="one group beside the control group")
    columns = []
    for name, one in given.items():
        column = doubles(one, name)
        if column.shape != arm.shape:
            allowed = f"{len(arm)} numbers: one per arm"
            raise InputError(name, got=f"shape {column.shape}", allowed=allowed)
        wrong = np.flatnonzero(
            ~((column >= 0) & (column <= MOST_ITEMS + 1) & (column == np.floor(column)))
        )
        if len(wrong):
            missing = bool(np.isnan(column[wrong[0]]))
            raise InputError(
                f"{name}[{wrong[0]}]",
                got="nothing" if missing else float(column[wrong[0]]),
                allowed=f"a whole number in [0, {MOST_ITEMS + 1}]",
                remedy="leave rows without an answer out" if missing else "",
            )
        columns.append(column)
    if not _enough(arm, np.ones(len(arm), dtype=bool)):
        raise InputError("arms", got="fewer than two people in a group", allowed="two or more")
    return arm, tuple(columns)


def _enough(arm: Integers, rows: Booleans) -> bool:
    return all(int((rows & (arm == group)).sum()) > 1 for group in (0, 1))


def _difference(column: Floats, arm: Integers, rows: Booleans) -> tuple[float, tuple[float, float]]:
    """The difference in means among some rows, and the variance within each group."""
    if not _enough(arm, rows):
        raise NotIdentified(
            "direct",
            got="fewer than two people who said no in a group",
            allowed="two or more",
            remedy="where nearly all say yes outright, the direct question is enough",
        )
    groups = [column[rows & (arm == group)] for group in (0, 1)]
    spread = float(groups[0].var(ddof=1)), float(groups[1].var(ddof=1))
    return float(groups[1].mean() - groups[0].mean()), spread


def _variance(spread: tuple[float, float], arm: Integers, rows: Booleans) -> float:
    sizes = [int((rows & (arm == group)).sum()) for group in (0, 1)]
    return sum(one / size for one, size in zip(spread, sizes, strict=True))


def _combined(
    shares: Margins, tests: Mapping[str, tuple[float, float, float]], people: int
) -> CombinedShares:
    statistic, variance, null = (np.array(part) for part in zip(*tests.values(), strict=True))
    se = np.sqrt(variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        p_value = 2 * ndtr(-np.abs(statistic - null) / se)
    return CombinedShares(
        shares=shares,
        tests=tuple(tests),
        statistic=statistic,
        se=se,
        null=null,
        p_value=p_value,
        people=people,
    )
