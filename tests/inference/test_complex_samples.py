"""Complex samples as R's survey has them, and what a sampling design refuses."""

import csv
import itertools
import json
from pathlib import Path
from typing import Any

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
CLOSE = 1e-8


def read() -> dict[str, Any]:
    """The invented sample, column by column."""
    with (ORACLES / "complex.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    numbers = {"clusters", "people", "weight", "half", "y", "x", "z"}
    return {
        name: np.array([float(row[name]) if name in numbers else row[name] for row in rows])
        for name in rows[0]
    }


TABLE = read()
PLAIN = {"weights": "weight", "strata": "stratum", "data": TABLE}
WOMEN = TABLE["sex"] == "f"
PLACES = {"farm": 1400, "town": 1200, "village": 900}
SEXES = {"f": 2100, "m": 1400}
ELEMENTS = lab.SamplingDesign(**PLAIN)
CLUSTERS = lab.SamplingDesign(clusters="cluster", **PLAIN)
FINITE = lab.SamplingDesign(clusters="cluster", fpc="clusters", **PLAIN)
STAGES = lab.SamplingDesign(
    clusters=["cluster", "person"], strata="stratum", fpc=["clusters", "people"], data=TABLE
)
UNSTRATIFIED = lab.SamplingDesign(weights="weight", clusters="cluster", data=TABLE)
ALONE = np.where(TABLE["cluster"] == "c1", "alone", TABLE["stratum"])
POSTSTRATIFIED = lab.poststratify(FINITE, TABLE["place"], PLACES)
AUXILIARY = np.column_stack([np.ones(len(WOMEN)), TABLE["x"], ~WOMEN])
TOTALS = [3500, 15000, 1400]
MARGINS = {"place": TABLE["place"], "sex": TABLE["sex"]}
LINEAR = lab.calibrate(FINITE, AUXILIARY, TOTALS)
JACKKNIFE = lab.jackknife(CLUSTERS)
SAMPLINGS = {
    "elements": ELEMENTS,
    "clusters": CLUSTERS,
    "finite": FINITE,
    "stages": STAGES,
    "unstratified": UNSTRATIFIED,
    "women": FINITE.domain(WOMEN),
    "women in stages": STAGES.domain(WOMEN),
    "poststratified": POSTSTRATIFIED,
    "women poststratified": POSTSTRATIFIED.domain(WOMEN),
    "calibrated linear": LINEAR,
    "calibrated raking": lab.calibrate(FINITE, AUXILIARY, TOTALS, "raking"),
    "calibrated bounded": lab.calibrate(FINITE, AUXILIARY, TOTALS, bounds=(0.75, 1.4)),
    "raked": lab.rake(CLUSTERS, MARGINS, {"place": PLACES, "sex": SEXES}),
    "jackknife": JACKKNIFE,
    "jackknife finite": lab.jackknife(FINITE),
    "jackknife unstratified": lab.jackknife(UNSTRATIFIED),
    "jackknife raked": lab.rake(JACKKNIFE, MARGINS, {"place": PLACES, "sex": SEXES}),
}
for name in ("certainty", "adjust", "average"):
    SAMPLINGS[f"lonely {name}"] = lab.SamplingDesign(
        weights="weight", strata=ALONE, clusters="cluster", data=TABLE, lonely=name
    )
PAIRED = TABLE["cluster"] != "c15"
for rho in ("0", "0.3"):
    given = ORACLE[f"balanced {rho} weights"]
    SAMPLINGS[f"balanced {rho}"] = lab.ReplicateWeights(
        weights=TABLE["weight"][PAIRED],
        replicates=np.reshape(given["weights"], (-1, int(PAIRED.sum()))).T,
        scale=given["scale"][0],
        rscales=given["rscales"],
    )
COUNTED = {"jackknife raked", "balanced 0", "balanced 0.3"}  # by R from the rank of replicates


@pytest.mark.checked(
    "survey_mean", "survey_total", "survey_ratio", by="R's survey 4.1-1", value=1e-8, errors=1e-8
)
@pytest.mark.parametrize("name", SAMPLINGS)
def test_totals_means_and_ratios_are_those_of_survey(name, within):
    sampling, result = SAMPLINGS[name], ORACLE[name]
    slice_result = PAIRED if name.startswith("balanced") else slice(None)
    pair = np.column_stack([TABLE["y"], TABLE["x"]])[slice_result]
    total, mean = lab.survey_total(sampling, pair), lab.survey_mean(sampling, pair)
    ratio = lab.survey_ratio(sampling, TABLE["y"][slice_result], TABLE["z"][slice_result])
    for outcome, kind in ((total, "total"), (mean, "mean")):
        assert_allclose(outcome.value, result[kind], rtol=within.value)
        variances = np.reshape(result[f"{kind}_cov"], outcome.covariance.shape).diagonal()
        assert_allclose(outcome.se, np.sqrt(variances), rtol=within.errors, atol=CLOSE)
        assert_allclose(outcome.covariance.ravel(), result[f"{kind}_cov"], rtol=CLOSE, atol=CLOSE)
    assert_allclose(ratio.value, result["ratio"], rtol=within.value)
    assert_allclose(ratio.covariance[0], result["ratio_var"], rtol=within.errors)
    if name not in COUNTED:
        assert sampling.df == result["df"][0]


@pytest.mark.checked("replicated", by="R's survey 4.1-1", value=1e-8, errors=1e-8)
def test_what_replicates_find_is_that_of_survey(within):
    replicated_result = lab.replicated(
        JACKKNIFE, lambda weights: weights @ TABLE["x"] / weights.sum()
    )
    jackknife = ORACLE["jackknife"]
    assert_allclose(replicated_result.value, jackknife["mean"][1], rtol=within.value)
    assert_allclose(replicated_result.se, np.sqrt(jackknife["mean_cov"][3]), rtol=within.errors)


@pytest.mark.checked("estimate_plain_sample", by="R's survey 4.1-1", value=1e-8, errors=1e-8)
@pytest.mark.parametrize("name", ["elements", "clusters", "finite", "stages", "calibrated linear"])
def test_plain_numbers_are_those_of_survey(name, within):
    ticks = TABLE["y"].astype(int).tolist()
    estimate = lab.estimate_plain_sample(ak.Line(0, 2, 1), ticks, SAMPLINGS[name])
    result = ORACLE[name]
    assert_allclose(estimate.mean, result["mean"][0], rtol=within.value)
    assert_allclose(estimate.se, np.sqrt(result["mean_cov"][0]), rtol=within.errors)


YN = ak.Frame(["yes", "no"])
OPEN = ak.Warner(truth=1).channel(YN)
WARNER = ak.Warner(truth="3/4").channel(YN)
REPORTS = np.where(TABLE["y"] == 1, "yes", "no")
COVARIATES = np.column_stack([TABLE["x"], ~WOMEN])
LOGITS = {
    "elements": ELEMENTS,
    "clusters": CLUSTERS,
    "finite": FINITE,
    "stages": STAGES,
    "women": FINITE.domain(TABLE["place"] != "farm"),
    "calibrated": LINEAR,
}


@pytest.mark.checked("response_regression", by="R's survey 4.1-1", value=1e-8, errors=1e-7)
@pytest.mark.parametrize("name", LOGITS)
def test_logits_are_those_of_survey(name, within):
    """Coefficients, covariance, degrees of freedom and Student's intervals."""
    fit = ak.response_regression(REPORTS, COVARIATES, OPEN, sampling=LOGITS[name])
    result = ORACLE[f"logit {name}"]
    assert_allclose(fit.value, result["value"], rtol=within.value)
    assert_allclose(fit.covariance.ravel(), result["cov"], rtol=within.errors)
    assert fit.df == result["df"][0]
    ends = np.concatenate([fit.coefficients().lower, fit.coefficients().upper])
    assert_allclose(ends, result["ends"], rtol=1e-7)
    assert fit.to_dict()["df"] == fit.df
    assert " t " in repr(fit).splitlines()[1]


@pytest.mark.checked("response_regression", by="R's survey 4.1-1", value=1e-8, errors=1e-7)
def test_logits_by_the_jackknife_are_those_of_survey(within):
    """Each replicate is a fit of its own."""
    fit = ak.response_regression(REPORTS, COVARIATES, OPEN, sampling=JACKKNIFE)
    logit_jackknife = ORACLE["logit jackknife"]
    assert_allclose(fit.value, logit_jackknife["value"], rtol=within.value)
    assert_allclose(fit.covariance.ravel(), logit_jackknife["cov"], rtol=within.errors)
    assert fit.df == logit_jackknife["df"][0]


def test_a_sample_of_rows_alone_is_the_robust_sandwich():
    """In every regression; n − 1 is in both."""
    rows, n = lab.SamplingDesign(weights=np.ones(87)), 87
    clusters = lab.SamplingDesign(clusters="cluster", data=TABLE)
    ranges = ak.Ranges(np.floor(TABLE["z"]), np.floor(TABLE["z"]) + 2)
    fits = (
        lambda **how: ak.response_regression(REPORTS, COVARIATES, WARNER, **how),
        lambda **how: ak.censored_regression(ranges, COVARIATES, "logistic", **how),
        lambda **how: lab.outcome_regression(TABLE["z"], REPORTS, COVARIATES, OPEN, **how),
    )
    for fit, parameters in zip(fits, (3, 4, 8), strict=True):
        plain, alone = fit(errors="robust"), fit(sampling=rows)
        assert_allclose(alone.value, plain.value)
        assert_allclose(alone.covariance, plain.covariance, rtol=1e-9)
        assert alone.df == n - parameters
        assert np.all(alone.p_value > plain.p_value)
        pair = (fit(clusters=TABLE["cluster"]), fit(sampling=clusters))
        assert_allclose(pair[1].covariance, pair[0].covariance, rtol=1e-9)


def test_names_of_columns_are_looked_up_in_the_data():
    plan = lab.SamplingColumns(weights="weight", strata="stratum", clusters="cluster")
    data = {**TABLE, "said": REPORTS}
    fit = ak.response_regression("said", "~ x + sex", WARNER, data=data, sampling=plan)
    same = ak.response_regression(REPORTS, COVARIATES, WARNER, sampling=CLUSTERS)
    assert_allclose(fit.covariance, same.covariance)


def test_what_the_channel_draws_stays_in_a_regression_of_everybody():
    """The intercept alone is the logit of the share: both have one variance."""
    census = lab.SamplingDesign(fpc=[87] * 87)
    fit = ak.response_regression(REPORTS, np.empty((87, 0)), WARNER, sampling=census)
    share = ak.estimate(ak.tally(WARNER, REPORTS, sampling=census))
    slope = share.value[0] * share.value[1]
    assert_allclose(fit.covariance[0, 0] * slope**2, share.covariance[0, 0], rtol=1e-6)
    three = ak.KAry(truth="3/5").channel(ak.Frame(["a", "b", "c"]))
    replies = np.array(["a", "b", "c"])[np.arange(87) % 7 % 3]
    fit = ak.response_regression(replies, np.empty((87, 0)), three, sampling=census)
    share = ak.estimate(ak.tally(three, replies, sampling=census))
    assert_allclose(fit.prevalence().covariance, share.covariance, rtol=1e-6)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("weights beside", lambda how: how(weights=np.ones(87))),
        ("clusters beside", lambda how: how(clusters=TABLE["cluster"])),
        ("weights or a sampling design, which", lambda how: how(errors="expected")),
        ("allowed: 87", lambda how: how(sampling=lab.SamplingDesign(weights=[1, 1]))),
        ("without data", lambda how: how(sampling=lab.SamplingColumns(weights="w"))),
        (
            "degrees of freedom for",
            lambda how: how(sampling=lab.SamplingDesign(clusters=TABLE["stratum"])),
        ),
        ("drawn at random", lambda how: how().likelihood_ratio(how())),
    ],
)
def test_a_regression_refuses_what_a_design_does_not_go_with(message, call):
    def how(**inputs):
        return ak.response_regression(
            REPORTS, COVARIATES, OPEN, **({"sampling": CLUSTERS} | inputs)
        )

    with pytest.raises(ak.errors.InputError, match=message):
        call(how)


def test_other_figures_of_survey():
    mean = lab.survey_mean(CLUSTERS, TABLE["y"])
    assert_allclose(mean.effect, ORACLE["design effect"]["mean"], rtol=CLOSE)
    assert_allclose(mean.effective_sample_size * mean.effect, len(WOMEN))
    raked = ORACLE["weights raked by margins"]["weights"]
    assert_allclose(SAMPLINGS["raked"].weights, raked, rtol=CLOSE)


@pytest.mark.parametrize("rho", [0, 0.3])
def test_own_halves_have_the_variance_of_totals_that_survey_finds(rho):
    table = {name: column[PAIRED] for name, column in TABLE.items()}
    own = lab.balanced_replicates(
        lab.SamplingDesign(weights="weight", strata="pair", clusters="cluster", data=table),
        fay=rho,
    )
    stack = np.column_stack([table["y"], table["x"]])
    result = ORACLE[f"balanced {rho}"]
    assert_allclose(own.covariance(stack).ravel(), result["total_cov"], rtol=CLOSE)


def test_replicates_agree_with_the_linearised_variance():
    """Of totals the jackknife exactly, the bootstrap on average."""
    scores = np.column_stack([TABLE["y"], TABLE["x"]])
    for sampling in (CLUSTERS, FINITE, UNSTRATIFIED):
        assert_allclose(lab.jackknife(sampling).covariance(scores), sampling.covariance(scores))
        covariance_result = lab.bootstrap(sampling, 20_000, rng=7).covariance(scores)
        assert_allclose(covariance_result, sampling.covariance(scores), rtol=0.06)


def test_a_stratum_that_is_wholly_drawn_adds_nothing_and_stands_alone():
    design = lab.SamplingDesign(strata=list("aabbb"), clusters=list("ppqrs"), fpc=[1, 1, 9, 9, 9])
    sampling_design = lab.SamplingDesign(clusters=list("qrs"), fpc=[9, 9, 9])
    y = np.array([[5.0], [7.0], [1.0], [2.0], [4.0]])
    assert_allclose(design.covariance(y), sampling_design.covariance(y[2:]))
    assert design.sampling_fraction.tolist() == [1, 1, 1 / 3, 1 / 3, 1 / 3]


def test_chances_and_fractions_give_the_weights():
    assert lab.SamplingDesign(probabilities=[0.5, 0.25]).weights.tolist() == [2, 4]
    assert lab.SamplingDesign(fpc=[0.5, 0.5]).weights.tolist() == [2, 2]
    assert_allclose(
        STAGES.weights.sum(), ORACLE["stages"]["total"][0] / ORACLE["stages"]["mean"][0]
    )


def test_a_domain_keeps_the_sample_and_its_mark():
    assert FINITE.domain(WOMEN).mark == FINITE.mark != CLUSTERS.mark
    assert JACKKNIFE.domain(WOMEN).weights.tolist() == CLUSTERS.domain(WOMEN).weights.tolist()


REFUSED = {
    "no column": {},
    "strata with one cluster": {"strata": ["a", "a", "b"]},
    "a cluster that is in two strata": {"strata": list("aabb"), "clusters": list("pqpr")},
    "rows: ": {"weights": [1, 2], "strata": ["a"] * 3},
    "a population of 1": {"fpc": [1, 2, 2], "strata": list("abb"), "clusters": list("pqr")}
    | {"fpc": [2, 1, 1]},
    "sizes and fractions": {"fpc": [0.5, 3, 3]},
    "several values in one stratum": {"fpc": [3, 4, 4]},
    "a positive size": {"fpc": [0, 1, 1]},
    "weights too": {"weights": [1, 1], "probabilities": [1, 1]},
    "finite weights": {"weights": [1, -1]},
    "chances in": {"probabilities": [0.0, 0.5]},
    "got 'nothing'": {"strata": ["a", None, "a"]},
    "as many as clusters": {"strata": [list("aa"), list("bb")]},
    "its name beside data": {"weights": "w"},
    "got '2 columns'": {"weights": ["w", "v"], "data": {"w": [1, 1], "v": [1, 1]}},
    "a fraction in every stratum": {"strata": list("aabb"), "fpc": [np.inf, np.inf, 30, 30]},
    "every stratum of every stage": {"clusters": [list("aabb"), list("pqrs")], "fpc": [9] * 4},
    "no column 'weigth'": {"weights": "weigth", "data": {"weight": [1, 1]}},
    'allowed: "refuse"': {"weights": [1, 1], "lonely": "ignore"},
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_design_that_cannot_be_is_refused(message):
    with pytest.raises(ak.errors.InputError, match=message):
        lab.SamplingDesign(**REFUSED[message])


def test_a_label_that_is_missing_is_found_in_any_column():
    for kind in (pa.chunked_array, pd.Series, pl.Series, list):
        kind_result = (
            kind([["a", "a", None, None]])
            if kind is pa.chunked_array
            else kind(list("aa") + [None] * 2)
        )
        with pytest.raises(ak.errors.InputError, match=r"strata\[2\]"):
            lab.SamplingDesign(strata=kind_result)


def test_clusters_numbered_anew_in_each_stratum_are_nested_on_demand():
    strata, clusters = list("aaabbb"), [1, 1, 2, 1, 2, 2]
    nested = lab.SamplingDesign(strata=strata, clusters=clusters, nest=True)
    named = lab.SamplingDesign(strata=strata, clusters=["a1", "a1", "a2", "b1", "b2", "b2"])
    y = np.arange(6.0)
    assert_allclose(nested.covariance(y), named.covariance(y))
    assert nested.df == 2


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "a group without people",
            lambda: lab.poststratify(ELEMENTS, TABLE["sex"], SEXES | {"x": 1}),
        ),
        ("allowed: f", lambda: lab.poststratify(ELEMENTS, TABLE["sex"], {"f": 1})),
        (
            "one population",
            lambda: lab.rake(ELEMENTS, MARGINS, {"place": PLACES, "sex": {"f": 1, "m": 1}}),
        ),
        (
            "no weights reach",
            lambda: lab.calibrate(FINITE, AUXILIARY, [3500, 99000, 1400], "raking"),
        ),
        ("negative weights", lambda: lab.calibrate(FINITE, AUXILIARY, [3500, 39000, 1400])),
        ("9.* is missing", lambda: lab.calibrate(FINITE, np.zeros((87, 1)), [9e9])),
        ("allowed: f, m", lambda: lab.poststratify(ELEMENTS, [["f"]] * 87, SEXES)),
        ("at most 200,000,000", lambda: lab.jackknife(lab.SamplingDesign(weights=np.ones(20_000)))),
        (
            "at most 200,000,000",
            lambda: lab.bootstrap(lab.SamplingDesign(weights=np.ones(3000)), 100_000, rng=1),
        ),
        ("got '2 columns'", lambda: lab.survey_ratio(CLUSTERS, WOMEN * 1.0, np.ones((87, 2)))),
        ("names of columns", lambda: lab.SamplingColumns(weights="")),
        (
            "df",
            lambda: lab.ReplicateWeights(
                weights=[1, 1], replicates=[[1, 2], [2, 1]], scale=1, df=-1
            ),
        ),
        ("0 < lower", lambda: lab.calibrate(FINITE, AUXILIARY, TOTALS, bounds=(0, 2))),
        ("1 < upper", lambda: lab.calibrate(FINITE, AUXILIARY, TOTALS, bounds=(1.1, 2))),
        ("a calibrated sampling design", lambda: lab.jackknife(LINEAR)),
        ("use jackknife", lambda: lab.balanced_replicates(CLUSTERS)),
        ("truth values", lambda: CLUSTERS.domain([1, 0])),
        ("87 rows of finite", lambda: CLUSTERS.covariance(np.ones(3))),
        ("a total of 0", lambda: lab.survey_ratio(CLUSTERS, WOMEN * 1.0, np.zeros(87))),
        ("what is no number", lambda: lab.replicated(JACKKNIFE, lambda w: np.nan)),
        (
            "rows, and a column",
            lambda: lab.ReplicateWeights(weights=[1, 1], replicates=[1, 1], scale=1),
        ),
    ],
)
def test_what_cannot_be_done_with_a_design_says_why(message, call):
    with pytest.raises(ak.errors.InputError, match=message):
        call()


def test_one_cluster_tells_nothing_of_its_error() -> None:
    """Intervals then hold every share: an error with 0 degrees of freedom is none."""
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    alone = ak.inference.SamplingDesign(clusters=["a"] * 20, lonely="certainty")
    result = ak.estimate(ak.tally(q, ["yes"] * 12 + ["no"] * 8, sampling=alone))
    assert "0 degrees of freedom" in result.method
    assert (result.lower.tolist(), result.upper.tolist()) == ([0, 0], [1, 1])


def test_other_people_do_not_take_the_weights_of_respondents() -> None:
    """Though they be as many; of respondents whose covariates were changed they do."""
    rng = np.random.default_rng(2)
    q = ak.Warner(truth="9/10").channel(ak.Frame(["yes", "no"]))
    x, weights = rng.normal(size=(300, 1)), rng.uniform(1, 5, 300)
    truth = np.where(rng.random(300) < 1 / (1 + np.exp(-x[:, 0])), "yes", "no")
    fit = ak.response_regression(
        ak.privatise(q, truth, rng=rng), x, q, sampling=ak.inference.SamplingDesign(weights=weights)
    )
    others = rng.normal(size=(300, 1))
    np.testing.assert_allclose(
        fit.prevalence(others).value, fit.prevalence(np.vstack([others] * 2)).value
    )
    np.testing.assert_allclose(fit.prevalence(x).value, fit.prevalence().value)
    shifted = fit.predict(x + 1) - fit.predict(x)
    result = fit.difference(x + 1, x).value
    np.testing.assert_allclose(result, np.average(shifted, axis=0, weights=weights))


def test_no_degree_of_freedom_is_said_beside_what_has_no_interval():
    """A cluster in each stratum, of which it was said that it adds nothing."""
    result = {"strata": [1, 1, 2, 2], "clusters": [1, 1, 2, 2], "lonely": "certainty"}
    sampling = lab.SamplingDesign(**result)
    scrambling = lab.Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6))
    for outcome in (
        lab.survey_mean(sampling, [1, 2, 3, 5]),
        lab.survey_total(sampling, [1, 2, 3, 5]),
        lab.scrambled_mean([12.0, 30.0, 21.0, 45.0], scrambling, sampling=sampling),
    ):
        assert np.isnan(outcome.lower).all()
        assert np.isnan(outcome.upper).all()
        assert "0 degrees of freedom, so no interval is known" in repr(outcome)
    mean = lab.survey_mean(lab.SamplingDesign(strata=[1, 1, 2, 2]), [1, 2, 3, 5])
    assert "2 degrees of freedom" in repr(mean)
    assert "no interval" not in repr(mean)


@pytest.mark.parametrize("statistic", ["total", "mean"])
def test_a_finite_population_takes_nothing_of_the_channels_draws(statistic):
    """By enumeration: every sample of three of five, and every report that each may send."""
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    truth, chances, values, covariances = [0, 0, 1, 1, 1], [], [], []
    for people in itertools.combinations(range(5), 3):
        for combination in itertools.product(range(2), repeat=3):
            sampling = ak.inference.SamplingDesign(fpc=[5] * 3)
            report = [q.reports[element] for element in combination]
            of = ak.inference.survey_total if statistic == "total" else ak.inference.survey_mean
            result = of(sampling, report, channel=q)
            draws = [
                q.matrix[truth[who], element]
                for who, element in zip(people, combination, strict=True)
            ]
            chances.append(np.prod(draws) / 10)
            values.append(result.value)
            covariances.append(result.covariance)
    weights, item = np.array(chances), np.array(values)
    mean = weights @ item
    right = (item - mean).T @ ((item - mean) * weights[:, None])
    np.testing.assert_allclose(mean, np.array([2, 3]) / (1 if statistic == "total" else 5))
    np.testing.assert_allclose(np.tensordot(weights, covariances, 1), right, atol=1e-12)
