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
        "This can mean two numbers: 1000 or 1.",
        "1,000",
        "1 000",
        "= 1,000 euros",
    ),
    "de": (
        "1,000",
        "Das kann zwei Zahlen bedeuten: 1000 oder 1.",
        "1.000",
        "1'000",
        "= 1.000 Euro",
    ),
}


WHOLE_NUMBER_HINTS = {
    "en": "Type a whole number from 0 to 10,000,000.",
    "de": "Geben Sie eine ganze Zahl von 0 bis 10.000.000 ein.",
}


@pytest.mark.parametrize("language", TYPED)
def test_a_number_is_typed_as_the_language_writes_it(collect, person, language):
    collector = collect(ak.publish(ak.parse_survey(SURVEY.encode())))
    someone = person(collector.url, language=language)
    someone.consent()
    for wrong, message, right in TYPED[language]:
        for item in wrong:
            someone.choose(item)
            someone.proceed()
            assert message in someone.page.locator("#complaint").inner_text(), item
        someone.answer(right)
    text = someone.page.locator("main").inner_text()
    assert {"en": "45,000 euros", "de": "45.000 Euro"}[language] in text
    assert "1985" in text
    someone.reveal()
    someone.send()
    (report,) = collector.reports()
    assert (report["income"], report["spent"], report["born"]) == (45_001, 128_450, 86)


@pytest.mark.parametrize("language", TYPED)
def test_what_was_read_is_shown_and_what_can_mean_two_numbers_is_refused(collect, person, language):
    collector = collect(ak.publish(ak.parse_survey(SURVEY.encode())))
    someone = person(collector.url, language=language)
    someone.consent()
    unclear, result, *clear, displayed = UNCLEAR[language]
    complaint, status = (someone.page.locator(word) for word in ("#complaint", ".read-back"))
    someone.choose(unclear)
    assert status.inner_text() == result
    someone.proceed()
    assert complaint.inner_text() == f"{result} {WHOLE_NUMBER_HINTS[language]}"
    for item in clear:
        someone.choose(item)
        assert status.inner_text() == displayed
    someone.proceed()
    someone.choose("1.250" if language == "en" else "1,250")  # in cents: both are on the line
    someone.proceed()
    either = {"en": "1250 or 1.25. Type a", "de": "1250 oder 1,25. Geben"}[language]
    assert either in complaint.inner_text()
    someone.choose("1234.50")
    assert status.inner_text() == READ[language]
    someone.proceed()
    someone.answer("1985")
    review = someone.page.locator("main").inner_text()
    assert displayed.removeprefix("= ") in review
    assert READ[language].removeprefix("= ") in review
    assert "1234.50" not in review
    someone.page.locator("select").select_option("de" if language == "en" else "en")
    other = READ["de" if language == "en" else "en"].removeprefix("= ")
    assert other in someone.page.locator("main").inner_text()


SHORT = """
askance = "survey-1"
title = { en = "Money", de = "Geld", ar = "المال" }
consent = { en = "Say it or leave.", de = "Ja oder nein.", ar = "قل أو غادر." }
languages = ["en", "de", "ar"]
[[question]]
name = "spent"
text = { en = "What did you spend?", de = "Was haben Sie ausgegeben?", ar = "كم أنفقت؟" }
line = { lower = 0, upper = 500, unit = { en = "euros", de = "Euro", ar = "يورو" } }
[[question]]
name = "slept"
text = { en = "How long did you sleep?", de = "Wie lange haben Sie geschlafen?", ar = "كم نمت؟" }
line = { lower = 0, upper = 24, step = 0.5, unit = { en = "hours", de = "Stunden", ar = "ساعة" } }
"""
THOUSANDS = {
    "en": ("1.000", "1,000", "or 1. Type a whole number from 0 to 500."),
    "de": ("1,000", "1.000", "oder 1. Geben Sie eine ganze Zahl von 0 bis 500 ein."),
    "ar": ("1.000", "1,000", "أو 1. اكتب عددًا صحيحًا من 0 إلى 500."),
}
STEPS = {
    "en": "Type a number from 0 to 24, in steps of 0.5 hours.",
    "de": "Geben Sie eine Zahl von 0 bis 24 ein, Schrittweite 0,5 Stunden.",
    "ar": "اكتب عددًا من 0 إلى 24، بخطوات من 0.5 \u2068ساعة\u2069.",
}
SCRIPTS = ("\u0661\u0662", "\u06f1\u06f2", "\u0967\u0968", "\u0e51\u0e52", "\uff11\uff12")


@pytest.mark.parametrize("language", THOUSANDS)
def test_a_thousand_that_a_line_has_no_place_for_is_no_number_that_it_has(
    collect, person, language
):
    collector = collect(ak.publish(ak.parse_survey(SHORT.encode())))
    someone = person(collector.url, language=language)
    someone.consent()
    complaint, status = (someone.page.locator(word) for word in ("#complaint", ".read-back"))
    unclear, thousand, message = THOUSANDS[language]
    someone.choose(unclear)
    assert "1000" in status.inner_text()
    someone.proceed()
    assert message in complaint.inner_text()
    someone.choose(thousand)  # what was read is shown, though it is off the line
    assert status.inner_text().startswith("= 1000 ")
    someone.choose("5\u00b2")
    assert status.inner_text() == ""
    for digits in SCRIPTS:
        someone.choose(digits)
        assert status.inner_text().startswith("= 12 ")
    someone.proceed()
    someone.choose("7.25")
    someone.proceed()
    assert complaint.inner_text() == STEPS[language]
    someone.answer("7.5")
    assert "12 " in someone.page.locator("main").inner_text()
    someone.reveal()
    someone.send()
    assert dict(collector.reports()[0]) == {"spent": 12, "slept": 15}
