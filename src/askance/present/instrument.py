"""The instrument of a study: every wording of a form in the order of its page, in all languages."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, final

from askance.present.page_sheet import render_template
from askance.present.sentences import load_sentences
from askance.survey.report_preview import format_number
from askance_collect.arguments import checked
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import Label
from askance_collect.wire.question import (
    ENDS,
    Choice,
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RingQuestion,
    TableQuestion,
)

Wording = Mapping[str, str]
"""A text by language."""

_ENDINGS: Final = ("full", "screened")
_READ: Final = ("text", "answer", "number", "report")
_NUMBERS: Final = Number | CutsQuestion | RingQuestion
_MARKS: Final = {
    "title": "# ",
    "section": "## ",
    "question": "### ",
    "answer": "- ",
    "number": "- ",
    "report": "- ",
}


@final
@dataclass(frozen=True, slots=True)
class InstrumentLine:
    """A line of an instrument.

    Attributes
    ----------
    kind : str
        `title`, `section`, `question` (its heading), `text`, `answer`, `number` (to be typed),
        `report`, or `note`, which the archive says and no respondent reads.
    text : str
    language : str
        Empty for what is in none of the form's.
    name : str
        Of an answer or a report, how it is stored.
    """

    kind: str
    text: str
    language: str = ""
    name: str = ""


@checked
def describe_instrument(form: Form) -> str:
    """Write all that a form says in all its languages, with who is asked what, as Markdown.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> ak.present.describe_instrument(form).splitlines()[0][:2]
    '# '
    """
    lines, before = list[str](), InstrumentLine("", "")
    for line in list_instrument(form):
        is_read = line.kind in _READ
        is_same_list = line.kind == before.kind and line.language == before.language
        if not is_same_list or line.kind == "text":
            lines.append("")
        if is_read and line.language != before.language:
            lines += [f"*{line.language}*", ""]
        stored = f" ({_escape_marks(line.name)})" if line.name not in ("", line.text) else ""
        text = in_markdown(line.text) if is_read else _escape_marks(line.text)
        lines.append(f"{_MARKS.get(line.kind, '')}{text}{stored}")
        before = line if is_read else InstrumentLine(line.kind, "")
    return "\n".join(lines[1:]) + "\n"


_MARK = re.compile(r"[\\`*<$\[~]|(?<!\S)#|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_LEADING = re.compile(r"^([ \t]*)(\d*)(?<![^\d\s])((?<=\d)[.)]|(?<!\d)[-+>=|])", re.MULTILINE)
"""What begins a list, a line below a heading or a quotation where it begins a line."""


def _escape_marks(text: str) -> str:
    """Write words for Markdown, which would read them as marks, HTML or mathematics."""
    return _MARK.sub(lambda match: f"\\{match[0]}", text)


def in_markdown(text: str) -> str:
    r"""Write a text for Markdown so that it is read as it is, wherever a line of it begins.

    >>> print(in_markdown("- 1 of $2 to $5, *each* <b>"))
    \- 1 of \$2 to \$5, \*each\* \<b>
    """
    return _LEADING.sub(r"\1\2\\\3", _escape_marks(text))


def in_markdown_line(text: str) -> str:
    r"""Write a text for Markdown on one line, as a heading or an item of a list takes it.

    >>> print(in_markdown_line("Letters\n\n# a | b"))
    Letters \# a | b
    """
    return in_markdown(" ".join(text.split()))


def in_markdown_cell(text: str) -> str:
    r"""Write a text for a cell of a table of Markdown.

    >>> print(in_markdown_cell("Letters\n\n# a | b"))
    Letters \# a \| b
    """
    return r"\|".join(map(_escape_marks, " ".join(text.split()).split("|")))


@checked
def render_instrument_page(form: Form) -> str:
    """Write all that a form says as a page of HTML that opens anywhere, without a script.

    Parameters
    ----------
    form : Form

    Raises
    ------
    MissingExtra
        If Jinja2 is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> ak.present.render_instrument_page(form)[:15]
    '<!doctype html>'
    """
    first, *others = form.languages
    title = form.document["title"]
    return render_template(
        "instrument.html",
        sheet="instrument.css",
        title=title[first],
        language=first,
        titles=list(_say(form, "title", {language: title[language] for language in others})),
        blocks=[block for block in group_lines(list_instrument(form)) if block.kind != "title"],
        fingerprint=form.fingerprint,
    )


@final
@dataclass(frozen=True, slots=True)
class InstrumentBlock:
    """Lines that stand together: a heading in all languages, a note, or what is read in one."""

    kind: str
    language: str
    lines: tuple[InstrumentLine, ...]


def group_lines(lines: Iterable[InstrumentLine]) -> Iterator[InstrumentBlock]:
    """Put what is read in one language together, and a heading in all languages.

    >>> tea = InstrumentLine("text", "Tea?", "en"), InstrumentLine("answer", "Yes", "en", "yes")
    >>> [(block.kind, len(block.lines)) for block in group_lines(tea)]
    [('read', 2)]
    """
    for (kind, language, _), group in groupby(lines, key=_block_of):
        yield InstrumentBlock(kind, language, tuple(group))


def _block_of(line: InstrumentLine) -> tuple[str, str, str]:
    """Return the key of a line's block; each note is a block of its own."""
    if line.kind in _READ:
        return "read", line.language, ""
    return line.kind, "", line.text if line.kind == "note" else ""


def list_instrument(form: Form) -> Iterator[InstrumentLine]:
    """List the lines of an instrument from its title to its thanks.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> next(list_instrument(form)).kind
    'title'
    """
    document = form.document
    yield from _say(form, "title", document["title"])
    for language in form.languages:
        for key in ("consent", "contact"):
            yield from _say(form, "text", {language: document[key].get(language, "")})
    for group in document.get("evidence", {}).get("groups", ()):
        yield from _say(form, "text", group.get("text", {}))
    sections = {section["at"]: section for section in document.get("sections", ())}
    for position in range(len(form.questions)):
        if position in sections:
            yield from _say(form, "section", sections[position]["title"])
            yield from _say(form, "text", sections[position]["text"])
        yield from _list_question(form, position)
    yield from _list_ending(form)


def _list_ending(form: Form) -> Iterator[InstrumentLine]:
    """List what the last screen says, also to people who are turned away."""
    ending, words = form.document.get("ending", {}), _words()
    if "thanks" in ending:
        yield InstrumentLine("section", words["ending"])
        yield from _say(form, "text", ending["thanks"])
    for outcome in _ENDINGS:
        if thanks := ending.get(outcome, {}).get("thanks"):
            yield InstrumentLine("note", words[outcome])
            yield from _say(form, "text", thanks)


def _say(form: Form, kind: str, wording: Wording) -> Iterator[InstrumentLine]:
    """List a text in the order of the form's languages, without those that are empty."""
    for language in form.languages:
        if wording.get(language):
            yield InstrumentLine(kind, wording[language], language)


def _list_question(form: Form, position: int) -> Iterator[InstrumentLine]:
    """List a question: what is read in each language, and who is asked."""
    question = form.questions[position]
    alts = dict(_list_alts(form, position))
    kind = "number" if isinstance(question, _NUMBERS) else "answer"
    yield InstrumentLine("question", f"{position + 1}. {question.name}")
    for language in form.languages:
        for wording in (question.text, *_other_texts(form, position), alts.get(None, {})):
            yield from _say(form, "text", {language: wording.get(language, "")})
        for name, wording, alt in _list_answers(question, alts):
            text = wording[language] + (f" [{alt[language]}]" if alt else "")
            yield InstrumentLine(kind, text, language, name)
    for note in _list_notes(form, position):
        yield InstrumentLine("note", note)
    yield from _list_reports(question, form.languages)


def _list_alts(form: Form, position: int) -> Iterator[tuple[int | None, Wording]]:
    """List what is read for the pictures of a question, by answer; None for the question's own."""
    for image in form.document.get("images", ()):
        for location in image["at"]:
            if location["question"] == position:
                yield location.get("answer"), image["alt"]


def _other_texts(form: Form, position: int) -> Iterator[Wording]:
    """List what is read with a question: its coin, its lists, and what a checklist ends with."""
    question = form.questions[position]
    if isinstance(question, Choice) and question.coin is not None:
        yield question.coin.text
    if isinstance(question, TableQuestion) and question.item_count is not None:
        for i, group in enumerate(question.groups):
            for item in question.item_count.list_of(i):
                yield {tag: f"{label}: {item[tag]}" for tag, label in group.wording.items()}
    for checklist in form.checklists:
        if checklist.first_question == position:
            yield checklist.none


def _list_answers(
    question: Question, alts: Mapping[int | None, Wording]
) -> Iterator[tuple[str, Wording, Wording]]:
    """List the answers of a question: how each is stored, its wording and that of its picture."""
    if isinstance(question, Choice | TableQuestion):
        answers = list(enumerate(question.answers))
        if isinstance(question, TableQuestion) and question.checkbox_count:
            answers = [answers[0], *(answers[1 << i] for i in range(question.checkbox_count))]
        if not isinstance(question, TableQuestion) or question.item_count is None:
            for i, answer in answers:
                yield answer.name, answer.wording, alts.get(i, {})
    if isinstance(question, _NUMBERS):
        units, ends = [question.unit], list[tuple[str, Wording]]()
        for name, wording in question.wordings.items():
            if name in ENDS:
                ends.append((name, wording))
            else:
                units.append(wording)
        span = _describe_span(question)
        forms = {tag: dict.fromkeys(unit[tag] for unit in units) for tag in question.unit}
        yield (
            "",
            {tag: f"{span} {' / '.join(filter(None, forms[tag]))}".rstrip() for tag in forms},
            {},
        )
        yield from ((name, wording, {}) for name, wording in ends)


def _describe_span(question: Number | CutsQuestion | RingQuestion) -> str:
    """Write the numbers that can be given: the ends, and the second one where steps are not 1."""
    line = question.line
    first = [line.lower]
    if isinstance(question, Number) and line.step != 1:
        first = [line.value_at(tick) for tick in question.possible_answers[:2]]
    return f"{', '.join(map(format_number, first))} … {format_number(line.upper)}"


def _list_notes(form: Form, position: int) -> Iterator[str]:
    """Say who is asked a question, which length an answer may have, and what is stored."""
    question, words = form.questions[position], _words()
    yield describe_universe(form, position)
    for skip in form.skips:
        if skip.question == position and skip.send is not None:
            yield words["drawn_for" if question.is_randomised else "sent_for"].format(
                answers=_name_answers(form.questions[skip.after], skip.answered),
                question=form.questions[skip.after].name,
                answer=_name_answers(question, (skip.send,)),
            )
    if isinstance(question, FreeText):
        yield words["comment" if question.is_comment else "free_text"].format(limit=question.limit)
    about = getattr(question, "about", {})
    if isinstance(question, Choice) and question.coin is not None:
        about = question.coin.about
    if mechanism := about.get("mechanism"):
        recipes = [mechanism] if isinstance(mechanism.get("name"), str) else mechanism.values()
        names = dict.fromkeys(recipe["name"] for recipe in recipes)
        yield words["protected"].format(name=" or ".join(names))


def describe_universe(form: Form, position: int) -> str:
    """Describe the universe of a question: everybody, or those who do not skip it.

    >>> import askance as ak
    >>> describe_universe(ak.publish(ak.load_survey("examples/affairs.toml")), 0)
    'All respondents'
    """
    words = _words()
    for skip in form.skips:
        if skip.question == position and skip.send is None:
            earlier = form.questions[skip.after]
            answers = _name_answers(earlier, skip.answered)
            return words["skipped"].format(answers=answers, question=earlier.name)
    return words["everybody"]


def _name_answers(question: Question, answered: Collection[int]) -> str:
    """Name the answers on which a question depends."""
    if isinstance(question, Choice | TableQuestion):
        return " or ".join(question.answers[i].name for i in answered)
    line = question.line if not isinstance(question, FreeText) else None
    numbers = [line.value_at(i) for i in sorted({min(answered), max(answered)})] if line else []
    return " to ".join(map(format_number, numbers))


def _list_reports(question: Question, languages: Sequence[str]) -> Iterator[InstrumentLine]:
    """List what can be sent where that has other words than the answers, and what is estimated."""
    behind: Sequence[Label] = ()
    if isinstance(question, Choice) and question.coin is not None:
        behind = question.coin.answers
    if isinstance(question, TableQuestion):
        if question.reports != question.answers:
            yield from _list_labels("sent", question.reports, languages)
        behind = tuple(label for label, _ in question.sets)
    if behind:
        yield from _list_labels("behind", behind, languages)


def _list_labels(
    note: str, labels: Sequence[Label], languages: Sequence[str]
) -> Iterator[InstrumentLine]:
    yield InstrumentLine("note", _words()[note])
    for language in languages:
        for label in labels:
            yield InstrumentLine("report", label.wording[language], language, label.name)


@cache
def _words() -> Mapping[str, str]:
    words = load_sentences("deposit.toml")["instrument"]
    return {name: str(sentence) for name, sentence in words.items()}
