"""The judges against independent values, brute force and hand-made worst cases."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Channel, Cuts, Frame, Line, RangeChannel, Warner, local_loss
from askance.privacy import (
    Guarantee,
    Notion,
    advantage,
    compose,
    coverage,
    flatness,
    least_coverage,
    shafer_loss,
    walley_loss,
)
from askance_collect.errors import InputError, NotComparable

YES_NO = Frame(["yes", "no"])
ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "losses.json").read_text())


def channel_of(rows, size):
    """Read an oracle's mechanism: rows of masses by mask."""
    masks = sorted({int(mask) for row in rows for mask in row})
    output = Frame([f"y{index}" for index in range(size)])
    answers = Frame([f"x{index}" for index in range(len(rows))])
    matrix = [[Fraction(row.get(str(mask), 0)) for mask in masks] for row in rows]
    return Channel(
        answers, {str(mask): output.names(mask) for mask in masks}, matrix, output=output
    )


@pytest.mark.parametrize("case", ORACLE["mechanisms"], ids=lambda case: case["name"])
def test_losses_are_those_computed_independently(case):
    channel = channel_of(case["rows"], case["size"])
    for judge, key in ((shafer_loss, "eps_S_distinct"), (walley_loss, "eps_W_distinct")):
        expected = float(case[key])
        loss = judge(channel)
        if math.isinf(expected):
            assert math.isinf(loss.epsilon)
        else:
            assert math.log(loss.value) == pytest.approx(max(expected, 0), rel=1e-10, abs=1e-12)
            assert 0 <= loss.epsilon - max(expected, 0) <= 1.000001e-6


@given(st.lists(st.lists(st.integers(0, 6), min_size=7, max_size=7), min_size=2, max_size=3))
def test_walley_over_singletons_is_walley_over_all_events(raw):
    rows = [
        [Fraction(entry + (index == 0), sum(row) + 1) for index, entry in enumerate(row)]
        for row in raw
    ]
    masses = [{str(mask): str(row[mask - 1]) for mask in range(1, 8)} for row in rows]
    channel = channel_of(masses, 3)
    worst = Fraction(1)
    for x, other, event in product(range(len(rows)), range(len(rows)), range(1, 8)):
        pl = sum(row for mask, row in enumerate(rows[x], 1) if mask & event)
        bel = sum(row for mask, row in enumerate(rows[other], 1) if not mask & ~event)
        if x != other and (pl or bel):
            worst = max(worst, pl / bel if bel else math.inf)
    assert walley_loss(channel).value == worst


def test_local_and_shafer_differ_where_reports_share_a_meaning():
    rows = [[Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)]]
    channel = Channel(YES_NO, {"a": ["yes"], "b": ["yes"]}, rows)
    assert (local_loss(channel).value, shafer_loss(channel).value) == (9, 1)


def test_a_report_that_tells_is_an_infinite_loss():
    channel = Abstain(truth=0.5, lie=0).channel(YES_NO)
    for judge in (local_loss, shafer_loss, walley_loss):
        assert judge(channel).epsilon == math.inf
        assert judge(channel).printed() == "∞"
    assert advantage(channel).value == Fraction(1, 2)


def test_weighted_advantage_is_that_of_the_worse_order():
    channel = Warner(truth=0.75).channel(YES_NO)
    worst = abs(Fraction(3, 5) * Fraction(3, 4) - Fraction(2, 5) / 4) + abs(
        Fraction(3, 5) / 4 - Fraction(2, 5) * Fraction(3, 4)
    )
    assert advantage(channel, first_weight=0.4).value == worst
    assert advantage(channel, first_weight=0.6).value == worst
    for wrong in (0, 1):
        with pytest.raises(InputError, match="weight"):
            advantage(channel, first_weight=wrong)


@pytest.mark.parametrize("weight", ["1/5", "1/2", "9/10"])
def test_whoever_sees_nothing_knows_what_they_knew_beforehand(weight):
    """Between equal rows, and with a single answer, the prior alone decides."""
    distance = abs(1 - 2 * Fraction(weight))
    blind = Channel(YES_NO, {"any": ["yes", "no"]}, [[1], [1]])
    single = Channel(Frame(["a"]), {"a": ["a"]}, [[1]])
    assert advantage(blind, first_weight=weight).value == distance
    assert advantage(single, first_weight=weight).value == distance
    assert advantage(single, first_weight=weight).attained == "with a single answer"


def test_a_guarantee_is_at_least_as_strong_as_itself_and_as_any_weaker_one():
    losses = [local_loss(Warner(truth=truth).channel(YES_NO)) for truth in (0.6, 0.7)]
    widths = [coverage(RangeChannel(Line(0, n, 1), [1] * (n - 1))) for n in (2, 3)]
    for strong, weak in (losses, sorted(widths, key=lambda item: -item.value)):
        assert strong.is_at_least_as_strong(weak)
        assert not weak.is_at_least_as_strong(strong)
        assert strong.is_at_least_as_strong(strong)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any), st.integers(1, 3))
def test_coverage_is_the_mean_of_what_cells_hold(weights, number):
    channel = RangeChannel(Line(0, len(weights) + 1, 1), weights, number)
    n = channel.line.ticks
    ends, chances = channel.cells()
    cells = zip(ends, chances, strict=True)
    tau = sum(float(chance) * ((high - low) / n) ** 2 for (low, high), chance in cells)
    assert float(coverage(channel).value) == pytest.approx(tau, abs=1e-12)
    even = [1 / n] * n
    assert coverage(channel, even).value == pytest.approx(tau, abs=1e-11)
    assert flatness(channel).value == 1


@pytest.mark.parametrize("chances", [[0.5, 0.5], [1.5, -0.5, 0, 0], [float("nan")] * 4, [0.2] * 4])
def test_coverage_needs_a_distribution(chances):
    with pytest.raises(InputError, match="distribution"):
        coverage(Cuts().channel(Line(0, 4, 1)), chances)


def test_a_fine_line_is_judged_too():
    channel = Cuts(number=2).channel(Line(0, 1500, 1))
    assert float(coverage(channel).value) == pytest.approx(1 / 2, abs=2e-3)
    assert flatness(channel).attained.startswith("everywhere")


def test_guarantees_compare_within_their_notion_only():
    weak, strong = (local_loss(Warner(truth=p).channel(YES_NO)) for p in (0.9, 0.6))
    assert strong.is_at_least_as_strong(weak)
    assert not weak.is_at_least_as_strong(strong)
    narrow, wide = (coverage(Cuts(number=m).channel(Line(0, 9, 1))) for m in (3, 1))
    assert wide.is_at_least_as_strong(narrow)
    with pytest.raises(NotComparable, match="LOCAL and COVERAGE"):
        weak.is_at_least_as_strong(wide)
    with pytest.raises(NotComparable, match="a loss"):
        _ = wide.epsilon


def test_composition_adds_losses_and_leakages():
    loss = local_loss(Warner(truth=0.75).channel(YES_NO))
    assert compose([loss, loss, loss]).value == 27
    assert compose([loss, Guarantee(Notion.LOCAL, math.inf, "")]).epsilon == math.inf
    tau = coverage(Cuts().channel(Line(0, 9, 1)))
    assert compose([tau, tau]).value == 2 * tau.value - 1
    for wrong in ([loss, tau], [advantage(Warner(truth=0.75).channel(YES_NO))]):
        with pytest.raises(NotComparable):
            compose(wrong)
    with pytest.raises(InputError, match="none"):
        compose([])


def test_printed_figures_are_rounded_towards_caution():
    third = Fraction(1, 3)
    assert Guarantee(Notion.ADVANTAGE, third, "").printed(2) == "0.34"
    assert Guarantee(Notion.COVERAGE, third, "").printed(2) == "0.33"
    hair = Fraction(1, 10**40)
    assert Guarantee(Notion.LOCAL, 2 + hair, "").printed(4) == "2.0001"
    assert Guarantee(Notion.COVERAGE, 1 - hair, "").printed(4) == "0.9999"
    assert Guarantee(Notion.LOCAL, 10**15 + third, "").printed(6) == f"1{'0' * 15}.333334"
    assert Guarantee(Notion.LOCAL, 10**30 + third, "").printed(6) == "1.000001 × 10^30"
    assert repr(Guarantee(Notion.ADVANTAGE, third, "here")) == (
        "Guarantee(ADVANTAGE, 0.3334, attained here)"
    )


def test_shares_of_other_people_are_not_compared_and_say_whose_they_are():
    line = Line(0, 4, 1)
    cuts = Cuts(number=1).channel(line)
    even, declared = coverage(cuts), coverage(cuts, [0.7, 0.1, 0.1, 0.1])
    with pytest.raises(NotComparable, match="shares of the same people"):
        even.is_at_least_as_strong(declared)
    assert even.is_at_least_as_strong(even)
    assert even.promise.endswith(" in 100, if answers were spread evenly.")
    assert declared.promise.endswith(" in 100, with the distribution that was given.")
    assert least_coverage(cuts).promise.endswith(", if answers were spread evenly.")
    assert compose([even, even]).assumed_population == even.assumed_population
    assert compose([even, declared]).assumed_population == "each counted by its own people"
    assert local_loss(Warner(truth="3/4").channel(Frame(["yes", "no"]))).assumed_population == ""
    assert even.to_dict()["spread"] == "if answers were spread evenly"
