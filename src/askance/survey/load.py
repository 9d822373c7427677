"""From TOML to a Survey; every error says where in the file, what was got and what is allowed."""

import re
import tomllib
from decimal import Decimal, InvalidOperation
from pathlib import Path

import msgspec

from askance.arguments import checked
from askance.errors import SurveyError, nearest
from askance.survey.spec import LineSpec, QuestionSpec, Survey

VERSION = "survey-1"
_LARGEST = 4_000_000
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_FIELD = re.compile(r"(?P<verb>missing required|contains unknown) field `(?P<field>[^`]*)`")
_TYPE = re.compile(r"Expected `(?P<allowed>[^`]*)`, got `(?P<got>[^`]*)`")
_KINDS = {
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list [ … ]",
    "object": "a table { … }",
}
_QUESTIONS = "begin every question with [[question]]"


@checked
def load_survey(path: Path | str) -> Survey:
    """Read a survey file.

    Raises
    ------
    SurveyError
        With the path inside the file, or the line and column where it is not TOML.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise SurveyError(str(path), got=error.strerror, allowed="a readable file") from error
    return parse_survey(raw)


@checked
def parse_survey(raw: bytes) -> Survey:
    """Read the bytes of a survey file. Decimals are kept exactly as they are written.

    >>> parse_survey(b'askance = "survey-1"')
    Traceback (most recent call last):
    askance.errors.SurveyError: title: got 'nothing'; allowed: a value; add title = …
    """
    document = _toml(raw)
    if document.get("askance") != VERSION:
        raise SurveyError(
            "askance",
            got=document.get("askance", "nothing"),
            allowed=f'"{VERSION}"',
            remedy=f'begin the file with: askance = "{VERSION}"',
        )
    try:
        return msgspec.convert(document, Survey)
    except msgspec.ValidationError as error:
        raise _translated(str(error)) from None


def _toml(raw: bytes) -> dict[str, object]:
    if len(raw) > _LARGEST:
        raise SurveyError("file", got=f"{len(raw)} bytes", allowed=f"at most {_LARGEST} bytes")
    try:
        return tomllib.loads(raw.decode("utf-8-sig"), parse_float=_decimal)
    except UnicodeDecodeError as error:
        raise SurveyError(
            "file", got=f"a byte that is not text at {error.start}", allowed="TOML in UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:  # not TOML, too long a number, or too deep
        raise SurveyError("file", got=str(error), allowed="TOML, https://toml.io") from None


def _decimal(written: str) -> Decimal:
    try:
        return Decimal(written)
    except InvalidOperation:
        raise ValueError(f"{written[:20]} is too large or too small a number") from None


def _translated(message: str) -> SurveyError:
    """Say in our words what the decoder found."""
    found = _AT.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    path = path.replace("[...]", "[…]")
    if field := _FIELD.search(what):
        where = f"{path}.{field['field']}".lstrip(".") or '""'
        if field["verb"].startswith("missing"):
            add = _QUESTIONS if where == "question" else f"add {field['field']} = …"
            return SurveyError(where, got="nothing", allowed="a value", remedy=add)
        known = _keys(path)
        return SurveyError(
            where,
            got=field["field"],
            allowed=", ".join(known),
            remedy=nearest(field["field"], known),
        )
    if kind := _TYPE.search(what):
        remedy = _QUESTIONS if path == "question" else ""
        return SurveyError(
            path or "file", got=_kinds(kind["got"]), allowed=_kinds(kind["allowed"]), remedy=remedy
        )
    return SurveyError(path or "file", got=what)


def _kinds(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))


def _keys(path: str) -> tuple[str, ...]:
    owner = LineSpec if path.endswith(".line") else QuestionSpec if "question" in path else Survey
    return tuple(owner.__struct_fields__)
