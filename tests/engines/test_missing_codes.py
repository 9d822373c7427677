"""A missing code is a blank in whatever the reports lie in, unless it is the name of an answer."""

import csv
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.engines import count_reports, report_rows
from askance_collect.collect import Accepted, export_csv, export_jsonl, open_store
from askance_collect.wire import Form

NAMES = ["NA", "TRUE", "007", "1e5", "=x", "année", "nan"]
"""Answers that some program takes for something else."""


def _question(kind: str, name: str, names: list[str]) -> dict[str, Any]:
    labels = [{"name": entry, "label": {"en": entry}} for entry in names]
    question = {"kind": kind, "name": name, "text": {"en": name}, "answers": labels}
    if kind == "choice":
        return question
    k = len(names)
    rows = [[3 if report == answer else 1 for report in range(k)] for answer in range(k)]
    return question | {
        "reports": [label | {"means": [i]} for i, label in enumerate(labels)],
        "table": {"total": k + 2, "rows": rows},
        "blank": [0, 1],
        "about": {},
    }


@pytest.fixture
def form(make_form: Callable[..., Form]) -> Form:
    return make_form(
        _question("table", "protected", NAMES),
        _question("choice", "plain", NAMES),
        _question("choice", "other", ["yes", "no"]),
    )


@pytest.fixture
def values(form: Form) -> list[dict[str, int | None]]:
    sizes = [len(NAMES), len(NAMES), 2]
    return [
        {
            question.name: random.choice([None, *range(size)])
            for question, size in zip(form.questions, sizes, strict=True)
        }
        for _ in range(300)
    ]


@pytest.fixture
def places(form: Form, values: list[dict[str, int | None]], tmp_path: Path) -> dict[str, Path]:
    """The same reports in a store, its exports, and tables as other programs write them."""
    path = {name: tmp_path / f"{name}.{name}" for name in ("db", "csv", "jsonl", "parquet")}
    path["R"], path["semicolons"] = tmp_path / "as-r-writes.csv", tmp_path / "semicolons.csv"
    store = open_store(str(path["db"]), form)
    texts = [json.dumps(value, separators=(",", ":"), sort_keys=True) for value in values]
    store.append([Accepted(random.randbytes(16), text) for text in texts])
    export_csv(store, form, path["csv"])
    export_jsonl(store, form, path["jsonl"])
    store.close()
    names = {"protected": NAMES, "plain": NAMES, "other": ["yes", "no"]}
    rows = [
        {name: None if value is None else names[name][value] for name, value in row.items()}
        for row in values
    ]
    pd.DataFrame(rows).to_parquet(path["parquet"])
    for name, separator in (("R", ","), ("semicolons", ";")):
        with path[name].open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(names), delimiter=separator)
            writer.writeheader()
            for row in rows:  # R writes NA for a blank; that cannot be told from an answer NA
                blank = {"protected": "", "plain": "", "other": "NA"}
                writer.writerow({name: cell or blank[name] for name, cell in row.items()})
    return path


def test_every_place_gives_the_same_counts(
    form: Form, values: list[dict[str, int | None]], places: dict[str, Path]
) -> None:
    """An answer NA was counted as a blank in the comma-separated export alone."""
    right = {name: dict(Counter(row[name] for row in values)) for name in values[0]}
    for position in places.values():
        counts = count_reports(position, form)
        assert {name: dict(counted) for name, counted in counts.values.items()} == right
        rows = report_rows(position, form)
        assert {name: dict(Counter(row.values[name] for row in rows)) for name in right} == right


def test_every_place_gives_the_same_estimates(
    form: Form, places: dict[str, Path], tmp_path: Path
) -> None:
    published = tmp_path / "survey.form.json"
    published.write_bytes(form.bytes)

    def run(*arguments: object) -> str:
        result = CliRunner().invoke(verbs, [*map(str, arguments)], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    def estimates(*arguments: object) -> Any:
        result = json.loads(run("estimate", published, *arguments, "--json"))
        return {
            key: value
            for key, value in result.items()
            if key not in ("command", "data_sha256", "fieldwork")
        }

    counted = tmp_path / "counts.json"
    run("count", published, places["csv"], "--out", counted)
    stored, grouped = estimates(places["db"]), estimates(places["db"], "--by", "other")
    assert estimates(counted) == stored
    for position in places.values():
        assert estimates(position) == stored
        assert estimates(position, "--by", "other") == grouped


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_of_one_column_keeps_the_name(ending: str, places: dict[str, Path]) -> None:
    channel = ak.KAry(truth="1/2").channel(ak.Frame(NAMES))
    tally = ak.tally(channel, places[ending], column="protected")
    stored = pd.read_parquet(places["parquet"])["protected"]
    assert tally == ak.tally(channel, stored)
    assert tally.counts[0] == (stored == "NA").sum() > 0
