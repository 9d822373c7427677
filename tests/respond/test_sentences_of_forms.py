"""Python's own sentences claim of each form what is true of its integers, as the page's do.

Walked are the sheet, the script for the telephone, `check`, the board's page and the methods
paragraph; the truth is enumerated as in test_claims.py.
"""

import html
import re
import sys
import tomllib
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import askance as ak
from askance.present import methods_paragraph, render_board
from askance_collect.errors import InputError
from askance_collect.respond import encode, render_sheets, telephone_script

sys.path.append(str(Path(__file__).parent))
import test_claims as claims

PAPER = Path("src/askance_collect/respond/paper")
WORDS = tomllib.loads((PAPER / "en.toml").read_text("utf-8"))["words"]
OF_ANSWERS = ("protects", "rules_out", "open", "tells", "not", "part")
OF_RANGES = ("range_only", "range_answer", "range_not", "range_same", "range_drawn")
FEW = 3
"""How many reports `check` lists before it counts the others."""


def squeeze(text):
    """Take out what lines are broken at."""
    return re.sub(r"\s", "", html.unescape(re.sub("<[^>]*>", "", text)))


def find_said(text, names):
    """Name the words that a text says, with any filling."""
    written = squeeze(text)
    patterns = {
        name: ".+?".join(map(re.escape, re.split(r"\{\w+\}", squeeze(WORDS[name]))))
        for name in names
    }
    return {name for name, pattern in patterns.items() if re.search(pattern, written)}


def expect_words(truth):
    """Give what is to be said of a table, by the answers that can send each value."""
    raw, senders, kinds = truth["raw"], truth["senders"], truth["kinds"]
    answers = set(range(len(raw.get("coin", raw)["answers"])))
    if all(sending == answers for sending in senders.values()):
        return {"protects"}
    expected = {"rules_out"} if any(len(sending) > 1 for sending in senders.values()) else set()
    named = {"answer": "tells", "another": "not", "part": "part"}
    return expected | ({named[kind] for kind in kinds.values() if kind} or {"open"})


def expect_range_words(question, truth):
    """Give what is to be said of ranges, by all draws of them."""
    kinds = {kind for kind in truth["kinds"].values() if kind}
    named = {"answer": "range_answer", "another": "range_not"}
    parts = {
        tuple(tuple(encode(question, step, draws)) for step in range(question.line.ticks))
        for draws in claims.list_draws(question)
    }
    expected = {named[kind] for kind in kinds} or {"range_only"}
    return expected | {"range_same" if len(parts) == 1 else "range_drawn"}


def list_forms():
    """Publish what the page is walked with: designs and ranges, each of one question."""
    yield from claims.list_forms(claims.list_answer_surveys())
    yield from claims.list_forms(claims.list_number_surveys())
    pairs = (
        "reports = { ab = ['a', 'b'], ac = ['a', 'c'], bc = ['b', 'c'] }, "
        "rows = [['1/2', '1/2', 0], ['1/2', 0, '1/2'], [0, '1/2', '1/2']]"
    )
    yield from claims.list_forms(
        [claims.write_question("table", pairs, 'answers = ["a", "b", "c"]\n', None)]
    )
    fixed = claims.write_question(
        "cuts", "number = 1, between = [3, 3]", f"{claims.LINES[0]}\n", None
    )
    yield from claims.list_forms([fixed])


def ask_by_hand(form):
    """Write the sheet by the first device that has its chances, and the script; either or none."""
    sheet = script = None
    for device in ("dice", "cards", "spinner"):
        try:
            sheet = sheet or render_sheets(form, device=device).decode()
        except InputError:
            continue  # only a device can ask it, or nothing by hand has its chances
    with suppress(InputError):
        script = telephone_script(form)
    return sheet, script


@pytest.mark.long
def test_paper_and_telephone_say_what_is_true():
    walked = set()
    for form in list_forms():
        sheet, script = ask_by_hand(form)
        truths, questions = claims.read_truth(form), form.questions
        if "line" in truths[0]["raw"]:
            replies = find_said(sheet or "", OF_RANGES)
            expected = expect_range_words(questions[0], truths[0]) if sheet else set()
            assert replies == expected, form.document["questions"]
            walked |= replies
            continue
        expected = set().union(*(expect_words(truth) for truth in truths if truth["senders"]))
        for text, variant in ((sheet, "tick"), (script, "say")):
            if text is not None:
                replies = find_said(text, [f"{variant}_{name}" for name in OF_ANSWERS])
                assert replies == {f"{variant}_{name}" for name in expected}, form.document[
                    "questions"
                ]
                walked |= replies
    ways = {f"{word}_{name}" for word in ("tick", "say") for name in OF_ANSWERS}
    assert walked == {*OF_RANGES, *ways} - {"say_part"}, "no digits have chances of thirds"


def name_values(question, truth):
    """Name what can be sent and proves something, as `check` does; ranges are only counted."""
    judged = question.underlying_question if "coin" in truth["raw"] else question
    proving = [value for value, kind in truth["kinds"].items() if kind in claims.BADGE]
    return [value if "line" in truth["raw"] else judged.reports[value].name for value in proving]


@pytest.mark.long
def test_check_and_the_board_name_each_report_that_proves():
    walked = 0
    for form in islice(list_forms(), 0, None, 3):
        checked = ak.check(form)
        board = squeeze(render_board(form, checked))
        truth, question = claims.read_truth(form)[0], form.questions[0]
        if not truth["senders"] or not truth["protected"]:
            continue
        proving = name_values(question, truth)
        judged = checked.questions[0]
        text = " ".join(judged.risks)
        listed = re.findall(r"“([^”]+)” proves ", text)
        more = re.search(r"([\d,]+) more reports? do", text)
        count = len(listed) + (int(more[1].replace(",", "")) if more else 0)
        assert bool(listed) == bool(proving), form.document["questions"]
        if "line" not in truth["raw"]:
            assert count == len(proving)
            assert set(listed) <= set(proving)
        for risk in judged.risks:
            assert squeeze(risk) in board
        walked += bool(proving)
    assert walked > 20


def test_the_methods_paragraph_says_what_chances_do():
    """It says that a report proves an answer where one comes from a single answer, and else ε."""
    kinds = set()
    for form in list_forms():
        truth = claims.read_truth(form)[0]
        raw = truth["raw"]
        if (
            "table" not in raw
            or "innocent" in raw["about"]
            or {"groups", "ticks"} & raw.keys()
            or raw["blank"][0]
        ):
            continue
        rows, total = raw["table"]["rows"], raw["table"]["total"]
        columns = [column for column in zip(*rows, strict=True) if any(column)]
        used = [index for index, column in enumerate(zip(*rows, strict=True)) if any(column)]
        answers = [label["name"] for label in raw["answers"]]
        matrix = [[Fraction(column[x], total) for column in columns] for x in range(len(rows))]
        meanings = {
            raw["reports"][index]["name"]: [answers[x] for x in raw["reports"][index]["means"]]
            for index in used
        }
        channel = ak.Channel(ak.Frame(answers), meanings, np.array(matrix, dtype=float))
        tally = ak.Tally(channel, dict.fromkeys(channel.reports, 100))
        text = methods_paragraph(ak.estimate(tally), channel).text
        proves = any(len(senders) == 1 for senders in truth["senders"].values())
        excludes = any(len(senders) < len(answers) for senders in truth["senders"].values())
        assert ("comes from a single answer and proves it" in text) == proves
        assert ("Some report rules an answer out" in text) == (excludes and not proves)
        assert ("satisfies ε-local differential privacy" in text) == (not excludes)
        kinds.add((proves, excludes))
    assert kinds == {(True, True), (False, True), (False, False)}
