"""What is not installed is named, with the command that installs it."""

import importlib
import re
import subprocess
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
        ("rich.text", "askance.present.text", "survey"),
    ],
)
def test_a_missing_package_is_named(
    package: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtra, match=rf"pip install 'askance\[{extra}\]'"):
        importlib.import_module(module)


def without(package: str, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command where a package is not installed."""
    blocked = f"import sys; sys.modules[{package!r}] = None; {command}"
    return subprocess.run(
        [sys.executable, "-c", blocked], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("package", ["click", "rich.console", "starlette.applications"])
def test_the_command_says_in_one_line_how_to_install_it(package: str) -> None:
    told = without(package, "from askance.__main__ import main; main()")
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1
    assert re.match(
        r"askance: .*(click|rich|starlette).*run: pip install 'askance\[all\]'", told.stderr
    )


def test_a_bare_library_lists_what_it_has_and_says_what_the_rest_needs() -> None:
    assert not without(
        "msgspec", "from askance import *; help('askance'); Frame(['a', 'b'])"
    ).stderr
    told = without("msgspec", "import askance; askance.load_survey")
    assert "pip install 'askance[survey,engines]'" in told.stderr
