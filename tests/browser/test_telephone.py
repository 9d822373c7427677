"""One question fits a telephone: its heading, all its choices, its picture of odds, its buttons."""

from pathlib import Path

import pytest

from askance.survey import load_survey, publish
from askance_collect.wire import Form

EXAMPLES = Path(__file__).parents[2] / "examples"
LONG = {"age": [53], "household": [118_000, 179_000], "savings": [58_000, 64_000]}
"""Numbers whose choices are long, with a range that is too narrow to be sent."""
BELOW = """() => {
  const row = document.querySelector("main > .buttons:last-child").getBoundingClientRect();
  const bottom = (names) => Math.max(
    0,
    ...[...document.querySelectorAll(names)]
      .filter((node) => node.checkVisibility())
      .map((node) => node.getBoundingClientRect().bottom),
  );
  const top = document.querySelector("h1").getBoundingClientRect().top;
  return {
    heading: top < 0,
    choices: bottom("main :is(.option, .number, .small)") > row.top,
    picture: bottom(".dots, .key") > row.top,
    buttons: row.bottom > innerHeight,
  };
}"""


NARROWER = (
    "What did you earn last year, before tax?",
    "Was haben Sie im letzten Jahr verdient, vor Steuern?",
)
"""Where the range is made narrower for as long as one can be asked for."""


def out_of_sight(someone, height=740):
    """Answer a whole survey; say of each question, by its heading, what of it is out of sight."""
    page, result = someone.page, {}
    page.set_viewport_size({"width": 360, "height": height})
    for heading in someone.everything(lambda questions: int(questions in NARROWER)):
        if page.locator("fieldset.answers:enabled").count():
            if heading in result:
                page.evaluate("scrollTo(0, 0)")  # the driver scrolls as it presses
            hidden = {part for part, is_below in page.evaluate(BELOW).items() if is_below}
            result.setdefault(heading, set()).update(hidden)
    return result


OTHERS = "ar", "es", "fr", "it", "pt", "tr", "zh"
"""Other languages of the page; without a font for it, Hindi is wider than it is."""


@pytest.mark.parametrize(
    ("example", "language"),
    [
        ("affairs", "en"),
        ("income", "en"),
        ("income", "de"),
        *(pytest.param("income", item, marks=pytest.mark.wide) for item in OTHERS),
    ],
)
def test_every_question_is_seen_whole(collect, person, money_words, example, language):
    form = publish(load_survey(EXAMPLES / f"{example}.toml"))
    if language in OTHERS:
        form = Form.read(form.bytes.replace(b'"en"', f'"{language}"'.encode()))
    words = money_words(**LONG) if example == "income" else None
    out = out_of_sight(person(collect(form).url, language=language, words=words))
    assert len(out) > len(form.questions)  # and the practice
    assert {title: hidden for title, hidden in out.items() if hidden} == {}


def test_what_is_out_of_sight_is_told(collect, person):
    form = publish(load_survey(EXAMPLES / "affairs.toml"))
    out = out_of_sight(person(collect(form).url), height=490)
    assert {part for parts in out.values() for part in parts} == {"choices", "picture"}


@pytest.mark.parametrize(
    ("language", "pictures"),
    [
        (
            "en",
            {"A: Somebody else has sat", "What has happened to you", "Have you ever cheated in"},
        ),
        (
            "de",
            {
                "A: Jemand hat für mich e",
                "Haben Sie an der Univers",
                "Haben Sie das im letzten",
                "Was ist Ihnen in diesem ",
            },
        ),
    ],
)
def test_of_a_whole_study_some_pictures_run_on_but_no_choice_does(
    collect, person, language, pictures
):
    """Two statements in one question, a list to tick, and what begins a section with its words."""
    form = publish(load_survey(EXAMPLES / "student-life.toml"))
    out = out_of_sight(person(collect(form).url, language=language, words=[]))
    hidden = {title[:24]: parts for title, parts in out.items() if parts}
    assert len(out) > 18
    assert hidden == {title: {"picture"} for title in pictures}
