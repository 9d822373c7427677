"""Frequencies, fits, small groups and means of weighted and of complex samples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import askance as ak

lab = ak.inference
YN, FOUR = ak.Frame(["yes", "no"]), ak.Frame([*"abcd"])
WARNER = ak.Warner(truth="4/5").channel(YN)
KARY = ak.KAry(truth="1/2").channel(FOUR)
VILLAGE = np.arange(600) // 20


def four(seed=1):
    """Four answers of 600 people of 30 villages, through k-ary response."""
    rng = np.random.default_rng(seed)
    return ak.privatise(KARY, rng.choice([*"abcd"], 600, p=[0.5, 0.3, 0.2, 0]), rng=rng), rng


def test_weighted_frequencies_have_the_errors_of_weighted_counts():
    """Those of `moment_estimate`, which knows the matrix and inverts it."""
    replies, rng = four(11)
    weights = rng.uniform(1, 4, 600)
    for document in (
        {"weights": weights},
        {"sampling": lab.SamplingDesign(weights=weights, clusters=VILLAGE)},
        {"sampling": lab.jackknife(lab.SamplingDesign(weights=weights, clusters=VILLAGE))},
    ):
        sent_tally = ak.tally(KARY, replies, **document)
        estimate, known_estimate = (
            lab.estimate_frequencies(sent_tally),
            lab.moment_estimate(sent_tally),
        )
        assert_allclose(estimate.unbiased, known_estimate.value, atol=1e-12)
        assert_allclose(estimate.se, known_estimate.se, rtol=0.05)  # at shares on the simplex
        own = estimate.value > 0
        assert_allclose(estimate.se[own], known_estimate.se[own], rtol=0.005)
        assert (
            (estimate.lower <= estimate.value.clip(0)) & (estimate.value <= estimate.upper)
        ).all()
        assert estimate.counts.sum() == estimate.reports == 600
        assert ("29 degrees of freedom" in repr(estimate)) == ("sampling" in document)
        assert estimate.to_dict()["survey_estimate"]["worth"][0] > 100
        for method in ("clipped", "projected", "most likely", "posterior", "shrunk"):
            shares = lab.estimate_frequencies(sent_tally, method=method).value
            assert_allclose(shares.sum(), 1)
            assert_allclose(shares, known_estimate.value, atol=0.08)


def test_people_who_are_there_three_times_are_found_as_often_as_once():
    """Intervals, discoveries and intervals of all together count people."""
    replies, _ = four()
    sent_tally = ak.tally(
        KARY, replies.repeat(3), sampling=lab.SamplingDesign(clusters=np.arange(600).repeat(3))
    )
    thrice, once = (
        lab.estimate_frequencies(item) for item in (sent_tally, ak.tally(KARY, replies))
    )
    assert thrice.reports == 3 * once.reports
    for name in ("lower", "upper", "se"):
        assert_allclose(getattr(thrice, name), getattr(once, name), atol=0.002)
    heavy_hitters, hitters = lab.find_heavy_hitters(thrice), lab.find_heavy_hitters(once)
    assert heavy_hitters.labels == hitters.labels == ("a", "b", "c")
    assert_allclose(np.log(heavy_hitters.p_values), np.log(hitters.p_values), rtol=0.02)
    all_found, all_known = (lab.simultaneous_frequencies(item) for item in (thrice, once))
    assert_allclose(all_found.lower, all_known.lower, atol=0.002)
    assert_allclose(all_found.upper, all_known.upper, atol=0.002)
    counted = lab.estimate_frequencies(ak.tally(KARY, replies.repeat(3)))
    assert (counted.upper - counted.lower < 0.7 * (thrice.upper - thrice.lower)).all()


def test_results_say_by_how_many_replicates_errors_were_found():
    """Bounds, list experiments and their counts; and of no replicates nothing is said."""
    replies, rng = four()
    count, arm, direct = rng.integers(0, 3, 600), rng.integers(0, 2, 600), rng.integers(0, 2, 600)
    plan = lab.SamplingDesign(clusters=VILLAGE)
    for sampling, result in (
        (lab.jackknife(plan), "over 30 replicates, 29 deg"),
        (plan, ", 29 deg"),
    ):
        items = lab.count_items(count + arm * direct, arm, items=3, sampling=sampling)
        again = lab.ItemCounts.from_dict(items.to_dict())
        assert again.replicates == items.replicates == 30 * (sampling is not plan)
        for outcome in (
            lab.estimate_sets(ak.tally(KARY, replies, sampling=sampling), {"a": ["a"]}),
            items,
            lab.item_count(again),
            lab.item_count_with_direct(count, arm, direct, sampling=sampling),
            lab.double_item_count(count + arm, count + 1 - arm, arm, sampling=sampling),
        ):
            assert result in repr(outcome)
            assert ("replicates" in repr(outcome)) == (sampling is not plan)


def test_a_weighted_pseudo_likelihood_has_no_aic():
    """Akaike's criterion is that of people drawn at random."""
    rng = np.random.default_rng(3)
    choices, x = rng.choice(["yes", "no"], 600), rng.normal(size=(600, 1))
    count, arm = rng.integers(0, 3, 600), rng.integers(0, 2, 600)
    count = count + arm * rng.integers(0, 2, 600)
    low = (x[:, 0] + rng.normal(size=600)).round()
    ranges = ak.Ranges(low, low + 1)
    for fit in (
        lambda **draws: lab.response_regression(choices, x, WARNER, **draws),
        lambda **sample: lab.item_count_regression(count, arm, x, items=2, **sample),
        lambda **drawn: lab.censored_regression(ranges, x, **drawn),
    ):
        plain, fitted = fit(), fit(sampling=lab.SamplingDesign(clusters=VILLAGE))
        assert "; AIC" in repr(plain)
        assert plain.aic == 2 * len(plain.value) - 2 * plain.log_likelihood
        assert "AIC" not in repr(fitted)
        assert np.isnan(fitted.aic)
        assert fitted.to_dict()["aic"] is None


def test_one_cluster_tells_no_frequency():
    alone = lab.SamplingDesign(clusters=["one"] * 600, lonely="certainty")
    estimate = lab.estimate_frequencies(ak.tally(KARY, four()[0], sampling=alone))
    assert (estimate.lower.tolist(), estimate.upper.tolist()) == ([0] * 4, [1] * 4)
    assert not estimate.above_noise.any()


def test_bits_are_weighed_by_the_mean_of_what_they_name():
    """A tally of bits by design says what `survey_mean` of each bit does: linear in frequencies."""
    bits = ak.mechanisms.UnaryEncoding(truth="1/2", lie="1/4").channel(FOUR)
    rng = np.random.default_rng(3)
    reports = ak.privatise(bits, rng.choice([*"abcd"], 200), rng=rng)
    sampling = lab.SamplingDesign(weights=[2.0] * 200, clusters=np.arange(200))
    tally = ak.tally(bits, reports, sampling=sampling)
    named = lab.survey_mean(sampling, np.unpackbits(reports, axis=1, count=4).astype(float))
    shares = lab.SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4").share(named.value)
    estimate = lab.estimate_frequencies(ak.tally(bits, reports))
    assert_allclose(shares, estimate.value)
    assert_allclose(named.se / 0.25, estimate.se, rtol=0.1)
    assert_allclose(lab.estimate_frequencies(tally).value, shares)
    assert_allclose(np.sqrt(tally.sample.variance), named.se, rtol=1e-9)


def test_coins_know_nothing_of_weights_and_villages():
    """Tests that reports were drawn count everybody once."""
    rng = np.random.default_rng(4)
    q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
    repeat_result = np.where(rng.random(30) < 0.3, "yes", "no").repeat(20)
    reports = ak.privatise(q, repeat_result, rng=rng)
    sampling = lab.SamplingDesign(weights=rng.uniform(1, 9, 600), clusters=VILLAGE)
    fits = [
        lab.goodness_of_fit(item)
        for item in (ak.tally(q, reports), ak.tally(q, reports, sampling=sampling))
    ]
    assert fits[0] == fits[1]
    assert not fits[0].doubted
    shared = ak.privatise(WARNER, np.full(2, "yes"), rng=rng)[VILLAGE % 2]  # a coin for a village
    stuffed = np.where(np.arange(600) < 550, "yes", shared)
    assert lab.goodness_of_fit(ak.tally(WARNER, stuffed, sampling=sampling)).doubted


def test_the_best_test_is_one_of_people_drawn_alike():
    test = lab.discriminate(WARNER, 0.1, 0.5, 600)
    sent_tally = ak.tally(WARNER, ["yes"] * 600, weights=np.ones(600))
    for item in (
        sent_tally,
        ak.tally(WARNER, ["yes"] * 600, sampling=lab.SamplingDesign(clusters=VILLAGE)),
    ):
        for ask in (test.log_likelihood_ratio, test.favours_second):
            with pytest.raises(ak.errors.InputError, match=r"random sample.*see on which side"):
                ask(item)


def uniform_cuts(n=300, seed=5):
    rng = np.random.default_rng(seed)
    cut, number = rng.uniform(0, 10, n), 10 * rng.beta(2, 3, n)
    return ak.Ranges(np.where(number <= cut, -np.inf, cut), np.where(number <= cut, cut, np.inf))


def test_the_unbiased_mean_of_a_sample_is_a_weighted_mean_of_what_cuts_say():
    ranges, rng = uniform_cuts(), np.random.default_rng(6)
    sampling = lab.SamplingDesign(weights=rng.uniform(1, 5, 300), clusters=np.arange(300) // 10)
    above = np.isinf(ranges.upper)
    summand = np.where(above, ranges.lower, ranges.upper) - 5 + 10 * above
    for how in (sampling, lab.jackknife(sampling)):
        mean, known_mean = (
            lab.unbiased_mean(ranges, (0, 10), sampling=how),
            lab.survey_mean(how, summand),
        )
        for name in ("value", "se", "lower", "upper"):
            assert_allclose(getattr(mean, name), getattr(known_mean, name)[0])
        assert mean.df == 29
        assert "29 degrees of freedom" in repr(mean)
        assert mean.to_dict()["df"] == 29
    plain, equal = (
        lab.unbiased_mean(ranges, (0, 10), sampling=item)
        for item in (None, lab.SamplingDesign(weights=[2.0] * 300))
    )
    assert_allclose((plain.value, plain.se), (equal.value, equal.se))
    weighed = ak.Ranges(ranges.lower, ranges.upper, np.full(300, 2.0))
    with pytest.raises(ak.errors.InputError, match="counts beside a sampling design"):
        lab.unbiased_mean(weighed, (0, 10), sampling=sampling)


def groups(times=1, like=None):
    """Reports of four groups of 60 people each, everybody so many times."""
    rng = np.random.default_rng(7)
    truth = np.where(rng.random((4, 60)) < [[0.2], [0.3], [0.5], [0.4]], "yes", "no").ravel()
    repeat_result = ak.privatise(WARNER, truth, rng=rng).repeat(times)
    group = np.array([*"news"]).repeat(60 * times)
    result = {} if like is None else {"sampling": like(len(repeat_result) // times)}
    return dict(ak.tally(WARNER, repeat_result, by=group.tolist(), **result))


def test_small_groups_count_people_and_not_rows():
    once = lab.estimate_small_areas(groups())
    thrice = lab.estimate_small_areas(
        groups(3, lambda n: lab.SamplingDesign(clusters=np.arange(n).repeat(3)))
    )
    assert_allclose(thrice.value, once.value, atol=0.005)
    assert_allclose(thrice.se, once.se, rtol=0.03)
    assert_allclose(thrice.effective_sample_size, once.effective_sample_size, rtol=0.03)
    assert thrice.reports.tolist() == [180] * 4
    assert "effective" in repr(thrice)
    assert "effective" not in repr(once)
    as_rows = lab.estimate_small_areas(groups(3))
    assert (as_rows.se < 0.8 * once.se).all()


def test_the_likelihood_of_a_sample_is_that_of_as_many_people():
    """By Kish of weights alone; one design effect of clusters beside it, whoever tells it."""
    sums = {"yes": 40.0, "no": 120.0}
    heavy = ak.Tally(WARNER, {"yes": 20, "no": 60}, weights=sums, squares={"yes": 100, "no": 260})
    likelihood = lab.ShareLikelihood(
        {"heavy": heavy, "plain": ak.Tally(WARNER, {"yes": 3, "no": 5})}
    )
    kish, spread = 160**2 / 360, 0.25 * 0.75
    variance = (0.75**2 * 100 + 0.25**2 * 260) * 80 / 79 / 160**2
    people = kish * spread / (kish - 1) / variance
    assert_allclose(likelihood.counts.sum(axis=1), [people, 8])
    assert people < kish
    assert_allclose(likelihood.counts[0] / likelihood.counts[0].sum(), [0.25, 0.75])
    groups_result = groups(like=lambda n: lab.SamplingDesign(weights=[7.0] * n))
    assert_allclose(
        lab.ShareLikelihood(groups_result).counts.sum(axis=1), 60, rtol=0.03
    )  # at most as many as came
    few = groups(3, lambda n: lab.SamplingDesign(clusters=np.arange(n).repeat(3)))
    some = {name: few[name] for name in "ne"} | {"none": ak.Tally(WARNER, {})}
    counts = lab.ShareLikelihood(some).counts.sum(axis=1)
    assert_allclose(counts[:2], counts[0], rtol=0.01)
    assert counts[2] == 0
