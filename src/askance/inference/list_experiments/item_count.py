"""List experiments (item count technique): how many people a sensitive item holds for.

Half of the people are told some harmless items, the others the same ones and a sensitive one;
each says only how many of them hold. A tally of such counts is all that is needed here; with
covariates go on to `item_count_regression`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from askance.chart import Chart, chart_frame, draw_result
from askance.inference.fit_result import Convergence, GoodnessOfFit
from askance.inference.list_experiments.item_count_fit import list_fit
from askance.inference.list_experiments.item_tally import ItemCounts
from askance.inference.maximisation import maximise_mixture, mixture
from askance.inference.provenance import Computation, TypeEstimator
from askance.inference.regression.coefficients import Margins, share_margins
from askance.results import (
    Cells,
    Listing,
    cells_of,
    describe_freedom,
    figure_rows,
    json_of,
    listed,
    number,
    over_replicates,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TypeShares:
    """Joint shares of how many control items hold for a person and whether the sensitive one does.

    Attributes
    ----------
    item : str
    estimator : TypeEstimator
    value : array, shape (2, J + 1)
        First the people for whom the sensitive item holds, by how many control items do, then the
        others.
    se : array, shape (2, J + 1)
        NaN where none is known.
    log_likelihood, gap : float
        Of the shares; at most the gap is missing to the maximum, per respondent.
    convergence : Convergence
    goodness_of_fit : GoodnessOfFit
        Whether one more item can have made these counts at all.

    >>> from askance.inference import ItemCounts, item_count
    >>> item_count(ItemCounts([5, 5], {"a": [2, 5, 3]})).types()
    share of each type of person, a, by moments
    control items  holds      se  does not      se
    0                0.3  0.2025       0.2  0.1265
    1                0.3  0.1449       0.2  0.2145
    a: 0.6 of all; computed in closed form
    """

    computation: ClassVar[Computation] = Computation.ITEM_COUNT_TYPES
    item: str
    estimator: TypeEstimator
    value: Floats
    se: Floats
    log_likelihood: float
    gap: float
    convergence: Convergence
    goodness_of_fit: GoodnessOfFit

    @property
    def share(self) -> float:
        """The prevalence of the sensitive item."""
        return float(self.value[0].sum())

    def to_dict(self) -> Json:
        """Write the shares for JSON."""
        names = "item how=estimator value se share log_likelihood gap"
        return json_of(self, names) | self.convergence.to_dict() | json_of(self, "goodness_of_fit")

    def _frame(self) -> Any:
        places = [(holds, y) for holds in (1, 0) for y in range(self.value.shape[1])]
        columns = {"holds": [holds for holds, _ in places], "control_items": [y for _, y in places]}
        return columns | {"share": self.value.ravel(), "se": self.se.ravel()}

    def _table(self) -> Listing:
        head = ["control items", "holds", "se", "does not", "se"]
        labels = [str(y) for y in range(self.value.shape[1])]
        rows = figure_rows(labels, self.value[0], self.se[0], self.value[1], self.se[1])
        title = f"share of each type of person, {self.item}, {self.estimator.value}"
        on_edge = self.convergence is Convergence.ON_BOUNDARY
        ended = _ON_EDGE if on_edge else self.convergence.value
        notes = [f"{self.item}: {number(self.share)} of all; {ended}"]
        return title, head, rows, [*notes, *self.goodness_of_fit.misfit]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_ON_EDGE = "some shares are at the edge, 0 or 1, where none has a standard error"
_REVEALS = "a count of 0, or of every item, shows the answer: no local differential privacy"


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemCountEstimate:
    """The prevalence of sensitive items, by differences in means.

    Attributes
    ----------
    tally : ItemCounts
    value : array, shape (M,)
    covariance : array, shape (M, M)
        All items share the control group.
    lower, upper : array, shape (M,)
        The normal intervals, or Student's of a complex sample, joined with those about the nearest
        possible share, as far as they lie in [0, 1]: never a point, however far outside a value
        lies. All of [0, 1] where no degree of freedom is left, or no error can be told.
    level : float
    """

    computation: ClassVar[Computation] = Computation.ITEM_COUNT
    tally: ItemCounts
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float

    @property
    def se(self) -> Floats:
        """Standard error of each share."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def revealed(self) -> Floats:
        """Floor and ceiling effects: shares of each group whose count reveals their answer.

        Shape (M, 2): a count of 0 says that the sensitive item does not hold, one of J + 1 that it
        does. Any other count leaves both possible on its face.
        """
        treated = self.tally.counts[1:]
        return read_only(treated[:, [0, -1]] / treated.sum(axis=1, keepdims=True))

    @checked
    def types(self, item: str | None = None) -> TypeShares:
        r"""Joint shares of control count and sensitive item, by the method of moments.

        .. math:: \hat\pi_{y1} = \hat F_0(y) - \hat F_1(y), \qquad
                  \hat\pi_{y0} = \hat F_1(y) - \hat F_0(y - 1)

        with F_0 and F_1 the shares of the control and the other group that counted at most y
        items. They sum to the difference in means, and may be negative: `design_effect_test` says
        whether that is more than chance.

        Parameters
        ----------
        item : str, optional
            Which sensitive item; the first if left out.

        References
        ----------
        Blair & Imai (2012).

        >>> from askance.inference import ItemCounts, item_count
        >>> fit = item_count(ItemCounts([8, 132, 222, 227], {"x": [9, 78, 172, 184, 139]}))
        >>> fit.types().value.round(3).tolist()
        [[-0.002, 0.088, 0.17, 0.239], [0.015, 0.136, 0.207, 0.147]]
        """
        group = self._item(item)
        value, covariance = type_moments(self.tally, group)
        return TypeShares(
            item=self.tally.sensitive[group - 1],
            estimator=TypeEstimator.MOMENTS,
            value=value,
            se=np.sqrt(np.diag(covariance).clip(0)).reshape(2, -1),
            log_likelihood=_likelihood(self.tally, group, value),
            gap=0.0,
            convergence=Convergence.EXACT,
            goodness_of_fit=self.goodness_of_fit,
        )

    @checked
    def likely_types(self, item: str | None = None) -> TypeShares:
        """Joint shares of control count and sensitive item, by maximum likelihood.

        No share is negative. Where none is by moments, both are the same: there are as many shares
        as there are counts to tell them by. Elsewhere a share is 0, and no errors are given.

        Parameters
        ----------
        item : str, optional
            Which sensitive item; the first if left out.
        """
        group = self._item(item)
        value, gap = _maximise_types(self.tally, group)
        moments, covariance = type_moments(self.tally, group)
        inside = bool((moments > 0).all())
        se = np.sqrt(np.diag(covariance).clip(0)).reshape(2, -1)
        return TypeShares(
            item=self.tally.sensitive[group - 1],
            estimator=TypeEstimator.MAXIMUM_LIKELIHOOD,
            value=value,
            se=se if inside else np.full_like(se, np.nan),
            log_likelihood=_likelihood(self.tally, group, value),
            gap=gap,
            convergence=Convergence.CONVERGED if inside else Convergence.ON_BOUNDARY,
            goodness_of_fit=self.goodness_of_fit,
        )

    def margins(self) -> Margins:
        """The shares with their intervals."""
        return Margins(
            title="share for whom the item holds",
            labels=self.tally.sensitive,
            value=self.value,
            covariance=self.covariance,
            lower=self.lower,
            upper=self.upper,
            level=self.level,
        )

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether one more item can have made these counts, whomever it holds for.

        Weighted people are worth as many drawn alike as the design effect of their shares says, on
        average over counts (Rao & Scott, 1984).
        """
        tally = self.tally
        worth = np.array([_effective_size(tally, group) for group in range(len(tally.counts))])
        return list_fit(tally.counts, worth, [f"“{name}”" for name in tally.sensitive])

    def to_dict(self) -> Json:
        """Write the estimate for JSON."""
        names = "value se covariance lower upper level revealed"
        items = json_of(self.tally, "items=sensitive")
        return json_of(self, names) | items | json_of(self, "goodness_of_fit")

    def _frame(self) -> Any:
        columns = {name: getattr(self, name) for name in ("value", "se", "lower", "upper")}
        return {"item": self.tally.sensitive} | columns

    def _chart(self) -> Chart:
        """Describe each share with its interval."""
        return self.margins()._chart()

    plot = draw_result
    plot_data = chart_frame

    def _item(self, item: str | None) -> int:
        names = self.tally.sensitive
        refuse_unknown("item", names[0] if item is None else item, names)
        return 1 if item is None else names.index(item) + 1

    def columns(self) -> Cells:
        """What a program calls each column, and a row for each sensitive item."""
        head = ["item", "share", "se", "lower", "upper", "said 0", "said all"]
        return head, cells_of(self.tally.sensitive, *self._columns())

    def _columns(self) -> tuple[Floats, ...]:
        return self.value, self.se, self.lower, self.upper, *self.revealed.T

    def _table(self) -> Listing:
        head = ["", "value", "se", f"{100 * self.level:g} % from", "to", "said 0", "said all"]
        rows = figure_rows(self.tally.sensitive, *self._columns(), digits=3)
        notes = [_REVEALS]
        if self.tally.covariance is not None:
            over = over_replicates(self.tally.replicates)
            notes.append(f"se of a complex sample{over}, {describe_freedom(self.tally.df)}")
        notes += self.goodness_of_fit.misfit
        return "share for whom the item holds, difference in means", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def group_shares(tally: ItemCounts, group: int) -> tuple[Floats, Floats]:
    """Shares of each count in a group, and their covariance; the control group is 0.

    With w the weights, of a count c: Σ_c w / Σ w, and the covariance of a ratio,
    Σ w² (e − p)(e − p)ᵀ / (Σ w)².

    >>> group_shares(ItemCounts([5, 5], {"a": [2, 5, 3]}), 0)[1][:2, :2].round(6).tolist()
    [[0.025, -0.025], [-0.025, 0.025]]
    """
    total = tally.counts[group].sum()
    share: Floats = tally.counts[group] / total
    away = np.eye(len(share)) - share
    return share, (away.T * tally.squares[group]) @ away / total**2


def type_moments(tally: ItemCounts, group: int) -> tuple[Floats, Floats]:
    """Joint shares by moments, shape (2, J + 1), and their covariance, the first row first.

    >>> type_moments(ItemCounts([5, 5], {"a": [2, 5, 3]}), 1)[0].round(9).tolist()
    [[0.3, 0.3], [0.2, 0.2]]
    """
    k = tally.items + 1
    upto = np.tril(np.ones((k, k + 1)))
    before = np.tril(np.ones((k, k + 1)), -1)
    by_first, by_other = np.vstack([upto, -before]), np.vstack([-upto, upto])
    value, covariance = combined_shares(tally, {0: by_first, group: by_other})
    return value.reshape(2, k), covariance


def combined_shares(tally: ItemCounts, parts: Mapping[int, Floats]) -> tuple[Floats, Floats]:
    """Linear combinations of the shares of each count in some groups, and their covariance.

    Groups are independent, but in a complex sample: a cluster has people of each.

    >>> mean = np.arange(3)[None]
    >>> combined_shares(ItemCounts([5, 5], {"a": [2, 5, 3]}), {0: -mean, 1: mean})[0].round(9)
    array([0.6])
    """
    moments = [group_shares(tally, group) for group in parts]
    rows = list(parts.values())
    value: Floats = sum(
        (row @ share for row, (share, _) in zip(rows, moments, strict=True)), np.zeros(len(rows[0]))
    )
    covariance = np.zeros((len(value),) * 2)
    if tally.covariance is None:
        for row, (_, spread) in zip(rows, moments, strict=True):
            covariance += row @ spread @ row.T
        return value, covariance
    slope = np.zeros((len(value), *tally.counts.shape))
    for (group, row), (share, _) in zip(parts.items(), moments, strict=True):
        slope[:, group] = row @ (np.eye(len(share)) - share[:, None]) / tally.counts[group].sum()
    flat = slope.reshape(len(value), -1)
    return value, flat @ tally.covariance @ flat.T


def _effective_size(tally: ItemCounts, group: int) -> float:
    """The effective sample size of a group, at most Kish's for its weights."""
    share, covariance = combined_shares(tally, {group: np.eye(tally.items + 2)})
    people = float(tally.counts[group].sum() ** 2 / tally.squares[group].sum())
    spread, simple_variance = float(np.trace(covariance)), float(share @ (1 - share))
    return min(people, simple_variance / spread) if spread > 0 else people


def _observed_counts(tally: ItemCounts, group: int) -> tuple[Floats, Floats]:
    """The chance of each count that was said given each type, and how often it was."""
    k = tally.items + 1
    control = np.hstack([np.eye(k + 1, k), np.eye(k + 1, k)])
    treated = np.hstack([np.eye(k + 1, k, -1), np.eye(k + 1, k)])
    weights = tally.counts[[0, group]].ravel()
    return np.vstack([control, treated])[weights > 0], weights[weights > 0]


def _maximise_types(tally: ItemCounts, group: int) -> tuple[Floats, float]:
    rows, weights = _observed_counts(tally, group)
    shares, gap = maximise_mixture(
        mixture(rows, weights), np.full(rows.shape[1], 1 / rows.shape[1])
    )
    return shares.reshape(2, -1), gap


def _likelihood(tally: ItemCounts, group: int, shares: Floats) -> float:
    rows, weights = _observed_counts(tally, group)
    chance = rows @ shares.ravel()
    return float(weights @ np.log(chance)) if (chance > 0).all() else -np.inf


@checked
def item_count(tally: ItemCounts, *, level: float = 0.95) -> ItemCountEstimate:
    r"""Difference-in-means estimate of a list experiment (item count, unmatched count technique).

    .. math:: \hat\pi = \bar y_1 - \bar y_0, \qquad
              \hat V = \frac{s_1^2}{n_1} + \frac{s_0^2}{n_0}

    Means are weighted where the tally is; the variance is then that of two ratios, by
    linearisation, and of a complex sample that of its totals, the interval Student's. It holds if
    the sensitive item changes no answer to the others, and if people answer it truthfully inside
    the list.

    Parameters
    ----------
    tally : ItemCounts
        From `count_items`, or from a published table.
    level : float
        Of the intervals.

    Returns
    -------
    ItemCountEstimate

    Raises
    ------
    InputError
        If a group has fewer than two people.

    References
    ----------
    Miller (1984), the technique; Imai (2011) and Blair & Imai (2012).

    >>> from askance.inference import ItemCounts, item_count
    >>> item_count(ItemCounts([8, 132, 222, 227], {"neighbours": [19, 123, 229, 219, 34]}))
    share for whom the item holds, difference in means
                 value      se  95 % from     to  said 0  said all
    neighbours  0.0678  0.0496          0  0.165  0.0304    0.0545
    a count of 0, or of every item, shows the answer: no local differential privacy
    """
    means = [_mean_count(tally, group) for group in range(len(tally.counts))]
    (first, noise), others = means[0], means[1:]
    value = np.array([mean - first for mean, _ in others])
    covariance = np.diag([variance for _, variance in others]) + noise
    if tally.covariance is not None:
        count_values, own = np.arange(tally.items + 2), np.eye(len(others))
        parts = {group + 1: np.outer(unit, count_values) for group, unit in enumerate(own)}
        covariance = combined_shares(
            tally, {0: -np.outer(np.ones(len(own)), count_values), **parts}
        )[1]
    sure = tally.df >= 1  # else how sure the shares are cannot be told at all
    margins = share_margins(
        "share", tally.sensitive, value, covariance, level, tally.df if sure else 1
    )
    return ItemCountEstimate(
        tally=tally,
        value=value,
        covariance=covariance,
        lower=margins.lower if sure else np.zeros(len(value)),
        upper=margins.upper if sure else np.ones(len(value)),
        level=level,
    )


def _mean_count(tally: ItemCounts, group: int) -> tuple[float, float]:
    """The mean count of a group, and its variance."""
    share, covariance = group_shares(tally, group)
    people = tally.counts[group].sum() ** 2 / tally.squares[group].sum()
    if not people > 1:
        name = ("control", *tally.sensitive)[group]
        raise InputError("tally", got=f"one person in the group {name}", allowed="two or more")
    count_values = np.arange(len(share))
    return float(count_values @ share), float(
        count_values @ covariance @ count_values * people / (people - 1)
    )
