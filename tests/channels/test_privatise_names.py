"""Named answers in bulk: by the channel's law, in the column's own kind, in parts, or refused."""

import itertools
import sys
from fractions import Fraction
from types import SimpleNamespace

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import (
    Abstain,
    Channel,
    Cuts,
    Frame,
    KAry,
    Line,
    RangeChannel,
    Ring,
    Tally,
    Warner,
    maximum_likelihood,
    parse_survey,
    privatise,
    publish,
)
from askance.channels import OpenCellChannel
from askance.survey import deployed
from askance_collect.errors import InputError, MissingExtra
from askance_collect.exact import Table
from askance_collect.respond import encode
from askance_collect.wire import Label, TableQuestion

YN = Frame(["yes", "no"])
Q = Abstain(truth="3/5", lie="1/10").channel(YN)
ANSWERS = ["yes", "no", None, "no", "yes", "yes", "no", None, "no"]
FULL = [item or "no" for item in ANSWERS]


def written(rows):
    """An exact channel whose answers and reports are numbered in words."""
    frame = Frame([f"a{index}" for index in range(len(rows))])
    total = sum(rows[0])
    return Channel(
        frame,
        {f"r{index}": [frame.answers[0]] for index in range(len(rows[0]))},
        Table(total, rows),
    )


KINDS = {
    "k-ary": KAry(truth="1/2").channel(Frame(list("abcde"))),
    "truth or lie": Warner(truth="3/4").channel(YN),
    "truth, lie or silence": Q,
    "told as it is": written(((5, 0), (0, 5))),
    "tells nothing": written(((2, 3, 1), (2, 3, 1))),
    "own reports beside": written(((0, 3, 4), (4, 3, 0), (4, 3, 0))),
    "no two alike": written(((1, 2, 0, 4), (3, 3, 1, 0), (0, 0, 7, 0))),
    "many reports": written(
        tuple(tuple(np.roll(range(20), number).tolist()) for number in (0, 3, 11))
    ),
}


@st.composite
def tables(draw):
    """Exact channels with small totals, of every kind of row."""
    answers, reports, total = (
        draw(st.integers(1, 4)),
        draw(st.integers(1, 6)),
        draw(st.integers(1, 511)),
    )
    cuts = st.lists(st.integers(0, total), min_size=reports - 1, max_size=reports - 1)
    rows = []
    for _ in range(answers):
        ends = [0, *sorted(draw(cuts)), total]
        rows.append(tuple(b - a for a, b in itertools.pairwise(ends)))
    return written(tuple(rows))


class Fed:
    """System bits that are given: every word of 16 bits once, and one word ever after."""

    def __init__(self, words, after):
        self.words, self.after, self.again = words, after, 0

    def __call__(self, count):
        if self.words is not None:
            words, self.words = self.words, None
            assert count == words.nbytes
            return words.tobytes()
        self.again += count // 2
        return np.full(count // 2, self.after, dtype=np.uint16).tobytes()


def sent_by(channel, answer, words, after=0):
    fed = Fed(np.asarray(words, dtype=np.uint16), after)
    with pytest.MonkeyPatch.context() as monkeypatch:
        feed(monkeypatch, fed)
        return privatise(channel, [answer] * len(words), coin=True), fed.again


def feed(monkeypatch, give):
    """Have the coin take bytes that are given, untested: those of a test would seem to be stuck."""
    coin = SimpleNamespace(draw=lambda count, _: give(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", coin)


def coin_law(channel, answer):
    """Count which report each word names, without the words that are drawn again."""
    after = next(
        word for word in range(1 << 16) if not sent_by(channel, answer, [word], 3 << 13)[1]
    )
    ((expected,), _) = sent_by(channel, answer, [after])
    reports, again = sent_by(channel, answer, range(1 << 16), after)
    counts = [reports.count(report) for report in channel.reports]
    counts[channel.reports.index(expected)] -= again
    return counts


def assert_exact(channel):
    for answer, row in zip(channel.frame.answers, channel.table.rows, strict=True):
        counts = coin_law(channel, answer)
        kept_total = sum(counts)
        assert kept_total > (1 << 16) * 31 // 32
        assert [Fraction(count, kept_total) for count in counts] == [
            Fraction(item, channel.table.total) for item in row
        ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_of_the_coin_makes_up_exactly_the_table(kind):
    assert_exact(KINDS[kind])


@given(tables())
@settings(max_examples=15, deadline=None)
@pytest.mark.long
def test_every_word_of_the_coin_makes_up_exactly_any_table(channel):
    assert_exact(channel)


def test_another_table_is_told_from_it():
    twin = written(((1, 2, 0, 4), (3, 2, 2, 0), (0, 0, 7, 0)))
    assert coin_law(KINDS["no two alike"], "a1") != coin_law(twin, "a1")


@pytest.mark.parametrize("kind", KINDS)
def test_the_coin_draws_as_a_respondents_device_does(kind):
    channel = KINDS[kind]
    question = TableQuestion(
        "q",
        {"en": "?"},
        tuple(Label(item, {"en": item}) for item in channel.frame.answers),
        tuple(Label(report, {"en": report}) for report in channel.reports),
        tuple(channel.output.positions(mask) for mask in channel.meanings),
        channel.table,
        (0, 1),
        {},
    )
    for index, answer in enumerate(channel.frame.answers):
        device = [encode(question, index, (0, position)) for position in range(channel.table.total)]
        counts = coin_law(channel, answer)
        total = channel.table.total
        shares = [device.count(position) * sum(counts) for position in range(len(channel.reports))]
        assert shares == [item * total for item in counts]


def bound(n, chances):
    """Deviations beyond the bound of Hoeffding have a chance of 1e-9 for each report."""
    return np.sqrt(np.log(2e9) / (2 * n)) + 0 * chances


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("coin", [False, True], ids=["dice", "coin"])
def test_reports_come_by_the_law_of_each_answer(kind, coin, monkeypatch):
    channel, n = KINDS[kind], 40_000
    bits = np.random.default_rng(3)
    feed(monkeypatch, bits.bytes)
    chance = {"coin": True} if coin else {"rng": 17, "name": "said"}
    for answer, row in zip(channel.frame.answers, channel.matrix, strict=True):
        sent_reports = privatise(channel, np.full(n, answer), **chance)
        values = np.array([np.count_nonzero(sent_reports == report) for report in channel.reports])
        assert values.sum() == n
        assert (values[row == 0] == 0).all()
        assert (np.abs(values / n - row) < bound(n, row)).all()


@pytest.mark.parametrize("total", [1_000_003, 10**12 + 39])
@pytest.mark.parametrize("kind", ["own report", "alias tables"])
def test_longer_words_are_for_larger_totals(total, kind, monkeypatch):
    """Of evenly spaced words each report has its share, but for one at each end of a stretch."""
    part = total // 7
    rows = {
        "own report": ((part, 2, total - part - 2), (2, part, total - part - 2)),
        "alias tables": ((part, 2, total - part - 2), (3 * part, 5, total - 3 * part - 5)),
    }[kind]
    channel, n = written(rows), 1 << 16

    size = 4 if total < 1 << 25 else 8

    def spaced(count):
        words = np.arange(n, dtype=np.uint64) << np.uint64(size * 8 - 16)
        return words.astype(f"u{size}").tobytes() if count == n * size else bytes(count)

    feed(monkeypatch, spaced)
    again = n * total / 2 ** (size * 8 - 1)  # at most so many are drawn again
    for answer, row in zip(channel.frame.answers, rows, strict=True):
        sent_reports = privatise(channel, [answer] * n, coin=True)
        for report, units in zip(channel.reports, row, strict=True):
            assert abs(sent_reports.count(report) - n * units / total) < 4 + again


COLUMNS = {
    "list": ANSWERS,
    "tuple": tuple(ANSWERS),
    "objects": np.array(ANSWERS, dtype=object),
    "masked": np.ma.array(FULL, mask=[item is None for item in ANSWERS]),
    "pandas text": pd.Series(ANSWERS, index=list("abcdefghi"), name="drink"),
    "pandas string": pd.Series(ANSWERS, dtype="string"),
    "pandas objects": pd.Series(ANSWERS, dtype=object),
    "pandas arrow": pd.Series(ANSWERS, dtype=pd.ArrowDtype(pa.string())),
    "pandas categories": pd.Series(ANSWERS, dtype="category", name="drink"),
    "pandas other order": pd.Series(pd.Categorical(ANSWERS, ["yes", "perhaps", "no"])),
    "polars text": pl.Series("drink", ANSWERS),
    "polars categories": pl.Series("drink", ANSWERS, dtype=pl.Categorical),
    "polars enum": pl.Series("drink", ANSWERS, dtype=pl.Enum(["no", "yes"])),
    "arrow text": pa.array(ANSWERS),
    "arrow large text": pa.array(ANSWERS, pa.large_string()),
    "arrow view": pa.array(ANSWERS, pa.string_view()),
    "arrow dictionary": pa.array(ANSWERS).dictionary_encode(),
    "arrow chunks": pa.chunked_array([ANSWERS[:4], ANSWERS[4:]]),
    "arrow dictionaries": pa.chunked_array(
        [pa.array(ANSWERS[:2]).dictionary_encode(), pa.array(ANSWERS[2:]).dictionary_encode()]
    ),
}


def plain(column):
    """The rows of any column, with None for what is missing."""
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            column = getattr(column, name)()
    return [None if pd.isna(item) else str(item) for item in column]


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_stays_of_its_kind(kind):
    column = COLUMNS[kind]
    reports = privatise(Q, column, rng=3, name="said")
    assert type(reports) is type(column)
    assert plain(reports) == privatise(Q, ANSWERS, rng=3, name="said")
    assert plain(column) == ANSWERS
    if hasattr(column, "index") and hasattr(column.index, "equals"):
        assert column.index.equals(reports.index)
    if hasattr(column, "name"):
        assert column.name == reports.name
    if not any(word in kind for word in ("categories", "enum", "order", "masked")):
        assert getattr(reports, "dtype", None) == getattr(column, "dtype", None)
    if kind.startswith("arrow"):
        assert reports.type == column.type


def test_categories_become_those_of_the_reports():
    sent_reports = privatise(Q, COLUMNS["pandas other order"], rng=3, name="said")
    assert sent_reports.cat.categories.tolist() == list(Q.reports)
    assert privatise(Q, COLUMNS["polars enum"], rng=3, name="said").dtype == pl.Enum(Q.reports)
    same = pd.Series(pd.Categorical(FULL, ["yes", "no"], ordered=True))
    warner = KINDS["truth or lie"]
    assert privatise(warner, same, rng=1, name="said").cat.ordered
    assert not privatise(Q, same, rng=1, name="said").cat.ordered


def test_text_of_numpy_stays_text():
    reports = privatise(Q, np.array(FULL), rng=3, name="said")
    assert reports.dtype.kind == "U"
    assert [item if item != "" else None for item in reports.tolist()] == privatise(
        Q, FULL, rng=3, name="said"
    )
    newer = np.array(ANSWERS, dtype=np.dtypes.StringDType(na_object=None))
    assert privatise(Q, newer, rng=3, name="said").tolist() == privatise(
        Q, ANSWERS, rng=3, name="said"
    )


def test_what_is_missing_in_a_dictionary_is_a_blank():
    from_arrays_result = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None, 2]), ["no", None, "yes"]
    )
    assert plain(privatise(Q, from_arrays_result, rng=3, name="said")) == privatise(
        Q, ["no", None, None, "yes"], rng=3, name="said"
    )


def test_text_of_pandas_needs_no_arrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for dtype in (pd.StringDtype("python"), object):
        reports = privatise(Q, pd.Series(ANSWERS, dtype=dtype), rng=3, name="said")
        assert reports.dtype == dtype
        assert plain(reports) == privatise(Q, ANSWERS, rng=3, name="said")


def test_codes_are_widened_where_reports_need_it():
    frame = Frame([f"a{index}" for index in range(200)])
    channel = KAry(truth="1/2").channel(frame)
    narrow = pa.array(["a1", "a2"]).cast(pa.dictionary(pa.int8(), pa.string()))
    assert privatise(channel, narrow, rng=1, name="said").type.index_type == pa.int32()


@given(st.lists(st.sampled_from(["yes", "no", None]), min_size=1, max_size=30), st.data())
@settings(max_examples=40, deadline=None)
def test_parts_make_up_the_whole(answers, data):
    answers = ["yes", *answers]
    drawn_value = data.draw(st.integers(0, len(answers)))
    reports = privatise(Q, answers, rng=5, name="said")
    parts = privatise(
        Q, iter([answers[:drawn_value], [], answers[drawn_value:]]), rng=5, name="said"
    )
    assert [item for part in parts for item in part] == reports
    assert [report is None for report in reports] == [answer is None for answer in answers]


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=2, max_size=30), st.data())
@settings(max_examples=40, deadline=None)
def test_another_answer_changes_its_own_row_alone(answers, data):
    drawn_value = data.draw(st.integers(0, len(answers) - 1))
    other = [*answers[:drawn_value], None, *answers[drawn_value + 1 :]]
    reports, two = (
        privatise(Q, answers, rng=5, name="said"),
        privatise(Q, other, rng=5, name="said"),
    )
    assert two[drawn_value] is None
    assert [*reports[:drawn_value], *reports[drawn_value + 1 :]] == [
        *two[:drawn_value],
        *two[drawn_value + 1 :],
    ]


def test_rows_beyond_a_chunk_are_drawn_on():
    answers = np.random.default_rng(1).choice(["yes", "no"], 150_000)
    reports = privatise(Q, answers, rng=2, name="said")
    thirds = privatise(Q, iter(np.array_split(answers, 3)), rng=2, name="said")
    assert (np.concatenate(list(thirds)) == reports).all()
    assert (privatise(Q, answers, rng=3, name="said") != reports).any()


def test_a_stream_is_read_one_part_at_a_time():
    read = []

    def parts():
        for index in range(3):
            read.append(index)
            yield np.array(["yes", "no"])

    reports = privatise(Q, parts(), rng=1, name="said")
    assert read == []
    next(reports)
    assert read == [0]
    assert len(list(reports)) == 2


@pytest.mark.parametrize("kind", ["arrow text", "arrow dictionary"])
def test_a_reader_of_batches_comes_out_as_one(kind):
    batch = pa.record_batch([COLUMNS[kind]], names=["drink"])
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch[:0], batch])
    reports = privatise(Q, reader, rng=3, name="said")
    assert isinstance(reports, pa.RecordBatchReader)
    assert reports.schema == batch.schema
    to_pylist_result = reports.read_all().column("drink").to_pylist()
    assert to_pylist_result == privatise(Q, ANSWERS * 2, rng=3, name="said")


def test_numbers_are_streamed_too():
    channel = Cuts(number=2).channel(Line(0, 10, 1))
    items = list(privatise(channel, iter([[1.5], [2.5, 9.5]]), rng=1, name="said"))
    assert [len(item) for item in items] == [1, 2]
    batch = pa.record_batch([pa.array([1.5, 2.5])], names=["hours"])
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch])
    assert [len(report) for report in privatise(channel, reader, rng=1, name="said")] == [2]


NO_NAMES = {
    "an unknown name": (["yes", "mabye"], r"\[1\]: got 'mabye'.*yes, no"),
    "a near one": (["yes", "Yes"], "did you mean 'yes'"),
    "mixed kinds": (["yes", 3], r"\[1\]: got 3.*no positions.*\{3: 'yes'"),
    "positions": ([1, 0], r"\[0\]: got 1.*no positions"),
    "truth values": ([True], "got True.*no positions"),
    "an array of positions": (np.array([0, 1]), "got 0.*no positions"),
    "an array of numbers": (np.array([np.nan, 1.5]), r"\[1\]: got 1.5"),
    "truth in pandas": (pd.Series([True]), "got True"),
    "numbers in pandas": (pd.Series([2, 1]), "got 2"),
    "numbers as categories": (pd.Series([1], dtype="category"), "got 1.*no positions"),
    "an unknown category": (pd.Series(["no", "ye"], dtype="category"), r"\[1\]: got 'ye'"),
    "unknown in pandas": (pd.Series(["no", "ye"]), r"\[1\]: got 'ye'"),
    "unknown in polars": (pl.Series([None, "ye"]), r"\[1\]: got 'ye'"),
    "numbers in polars": (pl.Series([1]), "got 1"),
    "unknown in arrow": (pa.array([None, "no", "ye"]), r"\[2\]: got 'ye'"),
    "numbers in arrow": (pa.array([1]), "got 1"),
    "unknown in a dictionary": (pa.array(["no", "ye"]).dictionary_encode(), r"\[1\]: got 'ye'"),
    "lists": ([["yes"], ["no"]], r"\[0\]: got \['yes'\]"),
    "bytes": (np.array([b"yes"]), "got b'yes'.*decode bytes first"),
    "no row": ([], "got 'no row'"),
    "no row in pandas": (pd.Series([], dtype=str), "got 'no row'"),
    "all missing": ([None, None], "got '2 rows, all missing'"),
    "two dimensions": (np.array([["yes"]]), r"shape \(1, 1\).*one column"),
    "a table": (pd.DataFrame({"drink": ["yes"]}), "pick one of its columns"),
    "a table of polars": (pl.DataFrame({"drink": ["yes"]}), "pick one of its columns"),
    "a lazy table": (pl.LazyFrame({"drink": ["yes"]}), "pick one of its columns"),
    "a table of arrow": (pa.table({"drink": ["yes"]}), "pick one of its columns"),
    "an index": (pd.Index(["yes"]), r"pandas\.Series"),
    "categories alone": (pd.Categorical(["yes"]), r"pandas\.Series"),
    "a relation": (duckdb.from_df(pd.DataFrame({"drink": ["yes"]})), "bring it here first"),
    "a text": ("yes", "list the names first"),
    "a mapping": ({"yes": 1}, "one column"),
    "nothing": (None, "one column"),
}


@pytest.mark.parametrize("kind", NO_NAMES)
def test_what_is_no_column_of_names_is_refused(kind):
    column, result = NO_NAMES[kind]
    with pytest.raises(InputError, match=f"privatise.column.*{result}"):
        privatise(Q, column, rng=1, name="said")


@pytest.mark.parametrize("kind", NO_NAMES)
def test_with_the_coin_no_message_repeats_an_answer(kind):
    column, _ = NO_NAMES[kind]
    with pytest.raises(InputError, match=r"privatise\.column") as caught:
        privatise(Q, column, coin=True)
    text = str(caught.value.got)
    assert caught.value.got is None or "row" in text or type(column).__name__ in text
    assert "mabye" not in str(caught.value)
    number = Cuts(number=1).channel(Line(0, 4))
    with pytest.raises(InputError, match="privatise") as caught:
        privatise(number, ["secret"], coin=True)
    assert "secret" not in str(caught.value)


def test_a_part_that_is_wrong_is_counted():
    reports = privatise(Q, iter([["yes"], ["no", "ye"]]), rng=1, name="said")
    next(reports)
    with pytest.raises(InputError, match=r"part 1\[1\]: got 'ye'"):
        next(reports)
    with pytest.raises(InputError, match="part 0: got 'str'"):
        next(privatise(Q, (row for row in ["yes", "no"]), rng=1, name="said"))
    batch = pa.record_batch({"drink": ["yes"], "age": [3]})
    with pytest.raises(InputError, match=r"drink, age.*batches of one column"):
        privatise(Q, pa.RecordBatchReader.from_batches(batch.schema, [batch]))


def test_a_column_of_a_library_asks_for_its_reader(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    assert privatise(Q, ANSWERS, rng=1, name="said").count(None) == 2
    with pytest.raises(MissingExtra, match=r"narwhals.*askance\[engines\]"):
        privatise(Q, pd.Series(ANSWERS), rng=1, name="said")


def test_the_two_kinds_of_chance_never_mix():
    with pytest.raises(InputError, match=r"privatise\.rng.*one of them"):
        privatise(Q, ANSWERS, rng=1, name="said", coin=True)
    double = Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    with pytest.raises(InputError, match=r"privatise\.channel.*doubles.*fractions"):
        privatise(double, ANSWERS, coin=True)
    fine = Fraction(1, 2**49)
    exact = Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[1 - fine, fine], [fine, 1 - fine]])
    assert len(privatise(exact, ANSWERS, rng=1, name="said")) == len(ANSWERS)
    with pytest.raises(InputError, match=r"2\^48.*publish"):
        privatise(exact, ANSWERS, coin=True)


def test_one_cut_of_the_coin_comes_exactly_by_its_weights(monkeypatch):
    channel = RangeChannel(Line(0, 5, 1), [3, 0, 1, 6])
    numbers = np.full(1 << 16, 4.5)
    words = [np.arange(1 << 16, dtype=np.uint16).tobytes()]
    feed(monkeypatch, lambda count: words.pop() if words else bytes(count))
    reports = privatise(channel, iter([numbers[: 1 << 15]]), rng=1, name="said")
    assert len(next(reports).lower) == 1 << 15
    words[:] = [part.tobytes() for part in np.arange(1 << 16, dtype=np.uint16).reshape(2, -1)[::-1]]
    drawn_lower = privatise(channel, numbers, coin=True).lower
    remaining = (1 << 16) // 10  # words for each unit; the last six are drawn again and fall on 0
    assert np.bincount(drawn_lower.astype(int)).tolist() == [
        0,
        3 * remaining + 6,
        0,
        remaining,
        6 * remaining,
    ]


def test_a_ring_of_the_coin_comes_pair_by_pair(monkeypatch):
    channel = Ring(floor="1/4", law=[1, 2, 0, 2, 1], sizes=[1, 2, 1, 1, 2, 1]).channel(
        Line(0, 6, 1)
    )
    total = channel.law.total
    positions = np.arange(total, dtype=np.uint64)
    feed(monkeypatch, lambda count: positions[: count // 8].tobytes())
    for step in range(6):
        reports = privatise(channel, np.full(total, step + 0.5), coin=True)
        for index in range(total):
            low, high = channel.law.pair_at(index)
            inside = low <= step < high
            meant = channel.ranges([(low, high) if inside else (high, low)])
            report = reports[np.array([index])]
            assert report.lower.tolist() == meant.lower.tolist()
            assert report.upper.tolist() == meant.upper.tolist()


def test_rings_that_no_form_asks_have_no_coin():
    three = Ring(floor="1/5", number=3).channel(Line(0, 10, 1))
    assert len(privatise(three, [1.5], rng=1, name="said")) == 1
    with pytest.raises(InputError, match="a form asks rings of two cuts only"):
        privatise(three, [1.5], coin=True)


def test_a_gateway_draws_from_its_form():
    form = publish(
        parse_survey(
            b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "kary", epsilon = 1.0 }
"""
        )
    )
    channel = deployed(form.question("tea")).channel
    assert channel.table == form.question("tea").table
    assert set(privatise(channel, ["yes"] * 200, coin=True)) <= set(channel.reports)


def test_cells_that_are_open_are_drawn_by_the_coin(monkeypatch):
    feed(monkeypatch, np.random.default_rng(8).bytes)
    channel, n = OpenCellChannel(RangeChannel(Line(0, 4, 1), [1, 1, 1], 2), [2]), 40_000
    reports = privatise(channel, np.full(n, 1.5), coin=True)
    exact = np.mean((reports.lower == 1) & (reports.upper == 2))
    chance = float(channel.cell_chance(1, 2))
    assert abs(exact - chance) < bound(n, np.array(chance))


def test_a_tally_of_what_was_sent_estimates_back():
    answers = ["a"] * 30_000 + ["b"] * 15_000 + ["e"] * 5_000
    channel = KINDS["k-ary"]
    reports = privatise(channel, pl.Series(answers), rng=1, name="said")
    counts = dict(reports.value_counts().iter_rows())
    result = maximum_likelihood(Tally(channel, counts)).value
    assert np.abs(result - [0.6, 0.3, 0, 0, 0.1]).max() < 0.02


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 3])
@pytest.mark.parametrize("k", [16, 49, 64, 98, 107])
def test_an_answer_decides_where_no_report_is_drawn_for_all(k, epsilon):
    """Whatever rounding of the chances: of one seed, reports differ by their own answers alone."""
    channel = KAry.at_epsilon(epsilon).channel(Frame([f"page {i}" for i in range(k)]))
    first, last = (
        privatise(channel, np.full(2_000, f"page {i}"), rng=1, name="page") for i in (0, k - 1)
    )
    differs = first != last
    assert 0 < differs.sum() < 2_000
    assert set(first[differs]) == {"page 0"}
    assert set(last[differs]) == {f"page {k - 1}"}
