"""Reports turned back into knowledge: shares, numbers, and how sure one may be of them."""

from askance.estimators.censored_fit import CensoredRegression
from askance.estimators.censored_regression import censored_regression
from askance.estimators.margins import Margins
from askance.estimators.noise_student import StudentNoise
from askance.estimators.outcome_fit import OutcomeRegression
from askance.estimators.outcome_regression import outcome_regression
from askance.estimators.paired_regression import paired_regression
from askance.estimators.response_fit import ResponseRegression
from askance.estimators.response_regression import response_regression

__all__ = [
    "CensoredRegression",
    "Margins",
    "OutcomeRegression",
    "ResponseRegression",
    "StudentNoise",
    "censored_regression",
    "outcome_regression",
    "paired_regression",
    "response_regression",
]
