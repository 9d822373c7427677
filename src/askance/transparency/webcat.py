"""The manifest of a study's page for WEBCAT, whose extension of a browser opens nothing else.

A manifest names the files of one host by their SHA-256, and the Content Security Policies that the
host sends with them. Whoever runs the host signs it with WEBCAT's own tools, and enrols the host.
From then on the extension refuses, on that host, every file that has another hash and every reply
that has another policy, so that the replies of the collector must have one too.

References
----------
Freedom of the Press Foundation: webcat-spec (``manifest.md``, ``csp.md``), and where it is behind
them the documentation (docs.webcat.tech, "CSP", "webcat.config.json Schema") and the extension,
as of August 2026: the file of the root is named without a slash, and a policy may have hashes.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, final
from urllib.parse import urljoin, urlsplit

from askance.transparency.fetch import Fetched, NotFetched, fetch
from askance.transparency.same_page import Verdict, find_differences, read_page_file
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.lazy import release
from askance_collect.respond.page import render_page
from askance_collect.wire.canonical_json import canonical, unique_members
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import keep_unchangeable
from askance_collect.wire.http_request import Client, plain
from askance_collect.wire.report import REPLY_POLICY

BUNDLE = ".well-known/webcat/bundle.json"
_INDEX = "index.html"
_CALLED = "/report", "/form.json"
"""What else lies on a collector's host that a page, or a person, may ask for."""
_POLICY = "content-security-policy"


@final
@dataclass(frozen=True, slots=True)
class Webcat:
    """What WEBCAT's tools are given of a study's page.

    Attributes
    ----------
    unsigned : bytes
        The unsigned manifest as a file, in the canonical spelling that is signed.
    files : Mapping[str, bytes]
        By their names, the files that it names: the page, and what lies beside it.
    """

    unsigned: bytes = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "files")

    @property
    def manifest(self) -> dict[str, Any]:
        """What is to be signed.

        ``app`` (where the form lies, from which anybody can rebuild the page), ``version`` (of
        Askance), ``default_csp``, ``extra_csp``, ``default_index``, ``default_fallback``, ``files``
        and ``wasm``. One that is signed by Sigsum also has a ``timestamp``, which WEBCAT's tools
        put in.
        """
        manifest: dict[str, Any] = json.loads(self.unsigned)["manifest"]
        return manifest

    @property
    def config(self) -> bytes:
        """What ``webcat manifest generate`` makes the same manifest from, with the files."""
        return canonical({key: value for key, value in self.manifest.items() if key != "files"})

    @property
    def hash(self) -> str:
        """The manifest's hash, as ``webcat manifest hash`` prints it."""
        return _hash(canonical(self.manifest))


@checked
def render_webcat(form: Form) -> Webcat:
    """Write the unsigned WEBCAT manifest of a form's page, as its collector serves it.

    Parameters
    ----------
    form : Form
        With a collector at the root of a host of its own: WEBCAT has one manifest for each host.

    Returns
    -------
    Webcat

    Raises
    ------
    InputError
        If the form names no such collector, if its issuer lies on the same host, or if it is for a
        tablet.

    >>> from askance.transparency import Webcat, render_webcat
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> question = {"kind": "choice", "name": "tea", "text": tea, "answers": answers}
    >>> about = {"title": tea, "consent": tea, "contact": tea, "languages": ["en"], "about": {}}
    >>> collector = "https://tea.example.org/"
    >>> fixed = {"askance": "form-1", "collector": collector, "size": 256, "questions": [question]}
    >>> made: Webcat = render_webcat(Form.read(about | fixed))
    >>> made.manifest["app"], list(made.manifest["files"]), made.manifest["wasm"]
    ('https://tea.example.org/form.json', ['/index.html'], [])
    """
    collector = _need_fit(form)
    page = render_page(form)
    files = {_INDEX: page.bytes, **{name: body for name, (body, _) in page.companions.items()}}
    policies = {f"/{name}": headers[_POLICY] for name, (_, headers) in page.companions.items()}
    manifest = {
        "app": urljoin(collector, "form.json"),
        "version": release(),
        "default_csp": page.headers[_POLICY],
        "extra_csp": policies | dict.fromkeys(_CALLED, REPLY_POLICY),
        "default_index": _INDEX,
        "default_fallback": f"/{_INDEX}",
        "files": {f"/{name}": _hash(body) for name, body in files.items()},
        "wasm": [],
    }
    return Webcat(canonical({"manifest": manifest}), files)


def _need_fit(form: Form) -> str:
    """Give where the page's collector lies, which must be where WEBCAT looks."""
    if form.for_tablet:
        raise InputError("form", got="a form for a tablet", allowed="a form that people open")
    collector: str = form.document["collector"]
    parts = urlsplit(collector)
    if parts.scheme != "https" or parts.port is not None or parts.path != "/":
        raise InputError(
            "collector",
            got=collector or "none",
            allowed="an address such as https://exam.example.org/: WEBCAT has one manifest a host",
            remedy="give the survey a host name of its own, and publish it again",
        )
    if form.tokens is not None and urlsplit(form.tokens.issuer).hostname == parts.hostname:
        raise InputError(
            "issuer",
            got=form.tokens.issuer,
            allowed="another host than the page's: WEBCAT looks at every reply of that one",
        )
    return collector


@checked
def verify_webcat(
    form: Form, address: str, *, client: Client = "firefox", seconds: float = 30.0
) -> Verdict:
    """Compare what a host hands out to WEBCAT, or a manifest in a file, with what a form makes.

    Of a host this looks at what the extension looks at: the manifest in its bundle, the hash of
    every file, and the policy of every reply. Neither signatures nor the enrolment are looked at:
    ``webcat manifest verify`` does that.

    Parameters
    ----------
    form : Form
    address : str
        The address of a host, or the file of a manifest or bundle.
    client : str
        As whom it is fetched: ``"firefox"``, ``"chromium"`` or ``"curl"``.
    seconds : float
        For each of what is fetched.

    Returns
    -------
    Verdict
        Without a SHA-256.

    Raises
    ------
    InputError
        If no manifest can be made of the form, or the address is not the root of a host.
    DocumentError
        If the file cannot be read.

    >>> from askance.survey import load_survey, publish
    >>> from askance.transparency import verify_webcat
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> verify_webcat(form, "https://exam.example.org/")
    Traceback (most recent call last):
    askance_collect.errors.InputError: collector: got 'none'; allowed: an address such as ...
    """
    webcat = render_webcat(form)
    if "://" not in address:
        return _compare_manifest(read_page_file(address), webcat)
    if urlsplit(address).path not in ("", "/"):
        allowed = "the root of a host, such as https://exam.example.org/"
        raise InputError("URL", got=address, allowed=allowed)
    paths = ["/", *(f"/{name}" for name in webcat.files if name != _INDEX), *_CALLED]
    try:
        bundle = fetch(urljoin(address, BUNDLE), client, seconds)
        replies = {path: fetch(urljoin(address, path), client, seconds) for path in paths}
    except NotFetched as reason:
        return Verdict("different" if reason.elsewhere else "unreachable", (str(reason),))
    verdict = _compare_manifest(bundle.body, webcat)
    lines = [
        line
        for path, reply in replies.items()
        for line in _compare_reply(path, reply, webcat.manifest)
    ]
    return Verdict("different", (*verdict.differences, *lines)) if lines else verdict


def _compare_manifest(raw: bytes, webcat: Webcat) -> Verdict:
    """Compare the manifest in a file with the one that was made."""
    try:
        document = json.loads(raw, object_pairs_hook=unique_members)
    except (ValueError, RecursionError):
        return Verdict("different", ("the manifest: it is no JSON, or a key stands twice",))
    manifest = document.get("manifest") if isinstance(document, dict) else None
    if not isinstance(manifest, dict):
        return Verdict("different", ("the manifest: there is none",))
    manifest = {key: value for key, value in manifest.items() if key != "timestamp"}
    first = next(find_differences(manifest, webcat.manifest, ""), None)
    if first is None:
        return Verdict("same", ())
    path, actual, wanted = first
    sentence = f"the manifest, first in {path}\n  got       {actual}\n  should be {wanted}"
    built, ours = manifest.get("version"), webcat.manifest["version"]
    if built != ours:
        by = f"made by Askance {plain(str(built))[:40]}, this is {ours}"
        return Verdict("another version", (by, sentence))
    return Verdict("different", (sentence,))


def _compare_reply(path: str, reply: Fetched, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Say what the extension would refuse in a reply."""
    wanted = manifest["files"].get(f"/{_INDEX}" if path == "/" else path)
    if wanted is not None and _hash(reply.body) != wanted:
        yield f"{path}: a hash that is not the manifest's, {wanted}"
    policies = [value for name, value in reply.headers if name.lower() == _POLICY]
    policy = manifest["extra_csp"].get(path, manifest["default_csp"])
    if policies != [policy]:
        policy_text = plain(", ".join(policies)[:200]) or "none"
        yield f"{path}: header {_POLICY}\n  got       {policy_text}\n  should be {policy}"


def _hash(content: bytes) -> str:
    """A SHA-256 as WEBCAT spells it: base64url (RFC 4648, section 5), without padding."""
    return urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode("ascii")
