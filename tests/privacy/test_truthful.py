"""Sets of answers are judged as ranges are, where they only rule answers out."""

from fractions import Fraction

import pytest

from askance import Abstain, Channel, Frame, Warner
from askance.privacy import Notion, set_guarantees

ABC = Frame(["a", "b", "c"])
MEANT = {"not c": ["a", "b"], "not a": ["b", "c"], "any": ["a", "b", "c"]}


def channel(*rows, reports=MEANT):
    total = sum(rows[0])
    return Channel(ABC, reports, [[Fraction(units, total) for units in row] for row in rows])


def test_coverage_floor_and_flatness_of_sets():
    guarantees = set_guarantees(channel((2, 0, 2), (1, 1, 2), (0, 1, 3)))
    assert [guarantee.notion for guarantee in guarantees] == [
        Notion.COVERAGE,
        Notion.FLOOR,
        Notion.FLATNESS,
    ]
    tau = Fraction(2 * 2 + 2 * 3 + (1 + 1) * 2 + 2 * 3 + 1 * 2 + 3 * 3, 3 * 3 * 4)
    assert [guarantee.value for guarantee in guarantees] == [tau, Fraction(2, 3), 2]
    assert guarantees[1].attained == "by 'not c'"


@pytest.mark.parametrize(
    "judged",
    [
        Warner(truth="3/4").channel(Frame(["yes", "no"])),
        Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"])),
        channel((2, 1, 1), (1, 1, 2), (0, 1, 3)),
        channel((2, 0, 2), (0, 1, 3), (0, 1, 3)),
        channel((0, 0, 1), (0, 0, 1), (0, 0, 1)),
        channel((1,), (1,), (1,), reports={"any": ["a", "b", "c"]}),
    ],
    ids=["lies", "sometimes lies", "one lie", "says too much", "says nothing", "says one thing"],
)
def test_what_lies_or_rules_nothing_out_is_judged_otherwise(judged):
    assert set_guarantees(judged) == ()


def test_a_report_that_is_never_sent_is_no_floor():
    result = MEANT | {"a": ["a"]}
    guarantees = set_guarantees(channel((2, 0, 2, 0), (1, 1, 2, 0), (0, 1, 3, 0), reports=result))
    assert guarantees[1].value == Fraction(2, 3)
