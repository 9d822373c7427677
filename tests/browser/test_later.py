"""Going on later: all is as it was, nothing on the device can be read, nothing is drawn again."""

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import askance as ak
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
contact = "Write to study@example.org"
later = true
[[question]]
name = "lives"
text = "Where do you live?"
answers = ["Wanderup", "Zwiesel"]
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "why"
text = "Why?"
free_text = { limit = 40, lines = 2 }
"""
FORMS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/2/forms.json"
SURVEYS = {
    "marriage": (2, 1, 3, 1),
    "evening": ("6.5", 0, "5100", 1),
    "money": ((2, "71"), [1, 0, 1, 0, 0], 1, 0, 1),
    "worldly": (1, 0, 0),
    "texts": ((0, "Neither"), "3", "Milk", 0, 'Less noise\n\nMore "sun"'),
}
"""Every kind of question, and an answer to each."""
DECIPHER = """
const crypto = require("node:crypto");
const { code, head, drawn, locked } = JSON.parse(process.argv[1]);
const [salt, text] = [drawn, locked].map((one) => Buffer.from(one, "hex"));
const key = crypto.pbkdf2Sync(code, salt.subarray(0, 16), 600000, 32, "sha256");
const cipher = crypto.createDecipheriv("aes-256-gcm", key, salt.subarray(16));
cipher.setAAD(Buffer.from(head));
cipher.setAuthTag(text.subarray(-16));
process.stdout.write(Buffer.concat([cipher.update(text.subarray(0, -16)), cipher.final()]));
"""
WITHOUT = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('closed'); }})"
FULL = """Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {
  apply(set, store, given) {
    if (store === localStorage) throw new DOMException("full", "QuotaExceededError");
    return Reflect.apply(set, store, given);
  }
})"""
BEGUN = "This survey was begun on this device"
DAY = 86_400_000


def to_be_gone_on_with(form):
    return Form.read(form.document | {"askance": "form-2", "later": 14})


@pytest.fixture(scope="module")
def form():
    return ak.publish(ak.parse_survey(SURVEY.encode()))


@pytest.fixture
def begin(person):
    """Seat a person before the first question: begin(url)."""

    def seat(url, **how):
        someone = person(url, **how)
        someone.consent()
        if someone.page.locator("h1").inner_text() == "A practice question":
            someone.practise()
        return someone

    return seat


def lasting(someone):
    return someone.page.evaluate("() => ({...localStorage})")


def lying(someone):
    """Give what is put away: the one text in the device's storage."""
    (text,) = lasting(someone).values()
    return text


def put_away(someone):
    """Put a visit away, and give its code."""
    someone.press("Go on later")
    someone.press_main("Put away")
    element = someone.page.locator("p.away")
    element.wait_for()
    code = element.inner_text()
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}", code)
    return code


def type_code(someone, code):
    someone.page.locator("#code").fill(code)
    someone.press_main("Go on")


def go_on(someone, code):
    assert someone.heading() == BEGUN
    type_code(someone, code)
    someone.page.locator("#code").wait_for(state="detached")


def in_another_window(someone, url):
    return type(someone)(someone.page.context.new_page()).open(url)


def read_storage(someone):
    (text,) = someone.storage().values()
    return json.loads(text)


def read_screen(someone):
    return someone.page.locator("main").inner_text()


@pytest.mark.parametrize("name", SURVEYS)
def test_every_kind_of_answer_is_as_it_was_and_so_is_what_was_drawn(
    collect, forms, begin, money_words, name
):
    collector = collect(to_be_gone_on_with(forms[name]))
    words = money_words() if name == "money" else None
    someone = begin(collector.url, words=words)
    someone.answer(*SURVEYS[name])
    someone.page.locator("main section.item").first.wait_for()
    before, bound = read_screen(someone), read_storage(someone)
    code = put_away(someone)
    other = in_another_window(someone, collector.url)
    assert other.storage() == {}
    go_on(other, code)
    assert read_screen(other) == before
    assert read_storage(other) == bound
    assert lasting(other) == {}
    document = json.loads(other.body())
    assert document["id"] == bound["id"]
    other.send()
    assert collector.reports() == [document["answers"]]
    assert lasting(other) == {}
    assert other.console == someone.console == []


def test_each_question_shows_the_answer_that_was_given(collect, forms, begin, money_words):
    """On its own screen too, where a number and the steps to a range can be changed."""
    collector = collect(to_be_gone_on_with(forms["money"]))
    someone = begin(collector.url, words=money_words())
    someone.answer(*SURVEYS["money"])
    places = someone.page.get_by_role("button", name="Change").count()
    text = (
        "() => [...document.querySelectorAll('main input')].map((one) => [one.value, one.checked])"
    )

    def screens(item):
        for index in range(places):
            item.page.get_by_role("button", name="Change").nth(index).click()
            yield read_screen(item), item.page.evaluate(text)
            item.proceed()

    before = list(screens(someone))
    assert "71" in json.dumps(before)
    code = put_away(someone)
    other = in_another_window(someone, collector.url)
    go_on(other, code)
    assert list(screens(other)) == before


def test_lists_skips_and_sections_go_on_at_the_first_question_without_an_answer(collect, begin):
    good = {item["name"]: item["form"] for item in json.loads(FORMS.read_text("ascii"))["good"]}
    for name, most in (("lists", 2), ("skips", 2), ("sections", 1)):
        collector = collect(to_be_gone_on_with(Form.read(good[name])))
        someone = begin(collector.url)
        for _ in range(most):
            on_to_a_question(someone)
            someone.page.locator("main :is(input[type=radio], input[type=checkbox])").first.check()
            someone.proceed()
        on_to_a_question(someone)
        before, bound = read_screen(someone), read_storage(someone)
        code = put_away(someone)
        other = in_another_window(someone, collector.url)
        go_on(other, code)
        on_to_a_question(other)
        if name != "sections":  # there chance makes an order anew
            assert read_screen(other) == before
        assert read_storage(other) == bound
        assert not other.page.locator("main input:checked").count()
        assert someone.console == other.console == []


def on_to_a_question(someone):
    while not someone.page.locator(".step, section.item").count():
        someone.proceed()


def test_a_number_that_was_seen_stays_seen(collect, forms, begin, money_words):
    collector = collect(to_be_gone_on_with(forms["money"]))
    someone = begin(collector.url, words=money_words())
    someone.answer(0)
    someone.choose(1)
    someone.proceed()
    text = someone.page.locator("h2.ask").inner_text()
    assert text.startswith("Is your answer above")
    code = put_away(someone)
    other = in_another_window(someone, collector.url)
    go_on(other, code)
    assert other.page.locator("h2.ask").inner_text() == text


@pytest.mark.parametrize("lost", [False, True])
def test_what_is_bound_stays_bound(collect, form, begin, lost):
    """Shown and left, or sent without a reply: the same bytes go, and count once."""
    collector = collect(form)
    someone = begin(collector.url)
    someone.answer(0, 0, "Because")
    body_result = someone.body()
    if lost:
        someone.page.route("**/report", lambda route: (route.fetch(), route.abort()))
        someone.press_main("Send")
        someone.page.get_by_text("The message is still here").wait_for()
    code = put_away(someone)
    other = in_another_window(someone, collector.url)
    go_on(other, code)
    assert other.page.get_by_role("button", name="Change").count() == 0
    assert other.body() == body_result
    assert other.heading() == ("Not confirmed yet" if lost else "Look before you send")
    other.send()
    assert collector.reports() == [json.loads(body_result)["answers"]]


def test_nothing_that_lies_on_the_device_can_be_read_and_all_of_it_is_of_one_length(
    collect, form, begin
):
    collector = collect(form)
    result = []
    for answers in ((0, 0, "Because I am"), (1, 1, "Никогда, 决不"), (2, 2, ""), ()):
        someone = begin(collector.url)
        someone.answer(*answers)
        bound = read_storage(someone)
        code = put_away(someone)
        text = lying(someone)
        head, _, locked = text.rpartition(" ")
        fingerprint, until = head.split(" ")
        assert fingerprint == form.fingerprint
        today = someone.page.evaluate(f"() => Math.floor(Date.now() / {DAY})")
        assert int(until) - today == 14
        everything = base64.b64decode(locked, validate=True)
        plain = deciphered(code.replace("-", ""), head, everything)
        state = json.loads(plain)
        assert state["kept"] == bound
        index = [item["index"] for item in state["answers"] if item is not None]
        assert index == [{2: None, "": None}.get(item, item) for item in answers]
        for secret in (plain[:40], bound["id"], code, code.replace("-", ""), *parts(answers)):
            spelt = secret if isinstance(secret, bytes) else secret.encode()
            assert spelt not in everything
            assert spelt not in text.encode()
        assert list(lasting(someone)) == ["askance-later:/"]
        result.append(text)
    assert len({len(text) for text in result}) == 1
    assert len({text.rpartition(" ")[2][:38] for text in result}) == len(result)


def parts(answers):
    """Give what the answers could be told by, where it lay there as it is."""
    labels = [
        part
        for answer in answers
        for part in ([answer] if isinstance(answer, str) and answer else [])
    ]
    return [*labels, "Wanderup", "Zwiesel", '"index"', '"draws"', "answers", "lives"]


def deciphered(code, head, everything):
    """Unlock it by another program, as the reference says."""
    node = shutil.which("node")
    assert node, "node is not installed: nobody else here deciphers"
    draws, locked = everything[:28].hex(), everything[28:].hex()
    text = json.dumps({"code": code, "head": head, "drawn": draws, "locked": locked})
    run = subprocess.run([node, "-e", DECIPHER, text], capture_output=True, check=True, timeout=60)
    return run.stdout


def test_two_truths_make_the_same_requests(collect, form, begin):
    collector, created = collect(form), []
    for answers in ((0, 0, "Because"), (1, 2, "")):
        someone = begin(collector.url)
        someone.answer(*answers)
        put_away(someone)
        someone.proceed()
        created.append([(item.method, item.url, item.post_data) for item in someone.sent])
    assert created[0] == created[1]
    assert [method for method, *_ in created[0]] == ["GET", "GET"]


def test_a_wrong_code_says_so_and_the_right_one_may_be_typed_in_many_ways(collect, form, begin):
    collector = collect(form)
    someone = begin(collector.url)
    someone.answer(0)
    code = put_away(someone)
    someone.proceed()
    before = lasting(someone)
    wrong = code[:-1] + ("0" if code[-1] != "0" else "2")
    for typed in ("", "abc", wrong, f"{code}0"):
        type_code(someone, typed)
        someone.page.locator("main .main:not([aria-disabled])").wait_for()
        line = someone.page.locator("#line")
        assert line.inner_text().startswith("This code does not fit")
        assert someone.page.evaluate("() => document.activeElement.id") == "code"
        assert lasting(someone) == before
    easily = code.lower().replace("-", " \u2013 ").replace("0", "o").replace("1", "l")
    arabic = easily.translate({ord(str(digit)): 0x660 + digit for digit in range(10)})
    wide = "".join(
        chr(ord(item) + 0xFEE0) if item.isascii() and item.isalnum() else item for item in arabic
    )
    go_on(someone, wide)
    assert lasting(someone) == {}
    assert someone.page.locator(".card").count() == 1


def test_to_begin_anew_erases_it_first_and_draws_nothing_again_in_the_same_window(
    collect, form, begin
):
    collector = collect(form)
    someone = begin(collector.url)
    someone.answer(0, 0)
    bound = read_storage(someone)
    code = put_away(someone)
    assert "Wanderup" not in someone.page.content().split('id="form"')[0]
    someone.proceed()
    someone.press("Begin anew")
    assert someone.heading() == "Study"
    assert lasting(someone) == {}
    someone.consent()
    someone.practise()
    assert not someone.page.locator("main input:checked").count()
    assert read_storage(someone) == bound
    someone.answer(1, 1, "")
    assert code not in read_screen(someone)
    someone.reveal()
    someone.send()
    assert len(collector.reports()) == 1


def test_of_two_windows_with_one_code_the_first_has_it(collect, form, begin):
    collector = collect(form)
    someone = begin(collector.url)
    someone.answer(0)
    code = put_away(someone)
    first, second = (in_another_window(someone, collector.url) for _ in range(2))
    go_on(first, code)
    type_code(second, code)
    second.page.get_by_role("heading", name="Nothing is put away here any more").wait_for()
    assert "in another window" in read_screen(second)
    second.proceed()
    assert second.heading() == "Study"
    assert second.storage() == {}


def test_a_place_that_is_taken_is_not_taken_from_others(collect, form, begin):
    collector = collect(form)
    someone = begin(collector.url)
    other = in_another_window(someone, collector.url)
    other.consent()
    other.practise()
    other.answer(1)
    code = put_away(someone)
    before = lying(someone)
    other.press("Go on later")
    assert "There is room for those of one person" in read_screen(other)
    assert other.page.locator("main button").all_inner_texts() == ["Back"]
    assert lying(other) == before
    other.press("Back")
    assert other.page.locator(".card").count() == 1
    someone.proceed()
    go_on(someone, code)


@pytest.mark.parametrize(
    ("days", "remaining"), [(0, True), (14, True), (15, False), (-1, False)], ids=str
)
def test_when_the_days_are_over_it_is_erased_and_told(
    collect, form, begin, person, days, remaining
):
    collector = collect(form)
    someone = begin(collector.url)
    put_away(someone)
    clock = f"const {{ now }} = Date; Date.now = () => now.call(Date) + {days * DAY};"
    someone.page.context.add_init_script(clock)
    other = in_another_window(someone, collector.url)
    assert (other.heading() == BEGUN) == remaining
    assert (lasting(other) != {}) == remaining
    if not remaining:
        assert "The days are over" in read_screen(other)
        other.proceed()
        assert other.heading() == "Study"


def test_a_changed_survey_erases_what_was_put_away_and_says_so(collect, form, begin):
    first = collect(form)
    someone = begin(first.url)
    put_away(someone)
    port = int(first.url.rsplit(":", 1)[1].strip("/"))
    changed = Form.read(form.document | {"title": {"en": "Another study"}})
    url = collect(changed).url
    lain = lasting(someone)
    other = in_another_window(someone, url)
    assert port != int(url.rsplit(":", 1)[1].strip("/"))
    other.page.evaluate("lain => Object.assign(localStorage, lain)", lain)
    other.open(url)
    assert other.heading() == "Nothing is put away here any more"
    assert "The questions have changed since" in read_screen(other)
    assert lasting(other) == {}
    other.proceed()
    assert other.heading() == "Another study"


def test_what_another_survey_of_the_same_host_put_there_stays(collect, form, begin):
    someone = begin(collect(form).url)
    someone.page.evaluate("() => { localStorage['askance-later:/other/'] = 'x y z' }")
    someone.page.reload()
    assert lasting(someone) == {"askance-later:/other/": "x y z"}


@pytest.mark.parametrize("damage", ["", "junk", "{0} {1} junk", "{0} {1} AAAA", "{0} 1e9 {2}"])
def test_what_is_damaged_unlocks_nothing_and_can_be_left_behind(collect, form, begin, damage):
    collector = collect(form)
    someone = begin(collector.url)
    code = put_away(someone)
    pieces = lying(someone).split(" ")
    someone.page.evaluate(
        "text => { localStorage['askance-later:/'] = text }", damage.format(*pieces)
    )
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    if damage.startswith("{0} {1}"):
        type_code(someone, code)
        someone.page.get_by_text("does not fit").wait_for()
        someone.press("Begin anew")
    else:
        someone.proceed()
    assert someone.heading() == "Study"
    assert lasting(someone) == {}
    assert someone.console == []


def test_its_date_cannot_be_moved(collect, form, begin):
    collector = collect(form)
    someone = begin(collector.url)
    code = put_away(someone)
    someone.page.evaluate(
        "() => { const [of, until, text] = localStorage['askance-later:/'].split(' ');"
        "localStorage['askance-later:/'] = [of, until - 1, text].join(' ') }"
    )
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    type_code(someone, code)
    someone.page.get_by_text("does not fit").wait_for()


def test_a_survey_that_has_closed_keeps_nothing(collect, form, begin, tmp_path):
    collector = collect(form)
    someone = begin(collector.url)
    put_away(someone)
    someone.page.route(
        "**/report",
        lambda route: route.fulfill(
            status=200, body=json.dumps({"form": form.fingerprint, "open": False})
        ),
    )
    someone.page.reload()
    someone.page.get_by_role("heading", name="This survey has closed").wait_for()
    assert lasting(someone) == {}


def test_a_browser_that_keeps_nothing_says_so_and_the_survey_works(collect, form, begin, person):
    collector = collect(form)
    fresh = person(collector.url, script=WITHOUT)
    assert "This browser keeps nothing for another day" in read_screen(fresh)
    someone = begin(collector.url, script=WITHOUT)
    assert someone.page.get_by_role("button", name="Go on later").count() == 0
    someone.answer(0, 0, "Because")
    someone.reveal()
    someone.send()
    assert len(collector.reports()) == 1
    assert someone.console == fresh.console == []


def test_where_there_is_no_room_nothing_is_lost(collect, form, begin):
    collector = collect(form)
    someone = begin(collector.url, script=FULL)
    someone.answer(0)
    before = read_screen(someone)
    someone.press("Go on later")
    someone.press_main("Put away")
    someone.page.get_by_text("This browser could not keep your answers").wait_for()
    assert lasting(someone) == {}
    someone.press("Back")
    assert read_screen(someone) == before
    someone.answer(0, "Because")
    someone.reveal()
    someone.send()
    assert collector.reports()[0]["lives"] == 0


@pytest.mark.parametrize("variant", ["Back", "Leave now"])
def test_whoever_turns_back_while_the_key_is_made_leaves_nothing_behind(
    collect, form, begin, variant
):
    collector = collect(form)
    slow = """const { deriveKey } = SubtleCrypto.prototype;
      SubtleCrypto.prototype.deriveKey = async function (...given) {
        await new Promise((done) => { window.finish = done });
        return deriveKey.apply(this, given);
      }"""
    someone = begin(collector.url, script=slow)
    someone.answer(0)
    someone.press("Go on later")
    someone.press_main("Put away")
    someone.page.get_by_text("One moment").wait_for()
    someone.page.evaluate("() => document.querySelector('main .main').click()")
    someone.press(variant)
    if variant == "Leave now":
        someone.page.wait_for_url("about:blank")
        someone.open(collector.url)
        assert someone.heading() == "Study"
    else:
        someone.page.evaluate("() => window.finish()")
        someone.page.wait_for_timeout(600)
        assert someone.page.locator(".card").count() == 1
    assert lasting(someone) == {}


def hold_back(route):
    """Keep a report on its way until the page is gone, which takes it along."""
    if route.request.method != "POST":
        route.continue_()


def test_it_is_offered_from_the_first_question_to_the_end(collect, form, person):
    someone = person(collect(form).url)
    offered = someone.page.get_by_role("button", name="Go on later")
    assert "“Go on later”, at the top, puts your answers away" in read_screen(someone)
    assert offered.count() == 0
    someone.consent()
    assert offered.count() == 1
    someone.press("Back")
    assert "“Go on later”, at the top, puts your answers away" in read_screen(someone)
    assert offered.count() == 0
    someone.consent()
    someone.practise()
    someone.answer(0, 0, "")
    someone.reveal()
    assert offered.count() == 1
    someone.page.route("**/report", hold_back)
    someone.press_main("Send")
    someone.press("Go on later")
    assert someone.page.get_by_text("Sending").count() == 1
    someone.page.reload()
    someone.page.unroute("**/report")
    someone.consent()
    someone.send()
    assert offered.count() == 0


def screens(someone):
    """Walk through every screen that is there for going on later."""
    someone.consent()
    someone.practise()
    someone.answer(0)
    yield "question"
    someone.page.locator("#later").click()
    yield "away"
    someone.proceed()
    someone.page.locator("p.away").wait_for()
    yield "code"
    someone.proceed()
    yield "begun"
    someone.page.locator("#code").fill("0")
    someone.proceed()
    someone.page.locator("#line.complaint").wait_for()
    yield "wrong"
    someone.page.evaluate("() => { localStorage['askance-later:/'] = 'x 0 y' }")
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    yield "erased"


@pytest.mark.parametrize(
    ("language", "width"), [("en", 320), ("de", 360), ("ar", 360), ("fr", 1280)]
)
def test_its_screens_keep_nobody_out(collect, form, person, axe, language, width):
    text = json.dumps(form.document)
    text = text.replace('{"en":', f'{{"{language}":').replace('["en"]', f'["{language}"]')
    someone = person(collect(Form.read(text)).url, width=width, language=language)
    observed = []
    for screen in screens(someone):
        assert axe(someone.page)[0] == [], screen
        assert someone.page.evaluate("() => document.documentElement.scrollWidth") <= width, screen
        heights = someone.page.locator("button:visible, input:visible").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44, screen
        edges = someone.page.locator("header > :visible").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect())"
            ".flatMap(({ left, right }) => [left, innerWidth - right])"
        )
        assert min(edges) >= 0, screen
        assert someone.page.evaluate("() => document.activeElement.tagName") in {"H1", "INPUT"}
        observed.append(screen)
    assert len(observed) == 6


def test_it_is_done_by_keyboard_alone(collect, form, begin):
    collector = collect(form)
    someone = begin(collector.url)
    go, page = someone.press_keys, someone.page
    someone.answer(0)
    go("Go on later", "Put away")
    page.locator("p.away").wait_for()
    code = page.locator("p.away").inner_text()
    go("I have written it down")
    page.get_by_role("heading", name=BEGUN).wait_for()
    someone._tab_until("() => document.activeElement.id === 'code'")
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    page.locator(".card").wait_for()
    assert page.get_by_label("Your code").count() == 0


def test_the_code_has_a_name_and_its_line_is_read_out(collect, form, begin):
    someone = begin(collect(form).url)
    put_away(someone)
    someone.proceed()
    field = someone.page.get_by_role("textbox", name="Your code")
    assert field.get_attribute("aria-describedby") == "line"
    assert someone.page.locator("#line").get_attribute("role") == "status"
    assert field.get_attribute("autocomplete") == "off"
