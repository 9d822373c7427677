"""Counting the reports of a store: seconds and memory, told beside merely reading the answers.

Two surveys: a short one, where many reports are the same, and one whose reports nearly all differ.
The counting process is one of its own, so that the memory is its.
"""

import argparse
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from load import answers, fill
from post import example_form

from askance.engines.count import count_reports
from askance_collect.wire.form import Form, body_size
from askance_collect.wire.question import read_question

TICKS = 100_000


def fine_form() -> Form:
    """One number, asked by two cuts on a fine line."""
    question = {
        "kind": "cuts",
        "name": "income",
        "text": {"en": "?"},
        "line": {"lower": "0", "step": "1", "ticks": TICKS, "unit": {"en": "euros"}},
        "cuts": {"number": 2, "weights": [1] * (TICKS - 1), "floor": None, "open": []},
        "ask": "cells",
        "typed": False,
        "blank": [0, 1],
        "about": {},
    }
    wording = {part: {"en": part} for part in ("title", "consent", "contact")}
    fixed = {"askance": "form-1", "languages": ["en"], "collector": "", "about": {}}
    size = body_size((read_question(question, ("en",), ""),))
    return Form.read(fixed | wording | {"size": size, "questions": [question]})


def fine_answers(many: int) -> Sequence[str]:
    lows = random.choices(range(1, 1 + TICKS // 2), k=many)
    widths = random.choices(range(1, TICKS // 2), k=many)
    return [f'{{"income":[{low},{low + width}]}}' for low, width in zip(lows, widths, strict=True)]


SURVEYS: dict[str, tuple[Callable[[], Form], Callable[[int], Sequence[str]]]] = {
    "short": (example_form, answers),
    "fine": (fine_form, fine_answers),
}


def count(name: str, store: str) -> None:
    form = SURVEYS[name][0]()
    began = time.process_time()
    with sqlite3.connect(store) as connection:
        for _ in connection.execute("SELECT answers FROM reports"):
            pass
    read = time.process_time() - began
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    counts = count_reports(store, form)
    took = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"  {name:5} {counts.reports:,} reports: {took:.1f} s of processor time,"
        f" {took / read:.1f} times reading them; {memory / 1000:.0f} MB,"
        f" {before / 1000:.0f} MB before"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--count", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.count:
        count(*options.count)
    else:
        with tempfile.TemporaryDirectory() as folder:
            for name, (form, make) in SURVEYS.items():
                store = str(Path(folder, f"{name}.db"))
                fill(store, form(), options.rows, make)
                subprocess.run([sys.executable, __file__, "--count", name, store], check=True)
