"""Groups of people set side by side on a page, of tables and of surveys, as they are typed."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs

N = 900
Q = ak.Warner(truth="4/5").channel(ak.Frame(["yes", "no"]))
SURVEY = """
askance = "survey-1"
title = "Shops & thefts"
consent = "Voluntary."
minimum = 20
[[question]]
name = "town"
text = "Where do you live?"
answers = [{ name = "s", en = "In Southend" }, { name = "n", en = "In Norwich" }, "w", "abroad"]
[[question]]
name = "stole"
text = "Have you ever stolen?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "4/5" }
[[question]]
name = "age"
text = "How old are you?"
line = { lower = 0, upper = 40, step = 4, unit = "years" }
mechanism = { name = "cuts", number = 1 }
"""


@pytest.fixture(scope="module")
def groups_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("groups")
    rng = np.random.default_rng(3)
    town = rng.choice(["n", "s", "w"], N).astype(object)
    town[:7] = "abroad"
    truth = np.where(rng.random(N) < np.where(town == "n", 0.2, 0.5), "yes", "no")
    cut, age = 4 * rng.integers(1, 10, N), 40 * rng.random(N)
    table = {
        "town": town,
        "stole": ak.privatise(Q, truth, rng=rng),
        "age_above": np.where(age > cut, cut.astype(str), ""),
        "age_upto": np.where(age > cut, "", cut.astype(str)),
        "w": rng.choice([1.0, 3.0], N),
        "village": np.arange(N) // 15,
    }
    pd.DataFrame(table).to_csv(folder / "s.csv", index=False)
    pd.DataFrame({word: table[word] for word in ("town", "stole", "w")}).to_csv(
        folder / "t.csv", index=False
    )
    (folder / "s.toml").write_text(SURVEY, encoding="utf-8")
    return folder


def typed(path: Path, *words: object) -> tuple[str, Any]:
    """What a page says beside the JSON of the same call."""
    page = path / "out.html"
    arguments = ["estimate", *map(str, words), "--json", "--page", str(page)]
    result = CliRunner().invoke(verbs, arguments, catch_exceptions=False)
    written = re.sub("<style>.*</style>", "", page.read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", " ", written).replace("\xa0", " ")
    return re.sub(r"\s+", " ", text), json.loads(result.stdout)


def test_a_page_of_a_mechanism_says_the_numbers_of_its_table(groups_folder: Path) -> None:
    words = ("--mechanism", "warner:truth=4/5", groups_folder / "t.csv", "--column", "stole")
    text, result = typed(groups_folder, *words, "--by", "town", "--weights", "w")
    entire = typed(groups_folder, *words, "--weights", "w")[1]
    for item in (entire, *(group["estimate"] for group in result["groups"][1:])):
        assert f"{100 * item['value'][0]:.1f} %" in text
        assert f"{100 * item['lower'][0]:.1f} to {100 * item['upper'][0]:.1f} %" in text
    again = "askance {} t.csv --mechanism warner:truth=4/5 --column stole --weights w --by town"
    assert again.format("estimate") in text
    assert again.format("small-areas") in text  # since 7 people are few
    assert "No report is more than 4 times as likely" in text


def test_a_page_without_groups_has_the_answers_below_each_other(groups_folder: Path) -> None:
    words = ("--mechanism", "warner:truth=4/5", groups_folder / "t.csv", "--column", "stole")
    text, result = typed(groups_folder, *words, "--weights", "w")
    assert "Everybody" not in text
    assert f"{100 * result['value'][0]:.1f} %" in text


@pytest.mark.long
def test_a_page_of_a_survey_has_its_words_and_withholds_what_the_form_does(
    groups_folder: Path,
) -> None:
    form = groups_folder / "s.toml"
    text, result = typed(
        groups_folder, form, groups_folder / "s.csv", "--by", "town", "--clusters", "village"
    )
    groups = result["questions"]["stole"]["groups"]
    ones = [group for group in groups if group["estimate"]]
    assert [element["group"]["town"] for element in ones] == [
        "n",
        "s",
    ]  # abroad, and w beside it, are not
    assert text.index("In Southend") < text.index("In Norwich") < text.index("abroad")
    assert "abroad withheld 7" in text
    for item in ones:
        assert f"{100 * item['estimate']['value'][0]:.1f} %" in text
    assert "mean, years" in text
    assert "Shops &amp; thefts" in text
    assert "askance small-areas" not in text  # few are withheld, and none of the others is small


@pytest.mark.long
def test_numbers_are_on_one_scale_and_their_curves_beside_everybodys(groups_folder: Path) -> None:
    arguments = (
        groups_folder / "s.toml",
        groups_folder / "s.csv",
        "--by",
        "town",
        "--column",
        "age",
    )
    _, result = typed(groups_folder, *arguments)
    written = (groups_folder / "out.html").read_text("utf-8")
    estimate = [group["estimate"] for group in result["groups"] if group["estimate"]]
    assert written.count("<figure>") == len(estimate) == 2
    axes = re.findall(r'<svg width="100%" height="20">(.*?)</svg>', written)
    assert len(axes) > 3
    assert len(set(axes)) == 1
    assert "stroke-dasharray" in written.partition("<figure>")[2]
