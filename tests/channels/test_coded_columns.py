"""Reports that are numbers or bits, in every kind of column."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import askance as ak
from askance.mechanisms import HadamardResponse, UnaryEncoding

ANSWERS = [f"x{index}" for index in range(11)]
GIVEN = [ANSWERS[index % 11] for index in range(40)]
MISSING = [None if index % 7 == 3 else item for index, item in enumerate(GIVEN)]
ORACLES = {
    "numbers": HadamardResponse.at_epsilon(ratio=3).channel(ak.Frame(ANSWERS)),
    "bits": UnaryEncoding.at_epsilon(ratio=3).channel(ak.Frame(ANSWERS)),
}
KINDS = {
    "list": list,
    "tuple": tuple,
    "pandas": pd.Series,
    "pandas category": lambda column: pd.Series(column, dtype="category"),
    "polars": lambda column: pl.Series("drink", column),
    "arrow": pa.array,
    "arrow chunked": lambda column: pa.chunked_array([column[:9], column[9:]]),
}


@pytest.mark.parametrize("coded", ORACLES)
@pytest.mark.parametrize("kind", KINDS)
def test_columns_keep_their_kind_and_their_blanks(coded, kind):
    channel, column = ORACLES[coded], KINDS[kind](MISSING)
    reports = ak.privatise(channel, column, rng=3, name="said")
    assert type(reports).__module__ == type(column).__module__
    assert hasattr(reports, "chunks") == hasattr(column, "chunks")
    listed = reports.to_pylist() if kind.startswith("arrow") else list(reports)
    assert [pd.isna(item) for item in listed] == [item is None for item in MISSING]
    counted = ak.tally(channel, reports)
    assert (counted.total, counted.blanks) == (34, 6)
    assert counted == ak.tally(channel, ak.privatise(channel, MISSING, rng=3, name="said"))


@pytest.mark.parametrize("coded", ORACLES)
@pytest.mark.parametrize("kind", [*KINDS, "numpy"])
def test_full_columns_are_counted_alike(coded, kind):
    channel = ORACLES[coded]
    column = np.array(GIVEN) if kind == "numpy" else KINDS[kind](GIVEN)
    counted = ak.tally(channel, ak.privatise(channel, column, rng=3, name="said"))
    assert counted == ak.tally(channel, ak.privatise(channel, GIVEN, rng=3, name="said"))
    assert counted.total == len(GIVEN)


def test_numpy_marks_a_blank_number_and_refuses_a_blank_set():
    column = np.array(MISSING, dtype=object)
    numbers = ak.privatise(ORACLES["numbers"], column, rng=3, name="said")
    assert ((numbers == -1) == [item is None for item in MISSING]).all()
    assert ak.tally(ORACLES["numbers"], numbers).blanks == 6
    with pytest.raises(ak.AskanceError, match=r"column\[3\]: got 'a missing answer'"):
        ak.privatise(ORACLES["bits"], column, rng=3, name="said")


@pytest.mark.parametrize(
    ("coded", "column", "message"),
    [
        ("numbers", [1, 99], r"\[1\]: got 99; allowed: whole numbers in \[0, 15\]"),
        ("numbers", ["x1"], r"\[0\]: got 'x1'"),
        ("numbers", [True], r"\[0\]: got True"),
        ("numbers", [1.5], r"\[0\]: got 1.5"),
        ("numbers", np.array([3, -2]), r"\[1\]: got -2"),
        ("numbers", [], "no report"),
        ("numbers", [None], "no report"),
        ("bits", [b"\x00\x20", b"\x00"], r"\[1\]: got '00'; allowed: 2 bytes"),
        ("bits", [b"\x00\x20", b"\x00\x10"], r"\[1\]: got '0010'"),
        ("bits", ["x1"], r"\[0\]: got 'x1'"),
        ("bits", np.zeros((3, 1), dtype=np.uint8), "shape"),
        ("bits", pa.array([1.5]), "numbers or bytes"),
    ],
)
def test_what_is_no_report_is_named(coded, column, message):
    with pytest.raises(ak.AskanceError, match=message):
        ak.tally(ORACLES[coded], column)


def test_parts_and_readers_are_counted_as_they_come():
    channel = ORACLES["numbers"]
    schema = pa.schema([("drink", pa.string())])
    batches = [pa.record_batch([pa.array(part)], schema=schema) for part in (GIVEN[:9], GIVEN[9:])]
    reader = pa.RecordBatchReader.from_batches(schema, batches)
    counted = ak.tally(channel, ak.privatise(channel, reader, rng=3, name="said"))
    assert counted == ak.tally(channel, ak.privatise(channel, GIVEN, rng=3, name="said"))


def test_tallies_add_and_come_back_from_their_own_channel_only():
    channel, other = ORACLES.values()
    halves = [
        ak.tally(channel, ak.privatise(channel, GIVEN, rng=number, name="said"))
        for number in (1, 2)
    ]
    pair = sum(halves)
    assert pair.total == 2 * len(GIVEN)
    assert (pair.supports == halves[0].supports + halves[1].supports).all()
    again = ak.channels.SupportTally.from_json(pair.to_json(), channel)
    assert again == pair
    with pytest.raises(ak.AskanceError, match="a tally of the channel"):
        ak.channels.SupportTally.from_json(pair.to_json(), other)
    with pytest.raises(ak.AskanceError, match="tallies of two channels"):
        _ = pair + ak.tally(other, ak.privatise(other, GIVEN, rng=1, name="said"))
