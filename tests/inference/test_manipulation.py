"""False reports: how far they move an estimate at most, and what is known in spite of them."""

from functools import cache
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

import askance as ak
from askance.channels import RingChannel
from askance.inference import estimate_line, mean_manipulation, range_manipulation
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import Floor

YES_NO = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YES_NO)
ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(YES_NO)
KARY = ak.KAry.at_epsilon(1).channel(ak.Frame(["a", "b", "c"]))


def splits(n, m):
    """List all tallies of n reports of m kinds."""
    return [np.bincount(kinds, minlength=m) for kinds in combinations_with_replacement(range(m), n)]


@pytest.mark.parametrize("channel", [WARNER, KARY], ids=["warner", "k-ary"])
@pytest.mark.parametrize(("honest", "false"), [(4, 1), (8, 3), (4, 5)])
def test_the_bounds_are_the_worst_of_all_tallies(channel, honest, false):
    """Every tally of honest reports beside every one of false reports."""
    m = len(channel.reports)
    inverse = np.linalg.inv(channel.matrix)
    far, cut = 0.0, 0.0
    for tally, added in product(splits(honest, m), splits(false, m)):
        before, after = tally @ inverse / honest, (tally + added) @ inverse / (honest + false)
        far = np.maximum(far, np.abs(after - before))
        cut = np.maximum(cut, np.abs(np.clip(after, 0, 1) - np.clip(before, 0, 1)))
    manipulation_result = ak.inference.manipulation(channel, false, honest + false)
    assert manipulation_result.unbiased == pytest.approx(far)
    assert np.all(cut <= manipulation_result.clipped + 1e-12)
    if channel is WARNER:
        assert manipulation_result.clipped == pytest.approx(cut)  # 1 of 4 is an honest share of 0


def test_reports_that_say_nothing_leave_false_ones_the_more_weight():
    """Of 900 honest reports 630 say anything: 100 of 730, times (1 − 1/7)/(5/7)."""
    manipulation_result = ak.inference.manipulation(ABSTAIN, 100, 1_000)
    assert manipulation_result.clipped == pytest.approx([100 / 730 * 1.2] * 2)
    assert manipulation_result.unbiased == pytest.approx([100 / 730 * 1.4] * 2)
    assert manipulation_result.linear


def test_plain_answers_are_moved_one_for_one_and_unsendable_reports_move_nothing():
    plain = ak.Warner(truth=1).channel(YES_NO)
    assert ak.inference.manipulation(plain, 100, 1_000).clipped.tolist() == [0.1, 0.1]
    padded = ak.Channel(
        YES_NO, {"a": ["yes"], "b": ["no"], "c": ["no"]}, [[0.75, 0.25, 0], [0.25, 0.75, 0]]
    )
    assert ak.inference.manipulation(padded, 1, 9).clipped == pytest.approx(
        ak.inference.manipulation(WARNER, 1, 9).clipped
    )
    assert not ak.inference.manipulation(KARY, 1, 9).linear


@pytest.mark.parametrize(("false", "reports"), [(-1, 5), (6, 5), (0, 0)])
def test_more_false_reports_than_reports_are_refused(false, reports):
    with pytest.raises(InputError, match="manipulation"):
        ak.inference.manipulation(WARNER, false, reports)


def test_what_is_not_identified_has_no_bound():
    blind = ak.Channel(YES_NO, {"a": ["yes"], "b": ["no"]}, [[0.5, 0.5]] * 2)
    with pytest.raises(NotIdentified):
        ak.inference.manipulation(blind, 1, 9)


@pytest.mark.long
def test_no_false_reports_under_one_cut_move_the_mean_further():
    """Every honest tally that ascends beside every pair of false reports, fitted."""
    channel = ak.RangeChannel(ak.Line(0, 3, 1), [1, 2])
    cells, honest, false = np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), (3, 6), 2
    worst = 0.0
    for low, high in product(range(honest[0] + 1), range(honest[1] + 1)):
        if low / honest[0] > high / honest[1]:
            continue
        tally = np.array([low, honest[0] - low, high, honest[1] - high])
        before = ak.estimate_line(channel, channel.ranges(cells, tally))
        for added in splits(false, 4):
            after = ak.estimate_line(channel, channel.ranges(cells, tally + added))
            shifted = abs(after.mean_low - before.mean_low), abs(after.mean_high - before.mean_high)
            worst = max(worst, *shifted)
    bound = mean_manipulation(channel, false, sum(honest) + false)
    assert worst <= bound + 1e-9
    assert worst > 0.9 * bound


def test_the_water_filled_bound_is_the_best_of_a_grid():
    channel = ak.RangeChannel(ak.Line(0, 4, 1), [1, 5, 2])
    honest, false = 90 * np.array([1, 5, 2]) / 8, 10
    grid = np.linspace(0, false, 201)
    first, second = np.meshgrid(grid, grid)
    rest = false - first - second
    total = sum(
        np.where(rest >= 0, reports / (reports + n), 0)
        for reports, n in zip((first, second, np.maximum(rest, 0)), honest, strict=True)
    )
    assert mean_manipulation(channel, false, 100) == pytest.approx(total.max(), rel=1e-4)
    assert mean_manipulation(channel, 0, 100) == 0


def test_where_nobody_is_honest_the_mean_is_theirs():
    channel = ak.RangeChannel(ak.Line(0, 4, 1), [1, 5, 2])
    for n in (1, 7):
        assert mean_manipulation(channel, n, n) == pytest.approx(3)
    nearly = mean_manipulation(channel, 1, 1 + 1e-9)
    assert nearly == pytest.approx(3, abs=1e-3)


FOUR = ak.Line(0, 4, 1)
LAWS = {
    "one cut": ak.RangeChannel(FOUR, [1, 3, 2]),
    "two cuts": ak.RangeChannel(FOUR, [1, 2, 1], 2),
    "three cuts": ak.RangeChannel(FOUR, [1, 1, 1], 3),
    "a floor": ak.RangeChannel(FOUR, [1, 2, 1], 2, floor=Floor([1] * 4, 2)),
    "some withheld": ak.RangeChannel(FOUR, [1, 2, 1], 2, floor=Floor([1] * 4, 2), withhold=True),
    "one step exact": ak.RangeChannel(FOUR, [1, 2, 1], open=[(3, 4)]),
    "ring": RingChannel(FOUR, [1, 2, 1], Floor([1] * 4, 1)),
}
PEOPLE = np.array([0.4, 0.1, 0.2, 0.3])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("false", [pytest.param(50, marks=pytest.mark.wide), 300])
@pytest.mark.long
def test_no_false_ranges_move_the_fit_further(law, false):
    """Expected honest reports beside every placement of the false ones in two equal lots."""
    channel = LAWS[law]
    ends, chances = channel.cells()
    reports = chances * channel.range_probabilities(ends, PEOPLE)
    honest = (1_000 - false) * reports / reports.sum()
    before = estimate_line(channel, channel.ranges(ends, honest))
    manipulation = range_manipulation(channel, PEOPLE, false, 1_000)
    probabilities = channel.range_probabilities(ends, np.diff(before.cdf))
    assert probabilities == pytest.approx(channel.range_probabilities(ends, PEOPLE), abs=1e-4)
    worst, low, high = (
        0.0,
        dict.fromkeys(manipulation.quantiles, 4.0),
        dict.fromkeys(manipulation.quantiles, 0.0),
    )
    for added in splits(2, len(ends)):
        after = estimate_line(channel, channel.ranges(ends, honest + false * added / 2))
        shifted = abs(after.mean_low - before.mean_low), abs(after.mean_high - before.mean_high)
        worst = max(worst, *shifted)
        for share in manipulation.quantiles:
            step = np.searchsorted(after.cdf, share)
            low[share], high[share] = min(low[share], step), max(high[share], step)
    assert worst <= manipulation.mean + 1e-6
    assert manipulation.mean < (1.3 if law == "some withheld" else 1.1) * worst
    for share, (least, most) in manipulation.quantiles.items():
        assert least < low[share] <= high[share] <= most


@pytest.mark.long
def test_people_who_stand_apart_are_moved_by_the_chance_to_be_parted():
    """All at one end, and reports of the other: γ/(γ + (1 − γ) D) of the fit go there."""
    channel = ak.RangeChannel(ak.Line(0, 10, 1), [1] * 9, 2)
    manipulation = range_manipulation(channel, [1] + [0] * 9, 100, 1_000)
    assert manipulation.mean == pytest.approx(
        0.9, rel=0.03
    )  # cuts part the two ends in any case: a tenth
    assert manipulation.direct == pytest.approx(0.9)
    assert range_manipulation(channel, [1] * 10, 0, 1_000, [0.55]).mean == 0
    few = range_manipulation(channel, [1] * 10, 1, 10**12, [0.55])
    assert few.mean < 1e-4
    assert few.quantiles[0.55] == (5, 6)


@pytest.mark.long
def test_more_numbers_than_can_be_gone_through_are_thinned():
    fine = ak.RangeChannel(ak.Line(0, 10, "1/10"), [1] * 99, 2)
    coarse = ak.RangeChannel(ak.Line(0, 10, "1/4"), [1] * 39, 2)
    item, other = (
        range_manipulation(channel, [1] * channel.line.ticks, 20, 1_000, [])
        for channel in (fine, coarse)
    )
    assert item.mean == pytest.approx(other.mean, rel=0.05)
    assert (item.is_approximate, other.is_approximate) == (True, False)
    assert "near the bounds" in str(item)
    assert "near the bounds" not in str(other)


@pytest.mark.parametrize(("false", "shares"), [(10, PEOPLE), (-1, PEOPLE), (1, [1, 2])])
def test_what_cannot_be_moved_is_refused(false, shares):
    with pytest.raises(InputError, match="range_manipulation"):
        range_manipulation(LAWS["two cuts"], shares, false, 10)


def test_what_ranges_never_tell_has_no_bound():
    channel = ak.RangeChannel(FOUR, [1, 1, 1], floor=Floor([1] * 4, 3), withhold=True)
    with pytest.raises(NotIdentified):
        range_manipulation(channel, PEOPLE, 1, 9)


def test_the_set_of_two_shares_is_in_closed_form():
    bounds = ak.inference.contamination_bounds(ak.Tally(WARNER, {"yes": 400, "no": 600}), "1/5")
    assert bounds.low[0] == pytest.approx((0.75 - 0.6 / 0.8) / 0.5, abs=1e-9)
    assert bounds.high[0] == pytest.approx((0.4 / 0.8 - 0.25) / 0.5)
    assert bounds.min_false_share == 0


def test_no_rounding_seems_to_be_false():
    forced = ak.mechanisms.ForcedResponse(forced={"yes": "1/6", "no": "1/6"})
    tally = ak.Tally(forced.channel(ak.Frame(["yes", "no"])), {"yes": 34, "no": 38})
    assert ak.inference.contamination_bounds(tally, "1/20").min_false_share == 0


@pytest.mark.parametrize("channel", [WARNER, ABSTAIN, KARY], ids=["warner", "abstain", "k-ary"])
def test_the_set_is_all_that_fits_and_nothing_more(channel):
    """Against a fine grid of shares: those with which the rest could be false reports."""
    rng, k, c = np.random.default_rng(1), len(channel.frame), 0.2
    honest = rng.dirichlet(np.ones(k)) @ channel.matrix
    counts = np.rint(1e6 * ((1 - c) * honest + c * rng.dirichlet(np.ones(honest.size)))).astype(int)
    tally = ak.Tally(channel, dict(zip(channel.reports, counts.tolist(), strict=True)))
    bounds = ak.inference.contamination_bounds(tally, c)
    grid = np.array(
        [
            combination
            for combination in product(np.linspace(0, 1, 201), repeat=k - 1)
            if sum(combination) <= 1
        ]
    )
    shares = np.column_stack([grid, 1 - grid.sum(axis=1)])
    fits = np.all((1 - c) * shares @ channel.matrix <= counts / counts.sum() + 1e-9, axis=1)
    assert bounds.low == pytest.approx(shares[fits].min(axis=0), abs=0.01)
    assert bounds.high == pytest.approx(shares[fits].max(axis=0), abs=0.01)
    assert np.all(bounds.low <= shares[fits].min(axis=0) + 1e-6)
    assert np.all(bounds.high >= shares[fits].max(axis=0) - 1e-6)


@cache
def ends_of_twelve(yes):
    """Bound the share of yes, given so many reports of twelve, of which a quarter may be false."""
    bounds = ak.inference.contamination_bounds(
        ak.Tally(WARNER, {"yes": yes, "no": 12 - yes}), "1/4"
    )
    return bounds.lower[0], bounds.upper[0]


@pytest.mark.long
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_the_true_share_is_held_whatever_the_false_reports_say(share):
    """Nine honest reports and three that answer to them: exact coverage under the worst."""
    chance, content = 0.25 + 0.5 * share, 0.0
    bounds = [ends_of_twelve(yes) for yes in range(13)]
    for yes in range(10):
        result = bounds[yes : yes + 4]
        within = all(low - 1e-9 <= share <= high + 1e-9 for low, high in result)
        content += within * comb(9, yes) * chance**yes * (1 - chance) ** (9 - yes)
    assert content >= 0.95


def test_the_least_share_that_must_be_false_is_told():
    """Of 94.5 % yes and 5.5 % no, honest people who all say yes explain 4 · 5.5 %."""
    tally = ak.Tally(WARNER, {"yes": 94_500, "no": 5_500})
    bounds = ak.inference.contamination_bounds(tally, "1/10")
    assert bounds.min_false_share == pytest.approx(0.78)
    assert np.isnan(bounds.low).all()
    wide = ak.inference.contamination_bounds(tally, "9/10")
    assert wide.low[0] == pytest.approx(0.4)  # ¾ − ½ π ≤ .055/.1
    assert wide.high[0] == 1


@pytest.mark.parametrize("false_share", [1, "3/2", -0.1])
def test_a_share_of_false_reports_is_below_one(false_share):
    with pytest.raises(InputError, match="false_share"):
        ak.inference.contamination_bounds(ak.Tally(WARNER, {"yes": 1}), false_share)


def test_the_limits_of_all_groups_hold_at_once():
    """Beside a grid of shares: kept are those that explain no more of any report than was sent."""
    plain, c = ak.KAry(truth="1").channel(YES_NO), 0.2
    tallies = {
        "coin": ak.Tally(WARNER, {"yes": 400, "no": 600}),
        "plainly": ak.Tally(plain, {"yes": 90, "no": 210}),
        "nobody": ak.Tally(WARNER, {}),
    }
    bounds = ak.inference.contamination_bounds(ak.channels.GroupedTally(tallies), "1/5")
    grid = np.linspace(0, 1, 20_001)
    sharp, safe = np.ones((2, len(grid)), dtype=bool)
    for tally in (tallies["coin"], tallies["plainly"]):
        n, honest = tally.total, int(np.ceil((1 - c) * tally.total))
        chances = np.stack([grid, 1 - grid], axis=1) @ tally.channel.matrix
        sharp &= ((1 - c) * chances <= tally.counts / n + 1e-12).all(axis=1)
        limits = stats.beta.ppf(1 - 0.05 / 4, tally.counts + 1, honest - tally.counts)
        safe &= (chances <= limits + 1e-12).all(axis=1)
    for remaining, low, high in (
        (sharp, bounds.low, bounds.high),
        (safe, bounds.lower, bounds.upper),
    ):
        assert [low[0], high[0]] == pytest.approx(
            [grid[remaining][0], grid[remaining][-1]], abs=1e-4
        )
    assert (bounds.reports, bounds.min_false_share) == (1300, 0.0)
    grouped_tally = ak.channels.GroupedTally(
        {
            "coin": ak.Tally(WARNER, {"yes": 250, "no": 750}),
            "plainly": ak.Tally(plain, {"yes": 500, "no": 500}),
        }
    )
    unlike = ak.inference.contamination_bounds(grouped_tally, "1/10")
    assert np.isnan(unlike.low).all()
    assert unlike.min_false_share == pytest.approx(1 / 3)


SPARSE = [
    ([0.75, 0.1, 0.05, 0, 0, 0.05, 0, 0.05, 0, 0], 2),
    ([0.9, 0, 0, 0, 0, 0, 0.1, 0, 0, 0], 2),
    ([0, 0.5, 0, 0, 0.5, 0, 0, 0, 0, 0], 1),
    ([1e-9, 0.6, 1e-12, 0, 0.4, 0, 0, 1e-15, 0, 0], 3),
    ([0.007, 0.126, 0, 0, 0.088, 0.545, 0.226, *[0] * 8, 0.008, *[0] * 24], 2),
]


@pytest.mark.parametrize(("people", "number"), SPARSE)
def test_the_bound_is_close_where_most_numbers_are_nobodys(
    people: list[float], number: int
) -> None:
    """Behind a barrier that was not centred the last bound was 30.7 for a true .357."""
    channel = ak.RangeChannel(ak.Line(0, len(people), 1), [1] * (len(people) - 1), number)
    false, reports = 8, 800
    bound = range_manipulation(channel, people, false, reports, []).mean
    best = max(_farthest(channel, np.array(people), false / reports, sign) for sign in (1, -1))
    assert best * (1 - 1e-6) <= bound <= 1.03 * best + 1e-6


def _farthest(
    channel: ak.RangeChannel, people: npt.NDArray[np.float64], weight: float, sign: int
) -> float:
    """Move the mean as far as the conditions let it, by a solver for any smooth problem."""
    from scipy.optimize import minimize

    ends, chances = channel.cells()
    steps = np.arange(len(people)) / len(people)
    inside = np.array(
        [channel.range_probabilities(ends, (steps == step).astype(float)) for step in steps]
    ).T
    people = people / people.sum()
    reports = chances * (inside @ people)

    def excess(fit: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return 1 - (1 - weight) * (reports / (inside @ fit)) @ inside

    def slope(fit: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return (1 - weight) * inside.T @ (inside * (reports / (inside @ fit) ** 2)[:, None])

    optimum = minimize(
        lambda fit: -sign * float(steps @ fit),
        0.97 * people + 0.03 / len(people),
        jac=lambda fit: -sign * steps,
        method="SLSQP",
        bounds=[(1e-9, 1)] * len(people),
        constraints=[
            {"type": "eq", "fun": lambda fit: fit.sum() - 1, "jac": lambda fit: np.ones(len(fit))},
            {"type": "ineq", "fun": excess, "jac": slope},
        ],
        options={"ftol": 1e-10, "maxiter": 2000},
    )
    assert excess(optimum.x).min() > -1e-8
    assert abs(optimum.x.sum() - 1) < 1e-8
    return sign * float(steps @ (optimum.x - people)) * len(people)
