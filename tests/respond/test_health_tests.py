"""A stuck source of the operating system draws no report; a sound one draws."""

import subprocess
import sys

import pytest

SOURCES = {
    "zeros": "lambda count: bytes(count)",
    "one byte": "lambda count: b'\\7' + bytes(count - 1)",
    "anew each time": "lambda count: bytes(37 * at % 256 for at in range(count))",
}
RESPOND = """
import secrets, sys
from askance.errors import AskanceError
from askance.respond import respond
from askance.survey import load_survey, publish
form = publish(load_survey("examples/affairs.toml"))
secrets.token_bytes = {source}
try:
    respond(form, {{}})
except AskanceError as error:
    sys.exit(str(error))
"""


def outcome(source):
    command = [sys.executable, "-c", RESPOND.format(source=source)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", SOURCES)
def test_a_stuck_source_draws_no_report(name):
    run = outcome(SOURCES[name])
    assert run.returncode == 1
    assert "os.urandom: allowed: a source of random bytes that is not stuck" in run.stderr


def test_a_sound_source_draws_one():
    assert outcome("secrets.token_bytes").returncode == 0
