"""The figure of a distribution shades exactly what the ranges leave open."""

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.path import Path

from askance.channels import Ranges
from askance.inference import cdf_intervals, npmle

GRID = Ranges([-np.inf, 5, -np.inf, 10, -np.inf, 20], [5, np.inf, 10, np.inf, 20, np.inf])


@pytest.fixture
def ax():
    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


def shaded(ax, index):
    """How tall the shaded part is at a place, measured through the paths of its boxes."""
    heights = np.linspace(0.0005, 0.9995, 1000)
    places = np.column_stack([np.full(1000, index), heights])
    boxes = [Path(box) for box in ax.patches[0].get_path().to_polygons() if len(box)]
    inside = [box.contains_points(places) for box in boxes]
    return float(np.any(inside, axis=0).mean()) if inside else 0.0


@pytest.mark.parametrize("weights", [[3, 7, 5, 5, 9, 1], [2, 2, 2, 2, 2, 2], [0, 4, 4, 1, 3, 2]])
def test_the_shade_is_as_tall_as_the_bounds_are_apart(ax, weights):
    fit = npmle(Ranges(GRID.lower, GRID.upper, weights))
    fit.plot(ax)
    remaining, right = ax.get_xlim()
    for index in [(remaining + 5) / 2, 6, 9.9, 11, 19, (20 + right) / 2]:
        low, high = fit.cdf_bounds(index)
        assert shaded(ax, index) == pytest.approx(float(high - low), abs=0.003)


def test_what_is_exact_is_a_line_and_what_is_vacuous_is_all_shade(ax):
    npmle(Ranges([1, 2, 4], [1, 2, 4], closed="both")).plot(ax)
    assert [shaded(ax, number) for number in (1.5, 3)] == [0, 0]
    ax.clear()
    npmle(Ranges([-np.inf], [np.inf])).plot(ax)
    assert shaded(ax, 0.5) == pytest.approx(1, abs=0.003)


def test_intervals_are_drawn_on_top(ax):
    ranges = Ranges(GRID.lower, GRID.upper, [3, 7, 5, 5, 9, 1])
    plot_result = cdf_intervals(ranges, [5, 10, 20]).plot(npmle(ranges).plot(ax))
    assert plot_result is ax
    assert len(ax.patches) == len(ax.collections) == 1
