import hashlib
import re
from base64 import b64encode
from dataclasses import replace

import numpy as np
import pytest
from pages import HOSTILE, Reader

import askance as ak
from askance.inference import Convergence
from askance.present import render_analysis


@pytest.mark.long
def test_it_asks_for_nothing_from_anywhere(page):
    reader = Reader(page)
    assert not reader.all("src")
    assert not [
        link for link in reader.all("href") if not link.startswith("#") and link != "data:,"
    ]
    assert not re.search(r"https?://|@import|url\((?!#)", page)
    assert not {"script", "iframe", "object", "embed", "form", "base"} & {
        tag for tag, _ in reader.tags
    }


def test_the_content_policy_names_the_style_and_nothing_is_styled_inline(page):
    style = re.search(r"<style>(.*)</style>", page, re.DOTALL)[1]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in page
    assert not Reader(page).all("style")


def test_it_is_small(page):
    assert len(page.encode()) <= 150_000


@pytest.mark.long
def test_fifty_questions_stay_within_the_cap(analysis):
    many = tuple(analysis.findings[index % 6] for index in range(50))
    assert len(render_analysis(replace(analysis, findings=many)).encode()) <= 500_000


@pytest.mark.long
def test_equal_analyses_give_equal_bytes_without_a_date(invent):
    page = render_analysis(invent())
    assert page == render_analysis(invent())
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b|\d\d:\d\d:\d\d", page)


@pytest.mark.long
def test_hostile_wording_is_only_text(invent):
    page = render_analysis(invent(title=HOSTILE, affair=HOSTILE))
    reader = Reader(page)
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "".join(reader.words).count("</title><script>alert(1)</script>") >= 3
    assert "{{ 7*7 }}" in page
    assert {attrs.get("dir") for tag, attrs in reader.tags if tag in ("h1", "h2")} >= {"auto"}


def test_ids_are_unique_and_every_pointer_is_met(page):
    reader = Reader(page)
    ids = reader.all("id")
    assert len(ids) == len(set(ids))
    pointers = [name for names in reader.all("aria-labelledby") for name in names.split()]
    pointers += [link[1:] for link in reader.all("href") if link.startswith("#")]
    assert set(pointers) <= set(ids)


def test_the_figures_are_said(page):
    text = "".join(Reader(page).words)
    for message in (
        "33.1 %",
        "30.8 to 35.4 %",
        "1,591",
        "28.6 to 29.6",
        "Chance alone leaves about 318",
    ):
        assert message in text
    assert "certified by its gap (gap 3.0e-12 per report)" in text
    assert "askance estimate form.json reports.csv --page analysis.html" in text


def test_a_gap_is_said_where_there_is_one(analysis):
    first = next(
        finding for finding in analysis.findings if getattr(finding.estimate, "gap", 0) > 0
    )
    for gap, result in ((2e-12, True), (0.0, False)):
        text = replace(first, estimate=replace(first.estimate, gap=gap))
        assert ("(gap " in render_analysis(replace(analysis, findings=(text,)))) == result


def test_what_is_withheld_is_nowhere_in_the_page(page):
    assert "Only 31 people reported" in page
    for withheld in ("12.3", "87.7", "5.0", "95.0"):
        assert not re.search(rf"(?<![\d.]){re.escape(withheld)}\s?%", page)


@pytest.mark.long
def test_the_truth_is_shown_in_a_rehearsal_alone(invent):
    assert "</svg> Truth</th>" in render_analysis(invent(rehearsal=True))
    words = Reader(render_analysis(invent(rehearsal=False))).words
    assert not re.search(r"\b[Tt]ruth\b", "".join(words))


def test_a_survey_that_taught_nothing_still_has_a_page(analysis):
    finding = analysis.findings[1]
    empty = replace(
        finding.estimate,
        value=np.full(2, np.nan),
        covariance=np.full((2, 2), np.nan),
        lower=np.zeros(2),
        upper=np.ones(2),
        effective_sample_size=np.zeros(2),
        reports=0,
        convergence=Convergence.NO_REPORTS,
        gap=float("nan"),
    )
    silent = replace(finding, estimate=empty, reports=0, truth=None)
    page = render_analysis(replace(analysis, findings=(silent,), reports=0))
    assert "not known" in page
    assert Convergence.NO_REPORTS.value in page
    assert "nan" not in re.sub("<style>.*</style>", "", page, flags=re.DOTALL).lower()


@pytest.mark.long
def test_sets_that_always_hold_the_answer_are_not_said_to_differ_from_it():
    form = ak.publish(ak.load_survey("examples/income.toml"))
    reports = {question.name: {} for question in form.questions}
    reports["getting_by"] = {0: 100, 1: 300, 2: 200}
    page = render_analysis(ak.analyse(form, ak.engines.Counts(600, reports)))
    assert "may differ from the true one" not in page
    assert page.count("always true, but broad on purpose") == len(form.questions) - 1
    assert page.count("some of what can be sent proves an answer") == 1


@pytest.mark.parametrize(
    ("reports", "head", "few"),
    [
        (0, "<b>0</b> reports,", "Nobody reported on this question."),
        (1, "<b>1</b> report,", "Only one person reported on this question."),
        (2, "<b>2</b> reports,", "Only 2 people reported on this question."),
    ],
)
def test_few_people_are_counted_in_words(analysis, reports, head, few):
    findings = tuple(
        replace(finding, reports=reports, suppressed=True, truth=None)
        for finding in analysis.findings
    )
    page = render_analysis(replace(analysis, reports=reports, findings=findings, command=""))
    assert head in page
    assert few in page
    assert ("With so few" in page) == (reports > 0)
    assert "<pre" not in page


@pytest.mark.parametrize(
    ("plain", "worth"), [(0.2, "effective sample size under 1."), (1, "effective sample size 1.")]
)
def test_a_small_effective_sample_size_is_not_said_to_be_none(analysis, plain, worth):
    first = analysis.findings[1]
    estimate = replace(
        first.estimate, effective_sample_size=np.full(len(first.estimate.labels), plain)
    )
    assert worth in render_analysis(
        replace(analysis, findings=(replace(first, estimate=estimate),))
    )
