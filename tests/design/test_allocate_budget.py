"""One budget for several questions."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Frame, KAry
from askance.design import allocate_budget, expected_half_width
from askance_collect.errors import InputError

MANY = 10**12
"""Reports so many that the half-width is that of the normal law, and far below a half."""
QUESTIONS = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]), st.integers(2, 8), min_size=1, max_size=4
)


@given(st.decimals("0.1", 6, places=2), QUESTIONS)
@settings(max_examples=40, deadline=None)
def test_the_budget_is_spent_exactly_and_never_worse_than_equally(epsilon, questions):
    result = allocate_budget(epsilon, questions, people=10**8)
    for kind in ("equal", "optimal"):
        assert sum(getattr(part, kind) for part in result.parts) == result.budget
    assert sum(part.asked for part in result.parts) == pytest.approx(1)
    squares = [
        sum(getattr(part, f"{kind}_width") ** 2 for part in result.parts)
        for kind in ("equal", "optimal")
    ]
    if max(part.optimal_width for part in result.parts) < 0.5:
        assert squares[1] <= squares[0] * (1 + 1e-4)


@pytest.mark.long
def test_the_greedy_split_is_the_best_of_all():
    budget = allocate_budget(2, {"a": 2, "b": 5}, importance={"b": 3}, people=10**6)
    sums = []
    for units in range(1, 1000):
        parts = [
            expected_half_width(KAry.at_epsilon(2 * u / 1000).channel(_frame(k)), MANY) ** 2
            for k, u in ((2, units), (5, 1000 - units))
        ]
        sums.append(parts[0] + 3 * parts[1])
    assert budget.parts[0].optimal * 500 == 1 + int(np.argmin(sums))


def test_widths_are_those_of_the_channels():
    budget = allocate_budget(3, {"a": 2, "b": 4}, prevalence={"a": 0.1}, people=2_000, level=0.9)
    for part, k, share in zip(budget.parts, (2, 4), (0.1, None), strict=True):
        for loss, width, people in (
            (part.equal, part.equal_width, 2_000),
            (part.optimal, part.optimal_width, 2_000),
            (3, part.asked_width, 2_000 * part.asked),
        ):
            channel = KAry.at_epsilon(loss).channel(_frame(k))
            expected = expected_half_width(channel, MANY, prevalence=share, level=0.9)
            assert width == pytest.approx(expected * np.sqrt(MANY / people), rel=1e-5)


def test_one_question_gets_everything():
    (part,) = allocate_budget(1, {"only": 3}).parts
    assert part.equal == part.optimal == 1
    assert part.asked == 1


def test_a_split_is_a_table_and_json():
    budget = allocate_budget(1, {"a": 2, "b": 3})
    assert "optimal ε" in repr(budget)
    assert "<table>" in budget._repr_html_()
    assert budget.to_dict()["parts"][1]["name"] == "b"


@pytest.mark.parametrize(
    ("epsilon", "questions", "more", "message"),
    [
        (0, {"a": 2}, {}, "epsilon"),
        (13, {"a": 2}, {}, "epsilon"),
        (1, {}, {}, "questions"),
        (1, {"a": 1}, {}, "two or more answers"),
        (1, {"a": 2}, {"people": 0}, "people"),
        (1, {"a": 2}, {"importance": {"b": 1}}, "allocate_budget.importance"),
        (1, {"a": 2}, {"importance": {"a": 0}}, "above 0"),
        (1, {"a": 2}, {"prevalence": {"aa": 0.1}}, "did you mean 'a'"),
        (1, {"a": 2}, {"prevalence": {"a": 0}}, "strictly between"),
        (1, {"a": 2}, {"level": 0}, "level"),
    ],
)
def test_what_cannot_be_is_refused(epsilon, questions, more, message):
    with pytest.raises(InputError, match=message):
        allocate_budget(epsilon, questions, **more)


def _frame(k):
    return Frame([str(index) for index in range(k)])


def test_a_budget_said_as_a_ratio_is_its_logarithm_rounded_down():
    by_ratio, by_loss = (
        allocate_budget(ratio=9, questions={"a": 2, "b": 5}),
        allocate_budget(math.log(9), {"a": 2, "b": 5}),
    )
    assert 0 <= math.log(9) - float(by_ratio.budget) <= 1e-14
    assert by_ratio.budget <= by_loss.budget
    assert [float(part.optimal) for part in by_ratio.parts] == pytest.approx(
        [float(part.optimal) for part in by_loss.parts], rel=1e-12
    )
    with pytest.raises(InputError, match="epsilon and ratio"):
        allocate_budget(1, {"a": 2}, ratio=3)
    with pytest.raises(InputError, match="questions"):
        allocate_budget(1)


@pytest.mark.parametrize(
    ("questions", "people", "where"),
    [
        ({"a": 2.5}, 100, "allocate_budget.questions['a']"),
        ({"a": "two"}, 100, "allocate_budget.questions['a']"),
        ({"a": 1}, 100, "allocate_budget.questions['a']"),
        ({"a": 2}, math.nan, "people"),
        ({"a": 2}, 10.5, "people"),
    ],
)
def test_counts_are_whole_numbers(questions, people, where):
    with pytest.raises(InputError, match=re.escape(where)):
        allocate_budget(1, questions, people=people)
