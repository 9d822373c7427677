"""Input that is odd or wrong: the right answer, or an error that says what to do."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.channels import InclusionProbability, Ranges
from askance.inference import functional_bounds, moment_bounds, npmle
from askance_collect.errors import InputError

MANY = 1_000_000
DAY = datetime.date(2020, 1, 1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("lower", "upper", "pieces", "result"),
    [
        ([2.0], [5.0], 1, [(2, 5, 1)]),
        ([-np.inf], [5.0], 1, [(-np.inf, 5, 1)]),
        ([5.0], [np.inf], 1, [(5, np.inf, 1)]),
        ([np.nextafter(2, 0)], [2.0], 1, [(np.nextafter(2, 0), 2, 1)]),
        ([-np.inf], [np.inf], 1, [(-np.inf, np.inf, 1)]),
        ([0.0, 4.0], [1.0, 5.0], 2, [(0, 1, 0.5), (4, 5, 0.5)]),
    ],
)
def test_a_million_equal_ranges(lower, upper, pieces, result):
    ranges = Ranges(np.tile(lower, MANY), np.tile(upper, MANY), pieces=np.full(MANY, pieces))
    fit = npmle(ranges)
    assert fit.n == MANY
    assert list(zip(fit.lower, fit.upper, fit.mass, strict=True)) == result
    assert fit.gap <= 1e-10


def test_a_single_observation_of_any_shape_takes_all_mass():
    for ranges in (
        Ranges([3], [7]),
        Ranges([-np.inf], [3]),
        Ranges([3], [np.inf]),
        Ranges([3], [3], closed="both"),
        Ranges([3], [7], [1e-12]),
    ):
        fit = npmle(ranges)
        assert (fit.lower[0], fit.upper[0], fit.mass.tolist()) == (
            ranges.lower[0],
            ranges.upper[0],
            [1],
        )


def test_ranges_that_hold_everything_change_nothing():
    ranges = Ranges([0, 1, 4], [2, 3, 5])
    fit = npmle(ranges)
    vague = npmle(Ranges([0, 1, 4, -np.inf], [2, 3, 5, np.inf], [1, 1, 1, 1e9]))
    assert vague.mass == pytest.approx(fit.mass)
    assert vague.lower.tolist() == fit.lower.tolist()
    assert npmle(Ranges.unions([[(-np.inf, 3), (3, np.inf)]])).mass.tolist() == [1]


def test_exact_numbers_give_the_share_of_each():
    numbers, often = np.unique(np.random.default_rng(1).integers(-3, 9, 500), return_counts=True)
    ranges = Ranges(np.repeat(numbers, often), np.repeat(numbers, often), closed="both")
    fit = npmle(ranges)
    assert fit.upper.tolist() == numbers.tolist()
    assert fit.mass == pytest.approx(often / 500)
    assert npmle(Ranges([0.0, -0.0], [0.0, 0.0], closed="both")).mass.tolist() == [1]


def test_a_curve_through_exact_numbers_is_drawn_far_beyond_them():
    fit = npmle(Ranges([0, 1e-300], [0, 1e-300], closed="both"))
    assert fit.cdf([-1e9, 0, 1, 1e300]).tolist() == [0, 0.5, 1, 1]


@pytest.mark.parametrize("unit", [5e-324, 1e-320, 1e-300, 1e300])
def test_the_unit_of_weights_changes_nothing(unit):
    rng = np.random.default_rng(6)
    lower = rng.integers(0, 9, 16)
    upper = lower + rng.integers(1, 5, 16)
    fit = npmle(Ranges(lower, upper, counts=np.full(16, unit)))
    assert fit.mass == pytest.approx(npmle(Ranges(lower, upper)).mass, abs=1e-9)
    assert fit.n == 16 * unit
    rings = [[(0, 1), (2, 3)], [(1, 3)], [(0, 2)]]
    fit = npmle(Ranges.unions(rings, np.full(3, unit)), inclusion=InclusionProbability([0, 3], [1]))
    assert fit.convergence.name == "CONVERGED"


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12),
    st.sampled_from(["right", "left", "both", "neither", "survival"]),
)
def test_ties_of_every_kind_meet_the_conditions_of_a_maximum(drawn, closed):
    """Ends that tie with ends and with exact numbers, under every convention."""
    ends = np.array([(min(pair), max(pair)) for pair in drawn], dtype=float)
    if closed in ("right", "left", "neither"):
        ends[:, 1] += 1
    ranges = Ranges(ends, closed=closed)
    fit = npmle(ranges)
    places = np.unique(np.concatenate([ranges.lower, ranges.upper]))[1:]
    holds = (ranges.lower[:, None] < places) & (places <= ranges.upper[:, None])
    mass = np.zeros(len(places))
    mass[np.searchsorted(places, fit.upper)] = fit.mass
    slope = (1 / (holds @ mass)) @ holds
    assert slope.max() <= len(ranges) * (1 + 1e-8)


def test_weights_of_zero_are_nobody_and_huge_ones_are_many():
    without = npmle(Ranges([0, 5], [2, 7]))
    assert npmle(Ranges([0, 1, 5], [2, 3, 7], [1, 0, 1])).mass.tolist() == without.mass.tolist()
    heavy = npmle(Ranges([0, 1, -np.inf], [2, 3, 1.5], [1e15, 1, 1e20]))
    assert (heavy.lower[0], heavy.upper[0], heavy.gap <= 1e-10) == (1, 1.5, True)
    npmle_result = npmle(Ranges([0, 1, 5, -np.inf], [2, 3, 7, 6], [1e-12, 1, 1e12, 3]))
    assert npmle_result.mass[0] == pytest.approx(1.25e-12, rel=1e-3)
    with pytest.raises(InputError, match=r"counts from 1e-300 to 1e\+300"):
        npmle(Ranges([0, 1, -np.inf], [2, 3, 1.5], [1e-300, 1, 1e300]))
    with pytest.raises(InputError, match="finite sum"):
        Ranges([0, 1, 5], [2, 3, 7], [1e308, 1e308, 1e308])


def test_both_bounds_of_a_support_are_inside():
    ranges = Ranges([0, 3, np.nan, 10], [0, 5, 2, 10], closed="survival")
    fit = npmle(ranges, (0, 10))
    assert moment_bounds(fit, 1, (0, 10)) == moment_bounds(npmle(ranges), 1, (0, 10))
    assert fit.lower[-1] == np.nextafter(10, 0)
    assert npmle(Ranges([0, 2], [1, 3], closed="both"), (0, 3)).mass.sum() == pytest.approx(1)
    assert functional_bounds(npmle(Ranges([0], [0], closed="both")), np.exp, (0, 1)) == (1, 1)


@pytest.mark.parametrize("support", [(1, 10), (0, 9), (10, 0), (0, 0), (np.nan, 10)])
def test_ranges_outside_the_support_are_refused(support):
    ranges = Ranges([0, 3, 10], [0, 5, 10], closed="survival")
    with pytest.raises(InputError, match="support"):
        npmle(ranges, support)
    with pytest.raises(InputError, match="support"):
        moment_bounds(npmle(ranges), 1, support)


@pytest.mark.parametrize(
    "columns",
    [
        ([1, 2], [3, 4]),
        ([True, 2], [Fraction(3), Decimal(4)]),
        (np.array([1, 2], dtype=np.int8), np.array([3, 4], dtype=np.uint64)),
        (np.array([1, 2], dtype=np.float32), np.array([3, 4], dtype=np.longdouble)),
        (["1", "2"], ("3", "4.0")),
        (pd.Series([1, 2], dtype="Int64"), pd.Series([3, 4], dtype="Float64")),
        (pl.Series([1, 2]), pl.Series([Decimal(3), Decimal(4)])),
    ],
)
def test_numbers_of_every_kind_are_numbers(columns):
    ranges = Ranges(*columns)
    assert (ranges.lower.tolist(), ranges.upper.tolist()) == ([1, 2], [3, 4])


@pytest.mark.parametrize(
    "values",
    [
        [1 + 2j],
        np.array([1 + 2j]),
        ["soon"],
        [DAY],
        np.array([DAY], dtype="M8[D]"),
        pd.Series(pd.to_datetime(["2020-01-01"])),
        pl.Series([DAY]),
        pl.Series([datetime.timedelta(1)]),
        [10**400],
        np.array(["1e400"], dtype=np.longdouble),
        [[1], [2, 3]],
        object(),
    ],
)
def test_what_is_no_real_number_is_refused(values):
    with pytest.raises(InputError, match=r"Ranges\.lower: .*numbers"):
        Ranges(values, [1e9])


@pytest.mark.parametrize(
    "missing",
    [
        [1, None],
        np.ma.array([1.0, 7.0], mask=[False, True]),
        pd.Series([1, None], dtype="Int64"),
        pl.Series([1, None]),
    ],
)
def test_missing_numbers_are_refused_or_no_end(missing):
    with pytest.raises(InputError, match=r"Ranges\[1\]: got 'ends nan and 9.0'"):
        Ranges(missing, [9, 9])
    assert Ranges(missing, [9, 9], closed="survival").lower.tolist() == [1, -np.inf]


@pytest.mark.parametrize("closed", ["right", "left", "both", "neither", "survival"])
def test_reversed_columns_are_noticed(closed):
    with pytest.raises(InputError, match="the wrong way round"):
        Ranges([5, 3], [9, 1], closed=closed)


def test_columns_of_polars_are_taken_as_they_are():
    table = pl.DataFrame({"from": [1, 2], "to": [3.0, np.inf], "often": [4, 5]})
    split = Ranges(table["from"], table["to"], table["often"])
    assert (split.upper.tolist(), split.total) == ([3, np.inf], 9)
    assert Ranges(table[["from", "to"]]).lower.tolist() == [1, 2]


def test_dates_of_pyarrow_are_refused():
    class Days(list):
        type = "date32[day]"

    with pytest.raises(InputError, match="write dates as numbers"):
        Ranges(Days([1]), [2])


def test_tables_with_missing_values_of_their_own_kind_are_taken():
    columns = {"from": [1, None, 3], "to": [2, 4, None]}
    for table in (
        pd.DataFrame(columns),
        pd.DataFrame(columns, dtype="Int64"),
        pl.DataFrame(columns),
    ):
        assert repr(Ranges(table, closed="survival")) == "Ranges((1, 2], (-inf, 4], (3, inf])"


def test_the_conventions_of_lifelines_and_survival_say_the_same():
    """A death at 4, one between 2 and 6, one not yet at 7, one before 3."""
    lifelines = Ranges([4, 2, 7, 0], [4, 6, np.inf, 3], closed="both")
    survival = Ranges([4, 2, 7, np.nan], [4, 6, np.nan, 3], closed="survival")
    assert lifelines.upper.tolist() == survival.upper.tolist()
    assert repr(survival) == "Ranges({4}, (2, 6], (7, inf], (-inf, 3])"
    inside = [npmle(item).cdf_bounds(5)[0] for item in (lifelines, survival)]
    assert inside[0] == pytest.approx(inside[1])


def test_ends_at_the_edge_of_doubles():
    huge = npmle(Ranges([-1.7e308, 1e308], [1.7e308, 1.79e308]))
    assert (huge.lower[0], huge.upper[0]) == (1e308, 1.7e308)
    assert npmle(Ranges([0, 5e-324], [5e-324, 1e-323])).mass.tolist() == [0.5, 0.5]


def rational_gap(ranges, fit):
    """The largest slope without rounding, over every cell between neighbouring cuts."""
    upto = np.append(Fraction(0), np.cumsum([Fraction(mass) for mass in fit.mass.tolist()]))
    first = np.searchsorted(fit.upper, ranges.lower, "right")
    past = np.searchsorted(fit.upper, ranges.upper, "right")
    pull = [
        Fraction(weight) * upto[-1] / (upto[b] - upto[a])
        for weight, a, b in zip(ranges.weights.tolist(), first, past, strict=True)
    ]
    cuts = np.unique([ranges.lower, ranges.upper])
    slopes = [
        sum(
            p
            for p, low, high in zip(pull, ranges.lower, ranges.upper, strict=True)
            if low <= a < high
        )
        for a in cuts[:-1]
    ]
    return float(max(slopes) / sum(map(Fraction, ranges.weights.tolist())) - 1)


@pytest.mark.parametrize(("span", "seed"), [(3, 1), (7, 1), (12, 6), (15, 34), (18, 10), (20, 7)])
def test_one_cut_a_person_keeps_its_certificate_whatever_the_weights_span(span, seed):
    rng = np.random.default_rng(seed)
    cut = rng.integers(1, 20, 40) / 20
    below = rng.random(40) <= cut
    lower, upper = np.where(below, -np.inf, cut), np.where(below, cut, np.inf)
    ranges = Ranges(lower, upper, 10 ** (span * rng.random(40)))
    assert rational_gap(ranges, npmle(ranges)) <= 2e-10
