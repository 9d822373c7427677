"""An operator types commands, as root if this is root, in a folder whose owner is against them.

The folder belongs to another account if this is root, else to this one: what lies outside may not
be changed through it in either case, and no command may hang.
"""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import final

import pytest

from askance.cli import verbs
from askance_collect.collect import accept, back_up, create_backup_key, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

ROOT = os.geteuid() == 0
OWNER = 12345 if ROOT else os.geteuid()
THIRD = 23456
PATIENCE = 20.0
LEADING = "link", "dangling link", "pipe"
STANDING = "another's file", "file made before", "hard link"
NAMES = "exam.db-lock", "exam.db-wal", "exam.db-shm", "exam.db-journal", "made.part"
COMMANDS = {
    "status": ("status", "exam.db"),
    "close": ("close", "exam.db"),
    "withdraw": ("withdraw", "exam.db", "{number}"),
    "backup": ("backup", "exam.db", "made"),
    "restore": ("restore", "copy", "made"),
    "repair": ("repair", "exam.db", "made"),
    "delete": ("delete", "exam.db", "made", "--yes"),
    "export": ("export", "exam.db", "made.csv"),
    "receipts": ("receipts", "exam.db", "made"),
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder of the owner's, and one outside with what may not change."""

    folder: Path
    outside: Path
    number: str

    def plant(self, name: str, kind: str) -> None:
        """Put something under a name, as the folder's owner could, or once could."""
        path, secret = self.folder / name, self.outside / "secret"
        path.unlink(missing_ok=True)
        match kind:
            case "link":
                path.symlink_to(secret)
            case "dangling link":
                path.symlink_to(self.outside / "new")
            case "pipe":
                os.mkfifo(path, 0o666)
            case "hard link":
                path.hardlink_to(secret)
            case _:
                path.touch()
                path.chmod(0o666)
        if ROOT and kind != "hard link":
            owner = THIRD if kind == "another's file" else OWNER
            os.chown(path, owner, owner, follow_symlinks=False)

    def harm(self) -> list[str]:
        """Say what is not as it was outside, and what others may read inside."""
        secret = self.outside / "secret"
        status = secret.stat()
        result = {
            "the secret is another": secret.read_text() != "secret",
            "it is another's": status.st_uid != os.geteuid(),
            "its mode is another": stat.S_IMODE(status.st_mode) != 0o600,
            "something new is outside": [*self.outside.iterdir()] != [secret],
        }
        for path in self.folder.rglob("*"):
            status = path.lstat()
            free = stat.S_IMODE(status.st_mode) & 0o066 and stat.S_ISREG(status.st_mode)
            result[f"others may read {path.name}"] = bool(free and status.st_size)
            result[f"{path.name} is root's"] = ROOT and status.st_uid == 0 and status.st_nlink == 1
        return [harm for harm, so in result.items() if so]


def _number(tick: int) -> str:
    return sha256(bytes([tick])).hexdigest()[:32]


@pytest.fixture(scope="module")
def model(affairs_form: Form, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a store and a backup of it."""
    folder = tmp_path_factory.mktemp("model")
    store = open_store(folder / "exam.db", affairs_form)
    answers = '{"age":[0,%d],"any_affair":1,"children":2,"years":70}'
    bodies = (
        f'{{"answers":{answers % tick},"form":"{affairs_form.fingerprint}","id":"{_number(tick)}"}}'
        for tick in range(1, 9)
    )
    store.append([accept(body.encode().ljust(affairs_form.size), affairs_form) for body in bodies])
    back_up(store, folder / "copy")
    store.close()
    (folder / "exam.db-lock").unlink()
    return folder


@pytest.fixture
def place(model: Path) -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as top:
        folder, outside = Path(top, "folder"), Path(top, "outside")
        Path(top).chmod(0o755)
        for created in (folder, outside):
            created.mkdir(0o700)
        for path in model.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
            (folder / path.name).chmod(0o600)
        (outside / "secret").write_text("secret")
        (outside / "secret").chmod(0o600)
        if ROOT:
            for item in (folder, *folder.iterdir()):
                os.chown(item, OWNER, OWNER)
        yield Place(folder=folder, outside=outside, number=_number(1))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended: 0, 2 with what was complained of, or that it hung or broke."""

    code: int | None
    said: str


def _ended(work: Callable[[], object], patience: float = PATIENCE) -> Ended:
    """Do something in a process of its own, which may give itself up."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        code = 99
        try:
            os.dup2(writing, 1)
            os.dup2(writing, 2)
            sys.stdout, sys.stderr = (os.fdopen(os.dup(writing), "w") for _ in range(2))
            work()
            code = 0
        except SystemExit as error:
            code = int(error.code or 0)
        except BaseException as error:
            sys.stderr.write(repr(error))
        finally:
            with suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    os.close(writing)
    end = time.monotonic() + patience
    while (ended := os.waitpid(process, os.WNOHANG))[0] == 0 and time.monotonic() < end:
        time.sleep(0.002)
    if hung := ended[0] == 0:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    with os.fdopen(reading, "rb") as file:
        text = file.read().decode()
    return Ended(code=None if hung else os.waitstatus_to_exitcode(ended[1]), said=text)


def _typed(position: Place, command: str) -> Ended:
    def work() -> None:
        os.chdir(position.folder)
        words = [word.format(number=position.number) for word in COMMANDS[command]]
        try:
            verbs(["collect", *words])
        except DocumentError as error:
            sys.stderr.write(str(error))
            sys.exit(2)

    return _ended(work)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_as_the_owner(command: str, place: Place) -> None:
    ended = _typed(place, command)
    assert ended.code == 0, ended
    assert place.harm() == []
    st_uids = {path.stat().st_uid for path in place.folder.iterdir()}
    assert st_uids == {OWNER}


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        *((command, kind) for command in COMMANDS for kind in LEADING),
        *((command, kind) for command in ("close", "backup", "repair") for kind in STANDING),
    ],
)
def test_no_command_follows_what_the_owner_put_there(command: str, kind: str, place: Place) -> None:
    """Each name in turn: some commands refuse, some do not meet it; none harms or hangs."""
    for name in NAMES:
        place.plant(name, kind)
        ended = _typed(place, command)
        assert ended.code in (0, 2), (name, ended)
        assert "Error" not in ended.said, (name, ended)
        assert place.harm() == [], name
        (place.folder / name).unlink(missing_ok=True)
        for path in place.folder.glob("made*"):
            path.unlink()


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe"])
@pytest.mark.parametrize("command", [item for item in COMMANDS if item != "restore"])
def test_a_store_that_is_none_is_refused(command: str, kind: str, place: Place) -> None:
    place.plant("exam.db", kind)
    ended = _typed(place, command)
    assert ended.code == 2, ended
    assert place.harm() == []


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "file made before"])
@pytest.mark.parametrize("command", ["restore", "repair", "delete"])
def test_what_should_be_new_is_new(command: str, kind: str, place: Place) -> None:
    place.plant("made", kind)
    ended = _typed(place, command)
    assert ended.code == 2, ended
    (place.folder / "made").unlink()
    assert place.harm() == []


def test_what_root_names_elsewhere_is_written_and_read(place: Place, tmp_path: Path) -> None:
    """Here it is root's alone: keys are read and a backup is made where the owner sees nothing."""
    public = create_backup_key(tmp_path / "key")
    store, copy = place.folder / "exam.db", tmp_path / "copy.age"
    copy.write_text("the former one")
    words = [sys.executable, "-m", "askance", "collect"]
    completed = subprocess.run(
        [*words, "backup", store, copy, "--recipient", public],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "8 reports, open" in completed.stdout
    status = copy.stat()
    assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (os.geteuid(), 0o600)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.age", "key"]
    again = place.folder / "again.db"
    subprocess.run(
        [*words, "restore", copy, again, "--identity", tmp_path / "key"],
        capture_output=True,
        check=True,
    )
    status = again.stat()
    assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (OWNER, 0o600)
    assert place.harm() == []


def test_a_command_that_fails_leaves_the_former_file_elsewhere(
    place: Place, tmp_path: Path
) -> None:
    (tmp_path / "copy").write_text("the former one")
    content = bytearray((place.folder / "exam.db").read_bytes())
    content[content.index(b'"children"') + 2] ^= 1
    (place.folder / "exam.db").write_bytes(content)
    words = ["backup", place.folder / "exam.db", tmp_path / "copy"]
    ended = subprocess.run(
        [sys.executable, "-m", "askance", "collect", *words], capture_output=True, check=False
    )
    assert ended.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]
    assert (tmp_path / "copy").read_text() == "the former one"


def test_a_folder_below_one_that_is_root_s_alone(place: Place) -> None:
    """As systemd keeps it for a service whose account is made for it alone."""
    place.folder.parent.chmod(0o700)
    ended = _typed(place, "close")
    if ROOT and "Operation not permitted" in ended.said:  # root that may not mount
        assert (ended.code, "a folder that its owner can reach" in ended.said) == (2, True)
    else:
        assert (ended.code, ended.said) == (0, "closed with 8 reports\n")
        assert {path.stat().st_uid for path in place.folder.iterdir()} == {OWNER}
    assert place.harm() == []


def test_root_is_given_up_for_good(place: Place) -> None:
    """What another did with the process afterwards would be done as the owner."""

    def work() -> None:
        with suppress(SystemExit):
            verbs(["collect", "close", str(place.folder / "exam.db")])
        result = os.getresuid(), os.getresgid(), os.getgroups()
        sys.stdout.write(" " + repr(result if ROOT else (3 * (OWNER,), 3 * (OWNER,), [])))
        sys.stdout.write(Path("/proc/self/status").read_text().split("CapPrm:\t")[1][:16])
        with suppress(PermissionError):
            os.setuid(0)
            sys.exit(5 if ROOT else 0)

    ended = _ended(work)
    assert ended.code == 0, ended
    assert repr((3 * (OWNER,), 3 * (OWNER,), [])) in ended.said, ended
    assert not ROOT or ended.said.endswith("0" * 16), ended


@pytest.mark.parametrize("reading", [True, False])
def test_a_program_of_root_s_own_is_refused(reading: bool, place: Place) -> None:
    if ROOT:
        with pytest.raises(DocumentError, match=f"a folder of account {OWNER}.*setpriv"):
            open_store(place.folder / "exam.db", read_only=reading)
    else:
        open_store(place.folder / "exam.db", read_only=reading).close()
    assert place.harm() == []


def test_a_log_made_before_is_for_those_who_may_read_the_store(model: Path, tmp_path: Path) -> None:
    (tmp_path / "exam.db").write_bytes((model / "exam.db").read_bytes())
    for end in ("", "-wal"):
        (tmp_path / f"exam.db{end}").touch()
        (tmp_path / f"exam.db{end}").chmod(0o666 if end else 0o600)
    store = open_store(tmp_path / "exam.db")
    store.check()
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    store.close()


def test_store_and_folder_of_different_accounts_are_refused(place: Place) -> None:
    if ROOT:
        os.chown(place.folder / "exam.db", THIRD, THIRD)
    ended = _typed(place, "close")
    assert ended.code == (2 if ROOT else 0)
    assert (f"a file of account {THIRD} in a folder of account {OWNER}" in ended.said) is ROOT


def test_a_path_that_another_can_lead_elsewhere_is_refused(place: Place) -> None:
    """The owner's link leads to a store of root's, or of this account's own."""
    hidden = place.outside / "folder"
    place.folder.rename(hidden)
    place.folder.mkdir()
    (place.folder / "to").symlink_to(hidden)
    if ROOT:
        os.chown(place.folder, THIRD, THIRD)
        os.chown(place.folder / "to", THIRD, THIRD, follow_symlinks=False)
    ended = _ended(lambda: verbs(["collect", "close", str(place.folder / "to" / "exam.db")]))
    if ROOT:
        assert "account 23456 can lead elsewhere" in ended.said
        store = sqlite3.connect(hidden / "exam.db")
        assert store.execute("SELECT closed FROM survey").fetchone() == (0,)
        store.close()
    else:
        assert ended.code == 0, ended


@contextmanager
def _swapped(position: Place, name: str) -> Iterator[None]:
    """Have the owner swap a file for a link, again and again, from a process of its own."""
    process = os.fork()
    if not process:
        with suppress(BaseException):
            if ROOT:
                os.setgid(OWNER)
                os.setuid(OWNER)
            path = position.folder / name
            while True:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
                    path.symlink_to(position.outside / "new")
                    path.unlink(missing_ok=True)
                    path.touch()
        os._exit(0)
    try:
        yield
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


@pytest.mark.parametrize("name", ["exam.db-lock", "made"])
def test_a_race_is_lost(name: str, place: Place) -> None:
    command = "close" if name == "exam.db-lock" else "backup"
    with _swapped(place, name):
        for _ in range(6):
            ended = _typed(place, command)
            assert ended.code in (0, 2), ended
            assert not (place.outside / "new").exists()


# ---- The same attacks on what opens files by their names, as was done before.


def _lock_by_name(position: Place) -> None:
    sqlite3.connect(position.folder / "exam.db-lock").execute("BEGIN EXCLUSIVE")


def _write_by_name(position: Place) -> None:
    (position.folder / "made.part").write_text("a backup")
    (position.folder / "made.part").rename(position.folder / "made")


def _give_by_name(position: Place) -> None:
    os.chown(position.folder / "exam.db-lock", OWNER, OWNER)


@pytest.mark.parametrize(
    ("work", "name", "kind", "harm"),
    [
        (_lock_by_name, "exam.db-lock", "dangling link", "something new is outside"),
        (_write_by_name, "made.part", "link", "the secret is another"),
        (_write_by_name, "made.part", "hard link", "the secret is another"),
        (_write_by_name, "made.part", "file made before", "others may read made"),
        (_write_by_name, "made.part", "pipe", "hung"),
        (_give_by_name, "exam.db-lock", "link", "it is another's" if ROOT else ""),
    ],
)
def test_what_opens_by_name_falls(
    work: Callable[[Place], None], name: str, kind: str, harm: str, place: Place
) -> None:
    place.plant(name, kind)
    ended = _ended(lambda: work(place), 1.0)
    assert not harm or harm in (["hung"] if ended.code is None else place.harm())


def test_what_looks_first_and_opens_by_name_loses_the_race(place: Place) -> None:
    path, end = place.folder / "made", time.monotonic() + PATIENCE
    with _swapped(place, "made"):
        while not (place.outside / "new").exists() and time.monotonic() < end:
            with suppress(OSError):
                if not path.is_symlink():
                    path.write_text("a backup")
    assert "something new is outside" in place.harm()
