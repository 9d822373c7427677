"""What the machine that signs is handed beside a collector's kit: its unit is run as written."""

import http.client
import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from askance_collect.collect import write_kit
from askance_collect.respond import blind
from askance_collect.tokens import Issuer, create_issuer
from askance_collect.wire import Form, from_base64url, to_base64url

PYTHON = "/opt/askance/bin/python"
FILES = ["README.md", "askance-exam-issuer.service", "askance-exam-issuer.socket"]


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Issuer]:
    made_issuer = create_issuer(tmp_path_factory.mktemp("issuer") / "exam.issuer")
    yield made_issuer
    made_issuer.close()


@pytest.fixture
def invited(issuer: Issuer, affairs_form: Form) -> Callable[[str], Form]:
    """A form whose reports need tokens, by where its issuer is."""
    keys = [{"name": key["kid"], "n": key["n"]} for key in issuer.jwks()["keys"]]

    def made(address: str) -> Form:
        tokens = {"issuer": address, "keys": keys}
        return Form.read(affairs_form.document | {"askance": "form-2", "tokens": tokens})

    return made


@pytest.fixture
def kit(invited: Callable[[str], Form], tmp_path: Path) -> Path:
    form = invited("https://issue.example.org/")
    write_kit(form, tmp_path / "kit", "exam", "exam.example.org")
    return tmp_path / "kit" / "issuer-exam"


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
@pytest.mark.parametrize("container", [False, True])
def test_whoever_signs_has_a_folder_of_their_own(
    proxy: Any, container: bool, invited: Callable[[str], Form], tmp_path: Path
) -> None:
    form, file = invited("https://issue.example.org/"), tmp_path / "kit"
    made_kit = write_kit(form, file, "exam", "exam.example.org", proxy=proxy, container=container)
    other = {"nginx": "nginx.conf", "caddy": "Caddyfile"}[proxy]
    theirs = [path for path in made_kit if path.parent == file / "issuer-exam"]
    assert [path.name for path in theirs] == sorted([*FILES, other, "requirements.txt"])
    for path in theirs:
        text = path.read_text("utf-8")
        assert not re.search(r"@[a-z]+@", text), path
        assert "exam.example.org" not in text
        assert "operator-key" not in text
    assert "issue.example.org" in (file / "issuer-exam" / other).read_text("utf-8")


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8001/", "https://a.example/b/", "https://a.example:8443/"]
)
def test_an_issuer_without_a_host_of_its_own_has_none(
    address: str, invited: Callable[[str], Form], tmp_path: Path
) -> None:
    made_kit = write_kit(invited(address), tmp_path / "kit", "exam", "exam.example.org")
    assert {path.parent for path in made_kit} == {tmp_path / "kit"}


def test_its_unit_is_hardened_and_systemd_finds_no_fault(
    kit: Path, exposure: Callable[[Path], float], verified: Callable[[Path], str]
) -> None:
    assert exposure(kit / FILES[1]) <= 2.0
    assert verified(kit) == ""


@pytest.mark.long
def test_what_its_unit_starts_exchanges_codes_and_says_nothing_of_them(
    kit: Path,
    issuer: Issuer,
    invited: Callable[[str], Form],
    tmp_path: Path,
    hand_over: Callable[..., Any],
) -> None:
    form, codes = invited("https://issue.example.org/"), issuer.invite(2)
    (command,) = re.findall("(?m)^ExecStart=(.*)$", (kit / FILES[1]).read_text("utf-8"))
    program, *words = command.replace("${STATE_DIRECTORY}", str(issuer.path.parent)).split()
    assert program == PYTHON
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "issuer.sock"))
        listener.listen()
        with hand_over(listener, *words) as process:
            waiting = blind(form)
            status, replies = _exchange(tmp_path / "issuer.sock", codes[0], waiting.message)
            assert status == 200
            assert waiting.token(from_base64url(replies["signature"])).key == 0
            status, replies = _exchange(tmp_path / "issuer.sock", codes[0], blind(form).message)
            assert (status, replies["error"]["code"]) == (409, "exchanged")
            process.terminate()
            written = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "exchanging codes at unix:" in written[0]
    assert not [code for code in codes if code in written[0] or code in written[1]]


def _exchange(path: Path, code: str, blinded: bytes) -> tuple[int, Any]:
    line = http.client.HTTPConnection("localhost")
    line.sock = socket.socket(socket.AF_UNIX)
    line.sock.connect(str(path))
    with closing(line):
        line.request("POST", "/sign", json.dumps({"blinded": to_base64url(blinded), "code": code}))
        reply = line.getresponse()
        return reply.status, json.loads(reply.read())
