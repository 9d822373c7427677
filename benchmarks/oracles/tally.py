"""Tallies of Parquet and of a Spark table beside the bare group-by of the same engine, in one run.

Reports of k-ary response over 1,024 answers are written as Parquet in a temporary folder. What is
told is a ratio: `ak.tally` over a `GROUP BY … COUNT(*)` that does nothing else, each the best of
some passes taken in turn. Then the most likely distribution from as many rows of ranges, counted by
distinct ends on a grid of 100 steps. Nothing is extrapolated: the rows are those that were read.
The processor time of this process is told beside seconds, since others may share the machine: with
it that of DuckDB's threads, not that of Spark.

    python benchmarks/oracles/tally.py --rows 1000000000 --passes 1 --only duckdb ranges

That takes 3 GB of files. With --folder they stay there, and are found again.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import askance as ak

K, STEPS, PART = 1024, 100, 1_000_000
PARTS = ("duckdb", "spark", "ranges")


def main() -> None:
    """Print rows a second, and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--spark-rows", type=int, default=5_000_000)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--folder", type=Path, help="where files stay; a temporary one without it")
    options = parser.parse_args()
    frame = ak.Frame([f"answer {i}" for i in range(K)])
    channel = ak.KAry(truth="1/2").channel(frame)
    with TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        names, ranges = folder / f"names {options.rows}", folder / f"ranges {options.rows}"
        if {"duckdb", "spark"} & set(options.only):
            write(names, options.rows, lambda dice, n: {"report": coded(dice, n, frame.answers)})
        if "duckdb" in options.only:
            of_duckdb(channel, names, options.rows, options.passes)
        if "spark" in options.only:
            of_spark(channel, names, options.spark_rows, options.passes)
        if "ranges" in options.only:
            write(ranges, options.rows, drawn_ranges)
            of_ranges(ranges, options.rows, options.passes)


def write(folder: Path, rows: int, draw: Callable[[np.random.Generator, int], dict]) -> None:
    """Write Parquet, a file for each million rows, unless all of it is there."""
    if len(list(folder.glob("*.parquet"))) == -(-rows // PART):
        return
    folder.mkdir(parents=True, exist_ok=True)
    dice = np.random.default_rng(1)
    for start in range(0, rows, PART):
        table = pa.table(draw(dice, min(PART, rows - start)))
        pq.write_table(table, folder / f"{start // PART:04}.parquet")


def coded(dice: np.random.Generator, n: int, names: tuple[str, ...]) -> pa.Array:
    """Draw names, the first ones more often."""
    codes = (K * dice.random(n) ** 2).astype(np.int32)
    return pa.DictionaryArray.from_arrays(codes, pa.array(names))


def drawn_ranges(dice: np.random.Generator, n: int) -> dict:
    """Draw ranges between two cuts of a grid, which hold a number."""
    answer = np.minimum(dice.gamma(4.0, 8.0, n), STEPS - 1e-9)
    cuts = np.sort(dice.integers(1, STEPS, (n, 2)), axis=1).astype(float)
    lower = np.where(answer > cuts[:, 1], cuts[:, 1], np.where(answer > cuts[:, 0], cuts[:, 0], 0))
    upper = np.where(
        answer <= cuts[:, 0], cuts[:, 0], np.where(answer <= cuts[:, 1], cuts[:, 1], STEPS)
    )
    return {"lower": lower, "upper": upper}


def of_duckdb(channel: ak.Channel, folder: Path, rows: int, passes: int) -> None:
    """Compare a tally of Parquet with a bare group-by."""

    def bare() -> None:
        with duckdb.connect() as engine:
            engine.sql(
                f"SELECT report, count(*) FROM read_parquet('{folder}/*.parquet') GROUP BY report"
            ).fetchall()

    ways = [lambda: ak.tally(channel, folder, "report"), bare]
    report_times(f"{K:,} answers, Parquet on DuckDB", "ak.tally", rows, ways, passes)


def of_spark(channel: ak.Channel, folder: Path, rows: int, passes: int) -> None:
    """Compare a tally of a Spark table with its own groupBy().count()."""
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.log.level", "ERROR").getOrCreate()
    files = sorted(map(str, folder.glob("*.parquet")))[: max(rows // PART, 1)]
    table = spark.read.parquet(*files)
    ways = [
        lambda: ak.tally(channel, table, "report"),
        lambda: table.groupBy("report").count().collect(),
    ]
    report_times(f"{K:,} answers, Parquet on Spark", "ak.tally", table.count(), ways, passes)
    spark.stop()


def of_ranges(folder: Path, rows: int, passes: int) -> None:
    """Count ranges, beside a bare group-by; find the most likely distribution from the counts."""

    def bare() -> None:
        with duckdb.connect() as engine:
            engine.sql(
                f"SELECT lower, upper, count(*) FROM read_parquet('{folder}/*.parquet') "
                "GROUP BY lower, upper"
            ).fetchall()

    ways = [lambda: ak.engines.count_ranges(folder), bare]
    report_times(f"Ranges on {STEPS} steps, DuckDB", "count_ranges", rows, ways, passes)
    counted = ak.engines.count_ranges(folder)
    began, worked = time.perf_counter(), time.process_time()
    ak.npmle(counted)
    took, work = time.perf_counter() - began, time.process_time() - worked
    print(
        f"  most likely distribution from {len(counted):,} distinct ranges: {took:.2f} s "
        f"({work:.2f} s of work)"
    )


def report_times(
    heading: str, name: str, rows: int, ways: list[Callable[[], object]], passes: int
) -> None:
    """Take turns, after one pass that warms up, and print the best of each."""
    spent: list[list[tuple[float, float]]] = [[], []]
    for turn in range(passes + 1):
        for function, timings in zip(ways, spent, strict=True):
            began, worked = time.perf_counter(), time.process_time()
            function()
            took = time.perf_counter() - began, time.process_time() - worked
            if turn:
                timings.append(took)
    ours, bare = map(min, spent)
    print(
        f"{heading}: {rows:,} rows: {name} {ours[0]:.2f} s ({ours[1]:.2f} s of work, "
        f"{rows / ours[0] / 1e6:.1f} M rows/s), bare group-by {bare[0]:.2f} s "
        f"({bare[1]:.2f} s of work), ratio {ours[0] / bare[0]:.2f}"
    )


if __name__ == "__main__":
    main()
