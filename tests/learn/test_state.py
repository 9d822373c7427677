"""What is asked of a fitted learner does not change it."""

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import askance as ak
from askance import learn

RNG = np.random.default_rng(4)
X = RNG.normal(size=(40, 2))
Q = ak.Warner(truth="3/4").channel(ak.Frame(["no", "yes"]))
REPORTS = np.array(["no", "yes"])[(X[:, 0] + RNG.normal(size=40) > 0).astype(int)]
LOW = np.floor(X[:, 0])
RANGES = ak.Ranges(LOW, LOW + 1)

FITTED: dict[str, list[tuple[BaseEstimator, Any]]] = {
    "ChannelClassifier": [
        (learn.ChannelClassifier(), REPORTS),
        (learn.ChannelClassifier(channel=Q), REPORTS),
        (learn.ChannelClassifier(channel=Q, codes={1: "yes", 0: "no"}), 1 * (REPORTS == "yes")),
    ],
    "IntervalBooster": [(learn.IntervalBooster(max_iter=3), RANGES)],
    "IntervalRegressor": [
        (learn.IntervalRegressor(max_iter=3), RANGES),
        (learn.IntervalRegressor(max_iter=3, folds=2, response="mean"), RANGES),
    ],
}
"""Every learner, in the ways in which it learns."""


def learners() -> list[str]:
    return [
        name
        for name in learn.__all__
        if inspect.isclass(getattr(learn, name)) and issubclass(getattr(learn, name), BaseEstimator)
    ]


def list_calls(model: Any, y: Any) -> list[tuple[str, dict[str, Any]]]:
    """Give every method but those that learn, with what it can be called with."""
    expected = {"X": X[:5], "y": y[:5], "reports": y[:5]}
    result = []
    for name, method in inspect.getmembers(type(model), inspect.isfunction):
        names = [
            parameter for parameter in inspect.signature(method).parameters if parameter in expected
        ]
        if not name.startswith(("_", "fit", "set_", "get_")):
            result.append((name, {item: expected[item] for item in names}))
            if "reports" in names:
                result.append((name, {"X": X[:1], "reports": y[:1]}))
    return result


@pytest.mark.parametrize("name", learners())
def test_no_question_changes_a_learner(name: str) -> None:
    """One answer alone among the reports once became all answers that there are."""
    for model, y in FITTED[name]:
        model.fit(X, y)
        before = pickle.dumps(vars(model))
        questions = list_calls(model, y)
        assert {"predict", "score"} <= {method for method, _ in questions}
        for method, inputs in questions:
            getattr(model, method)(**inputs)
            assert pickle.dumps(vars(model)) == before, method
