"""Whoever holds all records of issuer and collector does no better than chance at joining them.

The exact statement: each thing that was shown could have become each token, by a factor of its own,
and factors are drawn evenly. And a linker, with everything that both know, which finds each person
at once where a page draws badly.
"""

import secrets
import sqlite3
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import product
from math import gcd

import pytest
from cryptography.hazmat.primitives.serialization import load_der_private_key

from askance_collect.respond import Blinded, blind, blind_with
from askance_collect.wire import token_message

EXPONENT = 65537
PEOPLE = 12


def linked(
    displayed: Sequence[tuple[str, bytes]], reports: Sequence[tuple[bytes, int]], modulus: int
) -> int:
    """Count the pairs that a linker finds beyond doubt.

    It knows who showed what, by code, and of each token what was encoded. If it guesses the factor,
    of which it tries all that a page might use in place of chance, the pair fits.
    """
    result = 0
    for code, message in displayed:
        tried = {1, 2, 3, EXPONENT}
        for text in (code, code.lower(), code[1:]):
            tried.add(int.from_bytes(sha256(text.encode()).digest(), "big"))
        fits = {
            token
            for token, encoded in reports
            for factor in tried
            if encoded * pow(factor, EXPONENT, modulus) % modulus == int.from_bytes(message, "big")
        }
        result += len(fits) == 1
    return result


def visits(issuer, form, page: Callable[[str], Blinded], people: int = PEOPLE):
    """Let people exchange codes for tokens: what the issuer is shown, and what the collector is."""
    key = issuer.public_keys[0]
    displayed, reports = [], []
    for code in issuer.invite(people, "north"):
        waiting = page(code)
        token = waiting.token(issuer.sign(code, waiting.message))
        displayed.append((code, waiting.message))
        encoded = pow(int.from_bytes(token.signature, "big"), EXPONENT, key.modulus)
        reports.append((token.signature, encoded))
    secrets.SystemRandom().shuffle(reports)
    return displayed, reports


def carelessly(form, modulus, of: Callable[[str], int]) -> Callable[[str], Blinded]:
    return lambda code: blind_with(
        form, 0, secrets.token_bytes(32), secrets.token_bytes(48), of(code) % modulus
    )


def test_a_linker_finds_nobody(issuer, form):
    displayed, reports = visits(issuer, form, lambda _: blind(form))
    assert linked(displayed, reports, issuer.public_keys[0].modulus) == 0


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(lambda _: 1, id="nothing is drawn"),
        pytest.param(lambda code: int.from_bytes(sha256(code.encode()).digest(), "big"), id="code"),
    ],
)
def test_the_same_linker_finds_everybody_where_the_factor_is_not_drawn(issuer, form, of):
    modulus = issuer.public_keys[0].modulus
    displayed, reports = visits(issuer, form, carelessly(form, modulus, of))
    assert linked(displayed, reports, modulus) == PEOPLE


def private_exponent(issuer):
    with sqlite3.connect(issuer.path) as file:
        ((raw,),) = file.execute("SELECT private FROM keys WHERE at = 0")
    file.close()
    return load_der_private_key(raw, None).private_numbers().d


def test_each_token_could_have_come_of_each_code(issuer, form):
    """For each pair some factor makes it; whoever has the private key can work it out, of all."""
    modulus = issuer.public_keys[0].modulus
    d = private_exponent(issuer)
    displayed, reports = visits(issuer, form, lambda _: blind(form), people=4)
    for (_, message), (_, encoded) in product(displayed, reports):
        raised = int.from_bytes(message, "big") * pow(encoded, -1, modulus) % modulus
        factor = pow(raised, d, modulus)
        assert gcd(factor, modulus) == 1
        assert encoded * pow(factor, EXPONENT, modulus) % modulus == int.from_bytes(message, "big")


def test_what_is_shown_tells_nothing_of_the_form_or_of_what_was_drawn_before(issuer, form):
    messages = [blind(form).message for _ in range(200)]
    assert len(set(messages)) == 200
    assert token_message(form.fingerprint, b"")[:16] not in b"".join(messages)
    ones = sum(int.from_bytes(item, "big").bit_count() for item in messages)
    spread = 6 * (200 * 2048 / 4) ** 0.5  # the highest bit of a number below the modulus aside
    assert abs(ones - 200 * 1024) < spread + 200
