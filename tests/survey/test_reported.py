"""From a store of reports to ranges, and from a thousand million counts to a curve."""

import numpy as np
import pytest

from askance.analysis import reported_ranges
from askance.channels import Ranges
from askance.engines import Counts, count_reports
from askance.inference import npmle
from askance.survey import parse_survey, publish
from askance_collect.errors import FormError, InputError

SURVEY = b"""
askance = "survey-1"
title = "Age"
consent = "Voluntary."
[[question]]
name = "age"
text = "How old are you?"
line = { lower = 20, upper = 80, step = 10, unit = "years" }
mechanism = { name = "cuts", number = 1 }
[[question]]
name = "tea"
text = "Tea?"
answers = ["yes", "no"]
"""


@pytest.fixture(scope="module")
def form():
    return publish(parse_survey(SURVEY))


def test_a_store_gives_distinct_ranges_with_counts(form, tmp_path):
    store = tmp_path / "reports.csv"
    store.write_text("tea,age_above,age_upto\nyes,,40\nno,40,\nyes,40,\nyes,,\nno,,30\n")
    ranges = reported_ranges(form, count_reports(store, form), "age")
    pairs = zip(ranges.lower.tolist(), ranges.upper.tolist(), ranges.weights.tolist(), strict=True)
    assert set(pairs) == {(-np.inf, 40, 1), (40, np.inf, 2), (-np.inf, 30, 1)}
    assert npmle(ranges, (20, 80)).n == 4


def test_blanks_alone_are_no_ranges(form):
    ranges = reported_ranges(form, Counts(7, {"age": {None: 7}}), "age")
    assert len(ranges) == 0
    with pytest.raises(InputError, match="no range"):
        npmle(ranges)


def test_other_questions_are_refused(form):
    counts = Counts(1, {"tea": {0: 1}})
    with pytest.raises(InputError, match="cuts or a ring"):
        reported_ranges(form, counts, "tea")
    with pytest.raises(FormError, match="coffee"):
        reported_ranges(form, counts, "coffee")


def test_a_thousand_million_reports_are_fitted_by_their_distinct_ranges(instructions):
    rng = np.random.default_rng(3)
    cuts, often = np.sort(rng.integers(1, 100, (3000, 2)), axis=1), rng.integers(1, 700_000, 3000)
    result = {(float(low), float(high) + 1): 0 for low, high in cuts.tolist()}
    for (low, high), count in zip(cuts.tolist(), often.tolist(), strict=True):
        result[low, high + 1] += count
    from_counts_result, fits = Ranges.from_counts(result), []
    work = instructions(lambda: fits.append(npmle(from_counts_result)))
    assert instructions(lambda: Ranges.from_counts(result)) < 1_000 * len(result)
    assert work < 200_000
    (fit,) = fits
    assert from_counts_result.total > 1e9
    assert fit.n == from_counts_result.total
    assert fit.gap <= 1e-10
