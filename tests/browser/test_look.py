"""The study's own look: its logo above every screen, its colours in both themes."""

import base64
import copy

import pytest

from askance_collect.wire import Form

PICTURE = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">
<script>parent.document.title = "run"; document.title = "run"</script>
<image href="https://elsewhere.test/seen.png" width="9" height="9"/>
<rect width="120" height="40" fill="#7a1fa2"/></svg>"""
LOGO = f"data:image/svg+xml;base64,{base64.b64encode(PICTURE).decode()}"


@pytest.fixture
def looked(forms):
    """Give a form a look: looked("en") in English, or in another language."""

    def look(language):
        document = copy.deepcopy(forms["marriage"].document)
        colours = {"light": "#7a1fa2", "dark": "#d59be8"}
        logo = {"image": LOGO, "alt": {"en": "University of Tea"}}
        entire = document | {"askance": "form-2", "look": {"colours": colours, "logo": logo}}

        def told(part):
            if isinstance(part, list):
                return [told(item) for item in part]
            if not isinstance(part, dict):
                return part
            return (
                {language: part["en"]}
                if set(part) == {"en"}
                else {key: told(value) for key, value in part.items()}
            )

        return Form.read(told(entire) | {"languages": [language]})

    return look


COLOURS = {"light": "rgb(122, 31, 162)", "dark": "rgb(213, 155, 232)"}


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_look_is_there_on_every_screen_and_can_be_read(collect, person, axe, looked, language):
    someone = person(collect(looked(language)).url)
    page, text = someone.page, "node => getComputedStyle(node).backgroundColor"
    for screen in someone.screens(1, 0, 2, 0):
        logo = page.get_by_role("img", name="University of Tea")
        assert logo.evaluate("node => node.complete && node.naturalWidth > 0"), screen
        assert logo.bounding_box()["height"] >= 40
        main = page.locator("main button.main:visible")
        page.mouse.move(0, 0)
        for scheme, colour in COLOURS.items() if main.count() else ():
            page.emulate_media(color_scheme=scheme)
            assert main.first.evaluate(text) == colour, screen
        assert axe(page)[0] == [], screen
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, screen


def test_the_logo_stands_where_reading_begins_and_leave_where_it_ends(collect, person, looked):
    for language, first in (("en", True), ("ar", False)):
        someone = person(collect(looked(language)).url)
        remaining, right = (
            someone.page.locator(word).bounding_box()["x"] for word in (".logo", "button.leave")
        )
        assert (remaining < right) == first


def test_what_is_in_an_image_neither_runs_nor_loads(collect, person, looked):
    collector = collect(looked("en"))
    someone = person(collector.url)
    someone.consent()
    assert someone.page.title() == "A practice question – Marriage and faith"
    assert {request.url for request in someone.sent if not request.url.startswith("data:")} == {
        collector.url,
        f"{collector.url}report",
    }
    assert someone.console == []


def test_where_colours_are_forced_the_logo_stays(chromium, collect, looked):
    context = chromium.new_context(forced_colors="active", viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(collect(looked("en")).url)
    page.wait_for_selector("h1")
    assert page.get_by_role("img", name="University of Tea").is_visible()
    context.close()


def test_leaving_takes_the_logo_away(collect, person, looked):
    someone = person(collect(looked("en")).url)
    someone.press("Leave now")
    someone.page.wait_for_url("about:blank")
    assert someone.page.locator("img").count() == 0
