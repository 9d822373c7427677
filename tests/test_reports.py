"""Reports are named, not numbered, wherever they are taken."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import askance as ak
from askance.learn import ChannelClassifier, corrected_accuracy, corrected_brier

NO_FIRST = ak.Warner(truth=0.75).channel(ak.Frame(["no", "yes"]))
N = 200
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, 1))
ONES = (RNG.random(N) < 1 / (1 + np.exp(-X[:, 0]))).astype(int)
NAMES = [("no", "yes")[item] for item in ONES]
OUTCOME = X[:, 0] + ONES + RNG.normal(size=N)
CODES = {1: "yes", 0: "no"}


def by_formula(
    data: Any, codes: Any = None, clusters: Any = None
) -> ak.inference.ResponseRegression:
    return ak.response_regression(
        "said", "~ x", NO_FIRST, data=data, codes=codes, clusters=clusters
    )


def classifier(codes: Any) -> ChannelClassifier:
    return ChannelClassifier(LogisticRegression(C=1e3), NO_FIRST, max_iter=3, codes=codes)


TAKERS: dict[str, Callable[[Any, Any], Any]] = {
    "response_regression": lambda replies, codes: (
        ak.response_regression(replies, X, NO_FIRST, codes=codes).value
    ),
    "grouped": lambda reply, codes: (
        ak.response_regression(
            reply, X, [NO_FIRST, NO_FIRST], group=np.arange(N) % 2, codes=codes
        ).value
    ),
    "outcome_regression": lambda said, codes: (
        ak.inference.outcome_regression(OUTCOME, said, X, NO_FIRST, codes=codes).value
    ),
    "paired_regression": lambda said, codes: (
        ak.inference.paired_regression(
            {"a": said, "b": NAMES[::-1]}, X, {"a": NO_FIRST, "b": NO_FIRST}, codes=codes
        ).value
    ),
    "formula": lambda said, codes: by_formula({"said": said, "x": X[:, 0]}, codes).value,
    "ChannelClassifier.fit": lambda said, codes: (
        classifier(codes).fit(X, said).predict_proba(X[:5])
    ),
    "ChannelClassifier.score": lambda said, codes: classifier(codes).fit(X, NAMES).score(X, said),
    "ChannelClassifier.predict_proba": lambda said, codes: (
        classifier(codes).fit(X, NAMES).predict_proba(X, reports=said)
    ),
    "corrected_accuracy": lambda said, codes: corrected_accuracy(
        said, ["yes"] * N, channel=NO_FIRST, codes=codes
    ),
    "corrected_brier": lambda said, codes: corrected_brier(
        said, [[0.5, 0.5]] * N, channel=NO_FIRST, codes=codes
    ),
}

NUMBERS: dict[str, Any] = {
    "array": ONES,
    "list": ONES.tolist(),
    "floats": ONES.astype(float),
    "truths": ONES.astype(bool),
    "series": pd.Series(ONES),
    "nullable": pd.Series(ONES, dtype="Int64"),
    "categories": pd.Series(ONES, dtype="category"),
    "polars": pl.Series(ONES),
    "objects": ONES.astype(object),
    "masked": np.ma.array(ONES),
}


@pytest.mark.long
@pytest.mark.parametrize("taker", TAKERS.values(), ids=list(TAKERS))
def test_numbers_are_no_reports_unless_it_is_said_what_they_stand_for(taker):
    """Here a 1 taken for a column would be right; wrong, if the frame began with yes."""
    for name, numbers in NUMBERS.items():
        with pytest.raises(ak.errors.InputError, match="codes=") as caught:
            taker(numbers, None)
        assert "[0]" in caught.value.where, name
    np.testing.assert_array_equal(taker(ONES, CODES), taker(NAMES, None))
    np.testing.assert_array_equal(taker(NUMBERS["truths"], CODES), taker(NAMES, None))
    with pytest.raises(ak.errors.InputError, match=r"got 'maybe'"):
        taker(ONES, {1: "maybe", 0: "no"})
    with pytest.raises(ak.errors.InputError, match=r"\[0\]: got .; .*codes"):
        taker(ONES, {5: "yes"})
    for strange in ("yes", {"yes": 1}, np.array([NAMES, NAMES]), 3, {"yes", "no"}):
        with pytest.raises(ak.errors.InputError):
            taker(strange, None)


@pytest.mark.parametrize("name", ["array", "series", "nullable", "polars", "masked"])
def test_whatever_holds_codes(name):
    fit = ak.response_regression(NUMBERS[name], X, NO_FIRST, codes=CODES)
    np.testing.assert_array_equal(fit.value, ak.response_regression(NAMES, X, NO_FIRST).value)


def test_labels_that_look_like_numbers_are_words_too():
    q = ak.Warner(truth=0.75).channel(ak.Frame(["1", "0"]))
    with pytest.raises(ak.errors.InputError, match="codes="):
        ak.response_regression(ONES, X, q)
    fit = ak.response_regression(ONES, X, q, codes={1: "1", 0: "0"})
    same = ak.response_regression(ONES.astype(str), X, q)
    np.testing.assert_array_equal(fit.value, same.value)
    with pytest.raises(ak.errors.InputError):
        ak.Tally(q, {1: 3})


def test_what_is_missing_is_a_blank_however_it_is_written():
    plain = ak.response_regression([None, *NAMES[1:]], X, NO_FIRST).value
    masked = np.ma.array(NAMES, mask=np.arange(N) == 0)
    for replies in (
        [float("nan"), *NAMES[1:]],
        [pd.NA, *NAMES[1:]],
        pd.Series([pd.NA, *NAMES[1:]], dtype="string"),
        pd.Series([None, *NAMES[1:]], dtype="category"),
        pl.Series([None, *NAMES[1:]]),
        masked,
    ):
        np.testing.assert_array_equal(ak.response_regression(replies, X, NO_FIRST).value, plain)
        data = {"said": replies, "x": X[:, 0]}
        np.testing.assert_array_equal(by_formula(data).value, plain)
        with pytest.raises(ak.errors.InputError, match=r"y\[0\]: got 'nothing'"):
            classifier(None).fit(X, replies)
    with_codes = ak.response_regression([9, *ONES[1:]], X, NO_FIRST, codes={**CODES, 9: None})
    np.testing.assert_array_equal(with_codes.value, plain)


def test_each_question_of_a_pair_may_have_codes_of_its_own():
    pair = {"a": NO_FIRST, "b": NO_FIRST}
    plain = ak.inference.paired_regression({"a": NAMES, "b": NAMES[::-1]}, X, pair)
    coded = ak.inference.paired_regression(
        {"a": ONES, "b": 2 - ONES[::-1]}, X, pair, codes={"a": CODES, "b": {1: "yes", 2: "no"}}
    )
    np.testing.assert_array_equal(coded.value, plain.value)
    with pytest.raises(ak.errors.InputError, match=r"reports\['b'\]\[0\]"):
        ak.inference.paired_regression({"a": NAMES, "b": ONES}, X, pair)


@pytest.mark.parametrize(
    ("covariates", "match"),
    [
        (np.ma.array(X, mask=np.arange(N)[:, None] == 7), "x1 missing or infinite in row 7"),
        (pd.DataFrame({"x": pd.array([pd.NA, *X[1:, 0]], dtype="Float64")}), "in row 0"),
        (np.arange(N)[:, None].astype("datetime64[D]"), "covariates: .*years since"),
        (pd.DataFrame({"x": pd.date_range("2020", periods=N)}), "covariates: .*years since"),
        (X.astype(str), "covariates: .*numbers"),
        (X + 1j, "covariates: .*numbers"),
    ],
)
def test_covariates_that_are_no_numbers_are_refused(covariates, match):
    with pytest.raises(ak.errors.InputError, match=match):
        ak.response_regression(NAMES, covariates, NO_FIRST)
    with pytest.raises(ak.errors.InputError):
        ak.censored_regression(ak.Ranges(OUTCOME - 1, OUTCOME + 1), covariates)


def test_dates_and_holes_in_a_formula_are_refused():
    dates = {"said": NAMES, "x": pd.date_range("2020", periods=N)}
    with pytest.raises(
        ak.errors.InputError, match=r"data\['x'\]: got 'a date in row 0'.*years since"
    ):
        by_formula(pd.DataFrame(dates))
    holes = {"said": NAMES, "x": pd.array([pd.NA, *X[1:, 0]], dtype="Float64")}
    with pytest.raises(ak.errors.InputError, match=r"data\['x'\]: got 'nothing in row 0'"):
        by_formula(pd.DataFrame(holes))


def test_rows_that_are_named_differently_are_not_paired_by_place():
    series, frame = pd.Series(NAMES), pd.DataFrame(X)
    turned = series[::-1]
    with pytest.raises(ak.errors.InputError, match=r"^covariates: got 'another index.*\.to_numpy"):
        ak.response_regression(turned, frame, NO_FIRST)
    with pytest.raises(ak.errors.InputError, match=r"^weights: got 'another index"):
        ak.response_regression(
            series, frame, NO_FIRST, weights=pd.Series(np.ones(N), index=turned.index)
        )
    with pytest.raises(ak.errors.InputError, match=r"^clusters: got 'another index"):
        by_formula(pd.DataFrame({"said": NAMES, "x": X[:, 0]}), clusters=turned)
    with pytest.raises(
        ak.errors.InputError, match=r"^reports: got 'another index than that of outcome"
    ):
        ak.inference.outcome_regression(pd.Series(OUTCOME), turned, X, NO_FIRST)
    with pytest.raises(ak.errors.InputError, match=r"^reports\['b'\]: got .another index"):
        ak.inference.paired_regression(
            {"a": series, "b": turned}, X, {"a": NO_FIRST, "b": NO_FIRST}
        )
    same = ak.response_regression(turned.to_numpy(), frame.iloc[::-1], NO_FIRST)
    np.testing.assert_allclose(same.value, ak.response_regression(series, frame, NO_FIRST).value)


def test_clusters_that_are_missing_are_refused():
    for labels in ([float("nan"), *range(1, N)], np.ma.array(range(N), mask=np.arange(N) == 0)):
        with pytest.raises(ak.errors.InputError, match=r"clusters\[0\]: got 'nothing'"):
            ak.response_regression(NAMES, X, NO_FIRST, clusters=labels)


def test_a_classifier_says_the_chance_of_answers_it_was_taught_plainly_and_forgets_nothing():
    plain = ChannelClassifier().fit(X, NAMES)
    before = {name: repr(value) for name, value in vars(plain).items()}
    predicted = plain.predict_proba(X[:2], reports=["yes", "yes"])
    assert predicted.tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert {name: repr(value) for name, value in vars(plain).items()} == before
    assert len(plain.predict(X)) == N
    with pytest.raises(ak.errors.InputError, match=r"reports\[1\]: got 'maybe'; allowed: no, yes"):
        plain.predict_proba(X[:2], reports=["yes", "maybe"])
