"""The encoder sends what the form says, exactly, and its draws know no answer."""

import inspect
import itertools
import re
import secrets
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance_collect.errors import InputError
from askance_collect.exact import Line, Table
from askance_collect.respond import draw, draw_bounds, encode, list_cells, respond
from askance_collect.wire import CutsQuestion, Label, TableQuestion, read_report


def labels(count):
    return tuple(Label(str(index), {}) for index in range(count))


@st.composite
def tables(draw, most=6):
    """A protected question with a small table, so that all its draws can be tried."""
    total = draw(st.integers(1, most))
    width = draw(st.integers(2, 4))

    def row():
        cuts = sorted(draw(st.lists(st.integers(0, total), min_size=width - 1, max_size=width - 1)))
        return tuple(b - a for a, b in itertools.pairwise([0, *cuts, total]))

    rows = tuple(row() for _ in range(draw(st.integers(2, 4))))
    blank = draw(st.integers(1, 4))
    means = ((0,),) * width
    return TableQuestion(
        "q",
        {},
        labels(len(rows)),
        labels(width),
        means,
        Table(total, rows),
        (draw(st.integers(0, blank - 1)), blank),
        {},
    )


@st.composite
def lines(draw, most=5):
    """A protected number on a short line."""
    ticks = draw(st.integers(2, most))
    weights = tuple(draw(st.lists(st.integers(0, 3), min_size=ticks - 1, max_size=ticks - 1)))
    weights = weights if sum(weights) else (1,) * (ticks - 1)
    blank = draw(st.integers(1, 3))
    return CutsQuestion(
        "q",
        {},
        Line(0, ticks, 1),
        {},
        draw(st.integers(1, 2)),
        weights,
        False,
        (draw(st.integers(0, blank - 1)), blank),
        {},
    )


def law(question, answer):
    """Give the exact chance of each value, by trying every draw."""
    spaces = [range(bound) for bound in draw_bounds(question)]
    counts = Counter(encode(question, answer, draws) for draws in itertools.product(*spaces))
    return {value: Fraction(count, counts.total()) for value, count in counts.items()}


@given(tables())
def test_a_table_is_sent_exactly_as_it_stands(question):
    blank = Fraction(*question.blank)
    for answer in range(len(question.answers)):
        sent_law = law(question, answer)
        for column, entry in enumerate(question.table.row(answer)):
            assert sent_law.get(column, 0) == entry * (1 - blank)
            assert question.allows(column) or column not in sent_law
        assert sent_law.get(None, 0) == blank


@given(lines())
@settings(max_examples=50)
def test_inside_a_range_nothing_is_learnt(question):
    """Every number in a cell sends the cell equally often, and no number outside ever does."""
    blank, laws = (
        Fraction(*question.blank),
        [law(question, step) for step in range(question.line.ticks)],
    )
    for cell in set().union(*laws) - {None}:
        above, up_to = cell
        assert question.allows(cell)
        chances = [reports.get(cell, 0) for reports in laws]
        assert len(set(chances[above:up_to])) == 1
        assert chances[above] > 0
        assert not any(chances[:above] + chances[up_to:])
    assert all(reports.get(None, 0) == blank for reports in laws)


@given(lines(), st.data())
def test_every_allowed_cell_can_be_sent_and_no_other(question, data):
    reachable = set().union(*(law(question, step) for step in range(question.line.ticks)))
    ends = range(question.line.ticks + 1)
    allowed = {cell for cell in itertools.product(ends, ends) if question.allows(cell)}
    assert allowed == reachable - {None}


@given(lines(), st.data())
def test_the_cells_tile_the_line(question, data):
    draws = tuple(data.draw(st.integers(0, bound - 1)) for bound in draw_bounds(question))
    ends = [end for cell in list_cells(question, draws) for end in cell]
    assert ends[0] == 0
    assert ends[-1] == question.line.ticks
    assert ends[1:-1:2] == ends[2::2]


def test_the_draws_know_no_answer():
    assert "answer" not in inspect.signature(draw).parameters
    assert "answer" not in inspect.signature(draw_bounds).parameters


@given(tables() | lines(), st.data())
def test_equal_draws_and_answers_send_equal_values(question, data):
    draws = tuple(data.draw(st.integers(0, bound - 1)) for bound in draw_bounds(question))
    answers = len(question.answers) if question.kind == "table" else question.line.ticks
    answer = data.draw(st.integers(0, answers - 1))
    assert encode(question, answer, draws) == encode(question, answer, draws)
    assert encode(question, None, draws) is None
    if draws[0] < question.blank[0]:
        assert encode(question, answer, draws) is None


def test_people_take_words_in_the_form_s_order_whatever_they_answer(affairs_form, monkeypatch):
    chosen = []

    def scripted(number):
        chosen.append(number)
        return bytes((7 * len(chosen) + 31 * index) % 256 for index in range(number))

    respond(affairs_form, {})
    monkeypatch.setattr(secrets, "token_bytes", scripted)
    expected = sum(len(draw_bounds(question)) for question in affairs_form.questions)
    for answers in ({}, dict.fromkeys((q.name for q in affairs_form.questions), 0)):
        chosen.clear()
        respond(affairs_form, answers)
        assert chosen == [6] * expected + [16]


@given(data=st.data())
def test_a_response_is_a_report_that_is_accepted(affairs_form, data):
    answers = {}
    for question in affairs_form.questions:
        count = len(question.answers) if hasattr(question, "answers") else question.line.ticks
        answers[question.name] = data.draw(st.none() | st.integers(0, count - 1))
    report = respond(affairs_form, answers)
    assert read_report(report.body(affairs_form.size), affairs_form) == report


@pytest.mark.parametrize("wrong", [-1, 4711, "4711", 4711.5, True, [4711]])
def test_no_message_repeats_an_answer(affairs_form, wrong):
    for question in affairs_form.questions:
        with pytest.raises(InputError) as refusal:
            respond(affairs_form, {question.name: wrong})
        assert str(wrong) not in str(refusal.value).replace("an integer in [0, ", "")
        assert refusal.value.got is None


@given(lines(), st.sampled_from([-1, 0.5, True, "1"]))
def test_steps_are_whole_and_for_questions_asked_one_step_at_a_time(question, wrong):
    question = replace(question, number=2)
    draws, narrow = (question.blank[1] - 1, 0, 0), replace(question, progressive=True)
    assert encode(narrow, 0, draws, 0) == (0, question.line.ticks)
    assert encode(narrow, 0, draws, 2) == encode(question, 0, draws)
    with pytest.raises(InputError, match=r"^steps\.q: .*one step at a time"):
        encode(question, 0, draws, 1)
    for questions in (narrow, question):
        with pytest.raises(InputError, match=r"^steps(\.q)?: got .*allowed: a whole number"):
            encode(questions, 0, draws, wrong)


def test_an_answer_to_another_question_is_refused(affairs_form):
    with pytest.raises(InputError, match="shoe_size"):
        respond(affairs_form, {"shoe_size": 1})


def test_entropy_is_the_operating_system_s_and_takes_no_seed(affairs_form, monkeypatch):
    requests = []
    respond(affairs_form, {})
    monkeypatch.setattr(secrets, "token_bytes", lambda n: requests.append(n) or bytes(range(n)))
    report = respond(affairs_form, {})
    total = sum(len(draw_bounds(question)) for question in affairs_form.questions)
    assert requests == [6] * total + [16]
    assert report.id == bytes(range(16)).hex()
    for question in affairs_form.questions:
        assert draw(question) == tuple(0x000102030405 % bound for bound in draw_bounds(question))
    for entry in (respond, draw, encode):
        assert not any("seed" in name for name in inspect.signature(entry).parameters)
    source = inspect.getsource(inspect.getmodule(inspect.unwrap(respond)))
    assert "seed" not in re.findall(r"\w+", source.replace("there is no seed", ""))


def test_a_law_that_was_bent_would_be_seen():
    """The harness of this file rejects a table that is not the one sent."""
    question = TableQuestion(
        "q", {}, labels(2), labels(2), ((0,), (1,)), Table(4, ((3, 1), (1, 3))), (0, 1), {}
    )
    assert law(question, 0) != dict(enumerate((Fraction(1, 2), Fraction(1, 2))))
    assert law(question, 0) == dict(enumerate(question.table.row(0)))
    assert draw(question, lambda: 2) == (0, 2)
