"""Sentences on a form's evidence: who understood, was careless, admitted what cannot be."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from askance.present.sentences import Writer, load_sentences
from askance_collect.wire.explanations import read_evidence

if TYPE_CHECKING:
    from askance.analysis import Analysis, EvidenceRate


def note_evidence(analysis: "Analysis") -> Mapping[str, tuple[str, ...]]:
    """Write sentences on the evidence of an analysis, by the question at which they stand.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> note_evidence(ak.analyse(form, ak.engines.Counts(0, sent)))
    {}
    """
    form, found = analysis.form, analysis.evidence
    asked = read_evidence(form.document, form.questions)
    if found is None or asked is None:
        return {}
    notes = {asked.teach_back: _note_comprehension(found.comprehension, found.comprehension_p)}
    if found.by_group_p is not None:
        notes[asked.question] = _say_groups("answered_by_group", found.by_group, found.by_group_p)
    if (rate := found.false_positive) is not None and asked.sham is not None:
        says = "false_positive" if rate.share is not None else "false_positive_withheld"
        notes[asked.sham] = (_WRITER.write(says, _in_hundred(rate)),)
    for name, fit in found.corrections.items():
        facts = {
            "careless": 100 * fit.careless,
            "careless_se": 100 * fit.careless_se,
            "share": 100 * fit.value[0],
            "se": 100 * fit.se[0],
            "uncorrected": 100 * fit.uncorrected[0],
            "uncorrected_se": 100 * fit.uncorrected_se[0],
            "answer": fit.labels[0],
            "question": found.question,
        }
        notes[name] = (*notes.get(name, ()), _WRITER.write("careless", facts))
    for name, reason in found.untold.items():
        notes[name] = (*notes.get(name, ()), _WRITER.write("untold", {"reason": reason}))
    return notes


def _note_comprehension(
    rates: tuple["EvidenceRate", ...], p_value: float | None
) -> tuple[str, ...]:
    everybody, *groups = rates
    if everybody.share is None:
        return (_WRITER.write("understood_withheld", {}),)
    understood = _WRITER.write("understood", _in_hundred(everybody))
    if p_value is None:
        return understood, _WRITER.write("groups_withheld", {})
    return understood, *_say_groups("understood_by_group", tuple(groups), p_value)


def _say_groups(
    sentence: str, rates: tuple["EvidenceRate", ...], p_value: float
) -> tuple[str, ...]:
    facts = {
        "answer": rates[0].answer,
        "rates": tuple(map(_in_hundred, rates)),
        "p": p_value,
    }
    return (_WRITER.write(sentence, facts),)


def _in_hundred(rate: "EvidenceRate") -> dict[str, object]:
    return {
        "group": rate.group,
        "answer": rate.answer,
        "share": None if rate.share is None else 100 * rate.share,
        "se": None if rate.se is None else 100 * rate.se,
    }


_WRITER = Writer(
    tables={"sentences": load_sentences("notes.toml")["evidence"]}, cite=", ".join, facts={}
)
