"""How long it takes from the front page to a first estimate, typed as a new user would.

``python benchmarks/start/first_estimate.py`` types what the front page, the README and the first
tutorial tell, in an empty folder, and times each line; reading and typing are not counted. With
``--install SOURCE`` it begins with an environment of its own, into which pip installs SOURCE with
all extras: a folder, a wheel, or ``askance`` from an index. Commands that wait for respondents are
left out.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVES = ("askance serve", "askance collect", "askance estimate exam.form.json")


def main() -> None:
    """Print the seconds of each line, and of all up to each first estimate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", metavar="SOURCE")
    source = parser.parse_args().install
    with TemporaryDirectory() as folder:
        environment, home = Path(folder) / "new", Path(sys.executable).parent
        environment.mkdir()
        spent = 0.0
        if source:
            home = Path(folder) / "venv" / "bin"
            spent = time_step(
                0, "python -m venv", [sys.executable, "-m", "venv", home.parent], environment, home
            )
            installation = [home / "pip", "install", "--quiet", f"{source}[all]"]
            spent = time_step(
                spent, f"pip install '{source}[all]'", installation, environment, home
            )
        for title, lines in (
            ("front page", front()),
            ("README", readme()),
            ("tutorial", tutorial(environment)),
        ):
            print(title)
            reached = spent
            for line, command in lines:
                reached = time_step(reached, line, command, environment, home)


def time_step(spent: float, line: str, command: list[object], folder: Path, home: Path) -> float:
    """Run a line, and print how long it took and how long everything before took with it."""
    paths = os.pathsep.join([str(home), os.environ["PATH"]])
    begun = perf_counter()
    subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=os.environ | {"PATH": paths, "COLUMNS": "100"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    seconds = perf_counter() - begun
    print(f"  {seconds:7.2f} s  {spent + seconds:7.2f} s in all  {line}", flush=True)
    return spent + seconds


def front() -> Iterator[tuple[str, list[object]]]:
    yield "askance demo", ["askance", "demo"]


def readme() -> Iterator[tuple[str, list[object]]]:
    """The README's minute, as a script."""
    text = (ROOT / "README.md").read_text("utf-8")
    (block,) = (body for kind, _, body in FENCE.findall(text) if kind == "python")
    code = "\n".join(line[4:] for line in block.splitlines() if line.startswith((">>>", "...")))
    yield "the Python of “One minute”", ["python", "-c", code]


def tutorial(folder: Path) -> Iterator[tuple[str, list[object]]]:
    """The first tutorial up to its first estimate: files are written, commands run."""
    text = (ROOT / "docs" / "tutorials" / "first-survey.md").read_text("utf-8")
    for kind, title, body in FENCE.findall(text):
        if title:
            (folder / title).write_text(body, encoding="utf-8")
        elif kind == "python":
            yield "the Python that invents people", ["python", "-c", body]
        elif kind == "console":
            for line in body.splitlines():
                if line.startswith("$ ") and not line[2:].startswith(SERVES):
                    yield line[2:], list(shlex.split(line[2:]))


if __name__ == "__main__":
    main()
