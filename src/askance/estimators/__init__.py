"""Reports turned back into knowledge: shares, numbers, and how sure one may be of them."""

from askance.estimators.goodness_of_fit import GoodnessOfFit, goodness_of_fit
from askance.estimators.noise.student import StudentNoise
from askance.estimators.regression.censored_fit import CensoredRegression
from askance.estimators.regression.censored_regression import censored_regression
from askance.estimators.regression.margins import Margins
from askance.estimators.regression.outcome_fit import OutcomeRegression
from askance.estimators.regression.outcome_regression import outcome_regression
from askance.estimators.regression.paired_regression import paired_regression
from askance.estimators.regression.response_fit import ResponseRegression
from askance.estimators.regression.response_regression import response_regression
from askance.estimators.shares.manipulation import (
    ContaminationBounds,
    Manipulation,
    contamination_bounds,
    manipulation,
)

__all__ = [
    "CensoredRegression",
    "ContaminationBounds",
    "GoodnessOfFit",
    "Manipulation",
    "Margins",
    "OutcomeRegression",
    "ResponseRegression",
    "StudentNoise",
    "censored_regression",
    "contamination_bounds",
    "goodness_of_fit",
    "manipulation",
    "outcome_regression",
    "paired_regression",
    "response_regression",
]
