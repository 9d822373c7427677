"""What other programs get: everything that was kept, in no order, with the way to read it."""

import csv
import json
import os
import random
import resource
import signal
import stat
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

from askance_collect.collect import (
    Accepted,
    Store,
    accept,
    export_csv,
    export_jsonl,
    export_receipts,
    open_store,
)
from askance_collect.errors import DocumentError
from askance_collect.wire import Form, TableQuestion

REPORTS = 300
ANSWERS = '{"age":[0,%d],"any_affair":2,"children":null,"years":7}'


@pytest.fixture
def store(tmp_path: Path, affairs_form: Form, make_body: Callable[[], bytes]) -> Iterator[Store]:
    store = open_store(tmp_path / "survey.db", affairs_form)
    store.append([accept(make_body(), affairs_form) for _ in range(REPORTS)])
    yield store
    store.close()


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_json_lines_are_the_reports_as_sent(
    store: Store, affairs_form: Form, tmp_path: Path
) -> None:
    path = tmp_path / "reports.jsonl"
    export_jsonl(store, affairs_form, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    kept_answers = [answers for _, answers in store.reports()]
    assert Counter(lines) == Counter(kept_answers)
    assert lines != kept_answers


def test_the_table_has_every_report_under_a_number_that_means_nothing(
    store: Store, affairs_form: Form, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    export_csv(store, affairs_form, first)
    export_csv(store, affairs_form, second)
    rows, again = _read(first), _read(second)
    assert [row.pop("respondent") for row in rows] == [str(n + 1) for n in range(REPORTS)]
    assert [row.pop("respondent") for row in again] == [str(n + 1) for n in range(REPORTS)]
    assert rows != again
    assert Counter(map(str, rows)) == Counter(map(str, again))
    assert first.read_bytes().endswith(b"\r\n")


def test_a_closed_store_exports_the_same(store: Store, affairs_form: Form, tmp_path: Path) -> None:
    export_jsonl(store, affairs_form, tmp_path / "open.jsonl")
    store.close_survey()
    store.close()
    aside = open_store(tmp_path / "survey.db", affairs_form, read_only=True)
    export_jsonl(aside, affairs_form, tmp_path / "closed.jsonl")
    aside.close()
    item, other = ((tmp_path / f"{state}.jsonl").read_text() for state in ("open", "closed"))
    assert Counter(item.splitlines()) == Counter(other.splitlines())


def test_the_codebook_is_the_design_matrix(
    store: Store, affairs_form: Form, tmp_path: Path
) -> None:
    book = _read(export_csv(store, affairs_form, tmp_path / "reports.csv"))
    question = affairs_form.question("any_affair")
    assert isinstance(question, TableQuestion)
    rows = [row for row in book if row["question"] == "any_affair"]
    chances = {
        (row["answer"], row["report"]): Fraction(int(row["numerator"]), int(row["denominator"]))
        for row in rows
    }
    assert chances["yes", "yes"] == Fraction(6, 10) * Fraction(19, 20)
    assert chances["no", ""] == Fraction(1, 20)
    for answer in ("yes", "no"):
        assert sum(chance for (inputs, _), chance in chances.items() if inputs == answer) == 1
    assert {row["means"] for row in rows if row["report"] == "don't know"} == {"yes | no"}
    for row in book:
        if row["denominator"]:
            exact = Fraction(int(row["numerator"]), int(row["denominator"]))
            assert float(row["chance"]) == pytest.approx(float(exact), rel=1e-11)


def test_the_codebook_tells_the_law_of_the_cuts(
    store: Store, affairs_form: Form, tmp_path: Path
) -> None:
    book = _read(export_csv(store, affairs_form, tmp_path / "reports.csv"))
    line, cut = [row for row in book if row["question"] == "age"]
    assert (line["report"], line["lower"], line["upper"], line["step"]) == ("line", "17", "70", "1")
    assert (cut["report"], cut["lower"], cut["upper"]) == ("cut", "18", "69")
    assert (cut["numerator"], cut["denominator"]) == ("1", "52")
    assert cut["columns"] == "age_above age_upto"


def test_a_failed_export_leaves_no_half_file(
    store: Store, affairs_form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "reports.jsonl"
    path.write_text("kept")

    def damaged(self: object) -> Iterator[str]:
        return iter([json.dumps({"any_affair": 99})])

    monkeypatch.setattr(type(store), "shuffled_values", damaged)
    with pytest.raises(ValueError, match="exactly"):
        export_jsonl(store, affairs_form, path)
    assert path.read_text() == "kept"
    assert {file.name for file in tmp_path.glob("reports*")} == {"reports.jsonl"}


def test_a_place_that_cannot_be_written_is_named(
    store: Store, affairs_form: Form, tmp_path: Path
) -> None:
    with pytest.raises(DocumentError, match=r"nowhere.*a file that can be written"):
        export_csv(store, affairs_form, tmp_path / "nowhere" / "reports.csv")


@pytest.mark.parametrize("write", [export_csv, export_jsonl, lambda s, f, p: export_receipts(s, p)])
def test_only_its_owner_reads_an_export(
    write: Callable[[Store, Form, Path], object], store: Store, affairs_form: Form, tmp_path: Path
) -> None:
    path = tmp_path / "reports.csv"
    with_name_result = path.with_name("reports.csv.part")
    with_name_result.write_text("left by somebody")
    with_name_result.chmod(0o666)
    path.write_text("before")
    path.chmod(0o644)
    mask = os.umask(0)
    try:
        write(store, affairs_form, path)
    finally:
        os.umask(mask)
    assert with_name_result.read_text() == "left by somebody"
    with_name_result.unlink()
    written = [file for file in tmp_path.iterdir() if file.name.startswith("reports")]
    assert {stat.S_IMODE(item.stat().st_mode) for item in written} == {0o600}


def test_a_disk_that_fills_up_is_named(store: Store, affairs_form: Form, tmp_path: Path) -> None:
    """A limit on a file's size stands for the disk."""
    path = tmp_path / "reports.jsonl"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(DocumentError, match=r"reports.jsonl: .*a disk with room for it"):
            export_jsonl(store, affairs_form, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert not list(tmp_path.glob("reports*"))


@pytest.mark.long
def test_memory_does_not_grow_with_the_reports(affairs_form: Form, tmp_path: Path) -> None:
    peaks = []
    for number in (2_000, 40_000):
        store = open_store(tmp_path / f"{number}.db", affairs_form)
        for _ in range(number // 2_000):
            store.append(
                [
                    Accepted(random.randbytes(16), ANSWERS % (index % 50 + 1))
                    for index in range(2_000)
                ]
            )
        tracemalloc.start()
        export_csv(store, affairs_form, tmp_path / "many.csv")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        store.close()
    assert len((tmp_path / "many.csv").read_text().splitlines()) == 40_001
    assert peaks[1] < 1.5 * peaks[0] < 4_000_000


def test_every_receipt_is_in_the_list_and_its_sha256_tells_of_changes(
    tmp_path: Path, affairs_form: Form, make_body: Callable[[], bytes]
) -> None:
    bodies = [make_body() for _ in range(50)]
    store = open_store(tmp_path / "survey.db", affairs_form)
    store.append([accept(body, affairs_form) for body in bodies])
    path = tmp_path / "receipts.txt"
    root = export_receipts(store, path)
    assert root == sha256(path.read_bytes()).hexdigest()
    assert set(path.read_text().split()) == {sha256(body).hexdigest() for body in bodies}
    store.close_survey()
    assert export_receipts(store, path) == root
    store.withdraw(accept(bodies[0], affairs_form).id)
    assert export_receipts(store, path) != root
    assert set(path.read_text().split()) == {sha256(body).hexdigest() for body in bodies[1:]}
    store.close()


def test_rows_come_in_another_order_each_time(store: Store) -> None:
    orders = {tuple(store.shuffled_values()) for _ in range(5)}
    assert len(orders) == 5
    assert len({tuple(sorted(order)) for order in orders}) == 1
