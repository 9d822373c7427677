"""One writer of one file, whatever the file is called, and one name for a file that has a log."""

import os
import re
import sqlite3
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import final

from askance.errors import DocumentError

try:
    import fcntl

    _CLAIM: int | None = getattr(fcntl, "F_OFD_SETLK", None)
except ImportError:
    _CLAIM = None

File = tuple[int, int]
"""A file whatever it is called: its device and its number there."""

_BEYOND = 1 << 62
"""The byte that a writer claims: beyond every page, and beyond the bytes that SQLite locks."""

_OCTAL = re.compile(rb"\\([0-7]{3})")
_MOUNTS = Path("/proc/self/mountinfo")


@final
@dataclass(frozen=True, slots=True)
class WriterLock:
    """What one process at a time may hold; it ends with the process, however it ends.

    A file beside the store's is locked on every operating system. Where an open file can be locked
    by itself, a byte of the store's is locked as well: no link, mount or new name leads past it.
    """

    beside: sqlite3.Connection
    descriptor: int

    @classmethod
    def take(cls, path: Path) -> "WriterLock":
        """Hold the lock of a file, which is made if it is not there.

        Raises
        ------
        DocumentError
            If another holds it.
        """
        beside = _lock_beside(path)
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600)
        except BaseException:
            beside.close()
            raise
        lock = cls(beside, descriptor)
        try:
            lock._claim(getattr(fcntl, "F_WRLCK", 0) if _CLAIM else 0)
        except BlockingIOError as error:
            lock.release()
            raise _taken(path, "another process writes to this file, under another name") from error
        except BaseException:
            lock.release()
            raise
        return lock

    def release(self) -> None:
        """Let another have it."""
        if _CLAIM is not None:
            self._claim(fcntl.F_UNLCK)
        descriptors.let_go(self.descriptor)
        self.beside.close()

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

    __slots__ = ("_connections", "_guard", "_kept")

    def __init__(self) -> None:
        self._guard = Lock()
        self._connections: Counter[File] = Counter()
        self._kept: list[tuple[File, int]] = []

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
            self._kept.append(((status.st_dev, status.st_ino), descriptor))
            self._close()

    def _close(self) -> None:
        self._connections = +self._connections
        for _, descriptor in (one for one in self._kept if one[0] not in self._connections):
            os.close(descriptor)
        self._kept = [one for one in self._kept if one[0] in self._connections]


descriptors = _Descriptors()


def _lock_beside(path: Path) -> sqlite3.Connection:
    lock = None
    try:
        lock = sqlite3.connect(f"{path}-lock", timeout=0, check_same_thread=False)
        lock.isolation_level = None
        lock.execute("PRAGMA journal_mode = OFF").fetchall()
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            raise _taken(path, str(error)) from error
        raise DocumentError(
            str(path), got=str(error), allowed="a folder that can be written to"
        ) from error
    return lock


def _taken(path: Path, got: str) -> DocumentError:
    return DocumentError(
        str(path),
        got=got,
        allowed="one process that writes",
        remedy="stop the server that uses this store first",
    )


def file_at(path: Path) -> File:
    """Say which file lies at a path."""
    status = path.stat()
    return status.st_dev, status.st_ino


def refuse_other_names(path: Path, *, writing: bool) -> None:
    """Refuse a file that has a second name: its log would lie beside the other one.

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
    """Say whether a mount shows this one file without its folder, where the system tells."""
    if not _MOUNTS.exists():
        return False
    places = (line.split(b" ")[4] for line in _MOUNTS.read_bytes().splitlines())
    return os.fsencode(path) in (_OCTAL.sub(_byte, place) for place in places)


def _byte(octal: re.Match[bytes]) -> bytes:
    """The byte that the kernel writes as an octal number, such as a space."""
    return bytes([int(octal[1], 8)])
