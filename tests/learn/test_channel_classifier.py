"""Classifiers of answers that were never seen: against likelihood, truth and scikit-learn."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import askance as ak
from askance.errors import InputError, NotIdentified
from askance.learn import (
    ChannelClassifier,
    IntervalRegressor,
    corrected_accuracy,
    corrected_brier,
)

YES = ak.Frame(["no", "yes"])
THREE = ak.Frame(["never", "once", "často"])


def told(rng, channel, answers):
    """Send each answer, by index, through the channel."""
    upto = channel.matrix.cumsum(axis=1)[answers]
    return np.array(channel.reports)[(rng.random(len(answers))[:, None] > upto).sum(axis=1)]


def people(n, channel, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    share = 1 / (1 + np.exp(0.5 - X @ [1.5, -1.0]))
    answers = (rng.random(n) < share).astype(int)
    return X, share, answers, told(rng, channel, answers)


@pytest.mark.long
def test_the_battery_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(ChannelClassifier(), on_skip=None, on_fail=None)
    failed = {one["check_name"] for one in results if one["status"] == "failed"}
    assert failed == set()
    assert len(results) > 40


@pytest.mark.parametrize(
    "channel",
    [
        ak.Warner(truth=0.8).channel(YES),
        ak.Abstain(truth=0.6, lie=0.1).channel(YES),
    ],
)
@pytest.mark.long
def test_em_climbs_to_the_logit_of_the_likelihood(channel):
    X, _, _, said = people(1500, channel)
    model = ChannelClassifier(
        LogisticRegression(C=1e8, tol=1e-10, max_iter=1000), channel, tol=1e-9, max_iter=5000
    )
    model.fit(X, said)
    direct = ak.response_regression(said, X, channel)
    assert model.loglik_ == pytest.approx(direct.log_likelihood, abs=1e-3)
    assert model.estimator_.coef_[0] == pytest.approx(-direct.value[1:], abs=2e-3)


@pytest.mark.long
def test_em_never_descends():
    channel = ak.Abstain(truth=0.5, lie=0.2).channel(YES)
    X, _, _, said = people(400, channel)
    climbed = [
        ChannelClassifier(
            LogisticRegression(C=1e8, tol=1e-10, max_iter=1000), channel, max_iter=steps, tol=0
        )
        .fit(X, said)
        .loglik_
        for steps in (1, 2, 4, 8, 16)
    ]
    assert all(np.diff(climbed) > -1e-6)


@pytest.mark.parametrize("method", ["em", "corrected"])
@pytest.mark.long
def test_both_methods_find_the_truth(method):
    channel = ak.KAry(truth=0.7).channel(THREE)
    rng = np.random.default_rng(5)
    X = rng.normal(size=(8000, 1))
    height = np.exp(X * [0, 1.0, -1.0])
    share = height / height.sum(axis=1, keepdims=True)
    answers = (rng.random(len(X))[:, None] > share.cumsum(axis=1)).sum(axis=1)
    model = ChannelClassifier(LogisticRegression(C=1e6), channel, method=method)
    model.fit(X, told(rng, channel, answers))
    assert model.classes_.tolist() == ["never", "once", "často"]
    assert np.abs(model.predict_proba(X) - share).mean() < 0.02
    assert set(model.predict(X)) <= {"never", "once", "často"}


@pytest.mark.long
def test_unseen_folds_keep_a_forest_from_believing_itself():
    channel = ak.Warner(truth=0.75).channel(YES)
    X, share, _, said = people(1500, channel)
    forest = RandomForestClassifier(30, min_samples_leaf=5, random_state=0)
    errors = []
    for folds in (0, 3):
        model = ChannelClassifier(forest, channel, folds=folds, max_iter=4).fit(X, said)
        errors.append(np.abs(model.predict_proba(X)[:, 1] - share).mean())
    assert errors[1] < errors[0]


def test_the_report_itself_is_evidence():
    channel = ak.Abstain(truth=0.6, lie=0.1).channel(YES)
    X, _, _, said = people(500, channel)
    model = ChannelClassifier(channel=channel).fit(X, said)
    before, after = model.predict_proba(X), model.predict_proba(X, reports=said)
    vague = said == "don't know"
    assert after[vague] == pytest.approx(before[vague])
    odds = after[said == "yes"] / before[said == "yes"]
    assert odds[:, 1] / odds[:, 0] == pytest.approx(6)
    assert after.sum(axis=1) == pytest.approx(1)


@pytest.mark.long
def test_pipelines_frames_weights_and_searches():
    channel = ak.Warner(truth=0.75).channel(YES)
    X, _, _, said = people(300, channel)
    frame = pd.DataFrame(X, columns=["age", "faith"])
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(
        ChannelClassifier(pipeline, channel, max_iter=10),
        {"estimator__logisticregression__C": [0.01, 1.0]},
        cv=3,
    ).fit(frame, said)
    assert np.isfinite(search.best_score_)
    twice = ChannelClassifier(channel=channel, tol=1e-9).fit(np.tile(X, (2, 1)), np.tile(said, 2))
    heavy = ChannelClassifier(channel=channel, tol=1e-9).fit(X, said, np.full(300, 2.0))
    assert heavy.predict_proba(X) == pytest.approx(twice.predict_proba(X), abs=1e-4)


@pytest.mark.long
def test_corrected_scores_are_unbiased_and_score_searches():
    channel = ak.Abstain(truth=0.6, lie=0.1).channel(YES)
    X, share, answers, said = people(40000, channel, seed=8)
    names = np.array(channel.frame.answers)
    guess = names[(share > 0.5).astype(int)]
    chances = np.column_stack([1 - share, share])
    brier = ((chances - np.eye(2)[answers]) ** 2).sum(axis=1).mean()
    hit = corrected_accuracy(said, guess, channel=channel)
    assert hit == pytest.approx((guess == names[answers]).mean(), abs=0.04)
    assert corrected_brier(said, chances, channel=channel) == pytest.approx(brier, abs=0.04)
    scorer = make_scorer(corrected_accuracy, channel=channel)
    found = cross_val_score(
        ChannelClassifier(channel=channel, max_iter=5), X[:900], said[:900], cv=3, scoring=scorer
    )
    assert found.mean() > 0.5


def test_every_average_over_reports_is_the_truth_exactly():
    for channel in (ak.Abstain(truth=0.6, lie=0.1).channel(YES), ak.KAry(truth=0.5).channel(THREE)):
        k = len(channel.frame)
        for truth in range(k):
            for guess in channel.frame.answers:
                mean = sum(
                    chance * corrected_accuracy([report], [guess], channel=channel)
                    for report, chance in zip(channel.reports, channel.matrix[truth], strict=True)
                )
                assert mean == pytest.approx(float(channel.frame.answers[truth] == guess))


def test_negative_weights_are_refused_by_name():
    channel = ak.Warner(truth=0.75).channel(YES)
    X, _, _, said = people(200, channel)
    with pytest.raises(InputError, match='method="em"'):
        ChannelClassifier(RandomForestClassifier(5), channel, method="corrected").fit(X, said)
    ChannelClassifier(GaussianNB(), channel, max_iter=3).fit(X, said)
    with pytest.raises(InputError, match="takes sample_weight; choose another learner"):
        ChannelClassifier(KNeighborsClassifier(), channel).fit(X, said)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"method": "guess"}, "method"),
        ({"folds": 1}, "^folds: "),
        ({"folds": -2}, "^folds: "),
        ({"folds": 3}, "^folds: .* to the number of rows, 2"),
        ({"max_iter": 0}, "^max_iter: "),
        ({"max_iter": None}, "^max_iter: "),
        ({"tol": -1}, "^tol: "),
        ({"channel": "warner"}, "^channel: .* Channel"),
    ],
)
def test_parameters_are_checked(change, match):
    channel = ak.Warner(truth=0.75).channel(YES)
    with pytest.raises(InputError, match=match):
        ChannelClassifier(**({"channel": channel} | change)).fit([[0.0], [1.0]], ["yes", "no"])


def test_reports_are_checked():
    channel = ak.Warner(truth=0.75).channel(YES)
    with pytest.raises(ValueError, match="weight -1"):
        ChannelClassifier(channel=channel).fit([[0.0], [1.0]], ["yes", "no"], [1.0, -1.0])
    with pytest.raises(InputError, match="maybe"):
        ChannelClassifier(channel=channel).fit([[0.0], [1.0]], ["yes", "maybe"])
    with pytest.raises(InputError, match="2 reports"):
        ChannelClassifier(channel=channel).fit([[0.0], [1.0]], ["yes"])
    plain = ak.Warner(truth=1).channel(YES)
    told = ChannelClassifier(channel=plain).fit([[0.0], [1.0]] * 20, ["yes", "no"] * 20)
    assert told.predict([[0.0], [1.0]]).tolist() == ["yes", "no"]
    never = ak.Channel(
        YES, {"yes": ["yes"], "no": ["no"], "hm": ["no"]}, [[0.75, 0.25, 0], [0.25, 0.75, 0]]
    )
    with pytest.raises(InputError, match=r"y\[1\]: got 'hm'; .* some answer can send"):
        ChannelClassifier(channel=never).fit([[0.0], [1.0]], ["yes", "hm"])
    with pytest.raises(InputError, match=r"^predicted: got '1 rows'"):
        corrected_accuracy(["yes", "no"], ["yes"], channel=channel)
    with pytest.raises(InputError, match=r"^chances: .*allowed: shape \(2, 2\)"):
        corrected_brier(["yes", "no"], [[0.5, 0.5]], channel=channel)
    flat = ak.Channel(YES, {"yes": ["yes"], "no": ["no"]}, [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(NotIdentified):
        ChannelClassifier(channel=flat).fit([[0.0], [1.0]], ["yes", "no"])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["pandas", "polars", "list", "csr"])
def test_rows_are_taken_from_every_kind_of_table(kind):
    """Folds and answers that weigh in part take rows by their places, some more than once."""
    import polars as pl
    from scipy.sparse import csr_array

    channel = ak.Abstain(truth=0.6, lie=0.1).channel(YES)
    rows, _, _, said = people(60, channel)
    made = {
        "pandas": lambda: pd.DataFrame(rows, columns=["a", "b"], index=np.arange(60)[::-1]),
        "polars": lambda: pl.DataFrame({"a": rows[:, 0], "b": rows[:, 1]}),
        "list": rows.tolist,
        "csr": lambda: csr_array(rows),
    }[kind]()
    ranges = ak.Ranges(rows[:, 0] - 1, rows[:, 0] + 2)
    for model, target in (
        (ChannelClassifier(channel=channel, max_iter=3), said),
        (ChannelClassifier(channel=channel, folds=2, max_iter=3), said),
        (IntervalRegressor(folds=2, max_iter=3, random_state=0), ranges),
    ):
        way = "predict_proba" if isinstance(model, ChannelClassifier) else "predict"
        told, wanted = (getattr(clone(model).fit(X, target), way)(X) for X in (made, rows))
        np.testing.assert_allclose(told, wanted, rtol=1e-6)
        assert np.ptp(wanted, axis=0).max() > 0.1
