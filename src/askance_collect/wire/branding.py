"""Images of a form, with alternative texts, and a study's own look."""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from askance_collect.wire.form_schema import conform, keep_unchangeable, read_wording, refuse, rule

IMAGES = "a PNG, a JPEG, a WebP or an SVG"


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
class Branding:
    """How a study looks: what its page is coloured by in each theme, and its logo.

    >>> from askance_collect.wire import Branding
    >>> Branding({"light": "#7a1fa2", "dark": "#d59be8"}).colours["light"]
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


@rule("image")
def _is_whole_image(raw: Any, _: Sequence[str]) -> bool:
    """Say whether an image is not cut off, and something is read out in its place."""
    return not len(raw["image"].partition(",")[2]) % 4 and all(map(str.strip, raw["alt"].values()))


def _image(raw: Any, languages: Sequence[str]) -> Image:
    return Image(raw["image"], read_wording(raw["alt"], languages))


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
    conform(raw, "images", languages, "images")
    read = dict[tuple[int, int | None], Picture]()
    for n, entry in enumerate(raw):
        image = _image(entry, languages)
        for raw_position in entry["at"]:
            position = _read_position(raw_position, choices, f"images[{n}].at")
            if position in read:
                raise refuse("places", f"images[{n}].at", entry["at"])
            read[position] = Picture(image, *position)
    return tuple(read.values())


def _read_position(raw: Any, choices: Sequence[int | None], where: str) -> tuple[int, int | None]:
    """Read the position of an image: a question with a screen, or one of its answers."""
    question, answer = raw["question"], raw.get("answer")
    offered = choices[question] if question < len(choices) else None
    if offered is None or (answer is not None and answer >= offered):
        raise refuse("places", where, raw)
    return question, answer


def read_branding(raw: Any, languages: Sequence[str]) -> Branding:
    """Read a form's look: its colours, its logo, or both.

    Raises
    ------
    FormError
        With the path of the first thing that is wrong.

    >>> read_branding({"colours": {"light": "#7a1fa2", "dark": "#d59be8"}}, ["en"]).logo is None
    True
    """
    conform(raw, "look", languages, "look")
    logo = _image(raw["logo"], languages) if "logo" in raw else None
    return Branding(raw.get("colours"), logo)
