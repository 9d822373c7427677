"""What an operator is handed: each file is run as it is written, or judged by its own tool."""

import gzip
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from askance_collect.collect import open_store, program_digest, write_kit
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond import render_page, respond
from askance_collect.wire import Form

ROOT = Path(__file__).parents[2]
SOCKET = "/run/askance-exam.sock"
PYTHON = "/opt/askance/bin/python"
TRACES = ("Telltale", "203.0.113.9", "127.0.0.1", "xx-telltale", "example.net", "forwarded")
Make = Callable[[], bytes]


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def kit(affairs_form: Form, tmp_path: Path) -> Path:
    write_kit(affairs_form, tmp_path / "kit", "exam", "exam.example.org")
    return tmp_path / "kit"


@pytest.fixture
def container(affairs_form: Form, tmp_path: Path) -> Path:
    write_kit(affairs_form, tmp_path / "box", "exam", "exam.example.org", container=True)
    return tmp_path / "box"


def test_nothing_is_left_open_in_a_file(kit: Path, container: Path, affairs_form: Form) -> None:
    for path in (*kit.iterdir(), *container.glob("*.*")):
        if path.is_file() and path.suffix != ".json":
            assert not re.search(r"@[a-z]+@", path.read_text("utf-8")), path
    assert (kit / "exam.form.json").read_bytes() == affairs_form.bytes
    key = kit / "exam.operator-key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_text("ascii").strip()) >= 32


def test_what_is_pinned_is_what_the_collector_asks_for(kit: Path) -> None:
    text = (kit / "requirements.txt").read_text("ascii")
    pinned = dict(re.findall(r"(?m)^([a-z0-9-]+)==(\S+)", text))
    project = tomllib.loads((ROOT / "collector" / "pyproject.toml").read_text("utf-8"))["project"]
    part = {re.split("[>;]", dependency)[0] for dependency in project["dependencies"]}
    assert pinned["askance-collector"] == project["version"]
    assert part | {"anyio", "h11", "idna", "pyrage"} <= pinned.keys()
    assert {"numpy", "scipy", "msgspec", "rich"} & pinned.keys() == set()
    unhashed = [item for item in re.split(r"(?m)^(?=\w)", text)[1:] if "--hash=sha256:" not in item]
    assert unhashed == [f"askance-collector=={project['version']}\n"]


def _typed(readme: Path) -> list[str]:
    blocks = re.findall(
        r"^```text\n(.*?)^```$", readme.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return [line for block in blocks for line in block.splitlines()]


def test_packages_are_installed_by_hash_and_not_by_root(kit: Path) -> None:
    lines = [line for line in _typed(kit / "README.md") if " -m venv " in line or "pip " in line]
    assert [line.split()[:4] for line in lines] == [["runuser", "-u", "askance-install", "--"]] * 2
    assert {"--require-hashes", "--only-binary=:all:"} <= set(lines[1].split())


@pytest.mark.parametrize("container", [False, True])
def test_a_wheel_that_is_given_is_pinned_by_its_hash(
    container: bool, affairs_form: Form, tmp_path: Path
) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    wheel = tmp_path / f"askance_collector-{version}-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr(
            "a.dist-info/RECORD",
            "askance_collect/a.py,sha256=x,1\naskance_collect/b.py,sha256=y,2\n",
        )
    kit = tmp_path / "kit"
    base = f"python@sha256:{'0f' * 32}" if container else ""
    host = "exam.example.org"
    write_kit(affairs_form, kit, "exam", host, container=container, wheels=[wheel], base=base)
    text = (kit / "requirements.txt").read_text("ascii")
    digest = sha256(wheel.read_bytes()).hexdigest()
    assert text.startswith(f"askance-collector=={version} \\\n    --hash=sha256:{digest}\n")
    assert (kit / "wheels" / wheel.name).read_bytes() == wheel.read_bytes()
    program = sha256(b"askance_collect/a.py,sha256=x\naskance_collect/b.py,sha256=y\n").hexdigest()
    assert program_digest(wheel) == program
    questions = f"askance-collect healthy --release {program} unix:/run/askance-exam.sock\n"
    assert (questions in (kit / "README.md").read_text("utf-8")) is not container
    if container:
        assert f"\nARG BASE={base}\n" in (kit / "Containerfile").read_text("utf-8")


def test_an_image_is_named_by_its_digest_or_not_at_all(
    container: Path, affairs_form: Form, tmp_path: Path
) -> None:
    assert "\nARG BASE\nFROM ${BASE} AS installed\n" in (container / "Containerfile").read_text(
        "utf-8"
    )
    assert 'BASE: "${BASE:?' in (container / "compose.yaml").read_text("utf-8")
    for base in ("python:3.13", f"python@sha256:{'0' * 63}", f"x y@sha256:{'0' * 64}"):
        with pytest.raises(InputError, match="by its digest"):
            write_kit(affairs_form, tmp_path / "none", "exam", "exam.example.org", base=base)


def test_what_is_no_wheel_is_refused(affairs_form: Form, tmp_path: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    wheel = tmp_path / f"askance_collector-{version}-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    with pytest.raises(DocumentError, match="allowed: a wheel of the release"):
        write_kit(affairs_form, tmp_path / "kit", "exam", "exam.example.org", wheels=[wheel])
    assert not (tmp_path / "kit").exists()


def test_a_wheel_of_another_version_is_refused(affairs_form: Form, tmp_path: Path) -> None:
    wheel = tmp_path / "askance_collector-0.0.1-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    with pytest.raises(InputError, match="wheel: got"):
        write_kit(affairs_form, tmp_path / "kit", "exam", "exam.example.org", wheels=[wheel])


@pytest.mark.parametrize(
    ("name", "host", "complaint"),
    [
        ("Exam 1", "exam.example.org", "name: got"),
        ("../exam", "exam.example.org", "name: got"),
        ("exam", "exam.example.org; }", "host: got"),
        ("exam", "https://exam.example.org/", "host: got"),
        ("exam", "", "host: got"),
    ],
)
def test_names_that_would_break_a_file_are_refused(
    name: str, host: str, complaint: str, affairs_form: Form, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=complaint):
        write_kit(affairs_form, tmp_path / "kit", name, host)
    assert not (tmp_path / "kit").exists()


def test_a_kit_is_never_written_over(kit: Path, affairs_form: Form) -> None:
    key = (kit / "exam.operator-key").read_bytes()
    with pytest.raises(DocumentError, match="a new folder"):
        write_kit(affairs_form, kit, "exam", "exam.example.org")
    assert (kit / "exam.operator-key").read_bytes() == key


def _lint(file: Path) -> str:
    program = Path(sys.executable).with_name("hadolint")
    done = subprocess.run(
        [program, "--no-color", file], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_the_container_file_is_sound_and_its_twin_is_not(container: Path) -> None:
    file = container / "Containerfile"
    assert _lint(file) == ""
    twin = file.with_name("Twin")
    twin.write_text(file.read_text().replace("USER 65532:65532", "USER root"))
    assert "DL3002" in _lint(twin)


def test_the_container_needs_no_shell_and_no_root(container: Path) -> None:
    lines = (container / "Containerfile").read_text("utf-8").splitlines()
    partition_results = [line.partition(" ") for line in lines if line and line[0] not in "# "]
    last = max(
        position for position, (element, _, _) in enumerate(partition_results) if element == "FROM"
    )
    assert partition_results[last][2] == "scratch"
    run = {element: rest for element, _, rest in partition_results[last:]}
    assert run["USER"] == "65532:65532"
    assert {"HEALTHCHECK", "ENTRYPOINT", "VOLUME"} <= run.keys()
    for item, _, rest in partition_results:
        if item in ("RUN", "ENTRYPOINT", "HEALTHCHECK"):
            words = json.loads(rest[rest.index("[") :])  # else a shell would run it
            assert words[0] in ("python3", PYTHON)
    compose = (container / "compose.yaml").read_text("utf-8")
    for word in ("read_only: true", "- ALL", "no-new-privileges:true", '"127.0.0.1:8102:8000"'):
        assert word in compose
    compile((container / "bare.py").read_text("utf-8"), "bare.py", "exec")


def test_the_unit_is_hardened_and_its_twin_is_not(
    kit: Path, exposure: Callable[[Path], float]
) -> None:
    unit = kit / "askance-exam.service"
    assert exposure(unit) <= 2.0
    twin = kit / "twin.service"
    twin.write_text(
        re.sub(r"(?m)^(Protect|Private|Restrict|System|Capab).*$", "", unit.read_text())
    )
    assert exposure(twin) > 2.0


def test_systemd_finds_no_fault(kit: Path, verified: Callable[[Path], str]) -> None:
    assert verified(kit) == ""


@pytest.fixture
def collector(
    kit: Path, tmp_path: Path, hand_over: Callable[..., Any]
) -> Iterator[tuple[Path, "subprocess.Popen[str]"]]:
    with _started(kit, tmp_path, hand_over) as (started_result, process):
        yield started_result, process


@contextmanager
def _started(
    kit: Path, tmp_path: Path, hand_over: Callable[..., Any]
) -> Iterator[tuple[Path, "subprocess.Popen[str]"]]:
    """Start what the unit says, with the socket and the folders that systemd would give it."""
    unit = (kit / "askance-exam.service").read_text("utf-8")
    (command,) = re.findall("(?m)^ExecStart=(.*)$", unit)
    inputs = {"STATE_DIRECTORY": tmp_path / "state", "CREDENTIALS_DIRECTORY": tmp_path / "secret"}
    for name, folder in inputs.items():
        folder.mkdir()
        command = command.replace(f"${{{name}}}", str(folder))
    shutil.copy(kit / "exam.operator-key", inputs["CREDENTIALS_DIRECTORY"] / "operator-key")
    program, *words = command.replace("/etc/askance", str(kit)).split()
    assert program == PYTHON
    path = tmp_path / "http.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with hand_over(listener, *words) as process:
            try:
                yield path, process
            finally:
                process.kill()


WELL = ["healthy", "editable install: not a release"]


def _ask(words: list[str]) -> tuple[int, list[str]]:
    run = [sys.executable, "-m", "askance", "collect", "healthy", *words]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.long
def test_what_the_unit_starts_is_healthy_and_says_so(
    collector: tuple[Path, "subprocess.Popen[str]"], kit: Path
) -> None:
    position, process = collector
    assert _ask([f"unix:{position}"]) == (0, WELL)
    with closing(socket.socket(socket.AF_UNIX)) as line:
        line.connect(str(position))
        key = (kit / "exam.operator-key").read_text("ascii").strip()
        line.sendall(f"GET /metrics HTTP/1.0\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
        reply = http.client.HTTPResponse(line)
        reply.begin()
        assert b"askance_store_able 1\n" in reply.read()
    process.terminate()
    assert process.wait(30) == 0
    position.unlink()
    assert _ask([f"unix:{position}"]) == (1, ["not healthy"])
    assert _ask(["http://127.0.0.1:1/"]) == (1, ["not healthy"])


@pytest.fixture
def published_form(request: pytest.FixtureRequest) -> Form:
    """The form whose collector stands behind the proxy: one that takes as many reports as come."""
    form: Form = request.getfixturevalue(getattr(request, "param", "affairs_form"))
    return form


@pytest.fixture
def rated(affairs_form: Form) -> Form:
    """The same, but so many from one neighbourhood."""
    return Form.read(affairs_form.document | {"askance": "form-2", "open": {"rate": 30}})


Front = Callable[[Path], AbstractContextManager[Callable[[], str]]]
Stand = Callable[[Path, Path], AbstractContextManager[Callable[[], str]]]


@pytest.fixture
def front(proxy: str, published_form: Form, tmp_path: Path, stand: Stand) -> Front:
    """Run the kit's proxy before a socket; give what reads all that it has written."""
    path = tmp_path / "front"
    write_kit(published_form, path, "exam", "exam.example.org", proxy=proxy)  # type: ignore[arg-type]
    return partial(stand, path)


@pytest.fixture
def stand(
    proxy: str,
    tmp_path: Path,
    certificate: tuple[Path, Path],
    free_port: int,
    nginx: Callable[[str], AbstractContextManager[Path]],
) -> Stand:
    """Run a kit's proxy before a socket; give what reads all that it has written."""

    @contextmanager
    def by_nginx(path: Path, folder: Path) -> Iterator[Callable[[], str]]:
        text = (path / "nginx.conf").read_text("utf-8").replace(SOCKET, str(folder))
        for listened, own in [("80", 2), ("443", 1)]:
            text = text.replace(f"listen {listened}", f"listen 127.0.0.{own}:{free_port}")
        for index, name in enumerate(("fullchain.pem", "privkey.pem")):
            text = re.sub(rf"/etc/letsencrypt/live/[a-z.]+/{name}", str(certificate[index]), text)
        with nginx(text.replace("user www-data;", "user root;")) as errors:
            yield lambda: errors.read_text()

    @contextmanager
    def by_caddy(created: Path, position: Path) -> Iterator[Callable[[], str]]:
        tool = shutil.which("caddy")
        assert tool, "install caddy"
        text = (
            (created / "Caddyfile")
            .read_text("utf-8")
            .replace("/run/askance-exam.sock", str(position))
        )
        own = f":{free_port} {{\n\ttls {certificate[0]} {certificate[1]}"
        text = re.sub(r"(?m)^([a-z]+\.example\.org) \{", rf"https://\1{own}", text)
        text = text.replace("https://exam.example.org:", "https://localhost:")
        text = text.replace("admin off", "admin off\n\tauto_https disable_redirects")
        (tmp_path / "Caddyfile").write_text(text)
        file, home = tmp_path / "said", {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        words = [tool, "run", "--config", str(tmp_path / "Caddyfile"), "--adapter", "caddyfile"]
        with (
            file.open("w") as out,
            subprocess.Popen(words, stderr=out, env=home) as it,
        ):
            try:
                yield file.read_text
            finally:
                it.terminate()

    return by_nginx if proxy == "nginx" else by_caddy


def _wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            socket.create_connection(("localhost", port)).close()
        except OSError:
            time.sleep(0.02)
        else:
            return


def _post(port: int, body: bytes, trusting: ssl.SSLContext) -> tuple[int, bytes]:
    """Send a report as a browser does that says much of its person.

    A proxy may refuse a long one before all of it was sent, and lose the words of its refusal.
    """
    headers = {"User-Agent": "Telltale/1.0", "Accept-Language": "xx-telltale"}
    headers |= {"X-Forwarded-For": "203.0.113.9", "Referer": "https://example.net/"}
    line = http.client.HTTPSConnection("localhost", port, timeout=30, context=trusting)
    with closing(line):
        line.request("POST", "/report", body, headers)
        reply = line.getresponse()
        try:
            return reply.status, reply.read()
        except http.client.IncompleteRead as cut:
            assert reply.status == 413
            return reply.status, cut.partial


FOR_THE_OPERATOR = "/metrics", "/operator", "/operator.json"


def _get(port: int, path: str, trusting: ssl.SSLContext) -> int:
    line = http.client.HTTPSConnection("localhost", port, timeout=30, context=trusting)
    with closing(line):
        line.request("GET", path)
        return line.getresponse().status


def _compressed_page(port: int, trusting: ssl.SSLContext) -> tuple[str, bytes]:
    line = http.client.HTTPSConnection("localhost", port, timeout=30, context=trusting)
    with closing(line):
        line.request("GET", "/", headers={"accept-encoding": "gzip, deflate, br, zstd"})
        reply = line.getresponse()
        assert reply.headers["content-encoding"] == "gzip"
        return reply.headers["vary"].lower(), gzip.decompress(reply.read())


@pytest.mark.long
def test_a_report_goes_through_the_proxy_and_no_log_is_kept(
    collector: tuple[Path, "subprocess.Popen[str]"],
    front: Front,
    free_port: int,
    trusting: ssl.SSLContext,
    make_body: Make,
    affairs_form: Form,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    position, process = collector
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with front(position) as written:
        _wait_for(free_port)
        status, replies = _post(free_port, make_body(), trusting)
        assert (status, json.loads(replies)["accepted"]) == (201, True)
        begun = written()  # Caddy tells what it does until it has read its file
        assert _post(free_port, b"x" * 70_000, trusting)[0] == 413
        questions = {
            path: _get(free_port, path, trusting) for path in (*FOR_THE_OPERATOR, "/health")
        }
        assert questions == dict.fromkeys(FOR_THE_OPERATOR, 404) | {"/health": 200}
        page = render_page(affairs_form).bytes
        assert _compressed_page(free_port, trusting) == ("accept-encoding", page)
        assert _ask([f"https://localhost:{free_port}/"]) == (
            0,
            ["healthy", "editable install: not a release"],
        )
        process.terminate()
        process.wait(30)
        position.unlink()
        assert _post(free_port, make_body(), trusting)[0] == 502
        assert written() == begun
        assert [item for item in (*TRACES, "::1", "/report") if item in begun] == []
    store = open_store(tmp_path / "state" / "exam.db", affairs_form)
    assert store.count() == 1
    store.close()


@pytest.mark.long
def test_the_proxy_hands_nothing_of_a_person_on(
    front: Front,
    free_port: int,
    trusting: ssl.SSLContext,
    tmp_path: Path,
) -> None:
    items = list[bytes]()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "ear.sock"))
        listener.listen()

        def listen() -> None:
            line, _ = listener.accept()
            with line:
                text = b""
                while not text.endswith(b"a report"):
                    text += line.recv(65_536)
                items.append(text)
                line.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=listen)
        thread.start()
        with front(tmp_path / "ear.sock"):
            _wait_for(free_port)
            assert _post(free_port, b"a report", trusting)[0] == 201
        thread.join(30)
    (head,) = items
    assert head.startswith(b"POST /report HTTP/1.")
    assert f"host: localhost:{free_port}".encode() in head.lower()
    assert [trace for trace in TRACES if trace.lower().encode() in head.lower()] == []


@pytest.mark.parametrize("published_form", ["affairs_form", "rated"], indirect=True)
@pytest.mark.long
def test_an_address_goes_past_the_proxy_only_where_reports_are_counted_by_it(
    front: Front, published_form: Form, free_port: int, trusting: ssl.SSLContext, tmp_path: Path
) -> None:
    path, items = tmp_path / "front.sock", list[bytes]()
    with closing(socket.socket(socket.AF_UNIX)) as line:
        line.bind(str(path))
        path.chmod(0o666)
        line.listen()
        thread = threading.Thread(target=_overhear, args=(line, items))
        thread.start()
        with front(path):
            _wait_for(free_port)
            assert _post(free_port, b"x", trusting)[0] == 200
        thread.join(30)
    (request,) = items
    ones = [part for part in request.lower().split(b"\r\n") if part.startswith(b"x-forwarded-for:")]
    assert ones == ([b"x-forwarded-for: 127.0.0.1"] if published_form.open_link else [])


def _overhear(line: socket.socket, received: list[bytes]) -> None:
    """Take one request, whatever it is, and say that all is well."""
    caller, _ = line.accept()
    with closing(caller):
        text = b""
        while not text.endswith(b"\r\n\r\nx") and (more := caller.recv(1 << 16)):
            text += more
        received.append(text)
        caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize("container", [False, True])
def test_a_rated_collector_counts_by_what_its_proxy_says(
    container: bool, rated: Form, affairs_form: Form, tmp_path: Path
) -> None:
    file = "Containerfile" if container else "askance-exam.service"
    for form, counts in [(rated, True), (affairs_form, False)]:
        created = tmp_path / str(counts)
        write_kit(form, created, "exam", "exam.example.org", container=container)
        started = re.sub('[",]', " ", (created / file).read_text("utf-8"))
        words = " ".join(started.split())
        assert ("--behind-proxy --address-header X-Forwarded-For" in words) is counts


@pytest.fixture
def two(affairs_form: Form) -> dict[str, Form]:
    other = affairs_form.document | {"title": {"en": "Another"}}
    return {"north": affairs_form, "south": Form.read(other)}


def _request(
    port: int, host: str, path: str, trusting: ssl.SSLContext, body: bytes | None = None
) -> tuple[int, bytes]:
    line = http.client.HTTPSConnection(host, port)
    connection = socket.create_connection(("localhost", port), 30)
    line.sock = trusting.wrap_socket(connection, server_hostname=host)
    with closing(line):
        line.request("GET" if body is None else "POST", path, body)
        reply = line.getresponse()
        return reply.status, reply.read()


FOR_NOBODY = "metrics", "operator", "operator.json", "operator/close", "%6detrics", "/metrics"


@pytest.mark.long
def test_several_surveys_are_asked_through_the_proxy_of_their_kit(
    proxy: Any,
    stand: Stand,
    two: dict[str, Form],
    free_port: int,
    trusting: ssl.SSLContext,
    tmp_path: Path,
    hand_over: Callable[..., Any],
) -> None:
    say = partial(_request, free_port, trusting=trusting)
    by_host = {name: f"{name}.example.org" for name in two}
    write_kit(two, tmp_path / "paths", "exam", "both.example.org", proxy=proxy)
    write_kit(two, tmp_path / "hosts", "exam", by_host, proxy=proxy)
    with _started(tmp_path / "paths", tmp_path, hand_over) as (started_result, process):
        with stand(tmp_path / "paths", started_result):
            _wait_for(free_port)
            for name, form in two.items():
                _is_asked(partial(say, "both.example.org"), f"/{name}", form)
            assert say("both.example.org", "/health") == (200, b'{"healthy":true}')
            assert [say("both.example.org", f"/{item}")[0] for item in FOR_NOBODY] == [404] * 6
        with stand(tmp_path / "hosts", started_result):
            _wait_for(free_port)
            for name, form in two.items():
                _is_asked(partial(say, by_host[name]), "", form)
            for path in ("/south/form.json", "/../south/form.json", "/%2e%2e/south/form.json"):
                assert say("north.example.org", path)[0] >= 400  # to each host its survey alone
        process.terminate()
        process.wait(30)
    for name in two:
        store = open_store(tmp_path / "state" / f"{name}.db", read_only=True)
        assert store.count() == 2
        store.close()


def _is_asked(say: Callable[..., tuple[int, bytes]], text: str, form: Form) -> None:
    assert form.fingerprint.encode() in say(f"{text}/")[1]
    assert say(f"{text}/form.json") == (200, form.bytes)
    answers: dict[str, Any] = {
        question.name: 30 if question.name == "age" else 0 for question in form.questions
    }
    assert say(f"{text}/report", body=respond(form, answers).body(form.size))[0] == 201
    assert say(f"{text}/health") == (200, b'{"healthy":true}')
    assert [say(f"{text}/{item}")[0] for item in FOR_NOBODY] == [404] * 6


@pytest.mark.parametrize("container", [False, True])
def test_a_kit_for_several_names_all_of_them(
    container: bool, two: dict[str, Form], exposure: Callable[[Path], float], tmp_path: Path
) -> None:
    kit = tmp_path / "kit"
    hosts = {name: f"{name}.example.org" for name in two}
    write_kit(two, kit, "both", hosts, container=container)
    for path in kit.glob("*.*"):
        if path.is_file() and path.suffix != ".json":
            assert not re.search(r"@[a-z]+@", path.read_text("utf-8")), path
    assert {name: (kit / f"{name}.form.json").read_bytes() for name in two} == {
        name: form.bytes for name, form in two.items()
    }
    text = (kit / "README.md").read_text("utf-8")
    for name in two:
        assert (
            f"collect close /{'store' if container else 'var/lib/private/askance-both'}/{name}.db"
            in text
        )
        assert f"https://{name}.example.org/ |" in text.replace(";", " |")
    if container:
        assert _lint(kit / "Containerfile") == ""
    else:
        assert exposure(kit / "askance-both.service") <= 2.0


@pytest.mark.parametrize(
    ("names", "host", "complaint"),
    [
        (["north"], "n.example.org", "form: got 1"),
        (["north", "metrics"], "n.example.org", "name: got 'metrics'"),
        (["north", "South"], "n.example.org", "name: got 'South'"),
        (["north", "south"], {"north": "n.example.org"}, "host: got 'north=n"),
        (["north", "south", "east"], {"north": "n.org", "south": "n.org", "east": "e.org"}, "host"),
        (["north", "south"], {"north": "n.org", "south": "; }"}, "host: got '; }'"),
    ],
)
def test_several_that_would_not_be_told_apart_are_refused(
    names: list[str], host: Any, complaint: str, affairs_form: Form, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=complaint):
        write_kit(dict.fromkeys(names, affairs_form), tmp_path / "kit", "exam", host)
    assert not (tmp_path / "kit").exists()
