"""Yoshida, Yung and Hayashi: every claim is computed, every figure is drawn."""

import math
import tomllib
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import askance as ak

FOLDER = Path(__file__).parents[2] / "papers" / "yoshida-yung-hayashi"
CLAIMS = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))["claim"]
YN = ak.Frame(["yes", "no"])


SPEC = spec_from_file_location("yoshida_figures", FOLDER / "figures.py")
SCRIPT = module_from_spec(SPEC)
SPEC.loader.exec_module(SCRIPT)
LAWS = SCRIPT.laws(ak.design.yoshida_pair("1/4").channel(YN), 0.2, 0.6)


def printed_maximum(share, reports, delta=Fraction(1, 4), w=Fraction(2, 5)):
    """Give equation (2) as printed."""
    theta, a = Fraction(share), (1 - delta) / 2
    if reports == 3:
        return (1 - a / (w * (1 - theta) + (1 - w) * theta)) / (theta * (1 - theta))
    if theta <= (w - a) / delta:
        return (w - a) / (theta * (w * (1 - theta) + a * theta))
    return (1 - w - a) / ((1 - theta) * (a * (1 - theta) + (1 - w) * theta))


SCOPE = {
    "ak": ak,
    "Fraction": Fraction,
    "yn": YN,
    "silent": ak.design.yoshida_pair("1/4"),
    "doubtful": ak.design.yoshida_pair("1/4", first_weight="2/5"),
    "few": lambda share: ak.design.yoshida_pair(
        "1/4", first_weight="2/5", prevalence=share, reports=2
    ),
    "exponent": lambda channel: ak.inference.chernoff(*SCRIPT.laws(channel, 0.2, 0.6)).exponent,
    "laws": LAWS,
    "entropy": SCRIPT.entropy,
    "printed_maximum": printed_maximum,
    "lying": ak.design.joint_pair("1/4", 2, first_weight="2/5"),
    "weights": ["3/8", "2/5", "1/2", "3/5", "5/8"],
    "pair_at": lambda w: ak.design.yoshida_pair("1/4", first_weight=w).channel(YN),
    "optimal": lambda channel, w: ak.design.is_yoshida_optimal(channel, "1/4", first_weight=w),
    "EPSILON": math.log(5 / 3) + 1e-7,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["place"])
def test_the_claim_is_computed(claim):
    assert eval(claim["call"], SCOPE) == eval(claim["ours"], SCOPE)
    assert claim["verdict"] in {"right", "false", "corrected", "added"}


@pytest.mark.long
def test_the_figures_are_drawn(tmp_path):
    SCRIPT.main(tmp_path)
    told = {"figure-2": "w = 2/5", "figure-3": "w = 2/5", "chernoff": "truth or silence"}
    for name, said in told.items():
        assert said in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        assert (FOLDER / f"{name}.svg").exists()


def test_the_maxima_lie_above_the_rivals():
    best, both, warner = (
        channel.channel(YN) if not isinstance(channel, ak.Channel) else channel
        for channel in (
            ak.design.yoshida_pair("1/4"),
            ak.design.joint_pair("1/4", 1),
            ak.Warner(truth="5/8"),
        )
    )
    for share in (0.05, 0.5, 0.9):
        told = [SCRIPT.exponent(channel, 0.2, share) for channel in (best, both, warner)]
        assert told == sorted(told, reverse=True)
