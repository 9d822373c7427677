"""A survey's own look: its images, from the files beside it, and colours that can be read."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec

from askance.errors import SurveyError
from askance.respond.colours import LEAST_CONTRAST, THEMES, contrast_in, nearest_shade
from askance.survey.specs import LookSpec, Survey
from askance.survey.wording import Wording, wording_of
from askance.wire.look import image_uri

LARGEST_LOGO = 16_384
"""How many bytes a logo may have."""

_DATA = "data:"
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_SVG = "http://www.w3.org/2000/svg svg"
_BEGINS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}
_OTHERS = {b"GIF8": "a GIF", b"RIFF": "a WebP", b"BM": "a BMP", b"%PDF": "a PDF", b"II*": "a TIFF"}
_KINDS = "a PNG, a JPEG or an SVG, by what is in the file"


def with_images(survey: Survey, folder: Path) -> Survey:
    """Put the images that a survey names by files beside it into it, as data URIs.

    Raises
    ------
    SurveyError
        If a file cannot be read, is too large, or is no image of a kind that pages show.
    """
    look = survey.look
    if look is None or look.logo is None or look.logo.startswith(_DATA):
        return survey
    logo = _read(folder / look.logo, "look.logo", LARGEST_LOGO)
    return msgspec.structs.replace(survey, look=msgspec.structs.replace(look, logo=logo))


def _read(path: Path, where: str, largest: int) -> str:
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise SurveyError(
            where, got=f"{path.name}: {got}", allowed="a file beside the survey file"
        ) from error
    if len(raw) > largest:
        raise SurveyError(
            where,
            got=f"{path.name}, of {len(raw):,} bytes",
            allowed=f"at most {largest:,} bytes, since everybody loads it with the page",
            remedy="save it with fewer pixels or colours, or as an SVG",
        )
    return image_uri(raw, _kind(raw, path.name, where))


def _kind(raw: bytes, name: str, where: str) -> str:
    """Say what kind of image a file is by its bytes, whatever it is called."""
    for begins, kind in _BEGINS.items():
        if raw.startswith(begins):
            return kind
    if _outermost(raw) == _SVG:
        return "svg+xml"
    known = (told for begins, told in _OTHERS.items() if raw.startswith(begins))
    got = f"{name}, {next(known, 'of another kind')}"
    remedy = "save it as a PNG, or as an SVG with its xmlns"
    raise SurveyError(where, got=got, allowed=_KINDS, remedy=remedy)


def _outermost(raw: bytes) -> str:
    """Name the outermost element of XML that is whole; nothing where it is not."""
    found: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, _: found.append(name)
    try:
        parser.Parse(raw, True)
    except expat.ExpatError:
        return ""
    return found[0]


def look_of(look: LookSpec | None, languages: Sequence[str]) -> dict[str, Any] | None:
    """Write a form's look: its colours in both themes, and its logo with a text in its place.

    >>> look_of(LookSpec(colour="#C8102E"), ["en"])
    {'colours': {'light': '#c8102e', 'dark': '#dd6d7f'}}
    """
    if look is None:
        return None
    written: dict[str, Any] = {}
    if look.colour is not None:
        written["colours"] = _colours(look.colour)
    if look.logo is not None:
        written["logo"] = image_of(look.logo, look.alt, languages, "look.logo", "look.alt")
    elif look.alt is not None:
        raise SurveyError("look.alt", got="no logo", allowed="beside a logo")
    if not written:
        raise SurveyError("look", got="nothing", allowed="a colour, a logo with its alt, or both")
    return written


def image_of(
    given: str, alt: Wording | None, languages: Sequence[str], where: str, beside: str
) -> dict[str, Any]:
    """Write an image that is there as a data URI, with the text that stands in its place."""
    if not given.startswith(_DATA):
        raise SurveyError(
            where,
            got=given,
            allowed="a file beside a survey file, which load_survey reads, or a data URI",
        )
    if alt is None:
        allowed = "what is read out to whoever does not see the image"
        remedy = f'add {beside.rpartition(".")[2]} = "…"'
        raise SurveyError(beside, got="nothing", allowed=allowed, remedy=remedy)
    return {"image": given, "alt": wording_of(alt, languages, beside)}


def _colours(given: str | Mapping[str, str]) -> dict[str, str]:
    """Read the colour of each theme; left out, the dark one is a shade of the light one."""
    told = {"light": given} if isinstance(given, str) else dict(given)
    if "light" not in told or not set(told) <= set(THEMES):
        allowed = '"#0b6259", or { light = "#0b6259", dark = "#74cdbd" }'
        raise SurveyError("look.colour", got=", ".join(told) or "nothing", allowed=allowed)
    for theme, colour in told.items():
        where = "look.colour" if isinstance(given, str) else f"look.colour.{theme}"
        if not _COLOUR.fullmatch(colour):
            raise SurveyError(where, got=colour, allowed='six hexadecimal digits, as "#0b6259"')
        told[theme] = _readable(colour.lower(), theme, where)
    dark = told.get("dark", nearest_shade(told["light"], "dark"))
    return {"light": told["light"], "dark": dark}


def _readable(colour: str, theme: str, where: str) -> str:
    found = contrast_in(colour, theme)
    if found < LEAST_CONTRAST:
        raise SurveyError(
            where,
            got=f"{colour}, with a contrast of {int(10 * found) / 10} to 1 in the {theme} theme",
            allowed=f"at least {LEAST_CONTRAST} to 1 (WCAG 2.2)",
            remedy=f'the nearest shade that can be read is "{nearest_shade(colour, theme)}"',
        )
    return colour
