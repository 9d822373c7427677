"""The integrity of a store: one writer at a time, and checked sums over its reports.

A file has one writer, whatever the file is called, and one name where it has a log.

Each report is hashed, and the hashes are added up modulo 2^256 in the transaction that keeps it:
their order leaves no trace. The sums find what went wrong by accident. Whoever can write to a store
can write its sums as well: what was altered on purpose is found by a list of receipts, kept where
that person cannot write.
"""

import errno
import json
import os
import re
import sqlite3
import stat
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, final

from askance_collect.collect.folder import PRIVATE, Folder, check_plain, own_accounts
from askance_collect.collect.report_sums import BITS, Sums
from askance_collect.errors import DamagedStore, DocumentError
from askance_collect.wire.canonical_json import canonical, fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.question import FreeText, Question

try:
    import fcntl

    _CLAIM: int | None = getattr(fcntl, "F_OFD_SETLK", None)
except ImportError:
    _CLAIM = None

REMEDY = "askance-collect repair STORE NEW saves what is good"
"""What to do with a damaged store."""

_Row = TypeVar("_Row")
_MANY = 200_000
"""So many different spellings are counted at a time, so that memory stays bounded."""


@final
class Once:
    """A check that runs once, in the first thread that asks; all others wait for its result.

    Damage that was found stays found. What may pass, such as a connection that is lost, does not:
    the next to come checks anew.

    >>> once = Once()
    >>> once.run(lambda: print("checked")), once.run(lambda: print("checked"))
    checked
    (None, None)
    """

    __slots__ = ("_abandoned", "_damage", "_done", "_guard")

    def __init__(self) -> None:
        self._done, self._abandoned = False, False
        self._damage: DocumentError | None = None
        self._guard = Lock()

    def run(self, check: Callable[[], None]) -> None:
        """Check, unless it was done; raise what was found then."""
        with self._guard:
            if self._damage is not None:
                raise self._damage
            if not self._done:
                try:
                    check()
                except DocumentError as error:
                    self._damage = error
                    raise
                self._done = True

    def watched(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """What is to be checked for as long as anybody wants to know."""
        for row in rows:
            if self._abandoned:
                raise InterruptedError("the check was broken off")
            yield row

    def leave(self, seconds: float = 10.0) -> None:
        """Break a check off, and wait for it to end."""
        self._abandoned = True
        if self._guard.acquire(timeout=seconds):
            self._guard.release()


def sums(
    rows: Iterable[tuple[bytes, str]], form: bytes, value: Callable[[str], int] | None = None
) -> Sums:
    """Add up the hashes of reports: BLAKE2b of id and values, bound to the form by its fingerprint.

    >>> rows = [(b"a" * 16, '{"tea":1}'), (b"b" * 16, '{"tea":0}')]
    >>> sums(rows, b"form") == sums(rows[::-1], b"form") != sums(rows, b"another")
    True
    """
    begun = blake2b(digest_size=32, person=bytes.fromhex(fingerprint(form))[:16])
    value = value or _cached_hash()
    count = values = reports = 0
    for id, answers in rows:
        count += 1
        values += value(answers)
        hashed = begun.copy()
        hashed.update(id + answers.encode("utf-8", "surrogateescape"))
        reports += int.from_bytes(hashed.digest(), "big")
    return Sums(count, values % (1 << BITS), reports % (1 << BITS))


def sums_of_tokens(tokens: Iterable[tuple[bytes, int]]) -> Sums:
    """What tokens that are spent, with the positions of their keys, add to the sums.

    >>> sums_of_tokens([(b"a", 0), (b"b", 0)]) - sums_of_tokens([(b"b", 0)]) == Sums()
    False
    """
    hashes = (
        blake2b(token + bytes([key]), digest_size=32, person=b"spent") for token, key in tokens
    )
    return Sums(
        0, 0, sum(int.from_bytes(hashed.digest(), "big") for hashed in hashes) % (1 << BITS)
    )


def seal(form: bytes, closed: bool) -> Sums:
    """The checksum of the form and of whether the survey is closed."""
    hashed = blake2b(form + bytes([closed]), digest_size=32, person=b"survey")
    return Sums(0, 0, int.from_bytes(hashed.digest(), "big"))


def verified(
    rows: Iterable[tuple[bytes, str]], stored: Sums | None, form: bytes, closed: bool
) -> Iterator[tuple[bytes, str]]:
    """The rows; after the last one refuse those that are not what was kept.

    Parameters
    ----------
    rows : iterable of (bytes, str)
    stored : Sums or None
        The store's. None where an earlier version wrote it.
    form : bytes
    closed : bool
        See `verify`.

    Raises
    ------
    DocumentError
        If a report was changed, lost or added since it was kept.
    """
    total, hash_value = Sums(), _cached_hash()
    chunk: list[tuple[bytes, str]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == 1000:
            total += sums(chunk, form, hash_value)
            yield from chunk
            chunk.clear()
    total += sums(chunk, form, hash_value)
    yield from chunk
    verify(total, stored, form, closed)


def verify(total: Sums, stored: Sums | None, form: bytes, closed: bool) -> None:
    """Refuse sums of reports that are not those of the store.

    A closed survey may bear the seal of an open one, as after an interrupted closing, but never the
    other way round: none is opened again by accident.

    Raises
    ------
    DocumentError
        If they differ.
    """
    if stored is not None and stored not in {
        total + seal(form, state) for state in (False, closed)
    }:
        raise _damaged_store(total.count, stored.count)


def count_values(
    groups: Iterable[tuple[str, int]], names: Sequence[str], stored: Sums | None, form: bytes
) -> dict[str, list[tuple[str | None, int]]]:
    """Count reports by the value of each question, from counts of whole reports.

    Raises
    ------
    DocumentError
        If the values are not those that were kept.

    >>> count_values([('{"tea":1}', 2), ('{"tea":[0,4]}', 1)], ["tea", "milk"], None, b"")
    {'tea': [('1', 2), ('[0,4]', 1)], 'milk': [(None, 3)]}
    """
    counted: dict[str, Counter[str | None]] = {name: Counter() for name in names}
    count = values = 0
    for answers, often in groups:
        count += often
        values += often * _hash_values(answers)
        record = _parse_object(answers)
        for name in names:
            counted[name][_spell_value(record[name]) if name in record else None] += often
    if stored is not None and (count, values % (1 << BITS)) != (stored.count, stored.values):
        raise _damaged_store(count, stored.count, _impossible(counted, form))
    return {name: list(counter.items()) for name, counter in counted.items()}


def in_groups(answers: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Count equal spellings in bounded memory; a spelling may be given more than once.

    >>> list(in_groups(["a", "b", "a"]))
    [('a', 2), ('b', 1)]
    """
    groups: Counter[str] = Counter()
    for spelling in answers:
        groups[spelling] += 1
        if len(groups) == _MANY:
            yield from groups.items()
            groups.clear()
    yield from groups.items()


def receipt(form: bytes, id: bytes, answers: str) -> str:
    r"""The digest on a respondent's receipt: the SHA-256 of the body that was sent.

    Parameters
    ----------
    form : bytes
        The canonical bytes of the form.
    id, answers
        As they are kept.

    >>> from askance_collect.wire.report import Report
    >>> form = b'{"size":256}'
    >>> body = Report(fingerprint(form), "0f" * 16, {"tea": 1}).body(256)
    >>> receipt(form, b"\x0f" * 16, '{"tea":1}') == fingerprint(body)
    True
    """
    return fingerprint(message(form, id, answers).ljust(_envelope(form)[1]))


def message(form: bytes, id: bytes, answers: str) -> bytes:
    """What a respondent sent, less the spaces at its end."""
    body = f'{{"answers":{answers},"form":"{_envelope(form)[0]}","id":"{id.hex()}"}}'
    return body.encode("ascii", "backslashreplace")


def check_receipt(form: bytes, id: bytes, answers: str | None, digest: str | None) -> str:
    """The values that are kept under an id, if the digest on the receipt is theirs.

    Raises
    ------
    DocumentError
        If nothing is kept under this id, or something else than the receipt is for.
    """
    if answers is None:
        raise DocumentError(
            f"report {id.hex()}",
            got="no such report",
            allowed="the number of a report that is kept",
            remedy="compare it with the receipt; perhaps it was withdrawn before",
        )
    if digest is not None and digest.lower() != receipt(form, id, answers):
        raise DocumentError(
            f"report {id.hex()}",
            got=digest,
            allowed="the SHA-256 of the message, as its receipt has it",
            remedy="nothing was withdrawn",
        )
    return answers


@lru_cache(4)
def _envelope(form: bytes) -> tuple[str, int]:
    return fingerprint(form), int(json.loads(form)["size"])


def _impossible(counted: Mapping[str, Iterable[str | None]], form: bytes) -> str:
    """Name the first question with a value that nobody can have sent, if there is one."""
    for question in Form.read(form).questions:
        for spelling in counted.get(question.name, ()):
            if spelling is None or not is_possible(question, json.loads(spelling)):
                return f"reports.answers.{question.name}"
    return "reports"


def is_possible(question: Question, counted: object) -> bool:
    """Say whether a respondent can have sent a value, as `count_values` spells it.

    >>> from askance_collect.wire import FreeText
    >>> is_possible(FreeText("more", {}, 12, 1), ""), is_possible(FreeText("more", {}, 12, 1), 1)
    (True, False)
    """
    if counted is None:
        return True
    return counted == "" if isinstance(question, FreeText) else question.allows(counted)


def _damaged_store(count: int, stored_count: int, where: str = "reports") -> DamagedStore:
    return DamagedStore(
        where,
        got=f"{count} reports that are not all as they were kept",
        allowed=f"the {stored_count} reports that were kept, unchanged",
        remedy=f"it was damaged, or changed by another program; {REMEDY}",
    )


def _cached_hash() -> Callable[[str], int]:
    """Give a function that hashes values and remembers the hashes of repeated ones."""
    return lru_cache(1 << 16)(_hash_values)


def _hash_values(answers: str) -> int:
    spelling = answers.encode("utf-8", "surrogateescape")
    return int.from_bytes(blake2b(spelling, digest_size=32, person=b"values").digest(), "big")


def _parse_object(answers: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(answers)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _spell_value(value: Any) -> str:
    """Spell a value canonically, most without delay; of a text only that it is one."""
    if type(value) is str:
        return '""'
    if type(value) is int:
        return str(value)
    if type(value) is list and all(type(end) is int for end in value):
        return f"[{','.join(map(str, value))}]"
    return canonical(value).decode("ascii")


File = tuple[int, int]
"""A file whatever it is called: its device and its number there."""
_BEYOND = 1 << 62
"""The byte that a writer claims: beyond every page, and beyond the bytes that SQLite locks."""
_OCTAL = re.compile(rb"\\([0-7]{3})")
_MOUNTS = Path("/proc/self/mountinfo")


@final
@dataclass(frozen=True, slots=True)
class WriterLock:
    """A lock for one process at a time; it ends with the process, however that ends.

    A file beside the store's is locked on every operating system. Where an open file can be locked
    by itself, a byte of the store's is locked as well: no link, mount or new name leads past it.
    """

    lock_connection: sqlite3.Connection
    file: File
    descriptor: int

    @classmethod
    def take(cls, path: Path) -> "WriterLock":
        """Hold the lock of a file, which is made if it is not there.

        Raises
        ------
        DocumentError
            If another holds it, or if either file is none, such as a link.
        """
        with _in_a_folder(path) as folder:
            lock_connection, file = _take_lock_file(folder, path)
            try:
                descriptor, _ = _make_or_open(folder, path.name, names=False)
            except BaseException:
                lock_connection.close()
                descriptors.disconnected(file)
                raise
        lock = cls(lock_connection, file, descriptor)
        try:
            lock._claim(getattr(fcntl, "F_WRLCK", 0) if _CLAIM else 0)
        except BlockingIOError as error:
            lock.release()
            raise _writer_conflict(
                path, "another process writes to this file, under another name"
            ) from error
        except BaseException:
            lock.release()
            raise
        return lock

    def release(self) -> None:
        """Let another have it."""
        if _CLAIM is not None:
            self._claim(fcntl.F_UNLCK)
        descriptors.let_go(self.descriptor)
        self.lock_connection.close()
        descriptors.disconnected(self.file)

    def _claim(self, kind: int) -> None:
        if _CLAIM is not None:
            fcntl.fcntl(
                self.descriptor, _CLAIM, struct.pack("hhqqi", kind, os.SEEK_SET, _BEYOND, 1, 0)
            )


@final
class _Descriptors:
    """Descriptors of stores that may not be closed yet.

    When a process closes any descriptor of a file, it loses all locks that SQLite holds on it for
    this process; so one is kept until the last connection to the file is gone.
    """

    __slots__ = ("_connections", "_guard", "_unclosed")

    def __init__(self) -> None:
        self._guard = Lock()
        self._connections: Counter[File] = Counter()
        self._unclosed: list[tuple[File, int]] = []

    def connected(self, file: File) -> None:
        with self._guard:
            self._connections[file] += 1

    def disconnected(self, file: File) -> None:
        with self._guard:
            self._connections[file] -= 1
            self._close()

    def let_go(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        with self._guard:
            self._unclosed.append(((status.st_dev, status.st_ino), descriptor))
            self._close()

    def _close(self) -> None:
        self._connections = +self._connections
        for _, descriptor in (
            entry for entry in self._unclosed if entry[0] not in self._connections
        ):
            os.close(descriptor)
        self._unclosed = [entry for entry in self._unclosed if entry[0] in self._connections]


descriptors = _Descriptors()


def _take_lock_file(folder: Folder, path: Path) -> tuple[sqlite3.Connection, File]:
    """Lock the lock file of a store, which its owner alone can open."""
    name, owners = f"{path.name}-lock", own_accounts()
    with suppress(FileNotFoundError):
        owners += (folder.status(path.name).st_uid,)
    try:
        descriptor, file = _make_or_open(folder, name, owners=owners)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        raise _no_folder(path, error) from error
    descriptors.connected(file)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) & ~PRIVATE and os.name == "posix":
            os.fchmod(descriptor, PRIVATE)
        return _lock_database(path, f"{path.with_name(name).as_uri()}?mode=rw"), file
    except BaseException:
        descriptors.disconnected(file)
        raise
    finally:
        descriptors.let_go(descriptor)


@contextmanager
def _in_a_folder(path: Path) -> Iterator[Folder]:
    """Open the folder of a path, which has to be there."""
    try:
        with Folder.opened(path.parent) as folder:
            yield folder
    except FileNotFoundError as error:
        raise _no_folder(path, error) from error


def _no_folder(path: Path, error: OSError) -> DocumentError:
    allowed = "a folder that can be written to"
    return DocumentError(str(path), got=error.strerror, allowed=allowed)


def _make_or_open(
    folder: Folder, name: str, *, owners: Sequence[int] = (), names: bool = True
) -> tuple[int, File]:
    """Make a file, or open the plain one that is there; give its descriptor, and which it is."""
    try:
        descriptor = folder.create(name)
    except FileExistsError:
        descriptor = folder.open(name, os.O_RDWR)
    status = os.fstat(descriptor)
    try:
        check_plain(status, folder.path / name, owners, names=names)
    except BaseException:
        descriptors.let_go(descriptor)
        raise
    return descriptor, (status.st_dev, status.st_ino)


def _lock_database(path: Path, uri: str) -> sqlite3.Connection:
    lock = None
    try:
        lock = sqlite3.connect(uri, uri=True, timeout=0, check_same_thread=False)
        lock.isolation_level = None
        lock.execute("PRAGMA journal_mode = OFF").fetchall()
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            raise _writer_conflict(path, str(error)) from error
        raise DocumentError(
            str(path), got=str(error), allowed="a folder that can be written to"
        ) from error
    return lock


def _writer_conflict(path: Path, actual: str) -> DocumentError:
    return DocumentError(
        str(path),
        got=actual,
        allowed="one process that writes",
        remedy="stop the server that uses this store first",
    )


def file_at(path: Path) -> File:
    """Say which file lies at a path."""
    status = path.stat()
    return status.st_dev, status.st_ino


def refuse_odd_files(path: Path) -> None:
    """Refuse a store that is no plain file, and what SQLite would take for its log or journal."""
    with Folder.opened(path.parent) as folder:
        status = folder.status(path.name)
        check_plain(status, path, names=False)
        for end in ("-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                log_status = folder.status(f"{path.name}{end}")
                check_plain(log_status, Path(f"{path}{end}"), (status.st_uid,))


def refuse_other_names(path: Path, *, writing: bool) -> None:
    """Refuse a file that has a second name: its log would lie next to the other name.

    Once it is closed there is no log, and reading it does no harm.
    """
    several, alone = path.stat().st_nlink > 1, _mounted_alone(path)
    if not (several or alone) or not (writing or _has_log(path)):
        return
    if several:
        raise DocumentError(
            str(path),
            got="a file with several names (hard links)",
            allowed="a file with one name, beside which its log lies",
            remedy="remove the other names, or copy the closed store",
        )
    raise DocumentError(
        str(path),
        got="a file that is mounted by itself",
        allowed="a file in the folder in which its log lies",
        remedy="mount its folder",
    )


def _has_log(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 20)[18:] == b"\x02\x02"
    finally:
        descriptors.let_go(descriptor)


def _mounted_alone(path: Path) -> bool:
    """Say whether this one file is mounted without its folder, where the system lists mounts."""
    if not _MOUNTS.exists():
        return False
    mount_points = (line.split(b" ")[4] for line in _MOUNTS.read_bytes().splitlines())
    return os.fsencode(path) in (_OCTAL.sub(_byte, mount_point) for mount_point in mount_points)


def _byte(octal: re.Match[bytes]) -> bytes:
    """The byte that the kernel writes as an octal number, such as a space."""
    return bytes([int(octal[1], 8)])
