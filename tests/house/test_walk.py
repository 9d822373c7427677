"""The walk on the page about the rooms, and its lists of files to read, are those that run."""

import pkgutil
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

import askance
import askance as ak
import askance_collect
from askance import survey
from askance.cli import verbs
from askance.engines import count_reports
from askance.present import render_analysis
from askance_collect.collect import create_app, open_store, serving
from askance_collect.respond import render_page, respond

STEP = re.compile(r"^\| `([\w/]+\.py)` \|", re.MULTILINE)


PAGE = "docs/explanation/rooms.md"
WALK = "## One answer on its way\n"
SHARED = {"arguments.py", "errors.py", "lazy.py", "results.py"}


def steps(page: str, heading: str) -> list[str]:
    """List the files below a heading, in order."""
    return STEP.findall(re.split(r"\n##", page.split(heading)[1])[0])


@contextmanager
def trodden(house: Path) -> Iterator[list[str]]:
    """Note each file of a package when something in it is first called, in any thread."""
    result: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(str(house)) and frame.f_code.co_name != "<module>":
            name = Path(path).relative_to(house).as_posix().partition("/")[2]
            if name not in result:
                result.append(name)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield result
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


@pytest.fixture(scope="module", autouse=True)
def everything_is_loaded_and_nothing_remembered() -> None:
    """What runs while a module loads is no step, and one that was remembered would be none."""
    modules = (
        module
        for package in (askance, askance_collect)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    )
    for module in modules:
        if not module.name.endswith(".__main__"):
            for value in vars(import_module(module.name)).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


@pytest.fixture(scope="module")
def walked(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Take one answer all the way."""
    folder = tmp_path_factory.mktemp("walk")
    with trodden(root / "src") as trodden_result:
        form = survey.publish(survey.load_survey(root / "examples" / "affairs.toml"))
        page = render_page(form)
        answers = {question.name: 0 for question in form.questions}
        body_result = respond(form, answers).body(form.size)
        store = open_store(folder / "reports.db", form)
        app = create_app(form, page.bytes, page.headers, page.sha256, store)
        with serving(app) as url:
            line = HTTPConnection(urlsplit(url).netloc, timeout=10)
            line.request(
                "POST", "/report", body_result, {"content-type": "text/plain;charset=UTF-8"}
            )
            assert line.getresponse().status == 201
            line.close()
        store.close()
        counts = count_reports(folder / "reports.db", form)
        assert render_analysis(ak.analyse(form, counts))
    return trodden_result


def page_of(root: Path) -> str:
    """The page about the rooms."""
    return (root / "docs" / "explanation" / "rooms.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_walk_is_the_one_that_is_taken(root: Path, walked: list[str]) -> None:
    steps_result = steps(page_of(root), WALK)
    assert len(steps_result) >= 12
    assert set(steps_result) - set(walked) == set(), (
        f"{PAGE}: these do not run on the walk, delete them"
    )
    assert steps_result == sorted(steps_result, key=walked.index), (
        f"{PAGE}: list the walk in the order it runs"
    )


def test_a_detour_is_caught(walked: list[str]) -> None:
    page = "## One answer on its way\n\n| `learn/formula.py` | x |\n| `wire/report.py` | y |\n"
    assert steps(page, WALK) == ["learn/formula.py", "wire/report.py"]
    assert "learn/formula.py" not in walked


def the_calls(root: Path) -> dict[str, Callable[[], object]]:
    """Each call that has a list of files to read, by its heading."""
    frame = ak.Frame(["yes", "no"])
    channel = ak.Warner(truth=0.75).channel(frame)
    tally = ak.Tally(channel, {"yes": 30, "no": 70})
    lower = [7 * index % 5 for index in range(40)]
    ranges = ak.Ranges(lower, [low + 1 + 3 * index % 4 for index, low in enumerate(lower)])
    reports, expected = ["yes", "no", "no", "yes"] * 10, [[index % 7] for index in range(40)]
    affairs = root / "examples" / "affairs.toml"
    questions = survey.load_survey(affairs)
    return {
        "`estimate` of a tally": lambda: ak.estimate(tally),
        "`npmle` of ranges": lambda: ak.npmle(ranges),
        "`design.optimal_channel`": lambda: ak.design.optimal_channel(
            frame, ak.design.Advantage(0.25), reports=3
        ),
        "`response_regression`": lambda: ak.response_regression(reports, expected, channel),
        "`survey.publish` of a survey": lambda: survey.publish(questions),
        "`askance plan` of a survey": lambda: CliRunner().invoke(
            verbs, ["plan", str(affairs)], catch_exceptions=False
        ),
    }


@pytest.mark.long
def test_the_files_to_read_are_all_that_a_call_enters(root: Path) -> None:
    page, calls = page_of(root), the_calls(root)
    listed = page.split("## Where a call goes")[1].split("\n## ")[0]
    assert re.findall(r"^### (.*)$", listed, re.MULTILINE) == list(calls)
    published = set(steps(page, "### `survey.publish` of a survey\n"))
    for heading, call in calls.items():
        steps_result = steps(page, f"### {heading}\n")
        with trodden(root / "src") as trodden_result:
            call()
        distinct = published & {*trodden_result} if heading.startswith("`askance plan`") else set()
        ran = {*trodden_result} - SHARED
        assert ran - {*steps_result, *distinct} == set(), (
            f"{PAGE}, {heading}: add a row for each file that runs, and what it decides"
        )
        assert {*steps_result, *distinct} - ran == set(), (
            f"{PAGE}, {heading}: these do not run, delete them"
        )
        assert steps_result == [item for item in trodden_result if item in steps_result], (
            f"{PAGE}, {heading}: list the files in the order in which they run"
        )


def test_a_list_that_leaves_a_file_out_is_caught(root: Path) -> None:
    steps_result = steps(page_of(root), "### `estimate` of a tally\n")
    with trodden(root / "src") as trodden_result:
        the_calls(root)["`estimate` of a tally"]()
    assert set(steps_result[1:]) != {*trodden_result} - SHARED
    assert [item for item in trodden_result if item in steps_result] != steps_result[::-1]


def test_the_folders_of_a_large_room_are_named(root: Path) -> None:
    matches = re.findall(r"^inference/(\w+) ", page_of(root), re.MULTILINE)
    folders = (root / "src" / "askance" / "inference").glob("*/__init__.py")
    assert sorted(matches) == sorted(folder.parent.name for folder in folders), (
        f"{PAGE}: list each folder of inference, and what it is about"
    )
