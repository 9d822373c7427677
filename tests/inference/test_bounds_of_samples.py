"""Bounds, moments and groups compared, of complex samples: beside totals by hand and replicates."""

import json
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.stats import f as f_law

import askance as ak
from askance.channels import GroupedTally
from askance.engines import tally_groups
from askance.inference import (
    SamplingDesign,
    bootstrap,
    cheating_detection,
    compare_groups,
    contamination_bounds,
    estimate_compliance,
    estimate_sets,
    jackknife,
    moment_estimate,
    nonresponse_bounds,
    overidentification_test,
    replicated,
    sensitivity,
    survey_mean,
    walley_interval,
    with_no_reply,
)
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
PLAIN = ak.KAry(truth="1").channel(YN)
WARNER = ak.Warner(truth="3/4").channel(YN)
VAGUE = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
CHANNELS = {"plainly": PLAIN, "coin": WARNER}


def invented(seed: int = 11, villages: int = 60, item: int = 12) -> dict[str, Any]:
    """Villages of two strata, villagers alike; weights go with answers, some do not reply."""
    rng = np.random.default_rng(seed)
    village = np.repeat(np.arange(villages), item)
    u = rng.normal(0, 0.8, villages)[village] + rng.normal(size=len(village))
    truth = u > 0.9
    value = np.array(["plainly", "coin"])[rng.integers(0, 2, len(village))]
    turned = (value == "coin") & (rng.random(len(village)) < 0.25)
    return {
        "said": np.where(truth ^ turned, "yes", "no"),
        "coin": np.where(truth ^ (rng.random(len(village)) < 0.25), "yes", "no"),
        "replied": rng.random(len(village)) < np.where(truth, 0.7, 0.9),
        "way": value,
        "w": np.where(truth, 1.0, 2.5) * (1 + village % 2),
        "village": village,
        "stratum": village % 2,
    }


SAMPLE = invented()
SAMPLING = SamplingDesign(weights="w", strata="stratum", clusters="village", data=SAMPLE)
HALF = SamplingDesign(  # with half the villages drawn
    weights="w", strata="stratum", clusters="village", fpc=np.full(720, 60), data=SAMPLE
)
YES, W = SAMPLE["said"] == "yes", SAMPLING.weights
SLOPE = {"plainly": 1.0, "coin": 0.5}  # of the chance of a yes in the share
REPLICATES = {"jackknife": jackknife(SAMPLING), "bootstrap": bootstrap(SAMPLING, 80, rng=5)}


def groups(**how: Any) -> GroupedTally:
    return tally_groups(CHANNELS, "said", "way", data=SAMPLE, **how)


def shares(weights: Any) -> Any:
    """Of a yes in each group: frequencies turned round."""
    result = []
    for name, slope in SLOPE.items():
        own = weights * (SAMPLE["way"] == name)
        result.append(((own @ YES) / own.sum() - (1 - slope) / 2) / slope)
    return np.array(result)


def scores() -> Any:
    """Linearised by hand: what each person adds to the share of each group."""
    content = []
    for name, slope in SLOPE.items():
        inside = SAMPLE["way"] == name
        replies = (W * inside) @ YES / (W @ inside)
        content.append(inside * (YES - replies) / (W @ inside) / slope)
    return np.stack(content, axis=1)


def test_a_difference_knows_that_groups_share_villages():
    comparison, (plain, coin) = compare_groups(groups(sampling=SAMPLING)), shares(W)
    covariance = SAMPLING.covariance(scores())
    assert comparison.difference[0] == pytest.approx([coin - plain, plain - coin])
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert comparison.se[0] == pytest.approx([variance**0.5] * 2)
    assert abs(covariance[0, 1]) > 0.1 * (covariance[0, 0] * covariance[1, 1]) ** 0.5
    for name, share, own in zip(CHANNELS, shares(W), np.diag(covariance), strict=True):
        assert comparison.groups[name].value[0] == pytest.approx(share)
        assert comparison.groups[name].se[0] == pytest.approx(own**0.5)
    assert comparison.pooled.value == pytest.approx(ak.estimate(groups(sampling=SAMPLING)).value)
    width = (comparison.upper - comparison.lower)[0]
    t = ak.results.student_quantile(0.95, 58)
    assert width == pytest.approx(2 * t * comparison.se[0], rel=0.05)


@pytest.mark.parametrize("name", REPLICATES)
def test_replicates_of_a_difference_agree(name):
    sampling, near = REPLICATES[name], 0.02 if name == "jackknife" else 0.3
    comparison = compare_groups(groups(sampling=SAMPLING))
    result = compare_groups(groups(sampling=sampling))
    replicated_result = replicated(sampling, lambda weights: shares(weights) @ [-1.0, 1.0])
    for se in (result.se[0, 0], replicated_result.se[0]):
        assert se == pytest.approx(comparison.se[0, 0], rel=near)
    assert result.effects == pytest.approx(comparison.effects, rel=near * 2)


def test_the_test_of_groups_is_near_walds_of_their_difference():
    comparison = compare_groups(groups(sampling=SAMPLING))
    wald = (comparison.difference[0, 0] / comparison.se[0, 0]) ** 2
    assert len(comparison.effects) == comparison.df == 1
    assert comparison.deviance / comparison.effects[0] == pytest.approx(wald, rel=0.1)
    assert comparison.p_value == pytest.approx(
        f_law.sf(comparison.deviance / comparison.effects[0], 1, 58)
    )
    document = json.loads(json.dumps(comparison.to_dict()))
    assert document["denominator_df"] == 58
    assert document["effects"] == pytest.approx(comparison.effects.tolist())
    assert "Rao and Scott" in repr(comparison)


def test_groups_of_people_who_are_there_three_times():
    again = {name: np.repeat(value, 3) for name, value in SAMPLE.items()}
    person = SamplingDesign(clusters=np.arange(len(again["said"])) // 3)
    comparison = compare_groups(tally_groups(CHANNELS, "said", "way", data=again, sampling=person))
    known_comparison = compare_groups(groups())
    for name in ("difference", "se", "lower", "upper"):
        assert getattr(comparison, name) == pytest.approx(getattr(known_comparison, name), abs=2e-3)
    assert comparison.p_value == pytest.approx(known_comparison.p_value, rel=0.05)
    assert known_comparison.effects is None
    assert "effects" not in known_comparison.to_dict()


def test_groups_drawn_apart_and_weights_alone():
    """Samples of their own do not go together; of weights alone people were drawn one by one."""
    parts = {}
    for name, channel in CHANNELS.items():
        own = SAMPLE["way"] == name
        part = SamplingDesign(weights=W[own], clusters=SAMPLE["village"][own])
        parts[name] = ak.tally(channel, SAMPLE["said"][own], sampling=part)
    comparison = compare_groups(GroupedTally(parts))
    assert comparison.se[0] == pytest.approx(
        np.hypot(*(group.se for group in comparison.groups.values()))
    )
    assert comparison.denominator_df == 118
    one_by_one = SamplingDesign(weights=W)
    alone, near = compare_groups(groups(weights=W)), compare_groups(groups(sampling=one_by_one))
    assert alone.se == pytest.approx(near.se, rel=0.01)
    assert alone.p_value == pytest.approx(near.p_value, abs=0.02)
    assert "denominator_df" not in alone.to_dict()


def test_a_group_that_weighs_nothing_is_refused():
    sums = {"yes": 3.0}, {"yes": 0.0}
    parts = {
        name: ak.Tally(WARNER, {"yes": 3}, weights=item, squares=item)
        for name, item in zip(("one", "two"), sums, strict=True)
    }
    with pytest.raises(InputError, match="no report of 'two'"):
        compare_groups(GroupedTally(parts))


@pytest.mark.parametrize("name", ["plainly", "coin"])
def test_moments_of_a_sample_are_ratios(name):
    inside = SAMPLE["way"] == name
    tally = ak.tally(CHANNELS[name], SAMPLE["said"], sampling=SAMPLING.domain(inside))
    estimate, index_result = moment_estimate(tally), list(CHANNELS).index(name)
    assert estimate.value[0] == pytest.approx(shares(W)[index_result])
    assert estimate.se[0] == pytest.approx(
        SAMPLING.covariance(scores())[index_result, index_result] ** 0.5
    )
    assert estimate.lower == pytest.approx(ak.maximum_likelihood(tally).lower)
    assert "58 degrees of freedom" in estimate.method


def test_moments_leave_the_frame_where_frequencies_do():
    sums = {"yes": 10.0, "no": 90.0}
    squares = {"yes": 20.0, "no": 300.0}
    estimate = moment_estimate(
        ak.Tally(WARNER, {"yes": 5, "no": 45}, weights=sums, squares=squares)
    )
    assert estimate.value == pytest.approx([-0.3, 1.3])
    content = np.diag([20.0, 300.0]) * 50 / 49  # by hand: d(f - ¼)/½ = 2 (0.9, -0.1)/100
    slope = np.array([1.8, -0.2]) / 100
    assert estimate.se[0] == pytest.approx((slope @ content @ slope) ** 0.5)


def test_moments_of_reports_that_say_nothing_and_of_groups():
    """Vague reports are left out of both sums; groups are each a ratio to their own size."""
    rng = np.random.default_rng(1)
    selected = np.where(rng.random(720) < 0.3, "don't know", SAMPLE["said"])
    sampling = SAMPLING.domain(selected != "don't know")
    vague = moment_estimate(ak.tally(VAGUE, selected, sampling=SAMPLING))
    assert VAGUE.reports == ("yes", "no", "don't know")
    mean = survey_mean(sampling, np.where(selected == "yes", 1.0, 0.0))
    assert vague.value[0] == pytest.approx((mean.value[0] - 1 / 7) / (5 / 7))
    assert vague.se[0] == pytest.approx(mean.se[0] / (5 / 7))

    estimate = moment_estimate(groups(sampling=SAMPLING))
    parts = W @ np.stack([SAMPLE["way"] == name for name in CHANNELS], axis=1)
    pull = parts * np.array(list(SLOPE.values()))  # least squares by slope and size
    pull = pull * list(SLOPE.values()) / (pull @ list(SLOPE.values()))
    assert estimate.value[0] == pytest.approx(pull @ shares(W))
    variance = pull @ SAMPLING.covariance(scores()) @ pull
    assert estimate.se[0] == pytest.approx(variance**0.5)


def test_moments_give_a_finite_population_the_channels_draws_back():
    drawn_tally = ak.tally(WARNER, SAMPLE["coin"], sampling=HALF)
    result, known_estimate = moment_estimate(drawn_tally), ak.estimate(drawn_tally)
    assert result.covariance == pytest.approx(known_estimate.covariance, rel=1e-6)
    assert result.se[0] < moment_estimate(ak.tally(WARNER, SAMPLE["coin"], sampling=SAMPLING)).se[0]


@pytest.mark.parametrize("name", REPLICATES)
def test_replicates_of_moments_agree(name):
    sampling, near = REPLICATES[name], 0.01 if name == "jackknife" else 0.3
    expected = moment_estimate(ak.tally(WARNER, SAMPLE["said"], sampling=SAMPLING)).se[0]
    result = moment_estimate(ak.tally(WARNER, SAMPLE["said"], sampling=sampling)).se[0]
    item = replicated(sampling, lambda weights: 2 * (weights @ YES) / weights.sum()).se[0]
    assert result == pytest.approx(item)
    assert item == pytest.approx(expected, rel=near)


def test_walleys_interval_counts_what_the_frequency_is_worth():
    tally = ak.tally(VAGUE, SAMPLE["said"], sampling=SAMPLING)
    interval, mean = walley_interval(tally), survey_mean(SAMPLING, YES.astype(float))
    f, se = mean.value[0], mean.se[0]
    t = ak.results.student_quantile(0.95, 58) / ak.results.normal_quantile(0.95)
    assert interval.effective_sample_size == pytest.approx(f * (1 - f) / se**2 / t**2)
    assert interval.low == pytest.approx(max((f - 0.4) / 0.5, 0))
    assert interval.high == pytest.approx((f - 0.1) / 0.5)
    n = round(interval.effective_sample_size)
    near = walley_interval(ak.Tally(VAGUE, {"yes": round(n * f), "no": n - round(n * f)}))
    for end in ("lower", "upper", "outer_lower", "outer_upper"):
        assert getattr(interval, end) == pytest.approx(getattr(near, end), abs=0.01)
    assert interval.to_dict()["worth"] == interval.effective_sample_size
    assert "worth" in repr(interval)
    assert "worth" not in near.to_dict()


def test_walleys_interval_of_weights_alone_and_of_one_village():
    sums = {"yes": 40.0, "no": 60.0}
    squares = {"yes": 160.0, "no": 120.0}
    interval = walley_interval(
        ak.Tally(VAGUE, {"yes": 10, "no": 30}, weights=sums, squares=squares)
    )
    content = (0.6**2 * 160 + 0.4**2 * 120) * 40 / 39 / 100**2
    assert interval.effective_sample_size == pytest.approx(0.24 / content)
    lonely = SamplingDesign(clusters=np.zeros(720), lonely="certainty")
    untold = walley_interval(ak.tally(VAGUE, SAMPLE["said"], sampling=lonely))
    assert (untold.effective_sample_size, untold.lower, untold.outer_upper) == (0, 0, 1)
    assert 0 <= untold.low < untold.high < 1


SILENT = np.where(SAMPLE["replied"], SAMPLE["said"], "no reply")


def silent(channel: Any, **how: Any) -> Any:
    return ak.tally(with_no_reply(channel), SILENT, **how)


def test_worst_cases_of_a_sample_are_its_means():
    bounds = nonresponse_bounds(silent(PLAIN, sampling=SAMPLING), no_reply="no reply")
    ends = survey_mean(SAMPLING, np.stack([SILENT == "yes", SILENT != "no"], axis=1).astype(float))
    assert [bounds.low[0], bounds.high[0]] == pytest.approx(ends.value)
    assert [bounds.low_se[0], bounds.high_se[0]] == pytest.approx(ends.se)
    assert bounds.lower[0] == pytest.approx(ends.lower[0], abs=0.006)
    assert bounds.upper[0] == pytest.approx(ends.upper[1], abs=0.006)
    assert bounds.df == 58
    raised = nonresponse_bounds(
        silent(PLAIN, sampling=SAMPLING), no_reply="no reply", monotone_selection="yes"
    ).low[0]
    among = survey_mean(SAMPLING.domain(SILENT != "no reply"), (SILENT == "yes").astype(float))
    assert raised == pytest.approx(among.value[0])


@pytest.mark.parametrize("name", REPLICATES)
def test_replicates_of_worst_cases_agree(name):
    sampling, near = REPLICATES[name], 0.02 if name == "jackknife" else 0.3
    selected = np.where(SAMPLE["replied"], SAMPLE["coin"], "no reply")
    channel = with_no_reply(WARNER)
    expected, result = (
        nonresponse_bounds(ak.tally(channel, selected, sampling=item), no_reply="no reply")
        for item in (SAMPLING, sampling)
    )

    def ends(weights: Any) -> Any:
        replies, yes = weights @ (selected != "no reply"), weights @ (selected == "yes")
        low = (yes - replies / 4) / 0.5 / weights.sum()
        return np.array([low, low + 1 - replies / weights.sum()])

    replicated_result = replicated(sampling, ends)
    assert [expected.low[0], expected.high[0]] == pytest.approx(replicated_result.value)
    for se in (replicated_result.se, [result.low_se[0], result.high_se[0]]):
        assert se == pytest.approx([expected.low_se[0], expected.high_se[0]], rel=near)


def test_equal_weights_of_those_who_do_not_reply_change_little():
    n = len(SILENT)
    bounds = nonresponse_bounds(
        ak.Tally(
            WARNER,
            {word: int((word == SILENT).sum()) for word in ("yes", "no")},
            blanks=int((SILENT == "no reply").sum()),
        )
    )
    alone = nonresponse_bounds(silent(WARNER, weights=np.full(n, 2.0)), no_reply="no reply")
    counted = nonresponse_bounds(silent(WARNER), no_reply="no reply")
    for end in ("low", "high", "lower", "upper"):
        assert getattr(counted, end) == pytest.approx(getattr(bounds, end), abs=1e-8)
        assert getattr(alone, end) == pytest.approx(getattr(bounds, end), abs=2e-3)
    more = nonresponse_bounds(silent(WARNER), no_reply="no reply", nonrespondents=50)
    assert more.high[0] - more.low[0] > bounds.high[0] - bounds.low[0]


def test_blanks_that_a_form_sends_by_chance_are_told_by_its_channel():
    half = with_no_reply(WARNER, "1/10")
    by_channel = ak.Tally(half, {"yes": 360, "no": 540, "no reply": 200})
    plain = ak.Tally(WARNER, {"yes": 360, "no": 540}, blanks=200)
    bounds = nonresponse_bounds(by_channel, no_reply="no reply")
    known_bounds = nonresponse_bounds(plain, blank_chance="1/10")
    assert bounds.low == pytest.approx(known_bounds.low, abs=1e-9)
    assert bounds.upper == pytest.approx(known_bounds.upper, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "without the weights"),
        ({"no_reply": "no reply", "nonrespondents": 3}, "3 who did not reply"),
        ({"no_reply": "nobody"}, "nobody"),
        ({"no_reply": "yes"}, "oftener"),
        ({"no_reply": "no reply", "blank_chance": "1/10"}, "beside no_reply"),
    ],
)
def test_what_nonresponse_of_a_sample_refuses(given, told):
    with pytest.raises(InputError, match=told):
        nonresponse_bounds(silent(WARNER, sampling=SAMPLING), **given)


def test_a_channel_has_one_report_of_no_reply():
    with pytest.raises(InputError, match="without it"):
        with_no_reply(with_no_reply(WARNER))
    with pytest.raises(InputError, match="below 1"):
        with_no_reply(WARNER, 1)
    with pytest.raises(InputError, match="blank_chance"):
        with_no_reply(WARNER, float("nan"))


def test_one_report_with_weights_tells_no_error_and_warns_of_nothing():
    tally = ak.Tally(WARNER, {"yes": 1}, weights={"yes": 2.0}, squares={"yes": 4.0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sets = estimate_sets(tally, {"yes": ["yes"]})
        bounds = contamination_bounds(tally, "1/10")
        strip = sensitivity(tally)
        kinds = estimate_compliance(tally, cheating_detection()).answers
        test = overidentification_test(tally)
        walley = walley_interval(
            ak.Tally(VAGUE, {"yes": 1}, weights={"yes": 2}, squares={"yes": 4})
        )
        moment = moment_estimate(tally)
    for result in (sets, bounds, strip, kinds):
        assert (np.asarray(result.lower) == 0).all()
        assert (np.asarray(result.upper) == 1).all()
    assert np.isnan(sets.low_se).all()
    assert sets.to_dict()["low_se"] == [None]
    assert np.isnan(moment.se).all()
    assert (walley.lower, walley.upper, test.p_value) == (0, 1, 1)


def test_a_written_test_has_both_degrees_of_freedom_of_f():
    document = overidentification_test(groups(sampling=SAMPLING)).to_dict()
    assert (document["df"], document["denominator_df"]) == (1, 58)
    assert "denominator_df" not in overidentification_test(groups(weights=W)).to_dict()
    assert "denominator_df" not in overidentification_test(groups()).to_dict()


def test_a_bound_of_nothing_is_zero_without_a_sign():
    bounds = contamination_bounds(ak.Tally(WARNER, {"yes": 250, "no": 750}), "1/10")
    assert not np.signbit(bounds.low).any()
    assert not np.signbit(bounds.lower).any()


def test_a_plain_number_says_that_replicates_gave_its_error():
    ticks = np.random.default_rng(2).integers(0, 9, 720).tolist()
    line = ak.Line(0, 10, 1)
    estimate = ak.inference.estimate_plain_sample(line, ticks, REPLICATES["bootstrap"])
    mean = survey_mean(REPLICATES["bootstrap"], np.array(ticks, dtype=float))
    assert estimate.se == pytest.approx(mean.se[0])
    assert "80 replicates" in estimate.method
    assert "linearised" not in estimate.method
    assert "linearised" in ak.inference.estimate_plain_sample(line, ticks, SAMPLING).method


@pytest.mark.parametrize("silent", [0, 300, 7000])
def test_bounds_of_a_sample_are_given_how_many_say_something(silent):
    replies = ["yes"] * 310 + ["no"] * 390 + ["don't know"] * silent
    plain = estimate_sets(ak.tally(VAGUE, replies), {"yes": ["yes"]})
    sampling = SamplingDesign(weights=[2.0] * len(replies))
    estimate = estimate_sets(ak.tally(VAGUE, replies, sampling=sampling), {"yes": ["yes"]})
    np.testing.assert_allclose(estimate.low_se, (31 * 39 / 70**2 / 700) ** 0.5 * 7 / 5, rtol=1e-3)
    np.testing.assert_allclose(estimate.upper, plain.upper, atol=2e-4)


@pytest.mark.parametrize("yes", [200, 100, 0])
def test_bounds_of_a_simple_sample_are_the_plain_ones_at_the_border(yes):
    """However far outside what shares can send the frequencies lie: Student's law is the rest."""
    replies = ["yes"] * yes + ["no"] * (800 - yes)
    plain = estimate_sets(ak.tally(WARNER, replies), {"yes": ["yes"]})
    sampling = SamplingDesign(weights=[3.0] * 800)
    estimate = estimate_sets(ak.tally(WARNER, replies, sampling=sampling), {"yes": ["yes"]})
    assert plain.upper[0] < estimate.upper[0] < plain.upper[0] + 2e-4


@pytest.mark.parametrize("silent", [0, 300, 3000])
def test_groups_of_a_sample_are_compared_given_how_many_say_something(silent):
    """Half the people, each counted twice, have a design effect of 2, whoever is silent."""
    parts = {}
    for name, yes in (("one", 310), ("other", 250)):
        counts = {"yes": yes, "no": 700 - yes, "don't know": silent}
        sums = {report: float(count) for report, count in counts.items()}
        squares = {report: 2 * total for report, total in sums.items()}
        parts[name] = ak.Tally(VAGUE, counts, weights=sums, squares=squares)
    np.testing.assert_allclose(compare_groups(GroupedTally(parts)).effects, 2, rtol=1e-3)
