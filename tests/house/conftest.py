"""What every house test reads: the repository's own files."""

import ast
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


@pytest.fixture(scope="session")
def modules() -> dict[str, ast.Module]:
    """Parse every Python file under src, by its path there."""
    source = ROOT / "src"
    return {
        path.relative_to(source).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(source.rglob("*.py"))
    }


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
