"""Publishing loads nothing that estimates or counts: authoring stands apart from analysis."""

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
