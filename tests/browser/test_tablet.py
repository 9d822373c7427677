"""A tablet at the door: it needs no network, keeps reports and no more, and sends each once."""

import json
import re
from functools import partial

import pytest
from playwright.sync_api import Route

import askance as ak
from askance_collect.collect import create_app, open_store, serving
from askance_collect.respond import render_page
from askance_collect.wire import Form, Report

SURVEY = """
askance = "survey-1"
title = "Tea in our town"
consent = "Say it or leave."
contact = "Write to study@example.org"
languages = ["en", "ar"]
tablet = true
[[question]]
name = "town"
text = { en = "Where do you live?", ar = "أين تسكن؟" }
answers = ["north", "south"]
[[question]]
name = "tea"
text = { en = "Do you drink tea?", ar = "هل تشرب الشاي؟" }
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "5/6" }
[[question]]
name = "money"
text = { en = "What do you earn?", ar = "كم تكسب؟" }
line = { lower = 0, upper = 10000000, step = 10000, unit = "euros" }
typed = true
mechanism = { name = "cuts", number = 1 }
"""
TYPED = "7391000"
HEAD = "For the interviewer"
DATABASE = """async (work) => {
  const [{ name }] = (await indexedDB.databases()).filter((one) => one.name.startsWith("askance"));
  const ready = (request) =>
    new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const database = await ready(indexedDB.open(name));
  const store = database.transaction(["reports"], "readwrite").objectStore("reports");
  for (const [id, body] of Object.entries(work)) await ready(store.put(body, id));
  const found = Object.fromEntries((await ready(store.getAllKeys())).map((id) => [id, id]));
  for (const id of Object.keys(found)) found[id] = await ready(store.get(id));
  database.close();
  return found;
}"""
WITHOUT = "Object.defineProperty(window, 'indexedDB', {value: undefined})"
FULL = """
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...given) {
    if (window.full !== false) throw new DOMException("full", "QuotaExceededError");
    return put.apply(this, given);
  };
"""
WRITTEN = """
  const { put } = IDBObjectStore.prototype;
  window.written = [];
  IDBObjectStore.prototype.put = function (body, id) {
    window.written.push(id);
    return put.call(this, body, id);
  };
"""


@pytest.fixture(scope="module")
def form():
    return ak.publish(ak.parse_survey(SURVEY.encode()))


def at_rest(someone, **added):
    """What the device keeps in its database, by its keys."""
    return someone.page.evaluate(DATABASE, added)


def read_screen(someone):
    return " ".join(someone.page.locator("main").inner_text().split())


def wait_for(someone, text):
    someone.page.get_by_text(text).first.wait_for()


def hand_over(someone):
    someone.press("Hand over the device")
    someone.press_main("I have the device")


def answered(someone, *answers):
    """Hand the device over, have the survey taken up to the last look, and give what is sent."""
    hand_over(someone)
    someone.take(*(answers or (0, 0, TYPED)))
    return someone.page.locator("pre.bytes").evaluate("node => node.textContent")


def interviewed(someone, *answers):
    """Hand the device over, and get it back with one report more."""
    body = answered(someone, *answers)
    someone.press_main("Send")
    wait_for(someone, "Your report is kept")
    someone.press_main("I have the device back")
    wait_for(someone, "Reports waiting")
    return body


def report(form, number):
    id = f"{number:032x}"
    values = {"town": number % 2, "tea": number % 2, "money": (0, 500)}
    return id, Report(form.fingerprint, id, values).body(form.size).decode()


def waiting(form, number):
    return dict(report(form, index) for index in range(number))


@pytest.fixture
def tablet(person, collect, form):
    """Seat an interviewer at a tablet; give the collector too."""

    def seat(**how):
        collector = collect(form)
        someone = person(collector.url, **how)
        someone.page.get_by_text(re.compile("Reports waiting|التقارير المنتظرة")).wait_for()
        return someone, collector

    return seat


def test_it_needs_no_network_and_what_waits_survives_a_restart(device, collect, form):
    collector = collect(form)
    with device() as (context, someone):
        someone.open(collector.url)
        wait_for(someone, "This page works without a network.")
        context.set_offline(True)
        someone.page.reload()
        first = interviewed(someone)
        second = interviewed(someone, 1, 1, TYPED)
        assert someone.posts() == []
    with device() as (context, someone):
        context.set_offline(True)
        someone.open(collector.url)
        wait_for(someone, "Reports waiting on this device: 2")
        assert set(at_rest(someone).values()) == {first, second}
        someone.press("Send what waits")
        wait_for(someone, "Sending was broken off.")
        assert "Reports waiting on this device: 2" in read_screen(someone)
        context.set_offline(False)
        someone.press("Send what waits")
        wait_for(someone, "Acknowledged, and erased here: 2")
        assert at_rest(someone) == {}
        assert {item.post_data for item in someone.posts()} == {first, second}
    answers = [json.loads(item)["answers"] for item in (first, second)]
    assert sorted(map(str, collector.reports())) == sorted(map(str, answers))


def test_nothing_of_a_person_is_left_for_the_next_one(device, collect, form, tmp_path):
    collector = collect(form)
    with device() as (_, someone):
        someone.open(collector.url)
        wait_for(someone, "This page works without a network.")
        body = interviewed(someone)
        page = someone.page
        value = page.evaluate("""async () => JSON.stringify([
          document.documentElement.outerHTML.replace(document.getElementById("form").outerHTML, ""),
          {...sessionStorage}, {...localStorage}, document.cookie, location.href, document.title,
          history.length, history.state, window.name, await caches.keys(),
        ])""")
        assert TYPED not in value
        assert json.loads(body)["id"] not in value
        assert json.loads(value)[1:4] == [{}, {}, ""]
        assert json.loads(value)[6:8] == [4, 0]  # about:blank, and three of the page
        assert at_rest(someone) == {json.loads(body)["id"]: body}
        page.go_back()
        page.go_forward()
        wait_for(someone, "Reports waiting on this device: 1")
        hand_over(someone)
        someone.consent()
        someone.practise()
        assert page.locator("main input:checked").count() == 0
        someone.answer(0, 0)
        assert page.locator(".number").input_value() == ""
    on_disk = [path.read_bytes() for path in (tmp_path / "device").rglob("*") if path.is_file()]
    id = json.loads(body)["id"]
    assert any(id.encode() in item or id.encode("utf-16-le") in item for item in on_disk)
    for replies in (TYPED.encode(), TYPED.encode("utf-16-le"), b"7,391,000"):
        assert not any(replies in item for item in on_disk)


def test_two_truths_with_one_report_leave_and_send_the_same(person, collect, form):
    url, observed = collect(form).url, []
    for answer in (0, 1):
        someone = person(url, words=[0, 0, 0, 5_000])
        interviewed(someone, 0, answer, TYPED)
        at_rest_result = at_rest(someone)
        someone.press("Send what waits")
        wait_for(someone, "Acknowledged, and erased here: 1")
        went = [(item.method, item.url, item.headers, item.post_data) for item in someone.posts()]
        observed.append(
            (at_rest_result, went, len(someone.sent), at_rest(someone), someone.storage())
        )
    assert len(observed[0][1]) == 1
    assert observed[0] == observed[1]


@pytest.mark.parametrize("cut", ["acknowledgement lost", "page gone"])
def test_a_sending_that_breaks_off_loses_and_doubles_nothing(tablet, form, cut):
    someone, collector = tablet()
    waiting_result = waiting(form, 12)
    at_rest(someone, **waiting_result)
    someone.page.reload()
    wait_for(someone, "Reports waiting on this device: 12")
    reached = []

    def faulty(route):
        reached.append(route.request.post_data)
        if len(reached) < 5:
            route.continue_()
        elif cut == "acknowledgement lost":
            route.fetch()  # it arrives all the same
            route.abort()

    someone.page.route("**/report", faulty)
    someone.press("Send what waits")
    wait_for(someone, "Acknowledged, and erased here: 4")
    if cut == "page gone":
        someone.page.reload()
    wait_for(someone, "Sending was broken off.")
    assert "Reports waiting on this device: 8" in read_screen(someone)
    assert reached == [
        waiting_result[id] for id in sorted(waiting_result)[:5]
    ]  # by their numbers, not by their time
    assert at_rest(someone) == {
        id: body for id, body in waiting_result.items() if body not in reached[:4]
    }
    someone.page.unroute("**/report")
    someone.press("Send what waits")
    wait_for(someone, "Acknowledged, and erased here: 8")
    assert at_rest(someone) == {}
    someone.page.reload()
    wait_for(someone, "Reports waiting on this device: 0")
    assert "broken off" not in read_screen(someone)
    ordered = sorted(json.dumps(json.loads(body)["answers"]) for body in waiting_result.values())
    assert sorted(json.dumps(item) for item in collector.reports()) == ordered


def test_what_the_collector_refuses_is_told_and_stays(tablet, form):
    someone, _ = tablet()
    waiting_result = waiting(form, 2)
    at_rest(someone, **waiting_result)
    someone.page.reload()
    for code in ("closed", "wrong-form", "conflict", "origin", "unclear"):
        refusal = {"status": 409, "json": {"error": {"code": code}}}
        someone.page.route("**/report", partial(Route.fulfill, **refusal))
        someone.press("Send what waits")
        wait_for(someone, f"Not taken by the collector ({code}): 2.")
        assert at_rest(someone) == waiting_result
        someone.page.unroute("**/report")


def test_what_is_damaged_or_of_another_survey_is_told_and_never_sent(tablet, form):
    someone, collector = tablet()
    good, other = waiting(form, 1), "e" * 64
    ((id, body),) = good.items()
    number = "{:032x}".format
    bad = {
        number(10): body,  # under another number
        number(11): body.replace(id, number(11))[:-1],  # not of the one length
        number(12): body.replace(id, number(12)).replace(form.fingerprint, other),
        number(13): body.replace(id, number(13)).replace('"tea":0', '"tea":2'),
        number(14): body.replace(id, number(14)).replace('"tea":0', '"tea": 0')[:-1],
        number(15): body.replace(id, number(15)).replace('"tea":0', '"sea":0'),
        number(16): "{}",
        number(17): 7,
    }
    at_rest(someone, **good, **bad)
    someone.page.reload()
    wait_for(someone, f"not sent from here: {len(bad)}.")
    someone.press("Send what waits")
    wait_for(someone, "Acknowledged, and erased here: 1")
    assert [item.post_data for item in someone.posts()] == [body]
    assert at_rest(someone) == bad
    assert len(collector.reports()) == 1


def test_ten_are_sent_as_soon_as_there_is_a_network_and_nine_wait_for_a_word(tablet, form):
    someone, collector = tablet()
    at_rest(someone, **waiting(form, 9))
    someone.page.reload()
    wait_for(someone, "Fewer than ten wait.")
    someone.page.evaluate("dispatchEvent(new Event('online'))")
    at_rest(someone, **waiting(form, 10))
    assert someone.posts() == []
    someone.page.reload()
    wait_for(someone, "Reports waiting on this device: 10")
    assert "Fewer than ten" not in read_screen(someone)
    hand_over(someone)
    someone.page.evaluate("dispatchEvent(new Event('online'))")  # while somebody has the device
    assert someone.posts() == []
    someone.press("Leave now")
    someone.press_main("I have the device back")
    wait_for(someone, "Reports waiting on this device: 10")
    someone.page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(someone, "Acknowledged, and erased here: 10")
    assert len(collector.reports()) == 10


def test_what_waits_is_written_in_an_order_that_tells_nothing(tablet, form):
    someone, _ = tablet(script=WRITTEN)
    mapping = dict(report(form, number) for number in (0, 2**128 - 1))
    at_rest(someone, **mapping)
    someone.page.evaluate("written.length = 0")
    body = interviewed(someone)
    mapping |= {json.loads(body)["id"]: body}
    assert someone.page.evaluate("written") == sorted(mapping)
    assert at_rest(someone) == mapping


def test_whoever_leaves_is_forgotten(tablet):
    someone, _ = tablet()
    answered(someone)
    someone.press("Leave now")
    assert someone.heading() == "Nothing was kept"
    assert someone.page.locator("#bar .leave").is_hidden()
    someone.press_main("I have the device back")
    wait_for(someone, "Reports waiting on this device: 0")
    assert at_rest(someone) == {}
    assert someone.storage() == {}
    hand_over(someone)
    assert someone.page.get_by_role("checkbox").is_visible()


@pytest.mark.parametrize("lasting", [True, False])
def test_it_says_whether_the_browser_may_erase_what_waits(person, collect, form, lasting):
    granted = f"navigator.storage.persist = async () => {json.dumps(lasting)}"
    someone = person(collect(form).url, script=granted)
    wait_for(someone, "Reports waiting on this device: 0")
    wait_for(someone, "This page works without a network.")
    assert ("This browser may erase what waits" in read_screen(someone)) == (not lasting)


def test_a_device_without_room_keeps_the_report_on_the_page(tablet):
    someone, _ = tablet(script=FULL)
    body = answered(someone)
    someone.press_main("Send")
    wait_for(someone, "This device could not keep your report.")
    assert at_rest(someone) == {}
    someone.page.evaluate("window.full = false")
    someone.press_main("Send again")
    wait_for(someone, "Your report is kept")
    assert list(at_rest(someone).values()) == [body]
    someone.press_main("I have the device back")
    someone.page.evaluate("window.full = true")
    someone.press("Send what waits")  # which makes room
    wait_for(someone, "Acknowledged, and erased here: 1")
    assert at_rest(someone) == {}


def test_where_nothing_can_be_kept_nobody_is_asked(person, collect, form):
    someone = person(collect(form).url, script=WITHOUT)
    wait_for(someone, "This browser keeps nothing")
    assert someone.page.get_by_role("button", name="Hand over the device").count() == 0


def test_the_worker_keeps_the_page_of_its_fingerprint_and_no_other(person, collect, form):
    changed = render_page(form).bytes.replace(b"<head>", b"<head ><!-- -->", 1)
    someone = person(collect(form, page=changed).url)
    wait_for(someone, "This page is not kept on this device yet.")
    someone.page.wait_for_function(
        "() => navigator.serviceWorker.getRegistration().then((found) => found === undefined)"
    )
    assert someone.page.evaluate("caches.keys()") == []


def test_a_changed_survey_is_told_and_what_waits_of_the_old_one_stays(person, tmp_path, form):
    newer = Form.read(form.document | {"about": form.document["about"] | {"edition": 2}})
    ports, someone = [0], None
    for item in (form, newer):
        made_page = render_page(item)
        store = open_store(tmp_path / f"{item.fingerprint}.db", item)
        told_of = made_page.headers, made_page.sha256, store, None, made_page.companions
        with serving(create_app(item, made_page.bytes, *told_of), port=ports[-1]) as url:
            ports.append(int(url.split(":")[2].strip("/")))
            if someone is None:
                someone = person(url)
                wait_for(someone, "This page works without a network.")
                interviewed(someone)
            else:
                someone.page.reload()
                wait_for(someone, "The survey has changed.")
                someone.press("Send what waits")
                wait_for(someone, "Not taken by the collector (wrong-form): 1.")
                context = someone.page.context
                someone.page.close()
                again = type(someone)(context.new_page()).open(url)
                wait_for(again, "of another version of this survey, and so not sent from here: 1.")
        store.close()


def test_what_waits_can_be_saved_and_stays(tablet, form):
    someone, _ = tablet()
    waiting_result = waiting(form, 3)
    at_rest(someone, **waiting_result)
    someone.page.reload()
    with someone.page.expect_download() as saved:
        someone.press("Save what waits to a file")
    assert saved.value.suggested_filename == "reports.askance"
    assert saved.value.path().read_text("ascii").splitlines() == [
        waiting_result[id] for id in sorted(waiting_result)
    ]
    wait_for(someone, "What waits stays here")
    assert at_rest(someone) == waiting_result


@pytest.mark.parametrize(("language", "width"), [("en", 360), ("ar", 800)])
def test_nothing_keeps_anybody_out_of_its_screens(tablet, axe, form, language, width):
    someone, _ = tablet(language=language, width=width)
    page = someone.page
    at_rest(someone, **waiting(form, 2), x="")
    page.reload()

    def judged():
        page.wait_for_function("() => document.querySelector('h1') === document.activeElement")
        assert axe(page)[0] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.locator("main button:visible").nth(2).wait_for()
    judged()
    someone.proceed()
    judged()
    someone.proceed()
    judged()
    someone.take(0, 0, TYPED)
    someone.proceed()
    page.locator(".receipt").wait_for(state="attached")
    judged()
    someone.proceed()
    someone.proceed()
    someone.proceed()
    page.locator("#bar .leave").click()
    judged()
