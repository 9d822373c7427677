"""Trade-off functions: reading, comparing, crossing, drawing, and what is refused."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Frame, Warner
from askance.privacy import (
    Ledger,
    PrivacyLossDistribution,
    TradeoffFunction,
    error_ceiling,
    error_floor,
)
from askance_collect.errors import InputError

F = Fraction


@st.composite
def curves(draw):
    """An exact curve from (0, ≤ 1) to (1, ≥ 0) with up to five knots between."""
    inner = draw(st.lists(st.integers(1, 59), unique=True, max_size=5).map(sorted))
    alphas = [0, *inner, 60]
    betas = draw(st.lists(st.integers(0, 40), min_size=len(alphas), max_size=len(alphas)))
    betas.sort(reverse=True)
    return TradeoffFunction([(F(a, 60), F(b, 40)) for a, b in zip(alphas, betas, strict=True)])


GRID = [F(index, 120) for index in range(121)]
DOUBLES = np.array(GRID, dtype=float)


@pytest.mark.long
@given(curves(), curves())
def test_comparisons_agree_with_reading_everywhere(one, two):
    low, high = one.minimum(two), one.maximum(two)
    for alpha in GRID:
        pair = one.exact_beta(alpha), two.exact_beta(alpha)
        assert (low.exact_beta(alpha), high.exact_beta(alpha)) == (min(pair), max(pair))
    assert one.is_at_least_as_strong(low)
    assert two.is_at_least_as_strong(low)
    assert high.is_at_least_as_strong(one)
    assert one.is_at_least_as_strong(two) == (low == two)


@given(curves())
def test_the_hull_is_the_greatest_convex_curve_below(curve):
    hull = curve.hull()
    assert curve.is_at_least_as_strong(hull)
    slopes = [(b1 - b0) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(hull.exact)]
    assert slopes == sorted(slopes)
    assert set(hull.exact) <= set(curve.exact)
    assert curve.convex == (hull == curve)
    assert hull.advantage == max(curve.advantage, hull.advantage)


@given(curves())
def test_doubles_and_fractions_read_alike(curve):
    rounded = TradeoffFunction(curve.knots)
    assert rounded.exact is None
    assert np.array_equal(rounded.beta(DOUBLES), curve.beta(DOUBLES))
    assert abs(rounded.exact_beta("1/3") - curve.exact_beta("1/3")) < 1e-15
    assert float(curve.advantage) == pytest.approx(rounded.advantage, abs=1e-15)
    back = curve.to_dict()
    assert TradeoffFunction([(F(a), F(b)) for a, b in back["exact"]]) == curve
    assert rounded.to_dict()["exact"] is None


def test_equal_curves_are_equal_in_kind():
    steps, doubles = [(0, 1), (F(1, 4), F(1, 2)), (1, 0)], [(0, 1), (0.25, 0.5), (1, 0)]
    assert (
        TradeoffFunction(steps)
        == TradeoffFunction(steps)
        != TradeoffFunction(doubles)
        == TradeoffFunction(doubles)
    )
    assert TradeoffFunction(doubles) != TradeoffFunction([(0, 1), (0.25, 0.25), (1, 0)])
    assert hash(TradeoffFunction(doubles)) == hash(TradeoffFunction(doubles))
    assert TradeoffFunction(steps) != steps


def test_needless_knots_are_dropped_where_exact():
    assert TradeoffFunction([(0, 1), (F(1, 3), F(2, 3)), (1, 0)]) == TradeoffFunction(
        [(0, 1), (1, 0)]
    )


def test_curves_that_cross_are_lowest_piece_by_piece():
    function, two = (
        TradeoffFunction([(0, 1), (1, 0)]),
        TradeoffFunction([(0, F(1, 2)), (1, F(1, 2))]),
    )
    assert function.minimum(two).exact == ((0, F(1, 2)), (F(1, 2), F(1, 2)), (1, 0))
    assert not function.minimum(two).convex
    assert function.minimum(TradeoffFunction(two.knots)).exact is None
    assert function.minimum(TradeoffFunction(two.knots)).beta([0.25, 0.75]).tolist() == [0.5, 0.25]


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
    with pytest.raises(
        InputError, match=r"TradeoffFunction\.knots: got .*; allowed: two or more pairs"
    ):
        TradeoffFunction(knots)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan"), [0.5, 2]])
def test_only_chances_are_read(alpha):
    with pytest.raises(InputError, match="chances in"):
        TradeoffFunction([(0, 1), (1, 0)]).beta(alpha)


TINY = 10.0 ** -np.arange(1, 300, 13)
NEAR = 1 - 10.0 ** -np.arange(1, 16)
SPREAD = np.sort(np.r_[0.0, TINY, np.linspace(0.02, 0.98, 49), NEAR, 1.0])
ALPHAS = np.r_[0.0, 2.0 ** -np.arange(53.0, 1, -1), 0.5, 1 - 2.0 ** -np.arange(2.0, 54), 1.0]


def holds_together(floor):
    """Knots ascend, the floor is convex and below guessing, turned twice it is the same."""
    ceiling = floor.reflected()
    for curve in (floor, ceiling):
        assert (np.diff(curve.knots[:, 0]) > 0).all()
        assert (np.diff(curve.knots[:, 1]) <= 0).all()
        assert curve.beta(curve.knots[:, 0]) == pytest.approx(curve.knots[:, 1], rel=1e-12)
    assert ceiling.reflected() == floor
    assert floor.convex
    assert not ceiling.convex
    assert floor.hull().convex
    below = floor.beta(SPREAD)
    assert ((below >= 0) & (below <= 1 - SPREAD + 2e-16)).all()
    assert (np.diff(below) <= 0).all()
    assert ceiling.beta(1 - ALPHAS) == pytest.approx(1 - floor.beta(ALPHAS), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, 2, 12, 200, 3000])
@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1, 36, 37, 40, 100, 700, 746, 800, 10_000])
def test_bounds_hold_together_for_losses_and_reports_of_any_size(epsilon, times):
    if times == 12 and epsilon == 10_000:
        times = 1  # a hundred thousand digits
    holds_together(error_floor(epsilon, times))
    assert error_ceiling(epsilon, times).reflected() == error_floor(epsilon, times)


@pytest.mark.parametrize("truth", ["3/4", "999999/1000000", F(1, 2) + F(1, 10**4)])
@pytest.mark.parametrize("times", [1, 50, 200, 5000])
def test_curves_of_many_reports_hold_together(truth, times):
    ledger = Ledger().spend(Warner(truth=truth).channel(Frame(["yes", "no"])), times)
    curve = ledger.tradeoff()
    holds_together(curve)
    assert curve.exact is None
    assert 0 <= ledger.gaussian().distance < 1


@pytest.mark.parametrize("times", [1, 50, 200, pytest.param(1000, marks=pytest.mark.long), 10_000])
def test_curves_in_doubles_compare_to_rounding(times):
    """Warner's replies attain the floor; "don't know" stays above it, a larger loss goes below."""
    warner, vague, worse = (
        Ledger().spend(item.channel(Frame(["yes", "no"])), times).tradeoff()
        for item in (
            Warner(truth="3/4"),
            Abstain(truth="3/5", lie="1/5"),
            Warner(truth=F(3, 4) + F(1, 10**6)),
        )
    )
    floor = error_floor(ratio=3, times=times)
    assert warner.is_at_least_as_strong(floor)
    assert floor.is_at_least_as_strong(warner)
    assert vague.is_at_least_as_strong(floor)
    assert floor.reflected().is_at_least_as_strong(warner.reflected())
    assert not floor.is_at_least_as_strong(floor.reflected())
    for low in (warner, floor):
        assert low.is_at_least_as_strong(worse)
        assert worse.reflected().is_at_least_as_strong(low.reflected())
        if times <= 1000:  # beyond, all of them find all but one in 10¹⁴⁰
            assert not low.is_at_least_as_strong(vague)
            assert not worse.is_at_least_as_strong(low)
            assert not low.reflected().is_at_least_as_strong(worse.reflected())


def test_curves_compare_where_beta_is_next_to_one():
    """Both miss all but a few in 10³⁰; the one that finds three parts lies below."""
    losses, first = [1.0, 0.0], [1e-30, 1.0]
    two, three = (
        PrivacyLossDistribution(losses, first, [number, 1.0]).tradeoff()
        for number in (2e-30, 3e-30)
    )
    assert two.beta(1e-30) == three.beta(1e-30) == 1
    assert two.is_at_least_as_strong(three)
    assert not three.is_at_least_as_strong(two)
    assert three.reflected().is_at_least_as_strong(two.reflected())
    assert not two.reflected().is_at_least_as_strong(three.reflected())


def test_chances_beside_which_one_is_one_are_told_exactly():
    """Three ways to the curve of 200 replies, against fractions of 400 digits."""
    truth = error_floor(ratio=3, times=200)
    yes_no = Frame(["yes", "no"])
    ways = (
        error_floor(ratio=3 + F(1, 10**40), times=200),
        Ledger().spend(Warner(truth="3/4").channel(yes_no), 200).tradeoff(),
    )
    assert truth.exact is not None
    assert [curve.exact for curve in ways] == [None, None]
    for alpha in (1e-70, 1e-40, 1e-20, 1e-9, 0.3, 1 - 2.0**-40):
        exact = truth.exact_beta(alpha)
        assert truth.beta(alpha) == pytest.approx(float(exact), rel=1e-14)
        for curve in ways:
            assert curve.beta(alpha) == pytest.approx(float(exact), rel=1e-10)
            assert float(1 - curve.exact_beta(alpha)) == pytest.approx(float(1 - exact), rel=1e-10)
            turned = curve.reflected().exact_beta(1 - F(alpha))
            assert float(turned) == pytest.approx(float(1 - exact), rel=1e-10)


def test_a_ceiling_of_enormous_slope_stays_high():
    """The last knot before α = 1 lies between two doubles, so all below it read high."""
    ceiling, ratio = error_ceiling(ratio=10**17), F(10**17)
    assert ceiling.exact[1] == (ratio / (1 + ratio), ratio / (1 + ratio))
    assert ceiling.knots.tolist() == error_ceiling(40).knots.tolist()
    assert ceiling.knots.tolist() == [[0, 1], [1 - 2.0**-53, 1], [1, 0]]
    assert ceiling.beta([0.5, NEAR[-1], 1]).tolist() == [1, 1, 0]
    assert error_floor(800).knots.tolist() == [[0, 1], [5e-324, 0], [1, 0]]
    assert error_floor(800).beta([0, 1e-300]).tolist() == [1, 0]


@pytest.mark.parametrize("off", [-1e-14, -(2.0**-51), 2.0**-52, 2.0**-51, 1e-14])
@pytest.mark.parametrize("telling", [0, 1e-9, 0.25])
def test_no_rounding_of_a_law_lifts_its_curve_above_guessing(telling, off):
    """Chances that sum to a little more or less than 1; a twin's, by 10⁻⁶, is a curve above."""
    first, second = np.full(4, 0.25), np.array([0.25 + telling / 2, 0.25, 0.25, 0.25 - telling / 2])
    curve = PrivacyLossDistribution([0.4, 0.1, 0, -0.4], first, second * (1 + off)).tradeoff()
    for alpha in (SPREAD, ALPHAS, curve.knots[:, 0]):
        assert (curve.beta(alpha) <= 1 - alpha).all()
    assert (curve.knots.sum(axis=1) <= 1 + 2.0**-53).all()
    above = TradeoffFunction([(0, 1), (0.5, 0.5 + 1e-6), (1, 0)])
    assert (above.beta(SPREAD[1:-1]) > 1 - SPREAD[1:-1]).any()


def test_rounding_alone_makes_no_curve_concave():
    line = TradeoffFunction([(0.0, 1.0), (0.1, 0.9), (0.2, 0.8), (0.7, 0.3), (1.0, 0.0)])
    assert line.convex
    bent = TradeoffFunction([(0.0, 1.0), (0.1, 0.9), (0.2, 0.8 + 1e-9), (0.7, 0.3), (1.0, 0.0)])
    assert not bent.convex
    assert bent.hull().convex
    assert not TradeoffFunction([(0, F(1)), (1 - F(1, 10**30), F(1)), (1, 0)]).convex


def test_knots_that_doubles_cannot_tell_apart_are_joined():
    first, second = [0, 0, 0.5, 0, 0.5], [1 / 16, 1 / 8, 1 / 8, 1 / 16, 5 / 8]
    tradeoff_result = PrivacyLossDistribution([5, 4, 3, 2, 1], first, second).tradeoff()
    assert tradeoff_result.knots.tolist() == [[0, 1], [5e-324, 13 / 16], [0.5, 10 / 16], [1, 0]]
    near = TradeoffFunction([(0, 1), (F(1, 2), F(3, 4)), (F(1, 2) + F(1, 10**20), F(1, 4)), (1, 0)])
    assert len(near.exact) == 4
    assert len(near.knots) == 3
    crossed = (
        TradeoffFunction(np.array([[0, 1], [1e-20, 0.5], [1, 0]]))
        .reflected()
        .maximum(TradeoffFunction(tradeoff_result.knots))
    )
    assert (np.diff(crossed.knots[:, 0]) > 0).all()
    assert crossed.beta([0, 1 - 1e-12, 1]) == pytest.approx([1, 0.5, 0], abs=1e-9)


def test_a_curve_is_shown(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    curve = TradeoffFunction([(0, 1), (F(1, 4), F(1, 4)), (1, 0)])
    assert repr(curve).splitlines()[-1] == "advantage 0.5"
    assert ">0.25</td>" in curve._repr_html_()
    assert len(repr(TradeoffFunction(np.linspace([0, 1], [1, 0], 100))).splitlines()) < 30
    ax = curve.plot()
    assert ax.lines[1].get_xydata().tolist() == curve.knots.tolist()
    assert curve.plot(ax) is ax
