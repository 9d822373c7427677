"""Images of a form, with alternative texts, and a study's own look."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from askance_collect.errors import FormError
from askance_collect.wire.label import is_index, keep_unchangeable, read_wording

LONGEST_IMAGE = 65_536
"""How long the data URI of an image may be: some 49,000 bytes of image."""

_BEGINS = (
    r"png;base64,iVBORw0KGgo|jpeg;base64,/9j/|svg\+xml;base64,"
    "|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ"
)
"""How an image of each kind begins: what it is, is said by its bytes, in base 64 as well."""

_URI = re.compile(rf"data:image/(?:{_BEGINS})[A-Za-z0-9+/]+={{0,2}}", re.ASCII)
IMAGES = "a PNG, a JPEG, a WebP or an SVG"

_COLOUR = re.compile("#[0-9a-f]{6}")
_THEMES = "light", "dark"


@final
@dataclass(frozen=True, slots=True)
class Image:
    """An image that stands in the form itself, and what is read out in its place.

    Attributes
    ----------
    uri : str
        A ``data:`` address that holds the image.
    alt : mapping of str to str
        What is read out, by language.

    >>> from askance_collect.wire import Image
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
        """What kind of image it is: ``png``, ``jpeg``, ``webp`` or ``svg+xml``."""
        return self.uri[len("data:image/") :].partition(";")[0]

    @property
    def bytes(self) -> bytes:
        """The file that was put into the form."""
        return b64decode(self.uri.partition(",")[2])


@final
@dataclass(frozen=True, slots=True)
class Picture:
    """An image of a question, or of one of its answers.

    Attributes
    ----------
    image : Image
    question : int
        The position of the question.
    answer : int, optional
        The position of an answer, or of an item of a list to tick; None beside the question.

    >>> from askance_collect.wire import Image
    >>> dot = Image("data:image/svg+xml;base64,PHN2Zy8+", {"en": "a dot"})
    >>> Picture(dot, 0, 1).answer
    1
    """

    image: Image
    question: int
    answer: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Look:
    """How a study looks: what its page is coloured by in each theme, and its logo.

    >>> from askance_collect.wire import Look
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
    is_data_uri = isinstance(uri, str) and len(uri) <= LONGEST_IMAGE and _URI.fullmatch(uri)
    if not is_data_uri or len(uri.partition(",")[2]) % 4:
        raise ValueError(f"a data URI in base 64 of {IMAGES}")
    return Image(uri, alt)


def read_pictures(
    raw: Any, languages: Sequence[str], choices: Sequence[int | None]
) -> tuple[Picture, ...]:
    """Read the images of a form's questions, each with the places where it stands.

    Parameters
    ----------
    raw : list
        Each image once, as ``{"image": …, "alt": {…}, "at": [{"question": 0, "answer": 1}, …]}``.
    languages : sequence of str
    choices : sequence of int or None
        How many things are chosen from on the screen of each question; None without a screen.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> dot = {"image": "data:image/svg+xml;base64,PHN2Zy8+", "alt": {"en": "a dot"}}
    >>> [picture.answer for picture in read_pictures(
    ...     [dot | {"at": [{"question": 0}, {"question": 0, "answer": 1}]}], ["en"], [2])]
    [None, 1]
    """
    if not isinstance(raw, list) or not raw:
        raise FormError("images", got=raw, allowed="at least one image, or no such key")
    read = dict[tuple[int, int | None], Picture]()
    for n, entry in enumerate(raw):
        where = f"images[{n}]"
        try:
            image = read_image({key: entry[key] for key in entry if key != "at"}, languages)
            places = [_read_place(raw_place, choices) for raw_place in entry["at"]]
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            allowed = f"{IMAGES} as a data URI, with a text in each language and its places"
            raise FormError(where, got=str(error)[:80], allowed=allowed) from error
        if not places or len({*read, *places}) < len(read) + len(places):
            allowed = "places beside a question or its answers, with one image each"
            raise FormError(f"{where}.at", got=entry["at"], allowed=allowed)
        read |= {position: Picture(image, *position) for position in places}
    return tuple(read.values())


def _read_place(raw: Any, choices: Sequence[int | None]) -> tuple[int, int | None]:
    """Read the position of an image: a question with a screen, or one of its answers."""
    question, answer = raw["question"], raw.get("answer")
    if not set(raw) <= {"question", "answer"} or not is_index(question, len(choices)):
        raise ValueError("the position of a question, and of an answer")
    offered = choices[question]
    if offered is None or ("answer" in raw and not is_index(answer, offered)):
        raise ValueError("a place of a question that is asked by itself")
    return question, answer


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
        allowed = f"{IMAGES} as a data URI, with a text in each language"
        raise FormError("look.logo", got=str(error)[:80], allowed=allowed) from error
    return Look(colours, logo)


def _are_colours(raw: Any) -> bool:
    if not isinstance(raw, dict) or set(raw) != set(_THEMES):
        return False
    return all(isinstance(colour, str) and _COLOUR.fullmatch(colour) for colour in raw.values())
