"""What every house test reads: the repository's own files."""

import ast
import gc
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MADE = {"__pycache__", "node_modules", "build", "dist", "out"}
TEXT = {
    "",
    ".R",
    ".Rd",
    ".bib",
    ".cff",
    ".css",
    ".csv",
    ".html",
    ".js",
    ".json",
    ".jsonl",
    ".md",
    ".mjs",
    ".py",
    ".sh",
    ".svg",
    ".toml",
    ".txt",
    ".yaml",
    ".yml",
}


def _own(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        hidden = path.name.startswith(".") and path.name not in {".ci", ".gitignore"}
        if hidden or path.name in MADE or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from _own(path)
        elif path.suffix in TEXT:
            yield path


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def own_files() -> list[Path]:
    """List every text file that the repository holds."""
    return list(_own(ROOT))


@pytest.fixture(scope="session")
def settings() -> dict[str, Any]:
    """Read pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _statements(tree: ast.Module) -> list[ast.AST]:
    """Walk through statements alone: few of a tree's nodes are, and no class is anything else."""
    result: list[ast.AST] = [tree]
    for node in result:
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            result += getattr(node, part, ())
    return result


@pytest.fixture(scope="session")
def statements() -> dict[str, list[ast.AST]]:
    """List every statement of each Python file under src, however deep, by its path there.

    Nothing of the trees is garbage, and looking for it among them takes twice as long as they do.
    """
    source = ROOT / "src"
    gc.disable()
    try:
        return {
            path.relative_to(source).as_posix(): _statements(ast.parse(path.read_bytes()))
            for path in sorted(source.rglob("*.py"))
        }
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def load() -> Callable[[Path], Any]:
    """Load a script that is no part of the package."""
    from importlib.util import module_from_spec, spec_from_file_location

    def from_path(path: Path) -> Any:
        spec = spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return from_path
