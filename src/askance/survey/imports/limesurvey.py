"""Questionnaires of LimeSurvey: the tables of an .lss file, or the rows of a .txt structure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from askance.survey.imports.conditions import read_condition
from askance.survey.imports.draft import (
    LONG_TEXT,
    SHORT_TEXT,
    Draft,
    DraftQuestion,
    Exact,
    Texts,
    imports_table,
    number_line,
    pipe_texts,
    write_tag,
)
from askance.survey.imports.source_tree import ImportReason, Node, SourceTree, plain_text

_PIPE = re.compile(
    r"\{(?:INSERTANS:)?(?!\s)([A-Za-z][\w:]*?)(?:\.(?:shown|NAOK|value|code|question))?\}"
)
_EXPRESSION = re.compile(r"\{(?!\s)(?![a-z0-9_]+\|…\})[^{}]*\}")
_SHOWN = ("", "1")
_YES = ("Y", "1")
_FIELDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys("L!MP", ("other",)),
    **dict.fromkeys("O|", ("comment", "filecount")),
}
"""What is written as a subquestion of a kind, and is none: the place to write in."""
_SWITCHES = (
    *("alphasort", "exclude_all_others_auto", "hidden", "location_mapservice", "numbers_only"),
    *("other_comment_mandatory", "other_numbers_only", "random_group", "random_order"),
)
"""Attributes that do nothing where they are 0."""
_OTHER = "other_replace_text"
"""The attribute that words the answer which people write themselves."""
Nodes = dict[str, Node]
"""A text in each language."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Label:
    """An answer or a subquestion."""

    code: str
    node: Node
    texts: Nodes = field(default_factory=dict)
    scale: str = "0"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A question, with its subquestions, its answers and its attributes."""

    code: str
    kind: str
    node: Node
    texts: Nodes = field(default_factory=dict)
    hints: Nodes = field(default_factory=dict)
    others: Nodes = field(default_factory=dict)
    fields: dict[str, Node] = field(default_factory=dict)
    subquestions: dict[tuple[str, str], _Label] = field(default_factory=dict)
    answers: dict[tuple[str, str], _Label] = field(default_factory=dict)
    number: str = ""

    def field(self, name: str) -> Node:
        """Return a field or an attribute of it."""
        return self.fields.get(name) or self.node["no such field"]

    def list_parts(self) -> list[Node]:
        """List all its parts except its first row, in every language."""
        labels = (*self.subquestions.values(), *self.answers.values())
        named = [node for label in labels for node in (label.node, *label.texts.values())]
        texts = (self.texts, self.hints, self.others, self.fields)
        return [*named, *(node for nodes in texts for node in nodes.values())]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _QuestionGroup:
    """A group of questions, which stands on a page."""

    names: Nodes = field(default_factory=dict)
    texts: Nodes = field(default_factory=dict)
    fields: dict[str, Node] = field(default_factory=dict)
    items: list[_Item] = field(default_factory=list)


def read_limesurvey(tree: SourceTree) -> Draft:
    """Read a questionnaire of LimeSurvey."""
    root = tree.root
    is_rows = bool(root["rows"]) and not root["questions"]
    draft = Draft(tree=tree, pipe=_EXPRESSION, languages=[])
    tags: dict[str, str] = {}
    groups = (_read_rows if is_rows else _read_tables)(draft, root, tags)
    for group in groups:
        _read_group(draft, group)
    for row in root["question_attributes"]:
        name, value = plain_text(row["attribute"].value), row["value"]
        is_default = not value or plain_text(value.value) in _DEFAULTS.get(name, ())
        if is_default or value.path in tree.used or value.path in tree.omitted:
            row.use()
        else:
            row.omit(_reason_of(name), detail=f"{name}: {plain_text(value.value)}")
    return draft


def _tag(draft: Draft, node: Node, tags: dict[str, str]) -> str:
    """Write the language of a row, and add it to those of the survey."""
    raw = plain_text(node.value)
    if raw not in tags:
        tags[raw] = write_tag(raw or "en", node, [*tags.values()])
        if tags[raw] not in draft.languages:
            draft.languages.append(tags[raw])
    node.use()
    return tags[raw]


_OPENINGS = {
    "surveyls_title": "title",
    "surveyls_welcometext": "consent",
    "surveyls_description": "consent",
    "surveyls_endtext": "thanks",
}
"""Where the texts of a survey go; the first one that is there counts."""


def _read_openings(draft: Draft, openings: Mapping[str, Nodes]) -> None:
    for name, key in _OPENINGS.items():
        texts = draft.read_texts(openings.get(name, {}))
        if not texts:
            continue
        if key in draft.texts:
            texts = {tag: f"{draft.texts[key][tag]}\n\n{texts[tag]}" for tag in texts}
        draft.texts[key] = texts


def _read_tables(draft: Draft, root: Node, tags: dict[str, str]) -> list[_QuestionGroup]:
    """Read the tables of an .lss file, whose texts stand in tables of their own since 4.0."""
    for language in filter(None, (root["surveys"][0]["language"], *root["languages"])):
        _tag(draft, language, tags)  # its own language stands last in the list
    openings: dict[str, Nodes] = {}
    for row in root["surveys_languagesettings"]:
        tag = _tag(draft, row["surveyls_language"], tags)
        for name in _OPENINGS:
            openings.setdefault(name, {})[tag] = row[name]
    groups = _read_groups(draft, root, tags)
    items = _read_questions(draft, root, tags, groups)
    _read_subquestions(draft, root, tags, items)
    _read_answers(draft, root, tags, items)
    for row in root["question_attributes"]:
        item = items.get(plain_text(row["qid"].value))
        name = plain_text(row["attribute"].value)
        if item is not None and row["value"]:
            item.fields.setdefault(name, row["value"])
            if name == _OTHER:
                tag = _tag(draft, row["language"], tags) if row["language"] else draft.languages[0]
                item.others[tag] = row["value"]
    _read_openings(draft, openings)
    return [*groups.values()]


def _read_groups(draft: Draft, root: Node, tags: dict[str, str]) -> dict[str, _QuestionGroup]:
    groups: dict[str, _QuestionGroup] = {}
    for row in sorted(root["groups"], key=_order_by("group_order")):
        group = groups.setdefault(row["gid"].text(), _QuestionGroup())
        group.fields.update({str(key): row[key] for key in row.keys if row[key]})
        _use_defaults(row)
        if row["group_name"]:
            tag = _tag(draft, row["language"], tags)
            group.names[tag], group.texts[tag] = row["group_name"], row["description"]
    for row in root["group_l10ns"]:
        group = groups.setdefault(row["gid"].text(), _QuestionGroup())
        _use_defaults(row)
        tag = _tag(draft, row["language"], tags)
        group.names[tag], group.texts[tag] = row["group_name"], row["description"]
    return groups


def _order_by(key: str) -> Callable[[Node], float]:
    def order(row: Node) -> float:
        text = plain_text(row[key].value)
        row[key].use()
        return float(text) if re.fullmatch(r"-?\d{1,9}", text) else 0.0

    return order


def _read_questions(
    draft: Draft, root: Node, tags: dict[str, str], groups: dict[str, _QuestionGroup]
) -> dict[str, _Item]:
    items: dict[str, _Item] = {}
    for row in sorted(root["questions"], key=_order_by("question_order")):
        number = row["qid"].text()
        if number not in items:
            kind, code = row["type"].text(), plain_text(row["title"].value)
            items[number] = _Item(code=code, kind=kind, node=row, number=number)
            groups.setdefault(row["gid"].text(), _QuestionGroup()).items.append(items[number])
            items[number].fields.update({str(key): row[key] for key in row.keys if row[key]})
        if row["question"]:
            tag = _tag(draft, row["language"], tags)
            items[number].texts[tag], items[number].hints[tag] = row["question"], row["help"]
        _omit_repeated(items[number], row)
        for key in ("qid", "gid", "type"):
            row[key].use()
    for row in root["question_l10ns"]:
        item = items.get(row["qid"].text())
        if item is not None:
            tag = _tag(draft, row["language"], tags)
            item.texts[tag], item.hints[tag] = row["question"], row["help"]
    return items


def _omit_repeated(item: _Item | _Label, row: Node) -> None:
    """Omit what a row says again in another language."""
    for key in row.keys if row.path != item.node.path else ():
        if row[key].value == item.node[key].value:
            row[key].omit(ImportReason.TECHNICAL, detail="as in the first language")


def _read_subquestions(
    draft: Draft, root: Node, tags: dict[str, str], items: dict[str, _Item]
) -> None:
    localised: dict[str, Nodes] = {}
    for row in root["question_l10ns"]:
        tag = _tag(draft, row["language"], tags)
        localised.setdefault(plain_text(row["qid"].value), {})[tag] = row["question"]
    for row in sorted(root["subquestions"], key=_order_by("question_order")):
        item = items.get(row["parent_qid"].text())
        if item is None:
            continue
        code, scale = row["title"].text(), row["scale_id"].text() or "0"
        _use_defaults(row)
        label = item.subquestions.setdefault(
            (scale, code), _Label(code=code, node=row, scale=scale)
        )
        _omit_repeated(label, row)
        label.texts.update(localised.get(row["qid"].text(), {}))
        if row["question"]:
            label.texts[_tag(draft, row["language"], tags)] = row["question"]


def _use_defaults(row: Node) -> None:
    """Mark what a row leaves as it is by default: it decides nothing else."""
    for key in row.keys:
        if plain_text(row[key].value) in _DEFAULTS.get(key, ()):
            row[key].use()


_DEFAULTS = {
    "relevance": _SHOWN,
    "grelevance": _SHOWN,
    **dict.fromkeys(_SWITCHES, ("0",)),
    "mandatory": ("N",),
    "other": ("N",),
    "encrypted": ("N",),
    "scale_id": ("0",),
    "same_default": ("0", "1"),
    "assessment_value": ("0",),
    "parent_qid": ("0",),
    "type": ("T",),
}


def _read_answers(draft: Draft, root: Node, tags: dict[str, str], items: dict[str, _Item]) -> None:
    localised: dict[str, Nodes] = {}
    for row in root["answer_l10ns"]:
        tag = _tag(draft, row["language"], tags)
        localised.setdefault(row["aid"].text(), {})[tag] = row["answer"]
    for row in sorted(root["answers"], key=_order_by("sortorder")):
        item = items.get(row["qid"].text())
        if item is None:
            continue
        _use_defaults(row)
        code, scale = row["code"].text(), row["scale_id"].text() or "0"
        label = item.answers.setdefault((scale, code), _Label(code=code, node=row, scale=scale))
        _omit_repeated(label, row)
        label.texts.update(localised.get(row["aid"].text(), {}))
        if row["answer"]:
            label.texts[_tag(draft, row["language"], tags)] = row["answer"]


def _read_rows(draft: Draft, root: Node, tags: dict[str, str]) -> list[_QuestionGroup]:
    """Read the rows of a .txt structure: each language has its rows, one after the other."""
    openings: dict[str, Nodes] = {}
    first = _QuestionGroup()  # of the questions above every group
    structure = _Structure(
        draft=draft, tags=tags, openings=openings, groups=[first], current=[first]
    )
    for row in root["rows"]:
        kind = plain_text(row["class"].value)
        if kind in _ROWS:
            _use_defaults(row)
            row["class"].text()
            _ROWS[kind](structure, row)
        elif kind:
            row.omit(_reason_of(kind), detail=kind)
    _read_openings(draft, openings)
    return structure.groups


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Structure:
    """What the rows of a .txt structure have said so far."""

    draft: Draft
    tags: dict[str, str]
    openings: dict[str, Nodes]
    groups: list[_QuestionGroup]
    current: list[Any]
    numbers: dict[str, int] = field(default_factory=dict)
    coded: dict[str, _QuestionGroup] = field(default_factory=dict)
    items: dict[str, _Item] = field(default_factory=dict)


def _read_setting(structure: _Structure, row: Node) -> None:
    name, value = plain_text(row["name"].value), row["text"]
    if name in ("language", "additional_languages"):
        row["name"].text()
        value.use()
        for tag in plain_text(value.value).split():
            node = Node(value=tag, path=value.path, tree=value.tree)
            _tag(structure.draft, node, structure.tags)
    elif row["name"]:
        structure.draft.tree.omitted[row.path] = row.note_of(_reason_of(name), detail=name)


def _reason_of(name: str) -> ImportReason:
    """Say why a setting or an attribute of this name is not in the survey file."""
    reasons = imports_table("rest")["limesurvey"].items()
    return ImportReason(next((reason for reason, names in reasons if name in names), "unknown"))


def _read_language_setting(structure: _Structure, row: Node) -> None:
    name = plain_text(row["name"].value)
    if name not in _OPENINGS:
        structure.draft.tree.omitted[row.path] = row.note_of(_reason_of(name), detail=name)
        return
    row["name"].text()
    tag = _tag(structure.draft, row["language"], structure.tags)
    structure.openings.setdefault(name, {})[tag] = row["text"]


def _read_group_row(structure: _Structure, row: Node) -> None:
    tag = _tag(structure.draft, row["language"], structure.tags)
    number = structure.numbers[tag] = structure.numbers.get(tag, 0) + 1
    code = row["type/scale"].text() or f"{number}"  # one code in all languages, else one place
    group = structure.coded.get(code)
    if group is None or tag in group.names:
        group = structure.coded[code] = _QuestionGroup()
        group.fields["grelevance"] = row["relevance"]
        structure.groups.append(group)
    group.names[tag], group.texts[tag] = row["name"], row["text"]
    structure.current[:] = [group]


def _read_question_row(structure: _Structure, row: Node) -> None:
    tag = _tag(structure.draft, row["language"], structure.tags)
    code, kind = plain_text(row["name"].value), row["type/scale"].text()
    item = structure.items.get(code)
    if item is None or tag in item.texts:
        item = structure.items[code] = _Item(code=code, kind=kind, node=row, number=code)
        item.fields.update({str(key): row[key] for key in row.keys if row[key]})
        structure.current[0].items.append(item)
    item.texts[tag], item.hints[tag], item.others[tag] = row["text"], row["help"], row[_OTHER]
    _omit_repeated(item, row)
    structure.current[1:] = [item]


def _read_label_row(structure: _Structure, row: Node) -> None:
    if len(structure.current) < 2:
        return
    item: _Item = structure.current[1]
    is_answer = row["class"].value == "A"
    labels = item.answers if is_answer else item.subquestions
    tag = _tag(structure.draft, row["language"], structure.tags)
    if is_answer and plain_text(row["relevance"].value) == "0":
        row["relevance"].use()
    elif is_answer:
        row["relevance"].omit(ImportReason.CODE)
    elif _is_field(item, plain_text(row["name"].value)):
        row.omit(ImportReason.TECHNICAL, detail="the name of a column in the data")
        return
    code, scale = row["name"].text(), row["type/scale"].text() or "0"
    label = labels.setdefault((scale, code), _Label(code=code, node=row, scale=scale))
    _omit_repeated(label, row)
    label.texts[tag] = row["text"]


def _is_field(item: _Item, name: str) -> bool:
    """Say whether a subquestion is no item, but a place to write in."""
    if name == "other" and plain_text(item.field("other").value) != "Y":
        return False
    return name in _FIELDS.get(item.kind, ())


_ROWS: Mapping[str, Callable[[_Structure, Node], None]] = {
    "S": _read_setting,
    "SL": _read_language_setting,
    "G": _read_group_row,
    "Q": _read_question_row,
    "SQ": _read_label_row,
    "A": _read_label_row,
}


def _read_group(draft: Draft, group: _QuestionGroup) -> None:
    title, text = draft.read_texts(group.names), draft.read_texts(group.texts)
    if title:
        draft.begin_section(title, text, [*group.names.values(), *group.texts.values()])
    opened = len(draft.open_conditions)
    relevance = group.fields.get("grelevance")
    if relevance is not None:
        _read_relevance(relevance, draft.open_conditions)
    for item in group.items:
        _read_item(draft, item)
    del draft.open_conditions[opened:]


def _read_relevance(node: Node, conditions: list[Any]) -> None:
    """Read under which condition something is shown, as far as it says so by answers."""
    text = plain_text(node.value)
    if text in _SHOWN:
        node.use()
        return
    condition = read_condition(text)
    if condition is None:
        node.omit(ImportReason.CONDITION)
        return
    node.use()
    conditions.append((condition, node))


def _read_item(draft: Draft, item: _Item) -> None:
    """Read a question of one of the kinds that a survey file has."""
    read, is_hidden = _KINDS.get(item.kind), plain_text(item.field("hidden").value) == "1"
    _use_defaults(item.node)
    if item.kind == "X" and not is_hidden:
        for nodes in (item.texts, item.hints):
            texts = _piped(draft, draft.read_texts(nodes), item)
            draft.describe(texts, [*nodes.values()])
        _omit_relevance(item)
        return
    if read is None or is_hidden:
        is_computed = item.kind == "*" or is_hidden
        reason = ImportReason.CALCULATION if is_computed else ImportReason.QUESTION_KIND
        _omit_item(item, reason)
        return
    coded = item.node["title"] or item.node["name"]
    coded.use()
    name = draft.name_question(item.code, coded)
    texts = draft.read_texts(item.texts, name) or dict.fromkeys(draft.languages, item.code)
    hint = draft.read_texts(item.hints, name)
    text = {tag: "\n\n".join(filter(None, (texts[tag], hint.get(tag, "")))) for tag in texts}
    entry: dict[str, Any] = {"name": name, "text": _piped(draft, text, item)}
    if plain_text(item.field("mandatory").value) in _YES:
        item.field("mandatory").use()
        entry["required"] = True
    codes = read(draft, item, entry)
    if codes is None:
        _omit_item(item, ImportReason.QUESTION_KIND)
        return
    question = DraftQuestion(entry=entry, node=item.node, codes=codes, parts=item.list_parts())
    _read_relevance(item.field("relevance"), question.conditions)
    draft.add(question, item.code)
    for key, part in codes.items() if "items" not in entry else ():
        draft.references.setdefault(f"{item.code}_{key}", (question, part))
    _refer_to_rows(draft, question, item)
    if plain_text(item.field("other").value) == "Y" and "answers" in entry:
        item.field("other").use()
        other = question.codes.get("-oth-", "other")
        draft.add_other(question, other, _other_label(draft, item), item.field("other"))


def _piped(draft: Draft, texts: Texts, item: _Item) -> Texts:
    return pipe_texts(texts, _PIPE, draft, item.node) if texts else texts


def _omit_relevance(item: _Item) -> None:
    relevance = item.field("relevance")
    if plain_text(relevance.value) in _SHOWN:
        relevance.use()
    else:
        relevance.omit(ImportReason.CONDITION)


def _omit_item(item: _Item, reason: ImportReason) -> None:
    """Omit a question with all of its parts."""
    for node in (item.node, *item.list_parts()):
        node.omit(reason, detail=f"{item.code} ({item.kind})")


def _refer_to_rows(draft: Draft, question: DraftQuestion, item: _Item) -> None:
    labels = [label for label in item.subquestions.values() if label.scale == "0"]
    for label, row in zip(labels, question.entry.get("items", ()), strict=False):
        name = row if isinstance(row, str) else str(row["name"])
        draft.references.setdefault(f"{item.code}_{label.code}", (question, name))


def _other_label(draft: Draft, item: _Item) -> Texts:
    return draft.read_texts(item.others) or draft.phrase("other", item.field("other"))


def _labels(
    draft: Draft, labels: Sequence[_Label], question: str, *, are_items: bool = False
) -> tuple[list[Any], dict[str, str]]:
    answers = [
        (label.code, draft.read_texts(label.texts, question), label.node) for label in labels
    ]
    return draft.label_answers(answers, question, are_items=are_items)


def _add_other(draft: Draft, item: _Item, entry: dict[str, Any], codes: dict[str, str]) -> None:
    if plain_text(item.field("other").value) == "Y":
        node, label = item.field("other"), _other_label(draft, item)
        codes["-oth-"] = draft.append_answer(entry["answers"], "other", label, node, entry["name"])


def _read_list(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str]:
    answers = [label for label in item.answers.values() if label.scale == "0"]
    entry["answers"], codes = _labels(draft, answers, entry["name"])
    _add_other(draft, item, entry, codes)
    if item.kind == "O":
        entry["comment"] = {"limit": LONG_TEXT}
        item.node.note(ImportReason.BOUNDS, entry["name"], f"{LONG_TEXT:,} characters")
    return codes


def _read_several(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str]:
    labels = [*item.subquestions.values()]
    entry["choose"] = "all"
    entry["answers"], codes = _labels(draft, labels, entry["name"], are_items=True)
    _add_other(draft, item, entry, codes)
    if item.kind == "P":
        item.node.note(ImportReason.QUESTION_KIND, entry["name"], "a comment at each item")
    return codes


def _read_phrases(*codes: tuple[str, str]) -> Callable[[Draft, _Item, dict[str, Any]], Any]:
    """Return a reader of a question whose answers LimeSurvey words itself."""

    def read(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str] | None:
        if item.subquestions and not _read_items(draft, item, entry):
            return None
        entry["answers"] = [
            {"name": phrase, **draft.phrase(phrase, item.node)} for _, phrase in codes
        ]
        return dict(codes)

    return read


def _read_points(last: int) -> Callable[[Draft, _Item, dict[str, Any]], Any]:
    """Return a reader of a question whose answers are numbers from one on."""

    def read(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str] | None:
        if item.subquestions and not _read_items(draft, item, entry):
            return None
        numbers = [str(number) for number in range(1, last + 1)]
        answers: list[tuple[str, Texts, Node]] = [(number, {}, item.node) for number in numbers]
        entry["answers"], codes = draft.label_answers(answers, entry["name"])
        return codes

    return read


def _read_items(draft: Draft, item: _Item, entry: dict[str, Any]) -> bool:
    labels = [label for label in item.subquestions.values() if label.scale == "0"]
    entry["items"], _ = _labels(draft, labels, entry["name"], are_items=True)
    return bool(entry["items"])


def _read_grid(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str] | None:
    if not _read_items(draft, item, entry):
        return None
    answers = [label for label in item.answers.values() if label.scale == "0"]
    entry["answers"], codes = _labels(draft, answers, entry["name"])
    return codes if entry["answers"] else None


def _read_number(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str] | None:
    """Read a number, or one for each of several items."""
    if item.kind == "K" and not _read_items(draft, item, entry):
        return None
    is_whole = plain_text(item.field("num_value_int_only").value) == "1"
    item.field("num_value_int_only").use()
    lower, upper = (
        next((node for name in names if (node := item.field(name))), item.node["no such field"])
        for names in (
            ("min_num_value_n", "slider_min"),
            ("max_num_value_n", "slider_max"),
        )
    )
    entry["line"] = number_line(lower, upper, "0.01", item.node, entry["name"], whole=is_whole)
    return {}


def _read_free_text(draft: Draft, item: _Item, entry: dict[str, Any]) -> dict[str, str] | None:
    if item.kind == "Q" and not _read_items(draft, item, entry):
        return None
    if item.kind == "D":
        item.node.note(ImportReason.TEXT, entry["name"], "date")
    limit = plain_text(item.field("maximum_chars").value)
    if re.fullmatch(r"[1-9]\d{0,3}", limit) and int(limit) <= 2_000:
        item.field("maximum_chars").use()
    else:
        limit = str(LONG_TEXT if item.kind in ("T", "U") else SHORT_TEXT)
        item.node.note(ImportReason.BOUNDS, entry["name"], f"{limit} characters")
    entry["free_text"] = {"limit": Exact(limit)}
    return {}


_KINDS: Mapping[str, Callable[[Draft, _Item, dict[str, Any]], dict[str, str] | None]] = {
    "L": _read_list,
    "!": _read_list,
    "O": _read_list,
    "M": _read_several,
    "P": _read_several,
    "Y": _read_phrases(("Y", "yes"), ("N", "no")),
    "G": _read_phrases(("F", "female"), ("M", "male")),
    "C": _read_phrases(("Y", "yes"), ("U", "uncertain"), ("N", "no")),
    "E": _read_phrases(("I", "increase"), ("S", "same"), ("D", "decrease")),
    "5": _read_points(5),
    "A": _read_points(5),
    "B": _read_points(10),
    "F": _read_grid,
    "H": _read_grid,
    "N": _read_number,
    "K": _read_number,
    "S": _read_free_text,
    "T": _read_free_text,
    "U": _read_free_text,
    "D": _read_free_text,
    "Q": _read_free_text,
}
