"""A changed page does not run; a page that could leak refuses; a saved page still works."""

import copy
import json
import re
import tomllib
from pathlib import Path

import pytest

from askance_collect.collect import page_origins
from askance_collect.respond import render_page
from askance_collect.wire import Form

ROOT = Path(__file__).parents[2]
LANGUAGES = ROOT / "src/askance_collect/respond/languages"
ANSWERS = (1, 0, 2, 0)


def bare(chromium, url, script=None):
    """Open an address and give what its main part says, and the console."""
    context = chromium.new_context()
    if script:
        context.add_init_script(script)
    page, console = context.new_page(), []
    page.on("console", lambda message: console.append(message.text))
    page.goto(url)
    page.wait_for_timeout(300)
    page.locator("main p").first.wait_for()
    replies = page.locator("main").inner_text()
    context.close()
    return replies, " ".join(console)


def test_one_changed_byte_in_the_script_refuses_to_run(chromium, collect, forms):
    form = forms["marriage"]
    page = render_page(form).bytes
    changed = page.replace(b"%512===0", b"%112===0", 1)
    assert sum(a != b for a, b in zip(page, changed, strict=True)) == 1
    replies, console = bare(chromium, collect(form, page=changed).url)
    assert replies.startswith("This page has not started. Nothing has been sent.")
    assert "Content Security Policy" in console


def test_one_changed_byte_in_the_questions_refuses_to_run(chromium, collect, forms):
    form = forms["marriage"]
    page = render_page(form).bytes
    changed = page.replace(b'"rows":[[6,1,3],', b'"rows":[[7,0,3],')
    assert page != changed
    replies, _ = bare(chromium, collect(form, page=changed).url)
    assert replies.startswith("This page cannot be used")


def test_the_page_can_fetch_from_nowhere_else(collect, forms, person):
    someone = person(collect(forms["marriage"]).url)
    blocked = someone.page.evaluate(
        "() => fetch('http://survey.test:9/').then(() => 'open', () => 'blocked')"
    )
    assert blocked == "blocked"
    assert "Content Security Policy" in " ".join(someone.console)
    markup = (
        "() => { try { document.body.innerHTML = '<b>'; return 'open' } catch { return 'shut' }}"
    )
    assert someone.page.evaluate(markup) == "shut"


def test_an_address_that_others_can_read_is_refused(chromium, collect, forms):
    collector = collect(forms["marriage"])
    replies, _ = bare(chromium, collector.url.replace("127.0.0.1", "survey.test"))
    assert replies.startswith("This page cannot be used")
    assert "begins with https" in replies


@pytest.mark.parametrize(
    "source",
    [
        "undefined",
        "(bytes) => bytes",
        "(bytes) => bytes.fill(7)",
        "(bytes) => (bytes.set([9]), bytes)",
        "(bytes) => bytes.map((_, at) => 37 * at)",
        "() => { throw new Error('no entropy') }",
    ],
    ids=["missing", "zeros", "one value", "one byte", "anew each time", "throws"],
)
@pytest.mark.parametrize("name", ["marriage", "sections"])
def test_without_working_chance_nobody_is_asked(collect, forms, person, source, name):
    """Also where chance orders the questions, before the first screen."""
    script = f"Object.defineProperty(crypto, 'getRandomValues', {{value: {source}}})"
    someone = person(collect(forms[name]).url, script=script)
    assert someone.heading() == "This page cannot be used"
    element = someone.page.locator("main")
    assert "source of chance is missing or stuck" in element.inner_text()
    assert element.locator("button, input").count() == 0
    assert someone.storage() == {}
    assert [request.method for request in someone.sent] == ["GET"]


STUCK = "Object.defineProperty(crypto, 'getRandomValues', {value: (bytes) => bytes})"
MISSING = "Object.defineProperty(crypto, 'subtle', {value: undefined})"


def in_languages(form, *languages):
    """Have a form in English ask in other languages."""

    def worded(part):
        if isinstance(part, list):
            return [worded(item) for item in part]
        if not isinstance(part, dict):
            return part
        if set(part) == {"en"}:
            return dict.fromkeys(languages, part["en"])
        return {key: worded(value) for key, value in part.items()}

    return Form.read(worded(form.document) | {"languages": list(languages)})


@pytest.mark.parametrize(
    ("languages", "browser", "result", "script"),
    [
        (("de",), "en", "de", MISSING),
        (("en", "ar"), "ar", "ar", MISSING),
        (("en", "de"), "de-CH", "de", STUCK),
        (("de", "fr"), "it", "de", STUCK),
        (("nl", "tr"), "tr", "tr", STUCK),
    ],
)
def test_that_chance_is_stuck_is_said_in_the_readers_language(
    collect, forms, person, languages, browser, result, script
):
    """Before the form is read, where chance is missing, and behind."""
    form = in_languages(forms["marriage"], *languages)
    someone = person(collect(form).url, language=browser, script=script)
    words = tomllib.loads((LANGUAGES / f"{result}.toml").read_text("utf-8"))["words"]
    assert someone.heading() == words["stopped"]
    assert words["stoppedHint"]["chance"] in someone.page.locator("main").inner_text()
    root = someone.page.locator("html")
    marked = root.get_attribute("lang"), root.get_attribute("dir")
    assert marked == (result, "rtl" if result == "ar" else "ltr")


@pytest.mark.parametrize("sound", [False, True])
def test_chance_that_sticks_on_the_way_ends_the_visit(collect, forms, person, sound):
    """The twin's chance goes on, and it is asked."""
    someone = person(collect(forms["marriage"]).url)
    if not sound:
        someone.page.evaluate("() => { crypto.getRandomValues = (bytes) => bytes.fill(0); }")
    someone.consent()
    text = someone.page.locator("main").inner_text()
    assert ("source of chance is missing or stuck" in text) != sound
    assert (someone.storage() == {}) != sound


def test_a_page_saved_to_disk_sends_to_its_collector(tmp_path, collect, forms, person, free_port):
    port = free_port()
    document = copy.deepcopy(forms["marriage"].document)
    collected = {"collector": f"http://127.0.0.1:{port}/"}
    form = Form.read(document | collected | {"askance": "form-2", "saved": True})
    collector = collect(form, port=port)
    saved = tmp_path / "survey.html"
    saved.write_bytes(render_page(form).bytes)
    someone = person(saved.as_uri())
    someone.take(*ANSWERS)
    someone.send()
    assert [request.method for request in someone.sent] == ["GET", "GET", "POST"]
    assert len(collector.reports()) == 1
    assert someone.console == []


def test_a_page_on_another_host_posts_where_it_is_let_and_a_foreign_page_nowhere(
    collect, forms, person, chromium, free_port, hosted
):
    port = free_port()
    text = f"http://127.0.0.1:{port}/"
    form = Form.read(forms["marriage"].document | {"collector": text})
    bodies = {"/survey.html": render_page(form).bytes}
    elsewhere, foreign = hosted(bodies), hosted(bodies)
    collector = collect(form, port=port, origins=page_origins([elsewhere]))
    someone = person(f"{elsewhere}/survey.html")
    someone.take(*ANSWERS)
    someone.send()
    assert len(collector.reports()) == 1
    body = someone.posts()[0].post_data
    someone = person(f"{foreign}/survey.html")
    someone.take(*ANSWERS)
    someone.proceed()
    someone.page.get_by_text("did not take the message (origin)").wait_for()
    fresh = body.replace(json.loads(body)["id"], "0f" * 16)
    how = json.dumps({"method": "POST", "mode": "no-cors", "body": fresh})
    post = f"fetch({text + 'report'!r}, {how}).then(() => (document.title = 'sent'))"
    bodies["/prize"] = f"<!doctype html><p>A prize!</p><script>{post}</script>".encode()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{foreign}/prize")
    page.wait_for_function("document.title === 'sent'")
    context.close()
    assert len(collector.reports()) == 1


@pytest.mark.parametrize("collector", ["", "https://example.org/survey/"])
def test_a_saved_page_of_a_survey_that_asks_on_none_says_so(tmp_path, chromium, forms, collector):
    saved = tmp_path / "survey.html"
    form = Form.read(forms["marriage"].document | {"collector": collector})
    saved.write_bytes(render_page(form).bytes)
    replies, _ = bare(chromium, saved.as_uri())
    assert "cannot send from here" in replies


@pytest.mark.parametrize("saved", [False, True])
def test_a_sandboxed_frame_posts_only_where_saved_pages_may(
    collect, forms, chromium, free_port, hosted, saved
):
    """A page on a disk is no other to a collector, which is the twin that takes it all in."""
    port = free_port()
    more = {"askance": "form-2", "saved": True} if saved else {}
    remote = {"collector": f"http://127.0.0.1:{port}/"}
    collector = collect(Form.read(forms["marriage"].document | remote | more), port=port)
    form = collector.form
    parts = {
        "answers": dict.fromkeys(question.name for question in form.questions),
        "id": "0f" * 16,
    }
    result = parts | {"form": form.fingerprint}
    body = json.dumps(result, sort_keys=True, separators=(",", ":")).ljust(form.size)
    how = json.dumps({"method": "POST", "mode": "no-cors", "body": body})
    script = f"<script>fetch('{collector.url}report', {how}).then(() => parent.postMessage(1, '*'))"
    inside = f"{script}</script>".replace('"', "&quot;")
    frame = f'<iframe sandbox="allow-scripts" srcdoc="{inside}"></iframe>'
    listen = "<script>addEventListener('message', () => (document.title = 'sent'))</script>"
    foreign = hosted({"/prize": f"<!doctype html>{listen}{frame}".encode()})
    page = chromium.new_page()
    page.goto(f"{foreign}/prize")
    page.wait_for_function("document.title === 'sent'")
    page.close()
    assert len(collector.reports()) == saved


def test_the_page_shows_the_fingerprint_of_its_questions(collect, forms, person):
    collector = collect(forms["marriage"])
    someone = person(collector.url)
    someone.page.get_by_text("Check this page").click()
    assert someone.page.locator("details .code").inner_text() == collector.form.fingerprint


@pytest.mark.parametrize(("language", "words"), [("de", "Anfangen"), ("fr", "Begin")])
def test_the_language_of_the_browser_chooses_and_is_not_sent(
    collect, forms, person, language, words
):
    collector = collect(forms["evening"])
    someone = person(collector.url, language=language)
    page = someone.page
    assert page.get_by_role("button", name=words).count() == 1
    page.locator("select").select_option("de")
    assert page.evaluate("() => document.documentElement.lang") == "de"
    assert someone.heading() == page.title() == "Abendumfrage"
    someone.take("7,5", 0, "4321", 0)
    assert "7,5 Stunden" in page.locator("main").inner_text()
    body = someone.body()
    page.locator("select").select_option("en")
    assert "7.5 hours" in page.locator("main").inner_text()
    assert someone.body() == body
    assert not re.search(r'"(de|en|fr)"', body)
    someone.send()
    assert collector.reports()[0]["sleep"] == 15


def test_a_number_outside_its_line_is_explained_not_taken(collect, forms, person):
    someone = person(collect(forms["evening"]).url)
    someone.consent()
    someone.practise()
    for typed in ("", "25", "7.3", "-1", "seven", "1/2"):
        someone.choose(typed)
        someone.proceed()
        steps = "Type a number from 0 to 24, in steps of 0.5 hours."
        refused = "Type a number, or choose “I’d rather not answer”." if typed == "" else steps
        assert someone.page.locator(".complaint").inner_text() == refused
    someone.answer("24")
    assert someone.heading() != "How long did you sleep?"


def test_of_whole_numbers_none_but_whole_ones_are_asked_for_and_taken(collect, forms, person):
    collector = collect(forms["counted"])
    someone = person(collector.url, words=[0, 3, 0, 7, 8, 0, 0])
    someone.consent()
    someone.practise()
    number = someone.page.locator("input.number")
    complaint = someone.page.locator(".complaint")
    assert number.get_attribute("inputmode") == "numeric"
    for typed in ("7.5", "-1", "41", "seven", "1/2"):
        someone.choose(typed)
        someone.proceed()
        assert complaint.inner_text() == "Type a whole number from 0 to 40."
    someone.answer("0")
    for typed in ("", "2.5"):
        someone.choose(typed)
        someone.proceed()
        assert complaint.inner_text().startswith("Type a whole number, or choose")
    assert someone.page.locator(".read-back").inner_text() == "= 2.5 times"
    for typed, result in (
        ("0", "3 times or less"),
        ("-3", "3 times or less"),
        ("4", "4 times or more"),
    ):
        someone.choose(typed)
        text = f"= {typed} times\nWhat will be sent: “{result}”."
        assert someone.page.locator(".read-back").inner_text() == text
    someone.proceed()
    someone.answer([1, 1, 1, 0])
    kept_text = someone.page.locator("h2.ask").inner_text()
    assert kept_text == "If you stop here, the record reads “40 to 44 years”."
    someone.answer(0)
    assert someone.page.locator("h2.ask").inner_text() == "Is it times: -2 to -1?"
    someone.answer(1)
    text = json.loads(someone.body())["answers"]
    assert text == {"age": [8, 9], "plainly": 1, "ring": [3, 1], "typed": [4, 9]}


LINES = {
    "whole from 0": ({"lower": "-1", "whole": True}, "numeric"),
    "whole from below": ({"lower": "-2", "whole": True}, "text"),
    "parts from 0": ({"lower": "0"}, "decimal"),
    "parts from below": ({"lower": "-1/2"}, "text"),
}


def test_the_keys_hold_all_that_a_number_is_written_with(collect, forms, person):
    plainly = forms["counted"].document["questions"][0]
    line = {key: value for key, value in plainly["line"].items() if key != "whole"}
    questions = [
        dict(plainly, name=f"q{index}", text=dict.fromkeys(("en", "de"), name), line=line | part)
        for index, (name, (part, _)) in enumerate(LINES.items())
    ]
    someone = person(collect(Form.read(forms["counted"].document | {"questions": questions})).url)
    someone.consent()
    for name, (_, keys) in LINES.items():
        assert someone.heading() == name
        assert someone.page.locator("input.number").get_attribute("inputmode") == keys
        someone.answer(0)


def test_without_its_layout_the_style_reads_as_it_was_written(chromium, forms):
    written = "".join(
        (ROOT / f"src/askance_collect/respond/browser/{name}.css").read_text("utf-8")
        for name in ("palette", "form", "asking", "controls", "dots")
    )
    reports = re.search(
        r"<style>(.*)</style>", render_page(forms["marriage"]).bytes.decode(), re.S
    )[1]
    page = chromium.new_page()

    def rules(style):
        page.set_content(f"<style>{style}</style>")
        return page.evaluate("[...document.styleSheets[0].cssRules].map(rule => rule.cssText)")

    assert len(rules(reports)) > 50
    assert rules(reports) == rules(written)
    assert rules(reports.replace("li+li", "li+ul", 1)) != rules(written)
    page.close()
