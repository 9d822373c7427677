"""Cells told exactly: the acceptable range drawn with the cuts, by every draw and every answer."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance import Cuts, Line, RangeChannel, npmle, parse_survey, privatise, publish
from askance.channels import CutLaw, InclusionProbability, OpenCellChannel, identified_range
from askance.privacy import (
    compose,
    coverage,
    coverage_law,
    flatness,
    interval_differential,
    least_coverage,
    noisy_ranges,
)
from askance.privacy.interval_privacy import followed
from askance_collect.errors import InputError, SurveyError
from askance_collect.exact import Floor


def sent_by(cuts, step, result, ticks):
    """Give what somebody sends: the step in an open cell, otherwise the cell."""
    below = [cut for cut in cuts if cut <= step]
    above = [cut for cut in cuts if cut > step]
    if len(below) + 1 in result:
        return step, step + 1
    return max(below, default=0), min(above, default=ticks)


def enumerated(channel):
    """Count for each report the draws on which each step sends it."""
    law, n = channel.cuts.cut_weights, channel.line.ticks
    draws = {}
    for cuts in product(range(1, n), repeat=channel.cuts.number):
        weight = prod(law[cut - 1] for cut in cuts)
        for step in range(n):
            if weight:
                report = sent_by(cuts, step, channel.exact_cells, n)
                draws.setdefault(report, Counter())[step] += weight
    return draws


@st.composite
def channels(draw):
    weights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any))
    number = draw(st.integers(1, 3))
    cells = draw(st.sets(st.integers(1, number + 1), min_size=1, max_size=number))
    cuts = RangeChannel(Line(0, len(weights) + 1, 1), weights, number)
    return OpenCellChannel(cuts, sorted(cells))


@given(channels())
@settings(max_examples=120, deadline=None)
def test_every_report_has_its_chance_and_is_flat(channel):
    draws, total = enumerated(channel), channel.cuts.total**channel.cuts.number
    ends, chances = channel.cells()
    assert {tuple(item) for item in ends.tolist()} == set(draws)
    for cell, chance in zip(map(tuple, ends.tolist()), chances, strict=True):
        draw = [draws[cell][step] for step in range(*cell)]
        assert set(draws[cell]) == set(range(*cell))
        assert set(draw) == {draw[0]}
        assert channel.cell_chance(*cell) == Fraction(draw[0], total)
        assert chance == pytest.approx(draw[0] / total, abs=1e-12)
    n = channel.line.ticks
    every = [(a, b) for a in range(n) for b in range(a + 1, n + 1)]
    assert [cell for cell in every if channel.cell_chance(*cell)] == sorted(draws)
    assert followed(channel) == draws
    assert flatness(channel).value == 1


@pytest.mark.long
@given(channels())
@settings(max_examples=60, deadline=None)
def test_coverage_and_floor_are_those_of_all_draws(channel):
    draws, n = enumerated(channel), channel.line.ticks
    total = channel.cuts.total**channel.cuts.number
    tau = Fraction(
        sum(count * len(draw) for draw in draws.values() for count in draw.values()), total * n * n
    )
    assert coverage(channel).value == tau
    p = np.arange(1, n + 1) / (n * (n + 1) / 2)
    weighed = sum(
        count * p[step] * sum(p[other] for other in draw)
        for draw in draws.values()
        for step, count in draw.items()
    )
    assert coverage(channel, p).value == pytest.approx(float(weighed / total))
    assert coverage_law(channel).mean == pytest.approx(float(tau))
    assert least_coverage(channel).value == Fraction(min(map(len, draws.values())), n)
    still = [[int(a == b) for b in range(n)] for a in range(n)]
    covered, inside = interval_differential(noisy_ranges(channel, still))
    assert (covered.value, inside.value) == (tau, 1)


@pytest.mark.long
@given(channels(), channels())
@settings(max_examples=60, deadline=None)
def test_leakages_of_two_add_with_random_acceptable_ranges(one, two):
    if one.line == two.line:
        together = coverage([one, two]).value
        assert together >= compose([coverage(one), coverage(two)]).value - 1e-9


@pytest.mark.parametrize("cells", [(1,), (2,), (1, 3), (1, 2)])
def test_many_numbers_come_by_the_law(cells):
    """Deviations beyond the bound of Hoeffding have a chance of 1e-9 for each report."""
    line, n = Line(0, 6, 1), 40_000
    channel = OpenCellChannel(Cuts(number=2, law=[1, 0, 2, 1, 3]).channel(line), cells)
    bound = np.sqrt(np.log(2e9) / (2 * n))
    listed = channel.ranges(channel.cells()[0])
    for step in range(6):
        reports = privatise(channel, np.full(n, step + 0.5), rng=7 + step, name="said")
        counts = Counter(zip(reports.lower.tolist(), reports.upper.tolist(), strict=True))
        assert sum(counts.values()) == n
        for low, high, chance in zip(
            listed.lower.tolist(), listed.upper.tolist(), channel.cells()[1], strict=True
        ):
            holds = low < step + 0.5 <= high
            assert abs(counts.pop((low, high), 0) / n - chance * holds) < bound
        assert not counts


@pytest.mark.parametrize(
    ("number", "cells", "tau"),
    [
        (1, (1,), 1 / 3),  # E (1 − U)²
        (1, (2,), 1 / 3),
        (2, (2,), 1 / 3),  # 2 E min(U)²
        (2, (1,), 1 / 3),
        (2, (1, 3), 1 / 6),
        (3, (2, 3), 1 / 5),
    ],
)
def test_on_the_whole_line_only_closed_cells_cover(number, cells, tau):
    even = stats.uniform()
    law = CutLaw(even, number, open_cells=cells)
    assert 0 <= tau - coverage(law, even).value < 1e-12
    result = coverage_law(law, even)
    assert result.mean == pytest.approx(tau, abs=5e-3)
    assert result.chances.sum() == pytest.approx(1, abs=1e-6)
    exactly = result.chances[result.values == 0].sum()
    assert exactly >= len(cells) / (number + 1) - 0.02
    fine = OpenCellChannel(RangeChannel(Line(0, 400, 1), [1] * 399, number), cells)
    assert coverage(fine).value == pytest.approx(tau, abs=0.01)


def test_the_distribution_is_learnt_wherever_a_cut_can_fall():
    channel = OpenCellChannel(Cuts(number=2, law=[0, 1, 1, 0, 1, 0]).channel(Line(0, 7, 1)), [2])
    truth = np.array([3, 1, 2, 5, 4, 1, 4]) / 20
    ends, chances = channel.cells()
    ranges_result = channel.ranges(ends, 1000 * chances * channel.range_probabilities(ends, truth))
    assert channel.cut_ticks().tolist() == [2, 3, 4, 5]  # 4 by steps told between 3 and 5
    result = identified_range(channel)
    assert result.cuts == (2.0, 3.0, 4.0, 5.0)
    assert result.non_identified == ()
    fit = npmle(ranges_result)
    assert fit.cdf([2, 3, 4, 5]) == pytest.approx(np.cumsum(truth)[1:5], abs=1e-6)
    assert InclusionProbability.from_channel(channel).chance == pytest.approx(1)


@pytest.mark.parametrize("cells", [[], [0], [4], [1, 1], [1, 2, 3], [1.0], "12", None])
def test_what_is_no_choice_of_cells_is_refused(cells):
    cuts = Cuts(number=2).channel(Line(0, 6, 1))
    with pytest.raises(InputError, match="OpenCellChannel"):
        OpenCellChannel(cuts, cells)


def test_other_restrictions_are_refused_beside_it():
    line = Line(0, 6, 1)
    with pytest.raises(InputError, match="independent cuts"):
        OpenCellChannel(Cuts(open=[(1, 2)]).channel(line), [1])
    floored = RangeChannel(line, [1] * 5, floor=Floor([1] * 6, 2))
    with pytest.raises(InputError, match="independent cuts"):
        OpenCellChannel(floored, [1])
    with pytest.raises(InputError, match="no ring and no `open`"):
        CutLaw(stats.norm(), 2, ring=True, open_cells=[1])
    with pytest.raises(InputError, match="no ring and no `open`"):
        CutLaw(stats.norm(), 2, open=[(0, 1)], open_cells=[1])
    with pytest.raises(InputError, match="1 to 3"):
        CutLaw(stats.norm(), 2, open_cells=[4])
    with pytest.raises(InputError, match="OpenCellChannel"):
        CutLaw(stats.norm(), 2, open_cells=[2]).on_line(line)


def test_a_form_tells_fixed_stretches():
    survey = parse_survey(b"""
        askance = "survey-1"
        title = "Example"
        consent = "Taking part is voluntary."
        [[question]]
        name = "age"
        text = "How old are you?"
        line = { lower = 0, upper = 90, step = 5, unit = "years" }
        mechanism = { name = "cuts", number = 2, open_cells = [2] }
    """)
    with pytest.raises(SurveyError, match="a form tells fixed stretches"):
        publish(survey)
