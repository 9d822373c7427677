"""Recorded answers are read as the respondent's side takes them, and the truth beside them."""

import pytest

from askance.study import read_answers
from askance.survey import load_survey, publish
from askance_collect.errors import DocumentError


@pytest.fixture(scope="module")
def form():
    return publish(load_survey("examples/affairs.toml"))


def table(tmp_path, text):
    path = tmp_path / "answers.csv"
    path.write_bytes(text.encode())
    return path


def test_answers_become_indices_and_steps(form, tmp_path):
    text = "id,marriage,affair,religious,years\n1,good,yes,fairly,2.5\n2,,no,,0.5\n"
    recorded = read_answers(table(tmp_path, text), form)
    assert recorded.people == (
        {"marriage": 3, "affair": 0, "religious": 2, "years": 2},
        {"marriage": None, "affair": 1, "religious": None, "years": 0},
    )
    assert recorded.truth["affair"] == {"yes": 0.5, "no": 0.5}
    assert recorded.truth["religious"]["fairly"] == 1
    assert recorded.truth["years"]["mean"] == 1.5
    assert recorded.truth["years"]["median"] == 0.5
    assert recorded.truth["years"]["90th percentile"] == 2.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no columns named 'marriage'"),
        ("marriage,affair,religious\n", "no columns named 'years'"),
        ("marriage,affair,religious,years\ngood,perhaps,fairly,3\n", "row 2, column affair"),
        ("marriage,affair,religious,years\ngood,yes,fairly,three\n", "row 2, column years"),
    ],
)
def test_what_is_no_answer_is_named_by_place_and_not_repeated(form, tmp_path, text, message):
    with pytest.raises(DocumentError, match=message) as refused:
        read_answers(table(tmp_path, text), form)
    assert "perhaps" not in str(refused.value)


@pytest.mark.parametrize(("years", "fits"), [("0.5", 1), ("0.3", None), ("-1", None), ("41", None)])
def test_a_number_is_on_its_scale(affairs_form, tmp_path, years, fits):
    text = f"any_affair,age,children,years\nyes,30,one,{years}\n"
    if fits is not None:
        assert read_answers(table(tmp_path, text), affairs_form).people[0]["years"] == fits
        return
    with pytest.raises(DocumentError, match=r"column years.*0 to 40 by 1/2"):
        read_answers(table(tmp_path, text), affairs_form)


def test_a_short_row_is_no_answer(form, tmp_path):
    text = "marriage,affair,religious,years\ngood,yes\n"
    assert read_answers(table(tmp_path, text), form).people[0]["years"] is None


def test_a_table_of_nobody_teaches_nothing(form, tmp_path):
    nobody = read_answers(table(tmp_path, "marriage,affair,religious,years\n"), form)
    assert nobody.people == ()
    assert nobody.truth["affair"] == {}


def test_a_table_that_is_not_there_is_named(form, tmp_path):
    with pytest.raises(DocumentError, match="nowhere"):
        read_answers(tmp_path / "nowhere.csv", form)
