"""A number on a line of millions: typed as a language writes it, what was read of it, and sent."""

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
        (["12.3456", "1,000,000.01", "12,5"], "1,000,000", "+1,234.5"),
        (["85", "1899", "1985.5"], "from 1900 to 2020.", "1985"),
    ],
    "de": [
        (["45,5", "10.000.001", "1.2345"], "10.000.000", "４５ ０００"),
        (["12,3456", "1.000.000,01"], "1.000.000", "١٢٣٤٫٥"),
        (["85", "1.8995", "19,85"], "von 1900 bis 2020", "१९८५"),
    ],
}
READ = {"en": "= 1,234.5 euros", "de": "= 1.234,5 Euro"}
UNCLEAR = {
    "en": (
        "1.000",
        "This can mean two numbers. Type 1000 or 1.",
        "1,000",
        "1 000",
        "= 1,000 euros",
    ),
    "de": (
        "1,000",
        "Das kann zwei Zahlen bedeuten. Geben Sie 1000 oder 1 ein.",
        "1.000",
        "1'000",
        "= 1.000 Euro",
    ),
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


@pytest.mark.parametrize("language", TYPED)
def test_what_was_read_is_shown_and_what_can_mean_two_numbers_is_refused(collect, person, language):
    collector = collect(ak.publish(ak.parse_survey(SURVEY.encode())))
    someone = person(collector.url, language=language)
    someone.consent()
    unclear, told, *clear, shown = UNCLEAR[language]
    complaint, status = (someone.page.locator(one) for one in ("#complaint", ".preview"))
    someone.choose(unclear)
    assert status.inner_text() == told
    someone.proceed()
    assert complaint.inner_text() == told
    for one in clear:
        someone.choose(one)
        assert status.inner_text() == shown
    someone.proceed()
    someone.choose("1.250" if language == "en" else "1,250")  # in cents: both are on the line
    someone.proceed()
    either = {"en": "Type 1250 or 1.25.", "de": "Geben Sie 1250 oder 1,25 ein."}[language]
    assert either in complaint.inner_text()
    someone.choose("1234.50")
    assert status.inner_text() == READ[language]
    someone.proceed()
    someone.answer("1985")
    review = someone.page.locator("main").inner_text()
    assert shown.removeprefix("= ") in review
    assert READ[language].removeprefix("= ") in review
    assert "1234.50" not in review
    someone.page.locator("select").select_option("de" if language == "en" else "en")
    other = READ["de" if language == "en" else "en"].removeprefix("= ")
    assert other in someone.page.locator("main").inner_text()
