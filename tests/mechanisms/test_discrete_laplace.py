"""Discrete Laplace noise: its law by its definition, its loss on the integers that are drawn."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Frame, local_loss, parse_survey, privatise, publish
from askance.mechanisms import DiscreteLaplace, TableMechanism, answer_mechanism
from askance.survey import deployed
from askance_collect.errors import InputError


def numbers(k: int) -> Frame:
    return Frame([str(index) for index in range(k)])


def clamped(alpha: F, k: int, start: int) -> list[F]:
    """Move a number by each Z and hold it on the grid; what lies far out is a geometric sum."""
    far, law = 3 * k, [F(0)] * k
    for z in range(-far, far + 1):
        law[min(max(start + z, 0), k - 1)] += (1 - alpha) / (1 + alpha) * alpha ** abs(z)
    tail = alpha ** (far + 1) / (1 + alpha)  # beyond far on one side
    law[0] += tail
    law[-1] += tail
    return law


@pytest.mark.long
@given(st.fractions("1/20", "19/20", max_denominator=20), st.integers(2, 9))
def test_the_law_is_noise_that_is_held_on_the_grid(alpha: F, k: int) -> None:
    channel = DiscreteLaplace(decay=alpha).channel(numbers(k))
    fine = (alpha.numerator + alpha.denominator) * alpha.denominator ** (k - 2) <= 2**48
    for index in range(k):
        law, own = clamped(alpha, k, index), channel.table.row(index)
        assert list(own) == law if fine else np.allclose(own, law, rtol=1e-6, atol=0)


@pytest.mark.long
@given(
    st.one_of(st.fractions("1/1000", "999/1000"), st.just(F(1, 2**40))),
    st.integers(2, 60),
)
def test_neighbours_never_differ_by_more_than_the_decay(alpha: F, k: int) -> None:
    table = DiscreteLaplace(decay=alpha).channel(numbers(k)).table
    assert table.total <= 2**48
    for row, next_ in zip(table.rows, table.rows[1:], strict=False):
        for first, second in zip(row, next_, strict=True):
            assert min(first, second) >= 1
            assert alpha * max(first, second) <= min(first, second)


@pytest.mark.long
@given(st.fractions("11/10", 1000), st.integers(2, 60))
def test_a_level_is_kept_and_nearly_reached(ratio: F, k: int) -> None:
    loss = local_loss(DiscreteLaplace.at_epsilon(ratio=ratio).channel(numbers(k))).value
    assert loss <= ratio
    assert loss == pytest.approx(float(ratio), rel=1e-6)


def test_roots_that_are_fractions_are_found() -> None:
    recipe = DiscreteLaplace.at_epsilon(ratio=F(9, 4))
    assert recipe.on(numbers(3)) == DiscreteLaplace(decay="2/3")
    assert recipe.parameters() == {"ratio": "9/4"}
    assert DiscreteLaplace(decay="2/3").parameters() == {"decay": "2/3"}
    assert local_loss(recipe.channel(numbers(3))).value == F(9, 4)


def test_the_coin_draws_from_it() -> None:
    channel = DiscreteLaplace.at_epsilon(4).channel(numbers(41))
    sent_reports = privatise(channel, ["20"] * 4000, coin=True)
    assert len(set(sent_reports)) > 20  # of numbers that come with some hundredths each
    assert set(sent_reports) <= set(channel.reports)


@pytest.mark.parametrize("decay", [0, 1, "3/2", "x"])
def test_what_is_no_decay_is_refused(decay: object) -> None:
    with pytest.raises(InputError, match=r"DiscreteLaplace\.decay"):
        DiscreteLaplace(decay=decay)


def test_too_many_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="larger step"):
        DiscreteLaplace(decay="1/2").channel(numbers(2049))


def test_a_form_deploys_its_table_without_rounding() -> None:
    channel = DiscreteLaplace.at_epsilon(6).channel(numbers(31))
    reports = ", ".join(f'"{name}" = ["{name}"]' for name in channel.frame.answers)
    survey = f"""
    askance = "survey-1"
    title = "Days"
    consent = "C"
    [[question]]
    name = "days"
    text = "On how many days?"
    answers = {list(channel.frame.answers)}
    [question.mechanism]
    name = "table"
    reports = {{ {reports} }}
    rows = {TableMechanism.of(channel).parameters()["rows"]}
    """
    question_result = publish(parse_survey(survey.encode())).question("days")
    assert deployed(question_result).channel.table == channel.table


def test_a_survey_file_is_told_that_it_is_for_python() -> None:
    with pytest.raises(InputError, match="for columns, in Python"):
        answer_mechanism("discrete_laplace", {"decay": "1/2"}, numbers(3))


def test_a_decay_that_no_table_tells_from_1_is_refused() -> None:
    with pytest.raises(InputError, match=r"DiscreteLaplace\.channel: got 'a decay of 0\.99999"):
        DiscreteLaplace(decay="0.999999999999999").channel(Frame(["0", "1", "2"]))
    finest = DiscreteLaplace(decay="0.99999999999999").channel(Frame(["0", "1", "2"]))
    assert 1 < local_loss(finest).value <= F("0.99999999999999") ** -2
