"""Simulated histories of a collector: none goes wrong, each planted defect does, and both again."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.faults
TOOL = Path(__file__).parents[2] / "tools" / "simulate.py"


def _played(*words: str) -> tuple[int, str]:
    """Run the tool, and give its status and what it prints."""
    done = subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_no_history_goes_wrong_and_each_is_the_same_again() -> None:
    status, result = _played("--histories", "8", "--workers", "2")
    assert (status, "\n0 wrong; SHA-256" in result) == (0, True), result
    status, again = _played("--histories", "8", "--workers", "1")
    assert status == 0
    assert result.splitlines()[-1] == again.splitlines()[-1]


def test_every_planted_defect_is_found() -> None:
    status, result = _played("--check")
    assert (status, "NOT FOUND" in result) == (0, False), result
    assert len(result.splitlines()) >= 20


def test_a_failing_seed_is_played_again_by_one_command() -> None:
    words = "--first", "0", "--histories", "1", "--workers", "1", "--defect", "early"
    status, result = _played(*words)
    assert status == 1
    command = re.search(r"python tools/simulate.py (.*)", result)
    assert command
    status, trace = _played(*command[1].split())
    assert (status, "WRONG: " in trace) == (1, True)
    assert "\n  S survey.db\n" in trace
    assert trace.splitlines()[-1].split()[-1] in result  # the digest of the trace
