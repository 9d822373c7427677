"""Regression and classification, as scikit-learn estimators, of answers that were never seen."""

from importlib.util import find_spec

from askance.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra("scikit-learn", "learn")
if find_spec("formulaic") is None:
    raise MissingExtra("formulaic", "learn")

from askance.learn.censored_formula import (
    CensoredFormula,
    censored_regression,
)
from askance.learn.channel_classifier import ChannelClassifier
from askance.learn.corrected_score import corrected_accuracy, corrected_brier
from askance.learn.formula import variables
from askance.learn.interval_booster import IntervalBooster
from askance.learn.interval_regressor import IntervalRegressor
from askance.learn.range_score import concordance, interval_score
from askance.learn.response_formula import (
    FormulaRegression,
    response_regression,
)

__all__ = [
    "CensoredFormula",
    "ChannelClassifier",
    "FormulaRegression",
    "IntervalBooster",
    "IntervalRegressor",
    "censored_regression",
    "concordance",
    "corrected_accuracy",
    "corrected_brier",
    "interval_score",
    "response_regression",
    "variables",
]
