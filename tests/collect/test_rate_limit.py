"""An open link: a report costs its device some work, and few come from one neighbourhood."""

import asyncio
import hashlib
import http.client
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import askance as ak
from askance_collect.collect import Store, create_app, open_store, serving
from askance_collect.errors import SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form, solve_stamp

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
[open]
%s
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
HEADER, RATE, WORK = "X-Real-Ip", 3, 8
Door = Callable[..., tuple[int, dict[str, str], Any]]


def form_of(cost: str) -> Form:
    return ak.publish(ak.parse_survey((SURVEY % cost).encode()))


@pytest.fixture(scope="module")
def both() -> Form:
    return form_of(f"work = {WORK}\nrate = {RATE}")


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Make ten minutes pass at once for each thing that is put into this list."""
    due, sleep = list[None](), asyncio.sleep

    async def wait(_: float) -> None:
        while not due:
            await sleep(0.002)
        due.pop()

    monkeypatch.setattr("askance_collect.collect.rate_limit.sleep", wait)
    return due


@pytest.fixture
def store(both: Form, tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "open.db", both)
    yield store
    store.close()


@contextmanager
def opened(form: Form, store: Store) -> Iterator[Door]:
    app = create_app(form, b"<!doctype html>", {}, "ab" * 32, store, address_header=HEADER)
    with serving(app) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)

        def ask(method: str, body: Any = None, address: str = "203.0.113.7") -> Any:
            line.request(method, "/report", body, {HEADER: address})
            reply = line.getresponse()
            return reply.status, dict(reply.getheaders()), json.loads(reply.read())

        yield ask
        line.close()


@pytest.fixture
def ask(both: Form, store: Store, turns: list[None]) -> Iterator[Door]:
    with opened(both, store) as ask:
        yield ask


def report_on(form: Form) -> bytes:
    return respond(form, {"used": 0}).body(form.size)


def stamped(ask: Door, form: Form, challenge: str | None = None) -> bytes:
    body = report_on(form)
    draws = challenge or ask("GET")[2]["challenge"]
    return body + solve_stamp(bytes.fromhex(draws), body, WORK).encode()


def turn(ask: Door, turns: list[None]) -> None:
    """Let ten minutes pass, and wait until they have."""
    before = ask("GET")[2]["challenge"]
    turns.append(None)
    while ask("GET")[2]["challenge"] == before:
        pass


def code(reply: tuple[int, dict[str, str], Any]) -> tuple[int, str]:
    return reply[0], reply[2]["error"]["code"]


def test_the_reference_lists_both_refusals(documented: dict[str, int]) -> None:
    assert {"work": 403, "rate": 429}.items() <= documented.items()


def test_a_report_with_its_stamp_is_kept_without_it(ask: Door, both: Form, store: Store) -> None:
    body = stamped(ask, both)
    assert len(body) == both.posted_size == both.size + 128
    status, _, replies = ask("POST", body)
    assert status == 201
    assert replies["digest"] == hashlib.sha256(body[: both.size]).hexdigest()
    assert store.count() == 1


def test_without_a_stamp_or_with_that_of_another_report_nothing_is_kept(
    ask: Door, both: Form, store: Store
) -> None:
    mine, yours = stamped(ask, both), stamped(ask, both)
    other = mine[: both.size] + yours[both.size :]
    strange = solve_stamp(bytes(16), mine[: both.size], WORK).encode()
    for body in (
        mine[: both.size],
        other,
        mine[: both.size] + strange,
        mine[:-1],
        mine + b"0",
        mine[: both.size] + "é".encode() * 64,
        b"",
    ):
        assert code(ask("POST", body)) == (403, "work")
    assert store.count() == 0


def test_a_stamp_is_good_for_one_report_however_often_it_comes(
    ask: Door, both: Form, store: Store
) -> None:
    body = stamped(ask, both)
    assert [ask("POST", body)[0] for _ in range(RATE)] == [201, 200, 200]
    assert store.count() == 1


def test_a_challenge_is_the_same_for_everybody_and_good_until_the_one_after_the_next(
    ask: Door, both: Form, turns: list[None]
) -> None:
    result = {ask("GET", address=f"198.51.{index}.1")[2]["challenge"] for index in range(5)}
    (challenge,) = result
    turn(ask, turns)
    assert ask("POST", stamped(ask, both, challenge))[0] == 201
    turn(ask, turns)
    assert code(ask("POST", stamped(ask, both, challenge))) == (403, "work")


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (["203.0.113.7", "203.0.113.250", "::ffff:203.0.113.9"], "203.0.114.7"),
        (["2001:db8:0:1200::1", "2001:db8:0:12ff::2", "2001:db8:0:12aa:1::"], "2001:db8:0:1300::1"),
        (["198.51.100.1, 203.0.113.7", "8.8.8.8,203.0.113.8", "203.0.113.9"], "203.0.114.7"),
        (["unknown", "", "203.0.113.7:443"], "203.0.113.7"),
    ],
)
def test_a_neighbourhood_sends_so_many_and_others_go_on(
    ask: Door, both: Form, turns: list[None], near: list[str], far: str
) -> None:
    for address in near:
        assert ask("GET", address=address)[2].get("wait") is None
        assert ask("POST", stamped(ask, both), address)[0] == 201
    late = stamped(ask, both)
    refused = ask("POST", late, near[0])
    assert code(refused) == (429, "rate")
    assert 0 < int(refused[1]["retry-after"]) <= 600
    assert 0 < ask("GET", address=near[-1])[2]["wait"] <= 600
    assert "wait" not in ask("GET", address=far)[2]
    assert ask("POST", stamped(ask, both), far)[0] == 201
    turn(ask, turns)
    assert ask("POST", late, near[0])[0] == 201


def flood(ask: Door, form: Form) -> tuple[int, int]:
    """Send from one place under forged names, then twenty people from theirs; who is kept."""
    machine = [
        ask("POST", stamped(ask, form), f"198.51.{index}.1, 203.0.113.7")[0] for index in range(40)
    ]
    people = [ask("POST", stamped(ask, form), f"192.0.{index}.1")[0] for index in range(20)]
    return machine.count(201), people.count(201)


def test_a_flood_from_one_place_brings_few_and_shuts_nobody_out(
    ask: Door, both: Form, store: Store
) -> None:
    assert flood(ask, both) == (RATE, 20)
    assert store.count() == RATE + 20


def test_the_same_flood_gets_in_where_the_senders_own_word_is_believed(
    ask: Door, both: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broken twin: the first address in the header, which whoever sends may write."""

    def believed(_: Any, request: Any) -> str:
        replies = dict(request["headers"])[HEADER.lower().encode()]
        return str(replies.decode().partition(",")[0])

    monkeypatch.setattr("askance_collect.collect.rate_limit.RateLimit._address", believed)
    assert flood(ask, both) == (40, 20)


def test_work_alone_counts_nobody_and_rate_alone_asks_for_no_work(
    tmp_path: Path, turns: list[None]
) -> None:
    for cost, result in ((f"work = {WORK}", "challenge"), ("rate = 1", "wait")):
        form = form_of(cost)
        store = open_store(tmp_path / f"{result}.db", form)
        with opened(form, store) as ask:
            bodies = [
                stamped(ask, form) if result == "challenge" else report_on(form) for _ in "ab"
            ]
            replies = [ask("POST", body)[0] for body in bodies]
            assert replies == ([201, 201] if result == "challenge" else [201, 429])
            assert {"challenge", "wait"} & ask("GET")[2].keys() == {result}
        store.close()


def test_no_address_is_kept_logged_or_told(
    ask: Door, both: Form, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    replies = [ask("POST", stamped(ask, both)) for _ in range(RATE + 1)]
    assert replies[-1][0] == 429
    result = [*map(str, replies), caplog.text, *(str(item) for item in store.reports())]
    kept_text = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [item for item in result if "203.0" in item]
    assert b"203.0" not in kept_text
    assert bytes([203, 0, 113]) not in kept_text


CHILD = """
import sys
from askance_collect.collect.rate_limit import RateLimit
from askance_collect.wire import OpenLink
door = RateLimit(256, OpenLink(rate=5))
def some():
    for at in range(200):
        door.count({"client": (f"198.51.100.{at}", 1), "headers": []})
some()
print(bytes(reversed(door._key)).hex(), flush=True)
sys.stdin.readline()
door.turn()
some()
print("turned", len(door._counts), flush=True)
sys.stdin.readline()
"""


def copies(process: int, wanted: bytes) -> int:
    """Count how often a process has something in its memory."""
    result = 0
    with Path(f"/proc/{process}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text("ascii").splitlines():
            position, rights, *_ = line.split()
            if rights.startswith("rw") and "[v" not in line:
                first, last = (int(end, 16) for end in position.split("-"))
                memory.seek(first)
                result += memory.read(last - first).count(wanted)
    return result


def test_after_ten_minutes_the_key_of_the_counts_is_nowhere_in_memory() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin
        assert child.stdout
        key = bytes(reversed(bytes.fromhex(child.stdout.readline())))
        assert copies(child.pid, key) > 0
        child.stdin.write("\n")
        child.stdin.flush()
        assert child.stdout.readline() == "turned 1\n"
        assert copies(child.pid, key) == 0
        child.stdin.write("\n")


@pytest.mark.parametrize(
    ("cost", "where"),
    [
        ("work = 7", "open.work"),
        ("work = 25", "open.work"),
        ("rate = 0", "open.rate"),
        ("rate = 1000001", "open.rate"),
        ("", "open"),
    ],
)
def test_what_no_report_can_cost_is_refused(cost: str, where: str) -> None:
    with pytest.raises(SurveyError) as refused:
        form_of(cost)
    assert refused.value.where == where
