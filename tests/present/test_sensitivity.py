import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.errors import InputError
from askance.exact.table import Table
from askance.present.sensitivity import mean_without_random, pull_of_hostile, without_random

shares = st.lists(st.floats(0.01, 1), min_size=2, max_size=6).map(
    lambda parts: np.array(parts) / sum(parts)
)


@given(shares, st.floats(0, 0.9))
def test_mixing_random_answers_in_is_undone(careful, careless):
    mixed = (1 - careless) * careful + careless / len(careful)
    assert without_random(mixed, careless) == pytest.approx(careful)


@given(st.floats(-1e3, 1e3), st.floats(0, 0.9))
def test_mixing_random_numbers_in_is_undone(mean, careless):
    mixed = (1 - careless) * mean + careless * 40
    assert mean_without_random(mixed, 40, careless) == pytest.approx(mean, abs=1e-6)


def test_shares_stay_shares():
    assert without_random(np.array([0.01, 0.99]), 0.1).tolist() == [0, 1]


@pytest.mark.parametrize("careless", [-0.1, 1, float("nan")])
def test_an_impossible_share_is_refused(careless):
    with pytest.raises(InputError, match="careless"):
        without_random(np.array([0.5, 0.5]), careless)


def test_the_pull_is_what_the_worst_sender_achieves():
    """Against the estimator itself: all hostile reports on one column instead of another."""
    table = Table(10, ((6, 1, 3), (1, 6, 3)))
    inverse = np.linalg.pinv(np.array(table.rows, float).T / 10)
    moved = [
        (inverse @ (np.eye(3)[to] - np.eye(3)[start]))[0] * 0.01
        for to in range(3)
        for start in range(3)
    ]
    assert pull_of_hostile(table, 0, 0.01) == pytest.approx(max(moved))


def test_plain_answers_are_pulled_one_for_one():
    assert pull_of_hostile(Table(1, ((1, 0), (0, 1))), 0, 0.01) == pytest.approx(0.01)


def test_a_column_that_cannot_be_sent_pulls_nothing():
    narrow = Table(4, ((3, 1), (1, 3)))
    padded = Table(4, ((3, 1, 0), (1, 3, 0)))
    assert pull_of_hostile(padded, 0, 1) == pytest.approx(pull_of_hostile(narrow, 0, 1))
