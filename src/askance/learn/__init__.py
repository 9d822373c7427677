"""Regression and classification, as scikit-learn estimators, of answers that were never seen."""

from importlib.util import find_spec

from askance.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra("scikit-learn", "learn")

from askance.learn.channel_classifier import ChannelClassifier
from askance.learn.interval_booster import IntervalBooster
from askance.learn.interval_regressor import IntervalRegressor
from askance.learn.scores import concordance, corrected_accuracy, corrected_brier, interval_score

__all__ = [
    "ChannelClassifier",
    "IntervalBooster",
    "IntervalRegressor",
    "concordance",
    "corrected_accuracy",
    "corrected_brier",
    "interval_score",
]
