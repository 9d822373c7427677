"""What the figures of the page draw is what was estimated, to a tenth of a pixel."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawings import across, bars, drawn, figures, labels, segments, texts, uprights, upwards

TRUTH = "the truth in the data"
NEAR = 0.11


def shares(analysis, at, **given):
    """Draw one finding's shares, without a truth unless it is given."""
    finding = analysis.findings[at]
    truth = given.pop("truth", None)
    estimate = replace(finding.estimate, **given)
    (figure,) = figures(analysis, replace(finding, estimate=estimate, truth=truth))
    return figure


def line(analysis, truth=None, **given):
    """Draw the curve and the coverage of the protected number."""
    finding = analysis.findings[3]
    estimate = replace(finding.estimate, **given)
    return figures(analysis, replace(finding, estimate=estimate, truth=truth))


def test_bars_and_intervals_are_as_long_as_what_was_estimated(analysis):
    estimate = analysis.findings[2].estimate
    figure = shares(analysis, 2)
    at = across(figure)
    assert bars(figure)[:, 0] == pytest.approx(at(np.zeros(4)), abs=NEAR)
    assert bars(figure)[:, 1] == pytest.approx(at(estimate.value), abs=NEAR)
    ends = np.array([ends[:, 0] for ends in segments(figure, "accent")])
    assert ends[:, 0] == pytest.approx(at(estimate.lower), abs=NEAR)
    assert ends[:, 1] == pytest.approx(at(estimate.upper), abs=NEAR)


def test_every_answer_is_named_with_its_share(analysis):
    assert texts(shares(analysis, 1))[-4:] == ["yes", "33.1 %", "no", "66.9 %"]


@pytest.mark.long
def test_a_known_truth_adds_one_mark_per_known_answer(analysis):
    assert uprights(shares(analysis, 0)) == []
    known = shares(analysis, 0, truth={"none": 0.4, "two": 0.3})
    marks = [ends[0, 0] for ends in uprights(known)]
    assert marks == pytest.approx(across(known)([0.4, 0.3]), abs=NEAR)


def test_a_truth_beyond_every_interval_stays_inside_the_frame(analysis):
    figure = shares(analysis, 0, truth={"one": 0.9})
    (mark,) = uprights(figure)
    (axis,) = segments(figure, "quiet")
    assert mark[0, 0] == pytest.approx(across(figure)(0.9), abs=NEAR)
    assert mark[0, 0] < axis[1, 0] < 420


def test_nothing_learnt_is_drawn_as_the_whole_interval(analysis):
    nothing = np.full(2, np.nan)
    figure = shares(analysis, 1, value=nothing, lower=np.zeros(2), upper=np.ones(2))
    (axis,) = segments(figure, "quiet")
    assert across(figure)([0, 1]) == pytest.approx(axis[:, 0], abs=NEAR)
    assert texts(figure).count("not known") == 2


def test_long_labels_are_cut_and_unbroken_ones_too(analysis):
    figure = shares(analysis, 1, labels=("many words " * 30, "x" * 300))
    assert {len(one) for one in texts(figure) if "words" in one or "xx" in one} == {39, 44}
    assert max(map(len, texts(figure))) == 44


@pytest.mark.long
def test_the_curve_and_its_band_are_the_estimate(analysis):
    estimate = analysis.findings[3].estimate
    curve, _ = line(analysis, {"median": 27.0})
    lines = [ends for ends, path in drawn(curve) if len(ends) > 5 and path.get("fill") == "none"]
    bottom = max(ends[:, 1].max() for ends in lines)
    expected = (estimate.cdf, estimate.band_lower, estimate.band_upper)
    for ends, heights in zip(lines, expected, strict=True):
        assert ends[:, 0] == pytest.approx(across(curve)(estimate.ticks), abs=NEAR)
        assert ends[:, 1] == pytest.approx(bottom - upwards(curve) * heights, abs=2 * NEAR)


@pytest.mark.long
def test_the_coverage_histogram_counts_every_report(analysis):
    _, coverage = line(analysis)
    tall = bars(coverage)[:, 3] - bars(coverage)[:, 2]
    counted = analysis.findings[3].estimate.coverage_counts.sum()
    assert tall.sum() / upwards(coverage) == pytest.approx(counted, rel=0.01)


@pytest.mark.long
def test_many_reports_are_counted_inside_the_figure(analysis):
    estimate = analysis.findings[3].estimate
    _, coverage = line(analysis, coverage_counts=estimate.coverage_counts * 1e7)
    beside = labels(coverage, "end")
    assert len(beside) > 2
    assert min(x - wide for _, x, _, wide in beside) >= 0


@pytest.mark.long
@pytest.mark.parametrize("top", [70, 120_000, 20_000_000, 20_000_000_000])
def test_large_numbers_stand_apart(analysis, top):
    estimate = analysis.findings[3].estimate
    curve, _ = line(analysis, ticks=(estimate.ticks - 17) * top / 53)
    below = sorted((x - wide / 2, x + wide / 2) for _, x, _, wide in labels(curve, "middle"))
    assert len(below) >= 2
    assert all(left[1] + 3 < right[0] for left, right in pairwise(below))


@pytest.mark.long
def test_an_upright_mark_is_the_truth_in_every_figure_and_is_explained(analysis):
    known = shares(analysis, 0, truth={"none": 0.4, "two": 0.3})
    curve, revealed = line(analysis, {"mean": 29, "median": 27.0, "90th percentile": 40.0})
    marks = np.array([ends.mean(axis=0) for ends in uprights(curve)])
    assert marks[:, 0] == pytest.approx(across(curve)([27, 40]), abs=NEAR)
    assert marks[0, 1] - marks[1, 1] == pytest.approx(0.4 * upwards(curve), abs=2 * NEAR)
    assert [texts(one)[-1] for one in (known, curve)] == [TRUTH, TRUTH]
    assert uprights(revealed) == []
    assert texts(revealed)[-1] == "average: 83.0 %"
    for plain in (shares(analysis, 0), line(analysis, {"mean": 29})[0]):
        assert uprights(plain) == []
        assert TRUTH not in texts(plain)
