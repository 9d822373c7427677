"""Several reports in every view: what the least favourable laws settle, and what they do not."""

import math
from fractions import Fraction as F
from functools import reduce
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from askance import Abstain, Channel, Frame, Warner
from askance.channels import two_reports
from askance.privacy import (
    Interaction,
    Ledger,
    Notion,
    TradeoffFunction,
    View,
    error_ceiling,
    error_floor,
    least_favourable,
    neyman_pearson,
    shafer_loss,
    tradeoff,
    walley_loss,
)
from askance_collect.errors import InputError

YES_NO = Frame(["yes", "no"])
ALPHA = np.linspace(0, 1, 201)
GUESSING = TradeoffFunction([(0, 1), (1, 0)])


def evidence(*rows, size=2):
    """Read masses on every set of two or three answers, in order of their masks."""
    output = Frame([f"y{index}" for index in range(size)])
    named = {str(mask): output.names(mask) for mask in range(1, 1 << size)}
    exact = [[F(value) / sum(map(F, row)) for value in row] for row in rows]
    return Channel(YES_NO, named, exact, output=output)


@st.composite
def channels(draw, size=None):
    """Two rows of masses; zeros are common."""
    size = size or draw(st.integers(2, 3))
    count = (1 << size) - 1
    entry = st.one_of(st.just(0), st.integers(0, 9), st.integers(1, 9))
    rows = [draw(st.lists(entry, min_size=count, max_size=count).filter(any)) for _ in range(2)]
    return evidence(*rows, size=size)


def worst_laws(reports, x="yes", other="no"):
    """Multiply the least favourable laws of all reports."""
    pairs = [[[*law.values()] for law in least_favourable(q, x, other)] for q in reports]
    return [
        [math.prod(combination) for combination in product(*(pair[row] for pair in pairs))]
        for row in range(2)
    ]


def ledger(reports):
    account = Ledger()
    for q in reports:
        account = account.spend(q)
    return account


@given(channels(), channels())
@settings(max_examples=40)
@pytest.mark.long
def test_pessimistic_curves_are_those_over_every_way_to_resolve_both_reports(one, two):
    """All sets of pairs of answers are gone through, exactly: one pair of laws is the worst."""
    tradeoff_result = tradeoff(two_reports(one, two), "yes", "no", view=View.PESSIMISTIC)
    assert neyman_pearson(*worst_laws([one, two])) == tradeoff_result
    ledger_result = ledger([one, two])
    assert ledger_result.tradeoff(view=View.PESSIMISTIC).beta(ALPHA) == pytest.approx(
        tradeoff_result.beta(ALPHA), abs=1e-12
    )
    assert ledger_result.tradeoff(view=View.OPTIMISTIC).beta(ALPHA) == pytest.approx(
        tradeoff_result.reflected().beta(ALPHA), abs=1e-12
    )


@pytest.mark.long
@given(channels(size=2))
@settings(max_examples=20)
def test_three_reports_resolved_together_have_that_curve_too(q):
    three = tradeoff(reduce(two_reports, [q] * 3), "yes", "no", view=View.PESSIMISTIC)
    assert neyman_pearson(*worst_laws([q] * 3)) == three


@pytest.mark.parametrize("view", [view for view in View if view is not View.ATTACKER])
def test_ledgers_and_repeated_tests_agree(view):
    q = evidence((55, 20, 25), (30, 60, 10))
    exact = tradeoff(q, "yes", "no", view=view, times=40)
    assert Ledger().spend(q, 40).tradeoff(view=view).beta(ALPHA) == pytest.approx(
        exact.beta(ALPHA), abs=1e-13
    )


@pytest.mark.parametrize("times", [2, 3, 10, 200])
@pytest.mark.parametrize(
    "rows",
    [
        ((6, 1, 3), (1, 6, 3)),
        ((55, 20, 25), (30, 60, 10)),
        ((8, 1, 1), (2, 7, 1)),
        ((45, 45, 10), (49, 49, 2)),
    ],
)
def test_corollary_19_for_any_number_of_reports(rows, times):
    """T^pe of k reports stays above f, T^op below its turned twin: for Shafer's and Walley's ε."""
    q = evidence(*rows)
    for judge in (shafer_loss, walley_loss):
        ratio = judge(q).value
        floor, ceiling = (
            error_floor(ratio=ratio, times=times),
            error_ceiling(ratio=ratio, times=times),
        )
        account = Ledger().spend(q, times)
        for names in permutations(YES_NO.answers):
            low = account.tradeoff(*names, view=View.PESSIMISTIC)
            high = account.tradeoff(*names, view=View.OPTIMISTIC)
            assert (low.beta(ALPHA) >= floor.beta(ALPHA) - 1e-12).all()
            assert (high.beta(ALPHA) <= ceiling.beta(ALPHA) + 1e-12).all()
            assert low.beta(ALPHA) == pytest.approx(1 - high.beta(1 - ALPHA), abs=1e-12)
            if times <= 3:
                exact = neyman_pearson(*worst_laws([q] * times, *names))
                assert exact.is_at_least_as_strong(floor)


def test_the_printed_optimistic_bound_is_too_low():
    """Its middle part is (3 − e^−2ε)/(1 + e^ε) − α; two replies to Warner's question exceed it."""
    ratio = F(3)
    warner = Ledger().spend(Warner(truth="3/4").channel(YES_NO), 2)
    attained = warner.tradeoff(view=View.OPTIMISTIC)
    printed = (3 - ratio**-2) / (1 + ratio)
    assert attained.beta(0) == 1 > printed == F(13, 18)
    assert attained.beta(0.75) == pytest.approx(float(2 * ratio / (1 + ratio)) - 0.75)
    assert attained.beta(ALPHA) == pytest.approx(
        error_ceiling(ratio=3, times=2).beta(ALPHA), abs=1e-14
    )


def test_corollary_19_is_false_for_the_attacker():
    even = Abstain(truth="2/5", lie="2/5").channel(YES_NO)
    tradeoff_result = tradeoff(two_reports(even, even), "yes", "no", view=View.ATTACKER)
    ratio = walley_loss(even).value
    assert not tradeoff_result.is_at_least_as_strong(error_floor(ratio=ratio, times=2))
    assert tradeoff_result.is_at_least_as_strong(error_floor(ratio=ratio**2))
    account = Ledger().spend(even, 2)
    for questions in (account.loss_distribution, account.tradeoff, account.gaussian):
        with pytest.raises(InputError, match=r"got 'ATTACKER'.*nothing tighter than the sum"):
            questions(view=View.ATTACKER)


@pytest.mark.parametrize(("k", "vague"), [(2, F(1, 5)), (3, F(1, 5)), (2, F(1, 2))])
def test_the_parity_of_vague_replies_leaves_the_attacker_no_limit(k, vague):
    """No question here depends on the answer, yet both errors are at most (1 − r)^k / 2."""
    replies = (1 - vague) / 2
    q = evidence((replies, replies, vague), (replies, replies, vague))
    together = reduce(two_reports, [q] * k)
    even = [
        name
        for name, ways in zip(together.output.answers, product((0, 1), repeat=k), strict=True)
        if sum(ways) % 2 == 0
    ]
    error = (1 - vague) ** k / 2
    mass = together.mass("yes")
    assert mass.belief(even) == pytest.approx(float(error), abs=1e-12)
    assert 1 - mass.plausibility(even) == pytest.approx(float(error), abs=1e-12)
    assert tradeoff(together, "yes", "no", view=View.ATTACKER).exact_beta(error) <= error
    assert Ledger().spend(q, k).tradeoff(view=View.PESSIMISTIC) == TradeoffFunction(GUESSING.knots)


def test_views_of_reports_and_messages_are_the_two_notions():
    split = Channel(
        YES_NO,
        {"a": ["yes"], "b": ["yes"], "c": ["no"]},
        [[F(5, 10), F(2, 10), F(3, 10)], [F(1, 10), F(4, 10), F(5, 10)]],
    )
    account = Ledger().spend(split, 4)
    for view, notion in ((View.REPORTS, Notion.LOCAL), (View.MESSAGES, Notion.SHAFER)):
        assert account.tradeoff(view=view) == account.tradeoff(notion=notion)
        assert account.gaussian(view=view).mu == account.gaussian(notion=notion).mu
    assert account.tradeoff() == account.tradeoff(view=View.REPORTS)
    assert account.tradeoff() != account.tradeoff(view=View.MESSAGES)
    with pytest.raises(InputError, match=r"got 'OPTIMISTIC'.*turned around"):
        account.loss_distribution(view=View.OPTIMISTIC)


CANDIDATES = (
    ((12, 4, 4), (4, 12, 4)),
    ((4, 12, 4), (12, 4, 4)),
    ((10, 6, 4), (6, 10, 4)),
    ((8, 8, 4), (8, 8, 4)),
)
FIRSTS = ((7, 1, 2), (2, 6, 2)), ((6, 3, 1), (3, 6, 1))


def lowest(first, chosen, alpha):
    """Minimise the pessimistic miss over all tests, each resolution a constraint of a programme."""
    from scipy.optimize import linprog

    errors = []
    for x in range(2):
        for combination in product(range(2), repeat=3):
            law = np.zeros(4)
            for e, f in product(range(3), repeat=2):
                y = combination[0] if e == 2 else e
                z = combination[1 + y] if f == 2 else f
                law[2 * y + z] += first[x][e] / 10 * chosen[y][x][f] / 20
            errors.append((x, law))
    alarms = [[*law, 0] for x, law in errors if x == 0]
    misses = [[*-law, -1] for x, law in errors if x == 1]
    optimum = linprog(
        [0, 0, 0, 0, 1],
        A_ub=alarms + misses,
        b_ub=[alpha] * len(alarms) + [-1] * len(misses),
        bounds=(0, 1),
    )
    return optimum.fun


@pytest.mark.parametrize("first", FIRSTS)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_pessimistic_curves_hold_for_every_question_chosen_from_answers(first, alpha):
    weakest = evidence(*CANDIDATES[0])
    account = Ledger().spend(evidence(*first))
    account = account.spend(weakest, interaction=Interaction.FROM_ANSWERS)
    bound = account.tradeoff(view=View.PESSIMISTIC).beta(alpha)
    for rows in CANDIDATES:
        assert tradeoff(evidence(*rows), "yes", "no", view=View.PESSIMISTIC).is_at_least_as_strong(
            tradeoff(weakest, "yes", "no", view=View.PESSIMISTIC)
        )
    lowest_results = [lowest(first, chosen, alpha) for chosen in product(CANDIDATES, repeat=2)]
    assert min(lowest_results) == pytest.approx(bound, abs=1e-9)


@pytest.mark.parametrize("view", [View.PESSIMISTIC, View.OPTIMISTIC])
def test_no_view_of_answers_is_given_where_messages_were_read(view):
    """The second reply is "b" exactly after the vague message: an alarm of .02 finds .10."""
    narrow = evidence((49, 49, 2), (45, 45, 10))
    nothing = evidence((1, 0, 0), (1, 0, 0))
    account = Ledger().spend(narrow)
    fixed, read = (
        account.spend(nothing, interaction=item)
        for item in (Interaction.INDEPENDENT, Interaction.FROM_MESSAGES)
    )
    assert fixed.tradeoff(view=view).beta(0.02) == pytest.approx(0.98)
    alarm, missed = F(2, 100), 1 - F(10, 100)  # "b" and the vague message are one event
    assert missed < 1 - alarm
    for questions in (read.loss_distribution, read.tradeoff, read.gaussian):
        with pytest.raises(InputError, match="chosen after messages were read"):
            questions(view=View.PESSIMISTIC)
    with pytest.raises(InputError, match="chosen after messages were read"):
        read.tradeoff(view=view)


@pytest.mark.parametrize(
    "rows",
    [
        ((6, 1, 3), (1, 6, 3)),
        ((52, 43, 5), (43, 52, 5)),
        ((55, 20, 25), (30, 60, 10)),
        ((50, 15, 5, 10, 5, 10, 5), (10, 25, 5, 40, 5, 10, 5)),
    ],
)
@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_gaussian_limit_of_vague_reports_is_as_near_as_it_says(rows, k):
    q = evidence(*rows, size=2 if len(rows[0]) == 3 else 3)
    account, alpha = Ledger().spend(q, k), np.linspace(1e-6, 1 - 1e-6, 2001)
    for view in (View.PESSIMISTIC, View.OPTIMISTIC):
        limit, curve = account.gaussian(view=view), account.tradeoff(view=view).beta(alpha)
        assert np.abs(curve - limit.beta(alpha)).max() <= limit.distance + 1e-12
        up, down = np.minimum(alpha + limit.bound, 1), np.maximum(alpha - limit.bound, 0)
        assert (limit.beta(up) - limit.bound <= curve + 1e-12).all()
        assert (curve <= limit.beta(down) + limit.bound + 1e-12).all()


def test_many_small_vague_reports_come_to_a_gaussian_curve():
    """Losses of the least favourable laws that shrink as 1/√k, beside a share of vague replies."""
    limits = []
    for k, part in ((25, F(1, 10)), (100, F(1, 20)), (400, F(1, 40)), (2500, F(1, 100))):
        vague = part / 2
        q = Abstain(truth=F(1, 2) + part, lie=F(1, 2) - part - vague).channel(YES_NO)
        limits.append(Ledger().spend(q, k).gaussian(view=View.PESSIMISTIC))
    for few, many in pairwise(limits):
        assert many.bound < few.bound
        assert many.distance < few.distance
    assert [round(limit.mu, 2) for limit in limits] == pytest.approx([2, 2, 2, 2], abs=0.05)
    assert limits[-1].distance < 0.001
    turned = Ledger().spend(q, 2500).gaussian(view=View.OPTIMISTIC)
    assert turned.mu == -limits[-1].mu
    assert turned.beta(0.1) == pytest.approx(float(ndtr(-ndtri(0.1) + limits[-1].mu)))


def test_the_two_by_three_mechanism_is_warners_for_the_pessimist():
    q, warner = Abstain(truth="3/5", lie="1/10"), Warner(truth="3/5")
    vague, plain = (Ledger().spend(item.channel(YES_NO), 40) for item in (q, warner))
    assert vague.tradeoff(view=View.PESSIMISTIC) == plain.tradeoff()
    assert vague.gaussian(view=View.PESSIMISTIC).mu == plain.gaussian().mu
    nothing = Ledger().spend(Abstain(truth="2/5", lie="1/5").channel(YES_NO), 40)
    assert nothing.tradeoff(view=View.PESSIMISTIC) == TradeoffFunction(GUESSING.knots)
    with pytest.raises(InputError, match="say nothing"):
        nothing.gaussian(view=View.PESSIMISTIC)
