"""The likelihood of reports, one by one, as a function of what the true answers depend on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.regression.answer_model import AnswerModel
from askance.estimators.regression.received import Received
from askance.typing import Floats

_ROWS = 1 << 13
"""How many rows are worked on at a time: few enough for the processor's cache."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResponseLikelihood:
    r"""Σ_i w_i log Σ_x p_x(η_i) Q(y_i | x), with η_i = (1, X_i) B and vec B = Rθ.

    Attributes
    ----------
    model : AnswerModel
    received : Received
    design : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    """

    model: AnswerModel
    received: Received
    design: Floats
    weights: Floats

    def total(self, at: Floats) -> float:
        """Give the log-likelihood; -∞ where a report is impossible."""
        held = 0.0
        for part, eta in self.predicted(at):
            chance = self.model.pull(eta, self._seen(part))[0]
            if not (chance[self.weights[part] > 0] > 0).all():
                return -np.inf
            held += float(self.weights[part] @ np.log(np.maximum(chance, np.finfo(float).tiny)))
        return held

    def slope(self, at: Floats) -> Floats:
        """Give the gradient, shape (parameters,)."""
        held = np.zeros((self.model.predictors, self.design.shape[1]))
        for part, eta in self.predicted(at):
            chance, slope, _ = self.model.pull(eta, self._seen(part))
            held += (slope * (self.weights[part] / chance)[:, None]).T @ self.design[part]
        return held.ravel() @ self.model.restriction

    def scores(self, at: Floats) -> Floats:
        """Give each row's gradient, not weighted, shape (n, parameters)."""
        held = np.empty((len(self.design), len(self.model.names)))
        for part, eta in self.predicted(at):
            chance, slope, _ = self.model.pull(eta, self._seen(part))
            each = (slope / chance[:, None])[:, :, None] * self.design[part][:, None, :]
            held[part] = each.reshape(len(each), -1) @ self.model.restriction
        return held

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """Give the observed, the expected and the complete data's information."""
        yield lambda: self.observed(at)
        yield lambda: self.expected(at)
        yield lambda: self.complete(at)

    def observed(self, at: Floats) -> Floats:
        """Give minus the second derivatives."""
        held = self._nothing()
        for part, eta in self.predicted(at):
            chance, slope, bend = self.model.pull(eta, self._seen(part))
            score = slope / chance[:, None]
            curve = score[:, :, None] * score[:, None, :] - bend / chance[:, None, None]
            held += self._spread(part, curve * self.weights[part][:, None, None])
        return self._restricted(held)

    def expected(self, at: Floats) -> Floats:
        """Give Fisher's information, given the covariates and which reports were blank."""
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
        """Give the information that the true answers would have held."""
        plain = np.eye(len(self.model.answers))
        held = self._nothing()
        for part, eta in self.predicted(at):
            held += self._spread(part, self._told(eta, plain) * self.weights[part][:, None, None])
        return self._restricted(held)

    def predicted(self, at: Floats) -> Iterator[tuple[slice, Floats]]:
        """Give the linear predictors, some rows at a time."""
        weights = self.model.weights(at)
        for first in range(0, len(self.design), _ROWS):
            part = slice(first, first + _ROWS)
            yield part, self.design[part] @ weights

    def _seen(self, part: slice) -> Floats:
        return self.received.chances.take(self.received.at[part], axis=0)

    def _told(self, eta: Floats, matrix: Floats) -> Floats:
        """Give the information on the predictors that one report holds, shape (n, r, r)."""
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
        """Give Σ_i curve_i ⊗ X_i X_iᵀ."""
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
