"""Reports turned back into knowledge: shares, numbers, and how sure one may be of them."""

from askance.estimators.goodness_of_fit import GoodnessOfFit, goodness_of_fit
from askance.estimators.line.manipulated import RangeManipulation, range_manipulation
from askance.estimators.regression.censored_regression import (
    CensoredRegression,
    censored_regression,
)
from askance.estimators.regression.coefficients import Margins
from askance.estimators.regression.error_laws import StudentNoise
from askance.estimators.regression.outcome_regression import OutcomeRegression, outcome_regression
from askance.estimators.regression.response_regression import (
    ResponseRegression,
    paired_regression,
    response_regression,
)
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
    "RangeManipulation",
    "ResponseRegression",
    "StudentNoise",
    "censored_regression",
    "contamination_bounds",
    "goodness_of_fit",
    "manipulation",
    "outcome_regression",
    "paired_regression",
    "range_manipulation",
    "response_regression",
]
