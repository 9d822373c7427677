"""The page on comparisons says what the tests assert, and leaves no estimator out."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BY_HAND = """
@pytest.mark.checked("estimate", by="R", value=1e-6, errors=1e-4)
def test_it({arguments}):
    {body}
"""


def is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.checked"


def faults(source: str) -> Iterator[str]:
    """Marked tests that do not take each bound of their one mark from `within`."""
    for test in ast.walk(ast.parse(source)):
        marks = [item for item in getattr(test, "decorator_list", ()) if is_mark(item)]
        if not marks:
            continue
        if len(marks) > 1:
            yield f"{test.name}: several marks"
        if "within" not in [item.arg for item in test.args.args]:
            yield f"{test.name}: takes no fixture `within`"
        stated = {word.arg for mark in marks for word in mark.keywords} - {"by"}
        read = {
            part.attr
            for node in ast.walk(test)
            if isinstance(node, (ast.Call, ast.Compare, ast.Dict))
            for part in ast.walk(node)
            if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "within"
        }
        for bound in sorted(stated ^ read):
            yield f"{test.name}: `{bound}` is not both stated and asserted"
        if not stated:
            yield f"{test.name}: states no bound"


def test_the_page_is_that_of_the_marks(root: Path, load: Callable[[Path], Any]) -> None:
    tool = load(root / "tools" / "checked_against.py")
    written = tool.PAGE.read_text(encoding="utf-8")
    assert written == tool.page(), "if it is wanted, run: make snapshot"


def test_every_estimator_is_compared(root: Path, load: Callable[[Path], Any]) -> None:
    """Its value and its standard error."""
    tool = load(root / "tools" / "checked_against.py")
    compared = tool.comparisons(root / "tests")
    for bound in ("value", "errors"):
        names = {item.estimator for item in compared if getattr(item, bound)}
        assert {*tool.estimators()} - names == set(), (
            f"compare each with another program or method, in a test marked "
            f'@pytest.mark.checked("its name", by="that program", {bound}=1e-6)'
        )


def test_what_is_compared_is_public(root: Path, load: Callable[[Path], Any]) -> None:
    import askance.inference
    import askance.learn

    tool = load(root / "tools" / "checked_against.py")
    public = {*askance.inference.__all__, *askance.learn.__all__}
    compared = {item.estimator for item in tool.comparisons(root / "tests")}
    assert compared - public == set(), "a mark `checked` names what is not public: correct its name"


def test_tests_assert_within_what_their_marks_say(root: Path) -> None:
    tests = [path for path in (root / "tests").rglob("test_*.py") if path != Path(__file__)]
    marked = [text for path in tests if ".checked" in (text := path.read_text("utf-8"))]
    result = [fault for text in marked for fault in faults(text)]
    assert result == [], "take the fixture `within`, and assert within.value and within.errors"


@pytest.mark.parametrize(
    ("arguments", "body", "count"),
    [
        ("within", "assert a == approx(b, rel=within.value) and c < within.errors", 0),
        ("", "assert a == approx(b, rel=1e-6)", 3),
        ("within", "assert a == approx(b, rel=within.value)", 1),
        ("within", "within.value, within.errors", 2),
    ],
)
def test_a_mark_without_its_assertion_is_caught(arguments: str, body: str, count: int) -> None:
    assert len([*faults(BY_HAND.format(arguments=arguments, body=body))]) == count
