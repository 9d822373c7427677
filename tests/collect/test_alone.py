"""The collector alone: its own wheel, with what it asks for and nothing else, takes a report."""

import json
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from askance_collect.wire import Form

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ALONE = tomllib.loads((ROOT / "collector" / "pyproject.toml").read_text("utf-8"))
HEAVY = ("numpy", "scipy", "msgspec", "matplotlib", "narwhals", "duckdb", "rich")
LOADED = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the collector alone."""
    spec = util.spec_from_file_location("alone", ROOT / "tools" / "alone.py")
    assert spec is not None
    assert spec.loader is not None
    tool: Any = util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    environment_result: Path = tool.environment(
        "askance-collector", tmp_path_factory.mktemp("alone") / "env"
    )
    return environment_result


def test_the_whole_stands_on_it_and_neither_has_a_file_of_the_other() -> None:
    project, extras = ALONE["project"], PROJECT["optional-dependencies"]
    assert project["version"] == PROJECT["version"]
    assert project["requires-python"] == PROJECT["requires-python"]
    assert f"askance-collector=={project['version']}" in PROJECT["dependencies"]
    assert project["scripts"].keys() & PROJECT["scripts"].keys() == set()
    for extra, packages in project["optional-dependencies"].items():
        assert set(packages) <= set(extras[extra]), extra


@pytest.mark.long
def test_nothing_that_it_loads_is_heavy_or_of_the_analysis() -> None:
    paths = (
        path.relative_to(ROOT / "src") for path in (ROOT / "src/askance_collect").rglob("*.py")
    )
    names = [".".join(path.with_suffix("").parts) for path in paths if "__" not in path.stem]
    assert len(names) > 60
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED, *names], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(names) <= set(loaded)
    assert {*HEAVY, "askance"} & set(loaded) == set()


def _run(python: Path, *words: str | Path, code: int = 0) -> str:
    run = [python.with_name("askance-collect"), *words]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.mark.long
def test_it_takes_a_report(
    python: Path, affairs_form: Form, make_body: Callable[[], bytes], tmp_path: Path
) -> None:
    form, store = tmp_path / "exam.form.json", tmp_path / "exam.db"
    form.write_bytes(affairs_form.bytes)
    form.chmod(0o400)
    words = [python.with_name("askance-collect"), "serve", form, "--store", store, "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as collector:
        assert collector.stdout is not None
        url = collector.stdout.readline().split()[-1]
        with urlopen(url) as page:
            assert b"<!doctype html>" in page.read(20).lower()
        with urlopen(Request(f"{url}report", make_body())) as reply:
            assert json.loads(reply.read())["accepted"] is True
        lines = _run(python, "healthy", url).splitlines()
        assert [line.partition(" ")[0] for line in lines] == [
            "healthy",
            "program",
            "askance-collector",
        ]
        assert lines[2].endswith(": each file is as in its wheel")
        assert _run(python, "healthy", "--release", lines[1][-64:], url)
        (site,) = python.parents[1].glob("lib/python*/site-packages/askance_collect")
        (site / "more.py").touch()
        replies = _run(python, "healthy", url, code=1)
        assert replies.endswith("differs from its wheel: askance_collect/more.py was added\n")
        (site / "more.py").unlink()
        collector.send_signal(signal.SIGTERM)
        assert collector.wait(30) == 0
    assert _run(python, "status", store).startswith("1 report, open")
    assert _run(python, "close", store).endswith("closed with 1 report\n")
    assert "is written" in _run(python, "export", store, tmp_path / "exam.csv")


@pytest.mark.long
def test_what_it_lacks_is_named(python: Path, affairs_form: Form, tmp_path: Path) -> None:
    helped = _run(python, "--help")
    assert "serve " in helped
    assert "estimate" not in helped
    assert PROJECT["version"] in _run(python, "--version")
    result = _run(python, "key", tmp_path / "key.txt", code=2)
    assert "pip install 'askance-collector[backup]'" in result
    (tmp_path / "exam.toml").touch()
    result = _run(python, "serve", tmp_path / "exam.toml", code=2)
    assert "this is the collector alone; askance publish writes it" in result
    assert "No such command 'plan'" in _run(python, "plan", "exam.toml", code=2)
    look = "import askance_collect as ac; print(*dir(ac)); ac.wire.Form"
    done = subprocess.run([python, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "cli collect errors exact respond tokens wire"
    empty, forms = tmp_path / "empty", tmp_path / "forms"
    empty.mkdir()
    forms.mkdir()
    assert "published forms, *.form.json" in _run(python, "serve", empty, code=2)
    (forms / "exam.form.json").write_bytes(affairs_form.bytes)
    nowhere = _run(python, "serve", forms, "--host", "nowhere", code=2)
    assert nowhere.startswith("askance-collect: nowhere:8000: got ")


@pytest.mark.parametrize(
    ("program", "project"),
    [("askance.cli.main", PROJECT), ("askance_collect.__main__", ALONE["project"])],
)
def test_a_missing_package_is_looked_for_in_an_extra_that_there_is(
    program: str, project: dict[str, Any]
) -> None:
    extras = set(import_module(program).PROGRAM.extras.values())
    assert extras <= set(project["optional-dependencies"])
