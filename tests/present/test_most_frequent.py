from dataclasses import replace

import numpy as np
import pytest
from drawings import dots

from askance.present import render_analysis


@pytest.fixture
def crowded(analysis):
    """A question with a thousand answers."""
    shares = np.arange(1.0, 1001) / 500_500
    estimate = replace(
        analysis.findings[0].estimate,
        labels=tuple(f"answer {index}" for index in range(1000)),
        value=shares,
        covariance=np.diag(shares / 6366),
        lower=shares / 2,
        upper=shares * 2,
        effective_sample_size=np.full(1000, 6366.0),
    )
    return replace(analysis.findings[0], estimate=estimate, truth=None)


@pytest.mark.long
def test_the_commonest_are_drawn_first_with_their_own_figures(analysis, crowded):
    dots_result = dots(analysis, crowded)
    assert [row[0] for row in dots_result.words] == [
        f"answer {index}" for index in range(999, 975, -1)
    ]
    shares = np.arange(1000, 976, -1) / 500_500
    assert [row[1] for row in dots_result.words] == [f"{100 * share:.1f} %" for share in shares]
    assert dots_result.each("dot")[:, 0] == pytest.approx(dots_result.at(shares), abs=0.02)
    assert dots_result.each("interval")[:, 0] == pytest.approx(dots_result.at(shares / 2), abs=0.02)


def test_few_answers_keep_their_order(analysis):
    names = [row[0] for row in dots(analysis, analysis.findings[0]).words]
    assert names == ["none", "one", "two", "three or more"]


@pytest.mark.long
def test_a_thousand_answers_make_a_page_of_usual_size(analysis, crowded):
    page = render_analysis(replace(analysis, findings=(crowded,)))
    assert len(page.encode()) <= 150_000
    assert "The next 176 commonest answers" in page
    assert [page.count(f">answer {number}<") for number in (999, 975, 800, 799)] == [
        2,
        1,
        1,
        0,
    ]  # the first at a glance too
