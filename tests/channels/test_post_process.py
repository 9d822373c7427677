"""Kernels on messages: sound for Shafer's reading, refused for Walley's."""

from fractions import Fraction

import pytest

from askance import Abstain, Channel, Frame
from askance.channels import MassFunction, Reading, post_process
from askance.privacy import shafer_loss, walley_loss
from askance_collect.errors import InputError

YES_NO, THREE = Frame(["yes", "no"]), Frame(["1", "2", "3"])
F = Fraction
Q = Abstain(truth=0.6, lie=0.1).channel(YES_NO)
AS_IT_IS = {report: {report: 1} for report in Q.reports}


def pair():
    """Two rows whose mass ratio is 5 and whose plausibility-to-belief ratio is 17/15."""
    return Channel.from_masses(
        {
            "x": MassFunction(THREE, {1: F(45, 100), 2: F(45, 100), 3: F(10, 100)}),
            "x'": MassFunction(THREE, {1: F(49, 100), 2: F(49, 100), 3: F(2, 100)}),
        }
    )


def test_nothing_changes_by_sending_on_as_it_is():
    assert post_process(Q, AS_IT_IS, reading=Reading.SHAFER) == Q


def test_walleys_reading_refuses_and_the_counterexample_is_true():
    with pytest.raises(InputError, match=r"ln\(17/15\) to ln 5.*relabel"):
        post_process(Q, AS_IT_IS, reading=Reading.WALLEY)
    before = pair()
    renamed = {"1": {"1": 1}, "2": {"2": 1}, "1 or 2": {"3": 1}}
    reports = {"1": ["1"], "2": ["2"], "3": ["3"]}
    after = post_process(before, renamed, reports, reading=Reading.SHAFER)
    assert walley_loss(before).value == F(17, 15)
    assert walley_loss(after).value == 5
    assert shafer_loss(before).value == shafer_loss(after).value == 5


def test_doubles_are_carried_in_doubles():
    q = Channel(YES_NO, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.5, 0.5]])
    noise = {"yes": {"yes": 0.5, "no": 0.5}, "no": {"no": 1}}
    after = post_process(q, noise, reading=Reading.SHAFER)
    assert after.matrix.tolist() == [[0.375, 0.625], [0.25, 0.75]]


def test_one_message_is_treated_as_one():
    """Two reports that mean the same are one message: telling them apart would add knowledge."""
    q = Channel(YES_NO, {"a": ["yes"], "b": ["yes"]}, [[F(1), F(0)], [F(0), F(1)]])
    assert shafer_loss(q).value == 1
    separate = {"a": {"yes": 1}, "b": {"no": 1}}
    with pytest.raises(InputError, match="'a' and 'b' treated differently"):
        post_process(q, separate, {"yes": ["yes"], "no": ["no"]}, reading=Reading.SHAFER)


def test_new_reports_may_be_about_another_frame():
    spoken = {"yes": {"high": 1}, "no": {"low": 1}, "don't know": {"high": "1/3", "low": "2/3"}}
    after = post_process(
        Q,
        spoken,
        {"high": ["h"], "low": ["l"]},
        reading=Reading.SHAFER,
        output=Frame(["h", "l"]),
    )
    assert after.table.row(0) == (F(7, 10), F(3, 10))
    assert after.mass("no").belief(["l"]) == F(8, 10)


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        ({**AS_IT_IS, "no": {"no": 0.5}}, r"kernel\['no'\].*sum to 1/2"),
        ({**AS_IT_IS, "no": {"nope": 1}}, "did you mean 'no'"),
        ({**AS_IT_IS, "no": {"no": 2, "yes": -1}}, "probability in"),
        ({"yes": {"yes": 1}}, "nothing for 'no'"),
    ],
)
def test_what_is_no_kernel_is_refused(kernel, why):
    with pytest.raises(InputError, match=why):
        post_process(Q, kernel, reading=Reading.SHAFER)
