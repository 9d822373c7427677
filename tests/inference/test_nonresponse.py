"""People who do not reply: bounds beside the formula, and what the form's own blanks leave."""

import numpy as np
import pytest

import askance as ak
from askance.errors import InputError
from askance.inference import estimate_sets, nonresponse_bounds

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
SHARE = (0.4 - 0.25) / 0.5  # of yes among those who reply


def asked(blanks=250, channel=WARNER):
    return ak.Tally(channel, {"yes": 400, "no": 600}, blanks=blanks)


def test_bounds_are_the_worst_cases():
    found, replied = nonresponse_bounds(asked()), 0.8
    assert found.low == pytest.approx([replied * SHARE, replied * (1 - SHARE)], abs=1e-6)
    assert found.high - found.low == pytest.approx([0.2, 0.2], abs=1e-6)
    assert (found.lower < found.low).all()
    assert (found.high < found.upper).all()


def test_where_all_reply_it_is_the_estimate():
    found = nonresponse_bounds(asked(blanks=0))
    known = estimate_sets(asked(blanks=0), {"yes": ["yes"], "no": ["no"]})
    assert found.low == pytest.approx(known.low, abs=1e-6)
    assert found.high == pytest.approx(known.high, abs=1e-6)
    assert found.lower == pytest.approx(known.lower, abs=1e-4)


def test_who_sent_nothing_at_all_counts_as_a_blank():
    one, other = nonresponse_bounds(asked(100), silent=150), nonresponse_bounds(asked(250))
    assert one.to_dict() == other.to_dict()


def test_blanks_that_the_form_sends_by_chance_leave_nothing_open():
    by_chance = nonresponse_bounds(asked(), by_chance="1/5")
    assert by_chance.low == pytest.approx([SHARE, 1 - SHARE], abs=1e-5)
    assert by_chance.high == pytest.approx(by_chance.low, abs=1e-5)
    half = nonresponse_bounds(asked(), by_chance="1/10")
    silent = (0.2 - 0.1) / 0.9
    assert half.high - half.low == pytest.approx([silent, silent], abs=1e-5)


def test_monotone_selection_raises_one_bound():
    found, worst = nonresponse_bounds(asked(), at_least="yes"), nonresponse_bounds(asked())
    assert found.low == pytest.approx([SHARE, worst.low[1]], abs=1e-6)
    assert found.high == pytest.approx([worst.high[0], 1 - SHARE], abs=1e-6)
    assert found.lower[0] > worst.lower[0]
    assert found.upper[1] < worst.upper[1]
    three = ak.KAry(truth="7/10").channel(ak.Frame(["a", "b", "c"]))
    tally = ak.Tally(three, {"a": 300, "b": 200, "c": 100}, blanks=100)
    raised, open_ones = nonresponse_bounds(tally, at_least="b"), nonresponse_bounds(tally)
    assert raised.low[1] > open_ones.low[1] + 0.01
    assert raised.high.tolist() == open_ones.high.tolist()


@pytest.mark.long
def test_bounds_at_an_edge_are_covered_by_their_interval():
    """Nobody who replies says yes: the upper bound still allows for few reports."""
    plain = ak.KAry(truth="1").channel(YN)
    found = nonresponse_bounds(ak.Tally(plain, {"yes": 0, "no": 40}, blanks=10))
    assert found.low[0] == 0
    assert found.high[0] == pytest.approx(0.2, abs=1e-6)
    assert found.upper[0] > 0.28
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        replies = rng.multinomial(200, [0.8 * 0.375, 0.8 * 0.625, 0.2])
        yes, no, blank = replies.tolist()
        told = nonresponse_bounds(ak.Tally(WARNER, {"yes": yes, "no": no}, blanks=blank))
        hits += told.lower[0] <= 0.8 * 0.25 and told.upper[0] >= 0.8 * 0.25 + 0.2
    assert hits >= 50


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"silent": -1}, "silent"),
        ({"by_chance": 1}, "by_chance"),
        ({"by_chance": "nan"}, "by_chance"),
        ({"at_least": "maybe"}, "at_least"),
        ({"level": 0}, "level"),
    ],
)
def test_what_means_nothing_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        nonresponse_bounds(asked(), **given)
