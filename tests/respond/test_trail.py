"""Narrowing on the page, without the page: the JavaScript half is `trail.test.mjs`."""

import shutil
import subprocess
from pathlib import Path


def test_the_range_shown_is_the_range_sent():
    node = shutil.which("node")
    assert node, "node is not installed: the page's script cannot be tested without it"
    run = subprocess.run(
        [node, "--test", str(Path(__file__).with_name("trail.test.mjs"))],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "# pass 6" in run.stdout
