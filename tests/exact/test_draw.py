"""Draws are uniform to the last unit, and nothing but chance says how many words they take."""

import sys
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askance_collect.errors import InputError
from askance_collect.exact import uniform_below

WORD = 1 << 48


def source(*words):
    stream = iter(words)
    return lambda: next(stream)


@given(st.integers(1, 300))
def test_every_residue_is_equally_often_drawn_when_words_are_small(bound):
    """With words of 8 bits in place of 48, every word can be tried."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[uniform_below.__module__], "LARGEST_TOTAL", 256)
        if bound > 256:
            with pytest.raises(InputError):
                uniform_below(bound, source(0))
            return
        counts, rejected = Counter(), 0
        for word in range(256):
            try:
                counts[uniform_below(bound, source(word))] += 1
            except StopIteration:
                rejected += 1
    assert set(counts) == set(range(bound))
    assert len(set(counts.values())) == 1
    assert rejected == 256 % bound


@given(st.integers(1, WORD), st.integers(0, WORD - 1))
@example(3, WORD - 1)
@example(WORD - 1, WORD - 2)
@example(WORD - 1, WORD - 1)
def test_a_word_is_rejected_exactly_in_the_incomplete_run(bound, word):
    if word < WORD - WORD % bound:
        assert uniform_below(bound, source(word)) == word % bound
    else:
        assert uniform_below(bound, source(word, 0)) == 0


@pytest.mark.parametrize("bound", [1, 2, 3, WORD - 1, WORD])
def test_the_ends_of_the_words(bound):
    assert uniform_below(bound, source(0)) == 0
    assert uniform_below(bound, source(WORD - WORD % bound - 1)) == bound - 1


@pytest.mark.parametrize("bound", [0, -1, WORD + 1, 1.5, "2", None, True])
def test_an_impossible_bound_is_refused(bound):
    with pytest.raises(
        InputError, match=r"^bound: .*allowed: an integer in \[1, 281474976710656\]"
    ):
        uniform_below(bound, source(0))
