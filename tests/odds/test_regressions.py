"""Intervals of regressions cover at their level; too small and too large errors are found out."""

import pytest
from budget import alarm, dice, judge, trials
from designs import INTERIOR, NARROW_COVERS, NARROWED, WIDE_COVERS, WIDENED
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


def surveys():
    """Ask as often as the budget and the twins want."""
    return range(trials(INTERIOR, (NARROW_COVERS, WIDE_COVERS), alarm(next(iter(ANSWERS)))))


def verdict(readings, test, factor=1.0):
    covered = sum(one.covers(factor) for one in readings)
    return judge(covered, len(readings), INTERIOR, alarm(test))


def judged(readings, test):
    """Find the level held, and errors that are too small or too large refused."""
    assert verdict(readings, test) == "holds", test
    assert verdict(readings, test, NARROWED) == "too low", test
    assert verdict(readings, test, WIDENED) == "too high", test


@pytest.mark.parametrize("model", dict.fromkeys(model for model, _ in ANSWERS.values()))
def test_intervals_cover_at_their_level(model):
    """The intervals of one survey serve all targets of its model."""
    rng = dice(model)
    asked = [SURVEYS[model](rng) for _ in surveys()]
    for test, (own, name) in ANSWERS.items():
        if own == model:
            judged([one[name] for one in asked], test)


@pytest.mark.parametrize("test", NUMBERS)
def test_intervals_from_ranges_cover_at_their_level(test):
    (by, n, shared), rng = NUMBERS[test], dice(test)
    judged([read(*survey(rng, n, shared), by) for _ in surveys()], test)
