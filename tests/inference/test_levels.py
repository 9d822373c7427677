"""A higher level makes every interval longer, and what is no level is refused."""

import numpy as np
import pytest

import askance as ak

YN = ak.Frame(["yes", "no"])
Q = ak.Warner(truth=0.75).channel(YN)
TALLY = ak.Tally(Q, {"yes": 400, "no": 600})
CUTS = ak.Ranges([-np.inf, 4], [6, np.inf], counts=[40, 60])
LENGTHS = {
    "half_width": lambda level: ak.design.half_width(Q, 100, level),
    "line_half_width": lambda level: ak.design.line_half_width(
        ak.Cuts().channel(ak.Line(0, 10, 1)), 100, level
    ),
    "expected_half_width": lambda level: ak.design.expected_half_width(Q, 100, level=level),
    "unbiased_mean": lambda level: np.ptp(_ends(ak.inference.unbiased_mean(CUTS, (0, 10), level))),
    "moment_estimate": lambda level: np.ptp(
        _ends(ak.inference.moment_estimate(TALLY, level)), axis=0
    )[0],
    "estimate_joint": lambda level: np.ptp(
        _ends(ak.estimate_joint({"smokes": Q}, [400, 600], level)), axis=0
    )[0],
}


def _ends(result):
    return np.array([result.lower, result.upper])


@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
def test_a_higher_level_makes_longer_intervals(length):
    lengths = [length(level) for level in (0.5, 0.9, 0.99)]
    assert 0 < lengths[0] < lengths[1] < lengths[2]


@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("level", [0, 1, float("nan")])
def test_what_is_no_level_is_refused(length, level):
    with pytest.raises(ak.errors.InputError, match="level"):
        length(level)


def test_power_falls_as_the_level_rises():
    power_results = [
        ak.design.power(Q, 400, prevalence=0.3, null_prevalence=0.2, level=number)
        for number in (0.8, 0.95, 0.99)
    ]
    assert power_results[0] > power_results[1] > power_results[2] > 0.01
