"""Trade-off curves: reading, comparing, crossing, drawing, and what is refused."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.errors import InputError
from askance.privacy.tradeoffs.curve import Curve

F = Fraction


@st.composite
def curves(draw):
    """An exact curve from (0, ≤ 1) to (1, ≥ 0) with up to five knots between."""
    inner = draw(st.lists(st.integers(1, 59), unique=True, max_size=5).map(sorted))
    alphas = [0, *inner, 60]
    betas = draw(st.lists(st.integers(0, 40), min_size=len(alphas), max_size=len(alphas)))
    betas.sort(reverse=True)
    return Curve([(F(a, 60), F(b, 40)) for a, b in zip(alphas, betas, strict=True)])


GRID = [F(at, 120) for at in range(121)]
DOUBLES = np.array(GRID, dtype=float)


@given(curves(), curves())
def test_comparisons_agree_with_reading_everywhere(one, two):
    low, high = one.minimum(two), one.maximum(two)
    for alpha in GRID:
        pair = one.exactly(alpha), two.exactly(alpha)
        assert (low.exactly(alpha), high.exactly(alpha)) == (min(pair), max(pair))
    assert one.at_least(low)
    assert two.at_least(low)
    assert high.at_least(one)
    assert one.at_least(two) == (low == two)


@given(curves())
def test_the_hull_is_the_greatest_convex_curve_below(curve):
    hull = curve.hull()
    assert curve.at_least(hull)
    slopes = [(b1 - b0) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(hull.exact)]
    assert slopes == sorted(slopes)
    assert set(hull.exact) <= set(curve.exact)
    assert curve.convex == (hull == curve)
    assert hull.advantage == max(curve.advantage, hull.advantage)


@given(curves())
def test_doubles_and_fractions_read_alike(curve):
    rounded = Curve(curve.knots)
    assert rounded.exact is None
    assert np.array_equal(rounded.beta(DOUBLES), curve.beta(DOUBLES))
    assert abs(rounded.exactly("1/3") - curve.exactly("1/3")) < 1e-15
    assert float(curve.advantage) == pytest.approx(rounded.advantage, abs=1e-15)
    back = curve.to_dict()
    assert Curve([(F(a), F(b)) for a, b in back["exact"]]) == curve
    assert rounded.to_dict()["exact"] is None


def test_equal_curves_are_equal_in_kind():
    steps, doubles = [(0, 1), (F(1, 4), F(1, 2)), (1, 0)], [(0, 1), (0.25, 0.5), (1, 0)]
    assert Curve(steps) == Curve(steps) != Curve(doubles) == Curve(doubles)
    assert Curve(doubles) != Curve([(0, 1), (0.25, 0.25), (1, 0)])
    assert hash(Curve(doubles)) == hash(Curve(doubles))
    assert Curve(steps) != steps


def test_needless_knots_are_dropped_where_exact():
    assert Curve([(0, 1), (F(1, 3), F(2, 3)), (1, 0)]) == Curve([(0, 1), (1, 0)])


def test_curves_that_cross_are_lowest_piece_by_piece():
    one, two = Curve([(0, 1), (1, 0)]), Curve([(0, F(1, 2)), (1, F(1, 2))])
    assert one.minimum(two).exact == ((0, F(1, 2)), (F(1, 2), F(1, 2)), (1, 0))
    assert not one.minimum(two).convex
    assert one.minimum(Curve(two.knots)).exact is None
    assert one.minimum(Curve(two.knots)).beta([0.25, 0.75]).tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    "knots",
    [
        [(0, 1)],
        [(0, 1), (0.5, 0)],
        [(0, 1), (2, -1), (1, 0)],
        [(0, 1), (0, 0.5), (1, 0)],
        [(0, 0), (1, 1)],
        [(0, 1.5), (1, 0)],
        [(0, float("nan")), (1, 0)],
        [(0, 1, 2), (1, 0)],
        [(0.1, 1), (1, 0)],
        [(0, 1), (0.5, 0.2), (1, 0.4)],
        [],
        np.zeros(3),
        np.zeros((1, 2)),
        np.array([[0, 1, 0], [1, 0, 0]]),
    ],
)
def test_what_is_no_curve_is_refused(knots):
    with pytest.raises(InputError, match=r"Curve\.knots: got .*; allowed: two or more pairs"):
        Curve(knots)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan"), [0.5, 2]])
def test_only_chances_are_read(alpha):
    with pytest.raises(InputError, match="chances in"):
        Curve([(0, 1), (1, 0)]).beta(alpha)


def test_a_curve_is_shown(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    curve = Curve([(0, 1), (F(1, 4), F(1, 4)), (1, 0)])
    assert repr(curve).splitlines()[-1] == "advantage 0.5"
    assert ">0.25</td>" in curve._repr_html_()
    assert len(repr(Curve(np.linspace([0, 1], [1, 0], 100))).splitlines()) < 30
    ax = curve.plot()
    assert ax.lines[1].get_xydata().tolist() == curve.knots.tolist()
    assert curve.plot(ax) is ax
