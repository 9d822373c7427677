"""R's survey on its own data, api and scd, and a survey of students of unequal chances.

`r_survey.R` prints what R says; data and figures come from the package that is installed.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import askance as ak

lab = ak.inference
PROGRAM = Path(__file__).with_name("r_survey.R")
HARMLESS = {"copied": "1/12", "fought": "1/10", "bullied": "20/30", "drug": "10/30"}
TYPES = {"E": 4421, "H": 755, "M": 1018}
WIDE = {"No": 1072, "Yes": 5122}
SAME = 1e-8
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def r_output(data_beside: Callable[[str], Path]) -> dict[str, Any]:
    """What R says of its own data."""
    students = data_beside("rr/rrtcs_HorvitzDataRealSurvey.csv")
    words = ["Rscript", "--vanilla", str(PROGRAM), str(students)]
    result = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(result))


def designs(tables: dict[str, Any]) -> dict[str, tuple[Any, pd.DataFrame]]:
    """The same designs, each with its table."""
    item, two, by_type = (
        pd.DataFrame(tables[name]) for name in ("apiclus1", "apiclus2", "apistrat")
    )
    plain = lab.SamplingDesign(weights="pw", clusters="dnum", data=item)
    finite = lab.SamplingDesign(weights="pw", clusters="dnum", fpc="fpc", data=item)
    separate = {"weights": "pw", "strata": "stype", "data": by_type}
    stages = lab.SamplingDesign(clusters=["dnum", "snum"], fpc=["fpc1", "fpc2"], data=two)
    margins = {"stype": item["stype"], "sch.wide": item["sch.wide"]}
    return {
        "strata": (lab.SamplingDesign(fpc="fpc", **separate), by_type),
        "clusters": (plain, item),
        "finite": (finite, item),
        "stages": (stages, two),
        "poststratified": (lab.poststratify(finite, item["stype"], TYPES), item),
        "raked": (lab.rake(finite, margins, {"stype": TYPES, "sch.wide": WIDE}), item),
        "jackknife": (lab.jackknife(plain), item),
        "jackknife in strata": (lab.jackknife(lab.SamplingDesign(**separate)), by_type),
    }


def assert_same(result: Any, output: dict[str, Any], close: float = SAME) -> None:
    """Compare values and covariances."""
    value = np.atleast_1d(output["value"])
    assert_allclose(result.value, value, rtol=close)
    reshape_result = np.reshape(output["variance"], (len(value),) * 2)
    assert_allclose(
        result.covariance, reshape_result, rtol=close, atol=close * np.abs(reshape_result).max()
    )


RAKED = 1e-5
"""R rakes until margins are within one; here they are met."""


def test_totals_means_and_ratios_of_api_are_those_of_r(r_output: dict[str, Any]) -> None:
    for name, (sampling, table) in designs(r_output["data"]).items():
        result, close = r_output["api"][name], RAKED if name == "raked" else SAME
        pair = table[["api00", "api99"]]
        assert_same(lab.survey_total(sampling, pair), result["total"], close)
        assert_same(lab.survey_mean(sampling, pair), result["mean"], close)
        assert_same(
            lab.survey_ratio(sampling, table["api.stu"], table["api99"]), result["ratio"], close
        )
        small = sampling.domain(table["stype"] == "E")
        assert_same(lab.survey_mean(small, table["api99"]), result["domain"], close)
        if name != "raked":
            assert sampling.df == result["df"]


def test_shares_of_a_question_asked_directly_are_those_of_r(r_output: dict[str, Any]) -> None:
    """Through a channel that sends the answer, also where the engine groups the rows."""
    q = ak.Channel(ak.Frame(["Yes", "No"]), {"Yes": ["Yes"], "No": ["No"]}, np.eye(2))
    for name, (sampling, table) in designs(r_output["data"]).items():
        if name == "raked":  # to these shares: nothing is left to vary
            continue
        share = r_output["api"][name]["share"]
        result = ak.estimate(ak.tally(q, table["sch.wide"], sampling=sampling))
        assert_allclose(result.value[0], share["value"], rtol=SAME)
        assert_allclose(result.covariance[0, 0], share["variance"], rtol=SAME)
        joint = ak.estimate_joint(
            {"wide": q}, reports={"wide": table["sch.wide"]}, sampling=sampling
        )
        assert_allclose(joint.covariance[0, 0], share["variance"], rtol=SAME)


def test_balanced_halves_of_scd_are_those_of_r(r_output: dict[str, Any]) -> None:
    table, scd = pd.DataFrame(r_output["data"]["scd"]), r_output["scd"]
    halves = lab.ReplicateWeights(
        weights=np.ones(6), replicates=np.array(scd["halves"], dtype=float), scale=1 / 4
    )
    assert_same(lab.survey_ratio(halves, table["alive"], table["arrests"]), scd["ratio"])
    assert_same(lab.survey_total(halves, table[["alive", "arrests"]]), scd["total"])


def test_students_of_unequal_chances_are_those_of_r(
    r_output: dict[str, Any], data_beside: Callable[[str], Path]
) -> None:
    """Horvitz's design: R has the mean of (z − (1 − p) α)/p, weighted by one over the chances."""
    table = pd.read_csv(data_beside("rr/rrtcs_HorvitzDataRealSurvey.csv"))
    chance = 0.03 + 0.05 * (np.arange(1, len(table) + 1) % 7) / 6
    sampling = lab.SamplingDesign(probabilities=chance)
    for name, harmless in HARMLESS.items():
        recipe = ak.mechanisms.UnrelatedQuestion(sensitive_chance="1/2", harmless=harmless)
        q = recipe.channel(ak.Frame(["yes", "no"]))
        selected = np.where(table[name] == 1, "yes", "no")
        result, output = (
            ak.estimate(ak.tally(q, selected, sampling=sampling)),
            r_output["horvitz"][name],
        )
        assert_allclose(result.value[0], output["value"], rtol=SAME)
        assert_allclose(result.covariance[0, 0], output["variance"], rtol=SAME)
