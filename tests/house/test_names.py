"""Names that say what they hold: identifiers, first lines of docstrings, and names of classes."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

STOPGAPS = re.compile(
    r"_*(told|one|at|held|said|asked|heard|given|found|known|whole|here|there|each|both|way|place"
    r"|thing|what|whose|alike|apart|beside|sent|seen|taken|left|kept|made|drawn|joined|shown|met"
    r"|moved|gone|got)_*",
    re.IGNORECASE,
)
"""Words that say nothing of what an identifier holds."""

RIDDLES = re.compile(
    r"\b(whom|beside|whoever|whence|anew|nought|lest|wherein|thereof|of which|none are|is none"
    r"|there is none|heard of|come to|be had|is told|are told|tells?|says? that|a thing|one of them"
    r"|alike)\b",
    re.IGNORECASE,
)
"""Turns in the first line of a docstring that want a second reading."""

STOPGAPS_ALLOWED = 1.0
"""Bound stopgaps a thousand lines."""
RIDDLES_ALLOWED = 0.01
"""First lines that are riddles, of all."""
TWINS_ALLOWED = 3
"""Names that classes of several files have."""


@pytest.fixture(scope="module")
def trees(root: Path) -> dict[Path, ast.Module]:
    sources = sorted((root / "src").rglob("*.py"))
    return {path: ast.parse(path.read_text("utf-8")) for path in sources}


def bound_names(tree: ast.Module) -> Iterator[str]:
    """Give each identifier where it is bound: assigned, a parameter, a function or a class."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name


def stopgaps(tree: ast.Module) -> list[str]:
    return [name for name in bound_names(tree) if STOPGAPS.fullmatch(name)]


def first_lines(tree: ast.Module) -> list[str]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(tree) if isinstance(node, documented))
    texts = filter(None, (ast.get_docstring(node) for node in nodes))
    return [text.strip().splitlines()[0] for text in texts]


def twins(trees: dict[Path, ast.Module]) -> list[str]:
    files: dict[str, set[Path]] = defaultdict(set)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                files[node.name].add(path)
    return sorted(name for name, paths in files.items() if len(paths) > 1)


def test_identifiers_say_what_they_hold(trees: dict[Path, ast.Module], root: Path) -> None:
    lines = sum(path.read_text("utf-8").count("\n") for path in trees)
    names = [
        f"{path.relative_to(root)}: {name}"
        for path, tree in trees.items()
        for name in stopgaps(tree)
    ]
    assert len(names) <= STOPGAPS_ALLOWED * lines / 1000, (
        f"call each by what it holds, a loop variable by what it runs over: {names[-20:]}"
    )


def test_first_lines_are_read_once(trees: dict[Path, ast.Module]) -> None:
    lines = [line for tree in trees.values() for line in first_lines(tree)]
    riddles = [line for line in lines if RIDDLES.search(line)]
    assert len(lines) > 4_000
    assert len(riddles) <= RIDDLES_ALLOWED * len(lines), (
        f"say what is computed, from what, by the field's term: {riddles}"
    )


def test_a_class_name_stands_in_one_file(trees: dict[Path, ast.Module]) -> None:
    assert len(twins(trees)) <= TWINS_ALLOWED, f"rename one of each two classes: {twins(trees)}"


def test_a_stopgap_a_riddle_and_a_twin_are_caught() -> None:
    code = 'class Told:\n    """Say of which."""\n\ndef f(one, at): _held = 1\n'
    tree = ast.parse(code)
    assert sorted(stopgaps(tree)) == ["Told", "_held", "at", "one"]
    assert [line for line in first_lines(tree) if RIDDLES.search(line)] == first_lines(tree)
    assert twins({Path("a"): tree, Path("b"): tree}) == ["Told"]
