"""A finding with its answers named as the form words them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from askance.estimators.shares.estimate import Estimate
from askance.wire.question import Choice, TableQuestion

if TYPE_CHECKING:
    from askance.survey.analyse import Finding
    from askance.wire.form import Form


def worded(finding: "Finding", form: "Form") -> "Finding":
    """Put the wording of the form's first language in the place of the answers' names.

    Labels that are no answer's name, and names whose wording is not the only one of its kind, stay.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.Counts(1020, sent))
    >>> worded(analysis.findings[1], form).estimate.labels
    ('yes', 'no')
    """
    question = form.question(finding.name)
    if not isinstance(question, Choice | TableQuestion) or not isinstance(
        finding.estimate, Estimate
    ):
        return finding
    wording = {label.name: label.wording[form.languages[0]] for label in question.answers}
    if len(set(wording.values())) < len(wording):
        return finding
    labels = tuple(wording.get(label, label) for label in finding.estimate.labels)
    truth = finding.truth and {wording.get(name, name): at for name, at in finding.truth.items()}
    return replace(finding, estimate=replace(finding.estimate, labels=labels), truth=truth)
