"""Averages of functions that turn without saying so: their turns are found, or they are refused."""

import numpy as np
import pytest

from askance.channels import Ranges
from askance.inference import functional_bounds, functional_interval, npmle
from askance_collect.errors import InputError

RANGES = Ranges([0, 2], [2, 4], counts=[40, 60])
DENSE = np.linspace(0, 4, 4_000_001)

TURNING = {
    "bump": lambda y: np.exp(-(((y - 1) / 0.05) ** 2)),
    "dip": lambda y: -np.exp(-(((y - 3.1) / 0.01) ** 2)),
    "spike": lambda y: np.clip(1 - np.abs(y - 3.3) / 0.001, 0, 1),
    "two spikes": lambda y: np.maximum(0, 0.001 - np.abs(np.abs(y - 1.7) - 0.01)),
    "wave": lambda y: y * np.sin(300 * y),
    "chirp": lambda y: np.sin(1 / (y + 0.01)),
    "steep": lambda y: np.clip(np.abs(y - 1.1) * 1e3, 0, 1),
    "level tops": lambda y: np.clip(np.sin(3 * y), -0.5, 0.5),
    "in step with even numbers": lambda y: np.sin(np.pi * 1024 * y) ** 2,
}


def brute_force(phi):
    """Extremes over each half of the line, on four million numbers."""
    halves = phi(DENSE[DENSE <= 2]), phi(DENSE[DENSE >= 2])
    return tuple(0.4 * end(halves[0]) + 0.6 * end(halves[1]) for end in (np.min, np.max))


@pytest.mark.parametrize("name", TURNING)
def test_turns_that_nobody_declared_are_found(name):
    phi = TURNING[name]
    interval = functional_interval(RANGES, phi, (0, 4))
    low, high = brute_force(phi)
    assert functional_bounds(npmle(RANGES, (0, 4)), phi, (0, 4)) == (interval.low, interval.high)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-6)
    assert interval.low <= low + 1e-9
    assert interval.high >= high - 1e-9


def test_the_error_and_the_upper_end_know_of_a_bump_inside_a_cell():
    """Forty of a hundred may all be where φ is 1: ± .096 about .4; the ends alone say 0 ± 0."""
    interval = functional_interval(RANGES, TURNING["bump"], (0, 4))
    assert interval.se == pytest.approx((0.4 * 0.6 / 99) ** 0.5)
    assert interval.upper == pytest.approx(0.4 + 1.959964 * interval.se)


def test_declared_turns_are_kept_however_narrow_they_are():
    def needle(y):
        return np.clip(1 - np.abs(y - np.sqrt(7)) / 1e-12, 0, 1)

    for bounds in (
        functional_bounds(npmle(RANGES, (0, 4)), needle, (0, 4), [7**0.5]),
        functional_interval(RANGES, needle, (0, 4), extrema=[7**0.5]).high,
    ):
        assert np.max(bounds) == pytest.approx(0.6)


def test_steps_are_bounded_and_have_no_error():
    """Of a share up to a point, or between two, bounds are exact; an error is refused."""
    fit = npmle(RANGES, (0, 4))
    for phi, bounds in (
        (lambda y: (y > 1.234) * 1.0, (0.6, 1.0)),
        (lambda y: ((y > 1) & (y <= 1.01)) * 1.0, (0.0, 0.4)),
        (lambda y: (y == 3) * 1.0, (0.0, 0.6)),
        (np.floor, (0.4 * 0 + 0.6 * 2, 0.4 * 2 + 0.6 * 4)),
    ):
        assert functional_bounds(fit, phi, (0, 4)) == pytest.approx(bounds)
        with pytest.raises(InputError, match=r"jumps by .*cdf_intervals"):
            functional_interval(RANGES, phi, (0, 4))


def test_whole_numbers_are_all_looked_at():
    """Who counts only people with one whole number of 60,000 is bounded by all in the cell."""
    ranges = Ranges([0, 30_000], [30_000, 60_000], counts=[40, 60])
    for number in (1, 12_345, 59_999):
        bounds = functional_bounds(npmle(ranges), lambda y, entire=number: (y == entire) * 1.0)
        assert bounds == (0.0, pytest.approx(0.4 if number < 30_000 else 0.6))


def test_open_lines_are_searched_too():
    ranges = Ranges([-np.inf, 0, 2], [0, 2, np.inf])
    _, high = functional_bounds(npmle(ranges), lambda y: np.exp(-((y - 50) ** 2) / 100))
    assert high == pytest.approx((np.exp(-25) + np.exp(-(48**2) / 100) + 1) / 3)


@pytest.mark.parametrize(
    ("phi", "message"),
    [
        (lambda y: np.sin(1e7 * y), "turns more often"),
        (lambda y: np.sin(1 / (y + 1e-6)), "turns more often"),
        (lambda y: 1 / (y - 1.5), "no finite value at 1.5"),
        (lambda y: np.abs(y - np.pi / 2) ** -2.0, "no finite value at 1.57"),
        (lambda y: np.where(y == 3, np.nan, y), "no finite value at 3"),
    ],
)
def test_what_cannot_be_followed_is_refused(phi, message):
    for ask in (
        lambda: functional_bounds(npmle(RANGES, (0, 4)), phi, (0, 4)),
        lambda: functional_interval(RANGES, phi, (0, 4)),
    ):
        with pytest.raises(InputError, match=message):
            ask()
