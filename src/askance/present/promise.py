"""What the guarantees of a question promise to those who answer it, shortly."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.survey.analyse import Finding

MOST_WORDS = 4
"""So many sentences on what is sent are set at once."""


def sent_and_meant(finding: "Finding") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Part the words of a finding: what is sent, and what each guarantee means."""
    split = len(finding.guarantee_words) - len(finding.guarantees)
    return finding.guarantee_words[:split], finding.guarantee_words[split:]


def promise(finding: "Finding") -> tuple[str, ...]:
    """Say what is sent, and what the first guarantee means.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> counts = ak.Counts(0, {question.name: {} for question in form.questions})
    >>> promise(ak.analyse(form, counts).findings[1])[2]
    'No report is more than 6 times as likely from one answer as from another.'
    """
    sent, meant = sent_and_meant(finding)
    return (*sent[:MOST_WORDS], *meant[:1])
