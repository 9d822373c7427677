"""Another implementation of RFC 9474 signs what is begun here, and the other way round."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from askance_collect.errors import ReportRefused
from askance_collect.wire import from_base64url, read_token, read_tokens

FORM = "ab" * 32


def test_what_each_has_begun_the_other_finishes():
    node = shutil.which("node")
    assert node, "node is not installed (Debian: nodejs)"
    script = Path(__file__).with_name("peer.mjs")
    done = subprocess.run([node, script], capture_output=True, check=True, timeout=60)
    document = json.loads(done.stdout)
    assert document["verified"] is True
    assert document["other"] is False
    keys = [{"name": "all", "n": document["n"]}]
    tokens = read_tokens({"issuer": "https://issuer.example/", "keys": keys}, "")
    for text in (document["ours"], document["theirs"]):
        assert read_token(text, tokens, FORM).text == text
        with pytest.raises(ReportRefused):
            read_token(text, tokens, "cd" * 32)
    assert from_base64url(document["theirs"])[0] == 0
