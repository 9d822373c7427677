"""The page of groups in a real browser: in light and dark, on a phone and a desk, in Hebrew too."""

import numpy as np
import pytest

import askance as ak
from askance.present import GroupFinding, render_groups

lab = ak.inference
AT_WIDTHS = pytest.mark.parametrize("width", [320, 360, 1280])
TOWNS = {"north": 400, "south": 380, "תל אביב": 300, "Llanfairpwllgwyngyllgogerychwyrn": 25}
MARKS = """[...document.querySelectorAll(".dots tbody tr")].flatMap(row => {
  const plot = row.querySelector(".plot").getBoundingClientRect();
  return [...row.querySelectorAll("svg .interval, svg .dot")].map(mark => {
    const box = mark.getBoundingClientRect();
    return [Math.abs((box.top + box.bottom - plot.top - plot.bottom) / 2),
            Math.min(box.left - plot.left, plot.right - box.right)] }) })"""


def finding(answers):
    frame = ak.Frame(answers)
    q = ak.mechanisms.KAry(truth="3/4").channel(frame)
    town = [name for name, n in TOWNS.items() for _ in range(n)]
    answer = [answers[index % len(answers) if index % 3 else 0] for index in range(len(town))]
    groups = lab.estimate_domains(ak.tally(q, answer, by=town), by="town")
    whole_estimate = ak.estimate(ak.tally(q, answer))
    return GroupFinding(
        text="?האם אי פעם",
        description="By a coin.",
        overall=whole_estimate,
        groups=groups,
        pool="askance small-areas",
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "groups.html"
    result = [finding(["yes", "no"]), finding(["never", "once or twice", "often"])]
    path.write_text(render_groups("סקר", result, language="he"), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(chromium, address):
    contexts = []

    def start(width, scheme="light"):
        size = {"width": width, "height": 800}
        contexts.append(chromium.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.goto(address)
        return page

    yield start
    for context in contexts:
        context.close()


@AT_WIDTHS
def test_nothing_is_wider_than_the_screen_and_marks_are_on_their_lines(opened, width):
    page = opened(width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    off = np.array(page.evaluate(MARKS))
    assert len(off) == 2 * 5 + 3 * 2 * 5
    assert off[:, 0].max() <= 1
    assert off[:, 1].min() >= 0


@AT_WIDTHS
def test_no_two_labels_of_an_axis_touch(opened, width):
    gaps = opened(width).evaluate("""
      [...document.querySelectorAll(".dots tfoot svg")].flatMap(svg => {
      const boxes = [...svg.querySelectorAll("text")].map(one => one.getBoundingClientRect());
      return boxes.slice(1).map((box, at) => box.left - boxes[at].right) })""")
    assert len(gaps) > 4
    assert min(gaps) >= 6


def test_it_uses_the_width_of_a_desk(opened):
    ends = opened(1280).evaluate("""[...document.querySelectorAll("article")].map(one =>
      Math.max(...[...one.querySelectorAll("table")].map(x => x.getBoundingClientRect().right)))""")
    assert min(ends) > 1280 - 80


def test_everybody_is_one_line_through_all_rows(opened):
    places = opened(1280).evaluate("""[...document.querySelectorAll(".dots")].map(table =>
      [...table.querySelectorAll(".plot line.all")].map(x => x.getBoundingClientRect().left))""")
    assert [len(item) for item in places] == [5, 5, 5, 5]
    assert max(np.ptp(item) for item in places) <= 0.5


def test_words_written_from_right_to_left_begin_where_the_others_do(opened):
    lefts = opened(1280).evaluate("""[...document.querySelectorAll(".dots")].map(table =>
      [...table.querySelectorAll("tbody th")].map(one => {
        const range = document.createRange(); range.selectNodeContents(one);
        return range.getBoundingClientRect().left }))""")
    assert max(np.ptp(item) for item in lefts) <= 1


def test_axe_finds_nothing(opened, axe):
    assert axe(opened(360))[0] == []
