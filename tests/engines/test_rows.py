"""Reports are read one by one as they were stored, with what else stands in their row."""

import json
import random
from pathlib import Path

import pytest

from askance.engines import ReportRow, report_rows
from askance_collect.collect import Accepted, export_csv, export_jsonl, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

VALUES: list[dict[str, int | tuple[int, int] | None]] = [
    {"any_affair": 0, "age": (0, 12), "children": 1, "years": 80},
    {"any_affair": 2, "age": (12, 53), "children": None, "years": 0},
    {"any_affair": None, "age": None, "children": 0, "years": None},
]


@pytest.fixture
def store_url(tmp_path: Path, affairs_form: Form) -> str:
    url = str(tmp_path / "survey.db")
    store = open_store(url, affairs_form)
    spelt = [json.dumps(item, separators=(",", ":"), sort_keys=True) for item in VALUES]
    store.append([Accepted(random.randbytes(16), item) for item in spelt])
    store.close()
    return url


def _describe_rows(rows: list[ReportRow]) -> list[str]:
    return sorted(str(dict(row.values)) for row in rows)


def test_a_store_gives_each_report_with_its_id(store_url: str, affairs_form: Form) -> None:
    rows = report_rows(store_url, affairs_form)
    assert _describe_rows(rows) == sorted(map(str, VALUES))
    assert all(set(row.other_columns) == {"id"} for row in rows)
    assert len({row.other_columns["id"] for row in rows}) == 3


def test_files_give_the_same_reports_and_their_other_columns(
    store_url: str, tmp_path: Path, affairs_form: Form
) -> None:
    store = open_store(store_url)
    table, lines = tmp_path / "reports.CSV", tmp_path / "reports.ndjson"
    export_csv(store, affairs_form, table)
    export_jsonl(store, affairs_form, lines)
    store.close()
    assert _describe_rows(report_rows(lines, affairs_form)) == sorted(map(str, VALUES))
    assert [row.other_columns for row in report_rows(lines, affairs_form)] == [{}] * 3
    header, *rows = table.read_text("utf-8-sig").splitlines()
    wide = [f"région,{header},weight"]
    wide += [f'"nord, {position}",{row},{position}.5' for position, row in enumerate(rows)]
    table.write_text("\n".join(wide) + "\n", "utf-8-sig")
    result = report_rows(table, affairs_form)
    assert _describe_rows(result) == sorted(map(str, VALUES))
    for index, row in enumerate(result):
        assert row.other_columns["région"] == f"nord, {index}"
        assert row.other_columns["weight"] == f"{index}.5"
        assert not set(row.other_columns) & set(VALUES[0])


def test_a_row_that_nobody_can_have_sent_is_named(
    store_url: str, tmp_path: Path, affairs_form: Form
) -> None:
    store = open_store(store_url)
    table, lines = tmp_path / "reports.csv", tmp_path / "reports.jsonl"
    export_csv(store, affairs_form, table)
    export_jsonl(store, affairs_form, lines)
    store.close()
    written = table.read_text("utf-8-sig").splitlines()
    for row, message in (("4711", "row 3"), (written[2] + ",4711", "row 3: got")):
        table.write_text("\n".join([*written[:2], row, *written[3:]]), "utf-8")
        with pytest.raises(DocumentError, match=message) as caught:
            report_rows(table, affairs_form)
        assert "4711" not in str(caught.value)
    lines.write_text(lines.read_text("utf-8") + '{"any_affair": 4711}\n', "utf-8")
    with pytest.raises(DocumentError, match="4") as caught:
        report_rows(lines, affairs_form)
    assert "4711" not in str(caught.value)
    with pytest.raises(DocumentError):
        report_rows(tmp_path / "none.csv", affairs_form)
