"""Columns are privatised by their channel's law, and what was sent estimates back."""

import math
from fractions import Fraction

import numpy as np
import pytest
from budget import alarm, dice, judge, trials

from askance import Channel, Frame, KAry, Tally, privatise
from askance.inference import moment_estimate
from askance_collect.exact import Table

pytestmark = pytest.mark.odds

DEFECT = 0.01
"""A chance that is wrong by this much must be found."""

ABC = Frame(["a", "b", "c"])
ROWS = ((1, 2, 0, 4), (3, 3, 1, 0), (0, 1, 6, 0))


def written(rows):
    reports = {f"r{index}": ["a"] for index in range(4)}
    return Channel(ABC, reports, Table(sum(rows[0]), rows))


CHANNELS = {"alias tables": written(ROWS), "own report": KAry(truth="2/5").channel(ABC)}


def verdicts(name, published, channel):
    """Judge every report under every answer of a column that went through another channel."""
    spend = alarm(name) / len(CHANNELS) / published.matrix.size
    distinct = set()
    for answer, row in zip(published.frame.answers, published.matrix.tolist(), strict=True):
        inner = [chance for chance in row if 0 < chance < 1]
        n = max(
            trials((element, element), (min(element + DEFECT, 1.0),), spend) for element in inner
        )
        chance = {"coin": True} if "coin" in name else {"rng": dice(name)}
        sent_reports = privatise(channel, np.full(n, answer), **chance)
        for report, item in zip(published.reports, row, strict=True):
            number = int(np.count_nonzero(sent_reports == report))
            assert item or not number
            distinct.add(judge(number, n, (item, item), spend) if item else "holds")
    return distinct


@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("name", ["privatise, dice", "privatise, coin"])
def test_reports_follow_the_channel(name, kind):
    assert verdicts(name, CHANNELS[kind], CHANNELS[kind]) == {"holds"}


@pytest.mark.parametrize("name", ["privatise, dice", "privatise, coin"])
def test_another_channel_is_refused(name):
    items = tuple(tuple(100 * item for item in row) for row in ROWS)
    twin = ((115, 185, 0, 400), *items[1:])
    assert {"too low", "too high"} <= verdicts(name, CHANNELS["alias tables"], written(twin))


def missed(sent_through, n):
    """By how much more than chance allows the estimated shares miss those of the column."""
    published, shares = CHANNELS["own report"], np.array([0.5, 0.3, 0.2])
    answers = np.repeat(ABC.answers, (n * shares).astype(int))
    reports = privatise(sent_through, answers, rng=dice("privatise, estimated back"))
    names, counts = np.unique(reports, return_counts=True)
    result = moment_estimate(Tally(published, dict(zip(names, counts.tolist(), strict=True)))).value
    slope = 1 / (published.matrix[0, 0] - published.matrix[0, 1])  # of each report's weight
    spend = alarm("privatise, estimated back") / len(shares)
    allowed = slope * math.sqrt(math.log(2 / spend) / (2 * n))  # Hoeffding
    return float(np.abs(result - shares).max()) / allowed


def test_what_was_sent_estimates_back():
    assert missed(CHANNELS["own report"], 2_000_000) <= 1


def test_reports_with_too_much_truth_do_not():
    assert missed(KAry(truth=Fraction(41, 100)).channel(ABC), 2_000_000) > 1
