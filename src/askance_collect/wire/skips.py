"""Skip rules between questions, refused where one question would reveal another's answer.

A rule is carried out by the answer, on the respondent's device; what is sent of the question that
is skipped goes to everybody who reads reports. So a rule is refused that would tell what is hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from askance_collect.wire.form_schema import refuse
from askance_collect.wire.question import Choice, TableQuestion

_MIXED = "random"
"""The order of a section whose questions chance puts in order."""


class SkippableQuestion(Protocol):
    """A question of any kind, as far as a rule looks at it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def is_randomised(self) -> bool:
        """Whether chance on the device stands between an answer and what is sent."""

    @property
    def is_known_to_device(self) -> bool:
        """Whether the device knows the answer."""

    @property
    def possible_answers(self) -> range:
        """The answers, as `ak.respond.respond` takes them."""


@final
@dataclass(frozen=True, slots=True)
class Skip:
    """A question that is skipped after some answers to an earlier one.

    ``question`` and ``after`` are positions of questions. ``answered`` are answers to the earlier
    one as `ak.respond.respond` takes them, listed or all from one to another: positions of
    named answers, ticks of a plain number, steps of a protected one. ``send`` is the answer that is
    so of whoever skips the question, and is sent as any answer is; None is a blank.
    """

    question: int
    after: int
    answered: tuple[int, ...] | range
    send: int | None


def read_skips(
    document: dict[str, Any], questions: Sequence[SkippableQuestion]
) -> tuple[Skip, ...]:
    """Read by which rules the questions of a form are skipped.

    Parameters
    ----------
    document : dict
        The form, which has rules, and whose sections have been read already.
    questions : sequence of Question

    Raises
    ------
    FormError
        With the first rule that is none, or that would tell what another question hides.
    """
    last, read = -1, []
    for index, entry in enumerate(document.get("skips", ())):
        where = f"skips[{index}]"
        skip = Skip(
            entry["question"], entry["after"], _answers_of(entry["answered"]), entry["send"]
        )
        if not _is_rule(skip, questions) or skip.question <= last:
            raise refuse("skips", where, entry)
        if refused := _rule_remedy(skip, questions, document):
            raise refuse("leak", where, entry, f"allowed is {refused}")
        read.append(skip)
        last = skip.question
    return tuple(read)


def _answers_of(raw: Any) -> tuple[int, ...] | range:
    """Read the answers of a rule: a list of them, or the first and the last of many.

    >>> _answers_of([2, 0]), _answers_of({"from": 1, "to": 3})
    ((2, 0), range(1, 4))
    """
    return range(raw["from"], raw["to"] + 1) if isinstance(raw, dict) else tuple(raw)


def _rule_remedy(
    skip: Skip, questions: Sequence[SkippableQuestion], document: dict[str, Any]
) -> str:
    """Name what is allowed instead of a rule that cannot be kept or reveals what is hidden."""
    if may_come_later(skip.question, skip.after, document.get("sections", ())):
        return "a rule on a question that is always asked before: here chance makes the order"
    if remedy := leak_remedy(questions[skip.question], questions[skip.after], skip.send):
        return remedy
    if _are_accounted_apart(skip, questions, document["about"]):
        return "two protected questions of one trait in about.traits, and of no other"
    return ""


def leak_remedy(question: SkippableQuestion, after: SkippableQuestion, send: int | None) -> str:
    """Name what is allowed instead of a rule by which one question reveals another's answer.

    Empty where the rule tells no more than is accounted for.

    >>> from askance_collect.wire import Label
    >>> tea = Choice("tea", {}, (Label("yes", {}), Label("no", {})))
    >>> leak_remedy(tea, tea, 0)
    ''
    """
    if send is None and question.is_randomised:
        return "the answer that is so of whoever skips it: a protected question always sends"
    if not after.is_randomised:
        return ""
    if not isinstance(question, TableQuestion):
        leak = "a range that leaves it out" if question.is_randomised else "what is sent"
        return f"a protected question with answers: {leak} would tell the protected answer"
    columns = zip(*question.table.rows, strict=True)
    if send is None or any(any(column) and not column[send] for column in columns):
        return "an answer that can send every report: else one would say for certain who was asked"
    return ""


def _is_rule(skip: Skip, questions: Sequence[SkippableQuestion]) -> bool:
    """Say whether a rule names a question, an earlier one, answers to it, and one to send."""
    if not skip.after < skip.question < len(questions):
        return False
    question, after = questions[skip.question], questions[skip.after]
    tossed = isinstance(question, Choice) and question.coin is not None
    if tossed or not after.is_known_to_device:
        return False
    if not _are_answers(skip.answered, after.possible_answers):
        return False
    return skip.send is None or skip.send in question.possible_answers


def _are_answers(answered: tuple[int, ...] | range, possible: range) -> bool:
    """Say whether a rule names some answers, each once."""
    ends = (answered[:1], answered[-1:]) if isinstance(answered, range) else (answered,)
    return bool(answered) and all(answer in possible for part in ends for answer in part)


def may_come_later(question: int, after: int, sections: Sequence[dict[str, Any]]) -> bool:
    """Say whether chance may ask the earlier of two questions after the later one.

    >>> may_come_later(2, 1, [{"at": 1, "order": "random"}]), may_come_later(2, 1, [{"at": 1}])
    (True, False)
    """
    begun = [section for section in sections if section["at"] <= question]
    return bool(begun) and begun[-1].get("order") == _MIXED and begun[-1]["at"] <= after


def _are_accounted_apart(
    skip: Skip, questions: Sequence[SkippableQuestion], about: dict[str, Any]
) -> bool:
    """Say whether two protected questions of a rule are accounted for apart from each other."""
    question, after = questions[skip.question], questions[skip.after]
    if not after.is_randomised:
        return False
    own, earlier = _traits(about, question.name), _traits(about, after.name)
    return own != earlier or len(own) != 1


def _traits(about: dict[str, Any], name: str) -> list[int]:
    """Give the positions of the traits that a question is declared to be about."""
    try:
        named = [trait["questions"] for trait in about["traits"]]
    except (LookupError, TypeError):
        return []
    if not all(isinstance(names, list) for names in named):
        return []
    return [index for index, names in enumerate(named) if name in names]
