"""Regression and classification, as scikit-learn estimators, of answers that were never seen.

Begin with `IntervalRegressor` (linear, numbers seen as ranges), `IntervalBooster` (trees) or
`ChannelClassifier` (any classifier, behind a channel). Scores for them: `concordance`,
`corrected_accuracy`, `corrected_brier`, `interval_score`.

They fit into pipelines, searches and cross-validation. Standard errors and tests come with
`askance.response_regression` and `askance.censored_regression`, which take a formula and a data
frame too. Needs ``pip install 'askance[learn]'``.
"""

from typing import TYPE_CHECKING

from askance.lazy import attach

if TYPE_CHECKING:
    from askance.learn.channel_classifier import ChannelClassifier as ChannelClassifier
    from askance.learn.interval_booster import IntervalBooster as IntervalBooster
    from askance.learn.interval_regressor import IntervalRegressor as IntervalRegressor
    from askance.learn.targets import (
        concordance as concordance,
        corrected_accuracy as corrected_accuracy,
        corrected_brier as corrected_brier,
        interval_score as interval_score,
    )
else:
    attach(__name__)
