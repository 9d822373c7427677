from dataclasses import replace

import numpy as np
import pytest
from drawings import bars, figures, segments, texts

from askance.present import render_analysis


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
        effective_sample_size=np.full(1000, 6366.0),
    )
    return replace(analysis.findings[0], estimate=estimate, truth=None)


@pytest.mark.long
def test_the_commonest_stay_in_order_with_their_own_figures(analysis, crowded):
    (figure,) = figures(analysis, crowded)
    told = [one for one in texts(figure) if "answer" in one or "%" in one][-48:]
    shares = [f"{100 * at / 500_500:.1f} %" for at in range(977, 1001)]
    assert told[::2] == [f"answer {at}" for at in range(976, 1000)]
    assert told[1::2] == shares
    ends = [ends[:, 0] for ends in segments(figure, "accent")]
    middle = bars(figure)[:, 1]
    assert np.array(ends)[:, 0] == pytest.approx((9 + middle) / 2, abs=0.2)


def test_few_answers_are_left_alone(analysis):
    (figure,) = figures(analysis, analysis.findings[0])
    assert [one for one in texts(figure) if one in ("none", "one", "two", "three or more")] == [
        "none",
        "one",
        "two",
        "three or more",
    ]


@pytest.mark.long
def test_a_thousand_answers_make_a_page_of_usual_size(analysis, crowded):
    page = render_analysis(replace(analysis, findings=(crowded,)))
    assert len(page.encode()) <= 150_000
    assert "24 commonest answers" in page
    assert "200 commonest answers as a table" in page
