"""Numbers from rings, exact stretches and withheld ranges, against exact counts and brute force."""

import numpy as np
import pytest

from askance import Line, RangeChannel, Ranges
from askance.channels import RingChannel, identified_range
from askance.inference import estimate_line
from askance_collect.errors import InputError
from askance_collect.exact import Floor

LINE = Line(0, 8, 1, "years")
HILL = [1, 2, 3, 4, 3, 2, 1]
SHARES = np.array([1, 2, 4, 5, 3, 2, 2, 1]) / 20
CHANNELS = {
    "two cuts": RangeChannel(LINE, HILL, 2),
    "floor": RangeChannel(LINE, HILL, 3, floor=Floor([1] * 8, 2)),
    "ring": RingChannel(LINE, HILL, Floor([1] * 8, 2)),
    "exact stretch": RangeChannel(LINE, [0, 1, 0, 0, 1, 0, 0], 2, open=[(2, 4)]),
    "withheld": RangeChannel(LINE, HILL, 2, floor=Floor([1] * 8, 3), withhold=True),
    "withheld above": RangeChannel(
        LINE, [0] * 3 + [1] * 4, 2, floor=Floor([1] * 8, 2), withhold=True
    ),
}


def atoms(channel):
    """Number the steps, alike where they are inside the same ranges."""
    ends = [channel.pieces(*cell) for cell in channel.cells()[0]]
    inside = [
        tuple(any(low <= step < high for low, high in pieces) for pieces in ends)
        for step in range(channel.line.ticks)
    ]
    items = list(dict.fromkeys(inside))
    return np.array([items.index(item) for item in inside])


def expected(channel, n=1e5):
    """Give each range with as many reports as are expected."""
    ends, chances = channel.cells()
    return ends, n * chances * channel.range_probabilities(ends, SHARES)


@pytest.mark.long
@pytest.mark.parametrize("name", CHANNELS)
def test_expected_counts_give_the_truth_back(name):
    channel = CHANNELS[name]
    estimate = estimate_line(channel, channel.ranges(*expected(channel)))
    number = atoms(channel)
    truth = np.bincount(number, SHARES)
    fitted = np.bincount(number, np.diff(estimate.distribution.cdf(np.arange(9.0))))
    alone = np.bincount(number) == 1
    if not identified_range(channel).unresolved:
        assert fitted[alone] == pytest.approx(truth[alone], abs=1e-6)
    assert estimate.mean_low - 1e-6 <= SHARES @ (np.arange(8) + 0.5) <= estimate.mean_high + 1e-6
    cdf = np.concatenate([[0], np.cumsum(SHARES)])
    assert np.all(estimate.band_lower <= cdf + 1e-9)
    assert np.all(cdf <= estimate.band_upper + 1e-9)
    assert estimate.reports == pytest.approx(
        1e5 * (channel.inclusion_probability() @ SHARES), abs=1
    )


def variances(channel, n, sums):
    """Give the variance of sums of shares, from the information of every range, one by one."""
    ends, chances = channel.cells()
    inside = np.array(
        [[channel.range_probabilities([e], row)[0] for row in np.eye(8)] for e in ends]
    )
    mass, received = inside @ SHARES, chances @ inside
    total = received @ SHARES
    information = n / total * (inside.T * (chances / mass)) @ inside
    information -= n / total**2 * np.outer(received, received)
    item = np.unique(atoms(channel), return_index=True)[1]
    centred = (sums - (sums @ SHARES)[:, None])[:, item]
    inverse = np.linalg.pinv(information[np.ix_(item, item)], rcond=1e-9)
    return np.einsum("ri,ij,rj->r", centred, inverse, centred)


@pytest.mark.long
@pytest.mark.parametrize("name", CHANNELS)
def test_errors_are_those_of_the_information_of_every_range_one_by_one(name):
    """The mean's, and the band's at every tick, of so many reports that the fit is the truth."""
    channel, z = CHANNELS[name], 1.959963984540054
    estimate = estimate_line(channel, channel.ranges(*expected(channel, 1e13)))
    number, ticks = atoms(channel).tolist(), np.arange(9)
    first = np.array([number.index(item) for item in number])
    last = np.array([7 - number[::-1].index(item) for item in number])
    ends = np.stack([estimate.ticks[first], estimate.ticks[last + 1]])
    variance = variances(channel, estimate.reports, ends)
    assert estimate.se == pytest.approx(variance.max() ** 0.5, rel=1e-6)
    for band, below, sign in (
        (estimate.band_lower, (last < ticks[:, None]) * 1.0, -1),
        (estimate.band_upper, (first < ticks[:, None]) * 1.0, 1),
    ):
        upto, variance = below @ SHARES, variances(channel, estimate.reports, below)
        is_shown = (upto > 1e-9) & (upto < 1 - 1e-9)
        assert is_shown.sum() >= 4
        plain = upto * (1 - upto) / estimate.reports
        reach = z * np.sqrt(np.maximum(variance, plain))  # no report tells more than a plain number
        np.testing.assert_allclose((band - upto)[is_shown] / reach[is_shown], sign, rtol=1e-4)


def test_for_plain_cuts_it_is_what_is_known_from_the_graph_of_cuts():
    """By two ways: of the graph of cuts, and of ranges of any shape, as where people stop."""
    channel = CHANNELS["two cuts"]
    ranges_result = channel.ranges(*expected(channel, 1000))
    item, two = (
        estimate_line(channel, ranges_result, stopping=stopping) for stopping in (True, False)
    )
    assert item.mean_low == pytest.approx(two.mean_low, rel=1e-6)
    assert item.se == pytest.approx(two.se, rel=1e-3)  # nobody is taken to have stopped
    assert item.band_lower == pytest.approx(two.band_lower, abs=1e-3)
    assert item.band_upper == pytest.approx(two.band_upper, abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("name", CHANNELS)
def test_ranges_of_every_law_are_read_back_as_their_cells(name):
    channel = CHANNELS[name]
    ends, chances = channel.cells()
    selected = np.where(chances > 0, 1000 + np.arange(len(ends)) ** 2.0, 0)
    read = estimate_line(channel, channel.ranges(ends, selected))
    meant, cells = {}, {}
    for cell, count in zip(ends.tolist(), selected, strict=True):
        meant[channel.pieces(*cell)] = meant.get(channel.pieces(*cell), 0) + count
        cells[channel.pieces(*cell)] = cell
    counts = {
        count: channel.range_probabilities([cells[key]], np.diff(read.cdf))[0]
        for key, count in meant.items()
    }
    assert len(counts) == len(meant)
    counts.pop(0, None)
    assert dict(zip(read.coverage_counts, read.coverage, strict=True)) == pytest.approx(counts)


def test_a_ring_never_reports_just_any_two_pieces():
    with pytest.raises(InputError, match=r"Ranges\[0\]: .*\| .* some draw of the cuts"):
        estimate_line(CHANNELS["ring"], Ranges.unions([[(0, 3), (4, 7)]]))


def test_nobody_reported():
    assert estimate_line(CHANNELS["ring"], Ranges([], [])).reports == 0
