"""The distance of the Gaussian limit: its formulas against grids and closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from askance import Channel, Frame
from askance.privacy import Ledger, Notion
from askance_collect.errors import InputError

YES_NO = Frame(["yes", "no"])
LOPSIDED = (14, 5, 1), (6, 5, 9)


def make_channel(*rows):
    """Make a channel of two rows of reports in proportion to whole numbers."""
    exact = [[Fraction(n, sum(row)) for n in row] for row in rows]
    return Channel(YES_NO, {str(index): ["yes"] for index in range(len(rows[0]))}, exact)


def limit_of(*spent):
    ledger = Ledger()
    for rows, times in spent:
        ledger = ledger.spend(make_channel(*rows), times)
    return ledger.gaussian(notion=Notion.LOCAL)


@pytest.mark.parametrize("k", [1, 49])
@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(11, 20)])
def test_two_replies_have_the_bound_of_a_coin(p, k):
    """Losses ±L with chances p and q have third moment over σ³ of (p² + q²) / √(pq)."""
    q = 1 - p
    limit = limit_of((((p, q), (q, p)), k))
    assert limit.bound == pytest.approx(0.56 * float(p**2 + q**2) / math.sqrt(p * q * k))
    separate = math.log(p / q) * float(p - q) * 2 * k
    assert limit.mu == pytest.approx(separate / (2 * math.sqrt(p * q * k) * math.log(p / q)))


rows = st.lists(st.integers(1, 40), min_size=3, max_size=3)


@settings(deadline=None, max_examples=50)
@given(rows, rows, st.integers(1, 30))
@example(*LOPSIDED, 30)
@example(*LOPSIDED[::-1], 30)
@example((20, 3, 1), (1, 3, 20), 30)  # both spreads are one
@pytest.mark.long
def test_the_bound_counts_both_answers_and_how_their_spreads_differ(one, two, k):
    """Each answer by Berry and Esseen, the second by how far a fine grid finds the curves apart."""
    chances = np.array([np.array(row) / sum(row) for row in (one, two)])
    losses, result = np.log(chances[1] / chances[0]), []
    assume(np.abs(losses).max() > 1e-3)
    for masses in chances:
        off = np.abs(losses - masses @ losses)
        result.append((masses @ losses, masses @ off**2, masses @ off**3))
    (low, spread, skew), (high, further, tail) = result
    mu = (high - low) * math.sqrt(k / ((spread + further) / 2))
    scale, offset = math.sqrt(spread / further), (high - low) * math.sqrt(k / further)
    z = np.linspace(-10, 10 + mu, 400_001)
    highest = np.abs(ndtr(scale * z - offset) - ndtr(z - mu)).max()
    first = 0.56 * skew / spread**1.5 / math.sqrt(k)
    second = 0.56 * tail / further**1.5 / math.sqrt(k) + highest
    limit = limit_of(((one, two), k))
    assert limit.mu == pytest.approx(mu, rel=1e-9)
    assert limit.bound == pytest.approx(max(first, second), rel=1e-7)


@pytest.mark.parametrize(
    "rows", [((3, 1, 0), (1, 3, 0)), ((3, 1, 1), (1, 4, 0)), ((1, 4, 0), (3, 1, 1))]
)
def test_one_report_that_proves_an_answer_is_enough_to_have_no_limit(rows):
    if rows[0][2] or rows[1][2]:
        with pytest.raises(InputError, match="proves an answer"):
            limit_of((LOPSIDED, 2), (rows, 2))
    else:
        assert limit_of((LOPSIDED, 2), (rows, 2)).distance > 0
