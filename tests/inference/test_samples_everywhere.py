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
    said, rng = four()
    weights = rng.uniform(1, 4, 600)
    for told in (
        {"weights": weights},
        {"sampling": lab.SamplingDesign(weights=weights, clusters=VILLAGE)},
        {"sampling": lab.jackknife(lab.SamplingDesign(weights=weights, clusters=VILLAGE))},
    ):
        sent = ak.tally(KARY, said, **told)
        found, known = lab.estimate_frequencies(sent), lab.moment_estimate(sent)
        assert_allclose(found.unbiased, known.value, atol=1e-12)
        assert_allclose(found.se, known.se, rtol=0.05)  # at shares on the simplex
        own = found.value > 0
        assert_allclose(found.se[own], known.se[own], rtol=0.005)
        assert ((found.lower <= found.value.clip(0)) & (found.value <= found.upper)).all()
        assert found.counts.sum() == found.reports == 600
        assert ("29 degrees of freedom" in repr(found)) == ("sampling" in told)
        assert found.to_dict()["survey_estimate"]["worth"][0] > 100
        for method in ("clipped", "projected", "most likely", "posterior", "shrunk"):
            shares = lab.estimate_frequencies(sent, method=method).value
            assert_allclose(shares.sum(), 1)
            assert_allclose(shares, known.value, atol=0.08)


def test_people_who_are_there_three_times_are_found_as_often_as_once():
    """Intervals, discoveries and intervals of all together count people."""
    said, _ = four()
    sent = ak.tally(
        KARY, said.repeat(3), sampling=lab.SamplingDesign(clusters=np.arange(600).repeat(3))
    )
    thrice, once = (lab.estimate_frequencies(one) for one in (sent, ak.tally(KARY, said)))
    assert thrice.reports == 3 * once.reports
    for name in ("lower", "upper", "se"):
        assert_allclose(getattr(thrice, name), getattr(once, name), atol=0.002)
    found, known = lab.find_heavy_hitters(thrice), lab.find_heavy_hitters(once)
    assert found.labels == known.labels == ("a", "b", "c")
    assert_allclose(np.log(found.p_values), np.log(known.p_values), rtol=0.02)
    all_found, all_known = (lab.simultaneous_frequencies(one) for one in (thrice, once))
    assert_allclose(all_found.lower, all_known.lower, atol=0.002)
    assert_allclose(all_found.upper, all_known.upper, atol=0.002)
    counted = lab.estimate_frequencies(ak.tally(KARY, said.repeat(3)))
    assert (counted.upper - counted.lower < 0.7 * (thrice.upper - thrice.lower)).all()


def test_results_say_by_how_many_replicates_errors_were_found():
    """Bounds, list experiments and their counts; and of no replicates nothing is said."""
    said, rng = four()
    count, arm, direct = rng.integers(0, 3, 600), rng.integers(0, 2, 600), rng.integers(0, 2, 600)
    plan = lab.SamplingDesign(clusters=VILLAGE)
    for sampling, told in ((lab.jackknife(plan), "over 30 replicates, 29 deg"), (plan, ", 29 deg")):
        items = lab.count_items(count + arm * direct, arm, items=3, sampling=sampling)
        again = lab.ItemCounts.from_dict(items.to_dict())
        assert again.replicates == items.replicates == 30 * (sampling is not plan)
        for found in (
            lab.estimate_sets(ak.tally(KARY, said, sampling=sampling), {"a": ["a"]}),
            items,
            lab.item_count(again),
            lab.item_count_with_direct(count, arm, direct, sampling=sampling),
            lab.double_item_count(count + arm, count + 1 - arm, arm, sampling=sampling),
        ):
            assert told in repr(found)
            assert ("replicates" in repr(found)) == (sampling is not plan)


def test_a_weighted_pseudo_likelihood_has_no_aic():
    """Akaike's criterion is that of people drawn at random."""
    rng = np.random.default_rng(3)
    said, x = rng.choice(["yes", "no"], 600), rng.normal(size=(600, 1))
    count, arm = rng.integers(0, 3, 600), rng.integers(0, 2, 600)
    count = count + arm * rng.integers(0, 2, 600)
    low = (x[:, 0] + rng.normal(size=600)).round()
    ranges = ak.Ranges(low, low + 1)
    for fit in (
        lambda **drawn: lab.response_regression(said, x, WARNER, **drawn),
        lambda **drawn: lab.item_count_regression(count, arm, x, items=2, **drawn),
        lambda **drawn: lab.censored_regression(ranges, x, **drawn),
    ):
        plain, drawn = fit(), fit(sampling=lab.SamplingDesign(clusters=VILLAGE))
        assert "; AIC" in repr(plain)
        assert plain.aic == 2 * len(plain.value) - 2 * plain.log_likelihood
        assert "AIC" not in repr(drawn)
        assert np.isnan(drawn.aic)
        assert drawn.to_dict()["aic"] is None


def test_one_cluster_tells_no_frequency():
    alone = lab.SamplingDesign(clusters=["one"] * 600, lonely="certainty")
    found = lab.estimate_frequencies(ak.tally(KARY, four()[0], sampling=alone))
    assert (found.lower.tolist(), found.upper.tolist()) == ([0] * 4, [1] * 4)
    assert not found.above_noise.any()


def test_bits_are_weighed_by_the_mean_of_what_they_name():
    """A tally of bits by design says what `survey_mean` of each bit does: linear in frequencies."""
    bits = ak.mechanisms.UnaryEncoding(truth="1/2", lie="1/4").channel(FOUR)
    rng = np.random.default_rng(3)
    said = ak.privatise(bits, rng.choice([*"abcd"], 200), rng=rng)
    sampling = lab.SamplingDesign(weights=[2.0] * 200, clusters=np.arange(200))
    tally = ak.tally(bits, said, sampling=sampling)
    named = lab.survey_mean(sampling, np.unpackbits(said, axis=1, count=4).astype(float))
    shares = lab.SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4").share(named.value)
    known = lab.estimate_frequencies(ak.tally(bits, said))
    assert_allclose(shares, known.value)
    assert_allclose(named.se / 0.25, known.se, rtol=0.1)
    assert_allclose(lab.estimate_frequencies(tally).value, shares)
    assert_allclose(np.sqrt(tally.sample.variance), named.se, rtol=1e-9)


def test_coins_know_nothing_of_weights_and_villages():
    """Tests that reports were drawn count everybody once."""
    rng = np.random.default_rng(4)
    q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
    alike = np.where(rng.random(30) < 0.3, "yes", "no").repeat(20)
    said = ak.privatise(q, alike, rng=rng)
    sampling = lab.SamplingDesign(weights=rng.uniform(1, 9, 600), clusters=VILLAGE)
    fits = [
        lab.goodness_of_fit(one)
        for one in (ak.tally(q, said), ak.tally(q, said, sampling=sampling))
    ]
    assert fits[0] == fits[1]
    assert not fits[0].doubted
    shared = ak.privatise(WARNER, np.full(2, "yes"), rng=rng)[VILLAGE % 2]  # a coin for a village
    stuffed = np.where(np.arange(600) < 550, "yes", shared)
    assert lab.goodness_of_fit(ak.tally(WARNER, stuffed, sampling=sampling)).doubted


def test_the_best_test_is_one_of_people_drawn_alike():
    test = lab.discriminate(WARNER, 0.1, 0.5, 600)
    sent = ak.tally(WARNER, ["yes"] * 600, weights=np.ones(600))
    for one in (
        sent,
        ak.tally(WARNER, ["yes"] * 600, sampling=lab.SamplingDesign(clusters=VILLAGE)),
    ):
        for ask in (test.log_likelihood_ratio, test.favours_second):
            with pytest.raises(ak.errors.InputError, match=r"random sample.*see on which side"):
                ask(one)


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
        found, known = (
            lab.unbiased_mean(ranges, (0, 10), sampling=how),
            lab.survey_mean(how, summand),
        )
        for name in ("value", "se", "lower", "upper"):
            assert_allclose(getattr(found, name), getattr(known, name)[0])
        assert found.df == 29
        assert "29 degrees of freedom" in repr(found)
        assert found.to_dict()["df"] == 29
    plain, alike = (
        lab.unbiased_mean(ranges, (0, 10), sampling=one)
        for one in (None, lab.SamplingDesign(weights=[2.0] * 300))
    )
    assert_allclose((plain.value, plain.se), (alike.value, alike.se))
    weighed = ak.Ranges(ranges.lower, ranges.upper, np.full(300, 2.0))
    with pytest.raises(ak.errors.InputError, match="counts beside a sampling design"):
        lab.unbiased_mean(weighed, (0, 10), sampling=sampling)


def groups(times=1, like=None):
    """Reports of four groups of 60 people each, everybody so many times."""
    rng = np.random.default_rng(7)
    truth = np.where(rng.random((4, 60)) < [[0.2], [0.3], [0.5], [0.4]], "yes", "no").ravel()
    said = ak.privatise(WARNER, truth, rng=rng).repeat(times)
    group = np.array([*"news"]).repeat(60 * times)
    told = {} if like is None else {"sampling": like(len(said) // times)}
    return dict(ak.tally(WARNER, said, by=group.tolist(), **told))


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
    told = lab.ShareLikelihood({"heavy": heavy, "plain": ak.Tally(WARNER, {"yes": 3, "no": 5})})
    kish, spread = 160**2 / 360, 0.25 * 0.75
    variance = (0.75**2 * 100 + 0.25**2 * 260) * 80 / 79 / 160**2
    people = kish * spread / (kish - 1) / variance
    assert_allclose(told.counts.sum(axis=1), [people, 8])
    assert people < kish
    assert_allclose(told.counts[0] / told.counts[0].sum(), [0.25, 0.75])
    alike = groups(like=lambda n: lab.SamplingDesign(weights=[7.0] * n))
    assert_allclose(
        lab.ShareLikelihood(alike).counts.sum(axis=1), 60, rtol=0.03
    )  # at most as many as came
    few = groups(3, lambda n: lab.SamplingDesign(clusters=np.arange(n).repeat(3)))
    some = {name: few[name] for name in "ne"} | {"none": ak.Tally(WARNER, {})}
    counts = lab.ShareLikelihood(some).counts.sum(axis=1)
    assert_allclose(counts[:2], counts[0], rtol=0.01)
    assert counts[2] == 0
