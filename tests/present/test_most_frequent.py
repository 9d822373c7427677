from dataclasses import replace

import numpy as np
import pytest

from askance.present.analysis_page import render_analysis
from askance.present.findings import most_frequent


@pytest.fixture
def crowded(analysis):
    """A question with a thousand answers."""
    shares = np.arange(1.0, 1001) / 500_500
    estimate = replace(
        analysis.findings[0].estimate,
        labels=tuple(f"answer {at}" for at in range(1000)),
        value=shares,
        covariance=np.diag(shares / 6366),
        lower=shares / 2,
        upper=shares * 2,
        plain=np.full(1000, 6366.0),
    )
    return replace(analysis.findings[0], estimate=estimate, truth=None)


def test_the_commonest_stay_in_order_with_their_own_figures(crowded):
    kept = most_frequent(crowded.estimate, 3)
    assert kept.labels == ("answer 997", "answer 998", "answer 999")
    assert kept.value == pytest.approx(np.array([998, 999, 1000]) / 500_500)
    assert kept.se == pytest.approx(crowded.estimate.se[-3:])


def test_few_answers_are_left_alone(analysis):
    estimate = analysis.findings[0].estimate
    assert most_frequent(estimate, 4) is estimate


def test_a_thousand_answers_make_a_page_of_usual_size(analysis, crowded):
    page = render_analysis(replace(analysis, findings=(crowded,)))
    assert len(page.encode()) <= 150_000
    assert "24 commonest answers" in page
    assert "200 commonest answers as a table" in page
