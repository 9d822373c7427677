"""How long one press of the page takes on a line of 1,000 steps: the next range, drawn and shown.

    python benchmarks/interval/page_step.py

In a real Chromium without a screen: from the press of "Continue" until the new screen has been laid
out, for each kind of range question. 16 ms is one frame of a screen. Each step of a question is
told by its median over the visits, so that a busy machine does not pass for a slow page.
"""

import argparse
import shutil
from itertools import zip_longest
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

from askance.respond.page import render_page
from askance.wire.form import Form, body_size
from askance.wire.question import read_question

STEPS = 1_000
FRAME = 16.0
PRESS = """() => {
  const start = performance.now();
  document.querySelector("main button.main").click();
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def range_form(**asked: Any) -> Form:
    """Ask a number on 1,000 steps."""
    words = {part: {"en": part} for part in ("title", "consent", "contact")}
    question = {
        "name": "income",
        "text": {"en": "What do you earn?"},
        "line": {"lower": "0", "step": "1000", "ticks": STEPS, "unit": {"en": "euros"}},
        "typed": False,
        "blank": [1, 20],
        "about": {},
        **asked,
    }
    size = body_size((read_question(question, ("en",), "income"),))
    fixed = {"askance": "form-1", "languages": ["en"], "collector": "https://example.org/"}
    return Form.read(fixed | words | {"size": size, "questions": [question], "about": {}})


def forms() -> dict[str, tuple[Form, tuple[int, ...]]]:
    """Name each kind of question, with the choices that lead through it."""
    weights, sizes = [1] * (STEPS - 1), [1] * STEPS
    floor = {"sizes": sizes, "least": 20}
    cuts = {"number": 16, "weights": weights, "floor": None, "open": []}
    skip, hold = ({**cuts, "floor": {**floor, "rule": rule}} for rule in ("skip", "withhold"))
    ring = {"weights": weights, **floor}
    return {
        "17 cells": (range_form(kind="cuts", ask="cells", cuts=cuts), (0,)),
        "17 cells, some withheld": (range_form(kind="cuts", ask="cells", cuts=hold), (0,)),
        "a ring": (range_form(kind="ring", ask="cells", ring=ring), (0,)),
        "one step narrower": (range_form(kind="cuts", ask="narrow", cuts=skip), (1, 0) * 3 + (0,)),
    }


def press(page: Page) -> float:
    """Press the button; give the milliseconds until the next screen stands."""
    return float(page.evaluate(PRESS))


def visit(page: Page, form: Form, choices: tuple[int, ...]) -> list[float]:
    """Take the survey; time every press from the card to the review."""
    page.route("https://example.org/", lambda route: route.fulfill(body=render_page(form).bytes))
    page.goto("https://example.org/")
    page.locator("input[type=checkbox]").check()
    press(page)
    page.locator("input[type=radio]").first.check()
    press(page)
    page.locator(".outcome .buttons button").nth(1).click()
    press(page)
    times = [press(page)]
    for choice in choices:
        radios = page.locator("input[type=radio]")
        radios.nth(min(choice, radios.count() - 2)).check()
        times.append(press(page))
        if page.locator("pre.bytes").count():
            break
    page.close()
    return times


def main() -> None:
    """Print for each kind the median of all presses, and of the slowest of its steps."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--visits", type=int, default=20)
    visits = given.parse_args().visits
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    print(f"{STEPS:,} steps, {visits} visits; milliseconds for one press (a frame is {FRAME:g})")
    print(f"{'':26}{'median':>8}{'slowest step':>14}")
    with sync_playwright() as playwright:
        flags = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=binary, args=flags)
        for name, (form, choices) in forms().items():
            small = {"width": 360, "height": 700}
            taken = [visit(browser.new_page(viewport=small), form, choices) for _ in range(visits)]
            every = [time for times in taken for time in times]
            presses = [[time for time in at if time] for at in zip_longest(*taken)]
            print(f"{name:26}{median(every):8.1f}{max(map(median, presses)):14.1f}")
        browser.close()


if __name__ == "__main__":
    main()
