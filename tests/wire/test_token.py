"""Tokens as a collector reads them: what was printed verifies, and nothing else does."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from hypothesis import given, settings
from hypothesis import strategies as st

from askance_collect.errors import FormError, ReportRefused
from askance_collect.wire import (
    Token,
    TokenKey,
    Tokens,
    from_base64url,
    pss_encode,
    pss_verify,
    read_token,
    read_tokens,
    to_base64url,
    token_message,
)

EXPONENT = 65537
PRINTED = json.loads((Path(__file__).parents[1] / "oracles/rfc9474.json").read_text("ascii"))
RANDOMISED, PLAIN = "RSABSSA-SHA384-PSS-Randomized", "RSABSSA-SHA384-PSS-Deterministic"
FORM = "ab" * 32


def raw(variant, name):
    return bytes.fromhex(PRINTED[variant][name])


def key_of(variant, name="printed"):
    return TokenKey(name, int(PRINTED[variant]["n"], 16))


@pytest.mark.parametrize("variant", [RANDOMISED, PLAIN])
def test_what_the_rfc_prints_is_encoded_blinded_and_verified_here(variant):
    key, message = key_of(variant), raw(variant, "msg_prefix") + raw(variant, "msg")
    encoded = int.from_bytes(pss_encode(message, 4095, raw(variant, "salt")), "big")
    factor = pow(int(PRINTED[variant]["inv"], 16), -1, key.modulus)
    displayed = encoded * pow(factor, EXPONENT, key.modulus) % key.modulus
    assert displayed.to_bytes(512, "big") == raw(variant, "blinded_msg")
    assert pss_verify(message, raw(variant, "sig"), key)
    assert not pss_verify(raw(variant, "msg") + b"x", raw(variant, "sig"), key)


@pytest.mark.parametrize("variant", [item for item in PRINTED if "ZERO" in item])
def test_signatures_without_salt_are_of_another_scheme(variant):
    message = raw(variant, "msg_prefix") + raw(variant, "msg")
    assert not pss_verify(message, raw(variant, "sig"), key_of(variant))


@pytest.fixture(scope="module")
def private():
    return rsa.generate_private_key(EXPONENT, 2048)


@pytest.fixture(scope="module")
def tokens(private):
    ours = TokenKey("ours", private.public_key().public_numbers().n)
    other = rsa.generate_private_key(EXPONENT, 2048).public_key().public_numbers().n
    return Tokens("https://issuer.example/", (TokenKey("other", other), ours))


def pss(salt=48):
    return padding.PSS(padding.MGF1(SHA384()), salt)


def signed(private, prefix=bytes(32), form=FORM, key=1, salt=48):
    return Token(key, prefix, private.sign(token_message(form, prefix), pss(salt), SHA384()))


def test_another_library_signs_what_is_read_here(private, tokens):
    token = signed(private)
    assert read_token(token.text, tokens, FORM) == token
    assert len(token.text) == tokens.size == 386
    assert len(token.digest) == 32


@settings(max_examples=25, deadline=None)
@given(salt=st.binary(min_size=48, max_size=48), message=st.binary(max_size=200))
def test_another_library_verifies_what_is_encoded_here(private, salt, message):
    numbers = private.private_numbers()
    encoded = int.from_bytes(pss_encode(message, 2047, salt), "big")
    signature = pow(encoded, numbers.d, numbers.public_numbers.n).to_bytes(256, "big")
    private.public_key().verify(signature, message, pss(), SHA384())


def forgeries(private, tokens):
    good = signed(private)
    modulus = tokens.keys[1].modulus
    number = int.from_bytes(good.signature, "big")
    yield "of another form", signed(private, form="cd" * 32)
    yield "of another key", Token(0, good.prefix, good.signature)
    yield "of no key", Token(2, good.prefix, good.signature)
    yield "of another prefix", Token(1, b"x" * 32, good.signature)
    yield "with another salt", signed(private, salt=47)
    yield "without a salt", signed(private, salt=0)
    yield "nothing", Token(1, good.prefix, bytes(256))
    yield "one", Token(1, good.prefix, (1).to_bytes(256, "big"))
    yield "the modulus", Token(1, good.prefix, modulus.to_bytes(256, "big"))
    yield "negative", Token(1, good.prefix, (modulus - number).to_bytes(256, "big"))
    if number + modulus < 1 << 2048:
        yield "above the modulus", Token(1, good.prefix, (number + modulus).to_bytes(256, "big"))
    for bit in (0, 7, 1000, 2047):
        yield f"bit {bit} turned", Token(1, good.prefix, (number ^ 1 << bit).to_bytes(256, "big"))


def test_no_forgery_is_read(private, tokens):
    for name, token in forgeries(private, tokens):
        with pytest.raises(ReportRefused, match="token: allowed") as refused:
            read_token(token.text, tokens, FORM)
        assert refused.value.code == "token", name


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=400), st.text("AB_-=+/ é\n", min_size=386, max_size=386)))
def test_no_text_is_read_that_is_no_token(tokens, text):
    with pytest.raises(ReportRefused, match="token: allowed"):
        read_token(text, tokens, FORM)


def test_a_token_has_one_spelling(private, tokens):
    text = signed(private).text
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    index_result = alphabet.index(text[-1])
    for last in alphabet[index_result - index_result % 4 : index_result - index_result % 4 + 4]:
        if last != text[-1]:
            assert from_base64url(text[:-1] + last) is None
    for other in (f"{text[:-1]}=", text.replace("-", "+").replace("_", "/"), f" {text[1:]}"):
        if other != text:
            with pytest.raises(ReportRefused):
                read_token(other, tokens, FORM)


@given(st.binary(max_size=80))
def test_what_is_spelt_is_read_back(raw):
    assert from_base64url(to_base64url(raw)) == raw


def test_an_issuer_is_not_the_collector():
    key = {"name": "all", "n": to_base64url((2**2047 + 1).to_bytes(256, "big"))}
    raw = {"issuer": "https://a.example/s/", "keys": [key]}
    assert read_tokens(raw, "https://a.example/").keys[0].length == 256
    with pytest.raises(FormError, match=r"tokens.issuer: .*an address of its own"):
        read_tokens(raw, "https://a.example/s/")
    longer = {"name": "more", "n": to_base64url((2**3071 + 1).to_bytes(384, "big"))}
    with pytest.raises(
        FormError, match=r"keys\[1\].n: got '3072 bits'; allowed: a modulus as long as that"
    ):
        read_tokens(raw | {"keys": [key, longer]}, "")
