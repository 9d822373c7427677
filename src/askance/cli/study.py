"""Operating characteristics of a survey's estimates, before anybody is asked."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, final

import click
import msgspec

from askance.channels.number_law import read_law
from askance.cli.mechanism_option import Recipe, convert_recipe, read_recipe
from askance.cli.progress_bar import progress_bar
from askance.cli.typed_request import (
    Exact,
    Level,
    Positive,
    PrintJson,
    convert_texts,
    read_texts,
    takes_request,
)
from askance.random_streams import random_stream
from askance.study.operating_characteristics import collections_of, operating_characteristics
from askance.study.people import Recorded, StoppingRule, invent_answers, read_answers
from askance.survey.publish import publish
from askance.survey.question_risk import RiskHeading, question_risk, write_risk
from askance.survey.specs import LineSpec, QuestionSpec, Survey
from askance_collect.cli.documents import echo_json, form_at
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError, nearest
from askance_collect.exact.ratio import read_ratio, spelt
from askance_collect.wire.form import Form

_NAME = "sensitive"

_GLOSS = """\
bias, rmse: how far off estimates are, on average and as a root mean square
half-width: half of an interval, on average"""
_DISTANCE = """
energy distance: how far an estimated distribution is from the true one
possible: the share of these people that a report fits, on average"""


def _read_laws(written: Sequence[str]) -> dict[str, Any]:
    """Read QUESTION:LAW, each a name with its numbers, or shares with commas between."""
    laws: dict[str, Any] = {}
    for expectation in written:
        name, colon, law = spelt(expectation).partition(":")
        if not colon:
            raise InputError("--expect", got=expectation, allowed="QUESTION:LAW")
        laws[name] = _named(law) if "=" in law else read_texts(law)
    return laws


def _named(written: str) -> dict[str, Any]:
    """Read ``name,key=value,…`` as a survey file has it in braces."""
    name, *rest = (part.strip() for part in written.split(","))
    pairs = (part.partition("=") for part in rest)
    return {"name": name} | {
        key.strip(): int(value) if value.strip().isdecimal() else value.strip()
        for key, _, value in pairs
    }


@final
class StudyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """People whose answers are known, and the survey that they answer.

    Attributes
    ----------
    survey : Path, optional
        A survey file, or a published form.
    line : str, optional
        Instead of a survey: one number, which is called `sensitive`, on `LOWER,UPPER,STEP`; with
        `,whole` at the end one that is counted.
    mechanism : mapping, optional
        With `--line`: how it is asked, such as `progressive:number=4,floor=1/5`, by the name and
        the keys of a [survey file](survey-file.md#mechanisms).
    answers : Path, optional
        Recorded answers: a CSV table with a column for each question.
    expect : mapping of str
        What to invent, else even: `age:normal,mean=31,sd=8` or `affair:0.3,0.7`; again for several
        questions.
    people : int
        How many are asked.
    times : int
        How often all of it is repeated.
    sensitivity : str
        The least share of the people that a range should hold is drawn for each person between
        these two.
    stops : str
        Whether a person stops before or after seeing the next cut.
    seed : int, optional
        The seed of the analyst's random numbers, to repeat a study exactly.
    """

    survey: Annotated[Path | None, Arg(flag="")] = None
    line: Exact | None = None
    mechanism: Annotated[
        Recipe | None,
        Arg(
            read=read_recipe,
            convert=convert_recipe,
            allowed='{"name": "cuts", "number": 1}, as in a survey file',
        ),
    ] = None
    answers: Path | None = None
    expect: Annotated[
        dict[str, Any],
        Arg(
            read=_read_laws,
            allowed='laws by their questions: {"age": {"name": "normal", "mean": 31, "sd": 8}}',
        ),
    ] = msgspec.field(default_factory=dict)
    people: Positive = 1_000
    times: Positive = 100
    level: Level = 0.95
    sensitivity: Exact = "0.1,0.6"
    stops: Literal["before", "after"] = "before"
    seed: int | None = None
    json: PrintJson = False


@takes_request()
def study(request: StudyRequest) -> None:
    """Rehearse SURVEY with people whose answers are known.

    Or, with --line, one number to come. Prints bias, error, how often intervals hold the truth and,
    for numbers, the energy distance from the estimated to the true distribution. Questions that are
    asked step by step are collected twice: once with a single cut for everybody, once as far as
    each person allows.
    """
    form = _form(request)
    recorded = _people(form, request)
    dice = random_stream(request.seed, "askance study")
    bounds = [
        float(read_ratio(part.strip(), "--sensitivity")) for part in request.sensitivity.split(",")
    ]
    if len(bounds) != 2:
        allowed = "2 numbers with a comma between"
        raise InputError("--sensitivity", got=request.sensitivity, allowed=allowed)
    low, high = bounds
    if not 0 <= low <= high <= 1:
        raise InputError("--sensitivity", got=f"{low},{high}", allowed="two shares in [0, 1]")
    ways = sum(len(collections_of(question)) for question in form.questions)
    with progress_bar("asked and estimated", ways * request.times) as move:
        studies = operating_characteristics(
            form,
            recorded,
            people=request.people,
            repetitions=request.times,
            level=request.level,
            sensitivities=dice.uniform(low, high, len(recorded.people)),
            stops=StoppingRule[request.stops.upper()],
            rng=dice,
            done=move,
        )
    risks = {question.name: question_risk(question) for question in form.questions}
    if request.json:
        told = ({"risk": risks[result.question].to_dict()} for result in studies)
        echo_json([result.to_dict() | risk for result, risk in zip(studies, told, strict=True)])
    else:
        written = (write_risk(risks[result.question], RiskHeading.STUDIED) for result in studies)
        parts = zip(map(repr, studies), written, strict=True)
        text = "\n\n".join("\n".join(filter(None, part)) for part in parts)
        click.echo(f"{text}\n\n{_GLOSS}{_DISTANCE if 'energy distance' in text else ''}")


def _form(request: StudyRequest) -> Form:
    """Read a survey, or make one of a single number."""
    line, mechanism = request.line, request.mechanism
    if request.survey is not None:
        if line or mechanism:
            raise InputError("--line", got="a survey too", allowed="a survey, or a line")
        return form_at(request.survey)
    if line is None or mechanism is None:
        raise InputError("study", got="no survey", allowed="a SURVEY, or --line with --mechanism")
    parts = [part.strip() for part in line.split(",")]
    is_whole = parts[-1] == "whole"
    bounds = parts[: len(parts) - is_whole]
    if len(bounds) not in (2, 3):
        allowed = "lower,upper or lower,upper,step, and of whole numbers lower,upper,whole"
        raise InputError("--line", got=line, allowed=allowed)
    low, high, step = (*bounds, "1")[:3]
    line_spec = LineSpec(low, high, step, whole=is_whole)
    question = QuestionSpec(name=_NAME, text=_NAME, line=line_spec, mechanism=mechanism)
    return publish(Survey("survey-1", "Study", "Invented people only.", [question]))


def _people(form: Form, request: StudyRequest) -> Recorded:
    if request.answers is not None:
        if request.expect:
            raise InputError("--expect", got="--answers too", allowed="one of the two")
        return read_answers(request.answers, form)
    return invent_answers(form, dict(_expected(form, request.expect)))


def _expected(form: Form, laws: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    names = [question.name for question in form.questions]
    for name, law in laws.items():
        if name not in names:
            allowed, remedy = "QUESTION:LAW", nearest(name, names)
            raise InputError("--expect", got=name, allowed=allowed, remedy=remedy)
        yield (
            name,
            read_law(law, "--expect")
            if isinstance(law, Mapping)
            else [float(read_ratio(share, "--expect")) for share in convert_texts(law)],
        )
