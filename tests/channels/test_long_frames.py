"""A frame of very many names: found at once, told in few, and never gone through twice."""

import pickle

import pytest

from askance import Channel, Frame
from askance_collect.errors import InputError

MANY = [f"answer {index}" for index in range(100_000)]
LONG = Frame(MANY)


def test_names_are_found_and_read_back():
    assert LONG.index("answer 77777") == 77_777
    half = LONG.mask(MANY[::2])
    assert half == sum(1 << position for position in range(0, 2_000, 2)) | half >> 2_000 << 2_000
    assert half.bit_count() == 50_000
    assert LONG.names(half) == tuple(MANY[::2])
    assert LONG.positions(1 << 99_999 | 5) == (0, 2, 99_999)
    assert LONG.names(0) == ()
    assert LONG.mask(["answer 3", "answer 3"]) == 8
    assert LONG.names(LONG.full_mask) == LONG.answers


@pytest.mark.parametrize("size", [3, 1023, 1024, 1030])
def test_masks_are_the_same_however_long_the_frame(size):
    frame = Frame(MANY[:size])
    for names in (MANY[:1], MANY[:size:3], MANY[:size]):
        mask = frame.mask(names)
        assert mask == sum(1 << MANY.index(name) for name in names)
        assert frame.names(mask) == tuple(names)
        assert frame.names(mask | 1 << size) == tuple(names)


def test_the_first_name_that_stands_twice_is_told_at_once(instructions):
    with pytest.raises(InputError, match=r"\"'answer 7' twice\""):
        Frame([*MANY, "answer 7", "answer 3"])
    with pytest.raises(InputError, match=r"\"'b' twice\""):
        Frame(["b", "a", "b", "a"])

    def twice():
        with pytest.raises(InputError):
            Frame([*MANY, "answer 7"])

    assert instructions(twice) < 100 * len(MANY)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("answer 9999x", "answer 9999"),
        ("answr 99999", "answer 99999"),
        ("naswer 5", "answer 5"),
        ("answer 1234567890", ""),
        ("Answer 12", "answer 12"),
        (" answer 12 ", "answer 12"),
        ("zzz", ""),
        ("x" * 100_000, ""),
        (7, ""),
    ],
)
def test_an_unknown_name_is_refused_in_few_words(word, meant, instructions):
    with pytest.raises(InputError) as refused:
        LONG.index(word)
    text = str(refused.value)
    assert len(text) < 4_000
    assert "answer 49 and 99,950 others" in text
    assert ("did you mean" in text) == bool(meant)
    assert meant in text

    def refuse():
        with pytest.raises(InputError):
            LONG.index(word)

    assert instructions(refuse) < 100 * len(LONG)


@pytest.mark.parametrize(
    ("size", "listed"), [(50, "answer 49; did"), (51, "answer 49 and 1 other; did")]
)
def test_names_are_listed_up_to_fifty(size, listed):
    with pytest.raises(InputError) as refused:
        Frame(MANY[:size]).index("answer 1x")
    assert "allowed: answer 0, answer 1, answer 2" in str(refused.value)
    assert f"answer 48, {listed} you mean 'answer 1" in str(refused.value)


def test_other_messages_are_bounded():
    for wrong in (lambda: Frame([*MANY, 3]), lambda: LONG.mask(3)):
        with pytest.raises(InputError) as refused:
            wrong()
        assert len(str(refused.value)) < 3_000
    with pytest.raises(
        InputError, match=r"got a whole number of 100,001 bits; .*\[0, 2\^100000 − 1"
    ):
        Channel(LONG, {"any": 1 << 100_000}, [[1]])


def test_a_frame_crosses_processes_as_its_names():
    few = Frame(["yes", "no"])
    assert few.index("no") == 1
    read = pickle.loads(pickle.dumps(few))
    assert (read, hash(read), read.index("no"), repr(read)) == (few, hash(few), 1, repr(few))
    assert len(pickle.dumps(LONG)) < 40 * len(MANY)
