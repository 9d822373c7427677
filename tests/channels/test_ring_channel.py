"""Rings of any number of cuts: by the law of every draw of the cuts, gone through one by one."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askance import Line, Ranges, Ring, npmle, parse_survey, privatise, publish
from askance.channels import Frame, RingChannel, identified_range
from askance.mechanisms import Partitions
from askance.privacy import coverage, coverage_law, flatness, least_coverage, set_guarantees
from askance.privacy.interval_privacy import followed
from askance_collect.errors import InputError, SurveyError
from askance_collect.exact import Floor


def arcs_of(cuts, ticks):
    """Give the steps of each arc, with its report, the outer one first."""
    outer = [*range(cuts[-1], ticks), *range(cuts[0])]
    return {(cuts[-1], cuts[0]): outer, **{arc: list(range(*arc)) for arc in pairwise(cuts)}}


def all_draws(weights, sizes, least, number):
    """List every draw that keeps the floor, with its weight."""
    for cuts in combinations(range(1, len(sizes)), number):
        arcs = arcs_of(cuts, len(sizes))
        weight = prod(weights[tick - 1] for tick in cuts)
        if weight and all(sum(sizes[s] for s in arc) >= least for arc in arcs.values()):
            yield cuts, arcs, weight


@st.composite
def rings(draw):
    ticks = draw(st.integers(4, 7))
    number = draw(st.integers(2, min(5, ticks - 1)))
    weights = draw(st.lists(st.integers(0, 3), min_size=ticks - 1, max_size=ticks - 1))
    sizes = draw(st.lists(st.integers(0, 3), min_size=ticks, max_size=ticks).filter(any))
    least = draw(st.integers(1, max(sum(sizes) // number, 1)))
    items = list(all_draws(weights, sizes, least, number))
    assume(items)
    return RingChannel(Line(0, ticks, 1), weights, Floor(sizes, least), number), items


@pytest.mark.long
@given(rings())
@settings(max_examples=80, deadline=None)
def test_every_arc_has_its_chance(ring):
    channel, draws = ring
    total = sum(weight for _, _, weight in draws)
    chances = Counter()
    for _, arcs, weight in draws:
        for arc in arcs:
            chances[arc] += Fraction(weight, total)
    ends, doubles = channel.cells()
    assert {tuple(item) for item in ends.tolist()} == set(chances)
    for arc, double in zip(map(tuple, ends.tolist()), doubles, strict=True):
        assert channel.cell_chance(*arc) == chances[arc]
        assert double == pytest.approx(float(chances[arc]), abs=1e-12)
    ticks = channel.line.ticks
    others = [(a, b) for a in range(1, ticks) for b in range(1, ticks) if a != b]
    assert sum(channel.cell_chance(*arc) > 0 for arc in others) == len(chances)
    assert channel.cut_ticks().tolist() == sorted({t for cuts, _, _ in draws for t in cuts})


@pytest.mark.long
@given(rings())
@settings(max_examples=40, deadline=None)
def test_reports_are_true_flat_and_as_wide_as_promised(ring):
    channel, draws = ring
    ticks, total = channel.line.ticks, sum(weight for _, _, weight in draws)
    reports = {}
    for _, arcs, weight in draws:
        for arc, steps in arcs.items():
            for step in steps:
                reports.setdefault(arc, Counter())[step] += weight
    assert followed(channel) == reports
    assert flatness(channel).value == 1
    shared = Fraction(
        sum(weight * len(content) ** 2 for _, arcs, weight in draws for content in arcs.values()),
        total * ticks**2,
    )
    assert coverage(channel).value == shared
    sizes = channel.floor.sizes
    assert all(
        sum(sizes[step] for step in report) >= channel.floor.minimum for report in reports.values()
    )
    least = min(sum(sizes[step] for step in report) for report in reports.values())
    assert least_coverage(channel, sizes).value == Fraction(least, sum(sizes))
    law = coverage_law(channel)
    assert law.mean == pytest.approx(float(shared))
    assert law.chances.sum() == pytest.approx(1)


def test_three_cuts_are_the_partitions_of_the_extended_mechanism():
    channel = Ring(floor="1/6", number=3, law=[1, 2, 1, 1, 3]).channel(Line(0, 6, 1))
    names = list("abcdef")
    items = list(all_draws(channel.cut_weights, [1] * 6, 1, 3))
    listed = [[[names[step] for step in arc] for arc in arcs.values()] for _, arcs, _ in items]
    written = Partitions(listed, [weight for _, _, weight in items]).channel(Frame(names))
    result = {guarantee.notion.label: guarantee.value for guarantee in set_guarantees(written)}
    assert result["coverage"] == coverage(channel).value
    assert result["least coverage"] == least_coverage(channel).value
    assert result["worst density ratio inside a report"] == flatness(channel).value == 1


@pytest.mark.parametrize("number", [3, 4, 5])
@pytest.mark.long
def test_many_numbers_come_by_the_law(number):
    """Deviations beyond the bound of Hoeffding have a chance of 1e-9 for each arc."""
    line, n = Line(0, 9, 1), 40_000
    channel = Ring(floor="1/9", number=number, law=[1, 2, 0, 2, 1, 3, 1, 1]).channel(line)
    bound = np.sqrt(np.log(2e9) / (2 * n))
    for step in (0, 4, 8):
        reports = privatise(channel, np.full(n, step + 0.5), rng=17 + step, name="said")
        pieces = Counter(
            tuple(reports.lower[a:b]) + tuple(reports.upper[a:b])
            for a, b in pairwise(reports.starts)
        )
        listed = channel.ranges(channel.cells()[0])
        for index, chance in enumerate(channel.cells()[1]):
            item = listed[index]
            inside = ((item.lower < step + 0.5) & (step + 0.5 <= item.upper)).any()
            observed = pieces[tuple(item.lower) + tuple(item.upper)] / n
            assert abs(observed - chance * inside) < bound
        assert sum(pieces.values()) == n


def test_the_distribution_is_learnt_but_how_the_two_ends_share():
    channel = Ring(floor="1/5", number=4).channel(Line(0, 10, 1))
    truth = np.array([1, 3, 2, 4, 5, 1, 2, 6, 3, 3]) / 30
    ends, chances = channel.cells()
    ranges_result = channel.ranges(ends, 1000 * chances * channel.range_probabilities(ends, truth))
    fit = npmle(ranges_result)
    result = identified_range(channel)
    assert result.cuts[0] == 1.0
    inner = np.diff(fit.cdf(np.arange(1, 10)))
    assert inner == pytest.approx(truth[1:-1], abs=1e-6)
    assert result.non_identified == ((0.0, 1.0), (9.0, 10.0))


@pytest.mark.long
def test_a_long_line_of_fine_steps_is_no_matter():
    channel = Ring(floor="1/8", number=5).channel(Line(0, 300, 1))
    ends, chances = channel.cells()
    assert least_coverage(channel).value >= Fraction(1, 8)
    widths = channel.range_probabilities(ends, np.ones(300)) / 300
    assert float(chances @ widths) == pytest.approx(1)  # some arc holds a step
    assert 1 / 5 < coverage(channel).value < 1 / 4


def test_a_floor_holds_no_more_than_one_over_the_number_of_arcs():
    with pytest.raises(InputError, match=r"\(0, 1/3\]"):
        Ring(floor="0.34", number=3)
    with pytest.raises(InputError, match=r"up to 1/3 of 7"):
        Ring(floor="1/3", number=3).channel(Line(0, 7, 1))
    with pytest.raises(InputError, match=r"integer in \[2, 16\]"):
        Ring(floor="1/3", number=1)
    with pytest.raises(InputError, match="4 non-negative weights"):
        RingChannel(Line(0, 5, 1), [1, 1, 1], Floor([1] * 5, 1), 3)
    with pytest.raises(InputError, match="4 non-negative weights"):
        RingChannel(Line(0, 5, 1), [1, 1, 1, -1], Floor([1] * 5, 1), 3)


def test_a_form_asks_rings_of_two_cuts():
    survey = parse_survey(b"""
        askance = "survey-1"
        title = "Example"
        consent = "Taking part is voluntary."
        [[question]]
        name = "age"
        text = "How old are you?"
        line = { lower = 0, upper = 90, step = 5, unit = "years" }
        mechanism = { name = "ring", floor = "1/6", number = 3 }
    """)
    with pytest.raises(SurveyError, match="a form asks rings of two cuts"):
        publish(survey)


def test_two_cuts_are_the_default():
    line = Line(0, 9, 1)
    assert Ring(floor="1/4") == Ring(floor="1/4", number=2)
    assert "number" not in Ring(floor="1/4").parameters()
    assert Ring(floor="1/4", number=3).parameters()["number"] == "3"
    two = RingChannel(line, [1] * 8, Floor([1] * 9, 3))
    assert two.law.total == two.total
    assert isinstance(two.ranges(two.cells()[0]), Ranges)
