"""Images beside questions and answers: seen, read out, and of no weight in what is sent."""

import base64
import json
from pathlib import Path

import pytest

from askance.survey import load_survey, parse_survey, publish
from askance_collect.wire import Form

PICTURE = b"""<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300">
<script>parent.document.title = "run"</script><image href="https://elsewhere.test/seen.png"/>
<rect width="600" height="300" fill="#7a1fa2"/></svg>"""
FILE = f"data:image/svg+xml;base64,{base64.b64encode(PICTURE).decode()}"
LONG = "on foot, or by whatever else there is at hand"
SURVEY = f"""
askance = "survey-1"
title = "Getting about"
consent = "Say it or leave."
[[question]]
name = "way"
text = "How do you come here?"
image = {{ file = "{FILE}", alt = "a road" }}
answers = [
    {{ name = "bus", image = {{ file = "{FILE}", alt = "a red bus" }} }},
    {{ name = "{LONG}", image = {{ file = "{FILE}", alt = "a shoe" }} }},
]
comment = {{ limit = 20 }}
[[question]]
name = "fined"
text = "Were you ever fined there?"
image = {{ file = "{FILE}", alt = "a road" }}
answers = ["yes", {{ name = "no", image = {{ file = "{FILE}", alt = "an empty road" }} }}]
mechanism = {{ name = "warner", truth = "3/4" }}
[[question]]
name = "seen"
text = "What did you see?"
choose = "all"
answers = ["birds", {{ name = "deer", image = {{ file = "{FILE}", alt = "antlers" }} }}]
"""


@pytest.fixture(scope="module")
def form():
    return publish(parse_survey(SURVEY.encode()))


def check_pictures(someone):
    pictures = someone.page.locator("main img")
    # They come with the page, but are decoded beside it.
    pictures.evaluate_all("them => Promise.all(them.map((one) => one.decode()))")
    assert pictures.evaluate_all("them => them.every((one) => one.complete && one.naturalWidth)")
    return pictures.evaluate_all("them => them.map((one) => one.alt)")


def test_images_stand_where_the_survey_put_them_and_nowhere_else(collect, person, form):
    someone = person(collect(form).url)
    someone.consent()
    someone.practise()
    assert check_pictures(someone) == ["a road", "a red bus", "a shoe"]
    someone.answer(1)
    someone.proceed()
    assert check_pictures(someone) == ["a road", "an empty road"]
    someone.answer(0)
    assert check_pictures(someone) == ["antlers"]
    someone.page.get_by_role("checkbox", name="deer", exact=True).check()
    someone.proceed()
    assert check_pictures(someone) == []
    someone.page.get_by_role("button", name="Change your answer: Comment").click()
    assert check_pictures(someone) == ["a road", "a red bus", "a shoe"]
    someone.proceed()
    assert someone.page.title() == "Your answers – Getting about"
    assert all("elsewhere" not in request.url for request in someone.sent)
    assert someone.console == []


def test_what_is_sent_is_the_same_with_images_and_without(collect, person, form):
    bare = {key: part for key, part in form.document.items() if key != "images"}
    replies = []
    for item in (form, Form.read(bare)):
        someone = person(collect(item).url)
        someone.consent()
        someone.practise()
        someone.answer(0)
        someone.answer(1)
        someone.page.get_by_role("checkbox", name="deer", exact=True).check()
        someone.proceed()
        answers = json.loads(someone.body())["answers"]
        replies.append({key: value for key, value in answers.items() if key != "fined"})
        assert someone.page.locator("main img").count() == 0
        someone.send()
    assert (
        replies[0] == replies[1] == {"seen_birds": 1, "seen_deer": 0, "way": 0, "way_comment": None}
    )


def test_a_choice_is_called_by_its_words_and_described_by_its_image(collect, person, form):
    someone = person(collect(form).url)
    someone.consent()
    someone.practise()
    bus = someone.page.get_by_role("radio", name="bus", exact=True)
    tree = someone.page.context.new_cdp_session(someone.page)
    nodes = tree.send("Accessibility.getFullAXTree")["nodes"]
    radios = {
        node["name"]["value"]: node.get("description", {}).get("value")
        for node in nodes
        if node["role"]["value"] == "radio"
    }
    assert radios["bus"] == "a red bus"
    assert radios["I’d rather not answer"] in (None, "")
    someone.page.get_by_alt_text("a red bus").click()
    assert bus.is_checked()
    someone.page.keyboard.press("ArrowDown")
    assert someone.page.locator("input:checked").evaluate("one => one.labels[0].innerText")[:7] == (
        "on foot"
    )


@pytest.mark.parametrize("language", ["en", "ar"])
def test_images_fit_a_telephone(collect, person, axe, form, language):
    read_result = Form.read(json.loads(form.bytes.replace(b'"en"', f'"{language}"'.encode())))
    someone = person(collect(read_result).url)
    someone.consent()
    someone.practise()
    for answer in (0, 1):
        page = someone.page
        assert axe(page)[0] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        someone.answer(answer)
        if page.locator(".card").count():
            someone.proceed()


@pytest.mark.parametrize("scale", [2, 4])
def test_large_type_leaves_room_for_words_beside_images(collect, person, form, scale):
    someone = person(collect(form).url)
    someone.consent()
    someone.practise()
    someone.page.set_viewport_size({"width": 1280 // scale, "height": 1024 // scale})
    assert someone.page.evaluate("document.documentElement.scrollWidth") <= 1280 // scale
    long = someone.page.locator(".option:has(img) span").nth(1)
    assert long.bounding_box()["width"] >= 90


def test_where_colours_are_forced_images_stay(chromium, collect, form):
    context = chromium.new_context(forced_colors="active", viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(collect(form).url)
    page.locator("input[type=checkbox]").check()
    page.locator("main button.main:visible").click()
    page.locator("input[type=radio]").first.check()
    page.locator("main button.main:visible").click()
    page.locator(".outcome .buttons button").nth(1).click()
    page.locator("main button.main:visible").click()
    image = page.get_by_alt_text("a red bus")
    assert image.is_visible()
    assert image.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    context.close()


def test_the_example_is_seen_whole_on_a_telephone(collect, person):
    example = Path(__file__).parents[2] / "examples/student-life.toml"
    someone = person(collect(publish(load_survey(example))).url)
    someone.consent()
    someone.practise()
    someone.proceed()
    someone.answer(0)
    assert check_pictures(someone) == [
        "a flask",
        "an open book",
        "a pair of scales",
        "a heart with its beat",
    ]
    low = someone.page.locator("main .buttons").bounding_box()["y"]
    rows = [element.bounding_box() for element in someone.page.locator(".option:has(img)").all()]
    assert all(row["y"] + row["height"] <= low for row in rows)
