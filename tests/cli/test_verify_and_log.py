"""Typed: a page is verified from elsewhere, and a log is kept and checked."""

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.survey import load_survey, publish
from askance.transparency import append_entries, read_log
from askance_collect.collect import create_app, open_store, serving
from askance_collect.respond import render_page

SURVEY = Path("examples/affairs.toml").resolve()
NAME = "study.example.org/exam"


def typed(*words):
    """What a command says, and what it ends with; errors are told as `main` tells them."""
    from askance_collect.errors import AskanceError

    run = CliRunner().invoke(verbs, [str(word) for word in words])
    if isinstance(run.exception, AskanceError):
        return str(run.exception), 2
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exception
    return run.output, run.exit_code


@pytest.fixture
def survey_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("exam.toml").write_bytes(SURVEY.read_bytes())
    return tmp_path


@pytest.fixture(scope="module")
def form():
    return publish(load_survey(SURVEY))


def receipts(*numbers):
    digests = [sha256(b"%d" % number).hexdigest() for number in numbers]
    Path("receipts.txt").write_text("".join(f"{digest}\n" for digest in digests), "ascii")
    return digests


@pytest.mark.long
def test_a_page_is_verified_where_it_is_served(survey_folder, form):
    page, store = render_page(form), open_store("exam.db", form)
    with serving(create_app(form, page.bytes, page.headers, page.sha256, store)) as address:
        assert typed("verify", address, "exam.toml") == (
            f"same  {address}\npage SHA-256 {page.sha256}\n",
            0,
        )
        printed = ("--digest", page.sha256, "--digest", form.fingerprint)
        assert typed("verify", address, "exam.toml", "--quiet", *printed) == ("", 0)
        assert typed("verify", address, "exam.toml", "--digest", "00" * 32)[1] == 1
        assert typed("verify", address, "exam.toml", "--digest", "00")[1] == 2
        for client in ("firefox", "chromium", "curl"):
            assert typed("verify", address, "exam.toml", "--client", client)[1] == 0
    store.close()
    result, code = typed("verify", address, "exam.toml")
    assert code == 3
    assert result.startswith(f"unreachable  {address}\n- {address}: no answer")


@pytest.mark.long
def test_each_outcome_has_a_status_of_its_own(survey_folder, form):
    page = render_page(form).bytes
    for received, code in (
        (page, 0),
        (page.replace(b"noindex", b"index"), 1),
        (re.sub(rb'content="Askance [^"]*"', b'content="Askance 9.9"', page), 4),
    ):
        Path("page.html").write_bytes(received)
        assert typed("verify", "page.html", "exam.toml")[1] == code
    assert typed("verify", "nowhere.html", "exam.toml")[1] == 2
    assert typed("verify", "ftp://example.org/", "exam.toml")[1] == 2
    assert typed("verify", "page.html", "nowhere.toml")[1] == 2
    assert typed("verify", "page.html", "exam.toml", "--client", "tea")[1] == 2


@pytest.mark.long
def test_what_is_seen_is_noted_and_a_pause_is_told(survey_folder, form):
    Path("page.html").write_bytes(render_page(form).bytes)
    result, code = typed("verify", "page.html", "exam.toml", "--log", "watch.log")
    assert code == 2
    assert "askance log new makes one" in result
    typed("log", "new", "watch.log", "--name", "library.example.org/watch")
    now = datetime.now(UTC)
    for hours in (50, 49, 20):
        when = f"{now - timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"
        append_entries("watch.log", [f"seen {when} same {'00' * 32} https://exam.example.org/"])
    assert typed("verify", "page.html", "exam.toml", "--log", "watch.log")[1] == 0
    Path("page.html").write_bytes(b"tea")
    assert typed("verify", "page.html", "exam.toml", "--log", "watch.log")[1] == 1
    key = ("--key", "watch.log.vkey")
    result, code = typed("log", "check", "watch.log", *key, "--max-gap", "24")
    first, *gaps = result.splitlines()
    assert code == 1
    assert first == (
        "watch.log  whole: 5 entries, 5 heads; 5 seen, of them 4 same, of them 1 different"
    )
    assert len(gaps) == 1
    assert gaps[0].startswith(f"gap  {now - timedelta(hours=49):%Y-%m-%d %H:%M} to ")
    assert typed("log", "check", "watch.log", *key, "--max-gap", "30")[1] == 0
    assert typed("log", "check", "watch.log", *key, "--max-gap", "19")[0].count("gap") == 2


@pytest.mark.long
def test_a_log_is_kept_from_start_to_end(survey_folder, form):
    result, code = typed("log", "new", "exam.log", "--name", NAME)
    assert (code, len(result.splitlines())) == (0, 3)
    assert typed("log", "head", "exam.log")[1] == 2  # nothing in it so far
    result, _ = typed("publish", "exam.toml", "--page", "exam.html", "--log", "exam.log")
    assert "exam.log  1 form, 1 page added, 2 entries in all" in result
    assert typed("log", "add", "exam.log", "--survey", "exam.form.json")[0] == (
        "all of it is in the log already\n"
    )
    assert typed("log", "head", "exam.log", "--out", "head.note")[1] == 0
    digests = receipts(*range(30))
    result, _ = typed("log", "add", "exam.log", "--receipts", "receipts.txt")
    assert result.startswith(
        "exam.log  30 reports added, 32 entries in all\nstudy.example.org/exam\n"
    )
    entries = read_log("exam.log").entries
    assert entries[:2] == (f"form {form.fingerprint}", f"page {render_page(form).sha256}")
    assert entries[2:] == tuple(sorted(f"report {digest}" for digest in digests))
    prove = ("log", "prove", "exam.log")
    assert typed(*prove, digests[7].upper(), "--out", "mine.tlog-proof")[1] == 0
    assert typed(*prove, "--since", "head.note", "--out", "grown")[1] == 0
    check, key = ("log", "check"), ("--key", Path("exam.log.vkey").read_text("ascii").strip())
    Path("exam.log.key").unlink()  # whoever checks has none
    result = typed(*check, "mine.tlog-proof", *key, "--digest", digests[7])
    assert result == (
        f"mine.tlog-proof  report {digests[7]}: in the log, whose head names 32 entries\n",
        0,
    )
    assert typed(*check, "mine.tlog-proof", *key, "--digest", digests[8])[1] == 1
    assert typed(*check, "mine.tlog-proof", *key)[1] == 2
    assert typed(*check, "grown", *key, "--since", "head.note") == (
        "grown  nothing was removed: 32 entries\n",
        0,
    )
    assert typed(*check, "grown", *key)[1] == 2
    assert typed(*check, "exam.log", *key, "--since", "head.note", "--digest", digests[0]) == (
        "exam.log  whole: 32 entries, 2 heads; 1 form, 1 page, 30 reports\n"
        f"report {digests[0]}: in the log\nnothing was removed since 2 entries\n",
        0,
    )
    assert typed(*check, "exam.log", *key, "--digest", "00" * 32)[1] == 1
    text = Path("exam.log").read_text("utf-8")
    newest = Path("grown").read_text("utf-8").partition("\n\n")[2]
    Path("newest.note").write_text(newest, "utf-8")
    Path("exam.log").write_text(text[: text.index("report")], "utf-8")
    result, code = typed(*check, "exam.log", *key, "--since", "newest.note")
    assert (code, "got '2 entries'; allowed: all 32 that there were" in result) == (1, True)
    Path("exam.log").write_text(text.replace(digests[3], digests[3][::-1]), "utf-8")
    result, code = typed(*check, "exam.log", *key)
    assert (code, "does not hold" in result) == (1, True)


def with_keys(name):
    """Write the same survey with keys of an issuer of its own."""
    text = Path("exam.toml").read_text("utf-8")
    tokens = f'[tokens]\nissuer = "https://issuer.example/"\nkeys = "{name}.json"\n[[question]]'
    Path(f"{name}.toml").write_text(text.replace("[[question]]", tokens, 1), "utf-8")
    assert typed("invite", f"{name}.toml", "--key", "a", "--key", "b", "--count", "60")[1] == 0
    return publish(load_survey(f"{name}.toml"))


def test_who_is_given_another_key_does_not_find_it_in_the_log(survey_folder):
    """The issuer gives one person a form of their own, which differs in its keys alone."""
    ours, own = with_keys("ours"), with_keys("own")
    without = [{k: v for k, v in item.document.items() if k != "tokens"} for item in (ours, own)]
    assert without[0] == without[1]  # whoever compares anything else is deceived
    typed("log", "new", "exam.log", "--name", NAME)
    result, code = typed("publish", "ours.toml", "--page", "ours.html", "--log", "exam.log")
    assert (code, "exam.log  1 form, 1 page, 2 keys added, 4 entries in all" in result) == (0, True)
    keys = [f"key {key.fingerprint} 60" for key in ours.tokens.keys]
    assert list(read_log("exam.log").entries[2:]) == keys
    check = ("log", "check", "exam.log", "--key", "exam.log.vkey", "--survey")
    result, code = typed(*check, "ours.toml")
    assert (code, result.endswith(f"{keys[1]}: in the log, and no other\n")) == (0, True)
    result, code = typed(*check, "own.toml")
    assert (code, f"own.toml: got 'form {own.fingerprint}'" in result) == (1, True)
    assert typed("verify", "ours.html", "own.toml")[1] == 1
    typed("log", "add", "exam.log", "--survey", "own.toml")  # then it stands there for all to see
    result, code = typed(*check, "ours.form.json")
    assert (code, "in the log, 1 other form, 1 other page, 2 other keys" in result) == (0, True)


def test_a_count_that_is_changed_is_another_entry(survey_folder):
    """120 codes that are said to one person, and 60 to the others, are two entries."""
    form = with_keys("ours")
    typed("log", "new", "exam.log", "--name", NAME)
    typed("log", "add", "exam.log", "--survey", "ours.toml")
    document = form.document
    for key in document["tokens"]["keys"]:
        key["codes"] = 120
    Path("more.form.json").write_bytes(type(form).read(document).bytes)
    check = ("log", "check", "exam.log", "--key", "exam.log.vkey", "--survey", "more.form.json")
    assert typed(*check)[1] == 1
    uncounted = {"name": "a", "n": document["tokens"]["keys"][0]["n"]}
    old = document | {"tokens": {"issuer": "https://issuer.example/", "keys": [uncounted]}}
    Path("old.form.json").write_bytes(type(form).read(old).bytes)
    typed("log", "add", "exam.log", "--survey", "old.form.json")
    assert read_log("exam.log").entries[-1].endswith(" uncounted")


def test_few_reports_wait_for_more(survey_folder):
    typed("log", "new", "exam.log", "--name", NAME)
    receipts(*range(5))
    result, code = typed("log", "add", "exam.log", "--receipts", "receipts.txt")
    assert code == 2
    assert "got '5 new reports'; allowed: 20 at least" in result
    assert typed("log", "add", "exam.log", "--receipts", "receipts.txt", "--allow-few")[1] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("new", "exam.log", "--name", "two words"),
        ("add", "exam.log"),
        ("add", "exam.log", "--receipts", "exam.toml"),
        ("add", "exam.log", "--receipts", "nowhere.txt"),
        ("add", "nowhere.log", "--survey", "exam.toml"),
        ("prove", "exam.log"),
        ("prove", "exam.log", "tea"),
        ("prove", "exam.log", "00" * 32),
        ("prove", "exam.log", "00" * 32, "--since", "exam.toml"),
        ("prove", "exam.log", "--since", "exam.toml"),
        ("check", "exam.log", "--key", "tea"),
        ("check", "nowhere.log", "--key", "exam.log.vkey"),
    ],
)
def test_what_was_typed_wrong_is_told(survey_folder, words):
    typed("log", "new", "exam.log", "--name", NAME)
    typed("log", "add", "exam.log", "--survey", "exam.toml")
    result, code = typed("log", *words)
    assert code == 2
    assert "allowed: " in result


@pytest.mark.long
def test_a_head_stands_on_cards(survey_folder):
    typed("log", "new", "exam.log", "--name", NAME)
    typed("log", "add", "exam.log", "--survey", "exam.toml")
    typed("log", "head", "exam.log", "--out", "head.note")
    survey = (
        Path("exam.toml")
        .read_text("utf-8")
        .replace(
            "[[question]]",
            'minimum = 2\n[tokens]\nissuer = "https://issuer.example/"\n'
            'keys = "k.json"\n[[question]]',
            1,
        )
    )
    Path("asked.toml").write_text(survey, "utf-8")
    invite = ("invite", "asked.toml", "--count", "2", "--page", "https://exam.example/")
    assert typed(*invite, "--cards", "a.html", "--head", "exam.toml")[1] == 2
    result, code = typed(*invite, "--cards", "cards.html", "--head", "head.note")
    assert code == 0, result
    root = Path("head.note").read_text("utf-8").split("\n")[2]
    cards = Path("cards.html").read_text("utf-8")
    assert cards.count(f"<p class=head>{NAME}, entries: 2<br>{root}</p>") == 2
    assert typed(*invite, "--cards", "plain.html")[1] == 0
    assert "<p class=head>" not in Path("plain.html").read_text("utf-8")


def test_a_manifest_for_webcat_is_written_and_compared(survey_folder):
    text = Path("exam.toml").read_text("utf-8")
    home = 'collector = "https://exam.example.org/"\nconsent ='
    Path("exam.toml").write_text(text.replace("consent =", home, 1), "utf-8")
    replies, status = typed("publish", "exam.toml", "--webcat", "made")
    assert status == 0
    assert re.search(r"webcat  made/manifest_unsigned\.json  hash [\w-]{43}\n\Z", replies)
    relatives = [path.relative_to("made") for path in Path("made").rglob("*") if path.is_file()]
    assert sorted(map(str, relatives)) == [
        "manifest_unsigned.json",
        "site/index.html",
        "webcat.config.json",
    ]
    manifest = Path("made/manifest_unsigned.json")
    assert typed("verify", manifest, "exam.toml", "--webcat") == (f"same  {manifest}\n", 0)
    manifest.write_text(manifest.read_text("utf-8").replace("index.html", "other.html"), "utf-8")
    replies, status = typed("verify", manifest, "exam.toml", "--webcat")
    assert status == 1
    assert "first in default_fallback" in replies
    assert typed("verify", manifest, "exam.toml", "--webcat", "--plain-host")[1] == 2
    assert "a new folder" in typed("publish", "exam.toml", "--webcat", "made")[0]
