"""People who did not comply, in two published surveys: what was printed, and by hand."""

import csv
from collections import Counter
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import xlogy

import askance as ak
from askance.channels import GroupedTally
from askance.inference import (
    compliance_regression,
    estimate_compliance,
    overidentification_test,
    random_answerers,
    sensitivity,
    stochastic_lie_detector,
)
from askance.mechanisms import Crosswise

YN = ak.Frame(["yes", "no"])
MEANINGS = {"yes": ["yes"], "no": ["no"]}
DIRECT = ak.KAry(truth=1).channel(YN)


def counted(path: Path, *columns: str) -> Counter[tuple[str, ...]]:
    with path.open(newline="") as file:
        return Counter(tuple(row[column] for column in columns) for row in csv.DictReader(file))


def minarets(path: Path) -> GroupedTally:
    """Count the two groups whose non-carriers turn their answer round in 10 and 2 of 12 cases."""
    counted_result = counted(path, "condition", "rrt")
    tallies = {}
    for condition, turned in (("1", F(10, 12)), ("2", F(2, 12))):
        channel = ak.Channel(YN, MEANINGS, [[1, 0], [turned, 1 - turned]])
        counts = {"yes": counted_result[condition, "1"], "no": counted_result[condition, "0"]}
        tallies[condition] = ak.Tally(channel, counts)
    return GroupedTally(tallies)


def test_the_lie_detector_on_minarets(data_beside: Callable[[str], Path]) -> None:
    """R's RRreg on its data of Radukic and Musch: 87.07 % carriers, 63.58 % of whom say so."""
    minarets_result = minarets(data_beside("rr/minarets_sld.csv"))
    assert minarets_result.total == 1256
    estimate = estimate_compliance(minarets_result, stochastic_lie_detector())
    assert estimate.answers.is_identified.all()
    carriers = estimate.answers.low[0]
    assert carriers == pytest.approx(0.8707, abs=5e-5)
    assert estimate.classes.low[0] / carriers == pytest.approx(0.6358, abs=5e-5)
    assert estimate.test.df == 0


def test_its_interval_is_that_of_a_difference_of_two_shares(
    data_beside: Callable[[str], Path],
) -> None:
    """π is linear in what each group said, and far enough from 1: the delta method is close."""
    minarets_result = minarets(data_beside("rr/minarets_sld.csv"))
    result = estimate_compliance(minarets_result, stochastic_lie_detector()).answers
    yes = [
        (tally.counts[0] / tally.total, tally.total) for tally in minarets_result.tallies.values()
    ]
    se = np.sqrt(sum(share * (1 - share) / n for share, n in yes)) / (8 / 12)
    ends = (result.lower[0], result.upper[0])
    assert ends == pytest.approx((result.low[0] - 1.96 * se, result.low[0] + 1.96 * se), abs=2e-3)


def test_full_compliance_does_not_fit_minarets(data_beside: Callable[[str], Path]) -> None:
    minarets_result = minarets(data_beside("rr/minarets_sld.csv"))
    honest = estimate_compliance(minarets_result, ())
    assert honest.test.df == 1
    assert honest.test.p_value < 1e-6
    estimate = estimate_compliance(minarets_result, stochastic_lie_detector())
    assert estimate.likelihood_ratio(honest)[2] == pytest.approx(honest.test.p_value / 2, rel=1e-6)


def plagiarism(path: Path, direct: str, crosswise: str) -> GroupedTally:
    counted_result = counted(path, "question", "response")
    channel_result = Crosswise(harmless=F(1, 4)).channel(YN)
    pair = {
        "both or neither": counted_result[crosswise, "1"],
        "just one": counted_result[crosswise, "0"],
    }
    return GroupedTally(
        {
            "direct": ak.Tally(
                DIRECT, {"yes": counted_result[direct, "1"], "no": counted_result[direct, "0"]}
            ),
            "crosswise": ak.Tally(channel_result, pair),
        }
    )


def test_plagiarism_asked_directly_and_by_the_crosswise_model_differ(
    data_beside: Callable[[str], Path],
) -> None:
    """The two arms of Jann, Jerke and Krumpal (2012) as two groups with one share: by search."""
    plagiarism_result = plagiarism(data_beside("rr/plagiarism_crosswise.csv"), "1", "3")
    test = overidentification_test(plagiarism_result)
    arms = [tally.counts for tally in plagiarism_result.tallies.values()]
    (yes, no), (same, other) = arms
    share = np.linspace(0, 1, 1_000_001)
    like = 3 / 4 - share / 2
    result = xlogy(yes, share) + xlogy(no, 1 - share) + xlogy(same, like) + xlogy(other, 1 - like)
    free = sum(float(xlogy(n, n / n.sum()).sum()) for n in arms)
    assert test.deviance == pytest.approx(2 * (free - result.max()), abs=1e-4)
    assert test.df == 1


def test_random_answers_would_explain_part_of_the_crosswise_share(
    data_beside: Callable[[str], Path],
) -> None:
    """With a share c who pick at random, π = ((λ − c/2)/(1 − c) − h)/(1 − 2h)."""
    crosswise = plagiarism(data_beside("rr/plagiarism_crosswise.csv"), "1", "3").tallies[
        "crosswise"
    ]
    strip = sensitivity(crosswise, random_answerers(), most="1/5", steps=4)
    result = F(int(crosswise.counts[1]), crosswise.total)
    hand = [
        ((result - c / 2) / (1 - c) - F(1, 4)) * 2 for c in (F(index, 20) for index in range(5))
    ]
    assert strip.low[:, 0] == pytest.approx([float(item) for item in hand], abs=1e-7)
    assert strip.high[:, 0] == pytest.approx(strip.low[:, 0], abs=1e-12)
    assert hand[0] == pytest.approx(0.223, abs=5e-4)


@pytest.mark.checked("compliance_regression", by="R's RRreg 0.7.5", value=2e-4, errors=2e-3)
def test_the_lie_detector_with_covariates_on_minarets(
    data_beside: Callable[[str], Path], within: Any
) -> None:
    """R's RRreg 0.7.5, RRlog(rrt ~ decades + leftRight, "SLD"), which tells t, who say so."""
    with data_beside("rr/minarets_sld.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["condition"] != "0"]
    X = [[(float(row["age"]) - 25) / 10, float(row["leftRight"])] for row in rows]
    texts = ["yes" if row["rrt"] == "1" else "no" for row in rows]
    group = [int(row["condition"]) - 1 for row in rows]
    channels = [ak.Channel(YN, MEANINGS, [[1, 0], [p, 1 - p]]) for p in (F(10, 12), F(2, 12))]
    fit = compliance_regression(texts, X, channels, stochastic_lie_detector(), group=group)
    assert 0 <= fit.classes.log_likelihood - -822.08378684565 < 1e-6
    value = [2.53385346937138, 0.88354501764288, 0.66370305225032]
    np.testing.assert_allclose(fit.value[:3], value, atol=2e-4)
    np.testing.assert_allclose(fit.value[:3], value, rtol=within.value)
    se = [0.627955021488735, 0.894799409158429, 0.179374927077006]
    np.testing.assert_allclose(fit.se[:3], se, rtol=within.errors)
    t = 1 / (1 + np.exp(fit.value[3]))
    assert t == pytest.approx(0.64876196327728, abs=1e-5)
    assert fit.se[3] * t * (1 - t) == pytest.approx(0.017822612221846, rel=2e-3)
