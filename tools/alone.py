"""Make an environment with the collector alone, or all of Askance, of what is installed here.

Each has its own wheel and the packages that this one asks for, and theirs, and no other.
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
WHEELS = {"askance-collector": ROOT / "collector", "askance[serve]": ROOT}
"""What somebody installs to collect, and where it is built."""


def asked_for(what: str) -> list[str]:
    """Read what an install asks for itself."""
    wanted = Requirement(what)
    settings = tomllib.loads((WHEELS[what] / "pyproject.toml").read_text("utf-8"))["project"]
    extras = settings["optional-dependencies"]
    return [*settings["dependencies"], *(one for extra in wanted.extras for one in extras[extra])]


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Find all packages that are needed, as they are installed here."""
    found: dict[str, Distribution] = {}
    left = [Requirement(one) for one in requirements]
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        if name in found or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        found[name] = distribution(name)
        left.extend(Requirement(more) for more in found[name].requires or ())
    return found


def wheel(what: str, folder: Path) -> Path:
    """Build the wheel of an install."""
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    _python("pip", *build, WHEELS[what])
    (built,) = folder.glob("*.whl")
    return built


def environment(what: str, folder: Path) -> Path:
    """Make an environment in a folder, which holds nothing yet; give its Python."""
    _python("venv", "--without-pip", folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for one in closure(asked_for(what)).values():
        for top in {path.parts[0] for path in one.files or ()} - {"..", "__pycache__"}:
            (site / top).symlink_to(Path(str(one.locate_file(top))).resolve())
    python = folder / "bin" / "python"
    install = ["install", "--quiet", "--no-index", "--no-deps", "--no-warn-script-location"]
    _python("pip", "--python", python, *install, wheel(what, folder / "wheel"))
    return python


def _python(module: str, *words: str | Path) -> None:
    run = [sys.executable, "-m", module, *map(str, words)]
    subprocess.run(run, check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})  # noqa: S603


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=sorted(WHEELS))
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    print(environment(asked.what, asked.folder))
