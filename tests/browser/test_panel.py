"""A survey's own ending: its thanks, a code, and the way back, of which no report knows."""

import json

from askance.survey import parse_survey, publish

TOKEN = "p4n3l-T0KEN é&"
WRITTEN = "p4n3l-T0KEN%20%C3%A9%26"
SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[ending]
thanks = "Thank you for your time."
code = "C1A2B3"
url = "https://panel.test/done?cc=C1A2B3&who={pid}&round={round}"
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


def open_survey(collect, person, **how):
    collector = collect(publish(parse_survey(SURVEY.encode())))
    someone = person(f"{collector.url}#pid={WRITTEN}", **how)
    panel = []

    def arrive(route):
        panel.append(route.request)
        route.fulfill(body="<h1>Back</h1>", content_type="text/html")

    someone.page.context.route("https://panel.test/**", arrive)
    return collector, someone, panel


def everything(request):
    """What one request says: its address, its headers, its body."""
    return " ".join([request.url, json.dumps(request.all_headers()), request.post_data or ""])


def test_whom_a_panel_sent_goes_back_and_no_byte_joins_the_name_to_the_report(collect, person):
    collector, someone, panel = open_survey(collect, person)
    someone.take(0)
    someone.send()
    main = someone.page.locator("main").inner_text()
    assert "Thank you for your time." in main
    assert "C1A2B3" in main
    facts = someone.page.locator(".receipt dd").all_text_contents()
    remaining = [*someone.storage().values()]
    to_collector = [everything(item) for item in someone.sent]
    someone.press("Back to panel.test")
    someone.page.wait_for_url("https://panel.test/**")
    assert [item.url for item in panel] == [
        f"https://panel.test/done?cc=C1A2B3&who={WRITTEN}&round="
    ]
    assert len(to_collector) == 3
    for replies in (*to_collector, *remaining, collector.path.read_bytes().decode("latin-1")):
        for name in (TOKEN, WRITTEN, "p4n3l", "T0KEN"):
            assert name not in replies
    for fact in (collector.form.fingerprint, *facts, collector.url):
        assert fact not in everything(panel[0])
    assert len(collector.reports()) == 1
    assert someone.console == []


def test_the_way_back_is_there_after_a_reload_and_for_nobody_who_has_not_sent(collect, person):
    _, someone, panel = open_survey(collect, person)
    back = someone.page.get_by_role("button", name="Back to panel.test")
    someone.take(0)
    assert back.count() == 0
    someone.send()
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    assert someone.heading() == "You have answered in this window"
    back.click()
    someone.page.wait_for_url("https://panel.test/**")
    assert WRITTEN in panel[0].url


def test_who_came_without_a_name_goes_back_without_one(collect, person):
    collector, someone, panel = open_survey(collect, person)
    someone.page.goto("about:blank")
    someone.open(collector.url)
    someone.take(1)
    someone.send()
    someone.press("Back to panel.test")
    someone.page.wait_for_url("https://panel.test/**")
    assert panel[0].url == "https://panel.test/done?cc=C1A2B3&who=&round="


def test_thanks_alone_are_shown_by_a_page_that_has_nothing_of_panels(collect, person):
    thanked = SURVEY.replace('code = "C1A2B3"\n', "")
    thanked = "\n".join(line for line in thanked.splitlines() if not line.startswith("url"))
    collector = collect(publish(parse_survey(thanked.encode())))
    someone = person(collector.url)
    someone.take(0)
    assert "Thank you for your time." not in someone.page.locator("main").inner_text()
    someone.send()
    assert "Thank you for your time." in someone.page.locator("main").inner_text()
    assert "postMessage" not in someone.page.content()
