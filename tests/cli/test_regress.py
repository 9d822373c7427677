"""Regressing reports from the command line, wherever they lie."""

import csv
import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import askance as ak
from askance import Form
from askance.cli import verbs
from askance.engines import report_rows
from askance.survey import parse_survey, publish
from askance_collect.collect import accept, open_store
from askance_collect.respond import respond

SURVEY = b"""
askance = "survey-1"
title = "Marriage"
consent = "Voluntary."
[[question]]
name = "affair"
text = "An affair?"
answers = ["yes", "no"]
mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
blank = "1/50"
[[question]]
name = "age"
text = "How old are you?"
line = { lower = 15, upper = 45, step = "1/2", unit = "years" }
[[question]]
name = "religious"
text = "How religious are you?"
answers = ["not", "mildly", "strongly"]
[[question]]
name = "income"
text = "Your income?"
line = { lower = 0, upper = 9, step = 1, unit = "thousand" }
mechanism = { name = "cuts", number = 1 }
"""
FORMULA = "affair ~ age + religious"


def run(*words: object) -> str:
    outcome = CliRunner().invoke(verbs, [str(word) for word in words])
    if outcome.exception:
        raise outcome.exception
    return str(outcome.output)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A published form, and 400 reports in a store, a table and lines."""
    form = publish(parse_survey(SURVEY))
    (tmp_path / "s.form.json").write_bytes(form.bytes)
    store = open_store(tmp_path / "r.db", form)
    dice = random.Random(5)
    people = [
        {
            "affair": int(dice.random() < 0.6),
            "age": dice.randrange(60),
            "religious": index % 3,
            "income": index % 9,
        }
        for index in range(400)
    ]
    store.append([accept(respond(form, person).body(form.size), form) for person in people])
    store.close()
    for ending in ("csv", "jsonl"):
        run("collect", "export", tmp_path / "r.db", tmp_path / f"r.{ending}")
    return tmp_path


@pytest.mark.long
def test_every_source_gives_the_same_regression(published: Path) -> None:
    documents = [
        json.loads(
            run(
                "regress",
                published / "s.form.json",
                published / name,
                "--formula",
                FORMULA,
                "--json",
            )
        )
        for name in ("r.db", "r.csv", "r.jsonl")
    ]
    assert documents[0]["names"] == [
        "intercept",
        "age",
        "religious[T.not]",
        "religious[T.strongly]",
    ]
    width = np.subtract(documents[0]["upper"], documents[0]["lower"])
    for other in documents[
        1:
    ]:  # a coefficient may be near 0: what is a small difference, widths say
        distance = np.abs(np.subtract(other["value"], documents[0]["value"]))
        assert (distance / width).max() < 1e-6
    assert documents[0]["n"] == 400


@pytest.mark.long
def test_the_table_fits_a_terminal_and_the_figure_is_drawn(published: Path) -> None:
    figure = published / "c.svg"
    words = ("regress", published / "s.form.json", published / "r.db", "--formula", FORMULA)
    completed = run(*words, "--effects", "--plot", figure, "--errors", "robust", "--link", "probit")
    assert max(map(len, completed.splitlines())) <= 80
    assert "religious: strongly" in completed
    assert "se by robust" in completed
    assert "<svg" in figure.read_text()
    with pytest.raises(ak.errors.InputError, match="--plot"):
        run(*words, "--plot", published / "c.nothing")


@pytest.mark.long
def test_covariates_are_joined_by_the_ids_that_respondents_kept(published: Path) -> None:
    form = Form.read((published / "s.form.json").read_bytes())
    rows = report_rows(published / "r.db", form)
    with (published / "public.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "height"])
        table.writerows(
            [row.other_columns["id"].upper(), 150 + index % 40]
            for index, row in enumerate(rows[100:])
        )
    words = (
        "--formula",
        "affair ~ height + age",
        "--covariates",
        published / "public.csv",
        "--json",
    )
    outcome = CliRunner().invoke(
        verbs, list(map(str, ("regress", published / "s.form.json", published / "r.db", *words)))
    )
    assert outcome.exit_code == 0
    assert json.loads(outcome.stdout)["n"] == 300
    assert "100 reports without a row" in outcome.stderr
    ids = [row.other_columns["id"] for row in rows[100:]]
    lines = [
        f"{id};99,5;Zürich" if index < 9 else f"{id};{150 + index % 40},0;Genf"
        for index, id in enumerate(ids)
    ]
    text = "\n".join(["id;height;größe", *lines])
    (published / "latin.csv").write_bytes(text.encode("latin-1"))
    words = (*words[:3], published / "latin.csv", "--json", "--missing", "drop")
    how = ("--encoding", "latin-1", "--decimal", ",", "--missing-codes", 'height="99,5"')
    read = CliRunner().invoke(
        verbs,
        list(map(str, ("regress", published / "s.form.json", published / "r.db", *words, *how))),
    )
    assert json.loads(read.stdout)["n"] == 291
    with pytest.raises(ak.errors.DocumentError, match="an export has no ids"):
        run("regress", published / "s.form.json", published / "r.csv", *words)


@pytest.mark.long
def test_covariates_are_the_same_in_every_kind_of_file(published: Path) -> None:
    """Apostrophes that guard formulas stayed in a table of covariates; JSON Lines were no table."""
    form = Form.read((published / "s.form.json").read_bytes())
    ids = [row.other_columns["id"] for row in report_rows(published / "r.db", form)]
    people = [(id, ("=x", "007")[i % 2], 150.5 + i % 40) for i, id in enumerate(ids)]
    guarded = [(id, town.replace("=x", "'=x"), height) for id, town, height in people]
    pd.DataFrame(guarded, columns=["id", "town", "h"]).to_csv(published / "c.csv", index=False)
    frame = pd.DataFrame(people, columns=["id", "town", "h"])
    frame.to_json(published / "c.jsonl", orient="records", lines=True)
    frame.to_parquet(published / "c.parquet")
    documents = []
    for name in ("c.csv", "c.jsonl", "c.parquet"):
        words = ("--formula", "affair ~ C(town) + h", "--covariates", published / name, "--json")
        document = json.loads(run("regress", published / "s.form.json", published / "r.db", *words))
        assert any("town" in name and "=x" in name for name in document["names"])
        document = {k: v for k, v in document.items() if k not in ("command", "data_sha256")}
        documents.append(document)
    assert documents[0] == documents[1] == documents[2]
    (published / "c.jsonl").write_text(
        "".join(f'{{"id": "{id}", "h": {h}}}\n' for id, h in zip(ids, ("31", '"31"'), strict=False))
    )
    words = ("--formula", "affair ~ h", "--covariates", published / "c.jsonl")
    with pytest.raises(ak.errors.InputError, match=r"c\.jsonl: column 'h': .*look alike"):
        run("regress", published / "s.form.json", published / "r.db", *words)


def test_other_columns_of_a_table_are_covariates(published: Path) -> None:
    with (published / "r.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    with (published / "more.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [[*header, "town"], *([*row, "ab"[index % 2]] for index, row in enumerate(rows))]
        )
    completed = run(
        "regress", published / "s.form.json", published / "more.csv", "--formula", "affair ~ town"
    )
    assert "town[T.b]" in completed


@pytest.mark.parametrize(
    ("formula", "match"),
    [
        ("affair ~ income", "income as a covariate"),
        ("age ~ religious", "a protected question on the left: affair"),
        ("affair ~ heigth", "no column 'heigth'"),
    ],
)
def test_what_cannot_be_regressed(published: Path, formula: str, match: str) -> None:
    with pytest.raises(ak.errors.InputError, match=match):
        run("regress", published / "s.form.json", published / "r.db", "--formula", formula)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("a,b\n1,2\n", "0 columns named 'id'"),
        ("id,h\n1\n", "row 2.*1 cell'"),
        ("id,h\nab,1\nAB,2\n", "an id twice"),
        ("", "an empty file"),
    ],
)
def test_damaged_covariates_are_refused(published: Path, text: str, match: str) -> None:
    (published / "p.csv").write_text(text)
    words = ("--formula", "affair ~ h", "--covariates", published / "p.csv")
    with pytest.raises(ak.errors.DocumentError, match=match):
        run("regress", published / "s.form.json", published / "r.db", *words)


def test_a_question_keeps_its_name(published: Path) -> None:
    form = Form.read((published / "s.form.json").read_bytes())
    id = report_rows(published / "r.db", form)[0].other_columns["id"]
    (published / "p.csv").write_text(f"id,age\n{id},3\n")
    words = ("--formula", "affair ~ age", "--covariates", published / "p.csv")
    with pytest.raises(ak.errors.DocumentError, match="name of a question"):
        run("regress", published / "s.form.json", published / "r.db", *words)


def test_a_damaged_table_names_its_row(published: Path) -> None:
    text = (published / "r.csv").read_text().splitlines()
    text[5] = (
        text[5].replace("mildly", "wildly").replace("strongly", "wildly").replace(",not", ",x")
    )
    (published / "bad.csv").write_text("\n".join(text) + "\n")
    with pytest.raises(ak.errors.DocumentError, match="row 6, column religious"):
        run("regress", published / "s.form.json", published / "bad.csv", "--formula", FORMULA)
    with pytest.raises(ak.errors.DocumentError, match="no such file"):
        run("regress", published / "s.form.json", published / "none.csv", "--formula", FORMULA)
