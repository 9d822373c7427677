"""A channel keeps what it is given exactly, and refuses what is not a channel."""

from fractions import Fraction

import numpy as np
import pytest

from askance import Channel, Frame, Tally
from askance.channels import MassFunction
from askance_collect.errors import InputError
from askance_collect.exact import Table

YES_NO = Frame(["yes", "no"])
MEANS = {"yes": ["yes"], "no": ["no"], "?": ["yes", "no"]}


def test_fractions_are_kept_as_integers():
    channel = Channel(YES_NO, MEANS, [[Fraction(3, 5), Fraction(1, 10), Fraction(3, 10)]] * 2)
    assert channel.table == Table(10, ((6, 1, 3), (6, 1, 3)))
    assert np.allclose(channel.matrix.sum(axis=1), 1)


def test_whole_numbers_beside_fractions_stay_exact():
    reports, third = {"yes": ["yes"], "no": ["no"]}, Fraction(1, 3)
    mixed = Channel(YES_NO, reports, [[1, 0], [third, 1 - third]])
    assert mixed.table == Table(3, ((3, 0), (1, 2)))
    for other in ([[1.0, 0.0], [third, 1 - third]], [[True, False], [third, 1 - third]]):
        assert Channel(YES_NO, reports, other).table is None
    assert Channel(YES_NO, reports, [[1, 0], [0, 1]]).table is None


def test_doubles_have_no_table_and_cannot_be_written_to():
    channel = Channel(YES_NO, MEANS, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    assert channel.table is None
    with pytest.raises(ValueError, match="read-only"):
        channel.matrix[0, 0] = 1


@pytest.mark.parametrize(
    ("matrix", "where"),
    [
        ([[0.6, 0.1, 0.2], [0.1, 0.6, 0.3]], r"matrix\[0\]"),
        ([[0.6, 0.1, 0.3], [-0.1, 0.8, 0.3]], r"matrix\[1\]"),
        ([[0.6, 0.1, float("nan")], [0.1, 0.6, 0.3]], r"matrix\[0\]"),
        ([[0.6, 0.1, float("inf")], [0.1, 0.6, 0.3]], r"matrix\[0\]"),
        ([[0.6, 0.4], [0.1, 0.9]], "shape"),
        ([["a", "b", "c"], [0, 0, 1]], "matrix"),
        ([[Fraction(1, 2)] * 3] * 2, r"rows\[0\]"),
        ([], "shape"),
    ],
)
def test_what_is_not_a_channel_is_refused(matrix, where):
    with pytest.raises(InputError, match=where):
        Channel(YES_NO, MEANS, matrix)


def test_a_report_must_mean_something():
    with pytest.raises(InputError, match="at least one answer"):
        Channel(YES_NO, {"yes": [], "no": ["no"]}, np.eye(2))


def test_meanings_may_be_masks():
    masks = Channel(YES_NO, {"yes": 1, "no": 2, "?": 3}, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    assert masks == Channel(YES_NO, MEANS, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    for wrong, why in ((0, "at least one answer"), (4, "a mask in"), (-1, "a mask in")):
        with pytest.raises(InputError, match=why):
            Channel(YES_NO, {"a": wrong}, [[1], [1]])


def test_reports_may_be_about_another_frame():
    colours = Frame(["red", "green", "blue"])
    channel = Channel(
        YES_NO, {"warm": ["red"], "cold": ["green", "blue"]}, np.eye(2), output=colours
    )
    assert channel.mass("no").plausibility(["blue"]) == 1
    with pytest.raises(InputError, match="about the answers themselves"):
        _ = channel.may_be_untrue


def test_equal_meanings_join_their_masses():
    channel = Channel(YES_NO, {"a": ["yes"], "b": ["yes"]}, [[0.25, 0.75], [0.5, 0.5]])
    assert channel.mass("yes").masses == {1: 1.0}
    assert channel.may_be_untrue
    assert not channel.is_vague


@pytest.mark.parametrize(
    ("rows", "lies", "vague"),
    [
        ([[1, 0, 0], [0, 1, 0]], False, False),
        ([[0.5, 0, 0.5], [0, 1, 0]], False, True),
        ([[0, 0, 1], [0, 0, 1]], False, True),
        ([[0.5, 0.5, 0], [0, 1, 0]], True, False),
        ([[1, 0, 0], [0.25, 0.5, 0.25]], True, True),
    ],
)
def test_only_what_can_be_sent_is_untrue_or_vague(rows, lies, vague):
    channel = Channel(YES_NO, MEANS, rows)
    assert (channel.may_be_untrue, channel.is_vague) == (lies, vague)


def test_one_mass_function_of_doubles_makes_a_channel_of_doubles():
    exact = MassFunction(YES_NO, {("yes",): Fraction(1, 3), ("yes", "no"): Fraction(2, 3)})
    doubles = MassFunction(YES_NO, {("no",): 0.25, ("yes",): 0.75})
    mixed = Channel.from_masses({"yes": exact, "no": doubles})
    assert mixed.table is None
    assert mixed.reports == ("yes", "no", "yes or no")
    assert mixed.matrix.tolist() == [[1 / 3, 0, 2 / 3], [0.75, 0.25, 0]]
    assert Channel.from_masses({"yes": exact, "no": exact}).table.rows == ((1, 2), (1, 2))


def test_equality_looks_at_everything():
    half = [[Fraction(1, 2)] * 2] * 2
    plain = Channel(YES_NO, {"a": ["yes"], "b": ["no"]}, half)
    assert plain == Channel(YES_NO, {"a": ["yes"], "b": ["no"]}, half)
    for different in (
        Channel(YES_NO, {"a": ["yes"], "c": ["no"]}, half),
        Channel(YES_NO, {"a": ["no"], "b": ["yes"]}, half),
        Channel(Frame(["yes", "maybe"]), {"a": ["yes"], "b": ["no"]}, half, output=YES_NO),
        Channel(YES_NO, {"a": 1, "b": 2}, half, output=Frame(["no", "yes"])),
        Channel(YES_NO, {"a": ["yes"], "b": ["no"]}, [[0.5, 0.5]] * 2),
    ):
        assert plain != different
    item, other = (Channel(YES_NO, MEANS, [[p, 1 - p, 0], [0, 1, 0]]) for p in (0.5, 0.25))
    assert item == Channel(YES_NO, MEANS, [[0.5, 0.5, 0], [0, 1, 0]])
    assert hash(item) == hash(Channel(YES_NO, MEANS, [[0.5, 0.5, 0], [0, 1, 0]]))
    assert item != other
    assert item != "channel"


@pytest.mark.parametrize(
    ("answers", "result"),
    [
        ([], "one or more non-empty names"),
        (["a", ""], "non-empty names"),
        (["a", "b", "c", "b"], "got \"'b' twice\"; allowed: different names"),
        ("yes", "non-empty names"),
        (3, "non-empty names"),
        (["a", 1], "write numbers as text"),
        ([0, "a"], "write numbers as text"),
    ],
)
def test_a_frame_needs_different_names(answers, result):
    with pytest.raises(InputError, match=r"^Frame\.answers: .*" + result):
        Frame(answers)


def test_names_need_not_be_ascii():
    frame = Frame(["größer", "nein", "不"])
    assert frame.names(frame.mask(["不", "größer"])) == ("größer", "不")


@pytest.mark.parametrize(
    ("masses", "why"),
    [
        ({("yes",): 0.5}, "sum"),
        ({("yes",): 1.5, ("no",): -0.5}, "a mass in"),
        ({(): 0.5, ("no",): 0.5}, "empty set"),
        ({("yes",): float("nan"), ("no",): 0.5}, "a mass in"),
        ({("maybe",): 1.0}, "yes, no"),
    ],
)
def test_what_is_not_a_mass_function_is_refused(masses, why):
    with pytest.raises(InputError, match=why):
        MassFunction(YES_NO, masses)


@pytest.mark.parametrize("count", [-1, 1.5, float("nan"), "3", None, True])
def test_a_tally_counts_whole_reports(count):
    channel = Channel(YES_NO, MEANS, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    with pytest.raises(InputError, match="whole number"):
        Tally(channel, {"yes": count})


def test_a_tally_knows_its_reports_and_holds_a_billion():
    channel = Channel(YES_NO, MEANS, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    assert Tally(channel, {"?": 10**12}).total == 10**12
    assert Tally(channel, {"?": 3.0}).counts.tolist() == [0, 0, 3]
    assert not Tally(channel, {}).counts.flags.writeable
    with pytest.raises(InputError, match="did you mean 'yes'"):
        Tally(channel, {"yess": 1})
