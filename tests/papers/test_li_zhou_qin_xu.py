"""Li, Zhou, Qin and Xu (2022): every claim is computed, every figure is drawn."""

import math
import tomllib
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import askance as ak

FOLDER = Path(__file__).parents[2] / "papers" / "li-zhou-qin-xu-2022"
CLAIMS = tomllib.loads((FOLDER / "claims-privacy.toml").read_text(encoding="utf-8"))["claim"]
SPEC = spec_from_file_location("tradeoffs", FOLDER / "tradeoffs.py")
SCRIPT = module_from_spec(SPEC)
SPEC.loader.exec_module(SCRIPT)
NAMED = {"1": ["y0"], "2": ["y1"], "1 or 2": ["y0", "y1"]}


def evidence(*rows):
    """Read masses on {1}, {2} and {1, 2}, in hundredths."""
    frame, output = ak.Frame([f"x{at}" for at in range(len(rows))]), ak.Frame(["y0", "y1"])
    exact = [[Fraction(mass, 100) for mass in row] for row in rows]
    return ak.Channel(frame, NAMED, exact, output=output)


def vague(channel):
    """Give the chances, by the answer, of a report that leaves both answers possible."""
    at = [place for place, mask in enumerate(channel.meanings) if mask == 3]
    return {sum(channel.table.row(x)[place] for place in at) for x in (0, 1)}


def ratios(rows):
    """Count the different ratios of chances that messages have; no ratio survives more."""
    return len(
        {Fraction(one, other) if other else math.inf for one, other in zip(*rows, strict=True)}
    )


YES_NO = ak.Frame(["yes", "no"])
WARNER = ak.privacy.Ledger().spend(ak.Warner(truth="3/4").channel(YES_NO), 2)
SMALL = ak.privacy.Ledger().spend(ak.Abstain(truth="0.51", lie="0.48").channel(YES_NO), 2500)
SCOPE = {
    "ak": ak,
    "math": math,
    "Fraction": Fraction,
    "q": ak.Abstain(truth="3/5", lie="1/10").channel(YES_NO),
    "narrow": evidence((45, 45, 10), (49, 49, 2)),
    "from_warner": SCRIPT.from_warner,
    "vague": vague,
    "ratios": ratios,
    "alike": evidence((45, 45, 10), (45, 45, 10)),
    "even": ak.Abstain(truth="2/5", lie="2/5").channel(YES_NO),
    "optimist": WARNER.tradeoff(view=ak.privacy.View.OPTIMISTIC),
    "limit": SMALL.gaussian(view=ak.privacy.View.PESSIMISTIC),
    "GRID": [at / 100 for at in range(101)],
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["place"])
def test_the_claim_is_computed(claim):
    assert eval(claim["call"], SCOPE) == eval(claim["ours"], SCOPE)
    assert claim["verdict"] in {"right", "false", "corrected", "two figures", "added"}


@pytest.mark.long
def test_the_figures_are_drawn(tmp_path):
    SCRIPT.main(tmp_path)
    for name in ("figure-1.svg", "figure-4.svg"):
        drawn = (tmp_path / name).read_text(encoding="utf-8")
        assert "U² as printed" in drawn
        assert (FOLDER / name).exists()
    printed, sound = (
        SCRIPT.printed_ceiling(1.0),
        ak.privacy.error_ceiling(1, times=2).beta(SCRIPT.ALPHAS),
    )
    assert (sound - printed).max() == pytest.approx(0.692, abs=5e-4)
