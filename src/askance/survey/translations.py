"""A survey's translations: the page's own texts in languages that Askance does not have."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from askance.survey.files_beside import read_beside
from askance.survey.specs import Survey
from askance_collect.errors import DocumentError, SurveyError, nearest
from askance_collect.respond.words import file_of, fitting, with_words, words_in

LARGEST_WORDS = 1_000_000
"""How many bytes a file of words may have."""


def embed_word_files(survey: Survey, folder: Path) -> Survey:
    """Embed the translation files that a survey names.

    Raises
    ------
    SurveyError
        If one cannot be read, or with the line of the first word that cannot be right.
    """
    if survey.words is None:
        return survey
    files = (
        survey.words if isinstance(survey.words, dict) else _assign_language(survey.words, survey)
    )
    read = {
        tag: _read(folder, file, f"words.{tag}") if isinstance(file, str) else file
        for tag, file in files.items()
    }
    return msgspec.structs.replace(survey, words=read)


def _assign_language(file: str, survey: Survey) -> dict[str, str]:
    """Give a file of words without a language to the survey's only one."""
    if len(survey.languages) != 1:
        tag = survey.languages[-1] if survey.languages else "nl"
        raise SurveyError(
            "words",
            got=f"{file}, for {len(survey.languages)} languages",
            allowed="one file in a survey of one language, or one for each language",
            remedy=f'write words = {{ {tag} = "{file}" }}',
        )
    return {survey.languages[0]: file}


def _read(folder: Path, file: str, where: str) -> dict[str, Any]:
    raw, name = read_beside(folder, file, where, LARGEST_WORDS), Path(file).name
    if len(raw) > LARGEST_WORDS:
        allowed = f"at most {LARGEST_WORDS:,} bytes"
        raise SurveyError(where, got=f"{name}, of more", allowed=allowed)
    try:
        return words_in(raw.decode("utf-8").replace("\r\n", "\n"))
    except DocumentError as error:
        problem = f"{name}, {error.where}: {error.got}"
        raise SurveyError(where, got=problem, allowed=error.allowed, remedy=error.remedy) from error
    except ValueError as error:
        raise SurveyError(where, got=f"{name}: {error}", allowed="words in UTF-8") from error


def write_words(words: str | Mapping[str, Any], languages: Sequence[str]) -> dict[str, Any]:
    """Write the words that a form brings, by language, and whether a native speaker has read them.

    >>> nl = {"name": "Nederlands", "checked": True, "words": {"leave": "Weg", "back": ""}}
    >>> write_words({"nl": nl}, ["en", "nl"])
    {'nl': {'checked': True, 'words': {'leave': 'Weg'}}}
    """
    if not isinstance(words, Mapping) or not words:
        allowed = 'a file for each language, as { nl = "words-nl.toml" }, read by load_survey'
        raise SurveyError("words", got=words or "none", allowed=allowed)
    return {tag: _check_words(tag, file, languages) for tag, file in words.items()}


def _check_words(tag: str, file: Any, languages: Sequence[str]) -> dict[str, Any]:
    where = f"words.{tag}"
    if tag not in languages:
        allowed = f"a language of the survey: {', '.join(languages)}"
        raise SurveyError(where, got=tag, allowed=allowed, remedy=nearest(tag, tuple(languages)))
    if tag in with_words() and file_of(tag)["checked"]:
        raise SurveyError(
            where,
            got=tag,
            allowed="a language whose words no native speaker has read for the page",
            remedy="leave it out: the page has its own",
        )
    if not isinstance(file, Mapping):
        raise SurveyError(
            where, got=file, allowed="a file beside a survey file, which load_survey reads"
        )
    try:
        fit = fitting(file)
    except DocumentError as error:
        problem = f"{error.where}: {error.got}"
        raise SurveyError(where, got=problem, allowed=error.allowed, remedy=error.remedy) from error
    if not fit["words"]:
        remedy = f"askance translate {tag} writes a file to fill in"
        raise SurveyError(where, got="no words", allowed="at least one", remedy=remedy)
    return {"checked": fit["checked"], "words": fit["words"]}
