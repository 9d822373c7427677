"""Draws from the operating system follow the tables that the form publishes."""

import itertools
from collections import Counter

import numpy as np
import pytest
from budget import Watch, alarm, each

from askance_collect.exact import Line, Table
from askance_collect.respond import draw, encode
from askance_collect.wire import CutsQuestion, Label, TableQuestion

pytestmark = pytest.mark.odds

DEFECT = 0.02
"""A chance that is wrong by this much must be found."""

BATCH = 500


def table_question(rows, total, blank=(0, 1)):
    answers = tuple(Label(f"a{index}", {"en": "?"}) for index in range(len(rows)))
    reports = tuple(Label(f"r{index}", {"en": "?"}) for index in range(len(rows[0])))
    means = tuple((index % len(rows),) for index in range(len(rows[0])))
    table = Table(total, tuple(map(tuple, rows)))
    return TableQuestion("q", {"en": "?"}, answers, reports, means, table, blank, {})


def cuts_question(number):
    line = Line(0, 6, 1)
    return CutsQuestion(
        "q", {"en": "?"}, line, {"en": ""}, number, (1, 2, 3, 2, 1), False, (0, 1), {}
    )


TABLES = {
    "encode, table": table_question([[6, 1, 3], [1, 6, 3]], 10),
    "encode, k-ary table": table_question(
        [[7 if i == j else 1 for j in range(4)] for i in range(4)], 10
    ),
    "encode, blank": table_question([[3, 1], [1, 3]], 4, blank=(3, 20)),
    "encode, one cut": cuts_question(1),
    "encode, two cuts": cuts_question(2),
}


def chances(question, answer):
    """Compute the chance of every value from the published integers alone."""
    counts = Counter()
    if isinstance(question, TableQuestion):
        stays = 1 - question.blank[0] / question.blank[1]
        for column, units in enumerate(question.table.rows[answer]):
            counts[column] += stays * units / question.table.total
        counts[None] += 1 - stays
        return counts
    weights = np.array(question.weights) / sum(question.weights)
    for ticks in np.ndindex(*[len(weights)] * question.number):
        ends = sorted({0, *(tick + 1 for tick in ticks), question.line.ticks})
        cell = next((a, b) for a, b in itertools.pairwise(ends) if a <= answer < b)
        counts[cell] += float(np.prod(weights[list(ticks)]))
    return counts


def verdicts(name, question):
    """Judge the frequency of every value under every answer against the registered table."""
    published = TABLES[name]
    size = published.line.ticks if isinstance(published, CutsQuestion) else len(published.answers)
    nulls = [(answer, chances(published, answer)) for answer in range(size)]
    spend = alarm(name) / sum(len(null) for _, null in nulls)
    distinct = set()
    for answer, null in nulls:
        watches = {value: Watch((item, item), defects(item), spend) for value, item in null.items()}
        while any(watch.verdict is None for watch in watches.values()):
            counts = Counter(encode(question, answer, draw(question)) for _ in range(BATCH))
            assert set(counts) <= set(null) | set(chances(question, answer))
            for value, watch in watches.items():
                if watch.verdict is None:
                    watch.see(counts[value], BATCH)
        distinct |= {watch.verdict for watch in watches.values()}
    return distinct


def defects(chance):
    """Give what must be found: a chance above by as much, and one below, but not below half."""
    return tuple({max(chance - DEFECT, chance / 2), min(chance + DEFECT, 1.0)} - {chance})


@pytest.mark.parametrize("name", each(TABLES))
def test_frequencies_follow_the_table(name):
    assert verdicts(name, TABLES[name]) == {"holds"}


def test_a_table_that_lies_more_often_is_refused():
    twin = table_question([[575, 125, 300], [125, 575, 300]], 1000)
    assert verdicts("encode, table", twin) == {"too low", "too high", "holds"}


def test_a_question_left_blank_too_rarely_is_refused():
    twin = table_question([[3, 1], [1, 3]], 4, blank=(25, 200))
    assert "too low" in verdicts("encode, blank", twin)


def test_cuts_from_another_law_are_refused():
    twin = cuts_question(1)
    object.__setattr__(twin, "weights", (2, 2, 2, 2, 1))
    assert {"too low", "too high"} <= verdicts("encode, one cut", twin)
