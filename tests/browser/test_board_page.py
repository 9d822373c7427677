"""The page for a board in a browser: one side of A4 first, folded below, open in print, for all."""

import pytest

import askance as ak

A4 = {"width": 672, "height": 986}
"""What the page's margins leave of A4, in pixels of 1/96 inch."""


@pytest.mark.parametrize("name", ["doping", "student-life"])
def test_one_side_of_paper_holds_the_summary_and_print_shows_all(chromium, axe, tmp_path, name):
    form = ak.publish(ak.load_survey(f"examples/{name}.toml"))
    written = tmp_path / "board.html"
    written.write_text(ak.present.render_board(form, ak.check(form)), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 360, "height": 800})
    page.goto(written.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert axe(page)[0] == []
    assert not page.locator("#questions").is_visible()
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert axe(page)[0] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = false; })")
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    bottom = page.locator(".side").evaluate("(side) => side.getBoundingClientRect().bottom")
    assert 500 < bottom <= A4["height"]
    assert page.locator("#questions").is_visible()
    page.close()
