"""Reports turned back into knowledge: shares, numbers, and how sure one may be of them."""

from askance.inference.goodness_of_fit import GoodnessOfFit, goodness_of_fit
from askance.inference.line.manipulated import RangeManipulation, range_manipulation
from askance.inference.regression.censored_regression import (
    CensoredRegression,
    censored_regression,
)
from askance.inference.regression.coefficients import Margins
from askance.inference.regression.error_laws import StudentNoise
from askance.inference.regression.outcome_regression import OutcomeRegression, outcome_regression
from askance.inference.regression.response_regression import (
    ResponseRegression,
    paired_regression,
    response_regression,
)
from askance.inference.shares.manipulation import (
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
