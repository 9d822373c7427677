"""A line that is solved once is the line that scikit-learn fits every time."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import Lasso, LinearRegression, Ridge

from askance import Ranges
from askance.learn import IntervalRegressor, interval_regressor
from askance.learn.interval_regressor import solved_line

LINES = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    Ridge(3.0),
    Ridge(0.5, fit_intercept=False),
]


def _rows(n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n + p)
    return rng.normal(3, [1, 1000, 1e-3, 1, 1][:p], (n, p)), rng.exponential(size=n)


@pytest.mark.parametrize("line", LINES, ids=str)
@pytest.mark.parametrize(("n", "p"), [(50, 3), (4, 5), (1, 1), (200, 1)])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_fit_of_scikit_learn(line, n, p, weighted):
    X, weight = _rows(n, p)
    given = weight if weighted else None
    first, second = np.random.default_rng(1).normal(5, 2, (2, n))
    once = solved_line(line.fit(X, first, given), X, given)
    found, values = once.fitted(second)
    anew = type(line)(**line.get_params()).fit(X, second, given)
    assert values == pytest.approx(anew.predict(X), rel=1e-7, abs=1e-7)
    assert found.predict(X) == pytest.approx(values, rel=1e-12, abs=1e-9)
    assert found.coef_ == pytest.approx(anew.coef_, rel=1e-5, abs=1e-7)
    assert found is not line


def test_covariates_that_repeat_each_other_or_never_vary_share_one_coefficient():
    X = np.repeat(np.arange(6.0)[:, None], 3, axis=1)
    X[:, 2] = 7
    y = np.arange(6) ** 2.0
    anew = LinearRegression().fit(X, y)
    found, _ = solved_line(anew, X, None).fitted(y)
    assert found.coef_ == pytest.approx(anew.coef_, abs=1e-12)
    assert found.coef_[2] == 0


@pytest.mark.parametrize(
    ("line", "X"),
    [
        (Lasso(), np.eye(3)),
        (LinearRegression(positive=True), np.eye(3)),
        (Ridge(solver="lsqr"), np.eye(3)),
        (Ridge(alpha=np.array([1.0])), np.eye(3)),
        (LinearRegression(), csr_array(np.eye(3))),
        (LinearRegression(), np.eye(3, dtype=np.float32)),
        (LinearRegression(), np.array([["1"], ["2"]], dtype=object)),
    ],
)
def test_other_learners_and_rows_are_left_to_themselves(line, X):
    assert solved_line(line, X, None) is None


@pytest.mark.parametrize("response", ["mean", "score"])
@pytest.mark.parametrize("line", [LinearRegression(), Ridge(2.0)], ids=str)
def test_ranges_teach_the_same_as_when_every_round_is_fitted(monkeypatch, line, response):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = X @ [1, 2, 0, -1] + rng.logistic(size=300)
    cut = rng.normal(size=300)
    ranges = Ranges(
        np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut), rng.uniform(1, 2, 300)
    )
    quick = IntervalRegressor(line, response=response).fit(X, ranges)
    monkeypatch.setattr(interval_regressor, "solved_line", lambda *_: None)
    slow = IntervalRegressor(line, response=response).fit(X, ranges)
    assert quick.n_iter_ == slow.n_iter_
    assert quick.estimator_.coef_ == pytest.approx(slow.estimator_.coef_, rel=1e-9)
    assert (quick.scale_, quick.loglik_) == pytest.approx((slow.scale_, slow.loglik_), rel=1e-9)
    assert type(quick.estimator_) is type(line)
