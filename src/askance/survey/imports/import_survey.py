"""Questionnaires of Qualtrics, LimeSurvey, XLSForm and SurveyJS, read into a survey file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, final

from askance.results import Listing, json_of, listed, result_frame, result_stream
from askance.survey.imports.draft import ELLIPSIS, Draft, DraftQuestion, Exact, imports_table
from askance.survey.imports.read_source import read_source
from askance.survey.imports.source_tree import ImportNote, ImportReason
from askance.survey.publish import MOST_QUESTIONS, publish
from askance.survey.specs import Survey
from askance.survey.survey_file import parse_survey
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, FormError, SurveyError, restate
from askance_collect.wire.form import unpiped

_PART = re.compile(r"question\[(\d+)\](?:\.(\w+))?")
_REMOVABLE = ("skip", "comment", "section", "required", "none")
_CONSENT = "consent"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionSuggestion:
    """A question that looks sensitive, and a mechanism by which it could be asked.

    Attributes
    ----------
    question : str
    topic : str
        What it seems to be about, as ``"drugs"``; ``"identity"`` where it asks who somebody is.
    word : str
        The word that it was seen by.
    mechanism : str
        The line of a survey file that protects it; empty where it has no answers to draw from.

    >>> import askance as ak
    >>> ak.survey.ProtectionSuggestion(question="used", topic="drugs", word="cannabis").to_dict()
    {'question': 'used', 'topic': 'drugs', 'word': 'cannabis', 'mechanism': ''}
    """

    question: str
    topic: str
    word: str
    mechanism: str = ""

    def to_dict(self) -> Json:
        """Return the suggestion, for JSON."""
        return json_of(self)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedSurvey:
    """A survey file made of another program's questionnaire, with all that is not in it.

    Attributes
    ----------
    program : str
        ``"qualtrics"``, ``"limesurvey"``, ``"xlsform"`` or ``"surveyjs"``.
    text : str
        The survey file, in TOML.
    questions : int
        How many questions it has.
    notes : tuple of ImportNote
        What did not come, then what came changed.
    suggestions : tuple of ProtectionSuggestion
        Questions that look sensitive. None is protected until somebody writes it.
    used : tuple of str
        The path of each part of the source that is in the survey file.

    >>> import askance as ak
    >>> page = ak.survey.import_survey("tests/survey/imports/tea.surveyjs.json")
    >>> page.questions, [note.path for note in page.notes if note.reason.name == "QUESTION_KIND"]
    (9, ['pages[1].elements[3]'])
    """

    program: str
    text: str
    questions: int
    notes: tuple[ImportNote, ...]
    suggestions: tuple[ProtectionSuggestion, ...]
    used: tuple[str, ...]

    @property
    def survey(self) -> Survey:
        """The survey file, read."""
        return parse_survey(self.text.encode())

    def to_dict(self) -> Json:
        """Return the survey file and all that is not in it, for JSON."""
        return json_of(self, "program text questions notes suggestions")

    def _frame(self) -> list[Json]:
        return [note.to_dict() for note in self.notes]

    def _table(self) -> Listing:
        reasons = imports_table("reasons")
        counts = Counter(note.reason for note in self.notes)
        rows = [[reasons[reason.value], f"{count:,}"] for reason, count in counts.items()]
        topics = imports_table("topics")
        notes = [
            f"{item.question} looks sensitive ({topics[item.topic]}: “{item.word}”)"
            for item in self.suggestions
        ]
        title = f"{self.questions} questions from {self.program}"
        return title, ["what did not come, or came changed", "times"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def import_survey(path: FilePath | str) -> ImportedSurvey:
    """Read a questionnaire of another program into a survey file.

    Qualtrics (``.qsf``), LimeSurvey (``.lss``, and ``.txt`` separated by tabs), XLSForm (``.xlsx``)
    and SurveyJS (JSON). Nothing is dropped without a note, and nothing is protected.

    Parameters
    ----------
    path : Path or str
        The program's own export; what it is follows from its ending and its content.

    Returns
    -------
    ImportedSurvey
        The survey file's text, what did not come or was changed, and what looks sensitive.

    Raises
    ------
    DocumentError
        If the file cannot be read as one of these, or no question of it can come.

    >>> print(import_survey("tests/survey/imports/tea.surveyjs.json").text.splitlines()[4])
    askance = "survey-1"
    """
    file = FilePath(path)
    program, draft = read_source(file)
    tree = draft.tree
    draft.finish()
    if "title" not in draft.texts:
        draft.texts["title"] = dict.fromkeys(draft.languages, file.name.partition(".")[0])
    if _CONSENT not in draft.texts:
        draft.texts[_CONSENT] = draft.phrase(_CONSENT)
        tree.notes.append(ImportNote(reason=ImportReason.CONSENT, path=_CONSENT))
    _fit(draft, file.name)
    rest = imports_table("rest")[program]
    tree.list_rest({key: ImportReason(reason) for reason, keys in rest.items() for key in keys})
    suggestions = tuple(_suggest(draft.questions))
    by_reason = sorted(
        dict.fromkeys([*tree.omitted.values(), *tree.notes]),
        key=lambda note: [*ImportReason].index(note.reason),
    )
    return ImportedSurvey(
        program=program,
        text=_write_file(draft, suggestions, f"{file.name} ({program})"),
        questions=len(draft.questions),
        notes=tuple(by_reason),
        suggestions=suggestions,
        used=tuple(sorted(map(tree.write_path, tree.list_used()))),
    )


def _fit(draft: Draft, name: str) -> None:
    """Leave out what the survey file cannot have, until it can be published."""
    while draft.questions:
        try:
            publish(parse_survey(_write_file(draft, (), "").encode()))
        except (SurveyError, FormError) as error:
            _leave_out(draft, error, name)
        else:
            return
    allowed = "a questionnaire with a question of answers, a number or a text"
    raise DocumentError(name, got="no question that a survey file can have", allowed=allowed)


def _leave_out(draft: Draft, error: DocumentError, name: str) -> None:
    """Leave out the part that an error names, and list it."""
    match = _PART.search(error.where)
    index = int(match[1]) if match else len(draft.questions)
    if match is None or index >= len(draft.questions):
        remedy = f"a survey file has at most {MOST_QUESTIONS} questions, each row of a grid one"
        where = f"{name}: {error.where}"
        raise restate(error, where, DocumentError, error.remedy or remedy) from error
    question, key = draft.questions[index], match[2] or ""
    detail = f"{key or 'question'}: {error}"
    if key in ("text", "piped") and any("{" in text for text in question.entry["text"].values()):
        texts = {tag: unpiped(text) for tag, text in question.entry["text"].items()}
        if texts != question.entry["text"]:
            question.entry["text"] = texts
            question.node.note(ImportReason.PIPE, question.name, ELLIPSIS)
            return
    if key in _REMOVABLE and key in question.entry:
        del question.entry[key]
        question.node.note(ImportReason.REFUSED, question.name, detail)
        return
    draft.remove(index)
    shared = {node.path for other in draft.questions for node in other.parts}
    for node in (question.node, *(part for part in question.parts if part.path not in shared)):
        node.omit(ImportReason.REFUSED, question.name, detail)


def _suggest(questions: Sequence[DraftQuestion]) -> Iterator[ProtectionSuggestion]:
    """Suggest protection for each question whose words look sensitive."""
    topics = {
        topic: re.compile("|".join(rf"(?<!\w){re.escape(word)}\w*" for word in words))
        for topic, words in imports_table("words").items()
    }
    for question in questions:
        words = " ".join(_list_words(question.entry)).casefold()
        for topic, pattern in topics.items():
            if match := pattern.search(words):
                yield ProtectionSuggestion(
                    question=question.name,
                    topic=topic,
                    word=match[0].strip(),
                    mechanism="" if topic == "identity" else _suggest_mechanism(question.entry),
                )
                break


def _list_words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            if key not in ("name", "skip", "section"):
                yield from _list_words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _list_words(part)


def _suggest_mechanism(entry: Mapping[str, Any]) -> str:
    """Write the mechanism that a question of answers could have."""
    if "answers" not in entry:
        return ""
    is_pair = "choose" in entry or len(entry["answers"]) == 2
    return f'mechanism = {{ name = "{"warner" if is_pair else "kary"}", ratio = 3 }}'


def _write_file(draft: Draft, suggestions: Sequence[ProtectionSuggestion], source: str) -> str:
    """Write the survey file, with suggestions as comments."""
    by_question = {suggestion.question: suggestion for suggestion in suggestions}
    lines = [
        f"# From {source}, by askance import.",
        "# Questions are asked directly until they have a mechanism; comments say which look",
        "# sensitive.",
        "",
        'askance = "survey-1"',
    ]
    if draft.languages != ["en"]:
        lines.append(f"languages = {_write(draft.languages)}")
    single = len(draft.languages) == 1
    for key in ("title", _CONSENT, "contact"):
        if key in draft.texts:
            lines += _write_texts(key, draft.texts[key], single=single)
    if "thanks" in draft.texts:
        lines += ["", "[ending]", *_write_texts("thanks", draft.texts["thanks"], single=single)]
    for question in draft.questions:
        lines += ["", "[[question]]"]
        lines += _write_question(question.entry, by_question.get(question.name), single=single)
    return "\n".join(lines) + "\n"


def _write_question(
    entry: Mapping[str, Any], suggestion: ProtectionSuggestion | None, *, single: bool
) -> Iterator[str]:
    """Write a question: its own keys, what is suggested, then its tables."""
    tables = {key: part for key, part in entry.items() if key in ("section", "comment")}
    own = {key: part for key, part in entry.items() if key not in tables}
    yield from _write_keys(own, single=single)
    if suggestion is not None:
        yield from _write_suggestion(suggestion)
    for name, table in tables.items():
        yield f"[question.{name}]"
        yield from _write_keys(table, single=single)


def _write_keys(table: Mapping[str, Any], *, single: bool) -> Iterator[str]:
    """Write the keys of a table: texts by language, labels one a line."""
    for key, part in table.items():
        if key in ("text", "none", "title"):
            yield from _write_texts(key, part, single=single)
        elif key in ("answers", "items"):
            yield f"{key} = ["
            yield from (f"    {_write(_plain(label, single=single))}," for label in part)
            yield "]"
        else:
            yield f"{key} = {_write(part)}"


def _plain(label: Any, *, single: bool) -> Any:
    """Write the label of an answer; of one language its table has two keys."""
    if isinstance(label, str) or not single:
        return label
    texts = [text for key, text in label.items() if key != "name"]
    return label["name"] if texts == [label["name"]] else label


def _write_suggestion(suggestion: ProtectionSuggestion) -> Iterator[str]:
    topic = imports_table("topics")[suggestion.topic]
    yield f"# Looks sensitive ({topic}: “{suggestion.word}”), and is asked directly."
    if suggestion.mechanism:
        yield "# To protect its answers take away the # of the next line:"
        yield f"# {suggestion.mechanism}"
    elif suggestion.topic == "identity":
        yield "# With it the report has a name: leave it out, or ask it in another survey."
    else:
        yield "# No text can be protected; a number can be, by ranges or by answers that are bands."


def _write_texts(key: str, texts: Mapping[str, str], *, single: bool) -> Iterator[str]:
    """Write a text, or one for each language."""
    if single or len(set(texts.values())) == 1:
        yield f"{key} = {_write_string(next(iter(texts.values())))}"
        return
    for tag, text in texts.items():
        yield f"{key}.{_write_key(tag)} = {_write_string(text)}"


def _write_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _write_string(key)


def _write(value: object) -> str:
    """Write a value of TOML on one line."""
    if isinstance(value, Exact):
        return value.text
    if isinstance(value, Mapping):
        pairs = (f"{_write_key(key)} = {_write(part)}" for key, part in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write, value))}]"
    if isinstance(value, bool | int):
        return str(value).lower()
    return _write_string(str(value), is_short=True)


def _write_string(text: str, *, is_short: bool = False) -> str:
    """Write a text in quotes; one of several lines over as many."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if "\n" not in text:
        return f'"{escaped}"'.replace("\t", "\\t")
    if is_short:
        return f'"{escaped}"'.replace("\n", "\\n").replace("\t", "\\t")
    return f'"""\n{escaped}"""'
