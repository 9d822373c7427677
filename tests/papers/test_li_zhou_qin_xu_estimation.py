"""Li, Zhou, Qin and Xu (2022) on estimates: every claim is computed, every figure is drawn."""

import tomllib
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import pytest

import askance as ak

FOLDER = Path(__file__).parents[2] / "papers" / "li-zhou-qin-xu-2022"
CLAIMS = tomllib.loads((FOLDER / "claims-estimation.toml").read_text(encoding="utf-8"))["claim"]
YES_NO = ak.Frame(["yes", "no"])
SPEC = spec_from_file_location("estimation", FOLDER / "estimation.py")
SCRIPT = module_from_spec(SPEC)
SPEC.loader.exec_module(SCRIPT)


def on_curve(corner):
    loss, variance = SCRIPT.corners()[corner]
    points = SCRIPT.curve()
    return any(abs(at - loss) + abs(above - variance) < 1e-9 for at, above in points)


Q = ak.Abstain(truth="3/5", lie="1/10").channel(YES_NO)
SCOPE = {
    "ak": ak,
    "Fraction": Fraction,
    "yn": YES_NO,
    "q": Q,
    "m": ak.Abstain(truth="3/5", lie="1/10"),
    "warner": ak.Warner(truth="3/4").channel(YES_NO),
    "half": ak.mechanisms.Redistribute(truth="3/5", lie="1/10", share="1/2").channel(YES_NO),
    "few": ak.Tally(Q, {"no": 9, "don't know": 4}),
    "rising": lambda values: all(low < high for low, high in pairwise(values)),
    "ends": lambda interval: (round(interval.low, 12), round(interval.high, 12)),
    "on_curve": on_curve,
    "estimates": SCRIPT.estimates,
    "spread": SCRIPT.spread,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["place"])
def test_the_claim_is_computed(claim):
    assert eval(claim["call"], SCOPE) == eval(claim["ours"], SCOPE)
    assert claim["verdict"] in {"right", "false", "corrected", "conditional"}


@pytest.mark.long
def test_the_figures_are_drawn(tmp_path):
    SCRIPT.main(tmp_path)
    told = {
        "figure-2": "c = 1: Warner",
        "figure-3": "N = 500",
        "figure-5": "all Q_λ",
        "corollary-11": "as printed",
    }
    for name, said in told.items():
        assert said in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        assert (FOLDER / f"{name}.svg").exists()
    assert SCRIPT.printed_variance(0.1, 1) == pytest.approx(0.7 * 0.45)
    assert SCRIPT.approximate_variance(0.1, 1) == pytest.approx(2.5 * 0.45)


@pytest.mark.long
def test_simulated_surveys_are_estimated_as_the_library_does():
    channel = SCRIPT.recipe(1.0).channel(YES_NO)
    assert channel.table.chance(0, 2) == Fraction(1, 10)
    found = set(SCRIPT.estimates(1.0, 10).round(9))
    possible = {
        round(float(ak.inference.moment_estimate(tally(channel, yes, no)).value[0]), 9)
        for yes in range(11)
        for no in range(11 - yes)
        if yes + no
    }
    assert len(found) > 20
    assert found <= possible


def tally(channel, yes, no):
    return ak.Tally(channel, {"yes": yes, "no": no, "don't know": 10 - yes - no})
