"""Lists to tick: questions of two answers that are asked together, on one screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

from askance_collect.wire.canonical_json import canonical
from askance_collect.wire.form_schema import keep_unchangeable, read_wording, refuse
from askance_collect.wire.question import Choice, TableQuestion

_TOLD_ONCE = "kind", "answers", "reports", "table", "blank"
"""What the questions of a list have in common, so that the page tells it once."""


MOST_PAIRED = 12
"""Of a list with more items no two are counted together: there are too many."""


def pairs_of(size: int) -> list[tuple[int, int]]:
    """Which items of a list of this size are counted together, two by two.

    >>> pairs_of(3), pairs_of(13)
    ([(0, 1), (0, 2), (1, 2)], [])
    """
    return list(combinations(range(size), 2)) if size <= MOST_PAIRED else []


@final
@dataclass(frozen=True, slots=True)
class Checklist:
    """Questions of two answers, ticked and not, that are asked as one list on one screen.

    Attributes
    ----------
    first_question : int
        The position of the question of the first item.
    text : Mapping of str to str
        What is asked of all items, one text for each language.
    items : tuple of Mapping of str to str
        The wording of each item, in the order of their questions.
    none : Mapping of str to str
        The wording of what is chosen where nothing is ticked.

    >>> tea = Checklist(2, {"en": "Which?"}, ({"en": "Tea"}, {"en": "Milk"}), {"en": "Neither"})
    >>> tea.question_positions
    range(2, 4)
    """

    first_question: int
    text: Mapping[str, str]
    items: tuple[Mapping[str, str], ...]
    none: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "text items none")

    @property
    def question_positions(self) -> range:
        """The positions of its questions."""
        return range(self.first_question, self.first_question + len(self.items))


def read_checklists(
    document: Mapping[str, Any], languages: Sequence[str], questions: Sequence[object]
) -> tuple[Checklist, ...]:
    """Read which questions of a form that has lists are asked as one, once all else is read.

    Raises
    ------
    FormError
        With the path of the first list that cannot be asked so.
    """
    read, free = list[Checklist](), 0
    for index, entry in enumerate(document.get("checklists", ())):
        items = tuple(read_wording(item, languages) for item in entry["items"])
        text, none = (read_wording(entry[key], languages) for key in ("text", "none"))
        checklist = Checklist(entry["at"], text, items, none)
        places = checklist.question_positions
        if places.start < free or places.stop > len(questions):
            raise refuse("checklists", f"checklists[{index}].at", places.start)
        if not _is_asked_as_one(checklist, document, questions):
            raise refuse("alike", f"checklists[{index}].at", places.start)
        read.append(checklist)
        free = places.stop
    return tuple(read)


def _is_asked_as_one(
    checklist: Checklist, document: Mapping[str, Any], questions: Sequence[object]
) -> bool:
    """Check that the items of a list share everything that the list states once."""
    places = checklist.question_positions
    listed = questions[checklist.first_question : places.stop]
    if not all(map(_can_be_ticked, listed)):
        return False
    if any(section["at"] in places[1:] for section in document.get("sections", ())):
        return False
    shared_parts = {
        canonical({key: entry.get(key) for key in _TOLD_ONCE})
        for entry in document["questions"][checklist.first_question : places.stop]
    }
    rules = [rule for rule in document.get("skips", ()) if rule["question"] in places]
    distinct_rules = {
        canonical({key: rule[key] for key in ("after", "answered", "send")}) for rule in rules
    }
    together = not rules or (
        len(rules) == len(listed) and rules[0]["after"] < checklist.first_question
    )
    return together and len(shared_parts) == 1 and len(distinct_rules) < 2


def _can_be_ticked(question: object) -> bool:
    """Check that a question has two answers: the first is a tick."""
    if isinstance(question, Choice):
        return question.coin is None and len(question.answers) == 2
    if not isinstance(question, TableQuestion) or question.groups:
        return False
    return len(question.answers) == 2
