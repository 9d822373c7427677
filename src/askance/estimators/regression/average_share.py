"""The share of each answer, averaged over people, and what each coefficient does to it."""

import numpy as np

from askance.estimators.regression.answer_model import AnswerModel
from askance.typing import Floats

_NUDGE = 1e-4
"""How far a covariate is moved to see its effect, as a part of its spread."""

_ROWS = 1 << 13  # so many at once stay in the processor's cache

People = tuple[Floats, Floats]
"""Covariates after a column of ones, shape (n, c + 1), and weights, shape (n,)."""

Move = tuple[People, People, float]
"""People as they might be, and as they might have been, and how far apart that is."""


def average_share(model: AnswerModel, at: Floats, people: People) -> tuple[Floats, Floats]:
    """Give the mean shares, shape (k,), and their derivatives by the coefficients.

    >>> from askance.estimators.regression.answer_model import answer_model
    >>> people = np.ones((1, 1)), np.ones(1)
    >>> average_share(answer_model(("yes", "no"), ()), np.zeros(1), people)
    (array([0.5, 0.5]), array([[ 0.25], [-0.25]]))
    """
    design, weights = people
    k = len(model.answers)
    value, slope = np.zeros(k), np.zeros((k, len(at)))
    for first in range(0, len(design), _ROWS):
        part = slice(first, first + _ROWS)
        eta = design[part] @ model.weights(at)
        for one in range(k):
            share, pulled, _ = model.pull(eta, np.broadcast_to(np.eye(k)[one], (len(eta), k)))
            value[one] += weights[part] @ share
            by_term = (pulled * weights[part, None]).T @ design[part]
            slope[one] += by_term.ravel() @ model.restriction
    return value / weights.sum(), slope / weights.sum()


def moved(model: AnswerModel, at: Floats, move: Move) -> tuple[Floats, Floats]:
    """Give by how much the mean shares differ, and the derivatives of that."""
    after, before, per = move
    (high, up), (low, down) = (average_share(model, at, one) for one in (after, before))
    return (high - low) / per, (up - down) / per


def nudged(people: People, column: int) -> Move:
    """Give everyone a little more and a little less of a covariate; or 1 and 0, if it is a switch.

    >>> after, before, step = nudged((np.array([[1.0, 0.0], [1.0, 1.0]]), np.ones(2)), 1)
    >>> after[0][:, 1].tolist(), before[0][:, 1].tolist(), step
    ([1.0, 1.0], [0.0, 0.0], 1.0)
    """
    design, weights = people
    given = design[:, column]
    switch = bool(np.isin(given, (0.0, 1.0)).all())
    step = 1.0 if switch else _NUDGE * float(given.std())
    after, before = design.copy(), design.copy()
    after[:, column] = 1.0 if switch else given + step / 2
    before[:, column] = 0.0 if switch else given - step / 2
    return (after, weights), (before, weights), step
