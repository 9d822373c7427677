"""Keys, notes, heads and proofs are spelt as others spell them, and refused where they are not."""

import re
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.transparency import (
    PublicLog,
    VerifierKey,
    check_entry,
    check_growth,
    new_signing_key,
    prove_entry,
    prove_growth,
    read_checkpoint,
    read_signing_key,
    read_verifier_key,
)
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import leaf_hash, tree_head

# The example of c2sp.org/signed-note.
PRINTED_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
PRINTED = """\
This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""  # noqa: E501
# The example key of Go's sumdb/note.
GO_PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = """\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.
"""
GO_SIGNED = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN"
SIGNING = new_signing_key("study.example.org/exam")
KEY = SIGNING.verifier
ENTRIES = [f"report {digit * 64}" for digit in "0123456789"]
LEAVES = [leaf_hash(item.encode()) for item in ENTRIES]


def log_of(size):
    """A log of so many entries and one head."""
    head = b64encode(tree_head(LEAVES[:size])).decode()
    note = SIGNING.signed(f"{KEY.name}\n{size}\n{head}\n")
    return PublicLog("exam.log", tuple(ENTRIES[:size]), (note,), 0)


def head_of(size):
    return log_of(size).checkpoint(KEY)


def test_the_printed_note_is_opened_by_the_printed_key():
    key = read_verifier_key(PRINTED_KEY)
    assert key.text == PRINTED_KEY
    assert key.opened(PRINTED) == "This is an example message.\n"


@pytest.mark.parametrize(
    "altered",
    [
        PRINTED.replace("example m", "exemple m"),
        PRINTED.replace("\n\n", "\n"),
        PRINTED[:-1],
        PRINTED.replace("message.", "message.\x1b"),
        PRINTED.replace("Uw2QOkn8", "Uw2QOkn9"),
        PRINTED.replace("— example.com/foo", "— example.com/fool"),
        PRINTED.replace("—", "-"),
        PRINTED.replace("aQM=", "aQN="),
        PRINTED + "no signature\n",
        "",
        "\n\n",
    ],
)
def test_an_altered_note_is_refused(altered):
    assert altered != PRINTED
    with pytest.raises(DocumentError):
        read_verifier_key(PRINTED_KEY).opened(altered)


def test_signatures_of_others_are_passed_over_and_one_that_does_not_fit_is_not():
    other = new_signing_key("witness.example.org")
    note = head_of(3).note
    pair = note + other.signed(note.split("\n\n")[0] + "\n").split("\n\n")[1]
    assert KEY.opened(pair) == other.verifier.opened(pair) == KEY.opened(note)
    forged = SIGNING.signed("another text\n").split("\n\n")[1]
    with pytest.raises(DocumentError, match="a signature that does not fit"):
        KEY.opened(note + forged)


def test_a_private_key_is_kept_as_others_keep_it():
    key = read_signing_key(GO_PRIVATE)
    assert key.text == GO_PRIVATE
    assert key.verifier == read_verifier_key(GO_PUBLIC)
    assert key.signed(GO_TEXT).startswith(f"{GO_TEXT}\n{GO_SIGNED}")  # the same text, always
    assert read_signing_key(SIGNING.text) == SIGNING
    assert SIGNING.text[-40:] not in repr(SIGNING)


@pytest.mark.parametrize(
    "text",
    ["", "tea", GO_PRIVATE[:-4], GO_PRIVATE.replace("c74f", "c74e"), PRINTED_KEY, "a+b+c", "++"],
)
def test_what_is_no_private_key_is_refused(text):
    with pytest.raises(DocumentError, match="a private key"):
        read_signing_key(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tea",
        PRINTED_KEY[:-1],
        PRINTED_KEY.replace("530d", "530e"),
        PRINTED_KEY.replace("example.com/foo", "example.com/fox"),
        PRINTED_KEY.replace("Aeky", "Aoky"),
        PRINTED_KEY.replace("+Aeky", "+ Aeky"),
        "a b+00000000+AQ==",
        None,
        3,
    ],
)
def test_what_is_no_public_key_is_refused(text):
    with pytest.raises((DocumentError, InputError)):
        read_verifier_key(text)


@pytest.mark.parametrize("name", ["", "two words", "a+b", "/exam", "a\nb", "ä", "x" * 256])
def test_a_key_has_a_name_that_stands_in_a_note(name):
    with pytest.raises(InputError, match=r"name: .*study\.example\.org"):
        new_signing_key(name)


def test_a_head_is_a_checkpoint():
    head = head_of(7)
    assert re.fullmatch(
        r"study\.example\.org/exam\n7\n[\w+/]{43}=\n\n— study\.example\.org/exam [\w+/]{90,}=*\n",
        head.note,
    )
    assert read_checkpoint(head.note, KEY) == head
    more = SIGNING.signed(head.note.split("\n\n")[0] + "\nan extension\n")
    assert read_checkpoint(more, KEY).head == head.head


@pytest.mark.parametrize(
    "text",
    [
        "another.example.org\n7\n" + "A" * 43 + "=\n",
        "study.example.org/exam\n07\n" + "A" * 43 + "=\n",
        "study.example.org/exam\n-7\n" + "A" * 43 + "=\n",
        "study.example.org/exam\n7\nAAAA\n",
        "study.example.org/exam\n7\n" + "A" * 42 + "B=\n",
        "study.example.org/exam\n7\n",
        "study.example.org/exam\n7\n" + "A" * 43 + "=\n\nmore\n",
    ],
)
def test_what_was_signed_but_is_no_head_is_refused(text):
    with pytest.raises(DocumentError, match="a head of the log"):
        read_checkpoint(SIGNING.signed(text), KEY)


def proof_of(index, size=9):
    return prove_entry(log_of(size), ENTRIES[index], KEY)


def growth_to(first, size=9):
    return prove_growth(log_of(size), head_of(first), KEY)


def test_every_entry_is_proved_and_every_growth():
    for size in range(1, 10):
        for index in range(size):
            assert check_entry(proof_of(index, size), ENTRIES[index], KEY).size == size
            assert check_growth(growth_to(index, size), head_of(index), KEY).size == size


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("index 4", "index 5"),
        ("index 4", "index 04"),
        ("index 4", "old 4"),
        ("@v1", "@v2"),
        ("\n9\n", "\n8\n"),
        ("index 4\n", "index 4\nAAAA\n"),
        ("index 4\n", "index 4\n" + "A" * 43 + "=\n"),
    ],
)
def test_an_altered_proof_of_an_entry_is_refused(old, new):
    proof = proof_of(4)
    assert old in proof
    with pytest.raises(DocumentError):
        check_entry(proof.replace(old, new, 1), ENTRIES[4], KEY)
    with pytest.raises(DocumentError, match="none of report 5"):
        check_entry(proof, ENTRIES[5], KEY)


def test_a_proof_may_carry_something_more():
    proof = proof_of(4).replace("index", "extra dGVh\nindex", 1)
    assert check_entry(proof, ENTRIES[4], KEY).size == 9


@pytest.mark.parametrize(
    ("old", "new"),
    [("old 4", "old 5"), ("old 4", "index 4"), ("\n9\n", "\n8\n"), ("old 4\n", "old 4\nAAAA\n")],
)
def test_an_altered_proof_of_growth_is_refused(old, new):
    proof = growth_to(4)
    assert old in proof
    with pytest.raises(DocumentError):
        check_growth(proof.replace(old, new, 1), head_of(4), KEY)
    with pytest.raises(DocumentError, match="first 5 entries"):
        check_growth(proof, head_of(5), KEY)


def test_a_proof_with_anothers_head_is_refused():
    other = new_signing_key("study.example.org/exam")
    with pytest.raises(DocumentError, match="signed by"):
        check_entry(proof_of(4), ENTRIES[4], other.verifier)
    with pytest.raises(DocumentError, match="signed by"):
        check_growth(growth_to(4), head_of(4), VerifierKey("study.example.org/exam", bytes(32)))


@pytest.mark.parametrize("text", ["", "tea", "tea\x1b\n", "tea\r\n"])
def test_what_is_no_text_of_a_note_is_not_signed(text):
    with pytest.raises(InputError, match="text: got"):
        SIGNING.signed(text)


EARLIER = head_of(3)
LETTERS = st.sampled_from(["old ", "index ", "1", "0", "\n", "\n\n", "— ", "A", "=", KEY.name, " "])
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(LETTERS, max_size=30).map("".join),
    st.lists(LETTERS, max_size=12).map(lambda parts: "c2sp.org/tlog-proof@v1\n" + "".join(parts)),
)


@pytest.mark.long
@given(TEXTS)
def test_whatever_is_read_is_refused_in_words(text):
    for read in (
        lambda: KEY.opened(text),
        lambda: read_checkpoint(text, KEY),
        lambda: check_entry(text, ENTRIES[0], KEY),
        lambda: check_growth(text, EARLIER, KEY),
        lambda: read_verifier_key(text),
        lambda: read_signing_key(text),
    ):
        with pytest.raises(DocumentError):
            read()
