"""Parts of the page's script without the page: the JavaScript halves are `*.test.mjs`."""

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.parametrize(("part", "tests"), [("trail", 6), ("told", 14), ("hpke", 2)])
@pytest.mark.long
def test_the_script_keeps_its_word(part, tests):
    node = shutil.which("node")
    assert node, "node is not installed: the page's script cannot be tested without it"
    run = subprocess.run(
        [node, "--test", str(Path(__file__).with_name(f"{part}.test.mjs"))],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert f"# pass {tests}" in run.stdout
