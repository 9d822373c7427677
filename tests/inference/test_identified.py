"""What reports can tell apart, as a value and as a refusal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Channel, Frame, Tally
from askance.inference import estimate, identified
from askance_collect.errors import NotIdentified


def channel(rows):
    rows = np.asarray(rows, dtype=float)
    answers = [f"a{index}" for index in range(len(rows))]
    return Channel(
        Frame(answers), {f"r{index}": [answers[0]] for index in range(rows.shape[1])}, rows
    )


def test_warner_is_complete_with_its_condition():
    identified_result = identified(channel([[0.75, 0.25], [0.25, 0.75]]))
    assert identified_result.complete
    assert (
        identified_result.rank,
        identified_result.identified,
        identified_result.indistinguishable,
    ) == (2, ("a0", "a1"), ())
    assert identified_result.condition == pytest.approx(2)
    assert identified_result.weakest_contrast == pytest.approx([0.5**0.5, -(0.5**0.5)])


def test_equal_rows_are_named_and_the_other_share_is_known():
    identified_result = identified(
        channel([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.5, 0.25, 0.25]])
    )
    assert (identified_result.rank, identified_result.condition) == (2, float("inf"))
    assert identified_result.identified == ("a1",)
    assert identified_result.indistinguishable == ("a0 from a2",)


def test_rows_that_depend_but_for_rounding_are_not_told_apart():
    rows = np.random.default_rng(1).dirichlet(np.ones(4), 3)
    mixed = np.vstack([rows, [0.3, 0.3, 0.4] @ rows])
    identified_result = identified(channel(mixed))
    assert (identified_result.rank, identified_result.identified) == (3, ())
    assert np.abs(identified_result.null_contrasts @ mixed).max() < 1e-12


def test_more_answers_than_reports():
    identified_result = identified(channel([[1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]]))
    assert (
        identified_result.rank,
        len(identified_result.null_contrasts),
        identified_result.identified,
    ) == (2, 2, ())
    assert identified_result.null_contrasts @ np.array(
        [[1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]]
    ) == pytest.approx(0)


def test_one_answer_has_nothing_to_be_told_from():
    identified_result = identified(channel([[0.5, 0.5]]))
    assert identified_result.complete
    assert identified_result.weakest_contrast.tolist() == [0]


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32))
def test_rank_unseen_and_refusal_agree(k, m, seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 3, (k, m)) + np.eye(k, m)[:, rng.permutation(m)] + 0.0
    rows[rows.sum(axis=1) == 0, 0] = 1
    rows /= rows.sum(axis=1, keepdims=True)
    q = channel(rows)
    identified_result = identified(q)
    assert identified_result.rank == np.linalg.matrix_rank(rows, tol=1e-9)
    assert identified_result.null_contrasts @ rows == pytest.approx(
        np.zeros((k - identified_result.rank, m)), abs=1e-8
    )
    assert identified_result.null_contrasts.sum(axis=1) == pytest.approx(0, abs=1e-8)
    assert identified_result.weakest_contrast.sum() == pytest.approx(0, abs=1e-9)
    assert identified_result.to_dict()["complete"] is identified_result.complete
    if identified_result.complete:
        assert estimate(Tally(q, {})).reports == 0
    else:
        with pytest.raises(NotIdentified, match="cannot tell"):
            estimate(Tally(q, {}))
