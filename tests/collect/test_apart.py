"""Protected and plain answers in two stores: what joins them again, and what must not."""

import json
import random
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.cli import verbs
from askance_collect.collect import (
    Accepted,
    Outcome,
    Store,
    accept,
    back_up,
    create_app,
    delete_reports,
    export_csv,
    export_jsonl,
    export_receipts,
    open_store,
    serving,
    sqlite,
)
from askance_collect.collect.apart import ApartStore, path_of_part
from askance_collect.errors import DocumentError, FormError, SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form, Report, read_report
from askance_collect.wire.parts import (
    PARTING_CROWD,
    FormPart,
    form_of_part,
    id_of_part,
    split_values,
)

SURVEY = Path("examples/apart.toml")
ENDS = "", "-wal", "-journal", "-shm"
BY_CHANCE = 8
"""Adversaries who guess by chance link one pair of each crowd on average."""


@cache
def form() -> Form:
    return ak.publish(ak.load_survey(SURVEY))


def sent(number: int = 0, **answers: object) -> bytes:
    """What a device sends: of each report another text, so that no two are alike."""
    chosen: dict[str, object] = {
        "faculty": random.randrange(4),
        "year": random.randrange(3),
        "city": random.randrange(2),
        "cheated": random.randrange(2),
        "cannabis": random.randrange(2),
        "drinks": random.randrange(8),
        "more": f"text of report {number:05}",
    }
    return respond(form(), chosen | answers).body(form().size)


def kept(store: Store, bodies: list[bytes], at_once: int = 1) -> list[Outcome]:
    outcomes = []
    for index in range(0, len(bodies), at_once):
        outcomes += store.append([accept(body, form()) for body in bodies[index : index + at_once]])
    return outcomes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "campus.db"


@pytest.fixture
def store(path: Path) -> Iterator[ApartStore]:
    opened = open_store(path, form())
    assert isinstance(opened, ApartStore)
    yield opened
    opened.close()


def ids_of(body: bytes) -> dict[FormPart, bytes]:
    id = bytes.fromhex(read_report(body, form()).id)
    return {part: id_of_part(id, part) for part in FormPart}


def answers_in(path: Path, part: FormPart) -> dict[bytes, dict[str, object]]:
    opened = open_store(path_of_part(path, part), read_only=True)
    try:
        return {bytes.fromhex(id): json.loads(answers) for id, answers in opened.reports()}
    finally:
        opened.close()


def bytes_of(path: Path) -> bytes:
    files = [path.with_name(f"{path.name}{end}") for end in ENDS]
    return b"".join(file.read_bytes() for file in files if file.exists())


# Each report counts once in both.


def test_each_report_is_in_both_parts_once_and_nowhere_whole(store: ApartStore, path: Path) -> None:
    bodies = [sent(number) for number in range(PARTING_CROWD)]
    assert kept(store, bodies) == [Outcome.NEW] * PARTING_CROWD
    assert store.count() == PARTING_CROWD
    assert store.count_waiting() == 0
    entire = {read_report(body, form()).id: read_report(body, form()).values for body in bodies}
    for part in FormPart:
        expected = {
            id_of_part(bytes.fromhex(id), part): split_values(values, form())[part]
            for id, values in entire.items()
        }
        answers = answers_in(path, part)
        assert {id: _listed(values) for id, values in expected.items()} == answers


def _listed(values: dict[str, object]) -> object:
    return json.loads(json.dumps(values))


def test_a_second_sending_counts_once_before_and_after_it_is_parted(store: ApartStore) -> None:
    bodies = [sent(number) for number in range(PARTING_CROWD)]
    assert kept(store, bodies[:3] + bodies[:3]) == [Outcome.NEW] * 3 + [Outcome.REPEATED] * 3
    kept(store, bodies[3:])
    assert store.count_waiting() == 0
    assert kept(store, bodies, at_once=7) == [Outcome.REPEATED] * PARTING_CROWD
    assert store.look_up([accept(bodies[0], form())]) == [Outcome.REPEATED]
    assert [part.count() for part in store.parts.values()] == [PARTING_CROWD, PARTING_CROWD]


@pytest.mark.parametrize("name", ["cheated", "city"])
def test_another_report_under_the_same_id_is_refused_whichever_part_differs(
    store: ApartStore, name: str
) -> None:
    bodies = [sent(number) for number in range(PARTING_CROWD)]
    kept(store, bodies)
    first = read_report(bodies[0], form())
    other = dict(first.values) | {name: 1 - int(str(first.values[name] or 0))}
    body = Report(form().fingerprint, first.id, other).body(form().size)
    assert kept(store, [body]) == [Outcome.CONFLICTING]
    assert store.count() == PARTING_CROWD


def test_what_waits_is_parted_when_the_survey_is_closed(store: ApartStore, path: Path) -> None:
    bodies = [sent(number) for number in range(3)]
    kept(store, bodies)
    assert [len(answers_in(path, part)) for part in FormPart] == [0, 0]
    store.close_survey()
    assert [len(answers_in(path, part)) for part in FormPart] == [3, 3]
    assert store.closed
    assert kept(store, [*bodies, sent()]) == [Outcome.REPEATED] * 3 + [Outcome.CLOSED]
    store.close_survey()
    assert store.count() == 3


def test_counts_of_each_question_include_what_waits(store: ApartStore) -> None:
    bodies = [sent(number, faculty=number % 4) for number in range(PARTING_CROWD + 4)]
    kept(store, bodies)
    assert store.count_waiting() == 4
    counts = store.counts(["faculty", "cheated"])
    assert sum(count for _, count in counts["cheated"]) == PARTING_CROWD + 4
    assert dict(counts["faculty"]) == {"0": 14, "1": 14, "2": 13, "3": 13}


@pytest.mark.parametrize("broken", ["protected", "plain", "let go", "log"])
def test_a_parting_that_was_broken_off_is_finished_at_the_next_start(
    path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    store = open_store(path, form())
    assert isinstance(store, ApartStore)
    bodies = [sent(number) for number in range(PARTING_CROWD)]
    kept(store, bodies[:-1])
    with monkeypatch.context() as patch:
        _break(patch, broken)
        with pytest.raises(OSError, match="power"):
            kept(store, bodies[-1:])
    store.close()
    store = open_store(path, form())
    try:
        assert kept(store, bodies) == [Outcome.REPEATED] * PARTING_CROWD
        assert store.count() == PARTING_CROWD
    finally:
        store.close()
    for part in FormPart:
        assert set(answers_in(path, part)) == {ids_of(body)[part] for body in bodies}


def _break(patch: pytest.MonkeyPatch, text: str) -> None:
    """Let the power fail as one of the four steps of a parting begins, or as the last ends."""
    append, let_go = sqlite.SqliteStore.append, sqlite.SqliteStore.let_go

    def failing(store: sqlite.SqliteStore, batch: list[Accepted]) -> list[Outcome]:
        if f".{text}." in store.path.name:
            raise OSError("power")
        return append(store, batch)

    def failing_let_go(store: sqlite.SqliteStore, digests: list[bytes]) -> None:
        if text == "let go":
            raise OSError("power")
        let_go(store, digests)
        raise OSError("power")

    if text in ("let go", "log"):
        patch.setattr(sqlite.SqliteStore, "let_go", failing_let_go)
    else:
        patch.setattr(sqlite.SqliteStore, "append", failing)


# Receipts, withdrawal, deletion, copies.


def test_the_list_of_receipts_has_every_message_wherever_it_is(
    store: ApartStore, tmp_path: Path
) -> None:
    bodies = [sent(number) for number in range(PARTING_CROWD + 5)]
    kept(store, bodies)
    assert store.count_waiting() == 5
    root = export_receipts(store, tmp_path / "receipts.txt")
    listed = (tmp_path / "receipts.txt").read_text("ascii")
    assert listed.split() == sorted(sha256(body).hexdigest() for body in bodies)
    assert root == sha256(listed.encode()).hexdigest()


@pytest.mark.parametrize("many", [3, PARTING_CROWD])
@pytest.mark.parametrize("with_digest", [True, False])
def test_a_receipt_withdraws_both_parts(
    store: ApartStore, path: Path, many: int, with_digest: bool
) -> None:
    bodies = [sent(number) for number in range(many)]
    kept(store, bodies)
    id = bytes.fromhex(read_report(bodies[0], form()).id)
    with pytest.raises(DocumentError, match="SHA-256"):
        store.withdraw(id, sha256(bodies[1]).hexdigest())
    assert store.count() == many
    store.withdraw(id, sha256(bodies[0]).hexdigest().upper() if with_digest else None)
    assert store.count() == many - 1
    for part in FormPart:
        assert ids_of(bodies[0])[part] not in bytes_of(path_of_part(path, part))
    assert sha256(bodies[0]).digest() not in bytes_of(path)
    with pytest.raises(DocumentError, match="no such report"):
        store.withdraw(id)


def test_deletion_leaves_nothing_in_any_file(path: Path, tmp_path: Path) -> None:
    store = open_store(path, form())
    bodies = [sent(number) for number in range(PARTING_CROWD + 3)]
    kept(store, bodies)
    store.close()
    done = delete_reports(path, tmp_path / "proof.json")
    assert (done.reports, done.searched) == (PARTING_CROWD + 3, 2 * PARTING_CROWD)
    assert len(done.receipts) == 64
    for file in (path, *(path_of_part(path, part) for part in FormPart)):
        content = bytes_of(file)
        for body in bodies:
            result = [*ids_of(body).values(), sha256(body).digest(), b"text of report"]
            assert not any(piece in content for piece in result)


def test_whole_reports_are_neither_exported_nor_copied(store: ApartStore, tmp_path: Path) -> None:
    kept(store, [sent()])
    for write in (
        lambda: export_csv(store, form(), tmp_path / "x.csv"),
        lambda: export_jsonl(store, form(), tmp_path / "x.jsonl"),
        lambda: back_up(store, tmp_path / "x.backup"),
        lambda: list(store.reports()),
        lambda: store.fill([], []),
    ):
        with pytest.raises(DocumentError, match=r"campus\.protected\.db or campus\.plain\.db"):
            write()
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix != ".db") == [
        "campus.db-wal",
        "campus.plain.db-wal",
        "campus.protected.db-wal",
    ] or not list(tmp_path.glob("x.*"))


def test_each_part_is_a_store_as_any_other(store: ApartStore, path: Path, tmp_path: Path) -> None:
    kept(store, [sent(number) for number in range(PARTING_CROWD)])
    for part in FormPart:
        opened = open_store(path_of_part(path, part), read_only=True)
        own = form_of_part(form(), part)
        book = export_csv(opened, own, tmp_path / f"{part.value}.csv")
        assert back_up(opened, tmp_path / f"{part.value}.backup").reports == PARTING_CROWD
        opened.close()
        header = (tmp_path / f"{part.value}.csv").read_text().splitlines()[0]
        assert book.exists()
        for question in form().questions:
            assert (question.name in header) == part.includes(question)


# Linking: an adversary with all three files, as they lie on the disk.


def links(path: Path, bodies: list[bytes], ranked: Callable[[bytes, bytes], int]) -> int:
    """Match the parts by some order in which they lie in their files; count the right pairs."""
    owners = []
    for part in FormPart:
        content = bytes_of(path_of_part(path, part))
        places = {ids_of(body)[part]: number for number, body in enumerate(bodies)}
        ordered = sorted((id for id in places if id in content), key=lambda id: ranked(content, id))
        owners.append([places[id] for id in ordered])
    return sum(first == second for first, second in zip(*owners, strict=True))


def first_frame(content: bytes, id: bytes) -> int:
    """The frame of the log that first has an id: frames of 4 KiB lie in the order of writing."""
    log = content.find(b"\x37\x7f\x06\x82") if b"\x37\x7f\x06\x82" in content else 0
    return (content.find(id, log) - log) // (4096 + 24)


ORDERS: dict[str, Callable[[bytes, bytes], int]] = {
    "first place in file and log": bytes.find,
    "first frame of the log": first_frame,
    "last place in file and log": bytes.rfind,
    "copies in file and log": lambda content, id: content.count(id) * 1_000_000 + content.find(id),
    "id": lambda _, id: int.from_bytes(id, "big"),
}


def fielded(path: Path, many: int, at_once: int = 1, *, closed: bool = False) -> list[bytes]:
    store = open_store(path, form())
    bodies = [sent(number) for number in range(many)]
    kept(store, bodies, at_once)
    if closed:
        store.close_survey()
    for name in list(path.parent.glob("*.db*")):  # as it lies there while the server runs
        (path.parent / f"copy-{name.name}").write_bytes(name.read_bytes())
    store.close()
    return bodies


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("at_once", [1, 7])
def test_nothing_links_the_parts_better_than_chance(path: Path, at_once: int, closed: bool) -> None:
    bodies = fielded(path, BY_CHANCE * PARTING_CROWD, at_once, closed=closed)
    copy = path.with_name(f"copy-{path.name}")
    for name, order in ORDERS.items():
        # Of a Poisson variable of mean 8, 45 or more come with chance 1e-18.
        assert links(copy, bodies, order) < 45, name


@pytest.mark.parametrize("twin", ["one id", "no crowd", "in order"])
def test_broken_twins_are_linked(path: Path, monkeypatch: pytest.MonkeyPatch, twin: str) -> None:
    if twin == "one id":
        monkeypatch.setattr("askance_collect.collect.apart.id_of_part", lambda id, _: id)
        monkeypatch.setitem(globals(), "id_of_part", lambda id, _: id)
    elif twin == "no crowd":
        monkeypatch.setattr("askance_collect.collect.apart.PARTING_CROWD", 1)
    else:
        numbers: dict[bytes, int] = {}

        def numbered(id: bytes, _: FormPart) -> bytes:
            return numbers.setdefault(id, len(numbers)).to_bytes(16, "big")

        monkeypatch.setattr("askance_collect.collect.apart.id_of_part", numbered)
        monkeypatch.setitem(globals(), "id_of_part", numbered)
    bodies = fielded(path, 2 * PARTING_CROWD)
    copy = path.with_name(f"copy-{path.name}")
    # By chance 30 or more of two crowds are linked with chance 1e-24.
    assert max(links(copy, bodies, order) for order in ORDERS.values()) > 30


def test_no_part_says_anything_of_the_other_or_of_the_whole(path: Path) -> None:
    bodies = fielded(path, 2 * PARTING_CROWD)
    copy = path.with_name(f"copy-{path.name}")
    contents = {part: bytes_of(path_of_part(copy, part)) for part in FormPart}
    waiting = bytes_of(copy)
    for body in bodies:
        id, own = bytes.fromhex(read_report(body, form()).id), ids_of(body)
        digest = sha256(body).digest()
        for content in (*contents.values(), waiting):
            assert id not in content
            assert id.hex().encode() not in content
        assert own[FormPart.PROTECTED] not in contents[FormPart.PLAIN] + waiting
        assert own[FormPart.PLAIN] not in contents[FormPart.PROTECTED] + waiting
        assert not any(digest in content for content in contents.values())
        assert digest in waiting
    assert b"text of report" in contents[FormPart.PLAIN]
    assert b"text of report" not in contents[FormPart.PROTECTED] + waiting
    assert b'"cheated":' not in waiting.replace(form().bytes, b"")


def test_a_twin_that_leaves_the_log_is_seen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = sqlite.SqliteStore.let_go

    def sloppy(store: sqlite.SqliteStore, digests: list[bytes]) -> None:
        connection = store.connection
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        before = Path(f"{store.path}-wal").read_bytes()
        let_go(store, digests)
        Path(f"{store.path}-left").write_bytes(before)

    monkeypatch.setattr(sqlite.SqliteStore, "let_go", sloppy)
    fielded(path, PARTING_CROWD)
    assert b"text of report" in Path(f"{path}-left").read_bytes()
    assert b"text of report" not in bytes_of(path.with_name(f"copy-{path.name}"))


def test_no_table_has_more_than_an_id_and_values(path: Path) -> None:
    fielded(path, PARTING_CROWD)
    for part in FormPart:
        with sqlite3.connect(path_of_part(path, part)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        connection.close()
        assert tables - {"sqlite_autoindex_reports_1"} == {"survey", "reports", "sums"}


# What cannot be kept apart, and files that do not belong together.


def test_a_part_that_is_missing_is_named(path: Path) -> None:
    fielded(path, PARTING_CROWD)
    path_of_part(path, FormPart.PLAIN).unlink()
    with pytest.raises(DocumentError, match=r"campus\.plain\.db.*put it back"):
        open_store(path, form())
    with pytest.raises(DocumentError, match=r"campus\.plain\.db"):
        open_store(path, read_only=True)


def test_stores_that_were_exchanged_are_refused(path: Path) -> None:
    fielded(path, PARTING_CROWD)
    first, second = (path_of_part(path, part) for part in FormPart)
    first.rename(first.with_suffix(".aside"))
    second.rename(first)
    first.with_suffix(".aside").rename(second)
    with pytest.raises(DocumentError, match="another form's store"):
        open_store(path, form())


def test_the_store_of_a_part_names_the_form_it_wants(path: Path) -> None:
    fielded(path, PARTING_CROWD)
    with pytest.raises(DocumentError, match=r"keeps the plain part.*\.plain\.json"):
        open_store(path_of_part(path, FormPart.PLAIN), form(), read_only=True)


def test_a_database_is_refused() -> None:
    with pytest.raises(DocumentError, match="a file: protected and plain answers"):
        open_store("postgresql://localhost/x", form())


def changed(**keys: object) -> dict[str, object]:
    document = form().document
    about = {**document["about"], **keys.pop("about", {})}  # type: ignore[dict-item]
    return {**document, **keys, "about": about}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"tablet": True}, "tablet beside it"),
        ({"about": {"attention": {"city": "here"}}}, "check by which"),
        ({"apart": False}, "apart"),
        ({"apart": None}, "apart"),
        ({"skips": [{"question": 3, "after": 0, "answered": [0], "send": 0}]}, "skipped by"),
        ({"skips": [{"question": 6, "after": 2, "answered": [0], "send": None}]}, ""),
    ],
)
def test_what_joins_the_parts_is_refused(keys: dict[str, object], message: str) -> None:
    if not message:
        Form.read(changed(**keys))
        return
    with pytest.raises(FormError, match=message):
        Form.read(changed(**keys))


@pytest.mark.parametrize("part", [*FormPart])
def test_questions_of_one_part_alone_are_refused(part: FormPart) -> None:
    document = form_of_part(form(), part).document
    with pytest.raises(FormError, match=f"{part.value} questions alone"):
        Form.read({**document, "askance": "form-2", "apart": True})


def test_a_part_is_no_whole() -> None:
    with pytest.raises(FormError, match="apart = true"):
        form_of_part(form_of_part(form(), FormPart.PLAIN), FormPart.PLAIN)


# Laws.


@st.composite
def values(draw: st.DrawFn) -> dict[str, object]:
    """Values that some device can send."""
    draws: dict[str, object] = {}
    for question in form().questions:
        cells = [(0, 4), (4, 8), (0, 1), (1, 8)]
        choices: dict[str, st.SearchStrategy[object]] = {
            "choice": st.integers(0, 1),
            "table": st.integers(0, 1),
            "cuts": st.sampled_from([cell for cell in cells if question.allows(cell)]),
            "text": st.text("abc é\n", min_size=1, max_size=20).filter(question.allows),
        }
        draws[question.name] = draw(st.none() | choices[question.kind])
    return draws


@given(values())
def test_the_parts_are_disjoint_and_together_the_whole(values: dict[str, object]) -> None:
    split = split_values(values, form())
    assert not split[FormPart.PROTECTED].keys() & split[FormPart.PLAIN].keys()
    assert split[FormPart.PROTECTED] | split[FormPart.PLAIN] == values


@given(values(), st.binary(min_size=16, max_size=16))
def test_each_part_is_a_report_on_its_own_form(values: dict[str, object], id: bytes) -> None:
    for part, own_values in split_values(values, form()).items():
        own = form_of_part(form(), part)
        report = Report(own.fingerprint, id_of_part(id, part).hex(), own_values)
        assert accept(report.body(own.size), own).id == id_of_part(id, part)


@given(st.sets(st.binary(min_size=16, max_size=16), min_size=2, max_size=20))
def test_ids_of_parts_are_as_different_as_those_of_reports(ids: set[bytes]) -> None:
    derived = {id_of_part(id, part) for id in ids for part in FormPart}
    assert len(derived) == 2 * len(ids)
    assert not derived & ids


STEPS = st.lists(
    st.tuples(st.sampled_from(["send", "again", "withdraw", "restart"]), st.integers(0, 30)),
    max_size=25,
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_whatever_happens_both_parts_hold_each_report_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    path = tmp_path_factory.mktemp("law") / "campus.db"
    sent_bodies, distinct = list[bytes](), set[bytes]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("askance_collect.collect.apart.PARTING_CROWD", 4)
        store = open_store(path, form())
        for step, number in steps:
            if step == "send":
                sent_bodies.append(sent(len(sent_bodies)))
                assert kept(store, sent_bodies[-1:]) == [Outcome.NEW]
                distinct.add(sent_bodies[-1])
            elif step == "restart":
                store.close()
                store = open_store(path, form())
            elif sent_bodies:
                body = sent_bodies[number % len(sent_bodies)]
                if step == "again":
                    outcome = Outcome.REPEATED if body in distinct else Outcome.NEW
                    assert kept(store, [body]) == [outcome]
                    distinct.add(body)
                elif body in distinct:
                    store.withdraw(bytes.fromhex(read_report(body, form()).id))
                    distinct.remove(body)
            assert store.count() == len(distinct)
        store.close_survey()
        assert sorted(store.digests()) == sorted(sha256(body).hexdigest() for body in distinct)
        store.close()
    for part in FormPart:
        assert set(answers_in(path, part)) == {ids_of(body)[part] for body in distinct}


# Through a collector.


def posted(address: str, body: bytes) -> tuple[int, dict[str, object]]:
    request = urllib.request.Request(f"{address}report", data=body, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_a_collector_acknowledges_each_report_as_before_and_quotas_count(path: Path) -> None:
    read_result = Form.read(
        form().document | {"quotas": [{"question": 0, "answer": 1, "most": 60}]}
    )
    store = open_store(path, read_result)
    bodies = [
        respond(read_result, {"faculty": 1, "more": f"text {number}"}).body(read_result.size)
        for number in range(PARTING_CROWD + 12)
    ]
    with serving(create_app(read_result, b"<!DOCTYPE html>", {}, "00" * 32, store)) as address:
        for body in bodies:
            status, reply = posted(address, body)
            assert (status, reply["digest"]) == (201, sha256(body).hexdigest())
        assert [posted(address, body)[0] for body in (bodies[0], bodies[-1])] == [200, 200]
        first = read_report(bodies[0], read_result)
        other = Report(read_result.fingerprint, first.id, dict(first.values) | {"city": 1})
        assert posted(address, other.body(read_result.size))[0] == 409
        with urllib.request.urlopen(f"{address}report") as reply:
            assert json.loads(reply.read())["full"] == [[0, 1]]
        with urllib.request.urlopen(f"{address}health") as reply:
            assert json.loads(reply.read())["healthy"]
    store.close()
    store = open_store(path, read_result)
    assert dict(store.counts(["faculty"])["faculty"]) == {"1": PARTING_CROWD + 12}
    store.close()


# On the command line, and on the board's page.


def run(*words: object) -> str:
    done = CliRunner().invoke(verbs, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words: object) -> str:
    done = CliRunner().invoke(verbs, [str(word) for word in words])
    assert done.exit_code != 0, done.output
    return f"{done.output} {done.exception}"


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    copy = tmp_path / "campus.toml"
    copy.write_bytes(SURVEY.read_bytes())
    run("publish", copy)
    return copy


def test_each_part_is_estimated_by_its_own_form_and_nothing_joins_them(
    survey: Path, path: Path, tmp_path: Path
) -> None:
    store = open_store(path, form())
    kept(store, [sent(number) for number in range(3 * PARTING_CROWD + 7)], at_once=10)
    store.close()
    status = run("collect", "status", path)
    assert f"{3 * PARTING_CROWD + 7} reports" in status
    waiting = (
        3 * PARTING_CROWD
        + 7
        - sum(
            int(line.split()[0])
            for line in status.splitlines()
            if "parted into campus.plain" in line
        )
    )
    assert f"{waiting} wait in campus.db" in status
    assert "157" in run("estimate", survey, path)
    run("collect", "close", path)
    for part in FormPart:
        own, table = survey.with_name(f"campus.{part.value}.json"), tmp_path / f"{part.value}.csv"
        run("estimate", own, path_of_part(path, part))
        run("collect", "export", path_of_part(path, part), table)
        assert "157" in run("estimate", own, table)
    protected, plain = (survey.with_name(f"campus.{part.value}.json") for part in FormPart)
    assert "here" in run("estimate", plain, tmp_path / "plain.csv", "--by", "city")
    for words in (
        ("estimate", protected, path_of_part(path, FormPart.PROTECTED), "--by", "city"),
        ("estimate", protected, tmp_path / "protected.csv", "--by", "city"),
        ("estimate", survey, path, "--by", "city"),
        ("regress", protected, tmp_path / "protected.csv", "--formula", "cheated ~ city"),
        ("regress", survey, tmp_path / "protected.csv", "--formula", "cheated ~ city"),
    ):
        assert "city, whose answers are kept apart" in refused(*words), words


def test_the_forms_of_parts_are_not_asked(survey: Path, tmp_path: Path) -> None:
    part = survey.with_name("campus.plain.json")
    assert "part that is kept apart" in refused("serve", part, "--store", tmp_path / "x.db")
    backup = ("--backup", tmp_path / "x.backup")
    refused_result = refused("serve", survey, "--store", tmp_path / "x.db", *backup)
    assert "whose parts are kept apart" in refused_result
    assert not list(tmp_path.glob("x*"))


def test_the_check_and_the_board_say_what_is_given_up(survey: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.html"
    text = " ".join(run("check", survey, "--board", board).split())
    assert "cheated, cannabis, drinks in one store" in text
    assert "no estimate combines the two" in text
    assert "has the text beside the protected reports" not in text
    page = board.read_text("utf-8")
    assert "that share no id and no order" in page
    assert "Protected and plain answers are stored separately" in page
    assert "no link between the reports and the plain answers" in page
    assert "Nothing in them says which belong together" in page  # though a receipt does
    assert "othing links the two" not in page
    assert "w-two-parts-one-message" in page
    assert "w-a-row-is-a-fingerprint" not in page
    survey.write_text(survey.read_text("utf-8").replace("apart = true\n", ""), "utf-8")
    run("check", survey, "--board", board)
    page = board.read_text("utf-8")
    assert "two stores" not in page
    assert "w-two-parts-one-message" not in page
    assert "w-a-row-is-a-fingerprint" in page


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tablet = true", "tablet beside it"),
        ('apart = "yes"', "apart"),
        ('attention = "here"', "check by which"),
    ],
)
def test_a_survey_that_joins_its_parts_is_refused(line: str, message: str) -> None:
    text = SURVEY.read_text("utf-8")
    if line.startswith("attention"):
        text = text.replace('answers = ["here", "elsewhere"]', f'answers = ["here", "no"]\n{line}')
    elif line.startswith("apart"):
        text = text.replace("apart = true", line)
    else:
        text = text.replace("apart = true", f"apart = true\n{line}")
    with pytest.raises((SurveyError, FormError), match=message):
        ak.publish(ak.parse_survey(text.encode()))
