"""Questionnaires in XLSForm: the sheets survey, choices and settings of a workbook."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

from askance.survey.imports.draft import (
    LONG_TEXT,
    SHORT_TEXT,
    Draft,
    DraftQuestion,
    Exact,
    Texts,
    number_line,
    pipe_texts,
    read_shown_if,
    write_tag,
)
from askance.survey.imports.source_tree import ImportReason, Node, SourceTree

_PIPE = re.compile(r"\$\{([^{}]+)\}")
_BOUND = re.compile(r"\.\s*(>=|<=)\s*(-?\d+(?:\.\d+)?)")
_PARAMETER = re.compile(r"(start|end|step)\s*=\s*(-?\d+(?:\.\d+)?)")
_TRANSLATED = re.compile(r"(label|hint)\s*:{1,2}\s*(.+)", re.IGNORECASE)
_WORDED = re.compile(
    r"select[ _]?(1|one|all that apply|multiple)(?: from)? (?!from\b)(\S+)( or specify other)?",
    re.IGNORECASE,
)
"""Types as they were written in words."""
_TRUE = ("yes", "true", "true()", "1")
_OTHER = "or_other"
"""The code of the answer that people write themselves."""
_TYPED = ("date", "time", "datetime", "barcode")
_COMPUTED = ("calculate", "hidden", "xml-external", "csv-external")
_METADATA = (
    "start",
    "end",
    "today",
    "deviceid",
    "username",
    "phonenumber",
    "email",
    "subscriberid",
    "simserial",
    "start-geopoint",
    "audit",
    "background-audio",
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """A form that is read.

    Attributes
    ----------
    draft : Draft
    tags : mapping
        The languages of labels, by what the columns call them; None for a column that names none.
    choices : mapping of str to list of Node
        The rows of each list of choices.
    groups : list of (str, Texts, int)
        The groups that are open, with their titles, and the conditions that were open before.
    """

    draft: Draft
    tags: Mapping[str | None, str]
    choices: Mapping[str, list[Node]]
    groups: list[tuple[str, Texts, int]]

    def texts_of(self, row: Node, column: str) -> dict[str, Node]:
        """Find a text of a row in each language."""
        nodes = dict[str, Node]()
        for key in row.keys:
            match = _TRANSLATED.fullmatch(key)
            if key.lower() == column and row[key]:
                nodes.setdefault(self.tags[None], row[key])
            elif match and match[1].lower() == column and row[key]:
                nodes[self.tags[match[2].strip()]] = row[key]
        return nodes


def read_xlsform(tree: SourceTree) -> Draft:
    """Read an XLSForm."""
    root, settings = tree.root, tree.root["settings"][0]
    first = write_tag(settings["default_language"].text() or "en", settings["default_language"], ())
    tags = _list_languages(root, first)
    languages = sorted(dict.fromkeys(tags.values()), key=lambda tag: tag != first)
    draft = Draft(tree=tree, pipe=_PIPE, languages=languages)
    title = settings["form_title"] if settings["form_title"] else settings["title"]
    if texts := draft.read_texts({languages[0]: title}):
        draft.texts["title"] = texts
    choices: dict[str, list[Node]] = {}
    for row in root["choices"]:
        choices.setdefault(str(row["list_name"].value or "").strip(), []).append(row)
    form = _Form(draft=draft, tags=tags, choices=choices, groups=[])
    rows = iter(root["survey"])
    for row in rows:
        _read_row(form, row, rows)
    for choice in root["choices"]:
        if not any(cell.path in tree.used for cell in choice):
            choice.omit(ImportReason.UNUSED)
    return draft


def _list_languages(root: Node, first: str) -> dict[str | None, str]:
    """List the languages of all labels and hints that hold something."""
    tags: dict[str | None, str] = {None: first}
    is_bare = False
    for sheet in ("survey", "choices"):
        for row in root[sheet]:
            for key in filter(None, row.keys):
                match = _TRANSLATED.fullmatch(key)
                is_bare = is_bare or bool(key.lower() == "label" and row[key])
                if match and row[key] and match[2].strip() not in tags:
                    others = [*tags.values()] if is_bare else [*tags.values()][1:]
                    tags[match[2].strip()] = write_tag(match[2].strip(), row[key], others)
    if not is_bare and len(tags) > 1:
        del tags[None]
        tags[None] = first if first in tags.values() else next(iter(tags.values()))
    return tags


def _read_row(form: _Form, row: Node, rows: Iterator[Node]) -> None:
    """Read a row: the beginning or the end of a group, a note, or a question."""
    words = _WORDED.sub(_write_type, str(row["type"].value or "").strip()).split()
    words[:1], words[2:] = map(str.lower, words[:1]), map(str.lower, words[2:])
    kind = " ".join(words).lower().replace("_", " ")
    if str(row["disabled"].value or "").strip().lower() in _TRUE:
        row.omit(ImportReason.UNUSED, detail="disabled")
    elif kind == "begin group":
        _begin_group(form, row)
    elif kind == "end group":
        row["type"].text()
        _end_group(form)
    elif kind == "begin repeat":
        _omit_repeat(row, rows)
    elif kind == "note":
        row["type"].text()
        form.draft.describe(_read_text(form, row), _text_nodes(form, row))
        row["relevant"].omit(ImportReason.CONDITION)
    elif words:
        _read_question(form, row, words)


def _write_type(worded: re.Match[str]) -> str:
    """Write a type as it is written today."""
    kind = "one" if worded[1].lower() in ("1", "one") else "multiple"
    return f"select_{kind} {worded[2]}{' or_other' if worded[3] else ''}"


def _omit_repeat(row: Node, rows: Iterator[Node]) -> None:
    """Omit all rows of a repeated group."""
    depth = 1
    row.omit(ImportReason.QUESTION_KIND, detail="begin_repeat")
    for inner in rows:
        kind = str(inner["type"].value or "").lower().replace("_", " ")
        depth += (kind == "begin repeat") - (kind == "end repeat")
        inner.omit(ImportReason.QUESTION_KIND, detail="begin_repeat")
        if not depth:
            return


def _begin_group(form: _Form, row: Node) -> None:
    row["type"].text()
    draft = form.draft
    title = draft.read_texts(form.texts_of(row, "label"))
    hint = draft.read_texts(form.texts_of(row, "hint"))
    form.groups.append((str(row["name"].value), title, len(draft.open_conditions)))
    read_shown_if(row["relevant"] or row["relevance"], draft.open_conditions)
    if title:
        draft.begin_section(title, hint, _text_nodes(form, row))
    else:
        draft.describe(hint, _text_nodes(form, row))


def _text_nodes(form: _Form, row: Node) -> list[Node]:
    return [node for name in ("label", "hint") for node in form.texts_of(row, name).values()]


def _end_group(form: _Form) -> None:
    if not form.groups:
        return
    _, title, opened = form.groups.pop()
    del form.draft.open_conditions[opened:]
    outer = next((texts for _, texts, _ in reversed(form.groups) if texts), {})
    if title and outer:
        form.draft.begin_section(outer, {})


def _read_text(form: _Form, row: Node, question: str = "") -> Texts:
    """Read the label and the hint of a row, which may pipe earlier answers."""
    texts = form.draft.read_texts(form.texts_of(row, "label"), question)
    hint = form.draft.read_texts(form.texts_of(row, "hint"), question)
    joined = {tag: "\n\n".join(filter(None, (texts[tag], hint.get(tag, "")))) for tag in texts}
    return pipe_texts(joined or hint, _PIPE, form.draft, row)


def _read_question(form: _Form, row: Node, words: list[str]) -> None:
    """Read a question of one of the kinds that a survey file has."""
    draft, kind = form.draft, words[0]
    read = _KINDS.get(kind)
    if read is None:
        reason = ImportReason.CALCULATION if kind in _COMPUTED else ImportReason.QUESTION_KIND
        reason = ImportReason.TECHNICAL if kind in _METADATA else reason
        row.omit(reason, detail=words[0])
        return
    row["type"].text()
    raw = row["name"].text()
    name = draft.name_question(raw, row["name"])
    text = _read_text(form, row, name) or dict.fromkeys(draft.languages, raw or name)
    entry: dict[str, Any] = {"name": name, "text": text}
    if str(row["required"].value or "").strip().lower() in _TRUE:
        row["required"].use()
        entry["required"] = True
    codes = read(form, row, entry, words)
    if codes is None:
        row.omit(ImportReason.QUESTION_KIND, name, " ".join(words))
        return
    choices = form.choices[words[1]] if codes else ()
    question = DraftQuestion(entry=entry, node=row, codes=codes, parts=choices)
    read_shown_if(row["relevant"] or row["relevance"], question.conditions)
    draft.add(question, raw)
    if "or_other" in words[2:]:
        other = question.codes.get(_OTHER, "other")
        draft.add_other(question, other, draft.phrase("other", row), row["type"])


def _read_choice(
    form: _Form, row: Node, entry: dict[str, Any], words: list[str]
) -> dict[str, str] | None:
    rows = form.choices.get(words[1], []) if len(words) > 1 else []
    is_several = words[0] == "select_multiple"
    answers = []
    for choice in rows:
        value = choice["name"] if choice["name"] else choice["value"]
        choice["list_name"].use()
        texts = form.draft.read_texts(form.texts_of(choice, "label"), entry["name"])
        answers.append((value.text(), texts, choice))
    if not answers:
        return None
    labels, codes = form.draft.label_answers(answers, entry["name"], are_items=is_several)
    if "or_other" in words[2:]:
        texts = form.draft.phrase("other", row)
        other = form.draft.append_answer(labels, "other", texts, row["type"], entry["name"])
        codes = {"other": other, **codes, _OTHER: other}
    if is_several:
        entry["choose"] = "all"
    entry["answers"] = labels
    return codes


def _read_number(_: _Form, row: Node, entry: dict[str, Any], words: list[str]) -> dict[str, str]:
    """Read a number, and its bounds from its constraint or its parameters."""
    cell = row["parameters" if words[0] == "range" else "constraint"]
    bounds = (_read_parameters if words[0] == "range" else _read_constraint)(cell, entry["name"])
    step = bounds.get("step", "0.01" if words[0] == "decimal" else "1").lstrip("-")
    whole = words[0] != "decimal" and step == "1" and "." not in "".join(bounds.values())
    lower, upper = (
        Node(value=bounds.get(key), path=cell.path, tree=row.tree) for key in ("start", "end")
    )
    entry["line"] = number_line(lower, upper, step, row, entry["name"], whole=whole)
    return {}


def _read_constraint(cell: Node, _: str) -> dict[str, str]:
    """Read the bounds of a number, if its constraint says nothing else."""
    parts = re.split(r"\s+and\s+", cell.value.strip()) if cell else []
    matches = [_BOUND.fullmatch(part.strip().strip("()")) for part in parts]
    return {
        "start" if match[1] == ">=" else "end": match[2]
        for match in filter(None, matches if all(matches) else [])
    }


def _read_parameters(cell: Node, question: str) -> dict[str, str]:
    """Read the bounds of a range and its step; what else stands there is listed."""
    parameters = cell.text()
    if rest := _PARAMETER.sub("", parameters).strip(" ,;"):
        cell.note(ImportReason.VALIDATION, question, rest)
    return dict(_PARAMETER.findall(parameters))


def _read_free_text(_: _Form, row: Node, entry: dict[str, Any], words: list[str]) -> dict[str, str]:
    is_long = "multiline" in str(row["appearance"].value or "")
    if words[0] in _TYPED:
        row["type"].note(ImportReason.TEXT, entry["name"], words[0])
    limit = LONG_TEXT if is_long else SHORT_TEXT
    row.note(ImportReason.BOUNDS, entry["name"], f"{limit:,} characters")
    entry["free_text"] = {"limit": Exact(str(limit))}
    return {}


_Read = Callable[[_Form, Node, dict[str, Any], list[str]], dict[str, str] | None]

_KINDS: Mapping[str, _Read] = {
    "select_one": _read_choice,
    "select_multiple": _read_choice,
    "integer": _read_number,
    "int": _read_number,
    "decimal": _read_number,
    "range": _read_number,
    "text": _read_free_text,
    "string": _read_free_text,
    "date": _read_free_text,
    "time": _read_free_text,
    "datetime": _read_free_text,
    "barcode": _read_free_text,
}
