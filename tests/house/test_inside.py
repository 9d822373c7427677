"""Tests speak to public names, so that the inside of a room can change under them.

``inside.txt`` lists what some test still takes from the inside of a room, a room and a name a line.
The list only gets shorter. A floor that is one file, such as ``arguments.py``, has no inside but
what begins with an underscore.
"""

import ast
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

Faces = Mapping[str, set[str]]
OURS = ("askance", "askance_collect")
TWIN = dedent("""
    from importlib import import_module
    import askance.privacy.ledger
    import askance.privacy as judges
    from askance.privacy import Ledger, ledger
    from askance.privacy.loss_distribution import (
        kfold,
        on_grid as grid,
    )
    from askance.privacy.ledger import Ledger
    serve = import_module("askance_collect.collect.serve")
    def late():
        from askance_collect.collect.serve import _Connection
""")


@pytest.fixture(scope="module")
def faces(root: Path, load: Callable[[Path], Any]) -> Faces:
    """Give the public names of each room, of each floor that is one file, and those at the top."""
    tool = load(root / "tools" / "public_api.py")
    rooms = {room.__name__: set(room.__all__) for room in tool.rooms().values()}
    files = (path for package in OURS for path in (root / "src" / package).glob("[!_]*.py"))
    names = [f"{path.parent.name}.{path.stem}" for path in files]
    entire = {name: _told(import_module(name)) for name in names}
    tops = {package: {*tool.flat(), *tool.rooms()} for package in OURS}
    return entire | rooms | tops


def _told(module: ModuleType) -> set[str]:
    """Give the names that a file makes itself, those that begin with an underscore left out."""
    own = {name for name, value in vars(module).items() if _home(value) == module.__name__}
    return {name for name in own if not name.startswith("_")}


def _home(item: Any) -> str:
    return str(getattr(item, "__module__", ""))


def taken(text: str, faces: Faces) -> set[str]:
    """Give what a file takes from the inside of rooms: each as a room and a name."""
    ones = [item for node in ast.walk(ast.parse(text)) for item in _asked(node)]
    ours = [(module.split("."), name) for module, name in ones if _is_ours(module)]
    return {
        f"{'.'.join(parts[:2])} {name}"
        for parts, name in ours
        if len(parts) > 2 or name not in faces.get(".".join(parts), set())
    }


def _asked(node: ast.AST) -> list[tuple[str, str]]:
    """Give each module that a statement asks something of, with what it asks."""
    match node:
        case ast.ImportFrom(module=str(module), names=names, level=0):
            return [(module, item.name) for item in names]
        case ast.Import(names=names):
            return [_parted(item.name) for item in names if item.name.count(".") > 1]
        case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str(module))]):
            return [_parted(module)] if module.count(".") > 1 else []
    return []


def _parted(module: str) -> tuple[str, str]:
    return module, module.rpartition(".")[2]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


def listed(root: Path) -> list[str]:
    return (root / "tests" / "house" / "inside.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.long
def test_nothing_more_is_taken_from_the_inside_of_a_room(root: Path, faces: Faces) -> None:
    files = sorted((root / "tests").rglob("*.py"))
    assert len(files) > 100
    union_result = set().union(*(taken(path.read_text(encoding="utf-8"), faces) for path in files))
    listed_result = listed(root)
    assert listed_result == sorted(set(listed_result))
    new, ordered = (
        sorted(union_result - set(listed_result)),
        sorted(set(listed_result) - union_result),
    )
    assert new == [], "speak to a public name, or make this one public in its room's __init__"
    assert ordered == [], "no test takes these any more: take them out of tests/house/inside.txt"


def test_no_test_takes_an_underscored_name_but_those_said(root: Path) -> None:
    underscored = [line for line in listed(root) if line.partition(" ")[2].startswith("_")]
    assert underscored == UNDERSCORED, "test what the public name gives instead"


def test_a_twin_that_looks_inside_is_caught(faces: Faces) -> None:
    assert taken("import askance as ak\nfrom askance.privacy import Ledger\n", faces) == set()
    assert taken("from askance import privacy, Frame\nimport numpy.linalg.linalg\n", faces) == set()
    assert taken("from askance_collect.arguments import checked, no_less\n", faces) == set()
    assert taken("from askance_collect.arguments import _read, Path\n", faces) == {
        "askance_collect.arguments _read",
        "askance_collect.arguments Path",
    }
    assert taken(TWIN, faces) == {
        "askance.privacy kfold",
        "askance.privacy ledger",
        "askance.privacy on_grid",
        "askance.privacy Ledger",
        "askance_collect.collect serve",
        "askance_collect.collect _Connection",
    }


UNDERSCORED = ["askance.inference _last"]
