"""Root in the folders of other accounts: it becomes their owner for good, or refuses.

SQLite opens what it needs by name, and whoever owns the folder decides what bears that name. So
root never works in the folder of another account: a command becomes that account (`become_owner`),
and everything else refuses (`refuse_as_root`).

What root named elsewhere stays of use. A file to read is opened before. A file to write is made
before, in a folder that is root's alone, and a second process, which touches nothing else, stays
root to move it into place.
"""

import atexit
import ctypes
import errno
import os
import re
import signal
import socket
import stat
from codecs import lookup
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, final

from askance_collect.collect.folder import (
    FOLDER,
    NOT_INHERITED,
    NOT_THROUGH_LINKS,
    PRIVATE,
    Folder,
    Prepared,
    absolute,
    check_plain,
    own_accounts,
    prepared,
)
from askance_collect.errors import DocumentError, file_faults

_ANYBODY = -1
_STEP = FOLDER | NOT_THROUGH_LINKS
_HANDED_OVER = re.compile("/dev/stdin|(/dev|/proc/self)/fd/[0-9]+")
"""What a shell hands to a command, already open."""

_MOST_LINKS = 40
_NEW_MOUNTS, _BIND, _PRIVATE_MOUNTS = 0x20000, 0x1000, 0x44000
"""CLONE_NEWNS; MS_BIND; MS_REC and MS_PRIVATE: unshare(2), mount(2)."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    """A path that was walked, a folder at a time.

    Attributes
    ----------
    folder : int
        The descriptor of the last folder.
    path : Path
        Where the path leads, without links.
    guides : frozenset of int
        Whoever could lead it elsewhere, besides root; `_ANYBODY`, if everybody.
    free : bool
        Whether others than the owner of the last folder may replace what lies in it.
    """

    folder: int
    path: Path
    guides: frozenset[int]
    free: bool

    @property
    def safe(self) -> bool:
        """Whether root alone could have put there what the path leads to."""
        return not self.guides and not self.free

    @classmethod
    def walk(cls, path: Path, *, follow: bool = True) -> "_Path":
        """Walk a path from the root, and see who owns each folder and each link on it."""
        parts = [*reversed(Path(Path.cwd(), path).parts[1:])]
        folder, links = os.open("/", FOLDER), 0
        walked, guides = ["/"], set[int]()
        try:
            while len(parts) > 1 or (follow and parts and _target(parts[0], folder) is not None):
                guides |= _guides(os.fstat(folder))
                name = parts.pop()
                target = _target(name, folder)
                if target is None:
                    above, folder = folder, os.open(name, _STEP, dir_fd=folder)
                    os.close(above)
                    walked = _extended(walked, name)
                else:
                    guides |= {os.stat(name, dir_fd=folder, follow_symlinks=False).st_uid}
                    parts += reversed(Path(target).parts)
                    links += 1
                if links > _MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        except BaseException:
            os.close(folder)
            raise
        last = os.fstat(folder)
        free = _is_shared(last) and not last.st_mode & stat.S_ISVTX
        others = frozenset((guides | {last.st_uid}) - {0})
        return cls(folder=folder, path=Path(*walked, *parts), guides=others, free=free)

    def owner(self) -> int:
        """Say who owns what the path leads to, or its folder if there is nothing yet.

        Raises
        ------
        DocumentError
            If folder and file are not the same account's, or another could lead the path elsewhere.
        """
        above = os.fstat(self.folder)
        try:
            below = os.stat(self.path.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            below = above
        if below is not above:
            check_plain(below, self.path, names=False)
        remedy = "give both to one account (chown --no-dereference), or work as its owner"
        if above.st_uid != below.st_uid:
            actual = f"a file of account {below.st_uid} in a folder of account {above.st_uid}"
            raise _not_as_root(self.path, actual, "a store in a folder of its owner", remedy)
        if others := self.guides - {above.st_uid}:
            accounts = "anybody" if _ANYBODY in others else f"account {min(others)}"
            actual = f"a path that {accounts} can lead elsewhere"
            allowed = f"folders of root and of account {above.st_uid}"
            raise _not_as_root(self.path, actual, allowed, "name the store by another path")
        return above.st_uid


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Output:
    """A file that root made before it became another, and how it gets its name."""

    folder: int
    random_name: str
    name: str
    line: list[socket.socket] = field(default_factory=list)

    def publish(self) -> None:
        """Have the process that stayed root move the file into place.

        Raises
        ------
        OSError
            If it cannot.
        """
        (line,) = self.line
        line.send(self.random_name.encode())
        if fault := int.from_bytes(line.recv(4) or b"\5", "big"):  # EIO, if it has ended
            raise OSError(fault, os.strerror(fault), self.name)

    def move(self) -> None:
        """Move it, as root."""
        os.rename(self.random_name, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        os.fsync(self.folder)


_inputs: dict[str, int] = {}
"""What root opened to read before it became another account, by absolute paths."""


def open_to_read(path: Path) -> BinaryIO:
    """Open a file to read, or take what root opened before it became another."""
    descriptor = _inputs.get(absolute(path))
    if descriptor is None:
        return path.open("rb") if not _is_root() else _opened_by_root(path)
    with suppress(OSError):  # a pipe is read once
        os.lseek(descriptor, 0, os.SEEK_SET)
    return os.fdopen(os.dup(descriptor), "rb")


def _opened_by_root(path: Path) -> BinaryIO:
    """Open what root is to read: through links of its own alone, and no pipe of another's."""
    if _HANDED_OVER.fullmatch(str(path)):
        return path.open("rb")
    with _walked(path) as walked:
        if walked.safe:
            return path.open("rb")
        folder = Folder(path=path.parent, descriptor=walked.folder)
        return os.fdopen(folder.open_file(walked.path.name), "rb")


def refuse_as_root(path: Path) -> None:
    """Refuse to work as root on a store in a folder that belongs to another account.

    Raises
    ------
    DocumentError
        If it does.
    """
    if not _is_root():
        return
    owner = 0
    with suppress(FileNotFoundError), _walked(path) as walked:
        owner = walked.owner()
        _refuse_shared(walked)
    if owner:
        raise _not_as_root(
            path,
            f"a folder of account {owner}",
            "a folder of root",
            f"work as its owner: setpriv --reuid={owner} --regid={owner} --clear-groups …; "
            "askance-collect does so by itself",
        )


def become_owner(
    store: str | Path, *, reads: Sequence[Path] = (), writes: Sequence[Path] = ()
) -> str:
    """Become the account that owns a store, for good, if this process is root's.

    Parameters
    ----------
    store : str or Path
        A file, or where it will be: then the owner of its folder counts. A URL of a database is
        left as it is.
    reads, writes : sequence of Path
        Other files of the command. What lies in folders of root is opened before; anything else is
        opened by the owner.

    Returns
    -------
    str
        The store's path without links.

    Raises
    ------
    DocumentError
        If file and folder are not the same account's; if others could lead the path elsewhere; if a
        file to write lies with a third account; if the owner cannot reach the folder.
    """
    if not _is_root() or "://" in str(store).removeprefix("sqlite:///"):
        return str(store)
    path = Path(str(store).removeprefix("sqlite:///"))
    with file_faults(path, "a file in a folder"), _walked(path) as walked:
        account = walked.owner()
        _refuse_shared(walked)
        group = account and _group(account, os.fstat(walked.folder), walked.path)
    if not account:
        return str(store)
    _load_late_modules()
    _open_inputs(reads)
    _make_outputs(writes, account)
    _show(walked.path, account, group)
    _become(account, group)
    return str(walked.path)


def _load_late_modules() -> None:
    """Load what is else loaded when it is needed: the owner may not read where Python lies."""
    lookup("utf-8-sig")
    for name in ("pwd", "pyrage"):
        with suppress(ImportError):
            import_module(name)


def _open_inputs(paths: Sequence[Path]) -> None:
    """Open what lies in folders of root; what others could lead elsewhere their owner opens."""
    for path in paths:
        if _HANDED_OVER.fullmatch(str(path)):
            _inputs[absolute(path)] = os.open(path, os.O_RDONLY | NOT_INHERITED)
            continue
        with suppress(OSError), _walked(path) as walked:
            if walked.safe:
                flags = os.O_RDONLY | NOT_THROUGH_LINKS
                _inputs[absolute(path)] = os.open(walked.path.name, flags, dir_fd=walked.folder)


def _make_outputs(paths: Sequence[Path], account: int) -> None:
    """Make files in folders of root, and leave a process behind that moves them into place."""
    outputs: list[_Output] = []
    for path in paths:
        with file_faults(path, "a folder"), _walked(path, follow=False) as walked:
            safe, guides = walked.safe, walked.guides
            folder = os.dup(walked.folder)
        if guides - {account} or (walked.free and not guides):
            raise _not_as_root(
                path,
                "a folder of a third account",
                f"a folder of root, or of account {account}",
                "write it there, and move it afterwards",
            )
        if safe:
            within = Folder(path=path.parent, descriptor=folder)
            random_name, descriptor = within.begin(path.name, PRIVATE)
            outputs.append(_Output(folder=folder, random_name=random_name, name=path.name))
            publish = outputs[-1].publish
            prepared[absolute(path)] = Prepared(descriptor=descriptor, publish=publish)
    if outputs:
        line = _stay_behind(outputs)
        for output in outputs:
            output.line.append(line)


def _stay_behind(outputs: Sequence[_Output]) -> socket.socket:
    """Fork a process that stays root, moves outputs when it is asked, and ends with this one."""
    ours, theirs = socket.socketpair()
    process = os.fork()
    if process:
        theirs.close()
        atexit.register(_end, ours, process)
        return ours
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        ours.close()
        _move_as_asked(theirs, {output.random_name.encode(): output for output in outputs})
    finally:
        os._exit(0)


def _move_as_asked(line: socket.socket, outputs: dict[bytes, _Output]) -> None:
    while random_name := line.recv(4096):
        try:
            outputs[random_name].move()
            fault = 0
        except OSError as error:
            fault = error.errno or errno.EIO
        line.send(fault.to_bytes(4, "big"))
    for output in outputs.values():
        with suppress(OSError):
            os.unlink(output.random_name, dir_fd=output.folder)


def _end(line: socket.socket, process: int) -> None:
    line.close()
    with suppress(ChildProcessError):
        os.waitpid(process, 0)


def _show(store: Path, account: int, group: int) -> None:
    """Have a folder be seen by its owner where a folder above it is root's alone.

    So it is with what systemd keeps for a service whose account is made for it alone, below
    ``/var/lib/private``. As systemd does for the service itself, this process, and none besides,
    gets a view of the disk in which the folder above holds nothing but this one.
    """
    folder = store.parent
    barred = _barred(folder, account, group)
    if barred is None:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        before = folder.stat()
        _called(libc.unshare(_NEW_MOUNTS))
        _called(libc.mount(None, b"/", None, ctypes.c_ulong(_PRIVATE_MOUNTS), None))
        with _walked(store) as walked:
            if not os.path.samestat(os.fstat(walked.folder), before):
                raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
            _called(
                libc.mount(b"none", os.fsencode(barred), b"tmpfs", ctypes.c_ulong(0), b"mode=755")
            )
            folder.mkdir(parents=True)
            source = f"/proc/self/fd/{walked.folder}".encode()
            _called(libc.mount(source, os.fsencode(folder), None, ctypes.c_ulong(_BIND), None))
    except OSError as error:
        raise _not_as_root(
            store,
            f"a folder below {barred}, which its owner cannot enter ({error.strerror})",
            "a folder that its owner can reach",
            f"work as its owner, where the folder is mounted for account {account}",
        ) from error


def _barred(folder: Path, account: int, group: int) -> Path | None:
    """Find the first folder on the way that an account cannot enter."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(group)
    os.seteuid(account)
    try:
        for above in [*reversed(folder.parents), folder]:
            try:
                os.stat(f"{above}/.")  # noqa: PTH116 a Path leaves the point out
            except PermissionError:
                return above
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
    return None


def _become(account: int, group: int) -> None:
    """Become an account for good: root's set-user-id sets the real, effective and saved one."""
    os.setgroups([])
    os.setgid(group)
    os.setuid(account)
    try:
        os.setuid(0)
    except PermissionError:
        return
    raise RuntimeError("root could not be given up")


def _group(account: int, folder: os.stat_result, path: Path) -> int:
    """Give the group of an account; of one that no list has, its folder's, but never root's."""
    import pwd

    with suppress(KeyError):
        return pwd.getpwuid(account).pw_gid
    if folder.st_gid == 0:
        remedy = f"chgrp it to the group of account {account}"
        raise _not_as_root(path, "a folder of root's group", "a group of its owner", remedy)
    return folder.st_gid


def _refuse_shared(walked: _Path) -> None:
    """Refuse root's own folder where other accounts may create files in it."""
    status = os.fstat(walked.folder)
    if status.st_uid == 0 and _is_shared(status):
        raise _not_as_root(
            walked.path,
            "a folder of root in which others may make files",
            "a folder in which its owner alone may",
            "put the store into a folder of its own",
        )


def _guides(status: os.stat_result) -> set[int]:
    """Say who could put something else in the place of what a folder holds."""
    free = _is_shared(status) and not status.st_mode & stat.S_ISVTX
    return {status.st_uid, _ANYBODY} if free else {status.st_uid}


def _is_shared(status: os.stat_result) -> bool:
    group = status.st_mode & stat.S_IWGRP and status.st_gid not in (0, status.st_uid)
    return bool(group or status.st_mode & stat.S_IWOTH)


def _target(name: str, folder: int) -> str | None:
    """Read a link, if it is one."""
    with suppress(OSError):
        return os.readlink(name, dir_fd=folder)
    return None


def _extended(walked: list[str], name: str) -> list[str]:
    if name == "/":
        return ["/"]
    return [*walked[:1], *walked[1:-1]] if name == ".." else [*walked, name]


@contextmanager
def _walked(path: Path, *, follow: bool = True) -> Iterator[_Path]:
    walked = _Path.walk(path, follow=follow)
    try:
        yield walked
    finally:
        os.close(walked.folder)


def _called(outcome: int) -> None:
    if outcome:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _is_root() -> bool:
    return own_accounts() == (0,)


def _not_as_root(path: Path, actual: str, allowed: str, remedy: str) -> DocumentError:
    return DocumentError(str(path), got=actual, allowed=f"{allowed}, for root", remedy=remedy)
