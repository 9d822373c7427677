"""Shares that reports leave partly open: identified sets and profiles beside brute force."""

import numpy as np
import pytest
from scipy.optimize import brentq, linprog, minimize_scalar
from scipy.special import xlogy

import askance as ak
from askance_collect.errors import InputError

ABC = ak.Frame(["a", "b", "c"])
OPEN = ak.Channel(ABC, {"a": ["a"], "else": ["b", "c"]}, [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]])
SLANTED = ak.Channel(ABC, {"a": ["a"], "else": ["b", "c"]}, [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]])
YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
Z = 1.959963984540054


def estimate_set(tally, answers, level=0.95):
    estimate = ak.inference.estimate_sets(tally, {"it": answers}, level)
    return tuple(float(getattr(estimate, end)[0]) for end in ("low", "high", "lower", "upper"))


@pytest.mark.parametrize(("yes", "no"), [(1, 1), (1, 9), (40, 60), (75, 20), (500, 3), (200, 340)])
def test_where_everything_is_identified_it_is_the_profile_of_the_share(yes, no):
    """Deviance as a function of the share, written down and solved on its own."""
    tally = ak.Tally(WARNER, {"yes": yes, "no": no})
    low, high, lower, upper = estimate_set(tally, ["yes"])
    best = min(max((yes / (yes + no) - 0.25) * 2, 0.0), 1.0)
    assert low == pytest.approx(best, abs=1e-8)
    assert high == low

    def deviance(share):
        def likely(item):
            return xlogy(yes, 0.25 + item / 2) + xlogy(no, 0.75 - item / 2)

        return 2 * (likely(best) - likely(share)) - Z * Z

    if 0 < best < 1:
        brentq_result = 0.0 if best <= 0 or deviance(0.0) <= 0 else brentq(deviance, 0.0, best)
        to = 1.0 if best >= 1 or deviance(1.0) <= 0 else brentq(deviance, best, 1.0)
        assert (lower, upper) == pytest.approx((brentq_result, to), abs=1e-6)
    assert lower <= low <= high <= upper


@pytest.mark.parametrize("observed", [1, 9, 11, 30, 50, 77, 99])
def test_the_identified_set_is_that_of_all_shares_that_fit(observed):
    """With chances .9, .5 and .1 of a first report, the shares of c fill an interval."""
    tally = ak.Tally(SLANTED, {"a": observed, "else": 100 - observed})
    chance = min(max(observed / 100, 0.1), 0.9)
    c = np.linspace(0, 1, 2001)  # of what is left of it a and b send the first with .5 to .9
    least, most = 0.5 * (1 - c) + 0.1 * c - 1e-9, 0.9 * (1 - c) + 0.1 * c + 1e-9
    fits = c[(least <= chance) & (chance <= most)]
    low, high, lower, upper = estimate_set(tally, ["c"])
    assert low == pytest.approx(min(fits), abs=6e-4)
    assert high == pytest.approx(max(fits), abs=6e-4)
    assert lower <= low <= high <= upper


@pytest.mark.parametrize("k", [4, 8, 12])
def test_identified_sets_are_those_of_linear_programmes(k):
    """Of few answers, whose corners are gone through, and of more, which a solver is given."""
    rng = np.random.default_rng(k)
    for _ in range(3):
        rows = rng.dirichlet(np.ones(3), k)
        frame = ak.Frame([f"a{index}" for index in range(k)])
        channel = ak.Channel(frame, dict.fromkeys("xyz", frame.answers), rows)
        counts = np.rint(1e6 * rng.dirichlet(np.ones(k)) @ rows).astype(int)
        tally = ak.Tally(channel, dict(zip("xyz", counts.tolist(), strict=True)))
        result = estimate_set(tally, frame.answers[:2])
        fits = np.vstack([rows.T, np.ones(k)])
        chance = np.append(counts / counts.sum(), 1.0)
        cost = 1.0 * (np.arange(k) < 2)
        ends = [number * linprog(number * cost, A_eq=fits, b_eq=chance).fun for number in (1, -1)]
        assert result[:2] == pytest.approx(ends, abs=1e-7)


@pytest.mark.parametrize("observed", [15, 50, 80])
def test_intervals_are_profiles_over_all_that_is_open(observed):
    tally = ak.Tally(SLANTED, {"a": observed, "else": 100 - observed})

    def likely(chance):
        return observed * np.log(chance) + (100 - observed) * np.log(1 - chance)

    def profile(c):
        ends = 0.5 * (1 - c) + 0.1 * c, 0.9 * (1 - c) + 0.1 * c
        return likely(min(max(observed / 100, ends[0]), ends[1]))

    cs = [
        c
        for c in np.linspace(0, 1, 4001)
        if 2 * (likely(min(max(observed / 100, 0.1), 0.9)) - profile(c)) <= Z * Z
    ]
    _, _, lower, upper = estimate_set(tally, ["c"])
    assert (lower, upper) == pytest.approx((min(cs), max(cs)), abs=5e-4)


def test_margins_are_known_where_cells_are_not():
    """Two groups, each asked one of two questions: the joint table stays open, its margins not."""
    joint = ak.channels.ProductFrame({"one": YN, "two": YN}).joint
    replies = {"yes": ["yes"], "no": ["no"]}
    first, second = (
        ak.Channel(joint, replies, WARNER.matrix[list(rows)], output=YN)
        for rows in ((0, 0, 1, 1), (0, 1, 0, 1))
    )
    groups = ak.channels.GroupedTally(
        {
            "one": ak.Tally(first, {"yes": 400, "no": 600}),
            "two": ak.Tally(second, {"yes": 350, "no": 650}),
        }
    )
    estimate = ak.inference.estimate_sets(
        groups, {"one": joint.answers[:2], "two": joint.answers[::2], "both": joint.answers[:1]}
    )
    assert estimate.low == pytest.approx([0.3, 0.2, 0.0], abs=1e-6)
    assert estimate.high == pytest.approx([0.3, 0.2, 0.2], abs=1e-6)
    assert estimate.is_identified.tolist() == [True, True, False]
    alone = estimate_set(ak.Tally(WARNER, {"yes": 400, "no": 600}), ["yes"])
    assert (estimate.lower[0], estimate.upper[0]) == pytest.approx(alone[2:], abs=1e-6)
    assert set(estimate.to_dict()) >= {"low", "high", "lower", "upper", "labels"}


def test_profiles_of_many_answers_agree_with_the_estimate_of_one_question():
    channel = ak.KAry(truth="1/2").channel(ak.Frame(list("abcd")))
    tally = ak.Tally(channel, {"a": 300, "b": 250, "c": 240, "d": 210})
    fit = ak.maximum_likelihood(tally)
    estimate = ak.inference.estimate_sets(tally, {answer: [answer] for answer in "abcd"})
    for name in ("lower", "upper"):
        assert getattr(estimate, name) == pytest.approx(getattr(fit, name), abs=1e-6)
    assert estimate.low == pytest.approx(fit.value, abs=1e-8)


def test_what_nobody_sent_leaves_open_what_it_may():
    """Of three reports two were not received: their own chances are not known apart."""
    channel = ak.Channel(ABC, {name: [name] for name in "abc"}, np.eye(3))
    low, high, lower, upper = estimate_set(ak.Tally(channel, {"a": 50}), ["b"])
    assert (low, high, lower) == pytest.approx((0, 0, 0), abs=1e-9)
    assert upper == pytest.approx(1 - np.exp(-Z * Z / 100), abs=1e-6)


def test_counts_far_outside_do_not_feign_certainty():
    upper = [
        estimate_set(ak.Tally(WARNER, {"yes": yes, "no": 200 - yes}), ["yes"])[3] for yes in (50, 5)
    ]
    assert upper[1] >= upper[0] - 1e-9 > 0.05


def test_nothing_received_tells_nothing():
    estimate = ak.inference.estimate_sets(ak.Tally(OPEN, {}), {"a": ["a"], "b": ["b"]})
    assert (estimate.reports, estimate.convergence.name) == (0, "NO_REPORTS")
    assert estimate.low.tolist() == estimate.lower.tolist() == [0, 0]
    assert estimate.high.tolist() == estimate.upper.tolist() == [1, 1]


def test_a_set_of_everything_is_everybody():
    assert estimate_set(ak.Tally(OPEN, {"a": 5, "else": 9}), ["a", "b", "c"]) == pytest.approx(
        (1, 1, 1, 1)
    )


def test_huge_counts_still_settle():
    low, high, lower, upper = estimate_set(
        ak.Tally(SLANTED, {"a": 40 * 10**10, "else": 60 * 10**10}), ["a"]
    )
    assert (low, high) == pytest.approx((0.0, 0.375), abs=1e-6)
    assert upper == pytest.approx(0.375 + Z * (0.24 / 10**12) ** 0.5 / 0.8, abs=1e-7)
    assert lower == 0


@pytest.mark.parametrize(
    ("sets", "message"),
    [({}, "no set"), ({"it": []}, "no answer"), ({"it": ["d"]}, "'d'"), ({"it": 3}, "3")],
)
def test_sets_that_mean_nothing_are_refused(sets, message):
    with pytest.raises(InputError, match=message):
        ak.inference.estimate_sets(ak.Tally(OPEN, {"a": 5}), sets)


def test_impossible_reports_and_levels_are_refused():
    never = ak.Channel(YN, {"x": ["yes", "no"], "y": ["yes"]}, [[1, 0], [1, 0]])
    with pytest.raises(InputError, match="no answer can send"):
        ak.inference.estimate_sets(ak.Tally(never, {"y": 1}), {"yes": ["yes"]})
    with pytest.raises(InputError, match="level"):
        ak.inference.estimate_sets(ak.Tally(OPEN, {"a": 1}), {"a": ["a"]}, level=1.0)


def test_the_picture_has_a_bar_for_what_is_open_and_a_dot_for_what_is_known():
    estimate = ak.inference.estimate_sets(
        ak.Tally(OPEN, {"a": 340, "else": 660}), {"a": ["a"], "b": ["b"]}
    )
    ax = estimate.plot()
    (dots,) = ax.lines
    assert dots.get_xdata().tolist() == pytest.approx([0.2, np.nan], nan_ok=True)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([0.0, 0.8])


def test_the_share_of_a_profile_is_found_by_another_search():
    """The profile of a class over two others, by a bounded search in one dimension."""
    rows = np.array([[0.7, 0.2, 0.4], [0.2, 0.7, 0.3], [0.1, 0.1, 0.3]])
    channel = ak.Channel(ABC, {"x": ["a"], "y": ["b"], "z": ["c"]}, rows.T)
    counts = np.array([45, 35, 20])
    tally = ak.Tally(channel, dict(zip("xyz", counts.tolist(), strict=True)))
    low, _, lower, upper = estimate_set(tally, ["c"])

    def profile(c):
        def loss(part):
            shares = np.array([part * (1 - c), (1 - part) * (1 - c), c])
            return -float(counts @ np.log(rows @ shares))

        return minimize_scalar(loss, bounds=(0, 1), options={"xatol": 1e-12}).fun

    best = profile(low)
    for end in (lower, upper):
        if 0 < end < 1:
            assert 2 * (profile(end) - best) == pytest.approx(Z * Z, abs=1e-5)
        else:
            assert 2 * (profile(end) - best) <= Z * Z
