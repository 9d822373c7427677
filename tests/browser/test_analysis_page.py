"""The analyst's page in a real browser: nothing fetched, nothing refused, nothing cut off."""

import json
from types import MappingProxyType

import pytest

from askance.engines import Counts
from askance.present import render_analysis
from askance.survey import analyse

AXE = "node_modules/axe-core/axe.min.js"
LABELS = 'document.querySelectorAll("svg text")'
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def address(affairs_form, tmp_path_factory):
    """The page of a rehearsal of every kind of question, as a file."""
    ages = {(0, tick): 6 * tick for tick in range(1, 53)}
    ages |= {(tick, 53): 6 * (53 - tick) for tick in range(1, 53)}
    sent = {
        "any_affair": {0: 310, 1: 520, 2: 170, None: 55},
        "age": ages,
        "children": {0: 400, 1: 300, 2: 300},
        "years": dict.fromkeys(range(81), 10),
    }
    counts = Counts(1000, MappingProxyType(sent))
    known = {"any_affair": {"yes": 0.32, "no": 0.68}, "age": {"mean": 34.0, "median": 34.0}}
    analysis = analyse(affairs_form, counts, command="askance estimate a b", truth=known)
    path = tmp_path_factory.mktemp("page") / "analysis.html"
    path.write_text(render_analysis(analysis), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(chromium, address):
    """Open the page: opened(width, scheme) gives it with what it asked for and complained of."""
    contexts = []

    def start(width, scheme="light"):
        size = {"width": width, "height": 800}
        contexts.append(chromium.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        asked, told = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.goto(address)
        return page, asked, told

    yield start
    for context in contexts:
        context.close()


def test_it_asks_for_its_own_file_alone_and_breaks_none_of_its_rules(opened, address):
    page, asked, told = opened(1280)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert [url for url in asked if url != "data:,"] == [address]
    assert told == []


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_is_wider_than_the_screen(opened, width):
    page, _, _ = opened(width)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@SCHEMES
def test_axe_finds_nothing(opened, request, scheme):
    axe = request.config.rootpath / AXE
    assert axe.is_file(), "axe-core is not installed: run npm ci"
    page, _, _ = opened(360, scheme)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.evaluate(axe.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert json.dumps([(one["id"], one["nodes"][0]["html"]) for one in found]) == "[]"


@SCHEMES
def test_figures_take_the_colours_of_the_page(opened, scheme):
    page, _, _ = opened(360, scheme)
    ink = page.evaluate("getComputedStyle(document.body).color")
    drawn = page.evaluate(f"[...{LABELS}].map(one => getComputedStyle(one).fill)")
    assert ink in drawn
    assert "rgb(0, 0, 0)" not in drawn


def test_light_and_dark_differ(opened):
    grounds = {
        opened(360, scheme)[0].evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert len(grounds) == 2


def test_labels_are_large_enough_on_a_phone_and_none_lie_over_each_other(opened):
    page, _, _ = opened(360)
    boxes = page.evaluate(
        """[...document.querySelectorAll("svg")].map(
             svg => [...svg.querySelectorAll("text")].map(one => one.getBoundingClientRect()).map(
               box => [box.x, box.y, box.right, box.bottom]))"""
    )
    assert sum(map(len, boxes)) > 30
    assert min(bottom - top for figure in boxes for _, top, _, bottom in figure) >= 10
    for figure in boxes:
        for at, (left, top, right, bottom) in enumerate(figure):
            for x, y, end, foot in figure[:at]:
                across, down = min(right, end) - max(left, x), min(bottom, foot) - max(top, y)
                assert across <= 1 or down <= 3


def test_on_paper_every_fold_is_open(opened):
    page, _, _ = opened(1280)
    page.emulate_media(media="print")
    heights = page.evaluate(
        "[...document.querySelectorAll('details > :not(summary)')].map(one => one.offsetHeight)"
    )
    assert heights
    assert min(heights) > 0
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
