"""The declared population of a survey: its size, and the shares of plain answers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from askance.channels.number_law import law_read, law_written, read_law, step_sizes
from askance.privacy.population import answer_population
from askance.survey.specs import FilePosition, QuestionSpec, Survey, locate_errors
from askance_collect.errors import InputError, SurveyError
from askance_collect.exact.line import Line
from askance_collect.wire.question import MOST_TICKS, Choice, Number, Question

Document = dict[str, Any]


MIN_CROWD = 10
"""Fewer people alike are called too few, unless a survey says how many it wants."""

_MOST_PEOPLE = 10_000_000_000


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
        raise SurveyError(where, got=error.got, allowed=error.allowed, remedy=remedy) from error
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
