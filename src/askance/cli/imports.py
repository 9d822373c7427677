"""A questionnaire of another program, written as a survey file with a list of what did not come."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import indent, wrap
from typing import Annotated, final

import click
import msgspec

from askance.cli.typed_request import takes_request
from askance.survey.imports.draft import imports_table
from askance.survey.imports.import_survey import ImportedSurvey, import_survey
from askance.survey.imports.source_tree import ImportNote, ImportReason
from askance_collect.cli.documents import echo_json, save
from askance_collect.cli.request_options import Arg

_SHOWN = 3
_COUNTED = ImportReason.TECHNICAL, ImportReason.LAYOUT, ImportReason.MESSAGE
"""Reasons whose entries are counted alone, unless all are wanted."""
_WIDTH = 96


@final
class ImportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A questionnaire of another program.

    Attributes
    ----------
    file : Path
        A file of Qualtrics (`.qsf`), LimeSurvey (`.lss`, or `.txt` with tabs), XLSForm (`.xlsx`) or
        SurveyJS (`.json`).
    out : Path, optional
        Where to write the survey file; its own name with `.toml` if it is left out.
    all : bool
        List every entry that did not come or was changed, not only the first ones.
    json : bool
        Print the survey file and the list as JSON, and write nothing.
    """

    file: Annotated[Path, Arg(flag="")]
    out: Path | None = None
    all: bool = False
    json: bool = False


@takes_request()
def import_(request: ImportRequest) -> None:
    """Convert FILE, a questionnaire of another program, to a survey.

    Parts that cannot be imported are listed with their place and the reason. Questions that look
    sensitive are named; none is protected until you write a mechanism.
    """
    imported = import_survey(request.file)
    if request.json:
        echo_json(imported.to_dict())
        return
    path = request.out or request.file.with_name(f"{request.file.name.partition('.')[0]}.toml")
    save(path, imported.text, new=True)
    click.echo(f"{path} is ready: {imported.questions} questions. Next: askance check {path}")
    for heading, is_omission in (("Did not come", True), ("Came, changed", False)):
        notes = [note for note in imported.notes if note.reason.is_omission == is_omission]
        if notes:
            click.echo(f"\n{heading}:")
            click.echo("\n".join(_list_notes(notes, request.all)))
    if imported.suggestions:
        click.echo("\nLooks sensitive, and is asked directly:")
        click.echo("\n".join(_list_suggestions(imported)))


def _list_notes(notes: Sequence[ImportNote], is_full: bool) -> Iterator[str]:
    """List notes below their reasons, the first ones of each."""
    sentences = imports_table("reasons")
    for reason in dict.fromkeys(note.reason for note in notes):
        entries = [note for note in notes if note.reason is reason]
        lines = wrap(f"{sentences[reason.value]} ({len(entries):,})", _WIDTH)
        yield indent("\n".join(lines), "  ")
        limit = 0 if reason in _COUNTED else _SHOWN
        shown_entries = entries if is_full else entries[:limit]
        for note in shown_entries:
            parts = (note.question, note.detail or note.value)
            yield f"    {note.path}: {', '.join(filter(None, parts))}".rstrip(": ")
        if 0 < len(shown_entries) < len(entries):
            yield f"    and {len(entries) - len(shown_entries):,} more: --all lists them"


def _list_suggestions(imported: ImportedSurvey) -> Iterator[str]:
    topics = imports_table("topics")
    for item in imported.suggestions:
        line = f"  {item.question}: {topics[item.topic]} (“{item.word}”)"
        remedy = "leave it out" if item.topic == "identity" else item.mechanism
        yield f"{line}; {remedy}" if remedy else line
