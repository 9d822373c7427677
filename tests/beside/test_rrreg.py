"""Regressions of randomised answers beside R's RRreg, on the surveys that it was given."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import askance as ak

ORACLE = json.loads((Path(__file__).parents[1] / "oracles/rrreg.json").read_text())
LINE = ORACLE.pop("RRlin")
NIGERIA, THEFT, COPIED = (
    f"rr/{name}.csv"
    for name in ("nigeria_forced_response", "mturk_shoplifting", "plagiarism_crosswise")
)
PAIRED = 0.1594625


def yes(carrier: float, other: float) -> ak.Channel:
    """Give the channel of a design by the chance of a yes with and without the trait."""
    frame = ak.Frame(["yes", "no"])
    rows = [[carrier, 1 - carrier], [other, 1 - other]]
    return ak.Channel(frame, {"yes": ["yes"], "no": ["no"]}, rows)


DIRECT, CROSSWISE = yes(1, 0), yes(0.25, 0.75)
WARNER, FORCED = yes(PAIRED, 1 - PAIRED), yes(5 / 6, 1 / 6)
UNRELATED = yes(0.778 + 0.222 * 0.493, 0.222 * 0.493)


def table(path: Path, text: str, terms: str) -> tuple[list[dict[str, str]], np.ndarray, np.ndarray]:
    """Give whole rows, the columns of what was said and the covariates; age in tens."""
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if "NA" not in row.values()]
    X = np.array([[float(row[term]) for term in terms.split()] for row in rows])
    X[:, ["age" in term for term in terms.split()]] /= 10
    return rows, np.array([("no", "yes")[int(row[text])] for row in rows]), X


def read_design(
    name: str, result: Callable[[str], Path]
) -> tuple[np.ndarray, np.ndarray, list[ak.Channel], np.ndarray]:
    """Give one design's reports, covariates, channels, and which channel each row had."""
    if name == "FR":
        terms = ("asset.index", "married", "age", "age", "education", "female")
        _, replies, X = table(result(NIGERIA), "rr.q1", " ".join(f"cov.{term}" for term in terms))
        X[:, 3] **= 2
        return replies, X, [FORCED], np.zeros(len(X), dtype=int)
    if name == "Crosswise and direct":
        rows, replies, X = table(result(COPIED), "response", "Gender age RR")
        values = np.array([row["question"] in ("1", "3") for row in rows])
        return replies[values], X[values], [DIRECT, CROSSWISE], X[values, 2].astype(int)
    rows, replies, X = table(result(THEFT), "RR_response", "gender age")
    kind, index, channel = {
        "UQTknown": ("UQM", ("RRp2", 0.493), UNRELATED),
        "Warner": ("Crosswise", ("RRp1", PAIRED), WARNER),
        "Crosswise": ("Crosswise", ("RRp1", PAIRED), WARNER),
    }[name]
    values = np.array([row["RRmodel"] == kind and float(row[index[0]]) == index[1] for row in rows])
    return replies[values], X[values], [channel], np.zeros(values.sum(), dtype=int)


@pytest.mark.parametrize("name", ORACLE)
def test_rrreg_finds_the_same(name: str, data_beside: Callable[[str], Path]) -> None:
    """RRreg differentiates twice by differences, and squares of ages are large: errors by 0.3 %."""
    replies, X, channels, group = read_design(name, data_beside)
    expected, fit = ORACLE[name], ak.response_regression(replies, X, channels, group=group)
    assert fit.n == expected["n"]
    assert fit.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-7)
    assert np.abs((fit.value - expected["value"]) / fit.se).max() < 1e-4
    assert fit.se == pytest.approx(expected["se"], rel=3e-3)


@pytest.mark.parametrize("name", ORACLE)
def test_rrreg_tests_each_covariate_alike(name: str, data_beside: Callable[[str], Path]) -> None:
    replies, X, channels, group = read_design(name, data_beside)
    fit = ak.response_regression(replies, X, channels, group=group)
    for index, ratio in enumerate(ORACLE[name]["ratio"][1:]):
        smaller = ak.response_regression(replies, np.delete(X, index, 1), channels, group=group)
        assert fit.likelihood_ratio(smaller)[0] == pytest.approx(ratio, abs=3e-4)


def test_rrreg_finds_the_same_line_on_a_protected_answer(
    data_beside: Callable[[str], Path],
) -> None:
    """RRreg's climb ends a little below the top."""
    replies, X, channels, _ = read_design("FR", data_beside)
    fit = ak.inference.outcome_regression(X[:, 0], replies, np.empty((len(X), 0)), channels)
    assert fit.n == LINE["n"]
    assert 0 <= fit.log_likelihood - LINE["log_likelihood"] < 1e-4
    assert np.abs((fit.value[:2] - LINE["value"]) / fit.se[:2]).max() < 2e-3
    assert fit.se[:2] == pytest.approx(LINE["se"], rel=1e-3)
    assert fit.scale == pytest.approx(LINE["scale"], rel=1e-5)
    assert 1 / (1 + np.exp(-fit.value[2])) == pytest.approx(LINE["share"], abs=3e-4)
