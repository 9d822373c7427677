"""Regression from ranges: the fixed points, the scale, what scikit-learn asks, and bad input."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import HuberRegressor, LassoLars, LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

from askance import Ranges
from askance.inference import StudentNoise
from askance.learn import IntervalRegressor
from askance_collect.errors import InputError, NotIdentified

LAWS = {
    "normal": stats.norm(),
    "gaussian": stats.norm(),
    "logistic": stats.logistic(),
    "laplace": stats.laplace(),
    "student": stats.t(4),
    "gumbel": stats.gumbel_l(),
}
"""The noises, as SciPy has them."""


def survey(n: int, seed: int = 0, exact: float = 0.0) -> tuple[np.ndarray, np.ndarray, Ranges]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = 1 + X @ [2.0, -1.0] + rng.logistic(0, 0.7, n)
    cuts = np.sort(rng.normal(1, 3, (n, 2)), axis=1)
    ends = np.concatenate([np.full((n, 1), -np.inf), cuts, np.full((n, 1), np.inf)], axis=1)
    cell = (y[:, None] > cuts).sum(axis=1)
    low, high = ends[np.arange(n), cell], ends[np.arange(n), cell + 1]
    is_seen = rng.random(n) < exact
    return X, y, Ranges(np.where(is_seen, y, low), np.where(is_seen, y, high), closed="survival")


def exact(ranges):
    """Say which ranges hold one number alone."""
    return ranges.upper - ranges.lower < 1e-12


def log_chances(name, mean, scale, ranges):
    """Give each range's log-chance, and each number's log-density, by SciPy."""
    law = LAWS[name]
    low, high = ((end - mean) / scale + law.mean() for end in (ranges.lower, ranges.upper))
    up = low > 0
    near = np.where(up, law.logsf(low), law.logcdf(high))  # the tail that is smaller, so far out
    far = np.where(up, law.logsf(high), law.logcdf(low))
    with np.errstate(divide="ignore", invalid="ignore"):
        within = near + np.log(-np.expm1(far - near))
        return np.where(exact(ranges), law.logpdf(high) - np.log(scale), within)


def best(name, X, ranges):
    """Maximise the likelihood over coefficients and scale by a general optimiser."""

    def loss(index):
        mean, scale = index[0] + X @ index[1:-1], np.exp(np.clip(index[-1], -5, 5))
        far = -ranges.weights @ log_chances(name, mean, scale, ranges)
        return np.nan_to_num(far, nan=1e9, posinf=1e9)

    with np.errstate(over="ignore", invalid="ignore"):
        optimum = minimize(loss, np.zeros(X.shape[1] + 2), method="BFGS", options={"gtol": 1e-4})
    return optimum.x, -optimum.fun


@pytest.mark.long
@pytest.mark.parametrize("name", ["logistic", "normal", "laplace", "student", "gumbel"])
def test_the_likelihood_is_at_its_highest_for_linear_learners(name):
    X, _, ranges = survey(400, exact=0.0 if name == "laplace" else 0.2)  # exact: a kink, see below
    index, loglik = best(name, X, ranges)
    model = IntervalRegressor(noise=name, response="likelihood", tol=1e-8).fit(X, ranges)
    assert model.stopped_ == "converged"
    assert model.loglik_ == pytest.approx(loglik, abs=1e-4)
    assert model.scale_ == pytest.approx(np.exp(index[-1]), rel=1e-2)
    assert model.predict(X) == pytest.approx(index[0] + X @ index[1:-1], abs=2e-2)


@pytest.mark.long
def test_at_the_kinks_of_exact_numbers_a_laplace_fit_settles_near_the_highest():
    X, _, ranges = survey(400, exact=0.2)
    model = IntervalRegressor(noise="laplace", response="likelihood", step=0.5).fit(X, ranges)
    assert model.stopped_ == "settled"
    assert model.loglik_ == pytest.approx(best("laplace", X, ranges)[1], abs=0.1)


def test_imputed_means_and_likelihood_agree_for_normal_noise():
    X, _, ranges = survey(300)
    fits = [
        IntervalRegressor(noise="normal", response=response, tol=1e-9, max_iter=500).fit(X, ranges)
        for response in ("mean", "likelihood")
    ]
    assert fits[0].predict(X) == pytest.approx(fits[1].predict(X), abs=1e-5)
    assert fits[0].scale_ == pytest.approx(fits[1].scale_, rel=1e-6)


def test_the_normal_scale_is_where_the_step_of_em_rests():
    X, _, ranges = survey(300, exact=0.3)
    model = IntervalRegressor(noise="normal", tol=1e-9, max_iter=500).fit(X, ranges)
    f, s = model.predict(X), model.scale_
    low, high = (ranges.lower - f) / s, (ranges.upper - f) / s
    exact_result = exact(ranges)
    mean, variance = stats.truncnorm.stats(low, np.where(exact_result, low + 1, high), moments="mv")
    mean, variance = np.where(exact_result, high, mean), np.where(exact_result, 0.0, variance)
    assert np.mean(mean**2 + variance) == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("name", ["logistic", "gumbel"])
@pytest.mark.parametrize("response", ["mean", "likelihood"])
def test_a_step_of_the_scale_is_newtons(name, response):
    """Each iteration steps from the scale and the means before it, at most to half or double."""
    X, _, ranges = survey(100)
    fits = [
        IntervalRegressor(noise=name, response=response, max_iter=turns, tol=0).fit(X, ranges)
        for turns in (1, 2, 3, 4, 5)
    ]
    longest, steps = np.log(2), []
    for before, after in itertools.pairwise(fits):
        mean, scale, h = before.predict(X), before.scale_, 1e-4
        down, local, up = (
            log_chances(name, mean, scale * np.exp(by), ranges).sum() for by in (-h, 0.0, h)
        )
        steps.append(-((up - down) / (2 * h)) / ((up - 2 * local + down) / h**2))
        clip_result = np.clip(steps[-1], -longest, longest)
        assert after.scale_ == pytest.approx(scale * np.exp(clip_result), rel=1e-4)
    assert any(0.02 < abs(step) < longest for step in steps)


def test_exact_numbers_give_the_learners_own_fit():
    X, y, _ = survey(50)
    for learner in (LinearRegression(), DecisionTreeRegressor(max_depth=3, random_state=0)):
        alone = clone(learner).fit(X, y)
        assert IntervalRegressor(learner).fit(X, y).predict(X) == pytest.approx(alone.predict(X))


@pytest.mark.long
def test_weights_count_rows():
    X, _, ranges = survey(60)
    counts = np.arange(60) % 3
    again = np.repeat(np.arange(60), counts)
    weighed = Ranges(ranges.lower, ranges.upper, counts)
    for response in ("mean", "likelihood"):
        model = IntervalRegressor(response=response, tol=1e-9, max_iter=500)
        wanted = clone(model).fit(X[again], ranges[again]).predict(X)
        assert clone(model).fit(X, ranges, counts).predict(X) == pytest.approx(wanted, abs=1e-6)
        assert clone(model).fit(X, weighed).predict(X) == pytest.approx(wanted, abs=1e-6)


def test_two_columns_mean_what_ranges_mean():
    X, _, ranges = survey(60)
    ends = np.column_stack([ranges.lower, ranges.upper])
    missing = np.where(np.isinf(ends), np.nan, ends)
    wanted = IntervalRegressor().fit(X, ranges).predict(X)
    for y in (ends, missing):
        assert IntervalRegressor().fit(X, y).predict(X).tolist() == wanted.tolist()


def test_rings_and_unions_are_learnt_from():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(800, 1))
    y = 3 * X[:, 0] + rng.logistic(0, 0.5, 800)
    cuts = np.sort(rng.normal(0, 3, (800, 2)), axis=1)
    result = [
        [(low, high)] if low < item <= high else [(-np.inf, low), (high, np.inf)]
        for item, (low, high) in zip(y, cuts, strict=True)
    ]
    model = IntervalRegressor(response="likelihood").fit(X, Ranges.unions(result))
    assert model.estimator_.coef_[0] == pytest.approx(3, abs=0.3)


@pytest.mark.long
@pytest.mark.parametrize(
    "learner",
    [
        make_pipeline(StandardScaler(), PolynomialFeatures(2), Ridge(0.1)),
        RandomForestRegressor(10, min_samples_leaf=10, random_state=0),
        GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=3),
        HuberRegressor(),
        LassoLars(0.001),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_any_learner_is_taken(learner):
    X, _, ranges = survey(400)
    truth = 1 + X @ [2.0, -1.0]
    model = IntervalRegressor(learner, max_iter=15, step="average").fit(X, ranges)
    assert np.mean((model.predict(X) - truth) ** 2) < 0.2 * truth.var()
    assert (model.n_iter_, len(model.changes_)) <= (15, 15)


@pytest.mark.long
def test_averaging_and_damping_quieten_a_learner_that_refits_with_chance():
    X, _, ranges = survey(200)
    learner = RandomForestRegressor(5, min_samples_leaf=5)  # a new forest every time
    plain, damped, averaged = (
        IntervalRegressor(learner, step=step, scale=0.7, max_iter=12, tol=0).fit(X, ranges)
        for step in (1.0, 0.3, "average")
    )
    assert max(damped.changes_[-3:].max(), averaged.changes_[-3:].max()) < plain.changes_[-3:].min()
    assert plain.stopped_ in {"settled", "max_iter"}


def test_a_network_goes_on_from_where_it_stands():
    X, _, ranges = survey(200)
    net = MLPRegressor(
        hidden_layer_sizes=(8,), solver="lbfgs", max_iter=4000, tol=1e-2, random_state=0
    )
    model = IntervalRegressor(net, warm_start=True, max_iter=10, tol=1e-2).fit(X, ranges)
    assert np.mean((model.predict(X) - 1 - X @ [2.0, -1.0]) ** 2) < 1
    with pytest.raises(InputError, match="ensembles of trees"):
        IntervalRegressor(RandomForestRegressor(), warm_start=True).fit(X, ranges)


def test_a_flexible_learner_needs_rows_held_out_for_the_scale():
    X, _, ranges = survey(600)
    tree = DecisionTreeRegressor(min_samples_leaf=4, random_state=0)
    inside, content = (
        IntervalRegressor(tree, scale=scale, max_iter=15, random_state=0).fit(X, ranges).scale_
        for scale in ("estimate", "held-out")
    )
    assert inside < 0.5 < 0.7 < content


@pytest.mark.long
def test_folds_keep_trees_from_following_their_own_imputations():
    X, _, ranges = survey(1500, seed=2)
    truth = 1 + X @ [2.0, -1.0]
    tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
    model = IntervalRegressor(tree, response="likelihood", random_state=0)
    alone, folded = (clone(model).set_params(folds=count).fit(X, ranges) for count in (None, 2))
    off = [np.sqrt(np.mean((item.predict(X) - truth) ** 2)) for item in (alone, folded)]
    assert off[1] < 0.8 * off[0]
    assert alone.scale_ < 0.35 < 0.6 < folded.scale_ < 1.0
    assert (alone.estimators_, len(folded.estimators_)) == (
        [alone.estimator_],
        2 * ((folded.n_iter_ + 1) // 2),
    )
    again = clone(folded).fit(X, ranges)
    assert again.predict(X).tolist() == folded.predict(X).tolist()


@pytest.mark.long
def test_scores_of_half_lines_do_not_swing_a_forest_ever_wider():
    rng = np.random.default_rng(2)
    age = rng.uniform(20, 70, (300, 1))
    income = 10 + 0.5 * age[:, 0] + rng.logistic(0, 3, 300)
    cut = rng.uniform(10, 55, 300)
    ranges = Ranges(np.where(income > cut, cut, -np.inf), np.where(income > cut, np.inf, cut))
    forest = RandomForestRegressor(10, random_state=0)
    model = IntervalRegressor(forest, response="score", folds=2, random_state=0).fit(age, ranges)
    means = model.predict(age)
    assert 0 < means.min() < means.max() < 65
    assert model.scale_ < 15


def test_rows_weighed_alike_lead_lines_to_where_the_score_is_no_slope():
    X, _, ranges = survey(400)
    model = IntervalRegressor(response="score", tol=1e-8).fit(X, ranges)
    mean, scale, h = model.predict(X), model.scale_, 1e-5
    up, down = (log_chances("logistic", mean + by * scale, scale, ranges) for by in (h, -h))
    slopes = (up - down) / (2 * h)
    assert model.stopped_ == "converged"
    assert np.column_stack([np.ones(400), X]).T @ slopes == pytest.approx(0, abs=1e-4)
    assert IntervalRegressor(LassoLars(0.001), response="score").fit(X, ranges).scale_ > 0


class Recording(RegressorMixin, BaseEstimator):
    """Learn nothing; write down the rows learnt from, and those asked of."""

    def __init__(self, book=None):
        self.book = book

    def fit(self, X, y):
        self.learnt_ = X[:, 0].astype(int).tolist()
        return self

    def predict(self, X):
        BOOKS[self.book].append((self.learnt_, X[:, 0].astype(int).tolist()))
        return np.zeros(len(X))


BOOKS = {"folds": []}


def test_no_row_is_imputed_from_a_learner_of_itself():
    n, turns, book = 20, 4, BOOKS["folds"]
    book.clear()
    rows = np.arange(n)[:, None]
    model = IntervalRegressor(
        Recording("folds"), folds=3, scale=1.0, max_iter=turns, tol=0, random_state=0
    )
    model.fit(rows, Ranges(np.arange(n) - 9.0, np.arange(n) - 8.0))
    dealt = book[: 3 * model.n_iter_]
    for turn in range(model.n_iter_):
        values = np.zeros(n)
        for learnt, own in dealt[3 * turn : 3 * turn + 3]:
            assert sorted([*learnt, *own]) == list(range(n))
            values[own] += 1
        assert values.tolist() == [1.0] * n
    assert dealt[0] != dealt[3]  # dealt anew


class Wandering(RegressorMixin, BaseEstimator):
    """Move all means by so much, one length after the other, whatever is told."""

    def __init__(self, moves=(), warm_start=False):
        self.moves = moves
        self.warm_start = warm_start

    def fit(self, X, y):
        self.turn_ = getattr(self, "turn_", 0) + 1
        return self

    def predict(self, X):
        return np.full(len(X), float(np.sum(self.moves[: self.turn_])))


SHRINKING = [1 / turn for turn in range(1, 14)]
NOISY = [0.5, 0.4, 0.2, 0.1, 0.3, 0.3, 0.3, 0.3]


@pytest.mark.parametrize(
    ("moves", "reason", "turns"),
    [
        (SHRINKING, "max_iter", 12),
        ([*NOISY, 0.3, 0.3, 0.3, 0.3], "settled", 9),
        ([*NOISY, 0.09, 0.3, 0.3, 0.3], "max_iter", 12),
        ([*NOISY, 0.001, 0.3], "converged", 9),
    ],
    ids=["shrinking", "settled", "shorter once more", "converged"],
)
def test_a_path_stops_where_it_goes_nowhere(moves, reason, turns):
    """Settled once five moves are no shorter than the shortest before them."""
    model = IntervalRegressor(
        Wandering(tuple(moves)), warm_start=True, scale=1.0, max_iter=12, tol=1.0001e-3
    )
    model.fit(np.zeros((2, 1)), Ranges([-1, 0], [0, 1]))  # whose first mean is 0
    assert (model.stopped_, model.n_iter_) == (reason, turns)
    assert model.changes_ == pytest.approx(moves[:turns])


def test_the_path_is_kept():
    X, _, ranges = survey(60)
    model = IntervalRegressor(keep_path=True).fit(X, ranges)
    assert model.path_.shape == (model.n_iter_, 60)
    assert model.path_[-1] == pytest.approx(model.predict(X))
    assert not hasattr(IntervalRegressor().fit(X, ranges), "path_")


@pytest.mark.long
def test_searches_and_validation_take_ranges():
    X, y, ranges = survey(150)
    few, rest, result, remaining = train_test_split(X, ranges, random_state=0)
    assert (len(result), len(remaining)) == (len(few), len(rest))
    pairs = dict(zip(map(tuple, X), np.column_stack([ranges.lower, ranges.upper]), strict=True))
    ends = np.column_stack([result.lower, result.upper])
    assert ends.tolist() == [pairs[tuple(row)].tolist() for row in few]
    scores = cross_val_score(IntervalRegressor(), X, ranges, cv=3)
    assert np.all(scores < 0)
    search = GridSearchCV(IntervalRegressor(), {"noise": ["logistic", "gumbel"]}, cv=3)
    assert search.fit(X, ranges).best_estimator_.noise_.name == "logistic"
    model = IntervalRegressor().fit(X, ranges)
    assert model.score(X, ranges) * 150 == pytest.approx(model.loglik_, rel=1e-9)
    assert model.score(X, y) < 1


@pytest.mark.parametrize("name", sorted(LAWS))
def test_intervals_hold_the_chance_that_they_say(name):
    X, _, ranges = survey(60)
    model = IntervalRegressor(noise=name).fit(X, ranges)
    ends = model.predict_interval(X[:3], 0.8)
    chance = np.exp(model.log_chance(X[:3], Ranges(ends)))
    below = np.exp(model.log_chance(X[:3], Ranges(np.full(3, -np.inf), ends[:, 0])))
    assert chance == pytest.approx(0.8, abs=1e-9)
    assert below == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize(
    ("response", "scale", "folds"),
    [
        ("mean", "estimate", None),
        ("likelihood", "held-out", 2),
        ("score", 1.0, None),
        pytest.param("mean", "held-out", 2, marks=pytest.mark.wide),
        pytest.param("likelihood", 1.0, 2, marks=pytest.mark.wide),
        pytest.param("score", "estimate", 2, marks=pytest.mark.wide),
    ],
)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_the_battery_of_scikit_learn(response, scale, folds):
    """Rows are held out by their position: weights are no copies of rows then, and only then."""
    sparse_or_dense = "check_sample_weight_equivalence_on_{}_data".format
    failing = {sparse_or_dense(kind): "held out" for kind in ("dense", "sparse")}
    check_estimator(
        IntervalRegressor(response=response, scale=scale, folds=folds, random_state=0, max_iter=5),
        expected_failed_checks=failing if folds or scale == "held-out" else {},
        on_skip=None,
    )


def test_documented_values_at_the_edges():
    X, y, _ = survey(30)
    constant = IntervalRegressor(scale=1.0).fit(np.ones((30, 1)), Ranges(y - 1, y + 1))
    assert np.ptp(constant.predict(X[:, :1])) == 0
    wide = np.random.default_rng(0).normal(size=(30, 60))
    more = IntervalRegressor(scale=1.0).fit(wide, Ranges(y - 1, y + 1))
    assert np.isfinite(more.predict(wide)).all()
    perfect = IntervalRegressor(max_iter=30).fit(wide, Ranges(y - 1, y + 1))
    assert perfect.scale_ < 0.1
    vacuous = Ranges(np.full(30, -np.inf), np.full(30, np.inf))
    mixed = Ranges(np.append(y, -np.inf), np.append(y + 1, np.inf))
    model = IntervalRegressor(LinearRegression(), scale=1.0).fit(np.append(X, [[9, 9]], 0), mixed)
    assert np.isfinite(model.predict(X)).all()
    with pytest.raises(NotIdentified, match="no finite lower end"):
        IntervalRegressor().fit(X, vacuous)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"y": Ranges([-np.inf] * 3, [1, 2, 3])}, "no finite lower end"),
        ({"y": Ranges([1, 2, 3], [np.inf] * 3)}, "no finite upper end"),
        ({"y": [[2, 1], [0, 1], [0, 1]]}, "wrong way round"),
        ({"y": [[np.nan, np.nan], [np.nan, 1], [np.nan, 3]]}, "no finite lower end"),
        ({"y": [[np.nan, np.nan]] * 3}, "positive weight"),
        ({"y": [[0, 1], [0, 1]]}, "2 rows.*3 rows"),
        ({"y": None}, "ranges"),
        ({"X": [[np.nan], [0], [1]]}, "NaN"),
        ({"weights": [0, 0, 0]}, "non-zero"),
        ({"y": Ranges([0, 1, 2], [1, 2, 3], [0, 0, 0])}, "positive weight"),
        ({"weights": [-1, 1, 1]}, "weight -1"),
        ({"noise": "gausian"}, "did you mean 'gaussian'"),
        ({"noise": None}, "logistic"),
        ({"scale": 0}, "scale"),
        ({"scale": "hold"}, "held-out"),
        ({"response": "median"}, "likelihood"),
        ({"step": 0.0}, "average"),
        ({"step": "mean"}, "average"),
        ({"folds": 1}, "at least 2"),
        ({"folds": 2.5}, "at least 2"),
        ({"folds": "2"}, "at least 2"),
        ({"folds": 4}, "4 rows or more"),
        ({"folds": 2, "warm_start": True, "estimator": Ridge()}, "no warm_start"),
        ({"max_iter": 0}, "at least 1"),
        ({"max_iter": 2.5}, "at least 1"),
        ({"tol": None}, "tol"),
        ({"scale": None}, "held-out"),
        ({"step": None}, "average"),
        ({"tol": -1.0}, "tol"),
        ({"estimator": LassoLars(), "response": "likelihood"}, "sample_weight; leave .*mean"),
    ],
)
def test_bad_input_is_refused(given, words):
    X = given.pop("X", [[0.0], [1.0], [2.0]])
    y = given.pop("y", [[0, 1], [1, 2], [2, np.inf]])
    weights = given.pop("weights", None)
    with pytest.raises(ValueError, match=words):
        IntervalRegressor(**given).fit(X, y, weights)


def test_a_noise_of_another_shape_is_taken():
    X, _, ranges = survey(60)
    assert IntervalRegressor(noise=StudentNoise(3)).fit(X, ranges).noise_ == StudentNoise(3)
    with pytest.raises(InputError, match=r"\(0, 1\)"):
        IntervalRegressor().fit(X, ranges).predict_interval(X, 1.0)


def test_binned_targets_are_ranges():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(60, 1))
    y = pd.cut(pd.Series(x[:, 0] + rng.normal(size=60) * 0.3), [-np.inf, -1, 0, 1, np.inf])
    binned, ends = IntervalRegressor().fit(x, y), IntervalRegressor().fit(x, Ranges(y))
    assert binned.predict(x[:5]) == pytest.approx(ends.predict(x[:5]))
