"""Ranges counted by distinct ends wherever they lie, and what is learnt from the counts."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import askance as ak
from askance.engines import count_ranges
from askance_collect.errors import DocumentError, InputError

HOURS = ak.Cuts(number=2).channel(ak.Line(0, 60, 5, "hours"))
SENT = ak.privatise(HOURS, np.random.default_rng(1).uniform(0, 60, 3_000), rng=2, name="said")
DATA = pd.DataFrame({"above": SENT.lower, "upto": SENT.upper, "w": np.arange(3_000) % 4 / 2})
BLANK = pd.concat([DATA, pd.DataFrame({"above": [np.nan], "upto": [np.nan], "w": [1.0]})])
SOURCES = {
    "pandas": lambda _: DATA,
    "with a blank": lambda _: BLANK,
    "polars": lambda _: pl.from_pandas(DATA).lazy(),
    "arrow": lambda _: pa.Table.from_pandas(DATA),
    "reader": lambda _: pa.Table.from_pandas(DATA).to_reader(700),
    "duckdb": lambda _: duckdb.from_df(DATA),
    "csv": lambda folder: folder / "a.csv",
    "parquet": lambda folder: str(folder / "*.parquet"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("ranges")
    BLANK.to_csv(place / "a.csv", index=False)
    DATA[:999].to_parquet(place / "a.parquet")
    DATA[999:].to_parquet(place / "b.parquet")
    return place


@pytest.mark.parametrize("kind", SOURCES)
def test_every_engine_counts_ranges_alike(kind, folder):
    found = count_ranges(SOURCES[kind](folder), "above", "upto")
    told = DATA.groupby(["above", "upto"]).agg(n=("w", "size"), w=("w", "sum")).reset_index()
    assert found.total == 3_000
    assert len(found) == len(told) < 100
    assert (found.lower == told["above"]).all()
    assert (found.upper == told["upto"]).all()
    assert (found.weights == told["n"]).all()
    weighed = count_ranges(SOURCES[kind](folder), "above", "upto", counts="w")
    assert (weighed.weights == told["w"]).all()


def test_what_is_learnt_is_what_the_rows_tell():
    counted = ak.npmle(count_ranges(DATA, "above", "upto"))
    whole = ak.npmle(SENT)
    at = np.arange(5.0, 60, 5)
    assert counted.cdf(at) == pytest.approx(whole.cdf(at), abs=1e-9)
    intervals = [
        ak.inference.quantile_intervals(one, [0.5])
        for one in (count_ranges(DATA, "above", "upto"), SENT)
    ]
    assert intervals[0].lower == pytest.approx(intervals[1].lower)
    assert intervals[0].upper == pytest.approx(intervals[1].upper)


def test_lines_of_json_hold_ranges(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"lower": 1, "upper": 2.0}\n{"lower": 1.0, "upper": 2}\n{"upper": 3}\n{"lower": null}\n'
    )
    found = count_ranges(tmp_path / "a.jsonl", closed="survival")
    assert (found.lower.tolist(), found.upper.tolist()) == ([-np.inf, 1], [3, 2])
    assert found.weights.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("data", "asked", "told"),
    [
        ({"lower": [2.0], "upper": [1.0]}, {}, "ends 2.0 and 1.0.*wrong way round"),
        ({"lower": [np.nan], "upper": [1.0]}, {}, "an open end is -inf"),
        ({"lower": [np.nan], "upper": [np.nan]}, {}, "no range"),
        ({"lower": ["a"], "upper": ["b"]}, {}, "a column of numbers"),
        ({"lower": [0.0], "upper": [1.0]}, {"counts": "w"}, "no column 'w'"),
        ({"lower": [0.0], "uper": [1.0]}, {}, "no column 'upper'.*did you mean 'uper'"),
    ],
)
def test_what_is_no_range_is_refused(data, asked, told):
    for table in (pd.DataFrame(data), pl.DataFrame(data, strict=False)):
        with pytest.raises(InputError, match=told):
            count_ranges(table, **asked)


def test_other_sources_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"askance\.Ranges takes two columns"):
        count_ranges([(0, 1)])
    (tmp_path / "a.csv").write_text("lower,upper\n0,one\n")
    with pytest.raises(DocumentError, match="one"):
        count_ranges(tmp_path / "a.csv")
