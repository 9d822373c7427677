"""Shares from weighted tallies: design-based errors, checked row by row and by drawing again."""

import numpy as np
import pytest

import askance as ak

THREE = ak.Frame(["a", "b", "c"])
CHANNELS = {
    "warner": ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"])),
    "abstain": ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"])),
    "k-ary": ak.KAry(truth="1/2").channel(THREE),
}


def weighted(channel, reports, weights):
    sums = [dict.fromkeys(channel.reports, 0.0) for _ in range(2)]
    counts = dict.fromkeys(channel.reports, 0)
    for report, weight in zip(reports, weights, strict=True):
        counts[report] += 1
        sums[0][report] += weight
        sums[1][report] += weight**2
    return ak.Tally(channel, counts, weights=sums[0], squares=sums[1])


def drawn(channel, shares, n, seed):
    dice = np.random.default_rng(seed)
    answers = dice.choice(len(channel.frame), size=n, p=shares)
    weights = np.where(answers == 0, 3.0, 1.0) * dice.uniform(0.5, 1.5, n)
    reports = ak.privatise(channel, np.array(channel.frame.answers)[answers], rng=dice).tolist()
    return reports, weights


def jackknife(channel, reports, weights):
    """Leave out one person at a time: knows no formula of the covariance."""
    weighted_result = weighted(channel, reports, weights)
    values = {}
    for report, weight in set(zip(reports, weights, strict=True)):
        index_result = channel.reports.index(report)
        less = np.eye(len(channel.reports))[index_result]
        mappings = [
            dict(zip(channel.reports, (column - less * part).tolist(), strict=True))
            for column, part in (
                (weighted_result.counts, 1),
                (weighted_result.weights, weight),
                (weighted_result.squares, weight**2),
            )
        ]
        tally = ak.Tally(channel, {a: int(b) for a, b in mappings[0].items()}, **_sums(mappings))
        values[report, weight] = ak.inference.most_likely(tally).value
    item = np.array([values[pair] for pair in zip(reports, weights, strict=True)])
    n = len(reports)
    return (n - 1) / n * (item - item.mean(axis=0)).T @ (item - item.mean(axis=0))


def _sums(result):
    return {"weights": result[1], "squares": result[2]}


@pytest.mark.long
@pytest.mark.parametrize("name", CHANNELS)
def test_errors_are_those_of_leaving_each_person_out(name):
    channel = CHANNELS[name]
    k = len(channel.frame)
    reports, weights = drawn(channel, np.full(k, 1 / k), 900, seed=3)
    result = ak.estimate(weighted(channel, reports, weights.round(1)))
    expected = jackknife(channel, reports, weights.round(1).tolist())
    assert result.covariance == pytest.approx(expected, rel=0.05, abs=1e-6)
    assert result.value.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", CHANNELS)
def test_equal_weights_change_nothing_but_one_degree_of_freedom(name):
    channel = CHANNELS[name]
    k = len(channel.frame)
    reports, _ = drawn(channel, np.full(k, 1 / k), 600, seed=11)
    counts = {report: reports.count(report) for report in channel.reports}
    plain = ak.maximum_likelihood(ak.Tally(channel, counts))
    for weight in (1.0, 2.5):
        result = ak.estimate(weighted(channel, reports, [weight] * 600))
        assert result.value == pytest.approx(plain.value, abs=1e-9)
        assert result.reports == plain.reports
        assert result.se == pytest.approx(plain.se, rel=0.01)
        assert result.lower == pytest.approx(plain.lower, abs=1e-3)
        assert result.upper == pytest.approx(plain.upper, abs=1e-3)


def test_weights_undo_unequal_chances_of_being_asked():
    channel = CHANNELS["warner"]
    dice = np.random.default_rng(5)
    truth = dice.random(60_000) < 0.2
    is_requested = dice.random(60_000) < np.where(truth, 0.9, 0.3)
    answers = np.where(truth, "yes", "no")[is_requested]
    reports = ak.privatise(channel, answers, rng=6, name="said").tolist()
    weights = 1 / np.where(truth, 0.9, 0.3)[is_requested]
    result = ak.estimate(weighted(channel, reports, weights.tolist()))
    assert result.lower[0] < 0.2 < result.upper[0]
    naive = ak.estimate(
        ak.Tally(channel, {report: reports.count(report) for report in channel.reports})
    )
    assert naive.lower[0] > 0.3


def test_everybody_sending_the_same_is_no_certainty():
    channel = CHANNELS["warner"]
    tally = ak.Tally(channel, {"no": 40}, weights={"no": 60.0}, squares={"no": 120.0})
    result = ak.estimate(tally)
    assert result.upper[0] > 0.05
    assert result.value.tolist() == [0, 1]


def test_one_person_or_no_weight_says_nothing_of_the_error():
    channel = CHANNELS["k-ary"]
    tally = ak.Tally(channel, {"a": 1}, weights={"a": 2.0}, squares={"a": 4.0})
    assert np.isnan(ak.estimate(tally).se).all()
    none = ak.Tally(channel, {"a": 1}, weights={"a": 0.0}, squares={"a": 0.0})
    assert np.isnan(ak.estimate(none).value).all()


@pytest.mark.parametrize("silent", [0, 300, 7000])
def test_reports_that_say_nothing_change_nothing(silent):
    """√(f(1 − f)/700) · 7/5 with f = 310/700, times the root of 700/699."""
    counts = {"yes": 310, "no": 390, "don't know": silent}
    sums = {report: float(count) for report, count in counts.items()}
    result = ak.estimate(ak.Tally(CHANNELS["abstain"], counts, weights=sums, squares=sums))
    assert result.se[0] == pytest.approx((31 * 39 / 70**2 / 699) ** 0.5 * 7 / 5, rel=1e-9)
    assert result.reports == 700


def test_two_questions_that_some_left_silent_say_as_much():
    margins, q = [], CHANNELS["abstain"]
    for silent in (0, 300):
        replies = ["yes"] * 310 + ["no"] * 390 + ["don't know"] * silent
        sampling = ak.inference.SamplingDesign(weights=[2.0] * len(replies))
        reports = {"one": replies, "two": replies[:700][::-1] + replies[700:]}
        estimate = ak.inference.estimate_joint(
            {"one": q, "two": q}, reports=reports, sampling=sampling
        )
        margins.append(float(np.array([1, 1, 0, 0]) @ estimate.covariance @ [1, 1, 0, 0]))
    assert margins[1] == pytest.approx(margins[0], rel=1e-9)


@pytest.mark.parametrize("yes", [200, 150, 50, 0])
def test_a_simple_sample_has_the_plain_interval_at_the_border(yes):
    """However far outside what shares can send the frequencies lie: Student's law is the rest."""
    replies = ["yes"] * yes + ["no"] * (800 - yes)
    plain = ak.estimate(ak.tally(CHANNELS["warner"], replies))
    weighed = ak.estimate(ak.tally(CHANNELS["warner"], replies, weights=[3.0] * 800))
    np.testing.assert_allclose(weighed.upper, plain.upper, atol=1e-9)
    sampling = ak.inference.SamplingDesign(weights=[3.0] * 800)
    sampled = ak.estimate(ak.tally(CHANNELS["warner"], replies, sampling=sampling))
    assert plain.upper[0] < sampled.upper[0] < plain.upper[0] + 2e-4
