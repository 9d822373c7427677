"""Fits a learner with weights, wherever in a pipeline or a search the learner stands."""

from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from askance.errors import InputError
from askance.typing import Floats


def weighted_fit(
    learner: Any,
    X: Any,
    y: Any,
    weight: Floats | None,
    *,
    again: bool = False,
    remedy: str = "choose another learner: rows are weighed here by what is known of them",
) -> Any:
    """Fit a copy of a learner, or the learner again from where it stands.

    Raises
    ------
    InputError
        If there are weights and the learner takes none.

    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> X, y = [[0.0], [0.0]], [1.0, 4.0]
    >>> line = weighted_fit(make_pipeline(LinearRegression()), X, y, np.array([2.0, 1.0]))
    >>> line.predict([[0.0]]).tolist()
    [2.0]
    """
    fresh = learner if again else clone(learner)
    if weight is None:
        return fresh.fit(X, y)
    name = _weight_name(fresh)
    if name is None:
        raise InputError(
            "sample_weight",
            got=type(fresh).__name__,
            allowed="a learner whose fit takes sample_weight",
            remedy=remedy,
        )
    return fresh.fit(X, y, **{name: weight})


def _weight_name(learner: Any) -> str | None:
    """Give the name under which the fit of a learner takes weights, if it does."""
    if isinstance(learner, Pipeline):
        step, last = learner.steps[-1]
        inner = _weight_name(last)
        return inner and f"{step}__{inner}"
    if has_fit_parameter(learner, "sample_weight"):
        return "sample_weight"
    inside = getattr(learner, "estimator", None) or getattr(learner, "regressor", None)
    return _weight_name(inside) if inside is not None else None
