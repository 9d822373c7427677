"""How true answers depend on covariates, and the likelihood of reports that follows from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol, final

import numpy as np

from askance.errors import InputError, refuse_unknown
from askance.inference.climb import LastEvaluation
from askance.inference.regression.covariates import Received
from askance.inference.regression.error_laws import (
    Chances,
    GumbelNoise,
    LogisticNoise,
    NormalNoise,
)
from askance.results import keep_read_only
from askance.typing import Floats


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

    >>> [one.tolist() for one in answer_link("logit").chances(np.zeros(1))]
    [[0.5], [0.25], [0.0]]
    """
    refuse_unknown("link", name, LINKS)
    return LINKS[name]


Pulled = tuple[Floats, Floats, Callable[[], Floats]]
"""A chance, shape (n,), its slopes by the predictors, (n, r), and what gives its bend, (n, r, r).

Most steps of a climb ask for no bend, and it takes longer than the rest.
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
    told : str
        The model in words.
    """

    answers: tuple[str, ...]
    link: AnswerLink | None
    restriction: Floats
    names: tuple[str, ...]
    told: str

    def __post_init__(self) -> None:
        keep_read_only(self, "restriction")

    @property
    def predictors(self) -> int:
        """How many linear predictors there are."""
        return len(self.answers) - 1

    @property
    def slopes(self) -> tuple[bool, ...]:
        """Which parameters multiply a covariate."""
        blocks = self.restriction.reshape(self.predictors, -1, len(self.names))
        return tuple(bool(one) for one in (blocks[:, 1:] != 0).any(axis=(0, 1)))

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
        whole = _rows(np.add, share) + last
        share /= whole
        chance = (
            np.einsum("nr,nr->n", share, chances[:, :-1]) + (last / whole)[:, 0] * chances[:, -1]
        )
        given = chances[:, :-1] - chance[:, None]
        slope = share * given

        def bend() -> Floats:
            pairs = given[:, :, None] + given[:, None, :]
            held: Floats = -share[:, :, None] * share[:, None, :] * pairs
            at = np.arange(eta.shape[1])
            held[:, at, at] += slope
            return held

        return chance, slope, bend

    def _cumulative(self, eta: Floats, chances: Floats) -> Pulled:
        assert self.link is not None
        upto, slope, bend = self.link.chances(eta)
        gain = chances[:, :-1] - chances[:, 1:]
        chance = chances[:, -1] + np.einsum("nr,nr->n", gain, upto)
        if eta.shape[1] > 1:
            chance = np.where((np.diff(eta, axis=1) > 0).all(axis=1), chance, 0.0)

        def curve() -> Floats:
            held = np.zeros((*eta.shape, eta.shape[1]))
            at = np.arange(eta.shape[1])
            held[:, at, at] = gain * bend
            return held

        return chance, gain * slope, curve

    def shares(self, eta: Floats) -> Floats:
        """The share of each answer at each predictor, shape (n, k)."""
        k = len(self.answers)
        held = [self.pull(eta, np.broadcast_to(np.eye(k)[at], (len(eta), k)))[0] for at in range(k)]
        return np.stack(held, axis=1)

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
        ...

    @property
    def link(self) -> AnswerLink | None:
        """A distribution function, or None for log-odds of several answers."""
        ...

    @property
    def restriction(self) -> Floats:
        """What turns parameters into what predictors take of each covariate."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """What each parameter multiplies."""
        ...

    @property
    def told(self) -> str:
        """The model in words."""
        ...

    @property
    def predictors(self) -> int:
        """How many linear predictors there are."""
        ...

    @property
    def slopes(self) -> tuple[bool, ...]:
        """Which parameters multiply a covariate."""
        ...

    def weights(self, parameters: Floats) -> Floats:
        """What each predictor takes of each covariate, shape (c + 1, r)."""
        ...

    def pull(self, eta: Floats, chances: Floats) -> Pulled:
        """The mean of chances over shares, and its derivatives by the predictors."""
        ...

    def shares(self, eta: Floats) -> Floats:
        """Each share at each predictor, shape (n, k)."""
        ...

    def start(self, shares: Floats | None = None) -> Floats:
        """Parameters under which all have these shares."""
        ...


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
            told=f"{link} of the share of {answers[0]}",
        )
    if ordered:
        cuts = tuple(f"{low} | {high}" for low, high in pairwise(answers))
        return AnswerModel(
            answers=answers,
            link=chosen,
            restriction=_parallel(k - 1, c),
            names=(*cuts, *terms),
            told=f"ordered {link}: a larger value makes for later answers",
        )
    if link != "logit":
        raise InputError(
            "link",
            got=link,
            allowed="logit, for more than two answers without an order",
            remedy="say ordered=True if the answers have one",
        )
    names = tuple(f"{answer}: {one}" for answer in answers[:-1] for one in ("intercept", *terms))
    return AnswerModel(
        answers=answers,
        link=None,
        restriction=np.eye(len(names)),
        names=names,
        told=f"log-odds of each answer against {answers[-1]}",
    )


def _rows(of: np.ufunc, table: Floats) -> Floats:
    """The sum or the largest of each row, shape (n, 1): sooner column by column, which are few."""
    held: Floats = reduce(of, table.T)[:, None]
    return held


def _parallel(r: int, c: int) -> Floats:
    """Each predictor its own intercept and all of them the same slopes, with a minus."""
    full = np.zeros((r, c + 1, r + c))
    for at in range(r):
        full[at, 0, at] = 1
        full[at, 1:, r:] = -np.eye(c)
    return full.reshape(r * (c + 1), r + c)


_TINY = np.finfo(float).tiny
_ROWS = 1 << 13
"""How many rows are worked on at a time: few enough for the processor's cache."""

_KEPT = 1 << 20
"""How many predictors' chances are kept between two looks at one place: some 50 MB of them."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResponseLikelihood:
    r"""Σ_i w_i log Σ_x p_x(η_i) Q(y_i | x), with η_i = (1, X_i) B and vec B = Rθ.

    Attributes
    ----------
    model : ShareModel
    received : Received
    design : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    last : LastEvaluation, optional
        Where a climb looks: of these reports and this design. Nothing is kept if left out.
    """

    model: ShareModel
    received: Received
    design: Floats
    weights: Floats
    last: LastEvaluation | None = field(default=None, repr=False)

    def weighed(self, weights: Floats) -> "ResponseLikelihood":
        """The same with other weights."""
        return replace(self, weights=weights)

    def total(self, at: Floats) -> float:
        """The log-likelihood; -∞ where a report is impossible."""
        held = 0.0
        for part, (chance, _, _) in self._pulled(at):
            if not (chance[self.weights[part] > 0] > 0).all():
                return -np.inf
            held += float(self.weights[part] @ np.log(np.maximum(chance, np.finfo(float).tiny)))
        return held

    def slope(self, at: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        held = np.zeros((self.model.predictors, self.design.shape[1]))
        for part, (chance, slope, _) in self._pulled(at):
            held += (slope * (self.weights[part] / chance)[:, None]).T @ self.design[part]
        return held.ravel() @ self.model.restriction

    def scores(self, at: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        held = np.empty((len(self.design), len(self.model.names)))
        for part, (chance, slope, _) in self._pulled(at):
            each = (slope / chance[:, None])[:, :, None] * self.design[part][:, None, :]
            held[part] = each.reshape(len(each), -1) @ self.model.restriction
        return held

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed, the expected and the complete data's information."""
        yield lambda: self.observed(at)
        yield lambda: self.expected(at)
        yield lambda: self.complete(at)

    def observed(self, at: Floats) -> Floats:
        """The negative second derivatives."""
        held = self._nothing()
        for part, (chance, slope, bend) in self._pulled(at):
            score = slope / chance[:, None]
            curve = score[:, :, None] * score[:, None, :] - bend() / chance[:, None, None]
            held += self._spread(part, curve * self.weights[part][:, None, None])
        return self._restricted(held)

    def expected(self, at: Floats) -> Floats:
        """Fisher's information, given the covariates and which reports were blank."""
        weights = self.weights * self.received.sent
        held = self._nothing()
        for part, eta in self.predicted(at):
            group = self.received.group[part]
            curve = np.zeros((*eta.shape, eta.shape[1]))
            for one in np.unique(group):
                rows = group == one
                curve[rows] = self._told(eta[rows], self.received.matrices[one])
            held += self._spread(part, curve * weights[part][:, None, None])
        return self._restricted(held)

    def complete(self, at: Floats) -> Floats:
        """The information that the true answers would have held."""
        plain = np.eye(len(self.model.answers))
        held = self._nothing()
        for part, eta in self.predicted(at):
            held += self._spread(part, self._told(eta, plain) * self.weights[part][:, None, None])
        return self._restricted(held)

    def drawn(self, at: Floats, times: Floats) -> Floats:
        r"""What the channel's draws alone add to the covariance of Σ_i times_i^½ s_i.

        The variance of each row's slope s over the reports that its answer can send, averaged over
        the answers by their chance given the report received.
        """
        times = times * self.received.sent
        held = self._nothing()
        for part, eta in self.predicted(at):
            group = self.received.group[part]
            shares, seen = self.model.shares(eta), self._seen(part)
            curve = np.zeros((*eta.shape, eta.shape[1]))
            for one in np.unique(group):
                rows = group == one
                likely = shares[rows] * seen[rows]
                likely /= likely.sum(axis=1, keepdims=True)
                curve[rows] = self._redrawn(eta[rows], likely, self.received.matrices[one])
            held += self._spread(part, curve * times[part][:, None, None])
        return self._restricted(held)

    def _redrawn(self, eta: Floats, likely: Floats, matrix: Floats) -> Floats:
        """The variance of the slopes over reports drawn again, shape (n, r, r)."""
        shape = (len(eta), len(likely.T))
        pulled = [self.model.pull(eta, np.broadcast_to(one, shape)) for one in matrix.T]
        slopes = np.stack(
            [slope / np.maximum(chance, _TINY)[:, None] for chance, slope, _ in pulled], axis=1
        )
        means = np.einsum("km,nmr->nkr", matrix, slopes)
        whole = np.einsum("nm,nmr,nms->nrs", likely @ matrix, slopes, slopes)
        return np.asarray(whole - np.einsum("nk,nkr,nks->nrs", likely, means, means))

    def predicted(self, at: Floats) -> Iterator[tuple[slice, Floats]]:
        """The linear predictors, some rows at a time."""
        weights = self.model.weights(at)
        for first in range(0, len(self.design), _ROWS):
            part = slice(first, first + _ROWS)
            yield part, self.design[part] @ weights

    def _pulled(self, at: Floats) -> Iterable[tuple[slice, Pulled]]:
        """What the reports' chances are, and how they move, some rows at a time."""
        if self.last is None or len(self.design) * self.model.predictors > _KEPT:
            return self._each_pulled(at)
        return self.last.once("pulled", at, lambda at: tuple(self._each_pulled(at)))

    def _each_pulled(self, at: Floats) -> Iterator[tuple[slice, Pulled]]:
        for part, eta in self.predicted(at):
            yield part, self.model.pull(eta, self._seen(part))

    def _seen(self, part: slice) -> Floats:
        return self.received.chances.take(self.received.at[part], axis=0)

    def _told(self, eta: Floats, matrix: Floats) -> Floats:
        """The information on the predictors that one report holds, shape (n, r, r)."""
        curve = np.zeros((*eta.shape, eta.shape[1]))
        for column in matrix.T:
            chance, slope, _ = self.model.pull(
                eta, np.broadcast_to(column, (len(eta), len(column)))
            )
            root = slope / np.sqrt(np.maximum(chance, np.finfo(float).tiny))[:, None]
            curve += root[:, :, None] * root[:, None, :]
        return curve

    def _nothing(self) -> Floats:
        size = self.model.predictors * self.design.shape[1]
        return np.zeros((size, size))

    def _spread(self, part: slice, curve: Floats) -> Floats:
        """Σ_i curve_i ⊗ X_i X_iᵀ."""
        X, r = self.design[part], self.model.predictors
        held = np.empty((r, X.shape[1], r, X.shape[1]))
        for one in range(r):
            for two in range(one + 1):
                block = X.T @ (X * curve[:, one, two, None])
                held[one, :, two, :], held[two, :, one, :] = block, block.T
        return held.reshape(r * X.shape[1], -1)

    def _restricted(self, full: Floats) -> Floats:
        R = self.model.restriction
        information: Floats = R.T @ full @ R
        return (information + information.T) / 2
