"""Least favourable pairs and best tests, held to every test there is on small frames."""

from fractions import Fraction
from functools import reduce
from itertools import pairwise, permutations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, Warner
from askance.privacy import (
    Ledger,
    TradeoffFunction,
    View,
    attack,
    best_test,
    least_favourable,
    neyman_pearson,
    repeated_test,
    tradeoff,
    worst_test,
    worst_tradeoff,
)
from askance_collect.errors import InputError

F = Fraction
XS = Frame(["x0", "x1"])


@st.composite
def evidence(draw, size=None):
    """Two rows of masses on the sets of two or three answers; zeros are common."""
    size = size or draw(st.integers(2, 3))
    count = (1 << size) - 1
    entry = st.one_of(st.just(0), st.integers(0, 9))
    rows = [draw(st.lists(entry, min_size=count, max_size=count).filter(any)) for _ in range(2)]
    output = Frame([f"y{index}" for index in range(size)])
    matrix = [[F(value, sum(row)) for value in row] for row in rows]
    named = {str(mask): output.names(mask) for mask in range(1, count + 1)}
    return Channel(XS, named, matrix, output=output)


@pytest.mark.long
@given(evidence())
def test_the_least_favourable_pair_is_possible_and_attains_the_pessimistic_curve(channel):
    laws = least_favourable(channel, "x0", "x1")
    assert neyman_pearson(*([*law.values()] for law in laws)) == tradeoff(
        channel, "x0", "x1", view=View.PESSIMISTIC
    )
    for x, law in zip(XS.answers, laws, strict=True):
        chances = [*law.values()]
        assert sum(chances) == 1
        for mask, low in enumerate(channel.mass(x).beliefs()):
            assert low <= sum(chance for index, chance in enumerate(chances) if mask >> index & 1)


@given(evidence())
@settings(max_examples=60)
@pytest.mark.long
def test_the_attackers_curve_is_the_lowest_over_orderings(channel):
    """Each order of the answers makes one pair of laws: masses go to the first, or the last."""
    size, curves = len(channel.output), []
    for order in permutations(range(size)):
        laws = [0] * size, [0] * size
        for x, law, end in zip(XS.answers, laws, (-1, 0), strict=True):
            for mask, mass in channel.mass(x).masses.items():
                law[[index for index in order if mask >> index & 1][end]] += mass
        curves.append(neyman_pearson_in_order(*laws, order))
    attacker = tradeoff(channel, "x0", "x1", view=View.ATTACKER)
    assert attacker == reduce(TradeoffFunction.minimum, curves)


def neyman_pearson_in_order(first, second, order):
    """Accuse in a given order, whatever the ratios."""
    alarm, missed, knots = F(0), F(1), {F(0): F(1)}
    for index in order:
        alarm, missed = alarm + first[index], missed - second[index]
        knots[alarm] = missed
    return TradeoffFunction(list(knots.items()))


def errors(channel, view, test):
    """Compute the errors of a test from its Choquet integrals, layer by layer."""
    chances = [*test.rejection_chances.values()]
    layers = sorted({*chances, F(0)})
    first, second = channel.mass("x0"), channel.mass("x1")
    alarms, finds = first.beliefs(), second.plausibilities()
    if view is View.PESSIMISTIC:
        alarms, finds = first.plausibilities(), second.beliefs()
    alarm, result = F(0), F(0)
    for below, level in pairwise(layers):
        mask = sum(1 << index for index, chance in enumerate(chances) if chance >= level)
        alarm += (level - below) * alarms[mask]
        result += (level - below) * finds[mask]
    return alarm, 1 - result


@given(evidence(), st.fractions(0, 1))
@pytest.mark.long
def test_the_best_test_has_the_errors_that_it_says(channel, alpha):
    for view in (View.PESSIMISTIC, View.ATTACKER):
        test = best_test(channel, "x0", "x1", alpha, view=view)
        alarm, missed = errors(channel, view, test)
        curve = tradeoff(channel, "x0", "x1", view=view)
        assert test.beta == missed == curve.exact_beta(alpha)
        assert alarm <= alpha == test.alpha


@given(evidence(), st.fractions(0, 1))
@pytest.mark.long
def test_the_best_test_on_messages_is_neyman_and_pearsons(channel, alpha):
    for view in (View.REPORTS, View.MESSAGES):
        test = best_test(channel, "x0", "x1", alpha, view=view)
        assert test.beta == tradeoff(channel, "x0", "x1", view=view).exact_beta(alpha)
        row = channel.table.rows[1]
        result = sum(
            units * share for units, share in zip(row, test.rejection_chances.values(), strict=True)
        )
        assert 1 - F(result) / channel.table.total == test.beta


def test_a_test_is_shown():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    test = best_test(q, "yes", "no", "1/5", view=View.ATTACKER)
    assert test.to_dict()["accuses"] == {"yes": "1/9", "no": "1"}
    assert 'no</th><td style="text-align: right">1</td>' in test._repr_html_()


def test_what_cannot_be_tested_is_refused():
    q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    with pytest.raises(InputError, match=r"got 'OPTIMISTIC'; allowed: REPORTS, MESSAGES"):
        best_test(q, "yes", "no", 0.1, view=View.OPTIMISTIC)
    with pytest.raises(InputError, match="twice"):
        tradeoff(q, "yes", "yes")
    with pytest.raises(InputError, match="did you mean 'yes'"):
        least_favourable(q, "yess", "no")
    with pytest.raises(InputError, match="alpha"):
        best_test(q, "yes", "no", 2)
    wide = Abstain(truth=0.6, lie=0.1).channel(Frame([f"y{index}" for index in range(17)]))
    for view, most in ((View.PESSIMISTIC, 16), (View.ATTACKER, 10)):
        with pytest.raises(InputError, match=f"17 answers'; allowed: at most {most}"):
            tradeoff(wide, "y0", "y1", view=view)
    assert tradeoff(wide, "y0", "y1").advantage == F(3, 5) - F(1, 160)


def test_messages_of_one_wording_are_told_apart():
    frame = Frame(["a", "b", "a or b"])
    meant = {"one": ["a", "b"], "two": ["a or b"], "three": ["b"]}
    q = Channel(frame, meant, [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    assert len(best_test(q, "a", "b", 0.25).rejection_chances) == 3


def choquet(masses, rule, end):
    """Sum a mass function's extremes of a rule over its focal sets, which are lists of places."""
    return sum(mass * end(rule[index] for index in focal) for focal, mass in masses.items())


def focal_sets(channel, row, times=1):
    """Give the masses of independent messages on the sequences that each leaves possible."""
    size = len(channel.output)
    places = {sequence: index for index, sequence in enumerate(product(range(size), repeat=times))}
    chances = channel.table.row(row)
    result = {}
    for combination in product(range(len(channel.reports)), repeat=times):
        mass = prod((chances[index] for index in combination), start=F(1))
        if mass:
            inside = product(
                *(channel.output.positions(channel.meanings[index]) for index in combination)
            )
            focal = tuple(sorted(places[item] for item in inside))
            result[focal] = result.get(focal, 0) + mass
    return result, list(places)


@pytest.mark.long
@given(evidence(), st.data())
def test_the_errors_of_any_test_are_those_of_its_resolutions(channel, data):
    """By answers: every way to resolve a vague report is gone through."""
    names = channel.output.answers
    shares = data.draw(st.lists(st.fractions(0, 1), min_size=len(names), max_size=len(names)))
    rule = dict(zip(names, shares, strict=True))
    errors = []
    for row in (0, 1):
        masses, _ = focal_sets(channel, row)
        every = product(*(focal for focal in masses))
        chances = list(masses.values())
        errors.append(
            [
                sum(m * shares[index] for m, index in zip(chances, result, strict=True))
                for result in every
            ]
        )
    worst = attack(channel, "x0", "x1", rule, view=View.PESSIMISTIC)
    assert (worst.alpha, worst.beta) == (max(errors[0]), 1 - min(errors[1]))
    best = attack(channel, "x0", "x1", rule, view=View.ATTACKER)
    assert (best.alpha, best.beta) == (min(errors[0]), 1 - max(errors[1]))
    assert (worst.pair, dict(worst.rejection_chances)) == (("x0", "x1"), rule)


@pytest.mark.long
@given(evidence(), st.data())
def test_the_errors_of_any_test_of_reports_are_sums(channel, data):
    drawn_value = data.draw(st.dictionaries(st.sampled_from(channel.reports), st.fractions(0, 1)))
    attack_result = attack(channel, "x0", "x1", drawn_value, view=View.REPORTS)
    rows = [channel.table.row(index) for index in range(2)]
    sums = [
        sum(
            drawn_value.get(name, 0) * chance
            for name, chance in zip(channel.reports, row, strict=True)
        )
        for row in rows
    ]
    assert (attack_result.alpha, 1 - attack_result.beta) == tuple(sums)


@pytest.mark.long
@given(evidence(), st.fractions(0, 1))
def test_a_best_test_that_is_made_again_has_the_same_errors(channel, alpha):
    for view in set(View) - {View.OPTIMISTIC}:
        best = best_test(channel, "x0", "x1", alpha, view=view)
        again = attack(channel, "x0", "x1", best.rejection_chances, view=view)
        assert (again.beta, again.rejection_chances) == (best.beta, best.rejection_chances)
        assert again.alpha <= best.alpha


@given(evidence(), st.data(), st.sampled_from(sorted(set(View) - {View.OPTIMISTIC}, key=str)))
@pytest.mark.long
def test_no_chosen_test_beats_the_curve(channel, data, view):
    names = best_test(channel, "x0", "x1", 0, view=view).rejection_chances
    rule = {name: data.draw(st.fractions(0, 1)) for name in names}
    attack_result = attack(channel, "x0", "x1", rule, view=view)
    assert attack_result.beta >= tradeoff(channel, "x0", "x1", view=view).exact_beta(
        attack_result.alpha
    )


@settings(max_examples=40)
@given(evidence(), st.integers(1, 3), st.fractions(0, 1))
@pytest.mark.long
def test_repeated_pessimistic_tests_are_the_best_of_all_events(lowest, channel, times, alpha):
    """Every event of k answers, by belief and plausibility of k independent messages."""
    if len(channel.output) ** times > 9:
        times = 1 + (len(channel.output) == 2)
    (first, sequences), (second, _) = (focal_sets(channel, row, times) for row in (0, 1))
    points = []
    for mask in range(1 << len(sequences)):
        rule = [mask >> index & 1 for index in range(len(sequences))]
        points.append((choquet(first, rule, max), 1 - choquet(second, rule, min)))
    curve = lowest(points)
    assert tradeoff(channel, "x0", "x1", view=View.PESSIMISTIC, times=times) == curve
    turned = tradeoff(channel, "x0", "x1", view=View.OPTIMISTIC, times=times)
    assert turned == curve.reflected()
    test = repeated_test(channel, "x0", "x1", alpha, times)
    assert test.beta == curve.exact_beta(alpha)
    names = channel.output.answers
    rule = [test.rejection_chance([names[index] for index in sequence]) for sequence in sequences]
    assert choquet(first, rule, max) <= alpha == test.alpha
    assert 1 - choquet(second, rule, min) == test.beta


@given(evidence(), st.integers(1, 4), st.fractions(0, 1))
@settings(max_examples=40)
@pytest.mark.long
def test_repeated_tests_of_messages_are_those_of_all_sequences(channel, times, alpha):
    names = best_test(channel, "x0", "x1", 0).rejection_chances
    rows = [channel.table.row(index) for index in range(2)]
    times = min(times, 3) if len(names) > 4 else times
    sent_items = list(product(range(len(names)), repeat=times))
    laws = [
        [prod((row[position] for position in sent_item), start=F(1)) for sent_item in sent_items]
        for row in rows
    ]
    for view in (View.MESSAGES, View.REPORTS):
        curve = tradeoff(channel, "x0", "x1", view=view, times=times)
        assert curve == neyman_pearson(*laws)
        test = repeated_test(channel, "x0", "x1", alpha, times, view=view)
        result = [*names] if view is View.MESSAGES else channel.reports
        possible = [position for position, law in enumerate(zip(*laws, strict=True)) if any(law)]
        rule = {
            index: test.rejection_chance([result[item] for item in sent_items[index]])
            for index in possible
        }
        assert sum(laws[0][name] * share for name, share in rule.items()) <= alpha
        assert 1 - sum(laws[1][name] * share for name, share in rule.items()) == test.beta
        assert test.beta == curve.exact_beta(alpha)


@pytest.mark.long
def test_fifty_reports_of_truth_lie_or_silence_are_fifty_of_warners():
    """Vague reports resolved at worst make Q(p, q) a question of Warner's at p, if p > 1/2."""
    yn = Frame(["yes", "no"])
    q, warner = Abstain(truth="3/5", lie="1/10").channel(yn), Warner(truth="3/5").channel(yn)
    fifty = tradeoff(q, "yes", "no", view=View.PESSIMISTIC, times=50)
    assert fifty == tradeoff(warner, "yes", "no", times=50)
    messages = tradeoff(q, "yes", "no", times=50)
    ledger = Ledger().spend(q, times=50).tradeoff("yes", "no")
    for alpha in (0.001, 0.05, 0.3):
        assert messages.beta(alpha) == pytest.approx(ledger.beta(alpha), abs=1e-12)
        assert messages.beta(alpha) <= fifty.beta(alpha)
    pessimistic = Ledger().spend(q, times=50).tradeoff("yes", "no", view=View.PESSIMISTIC)
    for alpha in (0.001, 0.05, 0.3):
        assert pessimistic.beta(alpha) == pytest.approx(fifty.beta(alpha), abs=1e-12)
    blind = Abstain(truth="2/5", lie="1/10").channel(yn)
    assert tradeoff(blind, "yes", "no", view=View.PESSIMISTIC, times=9).exact == ((0, 1), (1, 0))


@settings(max_examples=30)
@given(
    st.lists(
        st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any), min_size=3, max_size=3
    ),
    st.fractions(0, 1),
)
@pytest.mark.long
def test_the_worst_curve_is_the_lowest_of_all_pairs(rows, alpha):
    abc = Frame(["a", "b", "c"])
    matrix = [[F(value, sum(row)) for value in row] for row in rows]
    q = Channel(abc, {"1": ["a"], "2": ["b", "c"], "3": ["c"]}, matrix)
    for view in (View.REPORTS, View.PESSIMISTIC, View.ATTACKER):
        lowest = min(
            tradeoff(q, *pair, view=view).exact_beta(alpha) for pair in permutations("abc", 2)
        )
        assert worst_tradeoff(q, view=view).exact_beta(alpha) == lowest
        test = worst_test(q, alpha, view=view)
        assert test.beta == lowest == tradeoff(q, *test.pair, view=view).exact_beta(alpha)
    turned = worst_tradeoff(q, view=View.OPTIMISTIC)
    assert turned == worst_tradeoff(q, view=View.PESSIMISTIC).reflected()
    twice = worst_tradeoff(q, times=2)
    assert twice.exact_beta(alpha) == min(
        tradeoff(q, *pair, times=2).exact_beta(alpha) for pair in permutations("abc", 2)
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda q: attack(q, "yes", "no", {"yess": 1}), "did you mean 'yes'"),
        (lambda q: attack(q, "yes", "no", {"yes": 1.5}), r"rejection_chances\['yes'\]"),
        (lambda q: attack(q, "yes", "yes", {}), "twice"),
        (lambda q: attack(q, "yes", "no", {}, view=View.OPTIMISTIC), "OPTIMISTIC"),
        (lambda q: attack(q, "yes", "no", ["yes"]), "a mapping"),
        (lambda q: repeated_test(q, "yes", "no", 0.1, 0), "a whole number from 1"),
        (lambda q: repeated_test(q, "yes", "no", 0.1, 2.5), "times.*a whole number"),
        (lambda q: repeated_test(q, "yes", "no", 2, 2), "alpha"),
        (lambda q: repeated_test(q, "yes", "no", 0.1, 2, view=View.ATTACKER), "walley_loss"),
        (lambda q: repeated_test(q, "yes", "no", 0.1, 2, view=View.OPTIMISTIC), "OPTIMISTIC"),
        (lambda q: tradeoff(q, "yes", "no", view=View.ATTACKER, times=2), "walley_loss"),
        (lambda q: tradeoff(q, "yes", "no", times=0), "a whole number from 1"),
        (lambda q: tradeoff(q, "yes", "no", times=10**6), "at most 20,000 counts; Ledger"),
        (lambda q: repeated_test(q, "yes", "no", 0.1, 2).rejection_chance(["yes"]), "a list of 2"),
        (lambda q: repeated_test(q, "yes", "no", 0.1, 2).rejection_chance("no"), "a list"),
        (
            lambda q: repeated_test(q, "yes", "no", 0.1, 2).rejection_chance(["yes", "on"]),
            "no, yes",
        ),
        (lambda q: worst_test(q, 3), "alpha"),
    ],
)
def test_what_no_attack_can_be_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"])))


def test_one_answer_cannot_be_attacked():
    single = Channel(Frame(["a"]), {"a": ["a"]}, [[1]])
    for call in (lambda: worst_tradeoff(single), lambda: worst_test(single, 0.1)):
        with pytest.raises(InputError, match="two or more answers"):
            call()


def test_what_proves_an_answer_accuses_without_alarm():
    q = Abstain(truth="1/2", lie=0).channel(Frame(["yes", "no"]))
    test = repeated_test(q, "yes", "no", 0, 2, view=View.MESSAGES)
    assert test.ratios["no"] == float("inf")
    assert test.beta == F(1, 4)
    assert test.rejection_chance(["no", "yes or no"]) == 1
    assert test.rejection_chance(["yes or no", "yes or no"]) == 0
    assert test.to_dict()["ratios"]["no"] == "inf"
    assert "accuses where the product of 2 ratios" in repr(test)
