"""The verifier opens a study's page only as it was published, and the survey goes on through it."""

import re
from urllib.parse import urlsplit

import pytest
from test_access import SMALL

from askance_collect.respond import render_page
from askance_collect.wire import Form

ANSWERS = (1, 0, 2, 0)
LANGUAGES = "en", "ar", "de", "es", "fr", "hi", "it", "pt", "tr", "zh"
OTHER = "This is not the page that was published"
AWAY = "The page could not be fetched"
LINK = "This link is for another page"
REFUSAL = "The page cannot be checked here"


def read_screen(someone):
    return " ".join(someone.page.locator("body").inner_text().replace("\u2066", "").split())


def wait_for_refusal(someone, heading):
    """Wait until the verifier says why it opens nothing, and look that it has not."""
    someone.page.get_by_role("heading", name=heading).wait_for()
    assert someone.page.locator("#form").count() == 0
    assert someone.posts() == []
    assert "The ethics board ethics@uni.example, 555 0100" in read_screen(someone)
    return read_screen(someone)


def test_a_survey_is_answered_through_it(verified, forms, person):
    link, collector = verified(forms["marriage"])
    someone = person(f"{link}&pid=7")
    assert someone.page.url == f"{link}&pid=7"
    someone.take(*ANSWERS)
    body = someone.body()
    someone.send()
    assert len(collector.reports()) == 1
    assert [item.post_data for item in someone.posts()] == [body]
    assert someone.console == []
    assert [(item.method, item.url.partition("#")[0]) for item in someone.sent] == [
        ("GET", link.partition("#")[0]),
        ("GET", collector.url),
        ("GET", f"{collector.url}report"),
        ("POST", f"{collector.url}report"),
    ]
    (mark,) = someone.storage().values()
    assert mark == "receipt"
    assert someone.page.evaluate("() => [document.cookie, {...localStorage}]") == ["", {}]


def test_a_reload_judges_anew_and_the_visit_goes_on(verified, forms, person):
    link, collector = verified(forms["marriage"])
    someone = person(link)
    someone.take(*ANSWERS)
    body = someone.body()
    someone.page.reload()
    someone.page.get_by_role("heading", name="Marriage and faith").wait_for()
    assert [item.url for item in someone.sent].count(collector.url) == 2
    someone.consent()
    assert someone.body() == body
    someone.send()
    assert len(collector.reports()) == 1


def test_the_bytes_that_run_are_the_bytes_that_were_judged(verified, forms, person):
    link, collector = verified(forms["marriage"])
    someone = person(link)
    for part in ("form", "style", "script[type=module]"):
        inside = someone.page.evaluate(
            "part => (document.getElementById(part) ?? document.querySelector(part)).textContent",
            part,
        )
        assert inside in render_page(collector.form).bytes.decode()
    assert someone.page.evaluate("() => document.compatMode") == "CSS1Compat"
    assert someone.page.evaluate("() => document.querySelectorAll('script').length") == 2


def test_another_page_is_not_opened_and_what_was_found_is_told(verified, forms, person):
    page = render_page(forms["marriage"]).bytes.replace(b"<title>", b"<title> ")
    link, _ = verified(forms["marriage"], page=page)
    someone = person(link)
    assert "At http://127.0.0.1:" in wait_for_refusal(someone, OTHER)
    someone.unfold()
    (published, result) = someone.page.locator(".code").all_inner_texts()
    assert published == link.partition("sha256=")[2]
    assert re.fullmatch(r"[0-9a-f]{64}", result)
    assert result != published


def test_of_a_page_without_an_end_no_more_is_read_than_the_published_one_has(
    verified, forms, person
):
    link, collector = verified(forms["marriage"], page=bytes(3_000_000))
    someone = person(link)
    wait_for_refusal(someone, OTHER)
    someone.unfold()
    size = len(render_page(collector.form).bytes)
    assert someone.page.locator(".code").last.inner_text() == f"> {size} B"


def test_what_does_not_answer_can_be_asked_again(verified, forms, person):
    link, collector = verified(forms["marriage"])
    someone = person(link, opened=False)
    someone.page.route(collector.url, lambda route: route.abort())
    someone.open(link)
    wait_for_refusal(someone, AWAY)
    someone.page.unroute(collector.url)
    someone.press_main("Try again")
    someone.page.get_by_role("heading", name="Marriage and faith").wait_for()


@pytest.mark.parametrize("part", ["page", "sha256"])
def test_a_link_of_another_page_opens_nothing_and_asks_nobody(verified, forms, person, part):
    link, collector = verified(forms["marriage"])
    someone = person(re.sub(f"{part}=[^&]*", f"{part}=https://other.example/", link))
    assert collector.url in wait_for_refusal(someone, LINK)
    assert [item.url.partition("#")[0] for item in someone.sent] == [link.partition("#")[0]]
    someone.page.evaluate("link => { location.hash = link }", link.partition("#")[2])
    someone.page.get_by_role("heading", name="Marriage and faith").wait_for()


def test_typed_without_what_stands_behind_the_hash_it_opens_the_page_that_it_was_made_for(
    verified, forms, person
):
    link, collector = verified(forms["marriage"])
    someone = person(link.partition("#")[0])
    someone.page.get_by_role("heading", name="Marriage and faith").wait_for()
    assert collector.url in [item.url for item in someone.sent]


def test_where_it_cannot_judge_it_opens_nothing(verified, forms, person, hosted):
    link, collector = verified(forms["marriage"])
    unsafe = person(link.replace("localhost", "survey.test"))
    wait_for_refusal(unsafe, REFUSAL)
    without = person(link, script="Object.defineProperty(crypto, 'subtle', {value: undefined})")
    wait_for_refusal(without, REFUSAL)
    frame = f'<!doctype html><h1>Framed</h1><iframe src="{link}"></iframe>'.encode()
    framed = person(f"{hosted({'/frame': frame})}/frame")
    inside = framed.page.frame_locator("iframe")
    inside.get_by_role("heading", name=REFUSAL).wait_for()
    for someone in (unsafe, without, framed):
        assert collector.url not in [item.url for item in someone.sent]


def test_opened_from_a_disk_it_works_where_saved_pages_may_post(verified, forms, person, tmp_path):
    saved = tmp_path / "tea.html"
    more = {"askance": "form-2", "saved": True, "collector": "https://example.org/"}
    form = Form.read(forms["marriage"].document | more)

    def keep(verifier):
        saved.write_bytes(verifier)
        return verifier

    link, collector = verified(form, change=keep)
    someone = person(f"{saved.as_uri()}#{link.partition('#')[2]}")
    someone.take(*ANSWERS)
    assert collector.url in [item.url for item in someone.sent]


def test_going_on_later_leads_back_through_it(verified, forms, person):
    form = Form.read(forms["marriage"].document | {"askance": "form-2", "later": 14})
    link, collector = verified(form)
    someone = person(link)
    someone.consent()
    someone.practise()
    someone.answer(1)
    someone.press("Go on later")
    someone.press_main("Put away")
    someone.page.locator(".code").wait_for()
    code = someone.page.locator(".code").inner_text()
    someone.page.goto("about:blank")
    someone.open(link)
    someone.page.get_by_role("heading", name="This survey was begun on this device").wait_for()
    someone.page.locator("#code").fill(code)
    someone.press_main("Go on")
    someone.page.locator("#code").wait_for(state="detached")
    someone.answer(*ANSWERS[1:])
    someone.reveal()
    someone.send()
    assert len(collector.reports()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_what_is_wrong(verified, forms, person, axe, language):
    page = b"<!DOCTYPE html><title>Another</title>"
    link, _ = verified(forms["marriage"], page=page)
    dark = {"scheme": "dark"} if language in ("ar", "de") else {}
    someone = person(link, language=language, **dark)
    someone.page.locator("details").wait_for()
    someone.unfold()
    root = someone.page.locator("html")
    assert root.get_attribute("lang") == language
    assert root.get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert (someone.heading() == OTHER) == (language == "en")
    problems, remaining = axe(someone.page)
    assert problems == []
    assert remaining > 5
    assert someone.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert someone.page.evaluate(SMALL) == []
    assert urlsplit(link).netloc in someone.page.url


def test_its_policy_lets_no_script_run_but_its_own_and_the_pages(verified, forms, person):
    link, _ = verified(forms["marriage"], page=b"<!DOCTYPE html>")
    someone = person(link)
    wait_for_refusal(someone, OTHER)
    tries = """() => {
      const made = document.createElement("script");
      try { made.textContent = "window.ran = 1"; document.head.append(made); } catch {}
      try { document.body.innerHTML = "<img src=x onerror='window.ran = 1'>"; } catch {}
      try { document.write("<script>window.ran = 1</" + "script>"); } catch {}
      return window.ran ?? "held";
    }"""
    assert someone.page.evaluate(tries) == "held"
    elsewhere = "() => fetch('http://survey.test:9/').then(() => 'open', () => 'shut')"
    assert someone.page.evaluate(elsewhere) == "shut"
