"""The income survey holds every kind of range question, and its page stays light."""

import gzip
from pathlib import Path
from typing import Any

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
        index in getting_by.meanings[column]
        for index, row in enumerate(getting_by.table.rows)
        for column, entry in enumerate(row)
        if entry
    )


def in_english(part: Any) -> Any:
    """Leave the German out of a document."""
    if isinstance(part, list):
        return [in_english(item) for item in part if item != "de"]
    if isinstance(part, dict):
        return {key: in_english(value) for key, value in part.items() if key != "de"}
    return part


def test_one_language_fits_into_thirty_kilobytes_and_two_into_thirty_three(form: Form) -> None:
    assert form.languages == ("en", "de")
    for document, limit in ((form.document, 33_000), (in_english(form.document), 30_000)):
        page = render_page(Form.read(document))
        assert len(gzip.compress(page.bytes, 9, mtime=0)) <= limit


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
