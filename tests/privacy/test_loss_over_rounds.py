"""Losses over rounds against every pair of histories and every sequence of reports, written out.

The enumerator knows nothing of counts, partitions or convexity: it draws what is kept for every
answer of a history, multiplies the chances of every report given that, and compares all histories.
"""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

import askance as ak
from askance.channels import MemoisedBits, MemoisedSymbols
from askance.mechanisms import DBitFlip, MemoisedHashing, MemoisedKAry, Rappor
from askance.privacy import HistoryRelation, LossOverRounds, loss_over_rounds, losses_over_rounds
from askance_collect.errors import InputError

ANY, ONE_CHANGE, TOGETHER, UNCHANGED = HistoryRelation
YES_NO = ak.Frame(["yes", "no"])


def repeats(history):
    """Which rounds share an answer, without saying which it is."""
    return tuple(history.index(answer) for answer in history)


def changes(history):
    return sum(item != other for item, other in pairwise(history))


def related(relation, item, other):
    if relation is TOGETHER:
        return repeats(item) == repeats(other)
    limit = {ANY: math.inf, ONE_CHANGE: 1, UNCHANGED: 0}[relation]
    return max(changes(item), changes(other)) <= limit


def chances_of_reports(remaining, reports, history):
    """Chances of all sequences of reports: over all that may be kept for the history's answers."""
    answers = sorted(set(history))
    total = 0
    for draws in product(range(len(reports)), repeat=len(answers)):
        memo = dict(zip(answers, draws, strict=True))
        row = np.array([math.prod(remaining[answer][memo[answer]] for answer in answers)])
        for answer in history:
            row = np.multiply.outer(row, reports[memo[answer]]).ravel()
        total = total + row
    return total


@cache
def exact_row(remaining, reports, history):
    arrays = [tuple(np.array(row, dtype=object) for row in rows) for rows in (remaining, reports)]
    return chances_of_reports(*arrays, history).tolist()


@cache
def log_rows(remaining, reports, rounds):
    """Logarithms of all chances in double precision: histories by sequences of reports."""
    arrays = [np.array(rows, dtype=float) for rows in (remaining, reports)]
    histories = product(range(len(remaining)), repeat=rounds)
    with np.errstate(divide="ignore"):
        return np.log([chances_of_reports(*arrays, history) for history in histories])


def largest_quotient(own, other):
    """The largest ratio of two rows of chances."""
    possible = [(a, b) for a, b in zip(own, other, strict=True) if a]
    if any(not b for _, b in possible):
        return math.inf
    return max(Fraction(a) / b for a, b in possible)


def enumerated(laws, rounds, relation):
    """The largest loss over all related histories; each bit's reports are independent.

    Doubles find the pairs that come near it, fractions decide.
    """
    histories = list(product(range(len(laws[0][0])), repeat=rounds))
    logs = [log_rows(*law, rounds) for law in laws]
    sizes = {}
    for i, history in enumerate(histories):
        with np.errstate(invalid="ignore"):
            quotients = [np.nan_to_num(log[i] - log, nan=-9, posinf=np.inf) for log in logs]
        over = sum(quotient.max(axis=1) for quotient in quotients)
        sizes |= {(history, h): s for h, s in zip(histories, over, strict=True)}
    sizes = {pair: size for pair, size in sizes.items() if related(relation, *pair)}
    largest = max(sizes.values())
    near = [pair for pair, size in sizes.items() if size >= largest - 1e-9][:6]
    return max(
        math.prod(largest_quotient(*(exact_row(*law, h) for h in pair)) for law in laws)
        for pair in near
    )


def kary_rows(k, truth):
    lie = (1 - truth) / (k - 1)
    return tuple(tuple(truth if a == b else lie for b in range(k)) for a in range(k))


def symbols(k, truth, again):
    truth, again = Fraction(truth), Fraction(again)
    draws = MemoisedSymbols(classes=k, symbols=k, truth=truth, again=again)
    return draws, [(kary_rows(k, truth), kary_rows(k, again))]


def bits(k, truth, lie, again_truth, again_lie):
    t, lie, p, q = map(Fraction, (truth, lie, again_truth, again_lie))
    draws = MemoisedBits(classes=k, bits=k, truth=t, lie=lie, again_truth=p, again_lie=q)
    reports = ((1 - q, q), (1 - p, p))
    laws = [
        (tuple((1 - w, w) for w in (t if a == bit else lie for a in range(k))), reports)
        for bit in range(k)
    ]
    return draws, laws


FEW = [
    *((symbols(2, "6/7", "17/20"), rounds) for rounds in (1, 2, 3, 5, 8)),
    *((symbols(2, "3/5", "3/5"), rounds) for rounds in (2, 6)),
    *((symbols(3, "3/4", "5/8"), rounds) for rounds in (2, 3, 4)),
    *((symbols(3, "2/5", "9/10"), rounds) for rounds in (2, 3)),
    (symbols(4, "1/2", "2/3"), 3),
    (symbols(3, "3/4", 1), 2),
    *((bits(2, "3/4", "1/4", "2/3", "1/3"), rounds) for rounds in (1, 2, 4)),
    (bits(2, "3/4", "1/4", "4/5", "1/3"), 3),
    (bits(2, "1/4", "3/4", "1/3", "4/5"), 3),
    (bits(2, "1/2", "1/2", "1/5", "2/3"), 3),
    (bits(2, "1/2", "1/3", 1, "2/3"), 3),
    (bits(2, 1, "1/2", "2/3", 0), 2),
    (bits(2, "1/2", "1/4", 1, 0), 2),
    *((bits(3, "3/4", "1/4", "2/3", "1/3"), rounds) for rounds in (2, 3)),
]


@pytest.mark.parametrize("relation", HistoryRelation, ids=lambda item: item.name)
@pytest.mark.parametrize(("case", "rounds"), FEW)
def test_the_loss_is_the_worst_over_all_histories_and_reports(case, rounds, relation):
    draws, laws = case
    loss = loss_over_rounds(draws, rounds, relation=relation)
    expected = enumerated(laws, rounds, relation)
    assert (loss.value, loss.exact) == (expected, True)


def test_the_sum_over_kept_draws_that_was_stated_before_is_refuted():
    """However many changes there are, they cost no more than the cells do: they do not."""
    recipe = MemoisedHashing(lasting=6, per_report=3, cells=2)
    draws = recipe.memoised_draws(ak.Frame(list("abcdef")))
    as_stated = recipe.lasting**recipe.cells
    _, laws = symbols(2, draws.truth, draws.again)
    rows = [exact_row(*laws[0], history) for history in ((0, 1, 0, 1, 0, 1), (0,) * 6)]
    alternating = largest_quotient(*rows)
    assert float(alternating) == pytest.approx(133.9, abs=0.5)
    assert as_stated == 36 < alternating < loss_over_rounds(draws, 6).value
    assert loss_over_rounds(draws, relation=TOGETHER).value == as_stated


def test_histories_that_change_in_the_same_rounds_but_come_back_in_others_are_told_apart():
    """Changing in the same rounds alone bounds nothing: a, b, a against a, b, c."""
    kept_rows, sent_rows = kary_rows(3, Fraction(3, 4)), kary_rows(3, Fraction(1))
    rows = [exact_row(kept_rows, sent_rows, history) for history in ((0, 1, 2), (0, 1, 0))]
    assert largest_quotient(*rows) == math.inf
    draws = MemoisedSymbols(classes=3, symbols=3, truth="3/4", again=1)
    assert loss_over_rounds(draws, 3, relation=TOGETHER).value == Fraction(6) ** 3


MANY = [
    *((symbols(k, Fraction(6, 5 + k), Fraction(9, 8 + k)), 40) for k in (3, 4)),
    (symbols(2, "2/3", "3/5"), 200),
    (bits(2, "3/4", "1/4", "2/3", "1/3"), 40),
    (bits(3, "1/2", "1/4", "3/4", "1/2"), 24),
]


def chance_of(remaining, messages, history, reports):
    """The chance of one sequence of reports."""
    chance = Fraction(1)
    for answer in set(history):
        own = [r for a, r in zip(history, reports, strict=True) if a == answer]
        draws = zip(remaining[answer], messages, strict=True)
        chance *= sum(w * math.prod(row[r] for r in own) for w, row in draws)
    return chance


@pytest.mark.parametrize(("case", "rounds"), MANY)
def test_many_rounds_are_bounded_and_histories_come_near_the_bound(case, rounds):
    """Answers in turn, and one change halfway, against an answer that stays."""
    draws, laws = case
    answers = draws.classes
    in_turn = tuple(i % answers for i in range(rounds))
    halfway = tuple(2 * i // rounds for i in range(rounds))
    for relation, history in ((ANY, in_turn), (ONE_CHANGE, halfway)):
        attained = Fraction(1)
        for bit, (remaining, messages) in enumerate(laws):
            one_bit = len(messages) < answers or len(laws) > 1
            reports = [int(a == bit) for a in history] if one_bit else history
            own, other = (
                chance_of(remaining, messages, h, reports) for h in (history, (0,) * rounds)
            )
            attained *= max(own / other, 1)
        bound = loss_over_rounds(draws, rounds, relation=relation)
        assert not bound.exact
        assert attained <= bound.value
        assert bound.epsilon < 3 * math.log(attained)
        assert bound.value >= loss_over_rounds(draws, 6, relation=relation).value


@pytest.mark.parametrize("relation", [ANY, ONE_CHANGE])
@pytest.mark.parametrize(("case", "rounds"), MANY)
def test_more_rounds_never_lose_less_and_no_bound_lies_below_what_is_exact(case, rounds, relation):
    losses = [loss_over_rounds(case[0], r, relation=relation) for r in (2, 3, 5, 8, rounds)]
    exact = [loss.value for loss in losses if loss.exact]
    assert exact == sorted(exact)
    assert min(loss.value for loss in losses if not loss.exact) >= exact[-1]


RECIPES = [
    MemoisedKAry(lasting=6, per_report=2),
    MemoisedHashing(lasting=6, per_report=2, cells=3),
    Rappor(truth="3/4", lie="1/4", again_truth="3/4", again_lie="1/4"),
    DBitFlip(truth="3/4", lie="1/4", answers_asked=2),
]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda item: item.name)
@pytest.mark.parametrize("answers", [2, 3, 50])
@pytest.mark.parametrize("rounds", [1, 2, 7, 40, 10_000, None])
def test_a_wider_relation_never_loses_less_and_endless_rounds_lose_all(recipe, answers, rounds):
    frame = ak.Frame([f"page {i}" for i in range(answers)])
    losses = losses_over_rounds(recipe.memoised_draws(frame), rounds)
    assert [loss.relation for loss in losses] == [ANY, ONE_CHANGE, TOGETHER, UNCHANGED]
    widest, one_change, together, unchanged = (loss.value for loss in losses)
    assert widest >= one_change >= unchanged >= 1
    assert widest >= unchanged <= together
    if rounds == 1:
        assert widest == unchanged == ak.local_loss(recipe.channel(frame)).value
    if rounds is None:
        assert widest == one_change == math.inf
        assert unchanged == ak.local_loss(recipe.permanent_channel(frame)).value
        assert together < math.inf


def test_dbitflip_shows_a_change_at_once_and_hides_which():
    draws = DBitFlip(truth="3/4", lie="1/4", answers_asked=2).memoised_draws(
        ak.Frame(list("abcdef"))
    )
    assert [float(loss.value) for loss in losses_over_rounds(draws, 2)] == [
        math.inf,
        math.inf,
        81,
        9,
    ]


@pytest.mark.parametrize(
    "draws",
    [
        symbols(3, "1/3", "1/3")[0],
        bits(3, "3/4", "1/4", "1/2", "1/2")[0],
        bits(2, 1, 1, "3/4", "1/4")[0],
        MemoisedSymbols(classes=1, symbols=3, truth="3/4", again="3/4"),
    ],
)
def test_reports_that_say_nothing_lose_nothing(draws):
    for rounds in (1, 5, None):
        assert {loss.value for loss in losses_over_rounds(draws, rounds)} == {1}


def test_a_loss_says_its_relation_in_print_and_in_json():
    draws = MemoisedKAry(lasting=7, per_report=3).memoised_draws(YES_NO)
    loss = loss_over_rounds(draws, 2)
    assert repr(loss).endswith("over 2 rounds, any two histories)")
    assert loss.to_dict() == {
        "relation": "any",
        "rounds": 2,
        "value": str(loss.value),
        "exact": True,
    }
    assert loss.guarantee.value == loss.value
    endless = LossOverRounds(relation=TOGETHER, rounds=None, value=Fraction(3, 2), exact=False)
    assert repr(endless) == f"LossOverRounds(ε ≤ 0.405466 over endless rounds, {TOGETHER.value})"


def test_what_is_no_number_of_rounds_is_refused():
    draws = MemoisedKAry(lasting=7, per_report=3).memoised_draws(YES_NO)
    for wrong in (0, -1, 1.5, 10_001, math.nan, math.inf, "two", True):
        with pytest.raises(InputError, match="rounds"):
            loss_over_rounds(draws, wrong)
    with pytest.raises(InputError, match="SAME_ROUNDS_OF_CHANGE alone"):
        loss_over_rounds(draws, 3, changes=1)
    with pytest.raises(InputError, match="changes"):
        loss_over_rounds(draws, 3, relation=TOGETHER, changes=-1)


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (MemoisedSymbols, {"classes": 4, "symbols": 3, "truth": 1, "again": 1}, "classes"),
        (MemoisedSymbols, {"classes": 2, "symbols": 1, "truth": 1, "again": 1}, "symbols"),
        (MemoisedSymbols, {"classes": 2, "symbols": 2, "truth": ".4", "again": 1}, "truth"),
        (MemoisedSymbols, {"classes": 2, "symbols": 2, "truth": 1, "again": "nan"}, "again"),
    ],
)
def test_symbols_that_are_none_are_refused(make, given, message):
    with pytest.raises(InputError, match=message):
        make(**given)


def test_an_answer_without_a_bit_needs_bits_that_are_sent_as_they_are():
    inputs = {"truth": "3/4", "lie": "1/4", "again_truth": "3/4", "again_lie": "1/4"}
    with pytest.raises(InputError, match="give each answer a bit"):
        MemoisedBits(classes=3, bits=2, **inputs)
    with pytest.raises(InputError, match="classes"):
        MemoisedBits(classes=4, bits=2, **inputs)
