"""Regression and classification, as scikit-learn estimators, of answers that were never seen."""

from importlib.util import find_spec

from askance.errors import MissingExtra

for _module, _package in (("sklearn", "scikit-learn"), ("formulaic", "formulaic")):
    if find_spec(_module) is None:
        raise MissingExtra(_package, "learn")

from askance.learn.censored_formula import (  # noqa: E402
    CensoredFormula,
    censored_regression,
)
from askance.learn.channel_classifier import ChannelClassifier  # noqa: E402
from askance.learn.corrected_score import corrected_accuracy, corrected_brier  # noqa: E402
from askance.learn.formula import variables  # noqa: E402
from askance.learn.interval_booster import IntervalBooster  # noqa: E402
from askance.learn.interval_regressor import IntervalRegressor  # noqa: E402
from askance.learn.range_score import concordance, interval_score  # noqa: E402
from askance.learn.response_formula import (  # noqa: E402
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
