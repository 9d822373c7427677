"""Ding and Ding (2022) on learning: the experiments run on few data.

The WHO's table is no part of the project: what it adds up to stands in tests/oracles, and the
script reads an invented table of the same shape.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import erfcx
from scipy.stats import logistic, norm, t, truncnorm

import askance as ak
from askance.learn import IntervalRegressor

ROOT = Path(__file__).parents[2]
ORACLE = json.loads((ROOT / "tests/oracles/life_expectancy.json").read_text(encoding="ascii"))[
    "life_expectancy"
]


@pytest.fixture(scope="module")
def life(script):
    return script("ding-ding", "life_expectancy")


@pytest.fixture(scope="module")
def lines(script):
    return script("ding-ding", "regression_figures")


@pytest.fixture(scope="module")
def exhibits(remaking):
    return {item.number: item for item in remaking.Paper.read("ding-ding").shown}


def test_the_oracle_agrees_with_itself():
    counts = ORACLE["by_whole_years"]
    n = sum(counts.values())
    assert n == ORACLE["known"] == ORACLE["rows"] - 10
    mean = sum((int(year) + 0.4) * count for year, count in counts.items()) / n
    assert mean == pytest.approx(ORACLE["sum"] / n, abs=0.01)
    assert ORACLE["sum_of_squares"] / n - (ORACLE["sum"] / n) ** 2 == pytest.approx(
        9.52**2, rel=1e-3
    )
    for cut, up_to in ORACLE["up_to"].items():
        total = sum(count for year, count in counts.items() if int(year) < int(float(cut)))
        assert total <= up_to <= total + counts[str(int(float(cut)))]


def invented(path, countries=60, years=8):
    """Write a table like the WHO's: rows by country, missing cells, names with stray spaces."""
    rng = np.random.default_rng(4)
    names = [" a1 ", *(f"a{index}" for index in range(2, 19))]
    lines = [",".join(["Country", "Year", "Status", "Life expectancy ", *names])]
    for country in range(countries):
        base = rng.normal(size=18)
        for year in range(years):
            x = base + 0.3 * rng.normal(size=18)
            y = f"{70 + 8 * x[0] - 4 * x[1] + 2 * rng.normal():.1f}" if year or country else ""
            cells = [f"{item:.3f}" if rng.random() > 0.05 else "" for item in x]
            status = "Developed" if base[0] > 1 else "Developing"
            lines.append(",".join([f"C{country}", str(2000 + year), status, y, *cells]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def who(life, tmp_path_factory):
    return life.table(invented(tmp_path_factory.mktemp("who") / "invented.csv"))


def test_the_table_is_read_whole(who):
    X, y = who
    assert X.shape == (479, ORACLE["covariates"])
    assert np.isnan(X).any()
    assert not np.isnan(y).any()
    assert set(X[:, 1]) == {0.0, 1.0}


def test_every_number_lies_in_its_range_and_m1_tells_the_middle(life):
    rng = np.random.default_rng(3)
    z = rng.standard_normal(500)
    for name in (*life.CUTS, *life.HALVES):
        cut = life.cuts(name, len(z), rng)
        result = life.censor(name, z, cut)
        assert np.all((result.lower < z) & (z <= result.upper))
        between = (cut[:, 0] < z) & (z <= cut[:, -1])
        number = result.upper - result.lower < 1e-9
        assert np.array_equal(number, between if name in life.HALVES else np.zeros(500, bool))


def test_the_coverage_is_that_of_reports(life):
    """By many cuts: the share of the numbers that each report leaves possible, A left out."""
    rng = np.random.default_rng(6)
    z = life.standard(rng.gamma(3, size=200))
    for name in (*life.CUTS, *life.HALVES):
        cut = life.cuts(name, 40_000, rng)
        share = np.searchsorted(np.sort(z), cut, side="right") / len(z)
        differences = np.diff(share, axis=1, prepend=0, append=1)
        if name in life.HALVES:
            differences[:, 1] = 0
        assert life.covered(name, z) == pytest.approx(
            (differences**2).sum(axis=1).mean(), abs=0.006
        )


def test_the_coverage_is_the_librarys(life):
    z = norm.ppf((np.arange(2000) + 0.5) / 2000)
    for name, (spread, number) in life.CUTS.items():
        cuts = ak.channels.CutLaw(logistic(0, spread), number=number)
        assert life.covered(name, z) == pytest.approx(
            ak.privacy.coverage(cuts, norm()).value, abs=1e-3
        )


@pytest.mark.long
def test_lines_learn_nearly_as_much_from_ranges_as_from_numbers(life, who):
    created = {
        name: life.cell("LR", name, *who, 1).mean(axis=0)[0] for name in ("oracle", "M1", "M2")
    }
    assert created["oracle"] > 0.8
    assert created["M1"] > created["oracle"] - 0.05
    assert created["M2"] > created["oracle"] - 0.2


@pytest.fixture
def few(life, monkeypatch):
    small = {"LR": life.LEARNERS["LR"]}
    small["GB"] = life.GradientBoostingRegressor(n_estimators=15, random_state=0)
    small["RF"] = life.RandomForestRegressor(6, max_depth=3, random_state=0)
    monkeypatch.setattr(life, "LEARNERS", small)
    monkeypatch.setattr(life, "ITERATIONS", 5)
    return small


@pytest.mark.long
def test_trees_learn_from_ranges_too(life, who, few):
    for learner in ("GB", "RF"):
        assert life.cell(learner, "M2", *who, 1).mean(axis=0)[0] > 0.2


@pytest.mark.long
def test_the_script_makes_every_row(life, few, run, exhibits, tmp_path, monkeypatch):
    monkeypatch.setattr(life, "ITERATIONS", 1)
    data = invented(tmp_path / "who.csv")
    for number in ("Table I", "Table IV", "Other drawings", "Shuffled rows"):
        result = {}
        for function in exhibits[number].made:
            result |= run("ding-ding", function, number, data=data)[0]
            if number != "Table I":
                assert run("ding-ding", function, number)[0] == {}, "no file, no rows"
        assert set(result) == {row.label for row in exhibits[number].row}
        assert all(len(ours) == len(exhibits[number].columns) for ours, _ in result.values())


def test_a_wrong_figure_is_told_apart(exhibits):
    """The rule of Table IV: two standard errors of both, and rounding."""
    table = exhibits["Table IV"]
    row = next(item for item in table.row if item.label == "LR, R²")
    assert table.judged(row, row.theirs[:2] + row.theirs[1:], [0.0] * 5) == "reproduced"
    assert table.judged(row, [0.95, *row.ours[1:]], [0.01, *row.our_se[1:]]) == "differs"


def test_what_is_filled_in_is_the_mean_of_the_noise(lines):
    ends = np.array([[-np.inf, 0.3], [0.3, np.inf], [-1, 2], [1.5, 1.75], [-9, -7.5], [5, np.inf]])
    averages = [truncnorm.mean(*pair) for pair in ends]
    assert lines.hidden(*ends.T) == pytest.approx(averages, rel=1e-6)
    assert lines.hidden(np.array([-np.inf]), np.array([-40.0])) == pytest.approx(
        [-np.sqrt(2 / np.pi) / erfcx(40 / np.sqrt(2))]
    )


def test_the_line_ends_where_the_library_does(lines):
    questions = lines.ask(2, np.random.default_rng(7), spread=1.0)
    ends = lines.slopes(questions, 400)[-1]
    assert ends == pytest.approx(lines.likeliest(questions), abs=1e-8)
    for x, low, high, slope in zip(questions.x, questions.low, questions.high, ends, strict=True):
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
@pytest.mark.parametrize("number", ["Figure 10", "Figure 11", "Figure 12", "Figure 13"])
def test_the_figure_is_drawn_and_tells_its_rows(run, lines, exhibits, number, monkeypatch):
    monkeypatch.setattr(lines, "TREES", 3)
    function = f"regression_figures:{number.lower().replace(' ', '_')}"
    output, printed = run("ding-ding", function, number)
    assert printed.count("<text") > 10
    assert set(output) == {row.label for row in exhibits[number].row}


@pytest.mark.long
def test_the_claims_file_has_what_the_figures_say(lines, exhibits):
    """Rows of figures 12 and 13: each near the long run where they end."""
    for spread, row in zip(lines.SPREADS[:6], exhibits["Figure 12"].row, strict=False):
        assert row.ours[0] == pytest.approx(lines.coverage(1, spread), abs=6e-5)
        assert abs(row.ours[2] - lines.in_the_long_run(spread)[1]) < 5 * row.our_se[2]
    for df, row in zip((1000, 100, 10, 5, 3), exhibits["Figure 13"].row, strict=False):
        assert abs(row.ours[1] - lines.in_the_long_run(noise=t(df))[1]) < 5 * row.our_se[1]
