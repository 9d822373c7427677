"""A real collector on loopback, a real Chromium, and a person who takes the survey in it."""

import http.server
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import askance_collect.respond
from askance.survey import load_survey, publish
from askance_collect.collect import create_app, open_store, page_origins, serving
from askance_collect.respond import render_page, render_verifier, verified_link
from askance_collect.wire import Form, RingQuestion, TableQuestion

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))
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
    # Playwright's own list, which this one replaces, and the pages of the address bar, which each
    # new window would load before it shows anything: that takes longer than most tests here.
    "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose"
    ",HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding"
    ",ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints"
    ",NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,SpareRendererForSitePerProcess"
    ",WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
)
CHANCE = """words => {
  const queue = [...words];
  let state = 1;
  const next = () => ((state = (state * 48271) % 2147483647) >> 8) & 255;
  crypto.getRandomValues = (bytes) => bytes.map(next);
  const { reduce } = Uint8Array.prototype;
  Uint8Array.prototype.reduce = function (...how) {
    return this.length === 6 ? (queue.shift() ?? 0) : reduce.apply(this, how);
  };
}"""
"""Fixes words as they are put together, and ids; the bytes of such words would seem to be stuck."""

ANSWER = """(choice) => {
  const set = (node) => {
    node.value = "30";
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const fields = [...document.querySelectorAll("main :is(input, textarea)")];
  const of = (...types) => fields.filter(({ type }) => types.includes(type));
  const [radios, boxes, places] = [of("radio"), of("checkbox"), of("text", "textarea")];
  if (document.querySelector(".complaint")?.innerText) radios.at(-1).click();
  else if (radios.length > 0 && !fields.some(({ type }) => type === "text")) radios[choice].click();
  else if (boxes.length > 0) boxes[choice].click();
  else places.forEach(set);
  document.querySelector(".outcome .buttons button")?.click();
  return document.getElementById("main").innerText;
}"""

HURRY = """async ({ consent, practise, answers }) => {
  const main = document.getElementById("main");
  const all = (selector) => [...main.querySelectorAll(selector)];
  const check = (at) => all("input[type=radio]")[at].click();
  const type = (text) => {
    const [field] = all(".number");
    field.value = text;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  const proceed = async () => {
    const changed = new Promise((done, failed) => {
      const anything = { childList: true, subtree: true, attributes: true };
      new MutationObserver(done).observe(main, anything);
      setTimeout(() => failed(new Error(`no way on from: ${main.innerText}`)), 20_000);
    });
    all("button.main").find((button) => button.checkVisibility()).click();
    await changed;
  };
  if (consent) {
    all("input[type=checkbox]")[0].click();
    await proceed();
  }
  if (practise) {
    check(0);
    await proceed();
    all(".outcome .buttons button")[1].click();
    await proceed();
  }
  for (const stages of answers) {
    if (all(".card").length) await proceed();
    for (const marks of stages) {
      for (const mark of marks) (typeof mark === "string" ? type : check)(mark);
      await proceed();
    }
  }
}"""


def pytest_collection_modifyitems(items):
    text = f"{Path(__file__).parent}/"
    for item in items:
        if str(item.path).startswith(text):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def forms():
    result, newer = (
        {
            item["name"]: Form.read(item["form"])
            for item in json.loads(path.read_text("ascii"))["good"]
        }
        for path in sorted((ROOT / "src/askance_collect/wire/vectors").glob("?/forms.json"))
    )
    money = publish(load_survey(ROOT / "examples/income.toml"))
    worldly = _of_both(newer["groups"], newer["coins"])
    return (
        result
        | {"money": money, "worldly": worldly}
        | {name: newer[name] for name in ("texts", "sections")}
    )


def _of_both(groups, coins):
    """Ask plainly, of groups by chance, and with a coin in the world, in English."""
    questions = [*groups.document["questions"][:2], coins.document["questions"][0]]

    def english(part):
        if isinstance(part, list):
            return [english(item) for item in part]
        if not isinstance(part, dict):
            return part
        return {key: english(value) for key, value in part.items() if key != "de"}

    return Form.read(groups.document | {"questions": english(questions), "size": 256})


@pytest.fixture(scope="session")
def binary():
    # First the one without windows, which opens a page for half of the work.
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    first = next(filter(None, map(shutil.which, names)), None)
    assert first, f"Chromium is not installed (Debian: {names[0]}): the page cannot be tested"
    return first


@pytest.fixture(scope="session")
def chromium(binary):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=list(FLAGS))
        yield browser
        browser.close()


RULES = """async (rules) => {
  const only = rules && { runOnly: rules };
  const found = await axe.run(document, { resultTypes: ["violations"], ...only });
  const broken = found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  return [broken, found.passes.length];
}"""
COLOURS = ["color-contrast", "link-in-text-block"]


@pytest.fixture(scope="session")
def axe():
    """Look for what keeps people out: axe(page), every rule broken and where, and how many kept.

    In light, and in the dark once more what colours can break.
    """
    source = ROOT / "node_modules/axe-core/axe.min.js"
    assert source.exists(), "axe-core is not installed: run npm ci"
    script = source.read_text("utf-8")

    def look(page):
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(f"() => {{ {script} }}")
        broken, remaining = [], 0
        for scheme, rules in (("light", None), ("dark", COLOURS)):
            page.emulate_media(color_scheme=scheme)
            result, passed = page.evaluate(RULES, rules)
            broken += [(scheme, *item) for item in result]
            remaining += passed
        return broken, remaining

    return look


MONEY = {
    "age": [53],
    "income": [35_000, 22_000, 90_000, 60_000, 1_000, 199_000],
    "household": [30_000, 85_000],
    "savings": [12_000, 60_000],
}
"""What chance draws in the tests of examples/income.toml: the numbers at which it cuts."""


def words_for(form, cuts):
    """Write the 48-bit words that make chance draw these numbers, and nothing blank."""
    return [
        word
        for question in form.questions
        for word in _words(question, cuts.get(question.name, []))
    ]


def _words(question, numbers):
    if isinstance(question, TableQuestion):
        return [question.blank[1] - 1, 0]
    ticks = [int((number - question.line.lower) / question.line.step) for number in numbers]
    if isinstance(question, RingQuestion):
        pair = tuple(ticks)
        ats = (index for index in range(question.law.total) if question.law.pair_at(index) == pair)
        return [question.blank[1] - 1, next(ats)]
    return [question.blank[1] - 1, *(sum(question.weights[: tick - 1]) for tick in ticks)]


@pytest.fixture(scope="session")
def money_words(forms):
    """Chance as `MONEY` says; other numbers by money_words(age=[40])."""
    return lambda **other: words_for(forms["money"], MONEY | other)


class Collector:
    """The address of a running collector, and what it has kept."""

    def __init__(self, url, form, path):
        self.url, self.form, self.path = url, form, path

    def reports(self):
        store = open_store(self.path, self.form, read_only=True)
        try:
            return [json.loads(answers) for _, answers in store.reports()]
        finally:
            store.close()


@pytest.fixture
def twin(monkeypatch, tmp_path):
    """Have every page built with one place of its script changed: twin("draft", old, new)."""
    read, room = Path.read_text, Path(askance_collect.respond.__file__).parent
    changed = tmp_path / "respond"

    def change(module, old, new):
        for folder in ("browser", "hosted", "worker"):
            shutil.copytree(room / folder, changed / folder)
        source = changed / f"browser/{module}.js"
        written = source.read_text("utf-8")
        assert written.count(old) == 1
        source.write_text(written.replace(old, new), "utf-8")
        command = ["node", ROOT / "tools/page_parts.mjs", changed]
        subprocess.run(command, check=True, timeout=60)

        def read_changed(path, *args, **kwargs):
            other = changed / path.relative_to(room) if path.is_relative_to(room) else path
            return read(other if other.exists() else path, *args, **kwargs)

        monkeypatch.setattr(Path, "read_text", read_changed)

    return change


@pytest.fixture
def collect(tmp_path):
    """Start the collector of a form: collect(form, page=changed_bytes, port=0, origins=None)."""
    with ExitStack() as stack:

        def start(form, *, page=None, port=0, origins=None):
            path = tmp_path / f"{form.fingerprint[:8]}.db"
            store = open_store(path, form)
            stack.callback(store.close)
            made_page = render_page(form)
            result = made_page.headers, made_page.sha256, store, origins, made_page.companions
            app = create_app(form, page or made_page.bytes, *result)
            url = stack.enter_context(serving(app, port=port))
            return Collector(url, form, path)

        yield start


@pytest.fixture
def free_port():
    """Find a port for a collector that its form must name: free_port()."""

    def find():
        with socket.create_server(("127.0.0.1", 0)) as free:
            return free.getsockname()[1]

    return find


@pytest.fixture
def hosted():
    """Serve pages from another origin than a collector's: hosted({path: bytes})."""
    with ExitStack() as stack:

        def host(bodies):
            class Host(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    value = bodies.get(self.path)
                    self.send_response(200 if value else 404)
                    self.send_header("Content-Type", "text/html; charset=utf-8")
                    self.end_headers()
                    self.wfile.write(value or b"")

                def log_message(self, *_):
                    pass

            server = stack.enter_context(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host))
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return f"http://localhost:{server.server_port}"

        yield host


@pytest.fixture
def verified(collect, free_port, hosted):
    """Have a library host the verifier of a form: verified(form), a link to it and the collector.

    ``page`` is served in the place of the form's; ``change`` is what becomes of the verifier.
    """

    def host(form, *, page=None, change=lambda verifier: verifier):
        port = free_port()
        text = f"http://127.0.0.1:{port}/"
        form = Form.read(form.document | {"collector": text})
        verifier = render_verifier(form, text, "The ethics board\n\nethics@uni.example, 555 0100")
        library = hosted({"/tea.html": change(verifier.bytes)})
        collector = collect(form, port=port, page=page, origins=page_origins([library]))
        link = verified_link(f"{library}/tea.html", text, render_page(form).sha256)
        return link, collector

    return host


def _stages(answer):
    return answer if isinstance(answer, list) else [answer]


def _parts(part):
    return list(part) if isinstance(part, tuple) else [part]


class Person:
    """Someone at a browser: what they press, what went over the network, what the console said."""

    def __init__(self, page):
        self.page, self.sent, self.console = page, [], []
        page.set_default_timeout(60_000)
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
        self._hurry(consent=True)

    def practise(self):
        self._hurry(practise=True)

    def answer(self, *answers):
        """Answer questions, each as `choose` does, and press the button."""
        self._hurry(answers)

    def _hurry(self, answers=(), *, consent=False, practise=False):
        """Come to what a test is about by script, for a third of the work of pressing each control.

        `screens` presses every one, so that it is seen that people can.
        """
        stages = [[_parts(part) for part in _stages(answer)] for answer in answers]
        result = {"consent": consent, "practise": practise, "answers": stages}
        self.page.evaluate(HURRY, result)

    def choose(self, answer):
        """Answer the question shown: a position among the choices, or a number or text to type.

        A tuple is both, on one screen; a list is one answer after another, where each leads on.
        """
        for _ in self.stages(answer):
            pass

    def stages(self, answer):
        """Answer as `choose` does, and pause before each press of the button."""
        if self.page.locator(".card").count():
            self.proceed()
        for index, part in enumerate(_stages(answer)):
            if index:
                self.proceed()
            for item in _parts(part):
                self._mark(item)
            yield

    def _mark(self, answer):
        if isinstance(answer, str):
            self.page.locator(".number").first.fill(answer)
        else:
            self.page.locator("input[type=radio]").nth(answer).check()

    def tab_to(self, name):
        """Press Tab until the control of that name has the focus, as people without a mouse do."""
        self._tab_until(
            "name => (document.activeElement.closest('label') ?? document.activeElement)"
            ".innerText.trim() === name",
            name,
        )

    def tab_to_radio(self, position):
        """Press Tab to the choices and the arrow down to one of them."""
        self._tab_until("() => document.activeElement.type === 'radio'")
        self.page.keyboard.press("Space")
        for _ in range(position):
            self.page.keyboard.press("ArrowDown")

    def _tab_until(self, reached, name=None):
        for _ in range(60):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(reached, name):
                return
        raise AssertionError(f"the keyboard does not reach {name or 'the choices'}")

    def press_keys(self, *names):
        """Go to each control by Tab and press it."""
        for name in names:
            self.tab_to(name)
            self.page.keyboard.press("Space")

    def take(self, *answers):
        """Go from the first screen to the records."""
        self._hurry(answers, consent=True, practise=True)
        self.reveal()

    def reveal(self):
        """Have what is sent shown, which binds it, with all that is one tap away."""
        self.show()
        self.unfold()

    def show(self):
        """Have what is sent shown, which binds it."""
        if not self.page.locator("pre.bytes").count():
            pattern = re.compile("^(Show what is sent|Zeigen, was gesendet wird|أظهر ما يُرسل)$")
            self.page.get_by_role("button", name=pattern).click()
        assert self.page.locator("pre.bytes").count() == 1

    def press_main(self, name):
        """Press the screen's one main button, which must have that name."""
        button = self.page.locator("main button.main:visible")
        assert button.inner_text() == name
        button.click()

    def unfold(self):
        """Open all that is one tap away."""
        self.page.evaluate(
            "for (const one of document.querySelectorAll('details')) one.open = true"
        )

    @contextmanager
    def on_its_way(self):
        """Keep what is sent on its way while something is looked at; then let it, one, go on."""
        content = []
        self.page.route("**/report", lambda route: content.append(route))
        yield
        for _ in range(500):
            if content:
                break
            self.page.wait_for_timeout(20)  # the page may say that it sends before it does
        (item,) = content
        item.continue_()

    def body(self):
        self.reveal()
        return self.page.locator("pre.bytes").evaluate("node => node.textContent")

    def send(self):
        self.proceed()
        self.page.wait_for_selector(".receipt")

    def screens(self, *answers):
        """Walk through every screen of the survey, giving the name of each as it is shown."""
        yield "consent"
        self.proceed()
        yield "consent refused"
        self.page.locator("input[type=checkbox]").check()
        self.proceed()
        if self.page.locator("main > h2.ask").count():
            yield "practice"
            self.page.locator("input[type=radio]").first.check()
            self.proceed()
            self.page.locator(".outcome .buttons button").nth(0).click()
            yield "practice outcome"
            self.proceed()
        for index, answer in enumerate(answers):
            if self.page.locator(".card").count():
                yield "card"
                self.proceed()
            radios = self.page.locator("main input[type=radio]")
            if radios.count() and not self.page.locator("main input:checked").count():
                self.proceed()
                yield f"question {index} unanswered"
            for _ in self.stages(answer):
                yield f"question {index}"
            self.proceed()
        yield "answers"
        self.show()
        yield "records"
        self.unfold()
        yield "review"
        self.page.route("**/report", lambda route: route.abort())
        self.proceed()
        self.page.get_by_role("button", name=re.compile("again|Noch|إرسال من جديد")).wait_for()
        yield "not sent"
        self.page.unroute("**/report")
        self.send()
        yield "receipt"
        self.page.reload()
        self.page.wait_for_selector("h1")
        yield "already sent"

    def everything(self, choose=lambda _: 0):
        """Give the heading of each screen as it is shown, up to the answers; answer what it asks.

        Of several choices or boxes that one is taken which ``choose`` gives for a heading.
        """
        for _ in range(80):
            heading = self.heading()
            yield heading
            if self.page.locator("section.given").count():
                return
            before = self.page.evaluate(ANSWER, choose(heading))
            self.proceed()
            self.page.wait_for_function(
                "before => document.getElementById('main').innerText !== before", arg=before
            )
        raise AssertionError("the survey does not end")

    def posts(self):
        return [request for request in self.sent if request.method == "POST"]

    def storage(self):
        return self.page.evaluate("() => ({...sessionStorage})")


@pytest.fixture
def person(chromium):
    """Seat a person: person(url, width=360, scheme="light", words=[…] to fix chance)."""
    with ExitStack() as stack:

        def seat(
            url, *, width=360, scheme="light", language="en", words=None, script=None, opened=True
        ):
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
            seated = Person(context.new_page())
            return seated.open(url) if opened else seated

        yield seat


@pytest.fixture
def device(chromium, binary, tmp_path):
    """Switch a device on: with device() as (context, person). What it keeps is there next time."""

    @contextmanager
    def switch_on():
        launch = chromium.browser_type.launch_persistent_context
        context = launch(
            tmp_path / "device",
            executable_path=binary,
            args=list(FLAGS),
            locale="en",
            reduced_motion="reduce",
        )
        try:
            yield context, Person(context.pages[0])
        finally:
            context.close()

    return switch_on


@pytest.fixture
def seated():
    """Seat somebody at a page that is open already."""
    return Person
