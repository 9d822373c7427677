"""A survey's own look: its images, from the files beside it, and colours that can be read."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec

from askance.errors import SurveyError
from askance.respond.colours import LEAST_CONTRAST, THEMES, contrast_in, nearest_shade
from askance.survey.files_beside import read_beside
from askance.survey.specs import Answer, ImageSpec, LookSpec, Place, QuestionSpec, Survey
from askance.survey.wording import Wording, wording_of
from askance.wire.look import IMAGES, image_uri

LARGEST_IMAGE = 16_384
"""How many bytes one image may have."""

LARGEST_IMAGES = 131_072
"""How many bytes all images beside questions and answers may have together."""

_DATA = "data:"
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_SVG = "http://www.w3.org/2000/svg svg"
_BEGINS = {
    re.compile(rb"\x89PNG\r\n\x1a\n"): "png",
    re.compile(rb"\xff\xd8\xff"): "jpeg",
    re.compile(rb"RIFF.{4}WEBP", re.DOTALL): "webp",
}
_OTHERS = {b"GIF8": "a GIF", b"BM": "a BMP", b"%PDF": "a PDF", b"II*": "a TIFF"}
_LABELS = "answers", "replies", "items"


def with_images(survey: Survey, folder: Path) -> Survey:
    """Put the images that a survey names by files beside it into it, as data URIs.

    Raises
    ------
    SurveyError
        If a file cannot be read, is too large, or is no image of a kind that pages show.
    """
    questions = [
        _with_images(spec, folder, f"question[{at}]") for at, spec in enumerate(survey.question)
    ]
    look = survey.look
    if look is not None and look.logo is not None:
        logo = _read(folder, look.logo, "look.logo")
        look = msgspec.structs.replace(look, logo=logo)
    return msgspec.structs.replace(survey, question=questions, look=look)


def _with_images(spec: QuestionSpec, folder: Path, where: str) -> QuestionSpec:
    """Put the images of a question, of its answers, replies and items into it."""

    def read(image: ImageSpec, place: str) -> ImageSpec:
        return ImageSpec(_read(folder, image.file, f"{place}.image.file"), image.alt)

    def labelled(one: Answer, place: str) -> Answer:
        if isinstance(one, str) or (image := _image_in(one)) is None:
            return one
        return {**one, "image": read(image, place)}

    loaded: dict[str, Any] = {
        key: [labelled(one, f"{where}.{key}[{at}]") for at, one in enumerate(getattr(spec, key))]
        for key in _LABELS
        if getattr(spec, key) is not None
    }
    if spec.image is not None:
        loaded["image"] = read(spec.image, where)
    return msgspec.structs.replace(spec, **loaded)


def _image_in(label: Answer) -> ImageSpec | None:
    """Give the image of an answer, if it is a table that has one."""
    image = None if isinstance(label, str) else label.get("image")
    return image if isinstance(image, ImageSpec) else None


def _read(folder: Path, name: str, where: str) -> str:
    """Read an image as the data URI that a form holds, which it may be already."""
    if name.startswith(_DATA):
        return name
    path = folder / name
    raw = read_beside(folder, name, where, LARGEST_IMAGE)
    if len(raw) > LARGEST_IMAGE:
        raise SurveyError(
            where,
            got=f"{path.name}, of more than {LARGEST_IMAGE:,} bytes",
            allowed=f"at most {LARGEST_IMAGE:,} bytes, since everybody loads it with the page",
            remedy="save it with fewer pixels or colours, or as an SVG",
        )
    return image_uri(raw, _kind(raw, path.name, where))


def _kind(raw: bytes, name: str, where: str) -> str:
    """Say what kind of image a file is by its bytes, whatever it is called."""
    for begins, kind in _BEGINS.items():
        if begins.match(raw):
            return kind
    if _outermost(raw) == _SVG:
        return "svg+xml"
    known = (told for begins, told in _OTHERS.items() if raw.startswith(begins))
    got = f"{name}, {next(known, 'of another kind')}"
    remedy = "save it as a PNG, or as an SVG with its xmlns"
    raise SurveyError(where, got=got, allowed=f"{IMAGES}, by what is in the file", remedy=remedy)


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


def images_of(
    specs: Sequence[QuestionSpec], places: Sequence[Place], languages: Sequence[str]
) -> list[dict[str, Any]]:
    """Write the images beside questions and answers: each once, with all the places of it.

    Parameters
    ----------
    specs : sequence of QuestionSpec
        As the survey file has them.
    places : sequence of Place
        Where in it each question of the form stands.
    languages : sequence of str

    >>> dot = ImageSpec("data:image/svg+xml;base64,PHN2Zy8+", "a dot")
    >>> tea = QuestionSpec("tea", "Tea?", ["yes", {"name": "no", "image": dot}])
    >>> [one["at"] for one in images_of([tea], [("question[0]", "")], ["en"])]
    [[{'question': 0, 'answer': 1}]]
    """
    written: list[dict[str, Any]] = []
    for at, spec in enumerate(specs):
        asked = [n for n, (place, _) in enumerate(places) if place == f"question[{at}]"]
        for image, where, stands in _placed(spec, f"question[{at}]", asked):
            shown = image_of(image.file, image.alt, languages, f"{where}.file", f"{where}.alt")
            same = next((one for one in written if shown.items() <= one.items()), None)
            if same is None:
                written.append(same := {**shown, "at": []})
            same["at"] += stands
    whole = sum(len(b64decode(one["image"].partition(",")[2])) for one in written)
    if whole > LARGEST_IMAGES:
        raise SurveyError(
            "question",
            got=f"images of {whole:,} bytes together",
            allowed=f"at most {LARGEST_IMAGES:,} bytes, since everybody loads them with the page",
            remedy="save them with fewer pixels or colours, or as SVGs",
        )
    return written


def _placed(
    spec: QuestionSpec, where: str, asked: Sequence[int]
) -> Iterator[tuple[ImageSpec, str, list[dict[str, int]]]]:
    """Give each image of a question as it stands in the survey file, where, and beside what.

    A list to tick has one screen, and one for each item of a grid has its own.
    """
    screens = asked[:1] if spec.choose else asked
    labelled = {
        key: [
            (at, found)
            for at, one in enumerate(getattr(spec, key) or ())
            if (found := _image_in(one))
        ]
        for key in _LABELS
    }
    if spec.coin is not None and labelled["answers"]:
        at, _ = labelled["answers"][0]
        raise SurveyError(
            f"{where}.answers[{at}].image",
            got="an image of an answer that nobody chooses",
            allowed="images in replies, which are what is chosen from beside a coin",
        )
    if spec.image is not None and labelled["items"]:
        allowed = "an image of the question or of its items: each item is asked by itself"
        raise SurveyError(f"{where}.image", got="one beside images of items", allowed=allowed)
    if spec.image is not None:
        yield spec.image, f"{where}.image", [{"question": n} for n in screens]
    for at, image in labelled["items"]:
        yield image, f"{where}.items[{at}].image", [{"question": asked[at]}]
    for key in _LABELS[:2]:
        for at, image in labelled[key]:
            stands = [{"question": n, "answer": at} for n in screens]
            yield image, f"{where}.{key}[{at}].image", stands


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
