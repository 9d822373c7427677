"""What is over is out of reach: of a visit that has ended, nothing is left in the page's memory."""

import json
import re

import pytest
from test_tablet import SURVEY, hand_over, wait_for

import askance as ak

NEVER = """
  navigator.storage.persist = () => new Promise(() => {});
  ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
"""
"""A browser that is asked twice about its device, and never answers."""

SLOW = """
  const { go } = History.prototype;
  History.prototype.go = function (by) { setTimeout(() => go.call(this, by), 300); };
"""
"""A browser that takes a while to go back."""

HAND_OVER = "() => [1, 2].forEach(() => document.querySelector('main button.main').click())"
HAND_BACK = """async () => {
  const press = () => document.querySelector("main button.main").click();
  const until = async (isDone) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const buttons = [...document.querySelectorAll("main button")];
  buttons.find(({ textContent }) => textContent === "Show what is sent").click();
  const body = document.querySelector("pre.bytes").textContent;
  press();
  await until(() => document.querySelector(".receipt"));
  press();
  await until(() => document.querySelector("main .buttons button")?.hidden === false);
  return body;
}"""


class Memory:
    """What a page holds, by the devtools protocol, once its garbage is collected."""

    def __init__(self, page):
        self.chunks = []
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.session.on(
            "HeapProfiler.addHeapSnapshotChunk", lambda event: self.chunks.append(event["chunk"])
        )
        self.session.send("HeapProfiler.enable")
        self.session.send("Performance.enable")

    def listeners(self):
        """How many listeners stand, once the browser has let go of its own."""
        counts = []
        for _ in range(3):
            self.page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 50))")
            self.session.send("HeapProfiler.collectGarbage")
            metrics = self.session.send("Performance.getMetrics")["metrics"]
            counts += [
                metric["value"] for metric in metrics if metric["name"] == "JSEventListeners"
            ]
        return min(counts)

    def strings(self):
        self.chunks.clear()
        self.session.send("HeapProfiler.collectGarbage")
        self.session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        return json.loads("".join(self.chunks))["strings"]

    def holds(self, *texts):
        """Which of the texts stand in memory as words of their own."""
        strings = "\n".join(self.strings())
        return [text for text in texts if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", strings)]


def visit(someone, money):
    """Have one person take the survey; the number of their report."""
    someone.page.evaluate(HAND_OVER)
    someone.consent()
    someone.practise()
    someone.answer(0, 0, money)
    return json.loads(someone.page.evaluate(HAND_BACK))["id"]


def visits(someone, memory, number):
    """Have people take the survey: what is theirs, and how many listeners they leave after two."""
    texts, listeners = [], []
    for person in range(number):
        money = 7_110_000 + 10_000 * person
        texts += [visit(someone, str(money)), str(money), f"{money:,}"]
        if person in (1, number - 1):
            listeners.append(memory.listeners())
    return texts, listeners[-1] - listeners[0]


def is_kept(more, number):
    """Say whether every second visit or more left a listener; the browser may hold one itself."""
    return more >= (number - 2) / 2


@pytest.fixture
def tablet(person, collect):
    def seat(**settings):
        form = ak.publish(ak.parse_survey(SURVEY.encode()))
        someone = person(collect(form).url, **settings)
        wait_for(someone, "Reports waiting")
        return someone

    return seat


@pytest.mark.parametrize("number", [12, pytest.param(50, marks=pytest.mark.wide)])
def test_nothing_of_who_has_finished_or_left_is_in_memory(tablet, number):
    someone = tablet(script=NEVER)
    memory = Memory(someone.page)
    texts, more = visits(someone, memory, number)
    assert not is_kept(more, number)
    hand_over(someone)
    someone.consent()
    someone.practise()
    someone.answer(0, 0)
    someone.page.locator(".number").press_sequentially("7391000")
    someone.press("Leave now")
    assert memory.holds(*texts, "7391000", "7,391,000") == []


def test_a_device_that_is_handed_on_at_once_stays_on_the_page(tablet):
    """The page left for whatever came before it, if two visits both went back."""
    someone = tablet(script=SLOW)
    visit(someone, "7110000")
    visit(someone, "7120000")
    someone.page.evaluate(HAND_OVER)
    someone.consent()
    heading = someone.heading()
    someone.page.wait_for_function("() => history.state === 1")
    assert someone.heading() == heading
    assert someone.page.evaluate("[history.length, history.state]") == [4, 1]


KEEPING = {
    "listeners of the window": ("visit", "main()), controller);", "main()));"),
    "listeners of the device": ("tablet", '"change", tell, controller', '"change", tell'),
    "receipts": (
        "visit",
        "draft.erase(ending);",
        "draft.erase((globalThis.kept = receipt) && ending);",
    ),
}


@pytest.mark.parametrize("change", KEEPING.values(), ids=KEEPING)
def test_a_page_that_keeps_something_is_caught(twin, tablet, change):
    twin(*change)
    someone = tablet()
    memory = Memory(someone.page)
    texts, more = visits(someone, memory, 6)
    assert is_kept(more, 6) or memory.holds(*texts)


def test_a_receipt_stands_where_no_answer_is_in_memory(person, collect):
    """Also a page that lies open for days: a small number was kept for its plural."""
    survey = SURVEY.replace("tablet = true", "").replace(
        "lower = 0, upper = 10000000, step = 10000", "lower = 7000, upper = 8000, step = 1"
    )
    someone = person(collect(ak.publish(ak.parse_survey(survey.encode()))).url)
    memory = Memory(someone.page)
    someone.take(0, 0, "7391")
    assert memory.holds("7391") == ["7391"]
    someone.send()
    assert memory.holds("7391") == []
