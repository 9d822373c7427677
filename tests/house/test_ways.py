"""The operator's and the issuer's how-to pages, typed from their first line to their last.

Each test is somebody who types what a page says, in its order, in a folder of their own, while
people answer. What the page says to put right, names of hosts and numbers of reports, is put right;
`Way.end` sees that no line was left out. That each line prints what the page tells is seen by
`test_pages.py`, where nobody answers.
"""

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, final
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance_collect.respond import blind, respond
from askance_collect.wire import Form, from_base64url, to_base64url

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
FENCE = re.compile(r"^```(?:console|text)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOML = re.compile(r"^```toml (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^(?:\$ )?(askance .+|\^C)$", re.MULTILINE)


def typed_on(page: str) -> list[str]:
    r"""Every line that a page has typed, in its order.

    >>> typed_on("```console\n$ askance new a.toml\nwritten\n```\nwords\n```\n^C\n```\n")
    ['askance new a.toml', '^C']
    """
    return [line for block in FENCE.findall(page) for line in TYPED.findall(block)]


@final
class Way:
    """Somebody who goes through a page."""

    def __init__(self, page: str) -> None:
        text = (HOW_TO / page).read_text(encoding="utf-8")
        self.left = typed_on(text)
        self.running: list[subprocess.Popen[str]] = []
        for name, block in TOML.findall(text):
            Path(name).write_text(block, encoding="utf-8")

    def _next(self, begins: str, right: dict[str, str]) -> list[str]:
        """The words of the page's next line, with what its reader puts right."""
        line = self.left.pop(0)
        assert line.startswith(begins), f"the page says {line!r} here, the test types {begins!r}"
        for theirs, own in right.items():
            assert theirs in line, line
            line = line.replace(theirs, own)
        return shlex.split(line)[1:]

    def type(self, begins: str, right: dict[str, str] | None = None) -> str:
        """Type it; give what is printed."""
        words = self._next(begins, right or {})
        done = CliRunner().invoke(verbs, words, catch_exceptions=False)
        assert done.exit_code == 0, f"{words}\n{done.output}"
        return done.output

    def start(self, begins: str, right: dict[str, str] | None = None) -> str:
        """Type what runs on; give the address that it prints."""
        run = [sys.executable, "-m", "askance", *self._next(begins, right or {}), "--port", "0"]
        process = subprocess.Popen(
            run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
        )
        self.running.append(process)
        assert process.stdout is not None
        first = process.stdout.readline()
        assert "http" in first, first
        return first.split()[-1]

    def stop(self) -> None:
        """Stop what was started first, by the page's ^C or by its words."""
        if self.left[:1] == ["^C"]:
            self.left.pop(0)
        process = self.running.pop(0)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode in (0, 130)

    def end(self) -> None:
        """See that everything on the page was typed, and nothing runs on."""
        assert (self.left, self.running) == ([], []), (
            "the page has lines that this test does not type: type them here, in their order"
        )


@pytest.fixture
def way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Way]]:
    begun: list[Way] = []
    monkeypatch.chdir(tmp_path)

    def begin(page: str) -> Way:
        begun.append(Way(page))
        return begun[-1]

    yield begin
    for process in (process for item in begun for process in item.running):
        process.kill()
        process.communicate()


def _post(url: str, body: bytes) -> Any:
    with urlopen(Request(url, body), timeout=30) as reply:
        return json.loads(reply.read())


def _answer(url: str, many: int, token: Callable[[Form], str] = lambda _: "") -> list[str]:
    """Have so many people answer; give the numbers of their reports."""
    with urlopen(f"{url}form.json", timeout=30) as reply:
        form = Form.read(reply.read())
    answers = {question.name: 0 for question in form.questions}
    bodies = [respond(form, answers).body(form.size) for _ in range(many)]
    for body in bodies:
        assert _post(f"{url}report", body + token(form).encode())["accepted"]
    return [json.loads(body)["id"] for body in bodies]


@pytest.mark.long
def test_an_operator_collects(way: Callable[[str], Way]) -> None:
    page = way("run-a-collector.md")
    page.type("askance new exam.toml")
    url = page.start("askance serve exam.toml --store exam.db", {"--port 8102": ""})
    assert "kit/nginx.conf" in page.type("askance collect kit exam.form.json kit")
    first, *_ = _answer(url, 7)
    type_result = page.type("askance collect healthy", {"http://127.0.0.1:8102/": url})
    assert type_result.splitlines() == ["healthy", "editable install: not a release"]
    seen_type_result = page.type("askance collect doctor", {"https://exam.example.org/": url})
    assert "arrived unchanged; it is not kept" in seen_type_result
    assert page.type("askance collect status exam.db").startswith("7 reports, open")
    page.stop()
    assert page.type("askance collect close exam.db") == "closed with 7 reports\n"
    page.type("askance collect export exam.db exam.csv")
    assert len(Path("exam.csv").read_text("utf-8").splitlines()) == 8
    number = {"0123456789abcdef0123456789abcdef": first}
    assert "6 reports are left" in page.type("askance collect withdraw exam.db", number)
    assert "6 of 6 reports" in page.type("askance collect repair exam.db saved.db")
    page.end()


@pytest.mark.long
def test_an_issuer_invites(way: Callable[[str], Way]) -> None:
    page = way("invite-people.md")
    assert "50 codes" in page.type("askance invite exam.toml", {"--count 500": "--count 50"})
    assert "each report needs a token" in page.type("askance check exam.toml")
    codes = [row.split(",")[0] for row in Path("codes.csv").read_text("utf-8").splitlines()[1:]]
    assert len(set(codes)) == 50
    issuer = page.start("askance issue exam.issuer", {"0.0.0.0": "127.0.0.1"})

    def bought(form: Form) -> str:
        waiting = blind(form)
        questions = {"blinded": to_base64url(waiting.message), "code": codes.pop()}
        signed = _post(f"{issuer}sign", json.dumps(questions).encode())["signature"]
        return waiting.token(from_base64url(signed)).text

    _answer(page.start("askance serve exam.toml --store exam.db"), 3, bought)
    assert page.type("askance invite exam.toml") == "everybody  50 codes, 3 exchanged\n"
    page.stop()
    page.stop()
    assert "tokens spent: 3 of 50 everybody" in page.type("askance collect status exam.db")
    assert page.type("askance collect close exam.db") == "closed with 3 reports\n"
    page.end()
