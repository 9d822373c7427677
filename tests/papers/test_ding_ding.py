"""Ding and Ding (2022) on estimates: the table is run, every claim computed, the figure drawn."""

import json
import math
import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, logistic, ncx2, norm, uniform

import askance as ak

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "papers" / "ding-ding"
CLAIMS = tomllib.loads((FOLDER / "claims-estimation.toml").read_text(encoding="utf-8"))["claim"]
ROWS = tomllib.loads((FOLDER / "table-2.toml").read_text(encoding="utf-8"))["row"]
PRINTED, FEW = 1000, 200


@pytest.fixture(scope="module")
def scripts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        names = ("table2", "figure5", "privacy", "selected", "theorem8")
        yield {name: import_module(name) for name in names}


@pytest.fixture(scope="module")
def made(scripts):
    return scripts["table2"].errors(FEW, 2)


def above_half(selected):
    """Give what is sent of one cut with a floor of 5 of 8, the nulls, and who is heard of."""
    floor = ak.exact.Floor([1] * 8, 5)
    channel = ak.RangeChannel(ak.Line(0, 8, 1), [1] * 7, floor=floor, withhold=True)
    ends, chances = channel.cells()
    sent = channel.ranges(ends, 1e4 * chances * channel.inside(ends, selected.TRUTHS["rising"]))
    return sent, 1e4 - sent.total, ak.channels.InclusionProbability.from_channel(channel)


@pytest.fixture(scope="module")
def scope(scripts, made):
    def clipped_mean(law, low, high):
        return low + quad(law.sf, low, high)[0]

    def example_2(n):
        ends = scripts["table2"].support(n, "E[Y]")
        return math.sqrt(ak.inference.unbiased_mean_variance(ends, 0.5, 1, n, slope=2))

    def spread(method, of):
        return max(made[method, of].std(axis=1)) / math.sqrt(PRINTED)

    selected = scripts["selected"]

    def missed_with_nulls(design, rho):
        ranges, _, inclusion = selected.expected(design, selected.TRUTHS["rising"])
        fit = selected.counted_fit(ranges, inclusion, rho)
        return selected.missed(fit, selected.TRUTHS["rising"])

    laws = {"beta": beta, "logistic": logistic, "ncx2": ncx2, "norm": norm, "uniform": uniform}
    own = {"clipped_mean": clipped_mean, "example_2": example_2, "spread": spread}

    at, weight = np.polynomial.hermite_e.hermegauss(200)
    told = np.linspace(-6, 120, 6_001)
    below = norm.cdf(told[:, None] - ((at - 1) ** 2 + 2)) @ weight / weight.sum()

    def parabola_cdf(y):
        return np.interp(y, told, below, 0, 1)

    def random_tau():
        truth = selected.TRUTHS["rising"]
        ranges, inclusion = selected.of_random_tau(truth)
        fits = ak.inference.naive_npmle(ranges), ak.npmle(ranges, inclusion=inclusion)
        counted = selected.counted_fit(ranges, inclusion)
        return tuple(round(selected.missed(fit, truth), 2) for fit in (*fits, counted))

    share = norm.cdf(logistic.rvs(size=10_000, random_state=np.random.default_rng(1)))
    own |= {"parabola_cdf": parabola_cdf, "random_tau": random_tau}
    own["drawn_coverage"] = share**2 + (1 - share) ** 2
    own |= {"missed_with_nulls": missed_with_nulls, "half": above_half(selected)}
    own["apart_at_the_likeliest_rho"] = selected.apart_at_the_likeliest_rho
    return {"ak": ak, "inf": math.inf, "log10": math.log10, **laws, **own, **scripts}


@pytest.mark.long
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim['place']}: {claim['says']}")
def test_the_claim_is_computed(claim, scope):
    assert eval(claim["call"], scope) == eval(claim["ours"], scope)
    assert claim["verdict"] in {"right", "false", "corrected", "conditional", "added"}


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['of']}, {row['method']}")
def test_the_table_has_these_figures(row, made):
    found = made[row["method"], row["of"]]
    bound = 0.01 + 5 * found.std(axis=1) * math.sqrt(1 / FEW + 1 / PRINTED)
    assert np.all(np.abs(found.mean(axis=1) - row["ours"]) <= bound)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['of']}, {row['method']}")
def test_the_verdict_is_that_of_the_script(row, made, scripts):
    se = made[row["method"], row["of"]].std(axis=1) / math.sqrt(PRINTED)
    cells = zip(row["ours"], se, row["theirs"], strict=False)
    same = [scripts["table2"].agrees(*cell) for cell in cells]
    verdict = "reproduced" if all(same) else "partly reproduced" if any(same) else "not reproduced"
    assert row["verdict"] == verdict


def test_a_wrong_table_is_told_apart(scripts):
    assert not scripts["table2"].agrees(0.45, 0.01, 0.55)
    assert scripts["table2"].agrees(0.45, 0.01, 0.47)


def test_a_row_is_written_with_what_was_printed(scripts, made):
    row = ROWS[6]
    line = scripts["table2"].line(row, made[row["method"], row["of"]])
    assert line.count("(") == len(row["theirs"])
    assert "(13.09 ≠)" in line


def test_the_page_shows_these_figures():
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    for row in ROWS:
        (line,) = [one for one in lines if one.startswith(f"| {row['of']} | {row['method']} |")]
        cells = [cell.split() for cell in line.strip("| ").split(" | ")[2:]]
        assert [float(cell[0]) for cell in cells] == row["ours"]
        told = [float(cell[3].strip("()")) for cell in cells if len(cell) > 3]
        assert told == row["theirs"]


@pytest.mark.long
def test_coverage_agrees_with_the_oracle(scripts):
    found = json.loads((ROOT / "tests" / "oracles" / "anchors.json").read_text(encoding="ascii"))
    laws = {"normal": norm, "logistic": logistic, "uniform": uniform}
    for case in found["coverage"]:
        cut = laws[case["cut"][0]](*case["cut"][1:])
        law = laws[case["law"][0]](*case["law"][1:])
        assert scripts["figure5"].coverage(cut, law) == pytest.approx(case["coverage"], abs=1e-9)
    for case in found["least_variance"]:
        law = laws[case["law"][0]](*case["law"][1:])
        assert scripts["figure5"].least_variance(law) == pytest.approx(case["value"], rel=1e-10)


@pytest.mark.long
def test_the_figures_are_drawn(scripts, tmp_path):
    scripts["figure5"].main(tmp_path, 10)
    for drawn in (tmp_path, FOLDER):
        printed = (drawn / "figure-5.svg").read_text(encoding="utf-8")
        assert "Figure 5: the distribution, and cuts for moments" in printed
        assert "logistic family" in printed
        ours = (drawn / "mean-error.svg").read_text(encoding="utf-8")
        assert "coverage τ" in ours
        assert "most likely distribution, n = 1,000" in ours


@pytest.mark.long
def test_the_most_likely_distribution_is_more_exact_at_every_coverage(scripts):
    """And near the least that is possible: nothing else is drawn in the figure."""
    module, rng = scripts["figure5"], np.random.default_rng(3)
    for half in (3.5, 14.0, 45.0):
        found = module.simulated(half, 1000, 100, rng).mean()
        plain = module.error(
            ak.inference.unbiased_mean_variance((-half, half), 0.5, 1, 1000, slope=2)
        )
        least = module.error(2 * half * half * (1 - module.tau(half)) / 1000)
        assert 0.7 * least < found < 0.95 * plain
