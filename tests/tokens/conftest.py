"""One issuer for all tests here, since a new key takes a while."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import askance as ak
from askance_collect.tokens import Issuer, create_issuer
from askance_collect.wire import Form, to_base64url

SURVEY = """
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Issuer]:
    made_issuer = create_issuer(
        tmp_path_factory.mktemp("issuer") / "exam.issuer", ["north", "south"]
    )
    yield made_issuer
    made_issuer.close()


def form_for(issuer: Issuer) -> Form:
    """A form that wants tokens of this issuer."""
    keys = [
        {"name": key.name, "n": to_base64url(key.modulus.to_bytes(key.length, "big"))}
        for key in issuer.public_keys
    ]
    tokens = {"issuer": "https://issuer.example/", "keys": keys}
    document = ak.publish(ak.parse_survey(SURVEY.encode())).document
    return Form.read(document | {"askance": "form-2", "tokens": tokens})


@pytest.fixture(scope="module")
def form(issuer: Issuer) -> Form:
    return form_for(issuer)


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "exam.toml"
    tokens = '[tokens]\nissuer = "https://issuer.example/"\nkeys = "exam-keys.json"\n[[question]]'
    path.write_text(SURVEY.replace("[[question]]", f"minimum = 2\n{tokens}"))
    return path
