"""The page's own words: which languages there are, and a file for a translator to fill in."""

from pathlib import Path

import click

from askance_collect.cli.documents import FILE, save
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond.translation import blank_words, words_lacking
from askance_collect.respond.words import file_of, with_words


@click.command()
@click.argument("language", required=False)
@click.option("--check", "file", type=FILE, help="Say what is wrong or missing in this file.")
def translate(language: str | None, file: Path | None) -> None:
    """Write the page's texts to a file to translate into LANGUAGE.

    They are written to words-LANGUAGE.toml. Without LANGUAGE, list the languages that the page has
    words of.
    """
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
        f"{file}: {len(lacking)} words are lacking, and said in English{':' * bool(lacking)}"
    )
    for key in lacking:
        click.echo(f"  {key}")
