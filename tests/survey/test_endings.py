"""A survey's own ending: what is written of it, and what is refused."""

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.wire import Form

HEAD = """
askance = "survey-1"
title = "Tea"
consent = { en = "Say it or leave.", de = "Sagen Sie es." }
languages = ["en", "de"]
"""
QUESTION = """
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""


def form_of(ending, head=HEAD):
    return publish(parse_survey((head + ending + QUESTION).encode()))


def test_an_ending_is_published_as_it_is_written():
    form = form_of("""
[ending]
thanks = { en = "Thanks", de = "Danke" }
code = "C1"
url = "https://panel.example/done?who={pid}&again={pid}&of={of}"
""")
    assert form.document["askance"] == "form-2"
    assert form.ending.thanks == {"en": "Thanks", "de": "Danke"}
    assert (form.ending.code, form.ending.url_parameters) == ("C1", ("pid", "of"))
    assert Form.read(form.bytes) == form


def test_a_survey_without_an_ending_stays_as_it_was():
    form = form_of("")
    assert form.document["askance"] == "form-1"
    assert form.ending is None
    assert "ending" not in form.document


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        ("[ending]", "ending: got {}"),
        ('[ending]\nlogo = "a"', "ending.logo: got 'logo'; allowed: thanks, code, url"),
        ('[ending]\nthanks = { en = "Thanks" }', "ending.thanks.de: got 'nothing'"),
        ('[ending]\nthanks = ""', "ending.thanks.en: got 'an empty text'"),
        ('[ending]\ncode = ""', "ending.code"),
        ('[ending]\ncode = "two words"', "without a space"),
        ('[ending]\nurl = "http://panel.example/"', "an address such as https://"),
        ('[ending]\nurl = "https://panel.example/#{pid}"', "ending.url"),
        ('[ending]\nurl = "https://panel.example/{}"', "ending.url"),
        ('[ending]\nurl = "https://[::1/"', "ending.url"),
    ],
)
def test_an_ending_that_leads_nowhere_is_refused_with_its_place(ending, message):
    with pytest.raises(SurveyError) as refused:
        form_of(ending)
    assert message in str(refused.value)


def test_an_address_that_is_none_is_refused_beside_a_collector_too():
    head = f'{HEAD}collector = "https://survey.example/tea/"\n'
    with pytest.raises(SurveyError, match=r"ending\.url: got 'https://\[::1/'"):
        form_of('[ending]\nurl = "https://[::1/"', head)


def test_a_way_back_to_the_collector_is_refused():
    head = f'{HEAD}collector = "https://survey.example/tea/"\n'
    with pytest.raises(SurveyError, match="the collector would learn who sent a report"):
        form_of('[ending]\nurl = "https://survey.example/done"', head)


TURNING = """
[[quota]]
question = "tea"
answer = "no"
most = {most}
"""


def test_each_outcome_has_its_own_way_back():
    ending = """
[ending]
code = "DONE"
screened = { code = "OUT", url = "https://panel.example/out?who={pid}" }
"""
    form = form_of(ending + TURNING.format(most=0))
    assert form.document["ending"]["screened"] == {
        "code": "OUT",
        "url": "https://panel.example/out?who={pid}",
    }
    assert form.ending.url_parameters == ("pid",)
    assert (form.ending.screened.code, form.ending.full) == ("OUT", None)
    assert [(quota.answer, quota.maximum) for quota in form.quotas] == [(1, 0)]
    assert Form.read(form.bytes) == form


@pytest.mark.parametrize(
    ("ending", "most", "where", "message"),
    [
        ('full = { code = "F" }', 0, "ending.full", "no quota with most = 1 or more"),
        ('screened = { code = "S" }', 5, "ending.screened", "no quota with most = 0"),
        ('code = "C"\nfull = { code = "C" }', 5, "ending.full.code", "C again"),
        ("screened = {}", 0, "ending.screened", "an object with thanks, code, url"),
        ('screened = { url = "http://a.example/" }', 0, "ending.screened.url", "http://a.example/"),
        ('screened = { codes = "S" }', 0, "ending.screened.codes", "did you mean 'code'"),
        ('code = "C"', -1, "quota[0].most", "0 screens out"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused_with_its_place(ending, most, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(f"[ending]\n{ending}\n{TURNING.format(most=most)}")
    assert where in str(refused.value)
    assert message in str(refused.value)


def test_somebody_must_remain():
    quotas = TURNING.format(most=0) + TURNING.format(most=0).replace('"no"', '"yes"')
    with pytest.raises(SurveyError, match="as for every answer to tea"):
        form_of(quotas)
