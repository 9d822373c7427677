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
RANGES_SENT = ak.privatise(
    HOURS, np.random.default_rng(1).uniform(0, 60, 3_000), rng=2, name="said"
)
DATA = pd.DataFrame(
    {"above": RANGES_SENT.lower, "upto": RANGES_SENT.upper, "w": np.arange(3_000) % 4 / 2}
)
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
    mktemp_result = tmp_path_factory.mktemp("ranges")
    BLANK.to_csv(mktemp_result / "a.csv", index=False)
    DATA[:999].to_parquet(mktemp_result / "a.parquet")
    DATA[999:].to_parquet(mktemp_result / "b.parquet")
    return mktemp_result


@pytest.mark.parametrize("kind", SOURCES)
def test_every_engine_counts_ranges_alike(kind, folder):
    ranges = count_ranges(SOURCES[kind](folder), "above", "upto")
    index = DATA.groupby(["above", "upto"]).agg(n=("w", "size"), w=("w", "sum")).reset_index()
    assert ranges.total == 3_000
    assert len(ranges) == len(index) < 100
    assert (ranges.lower == index["above"]).all()
    assert (ranges.upper == index["upto"]).all()
    assert (ranges.weights == index["n"]).all()
    weighed = count_ranges(SOURCES[kind](folder), "above", "upto", counts="w")
    assert (weighed.weights == index["w"]).all()


def test_what_is_learnt_is_what_the_rows_tell():
    counted = ak.npmle(count_ranges(DATA, "above", "upto"))
    npmle_result = ak.npmle(RANGES_SENT)
    indices = np.arange(5.0, 60, 5)
    assert counted.cdf(indices) == pytest.approx(npmle_result.cdf(indices), abs=1e-9)
    intervals = [
        ak.inference.quantile_intervals(item, [0.5])
        for item in (count_ranges(DATA, "above", "upto"), RANGES_SENT)
    ]
    assert intervals[0].lower == pytest.approx(intervals[1].lower)
    assert intervals[0].upper == pytest.approx(intervals[1].upper)


def test_lines_of_json_hold_ranges(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"lower": 1, "upper": 2.0}\n{"lower": 1.0, "upper": 2}\n{"upper": 3}\n{"lower": null}\n'
    )
    ranges = count_ranges(tmp_path / "a.jsonl", closed="survival")
    assert (ranges.lower.tolist(), ranges.upper.tolist()) == ([-np.inf, 1], [3, 2])
    assert ranges.weights.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("data", "questions", "message"),
    [
        ({"lower": [2.0], "upper": [1.0]}, {}, "ends 2.0 and 1.0.*wrong way round"),
        ({"lower": [np.nan], "upper": [1.0]}, {}, "an open end is -inf"),
        ({"lower": [np.nan], "upper": [np.nan]}, {}, "no range"),
        ({"lower": ["a"], "upper": ["b"]}, {}, "a column of numbers"),
        ({"lower": [0.0], "upper": [1.0]}, {"counts": "w"}, "no column 'w'"),
        ({"lower": [0.0], "uper": [1.0]}, {}, "no column 'upper'.*did you mean 'uper'"),
    ],
)
def test_what_is_no_range_is_refused(data, questions, message):
    for table in (pd.DataFrame(data), pl.DataFrame(data, strict=False)):
        with pytest.raises(InputError, match=message):
            count_ranges(table, **questions)


def test_other_sources_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"askance\.Ranges takes two columns"):
        count_ranges([(0, 1)])
    (tmp_path / "a.csv").write_text("lower,upper\n0,one\n")
    with pytest.raises(DocumentError, match="one"):
        count_ranges(tmp_path / "a.csv")
