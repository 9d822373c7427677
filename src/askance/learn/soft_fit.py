"""Fits a classifier to answers that are known only by weights."""

from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from askance.errors import InputError
from askance.learn.weighted_fit import weighted_fit
from askance.typing import Floats

_FAINT = 1e-9  # of the largest share: a row is not copied for less


def soft_fit(learner: Any, X: Any, target: Floats, weight: Floats) -> Any:
    """Fit a copy of a classifier to every answer of every row, weighed.

    Parameters
    ----------
    learner : classifier
    X : array or data frame of shape (n, p)
    target : array, shape (n, k)
        How much each row stands for each answer; negative where the channel is inverted.
    weight : array, shape (n,)

    Raises
    ------
    InputError
        If the classifier takes no weights, or no negative ones.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, target = [[0.0], [1.0], [3.0]], np.array([[1, 0], [0.5, 0.5], [0, 1]])
    >>> soft_fit(GaussianNB(), X, target, np.ones(3)).class_prior_.tolist()
    [0.5, 0.5]
    """
    shares = target * weight[:, None]
    row, answer = np.nonzero(np.abs(shares) > _FAINT * np.abs(shares).max())
    if len(row) == len(weight):  # plain labels: the learner sees its data as they are
        order = np.argsort(row)
        same = np.all(shares[row, answer] == 1)
        return weighted_fit(learner, X, answer[order], None if same else shares.sum(axis=1))
    try:
        return weighted_fit(learner, _safe_indexing(X, row), answer, shares[row, answer])
    except ValueError as fault:
        if not shares.min() < 0:
            raise
        raise InputError(
            "estimator",
            got=type(learner).__name__,
            allowed='a learner that takes negative weights, for method="corrected"',
            remedy='choose method="em"',
        ) from fault


def chances_of(fitted: Any, X: Any, k: int) -> Floats:
    """Give the chances of all k answers, those that were never met included.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> fitted = GaussianNB().fit([[0.0], [1.0], [8.0], [9.0]], [0, 0, 2, 2])
    >>> chances_of(fitted, [[0.0]], 3).round(3).tolist()
    [[1.0, 0.0, 0.0]]
    """
    chances = np.zeros((len(told := fitted.predict_proba(X)), k))
    chances[:, fitted.classes_] = told
    return chances


def without_fold(learner: Any, X: Any, target: Floats, weight: Floats, folds: int) -> Floats:
    """Give the chances of each row by a learner that did not see it.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, target = [[0.0], [0.1], [3.0], [3.1]], np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> without_fold(GaussianNB(), X, target, np.ones(4), 2).round(3).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    """
    fold = np.arange(len(weight)) % folds
    chances = np.empty(target.shape)
    for one in range(folds):
        seen, unseen = np.flatnonzero(fold != one), np.flatnonzero(fold == one)
        fitted = soft_fit(learner, _safe_indexing(X, seen), target[seen], weight[seen])
        chances[unseen] = chances_of(fitted, _safe_indexing(X, unseen), target.shape[1])
    return chances
