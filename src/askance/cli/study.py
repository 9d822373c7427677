"""How far off the estimates will be, before anybody is asked."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from askance.channels.cut_law import read_law
from askance.random_streams import random_stream
from askance.study.operating_characteristics import collections_of, operating_characteristics
from askance.study.people import Recorded, Stops, invent_answers, read_answers
from askance.survey.publish import publish
from askance.survey.specs import LineSpec, QuestionSpec, Survey
from askance_collect.cli.documents import FILE, echo_json, form_at
from askance_collect.errors import InputError, nearest
from askance_collect.exact.ratio import ratio, spelt
from askance_collect.wire.form import Form

_NAME = "sensitive"

_GLOSS = """\
bias, rmse: how far off estimates are, on average and as a root mean square
half-width: half of an interval, on average"""
_DISTANCE = """
energy distance: how far an estimated distribution is from the true one
possible: the share of these people whom a report fits, on average"""


@click.command()
@click.argument("survey", type=FILE, required=False, default=None)
@click.option("--line", help="Instead of a SURVEY: lower,upper,step[,whole].")
@click.option("--mechanism", help="… and how it is asked: progressive,number=4,floor=1/5.")
@click.option("--answers", type=FILE, help="Recorded answers (CSV).")
@click.option(
    "--expect",
    multiple=True,
    metavar="QUESTION:LAW",
    help="Invented answers: age:normal,mean=31,sd=8 or affair:0.3,0.7 (even).",
)
@click.option("--people", type=click.IntRange(1), default=1_000, show_default=True)
@click.option("--times", type=click.IntRange(1), default=100, show_default=True, help="Repeat.")
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option(
    "--sensitivity",
    default="0.1,0.6",
    show_default=True,
    metavar="LOW,HIGH",
    help="Least shares of the people that ranges should hold, one drawn for each person.",
)
@click.option(
    "--stops",
    type=click.Choice([stops.name.lower() for stops in Stops]),
    default="before",
    show_default=True,
    help="Whether a person stops before or after seeing the next cut.",
)
@click.option("--seed", type=int, help="Of the analyst's dice, to repeat a study exactly.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def study(survey: Path | None, as_json: bool, **options: Any) -> None:
    """Rehearse SURVEY with people whose answers are known.

    Or, with --line, one number to come. Prints bias, error, how often intervals hold the truth and,
    for numbers, the energy distance from the estimated to the true distribution. What is asked step
    by step is collected twice: once with a single cut for everybody, once as far as each person
    allows.
    """
    options = {name: spelt(value) for name, value in options.items()}
    form = _form(survey, options["line"], options["mechanism"])
    recorded = _people(form, options)
    dice = random_stream(options["seed"], "askance study")
    low, high = _numbers(options["sensitivity"], "--sensitivity", 2)
    if not 0 <= low <= high <= 1:
        raise InputError("--sensitivity", got=f"{low},{high}", allowed="two shares in [0, 1]")
    ways = sum(len(collections_of(question)) for question in form.questions)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("asked and estimated", total=ways * options["times"])
        studies = operating_characteristics(
            form,
            recorded,
            people=options["people"],
            repetitions=options["times"],
            level=options["level"],
            sensitivities=dice.uniform(low, high, len(recorded.people)),
            stops=Stops[options["stops"].upper()],
            rng=dice,
            done=lambda: progress.advance(bar),
        )
    if as_json:
        documents = [result.to_dict() for result in studies]
        echo_json(documents)
    else:
        text = "\n\n".join(map(repr, studies))
        click.echo(f"{text}\n\n{_GLOSS}{_DISTANCE if 'energy distance' in text else ''}")


def _form(survey: Path | None, line: str | None, mechanism: str | None) -> Form:
    """Read a survey, or make one of a single number."""
    if survey is not None:
        if line or mechanism:
            raise InputError("--line", got="a survey too", allowed="a survey, or a line")
        return form_at(survey)
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
    question = QuestionSpec(name=_NAME, text=_NAME, line=line_spec, mechanism=_named(mechanism))
    return publish(Survey("survey-1", "Study", "Invented people only.", [question]))


def _people(form: Form, options: dict[str, Any]) -> Recorded:
    if options["answers"] is not None:
        if options["expect"]:
            raise InputError("--expect", got="--answers too", allowed="one of the two")
        return read_answers(options["answers"], form)
    return invent_answers(form, dict(_expected(form, options["expect"])))


def _expected(form: Form, expectations: Iterable[str]) -> Iterable[tuple[str, Any]]:
    names = [question.name for question in form.questions]
    for expectation in expectations:
        name, colon, law = spelt(expectation).partition(":")
        if not colon or name not in names:
            raise InputError(
                "--expect", got=expectation, allowed="QUESTION:LAW", remedy=nearest(name, names)
            )
        yield name, read_law(_named(law), "--expect") if "=" in law else _numbers(law, "--expect")


def _named(written: str) -> dict[str, Any]:
    """Read ``name,key=value,…`` as a survey file has it in braces."""
    name, *rest = (part.strip() for part in written.split(","))
    pairs = (part.partition("=") for part in rest)
    return {"name": name} | {
        key.strip(): int(value) if value.strip().isdecimal() else value.strip()
        for key, _, value in pairs
    }


def _numbers(written: str, where: str, many: int | None = None) -> list[float]:
    numbers = [float(ratio(part.strip(), where)) for part in written.split(",")]
    if many is not None and len(numbers) != many:
        raise InputError(where, got=written, allowed=f"{many} numbers with a comma between")
    return numbers
