"""Classification by answers that went through a known channel, with any classifier."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self, final

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.utils import get_tags, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from askance.channels.channel import Channel
from askance.inference.provenance import Computation, LearnerProvenance, LearningAlgorithm
from askance.inference.shares.information import identify
from askance.learn.targets import (
    answer_labels,
    choice,
    complete_columns,
    count_rows,
    row_weights,
    rows_of,
    tolerance,
    unbiased_weights,
    weighted_fit,
)
from askance.typing import Floats
from askance_collect.arguments import refusal, same_rows
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer

_WARM_UP_STEPS = 200  # steps of EM before any fit, which are cheap
_TINY = np.finfo(float).tiny


_ALGORITHMS: Mapping[str, LearningAlgorithm] = MappingProxyType(
    {"em": LearningAlgorithm.EM, "corrected": LearningAlgorithm.UNBIASED_WEIGHTS}
)


@final
class ChannelClassifier(ClassifierMixin, BaseEstimator):
    """Learn the chance of each true answer from reports, with any probabilistic classifier.

    Parameters
    ----------
    estimator : classifier or pipeline, optional
        It must give chances and take weights; `LogisticRegression` if left out. Votes, stacks and
        calibration belong here: around this classifier, scikit-learn takes reports for answers.
    channel : Channel, optional
        What made the reports of the answers; without one the answers themselves are learnt from.
    method : {"em", "corrected"}
        "em" weighs each answer by its chance given the report and the last fit, and refits: with a
        learner that maximises likelihood, that of the reports rises at every step (Dempster, Laird
        & Rubin, 1977). "corrected" fits once, with the weights of an unbiased inversion of the
        channel (Natarajan, Dhillon, Ravikumar & Tewari, 2013, lemma 1). Some are negative; those of
        one row sum to one, which leaves the logistic loss convex. Learners that refuse negative
        weights need "em".
    folds : int
        At 2 or more, the chances of a row come from learners that did not see it. A flexible
        learner, such as a forest, would else believe its own first guesses.
    max_iter : int
    tol : float
        Stop when the chances move by less (root mean square).
    codes : mapping to str, optional
        What values stand for that are no names of the channel's reports, as ``{1: "yes", 0:
        "no"}``. Without it numbers are refused: they are never taken for columns of the channel.
        Where each answer has one code, codes are predicted, and names otherwise.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The answers, sorted: their codes, or their names.
    estimator_ : the fitted learner
    loglik_ : float
        Log-likelihood of the reports learnt from, by chances of unseen rows where there are folds.
    n_iter_ : int
    converged_ : bool

    Raises
    ------
    InputError
        If a report is missing or not the channel's, or a parameter is out of its range.
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> import askance as ak
    >>> q = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    >>> X = [[0.0]] * 8 + [[1.0]] * 8
    >>> reports = ["yes"] * 2 + ["no"] * 6 + ["yes"] * 5 + ["no"] * 3
    >>> model = ChannelClassifier(LogisticRegression(C=1e6), q).fit(X, reports)
    >>> model.predict_proba([[1.0]]).round(2).tolist()  # (5/8 − 1/4) / (1/2)
    [[0.25, 0.75]]
    >>> model.predict_proba([[1.0]], reports=["no"]).round(2).tolist()
    [[0.5, 0.5]]
    """

    computation: ClassVar[Computation] = Computation.LEARNER

    def __init__(
        self,
        estimator: Any = None,
        channel: Channel | None = None,
        *,
        method: Literal["em", "corrected"] = "em",
        folds: int = 0,
        max_iter: int = 200,
        tol: float = 1e-5,
        codes: Mapping[Any, str] | None = None,
    ) -> None:
        self.estimator = estimator
        self.channel = channel
        self.method = method
        self.folds = folds
        self.max_iter = max_iter
        self.tol = tol
        self.codes = codes

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from reports.

        Parameters
        ----------
        X : array or data frame of shape (n, p)
        y : array_like of shape (n,)
            The reports, by their names; without a channel the answers.
        sample_weight : array_like of shape (n,), optional
            As scikit-learn has it: how much each row counts in what is fitted. No error comes of
            it, so that sampling weights and counts of repeated rows may both be given so.
        """
        choice(self.method, "method", *_ALGORITHMS)
        if self.channel is not None and not isinstance(self.channel, Channel):
            raise refusal("channel", self.channel, (Channel,))
        same_rows(X=X, y=y, sample_weight=sample_weight)
        validate_data(self, X, skip_check_array=True)
        (X,) = indexable(X)
        n = count_rows(X)
        weight = row_weights(sample_weight, n)
        self.classes_ = self._answers(y)
        matrix, columns = self._read(y, n)
        if self.channel is None and len(np.unique(columns[weight > 0])) < 2:
            raise InputError("y", got="1 class", allowed="at least two classes with weight")
        likelihood = matrix[:, columns].T
        corrected = self.provenance.algorithm is LearningAlgorithm.UNBIASED_WEIGHTS
        if corrected and self.channel is not None:
            order = answer_labels(self.channel, self.codes)[1]
            self._fit_once(X, unbiased_weights(self.channel)[columns][:, order], likelihood, weight)
        else:
            self._run_em(X, likelihood, weight)
        return self

    @property
    def provenance(self) -> LearnerProvenance:
        """By which algorithm reports are learnt from, and which learner that fits."""
        choice(self.method, "method", *_ALGORITHMS)
        learner = LogisticRegression if self.estimator is None else type(self.estimator)
        return LearnerProvenance(algorithm=_ALGORITHMS[self.method], learner=learner.__name__)

    def predict_proba(self, X: Any, reports: Any = None) -> Floats:
        """The chance of each true answer; given what was reported too, if that is known.

        Parameters
        ----------
        X : array or data frame of shape (n, p)
        reports : array_like of shape (n,), optional

        Returns
        -------
        array of shape (n, k)
            Columns as in `classes_`.
        """
        check_is_fitted(self)
        share = chances_of(self.estimator_, X, len(self.classes_))
        if reports is None:
            return share
        matrix, columns = self._read(reports, len(share), "reports")
        return _posterior(share, matrix[:, columns].T)

    def predict(self, X: Any) -> Any:
        """The likeliest true answer, written as `classes_`."""
        chances = self.predict_proba(X)
        return self.classes_[chances.argmax(axis=1)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The mean log-chance of the reports; without a channel, the accuracy."""
        if self.channel is None:
            return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))
        share = self.predict_proba(X)
        matrix, columns = self._read(y, len(share))
        with np.errstate(divide="ignore"):
            chances = np.log((share * matrix[:, columns].T).sum(axis=1))
        return float(np.average(chances, weights=sample_weight))

    def _answers(self, y: Any) -> Any:
        """The classes: the true answers, or the reports if there is no channel."""
        if self.channel is not None:
            identify(self.channel)
            return answer_labels(self.channel, self.codes)[0]
        check_classification_targets(y)
        return np.unique(column_or_1d(y, warn=True))

    def _read(self, y: Any, n: int, where: str = "y") -> tuple[Floats, Any]:
        """Chances of the reports by answer, and the column that each row reports."""
        if self.channel is not None:
            order = answer_labels(self.channel, self.codes)[1]
            return self.channel.matrix[order], complete_columns(
                self.channel, y, n, where, self.codes
            )
        answers = column_or_1d(y, warn=True)
        if len(answers) != n:
            raise InputError(where, got=f"{len(answers)} rows", allowed=f"{n} rows, as X has")
        index = {answer: column for column, answer in enumerate(self.classes_.tolist())}
        columns = np.array([index.get(answer, -1) for answer in answers.tolist()], dtype=np.int64)
        if (columns < 0).any():
            row = int(np.argmin(columns))
            allowed = ", ".join(map(str, index))
            raise InputError(f"{where}[{row}]", got=answers[row], allowed=allowed)
        return np.eye(len(index)), columns

    def _fit_once(self, X: Any, target: Floats, likelihood: Floats, weight: Floats) -> None:
        self.estimator_ = soft_fit(_learner(self), X, target, weight)
        self.n_iter_, self.converged_ = 1, True
        share = chances_of(self.estimator_, X, len(self.classes_))
        self._keep_likelihood(share, likelihood, weight)

    def _run_em(self, X: Any, likelihood: Floats, weight: Floats) -> None:
        share = np.tile(_common_shares(likelihood, weight), (len(weight), 1))
        learner, self.converged_ = _learner(self), False
        folds, tol = _folds(self, len(weight)), tolerance(self.tol)
        most = read_integer(self.max_iter, "max_iter", "a whole number of at least 1")
        for step in range(1, most + 1):
            self.n_iter_, before, target = step, share, _posterior(share, likelihood)
            if folds:
                share = without_fold(learner, X, target, weight, folds)
            else:
                self.estimator_ = soft_fit(learner, X, target, weight)
                share = chances_of(self.estimator_, X, likelihood.shape[1])
            change = np.sqrt(np.average((share - before) ** 2, axis=0, weights=weight).mean())
            if change <= tol or self.channel is None:
                self.converged_ = True
                break
        if folds:
            self.estimator_ = soft_fit(learner, X, target, weight)
        self._keep_likelihood(share, likelihood, weight)

    def _keep_likelihood(self, share: Floats, likelihood: Floats, weight: Floats) -> None:
        with np.errstate(divide="ignore"):
            self.loglik_ = float(weight @ np.log((share * likelihood).sum(axis=1)))

    def __sklearn_tags__(self) -> Any:
        """Describe the input that the learner takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(_learner(self)).input_tags
        return tags


def _learner(model: ChannelClassifier) -> Any:
    return LogisticRegression() if model.estimator is None else clone(model.estimator)


def _folds(model: ChannelClassifier, n: int) -> int:
    allowed = f"0, or a whole number from 2 to the number of rows, {n}"
    count = read_integer(model.folds, "folds", allowed, 0)
    if count == 1 or count > n:
        raise InputError("folds", got=count, allowed=allowed)
    return count


def _common_shares(likelihood: Floats, weight: Floats) -> Floats:
    """The likeliest shares if the covariates said nothing: where to begin."""
    share = np.full(likelihood.shape[1], 1 / likelihood.shape[1])
    for _ in range(_WARM_UP_STEPS):
        share = weight @ _posterior(share, likelihood) / weight.sum()
    return share


def _posterior(share: Floats, likelihood: Floats) -> Floats:
    joint = share * likelihood
    posterior: Floats = joint / np.maximum(joint.sum(axis=1, keepdims=True), _TINY)
    return posterior


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
    rows, counted = rows_of(X, row), shares[row, answer]
    try:
        return weighted_fit(learner, rows, answer, counted)
    except ValueError as fault:
        if not counted.min() < 0:
            raise
        weighted_fit(learner, rows, answer, np.abs(counted))  # the rows may be at fault, not these
        raise InputError(
            "estimator",
            got=type(learner).__name__,
            allowed='a learner that takes negative weights, for method="corrected"',
            remedy='choose method="em"',
        ) from fault


def chances_of(fitted: Any, X: Any, k: int) -> Floats:
    """The chances of all k answers, those that were never met included.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> fitted = GaussianNB().fit([[0.0], [1.0], [8.0], [9.0]], [0, 0, 2, 2])
    >>> chances_of(fitted, [[0.0]], 3).round(3).tolist()
    [[1.0, 0.0, 0.0]]
    """
    chances = np.zeros((len(predicted := fitted.predict_proba(X)), k))
    chances[:, fitted.classes_] = predicted
    return chances


def without_fold(learner: Any, X: Any, target: Floats, weight: Floats, folds: int) -> Floats:
    """The chances of each row by a learner that did not see it.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, target = [[0.0], [0.1], [3.0], [3.1]], np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> without_fold(GaussianNB(), X, target, np.ones(4), 2).round(3).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    """
    fold = np.arange(len(weight)) % folds
    chances = np.empty(target.shape)
    for k in range(folds):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        fitted = soft_fit(learner, rows_of(X, train), target[train], weight[train])
        chances[test] = chances_of(fitted, rows_of(X, test), target.shape[1])
    return chances
