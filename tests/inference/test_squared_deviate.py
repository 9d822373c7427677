"""Squared deviates: the binomial law's own, the likelihood ratio where many tell, and the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy
from scipy.stats import binom, norm

from askance.inference.intervals.outermost_share import squared_deviate


def fall(replies, people, share):
    """Give how far a binomial log-likelihood lies below its top."""
    rest = people - replies
    top = xlogy(replies, replies / people) + xlogy(rest, rest / people)
    return top - xlogy(replies, share) - xlogy(rest, 1 - share)


@given(st.integers(1, 300), st.floats(0.02, 0.98), st.floats(0.001, 0.9))
def test_people_who_were_asked_plainly_are_found_again(people, part, toward):
    number = int(part * people)
    share = number / people + toward * (1 - number / people)
    rare = binom.cdf(number, people, share) - binom.pmf(number, people, share) / 2
    deviate = squared_deviate(fall(number, people, share), people * share - number, share)
    assert deviate == pytest.approx(norm.ppf(min(max(rare, 1e-300), 0.5)) ** 2, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("people", [1e4, 1e8, 1e11])
def test_where_many_tell_it_is_the_likelihood_ratio(people):
    share, errors = 0.3, 2.0
    part = share - errors * (share * (1 - share) / people) ** 0.5
    off = part - share
    down = people * (part * np.log1p(off / share) + (1 - part) * np.log1p(-off / (1 - share)))
    deviate = squared_deviate(down, -people * off, share)
    assert deviate == pytest.approx(2 * down, rel=5 / people**0.5 + 1e-6)


def test_none_of_them_counts_half():
    assert squared_deviate(0.0, 3.0, 0.0) == 0
    assert squared_deviate(-10 * np.log(0.9), 1.0, 0.1) == pytest.approx(norm.ppf(0.9**10 / 2) ** 2)


@given(st.floats(1e-8, 1e3), st.floats(1e-8, 1e6), st.floats(1e-6, 1 - 1e-6))
def test_no_fall_and_no_pull_is_without_a_deviate(down, pull, share):
    assert 0 <= squared_deviate(down, pull, share) < 1500
