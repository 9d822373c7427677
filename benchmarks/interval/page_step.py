"""How long the page takes to read its form, and one press of it: the next range, drawn and shown.

    python benchmarks/interval/page_step.py
    python benchmarks/interval/page_step.py --steps 100000 --visits 3

In a real Chromium without a screen, for each kind of range question: from the address until the
first screen stands, on a line of so many steps (the most that a form can have is 100,000); and from
the press of "Continue" until the new screen has been laid out. 16 ms is one frame of a screen. Each
step of a question is told by its median over the visits, so that a busy machine does not pass for a
slow page.
"""

import argparse
import shutil
from functools import partial
from itertools import zip_longest
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

from askance_collect.respond.page import render_page
from askance_collect.wire.form import Form, body_size
from askance_collect.wire.question import read_question

FRAME = 16.0
PRESS = """() => {
  const start = performance.now();
  document.querySelector("main button.main").click();
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""
OPENED = """new MutationObserver((_, watcher) => {
  if (!document.querySelector("h1")) return;
  watcher.disconnect();
  window.opened = performance.now();
}).observe(document, {childList: true, subtree: true});"""


def range_form(steps: int, **part: Any) -> Form:
    """Ask a number on so many steps."""
    words = {part: {"en": part} for part in ("title", "consent", "contact")}
    question = {
        "name": "income",
        "text": {"en": "What do you earn?"},
        "line": {"lower": "0", "step": "1000", "ticks": steps, "unit": {"en": "euros"}},
        "typed": False,
        "blank": [1, 20],
        "about": {},
        **part,
    }
    size = body_size((read_question(question, ("en",), "income"),))
    fixed = {"askance": "form-1", "languages": ["en"], "collector": "https://example.org/"}
    return Form.read(fixed | words | {"size": size, "questions": [question], "about": {}})


def forms(steps: int) -> dict[str, tuple[Form, tuple[int, ...]]]:
    """Name each kind of question, with the choices that lead through it."""
    weights, sizes = [1] * (steps - 1), [1] * steps
    floor = {"sizes": sizes, "least": steps // 50}
    half = {"sizes": [1] * (steps // 2) + [0] * (steps - steps // 2), "least": 1, "rule": "skip"}
    cuts = {"number": 16, "weights": weights, "floor": None, "open": []}
    skip, hold = ({**cuts, "floor": {**floor, "rule": rule}} for rule in ("skip", "withhold"))
    part = {**cuts, "floor": half, "open": [[i, i + 1] for i in range(steps // 2, steps, 2)]}
    ring = {"weights": weights, **floor}
    make_form = partial(range_form, steps)
    return {
        "17 cells": (make_form(kind="cuts", ask="cells", cuts=cuts), (0,)),
        "17 cells, some withheld": (make_form(kind="cuts", ask="cells", cuts=hold), (0,)),
        "a ring": (make_form(kind="ring", ask="cells", ring=ring), (0,)),
        "one step narrower": (make_form(kind="cuts", ask="narrow", cuts=skip), (1, 0) * 3 + (0,)),
        "many exact stretches": (make_form(kind="cuts", ask="cells", cuts=part), (0,)),
    }


def press(page: Page) -> float:
    """Press the button; give the milliseconds until the next screen stands."""
    return float(page.evaluate(PRESS))


def visit(page: Page, form: Form, choices: tuple[int, ...]) -> list[float]:
    """Take the survey; time its opening and every press from the card to the review."""
    page.add_init_script(OPENED)
    page.route("https://example.org/", lambda route: route.fulfill(body=render_page(form).bytes))
    page.goto("https://example.org/")
    page.locator("input[type=checkbox]").check()
    opened = float(page.evaluate("() => window.opened"))
    press(page)
    page.locator("input[type=radio]").first.check()
    press(page)
    page.locator(".outcome .buttons button").nth(1).click()
    press(page)
    times = [opened, press(page)]
    for choice in choices:
        radios = page.locator("input[type=radio]")
        radios.nth(min(choice, radios.count() - 2)).check()
        times.append(press(page))
        if page.locator("main button.small").count() and not page.locator("main input").count():
            times.append(press(page))
            break
    page.close()
    return times


def main() -> None:
    """Print for each kind the opening, the median press, and the slowest of its steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=20)
    parser.add_argument("--steps", type=int, default=1_000)
    options = parser.parse_args()
    visits, steps = options.visits, options.steps
    binary = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    print(f"{steps:,} steps, {visits} visits; milliseconds, medians (a frame is {FRAME:g})")
    print(f"{'':26}{'open':>8}{'press':>8}{'slowest step':>14}")
    with sync_playwright() as playwright:
        flags = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=binary, args=flags)
        for name, (form, choices) in forms(steps).items():
            small = {"width": 360, "height": 700}
            timings = [
                visit(browser.new_page(viewport=small), form, choices) for _ in range(visits)
            ]
            opened = median(times[0] for times in timings)
            every = [time for times in timings for time in times[1:]]
            later = zip_longest(*(times[1:] for times in timings))
            presses = [[time for time in times if time] for times in later]
            slowest = max(map(median, presses))
            print(f"{name:26}{opened:8.1f}{median(every):8.1f}{slowest:14.1f}")
        browser.close()


if __name__ == "__main__":
    main()
