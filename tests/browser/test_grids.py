"""Grids: questions with the same answers on one screen, each with a record of its own."""

import json

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import SurveyError

SURVEY = """
askance = "survey-1"
title = "Stress"
consent = "Say it or leave."
[[question]]
name = "weighs"
text = "How much did this weigh on you?"
items = ["exams", "money", "love"]
answers = ["not at all", "a little", "much"]
grid = true
[[question]]
name = "used"
text = "Have you used this?"
items = ["cannabis", "pills"]
answers = ["yes", "no"]
grid = true
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "last"
text = "Was this hard?"
answers = ["yes", "no"]
"""
MECHANISM = 'mechanism = { name = "warner", truth = "3/4" }'
GROUPS = """
[[question.group]]
name = "few"
share = "1/2"
mechanism = { name = "warner", truth = "3/4" }
[[question.group]]
name = "many"
share = "1/2"
mechanism = { name = "warner", truth = "1/4" }
"""
AREAS = """() => [...document.querySelectorAll(".grid fieldset")].map((row) =>
  [...row.querySelectorAll("h2, .option")].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x, y, width, height];
  }))"""


@pytest.fixture(scope="module")
def form():
    return publish(parse_survey(SURVEY.encode()))


def begin(person, url, **how):
    someone = person(url, **how)
    someone.consent()
    someone.practise()
    return someone


def choose(someone, *answers):
    """Choose an answer in each row, by its position; None leaves a row as it is."""
    rows = someone.page.locator(".grid fieldset")
    assert rows.count() == len(answers)
    for row, answer in enumerate(answers):
        if answer is not None:
            rows.nth(row).locator("input").nth(answer).check()


def test_a_grid_is_one_screen_and_a_record_for_each_row(collect, person, form):
    collector = collect(form)
    someone = begin(person, collector.url)
    assert someone.heading() == "How much did this weigh on you?"
    assert someone.page.locator("#step").inner_text() == "Question 1 of 6"
    choose(someone, 0, None, 2)
    someone.proceed()
    complaint = someone.page.locator(".complaint:not(:empty)")
    assert complaint.count() == 1
    assert someone.page.evaluate("() => document.activeElement.name") == "answer1"
    choose(someone, None, 1, None)
    assert complaint.count() == 0
    someone.proceed()
    someone.page.locator(".card").wait_for()
    someone.proceed()
    assert someone.page.locator("#step").inner_text() == "Question 4 of 6"
    assert "drawn and sent by itself" in someone.page.locator("main").inner_text()
    choose(someone, 1, 2)
    someone.proceed()
    assert someone.page.locator("#step").inner_text() == "Question 6 of 6"
    someone.press("Back")
    rows = someone.page.locator(".grid fieldset")
    assert [
        rows.nth(row).locator("input").nth(index).is_checked() for row, index in ((0, 1), (1, 2))
    ] == [
        True,
        True,
    ]
    someone.proceed()
    someone.choose(0)
    someone.proceed()
    texts = someone.page.locator("section.given p").all_inner_texts()
    assert texts == ["not at all", "a little", "much", "no", "No answer", "yes"]
    someone.page.get_by_role("button", name="Change").nth(2).click()
    choose(someone, None, None, 1)
    someone.proceed()
    assert someone.page.locator("section.given p").nth(2).inner_text() == "a little"
    answers = json.loads(someone.body())["answers"]
    assert [answers[f"weighs_{item}"] for item in ("exams", "money", "love")] == [0, 1, 1]
    assert (answers["used_cannabis"] in (0, 1), answers["used_pills"]) == (True, None)
    someone.send()
    assert collector.reports() == [answers]
    assert someone.console == []


@pytest.mark.parametrize(("width", "language"), [(360, "en"), (640, "en"), (1280, "en")])
def test_a_row_is_one_line_from_640_pixels_and_rows_stand_one_after_another_below(
    collect, person, form, axe, width, language
):
    someone = begin(person, collect(form).url, width=width, language=language)
    rows = someone.page.evaluate(AREAS)
    for title, *options in rows:
        assert all(w >= 43.9 and h >= 43.9 for _, _, w, h in options)
        if width < 640:
            assert len({x for x, *_ in options}) == 1
            assert all(y > title[1] for _, y, *_ in options)
        else:
            assert len({y for _, y, *_ in options}) == 1
            assert all(x >= title[0] + title[2] for x, *_ in options)
    if width >= 640:
        assert len({tuple(round(x) for x, *_ in row) for row in rows}) == 1
    across = "() => document.documentElement.scrollWidth"
    assert someone.page.evaluate(across) <= width
    problems, passed = axe(someone.page)
    assert problems == []
    assert passed > 10


def test_items_are_one_screen_unless_the_survey_says_otherwise(collect, person):
    unsaid, declined = (SURVEY.replace("grid = true\n", line) for line in ("", "grid = false\n"))
    someone = begin(person, collect(publish(parse_survey(unsaid.encode()))).url)
    choose(someone, 0, 1, 2)
    someone.proceed()
    someone.page.locator(".card").wait_for()
    someone.proceed()
    choose(someone, 1, 2)
    assert publish(parse_survey(declined.encode())).grids == ()
    assert publish(parse_survey(unsaid.encode())) == publish(parse_survey(SURVEY.encode()))


PIPED = 'text = "Have you used this, at {last|it}?"'


@pytest.mark.parametrize(
    ("old", "new", "positions"),
    [
        ("", "", [0, 3]),
        (
            MECHANISM,
            MECHANISM + '\nskip = { after = "weighs_love", answered = ["much"], send = "no" }',
            [0, 3],
        ),
        (MECHANISM, GROUPS, [0]),
        (MECHANISM, 'mechanism = { name = "warner", truth = { each = ["3/4", "1/4"] } }', [0]),
        ('text = "Have you used this?"', PIPED.replace("last", "weighs_love"), [0]),
        ('"not at all", ', '"never", "once", "twice", "thrice", ', [3]),
        ('answers = ["not at all", "a little", "much"]', "line = { lower = 0, upper = 5 }", [3]),
        ('items = ["cannabis", "pills"]', f"items = {[*'abcdefghijk']}", [0]),
        ('answers = ["not at all", "a little", "much"]', "free_text = { limit = 9 }", [3]),
    ],
)
def test_items_that_need_a_screen_each_have_it(old, new, positions):
    survey = SURVEY.replace("grid = true\n", "").replace(old, new, 1)
    form = publish(parse_survey(survey.encode()))
    assert [grid.question_positions.start for grid in form.grids] == positions


def test_invented_people_answer_grids(form):
    from askance.study import Habits, rehearse

    sure = Habits(comprehension=1, blank=0, dropout=0)
    rehearse_result = rehearse(form, people=2, habits=sure, rng=1)
    assert (rehearse_result.finished, rehearse_result.faults) == (2, ())
    names = [screen.name for screen in rehearse_result.screens]
    assert [name for name in names if name.startswith(("weighs", "used"))] == [
        "weighs_exams",
        "used_cannabis",
    ]


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ('items = ["cannabis", "pills"]\n', "", "question[1].grid", "no items"),
        ("grid = true\nmech", "grid = 1\nmech", "question[1].grid", "true or false"),
        (MECHANISM, GROUPS, "question[1].grid", "beside group"),
        (
            'answers = ["not at all", "a little", "much"]',
            "line = { lower = 0, upper = 5 }",
            "question[0].grid",
            "items without answers",
        ),
    ],
)
def test_what_cannot_be_a_grid_is_refused_with_its_place(old, new, where, message):
    with pytest.raises(SurveyError) as refused:
        publish(parse_survey(SURVEY.replace(old, new, 1).encode()))
    assert refused.value.where == where
    assert message in str(refused.value)
