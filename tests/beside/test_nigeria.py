"""The regression of forced answers that Blair, Imai and Zhou published, on their survey."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import askance as ak

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "response.json").read_text())
NIGERIA = "rr/nigeria_forced_response.csv"
YN = ak.Frame(["yes", "no"])
FORCED = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[5 / 6, 1 / 6], [1 / 6, 5 / 6]])


def nigeria(path: Path) -> tuple[list[str], np.ndarray]:
    """Read who said what, and asset index, married, age / 10, its square, education, female."""
    with path.open(newline="") as file:
        items = list(csv.DictReader(file))
    rows = [row for row in items if all(row[name] != "NA" for name in row if name != "civic")]
    age = np.array([float(row["cov.age"]) for row in rows]) / 10
    asset, married, education, female = (
        np.array([float(row[f"cov.{name}"]) for row in rows])
        for name in ("asset.index", "married", "education", "female")
    )
    X = np.column_stack([asset, married, age, age**2, education, female])
    return [["no", "yes"][int(row["rr.q1"])] for row in rows], X


def test_the_published_regression_of_forced_answers(data_beside: Callable[[str], Path]) -> None:
    """Coefficients, likelihood and mean share of Blair, Imai and Zhou's survey."""
    replies, X = nigeria(data_beside(NIGERIA))
    assert len(replies) == 2423
    fit = ak.response_regression(replies, X, FORCED)
    published = [-0.34017, 0.07896, -0.26743, -0.35283, 0.04099, -0.00691, -0.55439]
    np.testing.assert_allclose(fit.value, published, atol=2e-5)
    assert fit.log_likelihood == pytest.approx(-1540.1179, abs=1e-4)
    assert fit.prevalence().value[0] == pytest.approx(0.26213, abs=1e-5)


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_r_finds_the_same(data_beside: Callable[[str], Path], link: str) -> None:
    """GLMMRR scores by Fisher: its errors are those of the expected information."""
    replies, X = nigeria(data_beside(NIGERIA))
    fit = ak.response_regression(replies, X, FORCED, link=link, errors="expected")
    expected = ORACLE[f"GLMMRR forced {link}"]
    np.testing.assert_allclose(fit.value, expected["value"], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(fit.se, expected["se"], rtol=1e-4)
    assert fit.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-6)
    if link == "logit":
        rr = ORACLE["rr forced logit"]
        np.testing.assert_allclose(fit.value, rr["value"], atol=1e-5)
