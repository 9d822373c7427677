"""Tallies added up, written down and read again; those of another channel are refused."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Frame, KAry, Tally, Warner
from askance_collect.errors import DocumentError, InputError

Q = Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
OTHER = Abstain(truth="3/5", lie="1/5").channel(Frame(["yes", "no"]))
COUNTS = st.dictionaries(st.sampled_from(Q.reports), st.integers(0, 2**53))
WEIGHTS = st.floats(0, 1e300, allow_nan=False)


@st.composite
def tallies(draw):
    counts = draw(COUNTS)
    sums = {}
    if draw(st.booleans()):
        reports = [report for report, count in counts.items() if count]
        sums = {
            name: {report: draw(WEIGHTS) for report in reports} for name in ("weights", "squares")
        }
    return Tally(Q, counts, blanks=draw(st.integers(0, 9)), **sums)


@given(tallies())
def test_what_is_written_is_read_back_bit_for_bit(tally):
    for again in (
        Tally.from_json(tally.to_json(), Q),
        Tally.from_dict(tally.to_dict(), Q),
        pickle.loads(pickle.dumps(tally)),
        copy.deepcopy(tally),
    ):
        assert again == tally
        assert hash(again) == hash(tally)
        assert again.to_json() == tally.to_json()
        assert not again.counts.flags.writeable


def test_tallies_of_many_places_add_up():
    places = [Tally(Q, {"yes": index, "no": 1}, blanks=index) for index in range(5)]
    total = sum(places)
    assert total == Tally(Q, {"yes": 10, "no": 5}, blanks=10)
    sums = {"weights": {"yes": 1.5}, "squares": {"yes": 2.25}}
    twice = Tally(Q, {"yes": 1}, **sums) + Tally(Q, {"yes": 1}, **sums)
    assert (twice.weights.tolist(), twice.squares.tolist()) == ([3, 0, 0], [4.5, 0, 0])
    assert total != twice
    assert total != 15


def test_what_cannot_be_added_is_refused():
    plain, other = Tally(Q, {"yes": 1}), Tally(OTHER, {"yes": 1})
    weighted = Tally(Q, {"yes": 1}, weights={"yes": 1.0}, squares={"yes": 1.0})
    with pytest.raises(InputError, match="two channels"):
        plain + other
    with pytest.raises(InputError, match="one without weights"):
        plain + weighted
    for item in (1, 0.0, None, "a"):
        with pytest.raises(TypeError):
            item + plain


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"weights": {"yes": 1.0}}, "without squares"),
        ({"squares": {"yes": 1.0}}, "squares alone"),
        ({"weights": {"yes": -1.0}, "squares": {"yes": 1.0}}, r"weights\['yes'\]: got -1"),
        ({"weights": {"yes": 1.0}, "squares": {"yes": np.inf}}, r"squares\['yes'\]: got inf"),
        ({"weights": {"yes": True}, "squares": {}}, r"weights\['yes'\]: got True"),
        ({"weights": {"no": 1.0}, "squares": {"no": 1.0}}, "1.0 of 0 reports"),
        ({"weights": {"nay": 1.0}, "squares": {}}, "nay"),
        ({"blanks": -1}, "blanks: got -1"),
        ({"counts": {"yes": 2**53 + 2}}, "9007199254740994"),
    ],
)
def test_sums_that_cannot_be_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        Tally(Q, **{"counts": {"yes": 3}, **given})


WRITTEN = Tally(Q, {"yes": 3}).to_dict()


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "allowed: JSON"),
        ("[" * 100_000, "allowed: JSON"),
        ("[]", "no object"),
        ("{}", "an object with nothing in it"),
        ('{"askance": "tally-9"}', "an object with askance, of 'tally-9'"),
        ('{"counts": {}}', "an object with counts"),
        (json.dumps(WRITTEN | {"more": 1}), "more"),
        (json.dumps(WRITTEN | {"askance": "tally-2"}), "tally-1"),
        (json.dumps(WRITTEN | {"counts": [3]}), r"tally\.counts"),
        (json.dumps(WRITTEN | {"counts": {"yes": -3}}), r"tally\.counts\['yes'\]: got -3"),
        (json.dumps(WRITTEN | {"counts": {"yes": None}}), r"tally\.counts\['yes'\]"),
        (json.dumps(WRITTEN | {"counts": {"nay": 3}}), r"tally\.counts\['nay'\]"),
        (json.dumps(WRITTEN | {"blanks": "many"}), "many"),
        (json.dumps(WRITTEN | {"weights": {"yes": 3.0}}), "without squares"),
        (json.dumps(WRITTEN)[:-1] + ', "blanks": 0}', "twice"),
        (Tally(OTHER, {"yes": 3}).to_json(), "a tally of the channel .*the channel whose reports"),
    ],
)
def test_what_is_no_tally_of_this_channel_is_refused(written, message):
    with pytest.raises(DocumentError, match=message):
        Tally.from_json(written, Q)


def test_a_fingerprint_is_of_all_that_a_channel_is():
    channels = [
        Q,
        OTHER,
        Warner(truth="3/4").channel(Frame(["yes", "no"])),
        Warner(truth="3/4").channel(Frame(["no", "yes"])),
        KAry(truth="3/4").channel(Frame(["yes", "no", "maybe"])),
    ]
    assert len({Tally(item, {}).fingerprint for item in channels}) == len(channels)
    again = Abstain(truth="3/5", lie="1/10").channel(Frame(["yes", "no"]))
    assert Tally(again, {}).fingerprint == Tally(Q, {}).fingerprint


def test_a_thousand_answers_are_tallied_at_once():
    frame = Frame([f"answer {index}" for index in range(1024)])
    channel = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    many = type(channel)(frame, {name: [name] for name in frame.answers}, np.eye(1024))
    counts = {name: index for index, name in enumerate(frame.answers)}
    tally = Tally(many, counts)
    assert tally.counts.tolist() == list(range(1024))
    assert "… 1,004 more" in repr(tally)
