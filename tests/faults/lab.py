"""A collector on a machine that fails: start it, send to it, break it, and see what is left."""

import http.client
import json
import mmap
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, final
from urllib.parse import urlsplit

import psycopg

from askance_collect.collect import accept, open_store
from askance_collect.wire import Form, Report

Tell = Callable[..., None]
"""Keeps a line for the table, and holds it to its verdict."""

HERE = Path(__file__).parent
LIMIT = 120
"""Seconds to wait for what comes at once, unless the machine is busy."""
_FIELDS = ("on_open", "on_write", "on_sync", "often", "no_sync", "delay", "room", "clock")
_MORE = ("spare", "mode", "life", "skipped")
_PLACES = {name: 8 * index for index, name in enumerate(_FIELDS)}
_PLACES |= {name: 128 + 8 * index for index, name in enumerate(_MORE)}
_SPEAKS = re.compile(rb'[0-9a-f]{32}|any_affair|children|"age|"years')


def trials(name: str, short: int) -> int:
    """Give the number of trials: a few, or what the environment says."""
    return int(os.environ.get(name, short))


def until(true: Callable[[], bool], seconds: float = LIMIT) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def compiled(folder: Path) -> Path:
    """Compile the disk that fails."""
    path = folder / "disk.so"
    command = ["gcc", "-O2", "-shared", "-fPIC", "-o", str(path), str(HERE / "disk.c"), "-ldl"]
    subprocess.run(command, check=True)
    return path


@final
class Machine:
    """A folder on a disk that can be told to fail, and a clock."""

    def __init__(self, library: Path, place: Path, folder: Path | None = None) -> None:
        self.place, self.folder = place, (folder or place / "disk").resolve()
        place.mkdir(exist_ok=True)
        self.folder.mkdir(exist_ok=True)
        self.journal = place / "journal"
        self.journal.touch()
        self._file = place / "control"
        self._file.write_bytes(bytes(4096))
        with self._file.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 4096)
        for item in (self._file, self.journal):
            item.chmod(0o666)
        self._library = library
        self.works()

    def works(self) -> None:
        """Let everything work again."""
        self.breaks(match="", **(dict.fromkeys(_PLACES, 0) | {"room": -1}))

    def breaks(self, match: str | None = None, **failing: int) -> None:
        """Set some of what `struct control` in `disk.c` has."""
        if match is not None:
            self._shared[64:128] = match.encode().ljust(64, b"\0")
        for name, value in failing.items():
            index = _PLACES[name]
            self._shared[index : index + 8] = struct.pack("=q", value)

    def state(self, name: str) -> int:
        """Say how one of them stands now."""
        return int(struct.unpack_from("=q", self._shared, _PLACES[name])[0])

    def forget(self) -> None:
        """Begin the journal anew."""
        os.truncate(self.journal, 0)

    @property
    def mended(self) -> bool:
        """Whether as many flushes have failed as should."""
        return self.state("often") == 0

    def settings(self, *, recording: bool = False) -> dict[str, str]:
        """Give the environment of a process on this machine."""
        result = {"LD_PRELOAD": str(self._library), "FAULTS_CONTROL": str(self._file)}
        result["FAULTS_FOLDER"] = str(self.folder)
        return result | ({"FAULTS_JOURNAL": str(self.journal)} if recording else {})

    @property
    def done(self) -> int:
        """How far the journal goes."""
        return self.journal.stat().st_size


@final
class Cluster:
    """A PostgreSQL on such a machine."""

    def __init__(self, tool: Any, library: Path, model: Path) -> None:
        """Begin with a copy of a cluster that was made before."""
        self.place = Path(tempfile.mkdtemp(prefix="askance-faults-"))
        self.data = self.place / "data"
        copied(model, self.data)
        shutil.copy(library, self.place)
        for item in (self.place, self.place / library.name):
            item.chmod(0o755)
        if os.getuid() == 0:
            shutil.chown(self.place, tool.USER)
        self.machine = Machine(self.place / library.name, self.place, self.data)
        self.url = str(tool.url(self.data))
        self._tool = tool

    def start(self, settings: str = "", *, recording: bool = False, failing: bool = False) -> None:
        """Start it with some settings, on the disk that may be recorded or fail if wanted."""
        settings_result = self.machine.settings(recording=recording) if recording or failing else {}
        self._tool.start(
            self.data, f"-c fsync={'on' if settings_result else 'off'} {settings}", settings_result
        )

    def stop(self, mode: str = "immediate") -> None:
        self._tool.stop(self.data, mode)

    def pids(self) -> list[int]:
        """List its processes, the first of them first."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        listed = Path(f"/proc/{first}/task/{first}/children").read_text()
        return [first, *map(int, listed.split())]

    def crash(self) -> None:
        """Kill its first process; the others notice. Start it again."""
        processes = self.pids()
        os.kill(processes[0], signal.SIGKILL)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes))
        self.start()

    @contextmanager
    def halted(self) -> Iterator[None]:
        """Let none of its processes do anything for as long as the block lasts."""
        processes = self.pids()
        for pid in processes:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in processes:
                os.kill(pid, signal.SIGCONT)

    def answers(self) -> bool:
        """Say whether it can be used."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url):
            return True
        return False

    def remove(self) -> None:
        """End whatever runs, and leave nothing."""
        if (self.data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.place)


def copied(folder: Path, copy: Path) -> None:
    """Copy a folder with its owners and dates."""
    subprocess.run(["cp", "-a", "--", str(folder), str(copy)], check=True)


@final
class Forks:
    """The process whose forks the collectors are."""

    def __init__(self, library: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, HERE / "collector.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"LD_PRELOAD": str(library), "OPENBLAS_NUM_THREADS": "1"},
        )

    def told(self, order: Any) -> Any:
        """Give an order and wait for the answer."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(order)}\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    def end(self) -> None:
        self._process.communicate()


@final
class Collector:
    """`askance serve`, or a twin, in a process of its own."""

    forks: Forks

    def __init__(
        self,
        form: Form,
        store: str | Path,
        place: Path,
        *,
        twin: str = "honest",
        settings: dict[str, str] | None = None,
    ) -> None:
        place.mkdir(exist_ok=True)
        survey, self._said, self._log = place / "survey.json", place / "said", place / "log"
        survey.write_bytes(form.bytes)
        self._said.write_bytes(b"")
        self._log.touch()
        self.address, self._status = "", None
        self.pid: int = self.forks.told(
            {
                "twin": twin,
                "words": [str(survey), "--store", str(store), "--port=0"],
                "settings": settings or {},
                "output": str(self._said),
                "log": str(self._log),
            }
        )

    def url(self) -> str:
        """Wait for its address; nothing if it ended instead."""
        until(lambda: self.status is not None or b"\n" in self._said.read_bytes())
        words = self._said.read_text().partition("\n")[0].split()
        self.address = words[-1] if words else ""
        return self.address

    @property
    def said(self) -> str:
        """What its operator reads."""
        return self._log.read_text(encoding="utf-8")

    @property
    def status(self) -> int | None:
        """Its exit status; nothing while it runs."""
        return self._wait(False)

    def _wait(self, patient: bool) -> int | None:
        if self._status is None:
            self._status = self.forks.told([self.pid, patient])
        return self._status

    def tell(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Tell it to end, or kill it."""
        if self.status is None:
            os.kill(self.pid, how)

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """Do so, and give its exit status."""
        self.tell(how)
        return self.gone()

    def gone(self) -> int:
        """Wait until it has ended."""
        status = self._wait(True)
        assert status is not None
        return status


@contextmanager
def serving(*words: Any, **named: Any) -> Iterator[Collector]:
    """Run a collector for as long as the block lasts, at most."""
    collector = Collector(*words, **named)
    try:
        yield collector
    finally:
        collector.end()


@final
@dataclass(slots=True)
class Crowd:
    """Respondents: what they sent, what they were told, and when, by the length of a journal."""

    form: Form
    machine: Machine | None = None
    sent: dict[str, Report] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    told: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    owed: list[Report] = field(default_factory=list)
    _dice: random.Random = field(default_factory=lambda: random.Random(random.random()))
    """Its own: who sends when is chance, and what a test plans is not to move with it."""
    _ended: bool = False
    _threads: list[threading.Thread] = field(default_factory=list)

    def report(self) -> Report:
        """Make a report that nobody made before; or take one that was not acknowledged."""
        if self.owed:
            return self.owed.pop()
        values = {
            "age": [0, self._dice.randrange(1, 53)],
            "any_affair": self._dice.randrange(3),
            "children": self._dice.randrange(3),
            "years": self._dice.randrange(80),
        }
        made_report = Report(self.form.fingerprint, os.urandom(16).hex(), values)
        self.sent[made_report.id] = made_report
        return made_report

    def line(self, url: str) -> http.client.HTTPConnection:
        """Call a collector."""
        return http.client.HTTPConnection(urlsplit(url).netloc, timeout=LIMIT)

    def post(self, line: http.client.HTTPConnection, report: Report) -> int:
        """Send a report and keep what is told."""
        line.request("POST", "/report", report.body(self.form.size))
        reply = line.getresponse()
        read_result = reply.read()
        if reply.status in (200, 201):
            assert json.loads(read_result)["id"] == report.id
            self.acknowledged[report.id] = self.machine.done if self.machine else 0
        else:
            error = json.loads(read_result)["error"]
            self.told[reply.status, error["code"], error["message"]] += 1
            assert not _SPEAKS.search(read_result), read_result
            self.owed.append(report)
        return reply.status

    def begin(self, url: str, many: int = 8) -> Self:
        """Let many send until they are told to end or nobody listens."""
        self._ended = False
        begun = [threading.Thread(target=self._go_on, args=(url,)) for _ in range(many)]
        for thread in begun:
            thread.start()
        self._threads += begun
        return self

    def _go_on(self, url: str) -> None:
        line = self.line(url)
        report = self.report()
        try:
            while not self._ended:
                if self.post(line, report) == 503:
                    time.sleep(0.02)
                report = self.report()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            self.owed.append(report)
            line.close()

    def wait(self, more: int = 1, seconds: float = LIMIT) -> int:
        """Wait until so many more were acknowledged; say how many were."""
        before, end = len(self.acknowledged), time.monotonic() + seconds
        while len(self.acknowledged) < before + more and time.monotonic() < end:
            if not any(thread.is_alive() for thread in self._threads):
                break
            time.sleep(0.005)
        return len(self.acknowledged) - before

    def wait_told(self, code: str) -> str:
        """Wait until somebody was refused so; give the words."""
        until(lambda: code in self.codes)
        return next(words for _, inputs, words in list(self.told) if inputs == code)

    @property
    def codes(self) -> set[str]:
        """What respondents were refused with."""
        return {code for _, code, _ in list(self.told)}

    def end(self) -> Self:
        """Stop sending, once everybody has an answer."""
        self._ended = True
        for thread in self._threads:
            thread.join(LIMIT)
            assert not thread.is_alive()
        self._threads.clear()
        return self

    def kept(self, store: Path, many: int, *, leave_log: bool = False) -> None:
        """Keep reports in a store by hand; leave it as after a crash, with its log, if wanted."""
        report_results = [self.report() for _ in range(many)]
        with_name_result = store.with_name("elsewhere.db") if leave_log else store
        with closing(open_store(with_name_result, self.form)) as closing_result:
            closing_result.append(
                [
                    accept(report_result.body(self.form.size), self.form)
                    for report_result in report_results
                ]
            )
            if leave_log:
                for end in ("", "-wal"):
                    shutil.copy(f"{with_name_result}{end}", f"{store}{end}")
        self.acknowledged |= dict.fromkeys(self.sent, 0)

    def fall_back(self, upto: int) -> None:
        """Go back to when a journal was so long: what was told later was never told."""
        self.acknowledged = {id: 0 for id, value in self.acknowledged.items() if value <= upto}
        self.owed = [value for id, value in self.sent.items() if id not in self.acknowledged]

    def lost(self, store: str | Path, upto: int | None = None) -> int:
        """Open a store, let it be read whole, and count what was acknowledged and is not there.

        Whatever is there must have been sent, and be as it was sent.
        """
        kept_store = open_store(store, self.form)
        try:
            kept_store.check()
            rows = dict(kept_store.reports())
            assert len(rows) == kept_store.count()
        finally:
            kept_store.close()
        for id, answers in rows.items():
            body = self.sent[id].body(self.form.size)
            assert answers == accept(body, self.form).answers, "not as it was sent"
        due = [id for id, value in self.acknowledged.items() if upto is None or value <= upto]
        return sum(id not in rows for id in due)


def silent(words: str) -> bool:
    """Say whether words for an operator hold no answer, no report's number and no Python."""
    return not _SPEAKS.search(words.encode()) and "Traceback" not in words
