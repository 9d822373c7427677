"""Ding and Ding (2022) on learning: claims are computed, the experiments run on few data.

The WHO's table is no part of the project: what it adds up to stands in tests/oracles, and the
script reads an invented table of the same shape.
"""

import json
import sys
import tomllib
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy.special import erfcx
from scipy.stats import logistic, norm, t, truncnorm, uniform

import askance as ak
from askance.learn import IntervalRegressor

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "papers" / "ding-ding"
CLAIMS = tomllib.loads((FOLDER / "claims-learning.toml").read_text(encoding="utf-8"))["claim"]
ROWS = tomllib.loads((FOLDER / "table-4.toml").read_text(encoding="utf-8"))["row"]
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
KNOWN = json.loads((ROOT / "tests/oracles/life_expectancy.json").read_text(encoding="ascii"))[
    "life_expectancy"
]
NAMES = ("life_expectancy", "regression_figures", "figures", "figure5", "privacy")


@pytest.fixture(scope="module")
def scripts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield {name: import_module(name) for name in NAMES}


@pytest.fixture(scope="module")
def life(scripts):
    return scripts["life_expectancy"]


@pytest.fixture(scope="module")
def lines(scripts):
    return scripts["regression_figures"]


@pytest.fixture(scope="module")
def seen(life):
    """The WHO's life expectancies as whole years, in standard deviations, and how many rows each.

    The numbers of a year are .0 to .9, .0 a little more often, so that their mean is .4 above.
    """
    years = {int(year): count for year, count in KNOWN["by_whole_years"].items()}
    counts = np.array(list(years.values()), dtype=float)
    return life.standard(np.array(list(years)) + 0.4, counts), counts


@pytest.fixture(scope="module")
def scope(scripts, lines, seen):
    one, asked = (lines.ask(1, np.random.default_rng(2), power) for power in (1, 2))
    many = lines.ask(300, np.random.default_rng(1))
    fit, family = scripts["figure5"].fits(1000, np.random.default_rng(5))
    fine = np.linspace(-8, 8, 801)
    laws = {"norm": norm, "t": t, "uniform": uniform, "Fraction": Fraction}
    own = {
        "known": KNOWN,
        "seen": seen,
        "distances": [np.abs(law.cdf(fine) - logistic.cdf(fine)).max() for law in (family, fit)],
        "line": lines.missed(lines.slopes(one) * lines.NEW, 1),
        "forest": lines.missed(lines.forests(asked, 60, 10)[1], 2),
        "twenty": lines.slopes(many)[-1].mean(),
        "ends": lines.likeliest(many).mean(),
    }
    return {"ak": ak, "np": np, **laws, **own, **scripts}


@pytest.mark.long
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim['place']}: {claim['says']}")
def test_the_claim_is_computed(claim, scope):
    assert eval(claim["call"], scope) == eval(claim["ours"], scope)
    assert claim["verdict"] in {"right", "false", "corrected", "conditional", "added"}


def test_the_oracle_agrees_with_itself():
    counts = KNOWN["by_whole_years"]
    n = sum(counts.values())
    assert n == KNOWN["known"] == KNOWN["rows"] - 10
    mean = sum((int(year) + 0.4) * count for year, count in counts.items()) / n
    assert mean == pytest.approx(KNOWN["sum"] / n, abs=0.01)
    assert KNOWN["sum_of_squares"] / n - (KNOWN["sum"] / n) ** 2 == pytest.approx(9.52**2, rel=1e-3)
    for cut, up_to in KNOWN["up_to"].items():
        whole = sum(count for year, count in counts.items() if int(year) < int(float(cut)))
        assert whole <= up_to <= whole + counts[str(int(float(cut)))]


def invented(path, countries=60, years=8):
    """Write a table like the WHO's: rows by country, missing cells, names with stray spaces."""
    rng = np.random.default_rng(4)
    names = [" a1 ", *(f"a{at}" for at in range(2, 19))]
    lines = [",".join(["Country", "Year", "Status", "Life expectancy ", *names])]
    for country in range(countries):
        base = rng.normal(size=18)
        for year in range(years):
            x = base + 0.3 * rng.normal(size=18)
            y = f"{70 + 8 * x[0] - 4 * x[1] + 2 * rng.normal():.1f}" if year or country else ""
            cells = [f"{one:.3f}" if rng.random() > 0.05 else "" for one in x]
            status = "Developed" if base[0] > 1 else "Developing"
            lines.append(",".join([f"C{country}", str(2000 + year), status, y, *cells]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def who(life, tmp_path_factory):
    return life.table(invented(tmp_path_factory.mktemp("who") / "invented.csv"))


def test_the_table_is_read_whole(who):
    X, y = who
    assert X.shape == (479, KNOWN["covariates"])
    assert np.isnan(X).any()
    assert not np.isnan(y).any()
    assert set(X[:, 1]) == {0.0, 1.0}


def test_every_number_lies_in_its_range_and_m1_tells_the_middle(life):
    rng = np.random.default_rng(3)
    z = rng.standard_normal(500)
    for name in (*life.CUTS, *life.HALVES):
        cut = life.cuts(name, len(z), rng)
        told = life.told(name, z, cut)
        assert np.all((told.lower < z) & (z <= told.upper))
        between = (cut[:, 0] < z) & (z <= cut[:, -1])
        number = told.upper - told.lower < 1e-9
        assert np.array_equal(number, between if name in life.HALVES else np.zeros(500, bool))


def test_the_coverage_is_that_of_reports(life):
    """By many cuts: the share of the numbers that each report leaves possible, A left out."""
    rng = np.random.default_rng(6)
    z = life.standard(rng.gamma(3, size=200))
    for name in (*life.CUTS, *life.HALVES):
        cut = life.cuts(name, 40_000, rng)
        share = np.searchsorted(np.sort(z), cut, side="right") / len(z)
        held = np.diff(share, axis=1, prepend=0, append=1)
        if name in life.HALVES:
            held[:, 1] = 0
        assert life.covered(name, z) == pytest.approx((held**2).sum(axis=1).mean(), abs=0.006)


def test_the_coverage_is_the_librarys(life):
    z = norm.ppf((np.arange(2000) + 0.5) / 2000)
    for name, (spread, number) in life.CUTS.items():
        cuts = ak.channels.CutLaw(logistic(0, spread), number=number)
        assert life.covered(name, z) == pytest.approx(
            ak.privacy.coverage(cuts, norm()).value, abs=1e-3
        )


@pytest.mark.long
def test_lines_learn_nearly_as_much_from_ranges_as_from_numbers(life, who):
    made = {name: life.cell("LR", name, *who, 1).mean(axis=0)[0] for name in ("oracle", "M1", "M2")}
    assert made["oracle"] > 0.8
    assert made["M1"] > made["oracle"] - 0.05
    assert made["M2"] > made["oracle"] - 0.2


@pytest.fixture
def few(life, monkeypatch):
    small = {"LR": life.LEARNERS["LR"]}
    small["GB"] = life.GradientBoostingRegressor(n_estimators=15, random_state=0)
    small["RF"] = life.RandomForestRegressor(6, max_depth=3, random_state=0)
    monkeypatch.setattr(life, "LEARNERS", small)
    monkeypatch.setattr(life, "ITERATIONS", 5)
    monkeypatch.setattr(life, "DRAWINGS", 2)
    return small


@pytest.mark.long
def test_trees_learn_from_ranges_too(life, who, few):
    for learner in ("GB", "RF"):
        assert life.cell(learner, "M2", *who, 1).mean(axis=0)[0] > 0.2


@pytest.mark.long
def test_the_script_prints_both_tables(life, few, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(life, "ITERATIONS", 1)
    monkeypatch.setattr(sys, "argv", ["life_expectancy.py", str(invented(tmp_path / "who.csv"))])
    life.main()
    told = capsys.readouterr().out
    assert told.startswith("Table I: coverage 0.6")
    rows = [line for line in told.splitlines() if line.startswith(("| LR,", "| GB,", "| RF,"))]
    assert len(rows) == len(ROWS)
    assert all(len(row.strip("| ").split(" | ")) == 1 + len(life.MECHANISMS) for row in rows)
    assert "R² of LR over 2 drawings of the cuts: M1 0." in told
    assert "rows shuffled: LR 0." in told


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['learner']}, {row['of']}")
def test_the_verdict_is_that_of_the_script(row, life):
    same = [
        life.agrees(row["ours"][at], row["our_se"][at], row["theirs"][to], row["their_se"][to])
        for at, to in enumerate(life.PRINTED)
    ]
    verdict = "reproduced" if all(same) else "partly reproduced" if any(same) else "not reproduced"
    assert row["verdict"] == verdict


def test_a_wrong_figure_is_told_apart(life):
    assert not life.agrees(0.85, 0.01, 0.75, 0.01)
    assert life.agrees(0.77, 0.01, 0.75, 0.01)


def test_the_page_shows_this_table(life):
    for row in ROWS:
        assert life.line(row, row["ours"], row["our_se"]) in PAGE.splitlines()


def test_the_page_shows_the_coverage_that_is_found(life, seen):
    (line,) = [one for one in PAGE.splitlines() if one.startswith("| coverage | 0.00 |")]
    shown = [float(cell) for cell in line.strip("| ").split(" | ")[2:]]
    found = [life.covered(name, *seen) for name in life.MECHANISMS[1:]]
    assert shown == pytest.approx(found, abs=0.002)


def test_what_is_filled_in_is_the_mean_of_the_noise(lines):
    ends = np.array([[-np.inf, 0.3], [0.3, np.inf], [-1, 2], [1.5, 1.75], [-9, -7.5], [5, np.inf]])
    told = [truncnorm.mean(*pair) for pair in ends]
    assert lines.hidden(*ends.T) == pytest.approx(told, rel=1e-6)
    assert lines.hidden(np.array([-np.inf]), np.array([-40.0])) == pytest.approx(
        [-np.sqrt(2 / np.pi) / erfcx(40 / np.sqrt(2))]
    )


def test_the_line_ends_where_the_library_does(lines):
    asked = lines.ask(2, np.random.default_rng(7), spread=1.0)
    ends = lines.slopes(asked, 400)[-1]
    assert ends == pytest.approx(lines.likeliest(asked), abs=1e-8)
    for x, low, high, slope in zip(asked.x, asked.low, asked.high, ends, strict=True):
        line = lines.LinearRegression(fit_intercept=False)
        model = IntervalRegressor(line, noise="normal", scale=1.0, max_iter=1000, tol=1e-10)
        fitted = model.fit(x[:, None], ak.Ranges(low, high)).estimator_.coef_[0]
        assert fitted == pytest.approx(slope, abs=1e-6)


@pytest.mark.long
def test_the_long_run_is_that_of_many_surveys(lines):
    for noise in (norm(), t(3)):
        ends = lines.likeliest(lines.ask(400, np.random.default_rng(8), spread=3.0, noise=noise))
        slope, lost = lines.in_the_long_run(3.0, noise)
        assert ends.mean() == pytest.approx(slope, abs=0.05)
        assert ((ends - 1) ** 2).mean() == pytest.approx(lost, rel=0.35)


@pytest.mark.long
def test_the_figures_are_drawn(lines, tmp_path, monkeypatch, capsys):
    words = ["regression_figures.py", "--share", "0.03", "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", words)
    lines.main()
    assert "| degrees of freedom |" in capsys.readouterr().out
    for folder in (tmp_path, FOLDER):
        for number in (10, 11, 12, 13):
            drawn = (folder / f"figure-{number}.svg").read_text(encoding="utf-8")
            assert f"Figure {number}" in drawn
            assert drawn.count("<text") > 10


@pytest.mark.long
def test_the_page_shows_what_the_figures_say(lines):
    """Tables of figures 12 and 13: each row on the page, near the long run where they end."""
    first, second = (
        {line.split(" | ")[0][2:]: line.split(" | ") for line in part.splitlines() if "±" in line}
        for part in PAGE.split("Figure 12, 50 surveys")[1].split("Figure 13, 200 surveys")
    )
    for spread in lines.SPREADS[:6]:
        cells = first[f"{spread:g}"]
        assert float(cells[1]) == pytest.approx(lines.coverage(1, spread), abs=6e-4)
        shown, se = (float(cell) for cell in cells[3].strip(" |").split(" ± "))
        assert abs(shown - lines.in_the_long_run(spread)[1]) < 5 * se
    for df in (1000, 100, 10, 5, 3):
        shown, se = (float(cell) for cell in second[f"{df:,}"][2].split(" ± "))
        assert abs(shown - lines.in_the_long_run(noise=t(df))[1]) < 5 * se
