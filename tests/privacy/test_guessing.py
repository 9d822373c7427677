"""Guessing one person's answer: the error of the best guess, counted."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, InputError, KAry, advantage
from askance.privacy.losses.guessing import guessing

YN = Frame(["yes", "no"])


def best_guess(rows, x, other, w):
    """Guess after every report the answer that is likelier then."""
    return sum(min((1 - w) * p, w * q) for p, q in zip(rows[x], rows[other], strict=True))


rows = st.lists(st.integers(1, 9), min_size=3, max_size=3).map(
    lambda masses: [Fraction(mass, sum(masses)) for mass in masses]
)


@given(rows, rows, rows, st.fractions("1/20", "19/20"))
def test_the_error_is_that_of_the_best_guess(one, two, three, w):
    abc = Frame(["a", "b", "c"])
    q = Channel(abc, {answer: [answer] for answer in "abc"}, [one, two, three])
    exact = [q.table.row(at) for at in range(3)]
    for x, other in permutations(range(3), 2):
        between = abc.answers[x], abc.answers[other]
        found = guessing(q, weight=w, between=between)
        assert found.error == best_guess(exact, x, other, w)
        assert found.pair == between
    worst = guessing(q, weight=w)
    assert worst.guarantee.value == advantage(q, weight=w).value
    assert worst.error == min(best_guess(exact, *pair, w) for pair in permutations(range(3), 2))


def test_doubles_and_integers_agree():
    exact = Abstain(truth="3/8", lie="1/8").channel(YN)
    doubles = Channel(YN, {"yes": ["yes"], "no": ["no"], "?": ["yes", "no"]}, exact.matrix)
    assert guessing(exact).error == guessing(doubles).error == Fraction(3, 8)


def test_words():
    q = Abstain(truth="3/8", lie="1/8").channel(YN)
    assert guessing(q).words == (
        "Whoever sees the report guesses right at most 62.5 times in 100, "
        "if both answers are equally likely beforehand."
    )
    told = guessing(q, weight="2/5", between=("no", "yes")).words
    assert "if 'yes' has 40 chances in 100 beforehand" in told
    third = guessing(Abstain(truth="1/3", lie=0).channel(YN)).words
    assert "66.7 times" in third


@pytest.mark.parametrize(
    "call",
    [
        lambda q: guessing(q, weight=0),
        lambda q: guessing(q, weight=1),
        lambda q: guessing(q, between=("yes", "yes")),
        lambda q: guessing(q, between=("yes", "maybe")),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(InputError):
        call(KAry(truth="3/4").channel(YN))
