"""Scores of predictions for ranges, and ranges in scikit-learn's own tools."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, cross_val_score, train_test_split

import askance as ak
from askance.learn import IntervalRegressor, concordance, interval_score
from askance_collect.errors import InputError


def test_ranges_survive_the_tools_of_scikit_learn():
    ranges = ak.Ranges.unions([[(i, i + 1), (i + 3, i + 4)] for i in range(10)])
    X = np.arange(10.0)[:, None]
    observed, unseen, first, second = train_test_split(X, ranges, test_size=0.3, random_state=0)
    assert (len(observed), len(first), len(unseen), len(second)) == (7, 7, 3, 3)
    assert first.lower[::2].tolist() == observed.ravel().tolist()
    for train, test in KFold(5).split(X, ranges):
        assert ranges[test].lower[::2].tolist() == test.tolist()
        assert len(ranges[train]) == 8


ENDS = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted)


@given(st.lists(st.tuples(ENDS, st.integers(0, 4)), min_size=2, max_size=12))
def test_concordance_is_the_share_of_ordered_pairs(rows):
    ends = np.array([[low, high] for (low, high), _ in rows], dtype=float)
    guess = np.array([item for _, item in rows], dtype=float)
    ranges = ak.Ranges(ends, closed="survival")
    pairs = [
        (guess[i] < guess[j]) + (guess[i] == guess[j]) / 2
        for i in range(len(rows))
        for j in range(len(rows))
        if ranges.upper[i] <= ranges.lower[j]
    ]
    if pairs:
        assert concordance(ranges, guess) == pytest.approx(np.mean(pairs))
    else:
        with pytest.raises(InputError, match="apart"):
            concordance(ranges, guess)


@given(st.floats(-5, 5), st.floats(0, 3), st.floats(-5, 5), st.floats(0.01, 4))
def test_the_interval_score_is_bounded_by_the_best_and_worst_truth(low, wide, start, width):
    truths = np.linspace(np.nextafter(start, np.inf), start + width, 41)
    scores = [wide + 20 * (max(low - y, 0) + max(y - low - wide, 0)) for y in truths]
    best, worst = interval_score([[start, start + width]], [[low, low + wide]])
    assert best <= min(scores) + 1e-9
    assert best == pytest.approx(min(scores), abs=20 * width / 40 + 1e-9)
    assert worst == pytest.approx(max(scores), abs=1e-9)


def test_unbounded_and_exact_ranges():
    best, worst = interval_score([[2, np.inf]], [[1, 3]])
    assert (best, worst) == (2, np.inf)
    best, worst = interval_score([5.0, 0.0], [[1, 3], [1, 3]], coverage=0.5)
    assert (best, worst) == pytest.approx((8, 8))  # 2 + 4·2 and 2 + 4·1, and their mean is 8


@pytest.mark.parametrize("predicted", [[[3, 1]], [1, 2], [[1, np.nan]]])
def test_intervals_are_checked(predicted):
    with pytest.raises(InputError, match="predicted"):
        interval_score([[0, 1]], predicted)


def test_predictions_are_checked():
    with pytest.raises(InputError, match="predicted"):
        concordance([[0, 1], [2, 3]], [1, np.nan])
    with pytest.raises(InputError, match="coverage"):
        interval_score([[0, 1]], [[0, 1]], coverage=1.0)


def test_scores_that_know_no_ranges_say_so():
    ranges = ak.Ranges(np.arange(30.0) % 5, np.arange(30.0) % 5 + 2)
    with pytest.raises(InputError, match=r"^Ranges: got 'ranges where numbers.*concordance"):
        cross_val_score(
            IntervalRegressor(),
            np.arange(30.0)[:, None],
            ranges,
            scoring="r2",
            cv=3,
            error_score="raise",
        )
