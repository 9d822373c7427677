"""From a question as it is written to a question as it is deployed, with its texts."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.range_channel import RangeChannel
from askance.channels.ring_channel import RingChannel
from askance.errors import AskanceError, SurveyError, nearest
from askance.exact.line import Line
from askance.exact.ratio import chance
from askance.exact.table import LARGEST_TOTAL
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.cuts import Selective
from askance.mechanisms.partitions import Blocks, Partitions, Runs
from askance.mechanisms.randomised_response import DONT_KNOW
from askance.mechanisms.recipe import AbstractRangeMechanism
from askance.survey.deployed import deployable
from askance.survey.survey_file import QuestionSpec, Wording, on_target
from askance.wire.question import is_language

MOST_ANSWERS = 200
_MOST_TICKS = 1_000

_NOT_KEYS = {"channel", "parameters"}
_NAMED_BY_BLOCKS = Blocks | Runs | Partitions

Made = TypeVar("Made")
Document = dict[str, Any]


def deploy(spec: QuestionSpec, languages: Sequence[str], where: str) -> Document:
    """Write one question of the form.

    Raises
    ------
    SurveyError
        With the path in the survey file.
    """
    if (spec.answers is None) == (spec.line is None):
        got = "neither" if spec.answers is None else "both"
        raise SurveyError(where, got=got, allowed="either answers = […] or line = { … }")
    if spec.mechanism is None:
        for key in ("trait", "blank", "typed"):
            if getattr(spec, key):
                remedy = 'add mechanism = { name = "…" } or leave it out'
                raise SurveyError(f"{where}.{key}", got="a plain question", remedy=remedy)
    text = wording_of(spec.text, languages, f"{where}.text")
    write = _with_answers if spec.answers is not None else _on_a_line
    return {"name": spec.name, "text": text, **write(spec, languages, where)}


def _with_answers(spec: QuestionSpec, languages: Sequence[str], where: str) -> Document:
    given = spec.answers or []
    if not 2 <= len(given) <= MOST_ANSWERS:
        raise SurveyError(
            f"{where}.answers", got=f"{len(given)} answers", allowed=f"2 to {MOST_ANSWERS} answers"
        )
    labels = [label_of(one, languages, f"{where}.answers[{at}]") for at, one in enumerate(given)]
    names = [label["name"] for label in labels]
    all_different(names, f"{where}.answers")
    frame = Frame(names)
    if spec.mechanism is None:
        return {"kind": "choice", "answers": labels}
    place, (name, parameters) = f"{where}.mechanism", _recipe(spec.mechanism, where)
    recipe = within(place, lambda: answer_mechanism(name, parameters, frame))
    channel = within(place, lambda: deployable(recipe.channel(frame)))
    _refuse_uninformative(channel, place)
    assert channel.table is not None
    wordings = {label["name"]: label["label"] for label in labels}
    wordings.setdefault(DONT_KNOW, silent_label(languages))
    for report, meaning in zip(channel.reports, channel.meanings, strict=True):
        meant = [wordings[name] for name in channel.output.names(meaning)]
        told = either(meant) if isinstance(recipe, _NAMED_BY_BLOCKS) else None
        wordings.setdefault(report, told or dict.fromkeys(languages, report))
    return {
        "kind": "table",
        "answers": labels,
        "reports": [
            {"name": report, "label": wordings[report], "means": list(frame.places(meaning))}
            for report, meaning in zip(channel.reports, channel.meanings, strict=True)
        ],
        "table": {"total": channel.table.total, "rows": [list(row) for row in channel.table.rows]},
        **_protected(spec, {"name": name, **recipe.parameters()}, where, spec.blank),
    }


def _on_a_line(spec: QuestionSpec, languages: Sequence[str], where: str) -> Document:
    assert spec.line is not None
    given = spec.line
    unit = wording_of(given.unit, languages, f"{where}.line.unit", empty=True)
    line = within(f"{where}.line", lambda: Line(given.lower, given.upper, given.step))
    if line.ticks > _MOST_TICKS:
        raise SurveyError(
            f"{where}.line",
            got=f"{line.ticks} steps",
            allowed=f"at most {_MOST_TICKS} steps",
            remedy="choose a wider step",
        )
    lower, step = str(line.lower), str(line.step)
    written = {"lower": lower, "step": step, "ticks": line.ticks, "unit": unit}
    if spec.mechanism is None:
        return {"kind": "number", "line": written}
    place, (name, parameters) = f"{where}.mechanism", _recipe(spec.mechanism, where)
    recipe, told = within(place, lambda: on_target(name, parameters, line))
    channel = within(place, lambda: recipe.channel(line))
    return {
        "line": written,
        **law_of(channel),
        "ask": "narrow" if recipe.narrow else "cells",
        "typed": spec.typed,
        **_protected(spec, {"name": name, **told}, where, _held_back(spec, recipe, where)),
    }


def _held_back(spec: QuestionSpec, recipe: AbstractRangeMechanism, where: str) -> object:
    """Give the chance that nothing is sent, which a selective mechanism brings with it."""
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


def within(place: str, make: Callable[[], Made]) -> Made:
    """Make something, so that an error names its place in the survey file."""
    try:
        return make()
    except AskanceError as error:
        owner, _, key = error.where.rpartition(".")
        where = f"{place}.{key}" if key not in _NOT_KEYS and (owner or key.islower()) else place
        got = str(error.got) if isinstance(error.got, Decimal) else error.got
        raise SurveyError(where, got=got, allowed=error.allowed, remedy=error.remedy) from error


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
    spec: QuestionSpec, mechanism: Mapping[str, str], where: str, blank: object
) -> Document:
    silent = within(where, lambda: chance(blank, "blank"))
    if silent == 1 or silent.denominator > LARGEST_TOTAL:
        raise SurveyError(f"{where}.blank", got=str(silent), allowed="a probability in [0, 1)")
    about = {"mechanism": dict(mechanism), "trait": spec.trait or spec.name}
    return {"blank": [silent.numerator, silent.denominator], "about": about}


_LONGEST = 20_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
SILENT = {"de": "Weiß nicht", "en": "Don't know", "es": "No sabe", "fr": "Ne sait pas"}
"""How "don't know" reads in the languages that the page speaks; English elsewhere."""

OR = {"de": "oder", "en": "or", "es": "o", "fr": "ou"}
"""How "or" reads in them."""


def languages_of(tags: Sequence[str]) -> tuple[str, ...]:
    """Check the language tags of a survey.

    >>> languages_of(["en", "de-AT"])
    ('en', 'de-AT')
    """
    for at, tag in enumerate(tags):
        if not is_language(tag) or tag in tags[:at]:
            raise SurveyError(
                f"languages[{at}]", got=tag, allowed='different language tags such as "en"'
            )
    if not tags:
        raise SurveyError("languages", got="none", allowed='at least one, such as "en"')
    return tuple(tags)


def wording_of(
    given: Wording, languages: Sequence[str], where: str, *, empty: bool = False
) -> dict[str, str]:
    """Give one text for each language.

    >>> wording_of("Hello", ("en", "de"), "title")
    {'en': 'Hello', 'de': 'Hello'}
    """
    texts = given if isinstance(given, Mapping) else dict.fromkeys(languages, given)
    for language in texts:
        if language not in languages:
            raise SurveyError(
                f"{where}.{language}",
                got=language,
                allowed=", ".join(languages),
                remedy=nearest(language, tuple(languages)),
            )
    missing = [language for language in languages if language not in texts]
    if missing:
        raise SurveyError(f"{where}.{missing[0]}", got="nothing", allowed="a text in that language")
    for language, text in texts.items():
        if not empty and not text.strip():
            raise SurveyError(f"{where}.{language}", got="an empty text", allowed="a text")
        if len(text) > _LONGEST or _CONTROL.search(text):
            raise SurveyError(
                f"{where}.{language}",
                got=f"{len(text)} characters",
                allowed=f"at most {_LONGEST} characters, none of them a control character",
            )
    return {language: texts[language].strip() for language in languages}


def label_of(
    given: str | Mapping[str, str], languages: Sequence[str], where: str
) -> dict[str, Any]:
    """Read an answer: its name, which stands in the data, and its wording in each language.

    >>> label_of("yes", ["en"], "answers[0]")
    {'name': 'yes', 'label': {'en': 'yes'}}
    """
    if isinstance(given, str):
        return {"name": given.strip(), "label": wording_of(given, languages, where)}
    if "name" not in given:
        raise SurveyError(
            f"{where}.name", got="nothing", allowed='a name, as in { name = "yes", en = "Yes" }'
        )
    texts = {key: text for key, text in given.items() if key != "name"}
    label = wording_of(texts or given["name"], languages, where)
    return {"name": wording_of(given["name"], ["name"], where)["name"], "label": label}


def silent_label(languages: Sequence[str]) -> dict[str, str]:
    """Say "don't know" in each language.

    >>> silent_label(["de-AT"])
    {'de-AT': 'Weiß nicht'}
    """
    return {tag: SILENT.get(tag.split("-")[0], SILENT["en"]) for tag in languages}


def either(labels: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Name several answers, any of which may be true, in each language.

    >>> either([{"en": "Never"}, {"en": "Seldom"}, {"en": "Often"}])
    {'en': 'Never, Seldom or Often'}
    """
    told = {}
    for tag in labels[0]:
        *others, last = [label[tag] for label in labels]
        word = OR.get(tag.split("-")[0], OR["en"])
        told[tag] = f"{', '.join(others)} {word} {last}" if others else last
    return told


def all_different(names: Sequence[str], where: str) -> None:
    """Refuse a name that stands twice, naming its second place."""
    seen: set[str] = set()
    for at, name in enumerate(names):
        if name in seen:
            raise SurveyError(f"{where}[{at}]", got=f"{name!r} again", allowed="different names")
        seen.add(name)


def law_of(channel: RangeChannel | RingChannel) -> dict[str, Any]:
    """Write the kind of question and its law; every key is there, whether it is used or not.

    >>> from askance.exact.line import Line
    >>> law_of(RangeChannel(Line(0, 3, 1), [1, 2]))
    {'kind': 'cuts', 'cuts': {'number': 1, 'weights': [1, 2], 'floor': None, 'open': []}}
    """
    weights = list(channel.weights)
    if isinstance(channel, RingChannel):
        weights = list(channel.law.weights)  # of two cuts; others are refused there
        sizes, least = list(channel.floor.sizes), channel.floor.least
        return {"kind": "ring", "ring": {"weights": weights, "sizes": sizes, "least": least}}
    floor = None
    if channel.floor is not None:
        rule = "withhold" if channel.withhold else "skip"
        sizes, least = list(channel.floor.sizes), channel.floor.least
        floor = {"sizes": sizes, "least": least, "rule": rule}
    opened = [list(stretch) for stretch in channel.open]
    cuts = {"number": channel.number, "weights": weights, "floor": floor, "open": opened}
    return {"kind": "cuts", "cuts": cuts}
