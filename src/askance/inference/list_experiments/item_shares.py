"""Shares for whom sensitive items hold, by covariates: what fitted list experiments say on average.

How the coefficients were found does not matter here, by likelihood or by least squares: those of
the sensitive items come first, item by item, an intercept before the covariates of each.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, final

import numpy as np
from scipy.special import expit, logit

from askance.arguments import same_rows
from askance.errors import InputError
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
    covariates_of,
    design_of,
)
from askance.inference.regression.formula import (
    Formula,
    RegressionColumns,
    look_up_columns,
)
from askance.inference.sampling_design import AbstractDesign
from askance.results import read_only, student_quantile
from askance.typing import Floats


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
    design : array, shape (n, c + 1)
        Covariates of the respondents, after a column of ones.
    weights : array, shape (n,)
    formula : Formula or None
        What the covariates were made by.
    level, freedom : float
        Of the intervals.
    given : ItemCountModel or None
        Where items depend on how many control items hold: how, and how many of these hold by the
        coefficients that follow.

    >>> from askance.inference.regression.answer_model import answer_model
    >>> one = ItemShares(
    ...     sensitive=("a",),
    ...     terms=(),
    ...     model=answer_model(("holds", "not"), ()),
    ...     value=np.zeros(1),
    ...     covariance=np.eye(1) / 4,
    ...     design=np.ones((8, 1)),
    ...     weights=np.ones(8),
    ...     formula=None,
    ...     level=0.95,
    ...     freedom=float("inf"),
    ... )
    >>> one.prevalence()
    share for whom the item holds
       value     se  95 % from      to
    a    0.5  0.125     0.2729  0.7271
    """

    sensitive: tuple[str, ...]
    terms: tuple[str, ...]
    model: AnswerModel
    value: Floats
    covariance: Floats
    design: Floats
    weights: Floats
    formula: Formula | None
    level: float
    freedom: float
    given: ItemCountModel | None = None

    def own(self, item: int) -> slice:
        """Where the coefficients of an item stand."""
        width = 1 + len(self.terms)
        return slice(item * width, (item + 1) * width)

    def predict(self, covariates: Any) -> Floats:
        """Predicted probability that each item holds, shape (rows, M)."""
        design = self._made(covariates)
        return read_only(
            np.column_stack([self._predicted(item, design) for item in range(len(self.sensitive))])
        )

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean predicted share of each item, with the interval that is normal in log-odds."""
        people = self.people(covariates)
        told = self._margins(
            "share for whom the item holds",
            self.sensitive,
            (self._average(item, people) for item in range(len(self.sensitive))),
        )
        reach = student_quantile(self.level, self.freedom) * told.se
        if self.model.link is None or self.model.link.name != "logit":
            return bounded_margins(told, reach)
        spread = np.maximum(told.value * (1 - told.value), np.finfo(float).tiny)
        odds = logit(told.value)
        lower, upper = expit(odds - reach / spread), expit(odds + reach / spread)
        return replace(told, lower=lower, upper=upper)

    def difference(self, after: Any, before: Any) -> Margins:
        """How much the mean share of each item differs between two tables of covariates."""
        move = self.people(after, respondents=True), self.people(before, respondents=True), 1.0
        told = self._margins(
            "difference in share",
            self.sensitive,
            (self._moved(item, move) for item in range(len(self.sensitive))),
        )
        return bounded_margins(told, told.upper - told.value, -1.0)

    def effects(self) -> Margins:
        """The average marginal effect of every covariate on the share of each item."""
        moves = one_at_a_time(self.people(None), self.terms, self.formula)
        items = self.sensitive
        labels = [name if len(items) == 1 else f"{one}: {name}" for name in moves for one in items]
        found = (self._moved(at, move) for move in moves.values() for at in range(len(items)))
        return self._margins("average effect on the share", tuple(labels), found)

    def people(self, covariates: Any, *, respondents: bool = False) -> People:
        """Whose covariates they are: others, whatever their number, have weights of 1."""
        design = None if covariates is None else self._made(covariates)
        return people_among((self.design, self.weights), design, respondents=respondents)

    def _made(self, covariates: Any) -> Floats:
        made = covariates if self.formula is None else self.formula.covariates(covariates)
        return design_of(made, self.terms)

    def _predicted(self, item: int, design: Floats) -> Floats:
        if self.given is not None:
            return conditioned_share(self.given, item, self.value, design)[0]
        share: Floats = self.model.shares(design @ self.model.weights(self.value[self.own(item)]))
        return share[:, 0]

    def _average(self, item: int, people: People) -> tuple[float, Floats]:
        at = self.own(item)
        if self.given is not None:
            share, slope = conditioned_share(self.given, item, self.value, people[0])
            return float(np.average(share, weights=people[1])), people[1] @ slope / people[1].sum()
        value, slope = average_share(self.model, self.value[at], people)
        return float(value[0]), self._whole(slope[0], at)

    def _moved(self, item: int, move: Move) -> tuple[float, Floats]:
        (high, up), (low, down) = (self._average(item, people) for people in move[:2])
        return (high - low) / move[2], (up - down) / move[2]

    def _whole(self, slope: Floats, at: slice) -> Floats:
        held = np.zeros(len(self.value))
        held[at] = slope
        return held

    def _margins(
        self, what: str, labels: tuple[str, ...], found: Iterable[tuple[float, Floats]]
    ) -> Margins:
        values, slopes = zip(*found, strict=True) if labels else ((), ())
        slope = np.array(slopes).reshape(-1, len(self.value))
        covariance = slope @ self.covariance @ slope.T
        return normal_margins(what, labels, np.array(values), covariance, self.level, self.freedom)


def conditioned_share(
    model: ItemCountModel, item: int, value: Floats, design: Floats
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
    k, many, J = design.shape[1], len(model.sensitive), model.items
    own, control = slice(item * k, (item + 1) * k), slice(many * k, (many + 1) * k)
    each = len(model.levels) // many
    first = control.stop + item * each
    levels = slice(first, first + each)
    share, slope = np.zeros(len(design)), np.zeros((len(design), len(value)))
    for y in range(J + 1):
        eta, others = design @ value[control], np.full(len(design), y)
        told, (moves, _) = binomial(others, J, eta), binomial_slopes(others, J, eta)
        chance = comb(J, y) * np.exp(told)
        holds = expit(design @ value[own] + model.steps(y) @ value[levels])
        gains = chance * holds * (1 - holds)
        share += chance * holds
        slope[:, own] += gains[:, None] * design
        slope[:, levels] += gains[:, None] * model.steps(y)
        slope[:, control] += (chance * holds * moves)[:, None] * design
    return share, slope


def list_by(
    reports: Any,
    arms: Any,
    covariates: Any,
    design: Any,
    data: Any,
    terms: Sequence[str] | None,
    *,
    items: int,
    control: Any,
    rows: tuple[Any, Any, Any],
) -> tuple[ListAnswers, Covariates, AbstractDesign | None, RegressionColumns]:
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
    told = look_up_columns(data, covariates, terms, **named)
    asked = {"items": items, "control": control, "data": data}
    asked |= {"weights": told.weights, "counts": told.counts}
    said, sample = sampled_answers(reports, arms, design, told.clusters, **asked)
    given = covariates_of(told.covariates, len(said.arm), told.terms, said.weights)
    for at, name in enumerate(("control", *said.sensitive)):
        if not said.weights[said.arm == at].any():
            where = "weights" if told.counts is None else "counts"
            raise InputError(where, got=f"0 for all of {name}", allowed="people who count")
    return said, given, sample, told
