"""The distance of the Gaussian limit: its formulas against grids and closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtr

from askance.errors import InputError
from askance.privacy.composition import kfold
from askance.privacy.loss_distribution import Pair, curves_apart, gaussian_limit

LOPSIDED = Pair.of(*([Fraction(n, 20) for n in row] for row in ((14, 5, 1), (6, 5, 9))))


def turned(pair):
    """Take the answers the other way round."""
    ratios = tuple(1 / ratio for ratio in pair.ratios[::-1])
    return Pair(ratios, pair.second[::-1], pair.first[::-1], pair.only_second, pair.only_first)


@given(st.floats(0.3, 3), st.floats(-4, 4), st.floats(0, 4))
@example(1.0, 2.0, 2.0)
@example(1.0, 1.0, 3.0)
def test_two_normal_curves_are_as_far_apart_as_on_a_fine_grid(scale, offset, mu):
    z = np.linspace(-40, 40, 80_001)
    farthest = np.abs(ndtr(scale * z - offset) - ndtr(z - mu)).max()
    assert curves_apart(scale, offset, mu) == pytest.approx(farthest, abs=1e-6)


@pytest.mark.parametrize("k", [1, 49])
@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(11, 20)])
def test_two_replies_have_the_bound_of_a_coin(p, k):
    """Losses ±L with chances p and q have third moment over σ³ of (p² + q²) / √(pq)."""
    q = 1 - p
    pair = Pair.of([p, q], [q, p])
    limit = gaussian_limit({pair: k}, kfold([(pair, k)]))
    assert limit.bound == pytest.approx(0.56 * float(p**2 + q**2) / math.sqrt(p * q * k))
    apart = math.log(p / q) * float(p - q) * 2 * k
    assert limit.mu == pytest.approx(apart / (2 * math.sqrt(p * q * k) * math.log(p / q)))


@pytest.mark.parametrize("pair", [LOPSIDED, turned(LOPSIDED)], ids=["there", "back"])
def test_the_bound_counts_both_answers_and_how_their_spreads_differ(pair):
    k, found = 30, []
    for masses in map(np.array, (pair.first, pair.second)):
        losses, masses = np.array(pair.losses), masses.astype(float)
        off = np.abs(losses - masses @ losses)
        found.append((masses @ losses, masses @ off**2, masses @ off**3))
    (low, spread, skew), (high, beside, tail) = found
    mu = (high - low) * math.sqrt(k / ((spread + beside) / 2))
    z = np.linspace(-40, 40, 400_001)
    scaled = math.sqrt(spread / beside) * z - (high - low) * math.sqrt(k / beside)
    first = 0.56 * skew / spread**1.5 / math.sqrt(k)
    second = 0.56 * tail / beside**1.5 / math.sqrt(k) + np.abs(ndtr(scaled) - ndtr(z - mu)).max()
    limit = gaussian_limit({pair: k}, kfold([(pair, k)]))
    assert limit.mu == pytest.approx(mu, rel=1e-12)
    assert limit.bound == pytest.approx(max(first, second), abs=1e-7)


@pytest.mark.parametrize(
    "rows", [((3, 1, 0), (1, 3, 0)), ((3, 1, 1), (1, 4, 0)), ((1, 4, 0), (3, 1, 1))]
)
def test_one_report_that_proves_an_answer_is_enough_to_have_no_limit(rows):
    pair = Pair.of(*([Fraction(n, sum(row)) for n in row] for row in rows))
    law = kfold([(LOPSIDED, 2), (pair, 2)])
    if pair.only_first or pair.only_second:
        with pytest.raises(InputError, match="proves an answer"):
            gaussian_limit({LOPSIDED: 2, pair: 2}, law)
    else:
        assert gaussian_limit({LOPSIDED: 2, pair: 2}, law).distance > 0
