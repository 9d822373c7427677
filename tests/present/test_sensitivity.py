"""What the page says would follow, had some people answered at random."""

import re
from dataclasses import replace

import numpy as np
import pytest

from askance.present import render_analysis

SAID = re.compile(
    r"If 5.% of people had answered at random.* would be ([\d.]+).*; if 10.%, (\d+(?:\.\d+)?)"
)


def would_be(analysis, finding, **given):
    """Give the two figures that the page says of a finding."""
    changed = replace(finding, estimate=replace(finding.estimate, **given))
    (told,) = SAID.findall(render_analysis(replace(analysis, findings=(changed,))))
    return [float(one) for one in told]


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
def test_mixing_random_answers_in_is_undone(analysis, share):
    """The estimate is a mixture of what is said of the others and of even shares."""
    value = np.array([share, 1 - share])
    told = would_be(analysis, analysis.findings[1], value=value)
    mixed = [
        (1 - careless) * one / 100 + careless / 2
        for careless, one in zip((0.05, 0.1), told, strict=True)
    ]
    assert mixed == pytest.approx([share, share], abs=0.0006)


@pytest.mark.long
@pytest.mark.parametrize("mean", [20.0, 43.5, 60.0])
def test_mixing_random_numbers_in_is_undone(analysis, mean):
    """Random numbers centre on the middle of the line, here 43.5."""
    told = would_be(analysis, analysis.findings[3], mean_low=mean - 0.5, mean_high=mean + 0.5)
    mixed = [
        (1 - careless) * one + careless * 43.5
        for careless, one in zip((0.05, 0.1), told, strict=True)
    ]
    assert mixed == pytest.approx([mean, mean], abs=0.06)


@pytest.mark.long
def test_shares_stay_shares(analysis):
    finding = analysis.findings[1]
    assert would_be(analysis, finding, value=np.array([0.99, 0.01])) == [100, 100]
    three = analysis.findings[2]
    assert would_be(analysis, three, value=np.array([0.97, 0.01, 0.01, 0.01])) == [100, 100]
