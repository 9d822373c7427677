"""Tallies of a complex sample are the same from every engine, and what R's survey finds."""

import json
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

import askance as ak

lab = ak.inference
ORACLES = Path(__file__).parents[1] / "oracles"
ORACLE = json.loads((ORACLES / "complex.json").read_text(encoding="utf-8"))
YN = ak.Frame(["yes", "no"])
OPEN = ak.Warner(truth=1).channel(YN)
WARNER = ak.Warner(truth="3/4").channel(YN)
TABLE = pd.read_csv(ORACLES / "complex.csv")
TABLE["said"] = np.where(TABLE["y"] == 1, "yes", "no")
PLANS = {
    "elements": {"weights": "weight", "strata": "stratum"},
    "clusters": {"weights": "weight", "strata": "stratum", "clusters": "cluster"},
    "finite": {
        "weights": "weight",
        "strata": "stratum",
        "clusters": "cluster",
        "fpc": "clusters",
    },
    "stages": {
        "strata": "stratum",
        "clusters": ["cluster", "person"],
        "fpc": ["clusters", "people"],
    },
    "unstratified": {"weights": "weight", "clusters": "cluster"},
}
DOMAINS = {"women": "finite", "women in stages": "stages"}


@pytest.mark.parametrize("name", [*PLANS, *DOMAINS])
def test_shares_through_the_direct_question_are_those_of_survey(name):
    plan = lab.SamplingColumns(**PLANS[DOMAINS.get(name, name)])
    by = "sex" if name in DOMAINS else None
    result = ak.tally(OPEN, TABLE, "said", by=by, sampling=plan)
    item = result if by is None else result["f"]
    shares = ak.estimate(item)
    output = ORACLE[name]
    assert_allclose(shares.value[0], output["mean"][0], rtol=1e-8)
    assert_allclose(shares.covariance[0, 0], output["mean_cov"][0], rtol=1e-8)
    assert_allclose(item.sample.covariance[0, 0], output["total_cov"][0], rtol=1e-8)
    assert item.sample.df == output["df"][0]


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("by", [None, "place", ["sex", "place"]])
def test_the_engine_and_the_rows_at_hand_agree(name, by):
    """Blanks, groups and chunks included."""
    plan = lab.SamplingColumns(**PLANS[name])
    assign_result = TABLE.assign(said=TABLE["said"].where(TABLE["x"] < 6))
    at_hand = ak.tally(WARNER, assign_result, "said", by=by, sampling=plan.of(assign_result))
    for source in (assign_result, iter([assign_result[:30], assign_result[30:]])):
        grouped = ak.tally(WARNER, source, "said", by=by, sampling=plan)
        pairs = [(grouped, at_hand)] if by is None else [(grouped[g], at_hand[g]) for g in at_hand]
        for item, other in pairs:
            assert item.counts.tolist() == other.counts.tolist()
            assert item.blanks == other.blanks
            assert item.sample.df == other.sample.df
            for word in ("covariance", "fpc_squares"):
                assert_allclose(
                    getattr(item.sample, word), getattr(other.sample, word), rtol=1e-9, atol=1e-9
                )
            assert_allclose(item.weights, other.weights)
            assert_allclose(item.squares, other.squares)


def held_by_engines(table: pd.DataFrame, folder: Path) -> dict[str, object]:
    """The same rows in every engine at hand, and in files."""
    table.to_csv(folder / "sent.csv", index=False)
    table.to_parquet(folder / "sent.parquet")
    table.to_json(folder / "sent.jsonl", orient="records", lines=True)
    columns = pl.from_pandas(table)
    engines = {"pandas": table, "polars": columns, "lazy": columns.lazy()}
    engines |= {"pyarrow": pa.table(table), "duckdb": duckdb.from_df(table)}
    return engines | {kind: folder / f"sent.{kind}" for kind in ("csv", "parquet", "jsonl")}


@pytest.mark.long
def test_every_engine_groups_alike(tmp_path):
    plan = lab.SamplingColumns(**PLANS["finite"])
    expected = ak.tally(WARNER, TABLE, "said", sampling=plan)
    for source in held_by_engines(TABLE, tmp_path).values():
        result = ak.tally(WARNER, source, "said", sampling=plan)
        assert_allclose(result.sample.covariance, expected.sample.covariance)
        assert result.sample.samples == expected.sample.samples
    columns = plan.of(pl.from_pandas(TABLE))
    for column in (TABLE["said"].tolist(), TABLE["said"], pl.Series(TABLE["said"].tolist())):
        result = ak.tally(WARNER, column, sampling=columns, by=TABLE["sex"].tolist())["f"]
        assert result.total == (TABLE["sex"] == "f").sum()


@pytest.mark.long
def test_what_is_no_report_is_told_with_its_first_row(tmp_path):
    assign_result = TABLE.assign(said=TABLE["said"].where(~TABLE.index.isin([4, 7]), "perhaps"))
    position = {
        "pandas": r"tally\.column\[4\]",
        "polars": r"tally\.column\[4\]",
        "pyarrow": r"tally\.column\[4\]",
        "csv": r"sent\.csv: row 6, column 'said'",
        "parquet": r"sent\.parquet: row 5, column 'said'",
        "jsonl": r"sent\.jsonl: line 5, column 'said'",
    }
    for engine, source in held_by_engines(assign_result, tmp_path).items():
        value = position.get(engine, r"tally\.column")  # of lazy frames rows are in no order
        with pytest.raises(ak.errors.InputError, match=rf"{value}: got 'perhaps'.*in \d rows?"):
            ak.tally(WARNER, source, "said", sampling=lab.SamplingColumns(**PLANS["clusters"]))


@pytest.mark.long
@pytest.mark.parametrize("name", ["elements", "finite"])
def test_rows_of_weight_0_are_counted_by_no_engine(name, tmp_path):
    """They were drawn, and so belong to stratum and cluster; as at hand, nobody counts them."""
    plan = lab.SamplingColumns(**PLANS[name])
    outside = np.arange(87) % 3 == 1
    outside |= (TABLE["stratum"] == "west") & (TABLE["said"] == "yes")  # a group of them alone
    assign_result = TABLE.assign(
        weight=TABLE["weight"].where(~outside, 0.0), said=TABLE["said"].where(TABLE["x"] < 6)
    )
    at_hand = ak.tally(WARNER, assign_result, "said", by="sex", sampling=plan.of(assign_result))
    inside = assign_result[~outside & assign_result["said"].notna()]
    assert {sex: value.total for sex, value in at_hand.items()} == dict(
        inside["sex"].value_counts()
    )
    for engine, source in held_by_engines(assign_result, tmp_path).items():
        grouped = ak.tally(WARNER, source, "said", by="sex", sampling=plan)
        for sex, other in at_hand.items():
            item = grouped[sex]
            assert item.counts.tolist() == other.counts.tolist(), engine
            assert item.blanks == other.blanks, engine
            assert item.sample.df == other.sample.df, engine
            assert_allclose(item.sample.covariance, other.sample.covariance, rtol=1e-9, atol=1e-9)
            assert_allclose([item.weights, item.squares], [other.weights, other.squares])


@pytest.mark.parametrize("lonely", ["certainty", "adjust", "average"])
def test_a_stratum_of_one_person_is_dealt_with_alike(lonely):
    assign_result = TABLE.assign(alone=np.where(np.arange(87) == 4, "alone", TABLE["stratum"]))
    inputs = {"weights": "weight", "strata": "alone", "lonely": lonely}
    plan = lab.SamplingColumns(**inputs)
    item = ak.tally(WARNER, assign_result, "said", sampling=plan)
    other = ak.tally(WARNER, assign_result, "said", sampling=plan.of(assign_result))
    assert_allclose(item.sample.covariance, other.sample.covariance)
    with pytest.raises(ak.errors.InputError, match="1 of 4 strata"):
        ak.tally(
            WARNER,
            assign_result,
            "said",
            sampling=lab.SamplingColumns(weights="weight", strata="alone"),
        )


def test_replicates_and_calibrated_designs_are_taken_at_hand():
    plan = lab.SamplingColumns(**PLANS["clusters"]).of(TABLE)
    jackknife = ak.tally(WARNER, TABLE, "said", sampling=lab.jackknife(plan))
    linearised = ak.tally(WARNER, TABLE, "said", sampling=plan)
    held_covariance, by_totals = jackknife.sample.covariance, linearised.sample.covariance
    assert_allclose(held_covariance.sum(), by_totals.sum())  # of the sum of weights
    replies = (TABLE["said"] == "yes").to_numpy(), TABLE["said"].notna().to_numpy()

    def share(weights):
        return weights @ replies[0] / (weights @ replies[1])

    itself = lab.replicated(lab.jackknife(plan), share)
    weights = jackknife.weights
    separate = np.array([1 - itself.value[0], -itself.value[0]]) / weights.sum()
    assert_allclose(separate @ held_covariance @ separate, itself.covariance[0, 0])
    assert_allclose(
        separate @ held_covariance @ separate, separate @ by_totals @ separate, rtol=0.05
    )
    assert (jackknife.sample.replicates, linearised.sample.replicates) == (len(plan_clusters()), 0)
    poststratify_result = lab.poststratify(plan, TABLE["said"], {"yes": 1800, "no": 1700})
    assert_allclose(
        ak.tally(OPEN, TABLE, "said", sampling=poststratify_result).sample.covariance, 0, atol=1e-9
    )


def plan_clusters():
    return TABLE.groupby(["stratum", "cluster"]).size()


def test_how_the_variance_was_found_is_told_wherever_it_stands():
    """Of replicates, and of none: in tallies, also written ones, groups, sums, and estimates."""
    plan, over = (
        lab.SamplingColumns(**PLANS["clusters"]).of(TABLE),
        f"over {len(plan_clusters())} rep",
    )
    for sampling, result in ((lab.jackknife(plan), over), (plan, None)):
        sent_tally = ak.tally(WARNER, TABLE, "said", sampling=sampling)
        again = ak.Tally.from_json(sent_tally.to_json(), WARNER)
        assert again == sent_tally
        assert ("replicates" in sent_tally.to_dict()["design"]) is (result is not None)
        ways = dict.fromkeys(("f", "m"), WARNER)
        groups = ak.engines.tally_groups(ways, "said", "sex", data=TABLE, sampling=sampling)
        entire = (
            ak.estimate(again),
            lab.moment_estimate(sent_tally),
            ak.estimate(groups),
            lab.estimate_domains(groups.parts),
            lab.estimate_frequencies(sent_tally),
            ak.estimate_joint({"one": WARNER}, reports={"one": TABLE["said"]}, sampling=sampling),
        )
        for outcome in entire:
            assert ("linearised variance" in repr(outcome)) is (result is None), repr(outcome)
            assert result is None or result in repr(outcome)
        assert result is None or (result in repr(sent_tally) and result in repr(groups.stacked))
        assert "df" in entire[-1].to_dict()
        pair = ak.tally(
            WARNER, TABLE, "said", sampling=lab.SamplingDesign(clusters=TABLE["cluster"])
        )
        assert (sent_tally + pair).sample.replicates == sent_tally.sample.replicates


def test_who_is_outside_a_domain_is_not_counted():
    """As a group of all, and with the mark of the same sample."""
    sampling = lab.SamplingColumns(**PLANS["finite"]).of(TABLE)
    women, men = (
        ak.tally(WARNER, TABLE, "said", sampling=sampling.domain(TABLE["sex"] == character))
        for character in "fm"
    )
    assert women == ak.tally(WARNER, TABLE, "said", by="sex", sampling=sampling)["f"]
    assert women.total == (TABLE["sex"] == "f").sum()
    with pytest.raises(ak.errors.InputError, match="not independent"):
        women + men
    nobody = sampling.domain(np.zeros(87, dtype=bool))
    with pytest.raises(ak.errors.InputError, match="no report"):
        ak.tally(WARNER, TABLE, "said", sampling=nobody)
    without = TABLE.assign(weight=0.0)
    with pytest.raises(ak.errors.InputError, match="weights of 0 alone"):
        ak.tally(WARNER, without, "said", sampling=lab.SamplingColumns(weights="weight"))


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("as fpc_squares has it", {"covariance": [[1.0]]}),
        ("no covariance", {"covariance": [[1, 5], [5, 1]]}),
        ("no covariance", {"covariance": [[1, 1], [0, 1]]}),
        ("no covariance", {"covariance": [[1, 0], [0, np.inf]]}),
        (r"fpc_squares\[1\]", {"fpc_squares": [0, -1]}),
        ("df", {"df": -1.0}),
        ("replicates", {"replicates": -1}),
    ],
)
def test_sums_that_no_design_has_are_refused(said, change):
    inputs = {"covariance": np.eye(2), "df": 3.0, "fpc_squares": [0, 0], "samples": ["a"]}
    with pytest.raises(ak.errors.InputError, match=said):
        ak.channels.SampledCounts(**inputs | change)


def test_what_takes_no_design_says_what_does():
    """Estimators that would pass over the sample refuse it and name those that know it."""
    sent_tally = ak.tally(WARNER, TABLE, "said", sampling=lab.SamplingColumns(**PLANS["finite"]))
    with pytest.raises(ak.errors.InputError, match=r"complex sample.*interval of estimate"):
        lab.discriminate(WARNER, 0.1, 0.3, 9).favours_second(sent_tally)
    weighed = np.array([[250.5, 99.5], [120.0, 300.0]])
    with pytest.raises(ak.errors.InputError, match="reports= and sampling="):
        ak.estimate_joint({"smokes": WARNER, "drinks": WARNER}, weighed)


def test_independent_samples_add_and_groups_of_one_do_not():
    plan = lab.SamplingColumns(**PLANS["clusters"])
    north, south = (
        ak.tally(OPEN, TABLE[TABLE["stratum"] == word], "said", sampling=plan)
        for word in ("north", "south")
    )
    pair = ak.tally(OPEN, TABLE[TABLE["stratum"] != "west"], "said", sampling=plan)
    assert_allclose((north + south).sample.covariance, pair.sample.covariance)
    assert (north + south).sample.df == pair.sample.df
    sexes = ak.tally(OPEN, TABLE, "said", by="sex", sampling=plan)
    with pytest.raises(ak.errors.InputError, match="not independent"):
        sexes["f"] + sexes["m"]
    plain = ak.tally(OPEN, TABLE, "said", weights="weight")
    with pytest.raises(ak.errors.InputError, match="without a sampling design"):
        north + plain


def test_a_written_tally_keeps_its_design(tmp_path):
    plan = lab.SamplingColumns(**PLANS["finite"])
    sent_tally = ak.tally(WARNER, TABLE, "said", sampling=plan)
    assert ak.Tally.from_json(sent_tally.to_json(), WARNER) == sent_tally
    (tmp_path / "sent.json").write_text(sent_tally.to_json(), encoding="utf-8")
    assert ak.tally(WARNER, tmp_path / "sent.json") == sent_tally
    written = sent_tally.to_dict()
    for name, wrong in (
        ("covariance", {"yes": {"yes": -1.0}}),
        ("covariance", {"perhaps": {}}),
        ("repeated", [1]),
        ("df", "12"),
        ("samples", "all"),
        ("replicates", 1.5),
        ("replicates", -1),
        ("replicates", True),
    ):
        broken = {**written, "design": {**written["design"], name: wrong}}
        with pytest.raises((ak.errors.DocumentError, ak.errors.InputError)):
            ak.Tally.from_dict(broken, WARNER)
    with pytest.raises(ak.errors.DocumentError):
        ak.Tally.from_dict({**written, "design": {}}, WARNER)


def test_what_the_channel_draws_is_not_less_for_a_census():
    """All were asked: only the coin is left, and its variance is that of Warner's."""
    n = 400
    reports = ["yes"] * 160 + ["no"] * 240
    census = ak.tally(WARNER, reports, sampling=lab.SamplingDesign(fpc=[n] * n))
    assert_allclose(census.sample.covariance, 0, atol=1e-9)
    result = ak.estimate(census)
    assert_allclose(result.covariance[0, 0], 0.75 * 0.25 / 0.25 / n)
    half = ak.tally(WARNER, reports, sampling=lab.SamplingDesign(fpc=[2 * n] * n))
    share = (0.4 - 0.25) / 0.5
    draws = share * (1 - share) / n * (1 - 0.5)
    expected = draws + 0.75 * 0.25 / 0.25 / n
    assert_allclose(ak.estimate(half).covariance[0, 0], expected, rtol=2 / n)


@pytest.mark.parametrize(
    ("said", "call"),
    [
        (
            "weights beside",
            {"weights": "weight", "sampling": lab.SamplingColumns(weights="weight")},
        ),
        ("as many as reports", {"sampling": lab.SamplingDesign(weights=[1, 1])}),
        ("no column 'wieght'", {"sampling": lab.SamplingColumns(weights="wieght")}),
    ],
)
def test_a_design_that_does_not_fit_is_refused(said, call):
    with pytest.raises(ak.errors.InputError, match=said):
        ak.tally(WARNER, TABLE, "said", **call)


def test_groups_of_a_complex_sample_go_to_the_regression():
    """Which takes a channel for each group; asked alike, it is the share of all."""
    plan = lab.SamplingColumns(**PLANS["clusters"])
    sent_tally = ak.tally(WARNER, TABLE, "said", sampling=plan)
    with pytest.raises(ak.errors.InputError, match="tally_groups"):
        ak.channels.GroupedTally({"a": sent_tally, "b": sent_tally})
    fit = ak.response_regression(
        TABLE["said"],
        np.empty((87, 0)),
        [WARNER, WARNER],
        group=np.arange(87) % 2,
        sampling=plan.of(TABLE),
    )
    share = ak.estimate(sent_tally)
    assert_allclose(fit.prevalence().value, share.value, rtol=1e-6)
    assert_allclose(fit.prevalence().covariance, share.covariance, rtol=1e-5)


def test_a_design_stands_where_its_rows_are(tmp_path):
    rows = lab.SamplingDesign(weights=[1.0] * 87)
    TABLE.to_csv(tmp_path / "sent.csv", index=False)
    for source in (TABLE.iterrows(), tmp_path / "sent.csv", duckdb.from_df(TABLE)):
        with pytest.raises(ak.errors.InputError, match="name the sampling design's columns"):
            ak.tally(WARNER, source, "said", sampling=rows)
    with pytest.raises(ak.errors.InputError, match=r"sampling\.of"):
        ak.tally(WARNER, ["yes"], sampling=lab.SamplingColumns(weights="weight"))
    bits = ak.mechanisms.UnaryEncoding(truth="1/2", lie="1/4").channel(YN)
    values = np.zeros((87, 1), dtype=np.uint8)
    assert ak.tally(bits, values, sampling=rows).sample.df == 86
    with pytest.raises(ak.errors.InputError, match="read the rows first"):
        ak.tally(bits, iter([values]), sampling=rows)
