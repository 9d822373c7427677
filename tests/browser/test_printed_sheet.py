"""Sheets as they leave the printer: their size, their leaves, and how large the letters are."""

import re

import pytest

from askance.survey import parse_survey, publish
from askance_collect.respond import render_sheets

SURVEY = b"""
askance = "survey-1"
title = "Tea in our town"
consent = "Say it or leave."
contact = "tea@example.org"
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "5/6" }
[[question]]
name = "cups"
text = "How many cups did you drink last week?"
line = { lower = 0, upper = 40, unit = "cups" }
mechanism = { name = "cuts", number = 2 }
"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((text) => text.data?.trim()))
    .map((one) => parseFloat(getComputedStyle(one).fontSize)
        * (one.ownerSVGElement ? one.ownerSVGElement.clientWidth / 240 : 1)))"""
WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
BORDER = "one => getComputedStyle(one).borderTopWidth"
PAPER = {"a4": (595, 842), "letter": (612, 792)}


@pytest.fixture
def sheet(chromium):
    """Open sheets as a printer sees them, each in a tab of its own: a policy outlives its page."""
    context = chromium.new_context(viewport={"width": 673, "height": 900})

    def opened(survey=SURVEY, **how):
        page = context.new_page()
        page.emulate_media(media="print")
        page.set_content(render_sheets(publish(parse_survey(survey)), **how).decode())
        return page

    yield opened
    context.close()


@pytest.mark.parametrize("device", ["dice", "cards", "spinner"])
@pytest.mark.parametrize("size", PAPER)
def test_each_copy_has_two_leaves_of_its_paper(sheet, size, device):
    printed = sheet(size=size, device=device, copies=3).pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)
    assert [tuple(round(float(end)) for end in box) for box in boxes] == [PAPER[size]] * (
        6 + (device == "cards")
    )


@pytest.mark.parametrize("device", ["dice", "cards", "spinner"])
def test_large_print_is_18_points_as_shown_and_fits(sheet, device):
    page = sheet(device=device, large=True)
    assert page.evaluate(SMALLEST) >= 24 * 0.99
    assert page.evaluate(WIDE)
    for part in (".chances", "table", "aside", "ol"):  # none is torn by the end of a page
        styles = page.locator(part).evaluate_all("all => all.map((one) => getComputedStyle(one))")
        assert {style["breakInside"] for style in styles} == {"avoid"}
    page = sheet(device=device)
    assert 12 <= page.evaluate(SMALLEST) < 24


@pytest.mark.parametrize("large", [False, True])
def test_sheets_fit_their_paper_in_every_language_and_begin_where_it_does(sheet, large):
    for language in ("ar", "de", "es", "fr", "hi", "it", "pt", "tr", "zh"):
        survey = SURVEY.replace(
            b"[[question]]", f'languages = ["{language}"]\n[[question]]'.encode(), 1
        )
        page = sheet(survey, device="spinner", large=large)
        assert page.evaluate(WIDE), language
        assert page.locator("td").first.evaluate(BORDER) != "0px", language
        boxes = [item.bounding_box() for item in (page.locator("td").first, page.locator("svg"))]
        cell, disc = (box["x"] + box["width"] / 2 for box in boxes)
        box, text = (
            page.locator(f"li:has(.box) {word}").first.bounding_box()["x"]
            for word in (".box", "span:nth-child(2)")
        )
        assert (box > text) == (language == "ar")
        assert large or (disc > cell) == (language == "ar")
