"""A collector as its unit starts it takes many reports with tokens: what is kept, and what is not.

The command is the one of the kit's unit, with a socket handed over and, where root runs this, as
nobody. Clients sign their tokens with the private key, which gives the very signatures that the
blind exchange ends with (`benchmarks/tokens/spend.py` times that) at a tenth of the cost. Of a
hundred reports one is followed by a forged token, and by its own token again behind another.
At the end the store is read: all acknowledged reports have to be in it, and none that was refused.
"""

import argparse
import http.client
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)
from post import example_form

from askance_collect.collect import open_store, write_kit
from askance_collect.respond.encode import respond
from askance_collect.wire import Form, Token, to_base64url, token_message

NOBODY = 65534
LINES, TRIED = 16, 100
HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
drop = ["setpriv", "--reuid", "NOBODY", "--regid", "NOBODY", "--clear-groups", "--no-new-privs"]
words = [*(drop if os.getuid() == 0 else []), sys.executable, *sys.argv[2:]]
os.execvp(words[0], words)
""".replace("NOBODY", str(NOBODY))
PADDING = padding.PSS(mgf=padding.MGF1(SHA384()), salt_length=48)


def form_for(key: rsa.RSAPublicKey) -> Form:
    modulus = to_base64url(key.public_numbers().n.to_bytes(256, "big"))
    keys = [{"name": "everybody", "n": modulus}]
    tokens = {"issuer": "https://issuer.example/", "keys": keys}
    return Form.read(example_form().document | {"askance": "form-2", "tokens": tokens})


class Client:
    """One of those who send: a report with an id of its own, and a token behind it."""

    def __init__(self, socket_path: str, raw: bytes, spelling: bytes) -> None:
        self.form = Form.read(spelling)
        self.key = load_der_private_key(raw, None)
        answers = {"age": 20} | {f"question_{i}": 1 for i in range(4)}
        self.body = respond(self.form, answers).body(self.form.size)
        self.id_start = self.body.index(b'"id":"') + 6
        self.line = http.client.HTTPConnection("localhost")
        self.line.sock = socket.socket(socket.AF_UNIX)
        self.line.sock.connect(socket_path)

    def token(self) -> Token:
        prefix = secrets.token_bytes(32)
        message = token_message(self.form.fingerprint, prefix)
        return Token(0, prefix, self.key.sign(message, PADDING, SHA384()))

    def post(self, id: str, token: Token) -> int:
        body = self.body[: self.id_start] + id.encode() + self.body[self.id_start + 32 :]
        self.line.request("POST", "/report", body + token.text.encode())
        reply = self.line.getresponse()
        reply.read()
        return reply.status


def send(
    socket_path: str, raw: bytes, spelling: bytes, many: int
) -> tuple[set[str], set[str], Counter[str]]:
    """Send reports; give the numbers of those taken and refused, and each reply's status."""
    client, accepted, refused, replies = (
        Client(socket_path, raw, spelling),
        set(),
        set(),
        Counter[str](),
    )
    for index in range(many):
        id, token = secrets.token_hex(16), client.token()
        status = client.post(id, token)
        replies[f"honest {status}"] += 1
        (accepted if status == 201 else refused).add(id)
        if index % TRIED == 0:
            other = Token(0, secrets.token_bytes(32), token.signature)
            for kind, spent in [("forged", other), ("again", token)]:
                id = secrets.token_hex(16)
                replies[f"{kind} {client.post(id, spent)}"] += 1
                refused.add(id)
    client.line.close()
    return accepted, refused, replies


@contextmanager
def collector(form: Form, folder: Path) -> Iterator[tuple[str, int, Path]]:
    """Start what the kit's unit says; give its socket, its number and its store."""
    write_kit(form, folder / "kit", "bench", "bench.example")
    unit = (folder / "kit" / "askance-bench.service").read_text("utf-8")
    command = re.findall("(?m)^ExecStart=(.*)$", unit)[0]
    state = folder / "state"
    state.mkdir(0o700)
    key = folder / "kit" / "bench.operator-key"
    key.rename(folder / "kit" / "operator-key")
    if os.getuid() == 0:
        os.chown(state, NOBODY, NOBODY)
        os.chown(folder / "kit" / "operator-key", NOBODY, NOBODY)
    folder.chmod(0o711)
    marks = {"${STATE_DIRECTORY}": state, "${CREDENTIALS_DIRECTORY}": folder / "kit"}
    for mark, path in {**marks, "/etc/askance": folder / "kit"}.items():
        command = command.replace(mark, str(path))
    socket_path = folder / "http.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(socket_path))
        listener.listen(4096)
        words = [sys.executable, "-c", HAND_OVER, str(listener.fileno()), *command.split()[1:]]
        fds = [listener.fileno()]
        with subprocess.Popen(words, pass_fds=fds, stdout=subprocess.DEVNULL) as process:
            try:
                yield str(socket_path), process.pid, state / "bench.db"
            finally:
                process.terminate()


Start = Callable[[Form, Path], AbstractContextManager[tuple[str, int, Path]]]


def memory(pid: int) -> float:
    """The most megabytes that a process has held."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) / 1000


def run(number: int, workers: int, folder: Path, start: Start = collector) -> bool:
    """Have a collector take so many; say what came of it, and whether all is as it should be."""
    key = rsa.generate_private_key(65537, 2048)
    raw = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    form, pieces = form_for(key.public_key()), workers * LINES
    accepted, refused, replies = set[str](), set[str](), Counter[str]()
    with start(form, folder) as (socket_path, pid, store):
        begun = time.perf_counter()
        with ProcessPoolExecutor(pieces) as pool:
            work = [
                pool.submit(send, socket_path, raw, form.bytes, number // pieces)
                for _ in range(pieces)
            ]
            for job in work:
                more, less, counted = job.result()
                accepted |= more
                refused |= less
                replies += counted
        seconds, memory_used = time.perf_counter() - begun, memory(pid)
        account = re.findall(r"Uid:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]
    if (
        os.getuid() == 0
    ):  # the account is gone with the collector, and root reads no folder of another
        for job in (*store.parent.iterdir(), store.parent):
            os.chown(job, 0, 0)
    store_file = open_store(store, form, read_only=True)
    ids = {id for id, _ in store_file.reports()}
    spent = sum(store_file.spent_tokens().values())
    store_file.close()
    print(f"account {account}, tokens of 2,048 bits, {pieces} connections")
    honest = sum(n for kind, n in replies.items() if kind.startswith("honest"))
    print(f"accepted      {len(accepted):,} of {honest:,}")
    for kind in sorted(replies):
        print(f"  {kind:12} {replies[kind]:,}")
    print(f"kept          {len(ids):,}, tokens spent {spent:,}")
    print(f"lost          {len(accepted - ids):,}")
    print(f"forged or spent twice, and taken  {len(ids & refused):,}")
    print(f"memory        {memory_used:.0f} MB at most")
    rate = replies.total() / seconds
    print(f"seconds       {seconds:.0f}, {rate:,.0f} requests a second, signing included")
    return honest == len(accepted) == len(ids) == spent and accepted == ids


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=3200)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run(options.number, options.workers, Path(scratch))
