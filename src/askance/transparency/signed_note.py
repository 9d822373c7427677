"""Signed heads of a log, and proofs against them, spelt so that others' tools read them.

A note is a text with signatures below; a checkpoint is a note of three lines: whose log it is, how
many entries it has, and the head of their Merkle tree.

References
----------
Community Cryptography Specification Project: ``c2sp.org/signed-note``, ``c2sp.org/tlog-checkpoint``
and ``c2sp.org/tlog-proof``; a proof of growth is the body of ``add-checkpoint`` in
``c2sp.org/tlog-witness``.
"""

import re
from base64 import b64encode
from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import final

from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, MissingExtra
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.merkle import DIGEST, is_consistent, is_included, leaf_hash

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )
except ImportError as error:
    raise MissingExtra("cryptography", "tokens") from error

_ED25519 = b"\x01"
_NAME = re.compile(r"[^\s+\x00-\x1f]{1,255}")
_OURS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~/-]{0,254}")
_SIGNED = re.compile(r"— (?P<name>[^\s+]+) (?P<signature>[A-Za-z0-9+/]+=*)")
_HEAD = re.compile(
    r"(?P<origin>[^\n]+)\n(?P<size>0|[1-9]\d{0,18})\n(?P<head>[^\n]+)\n(?:[^\n]+\n)*"
)
_PRIVATE = "PRIVATE+KEY+"
_PROOF = "c2sp.org/tlog-proof@v1"
_SIGNATURES = 100
"""At most so many are looked at below a note."""


@final
@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key that notes are signed under: Ed25519, with the signer's name.

    Attributes
    ----------
    name : str
        Of the log: an address without its scheme, such as study.example.org/exam.
    public : bytes
        32 of them.
    """

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The first four bytes of a hash, by which a signature names its key."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The key as it is handed out.

        >>> VerifierKey("example.com/foo", bytes(32)).text
        'example.com/foo+ae0599c0+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
        """
        return f"{self.name}+{self.id.hex()}+{to_base64(_ED25519 + self.public)}"

    @checked
    def opened(self, note: str) -> str:
        """The text of a note that this key has signed.

        Raises
        ------
        DocumentError
            If it is none, or is not signed under this key.
        """
        text, _, below = note.rpartition("\n\n")
        signed = [_SIGNED.fullmatch(line) for line in below.splitlines()[:_SIGNATURES]]
        if not text or not note.endswith("\n") or None in signed or not _is_plain(note):
            raise DocumentError("note", allowed="a text, an empty line, and lines of signatures")
        mine = [
            raw
            for line_match in signed
            if line_match and (raw := self._signature(line_match)) is not None
        ]
        if not mine:
            fault = ", ".join(line_match["name"] for line_match in signed if line_match)
            raise DocumentError(
                "note", got=f"signed by {fault or 'nobody'}", allowed=f"signed under {self.text}"
            )
        try:
            for signature in mine:
                Ed25519PublicKey.from_public_bytes(self.public).verify(
                    signature, f"{text}\n".encode()
                )
        except InvalidSignature:
            fault, allowed = "a signature that does not fit", f"one under {self.text}"
            raise DocumentError("note", got=fault, allowed=allowed) from None
        return f"{text}\n"

    def _signature(self, line: re.Match[str]) -> bytes | None:
        """What stands on a line of this key; None on another's."""
        raw = _read(line["signature"]) or b""
        return raw[4:] if (line["name"], raw[:4]) == (self.name, self.id) else None


@final
@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key to sign notes with.

    Attributes
    ----------
    name : str
        Of the log.
    seed : bytes
        32 of them.
    """

    name: str
    seed: bytes = field(repr=False)

    @property
    def verifier(self) -> VerifierKey:
        """The public key that belongs to it."""
        public = Ed25519PrivateKey.from_private_bytes(self.seed).public_key()
        return VerifierKey(self.name, public.public_bytes_raw())

    @property
    def text(self) -> str:
        """The key as it is kept, in the spelling of Go's ``sumdb/note``."""
        return f"{_PRIVATE}{self.name}+{self.verifier.id.hex()}+{to_base64(_ED25519 + self.seed)}"

    @checked
    def signed(self, text: str) -> str:
        """Make a note of a text.

        Raises
        ------
        InputError
            If the text has no line break at its end, or signs that no note has.
        """
        if not text.endswith("\n") or not _is_plain(text):
            allowed = "lines of text, each with a line break behind it"
            raise InputError("text", got=text, allowed=allowed)
        signature = Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())
        return f"{text}\n— {self.name} {to_base64(self.verifier.id + signature)}\n"


@checked
def new_signing_key(name: str) -> SigningKey:
    r"""Draw a private key to sign notes with.

    Parameters
    ----------
    name : str
        Of the log: an address without its scheme.

    Raises
    ------
    InputError
        If the name is none that a key can have.

    >>> from askance.transparency import SigningKey, new_signing_key, read_signing_key
    >>> key: SigningKey = new_signing_key("example.com/foo")
    >>> key.verifier.opened(key.signed("tea\n")), read_signing_key(key.text) == key
    ('tea\n', True)
    """
    if not _OURS.fullmatch(name):
        allowed = "an address without its scheme, such as study.example.org/exam"
        raise InputError("name", got=name, allowed=allowed)
    return SigningKey(name, SYSTEM_BYTES.draw(32))


@checked
def read_signing_key(text: str) -> SigningKey:
    """Read a private key as it is kept.

    Parameters
    ----------
    text : str
        ``PRIVATE+KEY+NAME+ID+KEY``.

    Raises
    ------
    DocumentError
        If it is none.
    """
    name, id, raw = split_key(text.removeprefix(_PRIVATE)) if text.startswith(_PRIVATE) else _NONE
    key = SigningKey(name, raw[1:]) if len(raw) == 33 else None
    if key is None or raw[:1] != _ED25519 or key.verifier.id.hex() != id:
        raise DocumentError("key", allowed="a private key, as askance log new writes it")
    return key


@checked
def read_verifier_key(text: str) -> VerifierKey:
    """Read a public key as it is handed out (a vkey).

    Parameters
    ----------
    text : str
        ``NAME+ID+KEY``.

    Raises
    ------
    DocumentError
        If it is no key for Ed25519.

    >>> from askance.transparency import VerifierKey, read_verifier_key
    >>> key = VerifierKey("example.com/foo", bytes(32))
    >>> read_verifier_key(key.text) == key
    True
    """
    name, id, raw = split_key(text.strip())
    key = VerifierKey(name, raw[1:])
    fits = len(raw) == 33 and raw[:1] == _ED25519 and _NAME.fullmatch(name) is not None
    if not fits or key.id.hex() != id:
        allowed = "a public key such as study.example.org/exam+530d903a+Aekye…"
        raise DocumentError("key", got=text[:120], allowed=allowed)
    return key


_NONE = ("", "", b"")


def split_key(text: str) -> tuple[str, str, bytes]:
    """Split a key into its name, its id and its bytes, all empty if malformed."""
    parts = text.split("+", 2)
    return (parts[0], parts[1], _read(parts[2]) or b"") if len(parts) == 3 else _NONE


@final
@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The signed head of a log.

    Attributes
    ----------
    origin : str
        Whose log it is: the name of its key.
    size : int
        How many entries it has.
    head : bytes
        The head of their Merkle tree.
    note : str
        The signed note, as it is handed on.
    """

    origin: str
    size: int
    head: bytes
    note: str = field(repr=False)


@checked
def read_checkpoint(note: str, key: VerifierKey) -> Checkpoint:
    """Read the head of a log, which its key must have signed.

    Parameters
    ----------
    note : str
    key : VerifierKey

    Raises
    ------
    DocumentError
        If it is no head, or not signed under this key.

    >>> from askance.transparency import Checkpoint, VerifierKey, read_checkpoint
    >>> head: Checkpoint = read_checkpoint("tea", VerifierKey("example.com/foo", bytes(32)))
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: note: allowed: a text, an empty line, and lines of sign...
    """
    match = _HEAD.fullmatch(key.opened(note))
    head = _read(match["head"]) if match else None
    if match is None or match["origin"] != key.name or head is None or len(head) != DIGEST:
        first_line, allowed = note.partition("\n")[0][:120], f"a head of the log {key.name}"
        raise DocumentError("note", got=first_line, allowed=allowed)
    return Checkpoint(key.name, int(match["size"]), head, note)


def sign_head(size: int, head: bytes, key: SigningKey) -> Checkpoint:
    """Sign the head of a log."""
    note = key.signed(f"{key.name}\n{size}\n{to_base64(head)}\n")
    return Checkpoint(key.name, size, head, note)


def written_entry_proof(index: int, path: Sequence[bytes], note: str) -> str:
    """Write a proof that an entry is in a log, with the head that it is in."""
    return "\n".join([_PROOF, f"index {index}", *map(to_base64, path), "", note])


def written_growth_proof(first: int, path: Sequence[bytes], note: str) -> str:
    """Write a proof that a log has all that it had when it was smaller, with its head."""
    return "\n".join([f"old {first}", *map(to_base64, path), "", note])


@checked
def check_entry(proof: str, entry: str, key: VerifierKey) -> Checkpoint:
    """Check a proof that an entry is in a log, and give the head that it is in.

    Parameters
    ----------
    proof : str
        By `prove_entry`, or any other that writes a ``tlog-proof``.
    entry : str
        Such as ``report`` with a digest behind it.
    key : VerifierKey
        The log's.

    Raises
    ------
    DocumentError
        If it is no proof of this, or its head is not signed under this key.

    >>> from askance.transparency import check_entry
    >>> check_entry("tea", "page 00", VerifierKey("example.com/foo", bytes(32)))
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: proof: allowed: a proof, as askance log prove writes it
    """
    first, *lines = _lines(proof)
    if first != _PROOF:
        raise _no_proof()
    lines = lines[1:] if lines and lines[0].startswith("extra ") else lines
    index, path = _numbered("index", lines)
    head = read_checkpoint(proof.partition("\n\n")[2], key)
    if not is_included(leaf_hash(entry.encode()), index, head.size, path, head.head):
        raise DocumentError("proof", got=f"none of {entry}", allowed="a proof of this very entry")
    return head


@checked
def check_growth(proof: str, earlier: Checkpoint, key: VerifierKey) -> Checkpoint:
    """Check a proof that a log still has all that an earlier head names, and give the later head.

    Parameters
    ----------
    proof : str
        By `prove_growth`.
    earlier : Checkpoint
    key : VerifierKey
        The log's.

    Raises
    ------
    DocumentError
        If it is no proof of this, or its head is not signed under this key.

    >>> from askance.transparency import check_growth
    >>> key = VerifierKey("example.com/foo", bytes(32))
    >>> check_growth("tea", Checkpoint("example.com/foo", 0, bytes(32), ""), key)
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: proof: allowed: a proof, as askance log prove writes it
    """
    first, path = _numbered("old", _lines(proof))
    head = read_checkpoint(proof.partition("\n\n")[2], key)
    fault = f"one from {first} entries to {head.size}, under which they differ"
    if first != earlier.size or not is_consistent(first, earlier.head, head.size, head.head, path):
        allowed = f"a proof that the first {earlier.size} entries are still there, unchanged"
        raise DocumentError("proof", got=fault, allowed=allowed)
    return head


def signatures_below(below: str) -> list[tuple[str, bytes]]:
    """Who signed on each line below a note, and what stands there; other lines are left out."""
    signed = map(_SIGNED.fullmatch, below.splitlines()[:_SIGNATURES])
    return [(match["name"], _read(match["signature"]) or b"") for match in signed if match]


def _lines(proof: str) -> list[str]:
    """The lines of a proof before its head."""
    return proof.partition("\n\n")[0].split("\n")


def _numbered(word: str, lines: Sequence[str]) -> tuple[int, list[bytes]]:
    """Read the number and the hashes of a proof."""
    match = re.fullmatch(rf"{word} (0|[1-9]\d{{0,18}})", lines[0] if lines else "")
    path = [_read(line) or b"" for line in lines[1:]]
    if match is None or any(len(digest) != DIGEST for digest in path):
        raise _no_proof()
    return int(match[1]), path


def _no_proof() -> DocumentError:
    return DocumentError("proof", allowed="a proof, as askance log prove writes it")


def _is_plain(note: str) -> bool:
    return not any(sign < " " and sign != "\n" for sign in note)


def to_base64(raw: bytes) -> str:
    """Spell bytes in standard base64."""
    return b64encode(raw).decode("ascii")


def _read(text: str) -> bytes | None:
    """Read standard base64 in its one spelling."""
    try:
        raw = a2b_base64(text, strict_mode=True)
    except (NotBase64, ValueError):
        return None
    return raw if to_base64(raw) == text else None
