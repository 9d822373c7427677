"""The README and the docs run: every Python block, every Askance command, every link."""

import doctest
import io
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FRONT = DOCS / "site" / "index.md"
"""The front page of the site: its links lead where the built pages lie; `make docs` tries them."""

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted({*DOCS.rglob("*.md")} - {FRONT})]
FENCE = re.compile(r"^```(\w+)?(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Recorder = Callable[[], AbstractContextManager[list[str]]]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PATIENCE = 600
ABOUT_MISFIT = {
    "for-ldp-users.md": "counts that other programs inverted, to compare what each does below 0",
    "when-people-do-not-comply.md": "fewer yes than are forced",
    "rehearse-a-survey.md": "people who send nothing once they have seen their cuts",
    "weights-strata-and-clusters.md": "weights taken for counts, to show what that does",
}
"""Pages on reports that no channel sends. Others show data that their channel can have sent."""
TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
IN_A_SHELL = (ROOT / "README.md", ROOT / "docs" / "how-to" / "run-a-collector.md")
"""Pages whose commands start the installed `askance`, each in a process of its own.

On the others they run in this one: the same program, without loading everything each time.
"""


@final
@dataclass(frozen=True, slots=True)
class Room:
    """A folder in which one page runs from its first block to its last."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    shell: bool = False
    servers: list[subprocess.Popen[str]] = field(default_factory=list)

    def block(self, kind: str, title: str, text: str) -> list[str]:
        """Run or write one block; say what went otherwise than the page tells."""
        if title:
            (self.folder / title).write_text(text, encoding="utf-8")
        elif kind == "python":
            return self._python(text)
        elif text.strip() == "^C":
            self.close()
        elif kind == "console":
            return [
                fault for line, result in commands(text) for fault in self._command(line, result)
            ]
        return []

    def _python(self, text: str) -> list[str]:
        if ">>>" not in text:
            exec(compile(text, "block", "exec"), self.names)
            return []
        test = doctest.DocTestParser().get_doctest(text, self.names, "block", None, None)
        test.globs = self.names
        replies: list[str] = []
        doctest.DocTestRunner(optionflags=FLAGS).run(test, out=replies.append, clear_globs=False)
        return replies

    def _command(self, line: str, expected: str) -> list[str]:
        words = line.partition("  #")[0].split()
        if words[0] != "askance":
            return []
        if words[1] == "serve":
            self._serve(line, words)
            return []
        code, result, complained = self._shell(line) if self.shell else typed(line)
        if code:
            return [f"{line}: exit {code}\n{result}{complained}"]
        if expected and not doctest.OutputChecker().check_output(expected, result, FLAGS):
            return [f"{line}: the page tells\n{expected}\nbut it says\n{result}"]
        return []

    def _shell(self, line: str) -> tuple[int, str, str]:
        run = subprocess.run(
            line,
            shell=True,
            executable="/bin/bash",
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return run.returncode, run.stdout, run.stderr

    def _serve(self, line: str, words: list[str]) -> None:
        """Start a collector; it runs until the page ends."""
        server = subprocess.Popen(
            [executable("askance"), *words[1:], "--port", "0"],  # not one that others may use
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.servers.append(server)
        assert server.stdout is not None
        assert "http" in server.stdout.readline(), line

    def close(self) -> None:
        """Stop what still runs."""
        while self.servers:
            server = self.servers.pop()
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=PATIENCE)


def typed(line: str) -> tuple[int | str | None, str, str]:
    """Do what the command does, in this process and folder, where everything is loaded already.

    >>> typed("askance no-such-verb")[0]
    2
    """
    words, (into, position) = shlex.split(line, comments=True), ("", "")
    if words[-2] == ">":
        *words, into, position = words
    out, err, code = io.StringIO(), io.StringIO(), None
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", words)
        try:
            runpy.run_module("askance", run_name="__main__")
        except SystemExit as end:
            code = end.code
    if into:
        Path(position).write_text(out.getvalue(), encoding="utf-8")
    return code, "" if into else out.getvalue(), err.getvalue()


def executable(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def environment() -> dict[str, str]:
    own = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return os.environ | own | TERMINAL


def commands(text: str) -> Iterator[tuple[str, str]]:
    r"""Pair each command with what the page says it prints.

    >>> list(commands("$ a\n1\n2\n$ b\n"))
    [('a', '1\n2\n'), ('b', '')]
    """
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, _, result = part.partition("\n")
        yield line, result


def run_page(text: str, folder: Path, *, shell: bool = False) -> list[str]:
    """Run a whole page in a folder, its commands in a shell if wanted; say every fault."""
    room = Room(folder, shell=shell)
    try:
        return [
            fault
            for kind, title, block in FENCE.findall(text)
            for fault in room.block(kind, title, block)
        ]
    finally:
        room.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, misfits: Recorder
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for name, value in {**TERMINAL, "MPLBACKEND": "Agg"}.items():
        monkeypatch.setenv(name, value)
    with misfits() as doubted:
        faults = run_page(page.read_text(encoding="utf-8"), tmp_path, shell=page in IN_A_SHELL)
    assert not faults, "\n".join(faults)
    assert page.name in ABOUT_MISFIT or doubted == [], (
        "the page shows reports that its channel cannot have sent: take others, or write into "
        "ABOUT_MISFIT of tests/house/test_pages.py why it is about them"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)|src=\"([^\"]+)\"", text)
    inside = [item for pair in links for item in pair if item and not item.startswith("http")]
    broken = [link for link in inside if not (page.parent / link).exists()]
    assert broken == [], f"{page}: no file is there; links are relative to the page"


def test_the_docs_are_of_four_kinds() -> None:
    folders = {page.relative_to(ROOT / "docs").parts[0] for page in PAGES[2:]}
    kinds = {"tutorials", "how-to", "reference", "explanation"}
    assert folders == kinds | {"notation.md", "glossary.md", "README.md"}, (
        f"put a page into one of docs/{{{','.join(sorted(kinds))}}}, by what its reader wants"
    )


WITHOUT_A_START = {
    "ask-in-your-platform.md": "scripts of other programs, run in them: tests/browser",
    "for-r-users.md": "R, run by make r",
    "work-on-a-cluster.md": "a program for a cluster: tests/engines/test_spark.py",
    "use-pymc-and-arviz.md": "programs for PyMC, which the tests do without: make notebooks",
    "which-way-of-asking.md": "questions to click through, that end with lines to copy",
}
"""How-to pages whose first screen holds nothing that is run here, and why."""

HOW_TO = sorted((DOCS / "how-to").glob("*.md"))


@pytest.mark.parametrize("page", HOW_TO, ids=lambda page: page.name)
def test_the_first_screen_lets_one_do_the_thing(page: Path) -> None:
    """Within forty lines there is a block that is run: nobody has to read first."""
    text = page.read_text(encoding="utf-8")
    starts = [
        text[: match.start()].count("\n")
        for match in FENCE.finditer(text)
        if match[1] in ("python", "console") and not match[2]
    ]
    begins_late = not starts or starts[0] >= 40
    assert begins_late is (page.name in WITHOUT_A_START), (
        f"{page}: begin with a block of python or console, within 40 lines; if none is run there, "
        "write why into WITHOUT_A_START of tests/house/test_pages.py (and take it out once one is)"
    )


@pytest.mark.long
def test_broken_pages_are_caught(tmp_path: Path) -> None:
    assert run_page("```python\n>>> 1 + 1\n2\n```\n", tmp_path) == []
    assert len(run_page("```python\n>>> 1 + 1\n3\n```\n", tmp_path)) == 1
    with pytest.raises(ZeroDivisionError):
        run_page("```python\n1 / 0\n```\n", tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("shell", [False, True])
def test_commands_that_fail_or_say_something_else_are_caught(shell: bool, tmp_path: Path) -> None:
    for block in ("$ askance no-such-verb", "$ askance --version\nnothing of the kind"):
        assert len(run_page(f"```console\n{block}\n```\n", tmp_path, shell=shell)) == 1
    assert run_page("```console\n$ askance --version\n...\n```\n", tmp_path, shell=shell) == []


def test_a_page_is_one_story(tmp_path: Path) -> None:
    text = "```python\nx = 1\n```\n```toml a.toml\ny = 2\n```\n```python\n>>> x\n1\n```\n"
    assert run_page(text, tmp_path) == []
    assert (tmp_path / "a.toml").read_text(encoding="utf-8") == "y = 2\n"
