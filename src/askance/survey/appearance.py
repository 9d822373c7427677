"""How a study looks: images from files in its folder, and colours of sufficient contrast."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec

from askance.survey.files_beside import read_beside
from askance.survey.specs import (
    Answer,
    FilePosition,
    ImageSpec,
    LookSpec,
    QuestionSpec,
    Survey,
    Wording,
    write_wording,
)
from askance_collect.errors import SurveyError
from askance_collect.respond.colours import LEAST_CONTRAST, THEMES, contrast_in, nearest_shade
from askance_collect.wire.branding import IMAGES, image_uri

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


def embed_images(survey: Survey, folder: Path) -> Survey:
    """Embed the image files that a survey names as data URIs.

    Raises
    ------
    SurveyError
        If a file cannot be read, is too large, or is no image of a kind that pages show.
    """
    questions = [
        _embed_images(spec, folder, f"question[{i}]") for i, spec in enumerate(survey.question)
    ]
    look = survey.look
    if look is not None and look.logo is not None:
        logo = _read(folder, look.logo, "look.logo")
        look = msgspec.structs.replace(look, logo=logo)
    return msgspec.structs.replace(survey, question=questions, look=look)


def _embed_images(spec: QuestionSpec, folder: Path, where: str) -> QuestionSpec:
    """Put the images of a question, of its answers, replies and items into it."""

    def read(image: ImageSpec, path: str) -> ImageSpec:
        return ImageSpec(_read(folder, image.file, f"{path}.image.file"), image.alt)

    def labelled(answer: Answer, path: str) -> Answer:
        if isinstance(answer, str) or (image := _find_image(answer)) is None:
            return answer
        return {**answer, "image": read(image, path)}

    loaded: dict[str, Any] = {
        key: [
            labelled(answer, f"{where}.{key}[{i}]") for i, answer in enumerate(getattr(spec, key))
        ]
        for key in _LABELS
        if getattr(spec, key) is not None
    }
    if spec.image is not None:
        loaded["image"] = read(spec.image, where)
    return msgspec.structs.replace(spec, **loaded)


def _find_image(label: Answer) -> ImageSpec | None:
    """Give the image of an answer, if it is a table that has one."""
    image = None if isinstance(label, str) else label.get("image")
    return image if isinstance(image, ImageSpec) else None


def _read(folder: Path, name: str, where: str) -> str:
    """Read an image file as a data URI; a data URI is returned as it is."""
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
    return image_uri(raw, _detect_kind(raw, path.name, where))


def _detect_kind(raw: bytes, name: str, where: str) -> str:
    """Detect an image's type from its bytes."""
    for begins, kind in _BEGINS.items():
        if begins.match(raw):
            return kind
    if _name_root_element(raw) == _SVG:
        return "svg+xml"
    kinds = (kind for begins, kind in _OTHERS.items() if raw.startswith(begins))
    problem = f"{name}, {next(kinds, 'of another kind')}"
    remedy = "save it as a PNG, or as an SVG with its xmlns"
    raise SurveyError(
        where, got=problem, allowed=f"{IMAGES}, by what is in the file", remedy=remedy
    )


def _name_root_element(raw: bytes) -> str:
    """Name the root element of well-formed XML; an empty text for anything else."""
    elements: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, _: elements.append(name)
    try:
        parser.Parse(raw, True)
    except expat.ExpatError:
        return ""
    return elements[0]


def write_look(look: LookSpec | None, languages: Sequence[str]) -> dict[str, Any] | None:
    """Write a form's look: its colours in both themes, and its logo with a text in its place.

    >>> write_look(LookSpec(colour="#C8102E"), ["en"])
    {'colours': {'light': '#c8102e', 'dark': '#dd6d7f'}}
    """
    if look is None:
        return None
    written: dict[str, Any] = {}
    if look.colour is not None:
        written["colours"] = _read_colours(look.colour)
    if look.logo is not None:
        written["logo"] = write_image(look.logo, look.alt, languages, "look.logo", "look.alt")
    elif look.alt is not None:
        raise SurveyError("look.alt", got="no logo", allowed="beside a logo")
    if not written:
        raise SurveyError("look", got="nothing", allowed="a colour, a logo with its alt, or both")
    return written


def write_images(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], languages: Sequence[str]
) -> list[dict[str, Any]]:
    """Write each image of questions and answers once, with all its positions.

    Parameters
    ----------
    specs : sequence of QuestionSpec
        As the survey file has them.
    places : sequence of FilePosition
        Where in it each question of the form stands.
    languages : sequence of str

    >>> dot = ImageSpec("data:image/svg+xml;base64,PHN2Zy8+", "a dot")
    >>> tea = QuestionSpec("tea", "Tea?", ["yes", {"name": "no", "image": dot}])
    >>> [image["at"] for image in write_images([tea], [("question[0]", "")], ["en"])]
    [[{'question': 0, 'answer': 1}]]
    """
    written: list[dict[str, Any]] = []
    for index, spec in enumerate(specs):
        positions = [n for n, (path, _) in enumerate(places) if path == f"question[{index}]"]
        for image, where, stands in _locate_images(spec, f"question[{index}]", positions):
            entry = write_image(image.file, image.alt, languages, f"{where}.file", f"{where}.alt")
            same = next((other for other in written if entry.items() <= other.items()), None)
            if same is None:
                written.append(same := {**entry, "at": []})
            same["at"] += stands
    size = sum(len(b64decode(entry["image"].partition(",")[2])) for entry in written)
    if size > LARGEST_IMAGES:
        raise SurveyError(
            "question",
            got=f"images of {size:,} bytes together",
            allowed=f"at most {LARGEST_IMAGES:,} bytes, since everybody loads them with the page",
            remedy="save them with fewer pixels or colours, or as SVGs",
        )
    return written


def _locate_images(
    spec: QuestionSpec, where: str, positions: Sequence[int]
) -> Iterator[tuple[ImageSpec, str, list[dict[str, int]]]]:
    """List the images of a question, with their paths in the survey file and their positions.

    A list to tick has one screen, and one for each item of a grid has its own.
    """
    screens = positions[:1] if spec.choose else positions
    labelled = {
        key: [
            (i, label_image)
            for i, label in enumerate(getattr(spec, key) or ())
            if (label_image := _find_image(label))
        ]
        for key in _LABELS
    }
    if spec.coin is not None and labelled["answers"]:
        i, _ = labelled["answers"][0]
        raise SurveyError(
            f"{where}.answers[{i}].image",
            got="an image of an answer that nobody chooses",
            allowed="images in replies, which are what is chosen from beside a coin",
        )
    if spec.image is not None and labelled["items"]:
        allowed = "an image of the question or of its items: each item is asked by itself"
        raise SurveyError(f"{where}.image", got="one beside images of items", allowed=allowed)
    if spec.image is not None:
        yield spec.image, f"{where}.image", [{"question": n} for n in screens]
    for i, image in labelled["items"]:
        yield image, f"{where}.items[{i}].image", [{"question": positions[i]}]
    for key in _LABELS[:2]:
        for i, image in labelled[key]:
            stands = [{"question": n, "answer": i} for n in screens]
            yield image, f"{where}.{key}[{i}].image", stands


def write_image(
    uri: str, alt: Wording | None, languages: Sequence[str], where: str, alt_where: str
) -> dict[str, Any]:
    """Write an image that is there as a data URI, with the text that stands in its place."""
    if not uri.startswith(_DATA):
        raise SurveyError(
            where,
            got=uri,
            allowed="a file beside a survey file, which load_survey reads, or a data URI",
        )
    if alt is None:
        allowed = "the text that screen readers read out for the image"
        remedy = f'add {alt_where.rpartition(".")[2]} = "…"'
        raise SurveyError(alt_where, got="nothing", allowed=allowed, remedy=remedy)
    return {"image": uri, "alt": write_wording(alt, languages, alt_where)}


def _read_colours(written: str | Mapping[str, str]) -> dict[str, str]:
    """Read the colour of each theme; left out, the dark one is a shade of the light one."""
    colours = {"light": written} if isinstance(written, str) else dict(written)
    if "light" not in colours or not set(colours) <= set(THEMES):
        allowed = '"#0b6259", or { light = "#0b6259", dark = "#74cdbd" }'
        raise SurveyError("look.colour", got=", ".join(colours) or "nothing", allowed=allowed)
    for theme, colour in colours.items():
        where = "look.colour" if isinstance(written, str) else f"look.colour.{theme}"
        if not _COLOUR.fullmatch(colour):
            raise SurveyError(where, got=colour, allowed='six hexadecimal digits, as "#0b6259"')
        colours[theme] = _check_contrast(colour.lower(), theme, where)
    dark = colours.get("dark", nearest_shade(colours["light"], "dark"))
    return {"light": colours["light"], "dark": dark}


def _check_contrast(colour: str, theme: str, where: str) -> str:
    contrast = contrast_in(colour, theme)
    if contrast < LEAST_CONTRAST:
        raise SurveyError(
            where,
            got=f"{colour}, with a contrast of {int(10 * contrast) / 10} to 1 in the {theme} theme",
            allowed=f"at least {LEAST_CONTRAST} to 1 (WCAG 2.2)",
            remedy=f'the nearest shade that can be read is "{nearest_shade(colour, theme)}"',
        )
    return colour
