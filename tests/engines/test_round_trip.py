"""Laws of the round trip: a table says the same in every kind of file, or is refused."""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pyreadstat
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.cli import verbs
from askance.engines import count_reports, report_rows, table_columns, tally
from askance_collect.collect import accept, export_csv, export_jsonl, open_store
from askance_collect.errors import AskanceError, DocumentError, InputError
from askance_collect.wire import Form, Report

Cells = Sequence[str | None]

HOSTILE = (
    *("NA", "TRUE", "true", "007", "7", "1e5", "100000", "nan", "NaN", "None", "null", "inf"),
    *("=x", "'=x", "@a", "-1", "+1", "-", "'q", "q", "''q", "#N/A", "=A1", "sep=;", "\\N", "."),
    *("ja, sicher", "a;b", "a|b", 'say "no"', "two\nlines", "<b>", "&amp;", "&", "1.0", "1"),
    *("größer", "👍🏽", "👍", "نعم", "אב", "é", "e\u0301", "yes", "Yes", "ｙes", "ye\u200bs", "ﬁ"),
    *("ye s", "ye\u00a0s", "{}", "[1]", '{"a": 1}', "2026-01-31", "12:30"),
)
"""Answers that some program takes for something else, and some that look alike."""

ENDS = ("end", "end ")  # which SPSS and Stata cannot tell apart


def form_of(names: Sequence[str]) -> Form:
    text = {"en": "?"}
    answers = [{"name": name, "label": text} for name in names]
    question = {"kind": "choice", "name": "said", "text": text, "answers": answers}
    return Form.read(
        {"askance": "form-1", "title": text, "consent": text, "contact": text, "languages": ["en"]}
        | {"collector": "", "size": 256, "about": {}, "questions": [question]}
    )


def separated(mark: str, **how: Any) -> Callable[[Path, Cells], Any]:
    def write(path: Path, cells: Cells) -> None:
        table = pd.DataFrame({"said": list(cells), "n": range(len(cells))})
        table.to_csv(path, sep=mark, index=False, **how)

    return write


def with_arrow(path: Path, cells: Cells) -> None:
    pa.csv.write_csv(pa.table({"said": pa.array(cells, pa.string())}), path)


def parquet(encode: Callable[[Any], Any]) -> Callable[[Path, Cells], Any]:
    return lambda path, cells: pq.write_table(
        pa.table({"said": encode(pa.array(cells, pa.string()))}), path
    )


def lines(path: Path, cells: Cells) -> None:
    text = "".join(json.dumps({"said": cell}) + "\n" for cell in cells).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else b"\xef\xbb\xbf" + text)


def workbook(path: Path, cells: Cells) -> None:
    book = openpyxl.Workbook()
    for row in (("n", "said"), *enumerate(cells)):
        book.active.append(row)
        cell = book.active.cell(book.active.max_row, 2)
        cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type
    book.save(path)


def sheet(engine: str) -> Callable[[Path, Cells], Any]:
    """As pandas writes a workbook: "=x" becomes a formula, "#N/A" an error."""
    return lambda path, cells: pd.DataFrame(
        {"n": range(len(cells)), "said": list(cells)}, dtype=object
    ).to_excel(path, index=False, engine=engine)


def strings(write: Any) -> Callable[[Path, Cells], Any]:
    return lambda path, cells: write(pd.DataFrame({"said": [c or "" for c in cells]}), str(path))


def labels(write: Any) -> Callable[[Path, Cells], Any]:
    def of_codes(path: Path, cells: Cells) -> None:
        names = sorted({*cells} - {None})
        codes = [None if cell is None else names.index(cell) + 1.0 for cell in cells]
        named = {"said": dict(enumerate(names, start=1))}
        write(pd.DataFrame({"said": codes}, dtype=float), str(path), variable_value_labels=named)

    return of_codes


def platform(head: Sequence[str], *below: Sequence[str], mark: str = ",") -> Callable[..., Any]:
    """As a platform writes it: other columns before the one that was asked."""

    def write(path: Path, cells: Cells) -> None:
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            table = csv.writer(file, delimiter=mark, quoting=csv.QUOTE_ALL)
            table.writerows([[*head, "said"], *below])
            table.writerows([f"r{i}", *head[1:], cell or ""] for i, cell in enumerate(cells))

    return write


def surveyjs(path: Path, cells: Cells) -> None:
    path.write_text(json.dumps([{"n": 1} | ({"said": c} if c else {}) for c in cells]))


WRITERS: Mapping[str, Callable[[Path, Cells], Any]] = {
    "commas.csv": separated(","),
    "quoted.csv": separated(",", quoting=csv.QUOTE_ALL),
    "semicolons.csv": separated(";"),
    "bars.csv": separated("|", lineterminator="\r\n"),
    "tabs.tsv": separated("\t"),
    "utf-16.txt": separated("\t", encoding="utf-16"),
    "marked.csv": separated(",", encoding="utf-8-sig"),
    "packed.csv.gz": separated(","),
    "arrow.csv": with_arrow,
    "texts.parquet": parquet(lambda column: column),
    "dictionary.parquet": parquet(lambda column: column.dictionary_encode()),
    "large.parquet": parquet(lambda column: column.cast(pa.large_string())),
    "openpyxl.xlsx": workbook,
    "pandas.xlsx": sheet("openpyxl"),
    "pandas.ods": sheet("odf"),
    "texts.sav": strings(pyreadstat.write_sav),
    "labels.sav": labels(pyreadstat.write_sav),
    "texts.dta": strings(pyreadstat.write_dta),
    "labels.dta": labels(pyreadstat.write_dta),
    "qualtrics.csv": platform(["Status"], ["Response Type", "?"], ['{"ImportId":"a"}', "{}"]),
    "limesurvey.csv": platform(["id", "submitdate", "startlanguage"], mark=";"),
    "redcap.csv": platform(["record_id", "redcap_event_name"]),
    "surveyjs.json": surveyjs,
}
TABLES = {"lines.jsonl": lines, "packed.jsonl.gz": lines} | WRITERS

NAMES = st.lists(st.sampled_from([*HOSTILE, *ENDS]), min_size=2, max_size=6, unique=True)
SENT = NAMES.flatmap(
    lambda names: st.tuples(
        st.just(names), st.lists(st.sampled_from([*names, None]), min_size=1, max_size=12)
    )
).filter(lambda sent: any(sent[1]))


def refused_in_words(error: AskanceError) -> bool:
    """Whether a refusal says what may be two things, and what to do."""
    reasons = ("apostrophe", "different blanks")
    return any(reason in str(error.got) for reason in reasons) and bool(error.remedy)


@given(sent=SENT, kind=st.sampled_from([*TABLES]))
@settings(max_examples=25, deadline=None)
def test_a_column_counts_alike_in_every_kind_of_file(
    sent: tuple[list[str], list[str | None]], kind: str
) -> None:
    names, cells = sent
    channel = ak.KAry(truth="3/4").channel(ak.Frame(names))
    expected = tally(channel, cells)
    refusal: AskanceError | None = None
    with TemporaryDirectory() as folder:
        path = Path(folder, kind)
        TABLES[kind](path, cells)
        try:
            counted = tally(channel, path, "said")
            listed = table_columns(path, ["said"], valid_names=names)["said"]
        except (DocumentError, InputError) as error:
            refusal = error
    if refusal is not None:
        assert refused_in_words(refusal), refusal
        return
    assert (counted.counts.tolist(), counted.blanks) == (expected.counts.tolist(), expected.blanks)
    assert list(listed) == cells


@given(sent=SENT, kind=st.sampled_from([*WRITERS]))
@settings(max_examples=20, deadline=None)
def test_a_form_is_counted_alike_in_every_kind_of_file(
    sent: tuple[list[str], list[str | None]], kind: str
) -> None:
    names, cells = sent
    form = form_of(names)
    refusal: AskanceError | None = None
    with TemporaryDirectory() as folder:
        path = Path(folder, kind)
        WRITERS[kind](path, cells)
        try:
            counts = count_reports(path, form)
            rows = report_rows(path, form)
        except (DocumentError, InputError) as error:
            refusal = error
    if refusal is not None:
        assert refused_in_words(refusal), refusal
        return
    values = [None if cell is None else names.index(cell) for cell in cells]
    assert dict(counts.values["said"]) == dict(Counter(values))
    assert [row.values["said"] for row in rows] == values


@given(sent=SENT)
@settings(max_examples=4, deadline=None)
def test_what_a_store_holds_is_what_it_exports(sent: tuple[list[str], list[str | None]]) -> None:
    names, cells = sent
    form = form_of(names)
    values = [None if cell is None else names.index(cell) for cell in cells]
    with TemporaryDirectory() as folder:
        store = open_store(f"{folder}/s.db", form)
        for i, value in enumerate(values):
            body = Report(form.fingerprint, f"{i:032x}", {"said": value}).body(form.size)
            store.append([accept(body, form)])
        export_csv(store, form, f"{folder}/s.csv")
        export_jsonl(store, form, f"{folder}/s.jsonl")
        store.close()
        counts = [count_reports(f"{folder}/s.{ends}", form) for ends in ("db", "csv", "jsonl")]
        channel = ak.KAry(truth="3/4").channel(ak.Frame(names))
        counted = tally(channel, f"{folder}/s.csv", "said")
    for counted_file in counts:
        assert dict(counted_file.values["said"]) == dict(Counter(values))
    assert counted.counts.tolist() == tally(channel, cells).counts.tolist()


@given(
    text=st.text(alphabet="ab,;\"\n\r\t '", max_size=24),
    head=st.sampled_from(["a\n", "a,b\n", "a;b\r\n", "a\tb\r"]),
)
@settings(max_examples=25, deadline=None)
def test_the_engine_reads_a_text_as_its_rows_are_read(text: str, head: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_text(head + text, encoding="utf-8", newline="")
        cells: list[str | None] | None = None
        with suppress(DocumentError):
            cells = list(table_columns(path, ["a"])["a"])
        names = sorted({*(cells or ["x"])} - {None}) or ["x"]
        channel = ak.KAry(truth="3/4").channel(ak.Frame([*names, "other"]))
        try:
            counted = tally(channel, path, "a")
        except (DocumentError, InputError):
            assert cells is None or not any(cells)
            return
    assert cells is not None
    assert counted.counts.tolist() == [*(cells.count(name) for name in names), 0]
    assert counted.blanks == cells.count(None)


ALIKE = {"Yes": "LATIN CAPITAL LETTER Y", "yes\u00a0": "NO-BREAK SPACE", "ｙes": "FULLWIDTH"}


@pytest.mark.parametrize("entry", ALIKE)
def test_a_look_alike_in_a_table_is_refused_with_what_differs(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"said\nno\n{entry}\n", encoding="utf-8")
    with pytest.raises(DocumentError, match=f"row 3, column said.* but has {ALIKE[entry]}") as e:
        count_reports(path, form_of(["yes", "no"]))
    assert entry not in str(e.value)
    call = ["estimate", "--mechanism", "warner:truth=3/4", str(path), "--column", "said"]
    with pytest.raises(DocumentError, match=f"looks like 'yes', but has {ALIKE[entry]}"):
        CliRunner().invoke(verbs, call, catch_exceptions=False)


TOWNS = ("=north", "NA", "007", "ö, ü")
TABLE = {
    "said": ["yes", "no", None, "no", "yes", "no"] * 20,
    "town": [TOWNS[i % 4] for i in range(120)],
    "age": [20.5 + i % 37 for i in range(120)],
    "member": [i % 3 == 0 for i in range(120)],
    "way": [("007", "ja 8")[i % 5 % 2] for i in range(120)],
    "items": [float(i % 7 % 4) for i in range(120)],
}
WARNER = ("--mechanism", "warner:truth=3/4", "--column", "said")
TWO_WAYS = (
    *("--mechanism", "007=warner:truth=1/5", "--mechanism", "ja 8=warner:truth=4/5"),
    *("--column", "said", "--group", "way"),
)


def write_typed(path: Path) -> None:
    frame = pd.DataFrame(TABLE)
    frame["single"] = frame["items"].astype("float32") / 10
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    elif path.suffix == ".jsonl":
        written = frame.assign(single=frame["items"] / 10)  # pandas writes 32 bits with all digits
        written.to_json(path, orient="records", lines=True)
    elif path.suffix == ".sav":
        numbers = frame.assign(said=frame["said"].fillna(""), member=frame["member"].map(str))
        numbers["single"] = frame["items"] / 10  # SPSS has no numbers of 32 bits
        pyreadstat.write_sav(numbers, str(path))
    elif path.suffix == ".dta":
        frame.assign(member=frame["member"].map(str)).to_stata(path, write_index=False)
    elif path.suffix in (".xlsx", ".ods"):
        engine = "odf" if path.suffix == ".ods" else "openpyxl"
        frame.assign(single=frame["items"] / 10).to_excel(path, index=False, engine=engine)
    else:
        frame.to_csv(path, index=False, sep=";" if path.stem == "semicolons" else ",")


@pytest.fixture(scope="module")
def typed_tables(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write one table into a file of each kind."""
    folder = tmp_path_factory.mktemp("typed")
    names = ("t.csv", "semicolons.csv", "t.parquet", "t.jsonl", "t.xlsx", "t.ods", "t.sav", "t.dta")
    for name in names:
        write_typed(folder / name)
    return [folder / name for name in names]


@pytest.mark.parametrize(
    "words",
    [
        ("estimate", *WARNER, "--by", "town"),
        ("estimate", *WARNER, "--weights", "age"),
        ("estimate", *WARNER, "--by", "single"),
        ("regress", *WARNER[:2], "--formula", "said ~ age + C(member)", "--missing", "drop"),
        ("regress", *WARNER[:2], "--formula", "said ~ single", "--missing", "drop"),
        ("compare", *WARNER, "--by", "town"),
        ("compare", *TWO_WAYS),
        ("compliance", *TWO_WAYS),
        ("bounds", *WARNER, "--nonresponse", "--weights", "single"),
        ("small-areas", *WARNER, "--by", "town"),
        ("item-count", "--column", "items", "--list", "way", "--control", "007", "--items", "3"),
    ],
    ids=lambda words: " ".join([words[0], *words[-2:]]),
)
def test_verbs_say_the_same_of_every_kind_of_file(
    words: Sequence[str], typed_tables: list[Path]
) -> None:
    verb, *options = words
    said: dict[str, Any] = {}
    for path in typed_tables:
        call = [verb, str(path), *options, "--json"]
        result = CliRunner().invoke(verbs, call, catch_exceptions=False)
        said[path.name] = {
            key: value
            for key, value in json.loads(result.stdout).items()
            if key not in ("command", "data_sha256")
        }
    for name, result in said.items():
        assert json.dumps(result) == json.dumps(said["t.csv"]), name
