"""Channels as JSON: exact ones stay exact, damaged ones are refused with the place."""

import copy
import json
from fractions import Fraction

import pytest

from askance import Abstain, Channel, Frame
from askance.channels import two_reports
from askance_collect.errors import DocumentError, InputError

YES_NO = Frame(["yes", "no"])
Q = Abstain(truth=0.6, lie=0.1).channel(YES_NO)


def test_exact_chances_are_strings():
    written = Q.to_dict()
    assert written["matrix"][0] == ["3/5", "1/10", "3/10"]
    assert written["reports"][2] == {"name": "don't know", "means": ["yes", "no"]}
    assert written["output"] == written["frame"] == ["yes", "no"]


@pytest.mark.parametrize(
    "channel",
    [
        Q,
        two_reports(Q, Q),
        Channel(YES_NO, {"ja": ["yes"], "weiß nicht": ["yes", "no"]}, [[0.1, 0.9], [0.3, 0.7]]),
        Channel(YES_NO, {"x": ["big"]}, [[Fraction(1)]] * 2, output=Frame(["big", "small"])),
        Channel(
            YES_NO, {"x": ["yes"], "y": ["no"]}, [[Fraction(1, 2**60), 1 - Fraction(1, 2**60)]] * 2
        ),
    ],
)
def test_what_is_written_is_read_back(channel):
    assert Channel.from_json(channel.to_json()) == channel
    assert Channel.from_dict(json.loads(json.dumps(channel.to_dict()))) == channel


def test_integers_and_strings_are_exact_and_one_double_makes_all_doubles():
    written = Q.to_dict() | {"matrix": [[1, 0, 0], ["1/3", "1/3", "1/3"]]}
    assert Channel.from_dict(written).table.rows == ((3, 0, 0), (1, 1, 1))
    written["matrix"][0] = [0.5, 0.5, 0]
    assert Channel.from_dict(written).table is None


def _damage(path, value):
    written = copy.deepcopy(Q.to_dict())
    position = written
    for step in path[:-1]:
        position = position[step]
    if value is None:
        del position[path[-1]]
    else:
        position[path[-1]] = value
    return written


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (["matrix"], None, "frame, output, reports, matrix"),
        (["extra"], 1, "frame, output, reports, matrix"),
        (["frame"], "yes", "frame"),
        (["frame"], [1, 2], "frame"),
        (["reports"], {}, "reports"),
        (["reports", 0], "yes", r"reports\[0\]"),
        (["reports", 1, "name"], "yes", r"reports\[1\]\.name"),
        (["reports", 1, "name"], 5, r"reports\[1\]\.name"),
        (["reports", 1, "means"], "no", r"reports\[1\]\.means"),
        (["matrix"], 3, "matrix"),
        (["matrix", 1], 3, r"matrix\[1\]"),
        (["matrix", 1, 2], "x", r"matrix\[1\]\[2\]"),
        (["matrix", 1, 2], [1], r"matrix\[1\]\[2\]"),
        (["matrix", 1, 2], True, r"matrix\[1\]\[2\]"),
    ],
)
def test_damage_is_refused_with_the_place(path, value, where):
    with pytest.raises(DocumentError, match=where):
        Channel.from_dict(_damage(path, value))


@pytest.mark.parametrize("written", [None, 3, [], "{}"])
def test_what_is_no_object_is_refused_by_its_kind(written):
    with pytest.raises(DocumentError, match=f"got '{type(written).__name__}'; allowed: an object"):
        Channel.from_dict(written)


@pytest.mark.parametrize(
    "rows", [[["1/2", "1/4", "1/8"]] * 2, [[0.5, 0.25, 0.125]] * 2, [], [[], []]]
)
def test_what_is_no_channel_is_refused(rows):
    with pytest.raises(InputError):
        Channel.from_dict(_damage(["matrix"], rows))


@pytest.mark.parametrize("text", ["", "{", "[NaN]", "null"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(DocumentError):
        Channel.from_json(text)
