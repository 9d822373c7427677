"""Numbers from rings, exact stretches and withheld ranges, against exact counts and brute force."""

import numpy as np
import pytest

from askance import Line, RangeChannel, Ranges
from askance.channels import RingChannel, identified_range
from askance.errors import InputError
from askance.exact import Floor
from askance.inference import estimate_line
from askance.inference.line.line_estimate import cdf_covariance, shares_covariance

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
    seen = list(dict.fromkeys(inside))
    return np.array([seen.index(one) for one in inside])


def expected(channel, n=1e5):
    """Give each range with as many reports as are expected."""
    ends, chances = channel.cells()
    return ends, n * chances * channel.inside(ends, SHARES)


@pytest.mark.parametrize("name", CHANNELS)
def test_expected_counts_give_the_truth_back(name):
    channel = CHANNELS[name]
    found = estimate_line(channel, channel.ranges(*expected(channel)))
    number = atoms(channel)
    truth = np.bincount(number, SHARES)
    fitted = np.bincount(number, np.diff(found.distribution.cdf(np.arange(9.0))))
    alone = np.bincount(number) == 1
    if not identified_range(channel).unlearnt:
        assert fitted[alone] == pytest.approx(truth[alone], abs=1e-6)
    assert found.mean_low - 1e-6 <= SHARES @ (np.arange(8) + 0.5) <= found.mean_high + 1e-6
    cdf = np.concatenate([[0], np.cumsum(SHARES)])
    assert np.all(found.band_lower <= cdf + 1e-9)
    assert np.all(cdf <= found.band_upper + 1e-9)
    assert found.reports == pytest.approx(1e5 * (channel.inclusion_probability() @ SHARES), abs=1)


@pytest.mark.parametrize("name", CHANNELS)
def test_the_information_is_that_of_every_range_one_by_one(name):
    channel, number = CHANNELS[name], atoms(CHANNELS[name])
    ends, chances = channel.cells()
    inside = np.array([[channel.inside([e], row)[0] for row in np.eye(8)] for e in ends])
    mass, heard = inside @ SHARES, chances @ inside
    total = heard @ SHARES
    information = 50 / total * (inside.T * (chances / mass)) @ inside
    information -= 50 / total**2 * np.outer(heard, heard)
    one = np.unique(number, return_index=True)[1]
    sums = (number[None, :] == np.arange(number.max() + 1)[:, None]).astype(float)
    centred = (sums - (sums @ SHARES)[:, None])[:, one]
    inverse = np.linalg.pinv(information[np.ix_(one, one)], rcond=1e-9)
    variance = np.einsum("ri,ij,rj->r", centred, inverse, centred)
    assert shares_covariance(channel, 50, SHARES, sums) == pytest.approx(variance, rel=1e-9)


def test_for_plain_cuts_it_is_what_is_known_from_the_graph_of_cuts():
    channel = CHANNELS["two cuts"]
    below = np.tril(np.ones((8, 8)))[:7]
    cdf = np.concatenate([[0], np.cumsum(SHARES)])
    known = np.diag(cdf_covariance(channel, 50, cdf))
    assert shares_covariance(channel, 50, SHARES, below) == pytest.approx(known, rel=1e-9)
    sent = channel.ranges(*expected(channel, 1000))
    one, two = (estimate_line(channel, sent, stopping=stopping) for stopping in (True, False))
    assert one.mean_low == pytest.approx(two.mean_low, rel=1e-6)
    assert one.se == pytest.approx(two.se, rel=1e-3)  # nobody is taken to have stopped


@pytest.mark.parametrize("name", CHANNELS)
def test_ranges_of_every_law_are_read_back_as_their_cells(name):
    channel = CHANNELS[name]
    ends, chances = channel.cells()
    sent = np.where(chances > 0, 1000 + np.arange(len(ends)) ** 2.0, 0)
    read = estimate_line(channel, channel.ranges(ends, sent))
    meant, cells = {}, {}
    for cell, count in zip(ends.tolist(), sent, strict=True):
        meant[channel.pieces(*cell)] = meant.get(channel.pieces(*cell), 0) + count
        cells[channel.pieces(*cell)] = cell
    counts = {
        count: channel.inside([cells[at]], np.diff(read.cdf))[0] for at, count in meant.items()
    }
    assert len(counts) == len(meant)
    counts.pop(0, None)
    assert dict(zip(read.coverage_counts, read.coverage, strict=True)) == pytest.approx(counts)


def test_a_ring_never_reports_just_any_two_pieces():
    with pytest.raises(InputError, match=r"Ranges\[0\]: .*\| .* some draw of the cuts"):
        estimate_line(CHANNELS["ring"], Ranges.unions([[(0, 3), (4, 7)]]))


def test_nobody_reported():
    assert estimate_line(CHANNELS["ring"], Ranges([], [])).reports == 0
