"""Folders that somebody else may own, and the files opened in them.

Who owns a folder can put a link, a pipe or another's file under any name in it, at any moment. So
files are opened by the folder's descriptor, never through a link, and are looked at once they are
open; new ones get a name drawn by chance, where nothing was, and are moved into place.
"""

import errno
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self, final

from askance_collect.errors import DocumentError
from askance_collect.random_bytes import SYSTEM_BYTES

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # where there are no locks of this kind

PRIVATE = 0o600
"""The mode of what nobody but its owner may read."""

NOT_INHERITED = getattr(os, "O_CLOEXEC", 0)
NOT_THROUGH_LINKS = getattr(os, "O_NOFOLLOW", 0) | NOT_INHERITED
FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | NOT_INHERITED
"""With what a file is opened, and a folder."""

_BY_FOLDER = os.open in os.supports_dir_fd


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder that is open, in which files are opened by their names alone.

    Attributes
    ----------
    path : Path
    descriptor : int or None
        None where the system opens files by whole paths only.
    """

    path: Path
    descriptor: int | None

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Iterator[Self]:
        """Open a folder for as long as a block lasts."""
        descriptor = os.open(path, FOLDER) if _BY_FOLDER else None
        try:
            yield cls(path=path, descriptor=descriptor)
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def create(self, name: str, mode: int = PRIVATE) -> int:
        """Make a file where there is nothing, not even a link; give its descriptor."""
        return self._open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode)

    def open(self, name: str, flags: int = os.O_RDONLY) -> int:
        """Open what is there, but no link, and without waiting for the other end of a pipe."""
        try:
            return self._open(name, flags | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):
                raise refused(self.path / name, "a link") from None
            if error.errno == errno.ENXIO:  # a pipe that nobody reads, or a socket
                raise refused(self.path / name, "no plain file") from None
            raise

    def open_file(
        self,
        name: str,
        flags: int = os.O_RDONLY,
        owners: Sequence[int] = (),
        *,
        names: bool = True,
    ) -> int:
        """Open a file that is there, and see that it is a plain one.

        Parameters
        ----------
        name : str
        flags : int
            As of ``os.open``.
        owners : sequence of int
            Whose it may be besides this process's account. None: anybody's.
        names : bool
            Whether to refuse a file with several names.

        Raises
        ------
        DocumentError
            If it is a link, a pipe, a device or a folder, has several names, or is another's.
        """
        descriptor = self.open(name, flags)
        try:
            check_plain(os.fstat(descriptor), self.path / name, owners, names=names)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def status(self, name: str) -> os.stat_result:
        """Look at what bears a name, also if it is a link."""
        return os.stat(self._named(name), dir_fd=self.descriptor, follow_symlinks=False)

    def rename(self, old: str, new: str, to: "Folder | None" = None) -> None:
        """Move a file to another name, here or in another folder, in the place of what bears it."""
        to = to or self
        source, target = self.descriptor, to.descriptor
        os.replace(self._named(old), to._named(new), src_dir_fd=source, dst_dir_fd=target)

    def remove(self, name: str) -> None:
        """Take a name away."""
        os.unlink(self._named(name), dir_fd=self.descriptor)

    def flush(self) -> None:
        """Bring new names to the disk, where folders can be flushed."""
        if self.descriptor is not None:
            os.fsync(self.descriptor)

    @contextmanager
    def below(self, name: str) -> Iterator["Folder"]:
        """Make a new folder in this one, and open it for as long as a block lasts."""
        os.mkdir(self._named(name), 0o777, dir_fd=self.descriptor)
        flags = FOLDER | NOT_THROUGH_LINKS
        descriptor = None if self.descriptor is None else self._open(name, flags)
        try:
            yield Folder(path=self.path / name, descriptor=descriptor)
        finally:
            if descriptor is not None:
                os.close(descriptor)

    @contextmanager
    def working(self, prefix: str) -> Iterator["Folder"]:
        """Make a folder under a name drawn by chance, for its owner alone; take it away after."""
        random_name = f"{prefix}{SYSTEM_BYTES.draw(8).hex()}"
        mask = os.umask(0o077)
        try:
            context = self.below(random_name)
            folder = context.__enter__()
        finally:
            os.umask(mask)
        try:
            yield folder
        finally:
            context.__exit__(None, None, None)
            shutil.rmtree(self._named(random_name), ignore_errors=True, dir_fd=self.descriptor)

    def begin(self, name: str, mode: int) -> tuple[str, int]:
        """Make a temporary file with a random name, and remove what killed processes left.

        The file is locked, so that whoever sweeps next leaves it.
        """
        while True:
            random_name = f"{name}.{SYSTEM_BYTES.draw(8).hex()}.part"
            descriptor = self.create(random_name, mode)
            _lock(descriptor)
            with suppress(FileNotFoundError):
                if os.path.samestat(self.status(random_name), os.fstat(descriptor)):
                    break
            os.close(descriptor)
        self._sweep(name, random_name)
        return random_name, descriptor

    def _sweep(self, name: str, but: str) -> None:
        """Take away what killed processes left of this file, which no living one has locked."""
        pattern = re.compile(re.escape(name) + r"\.[0-9a-f]{16}\.part")
        listed = self.path if self.descriptor is None else self.descriptor
        for other in os.listdir(listed):  # noqa: PTH208 a Path is opened by its name
            if other != but and pattern.fullmatch(other):
                with suppress(OSError, DocumentError):
                    descriptor = self.open_file(other, owners=own_accounts())
                    if _lock(descriptor):
                        self.remove(other)
                    os.close(descriptor)

    def _open(self, name: str, flags: int, mode: int = PRIVATE) -> int:
        flags |= NOT_THROUGH_LINKS | getattr(os, "O_BINARY", 0)
        return os.open(self._named(name), flags, mode, dir_fd=self.descriptor)

    def _named(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)


def check_plain(
    status: os.stat_result, path: Path, owners: Sequence[int] = (), *, names: bool = True
) -> None:
    """Refuse what is no regular file, has several names, or belongs to another than the owners."""
    if stat.S_ISDIR(status.st_mode):
        allowed = "a plain file, such as a store of reports"
        raise DocumentError(str(path), got="a folder", allowed=allowed)
    if not stat.S_ISREG(status.st_mode):
        raise refused(path, "a link" if stat.S_ISLNK(status.st_mode) else "no plain file")
    if names and status.st_nlink > 1:
        raise refused(path, "a file with several names (hard links)")
    if owners and status.st_uid not in {*owners, *own_accounts()}:
        raise refused(path, f"a file of account {status.st_uid}")


def refuse_foreign_link(path: Path) -> None:
    """Refuse a link that another account has made.

    Raises
    ------
    DocumentError
        If the path is one.
    """
    with suppress(FileNotFoundError):
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode) and status.st_uid not in own_accounts():
            raise refused(path, f"a link of account {status.st_uid}")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A file that was made before this process became another account, and how it gets its name."""

    descriptor: int
    publish: Callable[[], None]


prepared: dict[str, Prepared] = {}
"""Such files, by absolute paths."""


@contextmanager
def replacing(
    path: Path, *, mode: int = PRIVATE, durable: bool = False, new: bool = False
) -> Iterator[BinaryIO]:
    """Write to a temporary file, and move it to its name at the end: all of it, or nothing.

    Parameters
    ----------
    path : Path
        What bears this name is replaced, and never written through.
    mode : int
        Less what the process's mask takes away.
    durable : bool
        Whether file and name are on the disk before this ends.
    new : bool
        Whether there may be nothing under that name.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    if (output := prepared.get(absolute(path))) is not None:
        with os.fdopen(os.dup(output.descriptor), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        output.publish()
        return
    with Folder.opened(path.parent) as folder:
        if new and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        random_name, descriptor = folder.begin(path.name, mode)
        try:
            with os.fdopen(descriptor, "w+b") as file:
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
                if os.name == "posix":
                    folder.rename(random_name, path.name)
            if os.name != "posix":  # where no open file can be moved
                folder.rename(random_name, path.name)
            if durable:
                folder.flush()
        finally:
            with suppress(OSError):
                folder.remove(random_name)


def _lock(descriptor: int) -> bool:
    """Lock an open file against removal by another process; say whether it was free."""
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return fcntl is not None


def own_accounts() -> tuple[int, ...]:
    """Give the account of this process, where the system has accounts."""
    return (os.geteuid(),) if hasattr(os, "geteuid") else ()


def absolute(path: Path) -> str:
    """Spell a path from the root, with its links."""
    return os.path.abspath(path)  # noqa: PTH100 links stay as they are


def refused(path: Path, actual: str) -> DocumentError:
    """Say what bears a name, and what may."""
    return DocumentError(
        str(path),
        got=actual,
        allowed="a plain file of the account that works with it, under one name",
        remedy="see who put it there before anything else",
    )
