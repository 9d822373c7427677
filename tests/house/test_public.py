"""Public names change on purpose only, and each is told and shown."""

import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import askance as ak

MOST = 60
HEAVY = """
matplotlib starlette uvicorn duckdb narwhals click rich jinja2 psycopg msgspec sklearn
scipy.stats scipy.optimize askance.design.optimal_channel
"""
AGAIN = "if the change is wanted, run: make snapshot"


@pytest.fixture(scope="module")
def tool(root: Path, load: Callable[[Path], Any]) -> Any:
    """Load the script that writes the names down."""
    return load(root / "tools" / "public_api.py")


def test_the_names_are_those_written_down(tool: Any) -> None:
    assert len(tool.public()) >= 30
    now, text = tool.snapshot(), tool.SNAPSHOT.read_text(encoding="utf-8")
    new, removed = (
        sorted({*a.split("\n")} - {*b.split("\n")}) for a, b in ((now, text), (text, now))
    )
    assert now == text, f"{AGAIN}; new: {new}; gone: {removed}"


def test_the_reference_lists_every_name(tool: Any) -> None:
    page = tool.REFERENCE.read_text(encoding="utf-8")
    assert tool.reference() == page, AGAIN
    assert [name for name in tool.public() if f"### `{tool.called(name)}" not in page] == []


def test_the_top_holds_the_names_of_every_day_alone() -> None:
    assert 30 <= len(ak.__all__) <= MOST, (
        "src/askance/__init__.py lifts the names of every day alone: leave others in their room"
    )
    assert dir(ak) == ak.__all__


def test_every_name_is_in_one_room(tool: Any) -> None:
    placed = [path for path, value in tool.public().items() if _home(value) != path.split(".")[0]]
    assert placed == [], "export each from the room whose file defines it, from no other"
    things = [value for value in tool.public().values() if hasattr(value, "__module__")]
    assert len({id(item) for item in things}) == len(things)
    lifted = [path for path in tool.public() if tool.called(path).count(".") == 1]
    assert len(lifted) == len(tool.flat())


def _home(item: Any) -> str:
    return str(item.__module__).split(".")[1]


def test_a_room_lists_and_loads_what_its_opening_page_says(tool: Any) -> None:
    for name, room in tool.rooms().items():
        assert dir(room) == room.__all__ if name != "errors" else room.__all__, name
        assert [item for item in room.__all__ if not hasattr(room, item)] == []
        assert len((inspect.getdoc(room) or "").splitlines()) >= 5, (
            f"src/askance/{name}/__init__.py: say in five lines or more what is in the room, and "
            "where to begin"
        )
    with pytest.raises(AttributeError, match=r"; it is askance\.privacy\.shafer_loss"):
        _ = ak.shafer_loss  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"no attribute 'nobody'$"):
        _ = ak.nobody  # type: ignore[attr-defined]


def test_a_room_crosses_processes_by_its_name(tool: Any) -> None:
    for room in (ak, *(value for name, value in tool.rooms().items() if name != "errors")):
        assert pickle.loads(pickle.dumps(room)) is room


@pytest.mark.long
def test_a_file_never_hides_the_function_of_its_name() -> None:
    """Importing ``askance.design.compare`` once put the file in the function's place."""
    code = "import askance.design.compare, askance as ak; ak.design.compare({}, epsilon=1)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "InputError" in run.stderr


def test_every_name_is_told_and_shown(tool: Any, root: Path) -> None:
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    ]
    blocks += [
        line
        for path in (root / "src").rglob("*.py")
        for line in re.findall(r"^ *(?:>>>|\.\.\.) (.*)$", path.read_text(encoding="utf-8"), re.M)
    ]
    tree = (root / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    distinct = set(re.findall(r"\w+", "\n".join([*blocks, tree.split("```")[1]])))
    silent, unshown = [], []
    for path, value in tool.public().items():
        name = path.split(".")[1]
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        result = inspect.getdoc(value) or ""
        example = ">>>" in result or any(
            ">>>" in (inspect.getdoc(member) or "")
            for _, member in inspect.getmembers(value, inspect.isroutine)
        )
        silent += [] if tool.summary(value) else [name]
        unshown += [] if example or name in distinct else [name]
    assert silent == [], "write a docstring whose first sentence says what each is"
    assert unshown == [], "show each: an example in its docstring, or a block of python in docs"


def test_every_member_has_a_sentence(tool: Any) -> None:
    wordless = [
        f"{name}.{member}"
        for name, value in tool.public().items()
        for member, tail, words in tool.members(value)
        if tail and not words
    ]
    assert wordless == [], "write a docstring for each"


@pytest.mark.long
def test_importing_loads_nothing() -> None:
    """A file is loaded when one of its names is used; what only some need, when they need it."""
    assert _loaded("import askance") & {"numpy", "scipy"} == set()
    heavy = set(HEAVY.split())
    used = _loaded("import askance as ak; ak.estimate, ak.Warner, ak.local_loss")
    assert used & heavy == set()


def _loaded(code: str) -> set[str]:
    say = [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"]
    return set(subprocess.run(say, capture_output=True, text=True, check=True).stdout.split())
