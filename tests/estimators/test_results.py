"""What a result object promises: read-only arrays, JSON, tables and figures."""

import builtins
import json

import numpy as np
import pytest

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.range_channel import RangeChannel
from askance.channels.ranges import Ranges
from askance.channels.tally import Tally
from askance.errors import InputError, MissingExtra
from askance.estimators.base import estimate
from askance.estimators.line.protected_number import estimate_line
from askance.estimators.ranges.npmle import npmle
from askance.exact.line import Line

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
    return npmle(Ranges([-np.inf, 1, 2], [2, np.inf, 3], weights=[3, 4, 2]))


@pytest.fixture(params=["shares", "number", "fit"])
def result(request):
    return request.getfixturevalue(request.param)


def test_nothing_inside_can_be_changed(result):
    for name in result.__slots__:
        if isinstance(getattr(result, name), np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                getattr(result, name)[...] = 0
    with pytest.raises(AttributeError):
        result.method = "another"


def test_quantiles_cannot_be_changed(number):
    with pytest.raises(TypeError, match="does not support item assignment"):
        number.quantiles[0.5] = (0, 1, 2)


def test_it_is_json_without_surprises(result):
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert written["method"] == result.method
    assert written["message"] == result.outcome.value


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
        at = int(np.argmax(upto >= share * (1 - 1e-12)))
        assert fit.quantile(share) == (fit.lower[at], fit.upper[at])
    for share in (0, 1.1, float("nan")):
        with pytest.raises(InputError, match="quantile"):
            fit.quantile(share)
