import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.errors import InputError
from askance.present.findings import mean_without_random, without_random

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
