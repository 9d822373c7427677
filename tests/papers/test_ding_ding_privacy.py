"""Ding and Ding (2022) on privacy: every claim is computed."""

import math
import tomllib
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import cauchy, logistic, norm, uniform

import askance as ak

FOLDER = Path(__file__).parents[2] / "papers" / "ding-ding"
CLAIMS = tomllib.loads((FOLDER / "claims-privacy.toml").read_text(encoding="utf-8"))["claim"]
VERDICTS = {"right", "false", "corrected", "conditional", "added"}


def root(s):
    return np.sqrt(np.maximum(s, 0))


def moved(n):
    """Send a step or a neighbour of it, as though it were the truth."""
    near = [[float(abs(x - y) < 2) for y in range(n)] for x in range(n)]
    names = [f"step {at}" for at in range(n)]
    rows = [[one / sum(row) for one in row] for row in near]
    return ak.Channel(ak.Frame(names), {name: [name] for name in names}, rows)


def scope():
    """Give the names that claims use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        privacy, selected = import_module("privacy"), import_module("selected")
    even = selected.TRUTHS["even"]
    ranges, _, inclusion = selected.expected("two cuts, τ = .3", even)
    ten = ak.Line(0, 10, 1)
    laws = {"cauchy": cauchy, "logistic": logistic, "norm": norm, "uniform": uniform}
    own = ("refusal", "below", "entropy", "fixed_scale", "small_channels", "information_bounds")
    own += (
        "private_both_ways",
        "tells_nothing",
        "obfuscates",
        "perturbs",
        "statements",
        "judged",
        "written",
        "followed_coverage",
        "lemma_1",
    )
    even_rows = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 8), Fraction(7, 8)]]
    both = {name: ["a", "b"] for name in "rs"}
    example = ak.Progressive(number=1, floor="3/10", stopping="example-4")
    return {
        "ak": ak,
        "F": Fraction,
        "Fraction": Fraction,
        "inf": math.inf,
        "quad": quad,
        **laws,
        **{name: getattr(privacy, name) for name in own},
        "selected": selected,
        "even": even,
        "ranges": ranges,
        "adjusted": lambda sent: ak.npmle(sent, inclusion=inclusion),
        "line": privacy.LINE,
        "one_cut": ak.Cuts(number=1).channel(privacy.LINE),
        "is_low": lambda low, high: low == 0,
        "bins": ({1, 2}, {3, 4}),
        "narrow": ak.channels.CutLaw(norm()),
        "wide": ak.channels.CutLaw(norm(0, 2)),
        "squares": [(-math.inf, 0, lambda s: -root(s)), (0, math.inf, root)],
        "warner": ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"])),
        "withheld": ak.mechanisms.Selective(floor="3/10", sent=1).channel(privacy.LINE),
        "tight": ak.Channel(ak.Frame(["a", "b"]), both, even_rows),
        "told_plainly": ak.privacy.noisy_ranges(
            ak.Cuts().channel(ten), np.eye(10, dtype=int).tolist()
        ),
        "moved": moved(10),
        "two_cuts": ak.Cuts(number=2).channel(privacy.LINE),
        "three": ak.Ring(floor="1/6", number=3).channel(ak.Line(0, 6, 1)),
        "sixty": ak.Line(0, 60, 1),
        "ten": ten,
        "thirds": (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
        "telling": [
            ak.channels.OpenCellChannel(ak.Cuts(number=2).channel(ten), [k]) for k in (1, 2, 3)
        ],
        "between": ak.channels.OpenCellChannel(ak.Cuts(number=2).channel(ten), [2]),
        "leaky": example.final_law(ten),
        "blind": ak.Progressive(number=3, floor="3/10").channel(ten),
    }


@pytest.fixture(scope="module")
def names():
    return scope()


@pytest.mark.long
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim['place']}: {claim['says']}")
def test_the_claim_is_computed(claim, names):
    assert eval(claim["call"], names) == eval(claim["ours"], names)
    assert claim["verdict"] in VERDICTS
