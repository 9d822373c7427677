"""The largest posterior of several reports is that of some population, and of none above it."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from askance.privacy import JointMethod, joint_posterior
from askance_collect.exact import Line, Table
from askance_collect.wire import CutsQuestion, Label, TableQuestion


def make_question(name, rows, shares, innocent):
    names = [f"a{x}" for x in range(len(rows))]
    about = {
        "innocent": names[innocent],
        "population": dict(zip(names, map(str, shares), strict=True)),
    }
    labels = tuple(Label(name, {}) for name in names)
    means = tuple((x,) for x in range(len(rows)))
    table = Table(sum(rows[0]), tuple(map(tuple, rows)))
    return TableQuestion(name, {}, labels, labels, means, table, (0, 1), about)


WARNER = [[2, 1], [1, 2]]
KARY = [[2, 1, 1], [1, 2, 1], [1, 1, 2]]


def shares(*hundredths):
    return [Fraction(part, 100) for part in hundredths]


TRAITS = [
    [make_question("q", WARNER, shares(12, 88), 1), make_question("r", WARNER, shares(12, 88), 1)],
    [make_question("q", WARNER, shares(12, 88), 1), make_question("r", WARNER, shares(40, 60), 1)],
    [make_question("q", WARNER, shares(12, 88), 1), make_question("r", KARY, shares(90, 6, 4), 0)],
    [make_question("q", KARY, shares(88, 9, 3), 0), make_question("r", KARY, shares(90, 6, 4), 0)],
]


def best_of_random_couplings(questions, tries):
    """Give the largest posterior of any reports in joint populations at random corners."""
    rng = np.random.default_rng(5)
    rows = [np.array(question.table.rows, float) / question.table.total for question in questions]
    people = [[float(Fraction(s)) for s in item.about["population"].values()] for item in questions]
    innocent = [int(question.about["innocent"][1:]) for question in questions]
    cells = list(product(*(range(len(row)) for row in rows)))
    margins = [(i, x) for i, row in enumerate(rows) for x in range(len(row))]
    matrix = np.array([[cell[i] == x for cell in cells] for i, x in margins], float)
    right = [people[i][x] for i, x in margins]
    best = 0.0
    for _ in range(tries):
        joint = linprog(rng.normal(size=len(cells)), A_eq=matrix, b_eq=right).x
        for reports in product(*(range(row.shape[1]) for row in rows)):
            parts = zip(rows, zip(*cells, strict=True), reports, strict=True)
            chances = np.prod([row[list(x), y] for row, x, y in parts], axis=0)
            for i in range(len(rows)):
                guilty = np.array([cell[i] != innocent[i] for cell in cells])
                best = max(best, (joint * chances) @ guilty / (joint @ chances))
    return best


@pytest.mark.parametrize("questions", TRAITS)
def test_no_coupling_of_the_declared_populations_exceeds_it_and_one_attains_it(questions):
    result = joint_posterior(questions)
    assert result.method is JointMethod.EXACT
    best = best_of_random_couplings(questions, 60)
    assert best <= float(result.posterior) + 1e-12
    assert best == pytest.approx(float(result.posterior), abs=1e-9)


def test_two_questions_of_one_answer_multiply_the_odds_by_both_ratios():
    result = joint_posterior(TRAITS[0])
    assert result.posterior == Fraction(12 * 4, 12 * 4 + 88)
    assert (result.prior, result.reports) == (Fraction(12, 100), (0, 0))


def test_the_product_of_ratios_is_a_bound_that_marginals_can_keep_out_of_reach():
    """Of 12 people few have the rare answer that a report of three answers makes likelier."""
    odds = Fraction(12, 88) * 4
    result = joint_posterior(TRAITS[2])
    assert result.posterior < odds / (1 + odds)


def test_ranges_are_bounded_and_nothing_is_said_where_nothing_is_declared():
    line = Line(0, 4, integer=True)
    about = {"innocent": "0", "population": {"lump": "1/2", "spread": "even"}}
    ranges = CutsQuestion("n", {}, line, {}, 1, (1, 1, 1, 1), False, (0, 1), about)
    pair = [TRAITS[0][0], ranges]
    result = joint_posterior(pair, Fraction(3))
    assert result.method is JointMethod.BOUND
    assert result.posterior == Fraction(3, 4)
    assert joint_posterior(pair) is None
    undeclared = make_question("q", WARNER, shares(50, 50), 1)
    undeclared = TableQuestion(
        "q", {}, undeclared.answers, undeclared.reports, ((0,), (1,)), undeclared.table, (0, 1), {}
    )
    assert joint_posterior([undeclared], Fraction(3)) is None
