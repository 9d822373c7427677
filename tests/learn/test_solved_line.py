"""A line that is solved once is the line that scikit-learn fits every time.

The twin is of a class of its own, which no short cut knows: it is fitted anew in every iteration.
"""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.linear_model import Lasso, LinearRegression, Ridge

from askance import Ranges
from askance.learn import IntervalRegressor


class AnewLinear(LinearRegression):
    """Fitted in every iteration."""


class AnewRidge(Ridge):
    """Fitted in every iteration."""


class AnewLasso(Lasso):
    """Fitted in every iteration."""


TWINS = {LinearRegression: AnewLinear, Ridge: AnewRidge, Lasso: AnewLasso}
LINES = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    Ridge(3.0),
    Ridge(0.5, fit_intercept=False),
]


def _both(line, X, ranges, **how):
    """Learn from ranges by a line, and by its twin."""
    twin = TWINS[type(line)](**line.get_params())
    fitteds = [IntervalRegressor(item, **how).fit(X, ranges) for item in (line, twin)]
    assert [type(fitted.estimator_) for fitted in fitteds] == [type(line), type(twin)]
    return fitteds


def _rows(n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n + p)
    return rng.normal(3, [1, 1000, 1e-3, 1, 1][:p], (n, p)), rng.exponential(size=n)


@pytest.mark.parametrize("line", LINES, ids=str)
@pytest.mark.parametrize(("n", "p"), [(50, 3), (4, 5), (1, 1), (200, 1)])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_fit_of_scikit_learn(line, n, p, weighted):
    X, weight = _rows(n, p)
    middle = np.random.default_rng(1).normal(5, 2, n)
    ranges = Ranges(middle - 3, middle + 1, weight if weighted else None)
    how = {"noise": "gumbel", "scale": 2.0, "max_iter": 3, "tol": 0, "keep_path": True}
    result, anew = _both(line, X, ranges, **how)
    assert np.abs(result.path_[1] - result.path_[0]).max() > 1e-4  # another response
    assert result.path_ == pytest.approx(anew.path_, rel=1e-7, abs=1e-7)
    assert result.predict(X) == pytest.approx(result.path_[-1], rel=1e-12, abs=1e-9)
    assert result.estimator_.coef_ == pytest.approx(anew.estimator_.coef_, rel=1e-5, abs=1e-7)
    assert not hasattr(line, "coef_")


def test_covariates_that_repeat_each_other_or_never_vary_share_one_coefficient():
    X = np.repeat(np.arange(6.0)[:, None], 3, axis=1)
    X[:, 2] = 7
    y = np.arange(6) ** 2.0
    how = {"scale": 2.0, "max_iter": 4, "tol": 0}
    result, anew = _both(LinearRegression(), X, Ranges(y - 1, y + 3), **how)
    assert result.estimator_.coef_ == pytest.approx(anew.estimator_.coef_, abs=1e-12)
    assert result.estimator_.coef_[2] == 0


@pytest.mark.parametrize(
    ("line", "X"),
    [
        (Lasso(0.1), np.eye(3)),
        (LinearRegression(positive=True), np.eye(3)),
        (Ridge(solver="lsqr"), np.eye(3)),
        (Ridge(alpha=np.array([1.0])), np.eye(3)),
        (LinearRegression(), csr_array(np.eye(3))),
        (LinearRegression(), np.array([[1, 2], [2, 7], [4, 4]], dtype=np.float32)),
        (LinearRegression(), np.array([["1"], ["2"], ["4"]], dtype=object)),
    ],
)
def test_other_learners_and_rows_are_left_to_themselves(line, X):
    """To the last digit."""
    ranges = Ranges([-3.0, 0.5, 2.0], [-1.0, 1.0, 4.0])
    result, anew = _both(clone(line), X, ranges, scale=0.7, max_iter=4, tol=0)
    assert result.predict(X).tolist() == anew.predict(X).tolist()
    assert np.ptp(result.predict(X)) > 0.1


@pytest.mark.parametrize("response", ["mean", "score"])
@pytest.mark.parametrize("line", [LinearRegression(), Ridge(2.0)], ids=str)
@pytest.mark.long
def test_ranges_teach_the_same_as_when_every_round_is_fitted(line, response):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = X @ [1, 2, 0, -1] + rng.logistic(size=300)
    cut = rng.normal(size=300)
    ranges = Ranges(
        np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut), rng.uniform(1, 2, 300)
    )
    quick, slow = _both(line, X, ranges, response=response)
    assert quick.n_iter_ == slow.n_iter_
    assert quick.estimator_.coef_ == pytest.approx(slow.estimator_.coef_, rel=1e-9)
    assert (quick.scale_, quick.loglik_) == pytest.approx((slow.scale_, slow.loglik_), rel=1e-9)
