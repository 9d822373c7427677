"""What a form shows beside its texts: images, with words in their place, and a study's own look."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from askance.errors import FormError
from askance.wire.label import keep_unchangeable, read_wording

LONGEST_IMAGE = 65_536
"""How long the data URI of an image may be: some 49,000 bytes of image."""

_BEGINS = {"png": "iVBORw0KGgo", "jpeg": "/9j/", "svg+xml": ""}
"""How an image of each kind begins in base 64: what it is, is said by its bytes."""

_URI = re.compile(r"data:image/(png|jpeg|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
_COLOUR = re.compile("#[0-9a-f]{6}")
_THEMES = "light", "dark"


@final
@dataclass(frozen=True, slots=True)
class Image:
    """An image that stands in the form itself, and what is read out in its place.

    >>> from askance.wire import Image
    >>> dot = Image("data:image/svg+xml;base64,PHN2Zy8+", {"en": "a dot"})
    >>> dot.kind, dot.bytes
    ('svg+xml', b'<svg/>')
    """

    uri: str = field(repr=False)
    alt: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "alt")

    @property
    def kind(self) -> str:
        """What kind of image it is: ``png``, ``jpeg`` or ``svg+xml``."""
        return self.uri[len("data:image/") :].partition(";")[0]

    @property
    def bytes(self) -> bytes:
        """The file that was put into the form."""
        return b64decode(self.uri.partition(",")[2])


@final
@dataclass(frozen=True, slots=True)
class Look:
    """How a study looks: what its page is coloured by in each theme, and its logo.

    >>> from askance.wire import Look
    >>> Look({"light": "#7a1fa2", "dark": "#d59be8"}).colours["light"]
    '#7a1fa2'
    """

    colours: Mapping[str, str] | None = None
    logo: Image | None = None

    def __post_init__(self) -> None:
        keep_unchangeable(self, "colours")


def image_uri(raw: bytes, kind: str) -> str:
    """Write an image of a kind as the data URI that a form holds.

    >>> image_uri(b"<svg/>", "svg+xml")
    'data:image/svg+xml;base64,PHN2Zy8+'
    """
    return f"data:image/{kind};base64,{b64encode(raw).decode('ascii')}"


def read_image(raw: Any, languages: Sequence[str]) -> Image:
    """Read an image: a data URI of the kind that it says, and a text in its place.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if not isinstance(raw, dict) or set(raw) != {"image", "alt"}:
        raise ValueError("an image and its alt")
    uri, alt = raw["image"], read_wording(raw["alt"], languages)
    if not all(text.strip() for text in alt.values()):
        raise ValueError("a text in place of an image")
    found = _URI.fullmatch(uri) if isinstance(uri, str) and len(uri) <= LONGEST_IMAGE else None
    if found is None or len(found[2]) % 4 or not found[2].startswith(_BEGINS[found[1]]):
        raise ValueError("a data URI in base 64 of a PNG, a JPEG or an SVG")
    return Image(uri, alt)


def read_look(raw: Any, languages: Sequence[str]) -> Look:
    """Read a form's look: its colours, its logo, or both.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> read_look({"colours": {"light": "#7a1fa2", "dark": "#d59be8"}}, ["en"]).logo is None
    True
    """
    if not isinstance(raw, dict) or not raw or not set(raw) <= {"colours", "logo"}:
        raise FormError("look", got=raw, allowed="colours, a logo, or both")
    colours = raw.get("colours")
    if "colours" in raw and not _are_colours(colours):
        allowed = 'one for each theme, as { "light": "#0b6259", "dark": "#74cdbd" }'
        raise FormError("look.colours", got=colours, allowed=allowed)
    try:
        logo = read_image(raw["logo"], languages) if "logo" in raw else None
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        allowed = "a PNG, a JPEG or an SVG as a data URI, with a text in each language"
        raise FormError("look.logo", got=str(error)[:80], allowed=allowed) from error
    return Look(colours, logo)


def _are_colours(raw: Any) -> bool:
    if not isinstance(raw, dict) or set(raw) != set(_THEMES):
        return False
    return all(isinstance(one, str) and _COLOUR.fullmatch(one) for one in raw.values())
