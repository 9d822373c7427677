"""People who do not reply: bounds beside the formula, and what the form's own blanks leave."""

import numpy as np
import pytest

import askance as ak
from askance.channels import GroupedTally
from askance.inference import estimate_sets, nonresponse_bounds
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
SHARE = (0.4 - 0.25) / 0.5  # of yes among those who reply


def asked(blanks=250, channel=WARNER):
    return ak.Tally(channel, {"yes": 400, "no": 600}, blanks=blanks)


def test_bounds_are_the_worst_cases():
    bounds, replied = nonresponse_bounds(asked()), 0.8
    assert bounds.low == pytest.approx([replied * SHARE, replied * (1 - SHARE)], abs=1e-6)
    assert bounds.high - bounds.low == pytest.approx([0.2, 0.2], abs=1e-6)
    assert (bounds.lower < bounds.low).all()
    assert (bounds.high < bounds.upper).all()


def test_where_all_reply_it_is_the_estimate():
    bounds = nonresponse_bounds(asked(blanks=0))
    estimate = estimate_sets(asked(blanks=0), {"yes": ["yes"], "no": ["no"]})
    assert bounds.low == pytest.approx(estimate.low, abs=1e-6)
    assert bounds.high == pytest.approx(estimate.high, abs=1e-6)
    assert bounds.lower == pytest.approx(estimate.lower, abs=1e-4)


def test_who_sent_nothing_at_all_counts_as_a_blank():
    bounds, other = (
        nonresponse_bounds(asked(100), nonrespondents=150),
        nonresponse_bounds(asked(250)),
    )
    assert bounds.to_dict() == other.to_dict()


def test_blanks_that_the_form_sends_by_chance_leave_nothing_open():
    bounds = nonresponse_bounds(asked(), blank_chance="1/5")
    assert bounds.low == pytest.approx([SHARE, 1 - SHARE], abs=1e-5)
    assert bounds.high == pytest.approx(bounds.low, abs=1e-5)
    half = nonresponse_bounds(asked(), blank_chance="1/10")
    silent = (0.2 - 0.1) / 0.9
    assert half.high - half.low == pytest.approx([silent, silent], abs=1e-5)


def test_monotone_selection_raises_one_bound():
    bounds, worst = (
        nonresponse_bounds(asked(), monotone_selection="yes"),
        nonresponse_bounds(asked()),
    )
    assert bounds.low == pytest.approx([SHARE, worst.low[1]], abs=1e-6)
    assert bounds.high == pytest.approx([worst.high[0], 1 - SHARE], abs=1e-6)
    assert bounds.lower[0] > worst.lower[0]
    assert bounds.upper[1] < worst.upper[1]
    three = ak.KAry(truth="7/10").channel(ak.Frame(["a", "b", "c"]))
    tally = ak.Tally(three, {"a": 300, "b": 200, "c": 100}, blanks=100)
    raised, open_ones = nonresponse_bounds(tally, monotone_selection="b"), nonresponse_bounds(tally)
    assert raised.low[1] > open_ones.low[1] + 0.01
    assert raised.high.tolist() == open_ones.high.tolist()


@pytest.mark.long
def test_bounds_at_an_edge_are_covered_by_their_interval():
    """Nobody who replies says yes: the upper bound still allows for few reports."""
    plain = ak.KAry(truth="1").channel(YN)
    bounds = nonresponse_bounds(ak.Tally(plain, {"yes": 0, "no": 40}, blanks=10))
    assert bounds.low[0] == 0
    assert bounds.high[0] == pytest.approx(0.2, abs=1e-6)
    assert bounds.upper[0] > 0.28
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        replies = rng.multinomial(200, [0.8 * 0.375, 0.8 * 0.625, 0.2])
        yes, no, blank = replies.tolist()
        result = nonresponse_bounds(ak.Tally(WARNER, {"yes": yes, "no": no}, blanks=blank))
        hits += result.lower[0] <= 0.8 * 0.25 and result.upper[0] >= 0.8 * 0.25 + 0.2
    assert hits >= 50


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"nonrespondents": -1}, "nonrespondents"),
        ({"blank_chance": 1}, "blank_chance"),
        ({"blank_chance": "nan"}, "blank_chance"),
        ({"monotone_selection": "maybe"}, "monotone_selection"),
        ({"level": 0}, "level"),
    ],
)
def test_what_means_nothing_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        nonresponse_bounds(asked(), **given)


PLAIN = ak.KAry(truth="1").channel(YN)


def arms(coin=(400, 600, 250), plain=(130, 370, 300)):
    """A group that throws a coin, and one that is asked plainly and replies less."""
    result = {"coin": (WARNER, coin), "plainly": (PLAIN, plain)}
    return GroupedTally(
        {
            name: ak.Tally(channel, {"yes": yes, "no": no}, blanks=blanks)
            for name, (channel, (yes, no, blanks)) in result.items()
        }
    )


def test_groups_bound_the_same_shares():
    """By the formula: θ is at least what replies of any group make certain, for each answer."""
    three = ak.Frame(["a", "b", "c"])
    result = {
        "most": (ak.KAry(truth="7/10").channel(three), np.array([0.3, 0.4, 0.1, 0.2])),
        "few": (ak.KAry(truth="1").channel(three), np.array([0.35, 0.05, 0.1, 0.5])),
    }
    tallies = {}
    for name, (channel, replied) in result.items():
        tolist_result = np.rint(1e6 * replied[:3] @ channel.matrix).astype(int).tolist()
        blanks = 10**6 - sum(tolist_result)
        counts = dict(zip(channel.reports, tolist_result, strict=True))
        tallies[name] = ak.Tally(channel, counts, blanks=blanks)
    bounds = nonresponse_bounds(GroupedTally(tallies))
    assert bounds.low == pytest.approx([0.35, 0.4, 0.1], abs=1e-5)
    assert bounds.high == pytest.approx([0.5, 0.55, 0.25], abs=1e-5)
    assert (bounds.lower < bounds.low).all()
    assert (bounds.high < bounds.upper).all()


def test_ends_of_groups_are_those_of_a_grid():
    """Held at u, each group by itself explains its reports by at most u of yes, and 1 − u of no."""
    asked_ways, parts = arms(), np.linspace(0, 1, 101)
    counts = [(400, 600, 250), (130, 370, 300)]

    def fall(u):
        total = 0.0
        for (yes, no, blank), tally in zip(counts, asked_ways.tallies.values(), strict=True):
            chance = tally.channel.matrix
            first, last = np.meshgrid(u * parts, (1 - u) * parts)
            reports = [first * chance[0, j] + last * chance[1, j] for j in (0, 1)]
            with np.errstate(divide="ignore"):
                total += (
                    yes * np.log(reports[0])
                    + no * np.log(reports[1])
                    + blank * np.log(1 - first - last)
                ).max()
        return total

    top = max(fall(u) for u in np.linspace(0.2, 0.4, 41))
    bounds = nonresponse_bounds(asked_ways)
    assert 2 * (top - fall(bounds.low[0])) == pytest.approx(0, abs=0.02)
    assert 2 * (top - fall(bounds.lower[0])) == pytest.approx(3.8415, abs=0.05)
    assert 2 * (top - fall(bounds.upper[0])) == pytest.approx(3.8415, abs=0.05)


def test_groups_of_whom_all_reply_are_pooled():
    everybody = arms((400, 600, 0), (130, 370, 0))
    bounds, known_estimate = nonresponse_bounds(everybody), ak.estimate(everybody)
    assert bounds.low == pytest.approx(known_estimate.value, abs=1e-5)
    assert bounds.high == pytest.approx(bounds.low, abs=1e-5)
    raised = nonresponse_bounds(everybody, monotone_selection="yes")
    assert raised.low == pytest.approx(bounds.low, abs=1e-5)
    item, alone = nonresponse_bounds(GroupedTally({"coin": asked()})), nonresponse_bounds(asked())
    fit = {"goodness_of_fit": None}  # of groups it names the group, and its worst test
    assert item.to_dict() | fit == alone.to_dict() | fit
    assert item.goodness_of_fit.p_value == alone.goodness_of_fit.p_value
    assert [test.group for test in item.goodness_of_fit.tests] == ["coin"]


def test_a_group_that_replies_less_takes_nothing_away():
    alone, bounds = nonresponse_bounds(asked()), nonresponse_bounds(arms(plain=(10, 90, 400)))
    assert bounds.low == pytest.approx(alone.low, abs=1e-6)
    assert bounds.high == pytest.approx(alone.high, abs=1e-6)
    raised = nonresponse_bounds(arms(), monotone_selection="yes")
    assert raised.low[0] == pytest.approx((0.8 * 0.3 * 1250 + 130) / (1000 + 500), abs=1e-3)


@pytest.mark.parametrize(
    ("tally", "given", "told"),
    [
        (arms(), {"nonrespondents": 5}, "5 people of no group.*blanks of the group"),
        (
            arms((250, 750, 0), (190, 10, 800)),
            {"monotone_selection": "yes"},
            "monotone_selection.*leave it out",
        ),
        (
            GroupedTally({str(index): asked() for index in range(8)}),
            {},
            "8 groups.*at most 5 groups where there are 2 answers.*each group by itself",
        ),
    ],
)
def test_what_groups_cannot_say_is_refused(tally, given, told):
    with pytest.raises(InputError, match=told):
        nonresponse_bounds(tally, **given)
