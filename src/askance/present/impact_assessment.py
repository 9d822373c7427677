"""A data protection impact assessment (Article 35 GDPR) to edit: Markdown, or a Word document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import groupby
from typing import Any, final

from askance.analysis import Check
from askance.present.board_facts import (
    BoardFacts,
    assess_actors,
    board_facts,
    describe_actor,
    describe_worst,
)
from askance.present.board_risks import parts_of, weaknesses_of
from askance.present.hazards import answer_hazards
from askance.present.sentences import Writer
from askance.survey.row_crowd import describe_crowd, warn_of_crowd
from askance_collect.arguments import checked
from askance_collect.errors import MissingExtra
from askance_collect.lazy import release
from askance_collect.wire.form import Form
from askance_collect.wire.toml_text import packaged_toml

BLANK = "TO FILL IN"
"""What marks a blank; in Word it is highlighted, too."""


@final
@dataclass(frozen=True, slots=True)
class _Block:
    """A part of the document: ``kind`` is title, heading, text, blank, bullet or table."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@checked
def write_assessment(form: Form, check: Check) -> str:
    """Write a draft of a data protection impact assessment as Markdown, to be edited.

    Sections follow Article 35(7). Every fact comes from the form; what a form does not hold is a
    blank that begins with `TO FILL IN`.

    Parameters
    ----------
    form : Form
    check : Check
        By `askance.check`, of that form.

    Raises
    ------
    InputError
        If the check is of another form.

    References
    ----------
    Regulation (EU) 2016/679, Articles 35 and 36; Article 29 Working Party, WP 248 rev.01 (2017).

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> draft = write_assessment(form, ak.check(form))
    >>> draft.splitlines()[0]
    '# Data protection impact assessment: Marriage and faith'
    >>> "**TO FILL IN: Controller: name and address** …" in draft
    True
    """
    blocks = _list_blocks(form, check)
    parts = [
        ("\n" if is_bullets else "\n\n").join(map(_write_block, several))
        for is_bullets, several in groupby(blocks, lambda block: block.kind == "bullet")
    ]
    return "\n\n".join(parts) + "\n"


@checked
def write_assessment_docx(form: Form, check: Check) -> bytes:
    """Write the same draft as a Word document (.docx), with its blanks highlighted.

    Parameters
    ----------
    form : Form
    check : Check
        By `askance.check`, of that form.

    Raises
    ------
    InputError
        If the check is of another form.
    MissingExtra
        Without ``pip install 'askance[word]'``.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> write_assessment_docx(form, ak.check(form))[:2]
    b'PK'
    """
    try:
        from docx import Document
        from docx.enum.text import WD_COLOR_INDEX
    except ImportError:
        raise MissingExtra("python-docx", "word") from None
    document = Document()
    for block in _list_blocks(form, check):
        match block.kind:
            case "title" | "heading":
                document.add_heading(block.text, level=block.kind == "heading")
            case "blank":
                run = document.add_paragraph().add_run(f"{BLANK}: {block.text} …")
                run.font.highlight_color = WD_COLOR_INDEX.YELLOW
            case "bullet":
                document.add_paragraph(block.text, style="List Bullet")
            case "table":
                _add_table(document, block.rows)
            case _:
                document.add_paragraph(block.text)
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _add_table(document: Any, rows: Sequence[Sequence[str]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for written, row in zip(table.rows, rows, strict=True):
        for cell, text in zip(written.cells, row, strict=True):
            cell.text = text
    document.add_paragraph()


def _write_block(block: _Block) -> str:
    match block.kind:
        case "title" | "heading":
            return f"{'#' * (1 + (block.kind == 'heading'))} {_escape(block.text)}"
        case "blank":
            return f"**{BLANK}: {_escape(block.text)}** …"
        case "bullet":
            return f"- {_escape(block.text)}"
        case "table":
            head, *rows = (f"| {' | '.join(map(_escape, row))} |" for row in block.rows)
            return "\n".join([head, f"|{' --- |' * len(block.rows[0])}", *rows])
        case _:
            return _escape(block.text)


def _escape(text: str) -> str:
    """Write a text so that Markdown takes nothing in it for markup."""
    for mark in "\\`*_[]<>|#":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def _list_blocks(form: Form, check: Check) -> Iterator[_Block]:
    """List the parts of the document, each fact filled in."""
    facts, language = board_facts(form, check), form.languages[0]
    contact = form.document["contact"][language].strip()
    values = {
        "title": check.title,
        "fingerprint": form.fingerprint,
        "version": release(),
        "contact": contact or "nobody is named",
        "total_questions": len(check.questions),
    }
    writer = Writer(
        tables={},
        cite=", ".join,
        facts={name: partial(_constant, value) for name, value in values.items()},
    )

    def fill(text: str) -> str:
        return writer.fill(text, facts)

    yield _Block("title", fill(_ASSESSMENT["title"]))
    yield _Block("text", fill(_ASSESSMENT["lead"]))
    for section in _ASSESSMENT["section"]:
        yield _Block("heading", section["title"])
        for kind, text in section["items"]:
            if kind == "table":
                yield from _list_facts(text, form, check, facts)
            else:
                yield _Block("text" if kind == "fact" else kind, fill(text))


def _list_facts(name: str, form: Form, check: Check, facts: BoardFacts) -> Iterator[_Block]:
    """List the facts that one of the document's tables or lists holds."""
    match name:
        case "questions":
            yield _table(
                ("Name", "Question", "What one report gives away"),
                [
                    (question.name, question.text, question.protection)
                    for question in check.questions
                ],
            )
        case "actors":
            yield _table(
                ("Who", "Sees", "Linked to", "Reveals at most"),
                [describe_actor(actor, facts) for actor in assess_actors(facts)],
            )
        case "hazards":
            yield _table(
                ("Hazard of NIST SP 800-226", "Chapter", "Standing", "Answer"),
                [
                    (
                        answer.title,
                        str(answer.hazard.chapter),
                        answer.standing.value,
                        answer.sentence,
                    )
                    for answer in answer_hazards(facts)
                ],
            )
        case "consent":
            consent = form.document["consent"][form.languages[0]]
            yield from (_Block("text", line) for line in consent.splitlines() if line.strip())
        case _:
            yield from (_Block("bullet", risk) for risk in _list_risks(form, check, facts))


def _list_risks(form: Form, check: Check, facts: BoardFacts) -> Iterator[str]:
    """List the most revealing reports, the crowd behind a row, and the weaknesses that remain."""
    for worst in facts.worst:
        yield f"{worst.question.name}: {describe_worst(worst)}"
    for trait in check.traits:
        if trait.risk:
            yield f"{', '.join(trait.questions)} together: {trait.risk}"
    if facts.proving:
        yield f"Reports can prove an answer: {', '.join(facts.proving)}."
    yield from (*describe_crowd(facts.crowd), *warn_of_crowd(facts.crowd))
    for weakness in weaknesses_of(parts_of(form, check)):
        yield f"{weakness.title}. {weakness.sentence}"


def _constant(value: object, _subject: object) -> object:
    return value


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> _Block:
    return _Block("table", rows=(head, *rows))


_ASSESSMENT = packaged_toml("askance.present", "templates/assessment.toml")
