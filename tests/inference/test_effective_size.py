"""Plain answers: how many direct answers would be as precise as the reports that say something."""

import numpy as np
import pytest
from scipy.stats import binom

import askance as ak
from askance.channels import Channel, Frame
from askance.inference import moment_estimate

YES_NO = Frame(["yes", "no"])
NAMES = {"yes": ["yes"], "no": ["no"]}
FORCED = Channel(YES_NO, NAMES, [[5 / 6, 1 / 6], [1 / 6, 5 / 6]])


def law_of_worth(share: float, n: int) -> tuple[float, float, float]:
    """The true number of plain answers, and the mean and median of its estimate, by enumeration."""
    base, slope = 1 / 6, 2 / 3
    chance = base + slope * share
    yes = np.arange(n + 1)
    yes = yes[binom.pmf(yes, n, chance) > 1e-12]
    law = binom.pmf(yes, n, chance)
    places = np.unique(np.append(yes[:: max(len(yes) // 60, 1)], yes[-1]))
    estimated = [
        ak.estimate(ak.Tally(FORCED, {"yes": int(item), "no": n - int(item)})) for item in places
    ]
    worth = np.interp(yes, places, [float(item.effective_sample_size[0]) for item in estimated])
    order = np.argsort(worth)
    middle = worth[order][np.searchsorted(np.cumsum(law[order]), 0.5)]
    true = n * share * (1 - share) * slope**2 / (chance * (1 - chance))
    return true, float(law @ worth), float(middle)


@pytest.mark.parametrize("n", [50, 200, 1000, 10_000])
@pytest.mark.parametrize("share", [0, 0.02, 0.1, 0.3, 0.5])
def test_plain_answers_are_right_in_the_median_and_nearly_in_the_mean(share, n):
    true, mean, middle = law_of_worth(share, n)
    assert middle == pytest.approx(true, rel=0.04, abs=2)
    assert -max(2.5, 0.01 * true) <= mean - true <= 0.75 * n**0.5
    if share >= 0.1:
        assert mean == pytest.approx(true, abs=2.5, rel=0.01)


def test_two_hundred_reports_of_a_rare_trait_are_not_overrated():
    true, mean, middle = law_of_worth(0.02, 200)
    assert true == pytest.approx(11.8, abs=0.05)
    assert mean == pytest.approx(15, abs=0.5)
    assert middle == pytest.approx(true, abs=1.5)


@pytest.mark.parametrize("method", [ak.estimate, ak.maximum_likelihood, moment_estimate])
def test_direct_answers_are_worth_as_many_as_they_are(method):
    plain = Channel(YES_NO, NAMES, np.eye(2))
    for yes in (1, 13, 40):
        method_result = method(ak.Tally(plain, {"yes": yes, "no": 40 - yes}))
        assert method_result.effective_sample_size == pytest.approx([40, 40])


def test_seven_hundred_who_say_something_are_worth_at_most_seven_hundred():
    abstain = ak.Abstain(truth="3/5", lie="1/10").channel(YES_NO)
    silent = ak.Abstain(truth="3/5", lie=0).channel(YES_NO)
    for unknown in (0, 300, 900, 7000):
        counts = {"yes": 310, "no": 390, "don't know": unknown}
        for method in (ak.estimate, ak.maximum_likelihood, moment_estimate):
            method_result = method(ak.Tally(abstain, counts))
            frequency = 310 / 700  # by hand: √(f(1 − f)/700) · 7/5
            se = (frequency * (1 - frequency) / 700) ** 0.5 * 7 / 5
            assert method_result.se == pytest.approx([se, se], rel=1e-9)
            assert method_result.effective_sample_size == pytest.approx([0.42 * 0.58 / se**2] * 2)
            assert method(ak.Tally(silent, counts)).effective_sample_size == pytest.approx(
                [700] * 2
            )
