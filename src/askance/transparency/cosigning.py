"""Have a witness cosign the head of a log: it signs no head that drops earlier entries.

A witness is somebody else's service that keeps, of each log that it knows, the newest head that it
signed. Whoever asks for its signature below a head cannot be shown another history of the log.

References
----------
Community Cryptography Specification Project: ``c2sp.org/tlog-witness`` (``add-checkpoint``) and
``c2sp.org/tlog-cosignature`` (Ed25519, ``cosignature/v1``).
"""

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import final

from askance.transparency.fetch import NotFetched, post
from askance.transparency.public_log import PublicLog
from askance.transparency.signed_note import (
    Checkpoint,
    VerifierKey,
    signatures_below,
    split_key,
    to_base64,
    written_growth_proof,
)
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, MissingExtra
from askance_collect.wire.merkle import prove_consistency

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError as error:
    raise MissingExtra("cryptography", "tokens") from error

_COSIGNATURE = b"\x04"
_SIZE = re.compile(rb"(0|[1-9]\d{0,18})\n")
_REFUSALS = {
    400: "it did not understand",
    403: "it knows another key of this log",
    404: "it does not know this log: give its operator the log's public key first",
    422: "the log lost or changed what the witness has signed before",
    429: "it was asked too often",
}
"""What a witness means by a status, where it signs nothing."""


@final
@dataclass(frozen=True, slots=True)
class WitnessKey:
    """The public key of a witness: Ed25519, with its operator's name.

    Attributes
    ----------
    name : str
        Such as witness.example.org/w1.
    public : bytes
        32 of them.
    """

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The first four bytes of a hash, by which a signature names its key."""
        return sha256(self.name.encode() + b"\n" + _COSIGNATURE + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The key as it is handed out."""
        return f"{self.name}+{self.id.hex()}+{to_base64(_COSIGNATURE + self.public)}"


@checked
def read_witness_key(text: str) -> WitnessKey:
    """Read the public key of a witness (a vkey of type 4).

    Parameters
    ----------
    text : str
        ``NAME+ID+KEY``.

    Raises
    ------
    DocumentError
        If it is no Ed25519 key for cosignatures.

    >>> from askance.transparency import WitnessKey, read_witness_key
    >>> key = WitnessKey("witness.example.org/w1", bytes(32))
    >>> read_witness_key(key.text) == key
    True
    """
    name, id, raw = split_key(text.strip())
    key = WitnessKey(name, raw[1:])
    if len(raw) != 33 or raw[:1] != _COSIGNATURE or key.id.hex() != id:
        allowed = "a public key such as witness.example.org/w1+f1a2b3c4+BAAA…, for Ed25519"
        raise DocumentError("key", got=text[:120], allowed=allowed)
    return key


@checked
def cosigned_at(head: Checkpoint, witness: WitnessKey) -> int | None:
    r"""Say when a witness signed a head that has its signature below.

    Parameters
    ----------
    head : Checkpoint
    witness : WitnessKey

    Returns
    -------
    int or None
        In seconds since 1970 (UTC), by the witness's own clock; the latest of several. None if it
        did not sign.

    Raises
    ------
    DocumentError
        If a signature that names this key does not fit.

    >>> from askance.transparency import Checkpoint, WitnessKey, cosigned_at
    >>> head = Checkpoint("example.org/exam", 0, bytes(32), "example.org/exam\n0\nAAAA\n\n")
    >>> cosigned_at(head, WitnessKey("witness.example.org/w1", bytes(32))) is None
    True
    """
    text, _, below = head.note.rpartition("\n\n")
    times = [
        _time(f"{text}\n", raw[4:], witness)
        for name, raw in signatures_below(below)
        if (name, raw[:4]) == (witness.name, witness.id)
    ]
    return max(times, default=None)


def _time(text: str, stamped: bytes, witness: WitnessKey) -> int:
    """Check one cosignature: eight bytes of time, and what signs it with the text."""
    time = int.from_bytes(stamped[:8], "big")
    signed = f"cosignature/v1\ntime {time}\n{text}".encode()
    try:
        Ed25519PublicKey.from_public_bytes(witness.public).verify(stamped[8:], signed)
    except InvalidSignature:
        fault, allowed = "a signature that does not fit", f"one under {witness.text}"
        raise DocumentError("note", got=fault, allowed=allowed) from None
    return time


@checked
def submit_head(
    log: PublicLog, key: VerifierKey, address: str, witness: WitnessKey, *, seconds: float = 30.0
) -> Checkpoint:
    """Submit the newest head of a log to a witness, and give it with the witness's signature below.

    The witness is first asked what it signed last, and is then sent the proof that nothing left the
    log since.

    Parameters
    ----------
    log : PublicLog
    key : VerifierKey
        The log's.
    address : str
        The witness's address for submissions, without ``add-checkpoint``.
    witness : WitnessKey
    seconds : float
        For each of the two requests.

    Returns
    -------
    Checkpoint

    Raises
    ------
    DocumentError
        If the witness cannot be had or signs nothing, with what it said; above all if it has
        signed more entries than there are, or others.
    InputError
        If the address is none.

    >>> from askance.transparency import VerifierKey, WitnessKey, read_log, submit_head
    >>> from tempfile import TemporaryDirectory
    >>> from askance.transparency import append_entries, create_log
    >>> with TemporaryDirectory() as folder:
    ...     key = create_log(f"{folder}/exam.log", "study.example.org/exam")
    ...     _ = append_entries(f"{folder}/exam.log", ["page " + "00" * 32])
    ...     log = read_log(f"{folder}/exam.log")
    >>> submit_head(log, key, "http://127.0.0.1:9/", WitnessKey("example.org/w", bytes(32)))
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: http://127.0.0.1:9/: got 'http://127.0.0.1:9/add-checkp...
    """
    head = log.checkpoint(key)
    status, reply = _submit(log, head, address, 0, seconds)
    if status == 409 and (newest := _SIZE.fullmatch(reply)):
        if (first := int(newest[1])) > head.size:
            raise _not_signed(address, f"it has signed {first} entries of this log, here are fewer")
        status, reply = _submit(log, head, address, first, seconds)
        if status == 409 and reply == newest[0]:
            raise _not_signed(address, f"it has signed other entries than the first {first} here")
    if status != 200:
        sentence = reply.decode("utf-8", "replace").strip()[:120]
        raise _not_signed(
            address, f"{_REFUSALS.get(status, 'it signed nothing')} ({status} {sentence})"
        )
    mine = _lines(reply.decode("utf-8", "replace"), witness)
    signed = replace(head, note=f"{head.note}{mine}")
    if cosigned_at(signed, witness) is None:
        raise _not_signed(address, f"no signature under {witness.text}")
    return signed


def _lines(reply: str, witness: WitnessKey) -> str:
    """Select the lines of a reply that the witness signed; others are dropped."""
    named = (
        f"— {witness.name} {to_base64(raw)}\n"
        for name, raw in signatures_below(reply)
        if (name, raw[:4]) == (witness.name, witness.id)
    )
    return "".join(named)


def _submit(
    log: PublicLog, head: Checkpoint, address: str, first: int, seconds: float
) -> tuple[int, bytes]:
    proof = prove_consistency(log.leaves[: head.size], first)
    body = written_growth_proof(first, proof, head.note)
    try:
        return post(f"{address.rstrip('/')}/add-checkpoint", body.encode(), seconds)
    except NotFetched as reason:
        raise _not_signed(address, str(reason)) from reason


def _not_signed(address: str, fault: str) -> DocumentError:
    return DocumentError(address, got=fault, allowed="the signature of a witness")
