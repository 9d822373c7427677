"""A code buys one blind signature, whoever asks how often; and what is kept of it is a hash."""

import json
import shutil
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from askance_collect.errors import DocumentError, InputError
from askance_collect.respond import blind
from askance_collect.tokens import NotSigned, create_issuer, open_issuer, read_code, spell_code
from askance_collect.wire import read_token

LETTERS, SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 16
PRINTED = json.loads((Path(__file__).parents[1] / "oracles/rfc9474.json").read_text("ascii"))


def refused(issuer, code, blinded):
    with pytest.raises(NotSigned) as reason:
        issuer.sign(code, blinded)
    return reason.value.code


def test_a_code_buys_a_token_that_the_form_takes(issuer, form):
    for index, name in enumerate(["north", "south"]):
        (code,) = issuer.invite(1, name)
        waiting = blind(form, index)
        token = waiting.token(issuer.sign(code, waiting.message))
        assert read_token(token.text, form.tokens, form.fingerprint).key == index


def test_a_code_buys_one_token_and_the_same_answer_as_often_as_asked(issuer, form):
    (code,) = issuer.invite(1, "north")
    first, second = blind(form), blind(form)
    signature = issuer.sign(code, first.message)
    assert issuer.sign(spell_code(code).lower(), first.message) == signature
    assert refused(issuer, code, second.message) == "exchanged"
    with pytest.raises(InputError, match="has signed of this message"):
        second.token(signature)


def test_of_many_who_ask_at_once_one_is_signed_for(issuer, form):
    (code,) = issuer.invite(1, "north")
    blind_results = [blind(form) for _ in range(8)]

    def ask(waiting):
        try:
            return waiting.token(issuer.sign(code, waiting.message)).key
        except NotSigned as reason:
            return reason.code

    with ThreadPoolExecutor(8) as people:
        items = list(people.map(ask, blind_results))
    assert sorted(map(str, items)) == ["0"] + ["exchanged"] * 7


def test_what_cannot_be_signed_costs_no_code(issuer, form):
    (code,) = issuer.invite(1, "north")
    modulus = issuer.public_keys[0].modulus
    for wrong in (b"", bytes(256), bytes(255), modulus.to_bytes(256, "big"), b"\xff" * 256):
        assert refused(issuer, code, wrong) == "wrong"
    waiting = blind(form)
    assert waiting.token(issuer.sign(code, waiting.message)).key == 0


def test_codes_that_there_are_not_buy_nothing(issuer, form):
    (code,) = issuer.invite(1, "north")
    message = (2).to_bytes(256, "big")  # what is blinded for one key may be too large for another
    swapped = LETTERS[1] + code[1:]
    more = LETTERS[2] + code[1:]
    last = code[:-1] + LETTERS[LETTERS.index(code[-1]) - 1]
    for wrong in ("", code[:-1], f"{code}0", "é" * 16, "U" * 16, last, swapped, more):
        assert refused(issuer, wrong, message) == "unknown"


def test_what_the_rfc_prints_is_signed_here(tmp_path):
    printed = PRINTED["RSABSSA-SHA384-PSS-Randomized"]
    p, q, d, n = (int(printed[name], 16) for name in "pqdn")
    key = rsa.RSAPrivateNumbers(
        p=p,
        q=q,
        d=d,
        dmp1=rsa.rsa_crt_dmp1(d, p),
        dmq1=rsa.rsa_crt_dmq1(d, q),
        iqmp=rsa.rsa_crt_iqmp(p, q),
        public_numbers=rsa.RSAPublicNumbers(65537, n),
    ).private_key()
    raw = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    create_issuer(tmp_path / "printed.issuer").close()
    with sqlite3.connect(tmp_path / "printed.issuer") as file:
        file.execute("UPDATE keys SET private = ?", (raw,))
    issuer = open_issuer(tmp_path / "printed.issuer")
    (code,) = issuer.invite(1)
    signature = issuer.sign(code, bytes.fromhex(printed["blinded_msg"]))
    assert signature == bytes.fromhex(printed["blind_sig"])
    issuer.close()


def test_of_codes_hashes_are_kept_and_of_signatures_nothing(issuer, form):
    (code,) = issuer.invite(1, "south")
    waiting = blind(form, 1)
    signature = issuer.sign(code, waiting.message)
    lying = issuer.path.read_bytes()
    for secret in (code.encode(), waiting.message, signature, waiting.token(signature).signature):
        assert secret not in lying
    assert sha256(code.encode()).digest() in lying
    assert stat.S_IMODE(issuer.path.stat().st_mode) == 0o600


@pytest.fixture
def two(tmp_path):
    """Two copies of an issuer's file, and the codes in it."""
    paths = [tmp_path / "one.issuer", tmp_path / "other.issuer"]
    issuer = create_issuer(paths[0])
    codes = issuer.invite(12)
    issuer.close()
    shutil.copy(*paths)
    return *paths, codes


def after(path, codes):
    """Exchange codes in this order; give the bytes of the file."""
    issuer = open_issuer(path)
    for code in codes:
        issuer.sign(code, sha256(code.encode()).digest().rjust(256, b"\0"))
    issuer.close()
    return path.read_bytes()


def after_as_once(path, codes):
    """Do what version 1 did, in which a row grew when its code was exchanged."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE codes SET signed = NULL")
        for digest in (sha256(code.encode()).digest() for code in codes):
            file.execute("UPDATE codes SET signed = ? WHERE code = ?", (digest, digest))
        file.execute("PRAGMA user_version = 1")
    return path.read_bytes()


def test_nothing_in_the_file_tells_who_came_first(two):
    item, other, codes = two
    assert after(item, codes[:8]) == after(other, codes[7::-1])


def test_a_file_of_version_1_told_it_until_it_is_opened(two):
    item, other, codes = two
    assert after_as_once(item, codes[:8]) != after_as_once(other, codes[7::-1])
    for path in (item, other):
        issuer = open_issuer(path)
        assert dict(issuer.counts()) == {"everybody": (12, 8)}
        issuer.close()
    assert item.read_bytes() == other.read_bytes()
    assert after(item, codes[8:]) == after(other, codes[:7:-1])


def test_codes_are_counted_by_their_keys(tmp_path):
    issuer = create_issuer(tmp_path / "a.issuer", ["wave_1", "wave_2"])
    assert dict(issuer.counts()) == {"wave_1": (0, 0), "wave_2": (0, 0)}
    codes = issuer.invite(3, "wave_2")
    assert len(set(codes)) == 3
    issuer.sign(codes[0], b"\x01" * 256)
    issuer.close()
    again = open_issuer(tmp_path / "a.issuer")
    assert dict(again.counts()) == {"wave_1": (0, 0), "wave_2": (3, 1)}
    assert again.public_keys == issuer.public_keys
    assert [key["kid"] for key in again.jwks()["keys"]] == ["wave_1", "wave_2"]
    again.close()


@given(st.text(LETTERS, min_size=SIGNS, max_size=SIGNS))
def test_a_code_is_read_as_people_type_it(code):
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in code)
    arabic = code.translate({ord(str(digit)): 0x660 + digit for digit in range(10)})
    stroked = spell_code(code).replace("-", "\u2013")
    plain = code, code.lower(), spell_code(code), f" {code}\n", code.replace("1", "l")
    for typed in (*plain, wide, arabic, stroked):
        assert read_code(typed) == code


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "names: got"),
        (["a", "a"], "different names"),
        (["North"], "a-z, 0-9 and _"),
        ([f"k{index}" for index in range(33)], "1 to 32"),
    ],
)
def test_keys_have_names_that_forms_can_have(tmp_path, names, message):
    with pytest.raises(InputError, match=message):
        create_issuer(tmp_path / "a.issuer", names)
    assert not (tmp_path / "a.issuer").exists()


def test_bad_input_is_told(issuer, tmp_path):
    with pytest.raises(InputError, match=r"bits: got 1024; allowed: 2048, 3072, 4096"):
        create_issuer(tmp_path / "a.issuer", bits=1024)
    with pytest.raises(InputError, match=r"key: got 'no name'; allowed: north, south"):
        issuer.invite(1)
    with pytest.raises(InputError, match=r"key: got 'west'"):
        issuer.invite(1, "west")
    for count in (0, -1, 10_000_001):
        with pytest.raises(InputError, match=f"count: got {count}; allowed: 1 to 10,000,000"):
            issuer.invite(count, "north")


def test_an_issuer_is_made_once(issuer, tmp_path):
    with pytest.raises(DocumentError, match="a new file"):
        create_issuer(issuer.path)
    with pytest.raises(DocumentError, match="a new file"):
        create_issuer(tmp_path / "no" / "a.issuer")


def test_another_file_is_no_issuer(tmp_path):
    (tmp_path / "text").write_text("a text that is long enough to be no database" * 30)
    with sqlite3.connect(tmp_path / "empty") as file:
        file.execute("CREATE TABLE other (one)")
    for name in ("text", "empty"):
        with pytest.raises(DocumentError, match="allowed: an issuer's file"):
            open_issuer(tmp_path / name)
