"""The study of students' life holds every kind of question; each is estimated from reports."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from askance.analysis import Analysis, Check, analyse, check
from askance.engines import Counts
from askance.present import render_analysis
from askance.privacy import Notion
from askance.study import invent_answers
from askance.survey import load_survey, publish
from askance_collect.respond import render_page, respond
from askance_collect.wire import Form

EXAMPLE = Path(__file__).parents[2] / "examples" / "student-life.toml"
PEOPLE = 400
SECTIONS = [
    "Your studies",
    "How you are",
    "Exams and papers",
    "Substances",
    "Money",
    "One last thing",
]
NEWER = {"coin": ["sat"], "needed": ["year"], "ticks": ["happened"], "piped": ["better"]}
"""Which questions have what: a coin, no way around them, a list to tick, an earlier answer."""


@pytest.fixture(scope="module")
def form() -> Form:
    return publish(load_survey(EXAMPLE))


@pytest.fixture(scope="module")
def checked(form: Form) -> Check:
    return check(form)


@pytest.fixture(scope="module")
def analysis(form: Form) -> Analysis:
    people = invent_answers(form, people=PEOPLE).people
    reports = [respond(form, answers).values for answers in people]
    messages = {
        question.name: Counter(values[question.name] for values in reports)
        for question in form.questions
    }
    return analyse(form, Counts(PEOPLE, messages))


def test_every_kind_of_question_is_there(form: Form) -> None:
    written = EXAMPLE.read_text("utf-8")
    recipes = set(re.findall(r'mechanism(?: = \{ |\.)name = "(\w+)"', written))
    assert recipes == {
        *("abstain", "crosswise", "cuts", "forced", "kary"),
        *("progressive", "ring", "runs", "warner"),
    }
    document = form.document
    assert {tuple(skip.answered) for skip in form.skips} == {(1,)}
    assert [section["title"]["en"] for section in document["sections"]] == SECTIONS
    assert [section["at"] for section in document["sections"] if "order" in section] == [6]
    assert [question.name for question in form.questions if getattr(question, "groups", ())] == [
        "cheated"
    ]
    texts = [question["name"] for question in document["questions"] if question["kind"] == "text"]
    assert texts == ["job_comment", "better"]
    names = {
        key: [question["name"] for question in document["questions"] if key in question]
        for key in NEWER
    }
    assert names == NEWER
    assert document["look"]["colours"]["light"] == "#5b2a86"
    assert 'attention = "very much"' in written
    assert document["ending"]["thanks"]["de"].startswith("Die Ergebnisse")


def compressed_size(form: Form) -> int:
    return len(gzip.compress(render_page(form).bytes, 9, mtime=0))


def test_both_languages_fit_into_forty_five_kilobytes(form: Form) -> None:
    assert form.languages == ("en", "de")
    assert compressed_size(form) <= 45_000


def test_two_others_without_english_fit_into_forty_seven(form: Form) -> None:
    other = Form.read(json.loads(form.bytes.replace(b'"en"', b'"tr"').replace(b'"de"', b'"fr"')))
    assert other.languages == ("tr", "fr")
    assert compressed_size(other) <= 47_000


def test_a_way_to_go_on_later_is_no_question_and_weighs_some_kilobytes_beside(form: Form) -> None:
    later = Form.read(form.document | {"later": 14})
    assert 3_000 < compressed_size(later) - compressed_size(form) < 4_000


@pytest.mark.long
def test_no_trait_loses_more_than_twelve(checked: Check) -> None:
    local = {
        trait.name: guarantee.value
        for trait in checked.traits
        for guarantee in trait.guarantees
        if guarantee.notion is Notion.LOCAL
    }
    assert local == {"honesty": 12, "substances": 12}


@pytest.mark.long
def test_every_question_is_estimated_and_every_section_named(analysis: Analysis) -> None:
    page = render_analysis(analysis)
    glance = page.split('id="glance"')[1].split("</table>")[0]
    intervals = re.findall(r'<td class="n wide">([^<]*)</td>', glance)
    assert len(intervals) == len(analysis.findings) == 21  # of lists items, not combinations
    assert "{subject" not in page
    assert all(" to " in interval for interval in intervals)
    assert re.findall(r'<h2 class="part"[^>]*>([^<]*)', page) == SECTIONS
    assert re.findall(r'<tr class="part"><th[^>]*>([^<]*)', page) == SECTIONS
    strip = page.split("to mislead</title>")[1].split("</svg>")[0]
    shares, interval = (height_of(strip, colour) for colour in ("accent", "tint"))
    assert shares < interval  # which the caption calls pale


def height_of(drawing: str, colour: str) -> float:
    """How high an area of this colour is in a drawing."""
    area = re.search(rf'<path d="([^"]*)"[^>]*fill="var\(--{colour}\)"', drawing)
    assert area is not None
    heights = [float(y) for y in re.findall(r"[ML] \S+ (\S+)", area[1])]
    return max(heights) - min(heights)
