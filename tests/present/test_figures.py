from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from askance.present.figures import TRUTH, coverage_figure, curve_figure, house_style, shares_figure


@pytest.fixture(autouse=True)
def _dressed():
    with house_style():
        yield


def test_bars_are_as_long_as_the_shares(analysis):
    estimate = analysis.findings[2].estimate
    bars = shares_figure(estimate).axes[0].patches
    assert [bar.get_width() for bar in bars] == pytest.approx(list(estimate.value))


def test_every_answer_is_named_with_its_share(analysis):
    texts = [text.get_text() for text in shares_figure(analysis.findings[1].estimate).axes[0].texts]
    assert texts == ["yes", "33.1 %", "no", "66.9 %"]


def test_a_known_truth_adds_one_mark_per_known_answer(analysis):
    estimate = analysis.findings[0].estimate
    plain = shares_figure(estimate).axes[0]
    known = shares_figure(estimate, {"none": 0.4, "two": 0.3}).axes[0]
    assert len(known.collections) == len(plain.collections) + 2


def test_a_truth_beyond_every_interval_stays_inside_the_frame(analysis):
    ax = shares_figure(analysis.findings[0].estimate, {"one": 0.9}).axes[0]
    assert ax.get_xlim()[1] > 0.9


def test_nothing_learnt_is_drawn_as_the_whole_interval(invent):
    estimate = invent().findings[1].estimate
    nothing = np.full(2, np.nan)
    empty = replace(estimate, value=nothing, lower=np.zeros(2), upper=np.ones(2))
    ax = shares_figure(empty).axes[0]
    assert ax.get_xlim() == (0, 1)
    assert "not known" in [text.get_text() for text in ax.texts]


def test_long_labels_are_cut_and_unbroken_ones_too(analysis):
    estimate = replace(analysis.findings[1].estimate, labels=("many words " * 30, "x" * 300))
    texts = [text.get_text() for text in shares_figure(estimate).axes[0].texts]
    assert max(map(len, texts)) <= 44


def test_the_curve_is_the_estimate(analysis):
    estimate = analysis.findings[3].estimate
    line = curve_figure(estimate, {"median": 27.0}).axes[0].lines[0]
    assert np.array_equal(line.get_ydata(), estimate.cdf)


def test_the_coverage_histogram_counts_every_report(analysis):
    estimate = analysis.findings[3].estimate
    bars = coverage_figure(estimate).axes[0].patches
    assert sum(bar.get_height() for bar in bars) == pytest.approx(estimate.coverage_counts.sum())


def extents(figure, labels):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure).draw()
    return [one.get_window_extent() for one in labels if one.get_text()]


def test_many_reports_are_counted_inside_the_figure(analysis):
    estimate = analysis.findings[3].estimate
    many = replace(estimate, coverage_counts=estimate.coverage_counts * 1e7)
    figure = coverage_figure(many)
    assert min(box.x0 for box in extents(figure, figure.axes[0].get_yticklabels())) >= 0


@pytest.mark.parametrize("top", [70, 120_000, 20_000_000, 20_000_000_000])
def test_large_numbers_stand_apart(analysis, top):
    estimate = analysis.findings[3].estimate
    scaled = (estimate.ticks - 17) * top / 53
    figure = curve_figure(replace(estimate, ticks=scaled))
    boxes = extents(figure, figure.axes[0].get_xticklabels())
    assert len(boxes) >= 2
    assert all(left.x1 + 3 < right.x0 for left, right in pairwise(boxes))


def uprights(figure):
    """Every line of a figure that stands upright."""
    ax = figure.axes[0]
    segments = [one.get_segments() for one in ax.collections if hasattr(one, "get_segments")]
    drawn = [line.get_xydata() for line in ax.lines]
    drawn += [np.asarray(ends) for several in segments for ends in several]
    return [ends for ends in drawn if len(ends) == 2 and ends[0, 0] == ends[1, 0]]


def test_an_upright_mark_is_the_truth_in_every_figure_and_is_explained(analysis):
    shares, line = (analysis.findings[at].estimate for at in (0, 3))
    known = shares_figure(shares, {"none": 0.4, "two": 0.3})
    assert [ends[0, 0] for ends in uprights(known)] == [0.4, 0.3]
    curve = curve_figure(line, {"mean": 29, "median": 27.0, "90th percentile": 40.0})
    assert [tuple(ends.mean(axis=0)) for ends in uprights(curve)] == [(27, 0.5), (40, 0.9)]
    assert [one.get_text() for one in (*known.texts, *curve.texts)] == [TRUTH, TRUTH]
    revealed = coverage_figure(line)
    assert uprights(revealed) == []
    assert [one.get_text() for one in revealed.texts] == ["average: 83.0 %"]
    for plain in (shares_figure(shares), curve_figure(line, {"mean": 29})):
        assert (uprights(plain), plain.texts) == ([], [])
