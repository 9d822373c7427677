"""Rooms stand on floors, and the contract that says so can fail."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

LINTER = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
PACKAGES = ("askance", "askance_collect")
CHAIN = 12
NOWHERE = {"utils", "util", "helpers", "helper", "common", "core", "misc", "shared", "tools"}


def floors(settings: dict[str, Any], package: str) -> list[list[str]]:
    """Read the floors of a package, the highest first."""
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (item for item in contracts if item.get("containers") == [package])
    assert contract["exhaustive"] is True
    return [[room.strip(" ()") for room in floor.split("|")] for floor in contract["layers"]]


def leaves(settings: dict[str, Any]) -> list[str]:
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (contract for contract in contracts if contract["type"] == "protected")
    modules: list[str] = contract["protected_modules"]
    return modules


def rooms(settings: dict[str, Any], package: str) -> set[str]:
    return {room for floor in floors(settings, package) for room in floor}


def test_the_floors_hold(root: Path) -> None:
    run = subprocess.run(LINTER, cwd=root, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert "0 broken" in run.stdout


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_is_in_a_room(package: str, root: Path, settings: dict[str, Any]) -> None:
    top = {path.name for path in (root / "src" / package).iterdir() if path.name != "__pycache__"}
    spare = {"__init__.py", "__main__.py", "py.typed"}
    assert {name.removesuffix(".py") for name in top - spare} - rooms(settings, package) == set(), (
        "give each a floor in pyproject.toml, under layers of [tool.importlinter]: above what it "
        "imports; or move it into a room"
    )


def imported(node: ast.AST, modules: Mapping[str, Any]) -> list[str]:
    """List the modules, by dotted name, that a statement imports."""
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        texts = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if name in modules else node.module for name in texts]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def longest_chain(modules: Mapping[str, Iterable[ast.AST]]) -> list[str]:
    """The modules that stand in each other's way longest, from statements by dotted name."""

    @cache
    def chain(name: str) -> list[str]:
        ones = {item for node in modules[name] for item in imported(node, modules)}
        below = ones & modules.keys() - {name}
        return [name, *max(map(chain, below), key=len, default=[])]

    return max(map(chain, modules), key=len)


def test_no_chain_of_imports_is_long(statements: dict[str, list[ast.AST]]) -> None:
    named = {
        path.removesuffix(".py").replace("/", "."): nodes
        for path, nodes in statements.items()
        if not path.endswith("__init__.py")
    }
    assert len(named) > 100
    assert len(chain := longest_chain(named)) <= CHAIN, (
        f"{chain}: the last modules are loaded through all the others; let one of these not import "
        "the next"
    )
    assert len(chain) > CHAIN // 2


def test_a_long_chain_is_caught() -> None:
    texts = {f"a.m{index}": f"from a import m{index + 1}" for index in range(CHAIN)} | {
        f"a.m{CHAIN}": ""
    }
    chain = longest_chain({name: list(ast.walk(ast.parse(text))) for name, text in texts.items()})
    assert chain == [f"a.m{index}" for index in range(CHAIN + 1)]


SERVES_ONE = {
    "askance.analysis.evidence_findings": "one function: evidence on a question from counts",
    "askance.channels.bit_flip_oracle": "an oracle behind the interface that all have",
    "askance.channels.projective_oracles": "oracles behind the interface that all have",
    "askance.cli.log": "a verb",
    "askance.cli.mechanism_option": "one option and how it is read",
    "askance.cli.seal": "verbs",
    "askance.design.programme": "a solver: what is maximised goes in, a channel comes out",
    "askance.engines.age_key": "a format of others: a file goes in, private keys come out",
    "askance.engines.sampled_tallies": "tallies of samples, of names and of oracles",
    "askance.engines.support_counts": "one function: a source goes in, support counts come out",
    "askance.engines.workbook_notes": "cells of a sheet go in, notes come out",
    "askance.inference.intervals.cdf_profile": "one function: all intervals on a grid at once",
    "askance.present.bibliography": "one function: sources by their keys, as they are cited",
    "askance.present.r_data": "a format of others: columns go in, bytes come out",
    "askance.present.board_risks": "the table of risks of a board's page",
    "askance.survey.imports.limesurvey": "one function: a tree goes in, a draft comes out",
    "askance.survey.imports.qualtrics": "one function: a tree goes in, a draft comes out",
    "askance.survey.imports.read_source": "one function: a file goes in, a draft comes out",
    "askance.survey.imports.surveyjs": "one function: a tree goes in, a draft comes out",
    "askance.survey.imports.xlsform": "one function: a tree goes in, a draft comes out",
    "askance.survey.routing": "the parts of a form that say who is asked what",
    "askance_collect.cli.collect": "verbs",
    "askance_collect.cli.serve": "a verb, whose options another shares",
    "askance_collect.collect.postgres": "a store behind the interface that all have",
    "askance_collect.collect.rate_limit": "one class in front of the application",
    "askance_collect.collect.sqlite": "a store behind the interface that all have",
}
"""Modules that are not public and serve one other alone, and the narrow interface of each."""


def test_what_serves_one_module_alone_has_a_narrow_interface(
    statements: dict[str, list[ast.AST]],
) -> None:
    names = {
        path: path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in statements
    }
    importers: dict[str, set[str]] = {name: set() for name in names.values()}
    for path, nodes in statements.items():
        for name in {item for node in nodes for item in imported(node, importers)} & {*importers}:
            importers[name].add(path)
    alone = {
        name
        for path, name in names.items()
        if not path.endswith("__init__.py")
        and len(importers[name]) == 1
        and not any(importer.endswith("__init__.py") for importer in importers[name])
    }
    assert len(alone) > len(SERVES_ONE) // 2
    assert alone - {*SERVES_ONE} == set(), (
        "merge each into the module that imports it; if it hides a subject of its own behind a "
        "function or two, say so in SERVES_ONE"
    )


def test_no_room_is_a_drawer(root: Path) -> None:
    inside = [*(root / "src").rglob("*"), *(root / "tests").rglob("*")]
    drawers = [path for path in inside if path.stem.lower() in NOWHERE]
    assert drawers == [], "name each for its one subject, or move its parts to where they are used"


def test_the_page_on_rooms_shows_and_names_every_room(
    root: Path, settings: dict[str, Any], load: Callable[[Path], Any]
) -> None:
    tool = load(root / "tools" / "rooms.py")
    assert tool.picture() == tool.PICTURE.read_text(encoding="utf-8"), "run: make snapshot"
    page = (root / "docs" / "explanation" / "rooms.md").read_text(encoding="utf-8")
    assert "](rooms.svg)" in page
    for room in (room for package in PACKAGES for room in rooms(settings, package)):
        assert f">{room}</text>" in tool.picture()
        assert f"`{room}" in page, f"docs/explanation/rooms.md: say which lines live in `{room}`"


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory, root: Path, settings: dict[str, Any]) -> Path:
    """Build the house with every room empty."""
    folder = tmp_path_factory.mktemp("stub")
    (folder / "pyproject.toml").write_bytes((root / "pyproject.toml").read_bytes())
    for package in PACKAGES:
        for room in rooms(settings, package):
            (folder / package / room).mkdir(parents=True)
            (folder / package / room / "__init__.py").touch()
        (folder / package / "__init__.py").touch()
    for leaf in leaves(settings):
        package_folder = folder
        for part in leaf.split("."):
            package_folder = package_folder / part
            package_folder.mkdir(exist_ok=True)
            (package_folder / "__init__.py").touch()
    return folder


def _broken(stub: Path, path: str = "", line: str = "") -> str:
    """Lint the empty house with one more line in it."""
    target = stub / path
    before = target.read_bytes() if path and target.exists() else None
    if path:
        target.parent.mkdir(exist_ok=True)
        target.write_text(line, encoding="utf-8")
    run = subprocess.run(LINTER, cwd=stub, capture_output=True, text=True, check=False)
    if path and before is None:
        target.unlink()
        if not any(target.parent.iterdir()):
            target.parent.rmdir()
    elif before is not None:
        target.write_bytes(before)
    return "" if run.returncode == 0 else run.stdout


def test_an_empty_house_stands(stub: Path) -> None:
    assert _broken(stub) == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        (
            "askance_collect/exact/__init__.py",
            "import askance_collect.wire",
            "askance_collect.exact is not allowed to import",
        ),
        ("askance/mechanisms/__init__.py", "import askance.privacy", "is not allowed to import"),
        (
            "askance_collect/respond/__init__.py",
            "import askance_collect.collect",
            "is not allowed to import",
        ),
        (
            "askance_collect/collect/__init__.py",
            "import askance_collect.respond",
            "is not allowed to import",
        ),
        (
            "askance_collect/collect/__init__.py",
            "import askance.survey",
            "askance_collect is not allowed to import askance",
        ),
        ("askance_collect/wire/__init__.py", "import numpy", "is not allowed to import numpy"),
        ("askance_collect/respond/x.py", "import starlette", "is not allowed to import starlette"),
        ("askance/attic/__init__.py", "", "askance.attic"),
        ("askance/channels/__init__.py", "import askance.cli", "is not allowed to import"),
        (
            "askance/design/x.py",
            "import askance.inference.area_level",
            "askance.inference.area_level",
        ),
        ("askance/survey/x.py", "import askance.study", "Illegal imports of protected package"),
    ],
)
def test_a_broken_twin_is_caught(stub: Path, path: str, line: str, text: str) -> None:
    assert text in _broken(stub, path, line)
