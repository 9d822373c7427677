"""How to ask, and how many people: from flags, or for every question of a survey file."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from askance.channels.frame import Frame
from askance.design.plan import Plan, mechanism_lines
from askance.design.plan import plan as planned
from askance.design.sample_size import SampleSize, sample_size
from askance.mechanisms.randomised_response import Written
from askance.privacy.losses import advantage as gain
from askance.privacy.losses import local_loss
from askance.survey.deployed import DeployedForm, ProtectedAnswers, ProtectedNumber
from askance.survey.publish import deployed_at
from askance.typing import Json
from askance_collect.cli.documents import FILE, echo_json, save
from askance_collect.errors import DocumentError, InputError
from askance_collect.exact.ratio import ratio, spelt
from askance_collect.wire.label import NEVER

_HALF_WIDTH = 0.05
_LARGEST_LOSS = 12
_BOUNDS = ("epsilon", "ratio", "advantage")

_GLOSS = """\
ε        a report is at most e^ε times as likely from one answer as from another
Walley   Walley's loss: the same, if vague reports were resolved at their worst
guessed  how often, at most, a report tells two equally likely answers apart
reports  that carry a value; people: how many to ask for them
"""

_PlanResult = (
    Plan | SampleSize | InputError
)  # the last: why a question of a survey cannot be planned


@click.command()
@click.argument("survey", type=FILE, required=False, default=None)
@click.option("--epsilon", help="The most that the local loss may be.")
@click.option("--ratio", help="Instead of --epsilon: e to it, exactly.")
@click.option("--advantage", help="The most that a report may help to guess an answer, in (0, 1).")
@click.option("--prevalence", help="Share of the first answer, or shares of all: 0.2,0.3,0.5.")
@click.option("--half-width", type=float, help="Of the interval (0.05); of a line, as its part.")
@click.option("--quantile", type=float, help="Of a number on a line, in the mean's place: 0.5.")
@click.option("--against", type=float, help="Instead: a share to be told from the prevalence.")
@click.option("--power", type=float, default=0.8, show_default=True, help="To tell them apart.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Of interval or test.")
@click.option("--answers", default="yes,no", show_default=True, help="Names, or how many.")
@click.option("--population", type=int, help="How many people there are.")
@click.option("--response", default="1", show_default=True, help="Part of them who will answer.")
@click.option("--blank", default="0", show_default=True, help="Chance that nothing is sent.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--out", type=FILE, help="Write the TOML.")
def plan(survey: Path | None, as_json: bool, out: Path | None, **options: Any) -> None:
    """Recommend a mechanism and a number of people to ask.

    For every protected question of SURVEY, or for one to come. Name what is to be protected
    (--epsilon or --ratio, --advantage) and what is to be learnt (--half-width, or --against with
    --power). For a SURVEY, a bound that is left out is the one that the question keeps as it is.
    """
    options = {name: spelt(value) for name, value in options.items()}
    plans: dict[str, _PlanResult]
    if survey is None:
        alone = _plan_flags(options)
        plans, toml = {"sensitive": alone}, alone.block(blank=options["blank"])
    else:
        plans, toml = _plan_form(deployed_at(survey), options)
    if out is not None:
        save(out, toml.rstrip() + "\n", new=True)
    if as_json:
        echo_json({name: _json(result) for name, result in plans.items()})
        return
    for name, result in plans.items():
        text = str(result) if isinstance(result, InputError) else repr(result)
        click.echo(f"{name}: {text}\n" if survey else f"{text}\n")
    if any(isinstance(result, Plan) for result in plans.values()):
        click.echo(_GLOSS)
    click.echo(f"{out} is written" if out else toml.rstrip())


def _json(result: _PlanResult) -> Json:
    return {"refused": str(result)} if isinstance(result, InputError) else result.to_dict()


def _plan_flags(options: dict[str, Any]) -> Plan:
    frame = _frame(options["answers"])
    bounds = {name: options[name] for name in _BOUNDS}
    aim = _aim(options) | {"quantile": options["quantile"]}
    return planned(frame, **bounds, prevalence=_shares(options["prevalence"]), **aim)


def _plan_form(form: DeployedForm, options: dict[str, Any]) -> tuple[dict[str, _PlanResult], str]:
    """Plan every protected question, or say why one cannot be; give the lines to put in instead."""
    plans: dict[str, _PlanResult] = {}
    lines = []
    for question in form.questions:
        name = question.question.name
        try:
            if isinstance(question, ProtectedNumber):
                plans[name] = _plan_line(question, options)
            elif isinstance(question, ProtectedAnswers) and question.question.ticks:
                plans[name] = _plan_list(question, options)
            elif isinstance(question, ProtectedAnswers):
                answer_plan = _plan_answers(question, options)
                plans[name] = answer_plan
                lines.append(f"# {name}{_lines(answer_plan)}")
        except InputError as error:
            plans[name] = error
    if not plans:
        raise DocumentError(
            "question",
            got="questions that are asked plainly",
            allowed="one or more questions with a mechanism",
        )
    refused = [(name, result) for name, result in plans.items() if isinstance(result, InputError)]
    if len(refused) == len(plans):
        name, first = refused[0]
        first.where = f"{name}: {first.where}"
        raise first
    return plans, "\n".join(lines)


def _lines(answer_plan: Plan) -> str:
    if answer_plan.recommended is answer_plan.current:
        return ": leave it as it is"
    return f"\n{mechanism_lines(answer_plan.recommended.mechanism)}"


def _plan_answers(question: ProtectedAnswers, options: dict[str, Any]) -> Plan:
    channel = question.channel
    bounds = {name: options[name] for name in _BOUNDS}
    if not any(bounds.values()):
        loss, advantage = local_loss(channel), gain(channel)
        finite = loss.value != math.inf and loss.epsilon <= _LARGEST_LOSS
        if not finite and advantage.value == 1:
            raise InputError(
                "bounds",
                got="a question that gives two answers away as it is asked now",
                allowed="what is to be protected: --epsilon or --advantage",
            )
        bounds = {"ratio": loss.value} if finite else {"advantage": advantage.value}
    shares = _shares(options["prevalence"])
    fits = shares is not None and len(channel.frame) == (
        2 if isinstance(shares, float) else len(shares)
    )
    return planned(
        channel.frame,
        **bounds,
        prevalence=shares if fits else None,
        current=Written.of(channel),
        **_aim(options, question.question.blank),
    )


def _plan_list(question: ProtectedAnswers, options: dict[str, Any]) -> SampleSize:
    """Size the sample for a list that is one report, by its least precise item."""
    shares = _shares(options["prevalence"])
    prevalence = 1 - shares if isinstance(shares, float) else None  # of who does not tick it
    sizes = [
        sample_size(channel, prevalence=prevalence, **_aim(options, question.question.blank))
        for channel in question.item_channels
    ]
    if not sizes:
        raise InputError(
            "plan",
            got="a list whose reports tell no item by itself",
            allowed="a mechanism of the whole list that tells each item",
        )
    largest = max(sizes, key=lambda size: size.people)
    return replace(largest, spread=f"for the share of each item, {largest.spread}")


def _plan_line(question: ProtectedNumber, options: dict[str, Any]) -> SampleSize:
    channel = question.channel
    length = float(channel.line.upper - channel.line.lower)
    aim = _aim(options, question.question.blank)
    part = aim.pop("half_width") or _HALF_WIDTH
    arguments = {name: aim[name] for name in ("level", "population", "response", "blank")}
    arguments["quantile"] = options["quantile"]
    try:
        size = sample_size(
            channel, prevalence=question.shares, half_width=part * length, **arguments
        )
    except InputError as error:
        if error.where == "half_width":
            note = f"--half-width is a part of the line, here {part:g} of {length:,g}"
            error.remedy = "; ".join(filter(None, (error.remedy, note)))
        raise
    return replace(size, spread=question.spread)


def _aim(options: dict[str, Any], blank: tuple[int, int] = NEVER) -> dict[str, Any]:
    names = ("half_width", "against", "power", "level", "population", "response", "blank")
    aim = {name: options[name] for name in names}
    if aim["half_width"] is None and aim["against"] is None:
        aim["half_width"] = _HALF_WIDTH
    if blank[0]:
        aim["blank"] = f"{blank[0]}/{blank[1]}"
    return aim


def _frame(answers: str) -> Frame:
    if answers.isdecimal():
        return Frame(f"answer {i + 1}" for i in range(min(int(answers), 200)))
    return Frame(name.strip() for name in answers.split(","))


def _shares(prevalence: str | None) -> float | list[float] | None:
    if prevalence is None:
        return None
    shares = [float(ratio(part.strip(), "prevalence")) for part in prevalence.split(",")]
    return shares[0] if len(shares) == 1 else shares
