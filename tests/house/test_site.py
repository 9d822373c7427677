"""The site: every page is in its list, every recipe drawn, and the odds tell what Python tells."""

import json
import re
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import askance as ak

RUN = """
import { question, guessed, oddsRatio, estimated, plainAnswers, survey } from "./turn-the-odds.js";
const asked = question(60, 10);
const counts = survey(asked, 5000, 0.5);
console.log(JSON.stringify({
  guessed: guessed(asked), odds: oddsRatio(asked), counts, found: estimated([250, 450], 60, 10),
  worth: plainAnswers(1000, 0.3, 60, 10), nothing: estimated([5, 5], 40, 40) ?? null,
}));
"""


def test_every_page_is_in_the_list(root: Path) -> None:
    docs = root / "docs"
    listed = set(re.findall(r"\]\(([^)#]+)", (docs / "README.md").read_text("utf-8")))
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    assert pages - listed - {"README.md", "site/index.md"} == set(), (
        "add a line for each to docs/README.md, below the heading that its reader looks for"
    )


def test_the_list_has_each_heading_and_each_page_once(root: Path) -> None:
    text = (root / "docs/README.md").read_text("utf-8")
    headings = re.findall(r"(?m)^(?:## )?([A-Z][^.\]\n]*)$", text)
    links = re.findall(r"(?m)^- \[[^\]]+\]\(([^)#]+)", text)
    assert len(headings) > 12
    twice = [line for line in (*headings, *links) if (*headings, *links).count(line) > 1]
    assert twice == [], "docs/README.md has these twice: leave each where its reader looks first"


def test_no_heading_skips_a_level(root: Path) -> None:
    fenced = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    for page in (root / "docs").rglob("*.md"):
        marks = re.findall(r"(?m)^(#+) ", fenced.sub("", page.read_text("utf-8")))
        depths = [len(mark) for mark in marks]
        skipped = [pair for pair in pairwise(depths) if pair[1] > pair[0] + 1]
        assert skipped == [], f"{page}: a heading is more than one level below the one above it"


def test_the_odds_of_the_site_are_those_of_python(root: Path) -> None:
    command = ["node", "--input-type=module", "--eval", RUN]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=root / "docs" / "site")
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    channel = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
    result = ak.estimate(ak.Tally(channel, {"yes": 250, "no": 450, "don't know": 300}))
    assert document["odds"] == pytest.approx(ak.local_loss(channel).value)
    assert document["guessed"] == pytest.approx(
        (1 + ak.privacy.guessing(channel).guarantee.value) / 2
    )
    assert document["found"]["share"] == pytest.approx(result.value[0])
    assert document["found"]["low"] == pytest.approx(result.lower[0], abs=5e-4)
    assert document["found"]["high"] == pytest.approx(result.upper[0], abs=5e-4)
    assert round(document["worth"]) == round(result.effective_sample_size[0])
    assert document["nothing"] is None
    assert sum(document["counts"]) == 5000
    for count, chance in zip(document["counts"], (0.35, 0.35, 0.3), strict=True):
        assert abs(count - 5000 * chance) < 8 * 36  # eight times its standard deviation, 35 at most


def test_every_recipe_is_drawn_or_said_not_to_be(root: Path, load: Callable[[Path], Any]) -> None:
    tool = load(root / "tools" / "site_pictures.py")
    __name__s = {type(recipe).__name__ for recipe, _ in tool.recipes()}
    named = (getattr(ak.mechanisms, name) for name in ak.mechanisms.__all__)
    recipes = {
        item.__name__ for item in named if isinstance(item, type) and hasattr(item, "channel")
    }
    assert __name__s.isdisjoint(tool.UNDRAWN)
    assert recipes - __name__s - set(tool.UNDRAWN) == set(), (
        "tools/site_pictures.py: yield each from recipes() with its answers, or write into UNDRAWN "
        "why it has no picture; a named design is drawn once `askance new` writes it "
        "(cli/starters.toml)"
    )
    assert (__name__s | set(tool.UNDRAWN)) - recipes == set(), "no such recipe: take it out"
    for recipe, frame in tool.recipes():
        if not isinstance(frame, ak.Line):
            picture = tool.chance_picture(recipe.channel(frame))
            assert picture.count("<rect") >= len(frame.answers)


def test_every_formula_can_be_drawn(root: Path) -> None:
    from docutils.utils.math.latex2mathml import tex2mathml

    inline, block = (
        re.compile(r":math:`([^`]*)`"),
        re.compile(r"\.\. math::((?:.*\n)(?: +.*\n|\n)*)"),
    )
    read = 0
    for path in sorted((root / "src").rglob("*.py")):
        for text in re.findall(r'"""(.*?)"""', path.read_text("utf-8"), flags=re.DOTALL):
            result = [*inline.findall(text), *(_indented(match) for match in block.findall(text))]
            for formula in result:
                assert "<math" in tex2mathml(formula, as_block=True), (
                    f"{path}: docutils cannot draw {formula}: write it with plainer LaTeX"
                )
            read += len(result)
    assert read > 150


def _indented(block: str) -> str:
    """Give the formula that begins on the line of its mark: up to the first empty line."""
    return re.split(r"\n\s*\n", block)[0]
