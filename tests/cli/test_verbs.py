"""The verbs in the order in which a survey needs them, as a person types them."""

import inspect
import json
import re
import runpy
import socket
import subprocess
import sys
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from askance import Form
from askance.cli import verbs
from askance_collect.collect import accept, open_store
from askance_collect.errors import AskanceError
from askance_collect.respond import respond

ROOT = Path(__file__).parents[2]
ANSWERS = ROOT / "examples/affairs-answers.csv"
SURVEY = ROOT / "examples/affairs.toml"


def run(*words, expect=0):
    outcome = CliRunner().invoke(verbs, [str(word) for word in words])
    if expect == 0 and outcome.exception:
        raise outcome.exception
    assert outcome.exit_code == expect
    return outcome.output


def typed(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "askance", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def ended(monkeypatch, capsys):
    """Do what the command does, in this process: ended(word, …, cwd=…) gives its end and words."""

    def call(*words, cwd):
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["askance", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            runpy.run_module("askance", run_name="__main__")
        return subprocess.CompletedProcess(words, end.value.code, *capsys.readouterr())

    return call


@pytest.fixture
def collected(tmp_path):
    """A survey of its own, published, with 60 reports in its store."""
    survey = tmp_path / "s.toml"
    run("new", survey)
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    store = open_store(tmp_path / "r.db", form)
    people = [
        {"region": 0, "cheated": index % 2, "party": index % 4, "income": index % 40}
        for index in range(60)
    ]
    store.append([accept(respond(form, person).body(form.size), form) for person in people])
    store.close()
    return tmp_path


def test_help_names_every_verb_in_order():
    completed = run("--help")
    assert "..." not in completed.split("Commands:")[1]
    assert max(map(len, completed.splitlines())) <= 80
    assert "..." not in run("collect", "--help").split("Commands:")[1]
    for verb in ("new", "plan", "check", "publish", "serve", "collect", "estimate", "demo"):
        assert f"  {verb}" in completed
    assert "A survey, in order:" in completed


def loaded(words, cwd):
    """The packages that a command loads, and the modules of scipy."""
    say = [sys.executable, "-X", "importtime", "-m", "askance", *map(str, words)]
    done = subprocess.run(say, cwd=cwd, capture_output=True, text=True, check=False)
    names = re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE)
    return {name for name in names if "." not in name or re.fullmatch(r"scipy\.[a-z]\w+", name)}


@pytest.mark.long
@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["new", "n.toml"], ["collect", "status", "r.db"]]
)
def test_a_verb_loads_only_what_it_needs(words, tmp_path):
    packages = loaded(words, tmp_path)
    assert "click" in packages
    assert not packages & {"numpy", "scipy", "rich", "msgspec", "starlette", "duckdb", "narwhals"}


LIBRARIES = {
    *("formulaic", "great_tables", "jinja2", "matplotlib", "pandas", "playwright", "polars"),
    *("psycopg", "pyarrow", "pyreadstat", "rich", "sklearn", "starlette", "uvicorn"),
    *(f"scipy.{word}" for word in ("integrate", "interpolate", "optimize", "sparse", "stats")),
}


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "--column", "forced", "--weights", "weight", "--clusters", "school"],
        ["regress", "--formula", "forced ~ age + female", "--missing", "drop"],
    ],
)
def test_estimates_from_a_table_load_no_library_that_others_need(words, tmp_path):
    verb, *more = words
    table = ROOT / "r/inst/extdata/practices.csv"
    mechanism = ["--mechanism", "forced:yes=1/6,no=1/6"]
    packages = loaded([verb, *mechanism, table, *more, "--json"], tmp_path)
    assert {"numpy", "scipy"} <= packages
    assert packages.isdisjoint(LIBRARIES), packages & LIBRARIES


def test_the_list_of_verbs_says_what_each_says_of_itself():
    listed = run("--help").split("Commands:")[1]
    for name in verbs.list_commands(None):
        short = verbs.get_command(None, name).get_short_help_str(200)
        assert f"  {name} " in listed
        assert short[:40] in listed


def test_a_verb_that_is_none_is_answered_with_one_like_it(tmp_path):
    assert "Did you mean 'collect'?" in run("colect", expect=2)


def test_new_writes_a_survey_that_checks_and_overwrites_nothing(tmp_path):
    survey = tmp_path / "my survey.toml"
    assert "askance check" in run("new", survey)
    completed = run("check", survey, "-n", 500)
    for word in ("60 send “yes”", "1.791760", "from 500", "2.197225", "worst density ratio"):
        assert word in " ".join(completed.split())
    with pytest.raises(AskanceError, match="choose another name"):
        run("new", survey)


@pytest.mark.long
def test_a_file_that_cannot_be_written_is_named(tmp_path):
    survey = tmp_path / "survey.toml"
    run("new", survey)
    for verb, option in (("check", "--picture"), ("publish", "--page")):
        with pytest.raises(AskanceError, match=r"nowhere.*a file that can be written"):
            run(verb, survey, option, tmp_path / "nowhere" / "file")


@pytest.mark.long
def test_check_draws_a_picture_where_it_is_asked_to(tmp_path):
    run("check", ROOT / "examples/income.toml", "--picture", tmp_path / "seen.svg")
    assert (tmp_path / "seen.svg").read_text("utf-8").startswith("<svg ")


def test_publish_writes_form_and_page(tmp_path):
    run("new", tmp_path / "s.toml")
    completed = run("publish", tmp_path / "s.toml", "--page", tmp_path / "s.html")
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    assert form.fingerprint in completed
    assert form.bytes in (tmp_path / "s.html").read_bytes()


def test_a_store_is_counted_exported_and_closed(collected):
    assert run("collect", "status", collected / "r.db").startswith("60 reports, open")
    for name in ("r.csv", "r.jsonl"):
        run("collect", "export", collected / "r.db", collected / name)
    assert "closed with 60" in run("collect", "close", collected / "r.db")
    assert "closed" in run("collect", "status", collected / "r.db")
    with pytest.raises(AskanceError, match="xlsx"):
        run("collect", "export", collected / "r.db", collected / "r.xlsx")


def test_a_report_is_withdrawn_by_its_receipt(collected):
    listed = run("collect", "receipts", collected / "r.db", collected / "before.txt").split()[-1]
    assert listed == sha256((collected / "before.txt").read_bytes()).hexdigest()
    assert f"receipts SHA-256 {listed}\n" in run("collect", "status", collected / "r.db")
    store = open_store(collected / "r.db", read_only=True)
    id, digest = next(store.reports())[0], (collected / "before.txt").read_text().split()[0]
    store.close()
    for words, message in [
        ((id[:31],), "32 hexadecimal digits"),
        (("0" * 32,), "no such report"),
        ((id, "0" * 64), "nothing was withdrawn"),
    ]:
        with pytest.raises(AskanceError, match=message):
            run("collect", "withdraw", collected / "r.db", *words)
    message = run("collect", "withdraw", collected / "r.db", id, digest)
    assert "59 reports are left" in message
    assert "backups still contain it: make a new one" in message
    run("collect", "receipts", collected / "r.db", collected / "after.txt")
    before, after = ((collected / f"{name}.txt").read_text() for name in ("before", "after"))
    assert after == before.replace(f"{digest}\n", "")


def test_a_store_is_backed_up_for_a_key_and_restored(collected):
    before = run("collect", "status", collected / "r.db")
    copy, key = collected / "r.age", collected / "key.txt"
    (collected / "public.txt").write_text("# of the office\n" + run("collect", "key", key)[-63:])
    completed = run(
        "collect", "backup", collected / "r.db", copy, "--recipient", collected / "public.txt"
    )
    assert completed.startswith(f"{copy}  encrypted\n60 reports, open\nform SHA-256 ")
    with pytest.raises(AskanceError, match="an encrypted backup"):
        run("collect", "restore", copy)
    assert run("collect", "restore", copy, "--identity", key) in completed
    again = run("collect", "restore", copy, collected / "new.db", "--identity", key)
    assert "withdraw again what was withdrawn after the backup" in again
    assert run("collect", "status", collected / "new.db") == before
    with pytest.raises(AskanceError, match="a public key"):
        run("collect", "backup", collected / "r.db", copy, "--recipient", "nowhere.txt")


def test_reports_are_deleted_after_a_day_and_that_is_written_down(collected):
    store, proof = collected / "r.db", collected / "proof.json"
    words = ("collect", "delete", store, proof)
    tomorrow, yesterday = (str(date.today() + timedelta(days=number)) for number in (1, -1))
    for day in (tomorrow, str(date.today())):
        assert "nothing is deleted" in run(*words, "--keep-until", day)
    with pytest.raises(AskanceError, match="a day: 2027-03-31"):
        run(*words, "--keep-until", "soon")
    refused = CliRunner().invoke(verbs, [str(word) for word in words], input="n\n")
    assert (refused.exit_code, proof.exists()) == (1, False)
    assert "60 reports" in run("collect", "status", store)
    assert "60 reports are deleted" in run(*words, "--keep-until", yesterday)
    assert "all is deleted" in run(*words, "--keep-until", yesterday)
    assert json.loads(proof.read_text())["reports"] == 60
    assert "0 reports, closed" in run("collect", "status", store)
    with pytest.raises(AskanceError, match="a new file"):
        run(*words, "--yes")


def test_a_damaged_store_is_named_and_repaired(collected):
    store, new = collected / "r.db", collected / "new.db"
    content = store.read_bytes()
    assert "all that were kept" in run("collect", "repair", store, new)
    new.unlink()
    store.write_bytes(content.replace(b'"party":1', b'"party":2'))
    assert "some are not as they were kept" in run("collect", "repair", store, new)
    new.unlink()
    store.write_bytes(content[:4096] + bytes(4096) + content[8192:])
    for verb in (("close",), ("withdraw", "0" * 32)):
        with pytest.raises(AskanceError, match="askance-collect repair STORE NEW"):
            run("collect", verb[0], store, *verb[1:])
    completed = run("collect", "repair", store, new, "--form", collected / "s.form.json")
    assert "r.db: Page 2: " in completed
    assert "60 of 60 reports are in" in completed
    completed = json.loads(run("estimate", collected / "s.form.json", new, "--json", *SURE))
    assert completed["reports"] == 60


SURE = ("--level", "0.9999999")
"""An interval that misses once in ten million runs: the reports are drawn afresh each time."""


@pytest.mark.long
def test_every_source_gives_the_same_estimate(collected):
    for name in ("r.csv", "r.jsonl"):
        run("collect", "export", collected / "r.db", collected / name)
    documents = [
        json.loads(run("estimate", collected / "s.form.json", collected / name, "--json", *SURE))
        for name in ("r.db", "r.csv", "r.jsonl")
    ]
    assert [document["reports"] for document in documents] == [60, 60, 60]
    assert documents[0]["findings"] == documents[1]["findings"] == documents[2]["findings"]
    assert documents[0]["data_sha256"] != documents[1]["data_sha256"]
    cheated = documents[0]["findings"][1]
    assert cheated["estimate"]["lower"][0] < 0.5 < cheated["estimate"]["upper"][0]


@pytest.mark.long
def test_estimate_prints_a_table_and_writes_the_page(collected):
    page = collected / "page.html"
    completed = run("estimate", collected / "s.form.json", collected / "r.db", "--page", page)
    assert "cheated" in completed
    assert "mean, euros" in completed
    assert "<svg" in page.read_text("utf-8")


@pytest.mark.long
def test_errors_are_one_line_with_code_2(tmp_path):
    (tmp_path / "bad.toml").write_text('askance = "survey-1"\ntitel = "x"\n')
    failed = typed("check", "bad.toml", cwd=tmp_path)
    assert failed.returncode == 2
    assert failed.stderr.startswith("askance: line 2, titel: got 'titel'")
    assert "did you mean 'title'" in failed.stderr
    assert "Traceback" not in failed.stderr
    failed = typed("estimate", "gone.form.json", "reports.db", cwd=tmp_path)
    assert (failed.returncode, "a readable file" in failed.stderr) == (2, True)


@pytest.mark.long
def test_a_rehearsal_runs_from_end_to_end(tmp_path):
    """The real collector in its own process, real reports over HTTP, the truth beside them."""
    few = tmp_path / "few.csv"
    few.write_text("".join(ANSWERS.read_text().splitlines(keepends=True)[:301]))
    done = typed("demo", SURVEY, few, "--page", tmp_path / "p" / "page.html", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    for word in ("300 people", "100%", "Truth", "affair", "mean, years", "askance serve"):
        assert word in done.stdout
    assert [line for line in done.stdout.split("\n") if line != line.rstrip()] == []
    assert (tmp_path / "p" / "page.html").stat().st_size < 500_000
    assert f"askance demo examples/affairs.toml {few}" in (tmp_path / "p" / "page.html").read_text()


@pytest.mark.long
def test_the_example_is_found_from_every_folder(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", "from askance.cli.demo import *; print(SURVEY.is_file(), ANSWERS)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    assert result == f"True {ANSWERS}\n"


@pytest.mark.long
def test_a_rehearsal_without_answers_says_what_is_missing(tmp_path, ended):
    failed = ended("demo", SURVEY, "gone.csv", cwd=tmp_path)
    assert failed.returncode == 2
    assert "gone.csv" in failed.stderr
    failed = ended("demo", "examples/affairs.toml", cwd=tmp_path)
    assert failed.returncode == 2
    assert "examples/affairs.toml" in failed.stderr


def test_serving_a_closed_survey_says_that_it_is_closed(collected, monkeypatch):
    served = []
    monkeypatch.setattr(
        "askance_collect.cli.serve.run",
        lambda make, announce, *_, **__: served.append(make()) or announce("u"),
    )
    completed = run("serve", collected / "s.toml", "--store", collected / "r.db")
    assert "the survey is closed" not in completed
    run("collect", "close", collected / "r.db")
    completed = run("serve", collected / "s.toml", "--store", collected / "r.db")
    assert "the survey is closed" in completed
    assert len(served) == 2


@pytest.mark.long
def test_an_open_address_needs_a_proxy_and_an_origin_is_one(tmp_path, ended):
    survey = ROOT / "examples" / "income.toml"
    for replies, word in [
        (("--host", "0.0.0.0"), "--behind-proxy"),
        (("--page-origin", "https://example.org/survey"), "page-origin"),
    ]:
        failed = ended("serve", survey, "--port", 0, *replies, cwd=tmp_path)
        assert (failed.returncode, failed.stdout) == (2, "")
        assert word in failed.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_what_cannot_be_served_leaves_nothing_behind_and_nothing_overwritten(tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey)
    with socket.create_server(("127.0.0.1", 0)) as server:
        failed = typed("serve", survey, "--port", server.getsockname()[1], cwd=tmp_path)
    assert (failed.returncode, "a free port" in failed.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]
    run("publish", survey)
    content = (tmp_path / "s.form.json").read_bytes()
    open_store(tmp_path / "reports.db", Form.read(content)).close()
    survey.write_text(survey.read_text("utf-8").replace("My survey", "Another"), "utf-8")
    failed = typed("serve", survey, "--port", 0, cwd=tmp_path)
    assert (failed.returncode, "one store belongs to one form" in failed.stderr) == (2, True)
    assert (tmp_path / "s.form.json").read_bytes() == content


def test_several_surveys_are_told_apart_by_name_and_each_has_a_place(tmp_path):
    run("new", tmp_path / "a.toml")
    (tmp_path / "empty").mkdir()
    (tmp_path / "more").mkdir()
    run("new", tmp_path / "more" / "a.toml")
    for words, result in [
        ((tmp_path / "a.toml", tmp_path / "more"), "a twice"),
        (
            (tmp_path / "more", "--store", "reports.db"),
            "a place for each survey, with {name} in it",
        ),
        ((tmp_path / "empty",), "a folder without any"),
        ((tmp_path / "a.toml", "--page-origin", "b=https://x.org"), "NAME is a"),
        ((tmp_path / "a.toml", "--until", "b=2027-03-31"), "NAME is a"),
        ((tmp_path / "a.toml", "--until", "31.3.2027"), "a day: 2027-03-31"),
    ]:
        with pytest.raises(AskanceError, match=re.escape(result)):
            run("serve", *words)


@pytest.mark.parametrize("handed", [False, True], ids=["a proxy", "a socket of the system"])
def test_a_rate_is_never_counted_by_what_anybody_may_write_nor_all_as_one(
    tmp_path, monkeypatch, handed
):
    survey = tmp_path / "s.toml"
    run("new", survey)
    survey.write_text(survey.read_text("utf-8") + "\n[open]\nrate = 30\n", "utf-8")
    with pytest.raises(AskanceError, match=r"--address-header: got 'X-Real-IP'; allowed: none"):
        run("serve", survey, "--address-header", "X-Real-IP")
    if handed:
        monkeypatch.setenv("LISTEN_FDS", "1")
    with pytest.raises(AskanceError, match=r"--address-header: got 'none'; allowed: one"):
        run("serve", survey, *([] if handed else ["--behind-proxy"]))
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]


LITTLE_ROOM = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
from askance.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("room", "words"),
    [
        (100, ("new", "n.toml")),
        (100, ("publish", "s.toml")),
        (100, ("check", "s.toml", "--picture", "seen.svg")),
        (100, ("collect", "export", "r.db", "s.jsonl")),
        (100, ("collect", "receipts", "r.db", "s.txt")),
        (8192, ("collect", "close", "r.db")),
        (100, ("collect", "backup", "r.db", "copy")),
        (100, ("collect", "delete", "r.db", "proof.json", "--yes")),
        (100, ("collect", "repair", "r.db", "new.db")),
    ],
)
@pytest.mark.long
def test_a_full_disk_is_named_and_spoils_nothing(collected, room, words):
    """A limit on the size of files stands for the disk."""
    before = {path.name: path.read_bytes() for path in collected.iterdir()}
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_ROOM, str(room), *words],
        cwd=collected,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("askance: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert any(word in done.stderr for word in ("disk", "room", "File too large"))
    after = {path.name: path.read_bytes() for path in collected.iterdir()}
    assert {*after} - {*before} <= {"r.db-lock", "r.db-wal", "r.db-shm"}
    assert {name: after[name] for name in before if name != "r.db"} == {
        name: content for name, content in before.items() if name != "r.db"
    }
    store = open_store(collected / "r.db")
    assert len(list(store.reports())) == 60
    store.close()


def commands(group, above=()):
    """Every verb, those of groups too, by the words that name it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))
        else:
            yield " ".join((*above, name)), command


def test_every_verb_but_rpc_takes_a_request():
    taking = {
        name
        for name, command in commands(verbs)
        if "request" in inspect.signature(command.callback).parameters
    }
    assert {name for name, _ in commands(verbs)} - taking == {"rpc"}
