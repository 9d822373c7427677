"""List experiments joined with what else was asked: a direct question, or a second list."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, final

import numpy as np

from askance.chart import Chart, chart_frame, draw_result
from askance.inference.fit_result import GoodnessOfFit, joined_fits
from askance.inference.list_experiments.item_count_fit import fit_of_answers
from askance.inference.list_experiments.item_tally import MOST_ITEMS, arms_of
from askance.inference.provenance import Computation, ListCombination
from askance.inference.ranges.sampled import replicates_of
from askance.inference.regression.coefficients import Margins, share_margins, wald
from askance.inference.regression.formula import column_or_values, columns_of
from askance.inference.replicate_weights import (
    ReplicateWeights,
    fits_to_replicates,
    replicate_covariance,
)
from askance.inference.sampling_columns import SamplingColumns, read_counts, read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import (
    Listing,
    doubles,
    figure_rows,
    json_of,
    listed,
    normal_quantile,
    number,
    over_replicates,
    result_frame,
    result_stream,
    wilson,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError, NotIdentified


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CombinedShares:
    """Several estimates of one share, and tests of what must hold if they agree.

    Attributes
    ----------
    combination : ListCombination
        What the list was combined with.
    shares : Margins
        The combined estimate first; intervals inside [0, 1], and never a point, as those of
        `item_count`; of the direct question, without a sampling design, Wilson's (1927).
    tests : tuple of str
        What is tested.
    statistic, se, null, p_value : array, one for each test
        The normal test that the statistic is the null.
    people : int
    goodness_of_fit : GoodnessOfFit
        Whether one more item can have made the counts of each list at all.
    df : float
        Degrees of freedom of a complex sample; infinite otherwise.
    replicates : int
        Over how many replicates errors were found; 0 if over none.

    >>> from askance.inference import double_item_count
    >>> double_item_count([1, 2, 1, 2, 3, 2], [2, 2, 2, 1, 2, 1], [0, 0, 0, 1, 1, 1])
    share for whom the item holds
                 value     se  95 % from  to
    both lists   0.833  0.167      0.507   1
    first list       1  0.471     0.0761   1
    second list  0.667  0.333     0.0133   1
    first list less second: 0.333 ± 0.75, 0 expected; p 0.65
    6 people
    """

    computation: ClassVar[Computation] = Computation.COMBINED_LISTS
    combination: ListCombination
    shares: Margins
    tests: tuple[str, ...]
    statistic: Floats
    se: Floats
    null: Floats
    p_value: Floats
    people: int
    goodness_of_fit: GoodnessOfFit
    df: float = math.inf
    replicates: int = 0

    def to_dict(self) -> Json:
        """Write the shares and the tests for JSON."""
        more = "" if math.isinf(self.df) else " df replicates"
        return json_of(self, f"tests statistic se null p_value people{more} shares goodness_of_fit")

    def _chart(self) -> Chart:
        """Describe each share with its interval."""
        return self.shares._chart()

    plot = draw_result
    plot_data = chart_frame

    def _table(self) -> Listing:
        margins = self.shares
        columns = (margins.value, margins.se, margins.lower, margins.upper)
        rows = figure_rows(margins.labels, *columns, digits=3)
        notes = [
            f"{test}: {number(self.statistic[i], 3)} ± {number(self.se[i], 2)}, "
            f"{number(self.null[i])} expected; p {number(self.p_value[i], 2)}"
            for i, test in enumerate(self.tests)
        ]
        head = ["", "value", "se", f"{100 * margins.level:g} % from", "to"]
        people = f"{self.people:,} people"
        if not math.isinf(self.df):
            over = over_replicates(self.replicates)
            people += f"; se of a complex sample{over}, {self.df:g} degrees of freedom"
        return margins.title, head, rows, [*notes, people, *self.goodness_of_fit.misfit]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def item_count_with_direct(
    reports: Any,
    arms: Any,
    direct: Any,
    *,
    control: Any = 0,
    data: Any = None,
    counts: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
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
    reports, arms : array_like, length n, or str
        As in `count_items`; one sensitive item.
    direct : array_like of 0 or 1, length n, or str
        Who said yes to the direct question.
    control : value, optional
    data : data frame or mapping of str to sequence, optional
    counts : array_like of int, length n, or str, optional
        How often each row is there, as in `count_items`.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn: shares and means are weighted, errors linearised, or of what each
        replicate estimates anew, intervals and tests Student's. With replacement, as in
        `count_items`.
    level : float
        Of the intervals.

    Returns
    -------
    CombinedShares
        Combined, direct and list estimates; without a sampling design the covariance holds their
        variances alone.

    Raises
    ------
    InputError
        If something is missing, or there are several sensitive items.
    NotIdentified
        If of those who said no fewer than two saw either list, or nobody in a replicate did.

    References
    ----------
    Aronow, Coppock, Crawford & Green (2015).

    >>> from askance.inference import item_count_with_direct
    >>> counts = [0, 1, 2, 1, 2, 1, 1, 2, 3, 2, 2, 1]
    >>> arms, yes = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0]
    >>> item_count_with_direct(counts, arms, yes).shares.value.round(4).tolist()
    [0.8333, 0.3333, 0.6667]
    """
    same_rows(data=data, reports=reports, arms=arms, direct=direct, counts=counts)
    columns = {"reports": reports, "direct": direct}
    arm, people, (reported, yes) = _read_rows(arms, control, data, counts, **columns)
    if not np.isin(yes, (0, 1)).all():
        raise InputError("direct", got="other values", allowed="0 or 1 in every row")
    sample = _read_sample(sampling, data, arm, counts)
    if sample is not None:
        return _estimate_with_direct(reported, yes, arm, sample, level)
    n, (openly, doubt) = people.sum(), _moments(yes, people)
    among, spread = _difference(reported, arm, people * (yes == 0))
    by_list, noise = _difference(reported, arm, people)
    combined = openly + (1 - openly) * among
    treated = float(np.average(arm, weights=people))
    rest = (1 - openly) * (spread[1] / treated + spread[0] / (1 - treated))
    variance = ((1 - combined) ** 2 * openly / (1 - openly) + rest) / n
    shares = share_margins(
        "share for whom the item holds",
        ("combined", "direct question", "list"),
        np.array([combined, openly, by_list]),
        np.diag([variance, doubt / n, _variance(noise, arm, people)]),
        level,
    )
    shares = _with_wilson_row(shares, openly, n, level)
    placebos = _placebo(reported, arm, people * (yes == 1)), _placebo(yes, arm, people)
    named_placebos = zip(placebos, _PLACEBOS.items(), strict=True)
    tests = {name: (*placebo, null) for placebo, (name, null) in named_placebos}
    combination = ListCombination.DIRECT_QUESTION
    return _assemble(combination, shares, tests, _fit_list(reported, arm, people))


def _with_wilson_row(shares: Margins, openly: float, people: float, level: float) -> Margins:
    """Give the row of the direct question the interval of a binomial share."""
    low, high = wilson(np.array([openly]), np.array([float(people)]), normal_quantile(level))
    return replace(
        shares,
        lower=np.array([shares.lower[0], low[0], shares.lower[2]]),
        upper=np.array([shares.upper[0], high[0], shares.upper[2]]),
    )


def _placebo(column: Floats, arm: Integers, people: Floats) -> tuple[float, float]:
    """A difference in means and its variance; no numbers where too few people are left."""
    if not _has_enough(arm, people):
        return np.nan, np.nan
    value, spread = _difference(column, arm, people)
    return value, _variance(spread, arm, people)


@checked
def double_item_count(
    first: Any,
    second: Any,
    arms: Any,
    *,
    control: Any = 0,
    data: Any = None,
    counts: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
) -> CombinedShares:
    r"""Double list experiment: everybody sees the sensitive item in one of two lists.

    .. math:: \hat\pi = \tfrac12 \bigl( \overline{(a - b)}_1 - \overline{(a - b)}_0 \bigr)

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
    counts : array_like of int, length n, or str, optional
        How often each row is there, as in `count_items`.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        As in `item_count_with_direct`.
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
    NotIdentified
        If a replicate has nobody of a group.

    References
    ----------
    Droitcour, Caspar, Hubbard, Parsley, Visscher & Ezzati (1991).

    >>> from askance.inference import double_item_count
    >>> combined = double_item_count([1, 2, 1, 2, 3, 2], [2, 2, 2, 1, 2, 1], [0, 0, 0, 1, 1, 1])
    >>> combined.shares.value.round(4).tolist()
    [0.8333, 1.0, 0.6667]
    """
    same_rows(data=data, first=first, second=second, arms=arms, counts=counts)
    arm, people, (a, b) = _read_rows(arms, control, data, counts, first=first, second=second)
    sample = _read_sample(sampling, data, arm, counts)
    if sample is not None:
        return _estimate_two_lists(a, b, arm, sample, level)
    columns = np.stack([a, -b])  # each column's difference in means is one list's estimate
    means, covariance = np.zeros(2), np.zeros((2, 2))
    for group, sign in ((1, 1), (0, -1)):
        column, times = columns[:, arm == group], people[arm == group]
        means += sign * np.average(column, axis=1, weights=times)
        covariance += np.cov(column, fweights=times.astype(np.int64)) / times.sum()
    return _combine_lists(means, covariance, _fit_both_lists(a, b, arm, people), level)


_Counted = tuple[int, GoodnessOfFit]
"""How many people there are, and whether their counts fit."""


def _fit_list(reported: Floats, arm: Integers, people: Floats) -> _Counted:
    is_counted, count = people > 0, reported.astype(np.int64)
    items = max(
        int((count - arm)[is_counted].max()), 1
    )  # the list is at least as long as anybody says
    rows = arm[is_counted], count[is_counted], people[is_counted]
    fit = fit_of_answers(*rows, ["the sensitive item"], items)
    return round(float(people.sum())), fit


def _fit_both_lists(first: Floats, second: Floats, arm: Integers, people: Floats) -> _Counted:
    n, first_fit = _fit_list(first, arm, people)
    fits = {"the first list": first_fit, "the second list": _fit_list(second, 1 - arm, people)[1]}
    return n, joined_fits(fits)


def _combine_lists(
    means: Floats, covariance: Floats, counted: _Counted, level: float, df: float = math.inf
) -> CombinedShares:
    join = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    shares = share_margins(
        "share for whom the item holds",
        ("both lists", "first list", "second list"),
        join @ means,
        join @ covariance @ join.T,
        level,
        df,
    )
    contrast = np.array([1.0, -1.0])
    tests = {
        "first list less second": (
            float(contrast @ means),
            float(contrast @ covariance @ contrast),
            0.0,
        )
    }
    return _assemble(ListCombination.SECOND_LIST, shares, tests, counted, df)


def _read_rows(
    arms: Any, control: Any, data: Any, counts: Any, **named: Any
) -> tuple[Integers, Floats, tuple[Floats, ...]]:
    """Read the group of each row, 0 or 1, how often it is there, and columns of numbers."""
    if data is not None:
        table = columns_of(data)
        arms, counts = (column_or_values(table, values) for values in (arms, counts))
        named = {name: column_or_values(table, values) for name, values in named.items()}
    names, arm = arms_of(arms, control)
    if len(names) > 1:
        raise InputError("arms", got=", ".join(names), allowed="one group beside the control group")
    columns = []
    for name, values in named.items():
        column = doubles(values, name)
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
    times = read_counts(counts, len(arm))
    people = np.ones(len(arm)) if times is None else times
    if not _has_enough(arm, people):
        raise InputError("arms", got="fewer than two people in a group", allowed="two or more")
    return arm, people, tuple(columns)


def _has_enough(arm: Integers, people: Floats) -> bool:
    return all(float(people[arm == group].sum()) > 1 for group in (0, 1))


def _moments(column: Floats, people: Floats) -> tuple[float, float]:
    """The mean, and the variance by one person less, of rows that are so many people each."""
    mean = float(np.average(column, weights=people))
    return mean, float(people @ (column - mean) ** 2 / (people.sum() - 1))


def _difference(column: Floats, arm: Integers, people: Floats) -> tuple[float, tuple[float, float]]:
    """The difference in means among some people, and the variance within each group."""
    if not _has_enough(arm, people):
        raise _too_few_left()
    (low, down), (high, up) = (_moments(column, people * (arm == group)) for group in (0, 1))
    return high - low, (down, up)


def _too_few_left() -> NotIdentified:
    return NotIdentified(
        "direct",
        got="fewer than two people who said no in a group",
        allowed="two or more",
        remedy="where nearly all say yes outright, the direct question is enough",
    )


def _variance(spread: tuple[float, float], arm: Integers, people: Floats) -> float:
    sizes = [float(people[arm == group].sum()) for group in (0, 1)]
    return sum(variance / size for variance, size in zip(spread, sizes, strict=True))


def _assemble(
    combination: ListCombination,
    shares: Margins,
    tests: Mapping[str, tuple[float, float, float]],
    counted: _Counted,
    df: float = math.inf,
) -> CombinedShares:
    statistic, variance, null = (np.array(part) for part in zip(*tests.values(), strict=True))
    se = np.sqrt(variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        p_value = wald(statistic - null, se, df)
    return CombinedShares(
        combination=combination,
        shares=shares,
        tests=tuple(tests),
        statistic=statistic,
        se=se,
        null=null,
        p_value=p_value,
        people=counted[0],
        goodness_of_fit=counted[1],
        df=df,
    )


def _read_sample(
    sampling: AbstractSamplingDesign | SamplingColumns | None, data: Any, arm: Integers, counts: Any
) -> AbstractSamplingDesign | None:
    """Read the sampling design of rows, with replacement; refuse one with too few people."""
    sample = read_sampling(sampling, data, len(arm), counts=counts)
    if sample is None:
        return None
    if not _has_enough(arm, (sample.weights > 0).astype(np.float64)):
        raise InputError("sampling", got="fewer than two people in a group", allowed="two or more")
    if sample.df < 1:
        raise InputError(
            "sampling",
            got=f"{sample.df:g} degrees of freedom",
            allowed="more clusters than strata",
        )
    return sample.with_replacement()


_Estimates = tuple[Floats, Floats]
"""What is estimated, shape (p,), and by how much each row moves it, shape (n, p)."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Weighed:
    """Weighted means, each with how much every row moves it.

    Attributes
    ----------
    arm : array of int, shape (n,)
    weights : array, shape (n,)
    """

    arm: Integers
    weights: Floats

    def mean(self, column: Floats, rows: Booleans) -> tuple[float, Floats]:
        """The mean among some rows; the influence of a row is (y − mean) / Σ w."""
        total = float(self.weights[rows].sum())
        if not total > 0:
            return np.nan, np.full(len(column), np.nan)
        value = float(self.weights[rows] @ column[rows]) / total
        return value, np.where(rows, column - value, 0.0) / total

    def difference(self, column: Floats, rows: Booleans) -> tuple[float, Floats]:
        """The difference in means between the groups; not a number where one has nobody."""
        (low, down), (high, up) = (self.mean(column, rows & (self.arm == g)) for g in (0, 1))
        return high - low, up - down

    def two_lists(self, first: Floats, second: Floats) -> _Estimates:
        """Each list's difference in means."""
        everybody = np.ones(len(first), dtype=bool)
        return _stack_estimates(self.difference(column, everybody) for column in (first, -second))

    def with_direct(self, reported: Floats, yes: Floats) -> _Estimates:
        """The combined estimate, by (1 − Δ) of the direct share and (1 − d̄) of Δ; both its parts.

        Then what must be 1 and 0: the list among those who said yes, and what it did to the answer.
        """
        everybody = np.ones(len(reported), dtype=bool)
        openly, by_direct = self.mean(yes, everybody)
        among, by_list = self.difference(reported, yes == 0)
        combined = openly + (1 - openly) * among, (1 - among) * by_direct + (1 - openly) * by_list
        parts = combined, (openly, by_direct), self.difference(reported, everybody)
        return _stack_estimates(
            [*parts, self.difference(reported, yes == 1), self.difference(yes, everybody)]
        )


def _stack_estimates(parts: Iterable[tuple[float, Floats]]) -> _Estimates:
    values, influences = zip(*parts, strict=True)
    return np.array(values), np.column_stack(influences)


def _estimate_covariance(
    arm: Integers,
    sampling: AbstractSamplingDesign,
    say: Callable[[_Weighed], _Estimates],
    required: Booleans,
) -> Floats:
    """Of replicates what each says itself; else by how much each row moves what all say.

    What is asked is asked of every replicate; what is not, and a replicate does not say, is not a
    number.
    """
    value, influence = say(_Weighed(arm=arm, weights=sampling.weights))
    if not isinstance(sampling, ReplicateWeights):
        is_known = ~np.isnan(value)
        covariance = np.full((len(value),) * 2, np.nan)
        covariance[np.ix_(is_known, is_known)] = sampling.covariance(influence[:, is_known])
        return covariance

    def again(weights: Floats) -> Floats | None:
        estimates, _ = say(_Weighed(arm=arm, weights=weights))
        return None if np.isnan(estimates[required]).any() else estimates

    return replicate_covariance(
        sampling, fits_to_replicates(sampling, again, value, _NOBODY, signed=True), value
    )


_NOBODY = (
    "a replicate in which a mean has nobody",
    "people of both groups in every replicate",
    "join clusters, or hand over a SamplingDesign, whose variance is linearised",
)


def _estimate_two_lists(
    first: Floats, second: Floats, arm: Integers, sampling: AbstractSamplingDesign, level: float
) -> CombinedShares:
    """Both lists by their weighted means."""

    def say(weighed: _Weighed) -> _Estimates:
        return weighed.two_lists(first, second)

    value, _ = say(_Weighed(arm=arm, weights=sampling.weights))
    covariance = _estimate_covariance(arm, sampling, say, np.ones(2, dtype=bool))
    people = (sampling.weights > 0).astype(np.float64)
    counted = _fit_both_lists(first, second, arm, people)
    combined = _combine_lists(value, covariance, counted, level, sampling.df)
    return replace(combined, replicates=replicates_of(sampling))


def _estimate_with_direct(
    reported: Floats, yes: Floats, arm: Integers, sampling: AbstractSamplingDesign, level: float
) -> CombinedShares:
    """The combined estimate, and tests, by weighted means."""
    people = (sampling.weights > 0).astype(np.float64)
    if not _has_enough(arm, people * (yes == 0)):
        raise _too_few_left()

    def say(weighed: _Weighed) -> _Estimates:
        value, influence = weighed.with_direct(reported, yes)
        if not _has_enough(arm, people * (yes == 1)):
            value[_AMONG] = np.nan
        return value, influence

    value, _ = say(_Weighed(arm=arm, weights=sampling.weights))
    required = np.arange(len(value)) != _AMONG
    covariance = _estimate_covariance(arm, sampling, say, required)
    shares = share_margins(
        "share for whom the item holds",
        ("combined", "direct question", "list"),
        value[:_AMONG],
        covariance[:_AMONG, :_AMONG],
        level,
        sampling.df,
    )
    rest = zip(value[_AMONG:], np.diag(covariance)[_AMONG:], _PLACEBOS.items(), strict=True)
    tests = {name: (float(estimate), float(noise), null) for estimate, noise, (name, null) in rest}
    combination, counted = ListCombination.DIRECT_QUESTION, _fit_list(reported, arm, people)
    combined = _assemble(combination, shares, tests, counted, sampling.df)
    return replace(combined, replicates=replicates_of(sampling))


_PLACEBOS: Mapping[str, float] = MappingProxyType(
    {"list among those who said yes": 1.0, "effect of the list on the direct answer": 0.0}
)
"""What is tested, and what it must be."""
_AMONG = 3  # of what is estimated: the list among those who said yes, of whom there may be few
