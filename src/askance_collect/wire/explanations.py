"""What each group of a study of explanations reads before the questions, and in which order.

The group is the one into which the draw of a question with groups puts a device: the report to that
question says it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from askance_collect.errors import AskanceError, FormError
from askance_collect.exact.ratio import chance
from askance_collect.wire.form_schema import keep_unchangeable, read_wording, refuse

SCREENS = "card", "picture"
"""The two screens of which a group reads one first: what is sent, or a practice question."""


@final
@dataclass(frozen=True, slots=True)
class GroupExplanation:
    """What one group reads.

    Attributes
    ----------
    first : str
        The screen that comes first, one of `SCREENS`.
    wording : mapping of str to str
        An explanation on that screen, by language; empty where the group has none.

    >>> from askance_collect.wire import GroupExplanation
    >>> GroupExplanation("card").wording
    mappingproxy({})
    """

    first: str
    wording: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "wording")


@final
@dataclass(frozen=True, slots=True)
class Explanations:
    """What the groups of a question read before the questions.

    Attributes
    ----------
    question : int
        The position of the question whose draw puts a device into its group.
    groups : tuple of GroupExplanation
        In the order of the groups of that question.

    >>> from askance_collect.wire import Explanations, GroupExplanation
    >>> Explanations(0, (GroupExplanation("card"), GroupExplanation("picture"))).groups[1].first
    'picture'
    """

    question: int
    groups: tuple[GroupExplanation, ...]


def read_explanations(
    evidence: Mapping[str, Any], languages: Sequence[str], group_counts: Sequence[int]
) -> Explanations:
    """Read what the groups of a study of explanations read, as the schema has it.

    Parameters
    ----------
    evidence : Mapping
    languages : sequence of str
    group_counts : sequence of int
        How many groups chance draws at each question; 0 where it draws none.

    Raises
    ------
    FormError
        If the question has no groups by chance, or other groups.
    """
    position = evidence["question"]
    groups = tuple(
        GroupExplanation(
            entry["first"], read_wording(entry["text"], languages) if "text" in entry else {}
        )
        for entry in evidence["groups"]
    )
    drawn_groups = group_counts[position] if position < len(group_counts) else 0
    if not drawn_groups:
        raise refuse("evidence", "evidence.question", position)
    if len(groups) != drawn_groups:
        raise refuse("evidence", "evidence.groups", len(groups))
    return Explanations(position, groups)


@final
@dataclass(frozen=True, slots=True)
class EvidenceQuestions:
    """Which questions of a form are evidence on a sensitive one, by their names.

    Attributes
    ----------
    question : str
        The sensitive question.
    teach_back : str
        Of which one answer is right; its draw puts a device into a group.
    anchor : str, optional
        Asked as the sensitive question is; of it a share is known.
    anchor_answer : str
        The answer whose share is known.
    anchor_share : Fraction
        That share.
    sham : str, optional
        Asked as the sensitive question is; one answer alone can be true.
    innocent : str
        That answer.

    >>> from askance_collect.wire import EvidenceQuestions
    >>> EvidenceQuestions("tea", "teach_back", sham="tea_sham", innocent="no").pairs
    (('teach_back', 'tea'), ('tea', 'tea_sham'))
    """

    question: str
    teach_back: str
    anchor: str | None = None
    anchor_answer: str = ""
    anchor_share: Fraction = Fraction(0)
    sham: str | None = None
    innocent: str = ""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The questions whose reports are counted two by two."""
        like = tuple((self.question, name) for name in (self.anchor, self.sham) if name is not None)
        return (self.teach_back, self.question), *like


def read_evidence(
    document: Mapping[str, Any], questions: Sequence[Any]
) -> EvidenceQuestions | None:
    """Read which questions a form declares to be evidence on another, if it declares any.

    Raises
    ------
    FormError
        If it names questions or answers that the form does not have, or a share outside [0, 1].

    >>> read_evidence({"about": {}}, [])
    """
    if (declared := document["about"].get("evidence")) is None:
        return None
    answers = {
        question.name: {
            label.name
            for label in getattr(getattr(question, "underlying_question", question), "answers", ())
        }
        for question in questions
    }
    try:
        anchor, sham = declared.get("anchor", {}), declared.get("sham", {})
        read = EvidenceQuestions(
            question=declared["question"],
            teach_back=declared["teach_back"],
            anchor=anchor["question"] if anchor else None,
            anchor_answer=anchor["answer"] if anchor else "",
            anchor_share=chance(anchor["share"], "share") if anchor else Fraction(0),
            sham=sham["question"] if sham else None,
            innocent=sham["innocent"] if sham else "",
        )
        named = (read.anchor, read.anchor_answer), (read.sham, read.innocent)
        is_known = len(answers[read.teach_back]) == 2 and read.question in answers
        is_known &= all(answer in answers[name] for name, answer in named if name)
    except (LookupError, TypeError, ValueError, AttributeError, AskanceError):
        is_known = False
    if not is_known:
        allowed = "questions of the form, each with its own answers, and known shares"
        raise FormError("about.evidence", got=declared, allowed=allowed)
    return read
