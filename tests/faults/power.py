"""What a loss of power leaves: all that was flushed, and of the rest what chance will.

`disk.c` writes the journal. A file keeps what was written before the last flush that succeeded. Of
what came later some sectors of 512 bytes are there and others are not, in any order; where a file
grew, there may be anything. A name is there once its folder was flushed; later changes of names are
taken back from the last one. After a flush that failed, what it was for is there or is not, and no
later flush brings it back: the system takes those pages for clean.
"""

import os
import random
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, final

from lab import copied

SECTOR = 512
_HEAD = struct.Struct("=QQQQQ")
_MARK = struct.pack("=Q", 0xA51CA2CE3D1B0E7F)


@final
@dataclass(frozen=True, slots=True)
class Event:
    """One thing that was done to the disk; `end` is where its record ends in the journal."""

    kind: str
    inode: int
    at: int
    data: bytes
    end: int

    @property
    def names(self) -> list[str]:
        return os.fsdecode(self.data).split("\n")


def read(journal: Path) -> list[Event]:
    """Read what was done, in its order.

    A process that ends while another of its threads writes a record leaves a part of it: that is
    passed over. A write is noted before it is done, so that this one never was.
    """
    spelt, events, index = journal.read_bytes(), list[Event](), 0
    while index + _HEAD.size <= len(spelt):
        _, kind, inode, position, length = _HEAD.unpack_from(spelt, index)
        start = index + _HEAD.size
        end = start + length + len(_MARK)
        if spelt.startswith(_MARK, index) and spelt.startswith(_MARK, start + length):
            events.append(Event(chr(kind), inode, position, spelt[start : start + length], end))
            index = end
        elif (index := spelt.find(_MARK, index + 1)) < 0:
            break
    return events


@final
@dataclass(slots=True)
class File:
    """The bytes of a file that are on the disk, and what would still have to get there."""

    durable: bytearray
    waiting: list[Event] = field(default_factory=list)

    def flush(self, upto: int) -> None:
        """Bring all to the disk that had been done when the flush began."""
        for item in self._taken(upto):
            self._do(item, lambda: True)

    def fail(self, upto: int, chance: random.Random) -> None:
        """Bring some of it to the disk, and forget the rest."""
        for item in self._taken(upto):
            self._do(item, lambda: chance.random() < 0.5)

    def tear(self, chance: random.Random, noise: bool) -> bytes:
        """Give what a loss of power leaves."""
        share, by_sector = chance.choice([0, 0.5, 0.9, 1]), chance.random() < 0.5
        if noise and chance.random() < 0.5:
            size = max((element.at + len(element.data) for element in self.waiting), default=0)
            self.durable += chance.randbytes(max(0, size - len(self.durable)))
        for item in self._taken():
            is_whole = chance.random() < share
            self._do(item, lambda: chance.random() < share if by_sector else is_whole)  # noqa: B023
        return bytes(self.durable)

    def _taken(self, upto: int | None = None) -> list[Event]:
        done = [item for item in self.waiting if upto is None or item.end <= upto]
        self.waiting = self.waiting[len(done) :]
        return done

    def _do(self, event: Event, remaining: Callable[[], bool]) -> None:
        if event.kind == "T":
            if remaining():
                del self.durable[event.at :]
                self.durable += bytes(event.at - len(self.durable))
            return
        index, end = event.at, event.at + len(event.data)
        while index < end:
            stop = min(end, (index // SECTOR + 1) * SECTOR)
            if remaining():
                self.durable += bytes(max(0, index - len(self.durable)))
                self.durable[index:stop] = event.data[index - event.at : stop - event.at]
            index = stop


@final
@dataclass(frozen=True, slots=True)
class Start:
    """A folder as it was, all on the disk, before anything was done to it."""

    folder: Path
    copy: Path
    inodes: Mapping[int, Path]

    @classmethod
    def of(cls, folder: Path, copy: Path) -> Self:
        """Copy a folder that nobody uses."""
        copied(folder, copy)
        return cls(folder, copy, {path.stat().st_ino: path for path in folder.rglob("*")})

    def cut(
        self,
        events: Sequence[Event],
        upto: int,
        chance: random.Random,
        target: Path,
        *,
        noise: bool = True,
    ) -> None:
        """Write what is on the disk when the power goes after the events up to a place.

        With noise there may be anything where a file grew; else zeros, as file systems with a
        journal promise and PostgreSQL needs.
        """
        torn = self.left(events, upto, chance, noise=noise)
        copied(self.copy, target)
        owner = self.copy.stat()
        for name, spelt in torn.items():
            _put(target / name.relative_to(self.folder), spelt, owner)

    def left(
        self, events: Sequence[Event], upto: int, chance: random.Random, *, noise: bool = True
    ) -> Mapping[Path, bytes | None]:
        """Give the files that are other than they were, by their names; None where none is left."""
        disk = _Disk(self)
        for event in events:
            if event.end > upto:
                break
            disk.see(event, chance)
        return disk.torn(chance, noise)


def _put(path: Path, spelt: bytes | None, owner: os.stat_result) -> None:
    """Write a file as the loss of power left it."""
    if spelt is None and path.is_dir():
        path.rmdir()
    elif spelt is None:
        path.unlink(missing_ok=True)
    else:
        if not path.parent.exists():
            path.parent.mkdir()
            os.chown(path.parent, owner.st_uid, owner.st_gid)
        path.write_bytes(spelt)
        os.chown(path, owner.st_uid, owner.st_gid)
        path.chmod(0o600)


_Names = dict[Path, "File | None"]
"""Changed names alone. None where nothing is any more."""


@final
class _Disk:
    """What all processes see, and what of it is on the disk."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._files: dict[int, File] = {}
        self._seen: _Names = {}
        self._names: _Names = {}
        self._waiting: list[tuple[str, list[Path], File | None]] = []

    def see(self, event: Event, chance: random.Random) -> None:
        if event.kind in "WT":
            file = self._file(event.inode)
            if file is not None:
                file.waiting.append(event)
        elif event.kind in "SF":
            self._flush(event, chance)
        else:
            self._rename(event)

    def _file(self, inode: int) -> File | None:
        """Find a file; one that was there before is read when it is first needed."""
        if inode not in self._files and inode in self._start.inodes:
            path = self._start.inodes[inode]
            if path.is_dir():
                return None
            remaining = self._start.copy / path.relative_to(self._start.folder)
            self._files[inode] = self._seen[path] = self._names[path] = File(
                bytearray(remaining.read_bytes())
            )
        return self._files.get(inode)

    def _flush(self, event: Event, chance: random.Random) -> None:
        file = self._file(event.inode)
        if file is not None and event.kind == "S":
            file.flush(event.at)
        elif file is not None:
            file.fail(event.at, chance)
        elif event.kind == "S":
            folder = Path(event.names[0])
            inside = [
                index for index, item in enumerate(self._waiting) if folder in _folders(item[1])
            ]
            self._settle(inside[-1] + 1 if inside else 0)

    def _rename(self, event: Event) -> None:
        paths = [Path(name) for name in event.names]
        if event.kind == "C":
            self._files[event.inode] = File(bytearray())
            file: File | None = self._files[event.inode]
        else:
            file = self._at(paths[0])
        _change(self._seen, event.kind, paths, file)
        self._waiting.append((event.kind, paths, file))

    def _at(self, path: Path) -> File | None:
        if path in self._seen:
            return self._seen[path]
        inode = next((name for name, value in self._start.inodes.items() if value == path), 0)
        return self._file(inode)

    def _settle(self, many: int) -> None:
        for kind, paths, file in self._waiting[:many]:
            _change(self._names, kind, paths, file)
        del self._waiting[:many]

    def torn(self, chance: random.Random, noise: bool) -> dict[Path, bytes | None]:
        """Give what is on the disk, where it is not what was there."""
        self._settle(chance.choice([0, len(self._waiting), chance.randint(0, len(self._waiting))]))
        torn = dict[int, bytes]()
        for file in self._names.values():
            if file is not None and id(file) not in torn:
                torn[id(file)] = file.tear(chance, noise)
        return {name: file and torn[id(file)] for name, file in self._names.items()}


def _folders(paths: Sequence[Path]) -> list[Path]:
    return [path.parent for path in paths]


def _change(
    names: dict[Path, File | None], kind: str, paths: list[Path], file: File | None
) -> None:
    """Do to the names what was done; folders are made when a file in them is written."""
    if kind in "CRL":
        names[paths[-1]] = file
    if kind in "URD":
        names[paths[0]] = None
