"""Every place that takes chance from the operating system refuses a source that is stuck."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
PLACES = {
    "one report": "ak.respond.respond(form, {})",
    "a column": "ak.privatise(channel, ['yes'] * 100_000, coin=True)",
    "dice without a seed": "ak.privatise(channel, ['yes'])",
    "bits of a rule": "ak.privatise(rule, ['a'] * 5_000, coin=True)",
    "a factor that blinds": "ak.respond.blind(wanting)",
    "codes": "kept.invite(1)",
    "a factor that hides a signature's time": "kept.sign(code, waiting.message)",
    "a key of a log": "ak.transparency.new_signing_key('example.org/log')",
    "a collector": "ak.collect.Environment().random_bytes(16)",
    "a file's name": "folder.Folder(path=place, descriptor=None).begin('a', 0o600)",
    "an audited form's other answers": "other_questions.choose_answer(form.questions[0])",
}
STUCK = {
    "zeros": "lambda count: bytes(count)",
    "anew each time": "lambda count: bytes(37 * at % 256 for at in range(count))",
}
RUN = """
import secrets, sys, json, tempfile
from pathlib import Path
import askance as ak
from askance.audit import other_questions
from askance_collect.collect import folder
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.tokens import create_issuer
from askance_collect.wire import Form, to_base64url
form = ak.publish(ak.load_survey("examples/affairs.toml"))
channel = ak.survey.deployed(next(one for one in form.questions if one.kind == "table")).channel
rule = ak.mechanisms.UnaryEncoding.at_epsilon(1).channel(ak.Frame(["a", "b", "c"]))
place = Path(tempfile.mkdtemp())
kept = create_issuer(place / "all.issuer", ["all"])
n = to_base64url(kept.public_keys[0].modulus.to_bytes(256, "big"))
tokens = {{"issuer": "https://sign.example/", "keys": [{{"name": "all", "n": n}}]}}
wanting = Form.read(form.document | {{"askance": "form-2", "tokens": tokens}})
waiting, (code,) = ak.respond.blind(wanting, 0), kept.invite(1)
places = json.loads(sys.argv[1])
SYSTEM_BYTES.__init__()  # as where nothing has been drawn yet
secrets.token_bytes = {source}
refused = []
for name, place_of_chance in places.items():
    try:
        eval(place_of_chance)
    except ak.errors.AskanceError as error:
        refused += [name] * ("os.urandom" in str(error))
print(json.dumps(refused))
"""


def refusing(source, places):
    """Say which of some places refuse to draw from a source."""
    command = [sys.executable, "-c", RUN.format(source=source), json.dumps(places)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("stuck", STUCK)
def test_every_place_refuses_a_source_that_is_stuck(stuck):
    assert refusing(STUCK[stuck], PLACES) == list(PLACES)


def test_a_sound_source_is_refused_nowhere():
    assert refusing("secrets.token_bytes", PLACES) == []


def test_chance_of_the_system_is_drawn_in_one_place():
    """What cryptography generates itself, keys of issuers and seals, is OpenSSL's own."""
    pattern = re.compile(r"^import secrets|\bos\.urandom|\bSystemRandom|\bdefault_rng\(\)", re.M)
    paths = {path for path in SOURCE.rglob("*.py") if pattern.search(path.read_text("utf-8"))}
    assert paths == {SOURCE / "askance_collect/random_bytes.py"}
