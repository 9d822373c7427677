"""Intervals of regressions cover at their level; too small and too large errors are found out."""

from operator import itemgetter

import pytest
from budget import dice, each, settle
from designs import expected, stretched
from regression_coverage import read, survey
from regressions import SURVEYS

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

ANSWERS = {
    "regression, observed errors": ("logit, observed", "x"),
    "regression, expected errors": ("logit, expected", "x"),
    "regression, robust errors": ("logit, robust", "z"),
    "regression, errors by household": ("logit, households", "z"),
    "regression, share": ("logit, robust", "share"),
    "regression, log-odds of three answers": ("log-odds of three answers", "b: x"),
    "regression, three ordered answers": ("three ordered answers", "x"),
    "regression, an answer as a predictor": ("an answer as a predictor", "effect"),
    "regression, two answers together": ("two answers together", "a yes × b yes"),
}
NUMBERS = {
    "regression, ranges": ("wald", 400, 0.0),
    "regression, ranges, robust errors": ("robust", 400, 0.0),
    "regression, ranges, errors by village": ("villages", 1000, 1.5),
}


@pytest.mark.parametrize("model", each(dict.fromkeys(model for model, _ in ANSWERS.values())))
def test_intervals_cover_at_their_level(model):
    """The intervals of one survey serve all targets of its model."""
    rng, watches = dice(model), {}
    for test, (own, name) in ANSWERS.items():
        if own == model:
            watches |= stretched(test, itemgetter(name))
    outcome = settle(lambda: SURVEYS[model](rng), watches)
    assert outcome == expected(watches)


@pytest.mark.parametrize("test", each(NUMBERS))
def test_intervals_from_ranges_cover_at_their_level(test):
    (by, n, shared), rng = NUMBERS[test], dice(test)
    outcome = settle(lambda: read(*survey(rng, n, shared), by), stretched(test))
    assert outcome == expected(outcome)
