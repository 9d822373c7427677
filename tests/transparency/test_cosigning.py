"""A head is signed by a witness too, which is one written here from c2sp.org/tlog-witness."""

from base64 import b64decode, b64encode
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from askance.cli import verbs
from askance.transparency import (
    VerifierKey,
    WitnessKey,
    append_entries,
    cosigned_at,
    create_log,
    read_checkpoint,
    read_log,
    read_witness_key,
    submit_head,
)
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import is_consistent

NAME = "study.example.org/exam"
TIME = 1_700_000_000
PRINTED = "witness.example.com/w1"


class Witness:
    """What a witness keeps: its key, the keys of logs that it knows, and what it signed last."""

    def __init__(self, seed=b"w" * 32, name=PRINTED):
        self.key, self.name = Ed25519PrivateKey.from_private_bytes(seed), name
        self.logs, self.seen, self.asked = {}, {}, []

    @property
    def vkey(self):
        return WitnessKey(self.name, self.key.public_key().public_bytes_raw())

    def line(self, text, time=TIME):
        raw = self.key.public_key().public_bytes_raw()
        id = sha256(self.name.encode() + b"\n\x04" + raw).digest()[:4]
        signature = self.key.sign(f"cosignature/v1\ntime {time}\n{text}".encode())
        whole_text = b64encode(id + time.to_bytes(8, "big") + signature).decode()
        return f"— {self.name} {whole_text}\n"

    def answer(self, body):
        first, _, note = body.partition("\n\n")
        old, *proof = first.split("\n")
        self.asked.append(old)
        size_before = int(old.removeprefix("old "))
        origin = note.partition("\n")[0]
        if origin not in self.logs:
            return 404, ""
        try:
            text = self.logs[origin].opened(note)
        except DocumentError:
            return 403, ""
        size, root = int(text.split("\n")[1]), b64decode(text.split("\n")[2])
        last, last_root = self.seen.get(origin, (0, sha256().digest()))
        if size_before > size:
            return 400, ""
        if size_before != last:
            return 409, f"{last}\n"
        if last == size and last_root != root:
            return 409, f"{last}\n"
        path = [b64decode(item) for item in proof]
        if last and not is_consistent(last, last_root, size, root, path):
            return 422, ""
        self.seen[origin] = size, root
        other = f"— other.example {b64encode(b'4444' + bytes(72)).decode()}\n"
        return 200, other + self.line(text)


@contextmanager
def running(answer):
    class Desk(BaseHTTPRequestHandler):
        def do_POST(self):
            assert self.path == "/add-checkpoint"
            status, replies = answer(self.rfile.read(int(self.headers["content-length"])).decode())
            self.send_response_only(status)
            self.send_header("content-length", str(len(replies.encode())))
            self.end_headers()
            self.wfile.write(replies.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Desk) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@pytest.fixture
def short_log(tmp_path):
    """A log with a few entries: how to read it, and its key."""
    path = tmp_path / "exam.log"
    key = create_log(path, NAME)
    append_entries(path, [f"page {digit * 64}" for digit in "012"])
    return path, key


def test_a_witness_signs_a_head_and_the_next_and_each_is_kept_below(short_log):
    path, key = short_log
    witness = Witness()
    witness.logs[NAME] = key
    with running(witness.answer) as running_result:
        first = submit_head(read_log(path), key, running_result, witness.vkey)
        append_entries(path, [f"page {digit * 64}" for digit in "34"])
        second = submit_head(read_log(path), key, running_result.rstrip("/"), witness.vkey)
        again = submit_head(read_log(path), key, running_result, witness.vkey)
    assert witness.asked == ["old 0", "old 0", "old 3", "old 0", "old 5"]
    assert [first.size, second.size, again.note] == [3, 5, second.note]
    assert cosigned_at(second, witness.vkey) == TIME
    assert "other.example" not in second.note
    assert read_checkpoint(second.note, key) == second
    assert cosigned_at(read_checkpoint(read_log(path).notes[-1], key), witness.vkey) is None


def test_whoever_shows_a_witness_another_history_gets_no_signature(short_log, tmp_path):
    path, key = short_log
    witness = Witness()
    witness.logs[NAME] = key
    fewer = path.read_bytes()
    secret = path.with_name("exam.log.key").read_text("utf-8")
    append_entries(path, ["page " + "3" * 64])
    with running(witness.answer) as running_result:
        submit_head(read_log(path), key, running_result, witness.vkey)
        for entry, message in [(None, "here are fewer"), ("4", "other entries than the first 4")]:
            path.write_bytes(fewer)
            path.with_name("exam.log.key").write_text(secret, "utf-8")
            if entry is not None:
                append_entries(path, [f"page {entry * 64}"])
            with pytest.raises(DocumentError, match=message):
                submit_head(read_log(path), key, running_result, witness.vkey)
        append_entries(path, ["page " + "5" * 64])
        with pytest.raises(DocumentError, match="lost or changed what the witness has signed"):
            submit_head(read_log(path), key, running_result, witness.vkey)
    assert witness.seen[NAME][0] == 4


def spoilt(witness, how):
    """What a witness that does not do as it should replies to a head."""

    def answer(body):
        text = body.partition("\n\n")[2].rpartition("\n\n")[0] + "\n"
        line = witness.line(text)
        return {
            "another head": (200, witness.line(text.replace("\n3\n", "\n4\n"))),
            "no line": (200, "tea\n"),
            "nothing": (200, ""),
            "of another key": (200, Witness(b"x" * 32).line(text)),
            "cut": (200, f"{line[:-20]}\n"),
            "unknown": (404, "who\x1b[2J?"),
            "a size that is none": (409, "four\n"),
            "failed": (500, ""),
        }[how]

    return answer


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("another head", "a signature that does not fit"),
        ("no line", "no signature under witness"),
        ("nothing", "no signature under witness"),
        ("of another key", "no signature under witness"),
        ("cut", "no signature under witness|does not fit"),
        ("unknown", r"the log's public key first \(404 who\\x1b"),
        ("a size that is none", r"it signed nothing \(409 four\)"),
        ("failed", "it signed nothing"),
    ],
)
def test_what_is_no_signature_of_the_witness_is_not_taken(short_log, how, message):
    path, key = short_log
    witness = Witness()
    with (
        running(spoilt(witness, how)) as running_result,
        pytest.raises(DocumentError, match=message),
    ):
        submit_head(read_log(path), key, running_result, witness.vkey)


def test_a_witness_that_is_not_there_is_told(short_log):
    path, key = short_log
    with pytest.raises(DocumentError, match="no answer"):
        submit_head(read_log(path), key, "http://127.0.0.1:9", Witness().vkey, seconds=2.0)
    with pytest.raises(InputError, match="address"):
        submit_head(read_log(path), key, "ftp://witness.example/", Witness().vkey)


@pytest.mark.parametrize(
    "text", ["", "tea", VerifierKey("example.com/foo", bytes(32)).text, f"{PRINTED}+00000000+BAAA"]
)
def test_what_is_no_key_of_a_witness_is_refused(text):
    key = Witness().vkey
    assert read_witness_key(f"{key.text}\n") == key
    with pytest.raises(DocumentError, match="key"):
        read_witness_key(text)


def test_nothing_is_asked_of_a_log_without_a_head(tmp_path):
    key = create_log(tmp_path / "empty.log", NAME)
    with pytest.raises(DocumentError, match="no head"):
        submit_head(read_log(tmp_path / "empty.log"), key, "http://127.0.0.1:9", Witness().vkey)


def test_typed_a_head_is_signed_by_two_witnesses(short_log):
    path, key = short_log
    out = path.with_name("head.note")
    for seed, name in [(b"w" * 32, PRINTED), (b"x" * 32, "library.example/w")]:
        witness = Witness(seed, name)
        witness.logs[NAME] = key
        with running(witness.answer) as running_result:
            words = ["log", "witness", path, "--url", running_result, "--key", witness.vkey.text]
            run = CliRunner().invoke(verbs, [*map(str, words), "--out", str(out)])
        result = f"3 entries, signed by {name} at 2023-11-14 22:13 UTC\n"
        assert (run.output, run.exit_code) == (f"{out}  {result}", 0)
        assert cosigned_at(read_checkpoint(out.read_text("utf-8"), key), witness.vkey) == TIME
    assert out.read_text("utf-8").count("— ") == 3
