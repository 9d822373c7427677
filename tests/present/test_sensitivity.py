"""What the page says and draws of people who answered at random, or to mislead."""

import re
from dataclasses import replace

import numpy as np
import pytest
from drawings import drawn, figures, segments, texts, upwards

import askance as ak
from askance.engines import Counts
from askance.present import render_analysis

SENTENCE = re.compile(
    r"If 5.% of people had answered at random.* would be ([\d.]+).*; if 10.%, (\d+(?:\.\d+)?)"
)


def would_be(analysis, finding, **inputs):
    """Give the two figures that the page says of a finding."""
    changed = replace(finding, estimate=replace(finding.estimate, **inputs))
    (result,) = SENTENCE.findall(render_analysis(replace(analysis, findings=(changed,))))
    return [float(item) for item in result]


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
def test_mixing_random_answers_in_is_undone(analysis, share):
    """The estimate is a mixture of what is said of the others and of even shares."""
    value = np.array([share, 1 - share])
    be = would_be(analysis, analysis.findings[1], value=value)
    mixed = [
        (1 - careless) * item / 100 + careless / 2
        for careless, item in zip((0.05, 0.1), be, strict=True)
    ]
    assert mixed == pytest.approx([share, share], abs=0.0006)


@pytest.mark.long
@pytest.mark.parametrize("mean", [20.0, 43.5, 60.0])
def test_mixing_random_numbers_in_is_undone(analysis, mean):
    """Random numbers centre on the middle of the line, here 43.5."""
    be = would_be(analysis, analysis.findings[3], mean_low=mean - 0.5, mean_high=mean + 0.5)
    mixed = [
        (1 - careless) * item + careless * 43.5
        for careless, item in zip((0.05, 0.1), be, strict=True)
    ]
    assert mixed == pytest.approx([mean, mean], abs=0.06)


@pytest.mark.long
def test_shares_stay_shares(analysis):
    finding = analysis.findings[1]
    assert would_be(analysis, finding, value=np.array([0.99, 0.01])) == [100, 100]
    three = analysis.findings[2]
    assert would_be(analysis, three, value=np.array([0.97, 0.01, 0.01, 0.01])) == [100, 100]


SURVEY = b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


def analyse_counts(yes, no):
    return ak.analyse(
        ak.publish(ak.parse_survey(SURVEY)), Counts(yes + no, {"tea": {0: yes, 1: no}})
    )


def heights(figure):
    """Give the outlines of a strip, low and high, as shares at the first and the last place."""
    nought = max(ends[:, 1].max() for ends in segments(figure, "quiet"))  # the foot of the axes
    (outline,) = (
        ends
        for ends, path in drawn(figure)
        if "var(--accent)" in (path.get("stroke"), path.get("fill"))
    )
    across, up = outline.T
    ends = [nought - up[across == end] for end in (across.min(), across.max())]
    return [np.array([side(end) for end in ends]) / upwards(figure) for side in (np.min, np.max)]


@pytest.mark.long
def test_strips_are_the_sensitivity_of_the_tally():
    analysis = analyse_counts(400, 600)
    by_chance, misled, _ = figures(analysis, *analysis.findings)
    tally = analysis.findings[0].tally
    for figure, kind in ((by_chance, ak.inference.random_answerers()), (misled, None)):
        strip = ak.inference.sensitivity(tally, kind, most="1/10", steps=1)
        for line, result in zip(heights(figure), (strip.low, strip.high), strict=True):
            assert line == pytest.approx(result[:, 0], abs=0.005)
    assert "share of people who report anything" in texts(misled)


def test_there_are_no_strips_of_plain_answers_or_of_nobody(analysis):
    assert not figures(analysis, analysis.findings[0])
    nobody = analyse_counts(0, 0)
    assert not [item for item in figures(nobody, *nobody.findings) if "who" in str(texts(item))]
