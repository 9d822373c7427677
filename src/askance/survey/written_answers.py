"""How named answers are written into the form: plainly, by a recipe, by a coin, or in groups."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, TypeVar

import numpy as np

from askance.channels.channel import DONT_KNOW, Channel
from askance.channels.frame import Frame
from askance.errors import SurveyError
from askance.exact.level import loss_within
from askance.exact.ratio import LARGEST_TOTAL, chance
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.named_designs import UnrelatedQuestion
from askance.mechanisms.partitions import Blocks, Partitions, Runs
from askance.mechanisms.unknown_share import unknown_harmless_share
from askance.privacy.losses import local_loss
from askance.survey.deployable import deployable
from askance.survey.specs import MOST_GROUPS, GroupSpec, Place, QuestionSpec
from askance.survey.ticked import refuse_uneven
from askance.survey.wording import (
    Names,
    Wording,
    all_different,
    either,
    label_of,
    named_by,
    within,
    word_for,
    wording_of,
)
from askance.survey.written import Document, Written, protected, recipe_of
from askance.wire.answer_question import BY_INVITATION

MOST_ANSWERS = 200


LEVELS = "epsilon", "ratio"


_NAMED_BY_BLOCKS = Blocks | Runs | Partitions


def with_answers(spec: QuestionSpec, names: Names, place: Place) -> Written:
    """Write a question with named answers."""
    given, (where, _) = spec.answers or [], place
    if not 2 <= len(given) <= MOST_ANSWERS:
        raise SurveyError(
            f"{where}.answers", got=f"{len(given)} answers", allowed=f"2 to {MOST_ANSWERS} answers"
        )
    labels = [label_of(one, names, f"{where}.answers[{at}]") for at, one in enumerate(given)]
    all_different([label["name"] for label in labels], f"{where}.answers")
    if spec.plain:
        return {"kind": "choice", "answers": labels}, None, None
    if spec.group is not None:
        return _in_groups(spec, spec.group, labels, names, place)
    if _is_of_unknown_share(spec.mechanism or {}):
        return _of_unknown_share(spec, labels, names, where)
    told, reports, channel, exact = _asked_by(spec.mechanism or {}, labels, names, where)
    _refuse_uninformative(channel, f"{where}.mechanism")
    ticks = {}
    if spec.choose is not None:
        refuse_uneven(channel, f"{where}.mechanism")
        ticks = {"ticks": len(labels).bit_length() - 1}
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
        **ticks,
        **protected(spec.trait or spec.name, told, where, spec.blank),
    }
    return document, channel, exact


Chances = tuple[dict[str, str], list[Document], Channel, Channel]
"""A recipe as it is told, its reports, the channel that is written, and the one before rounding."""


def _asked_by(
    mechanism: Mapping[str, Any], labels: Sequence[Document], names: Names, where: str
) -> Chances:
    """Build the channel of a recipe over some answers, and word its reports."""
    place, (name, parameters) = f"{where}.mechanism", recipe_of(mechanism, where)
    frame = Frame([label["name"] for label in labels])
    recipe = within(place, lambda: answer_mechanism(name, parameters, frame))
    exact = within(place, lambda: recipe.channel(frame))
    channel = within(place, lambda: deployable(exact))
    wordings = {label["name"]: label["label"] for label in labels}
    wordings.setdefault(DONT_KNOW, word_for(names, "nameSilent"))
    for report, meaning in zip(channel.reports, channel.meanings, strict=True):
        meant = [wordings[name] for name in channel.output.names(meaning)]
        told = either(meant, names) if isinstance(recipe, _NAMED_BY_BLOCKS) else None
        wordings.setdefault(report, told or named_by(name, report, names))
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
    about = protected(spec.trait or spec.name, told, where, 0)["about"]
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


def _is_of_unknown_share(mechanism: Mapping[str, Any]) -> bool:
    """Say whether this is an unrelated question about whose harmless one nothing is known."""
    known = UnrelatedQuestion.name == mechanism.get("name") and "harmless" in mechanism
    return isinstance(mechanism.get("asked"), list) and not known


def _of_unknown_share(
    spec: QuestionSpec, labels: Sequence[Document], names: Names, where: str
) -> Written:
    """Write an unrelated question by two rules in the world, which tell the harmless share too.

    The answers are pairs, to the sensitive and to the harmless question. A reply says its rule.
    """
    place, (coin, asked, share) = f"{where}.mechanism", _two_rules(spec, where)
    frame = Frame([label["name"] for label in labels])
    channels = [unknown_harmless_share(one, frame) for one in asked]
    replies: list[Document] = [
        {"name": f"{rule}: {one['name']}", "label": _joined(said, one["label"], ": ")}
        for rule, said in ((rule, word_for(names, key)) for rule, key in _RULES.items())
        for one in labels
    ]
    stacked = _stacked(channels, [share, 1 - share], [one["name"] for one in replies])
    channel = within(place, lambda: deployable(stacked))
    pairs = list(product(range(len(labels)), repeat=2))
    behind = [
        {"name": pair, "label": _joined(labels[x]["label"], labels[u]["label"], ", ")}
        for pair, (x, u) in zip(channel.frame.answers, pairs, strict=True)
    ]
    reports = [
        {**one, "means": list(means)}
        for one, means in zip(replies, map(channel.frame.places, channel.meanings), strict=True)
    ]
    name, chances = UnrelatedQuestion.name, json.dumps([str(one) for one in asked])
    told = {"name": name, "asked": chances, "share": str(share)}
    document = _by_coin(spec, coin, (behind, reports, told), channel, where)
    document["coin"]["sets"] = [
        {**label, "answers": [place for place, (x, _) in enumerate(pairs) if x == at]}
        for at, label in enumerate(labels)
    ]
    return document, channel, None


def _two_rules(spec: QuestionSpec, where: str) -> tuple[Wording, list[Fraction], Fraction]:
    """Read whose coin draws, how often each rule asks what is sensitive, and the first's share."""
    place, recipe = f"{where}.mechanism", dict(spec.mechanism or {})
    name, given = recipe.pop("name", None), recipe.pop("asked")
    share = within(place, lambda: chance(recipe.pop("share", "1/2"), "share"))
    if name != UnrelatedQuestion.name or recipe:
        got = ", ".join(recipe) or name
        allowed = 'name = "unrelated" with asked, a list of two chances, and share'
        raise SurveyError(place, got=got, allowed=allowed)
    if spec.coin is None:
        raise SurveyError(
            f"{where}.coin",
            got="no coin",
            allowed="a coin in the world, where nobody knows the harmless share",
            remedy="a device draws a harmless answer of a known share itself, which protects "
            "better and tells more: write one chance, and harmless = …",
        )
    asked = [within(place, partial(chance, one, "asked")) for one in given]
    if len(asked) != 2 or asked[0] == asked[1] or max(asked) == 1 or not 0 < share < 1:
        allowed = "two chances below 1 that differ, and a share between 0 and 1"
        raise SurveyError(f"{place}.asked", got=given, allowed=allowed)
    return spec.coin, asked, share


_RULES = {"first": "nameFirst", "second": "nameSecond"}
"""How the replies by each rule are called, where a survey does not call them otherwise."""


def _joined(one: Mapping[str, str], other: Mapping[str, str], mark: str) -> dict[str, str]:
    return {tag: f"{said}{mark}{other[tag]}" for tag, said in one.items()}


def refuse_shared_coins(questions: Sequence[Document], places: Sequence[Place]) -> None:
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
    spec: QuestionSpec,
    groups: Sequence[GroupSpec],
    labels: list[Document],
    names: Names,
    place: Place,
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
    all_different([one["name"] for one in called], grouped)
    invited = _is_invited(spec, groups, places, where)
    shares = _shares(groups, places, grouped, invited=invited)
    told, heads, reports, channels = {}, [], [], []
    for group, head, own_place in zip(groups, called, places, strict=True):
        make = partial(_asked_at_level, group.mechanism, labels, names, own_place)
        told[head["name"]], own, channel, _ = _of_each(make)
        heads.append({**head, "reports": len(own)})
        reports += [_of_group(report, head) for report in own]
        channels.append(channel)
    sent = [report["name"] for report in reports]
    all_different(sent, f"{grouped}.reports")
    stacked = _stacked(channels, shares, sent)
    for one in channels if invited else [stacked]:
        _refuse_uninformative(one, grouped)
    document = {
        "kind": "table",
        "answers": labels,
        "groups": heads,
        **({"assigned": BY_INVITATION} if invited else {}),
        "reports": reports,
        "table": _table_of(stacked),
        **protected(spec.trait or spec.name, told, where, spec.blank),
    }
    _refuse_too_fine(stacked, grouped)
    return document, stacked, None


def _refuse_too_fine(channel: Channel, where: str) -> None:
    """Refuse chances and shares that one draw does not hold together."""
    total = 0 if channel.table is None else channel.table.total
    if total > LARGEST_TOTAL:
        raise SurveyError(
            where,
            got=f"chances in some 2^{total.bit_length() - 1} whole parts",
            allowed="chances and shares that one draw holds, in 2^48 whole parts",
            remedy="write them with fewer digits, over one common denominator",
        )


Made = TypeVar("Made")

_OF_EACH = re.compile(
    r"(?P<where>.*\.mechanism)\.(?P<key>\w+)\.each\[\d+\]\.mechanism\.(?P<at>\w+)"
)


def _of_each(make: Callable[[], Made]) -> Made:
    """Make something of a group, so that an error names what the file says where it has a list.

    >>> def make():
    ...     raise SurveyError("question[0].mechanism.truth.each[1].mechanism.truth", got="2")
    >>> _of_each(make)
    Traceback (most recent call last):
    askance.errors.SurveyError: question[0].mechanism.truth.each[1]: got '2'
    """
    try:
        return make()
    except SurveyError as error:
        if (found := _OF_EACH.fullmatch(error.where)) is None:
            raise
        where = f"{found['where']}.{found['at']}"
        if found["key"] == found["at"]:
            where = error.where.removesuffix(f".mechanism.{found['at']}")
        told = {"got": error.got, "allowed": error.allowed, "remedy": error.remedy}
        raise SurveyError(where, **told) from error


def _called(group: GroupSpec, place: str, labels: Sequence[Document]) -> Document:
    """Read how a group is called: its name, which stands in the data, and its wording."""
    name = wording_of(group.name, ["name"], place)["name"]
    label = wording_of(group.label or name, tuple(labels[0]["label"]), f"{place}.label")
    return {"name": name, "label": label}


def _is_invited(
    spec: QuestionSpec, groups: Sequence[GroupSpec], places: Sequence[str], where: str
) -> bool:
    """Say whether invitations choose among groups: then no shares are known beforehand."""
    if spec.assigned is None:
        return False
    if spec.assigned != BY_INVITATION:
        allowed = f'"{BY_INVITATION}", or nothing where chance chooses'
        raise SurveyError(f"{where}.assigned", got=spec.assigned, allowed=allowed)
    for group, place in zip(groups, places, strict=True):
        if group.share is not None:
            remedy = "leave share out: invitations say who is in which group"
            raise SurveyError(f"{place}.share", got=group.share, allowed="nothing", remedy=remedy)
    return True


def _shares(
    groups: Sequence[GroupSpec], places: Sequence[str], where: str, *, invited: bool
) -> list[Fraction]:
    """Read the share of people in each group; where invitations choose, all are as wide."""
    if invited:
        return [Fraction(1, len(groups))] * len(groups)
    for group, place in zip(groups, places, strict=True):
        if group.share is None:
            allowed = "the share of people whom chance puts into this group"
            raise SurveyError(f"{place}.share", got="nothing", allowed=allowed, remedy="add share")
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


def _asked_at_level(
    mechanism: Mapping[str, Any], labels: list[Document], names: Names, place: str
) -> Chances:
    """Build how a group is asked, refusing integers that guarantee less than was asked for."""
    built = _asked_by(mechanism, labels, names, place)
    _, _, channel, _ = built
    asked = {name: value for name, value in mechanism.items() if name in LEVELS}
    if asked and not loss_within((loss := local_loss(channel)).value, **asked):
        raise SurveyError(
            f"{place}.mechanism.{next(iter(asked))}",
            got=", ".join(map(str, asked.values())),
            allowed=f"at least ε = {loss.epsilon}, which is what whole numbers can keep",
        )
    return built


def _refuse_uninformative(channel: Channel, place: str) -> None:
    rank = int(np.linalg.matrix_rank(channel.matrix))
    if rank < len(channel.frame):
        raise SurveyError(
            place,
            got=f"a channel that tells only {rank} of {len(channel.frame)} answers apart",
            allowed="chances from which every share can be learnt",
            remedy="make the truth likelier than any other single answer",
        )
