"""The income survey holds every kind of range question, and its page stays light."""

import gzip
from pathlib import Path

import pytest

from askance.survey import load_survey, publish
from askance_collect.respond import render_page, respond
from askance_collect.wire import CutsQuestion, Form, RingQuestion, TableQuestion

EXAMPLE = Path(__file__).parents[2] / "examples" / "income.toml"


@pytest.fixture(scope="module")
def form() -> Form:
    return publish(load_survey(EXAMPLE))


def test_every_kind_of_range_question_is_there(form: Form) -> None:
    age, income, household, savings, getting_by = form.questions
    assert isinstance(age, CutsQuestion)
    assert age.open == ((48, 73),)
    assert isinstance(income, CutsQuestion)
    assert income.progressive
    assert income.floor is not None
    assert income.line.ticks == 200
    assert isinstance(household, RingQuestion)
    assert isinstance(savings, CutsQuestion)
    assert savings.withhold
    assert isinstance(getting_by, TableQuestion)
    assert all(
        at in getting_by.meanings[column]
        for at, row in enumerate(getting_by.table.rows)
        for column, entry in enumerate(row)
        if entry
    )


def test_both_languages_fit_into_thirty_one_and_a_quarter_kilobytes(form: Form) -> None:
    assert form.languages == ("en", "de")
    assert len(gzip.compress(render_page(form).bytes, 9, mtime=0)) < 34_500


def test_whatever_is_sent_holds_the_answer(form: Form) -> None:
    answers = {"age": 70, "income": 35, "household": 60, "savings": 20, "getting_by": 2}
    for _ in range(50):
        values = respond(form, answers).values
        assert values["age"] == (70, 71)
        low, high = values["income"]
        assert low <= 35 < high
        if values["household"] is not None:
            low, high = values["household"]
            assert (low <= 60 < high) if low < high else not high <= 60 < low
        if values["savings"] is not None:
            assert values["savings"][1] - values["savings"][0] >= 20
