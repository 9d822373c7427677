"""Errors say where, what was got, what is allowed and what to do."""

import pickle

import numpy as np
import pytest

from askance_collect.errors import InputError, MissingExtra, ReportRefused


@pytest.mark.parametrize(
    ("got", "result"),
    [
        (np.str_("ja"), "'ja'"),
        (np.float64(0.5), "0.5"),
        (np.int64(3), "3"),
        (np.array(True), "True"),
        ("größer", "'größer'"),
        (0, "0"),
    ],
)
def test_numbers_and_texts_of_numpy_are_told_plainly(got, result):
    assert str(InputError("here", got=got, allowed="less")) == f"here: got {result}; allowed: less"


def test_what_is_not_known_is_left_out():
    assert str(InputError("here")) == "here"
    assert str(InputError("here", remedy="wait")) == "here: wait"


@pytest.mark.parametrize(
    "remaining",
    [
        InputError("here", got=3, allowed="less", remedy="wait"),
        ReportRefused("id", "report.id", allowed="32 digits"),
        MissingExtra("matplotlib", "plot"),
    ],
)
def test_an_error_crosses_processes_whole(remaining):
    document = pickle.loads(pickle.dumps(remaining))
    assert type(document) is type(remaining)
    assert (str(document), vars(document), document.args) == (
        str(remaining),
        vars(remaining),
        remaining.args,
    )
