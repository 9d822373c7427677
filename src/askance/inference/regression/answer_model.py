"""How true answers depend on covariates, and the likelihood of reports that follows from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol, final

import numpy as np

from askance.inference.maximisation import LastEvaluation
from askance.inference.regression.covariates import Received
from askance.inference.regression.error_laws import (
    Chances,
    GumbelNoise,
    LogisticNoise,
    NormalNoise,
)
from askance.results import keep_doubles
from askance.typing import Floats
from askance_collect.errors import InputError, refuse_unknown


@final
@dataclass(frozen=True, slots=True)
class AnswerLink:
    """A distribution function of the predictor.

    Attributes
    ----------
    name : str
    chances : callable
        Gives F, F′ and F″ at each predictor.
    inverse : callable
        Gives the predictor at which F takes a value.
    """

    name: str
    chances: Callable[[Floats], Chances]
    inverse: Callable[[Floats], Floats]


_NORMAL, _LOGISTIC, _GUMBEL = NormalNoise(), LogisticNoise(), GumbelNoise()

LINKS: Mapping[str, AnswerLink] = MappingProxyType(
    {
        link.name: link
        for link in (
            AnswerLink("logit", _LOGISTIC.chances, _LOGISTIC.quantile),
            AnswerLink("probit", _NORMAL.chances, _NORMAL.quantile),
            AnswerLink("loglog", _GUMBEL.mirrored, lambda share: -np.log(-np.log(share))),
            AnswerLink("cloglog", _GUMBEL.chances, _GUMBEL.quantile),
        )
    }
)
"""Logistic, normal, and the two extreme-value laws."""


def answer_link(name: str) -> AnswerLink:
    """Find a link by its name.

    Raises
    ------
    InputError
        If there is no such link.

    >>> [value.tolist() for value in answer_link("logit").chances(np.zeros(1))]
    [[0.5], [0.25], [0.0]]
    """
    refuse_unknown("link", name, LINKS)
    return LINKS[name]


Pulled = tuple[Floats, Floats, Callable[[], Floats]]
"""A chance, shape (n,), its slopes by the predictors, (n, r), and what gives its bend, (n, r, r).

Most steps of a maximisation ask for no bend, and it takes longer than the rest.
"""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerModel:
    r"""Shares of k answers as a function of r linear predictors.

    The predictors are η = (1, X) B with vec B = Rθ: a restriction R makes one answer model of
    another. Several predictors through a distribution function F are cumulative, P(answer ≤ j) =
    F(η_j); otherwise they are the log-odds of each answer against the last.

    Attributes
    ----------
    answers : tuple of str
    link : AnswerLink or None
        None for log-odds of several answers.
    restriction : array, shape (r (c + 1), parameters)
        R, for c covariates; each predictor's intercept comes first.
    names : tuple of str
        What each parameter multiplies.
    description : str
        The model in words.
    questions : int
        How many protected answers the shares are of together.
    """

    answers: tuple[str, ...]
    link: AnswerLink | None
    restriction: Floats
    names: tuple[str, ...]
    description: str
    questions: int = 1

    def __post_init__(self) -> None:
        keep_doubles(self)

    @property
    def predictors(self) -> int:
        """How many linear predictors there are."""
        return len(self.answers) - 1

    @property
    def slopes(self) -> tuple[bool, ...]:
        """Which parameters multiply a covariate."""
        blocks = self.restriction.reshape(self.predictors, -1, len(self.names))
        return tuple(bool(is_slope) for is_slope in (blocks[:, 1:] != 0).any(axis=(0, 1)))

    def weights(self, parameters: Floats) -> Floats:
        """B, shape (c + 1, r): what each predictor takes of each covariate."""
        return (self.restriction @ parameters).reshape(self.predictors, -1).T

    def pull(self, eta: Floats, chances: Floats) -> Pulled:
        r"""Σ_x p_x(η) q_x and its derivatives.

        Parameters
        ----------
        eta : array, shape (n, r)
        chances : array, shape (n, k)
            q, the chance of what was reported given each answer; a unit vector gives a share.
        """
        return self._odds(eta, chances) if self.link is None else self._cumulative(eta, chances)

    def _odds(self, eta: Floats, chances: Floats) -> Pulled:
        top = np.maximum(_rows(np.maximum, eta), 0.0)
        share, last = np.exp(eta - top), np.exp(-top)
        denominator = _rows(np.add, share) + last
        share /= denominator
        chance = (
            np.einsum("nr,nr->n", share, chances[:, :-1])
            + (last / denominator)[:, 0] * chances[:, -1]
        )
        gain = chances[:, :-1] - chance[:, None]
        slope = share * gain

        def bend() -> Floats:
            pairs = gain[:, :, None] + gain[:, None, :]
            curve: Floats = -share[:, :, None] * share[:, None, :] * pairs
            diagonal = np.arange(eta.shape[1])
            curve[:, diagonal, diagonal] += slope
            return curve

        return chance, slope, bend

    def _cumulative(self, eta: Floats, chances: Floats) -> Pulled:
        assert self.link is not None
        upto, slope, bend = self.link.chances(eta)
        gain = chances[:, :-1] - chances[:, 1:]
        chance = chances[:, -1] + np.einsum("nr,nr->n", gain, upto)
        if eta.shape[1] > 1:
            chance = np.where((np.diff(eta, axis=1) > 0).all(axis=1), chance, 0.0)

        def curve() -> Floats:
            bends = np.zeros((*eta.shape, eta.shape[1]))
            diagonal = np.arange(eta.shape[1])
            bends[:, diagonal, diagonal] = gain * bend
            return bends

        return chance, gain * slope, curve

    def shares(self, eta: Floats) -> Floats:
        """The share of each answer at each predictor, shape (n, k)."""
        k = len(self.answers)
        columns = [
            self.pull(eta, np.broadcast_to(np.eye(k)[answer], (len(eta), k)))[0]
            for answer in range(k)
        ]
        return np.stack(columns, axis=1)

    def start(self, shares: Floats | None = None) -> Floats:
        """Parameters under which the answers have these shares, whatever the covariates.

        All are equally common if left out.
        """
        k = len(self.answers)
        share = np.full(k, 1 / k) if shares is None else shares
        if self.link is None:
            inverse = np.log(share[:-1] / share[-1])
        else:
            inverse = self.link.inverse(np.cumsum(share)[:-1])
        width = len(self.restriction) // (k - 1)
        wanted = np.zeros((k - 1, width))
        wanted[:, 0] = inverse
        return np.linalg.pinv(self.restriction) @ wanted.ravel()


class ShareModel(Protocol):
    """How shares depend on linear predictors, as far as a likelihood and averages ask for it."""

    @property
    def answers(self) -> tuple[str, ...]:
        """What the shares are of."""

    @property
    def link(self) -> AnswerLink | None:
        """A distribution function, or None for log-odds of several answers."""

    @property
    def restriction(self) -> Floats:
        """What turns parameters into what predictors take of each covariate."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each parameter multiplies."""

    @property
    def description(self) -> str:
        """The model in words."""

    @property
    def questions(self) -> int:
        """How many protected answers the shares are of together."""

    @property
    def predictors(self) -> int:
        """How many linear predictors there are."""

    @property
    def slopes(self) -> tuple[bool, ...]:
        """Which parameters multiply a covariate."""

    def weights(self, parameters: Floats) -> Floats:
        """What each predictor takes of each covariate, shape (c + 1, r)."""

    def pull(self, eta: Floats, chances: Floats) -> Pulled:
        """The mean of chances over shares, and its derivatives by the predictors."""

    def shares(self, eta: Floats) -> Floats:
        """Each share at each predictor, shape (n, k)."""

    def start(self, shares: Floats | None = None) -> Floats:
        """Parameters under which all have these shares."""


def answer_model(
    answers: tuple[str, ...], terms: tuple[str, ...], link: str = "logit", *, ordered: bool = False
) -> AnswerModel:
    """Make the model of answers given covariates.

    Two answers: the chance of the first one is F(β₀ + xβ). More: log-odds of each answer against
    the last, or, where the answers have an order, P(answer ≤ j) = F(ζ_j − xβ) (McCullagh, 1980).

    Raises
    ------
    InputError
        If the link is unknown, or is no logit where several answers have no order.

    >>> answer_model(("a", "b", "c"), ("age",), ordered=True).names
    ('a | b', 'b | c', 'age')
    >>> answer_model(("a", "b", "c"), ("age",)).names
    ('a: intercept', 'a: age', 'b: intercept', 'b: age')
    """
    k, c = len(answers), len(terms)
    chosen = answer_link(link)
    if k == 2 and not ordered:
        return AnswerModel(
            answers=answers,
            link=chosen,
            restriction=np.eye(c + 1),
            names=("intercept", *terms),
            description=f"{link} of the share of {answers[0]}",
        )
    if ordered:
        cuts = tuple(f"{low} | {high}" for low, high in pairwise(answers))
        return AnswerModel(
            answers=answers,
            link=chosen,
            restriction=_parallel(k - 1, c),
            names=(*cuts, *terms),
            description=f"ordered {link}: a larger value makes for later answers",
        )
    if link != "logit":
        raise InputError(
            "link",
            got=link,
            allowed="logit, for more than two answers without an order",
            remedy="say ordered=True if the answers have one",
        )
    names = tuple(f"{answer}: {term}" for answer in answers[:-1] for term in ("intercept", *terms))
    return AnswerModel(
        answers=answers,
        link=None,
        restriction=np.eye(len(names)),
        names=names,
        description=f"log-odds of each answer against {answers[-1]}",
    )


def _rows(of: np.ufunc, table: Floats) -> Floats:
    """The sum or the largest of each row, shape (n, 1): sooner column by column, which are few."""
    reduced: Floats = reduce(of, table.T)[:, None]
    return reduced


def _parallel(r: int, c: int) -> Floats:
    """Each predictor its own intercept and all of them the same slopes, with a minus."""
    full = np.zeros((r, c + 1, r + c))
    for predictor in range(r):
        full[predictor, 0, predictor] = 1
        full[predictor, 1:, r:] = -np.eye(c)
    return full.reshape(r * (c + 1), r + c)


_TINY = np.finfo(float).tiny
_ROWS = 1 << 13
"""How many rows are worked on at a time: few enough for the processor's cache."""

_MAX_CACHED = 1 << 20
"""How many predictors' chances are kept between two looks at one place: some 50 MB of them."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResponseLikelihood:
    r"""Σ_i w_i log Σ_x p_x(η_i) Q(y_i | x), with η_i = (1, X_i) B and vec B = Rθ.

    Attributes
    ----------
    model : ShareModel
    received : Received
    model_matrix : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    last : LastEvaluation, optional
        Where a maximisation looks: of these reports and this model matrix. If left out, nothing is
        kept.
    """

    model: ShareModel
    received: Received
    model_matrix: Floats
    weights: Floats
    last: LastEvaluation | None = field(default=None, repr=False)

    def weighed(self, weights: Floats) -> "ResponseLikelihood":
        """The same with other weights."""
        return replace(self, weights=weights)

    def total(self, parameters: Floats) -> float:
        """The log-likelihood; -∞ where a report is impossible."""
        total = 0.0
        for part, (chance, _, _) in self._evaluate_rows(parameters):
            if not (chance[self.weights[part] > 0] > 0).all():
                return -np.inf
            total += float(self.weights[part] @ np.log(np.maximum(chance, np.finfo(float).tiny)))
        return total

    def slope(self, parameters: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        gradient = np.zeros((self.model.predictors, self.model_matrix.shape[1]))
        for part, (chance, slope, _) in self._evaluate_rows(parameters):
            gradient += (slope * (self.weights[part] / chance)[:, None]).T @ self.model_matrix[part]
        return gradient.ravel() @ self.model.restriction

    def scores(self, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        scores = np.empty((len(self.model_matrix), len(self.model.names)))
        for part, (chance, slope, _) in self._evaluate_rows(parameters):
            row_scores = (slope / chance[:, None])[:, :, None] * self.model_matrix[part][:, None, :]
            scores[part] = row_scores.reshape(len(row_scores), -1) @ self.model.restriction
        return scores

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed, the expected and the complete data's information."""
        yield lambda: self.observed(parameters)
        yield lambda: self.expected(parameters)
        yield lambda: self.complete(parameters)

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives."""
        information = self._zero_information()
        for part, (chance, slope, bend) in self._evaluate_rows(parameters):
            score = slope / chance[:, None]
            curve = score[:, :, None] * score[:, None, :] - bend() / chance[:, None, None]
            information += self._sum_over_rows(part, curve * self.weights[part][:, None, None])
        return self._restrict(information)

    def expected(self, parameters: Floats) -> Floats:
        """Fisher's information, given the covariates and which reports were blank."""
        weights = self.weights * self.received.is_answered
        information = self._zero_information()
        for part, eta in self.predicted(parameters):
            group = self.received.group[part]
            curve = np.zeros((*eta.shape, eta.shape[1]))
            for channel in np.unique(group):
                rows = group == channel
                curve[rows] = self._report_information(eta[rows], self.received.matrices[channel])
            information += self._sum_over_rows(part, curve * weights[part][:, None, None])
        return self._restrict(information)

    def complete(self, parameters: Floats) -> Floats:
        """The complete-data information: what it would be if the true answers were known."""
        plain = np.eye(len(self.model.answers))
        information = self._zero_information()
        for part, eta in self.predicted(parameters):
            information += self._sum_over_rows(
                part, self._report_information(eta, plain) * self.weights[part][:, None, None]
            )
        return self._restrict(information)

    def channel_covariance(self, parameters: Floats, times: Floats) -> Floats:
        r"""What the channel's draws alone add to the covariance of Σ_i times_i^½ s_i.

        The variance of each row's slope s over the reports that its answer can send, averaged over
        the answers by their chance given the report received.
        """
        times = times * self.received.is_answered
        covariance = self._zero_information()
        for part, eta in self.predicted(parameters):
            group = self.received.group[part]
            shares, report_chances = self.model.shares(eta), self._report_chances(part)
            curve = np.zeros((*eta.shape, eta.shape[1]))
            for channel in np.unique(group):
                rows = group == channel
                likely = shares[rows] * report_chances[rows]
                likely /= likely.sum(axis=1, keepdims=True)
                curve[rows] = self._redrawn_variance(
                    eta[rows], likely, self.received.matrices[channel]
                )
            covariance += self._sum_over_rows(part, curve * times[part][:, None, None])
        return self._restrict(covariance)

    def _redrawn_variance(self, eta: Floats, likely: Floats, matrix: Floats) -> Floats:
        """The variance of the slopes over reports drawn again, shape (n, r, r)."""
        shape = (len(eta), len(likely.T))
        pulled = [self.model.pull(eta, np.broadcast_to(column, shape)) for column in matrix.T]
        slopes = np.stack(
            [slope / np.maximum(chance, _TINY)[:, None] for chance, slope, _ in pulled], axis=1
        )
        means = np.einsum("km,nmr->nkr", matrix, slopes)
        second_moment = np.einsum("nm,nmr,nms->nrs", likely @ matrix, slopes, slopes)
        return np.asarray(second_moment - np.einsum("nk,nkr,nks->nrs", likely, means, means))

    def predicted(self, parameters: Floats) -> Iterator[tuple[slice, Floats]]:
        """The linear predictors, some rows at a time."""
        weights = self.model.weights(parameters)
        for first in range(0, len(self.model_matrix), _ROWS):
            part = slice(first, first + _ROWS)
            yield part, self.model_matrix[part] @ weights

    def _evaluate_rows(self, parameters: Floats) -> Iterable[tuple[slice, Pulled]]:
        """What the reports' chances are, and how they move, some rows at a time."""
        if self.last is None or len(self.model_matrix) * self.model.predictors > _MAX_CACHED:
            return self._iterate_rows(parameters)
        return self.last.once(
            "pulled", parameters, lambda parameters: tuple(self._iterate_rows(parameters))
        )

    def _iterate_rows(self, parameters: Floats) -> Iterator[tuple[slice, Pulled]]:
        for part, eta in self.predicted(parameters):
            yield part, self.model.pull(eta, self._report_chances(part))

    def _report_chances(self, part: slice) -> Floats:
        return self.received.chances.take(self.received.index[part], axis=0)

    def _report_information(self, eta: Floats, matrix: Floats) -> Floats:
        """The information on the predictors that one report holds, shape (n, r, r)."""
        curve = np.zeros((*eta.shape, eta.shape[1]))
        for column in matrix.T:
            chance, slope, _ = self.model.pull(
                eta, np.broadcast_to(column, (len(eta), len(column)))
            )
            root = slope / np.sqrt(np.maximum(chance, np.finfo(float).tiny))[:, None]
            curve += root[:, :, None] * root[:, None, :]
        return curve

    def _zero_information(self) -> Floats:
        size = self.model.predictors * self.model_matrix.shape[1]
        return np.zeros((size, size))

    def _sum_over_rows(self, part: slice, curve: Floats) -> Floats:
        """Σ_i curve_i ⊗ X_i X_iᵀ."""
        X, r = self.model_matrix[part], self.model.predictors
        summed = np.empty((r, X.shape[1], r, X.shape[1]))
        for i in range(r):
            for j in range(i + 1):
                block = X.T @ (X * curve[:, i, j, None])
                summed[i, :, j, :], summed[j, :, i, :] = block, block.T
        return summed.reshape(r * X.shape[1], -1)

    def _restrict(self, full: Floats) -> Floats:
        R = self.model.restriction
        information: Floats = R.T @ full @ R
        return (information + information.T) / 2
