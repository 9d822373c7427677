"""Compare a page with the one that its form and its version make; describe the difference.

Whoever serves a page may serve another one to whom they like. What is fetched here is fetched as
a browser does, so that it cannot be told apart by what it says of itself; once a day from several
networks is more than once from one.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, final
from urllib.parse import urljoin

from askance.transparency.fetch import Fetched, NotFetched, fetch
from askance_collect.arguments import checked
from askance_collect.errors import InputError, file_faults
from askance_collect.respond.iframe import FRAME, render_frame
from askance_collect.respond.page import Page, render_page
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.http_request import FOREIGN_HEADERS, Client, plain

Outcome = Literal["same", "different", "unreachable", "another version"]

_PARTS = (
    ("the content security policy", rb'<meta http-equiv="Content-Security-Policy" content="(.*?)"'),
    ("the name of the version", rb'<meta name="generator" content="(.*?)"'),
    ("the title", rb"<title>(.*?)</title>"),
    ("the style", rb"<style>(.*?)</style>"),
    ("the contact", rb'<footer id="contact" class="idle">(.*?)</footer>'),
    ("the form", rb'<script type="application/json" id="form">(.*?)</script>'),
    ("the script", rb'<script type="module">(.*?)</script>'),
)
"""What a page is made of, in its order."""
_WORDS = re.compile(rb'WORDS_OF\["([\w-]+)"\]=.*')
_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_BUILT = re.compile(r"Askance ([0-9][0-9A-Za-z.+!-]{0,40})")
_BEFORE, _BEHIND, _LONG = 24, 40, 64


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of comparing a page with its form.

    Attributes
    ----------
    outcome : str
        ``"same"``, ``"different"``, ``"unreachable"`` or ``"another version"``: built by another
        version of Askance, so that this one cannot tell.
    differences : tuple of str
        What differs, or why nothing is known, in words.
    sha256 : str
        Of what was got, in hexadecimal; empty if nothing was.
    """

    outcome: Outcome
    differences: tuple[str, ...]
    sha256: str = field(default="")


@checked
def verify_page(
    form: Form,
    source: str,
    *,
    client: Client = "firefox",
    printed: Sequence[str] = (),
    headers: bool = True,
    frame: bool = False,
    seconds: float = 30.0,
) -> Verdict:
    """Fetch a respondent's page, rebuild it from its form, and compare them byte for byte.

    Where a collector has a frame beside the page, in which pages of others ask, it is compared too.

    Parameters
    ----------
    form : Form
        What the study says it asks.
    source : str
        The page's address, or a file.
    client : str
        As whom it is fetched: ``"firefox"``, ``"chromium"`` or ``"curl"``.
    printed : sequence of str
        What an invitation prints: the form's fingerprint, the page's SHA-256, or both.
    headers : bool
        Whether all headers must be those that a collector sends; a plain host sends fewer. Those
        that would change what a browser makes of the page are always looked at.
    frame : bool
        Whether the form's frame should lie there, in place of its page.
    seconds : float
        For everything that is fetched.

    Returns
    -------
    Verdict

    Raises
    ------
    InputError
        If the address cannot be one, or what is printed is no SHA-256.
    DocumentError
        If the file cannot be read.

    >>> from askance.survey import load_survey, publish
    >>> from askance.transparency import Verdict, verify_page
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> verdict: Verdict = verify_page(form, "http://127.0.0.1:9/", seconds=2.0)
    >>> verdict.outcome
    'unreachable'
    """
    if "://" not in source:
        return compare_page(read_page_file(source), form, printed=printed, frame=frame)
    page = render_frame(form) if frame else render_page(form)
    try:
        reply = fetch(source, client, seconds)
        companions = [
            (name, fetch(urljoin(reply.address, name), client, seconds)) for name in page.companions
        ]
    except NotFetched as reason:
        return Verdict("different" if reason.elsewhere else "unreachable", (str(reason),))
    verdict = compare_page(reply.body, form, printed=printed, frame=frame)
    differences_found = [
        *_compare_headers(page, reply, strict=headers),
        *(
            f"{name}: other bytes than the page's own"
            for name, companion in companions
            if companion.body != page.companions[name][0]
        ),
        *(_compare_frame(form, reply.address, client, seconds) if headers and not frame else ()),
    ]
    if not differences_found:
        return verdict
    return Verdict("different", (*verdict.differences, *differences_found), verdict.sha256)


def _compare_frame(form: Form, address: str, client: Client, seconds: float) -> Iterator[str]:
    """Describe how the frame next to a collector's page differs, if there is one."""
    try:
        reply = fetch(urljoin(address, FRAME), client, seconds)
    except NotFetched as reason:
        if reason.elsewhere:
            yield f"{FRAME}: {reason}"
        return
    lines = compare_page(reply.body, form, frame=True).differences
    for line in (*lines, *_compare_headers(render_frame(form), reply, strict=True)):
        yield f"{FRAME}: {line}"


def read_page_file(path: str) -> bytes:
    """Read a file that somebody asks about."""
    with file_faults(path, "a file, or an address such as https://exam.example.org/"):
        return Path(path).read_bytes()


@checked
def compare_page(
    page_bytes: bytes, form: Form, *, printed: Sequence[str] = (), frame: bool = False
) -> Verdict:
    r"""Rebuild a respondent's page from its form and compare it with some bytes.

    Parameters
    ----------
    page_bytes : bytes
        What is served or lies in a file.
    form : Form
    printed : sequence of str
        What an invitation prints of it.
    frame : bool
        Whether it should be the form's frame, in place of its page.

    Returns
    -------
    Verdict

    Raises
    ------
    InputError
        If what is printed is no SHA-256.

    >>> from askance_collect.respond import render_page
    >>> from askance.survey import load_survey, publish
    >>> from askance.transparency import compare_page
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> page = render_page(form).bytes
    >>> compare_page(page, form).outcome
    'same'
    >>> print(*compare_page(page.replace(b"noindex", b"noimdex"), form).differences)
    the frame of the page, line 8, column 33
      got       me="robots" content="noimdex">
      should be me="robots" content="noindex">
                                       ^
    """
    for digest in printed:
        if not _DIGEST.fullmatch(str(digest)):
            raise InputError("printed", got=digest, allowed="64 hexadecimal digits each")
    page, actual_digest = (
        render_frame(form) if frame else render_page(form),
        sha256(page_bytes).hexdigest(),
    )
    lines = [
        f"printed {digest}: neither the form's fingerprint {form.fingerprint} nor the page's "
        f"SHA-256 {page.sha256}"
        for digest in printed
        if digest.lower() not in (form.fingerprint, page.sha256)
    ]
    if page_bytes == page.bytes:
        return Verdict("different" if lines else "same", tuple(lines), actual_digest)
    built = _BUILT.fullmatch(
        (_part("the name of the version", page_bytes) or b"").decode("latin-1")
    )
    form_lines = _compare_form(page_bytes, form)
    if built is not None and built[1] != version("askance"):
        lines.append(
            f"built by Askance {built[1]}, this is {version('askance')}: to compare the page, "
            f"verify it with askance=={built[1]}"
        )
        return Verdict(
            "different" if form_lines else "another version", (*lines, *form_lines), actual_digest
        )
    lines += [_first_difference(page.bytes, page_bytes), *form_lines]
    if others := _others(page.bytes, page_bytes):
        lines.append(f"what differs: {', '.join(others)}")
    return Verdict("different", tuple(lines), actual_digest)


def _part(name: str, page: bytes) -> bytes | None:
    match = re.search(dict(_PARTS)[name], page, re.DOTALL)
    return match[1] if match else None


def _first_difference(wanted: bytes, actual: bytes) -> str:
    """Say where two pages part, which part of the page that is, and what stands there."""
    index = _count_same(wanted, actual)
    start = wanted.rfind(b"\n", 0, index) + 1
    line, column = (
        wanted.count(b"\n", 0, index) + 1,
        len(wanted[start:index].decode("utf-8", "ignore")),
    )
    where = f"{_name_of(wanted, index)}, line {line}, column {column + 1}"
    if index == len(actual):
        where = f"{where}: it ends {len(wanted) - index:,} bytes too soon"
    if index == len(wanted):
        where = f"behind the end of the page: {len(actual) - index:,} bytes more"
    return f"{where}\n{_show_difference(wanted, actual, index, start)}"


def _count_same(wanted: bytes, actual: bytes) -> int:
    """How many bytes are the same in both, from the first on."""
    lengths = range(min(len(wanted), len(actual)) + 1)
    return bisect_left(lengths, True, key=lambda size: wanted[:size] != actual[:size]) - 1


def _show_difference(wanted: bytes, actual: bytes, index: int, start: int = 0) -> str:
    """Show what stands around the byte at which two lines part, one below the other."""
    before = plain(wanted[max(start, index - _BEFORE) : index].decode("utf-8", "replace"))
    behind = (page[index : index + _BEHIND].partition(b"\n")[0] for page in (actual, wanted))
    actual_line, wanted_line = (
        f"{before}{plain(page.decode('utf-8', 'replace'))}" for page in behind
    )
    return f"  got       {actual_line}\n  should be {wanted_line}\n{' ' * (len(before) + 12)}^"


def _others(wanted: bytes, actual: bytes) -> list[str]:
    """Name the parts of the page that differ, where they are several."""
    names = [name for name, _ in _PARTS if _part(name, actual) != _part(name, wanted)]
    return names if len(names) > 1 else []


def _name_of(page: bytes, index: int) -> str:
    """Name the part of a page that a byte is in."""
    for words in _WORDS.finditer(page):
        if words.start() <= index < words.end():
            return f"the page's words ({words[1].decode()})"
    for name, pattern in _PARTS:
        part = re.search(pattern, page, re.DOTALL)
        if part and part.start(1) <= index <= part.end(1):
            return name
    return "the frame of the page"


def _compare_form(actual: bytes, form: Form) -> list[str]:
    """Say how the form in a page differs from the one that was published."""
    inside = _part("the form", actual)
    if inside == form.bytes:
        return []
    if inside is None:
        return ["the form: the page has none"]
    sentence = f"the form\n  got       {fingerprint(inside)}\n  should be {form.fingerprint}"
    try:
        document = json.loads(inside)
    except (ValueError, RecursionError):
        return [f"{sentence}\n  it is no JSON"]
    path, actual_value, wanted_value = next(
        find_differences(document, json.loads(form.bytes), ""), ("its spelling", "", "")
    )
    first = f"{sentence}\n  first in {path}"
    return [
        f"{first}\n  got       {actual_value}\n  should be {wanted_value}"
        if actual_value
        else first
    ]


def find_differences(actual: Any, wanted: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Where two documents differ, what stands there in each."""
    if isinstance(actual, dict) and isinstance(wanted, dict):
        for key in sorted(actual.keys() | wanted.keys()):
            inner_path = f"{path}.{plain(key)[:_LONG]}".lstrip(".")
            if key not in actual or key not in wanted:
                actual_text, wanted_text = (
                    "something" if key in document else "nothing" for document in (actual, wanted)
                )
                yield inner_path, actual_text, wanted_text
            else:
                yield from find_differences(actual[key], wanted[key], inner_path)
    elif isinstance(actual, list) and isinstance(wanted, list) and len(actual) == len(wanted):
        for index, pair in enumerate(zip(actual, wanted, strict=True)):
            yield from find_differences(*pair, f"{path}[{index}]")
    elif type(actual) is not type(wanted) or actual != wanted:
        actual_text, wanted_text = (
            plain(json.dumps(document)[:_LONG]) for document in (actual, wanted)
        )
        yield path or "its root", actual_text, wanted_text


def _compare_headers(page: Page, reply: Fetched, *, strict: bool) -> Iterator[str]:
    """Say which headers differ from those of a collector, or should not be there."""
    received: dict[str, list[str]] = {}
    for name, value in reply.headers:
        received.setdefault(name.lower(), []).append(value)
    for name in FOREIGN_HEADERS:
        if name in received:
            yield f"header {name}: got {plain(received[name][0])[:_LONG]!r}; it should not be there"
    kind = "; ".join(received.get("content-type", ["nothing"])).lower().replace(" ", "")
    if kind not in ("text/html;charset=utf-8", *(() if strict else ("text/html",))):
        right = "text/html; charset=utf-8"
        yield f"header content-type: got {plain(kind)[:_LONG]!r}; it should be {right!r}"
    others: Mapping[str, str] = page.headers if strict else {}
    for name, value in others.items():
        if name == "content-type" or received.get(name) == [value]:
            continue
        if name not in received:
            yield f"header {name}: not sent"
            continue
        actual, wanted = ", ".join(received[name]).encode(), value.encode()
        yield f"header {name}\n{_show_difference(wanted, actual, _count_same(wanted, actual))}"
