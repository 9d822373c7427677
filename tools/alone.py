"""Make an environment with the collector alone, or all of Askance, of what is installed here.

Each has the wheels of its own and the packages that they ask for, and theirs, and no other.
"""

import argparse
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
WHEELS = {
    "askance-collector": [ROOT / "collector"],
    "askance[survey]": [ROOT / "collector", ROOT],
}
"""What somebody installs to collect, and where its wheels are built."""


def asked_for(package: str) -> list[str]:
    """Read what an install asks for besides its own wheels."""
    wanted = Requirement(package)
    needs: list[str] = []
    for folder in WHEELS[package]:
        settings = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        needs += settings["dependencies"]
        if settings["name"] == wanted.name:
            extras = settings["optional-dependencies"]
            needs += [need for extra in wanted.extras for need in extras[extra]]
    return [need for need in needs if not need.startswith("askance")]


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Find all packages that are needed, as they are installed here."""
    packages: dict[str, Distribution] = {}
    waiting = [Requirement(requirement) for requirement in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        marker = requirement.marker
        if name in packages or (marker and not marker.evaluate({"extra": ""})):
            continue
        packages[name] = distribution(name)
        waiting.extend(Requirement(more) for more in packages[name].requires or ())
    return packages


def wheels(package: str, folder: Path) -> list[Path]:
    """Build the wheels of an install."""
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    _python("pip", *build, *WHEELS[package])
    return sorted(folder.glob("*.whl"))


def environment(environment_name: str, folder: Path) -> Path:
    """Make an environment in a folder, which holds nothing yet; give its Python."""
    _python("venv", "--without-pip", folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for package in closure(asked_for(environment_name)).values():
        for top in {path.parts[0] for path in package.files or ()} - {"..", "__pycache__"}:
            (site / top).symlink_to(Path(str(package.locate_file(top))).resolve())
    python = folder / "bin" / "python"
    install = ["install", "--quiet", "--no-index", "--no-deps", "--no-warn-script-location"]
    _python("pip", "--python", python, *install, *wheels(environment_name, folder / "wheel"))
    return python


def _python(module: str, *words: str | Path) -> None:
    run = [sys.executable, "-m", module, *map(str, words)]
    subprocess.run(run, check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})  # noqa: S603


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=sorted(WHEELS))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    print(environment(options.what, options.folder))
