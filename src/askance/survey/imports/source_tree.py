"""The tree of a source file, whose every leaf goes into the survey file or onto a list.

A reader takes leaves, or omits them with a reason. What it did neither with is listed at the end,
so that nothing of a file is dropped without a word.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, final

from askance.results import json_of
from askance.typing import Json
from askance_collect.errors import DocumentError

Path = tuple[str | int, ...]
"""The keys and indices that lead to a part of a document."""

_MOST_DEEP = 100
_LONGEST = 120


@final
class ImportReason(Enum):
    """Why a part of a questionnaire did not come, or in what it was changed.

    >>> import askance as ak
    >>> ak.survey.ImportReason.SCRIPT.is_omission, ak.survey.ImportReason.RENAMED.is_omission
    (True, False)
    """

    QUESTION_KIND = "question kind"
    REFUSED = "refused"
    CONDITION = "condition"
    UNUSED = "unused"
    UNKNOWN = "unknown"
    CODE = "code"
    VALIDATION = "validation"
    CALCULATION = "calculation"
    SCRIPT = "script"
    ORDER = "order"
    DEFAULT = "default"
    QUOTA = "quota"
    PARTICIPANTS = "participants"
    MESSAGE = "message"
    MEDIA = "media"
    LAYOUT = "layout"
    TECHNICAL = "technical"
    CONSENT = "consent"
    BOUNDS = "bounds"
    BLANK = "blank"
    TEXT = "text"
    OTHER = "other"
    SECTION = "section"
    MOVED = "moved"
    RENAMED = "renamed"
    PIPE = "pipe"
    UNTRANSLATED = "untranslated"
    MARKUP = "markup"

    @property
    def is_omission(self) -> bool:
        """Whether something did not come; else it came, changed."""
        return self not in _CHANGES


_CHANGES = frozenset(
    {
        ImportReason.CONSENT,
        ImportReason.BOUNDS,
        ImportReason.BLANK,
        ImportReason.TEXT,
        ImportReason.OTHER,
        ImportReason.SECTION,
        ImportReason.MOVED,
        ImportReason.RENAMED,
        ImportReason.PIPE,
        ImportReason.UNTRANSLATED,
        ImportReason.MARKUP,
    }
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ImportNote:
    """A part of a questionnaire that did not come, or came changed.

    Attributes
    ----------
    reason : ImportReason
    path : str
        Where it stands in the source file.
    value : str
        What stands there, its beginning if it is long.
    question : str
        The question of the survey file that it belongs to, if any.
    detail : str
        What was written instead, or what refused it.

    >>> import askance as ak
    >>> ak.survey.ImportNote(reason=ak.survey.ImportReason.SCRIPT, path="Q1.js").to_dict()
    {'reason': 'script', 'path': 'Q1.js', 'value': '', 'question': '', 'detail': ''}
    """

    reason: ImportReason
    path: str
    value: str = ""
    question: str = ""
    detail: str = ""

    def to_dict(self) -> Json:
        """Return what was listed, for JSON."""
        return json_of(self)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTree:
    """A document, and what has been done with each of its leaves.

    Attributes
    ----------
    document : object
        Dictionaries, lists and plain values.
    write_path : function
        Writes the path of a part as people look for it.
    used : set of Path
        Leaves that are in the survey file, or decided what is there.
    omitted : dict
        Parts that did not come, each with its note.
    notes : list of ImportNote
        Parts that came changed.
    """

    document: Any
    write_path: Callable[[Path], str]
    used: set[Path] = field(default_factory=set)
    omitted: dict[Path, ImportNote] = field(default_factory=dict)
    notes: list[ImportNote] = field(default_factory=list)

    @property
    def root(self) -> "Node":
        """The whole document."""
        return Node(value=self.document, path=(), tree=self)

    def list_used(self) -> list[Path]:
        """List the leaves that are in the survey file, without those of parts that are not."""
        return [
            path
            for path in self.used
            if not any(path[:length] in self.omitted for length in range(len(path) + 1))
        ]

    def list_rest(self, reasons: Mapping[str, ImportReason]) -> None:
        """List every leaf that was neither used nor omitted.

        Parameters
        ----------
        reasons : mapping of str to ImportReason
            The reason by the nearest key above a leaf; without one it is unknown.
        """
        _, notes = self._list_rest(self.root, reasons)
        self.omitted.update(notes)

    def _list_rest(
        self, node: "Node", reasons: Mapping[str, ImportReason]
    ) -> tuple[bool, dict[Path, ImportNote]]:
        """Return whether nothing below a part was used, and what is listed of it."""
        if node.path in self.omitted or is_empty(node.value):
            return node.path not in self.omitted, {}
        if not isinstance(node.value, dict | list):
            if node.path in self.used:
                return False, {}
            return True, {node.path: node.note_of(_reason_of(node.path, reasons))}
        parts = [self._list_rest(child, reasons) for child in node]
        notes = {path: note for _, listed in parts for path, note in listed.items()}
        is_unused = all(unused for unused, _ in parts)
        if is_unused and node.path and len({note.reason for note in notes.values()}) == 1:
            reason = next(iter(notes.values())).reason
            return True, {node.path: node.note_of(reason)}
        return is_unused, notes


def _reason_of(path: Path, reasons: Mapping[str, ImportReason]) -> ImportReason:
    """Give the reason by the nearest key that has one; technical keys count last."""
    keys = (form for step in reversed(path) for form in (str(step), str(step).partition("::")[0]))
    listed = [reasons[key] for key in keys if key in reasons]
    telling = [reason for reason in listed if reason is not ImportReason.TECHNICAL]
    return next(iter([*telling, *listed]), ImportReason.UNKNOWN)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A part of a source tree.

    Attributes
    ----------
    value : object
        What stands there; None where nothing does.
    path : Path
    tree : SourceTree
    """

    value: Any
    path: Path
    tree: SourceTree

    def __getitem__(self, key: str | int) -> "Node":
        """Return a part of it, which may be nothing."""
        value = None
        if isinstance(self.value, dict):
            value = self.value.get(key)
        elif isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            value = self.value[key]
        return Node(value=value, path=(*self.path, key), tree=self.tree)

    def __iter__(self) -> Iterator["Node"]:
        """Iterate over the parts of a dictionary or a list."""
        return (self[key] for key in self.keys)

    def __bool__(self) -> bool:
        """Say whether anything stands there."""
        return not is_empty(self.value)

    @property
    def keys(self) -> Collection[Any]:
        """The keys of a dictionary, or the indices of a list."""
        if isinstance(self.value, dict):
            return self.value.keys()
        return range(len(self.value)) if isinstance(self.value, list) else ()

    def use(self) -> Any:
        """Return the value, and mark all leaves below as used."""
        if isinstance(self.value, dict | list):
            for child in self:
                child.use()
        else:
            self.tree.used.add(self.path)
        return self.value

    def text(self) -> str:
        """Return a plain value as a text, and mark it as used."""
        return "" if isinstance(self.value, dict | list) else plain_text(self.use())

    def note_of(self, reason: ImportReason, question: str = "", detail: str = "") -> ImportNote:
        """Describe this part with a reason."""
        return ImportNote(
            reason=reason,
            path=self.tree.write_path(self.path),
            value=_abridge(self.value),
            question=question,
            detail=detail,
        )

    def omit(self, reason: ImportReason, question: str = "", detail: str = "") -> None:
        """List this part as one that did not come."""
        above = (self.path[:length] for length in range(len(self.path) + 1))
        if self and not any(path in self.tree.omitted for path in above):
            self.tree.omitted[self.path] = self.note_of(reason, question, detail)

    def note(self, reason: ImportReason, question: str = "", detail: str = "") -> None:
        """List that this part came changed."""
        self.tree.notes.append(self.note_of(reason, question, detail))


def plain_text(value: object) -> str:
    """Write a plain value as a text: a whole number without a point, nothing as no text.

    >>> plain_text(3.0), plain_text(None), plain_text(" yes ")
    ('3', '', 'yes')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()


def is_empty(value: object) -> bool:
    """Say whether a value says nothing: none, an empty text, or a container of such.

    >>> is_empty({"choices": [""]}), is_empty(0)
    (True, False)
    """
    if isinstance(value, dict):
        return all(map(is_empty, value.values()))
    if isinstance(value, list):
        return all(map(is_empty, value))
    return value is None or (isinstance(value, str) and not value.strip())


def refuse_deep(document: object, where: str) -> None:
    """Refuse a document whose parts lie too deep inside each other.

    Raises
    ------
    DocumentError
        With the depth that is allowed.
    """
    parts, depth = [document], 0
    while parts:
        depth += 1
        if depth > _MOST_DEEP:
            allowed = f"at most {_MOST_DEEP} lists and tables inside each other"
            raise DocumentError(where, got=f"more than {_MOST_DEEP}", allowed=allowed)
        parts = [
            child
            for part in parts
            if isinstance(part, dict | list)
            for child in (part.values() if isinstance(part, dict) else part)
        ]


def _abridge(value: object) -> str:
    """Write what a part holds: a plain value, or how many of them."""
    if isinstance(value, dict | list):
        return f"{_count_leaves(value):,} entries"
    text = " ".join(plain_text(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _count_leaves(value: object) -> int:
    if isinstance(value, dict | list):
        return sum(map(_count_leaves, value.values() if isinstance(value, dict) else value))
    return not is_empty(value)
