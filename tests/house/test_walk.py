"""The walk from an answer to an estimate on the page about the rooms is the one that is taken."""

import pkgutil
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import pytest

import askance
from askance import survey
from askance.collect import create_app, open_store, serving
from askance.engines import count_reports
from askance.present import render_analysis
from askance.respond import render_page, respond

STEP = re.compile(r"^\| `([\w/]+\.py)` \|", re.MULTILINE)


def steps(page: str) -> list[str]:
    """List the files of the walk, in order."""
    return STEP.findall(page.split("## One answer on its way")[1].split("\n## ")[0])


@contextmanager
def trodden(house: Path) -> Iterator[list[str]]:
    """Note each file of the house when something in it is first called, in any thread."""
    found: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(str(house)) and frame.f_code.co_name != "<module>":
            name = Path(path).relative_to(house).as_posix()
            if name not in found:
                found.append(name)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def walked(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Take one answer all the way."""
    folder = tmp_path_factory.mktemp("walk")
    for module in pkgutil.walk_packages(askance.__path__, "askance."):
        if module.name != "askance.__main__":
            import_module(module.name)  # what runs while a module loads is no step
    with trodden(root / "src" / "askance") as found:
        form = survey.publish(survey.load_survey(root / "examples" / "affairs.toml"))
        page = render_page(form)
        answers = {question.name: 0 for question in form.questions}
        sent = respond(form, answers).body(form.size)
        store = open_store(folder / "reports.db", form)
        app = create_app(form, page.bytes, page.headers, page.sha256, store)
        with serving(app) as url:
            line = HTTPConnection(urlsplit(url).netloc, timeout=10)
            line.request("POST", "/report", sent, {"content-type": "text/plain;charset=UTF-8"})
            assert line.getresponse().status == 201
            line.close()
        store.close()
        counts = count_reports(folder / "reports.db", form)
        assert render_analysis(survey.analyse(form, counts))
    return found


def test_the_walk_is_the_one_that_is_taken(root: Path, walked: list[str]) -> None:
    told = steps((root / "docs" / "explanation" / "rooms.md").read_text(encoding="utf-8"))
    assert len(told) >= 12
    assert set(told) <= set(walked)
    assert sorted(told, key=walked.index) == told


def test_a_detour_is_caught(walked: list[str]) -> None:
    page = "## One answer on its way\n\n| `learn/formula.py` | x |\n| `wire/report.py` | y |\n"
    assert steps(page) == ["learn/formula.py", "wire/report.py"]
    assert "learn/formula.py" not in walked
