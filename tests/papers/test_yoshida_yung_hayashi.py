"""Yoshida, Yung and Hayashi: every claim is computed, every figure is drawn."""

import math
import tomllib
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import askance as ak

FOLDER = Path(__file__).parents[2] / "papers" / "yoshida-yung-hayashi"
CLAIMS = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))["claim"]
YN = ak.Frame(["yes", "no"])


def laws(channel):
    """Give the laws of a report at prevalences of 1/5 and 3/5."""
    return [np.array([share, 1 - share]) @ channel.matrix for share in (0.2, 0.6)]


SCOPE = {
    "ak": ak,
    "Fraction": Fraction,
    "yn": YN,
    "silent": ak.yoshida_pair("1/4"),
    "doubtful": ak.yoshida_pair("1/4", weight="2/5"),
    "few": lambda share: ak.yoshida_pair("1/4", weight="2/5", prevalence=share, reports=2),
    "exponent": lambda channel: ak.chernoff(*laws(channel)).exponent,
    "laws": laws(ak.yoshida_pair("1/4").channel(YN)),
    "EPSILON": math.log(5 / 3) + 1e-7,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["place"])
def test_the_claim_is_computed(claim):
    assert eval(claim["call"], SCOPE) == eval(claim["ours"], SCOPE)
    assert claim["verdict"] in {"right", "false", "corrected", "added"}


def test_the_figures_are_drawn(tmp_path):
    spec = spec_from_file_location("yoshida_figures", FOLDER / "figures.py")
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main(tmp_path)
    for name, told in (("figure-2.svg", "two reports"), ("figure-3.svg", "truth or silence")):
        assert told in (tmp_path / name).read_text(encoding="utf-8")
        assert (FOLDER / name).exists()


def test_the_maxima_lie_above_the_rivals():
    spec = spec_from_file_location("yoshida_figures", FOLDER / "figures.py")
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    best, both, warner = (
        channel.channel(YN) if not isinstance(channel, ak.Channel) else channel
        for channel in (ak.yoshida_pair("1/4"), ak.joint_pair("1/4", 1), ak.Warner(truth="5/8"))
    )
    for share in (0.05, 0.5, 0.9):
        told = [script.exponent(channel, 0.2, share) for channel in (best, both, warner)]
        assert told == sorted(told, reverse=True)
