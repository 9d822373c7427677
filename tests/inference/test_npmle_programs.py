"""The most likely distribution, against two other programs and against printed estimates."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from askance.channels import Ranges
from askance.inference import npmle

ROOT = Path(__file__).parents[2]
TABLE = json.loads((ROOT / "tests" / "oracles" / "npmle.json").read_text(encoding="ascii"))
CASES = TABLE["cases"]
# Fay & Shaw (2010), J. Stat. Softw. 36(2): what the R package interval prints.
PRINTED = {
    "radiotherapy": """4 5 0.0463, 6 7 0.0334, 7 8 0.0887, 11 12 0.0708, 24 25 0.0926,
        33 34 0.0818, 38 40 0.1209, 46 48 0.4656""",
    "both": """4 5 0.0433, 5 8 0.0433, 11 12 0.0692, 16 17 0.1454, 18 19 0.1411, 19 20 0.1157,
        24 25 0.0999, 30 31 0.0709, 35 36 0.1608, 44 48 0.0552, 48 60 0.0552""",
}


def ranges(case):
    lower, upper = (np.array(case[end], float) for end in ("lower", "upper"))
    return Ranges(lower, upper, case["count"], closed="survival")


def mean_loglik(fit, draws):
    """Sum over the intervals of the fit that lie inside each range; no cumulative sums."""
    inside = (draws.lower[:, None] <= fit.lower) & (fit.upper <= draws.upper[:, None])
    return float(draws.weights @ np.log(inside @ fit.mass) / draws.total)


def example(name):
    with (ROOT / "examples" / f"{name}.csv").open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def test_there_are_data_of_every_kind():
    assert len(CASES) >= 12
    assert len({case["name"] for case in CASES}) == len(CASES)
    ranges_results = [ranges(case) for case in CASES]
    assert any(
        np.isinf(ranges_result.lower).any() and np.isinf(ranges_result.upper).any()
        for ranges_result in ranges_results
    )
    assert any(
        (np.nextafter(ranges_result.lower, np.inf) == ranges_result.upper).any()
        for ranges_result in ranges_results
    )
    assert set(TABLE["programs"]) == {"surpyval", "npsurv"}


@pytest.mark.checked(
    "npmle", by="the most that R's npsurv 0.5-0 and SurPyval 0.25 find likely", value=1e-9
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_two_programs_find_the_same_maximum(case, within):
    ranges_result = ranges(case)
    fit = npmle(ranges_result)
    own = mean_loglik(fit, ranges_result)
    for program, result in case["mean_loglik"].items():
        assert own == pytest.approx(result, rel=0, abs=1e-9), program
        assert own == pytest.approx(result, rel=within.value, abs=0), program
    assert fit.gap <= 1e-10


@pytest.mark.parametrize("treatment", PRINTED)
def test_breast_cosmesis_has_the_printed_masses(treatment):
    rows = [row for row in example("breast-cosmesis") if row["treatment"] == treatment]
    fit = npmle(
        Ranges([float(row["after"]) for row in rows], [float(row["by"] or "inf") for row in rows])
    )
    wanted = [[float(part) for part in word.split()] for word in PRINTED[treatment].split(",")]
    lower, upper, mass = np.transpose(wanted)
    assert fit.lower.tolist() == lower.tolist()
    assert fit.upper.tolist() == upper.tolist()
    assert fit.mass == pytest.approx(mass, abs=5.1e-5)


@pytest.mark.parametrize(
    ("environment", "mice", "tumours"),
    [
        ("conventional", 96, 27),
        ("germ-free", 48, 35),
    ],
)
def test_mouse_tumours_are_the_isotonic_regression(environment, mice, tumours):
    rows = [row for row in example("mouse-tumours") if row["environment"] == environment]
    age = np.array([float(row["age"]) for row in rows])
    values = np.array([row["tumour"] == "yes" for row in rows])
    assert (len(rows), values.sum()) == (mice, tumours)
    fit = npmle(Ranges(np.where(values, -np.inf, age), np.where(values, age, np.inf)))
    ages, index = np.unique(age, return_inverse=True)
    count = np.bincount(index)
    share = isotonic_regression(np.bincount(index, values) / count, weights=count).x
    assert fit.cdf_bounds(ages)[0] == pytest.approx(share, abs=1e-12)


def test_the_notes_say_what_the_files_hold():
    for name in ("breast-cosmesis", "mouse-tumours"):
        note, rows = (ROOT / "examples" / f"{name}.md").read_text(encoding="utf-8"), example(name)
        assert all(f"| `{column}` |" in note for column in rows[0])
        assert f"{len(rows)} " in note
