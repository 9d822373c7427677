"""The explorer of a notebook in a real browser: its module in a small host, with Python behind."""

import json
import math

import pytest

import askance as ak

YN = ak.Frame(["yes", "no"])
HOST = """async ({ source, css, state }) => {
  const heard = new Map();
  const tell = (name) => (heard.get(`change:${name}`) ?? []).forEach((hear) => hear());
  const changed = new Set();
  window.model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; changed.add(name); tell(name); },
    on: (event, hear) => heard.set(event, [...(heard.get(event) ?? []), hear]),
    off: (event, hear) => heard.set(event, heard.get(event).filter((one) => one !== hear)),
    save_changes: async () => {
      const sent = Object.fromEntries([...changed].map((name) => [name, state[name]]));
      changed.clear();
      const back = await window.python(sent);
      Object.assign(state, back);
      Object.keys(back).forEach(tell);
    },
    hearers: () => [...heard.values()].flat().length,
  };
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: widget, balanced } = await import(address);
  window.balanced = balanced;
  window.leave = widget.render({ model: window.model, el: document.getElementById("cell") });
}"""
PAGE = """<!doctype html><html lang="en"><title>A notebook</title>
<style>:root { color-scheme: light dark; } body { font-family: system-ui; margin: 12px; }</style>
<main><h1>A notebook</h1><div id="cell"></div></main></html>"""
SYNCED = ("chances", "people", "prevalence", "words", "asked", "figures")


@pytest.fixture
def opened(chromium):
    """Open an explorer: opened(widget, width, live) gives the page."""
    contexts = []

    def start(widget, width=1280, *, live=True):
        size = {"width": width, "height": 900}
        contexts.append(chromium.new_context(viewport=size))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))

        def python(reports):
            for name, value in reports.items():
                setattr(widget, name, value)
            return json.loads(json.dumps({"figures": widget.figures}))

        page.expose_function("python", python if live else lambda messages: {})
        page.set_content(PAGE)
        state = json.loads(json.dumps({name: getattr(widget, name) for name in SYNCED}))
        page.evaluate(HOST, {"source": widget._esm, "css": widget._css, "state": state})
        return page

    yield start
    for context in contexts:
        context.close()


def turn(page, label, value):
    """Put a slider or a field where a person would, by its label."""
    field = page.get_by_label(label)
    field.evaluate(
        "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }",
        str(value),
    )


def test_sliders_ask_python_and_show_what_it_tells(opened):
    q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
    widget = ak.explore(q, people=1000, prevalence=0.3)
    page = opened(widget)
    text = page.locator("#cell").inner_text()
    for message in (
        "75.0\N{NO-BREAK SPACE}%",
        "327",
        "1.792",
        "2.198",
        "0.811",
        "don't know 30.0\N{NO-BREAK SPACE}%",
        "“yes”",
    ):
        assert message in text
    turn(page, "a lie is sent", 30)
    page.wait_for_function("model.get('figures').of[1] === 30")
    assert widget.chances == [60, 30, 10]
    assert widget.channel().table.rows == ((6, 3, 1), (3, 6, 1))
    assert "65.0\N{NO-BREAK SPACE}%" in page.locator("#cell").inner_text()
    turn(page, "so many would truly say", 10)
    turn(page, "so many reports arrive", 5000)
    page.wait_for_function("model.get('figures').of.at(-1) === 5000")
    worth = ak.design.effective_sample_size(widget.channel(), 5000, prevalence=0.1)
    assert f"{worth:,.0f}" in page.locator("dl").inner_text()
    turn(page, "so many reports arrive", 0)  # refused before it is sent
    assert widget.people == 5000
    page.evaluate("() => { model.set('chances', [50, 50, 0]); model.save_changes(); }")  # by Python
    page.wait_for_function("model.get('figures').of[0] === 50")
    assert page.get_by_label("the truth is sent").input_value() == "50"
    assert "reports do not tell the answers apart" in page.locator("#cell").inner_text()
    page.evaluate("leave()")
    assert page.evaluate("model.hearers()") == 0


def test_by_keyboard_and_without_a_kernel_it_says_so(opened):
    page = opened(ak.explore(ak.Warner(truth="3/4").channel(YN)), live=False)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert page.get_by_label("the truth is sent").input_value() == "74"
    assert page.get_by_label("“don't know” is sent").input_value() == "1"
    assert "Waiting for Python" in page.locator(".waiting").inner_text()
    assert page.locator(".figures.old").count() == 1


def test_what_one_slider_takes_the_others_give(opened):
    page = opened(ak.explore(ak.Warner(truth="3/4").channel(YN)))
    for parts, shifted, value, wanted in [
        ([60, 10, 30], 0, 80, [80, 10, 10]),
        ([60, 10, 30], 0, 95, [95, 5, 0]),
        ([60, 10, 30], 0, 20, [20, 10, 70]),
        ([60, 10, 30], 1, 100, [0, 100, 0]),
        ([60, 10, 30], 2, 100, [0, 0, 100]),
        ([60, 10, 30], 2, 0, [90, 10, 0]),
    ]:
        assert page.evaluate(f"balanced({parts}, {shifted}, {value})") == wanted


def test_axe_finds_nothing_and_nothing_is_cut_off(opened, axe):
    names = ["never", "once or twice in my life", "every week"]
    channel = ak.mechanisms.Runs(number=2).channel(ak.Frame(names))
    page = opened(ak.explore(channel), 360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    broken, remaining = axe(page)
    assert broken == []
    assert remaining > 10
    assert math.isinf(ak.local_loss(channel).epsilon)
    assert "infinite" in page.locator("#cell").inner_text()
