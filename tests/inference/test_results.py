"""What a result object promises: read-only arrays, JSON, tables and figures."""

import builtins
import json

import matplotlib as mpl
import numpy as np
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot

from askance.channels import Channel, Frame, RangeChannel, Ranges, Tally
from askance.design import compare_mechanisms, compare_oracles
from askance.inference import (
    DomainEstimates,
    ItemCounts,
    LineDomains,
    Scrambling,
    estimate,
    estimate_line,
    item_count,
    npmle,
    quantile_intervals,
    scrambled_mean,
)
from askance.mechanisms import Warner
from askance_collect.errors import InputError, MissingExtra
from askance_collect.exact import Line

mpl.use("Agg")

NAMES = ["ja, häufig", "nie 😀", "<b>manchmal</b>"]


@pytest.fixture
def shares():
    q = Channel(Frame(NAMES), {name: [name] for name in NAMES}, np.eye(3) * 0.4 + 0.2)
    return estimate(Tally(q, {NAMES[0]: 50, NAMES[1]: 30, NAMES[2]: 20}))


@pytest.fixture
def number():
    channel = RangeChannel(Line(0, 5, "1/2", "Jahre"), [1] * 9)
    cells = [[0, 3], [3, 10], [0, 6], [6, 10]]
    return estimate_line(channel, channel.ranges(cells, [10, 25, 30, 12]))


@pytest.fixture
def fit():
    return npmle(Ranges([-np.inf, 1, 2], [2, np.inf, 3], counts=[3, 4, 2]))


@pytest.fixture(params=["shares", "number", "fit"])
def result(request):
    return request.getfixturevalue(request.param)


def test_nothing_inside_can_be_changed(result):
    for name in result.__slots__:
        if isinstance(getattr(result, name), np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                getattr(result, name)[...] = 0
        with pytest.raises(AttributeError):
            setattr(result, name, "another")


def test_quantiles_cannot_be_changed(number):
    with pytest.raises(TypeError, match="does not support item assignment"):
        number.quantiles[0.5] = (0, 1, 2)


def test_it_is_json_without_surprises(result):
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert written["method"] == result.method
    assert written["message"] == result.convergence.value


def test_it_reads_as_a_table(result):
    lines = repr(result).splitlines()
    assert len(lines) > 3
    assert all(line == line.rstrip() for line in lines)
    assert "<table>" in result._repr_html_()


def test_labels_are_escaped_in_html_and_kept_in_text(shares):
    assert "<b>" not in shares._repr_html_()
    assert "&lt;b&gt;" in shares._repr_html_()
    assert all(name in repr(shares) for name in NAMES)
    assert shares.to_dict()["labels"] == NAMES


def test_it_draws_itself(result):
    from matplotlib import pyplot

    try:
        ax = result.plot()
        assert ax.get_children()
        assert result.plot(ax) is ax
    finally:
        pyplot.close("all")


def test_the_coverage_histogram_holds_every_report(number):
    from matplotlib import pyplot

    try:
        ax = number.plot_coverage()
        assert sum(bar.get_height() for bar in ax.patches) == number.reports
    finally:
        pyplot.close("all")


def test_without_matplotlib_it_says_what_to_install(result, monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"askance\[plot\]"):
        result.plot()


def test_long_distributions_are_cut_in_the_middle():
    ends = np.arange(101.0)
    long = npmle(Ranges(ends[:-1], ends[1:]))
    assert len(repr(long).splitlines()) == 27
    assert "…" in repr(long)


def test_the_cdf_is_known_at_ends_and_bounded_inside(fit):
    low, high = fit.cdf_bounds([0, 1, 1.5, 2, 2.5, 3, 9])
    assert np.all(low <= high)
    inside = fit.cdf([0, 1, 1.5, 2, 2.5, 3, 9])
    assert np.all((low <= inside) & (inside <= high))
    assert np.all(np.diff(inside) >= 0)


def test_quantiles_are_the_interval_that_crosses(fit):
    upto = np.cumsum(fit.mass)
    for share in (0.01, upto[0] - 1e-6, upto[0] + 1e-6, 1.0):
        index = int(np.argmax(upto >= share * (1 - 1e-12)))
        assert fit.quantile(share) == (fit.lower[index], fit.upper[index])
    for share in (0, 1.1, float("nan")):
        with pytest.raises(InputError, match=r"quantile|^share: got nan"):
            fit.quantile(share)


def test_a_fit_is_a_data_frame_with_exact_numbers_as_they_were_told():
    frame = npmle(Ranges([1, 2, 4, 4], [1, 3, 4, 4], closed="survival")).to_frame()
    assert list(frame.columns) == ["lower", "upper", "mass", "up to"]
    assert frame["lower"].tolist() == [1, 2, 4]
    assert frame["upper"].tolist() == [1, 3, 4]
    assert frame["up to"].tolist() == pytest.approx([0.25, 0.5, 1])


def test_an_infinite_end_and_a_missing_share_stay_numbers_in_a_data_frame():
    sent = Ranges([-np.inf, 4, 4, 6], [4, np.inf, 6, np.inf], counts=[40, 60, 30, 30])
    ends = quantile_intervals(sent, [0.05, 0.9])
    none = estimate(Tally(Warner(truth="3/4").channel(Frame(["yes", "no"])), {"yes": 0, "no": 0}))
    assert ends.to_dict()["upper"] == [4, None]
    for frame in (ends.to_frame(), ends.to_frame("polars"), pyarrow.table(ends).to_pandas()):
        assert list(frame["lower"]) == [-np.inf, 6]
        assert list(frame["upper"]) == [4, np.inf]
    assert none.to_frame()["value"].dtype == float
    assert none.to_frame()["value"].isna().all()
    assert none.to_frame("polars")["value"].dtype == polars.Float64
    assert none.to_frame("polars")["value"].null_count() == 2
    assert pyarrow.table(none)["value"].type == pyarrow.float64()
    assert pyarrow.table(none)["value"].null_count == 2


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_results_without_a_row_are_tables_and_figures_without_one(backend):
    domains = DomainEstimates(by=("town",), groups=(), reports=(), estimates=(), minimum=3)
    numbers = LineDomains(by=("town",), groups=(), reports=(), estimates=(), minimum=3)
    for result in (domains, numbers):
        frame = result.to_frame(backend)
        assert frame.shape[0] == 0
        names = frame.column_names if backend == "pyarrow" else list(frame.columns)
        assert names[0] == "town"
        assert pyarrow.table(result).num_rows == 0
        assert result.plot_data(backend).shape[0] == 0
        assert result.plot().get_xlabel()
    pyplot.close("all")


def framed(fit):
    """A result of each room and each sample that is told as a data frame."""
    counts = ItemCounts([8, 132, 222, 227], {"neighbours": [19, 123, 229, 219, 34]})
    scrambled = scrambled_mean([2.0, 9.0, 4.0], Scrambling.pollock_bek(added=(1, 1)))
    mechanisms = compare_mechanisms(epsilon=1)
    oracles = compare_oracles(answers=3, people=99, epsilon=1)
    return fit, counts, item_count(counts), scrambled, mechanisms, oracles


def test_a_frame_needs_pandas(fit, monkeypatch):
    results = framed(fit)
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "pandas":
            raise ModuleNotFoundError(name=name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    for item in results:
        with pytest.raises(MissingExtra, match=r"askance\[learn\]"):
            item.to_frame()


def test_quantiles_of_exact_numbers_are_those_numbers():
    fit = npmle(Ranges([14, 15, 16, 17], [14, 15, 16, 17], closed="both"))
    assert [fit.quantile(share) for share in (0.2, 0.75, 1)] == [(14, 14), (16, 16), (17, 17)]


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_curve_is_inverted_and_turned_over(seed):
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 8, 20) * 1.0
    high = np.where(rng.random(20) < 0.2, np.inf, low + rng.integers(0, 4, 20))
    fit = npmle(Ranges(np.where(rng.random(20) < 0.2, -np.inf, low), high + 0.5))
    grid, share = np.linspace(-1, 12, 40), np.linspace(0, 1, 33)
    assert fit.sf(grid) == pytest.approx(1 - fit.cdf(grid))
    number = fit.ppf(share)
    finite = np.isfinite(number)
    assert np.all(fit.cdf(number[finite]) >= share[finite] - 1e-9)
    below = np.nextafter(number[finite], -np.inf)
    assert np.all(fit.cdf(below - 1e-9) <= share[finite] + 1e-6)
    assert np.all(np.diff(number[finite]) >= 0)
    assert np.isnan(fit.ppf([-0.1, 1.1])).all()
    with pytest.raises(InputError, match=r"ppf\.share\[1\]: got 'nothing'"):
        fit.ppf([0.5, np.nan])


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_the_log_likelihood_is_the_largest_of_all_and_of_the_ranges_one_by_one(seed):
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 8, 12) * 1.0
    ranges = Ranges(low, low + rng.integers(1, 5, 12), rng.integers(1, 4, 12))
    fit = npmle(ranges)
    chance = [
        fit.mass[(fit.lower >= low) & (fit.upper <= high)].sum()
        for low, high in zip(ranges.lower, ranges.upper, strict=True)
    ]
    likelihood = fit.log_likelihood(ranges)
    assert likelihood == pytest.approx(ranges.weights @ np.log(chance))
    other = npmle(Ranges(low, low + 1.5))
    assert other.log_likelihood(ranges) <= likelihood + 1e-6
    assert fit.log_likelihood(Ranges([-5], [-4])) == -np.inf
