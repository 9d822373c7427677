"""Publishing loads nothing that estimates or counts, and no verb enters many files."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PUBLISH = """
import sys
import askance as ak
form = ak.publish(ak.load_survey("examples/affairs.toml"))
rooms = "inference", "engines", "analysis", "present"
print([name for name in sys.modules if name.startswith(tuple(f"askance.{room}" for room in rooms))])
"""
ANALYSE = 'print("askance.inference.shares.estimate" in sys.modules)\n'


def run_python(root: Path, program: str) -> str:
    """Run a program in an interpreter of its own, in the root of the checkout."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout


@pytest.mark.long
def test_publishing_loads_no_room_that_estimates_or_counts(root: Path) -> None:
    """A module that appears here is imported by `survey`: move what needs it to `analysis`."""
    assert run_python(root, PUBLISH).strip() == "[]"


@pytest.mark.long
def test_checking_the_same_form_does_load_them(root: Path) -> None:
    """So the test above can fail."""
    assert run_python(root, f"{PUBLISH}ak.check(form)\n{ANALYSE}").split()[-1] == "True"


MOST_FILES = {"publish": 42, "check": 52, "plan": 44, "estimate of a CSV": 25}
"""In how many files each verb may run, what every room shares left out; these may only sink."""


@pytest.mark.long
def test_no_verb_runs_in_more_files_than_before(root: Path) -> None:
    """``python tools/files_run.py --list`` names the files: merge slivers, or call fewer."""
    command = [sys.executable, str(root / "tools" / "files_run.py")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout
    counts = {verb: int(count) for verb, count in re.findall(r"^(.+): (\d+) files$", printed, re.M)}
    assert counts.keys() == MOST_FILES.keys()
    assert {verb: count for verb, count in counts.items() if count > MOST_FILES[verb]} == {}
    assert all(count > MOST_FILES[verb] // 2 for verb, count in counts.items())
