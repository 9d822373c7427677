"""A frame in which other sites ask a form's questions, and which takes nothing from those sites."""

import html
from types import MappingProxyType

from askance_collect.arguments import checked
from askance_collect.lazy import release
from askance_collect.respond.assembly import filled, hash_of, joined_styles, source
from askance_collect.respond.colours import nearest_shade, style_of
from askance_collect.respond.page import Page, idle_modules, script_in_words
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form import Form

FRAME = "frame"
"""Where a collector serves it, beside the page."""

ACCENTS = MappingProxyType(
    {
        "blue": "#1f5fae",
        "green": "#2c6e2f",
        "grey": "#4c5559",
        "orange": "#a34a00",
        "red": "#b3261e",
        "violet": "#7a1fa2",
    }
)
"""The colours among which a page around chooses, by name, beside the frame's own."""

_KINDS = (
    *("alike", "coin", "cuts", "dots", "exact", "groups", "invited", "narrow", "needed", "number"),
    *("pictures", "proof", "ratio", "sets", "texts", "ticks", "tongue", "typed", "whole"),
)
"""What questions can bring with them, each where the form has a use for it."""
_STYLES = "palette", "asking", "controls", "dots", "texts", "narrow", "pictures", "frame"
_ALWAYS = {"palette", "asking", "controls", "frame"}


@checked
def render_frame(form: Form) -> Page:
    """Assemble the frame in which pages of others ask one question of a form.

    It is one file, the same bytes whatever page is around, that can run nothing but itself and
    reach nothing: form, fingerprint, words and style lie inside. The page around chooses one
    question, a language of the form, a size and one of `ACCENTS`, in the frame's address.
    It asks only where it has no origin, which its headers see to.

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
    >>> from askance_collect.respond import render_frame
    >>> frame = render_frame(Form.read(about | fixed))
    >>> b"connect-src" in frame.bytes, frame.headers["content-security-policy"][-40:]
    (False, 'sandbox allow-scripts; frame-ancestors *')
    """
    idle = idle_modules(form)
    kinds = [name for name in _KINDS if name not in idle]
    kinds += ["seal", "hpke"] if form.seal_key is not None else []
    started = [f'startFrame("{form.fingerprint}");']
    script = script_in_words(form, [*kinds, "frame"], started).text
    style = (
        joined_styles(name for name in _STYLES if name in _ALWAYS or name not in idle) + _accents()
    )
    policy = _policy(style, script)
    parts = {
        "language": form.languages[0],
        "policy": policy,
        "version": release(),
        "title": html.escape(form.document["title"][form.languages[0]]),
        "style": style,
        "form": form.bytes.decode("ascii"),
        "script": script,
    }
    spelling = filled(source("browser/frame.html"), parts)
    return Page(spelling, fingerprint(spelling), MappingProxyType(_headers(form, policy)))


def _accents() -> str:
    """Write the colours to choose from, in both themes: no other name colours anything."""
    return "".join(
        style_of({theme: nearest_shade(colour, theme) for theme in ("light", "dark")}).replace(
            ":root", f":root[data-accent={name}]"
        )
        for name, colour in ACCENTS.items()
    )


def _policy(style: str, script: str) -> str:
    """Write the policy that also stands in the frame itself: it reaches nothing."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {hash_of(script)}",
            f"style-src {hash_of(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _headers(form: Form, policy: str) -> dict[str, str]:
    """Write the headers of the frame: no origin, and embedding by the form's sites or any."""
    around = " ".join(form.ending.framing_origins if form.ending else ()) or "*"
    return {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": f"{policy}; sandbox allow-scripts; frame-ancestors {around}",
        "cache-control": "no-store, no-transform",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-resource-policy": "cross-origin",
        "permissions-policy": _SENSORS,
    }


_SENSORS = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
        *("magnetometer", "microphone", "midi"),
    )
)
