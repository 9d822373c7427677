"""Every constraint beside every other, two and three at a time: all are kept, or all is refused."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import xlogy

from askance import Channel, Frame
from askance.design import (
    Advantage,
    Answered,
    AOptimal,
    DOptimal,
    EOptimal,
    LocalDifferentialPrivacy,
    MeanSquaredError,
    MutualInformation,
    PairLosses,
    Shafer,
    Walley,
    merit,
    optimal_channel,
    yoshida_pair,
)
from askance.privacy import shafer_loss
from askance_collect.errors import InputError
from askance_collect.exact import exp_down

KINDS = {
    "local": LocalDifferentialPrivacy("3/2"),
    "shafer": Shafer("6/5"),
    "walley": Walley(2),
    "pairs": PairLosses({("a0", "a1"): 1}, others=2),
    "advantage": Advantage("2/5"),
    "all ways": Advantage("1/2", first_weight="2/5"),
    "one way": Advantage("1/2", first_weight="3/5", between=("a0", "a1")),
    "answered": Answered("4/5"),
}
SILENT = Fraction(1, 5)
CHOICES = [chosen for size in (1, 2, 3) for chosen in combinations(KINDS, size)]
THETA = 0.3


def frame(k):
    return Frame([f"a{index}" for index in range(k)])


def limits_of(names, k):
    """Say again what is asked, in numbers: ratios of pairs, distances, Walley's ratio, silence."""
    ratios = dict.fromkeys(permutations(range(k), 2), math.inf)
    for name in names:
        for pair in ratios:
            between = 1 if set(pair) == {0, 1} else 2
            questions = {"local": Fraction(3, 2), "shafer": Fraction(6, 5), "walley": 2}
            questions["pairs"] = between
            if name in questions:
                ratios[pair] = min(ratios[pair], exp_down(questions[name]))
    separate = []
    if "advantage" in names:
        separate += [(pair, Fraction(1, 2), Fraction(2, 5)) for pair in ratios]
    if "all ways" in names:
        separate += [(pair, Fraction(2, 5), Fraction(1, 2)) for pair in ratios]
    if "one way" in names:
        separate += [((0, 1), Fraction(3, 5), Fraction(1, 2))]
    return ratios, separate


def assert_kept(channel, names):
    """Check everything that is asked on the integers, from the definitions."""
    ratios, separate = limits_of(names, len(channel.frame))
    rows = [channel.table.row(index) for index in range(len(channel.frame))]
    for (x, z), most in ratios.items():
        if most != math.inf:
            assert all(p <= most * q for p, q in zip(rows[x], rows[z], strict=True))
    for (x, z), w, most in separate:
        pairs = zip(rows[x], rows[z], strict=True)
        assert sum(abs(w * p - (1 - w) * q) for p, q in pairs) <= most
    masses = [channel.mass(answer).masses for answer in channel.frame.answers]
    if "shafer" in names:
        most = exp_down(Fraction(6, 5))
        assert all(masses[x][e] <= most * masses[z][e] for x, z in ratios for e in masses[x])
    if "walley" in names:
        for (x, z), y in product(ratios, range(len(channel.frame))):
            total = sum(mass for e, mass in masses[x].items() if e >> y & 1)
            assert total <= exp_down(2) * masses[z].get(1 << y, 0)
    if "answered" in names:
        everything = channel.frame.full_mask
        assert [item.get(everything, 0) for item in masses] == [SILENT] * len(masses)


def columns_of(ratios, separate, k):
    """List many columns within the ratios, all those at a bound or a kink among them."""
    logs = {0.0}
    finite = [math.log(ratio) for ratio in ratios.values() if ratio != math.inf]
    kinks = {math.log(w / (1 - w)) for _, w, _ in separate}
    special = {*finite, *kinks}
    special |= {-item for item in special} | {0.0}
    logs |= {item + other for item in special for other in special}
    logs |= set(np.linspace(0, max([*finite, 3.0]), 400 if k == 2 else 13))
    logs |= {-item for item in logs} | ({-math.inf} if not finite else set())
    rest = np.array(list(product(sorted(logs), repeat=k - 1)))
    columns = np.exp(np.column_stack([np.zeros(len(rest)), rest]))
    if not finite:
        columns = np.vstack([columns, np.eye(k)[1:], 1 - np.eye(k)])
    fits = np.ones(len(columns), dtype=bool)
    for (x, z), most in ratios.items():
        if most != math.inf:
            fits &= columns[:, x] <= float(most) * columns[:, z] * (1 + 1e-12)
    return columns[fits] / columns[fits].sum(axis=1, keepdims=True)


def best_by_programme(names, k, score):
    """Mix columns, and a share of silence, as well as a linear programme can."""
    ratios, separate = limits_of(names, k)
    silent = float(SILENT) if "answered" in names else 0.0
    columns = columns_of(ratios, separate, k)
    distances = [
        np.abs(float(w) * columns[:, x] - float(1 - w) * columns[:, z]) for (x, z), w, _ in separate
    ]
    right = [float(most) - silent * abs(1 - 2 * float(w)) for _, w, most in separate]
    optimum = linprog(
        -score(columns),
        A_eq=columns.T,
        b_eq=np.full(k, 1 - silent),
        A_ub=np.array(distances) if distances else None,
        b_ub=right if distances else None,
    )
    return -optimum.fun


def best_by_grid(names):
    """Try all pairs of rows with one report for each of two answers, on a grid."""
    ratios, separate = limits_of(names, 2)
    silent = float(SILENT)
    steps = np.linspace(0, 1 - silent, 801)
    a, b = (item.ravel() for item in np.meshgrid(steps, steps))
    rows = np.array([[a, 1 - silent - a], [b, 1 - silent - b]])
    fits = a > b
    for (x, z), most in ratios.items():
        if most != math.inf:
            fits &= (rows[x] <= float(most) * rows[z] + 1e-12).all(axis=0)
        if "walley" in names:
            fits &= (rows[x] + silent <= float(exp_down(2)) * rows[z] + 1e-12).all(axis=0)
    for (x, z), w, most in separate:
        distance = np.abs(float(w) * rows[x] - float(1 - w) * rows[z]).sum(axis=0)
        fits &= distance + silent * abs(1 - 2 * float(w)) <= float(most) + 1e-12
    return fisher(rows[:, :, fits].transpose(2, 1, 0).reshape(-1, 2)).reshape(-1, 2).sum(1).max()


def fisher(columns):
    """What each column adds to the information on the share of the first of two answers."""
    item, zero = columns.T
    chance = THETA * item + (1 - THETA) * zero
    return np.divide((item - zero) ** 2, chance, out=np.zeros(len(item)), where=chance > 0)


def nats(columns):
    shares = np.full(columns.shape[1], 1 / columns.shape[1])
    chance = columns @ shares
    return xlogy(columns, columns) @ shares - xlogy(chance, chance)


@pytest.mark.long
@pytest.mark.parametrize("names", CHOICES, ids=" and ".join)
def test_for_two_answers_all_is_kept_and_nothing_better_does(names):
    if names == ("answered",):
        with pytest.raises(InputError, match="at least one that protects an answer"):
            optimal_channel(frame(2), KINDS["answered"])
        return
    prior = [THETA, 1 - THETA]
    design = optimal_channel(frame(2), *map(KINDS.get, names), utility=AOptimal(prior))
    assert_kept(design.channel, names)
    result, most = 2 / design.value, 2 / design.bound
    assert result <= most * (1 + 1e-9)
    assert result == pytest.approx(most, rel=1e-6)
    if "one report for each answer" in design.among:
        assert "answered" in names
        best = best_by_grid(names)
        assert best <= most * (1 + 1e-9)
        assert best == pytest.approx(most, rel=0.02)
    else:
        assert best_by_programme(names, 2, fisher) == pytest.approx(most, rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("names", CHOICES, ids=" and ".join)
def test_for_three_answers_all_is_kept_or_refused(names):
    items = list(map(KINDS.get, names))
    try:
        design = optimal_channel(frame(3), *items, utility=MutualInformation())
    except InputError as refused:
        assert "answered" in names
        text = str(refused)
        assert any(
            why in text
            for why in ("that protects an answer", "leave Answered out", "for two answers")
        )
        return
    assert_kept(design.channel, names)
    assert design.gap < 1e-6
    best = best_by_programme(names, 3, nats)
    assert best <= design.bound * (1 + 1e-6)
    assert best == pytest.approx(design.bound, rel=0.02)


def test_a_bound_that_reports_of_one_meaning_could_slip_past_says_so():
    """Two names for one message tell all, and Shafer's loss nothing of it."""
    channel = Channel(frame(2), {"a": ["a0", "a1"], "b": ["a0", "a1"]}, np.eye(2))
    assert shafer_loss(channel).value == 1
    by_message = optimal_channel(frame(2), Shafer(1))
    assert merit(channel, AOptimal()) < by_message.bound
    assert by_message.among == "channels in which reports of one meaning are alike"
    assert by_message.among in repr(by_message)
    for other in (LocalDifferentialPrivacy(1), Walley("1/2"), PairLosses({("a0", "a1"): 1})):
        assert optimal_channel(frame(2), Shafer(1), other).among == ""
    assert (
        optimal_channel(frame(2), Shafer(1), LocalDifferentialPrivacy(2)).among == by_message.among
    )


@pytest.mark.long
@pytest.mark.parametrize("utility", [AOptimal, DOptimal, EOptimal, MeanSquaredError])
@pytest.mark.parametrize("k", [2, 3])
def test_whatever_is_wanted_all_is_kept_or_refused(k, utility):
    wanted = utility([0.3, 0.7] if k == 2 else [0.2, 0.3, 0.5])
    for names in combinations(KINDS, 2):
        try:
            design = optimal_channel(frame(k), *map(KINDS.get, names), utility=wanted)
        except InputError:
            assert k == 3
            assert "answered" in names
            assert {"walley", "advantage"} & set(names)
            continue
        assert_kept(design.channel, names)
        assert design.gap < 1e-5


def test_several_guesses_beside_truth_lie_and_a_fixed_silence_are_refused():
    guesses = AOptimal([[0.2, 0.8], [0.6, 0.4]])
    questions = Advantage("1/4"), Answered("1/2")
    with pytest.raises(InputError, match="one guess"):
        optimal_channel(frame(2), *questions, utility=guesses)


@pytest.mark.parametrize("kind", [LocalDifferentialPrivacy, Shafer, Walley, Advantage])
def test_of_two_bounds_of_a_kind_the_stricter_is_kept(kind):
    loose, strict = kind("3/4"), kind("1/2")
    alone = optimal_channel(frame(3), strict)
    for pair in ((loose, strict), (strict, loose)):
        design = optimal_channel(frame(3), *pair)
        assert design.channel == alone.channel
    further = optimal_channel(frame(14), loose, strict)
    assert further.value == pytest.approx(optimal_channel(frame(14), strict).value, rel=1e-9)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("weight", ["1/1000000", "1/5", "4/5", "999/1000"])
def test_an_advantage_that_no_report_within_the_loss_has_changes_nothing(k, weight):
    """At a loss of ln 4 or less, whoever holds one to four beforehand guesses as before."""
    least = Advantage(abs(1 - 2 * Fraction(weight)), first_weight=weight)
    local = LocalDifferentialPrivacy(ratio=4)
    alone = optimal_channel(frame(k), local)
    pair = optimal_channel(frame(k), local, least)
    assert pair.channel == alone.channel
    assert pair.gap == alone.gap < 1e-6
    tighter = optimal_channel(frame(k), LocalDifferentialPrivacy(ratio="5"), least)
    assert tighter.value < alone.value or weight in {"1/5", "4/5"}


@pytest.mark.parametrize("weight", ["1/2", "2/5", "9/10", "1/3"])
def test_a_bound_on_the_advantage_may_be_what_guessing_reaches_and_no_less(weight):
    """At |1 - 2w| itself no report helps; below it, at 0 and from 1 on there is no such bound."""
    weight, little = Fraction(weight), Fraction(1, 10**9)
    least = abs(1 - 2 * weight)
    allowed = [least + little, 1 - little, *([least] if least else [])]
    for bound in allowed:
        pair = yoshida_pair(bound, first_weight=weight)
        first, other = pair.channel(frame(2)).table.rows
        totals = sum(first), sum(other)
        rows = zip(first, other, strict=True)
        advantage = sum(
            abs(weight * Fraction(a, totals[0]) - (1 - weight) * Fraction(b, totals[1]))
            for a, b in rows
        )
        assert least <= advantage <= bound
    for bound in (0, 1, 1 + little, -little, *([least - little] if least else [])):
        with pytest.raises(InputError, match="advantage"):
            yoshida_pair(bound, first_weight=weight)
        with pytest.raises(InputError, match="advantage"):
            optimal_channel(frame(2), Advantage(bound, first_weight=weight))


@pytest.mark.parametrize("weight", ["1/2", "2/5", "9/10"])
@pytest.mark.parametrize("share", ["1/2", "123456789/1000000007", "0.000001", "0.999999999999"])
def test_the_share_answered_is_kept_to_the_last_unit(share, weight):
    design = optimal_channel(frame(2), LocalDifferentialPrivacy(1), Answered(share))
    bound = abs(1 - 2 * Fraction(weight)) + Fraction(1, 20)
    pair = optimal_channel(frame(2), Advantage(bound, first_weight=weight), Answered(share))
    for item in (design, pair):
        silent = [item.channel.mass(answer).masses[3] for answer in ("a0", "a1")]
        assert silent == [1 - Fraction(share)] * 2
        assert item.channel.table.total <= 2**48


def test_a_share_that_no_whole_parts_hold_is_refused():
    with pytest.raises(InputError, match="at most 12 decimals"):
        optimal_channel(frame(2), LocalDifferentialPrivacy(1), Answered("0.1234567890123"))


def test_many_answers_are_silent_as_asked_or_refused():
    design = optimal_channel(frame(14), LocalDifferentialPrivacy(1), Answered("2/3"))
    everything = design.channel.frame.full_mask
    silent = [
        design.channel.mass(answer).masses[everything] for answer in design.channel.frame.answers
    ]
    assert set(silent) == {Fraction(1, 3)}
    with pytest.raises(InputError, match="leave Answered out"):
        optimal_channel(frame(14), LocalDifferentialPrivacy(1), Advantage("1/20"), Answered("2/3"))
    with pytest.raises(InputError, match="leave Answered out"):
        optimal_channel(frame(3), Advantage("1/4"), Answered("1/2"))
