"""A real collector on loopback, a real Chromium, and a person who takes the survey in it."""

import json
import re
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from askance.collect.app import create_app
from askance.collect.serve import serving
from askance.collect.store import open_store
from askance.respond.page import render_page
from askance.wire.form import Form

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP survey.test 127.0.0.1",
)
CHANCE = """words => {
  const queue = [...words];
  crypto.getRandomValues = (bytes) => {
    const word = bytes.length === 6 && queue.length ? queue.shift() : 0;
    bytes.fill(7);
    if (bytes.length === 6) bytes.set([5, 4, 3, 2, 1, 0].map((n) => Math.floor(word / 256 ** n)));
    return bytes;
  };
}"""


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def forms():
    raw = (ROOT / "src/askance/wire/vectors/1/forms.json").read_text("ascii")
    return {one["name"]: Form.read(one["form"]) for one in json.loads(raw)["good"]}


@pytest.fixture(scope="session")
def chromium():
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    assert binary, "Chromium is not installed (Debian: chromium): the page cannot be tested"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=list(FLAGS))
        yield browser
        browser.close()


class Collector:
    """The address of a running collector, and what it has kept."""

    def __init__(self, url, form, path):
        self.url, self.form, self.path = url, form, path

    def reports(self):
        store = open_store(self.path, self.form, read_only=True)
        try:
            return [json.loads(payload) for payload in store.payloads()]
        finally:
            store.close()


@pytest.fixture
def collect(tmp_path):
    """Start the collector of a form: collect(form, page=changed_bytes, port=0)."""
    with ExitStack() as stack:

        def start(form, *, page=None, port=0):
            path = tmp_path / f"{form.fingerprint[:8]}.db"
            store = open_store(path, form)
            stack.callback(store.close)
            made = render_page(form)
            app = create_app(form, page or made.bytes, made.headers, made.sha256, store)
            url = stack.enter_context(serving(app, port=port))
            return Collector(url, form, path)

        yield start


class Person:
    """Someone at a browser: what they press, what went over the network, what the console said."""

    def __init__(self, page):
        self.page, self.sent, self.console = page, [], []
        page.set_default_timeout(5000)
        page.on("request", lambda request: self.sent.append(request))
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.console.append(str(error)))

    def open(self, url):
        self.page.goto(url)
        self.page.wait_for_selector("h1")
        return self

    def heading(self):
        return self.page.locator("h1").inner_text()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def proceed(self):
        self.page.locator("main button.main:visible").click()

    def consent(self):
        self.page.locator("input[type=checkbox]").check()
        self.proceed()

    def practise(self):
        self.page.locator("input[type=radio]").first.check()
        self.proceed()
        self.page.locator(".outcome .buttons button").nth(1).click()
        self.proceed()

    def choose(self, answer):
        """Answer the question shown: a position among the choices, or a number to type."""
        if self.page.locator(".card").count():
            self.proceed()
        if isinstance(answer, str):
            self.page.locator("input.number").fill(answer)
        else:
            self.page.locator("input[type=radio]").nth(answer).check()

    def answer(self, *answers):
        for answer in answers:
            self.choose(answer)
            self.proceed()

    def take(self, *answers):
        """Go from the first screen to the review."""
        self.consent()
        self.practise()
        self.answer(*answers)
        assert self.page.locator("pre.bytes").count() == 1

    def body(self):
        return self.page.locator("pre.bytes").evaluate("node => node.textContent")

    def send(self):
        self.proceed()
        self.page.wait_for_selector("dl.receipt")

    def screens(self, *answers):
        """Walk through every screen of the survey, giving the name of each as it is shown."""
        yield "consent"
        self.proceed()
        yield "consent refused"
        self.consent()
        yield "practice"
        self.page.locator("input[type=radio]").first.check()
        self.proceed()
        self.page.locator(".outcome .buttons button").nth(0).click()
        yield "practice outcome"
        self.proceed()
        for at, answer in enumerate(answers):
            if self.page.locator(".card").count():
                yield "card"
                self.proceed()
            self.proceed()
            yield f"question {at} unanswered"
            self.choose(answer)
            yield f"question {at}"
            self.proceed()
        yield "review"
        self.page.route("**/report", lambda route: route.abort())
        self.proceed()
        self.page.get_by_role("button", name=re.compile("again|Noch")).wait_for()
        yield "not sent"
        self.page.unroute("**/report")
        self.send()
        yield "receipt"
        self.page.reload()
        self.page.wait_for_selector("h1")
        yield "already sent"

    def posts(self):
        return [request for request in self.sent if request.method == "POST"]

    def storage(self):
        return self.page.evaluate("() => ({...sessionStorage})")


@pytest.fixture
def person(chromium):
    """Seat a person: person(url, width=360, scheme="light", words=[…] to fix chance)."""
    with ExitStack() as stack:

        def seat(url, *, width=360, scheme="light", language="en", words=None, script=None):
            context = chromium.new_context(
                viewport={"width": width, "height": 700},
                color_scheme=scheme,
                locale=language,
                reduced_motion="reduce",
            )
            stack.callback(context.close)
            if words is not None:
                context.add_init_script(f"({CHANCE})({json.dumps(words)})")
            if script:
                context.add_init_script(script)
            return Person(context.new_page()).open(url)

        yield seat
