"""Regression and classification of unobserved answers, as scikit-learn estimators.

Begin with `IntervalRegressor` (linear, numbers seen as ranges), `IntervalBooster` (trees) or
`ChannelClassifier` (any classifier, behind a channel). Scores against the truth, from what was
reported: `corrected_accuracy`, `corrected_auc`, `corrected_brier`, `corrected_log_loss`,
`corrected_scorer` for a search; `concordance`, `corrected_absolute_error`,
`corrected_squared_error`, `interval_score` for numbers.

They fit into pipelines, searches and cross-validation. Standard errors and tests come with
`askance.response_regression` and `askance.censored_regression`, which take a formula and a data
frame too. Needs ``pip install 'askance[learn]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.learn.channel_classifier import ChannelClassifier as ChannelClassifier
    from askance.learn.corrected_scores import (
        corrected_absolute_error as corrected_absolute_error,
        corrected_accuracy as corrected_accuracy,
        corrected_auc as corrected_auc,
        corrected_brier as corrected_brier,
        corrected_log_loss as corrected_log_loss,
        corrected_scorer as corrected_scorer,
        corrected_squared_error as corrected_squared_error,
    )
    from askance.learn.interval_booster import IntervalBooster as IntervalBooster
    from askance.learn.interval_regressor import IntervalRegressor as IntervalRegressor
    from askance.learn.targets import (
        concordance as concordance,
        interval_score as interval_score,
    )
else:
    attach(__name__)
