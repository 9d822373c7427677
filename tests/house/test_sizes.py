"""Small functions, simple paths."""

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FUNCTION, COMPLEXITY = 40, 8


def long_functions(text: str, nodes: Iterable[ast.AST]) -> list[str]:
    lines = text.splitlines()
    return [
        f"{node.name}: {size} lines of code"
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (size := _code_lines(node, lines)) > FUNCTION
    ]


def _code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> int:
    spoken: set[int] = set()
    if ast.get_docstring(node, clean=False) is not None:
        spoken.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    assert node.end_lineno is not None
    span = set(range(node.lineno, node.end_lineno + 1)) - spoken
    return sum(bool(line := lines[index - 1].strip()) and line[0] != "#" for index in span)


def test_no_function_is_long(root: Path, statements: dict[str, list[ast.AST]]) -> None:
    texts = {path: (root / "src" / path).read_text(encoding="utf-8") for path in statements}
    offenders = {path: long_functions(text, statements[path]) for path, text in texts.items()}
    assert {path: value for path, value in offenders.items() if value} == {}, (
        f"{FUNCTION} lines at most: give a part that has a name of its own a function of its own"
    )


def test_the_linter_holds_complexity(settings: dict[str, Any]) -> None:
    lint = settings["tool"]["ruff"]["lint"]
    assert lint["mccabe"]["max-complexity"] <= COMPLEXITY
    assert "C90" in lint["select"]
    assert not any(rule.startswith("C9") for rule in lint["ignore"])


def test_a_long_twin_is_caught() -> None:
    body = '    """Words."""\n\n    # why\n' + "    x = 1\n" * (FUNCTION - 1)

    def found(text: str) -> list[str]:
        return long_functions(text, ast.walk(ast.parse(text)))

    assert found(f"def f():\n{body}") == []
    assert found(f"def f():\n{body}    x = 2\n") == [f"f: {FUNCTION + 1} lines of code"]
