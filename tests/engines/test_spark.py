"""A cluster counts as every engine does: Python's workers are processes of their own.

`make test` lets two threads of one Java machine stand for executors, which to Python are the same;
`make wide` starts a master and two executors.
"""

import re
import runpy
import sys
import warnings
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import askance as ak
from askance.engines import count_ranges
from askance_collect.errors import InputError

pytestmark = [
    pytest.mark.wide,
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
QUICK = (  # few rows are not worth compiling for, nor Spark's own classes a second look
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -XX:+IgnoreUnrecognizedVMOptions"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "work-on-a-cluster.md"
PROGRAM = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = re.compile(r"^\$ spark-submit rehearse\.py [^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCHEMA = "said string, town string, w double, above double, upto double"


CLUSTERS = "local[2]", "local-cluster[2,1,512]"


@pytest.fixture(scope="module", params=CLUSTERS)
def spark(request, tmp_path_factory):
    import pyspark
    from pyspark.sql import SparkSession

    mktemp_result = tmp_path_factory.mktemp("spark")
    (mktemp_result / "home").mkdir()  # beside which the workers keep their files
    for part in Path(pyspark.__file__).parent.iterdir():
        (mktemp_result / "home" / part.name).symlink_to(part)
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.executor.memory": "512m",
        "spark.local.dir": str(mktemp_result),
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.task.maxFailures": "1",
        "spark.sql.warehouse.dir": str(mktemp_result / "warehouse"),
    }
    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        patched.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patched.setenv("SPARK_HOME", str(mktemp_result / "home"))
        patched.setenv("PYSPARK_PYTHON", sys.executable)  # what workers run, too
        builder = SparkSession.builder.master(request.param)
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
    result = ak.tally(Q, table, "said", by=["town"], weights="w")
    assert dict(result) == dict(ak.tally(Q, DATA, "said", by="town", weights="w"))
    few = ak.tally(Q, table.limit(5).repartition(8), "said")  # some partitions are empty
    assert few.total + few.blanks == 5


ORACLES = {
    "numbers": (ak.mechanisms.HadamardResponse.at_epsilon(ratio=3), "long"),
    "hash": (ak.mechanisms.LocalHashing.at_epsilon(ratio=3), "long"),
    "bits": (ak.mechanisms.UnaryEncoding.at_epsilon(ratio=3), "binary"),
    "bits of those asked": (ak.mechanisms.DBitFlip.at_epsilon(ratio=3, answers_asked=2), "binary"),
}


@pytest.mark.parametrize("name", ORACLES)
def test_a_cluster_counts_the_reports_of_an_oracle(spark, name, monkeypatch):
    recipe, result = ORACLES[name]
    channel = recipe.channel(ak.Frame(["a", "b", "c"]))
    reports = ak.privatise(channel, ["a", "b", None, "c", "b"] * 20, rng=1, name="said")
    towns, days = (
        ["x", "ü", None, "y"] * 25,
        [date(2026, 11, 1 + index % 3) for index in range(100)],
    )
    rows = list(zip(days, reports, towns, strict=True))
    repartition_result = spark.createDataFrame(
        rows, f"day date, said {result}, town string"
    ).repartition(7)

    def whole(*_):
        raise AssertionError("rows are fetched")

    for fetch in ("toArrow", "toPandas", "toLocalIterator"):
        monkeypatch.setattr(type(repartition_result), fetch, whole)
    assert ak.tally(channel, repartition_result, "said") == ak.tally(channel, reports)
    assert dict(ak.tally(channel, repartition_result, "said", by="town")) == dict(
        ak.tally(channel, reports, by=towns)
    )
    pair = ak.tally(channel, repartition_result, "said", by=["town", "day"])
    assert sum(pair.values()) == ak.tally(channel, reports)
    assert next(iter(pair)) == ("x", days[0])
    few = ak.tally(
        channel, repartition_result.limit(3).repartition(8), "said"
    )  # some partitions are empty
    assert few.total + few.blanks == 3
    with pytest.raises(InputError, match="no report"):
        ak.tally(channel, repartition_result.where("day > '2030-01-01'"), "said")


def test_what_is_no_report_of_an_oracle_is_named_by_the_driver(spark):
    frame = ak.Frame(["a", "b", "c"])
    recipe, _ = ORACLES["bits"]
    rows = [(b"\x80", "x", 1.5), (b"\x81", "y", 2.5), (None, "y", 2.5)]
    repartition_result = spark.createDataFrame(
        rows, "said binary, town string, w double"
    ).repartition(2)
    kinds = "said binary, town string not null, w double"
    for table, by in (
        (repartition_result, None),
        (repartition_result, "town"),
        (spark.createDataFrame(rows, kinds), "town"),
    ):
        with pytest.raises(InputError, match=r"column: got '81'; allowed: 1 byte.*packbits packs"):
            ak.tally(recipe.channel(frame), table, "said", by=by)
    with pytest.raises(InputError, match=r"a column of string.*numbers or bytes"):
        ak.tally(recipe.channel(frame), repartition_result, "town")
    hashed, _ = ORACLES["hash"]
    with pytest.raises(InputError, match=r"a column of double.*numbers or bytes"):
        ak.tally(hashed.channel(frame), repartition_result, "w")


def test_a_cluster_counts_ranges(table):
    ranges = count_ranges(table, "above", "upto")
    expected = count_ranges(DATA, "above", "upto")
    assert ranges.lower.tolist() == expected.lower.tolist()
    assert ranges.upper.tolist() == expected.upper.tolist()
    assert ranges.weights.tolist() == expected.weights.tolist()


def test_what_is_wrong_on_a_cluster_is_named(spark, table):
    from pyspark.sql import functions

    for questions, message in (
        ({"column": "w"}, "name them first"),
        ({"column": "town"}, r"got 'b'|got 'ü'|got 'a'"),
        ({"column": "sad"}, "no column 'sad'.*did you mean 'said'"),
        ({"column": "said", "weights": "town"}, "a column of numbers"),
        ({"column": "said", "by": "twon"}, "did you mean 'town'"),
    ):
        with pytest.raises(InputError, match=message):
            ak.tally(Q, table, **questions)
    with pytest.raises(InputError, match="no report"):
        ak.tally(Q, table.where(functions.lit(False)), "said")
    negative = table.withColumn("w", -functions.col("w"))
    with pytest.raises(InputError, match="weights of -"):
        ak.tally(Q, negative, "said", weights="w")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """The how-to's programs, in a folder of their own."""
    for name, text in PROGRAM.findall(PAGE.read_text("utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    monkeypatch.delitem(sys.modules, "on_spark", raising=False)


def submitted(program, *words):
    """Run a program on the cluster that is there already, as `spark-submit` would on its own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", [str(program), *map(str, words)])
        return runpy.run_path(str(program), run_name="__main__")


def test_the_how_to_leads_from_answers_to_the_estimate(spark, programs, capsys):
    names = submitted(programs / "rehearse.py", programs)
    assert capsys.readouterr().out == RUN.search(PAGE.read_text("utf-8"))[1]
    collected = [row["drink"] for row in names["reports"].collect()]
    counted = ak.tally(names["q"], names["reports"], "drink")
    assert counted == ak.tally(names["q"], collected)
    assert counted.total == 9_000


def test_each_partition_draws_by_a_stream_of_its_own(spark, programs):
    from on_spark import privatised

    places = "CASE WHEN id < 900 THEN 'yes' WHEN id % 7 > 2 THEN 'no' END AS said"
    people = spark.range(0, 1_800, 1, numPartitions=6).selectExpr("id", places)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    try:
        mapping = dict(privatised(people, Q, "said", seed=7).collect())
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    answers = np.array([answer for _, answer in people.collect()], dtype=object)
    alone = [
        ak.privatise(Q, part, rng=[7, index], name="said")
        for index, part in enumerate(np.split(answers, 6))
    ]
    assert [mapping[row] for row in range(1_800)] == np.concatenate(alone).tolist()
    assert alone[0].tolist() != alone[1].tolist()  # the same answers, other chance


def test_a_gateway_draws_the_law_and_keeps_blanks(spark, programs):
    answers, reports = str(programs / "answers"), str(programs / "reports")
    drinks = "CASE WHEN id < 6000 THEN 'none' WHEN id < 12000 THEN 'many' END AS drink"
    selectExpr_result = spark.range(0, 16_000, 1, numPartitions=4).selectExpr(
        "id div 6000 AS answer", drinks
    )
    selectExpr_result.write.parquet(answers)
    q = submitted(programs / "gateway.py", answers, reports)["q"]
    written = spark.read.parquet(reports)
    result = ak.tally(q, written, "drink", by="answer")
    assert written.where("drink IS NULL AND answer = 2").count() == 4_000
    assert [(result[number].total, result[number].blanks) for number in (0, 1)] == [(6_000, 0)] * 2
    for position, answer in ((0, "none"), (1, "many")):
        expected = 6_000 * q.matrix[q.frame.answers.index(answer)]
        off = np.abs(np.asarray(result[position].counts) - expected) / np.sqrt(expected)
        assert (off < 7).all()  # once in 10^11


def test_what_is_no_answer_stops_the_job_unsaid(table, programs):
    from on_spark import privatised
    from pyspark.errors import PythonException

    with pytest.raises(PythonException, match=r"part 0\[\d+\]") as caught:
        privatised(table.coalesce(1), Q, "town").collect()
    assert "allowed: yes, no" in str(caught.value)
    assert re.search("'[abü]'", str(caught.value)) is None
