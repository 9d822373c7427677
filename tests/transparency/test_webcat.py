"""The manifest for WEBCAT, held to rules that are written from its specification and documentation.

webcat-spec ``manifest.md`` and ``csp.md``; docs.webcat.tech "CSP", "Requirements" and
"webcat.config.json Schema", which are newer and go before them.
"""

import json
import re
from base64 import urlsafe_b64decode
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from urllib.request import urlopen

import pytest
from test_same_page import host

from askance.survey import load_survey, publish
from askance.transparency import render_webcat, verify_webcat
from askance_collect.collect import create_app, open_store, serving
from askance_collect.errors import InputError
from askance_collect.respond import render_page
from askance_collect.wire import Form, to_base64url

EXAMPLES = Path(__file__).parents[2] / "examples"
HOME = "https://exam.example.org/"
BARE = publish(load_survey(EXAMPLES / "affairs.toml"))
FORM = Form.read(BARE.document | {"collector": HOME})
PINNED = Form.read(FORM.document | {"askance": "form-2", "pin": True})
KEYS = [{"name": "all", "n": to_base64url(b"\xc1" + bytes(254) + b"\x01")}]
INVITED = FORM.document | {
    "askance": "form-2",
    "tokens": {"issuer": "https://sign.example.org/", "keys": KEYS},
}
FORMS = {
    "affairs": FORM,
    "pinned": PINNED,
    "invited": Form.read(INVITED),
    "student life": Form.read(
        publish(load_survey(EXAMPLES / "student-life.toml")).document | {"collector": HOME}
    ),
}
FIELDS = {
    "app": str,
    "version": str,
    "default_csp": str,
    "extra_csp": dict,
    "default_index": str,
    "default_fallback": str,
    "files": dict,
    "wasm": list,
}
HASHES = r"'sha(256|384|512)-[\w+/]+={0,2}'"
ALLOWED = {
    "default-src": "'none'|'self'",
    "script-src": f"'none'|'self'|'wasm-unsafe-eval'|{HASHES}",
    "script-src-elem": f"'none'|'self'|'wasm-unsafe-eval'|{HASHES}",
    "style-src": f"'none'|'self'|'unsafe-inline'|'unsafe-hashes'|{HASHES}",
    "style-src-elem": f"'none'|'self'|'unsafe-inline'|'unsafe-hashes'|{HASHES}",
    "object-src": "'none'",
    "frame-src": "'none'|'self'|blob:|data:",
    "child-src": "'none'|'self'|blob:|data:",
    "worker-src": "'none'|'self'",
}
"""The source expressions that WEBCAT takes, of a host that names no other host's frames."""


def needed(policy):
    """Hold a policy to "CSP", and give its directives."""
    assert "," not in policy
    assert policy.isascii()
    directives = {}
    for part in policy.split(";"):
        name, *sources = part.split()
        assert name not in directives
        directives[name] = sources
    for name, allowed in ALLOWED.items():
        for source in directives.get(name, []):
            assert re.fullmatch(allowed, source), (name, source)
    if directives["default-src"] != ["'none'"]:
        assert {"object-src", "worker-src", "script-src", "style-src"} <= directives.keys()
        assert {"frame-src", "child-src"} & directives.keys()
    return directives


@pytest.mark.parametrize(
    "policy",
    [
        "default-src 'none'; script-src https://else.example",
        "default-src 'none'; script-src 'unsafe-eval'",
        "default-src 'none', default-src 'self'",
        "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'",
        "default-src 'none'; worker-src blob:",
    ],
)
def test_the_rules_refuse_what_webcat_refuses(policy):
    with pytest.raises(AssertionError):
        needed(policy)


@pytest.mark.parametrize("name", FORMS)
def test_every_field_is_as_the_specification_says(name):
    webcat = render_webcat(FORMS[name])
    manifest = webcat.manifest
    assert {key: type(value) for key, value in manifest.items()} == FIELDS
    assert manifest["app"] == f"{HOME}form.json"
    assert manifest["version"] == version("askance")
    assert not manifest["default_index"].startswith("/")
    assert f"/{manifest['default_index']}" in manifest["files"]
    assert manifest["default_fallback"] in manifest["files"]
    assert manifest["wasm"] == []
    assert {f"/{name}" for name in webcat.files} == manifest["files"].keys()
    for file, body in webcat.files.items():
        spelt = manifest["files"][f"/{file}"]
        assert re.fullmatch(r"[\w-]{43}", spelt)
        assert urlsafe_b64decode(f"{spelt}=") == sha256(body).digest()
    assert needed(manifest["default_csp"])["default-src"] == ["'none'"]
    for path, policy in manifest["extra_csp"].items():
        assert path.startswith("/")
        assert not any(manifest["default_index"].startswith(item) for item in ("/", path))
        assert needed(policy)["default-src"] == ["'none'"]


@pytest.mark.parametrize("name", FORMS)
def test_what_is_signed_is_spelt_canonically(name):
    webcat = render_webcat(FORMS[name])

    def spelt(value):  # wiki.laptop.org/go/Canonical_JSON: only " and \ are escaped
        if isinstance(value, dict):
            inside = ",".join(f"{spelt(key)}:{spelt(value[key])}" for key in sorted(value))
            return f"{{{inside}}}"
        if isinstance(value, list):
            return f"[{','.join(map(spelt, value))}]"
        inside = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{inside}"'

    spelt_result = spelt(webcat.manifest)
    assert webcat.unsigned == f'{{"manifest":{spelt_result}}}'.encode()
    assert urlsafe_b64decode(f"{webcat.hash}=") == sha256(spelt_result.encode()).digest()
    config = json.loads(webcat.config)
    assert config == {key: value for key, value in webcat.manifest.items() if key != "files"}


def replies(form, tmp_path):
    """What a collector sends to whoever asks, by path."""
    page, store = render_page(form), open_store(tmp_path / "a.db", form)
    app = create_app(
        form, page.bytes, page.headers, page.sha256, store, adjacent_files=page.companions
    )
    paths = ["/", *(f"/{name}" for name in page.companions), "/report", "/form.json"]
    with serving(app) as address:
        received = {}
        for path in paths:
            with urlopen(f"{address}{path[1:]}") as reply:
                received[path] = (reply.getheaders(), reply.read())
    store.close()
    return {
        path: ([header for header in headers if header[0] != "content-length"], body)
        for path, (headers, body) in received.items()
    }


@pytest.mark.parametrize("form", [FORM, PINNED])
def test_what_a_collector_serves_hashes_to_it_and_has_its_policy(form, tmp_path):
    served, webcat = replies(form, tmp_path), render_webcat(form)
    for path, (headers, body) in served.items():
        policies = [value for name, value in headers if name == "content-security-policy"]
        assert policies == [webcat.manifest["extra_csp"].get(path, webcat.manifest["default_csp"])]
        assert {"link", "refresh", "location"}.isdisjoint(name for name, _ in headers)
        if wanted := webcat.manifest["files"].get("/index.html" if path == "/" else path):
            assert urlsafe_b64decode(f"{wanted}=") == sha256(body).digest()

    signed = {"manifest": webcat.manifest | {"timestamp": "size=1"}, "signatures": {}}
    bundle = {"/.well-known/webcat/bundle.json": ([], json.dumps(signed).encode())}
    with host(served | bundle) as address:
        assert verify_webcat(form, address, seconds=10.0).outcome == "same"
    other = {"/": (served["/report"][0], served["/"][1] + b" ")}
    with host(served | bundle | other) as address:
        result = verify_webcat(form, address, seconds=10.0).differences
        assert [item.partition("\n")[0] for item in result] == [
            f"/: a hash that is not the manifest's, {webcat.manifest['files']['/index.html']}",
            "/: header content-security-policy",
        ]
    twice = {"/report": ([*served["/report"][0] * 2], b"{}")}
    with host(served | bundle | twice) as address:
        assert verify_webcat(form, address, seconds=10.0).outcome == "different"
    with host(served) as address:
        assert verify_webcat(form, address, seconds=10.0).outcome == "unreachable"


def changed(**fields):
    return json.dumps({"manifest": render_webcat(FORM).manifest | fields}).encode()


@pytest.mark.parametrize(
    ("content", "outcome", "message"),
    [
        (render_webcat(FORM).unsigned, "same", ""),
        (changed(timestamp="size=1"), "same", ""),
        (changed(files={"/index.html": "A" * 43}), "different", "first in files./index.html"),
        (changed(wasm=["A" * 43]), "different", "first in wasm"),
        (changed(more="x"), "different", "first in more"),
        (changed(version="0.0.0"), "another version", "made by Askance 0.0.0"),
        (b'{"manifest":{"app":"a","app":"b"}}', "different", "a key stands twice"),
        (b"[1]", "different", "there is none"),
        (b"{", "different", "no JSON"),
        (b"\xff", "different", "no JSON"),
    ],
)
def test_a_manifest_in_a_file_is_compared(tmp_path, content, outcome, message):
    (tmp_path / "m.json").write_bytes(content)
    verdict = verify_webcat(FORM, str(tmp_path / "m.json"))
    assert verdict.outcome == outcome
    assert message in "\n".join(verdict.differences)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"collector": ""}, "collector: got 'none'"),
        ({"collector": "http://exam.example.org/"}, "collector"),
        ({"collector": "https://exam.example.org:8443/"}, "collector"),
        ({"collector": "https://example.org/exam/"}, "a host name of its own"),
        ({"askance": "form-2", "tablet": True}, "a form for a tablet"),
        (
            {"askance": "form-2", "tokens": {"issuer": f"{HOME}sign/", "keys": KEYS}},
            "another host than the page's",
        ),
    ],
)
def test_a_form_whose_page_webcat_could_not_open_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        render_webcat(Form.read(FORM.document | change))


def test_webcat_looks_at_the_whole_of_a_host():
    with pytest.raises(InputError, match="the root of a host"):
        verify_webcat(FORM, "https://exam.example.org/there/")
