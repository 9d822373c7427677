"""What the figures of the page draw is what was estimated, to a tenth of a pixel."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawings import across, bars, dots, drawn, figures, labels, texts, uprights, upwards

from askance.present import render_analysis

TRUTH = "the truth in the data"
NEAR = 0.11
SMALL = 0.02


def shares(analysis, index, truth=None, **inputs):
    """Read one finding's dots, without a truth unless it is given."""
    finding = analysis.findings[index]
    estimate = replace(finding.estimate, **inputs)
    return dots(analysis, replace(finding, estimate=estimate, truth=truth))


def line(analysis, truth=None, **inputs):
    """Draw the curve and the coverage of the protected number."""
    finding = analysis.findings[3]
    estimate = replace(finding.estimate, **inputs)
    return figures(analysis, replace(finding, estimate=estimate, truth=truth))


def test_dots_and_intervals_stand_where_the_axis_says(analysis):
    estimate = analysis.findings[2].estimate
    shares_result = shares(analysis, 2)
    assert shares_result.each("dot")[:, 0] == pytest.approx(
        shares_result.at(estimate.value), abs=SMALL
    )
    assert shares_result.each("interval")[:, 0] == pytest.approx(
        shares_result.at(estimate.lower), abs=SMALL
    )
    assert shares_result.each("interval")[:, 1] == pytest.approx(
        shares_result.at(estimate.upper), abs=SMALL
    )


def test_every_answer_is_named_with_its_share_and_interval(analysis):
    assert shares(analysis, 1).words == [
        ["yes", "33.1 %", "30.8 to 35.4 %"],
        ["no", "66.9 %", "64.6 to 69.2 %"],
    ]


@pytest.mark.long
def test_a_known_truth_adds_one_mark_per_known_answer(analysis):
    assert not any("true" in row for row in shares(analysis, 0).marks)
    shares_result = shares(analysis, 0, truth={"none": 0.4, "two": 0.3})
    marks = [row["true"][0] for row in shares_result.marks if "true" in row]
    assert marks == pytest.approx(shares_result.at([0.4, 0.3]), abs=SMALL)
    assert [row[3] for row in shares_result.words] == ["40.0 %", "", "30.0 %", ""]


def test_a_truth_beyond_every_interval_stays_inside_the_frame(analysis):
    shares_result = shares(analysis, 0, truth={"one": 0.9})
    assert shares_result.marks[1]["true"][0] == pytest.approx(shares_result.at(0.9), abs=SMALL)
    assert shares_result.at(0.9) < 100


def test_nothing_learnt_is_drawn_as_the_whole_interval(analysis):
    nothing = np.full(2, np.nan)
    shares_result = shares(analysis, 1, value=nothing, lower=np.zeros(2), upper=np.ones(2))
    assert [row for row in shares_result.marks if "dot" in row] == []
    assert shares_result.each("interval").tolist() == [[0, 100], [0, 100]]
    assert [row[1] for row in shares_result.words] == ["not known", "not known"]


def test_a_number_known_up_to_its_step_is_a_stretch_and_quantiles_are_dots(analysis):
    finding = analysis.findings[4]
    dots_result = dots(analysis, finding)
    assert dots_result.marks[0]["stretch"] == pytest.approx(dots_result.at([28.6, 29.6]), abs=SMALL)
    assert [row["dot"][0] for row in dots_result.marks[1:]] == pytest.approx(
        dots_result.at([20, 28, 39]), abs=SMALL
    )
    assert "Figure, in years" in render_analysis(replace(analysis, findings=(finding,)))


def test_an_end_that_nothing_bounds_runs_to_the_edge(analysis):
    finding = analysis.findings[4]
    open_above = replace(finding.estimate, upper=np.inf)
    dots_result = dots(analysis, replace(finding, estimate=open_above))
    assert dots_result.marks[0]["interval"][1] == 100


@pytest.mark.parametrize("largest", [0.0004, 0.02, 0.3, 0.97, 1.0])
def test_ticks_of_shares_are_round_and_stand_apart(analysis, largest):
    ends = np.array([0.0, largest])
    shares_result = shares(analysis, 1, value=ends, lower=ends, upper=ends)
    places = np.array([position for position, _ in shares_result.ticks])
    assert shares_result.ticks[0] == (0, 0)
    assert 3 <= len(shares_result.ticks) <= 7
    assert np.diff(places).min() >= 14
    assert places[-1] <= 100


def test_each_number_is_said_once(analysis):
    finding = replace(analysis.findings[1], truth=None)
    page = render_analysis(replace(analysis, findings=(finding,)))
    article = page[page.index("<article") : page.index("</article>")]
    for word in ("33.1 %", "66.9 %", "30.8 to 35.4 %", "6,048", "1,591"):
        assert article.count(word) == 1


@pytest.mark.long
def test_the_curve_and_its_band_are_the_estimate(analysis):
    estimate = analysis.findings[3].estimate
    curve, _ = line(analysis, {"median": 27.0})
    boxes, band = (
        next(ends for ends, path in drawn(curve) if path.get("fill-opacity") == opacity)
        for opacity in ("0.25", "0.12")
    )
    bottom = max(ends[:, 1].max() for ends, path in drawn(curve) if len(ends) == 2)
    places, height = across(curve)(estimate.ticks), upwards(curve)
    levels = bottom - height * estimate.cdf
    rising = np.flatnonzero(np.diff(estimate.cdf) > 1e-9)
    corners = boxes.reshape(-1, 4, 2)
    assert corners[:, 0, 0] == pytest.approx(places[rising], abs=NEAR)
    assert corners[:, 1, 0] == pytest.approx(places[rising + 1], abs=NEAR)
    assert corners[:, 0, 1] == pytest.approx(levels[rising], abs=2 * NEAR)
    assert corners[:, 2, 1] == pytest.approx(levels[rising + 1], abs=2 * NEAR)
    for end in (estimate.band_lower, estimate.band_upper):
        expected = bottom - height * end[rising]
        assert np.abs(expected[:, None] - band[:, 1]).min(axis=1).max() < 2 * NEAR


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
    labels_result = labels(coverage, "end")
    assert len(labels_result) > 2
    assert min(x - wide for _, x, _, wide in labels_result) >= 0


@pytest.mark.long
@pytest.mark.parametrize("top", [70, 120_000, 20_000_000, 20_000_000_000])
def test_large_numbers_stand_apart(analysis, top):
    estimate = analysis.findings[3].estimate
    curve, _ = line(analysis, ticks=(estimate.ticks - 17) * top / 53)
    below = sorted((x - wide / 2, x + wide / 2) for _, x, _, wide in labels(curve, "middle"))
    assert len(below) >= 2
    assert all(remaining[1] + 3 < right[0] for remaining, right in pairwise(below))


@pytest.mark.long
def test_an_upright_mark_is_the_truth_in_every_figure_and_is_explained(analysis):
    curve, revealed = line(analysis, {"mean": 29, "median": 27.0, "90th percentile": 40.0})
    marks = np.array([ends.mean(axis=0) for ends in uprights(curve)])
    assert marks[:, 0] == pytest.approx(across(curve)([27, 40]), abs=NEAR)
    assert marks[0, 1] - marks[1, 1] == pytest.approx(0.4 * upwards(curve), abs=2 * NEAR)
    assert texts(curve)[-1] == TRUTH
    assert uprights(revealed) == []
    assert texts(revealed)[-1] == "average: 83.0 %"
    plain = line(analysis, {"mean": 29})[0]
    assert uprights(plain) == []
    assert TRUTH not in texts(plain)
