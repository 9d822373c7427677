"""Posteriors of reports about an answer, in a declared population or in the worst one."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import accumulate, combinations, product
from math import inf, prod
from typing import Any, final

import numpy as np

from askance.channels.number_law import law_read, read_law, step_sizes
from askance.channels.range_channel import narrowed_units
from askance.privacy.evidence import innocent_position
from askance.results import json_of, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import FormError, InputError
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import chance
from askance_collect.wire.proof import name_events, read_about
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    Question,
    RingQuestion,
    TableQuestion,
    Value,
)

HUNDRED = 100
"""A worst population is sought among whole numbers of so many people."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """How common the answers to a question are taken to be.

    Attributes
    ----------
    shares : tuple of Fraction
        Of each answer, or of each step of a line; of each set of answers, where there are sets.
    innocent : int, optional
        The position of the innocent answer, or of the step of the innocent number.
    lump : Fraction
        The share of people with exactly the innocent number, among the share of its step; of named
        answers the share of the innocent one.

    >>> half = Fraction(1, 2)
    >>> Population(shares=(half, half), innocent=1, lump=half).guilty
    Fraction(1, 2)
    """

    shares: tuple[Fraction, ...]
    innocent: int | None = None
    lump: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", tuple(self.shares))

    @property
    def guilty(self) -> Fraction:
        """The share of people with another answer than the innocent one."""
        return 1 - self.lump


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """What a report makes of the share of people who have an answer.

    Attributes
    ----------
    report : int, tuple of int, or None
    answer : int
        The position of the answer; with ``is_guilt`` that of the innocent answer.
    is_guilt : bool
        Whether the share is of all who have another answer than this one.
    prior, posterior : Fraction
        The share among all people, and among those who send the report.
    sent : Fraction
        The share of people who send it.
    other : int, optional
        In the worst population: which answer everybody else has.

    >>> posterior = Posterior(report=0, answer=0, prior=Fraction(1, 4),
    ...     posterior=Fraction(1, 2), sent=Fraction(1, 3))
    >>> posterior.gain
    Fraction(1, 4)
    """

    report: Value
    answer: int
    prior: Fraction
    posterior: Fraction
    sent: Fraction
    is_guilt: bool = False
    other: int | None = None

    @property
    def gain(self) -> Fraction:
        """By how much the share rises."""
        return self.posterior - self.prior

    def to_dict(self) -> Json:
        """Write the shares for JSON, as fractions."""
        return json_of(self)

    def _frame(self) -> dict[str, Any]:
        shares = ("prior", "posterior", "sent", "gain")
        return {"answer": [self.answer], "another": [self.is_guilt]} | {
            name: [float(getattr(self, name))] for name in shares
        }

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def declared_population(question: Question) -> Population | None:
    """Read the population that a form declares for a question, if it declares one.

    Parameters
    ----------
    question : Question
        Of a form.

    Raises
    ------
    FormError
        If it is none: an answer is unknown, or the shares do not sum to one.

    >>> from askance_collect.exact import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> about = {"population": {"yes": "1/10", "no": "9/10"}, "innocent": "no"}
    >>> warner = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), warner, (0, 1), about)
    >>> declared_population(question).guilty
    Fraction(1, 10)
    """
    about = read_about(question)
    written = about.get("population")
    if written is None:
        return None
    innocent = innocent_position(question)
    try:
        if isinstance(question, CutsQuestion | RingQuestion):
            return line_population(question.line, written, innocent)
        return answer_population(name_events(question), written, innocent)
    except InputError as error:
        where = f"{question.name}.about.population"
        raise FormError(where, got=error.got, allowed=error.allowed) from error


def answer_population(
    names: Sequence[str], written: object, innocent: int | None = None
) -> Population:
    """Read shares of named answers: all of them named, in sum exactly one.

    Raises
    ------
    InputError
        If an answer is missing or unknown, a share is none, or the sum is not one.

    >>> answer_population(["yes", "no"], {"yes": "1/10", "no": 0.9}).shares
    (Fraction(1, 10), Fraction(9, 10))
    """
    if not isinstance(written, Mapping) or set(written) != set(names):
        got = ", ".join(map(str, written)) if isinstance(written, Mapping) else written
        allowed = f"a share for each of {', '.join(names)}"
        raise InputError("expect", got=got, allowed=allowed)
    shares = tuple(chance(written[name], f"expect.{name}") for name in names)
    if sum(shares) != 1:
        allowed, remedy = "shares that sum to 1", 'write fractions in quotes, such as "1/3"'
        raise InputError("expect", got=f"a sum of {sum(shares)}", allowed=allowed, remedy=remedy)
    lump = shares[innocent] if innocent is not None else Fraction(0)
    return Population(shares=shares, innocent=innocent, lump=lump)


def line_population(line: Line, written: object, innocent: int | None = None) -> Population:
    """Read a distribution of numbers: a lump at the innocent number, the rest spread by a law.

    Where each step holds a single number, the rest has nobody in the step of the innocent one.

    Raises
    ------
    InputError
        If there is a lump without an innocent number, or the rest is no law of the line.

    >>> declared = {"lump": "9/10", "spread": "even"}
    >>> population = line_population(Line(0, 4, integer=True), declared, 0)
    >>> population.shares
    (Fraction(9, 10), Fraction(1, 40), Fraction(1, 40), Fraction(1, 40), Fraction(1, 40))
    """
    keys = set(written) if isinstance(written, Mapping) else {str(written)}
    if not isinstance(written, Mapping) or not keys or not keys <= {"lump", "spread"}:
        allowed = 'lump, a share of people, and spread, a law such as "even"'
        raise InputError("expect", got=", ".join(sorted(keys)) or "nothing", allowed=allowed)
    lump = chance(written.get("lump", 0), "expect.lump")
    if "lump" in written and innocent is None:
        remedy = "add innocent = …, the number at which the lump stands"
        raise InputError("expect.lump", got="no innocent number", allowed="one", remedy=remedy)
    spread = written.get("spread", "even")
    law = law_read(spread, "spread") if isinstance(spread, str) else read_law(spread, "spread")
    sizes = list(step_sizes(line, law))
    if innocent is not None and "lump" in written and line.integer and line.step == 1:
        sizes[innocent] = 0
    if not sum(sizes):
        raise InputError("expect.spread", got="nobody beside the lump", allowed="some people")
    shares = [(1 - lump) * Fraction(size, sum(sizes)) for size in sizes]
    if innocent is not None and "lump" in written:
        shares[innocent] += lump
    elif innocent is not None and line.integer and line.step == 1:
        lump = shares[innocent]
    return Population(shares=tuple(shares), innocent=innocent, lump=lump)


@checked
def posteriors(question: Question, population: Population) -> tuple[Posterior, ...]:
    r"""Compute what each report makes of the share of an answer, by Bayes's theorem, exactly.

    .. math:: P(x|y) = \frac{\pi_x\, Q(y|x)}{\sum_{x'} \pi_{x'} Q(y|x')}

    Of a question with an innocent answer the share is of all other answers together; else, for each
    report, of the answer whose share rises most. Each report that somebody sends has its entry.

    Parameters
    ----------
    question : TableQuestion, or Choice with a coin
    population : Population
        π: a share for each answer; where there are sets of answers, for each set.

    Raises
    ------
    InputError
        If the question has no table of chances.

    References
    ----------
    Leysieffer & Warner (1976), for posterior probabilities as the jeopardy of a respondent.

    >>> from askance_collect.exact import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> warner = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), warner, (0, 1), {})
    >>> people = answer_population(["yes", "no"], {"yes": "1/10", "no": "9/10"}, 1)
    >>> [str(report.posterior) for report in posteriors(question, people)]
    ['1/4', '1/28']
    """
    rows = list_event_chances(question)
    if len(rows) != len(population.shares):
        allowed = f"a share for each of {len(rows)} answers"
        raise InputError("population", got=len(population.shares), allowed=allowed)
    return tuple(_judge_reports(rows, population, find_answering_share(question)))


def find_answering_share(question: Question) -> Fraction:
    """Find the share of people whose report chance does not leave blank.

    >>> from askance.survey import load_survey, publish
    >>> affairs = publish(load_survey("examples/affairs.toml"))
    >>> find_answering_share(affairs.question("affair"))
    Fraction(49, 50)
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if not isinstance(judged, TableQuestion | CutsQuestion | RingQuestion):
        return Fraction(1)
    return 1 - Fraction(*judged.blank)


def _judge_reports(
    rows: Sequence[Sequence[Fraction]], population: Population, answering: Fraction
) -> Iterator[Posterior]:
    for report, chances in enumerate(zip(*rows, strict=True)):
        joint = [share * part for share, part in zip(population.shares, chances, strict=True)]
        if not (frequency := sum(joint, Fraction(0))):
            continue
        after = [part / frequency for part in joint]
        if (innocent := population.innocent) is not None:
            yield Posterior(
                report=report,
                answer=innocent,
                prior=1 - population.shares[innocent],
                posterior=1 - after[innocent],
                sent=answering * frequency,
                is_guilt=True,
            )
            continue
        answer = max(range(len(after)), key=lambda x: after[x] - population.shares[x])
        prior = population.shares[answer]
        yield Posterior(
            report=report,
            answer=answer,
            prior=prior,
            posterior=after[answer],
            sent=answering * frequency,
        )


def list_event_chances(question: Question) -> list[list[Fraction]]:
    """List for each answer, or set of answers, the exact chance of each report.

    Raises
    ------
    InputError
        If the question has no table of chances.

    >>> from askance_collect.exact import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> warner = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), warner, (0, 1), {})
    >>> list_event_chances(question)[0]
    [Fraction(3, 4), Fraction(1, 4)]
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if not isinstance(judged, TableQuestion):
        raise InputError("question", got=question.kind, allowed="named answers with chances")
    rows = [list(judged.table.row(x)) for x in range(len(judged.answers))]
    if judged.sets:
        return [
            [
                sum((share * part for share, part in zip(within, column, strict=True)), Fraction(0))
                for column in zip(*(rows[x] for x in own), strict=True)
            ]
            for (_, own), within in zip(judged.sets, shares_within_sets(judged), strict=True)
        ]
    return rows


def shares_within_sets(question: TableQuestion) -> list[tuple[Fraction, ...]]:
    """List for each set of answers how common each of them is among the people in the set.

    Of a list experiment as its form declares how many of the harmless items people have, whether
    the sensitive one holds for them or not; otherwise all alike.

    Raises
    ------
    FormError
        If the form declares no such shares, or not one for each number of items.

    >>> from askance.survey import load_survey, publish
    >>> question = publish(load_survey("examples/item-count.toml")).question("cheated")
    >>> [str(share) for share in shares_within_sets(question)[0]]
    ['1/20', '7/20', '9/20', '3/20']
    """
    written = question.about.get(CONTROL) if question.item_count is not None else None
    if written is None:
        return [(Fraction(1, len(own)),) * len(own) for _, own in question.sets]
    where = f"{question.name}.about.{CONTROL}"
    try:
        shares = tuple(chance(share, where) for share in written)
    except TypeError:
        shares = ()
    size = len(question.sets[0][1])
    if len(shares) != size or sum(shares) != 1:
        raise FormError(where, got=written, allowed=f"{size} shares that sum to 1")
    return [shares for _ in question.sets]


def share_answers(question: TableQuestion, shares: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Share out how common each set of answers is among the answers in it.

    >>> from askance.survey import load_survey, publish
    >>> question = publish(load_survey("examples/item-count.toml")).question("cheated")
    >>> [str(share) for share in share_answers(question, [Fraction(1, 5), Fraction(4, 5)])[:2]]
    ['1/25', '7/25']
    """
    within = shares_within_sets(question)
    by_answer = {
        x: share * part
        for share, (_, own), parts in zip(shares, question.sets, within, strict=True)
        for x, part in zip(own, parts, strict=True)
    }
    return tuple(by_answer[x] for x in range(len(question.answers)))


CONTROL = "control"
"""In `about`: how many of the harmless items of a list experiment people have, 0 to all of them."""


@checked
def worst_population(question: Question) -> Posterior | None:
    r"""Find the population in which a report raises the share of an answer most.

    Of all populations in which a whole number of 100 people has one answer x, and everybody else
    the one answer x′ that sends the report least. With λ = Q(y|x) / Q(y|x′) and p the share of x:

    .. math:: \text{gain}(p) = \frac{p \lambda}{p \lambda + 1 - p} - p

    which is largest near p = 1/(1 + √λ), and grows as p falls where the report excludes x′. Of a
    question with an innocent answer x′ is that one.

    References
    ----------
    Leysieffer & Warner (1976), for λ as the measure of jeopardy; the gain is Bayes's theorem.

    Parameters
    ----------
    question : Question
        With a table of chances.

    Returns
    -------
    Posterior or None
        With the answer that everybody else has; None if no report tells anything.

    >>> from askance_collect.exact import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> warner = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), warner, (0, 1), {})
    >>> worst = worst_population(question)
    >>> str(worst.prior), str(worst.posterior)
    ('37/100', '37/58')
    """
    rows, innocent = list_event_chances(question), innocent_position(question)
    answering = find_answering_share(question)
    candidates = [
        _worst_of_pair(report, x, other, chances, answering)
        for report, chances in enumerate(zip(*rows, strict=True))
        for x, other in _list_pairs(chances, innocent)
    ]
    return max(candidates, key=lambda posterior: posterior.gain, default=None)


@checked
def convicted_share(question: Question, population: Population) -> Fraction:
    r"""Compute the share of people whose range proves that theirs is not the innocent number.

    .. math:: \sum_{C \not\ni s} Q(C) \sum_{x \in C} \gamma_x

    Parameters
    ----------
    question : CutsQuestion or RingQuestion
    population : Population
        With an innocent number s; γ is the share of people in each step who have another number.

    Raises
    ------
    InputError
        If the question sends no ranges, or the population has no innocent number.

    References
    ----------
    Ding & Ding (2022), Definition 1: a range has the same chance Q(C) for every number in it.

    >>> from askance_collect.exact import Line
    >>> line = Line(0, 3, integer=True)
    >>> drinks = CutsQuestion("q", {}, line, {}, 1, (1, 1, 1), False, (0, 1), {})
    >>> half = line_population(line, {"lump": "1/2", "spread": "even"}, 0)
    >>> convicted_share(drinks, half)  # of the half who drink, 1/3, 2/3 or all are cut off from 0
    Fraction(1, 3)
    """
    innocent = population.innocent
    if innocent is None or not isinstance(question, CutsQuestion | RingQuestion):
        allowed = "a question sent as ranges, whose population has an innocent number"
        raise InputError("question", got=question.name, allowed=allowed)
    guilty = list(population.shares)
    guilty[innocent] -= population.lump
    scale = math.lcm(*(share.denominator for share in guilty))
    people = [int(share * scale) for share in guilty]
    answering = find_answering_share(question)
    if isinstance(question, RingQuestion):
        return answering * Fraction(_convicted_by_rings(question, people, innocent), scale)
    return answering * Fraction(_convicted_by_cuts(question, people, innocent), scale)


def _convicted_by_rings(question: RingQuestion, people: Sequence[int], innocent: int) -> Fraction:
    upto, law = [0, *accumulate(people)], question.law
    convicted = 0
    for low, first, last, _ in law.rows():
        for high in range(first, last + 1):
            inside = upto[high] - upto[low]
            outside = upto[-1] - inside
            convicted += law.weight(low, high) * (outside if low <= innocent < high else inside)
    return Fraction(convicted, law.total)


def _convicted_by_cuts(question: CutsQuestion, people: Sequence[int], innocent: int) -> Fraction:
    exact = [question.is_sent_exactly(step) for step in range(len(people))]
    ranged = [0 if is_exact else mass for mass, is_exact in zip(people, exact, strict=True)]
    upto, floor = [0, *accumulate(ranged)], question.floor
    units = narrowed_units(question.weights, question.number, None if question.withhold else floor)
    convicted = 0
    for low, high in combinations(range(len(people) + 1), 2):
        is_innocent = low <= innocent < high and not exact[innocent]
        withheld = question.withhold and floor is not None and not floor.allows_range(low, high)
        if not is_innocent and not withheld:
            convicted += int(units[low, high]) * (upto[high] - upto[low])
    named = sum(mass for x, mass in enumerate(people) if exact[x] and x != innocent)
    return named + Fraction(convicted, sum(question.weights) ** question.number)


def _list_pairs(chances: Sequence[Fraction], innocent: int | None) -> Iterator[tuple[int, int]]:
    """List each answer with the one that sends a report least, or with the innocent one."""
    for x, own in enumerate(chances):
        others = [other for other in range(len(chances)) if other != x]
        least = (
            innocent if innocent is not None else min(others, key=lambda answer: chances[answer])
        )
        if least != x and own > chances[least]:
            yield x, least


def _worst_of_pair(
    report: int, x: int, other: int, chances: Sequence[Fraction], answering: Fraction
) -> Posterior:
    """Find the prior, as a count of 100 people, at which a report raises it most."""
    own, least = chances[x], chances[other]

    def judge(people: int) -> Posterior:
        prior = Fraction(people, HUNDRED)
        frequency = prior * own + (1 - prior) * least
        return Posterior(
            report=report,
            answer=x,
            prior=prior,
            posterior=prior * own / frequency,
            sent=answering * frequency,
            other=other,
        )

    return max(map(judge, range(1, HUNDRED)), key=lambda posterior: posterior.gain)


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

    def to_dict(self) -> Json:
        """Write the shares for JSON, as fractions, and the reports at which they are reached."""
        return json_of(self)

    def _frame(self) -> dict[str, Any]:
        return {
            "method": [self.method.name.lower()],
            "question": [self.question],
            "prior": [float(self.prior)],
            "posterior": [float(self.posterior)],
        }

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


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
    """Search all combinations of reports, starting with those of the largest bounds."""
    rows = [list_event_chances(question) for question in questions]
    cells = list(product(*(range(len(row)) for row in rows)))
    best: JointPosterior | None = None
    candidates = sorted(_list_candidates(rows, cells, populations), key=lambda part: -part[0])
    for start in range(0, len(candidates), _AT_ONCE):
        batch = candidates[start : start + _AT_ONCE]
        if best is not None and batch[0][0] <= best.posterior:
            break
        posteriors = _solve_worst_couplings(batch, cells, populations)
        for (_, reports, index, _), posterior in zip(batch, posteriors, strict=True):
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


_AT_ONCE = 64  # programmes; fewer cost more calls, more solve what need not be solved

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


def _solve_worst_couplings(
    candidates: Sequence[Candidate],
    cells: Sequence[tuple[int, ...]],
    populations: Sequence[Population],
) -> list[Fraction]:
    """Bound the posterior of each combination of reports in its worst joint population, tightly.

    The programmes share no variable, and are solved as one.
    """
    from scipy.optimize import linprog
    from scipy.sparse import block_diag

    margins = [(i, x) for i, people in enumerate(populations) for x in range(len(people.shares))]
    matrix = np.zeros((len(margins) + 1, len(cells) + 1))
    for row, (i, x) in enumerate(margins):
        matrix[row, :-1] = [cell[i] == x for cell in cells]
        matrix[row, -1] = -float(populations[i].shares[x])
    blocks, costs, guilty = [], [], []
    for _, _, index, likelihood in candidates:
        chances = np.array([float(chance) for chance in likelihood])
        matrix[-1, :-1] = chances / chances.max()
        guilty.append([cell[index] != populations[index].innocent for cell in cells])
        blocks.append(matrix.copy())
        costs.append(np.append(-matrix[-1, :-1] * guilty[-1], 0.0))
    right = np.tile(np.append(np.zeros(len(margins)), 1.0), len(blocks))
    independent: Any = block_diag(blocks)
    solved = linprog(np.concatenate(costs), A_eq=independent, b_eq=right, method="highs")
    duals = -solved.eqlin.marginals.reshape(len(blocks), -1)[:, :-1]
    return [
        _certify(prices, likelihood, cells, populations, is_guilty)
        for prices, (_, _, _, likelihood), is_guilty in zip(duals, candidates, guilty, strict=True)
    ]


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
