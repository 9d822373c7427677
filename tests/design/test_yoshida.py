"""Yoshida, Yung and Hayashi: the optimal pairs against independent values and all vertices."""

import json
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from askance import Abstain, Frame
from askance.design import is_yoshida_optimal, joint_pair, switch_prevalence, yoshida_pair
from askance.inference import fisher_information
from askance_collect.errors import InputError

ORACLE = json.loads(Path(__file__).parents[1].joinpath("oracles", "design.json").read_text())
YN = Frame(["yes", "no"])


def columns(pair):
    """Sort the columns (p0, p1) that can be sent."""
    pairs = zip(pair.second, pair.first, strict=True)
    return sorted((float(zero), float(item)) for zero, item in pairs if zero or item)


def test_theorem_1_against_independent_values():
    for case in ORACLE["yoshida_fisher"]["cases"]:
        questions = {"first_weight": case["w"], "prevalence": case["theta"]}
        two = yoshida_pair(case["delta"], reports=2, **questions)
        three = yoshida_pair(case["delta"], first_weight=case["w"])
        for pair, rows, best in (
            (two, case["pair_2"], case["J_max_2"]),
            (three, case["pair_3"], case["J_max_3"]),
        ):
            assert float(pair.information(case["theta"])) == pytest.approx(best, rel=1e-12)
            assert pair.advantage == Fraction(case["delta"])
            ordered = sorted(column for column in zip(*rows, strict=True) if any(column))
            assert np.allclose(columns(pair), ordered, atol=1e-12)
        assert switch_prevalence(case["delta"], first_weight=case["w"]) == Fraction(case["theta0"])


def test_both_branches_agree_at_the_switch():
    theta = switch_prevalence("1/4", first_weight="2/5")
    near = Fraction(1, 10**9)
    below, above = (
        yoshida_pair("1/4", first_weight="2/5", prevalence=index, reports=2)
        for index in (theta, theta + near)
    )
    assert below.first != above.first
    assert float(below.information(theta)) == pytest.approx(0.62893, abs=5e-6)
    assert below.information(theta) == above.information(theta)


def vertices(inequalities, sides, equations, values):
    """Solve for every choice of tight inequalities beside the equations; keep what is feasible."""
    free = inequalities.shape[1] - len(equations)
    result = []
    chosen = np.array(list(combinations(range(len(inequalities)), free)))
    left_values = np.concatenate(
        [inequalities[chosen], np.broadcast_to(equations, (len(chosen), *equations.shape))], axis=1
    )
    right = np.concatenate(
        [sides[chosen], np.broadcast_to(values, (len(chosen), len(values)))], axis=1
    )
    solvable = np.abs(np.linalg.det(left_values)) > 1e-10
    points = np.linalg.solve(left_values[solvable], right[solvable][..., None])[..., 0]
    feasible = np.all(points @ inequalities.T <= sides + 1e-9, axis=1)
    result = points[feasible]
    assert len(result)
    return result


def pairs_of_rows(m, delta, w, ratio=None):
    """State the polytope of (p0, p1) with m reports under a distance and perhaps a ratio."""
    rows, sides = [-np.eye(2 * m)], [np.zeros(2 * m)]
    signs = np.array(list(product((1, -1), repeat=m)))
    rows.append(np.hstack([(1 - w) * signs, -w * signs]))
    sides.append(np.full(len(signs), delta))
    if ratio:
        hstack_result, other = (
            np.hstack([np.eye(m), -ratio * np.eye(m)]),
            np.hstack([-ratio * np.eye(m), np.eye(m)]),
        )
        rows += [hstack_result, other]
        sides += [np.zeros(m), np.zeros(m)]
    sums = np.kron(np.eye(2), np.ones(m))
    return np.vstack(rows), np.concatenate(sides), sums, np.ones(2)


def information(points, m, theta):
    zero, maximum_result = np.maximum(points[:, :m], 0), np.maximum(points[:, m:], 0)
    chance = (1 - theta) * zero + theta * maximum_result
    safe = np.where(chance > 1e-13, chance, 1.0)
    return np.where(chance > 1e-13, (maximum_result - zero) ** 2 / safe, 0.0).sum(axis=1)


@pytest.mark.parametrize("w", [0.5, 0.4])
@pytest.mark.parametrize("m", [2, 3])
def test_no_vertex_of_the_polytope_tells_more(m, w):
    delta = 0.3
    vertices_result = vertices(*pairs_of_rows(m, delta, w))
    for theta in (0.05, 0.3, 0.5, 0.9):
        pair = yoshida_pair(delta, first_weight=w, prevalence=theta, reports=m)
        best = information(vertices_result, m, theta).max()
        assert float(pair.information(theta)) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("w", [0.5, 0.45])
def test_no_vertex_tells_more_under_both_bounds(w):
    vertices_result = vertices(*pairs_of_rows(3, 0.35, w, ratio=np.exp(1.5)))
    pair = joint_pair(0.35, 1.5, first_weight=w)
    for theta in (0.05, 0.3, 0.5, 0.9):
        best = information(vertices_result, 3, theta).max()
        assert float(pair.information(theta)) == pytest.approx(best, rel=1e-6)


def test_without_a_bound_on_the_loss_the_joint_optimum_is_yoshidas():
    for w in ("1/2", "2/5"):
        assert joint_pair("3/10", first_weight=w) == yoshida_pair("3/10", first_weight=w)
        assert joint_pair("3/10", np.inf, first_weight=w) == yoshida_pair("3/10", first_weight=w)


def test_theorem_2_holds_exactly_for_the_optimal_pairs():
    for w in ("1/2", "2/5", "9/20"):
        q = yoshida_pair("1/4", first_weight=w).channel(YN)
        assert is_yoshida_optimal(q, "1/4", first_weight=w)
        assert not is_yoshida_optimal(q, "1/5", first_weight=w)
    lying = Abstain(truth="3/8", lie="1/8").channel(YN)
    assert not is_yoshida_optimal(lying, "1/4")
    wasteful = Abstain(truth="1/5", lie=0).channel(YN)
    assert not is_yoshida_optimal(wasteful, "1/4")


def test_the_pair_is_truth_or_silence_at_even_odds():
    q = yoshida_pair("1/4").channel(YN)
    assert q.table == Abstain(truth="1/4", lie=0).channel(YN).table
    assert q.reports == ("yes", "no", "don't know")
    for theta in (0.1, 0.5, 0.7):
        assert fisher_information(q, theta) == pytest.approx(0.25 / (theta * (1 - theta)))


def test_variances_at_equal_distance_rank_as_stated():
    for delta, theta, expected in (
        (0.25, 0.5, (1, 1.75, 4)),
        (0.1, 0.05, (0.475, 0.4975, 24.8)),
        (0.9, 0.5, (0.278, 0.306, 0.309)),
    ):
        three = yoshida_pair(delta).information(theta)
        two = yoshida_pair(delta, prevalence=theta, reports=2).information(theta)
        warner = 1 / (1 / (4 * delta**2) - (theta - 0.5) ** 2)
        result = [1 / float(item) for item in (three, two, warner)]
        assert result == pytest.approx(expected, rel=3e-3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: yoshida_pair(1), "leave the constraint out"),
        (lambda: yoshida_pair(0), "no report says anything"),
        (lambda: yoshida_pair("1/10", first_weight="2/5"), "the least that can hold is 1/5"),
        (lambda: yoshida_pair("1/4", first_weight=0), "a probability in \\(0, 1\\)"),
        (lambda: yoshida_pair("1/4", first_weight=1), "a probability in \\(0, 1\\)"),
        (lambda: yoshida_pair("1/4", reports=2), "2 with a prevalence"),
        (lambda: yoshida_pair("1/4", reports=1), "nothing can be learnt"),
        (lambda: yoshida_pair("1/4", reports=2, prevalence=0), "a share in \\(0, 1\\)"),
        (lambda: yoshida_pair("1/4", reports=2, prevalence=1), "a share in \\(0, 1\\)"),
        (lambda: yoshida_pair("1/4").channel(Frame(["a", "b", "c"])), "two answers"),
        (lambda: yoshida_pair("1/4").information(2), "a share in \\[0, 1\\]"),
        (lambda: joint_pair(), "a bound on the advantage"),
        (lambda: joint_pair("1/4", 0), "a privacy loss"),
        (
            lambda: is_yoshida_optimal(Abstain(truth=1, lie=0).channel(Frame(list("abc"))), "1/4"),
            "two answers",
        ),
    ],
)
def test_bad_input_is_refused_with_what_can_hold(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_joint_optimum_against_independent_values():
    for case in ORACLE["joint_design"]["cases"]:
        pair = joint_pair(case["delta"], case["eps"], first_weight=case["w"])
        assert float(pair.information(case["theta"])) == pytest.approx(case["J_max"], rel=1e-6)
        ordered = sorted(zip(case["p0"], case["p1"], strict=True))
        assert np.allclose(columns(pair), ordered, atol=1e-7)
        assert pair.advantage == Fraction(str(case["delta"]))


def test_joint_optimum_degenerates_to_both_papers():
    assert joint_pair("1/4", float("inf")) == yoshida_pair("1/4")
    warner = joint_pair(epsilon=1)
    assert len(warner.first) == 2
    assert joint_pair("99/100", 1) == warner
    assert joint_pair("1/4", 12).first[1] < Fraction(1, 10**5)
    e, delta = 3.0, 0.25
    pair = joint_pair("1/4", np.log(e))
    expected = delta * e / (e - 1), delta / (e - 1), 1 - delta * (e + 1) / (e - 1)
    assert [float(chance) for chance in pair.first] == pytest.approx(expected, rel=1e-6)


def test_information_at_the_ends_can_be_infinite():
    pair = yoshida_pair("1/4")
    assert pair.information(0) == pair.information(1) == float("inf")
    assert joint_pair(epsilon=1).information(0) < float("inf")
