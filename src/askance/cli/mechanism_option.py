"""Mechanisms by their names, typed or in JSON; with numbers that differ from person to person."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.cli.typed_request import convert_names, named, read_texts, write_named
from askance.engines.tables import Columns, column_of
from askance.mechanisms.catalogue import ANSWERS, answer_mechanism, flat_numbers, nested_numbers
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.mechanisms.several_chances import individual_channels
from askance.results import is_missing
from askance.typing import Integers
from askance_collect.cli.request_options import Arg
from askance_collect.errors import DocumentError, InputError, nearest

AnswerNames = Annotated[
    tuple[str, ...], Arg(read=read_texts, convert=convert_names, allowed='a list: ["yes", "no"]')
]
"""Names of answers."""

Recipe = dict[str, Any]
"""A mechanism as a survey file has it: its name, and its parameters beside it."""


def read_recipe(written: str) -> Recipe:
    """Read a mechanism that is typed, with the parameters of a survey file.

    >>> read_recipe("progressive:number=4,floor=1/5")
    {'name': 'progressive', 'number': 4, 'floor': '1/5'}
    """
    name, numbers = named(written, "--mechanism")
    return {"name": name, **numbers}


def convert_recipe(value: Any) -> Recipe:
    """Make sure that a value has the name of a mechanism.

    Raises
    ------
    TypeError
        If it has none.

    >>> convert_recipe({"name": "warner", "truth": "3/4"})["truth"]
    '3/4'
    """
    if not _is_recipe(value):
        raise TypeError(value)
    return dict(value)


def _is_recipe(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("name"), str)


def read_recipes(written: Sequence[str]) -> dict[str, Any]:
    """Read mechanisms that are typed: one, or those of several groups by the groups' names.

    Raises
    ------
    InputError
        If there are several and one has no group, or a group has two.

    >>> read_recipes(["few=warner:truth=3/4", "many=warner:truth=4/5"])["many"]
    {'name': 'warner', 'truth': '4/5'}
    """
    recipes: dict[str, Recipe] = {}
    for text in written:
        pair = _OF_GROUP.fullmatch(text)
        if (pair is None and len(written) > 1) or (pair is not None and pair[1] in recipes):
            raise InputError(
                "--mechanism",
                got=text,
                allowed="one, or of several groups GROUP=NAME:KEY=VALUE,…, each group once",
            )
        if pair is None:
            return read_recipe(text)
        recipes[pair[1]] = read_recipe(pair[2])
    return recipes


_OF_GROUP = re.compile(r"\s*([^:=]*[^:=\s])\s*=\s*(.+)", re.DOTALL)


def convert_recipes(value: Any) -> dict[str, Recipe]:
    """Give each group's mechanism by the group's name, and one of everybody by an empty name.

    Raises
    ------
    TypeError
        If a mechanism has no name.

    >>> convert_recipes({"name": "warner", "truth": "3/4"})
    {'': {'name': 'warner', 'truth': '3/4'}}
    """
    if _is_recipe(value):
        return {"": dict(value)}
    if not isinstance(value, Mapping):
        raise TypeError(value)
    return {group: convert_recipe(recipe) for group, recipe in value.items()}


def format_recipes(recipes: Mapping[str, Recipe]) -> list[str]:
    """Write mechanisms of groups as they are typed.

    >>> format_recipes({"few": {"name": "warner", "truth": "3/4"}})
    ['few=warner:truth=3/4']
    """
    return [
        f"{group}={format_recipe(recipe)}" if group else format_recipe(recipe)
        for group, recipe in recipes.items()
    ]


def format_recipe(recipe: Recipe) -> str:
    """Write a mechanism as it is typed.

    >>> format_recipe({"name": "crosswise", "harmless": "1/4"})
    'crosswise:harmless=1/4'
    """
    return write_named(*split_recipe(recipe))


def split_recipe(recipe: Recipe) -> tuple[str, dict[str, Any]]:
    """Take the name and the parameters of a mechanism apart.

    >>> split_recipe({"name": "crosswise", "harmless": "1/4"})
    ('crosswise', {'harmless': '1/4'})
    """
    return recipe["name"], {key: value for key, value in recipe.items() if key != "name"}


def channel_at(path: Path) -> Channel | None:
    """Read a channel as JSON; None for a form or a survey file.

    >>> channel_at(Path("examples/affairs.toml")) is None
    True
    """
    if path.suffix != ".json" or not path.is_file():
        return None
    try:
        written = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None  # whoever reads it as a form says what is wrong
    if not isinstance(written, dict) or "matrix" not in written:
        return None
    return Channel.from_dict(written)


def read_mechanism(
    recipe: Recipe, answers: Sequence[str] | None = None
) -> tuple[AbstractMechanism, Channel, "OwnChances | None"]:
    """Build a mechanism from its name and its parameters.

    A number that is ``@NAME`` stands in a column, one for each person. The recipe and the channel
    are then those of somebody, whose reports have the names of everybody's.

    Raises
    ------
    InputError
        If it is no such mechanism, or a number is out of its range.

    >>> read_mechanism({"name": "forced", "yes": "1/6", "no": "1/6"})[1].matrix.round(4).tolist()
    [[0.8333, 0.1667], [0.1667, 0.8333]]
    >>> read_mechanism({"name": "crosswise", "harmless": "1/4"})[1].reports
    ('both or neither', 'just one')
    >>> read_mechanism({"name": "crosswise", "harmless": "@p"})[2].columns
    ('p',)
    """
    names = ["yes", "no"] if answers is None else list(answers)
    name, numbers = split_recipe(recipe)
    name = name.replace("-", "_")
    if name not in ANSWERS:
        raise InputError(
            "--mechanism",
            got=name,
            allowed=", ".join(ANSWERS),
            remedy=nearest(name, tuple(ANSWERS)) or "such as crosswise:harmless=1/4",
        )
    by_answer = set(numbers) & set(names) or not set(numbers) & {
        "forced",
        "truth",
        "epsilon",
        "ratio",
    }
    if name == "forced" and by_answer and not isinstance(numbers.get("forced"), dict):
        numbers = {"forced": numbers}
    own = OwnChances(name=name, numbers=numbers, answers=tuple(names))
    numbers = _fill_columns(numbers, lambda _: _SOMEBODY)
    with _naming_mechanism(name, numbers):
        mechanism = answer_mechanism(name, numbers, Frame(names))
        return mechanism, mechanism.channel(Frame(names)), own if own.columns else None


_SOMEBODY = "1/4"  # a chance that every mechanism can have


def _is_column(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("@")


def _fill_columns(numbers: Mapping[str, Any], lookup: Callable[[str], Any]) -> dict[str, Any]:
    """Replace each name of a column among the numbers by what is looked up for it."""
    pairs = flat_numbers(numbers)
    return nested_numbers(
        (key, lookup(value[1:]) if _is_column(value) else value) for key, value in pairs
    )


@contextmanager
def _naming_mechanism(name: str, numbers: Mapping[str, Any]) -> Iterator[None]:
    """Name the mechanism in what is refused of its numbers."""
    try:
        yield
    except InputError as error:
        value = error.got
        stands_for_a_number = value in [number for _, number in flat_numbers(numbers)]
        column = isinstance(value, str) and value.isidentifier() and stands_for_a_number
        raise InputError(
            f"--mechanism {name}: {error.where}",
            got=value,
            allowed=error.allowed,
            remedy=f"chances of people's own stand in a column: @{value}"
            if column
            else error.remedy,
        ) from None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChances:
    """A mechanism whose numbers stand in columns, since each person was asked with their own.

    Attributes
    ----------
    name : str
    numbers : mapping of str
        ``@NAME`` where it stands in a column.
    answers : tuple of str
    """

    name: str
    numbers: Mapping[str, Any]
    answers: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that hold numbers, each once."""
        names = [value[1:] for _, value in flat_numbers(self.numbers) if _is_column(value)]
        return tuple(dict.fromkeys(names))

    def of(self, columns: Columns) -> tuple[dict[str, Channel], Integers]:
        """The channel of each set of numbers, by its numbers, and which of them each row has.

        Raises
        ------
        InputError
            If a column is missing, has a hole, or holds what is no number of the mechanism.
        """
        own_columns = {name: column_of(columns, name, "--mechanism") for name in self.columns}
        for name, column in own_columns.items():
            if holes := [row for row, value in enumerate(column, start=1) if is_missing(value)]:
                raise InputError(
                    f"--mechanism {self.name}: column {name!r}, row {holes[0]}",
                    got="nothing",
                    allowed="a number for each person",
                )
        chances = _fill_columns(self.numbers, own_columns.__getitem__)
        with _naming_mechanism(self.name, self.numbers):
            individual = individual_channels(self.name, chances, Frame(self.answers))
        first = np.unique(individual.group, return_index=True)[1].tolist()
        names = [
            ", ".join(_format_number(column[i]) for column in own_columns.values()) for i in first
        ]
        return dict(zip(names, individual.channels, strict=True)), individual.group

    def named(self, names: Sequence[str]) -> dict[str, Channel]:
        """Build the channel of each name that `of` gives.

        Raises
        ------
        InputError
            If a name has other numbers than the mechanism's columns.

        >>> own = read_mechanism({"name": "crosswise", "harmless": "@p"})[2]
        >>> own.named(["0.25"])["0.25"].matrix.tolist()
        [[0.25, 0.75], [0.75, 0.25]]
        """
        channels: dict[str, Channel] = {}
        for name in names:
            numbers = name.split(", ")
            if len(numbers) != len(self.columns):
                raise InputError(
                    f"--mechanism {self.name}",
                    got=f"counts of {name!r}",
                    allowed=f"those of {', '.join(self.columns)}",
                    remedy="count the reports by the same mechanism",
                )
            columns: Columns = {
                column: [number] for column, number in zip(self.columns, numbers, strict=True)
            }
            channels[name] = next(iter(self.of(columns)[0].values()))
        return channels


def _format_number(number: Any) -> str:
    if not isinstance(number, float):
        return str(number)
    short = f"{number:.15g}"
    return short if float(short) == number else repr(number)


def read_group_counts(
    places: Sequence[Path], groups: Mapping[str, Channel], own: OwnChances | None
) -> GroupedTally:
    """Put together counts that were written, of groups with mechanisms or chances of their own.

    Raises
    ------
    DocumentError
        If one has no counts of these.
    """
    tallies = [_read_groups(path, groups, own) for path in places]
    if own is None or any(grouped.sample for grouped in tallies):
        return sum(tallies[1:], tallies[0])
    names: dict[Channel, str] = {}  # 0.25 in one place is 1/4 in another
    sums: dict[str, Tally] = {}
    for written, tally in (pair for grouped in tallies for pair in grouped.tallies.items()):
        name = names.setdefault(tally.channel, written)
        sums[name] = sums[name] + tally if name in sums else tally
    return GroupedTally(sums)


def _read_groups(path: Path, groups: Mapping[str, Channel], own: OwnChances | None) -> GroupedTally:
    """Read counts by group; those of chances of people's own are named by their numbers."""
    try:
        written = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise DocumentError(path.name, got=str(error), allowed="counts in JSON") from error
    group_counts = written.get("groups") if isinstance(written, dict) else None
    if not isinstance(group_counts, dict):
        raise DocumentError(
            path.name,
            got="counts of one mechanism",
            allowed="those that askance count wrote of these",
        )
    return GroupedTally.from_dict(written, groups if own is None else own.named(list(group_counts)))
