"""From a Survey to a Form: build the channels, round them, judge them, keep them by question."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import DONT_KNOW, Channel
from askance.channels.cut_variants import RingChannel
from askance.channels.frame import Frame
from askance.channels.range_channel import RangeChannel
from askance.errors import FormError, SurveyError
from askance.exact.level import loss_within
from askance.exact.line import Line
from askance.exact.ratio import LARGEST_TOTAL, chance
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.cuts import AbstractRangeMechanism, Selective
from askance.mechanisms.partitions import Blocks, Partitions, Runs
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.ledger import compose
from askance.privacy.losses import local_loss
from askance.survey.deployed import AbstractDeployed
from askance.survey.deployed_answers import deployable, plain_answers, protected_answers
from askance.survey.deployed_numbers import PlainNumber, protected_number
from askance.survey.random_ranges import law_of
from askance.survey.survey_file import (
    MOST_GROUPS,
    GroupSpec,
    Place,
    QuestionSpec,
    Survey,
    ending_of,
    load_survey,
    of_each,
    on_target,
    sections_of,
    skips_of,
    written_out,
)
from askance.survey.wording import (
    Wording,
    all_different,
    either,
    label_of,
    languages_of,
    named_by,
    silent_label,
    within,
    wording_of,
)
from askance.wire.form import Form, body_size, read_form, version_of
from askance.wire.question import (
    Choice,
    Coin,
    Number,
    Question,
    TableQuestion,
    read_question,
    said,
)


@final
@dataclass(frozen=True, slots=True)
class DeployedForm:
    """A form and its questions as deployed, in the form's order.

    >>> from askance.survey.publish import deploy
    >>> from askance.survey.survey_file import load_survey
    >>> asked = deploy(load_survey("examples/affairs.toml"))
    >>> [one.question.kind for one in asked.questions]
    ['choice', 'table', 'table', 'cuts']
    >>> asked.questions[1].guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    """

    form: Form
    questions: tuple[AbstractDeployed, ...]

    @classmethod
    def of(cls, form: Form) -> "DeployedForm":
        """Build every question of a form from its integers."""
        return cls(form, tuple(map(deployed, form.questions)))

    @property
    def language(self) -> str:
        """The first language of the form, in which everything is said."""
        return self.form.languages[0]

    @property
    def rounding_notes(self) -> tuple[str, ...]:
        """What is to be said of chances that were rounded when they were deployed."""
        return tuple(filter(None, (one.rounding_note for one in self.questions)))


@checked
def deployed(
    question: Question,
    channel: Channel | RangeChannel | RingChannel | None = None,
    recipe: Channel | None = None,
) -> AbstractDeployed:
    """Build the channel and the guarantees of a published question from the integers of its form.

    Parameters
    ----------
    question : Question
        One of ``form.questions``.
    channel : Channel, RangeChannel or RingChannel, optional
        What was just written into the form, so that it need not be built again.
    recipe : Channel, optional
        The channel before it was rounded to the form's table.

    Returns
    -------
    AbstractDeployed
        With ``channel`` (None where a number is asked plainly), ``guarantees``, ``spread`` (how
        common answers are taken to be) and ``preview()`` of what a report will look like.

    Raises
    ------
    InputError
        If it is not a question of a form.

    >>> from askance.survey import deployed, load_survey
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> asked = deployed(form.question("affair"))
    >>> asked.channel.table.rows
    ((6, 1, 3), (1, 6, 3))
    >>> asked.guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    >>> from askance.wire.question import Label
    >>> plain = deployed(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> plain.way.value, plain.guarantees
    ('as it is given', ())
    """
    match question:
        case Choice(coin=Coin(text=text)) if isinstance(judged := question.judged, TableQuestion):
            return protected_answers(judged, channel, recipe, coin=said(text))
        case Choice():
            return plain_answers(question)
        case Number():
            return PlainNumber(question)
        case TableQuestion():
            return protected_answers(question, channel, recipe)
        case _:
            return protected_number(question, channel)


def traits_of(form: Form) -> dict[str, tuple[str, ...]]:
    """Name the questions that a form declares to be about one trait.

    Raises
    ------
    FormError
        If a trait has no name, no questions, or questions that the form does not ask.
    """
    asked = {question.name for question in form.questions}
    traits = form.document["about"].get("traits", [])
    try:
        found = {trait["name"]: tuple(trait["questions"]) for trait in traits}
        known = all(names and asked.issuperset(names) for names in found.values())
    except (LookupError, TypeError):
        known = False
    if not known or not all(isinstance(name, str) for name in found):
        raise FormError("about.traits", allowed="names, each with questions of the form")
    return found


def together(judged: Sequence[Sequence[Guarantee]]) -> tuple[Guarantee, ...]:
    """Compose the guarantees of several questions, notion by notion.

    A question without a notion breaks it: next to a range, which rules answers out, no local loss
    of the group is finite.
    """
    found = [{one.notion: one for one in guarantees} for guarantees in judged]
    notions = [Notion.LOCAL, Notion.SHAFER, Notion.WALLEY, Notion.COVERAGE]
    return tuple(
        compose([guarantees[notion] for guarantees in found])
        for notion in notions
        if all(notion in guarantees for guarantees in found)
    )


MOST_QUESTIONS = 200
MOST_ANSWERS = 200
_MOST_TICKS = 1_000
_LEVELS = "epsilon", "ratio"
_ASKED = re.compile(r"questions\[(\d+)\]")
_PRIVATE = re.compile(r"https://|http://(127\.0\.0\.1|localhost)([:/]|$)")
_NAMED_BY_BLOCKS = Blocks | Runs | Partitions

Read = TypeVar("Read")
Document = dict[str, Any]
Written = tuple[Document, Channel | RangeChannel | RingChannel | None, Channel | None]
"""A question of the form, the channel that was written into it, and the one before rounding."""


@checked
def publish(survey: Survey) -> Form:
    """Turn a survey into the form that is deployed.

    Raises
    ------
    SurveyError
        With the path in the survey file of the first thing that cannot be deployed as written.

    >>> from askance.survey.survey_file import parse_survey
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Example"
    ... consent = "Taking part is voluntary."
    ... [[question]]
    ... name = "affair"
    ... text = "Have you ever had an affair?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
    ... '''))
    >>> form.questions[0].table.rows
    ((6, 1, 3), (1, 6, 3))
    """
    return deploy(survey).form


def deploy(survey: Survey) -> DeployedForm:
    """Turn a survey into its form and the questions as deployed, each built and judged once."""
    languages = languages_of(survey.languages)
    survey, places = written_out(survey)
    raw, read, built = _built(survey.question, places, languages)
    judged = {one.question.name: one.guarantees for one in built}
    _keep_promises(survey, judged, places)
    added = {
        "sections": sections_of(survey.question, places, languages) or None,
        "skips": skips_of(survey.question, places) or None,
        "ending": ending_of(survey, languages),
    }
    told = {key: value for key, value in added.items() if value is not None}
    document = {
        "askance": version_of(read, newer=bool(told)),
        "title": wording_of(survey.title, languages, "title"),
        "consent": wording_of(survey.consent, languages, "consent"),
        "contact": wording_of(survey.contact, languages, "contact", empty=True),
        "languages": list(languages),
        "collector": _collector(survey.collector),
        "questions": raw,
        "size": body_size(read),
        "about": {"minimum": _minimum(survey.minimum), "traits": _traits(survey, judged)},
    } | told
    form = _as_deployed(lambda: Form.read(document), places)
    return DeployedForm(form, tuple(built))


def deployed_at(path: Path) -> DeployedForm:
    """Read a form or publish a survey file, and build its questions, each once.

    >>> [len(one.guarantees) for one in deployed_at(Path("examples/affairs.toml")).questions]
    [0, 4, 4, 3]
    """
    if path.suffix == ".json":
        return DeployedForm.of(read_form(path))
    return deploy(load_survey(path))


def _built(
    specs: Sequence[QuestionSpec], places: Sequence[Place], languages: Sequence[str]
) -> tuple[list[Document], tuple[Question, ...], list[AbstractDeployed]]:
    """Write every question, read it as a device will, build it, and record what it guarantees."""
    if not 1 <= len(specs) <= MOST_QUESTIONS:
        raise SurveyError("question", got=len(specs), allowed=f"1 to {MOST_QUESTIONS} questions")
    written = [_written(*one, languages) for one in zip(specs, places, strict=True)]
    raw = [document for document, *_ in written]
    _refuse_shared_coins(raw, places)
    read = _as_deployed(
        lambda: tuple(
            read_question({"about": {}} | one, languages, f"questions[{at}]")
            for at, one in enumerate(raw)
        ),
        places,
    )
    built = [
        deployed(question, channel, exact)
        for question, (_, channel, exact) in zip(read, written, strict=True)
    ]
    for document, one in zip(raw, built, strict=True):
        about = document.get("coin", document).get("about", {})
        if about:
            about["guarantees"] = _recorded(one.guarantees)
        if expected := one.preview():
            about["expected"] = expected.to_dict()
    return raw, read, built


def _as_deployed(read: Callable[[], Read], places: Sequence[Place]) -> Read:
    """Read what was written, so that a refusal names its place in the survey file."""
    try:
        return read()
    except FormError as error:
        where = _ASKED.sub(lambda found: places[int(found[1])][0], error.where)
        raise SurveyError(where, got=error.got, allowed=error.allowed) from error


def _recorded(guarantees: Sequence[Guarantee]) -> dict[str, dict[str, str]]:
    return {guarantee.notion.name.lower(): _figures(guarantee) for guarantee in guarantees}


def _figures(guarantee: Guarantee) -> dict[str, str]:
    figures = {"value": guarantee.printed(6), "attained": guarantee.attained}
    if guarantee.notion.is_loss:
        loss = guarantee.epsilon
        figures["epsilon"] = f"{loss:.6f}" if math.isfinite(loss) else "∞"
    if guarantee.spread:
        figures["spread"] = guarantee.spread
    return figures


def _keep_promises(
    survey: Survey, judged: Mapping[str, Sequence[Guarantee]], places: Sequence[Place]
) -> None:
    """Refuse a form whose integers guarantee less than the survey file asks for."""
    for spec, (where, _) in zip(survey.question, places, strict=True):
        asked = {name: value for name, value in (spec.mechanism or {}).items() if name in _LEVELS}
        loss = next((one for one in judged[spec.name] if one.notion is Notion.LOCAL), None)
        if asked and loss is not None and not loss_within(loss.value, **asked):
            raise SurveyError(
                f"{where}.mechanism.{next(iter(asked))}",
                got=", ".join(map(str, asked.values())),
                allowed=f"at least ε = {loss.epsilon}, which is what whole numbers can keep",
            )


def _traits(survey: Survey, judged: Mapping[str, Sequence[Guarantee]]) -> list[dict[str, Any]]:
    """Compose the guarantees of questions that are declared to be about one trait."""
    groups: dict[str, list[str]] = {}
    for spec in survey.question:
        if not spec.plain:
            groups.setdefault(spec.trait or spec.name, []).append(spec.name)
    return [
        {
            "name": trait,
            "questions": names,
            "guarantees": _recorded(together([judged[name] for name in names])),
        }
        for trait, names in groups.items()
        if len(names) > 1
    ]


def _collector(url: str) -> str:
    """The collector's folder, with the slash that a folder ends in."""
    if url and not _PRIVATE.match(url):
        raise SurveyError(
            "collector", got=url, allowed="an https:// address, or nothing for the page's own"
        )
    return f"{url.rstrip('/')}/" if url else ""


def _minimum(count: int) -> int:
    if not 1 <= count <= 1_000_000:
        raise SurveyError("minimum", got=count, allowed="a number of reports in [1, 1000000]")
    return count


def _written(spec: QuestionSpec, place: Place, languages: Sequence[str]) -> Written:
    """Write one question of the form, and keep the channel that was written.

    Raises
    ------
    SurveyError
        With the path in the survey file.
    """
    where, _ = place
    if (spec.answers is None) == (spec.line is None):
        got = "neither" if spec.answers is None else "both"
        raise SurveyError(where, got=got, allowed="either answers = […] or line = { … }")
    if spec.plain:
        for key in ("trait", "blank", "typed"):
            if getattr(spec, key):
                remedy = 'add mechanism = { name = "…" } or leave it out'
                raise SurveyError(f"{where}.{key}", got="a plain question", remedy=remedy)
    for key in ("coin", "replies") if spec.mechanism is None or spec.answers is None else ():
        if getattr(spec, key) is not None:
            allowed = "beside answers and a mechanism, which says its chances"
            raise SurveyError(f"{where}.{key}", got=key, allowed=allowed)
    if spec.group is not None and (spec.mechanism is not None or spec.line is not None):
        got = "a line" if spec.mechanism is None else "a mechanism of the question too"
        raise SurveyError(f"{where}.group", got=got, allowed="answers, asked by each group's own")
    text = wording_of(spec.text, languages, f"{where}.text")
    write = _with_answers if spec.answers is not None else _on_a_line
    document, channel, exact = write(spec, languages, place)
    return {"name": spec.name, "text": text, **document}, channel, exact


def _with_answers(spec: QuestionSpec, languages: Sequence[str], place: Place) -> Written:
    given, (where, _) = spec.answers or [], place
    if not 2 <= len(given) <= MOST_ANSWERS:
        raise SurveyError(
            f"{where}.answers", got=f"{len(given)} answers", allowed=f"2 to {MOST_ANSWERS} answers"
        )
    labels = [label_of(one, languages, f"{where}.answers[{at}]") for at, one in enumerate(given)]
    all_different([label["name"] for label in labels], f"{where}.answers")
    if spec.plain:
        return {"kind": "choice", "answers": labels}, None, None
    if spec.group is not None:
        return _in_groups(spec, spec.group, labels, place)
    told, reports, channel, exact = _asked_by(spec.mechanism or {}, labels, where)
    _refuse_uninformative(channel, f"{where}.mechanism")
    if spec.coin is not None:
        return _by_coin(spec, spec.coin, (labels, reports, told), channel, where), channel, exact
    if spec.replies is not None:
        remedy = "say whose coin draws, or leave replies out: the mechanism names its reports"
        raise SurveyError(f"{where}.replies", got="no coin", allowed="beside coin", remedy=remedy)
    document = {
        "kind": "table",
        "answers": labels,
        "reports": reports,
        "table": _table_of(channel),
        **_protected(spec, told, where, spec.blank),
    }
    return document, channel, exact


Asked = tuple[dict[str, str], list[Document], Channel, Channel]
"""A recipe as it is told, its reports, the channel that is written, and the one before rounding."""


def _asked_by(mechanism: Mapping[str, Any], labels: Sequence[Document], where: str) -> Asked:
    """Build the channel of a recipe over some answers, and word its reports."""
    place, (name, parameters) = f"{where}.mechanism", _recipe(mechanism, where)
    frame = Frame([label["name"] for label in labels])
    recipe = within(place, lambda: answer_mechanism(name, parameters, frame))
    exact = within(place, lambda: recipe.channel(frame))
    channel = within(place, lambda: deployable(exact))
    wordings = {label["name"]: label["label"] for label in labels}
    languages = tuple(labels[0]["label"])
    wordings.setdefault(DONT_KNOW, silent_label(languages))
    for report, meaning in zip(channel.reports, channel.meanings, strict=True):
        meant = [wordings[name] for name in channel.output.names(meaning)]
        told = either(meant) if isinstance(recipe, _NAMED_BY_BLOCKS) else None
        wordings.setdefault(report, told or named_by(name, report, languages))
    reports = [
        {"name": report, "label": wordings[report], "means": list(frame.places(meaning))}
        for report, meaning in zip(channel.reports, channel.meanings, strict=True)
    ]
    return {"name": name, **recipe.parameters()}, reports, channel, exact


def _by_coin(
    spec: QuestionSpec,
    coin: Wording,
    written: tuple[list[Document], list[Document], dict[str, str]],
    channel: Channel,
    where: str,
) -> Document:
    """Write a question whose replies are sent as they are, since a coin in the world decides."""
    labels, reports, told = written
    languages = tuple(labels[0]["label"])
    if spec.blank:
        remedy = "the page draws nothing: leave blank out"
        raise SurveyError(f"{where}.blank", got=spec.blank, allowed="0", remedy=remedy)
    given = [
        label_of(one, languages, f"{where}.replies[{at}]")
        for at, one in enumerate(spec.replies or [])
    ]
    names = [report["name"] for report in reports]
    if given and [one["name"] for one in given] != names:
        got = ", ".join(one["name"] for one in given)
        raise SurveyError(f"{where}.replies", got=got, allowed=f"{', '.join(names)}, in this order")
    about = _protected(spec, told, where, 0)["about"]
    return {
        "kind": "choice",
        "answers": given or [{key: one[key] for key in ("name", "label")} for one in reports],
        "coin": {
            "text": wording_of(coin, languages, f"{where}.coin"),
            "answers": labels,
            "means": [report["means"] for report in reports],
            "table": _table_of(channel),
            "about": about,
        },
    }


def _refuse_shared_coins(questions: Sequence[Document], places: Sequence[Place]) -> None:
    """Refuse a coin that two questions name: together their replies tell what each of them hides.

    Whether both are turned round or neither is, answers that are alike make replies that are alike.
    """
    seen: set[str] = set()
    for question, (where, _) in zip(questions, places, strict=True):
        texts = question["coin"]["text"].values() if "coin" in question else ()
        coins = {" ".join(text.split()).casefold() for text in texts}
        if again := sorted(coins & seen):
            raise SurveyError(
                f"{where}.coin",
                got=f"{again[0]!r} again",
                allowed="a coin for each question",
                remedy="two replies by one tell together what each hides; name somebody else's",
            )
        seen |= coins


def _table_of(channel: Channel) -> Document:
    assert channel.table is not None
    return {"total": channel.table.total, "rows": [list(row) for row in channel.table.rows]}


def _in_groups(
    spec: QuestionSpec, groups: Sequence[GroupSpec], labels: list[Document], place: Place
) -> Written:
    """Write a question that chance asks some people through one channel, some through another.

    The tables stand side by side, each as wide as the share of people in its group.
    """
    where, grouped = place
    if not 2 <= len(groups) <= MOST_GROUPS:
        allowed = f"2 to {MOST_GROUPS} groups"
        raise SurveyError(grouped, got=f"{len(groups)} groups", allowed=allowed)
    places = [f"{grouped}[{at}]" for at in range(len(groups))]
    called = [_called(*one, labels) for one in zip(groups, places, strict=True)]
    all_different([named["name"] for named in called], grouped)
    shares = _shares(groups, places, grouped)
    told, heads, reports, channels = {}, [], [], []
    for group, named, own_place in zip(groups, called, places, strict=True):
        make = partial(_asked_at_level, group.mechanism, labels, own_place)
        told[named["name"]], own, channel, _ = of_each(make)
        heads.append({**named, "reports": len(own)})
        reports += [_of_group(report, named) for report in own]
        channels.append(channel)
    names = [report["name"] for report in reports]
    all_different(names, f"{grouped}.reports")
    stacked = _stacked(channels, shares, names)
    _refuse_uninformative(stacked, grouped)
    document = {
        "kind": "table",
        "answers": labels,
        "groups": heads,
        "reports": reports,
        "table": _table_of(stacked),
        **_protected(spec, told, where, spec.blank),
    }
    if document["table"]["total"] > LARGEST_TOTAL:
        raise SurveyError(
            grouped,
            got=f"chances in some 2^{document['table']['total'].bit_length() - 1} whole parts",
            allowed="chances and shares that one draw holds, in 2^48 whole parts",
            remedy="write them with fewer digits, over one common denominator",
        )
    return document, stacked, None


def _called(group: GroupSpec, place: str, labels: Sequence[Document]) -> Document:
    """Read how a group is called: its name, which stands in the data, and its wording."""
    name = wording_of(group.name, ["name"], place)["name"]
    label = wording_of(group.label or name, tuple(labels[0]["label"]), f"{place}.label")
    return {"name": name, "label": label}


def _shares(groups: Sequence[GroupSpec], places: Sequence[str], where: str) -> list[Fraction]:
    """Read the share of people in each group."""
    given = zip(groups, places, strict=True)
    shares = [within(place, partial(chance, group.share, "share")) for group, place in given]
    if sum(shares) != 1 or not all(shares):
        got = " + ".join(map(str, shares))
        raise SurveyError(f"{where}.share", got=got, allowed="shares above 0 that sum to one")
    return shares


def _of_group(report: Document, group: Document) -> Document:
    """Name a report with the group that it comes from, since it says so."""
    label = {tag: f"{group['label'][tag]}: {said}" for tag, said in report["label"].items()}
    return {**report, "name": f"{group['name']}: {report['name']}", "label": label}


def _stacked(
    channels: Sequence[Channel], shares: Sequence[Fraction], names: Sequence[str]
) -> Channel:
    """Put channels side by side: what is sent says the group too."""
    frame = channels[0].frame
    meant = [frame.names(one) for channel in channels for one in channel.meanings]
    rows = [
        [
            share * entry
            for channel, share in zip(channels, shares, strict=True)
            if channel.table is not None
            for entry in channel.table.row(at)
        ]
        for at in range(len(frame))
    ]
    return Channel(frame, dict(zip(names, meant, strict=True)), rows)


def _asked_at_level(mechanism: Mapping[str, Any], labels: list[Document], place: str) -> Asked:
    """Build how a group is asked, refusing integers that guarantee less than was asked for."""
    built = _asked_by(mechanism, labels, place)
    _, _, channel, _ = built
    asked = {name: value for name, value in mechanism.items() if name in _LEVELS}
    if asked and not loss_within((loss := local_loss(channel)).value, **asked):
        raise SurveyError(
            f"{place}.mechanism.{next(iter(asked))}",
            got=", ".join(map(str, asked.values())),
            allowed=f"at least ε = {loss.epsilon}, which is what whole numbers can keep",
        )
    return built


def _on_a_line(spec: QuestionSpec, languages: Sequence[str], place: Place) -> Written:
    assert spec.line is not None
    given, (where, _) = spec.line, place
    unit = wording_of(given.unit, languages, f"{where}.line.unit", empty=True)
    line = within(
        f"{where}.line",
        lambda: Line(given.lower, given.upper, given.step, unit[languages[0]], whole=given.whole),
    )
    if line.ticks > _MOST_TICKS:
        raise SurveyError(
            f"{where}.line",
            got=f"{line.ticks} steps",
            allowed=f"at most {_MOST_TICKS} steps",
            remedy="choose a wider step",
        )
    written = _line_written(line, unit)
    if spec.mechanism is None:
        if line.whole and line.step > 1:
            raise SurveyError(
                f"{where}.line.step",
                got=str(line.step),
                allowed="1, where whole numbers are asked for as they are",
                remedy="leave step out, or whole",
            )
        return {"kind": "number", "line": written}, None, None
    at, (name, parameters) = f"{where}.mechanism", _recipe(spec.mechanism, where)
    recipe, told = within(at, lambda: on_target(name, parameters, line))
    channel = within(at, lambda: recipe.channel(line))
    document = {
        "line": written,
        **law_of(channel),
        "ask": "narrow" if recipe.narrow else "cells",
        "typed": spec.typed,
        **_protected(spec, {"name": name, **told}, where, _held_back(spec, recipe, where)),
    }
    return document, channel, None


def _line_written(line: Line, unit: dict[str, str]) -> Document:
    """Write a line; that it has whole numbers alone is a key only where it is so."""
    written = {"lower": str(line.at(0)), "step": str(line.step), "ticks": line.ticks, "unit": unit}
    return written | ({"whole": True} if line.whole else {})


def _held_back(spec: QuestionSpec, recipe: AbstractRangeMechanism, where: str) -> object:
    """The chance that nothing is sent, which a selective mechanism brings with it."""
    if not isinstance(recipe, Selective):
        return spec.blank
    if spec.blank:
        raise SurveyError(
            f"{where}.blank",
            got=str(spec.blank),
            allowed="nothing beside a selective mechanism",
            remedy="what sent leaves to 1 is the chance that nothing is sent",
        )
    return 1 - recipe.sent


def _recipe(mechanism: Mapping[str, Any], where: str) -> tuple[str, dict[str, Any]]:
    parameters = dict(mechanism)
    name = parameters.pop("name", None)
    if not isinstance(name, str):
        raise SurveyError(
            f"{where}.mechanism.name", got=name, allowed='the name of a mechanism, such as "warner"'
        )
    return name, parameters


def _refuse_uninformative(channel: Channel, place: str) -> None:
    rank = int(np.linalg.matrix_rank(channel.matrix))
    if rank < len(channel.frame):
        raise SurveyError(
            place,
            got=f"a channel that tells only {rank} of {len(channel.frame)} answers apart",
            allowed="chances from which every share can be learnt",
            remedy="make the truth likelier than any other single answer",
        )


def _protected(
    spec: QuestionSpec, mechanism: Mapping[str, Any], where: str, blank: object
) -> Document:
    silent = within(where, lambda: chance(blank, "blank"))
    if silent == 1 or silent.denominator > LARGEST_TOTAL:
        raise SurveyError(f"{where}.blank", got=str(silent), allowed="a probability in [0, 1)")
    about = {"mechanism": dict(mechanism), "trait": spec.trait or spec.name}
    return {"blank": [silent.numerator, silent.denominator], "about": about}
