"""Means of numbers that went through a channel, and scrambled ones of complex samples."""

from fractions import Fraction as F
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import askance as ak
from askance.inference import (
    SamplingDesign,
    Scrambling,
    mean_of_numbers,
    scrambled_mean,
    survey_mean,
)
from askance.mechanisms import DiscreteLaplace
from askance_collect.errors import InputError, NotIdentified

DAYS = ak.Frame(["0", "1", "2", "3"])
Q = DiscreteLaplace(decay="1/2").channel(DAYS)
CHANNELS = {
    "discrete Laplace": Q,
    "k-ary": ak.KAry(truth="1/2").channel(DAYS),
    "abstaining": ak.Abstain(truth="1/2", lie="1/10").channel(ak.Frame(["3", "5"])),
}


@pytest.mark.parametrize("name", CHANNELS)
def test_each_number_by_itself_comes_back(name: str) -> None:
    """As many reports as the table has parts: the mean is the number, and nothing is spread."""
    channel = CHANNELS[name]
    for row, answer in zip(channel.table.rows, channel.frame.answers, strict=True):
        counts = {report: 1000 * n for report, n in zip(channel.reports, row, strict=True)}
        mean = mean_of_numbers(ak.Tally(channel, counts))
        assert mean.value == pytest.approx(float(answer), abs=1e-9)
        assert mean.sd == pytest.approx(0, abs=0.2)


def test_beyond_the_ends_a_report_counts_for_more() -> None:
    """α/(1 − α) steps: the law has no memory."""
    recipe = DiscreteLaplace(decay="3/4")
    channel = recipe.channel(ak.Frame(["10", "12", "14", "16"]))
    for report, worth in {"10": 10 - 2 * 3, "12": 12, "14": 14, "16": 16 + 2 * 3}.items():
        assert mean_of_numbers(ak.Tally(channel, {report: 2})).value == pytest.approx(worth)


@pytest.mark.checked(
    "mean_of_numbers", by="expectations over every pair of reports", value=1e-12, errors=1e-12
)
def test_mean_and_variance_are_unbiased(within: Any) -> None:
    """Every pair of reports that two people may send."""
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    chance = shares @ Q.matrix
    mean = error = result = 0.0
    for pair in product(range(4), repeat=2):
        counts = np.bincount(pair, minlength=4)
        outcome = mean_of_numbers(ak.Tally(Q, dict(zip(Q.reports, counts.tolist(), strict=True))))
        weight = float(np.prod(chance[list(pair)]))
        mean += weight * outcome.value
        error += weight * (outcome.value - 1) ** 2
        result += weight * outcome.se**2
    assert mean == pytest.approx(1, rel=within.value)
    assert result**0.5 == pytest.approx(error**0.5, rel=within.errors)


def test_values_and_totals() -> None:
    frame = ak.Frame(["none", "some"])
    tally = ak.Tally(ak.Warner(truth="3/4").channel(frame), {"none": 60, "some": 40})
    mean = mean_of_numbers(tally, [0, 10], population=1000)
    share = (0.4 - 0.25) / 0.5
    assert mean.value == pytest.approx(10 * share)
    assert mean.total == pytest.approx(10_000 * share)
    assert mean.se == pytest.approx(10 * np.sqrt(0.24 / 99) / 0.5)
    assert mean.sd**2 == pytest.approx(100 * share * (1 - share) + mean.se**2)
    assert (mean.is_from_channel, mean.df) == (True, np.inf)
    assert "df" not in mean.to_dict()
    with pytest.raises(InputError, match="written as numbers"):
        mean_of_numbers(tally)


def test_weights_and_designs_are_those_of_single_reports() -> None:
    rng = np.random.default_rng(3)
    choices = rng.choice(DAYS.answers, 60)
    weights, clusters = rng.integers(1, 5, 60).astype(float), np.repeat(np.arange(12), 5)
    worth = np.array([-1.0, 1, 2, 4])[choices.astype(int)]
    sampling = SamplingDesign(weights=weights, clusters=clusters)
    mean = mean_of_numbers(ak.tally(Q, choices.tolist(), sampling=sampling))
    own = survey_mean(sampling, worth)
    assert (mean.value, mean.se) == pytest.approx((own.value[0], own.se[0]))
    assert (mean.lower, mean.upper) == pytest.approx((own.lower[0], own.upper[0]))
    total = ak.inference.survey_total(sampling, worth)
    assert (mean.total, mean.total_se) == pytest.approx((total.value[0], total.se[0]))
    plain = mean_of_numbers(ak.tally(Q, choices.tolist(), weights=weights))
    separate = weights * (worth - plain.value)
    assert plain.se**2 == pytest.approx(60 / 59 * separate @ separate / weights.sum() ** 2)
    assert plain.total_se**2 == pytest.approx(60 * np.var(weights * worth, ddof=1))


def test_scrambled_reports_of_a_design_are_weighed_by_it() -> None:
    scrambling = Scrambling.pollock_bek(added=(1, 2))
    r, pi = np.array([2.0, 9.0, 4.0, 7.0]), np.array([0.5, 0.25, 0.2, 0.4])
    by_chance = scrambled_mean(r, scrambling, inclusion=pi)
    mean = scrambled_mean(r, scrambling, sampling=SamplingDesign(weights=1 / pi))
    assert (mean.value, mean.se) == pytest.approx((by_chance.value, by_chance.se))
    assert mean.df == 3
    assert mean.upper - mean.value > by_chance.upper - by_chance.value
    assert mean.total_se**2 == pytest.approx(4 * ((r - 1) / pi).var(ddof=1))


@pytest.mark.parametrize("is_from_channel", [False, True])
def test_a_finite_population_leaves_the_noise(is_from_channel: bool) -> None:
    """Every sample of two out of four, and all that they may send: the variance is unbiased."""
    people, scrambling = (0, 1, 3, 3), Scrambling.pollock_bek(added=(0, 1))
    sampling = SamplingDesign(weights=[2.0, 2.0], fpc=[4, 4])
    mean = square = result = 0.0
    for pair in combinations(people, 2):
        for ends in product(range(4 if is_from_channel else 2), repeat=2):
            if is_from_channel:
                chance = float(
                    np.prod([Q.matrix[y, end] for y, end in zip(pair, ends, strict=True)])
                )
                report = [Q.reports[end] for end in ends]
                outcome = mean_of_numbers(ak.tally(Q, report, sampling=sampling))
            else:
                chance = 1 / 4
                report = [y + 2 * end - 1 for y, end in zip(pair, ends, strict=True)]
                outcome = scrambled_mean(report, scrambling, sampling=sampling)
            weight = chance / 6
            mean += weight * outcome.total
            square += weight * outcome.total**2
            result += weight * outcome.total_se**2
    assert mean == pytest.approx(sum(people))
    if is_from_channel:  # what is given back is none below 0, so that it is rather too large
        assert square - mean**2 <= result + 1e-9
        assert result <= 1.3 * (square - mean**2)
    else:
        assert result == pytest.approx(square - mean**2)


def test_two_reports_tell_a_mean_and_no_deviation() -> None:
    """A number told by one bit, the likelier the larger it is."""
    table = [[F(4, 5) - F(y, 5), F(1, 5) + F(y, 5)] for y in range(4)]
    channel = ak.Channel(DAYS, {name: list(DAYS.answers) for name in ("low", "high")}, table)
    mean = mean_of_numbers(ak.Tally(channel, {"low": 40, "high": 60}))
    assert mean.value == pytest.approx(40 / 100 * -1 + 60 / 100 * 4)
    assert mean.se == pytest.approx(5 * np.sqrt(0.24 / 99))
    assert np.isnan([mean.sd, mean.effective_sample_size]).all()
    assert "plain numbers" not in repr(mean)
    replies = ["low", "high", "high"]
    with pytest.raises(NotIdentified, match="with_replacement"):
        mean_of_numbers(ak.tally(channel, replies, sampling=SamplingDesign(fpc=[6] * 3)))
    questions = mean_of_numbers(
        ak.tally(channel, replies, sampling=SamplingDesign(weights=[2] * 3))
    )
    assert questions.se == pytest.approx(5 * np.sqrt(2 / 9 / 2))


def test_what_cannot_be_is_refused() -> None:
    half = ak.Channel(DAYS, {"any": list(DAYS.answers)}, [[1]] * 4)
    with pytest.raises(NotIdentified, match="leave the mean open"):
        mean_of_numbers(ak.Tally(half, {"any": 5}))
    with pytest.raises(InputError, match="two or more"):
        mean_of_numbers(ak.Tally(Q, {"0": 1}))
    with pytest.raises(InputError, match="values"):
        mean_of_numbers(ak.Tally(Q, {"0": 2}), [1, 2])
    with pytest.raises(InputError, match="population"):
        mean_of_numbers(ak.Tally(Q, {"0": 2}), population=1)
    weighed = ak.Tally(Q, {"0": 2}, weights={"0": 4}, squares={"0": 8})
    with pytest.raises(InputError, match="beside weights"):
        mean_of_numbers(weighed, population=10)
    with pytest.raises(InputError, match="one of them"):
        scrambled_mean(
            [1.0, 2.0],
            Scrambling.pollock_bek(added=(0, 1)),
            population=9,
            sampling=SamplingDesign(weights=[1, 1]),
        )
    with pytest.raises(InputError, match=r"scrambled_mean\.sampling"):
        scrambled_mean(
            [1.0, 2.0],
            Scrambling.pollock_bek(added=(0, 1)),
            sampling=SamplingDesign(weights=[1, 1, 1]),
        )


def test_ranges_tell_a_mean_where_they_tell_the_shares() -> None:
    """A report that means several numbers: the estimate that varies least at equal shares."""
    table = [[F(1, 2), F(1, 2), 0], [F(1, 2), 0, F(1, 2)]]
    channel = ak.Channel(
        ak.Frame(["0", "8"]), {"either": ["0", "8"], "0": ["0"], "8": ["8"]}, table
    )
    mean = mean_of_numbers(ak.Tally(channel, {"either": 50, "0": 30, "8": 20}))
    assert mean.value == pytest.approx((50 * 4 + 30 * -4 + 20 * 12) / 100)
