"""The largest posterior of all reports about one trait, in the populations that a form declares."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import final

import numpy as np

from askance.privacy.population import Population, declared_population, list_event_chances
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.wire.question import CutsQuestion, Question, RingQuestion

MOST_CELLS = 256
"""With more combinations of answers, or of reports, they are not enumerated."""


@final
class JointMethod(Enum):
    """How the largest posterior of several reports was found.

    >>> JointMethod.BOUND.value
    'the product of the largest ratios'
    """

    EXACT = "every combination of reports, in the worst joint population"
    BOUND = "the product of the largest ratios"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class JointPosterior:
    """What all reports about one trait make of the share of people with an answer that can harm.

    Attributes
    ----------
    method : JointMethod
    question : str
        To which question that answer is; empty if found by the bound.
    reports : tuple of int
        The most telling ones, a report to each question; none if found by the bound.
    prior, posterior : Fraction
        The share among all people, and the largest share among those who send them.

    >>> joint = JointPosterior(
    ...     method=JointMethod.BOUND, prior=Fraction(1, 9), posterior=Fraction(1, 3)
    ... )
    >>> joint.reports
    ()
    """

    method: JointMethod
    prior: Fraction
    posterior: Fraction
    question: str = ""
    reports: tuple[int, ...] = ()


@checked
def joint_posterior(
    questions: Sequence[Question], ratio: Fraction | float | None = None
) -> JointPosterior | None:
    r"""Compute the largest posterior of one report to each of several questions about one trait.

    Of each question the shares of its answers are declared, but not how the answers to several
    hang together. With π any joint population with these margins, s the innocent answers, and the
    largest value over every combination y of reports, and every question q:

    .. math:: \max_\pi \frac{\sum_{x : x_q \ne s_q} \pi_x \prod_i Q_i(y_i|x_i)}
                            {\sum_x \pi_x \prod_i Q_i(y_i|x_i)}

    which is a linear programme in π after Charnes and Cooper's transformation. Its dual is rounded
    to fractions and made feasible, so that the value is an upper bound without any rounding. Where
    a question has no declared population, asks for ranges, or the combinations are too many, it
    is p Λ / (p Λ + 1 − p) with Λ the product of the largest ratios and p the largest share.

    Parameters
    ----------
    questions : sequence of Question
        Of a form, about one trait.
    ratio : Fraction or float, optional
        Λ: the largest ratio that all reports together give two answers.

    Returns
    -------
    JointPosterior or None
        None where no population with an innocent answer is declared, or nothing bounds it.

    Raises
    ------
    InputError
        If the ratio is below 1, or none.

    References
    ----------
    Charnes & Cooper (1962) for the programme; Leysieffer & Warner (1976) for odds that are
    multiplied by the ratio.

    >>> joint_posterior([], Fraction(9)) is None
    True
    """
    is_number = isinstance(ratio, Fraction | float | int) and not isinstance(ratio, bool)
    if ratio is not None and not (is_number and ratio >= 1):
        raise InputError("ratio", got=ratio, allowed="a ratio of 1 or more")
    populations = [declared_population(question) for question in questions]
    declared = [people for people in populations if people and people.innocent is not None]
    if not declared:
        return None
    if len(declared) == len(questions) and _are_few(questions):
        return _find_exactly(questions, declared)
    if ratio is None or ratio == inf:
        return None
    prior, factor = max(people.guilty for people in declared), Fraction(ratio)
    posterior = prior * factor / (prior * factor + 1 - prior)
    return JointPosterior(method=JointMethod.BOUND, prior=prior, posterior=posterior)


def _are_few(questions: Sequence[Question]) -> bool:
    if any(isinstance(question, CutsQuestion | RingQuestion) for question in questions):
        return False
    rows = [list_event_chances(question) for question in questions]
    return max(prod(map(len, rows)), prod(len(row[0]) for row in rows)) <= MOST_CELLS


def _find_exactly(
    questions: Sequence[Question], populations: Sequence[Population]
) -> JointPosterior:
    """Go through all combinations of reports, those first that can tell most."""
    rows = [list_event_chances(question) for question in questions]
    cells = list(product(*(range(len(row)) for row in rows)))
    best: JointPosterior | None = None
    candidates = sorted(_list_candidates(rows, cells, populations), key=lambda part: -part[0])
    for bound, reports, index, likelihood in candidates:
        if best is not None and bound <= best.posterior:
            break
        posterior = _solve_worst_coupling(likelihood, cells, populations, index)
        if best is None or posterior > best.posterior:
            best = JointPosterior(
                method=JointMethod.EXACT,
                question=questions[index].name,
                reports=reports,
                prior=populations[index].guilty,
                posterior=posterior,
            )
    if best is None:
        raise InputError("questions", got="none", allowed="one or more")
    return best


Candidate = tuple[Fraction, tuple[int, ...], int, list[Fraction]]
"""A bound of the posterior, the reports, which question, and each cell's chance of the reports."""


def _list_candidates(
    rows: Sequence[Sequence[Sequence[Fraction]]],
    cells: Sequence[tuple[int, ...]],
    populations: Sequence[Population],
) -> Iterator[Candidate]:
    for reports in product(*(range(len(row[0])) for row in rows)):
        likelihood = [
            prod(
                (row[x][y] for row, x, y in zip(rows, cell, reports, strict=True)),
                start=Fraction(1),
            )
            for cell in cells
        ]
        if not max(likelihood):
            continue
        for index, people in enumerate(populations):
            most = max(_pick(likelihood, cells, people, index, is_guilty=True))
            least = min(_pick(likelihood, cells, people, index, is_guilty=False))
            odds, innocents = people.guilty * most, (1 - people.guilty) * least
            yield (odds / (odds + innocents) if odds else odds), reports, index, likelihood


def _pick(
    likelihood: Sequence[Fraction],
    cells: Sequence[tuple[int, ...]],
    people: Population,
    index: int,
    *,
    is_guilty: bool,
) -> list[Fraction]:
    pairs = zip(likelihood, cells, strict=True)
    return [chance for chance, cell in pairs if (cell[index] != people.innocent) is is_guilty]


def _solve_worst_coupling(
    likelihood: Sequence[Fraction],
    cells: Sequence[tuple[int, ...]],
    populations: Sequence[Population],
    index: int,
) -> Fraction:
    """Bound the posterior of a combination of reports in the worst joint population, tightly."""
    from scipy.optimize import linprog

    guilty = [cell[index] != populations[index].innocent for cell in cells]
    margins = [(i, x) for i, people in enumerate(populations) for x in range(len(people.shares))]
    chances = np.array([float(chance) for chance in likelihood])
    chances /= chances.max()
    matrix = np.zeros((len(margins) + 1, len(cells) + 1))
    for row, (i, x) in enumerate(margins):
        matrix[row, :-1] = [cell[i] == x for cell in cells]
        matrix[row, -1] = -float(populations[i].shares[x])
    matrix[-1, :-1] = chances
    right = np.append(np.zeros(len(margins)), 1.0)
    costs = np.append(-chances * guilty, 0.0)
    solved = linprog(costs, A_eq=matrix, b_eq=right, method="highs")
    duals: Floats = -solved.eqlin.marginals[:-1]
    return _certify(duals, likelihood, cells, populations, guilty)


def _certify(
    duals: Floats,
    likelihood: Sequence[Fraction],
    cells: Sequence[tuple[int, ...]],
    populations: Sequence[Population],
    guilty: Sequence[bool],
) -> Fraction:
    """Make an exact upper bound of prices of the margins that are only nearly optimal.

    Prices u with Σ π u = 0 bound the posterior by the largest (1[guilty] L − Σ u) / L of any cell
    that can send the reports. Where a cell cannot, its prices must not be negative.
    """
    largest = max(likelihood)
    prices = iter(Fraction(float(price)).limit_denominator(1 << 40) for price in duals)
    by_answer = [[next(prices) for _ in people.shares] for people in populations]
    totals = [sum(price[x] for price, x in zip(by_answer, cell, strict=True)) for cell in cells]
    zero = [total for total, chance in zip(totals, likelihood, strict=True) if not chance]
    spent = sum(
        (
            share * price
            for people, prices_of in zip(populations, by_answer, strict=True)
            for share, price in zip(people.shares, prices_of, strict=True)
        ),
        Fraction(0),
    )
    if zero and min(zero) < spent:
        return Fraction(1)
    bounds = [
        int(is_guilty) - (total - spent) / (chance / largest)
        for is_guilty, total, chance in zip(guilty, totals, likelihood, strict=True)
        if chance
    ]
    return min(max(bounds), Fraction(1))
