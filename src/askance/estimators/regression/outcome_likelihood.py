"""The likelihood of an outcome that depends on a true answer of which only a report is known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.special import expit, logsumexp

from askance.estimators.regression.response_likelihood import ResponseLikelihood
from askance.typing import Floats

_STEEPEST = 300.0
"""The logarithm of 1/σ is not taken beyond this: it would overflow."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeLikelihood:
    r"""Σ_i w_i log Σ_x p_x(x_i; θ) Q(y_i | x) f(o_i | x, x_i; φ).

    Attributes
    ----------
    answers : ResponseLikelihood
        What the answers depend on.
    outcome : array, shape (n,)
    normal : bool
        Whether f is normal, with log σ as its last parameter, or the chance of a 1 a logit.
    """

    answers: ResponseLikelihood
    outcome: Floats
    normal: bool

    @property
    def weights(self) -> Floats:
        """How often each row counts."""
        return self.answers.weights

    @property
    def _split(self) -> int:
        return len(self.answers.model.names)

    def total(self, at: Floats) -> float:
        """Give the log-likelihood."""
        return float(self.weights @ logsumexp(self._logs(at), axis=1))

    def slope(self, at: Floats) -> Floats:
        """Give the gradient."""
        return self.weights @ self.scores(at)

    def scores(self, at: Floats) -> Floats:
        """Give each row's gradient, not weighted, shape (n, parameters)."""
        held = self.posterior(at)
        return sum(
            (held[:, [x]] * self._score(at, x) for x in range(held.shape[1])),
            start=np.zeros((len(held), len(at))),
        )

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """Give the observed information, and that of the complete data."""
        yield lambda: self.observed(at)
        yield lambda: self.complete(at)

    def observed(self, at: Floats) -> Floats:
        """Give minus the second derivatives (Louis, 1982)."""
        held, w, cut = self.posterior(at), self.weights, self._split
        whole = self.scores(at)
        information: Floats = (whole * w[:, None]).T @ whole
        for x in range(held.shape[1]):
            weight = w * held[:, x]
            score = self._score(at, x)
            information -= (score * weight[:, None]).T @ score
            information[:cut, :cut] += self._answer_bend(at, x, weight)
            information[cut:, cut:] += self._outcome_bend(at, x, weight)
        return (information + information.T) / 2

    def complete(self, at: Floats) -> Floats:
        """Give the information that true answers would have held, as EM's step does."""
        held, w, cut = self.posterior(at), self.weights, self._split
        information = np.zeros((len(at), len(at)))
        information[:cut, :cut] = self.answers.complete(at[:cut])
        for x in range(held.shape[1]):
            bend = self._outcome_bend(at, x, w * held[:, x])
            if self.normal:
                bend[-1, :] = bend[:, -1] = 0
                bend[-1, -1] = 2 * float(w @ held[:, x])
            information[cut:, cut:] += bend
        return information

    def posterior(self, at: Floats) -> Floats:
        """Give the chance of each answer given the report, the outcome and the covariates."""
        logs = self._logs(at)
        chances: Floats = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        return chances

    def design(self, x: int) -> Floats:
        """Give what multiplies the outcome's coefficients, if everyone's answer were this one."""
        rows, dummies = len(self.outcome), len(self.answers.model.answers) - 1
        told = np.zeros((rows, dummies))
        if x < dummies:
            told[:, x] = 1
        return np.column_stack([self.answers.design[:, :1], told, self.answers.design[:, 1:]])

    def _logs(self, at: Floats) -> Floats:
        seen, model = self.answers.received, self.answers.model
        shares = model.shares(self.answers.design @ model.weights(at[: self._split]))
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(shares) + np.log(seen.chances[seen.at])
        for x in range(logs.shape[1]):
            logs[:, x] += self._density(at, x)
        return logs

    def _density(self, at: Floats, x: int) -> Floats:
        if self.normal:
            rest = self._rest(at, x)
            return np.asarray(-rest * rest / 2 - at[-1] - np.log(2 * np.pi) / 2)
        eta = self.design(x) @ at[self._split :]
        return np.asarray(self.outcome * eta - np.logaddexp(0, eta))

    def _rest(self, at: Floats, x: int) -> Floats:
        """Give the standardised residual of a normal outcome."""
        rest: Floats = (self.outcome - self.design(x) @ at[self._split : -1]) * np.exp(
            min(-at[-1], _STEEPEST)
        )
        return rest

    def _score(self, at: Floats, x: int) -> Floats:
        model, design = self.answers.model, self.answers.design
        share, slope, _ = model.pull(design @ model.weights(at[: self._split]), self._unit(x))
        each = (slope / share[:, None])[:, :, None] * design[:, None, :]
        answer = each.reshape(len(each), -1) @ model.restriction
        if self.normal:
            rest = self._rest(at, x)
            told = self.design(x) * (rest * np.exp(-at[-1]))[:, None]
            return np.column_stack([answer, told, rest * rest - 1])
        gap = self.outcome - expit(self.design(x) @ at[self._split :])
        return np.column_stack([answer, self.design(x) * gap[:, None]])

    def _answer_bend(self, at: Floats, x: int, weight: Floats) -> Floats:
        """Give minus the second derivatives of Σ weight log p_x: those of plain answers x."""
        seen = self.answers.received
        k = len(self.answers.model.answers)
        plain = replace(seen, chances=np.vstack([np.eye(k), np.ones(k)]), at=np.full(len(seen), x))
        known = replace(self.answers, received=plain, weights=weight)
        return known.observed(at[: self._split])

    def _outcome_bend(self, at: Floats, x: int, weight: Floats) -> Floats:
        design = self.design(x)
        if not self.normal:
            chance = expit(design @ at[self._split :])
            bend: Floats = (design * (weight * chance * (1 - chance))[:, None]).T @ design
            return bend
        rest, precision = self._rest(at, x), np.exp(-at[-1])
        held = np.empty((design.shape[1] + 1, design.shape[1] + 1))
        held[:-1, :-1] = (design * (weight * precision**2)[:, None]).T @ design
        held[:-1, -1] = held[-1, :-1] = 2 * precision * (weight * rest) @ design
        held[-1, -1] = 2 * weight @ rest**2
        return held

    def _unit(self, x: int) -> Floats:
        k = len(self.answers.model.answers)
        return np.broadcast_to(np.eye(k)[x], (len(self.outcome), k))
