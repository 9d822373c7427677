"""An outcome regressed on the sensitive item of a list, beside all that people may be, added up."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import comb, expit

import askance as ak
from askance.inference import item_count_outcome

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "list_joint.json").read_text())
J = 3
EFFECT = 1.5
MODELS = [(family, free) for family in ("normal", "logit") for free in (False, True)]


def people(n: int, family: str, *, free: bool = False, seed: int = 2) -> dict[str, Any]:
    """Control items go with the sensitive one, and move the outcome, in the free model alone."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(40, 10, n), rng.integers(0, 2, n)])
    arm, z = np.arange(n) % 2, rng.random(n) < expit(-0.6 + 0.05 * (X[:, 0] - 40))
    y = rng.binomial(J, expit(0.3 - 0.4 * X[:, 1] + 0.5 * free * z))
    eta = -1 + EFFECT * z + 0.02 * (X[:, 0] - 40) + 0.4 * free * y
    outcome = rng.normal(eta, 0.8) if family == "normal" else 1 * (rng.random(n) < expit(eta))
    return {"reports": y + z * arm, "arms": arm, "outcome": outcome, "covariates": X}


def log_likelihood(index: Any, inputs: dict[str, Any], family: str, *, free: bool) -> Any:
    """Add up all pairs of items that say what was said, as it is written; ends in log σ."""
    X = np.column_stack([np.ones(len(inputs["reports"])), inputs["covariates"]])
    outcome, item, control = np.split(index[: 10 + 2 * free], [4 + free, 7 + free])
    total = 0.0
    for z in (0, 1):
        odds = np.exp(X @ item)
        chance = (odds if z else 1) / (1 + odds)
        ratio = np.exp(X @ control[:3] + (control[3] * z if free else 0))
        for y in range(J + 1):
            is_seen = inputs["reports"] == y + z * inputs["arms"]
            count = comb(J, y) * ratio**y / (1 + ratio) ** J
            mean = outcome[0] + outcome[1] * z + X[:, 1:] @ outcome[2:4]
            mean = mean + (outcome[4] * y if free else 0)
            if family == "normal":
                rest = (inputs["outcome"] - mean) * np.exp(-index[-1])
                density = np.exp(-rest * rest / 2 - index[-1]) / np.sqrt(2 * np.pi)
            else:
                density = 1 / (1 + np.exp(mean * np.where(inputs["outcome"], -1, 1)))
            total = total + is_seen * chance * count * density
    return np.log(total).sum()


@pytest.mark.checked(
    "item_count_outcome", by="numerical Hessian by complex steps", value=1e-5, errors=1e-5
)
@pytest.mark.long
@pytest.mark.parametrize(("family", "free"), MODELS)
def test_the_top_and_its_curvature_are_those_of_the_likelihood(
    family: str, free: bool, within: Any
) -> None:
    """The slope by complex steps is nothing; the curvature's inverse is the covariance."""
    n = 600
    people_result = people(n, family, free=free)
    people_result["covariates"] = (people_result["covariates"] - [40, 0]) / [10, 1]
    fit = item_count_outcome(**people_result, items=J, family=family, constrained=not free)
    append_result = np.append(fit.value, [np.log(fit.scale)] if family == "normal" else [])
    steps = np.eye(len(append_result))

    def slope(local: Any) -> Any:
        remote = local + 1e-30j * steps
        return np.array(
            [log_likelihood(item, people_result, family, free=free).imag for item in remote]
        )

    assert fit.log_likelihood == pytest.approx(
        log_likelihood(append_result, people_result, family, free=free), rel=1e-12
    )
    bend = [
        (slope(append_result - 1e-5 * step) - slope(append_result + 1e-5 * step)) / 2e-35
        for step in steps
    ]
    covariance = np.linalg.inv(np.array(bend))
    result = slope(append_result) / 1e-30
    assert result @ covariance @ result < 1e-10
    slice_result = slice(len(fit.value))
    spread = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))[slice_result, slice_result]
    np.testing.assert_allclose(
        fit.covariance / spread, covariance[slice_result, slice_result] / spread, atol=1e-5
    )
    np.testing.assert_allclose(
        append_result + covariance @ result, append_result, rtol=within.value
    )
    np.testing.assert_allclose(
        fit.se, np.sqrt(np.diag(covariance))[slice_result], rtol=within.errors
    )


@pytest.mark.long
@pytest.mark.parametrize(("family", "free"), MODELS)
def test_the_effect_is_found_that_nobody_showed(family: str, free: bool) -> None:
    """Within four standard errors, on data drawn once and for all."""
    people_result = people(6000, family, free=free)
    fit = item_count_outcome(**people_result, items=J, family=family, constrained=not free)
    mapping = dict(zip(fit.names, zip(fit.value, fit.se, strict=True), strict=True))
    true = {"outcome: sensitive item": EFFECT, "outcome: x1": 0.02, "sensitive item: x1": 0.05}
    if free:
        true |= {"outcome: control items": 0.4, "control: sensitive item": 0.5}
    off = [abs(mapping[name][0] - value) / mapping[name][1] for name, value in true.items()]
    assert max(off) < 4
    assert mapping["outcome: sensitive item"][0] > 3 * mapping["outcome: sensitive item"][1]


@pytest.mark.long
@pytest.mark.parametrize(("family", "free"), MODELS)
def test_r_finds_the_same(family: str, free: bool) -> None:
    """R's EM stops a little below the top; its σ² is divided by n less the coefficients."""
    expected = ORACLE[f"{family}, {'unconstrained' if free else 'constrained'}"]
    people_result = people(2000, family, free=free)
    people_result["covariates"] = (people_result["covariates"] - [40, 0]) / [10, 1]
    fit = item_count_outcome(**people_result, items=J, family=family, constrained=not free)
    assert -1e-6 < fit.log_likelihood - expected["log_likelihood"] < 1e-2
    outcome, item, control = np.split(np.arange(10 + 2 * free), [4 + free, 7 + free])
    theirs = [*control, *item, outcome[0], *outcome[2:], outcome[1]]
    off = (fit.value[theirs] - expected["value"]) / fit.se[theirs]
    assert np.abs(off).max() < 0.1


def test_units_do_not_matter() -> None:
    people_result = people(400, "normal")
    fit = item_count_outcome(**people_result, items=J)
    shifted = people_result | {
        "outcome": 7 + 1000 * people_result["outcome"],
        "covariates": people_result["covariates"] * [0.1, 1] + [5, 0],
    }
    same = item_count_outcome(**shifted, items=J)
    assert same.scale == pytest.approx(1000 * fit.scale, rel=1e-6)
    factor = np.array([1000, 10_000, 1000, 10, 1, 10, 1])
    remaining = [1, 2, 3, 5, 6, 8, 9]
    np.testing.assert_allclose(
        same.value[remaining], fit.value[remaining] * factor, rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(same.se[remaining], fit.se[remaining] * factor, rtol=1e-5)


def test_people_outside_a_domain_are_no_respondents() -> None:
    some = ak.inference.SamplingDesign(weights=np.ones(300)).domain(np.arange(300) < 280)
    fit = item_count_outcome(**people(300, "logit"), items=J, family="logit", sampling=some)
    assert (fit.n, fit.blanks) == (280, 0)


def test_a_sample_of_people_drawn_alone_has_robust_errors() -> None:
    """Of no strata and no clusters; columns are named, and the list's item too."""
    people_result = people(300, "logit")
    weights = np.linspace(1, 3, 300)
    table = {
        "said": people_result["reports"],
        "saw": np.where(people_result["arms"], "tax", "plain"),
        "voted": people_result["outcome"],
        "age": people_result["covariates"][:, 0],
    }
    questions = {"covariates": "~ age", "items": J, "family": "logit", "control": "plain"}
    sampling = ak.inference.SamplingDesign(weights=weights)
    fit = item_count_outcome("said", "saw", "voted", **questions, data=table, sampling=sampling)
    plain = item_count_outcome(
        "said", "saw", "voted", **questions, data=table | {"w": 5 * weights}, weights="w"
    )
    np.testing.assert_allclose(fit.se, plain.se, rtol=1e-6)
    assert fit.names[:3] == ("outcome: intercept", "outcome: tax", "outcome: age")
    assert (fit.df, plain.standard_errors) == (299 + 1 - 7, fit.standard_errors)
    assert "given the sensitive item of a list" in repr(fit)


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"outcome": [1.0] * 3}, "outcome"),
        ({"outcome": [np.nan] * 40}, "40 missing.*leave rows"),
        ({"outcome": [2.0] * 40}, "varies"),
        ({"family": "logit"}, "0 and 1"),
        ({"family": "poisson"}, "normal, logit"),
        ({"errors": "expected"}, "observed, robust"),
        ({"clusters": [1, 2]}, "40"),
        ({"arms": [0, 1, 2, 0] * 10, "reports": [1] * 40}, "one sensitive item"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], match: str) -> None:
    with pytest.raises(ak.errors.InputError, match=match):
        item_count_outcome(**{**people(40, "normal"), "items": J, **changed})


@pytest.mark.parametrize("family", ["normal", "logit"])
def test_an_outcome_that_is_the_item_itself_is_refused(family: str) -> None:
    rng = np.random.default_rng(1)
    arm, z = np.arange(600) % 2, rng.random(600) < 0.3
    replies = rng.binomial(J, 0.5, 600) + z * arm
    with pytest.raises(ak.errors.NotIdentified, match="without end along outcome"):
        item_count_outcome(replies, arm, 1 * z, items=J, family=family)


def test_an_outcome_without_noise_is_refused() -> None:
    people_result = people(40, "normal")
    with pytest.raises(ak.errors.NotIdentified, match="covariates determine"):
        item_count_outcome(
            **people_result | {"outcome": people_result["covariates"][:, 0] * 2.0}, items=J
        )
