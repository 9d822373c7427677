"""Coverage against values computed independently, against simulation, and its laws."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance import Line, RangeChannel, Ranges, npmle
from askance.channels import CutLaw, RingChannel
from askance.design import cuts_with_coverage
from askance.privacy import compose, coverage, coverage_law, flatness
from askance_collect.errors import InputError
from askance_collect.exact import Floor

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "interval.json").read_text())
NORMAL, WIDE, EVEN = stats.norm(), stats.norm(0, math.sqrt(2)), stats.uniform()
SQUARE = stats.ncx2(1, 0.25)

CASES = [
    (NORMAL, CutLaw(stats.logistic(0, 1))),
    *((WIDE, CutLaw(stats.logistic(0, scale))) for scale in (0.1, 1, 20)),
    *((SQUARE, CutLaw(stats.uniform(0, 4 * n ** (1 / 3)))) for n in (100, 1000)),
    *((EVEN, CutLaw(stats.uniform(-b, 1 + 2 * b))) for b in (1, 2, 5, 22)),
    (EVEN, CutLaw(EVEN, 2, ring=True)),
    *((NORMAL, cuts_with_coverage(tau, NORMAL)) for tau in ("3/4", "3/5", "11/20")),  # 1/2, 2, 9/2
    (NORMAL, CutLaw(stats.logistic(0, 0.5), 2)),
    (NORMAL, CutLaw(stats.logistic(0, 5), 2)),
    (stats.logistic(), CutLaw(stats.logistic(0, 2), 2)),
]
INDEPENDENT = ORACLE["coverage"]["cases"]


@pytest.mark.parametrize(
    ("case", "expected"),
    list(zip(CASES, INDEPENDENT, strict=True)),
    ids=[f"{item['U']}, {item['mechanism']}, {item['Y']}" for item in INDEPENDENT],
)
def test_coverage_is_that_computed_independently(case, expected):
    prior, law = case
    coverage_result = coverage(law, prior)
    assert 0 <= expected["coverage"] - coverage_result.value < 1e-12
    assert coverage_law(law, prior).mean == pytest.approx(expected["coverage"], abs=2e-3)


@pytest.mark.long
@pytest.mark.parametrize("number", [2, 3, 5, 10, 16])
def test_a_ring_s_outer_arc_holds_two_numbers_between_which_all_cuts_fall(number):
    law = CutLaw(EVEN, number, ring=True)
    exact = 2 / (number + 2) + 2 / ((number + 1) * (number + 2))  # ∫ 2(1 − d)((1 − d)^m + d^m)
    assert 0 <= exact - coverage(law, EVEN).value < 1e-8
    result = coverage_law(law, EVEN)
    assert result.chances.sum() == pytest.approx(1, abs=1e-6)
    assert result.mean == pytest.approx(exact, abs=2e-3 * number)
    bent = CutLaw(stats.beta(2, 3), number, ring=True)
    rng = np.random.default_rng(number)
    u, y, other = (rng.random((20_000, k)) for k in (number, 1, 1))
    sort_result = np.sort(stats.beta(2, 3).ppf(u), axis=1)
    arc, same = ((sort_result < item).sum(axis=1) % number for item in (y, other))
    assert coverage(bent, EVEN).value == pytest.approx((arc == same).mean(), abs=0.02)


def test_cumulative_functions_serve_as_laws():
    law = CutLaw(stats.logistic().cdf)
    assert coverage(law, NORMAL.cdf).value == pytest.approx(INDEPENDENT[0]["coverage"], abs=1e-11)


@given(
    st.floats(-2, 2),
    st.floats(0.05, 10),
    st.integers(1, 6),
    st.sampled_from([NORMAL, EVEN, stats.expon(), stats.t(1)]),
)
@settings(max_examples=40)
@pytest.mark.long
def test_coverage_of_continuous_laws_is_that_of_a_fine_grid(centre, scale, number, prior):
    law = CutLaw(stats.logistic(centre, scale), number)
    tau = float(coverage(law, prior).value)
    assert 1 / (number + 1) - 1e-9 <= tau <= 1
    assert coverage_law(law, prior).mean == pytest.approx(tau, abs=2e-3 * number)


@given(st.integers(0, 4), st.integers(1, 3), st.floats(0.1, 5), st.floats(0.1, 5))
@settings(max_examples=30)
@pytest.mark.long
def test_reports_together_leave_what_the_refined_range_holds(seed, number, one, two):
    laws = [CutLaw(stats.logistic(0, one), number), CutLaw(stats.norm(0.5, two), ring=False)]
    exact, bound = coverage(laws, NORMAL), compose([coverage(law, NORMAL) for law in laws])
    assert bound.value - 1e-12 <= exact.value <= min(coverage(law, NORMAL).value for law in laws)
    rng = np.random.default_rng(seed)
    y, other = rng.normal(size=(2, 4000))
    together = np.ones(4000, dtype=bool)
    for law in laws:
        cuts = law.law.rvs((4000, law.number), random_state=rng)
        together &= ((cuts < y[:, None]) == (cuts < other[:, None])).all(axis=1)
    assert together.mean() == pytest.approx(float(exact.value), abs=0.05)  # six standard errors


def test_repeated_cuts_are_more_cuts():
    law, two = CutLaw(stats.logistic()), CutLaw(stats.logistic(), 2)
    assert coverage([law, law], NORMAL).value == pytest.approx(coverage(two, NORMAL).value)
    line = Line(0, 6, 1)
    separate = coverage([RangeChannel(line, [1, 2, 3, 2, 1])] * 2).value
    assert separate == coverage(RangeChannel(line, [1, 2, 3, 2, 1], 2)).value
    assert isinstance(separate, Fraction)


def test_acceptable_ranges_cost_the_coverage_of_those_inside():
    law = CutLaw(EVEN, open=[(0.4, 0.6)])
    rng = np.random.default_rng(1)
    y, other, cut = rng.random((3, 400_000))
    is_both = (abs(y - 0.5) > 0.1) & (abs(other - 0.5) > 0.1) & ((y > cut) == (other > cut))
    tau = float(coverage(law, EVEN).value)
    assert tau == pytest.approx(is_both.mean(), abs=0.005)  # six standard errors
    assert coverage_law(law, EVEN).mean == pytest.approx(tau, abs=1e-3)
    assert coverage(CutLaw(EVEN, open=[(-1, 2)]), EVEN).value == 0


def test_a_fine_line_is_nearly_the_continuous_law():
    law, prior = CutLaw(stats.norm(40, 20), 2), stats.norm(45, 12)
    deployed = coverage(law.on_line(Line(-60, 140, "1/2")), prior)
    assert deployed.value == pytest.approx(coverage(law, prior).value, abs=2e-4)


@pytest.mark.parametrize(
    ("mechanism", "prior", "where"),
    [
        ([], None, "channel"),
        ([CutLaw(EVEN), RangeChannel(Line(0, 2, 1), [1])], EVEN, "channel"),
        ([RangeChannel(Line(0, 2, 1), [1]), RangeChannel(Line(1, 3, 1), [1])], None, "one line"),
        (CutLaw(EVEN), None, "distribution"),
        (CutLaw(EVEN), [0.5, 0.5], "distribution"),
        ([CutLaw(EVEN, 64), CutLaw(EVEN, 64)], EVEN, "fewer cuts"),
    ],
)
def test_what_cannot_be_judged_is_refused(mechanism, prior, where):
    with pytest.raises(InputError, match=where):
        coverage(mechanism, prior)


def test_the_law_of_the_coverage_of_one_even_cut():
    """A cut at u is reported as u with chance u: the coverage has density 2u."""
    law = coverage_law(CutLaw(EVEN), EVEN)
    assert law.quantile([0.25, 0.81]) == pytest.approx([0.5, 0.9], abs=3e-3)
    assert law.chances.sum() == pytest.approx(1)
    assert math.isnan(law.se)


def test_coverage_is_estimated_from_reports():
    rng = np.random.default_rng(3)
    y, cut = rng.normal(size=4000), rng.logistic(size=4000)
    ranges = Ranges(np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut))
    law = coverage_law(ranges, NORMAL)
    assert law.n == 4000
    assert abs(law.mean - INDEPENDENT[0]["coverage"]) < 5 * law.se < 0.05
    ring = Ranges.unions([[(0, 1)], [(-np.inf, 0), (1, np.inf)]])
    inside = NORMAL.cdf(1) - 0.5
    assert coverage_law(ring, NORMAL).values.tolist() == pytest.approx([inside, 1 - inside])


def test_the_law_prints_and_writes_itself():
    law = coverage_law(RangeChannel(Line(0, 4, 1), [1, 1, 1], 1))
    assert law.to_dict()["mean"] == pytest.approx(
        float(coverage(RangeChannel(Line(0, 4, 1), [1] * 3)).value)
    )
    assert "mean 0.5833" in repr(law)
    assert "<table>" in law._repr_html_()
    assert repr(coverage_law(Ranges([0], [1]), EVEN)).endswith(", 1 report")


def test_no_reports_have_no_coverage():
    with pytest.raises(InputError, match="no range"):
        coverage_law(Ranges([], []), EVEN)
    with pytest.raises(InputError, match="distribution"):
        coverage_law(Ranges([0], [1]))
    with pytest.raises(InputError, match="shares"):
        coverage_law(CutLaw(EVEN), EVEN).quantile([0.5, np.nan])


SIZES = Floor([1, 2, 3, 2, 1, 1], 3)
DEPLOYED = [
    RangeChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], 2),
    RangeChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], 2, floor=SIZES),
    RangeChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], 2, floor=SIZES, withhold=True),
    RangeChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], 2, open=[(2, 3), (4, 6)]),
    RingChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], SIZES),
]


def reports_of(channel):
    """List each report's steps and exact chance; where nothing is sent all remain."""
    for low, high in channel.cells()[0].tolist():
        steps = {index for piece in channel.pieces(low, high) for index in range(*piece)}
        yield steps, dict.fromkeys(steps, channel.cell_chance(low, high))
    nulls = {index: channel.null_chance(index) for index in range(6) if channel.null_chance(index)}
    yield set(range(6)), nulls


@pytest.mark.long
@pytest.mark.parametrize("channel", DEPLOYED, ids=["plain", "skip", "withhold", "open", "ring"])
@given(st.lists(st.integers(0, 5), min_size=6, max_size=6).filter(any))
def test_every_deployed_range_question_is_judged_by_enumeration(channel, raw):
    p = [Fraction(entry, sum(raw)) for entry in raw]
    tau = sum(
        p[name] * chance * sum(p[other] for other in steps)
        for steps, chances in reports_of(channel)
        for name, chance in chances.items()
    )
    p = [float(item) for item in p]
    assert coverage(channel, p).value == pytest.approx(float(tau), abs=1e-8)
    law = coverage_law(channel, p)
    assert law.mean == pytest.approx(float(tau), abs=1e-8)
    assert law.chances.sum() == pytest.approx(1)
    bound = compose([coverage(channel, p), coverage(DEPLOYED[0], p)])
    together = coverage([channel, DEPLOYED[0]], p)
    assert bound.value - 1e-8 <= together.value <= coverage(channel, p).value + 1e-8


@pytest.mark.parametrize("p", [[Fraction(1, 6)] * 6, [Fraction(n, 12) for n in (1, 0, 5, 2, 3, 1)]])
@pytest.mark.parametrize("other", DEPLOYED[1:], ids=["skip", "withhold", "open", "ring"])
def test_two_questions_about_one_number_leave_what_both_ranges_hold(other, p):
    channel = DEPLOYED[2]
    tau = sum(
        p[index] * item.get(index, 0) * two.get(index, 0) * sum(p[step] for step in local & remote)
        for local, item in reports_of(channel)
        for remote, two in reports_of(other)
        for index in range(6)
    )
    result = coverage([channel, other], [float(item) for item in p]).value
    assert 0 <= float(tau) - result < 1e-9


@pytest.mark.parametrize("channel", [DEPLOYED[0], DEPLOYED[2], DEPLOYED[4]], ids=str)
@pytest.mark.parametrize(
    "wrong", [[0.2] * 5, [0.5] * 6, [0.1] * 6, [1.2, -0.2, 0, 0, 0, 0], [math.nan] * 6, [[1]]]
)
def test_chances_of_the_steps_are_chances(channel, wrong):
    with pytest.raises(InputError, match=r"^coverage\.distribution"):
        coverage(channel, wrong)


def test_deployed_rings_keep_their_floor():
    p = [entry / 10 for entry in SIZES.sizes]
    assert coverage_law(DEPLOYED[4], p).minimum > 0.3 - 1e-9
    assert coverage_law(DEPLOYED[1], p).minimum > 0.3 - 1e-9


def test_only_withheld_ranges_are_not_flat():
    """Nothing is sent with chance null: infinitely more often than where it never is."""
    values = [flatness(channel).value for channel in DEPLOYED]
    assert values == [1, 1, math.inf, 1, 1]


def test_the_coverage_of_what_was_fitted_is_that_of_its_curve():
    ranges = Ranges([1, 2, 3, 3], [1, 2, 3, 3], closed="both")
    pairs = [abs(a - b) / 4 for a in (1, 2, 3, 3) for b in (1, 2, 3, 3)]
    coverage_result = coverage(CutLaw(stats.uniform(0, 4)), npmle(ranges))
    assert coverage_result.value == pytest.approx(1 - np.mean(pairs), abs=1e-12)
    cells = Ranges.from_counts({(-np.inf, 1): 1, (1, 2): 4, (2, 4): 3, (4, np.inf): 2})
    fit = npmle(cells)
    share = (np.arange(100_000) + 0.5) / 100_000
    sort_result = np.sort(np.clip(fit.ppf(share) / 5, 0, 1))
    spread = (
        2
        * np.sum((2 * np.arange(len(sort_result)) - len(sort_result) + 1) * sort_result)
        / len(sort_result) ** 2
    )
    coverage_result = coverage(CutLaw(stats.uniform(0, 5)), fit)
    assert coverage_result.value == pytest.approx(1 - spread, abs=1e-6)
    line = RangeChannel(Line(0, 5, 1), [1] * 4, 1)
    steps = np.diff([0.0, *fit.cdf([1, 2, 3, 4]), 1.0])
    assert coverage(line, fit).value == pytest.approx(coverage(line, steps).value)
