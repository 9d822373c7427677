"""Evidence on a sensitive question: its teach-back, its anchor and its sham, and groups by chance.

The block `[evidence]` of a survey file is written out as questions: a teach-back before all others,
whose draw puts each device into a group, and an anchor and a sham after the sensitive question,
asked as that one is. What the groups read first stands in the form beside them.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec

from askance.survey.specs import (
    MOST_GROUPS,
    AnchorSpec,
    EvidenceGroupSpec,
    EvidenceSpec,
    GroupSpec,
    QuestionSpec,
    ShamSpec,
    locate_errors,
    read_label,
    write_wording,
)
from askance_collect.errors import SurveyError, nearest
from askance_collect.exact.ratio import chance
from askance_collect.wire.explanations import SCREENS

TEACH_BACK = "teach_back"
"""The name of the question whose draw puts a device into a group of the study."""

_OPTIONS = 4
_ANCHORED = 2  # answers, of which the share of the one is that of the other
_WHERE = "evidence"

_Located = tuple[QuestionSpec, str, str, str]
"""A question, where its groups and itself stand in the survey file, and what names it."""


def expand_evidence(
    evidence: EvidenceSpec, questions: Sequence[tuple[QuestionSpec, str, str, str]]
) -> list[tuple[QuestionSpec, str, str, str]]:
    """Add the questions of an evidence block to those of a survey, each with its place in the file.

    Raises
    ------
    SurveyError
        If the block names no question that can be judged, has no groups or no teach-back, an
        anchor has no known share, or a sham no innocent answer.

    >>> from askance.survey.specs import TeachBackSpec
    >>> spec = QuestionSpec("tea", "Tea?", ["yes", "no"], mechanism={"name": "kary", "truth": .7})
    >>> groups = [EvidenceGroupSpec("short"), EvidenceGroupSpec("card", first="card")]
    >>> quiz = TeachBackSpec("What is sent?", ["a", "b", "c", "d"], "c")
    >>> sham = ShamSpec("Did you drink tea on the moon?", innocent="no")
    >>> evidence = EvidenceSpec("tea", quiz, groups, sham=sham)
    >>> written = expand_evidence(evidence, [(spec, "question[0].group", "question[0]", "")])
    >>> [spec.name for spec, *_ in written]
    ['teach_back', 'tea', 'tea_sham']
    """
    names = [spec.name for spec, *_ in questions]
    if evidence.question not in names:
        remedy = nearest(evidence.question, names)
        raise SurveyError(
            f"{_WHERE}.question", got=evidence.question, allowed=", ".join(names), remedy=remedy
        )
    position = names.index(evidence.question)
    judged, _, where, _ = questions[position]
    _refuse_unlike(judged, is_single="." not in where)
    written = [_write_teach_back(evidence), *questions[: position + 1]]
    if evidence.anchor is not None:
        written.append(_write_anchor(judged, evidence.anchor))
    if evidence.sham is not None:
        written.append(_write_sham(judged, evidence.sham))
    return [*written, *questions[position + 1 :]]


def _refuse_unlike(judged: QuestionSpec, *, is_single: bool) -> None:
    """Refuse evidence on a question whose mechanism no other question can share."""
    is_named = judged.answers is not None and judged.mechanism is not None
    if is_single and is_named and judged.choose is None and judged.skip is None:
        return
    raise SurveyError(
        f"{_WHERE}.question",
        got=judged.name,
        allowed="a question of its own that everybody is asked, with answers and one mechanism",
        remedy="ask it without items, groups, a line or a skip, or leave evidence out",
    )


def _write_teach_back(evidence: EvidenceSpec) -> _Located:
    """Write the teach-back, in groups of equal shares whose chances are the same."""
    groups = _read_groups(evidence.group)
    where = f"{_WHERE}.{TEACH_BACK}"
    if evidence.teach_back is None:
        raise SurveyError(
            where,
            got="nothing",
            allowed="a question about the explanation, whose reports say the group too",
            remedy=f"add [{where}] with text, {_OPTIONS} answers and right",
        )
    teach_back = evidence.teach_back
    if len(teach_back.answers) != _OPTIONS:
        fault, allowed = f"{len(teach_back.answers)} answers", f"{_OPTIONS} answers"
        raise SurveyError(f"{where}.answers", got=fault, allowed=allowed)
    truth = locate_errors(where, partial(chance, teach_back.truth, "truth"))
    if not Fraction(1, 2) < truth < 1:
        allowed = "a chance above 1/2 and below 1, so that a report proves nothing"
        raise SurveyError(f"{where}.truth", got=str(truth), allowed=allowed)
    mechanism = {"name": "warner", "truth": str(truth)}
    share = Fraction(1, len(groups))
    spec = QuestionSpec(
        TEACH_BACK,
        teach_back.text,
        teach_back.answers,
        right=teach_back.right,
        group=[GroupSpec(group.name, mechanism, str(share), group.label) for group in groups],
    )
    return spec, f"{_WHERE}.group", where, where


def _read_groups(groups: Sequence[EvidenceGroupSpec] | None) -> Sequence[EvidenceGroupSpec]:
    if groups is None or not 2 <= len(groups) <= MOST_GROUPS:
        raise SurveyError(
            f"{_WHERE}.group",
            got="no groups" if groups is None else f"{len(groups)} groups",
            allowed=f"2 to {MOST_GROUPS} groups, into which chance puts people",
            remedy=f'add [[{_WHERE}.group]] twice, each with name = "…" and what differs: '
            'first = "card" or text = "…"',
        )
    for index, group in enumerate(groups):
        if group.first not in SCREENS:
            where, allowed = f"{_WHERE}.group[{index}].first", " or ".join(map(repr, SCREENS))
            remedy = nearest(group.first, SCREENS)
            raise SurveyError(where, got=group.first, allowed=allowed, remedy=remedy)
    ways = [(group.first, str(group.text or "")) for group in groups]
    for index, way in enumerate(ways):
        if way in ways[:index]:
            remedy = "give it another screen first, or a text of its own"
            allowed = "groups that see something different"
            where = f"{_WHERE}.group[{index}]"
            raise SurveyError(where, got=groups[index].name, allowed=allowed, remedy=remedy)
    return groups


def _write_anchor(judged: QuestionSpec, anchor: AnchorSpec) -> _Located:
    where = f"{_WHERE}.anchor"
    if anchor.share is None:
        raise SurveyError(
            f"{where}.share",
            got="nothing",
            allowed="the share of people with this answer, known from elsewhere",
            remedy='add share = "1/12", with the source in the text that the board reads, or take '
            "a statement that is true of nobody and share = 0",
        )
    locate_errors(where, partial(chance, anchor.share, "share"))
    _read_answer(judged, anchor.answer, f"{where}.answer")
    if len(judged.answers or ()) != _ANCHORED:
        fault, allowed = f"{len(judged.answers or ())} answers", "a question with two answers"
        remedy = "take a sham instead, where only one answer can be true"
        raise SurveyError(where, got=fault, allowed=allowed, remedy=remedy)
    return _ask_alike(judged, "anchor", anchor, where)


def _write_sham(judged: QuestionSpec, sham: ShamSpec) -> _Located:
    where = f"{_WHERE}.sham"
    if sham.innocent is None:
        raise SurveyError(
            f"{where}.innocent",
            got="nothing",
            allowed="the one answer that can be true",
            remedy=f'add innocent = "{_answer_names(judged)[-1]}"',
        )
    _read_answer(judged, sham.innocent, f"{where}.innocent")
    return _ask_alike(judged, "sham", sham, where)


def _answer_names(judged: QuestionSpec) -> list[str]:
    labels = enumerate(judged.answers or ())
    return [read_label(label, (), f"answers[{i}]")["name"] for i, label in labels]


def _read_answer(judged: QuestionSpec, answer: str | None, where: str) -> str:
    """Find an answer of the sensitive question, or its first one."""
    names = _answer_names(judged)
    if answer is None:
        return names[0]
    if answer not in names:
        remedy = nearest(answer, names)
        raise SurveyError(where, got=answer, allowed=", ".join(names), remedy=remedy)
    return answer


def _ask_alike(
    judged: QuestionSpec, suffix: str, spec: AnchorSpec | ShamSpec, where: str
) -> _Located:
    """Ask another question through the chances of the sensitive one."""
    if (judged.coin is None) is not (spec.coin is None):
        fault = "no coin" if spec.coin is None else "a coin"
        allowed = "a coin of its own where the sensitive question has one, and only there"
        raise SurveyError(f"{where}.coin", got=fault, allowed=allowed)
    alike = msgspec.structs.replace(
        judged,
        name=f"{judged.name}_{suffix}",
        text=spec.text,
        coin=spec.coin,
        trait=None,
        section=None,
        image=None,
        expect=None,
    )
    return alike, f"{where}.group", where, where


def write_explanations(
    evidence: EvidenceSpec, languages: Sequence[str], names: Sequence[str]
) -> dict[str, Any]:
    """Write what the groups of a study read first, and the question that puts them there."""
    return {
        "question": names.index(TEACH_BACK),
        "groups": [
            {"first": group.first}
            | (
                {"text": write_wording(group.text, languages, f"{_WHERE}.group[{index}].text")}
                if group.text is not None
                else {}
            )
            for index, group in enumerate(evidence.group or ())
        ],
    }


def describe_evidence(
    evidence: EvidenceSpec, questions: Sequence[QuestionSpec]
) -> dict[str, object]:
    """Describe for analysts which questions are evidence on which, and what is known of them."""
    judged = next(spec for spec in questions if spec.name == evidence.question)
    described: dict[str, object] = {"question": judged.name, "teach_back": TEACH_BACK}
    if (anchor := evidence.anchor) is not None:
        described["anchor"] = {
            "question": f"{judged.name}_anchor",
            "answer": _read_answer(judged, anchor.answer, f"{_WHERE}.anchor.answer"),
            "share": str(chance(anchor.share, "share")),
        }
    if (sham := evidence.sham) is not None:
        innocent = _read_answer(judged, sham.innocent, f"{_WHERE}.sham.innocent")
        described["sham"] = {"question": f"{judged.name}_sham", "innocent": innocent}
    return described
