"""Crowds behind rows: the figures against every row written out, and their bounds."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.privacy import RowCrowd, declared_factor, undeclared_factor
from askance_collect.errors import InputError


@st.composite
def populations(draw):
    sizes = draw(
        st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=4), min_size=1, max_size=3)
    )
    sizes = [row if sum(row) else [1] * len(row) for row in sizes]
    return [[Fraction(size, sum(row)) for size in row] for row in sizes]


def crowd_of(shares, people, minimum=10):
    factors = tuple(declared_factor(f"q{i}", row) for i, row in enumerate(shares))
    return RowCrowd(people=people, are_people_declared=True, minimum=minimum, factors=factors)


@given(populations(), st.integers(1, 5_000), st.integers(1, 200))
@settings(max_examples=60, deadline=None)
def test_the_figures_are_those_of_every_row_written_out(shares, people, minimum):
    crowd = crowd_of(shares, people, minimum)
    rows = [prod(row) for row in product(*shares)]
    fitting = [(share, 1 + (people - 1) * share) for share in rows if share]
    assert crowd.mean == pytest.approx(float(sum(share * fit for share, fit in fitting)))
    assert crowd.smallest == pytest.approx(float(min(fit for _, fit in fitting)))
    small = float(sum(share for share, fit in fitting if fit < minimum))
    nearly = float(sum(share for share, fit in fitting if fit < minimum * Fraction(101, 100)))
    assert small - 1e-9 <= crowd.share_in_small_crowds <= nearly + 1e-9


@given(populations(), st.integers(2, 5_000))
@settings(max_examples=40, deadline=None)
def test_what_is_undeclared_is_never_better_than_any_population(shares, people):
    worst = RowCrowd(
        people=people,
        are_people_declared=True,
        minimum=1,
        factors=tuple(undeclared_factor(f"q{i}", len(row)) for i, row in enumerate(shares)),
    )
    declared = crowd_of(shares, people)
    assert worst.mean <= declared.mean * (1 + 1e-12)
    assert worst.smallest == 1 <= declared.smallest
    assert worst.share_in_small_crowds is None


def test_shares_that_are_none_are_refused():
    with pytest.raises(InputError, match=r"shares: got 'a sum of 1/2'"):
        declared_factor("q", [Fraction(1, 2)])
