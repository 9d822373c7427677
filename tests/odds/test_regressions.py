"""Intervals of regressions cover at their level; too small and too large errors are found out."""

from functools import cache

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
TARGETS = (*ANSWERS, *NUMBERS)


def surveys():
    """Ask as often as the budget and the twins want."""
    return range(trials(INTERIOR, (NARROW_COVERS, WIDE_COVERS), alarm(TARGETS[0])))


@cache
def answers(model):
    """Read every interval of a model; those of one survey serve all targets."""
    rng = dice(model)
    return [SURVEYS[model](rng) for _ in surveys()]


@cache
def readings(test):
    """Give one interval a survey."""
    if test in ANSWERS:
        model, name = ANSWERS[test]
        return [one[name] for one in answers(model)]
    (by, n, shared), rng = NUMBERS[test], dice(test)
    return [read(*survey(rng, n, shared), by) for _ in surveys()]


def verdict(test, factor=1.0):
    covered = sum(one.covers(factor) for one in readings(test))
    return judge(covered, len(readings(test)), INTERIOR, alarm(test))


@pytest.mark.parametrize("test", TARGETS)
def test_intervals_cover_at_their_level(test):
    assert verdict(test) == "holds"


@pytest.mark.parametrize("test", TARGETS)
def test_errors_that_are_too_small_are_refused(test):
    assert verdict(test, NARROWED) == "too low"


@pytest.mark.parametrize("test", TARGETS)
def test_errors_that_are_too_large_are_refused(test):
    assert verdict(test, WIDENED) == "too high"
