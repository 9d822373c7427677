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
    assert (form.ending.code, form.ending.names) == ("C1", ("pid", "of"))
    assert Form.read(form.bytes) == form


def test_a_survey_without_an_ending_stays_as_it_was():
    form = form_of("")
    assert form.document["askance"] == "form-1"
    assert form.ending is None
    assert "ending" not in form.document


@pytest.mark.parametrize(
    ("ending", "said"),
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
def test_an_ending_that_leads_nowhere_is_refused_with_its_place(ending, said):
    with pytest.raises(SurveyError) as refused:
        form_of(ending)
    assert said in str(refused.value)


def test_an_address_that_is_none_is_refused_beside_a_collector_too():
    head = f'{HEAD}collector = "https://survey.example/tea/"\n'
    with pytest.raises(SurveyError, match=r"ending\.url: got 'https://\[::1/'"):
        form_of('[ending]\nurl = "https://[::1/"', head)


def test_a_way_back_to_the_collector_is_refused():
    head = f'{HEAD}collector = "https://survey.example/tea/"\n'
    with pytest.raises(SurveyError, match="the collector would learn who sent a report"):
        form_of('[ending]\nurl = "https://survey.example/done"', head)
