"""Classifiers of answers that were never seen: against likelihood, truth and scikit-learn."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

import askance as ak
from askance.learn import (
    ChannelClassifier,
    IntervalRegressor,
    corrected_accuracy,
    corrected_brier,
)
from askance_collect.errors import InputError, NotIdentified

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
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert failed == set()
    assert len(results) > 40


class Reporting(ClassifierMixin, BaseEstimator):
    """A classifier behind a channel whose frame is whatever labels come, backwards.

    The battery makes labels of its own. Names are taken as they are; of all other labels each is
    the code of a name.
    """

    def __init__(self, method="em"):
        self.method = method

    def fit(self, X, y, sample_weight=None):
        validate_data(self, X, skip_check_array=True)
        check_classification_targets(y)
        labels = np.unique(column_or_1d(y, warn=True))[::-1].tolist()
        named = all(isinstance(label, str) for label in labels)
        names = labels if named else [f"answer {label}" for label in labels]
        if len(names) < 2:
            raise ValueError("one class: no channel tells one answer from itself")
        channel = ak.KAry(truth=0.98).channel(ak.Frame(names))
        codes = None if named else dict(zip(labels, names, strict=True))
        model = ChannelClassifier(channel=channel, method=self.method, codes=codes, max_iter=2)
        self.model_ = model.fit(X, y, sample_weight)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        check_is_fitted(self)
        return self.model_.predict(X)

    def predict_proba(self, X):
        check_is_fitted(self)
        return self.model_.predict_proba(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@pytest.mark.parametrize("method", ["em", "corrected"])
@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_the_battery_of_scikit_learn_behind_a_channel(method):
    """Names and codes both: the battery fits texts and numbers."""
    results = check_estimator(Reporting(method), on_skip=None, on_fail=None)
    assert [result["check_name"] for result in results if result["status"] == "failed"] == []
    assert len(results) > 40


@pytest.mark.long
@pytest.mark.parametrize("answers", [["yes", "no"], ["no", "yes"]])
@pytest.mark.parametrize("method", ["em", "corrected"])
@pytest.mark.parametrize("codes", [None, {1: "yes", 0: "no"}, {-1: "yes", 1: "no"}])
def test_classes_are_sorted_whatever_the_order_of_the_frame(answers, method, codes):
    """Once they stood in the order of the frame, and scorers took the first for the second."""
    channel = ak.Warner(truth=0.8).channel(ak.Frame(answers))
    X, _, _, replies = people(300, channel)
    yes = replies == "yes"
    if codes is not None:
        code = {name: value for value, name in codes.items()}
        replies = np.where(yes, code["yes"], code["no"])
    model = ChannelClassifier(channel=channel, method=method, codes=codes, max_iter=3)
    model.fit(X, replies)
    assert model.classes_.tolist() == np.unique(replies).tolist()
    assert set(model.predict(X).tolist()) <= set(replies.tolist())
    positive = replies == model.classes_[1]
    assert roc_auc_score(positive, model.predict_proba(X)[:, 1]) > 0.5
    scores = cross_val_score(model, X, replies, cv=3, scoring="roc_auc", error_score="raise")
    assert scores.min() > 0.5


@pytest.mark.parametrize(
    "channel",
    [
        ak.Warner(truth=0.8).channel(YES),
        ak.Abstain(truth=0.6, lie=0.1).channel(YES),
    ],
)
@pytest.mark.long
def test_em_climbs_to_the_logit_of_the_likelihood(channel):
    X, _, _, replies = people(1500, channel)
    model = ChannelClassifier(
        LogisticRegression(C=1e8, tol=1e-10, max_iter=1000), channel, tol=1e-9, max_iter=5000
    )
    model.fit(X, replies)
    direct = ak.response_regression(replies, X, channel)
    assert model.loglik_ == pytest.approx(direct.log_likelihood, abs=1e-3)
    assert model.estimator_.coef_[0] == pytest.approx(-direct.value[1:], abs=2e-3)


@pytest.mark.long
def test_em_never_descends():
    channel = ak.Abstain(truth=0.5, lie=0.2).channel(YES)
    X, _, _, replies = people(400, channel)
    climbed = [
        ChannelClassifier(
            LogisticRegression(C=1e8, tol=1e-10, max_iter=1000), channel, max_iter=steps, tol=0
        )
        .fit(X, replies)
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
    assert model.classes_.tolist() == ["never", "once", "často"]  # sorted by code point
    assert np.abs(model.predict_proba(X) - share).mean() < 0.02
    assert set(model.predict(X)) <= {"never", "once", "často"}


@pytest.mark.long
def test_unseen_folds_keep_a_forest_from_believing_itself():
    channel = ak.Warner(truth=0.75).channel(YES)
    X, share, _, replies = people(1500, channel)
    forest = RandomForestClassifier(30, min_samples_leaf=5, random_state=0)
    errors = []
    for folds in (0, 3):
        model = ChannelClassifier(forest, channel, folds=folds, max_iter=4).fit(X, replies)
        errors.append(np.abs(model.predict_proba(X)[:, 1] - share).mean())
    assert errors[1] < errors[0]


def test_the_report_itself_is_evidence():
    channel = ak.Abstain(truth=0.6, lie=0.1).channel(YES)
    X, _, _, replies = people(500, channel)
    model = ChannelClassifier(channel=channel).fit(X, replies)
    before, after = model.predict_proba(X), model.predict_proba(X, reports=replies)
    vague = replies == "don't know"
    assert after[vague] == pytest.approx(before[vague])
    odds = after[replies == "yes"] / before[replies == "yes"]
    assert odds[:, 1] / odds[:, 0] == pytest.approx(6)
    assert after.sum(axis=1) == pytest.approx(1)


@pytest.mark.long
def test_pipelines_frames_weights_and_searches():
    channel = ak.Warner(truth=0.75).channel(YES)
    X, _, _, replies = people(300, channel)
    frame = pd.DataFrame(X, columns=["age", "faith"])
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(
        ChannelClassifier(pipeline, channel, max_iter=10),
        {"estimator__logisticregression__C": [0.01, 1.0]},
        cv=3,
    ).fit(frame, replies)
    assert np.isfinite(search.best_score_)
    twice = ChannelClassifier(channel=channel, tol=1e-9).fit(
        np.tile(X, (2, 1)), np.tile(replies, 2)
    )
    heavy = ChannelClassifier(channel=channel, tol=1e-9).fit(X, replies, np.full(300, 2.0))
    assert heavy.predict_proba(X) == pytest.approx(twice.predict_proba(X), abs=1e-4)


def numbered(channel, replies):
    """Number reports, answers first: what an encoder of labels leaves as it is."""
    answers = channel.frame.answers
    names = [*answers, *(report for report in channel.reports if report not in answers)]
    code = {name: index for index, name in enumerate(names)}
    return {value: name for name, value in code.items()}, np.array(
        [code[report] for report in replies]
    )


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Number of classes in training fold")  # no fold says don't know
@pytest.mark.parametrize(
    "channel", [ak.Warner(truth=0.8).channel(YES), ak.Abstain(truth=0.6, lie=0.1).channel(YES)]
)
def test_other_estimators_take_it_in(channel):
    """Voting, stacking and folds, with reports that are no answers too."""
    X, _, answers, replies = people(1500, channel)
    codes, y = numbered(channel, replies)
    model = ChannelClassifier(channel=channel, codes=codes, max_iter=5)
    pair = [("line", model), ("naive", clone(model).set_params(estimator=GaussianNB()))]
    outer = [VotingClassifier(pair, voting=voting) for voting in ("soft", "hard")]
    stacked = "predict_proba" if len(codes) == 2 else "predict"
    outer.append(StackingClassifier(pair, clone(model), cv=3, stack_method=stacked))
    for item in outer:
        predicted = item.fit(X, y).predict(X)
        assert set(predicted.tolist()) == {0, 1}
        assert accuracy_score(answers, predicted) > 0.75
    assert roc_auc_score(answers, outer[0].predict_proba(X)[:, 1]) > 0.8
    chances = cross_val_predict(model, X, y, cv=3, method="predict_proba")
    assert roc_auc_score(answers, chances[:, 1]) > 0.8


@pytest.mark.long
def test_it_takes_others_in():
    """Inside, voters, stacks and calibrators see answers, and not reports."""
    channel = ak.Abstain(truth=0.6, lie=0.1).channel(YES)
    X, share, answers, replies = people(1500, channel)
    pair = [("line", LogisticRegression()), ("naive", GaussianNB())]
    inner = [
        VotingClassifier(pair, voting="soft"),
        StackingClassifier(pair, LogisticRegression(), cv=3),
        CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=3),
    ]
    for item in inner:
        model = ChannelClassifier(item, channel, max_iter=5).fit(X, replies)
        assert np.abs(model.predict_proba(X)[:, 1] - share).mean() < 0.12
        assert accuracy_score(np.array(["no", "yes"])[answers], model.predict(X)) > 0.75


@pytest.mark.long
def test_calibration_outside_is_against_reports():
    """The chance that a report says yes: 1/4 and half the chance that it is so."""
    channel = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
    X, share, _, replies = people(4000, channel)
    backwards = ak.Warner(truth=0.75).channel(ak.Frame(["yes", "no"]))
    model = CalibratedClassifierCV(ChannelClassifier(channel=backwards, max_iter=5), cv=3)
    chances = model.fit(X, replies).predict_proba(X)[:, 1]
    assert model.classes_.tolist() == ["no", "yes"]
    assert np.abs(chances - (0.25 + share / 2)).mean() < 0.05


def test_a_fault_of_the_rows_is_not_laid_on_the_weights():
    channel = ak.Warner(truth=0.75).channel(YES)
    model = ChannelClassifier(channel=channel, method="corrected")
    with pytest.raises(ValueError, match="contains NaN"):
        model.fit([[0.0], [np.nan]], ["yes", "no"])


def test_negative_weights_are_refused_by_name():
    channel = ak.Warner(truth=0.75).channel(YES)
    X, _, _, replies = people(200, channel)
    with pytest.raises(InputError, match='method="em"'):
        ChannelClassifier(RandomForestClassifier(5), channel, method="corrected").fit(X, replies)
    ChannelClassifier(GaussianNB(), channel, max_iter=3).fit(X, replies)
    with pytest.raises(InputError, match="takes sample_weight; choose another learner"):
        ChannelClassifier(KNeighborsClassifier(), channel).fit(X, replies)


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
    with pytest.raises(InputError) as blank:
        ChannelClassifier(channel=channel).fit([[0.0], [1.0]], ["yes", None])
    assert str(blank.value) == (
        "y[1]: got 'nothing'; allowed: no, yes; leave rows without a report out"
    )
    with pytest.raises(InputError, match=r"y\[1\]: got 'maybe'; allowed: no, yes$"):
        ChannelClassifier(channel=channel).fit([[0.0], [1.0]], ["yes", "maybe"])
    coded = ChannelClassifier(channel=channel, codes={1: "yes", 0: "no", 9: None})
    with pytest.raises(InputError, match=r"y\[0\]: got 'nothing'; .*by codes: 1, 0; leave rows"):
        coded.fit([[0.0], [1.0]], [9, 1])
    with pytest.raises(InputError, match="2 reports"):
        ChannelClassifier(channel=channel).fit([[0.0], [1.0]], ["yes"])
    plain = ak.Warner(truth=1).channel(YES)
    fitted = ChannelClassifier(channel=plain).fit([[0.0], [1.0]] * 20, ["yes", "no"] * 20)
    assert fitted.predict([[0.0], [1.0]]).tolist() == ["yes", "no"]
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
    rows, _, _, replies = people(60, channel)
    created = {
        "pandas": lambda: pd.DataFrame(rows, columns=["a", "b"], index=np.arange(60)[::-1]),
        "polars": lambda: pl.DataFrame({"a": rows[:, 0], "b": rows[:, 1]}),
        "list": rows.tolist,
        "csr": lambda: csr_array(rows),
    }[kind]()
    ranges = ak.Ranges(rows[:, 0] - 1, rows[:, 0] + 2)
    for model, target in (
        (ChannelClassifier(channel=channel, max_iter=3), replies),
        (ChannelClassifier(channel=channel, folds=2, max_iter=3), replies),
        (IntervalRegressor(folds=2, max_iter=3, random_state=0), ranges),
    ):
        text = "predict_proba" if isinstance(model, ChannelClassifier) else "predict"
        result, wanted = (getattr(clone(model).fit(X, target), text)(X) for X in (created, rows))
        np.testing.assert_allclose(result, wanted, rtol=1e-6)
        assert np.ptp(wanted, axis=0).max() > 0.1
