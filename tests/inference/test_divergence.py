"""Divergences of two laws: independent values at the optimal pair, and all their relations."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.inference import chernoff, f_divergence, relative_entropy, renyi_divergence
from askance_collect.errors import InputError

ORACLE = json.loads(Path(__file__).parents[1].joinpath("oracles", "design.json").read_text())
CASES = ORACLE["yoshida_chernoff"]["cases"]


def fraction(written):
    above, below = written.split("/")
    return int(above) / int(below)


def laws(case):
    """Write the optimal pair at w = ½ anew: truth with chance δ, silence otherwise."""
    delta = fraction(case["delta"])
    return [
        np.array([theta * delta, (1 - theta) * delta, 1 - delta])
        for theta in (fraction(case["theta1"]), fraction(case["theta2"]))
    ]


@pytest.mark.parametrize("case", CASES)
def test_against_independent_values(case):
    item, two = laws(case)
    chernoff_result = chernoff(item, two)
    assert chernoff_result.exponent == pytest.approx(case["chernoff"], rel=1e-10)
    assert chernoff_result.order == pytest.approx(case["s_star"], abs=1e-9)
    assert relative_entropy(item, two) == pytest.approx(case["kl_12"], rel=1e-12)
    assert relative_entropy(two, item) == pytest.approx(case["kl_21"], rel=1e-12)
    assert f_divergence(lambda t: (t - 1) ** 2, item, two) == pytest.approx(case["chi2_12"])
    affinity = -f_divergence(lambda t: -np.sqrt(t), item, two, slope=0.0)
    assert affinity == pytest.approx(case["hellinger_affinity"], rel=1e-12)
    half = renyi_divergence(item, two, 0.5)
    assert half == pytest.approx(-2 * math.log(case["hellinger_affinity"]), rel=1e-9)


def test_the_exponents_tend_to_the_divergence_that_is_named():
    """The printed formula, with exponents exchanged, would tend to D(Q‖P)."""
    values, two = np.array([0.7, 0.2, 0.1]), np.array([0.2, 0.3, 0.5])
    near = renyi_divergence(values, two, 1 - 1e-7)
    assert near == pytest.approx(relative_entropy(values, two), rel=1e-6)
    assert abs(near - relative_entropy(two, values)) > 0.03
    assert renyi_divergence(values, two, 2) == pytest.approx(math.log(values**2 @ (1 / two)))


def test_where_one_law_is_zero():
    sure, other = [1.0, 0.0], [0.5, 0.5]
    assert relative_entropy(sure, other) == pytest.approx(math.log(2))
    assert relative_entropy(other, sure) == math.inf
    assert renyi_divergence(other, sure, 2) == math.inf
    assert chernoff(sure, other).exponent == pytest.approx(math.log(2))
    assert chernoff([1, 0], [0, 1]).exponent == math.inf
    total = f_divergence(lambda t: np.abs(t - 1), other, sure, slope=1.0)
    assert total == pytest.approx(1.0)
    assert f_divergence(lambda t: t**3 - 1, other, sure) == math.inf
    assert renyi_divergence([1, 0], [0, 1], 0.5) == math.inf


def test_laws_that_all_but_agree_do_not_cancel():
    values, two = np.array([0.3, 0.7]), np.array([0.3 + 1e-8, 0.7 - 1e-8])
    expected = 1e-16 / (8 * 0.21)
    assert chernoff(values, two).exponent == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: chernoff([0.5, 0.5], [1.0]),
        lambda: chernoff([0.5, 0.6], [0.5, 0.5]),
        lambda: relative_entropy([-0.5, 1.5], [0.5, 0.5]),
        lambda: renyi_divergence([0.5, 0.5], [0.5, 0.5], 0),
        lambda: renyi_divergence([0.5, 0.5], [0.5, 0.5], math.inf),
    ],
)
def test_what_is_no_law_is_refused(call):
    with pytest.raises(InputError):
        call()


simplex = st.lists(st.floats(0.01, 1), min_size=3, max_size=3).map(
    lambda masses: np.array(masses) / sum(masses)
)


@given(simplex, simplex)
def test_the_exponent_is_the_best_of_all_orders(one, two):
    chernoff_result = chernoff(one, two)
    grid = [-math.log(min(one**s @ two ** (1 - s), 1)) for s in np.linspace(0, 1, 101)]
    assert chernoff_result.exponent >= max(grid) - 1e-12
    assert (
        chernoff_result.exponent
        <= min(relative_entropy(one, two), relative_entropy(two, one)) + 1e-12
    )


@given(simplex, simplex, st.floats(0.05, 0.95))
def test_processing_never_adds(one, two, keep):
    garble = np.array([[keep, 1 - keep], [1 - keep, keep], [0.5, 0.5]])
    for measure in (
        relative_entropy,
        lambda p, q: chernoff(p, q).exponent,
        lambda p, q: renyi_divergence(p, q, 0.3),
        lambda p, q: renyi_divergence(p, q, 2.5),
        lambda p, q: f_divergence(lambda t: (t - 1) ** 2, p, q),
    ):
        assert measure(one @ garble, two @ garble) <= measure(one, two) + 1e-12


ONLY_ONE = ([0.5, 0.5], [1.0, 0.0])  # the second report is the first law's alone


@pytest.mark.parametrize(
    ("f", "remote", "back"),
    [
        (lambda t: 1 - np.sqrt(t), 1 - math.sqrt(0.5), 1 - math.sqrt(0.5)),
        (lambda t: t * np.log(t), math.inf, math.log(2)),
        (lambda t: -np.log(t), math.log(2), math.inf),
        (lambda t: np.abs(t - 1) / 2, 0.5, 0.5),
        (lambda t: (t - 1) ** 2, math.inf, 1.0),
        (lambda t: (t - 1) * np.log(t), math.inf, math.inf),
        (lambda t: (np.sqrt(t) - 1) ** 2, 2 - math.sqrt(2), 2 - math.sqrt(2)),
        (
            lambda t: t * np.log(t) - (1 + t) * np.log((1 + t) / 2),
            0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25) + math.log(1 / 0.75),
            0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25) + math.log(1 / 0.75),
        ),
        (lambda t: np.maximum(t - 2, 0), 0.5, 0.0),
    ],
)
def test_reports_of_one_law_alone_count_by_their_limits(f, remote, back):
    """Σ q f(p/q), with f(0+) where p is 0 and lim f(t)/t where q is: whatever f gives at 0."""
    assert f_divergence(f, *ONLY_ONE) == pytest.approx(remote, abs=1e-12)
    assert f_divergence(f, *ONLY_ONE[::-1]) == pytest.approx(back, abs=1e-12)


@pytest.mark.parametrize(
    "f",
    [
        lambda t: 0.5,
        lambda t: t[:1],
        lambda t: np.full_like(t, np.nan),
        lambda t: ["a"] * len(t),
        lambda t: np.sqrt(t) - 1,
        lambda t: -np.abs(t - 1),
    ],
)
def test_a_function_that_measures_no_distance_is_refused(f):
    with pytest.raises(InputError, match=r"^f_divergence\.f"):
        f_divergence(f, [0.5, 0.5], [0.25, 0.75])
