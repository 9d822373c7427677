"""Counts of many places, written, merged and estimated from."""

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import Counts, count_reports
from askance_collect.collect import accept, open_store
from askance_collect.errors import DocumentError, InputError

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
name = "income"
text = "Your income?"
line = { lower = 0, upper = 9, step = 1, unit = "thousand" }
mechanism = { name = "cuts", number = 1 }
"""
Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))


def run(*words: object) -> str:
    outcome = CliRunner().invoke(verbs, [str(word) for word in words])
    if outcome.exception:
        raise outcome.exception
    return str(outcome.output)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published form, and reports in two stores and in one that holds both's."""
    folder = tmp_path_factory.mktemp("places")
    form = ak.publish(ak.parse_survey(SURVEY))
    (folder / "s.form.json").write_bytes(form.bytes)
    dice = random.Random(5)
    reports = []
    for index in range(120):
        item = {"affair": int(dice.random() < 0.6), "age": dice.randrange(60), "income": index % 9}
        reports.append(accept(ak.respond.respond(form, item).body(form.size), form))
    for name, part in (("a", reports[:50]), ("b", reports[50:]), ("all", reports)):
        store = open_store(folder / f"{name}.db", form)
        store.append(part)
        store.close()
    run("collect", "export", folder / "a.db", folder / "a.csv")
    data = pd.DataFrame({"said": ["yes", "no", "no", None] * 20, "w": [1.0, 2.0, 0.5, 1.0] * 20})
    data.to_parquet(folder / "said.parquet")
    (folder / "q.json").write_text(Q.to_json())
    return folder


@pytest.mark.long
def test_counts_of_two_places_tell_what_all_reports_tell(published: Path) -> None:
    with pytest.raises(InputError, match="a file that ends in"):
        run("count", published / "s.form.json", published / "a.db", "--out", published / "a")
    for name in ("a", "b"):
        out = published / f"{name}.json"
        completed = run("count", published / "s.form.json", published / f"{name}.db", "--out", out)
        assert completed.split("  ")[0] == {"a": "50 reports", "b": "70 reports"}[name]
    run(
        "count",
        published / "s.form.json",
        published / "a.json",
        published / "b.json",
        "--out",
        published / "ab.json",
    )
    form = ak.Form.read((published / "s.form.json").read_bytes())
    reports = count_reports(published / "all.db", form)
    assert count_reports(published / "ab.json", form) == reports
    assert "income" in json.loads((published / "ab.json").read_text())["questions"]
    completed = [
        json.loads(run("estimate", published / "s.form.json", *sources, "--json"))["findings"]
        for sources in (
            [published / "all.db"],
            [published / "ab.json"],
            [published / "a.csv", published / "b.json"],
            [published / "a.db", published / "b.db"],
        )
    ]
    assert completed[0] == completed[1] == completed[2] == completed[3]


@pytest.mark.long
def test_a_channel_takes_the_place_of_a_form(published: Path) -> None:
    words = (published / "q.json", published / "said.parquet", "--column", "said")
    run("count", *words, "--out", published / "t.json")
    tally = ak.Tally.from_json((published / "t.json").read_text(), Q)
    assert tally == ak.Tally(Q, {"yes": 20, "no": 40}, blanks=20)
    run("count", published / "q.json", published / "t.json", "--out", published / "t2.json")
    assert (published / "t2.json").read_text() == (published / "t.json").read_text()
    document = json.loads(
        run("estimate", published / "q.json", published / "t.json", published / "t2.json", "--json")
    )
    assert document == json.loads(json.dumps(ak.estimate(tally + tally).to_dict()))
    assert str(ak.estimate(tally)) in run("estimate", *words)
    weighted = run("estimate", *words, "--weights", "w")
    assert "linearised variance" in weighted


@pytest.mark.long
def test_columns_of_a_complex_sample_are_named(published: Path) -> None:
    """Each stage once more; written counts keep the sampling design, and are no second table."""
    rows = np.arange(80)
    table = pd.DataFrame(
        {
            "said": np.where(rows % 3 == 0, "yes", "no"),
            "w": 1.0 + rows % 4,
            "coast": np.where(rows < 40, "ä", "b"),
            "village": rows // 8,
            "person": rows,
            "villages": np.full(80, 50),
            "people": np.full(80, 90),
        }
    )
    table.to_csv(published / "drawn.csv", index=False)
    words = (published / "q.json", published / "drawn.csv", "--column", "said")
    stages = ("--strata", "coast", "--clusters", "village", "--clusters", "person")
    stages += ("--fpc", "villages", "--fpc", "people")
    plan = ak.inference.SamplingColumns(
        strata="coast", clusters=["village", "person"], fpc=["villages", "people"]
    )
    expected = ak.tally(Q, table, "said", sampling=plan)
    document = json.loads(run("estimate", *words, *stages, "--json"))
    assert document["se"] == pytest.approx(ak.estimate(expected).se.tolist())
    assert "8 degrees of freedom" in document["method"]
    weighed = run("estimate", *words, "--clusters", "village", "--weights", "w")
    assert "9 degrees of freedom" in weighed
    run("count", *words, *stages, "--out", published / "drawn.json")
    again = json.loads(run("estimate", published / "q.json", published / "drawn.json", "--json"))
    assert again["se"] == pytest.approx(document["se"])
    table.to_csv(published / "more.csv", index=False)
    for broken, message in (
        ((*words, published / "more.csv", *stages), "2 tables of a complex sample"),
        ((published / "s.form.json", published / "a.db", "--fpc", "villages"), "villages"),
        ((*words, "--strata", "cost"), "cost"),
    ):
        with pytest.raises(InputError, match=message):
            run("estimate", *broken)


@pytest.mark.long
def test_what_does_not_belong_is_refused_and_nothing_is_written(
    published: Path, tmp_path: Path
) -> None:
    run(
        "count",
        published / "q.json",
        published / "said.parquet",
        "--column",
        "said",
        "--out",
        published / "t.json",
    )
    run("count", published / "s.form.json", published / "a.db", "--out", published / "a.json")
    other = ak.publish(ak.parse_survey(SURVEY.replace(b"3/5", b"1/2")))
    (tmp_path / "other.form.json").write_bytes(other.bytes)
    (tmp_path / "other.json").write_text(ak.Warner(truth="4/5").channel(Q.frame).to_json())
    (tmp_path / "empty.json").write_text("{}")
    out = tmp_path / "out.json"
    for words, message in (
        ((tmp_path / "other.form.json", published / "a.json"), "counts for the form"),
        ((tmp_path / "other.form.json", published / "a.db"), "a store for the form"),
        (
            (tmp_path / "other.json", published / "t.json"),
            r"t\.json: tally\.channel.*another|a tally of",
        ),
        ((published / "s.form.json", published / "t.json"), "counts-1"),
        ((published / "q.json", published / "a.json"), "tally-1"),
        ((published / "s.form.json", tmp_path / "empty.json"), "counts-1"),
        ((published / "s.form.json", published / "a.db", published / "a.db"), "twice"),
        ((published / "s.form.json", published / "a.db", "--column", "affair"), "beside a form"),
        ((published / "q.json", published / "said.parquet"), "holds the reports"),
        (
            (published / "q.json", published / "said.parquet", "--column", "w"),
            "--recode .* says what",
        ),
    ):
        with pytest.raises((InputError, DocumentError), match=message):
            run("count", *words, "--out", out)
        assert not out.exists()
    with pytest.raises(InputError, match="a channel"):
        run("estimate", published / "q.json", published / "t.json", "--attentive")


def test_counts_that_were_meddled_with_are_refused(published: Path) -> None:
    form = ak.Form.read((published / "s.form.json").read_bytes())
    counts = count_reports(published / "a.db", form)
    written = json.loads(json.dumps(counts.to_dict(form)))
    assert Counts.from_dict(written, form) == counts
    questions = written["questions"]
    for changed in (
        {"reports": written["reports"] + 1},
        {"reports": [1]},
        {"questions": questions | {"more": []}},
        {"questions": questions | {"affair": [[9, 50]]}},
        {"questions": questions | {"affair": [[0, -1], [1, 51]]}},
        {"questions": questions | {"affair": [[0, 25], [0, 25]]}},
        {"questions": questions | {"affair": [[0, 50.0]]}},
        {"questions": questions | {"affair": 3}},
        {"questions": questions | {"income": [[[5, 2], 50]]}},
        {"questions": questions | {"income": [[[5, {}], 50]]}},
        {"askance": "counts-2"},
    ):
        with pytest.raises(DocumentError, match="counts"):
            Counts.from_dict(written | changed, form)
    with pytest.raises(InputError, match="other questions"):
        counts + Counts(1, {"tea": {0: 1}})
    run("count", published / "s.form.json", published / "a.db", "--out", published / "a.json")
    with pytest.raises(DocumentError, match="the reports themselves"):
        ak.engines.report_rows(published / "a.json", form)


COUNTED = "age,place,yes,no\n20,a,30,44\n30,b,25,31\n40,a,12,38\n50,b,41,20\n"


@pytest.fixture
def patterns(tmp_path: Path) -> Path:
    """The same people a row each, and a row for each covariate pattern: wide, and made long."""
    (tmp_path / "wide.csv").write_text(COUNTED)
    wide = pd.read_csv(tmp_path / "wide.csv")
    rows = [
        {"age": item.age, "place": item.place, "said": report}
        for item in wide.itertuples()
        for report in ("yes", "no")
        for _ in range(getattr(item, report))
    ]
    pd.DataFrame(rows).sample(frac=1, random_state=1).to_csv(tmp_path / "rows.csv", index=False)
    arguments = ("--mechanism", "warner:truth=9/10", tmp_path / "rows.csv", "--column", "said")
    by = ("--by", "place", "--by", "age")
    completed = run("count", *arguments, *by, "--out", tmp_path / "long.csv")
    assert completed.startswith("241 reports")
    run("count", *arguments, "--out", tmp_path / "t.json")
    return tmp_path


def regressed(path: Path, name: str, formula: str, *words: object) -> dict[str, object]:
    arguments = ("--mechanism", "warner:truth=9/10", path / name, "--formula", formula)
    return dict(json.loads(run("regress", *arguments, *words, "--json")))


KEYS = ("value", "se", "covariance", "log_likelihood", "aic", "n")


def assert_same_numbers(item: dict[str, object], other: dict[str, object]) -> None:
    assert item.keys() == other.keys()
    for name in KEYS:
        if name in item:
            both = numbers_in(item[name]), numbers_in(other[name])
            np.testing.assert_allclose(*both, rtol=1e-10, atol=1e-15)  # as many of each are 0


def numbers_in(result: object) -> list[float]:
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, list):
        return [number for item in result for number in numbers_in(item)]
    return [float(result)] if isinstance(result, int | float) else []


@pytest.mark.long
def test_counts_by_covariate_pattern_are_regressed_as_their_rows(patterns: Path) -> None:
    """As R's glm does: a column of people, or a column of counts for each report."""
    long = (patterns / "long.csv").read_text().splitlines()
    assert long[0] == "place,age,said,people"
    assert long[1] == "a,20,yes,30"
    for right in ("age", "age * place", "1"):
        regressed_result = regressed(patterns, "rows.csv", f"said ~ {right}")
        assert regressed_result["n"] == 241
        assert_same_numbers(
            regressed_result, regressed(patterns, "wide.csv", f"cbind(yes, no) ~ {right}")
        )
        assert_same_numbers(
            regressed_result, regressed(patterns, "wide.csv", f"cbind(no, `yes`) ~ {right}")
        )
        assert_same_numbers(
            regressed_result,
            regressed(patterns, "long.csv", f"said ~ {right}", "--counts", "people"),
        )
    assert_same_numbers(regressed_result, regressed(patterns, "t.json", "said ~ 1"))
    lied = ("--model", "cheating:says=no", "--group", "place", "--mechanism", "b=warner:truth=4/5")
    lied = ("--mechanism", "a=warner:truth=9/10", *lied)
    regressed_result, wide = (
        json.loads(run("regress", patterns / name, "--formula", remaining, *lied, "--json"))
        for name, remaining in (("rows.csv", "said ~ 1"), ("wide.csv", "cbind(yes, no) ~ 1"))
    )
    assert numbers_in(regressed_result["classes"]) == pytest.approx(
        numbers_in(wide["classes"]), rel=1e-9
    )
    arguments = (
        "--mechanism",
        "a=warner:truth=9/10",
        "--mechanism",
        "b=warner:truth=4/5",
        "--column",
        "said",
    )
    run(
        "count", patterns / "rows.csv", *arguments, "--group", "place", "--out", patterns / "g.json"
    )
    options = ("--formula", "said ~ 1", "--json")
    document = json.loads(run("regress", patterns / "g.json", *arguments[:4], *options))
    assert_same_numbers(
        json.loads(
            run("regress", patterns / "rows.csv", *arguments[:4], "--group", "place", *options)
        ),
        document,
    )
    counted = "[a]\nyes = 42\nno = 82\n[b]\nyes = 66\nno = 51\n"
    (patterns / "g.toml").write_text(counted)
    assert_same_numbers(
        document, json.loads(run("regress", patterns / "g.toml", *arguments[:4], *options))
    )


def test_counts_of_a_form_are_regressed_on_nothing(published: Path) -> None:
    run("count", published / "s.form.json", published / "all.db", "--out", published / "all.json")
    arguments = ("--formula", "affair ~ 1", "--json")
    document = json.loads(
        run("regress", published / "s.form.json", published / "all.db", *arguments)
    )
    assert_same_numbers(
        document,
        json.loads(run("regress", published / "s.form.json", published / "all.json", *arguments)),
    )


@pytest.mark.parametrize(
    ("name", "formula", "words", "match"),
    [
        ("t.json", "said ~ age", (), r"age, of counts that were written.*cbind\(yes, no\) ~ age"),
        ("t.json", "said ~ 1", ("--by", "place"), r"--by, of counts.*--counts"),
        ("w.json", "said ~ 1", (), r"sums of weights.*--weights and the columns of the sample"),
        ("wide.csv", "cbind(yes) ~ age", (), r"allowed: cbind\(yes, no\)"),
        ("wide.csv", "cbind(yes, maybe) ~ age", (), r"allowed: cbind\(yes, no\)"),
        ("wide.csv", "cbind(yes, no) ~ age", ("--counts", "no"), "beside --counts"),
        ("holes.csv", "cbind(yes, no) ~ age", (), r"column 'no', row 2 of the counts.*whole num"),
        ("none.csv", "cbind(yes, no) ~ age", (), "0 people"),
        ("rows.csv", "cbind(yes, no) ~ age", (), "no column 'yes'"),
    ],
)
def test_counts_that_cannot_be_regressed(
    patterns: Path, name: str, formula: str, words: tuple[str, ...], match: str
) -> None:
    rows = pd.read_csv(patterns / "rows.csv").assign(w=1.5)
    rows.to_csv(patterns / "w.csv", index=False)
    arguments = ("--mechanism", "warner:truth=9/10", patterns / "w.csv", "--column", "said")
    run("count", *arguments, "--weights", "w", "--out", patterns / "w.json")
    (patterns / "holes.csv").write_text("age,yes,no\n1,2,3\n2,4,\n")
    (patterns / "none.csv").write_text("age,yes,no\n1,0,0\n2,0,0\n")
    with pytest.raises(InputError, match=match):
        regressed(patterns, name, formula, *words)


def test_tables_of_counts_that_are_not_written(patterns: Path, published: Path) -> None:
    arguments = ("--mechanism", "warner:truth=9/10", patterns / "rows.csv", "--column", "said")
    weighed = pd.read_csv(patterns / "rows.csv").assign(people=2)
    weighed.to_csv(patterns / "people.csv", index=False)
    again = (*arguments[:2], patterns / "people.csv", *arguments[3:])
    for words, match, out in (
        ((*arguments, "--by", "age"), r"ends in \.csv, with --by", "o.json"),
        (arguments, r"ends in \.json or \.csv", "o.txt"),
        ((published / "s.form.json", published / "a.db"), "a table, of a form", "o.csv"),
        ((*again, "--by", "people"), "other columns", "o.csv"),
        ((*again, "--weights", "people"), "sums of weights", "o.csv"),
    ):
        with pytest.raises(InputError, match=match):
            run("count", *words, "--out", patterns / out)
        assert not (patterns / out).exists()
    options = (
        "--mechanism",
        "a=warner:truth=9/10",
        "--mechanism",
        "b=warner:truth=4/5",
        "--group",
        "place",
    )
    run("count", *arguments[2:], *options, "--out", patterns / "both.csv")
    assert (patterns / "both.csv").read_text().splitlines()[:2] == ["place,said,people", "a,yes,42"]


FORMULAS = ["=1+1", "+1", "-1", "@a", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "yes"]


def test_no_table_that_is_written_begins_a_cell_as_a_formula(tmp_path: Path) -> None:
    channel = ak.KAry(truth="1/2").channel(ak.Frame(FORMULAS))
    (tmp_path / "q.json").write_text(channel.to_json(), "utf-8")
    pd.DataFrame({"said": FORMULAS * 9}).to_parquet(tmp_path / "said.parquet")
    words = (tmp_path / "q.json", tmp_path / "said.parquet", "--column", "said")
    run("count", *words, "--out", tmp_path / "t.csv")
    written = pd.read_csv(tmp_path / "t.csv", dtype=str)
    assert sorted(written["said"]) == sorted([f"'{item}" for item in FORMULAS[:-1]] + ["yes"])
    estimated = run("estimate", *words, "--format", "csv").splitlines()
    assert [line for line in estimated if line.startswith(tuple(FORMULAS[:-1]))] == []
    assert "'=1+1" in "".join(estimated)
    again = run("estimate", tmp_path / "q.json", tmp_path / "said.parquet", "--column", "said")
    counts = (tmp_path / "q.json", tmp_path / "t.csv", "--column", "said", "--counts", "people")
    assert run("estimate", *counts) == again
