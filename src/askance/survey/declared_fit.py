"""The share of people who fit a range, in the population that a form declares."""

from askance.privacy.coverage import coverage_law
from askance.privacy.population import declared_population
from askance.survey.random_ranges import build_range_law
from askance_collect.wire.question import CutsQuestion, Question, RingQuestion


def find_declared_fit(question: Question) -> tuple[float, float] | None:
    """Compute the share of people who fit a range, on average and at worst, as declared.

    None where no ranges are sent, or the form declares no population. Ranges that nobody in the
    population sends are left out.

    >>> from askance_collect.exact.line import Line
    >>> about = {"population": {"spread": "[3, 1]"}}
    >>> unit = {"en": "cups"}
    >>> question = CutsQuestion("q", {}, Line(0, 2), unit, 1, (1,), False, (0, 1), about)
    >>> find_declared_fit(question)
    (0.625, 0.25)
    """
    if not isinstance(question, CutsQuestion | RingQuestion):
        return None
    if (people := declared_population(question)) is None:
        return None
    channel = build_range_law(question, None).channel
    law = coverage_law(channel, [float(share) for share in people.shares])
    return law.mean, law.minimum
