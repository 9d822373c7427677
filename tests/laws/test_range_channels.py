"""The laws of range questions by exact enumeration: what is sent, and what the channels say."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askance.channels import RangeChannel, RingChannel
from askance.privacy.interval_privacy import followed
from askance.survey import deployed
from askance_collect.errors import FormError, InputError
from askance_collect.exact import Floor, Line
from askance_collect.respond import draw_bounds, encode, list_cells, next_cut
from askance_collect.wire import read_question


@st.composite
def questions(draw, most=5, kinds=("plain", "skip", "withhold", "ring")):
    """Any range question on a short line, read as a form's question is."""
    rule, blank = draw(st.sampled_from(kinds)), draw(st.integers(1, 3))
    ticks = draw(st.integers(3 if rule == "ring" else 2, most))
    weights = draw(st.lists(st.sampled_from([1, 2, 3, 0]), min_size=ticks - 1, max_size=ticks - 1))
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 0]), min_size=ticks, max_size=ticks))
    raw = {
        "name": "q",
        "text": {"en": ""},
        "line": {"lower": "0", "step": "1", "ticks": ticks, "unit": {"en": ""}},
        "ask": "cells",
        "typed": False,
        "blank": [draw(st.integers(0, blank - 1)), blank],
        "about": {},
    }
    least = draw(st.integers(1, max(1, sum(sizes) // (1 if rule == "withhold" else 2))))
    if rule == "ring":
        raw |= {"kind": "ring", "ring": {"weights": weights, "sizes": sizes, "least": least}}
    else:
        opened = [[1, 2]] if ticks > 2 and draw(st.booleans()) else []
        for low, high in opened:
            sizes[low:high] = [0] * (high - low)
        floor = None if rule == "plain" else {"sizes": sizes, "least": least, "rule": rule}
        number = draw(st.integers(1, 3))
        raw |= {"kind": "cuts", "ask": "cells" if rule == "withhold" else draw(ASKED)}
        raw["cuts"] = {"number": number, "weights": weights, "floor": floor, "open": opened}
    try:
        return read_question(raw, ["en"], "q")
    except FormError:
        assume(False)


ASKED = st.sampled_from(["cells", "narrow"])


def all_draws(question):
    """Give every draw but that of the blank, each as likely as the next."""
    return itertools.product([question.blank[1] - 1], *map(range, draw_bounds(question)[1:]))


def law(question, step, steps=None):
    """Give the exact chance of each value sent by an answer in a step, if no blank is drawn."""
    counts = Counter(encode(question, step, draws, steps) for draws in all_draws(question))
    return {value: Fraction(count, counts.total()) for value, count in counts.items()}


def meant(question, cell):
    """Give the steps that a report leaves possible, from the words of the form alone."""
    low, high = cell
    ticks = range(question.line.ticks)
    inside = [low <= step < high for step in ticks]
    if low > high:
        inside = [step >= low or step < high for step in ticks]
    if question.kind == "ring" or (high == low + 1 and question.is_sent_exactly(low)):
        return [step for step in ticks if inside[step]]
    return [step for step in ticks if inside[step] and not question.is_sent_exactly(step)]


@given(questions())
@settings(max_examples=60, deadline=None)
def test_what_is_sent_is_true_and_flat_and_what_the_channel_says(question):
    channel, ticks = deployed(question).channel, question.line.ticks
    laws = [law(question, step) for step in range(ticks)]
    listed = {tuple(ends): chance for ends, chance in zip(*channel.cells(), strict=True)}
    assert set(listed) == set().union(*laws) - {None}
    for cell, chance in listed.items():
        inside = meant(question, cell)
        chances = [messages.get(cell, 0) for messages in laws]
        exact = channel.cell_chance(*cell)
        assert exact > 0
        assert [step for step in range(ticks) if chances[step]] == inside
        assert {chances[step] for step in inside} == {exact}
        assert chance == pytest.approx(float(exact), abs=1e-12)
        assert [step for low, high in channel.pieces(*cell) for step in range(low, high)] == inside
    for step, reports in enumerate(laws):
        assert sum(reports.values()) == 1
        assert channel.null_chance(step) == reports.get(None, 0)
    numbers = [float(1 - messages.get(None, 0)) for messages in laws]
    assert channel.inclusion_probability() == pytest.approx(numbers, abs=1e-12)


@given(questions())
@settings(max_examples=60, deadline=None)
def test_every_allowed_range_can_be_sent_and_no_other(question):
    steps = range(question.number + 1) if getattr(question, "progressive", False) else (None,)
    answers = range(question.line.ticks)
    values = {
        value for step in answers for chosen in steps for value in law(question, step, chosen)
    }
    ends = list(itertools.product(range(-1, question.line.ticks + 2), repeat=2))
    assert {cell for cell in ends if question.allows(cell)} == values - {None}
    if steps == (None,):
        possible = deployed(question).channel.can_report(ends)
        assert [cell for cell, can in zip(ends, possible, strict=True) if can] == [
            cell for cell in ends if cell in values
        ]


@given(questions())
@settings(max_examples=60, deadline=None)
def test_flatness_is_judged_by_what_a_device_sends(question):
    draws = {step: Counter() for step in range(question.line.ticks)}
    for draw in all_draws(question):
        for step, value in draws.items():
            value[encode(question, step, draw)] += 1
    listed = {
        cell: {step: reports[cell] for step, reports in draws.items() if reports[cell]}
        for cell in set().union(*draws.values()) - {None}
    }
    assert followed(deployed(question).channel) == listed


@given(questions(kinds=("plain", "skip")), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
@pytest.mark.long
def test_each_step_of_the_way_is_flat_too(question, steps):
    """Whoever agrees to so many steps sends a range that all numbers in it send equally often."""
    assume(question.progressive)
    laws = [law(question, step, steps) for step in range(question.line.ticks)]
    for cell in set().union(*laws):
        inside = meant(question, cell)
        assert len({laws[step].get(cell, 0) for step in inside}) == 1
        assert not any(
            reports.get(cell, 0) for step, reports in enumerate(laws) if step not in inside
        )


@given(questions(kinds=("skip",)))
@settings(max_examples=40, deadline=None)
@pytest.mark.long
def test_no_side_that_is_ever_offered_is_below_the_floor(question):
    floor, ticks = question.floor, question.line.ticks
    for draws in all_draws(question):
        for step in range(ticks):
            cell = (0, ticks)
            while (tick := next_cut(question, draws, cell)) is not None:
                assert floor.allows_range(cell[0], tick)
                assert floor.allows_range(tick, cell[1])
                cell = (tick, cell[1]) if tick <= step else (cell[0], tick)


@given(questions(kinds=("plain", "skip", "withhold")))
@settings(max_examples=40, deadline=None)
def test_the_cells_tile_the_line(question):
    for draws in all_draws(question):
        ends = [end for cell in list_cells(question, draws) for end in cell]
        assert (ends[0], ends[-1]) == (0, question.line.ticks)
        assert ends[1:-1:2] == ends[2::2]


@given(questions(kinds=("ring",)))
@settings(max_examples=30, deadline=None)
def test_both_sides_of_a_ring_keep_the_floor(question):
    floor = question.law.floor
    for ends in deployed(question).channel.cells()[0].tolist():
        assert sum(floor.sizes[step] for step in meant(question, ends)) >= floor.minimum


@given(questions(), st.data())
@settings(max_examples=40, deadline=None)
def test_ranges_of_numbers_are_the_steps_that_are_meant(question, data):
    channel = deployed(question).channel
    ends, _ = channel.cells()
    ranges = channel.ranges(ends)
    middles = np.arange(question.line.ticks) + 0.5
    p = data.draw(st.lists(st.integers(0, 5), min_size=len(middles), max_size=len(middles)))
    for index, cell in enumerate(ends.tolist()):
        item = ranges[index]
        flag = ((middles[:, None] > item.lower) & (middles[:, None] <= item.upper)).any(axis=1)
        assert np.flatnonzero(flag).tolist() == meant(question, cell)
        assert channel.range_probabilities([cell], p)[0] == pytest.approx(
            sum(p[s] for s in meant(question, cell))
        )


def test_a_side_that_was_looked_at_first_would_be_seen():
    """Stop only if the answer's own side is too small, as the paper's Example 4 does: not flat."""

    def looked(step, cuts):
        cell = (0, 4)
        for tick in cuts:
            side = (tick, cell[1]) if tick <= step else (cell[0], tick)
            if cell[0] < tick < cell[1] and side[1] - side[0] >= 2:
                cell = side
        return cell

    draws = list(itertools.product((1, 2, 3), repeat=2))
    counts = [Counter(looked(step, cuts) for cuts in draws) for step in range(4)]
    chances = {count[0, 4] for count in counts}
    assert len(chances) > 1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Floor([1, -1], 1),
        lambda: Floor([0, 0], 1),
        lambda: Floor([1, 1], 3),
        lambda: Floor([1, 1], 0),
        lambda: Floor([1.5, 1], 1),
        lambda: Floor([2**48, 1], 1),
        lambda: Floor([], 1),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], floor=Floor([1, 1, 1], 1)),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], floor=Floor([1, 1, 1, 1], 3)),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], withhold=True),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], floor=Floor([1] * 4, 4), withhold=True),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], open=[(0, 4)]),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], open=[(0, 1), (1, 2)]),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], open=[(2, 1)]),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1], open=[(2, 5)]),
        lambda: RingChannel(Line(0, 4), [1, 1, 1], Floor([1] * 4, 3)),
        lambda: RingChannel(Line(0, 4), [1, 0, 0], Floor([1] * 4, 1)),
        lambda: RingChannel(Line(0, 4), [1, 1], Floor([1] * 4, 1)),
        lambda: RingChannel(Line(0, 4), [1, 1, 1], Floor([1] * 5, 1)),
        lambda: RingChannel(Line(0, 2), [1], Floor([1] * 2, 1)),
        lambda: RingChannel(Line(0, 4), [1, 1, 1], Floor([1] * 4, 1)).cell_chance(0, 2),
        lambda: RingChannel(Line(0, 4), [1, 1, 1], Floor([1] * 4, 1)).null_chance(4),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1]).null_chance(-1),
        lambda: RangeChannel(Line(0, 4), [1, 1, 1]).ranges([[0, 5]]),
    ],
)
def test_what_is_no_law_of_ranges_is_refused(wrong):
    with pytest.raises(InputError, match="allowed"):
        wrong()
