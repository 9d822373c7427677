"""A number on a line of millions: typed as a language writes it, told why not, sent as it is."""

import pytest

import askance as ak

SURVEY = """
askance = "survey-1"
title = { en = "Money", de = "Geld" }
consent = { en = "Say it or leave.", de = "Ja oder nein." }
languages = ["en", "de"]
[[question]]
name = "income"
text = { en = "What did you earn last year?", de = "Was haben Sie letztes Jahr verdient?" }
line = { lower = 0, upper = 10000000, whole = true, unit = { en = "euros", de = "Euro" } }
[[question]]
name = "spent"
text = { en = "What did you spend yesterday?", de = "Was haben Sie gestern ausgegeben?" }
line = { lower = -50, upper = 1000000, step = 0.01, unit = { en = "euros", de = "Euro" } }
[[question]]
name = "born"
text = { en = "In which year were you born?", de = "In welchem Jahr sind Sie geboren?" }
line = { lower = 1900, upper = 2020, whole = true }
"""
TYPED = {
    "en": [
        (["45,00", "4.5.0", "10000001", "-1", "45 000 €", "1e3"], "10,000,000", "45,000"),
        (["12.345", "1,000,000.01", "12,5"], "1,000,000", "+1,234.5"),
        (["85", "1899", "1985.5"], "from 1900 to 2020.", "1985"),
    ],
    "de": [
        (["45,5", "10.000.001", "1.2345"], "10.000.000", "45.000"),
        (["12,345", "1.000.000,01"], "1.000.000", "1.234,5"),
        (["85", "1.8995", "19,85"], "von 1900 bis 2020", "1985"),
    ],
}


@pytest.mark.parametrize("language", TYPED)
def test_a_number_is_typed_as_the_language_writes_it(collect, person, language):
    collector = collect(ak.publish(ak.parse_survey(SURVEY.encode())))
    someone = person(collector.url, language=language)
    someone.consent()
    for wrong, told, right in TYPED[language]:
        for one in wrong:
            someone.choose(one)
            someone.proceed()
            assert told in someone.page.locator("#complaint").inner_text(), one
        someone.answer(right)
    shown = someone.page.locator("main").inner_text()
    assert {"en": "45,000 euros", "de": "45.000 Euro"}[language] in shown
    assert "1985" in shown
    someone.reveal()
    someone.send()
    (report,) = collector.reports()
    assert (report["income"], report["spent"], report["born"]) == (45_001, 128_450, 86)
