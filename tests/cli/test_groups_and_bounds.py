"""Groups compared, people who do not comply, bounds and small areas: what Python finds, typed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import tally_groups
from askance.survey import parse_survey, publish
from askance_collect.collect import accept, open_store
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond import respond

lab = ak.inference
N = 900
YN = ak.Frame(["yes", "no"])
COIN = ak.Warner(truth="3/4").channel(YN)
PLAIN = ak.KAry(truth="1").channel(YN)
WAYS = (
    "--mechanism",
    "plainly=kary:truth=1",
    "--mechanism",
    "coin=warner:truth=3/4",
    "--group",
    "way",
)
FIRST_QUESTION = ("--mechanism", "warner:truth=3/4", "--column", "rr.q1")
SAMPLE = ("--weights", "w", "--strata", "region", "--clusters", "village")
FEW_MANY = (
    ("--mechanism", "few=one-sided:forced_yes=1/4"),
    ("--mechanism", "many=one-sided:forced_yes=3/4"),
)
DESIGNS = (*FEW_MANY[0], *FEW_MANY[1])


def outcome(*words: object) -> Any:
    result = CliRunner().invoke(verbs, [str(word) for word in words])
    if result.exception:
        raise result.exception
    return result


def run(*words: object) -> str:
    return str(outcome(*words).stdout)


def run_json(*words: object) -> Any:
    return json.loads(run(*words, "--json"))


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    """Two in five asked plainly; one in twelve does not reply; six regions, more or less rural."""
    rng = np.random.default_rng(5)
    region = np.arange(N) % 6
    truth = np.where(rng.random(N) < 0.1 + 0.08 * region, "yes", "no")
    plainly = rng.random(N) < 0.4
    astype_result = np.where(plainly, truth, ak.privatise(COIN, truth, rng=rng)).astype(object)
    astype_result[rng.random(N) < 1 / 12] = None
    return pd.DataFrame(
        {
            "rr.q1": astype_result,
            "way": np.where(plainly, "plainly", "coin"),
            "region": [f"Bezirk {item}" for item in region],
            "rural": region / 5,
            "village": [
                f"{item}-{index}" for item, index in zip(region, np.arange(N) // 90, strict=True)
            ],
            "sex": rng.choice(["f", "m"], N),
            "w": rng.choice([1.0, 2.5], N),
        }
    )


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, data: pd.DataFrame) -> Path:
    folder = tmp_path_factory.mktemp("verbs")
    data.to_csv(folder / "said.csv", index=False, na_rep="NA")
    data[data["way"] == "coin"].to_parquet(folder / "coin.parquet")
    areas = data.groupby("region")["rural"].first().reset_index()
    areas.loc[6] = ["Bezirk 6", 0.5]
    areas.to_csv(folder / "areas.csv", index=False)
    counts = "[few]\nyes = 362\nno = 638\n[many]\nyes = 694\nno = 306\n"
    (folder / "counts.toml").write_text(counts)
    (folder / "one.toml").write_text('"both or neither" = 640\n"just one" = 360\n')
    return folder


@pytest.fixture(scope="module")
def coin(data: pd.DataFrame) -> pd.DataFrame:
    return data[data["way"] == "coin"].reset_index(drop=True)


def ways(data: pd.DataFrame, **how: Any) -> Any:
    questions = {"plainly": PLAIN, "coin": COIN}
    return tally_groups(questions, data["rr.q1"], data["way"], **how)


def sampling_of(data: pd.DataFrame) -> Any:
    columns = {"weights": "w", "strata": "region", "clusters": "village"}
    return lab.SamplingDesign(**columns, data=data)


def test_arms_are_compared_and_pooled(tables: Path, data: pd.DataFrame) -> None:
    words = ("compare", tables / "said.csv", *WAYS, "--column", "rr.q1")
    assert run_json(*words) == json.loads(json.dumps(lab.compare_groups(ways(data)).to_dict()))
    completed = run(*words, "--methods")
    assert "coin − plainly" in completed
    assert "groups with different chances (“plainly” and “coin”)" in completed
    rows = run(*words, "--format", "csv").splitlines()
    assert rows[0] == "group,answer,share,se,lower,upper"
    assert len(rows) == 1 + 2 * 4


def test_arms_of_a_complex_sample(tables: Path, data: pd.DataFrame) -> None:
    result = run_json("compare", tables / "said.csv", *WAYS, "--column", "rr.q1", *SAMPLE)
    comparison = lab.compare_groups(ways(data, sampling=sampling_of(data)))
    np.testing.assert_allclose(result["se"], comparison.se, rtol=1e-9)
    assert result["p_value"] == pytest.approx(comparison.p_value, rel=1e-6)
    weighted = run_json(
        "compare", tables / "said.csv", *WAYS, "--column", "rr.q1", "--weights", "w"
    )
    comparison = lab.compare_groups(ways(data, weights=data["w"]))
    np.testing.assert_allclose(weighted["lower"], comparison.lower, rtol=1e-9)


def test_groups_that_were_asked_alike(tables: Path, coin: pd.DataFrame) -> None:
    words = ("compare", tables / "coin.parquet", *FIRST_QUESTION, "--group", "sex")
    comparison = lab.compare_groups(
        tally_groups({"f": COIN, "m": COIN}, coin["rr.q1"], coin["sex"])
    )
    assert run_json(*words)["deviance"] == pytest.approx(comparison.deviance)
    assert "Warner's randomised response" in run(*words, "--methods")


def test_each_group_of_people_keeps_its_sample_whole(tables: Path, data: pd.DataFrame) -> None:
    words = ("compare", tables / "said.csv", *WAYS, "--column", "rr.q1", *SAMPLE, "--by", "sex")
    result = run_json(*words)
    assert [group["group"] for group in result["groups"]] == [{"sex": "f"}, {"sex": "m"}]
    women = sampling_of(data).domain(data["sex"] == "f")
    comparison = lab.compare_groups(ways(data, sampling=women))
    np.testing.assert_allclose(result["groups"][0]["estimate"]["se"], comparison.se, rtol=1e-9)
    latex = run(*words, "--format", "latex")
    assert latex.count(r"\begin{table}") == 2
    assert "sex: f: share of each answer by group" in latex
    with pytest.raises(InputError, match=r"--methods.*--by too"):
        run(*words, "--methods")


def test_counts_of_several_groups_stand_in_one_file(tables: Path) -> None:
    result = run_json("compliance", tables / "counts.toml", *DESIGNS, "--model", "cheating")
    few, many = (ak.mechanisms.OneSided(forced_yes=word).channel(YN) for word in ("1/4", "3/4"))
    counted = {
        "few": ak.Tally(few, {"yes": 362, "no": 638}),
        "many": ak.Tally(many, {"yes": 694, "no": 306}),
    }
    grouped = ak.channels.GroupedTally(counted)
    estimate = lab.estimate_compliance(grouped, lab.cheating_detection())
    assert result["answers"] == json.loads(json.dumps(estimate.answers.to_dict()))
    statistic, df, p = estimate.likelihood_ratio(lab.estimate_compliance(grouped, ()))
    assert result["everybody"] == pytest.approx({"statistic": statistic, "df": df, "p_value": p})
    assert result["sensitivity"] == []
    completed = run("compliance", tables / "counts.toml", *DESIGNS)
    assert "few: yes        362   327.464" in completed
    assert completed.count("G² 41.05") == 2


def test_one_way_of_asking_shows_what_depends_on_it(tables: Path) -> None:
    arguments = ("compliance", "--mechanism", "crosswise:harmless=1/4", tables / "one.toml")
    q = ak.mechanisms.Crosswise(harmless="1/4").channel(YN)
    tally = ak.Tally(q, {"both or neither": 640, "just one": 360})
    assert run_json(*arguments)["sensitivity"] == [
        json.loads(json.dumps(lab.sensitivity(tally).to_dict()))
    ]
    strip = lab.sensitivity(tally, lab.random_answerers(), most="1/10", steps=2)
    words = (*arguments, "--model", "random", "--sensitivity", ".1", "--steps", "2")
    assert run_json(*words)["sensitivity"] == [json.loads(json.dumps(strip.to_dict()))]
    rows = run(*words, "--format", "csv").splitlines()
    assert rows[0] == "noncompliant,answer,low,high,lower,upper"
    assert len(rows) == 1 + 2 * 3
    path = tables / "strip.svg"
    run(*words, "--plot", path)
    assert "<svg" in path.read_text()


@pytest.mark.parametrize("form", ["latex", "html"])
def test_all_of_compliance_is_set_to_paste(tables: Path, form: str) -> None:
    completed = run("compliance", tables / "counts.toml", *DESIGNS, "--format", form, "--methods")
    assert "reports received, and expected" in completed
    assert "Everybody was assumed to follow the instructions" in completed
    assert "Heck, D." in completed


def test_who_did_not_reply_is_bounded(tables: Path, coin: pd.DataFrame) -> None:
    words = ("bounds", tables / "coin.parquet", *FIRST_QUESTION, "--nonresponse")
    counted = ak.tally(COIN, coin["rr.q1"])
    how = {"nonrespondents": 100, "blank_chance": "1/20", "monotone_selection": "yes"}
    bounds = lab.nonresponse_bounds(counted, **how)
    typed = ("--nonrespondents", "100", "--blank-chance", ".05", "--monotone-selection", "yes")
    assert run_json(*words, *typed) == json.loads(json.dumps(bounds.to_dict()))
    fillna_result = coin["rr.q1"].fillna("no reply")
    weighted = ak.tally(lab.with_no_reply(COIN, "1/20"), fillna_result, sampling=sampling_of(coin))
    bounds = lab.nonresponse_bounds(weighted, no_reply="no reply")
    result = run_json(*words, *SAMPLE, "--blank-chance", "1/20")
    np.testing.assert_allclose(result["high_se"], bounds.high_se, rtol=1e-9)
    assert result["low"] == pytest.approx(bounds.low.tolist())
    assert "may have any answer (Imbens & Manski, 2004)" in run(*words, *SAMPLE, "--methods")


def test_false_reports_and_sets_of_answers(tables: Path, coin: pd.DataFrame) -> None:
    counted = ak.tally(COIN, coin["rr.q1"])
    words = ("bounds", tables / "coin.parquet", *FIRST_QUESTION)
    bounds = lab.contamination_bounds(counted, "1/20")
    assert run_json(*words, "--false-share", ".05") == json.loads(json.dumps(bounds.to_dict()))
    result = run_json(*words, "--set", "any = yes,no", "--set", "yes=yes", "--by", "sex")
    assert [group["estimate"]["labels"] for group in result["groups"]] == [["any", "yes"]] * 2
    bounds = lab.estimate_sets(
        ak.tally(COIN, coin["rr.q1"], by=coin["sex"])["f"], {"any": ["yes", "no"], "yes": ["yes"]}
    )
    assert result["groups"][0]["estimate"]["low"] == pytest.approx(bounds.low.tolist())


def test_groups_that_were_asked_in_different_ways_are_bounded_together(
    tables: Path, data: pd.DataFrame
) -> None:
    words = ("bounds", tables / "said.csv", *WAYS, "--column", "rr.q1")
    bounds = lab.nonresponse_bounds(ways(data), monotone_selection="yes")
    result = run_json(*words, "--nonresponse", "--monotone-selection", "yes")
    assert result == json.loads(json.dumps(bounds.to_dict()))
    known_false = lab.contamination_bounds(ways(data), "1/5")
    assert run_json(*words, "--false-share", "1/5") == json.loads(json.dumps(known_false.to_dict()))
    completed = run(*words, "--nonresponse", "--methods")
    assert "groups with different chances" in completed
    from_counts = run_json("bounds", tables / "counts.toml", *DESIGNS, "--false-share", "1/5")
    assert from_counts["reports"] == 2000


def test_groups_of_a_sample_are_bounded_as_each_by_itself(tables: Path, data: pd.DataFrame) -> None:
    """Of two answers bounds of false reports are those of both groups, where these meet."""
    words = ("bounds", tables / "said.csv", *WAYS, "--column", "rr.q1", *SAMPLE)
    result, alone = run_json(*words, "--false-share", "1/5"), []
    for name, channel in (("coin", COIN), ("plainly", PLAIN)):
        own = sampling_of(data).domain(data["way"] == name)
        counted = ak.tally(channel, data["rr.q1"], sampling=own)
        alone.append(lab.contamination_bounds(counted, "1/5", level=0.975))
    for end, reached in (("low", max), ("high", min), ("lower", max), ("upper", min)):
        expected = reached(getattr(item, end)[0] for item in alone)
        assert result[end][0] == pytest.approx(expected, abs=1e-9)
    fewer = data.assign(**{"rr.q1": data["rr.q1"].where(data["way"] == "coin")})
    fewer.to_csv(tables / "fewer.csv", index=False, na_rep="NA")
    words = ("bounds", tables / "fewer.csv", *WAYS, "--column", "rr.q1", *SAMPLE, "--nonresponse")
    own = sampling_of(data).domain(data["way"] == "coin")
    fillna_result = data["rr.q1"].fillna("no reply")
    expected = lab.nonresponse_bounds(
        ak.tally(lab.with_no_reply(COIN), fillna_result, sampling=own), no_reply="no reply"
    )
    result = run_json(*words)
    for end in ("low", "high", "low_se", "high_se"):
        assert result[end] == pytest.approx(getattr(expected, end).tolist(), rel=1e-5)


def test_small_areas_borrow(tables: Path, coin: pd.DataFrame) -> None:
    words = ("small-areas", tables / "coin.parquet", *FIRST_QUESTION, "--by", "region")
    tallies = ak.tally(COIN, coin["rr.q1"], by=coin["region"])
    estimate = lab.estimate_small_areas(dict(sorted(tallies.items())))
    result = run_json(*words)
    assert result["groups"] == list(estimate.groups)
    np.testing.assert_allclose(result["value"], estimate.value, rtol=1e-9)
    assert "partially pooled" in run(*words, "--methods")
    rows = run(*words, *SAMPLE, "--format", "csv").splitlines()
    assert rows[0].endswith("direct,reports,effective")


def test_small_areas_are_drawn_to_what_is_known_of_them(tables: Path, coin: pd.DataFrame) -> None:
    words = (
        "small-areas",
        tables / "coin.parquet",
        *FIRST_QUESTION,
        "--by",
        "region",
        "--formula",
        "~ rural",
    )
    tallies = dict(sorted(ak.tally(COIN, coin["rr.q1"], by=coin["region"]).items()))
    whole_tally, estimates = (
        ak.tally(COIN, coin["rr.q1"]),
        [lab.moment_estimate(t) for t in tallies.values()],
    )
    value = np.array([estimate.value[0] for estimate in estimates])
    sizes = np.array([item.total for item in tallies.values()])
    se = lab.moment_estimate(whole_tally).se[0] * np.sqrt(whole_tally.total / sizes)
    fit = lab.fay_herriot(value, se, np.arange(6) / 5, groups=list(tallies), terms=["rural"])
    yes = run_json(*words)["answers"]["yes"]
    np.testing.assert_allclose(yes["value"], fit.value, rtol=1e-9)
    with_more = run_json(*words, "--areas", tables / "areas.csv")["answers"]["yes"]
    assert with_more["groups"] == [*fit.groups, "Bezirk 6"]
    assert with_more["direct"][-1] is None
    own = run_json(*words, "--errors", "own")["answers"]["yes"]
    assert own["direct_se"] == pytest.approx([estimate.se[0] for estimate in estimates])
    assert run(*words, "--format", "csv").startswith("answer,group,value,se,lower,upper")


def test_errors_of_small_areas_have_the_design_effect_of_everybody(
    tables: Path, coin: pd.DataFrame
) -> None:
    words = (
        "small-areas",
        tables / "coin.parquet",
        *FIRST_QUESTION,
        "--by",
        "region",
        "--formula",
        "~ 1",
    )
    yes = run_json(*words, *SAMPLE)["answers"]["yes"]
    entire = lab.moment_estimate(ak.tally(COIN, coin["rr.q1"], sampling=sampling_of(coin))).se[0]
    received = coin[coin["rr.q1"].notna()]
    worth = received["w"].sum() ** 2 / (received["w"] ** 2).sum()
    apply_result = received.groupby("region")["w"].apply(lambda w: w.sum() ** 2 / (w**2).sum())
    assert yes["direct_se"] == pytest.approx((entire * np.sqrt(worth / apply_result)).tolist())


def test_replicate_weights_stand_in_for_the_sample(tables: Path, data: pd.DataFrame) -> None:
    left_out = lab.jackknife(lab.SamplingDesign(weights="w", clusters="village", data=data))
    columns = {f"rep{position}": item for position, item in enumerate(left_out.replicates.T)}
    table = data.assign(**columns)
    table.to_csv(tables / "replicates.csv", index=False, na_rep="NA")
    plan = lab.ReplicateColumns(weights="w", replicates="rep*", kind="jk1")
    comparison = lab.compare_groups(ways(data, sampling=plan.of(table)))
    words = ("--column", "rr.q1", "--weights", "w", "--replicates")
    result = run_json("compare", tables / "replicates.csv", *WAYS, *words, "jk1:rep*")
    np.testing.assert_allclose(result["se"], comparison.se, rtol=1e-9)
    as_typed = run_json("compare", tables / "replicates.csv", *WAYS, *words, "59/60:rep*")
    np.testing.assert_allclose(as_typed["se"], comparison.se, rtol=1e-9)


def test_replicate_weights_by_their_kind(tables: Path, coin: pd.DataFrame) -> None:
    left_out = lab.jackknife(lab.SamplingDesign(weights="w", clusters="village", data=coin))
    columns = {f"rep{index}": item for index, item in enumerate(left_out.replicates.T)}
    coin.assign(**columns).to_parquet(tables / "half.parquet")
    arguments = ("--mechanism", "warner:truth=3/4", tables / "half.parquet", "--column", "rr.q1")
    words = (*arguments, "--weights", "w", "--replicates")
    completed = run("estimate", *words, "fay=.3:rep*", "--by", "sex", "--methods")
    assert "replicate weights (rep*; balanced half-samples by Fay's method)" in completed
    counts = f"have the covariance of {len(columns)} replicates (Särndal et al., 1992)"
    assert counts in completed
    assert "linearis" not in completed
    for how in ("table", "json", "latex", "html"):
        shown_completed = run("estimate", *words, "brr:rep*", "--format", how, "--methods")
        assert f"variance of counts over {len(columns)} replicates" in shown_completed
        assert counts in shown_completed
        assert "linearis" not in shown_completed
    fitted = run(
        "regress", *arguments[:3], "--formula", "rr.q1 ~ 1", *words[5:], "jk1:rep*", "--methods"
    )
    assert f"over fits to each of {len(columns)} replicates (Särndal et al., 1992)" in fitted
    assert "linearis" not in fitted
    run("count", *words, "brr:rep*", "--out", tables / "c.json")
    plan = lab.ReplicateColumns(weights="w", replicates="rep*", kind="brr")
    counted = ak.tally(COIN, coin["rr.q1"], sampling=plan.of(coin.assign(**columns)))
    assert run_json("estimate", *words, "brr:rep*")["se"] == pytest.approx(ak.estimate(counted).se)
    written = run_json("estimate", *arguments[:2], tables / "c.json")
    assert written["se"] == pytest.approx(ak.estimate(counted).se)
    for wrong in ("rep*", "jk9:rep*", "jk1:nope*", "fay=2:rep*", "-1:rep*"):
        with pytest.raises(InputError, match="eplicate"):
            run("estimate", *words, wrong)
    with pytest.raises(InputError, match=r"--replicates.*with --clusters"):
        run("estimate", *words, "brr:rep*", "--clusters", "village")


@pytest.mark.parametrize("how", ["list", "lines", "a data frame of R"])
def test_each_replicate_of_strata_has_a_scale(tables: Path, coin: pd.DataFrame, how: str) -> None:
    """The jackknife by strata, as R's JKn gives it: the same errors as from the design itself."""
    assign_result = coin.assign(part=np.where(coin["village"].astype(str) < "2", "a", "b"))
    sampling = lab.SamplingDesign(
        weights="w", strata="part", clusters="village", data=assign_result
    )
    left_out = lab.jackknife(sampling)
    columns = {f"rep{index}": item for index, item in enumerate(left_out.replicates.T)}
    assign_result.assign(**columns).to_parquet(tables / "strata.parquet")
    scales = [repr(item) for item in left_out.rscales.tolist()]
    assert len(set(scales)) > 1
    if how == "list":
        written = ",".join(scales)
    else:
        written = str(tables / "rscales.csv")
        head = '"x"\n' if how != "lines" else ""
        Path(written).write_text(head + "\n".join(scales) + "\n", encoding="utf-8")
    arguments = ("--mechanism", "warner:truth=3/4", tables / "strata.parquet", "--column", "rr.q1")
    words = (*arguments, "--weights", "w", "--replicates")
    known_estimate = ak.estimate(ak.tally(COIN, assign_result["rr.q1"], sampling=left_out))
    assert run_json("estimate", *words, f"jkn={written}:rep*")["se"] == pytest.approx(
        known_estimate.se
    )
    for wrong in ("jkn:rep*", "jkn=0.5:rep*", "jkn=nope.csv:rep*", f"jkn={written},-1:rep*"):
        with pytest.raises(InputError, match="eplicate"):
            run("estimate", *words, wrong)


def test_scales_are_those_of_each_kind() -> None:
    data = {"w": np.ones(8)} | {f"r{index}": np.ones(8) * (1 + index % 2) for index in range(4)}
    result = {
        kind: lab.ReplicateColumns(weights="w", replicates="r*", kind=kind).of(data).scale
        for kind in ("brr", "jk1", "jk2", "bootstrap", "sdr")
    }
    assert result == {"brr": 1 / 4, "jk1": 3 / 4, "jk2": 1.0, "bootstrap": 1 / 3, "sdr": 1.0}
    half = lab.ReplicateColumns(weights="w", replicates=["r0", "r1"], kind="fay", fay=0.5).of(data)
    assert (half.scale, half.replicates.shape) == (2.0, (8, 2))


def individual_tally(replies: Any, p: Any) -> Any:
    """What people reported, through Warner's channel of each one's own."""
    channels = ak.mechanisms.individual_channels("warner", {"truth": p.tolist()}, YN)
    return channels.tally(replies.where(replies.notna(), None).tolist())


def test_each_person_may_have_chances_of_their_own(tables: Path, data: pd.DataFrame) -> None:
    p = np.where(data["way"] == "plainly", 1.0, 0.75)
    data.assign(p=p).to_csv(tables / "each.csv", index=False, na_rep="NA")
    own = ("--mechanism", "warner:truth=@p", tables / "each.csv")
    item = ak.mechanisms.individual_channels("warner", {"truth": p.tolist()}, YN)
    tolist_result = data["rr.q1"].where(data["rr.q1"].notna(), None).tolist()
    known_estimate = ak.estimate(individual_tally(data["rr.q1"], p))
    result = run_json("estimate", *own, "--column", "rr.q1")
    assert result["value"] == pytest.approx(known_estimate.value.tolist())
    assert result["se"] == pytest.approx(known_estimate.se.tolist())
    by_sex = run_json("estimate", *own, "--column", "rr.q1", "--by", "sex", "--weights", "w")
    assert sum(element["reports"] for element in by_sex["groups"]) == known_estimate.reports
    fit = ak.response_regression(
        tolist_result, data[["rural"]].to_numpy(), list(item.channels), group=item.group
    )
    typed = run_json("regress", *own, "--formula", "rr.q1 ~ rural")
    assert typed["value"] == pytest.approx(fit.value.tolist(), rel=1e-6)
    assert list(run_json("compare", *own, "--column", "rr.q1")["groups"]) == ["0.75", "1"]
    methods = run("estimate", *own, "--column", "rr.q1", "--methods")
    assert "different chances (“0.75” and “1”)" in methods
    areas = (*own, "--column", "rr.q1", "--by", "region")
    pooled = run_json("small-areas", *areas)
    known_by = lab.estimate_small_areas(
        {
            name: individual_tally(part["rr.q1"], p[part.index]).stacked
            for name, part in data.groupby("region")
        }
    )
    assert np.allclose(pooled["value"], known_by.value)
    drawn_value = run_json("small-areas", *areas, "--formula", "~ rural")["answers"]["yes"]["value"]
    assert np.allclose(drawn_value, known_by.value[:, 0], atol=0.08)
    for wrong, match in (
        ("warner:truth=@nope", "no column 'nope'"),
        ("warner:truth=@w", "--mechanism warner.*probability"),
        ("warner:truth=@rr.q1", "--mechanism warner"),
        ("warner:truth=p", "stand in a column: @p"),
        ("forced:yes=p,no=1/6", "stand in a column: @p"),
        ("forced:Yes=1/6,No=1/6", "ForcedResponse.*allowed: yes, no"),
    ):
        with pytest.raises(InputError, match=match):
            run("estimate", "--mechanism", wrong, tables / "each.csv", "--column", "rr.q1")


def test_each_person_may_be_forced_with_chances_of_their_own(tmp_path: Path) -> None:
    replies, p = ["yes", "no", "no", "yes", "no", "yes"] * 20, [0.1, 0.2, 0.1, 0.2, 0.1, 0.2] * 20
    pd.DataFrame({"said": replies, "p": p}).to_csv(tmp_path / "each.csv", index=False)
    column = (tmp_path / "each.csv", "--column", "said")
    for mechanism, forced in (
        ("forced:yes=@p,no=@p", {"yes": p, "no": p}),
        ("forced:forced={yes=@p,no=1/6}", {"yes": p, "no": "1/6"}),
    ):
        channels = ak.mechanisms.individual_channels("forced", {"forced": forced}, YN)
        result = run_json("estimate", "--mechanism", mechanism, *column)
        assert result["value"] == pytest.approx(ak.estimate(channels.tally(replies)).value.tolist())
        run("count", "--mechanism", mechanism, *column, "--out", tmp_path / "each.json")
        again = run_json("estimate", "--mechanism", mechanism, tmp_path / "each.json")
        assert again["value"] == pytest.approx(result["value"])


def test_chances_of_each_person_are_counted_and_the_counts_estimated(
    tables: Path, data: pd.DataFrame
) -> None:
    p = np.where(data["way"] == "plainly", 1.0, np.where(np.arange(len(data)) % 2, 0.75, 0.1 + 0.7))
    table = data.assign(p=p)
    table.to_csv(tables / "all.csv", index=False, na_rep="NA")
    table[: len(table) // 2].to_csv(tables / "one.csv", index=False, na_rep="NA")
    table[len(table) // 2 :].assign(p=p[len(table) // 2 :]).to_csv(
        tables / "two.csv", index=False, na_rep="NA"
    )
    own, column = ("--mechanism", "warner:truth=@p"), ("--column", "rr.q1")
    for name in ("one", "two", "all"):
        told_of = run(
            "count", *own, tables / f"{name}.csv", *column, "--out", tables / f"{name}.json"
        )
    assert told_of.split(" report")[0] == str(int(table["rr.q1"].notna().sum()))
    written = json.loads((tables / "all.json").read_text(encoding="utf-8"))
    assert (written["askance"], set(written["groups"])) == (
        "grouped-tally-1",
        {"0.75", "0.7999999999999999", "1"},  # as it was written: 0.8 is another channel
    )
    assert "way" not in (tables / "all.json").read_text(encoding="utf-8")
    expected = run_json("estimate", *own, tables / "all.csv", *column)
    completed = run(
        "count", *own, tables / "one.json", tables / "two.json", "--out", tables / "both.json"
    )
    assert completed.startswith(told_of.split()[0])
    for places in (["all.json"], ["one.json", "two.json"], ["both.json"]):
        result = run_json("estimate", *own, *(tables / item for item in places))
        assert result["value"] == pytest.approx(expected["value"])
        assert result["se"] == pytest.approx(expected["se"])
        assert result["reports"] == expected["reports"]
    compared = run_json("compare", *own, tables / "both.json")
    assert compared == run_json("compare", *own, tables / "all.csv", *column)
    arguments = (*own, tables / "all.csv", *column, "--weights", "w", "--clusters", "village")
    run("count", *arguments, "--out", tables / "drawn.json")
    assert run_json("estimate", *own, tables / "drawn.json") == run_json("estimate", *arguments)
    renamed = {"groups": {"3/4": written["groups"]["0.75"]}, "askance": "grouped-tally-1"}
    (tables / "part.json").write_text(json.dumps(renamed), encoding="utf-8")  # the same chance
    more = run_json("compare", *own, tables / "all.json", tables / "part.json")
    assert set(more["groups"]) == set(written["groups"])
    assert (
        run_json("estimate", *own, tables / "all.json", tables / "part.json")["reports"]
        > expected["reports"]
    )


def test_counts_of_chances_are_read_by_their_own_mechanism_alone(tables: Path) -> None:
    own, counts = ("--mechanism", "warner:truth=@p"), tables / "sent.json"
    pd.DataFrame({"said": ["yes", "no"] * 9, "p": [0.75, 0.9, 1] * 6}).to_csv(
        tables / "sent.csv", index=False
    )
    run("count", *own, tables / "sent.csv", "--column", "said", "--out", counts)
    written = json.loads(counts.read_text(encoding="utf-8"))
    for name, document in {
        "none.json": {},
        "text.json": {"askance": "grouped-tally-1", "groups": "yes"},
        "mine.json": {**written, "groups": {"often": written["groups"]["1"]}},
        "high.json": {**written, "groups": {"7": written["groups"]["1"]}},
        "other.json": {**written, "groups": {"0.8": written["groups"]["1"]}},
    }.items():
        (tables / name).write_text(json.dumps(document), encoding="utf-8")
    (tables / "broken.json").write_text("{", encoding="utf-8")
    for call, match in (
        (("--mechanism", "forced:yes=@p,no=@q", counts), "counts of '0.75'.*those of p, q"),
        (
            (*own, counts, tables / "sent.csv"),
            "sent.csv: got .counts that.*count tables first",
        ),
        ((*own, counts, "--column", "said"), "--column: got 'counts that were written'"),
        ((*own, counts, counts), "each place once"),
        ((*own, tables / "nowhere.json"), "nowhere.json"),
        ((*own, tables / "broken.json"), "counts in JSON"),
        ((*own, tables / "none.json"), "counts of one mechanism"),
        ((*own, tables / "text.json"), "counts of one mechanism"),
        ((*own, tables / "mine.json"), "--mechanism warner"),
        ((*own, tables / "high.json"), "--mechanism warner"),
        ((*own, tables / "other.json"), "channel"),
        (("--mechanism", "warner:truth=3/4", counts), "tally"),
    ):
        with pytest.raises((InputError, DocumentError), match=match):
            run("estimate", *call)


def test_groups_with_mechanisms_of_their_own_are_counted_too(tables: Path) -> None:
    designs = ("--mechanism", "plainly=kary:truth=1", "--mechanism", "coin=warner:truth=3/4")
    table = (tables / "said.csv", "--column", "rr.q1", "--group", "way")
    run("count", *designs, *table, "--out", tables / "ways.json")
    expected = run_json("compare", *designs, *table)
    assert run_json("compare", *designs, tables / "ways.json") == expected
    with pytest.raises(DocumentError, match="a tally of each of plainly, dice"):
        run("compare", *designs[:3], "dice=warner:truth=3/4", tables / "ways.json")
    silent = run_json("bounds", *designs, tables / "ways.json", "--nonresponse")
    assert silent == run_json("bounds", *designs, *table, "--nonresponse")
    with pytest.raises(InputError, match="--group way: got 'counts that were written'"):
        run("compare", *designs, tables / "ways.json", "--group", "way")


SURVEY = b"""
askance = "survey-1"
title = "Shop"
consent = "Voluntary."
minimum = 20
[[question]]
name = "sex"
text = "Your sex?"
answers = ["f", "m", "d"]
[[question]]
name = "stole"
text = "Ever?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


@pytest.fixture(scope="module")
def form_and_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("form")
    form = publish(parse_survey(SURVEY))
    (folder / "form.json").write_bytes(form.bytes)
    store = open_store(str(folder / "sent.db"), form)
    replies = [
        {"sex": 2 if index < 5 else index % 2, "stole": int(index % 3 > 0)} for index in range(130)
    ]
    store.append([accept(respond(form, reply).body(form.size), form) for reply in replies])
    store.close()
    return folder / "form.json", folder / "sent.db"


def test_groups_of_a_form_are_withheld_as_its_author_wants(
    form_and_store: tuple[Path, Path],
) -> None:
    form, store = form_and_store
    with pytest.raises(InputError, match=r"--group, d.*5 reports.*form's minimum"):
        run("compare", form, store, "--group", "sex")
    groups = run_json("bounds", form, store, "--nonresponse", "--by", "sex")["groups"]
    content = {group["group"]["sex"]: group.get("refused") for group in groups}
    assert content["d"] == "withheld, fewer than 20 reports"
    assert (
        list(content.values()).count(
            "withheld too, else a group with fewer could be derived by subtraction"
        )
        == 1
    )
    areas = run_json("small-areas", form, store, "--by", "sex")
    assert set(areas["withheld"]) >= {"d"}
    assert "d" not in areas["groups"]
    assert len(areas["value"]) == len(areas["groups"]) == 1


def test_the_question_of_a_form_is_found(form_and_store: tuple[Path, Path]) -> None:
    form, store = form_and_store
    result = run_json("compliance", form, store)
    assert result["answers"]["reports"] == 130
    assert len(result["sensitivity"]) == 1
    plain = run_json("bounds", form, store, "--column", "sex", "--nonresponse")
    assert plain["labels"] == ["f", "m", "d"]
    with pytest.raises(InputError, match=r"--column.*a question with answers: sex, stole"):
        run("bounds", form, store, "--column", "age", "--nonresponse")
    with pytest.raises(InputError, match="stole as a group"):
        run("compare", form, store, "--column", "sex", "--group", "stole")


GROUPED = b"""
askance = "survey-1"
title = "Marriage"
consent = "Voluntary."
[[question]]
name = "affair"
text = "An affair?"
answers = ["yes", "no"]
[[question.group]]
name = "few"
share = "1/2"
mechanism = { name = "one_sided", forced_yes = "1/6" }
[[question.group]]
name = "many"
share = "1/2"
mechanism = { name = "one_sided", forced_yes = "5/6" }
"""


def test_a_form_knows_its_groups(tmp_path: Path) -> None:
    form = publish(parse_survey(GROUPED))
    (tmp_path / "form.json").write_bytes(form.bytes)
    store = open_store(str(tmp_path / "sent.db"), form)
    replies = [{"affair": int(index % 3 > 0)} for index in range(300)]
    store.append([accept(respond(form, reply).body(form.size), form) for reply in replies])
    store.close()
    words = (tmp_path / "form.json", tmp_path / "sent.db")
    assert list(run_json("compare", *words)["groups"]) == ["few", "many"]
    assert run_json("compliance", *words, "--model", "sld")["test"]["reports"][0] == "few: yes"


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("bounds", "coin.parquet", *FIRST_QUESTION), "bounds.*nothing.*one of --nonresponse"),
        (("bounds", "coin.parquet", *FIRST_QUESTION, "--set", "a"), "--set.*NAME=ANSWER"),
        (
            ("bounds", "coin.parquet", *FIRST_QUESTION, "--set", "a=yes", "--nonrespondents", "3"),
            "--nonrespondents.*with --set",
        ),
        (
            (
                "bounds",
                "coin.parquet",
                *FIRST_QUESTION,
                "--nonresponse",
                "--weights",
                "w",
                "--nonrespondents",
                "3",
            ),
            "without weights.*a row for each",
        ),
        (("bounds", "coin.parquet", *FIRST_QUESTION, "--false-share", "1"), "share in"),
        (("compare", "coin.parquet", *FIRST_QUESTION), "--group.*the column of groups"),
        (("compare", "said.csv", *WAYS[:4], "--column", "rr.q1"), "--group.*no column"),
        (
            ("compare", "coin.parquet", *FIRST_QUESTION, "--group", "rr.q1"),
            "compared with themselves",
        ),
        (("compare", "coin.parquet", *FIRST_QUESTION, "--group", "nope"), "nope"),
        (
            ("regress", "coin.parquet", *FIRST_QUESTION[:2], "--formula", "y ~ 1"),
            "formula.*no column 'y'",
        ),
        (("compliance", "coin.parquet", *FIRST_QUESTION, "--steps", "3"), "--steps.*--sensitivity"),
        (("compliance", "coin.parquet", *FIRST_QUESTION, "--model", "lies"), "--model.*lies"),
        (
            ("compliance", "coin.parquet", *FIRST_QUESTION, "--group", "sex"),
            "--group.*with one mechanism",
        ),
        (("small-areas", "coin.parquet", *FIRST_QUESTION), "--by.*the column of groups"),
        (("small-areas", "coin.parquet", *FIRST_QUESTION, "--by", "sex"), "three groups or more"),
        (
            (
                "small-areas",
                "coin.parquet",
                *FIRST_QUESTION,
                "--by",
                "region",
                "--areas",
                "areas.csv",
            ),
            "--formula",
        ),
        (
            ("small-areas", "coin.parquet", *FIRST_QUESTION, "--by", "region", "--formula", "~ w"),
            "--formula, w.*all rows of a group tell alike.*--areas",
        ),
    ],
)
def test_what_cannot_be_is_refused(tables: Path, words: tuple[Any, ...], match: str) -> None:
    files = [tables / word if str(word).endswith((".csv", ".parquet")) else word for word in words]
    with pytest.raises(InputError, match=f"(?s){match}"):
        run(*files)
