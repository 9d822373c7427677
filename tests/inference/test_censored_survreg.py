"""Regressions of ranges beside R's survreg."""

import json
from pathlib import Path

import numpy as np
import pytest

from askance.channels import Ranges
from askance.inference import censored_regression

CASES = json.loads((Path(__file__).parents[1] / "oracles/survreg.json").read_text())
each = pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])


def _fit(case, **chosen):
    lower = np.array(case["lower"], dtype=float)
    upper = np.array(case["upper"], dtype=float)
    ranges = Ranges(lower, upper, case["weights"], closed="survival")
    return censored_regression(
        ranges, case["covariates"], case["noise"], log=case["log"], terms=case["terms"], **chosen
    )


@pytest.mark.checked("censored_regression", by="R's survival 3.5-3", value=1e-6, errors=1e-6)
@each
def test_agrees_with_survreg(case, within):
    fit = _fit(case)
    assert fit.value == pytest.approx(case["value"], rel=within.value, abs=0)
    assert fit.se == pytest.approx(case["se"], rel=within.errors)
    assert fit.log_likelihood == pytest.approx(case["log_likelihood"], rel=1e-10)
    predicted = fit.predict(case["covariates"][:3])
    assert predicted == pytest.approx(case["median"], rel=1e-6, abs=1e-8)


@pytest.mark.checked(
    "censored_regression", by="differences of the likelihood of R's survival 3.5-3", errors=1e-6
)
@each
def test_robust_errors_agree_with_differences_of_its_likelihood(case, within):
    """The oracle leaves out the factor G / (G − 1) for G clusters."""
    groups = case["cluster"] or list(range(len(case["lower"])))
    G = len(set(groups))
    fit = _fit(case, clusters=groups)
    assert fit.se * np.sqrt((G - 1) / G) == pytest.approx(case["robust_se"], rel=within.errors)
