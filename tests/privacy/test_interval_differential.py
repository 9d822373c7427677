"""Perturbed ranges, derived figures and ranges pulled back: what each still promises."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from askance import Channel, Cuts, Frame, Line, RangeChannel, Ranges, local_loss
from askance.channels import CutLaw, RingChannel, pull_back
from askance.privacy import (
    compose,
    coverage,
    coverage_law,
    derived_flatness,
    flatness,
    information_loss,
    interval_differential,
    noisy_ranges,
)
from askance_collect.errors import InputError, NotComparable
from askance_collect.exact import Floor

WEIGHTS = st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any)


def kept(n, share):
    """Keep a step with a chance, otherwise move to any other."""
    rest = (1 - Fraction(share)) / (n - 1)
    return [[Fraction(share) if a == b else rest for b in range(n)] for a in range(n)]


@given(WEIGHTS, st.integers(1, 2))
def test_without_noise_it_is_interval_privacy(weights, number):
    channel = RangeChannel(Line(0, len(weights) + 1, 1), weights, number)
    tau, alpha = interval_differential(noisy_ranges(channel, kept(channel.line.ticks, 1)))
    assert tau.value == coverage(channel).value
    assert (alpha.value, alpha.epsilon) == (flatness(channel).value, 0)


@pytest.mark.long
@given(WEIGHTS, st.fractions("1/2", "9/10", max_denominator=50))
def test_noise_everywhere_rules_nothing_out(weights, share):
    channel = RangeChannel(Line(0, len(weights) + 1, 1), weights)
    n = channel.line.ticks
    noisy = noisy_ranges(channel, kept(n, share))
    tau, alpha = interval_differential(noisy)
    assert tau.value == 1
    assert alpha.value == local_loss(noisy).value
    assert alpha.value <= local_loss(_plain(kept(n, share))).value


def test_short_noise_rules_out_and_tells_apart():
    """One step to either side: a range is widened by one, and what lies at its edge is rarer."""
    noise = [["1/2", "1/2", 0, 0], ["1/4", "1/2", "1/4", 0], [0, "1/4", "1/2", "1/4"]]
    noise.append([0, 0, "1/2", "1/2"])
    tau, alpha = interval_differential(noisy_ranges(RangeChannel(Line(0, 4, 1), [0, 1, 0]), noise))
    assert (tau.value, alpha.value) == (Fraction(3, 4), 4)


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=4).filter(
        lambda rows: all(any(row) for row in rows)
    )
)
def test_both_limits_at_once_tell_nothing(rows):
    """Proposition 3: a finite loss means nothing is ruled out; flat and that, that all is alike."""
    channel = _plain([[Fraction(entry, sum(row)) for entry in row] for row in rows])
    tau, alpha = interval_differential(channel)
    loss = local_loss(channel).value
    assert (tau.value == 1) == (loss < math.inf)
    assert alpha.value <= loss
    assert (tau.value == 1 and alpha.value == 1) == (loss == 1)


def _plain(rows):
    frame = Frame([f"x{index}" for index in range(len(rows))])
    return Channel(frame, {f"y{index}": frame.answers for index in range(len(rows[0]))}, rows)


def test_unlike_shares_weigh_the_coverage():
    channel = noisy_ranges(RangeChannel(Line(0, 2, 1), [1]), kept(2, 1))
    assert interval_differential(channel, ["3/4", "1/4"])[0].value == Fraction(10, 16)
    for wrong in (["1/2"], ["1/2", "1/4"], [2, -1]):
        with pytest.raises(InputError, match="shares"):
            interval_differential(channel, wrong)


@pytest.mark.parametrize(
    "noise", [[], [[1]], [[1, 0]], [["1/2", "1/4"], [0, 1]], [[2, -1], [0, 1]]]
)
def test_noise_is_checked(noise):
    with pytest.raises(InputError, match="noise"):
        noisy_ranges(RangeChannel(Line(0, 2, 1), [1]), noise)


def test_rings_are_perturbed_too_and_withheld_ranges_are_not():
    sizes = Floor([1] * 4, 1)
    ring = RingChannel(Line(0, 4, 1), [1, 1, 1], sizes)
    tau, alpha = interval_differential(noisy_ranges(ring, kept(4, 1)))
    assert float(tau.value) == pytest.approx(coverage(ring).value)
    assert alpha.value == derived_flatness(ring, lambda *cell: cell, alone=True).value == 1
    withheld = RangeChannel(Line(0, 4, 1), [1, 1, 1], floor=Floor([1] * 4, 2), withhold=True)
    with pytest.raises(InputError, match="withheld"):
        noisy_ranges(withheld, kept(4, 1))


def test_large_tables_are_refused():
    with pytest.raises(InputError, match="larger step"):
        noisy_ranges(Cuts(number=2).channel(Line(0, 200, 1)), [])


@given(WEIGHTS, st.integers(1, 2), st.integers(0, 5))
def test_figures_beside_their_range_are_flat(weights, number, seed):
    channel = RangeChannel(Line(0, len(weights) + 1, 1), weights, number)
    label = {cell: seed * cell[0] % 3 for cell in map(tuple, channel.cells()[0].tolist())}
    assert derived_flatness(channel, lambda *cell: label[cell]).value == 1
    assert derived_flatness(channel, lambda *_: "same", alone=True).value == 1


def test_a_figure_alone_is_refused_with_its_ratio():
    """Y, U even on (0, 1), W = 1{Y ≤ U}: the density 2(1 − y) falls by n − 1 over n − 1 steps."""
    channel = Cuts().channel(Line(0, 20, 1))
    with pytest.raises(InputError, match="ratio 19 between"):
        derived_flatness(channel, lambda low, _: low == 0, alone=True)
    assert derived_flatness(channel, lambda low, high: (low, high), alone=True).value == 1
    with pytest.raises(InputError, match="ratio 19/18 between"):  # one of two figures is flat
        derived_flatness(channel, lambda low, high: (low, high) == (0, 1), alone=True)


SQUARE = [
    (-np.inf, 0, lambda s: -np.sqrt(np.maximum(s, 0))),
    (0, np.inf, lambda s: np.sqrt(np.maximum(s, 0))),
]


@given(st.floats(-5, 5), st.floats(0.001, 20), st.booleans())
def test_a_range_pulled_back_holds_what_it_was_made_from(y, cut, exact):
    cut = y * y if exact and y * y else cut
    above = y * y > cut
    ranges = Ranges([cut if above else -np.inf], [np.inf if above else cut])
    back = pull_back(ranges, SQUARE)
    assert ((back.lower < y) & (y <= back.upper)).any() or y * y == pytest.approx(cut)


@given(st.integers(-200, 200).map(lambda k: k / 100), st.floats(0.3, 3), st.integers(1, 9))
def test_pulling_back_keeps_the_coverage(centre, scale, seed):
    """The range of Y has the coverage that the range of Y² has among squares: never less."""
    prior = stats.norm(centre, scale)
    squares = stats.ncx2(1, (centre / scale) ** 2, scale=scale**2)
    rng = np.random.default_rng(seed)
    z, cut = squares.rvs(200, random_state=rng), rng.exponential(scale**2, 200)
    ranges = Ranges(np.where(z > cut, cut, -np.inf), np.where(z > cut, np.inf, cut), cut)
    back = coverage_law(pull_back(ranges, SQUARE), prior)
    assert back.mean == pytest.approx(coverage_law(ranges, squares).mean, abs=1e-6)


def test_one_to_one_figures_change_nothing():
    ranges = Ranges([0, -np.inf], [1, 0], [2, 3])
    back = pull_back(ranges, [(0, np.inf, np.exp)])
    assert back.lower.tolist() == [1, 0]
    assert back.upper.tolist() == [np.e, 1]
    assert back.weights.tolist() == [2, 3]
    exact = pull_back(Ranges([4.0], [4.0], closed="both"), SQUARE)
    assert coverage_law(exact, stats.norm()).mean < 1e-12
    assert exact.upper.tolist() == [-2, 2]


def test_a_falling_branch_turns_ends_round():
    """Of −ln y in (0, 1] is told that y is in [1/e, 1), whose ends are written one double lower."""
    back = pull_back(Ranges([0], [1]), [(0, np.inf, lambda s: np.exp(-s))])
    assert back.lower.tolist() == [np.nextafter(np.exp(-1), 0)]
    assert back.upper.tolist() == [np.nextafter(1, 0)]


def test_what_cannot_be_pulled_back_is_refused():
    ranges = Ranges([-9], [-4])
    with pytest.raises(InputError, match="without numbers"):
        pull_back(ranges, SQUARE)
    with pytest.raises(InputError, match=r"^Ranges\[1\]: .*without numbers"):
        pull_back(Ranges([1, -9], [4, -4]), SQUARE)
    for wrong in ([], [(1, 0, np.exp)], [(1, 1, np.exp)], [(0, 2, np.exp), (1, 3, np.exp)]):
        with pytest.raises(InputError, match="ascending"):
            pull_back(ranges, wrong)
    for missing in ([1], [2], [1, 2]):
        with pytest.raises(InputError, match="no number"):
            pull_back(
                Ranges([1, 3], [2, 4]),
                [(0, np.inf, lambda s, gap=missing: np.where(np.isin(s, gap), np.nan, s))],
            )


def test_independent_cuts_pulled_back_are_judged_among_squares():
    law, prior = CutLaw(stats.expon(), 2), stats.chi2(1)
    assert coverage(law, prior).value == pytest.approx(coverage_law(law, prior).mean, abs=4e-3)


CHANCES = st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=2, max_size=4)
SHARES = st.lists(st.integers(1, 9), min_size=4, max_size=4)
ROWS = [[0.75, 0.25], [0.25, 0.75]]


def mixed(rows):
    """Make a channel of rows of weights, each report meaning every answer."""
    names = [f"a{index}" for index in range(len(rows))]
    matrix = [[Fraction(entry, sum(row)) for entry in row] for row in rows]
    return Channel(Frame(names), {f"r{index}": names for index in range(3)}, matrix), matrix


def shared(weights, k):
    return [Fraction(weight, sum(weights[:k])) for weight in weights[:k]]


@given(CHANCES, SHARES)
def test_information_loss_is_the_worst_change_of_an_answer_s_chance(rows, weights):
    channel, matrix = mixed(rows)
    pi = shared(weights, len(rows))
    worst = Fraction(1)
    for y in range(3):
        joint = [share * row[y] for share, row in zip(pi, matrix, strict=True)]
        for share, pair in zip(pi, joint, strict=True):
            posterior = pair / sum(joint)
            worst = max(worst, posterior / share, share / posterior)
    assert information_loss(channel, pi).value == worst


@given(CHANCES, SHARES)
def test_local_loss_lies_between_information_loss_and_its_square(rows, weights):
    channel, _ = mixed(rows)
    ratio = information_loss(channel, shared(weights, len(rows))).value
    assert ratio <= local_loss(channel).value <= ratio**2


@given(CHANCES)
def test_information_loss_comes_near_to_the_local_loss_as_one_answer_becomes_common(rows):
    channel, _ = mixed(rows)
    k, rare = len(rows), Fraction(1, 10**6)
    near = max(
        information_loss(
            channel, [1 - (k - 1) * rare if index == common else rare for index in range(k)]
        ).value
        for common in range(k)
    )
    assert near > local_loss(channel).value * (1 - Fraction(1, 10**3))


def test_twice_the_information_loss_is_attained():
    rows = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 8), Fraction(7, 8)]]
    channel = Channel(Frame(["a", "b"]), {"r": ["a", "b"], "s": ["a", "b"]}, rows)
    assert information_loss(channel, ["1/3", "2/3"]).value == 2
    assert local_loss(channel).value == 4


@given(WEIGHTS, st.integers(1, 2))
def test_a_range_of_a_part_of_the_line_has_no_information_privacy(weights, number):
    channel = RangeChannel(Line(0, len(weights) + 1, 1), weights, number)
    assert information_loss(noisy_ranges(channel, kept(channel.line.ticks, 1))).value == math.inf


def test_answers_that_nobody_has_are_not_looked_at():
    rows = [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]]
    channel = Channel(Frame(["a", "b", "c"]), {name: ["a", "b", "c"] for name in "rst"}, rows)
    assert information_loss(channel, ["1/2", "1/2", 0]).value == 1
    assert information_loss(channel).value == math.inf


def test_information_losses_do_not_add():
    warner = Channel(Frame(["a", "b"]), {"r": ["a"], "s": ["b"]}, ROWS)
    once = information_loss(warner)
    pair = [[Fraction(item) * Fraction(two) for item in row for two in row] for row in ROWS]
    names = {f"{character}{two}": ["a", "b"] for character in "rs" for two in "rs"}
    twice = information_loss(Channel(Frame(["a", "b"]), names, pair))
    assert (once.value, twice.value) == (2, 5)
    assert once.promise == (
        "No report makes an answer more than 2 times as likely, or as unlikely, as it was, if "
        "answers were spread evenly."
    )
    with pytest.raises(NotComparable):  # held at another prior, it is another promise
        once.is_at_least_as_strong(information_loss(warner, ["1/10", "9/10"]))
    with pytest.raises(NotComparable):
        compose([once, once])
