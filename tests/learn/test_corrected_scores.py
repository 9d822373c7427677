"""Scores against true answers from reports: all reports enumerated, scikit-learn, and truth."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    brier_score_loss,
    log_loss,
    make_scorer,
    mean_absolute_error,
    mean_squared_error,
    roc_auc_score,
)
from sklearn.model_selection import GridSearchCV, cross_val_score

import askance as ak
from askance.learn import (
    ChannelClassifier,
    IntervalRegressor,
    corrected_absolute_error,
    corrected_accuracy,
    corrected_auc,
    corrected_brier,
    corrected_log_loss,
    corrected_scorer,
    corrected_squared_error,
)
from askance_collect.errors import InputError

YES = ak.Frame(["yes", "no"])  # not sorted, as scikit-learn sorts it
THREE = ak.Frame(["never", "once", "često"])
ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(YES)
CHANNELS = [ak.Warner(truth="3/4").channel(YES), ABSTAIN, ak.KAry(truth="1/2").channel(THREE)]


def sorted_rows(channel):
    """The channel's rows in the order of sorted answers."""
    return channel.matrix[np.argsort(channel.frame.answers)]


def all_reports(channel, truth):
    """Every line of reports that some people can send, with its chance."""
    rows = sorted_rows(channel)
    for places in product(range(len(channel.reports)), repeat=len(truth)):
        chance = np.prod([rows[t, r] for t, r in zip(truth, places, strict=True)])
        if chance > 0:
            yield [channel.reports[r] for r in places], chance


def send(rng, channel, truth):
    upto = sorted_rows(channel).cumsum(axis=1)[truth]
    return np.array(channel.reports)[(rng.random(len(truth))[:, None] > upto).sum(axis=1)]


@pytest.mark.checked(
    "corrected_brier",
    "corrected_log_loss",
    by="scores of the truth by scikit-learn, all reports enumerated",
    value=1e-9,
)
@pytest.mark.long
@pytest.mark.parametrize("channel", CHANNELS)
def test_losses_average_to_those_of_the_truth(channel, within):
    rng, k = np.random.default_rng(4), len(channel.frame)
    chances, weight = rng.dirichlet(np.ones(k), 2), np.array([1.0, 2.5])
    names = np.sort(channel.frame.answers)
    guess = names[chances.argmax(axis=1)].tolist()
    for truth in product(range(k), repeat=2):
        brier = (((chances - np.eye(k)[list(truth)]) ** 2).sum(axis=1) @ weight) / weight.sum()
        loss = log_loss(truth, chances, labels=range(k), sample_weight=weight)
        hits = np.average(names[list(truth)] == guess, weights=weight)
        values = np.zeros(3)
        for reports, chance in all_reports(channel, truth):
            inputs = {"channel": channel, "sample_weight": weight}
            values += chance * np.array(
                [
                    corrected_brier(reports, chances, **inputs),
                    corrected_log_loss(reports, chances, **inputs),
                    corrected_accuracy(reports, guess, **inputs),
                ]
            )
        assert values == pytest.approx([brier, loss, hits], abs=1e-9)
        assert values[:2] == pytest.approx([brier, loss], rel=within.value, abs=0)


def pairs_counted(weights, score):
    """Weighed pairs in order, and all pairs: i of the second answer, j of the first."""
    ordered = pairs = Fraction(0)
    for i, j in product(range(len(score)), repeat=2):
        if i != j:
            pair = weights[i][1] * weights[j][0]
            pairs += pair
            ordered += pair * (Fraction(score[i] > score[j]) + Fraction(score[i] == score[j]) / 2)
    return ordered, pairs


@pytest.mark.long
def test_pairs_average_to_those_of_the_truth():
    """Numerator and denominator over all reports of four people, in fractions."""
    inverse = {  # what each report stands for: no, yes
        "yes": (Fraction(-1, 2), Fraction(3, 2)),
        "no": (Fraction(3, 2), Fraction(-1, 2)),
        "don't know": (Fraction(1, 2), Fraction(1, 2)),
    }
    rows = {
        0: {"no": Fraction(3, 5), "yes": Fraction(1, 10), "don't know": Fraction(3, 10)},
        1: {"yes": Fraction(3, 5), "no": Fraction(1, 10), "don't know": Fraction(3, 10)},
    }
    for report in inverse:
        mean = [sum(rows[t][r] * inverse[r][a] for r in inverse) for t in (0, 1) for a in (0, 1)]
        assert mean == [1, 0, 0, 1], report
    score, truth = [0.2, 0.4, 0.4, 0.9], (0, 1, 0, 1)
    means = [Fraction(0), Fraction(0)]
    for reports in product(inverse, repeat=4):
        chance = np.prod([rows[t][r] for t, r in zip(truth, reports, strict=True)])
        ordered, pairs = pairs_counted([inverse[r] for r in reports], score)
        means = [means[0] + chance * ordered, means[1] + chance * pairs]
        if pairs > 0:
            area = corrected_auc(reports, score, channel=ABSTAIN)
            assert area == pytest.approx(float(ordered / pairs), rel=1e-9)
        else:
            with pytest.raises(InputError, match=r"number of pairs.*fewer folds"):
                corrected_auc(reports, score, channel=ABSTAIN)
    assert means == [Fraction(7, 2), 4]  # of four pairs three in order, and one tied


@pytest.mark.long
def test_plain_answers_have_the_scores_of_scikit_learn():
    rng = np.random.default_rng(7)
    for frame in (YES, THREE):
        k, n = len(frame), 60
        channel = ak.KAry(truth=1).channel(frame)
        truth = rng.integers(k, size=n)
        chances = rng.dirichlet(np.ones(k), n).round(1)
        chances /= chances.sum(axis=1, keepdims=True)
        weight = rng.random(n)
        replies = np.sort(frame.answers)[truth]
        inputs = {"channel": channel, "sample_weight": weight}
        if k == 2:
            area = roc_auc_score(truth, chances[:, 1], sample_weight=weight)
            assert corrected_auc(replies, chances[:, 1], **inputs) == pytest.approx(area)
            half = brier_score_loss(truth, chances[:, 1], sample_weight=weight)
            assert corrected_brier(replies, chances[:, 1], **inputs) == pytest.approx(2 * half)
        area = corrected_auc(replies, chances, channel=channel)
        plain = chances[:, 1] if k == 2 else chances
        assert area == pytest.approx(roc_auc_score(truth, plain, multi_class="ovo"))
        loss = log_loss(truth, chances, labels=range(k), sample_weight=weight)
        assert corrected_log_loss(replies, chances, **inputs) == pytest.approx(loss)


@pytest.mark.long
def test_two_reports_stretch_the_area():
    """½ + (A − ½)/(1 − α − β), with the shares of wrong labels among reports of either kind."""
    rng = np.random.default_rng(8)
    channel = ak.Warner(truth=0.8).channel(YES)
    score = rng.random(20000)
    truth = (rng.random(20000) < score).astype(int)
    send_result = send(rng, channel, truth)
    plain = roc_auc_score(send_result == "yes", score)
    share = ((send_result == "yes").mean() - 0.2) / 0.6
    alpha = 0.2 * (1 - share) / (0.2 + 0.6 * share)
    beta = 0.2 * share / (0.8 - 0.6 * share)
    area = corrected_auc(send_result, score, channel=channel)
    assert area == pytest.approx(0.5 + (plain - 0.5) / (1 - alpha - beta), abs=1e-3)
    assert area == pytest.approx(roc_auc_score(truth, score), abs=0.03)
    assert abs(plain - roc_auc_score(truth, score)) > 0.1  # uncorrected


@pytest.mark.long
@pytest.mark.parametrize("channel", CHANNELS)
def test_scorers_find_the_score_against_the_truth(channel):
    """The same 40,000 rows against the truth, which no survey has."""
    rng, k = np.random.default_rng(9), len(channel.frame)
    X = rng.normal(size=(40000, 2))
    height = np.exp(X @ rng.normal(size=(2, k)))
    share = height / height.sum(axis=1, keepdims=True)
    truth = (rng.random(len(X))[:, None] > share.cumsum(axis=1)).sum(axis=1)
    send_result = send(rng, channel, truth)
    model = LogisticRegression().fit(X[:500], np.sort(channel.frame.answers)[truth[:500]])
    chances = model.predict_proba(X)
    expected = {
        "accuracy": (model.predict(X) == np.sort(channel.frame.answers)[truth]).mean(),
        "auc": roc_auc_score(truth, chances[:, 1] if k == 2 else chances, multi_class="ovo"),
        "brier": -((chances - np.eye(k)[truth]) ** 2).sum(axis=1).mean(),
        "log_loss": -log_loss(truth, chances),
    }
    for name, value in expected.items():
        assert corrected_scorer(name, channel=channel)(model, X, send_result) == pytest.approx(
            value, abs=0.04
        )


@pytest.mark.long
@pytest.mark.parametrize("codes", [None, {7: "yes", 3: "no", 9: "don't know"}])
def test_a_search_chooses_by_the_truth(codes):
    """Reports that say nothing are scored too."""
    rng = np.random.default_rng(10)
    X = rng.normal(size=(600, 3))
    truth = (X[:, 0] + 0.3 * rng.normal(size=600) > 0).astype(int)
    send_result = send(rng, ABSTAIN, truth)
    if codes is not None:
        send_result = np.array(
            [{name: code for code, name in codes.items()}[item] for item in send_result]
        )
    model = ChannelClassifier(channel=ABSTAIN, codes=codes, max_iter=2)
    grid = {"estimator": [LogisticRegression(C=C) for C in (1e-6, 1.0)]}
    for name in ("accuracy", "auc", "brier", "log_loss"):
        scorer = corrected_scorer(name, channel=ABSTAIN, codes=codes)
        search = GridSearchCV(model, grid, cv=3, scoring=scorer, error_score="raise")
        search.fit(X, send_result)
        assert search.best_params_["estimator"].C == 1.0 or name == "auc"
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.predict(X).tolist()[0] in ({"yes", "no"} if codes is None else {7, 3})


@pytest.mark.parametrize("predicted", [-2.0, 3.0, 7.25, 12.0])
@pytest.mark.parametrize("answer", [0.0, 3.0, 9.5, 10.0])
def test_errors_average_over_the_cut_to_those_of_the_number(predicted, answer):
    """Gauss–Legendre over each stretch where the integrand is smooth."""
    nodes, weights = np.polynomial.legendre.leggauss(3)
    places = np.unique([0.0, 10.0, answer, min(max(predicted, 0.0), 10.0)])
    values = np.zeros(2)
    for low, high in pairwise(places):
        for node, weight in zip(nodes, weights, strict=True):
            cut = (low + high) / 2 + (high - low) / 2 * node
            observed = [-np.inf, cut] if answer <= cut else [cut, np.inf]
            scores = [
                score([observed], [predicted], support=(0, 10))
                for score in (corrected_squared_error, corrected_absolute_error)
            ]
            values += weight * (high - low) / 20 * np.array(scores)
    wanted = [(answer - predicted) ** 2, abs(answer - predicted)]
    assert values == pytest.approx(wanted, abs=1e-9)


@pytest.mark.long
def test_errors_score_searches_of_regressors():
    rng = np.random.default_rng(11)
    X = rng.uniform(0, 10, (20000, 1))
    y = (0.5 * X[:, 0] + 2.5 + rng.uniform(-2, 2, 20000)).clip(0, 10)
    cut = rng.uniform(0, 10, 20000)
    ranges = ak.Ranges(np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut))
    fitted = 0.5 * X[:, 0] + 2
    expected = (mean_squared_error(y, fitted), mean_absolute_error(y, fitted))
    scores = (corrected_squared_error, corrected_absolute_error)
    for score, value in zip(scores, expected, strict=True):
        assert score(ranges, fitted, support=(0, 10)) == pytest.approx(value, abs=0.3)
        scorer = make_scorer(score, greater_is_better=False, support=(0, 10))
        val_score = cross_val_score(
            IntervalRegressor(max_iter=5), X, ranges, scoring=scorer, cv=3, error_score="raise"
        )
        assert val_score.mean() == pytest.approx(
            -expected[0] if score is scores[0] else -expected[1], abs=0.6
        )
    heavy = corrected_squared_error(ranges[:9], fitted[:9], support=(0, 10), sample_weight=[2] * 9)
    assert heavy == pytest.approx(corrected_squared_error(ranges[:9], fitted[:9], support=(0, 10)))


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda q: corrected_accuracy(["yes"], ["yes", "no"], channel=q), r"^predicted: got '2 r"),
        (lambda q: corrected_brier(["yes"], [[0.5, 0.3, 0.2]], channel=q), r"\(1, 2\), or \(1,\)"),
        (lambda q: corrected_brier([None], [0.5], channel=q), r"^reports\[0\]: got 'nothing'"),
        (lambda q: corrected_log_loss(["yes"], [1.5], channel=q), r"^chances: .*allowed: \[0, 1"),
        (lambda q: corrected_auc(["yes"], [np.nan], channel=q), r"^chances\[0\]: .* none missing"),
        (lambda q: corrected_auc(["yes"], [0.5], channel=q), "more rows, or fewer folds"),
        (lambda q: corrected_scorer("roc", channel=q), '"auc"'),
        (lambda _: corrected_squared_error([[1, 2]], [1], support=(0, 10)), "one cut in"),
        (lambda _: corrected_squared_error([[1, 11]], [1], support=(3, 0)), r"^support\.support"),
        (lambda _: corrected_absolute_error([[1, 11]], [[1]], support=(0, 9)), "one column"),
    ],
)
def test_what_cannot_be_scored_is_refused(call, match):
    with pytest.raises(InputError, match=match):
        call(CHANNELS[0])
