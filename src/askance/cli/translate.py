"""The page's own words: which languages there are, and a file for a translator to fill in."""

from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.typed_request import takes_request
from askance_collect.cli.documents import save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond.words import blank_words, file_of, with_words, words_lacking


@final
class TranslateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The page's own texts, to be translated or checked.

    Attributes
    ----------
    language : str, optional
        The language to translate them into, such as `nl` or `pt-BR`.
    check : Path, optional
        List the words that this file lacks; a word that cannot be right is refused with its line.
        The file's name says the language.
    """

    language: Annotated[str | None, Arg(flag="")] = None
    check: Path | None = None


@takes_request()
def translate(request: TranslateRequest) -> None:
    """Write the page's texts to a file to translate into LANGUAGE.

    They are written to words-LANGUAGE.toml. Without LANGUAGE, list the languages that the page has
    words of.
    """
    language, file = request.language, request.check
    if file is not None and language is not None:
        raise InputError(
            "LANGUAGE",
            got=f"{language!r} beside --check",
            allowed="a language to write a file of, or --check with a file that is there",
            remedy=f"the words of any language are checked alike: askance translate --check {file}",
        )
    if file is not None:
        _print_lacking(file)
    elif language is not None:
        path = Path(f"words-{language}.toml")
        save(path, blank_words(language), new=True)
        click.echo(f"{path} is ready. Next: askance translate --check {path}")
    else:
        for tag in with_words():
            language_words = file_of(tag)
            checked = "" if language_words["checked"] else "  not checked by a native speaker"
            click.echo(f"{tag}  {language_words['name']}{checked}")


def _print_lacking(file: Path) -> None:
    """Say which words a file lacks; one that cannot be right is refused with its line."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(
            str(file), got=str(error), allowed="a readable file in UTF-8"
        ) from error
    lacking = words_lacking(text)
    click.echo(
        f"{file}: {len(lacking)} words are missing and shown in English{':' * bool(lacking)}"
    )
    for key in lacking:
        click.echo(f"  {key}")
