"""Ends as whole numbers: every way of sorting them gives the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference.ranges import support


@st.composite
def pieces(draw):
    n = draw(st.integers(1, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scale = draw(st.sampled_from([1.0, 1e-300, 1e300, 2.0**-40]))
    fine = draw(st.sampled_from([4, 10**9]))
    ends = np.sort(rng.integers(0, fine + 1, (n, 2)), axis=1) * (scale / fine)
    ends[rng.random(n) < 0.1] += 1.0  # ends that a scaled whole number cannot tell apart
    ends[rng.random(n) < 0.2, 0] = -np.inf
    ends[rng.random(n) < 0.2, 1] = np.inf
    return Ranges(ends, closed=draw(st.sampled_from(["both", "survival"])))


def plain(low, high):
    """Sort by value and kind, written out."""
    ends = sorted(
        [(v, 0, position) for position, v in enumerate(high)]
        + [(v, 1, position) for position, v in enumerate(low)]
    )
    lower, upper, first, past = [], [], {}, {}
    for before, (value, kind, index) in zip([(0, 0, 0), *ends], ends, strict=False):
        if kind:
            first[index] = len(lower)
            continue
        if before[1]:
            lower.append(before[0])
            upper.append(value)
        past[index] = len(lower)
    rows = range(len(low))
    return lower, upper, [first[row] for row in rows], [past[row] for row in rows]


@pytest.mark.parametrize(("small", "sample"), [(20_000, 2_048), (1, 1), (1, 2_048)])
@pytest.mark.long
def test_every_order_of_ends_is_the_plain_one(monkeypatch, small, sample):
    monkeypatch.setattr(support, "_SMALL", small)
    monkeypatch.setattr(support, "_SAMPLE", sample)

    @settings(max_examples=150, deadline=None)
    @given(pieces())
    def agree(drawn):
        encoded_result = support.encoded(drawn.lower, drawn.upper)
        assert [part.tolist() for part in encoded_result] == [
            list(p) for p in plain(drawn.lower, drawn.upper)
        ]

    agree()


def test_collisions_of_scaled_ends_are_put_right():
    rng = np.random.default_rng(3)
    low = np.concatenate([rng.random(30_000) * 2.0**-50, [0.5]])
    high = low + rng.random(30_001) * 2.0**-50 + 2.0**-60
    encoded_result = support.encoded(low, high)
    assert [part.tolist() for part in encoded_result] == [list(p) for p in plain(low, high)]


def test_a_few_ends_that_scale_alike_are_put_right_one_by_one():
    low = np.random.default_rng(5).random(30_000)
    low[:400] = low[400:800] + np.arange(400) % 3 * 2.0**-52
    high = low + 0.25
    order, in_order = support.ordered(low)
    assert order.tolist() == np.argsort(low, kind="stable").tolist()
    assert in_order.tolist() == np.sort(low).tolist()
    encoded_result = support.encoded(low, high)
    assert [part.tolist() for part in encoded_result] == [list(p) for p in plain(low, high)]
