"""Bits and numbers of oracles, with weights and by designs: beside weighted means."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import askance as ak
from askance.channels import SampledSupports, SupportTally
from askance.mechanisms import (
    DBitFlip,
    HadamardResponse,
    LocalHashing,
    ProjectiveGeometry,
    SubsetSelection,
    UnaryEncoding,
)
from askance_collect.errors import DocumentError, InputError

lab = ak.inference
N, K = 360, 13
FRAME = ak.Frame([f"x{index}" for index in range(K)])
ORACLES = {
    "unary": UnaryEncoding.at_epsilon(ratio=4),
    "subset": SubsetSelection.at_epsilon(ratio=4),
    "hash": LocalHashing.at_epsilon(ratio=4),
    "hadamard": HadamardResponse.at_epsilon(ratio=4),
    "projective": ProjectiveGeometry.at_epsilon(ratio=4),
    "bit flip": DBitFlip(truth="2/3", lie="1/3", answers_asked=5),
}
RNG = np.random.default_rng(7)
TRUTH = [
    FRAME.answers[index] for index in RNG.choice(K, N, p=np.arange(1, K + 1) / (K * (K + 1) / 2))
]
WEIGHT = np.where(np.arange(N) % 11, RNG.uniform(1, 4, N), 0.0)
SAMPLE = {"weights": WEIGHT, "clusters": np.arange(N) // 10, "strata": np.arange(N) // 120}
SAMPLING = lab.SamplingDesign(**SAMPLE)
SAMPLINGS = {
    "stages": SAMPLING,
    "jackknife": lab.jackknife(SAMPLING),
    "bootstrap": lab.bootstrap(SAMPLING, 25, rng=3, mse=True),
    "calibrated": lab.poststratify(SAMPLING, np.arange(N) % 2, {0: 400, 1: 500}),
    "joint chances": lab.JointInclusion(1 / (1 + np.maximum(WEIGHT, 0.1))),
}


def draw_reports(name):
    """A channel, its reports, and of each who names and who tells of which answer."""
    channel = ORACLES[name].channel(FRAME)
    reports = ak.privatise(channel, TRUTH, rng=5, name="said")
    alone = [ak.tally(channel, reports[index : index + 1]) for index in range(N)]
    return (
        channel,
        reports,
        np.array([item.supports for item in alone], dtype=float),
        np.array([np.broadcast_to(item.informative_counts, K) for item in alone], dtype=float),
    )


REPORTS = {name: draw_reports(name) for name in ORACLES}


@pytest.mark.parametrize("how", SAMPLINGS)
@pytest.mark.parametrize("name", ORACLES)
def test_weighted_frequencies_are_means_of_what_reports_name(name, how):
    """Each report by itself, and `survey_ratio` of the columns of 0 and 1: an answer at a time."""
    channel, reports, sets, result = REPORTS[name]
    tally, w = ak.tally(channel, reports, sampling=SAMPLINGS[how]), SAMPLINGS[how].weights
    coins = (
        (SAMPLINGS[how].sampling_fraction * w**2) @ sets / (w @ result) ** 2
    )  # of finite populations too
    for index in range(K):
        ratio = lab.survey_ratio(SAMPLINGS[how], sets[:, index], result[:, index])
        assert_allclose(tally.sample.frequency[index], ratio.value[0], rtol=1e-12)
        assert_allclose(
            tally.sample.variance[index], ratio.covariance[0, 0] + coins[index], rtol=1e-9
        )
    is_seen = SAMPLINGS[how].weights > 0
    assert (tally.total, tally.blanks) == (int(is_seen.sum()), 0)
    assert_allclose(tally.supports, sets[is_seen].sum(axis=0))
    outcome = ak.estimate(tally)
    law = outcome.law
    gain = float(law.true_positive_rate - law.false_positive_rate)
    assert_allclose(
        outcome.unbiased, (tally.sample.frequency - float(law.false_positive_rate)) / gain
    )
    f, worth = outcome.survey_estimate.value, outcome.survey_estimate.worth
    assert_allclose(f * (1 - f) / worth, tally.sample.variance)
    assert outcome.survey_estimate.df == SAMPLINGS[how].df == tally.sample.df
    reach = ak.results.student_quantile(0.95, tally.sample.df)
    inner = (f > float(law.false_positive_rate) + 0.02) & (f < float(law.true_positive_rate) - 0.02)
    width = (outcome.upper - outcome.lower)[inner & (outcome.lower > 0)]
    plain = (2 * reach * np.sqrt(tally.sample.variance) / gain)[inner & (outcome.lower > 0)]
    assert_allclose(width, plain, rtol=0.1)


@pytest.mark.parametrize("name", ORACLES)
def test_replicates_each_say_a_frequency_of_their_own(name):
    channel, reports, sets, result = REPORTS[name]
    sampling = SAMPLINGS["bootstrap"]
    again = lab.replicated(sampling, lambda w: (w @ sets) / (w @ result))
    outcome = ak.tally(channel, reports, sampling=sampling).sample
    assert_allclose(outcome.variance, np.diag(again.covariance), rtol=1e-9)
    linear = ak.tally(channel, reports, sampling=SAMPLING).sample
    assert np.abs(linear.variance / outcome.variance - 1).max() > 0.02


@pytest.mark.parametrize("name", ORACLES)
def test_answers_vary_together_as_all_replicates_say(name):
    """Beside `replicated` shares of all answers, and a difference of two beside its own."""
    channel, reports, sets, result = REPORTS[name]
    sampling = SAMPLINGS["bootstrap"]
    again = lab.replicated(sampling, lambda w: (w @ sets) / (w @ result))
    outcome = ak.estimate(ak.tally(channel, reports, sampling=sampling))
    sd = np.sqrt(np.diag(again.covariance))
    assert_allclose(
        outcome.survey_estimate.correlation, again.covariance / sd / sd[:, None], atol=1e-9
    )
    assert_allclose(outcome.covariance.diagonal(), outcome.se**2)
    written, contrast = outcome.covariance.toarray(), np.eye(K)[3] - np.eye(K)[4]
    assert_allclose(np.diag(written), outcome.se**2)
    assert_allclose(outcome.covariance @ contrast, written @ contrast)
    assert outcome.covariance.variance(contrast) == pytest.approx(contrast @ written @ contrast)
    replicated_result = lab.replicated(
        sampling, lambda w: ((w @ sets) / (w @ result))[[3, 4]] @ [1, -1]
    )
    gain = float(outcome.law.true_positive_rate - outcome.law.false_positive_rate)
    ratio = outcome.covariance.variance(contrast) / replicated_result.covariance[0, 0] * gain**2
    assert 0.5 < ratio < 2  # the variances are those at shares inside the simplex
    assert f"over {sampling.replicates.shape[1]} replicates" in repr(outcome)


@pytest.mark.parametrize("how", ["stages", "jackknife", "calibrated"])
@pytest.mark.parametrize("name", ["unary", "bit flip"])
def test_answers_vary_together_as_ratios_of_totals(name, how):
    channel, reports, sets, result = REPORTS[name]
    sampling = SAMPLINGS[how]
    tally = ak.tally(channel, reports, sampling=sampling)
    w, f = sampling.weights, tally.sample.frequency
    scores = (sets - f * result) / (w @ result)
    covariance_result = sampling.covariance(scores)
    if how == "jackknife":
        covariance_result = lab.replicated(
            sampling, lambda item: (item @ sets) / (item @ result)
        ).covariance
    sd = np.sqrt(np.diag(covariance_result))
    assert_allclose(tally.sample.correlation, covariance_result / sd / sd[:, None], atol=1e-9)
    from_json_result = SupportTally.from_json(tally.to_json(), channel)
    assert from_json_result == tally
    assert from_json_result.sample.replicates == tally.sample.replicates
    other = ak.tally(channel, reports, sampling=replace_weights(sampling))
    summed = (tally + other).sample
    assert_allclose(
        summed.joint_covariance, tally.sample.joint_covariance + other.sample.joint_covariance
    )
    for wrong in ({"replicates": 1.5}, {"replicates": True}, {"together": "all"}):
        sums = tally.sample.to_dict() | wrong
        with pytest.raises((DocumentError, InputError), match=r"tally\.sample"):
            SampledSupports.from_dict(sums)
    old = json.loads(tally.to_json())
    for name in ("replicates", "together"):  # as was written before
        old["sample"].pop(name, None)
    before = SupportTally.from_json(json.dumps(old), channel)
    assert before.sample.correlation is None
    assert_allclose(before.sample.variance, tally.sample.variance)
    assert (before + other).sample.joint_covariance is None


def replace_weights(sampling):
    """The same people, some of whom count more: another sample."""
    return lab.SamplingDesign(weights=sampling.weights * (1 + np.arange(N) % 2), clusters=range(N))


def test_of_many_answers_it_is_not_kept_how_two_vary_together():
    many = UnaryEncoding.at_epsilon(ratio=4).channel(ak.Frame([f"x{index}" for index in range(60)]))
    reports = ak.privatise(many, [f"x{index % 60}" for index in range(N)], rng=5, name="said")
    result = ak.estimate(ak.tally(many, reports, sampling=SAMPLING))
    assert result.survey_estimate.correlation is None
    with pytest.raises(InputError, match="covariances are not kept"):
        result.covariance.toarray()


def test_named_answers_of_a_sample_vary_together_too():
    """k-ary response, whose reports are named: as the design-based covariance of their shares."""
    channel = ak.KAry.at_epsilon(ratio=4).channel(FRAME)
    reports = ak.privatise(channel, TRUTH, rng=5, name="said")
    estimate = lab.estimate_frequencies(ak.tally(channel, reports, sampling=SAMPLING))
    sets = np.array(
        [[report == answer for answer in FRAME.answers] for report in reports], dtype=float
    )
    f = WEIGHT @ sets / WEIGHT.sum()
    covariance_result = SAMPLING.covariance((sets - f) / WEIGHT.sum())
    sd = np.sqrt(np.diag(covariance_result))
    assert_allclose(
        estimate.survey_estimate.correlation, covariance_result / sd / sd[:, None], atol=1e-9
    )


@pytest.mark.parametrize("name", ORACLES)
def test_weights_alone_are_people_drawn_with_replacement(name):
    channel, reports, *_ = REPORTS[name]
    tally = ak.tally(channel, reports, weights=WEIGHT)
    drawn_tally = ak.tally(channel, reports, sampling=lab.SamplingDesign(weights=WEIGHT))
    assert math.isinf(tally.sample.df)
    assert_allclose(tally.sample.frequency, drawn_tally.sample.frequency)
    assert_allclose(tally.sample.variance, drawn_tally.sample.variance, rtol=0.02)
    ones = ak.estimate(ak.tally(channel, reports, weights=np.ones(N)))
    plain = ak.estimate(ak.tally(channel, reports))
    assert_allclose(ones.value, plain.value, atol=1e-12)
    assert_allclose(ones.se, plain.se, rtol=0.01)
    assert_allclose(ones.upper, plain.upper, rtol=0.01)
    assert "weighted sample" in repr(ones)


def test_a_finite_population_gives_back_what_the_channel_draws():
    channel, reports, sets, _ = REPORTS["unary"]
    census = lab.SamplingDesign(fpc=[N] * N)
    result = ak.tally(channel, reports, sampling=census).sample
    assert_allclose(result.variance, sets.sum(axis=0) / N**2)
    assert (ak.estimate(ak.tally(channel, reports, sampling=census)).se > 0).all()


def frame_of(name):
    channel, reports, *_ = REPORTS[name]
    table = {
        "said": list(reports),
        "w": WEIGHT,
        "village": SAMPLE["clusters"],
        "part": SAMPLE["strata"],
        "town": np.array(["a", "b"])[SAMPLE["clusters"] % 2],
    }
    return channel, pd.DataFrame(table)


@pytest.mark.parametrize("name", ["unary", "hash", "hadamard", "bit flip"])
def test_columns_of_a_table_say_how_people_were_drawn_and_groups_are_domains(name):
    channel, table = frame_of(name)
    plan = lab.SamplingColumns(weights="w", clusters="village", strata="part")
    known_tally = ak.tally(channel, REPORTS[name][1], sampling=SAMPLING)
    assert ak.tally(channel, table, "said", sampling=plan) == known_tally
    assert ak.tally(channel, table, "said", weights="w").sample == (
        ak.tally(channel, REPORTS[name][1], weights=WEIGHT).sample
    )
    for document in ({"sampling": plan}, {"weights": "w"}):
        separate = ak.tally(channel, table, "said", by="town", **document)
        for town, tally in separate.items():
            true_positive_rate = (table.town == town).to_numpy()
            own = {"weights": WEIGHT * true_positive_rate}
            if "sampling" in document:
                own = {"sampling": SAMPLING.domain(true_positive_rate)}
            alone = ak.tally(channel, REPORTS[name][1], **own)
            assert_allclose(tally.sample.variance, alone.sample.variance)
            assert_allclose(tally.counts, alone.counts)
    selected = table["said"].astype(object).where(np.arange(N) % 5 > 0, None)
    holes = ak.tally(channel, selected.tolist(), sampling=SAMPLING)
    assert holes.blanks == int(((np.arange(N) % 5 == 0) & (WEIGHT > 0)).sum())
    received = ak.tally(channel, REPORTS[name][1], sampling=SAMPLING.domain(np.arange(N) % 5 > 0))
    assert_allclose(holes.sample.variance, received.sample.variance)


@pytest.mark.parametrize("name", ["unary", "projective", "bit flip"])
def test_samples_that_were_drawn_apart_add_up_and_are_written(name):
    channel, reports, *_ = REPORTS[name]
    first, second = np.arange(N) < 120, np.arange(N) >= 120
    parts = []
    for some in (first, second):
        how = lab.SamplingDesign(**{key: item[some] for key, item in SAMPLE.items()})
        own = [reports[index] for index in np.flatnonzero(some)]
        parts.append(ak.tally(channel, own, sampling=how))
    pair = parts[0] + parts[1]
    whole_tally = ak.tally(channel, reports, sampling=SAMPLING)  # these are strata of it
    assert_allclose(pair.sample.variance, whole_tally.sample.variance, rtol=1e-9)
    assert pair.sample.df == whole_tally.sample.df
    again = SupportTally.from_json(pair.to_json(), channel)
    assert again == pair
    assert repr(ak.estimate(again)) == repr(ak.estimate(pair))
    alone = ak.tally(channel, reports, weights=WEIGHT)
    read = SupportTally.from_json(alone.to_json(), channel)
    assert (read, read.sample.df) == (alone, math.inf)
    for other in (ak.tally(channel, reports), alone, parts[0]):
        with pytest.raises(InputError, match=r"SupportTally\.__add__"):
            parts[0] + other
    written = json.loads(pair.to_json())
    for name_of, value in (("named", [1]), ("df", -1), ("samples", "x"), ("squares", "many")):
        broken = written | {"sample": written["sample"] | {name_of: value}}
        with pytest.raises(DocumentError, match=r"tally\.sample"):
            SupportTally.from_json(json.dumps(broken), channel)


def test_what_no_sample_can_be_is_refused():
    channel, reports, *_ = REPORTS["unary"]
    for how, match in (
        ({"weights": WEIGHT[1:]}, "as long as|a row|359"),
        ({"weights": np.where(np.arange(N) == 3, np.nan, 1)}, r"weights\[3\]"),
        ({"weights": -np.ones(N)}, r"weights\[0\]"),
        ({"weights": np.zeros(N)}, "no report"),
        ({"weights": WEIGHT, "sampling": SAMPLING}, "weights beside a sampling design"),
        ({"sampling": lab.SamplingDesign(weights=np.ones(3))}, "3 rows"),
        ({"sampling": lab.SamplingColumns(weights="w")}, "names of columns"),
    ):
        with pytest.raises(InputError, match=match):
            ak.tally(channel, reports, **how)
    sums = {
        "support_weights": [1.0],
        "informative_weights": [2.0],
        "covariances": [[1, 1, 1]],
        "fpc_squares": [0.0],
        "squared_weights": 2,
    }
    for name, value in (
        ("support_weights", [3.0]),
        ("support_weights", [np.nan]),
        ("informative_weights", [2.0, 2.0]),
        ("covariances", [[-1, 0, 0]]),
        ("fpc_squares", [-1.0]),
        ("squared_weights", -1.0),
        ("df", -1.0),
        ("replicates", -1),
        ("joint_covariance", [[1.0]]),
        ("joint_covariance", [[1.0, 2.0], [0.0, 1.0]]),
    ):
        with pytest.raises(InputError, match="SampledSupports"):
            SampledSupports(**(sums | {name: value}))
    text = replace(SampledSupports(**sums), df=3.0)
    with pytest.raises(InputError, match="sums of 1 answers"):
        SupportTally(channel, [0] * K, total=0, sample=text)


def test_an_answer_of_which_nobody_tells_is_refused():
    channel, reports, *_ = REPORTS["bit flip"]
    values = np.zeros(N)
    values[:2] = 1
    with pytest.raises(InputError, match="ask more people"):
        ak.estimate(ak.tally(channel, reports, weights=values))
