"""Figures as a person gets them: nothing cut off, one colour for one thing, no dot for no value."""

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

import askance as ak

mpl.use("Agg")
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def estimated(names, counts):
    channel = ak.KAry.at_epsilon(1).channel(ak.Frame(names))
    return ak.estimate(ak.Tally(channel, dict(zip(names, counts, strict=True))))


@pytest.mark.long
def test_long_names_stay_inside_the_figure():
    names = [f"a rather long answer in many words, number {n}" for n in range(5)]
    ax = estimated(names, [50] * 5).plot()
    ax.figure.canvas.draw()
    lefts = [label.get_window_extent().x0 for label in ax.get_yticklabels()]
    assert min(lefts) >= 0


def test_what_is_not_known_has_no_dot():
    ax = estimated(["yes", "no"], [0, 0]).plot()
    (dots,) = ax.lines
    assert np.isnan(dots.get_xdata()).all()


def test_a_value_and_its_interval_are_of_one_colour():
    ranges = ak.Ranges([-np.inf, 2, -np.inf, 1], [2, np.inf, 3, np.inf])
    ax = ak.npmle(ranges).plot()
    count = len(ax.collections)
    ak.inference.cdf_intervals(ranges, [1.5, 2.5]).plot(ax)
    dots, bars = ax.lines[-1], ax.collections[count]
    assert mpl.colors.same_color(dots.get_color(), bars.get_color()[0])
    assert not mpl.colors.same_color(dots.get_color(), ax.lines[0].get_color())


@pytest.mark.long
def test_the_best_cuts_lie_on_their_curve():
    ax = ak.design.coverage_tradeoff(stats.norm()).plot()
    curve, best = (line.get_xydata() for line in ax.lines)
    assert (curve == best[0]).all(axis=1).any()
    assert (np.diff(curve[:, 0]) > 0).all()


def test_a_curve_on_the_edge_of_its_axes_is_seen():
    ax = ak.privacy.tradeoff(
        ak.Warner(truth=1).channel(ak.Frame(["yes", "no"])), "yes", "no"
    ).plot()
    curve = ax.lines[-1].get_xydata()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < curve[:, 0].min() <= curve[:, 0].max() < right
    assert bottom < curve[:, 1].min() <= curve[:, 1].max() < top
