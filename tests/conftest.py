"""What tests of several rooms share."""

import gc
import importlib.util
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from askance_collect.wire import Form, body_size, read_question

ROOT = Path(__file__).parents[1]
sys.path.append(str(Path(__file__).parent))  # named_mechanisms.py
REFUSAL = r"^\| `([a-z-]+)` \| (\d{3})"

QUICK = 20
"""Cases of a law in `make check`."""

# No deadline, and nothing is too slow: other tests may keep both processors busy. Every run tries
# the same cases, so that it judges the change and not the day; `make explore` looks for new ones.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("house", PATIENT, derandomize=True, max_examples=60)
settings.register_profile("explore", PATIENT, derandomize=False)
settings.register_profile("quick", PATIENT, derandomize=True, max_examples=QUICK)
settings.load_profile("house")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without garbage collection, and pass over what was collected ever after.

    Modules and tests stay to the end, and searching them for garbage is most of the cost of both.
    A file that is left open is still told of: it is freed by its count.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Iterator[list[pytest.Collector]]:
    """Look for doctests in tests only where there are some: to search all of them takes a while."""
    result = yield
    return [
        item for item in result if not isinstance(item, DoctestModule) or _has_examples(item.path)
    ]


def _has_examples(path: Path) -> bool:
    return b"\n    >>> " in path.read_bytes()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that ``wide.txt`` lists, and hold laws to the cases of the quick profile."""
    by_name = {item.nodeid: item for item in items}
    for name in list_wide_tests():
        if name in by_name:
            by_name[name].add_marker("wide")
        elif name.partition("::")[0] in {item.nodeid.partition("::")[0] for item in items}:
            _refuse_unknown_test(config, name)
    for item in items if settings.get_current_profile_name() == "quick" else ():
        law = getattr(item, "obj", None)
        own = getattr(law, "_hypothesis_internal_use_settings", None)
        if own is not None and own.max_examples > QUICK:
            law._hypothesis_internal_use_settings = settings(own, max_examples=QUICK)


def list_wide_tests() -> list[str]:
    """List the tests that `make wide` runs, and `make test` does not, because they take long."""
    return Path(__file__).with_name("wide.txt").read_text(encoding="utf-8").splitlines()


def _refuse_unknown_test(config: pytest.Config, name: str) -> None:
    """Refuse a test in the list that its file does not have, if the whole file was asked for."""
    if not any("::" in argument for argument in config.args):
        raise pytest.UsageError(f"tests/wide.txt: {name} is no test; take it out, or rename it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """The relative differences that a comparison allows, as its mark `checked` states them."""

    value: float | None = None
    errors: float | None = None


@pytest.fixture
def within(request: pytest.FixtureRequest) -> Within:
    """The differences that the mark of this test allows; the page on comparisons prints them."""
    mark = request.node.get_closest_marker("checked")
    return Within(**{name: mark.kwargs.get(name) for name in ("value", "errors")})


@pytest.fixture(autouse=True)
def same_chance_every_time(request: pytest.FixtureRequest) -> None:
    """Seed plain dice for each test by its name; exploring, by the round too."""
    name = f"{os.environ.get('ASKANCE_ODDS_SEED', '')}{request.node.nodeid}"
    random.seed(zlib.crc32(name.encode()))


@pytest.fixture(scope="session")
def instructions() -> Callable[[Callable[[], Any]], int]:
    """Count what the interpreter does in a call, which nothing else on the machine moves."""

    def count(work: Callable[[], Any]) -> int:
        done, before = itertools.count(), sys.gettrace()

        def step(frame: Any, event: str, result: Any) -> Any:
            if event == "opcode":
                next(done)
            return step

        def enter(frame: Any, event: str, output: Any) -> Any:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            return step

        sys.settrace(enter)
        try:
            work()
        finally:
            sys.settrace(before)
        return next(done)

    return count


def _named(**labels: str) -> list[dict[str, Any]]:
    return [{"name": name, "label": {"en": label}} for name, label in labels.items()]


def form_of(*questions: dict[str, Any]) -> Form:
    """Publish questions by hand."""
    read = tuple(read_question(question, ("en",), question["name"]) for question in questions)
    return Form.read(
        {
            "askance": "form-1",
            "title": {"en": "Marriage"},
            "consent": {"en": "You may stop at any time."},
            "contact": {"en": "survey office"},
            "languages": ["en"],
            "collector": "",
            "size": body_size(read),
            "about": {},
            "questions": list(questions),
        }
    )


@pytest.fixture(scope="session")
def make_form() -> Callable[..., Form]:
    """Publish questions by hand: make_form(question, …)."""
    return form_of


@pytest.fixture(scope="session")
def affairs_form() -> Form:
    """One question of each kind."""
    affair, dunno = _named(yes="Yes", no="No"), {"name": "don't know", "label": {"en": "?"}}
    meanings: list[list[int]] = [[0], [1], [0, 1]]
    reports = [
        item | {"means": means} for item, means in zip([*affair, dunno], meanings, strict=True)
    ]
    return form_of(
        {
            "kind": "table",
            "name": "any_affair",
            "text": {"en": "Any affair?"},
            "answers": affair,
            "reports": reports,
            "table": {"total": 10, "rows": [[6, 1, 3], [1, 6, 3]]},
            "blank": [1, 20],
            "about": {},
        },
        {
            "kind": "cuts",
            "name": "age",
            "text": {"en": "How old are you?"},
            "line": {"lower": "17", "step": "1", "ticks": 53, "unit": {"en": "years"}},
            "cuts": {"number": 1, "weights": [1] * 52, "floor": None, "open": []},
            "ask": "cells",
            "typed": False,
            "blank": [0, 1],
            "about": {},
        },
        {
            "kind": "choice",
            "name": "children",
            "text": {"en": "Children?"},
            "answers": _named(none="None", one="One", more="More"),
        },
        {
            "kind": "number",
            "name": "years",
            "text": {"en": "Years married?"},
            "line": {"lower": "0", "step": "1/2", "ticks": 80, "unit": {"en": "years"}},
        },
    )


@pytest.fixture(scope="session")
def documented() -> dict[str, int]:
    """The HTTP status of every refusal, as the reference lists them."""
    page = (ROOT / "docs" / "reference" / "report.md").read_text(encoding="utf-8")
    return {code: int(status) for code, status in re.findall(REFUSAL, page, re.MULTILINE)}


@pytest.fixture(scope="session")
def cluster_tool() -> Any:
    """What starts a private PostgreSQL; its absence is a failure that says what to install."""
    spec = importlib.util.spec_from_file_location("cluster", ROOT / "tools" / "cluster.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture(scope="session")
def postgres_cluster(cluster_tool: Any) -> Iterator[str]:
    """A private PostgreSQL."""
    with cluster_tool.cluster(durable=False) as url:
        yield url


@pytest.fixture(scope="session")
def run_nginx() -> Callable[[Path, str], AbstractContextManager[Path]]:
    """Run nginx in a folder with a file that it finds sound; give where it writes of errors."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"

    @contextmanager
    def running(folder: Path, text: str) -> Iterator[Path]:
        kept_text = "".join(
            f"{kind}_temp_path {folder / kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        file, errors = folder / "nginx.conf", folder / "errors"
        file.write_text(text.replace("http {\n", "http {\n" + kept_text, 1), encoding="utf-8")
        run = [program, "-p", str(folder), "-c", str(file), "-e", str(errors)]
        run += ["-g", f"daemon off; pid {folder / 'pid'};"]
        tried = subprocess.run([*run, "-t"], capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
        proxy = subprocess.Popen(run)
        try:
            while not (folder / "pid").read_text():  # empty until it listens
                assert proxy.poll() is None
                time.sleep(0.01)
            yield errors
        finally:
            proxy.terminate()
            proxy.wait(20)

    return running


_numbers = itertools.count()


@pytest.fixture
def postgres_url(postgres_cluster: str) -> str:
    """An empty database of its own."""
    import psycopg

    name = f"survey{next(_numbers)}"
    with psycopg.connect(postgres_cluster, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return postgres_cluster.replace("/postgres?", f"/{name}?")
