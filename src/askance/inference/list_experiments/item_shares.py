"""Prevalence of sensitive items by covariates: averages over a fitted list experiment.

How the coefficients were found does not matter here, by likelihood or by least squares: those of
the sensitive items come first, item by item, an intercept before the covariates of each.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, final

import numpy as np
from scipy.special import expit, logit

from askance.inference.list_experiments.item_count_model import (
    ItemCountModel,
    binomial,
    binomial_slopes,
)
from askance.inference.list_experiments.item_tally import ListAnswers, sampled_answers
from askance.inference.regression.answer_model import AnswerModel
from askance.inference.regression.coefficients import (
    Margins,
    Move,
    People,
    average_share,
    bounded_margins,
    normal_margins,
    one_at_a_time,
    people_among,
)
from askance.inference.regression.covariates import (
    Covariates,
    build_model_matrix,
    covariates_of,
)
from askance.inference.regression.formula import (
    Formula,
    RegressionColumns,
    look_up_columns,
)
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import read_only, student_quantile
from askance.typing import Floats
from askance_collect.arguments import same_rows
from askance_collect.errors import InputError


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemShares:
    """Coefficients of sensitive items, and what shares follow from them.

    Attributes
    ----------
    sensitive, terms : tuple of str
        The M sensitive items and the c covariates.
    model : AnswerModel
        How one item's share depends on its coefficients.
    value : array, shape (parameters,)
        Those of the items first.
    covariance : array, shape (parameters, parameters)
    model_matrix : array, shape (n, c + 1)
        Covariates of the respondents, after a column of ones.
    weights : array, shape (n,)
    formula : Formula or None
        What the covariates were made by.
    level, df : float
        Of the intervals.
    condition_model : ItemCountModel or None
        Where items depend on how many control items hold: how, and how many of these hold by the
        coefficients that follow.

    >>> from askance.inference.regression.answer_model import answer_model
    >>> fit = ItemShares(
    ...     sensitive=("a",),
    ...     terms=(),
    ...     model=answer_model(("holds", "not"), ()),
    ...     value=np.zeros(1),
    ...     covariance=np.eye(1) / 4,
    ...     model_matrix=np.ones((8, 1)),
    ...     weights=np.ones(8),
    ...     formula=None,
    ...     level=0.95,
    ...     df=float("inf"),
    ... )
    >>> fit.prevalence()
    share for whom the item holds
       value     se  95 % from      to
    a    0.5  0.125     0.2729  0.7271
    """

    sensitive: tuple[str, ...]
    terms: tuple[str, ...]
    model: AnswerModel
    value: Floats
    covariance: Floats
    model_matrix: Floats
    weights: Floats
    formula: Formula | None
    level: float
    df: float
    condition_model: ItemCountModel | None = None

    def own(self, item: int) -> slice:
        """Where the coefficients of an item stand."""
        width = 1 + len(self.terms)
        return slice(item * width, (item + 1) * width)

    def predict(self, covariates: Any) -> Floats:
        """Predicted probability that each item holds, shape (rows, M)."""
        model_matrix = self._read_model_matrix(covariates)
        return read_only(
            np.column_stack(
                [self._predict_item(item, model_matrix) for item in range(len(self.sensitive))]
            )
        )

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean predicted share of each item, with the interval that is normal in log-odds."""
        people = self.people(covariates)
        margins = self._margins(
            "share for whom the item holds",
            self.sensitive,
            (self._average(item, people) for item in range(len(self.sensitive))),
        )
        reach = student_quantile(self.level, self.df) * margins.se
        if self.model.link is None or self.model.link.name != "logit":
            return bounded_margins(margins, reach)
        spread = np.maximum(margins.value * (1 - margins.value), np.finfo(float).tiny)
        odds = logit(margins.value)
        lower, upper = expit(odds - reach / spread), expit(odds + reach / spread)
        return replace(margins, lower=lower, upper=upper)

    def difference(self, after: Any, before: Any) -> Margins:
        """How much the mean share of each item differs between two tables of covariates."""
        move = self.people(after, respondents=True), self.people(before, respondents=True), 1.0
        margins = self._margins(
            "difference in share",
            self.sensitive,
            (self._difference(item, move) for item in range(len(self.sensitive))),
        )
        return bounded_margins(margins, margins.upper - margins.value, -1.0)

    def effects(self) -> Margins:
        """The average marginal effect of every covariate on the share of each item."""
        moves = one_at_a_time(self.people(None), self.terms, self.formula)
        items = self.sensitive
        labels = [
            name if len(items) == 1 else f"{item}: {name}" for name in moves for item in items
        ]
        differences = (
            self._difference(index, move) for move in moves.values() for index in range(len(items))
        )
        return self._margins("average effect on the share", tuple(labels), differences)

    def people(self, covariates: Any, *, respondents: bool = False) -> People:
        """Whose covariates they are: others, whatever their number, have weights of 1."""
        model_matrix = None if covariates is None else self._read_model_matrix(covariates)
        return people_among(
            (self.model_matrix, self.weights), model_matrix, respondents=respondents
        )

    def _read_model_matrix(self, covariates: Any) -> Floats:
        matrix = covariates if self.formula is None else self.formula.covariates(covariates)
        return build_model_matrix(matrix, self.terms)

    def _predict_item(self, item: int, model_matrix: Floats) -> Floats:
        if self.condition_model is not None:
            return conditioned_share(self.condition_model, item, self.value, model_matrix)[0]
        share: Floats = self.model.shares(
            model_matrix @ self.model.weights(self.value[self.own(item)])
        )
        return share[:, 0]

    def _average(self, item: int, people: People) -> tuple[float, Floats]:
        block = self.own(item)
        if self.condition_model is not None:
            share, slope = conditioned_share(self.condition_model, item, self.value, people[0])
            return float(np.average(share, weights=people[1])), people[1] @ slope / people[1].sum()
        value, slope = average_share(self.model, self.value[block], people)
        return float(value[0]), self._embed(slope[0], block)

    def _difference(self, item: int, move: Move) -> tuple[float, Floats]:
        (high, up), (low, down) = (self._average(item, people) for people in move[:2])
        return (high - low) / move[2], (up - down) / move[2]

    def _embed(self, slope: Floats, block: slice) -> Floats:
        full = np.zeros(len(self.value))
        full[block] = slope
        return full

    def _margins(
        self, title: str, labels: tuple[str, ...], averages: Iterable[tuple[float, Floats]]
    ) -> Margins:
        values, slopes = zip(*averages, strict=True) if labels else ((), ())
        slope = np.array(slopes).reshape(-1, len(self.value))
        covariance = slope @ self.covariance @ slope.T
        return normal_margins(title, labels, np.array(values), covariance, self.level, self.df)


def conditioned_share(
    model: ItemCountModel, item: int, value: Floats, model_matrix: Floats
) -> tuple[Floats, Floats]:
    r"""The chance that an item holds, whatever control items do, and its slope by the coefficients.

    .. math:: \sum_{y=0}^{J} \mathrm{Bin}(y; J, F(x\gamma)) \, F(x\delta + \alpha_y)

    Returns
    -------
    share : array, shape (n,)
    slope : array, shape (n, parameters)

    >>> model = ItemCountModel(
    ...     items=1,
    ...     sensitive=("a",),
    ...     terms=(),
    ...     constrained=True,
    ...     overdispersed=False,
    ...     misreport="none",
    ...     condition="level",
    ... )
    >>> parts = conditioned_share(model, 0, np.array([0.0, 0.0, np.log(3)]), np.ones((1, 1)))
    >>> [part.round(4).tolist() for part in parts]  # half of 1/2 and half of 3/4
    [[0.625], [[0.2188, 0.0625, 0.0938]]]
    """
    k, many, J = model_matrix.shape[1], len(model.sensitive), model.items
    own, control = slice(item * k, (item + 1) * k), slice(many * k, (many + 1) * k)
    per_item = len(model.levels) // many
    first = control.stop + item * per_item
    levels = slice(first, first + per_item)
    share, slope = np.zeros(len(model_matrix)), np.zeros((len(model_matrix), len(value)))
    for y in range(J + 1):
        eta, others = model_matrix @ value[control], np.full(len(model_matrix), y)
        logs, (moves, _) = binomial(others, J, eta), binomial_slopes(others, J, eta)
        chance = comb(J, y) * np.exp(logs)
        holds = expit(model_matrix @ value[own] + model.steps(y) @ value[levels])
        gains = chance * holds * (1 - holds)
        share += chance * holds
        slope[:, own] += gains[:, None] * model_matrix
        slope[:, levels] += gains[:, None] * model.steps(y)
        slope[:, control] += (chance * holds * moves)[:, None] * model_matrix
    return share, slope


def read_list_experiment(
    reports: Any,
    arms: Any,
    covariates: Any,
    sampling: Any,
    data: Any,
    terms: Sequence[str] | None,
    *,
    items: int,
    control: Any,
    rows: tuple[Any, Any, Any],
) -> tuple[ListAnswers, Covariates, AbstractSamplingDesign | None, RegressionColumns]:
    """Read what people said, by which covariates, and how they were drawn.

    Of rows their weights, counts and clusters are given, each None where it is not.

    Raises
    ------
    InputError
        As `item_count_regression`, or if nobody of a group counts.
    NotIdentified
        If covariates determine each other.
    """
    named = dict(zip(("weights", "counts", "clusters"), rows, strict=True))
    same_rows(data=data, reports=reports, arms=arms, covariates=covariates, **named)
    columns = look_up_columns(data, covariates, terms, **named)
    options = {"items": items, "control": control, "data": data}
    options |= {"weights": columns.weights, "counts": columns.counts}
    answers, sample = sampled_answers(reports, arms, sampling, columns.clusters, **options)
    model_matrix = covariates_of(
        columns.covariates, len(answers.arm), columns.terms, answers.weights
    )
    for arm, name in enumerate(("control", *answers.sensitive)):
        if not answers.weights[answers.arm == arm].any():
            where = "weights" if columns.counts is None else "counts"
            raise InputError(where, got=f"0 for all of {name}", allowed="people who count")
    return answers, model_matrix, sample, columns
