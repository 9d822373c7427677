"""A page is fetched as a browser fetches it, from that host alone, within bounds."""

import gzip
import socket
import ssl
import threading
import zlib
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from askance.transparency import NotFetched, fetch
from askance_collect.errors import InputError

PAGE = b"<!DOCTYPE html>"
CAP = 16 << 20


@contextmanager
def answering(*replies):
    """Serve raw replies one after another; give the address, and what was asked."""
    questions = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            for reply in replies:
                try:
                    remote, _ = server.accept()
                except OSError:
                    return
                with remote:
                    questions.append(remote.recv(1 << 16))
                    try:
                        for part in [reply] if isinstance(reply, bytes) else reply:
                            remote.sendall(part)
                    except OSError:
                        continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/", questions
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def reply(body=PAGE, *headers, status="200 OK"):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_what_is_handed_out_is_got_with_its_headers():
    with answering(reply(PAGE, "X-Tea: green", "X-Tea: black")) as (address, _):
        fetch_result = fetch(address, "firefox", 5.0)
    assert (fetch_result.body, fetch_result.address) == (PAGE, address)
    assert [value for name, value in fetch_result.headers if name == "X-Tea"] == ["green", "black"]


@pytest.mark.parametrize(
    ("client", "agent"), [("firefox", b"Firefox/"), ("chromium", b"Chrome/"), ("curl", b"curl/")]
)
def test_nothing_says_who_asks_but_as_whom(client, agent):
    with answering(reply()) as (address, answering_result):
        fetch(address, client, 5.0)
    (result,) = answering_result
    assert result.startswith(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
    assert agent in result
    names = [line.partition(b":")[0].lower() for line in result.split(b"\r\n")[1:]]
    assert len(names) == len(set(names)) + 1  # two are empty: the end
    for word in (b"askance", b"python", b"urllib", b"cookie", b"referer", b"verify"):
        assert word not in result.lower()


@pytest.mark.parametrize(
    ("coding", "packed"),
    [("gzip", gzip.compress(PAGE, mtime=0)), ("deflate", zlib.compress(PAGE)), ("identity", PAGE)],
    ids=["gzip", "deflate", "identity"],
)
def test_what_comes_compressed_is_unpacked(coding, packed):
    with answering(reply(packed, f"Content-Encoding: {coding}")) as (address, _):
        assert fetch(address, "firefox", 5.0).body == PAGE


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip"])
def test_what_cannot_be_unpacked_is_told(coding):
    with (
        answering(reply(PAGE, f"Content-Encoding: {coding}")) as (address, _),
        pytest.raises(NotFetched) as caught,
    ):
        fetch(address, "firefox", 5.0)
    assert not caught.value.elsewhere


@pytest.mark.long
def test_a_bomb_is_unpacked_to_the_cap_and_no_further():
    bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = bomb.compress(bytes(CAP)) + bomb.compress(bytes(CAP)) + bomb.flush()
    with answering(reply(packed, "Content-Encoding: gzip")) as (address, _):
        assert len(fetch(address, "firefox", 20.0).body) == CAP


def test_what_has_no_end_is_read_to_the_cap_and_no_further():
    endless = [b"HTTP/1.1 200 OK\r\n\r\n", *[bytes(1 << 20)] * 32]
    with answering(endless) as (address, _):
        assert len(fetch(address, "firefox", 20.0).body) == CAP


@pytest.mark.long
@pytest.mark.parametrize(
    "head",
    [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n"],
    ids=["before a head", "in a head", "in a body"],
)
def test_who_sends_slowly_is_hung_up_on(head):
    def drip():
        yield head
        for _ in range(200):
            sleep(0.05)
            yield b"a"

    with answering(drip()) as (address, _):
        begun = monotonic()
        with pytest.raises(NotFetched, match="no answer in time"):
            fetch(address, "firefox", 0.4)
        assert monotonic() - begun < 8


def redirection(to, status="302 Found"):
    return reply(b"", f"Location: {to}", status=status)


def test_a_redirection_on_the_same_host_is_followed():
    with answering(redirection("/exam/", "308 Permanent Redirect"), reply()) as (
        address,
        answering_result,
    ):
        fetch_result = fetch(address, "firefox", 5.0)
    assert fetch_result.address == f"{address}exam/"
    assert answering_result[1].startswith(b"GET /exam/ HTTP/1.1")


@pytest.mark.parametrize(
    "to",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "http://127.0.0.1:1/",
        "http://localhost/",
        "file:///etc/passwd",
        "https://127.0.0.1/",
        "",
        "http://me@127.0.0.1/",
        "http://[::1",
    ],
)
def test_a_redirection_elsewhere_is_not_followed(to):
    with answering(redirection(to), *[redirection("")] * 4) as (address, answering_result):
        with pytest.raises(NotFetched) as caught:
            fetch(address, "firefox", 5.0)
        assert caught.value.elsewhere == (to != "")
    assert to == "" or len(answering_result) == 1


def test_a_redirection_without_end_is_given_up():
    with (
        answering(*[redirection("/again")] * 9) as (address, answering_result),
        pytest.raises(NotFetched, match="status 302"),
    ):
        fetch(address, "firefox", 5.0)
    assert len(answering_result) == 4


@pytest.mark.parametrize(
    "raw",
    [
        reply(b"gone", status="404 Not Found"),
        reply(b"", status="304 Not Modified"),
        b"tea\x1b[2J\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"",
    ],
    ids=["gone", "kept", "no HTTP", "many", "long", "broken off", "chunks", "nothing"],
)
def test_whatever_else_comes_is_told_in_words(raw):
    with (
        answering(raw) as (address, _),
        pytest.raises(NotFetched) as caught,
    ):
        fetch(address, "firefox", 5.0)
    assert str(caught.value).startswith(address)
    assert str(caught.value).isprintable()


def test_nobody_there_is_told():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(NotFetched, match="no answer"):
        fetch(f"http://127.0.0.1:{port}/", "firefox", 5.0)
    with answering(reply()) as (address, _), pytest.raises(NotFetched, match="no answer"):
        fetch(address.replace("http:", "https:"), "firefox", 5.0)  # nobody speaks TLS there


@pytest.mark.parametrize(
    "address",
    ["", "tea", "ftp://a.example/", "http://", "http://a.example:99999/", "http://u:p@a.example/"],
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(InputError, match="URL: "):
        fetch(address, "firefox", 5.0)


@pytest.mark.parametrize("seconds", [0, -1, 1e9, float("nan"), "a"])
def test_what_is_no_time_is_refused(seconds):
    with pytest.raises(InputError, match="seconds"):
        fetch("http://127.0.0.1:9/", "firefox", seconds)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of this machine that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    sign_result = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + sign_result.public_bytes(Encoding.PEM))
    return path


def under_tls(certificate, *parts):
    """Answer with TLS, each part after a while; give the address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = socket.create_server(("localhost", 0))

    port = server.getsockname()[1]

    def serve():
        with server, suppress(OSError):
            remote, _ = server.accept()
            with remote, context.wrap_socket(remote, server_side=True) as secure:
                secure.recv(1 << 16)
                for part in parts:
                    secure.sendall(part)
                    sleep(0.05 if len(parts) > 1 else 0)

    threading.Thread(target=serve, daemon=True).start()
    return f"https://localhost:{port}/"


def test_under_tls_a_page_is_had_from_whom_the_system_trusts(certificate, monkeypatch):
    with pytest.raises(NotFetched, match="a certificate that is not valid: self-signed"):
        fetch(under_tls(certificate, reply()), "firefox", 5.0)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetch(under_tls(certificate, reply()), "firefox", 5.0).body == PAGE


@pytest.mark.long
def test_under_tls_too_who_sends_slowly_is_hung_up_on(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    address = under_tls(certificate, b"HTTP/1.1 200 OK\r\n\r\n", *[b"a"] * 200)
    begun = monotonic()
    with pytest.raises(NotFetched, match="no answer in time"):
        fetch(address, "firefox", 0.5)
    assert monotonic() - begun < 8
