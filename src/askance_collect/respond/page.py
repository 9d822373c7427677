"""The respondent's page: one file, the same bytes for everyone, that can run nothing but itself."""

import base64
import html
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType
from typing import Any, final
from urllib.parse import urlsplit

from askance_collect.arguments import checked
from askance_collect.lazy import release
from askance_collect.respond.assembly import (
    Script,
    filled,
    hash_of,
    joined_styles,
    module_path,
    needed_parts,
    read_part,
    source,
)
from askance_collect.respond.colours import accent_of, style_of
from askance_collect.respond.words import (
    script_of_blanks,
    script_of_names,
    script_of_words,
    spoken,
    spoken_in,
)
from askance_collect.wire.canonical_json import canonical, fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.proof import can_prove

_ORDER = tomllib.loads(source("browser/order.toml"))
_STYLES: Sequence[str] = _ORDER["styles"]
_FEATURES: Sequence[str] = _ORDER["features"]
_OF_ONE_KEY = (
    *("skips", "quotas", "look", "later", "tablet", "tokens"),
    *("open", "pin", "saved", "apart", "seal", "evidence", "grids"),
)
"""Those for which a form has a use if it has a key of the same name."""
_NOBODY = "'none'"
_SHAPES = 4
"""How many kinds of dots an eye tells apart."""
_File = tuple[bytes, Mapping[str, str]]
_SENSORS = "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi"


@final
@dataclass(frozen=True, slots=True)
class Page:
    """A rendered page.

    Attributes
    ----------
    bytes : bytes
        The file, as served, mailed or kept on a disk.
    sha256 : str
        Its SHA-256 in hexadecimal, to be printed on the invitation.
    headers : Mapping[str, str]
        What the collector sends with it.
    companions : Mapping[str, tuple]
        By name, the bytes and headers of files that lie beside it: of a survey for a tablet, what
        installs it there; of one whose page is pinned, what keeps it.
    """

    bytes: bytes = field(repr=False)
    sha256: str
    headers: Mapping[str, str] = field(repr=False)
    companions: Mapping[str, _File] = field(
        default_factory=lambda: MappingProxyType({}), repr=False
    )


@checked
def render_page(form: Form) -> Page:
    """Assemble the respondent's page of a form: one file with style, script, questions and policy.

    The assembly is deterministic: whoever has the form and the version of Askance that the page
    names can rebuild the page and compare its bytes. The script holds the form's fingerprint and
    refuses other questions; the policy holds the script's hash, so that a changed script does not
    run.

    Parameters
    ----------
    form : Form

    Returns
    -------
    Page

    Raises
    ------
    InputError
        If it is given no form.

    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> question = {"kind": "choice", "name": "tea", "text": tea, "answers": answers}
    >>> about = {"title": tea, "consent": tea, "contact": tea, "languages": ["en"], "about": {}}
    >>> fixed = {"askance": "form-1", "collector": "", "size": 256, "questions": [question]}
    >>> from askance_collect.respond import Page
    >>> page: Page = render_page(Form.read(about | fixed))
    >>> page == render_page(Form.read(about | fixed)), page.bytes[:15]
    (True, b'<!DOCTYPE html>')
    """
    style, script = _style(form), _script(form).text
    spelling = _assembled(form, style, script)
    if form.pins_page:
        script = script.replace(_UNKNOWN, fingerprint(_blank_own_digest(spelling)))
        spelling = _assembled(form, style, script)
    digest, policy = fingerprint(spelling), _policy(form, style, script)
    companions = MappingProxyType(_companion_files(form, digest))
    return Page(spelling, digest, MappingProxyType(_headers(form, policy)), companions)


@checked
def render_source_map(form: Form) -> bytes:
    """Write the source map of the script of a page.

    It is a source map of version 3 with the sources in it, for the debuggers of browsers: its lines
    and columns are those of the page's file. The page does not name it, and needs none.

    Parameters
    ----------
    form : Form

    Returns
    -------
    bytes

    Raises
    ------
    InputError
        If it is given no form.

    >>> import json
    >>> from askance_collect.respond import render_source_map
    >>> from askance.survey import load_survey, publish
    >>> document = json.loads(render_source_map(publish(load_survey("examples/affairs.toml"))))
    >>> document["sections"][0]["map"]["sources"]
    ['browser/words.js']
    """
    script = _script(form)
    page = _assembled(form, _style(form), script.text)
    return script.source_map(page.partition(script.text.encode())[0].count(b"\n"))


def _assembled(form: Form, style: str, script: str) -> bytes:
    """Assemble a page from its style and its script."""
    contact = _contact(form)
    parts = {
        "language": form.languages[0],
        "policy": _policy(form, style, script),
        "version": release(),
        "title": html.escape(form.document["title"][form.languages[0]]),
        "manifest": f'\n<link rel="manifest" href="{_MANIFEST}">' if form.for_tablet else "",
        "style": style,
        "help": "write to the contact above" if contact else "turn to whoever invited you",
        "contact": contact,
        "form": form.bytes.decode("ascii"),
        "script": script,
    }
    return filled(source("browser/form.html"), parts)


_UNKNOWN = "0" * 64
_FOLLOWING = (
    (rb'\npin\("[0-9a-f]{64}"', b"\npin("),
    (rb"script-src 'sha256-[\w+/=]{44}'", b"script-src"),
)
"""The two places of a page that follow from its own number, and what stands there instead."""


def _blank_own_digest(page: bytes) -> bytes:
    """Leave the two places out: what a page says of itself can only be the SHA-256 of the rest."""
    return reduce(
        lambda remaining, pattern: re.sub(pattern[0], pattern[1], remaining, count=1),
        _FOLLOWING,
        page,
    )


def _style(form: Form) -> str:
    idle = idle_modules(form)
    style = joined_styles(name for name in _STYLES if name not in idle)
    if form.branding is not None and form.branding.colours is not None:
        style += style_of(form.branding.colours)
    return style


def _script(form: Form) -> Script:
    """Join the modules that this form needs into one script, started with its fingerprint."""
    idle = idle_modules(form)
    started = [f'start("{form.fingerprint}");']
    if form.pins_page:
        started.append(f'pin("{_UNKNOWN}","{fingerprint(_worker("pin"))}");')
    features = (name for name in _FEATURES if name not in idle)
    return script_in_words(form, ["page", *features], started)


def script_in_words(form: Form, names: Iterable[str], started: Sequence[str]) -> Script:
    """Join modules into one script, with the words that they say in the languages of a form.

    Words of two languages stand together: they have their keys in common, and compress better.
    """
    first, *others = needed_parts(map(module_path, ["words", *names]))
    named = first.names.union(*(part.names for part in others))
    tags = [tag for tag in form.languages if tag not in form.translations]
    alone = {spoken_in(tag) for tag in tags if not _contact_in(form, tag)}
    languages = spoken([*tags, *(["en"] if form.translations else [])])
    words = [script_of_words(languages, named, alone)]
    if len(form.languages) > 1:
        words.append(script_of_names(form.languages))
    blanks = [script_of_blanks(named)] if form.translations else []
    return Script((first, *words, *others, *blanks, *started))


def idle_modules(form: Form) -> set[str]:
    """Name the modules, and the styles, for which a form has no use."""
    document, questions = form.document, form.document["questions"]
    kinds = {question["kind"] for question in questions}
    numbers, ranges = "number" in kinds, bool(kinds & {"cuts", "ring"})
    lists, comments = bool(form.checklists), any(question.get("beside") for question in questions)
    endings = set(document.get("ending", ()))
    needed = {
        "number": numbers,
        "narrow": any(question.get("ask") == "narrow" for question in questions),
        "dots": any(map(_can_be_drawn, questions)),
        "alike": any(map(_names_its_answers, questions)),
        "sets": any(map(_sends_many, questions)),
        "ratio": any(map(_has_a_ratio, questions)),
        "proof": any(map(can_prove, form.questions)),
        "whole": any(question.get("line", {}).get("whole") for question in questions),
        "cups": ranges and "table" not in kinds,
        "cuts": ranges,
        "groups": any(question.get("groups") for question in questions),
        "items": any("count" in question for question in questions),
        "invited": any("assigned" in question for question in questions),
        "coin": any(question.get("coin") for question in questions),
        "sections": "sections" in document,
        "thanks": endings == {"thanks"},
        "panel": bool(endings - {"thanks"}),
        "request": form.shown_on_request or "review" in document,
        "ticks": lists or any(question.get("ticks") for question in questions),
        "lists": lists,
        "texts": bool(kinds & {"text", "sealed"}),
        "sealed": "sealed" in kinds,
        "comments": comments,
        "tongue": bool(form.translations),
        "pictures": bool(form.images),
        "needed": any("needed" in question for question in questions),
        "pipes": any("piped" in question for question in questions),
        **{key: key in document for key in _OF_ONE_KEY},
        **_needed_to_type(document, questions),
    }
    return {name for name, use in needed.items() if not use}


def _needed_to_type(
    document: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]
) -> dict[str, bool]:
    """Say of each module that reads numbers or codes as they are typed whether it is needed."""
    typed = any(question["kind"] == "number" or question.get("typed") for question in questions)
    exact = any(question.get("cuts", {}).get("open") for question in questions)
    codes = bool({"later", "tokens"} & document.keys())
    return {"typed": typed, "exact": exact, "codes": codes}


def _names_its_answers(question: Mapping[str, Any]) -> bool:
    """Check whether three answers or more are sent by their own names."""
    question = _judged(question)
    answers, reports = (
        [label["name"] for label in question.get(key, ())] for key in ("answers", "reports")
    )
    return len(answers) > 2 and reports[: len(answers)] == answers


def _can_be_drawn(question: Mapping[str, Any]) -> bool:
    """Check whether the reports are few or ordered enough to draw their frequencies."""
    judged = _judged(question)
    if "table" not in judged:
        return False
    few = sum(map(any, zip(*judged["table"]["rows"], strict=True))) <= _SHAPES
    return few or _names_its_answers(question)


def _sends_many(question: Mapping[str, Any]) -> bool:
    """Whether some answer is sent as any of four reports or more, all true of it.

    Groups that chance makes may differ in that: they are taken at the most.
    """
    judged = _judged(question)
    if "table" not in judged:
        return False
    rows, means = judged["table"]["rows"], [report.get("means", ()) for report in judged["reports"]]
    is_true = [
        [answer in meaning for entry, meaning in zip(row, means, strict=True) if entry]
        for answer, row in enumerate(rows)
    ]
    true = "groups" in question or all(map(all, is_true))
    return true and any(len(row_truth) > 3 for row_truth in is_true)


def _has_a_ratio(question: Mapping[str, Any]) -> bool:
    """Whether no report rules an answer out, for the question or one of its groups."""
    rows = _judged(question).get("table", {}).get("rows", ())
    columns = [set(map(bool, column)) for column in zip(*rows, strict=True)]
    is_grouped = "groups" in question and "count" not in question
    return bool(columns) and (is_grouped or all(len(support) == 1 for support in columns))


def _judged(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table question behind a question: itself, or the one that a coin protects."""
    if coin := question.get("coin"):
        return {**coin, "reports": question["answers"]}
    return question


def _contact(form: Form) -> str:
    """Write the contact in each language, for browsers that run no script."""
    contacts = {tag: _contact_in(form, tag) for tag in form.languages}
    return "".join(
        f'<p lang="{tag}" dir="auto">{html.escape(text)}</p>'
        for tag, text in contacts.items()
        if text
    )


def _contact_in(form: Form, language: str) -> str:
    contact: str = form.document["contact"][language]
    return contact.strip()


def _policy(form: Form, style: str, script: str) -> str:
    """Write the Content Security Policy that also stands in the page itself."""
    collector = urlsplit(form.document["collector"])
    home = f"{collector.scheme}://{collector.netloc}" if collector.netloc else "'self'"
    installed = ["worker-src 'self'"] if form.for_tablet or form.pins_page else []
    if form.for_tablet:
        installed.append("manifest-src 'self'")
    if form.pins_page and home != "'self'":
        home = f"{home} 'self'"
    issuer = urlsplit(form.tokens.issuer) if form.tokens is not None else None
    desk = f" {issuer.scheme}://{issuer.netloc}" if issuer is not None else ""
    trusted = "tablet" if form.for_tablet else "pin" if form.pins_page else _NOBODY
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {hash_of(script)}",
            f"style-src {hash_of(style)}",
            "img-src data:",
            f"connect-src {home}{desk}",
            *installed,
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            f"trusted-types {trusted}",
        )
    )


def _headers(form: Form, policy: str) -> dict[str, str]:
    """Write what goes with the page: nobody frames or opens it but who the form says may."""
    around = " ".join(form.ending.framing_origins if form.ending else ())
    return {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": f"{policy}; frame-ancestors {around or _NOBODY}",
        "cache-control": "no-store, no-transform",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "unsafe-none" if around else "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": ", ".join(f"{sensor}=()" for sensor in _SENSORS.split()),
    }


_MANIFEST = "manifest.webmanifest"
_MARKED = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
<rect width="512" height="512" fill="{colour}"/>
{sign}
</svg>
"""
_EYES = (170, 170, 1), (342, 170, 0.45), (256, 256, 1), (170, 342, 0.45), (342, 342, 1)
_DOTS = "".join(
    f'<circle cx="{x}" cy="{y}" r="34" fill="#ffffff" fill-opacity="{shade}"/>'
    for x, y, shade in _EYES
)
"""Five eyes of a die, two of them faint."""


def _companion_files(form: Form, page: str) -> dict[str, _File]:
    """Write what keeps a page on a device: for a tablet that of its SHA-256, with a manifest.

    The worker may fetch from its own folder and run nothing else. The one that keeps the page that
    was opened first is kept by the browser itself for as long as it may, lest it be changed too.
    """
    policy = "default-src 'none'; connect-src 'self'"
    kind = {"content-type": "text/javascript; charset=utf-8", "content-security-policy": policy}
    if form.pins_page:
        return {_WORKER: (_worker("pin"), kind | _SNIFFED | {"cache-control": _LASTING})}
    if not form.for_tablet:
        return {}
    shared = _SNIFFED | {"cache-control": "no-store, no-transform"}
    return {
        _MANIFEST: (_manifest(form), {"content-type": "application/manifest+json"} | shared),
        _WORKER: (_worker("tablet").replace(b"{page}", page.encode()), kind | shared),
    }


_WORKER = "worker.js"
_SNIFFED = {"x-content-type-options": "nosniff"}
_LASTING = "public, max-age=31536000, immutable"


def _worker(purpose: str) -> bytes:
    """Join what a worker keeps with how it keeps it."""
    return "".join(read_part(f"worker/{name}.js").code for name in (purpose, "keep")).encode()


def _manifest(form: Form) -> bytes:
    """Say under which name and sign the page lies among a tablet's programs."""
    title = " ".join(form.document["title"][form.languages[0]].split())
    colours = form.branding.colours if form.branding is not None else None
    colour = colours["light"] if colours else accent_of("light")
    icon = base64.b64encode(_icon(form, colour).encode()).decode("ascii")
    sign = {"src": f"data:image/svg+xml;base64,{icon}", "sizes": "any", "type": "image/svg+xml"}
    named = {"name": title, "short_name": title, "lang": form.languages[0]}
    scope = {"id": "./", "start_url": "./", "scope": "./", "display": "standalone"}
    appearance = {"theme_color": colour, "background_color": colour, "icons": [sign]}
    return canonical(named | scope | appearance)


def _icon(form: Form, colour: str) -> str:
    """Draw the logo on white paper, or a sign of our own on the study's colour."""
    logo = form.branding.logo if form.branding is not None else None
    if logo is None:
        return _MARKED.format(colour=colour, sign=_DOTS)
    sign = f'<image x="76" y="76" width="360" height="360" href="{logo.uri}"/>'
    return _MARKED.format(colour="#ffffff", sign=sign)
