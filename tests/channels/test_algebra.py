"""Channels made from channels, exactly and in doubles."""

from fractions import Fraction

import numpy as np
import pytest

from askance import Abstain, Channel, Frame, KAry, Warner, local_loss
from askance.channels import MassFunction, ProductFrame, restrict, two_questions, two_reports
from askance.privacy import shafer_loss, walley_loss
from askance_collect.errors import InputError

YES_NO, ABC = Frame(["yes", "no"]), Frame(["a", "b", "c"])
F = Fraction
MAY_PASS = Abstain(truth=0.6, lie=0.1).channel(YES_NO)
WARNER = Warner(truth=0.75).channel(YES_NO)


def in_doubles(channel):
    return Channel(
        channel.frame,
        dict(zip(channel.reports, map(channel.output.names, channel.meanings), strict=True)),
        channel.matrix,
        output=channel.output,
    )


def test_two_reports_are_independent_given_the_answer():
    pair = two_reports(MAY_PASS, WARNER)
    assert pair.frame == YES_NO
    assert pair.reports[:3] == ("yes, yes", "yes, no", "no, yes")
    crossed = ProductFrame({"first": YES_NO, "second": YES_NO})
    for answer in YES_NO.answers:
        parts = {"first": MAY_PASS.mass(answer), "second": WARNER.mass(answer)}
        assert pair.mass(answer) == crossed.independent(parts)


def test_losses_of_two_reports_add():
    reports = two_reports(MAY_PASS, MAY_PASS)
    for loss in (local_loss, shafer_loss, walley_loss):
        assert loss(reports).value == loss(MAY_PASS).value ** 2


def test_an_exact_channel_beside_one_of_doubles_makes_doubles():
    for item, other in ((WARNER, in_doubles(MAY_PASS)), (in_doubles(WARNER), MAY_PASS)):
        reports = two_reports(item, other)
        assert reports.table is None
        assert reports.matrix == pytest.approx(two_reports(WARNER, MAY_PASS).matrix, abs=1e-15)


def test_two_questions_cross_answers_and_reports():
    questions = two_questions(MAY_PASS, KAry(truth="1/2").channel(ABC))
    assert questions.frame.answers[:3] == ("yes, a", "yes, b", "yes, c")
    assert questions.table.chance(4, 5) == F(6, 10) * F(1, 4)
    assert questions.output == questions.frame
    assert questions.matrix.shape == (6, 9)


@pytest.mark.parametrize("make", [two_reports, two_questions])
def test_doubles_agree_with_exact_ones(make):
    exact, doubles = make(MAY_PASS, WARNER), make(in_doubles(MAY_PASS), WARNER)
    assert doubles.table is None
    assert np.allclose(doubles.matrix, exact.matrix, rtol=1e-15)
    assert doubles.reports == exact.reports


def test_products_are_never_rounded():
    fine = Channel(
        YES_NO,
        {"yes": ["yes"], "no": ["no"]},
        [[F(1, 2**30), 1 - F(1, 2**30)], [F(1, 2), F(1, 2)]],
    )
    assert two_reports(fine, fine).table.chance(0, 0) == F(1, 2**60)
    assert two_reports(fine, fine).table.total == 2**60


def test_reports_with_commas_keep_apart():
    odd = Channel(YES_NO, {"a": ["yes"], "a, a": ["no"]}, np.eye(2))
    assert len(set(two_reports(odd, odd).reports)) == 4


def test_restriction_keeps_rows_and_meanings():
    q = Abstain(truth=0.6, lie=0.2).channel(ABC)
    for channel in (q, in_doubles(q)):
        fewer = restrict(channel, ["b", "a"])
        assert fewer.frame.answers == ("a", "b")
        assert fewer.output == ABC
        assert fewer.mass("b") == channel.mass("b")
    assert restrict(q, ["a", "b"]).table.rows == q.table.rows[:2]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: restrict(MAY_PASS, ["maybe"]), "yes, no"),
        (lambda: restrict(MAY_PASS, []), "one or more"),
        (lambda: two_reports(MAY_PASS, KAry(truth=0.5).channel(ABC)), "use two_questions"),
    ],
)
def test_what_does_not_fit_is_refused(call, why):
    with pytest.raises(InputError, match=why):
        call()


def test_rows_of_masses_make_a_channel():
    rows = {answer: MAY_PASS.mass(answer) for answer in YES_NO.answers}
    again = Channel.from_masses(rows)
    assert again.table == MAY_PASS.table
    assert again.reports == ("yes", "no", "yes or no")
    doubles = Channel.from_masses({"x": MassFunction(ABC, {1: 0.5, 6: 0.5}), "y": rows_of_c()})
    assert doubles.table is None
    assert doubles.matrix.tolist() == [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    assert doubles.output == ABC
    for bad in ({}, {"x": rows["yes"], "y": rows_of_c()}):
        with pytest.raises(InputError, match="on one frame"):
            Channel.from_masses(bad)


def rows_of_c():
    return MassFunction(ABC, {("c",): 1.0})


def test_sets_whose_words_coincide_keep_apart():
    odd = Frame(["a", "b", "a or b"])
    q = Channel.from_masses({"x": MassFunction(odd, {3: F(1, 2), 4: F(1, 2)})})
    assert q.reports == ("('a', 'b')", "('a or b',)")
