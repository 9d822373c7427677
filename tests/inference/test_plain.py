"""A plainly asked number: the sample's own figures."""

import math

import numpy as np
import pytest

from askance import Line
from askance.inference import Convergence, estimate_plain

TEN = Line(0, 10, 1, "years")


def test_the_mean_and_its_error_are_the_samples():
    fit = estimate_plain(TEN, {1: 2, 4: 1, 10: 1}, unit="years")
    sample = np.array([1, 1, 4, 10])
    assert fit.mean == pytest.approx(sample.mean())
    assert fit.se == pytest.approx(sample.std(ddof=1) / 2)
    assert fit.quantiles[0.5][1] == 1
    assert fit.quantiles[0.75][1] == 4
    assert fit.effective_sample_size == fit.reports == 4
    assert fit.cdf.tolist() == [0, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 1]
    assert fit.distribution.lower.tolist() == [0, 3, 9]  # in the step that ends there
    assert fit.distribution.upper.tolist() == [1, 4, 10]
    assert fit.distribution.cdf(fit.ticks) == pytest.approx(fit.cdf)
    assert np.all(fit.band_lower <= fit.cdf)
    assert np.all(fit.cdf <= fit.band_upper)


def test_one_number_leaves_the_mean_anywhere_on_the_line():
    fit = estimate_plain(TEN, {3: 1})
    assert (fit.mean, fit.lower, fit.upper) == (3, 0, 10)


def test_no_number_teaches_nothing():
    fit = estimate_plain(TEN, {})
    assert fit.convergence is Convergence.NO_REPORTS
    assert math.isnan(fit.se)


@pytest.mark.parametrize("tick", [0, 4, 10])
def test_numbers_that_are_all_alike_leave_room_for_who_was_not_asked(tick):
    """Wilson's upper end of 0 of n, z²/(n + z²), may stand at either end of the line."""
    widths = []
    for n in (10, 1_000, 100_000):
        estimate = estimate_plain(Line(0, 10, 1), {tick: n})
        rest = 3.841459 / (n + 3.841459)
        assert estimate.lower == pytest.approx(tick * (1 - rest), rel=1e-6)
        assert estimate.upper == pytest.approx(tick + (10 - tick) * rest, rel=1e-6)
        widths.append(estimate.upper - estimate.lower)
    assert widths[0] > widths[1] > widths[2] > 0
