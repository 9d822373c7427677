"""Reports turned back into knowledge: shares, numbers, and how sure one may be of them."""

from askance.estimators.margins import Margins
from askance.estimators.response_fit import ResponseRegression
from askance.estimators.response_regression import response_regression

__all__ = ["Margins", "ResponseRegression", "response_regression"]
