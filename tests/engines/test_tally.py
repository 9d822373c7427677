"""Reports in a column, counted the same whatever holds it."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Frame, KAry, Tally, Warner, privatise, tally
from askance.mechanisms import HadamardResponse
from askance_collect.errors import InputError

YN = Frame(["yes", "no"])
Q = Abstain(truth="3/5", lie="1/10").channel(YN)
SENT = privatise(Q, ["yes", "no", None, "no", "yes"] * 40, rng=1, name="said")
HELD = {
    "list": SENT,
    "array": np.array(SENT, dtype=object),
    "pandas": pd.Series(SENT),
    "pandas categories": pd.Series(SENT, dtype="category"),
    "polars": pl.Series(SENT),
    "polars enum": pl.Series(SENT, dtype=pl.Enum(Q.reports)),
    "arrow": pa.array(SENT),
    "arrow chunks": pa.chunked_array([SENT[:7], SENT[7:]]),
    "parts": iter([SENT[:9], [], pa.array(SENT[9:])]),
    "batches": pa.RecordBatchReader.from_batches(
        pa.schema([("drink", pa.string())]), [pa.record_batch([pa.array(SENT)], names=["drink"])]
    ),
}


@pytest.mark.parametrize("kind", HELD)
def test_every_column_is_counted_alike(kind):
    counted = Counter(item for item in SENT if item is not None)
    result = tally(Q, HELD[kind])
    assert dict(zip(Q.reports, result.counts.tolist(), strict=True)) == counted
    assert result.total == 160


@given(st.lists(st.sampled_from([*Q.reports, None]), min_size=1).filter(any), st.integers(0, 20))
@settings(max_examples=40)
def test_counts_of_parts_add_up(reports, at):
    pair = [*reports[:at], "no"], [*reports[at:], "yes"]
    whole_tally = tally(Q, pair[0] + pair[1])
    assert (whole_tally.counts == (tally(Q, pair[0]) + tally(Q, pair[1])).counts).all()
    assert (whole_tally.counts == tally(Q, iter(pair)).counts).all()


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("k", [2, 7, 16, 17, 128, 300])
def test_long_columns_of_categories_are_counted_to_the_last_row(k, missing):
    n, channel = 550_001, KAry(truth="1/2").channel(Frame([f"x{index}" for index in range(k)]))
    codes = np.random.default_rng(k).integers(-int(missing), k, n)
    codes[-1] = k - 1
    series = pd.Series(pd.Categorical.from_codes(codes, channel.reports))
    result = tally(channel, series)
    assert result.counts.tolist() == np.bincount(codes + 1, minlength=k + 1)[1:].tolist()
    assert (result.total, result.blanks) == (n - (codes < 0).sum(), (codes < 0).sum())


def test_tallies_of_two_channels_do_not_add():
    other = Abstain(truth="3/5", lie="1/5").channel(YN)
    with pytest.raises(InputError, match="two channels"):
        Tally(Q, {"yes": 1}) + Tally(other, {"yes": 1})
    with pytest.raises(TypeError):
        Tally(Q, {"yes": 1}) + 1
    number = HadamardResponse(truth="3/4").channel(Q.frame)
    for item, two in ((Q, number), (number, Q)):
        with pytest.raises(InputError, match="tallies of two channels"):
            tally(item, privatise(item, ["yes"], rng=1, name="said")) + tally(
                two, privatise(two, ["no"], rng=1, name="said")
            )


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([0, 1], r"tally\.column\[0\]: got 0.*no positions"),
        ([True], "got True"),
        (["yes", "yess"], r"\[1\]: got 'yess'.*did you mean"),
        (pd.Series([1.5]), "got 1.5"),
        ([], "no report"),
        ([None, None], "no report"),
        (iter([]), "no report"),
        (iter([["yes"], ["nay"]]), r"part 1\[0\]: got 'nay'"),
        (pd.DataFrame({"drink": ["yes"], "w": [1]}), "pick one of its columns"),
    ],
)
def test_what_is_no_column_of_reports_is_refused(column, message):
    with pytest.raises(InputError, match=message):
        tally(Q, column)


def test_reports_of_another_channel_are_refused():
    with pytest.raises(InputError, match="don't know"):
        tally(Warner(truth="3/4").channel(YN), SENT)
