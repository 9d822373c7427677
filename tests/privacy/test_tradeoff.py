"""Trade-off functions: independent values, exact certificates, what certifies nothing."""

import json
import math
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, Warner, local_loss
from askance.privacy import (
    TradeoffFunction,
    View,
    advantage,
    belief_loss,
    error_ceiling,
    error_floor,
    neyman_pearson,
    plausibility_loss,
    shafer_loss,
    tradeoff,
    walley_loss,
)
from askance_collect.errors import InputError

F = Fraction
ORACLES = Path(__file__).parents[1] / "oracles"
ORACLE = json.loads((ORACLES / "tradeoff.json").read_text())
MECHANISMS = {
    case["name"]: case for case in json.loads((ORACLES / "losses.json").read_text())["mechanisms"]
} | {"vacuous": {"size": 2, "rows": [{"3": "1"}, {"3": "1"}]}}
GUESSING = TradeoffFunction([(0, 1), (1, 0)])
YES_NO = Frame(["yes", "no"])
KEYS = {
    "T_msg": View.MESSAGES,
    "T_pe": View.PESSIMISTIC,
    "T_op_ge": View.OPTIMISTIC,
    "T_att": View.ATTACKER,
}


def channel_of(rows, size):
    """Read rows of masses by mask."""
    masks = sorted({int(mask) for row in rows for mask in row})
    output = Frame([f"y{index}" for index in range(size)])
    answers = Frame([f"x{index}" for index in range(len(rows))])
    matrix = [[F(row.get(str(mask), 0)) for mask in masks] for row in rows]
    return Channel(
        answers, {str(mask): output.names(mask) for mask in masks}, matrix, output=output
    )


def folded(p, q):
    """Ask twice: reports are pairs, and mean pairs of answers."""
    row = dict(zip((1, 2, 3), (p, q, 1 - p - q), strict=True))
    rows = []
    for turn in (row, row | {1: q, 2: p}):
        masses = {}
        for (item, m), (two, its) in product(turn.items(), repeat=2):
            pairs = [
                2 * i + j for i in range(2) for j in range(2) if item >> i & 1 and two >> j & 1
            ]
            mask = str(sum(1 << pair for pair in pairs))
            masses[mask] = masses.get(mask, 0) + m * its
        rows.append(masses)
    return channel_of(rows, 4)


@st.composite
def evidence(draw):
    """Rows of masses on the sets of two or three answers; zeros are common."""
    size, k = draw(st.integers(2, 3)), draw(st.integers(2, 3))
    count = (1 << size) - 1
    entry = st.one_of(st.just(0), st.integers(0, 9), st.integers(1, 9))
    raw = [draw(st.lists(entry, min_size=count, max_size=count).filter(any)) for _ in range(k)]
    rows = [{str(index + 1): F(v, sum(row)) for index, v in enumerate(row)} for row in raw]
    return channel_of(rows, size)


def worst(channel, view):
    """List the curves of all ordered pairs."""
    return [
        tradeoff(channel, x, other, view=view)
        for x, other in permutations(channel.frame.answers, 2)
    ]


@pytest.mark.parametrize("case", ORACLE["tradeoff"]["cases"], ids=lambda case: case["mechanism"])
def test_curves_are_those_computed_independently(case):
    mechanism = MECHANISMS[case["mechanism"]]
    channel = channel_of(mechanism["rows"], mechanism["size"])
    if case.get("fold") == 2:
        channel = folded(F(2, 5), F(2, 5))
    for key, view in KEYS.items():
        if key in case:
            tradeoff_result = tradeoff(channel, f"x{case['x']}", f"x{case['x_prime']}", view=view)
            assert tradeoff_result.beta(case["alpha"]) == pytest.approx(
                case[key], rel=1e-10, abs=1e-12
            )
    if "T_pe_vertices" in case:
        tradeoff_result = tradeoff(channel, "x0", "x1", view=View.PESSIMISTIC)
        assert tradeoff_result.knots == pytest.approx(np.array(case["T_pe_vertices"]), rel=1e-12)


@pytest.mark.parametrize("case", ORACLE["two_fold_bounds"]["cases"], ids=lambda case: case["eps"])
def test_two_fold_bounds_are_those_computed_independently(case):
    for bound, key in ((error_floor, "u2"), (error_ceiling, "U2")):
        beta_result = bound(case["eps"], times=2).beta(case["alpha"])
        assert beta_result == pytest.approx(case[key], rel=1e-10, abs=1e-12)


@given(evidence())
@settings(max_examples=60)
@pytest.mark.long
def test_private_exactly_where_no_curve_falls_below_the_floor(channel):
    """Shafer's loss by messages, Walley's by the attacker's curves; in exact rationals."""
    for judge, view in ((shafer_loss, View.MESSAGES), (walley_loss, View.ATTACKER)):
        curves, loss = worst(channel, view), judge(channel).value
        for ratio in (F(1), F(3, 2), F(4), F(10**6)):
            certified = all(
                curve.is_at_least_as_strong(error_floor(ratio=ratio)) for curve in curves
            )
            assert certified == (loss <= ratio)
        if loss < math.inf:
            assert all(curve.is_at_least_as_strong(error_floor(ratio=loss)) for curve in curves)


@pytest.mark.long
@given(evidence())
@settings(max_examples=60)
def test_the_pessimistic_curve_certifies_only_that_belief_is_below_plausibility(channel):
    sets = list(zip(channel.mass("x1").beliefs(), channel.mass("x0").plausibilities(), strict=True))
    ratios = [F(believed) / plausible for believed, plausible in sets if plausible]
    unbounded = any(believed and not plausible for believed, plausible in sets)
    curve = tradeoff(channel, "x0", "x1", view=View.PESSIMISTIC)
    ratio = max([F(1), *ratios])
    slope = (curve.exact[1][1] - curve.exact[0][1]) / curve.exact[1][0]
    assert (curve.exact[0][1] < 1) == unbounded
    if not unbounded:
        assert max(F(1), -slope) == ratio


@given(evidence())
@pytest.mark.long
def test_readings_are_ordered(channel):
    """Resolving against the test makes it worse, in its favour better; optimism turns around."""
    pessimistic, messages, attacker, optimistic = (
        tradeoff(channel, "x0", "x1", view=item)
        for item in (View.PESSIMISTIC, View.MESSAGES, View.ATTACKER, View.OPTIMISTIC)
    )
    assert pessimistic.is_at_least_as_strong(attacker)
    assert pessimistic.convex
    assert messages.convex
    assert GUESSING.is_at_least_as_strong(pessimistic)
    assert optimistic.is_at_least_as_strong(GUESSING)
    assert optimistic.reflected() == pessimistic
    assert advantage(channel).value >= messages.advantage


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_the_curve_by_messages_is_the_hull_of_all_tests(lowest, pairs):
    first, second = (row if any(row) else [1] * len(row) for row in zip(*pairs, strict=True))
    points = [
        (
            F(sum(p for index, p in enumerate(first) if event >> index & 1), sum(first)),
            F(
                sum(q for position, q in enumerate(second) if not event >> position & 1),
                sum(second),
            ),
        )
        for event in range(1 << len(first))
    ]
    assert neyman_pearson(first, second) == lowest(points)


def test_the_literal_optimistic_curve_says_nothing():
    """Accusing nobody has lower error 0 and misses everyone, so the supremum is 1 at every α."""
    vacuous = channel_of([{"3": 1}, {"3": 1}], 2)
    alarms, plausibilities_result = (
        vacuous.mass("x0").beliefs(),
        vacuous.mass("x1").plausibilities(),
    )
    assert (
        max(
            1 - result
            for alarm, result in zip(alarms, plausibilities_result, strict=True)
            if alarm == 0
        )
        == 1
    )


def test_the_pessimistic_curve_does_not_certify_walleys_loss():
    """(2) does not imply (1) in Theorem 18."""
    vacuous = channel_of([{"3": 1}, {"3": 1}], 2)
    assert worst(vacuous, View.PESSIMISTIC) == [GUESSING, GUESSING]
    assert walley_loss(vacuous).value == math.inf
    q = Abstain(truth=0.6, lie=0.1).channel(YES_NO)
    assert all(
        item.is_at_least_as_strong(error_floor(ratio=F(3, 2)))
        for item in worst(q, View.PESSIMISTIC)
    )
    assert walley_loss(q).value == 9


def test_errors_by_event_do_not_certify_shafers_loss():
    """Theorem 5 as written, both directions."""
    channel = channel_of([{"1": "9/20", "2": "9/20", "3": "1/10"}] * 2, 2)
    alpha, beta = channel.mass("x0").plausibility(["y0"]), 1 - channel.mass("x1").belief(["y0"])
    assert (alpha, beta) == (F(11, 20), F(11, 20))
    assert shafer_loss(channel).value == 1
    assert beta > error_ceiling(0).exact_beta(alpha) == F(9, 20)
    narrow = channel_of(
        [{"1": "9/20", "2": "9/20", "3": "1/10"}, {"1": "49/100", "2": "49/100", "3": "1/50"}], 2
    )
    ceiling = error_floor(ratio=F(11, 9)).reflected()
    for x, other in product(("x0", "x1"), repeat=2):
        alarms, beliefs_result = narrow.mass(x).plausibilities(), narrow.mass(other).beliefs()
        for alarm, result in zip(alarms, beliefs_result, strict=True):
            assert 1 - result <= ceiling.exact_beta(alarm)
    assert shafer_loss(narrow).value == 5


@given(evidence())
@settings(max_examples=60)
@pytest.mark.long
def test_errors_both_low_or_both_high_bound_belief_and_plausibility(channel):
    """Theorem 5 as its proof reads it is about these two losses, and not about Shafer's."""
    most = max(belief_loss(channel).value, plausibility_loss(channel).value)
    for ratio in (F(1), F(3, 2), F(4), F(10**6)):
        floor, allowed = error_floor(ratio=ratio), True
        for x, other in permutations(map(channel.mass, channel.frame.answers), 2):
            pairs = (x.beliefs(), other.beliefs()), (x.plausibilities(), other.plausibilities())
            for row in pairs:
                for alarm, result in zip(*row, strict=True):
                    allowed &= 1 - result >= floor.exact_beta(alarm)
        assert allowed == (most <= ratio)


@pytest.mark.parametrize(("epsilon", "excess"), [(0.1, 0.0138), (1, 0.692)])
def test_the_printed_two_fold_constant_is_too_small(epsilon, excess):
    """Corollary 6: two replies to Warner's question exceed the bound as printed."""
    e = math.exp(epsilon)
    warner = Warner(truth=e / (1 + e)).channel(YES_NO).table.row(0)
    twice = [p * q for p, q in product(warner, repeat=2)]
    largest = neyman_pearson(twice, [p * q for p, q in product(warner[::-1], repeat=2)]).reflected()
    alphas = np.linspace(0, 1, 2001)
    printed = np.minimum((3 - math.exp(-2 * epsilon)) / (e + 1) - alphas, 1)
    middle = 2 * e / (e + 1) - alphas
    corrected = error_ceiling(epsilon, times=2).beta(alphas)
    assert largest.beta(alphas) == pytest.approx(corrected, abs=1e-12)
    on_middle = np.isclose(corrected, middle, atol=1e-12)
    assert (corrected - printed)[on_middle].max() == pytest.approx(excess, rel=5e-3)
    if epsilon == 1:
        assert (
            error_floor(1, times=2).beta(0.0) == 1 > printed[0] == pytest.approx(0.7704, abs=1e-4)
        )


@pytest.mark.long
@given(st.fractions(1, 9), st.integers(1, 7))
@settings(max_examples=40)
def test_the_floor_is_its_formula(ratio, k):
    grid = [F(index, 60) for index in range(61)]
    floor = error_floor(ratio=ratio, times=k)
    for alpha in grid:
        lines = [F(0)]
        for i in range(k // 2 + 1):
            d = (
                sum(
                    math.comb(k, index) * (ratio ** (k - index) - ratio ** (k - 2 * i + index))
                    for index in range(i)
                )
                / (1 + ratio) ** k
            )
            step = ratio ** (k - 2 * i)
            lines += [1 - d - step * alpha, (1 - d - alpha) / step]
        assert floor.exact_beta(alpha) == max(lines)


@pytest.mark.long
def test_a_floor_under_many_reports_is_taken_in_doubles():
    fast = error_floor(0.02, times=4000)
    assert fast.exact is None
    assert fast.beta([0.0, 1.0]).tolist() == [1, 0]
    exact = error_floor(ratio=F(51, 50), times=800)
    rounded = error_floor(ratio=F(51, 50) + F(1, 10**40), times=800)
    assert exact.exact is not None
    assert rounded.exact is None
    assert exact.beta(np.linspace(0, 1, 99)) == pytest.approx(
        rounded.beta(np.linspace(0, 1, 99)), abs=1e-11
    )


@pytest.mark.long
def test_outcomes_are_ranked_by_their_exact_ratios(lowest):
    """All pairs of outcomes with up to six units, and two that sixty digits hardly tell."""
    for p, q, r, s in product(range(7), repeat=4):
        if p + r and q + s:
            first, second = (p, r), (q, s)
            points = [(F(0), F(1)), (F(1), F(0))]
            points += [(F(first[index], p + r), 1 - F(second[index], q + s)) for index in range(2)]
            assert neyman_pearson(first, second) == lowest(points)
    large = 2**100 - 1
    knots = neyman_pearson([1, 1], [large - 2, large - 1]).exact
    assert knots == ((0, 1), (F(1, 2), F(large - 2, 2 * large - 3)), (1, 0))


def test_without_a_bound_a_test_may_be_perfect():
    assert error_floor(math.inf).exact == ((0, 0), (1, 0))
    assert error_floor(ratio=math.inf) == error_floor(math.inf)
    assert error_floor(ratio=1, times=9) == GUESSING
    assert error_floor(0, times=9) == error_ceiling(0) == GUESSING
    for wrong in (0, 1.5, -1, math.inf, math.nan, "2", True, 1_000_001):
        with pytest.raises(InputError, match="times"):
            error_floor(1, times=wrong)
    with pytest.raises(InputError, match="epsilon"):
        error_floor(-1)


def test_reports_with_one_meaning_tell_more_than_messages():
    rows = [[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]]
    q = Channel(YES_NO, {"a": ["yes"], "b": ["yes"]}, rows)
    assert tradeoff(q, "yes", "no", view=View.MESSAGES) == GUESSING
    by_report = tradeoff(q, "yes", "no")
    assert by_report == tradeoff(q, "yes", "no", view=View.REPORTS)
    assert by_report.advantage == advantage(q).value
    assert by_report.is_at_least_as_strong(error_floor(ratio=local_loss(q).value))


def test_one_reply_to_warner_is_exact():
    q = Warner(truth=0.75).channel(YES_NO)
    assert tradeoff(q, "yes", "no").exact_beta(0.05) == F(17, 20)


def test_doubles_are_read_as_the_fractions_that_they_are():
    q = Channel(YES_NO, {"yes": ["yes"], "no": ["no"]}, [[0.7, 0.3], [0.1, 0.9]])
    for view in View:
        curve = tradeoff(q, "yes", "no", view=view)
        assert curve.exact is not None
        assert curve.knots[[0, -1]].tolist() == [[0, 1], [1, 0]]
