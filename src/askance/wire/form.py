"""The published form: everything a respondent's device must know, and nothing more."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, final

from askance.errors import FormError
from askance.wire.canonical import canonical, fingerprint
from askance.wire.question import Question, read_question

VERSION = "form-1"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_BLOCK = 256
_ENVELOPE = len('{"answers":{},"form":"","id":""}') + 64 + 32


@final
@dataclass(frozen=True, slots=True)
class Form:
    """A published questionnaire, known by the SHA-256 of its canonical bytes.

    Attributes
    ----------
    document : dict
        The JSON object as published; treat it as read-only.
    languages : tuple of str
        BCP 47 tags; the first is shown first.
    questions : tuple of Question
        In the order in which they are asked and drawn.
    fingerprint : str
        64 hexadecimal digits.
    """

    document: dict[str, Any] = field(repr=False)
    languages: tuple[str, ...]
    questions: tuple[Question, ...]
    fingerprint: str

    @classmethod
    def read(cls, raw: bytes | str | dict[str, Any]) -> "Form":
        """Read a form, refusing whatever is not exactly a form of this version.

        Raises
        ------
        FormError
            With the path of the first thing that is wrong.

        >>> Form.read(b"{}")
        Traceback (most recent call last):
        askance.errors.FormError: askance: allowed: 'form-1'; ...
        """
        document = raw if isinstance(raw, dict) else _parse(raw)
        if document.get("askance") != VERSION:
            raise FormError(
                "askance",
                got=document.get("askance"),
                allowed=repr(VERSION),
                remedy="publish the survey again with this version",
            )
        languages = _languages(document.get("languages"))
        for part in ("title", "consent", "contact"):
            wording = document.get(part)
            if not isinstance(wording, dict) or set(wording) != set(languages):
                raise FormError(part, got=wording, allowed="one text for each language")
        questions = _questions(document.get("questions"), languages)
        if document.get("size") != body_size(questions):
            raise FormError("size", got=document.get("size"), allowed=str(body_size(questions)))
        return cls(document, languages, questions, fingerprint(canonical(document)))

    @property
    def bytes(self) -> bytes:
        """The canonical spelling that the fingerprint is taken of."""
        return canonical(self.document)

    @property
    def size(self) -> int:
        """The length in bytes of every report body under this form."""
        return int(self.document["size"])

    def question(self, name: str) -> Question:
        """Give the question of that name."""
        for question in self.questions:
            if question.name == name:
                return question
        raise FormError(name, allowed=", ".join(question.name for question in self.questions))


def body_size(questions: tuple[Question, ...]) -> int:
    """Give the one length to which every report body is padded, in bytes.

    Sorted keys, no spaces, each value at its widest, rounded up to a multiple of 256: a body's
    length says nothing about the answers in it.
    """
    members = sum(len(f'"{question.name}":,') + question.widest for question in questions)
    return -(-(_ENVELOPE + members) // _BLOCK) * _BLOCK


def _parse(raw: bytes | str) -> dict[str, Any]:
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise FormError("form", got=type(error).__name__, allowed="a JSON object") from error
    if not isinstance(document, dict):
        raise FormError("form", got=type(document).__name__, allowed="a JSON object")
    return document


def _languages(raw: Any) -> tuple[str, ...]:
    readable = isinstance(raw, list) and raw and len(set(map(str, raw))) == len(raw)
    if not readable or not all(_LANGUAGE.fullmatch(str(tag)) for tag in raw):
        raise FormError("languages", got=raw, allowed='different language tags such as "en"')
    return tuple(raw)


def _questions(raw: Any, languages: tuple[str, ...]) -> tuple[Question, ...]:
    if not isinstance(raw, list) or not raw:
        raise FormError("questions", got=raw, allowed="at least one question")
    read = tuple(read_question(one, languages, f"questions[{at}]") for at, one in enumerate(raw))
    names = [question.name for question in read]
    for at, name in enumerate(names):
        if type(name) is not str or not _NAME.fullmatch(name) or name in names[:at]:
            raise FormError(
                f"questions[{at}].name", got=name, allowed="a new name in a-z, 0-9 and _, up to 40"
            )
    return read
