"""What an estimate from ranges leaves open, and what it takes on trust."""

from typing import TYPE_CHECKING

from askance.estimators.line.line import LineEstimate
from askance.estimators.outcome import Outcome
from askance.wire.question import CutsQuestion, RingQuestion

if TYPE_CHECKING:
    from askance.survey.analyse import Finding
    from askance.wire.question import Question

_BAND = (
    "The band around the curve takes each step for itself, so it is wide where steps are fine for "
    "so few reports; the intervals of the quantiles also use that no share is below 0."
)


def left_open(finding: "Finding", question: "Question") -> list[str]:
    """Say which part of a number's distribution was not learnt, and what was assumed for the rest.

    Parameters
    ----------
    finding : Finding
    question : Question
        As it stands in the form.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.Counts(1020, sent))
    >>> left_open(analysis.findings[1], form.questions[1])
    []
    """
    estimate = finding.estimate
    if finding.suppressed or not isinstance(estimate, LineEstimate):
        return []
    told = []
    if estimate.unlearnt:
        pieces = [f"{low:,g} to {high:,g}" for low, high in estimate.unlearnt]
        places = f"{', '.join(pieces)} {estimate.unit}".rstrip()
        told.append(f"Nothing is learnt inside {places}: no report divides it.")
    elif isinstance(question, RingQuestion) and estimate.outcome is Outcome.PARTLY_IDENTIFIED:
        told.append(
            "Rings never tell the two ends of the line apart: of the share in both, only the sum "
            "is learnt."
        )
    if isinstance(question, RingQuestion) and finding.reports:
        told.append(_BAND)
    if isinstance(question, CutsQuestion) and question.narrow:
        told.append(
            "People could stop before their range was narrow. If they did so for more of their "
            "answer than the range tells, the estimate is off by what nobody can know."
        )
    if isinstance(question, CutsQuestion) and question.withhold:
        told.append(
            "Narrow ranges were not sent. The estimate allows for it by the form's own law; it "
            f"cannot allow for people who declined. {_BAND}"
        )
    return told
