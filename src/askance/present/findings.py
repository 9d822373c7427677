"""What page and terminal say of a finding: promises, what is left open, the answers' own words."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from askance.errors import InputError
from askance.inference.shares.maximum_likelihood import Estimate
from askance.privacy.guarantee import meaning
from askance.typing import Floats

if TYPE_CHECKING:
    from askance.survey import Finding


MOST_WORDS = 4
"""So many sentences on what is sent are set at once."""


def promise(finding: "Finding") -> tuple[str, ...]:
    """Say what is sent, and what the first guarantee means.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> counts = ak.engines.Counts(0, {question.name: {} for question in form.questions})
    >>> promise(ak.analyse(form, counts).findings[1])[2]
    'No report is more than 6 times as likely from one answer as from another.'
    """
    return (*finding.sent[:MOST_WORDS], *map(meaning, finding.guarantees[:1]))


def left_open(finding: "Finding") -> tuple[str, ...]:
    """Say which part of a number's distribution was not learnt; nothing of what is withheld.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> left_open(ak.analyse(form, ak.engines.Counts(1020, sent)).findings[1])
    ()
    """
    return () if finding.suppressed else finding.left_open


def worded(finding: "Finding") -> "Finding":
    """Put the wording of the form's first language in the place of the answers' names.

    Labels that are no answer's name, and names whose wording is not the only one of its kind, stay.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> worded(analysis.findings[1]).estimate.labels
    ('yes', 'no')
    """
    wording = finding.wording
    alike = len(set(wording.values())) < len(wording)
    if not wording or alike or not isinstance(finding.estimate, Estimate):
        return finding
    labels = tuple(wording.get(label, label) for label in finding.estimate.labels)
    truth = finding.truth and {wording.get(name, name): at for name, at in finding.truth.items()}
    return replace(finding, estimate=replace(finding.estimate, labels=labels), truth=truth)


def most_frequent(estimate: Estimate, most: int) -> Estimate:
    """Keep the commonest answers of an estimate, in their old order.

    Parameters
    ----------
    estimate : Estimate
    most : int
        How many answers to keep; an estimate with no more is returned as it is.

    >>> import askance as ak
    >>> names = ["one", "two", "three"]
    >>> plain = ak.Channel(ak.Frame(names), {name: [name] for name in names}, np.eye(3))
    >>> most_frequent(ak.estimate(ak.Tally(plain, {"one": 5, "two": 1, "three": 9})), 2).labels
    ('one', 'three')
    """
    if len(estimate.labels) <= most:
        return estimate
    ranked = np.argsort(-np.nan_to_num(estimate.value), kind="stable")
    kept = np.sort(ranked[:most])
    return replace(
        estimate,
        labels=tuple(estimate.labels[at] for at in kept),
        covariance=estimate.covariance[np.ix_(kept, kept)],
        **{name: getattr(estimate, name)[kept] for name in ("value", "lower", "upper", "plain")},
    )


def without_random(shares: Floats, careless: float) -> Floats:
    r"""The shares among careful people, had so many others picked an answer at random.

    What is estimated is then a mixture, so that :math:`\pi = (\hat\pi - r/k)/(1 - r)`, held inside
    [0, 1].

    Parameters
    ----------
    shares : array of shape (k,)
        The estimated shares :math:`\hat\pi` of the k answers.
    careless : float
        The share r of people who answered at random, in [0, 1).

    >>> without_random(np.array([0.3, 0.7]), 0.1).round(3).tolist()
    [0.278, 0.722]
    """
    if not 0 <= careless < 1:
        raise InputError("careless", got=careless, allowed="a share in [0, 1)")
    return np.clip((np.asarray(shares) - careless / len(shares)) / (1 - careless), 0, 1)


def mean_without_random(mean: float, middle: float, careless: float) -> float:
    r"""The mean among careful people, had so many others answered at random.

    Random answers centre on the middle c of the line, so that
    :math:`\mu = (\hat\mu - r c)/(1 - r)`.

    >>> round(mean_without_random(29.0, 43.5, 0.1), 2)
    27.39
    """
    return (mean - careless * middle) / (1 - careless)
