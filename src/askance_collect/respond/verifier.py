"""The verifier: a page that others host, which opens a study's page only as it was published.

Whoever serves the study's page could serve one person another one. The verifier lies elsewhere,
with an ethics board or a library: it fetches the page as bytes, hashes them, and opens those bytes
or nothing.

How it opens them decides what it can promise. Whatever a page makes of bytes that it holds, by
``document.write``, a ``blob:`` address or a frame, runs on its origin and under its policy (HTML
Standard, "determining navigation params policy container"). So a verifier of any page whatever
would have to let every script run, on the origin of whoever hosts it, for whoever writes a link.
This one is made for one page: its policy names the hashes of that page's script and style beside
its own, and lets no other script run even if the comparison were broken. It writes the bytes into
its own document: the address stays, with what an invitation put behind the ``#``; a reload fetches
and judges anew; nothing is installed and nothing is left behind, as a service worker would leave
it; and it works in the windows that apps open, where there are no service workers.
"""

import html
import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.lazy import release
from askance_collect.respond.assembly import (
    Script,
    filled,
    hash_of,
    joined_styles,
    needed_parts,
    source,
)
from askance_collect.respond.page import Page, render_page
from askance_collect.respond.words import script_of_own, script_of_words, with_words
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form import Form

_STYLES = "palette", "form", "asking", "controls"
_ADDRESS = re.compile(
    r"(https://([a-z0-9.-]+|\[[0-9a-f:]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))"
    r"(:\d{1,5})?/[\w.~/-]*",
    re.ASCII,
)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LEFT_OUT = "worker-src", "manifest-src", "frame-ancestors", "trusted-types"
"""What a page's policy says that is not so here: nothing is installed, and one text is written."""


@checked
def render_verifier(form: Form, address: str, report_to: str) -> Page:
    """Assemble the page that opens a form's page, if it is found as published, and nothing else.

    It is one file for any web server that others run, or to be opened from a disk. Its bytes follow
    from the form, the address, whom to tell and this version of Askance.

    Parameters
    ----------
    form : Form
        With a collector: the page would look for one where the verifier lies.
    address : str
        Where the page lies: ``https://…``, or ``http://`` on this machine. It must be readable from
        other origins, as a collector's page is.
    report_to : str
        Whom people turn to if another page is found: best not whoever serves the page. Paragraphs
        have an empty line between them.

    Returns
    -------
    Page

    Raises
    ------
    InputError
        If the form names no collector or is for a tablet; if the address is none; if nobody is
        told.

    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> question = {"kind": "choice", "name": "tea", "text": tea, "answers": answers}
    >>> about = {"title": tea, "consent": tea, "contact": tea, "languages": ["en"], "about": {}}
    >>> collector = "https://tea.example.org/"
    >>> fixed = {"askance": "form-1", "collector": collector, "size": 256, "questions": [question]}
    >>> from askance_collect.respond import render_page, render_verifier
    >>> form = Form.read(about | fixed)
    >>> verifier = render_verifier(form, collector, "ethics@uni.example")
    >>> render_page(form).sha256.encode() in verifier.bytes
    True
    """
    _need_fit(form, address, report_to)
    page = render_page(form)
    published = {
        "address": address,
        "sha256": page.sha256,
        "size": len(page.bytes),
        "tell": report_to.strip(),
    }
    style, script = joined_styles(_STYLES), _script(form, published)
    policy = _policy(page, address, style, script)
    contact = "".join(
        f'<p dir="auto">{html.escape(paragraph)}</p>'
        for paragraph in report_to.strip().split("\n\n")
    )
    parts = {
        "policy": policy,
        "version": release(),
        "title": html.escape(form.document["title"][form.languages[0]]),
        "style": style,
        "contact": contact,
        "script": script,
    }
    written = filled(source("hosted/verifier.html"), parts)
    headers = {
        **page.headers,
        "content-security-policy": f"{policy}; frame-ancestors 'none'",
        "cross-origin-opener-policy": "same-origin",
    }
    return Page(written, fingerprint(written), headers)


@checked
def verified_link(verifier: str, address: str, sha256: str) -> str:
    """Write the link that opens a page by way of a verifier: what is published stands behind the #.

    Parameters
    ----------
    verifier : str
        Where the verifier lies.
    address, sha256 : str
        Where the page lies, and its SHA-256 in hexadecimal.

    Raises
    ------
    InputError
        If one of them is none.

    >>> verified_link("https://library.example/t", "https://tea.example.org/", "0" * 64)[:68]
    'https://library.example/t#page=https://tea.example.org/&sha256=00000'
    """
    for where, url in (("verifier", verifier), ("address", address)):
        _need_address(where, url)
    if not _SHA256.fullmatch(sha256):
        raise InputError("sha256", got=sha256, allowed="64 digits and letters from a to f")
    return f"{verifier}#page={address}&sha256={sha256}"


def _need_fit(form: Form, address: str, tell: str) -> None:
    """Refuse what no verifier could open, or where nobody would hear of another page."""
    if not form.document["collector"]:
        raise InputError(
            "form",
            got="a form without a collector",
            allowed="one that names where its reports go, since the verifier lies elsewhere",
            remedy='add collector = "https://…/" to the survey, and publish it again',
        )
    if form.for_tablet:
        raise InputError("form", got="a form for a tablet", allowed="a form that people open")
    _need_address("address", address)
    if not tell.strip():
        raise InputError("tell", got="nobody", allowed="whom people turn to, and how")


def _need_address(where: str, address: str) -> None:
    try:
        fits = _ADDRESS.fullmatch(address) and urlsplit(address).port != 0
    except ValueError:
        fits = False
    if not fits:
        raise InputError(
            where,
            got=address,
            allowed="an address such as https://example.org/page.html, without ? and #",
        )


def _script(form: Form, published: Mapping[str, object]) -> str:
    """Join what it runs, with the words of every language, started with what was published."""
    parts = needed_parts(["browser/words.js", "hosted/verifier.js"])
    names = frozenset[str]().union(*(part.names for part in parts))
    words = [script_of_words(with_words(), names)]
    if form.translations:
        words.append(script_of_own(form.translations, names))
    argument = json.dumps(published, separators=(",", ":")).replace("<", r"\u003c")
    first, *others = parts
    return Script((first, *words, *others, f"verify({argument});")).text


def _policy(page: Page, address: str, style: str, script: str) -> str:
    """Write the page's own policy with what the verifier needs in addition."""
    stated = page.headers["content-security-policy"].split("; ")
    policy = {name: rest for name, _, rest in (directive.partition(" ") for directive in stated)}
    policy["script-src"] += f" {hash_of(script)}"
    policy["style-src"] += f" {hash_of(style)}"
    parts = urlsplit(address)
    reached = [origin for origin in policy["connect-src"].split() if origin != "'self'"]
    home = f"{parts.scheme}://{parts.netloc}"
    policy["connect-src"] = " ".join(dict.fromkeys([*reached, home]))
    directives = (f"{name} {rest}" for name, rest in policy.items() if name not in _LEFT_OUT)
    return "; ".join((*directives, "trusted-types verified"))
