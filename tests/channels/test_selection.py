"""How likely a number is to be heard of, and which shares no report tells apart."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import (
    InclusionProbability,
    RangeChannel,
    Ranges,
    RingChannel,
    identified_range,
    non_identified,
)
from askance.inference import npmle
from askance_collect.exact import Floor, Line

LINE = Line(0, 8, 1)


def withheld(number, least, line=LINE):
    floor = Floor([1] * line.ticks, least)
    return RangeChannel(line, [1] * (line.ticks - 1), number, floor=floor, withhold=True)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("least", [1, 3, 5])
def test_the_staircase_of_a_channel_is_the_chance_that_it_is_not_silent(number, least):
    channel = withheld(number, least)
    inclusion = InclusionProbability.from_channel(channel)
    middles = np.arange(8) + 0.5
    step = np.searchsorted(inclusion.ends, middles) - 1
    silent = [float(channel.null_chance(index)) for index in range(8)]
    assert inclusion.chance[step] == pytest.approx(1 - np.array(silent), abs=1e-12)


@pytest.mark.parametrize(
    "channel",
    [
        RangeChannel(LINE, [1] * 7, 2, open=[(3, 5)]),
        RangeChannel(LINE, [1] * 7, 2, floor=Floor([1] * 8, 2)),
        RingChannel(LINE, [1] * 7, Floor([1] * 8, 2)),
    ],
)
def test_where_nothing_is_withheld_everybody_is_heard_of(channel):
    inclusion = InclusionProbability.from_channel(channel)
    assert inclusion.chance == pytest.approx(np.ones(len(inclusion.chance)), abs=1e-12)
    assert inclusion.zero_pieces == ()


def test_one_cut_and_a_large_floor_settle_no_share():
    result = identified_range(withheld(1, 5))
    assert not result.complete
    assert [low for low, _ in result.non_identified] == [0, 1, 2, 3, 5, 6, 7]
    assert "only sums are identified of (0, 1], (1, 2]" in repr(result)
    assert result.to_dict()["confounded"][0] == [0.0, 1.0]


@pytest.mark.parametrize("channel", [withheld(1, 3), withheld(2, 3), withheld(2, 5)])
def test_two_cuts_or_a_small_floor_settle_every_share(channel):
    assert identified_range(channel).non_identified == ()


def test_a_ring_never_tells_its_tails_apart():
    ring = RingChannel(LINE, [1] * 7, Floor([1] * 8, 1))
    result = identified_range(ring)
    assert result.non_identified == ((0.0, 1.0), (7.0, 8.0))
    assert identified_range(ring, (2, 6)).non_identified == ()


def test_all_cells_of_cuts_are_never_confounded():
    assert non_identified(Ranges([-np.inf, 1, 2, -np.inf], [1, 2, np.inf, 2])) == ()


@st.composite
def laws(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    k = draw(st.integers(1, 6))
    is_held = rng.random((draw(st.integers(1, 8)), k)) < 0.5
    is_held[~is_held.any(axis=1), 0] = True
    return is_held


@given(laws())
@settings(deadline=None, max_examples=60)
def test_confounded_pieces_are_those_that_linear_algebra_leaves_open(held):
    unions_result = Ranges.unions(
        [[(index, index + 1) for index in np.flatnonzero(row)] for row in held]
    )
    flatnonzero_result = np.flatnonzero(held.any(axis=0))
    rows = held[:, flatnonzero_result].astype(float)
    _, values, vectors = np.linalg.svd(rows)
    free = vectors[(values > 1e-9).sum() :]
    open_to = np.abs(free).max(axis=0, initial=0) > 1e-7
    if np.abs(free.sum(axis=1)).max(initial=0) > 1e-7:
        open_to[:] = True
    merged = np.zeros(held.shape[1], dtype=bool)
    for low, high in non_identified(unions_result):
        merged[int(low) : int(high)] = True
    assert set(np.flatnonzero(merged)) <= set(flatnonzero_result[open_to].tolist())
    ends = set(np.concatenate([unions_result.lower, unions_result.upper]).tolist())
    alone = [index for index in flatnonzero_result[open_to].tolist() if {index, index + 1} <= ends]
    assert set(alone) <= set(np.flatnonzero(merged).tolist())


def test_tails_that_are_never_sent_are_unseen_too():
    channel = RangeChannel(
        Line(0, 10, 1), [0, 1] + [0] * 7, floor=Floor([1] * 10, 6), withhold=True
    )
    inclusion = InclusionProbability.from_channel(channel)
    assert inclusion.zero_pieces == ((-np.inf, 2.0),)
    fit = npmle(Ranges([2], [np.inf], counts=[8]), inclusion=inclusion)
    assert fit.zero_pieces == ((-np.inf, 2.0),)
    counted = npmle(Ranges([2], [np.inf], counts=[8]), inclusion=inclusion, nulls=2)
    assert counted.mass.tolist() == pytest.approx([0.2, 0.8])


def test_a_selection_over_a_line_is_nought_beyond_what_can_be_sent():
    inner = InclusionProbability([1, 2, 4], [0.5, 0.25])
    wide = inner.restrict(0, 9)
    assert wide.ends.tolist() == [0, 1, 2, 4, 9]
    assert wide.chance.tolist() == [0, 0.5, 0.25, 0]
    cut = inner.restrict(1.5, 3)
    assert cut.ends.tolist() == [1.5, 2, 3]
    assert cut.chance.tolist() == [0.5, 0.25]


@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(1, 6))
@settings(max_examples=60)
def test_what_is_traded_where_nulls_are_counted_is_what_no_report_and_no_sum_tells(seed, k, rows):
    rng = np.random.default_rng(seed)
    is_held = rng.random((rows, k)) < 0.5
    is_held[~is_held.any(axis=1), 0] = True
    unions_result = Ranges.unions(
        [[(index, index + 1) for index in np.flatnonzero(row)] for row in is_held]
    )
    astype_result = np.vstack([is_held, np.ones(k)]).astype(float)
    traded = set()
    for low, high in non_identified(unions_result, (0, k)):
        traded |= set(range(int(low), int(high)))
        piece = np.zeros(k)
        piece[int(low) : int(high)] = 1
        rank = np.linalg.matrix_rank(astype_result)
        assert np.linalg.matrix_rank(np.vstack([astype_result, piece])) == rank + 1
    ends = np.unique([0, k, *unions_result.lower, *unions_result.upper]).astype(int)
    for low, high in pairwise(ends):
        if low not in traded:
            piece = np.zeros(k)
            piece[low:high] = 1
            rank = np.linalg.matrix_rank(astype_result)
            assert np.linalg.matrix_rank(np.vstack([astype_result, piece])) == rank
