"""How wide intervals will be, before a report is sent."""

import pytest

from askance import Channel, Cuts, Frame, Line
from askance.design import half_width, line_half_width

TEN = Line(0, 10, 1)
NOISY = Channel(Frame(["a", "b"]), {"a": ["a"], "b": ["b"]}, [[0.7, 0.3], [0.3, 0.7]])


@pytest.mark.parametrize("n", [0, -3, float("nan")])
def test_precision_needs_reports(n):
    with pytest.raises(ValueError, match="number of reports"):
        half_width(NOISY, n)
    with pytest.raises(ValueError, match="number of reports"):
        line_half_width(Cuts().channel(TEN), n)


def test_precision_falls_with_the_root_of_n_until_the_steps_show():
    assert half_width(NOISY, 100) == pytest.approx(10 * half_width(NOISY, 10_000))
    assert line_half_width(Cuts().channel(TEN), 10**12) == pytest.approx(0.5, abs=1e-3)
    coarse = Cuts(between=[5, 5]).channel(TEN)
    assert line_half_width(coarse, 10**12) == pytest.approx(2.5, abs=1e-3)
