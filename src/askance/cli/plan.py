"""How to ask, and how many people: from flags, or for every question of a survey file."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, final

import click
import msgspec

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.range_channel import AbstractRangeChannel
from askance.cli.typed_request import Exact, PrintJson, convert_texts, read_texts, takes_request
from askance.design.direct_question import DirectComparison, compare_with_direct
from askance.design.plan import Plan, mechanism_lines
from askance.design.plan import plan as planned
from askance.design.sample_size import SampleSize, sample_size
from askance.mechanisms.randomised_response import TableMechanism
from askance.privacy.losses import advantage as gain
from askance.privacy.losses import local_loss
from askance.survey.deployable import deployable
from askance.survey.deployed import list_item_channels, list_protected_channels
from askance.survey.publish import questions_at
from askance.survey.question_risk import (
    AS_DECLARED,
    QuestionRisk,
    RiskHeading,
    declared_shares,
    question_risk,
    write_risk,
)
from askance.survey.random_ranges import describe_spread, read_shares
from askance.typing import Json
from askance_collect.cli.documents import echo_json, save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import DocumentError, InputError
from askance_collect.exact.ratio import Table, read_ratio
from askance_collect.wire.form_schema import NEVER, Label
from askance_collect.wire.question import Choice, Question, RangeQuestion, TableQuestion

_HALF_WIDTH = 0.05
_LARGEST_LOSS = 12
_AIM = ("half_width", "null_prevalence", "power", "level", "population", "response", "blank")

_GLOSS = """\
ε        a report is at most e^ε times as likely from one answer as from another
Walley   Walley's loss: the same, if vague reports are resolved in the worst way
guessed  how often, at most, a guess between two equally likely answers is right
reports  that carry a value; people: how many to ask for them
"""

_PlanResult = (
    Plan | SampleSize | InputError
)  # the last: why a question of a survey cannot be planned
_Risks = dict[RiskHeading, QuestionRisk]


def _read_answers(written: str) -> int | list[str]:
    """Read what is typed: how many answers there are, or their names."""
    return int(written) if written.isdecimal() else read_texts(written)


def _convert_answers(value: Any) -> list[str]:
    """Name answers by their numbers where only how many is said."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [f"answer {i + 1}" for i in range(min(value, 200))]
    if not isinstance(value, list | tuple):
        raise TypeError(value)
    return convert_texts(value)


@final
class PlanRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How to ask, and how many people to ask.

    Attributes
    ----------
    survey : Path, optional
        A survey file, or a published form.
    epsilon : str, optional
        The most that the local loss may be.
    ratio : str, optional
        Instead: the most that a report may multiply the odds between two answers, e^ε exactly.
    advantage : str, optional
        The most that a report may help to guess an answer, in (0, 1).
    prevalence : tuple of str, optional
        The share of the first of two answers, or a share for each: `0.2,0.3,0.5` (as the survey
        expects, or even).
    half_width : float, optional
        The half-width of the interval (0.05); for a number on a line, as a part of the line.
    quantile : float, optional
        For a number on a line: the quantile whose interval is meant, such as 0.5 for the median,
        instead of the mean's.
    null_prevalence : float, optional
        Instead of a half-width: a share to distinguish from the prevalence.
    power : float
        The chance to tell them apart.
    level : float
        The confidence level of the interval, or 1 − α of the test, which is two-sided.
    answers : tuple of str, optional
        Names with commas between, or how many (`yes,no`).
    population : int, optional
        The size of the population; without it, the population is infinite.
    response : str
        The share of the people asked who will answer.
    blank : str
        The chance that the device sends nothing.
    direct_bias : str, optional
        The share of all people who have the first answer and deny it when asked directly: shows
        whether a direct question would be closer to the truth.
    out : Path, optional
        Write the TOML to a new file.
    """

    survey: Annotated[Path | None, Arg(flag="")] = None
    epsilon: Exact | None = None
    ratio: Exact | None = None
    advantage: Exact | None = None
    prevalence: Annotated[
        tuple[str, ...] | None,
        Arg(read=read_texts, convert=convert_texts, allowed="a share, or a list of shares"),
    ] = None
    half_width: float | None = None
    quantile: float | None = None
    null_prevalence: float | None = None
    power: float = 0.8
    level: float = 0.95
    answers: Annotated[
        tuple[str, ...] | None,
        Arg(read=_read_answers, convert=_convert_answers, allowed='["yes", "no"], or how many'),
    ] = None
    population: int | None = None
    response: Exact = "1"
    blank: Exact = "0"
    direct_bias: Exact | None = None
    json: PrintJson = False
    out: Path | None = None

    @property
    def bounds(self) -> dict[str, Any]:
        """What is to be protected."""
        return {"epsilon": self.epsilon, "ratio": self.ratio, "advantage": self.advantage}

    def aim(self, blank: tuple[int, int] = NEVER) -> dict[str, Any]:
        """What is to be learnt, as `sample_size` takes it; a question has its own blanks."""
        aim = {name: getattr(self, name) for name in _AIM}
        if self.half_width is None and self.null_prevalence is None:
            aim["half_width"] = _HALF_WIDTH
        if blank[0]:
            aim["blank"] = f"{blank[0]}/{blank[1]}"
        return aim


@takes_request()
def plan(request: PlanRequest) -> None:
    """Recommend a mechanism and a number of people to ask.

    For every protected question of SURVEY, or for one to come. Give a bound on the privacy loss
    (--epsilon or --ratio, --advantage) and an aim (--half-width, or --null-prevalence with
    --power). For a SURVEY, a bound that is left out is that of the question as it stands.
    """
    survey, out = request.survey, request.out
    plans: dict[str, _PlanResult]
    if survey is None:
        alone = _plan_question(request)
        plans, toml = {"sensitive": alone}, alone.block(blank=request.blank)
        risks = {"sensitive": _judge_alone(alone, request)}
    else:
        questions = questions_at(survey)
        plans, toml = _plan_questions(questions, request)
        risks = {
            question.name: _judge_risks(question, plans[question.name])
            for question, _ in questions
            if question.name in plans
        }
    if out is not None:
        save(out, toml.rstrip() + "\n", new=True)
    compared = {name: _compare_direct(result, request) for name, result in plans.items()}
    if request.json:
        documents = {name: _json(result, risks[name]) for name, result in plans.items()}
        for name, comparison in compared.items():
            documents[name] |= {} if comparison is None else {"direct": comparison.to_dict()}
        echo_json(documents)
        return
    for name, result in plans.items():
        text = str(result) if isinstance(result, InputError) else repr(result)
        written_risks = filter(
            None, (write_risk(risk, heading) for heading, risk in risks[name].items())
        )
        direct = [] if compared[name] is None else [repr(compared[name])]
        click.echo("\n".join([f"{name}: {text}" if survey else text, *written_risks, *direct, ""]))
    if any(isinstance(result, Plan) for result in plans.values()):
        click.echo(_GLOSS)
    click.echo(f"{out} is written" if out else toml.rstrip())


def _compare_direct(result: _PlanResult, request: PlanRequest) -> DirectComparison | None:
    """Compare what is recommended with a direct question, where its bias is supposed."""
    if request.direct_bias is None or not isinstance(result, Plan):
        return None
    if request.prevalence is None:
        allowed = "beside --prevalence, the share of the first answer"
        raise InputError("--direct-bias", got="no prevalence", allowed=allowed)
    recommended = result.recommended
    assert recommended.size is not None
    return compare_with_direct(
        recommended.channel,
        people=recommended.size.reports,
        prevalence=request.prevalence[0],
        direct_bias=request.direct_bias,
    )


def _json(result: _PlanResult, risks: _Risks) -> Json:
    written = {"refused": str(result)} if isinstance(result, InputError) else result.to_dict()
    return written | {"risk": {head.name.lower(): risk.to_dict() for head, risk in risks.items()}}


def _judge_risks(question: Question, result: _PlanResult) -> _Risks:
    """Compute what reports reveal of the declared population: now, and as is recommended."""
    risks = {RiskHeading.NOW: question_risk(question)}
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(result, Plan) and result.recommended is not result.current:
        assert isinstance(judged, TableQuestion)
        asked = _ask_through(judged, result.recommended.channel)
        risks[RiskHeading.RECOMMENDED] = question_risk(asked)
    return risks


def _judge_alone(result: Plan, request: PlanRequest) -> _Risks:
    """Compute what reports to a planned question reveal, at the supposed shares if any are."""
    channel, about = result.recommended.channel, dict[str, Any]()
    names = channel.frame.answers
    if request.prevalence is not None:
        shares = [read_ratio(part, "prevalence") for part in request.prevalence]
        shares = [*shares, 1 - shares[0]] if len(shares) == 1 else shares
        if sum(shares) == 1:
            about["population"] = dict(zip(names, map(str, shares), strict=True))
    labels = tuple(Label(name, {}) for name in names)
    table, meanings = Table(1, ((1,),) * len(names)), (tuple(range(len(names))),)
    blank = TableQuestion("sensitive", {}, labels, labels[:1], meanings, table, NEVER, about)
    return {RiskHeading.RECOMMENDED: question_risk(_ask_through(blank, channel))}


def _ask_through(question: TableQuestion, channel: Channel) -> TableQuestion:
    """The question as it would be asked through another channel, and what it declares."""
    table = deployable(channel).table
    assert table is not None
    return replace(
        question,
        reports=tuple(Label(name, {}) for name in channel.reports),
        meanings=tuple(tuple(channel.frame.positions(meaning)) for meaning in channel.meanings),
        table=table,
        about={key: fact for key, fact in question.about.items() if key != "mechanism"},
    )


def _plan_question(request: PlanRequest) -> Plan:
    """Plan a question to come, by its answers."""
    aim = request.aim() | {"quantile": request.quantile}
    shares = _shares(request.prevalence)
    return planned(
        Frame(request.answers or ("yes", "no")), **request.bounds, prevalence=shares, **aim
    )


def _plan_questions(
    questions: Sequence[tuple[Question, object]], request: PlanRequest
) -> tuple[dict[str, _PlanResult], str]:
    """Plan every protected question, or say why one cannot be; give the lines to put in instead."""
    plans: dict[str, _PlanResult] = {}
    lines = []
    for question, channel in list_protected_channels(questions):
        name = question.name
        try:
            if isinstance(channel, AbstractRangeChannel):
                assert not isinstance(question, TableQuestion)
                plans[name] = _plan_line(question, channel, request)
                continue
            assert isinstance(question, TableQuestion)
            if question.checkbox_count:
                plans[name] = _plan_list(question, channel, request)
            else:
                answer_plan = _plan_answers(question, channel, request)
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


def _plan_answers(question: TableQuestion, channel: Channel, request: PlanRequest) -> Plan:
    bounds = request.bounds
    if not any(bounds.values()):
        loss, advantage = local_loss(channel), gain(channel)
        finite = loss.value != math.inf and loss.epsilon <= _LARGEST_LOSS
        if not finite and advantage.value == 1:
            raise InputError(
                "bounds",
                got="a question whose reports reveal two answers as it is asked now",
                allowed="what is to be protected: --epsilon or --advantage",
            )
        bounds = {"ratio": loss.value} if finite else {"advantage": advantage.value}
    shares = _shares(request.prevalence)
    fits = shares is not None and len(channel.frame) == (
        2 if isinstance(shares, float) else len(shares)
    )
    return planned(
        channel.frame,
        **bounds,
        prevalence=shares if fits else declared_shares(question),
        current=TableMechanism.of(channel),
        **request.aim(question.blank),
    )


def _plan_list(question: TableQuestion, channel: Channel, request: PlanRequest) -> SampleSize:
    """Size the sample for a list that is one report, by its least precise item."""
    shares, aim = _shares(request.prevalence), request.aim(question.blank)
    typed = 1 - shares if isinstance(shares, float) else None  # of who does not tick it
    sizes = [
        sample_size(item, prevalence=declared if typed is None else typed, **aim)
        for item, declared in list_item_channels(question, channel, declared_shares(question))
    ]
    if not sizes:
        raise InputError(
            "plan",
            got="a list whose reports tell no item by itself",
            allowed="a mechanism of the whole list that tells each item",
        )
    largest = max(sizes, key=lambda size: size.people)
    return replace(
        largest, assumed_population=f"for the share of each item, {largest.assumed_population}"
    )


def _plan_line(
    question: RangeQuestion, channel: AbstractRangeChannel, request: PlanRequest
) -> SampleSize:
    length = float(channel.line.upper - channel.line.lower)
    aim = request.aim(question.blank)
    part = aim.pop("half_width") or _HALF_WIDTH
    arguments = {name: aim[name] for name in ("level", "population", "response", "blank")}
    arguments["quantile"] = request.quantile
    declared = declared_shares(question)
    shares = read_shares(question) if declared is None else declared
    try:
        size = sample_size(channel, prevalence=shares, half_width=part * length, **arguments)
    except InputError as error:
        if error.where == "half_width":
            note = f"--half-width is a part of the line, here {part:g} of {length:,g}"
            error.remedy = "; ".join(filter(None, (error.remedy, note)))
        raise
    people = describe_spread(question) if declared is None else AS_DECLARED
    return replace(size, assumed_population=people)


def _shares(prevalence: Sequence[str] | None) -> float | list[float] | None:
    if prevalence is None:
        return None
    shares = [float(read_ratio(part, "prevalence")) for part in prevalence]
    return shares[0] if len(shares) == 1 else shares
