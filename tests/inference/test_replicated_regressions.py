"""Regressions by replicates: each replicate fits the whole model again, as R's survey does."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import f

import askance as ak

lab = ak.inference
ORACLES = Path(__file__).parents[1] / "oracles"
ORACLE = json.loads((ORACLES / "replicated_fits.json").read_text(encoding="utf-8"))


def read():
    """The invented sample, column by column, and what the R script makes of it."""
    with (ORACLES / "complex.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return table | {name: table[name].astype(float) for name in ("weight", "x", "y", "z")}


TABLE = read()
PAIRED = TABLE["cluster"] != "c15"
AT = np.arange(1, 88)
MEN = (TABLE["sex"] == "m").astype(float)
COVARIATES = np.column_stack([TABLE["x"], MEN])
OUTCOME = AT % 2
COUNT = (np.floor(TABLE["x"] * 7) % 4 + OUTCOME * TABLE["y"]).astype(int)
YN, SIZES = ak.Frame(["yes", "no"]), ak.Frame(["farm", "village", "town"])
OPEN, WARNER = (ak.Warner(truth=item).channel(YN) for item in (1, "9/10"))
SIZE_CHANNEL = ak.KAry(truth=1).channel(SIZES)
REPORTS = np.where(TABLE["y"] == 1, "yes", "no")
FLIPPED = np.where((TABLE["y"] == 1) ^ (AT % 9 == 0), "yes", "no")


def sampling(name):
    """R's own replicates."""
    result, kept_ones = ORACLE[name], PAIRED if name == "fay" else np.ones(87, dtype=bool)
    return lab.ReplicateWeights(
        weights=TABLE["weight"][kept_ones],
        replicates=np.reshape(result["weights"], (-1, int(kept_ones.sum()))).T,
        scale=result["scale"][0],
        rscales=result["rscales"],
        mse=bool(result["mse"][0]),
        df=result["df"][0],
    )


RANGES = ak.Ranges(np.floor(TABLE["z"]), np.floor(TABLE["z"]) + 2)
FITS = {
    "logit": lambda remaining, how: ak.response_regression(
        REPORTS[remaining], COVARIATES[remaining], OPEN, sampling=how
    ),
    "warner": lambda _, how: ak.response_regression(FLIPPED, COVARIATES, WARNER, sampling=how),
    "line": lambda stored, how: lab.outcome_regression(
        TABLE["z"][stored], REPORTS[stored], COVARIATES[stored], OPEN, sampling=how
    ),
    "censored": lambda _, how: ak.censored_regression(RANGES, COVARIATES, "logistic", sampling=how),
    "ordered": lambda _, how: ak.response_regression(
        TABLE["place"], COVARIATES, SIZE_CHANNEL, ordered=True, sampling=how
    ),
    "mean counts": lambda _, how: lab.item_count_least_squares(
        COUNT, OUTCOME, COVARIATES, items=3, link="identity", sampling=how
    ),
    "counts": lambda _, how: lab.item_count_regression(
        COUNT, OUTCOME, TABLE["x"][:, None], items=3, sampling=how
    ),
}
WAYS = ("jackknife", "jackknife mse", "jackknife finite", "bootstrap", "fay")
CASES = [(fit, name) for fit in FITS for name in WAYS if f"{fit} {name}" in ORACLE]


@pytest.mark.checked(
    "response_regression",
    "outcome_regression",
    "censored_regression",
    "item_count_least_squares",
    by="withReplicates of R's survey 4.1-1",
    value=1e-7,
    errors=1e-6,
)
@pytest.mark.parametrize(("fit", "name"), [item for item in CASES if item[0] != "counts"])
def test_fits_are_those_of_withreplicates(fit, name, within):
    agrees(fit, name, value_within=within.value, se_within=within.errors)


@pytest.mark.checked(
    "item_count_regression", by="withReplicates of R's survey 4.1-1", value=2e-6, errors=2e-5
)
@pytest.mark.parametrize("name", [name for fit, name in CASES if fit == "counts"])
def test_counts_are_those_of_withreplicates(name, within):
    """R climbs by optim."""
    agrees("counts", name, value_within=within.value, se_within=within.errors)


def agrees(fit, name, *, value_within, se_within):
    """Covariances of all coefficients, whatever the model, by every kind of replicates."""
    result, slice_result = ORACLE[f"{fit} {name}"], PAIRED if name == "fay" else slice(None)
    fits = FITS[fit](slice_result, sampling(name))
    some = len(result["value"])
    assert_allclose(fits.value[:some], result["value"], rtol=value_within)
    reshape_result = np.reshape(result["cov"], (some, some))
    size = np.sqrt(np.outer(reshape_result.diagonal(), reshape_result.diagonal()))
    assert_allclose(fits.covariance[:some, :some] / size, reshape_result / size, atol=se_within)
    assert fits.standard_errors.replicates == sampling(name).replicates.shape[1]


def test_degrees_of_freedom_and_intervals_are_those_of_svyglm():
    fit, svyglm_jackknife = (
        FITS["logit"](slice(None), sampling("jackknife")),
        ORACLE["svyglm jackknife"],
    )
    assert_allclose(fit.covariance.ravel(), svyglm_jackknife["cov"], rtol=1e-7)
    assert fit.df == svyglm_jackknife["df"][0] == 10
    ends = np.concatenate([fit.coefficients().lower, fit.coefficients().upper])
    assert_allclose(ends, svyglm_jackknife["ends"], rtol=1e-7)
    assert str(fit.standard_errors) == "15 replicates, 10 degrees of freedom"


def villages(n=320):
    """Two protected traits, a list and an outcome of people of ten villages."""
    rng = np.random.default_rng(12)
    x, village = rng.normal(size=n), np.arange(n) % 10
    is_single = rng.random(n) < 1 / (1 + np.exp(-x - rng.normal(0, 0.4, 10)[village]))
    two = np.where(is_single, rng.random(n) < 0.7, rng.random(n) < 0.3)
    arm = rng.integers(0, 2, n)
    count = rng.binomial(3, rng.beta(1, 1, n)) + arm * is_single
    first, second = (
        ak.privatise(WARNER, np.where(content, "yes", "no"), rng=rng)
        for content in (is_single, two)
    )
    group = rng.integers(0, 2, n)
    channels = [
        ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)
    ]
    denies = is_single & (rng.random(n) < 0.3)
    selected = np.where(
        ~denies & (is_single | (rng.random(n) < np.array([0.2, 0.8])[group])), "yes", "no"
    )
    how = lab.jackknife(lab.SamplingDesign(weights=rng.uniform(1, 4, n), clusters=village))
    return (
        x,
        first,
        second,
        arm,
        count,
        1 + is_single + rng.normal(size=n),
        (selected, channels, group),
        how,
    )


X, FIRST, SECOND, ARM, MANY, EARNED, LIED, ENDS = villages()
TWICE = {"first": FIRST, "second": SECOND}, X, {"first": WARNER, "second": WARNER}
AGAIN = {
    "paired": lambda **how: lab.paired_regression(*TWICE, **how),
    "compliance": lambda **how: lab.compliance_regression(
        LIED[0], X, LIED[1], lab.stochastic_lie_detector(), group=LIED[2], **how
    ),
    "least squares": lambda **how: lab.item_count_least_squares(MANY, ARM, X, items=3, **how),
    "anchored": lambda **how: lab.item_count_least_squares(
        MANY, ARM, X, items=3, anchored=True, **how
    ),
    "outcome of a list": lambda **how: lab.item_count_outcome(MANY, ARM, EARNED, items=3, **how),
    "overdispersed": lambda **how: lab.item_count_regression(
        MANY, ARM, items=3, overdispersed=True, **how
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", AGAIN)
def test_replicates_are_whole_fits(name):
    """The brute-force twin: the regression is called anew with the weights of each replicate."""
    value = AGAIN[name](sampling=ENDS)
    fit = value.classes if name == "compliance" else value
    some = 2 if name == "overdispersed" else len(fit.value)  # without a logit that has no end
    twin = lab.replicated(ENDS, lambda weights: AGAIN[name](weights=weights).value[:some])
    assert_allclose(fit.value[:some], twin.value, rtol=1e-6, atol=1e-7)
    size = np.sqrt(np.outer(twin.se, twin.se))
    assert_allclose(fit.covariance[:some, :some] / size, twin.covariance / size, atol=2e-5)
    assert fit.standard_errors.replicates == 10


def test_a_replicate_to_which_nothing_fits_is_named():
    """R's survey gives a standard error of 45 there, of wherever its climb stopped."""
    with pytest.raises(ak.errors.NotIdentified, match=r"sampling.replicates\[:, \d+\].*no top"):
        FITS["counts"](slice(None), sampling("bootstrap"))
    replicate_weights = lab.ReplicateWeights(
        weights=ENDS.weights, replicates=ENDS.replicates - 1.5, scale=ENDS.scale
    )
    with pytest.raises(ak.errors.InputError, match=r"replicates\[:, 0\].*negative"):
        ak.response_regression(FIRST, X, WARNER, sampling=replicate_weights)


def test_what_the_channel_draws_is_given_back_beside_replicates_of_a_finite_population():
    """Of nearly all villages: the coins of everybody asked were tossed anew."""
    result = {"clusters": np.arange(320) % 10, "fpc": np.full(320, 11)}
    finite, plain = (
        lab.jackknife(lab.SamplingDesign(**item))
        for item in (result, {"clusters": result["clusters"]})
    )
    most = ak.response_regression(FIRST, X, WARNER, sampling=finite)
    less = ak.response_regression(FIRST, X, OPEN, sampling=finite)
    free = ak.response_regression(FIRST, X, OPEN, sampling=plain)
    assert_allclose(less.covariance, free.covariance / 11, rtol=1e-9)
    assert (most.se > 2 * less.se).all()


def test_a_chance_at_its_edge_is_linearised():
    """Replicates that stay there would tell nothing of how sure it is."""
    fit = lab.item_count_regression(MANY, ARM, items=3, misreport="ceiling", sampling=ENDS)
    assert fit.model.fixed
    assert fit.standard_errors.source is ak.inference.ErrorSource.LINEARISED
    assert np.isfinite(fit.se).all()


OPENLY = ((AT % 4 == 0) & (TABLE["y"] == 1)).astype(int)
SECOND = (np.floor(TABLE["x"] * 3) % 4 + (1 - OUTCOME) * TABLE["y"]).astype(int)
KINDS = ("jackknife", "jackknife mse", "jackknife finite", "bootstrap")


@pytest.mark.checked(
    "item_count_with_direct",
    "double_item_count",
    by="withReplicates of R's survey 4.1-1",
    value=1e-12,
    errors=1e-10,
)
@pytest.mark.parametrize("name", KINDS)
def test_joined_lists_are_those_of_withreplicates(name, within):
    item_count = lab.item_count_with_direct(COUNT, OUTCOME, OPENLY, sampling=sampling(name))
    double = lab.double_item_count(COUNT, SECOND, OUTCOME, sampling=sampling(name))
    for result, output in (
        (item_count, ORACLE[f"joined {name}"]),
        (double, ORACLE[f"double {name}"]),
    ):
        assert_allclose(result.shares.value, output["value"], rtol=within.value)
        assert_allclose(result.shares.covariance.ravel(), output["cov"], rtol=within.errors)
    output = ORACLE[f"placebo {name}"]
    assert_allclose(item_count.statistic[1], output["value"][0], rtol=1e-12)
    assert_allclose(item_count.se[1] ** 2, output["cov"][0], rtol=1e-10)
    linear = lab.item_count_with_direct(
        COUNT, OUTCOME, OPENLY, sampling=lab.SamplingDesign(weights=TABLE["weight"])
    )
    assert_allclose(linear.shares.value, item_count.shares.value)
    assert (np.abs(linear.shares.se / item_count.shares.se - 1) > 0.01).all()


def test_a_test_that_a_replicate_cannot_make_is_left_out_and_a_share_refused():
    yes = np.where(np.arange(320) % 10 < 2, ARM, 0)  # outright, of two villages that saw the item
    yes[[0, 10, 1, 11]] = 1
    item_count = lab.item_count_with_direct(MANY, ARM, yes, sampling=ENDS)
    assert np.isfinite(item_count.shares.se).all()
    alone = np.where(np.arange(320) % 10 == 3, 0, 1)  # one village alone saw the other list
    for call in (
        lambda: lab.item_count_with_direct(MANY, alone, yes, sampling=ENDS),
        lambda: lab.double_item_count(MANY, MANY, alone, sampling=ENDS),
    ):
        with pytest.raises(ak.errors.NotIdentified, match=r"replicates\[:, 3\].*nobody"):
            call()
    one_village = (np.arange(320) % 10 == 3).astype(int)
    few = lab.item_count_with_direct(MANY, ARM, one_village, sampling=ENDS)
    assert np.isnan(few.se[0])
    assert np.isfinite(few.se[1])
    assert np.isfinite(few.statistic[0])


@pytest.mark.long
@pytest.mark.parametrize("constrained", [True, False])
def test_hausmans_test_fits_both_models_to_every_replicate(constrained):
    """Of twenty villages, for three coefficients; each replicate by hand."""
    rng = np.random.default_rng(3)
    n = 800
    x, village = rng.normal(size=n), np.arange(n) % 20
    is_single = rng.random(n) < 1 / (1 + np.exp(-0.6 * x - rng.normal(0, 0.4, 20)[village]))
    arm = rng.integers(0, 2, n)
    replies = rng.binomial(3, np.where(is_single, 0.6, 0.4)) + arm * is_single
    jackknife_result = lab.jackknife(
        lab.SamplingDesign(weights=rng.uniform(1, 4, n), clusters=village)
    )
    questions = {"items": 3}
    means = lab.item_count_least_squares(replies, arm, x, **questions, sampling=jackknife_result)
    likely = lab.item_count_regression(
        replies, arm, x, **questions, constrained=constrained, weights=jackknife_result.weights
    )

    def apart(weights):
        first = lab.item_count_least_squares(replies, arm, x, **questions, weights=weights)
        other = lab.item_count_regression(
            replies, arm, x, **questions, constrained=constrained, weights=weights
        )
        return first.value[:2] - other.value[:2]

    twin = lab.replicated(jackknife_result, apart)
    test = lab.hausman_test(means, likely)
    expected = twin.value @ np.linalg.solve(twin.covariance, twin.value)
    assert test.statistic == pytest.approx(expected, rel=1e-4)
    df = jackknife_result.df - 1
    assert (test.df, test.denominator_df) == (2, df)
    assert test.p_value == pytest.approx(f.sf(expected * df / jackknife_result.df / 2, 2, df))


@pytest.mark.checked(
    "functional_interval", by="withReplicates of R's survey 4.1-1", value=1e-9, errors=1e-8
)
@pytest.mark.parametrize("name", KINDS)
def test_bounds_of_a_mean_from_ranges_are_those_of_withreplicates(name, within):
    """Pool adjacent violators, written in R, of one cut each."""
    cuts, (low, high) = np.array(ORACLE["line"]["cuts"]), ORACLE["line"]["ends"]
    cut = cuts[AT % 3]
    below = TABLE["z"] <= cut + 1e-12
    ranges = ak.Ranges(np.where(below, low, cut), np.where(below, cut, high))
    interval = lab.functional_interval(ranges, lambda y: y, (low, high), sampling=sampling(name))
    result = ORACLE[f"bounds {name}"]
    assert_allclose([interval.low, interval.high], result["value"], rtol=within.value)
    assert_allclose(interval.se**2, max(result["cov"][0], result["cov"][3]), rtol=within.errors)
