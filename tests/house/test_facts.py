"""Facts are values: no code reads a sentence that a person reads, or asks a type for its name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SENTENCES = {
    "allowed",
    "convergence",
    "description",
    "errors",
    "finding",
    "findings",
    "message",
    "method",
    "notes",
    "promise",
    "promises",
    "remedy",
    "sentence",
    "sentences",
    "title",
}
"""Attributes that hold what a person reads; of names that are bound in a function `sentence`."""

READING = {
    "endswith",
    "find",
    "index",
    "partition",
    "removeprefix",
    "removesuffix",
    "rpartition",
    "split",
    "startswith",
}
MATCHING = {"findall", "finditer", "fullmatch", "match", "search", "split", "sub"}


def is_sentence(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="request")):  # what was asked for, not what is told
            return False
        case ast.Attribute(attr=name):
            return name in SENTENCES
        case ast.Name(id=name):
            return name in {"sentence", "sentences"}
    return False


def is_type_name(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr="__name__", value=ast.Call(func=ast.Name(id="type"))):
            return True
    return False


def is_text(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.List(elts=parts):
            return any(map(is_text, parts))
    return False


def is_read(node: ast.AST) -> bool:
    """Whether a node decides by the words of a sentence, or by the name of a type."""
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            worded = any(map(is_sentence, sides)) and any(map(is_text, sides))
            return worded or any(map(is_type_name, sides))
        case ast.Call(func=ast.Attribute(attr=name, value=value), args=arguments):
            is_foreign = isinstance(value, ast.Name) and value.id == "re"
            if name in READING and (is_sentence(value) or is_type_name(value)):
                return True
            if name in MATCHING and (is_foreign or name != "split"):
                return any(map(is_sentence, arguments))
            return name == "get" and any(map(is_type_name, arguments))
        case ast.Subscript(slice=key):
            return is_type_name(key)
    return False


def reads(tree: ast.AST) -> Iterator[int]:
    return (node.lineno for node in ast.walk(tree) if is_read(node))


def test_no_code_reads_a_sentence(root: Path) -> None:
    sources = sorted((root / "src").rglob("*.py"))
    assert len(sources) > 300
    lines = [
        f"{path.relative_to(root)}:{line}"
        for path in sources
        for line in reads(ast.parse(path.read_text("utf-8")))
    ]
    assert not lines, f"let the result hold the fact as an enum or a number: {lines}"


@pytest.mark.parametrize(
    "code",
    [
        'fit.errors == "robust"',
        '"replicates" in fit.errors',
        're.search(r"([0-9]+) replicates", fit.errors)',
        'fit.method.startswith("unbiased")',
        'fit.method in ("clipped", "projected")',
        'type(fit).__name__ == "ResponseRegression"',
        "type(fit).__name__ in ESTIMATED",
        "WORDS[type(fit).__name__](fit)",
        "WORDS.get(type(fit).__name__)",
        'type(fit).__name__.startswith("Line")',
        'sentence.startswith("Of 100 people")',
        'fit.title.partition(":")',
    ],
)
def test_a_sentence_that_is_read_is_caught(code: str) -> None:
    assert list(reads(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "fit.standard_errors.source is ErrorSource.ROBUST",
        'f"se by {fit.errors}"',
        "fit.convergence is Convergence.EXACT",
        "raise InputError(where, got=type(fit).__name__)",
        'request.method == "POST"',
        'link == "logit"',
    ],
)
def test_a_value_is_no_sentence(code: str) -> None:
    assert not list(reads(ast.parse(code)))
