"""The crowd behind a row of a form: whom its answers and reports single out, and warnings."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from askance.privacy.crowd import (
    FactorKind,
    RowCrowd,
    RowFactor,
    declared_factor,
    undeclared_factor,
)
from askance.privacy.evidence import Disclosure, question_evidence
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.population import (
    declared_population,
    list_event_chances,
)
from askance.survey.declared_crowd import MIN_CROWD, count_values, read_declared_shares
from askance_collect.arguments import checked
from askance_collect.errors import FormError, InputError
from askance_collect.exact.ratio import cautious
from askance_collect.wire.form import Form
from askance_collect.wire.question import (
    Choice,
    FreeText,
    Number,
    Question,
    TableQuestion,
)

THOUSAND = 1_000
"""Where a survey declares no number of people, crowds are told of each thousand."""


@checked
def row_crowd(form: Form, guarantees: Mapping[str, Sequence[Guarantee]]) -> RowCrowd:
    """Compute how many people could have sent a row, by its plain answers and by its reports.

    Plain answers whose shares the survey does not declare are taken in their worst case. A
    protected report counts by the share of people whom it leaves possible: a range by its
    coverage, others by the answers that they exclude. A report that every answer can send excludes
    nobody.

    Parameters
    ----------
    form : Form
    guarantees : mapping of str to sequence of Guarantee
        Of each question by its name; none of a plain one. `DeployedForm.guarantees` has them.

    Raises
    ------
    FormError
        If what the form declares is no population.

    >>> from askance.survey import load_survey
    >>> from askance.survey.publish import deploy
    >>> deployed = deploy(load_survey("examples/affairs.toml"))
    >>> crowd = row_crowd(deployed.form, deployed.guarantees)
    >>> [factor.name for factor in crowd.factors], crowd.undeclared
    (['marriage', 'years'], ('marriage',))
    """
    declared = form.document["about"].get("crowd", {})
    if not isinstance(declared, dict):
        raise FormError("about.crowd", got=declared, allowed="an object")
    people, minimum = declared.get("people"), declared.get("minimum", MIN_CROWD)
    for key, count in (("people", people), ("minimum", minimum)):
        if count is not None and (type(count) is not int or count < 1):
            raise FormError(f"about.crowd.{key}", got=count, allowed="a number of people")
    population = declared.get("population", {})
    if not isinstance(population, dict):
        raise FormError("about.crowd.population", got=population, allowed="an object")
    return RowCrowd(
        people=THOUSAND if people is None else people,
        are_people_declared=people is not None,
        minimum=minimum,
        factors=tuple(_list_factors(form, guarantees, population)),
        texts=tuple(question.name for question in form.questions if isinstance(question, FreeText)),
    )


def _list_factors(
    form: Form, guarantees: Mapping[str, Sequence[Guarantee]], population: Mapping[str, object]
) -> Iterator[RowFactor]:
    for question in form.questions:
        if isinstance(question, FreeText):
            continue
        if protection := guarantees[question.name]:
            factor = _fitting_factor(protection, question)
            if factor is not None and factor.mean_share < 1:
                yield factor
        elif question.name in population:
            try:
                shares = read_declared_shares(question, population[question.name])
            except InputError as error:
                where = f"about.crowd.population.{question.name}"
                raise FormError(where, got=error.got, allowed=error.allowed) from error
            yield declared_factor(question.name, shares)
        else:
            yield undeclared_factor(question.name, _count_answers(question))


def _count_answers(question: Question) -> int:
    if isinstance(question, Number):
        return count_values(question)
    assert isinstance(question, Choice | TableQuestion)
    return len(question.answers)


def _fitting_factor(protection: Sequence[Guarantee], question: Question) -> RowFactor | None:
    """Judge whom a protected report leaves possible: by coverage, or by what it excludes."""
    values = {guarantee.notion: guarantee.value for guarantee in protection}
    if Notion.COVERAGE in values:
        mean, least = values[Notion.COVERAGE], values.get(Notion.FLOOR, Fraction(0))
    else:
        excluding = {Disclosure.EXCLUSION, Disclosure.PROOF}
        if question_evidence(question).disclosure not in excluding:
            return None
        mean, least = _share_not_excluded(question)
    return RowFactor(name=question.name, kind=FactorKind.FITTING, mean_share=mean, min_share=least)


def _share_not_excluded(question: Question) -> tuple[Fraction, Fraction]:
    """Compute the share of people whom a report does not exclude: on average, and at worst."""
    rows, declared = list_event_chances(question), declared_population(question)
    shares = declared.shares if declared is not None else (Fraction(1, len(rows)),) * len(rows)
    fitting = []
    for chances in zip(*rows, strict=True):
        sent = sum((share * part for share, part in zip(shares, chances, strict=True)), Fraction(0))
        possible = (share for share, part in zip(shares, chances, strict=True) if part)
        if sent:
            fitting.append((sent, sum(possible, Fraction(0))))
    mean = sum((sent * share for sent, share in fitting), Fraction(0))
    return mean / sum(sent for sent, _ in fitting), min(share for _, share in fitting)


def describe_crowd(crowd: RowCrowd) -> tuple[str, ...]:
    """Describe the crowd behind a row in sentences; none where a row excludes nobody.

    >>> from askance.survey import load_survey
    >>> from askance.survey.publish import deploy
    >>> deployed = deploy(load_survey("examples/affairs.toml"))
    >>> describe_crowd(row_crowd(deployed.form, deployed.guarantees))[0][:52]
    'The survey does not say how many people could answer'
    """
    if not crowd.factors:
        return tuple(_describe_texts(crowd))
    sentences = []
    if not crowd.are_people_declared:
        sentences.append(
            "The survey does not say how many people could answer: write "
            f"crowd = {{ people = … }}. These figures are for each {crowd.people:,} people."
        )
    names = ", ".join(factor.name for factor in crowd.factors)
    sentences.append(
        f"Of {crowd.people:,} people, {_count_fitting(crowd.mean)} one person's whole row, that "
        f"person among them, on average. The row narrows by {names}."
    )
    if crowd.undeclared:
        sentences.append(
            f"Nothing is declared of how common the answers are to {', '.join(crowd.undeclared)}. "
            "So this is the least that the average can be, and the rarest answers may be one "
            "person's: write expect = { … } at these questions."
        )
    elif (share := crowd.share_in_small_crowds) is not None:
        sentences.append(
            f"Of 100 people, at most {cautious(Fraction(share), math.ceil)} give plain answers "
            f"that fewer than {crowd.minimum:,} people are expected to share. Of all, "
            f"{_count_fitting(crowd.smallest)} the rarest row."
        )
    sentences.append(
        "Questions are taken to be independent here. Answers that go together usually leave more "
        "people alike."
    )
    return (*sentences, *_describe_texts(crowd))


def _describe_texts(crowd: RowCrowd) -> Iterator[str]:
    if crowd.texts:
        yield (f"What people write can name them, whatever the crowd: {', '.join(crowd.texts)}.")


def warn_of_crowd(crowd: RowCrowd) -> tuple[str, ...]:
    """Warn where fewer people than the minimum are expected to fit a row on average.

    >>> from askance.privacy.crowd import undeclared_factor
    >>> crowd = RowCrowd(people=100, are_people_declared=True, minimum=10,
    ...     factors=(undeclared_factor("age", 60),))
    >>> warn_of_crowd(crowd)[0][:55]
    'Whole rows single people out: of 100 people, 2.6 are ex'
    """
    if not crowd.is_too_small:
        return ()
    which = f"of {crowd.people:,} people"
    if not crowd.are_people_declared:
        which = f"of each {crowd.people:,} people (the survey does not say how many there are)"
    return (
        f"Whole rows single people out: {which}, {_count_fitting(crowd.mean)} "
        f"one on average, and at least {crowd.minimum:,} should. {crowd.narrowest} narrows it "
        "most: ask it more coarsely, or leave it out.",
    )


def _count_fitting(count: float) -> str:
    """Write an expected number of people who fit, never rounded up."""
    rounded = round_down(count)
    return f"{rounded} {'is' if rounded == '1' else 'are'} expected to fit"


def round_down(count: float) -> str:
    """Write an expected number of people: whole from ten on, never rounded up.

    >>> round_down(2.69), round_down(1_234.9)
    ('2.6', '1,234')
    """
    if count >= 10:
        return f"{math.floor(count * (1 + 1e-12)):,}"
    return f"{math.floor(10 * count * (1 + 1e-12)) / 10:g}"
