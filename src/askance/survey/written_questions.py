"""How a question is written into the form.

Named answers are written plainly, by a recipe, by a coin, or in groups; a number plainly, or by the
law of its ranges. Every protected question writes its recipe, its blank and its trait.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, TypeVar

import msgspec
import numpy as np

from askance.channels.channel import DONT_KNOW, Channel
from askance.channels.cut_variants import RingChannel
from askance.channels.frame import Frame
from askance.channels.number_law import EVEN, law_written, read_law
from askance.channels.range_channel import RangeChannel
from askance.design.cuts_on_line import cuts_on_line, ring_on_line, two_cuts_on_line
from askance.mechanisms.catalogue import answer_mechanism, range_mechanism
from askance.mechanisms.cuts import AbstractRangeMechanism, Cuts, Ring, Selective, TwoCuts
from askance.mechanisms.named_mechanisms import UnrelatedQuestion, unknown_harmless_share
from askance.mechanisms.partitions import Blocks, Partitions, Runs
from askance.privacy.losses import local_loss
from askance.survey.deployable import deployable
from askance.survey.multi_select import refuse_uneven
from askance.survey.random_ranges import write_law
from askance.survey.specs import (
    MOST_GROUPS,
    OF_TWO_THINGS,
    Answer,
    FilePosition,
    GroupSpec,
    LineSpec,
    Names,
    QuestionSpec,
    Wording,
    join_alternatives,
    locate_errors,
    read_label,
    read_labels,
    refuse_duplicates,
    word_draw,
    word_label,
    word_report,
    write_wording,
)
from askance_collect.errors import InputError, SurveyError, nearest, restate
from askance_collect.exact.level import loss_within
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import LARGEST_TOTAL, chance, read_ratio
from askance_collect.wire.question import (
    BY_INVITATION,
    ENDS,
    MOST_NUMBERS,
    PLURALS,
    needed_plurals,
)
from askance_collect.wire.toml_text import packaged_toml

Document = dict[str, Any]

WrittenChannel = Channel | RangeChannel | RingChannel | None
"""What a question's chances were written from; None where it has none."""

WrittenQuestion = tuple[Document, WrittenChannel, Channel | None]
"""A question of the form, the channel that was written into it, and the one before rounding."""


def read_recipe(mechanism: Mapping[str, Any], where: str) -> tuple[str, dict[str, Any]]:
    """Read the name of a mechanism, and its parameters."""
    parameters = dict(mechanism)
    name = parameters.pop("name", None)
    if not isinstance(name, str):
        raise SurveyError(
            f"{where}.mechanism.name", got=name, allowed='the name of a mechanism, such as "warner"'
        )
    return name, parameters


def write_protection(
    trait: str, mechanism: Mapping[str, Any], where: str, blank: object
) -> Document:
    """Write the probability of a blank, and a protected question's mechanism and trait."""
    silent = locate_errors(where, lambda: chance(blank, "blank"))
    if silent == 1 or silent.denominator > LARGEST_TOTAL:
        raise SurveyError(f"{where}.blank", got=str(silent), allowed="a probability in [0, 1)")
    about = {"mechanism": dict(mechanism), "trait": trait}
    return {"blank": [silent.numerator, silent.denominator], "about": about}


MOST_ANSWERS = 200

LEVELS = "epsilon", "ratio"

_NAMED_BY_BLOCKS = Blocks | Runs | Partitions


def write_answers(spec: QuestionSpec, names: Names, location: FilePosition) -> WrittenQuestion:
    """Write a question with named answers."""
    answers, (where, _) = spec.answers or [], location
    if not 2 <= len(answers) <= MOST_ANSWERS:
        problem, allowed = f"{len(answers)} answers", f"2 to {MOST_ANSWERS} answers"
        raise SurveyError(f"{where}.answers", got=problem, allowed=allowed)
    labels = read_labels(answers, names, f"{where}.answers")
    if spec.plain:
        return {"kind": "choice", "answers": labels}, None, None
    if spec.group is not None:
        return _write_groups(spec, spec.group, labels, names, location)
    if _is_of_unknown_share(spec.mechanism or {}):
        return _write_unknown_share(spec, labels, names, where)
    recipe, reports, channel, exact = _build_channel(
        spec.mechanism or {}, labels, names, where, is_drawn=spec.coin is None
    )
    _refuse_uninformative(channel, f"{where}.mechanism")
    ticks = {}
    if spec.choose is not None:
        refuse_uneven(channel, f"{where}.mechanism")
        ticks = {"ticks": len(labels).bit_length() - 1}
    if spec.coin is not None:
        document = _write_coin(spec, spec.coin, (labels, reports, recipe), channel, where)
        return document, channel, exact
    if spec.replies is not None:
        remedy = "say whose coin draws, or leave replies out: the mechanism names its reports"
        raise SurveyError(f"{where}.replies", got="no coin", allowed="beside coin", remedy=remedy)
    parts = {"answers": labels, "reports": reports, **ticks}
    return write_table_question(spec, parts, channel, recipe, where), channel, exact


def write_right_answer(spec: QuestionSpec, names: Names, location: FilePosition) -> WrittenQuestion:
    """Write a question that sends only whether the answer is right, through a table of chances."""
    where, _ = location
    labels = read_labels(spec.answers or [], names, f"{where}.answers")
    listed = [label["name"] for label in labels]
    if len(listed) < 3:
        fault, allowed = f"{len(listed)} answers", "three answers or more, one of them right"
        raise SurveyError(f"{where}.answers", got=fault, allowed=allowed)
    if spec.coin is not None or spec.choose is not None:
        fault = "a coin" if spec.choose is None else "several answers"
        raise SurveyError(f"{where}.right", got=fault, allowed="one answer, drawn by the device")
    if spec.right not in listed:
        remedy = nearest(spec.right or "", listed)
        raise SurveyError(
            f"{where}.right", got=spec.right, allowed=", ".join(listed), remedy=remedy
        )
    classes: list[Answer] = [
        {"name": name, **word_label(names, key)}
        for name, key in (("right", "nameCorrect"), ("other", "nameIncorrect"))
    ]
    inner = msgspec.structs.replace(spec, answers=classes, right=None)
    document, channel, exact = write_answers(inner, names, location)
    position = listed.index(spec.right)
    means = [[position], [index for index in range(len(labels)) if index != position]]
    for report in document["reports"]:
        report["means"] = sorted(answer for index in report["means"] for answer in means[index])
    rows = document["table"]["rows"]
    document["table"]["rows"] = [rows[index != position] for index in range(len(labels))]
    document["about"]["right"] = spec.right
    return document | {"answers": labels}, channel, exact


Chances = tuple[dict[str, str], list[Document], Channel, Channel]
"""A recipe's parameters, its reports, the channel that is written, and the one before rounding."""


def _build_channel(
    mechanism: Mapping[str, Any],
    labels: Sequence[Document],
    names: Names,
    where: str,
    *,
    is_drawn: bool = True,
) -> Chances:
    """Build the channel of a recipe over some answers, and word its reports.

    They are worded otherwise where the device draws them than where a person replies.
    """
    path, (name, parameters) = f"{where}.mechanism", read_recipe(mechanism, where)
    frame = Frame([label["name"] for label in labels])
    recipe = locate_errors(path, lambda: answer_mechanism(name, parameters, frame))
    exact = locate_errors(path, lambda: recipe.channel(frame))
    channel = locate_errors(path, lambda: deployable(exact))
    wordings = {label["name"]: label["label"] for label in labels}
    wordings.setdefault(DONT_KNOW, word_label(names, "nameSilent"))
    for report, meaning in zip(channel.reports, channel.meanings, strict=True):
        meant = [wordings[name] for name in channel.output.names(meaning)]
        alternatives = (
            join_alternatives(meant, names) if isinstance(recipe, _NAMED_BY_BLOCKS) else None
        )
        worded = alternatives or word_report(name, report, names)
        if is_drawn and name in OF_TWO_THINGS:
            worded = word_draw(worded, labels[0]["label"], names)
        wordings.setdefault(report, worded)
    reports = [
        {"name": report, "label": wordings[report], "means": list(frame.positions(meaning))}
        for report, meaning in zip(channel.reports, channel.meanings, strict=True)
    ]
    return {"name": name, **recipe.parameters()}, reports, channel, exact


def _write_coin(
    spec: QuestionSpec,
    coin: Wording,
    written: tuple[list[Document], list[Document], dict[str, str]],
    channel: Channel,
    where: str,
) -> Document:
    """Write a question whose replies are sent as they are, since a coin in the world decides."""
    labels, reports, recipe = written
    languages = tuple(labels[0]["label"])
    if spec.blank:
        remedy = "the page draws nothing: leave blank out"
        raise SurveyError(f"{where}.blank", got=spec.blank, allowed="0", remedy=remedy)
    replies = [
        read_label(reply, languages, f"{where}.replies[{i}]")
        for i, reply in enumerate(spec.replies or [])
    ]
    names = [report["name"] for report in reports]
    if replies and [reply["name"] for reply in replies] != names:
        problem = ", ".join(reply["name"] for reply in replies)
        raise SurveyError(
            f"{where}.replies", got=problem, allowed=f"{', '.join(names)}, in this order"
        )
    about = write_protection(spec.trait or spec.name, recipe, where, 0)["about"]
    return {
        "kind": "choice",
        "answers": replies
        or [{key: report[key] for key in ("name", "label")} for report in reports],
        "coin": {
            "text": write_wording(coin, languages, f"{where}.coin"),
            "answers": labels,
            "means": [report["means"] for report in reports],
            "table": _write_table(channel),
            "about": about,
        },
    }


def _is_of_unknown_share(mechanism: Mapping[str, Any]) -> bool:
    """Whether this is an unrelated question with unknown harmless share."""
    is_known = UnrelatedQuestion.name == mechanism.get("name") and "harmless" in mechanism
    return isinstance(mechanism.get("asked"), list) and not is_known


def _write_unknown_share(
    spec: QuestionSpec, labels: Sequence[Document], names: Names, where: str
) -> WrittenQuestion:
    """Write an unrelated question with two physical rules, which identify the harmless share too.

    The answers are pairs, to the sensitive and to the harmless question. A reply says its rule.
    """
    path, (coin, chances, share) = f"{where}.mechanism", _read_two_rules(spec, where)
    frame = Frame([label["name"] for label in labels])
    channels = [unknown_harmless_share(chance, frame) for chance in chances]
    replies: list[Document] = [
        {"name": f"{rule}: {label['name']}", "label": _join_labels(words, label["label"], ": ")}
        for rule, words in ((rule, word_label(names, key)) for rule, key in _RULES.items())
        for label in labels
    ]
    stacked = stack_channels(channels, [share, 1 - share], [reply["name"] for reply in replies])
    channel = locate_errors(path, lambda: deployable(stacked))
    pairs = list(product(range(len(labels)), repeat=2))
    behind = [
        {"name": pair, "label": _join_labels(labels[x]["label"], labels[u]["label"], ", ")}
        for pair, (x, u) in zip(channel.frame.answers, pairs, strict=True)
    ]
    reports = [
        {**reply, "means": list(means)}
        for reply, means in zip(
            replies, map(channel.frame.positions, channel.meanings), strict=True
        )
    ]
    name, listed = UnrelatedQuestion.name, json.dumps([str(chance) for chance in chances])
    recipe = {"name": name, "asked": listed, "share": str(share)}
    document = _write_coin(spec, coin, (behind, reports, recipe), channel, where)
    document["coin"]["sets"] = [
        {**label, "answers": [i for i, (x, _) in enumerate(pairs) if x == answer]}
        for answer, label in enumerate(labels)
    ]
    return document, channel, None


def _read_two_rules(spec: QuestionSpec, where: str) -> tuple[Wording, list[Fraction], Fraction]:
    """Read the coin, each rule's chance of the sensitive question, and the first rule's share."""
    path, recipe = f"{where}.mechanism", dict(spec.mechanism or {})
    name, listed = recipe.pop("name", None), recipe.pop("asked")
    share = locate_errors(path, lambda: chance(recipe.pop("share", "1/2"), "share"))
    if name != UnrelatedQuestion.name or recipe:
        problem = ", ".join(recipe) or name
        allowed = 'name = "unrelated" with asked, a list of two chances, and share'
        raise SurveyError(path, got=problem, allowed=allowed)
    if spec.coin is None:
        raise SurveyError(
            f"{where}.coin",
            got="no coin",
            allowed="a coin in the world, where nobody knows the harmless share",
            remedy="a device draws a harmless answer of a known share itself, which protects "
            "better and is more precise: write one chance, and harmless = …",
        )
    chances = [locate_errors(path, partial(chance, entry, "asked")) for entry in listed]
    if len(chances) != 2 or chances[0] == chances[1] or max(chances) == 1 or not 0 < share < 1:
        allowed = "two chances below 1 that differ, and a share between 0 and 1"
        raise SurveyError(f"{path}.asked", got=listed, allowed=allowed)
    return spec.coin, chances, share


_RULES = {"first": "nameFirst", "second": "nameSecond"}
"""How the replies by each rule are called, where a survey does not call them otherwise."""


def _join_labels(label: Mapping[str, str], other: Mapping[str, str], mark: str) -> dict[str, str]:
    return {tag: f"{text}{mark}{other[tag]}" for tag, text in label.items()}


def refuse_shared_coins(questions: Sequence[Document], places: Sequence[FilePosition]) -> None:
    """Refuse a coin that two questions share: together their replies reveal the answers.

    Whether both are turned round or neither is, answers that are alike make replies that are alike.
    """
    previous: set[str] = set()
    for question, (where, _) in zip(questions, places, strict=True):
        texts = question["coin"]["text"].values() if "coin" in question else ()
        coins = {" ".join(text.split()).casefold() for text in texts}
        if again := sorted(coins & previous):
            raise SurveyError(
                f"{where}.coin",
                got=f"{again[0]!r} again",
                allowed="a coin for each question",
                remedy=(
                    "two replies with one coin together reveal what each hides; name somebody "
                    "else's"
                ),
            )
        previous |= coins


def _write_table(channel: Channel) -> Document:
    assert channel.table is not None
    return {"total": channel.table.total, "rows": [list(row) for row in channel.table.rows]}


def _write_groups(
    spec: QuestionSpec,
    groups: Sequence[GroupSpec],
    labels: list[Document],
    names: Names,
    location: FilePosition,
) -> WrittenQuestion:
    """Write a question whose randomly assigned groups have channels of their own.

    The tables stand side by side, each as wide as the share of people in its group.
    """
    where, grouped = location
    if not 2 <= len(groups) <= MOST_GROUPS:
        allowed = f"2 to {MOST_GROUPS} groups"
        raise SurveyError(grouped, got=f"{len(groups)} groups", allowed=allowed)
    paths = [f"{grouped}[{i}]" for i in range(len(groups))]
    called = [_name_group(*pair, labels) for pair in zip(groups, paths, strict=True)]
    refuse_duplicates([head["name"] for head in called], grouped)
    invited = _is_invited(spec, groups, paths, where)
    shares = _read_shares(groups, paths, grouped, invited=invited)
    recipes, heads, reports, channels = {}, [], [], []
    for group, head, own_path in zip(groups, called, paths, strict=True):
        make = partial(_build_at_level, group.mechanism, labels, names, own_path)
        recipes[head["name"]], own, channel, _ = _relocate_error(make)
        heads.append({**head, "reports": len(own)})
        reports += [_label_report(report, head) for report in own]
        channels.append(channel)
    report_names = [report["name"] for report in reports]
    refuse_duplicates(report_names, f"{grouped}.reports")
    stacked = stack_channels(channels, shares, report_names)
    for tested in channels if invited else [stacked]:
        _refuse_uninformative(tested, grouped)
    refuse_too_fine(stacked, grouped)
    parts = {
        "answers": labels,
        "groups": heads,
        **({"assigned": BY_INVITATION} if invited else {}),
        "reports": reports,
    }
    return write_table_question(spec, parts, stacked, recipes, where), stacked, None


def write_table_question(
    spec: QuestionSpec,
    parts: Mapping[str, Any],
    channel: Channel,
    recipe: Mapping[str, Any],
    where: str,
) -> Document:
    """Write a question whose report is a column of a table, with its protection."""
    return {
        "kind": "table",
        **parts,
        "table": _write_table(channel),
        **write_protection(spec.trait or spec.name, recipe, where, spec.blank),
    }


def refuse_too_fine(channel: Channel, where: str) -> None:
    """Refuse chances whose common denominator exceeds one draw."""
    total = 0 if channel.table is None else channel.table.total
    if total > LARGEST_TOTAL:
        raise SurveyError(
            where,
            got=f"chances in some 2^{total.bit_length() - 1} whole parts",
            allowed="chances and shares that one draw holds, in 2^48 whole parts",
            remedy="write them with fewer digits, over one common denominator",
        )


Result = TypeVar("Result")

_OF_EACH = re.compile(
    r"(?P<where>.*\.mechanism)\.(?P<key>\w+)\.each\[\d+\]\.mechanism\.(?P<at>\w+)"
)


def _relocate_error(make: Callable[[], Result]) -> Result:
    """Call a function, and correct the paths of its errors to the list in the survey file.

    >>> def make():
    ...     raise SurveyError("question[0].mechanism.truth.each[1].mechanism.truth", got="2")
    >>> _relocate_error(make)
    Traceback (most recent call last):
    askance_collect.errors.SurveyError: question[0].mechanism.truth.each[1]: got '2'
    """
    try:
        return make()
    except SurveyError as error:
        if (match := _OF_EACH.fullmatch(error.where)) is None:
            raise
        where = f"{match['where']}.{match['at']}"
        if match["key"] == match["at"]:
            where = error.where.removesuffix(f".mechanism.{match['at']}")
        raise restate(error, where, SurveyError) from error


def _name_group(group: GroupSpec, path: str, labels: Sequence[Document]) -> Document:
    """Read a group's name and its wording in each language."""
    name = write_wording(group.name, ["name"], path)["name"]
    label = write_wording(group.label or name, tuple(labels[0]["label"]), f"{path}.label")
    return {"name": name, "label": label}


def _is_invited(
    spec: QuestionSpec, groups: Sequence[GroupSpec], paths: Sequence[str], where: str
) -> bool:
    """Say whether invitations choose among groups: then no shares are known beforehand."""
    if spec.assigned is None:
        return False
    if spec.assigned != BY_INVITATION:
        allowed = f'"{BY_INVITATION}", or nothing where chance chooses'
        raise SurveyError(f"{where}.assigned", got=spec.assigned, allowed=allowed)
    for group, path in zip(groups, paths, strict=True):
        if group.share is not None:
            remedy = "leave share out: invitations say who is in which group"
            raise SurveyError(f"{path}.share", got=group.share, allowed="nothing", remedy=remedy)
    return True


def _read_shares(
    groups: Sequence[GroupSpec], paths: Sequence[str], where: str, *, invited: bool
) -> list[Fraction]:
    """Read the share of people in each group; where invitations choose, all are as wide."""
    if invited:
        return [Fraction(1, len(groups))] * len(groups)
    for group, path in zip(groups, paths, strict=True):
        if group.share is None:
            allowed = "the share of people that are drawn into this group"
            raise SurveyError(f"{path}.share", got="nothing", allowed=allowed, remedy="add share")
    located = zip(groups, paths, strict=True)
    shares = [locate_errors(path, partial(chance, group.share, "share")) for group, path in located]
    if sum(shares) != 1 or not all(shares):
        problem = " + ".join(map(str, shares))
        raise SurveyError(f"{where}.share", got=problem, allowed="shares above 0 that sum to one")
    return shares


def _label_report(report: Document, group: Document) -> Document:
    """Name a report with the group that it comes from, since it says so."""
    label = {tag: f"{group['label'][tag]}: {text}" for tag, text in report["label"].items()}
    return {**report, "name": f"{group['name']}: {report['name']}", "label": label}


def stack_channels(
    channels: Sequence[Channel], shares: Sequence[Fraction], names: Sequence[str]
) -> Channel:
    """Stack the groups' channels side by side: a report names its group too."""
    frame = channels[0].frame
    meant = [frame.names(meaning) for channel in channels for meaning in channel.meanings]
    rows = [
        [
            share * entry
            for channel, share in zip(channels, shares, strict=True)
            if channel.table is not None
            for entry in channel.table.row(i)
        ]
        for i in range(len(frame))
    ]
    return Channel(frame, dict(zip(names, meant, strict=True)), rows)


def _build_at_level(
    mechanism: Mapping[str, Any], labels: list[Document], names: Names, path: str
) -> Chances:
    """Build a group's channel, and refuse rounding that misses the requested privacy level."""
    built = _build_channel(mechanism, labels, names, path)
    _, _, channel, _ = built
    levels = {name: value for name, value in mechanism.items() if name in LEVELS}
    if levels and not loss_within((loss := local_loss(channel)).value, **levels):
        raise SurveyError(
            f"{path}.mechanism.{next(iter(levels))}",
            got=", ".join(map(str, levels.values())),
            allowed=f"at least ε = {loss.epsilon}, which the rounded whole numbers keep",
        )
    return built


def _refuse_uninformative(channel: Channel, where: str) -> None:
    rank = int(np.linalg.matrix_rank(channel.matrix))
    if rank < len(channel.frame):
        raise SurveyError(
            where,
            got=f"a channel that tells only {rank} of {len(channel.frame)} answers apart",
            allowed="chances from which every share can be learnt",
            remedy="make the truth likelier than any other single answer",
        )


BESIDE_COVERAGE = {
    Cuts.name: ("number", "prior"),
    TwoCuts.name: ("prior",),
    Ring.name: ("law", "sizes"),
}
"""The recipes that can be given a coverage, and what else they then take."""

_MOST_STEPS = 1_000
"""The most steps of a line that chance cuts."""


def write_number(
    spec: QuestionSpec, languages: Collection[str], location: FilePosition
) -> WrittenQuestion:
    """Write a question about a number."""
    assert spec.line is not None
    raw, (where, _) = spec.line, location
    unit = write_unit(raw.unit, list(languages), f"{where}.line.unit")
    first = next(iter(unit.values()))["other"]
    line = locate_errors(
        f"{where}.line",
        lambda: Line(raw.lower, raw.upper, raw.step, first, integer=raw.whole),
    )
    max_steps = MOST_NUMBERS if spec.mechanism is None else _MOST_STEPS
    if line.ticks > max_steps:
        raise SurveyError(
            f"{where}.line",
            got=f"{line.ticks:,} steps",
            allowed=f"at most {max_steps:,} steps",
            remedy="choose a wider step",
        )
    written = _write_line(line) | write_line_wordings(raw, line, languages, f"{where}.line")
    if spec.mechanism is None:
        _refuse_coarse_integers(line, f"{where}.line.step")
        return {"kind": "number", "line": written}, None, None
    path, (name, parameters) = f"{where}.mechanism", read_recipe(spec.mechanism, where)
    recipe, stated = locate_errors(path, lambda: _build_on_target(name, parameters, line))
    channel = locate_errors(path, lambda: recipe.channel(line))
    blank = _find_blank(spec, recipe, where)
    document = {
        "line": written,
        **write_law(channel),
        "ask": "narrow" if recipe.progressive else "cells",
        "typed": spec.typed,
        **write_protection(spec.trait or spec.name, {"name": name, **stated}, where, blank),
    }
    return document, channel, None


def _refuse_coarse_integers(line: Line, where: str) -> None:
    """Refuse a wider step than 1 where integers are asked for as they are."""
    if line.integer and line.step > 1:
        raise SurveyError(
            where,
            got=str(line.step),
            allowed="1, where whole numbers are asked for as they are",
            remedy="leave step out, or whole",
        )


def _write_line(line: Line) -> Document:
    """Write a line; that it has whole numbers alone is a key only where it is so."""
    written = {
        "lower": str(line.value_at(0)),
        "step": str(line.step),
        "ticks": line.ticks,
    }
    return written | ({"whole": True} if line.integer else {})


Forms = Mapping[str, str]
"""A unit's text by plural; ``other`` is always there."""

_ANY_PLURAL = (*PLURALS, "other")
_INVARIANT_LANGUAGES = ("tr", "zh")
_MILLION = 1_000_000


def write_unit(
    unit: str | Mapping[str, Any], languages: Sequence[str], where: str
) -> dict[str, Forms]:
    """Give for each language the plurals of a unit: as the survey has them, or as they are known.

    >>> write_unit({"en": "year", "nl": "jaren"}, ["en", "nl"], "unit")
    {'en': {'one': 'year', 'other': 'years'}, 'nl': {'other': 'jaren'}}
    >>> write_unit({"one": "go", "other": "goes"}, ["en"], "unit")
    {'en': {'one': 'go', 'other': 'goes'}}
    """
    if isinstance(unit, str) or "other" in unit:
        unit = dict.fromkeys(languages, unit)
    by_language = {
        language: _read_forms(forms, f"{where}.{language}") for language, forms in unit.items()
    }
    others = {language: forms["other"] for language, forms in by_language.items()}
    write_wording(others, languages, where, empty=True)
    return {language: by_language[language] for language in languages}


def write_line_wordings(
    spec: LineSpec, line: Line, languages: Collection[str], where: str
) -> dict[str, dict[str, str]]:
    """Write the unit of a form's line, its other plurals, and the names of the line's ends."""
    tags = list(languages)
    forms = write_unit(spec.unit, tags, f"{where}.unit")
    written = {"unit": {tag: forms[tag]["other"] for tag in tags}}
    is_large = max(abs(line.value_at(0)), abs(line.value_at(line.ticks))) >= _MILLION
    needed = needed_plurals(tags, in_millions=is_large)
    for plural in PLURALS:
        texts = {tag: _find_form(forms[tag], plural, tag) for tag in tags}
        is_own = any(isinstance(spec.unit, Mapping) and plural in forms[tag] for tag in tags)
        if any(texts.values()) and (plural in needed or is_own):
            written[plural] = texts
    for name, end in zip(ENDS, ("lower", "upper"), strict=True):
        wording = getattr(spec.ends, end)
        if wording is not None:
            written[name] = write_wording(wording, languages, f"{where}.ends.{end}")
    return written


def _read_forms(forms: Any, where: str) -> Forms:
    if isinstance(forms, str):
        return _find_known(forms.strip(), where.rpartition(".")[2].partition("-")[0])
    wrong = [plural for plural in forms if plural not in _ANY_PLURAL]
    if wrong or "other" not in forms:
        raise SurveyError(
            f"{where}.{wrong[0]}" if wrong else where,
            got=wrong[0] if wrong else ", ".join(forms),
            allowed=", ".join(_ANY_PLURAL),
            remedy="" if wrong else 'add other = "…", which stands beside most numbers',
        )
    return {plural: forms[plural].strip() for plural in _ANY_PLURAL if plural in forms}


def _find_known(text: str, language: str) -> Forms:
    """Find all plurals of a unit by any form of it; a symbol has a single form."""
    known = packaged_toml("askance.survey", "units.toml")
    is_sign = not any(map(str.isalpha, text)) or text in known["invariant"]
    if is_sign or language in _INVARIANT_LANGUAGES:
        return dict.fromkeys(_ANY_PLURAL, text)
    rows: Sequence[Forms] = known["forms"].get(language, ())
    return next((row for row in rows if text in row.values()), {"other": text})


def _find_form(forms: Forms, plural: str, language: str) -> str:
    """Find a plural: whole millions, where they have one of their own, are worded like others."""
    is_of_millions = plural == "many" and plural not in needed_plurals([language])
    return forms.get(plural, forms["other"] if is_of_millions else "")


def _find_blank(spec: QuestionSpec, recipe: AbstractRangeMechanism, where: str) -> object:
    """The chance that nothing is sent, which a selective mechanism brings with it."""
    if not isinstance(recipe, Selective):
        return spec.blank
    if spec.blank:
        raise SurveyError(
            f"{where}.blank",
            got=str(spec.blank),
            allowed="nothing beside a selective mechanism",
            remedy="the rest, 1 − sent, is the chance that nothing is sent",
        )
    return 1 - recipe.send_chance


Targeted = tuple[AbstractRangeMechanism, dict[str, str]]
"""A recipe, and the parameters as they were asked for."""


def _build_on_target(name: str, parameters: Mapping[str, Any], line: Line) -> Targeted:
    """Build the recipe, and say what was asked for; cuts and rings can be given a coverage.

    Raises
    ------
    InputError
        If the coverage cannot be had, or other parameters already say where the cuts fall.

    >>> recipe, stated = _build_on_target("cuts", {"coverage": "3/5"}, Line(0, 40, 1))
    >>> stated
    {'number': '1', 'coverage': '3/5', 'prior': 'even'}
    >>> _build_on_target("ring", {"coverage": "3/5"}, Line(0, 40, 1))[1]
    {'floor': '1/8', 'law': 'even', 'sizes': 'even', 'coverage': '3/5'}
    """
    if "coverage" in parameters and name in _TARGETED:
        return _TARGETED[name](dict(parameters), line)
    try:
        recipe = range_mechanism(name, dict(parameters))
    except InputError:
        for key in parameters if name in _TARGETED else ():
            if meant := nearest(key, ("coverage",)):
                allowed = _ALLOWED[name]
                raise InputError(f"{name}.{key}", got=key, allowed=allowed, remedy=meant) from None
        raise
    return recipe, recipe.parameters()


def _build_cuts(parameters: dict[str, Any], line: Line, *, is_pair: bool = False) -> Targeted:
    coverage, written = parameters.pop("coverage"), parameters.pop("prior", EVEN)
    prior = read_law(written, "TwoCuts.prior" if is_pair else "Cuts.prior")
    number = 1 if is_pair else parameters.pop("number", 1)
    _refuse_rest(parameters, TwoCuts.name if is_pair else Cuts.name)
    recipe: Cuts | TwoCuts = (
        two_cuts_on_line(line, coverage, prior)
        if is_pair
        else Cuts(number=number, law=cuts_on_line(line, coverage, prior, number))
    )
    stated = {"coverage": str(read_ratio(coverage, "coverage")), "prior": law_written(prior)}
    return recipe, {"number": str(recipe.number), **stated}


def _build_ring(parameters: dict[str, Any], line: Line) -> Targeted:
    coverage = parameters.pop("coverage")
    law, sizes = (read_law(parameters.pop(key, EVEN), f"Ring.{key}") for key in ("law", "sizes"))
    _refuse_rest(parameters, Ring.name)
    recipe = ring_on_line(line, coverage, law, sizes)
    return recipe, {**recipe.parameters(), "coverage": str(read_ratio(coverage, "coverage"))}


def _refuse_rest(parameters: Mapping[str, Any], name: str) -> None:
    for key in parameters:
        raise InputError(f"{name}.{key}", got="a coverage too", allowed=_ALLOWED[name])


_TARGETED: Mapping[str, Callable[[dict[str, Any], Line], Targeted]] = {
    Cuts.name: _build_cuts,
    TwoCuts.name: partial(_build_cuts, is_pair=True),
    Ring.name: _build_ring,
}


_ALLOWED = {
    name: " and ".join([", ".join(["coverage", *keys[:-1]]), keys[-1]])
    for name, keys in BESIDE_COVERAGE.items()
}


LISTS = {"control": "A", "treatment": "B"}
"""The groups of a list experiment, and what people read that theirs is called."""

_SENSITIVE_ANSWERS = {"yes": "nameHolds", "no": "nameHoldsNot"}
"""The answers to the sensitive item, and the default labels that word them."""


def write_item_count(spec: QuestionSpec, names: Names, location: FilePosition) -> WrittenQuestion:
    """Write a list experiment: its lists, its two groups, and the answers behind a count.

    Of K harmless items these are how many of them are true, 0 to K, first where the sensitive one
    is not true, then where it is: Blair and Imai's (2012) types of respondents.
    """
    where, _ = location
    lists, share = _read_lists(spec, names, where), _read_treatment(spec, where)
    k = len(lists["items"]) + 1
    labels: list[Document] = [
        {"name": f"{holds}, {count}", "label": _repeat_label(str(count + extra), names)}
        for extra, holds in enumerate(reversed(_SENSITIVE_ANSWERS))
        for count in range(k)
    ]
    frame = Frame([label["name"] for label in labels])
    channels = [_counting_channel(frame, k, extra) for extra in range(len(LISTS))]
    reports: list[Document] = [
        {
            "name": f"{group}: {count}",
            "label": _repeat_label(f"{letter}: {count}", names),
            "means": list(frame.positions(meaning)),
        }
        for (group, letter), channel in zip(LISTS.items(), channels, strict=True)
        for count, meaning in enumerate(channel.meanings)
    ]
    channel = stack_channels(channels, [1 - share, share], [report["name"] for report in reports])
    refuse_too_fine(channel, f"{where}.treatment")
    heads = [
        {"name": group, "label": _repeat_label(letter, names), "reports": k + extra}
        for extra, (group, letter) in enumerate(LISTS.items())
    ]
    parts = {"answers": labels, "groups": heads, "reports": reports, "count": lists}
    recipe = {"name": "item_count", "treatment": str(share)}
    return write_table_question(spec, parts, channel, recipe, where), channel, None


def _read_lists(spec: QuestionSpec, names: Names, where: str) -> Document:
    """Read the items of both lists, and the answers to the sensitive one."""
    items = []
    for i, item in enumerate(spec.items or ()):
        if isinstance(item, Mapping) and "image" in item:
            path = f"{where}.items[{i}].image"
            raise SurveyError(path, got="an image", allowed="items in words, to be counted")
        items.append(read_label(item, names, f"{where}.items[{i}]"))
    refuse_duplicates([item["name"] for item in items], f"{where}.items")
    assert spec.sensitive is not None
    sensitive = write_wording(spec.sensitive, tuple(names), f"{where}.sensitive")
    texts = [*(item["label"] for item in items), sensitive]
    _refuse_repeated_items(texts, where)
    answers = [
        {"name": name, "label": word_label(names, key)} for name, key in _SENSITIVE_ANSWERS.items()
    ]
    return {"items": texts[:-1], "sensitive": sensitive, "answers": answers}


def _refuse_repeated_items(texts: Sequence[Mapping[str, str]], where: str) -> None:
    """Refuse an item that stands in a list twice, in any language; the sensitive one is last."""
    for tag in texts[0]:
        read = [" ".join(text[tag].split()).casefold() for text in texts]
        for i, text in enumerate(read):
            if text in read[:i]:
                is_sensitive = i == len(read) - 1
                raise SurveyError(
                    f"{where}.sensitive" if is_sensitive else f"{where}.items[{i}]",
                    got=f"{texts[i][tag]!r}, which is items[{read.index(text)}] too",
                    allowed="different items",
                    remedy="the control list has harmless items alone"
                    if is_sensitive
                    else "write each item once",
                )


def _read_treatment(spec: QuestionSpec, where: str) -> Fraction:
    """Read the share of people whose list has the sensitive item: half of them if left out."""
    path, written = f"{where}.treatment", spec.treatment
    share = locate_errors(path, lambda: chance("1/2" if written is None else written, "treatment"))
    if not 0 < share < 1:
        allowed = "the share of people whose list has the sensitive item, between 0 and 1"
        raise SurveyError(path, got=str(share), allowed=allowed)
    return share


def _repeat_label(text: str, names: Names) -> dict[str, str]:
    return dict.fromkeys(names, text)


def _counting_channel(frame: Frame, k: int, extra: int) -> Channel:
    """The channel of a group: for each type of respondent its own count, for certain.

    The control group counts the K items, the treatment group (``extra`` 1) one more.
    """
    counts = [count + holds * extra for holds in (0, 1) for count in range(k)]
    numbers = range(k + extra)
    reports = {
        str(count): [name for name, own in zip(frame.answers, counts, strict=True) if own == count]
        for count in numbers
    }
    rows = [[Fraction(int(own == count)) for count in numbers] for own in counts]
    return Channel(frame, reports, rows)
