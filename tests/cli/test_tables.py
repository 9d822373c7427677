"""Tables as people have them: groups, samples, holes, R's habits, designs and counts by name."""

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
from askance_collect.errors import DocumentError, InputError
from named_mechanisms import MECHANISMS, YN

N = 600
Q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
DESIGN = ("--weights", "w", "--strata", "region", "--clusters", "school", "--fpc", "schools")
HOW = {"weights": "w", "strata": "region", "clusters": "school", "fpc": "schools"}


def outcome(*words: object) -> Any:
    result = CliRunner().invoke(verbs, [str(word) for word in words])
    if result.exception:
        raise result.exception
    return result


def run(*words: object) -> str:
    return str(outcome(*words).stdout)


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    north = np.arange(N) < 360
    truth = np.where(rng.random(N) < 0.3 + 0.2 * north, "yes", "no")
    astype_result = ak.privatise(Q, truth, rng=rng).astype(object)
    astype_result[17] = None
    return pd.DataFrame(
        {
            "rr.q1": astype_result,
            "school": np.repeat([f"s{index}" for index in range(30)], 20),
            "region": np.where(north, "north", "south"),
            "schools": np.where(north, 90.0, 60.0),
            "w": rng.choice([1.0, 2.5], N),
            "sex": rng.choice(["f", "m"], N),
            "age": rng.integers(16, 70, N).astype(float),
            "urban": rng.random(N) < 0.5,
        }
    )


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, data: pd.DataFrame) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "q.json").write_text(Q.to_json(), encoding="utf-8")
    data.to_parquet(folder / "said.parquet")
    as_r = data.assign(urban=np.where(data["urban"], "TRUE", "FALSE"))
    as_r.to_csv(folder / "said.csv", index=False, na_rep="NA")
    holes = as_r.assign(age=data["age"].where(np.arange(N) % 50 != 3))
    holes.to_csv(folder / "holes.csv", index=False, na_rep="NA")
    return folder


@pytest.mark.parametrize("name", ["said.csv", "said.parquet"])
@pytest.mark.long
def test_domains_keep_the_design_whole(tables: Path, data: pd.DataFrame, name: str) -> None:
    words = ("estimate", tables / "q.json", tables / name, "--column", "rr.q1", *DESIGN)
    document = json.loads(run(*words, "--by", "sex", "--json"))
    assert document["by"] == ["sex"]
    design = ak.inference.SamplingDesign(**HOW, data=data)
    for group, sex in zip(document["groups"], "fm", strict=True):
        assert group["group"] == {"sex": sex}
        inside = data["sex"] == sex
        alone = ak.tally(Q, data["rr.q1"], sampling=design.domain(inside))
        np.testing.assert_allclose(group["estimate"]["se"], ak.estimate(alone).se, rtol=1e-9)
        assert group["reports"] == int((inside & data["rr.q1"].notna()).sum())
        assert not group["small"]
    completed = run(*words, "--by", "sex", "--by", "region")
    assert completed.startswith("share of yes, by sex, region\nsex  region")
    assert len(re.findall(r"^[fm]\s+(?:north|south)", completed, re.MULTILINE)) == 4


def test_small_and_empty_groups_are_flagged() -> None:
    replies = ["yes", "no"] * 200 + ["no"] * 12 + [None] + ["yes", "no"] * 10
    town = ["a"] * 400 + ["b"] * 12 + ["c"] + ["d"] * 20
    estimate = ak.inference.estimate_domains(ak.tally(Q, replies, by=town), by="town", minimum=13)
    assert isinstance(estimate, ak.inference.DomainEstimates)
    assert estimate.small == (False, True, True, True)
    assert estimate.estimates[1] is estimate.estimates[2] is estimate.estimates[3] is None
    lines = str(estimate).splitlines()
    ends = dict(line.split(maxsplit=1) for line in lines if line[:1] in "abcd" and line[1:2] == " ")
    assert ends["b"].endswith("withheld")
    assert ends["c"].endswith("no reports")
    assert ends["d"].endswith("withheld too")
    assert "withheld: fewer than 13 reports" in lines
    assert "withheld too: else a group with fewer could be derived by subtraction" in lines
    open_to_all = ak.inference.estimate_domains(ak.tally(Q, replies, by=town), by="town")
    assert "small: effective n below 30" in str(open_to_all)
    for wrong, match in (
        ({"by": ["town", "sex"]}, "1 names"),
        ({"minimum": 0}, "minimum"),
        ({"level": 2.0}, "level"),
    ):
        how: Any = {"by": "town"} | wrong
        with pytest.raises(InputError, match=match):
            ak.inference.estimate_domains(ak.tally(Q, replies, by=town), **how)
    with pytest.raises(InputError, match="no group"):
        ak.inference.estimate_domains({})


def test_groups_stand_in_their_order(tmp_path: Path) -> None:
    rows = [
        f"{'yes' if index % 5 < 2 else 'no'},{(9, 10, 'NA')[index % 3]}" for index in range(300)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["said,grade", *rows]), encoding="utf-8")
    how = ("--mechanism", "warner:truth=3/4", tmp_path / "t.csv", "--by", "grade", "--json")
    document = json.loads(run("estimate", *how, "--column", "said"))
    assert [group["group"]["grade"] for group in document["groups"]] == [9, 10, None]
    at_hand = json.loads(run("estimate", *how, "--column", "said", "--recode", "x=no"))
    assert at_hand == document
    document = json.loads(run("regress", *how, "--formula", "said ~ 1"))
    assert [group["group"]["grade"] for group in document["groups"]] == [9, 10, None]


@pytest.mark.long
def test_regressions_take_the_sample(tables: Path, data: pd.DataFrame) -> None:
    formula = "rr.q1 ~ age + urban + factor(region)"
    words = ("--formula", formula, *DESIGN, "--json")
    documents = [
        json.loads(run("regress", tables / "q.json", tables / name, *words))
        for name in ("said.csv", "said.parquet")
    ]
    columns = ak.inference.SamplingColumns(**HOW)
    regression = ak.response_regression(
        "rr.q1", "~ age+urban+C(region)", Q, data=data, sampling=columns
    )
    np.testing.assert_allclose(documents[0]["se"], regression.se, rtol=1e-8)
    np.testing.assert_allclose(documents[0]["value"], documents[1]["value"], rtol=1e-8)
    assert documents[0]["names"] == ["intercept", "age", "urban", "C(region)[T.south]"]
    assert documents[0]["n"] == N
    assert documents[0]["errors"].startswith("complex sample")


def test_a_share_alone_is_regressed(tables: Path) -> None:
    how = ("--mechanism", "warner:truth=3/4", tables / "said.csv")
    fit = json.loads(run("regress", *how, "--formula", "rr.q1 ~ 1", *DESIGN, "--json"))
    share = json.loads(run("estimate", *how, "--column", "rr.q1", *DESIGN, "--json"))
    np.testing.assert_allclose(fit["prevalence"]["value"], share["value"], atol=1e-6)
    assert "effects" not in run("regress", *how, "--formula", "rr.q1 ~ 1", "--effects")


def test_regressions_by_group_keep_the_design(tables: Path, data: pd.DataFrame) -> None:
    words = ("regress", tables / "q.json", tables / "said.csv", "--formula", "rr.q1 ~ age")
    document = json.loads(run(*words, *DESIGN, "--by", "sex", "--json"))
    design = ak.inference.SamplingDesign(**HOW, data=data)
    for group, sex in zip(document["groups"], "fm", strict=True):
        inside = data["sex"] == sex
        regression = ak.response_regression(
            "rr.q1", "~ age", Q, data=data, sampling=design.domain(inside)
        )
        np.testing.assert_allclose(group["fit"]["se"], regression.se, rtol=1e-7)
        assert group["fit"]["n"] == group["rows"] == int(inside.sum())
    completed = run(*words, "--by", "sex", "--by", "region")
    assert completed.count("logit of the share") == 4
    assert "sex: f, region: north\n" in completed


def test_a_group_that_tells_too_little_is_listed(tables: Path, data: pd.DataFrame) -> None:
    some = data.assign(town=["a"] * (N - 2) + ["b"] * 2)
    some.to_csv(tables / "towns.csv", index=False)
    words = ("regress", tables / "q.json", tables / "towns.csv", "--formula", "rr.q1 ~ sex")
    assert "town: b\nnot estimated: " in run(*words, "--by", "town")
    document = json.loads(run(*words, "--by", "town", "--json"))
    assert document["groups"][1]["fit"] is None
    assert document["groups"][1]["refused"]


@pytest.mark.long
def test_holes_are_named_or_left_out(tables: Path, data: pd.DataFrame) -> None:
    words = ("regress", tables / "q.json", tables / "holes.csv", "--formula", "rr.q1 ~ age + sex")
    with pytest.raises(InputError, match=r"column 'age'.*row 5, 55, 105.*--missing drop"):
        run(*words)
    outcome_result = outcome(*words, "--missing", "drop", "--json")
    assert outcome_result.stderr == "12 of 600 rows left out; nothing in age 12\n"
    document = json.loads(outcome_result.stdout)
    assert document["left_out"] == {"rows": 12, "columns": {"age": 12}}
    assert document["n"] == N - 12
    is_whole = np.arange(N) % 50 != 3
    regression = ak.response_regression("rr.q1", "~ age + sex", Q, data=data[is_whole])
    np.testing.assert_allclose(document["value"], regression.value, rtol=1e-8)
    sampled = json.loads(outcome(*words, *DESIGN, "--missing", "drop", "--json").stdout)
    sampling = ak.inference.SamplingDesign(**HOW, data=data).domain(is_whole)
    regression = ak.response_regression("rr.q1", "~ age + sex", Q, data=data, sampling=sampling)
    np.testing.assert_allclose(sampled["se"], regression.se, rtol=1e-8)
    data.assign(age=None).to_csv(tables / "none.csv", index=False)
    empty = (words[0], words[1], tables / "none.csv", *words[3:])
    with pytest.raises(InputError, match="holes in every row: age"):
        run(*empty, "--missing", "drop")


SURVEY = """
askance = "survey-1"
title = "School"
consent = "Voluntary."
minimum = {minimum}
[[question]]
name = "stole"
text = "Stole?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
[[question]]
name = "sex"
text = "You are?"
answers = ["f", "m"]
[[question]]
name = "age"
text = "Age?"
line = {{ lower = 16, upper = 76, step = 1 }}
mechanism = {{ name = "cuts", number = 1 }}
"""


@pytest.fixture
def survey(tmp_path: Path, data: pd.DataFrame) -> Path:
    table = pd.DataFrame({"stole": data["rr.q1"], "sex": data["sex"], "w": data["w"]})
    table["age_above"], table["age_upto"] = data["age"].where(data["age"] > 40), ""
    table[["school", "region", "schools"]] = data[["school", "region", "schools"]]
    table.loc[599, "sex"] = None
    table.to_csv(tmp_path / "s.csv", index=False, na_rep="NA")
    (tmp_path / "s.toml").write_text(SURVEY.format(minimum=5), encoding="utf-8")
    return tmp_path


@pytest.mark.long
def test_a_survey_is_estimated_by_group(survey: Path, data: pd.DataFrame) -> None:
    words = ("estimate", survey / "s.toml", survey / "s.csv", *DESIGN, "--by", "sex")
    outcome_result = outcome(*words, "--json")
    document = json.loads(outcome_result.stdout)
    assert document["left_out"] == []
    groups = document["questions"]["stole"]["groups"]
    assert [group["group"]["sex"] for group in groups] == ["f", "m", None]
    assert groups[2]["reports"] == 1
    assert groups[2]["estimate"] is None  # fewer than the form's author wants shown
    content = 0 if groups[0]["reports"] <= groups[1]["reports"] else 1
    assert groups[content]["withheld"].startswith("else")  # or the first is found by subtraction
    assert groups[content]["estimate"] is None
    ages = document["questions"]["age"]["groups"]
    is_beside = ages[2]["reports"] > 0  # a group without reports is found by no subtraction
    withheld = [is_beside and content == 0, is_beside and content == 1, True]
    assert [age["estimate"] is None for age in ages] == withheld
    sampling = ak.inference.SamplingDesign(**HOW, data=data)
    inside = (data["sex"] == "fm"[1 - content]) & (np.arange(N) != 599)
    alone = ak.estimate(ak.tally(Q, data["rr.q1"], sampling=sampling.domain(inside)))
    np.testing.assert_allclose(groups[1 - content]["estimate"]["se"], alone.se, rtol=1e-6)
    shown_outcome_result = outcome(*words)
    assert shown_outcome_result.stdout.startswith("stole: share of yes, by sex")
    assert "age: number, by sex" in shown_outcome_result.stdout
    assert "join it with another: --collapse" in shown_outcome_result.stderr
    item = json.loads(run(*words, "--column", "stole", "--json"))
    assert item == document["questions"]["stole"]
    weighted = json.loads(run(*words[:-2], "--json"))["questions"]
    assert list(weighted) == ["stole", "sex", "age"]


@pytest.fixture
def towns(survey: Path, data: pd.DataFrame) -> Path:
    """A survey with a minimum of 50, whose people are of three towns, one of them small."""
    town = np.where(np.arange(N) < 40, "a", np.where(np.arange(N) < 140, "b", "c"))
    pd.DataFrame({"stole": data["rr.q1"], "town": town}).to_csv(
        survey / "towns.csv", index=False, na_rep="NA"
    )
    (survey / "t.toml").write_text(
        SURVEY.format(minimum=50).partition('[[question]]\nname = "sex"')[0]
    )
    return survey


@pytest.mark.long
def test_nothing_printed_tells_of_a_withheld_group(towns: Path) -> None:
    """What everybody's estimate and those of groups hold is solved for the counts of each."""
    words = ("estimate", towns / "t.toml", towns / "towns.csv")
    groups = json.loads(run(*words, "--by", "town", "--json"))["questions"]["stole"]["groups"]
    assert [group["withheld"] is None for group in groups] == [False, False, True]
    document = json.loads(run(*words, "--column", "stole", "--json"))
    yes = {
        group["group"]["town"]: group["reports"] * (0.25 + 0.5 * group["estimate"]["value"][0])
        for group in groups
        if group["estimate"] is not None
    }
    remaining = document["reports"] * (0.25 + 0.5 * document["value"][0]) - sum(yes.values())
    hidden = [group["reports"] for group in groups if group["estimate"] is None]
    assert len(hidden) == 2
    assert sum(hidden) >= 50
    assert 40 < remaining < sum(hidden) - 40  # every count of the 40 in town a is still possible
    displayed = {
        how: run(*words, "--by", "town", "--format", how) for how in ("csv", "latex", "html")
    }
    rows = displayed["csv"].splitlines()[1:]
    assert [row.rpartition(",")[2] for row in rows] == [
        *("withheld", "withheld too", "", ""),
        *("together", "together"),
    ]
    assert all(row.split(",")[1:7] == [""] * 6 for row in rows[:2])
    assert "else a group with fewer could be derived by subtraction" in displayed["latex"]
    assert "else a group with fewer could be derived by subtraction" in displayed["html"]
    assert "withheld too: else a group" in run(*words, "--by", "town")
    completed = run(*words, "--by", "town", "--methods")
    assert (
        "with fewer than 50 reports were withheld. The next smallest were withheld too" in completed
    )
    assert "subtraction (Cox, 1980)." in completed


def test_regressions_withhold_the_same_groups(towns: Path) -> None:
    words = ("regress", towns / "t.toml", towns / "towns.csv", "--formula", "stole ~ 1")
    groups = json.loads(run(*words, "--by", "town", "--json"))["groups"]
    assert [group["fit"] is None for group in groups] == [True, True, False]
    assert groups[0]["refused"] == "withheld, fewer than 50 reports"
    assert groups[1]["refused"] == (
        "withheld too, else a group with fewer could be derived by subtraction"
    )
    assert "town: b\nnot estimated: withheld too" in run(*words, "--by", "town")
    outcome_result = outcome(*words, "--by", "town", "--format", "csv")
    assert [line.partition(",")[0] for line in outcome_result.stdout.splitlines()] == ["town", "c"]
    assert "town: a: not estimated: withheld" in outcome_result.stderr
    few = towns / "few.csv"
    rows = (towns / "towns.csv").read_text().splitlines()
    few.write_text("\n".join([*rows[:41], *rows[-15:]]))
    small = (words[0], words[1], few, *words[3:])
    assert "nothing is left to show" in run(*small, "--by", "town")
    assert "nothing is left to show" in run("estimate", words[1], few, "--by", "town")
    few.write_text("\n".join(rows[:41]))
    with pytest.raises(InputError, match=r"39 reports to regress.*at least 50, the form's minimum"):
        run(*small)


def test_rows_of_weight_0_are_no_reports_of_a_group(towns: Path) -> None:
    """Of the 100 rows of town b 40 count, too few to show; so it is in an estimate."""
    table = pd.read_csv(towns / "towns.csv", keep_default_na=False)
    table["w"] = np.where(np.arange(N) < 100, 0, 1)
    table.to_csv(towns / "w.csv", index=False)
    words = (towns / "t.toml", towns / "w.csv", "--weights", "w", "--by", "town", "--json")
    fits = json.loads(run("regress", *words, "--formula", "stole ~ 1"))["groups"]
    shares = json.loads(run("estimate", *words))["questions"]["stole"]["groups"]
    assert [fit["fit"] is None for fit in fits[1:]] == [True, True]
    assert [share["withheld"] for share in shares[1:]] == [
        "fewer than 50 reports",
        "else a group with fewer could be derived by subtraction",
    ]
    assert fits[1]["refused"] == "withheld, fewer than 50 reports"
    table[table["town"] != "c"].to_csv(towns / "w.csv", index=False)
    with pytest.raises(InputError, match=r"reports to regress.*at least 50, the form's minimum"):
        run("regress", *words[:4], "--formula", "stole ~ 1")


@pytest.mark.long
def test_regressions_of_a_survey_take_the_sample(survey: Path) -> None:
    words = ("regress", survey / "s.toml", survey / "s.csv", "--formula", "stole ~ sex")
    with pytest.raises(InputError, match=r"column 'sex'.*row 601"):
        run(*words, *DESIGN)
    document = json.loads(run(*words, *DESIGN, "--missing", "drop", "--by", "region", "--json"))
    assert [group["group"]["region"] for group in document["groups"]] == ["north", "south"]
    assert document["left_out"]["columns"] == {"sex": 1}


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--by", "stole"), "stole as a group"),
        (("--by", "town"), "no column 'town'"),
        (("--by", "sex", "--column", "sex"), "sex, the column of reports"),
        (("--by", "sex", "--column", "w"), "a question with answers, or a number: stole, sex, age"),
        (("--weights", "v"), "no column|v"),
        (("--by", "sex", "--recode", "1=maybe"), "--recode.*1=maybe"),
        (("--by", "sex", "--attentive"), "--attentive.*without an attention check"),
        (("other.csv", "--clusters", "sex"), "2 tables of a complex sample.*into one table"),
        (("--answers", "a,b"), "--answers"),
    ],
)
def test_what_a_survey_cannot_be_told(survey: Path, words: tuple[str, ...], match: str) -> None:
    with pytest.raises(InputError, match=match):
        run("estimate", survey / "s.toml", survey / "s.csv", *words)


@pytest.mark.parametrize(
    ("mechanism", "channel"),
    [
        ("warner:truth=3/4", Q),
        (
            "forced:truth=2/3,if_forced={yes=1/2,no=1/2}",
            ak.mechanisms.ForcedResponse(truth="2/3", if_forced={"yes": "1/2", "no": "1/2"}),
        ),
        *((mechanism.typed, mechanism.recipe) for mechanism in MECHANISMS if mechanism.frame == YN),
    ],
)
def test_mechanisms_are_typed(tables: Path, mechanism: str, channel: Any) -> None:
    q = channel if isinstance(channel, ak.Channel) else channel.channel(YN)
    counts = {report: 30 + 11 * index for index, report in enumerate(q.reports)}
    written = "".join(f"{json.dumps(report)} = {n}\n" for report, n in counts.items())
    (tables / "counts.toml").write_text(written, encoding="utf-8")
    document = json.loads(
        run("estimate", "--mechanism", mechanism, tables / "counts.toml", "--json")
    )
    assert document == json.loads(json.dumps(ak.estimate(ak.Tally(q, counts)).to_dict()))


def test_counts_and_codes_are_read(tables: Path) -> None:
    table = tables / "counted.csv"
    table.write_text("q.1,sex,n\n1,f,45\n2,f,55\n1,m,30\n2,m,50\n9,m,5\n", encoding="utf-8")
    how = ("--mechanism", "warner:truth=3/4", table, "--counts", "n", "--recode", "1=yes,2=no,9=")
    document = json.loads(run("estimate", *how, "--column", "q.1", "--by", "sex", "--json"))
    assert [group["reports"] for group in document["groups"]] == [100, 80]
    alone = ak.estimate(ak.Tally(Q, {"yes": 30, "no": 50}))
    np.testing.assert_allclose(document["groups"][1]["estimate"]["value"], alone.value)
    fit = json.loads(run("regress", *how, "--formula", "q.1 ~ sex", "--json"))
    assert fit["n"] == 185
    out = tables / "tally.json"
    with pytest.raises(DocumentError, match=r"row 2, .*'1', and others: '2' \(2\), '9' \(1\)"):
        run("count", *how[:3], "--column", "q.1", "--out", out)
    assert "600" not in run(
        "count", *how[:2], tables / "said.csv", "--column", "rr.q1", "--out", out
    )
    assert ak.Tally.from_json(out.read_text(), Q).total == N - 1


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--mechanism", "warnr:truth=3/4"), "did you mean 'warner'"),
        (("--mechanism", "warner:truth"), "KEY=VALUE"),
        (("--mechanism", "warner:truth=5"), "--mechanism warner: .*truth"),
        (("--mechanism", "warner"), "truth"),
        (("--mechanism", "warner:truth=3/4,truth=2/3"), "truth twice"),
        (("--mechanism", "warner:truth=3/4", "--answers", ""), "answers|Frame"),
        (("--mechanism", "warner:true=1/2"), "did you mean 'truth'"),
        (("--mechanism", "warner:truth=3/4", "--answers", "yes"), "answers|Frame"),
    ],
)
def test_mechanisms_that_are_none_are_refused(
    tables: Path, words: tuple[str, ...], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        run("estimate", *words, tables / "said.csv", "--column", "rr.q1")


@pytest.mark.parametrize(
    ("written", "words", "match"),
    [
        ("yes = 3.5", (), "whole numbers of people"),
        ("yes = -1", (), "whole numbers of people"),
        ("yes = 0", (), "0 people"),
        (f"yes = 1{'0' * 400}", (), "whole numbers of people"),
        ("yes = ", (), "counts in TOML"),
        ("maybe = 3", (), "maybe"),
        ("yes = 3", ("--by", "sex"), "counts of reports alone"),
    ],
)
def test_counts_that_are_none_are_refused(
    tables: Path, written: str, words: tuple[str, ...], match: str
) -> None:
    (tables / "wrong.toml").write_text(written, encoding="utf-8")
    with pytest.raises((InputError, DocumentError), match=match):
        run("estimate", tables / "q.json", tables / "wrong.toml", *words)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--recode", "1:yes"), "ENTRY=REPORT"),
        (("--recode", '"1=yes,2=no'), "quotes go round"),
        (("--recode", '"1"2=yes'), "quotes go round"),
        (("--recode", "1=yes,1=no"), "each once"),
        (("--by", "rr.q1"), "the column of reports.; allowed: other columns"),
        (("--counts", "m"), "no column 'm'"),
        (("--counts", "sex"), "whole numbers of people"),
        (("--column", "rr.q2", "--recode", "1=yes"), "did you mean 'rr.q1'"),
    ],
)
def test_columns_that_are_none_are_refused(
    tables: Path, words: tuple[str, ...], match: str
) -> None:
    inputs = ("--column", "rr.q1") if "--column" not in words else ()
    with pytest.raises(InputError, match=match):
        run("estimate", tables / "q.json", tables / "said.csv", *inputs, *words)


@pytest.mark.long
def test_na_is_missing_unless_it_is_a_report(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text('said,by\nyes,a\nNA,a\n"NA",NA\nno,\n', encoding="utf-8")
    result = ak.tally(Q, table, "said")
    assert isinstance(result, ak.Tally)
    assert (result.total, result.blanks) == (2, 2)
    assert set(ak.tally(Q, table, "said", by="by")) == {"a", None}
    named = ak.KAry(truth="3/4").channel(ak.Frame(["yes", "no", "NA"]))
    kept_tally = ak.tally(named, table, "said")
    assert isinstance(kept_tally, ak.Tally)
    assert kept_tally.counts.tolist() == [1, 1, 2]


MECHANISM = ("--mechanism", "warner:truth=3/4", "--column", "said")


def test_labels_that_are_one_number_stay_apart(tmp_path: Path) -> None:
    """A school "12_1" is not "1_21", nor "01" "1"; a number of many digits is shown in full."""
    codes = ("12_1", "1_21"), ("01", "1"), ("20230101", "20230102")
    rows = [
        f"{'01'[index % 3 == 0]}," + ",".join(item[index % 2] for item in codes)
        for index in range(60)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["said,a,b,c", *rows]), encoding="utf-8")
    how = ("estimate", *MECHANISM, tmp_path / "t.csv", "--recode", "1=yes,0=no")
    for name, code in zip("abc", codes, strict=True):
        completed = run(*how, "--by", name)
        assert all(f"\n{item} " in completed for item in code)
    assert json.loads(run(*how, "--clusters", "a", "--json"))["method"].count("1 degrees") == 1


def test_entries_of_any_file_are_read_by_their_codes(tmp_path: Path) -> None:
    questions = [1, 2, None, 2, 2]
    (tmp_path / "t.csv").write_text("said\n1\n2\nNA\n2\n2\n", encoding="utf-8")
    lines = "".join(json.dumps({"said": question}) + "\n" for question in questions)
    (tmp_path / "t.jsonl").write_text(lines, encoding="utf-8")
    pd.DataFrame({"said": questions}).to_parquet(tmp_path / "t.parquet")  # as 1.0 and 2.0
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "1.csv").write_text('said\n1\n2\n""\n', encoding="utf-8")
    (tmp_path / "parts" / "2.csv").write_text("said\n2\n2\n", encoding="utf-8")
    for name in ("t.csv", "t.jsonl", "t.parquet", "parts/*.csv", "parts"):
        how = ("--recode", "1=yes,2=no", "--json")
        document = json.loads(run("estimate", *MECHANISM, tmp_path / name, *how))
        assert document["reports"] == 4
    (tmp_path / "t.jsonl").write_text('{"said": [1]}\n', encoding="utf-8")
    with pytest.raises(DocumentError, match=r"line 1, .* allowed: yes, no"):
        run("estimate", *MECHANISM, tmp_path / "t.jsonl", "--recode", "1=yes")


def test_entries_that_are_no_reports_are_told_by_row_and_with_the_flag(tmp_path: Path) -> None:
    frame = pd.DataFrame({"said": [None, 2.0, 1.0], "age": [20, 30, 40]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        table = tmp_path / name
        for verb in (
            ("estimate", *MECHANISM, table),
            ("regress", *MECHANISM[:2], table, "--formula", "said ~ 1"),
        ):
            with pytest.raises((InputError, DocumentError), match=r"--recode ['\"].*="):
                run(*verb)
            row = 4 if name == "t.csv" else 3
            with pytest.raises(
                DocumentError, match=f"row {row}, column 'said': got '?1.0'?; allow"
            ):
                run(*verb, "--recode", "2=no")
            with pytest.raises(
                InputError, match=r"--recode: got .*1=no, sir.*; allowed: .* of yes, no"
            ):
                run(*verb, "--recode", '2=no,"1"="no, sir"')
    with pytest.raises(InputError, match=r"--column: .* said, age"):
        run("estimate", *MECHANISM[:2], tmp_path / "t.csv")


def test_a_report_called_na_is_one_also_beside_counts(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("said,n\nNA,30\nb,70\n", encoding="utf-8")
    how = ("estimate", *MECHANISM, tmp_path / "t.csv", "--counts", "n", "--json")
    assert json.loads(run(*how, "--answers", "NA,b"))["reports"] == 100
    assert json.loads(run(*how, "--recode", "NA=yes,b=no"))["reports"] == 100
    assert json.loads(run(*how, "--recode", "b=no"))["reports"] == 70


def test_one_sample_is_one_table_and_written_counts_are_counted(tables: Path) -> None:
    two = (tables / "said.csv", tables / "holes.csv")
    how = ("estimate", "--mechanism", "warner:truth=3/4", "--column", "rr.q1")
    with pytest.raises(InputError, match="2 tables of a complex sample"):
        run(*how, *two, "--recode", "1=yes", "--clusters", "school")
    run("count", *how[1:], two[0], "--out", tables / "counted.json")
    with pytest.raises(InputError, match="--weights: got 'counts that were written'"):
        run(*how[:3], tables / "counted.json", "--weights", "w")


def test_what_a_formula_names_is_there(tables: Path) -> None:
    how = (
        "regress",
        "--mechanism",
        "warner:truth=3/4",
        tables / "said.csv",
        "--clusters",
        "school",
    )
    for formula, match in (("rr.q1 ~ agee", "did you mean 'age'"), ("rr.q1 ~ rr.q1", "of reports")):
        with pytest.raises(InputError, match=match):
            run(*how, "--formula", formula)
    document = json.loads(run(*how, "--formula", "rr.q1 ~ np.power(age, .5)", "--json"))
    assert document["names"] == ["intercept", "np.power(age, 0.5)"]
    for name in ("--effects", "--methods"):
        with pytest.raises(InputError, match=f"{name}: got '--by too'.*leave --by out"):
            run(*how, "--formula", "rr.q1 ~ age", "--by", "sex", name)


@pytest.mark.long
def test_averages_of_effects_are_written_in_every_format(tables: Path) -> None:
    how = ("regress", "--mechanism", "warner:truth=3/4", tables / "said.csv", "--effects")
    words = (*how, "--formula", "rr.q1 ~ age + sex")
    result = json.loads(run(*words, "--json"))["effects"]
    assert result["labels"] == ["age", "sex: m"]
    frame = pd.read_csv(tables / "said.csv", na_values="NA")
    effects_result = ak.response_regression("rr.q1", "~ age + sex", Q, data=frame).effects()
    np.testing.assert_allclose(result["value"], effects_result.value, rtol=1e-8)
    latex = run(*words, "--format", "latex")
    assert latex.count(r"\begin{tabular}") == 2
    assert "average effect on the share of yes" in latex
    assert run(*words, "--format", "html").count("<caption") == 2
    with pytest.raises(InputError, match=r"--effects: got '--format csv'; allowed: table, json"):
        run(*words, "--format", "csv")
    assert json.loads(run(*words[:4], *words[5:], "--json"))["effects"] == result  # always there
    assert r"\begin{tabular}" in run(*how, "--formula", "rr.q1 ~ 1", "--format", "latex")


TWO = """
[[question]]
name = "lied"
text = "Lied?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


def test_a_question_of_blanks_alone_is_named(tmp_path: Path) -> None:
    survey = SURVEY.format(minimum=1).partition('[[question]]\nname = "sex"')[0] + TWO
    (tmp_path / "s.toml").write_text(survey)
    rows = [f"{'yes' if index % 3 else 'no'},,{'ab'[index % 2]}" for index in range(60)]
    table = tmp_path / "s.csv"
    table.write_text("\n".join(["stole,lied,town", *rows]))
    for how in (("--by", "town"), ("--clusters", "town")):
        outcome_result = outcome("estimate", tmp_path / "s.toml", table, *how, "--json")
        document = json.loads(outcome_result.stdout)
        assert list(document["questions"]) == ["stole"]
        assert document["left_out"] == ["lied"]
        assert outcome_result.stderr == "without a report: lied\n"
    words = ("estimate", tmp_path / "s.toml", table, "--by", "town")
    with pytest.raises(InputError, match="blanks alone: lied"):
        run(*words, "--column", "lied")
    table.write_text("stole,lied,town\n,,a\n,,b\n")
    with pytest.raises(InputError, match="blanks alone: stole, lied"):
        run(*words)


def test_a_column_twice_is_refused_by_its_name(survey: Path) -> None:
    rows = [f"{'yes' if index % 3 else 'no'},f,40,,a,{'bc'[index % 2]}" for index in range(60)]
    table = survey / "twice.csv"
    table.write_text("\n".join(["stole,sex,age_above,age_upto,town,town", *rows]))
    questions = (survey / "s.toml", table)
    for words in (
        ("estimate", *questions, "--by", "town"),
        ("regress", *questions, "--formula", "stole ~ town"),
        ("estimate", *MECHANISM[:2], table, "--column", "stole", "--by", "town"),
        ("regress", *MECHANISM[:2], table, "--formula", "stole ~ town"),
        ("study", questions[0], "--answers", table),
    ):
        with pytest.raises((InputError, DocumentError), match="two columns 'town'"):
            run(*words)


def test_entries_with_commas_stand_in_quotes(tmp_path: Path) -> None:
    replies = ['"Yes, once"', '"a=""b"""', "no"]
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["said", *(replies[index % 3] for index in range(90))]))
    codes = '"Yes, once"=yes, "a=""b"""="no"'
    document = json.loads(run("estimate", *MECHANISM, table, "--recode", codes, "--json"))
    alone = ak.estimate(ak.Tally(Q, {"yes": 30, "no": 60}))
    np.testing.assert_allclose(document["value"], alone.value)


@pytest.mark.long
def test_questions_without_methods_are_named(survey: Path) -> None:
    table, cut = pd.read_csv(survey / "s.csv"), np.random.default_rng(3).integers(17, 76, N)
    above = np.random.default_rng(4).integers(16, 70, N) > cut
    table["age_above"] = np.where(above, cut, "")
    table["age_upto"] = np.where(above, "", cut)
    table.to_csv(survey / "cut.csv", index=False)
    outcome_result = outcome(
        "estimate", survey / "s.toml", survey / "cut.csv", "--methods", "--json"
    )
    assert list(json.loads(outcome_result.stdout)["methods"]) == ["stole", "age"]
    assert outcome_result.stderr == "no methods are written for: sex\n"


def test_holes_in_repeated_rows_are_counted_not_numbered(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("said,age,n\nyes,30,5\nno,NA,2\n", encoding="utf-8")
    words = (
        "regress",
        *MECHANISM[:2],
        tmp_path / "t.csv",
        "--formula",
        "said ~ age",
        "--counts",
        "n",
    )
    with pytest.raises(InputError, match="nothing in 2 rows'"):
        run(*words)


def test_groups_by_a_date_are_written(tmp_path: Path) -> None:
    days = pd.to_datetime(["2026-01-02", "2026-01-03"] * 40).date
    data = pd.DataFrame({"said": ["yes", "no", "no", "no"] * 20, "day": days})
    data.to_parquet(tmp_path / "t.parquet")
    document = json.loads(
        run("estimate", *MECHANISM, tmp_path / "t.parquet", "--by", "day", "--json")
    )
    assert [group["group"]["day"] for group in document["groups"]] == ["2026-01-02", "2026-01-03"]


def test_names_of_a_typed_mechanism_stand_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "said.csv"
    path.write_text("said\n" + '"yes, ""often"""\n' * 40 + '"a=b}"\n' * 60, encoding="utf-8")
    answers = '"yes, ""often""", "a=b}"'
    documents = [
        json.loads(run("estimate", "--mechanism", mechanism, "--answers", answers, path, "--json"))
        for mechanism in (
            'forced:"yes, ""often"""=.25,"a=b}"=1/4',
            'forced:forced={"yes, ""often"""=1/4,"a=b}"=.25}',
            'table:reports={"yes, ""often"""=["yes, ""often""","a=b}"],"a=b}"=["a=b}",'
            '"yes, ""often"""]},rows=[[3/4,1/4],[.25,.75]]',
        )
    ]
    assert documents[0] == documents[1]
    assert documents[0]["labels"] == ['yes, "often"', "a=b}"]
    assert documents[0]["value"] == pytest.approx([0.3, 0.7])
    assert documents[2]["value"] == pytest.approx(documents[0]["value"])
    with pytest.raises(InputError, match="KEY=VALUE"):
        run("estimate", "--mechanism", 'forced:"yes"', path)


def test_json_of_a_regression_may_lack_its_effects(tables: Path) -> None:
    words = (
        "regress",
        tables / "q.json",
        tables / "said.csv",
        "--formula",
        "rr.q1 ~ age",
        "--json",
    )
    document, alone = json.loads(run(*words)), json.loads(run(*words, "--no-effects"))
    assert document.pop("effects")["title"].startswith("average effect")
    assert alone == document


@pytest.mark.parametrize(
    "words",
    [
        ("estimate", *DESIGN),
        ("estimate", *DESIGN, "--by", "sex"),
        ("compare", *DESIGN, "--group", "sex"),
        ("small-areas", "--by", "school"),
        ("bounds", "--nonresponse", *DESIGN),
        ("compliance", "--model", "cheating"),
    ],
    ids=lambda words: " ".join(words[::5]),
)
def test_notes_in_a_terminal_are_80_signs_wide_at_most(tables: Path, words: Any) -> None:
    verb, *more = words
    questions = ("--mechanism", "one-sided:forced_yes=1/4") if verb == "compliance" else ()
    questions = questions or ("--mechanism", "warner:truth=3/4")
    completed = run(verb, *questions, tables / "said.parquet", "--column", "rr.q1", *more)
    assert max(map(len, completed.splitlines())) <= 80


@pytest.mark.long
def test_a_platforms_export_is_read_without_a_form(tmp_path: Path, data: pd.DataFrame) -> None:
    """SurveyJS's array of results ends in .json, as written counts do, and jsPsych's has trials."""
    result = data.assign(q1=data["rr.q1"].fillna(""))[["q1", "sex", "school"]]
    result.to_csv(tmp_path / "plain.csv", index=False)
    reports = ({"form": "0" * 64, "cells": {"q1": item}} for item in result["q1"])
    results = result[["sex", "school"]].assign(belief=list(reports)).to_dict("records")
    (tmp_path / "surveyjs.json").write_text(json.dumps(results), encoding="utf-8")
    trials = result.assign(trial_type="askance", trial_index=3)
    trials.to_csv(tmp_path / "jspsych.csv", index=False)
    how = ("estimate", "--mechanism", "warner:truth=3/4", "--column", "q1", "--json")
    for more in ((), ("--by", "sex"), ("--clusters", "school"), ("--recode", "yes=no,no=yes")):
        expected = run(*how, *more, tmp_path / "plain.csv")
        for name in ("surveyjs.json", "jspsych.csv"):
            assert run(*how, *more, tmp_path / name) == expected


def test_faults_of_a_table_name_the_table_and_its_column(tmp_path: Path) -> None:
    texts = {
        "none.csv": "a,w\n,1\n",
        "lost.csv": "a,w\nyes,-1\n",
        "odd.toml": "yes = 3\nmaybe = 1\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    told = {
        "none.csv": ("--column", "a"),
        "lost.csv": ("--column", "a", "--weights", "w"),
        "odd.toml": (),
    }
    where = []
    for name, options in told.items():
        with pytest.raises(InputError) as refused:
            run("estimate", "--mechanism", "warner:truth=3/4", tmp_path / name, *options)
        where.append(refused.value.where.removeprefix(f"{tmp_path}/"))
    assert where == ["none.csv: column 'a'", "lost.csv: column 'w'", "odd.toml"]
    (tmp_path / "single.toml").write_text("yes = 1\n")
    assert "1 report;" in run(
        "estimate", "--mechanism", "warner:truth=3/4", tmp_path / "single.toml"
    )


def test_faults_of_weights_beside_a_form_name_their_column(tmp_path: Path) -> None:
    head = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\nminimum = 1\n'
    asked = '[[question]]\nname = "a"\ntext = "A?"\nanswers = ["yes", "no"]\n'
    survey = tmp_path / "s.toml"
    survey.write_text(head + asked + 'mechanism = { name = "warner", truth = "3/4" }\n')
    got = []
    for weights in ("-1.0", "0"):
        (tmp_path / "r.csv").write_text(f"a,w\nyes,{weights}\nno,{weights}\n")
        with pytest.raises(InputError) as refused:
            run("estimate", survey, tmp_path / "r.csv", "--weights", "w")
        assert refused.value.where == "--weights: column 'w'"
        got.append(refused.value.got)
    assert got == [-1.0, "zeros alone"]
