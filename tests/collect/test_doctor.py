"""A visit behind a real nginx: what blocks, loses or rewrites anything on the way is named."""

import socket
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

import askance_collect
from askance.cli import verbs
from askance_collect.collect import Problem, VisitStep, create_app, diagnose, open_store, serving
from askance_collect.errors import InputError
from askance_collect.respond import render_page, respond
from askance_collect.wire import Form

WAYS = """
events {{ worker_connections 64; }}
http {{
    access_log off;
    proxy_set_header Host $http_host;
    server {{
        listen 127.0.0.1:{port};
        location / {{ return 404; }}
        location = /index.html {{ return 200 "<!DOCTYPE html><title>Institute</title>"; }}
        location = /survey {{ proxy_pass {upstream}; }}
        location /right/ {{ proxy_pass {upstream}; }}
        location = /led {{ return 301 /right/; }}
        location /moved/ {{
            if ($request_method = POST) {{ return 301 /right/report; }}
            proxy_pass {upstream};
        }}
        location /forbidden/ {{ limit_except GET {{ deny all; }} proxy_pass {upstream}; }}
        location /closing/ {{
            if ($request_method = POST) {{ return 444; }}
            proxy_pass {upstream};
        }}
        location /busy/ {{
            if ($request_method = POST) {{ return 429; }}
            proxy_pass {upstream};
        }}
        location /portal/ {{
            if ($request_method = POST) {{ return 200 "Sign in"; }}
            proxy_pass {upstream};
        }}
        location /small/ {{ client_max_body_size 10; proxy_pass {upstream}; }}
        location /cut/ {{ proxy_set_body "short"; proxy_pass {upstream}; }}
        location /altered/ {{
            proxy_set_header Host $http_host;
            proxy_set_header Accept-Encoding "";
            sub_filter "</body>" "<script>track()</script></body>";
            sub_filter_types text/html;
            proxy_pass {upstream};
        }}
        location /packed/ {{ gzip on; gzip_min_length 1; gzip_proxied any; proxy_pass {upstream}; }}
        location /bare/ {{ proxy_hide_header Content-Security-Policy; proxy_pass {upstream}; }}
        location /kept/ {{ add_header Set-Cookie "visitor=1"; proxy_pass {upstream}; }}
        location /hostless/ {{ proxy_set_header Host other.example.org; proxy_pass {upstream}; }}
        location /asked/ {{ if ($args) {{ return 302 /right/form.json; }} proxy_pass {upstream}; }}
        location /round/ {{ return 302 /round/; }}
        location /down/ {{ proxy_pass http://127.0.0.1:1/; }}
    }}
}}
"""
"""The ways to one collector, each with a fault of its own but for /right/."""


@pytest.fixture(scope="module")
def ways(
    affairs_form: Form,
    run_nginx: Callable[[Path, str], AbstractContextManager[Path]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, str]]:
    """Give the address of a proxy, and that of the store behind it."""
    folder, page = tmp_path_factory.mktemp("ways"), render_page(affairs_form)
    store = open_store(folder / "survey.db", affairs_form)
    app = create_app(affairs_form, page.bytes, page.headers, page.sha256, store)
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with serving(app) as upstream, run_nginx(folder, WAYS.format(**locals())):
        yield f"http://127.0.0.1:{port}/", str(folder / "survey.db")
    store.close()


PROBLEMS = {
    "right/": [],
    "led": [(VisitStep.PAGE, Problem.REDIRECTED)],
    "survey": [
        (VisitStep.STATUS, Problem.OTHER_SERVER),
        (VisitStep.STATUS, Problem.NO_SLASH),
        (VisitStep.REPORT, Problem.OTHER_SERVER),
    ],
    "moved/": [(VisitStep.REPORT, Problem.REDIRECTED_AWAY)],
    "forbidden/": [(VisitStep.REPORT, Problem.BLOCKED)],
    "closing/": [(VisitStep.REPORT, Problem.NO_REPLY)],
    "busy/": [(VisitStep.REPORT, Problem.RATE_LIMITED)],
    "portal/": [(VisitStep.REPORT, Problem.OTHER_SERVER)],
    "small/": [(VisitStep.REPORT, Problem.TOO_LARGE)],
    "cut/": [(VisitStep.REPORT, Problem.REFUSED)],
    "altered/": [(VisitStep.PAGE, Problem.PAGE_CHANGED)],
    "packed/": [],
    "bare/": [(VisitStep.PAGE, Problem.HEADER_MISSING)],
    "kept/": [
        (VisitStep.STATUS, Problem.HEADER_ADDED),
        (VisitStep.REPORT, Problem.HEADER_ADDED),
        (VisitStep.OLD_BROWSER, Problem.HEADER_ADDED),
        (VisitStep.PAGE, Problem.HEADER_ADDED),
    ],
    "hostless/": [(VisitStep.OLD_BROWSER, Problem.REFUSED)],
    "asked/": [(VisitStep.QUERY, Problem.REDIRECTED_AWAY)],
    "down/": [(VisitStep.PAGE, Problem.GATEWAY)],
    "nowhere/": [(VisitStep.PAGE, Problem.OTHER_SERVER)],
    "round/": [(VisitStep.PAGE, Problem.REDIRECTED)] * 10
    + [(VisitStep.PAGE, Problem.REDIRECTED_AWAY)],
    "index.html": [(VisitStep.PAGE, Problem.OTHER_SERVER)],
}
HARMLESS = {"right/", "led", "packed/"}
ARRIVES = HARMLESS | {"altered/", "bare/", "kept/", "hostless/", "asked/"}


@pytest.mark.parametrize("text", PROBLEMS)
def test_each_fault_of_a_proxy_is_named(
    text: str, ways: tuple[str, str], affairs_form: Form
) -> None:
    diagnose_result = diagnose(f"{ways[0]}{text}", seconds=20.0)
    assert [
        (obstacle.step, obstacle.problem) for obstacle in diagnose_result.obstacles
    ] == PROBLEMS[text]
    assert diagnose_result.has_loss is (text not in HARMLESS)
    assert diagnose_result.arrived is (text in ARRIVES)
    if diagnose_result.form:
        assert (diagnose_result.form, diagnose_result.bytes_sent) == (
            affairs_form.fingerprint,
            affairs_form.posted_size,
        )
    assert all(
        obstacle.server[:12] == "server nginx"
        for obstacle in diagnose_result.obstacles
        if obstacle.status
    )
    same = diagnose_result.page_sha256 == render_page(affairs_form).sha256
    assert same is (text not in ("altered/", "down/", "nowhere/", "round/", "index.html"))


def test_a_test_report_is_neither_kept_nor_counted(
    ways: tuple[str, str], affairs_form: Form
) -> None:
    for _ in range(3):
        assert diagnose(f"{ways[0]}right/").arrived
    store = open_store(ways[1], read_only=True)
    assert store.count() == 0
    store.close()


def test_facts_stand_beside_each_fault(ways: tuple[str, str]) -> None:
    index = ways[0]
    obstacle = diagnose(f"{index}moved/").obstacles[0]
    assert (obstacle.status, obstacle.value) == (301, f"{index}right/report")
    cut, hostless = (diagnose(f"{index}{word}/").obstacles[0] for word in ("cut", "hostless"))
    assert (cut.name, hostless.name) == ("size", "origin")
    slash = diagnose(f"{index}survey").obstacles[1]
    assert (slash.value, slash.address) == ("/survey", f"{index}report")
    assert diagnose(f"{index}kept/").obstacles[0].name == "set-cookie"


def test_the_published_form_is_held_to_the_one_in_the_page(
    ways: tuple[str, str], affairs_form: Form
) -> None:
    assert diagnose(f"{ways[0]}right/", affairs_form).obstacles == ()
    other = Form.read({**affairs_form.document, "contact": {"en": "somebody else"}})
    (obstacle,) = diagnose(f"{ways[0]}right/", other).obstacles
    assert (obstacle.problem, obstacle.value) == (Problem.OTHER_FORM, affairs_form.fingerprint)
    # Behind a sign-in page the form is known only if it is given: then its reports are tried.
    diagnose_result = diagnose(f"{ways[0]}index.html", affairs_form)
    assert [obstacle.step for obstacle in diagnose_result.obstacles] == [
        VisitStep.PAGE,
        VisitStep.STATUS,
        VisitStep.REPORT,
    ]


def test_the_command_names_the_fault_and_ends_accordingly(ways: tuple[str, str]) -> None:
    def typed(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(verbs, ["collect", "doctor", *words])
        return done.exit_code, done.output

    status, replies = typed(f"{ways[0]}right/")
    assert status == 0
    assert "a test report of 256 bytes arrived unchanged; it is not kept" in replies
    assert "LOST" not in replies
    status, replies = typed(f"{ways[0]}survey")
    assert status == 1
    assert "the page lies at /survey, without a slash at the end" in replies
    status, replies = typed(f"{ways[0]}small/")
    assert status == 1
    assert (
        "a proxy takes no body of 256 bytes (nginx: client_max_body_size) [server nginx" in replies
    )


def test_no_other_server_is_taken_for_the_collector(
    affairs_form: Form, answering: Callable[..., str]
) -> None:
    page = render_page(affairs_form)
    status = b'{"form":"%b","open":true}' % affairs_form.fingerprint.encode()
    text = b'{"digest":"%b","page":"%b","probe":true}' % (b"0" * 64, page.sha256.encode())
    replies = {b"GET / ": page.bytes, b"GET /report ": status}
    for answer, problem in (
        (b'{"accepted":true}', Problem.OTHER_SERVER),
        (b'["probe"]', Problem.OTHER_SERVER),
        (text, Problem.BODY_CHANGED),
    ):
        diagnose_result = diagnose(
            answering(lambda questions, answer=answer: replies.get(questions, answer))
        )
        assert not diagnose_result.arrived
        assert (VisitStep.REPORT, problem) in [
            (obstacle.step, obstacle.problem) for obstacle in diagnose_result.obstacles
        ]


def test_a_closed_survey_is_named(affairs_form: Form, tmp_path: Path) -> None:
    page = render_page(affairs_form)
    store = open_store(tmp_path / "survey.db", affairs_form)
    store.close_survey()
    app = create_app(affairs_form, page.bytes, page.headers, page.sha256, store)
    with serving(app) as address:
        (obstacle,) = diagnose(address).obstacles
        assert (obstacle.step, obstacle.problem) == (VisitStep.STATUS, Problem.CLOSED)
    store.close()


def test_a_page_without_tls_is_named_unless_it_is_on_this_machine(
    ways: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result: Callable[..., Any] = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *more: result("127.0.0.1", *more))
    address = f"http://exam.example.org:{urlsplit(ways[0]).port}/right/"
    (obstacle,) = diagnose(address).obstacles
    assert (obstacle.step, obstacle.problem) == (VisitStep.PAGE, Problem.NOT_PRIVATE)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_a_visit_has_an_end(seconds: float) -> None:
    with pytest.raises(InputError, match="seconds"):
        diagnose("http://127.0.0.1:9/", seconds=seconds)


def test_a_real_report_is_no_test_report(affairs_form: Form, tmp_path: Path) -> None:
    """A report is kept as ever, also where a test report came before it."""
    from http.client import HTTPConnection

    page = render_page(affairs_form)
    store = open_store(tmp_path / "survey.db", affairs_form)
    app = create_app(affairs_form, page.bytes, page.headers, page.sha256, store)
    answers = {
        question.name: 30 if question.name == "age" else 0 for question in affairs_form.questions
    }
    with serving(app) as address:
        assert diagnose(address).arrived
        line = HTTPConnection(urlsplit(address).netloc, timeout=10)
        line.request("POST", "/report", respond(affairs_form, answers).body(affairs_form.size))
        assert line.getresponse().status == 201
        line.close()
    assert store.count() == 1
    store.close()


def test_every_step_and_problem_has_its_words() -> None:
    folder = Path(askance_collect.__file__).parent
    words = tomllib.loads((folder / "cli" / "doctor.toml").read_text(encoding="utf-8"))
    assert {*words["steps"]} == {step.name for step in VisitStep}
    assert {*words["problems"]} == {problem.name for problem in Problem}
