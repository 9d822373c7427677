"""Regressions of randomised answers beside R's RRreg, GLMMRR and rr, on invented replies."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import askance as ak

ORACLES = Path(__file__).parents[1] / "oracles"
ORACLE = json.loads((ORACLES / "replies.json").read_text())
YN = ak.Frame(["yes", "no"])


def yes(carrier: float, other: float) -> ak.Channel:
    """Give the channel of a mechanism by the chance of a yes with and without the trait."""
    rows = [[carrier, 1 - carrier], [other, 1 - other]]
    return ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, rows)


DIRECT = yes(1, 0)
MECHANISMS = {"forced": yes(5 / 6, 1 / 6), "crosswise": yes(0.2, 0.8), "unrelated": yes(0.82, 0.12)}
MECHANISMS["both"] = MECHANISMS["crosswise"]


def read_replies(mechanism: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Give what was said, covariates (age in tens) and scores; the last covariate: protected."""
    with (ORACLES / "replies.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["design"] == mechanism]
    terms = ("age", "female", "married", "protected")[: 3 + (mechanism == "both")]
    X = (
        np.array([[float(row[term]) for term in terms] for row in rows])
        / [10, 1, 1, 1][: len(terms)]
    )
    return (
        [["no", "yes"][int(row["said"])] for row in rows],
        X,
        np.array([float(row["score"]) for row in rows]),
    )


def fitted(
    mechanism: str, replies: list[str], X: np.ndarray, protected: np.ndarray | None = None, **kw
):
    if protected is None:
        return ak.response_regression(replies, X, MECHANISMS[mechanism], **kw)
    pair = [DIRECT, MECHANISMS[mechanism]]
    return ak.response_regression(replies, X, pair, group=protected.astype(int), **kw)


@pytest.mark.checked("response_regression", by="R's RRreg 0.7.5", value=1e-2, errors=3e-3)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_rrreg_finds_the_same(mechanism, within):
    """RRreg's search stops a little early, and it differentiates twice by differences."""
    replies, X, _ = read_replies(mechanism)
    protected = X[:, 3] if mechanism == "both" else None
    expected, fit = ORACLE[f"RRreg {mechanism}"], fitted(mechanism, replies, X, protected)
    assert fit.n == 300
    assert fit.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-7)
    assert np.abs((fit.value - expected["value"]) / fit.se).max() < 1e-3
    assert fit.value == pytest.approx(expected["value"], rel=within.value)
    assert fit.se == pytest.approx(expected["se"], rel=within.errors)
    for index, ratio in enumerate(expected["ratio"][1:]):
        smaller = fitted(mechanism, replies, np.delete(X, index, 1), protected)
        assert fit.likelihood_ratio(smaller)[0] == pytest.approx(ratio, abs=3e-4)


@pytest.mark.checked("outcome_regression", by="R's RRreg 0.7.5", value=1e-2, errors=3e-3)
def test_rrreg_finds_the_same_line_on_a_protected_answer(within):
    replies, _, score = read_replies("forced")
    fit = ak.inference.outcome_regression(
        score, replies, np.empty((300, 0)), [MECHANISMS["forced"]]
    )
    rrreg_line = ORACLE["RRreg line"]
    assert 0 <= fit.log_likelihood - rrreg_line["log_likelihood"] < 1e-4
    assert np.abs((fit.value[:2] - rrreg_line["value"]) / fit.se[:2]).max() < 2e-3
    assert fit.value[:2] == pytest.approx(rrreg_line["value"], rel=within.value)
    assert fit.se[:2] == pytest.approx(rrreg_line["se"], rel=within.errors)
    assert fit.scale == pytest.approx(rrreg_line["scale"], rel=1e-4)
    assert 1 / (1 + np.exp(-fit.value[2])) == pytest.approx(rrreg_line["share"], abs=3e-4)


@pytest.mark.checked("response_regression", by="R's GLMMRR 0.6.0", value=1e-5, errors=1e-4)
@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_glmmrr_finds_the_same(link, within):
    """GLMMRR scores by Fisher: its errors are those of the expected information."""
    replies, X, _ = read_replies("forced")
    fit = fitted("forced", replies, X, link=link, errors="expected")
    expected = ORACLE[f"GLMMRR {link}"]
    np.testing.assert_allclose(fit.value, expected["value"], rtol=within.value)
    np.testing.assert_allclose(fit.se, expected["se"], rtol=within.errors)
    assert fit.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-6)


@pytest.mark.checked("response_regression", by="R's rr 1.4.2", value=2e-3)
def test_rr_finds_the_same(within):
    replies, X, _ = read_replies("forced")
    fit = fitted("forced", replies, X)
    np.testing.assert_allclose(fit.value, ORACLE["rr logit"]["value"], atol=2e-5)
    np.testing.assert_allclose(fit.value, ORACLE["rr logit"]["value"], rtol=within.value)
    assert fit.log_likelihood == pytest.approx(ORACLE["rr logit"]["log_likelihood"], abs=1e-7)
