"""The same tally, bit for bit, from wherever reports lie; what is wrong there is named."""

import json
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import askance as ak
from askance_collect.errors import DocumentError, InputError

Q = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
DICE = np.random.default_rng(1)
N = 800
DATA = pd.DataFrame(
    {
        "said": np.array([*Q.reports, None], dtype=object)[DICE.integers(0, 4, N)],
        "town": np.array(["a", "b'", "ü", None], dtype=object)[DICE.integers(0, 4, N)],
        "age": DICE.integers(0, 3, N),
        "w": DICE.integers(0, 9, N) / 4,
    }
)
CATEGORIES = DATA.assign(said=DATA["said"].astype("category"), town=DATA["town"].astype("category"))
ARROW = pa.Table.from_pandas(DATA)
FILES = ("said.csv", "said.parquet", "said.jsonl")
TABLES = {
    "pandas": lambda _: DATA,
    "pandas categories": lambda _: CATEGORIES,
    "polars": lambda _: pl.from_pandas(DATA),
    "polars, lazy": lambda _: pl.from_pandas(DATA).lazy(),
    "polars enum": lambda _: (
        pl.from_pandas(DATA).with_columns(pl.col("said").cast(pl.Enum(Q.reports))).lazy()
    ),
    "polars categories": lambda _: pl.from_pandas(DATA).with_columns(
        pl.col("said").cast(pl.Categorical)
    ),
    "arrow": lambda _: ARROW,
    "arrow dictionaries": lambda _: pa.concat_tables(
        [pa.Table.from_pandas(CATEGORIES[:300]), pa.Table.from_pandas(CATEGORIES[300:])]
    ),
    "arrow reader": lambda _: ARROW.to_reader(70),
    "parts": lambda _: iter([DATA[:90], DATA[90:90], pl.from_pandas(DATA[90:])]),
    "duckdb": lambda _: duckdb.from_df(DATA),
    "parquet": lambda folder: folder / "said.parquet",
    "parquet pattern": lambda folder: str(folder / "parts" / "said-[01].parquet"),
    "parquet folder": lambda folder: folder / "parts",
    "csv": lambda folder: folder / "said.csv",
    "csv pattern": lambda folder: str(folder / "*" / "*.csv"),
    "jsonl": lambda folder: str(folder / "said.jsonl"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    mktemp_result = tmp_path_factory.mktemp("said [1]")
    (mktemp_result / "parts").mkdir()
    (mktemp_result / "tables").mkdir()
    write(DATA, mktemp_result)
    for position, part in enumerate((DATA[:500], DATA[500:])):
        part.to_parquet(mktemp_result / "parts" / f"said-{position}.parquet")
    (mktemp_result / "parts" / "_SUCCESS").touch()
    DATA[:500].to_csv(mktemp_result / "tables" / "a.csv", index=False)
    DATA[500:].to_csv(
        mktemp_result / "tables" / "b.csv", index=False, columns=["w", "town", "said", "age"]
    )
    DATA[:0].to_csv(mktemp_result / "tables" / "c.csv", index=False)
    return mktemp_result


def write(data, position):
    data.to_csv(position / "said.csv", index=False)
    data.to_parquet(position / "said.parquet")
    data.to_json(position / "said.jsonl", orient="records", lines=True)


def by_hand(rows):
    rows = rows[rows["w"] > 0]  # who weighs nothing is outside the domain
    counts = Counter(item for item in rows["said"] if isinstance(item, str))
    sums = [
        {name: float((rows["w"][rows["said"] == name] ** power).sum()) for name in counts}
        for power in (1, 2)
    ]
    blanks = len(rows) - sum(counts.values())
    return ak.Tally(Q, counts, weights=sums[0], squares=sums[1], blanks=blanks)


@pytest.mark.long
@pytest.mark.parametrize("kind", TABLES)
def test_every_engine_counts_alike(kind, folder):
    position = folder.parent / folder.name.replace("[", "[[]")

    def source():
        return TABLES[kind](position if "pattern" in kind else folder)  # fmt: skip

    assert ak.tally(Q, source(), "said", weights="w") == by_hand(DATA)
    plain = ak.tally(Q, source(), "said")
    assert not plain.weighted
    assert plain.counts.tolist() == by_hand(DATA.assign(w=1)).counts.tolist()
    towns = ak.tally(Q, source(), "said", by="town", weights="w")
    assert list(towns) == ["a", "b'", "ü", None]
    for town, value in towns.items():
        rows = DATA[DATA["town"].isna() if town is None else DATA["town"] == town]
        assert value == by_hand(rows)
    assert sum(towns.values()) == by_hand(DATA)
    pair = ak.tally(Q, source(), "said", by=["town", "age"])
    assert sum(pair.values()) == plain
    assert [town for town, _ in pair] == [town for town in towns for _ in range(3)]
    assert [int(age) for _, age in pair] == [0, 1, 2] * 4


def test_columns_beside_each_other_are_counted_as_tables_are():
    whole_tally = ak.tally(Q, DATA, "said", by="town", weights="w")
    for replies, town, weights in (
        (DATA["said"], DATA["town"], DATA["w"]),
        (DATA["said"].to_numpy(), DATA["town"].tolist(), DATA["w"].to_numpy()),
        (pl.Series(DATA["said"]), pl.Series(DATA["town"]), tuple(DATA["w"])),
        (pa.array(DATA["said"]), pa.array(DATA["town"]), pa.array(DATA["w"])),
    ):
        assert dict(ak.tally(Q, replies, by=town, weights=weights)) == dict(whole_tally)


def test_a_group_whose_rows_weigh_nothing_is_listed_and_withheld():
    """Beside rows of weight 0 a group of few would be shown."""
    rows = DATA.assign(said="yes", town=["a", "b", "c", "d"] * (N // 4), w=1.0)
    rows.loc[(rows["town"] == "a") | ((rows["town"] == "b") & (rows.index > 80)), "w"] = 0.0
    expected = {"a": 0, "b": 20, "c": N // 4, "d": N // 4}
    for kind, make in LAZY.items():
        for replies in (make(rows), iter([make(rows[:5]), make(rows[5:])])):
            towns = ak.tally(Q, replies, "said", by="town", weights="w")
            assert {town: value.total for town, value in towns.items()} == expected, kind
            assert sum(item.blanks for item in towns.values()) == 0
            estimate = ak.inference.estimate_domains(towns, minimum=50)
            assert [item is None for item in estimate.estimates] == [True, True, True, False]
    with pytest.raises(InputError, match="no report"):
        ak.tally(Q, rows[rows["w"] == 0], "said", weights="w")


def test_the_only_column_left_holds_the_reports():
    assert ak.tally(Q, DATA[["said"]]) == ak.tally(Q, DATA["said"])
    left_tally = ak.tally(Q, DATA[["said", "w", "town"]], by="town", weights="w")
    assert sum(left_tally.values()) == by_hand(DATA)


def test_what_a_folder_says_is_a_column(tmp_path):
    pq.write_to_dataset(ARROW, tmp_path, partition_cols=["age"])
    ages = ak.tally(Q, tmp_path, "said", by="age", weights="w")
    assert {age: value == by_hand(DATA[DATA["age"] == age]) for age, value in ages.items()} == {
        0: True,
        1: True,
        2: True,
    }


@pytest.mark.long
def test_files_whose_columns_are_of_several_types_are_one_table(tmp_path):
    """A part without holes is one of whole numbers, and one of holes alone of no type."""
    ends = [([1, 2], [3, 4]), ([1.5, None], [3.5, 4.5]), ([None, None], [3.5, 3.5])]
    for index, (lower, upper) in enumerate(ends):
        part = pd.DataFrame({"lower": lower, "upper": upper, "said": "no", "w": lower})
        part.fillna({"lower": -np.inf, "w": 1}).to_parquet(tmp_path / f"{index}.parquet")
    ranges = ak.engines.count_ranges(tmp_path)
    assert sorted(zip(ranges.lower, ranges.upper, strict=True)) == [
        (-np.inf, 3.5),
        (-np.inf, 4.5),
        (1, 3),
        (1.5, 3.5),
        (2, 4),
    ]
    assert ak.tally(Q, tmp_path, "said", weights="w").weights.sum() == 1 + 2 + 1.5 + 3
    DATA[["town"]].to_parquet(tmp_path / "9.parquet")
    with pytest.raises(InputError, match=r"9\.parquet: got \"no column 'said'"):
        ak.tally(Q, tmp_path, "said")


def test_cells_of_a_table_are_read_as_they_were_exported(tmp_path):
    names = ["=1", "'a", "a"]
    channel = ak.KAry(truth="1/2").channel(ak.Frame(names))
    path = tmp_path / "x.csv"
    path.write_text("said\n'=1\n''a\na\n\"\"\n\na\n")
    tally = ak.tally(channel, path)
    assert (tally.counts.tolist(), tally.blanks) == ([1, 1, 2], 2)


def test_a_store_is_counted_by_its_form(tmp_path, affairs_form):
    question = affairs_form.question("any_affair")
    channel = ak.survey.deployed(question).channel
    store = ak.collect.open_store(tmp_path / "affairs.db", affairs_form)
    values = {element.name: None for element in affairs_form.questions}
    for index in range(9):
        report = ak.Report(
            affairs_form.fingerprint, f"{index:032x}", values | {"any_affair": index % 2}
        )
        store.append([ak.collect.accept(report.body(affairs_form.size), affairs_form)])
    tallies = [ak.tally(channel, store, "any_affair")]
    store.close()
    tallies.append(ak.tally(channel, str(tmp_path / "affairs.db"), "any_affair"))
    for tally in tallies:
        assert tally == ak.Tally(channel, {channel.reports[0]: 5, channel.reports[1]: 4})
    with pytest.raises(
        DocumentError, match=r"another channel.*deployed\(form\.question\('any_affair"
    ):
        ak.tally(ak.Warner(truth="3/4").channel(Q.frame), tmp_path / "affairs.db", "any_affair")
    with pytest.raises(InputError, match=r"no column 'any_affairs'.*did you mean 'any_affair'"):
        ak.tally(Q, tmp_path / "affairs.db", "any_affairs")
    with pytest.raises(InputError, match="keeps nothing beside a report"):
        ak.tally(channel, tmp_path / "affairs.db", "any_affair", weights="w")


WRONG = {
    "unknown": (DATA.assign(said=["yess", *DATA["said"][1:]]), {}, "got 'yess'.*did you mean"),
    "mixed": (DATA.assign(said=[7, *DATA["said"][1:]]), {}, "got 7.*name them first"),
    "numbers": (DATA.assign(said=DATA["age"]), {}, "name them first"),
    "truth values": (DATA.assign(said=DATA["age"] > 1), {}, "name them first"),
    "nothing": (DATA.assign(said=None), {}, "no report"),
    "no row": (DATA[:0], {}, "no report"),
    "no column": (DATA.drop(columns="said"), {}, "no column 'said'.*age"),
    "no such group": (DATA, {"by": "twon"}, "no column 'twon'.*did you mean 'town'"),
    "no such weight": (DATA, {"weights": "weight"}, "no column 'weight'"),
    "named weights": (DATA, {"weights": "town"}, "a column of numbers"),
    "missing weight": (
        DATA.assign(w=[None, *DATA["w"][1:]]),
        {"weights": "w"},
        "got '1 missing weight'|infinite or no number",
    ),
    "negative weight": (DATA.assign(w=DATA["w"] - 1), {"weights": "w"}, "got 'weights of -1"),
    "endless weight": (DATA.assign(w=np.inf), {"weights": "w"}, "finite weights"),
    "groups that are no names": (DATA, {"by": 3}, "by: got 'int'"),
    "one group twice": (DATA, {"by": ["town", "town"]}, "a list of different names"),
    "weights of a table": (DATA, {"weights": [1.0] * N}, "the name of the column of weights"),
}
LAZY = {
    "pandas": lambda data: data,
    "polars": lambda data: pl.from_pandas(data).lazy(),
    "arrow": pa.Table.from_pandas,
    "duckdb": duckdb.from_df,
}


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("kind", [item for item in WRONG if item != "mixed"])
def test_what_is_wrong_in_a_table_is_named(kind, engine):
    data, questions, message = WRONG[kind]
    with pytest.raises(InputError, match=message):
        ak.tally(Q, LAZY[engine](data), "said", **questions)


def test_mixed_kinds_are_refused_with_and_without_groups():
    data, _, message = WRONG["mixed"]
    for document in ({}, {"by": "town"}, {"weights": "w"}):
        with pytest.raises(InputError, match=message):
            ak.tally(Q, data, "said", **document)


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "kind", ["unknown", "nothing", "no row", "no column", "no such group", "negative weight"]
)
def test_what_is_wrong_in_a_file_is_named(kind, name, tmp_path):
    data, questions, message = WRONG[kind]
    write(data, tmp_path)
    if name == "said.jsonl" and kind == "no row":
        message = "no (column|report)"
    with pytest.raises((InputError, DocumentError), match=message):
        ak.tally(Q, tmp_path / name, "said", **questions)


PLACES = {
    "said.csv": "said.csv: row 4, column 'said': got 'yess'.*in 2 rows.*did you mean",
    "said.jsonl": "said.jsonl: line 3, column 'said': got 'yess'.*in 2 rows",
    "said.parquet": "said.parquet: row 3, column 'said': got 'yess'.*in 2 rows",
}


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("questions", [{}, {"by": "town"}, {"weights": "w"}], ids=str)
def test_a_name_that_is_no_report_is_told_with_its_row(name, questions, tmp_path):
    data = DATA[:6].assign(said=["yes", None, "yess", "no", "yess", "no"], town="a")
    write(data, tmp_path)
    with pytest.raises(InputError, match=PLACES[name]):
        ak.tally(Q, tmp_path / name, "said", **questions)
    (tmp_path / "first").mkdir()
    write(DATA[:3], tmp_path / "first")
    with pytest.raises(InputError, match=f"/{PLACES[name]}"):  # of the second file
        ak.tally(Q, str(tmp_path / "**" / name), "said", **questions)
    for table in (data, pl.from_pandas(data), pa.Table.from_pandas(data)):
        with pytest.raises(InputError, match=r"tally.column\[2\]: got 'yess'"):
            ak.tally(Q, table, "said", **questions)
    for table in (pl.from_pandas(data).lazy(), duckdb.from_df(data)):  # whose rows are in no order
        with pytest.raises(InputError, match=r"tally\.column: got 'yess'.*in 2 rows"):
            ak.tally(Q, table, "said", by="town")


def test_a_batch_of_records_is_a_table():
    (batch,) = ARROW.to_batches()
    for document in ({}, {"by": "town"}, {"weights": "w"}):
        assert ak.tally(Q, batch, "said", **document) == ak.tally(Q, ARROW, "said", **document)
    parts = iter(ARROW.to_batches(max_chunksize=70))
    assert ak.tally(Q, parts, "said") == ak.tally(Q, ARROW, "said")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            [Path("a.csv"), Path("b.csv")],
            "a list of paths.*a pattern of files.*tally each, and add",
        ),
        ({"said": ["yes"]}, "'said', beside dict.*a data frame"),
        ([{"said": "yes"}], "'said', beside list.*a data frame"),
        (DATA["said"], "'said', beside Series.*no name, beside a column"),
    ],
)
def test_a_column_is_named_in_a_table_alone(source, message):
    with pytest.raises(InputError, match=message):
        ak.tally(Q, source, "said")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"said:town\nyes:a\n", "no column 'said'.*one of the columns said:town"),
        ("a.jsonl", b"", "no column 'said'.*at least one row"),
        ("a.parquet", b"", r"a\.parquet.*damaged, cut off"),
        ("a.parquet", b"PAR1" * 9, r"a\.parquet"),
        ("a.csv", b"", "an empty file"),
        ("a.csv", b"said\nyes,no\n", r"row 2: got '2 cells'"),
        ("a.csv", b"said\n\xff\n", "row 2, column 'said': got 'ÿ'"),
        ("a.csv", b"said,said\nyes,no\n", "two columns 'said'"),
        ("a.csv", b'said\n"yes\n', r"a\.csv"),
        ("a.jsonl", b'{"said": "yes"}\n[1]\n', "line 2: allowed: one JSON object"),
        ("a.jsonl", b'{"said": "yes"}\n{"said"\n', "line 2: allowed: one JSON object"),
        ("a.jsonl", b'{"said": 1}\n', "got 1.*name them first"),
        ("a.jsonl", b'{"said": ["yes"]}\n', "got '"),
        ("a.doc", b"yes\n", r"ends in '\.doc'"),
    ],
)
@pytest.mark.filterwarnings("ignore::askance.engines.TableNote")
def test_files_that_cannot_be_read_are_named(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises((InputError, DocumentError), match=message):
        ak.tally(Q, tmp_path / name, "said")


def test_files_that_are_not_there_or_not_alike_are_named(tmp_path):
    for source in (tmp_path / "a.csv", str(tmp_path / "*.csv"), tmp_path, "yes", "", "**a"):
        with pytest.raises(DocumentError, match="no such file"):
            ak.tally(Q, source, "said")
    (tmp_path / "a.csv").write_text("said\nyes\n")
    (tmp_path / "a.jsonl").write_text('{"said": "yes"}\n')
    with pytest.raises(DocumentError, match=r"a\.csv, a\.jsonl.*files of one kind"):
        ak.tally(Q, tmp_path, "said")


def test_a_blank_line_has_no_key(tmp_path):
    lines = [{"said": "yes"}, {}, {"said": None}, {"other": 1}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    tally = ak.tally(Q, tmp_path / "a.jsonl", "said")
    assert (tally.counts.tolist(), tally.blanks) == ([1, 0, 0], 3)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"by": ["a"]}, r"tally\.by: got '1 values'"),
        ({"by": "town"}, "the name of a column goes with a table"),
        ({"by": 3}, r"tally\.by: got 'int'"),
        ({"by": [[1], [2]]}, "got 'lists'"),
        ({"weights": [1.0, None]}, r"tally\.weights\[1\]"),
        ({"weights": [1.0, -2.0]}, r"tally\.weights\[1\]: got -2"),
        ({"weights": ["a", "b"]}, r"tally\.weights: got"),
        ({"column": "said"}, "beside a column by itself"),
    ],
)
def test_columns_that_do_not_fit_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        ak.tally(Q, ["yes", "no"], **given)
