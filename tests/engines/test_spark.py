"""A cluster counts as every engine does: two workers in processes of their own."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import askance as ak
from askance.engines import count_ranges
from askance.errors import InputError

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning"),
]

Q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
DICE = np.random.default_rng(1)
DATA = pd.DataFrame(
    {
        "said": np.array([*Q.reports, None], dtype=object)[DICE.integers(0, 4, 600)],
        "town": np.array(["a", "b", "ü", None], dtype=object)[DICE.integers(0, 4, 600)],
        "w": DICE.integers(0, 9, 600) / 4,
        "above": DICE.integers(0, 3, 600) * 10.0,
        "upto": DICE.integers(3, 5, 600) * 10.0,
    }
)
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # few rows are not worth compiling for
SCHEMA = "said string, town string, w double, above double, upto double"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    import pyspark
    from pyspark.sql import SparkSession

    place = tmp_path_factory.mktemp("spark")
    (place / "home").mkdir()  # beside which the workers keep their files
    for part in Path(pyspark.__file__).parent.iterdir():
        (place / "home" / part.name).symlink_to(part)
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.executor.memory": "512m",
        "spark.local.dir": str(place),
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(place / "warehouse"),
    }
    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        patched.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patched.setenv("SPARK_HOME", str(place / "home"))
        builder = SparkSession.builder.master("local-cluster[2,1,512]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.fixture(scope="module")
def table(spark):
    listed = DATA.astype(object).where(DATA.notna(), None)
    rows = list(listed.itertuples(index=False, name=None))
    return spark.createDataFrame(rows, SCHEMA).repartition(3)


def test_a_cluster_counts_as_pandas_does(spark, table):
    assert ak.tally(Q, table, "said") == ak.tally(Q, DATA, "said")
    assert ak.tally(Q, table, "said", weights="w") == ak.tally(Q, DATA, "said", weights="w")
    found = ak.tally(Q, table, "said", by=["town"], weights="w")
    assert dict(found) == dict(ak.tally(Q, DATA, "said", by="town", weights="w"))
    few = ak.tally(Q, table.limit(5).repartition(8), "said")  # some partitions are empty
    assert few.total + few.blanks == 5


@pytest.mark.parametrize(
    ("kind", "told"),
    [(ak.mechanisms.HadamardResponse, "long"), (ak.mechanisms.UnaryEncoding, "binary")],
)
def test_a_cluster_counts_the_reports_of_an_oracle(spark, kind, told):
    channel = kind.at_epsilon(ratio=3).channel(ak.Frame(["a", "b", "c"]))
    sent = ak.privatise(channel, ["a", "b", None, "c", "b"] * 20, rng=1)
    towns = ["x", "y"] * 50
    rows = list(zip(sent, towns, strict=True))
    held = spark.createDataFrame(rows, f"said {told}, town string").repartition(3)
    assert ak.tally(channel, held, "said") == ak.tally(channel, sent)
    assert dict(ak.tally(channel, held, "said", by="town")) == dict(
        ak.tally(channel, sent, by=towns)
    )


def test_a_cluster_counts_ranges(table):
    found = count_ranges(table, "above", "upto")
    expected = count_ranges(DATA, "above", "upto")
    assert found.lower.tolist() == expected.lower.tolist()
    assert found.upper.tolist() == expected.upper.tolist()
    assert found.weights.tolist() == expected.weights.tolist()


def test_what_is_wrong_on_a_cluster_is_named(spark, table):
    from pyspark.sql import functions

    for asked, told in (
        ({"column": "w"}, "name them first"),
        ({"column": "town"}, r"got 'b'|got 'ü'|got 'a'"),
        ({"column": "sad"}, "no column 'sad'.*did you mean 'said'"),
        ({"column": "said", "weights": "town"}, "a column of numbers"),
        ({"column": "said", "by": "twon"}, "did you mean 'town'"),
    ):
        with pytest.raises(InputError, match=told):
            ak.tally(Q, table, **asked)
    with pytest.raises(InputError, match="no report"):
        ak.tally(Q, table.where(functions.lit(False)), "said")
    negative = table.withColumn("w", -functions.col("w"))
    with pytest.raises(InputError, match="weights of -"):
        ak.tally(Q, negative, "said", weights="w")
