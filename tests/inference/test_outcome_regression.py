"""A protected answer as a predictor of something else."""

import json
from typing import Any

import numpy as np
import pytest

import askance as ak

YN = ak.Frame(["yes", "no"])
ABC = ak.Frame(["a", "b", "c"])
FORCED = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[5 / 6, 1 / 6], [1 / 6, 5 / 6]])
VAGUE = ak.Channel(
    ABC,
    {"a": ["a"], "b": ["b"], "c": ["c"], "?": ["a", "b", "c"]},
    [[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.1, 0.2], [0.1, 0.1, 0.7, 0.1]],
)


def people(channel: ak.Channel, n: int, family: str) -> dict[str, Any]:
    """Everyone's outcome rises by 1.5 for each answer nearer to the first, and by 0.1 a year."""
    rng = np.random.default_rng(8)
    X = np.column_stack([rng.normal(40, 10, n), rng.integers(0, 2, n)])
    k = len(channel.frame)
    true = rng.choice(k, n, p=[0.4, 0.6] if k == 2 else [0.3, 0.3, 0.4])
    chances = channel.matrix[true].cumsum(axis=1)
    clip_result = (rng.random(n)[:, None] > chances).sum(axis=1).clip(max=len(channel.reports) - 1)
    eta = 1.5 * (k - 1 - true) + 0.1 * (X[:, 0] - 40)
    outcome = rng.normal(eta, 2.0) if family == "normal" else rng.random(n) < 1 / (1 + np.exp(-eta))
    clip_result = np.array(channel.reports)[clip_result]
    return {
        "outcome": outcome,
        "reports": clip_result,
        "covariates": X,
        "channel": channel,
        "true": true,
    }


def asked(inputs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in inputs.items() if name != "true"}


def log_likelihood(index: np.ndarray, inputs: dict[str, Any], family: str) -> Any:
    """Give the log-likelihood as it is written, one answer after the other; ends in log σ."""
    X, k = inputs["covariates"], len(inputs["channel"].frame)
    model_matrix = np.column_stack([np.ones(len(X)), X])
    first, theta = k + 2, index[k + 2 :][: 3 * (k - 1)].reshape(k - 1, 3)
    odds = np.column_stack([np.exp(model_matrix @ row) for row in theta] + [np.ones(len(X))])
    column = [inputs["channel"].column(report) for report in inputs["reports"]]
    total = 0.0
    for x in range(k):
        mean = index[0] + (index[1 + x] if x < k - 1 else 0.0) + X @ index[k:first]
        if family == "normal":
            rest = (inputs["outcome"] - mean) * np.exp(-index[-1])
            density = np.exp(-rest * rest / 2 - index[-1]) / np.sqrt(2 * np.pi)
        else:
            density = 1 / (1 + np.exp(mean * np.where(inputs["outcome"], -1, 1)))
        total = (
            total + odds[:, x] / odds.sum(axis=1) * inputs["channel"].matrix[x, column] * density
        )
    return inputs["counts"] @ np.log(total)


@pytest.mark.checked(
    "outcome_regression", by="numerical Hessian by complex steps", value=1e-5, errors=1e-5
)
@pytest.mark.long
@pytest.mark.parametrize("channel", [FORCED, VAGUE])
@pytest.mark.parametrize("family", ["normal", "logit"])
def test_the_top_and_its_curvature_are_those_of_the_likelihood(
    channel: ak.Channel, family: str, within: Any
) -> None:
    """The slope by complex steps is nothing; the curvature's inverse is the covariance."""
    inputs = people(channel, 300, family) | {"counts": 1 + np.arange(300) % 3}
    inputs["covariates"] = inputs["covariates"] / [40, 1]
    fit = ak.inference.outcome_regression(**asked(inputs), family=family)
    append_result = np.append(fit.value, [np.log(fit.scale)] if family == "normal" else [])
    size = len(append_result)

    def slope(local: np.ndarray) -> np.ndarray:
        steps = 1e-30j * np.eye(size)
        return (
            np.array([log_likelihood(local + step, inputs, family).imag for step in steps]) / 1e-30
        )

    assert fit.log_likelihood == pytest.approx(
        log_likelihood(append_result, inputs, family), rel=1e-12
    )
    steps = 1e-5 * np.eye(size)
    bend = np.array(
        [(slope(append_result - step) - slope(append_result + step)) / 2e-5 for step in steps]
    )
    covariance = np.linalg.inv((bend + bend.T) / 2)
    assert slope(append_result) @ covariance @ slope(append_result) < 1e-10
    slice_result = slice(len(fit.value))
    spread = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))[slice_result, slice_result]
    np.testing.assert_allclose(
        fit.covariance / spread, covariance[slice_result, slice_result] / spread, atol=1e-5
    )
    np.testing.assert_allclose(
        append_result + covariance @ slope(append_result), append_result, rtol=within.value
    )
    np.testing.assert_allclose(
        fit.se, np.sqrt(np.diag(covariance))[slice_result], rtol=within.errors
    )


def test_an_answer_that_is_known_is_an_ordinary_covariate() -> None:
    people_result = people(ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, np.eye(2)), 300, "normal")
    fit = ak.inference.outcome_regression(**asked(people_result))
    model_matrix = np.column_stack(
        [np.ones(300), people_result["true"] == 0, people_result["covariates"]]
    )
    beta, rest = np.linalg.lstsq(model_matrix, people_result["outcome"], rcond=None)[:2]
    np.testing.assert_allclose(fit.value[:4], beta, rtol=1e-6)
    assert fit.scale == pytest.approx((rest[0] / 300) ** 0.5)
    information = model_matrix.T @ model_matrix / fit.scale**2
    np.testing.assert_allclose(
        fit.covariance[:4, :4], np.linalg.inv(information), rtol=1e-5, atol=1e-9
    )


def test_robust_errors_are_those_of_least_squares_where_the_answer_is_known() -> None:
    """White (1980), with n / (n − 1)."""
    people_result = people(ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, np.eye(2)), 300, "normal")
    fit = ak.inference.outcome_regression(**asked(people_result), errors="robust")
    model_matrix = np.column_stack(
        [np.ones(300), people_result["true"] == 0, people_result["covariates"]]
    )
    bread = np.linalg.inv(model_matrix.T @ model_matrix)
    pulled = model_matrix * (people_result["outcome"] - model_matrix @ fit.value[:4])[:, None]
    meat = pulled.T @ pulled * 300 / 299
    np.testing.assert_allclose(fit.covariance[:4, :4], bread @ meat @ bread, rtol=1e-5, atol=1e-9)
    assert str(fit.standard_errors) == "robust"


@pytest.mark.long
@pytest.mark.parametrize("family", ["normal", "logit"])
def test_a_cluster_of_copies_is_one_row(family: str) -> None:
    inputs = asked(people(VAGUE, 400, family)) | {"family": family}
    alone = ak.inference.outcome_regression(**inputs, errors="robust")
    rows = {name: np.repeat(inputs[name], 3, 0) for name in ("outcome", "reports", "covariates")}
    copied = ak.inference.outcome_regression(**inputs | rows, clusters=np.repeat(np.arange(400), 3))
    np.testing.assert_allclose(copied.se, alone.se, rtol=1e-5)
    assert str(copied.standard_errors) == "400 clusters"


def test_an_outcome_of_0_and_1_given_a_known_answer_is_the_ordinary_logit() -> None:
    plain = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    people_result = people(plain, 400, "logit")
    fit = ak.inference.outcome_regression(**asked(people_result), family="logit")
    same = ak.response_regression(
        np.where(people_result["outcome"], "yes", "no"),
        np.column_stack([people_result["true"] == 0, people_result["covariates"]]),
        plain,
    )
    np.testing.assert_allclose(fit.value[:4], same.value, rtol=1e-5)
    np.testing.assert_allclose(fit.se[:4], same.se, rtol=1e-4)
    assert np.isnan(fit.scale)


@pytest.mark.long
@pytest.mark.parametrize(("channel", "effects"), [(FORCED, [1.5]), (VAGUE, [3.0, 1.5])])
@pytest.mark.parametrize("family", ["normal", "logit"])
def test_the_effect_is_found_that_the_reports_draw_towards_0(
    channel: ak.Channel, effects: list[float], family: str
) -> None:
    """Within five standard errors, on data drawn once and for all."""
    people_result = people(channel, 4000, family)
    fit = ak.inference.outcome_regression(**asked(people_result), family=family)
    slice_result = slice(1, 1 + len(effects))
    assert (np.abs(fit.value[slice_result] - effects) < 5 * fit.se[slice_result]).all()
    if channel is FORCED and family == "normal":
        model_matrix = np.column_stack(
            [np.ones(4000), people_result["reports"] == 0, people_result["covariates"]]
        )
        naive = np.linalg.lstsq(model_matrix, people_result["outcome"], rcond=None)[0][1]
        assert naive < fit.value[1] - 3 * fit.se[1]


def test_what_is_written_and_drawn() -> None:
    fit = ak.inference.outcome_regression(
        **asked(people(FORCED, 200, "normal")), terms=["age", "<f>"]
    )
    assert "outcome: answer yes" in repr(fit)
    assert "&lt;f&gt;" in fit._repr_html_()
    assert (
        json.loads(json.dumps(fit.to_dict(), allow_nan=False))["names"][1] == "outcome: answer yes"
    )
    assert fit.plot().get_xlabel()
    assert ((fit.p_value >= 0) & (fit.p_value <= 1)).all()


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"outcome": [1.0] * 3}, "40 finite"),
        ({"outcome": [np.nan] * 40}, "40 missing"),
        ({"outcome": [2.0] * 40}, "varies"),
        ({"family": "logit"}, "0 and 1"),
        ({"family": "poisson"}, "normal, logit"),
        ({"errors": "expected"}, "observed, robust"),
        ({"clusters": [1, 2]}, "40 labels"),
        ({"covariates": [[1.0]] * 40}, "no variation"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], match: str) -> None:
    with pytest.raises(ak.errors.InputError, match=match):
        ak.inference.outcome_regression(**asked(people(FORCED, 40, "normal")) | changed)


def test_an_outcome_without_noise_is_refused() -> None:
    inputs = asked(people(FORCED, 40, "normal"))
    with pytest.raises(ak.errors.NotIdentified, match="covariates determine"):
        ak.inference.outcome_regression(**inputs | {"outcome": inputs["covariates"][:, 0] * 2.0})
