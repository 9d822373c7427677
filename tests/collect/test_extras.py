"""What is not installed is named, with the command that installs it."""

import importlib
import sys

import pytest

from askance.errors import MissingExtra


@pytest.mark.parametrize(
    ("package", "module", "extra"),
    [
        ("psycopg", "askance.collect.postgres", "postgres"),
        ("starlette.applications", "askance.collect.app", "serve"),
        ("uvicorn", "askance.collect.serve", "serve"),
        ("duckdb", "askance.engines.files", "engines"),
        ("narwhals", "askance.engines.files", "engines"),
    ],
)
def test_a_missing_package_is_named(
    package: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtra, match=rf"pip install 'askance\[{extra}\]'"):
        importlib.import_module(module)
