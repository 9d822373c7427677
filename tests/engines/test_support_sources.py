"""Reports of oracles that are numbers or bits: the same tally wherever they lie."""

import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyreadstat import write_sav

import askance as ak
from askance.mechanisms import HadamardResponse, LocalHashing, UnaryEncoding
from askance_collect.errors import DocumentError, InputError

N = 900
DICE = np.random.default_rng(4)
FRAME = ak.Frame([f"x{index}" for index in range(11)])
ANSWERS_SERIES = pl.Series(
    "said", [None if index % 7 == 3 else f"x{index % 11}" for index in range(N)]
)
TOWNS = pl.Series("town", np.array(["a", "b'", "ü", None], dtype=object)[DICE.integers(0, 4, N)])
AGES = pl.Series("age", DICE.integers(0, 3, N))
ORACLES = {
    "numbers": HadamardResponse.at_epsilon(ratio=3).channel(FRAME),
    "hash": LocalHashing.at_epsilon(ratio=3).channel(FRAME),
    "bits": UnaryEncoding.at_epsilon(ratio=3).channel(FRAME),
}
DATA = {
    name: pl.DataFrame(
        [ak.privatise(channel, ANSWERS_SERIES, rng=3, name="said"), TOWNS.cast(pl.String), AGES]
    )
    for name, channel in ORACLES.items()
}
TABLES = {
    "pandas": lambda data, _: data.to_pandas(),
    "polars": lambda data, _: data,
    "polars, lazy": lambda data, _: data.lazy(),
    "arrow": lambda data, _: data.to_arrow(),
    "arrow reader": lambda data, _: data.to_arrow().to_reader(70),
    "parts": lambda data, _: iter([data[:90], data[90:90].lazy(), data[90:].to_pandas()]),
    "duckdb": lambda data, _: duckdb.from_arrow(data.to_arrow()),
    "parquet": lambda _, folder: folder / "said.parquet",
    "parquet folder": lambda _, folder: folder / "parts",
    "csv": lambda _, folder: folder / "said.csv",
    "jsonl": lambda _, folder: str(folder / "said.jsonl"),
}
CASES = [(name, kind) for name in ORACLES for kind in TABLES]
NO_BYTES = ("csv", "jsonl")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    result = {}
    for name, data in DATA.items():
        result[name] = mktemp_result = tmp_path_factory.mktemp(name)
        (mktemp_result / "parts").mkdir()
        data.write_parquet(mktemp_result / "said.parquet")
        pq.write_table(
            data[:500].to_arrow(), mktemp_result / "parts" / "a.parquet", row_group_size=90
        )
        data[500:].write_parquet(mktemp_result / "parts" / "b.parquet")
        if name != "bits":
            data.write_csv(mktemp_result / "said.csv")
            data.write_ndjson(mktemp_result / "said.jsonl")
        else:
            (mktemp_result / "said.csv").write_text("said\n1\n")
            (mktemp_result / "said.jsonl").write_text('{"said": 1}\n')
    return result


@pytest.mark.long
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_source_is_counted_alike(name, kind, folders):
    channel, data = ORACLES[name], DATA[name]

    def found(**questions):
        return ak.tally(channel, TABLES[kind](data, folders[name]), "said", **questions)

    if name != "numbers" and kind in NO_BYTES:
        with pytest.raises(DocumentError, match="allowed: Parquet, for reports that are bits"):
            found()
        return
    whole_tally = ak.tally(channel, data["said"].to_list())
    assert (whole_tally.total, whole_tally.blanks) == (
        N - ANSWERS_SERIES.null_count(),
        ANSWERS_SERIES.null_count(),
    )
    assert found() == whole_tally
    towns = found(by="town")
    assert list(towns) == ["a", "b'", "ü", None]
    for town, value in towns.items():
        rows = data.filter(pl.col("town").eq_missing(pl.lit(town)))
        assert value == ak.tally(channel, rows["said"].to_list())
    assert sum(towns.values()) == whole_tally
    pair = found(by=["town", "age"])
    assert [(town, int(age)) for town, age in pair] == [
        (town, age) for town in towns for age in range(3)
    ]
    assert sum(pair.values()) == whole_tally


@pytest.mark.parametrize("name", ORACLES)
def test_columns_beside_each_other_are_counted_as_tables_are(name):
    data = DATA[name]
    mapping = dict(ak.tally(ORACLES[name], data, "said", by="town"))
    for replies, towns in (
        (data["said"], data["town"]),
        (data["said"].to_list(), data["town"].to_list()),
        (data["said"].to_arrow(), data["town"].to_pandas()),
    ):
        assert dict(ak.tally(ORACLES[name], replies, by=towns)) == mapping


@pytest.mark.long
def test_the_only_column_left_holds_the_reports(folders):
    whole_tally = ak.tally(ORACLES["bits"], DATA["bits"]["said"])
    assert sum(
        ak.tally(ORACLES["bits"], folders["bits"] / "parts", by=["town", "age"]).values()
    ) == (whole_tally)
    with pytest.raises(InputError, match="the name of the column that holds the reports"):
        ak.tally(ORACLES["bits"], folders["bits"] / "parts")


@pytest.mark.long
def test_many_rows_are_read_in_parts(tmp_path):
    channel = ORACLES["bits"]
    reports = ak.privatise(channel, pl.Series("said", ["x1", "x2"] * 100_000), rng=3, name="said")
    path = tmp_path / "said.parquet"
    reports.to_frame().write_parquet(path)
    assert ak.tally(channel, path) == ak.tally(channel, reports)
    worse = reports.to_frame().with_row_index("at")
    worse = worse.with_columns(
        said=pl.when(pl.col("at") == 150_000).then(pl.lit(b"\x01")).otherwise(pl.col("said"))
    )
    worse.write_parquet(path)
    with pytest.raises(InputError, match=r"after 1\d\d,\d\d\d rows\[\d+\]: got '01'.*2 bytes"):
        ak.tally(channel, path, "said")


def test_written_tallies_are_added_up(tmp_path):
    for name, channel in ORACLES.items():
        item = ak.tally(channel, DATA[name]["said"])
        (tmp_path / "a.json").write_text(item.to_json())
        (tmp_path / "b.json").write_text(item.to_json())
        assert ak.tally(channel, tmp_path / "*.json") == item + item
        with pytest.raises(InputError, match="nothing beside them"):
            ak.tally(channel, tmp_path / "a.json", by="town")
    with pytest.raises(DocumentError, match=r"a\.json: tally\.channel: got 'a tally of the chann"):
        ak.tally(ORACLES["numbers"], tmp_path)


WRONG = {
    "too large": (99, "got '?99.*whole numbers in .0, 15., or None.*in 3 rows"),
    "negative": (-2, "got '?-2.*in 3 rows"),
    "no whole number": (2.5, "got '?2.5.*in 3 rows"),
}
LAZY = {
    "polars, lazy": lambda data, _: data.lazy(),
    "duckdb": lambda data, _: duckdb.from_arrow(data.to_arrow()),
    "parquet": lambda data, path: data.write_parquet(path / "a.parquet") or path / "a.parquet",
    "csv": lambda data, path: data.write_csv(path / "a.csv") or path / "a.csv",
    "jsonl": lambda data, path: data.write_ndjson(path / "a.jsonl") or path / "a.jsonl",
    "sav": lambda data, path: write_sav(data.to_pandas(), path / "a.sav") or path / "a.sav",
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("kind", LAZY)
def test_wrong_numbers_are_named_with_their_count(case, kind, tmp_path):
    value, message = WRONG[case]
    data = pl.DataFrame({"said": [1, value, 3, value, None, value]}, strict=False)
    with pytest.raises(InputError, match=message):
        ak.tally(ORACLES["numbers"], LAZY[kind](data, tmp_path), "said")


@pytest.mark.parametrize(
    ("kind", "position"),
    [
        ("parquet", r"parquet: row 2, column 'said'"),
        ("csv", r"csv: row 3, column 'said'"),
        ("jsonl", r"jsonl: line 2, column 'said'"),
        ("sav", r"sav: row 2, column 'said'"),
    ],
)
def test_wrong_numbers_in_files_are_told_with_their_first_row(kind, position, tmp_path):
    for folder in ("first", "next"):
        (tmp_path / folder).mkdir()
    LAZY[kind](pl.DataFrame({"said": [1, 2, 3]}), tmp_path / "first")
    for value in (99, 2.5):
        LAZY[kind](pl.DataFrame({"said": [1, value, value]}, strict=False), tmp_path / "next")
        with pytest.raises(InputError, match=rf"next/a\.{position}: got '?{value}.*in 2 rows"):
            ak.tally(ORACLES["numbers"], str(tmp_path / "*" / f"a.{kind}"), "said")


def test_wrong_numbers_beside_groups_at_hand_are_told_with_their_first_row():
    data = pd.DataFrame({"said": [1, 99, 99], "age": [30, 40, 40]})
    for table in (data, pl.from_pandas(data), pa.Table.from_pandas(data)):
        with pytest.raises(InputError, match=r"tally\.column\[1\]: got 99"):
            ak.tally(ORACLES["numbers"], table, "said", by="age")


def test_a_column_of_other_numbers_is_refused_before_all_of_it_is_here(tmp_path):
    data = pl.DataFrame({"said": np.arange(100_000) + 0.5})
    for kind in ("polars, lazy", "duckdb", "parquet"):
        with pytest.raises(InputError, match=r"got \d+\.5"):
            ak.tally(ORACLES["numbers"], LAZY[kind](data, tmp_path), "said")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "said\nx1\nx1\n", "got 'x1'.*in 2 rows"),
        ("a.csv", "said\n1e0\n", "got '1e0'.*in 1 row"),
        ("a.csv", 'said\n""\n', "no report"),
        ("a.csv", "sent\n1\n", "no column 'said'"),
        ("a.jsonl", '{"said": "1"}\n', "got '1'"),
        ("a.jsonl", '{"said": true}\n', "got True"),
        ("a.jsonl", '{"said": [1]}\n', "got"),
    ],
)
def test_what_is_no_number_in_a_file_is_named(name, content, message, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises((InputError, DocumentError), match=message):
        ak.tally(ORACLES["numbers"], tmp_path / name, "said")


@pytest.mark.long
def test_whole_numbers_are_read_however_they_are_spelt(tmp_path):
    (tmp_path / "a.csv").write_text('said\n3\n3.0\n-1\n""\n15\n')
    (tmp_path / "a.jsonl").write_text(
        '{"said": 3}\n{"said": 3.0}\n{}\n{"said": null}\n{"said": 15}'
    )
    for name in ("a.csv", "a.jsonl"):
        result = ak.tally(ORACLES["numbers"], tmp_path / name)
        assert (result.total, result.blanks) == (3, 2)
        assert np.flatnonzero(result.counts).tolist() == [3, 15]


def test_a_blank_is_missing_no_number_or_minus_one(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"said": [3.0, np.nan, -1.0, 15.0]}).to_parquet(path)
    result = ak.tally(ORACLES["numbers"], path)
    assert (result.total, result.blanks) == (2, 2)
    pq.write_table(pa.table({"said": pa.array([True, False])}), path)
    with pytest.raises(InputError, match=r"got 'a column of Boolean'; allowed: a col"):
        ak.tally(ORACLES["numbers"], path)


@pytest.mark.parametrize("name", ORACLES)
def test_weights_stores_and_what_lacks_a_column_are_refused(name, folders, tmp_path, affairs_form):
    channel, data = ORACLES[name], DATA[name]
    for lying in (data.lazy(), folders[name] / "said.parquet"):
        with pytest.raises(InputError, match="rows that are not at hand"):
            ak.tally(channel, lying, "said", weights="age")
    for source in (data, data.lazy(), folders[name] / "said.parquet"):
        with pytest.raises(InputError, match=r"no column 'sad'.*did you mean 'said'"):
            ak.tally(channel, source, "sad")
        with pytest.raises(InputError, match=r"no column 'twon'.*did you mean 'town'"):
            ak.tally(channel, source, "said", by="twon")
    with pytest.raises(InputError, match="no report"):
        ak.tally(channel, data[:0], "said", by="town")
    ak.collect.open_store(tmp_path / "a.db", affairs_form).close()
    with pytest.raises(InputError, match="got 'a store'"):
        ak.tally(channel, tmp_path / "a.db", "said")
    (tmp_path / "a.parquet").write_bytes(b"PAR1" * 9)
    with pytest.raises(DocumentError, match=r"a\.parquet"):
        ak.tally(channel, tmp_path / "a.parquet", "said")


@pytest.mark.long
@pytest.mark.parametrize("name", ["bits", "hash"])
def test_a_lazy_frame_is_read_some_rows_at_a_time(name, monkeypatch):
    channel = ORACLES[name]
    answers = pl.Series("said", ["x1", None, "x2"] * 50_000)
    table = ak.privatise(channel, answers, rng=3, name="said").to_frame()

    def whole(*_, **__):
        raise AssertionError("all of it is fetched")

    monkeypatch.setattr(pl.LazyFrame, "collect", whole)
    assert ak.tally(channel, table.lazy()) == ak.tally(channel, table["said"])
    wrong = b"\x01" if name == "bits" else -7
    worse = table.with_row_index("at").with_columns(
        pl.when(pl.col("at") == 140_000).then(pl.lit(wrong)).otherwise(pl.col("said")).alias("said")
    )
    with pytest.raises(InputError, match=r"after 1\d\d,\d\d\d rows\[\d+\]: got '?(01|-7)"):
        ak.tally(channel, worse.lazy(), "said")


def test_text_is_no_bits(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"said": ["ab", "cd"]}).write_parquet(path)
    with pytest.raises(InputError, match="numbers or bytes"):
        ak.tally(ORACLES["bits"], path)


def test_without_pyarrow_the_message_says_what_to_install(folders, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ak.AskanceError, match="pip install pyarrow"):
        ak.tally(ORACLES["bits"], folders["bits"] / "said.parquet", "said")
