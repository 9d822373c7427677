"""Regression of another outcome on the sensitive item of a list experiment, by a joint likelihood.

Nobody's item is known but by how many items somebody counted: it is weighed by its chance given
that count, the outcome and the covariates.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Any, final

import numpy as np
from scipy.special import expit, log_expit

from askance.inference.list_experiments.item_count_fit import fit_of_answers
from askance.inference.list_experiments.item_count_model import (
    ItemCountLikelihood,
    ItemCountModel,
    binomial,
    binomial_slopes,
    maximise_item_counts,
)
from askance.inference.list_experiments.item_shares import read_list_experiment
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.inference.maximisation import LastEvaluation, maximise
from askance.inference.regression.coefficients import (
    Spread,
    covariance_by,
    inverse,
    people_counted,
    refuse_expected,
    runs_away,
)
from askance.inference.regression.covariates import Covariates, covariate_spreads
from askance.inference.regression.formula import column_or_values, columns_of
from askance.inference.regression.outcome_law import (
    ERRORS,
    FAMILIES,
    OutcomeLaw,
    OutcomeRegression,
    outcome_first,
    outcome_law,
)
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import normal_quantile
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError, NotIdentified, refuse_unknown

_FARTHEST = 4.0  # log-odds of where a maximisation begins
_EXACT = 1e-6  # of the spread of a normal outcome: no noise is left
_EFFECTS = (0.0, 1.0, -1.0)  # effects of the item to begin with, in units of the noise


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _CompleteCase:
    """Everybody's control items, and what both they and the outcome depend on, if z is known."""

    others: Integers
    possible: Booleans
    ways: Floats
    control: Floats
    outcome: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemOutcomeLikelihood:
    r"""Σ_i w_i log Σ_z P(z | x_i) P(y_i − t_i z | z, x_i) f(o_i | z, y_i − t_i z, x_i).

    Parameters are those of the sensitive item, of the control items and of the outcome.

    Attributes
    ----------
    answers : ListAnswers
        Counts y, and t: who saw the sensitive item.
    model_matrix : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    law : OutcomeLaw
        f.
    constrained : bool
        Whether z moves no control item, and control items not the outcome.

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> answers = answers_of([0, 1, 1], [0, 0, 1], items=1, control=0, data=None, weights=None)
    >>> likelihood = ItemOutcomeLikelihood(
    ...     answers=answers,
    ...     model_matrix=np.ones((3, 1)),
    ...     weights=np.ones(3),
    ...     law=OutcomeLaw(outcome=np.array([0.0, 1.0, 1.0]), normal=False),
    ...     constrained=True,
    ... )
    >>> float(np.exp(likelihood.total(np.zeros(4))).round(6))  # three times 1/2 · 1/2
    0.015625
    """

    answers: ListAnswers
    model_matrix: Floats
    weights: Floats
    law: OutcomeLaw
    constrained: bool
    _cases: tuple["_CompleteCase", "_CompleteCase"] = field(init=False, repr=False)
    last: LastEvaluation = field(default_factory=LastEvaluation, init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out what every step of the maximisation looks at."""
        object.__setattr__(self, "_cases", (self._complete_case(0), self._complete_case(1)))

    def _complete_case(self, z: int) -> "_CompleteCase":
        """What is known of everybody if z is known: whether the item holds."""
        X, J = self.model_matrix, self.answers.items
        others: Integers = self.answers.count - z * (self.answers.arm > 0)
        ways = np.log([comb(J, y) for y in range(J + 1)])
        control = X if self.constrained else np.column_stack([X, np.full(len(X), float(z))])
        return _CompleteCase(
            others=others,
            possible=(others >= 0) & (others <= J),
            ways=ways[others.clip(0, J)],
            control=control,
            outcome=self.outcome_matrix(z, others),
        )

    @property
    def parts(self) -> tuple[slice, slice, slice]:
        """Where the parameters of the item, of the control items and of the outcome stand."""
        width, more = self.model_matrix.shape[1], not self.constrained
        last = 2 * width + more
        return (
            slice(0, width),
            slice(width, last),
            slice(last, last + width + 1 + more + self._free),
        )

    def weighed(self, weights: Floats) -> "ItemOutcomeLikelihood":
        """The same with other weights."""
        return replace(self, weights=weights)

    def total(self, parameters: Floats) -> float:
        """The log-likelihood."""
        is_counted = self.weights > 0
        without, with_it = self.last.once("logs", parameters, self._logs)
        return float(self.weights[is_counted] @ np.logaddexp(without, with_it)[is_counted])

    def slope(self, parameters: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        return self.weights @ self.scores(parameters)

    def scores(self, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        posterior = self.posterior(parameters)
        without, with_it = self.last.once("scores", parameters, self._scores)
        return posterior[:, [0]] * without + posterior[:, [1]] * with_it

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, and that of the complete data."""
        yield lambda: self.observed(parameters)
        yield lambda: self.complete(parameters)

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives (Louis, 1982): complete ones less what is missing.

        With two values that z may have, the variance of a row's score is P(z) P(not z) d dᵀ, with d
        the difference of both scores.
        """
        posterior = self.posterior(parameters)
        without, with_it = self.last.once("scores", parameters, self._scores)
        difference = with_it - without
        missing = difference * (self.weights * posterior[:, 0] * posterior[:, 1])[:, None]
        return self._average_complete(parameters, posterior, self.law.bend) - missing.T @ difference

    def complete(self, parameters: Floats) -> Floats:
        """The complete-data information: what it would be if the item were known of everybody."""
        return self._average_complete(parameters, self.posterior(parameters), self.law.expected)

    def posterior(self, parameters: Floats) -> Floats:
        """The chance that the item does not hold, and that it does, given all that is known."""
        logs = self.last.once("logs", parameters, self._logs)
        return np.exp(np.column_stack(logs) - np.logaddexp(*logs)[:, None])

    def outcome_matrix(self, z: int | Floats, others: Integers | Floats) -> Floats:
        """What the outcome depends on: ones, z, covariates and, if free, control items."""
        X = self.model_matrix
        columns = [X[:, :1], np.broadcast_to(z, len(X))[:, None], X[:, 1:]]
        return np.hstack([*columns, *([] if self.constrained else [others[:, None]])])

    @property
    def _free(self) -> int:
        """How many parameters the spread of the outcome has."""
        return int(self.law.normal)

    def _logs(self, parameters: Floats) -> tuple[Floats, Floats]:
        """The logarithm of the chance of both values of z, with what was said and seen."""
        (item, control, outcome), J = self.parts, self.answers.items
        eta = self.model_matrix @ parameters[item]

        def if_it(z: int) -> Floats:
            case = self._cases[z]
            logs = log_expit(eta if z else -eta) + case.ways
            logs += binomial(case.others, J, case.control @ parameters[control])
            logs += self.law.logarithms(case.outcome, parameters[outcome])
            return np.where(case.possible, logs, -np.inf)

        return if_it(0), if_it(1)

    def _scores(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Each row's gradient, were z known to be 0 and 1, each of shape (n, parameters)."""
        (item, control, outcome), X = self.parts, self.model_matrix
        share = expit(X @ parameters[item])

        def if_it(z: int) -> Floats:
            case = self._cases[z]
            eta = case.control @ parameters[control]
            count = binomial_slopes(case.others, self.answers.items, eta)[0]
            rest = self.law.scores(case.outcome, parameters[outcome])
            return np.hstack([X * (z - share)[:, None], case.control * count[:, None], rest])

        return if_it(0), if_it(1)

    def _average_complete(
        self,
        parameters: Floats,
        posterior: Floats,
        bend: Callable[[Floats, Floats, Floats], Floats],
    ) -> Floats:
        """Negative second derivatives were z known, averaged over what it may be."""
        (item, control, outcome), X = self.parts, self.model_matrix
        share = expit(X @ parameters[item])
        information = np.zeros((len(parameters), len(parameters)))
        information[item, item] = (X * (self.weights * share * (1 - share))[:, None]).T @ X
        for z, case in enumerate(self._cases):
            C, weight = case.control, self.weights * posterior[:, z]
            count = binomial_slopes(case.others, self.answers.items, C @ parameters[control])[1]
            information[control, control] -= (C * (weight * count)[:, None]).T @ C
            information[outcome, outcome] += bend(case.outcome, parameters[outcome], weight)
        return information


@checked
def item_count_outcome(
    reports: Any,
    arms: Any,
    outcome: Any,
    covariates: Any = None,
    *,
    items: int,
    family: str = "normal",
    control: Any = 0,
    data: Any = None,
    terms: Sequence[str] | None = None,
    constrained: bool = True,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
) -> OutcomeRegression:
    r"""Regress an outcome on the sensitive item of a list experiment, by their joint likelihood.

    .. math:: \max \sum_i w_i \log \sum_{z} P(z \mid x_i) \,
              \mathrm{Bin}(y_i - t_i z;\, J, F(x_i\gamma)) \, f(o_i \mid z, x_i)

    with z whether the sensitive item holds, of which log-odds are linear in the covariates, y what
    was counted, t who saw the item, o the outcome, and F the logistic function. A guess at z from
    the count, taken for known, would draw its effect towards 0. The likelihood is maximised by
    Newton's method, with a step of EM where one would descend, from several effects of z.

    What is taken for granted is more than of `item_count_regression`: the outcome's law given z is
    used to tell who has the item. Where it is another, the effect is wrong.

    Parameters
    ----------
    reports, arms, covariates, items, control, data, terms
        As in `item_count_regression`; one sensitive item.
    outcome : array_like, length n, or str
        Numbers; 0 and 1 for ``family="logit"``.
    family : {"normal", "logit"}
        f: normal with one σ, or log-odds of a 1.
    constrained : bool
        If not, the log-odds of control items depend on z too, and the outcome on how many of them
        hold.
    weights : array_like, length n, or str, optional
        Sampling weights, as in `response_regression`.
    counts : array_like of int, length n, or str, optional
        How often each row is there, as in `response_regression`.
    errors : {"observed", "robust"}
        What the standard errors come from: the information observed (Louis, 1982), or the sandwich
        (Huber, 1967).
    clusters : array_like, length n, or str, optional
        Rows that bear the same label may depend on each other; errors are then clustered.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn, as in `item_count_regression`.
    level : float
        Of the intervals.

    Returns
    -------
    OutcomeRegression
        Coefficients of the outcome, of the sensitive item, and of the control items.

    Raises
    ------
    InputError
        As in `item_count_regression`, or if the outcome is missing for someone or does not vary.
    NotIdentified
        If covariates determine each other or the outcome, or the likelihood has no top: then
        nearly nobody, or nearly everybody, with some covariates has the sensitive item, or those
        who have it all have one outcome.

    References
    ----------
    Imai, Park & Greene (2015).

    >>> from askance.inference import item_count_outcome
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> earned = [0, 1, 0, 1, 0, 1] * 10 + [0, 0, 1, 2, 3, 2, 0, 1] * 10
    >>> fit = item_count_outcome(counts, [0] * 60 + [1] * 80, earned, items=2)
    >>> fit.names[:2], fit.value[:2].round(3).tolist()
    (('outcome: intercept', 'outcome: sensitive item'), [0.458, 1.841])
    """
    normal_quantile(level)
    refuse_unknown("family", family, FAMILIES)
    refuse_unknown("errors", errors, ERRORS)
    same_rows(data=data, reports=reports, outcome=outcome)
    if sampling is not None or weights is not None:
        refuse_expected(errors)
    options = {"items": items, "control": control, "rows": (weights, counts, clusters)}
    answers, model_matrix, sample, columns = read_list_experiment(
        reports, arms, covariates, sampling, data, terms, **options
    )
    _refuse_several_items(answers)
    column = outcome if data is None else column_or_values(columns_of(data), outcome)
    problem = ItemOutcomeLikelihood(
        answers=answers,
        model_matrix=model_matrix.standard(),
        weights=model_matrix.weights,
        law=outcome_law(column, len(answers.arm), family, "leave rows without one out"),
        constrained=constrained,
    )
    return _fit(problem, model_matrix, (errors, columns.clusters, sample), level)


def _refuse_several_items(answers: ListAnswers) -> None:
    if len(answers.sensitive) > 1:
        names = ", ".join(answers.sensitive)
        remedy = "leave the rows of the others out, and fit each with the control group"
        raise InputError("arms", got=names, allowed="one sensitive item", remedy=remedy)


def _fit(
    problem: ItemOutcomeLikelihood, model_matrix: Covariates, errors: Spread, level: float
) -> OutcomeRegression:
    """Maximise the likelihood in covariates of mean 0 and spread 1."""
    starts = _starts(problem)
    top = max((maximise(problem, start) for start in starts), key=lambda top: top.total)
    information, names = problem.observed(top.parameters), _names(problem, model_matrix)
    size = np.sqrt(np.diag(problem.complete(starts[0])).clip(np.finfo(float).tiny))
    along = runs_away([*names, "outcome: σ"], information, size)
    if problem.law.normal and np.exp(top.parameters[-1]) < _EXACT * problem.law.outcome.std():
        along = ["outcome: 1/σ"]
    if along:
        raise NotIdentified(
            "item_count_outcome",
            got=f"a likelihood that rises without end along {', '.join(along)}",
            allowed="people with and without the sensitive item, at every value of the covariates, "
            "and outcomes that vary among them",
            remedy="leave a covariate out; item_count gives the share's interval",
        )
    spread = covariance_by(problem, top.parameters, inverse(information), errors)
    free = int(not problem.constrained)
    blocks = [
        model_matrix.back(),
        model_matrix.back(after=free),
        model_matrix.back(before=1, after=free),
    ]
    cause = "the sensitive item of a list"
    regression = outcome_first(problem.law, cause, names, blocks, top, spread, level)
    people = people_counted(problem.weights, regression.df)
    answers = problem.answers
    fit = fit_of_answers(
        answers.arm, answers.count, people, [f"“{answers.sensitive[0]}”"], answers.items
    )
    return replace(
        regression,
        n=round(float(people.sum())),
        spreads=covariate_spreads(model_matrix.terms, model_matrix.matrix, model_matrix.weights),
        goodness_of_fit=fit,
    )


def _names(problem: ItemOutcomeLikelihood, model_matrix: Covariates) -> list[str]:
    """What each coefficient multiplies, in the order of the likelihood."""
    (item,), free = problem.answers.sensitive, not problem.constrained
    single = ("intercept", *model_matrix.terms)
    control = (*single, *([item] if free else []))
    outcome = ("intercept", item, *model_matrix.terms, *(["control items"] if free else []))
    blocks = {item: single, "control": control, "outcome": outcome}
    return [f"{block}: {term}" for block, those in blocks.items() for term in those]


def _starts(problem: ItemOutcomeLikelihood) -> list[Floats]:
    """Where maximisations begin: what the counts say alone, and the outcome given that, z moved."""
    X = problem.model_matrix
    model = ItemCountModel(
        items=problem.answers.items,
        sensitive=problem.answers.sensitive,
        terms=tuple(f"x{number}" for number in range(1, X.shape[1])),
        constrained=True,
        overdispersed=False,
        misreport="none",
    )
    alone = ItemCountLikelihood(
        model=model, answers=problem.answers, model_matrix=X, weights=problem.weights
    )
    parameters = maximise_item_counts(alone)[1].parameters.clip(-_FARTHEST, _FARTHEST)
    parameters = np.append(parameters, np.zeros(int(not problem.constrained)))
    told_nothing = replace(problem, law=OutcomeLaw(outcome=np.zeros(len(X)), normal=False))
    silent = np.zeros(told_nothing.parts[2].stop - len(parameters))
    holds = told_nothing.posterior(np.append(parameters, silent))[:, 1]
    others = problem.answers.count - holds * (problem.answers.arm > 0)
    first = problem.law.start(problem.outcome_matrix(holds, others), problem.weights)
    step = np.zeros_like(first)
    step[:2] = -float(np.average(holds, weights=problem.weights)), 1.0
    step *= np.exp(first[-1]) if problem.law.normal else 1.0
    return [np.append(parameters, first + effect * step) for effect in _EFFECTS]
