"""Bounds and people who do not comply, of complex samples: beside formulas and replicates."""

import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.stats import f as f_law

import askance as ak
from askance.channels import GroupedTally, SampledCounts
from askance.engines import tally_groups
from askance.inference import (
    SamplingDesign,
    balanced_replicates,
    bootstrap,
    cheating_detection,
    compliance_regression,
    contamination_bounds,
    estimate_compliance,
    estimate_sets,
    jackknife,
    overidentification_test,
    replicated,
    sensitivity,
    stochastic_lie_detector,
)
from askance.mechanisms import OneSided
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
FORCED = {"few": 1 / 6, "many": 5 / 6}
CHANNELS = {
    "few": OneSided(forced_yes="1/6").channel(YN),
    "many": OneSided(forced_yes="5/6").channel(YN),
}
WARNER = ak.Warner(truth="3/4").channel(YN)
KINDS = [cheating_detection(), stochastic_lie_detector()]


def invented(villages: int = 60, item: int = 12, seed: int = 7) -> dict[str, Any]:
    """Ask villages of two strata in both ways; villagers are alike, and weights tell of answers."""
    rng = np.random.default_rng(seed)
    village = np.repeat(np.arange(villages), item)
    draw = rng.normal(0, 0.8, villages)[village]
    u = draw + rng.normal(size=len(village))
    people = np.where(u > 1.0, "carry", np.where(u > 0.75, "cheat", "other"))
    value = np.array(["few", "many"])[rng.integers(0, 2, len(village))]
    forced = rng.random(len(village)) < np.vectorize(FORCED.get)(value)
    yes = (people == "carry") | ((people == "other") & forced)
    weight = np.where(people == "carry", 1.0, 2.0) * (1 + village % 2)
    selected = np.where(yes, "yes", "no")
    return {"said": selected, "way": value, "w": weight, "village": village, "stratum": village % 2}


def design_of(sample: dict[str, Any]) -> SamplingDesign:
    return SamplingDesign(weights="w", strata="stratum", clusters="village", data=sample)


def counted(sample: dict[str, Any], **how: Any) -> GroupedTally:
    return tally_groups(CHANNELS, "said", "way", data=sample, **how)


SAMPLE = invented()
SAMPLING = design_of(SAMPLE)
TALLY = counted(SAMPLE, sampling=SAMPLING)


def by_hand(sampling: Any) -> tuple[Any, Any]:
    """Shares of the three classes from the two frequencies of a yes, and their covariance."""
    yes, w = SAMPLE["said"] == "yes", SAMPLING.weights
    replies, scores = [], []
    for name in CHANNELS:
        inside = SAMPLE["way"] == name
        replies.append((w * inside * yes).sum() / (w * inside).sum())
        scores.append(inside * (yes - replies[-1]) / (w * inside).sum())
    p, q = FORCED.values()
    turn = np.array([[q, -p], [-1, 1], [1 - q, p - 1]]) / (q - p)  # comply yes, no; all others
    shares = turn @ replies + np.array([0, 0, 0])
    shares[2] = 1 - shares[:2].sum()
    turn[2] = -turn[:2].sum(axis=0)
    return shares, turn @ sampling.covariance(np.stack(scores, axis=1)) @ turn.T


@pytest.mark.checked(
    "estimate_compliance", by="two linearised ratios turned round", value=1e-6, errors=1e-5
)
@pytest.mark.parametrize("kind", KINDS, ids=lambda item: item.name)
def test_shares_and_errors_are_those_by_hand(kind, within):
    estimate, (shares, covariance) = estimate_compliance(TALLY, kind), by_hand(SAMPLING)
    assert estimate.classes.low == pytest.approx(shares, abs=1e-6)
    assert estimate.classes.low == pytest.approx(shares, rel=within.value, abs=0)
    assert estimate.classes.low_se == pytest.approx(np.sqrt(np.diag(covariance)), rel=within.errors)
    own = np.array([1.0, 0, 1]) if kind.answers else np.array([1.0, 0, 0])
    assert estimate.answers.low_se[0] == pytest.approx(math.sqrt(own @ covariance @ own), rel=1e-5)
    assert estimate.answers.high_se[0] == pytest.approx(
        math.sqrt(covariance[1, 1]), rel=1e-5
    )  # all that is not no
    assert estimate.classes.df == SAMPLING.df == 58


REPLICATES = {
    "jackknife": jackknife(SAMPLING),
    "bootstrap": bootstrap(SAMPLING, 60, rng=3),
}


@pytest.mark.long
@pytest.mark.parametrize("name", REPLICATES)
def test_replicates_agree_with_linearisation(name):
    """As a sampling design, and estimating once for each replicate, that knows no linearisation."""
    sampling = REPLICATES[name]
    near = 0.01 if name == "jackknife" else 0.35
    result = estimate_compliance(TALLY, cheating_detection()).answers
    output = estimate_compliance(counted(SAMPLE, sampling=sampling), cheating_detection()).answers

    def ends(weights: Any) -> Any:
        counted_so = counted(SAMPLE, weights=weights.clip(1e-9))
        item = estimate_compliance(counted_so, cheating_detection()).answers
        return np.concatenate([item.low, item.high])

    element = replicated(sampling, ends).se
    for errors in (element, np.concatenate([output.low_se, output.high_se])):
        assert errors == pytest.approx(np.concatenate([result.low_se, result.high_se]), rel=near)


def test_balanced_halves_are_near_the_design_of_pairs():
    pairs = SamplingDesign(
        weights="w", strata=SAMPLE["village"] // 2, clusters="village", data=SAMPLE
    )
    kind = cheating_detection()
    pair = [
        estimate_compliance(counted(SAMPLE, sampling=item), kind).classes
        for item in (pairs, balanced_replicates(pairs))
    ]
    assert pair[1].low_se == pytest.approx(pair[0].low_se, rel=0.05)
    assert pair[1].lower == pytest.approx(pair[0].lower, abs=5e-3)


@pytest.mark.long
def test_it_is_the_regression_with_an_intercept_alone():
    kind = stochastic_lie_detector()
    group = [list(CHANNELS).index(item) for item in SAMPLE["way"]]
    fit = compliance_regression(
        SAMPLE["said"], None, list(CHANNELS.values()), kind, group=group, sampling=SAMPLING
    )
    estimate = estimate_compliance(TALLY, kind)
    assert estimate.answers.low == pytest.approx(fit.prevalence().value, abs=1e-6)
    assert estimate.answers.low_se == pytest.approx(fit.prevalence().se, rel=1e-5)
    assert estimate.classes.low_se == pytest.approx(fit.classes.prevalence().se, rel=1e-5)


def test_one_question_is_that_of_estimate():
    tally = ak.tally(WARNER, SAMPLE["said"], sampling=SAMPLING)
    known_estimate = ak.estimate(tally)
    result = estimate_sets(tally, {"yes": ["yes"], "no": ["no"]})
    assert result.low == pytest.approx(known_estimate.value, abs=1e-6)
    assert result.low_se == pytest.approx(known_estimate.se, rel=1e-5)
    assert result.lower == pytest.approx(known_estimate.lower, abs=2e-3)  # which inverts the score
    assert result.to_dict()["df"] == 58
    assert "58 degrees of freedom" in repr(result)


def thrice(**how: Any) -> GroupedTally:
    """Everybody is there three times, as a cluster."""
    again = {name: np.repeat(value, 3) for name, value in SAMPLE.items()}
    person = np.arange(len(again["said"])) // 3
    return counted(again, sampling=SamplingDesign(clusters=person, **how))


PLAIN = GroupedTally(
    {
        name: ak.tally(value, SAMPLE["said"][SAMPLE["way"] == name].tolist())
        for name, value in CHANNELS.items()
    }
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda item: item.name)
def test_people_who_are_there_three_times_count_once(kind):
    """But for one degree of freedom, and Student's law in place of the normal one."""
    estimate, known_estimate = estimate_compliance(thrice(), kind), estimate_compliance(PLAIN, kind)
    for name in ("low", "high", "lower", "upper"):
        assert getattr(estimate.answers, name) == pytest.approx(
            getattr(known_estimate.answers, name), abs=5e-4
        )
        assert getattr(estimate.classes, name) == pytest.approx(
            getattr(known_estimate.classes, name), abs=5e-4
        )
    assert known_estimate.answers.low_se is None
    assert "low_se" not in known_estimate.to_dict()["answers"]


def test_tests_of_people_who_are_there_three_times():
    n = len(SAMPLE["said"])
    test, known_test = overidentification_test(thrice()), overidentification_test(PLAIN)
    assert test.deviance == pytest.approx(3 * known_test.deviance)
    assert known_test.df == test.df == 1
    assert test.effects[0] > 2  # frequencies that do not fit vary otherwise than those that do
    ratio = test.deviance / test.effects[0]
    assert test.p_value == pytest.approx(f_law.sf(ratio, 1, n - 1), rel=1e-9)
    assert "Rao and Scott" in repr(test)


def test_design_effects_of_a_model_that_fits_are_ones():
    """Of people drawn alike, at frequencies that are those expected; three groups, one share."""
    third = {"mid": ak.KAry(truth="3/4").channel(YN)}
    questions = {**CHANNELS, **third}
    counts = {
        name: {"yes": 600 * (0.3 * item.matrix[0, 0] + 0.7 * item.matrix[1, 0])}
        for name, item in questions.items()
    }
    parts = {}
    for name, value in questions.items():
        yes = round(counts[name]["yes"])
        result = {"yes": yes, "no": 600 - yes}
        sums = {report: float(many) for report, many in result.items()}
        parts[name] = ak.Tally(value, result, weights=sums, squares=sums)
    test = overidentification_test(GroupedTally(parts))
    assert test.df == 2
    assert test.effects == pytest.approx([1, 1], rel=0.01)
    assert math.isinf(test.denominator_df)


@pytest.mark.long
def test_a_kind_that_is_left_out_is_tested_by_its_design_effect():
    estimate = estimate_compliance(TALLY, stochastic_lie_detector())
    statistic, df, p = estimate.likelihood_ratio(estimate_compliance(TALLY, ()))
    assert df == 1
    deviance, effects = overidentification_test(TALLY).deviance, overidentification_test(TALLY)
    assert statistic == pytest.approx(deviance, rel=1e-6)
    assert p == pytest.approx(f_law.sf(statistic / effects.effects[0], 1, 58) / 2, rel=1e-6)


def test_one_village_tells_a_share_and_no_interval():
    alone = counted(SAMPLE, sampling=SamplingDesign(clusters=np.zeros(720), lonely="certainty"))
    result = estimate_compliance(alone, stochastic_lie_detector()).answers
    assert result.lower.tolist() == [0, 0]
    assert result.upper.tolist() == [1, 1]


def test_strips_of_a_sample():
    kind = stochastic_lie_detector()
    strip = sensitivity(TALLY, kind, steps=2)
    known_answers = estimate_compliance(TALLY, ()).answers
    assert strip.low[0] == pytest.approx(known_answers.low)
    assert strip.lower[0] == pytest.approx(known_answers.lower)
    item = ak.tally(WARNER, SAMPLE["said"], sampling=SAMPLING)
    bounds = contamination_bounds(item, "1/10")
    strip = sensitivity(item, most="1/10", steps=1)
    assert strip.low[1] == pytest.approx(0.9 * bounds.low)
    plain = contamination_bounds(ak.tally(WARNER, SAMPLE["said"]), "1/10")
    w = SAMPLING.weights
    replies = (w * (SAMPLE["said"] == "yes")).sum() / w.sum()
    assert bounds.high[0] == pytest.approx((replies / 0.9 - 0.25) / 0.5)
    assert (bounds.upper - bounds.high > plain.upper - plain.high).all()


def test_false_reports_of_people_who_are_there_three_times():
    reports = np.repeat(SAMPLE["said"], 3)
    sampling = SamplingDesign(clusters=np.arange(len(reports)) // 3)
    bounds = contamination_bounds(ak.tally(WARNER, reports, sampling=sampling), "1/10")
    known_bounds = contamination_bounds(ak.tally(WARNER, SAMPLE["said"]), "1/10")
    for name in ("low", "high", "lower", "upper"):
        assert getattr(bounds, name) == pytest.approx(getattr(known_bounds, name), abs=2e-3)


def test_groups_of_one_sample_are_counted_together():
    yes = (SAMPLE["said"] == "yes") & (SAMPLE["way"] == "many")
    scores = np.stack(
        [
            (SAMPLE["way"] == variant) & (SAMPLE["said"] == word)
            for variant in CHANNELS
            for word in ("yes", "no")
        ],
        axis=1,
    ).astype(float)
    assert TALLY.sample.covariance == pytest.approx(SAMPLING.covariance(scores))
    assert TALLY.tallies["many"].weights[0] == pytest.approx((SAMPLING.weights * yes).sum())
    assert ak.estimate(TALLY).method.startswith("weighted pseudo-likelihood, linearised")


def test_a_tally_of_a_sample_is_written_read_and_added():
    again = GroupedTally.from_dict(json.loads(json.dumps(TALLY.to_dict())), CHANNELS)
    assert again == TALLY
    assert pickle.loads(pickle.dumps(TALLY)) == TALLY
    assert again != counted(SAMPLE, weights="w")
    other = invented(seed=8)
    turned = dict(reversed(CHANNELS.items()))
    second = tally_groups(turned, "said", "way", data=other, sampling=design_of(other))
    pair = TALLY + second
    assert pair.sample.df == 116
    straight = counted(other, sampling=design_of(other))
    assert pair.sample.covariance == pytest.approx(
        TALLY.sample.covariance + straight.sample.covariance
    )
    with pytest.raises(InputError, match="not independent"):
        TALLY + TALLY
    with pytest.raises(InputError, match="without a sampling design"):
        TALLY + counted(SAMPLE, weights="w")


def test_samples_that_were_drawn_apart_stand_side_by_side():
    parts = {}
    for name, channel in CHANNELS.items():
        remaining = {key: value[SAMPLE["way"] == name] for key, value in SAMPLE.items()}
        sampling = SamplingDesign(weights="w", clusters="village", data=remaining)
        parts[name] = ak.tally(channel, remaining["said"], sampling=sampling)
    result = GroupedTally(parts).stacked.sample
    assert result.covariance[:2, 2:].tolist() == [[0, 0], [0, 0]]
    assert result.df == sum(part.sample.df for part in parts.values())


def test_what_is_refused():
    item = ak.tally(CHANNELS["few"], SAMPLE["said"], sampling=SAMPLING)
    with pytest.raises(InputError, match="tally_groups"):
        GroupedTally(
            {"few": item, "many": ak.tally(CHANNELS["many"], SAMPLE["said"], sampling=SAMPLING)}
        )
    sums = SampledCounts(np.eye(3), df=3, fpc_squares=np.zeros(3), samples=["s"])
    with pytest.raises(InputError, match="4 reports"):
        GroupedTally(counted(SAMPLE, weights="w").tallies, sample=sums)
    with pytest.raises(InputError, match="few, many"):
        tally_groups(CHANNELS, ["yes"], ["none"])
    with pytest.raises(InputError, match=r"reports\[0\].*maybe"):
        tally_groups(CHANNELS, ["maybe"], ["few"])
    with pytest.raises(InputError, match="1: one a report"):
        tally_groups(CHANNELS, ["yes"], ["few", "few"])
    with pytest.raises(InputError, match="beside data"):
        tally_groups(CHANNELS, "said", "way")
    with pytest.raises(InputError, match="name of a column"):
        tally_groups(CHANNELS, "says", "way", data=SAMPLE)
