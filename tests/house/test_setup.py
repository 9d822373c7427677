"""The set-up is pinned, and every make target that is spoken of exists."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PIN = re.compile(r"([A-Za-z0-9._-]+)==[0-9][0-9A-Za-z.+]*")


def _same(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted(settings: dict[str, Any]) -> Iterator[str]:
    """Name every distribution that the project asks for."""
    project = settings["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    for line in [*project["dependencies"], *extras, *settings["build-system"]["requires"]]:
        if line == f"askance-collector=={project['version']}":
            continue  # the other package of this repository
        name = re.match(r"[A-Za-z0-9._-]+", line)
        assert name is not None
        if name.group() != project["name"]:
            yield _same(name.group())


def test_everything_is_pinned_and_nothing_has_an_address(
    root: Path, settings: dict[str, Any]
) -> None:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [PIN.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(pins)
    pinned = {_same(pin[1]) for pin in pins if pin}
    assert len(pinned) == len(pins)
    assert set(wanted(settings)) - pinned == set(), "pin each: make constraints"


def test_every_target_that_is_spoken_of_exists(root: Path, own_files: list[Path]) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    spoken = {
        target
        for path in own_files
        for target in re.findall(r"[`$] ?make ([a-z-]+)", path.read_text(encoding="utf-8"))
    }
    assert spoken - targets == set(), "no such target in Makefile: correct the text"
    assert {"demo", "test", "check"} <= spoken
    assert "exec make test" in (root / ".ci" / "run").read_text(encoding="utf-8")


def test_the_types_are_for_others_too(root: Path) -> None:
    assert (root / "src" / "askance" / "py.typed").exists()
    assert (root / "src" / "askance_collect" / "py.typed").exists()


def test_the_root_holds_no_pictures(root: Path) -> None:
    """What a test draws into the folder that it runs in is not part of the project."""
    files = {path.name for path in root.iterdir()}
    assert "README.md" in files
    assert [name for name in files if name.endswith((".png", ".svg", ".pdf"))] == []


def test_scripts_can_be_run(root: Path) -> None:
    scripts = [root / ".ci" / "run", *(root / "tools").glob("*.sh")]
    assert [path.name for path in scripts if not path.stat().st_mode & 0o100] == [], "chmod +x"


def _machine(folder: Path, python: str) -> Path:
    """Make a machine that has a Python and nothing that could install anything."""
    for name in ("bash", "dirname", "id", "tr"):
        (folder / name).symlink_to(shutil.which(name) or name)
    (folder / "python3").write_text(f"#!{shutil.which('bash')}\n{python}\n", encoding="utf-8")
    (folder / "python3").chmod(0o755)
    return folder


def _set_up(root: Path, machine: Path, purpose: str = "test") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [root / "tools" / "setup.sh", purpose],
        env={"PATH": str(machine)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_missing_is_listed(root: Path, tmp_path: Path) -> None:
    run = _set_up(root, _machine(tmp_path, f'exec "{sys.executable}" "$@"'))
    assert run.returncode == 1
    assert "sudo apt-get install" in run.stderr
    assert all(part in run.stderr for part in ("chromium", "nodejs", "npm"))
    assert "python3-venv" not in run.stderr


def test_r_asks_for_its_own_parts_alone(root: Path, tmp_path: Path) -> None:
    run = _set_up(root, _machine(tmp_path, f'exec "{sys.executable}" "$@"'), "r")
    assert run.returncode == 1
    named = " ".join(f"r-cran-{word}" for word in ("generics", "jsonlite", "processx", "testthat"))
    assert f"r-base-core {named}" in run.stderr
    assert "chromium" not in run.stderr


def test_the_r_package_keeps_step(root: Path, settings: dict[str, Any]) -> None:
    text = (root / "r" / "DESCRIPTION").read_text(encoding="utf-8")
    assert f"Version: {settings['project']['version']}\n" in text
    assert "License: Apache License (== 2.0)\n" in text


def test_an_old_python_is_named(root: Path, tmp_path: Path) -> None:
    run = _set_up(root, _machine(tmp_path, 'if [ "$1" = -V ]; then echo Python 3.9; fi; exit 1'))
    assert run.returncode == 1
    assert "3.11 or later; python3 is Python 3.9" in run.stderr
