"""One refit: of a learner to every row, or of several, each asked of rows it has not learnt."""

from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from askance.learn.weighted_fit import weighted_fit
from askance.typing import Floats, Integers

Rows = Integers | None
Split = tuple[Rows, Rows]


def folds(count: int, n: int, chance: np.random.RandomState) -> list[Split]:
    """Deal rows into folds; give for each the rows of the others, and its own.

    >>> [(len(learnt), len(told)) for learnt, told in folds(2, 5, np.random.RandomState(0))]
    [(2, 3), (3, 2)]
    """
    fold = chance.permutation(n) % count
    return [(np.flatnonzero(fold != one), np.flatnonzero(fold == one)) for one in range(count)]


def refit(
    learner: Any, X: Any, y: Floats, weight: Floats | None, splits: list[Split], **how: Any
) -> tuple[list[Any], Floats]:
    """Fit a learner to the first rows of each split, and ask it of the second; None is all rows.

    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 1.0, 2.0, 9.0])
    >>> first, last = np.array([0, 1]), np.array([2, 3])
    >>> refit(LinearRegression(), X, y, None, [(first, last), (last, first)])[1].round(6).tolist()
    [-12.0, -5.0, 2.0, 3.0]
    """
    learners, told = [], np.empty(len(y))
    for learnt, asked in splits:
        at, on = (slice(None) if rows is None else rows for rows in (learnt, asked))
        weighed = None if weight is None else weight[at]
        learners.append(weighted_fit(learner, _of(X, learnt), y[at], weighed, **how))
        told[on] = np.asarray(learners[-1].predict(_of(X, asked)), dtype=float).reshape(-1)
    return learners, told


def _of(X: Any, rows: Rows) -> Any:
    return X if rows is None else _safe_indexing(X, rows)
