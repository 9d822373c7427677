"""A survey file under construction: texts, names, sections, and rules between its questions.

Readers of other programs' files fill it in. It writes texts without their marks, names as a survey
file allows them, and conditions as rules, and lists what was changed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, final
from unicodedata import category, normalize

from askance.survey.imports.conditions import (
    AnswerTest,
    Condition,
    RuleTarget,
    describe_condition,
    find_skip,
    read_condition,
)
from askance.survey.imports.source_tree import ImportReason, Node, SourceTree, plain_text
from askance_collect.wire.form_schema import is_language
from askance_collect.wire.toml_text import packaged_toml

Texts = dict[str, str]
"""One text for each language."""

_LONGEST_NAME, _LONGEST_COLUMN, _LONGEST_TEXT = 30, 40, 20_000
_MARKED = re.compile(r"</?[A-Za-z!][^>]*>|&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u2028-\u202e\u2066-\u2069\ufeff]")
_PIPED = re.compile(r"\{([a-z0-9_]+)\|")
ELLIPSIS = "…"
WIDEST = 1_000_000
"""The bounds of a number that had none."""
SHORT_TEXT, LONG_TEXT = 200, 1_000
"""The most characters of a text that had no limit: of one line, and of several."""


def imports_table(name: str) -> Mapping[str, Any]:
    """Read a table of what imports say."""
    table: Mapping[str, Any] = packaged_toml("askance.survey.imports", "imports.toml")[name]
    return table


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DraftQuestion:
    """A question of the survey file, with what it came from.

    Attributes
    ----------
    entry : dict
        Its keys and values in the survey file.
    node : Node
        Where it stood.
    codes : dict of str to str
        The names of its answers, or of its items to tick, by their codes in the source.
    conditions : list of (Condition, Node)
        All of them hold where it is shown.
    above : list of (Texts, sequence of Node)
        Texts by themselves that stand above its own.
    parts : sequence of Node
        What else it came from, outside of where it stood.
    """

    entry: dict[str, Any]
    node: Node
    codes: Mapping[str, str] = field(default_factory=dict)
    conditions: list[tuple[Condition, Node]] = field(default_factory=list)
    above: list[tuple[Texts, Sequence[Node]]] = field(default_factory=list)
    parts: Sequence[Node] = ()

    @property
    def name(self) -> str:
        """Its name in the survey file."""
        return str(self.entry["name"])


Reference = tuple[DraftQuestion, str]
"""A question, and the name of a row or an item of it; empty for the whole."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A survey file under construction.

    Attributes
    ----------
    tree : SourceTree
    pipe : Pattern
        How the source writes an earlier answer, or another value, inside a text.
    languages : list of str
        As they are called in the survey file, the first one first.
    texts : dict
        Title, consent, contact and thanks.
    questions : list of DraftQuestion
    references : dict
        Questions by what the source calls them.
    waiting : list
        Texts by themselves, to stand above the next question; a section that begins there.
    """

    tree: SourceTree
    pipe: re.Pattern[str]
    languages: list[str] = field(default_factory=lambda: ["en"])
    texts: dict[str, Texts] = field(default_factory=dict)
    questions: list[DraftQuestion] = field(default_factory=list)
    references: dict[str, Reference] = field(default_factory=dict)
    waiting: list[tuple[Texts, Sequence[Node]]] = field(default_factory=list)
    section: list[dict[str, Any]] = field(default_factory=list)
    section_nodes: list[Node] = field(default_factory=list)
    open_conditions: list[tuple[Condition, Node]] = field(default_factory=list)

    def read_texts(self, nodes: Mapping[str, Node], question: str = "") -> Texts:
        """Read a text in each language without its marks; where one lacks it, another's."""
        texts = {tag: self._read_text(node, question) for tag, node in nodes.items() if node}
        texts = {tag: text for tag, text in texts.items() if text}
        missing = [tag for tag in self.languages if tag not in texts]
        if not texts:
            return {}
        first = next((texts[tag] for tag in self.languages if tag in texts), "")
        for tag in missing if any(map(str.isalpha, first)) else ():
            node = next(node for node in nodes.values() if node)
            node.note(ImportReason.UNTRANSLATED, question, tag)
        return {tag: texts.get(tag, first) for tag in self.languages}

    def _read_text(self, node: Node, question: str) -> str:
        raw = node.text()
        text, dropped = clean_text(raw)
        if text != raw and _MARKED.search(raw):
            node.note(ImportReason.MARKUP, question)
        for kind in dropped:
            reason = ImportReason.SCRIPT if kind == "script" else ImportReason.MEDIA
            node.note(reason, question, f"<{kind}>")
        if len(text) > _LONGEST_TEXT:
            node.note(ImportReason.REFUSED, question, f"cut after {_LONGEST_TEXT:,} characters")
        return text[:_LONGEST_TEXT]

    def phrase(self, key: str, node: Node | None = None) -> Texts:
        """Word what a program words itself, in each language; English where there is no other."""
        phrases = imports_table("phrases")
        texts = {}
        for tag in self.languages:
            base = tag.partition("-")[0]
            texts[tag] = str(phrases.get(base, phrases["en"])[key])
            if base not in phrases and node is not None:
                node.note(ImportReason.UNTRANSLATED, "", f"{tag}: {texts[tag]}")
        return texts

    def name_question(self, raw: str, node: Node) -> str:
        """Make a name that a survey file allows and no other question has."""
        names = self.list_columns()
        bare = _slug(raw, _LONGEST_NAME - 1) or "question"
        bare = bare if bare[0].isalpha() else f"q{bare}"
        name = unique(bare, names, _LONGEST_NAME)
        if name != raw.lower():
            node.note(ImportReason.RENAMED, name, name)
        return name

    def list_columns(self) -> set[str]:
        """List the names of all questions, and of the columns of those that have several."""
        columns = {question.name for question in self.questions}
        for question in self.questions:
            items = question.entry.get("items", ())
            items = items or question.entry["answers"] if "choose" in question.entry else items
            columns |= {f"{question.name}_{name_of_label(item)}" for item in items}
        return columns

    def label_answers(
        self,
        answers: Sequence[tuple[str, Texts, Node]],
        question: str,
        *,
        are_items: bool = False,
    ) -> tuple[list[Any], dict[str, str]]:
        """Write answers or items with their wordings, and give their names by their codes.

        The name of an item is a part of the name of a column.
        """
        labels, codes, names = list[Any](), dict[str, str](), set[str]()
        if are_items:
            names |= {column.removeprefix(f"{question}_") for column in self.list_columns()}
        for code, texts, node in answers:
            bare = clean_text(code)[0].replace("\n", " ")[:200]
            wanted = bare or next(iter(texts.values()), "") or "answer"
            room = _LONGEST_COLUMN - len(question) - 1 if are_items else 200
            name = unique(_slug(wanted, room) if are_items else wanted, names, room)
            if name not in (wanted, _slug(wanted, len(wanted))):
                node.note(ImportReason.RENAMED, question, name)
            names.add(name)
            codes.setdefault(code, name)
            worded = texts or dict.fromkeys(self.languages, bare or name)
            if not texts and len(self.languages) > 1 and not bare.isdecimal():
                node.note(ImportReason.UNTRANSLATED, question, bare)
            is_plain = len(self.languages) == 1 and worded[self.languages[0]] == name
            labels.append(name if is_plain else {"name": name, **worded})
        return labels, codes

    def append_answer(
        self, answers: list[Any], name: str, texts: Texts, node: Node, question: str
    ) -> str:
        """Append an answer that the source has by itself, such as "other"; return its name."""
        names = set(map(name_of_label, answers))
        own = unique(name, names, _LONGEST_COLUMN)
        if own != name:
            node.note(ImportReason.RENAMED, question, own)
        answers.append({"name": own, **texts})
        return own

    def begin_section(
        self, title: Texts, text: Texts, nodes: Iterable[Node] = (), order: str = ""
    ) -> None:
        """Begin a section at the next question."""
        self.leave_section()
        if title:
            section: dict[str, Any] = {"title": title}
            section |= {"text": text} if text else {}
            section |= {"order": order} if order else {}
            self.section.append(section)
            self.section_nodes.extend(nodes)

    def leave_section(self) -> None:
        """List a section that began, if no question came in it."""
        for node in self.section_nodes if self.section else ():
            node.omit(ImportReason.REFUSED, detail="a section without questions of its own")
        self.section.clear()
        self.section_nodes.clear()

    def describe(self, texts: Texts, nodes: Sequence[Node]) -> None:
        """Take a text by itself: into the section that begins, or above the next question."""
        if not texts:
            return
        if self.section:
            earlier = self.section[0].get("text")
            self.section[0]["text"] = join_texts(earlier, texts) if earlier else texts
            self.section_nodes.extend(nodes)
            return
        self.waiting.append((texts, nodes))

    def add(self, question: DraftQuestion, *references: str) -> DraftQuestion:
        """Add a question, with the section and the texts that wait for it."""
        entry = question.entry
        if len(items := entry.get("items", ())) == 1:
            del entry["items"]
            label = (
                items[0] if isinstance(items[0], dict) else dict.fromkeys(self.languages, items[0])
            )
            entry["text"] = join_texts(entry["text"], label)
        for _, nodes in self.waiting:
            nodes[0].note(ImportReason.MOVED, question.name)
        for texts, _ in reversed(self.waiting):
            entry["text"] = join_texts(texts, entry["text"])
        question.above.extend(self.waiting)
        self.waiting.clear()
        if self.section:
            entry["section"] = self.section.pop()
            self.section_nodes.clear()
        question.conditions.extend(self.open_conditions)
        self.questions.append(question)
        for reference in references:
            self.references.setdefault(reference, (question, ""))
        return question

    def add_other(self, question: DraftQuestion, answer: str, label: Texts, node: Node) -> None:
        """Add the place to write another answer in: a comment, or a question of its own."""
        entry = question.entry
        node.note(ImportReason.OTHER, question.name)
        if "choose" not in entry and "items" not in entry:
            entry["comment"] = {"limit": SHORT_TEXT, "text": label}
            return
        name = unique(f"{question.name}_written", self.list_columns(), _LONGEST_COLUMN)
        text = join_texts(entry["text"], label)
        own = {"name": name, "text": text, "free_text": {"limit": SHORT_TEXT}}
        if "choose" in entry:
            own["skip"] = {"after": f"{question.name}_{answer}", "answered": ["no"]}
        self.add(DraftQuestion(entry=own, node=node))

    def remove(self, index: int) -> None:
        """Remove a question; what stood above it, and its section, begin at the next one."""
        removed = self.questions.pop(index)
        following = self.questions[index : index + 1]
        section = removed.entry.get("section")
        for question in following:
            if section is not None and "section" not in question.entry:
                question.entry["section"] = section
            for texts, _ in reversed(removed.above):
                question.entry["text"] = join_texts(texts, question.entry["text"])
            question.above[:0] = removed.above
        for _, nodes in removed.above if not following else ():
            for node in nodes:
                node.omit(ImportReason.REFUSED)

    def finish(self) -> None:
        """Write conditions as rules, and list what waits for a question that never came."""
        self.leave_section()
        for texts, nodes in self.waiting:
            earlier = self.texts.get("thanks")
            self.texts["thanks"] = join_texts(texts, earlier) if earlier else texts
            nodes[0].note(ImportReason.MOVED, "", "ending.thanks")
        for key, texts in self.texts.items():
            self.texts[key] = self._without_pipes(texts, self.tree.root, "")
        for index, question in enumerate(self.questions):
            for key, part in question.entry.items():
                if key not in ("name", "skip"):
                    question.entry[key] = self._without_pipes(part, question.node, question.name)
            if question.conditions:
                self._write_skip(question, {other.name for other in self.questions[:index]})

    def _without_pipes(self, part: Any, node: Node, question: str) -> Any:
        """Write an ellipsis for each earlier answer where a survey file can have none."""
        if isinstance(part, list):
            return [self._without_pipes(self._word(inner), node, question) for inner in part]
        if isinstance(part, dict):
            return {
                key: inner if key == "name" else self._without_pipes(inner, node, question)
                for key, inner in part.items()
            }
        if not isinstance(part, str):
            return part
        for match in self.pipe.finditer(part):
            node.note(ImportReason.PIPE, question, match[0])
        return self.pipe.sub(ELLIPSIS, part)

    def _word(self, label: Any) -> Any:
        """Write the label of an answer whose name has an earlier answer in it as a table."""
        is_piped = isinstance(label, str) and self.pipe.search(label)
        return {"name": label, **dict.fromkeys(self.languages, label)} if is_piped else label

    def _write_skip(self, question: DraftQuestion, earlier: set[str]) -> None:
        conditions = [condition for condition, _ in question.conditions]
        skip, rest = find_skip(conditions, lambda test: self._find_target(test, earlier))
        node = question.conditions[0][1]
        if skip is not None:
            question.entry["skip"] = skip
            node.note(ImportReason.BLANK, question.name, str(skip["after"]))
        for condition in rest:
            node.note(ImportReason.CONDITION, question.name, describe_condition(condition))

    def _find_target(
        self, test: AnswerTest, earlier: set[str]
    ) -> tuple[RuleTarget, AnswerTest] | None:
        """Find the question of a comparison, as far as a rule may depend on it."""
        question, part = self.references.get(test.variable, (None, ""))
        if question is None or question.name not in earlier:
            return None
        entry, suffix = question.entry, f"_{part}" if part else ""
        if "choose" in entry:
            return _ticked_target(question, part, test)
        if "line" in entry:
            line = entry["line"]
            bounds = (int(line["lower"]), int(line["upper"])) if line.get("whole") else None
            target = RuleTarget(name=question.name + suffix, answers={}, bounds=bounds)
            return (target, test) if bounds else None
        if "answers" not in entry or ("items" in entry) != bool(part):
            return None
        return RuleTarget(name=question.name + suffix, answers=question.codes), test


def read_shown_if(node: Node, conditions: list[tuple[Condition, Node]]) -> None:
    """Read under which condition something is shown, as far as answers decide it."""
    condition = read_condition(node.text()) if node else None
    if condition is not None:
        conditions.append((condition, node))
    elif node:
        node.omit(ImportReason.CONDITION)


def _ticked_target(
    question: DraftQuestion, part: str, test: AnswerTest
) -> tuple[RuleTarget, AnswerTest] | None:
    """Find the item of a list to tick, as a question of two answers."""
    name = part or question.codes.get(test.value, "")
    operators = ("selected", "not selected", *(("is", "is not") if part else ()))
    if not name or test.operator not in operators:
        return None
    is_positive = test.operator in ("is", "selected")
    if part and test.value not in ("Y", "1", "true"):
        is_positive = not is_positive
    target = RuleTarget(name=f"{question.name}_{name}", answers={"yes": "yes", "no": "no"})
    return target, AnswerTest(test.variable, "is", "yes" if is_positive else "no")


def _slug(text: str, room: int) -> str:
    """Write a text with the letters of a name."""
    folded = "".join(sign for sign in normalize("NFKD", text.lower()) if category(sign) != "Mn")
    return re.sub(r"[^a-z0-9]+", "_", folded).strip("_")[:room].strip("_")


def name_of_label(label: Any) -> str:
    """Return the name of an answer or an item, with wordings or without."""
    return label if isinstance(label, str) else str(label["name"])


def unique(name: str, others: set[str], room: int) -> str:
    """Number a name that others have already.

    >>> unique("q1", {"q1", "q1_2"}, 40)
    'q1_3'
    """
    number, candidate = 1, name or "item"
    while candidate in others:
        number += 1
        suffix = f"_{number}"
        candidate = (name or "item")[: room - len(suffix)] + suffix
    return candidate


def join_texts(texts: Mapping[str, str], others: Mapping[str, str]) -> Texts:
    """Put texts above others, an empty line between them."""
    return {tag: f"{text}\n\n{others[tag]}" if others[tag] else text for tag, text in texts.items()}


def write_tag(raw: str, node: Node, others: Sequence[str]) -> str:
    """Write a language as a survey file calls it.

    A name in brackets behind it counts; a language without a tag has one for private use.
    """
    inner = re.search(r"\(([\w-]+)\)\s*$", raw)
    wanted = (inner[1] if inner else raw).strip().replace("_", "-")
    tag = _LANGUAGES.get(wanted.lower(), wanted)
    base, *subtags = tag.split("-")
    tag = "-".join([base.lower(), *subtags])
    if not is_language(tag):
        tag = next(
            f"qa{letter}" for letter in "abcdefghijklmnopqrst" if f"qa{letter}" not in others
        )
    if tag.lower() != wanted.lower():
        node.note(ImportReason.RENAMED, "", tag)
    return tag


_LANGUAGES = {
    "default": "en",
    "english": "en",
    "french": "fr",
    "français": "fr",
    "francais": "fr",
    "spanish": "es",
    "español": "es",
    "espanol": "es",
    "german": "de",
    "deutsch": "de",
    "portuguese": "pt",
    "português": "pt",
    "arabic": "ar",
    "swahili": "sw",
    "hindi": "hi",
    "nepali": "ne",
    "urdu": "ur",
    "russian": "ru",
    "italian": "it",
    "dutch": "nl",
    "chinese": "zh",
    "es-es": "es-ES",
    "pt-br": "pt-BR",
    "zh-s": "zh-Hans",
    "zh-t": "zh-Hant",
}
"""Tags by the names that people write in forms, and by codes that are none."""


def clean_text(raw: str) -> tuple[str, list[str]]:
    r"""Take marks out of a text: words and line breaks stay, and what is dropped is named.

    >>> clean_text("<p>Tea &amp; <b>milk</b></p><script>x()</script>")
    ('Tea & milk', ['script'])
    >>> clean_text("1 < 2")
    ('1 < 2', [])
    """
    text, dropped = raw.replace("\r\n", "\n").replace("\r", "\n"), list[str]()
    if _MARKED.search(text):
        stripper = _Stripper()
        stripper.feed(text)
        stripper.close()
        text, dropped = "".join(stripper.parts), stripper.dropped
        text = re.sub(r"[ \t\xa0]+", " ", text)
        text = re.sub(r" ?\n ?", "\n", text)
    text = _PIPED.sub(r"{\1/", _HIDDEN.sub("", text))
    return re.sub(r"\n{3,}", "\n\n", text).strip(), dropped


_BLOCKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table"}
_DROPPED = {"script", "style", "iframe", "object", "video", "audio", "svg"}


@final
class _Stripper(HTMLParser):
    """Collects the words of a text with marks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.dropped: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Break lines at blocks, and stop at what is no words."""
        if tag in _DROPPED:
            self.inside.append(tag)
            self.dropped.append(tag)
        elif tag == "img":
            self.dropped.append(tag)
            self.parts.append(dict(attrs).get("alt") or "")
        elif tag in _BLOCKS and self.parts:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Go on behind what is no words."""
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()
        elif tag == "p" and self.parts:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Collect words; a line break between marks is a space."""
        if not self.inside:
            self.parts.append(data.replace("\n", " "))


def pipe_texts(texts: Texts, pattern: re.Pattern[str], draft: Draft, node: Node) -> Texts:
    """Write the places of earlier answers in texts as a survey file does, or as an ellipsis.

    Parameters
    ----------
    texts : dict
    pattern : Pattern
        Its first group is what the source calls the earlier question.
    draft : Draft
    node : Node
        Where the text stands.
    """
    everywhere = [{match[1] for match in pattern.finditer(text)} for text in texts.values()]
    shared = set.intersection(*everywhere) if everywhere else set()

    def replace(match: re.Match[str]) -> str:
        reference = match[1] if match[1] in shared else ""
        question, part = draft.references.get(reference, (None, ""))
        is_plain = question is not None and not part and not {"choose", "items"} & {*question.entry}
        if question is not None and is_plain:
            return f"{{{question.name}|{ELLIPSIS}}}"
        node.note(ImportReason.PIPE, "", match[0])
        return ELLIPSIS

    return {tag: pattern.sub(replace, text) for tag, text in texts.items()}


def number_line(
    lower: Node, upper: Node, step: str, node: Node, question: str, *, whole: bool
) -> dict[str, Any]:
    """Write the line of a number between bounds, wide ones where there are none."""
    bounds = [_read_bound(bound) for bound in (lower, upper)]
    if None in bounds:
        low, high = bounds
        node.note(ImportReason.BOUNDS, question, f"{low or -WIDEST} to {high or WIDEST}")
    low, high = (
        bound if bound is not None else f"{sign}{WIDEST}"
        for bound, sign in zip(bounds, ("-", ""), strict=True)
    )
    line: dict[str, Any] = {"lower": Exact(low), "upper": Exact(high)}
    if whole:
        return line | {"whole": True}
    return line | {"step": Exact(step)}


def _read_bound(node: Node) -> str | None:
    """Read a bound, and mark it as used if it is a number."""
    text = plain_text(node.value)
    return node.text() if re.fullmatch(r"-?\d{1,12}(\.\d{1,6})?", text) else None


@final
@dataclass(frozen=True, slots=True)
class Exact:
    """A number, as it is written."""

    text: str

    def __int__(self) -> int:
        """Return its whole part."""
        return int(float(self.text))


ReadSource = Callable[[SourceTree], Draft]
"""Reads the document of a program into a draft."""
