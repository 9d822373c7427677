"""What is not installed is named, with the command that installs it."""

import importlib
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.engines import count_reports
from askance_collect.collect import create_backup_key, open_store
from askance_collect.errors import MissingExtra
from askance_collect.wire import Form


@pytest.mark.parametrize(
    ("package", "module", "bringing"),
    [
        ("psycopg", "askance_collect.collect.postgres", "askance-collector[postgres]"),
        ("cryptography.exceptions", "askance_collect.tokens.issuer", "askance-collector[tokens]"),
        ("segno", "askance_collect.tokens.cards", "askance-collector[tokens]"),
        ("rich.text", "askance.present.terminal", "askance[survey]"),
    ],
)
def test_a_missing_package_is_named(
    package: str, module: str, bringing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtra, match=re.escape(f"pip install '{bringing}'")):
        importlib.import_module(module)


def test_what_encrypts_is_named_when_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(MissingExtra, match=r"pyrage.*pip install 'askance-collector\[backup\]'"):
        create_backup_key(tmp_path / "key")


@pytest.mark.parametrize("package", ["duckdb", "narwhals"])
@pytest.mark.parametrize("name", ["reports.csv", "reports.jsonl"])
def test_what_counts_in_a_file_is_named_when_it_is_missing(
    package: str,
    name: str,
    tmp_path: Path,
    affairs_form: Form,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = {
        "reports.csv": "cheated\n" + "yes\n" * 1_100_000,
        "reports.jsonl": '{"cheated": 0}\n' * 300_000,
    }
    (tmp_path / name).write_text(rows[name], encoding="utf-8")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{package}.*pip install 'askance\[engines\]'"):
        count_reports(tmp_path / name, affairs_form)


def without(package: str, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command where a package is not installed."""
    blocked = f"import sys; sys.modules[{package!r}] = None; {command}"
    return subprocess.run(
        [sys.executable, "-c", blocked], capture_output=True, text=True, check=False
    )


def test_the_command_says_in_one_line_how_to_install_it() -> None:
    without_result = without("click", "from askance.__main__ import main; main()")
    assert without_result.returncode == 2
    assert without_result.stderr.count("\n") == 1
    assert re.match(r"askance: click .*run: pip install 'askance\[all\]'", without_result.stderr)


BROUGHT = {
    "survey": {"msgspec", "rich"},
    "postgres": {"psycopg"},
    "plot": {"matplotlib", "jinja2"},
    "engines": {"narwhals", "duckdb"},
    "learn": {"sklearn", "formulaic", "narwhals", "pandas"},
}
"""What each extra brings beside other extras, under the names that are imported."""

TYPED = {
    "new": ["new", "n.toml"],
    "plan": ["plan", "s.toml"],
    "check": ["check", "s.toml"],
    "study": ["study", "s.toml", "--times", "1", "--people", "50"],
    "publish": ["publish", "s.toml"],
    "serve": ["serve", "s.toml", "--host", "no such host", "--port", "0"],
    "status": ["collect", "status", "r.db"],
    "export": ["collect", "export", "r.db", "out.csv"],
    "close": ["collect", "close", "r.db"],
    "count": ["count", "s.form.json", "r.db", "--out", "c.json"],
    "estimate": ["estimate", "s.form.json", "r.db"],
    "page": ["estimate", "s.form.json", "r.db", "--page", "page.html"],
    "table": ["estimate", "s.form.json", "table.csv"],
    "regress": ["regress", "s.form.json", "r.db", "--formula", "cheated ~ region"],
    "demo": ["demo", "s.toml", "gone.csv"],
}
ALL_VERBS = """
import contextlib, io, json, sys
blocked, typed = json.loads(sys.argv[1])
for name in blocked:
    sys.modules[name] = None
from askance.__main__ import main
ends = {}
for name, words in typed.items():
    sys.argv = ["askance", *words]
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        try:
            main()
            ends[name] = ""
        except SystemExit as end:
            ends[name] = told.getvalue() if end.code else ""
        except BaseException as error:
            ends[name] = f"fault: {error!r}"
print(json.dumps(ends))
"""


def _ends(extra: str, folder: Path) -> dict[str, str]:
    """Type every verb where one extra is installed alone; give what each complains of."""
    survey = folder / "s.toml"
    CliRunner().invoke(verbs, ["new", str(survey)], catch_exceptions=False)
    CliRunner().invoke(verbs, ["publish", str(survey)], catch_exceptions=False)
    form = Form.read((folder / "s.form.json").read_bytes())
    open_store(folder / "r.db", form).close()
    (folder / "table.csv").write_text("region,cheated,party,income_above,income_upto\n")
    blocked = sorted(set().union(*BROUGHT.values()) - BROUGHT[extra])
    done = subprocess.run(
        [sys.executable, "-c", ALL_VERBS, json.dumps([blocked, TYPED])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    ends: dict[str, str] = json.loads(done.stdout)
    return ends


WORKS = {
    "survey": {
        "new",
        "plan",
        "check",
        "study",
        "publish",
        "status",
        "export",
        "close",
        "count",
        "estimate",
        "table",
    },
}

NEEDS_NONE = {"new", "status", "export", "close"}
"""What needs no extra."""


@pytest.mark.parametrize("extra", BROUGHT)
@pytest.mark.long
def test_each_extra_alone_works_or_names_what_is_missing(extra: str, tmp_path: Path) -> None:
    ends = _ends(extra, tmp_path)
    absent = set().union(*BROUGHT.values()) - BROUGHT[extra]
    assert ends.keys() == TYPED.keys()
    for verb, value in ends.items():
        if verb in WORKS.get(extra, NEEDS_NONE):
            assert value == "", verb
        elif (extra, verb) == ("survey", "serve"):
            assert "an address of this machine" in value
        elif (extra, verb) == ("survey", "demo"):
            assert "gone.csv" in value
        elif verb == "regress" and extra == "survey":
            assert "0 reports to regress" in value  # columns that are only added up need no grammar
        else:
            assert value.count("\n") == 1, (verb, value)
            result = re.match(
                r"askance: ([\w-]+)( or \w+)? is not installed[:;] run: "
                r"pip install 'askance\[(\w+)\]'",
                value,
            )
            assert result, (verb, value)
            named = result[1].replace("scikit-learn", "sklearn")
            assert named in absent, (verb, value)
            assert result[3] == "all" or named in BROUGHT[result[3]]


def test_the_packages_of_each_extra_are_those_that_are_declared() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    declared = project["project"]["optional-dependencies"]
    renamed = {"scikit-learn": "sklearn"}
    for extra, packages in BROUGHT.items():
        names = {re.split(r"[\[>]", item)[0] for item in declared[extra]} - {"askance"}
        assert {renamed.get(name, name) for name in names} <= packages


PACKAGES = sorted(set().union(*BROUGHT.values()))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_of_an_extra_is_named_with_it(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever in the command it is found to be missing."""

    def missing(*_: object) -> None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=f"{package}.inside")

    monkeypatch.setattr(click.Group, "__call__", missing)
    with pytest.raises(SystemExit) as end:
        runpy.run_module("askance", run_name="__main__")
    assert end.value.code == 2
    match = re.search(r"pip install 'askance\[(\w+)\]'", capsys.readouterr().err)
    assert match
    assert match[1] == "all" or package in BROUGHT[match[1]]


@pytest.mark.long
def test_a_bare_library_lists_what_it_has_and_says_what_the_rest_needs() -> None:
    assert not without(
        "msgspec", "from askance import *; help('askance'); Frame(['a', 'b'])"
    ).stderr
    without_result = without("msgspec", "import askance; askance.load_survey")
    assert "pip install 'askance[survey]'" in without_result.stderr
