"""Bands for a whole distribution: wider than intervals, rising, and read anywhere."""

import matplotlib as mpl
import numpy as np
import pytest

from askance.channels import Ranges
from askance.inference import cdf_intervals, simultaneous_band
from askance_collect.errors import InputError

mpl.use("Agg")


def one_cut_each(rng, n, ticks=0):
    y, cut = rng.random(n), rng.integers(1, ticks, n) / ticks if ticks else rng.random(n)
    return Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))


@pytest.mark.parametrize("ticks", [0, 6])
def test_a_band_rises_and_holds_every_interval(ticks):
    ranges = one_cut_each(np.random.default_rng(1), 200, ticks)
    band = simultaneous_band(ranges)
    alone = cdf_intervals(ranges, band.points)
    assert band.together
    assert (np.diff(band.lower) >= 0).all()
    assert (np.diff(band.upper) >= 0).all()
    assert (band.lower <= alone.lower + 1e-3).all()
    assert (band.upper >= alone.upper - 1e-3).all()
    assert len(band.points) == (5 if ticks else 11)


def test_a_band_is_read_between_its_points_and_beyond():
    band = simultaneous_band(one_cut_each(np.random.default_rng(2), 100))
    low, high = band.bounds([-1.0, band.points[0], (band.points[0] + band.points[1]) / 2, 2.0])
    assert low.tolist() == [0.0, band.lower[0], band.lower[0], band.lower[-1]]
    assert high.tolist() == [band.upper[0], band.upper[0], band.upper[1], 1.0]


def test_a_band_is_drawn_and_told():
    band = simultaneous_band(one_cut_each(np.random.default_rng(3), 100))
    ax = band.plot()
    assert [len(part.get_paths()) for part in ax.collections] == [len(band.points), 1]
    assert "95 % together from" in repr(band)
    assert band.to_dict()["together"] is True


def test_higher_levels_take_fewer_points_and_the_highest_are_refused():
    ranges = one_cut_each(np.random.default_rng(4), 2000)
    assert len(simultaneous_band(ranges, 0.99).points) == 10
    for level in (0.3, 0.999, np.nan):
        with pytest.raises(InputError, match="level"):
            simultaneous_band(ranges, level)
    with pytest.raises(InputError, match="finite end"):
        simultaneous_band(Ranges([-np.inf], [np.inf]))
