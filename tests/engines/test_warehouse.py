"""The group-by as SQL, carried out by engines of other makers, and its result read back."""

import sqlite3
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import askance as ak
from askance.engines import tally_from_sql, tally_sql
from askance_collect.errors import InputError

Q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
DICE = np.random.default_rng(1)
ODD = 'sa"id; DROP `it`'
DATA = pd.DataFrame(
    {
        ODD: np.array([*Q.reports, None], dtype=object)[DICE.integers(0, 4, 300)],
        "to wn": np.array(["a", "b", None], dtype=object)[DICE.integers(0, 3, 300)],
        "w": DICE.integers(0, 9, 300) / 4,
    }
)


def of_duckdb(query):
    with duckdb.connect() as engine:
        engine.register("re'ports", DATA)
        return engine.sql(query).pl()


def of_sqlite(query):
    store = sqlite3.connect(":memory:")
    DATA.to_sql("re'ports", store)
    rows = store.execute(query).fetchall()
    store.close()
    return rows


@pytest.mark.parametrize("run", [of_duckdb, of_sqlite])
@pytest.mark.parametrize("weights", [None, "w"])
@pytest.mark.parametrize("by", [None, "to wn", ["to wn", "w"]])
def test_a_warehouse_counts_as_we_do(run, by, weights):
    result = tally_from_sql(Q, run(tally_sql(Q, "re'ports", ODD, by=by, weights=weights)), by=by)
    expected = ak.tally(Q, DATA, ODD, by=by, weights=weights)
    assert result == expected if by is None else dict(result) == dict(expected)


def test_names_are_quoted_as_the_warehouse_does():
    text = tally_sql(Q, ["a", "b`c"], "d`e", quote="`")
    assert "FROM `a`.`b``c`" in text
    assert "GROUP BY `d``e`" in text
    assert text.startswith(f"-- reports of the channel {ak.Tally(Q, {}).fingerprint[:16]}\n")
    with duckdb.connect() as engine:
        engine.sql('CREATE SCHEMA "s p"; CREATE TABLE "s p".t (r TEXT)')
        engine.sql("""INSERT INTO "s p".t VALUES ('yes'), (NULL)""")
        rows = engine.sql(tally_sql(Q, ["s p", "t"], "r")).fetchall()
    assert tally_from_sql(Q, rows) == ak.Tally(Q, {"yes": 1}, blanks=1)


def test_decimals_of_a_driver_are_numbers():
    rows = [("yes", Decimal(3), Decimal("4.5"), Decimal("8.25"))]
    expected = ak.Tally(Q, {"yes": 3}, weights={"yes": 4.5}, squares={"yes": 8.25})
    assert tally_from_sql(Q, rows) == expected


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ([], "no row"),
        ([("yes",)], "rows of 1 columns"),
        ([("yes", 1), ("no", 1, 1.0, 1.0)], "rows of 2, 4 columns"),
        ([("nay", 1)], "got 'nay'"),
        ([(0, 1)], "name them first"),
        ([("yes", -1)], r"result\[0\]\.reports: got -1"),
        ([("yes", None)], r"result\[0\]\.reports"),
        ([("yes", 2, None, 1.0)], r"result\[0\]\.weight"),
        ([("yes", 2, -1.0, 1.0)], "-1.0 of 2 reports"),
        ([(None, 2)], "no report"),
        (["yes"], "rows as tuples"),
        ("yes", "rows as tuples"),
        (pl.DataFrame({"report": ["yes"]}), "no column 'reports'"),
    ],
)
def test_what_is_no_result_is_refused(result, message):
    with pytest.raises(InputError, match=message):
        tally_from_sql(Q, result)


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ({"table": ""}, "names of a table"),
        ({"table": ["a", ""]}, "names of a table"),
        ({"column": ""}, "names of a table"),
        ({"weights": "a\0"}, "names of a table"),
        ({"by": "reports"}, "rename the column in a view"),
        ({"by": []}, "a list of different names"),
        ({"quote": "'"}, "quote"),
    ],
)
def test_names_that_cannot_be_are_refused(questions, message):
    with pytest.raises(InputError, match=message):
        tally_sql(Q, **{"table": "t", "column": "c", **questions})


def test_numbers_of_an_oracle_are_counted_in_a_warehouse_too():
    q = ak.mechanisms.HadamardResponse(truth="3/4").channel(
        ak.Frame([f"x{index}" for index in range(9)])
    )
    column = [f"x{index % 9}" if index % 7 else None for index in range(300)]
    assign_result = DATA.assign(report=ak.privatise(q, pd.Series(column), rng=1, name="said"))
    for by in (None, "to wn"):
        with duckdb.connect() as engine:
            engine.register("sent", assign_result)
            rows = engine.sql(tally_sql(q, "sent", "report", by=by)).fetchall()
        result, expected = (
            tally_from_sql(q, rows, by=by),
            ak.tally(q, assign_result, "report", by=by),
        )
        assert result == expected if by is None else dict(result) == dict(expected)
    with pytest.raises(InputError, match=r"got 16; allowed: whole numbers in \[0, 15\]"):
        tally_from_sql(q, [(16, 3)])
    with pytest.raises(InputError, match="weights: got 'weights'"):
        tally_sql(q, "sent", "report", weights="w")


@pytest.mark.parametrize("recipe", [ak.mechanisms.UnaryEncoding, ak.mechanisms.LocalHashing])
def test_reports_of_which_hardly_two_are_alike_are_not_grouped_by_a_query(recipe):
    q = recipe.at_epsilon(1).channel(ak.Frame(["a", "b", "c"]))
    for ask in (lambda: tally_sql(q, "t", "r"), lambda: tally_from_sql(q, [(b"1", 3)])):
        with pytest.raises(InputError, match=r"bits or of local hashing.*Parquet, which ak\.tally"):
            ask()
