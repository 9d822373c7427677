"""Text of NumPy's fixed width is found as a list of the same text is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance_collect.errors import InputError

ROWS = 1_200
names = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6),
    min_size=2,
    max_size=40,
    unique=True,
)


def _truthful(answers: list[str]) -> ak.Channel | None:
    """The channel that sends every answer as it is; None where names are refused."""
    try:
        frame = ak.Frame(answers)
    except InputError:
        return None
    return ak.Channel(frame, {name: [name] for name in answers}, np.eye(len(answers)))


@given(names, st.integers(0, 9), st.integers(0, 2**32 - 1))
def test_every_name_is_found_whatever_the_width(answers: list[str], spare: int, seed: int) -> None:
    channel = _truthful(answers)
    if channel is None:
        return
    codes = np.random.default_rng(seed).integers(0, len(answers), ROWS)
    listed = [answers[code] for code in codes]
    width = max(map(len, answers)) + spare
    sent = ak.privatise(channel, np.array(listed, dtype=f"<U{width}"), name="said", rng=1)
    assert sent.tolist() == listed
    counts = [int(count) for count in ak.tally(channel, sent).counts]
    assert counts == [listed.count(name) for name in answers]


@pytest.mark.parametrize("answers", [["a", "b"], ["xay", "xby"], ["x1 z", "x10 z", "x100 z", "y"]])
def test_an_entry_that_differs_where_names_agree_is_strange(answers: list[str]) -> None:
    channel = _truthful(answers)
    assert channel is not None
    column = np.array(answers * ROWS)
    assert ak.privatise(channel, column, name="said", rng=1).tolist() == answers * ROWS
    for other in ("q" + answers[0][1:], answers[0][:-1] + "q"):
        column[5] = other
        with pytest.raises(InputError, match="5"):
            ak.privatise(channel, column, name="said", rng=1)


def test_a_strange_entry_is_named_by_its_row() -> None:
    channel = _truthful(["yes", "no"])
    assert channel is not None
    column = np.array(["yes", "no"] * ROWS)
    column[1_777] = "yet"
    with pytest.raises(InputError, match=r"1[,]?777"):
        ak.privatise(channel, column, name="said", rng=1)
