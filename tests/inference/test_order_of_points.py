"""Intervals of a share: what was asked before leaves no trace, and the outermost share counts."""

import numpy as np
import pytest
from scipy.stats import norm

from askance.channels import InclusionProbability, Ranges
from askance.inference import cdf_intervals, quantile_intervals
from askance.inference.intervals.cdf_intervals import closely
from askance.inference.intervals.outermost_share import squared_deviate
from askance.inference.intervals.profile_likelihood import (
    CellLikelihood,
    ConstrainedShare,
)

DIPS = [
    (40, 0, 3 / 12, False, 1.47),
    (40, 5, 9 / 12, True, 1.87),
    (40, 11, 7 / 12, True, 1.55),
    (60, 11, 5 / 12, False, 1.12),
]
"""How many tell, a seed, a point, a side, and a critical value where the deviate dips."""

INCLUSION = InclusionProbability([0, 0.3, 0.6, 1], [0.4, 1.0, 0.7])


def ring(n, seed):
    """Draw two cuts each, and tell whether the number is between them or on either side."""
    rng = np.random.default_rng(seed)
    y, cuts = rng.random(n), np.sort(rng.integers(1, 12, (n, 2)) / 12, axis=1)
    is_kept = cuts[:, 0] < cuts[:, 1]
    y, cuts = y[is_kept], cuts[is_kept]
    inside = (y > cuts[:, 0]) & (y <= cuts[:, 1])
    pieces = [
        [(low, high)] if between else [(-np.inf, low), (high, np.inf)]
        for (low, high), between in zip(cuts.tolist(), inside, strict=True)
    ]
    ends = np.array([piece for result in pieces for piece in result])
    return Ranges(ends[:, 0], ends[:, 1], pieces=[len(result) for result in pieces])


def one_piece(n, seed, cuts):
    rng = np.random.default_rng(seed)
    y, cut = rng.random(n), np.sort(rng.random((n, cuts)), axis=1)
    ends = np.column_stack([np.full(n, -np.inf), cut, np.full(n, np.inf)])
    cell, row = (y[:, None] > cut).sum(axis=1), np.arange(n)
    return Ranges(ends[row, cell], ends[row, cell + 1])


DATA = {
    "ring": (ring(40, 11), None),
    "ring, seen unalike": (ring(20, 3), INCLUSION),
    "one cut": (one_piece(60, 1, 1), None),
    "two cuts": (one_piece(60, 2, 2), None),
}


def profile(case):
    """Go along a profile by crowds each a hundredth larger: sizes, shares, deviates."""
    n, seed, point, up, _ = case
    ring_result = ring(n, seed)
    ask = CellLikelihood.of(ring_result, closely(ring_result, ring_result.total)).crowd_effect(
        point, up=up
    )
    sizes = np.arange(-1.0, np.log(n) + 1, 0.01)
    values = np.array([ask(float(np.exp(size))) for size in sizes])
    rows = zip(sizes, values, strict=True)
    far = [asked_plainly(size, share, fall, up=up) for size, (share, fall) in rows]
    return sizes, values[:, 0], np.array(far)


def asked_plainly(size, share, fall, *, up):
    agree = min(share if up else 1 - share, 1 - 1e-12)
    return squared_deviate(max(fall, 0.0), float(np.exp(size)) * (1 - agree), agree)


def from_the_last(far, start, critical):
    """Find the crossing nearest to where a search begins: a twin that remembers."""
    allowed = far <= critical
    index = start
    while allowed[index]:
        index += 1
    while not allowed[index]:
        index -= 1
    return index


@pytest.mark.parametrize("case", DIPS)
@pytest.mark.long
def test_an_interval_reaches_to_the_outermost_share_that_is_allowed(case):
    n, seed, point, up, critical = case
    ring_result = ring(n, seed)
    share = ConstrainedShare(ranges=ring_result, fit=closely(ring_result, ring_result.total))
    end, _ = share.end(point, critical, up=up)
    _, shares, far = profile(case)
    last = int(np.flatnonzero(far <= critical)[-1])
    assert end == pytest.approx(shares[last], abs=2 * abs(shares[last + 1] - shares[last]) + 1e-4)
    sign = 1 if up else -1
    for nearer in (0.002, 0.01, 0.03):
        assert share.allows(point, end - sign * nearer, critical)
        assert not share.allows(point, end + sign * nearer, critical)
    inner, outer = (from_the_last(far, start, critical) for start in (0, len(far) - 2))
    assert outer == last
    assert sign * (shares[outer] - shares[inner]) > 0.005


@pytest.mark.parametrize("kind", DATA)
@pytest.mark.long
def test_the_order_of_points_does_not_matter(kind):
    ranges, inclusion = DATA[kind]
    rng = np.random.default_rng(5)
    few = 1 if inclusion else 4
    points = rng.choice(np.unique(ranges.lower[np.isfinite(ranges.lower)]), few, replace=False)
    fit = closely(ranges, ranges.total, inclusion)
    questions = [
        (float(index), most, up) for index in points for most in (0.9, 2.6) for up in (False, True)
    ]

    def fresh():
        return ConstrainedShare(ranges=ranges, fit=fit, inclusion=inclusion)

    alone = {item: fresh().end(*item[:2], up=item[2])[0] for item in questions}
    for _ in range(1 if inclusion else 4):
        fresh_result = fresh()
        for which in rng.permutation(len(questions)):
            point, most, up = question = questions[which]
            assert fresh_result.end(point, most, up=up) == (alone[question], most)
            share, sign = alone[question], 1 if up else -1
            for number in (-0.02, 0.02):
                beyond = share + sign * number
                if 0 < beyond < 1 and inclusion is None:
                    excess = fresh_result.excess(point, beyond, most, up=up)[0]
                    assert (excess > 0) == (number > 0)
                    assert (excess > 0) == (fresh().excess(point, beyond, most, up=up)[0] > 0)


@pytest.mark.parametrize("kind", ["ring", "one cut", "two cuts"])
@pytest.mark.long
def test_points_and_shares_asked_together_are_as_asked_alone(kind):
    ranges, _ = DATA[kind]
    points = np.unique(ranges.lower[np.isfinite(ranges.lower)])[1:-1:2]
    intervals = cdf_intervals(ranges, points)
    alone = [cdf_intervals(ranges, [point]) for point in points]
    assert intervals.lower.tolist() == [item.lower[0] for item in alone]
    assert intervals.upper.tolist() == [item.upper[0] for item in alone]
    shares = [0.1, 0.3, 0.5, 0.8]
    result = quantile_intervals(ranges, shares)
    one_by_one = [quantile_intervals(ranges, [share]) for share in shares]
    assert result.lower.tolist() == [item.lower[0] for item in one_by_one]
    assert result.upper.tolist() == [item.upper[0] for item in one_by_one]


def test_where_nobody_agrees_the_deviate_is_of_the_fall_alone():
    """Twin: such a fall read as fewer people's, as rounding once had it, is less rare."""
    rng = np.random.default_rng(8)
    for share, fall in zip(rng.uniform(0.01, 0.9999, 300), rng.uniform(0.5, 6, 300), strict=True):
        pull = 0.4 * fall * share / -np.log1p(-share)
        rare = norm.ppf(np.exp(-fall) / 2) ** 2
        assert squared_deviate(fall, pull, share) == pytest.approx(rare)
        assert norm.ppf((1 - share) ** (pull / share) / 2) ** 2 < 0.9 * rare
