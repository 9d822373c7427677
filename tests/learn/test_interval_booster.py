"""Boosting the likelihood of ranges."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LassoLars, LinearRegression
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

from askance import Ranges
from askance.learn import IntervalBooster, IntervalRegressor
from askance_collect.errors import NotIdentified

SMALL = DecisionTreeRegressor(max_depth=3, random_state=0)
POSITIONS = "rows are held out by their position, so that weights are not copies of rows"


def survey(n: int) -> tuple[np.ndarray, np.ndarray, Ranges]:
    rng = np.random.default_rng(1)
    X = rng.random((n, 2))
    truth = 4 * np.sin(6 * X[:, 0])
    y = truth + rng.logistic(0, 0.4, n)
    cut = rng.uniform(-5, 5, n)
    return X, truth, Ranges(np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut))


def test_a_curve_is_found_where_a_line_is_lost():
    X, truth, ranges = survey(1500)
    model = IntervalBooster(SMALL, random_state=0).fit(X, ranges)
    line = IntervalRegressor().fit(X, ranges)
    errors = [np.sqrt(np.mean((m.predict(X) - truth) ** 2)) for m in (model, line)]
    assert errors[0] < 0.7 < 1.5 < errors[1]
    assert 0.2 < model.scale_ < 1.0
    assert len(model.estimators_) == model.n_iter_ <= 100
    assert model.held_out_[0] < model.held_out_.max()
    assert model.loglik_ == pytest.approx(model.score(X, ranges) * 1500)


@pytest.mark.long
def test_lines_boosted_reach_the_highest_likelihood():
    X, _, ranges = survey(300)
    direct = IntervalRegressor(response="likelihood", scale=1.0, tol=1e-9).fit(X, ranges)
    boosted, few = (
        IntervalBooster(LinearRegression(), scale=1.0, patience=40, random_state=seed).fit(
            X, ranges
        )
        for seed in (2, 1)  # by chance the rows held out are likeliest late, or after 2 rounds
    )
    assert few.n_iter_ < 5 < 20 < boosted.n_iter_
    assert boosted.loglik_ == pytest.approx(direct.loglik_, abs=1e-6)
    assert boosted.predict(X) == pytest.approx(direct.predict(X), abs=1e-3)
    assert few.loglik_ < direct.loglik_ - 0.1


def test_the_same_seed_gives_the_same_fit():
    X, _, ranges = survey(200)
    model = IntervalBooster(SMALL, max_iter=5, random_state=3)
    first, second = (clone(model).fit(X, ranges).predict(X) for _ in range(2))
    assert first.tolist() == second.tolist()


@pytest.mark.long
def test_trees_are_taken_unless_another_learner_is_given():
    X, truth, ranges = survey(500)
    model = IntervalBooster(max_iter=4, random_state=0).fit(X, ranges)
    assert np.corrcoef(model.predict(X), truth)[0, 1] > 0.8
    ends = model.predict_interval(X[:2], 0.5)
    assert np.exp(model.log_chance(X[:2], Ranges(ends))) == pytest.approx(0.5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_the_battery_of_scikit_learn():
    check_estimator(
        IntervalBooster(SMALL, max_iter=10),
        expected_failed_checks={
            "check_sample_weight_equivalence_on_dense_data": POSITIONS,
            "check_sample_weight_equivalence_on_sparse_data": POSITIONS,
        },
        on_skip=None,
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"max_iter": 0}, "at least 1"),
        ({"patience": 0}, "at least 1"),
        ({"patience": 2.5}, "at least 1"),
        ({"scale": "estimate"}, "held-out"),
        ({"scale": -1.0}, "held-out"),
        ({"estimator": LassoLars()}, "takes sample_weight; choose another"),
        ({"n": 4}, "5 rows or more"),
    ],
)
def test_bad_input_is_refused(given, words):
    X, _, ranges = survey(given.pop("n", 20))
    with pytest.raises(ValueError, match=words):
        IntervalBooster(**given).fit(X, ranges)


def test_one_side_alone_is_not_identified():
    with pytest.raises(NotIdentified):
        IntervalBooster().fit(np.zeros((9, 1)), Ranges(np.arange(9.0), np.full(9, np.inf)))
