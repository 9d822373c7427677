"""The analyst's page in a real browser: nothing fetched, nothing refused, nothing cut off."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pypdfium2
import pytest

from askance.analysis import analyse
from askance.engines import Counts
from askance.present import render_analysis

LABELS = 'document.querySelectorAll("svg text")'
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def analysis(affairs_form):
    """A rehearsal of every kind of question."""
    ages = {(0, tick): 6 * tick for tick in range(1, 53)}
    ages |= {(tick, 53): 6 * (53 - tick) for tick in range(1, 53)}
    reports = {
        "any_affair": {0: 310, 1: 520, 2: 170, None: 55},
        "age": ages,
        "children": {0: 400, 1: 300, 2: 300},
        "years": dict.fromkeys(range(81), 10),
    }
    counts = Counts(1000, MappingProxyType(reports))
    expected = {"any_affair": {"yes": 0.32, "no": 0.68}, "age": {"mean": 34.0, "median": 34.0}}
    return analyse(affairs_form, counts, command="askance estimate a b", truth=expected)


@pytest.fixture(scope="module")
def address(analysis, tmp_path_factory):
    """The page of it, as a file."""
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
        questions, result = [], []
        page.on("request", lambda request: questions.append(request.url))
        page.on("console", lambda message: result.append(message.text))
        page.goto(address)
        return page, questions, result

    yield start
    for context in contexts:
        context.close()


def test_it_asks_for_its_own_file_alone_and_breaks_none_of_its_rules(opened, address):
    page, questions, result = opened(1280)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert [url for url in questions if url != "data:,"] == [address]
    assert result == []


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_is_wider_than_the_screen(opened, width):
    page, _, _ = opened(width)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing(opened, axe):
    page, _, _ = opened(360)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert axe(page)[0] == []


def test_fifteen_questions_are_some_screens_and_details_are_folded(analysis, chromium, tmp_path):
    findings = [replace(finding, truth=None) for finding in analysis.findings[1:]]
    several = [findings[i % len(findings)] for i in range(15)]
    path = tmp_path / "fifteen.html"
    path.write_text(render_analysis(replace(analysis, findings=tuple(several))), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") <= 5_000
    glance = "document.querySelector('.glance').getBoundingClientRect().height"
    assert page.evaluate(glance) <= 800
    assert page.evaluate("document.querySelectorAll('details[open].about').length") == 0
    links = page.evaluate("[...document.querySelectorAll('nav a')].map(a => a.textContent)")
    assert (links[0], links[-1]) == ("At a glance", "Reproduce it")
    page.close()


@SCHEMES
def test_figures_take_the_colours_of_the_page(opened, scheme):
    page, _, _ = opened(360, scheme)
    quiet = page.evaluate("getComputedStyle(document.querySelector('.how')).color")
    value = page.evaluate(f"[...{LABELS}].map(one => getComputedStyle(one).fill)")
    assert quiet in value
    assert "rgb(0, 0, 0)" not in value


def test_light_and_dark_differ(opened):
    grounds = {
        opened(360, scheme)[0].evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert len(grounds) == 2


def test_labels_are_large_enough_on_a_phone_and_none_lie_over_each_other(opened):
    page, _, _ = opened(360)
    figures = page.evaluate(
        """[...document.querySelectorAll("figure > svg, .dots tfoot svg")].filter(
             svg => svg.getClientRects().length).map(
             svg => [...svg.querySelectorAll("text")].map(one => {
               const box = one.getBoundingClientRect(), scale = svg.getScreenCTM().a;
               const size = parseFloat(getComputedStyle(one).fontSize) * scale;
               return [box.x, box.y, box.right, box.bottom, size] }))"""
    )
    assert sum(map(len, figures)) > 30
    assert min(size for figure in figures for *_, size in figure) >= 11
    for figure in figures:
        for index, (remaining, top, right, bottom, _) in enumerate(figure):
            for x, y, end, foot, _ in figure[:index]:
                across, down = min(right, end) - max(remaining, x), min(bottom, foot) - max(top, y)
                assert across <= 1 or down <= 3


def test_it_uses_the_width_of_a_desk(opened):
    page, _, _ = opened(1280)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    right = page.evaluate(
        "[...document.querySelectorAll('article .promise')].map(x => x.getBoundingClientRect())"
        ".map(box => [box.left, box.right])"
    )
    value = page.evaluate(
        "[...document.querySelectorAll('article .found')].map(x => x.getBoundingClientRect().right)"
    )
    assert right
    assert min(end for _, end in right) > 1280 - 80
    assert max(value) < min(start for start, _ in right)


@pytest.mark.parametrize("width", [800, 1280])
def test_beside_amounts_of_money_no_label_of_its_own_is_broken(opened, width):
    page, _, _ = opened(width)
    page.evaluate("""() => document.querySelectorAll(".dots td.n").forEach((cell) => {
        cell.textContent = "100,000 to 120,000";
      })""")
    lines = """() => Object.fromEntries(
      [...document.querySelectorAll(".dots tbody th")].map((label) => {
        const text = document.createRange();
        text.selectNodeContents(label);
        const tops = [...text.getClientRects()].map(({ top }) => Math.round(top));
        return [label.innerText, new Set(tops).size];
      }))"""
    value = page.evaluate(lines)
    assert {value[own] for own in ("mean", "10th percentile", "lower quartile")} == {1}


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_marks_stand_on_the_line_of_their_row(opened, width):
    page, _, _ = opened(width)
    off = page.evaluate(
        """[...document.querySelectorAll(".dots tbody tr")].flatMap(row => {
             const plot = row.querySelector(".plot").getBoundingClientRect();
             return [...row.querySelectorAll("svg .interval, svg .dot, svg .true")].map(mark => {
               const box = mark.getBoundingClientRect();
               const middle = (box.top + box.bottom) / 2, across = (box.left + box.right) / 2;
               return [Math.abs(middle - (plot.top + plot.bottom) / 2),
                       Math.min(across - plot.left, plot.right - across)] }) })"""
    )
    assert len(off) > 12
    assert max(down for down, _ in off) <= 1
    assert min(inside for _, inside in off) >= 0


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


def test_paper_has_margins_and_no_page_is_left_half_empty(opened):
    page, _, _ = opened(1280)
    pdf = pypdfium2.PdfDocument(page.pdf(format="A4", prefer_css_page_size=True))
    inked = [np.argwhere(sheet.render(scale=1).to_numpy().min(axis=2) < 250) for sheet in pdf]
    for places in inked:
        assert places.min() > 36  # half an inch, in points
        assert places[:, 1].max() < pdf[0].get_width() - 36
    heights = [int(np.unique(places[:, 0] // 12).size) for places in inked[:-1]]
    assert min(heights) > 0.5 * pdf[0].get_height() / 12
