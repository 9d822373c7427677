"""Who does not comply, and in which group who was asked: what verbs are told of either."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import click
import numpy as np

from askance.channels.channel import Channel
from askance.cli.typed import named
from askance.engines.tables import Columns, column_of
from askance.errors import InputError, nearest
from askance.inference.shares.compliance import (
    Noncompliers,
    cheating_detection,
    random_answerers,
    self_protective,
    stochastic_lie_detector,
)
from askance.results import is_missing
from askance.survey.deployed_answers import ProtectedAnswers, table_channel
from askance.typing import Integers

Command = TypeVar("Command", bound=Callable[..., Any])

_Made = tuple[Callable[..., Noncompliers], tuple[str, ...]]

MODELS: Mapping[str, _Made] = MappingProxyType(
    {
        "cheating": (cheating_detection, ("says",)),
        "sld": (stochastic_lie_detector, ("carriers", "says")),
        "self-protective": (self_protective, ("says",)),
        "random": (random_answerers, ("chances",)),
    }
)
"""What people do who do not comply, by the names of the literature, and what may be told of it."""


def model_options(command: Command) -> Command:
    """Let a command say who does not comply, and which column says how people were asked."""
    command = click.option(
        "--group", help="The column of groups, of which each has a --design of its own."
    )(command)
    return click.option(
        "--model",
        "models",
        multiple=True,
        help="Some do not comply: cheating, sld, self-protective:says=REPORT or random; again "
        "for several kinds.",
    )(command)


def kinds_of(written: Sequence[str]) -> tuple[Noncompliers, ...]:
    """Read kinds of people who do not comply, as they are typed.

    Raises
    ------
    InputError
        If there is no such kind, or something else is told of it.

    >>> [one.name for one in kinds_of(["sld:carriers=yes,says=no", "random"])]
    ['deny', 'answer at random']
    """
    return tuple(map(_kind, written))


def _kind(written: str) -> Noncompliers:
    name, told = named(written, "--model")
    if name not in MODELS:
        raise InputError(
            "--model",
            got=name,
            allowed=", ".join(MODELS),
            remedy=nearest(name, tuple(MODELS)) or "such as sld:carriers=yes,says=no",
        )
    make, keys = MODELS[name]
    lacking = name == "self-protective" and not told
    if lacking or set(told) - set(keys):
        raise InputError(
            f"--model {name}",
            got=", ".join(told) or "no report",
            allowed=", ".join(keys),
            remedy=f"such as {name}:{keys[-1]}=…",
        )
    return make(**{key: one if isinstance(one, Mapping) else str(one) for key, one in told.items()})


def asked_groups(
    asked: Mapping[str, Channel],
    question: ProtectedAnswers | None,
    columns: Columns,
    name: str,
    group: str | None,
    *,
    apart: bool,
) -> tuple[dict[str, Channel], Columns, Integers | None]:
    """Say through which channel each group was asked, what each row then says, and who is in which.

    A form knows its groups, and a report says its own; of a table a column does. Without groups
    there is one channel; so there is where those of a form need not be told apart, since its own
    channel says the group in each report.
    """
    if question is not None:
        if group is not None:
            raise InputError("--group", got=group, allowed="nothing, beside a form: it knows")
        if not (apart and question.question.groups):
            return {"": question.channel}, columns, None
        return _of_form(question, columns, name)
    known = "" not in asked
    if known is not (group is not None):
        raise InputError(
            "--group",
            got="no column" if group is None else group,
            allowed="the column of groups" if known else "nothing, with one design",
            remedy="--design few=one-sided:forced_yes=1/4 --design many=… names the groups",
        )
    if group is None:
        return dict(asked), columns, None
    return dict(asked), columns, _places(column_of(columns, group, "--group"), asked)


def _of_form(
    question: ProtectedAnswers, columns: Columns, name: str
) -> tuple[dict[str, Channel], Columns, Integers]:
    asked, channels, known = question.question, dict[str, Channel](), {}
    wide = iter(asked.reports)
    for at, (group, own) in enumerate(zip(asked.groups, asked.by_group, strict=True)):
        channels[group.name] = table_channel(own)
        for report in own.reports:
            known[next(wide).name] = at, report.name
    told = [(0, None) if is_missing(one) else known[one] for one in columns[name]]
    return channels, columns | {name: [one for _, one in told]}, np.array([at for at, _ in told])


def _places(labels: Sequence[Any], groups: Mapping[str, Channel]) -> Integers:
    """The position of each row's group; 1.0, as a table may have a 1, is 1."""
    places = {name: at for at, name in enumerate(groups)}
    found = []
    for at, label in enumerate(labels):
        written = f"{label:g}" if isinstance(label, float) else str(label)
        if written not in places:
            raise InputError(
                f"--group, row {at + 1}",
                got="nothing" if is_missing(label) else written,
                allowed=", ".join(groups),
            )
        found.append(places[written])
    return np.array(found, dtype=np.int64)
