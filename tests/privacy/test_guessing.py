"""Guessing one person's answer: the error of the best guess, counted."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, KAry
from askance.design import Advantage, OptimalPair, joint_pair, optimal_channel, yoshida_pair
from askance.inference import discriminate
from askance.privacy import advantage, guessing
from askance_collect.errors import InputError

YN = Frame(["yes", "no"])


def best_guess(rows, x, other, w):
    """Guess after every report the answer that is likelier then."""
    return sum(min(w * p, (1 - w) * q) for p, q in zip(rows[x], rows[other], strict=True))


rows = st.lists(st.integers(1, 9), min_size=3, max_size=3).map(
    lambda masses: [Fraction(mass, sum(masses)) for mass in masses]
)


@given(rows, rows, rows, st.fractions("1/20", "19/20"))
def test_the_error_is_that_of_the_best_guess(one, two, three, w):
    abc = Frame(["a", "b", "c"])
    q = Channel(abc, {answer: [answer] for answer in "abc"}, [one, two, three])
    exact = [q.table.row(index) for index in range(3)]
    for x, other in permutations(range(3), 2):
        between = abc.answers[x], abc.answers[other]
        guessing_result = guessing(q, first_weight=w, between=between)
        assert guessing_result.error == best_guess(exact, x, other, w)
        assert guessing_result.pair == between
    worst = guessing(q, first_weight=w)
    assert worst.guarantee.value == advantage(q, first_weight=w).value
    assert worst.error == min(best_guess(exact, *pair, w) for pair in permutations(range(3), 2))


@given(rows, rows, st.fractions("1/20", "19/20"))
def test_the_first_weight_is_of_the_first_everywhere(one, two, w):
    """Rows that treat the answers differently, at a weight that does: whose it is shows."""
    q = Channel(YN, {"yes": ["yes"], "no": ["no"], "?": ["yes", "no"]}, [one, two])
    error = best_guess([one, two], 0, 1, w)
    assert guessing(q, first_weight=w, between=("yes", "no")).error == error
    assert guessing(q, first_weight=1 - w, between=("no", "yes")).error == error
    pair = OptimalPair(first=tuple(one), second=tuple(two), first_weight=w)
    assert (1 - pair.advantage) / 2 == error
    questions = Advantage("19/20", first_weight=w, between=("yes", "no"))
    assert (1 - questions.guarantee(q).value) / 2 == error
    either = min(error, best_guess([one, two], 1, 0, w))
    assert (1 - advantage(q, first_weight=w).value) / 2 == either
    tested = discriminate(q, 1, 0, 1, first_weight=w)  # all say yes, or none
    assert tested.error == pytest.approx(float(error), abs=1e-12)


@pytest.mark.parametrize("w", [Fraction(1, 5), Fraction(2, 5), Fraction(7, 10)])
def test_optimal_pairs_take_the_weight_of_their_first_row(w):
    """The bound is met by the guess at that weight, and not at the weight turned round."""
    delta = Fraction(13, 20)
    for pair in (yoshida_pair(delta, first_weight=w), joint_pair(delta, 3, first_weight=w)):
        assert best_guess([pair.first, pair.second], 0, 1, w) == (1 - delta) / 2
        assert best_guess([pair.first, pair.second], 0, 1, 1 - w) < (1 - delta) / 2
    questions = Advantage(delta, first_weight=w, between=("yes", "no"))
    result = optimal_channel(YN, questions).channel
    exact = [result.table.row(index) for index in range(2)]
    assert best_guess(exact, 0, 1, w) == (1 - delta) / 2
    assert best_guess(exact, 0, 1, 1 - w) < (1 - delta) / 2


def test_doubles_and_integers_agree():
    exact = Abstain(truth="3/8", lie="1/8").channel(YN)
    doubles = Channel(YN, {"yes": ["yes"], "no": ["no"], "?": ["yes", "no"]}, exact.matrix)
    assert guessing(exact).error == guessing(doubles).error == Fraction(3, 8)


def test_words():
    q = Abstain(truth="3/8", lie="1/8").channel(YN)
    assert guessing(q).words == (
        "A guess from the report is right at most 62.5 times in 100, if both answers are equally "
        "likely beforehand."
    )
    result = guessing(q, first_weight="2/5", between=("yes", "no")).words
    assert "if 'yes' has 40 chances in 100 beforehand" in result
    third = guessing(Abstain(truth="1/3", lie=0).channel(YN)).words
    assert "66.7 times" in third


@pytest.mark.parametrize(
    "call",
    [
        lambda q: guessing(q, first_weight=0),
        lambda q: guessing(q, first_weight=1),
        lambda q: guessing(q, between=("yes", "yes")),
        lambda q: guessing(q, between=("yes", "maybe")),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(InputError):
        call(KAry(truth="3/4").channel(YN))
