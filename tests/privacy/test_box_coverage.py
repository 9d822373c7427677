"""Several numbers of one person: the coverage of the box, by brute force and by laws."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Cuts, Line, Progressive, Ring
from askance.privacy import box_coverage, coverage
from askance_collect.errors import InputError

CHANNELS = (
    Cuts(number=2, law=[1, 2, 1]).channel(Line(0, 4, 1)),
    Ring(floor="1/5", law=[1, 2, 1, 1]).channel(Line(0, 5, 1)),
    Progressive(number=2, floor="1/3").channel(Line(0, 3, 1)),
)


def joint(seed, shape):
    weights = np.random.default_rng(seed).exponential(size=shape)
    return weights / weights.sum()


@given(st.integers(0, 2**32), st.permutations(range(3)))
@settings(max_examples=20, deadline=None)
@pytest.mark.long
def test_it_is_the_sum_over_all_boxes(seed, order):
    channels = [CHANNELS[position] for position in order]
    p = joint(seed, [item.line.ticks for item in channels])
    expected = 0.0
    for cells in itertools.product(*(zip(*item.cells(), strict=True) for item in channels)):
        content = p
        for channel, (cell, _) in zip(channels, cells, strict=True):
            inside = [step for low, high in channel.pieces(*cell) for step in range(low, high)]
            content = content[inside].sum(axis=0)
        expected += float(np.prod([chance for _, chance in cells])) * float(content) ** 2
    assert float(box_coverage(channels, p).value) == pytest.approx(expected, rel=1e-9)


@pytest.mark.long
@given(st.integers(0, 2**32))
def test_numbers_apart_multiply_and_one_alone_is_its_own(seed):
    first, second = joint(seed, 4), joint(seed + 1, 5)
    pair = box_coverage(CHANNELS[:2], np.outer(first, second)).value
    alone = [coverage(item, p).value for item, p in zip(CHANNELS, (first, second), strict=False)]
    assert float(pair) == pytest.approx(float(alone[0]) * float(alone[1]), rel=1e-8)
    assert float(box_coverage(CHANNELS[:1], first).value) == pytest.approx(float(alone[0]))


@pytest.mark.parametrize(
    "wrong",
    [
        np.full(4, 0.25),
        np.full((5, 4), 0.05),
        np.full((4, 5), 0.06),
        np.full((4, 5), np.nan),
        np.array([[1.5, -0.5, 0, 0, 0]] + [[0] * 5] * 3),
        "even",
    ],
    ids=["one axis", "turned", "sum", "nan", "negative", "text"],
)
def test_what_is_no_joint_distribution_is_refused(wrong):
    with pytest.raises(InputError, match="box_coverage"):
        box_coverage(CHANNELS[:2], wrong)
    with pytest.raises(InputError, match="box_coverage"):
        box_coverage([], np.array(1.0))
