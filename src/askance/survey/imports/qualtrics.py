"""Questionnaires of Qualtrics, in .qsf files."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, final

from askance.survey.imports.conditions import AllOf, AnswerTest, AnyOf, Condition, negate
from askance.survey.imports.draft import (
    LONG_TEXT,
    SHORT_TEXT,
    Draft,
    DraftQuestion,
    Exact,
    number_line,
    pipe_texts,
    write_tag,
)
from askance.survey.imports.source_tree import ImportReason, Node, SourceTree, plain_text

_PIPE = re.compile(r"\$\{(?:q://(\w+)/[^}]*|[^}]*)\}")
_LOCATOR = re.compile(
    r"q://(\w+)/(SelectableChoice|ChoiceNumericEntryValue|ChoiceTextEntryValue)(?:/(\w+))?"
)
_DEFAULT_NAME = re.compile(r"(Default Question )?Block( \d+)?", re.IGNORECASE)
_TRASH = "Trash"
_BLOCKS = ("Block", "Standard")
_STATISTICS = ("PROJ", "QC", "RS", "STAT")
_OPERATORS = {
    "Selected": "selected",
    "NotSelected": "not selected",
    "EqualTo": "is",
    "NotEqualTo": "is not",
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Study:
    """A questionnaire that is read.

    Attributes
    ----------
    draft : Draft
    tags : dict of str to str
        The other languages, by what the file calls them.
    questions : dict of str to Node
        The payload of each question by its number.
    blocks : dict of str to Node
    jumps : list
        Rules that skip what follows: who skips, up to which question, and where the rule stands.
    """

    draft: Draft
    tags: Mapping[str, str]
    questions: Mapping[str, Node]
    blocks: Mapping[str, Node]
    jumps: list[tuple[Condition, str, Node]] = field(default_factory=list)

    def texts_of(self, question: Node, *path: str) -> dict[str, Node]:
        """Find a text of a question in each language."""
        nodes = {self.draft.languages[0]: _descend(question, path)}
        for raw, tag in self.tags.items():
            nodes[tag] = _descend(question["Language"][raw], path)
        return nodes


def _descend(node: Node, path: tuple[str, ...]) -> Node:
    for key in path:
        node = node[int(key)] if isinstance(node.value, list) and key.isdigit() else node[key]
    return node


def read_qualtrics(tree: SourceTree) -> Draft:
    """Read a questionnaire of Qualtrics."""
    root = tree.root
    entry, elements = root["SurveyEntry"], root["SurveyElements"]
    questions, blocks, flows = _sort_elements(elements)
    first = write_tag(entry["SurveyLanguage"].text() or "en", entry["SurveyLanguage"], ())
    tags = _list_languages(questions.values(), first)
    draft = Draft(tree=tree, pipe=_PIPE, languages=[first, *tags.values()])
    if texts := draft.read_texts({first: entry["SurveyName"]}):
        draft.texts["title"] = texts
    study = _Study(draft=draft, tags=tags, questions=questions, blocks=blocks)
    for flow in flows:
        _read_flow(study, flow)
    for block in blocks.values() if not flows else ():
        _read_block(study, block)
    _omit_unused(study)
    return draft


def _sort_elements(
    elements: Node,
) -> tuple[dict[str, Node], dict[str, Node], list[Node]]:
    """Find the payloads of questions, the blocks, and what people go through."""
    questions, blocks, flows = dict[str, Node](), dict[str, Node](), list[Node]()
    for element in elements:
        kind, payload = element["Element"].value, element["Payload"]
        if kind == "SQ" and isinstance(payload.value, dict):
            number = plain_text(payload["QuestionID"].value or element["PrimaryAttribute"].value)
            questions[number] = payload
        elif kind == "BL":
            blocks.update({plain_text(block["ID"].value): block for block in payload})
        elif kind == "FL":
            flows += [payload["Flow"]]
        elif kind in _STATISTICS:
            element.omit(ImportReason.TECHNICAL)
    return questions, blocks, flows


def _list_languages(questions: Any, first: str) -> dict[str, str]:
    tags: dict[str, str] = {}
    for question in questions:
        language = question["Language"]
        for raw in language.keys if isinstance(language.value, dict) else ():
            tag = tags.get(raw) or write_tag(raw, language[raw], [first, *tags.values()])
            if tag != first:
                tags[raw] = tag
    return tags


def _read_flow(study: _Study, flow: Node) -> None:
    """Read what people go through: blocks, and branches of them under a condition."""
    for step in flow:
        kind = plain_text(step["Type"].value)
        if kind in _BLOCKS and plain_text(step["ID"].value) in study.blocks:
            step["Type"].text()
            _read_block(study, study.blocks[step["ID"].text()])
        elif kind in ("Group", "Branch"):
            _read_branch(study, step)
        elif kind == "BlockRandomizer":
            step["Type"].omit(ImportReason.ORDER)
            step["SubSet"].omit(ImportReason.ORDER)
            _read_flow(study, step["Flow"])
        elif kind == "EndSurvey":
            step.omit(ImportReason.CONDITION, detail=kind)
        else:
            step.omit(ImportReason.CALCULATION, detail=kind)


def _read_branch(study: _Study, step: Node) -> None:
    conditions, opened = study.draft.open_conditions, len(study.draft.open_conditions)
    step["Type"].text()
    _read_logic(step["BranchLogic"], conditions)
    _read_flow(study, step["Flow"])
    del conditions[opened:]


def _read_logic(logic: Node, conditions: list[Any]) -> None:
    """Read a condition, as far as it is about answers."""
    condition = _condition_of(logic) if logic else None
    if condition is None:
        logic.omit(ImportReason.CONDITION, detail=_describe(logic))
    else:
        conditions.append((condition, logic))
        logic.use()


def _describe(logic: Node) -> str:
    """Describe a condition as Qualtrics does, without its marks."""
    for child in logic:
        if isinstance(child.value, dict):
            words = plain_text(child["Description"].value) or _describe(child)
            return " ".join(re.sub(r"<[^>]*>", "", words).split())
    return ""


def _condition_of(logic: Node) -> Condition | None:
    """Read a boolean expression: sets of tests that ``Or`` or ``And`` joins.

    None where both do: which of the two binds first is not in the file.
    """
    groups: list[Condition] = []
    joins: set[str] = set()
    for key in logic.keys:
        if not str(key).isdigit():
            continue
        part = _join_tests(logic[key])
        if part is None:
            return None
        if groups:
            joins.add("Or" if plain_text(logic[key]["Type"].value) == "ElseIf" else "And")
        groups.append(part)
    if len(groups) < 2:
        return groups[0] if groups else None
    if len(joins) > 1:
        return None
    return AnyOf(tuple(groups)) if "Or" in joins else AllOf(tuple(groups))


def _join_tests(group: Node) -> Condition | None:
    """Join tests from the first to the last, as Qualtrics does: ``And`` binds more tightly."""
    alternatives: list[list[Condition]] = []
    for key in group.keys:
        if not str(key).isdigit():
            continue
        test = _read_test(group[key])
        if test is None:
            return None
        word = group[key]["Conjuction"].value or group[key]["Conjunction"].value or "Or"
        if alternatives and word == "And":
            alternatives[-1].append(test)
        else:
            alternatives.append([test])
    if not alternatives:
        return None
    parts = [tests[0] if len(tests) == 1 else AllOf(tuple(tests)) for tests in alternatives]
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def _read_test(expression: Node) -> AnswerTest | None:
    operator = _OPERATORS.get(plain_text(expression["Operator"].value))
    locator = plain_text(expression["ChoiceLocator"].value or expression["LeftOperand"].value)
    match = _LOCATOR.fullmatch(locator)
    if operator is None or match is None or expression["LogicType"].value != "Question":
        return None
    if match[2] == "SelectableChoice":
        return AnswerTest(match[1], operator, match[3] or "") if "elected" in operator else None
    value = plain_text(expression["RightOperand"].value)
    return AnswerTest(match[1], operator, value) if "elected" not in operator and value else None


def _read_block(study: _Study, block: Node) -> None:
    """Read a block, whose name becomes the title of a section."""
    draft, title = study.draft, block["Description"]
    is_random = block["Options"]["RandomizeQuestions"].value == "RandomWithXPerPage"
    if title and not _DEFAULT_NAME.fullmatch(plain_text(title.value)):
        words = draft.read_texts({draft.languages[0]: title})
        draft.begin_section(words, {}, [title], "random" if is_random else "")
        title.note(ImportReason.SECTION)
        if is_random:
            block["Options"]["RandomizeQuestions"].use()
    for element in block["BlockElements"]:
        element["Type"].text()
        number = plain_text(element["QuestionID"].value)
        if number in study.questions:
            element["QuestionID"].text()
            _read_question(study, study.questions[number], number)
            for rule in element["SkipLogic"]:
                _read_jump(study, rule, block)


def _read_jump(study: _Study, rule: Node, block: Node) -> None:
    """Read a rule that skips what follows, up to the end of its block or to a question."""
    test = _read_test(
        Node(
            value={"LogicType": "Question", "Operator": rule["Condition"].value}
            | {"ChoiceLocator": rule["ChoiceLocator"].value},
            path=rule.path,
            tree=rule.tree,
        )
    )
    goal = plain_text(rule["SkipToDestination"].value)
    if test is None or not goal:
        rule.omit(ImportReason.CONDITION, detail=plain_text(rule["SkipToDescription"].value))
        return
    rule.use()
    numbers = [plain_text(element["QuestionID"].value) for element in block["BlockElements"]]
    study.jumps.append((test, goal if goal in study.questions else _end(goal, numbers), rule))


def _end(goal: str, numbers: list[str]) -> str:
    """Name the question behind which a rule ends: the last of its block, or none."""
    return f"after {numbers[-1]}" if goal == "ENDOFBLOCK" else ""


def _read_question(study: _Study, node: Node, number: str) -> None:
    """Read a question of one of the kinds that a survey file has."""
    draft, kind = study.draft, plain_text(node["QuestionType"].value)
    study.jumps[:] = [jump for jump in study.jumps if jump[1] != number]
    if kind == "DB" and plain_text(node["Selector"].value) in ("TB", ""):
        node["QuestionType"].text()
        node["Selector"].text()
        nodes = study.texts_of(node, "QuestionText")
        texts = pipe_texts(draft.read_texts(nodes), _PIPE, draft, node["QuestionText"])
        draft.describe(texts, [*nodes.values()])
        if node["DisplayLogic"]:
            node["DisplayLogic"].omit(ImportReason.CONDITION)
    elif (read := _KINDS.get(kind)) is None:
        node.omit(ImportReason.QUESTION_KIND, detail=f"{kind}/{node['Selector'].value}")
    else:
        _read_answerable(study, node, number, read)
    study.jumps[:] = [jump for jump in study.jumps if jump[1] != f"after {number}"]


_Read = Callable[[_Study, Node, dict[str, Any]], dict[str, str] | None]


def _read_answerable(study: _Study, node: Node, number: str, read: _Read) -> None:
    draft, tag = study.draft, node["DataExportTag"]
    name = draft.name_question(tag.text() or number, tag)
    texts = draft.read_texts(study.texts_of(node, "QuestionText"), name)
    texts = texts or dict.fromkeys(draft.languages, name)
    entry: dict[str, Any] = {"name": name}
    entry["text"] = pipe_texts(texts, _PIPE, draft, node["QuestionText"])
    settings = node["Validation"]["Settings"]
    if plain_text(settings["ForceResponse"].value) == "ON":
        settings["ForceResponse"].use()
        entry["required"] = True
    codes = read(study, node, entry)
    if codes is None:
        kind, selector = (plain_text(node[key].value) for key in ("QuestionType", "Selector"))
        node.omit(ImportReason.QUESTION_KIND, name, f"{kind}/{selector}")
        return
    for key in ("QuestionType", "Selector", "SubSelector"):
        node[key].text()
    question = DraftQuestion(entry=entry, node=node, codes=codes)
    if node["DisplayLogic"]:
        _read_logic(node["DisplayLogic"], question.conditions)
    question.conditions.extend((negate(test), rule) for test, _, rule in study.jumps)
    draft.add(question, number)
    for choice in _ordered(node, "Choices", "ChoiceOrder"):
        if plain_text(choice["TextEntry"].value).lower() in ("true", "1", "on"):
            _add_other(study, node, question, choice)


def _add_other(study: _Study, node: Node, question: DraftQuestion, choice: Node) -> None:
    choice["TextEntry"].text()
    code = str(choice.path[-1])
    label = study.draft.read_texts(study.texts_of(node, "Choices", code, "Display"))
    label = label or study.draft.phrase("other", choice)
    if "answers" in question.entry and "comment" not in question.entry:
        study.draft.add_other(question, question.codes.get(code, code), label, choice)
    else:
        choice.note(ImportReason.QUESTION_KIND, question.name, "a place to write in")


def _ordered(node: Node, name: str, order: str) -> Iterator[Node]:
    """Give choices in their order, from a table or a list."""
    choices, codes = node[name], [code.text() for code in node[order]]
    keys = [key for key in dict.fromkeys(codes) if _descend(choices, (key,)).value is not None]
    keys += [str(key) for key in choices.keys if str(key) not in keys]
    return (child for key in keys if (child := _descend(choices, (key,))).value is not None)


def _labels(
    study: _Study,
    node: Node,
    names: tuple[str, str],
    question: str,
    *,
    are_items: bool = False,
) -> tuple[list[Any], dict[str, str]]:
    """Read choices or answers; where there are few letters, a text is the name too."""
    answers = []
    numbers: dict[str, str] = {}
    name, order = names
    for choice in _ordered(node, name, order):
        code = str(choice.path[-1])
        texts = study.draft.read_texts(study.texts_of(node, name, code, "Display"), question)
        word = next(iter(texts.values()), code)
        numbers[code] = word if len(word) <= _SHORT and "\n" not in word else code
        answers.append((numbers[code], texts, choice))
    labels, _ = study.draft.label_answers(answers, question, are_items=are_items)
    names_used = [label if isinstance(label, str) else str(label["name"]) for label in labels]
    return labels, dict(zip(numbers, names_used, strict=True))


_SHORT = 40
_CHOICES, _ANSWERS = ("Choices", "ChoiceOrder"), ("Answers", "AnswerOrder")


def _read_choice(study: _Study, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    selector = plain_text(node["Selector"].value)
    is_several = selector.startswith("MA") or selector == "MSB"
    if is_several:
        entry["choose"] = "all"
    labels, codes = _labels(study, node, _CHOICES, entry["name"], are_items=is_several)
    entry["answers"] = labels
    for key in ("RecodeValues", "VariableNaming"):
        if node[key]:
            node[key].omit(ImportReason.CODE, entry["name"])
    return codes if labels else None


def _read_matrix(study: _Study, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    selector, kind = (plain_text(node[key].value) for key in ("Selector", "SubSelector"))
    if selector not in ("Likert", "Bipolar") or kind in ("MultipleAnswer", "DND"):
        return None
    entry["items"], _ = _labels(study, node, _CHOICES, entry["name"], are_items=True)
    entry["answers"], codes = _labels(study, node, _ANSWERS, entry["name"])
    return codes if entry["items"] and entry["answers"] else None


def _read_text_entry(study: _Study, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    """Read a text, several of them, or a number, which its validation says."""
    settings = node["Validation"]["Settings"]
    kind = plain_text(settings["ContentType"].value)
    if node["Selector"].value == "FORM":
        entry["items"], _ = _labels(study, node, _CHOICES, entry["name"], are_items=True)
        if not entry["items"]:
            return None
    elif kind == "ValidNumber":
        settings["ContentType"].text()
        bounds = settings["ValidNumber"]
        decimals = plain_text(bounds["NumDecimals"].use()) or "2"
        whole = decimals == "0"
        step = f"1e-{decimals}" if re.fullmatch("[1-6]", decimals) else "0.01"
        entry["line"] = number_line(
            bounds["Min"], bounds["Max"], f"{float(step):f}", node, entry["name"], whole=whole
        )
        return {}
    elif kind.startswith("Valid"):
        settings["ContentType"].note(ImportReason.TEXT, entry["name"], kind)
    limit = LONG_TEXT if node["Selector"].value in ("ML", "ESTB") else SHORT_TEXT
    most = plain_text(settings["TotalChars"].value or settings["MaxChars"].value)
    if re.fullmatch(r"[1-9]\d{0,3}", most) and int(most) <= 2_000:
        limit = int((settings["TotalChars"] or settings["MaxChars"]).use())
    else:
        node.note(ImportReason.BOUNDS, entry["name"], f"{limit:,} characters")
    entry["free_text"] = {"limit": Exact(str(limit))}
    return {}


def _read_slider(study: _Study, node: Node, entry: dict[str, Any]) -> dict[str, str] | None:
    entry["items"], _ = _labels(study, node, _CHOICES, entry["name"], are_items=True)
    settings = node["Configuration"]
    decimals = plain_text(settings["NumDecimals"].use()) or "0"
    step = f"{10.0 ** -int(decimals):f}" if re.fullmatch("[1-6]", decimals) else "1"
    entry["line"] = number_line(
        settings["CSSliderMin"],
        settings["CSSliderMax"],
        step,
        node,
        entry["name"],
        whole=decimals == "0",
    )
    return {} if entry["items"] else None


_KINDS: Mapping[str, _Read] = {
    "MC": _read_choice,
    "Matrix": _read_matrix,
    "TE": _read_text_entry,
    "Slider": _read_slider,
}


def _omit_unused(study: _Study) -> None:
    """Omit questions that stand in no block which people go through."""
    for node in study.questions.values():
        tree = study.draft.tree
        is_used = any(path[: len(node.path)] == node.path for path in tree.used)
        if not is_used:
            node.omit(ImportReason.UNUSED)
    for block in study.blocks.values():
        if plain_text(block["Type"].value) == _TRASH:
            block.omit(ImportReason.UNUSED)
