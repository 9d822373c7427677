"""A whole study with every kind of question: what is sent, heard and seen of it."""

import json
from pathlib import Path

import pytest

from askance.survey import load_survey, publish
from askance_collect.wire import Form

STUDY = Path(__file__).parents[2] / "examples/student-life.toml"
HIDDEN = {
    "Have you thought of giving up your studies this year?",
    "What has happened to you this year? Tick all that applies.",
    "Have you ever cheated in an exam at university?",
    "Have you ever handed in as your own what somebody else, or a machine, had written?",
    "Have you used this in the last year?\nCannabis",
    "Have you used this in the last year?\nStimulants, to study longer",
}
"""Whose every report can come from every answer: of a list, in a group, of items."""


@pytest.fixture(scope="module")
def study():
    return publish(load_survey(STUDY))


def test_of_every_kind_two_truths_make_the_same_traffic(collect, person, study):
    """All that chance draws is the first of its kind, which any answer can send."""
    collector, traffic, answers = collect(study), [], []
    for choice in (0, 1):
        someone = person(collector.url, words=[])
        distinct = set(someone.everything(lambda heading: choice if heading in HIDDEN else 0))  # noqa: B023
        assert distinct >= HIDDEN
        answers.append(someone.page.locator(".item p").all_inner_texts())
        someone.proceed()
        someone.page.wait_for_selector(".receipt")
        traffic.append(
            [
                (item.method, item.url, item.all_headers(), item.post_data_buffer)
                for item in someone.sent
            ]
        )
    assert answers[0] != answers[1]
    assert traffic[0] == traffic[1]
    assert len(traffic[0]) == 3
    assert len(collector.reports()) == 1


INPUT_ROLES = "radio", "checkbox", "textbox", "group", "radiogroup"
NAMED = *INPUT_ROLES, "button", "combobox", "heading", "image", "DisclosureTriangle"


def read_accessible_names(page):
    """Give what a screen reader tells of a screen: each thing with a name by its role."""
    session = page.context.new_cdp_session(page)
    result = {role: [] for role in NAMED}
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if role in result and not node["ignored"]:
            result[role].append(node.get("name", {}).get("value", "").strip())
    session.detach()
    # What folds out is a group, too, which its summary names.
    return result | {"group": [item for item in result["group"] if item]}


def test_a_screen_reader_hears_what_everything_is_called(collect, person, study):
    someone = person(collect(study).url)
    page, kinds = someone.page, set()
    for heading in someone.everything():
        result = read_accessible_names(page)
        assert [role for role, names in result.items() if "" in names] == []
        assert " ".join(heading.split()) in [" ".join(item.split()) for item in result["heading"]]
        if not page.locator("fieldset.answers:enabled").count():
            continue
        texts = page.locator("fieldset.answers .option > span").all_inner_texts()
        choices = [*result["radio"], *result["checkbox"]]
        assert [" ".join(choice.split()) for choice in choices] == [
            " ".join(text.split()) for text in texts
        ]
        (group,) = [*result["group"], *result["radiogroup"]]
        if page.locator(".step").count():
            assert " ".join(group.split()) == " ".join(heading.split())
        for picture in page.locator(".dots").all():
            assert picture.get_attribute("aria-label") in result["image"]
        kinds |= {role for role in INPUT_ROLES if result[role]}
    assert kinds == set(INPUT_ROLES)


def test_every_screen_of_it_keeps_nobody_out(collect, person, axe, study):
    """In German words, and the page's own in Arabic, from right to left."""
    form = Form.read(json.loads(study.bytes.replace(b'"de"', b'"ar"')))
    someone = person(collect(form).url, language="ar")
    page, screens = someone.page, 0
    for heading in someone.everything():
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert axe(page)[0] == [], heading
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360, heading
        assert page.evaluate("() => getComputedStyle(document.body).direction") == "rtl"
        screens += 1
    assert screens > 25


COUNTED = """
  globalThis.made = [];
  for (const name of ["NumberFormat", "ListFormat", "DisplayNames", "DateTimeFormat"]) {
    Intl[name] = class extends Intl[name] {
      constructor(...asked) {
        super(...asked);
        made.push(name);
      }
    };
  }
"""


@pytest.mark.parametrize("example", ["income", "student-life"])
def test_the_first_screen_waits_for_no_format_of_the_browser(collect, person, example):
    """The first of them takes as long as all other script; `askance rehearse` measures it."""
    someone = person(collect(publish(load_survey(STUDY.with_stem(example)))).url, script=COUNTED)
    assert someone.page.locator("select option").all_inner_texts() == ["English", "Deutsch"]
    assert someone.page.evaluate("made") == []
    someone.consent()
    assert "NumberFormat" in someone.page.evaluate("made")  # the practice tells its odds


@pytest.mark.parametrize(("example", "most"), [("income", 16_000), ("student-life", 36_000)])
def test_little_is_done_before_the_first_screen(collect, person, example, most):
    """How often the pieces of the page's script have run, which no load moves.

    `askance rehearse` tells the seconds: they stay below a tenth where these are as many.
    """
    url = collect(publish(load_survey(STUDY.with_stem(example)))).url
    page = person(url, opened=False).page
    page.goto(f"{url}report")  # the process that will run the page is there, and can be watched
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
    page.goto(url)
    page.wait_for_selector("h1")
    scripts = session.send("Profiler.takePreciseCoverage")["result"]
    ran = [
        function for script in scripts if script["url"] == url for function in script["functions"]
    ]
    assert 0 < sum(part["count"] for item in ran for part in item["ranges"]) <= most
