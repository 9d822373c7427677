"""Another program at the command line: commands one after the other, and columns as it has them."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from askance import load_survey, publish
from askance.cli import verbs
from askance_collect.collect import open_store
from askance_collect.errors import DocumentError

ROOT = Path(__file__).parents[2]
PEOPLE = ROOT / "r/inst/extdata/practices.csv"
FORCED = ("--mechanism", "forced:yes=1/6,no=1/6")
ESTIMATE = ["estimate", *FORCED, str(PEOPLE), "--column", "forced", "--json"]
WARNER = {"name": "warner", "truth": "3/4"}
REFUSED = ["estimate", "--mechanism", "warner:truth=2", str(PEOPLE), "--column", "forced"]


def answers(*lines):
    """What is answered to these lines."""
    text = "".join(item if isinstance(item, str) else f"{json.dumps(item)}\n" for item in lines)
    outcome = CliRunner().invoke(verbs, ["rpc"], input=text.encode())
    assert outcome.exit_code == 0
    assert outcome.stderr == ""
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def handed_over(path, columns):
    """Write columns as the R package does; of texts a tuple of these and of positions."""
    named = [
        {"name": name} | ({"texts": column[0]} if isinstance(column, tuple) else {})
        for name, column in columns.items()
    ]
    cells = [
        np.array(item[1] if isinstance(item, tuple) else item, "<f8") for item in columns.values()
    ]
    head = json.dumps({"rows": len(cells[0]), "columns": named})
    path.write_bytes(head.encode() + b"\n" + b"".join(cell.tobytes() for cell in cells))
    return path


def estimated(path, column="x", *more):
    """Estimate from a column, in this process."""
    words = ["estimate", *FORCED, str(path), "--column", column, *more, "--json"]
    outcome = CliRunner().invoke(verbs, words)
    if outcome.exception:
        raise outcome.exception
    return outcome.stdout


def test_each_line_is_answered_with_what_the_command_says():
    estimated, refused, unknown, again = answers(ESTIMATE, REFUSED, ["estimat"], ESTIMATE)
    alone = CliRunner().invoke(verbs, ESTIMATE)
    assert estimated == again == {"status": 0, "out": alone.output, "err": ""}
    assert refused["status"] == unknown["status"] == 2
    assert refused["out"] == ""
    assert refused["err"].startswith("askance: --mechanism warner: Warner.truth: got '2'")
    assert "Did you mean 'estimate'" in unknown["err"]


def test_a_command_that_asks_takes_no_call_for_an_answer(tmp_path):
    """It was answered by the lines that came after it."""
    store = tmp_path / "sent.db"
    form = publish(load_survey(ROOT / "examples/affairs.toml"))
    open_store(store, form).close()
    calls = [["collect", "delete", str(store), str(tmp_path / "proof")], "y", ["--version"]]
    text = "".join(f"{json.dumps(call)}\n" if isinstance(call, list) else "y\n" for call in calls)
    run = [sys.executable, "-m", "askance", "rpc"]
    done = subprocess.run(run, input=text.encode(), capture_output=True, check=True)
    questions, _, version = [json.loads(line) for line in done.stdout.splitlines()]
    assert (questions["status"], version["status"]) == (1, 0)
    assert store.exists()
    assert not (tmp_path / "proof").exists()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"verb": "estimate", "reports": [], "mechanism": WARNER}, "REPORTS: got"),
        (
            {"verb": "compare", "mechanism": {"a": WARNER, "b": WARNER}},
            "REPORTS: got",
        ),
        (
            {
                "verb": "estimate",
                "form": "a.toml",
                "reports": ["sent.csv"],
                "mechanism": WARNER,
            },
            "FORM: got 'a.toml'; allowed: nothing, beside --mechanism",
        ),
        ({"verb": "estimate", "form": "a.toml\0", "reports": ["sent.csv"]}, "a readable file"),
        ({"verb": "estimate", "form": "\ud800.toml", "reports": ["sent.csv"]}, "a readable file"),
        ({"verb": "estimat"}, "did you mean 'estimate'"),
    ],
)
def test_a_wrong_call_is_an_error_and_no_fault(call, message):
    (answer,) = answers(json.dumps(call) + "\n")
    assert answer["status"] == 2
    assert message in answer["err"]


def test_what_is_no_command_is_told_with_its_line():
    answers_result = answers(
        ["--version"], "nonsense\n", "[1]\n", '{"a": 1}\n', ["rpc"], ["--version"]
    )
    assert [element["status"] for element in answers_result] == [0, 2, 2, 2, 2, 0]
    for number, item in enumerate(answers_result[1:-1], start=2):
        assert f"standard input: line {number}" in item["err"]
        assert "allowed: a call in JSON" in item["err"]
    assert answers() == []


def test_a_fault_of_one_command_ends_no_other(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a fault")

    monkeypatch.setattr(sys.modules["askance.cli.estimate"], "read_source", fail)
    fault, version = answers(ESTIMATE, ["--version"])
    assert fault["status"] == 1
    assert fault["err"].endswith("RuntimeError: a fault\n")
    assert version["status"] == 0


def test_columns_are_read_as_they_were_handed_over(tmp_path):
    texts = ["NA", "01", "", "é, “x”", "yes"]
    columns = {
        "x": [1 / 3, math.nan, -1e300],
        "a b": (texts, [2, 0, 4]),
        "c": (texts, [1, 3, 1]),
        "said": (["yes"], [1, 1, 0]),
    }
    path = handed_over(tmp_path / "people.columns", columns)
    document = json.loads(estimated(path, "said", "--by", "x", "--by", "a b", "--by", "c"))
    assert sorted(
        [*item["group"].values(), item["reports"]] for item in document["groups"][:2]
    ) == [
        [-1e300, "é, “x”", "NA", 0],
        [1 / 3, "01", "NA", 1],
    ]
    assert [*document["groups"][2]["group"].values()] == [None, None, ""]


@pytest.mark.parametrize(
    "columns", [{"x": []}, {"x": (["a"], [2])}, {"x": (["a"], [-1])}, {"x": (["a"], [math.inf])}]
)
def test_columns_that_cannot_be_right_are_refused(columns, tmp_path):
    with pytest.raises(DocumentError, match=r"people\.columns.*as the R package hands them over"):
        estimated(handed_over(tmp_path / "people.columns", columns))


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"[]\n",
        b"nonsense\n",
        b'{"rows": 1}\n',
        b'{"rows": 1, "columns": [{"name": "x"}]}\n1234567',
        b'{"rows": 2, "columns": [{"name": "x"}]}\n12345678',
        b'{"rows": 1, "columns": [{"name": "x"}, {"name": "x"}]}\n1234567812345678',
        b'{"rows": -1, "columns": [{"name": "x"}]}\n12345678',
        b'{"rows": 1, "columns": [{"name": "x"}]}\n1234567812345678',
        b'{"rows": 99999999999999999999, "columns": [{"name": "x"}]}\n12345678',
        b'{"rows": 1, "columns": ["x"]}\n12345678',
        b'{"rows": 1, "columns": [{"name": "x", "texts": "ab"}]}\n12345678',
    ],
)
def test_a_file_that_holds_no_columns_is_refused(written, tmp_path):
    path = tmp_path / "people.columns"
    path.write_bytes(written)
    with pytest.raises(DocumentError, match=r"people\.columns.*as the R package hands them over"):
        estimated(path)
    with pytest.raises(DocumentError, match=r"none\.columns"):
        estimated(tmp_path / "none.columns")


def rounded(number):
    """Ten digits, and none of what rounding leaves of 0."""
    return f"{float(number) if abs(float(number)) > 1e-12 else 0:.10g}"


@pytest.mark.parametrize(
    "words",
    [
        ("estimate", "--column", "forced"),
        ("estimate", "--column", "forced", "--by", "region", "--weights", "weight"),
        ("estimate", "--column", "forced", "--weights", "weight", "--clusters", "school"),
        ("regress", "--formula", "forced ~ age", "--missing", "drop"),
        ("bounds", "--column", "forced", "--nonresponse"),
    ],
)
def test_columns_tell_what_a_table_of_text_tells(words, tmp_path):
    table = pd.read_csv(PEOPLE, keep_default_na=False, na_values=["NA"])
    columns = {name: table[name] for name in ("weight", "age")}
    for name in ("forced", "region", "school"):
        index, texts = pd.factorize(table[name])
        columns[name] = (list(texts), index + 1)
    path = handed_over(tmp_path / "people.columns", columns)
    verb, *more = words
    stdouts = [  # sums of weights are rounded in the order of their rows
        CliRunner().invoke(verbs, [verb, *FORCED, str(position), *more, "--json"]).stdout
        for position in (PEOPLE, path)
    ]
    table, columns = (json.loads(item, parse_float=rounded) for item in stdouts)
    assert table == columns


def test_verbs_of_the_collector_take_objects_too(tmp_path):
    """They have one description, too: flags, JSON and the table of options follow from it."""
    form, store = tmp_path / "s.form.json", tmp_path / "s.db"
    form.write_bytes(publish(load_survey(ROOT / "examples/affairs.toml")).bytes)
    open_store(store, publish(load_survey(ROOT / "examples/affairs.toml"))).close()
    by_object, by_words, without, beyond = answers(
        {"verb": "collect status", "store": str(store)},
        ["collect", "status", str(store)],
        {"verb": "collect close"},
        {"verb": "serve", "surveys": [str(form)], "port": 70000},
    )
    assert by_object == by_words
    assert by_object["status"] == 0
    assert "store: got 'nothing'; allowed: text" in without["err"]
    assert "port: got 70000; allowed: a whole number from 0 to 65,535" in beyond["err"]
