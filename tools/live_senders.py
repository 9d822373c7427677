"""Those who send reports to a collector behind a proxy, for as long as something is done to it.

`python tools/live_senders.py PORT FORM CERTIFICATE` sends on four lines at once until its standard
input ends. `Sent` runs that, in the name space of another machine if asked, and keeps what all were
told.
"""

import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.client import HTTPException, HTTPSConnection
from multiprocessing import get_context
from pathlib import Path
from typing import Any, final

from askance_collect.collect import open_store
from askance_collect.collect.owner import become_owner
from askance_collect.respond import respond
from askance_collect.wire import Form

HOST = "exam.example.org"
ACCEPTED = "201", "200"


class Line(HTTPSConnection):
    """A connection to the survey's host, which is on this machine."""

    def connect(self) -> None:
        """Connect to the loopback address, and look at the certificate."""
        plain = socket.create_connection(("127.0.0.1", self.port), 90)
        self.sock = self._context.wrap_socket(plain, server_hostname=HOST)  # type: ignore[attr-defined]


def send(port: int, form: Form, ours: ssl.SSLContext, end: threading.Event, out: Any) -> None:
    """Send one report after the other until the end; each as often as it takes, like the page."""
    answers = {question.name: 30 if question.name == "age" else 0 for question in form.questions}
    while not end.is_set():
        body = respond(form, answers).body(form.size)
        id = json.loads(body)["id"]
        for _ in range(600):
            begun = time.monotonic()
            status = "none"
            with suppress(OSError, HTTPException), closing(Line(HOST, port, context=ours)) as line:
                line.request("POST", "/report", body)
                with line.getresponse() as reply:
                    reply.read()
                    status = str(reply.status)
            out(f"{status} {time.monotonic() - begun:.3f} {id}")
            if status in ACCEPTED:
                break
            time.sleep(0.1)


def send_from_here(port: int, form: Path, certificate: Path) -> None:
    """Send on four lines at once until somebody closes our standard input; print each answer."""
    trusting = ssl.create_default_context(cafile=str(certificate))
    end, lock = threading.Event(), threading.Lock()

    def out(line: str) -> None:
        with lock:
            print(line, flush=True)

    words = port, Form.read(form.read_bytes()), trusting, end, out
    many = [threading.Thread(target=send, args=words) for _ in range(4)]
    for thread in many:
        thread.start()
    sys.stdin.read()
    end.set()
    for thread in many:
        thread.join()


def ids_in(store: Path) -> set[str]:
    """Read the numbers of all reports in a store, as the account that owns it, for good."""
    store_file = open_store(become_owner(store), read_only=True)
    try:
        return {id for id, _ in store_file.reports()}
    finally:
        store_file.close()


@final
class Senders:
    """What all who sent were told."""

    def __init__(self) -> None:
        self.acknowledged, self.all, self.replies = set[str](), set[str](), Counter[str]()
        self.longest = 0.0

    @contextmanager
    def meanwhile(
        self, command: str, port: int, form: Path, by: Path, *within: str
    ) -> Iterator[None]:
        """Have reports sent meanwhile; say what came of it."""
        words = [*within, sys.executable, __file__, f"{port}", f"{form}", f"{by}"]
        replies, longest, lines, piped = Counter[str](), 0.0, list[str](), subprocess.PIPE
        with subprocess.Popen(words, stdin=piped, stdout=piped, text=True) as them:  # noqa: S603
            reading = threading.Thread(target=lambda: lines.extend(them.stdout or ()))
            reading.start()
            time.sleep(2)
            try:
                yield
                time.sleep(2)
            finally:
                assert them.stdin
                them.stdin.close()
                reading.join()
        for line in lines:
            status, took, id = line.split()
            replies[status] += 1
            longest = max(longest, float(took))
            self.all.add(id)
            if status in ACCEPTED:
                self.acknowledged.add(id)
        self.replies = replies
        spelt = ", ".join(f"{n} x {status}" for status, n in sorted(replies.items()))
        print(f"{command}: {spelt}; the longest wait {longest:.1f} s")

    def compare(self, store: Path, claim: str) -> tuple[bool, str]:
        """Say whether what was acknowledged is there, and nothing that nobody sent."""
        with ProcessPoolExecutor(1, get_context("fork")) as its_owner:
            ids = its_owner.submit(ids_in, store).result()
        sentence = f"{len(self.acknowledged)} acknowledged, {len(self.acknowledged - ids)} lost"
        sentence += f", {len(ids - self.all)} that nobody sent"
        return self.acknowledged <= ids <= self.all, f"{claim}: {sentence}"


if __name__ == "__main__":
    send_from_here(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
