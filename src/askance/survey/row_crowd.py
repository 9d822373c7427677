"""The crowd behind a row of a form: as a survey declares it, computed, and warned of if small."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from askance.channels.number_law import law_read, law_written, read_law, step_sizes
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
    answer_population,
    declared_population,
    list_event_chances,
    share_answers,
)
from askance.survey.random_ranges import find_declared_fit
from askance.survey.specs import FilePosition, QuestionSpec, Survey, locate_errors
from askance_collect.arguments import checked
from askance_collect.errors import FormError, InputError, SurveyError, restate
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import cautious
from askance_collect.wire.form import Form
from askance_collect.wire.parts import FormPart
from askance_collect.wire.question import (
    MOST_TICKS,
    Choice,
    FreeText,
    Number,
    Question,
    TableQuestion,
)
from askance_collect.wire.toml_text import packaged_toml

Document = dict[str, Any]

_WORDS: dict[str, dict[str, str]] = packaged_toml("askance.survey", "crowd.toml")
MIN_CROWD = 10
"""Fewer people alike are called too few, unless a survey says how many it wants."""

_MOST_PEOPLE = 10_000_000_000
THOUSAND = 1_000
"""Where a survey declares no number of people, crowds are told of each thousand."""


@checked
def row_crowd(form: Form, guarantees: Mapping[str, Sequence[Guarantee]]) -> RowCrowd:
    """Compute how many people could have sent a row, by its plain answers and by its reports.

    Plain answers whose shares the survey does not declare are taken in their worst case. A
    protected report counts by the share of people whom it leaves possible: a range by its coverage,
    in the declared population if there is one, others by the answers that they exclude. A report
    that every answer can send excludes nobody. Where parts are kept apart, a row is of one part:
    the one that fits fewer people.

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
    parts: list[Sequence[Question]] = [form.questions]
    if form.keeps_apart:
        parts = [list(filter(part.includes, form.questions)) for part in FormPart]
    crowds = [
        RowCrowd(
            people=THOUSAND if people is None else people,
            are_people_declared=people is not None,
            minimum=minimum,
            factors=tuple(_list_factors(questions, guarantees, population)),
            texts=tuple(q.name for q in questions if isinstance(q, FreeText) and not q.is_sealed),
        )
        for questions in parts
    ]
    return min(crowds, key=lambda crowd: crowd.mean)


def _list_factors(
    questions: Sequence[Question],
    guarantees: Mapping[str, Sequence[Guarantee]],
    population: Mapping[str, object],
) -> Iterator[RowFactor]:
    for question in questions:
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
    """Compute the share of people who fit a protected report: by coverage, or by exclusion."""
    values = {guarantee.notion: guarantee.value for guarantee in protection}
    mean: Fraction | float
    least: Fraction | float
    if (fit := find_declared_fit(question)) is not None:
        mean, least = fit
    elif Notion.COVERAGE in values:
        mean, least = values[Notion.COVERAGE], values.get(Notion.FLOOR, Fraction(0))
    else:
        excluding = {Disclosure.EXCLUSION, Disclosure.PROOF}
        if question_evidence(question).disclosure not in excluding:
            return None
        mean, least = _share_not_excluded(question)
    return RowFactor(name=question.name, kind=FactorKind.FITTING, mean_share=mean, min_share=least)


def _share_not_excluded(question: Question) -> tuple[Fraction, Fraction]:
    """Compute the share of people not excluded by a report: on average, and at worst."""
    rows, declared = list_event_chances(question), declared_population(question)
    shares = declared.shares if declared is not None else (Fraction(1, len(rows)),) * len(rows)
    if isinstance(question, TableQuestion) and question.item_count is not None:
        rows = [list(question.table.row(x)) for x in range(len(question.answers))]
        shares = share_answers(question, shares)
    fitting = []
    for chances in zip(*rows, strict=True):
        chance = sum(
            (share * part for share, part in zip(shares, chances, strict=True)), Fraction(0)
        )
        possible = (share for share, part in zip(shares, chances, strict=True) if part)
        if chance:
            fitting.append((chance, sum(possible, Fraction(0))))
    mean = sum((chance * share for chance, share in fitting), Fraction(0))
    return mean / sum(chance for chance, _ in fitting), min(share for _, share in fitting)


def describe_crowd(crowd: RowCrowd) -> tuple[str, ...]:
    """Describe the crowd behind a row in sentences; of texts alone where nothing excludes anybody.

    >>> from askance.survey import load_survey
    >>> from askance.survey.publish import deploy
    >>> deployed = deploy(load_survey("examples/affairs.toml"))
    >>> describe_crowd(row_crowd(deployed.form, deployed.guarantees))[0][:52]
    'The survey does not say how many people could answer'
    """
    sentences = []
    if crowd.factors:
        if not crowd.are_people_declared:
            sentences.append(_write("PEOPLE_UNKNOWN", crowd))
        sentences.append(_write("MEAN", crowd))
        if crowd.undeclared:
            sentences.append(_write("SHARES_UNKNOWN", crowd))
        elif crowd.share_in_small_crowds is not None:
            sentences += [_write("SMALL_CROWDS", crowd), _write("RAREST", crowd)]
        sentences.append(_write("INDEPENDENT", crowd))
    return (*sentences, *describe_texts(crowd))


def describe_texts(crowd: RowCrowd) -> tuple[str, ...]:
    """Warn that texts can identify their writers; empty without a text question.

    >>> describe_texts(RowCrowd(people=9, are_people_declared=True, minimum=1, factors=()))
    ()
    """
    return (_write("TEXTS", crowd),) if crowd.texts else ()


def summarise_crowd(crowd: RowCrowd) -> tuple[str, ...]:
    """Summarise how many people a row fits on average, and how many people are in small crowds.

    The average is left out where `warn_of_crowd` states it.

    >>> from askance.privacy.crowd import undeclared_factor
    >>> summarise_crowd(RowCrowd(people=100, are_people_declared=True, minimum=10,
    ...     factors=(undeclared_factor("age", 6),)))[0][28:]
    'a row fits at least 17 of 100 people on average (see `expect`).'
    """
    names = ["SUMMARY"] if crowd.factors and not crowd.is_too_small else []
    if crowd.share_in_small_crowds:
        names.append("SMALL_CROWDS")
    return tuple(_write(name, crowd) for name in names)


def warn_of_crowd(crowd: RowCrowd) -> tuple[str, ...]:
    """Warn where a row fits, or may fit, fewer people than the minimum on average.

    >>> from askance.privacy.crowd import undeclared_factor
    >>> crowd = RowCrowd(people=100, are_people_declared=True, minimum=10,
    ...     factors=(undeclared_factor("age", 60),))
    >>> warn_of_crowd(crowd)[0][:57]
    'Whole rows may single people out: a row may fit as few as'
    """
    if not crowd.is_too_small:
        return ()
    return (_write("MAYBE_TOO_SMALL" if crowd.undeclared else "TOO_SMALL", crowd),)


def describe_fit(crowd: RowCrowd) -> str:
    """Write how many people a row fits on average, and of how many.

    >>> from askance.privacy.crowd import undeclared_factor
    >>> describe_fit(RowCrowd(people=1_000, are_people_declared=False, minimum=10,
    ...     factors=(undeclared_factor("age", 60),)))
    'at least 17 of each 1,000 people'
    """
    words = _WORDS["fit"]["LEAST" if crowd.undeclared else "MEAN"]
    return words.format(mean=round_down(crowd.mean), people=_describe_people(crowd))


def round_down(count: float) -> str:
    """Write an expected number of people: whole from ten on, never rounded up.

    >>> round_down(2.69), round_down(1_234.9)
    ('2.6', '1,234')
    """
    if count >= 10:
        return f"{math.floor(count * (1 + 1e-12)):,}"
    return f"{math.floor(10 * count * (1 + 1e-12)) / 10:g}"


def _describe_people(crowd: RowCrowd) -> str:
    words = _WORDS["people"]["DECLARED" if crowd.are_people_declared else "EACH"]
    return words.format(people=crowd.people)


def _write(name: str, crowd: RowCrowd) -> str:
    """Fill the sentence of this name with the figures of a crowd."""
    share = crowd.share_in_small_crowds
    missing = [
        *(["`crowd`"] if not crowd.are_people_declared else []),
        *(["`expect`"] if crowd.undeclared else []),
    ]
    return _WORDS["sentences"][name].format(
        people=_describe_people(crowd),
        fit=describe_fit(crowd),
        mean=round_down(crowd.mean),
        smallest=round_down(crowd.smallest),
        minimum=crowd.minimum,
        share="" if share is None else cautious(Fraction(share), math.ceil),
        names=", ".join(factor.name for factor in crowd.factors),
        undeclared=", ".join(crowd.undeclared),
        narrowest=crowd.narrowest,
        texts=", ".join(crowd.texts),
        advice=_WORDS["advice"]["SEE"].format(keys=", ".join(missing)) if missing else "",
    )


def write_crowd(
    survey: Survey,
    specs: Sequence[QuestionSpec],
    places: Sequence[FilePosition],
    questions: Sequence[Question],
) -> Document:
    """Write how many people there are, and how common the plain answers are, for a form's `about`.

    Raises
    ------
    SurveyError
        If more people are to be alike than there are, or shares are none.

    >>> from askance.survey import load_survey
    >>> write_crowd(load_survey("examples/affairs.toml"), [], [], [])
    {}
    """
    written: Document = {}
    if (crowd := survey.crowd) is not None:
        people, minimum = crowd.people, crowd.minimum
        for key, count in (("people", people), ("minimum", minimum)):
            if count is not None and not 1 <= count <= _MOST_PEOPLE:
                allowed = f"a number of people in [1, {_MOST_PEOPLE}]"
                raise SurveyError(f"crowd.{key}", got=count, allowed=allowed)
        if people is not None and minimum > people:
            raise SurveyError(
                "crowd.minimum",
                got=f"{minimum} people alike, of {people}",
                allowed=f"1 to {people}: no more can be alike than there are",
                remedy="lower minimum, or say of how many people those who answer come",
            )
        written = {"people": people} if people is not None else {}
        written["minimum"] = minimum
    population = {
        spec.name: _write_shares(spec.expect, question, f"{where}.expect")
        for spec, question, (where, _) in zip(specs, questions, places, strict=True)
        if spec.plain and spec.expect is not None
    }
    return written | ({"population": population} if population else {})


def _write_shares(expect: Mapping[str, Any], question: Question, where: str) -> Document:
    """Write the shares of a plain question's answers: by name, or a law of a number's values."""
    if not isinstance(question, Number | Choice):
        raise SurveyError(where, got="a text", allowed="answers or a line", remedy="leave it out")
    if isinstance(question, Number):
        if set(expect) != {"spread"}:
            got = ", ".join(expect) or "nothing"
            allowed = 'spread alone, such as { spread = "even" }'
            raise SurveyError(where, got=got, allowed=allowed)
        law = locate_errors(where, partial(read_law, expect["spread"], "spread"))
        expect = {"spread": law_written(law)}
    try:
        shares = read_declared_shares(question, expect)
    except InputError as error:
        remedy = error.remedy or 'such as expect = { yes = "1/10", no = "9/10" } for answers'
        raise restate(error, where, SurveyError, remedy) from error
    if isinstance(question, Number):
        return dict(expect)
    names = (answer.name for answer in question.answers)
    return {name: str(share) for name, share in zip(names, shares, strict=True)}


def read_declared_shares(question: Question, written: object) -> tuple[Fraction, ...]:
    """Read the share of each answer, in the form's order."""
    if isinstance(question, Number):
        spread = written.get("spread") if isinstance(written, Mapping) else None
        if (values := count_values(question)) > MOST_TICKS:
            allowed = f"a line of at most {MOST_TICKS} numbers"
            raise InputError("spread", got=f"{values} numbers", allowed=allowed)
        law = law_read(spread, "spread") if isinstance(spread, str) else read_law(spread, "spread")
        sizes = step_sizes(_line_of_values(question.line), law, "spread")
        return tuple(Fraction(size, sum(sizes)) for size in sizes)
    assert isinstance(question, Choice)
    return answer_population([answer.name for answer in question.answers], written).shares


def count_values(question: Number) -> int:
    """Count the numbers that can be given."""
    return len(question.possible_answers)


def _line_of_values(line: Line) -> Line:
    """Make a line with a step around each number that can be given."""
    if line.integer:
        return line
    half = line.step / 2
    return Line(line.lower - half, line.value_at(line.ticks) + half, line.step)
