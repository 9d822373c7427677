"""Write docs/reference/checked-against.md: what each public estimator was compared with.

A test that compares an estimator with an independent program or method is marked

    @pytest.mark.checked("response_regression", by="R's GLMMRR 0.6.0", value=1e-6, errors=1e-4)

and takes the distances that it allows from the fixture `within`: what the page says is what the
test asserts. `value` and `errors` are relative, of estimates and of standard errors.
"""

import ast
import inspect
import sys
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "checked-against.md"
HEAD = """# Checked against

This page lists, for each public estimator, the program or method with which a test compares its
value and its standard errors. The two numbers are the largest relative differences that the test
allows; a dash means that nothing was compared. A figure that is 0 except for rounding is compared
by its absolute difference. `python tools/checked_against.py` makes this page from the marks of the
tests, and the tests use the printed numbers as their bounds. `tests/oracles/README.md` says how the
tables of other programs were made. The tests in `tests/odds` measure the coverage of intervals by
simulation.

| estimator | compared with | estimates within | standard errors within | test |
|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True, order=True)
class Comparison:
    """One mark: an estimator, what it is compared with, and how closely."""

    estimator: str
    by: str
    value: float | None
    errors: float | None
    test: str

    def row(self) -> str:
        """Write the mark as a row of the page."""
        numbers = [
            f"{bound:.0e}".replace("e-0", "e-") if bound else "–"
            for bound in (self.value, self.errors)
        ]
        return f"| `{self.estimator}` | {self.by} | {' | '.join(numbers)} | `{self.test}` |"


def comparisons(folder: Path) -> list[Comparison]:
    """Read the marks of all tests in a folder."""
    return sorted(
        (comparison for path in folder.rglob("test_*.py") for comparison in _marks(path)),
        key=lambda comparison: (comparison.estimator.lower(), comparison.by, comparison.test),
    )


def _marks(path: Path) -> Iterator[Comparison]:
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if ".checked(" in source else ():
        for mark in getattr(node, "decorator_list", ()):
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.checked":
                examples: dict[str, Any] = {
                    word.arg: ast.literal_eval(word.value) for word in mark.keywords if word.arg
                }
                for name in mark.args:
                    yield Comparison(
                        ast.literal_eval(name),
                        examples["by"],
                        examples.get("value"),
                        examples.get("errors"),
                        f"{path.name.removesuffix('.py')}: {node.name}",
                    )


def estimators() -> list[str]:
    """Name the public functions of `askance.inference` whose result has a standard error."""
    import askance.inference

    comparisons_found = []
    for name, function in inspect.getmembers(askance.inference, inspect.isfunction):
        result = typing.get_type_hints(function).get("return")
        kinds = [kind for kind in typing.get_args(result) or (result,) if isinstance(kind, type)]
        if any(_has_errors(kind) for kind in kinds):
            comparisons_found.append(name)
    return comparisons_found


def _has_errors(kind: type) -> bool:
    weights = "replicate" in str(getattr(kind, "__slots__", ()))
    return not weights and any(hasattr(kind, name) for name in ("se", "standard_errors"))


def page() -> str:
    """Write the whole page."""
    return HEAD + "\n".join(comparison.row() for comparison in comparisons(ROOT / "tests")) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    missing = sorted(
        {*estimators()} - {comparison.estimator for comparison in comparisons(ROOT / "tests")}
    )
    sys.stdout.write(
        f"wrote {PAGE.relative_to(ROOT)}; not compared: {', '.join(missing) or 'none'}\n"
    )
