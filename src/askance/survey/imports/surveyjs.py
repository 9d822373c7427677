"""Questionnaires of SurveyJS, in JSON."""

import re
from collections.abc import Iterator, Mapping
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

_PIPE = re.compile(r"\{(?:question\.)?(?!\s)([^{}|]+)\}")
_CONTAINERS = ("panel", "flowpanel", "page")
_INPUTS = ("number", "range")
_MOST_RATES = 200
_COMMENT = "hasComment", "showCommentArea"
_OTHER = "hasOther"
"""The code of the answer that people write themselves."""


def read_surveyjs(tree: SourceTree) -> Draft:
    """Read a questionnaire of SurveyJS."""
    root = tree.root
    first = write_tag(root["locale"].text() or "en", root["locale"], ())
    tags = _list_languages(root, first)
    draft = Draft(tree=tree, pipe=_PIPE, languages=list(dict.fromkeys([first, *tags.values()])))
    source = _Source(draft=draft, tags=tags)
    for key, name in (("title", "title"), ("description", "consent"), ("completedHtml", "thanks")):
        if texts := source.read_texts(root[key]):
            draft.texts[name] = texts
    pages = root["pages"] if root["pages"] else root["questions"] or root["elements"]
    for page in pages:
        _read_element(source, page, {})
    return draft


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A questionnaire that is read.

    Attributes
    ----------
    draft : Draft
    tags : mapping of str to str
        Its languages by their keys in texts.
    """

    draft: Draft
    tags: Mapping[str, str]

    def texts_of(self, node: Node) -> dict[str, Node]:
        """Find a text in each language."""
        if not isinstance(node.value, dict):
            return {self.draft.languages[0]: node} if node else {}
        return {self.tags[key]: node[key] for key in node.keys if key in self.tags}

    def read_texts(self, node: Node, question: str = "") -> Texts:
        """Read a text in each language."""
        return self.draft.read_texts(self.texts_of(node), question)


def _list_languages(root: Node, first: str) -> dict[str, str]:
    """List the languages of all texts, and how a survey file calls them."""
    tags = {"default": first}
    for key, node in _localised(root):
        if key not in tags:
            tags[key] = write_tag(key, node, [*tags.values()])
    return tags


def _localised(node: Node) -> Iterator[tuple[str, Node]]:
    if isinstance(node.value, dict) and "default" in node.value:
        keys = [key for key in node.keys if isinstance(node.value[key], str)]
        yield from ((key, node[key]) for key in keys if re.fullmatch(r"[a-z]{2,3}(-\w+)*", key))
    for child in node:
        yield from _localised(child)


def _read_element(source: _Source, node: Node, title: Texts) -> None:
    kind = str(node["type"].value or "page")
    if kind in _CONTAINERS and (node["elements"] or node["questions"]):
        _read_container(source, node, title)
    elif kind == "html":
        node["type"].text()
        source.draft.describe(
            source.read_texts(node["html"]), [*source.texts_of(node["html"]).values()]
        )
        node["visibleIf"].omit(ImportReason.CONDITION)
    else:
        _read_question(source, node, kind)


def _read_container(source: _Source, node: Node, outer: Texts) -> None:
    """Read a page or a panel; one with a title is a section."""
    node["type"].text()
    title = source.read_texts(node["title"])
    text = source.read_texts(node["description"])
    is_random = any(node[key].value == "random" for key in ("questionsOrder", "questionOrder"))
    if is_random and title:
        (node["questionsOrder"] or node["questionOrder"]).use()
    if title:
        nodes = [
            part for key in ("title", "description") for part in source.texts_of(node[key]).values()
        ]
        source.draft.begin_section(title, text, nodes, "random" if is_random else "")
    else:
        source.draft.describe(text, [*source.texts_of(node["description"]).values()])
    opened = len(source.draft.open_conditions)
    read_shown_if(node["visibleIf"], source.draft.open_conditions)
    for child in node["elements"] if node["elements"] else node["questions"]:
        _read_element(source, child, title or outer)
    del source.draft.open_conditions[opened:]
    if title and outer:
        source.draft.begin_section(outer, {})


def _read_question(source: _Source, node: Node, kind: str) -> None:
    """Read a question of one of the kinds that a survey file has."""
    read = _KINDS.get(kind)
    if kind == "text" and node["inputType"].value in _INPUTS:
        read = _read_number
    if read is None or node["visible"].value is False or not node["name"]:
        is_kind = read is None
        node.omit(ImportReason.QUESTION_KIND if is_kind else ImportReason.CALCULATION, detail=kind)
        return
    node["type"].text()
    raw, draft = node["name"].text(), source.draft
    name = draft.name_question(raw, node["name"])
    texts = source.read_texts(node["title"], name) or dict.fromkeys(draft.languages, raw)
    hint = source.read_texts(node["description"], name)
    text = {tag: "\n\n".join(filter(None, (texts[tag], hint.get(tag, "")))) for tag in texts}
    entry: dict[str, Any] = {"name": name, "text": pipe_texts(text, _PIPE, draft, node["title"])}
    if node["isRequired"].value is True:
        node["isRequired"].use()
        entry["required"] = True
    codes = read(source, node, entry)
    if codes is None:
        node.omit(ImportReason.QUESTION_KIND, name, kind)
        return
    question = DraftQuestion(entry=entry, node=node, codes=codes)
    read_shown_if(node["visibleIf"], question.conditions)
    draft.add(question, raw)
    _refer_to_rows(draft, question, raw, node)
    _read_other(source, node, question)


def _refer_to_rows(draft: Draft, question: DraftQuestion, raw: str, node: Node) -> None:
    for row, label in zip(node["rows"], question.entry.get("items", ()), strict=False):
        name = label if isinstance(label, str) else str(label["name"])
        code = row["value"].value if isinstance(row.value, dict) else row.value
        draft.references.setdefault(f"{raw}.{code}", (question, name))


def _read_other(source: _Source, node: Node, question: DraftQuestion) -> None:
    """Read the answer that people may write themselves, and the comment below a question."""
    if _is_on(node, "hasOther", "showOtherItem"):
        label = source.read_texts(node["otherText"]) or source.draft.phrase("other", node)
        other = question.codes.get(_OTHER, "other")
        source.draft.add_other(question, other, label, node["otherText"] or node)
    if _is_on(node, *_COMMENT):
        if {"choose", "items", "free_text"} & {*question.entry}:
            for key in (*_COMMENT, "commentText"):
                node[key].omit(ImportReason.QUESTION_KIND, question.name)
            return
        comment = source.read_texts(node["commentText"])
        question.entry.setdefault("comment", {"limit": SHORT_TEXT})
        question.entry["comment"] |= {"text": comment} if comment else {}


def _is_on(node: Node, *keys: str) -> bool:
    """Say whether a switch is on, by any of its names."""
    values = [node[key].use() for key in keys if node[key].value is True]
    return bool(values)


def _read_labels(
    source: _Source, node: Node, question: str, *, are_items: bool = False
) -> tuple[list[Any], dict[str, str]]:
    """Read choices, columns or rows: values, or values with texts."""
    answers = []
    for choice in filter(None, node):
        if isinstance(choice.value, dict):
            value = choice["value"] if choice["value"] else choice["name"]
            label = choice["text"] if choice["text"] else choice["title"]
            texts = source.read_texts(label, question)
            answers.append((value.text(), texts, choice))
        else:
            answers.append((choice.text(), {}, choice))
    return source.draft.label_answers(answers, question, are_items=are_items)


def _read_choice(source: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    answers, codes = _read_labels(
        source, node["choices"], entry["name"], are_items="choose" in entry
    )
    if not answers:
        return None
    if _is_on(node, "hasNone", "showNoneItem"):
        texts = source.read_texts(node["noneText"]) or source.draft.phrase("none", node)
        if "choose" in entry:
            entry["none"] = texts
        else:
            none = source.draft.append_answer(answers, "none", texts, node, entry["name"])
            codes.setdefault("none", none)
    entry["answers"] = answers
    return codes


def _read_single(source: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    codes = _read_choice(source, node, entry)
    return _with_other(source, node, entry, codes)


def _with_other(
    source: _Source, node: Node, entry: dict[str, Any], codes: dict[str, str] | None
) -> dict[str, str] | None:
    """Add the answer "other", where there is one."""
    is_other = any(node[key].value is True for key in ("hasOther", "showOtherItem"))
    if codes is None or not is_other:
        return codes
    texts = source.read_texts(node["otherText"]) or source.draft.phrase("other", node)
    other = source.draft.append_answer(entry["answers"], "other", texts, node, entry["name"])
    return {"other": other, **codes, _OTHER: other}


def _read_several(source: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    entry["choose"] = "all"
    codes = _read_choice(source, node, entry)
    return _with_other(source, node, entry, codes)


def _read_boolean(source: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str]:
    yes = source.read_texts(node["labelTrue"]) or source.draft.phrase("yes", node)
    no = source.read_texts(node["labelFalse"]) or source.draft.phrase("no", node)
    entry["answers"] = [{"name": "yes", **yes}, {"name": "no", **no}]
    codes = {"true": "yes", "false": "no"}
    for key, code in (("valueTrue", "true"), ("valueFalse", "false")):
        if node[key]:
            codes = {node[key].text(): codes[code], **codes}
    return codes


def _read_rating(source: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    if node["rateValues"]:
        answers, codes = _read_labels(source, node["rateValues"], entry["name"])
        entry["answers"] = answers
        return codes
    count = node["rateCount"].use()
    lowest, highest, step = (
        node[key].use() if node[key] else default
        for key, default in (("rateMin", 1), ("rateMax", count or 5), ("rateStep", 1))
    )
    if not all(isinstance(bound, int) for bound in (lowest, highest, step)) or step < 1:
        return None
    rates = range(lowest, highest + 1, step)
    if not rates or rates[_MOST_RATES:]:
        return None
    values = [*map(str, rates)]
    labels = {value: dict.fromkeys(source.draft.languages, value) for value in values}
    for key, value in (("minRateDescription", values[0]), ("maxRateDescription", values[-1])):
        words = source.read_texts(node[key])
        labels[value] = {tag: f"{value}: {word}" for tag, word in words.items()} or labels[value]
    entry["answers"], codes = source.draft.label_answers(
        [(value, labels[value], node) for value in values], entry["name"]
    )
    return codes


def _read_grid(source: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    entry["items"], _ = _read_labels(source, node["rows"], entry["name"], are_items=True)
    entry["answers"], codes = _read_labels(source, node["columns"], entry["name"])
    return codes if entry["items"] and entry["answers"] else None


def _read_number(_: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str]:
    node["inputType"].text()
    step = node["step"].text() or "1"
    whole = re.fullmatch(r"1(\.0)?", step) is not None
    step = step if re.fullmatch(r"\d*\.?\d+", step) and float(step) > 0 else "0.01"
    entry["line"] = number_line(node["min"], node["max"], step, node, entry["name"], whole=whole)
    return {}


def _read_free_text(_: _Source, node: Node, entry: dict[str, Any]) -> dict[str, str]:
    is_long = node["type"].value == "comment"
    if node["inputType"].value not in (None, "text"):
        node["inputType"].note(ImportReason.TEXT, entry["name"])
        node["inputType"].text()
    limit = node["maxLength"].use()
    if not isinstance(limit, int) or not 1 <= limit <= 2_000:
        limit = LONG_TEXT if is_long else SHORT_TEXT
        node.note(ImportReason.BOUNDS, entry["name"], f"{limit:,} characters")
    entry["free_text"] = {"limit": Exact(str(limit))}
    return {}


def _read_several_texts(
    source: _Source, node: Node, entry: dict[str, Any]
) -> dict[str, str] | None:
    entry["items"], _ = _read_labels(source, node["items"], entry["name"], are_items=True)
    entry["free_text"] = {"limit": Exact(str(SHORT_TEXT))}
    node.note(ImportReason.BOUNDS, entry["name"], f"{SHORT_TEXT} characters")
    return {} if entry["items"] else None


_KINDS: Mapping[str, Any] = {
    "radiogroup": _read_single,
    "dropdown": _read_single,
    "buttongroup": _read_single,
    "checkbox": _read_several,
    "tagbox": _read_several,
    "boolean": _read_boolean,
    "rating": _read_rating,
    "matrix": _read_grid,
    "text": _read_free_text,
    "comment": _read_free_text,
    "multipletext": _read_several_texts,
    "slider": _read_number,
    "nouislider": _read_number,
}
