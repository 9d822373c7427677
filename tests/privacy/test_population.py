"""Posteriors of reports, against an enumeration of people, answers and draws."""

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.privacy import (
    Population,
    convicted_share,
    declared_population,
    posteriors,
    worst_population,
)
from askance_collect.errors import FormError
from askance_collect.exact import Floor, Line, PairLaw
from askance_collect.wire import CutsQuestion, RingQuestion, read_question


def cuts_question(line, population, number=1, weights=None, blank=(0, 1)):
    """A question with a declared population, and a lump at its lower end."""
    about = {"population": population, "innocent": "0"}
    weights = tuple(weights or (1,) * (line.ticks - 1))
    return CutsQuestion("q", {}, line, {}, number, weights, False, blank, about)


def table_question(total, rows, about=(), **more):
    def label(index, called):
        return {"name": f"{called} {index}", "label": {"en": f"{called} {index}"}}

    raw = {"kind": "table", "name": "q", "text": {"en": "?"}, "blank": [0, 1], "about": dict(about)}
    raw["answers"] = [label(x, "answer") for x in range(len(rows))]
    raw["reports"] = [label(y, "report") | {"means": [0]} for y in range(len(rows[0]))]
    return read_question(
        raw | {"table": {"total": total, "rows": [*map(list, rows)]}} | more, ["en"]
    )


tables = st.integers(2, 4).flatmap(
    lambda reports: st.lists(
        st.lists(st.integers(0, 4), min_size=reports, max_size=reports), min_size=2, max_size=4
    ).map(lambda rows: [[*row, 16 - sum(row)] for row in rows])
)


@st.composite
def peopled_tables(draw):
    table = draw(tables)
    people = draw(st.lists(st.integers(0, 5), min_size=len(table), max_size=len(table)).filter(any))
    innocent = draw(st.none() | st.integers(0, len(people) - 1))
    return table, people, innocent


@given(peopled_tables())
def test_a_posterior_is_the_share_among_those_who_send_the_report(case):
    table, people, innocent = case
    shares = tuple(Fraction(share, sum(people)) for share in people)
    lump = shares[innocent] if innocent is not None else Fraction(0)
    population = Population(shares=shares, innocent=innocent, lump=lump)
    judged = posteriors(table_question(16, table), population)
    assert sum(posterior.sent for posterior in judged) == 1
    for posterior in judged:
        senders = [n * row[posterior.report] for n, row in zip(people, table, strict=True)]
        hits = sum(
            n
            for x, n in enumerate(senders)
            if (x != innocent if posterior.is_guilt else x == posterior.answer)
        )
        assert posterior.posterior == Fraction(hits, sum(senders))
        assert posterior.sent == Fraction(sum(senders), 16 * sum(people))
        if not posterior.is_guilt:
            after = [
                Fraction(n, sum(senders)) - share for n, share in zip(senders, shares, strict=True)
            ]
            assert posterior.gain == max(after)
    average = sum(report.sent * report.posterior for report in judged)
    if innocent is not None:
        assert average == population.guilty


@given(tables)
def test_the_worst_population_is_worse_than_every_other_of_two_answers(table):
    worst = worst_population(table_question(16, table))
    gains = [Fraction(0)]
    for (x, own), (other, least) in product(enumerate(table), repeat=2):
        for people in range(1, 100, 7) if x != other else ():
            for p, q in zip(own, least, strict=True):
                prior = Fraction(people, 100)
                if reports := prior * p + (1 - prior) * q:
                    gains.append(prior * p / reports - prior)
    assert (worst.gain if worst else 0) >= max(gains)


@given(st.integers(1, 2), st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any))
def test_people_whose_range_excludes_the_innocent_number_are_counted_by_drawing_all_cuts(
    number, weights
):
    line = Line(0, 4, integer=True)
    declared = {"lump": "3/5", "spread": [1, 2, 3, 4, 5]}
    question = cuts_question(line, declared, number, weights, (1, 4))
    population = declared_population(question)
    ticks = [tick for tick, weight in enumerate(weights, 1) for _ in range(weight)]
    hit = Fraction(0)
    for draws in product(ticks, repeat=number):
        ends = [0, *sorted(set(draws)), 5]
        for low, high in pairwise(ends):
            if low > 0:
                hit += sum(population.shares[low:high]) / len(ticks) ** number
    assert convicted_share(question, population) == hit * Fraction(3, 4)


def test_a_ring_convicts_whoever_it_parts_from_the_innocent_number():
    line = Line(0, 5)
    law = PairLaw((1, 2, 1, 1), Floor([1] * 5, 2))
    about = {"population": {"lump": "1/2", "spread": "even"}, "innocent": "0"}
    question = RingQuestion("q", {}, line, {}, law, False, (0, 1), about)
    population = declared_population(question)
    hit = sum(
        Fraction(law.weight(low, high), law.total) * Fraction(high - low, 10)
        for low in range(1, 5)
        for high in range(low + 1, 5)
    )
    assert convicted_share(question, population) == hit


def test_the_range_of_the_doping_study_convicts_whoever_sends_it():
    line = Line(0, 50, integer=True)
    cuts = cuts_question(line, {"lump": "1/100", "spread": "even"})
    population = declared_population(cuts)
    share = convicted_share(cuts, population) / population.guilty
    assert share == Fraction(sum(range(1, 51)), 50 * 50)


@pytest.mark.parametrize(
    ("written", "allowed"),
    [
        ({"answer 0": "1/2", "answer 1": "1/3"}, "shares that sum to 1"),
        ({"answer 0": "1"}, "a share for each of answer 0, answer 1"),
        ({"answer 0": "3/2", "answer 1": "-1/2"}, "a probability"),
        ("even", "a share for each"),
    ],
)
def test_what_is_no_population_is_refused(written, allowed):
    question = table_question(4, [[3, 1], [1, 3]], {"population": written})
    with pytest.raises(FormError, match=allowed):
        declared_population(question)


def test_a_lump_needs_an_innocent_number():
    line = Line(0, 4)
    lump = {"population": {"lump": "1/2"}}
    question = CutsQuestion("q", {}, line, {}, 1, (1, 1, 1), False, (0, 1), lump)
    with pytest.raises(FormError, match="no innocent number"):
        declared_population(question)
    with pytest.raises(FormError, match="lump, a share of people, and spread"):
        declared_population(cuts_question(line, {"mean": 3}))
