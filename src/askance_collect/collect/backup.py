"""Backups of a store, made while reports come in: one text, in the order of random ids.

A backup is JSON Lines. The first line says what it is, whether the survey is closed, and holds the
form; then comes each report as it was sent, in the order of the ids; then each token that is spent,
in their order; the last line has the sums over all of it. So equal stores have equal backups, byte
for byte, whatever came first and whichever database held it, and nothing tells the order of
arrival. Nothing of a backup is believed before its last line.

One that is encrypted is a file in the format of age (age-encryption.org/v1), which other programs
open. The reports go to the cipher as they are read: no readable copy is on the disk at any time.
What encrypts for a key needs the public key alone. A passphrase encrypts a copy of bounded size in
memory, or the private key, as ``age -p`` does.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import groupby, islice
from operator import lt
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TypeVar, cast, final

from askance_collect.arguments import checked
from askance_collect.collect.accept import Snapshot, Store
from askance_collect.collect.age_library import age_library, read_recipient
from askance_collect.collect.folder import PRIVATE, Folder, replacing
from askance_collect.collect.integrity import message, seal, sums, sums_of_tokens
from askance_collect.collect.owner import open_to_read, refuse_as_root
from askance_collect.collect.report_sums import Sums
from askance_collect.collect.store import open_store
from askance_collect.errors import DocumentError, FormError, InputError, ReportRefused, file_faults
from askance_collect.wire.canonical_json import canonical
from askance_collect.wire.form import Form
from askance_collect.wire.report import ReportScanner, check_report

_MANY = 1000
_LONGEST = 1 << 27
"""No line is longer: the first one, with the form and its images, is the longest."""

_PIECE = 1 << 16
_HEAD = re.compile(
    rb'\{"askance":"backup-1","closed":(?P<closed>true|false),"form":(?P<form>.+)\}\n'
)
_TOKEN = re.compile(rb'\{"key":(\d{1,3}),"token":"([0-9a-f]{64})"\}\n')
_END = re.compile(rb'\{"reports":(\d+),"sums":"([0-9a-f]{144})"\}\n')
_AGE = b"age-encryption.org/v1\n"
_BY_PASSPHRASE = _AGE + b"-> scrypt "
_IN_MEMORY = 1 << 28
"""So many bytes may a copy have that a passphrase encrypts: the cipher wants them all at once."""

_SHORTEST = 12
"""Characters of a passphrase: whoever has the file may guess as often as they like."""

_ROOM = "a file that can be written, on a disk with room for it"
_Item = TypeVar("_Item")


@final
@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds.

    Attributes
    ----------
    reports : int
    tokens : int
        Tokens that are spent, of a form that wants tokens.
    closed : bool
        Whether the survey was closed.
    form : str
        The form's fingerprint.
    sums : str
        Over all of it, in hexadecimal: those of the store as it was.
    """

    reports: int
    tokens: int
    closed: bool
    form: str
    sums: str


@checked
def back_up(
    store: Store, path: str | Path, keys: Sequence[str] = (), *, passphrase: str | None = None
) -> Backup:
    """Write a copy of a store to a file; a server may write to the store meanwhile.

    The file is moved into place once it is on the disk and was read again: whatever happens before
    leaves the one that was there.

    Parameters
    ----------
    store : Store
        Opened by `open_store`, read-only if a server uses it.
    path : str or Path
        Only its owner can read the file.
    keys : sequence of str
        Public keys, such as ``age1…`` or ``ssh-ed25519 …``: who holds the private key of any of
        them can read the backup, and nobody else. None leave it readable.
    passphrase : str, optional
        At least 12 characters, in the place of keys; whoever knows it can read the backup. The copy
        may have 256 MiB then, about a million reports, and is in memory while it is made.

    Raises
    ------
    InputError
        If a key is none, the passphrase is short, or both are given.
    DocumentError
        If the store is damaged, if the file cannot be written, or if it is too large for a
        passphrase.
    MissingExtra
        For keys or a passphrase, without ``pip install 'askance-collector[backup]'``.

    >>> from askance_collect.collect import (
    ...     Backup, accept, back_up, check_backup, create_backup_key, open_store, restore)
    >>> from askance_collect.wire import Report
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> body = Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size)
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = open_store(f"{folder}/tea.db", form)
    ...     outcomes = store.append([accept(body, form)])
    ...     key = create_backup_key(f"{folder}/key.txt")
    ...     backup: Backup = back_up(store, f"{folder}/tea.age", [key])
    ...     store.close()
    ...     own = [f"{folder}/key.txt"]
    ...     check_backup(f"{folder}/tea.age", own) == backup
    ...     restored = restore(f"{folder}/tea.age", f"{folder}/again.db", own)
    True
    >>> restored == backup, restored.reports, restored.closed
    (True, 1, False)
    """
    file, readers = Path(path), [read_recipient(key) for key in keys]
    if passphrase is not None:
        if keys:
            raise InputError("passphrase", got="keys too", allowed="keys, or a passphrase")
        _check_passphrase(passphrase)
    with store.snapshot() as snapshot:
        copy = _Copy(snapshot)
        with _replacing(file) as output:
            if passphrase is not None:
                digest = _locked(copy, output, passphrase, str(file))
            else:
                digest = _encrypted(copy, output, readers) if readers else _plain(copy, output)
            backup = copy.backup()
            os.fsync(output.fileno())
            output.seek(0)
            again = sha256()
            for piece in iter(partial(output.read, _PIECE), b""):
                again.update(piece)
            if again.digest() != digest:
                raise _faulty(str(file), "other bytes than were written", "a disk that works")
    return backup


@checked
def check_backup(
    path: str | Path, identities: Sequence[str | Path] = (), *, passphrase: str | None = None
) -> Backup:
    """Read all of a backup and say what it holds; nothing is written.

    Parameters
    ----------
    path : str or Path
    identities : sequence of str or Path
        Files of private keys, if it is encrypted.
    passphrase : str, optional
        What it is encrypted with, or the files of private keys.

    Raises
    ------
    DocumentError
        If it is no backup, is not whole, or cannot be read with these keys or this passphrase.
    """
    with _open_backup(Path(path), identities, passphrase) as lines:
        form, closed = _read_head(lines, str(path))
        return _read_body(lines, str(path), form, closed, None)


@checked
def restore(
    path: str | Path,
    target: str | Path,
    identities: Sequence[str | Path] = (),
    *,
    passphrase: str | None = None,
) -> Backup:
    """Make a store of a backup: what is there afterwards is what was in the first one.

    Parameters
    ----------
    path : str or Path
    target : str or Path
        Where the store will be, as for `open_store`: a new file, or an empty database.
    identities : sequence of str or Path
        Files of private keys, if it is encrypted.
    passphrase : str, optional
        What it is encrypted with, or the files of private keys.

    Raises
    ------
    DocumentError
        As `check_backup`; or if there is something at the place already.
    """
    where, opened = str(target), partial(_open_backup, Path(path), identities, passphrase)
    if where.partition("://")[0] in ("postgresql", "postgres"):
        check_backup(
            path, identities, passphrase=passphrase
        )  # a database has no part to throw away
        return _fill_store(opened, str(path), where)
    fresh = Path(where.removeprefix("sqlite:///"))
    if os.path.lexists(fresh):
        raise DocumentError(where, got="a file", allowed="a new file")
    with file_faults(where, _ROOM):
        refuse_as_root(fresh)
        with Folder.opened(fresh.parent) as above, above.working(".restoring-") as folder:
            backup = _fill_store(opened, str(path), str(folder.path / "new.db"))
            folder.rename("new.db", fresh.name, above)
            above.flush()
    return backup


@checked
def create_backup_key(path: str | Path, *, passphrase: str | None = None) -> str:
    """Write a new private key to a file, and give the public one, which encrypts.

    Parameters
    ----------
    path : str or Path
        A new file that only its owner can read. Whoever has it can read the backups; without it
        nobody can.
    passphrase : str, optional
        Encrypts that file, as ``age -p`` does: whoever has it needs the passphrase too. At least 12
        characters.

    Raises
    ------
    InputError
        If the passphrase is short.
    DocumentError
        If there is a file, or if it cannot be written.
    MissingExtra
        Without ``pip install 'askance-collector[backup]'``.
    """
    identity = age_library().x25519.Identity.generate()
    public = str(identity.to_public())
    content = f"# public key: {public}\n{identity}\n".encode("ascii")
    if passphrase is not None:
        _check_passphrase(passphrase)
        content = age_library().passphrase.encrypt(content, passphrase)
    with file_faults(path, "a new file"):
        with Folder.opened(Path(path).parent) as folder:
            descriptor = folder.create(Path(path).name, PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    return public


@final
class _Copy:
    """The bytes of a backup, one piece after the other, as a stream that is read to its end."""

    __slots__ = ("_backup", "_pending", "_pieces", "fault")

    def __init__(self, snapshot: Snapshot) -> None:
        self._backup: Backup | None = None
        self._pending = b""
        self._pieces = self._write_pieces(snapshot)
        self.fault: Exception | None = None

    def backup(self) -> Backup:
        """Say what was copied."""
        assert self._backup is not None
        return self._backup

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none after the last; keep an error to raise it unchanged."""
        while not self._pending:
            try:
                piece = next(self._pieces, None)
            except Exception as error:
                self.fault = error
                raise
            if piece is None:
                return b""
            self._pending = piece
        size = len(self._pending) if size < 0 else size
        chunk, self._pending = self._pending[:size], self._pending[size:]
        return chunk

    def _write_pieces(self, snapshot: Snapshot) -> Iterator[bytes]:
        form, closed = snapshot.form, snapshot.closed
        yield b'{"askance":"backup-1","closed":%s,"form":%s}\n' % (canonical(closed), form)
        total, spent = seal(form, closed), 0
        for reports in _chunks(snapshot.reports):
            total += sums(reports, form)
            yield b"".join(b"%s\n" % message(form, id, answers) for id, answers in reports)
        for tokens in _chunks(snapshot.tokens):
            total, spent = total + sums_of_tokens(tokens), spent + len(tokens)
            lines = ({"key": key, "token": token.hex()} for token, key in tokens)
            yield b"".join(b"%s\n" % canonical(line) for line in lines)
        digits = total.spelling.hex()
        yield b"%s\n" % canonical({"reports": total.count, "sums": digits})
        self._backup = Backup(total.count, spent, closed, Form.read(form).fingerprint, digits)


@final
class _Hashed:
    """A file that is written, and what was."""

    __slots__ = ("_file", "_hash")

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._hash = file, sha256()

    def write(self, piece: bytes) -> int:
        self._hash.update(piece)
        return self._file.write(piece)

    def flush(self) -> None:
        self._file.flush()

    def digest(self) -> bytes:
        self.flush()
        return self._hash.digest()


def _plain(copy: _Copy, file: BinaryIO) -> bytes:
    written = _Hashed(file)
    for piece in iter(copy.read, b""):
        written.write(piece)
    return written.digest()


def _encrypted(copy: _Copy, file: BinaryIO, readers: list[Any]) -> bytes:
    """Encrypt while reading; raise an error of reading itself, not the cipher's quotation of it."""
    written = _Hashed(file)
    try:
        age_library().encrypt_io(copy, written, readers)
    except Exception as error:
        raise copy.fault or error from None
    return written.digest()


def _locked(copy: _Copy, file: BinaryIO, passphrase: str, where: str) -> bytes:
    """Encrypt by a passphrase, in memory; refuse what is too large before memory is full."""
    gathered = bytearray()
    for piece in iter(copy.read, b""):
        gathered += piece
        if len(gathered) > _IN_MEMORY:
            raise DocumentError(
                where,
                got=f"more than {_IN_MEMORY >> 20} MiB",
                allowed="less, by a passphrase",
                remedy="encrypt for a key, which may have a passphrase: askance-collect key",
            )
    written = _Hashed(file)
    written.write(age_library().passphrase.encrypt(bytes(gathered), passphrase))
    return written.digest()


def _check_passphrase(passphrase: str) -> None:
    if len(passphrase) < _SHORTEST:
        raise InputError(
            "passphrase",
            got=f"{len(passphrase)} characters",
            allowed=f"{_SHORTEST} or more",
            remedy="six words drawn by chance will do",
        )


def _unlocked(sealed: bytes, passphrase: str | None, where: str) -> bytes:
    """Decrypt what a passphrase encrypted."""
    if passphrase is None:
        allowed, remedy = "with it the passphrase", "--passphrase asks for it"
        raise DocumentError(where, got="what a passphrase opens", allowed=allowed, remedy=remedy)
    age = age_library()
    try:
        return cast(bytes, age.passphrase.decrypt(sealed, passphrase))
    except age.DecryptError as error:
        allowed = "the passphrase that it was encrypted with, and the file as it was written"
        raise DocumentError(where, got=str(error), allowed=allowed) from None


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Write to a temporary file, and move it to the path once it is on the disk."""
    with file_faults(path, _ROOM), replacing(path, durable=True) as file:
        yield file


def _fill_store(
    opened: Callable[[], AbstractContextManager[Iterator[bytes]]], where: str, target: str
) -> Backup:
    """Fill a new store with what a backup holds, and read all of it again."""
    with opened() as lines:
        form, closed = _read_head(lines, where)
        store = open_store(target, form)
        try:
            if store.count() or store.closed or store.spent_tokens():
                raise DocumentError(
                    "the PostgreSQL database",
                    got="a store with something in it",
                    allowed="an empty database",
                    remedy="if restoring was broken off: DROP SCHEMA askance CASCADE, and again",
                )
            backup = _read_body(lines, where, form, closed, store)
            if closed:
                store.close_survey()
        finally:
            store.close()
    reopened = open_store(target, read_only=True)
    try:
        reopened.check()
        same = (reopened.count(), sum(reopened.spent_tokens().values())) == (
            backup.reports,
            backup.tokens,
        )
        same = same and (reopened.closed, reopened.form()) == (closed, form.bytes)
    finally:
        reopened.close()
    if not same:
        raise _faulty(target, "other reports than the backup holds", "a disk that works")
    return backup


def _read_head(lines: Iterator[bytes], where: str) -> tuple[Form, bool]:
    match = _HEAD.fullmatch(next(lines, b""))
    if match is None:
        raise _faulty(where, "something else", "a backup that askance-collect backup wrote")
    try:
        form = Form.read(match["form"])
    except (FormError, ValueError, TypeError) as error:
        raise _faulty(where, "a form that cannot be read", "a backup as it was written") from error
    if form.bytes != match["form"]:
        raise _faulty(where, "a form in another spelling", "a backup as it was written")
    return form, match["closed"] == b"true"


def _read_body(
    lines: Iterator[bytes], where: str, form: Form, closed: bool, store: Store | None
) -> Backup:
    """Read reports and tokens, into a store if there is one, and compare them with their sums."""
    parts = _Parts(_parse_parts(lines, where, form))
    if store is None:
        total = Sums()
        for reports in parts.of(_Kind.REPORTS):
            total += sums(reports, form.bytes)
        for tokens in parts.of(_Kind.TOKENS):
            total += sums_of_tokens(tokens)
    else:
        total = store.fill(parts.of(_Kind.REPORTS), parts.of(_Kind.TOKENS))
    total += seal(form.bytes, closed)
    if [total] != [written for (written,) in parts.of(_Kind.SUMS)]:
        raise _faulty(where, "sums that are not those of its reports", "a backup as it was written")
    spent = parts.counts[_Kind.TOKENS]
    return Backup(total.count, spent, closed, form.fingerprint, total.spelling.hex())


@final
class _Kind(IntEnum):
    """What a line of a backup holds, in the order of the lines."""

    REPORTS = 0
    TOKENS = 1
    SUMS = 2


@final
class _Parts:
    """The parts of a backup, read once, a kind after the other."""

    __slots__ = ("_next", "_parts", "counts")

    def __init__(self, parts: Iterator[tuple[_Kind, list[Any]]]) -> None:
        self._parts, self._next = parts, next(parts, None)
        self.counts: Counter[_Kind] = Counter()

    def of(self, kind: _Kind) -> Iterator[list[Any]]:
        """Give the parts of one kind, up to the first of the next."""
        while self._next is not None and self._next[0] is kind:
            part = self._next[1]
            self.counts[kind] += len(part)
            yield part
            self._next = next(self._parts, None)


def _parse_parts(
    lines: Iterator[bytes], where: str, form: Form
) -> Iterator[tuple[_Kind, list[Any]]]:
    """Parts of reports, then of tokens, then the sums, each in its order and once."""
    scanner, number = ReportScanner(form), 2
    last: tuple[_Kind, bytes] = (_Kind.REPORTS, b"")
    for chunk in _chunks(lines):
        reports = scanner.read(chunk) if last[0] is _Kind.REPORTS else None
        ids = [id for id, _ in reports or ()]
        if reports is not None and all(map(lt, [last[1], *ids[:-1]], ids)):
            last = (_Kind.REPORTS, ids[-1])
            yield _Kind.REPORTS, reports
        else:
            items = list(_read_each_line(chunk, where, form, number, last))
            last = items[-1][0]
            for kind, run in groupby(items, lambda item: item[0][0]):
                yield kind, [value for _, value in run]
        number += len(chunk)
    if last[0] is not _Kind.SUMS:
        raise _faulty(where, "no last line: it is cut off", "a whole backup")


def _read_each_line(
    lines: list[bytes], where: str, form: Form, number: int, last: tuple[_Kind, bytes]
) -> Iterator[tuple[tuple[_Kind, bytes], Any]]:
    """Read lines, and see that each comes behind the one before."""
    for line in lines:
        location = f"{where}, line {number}"
        order, value = _read_line(line, form, location)
        if order <= last:
            raise _faulty(location, "a line out of its order", "a backup as it was written")
        yield order, value
        number, last = number + 1, order


def _read_line(line: bytes, form: Form, where: str) -> tuple[tuple[_Kind, bytes], Any]:
    """Read a line, and say where it stands among the others."""
    if match := _END.fullmatch(line):
        total = Sums.read(bytes.fromhex(match[2].decode()))
        if total.count == int(match[1]):
            return (_Kind.SUMS, b""), total
    elif match := _TOKEN.fullmatch(line):
        token, key = bytes.fromhex(match[2].decode()), int(match[1])
        if form.tokens is not None and key < len(form.tokens.keys):
            return (_Kind.TOKENS, token), (token, key)
    elif line.endswith(b"}\n") and len(line) <= form.size + 1:
        with suppress(ReportRefused):
            id, answers = check_report(line[:-1].ljust(form.size), form)
            return (_Kind.REPORTS, bytes.fromhex(id)), (bytes.fromhex(id), answers)
    raise _faulty(where, "something else", "a report on this form, or a token that is spent")


def _chunks(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Yield items in lists of a thousand, so that memory does not grow with a store."""
    rest = iter(items)
    while chunk := list(islice(rest, _MANY)):
        yield chunk


def _faulty(where: str, actual: str, allowed: str) -> DocumentError:
    return DocumentError(where, got=actual, allowed=allowed, remedy="use another backup")


@contextmanager
def _open_backup(
    path: Path, identities: Sequence[str | Path], passphrase: str | None
) -> Iterator[Iterator[bytes]]:
    """Open a backup, encrypted or not, to read line by line."""
    with file_faults(path, "a backup"):
        file = open_to_read(path)
    with file:
        head = file.read(len(_BY_PASSPHRASE))
        file.seek(0)
        if head == _BY_PASSPHRASE:
            plaintext = _unlocked(file.read(), passphrase, str(path))
            yield iter(partial(BytesIO(plaintext).readline, _LONGEST), b"")
        elif head.startswith(_AGE):
            keys = [
                key for key_file in identities for key in _identities(Path(key_file), passphrase)
            ]
            with _decrypted(file, keys, str(path)) as lines:
                yield lines
        else:
            yield iter(partial(file.readline, _LONGEST), b"")


@contextmanager
def _decrypted(file: BinaryIO, keys: list[Any], where: str) -> Iterator[Iterator[bytes]]:
    """Decrypt in a thread of its own, from which the lines come as they are read."""
    if not keys:
        allowed = "with it the private key of somebody who may read it"
        remedy = "--identity names the file of that key"
        raise DocumentError(where, got="an encrypted backup", allowed=allowed, remedy=remedy)
    reading, writing = os.pipe()
    faults: list[Exception] = []

    def work() -> None:
        try:
            with os.fdopen(writing, "wb") as sink:
                age_library().decrypt_io(file, sink, keys)
        except Exception as error:
            faults.append(error)

    def lines() -> Iterator[bytes]:
        while (line := source.readline(_LONGEST)).endswith(b"\n"):
            yield line
        thread.join()
        if faults:
            reason = str(faults[0]).partition(":")[0]
            raise _faulty(
                where, reason, "an encrypted backup as it was written, and a key of its own"
            )
        if line:
            yield line

    thread = Thread(target=work, name="askance-decrypt")
    with os.fdopen(reading, "rb") as source:
        thread.start()
        try:
            yield lines()
        finally:
            source.close()
            thread.join()


def _identities(path: Path, passphrase: str | None) -> list[Any]:
    """Read the private keys in a file, as age-keygen or ssh-keygen writes them, or age -p."""
    age = age_library()
    try:
        with open_to_read(path) as file:
            text = file.read()
        if text.startswith(_BY_PASSPHRASE):
            text = _unlocked(text, passphrase, str(path))
        if b"PRIVATE KEY-----" in text:
            return [age.ssh.Identity.from_buffer(text)]
        lines = (line.strip() for line in text.decode("ascii").splitlines())
        named = [line for line in lines if line and not line.startswith("#")]
        identities = [age.x25519.Identity.from_str(line) for line in named]
    except OSError as error:
        raise DocumentError(str(path), got=error.strerror, allowed="a private key") from error
    except (UnicodeDecodeError, age.IdentityError):
        identities = []
    if not identities:
        allowed = "a private key, AGE-SECRET-KEY-1… or one of ssh without a passphrase"
        raise DocumentError(str(path), got="something else", allowed=allowed)
    return identities
