"""Public names change on purpose only, and each is told and shown."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

AGAIN = "if the change is wanted, run: make snapshot"


@pytest.fixture(scope="module")
def tool(root: Path, load: Callable[[Path], Any]) -> Any:
    """Load the script that writes the names down."""
    return load(root / "tools" / "public_api.py")


def test_the_names_are_those_written_down(tool: Any) -> None:
    assert len(tool.public()) >= 30
    assert tool.snapshot() == tool.SNAPSHOT.read_text(encoding="utf-8"), AGAIN


def test_the_reference_lists_every_name(tool: Any) -> None:
    page = tool.REFERENCE.read_text(encoding="utf-8")
    assert tool.reference() == page, AGAIN
    assert [name for name in tool.public() if f"### `{name}" not in page] == []


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
    shown = set(re.findall(r"\w+", "\n".join([*blocks, tree.split("```")[1]])))
    silent, unshown = [], []
    for name, thing in tool.public().items():
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            continue
        told = inspect.getdoc(thing) or ""
        example = ">>>" in told or any(
            ">>>" in (inspect.getdoc(member) or "")
            for _, member in inspect.getmembers(thing, inspect.isroutine)
        )
        silent += [] if tool.summary(thing) else [name]
        unshown += [] if example or name in shown else [name]
    assert silent == []
    assert unshown == []


def test_every_member_has_a_sentence(tool: Any) -> None:
    wordless = [
        f"{name}.{member}"
        for name, thing in tool.public().items()
        for member, tail, words in tool.members(thing)
        if tail and not words
    ]
    assert wordless == []


def test_importing_is_light() -> None:
    """What only some need, such as drawing or serving, is imported when it is used."""
    heavy = "matplotlib starlette uvicorn duckdb narwhals click rich jinja2 psycopg"
    heavy += " scipy.stats"
    code = f"import askance, sys; print(*[m for m in {heavy.split()!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
