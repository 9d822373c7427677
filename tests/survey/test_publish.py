"""What is published is what was written, as integers, judged as integers."""

import math
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Form, local_loss
from askance.analysis import check
from askance.survey import deployed, parse_survey, publish
from askance_collect.exact import exp_down

SURVEY = """
askance = "survey-1"
title = { en = "Faith", de = "Glaube" }
consent = { en = "Voluntary.", de = "Freiwillig." }
languages = ["en", "de"]
minimum = 20

[[question]]
name = "town"
text = { en = "Where?", de = "Wo?" }
answers = [{ name = "town", en = "Town", de = "Stadt" },
  { name = "land", en = "Country", de = "Land" }]

[[question]]
name = "god"
text = { en = "Do you believe?", de = "Glauben Sie?" }
answers = [{ name = "ja", en = "Yes", de = "Ja" }, { name = "nein", en = "No", de = "Nein" }]
mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
blank = "1/20"
trait = "faith"

[[question]]
name = "church"
text = { en = "How often?", de = "Wie oft?" }
answers = ["0", "1-5", "6+"]
mechanism = { name = "kary", epsilon = 1.25 }
trait = "faith"

[[question]]
name = "tithe"
text = { en = "How much?", de = "Wie viel?" }
line = { lower = 0, upper = 100, step = "5/2", unit = "€" }
mechanism = { name = "cuts", number = 2 }

[[question]]
name = "born"
text = { en = "Year?", de = "Jahr?" }
line = { lower = 1900, upper = 2026 }
"""


@pytest.fixture(scope="module")
def form():
    return publish(parse_survey(SURVEY.encode()))


@pytest.mark.long
@pytest.mark.parametrize("url", ["https://example.org/s/", "https://example.org/s"])
def test_reports_can_go_elsewhere_than_to_the_page(url):
    written = SURVEY.replace("minimum = 20", f'collector = "{url}"')
    assert publish(parse_survey(written.encode())).document["collector"] == "https://example.org/s/"


def test_a_form_reads_itself(form):
    again = Form.read(form.bytes)
    assert again == form
    assert again.fingerprint == form.fingerprint
    assert [question.kind for question in again.questions] == [
        "choice",
        "table",
        "table",
        "cuts",
        "number",
    ]


def test_publishing_is_deterministic(form):
    assert publish(parse_survey(SURVEY.encode())).bytes == form.bytes


def test_labels_speak_each_language(form):
    reports = form.question("god").reports
    assert [report.wording["de"] for report in reports] == ["Ja", "Nein", "Weiß nicht"]
    assert form.question("church").answers[2].wording == {"en": "6+", "de": "6+"}


def test_labels_speak_every_language_that_the_page_speaks():
    page = sorted(
        file.name[:2] for file in (files("askance_collect.respond") / "languages").iterdir()
    )
    text = f"""
askance = "survey-1"
title = "T"
consent = "C"
languages = {page}
[[question]]
name = "said"
text = "?"
answers = ["1", "2"]
mechanism = {{ name = "abstain", truth = "3/5", lie = "1/10" }}
[[question]]
name = "often"
text = "?"
answers = ["1", "2", "3"]
mechanism = {{ name = "runs", number = 2 }}
proves = "accepted"
proves_reason = "tried"
"""
    replies, often = publish(parse_survey(text.encode())).questions
    silent = replies.reports[2].wording
    either = often.reports[1].wording
    assert len(page) == 10
    for wording in (silent, either):
        assert [tag for tag in page if wording[tag] == wording["en"]] == ["en"]


def test_guarantees_are_recorded_from_the_integers(form):
    guarantees = form.question("god").about["guarantees"]
    assert guarantees["local"] == {
        "value": "6",
        "epsilon": "1.791760",
        "attained": "by 'yes' between 'yes' and 'no'".replace("yes", "ja").replace(
            "'no'", "'nein'"
        ),
    }
    assert guarantees["walley"]["epsilon"] == "2.197225"
    assert form.question("tithe").about["guarantees"]["flatness"]["value"] == "1"


def test_questions_about_one_trait_are_judged_together(form):
    (trait,) = form.document["about"]["traits"]
    ratio = local_loss(deployed(form.question("church")).channel).value * 6
    assert trait["questions"] == ["god", "church"]
    epsilon = Fraction(trait["guarantees"]["local"]["epsilon"])
    assert 0 <= epsilon - Fraction(math.log(ratio)) <= Fraction(2, 10**6)


@pytest.mark.long
def test_next_to_a_range_no_loss_is_composed(form):
    result = {"name": "faith", "questions": ["god", "tithe"]}
    about = form.document["about"] | {"traits": [result]}
    (trait,) = check(Form.read({**form.document, "about": about})).traits
    assert trait.guarantees == ()


@pytest.mark.long
def test_the_channel_is_taken_from_the_form(form):
    channel = deployed(form.question("tithe")).channel
    assert (channel.line.ticks, channel.number, channel.line.step) == (40, 2, Fraction(5, 2))
    assert deployed(form.question("town")).channel.matrix.tolist() == [[1, 0], [0, 1]]


@pytest.mark.long
@given(st.decimals("0.01", 12, places=2), st.integers(2, 12))
def test_no_form_promises_less_than_its_survey_asked(epsilon, k):
    answers = ", ".join(f'"a{index}"' for index in range(k))
    raw = f"""askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
answers = [{answers}]
mechanism = {{ name = "kary", epsilon = {epsilon} }}"""
    question = publish(parse_survey(raw.encode())).questions[0]
    assert local_loss(deployed(question).channel).value <= exp_down(epsilon)
    assert question.table.total <= 2**48


@pytest.mark.parametrize("blank", [0, 0.1, "1/3"])
@pytest.mark.parametrize("k", [2, 3, 5, 12])
def test_a_level_is_that_of_the_form_whatever_is_blank_and_answered(k, blank):
    answers = ", ".join(f'"a{index}"' for index in range(k))
    recipes = (
        'name = "kary", ratio = 3',
        'name = "abstain", ratio = "3", answered = 0.7',
        'name = "abstain", ratio = 3.0, answered = "1/3"',
    )
    questions = "".join(
        f"""
[[question]]
name = "q{index}"
text = "Q?"
answers = [{answers}]
blank = "{blank}"
mechanism = {{ {recipe} }}"""
        for index, recipe in enumerate(recipes)
    )
    head = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"'
    form = publish(parse_survey(f"{head}{questions}".encode()))
    for question in form.questions:
        assert local_loss(deployed(question).channel).value == 3
        assert question.about["guarantees"]["local"]["value"] == "3"
        assert "ratio" not in question.about["mechanism"]
