"""A log that only grows: a text file of entries, with a signed head behind each batch of them.

An entry is a line: ``form``, ``page`` or ``report`` with a SHA-256 behind it, ``key`` with that of
an issuer's modulus and its number of codes, or what was ``seen`` of a page. The file is one batch
after another: its entries, an empty line, the signed head of all entries so far, and an empty line.

No batch has a time. Digests of reports are put in it in their own order, many at a time: neither
the order in which reports arrived nor when they did can be read from the log, only between which
two heads.
"""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, final

from askance.transparency.signed_note import (
    Checkpoint,
    VerifierKey,
    new_signing_key,
    read_checkpoint,
    read_signing_key,
    sign_head,
    written_entry_proof,
    written_growth_proof,
)
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, file_faults
from askance_collect.wire.merkle import (
    leaf_hash,
    prove_consistency,
    prove_inclusion,
    tree_head,
    tree_heads,
)

if sys.platform != "win32":
    import fcntl

FEW = 20
"""Reports in a batch, at least: so many arrived between two heads, and no fewer."""

_ENTRY = re.compile(r"[a-z]+( [!-~]+)+")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@final
@dataclass(frozen=True, slots=True)
class PublicLog:
    """What is in the file of a log, before anything is checked.

    Attributes
    ----------
    path : str
        Of the file.
    entries : tuple of str
        In their order.
    notes : tuple of str
        The signed head behind each batch.
    intact_size : int
        Bytes of whole batches.
    torn_size : int
        Bytes behind them, of a batch that was not written to its end.
    """

    path: str
    entries: tuple[str, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)
    intact_size: int
    torn_size: int = 0

    @checked
    def checkpoint(self, key: VerifierKey) -> Checkpoint:
        """The newest head.

        Raises
        ------
        DocumentError
            If nothing was put into the log so far, or the head is not signed under this key.
        """
        if not self.notes:
            remedy = "askance log add puts something into it"
            raise DocumentError(self.path, got="no head", allowed="a log", remedy=remedy)
        return read_checkpoint(self.notes[-1], key)

    @property
    def leaves(self) -> list[bytes]:
        """The hashes of the entries."""
        return [leaf_hash(entry.encode()) for entry in self.entries]


@checked
def create_log(path: str | Path, name: str) -> VerifierKey:
    """Make a log and its keys: private in ``PATH.key``, public in ``PATH.vkey``.

    Parameters
    ----------
    path : str or Path
        A new file.
    name : str
        Of the log: an address without its scheme, such as study.example.org/exam. Nothing need be
        there.

    Returns
    -------
    VerifierKey
        What others need to check the log.

    Raises
    ------
    InputError
        If the name is none that a key can have.
    DocumentError
        If one of the files is there already, or cannot be made.

    >>> from tempfile import TemporaryDirectory
    >>> from askance.transparency import append_entries, check_log, create_log, read_log
    >>> with TemporaryDirectory() as folder:
    ...     key = create_log(f"{folder}/exam.log", "study.example.org/exam")
    ...     head = append_entries(f"{folder}/exam.log", ["page " + "00" * 32])
    ...     head.size, len(check_log(read_log(f"{folder}/exam.log"), key))
    (1, 1)
    """
    key, log_file = new_signing_key(name), Path(path)
    files = {
        log_file: ("", 0o666),
        _with_kind(log_file, "key"): (f"{key.text}\n", 0o600),
        _with_kind(log_file, "vkey"): (f"{key.verifier.text}\n", 0o666),
    }
    for file in files:
        if file.exists():
            raise DocumentError(str(file), got="a file", allowed="a new file")
    with file_faults(path, "a new file in a folder that can be written to"):
        for file, (text, mode) in files.items():
            _write_new(file, text, mode)
    return key.verifier


@checked
def read_log(path: str | Path) -> PublicLog:
    """Read the file of a log, whole batches of it; `check_log` says whether they are right.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    DocumentError
        If it cannot be read, or is something else.

    >>> from askance.transparency import PublicLog, read_log
    >>> log: PublicLog = read_log("nowhere.log")
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere.log: got 'No such file or directory'; allowed:...
    """
    try:
        return _parsed(Path(path).read_bytes(), str(path))
    except OSError as error:
        fault, remedy = error.strerror, "askance log new makes one"
        raise DocumentError(str(path), got=fault, allowed="a log", remedy=remedy) from error


def _parsed(raw: bytes, path: str) -> PublicLog:
    """Take a file apart: entries, an empty line, a head, an empty line, and lines of signatures."""
    try:
        parts = raw.decode().split("\n\n")
    except UnicodeDecodeError as error:
        raise DocumentError(path, got=f"{error.reason}", allowed="a log") from error
    batches = [parts[start : start + 3] for start in range(0, len(parts) - 3, 3)]
    entries = [line for batch in batches for line in batch[0].split("\n")]
    for index, entry in enumerate(entries):
        if not _ENTRY.fullmatch(entry):
            fault = f"{entry[:80]} as entry {index + 1}"
            raise DocumentError(path, got=fault, allowed="a log", remedy="this is no entry of one")
    notes = tuple(f"{head}\n\n{below}\n" for _, head, below in batches)
    intact_size = sum(len(f"{part}\n\n".encode()) for batch in batches for part in batch)
    return PublicLog(path, tuple(entries), notes, intact_size, len(raw) - intact_size)


@checked
def append_entries(path: str | Path, entries: Sequence[str]) -> Checkpoint:
    """Put entries at the end of a log, as one batch, and sign its new head.

    What is in the log is looked at first: a log that lost or changed anything since its key last
    signed is not signed again. A batch that was not written to its end is written over.

    Parameters
    ----------
    path : str or Path
        Of the log; its private key lies beside it.
    entries : sequence of str
        Each a word in small letters and what is said, parted by spaces: printable ASCII.

    Returns
    -------
    Checkpoint

    Raises
    ------
    InputError
        If there is no entry, or one that cannot be one.
    DocumentError
        If there is no log or no key, or the log is not what was signed.

    >>> from askance.transparency import append_entries
    >>> append_entries("nowhere.log", ["page " + "00" * 32])
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: nowhere.log.key: got 'No such file or directory'; ...
    """
    if not entries:
        raise InputError("entries", got="none", allowed="one or more")
    for entry in entries:
        if not _ENTRY.fullmatch(str(entry)):
            allowed = "such as page, form or report with a SHA-256 behind it"
            raise InputError("entries", got=entry, allowed=allowed)
    log_file = Path(path)
    try:
        key_text = _with_kind(log_file, "key").read_text(encoding="utf-8")
        with log_file.open("r+b") as file:
            _lock(file)
            return _appended(file, log_file, key_text, entries)
    except OSError as error:
        where, remedy = str(error.filename or path), "askance log new makes a log and its keys"
        fault, allowed = error.strerror, "a log whose private key lies beside it"
        raise DocumentError(where, got=fault, allowed=allowed, remedy=remedy) from error


def _appended(file: BinaryIO, log_file: Path, key_text: str, entries: Sequence[str]) -> Checkpoint:
    """Append a batch to what was signed before, then note next to the key what was signed."""
    secret, _, last = key_text.partition("\n")
    key = read_signing_key(secret)
    log = _parsed(file.read(), str(log_file))
    _need_unchanged(log, [*log.notes[-1:], *([last] if last else [])], key.verifier)
    leaves = [*log.leaves, *(leaf_hash(entry.encode()) for entry in entries)]
    head = sign_head(len(leaves), tree_head(leaves), key)
    file.seek(log.intact_size)
    file.truncate()
    file.write("".join([*(f"{entry}\n" for entry in entries), f"\n{head.note}\n"]).encode())
    file.flush()
    os.fsync(file.fileno())
    part = _with_kind(log_file, "part")
    part.unlink(missing_ok=True)
    _write_new(part, f"{key.text}\n{head.note}", 0o600)
    part.replace(_with_kind(log_file, "key"))
    return head


def _need_unchanged(log: PublicLog, notes: Sequence[str], key: VerifierKey) -> None:
    """Refuse a log whose entries differ from those that its newest heads name."""
    heads = [read_checkpoint(note, key) for note in notes]
    sizes = [checkpoint.size for checkpoint in heads]
    count = len(log.entries)
    is_whole = sizes[0] == count >= sizes[-1] if log.notes else not heads
    if not is_whole or tree_heads(log.leaves, sizes) != [checkpoint.head for checkpoint in heads]:
        raise DocumentError(
            log.path,
            got="another log than the one that its key signed",
            allowed="every entry that was signed, unchanged",
            remedy="bring back a copy that askance log check finds whole",
        )


def _write_new(path: Path, text: str, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, mode), "wb") as file:  # noqa: PTH123 with a mode
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def _lock(file: BinaryIO) -> None:
    """Wait until nobody else writes to the log, where the system has such locks."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX)


def _with_kind(path: Path, kind: str) -> Path:
    return path.with_name(f"{path.name}.{kind}")


@checked
def check_log(log: PublicLog, key: VerifierKey) -> list[Checkpoint]:
    """Check every head of a log against the entries before it, and give the heads.

    Parameters
    ----------
    log : PublicLog
    key : VerifierKey

    Raises
    ------
    DocumentError
        At the first head that is not signed under this key, or names other entries than are there.
    """
    heads = [read_checkpoint(note, key) for note in log.notes]
    sizes = [0, *(checkpoint.size for checkpoint in heads)]
    if sizes != sorted(set(sizes)) or sizes[-1] != len(log.entries):
        fault = f"heads of {', '.join(map(str, sizes[1:]))} entries; {len(log.entries)} are there"
        raise DocumentError(log.path, got=fault, allowed="a head behind each batch, of all entries")
    for checkpoint, computed in zip(heads, tree_heads(log.leaves, sizes[1:]), strict=True):
        if checkpoint.head != computed:
            fault = f"other entries among the first {checkpoint.size} than were signed"
            raise DocumentError(log.path, got=fault, allowed="what was signed, unchanged")
    return heads


@checked
def prove_entry(log: PublicLog, entry: str, key: VerifierKey) -> str:
    """Write a proof that an entry is in a log, to check by its public key.

    Parameters
    ----------
    log : PublicLog
    entry : str
        Such as ``report`` with a digest behind it.
    key : VerifierKey

    Returns
    -------
    str
        A ``tlog-proof`` (``c2sp.org/tlog-proof``), with the newest head.

    Raises
    ------
    InputError
        If it is not in the log.

    >>> from tempfile import TemporaryDirectory
    >>> from askance.transparency import check_entry, prove_entry
    >>> with TemporaryDirectory() as folder:
    ...     key = create_log(f"{folder}/exam.log", "study.example.org/exam")
    ...     sent = [f"report {digit * 64}" for digit in "abcd"]
    ...     _ = append_entries(f"{folder}/exam.log", sent)
    ...     proof = prove_entry(read_log(f"{folder}/exam.log"), sent[2], key)
    >>> check_entry(proof, sent[2], key).size
    4
    """
    head = log.checkpoint(key)
    if entry not in log.entries:
        allowed = "an entry of the log"
        raise InputError("entry", got=entry, allowed=allowed, remedy="it is not in the log so far")
    index = log.entries.index(entry)
    path = prove_inclusion(log.leaves[: head.size], index)
    return written_entry_proof(index, path, head.note)


@checked
def prove_growth(log: PublicLog, earlier: Checkpoint, key: VerifierKey) -> str:
    """Write a proof that a log still has all that an earlier head names.

    Parameters
    ----------
    log : PublicLog
    earlier : Checkpoint
    key : VerifierKey

    Returns
    -------
    str
        The body of ``add-checkpoint`` (``c2sp.org/tlog-witness``), with the newest head.

    Raises
    ------
    InputError
        If the log has fewer entries than the earlier head names.

    >>> from tempfile import TemporaryDirectory
    >>> from askance.transparency import check_growth, prove_growth
    >>> with TemporaryDirectory() as folder:
    ...     key = create_log(f"{folder}/exam.log", "study.example.org/exam")
    ...     head = append_entries(f"{folder}/exam.log", ["page " + "00" * 32])
    ...     _ = append_entries(f"{folder}/exam.log", ["page " + "11" * 32])
    ...     proof = prove_growth(read_log(f"{folder}/exam.log"), head, key)
    >>> check_growth(proof, head, key).size
    2
    """
    head = log.checkpoint(key)
    path = prove_consistency(log.leaves[: head.size], earlier.size)
    return written_growth_proof(earlier.size, path, head.note)


@checked
def report_entries(digests: Sequence[str], log: PublicLog, *, few: bool = False) -> list[str]:
    """The digests of reports that are not in a log so far, as entries in their own order.

    A digest is as good as random: sorted by it, reports stand in no order in which they came.

    Parameters
    ----------
    digests : sequence of str
        Of all receipts, in hexadecimal.
    log : PublicLog
    few : bool
        Whether a batch of fewer than 20 may be made: of the last reports of a survey, say. The
        fewer there are, the more exactly two heads tell when each arrived.

    Raises
    ------
    InputError
        If one of them is no SHA-256, or they are too few.

    >>> report_entries(["bb" * 32, "aa" * 32], PublicLog("exam.log", (), (), 0), few=True)[0][:9]
    'report aa'
    """
    for digest in digests:
        if not _DIGEST.fullmatch(str(digest)):
            raise InputError("digests", got=digest, allowed="64 hexadecimal digits each")
    logged = frozenset(log.entries)
    new = sorted({f"report {digest}" for digest in digests} - logged)
    if 0 < len(new) < FEW and not few:
        raise InputError(
            "digests",
            got=f"{len(new)} new reports",
            allowed=f"{FEW} at least: two heads tell that they arrived in between",
            remedy="wait for more, or close the survey first and say --allow-few",
        )
    return new


def entries_of(digest: str) -> tuple[str, ...]:
    """The kinds of entries that a digest can have: of a form, a page or a report.

    >>> entries_of("00")
    ('form 00', 'page 00', 'report 00')
    """
    return tuple(f"{kind} {digest}" for kind in ("form", "page", "report"))
