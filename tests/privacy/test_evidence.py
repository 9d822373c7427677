"""What reports prove, exclude or make likelier, against an enumeration of their chances."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance.channels import RangeChannel, RingChannel
from askance.mechanisms import Abstain, Blocks, KAry, Partitions, Redistribute, Runs, Warner
from askance.privacy import ClaimKind, Disclosure, question_evidence, report_evidence
from askance_collect.errors import FormError, InputError
from askance_collect.exact import Floor, Line, PairLaw
from askance_collect.wire import Choice, CutsQuestion, Label, RingQuestion, read_question
from named_mechanisms import MECHANISMS

YN, ABC = ak.Frame(["yes", "no"]), ak.Frame(["a", "b", "c"])
OTHERS = [
    (Warner(truth="3/4"), YN),
    (KAry(truth="1/2"), ABC),
    (Abstain(truth="3/5", lie="1/10"), ABC),
    (Abstain(truth="2/5", lie=0), YN),
    (Redistribute(truth="1/2", lie="1/4", share="1/2"), YN),
    (Blocks(number=2), ABC),
    (Runs(number=2), ABC),
    (Partitions(partitions=[[["a"], ["b", "c"]], [["a", "b"], ["c"]]]), ABC),
]
CATALOGUE = [*((named.recipe, named.frame) for named in MECHANISMS), *OTHERS]
PROVING = {
    "abstain": {"yes": "yes", "no": "no"},
    "blocks": {"a": "a", "b": "b", "c": "c"},
    "runs": {"a": "a", "c": "c"},
    "partitions": {"a": "a", "c": "c"},
    "one_sided": {"no": "no"},
    "mangat": {"no": "no"},
    "triangular": {"neither": "no"},
}


def table_question(total, rows, about=(), **more):
    def label(index, called):
        return {"name": f"{called} {index}", "label": {"en": f"{called} {index}"}}

    raw = {"kind": "table", "name": "q", "text": {"en": "?"}, "blank": [0, 1], "about": dict(about)}
    raw["answers"] = [label(x, "answer") for x in range(len(rows))]
    raw["reports"] = [label(y, "report") | {"means": [0]} for y in range(len(rows[0]))]
    return read_question(
        raw | {"table": {"total": total, "rows": [*map(list, rows)]}} | more, ["en"]
    )


def enumerate_senders(rows):
    """Give for each report the answers that can send it, and their chances."""
    for column in range(len(rows[0])):
        chances = {x: row[column] for x, row in enumerate(rows) if row[column]}
        if chances:
            yield column, chances


def positions(evidence):
    return [x for first, end in evidence.possible for x in range(first, end)]


def assert_enumerated(total, rows):
    evidence = question_evidence(table_question(total, rows))
    senders = dict(enumerate_senders(rows))
    assert [report.report for report in evidence.reports] == list(senders)
    for report in evidence.reports:
        chances = senders[report.report]
        assert positions(report) == list(chances)
        assert report.ratio == max(
            Fraction(p, q) for p in chances.values() for q in chances.values()
        )
        if len(chances) == 1:
            assert report.disclosure is Disclosure.PROOF
            (claim,) = report.claims
            assert (claim.kind, claim.position) == (ClaimKind.ANSWER, *chances)
        elif len(chances) < len(rows):
            assert report.disclosure is Disclosure.EXCLUSION
        else:
            shifts = len(set(chances.values())) > 1
            assert report.disclosure is (Disclosure.ODDS if shifts else Disclosure.NOTHING)
    assert evidence.is_protected == any(len(chances) > 1 for chances in senders.values())


@pytest.mark.parametrize(("recipe", "frame"), CATALOGUE, ids=lambda part: getattr(part, "name", ""))
def test_every_design_proves_what_an_enumeration_of_its_chances_does(recipe, frame):
    channel = recipe.channel(frame)
    assert_enumerated(channel.table.total, channel.table.rows)
    proofs = question_evidence(table_question(channel.table.total, channel.table.rows)).proofs
    named = {
        channel.reports[proof.report]: frame.answers[proof.claims[0].position] for proof in proofs
    }
    if frame in (YN, ABC) and (recipe.name, frame) != ("abstain", ABC):
        assert named == PROVING.get(recipe.name, {})


@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=2, max_size=4
        )
    )
)
def test_the_evidence_of_any_table_is_that_of_an_enumeration(weights):
    rows = [[*row, 12 - sum(row)] for row in weights]
    assert_enumerated(12, rows)


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=8, max_size=8))
def test_an_item_of_a_list_is_proved_where_every_set_that_sends_a_report_agrees_on_it(weights):
    rows = [[*row, 6 - sum(row)] for row in weights]
    evidence = question_evidence(table_question(6, rows, ticks=3))
    for report in evidence.reports:
        senders = {x for x, row in enumerate(rows) if row[report.report]}
        for item in range(3):
            bits = {x >> item & 1 for x in senders}
            claimed = {claim.kind for claim in report.claims if claim.position == item}
            assert (ClaimKind.ITEM_TICKED in claimed) == (bits == {1})
            assert (ClaimKind.ITEM_LEFT in claimed) == (bits == {0})


def cut_questions():
    """Questions of whole numbers and of all numbers, with cuts, floors and exact stretches."""
    floors = (None, Floor([1] * 5, 2), Floor([3, 1, 1, 1, 2], 2))
    for lower, integer, number, weights in product(
        (0, 1), (True, False), (1, 2, 3), ((1, 1, 1, 1), (0, 2, 1, 0), (1, 0, 0, 3))
    ):
        line = Line(lower, lower + 5 - integer, integer=integer)
        for floor, withhold in product(floors, (False, True)):
            if floor is not None or not withhold:
                try:
                    RangeChannel(line, weights, number, floor=floor, withhold=withhold)
                except InputError:
                    continue
                yield line, weights, number, floor, withhold


def test_a_range_of_one_whole_number_proves_it_and_no_other_does():
    for line, weights, number, floor, withhold in cut_questions():
        channel = RangeChannel(line, weights, number, floor=floor, withhold=withhold)
        question = CutsQuestion(
            "q", {}, line, {}, number, weights, False, (0, 1), {}, floor, withhold
        )
        proved = {
            proof.claims[0].position for proof in question_evidence(question).proofs if proof.report
        }
        single = {
            low
            for low, high in channel.cells()[0].tolist()
            if high == low + 1 < line.ticks and line.integer and (low or line.lower == 0)
        }
        assert proved == single, question


def test_a_blank_that_is_withheld_is_judged_by_its_chance_for_each_number():
    for line, weights, number, floor, withhold in cut_questions():
        if not withhold:
            continue
        channel = RangeChannel(line, weights, number, floor=floor, withhold=True)
        chances = [channel.null_chance(step) for step in range(5)]
        question = CutsQuestion("q", {}, line, {}, number, weights, False, (0, 1), {}, floor, True)
        if not any(chances):
            continue
        blank = report_evidence(question, None)
        assert positions(blank) == [step for step, chance in enumerate(chances) if chance]
        assert blank.ratio == max(chances) / min(chance for chance in chances if chance)


@pytest.mark.parametrize("innocent", [0, 2, 4])
def test_a_range_without_the_innocent_number_proves_that_the_answer_is_another(innocent):
    line = Line(0, 50, 10)
    about = {"innocent": str(innocent * 10 + 5)}
    cuts = CutsQuestion("q", {}, line, {}, 1, (1, 1, 1, 1), False, (0, 1), about)
    ring = RingQuestion(
        "q", {}, line, {}, PairLaw((1,) * 4, Floor([1] * 5, 2)), False, (0, 1), about
    )
    channel = RingChannel(line, (1,) * 4, Floor([1] * 5, 2))
    for question, cells in ((cuts, RangeChannel(line, (1,) * 4)), (ring, channel)):
        for low, high in cells.cells()[0].tolist():
            evidence = report_evidence(question, (low, high))
            holds = any(first <= innocent < end for first, end in cells.pieces(low, high))
            assert evidence.proves == (not holds)
        (proof,) = question_evidence(question).harmful_proofs
        assert proof.claims[0].kind is ClaimKind.NOT_INNOCENT


def test_proofs_of_the_innocent_answer_harm_nobody():
    forced = 6, [[6, 0], [1, 5]]
    harmful = question_evidence(table_question(*forced)).harmful_proofs
    assert [proof.report for proof in harmful] == [1]
    assert not question_evidence(table_question(*forced, {"innocent": "answer 1"})).harmful_proofs
    other = question_evidence(table_question(*forced, {"innocent": "answer 0"}))
    assert [proof.report for proof in other.harmful_proofs] == [1]


def test_a_report_without_the_innocent_answer_proves_that_it_is_another():
    sets = 2, [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert not question_evidence(table_question(*sets)).proofs
    (proof,) = question_evidence(table_question(*sets, {"innocent": "answer 0"})).harmful_proofs
    assert (proof.report, proof.claims[0].kind) == (2, ClaimKind.NOT_INNOCENT)


def test_plain_questions_prove_and_are_not_protected():
    plain = Choice("q", {}, (Label("a", {}), Label("b", {})))
    evidence = question_evidence(plain)
    assert evidence.disclosure is Disclosure.PROOF
    assert not evidence.is_protected
    assert not evidence.harmful_proofs
    assert report_evidence(plain, 1).claims[0].position == 1


def test_what_nobody_sends_and_answers_that_there_are_not_are_refused():
    question = table_question(2, [[2, 0], [1, 1]], {"innocent": "none"})
    with pytest.raises(FormError, match="an answer of the question"):
        question_evidence(question)
    with pytest.raises(InputError, match="a report to q"):
        report_evidence(table_question(2, [[2, 0], [2, 0]]), 1)


def test_two_answers_move_apart_by_the_ratio_and_no_further():
    for recipe, frame in CATALOGUE:
        table = recipe.channel(frame).table
        for report in question_evidence(table_question(table.total, table.rows)).reports:
            if report.disclosure is not Disclosure.ODDS:
                continue
            rows = [row[report.report] for row in table.rows]
            fractions = [Fraction(p, q) for p, q in combinations(rows, 2)]
            assert max(max(odds, 1 / odds) for odds in fractions) == report.ratio
