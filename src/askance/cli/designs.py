"""Designs as they are typed, by their names; with numbers that differ from person to person."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.cli.typed import apart, named, unquoted
from askance.engines.tables import Columns, column_of
from askance.errors import DocumentError, InputError, nearest
from askance.mechanisms.catalogue import ANSWERS, answer_mechanism
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.mechanisms.several_chances import (
    flat_numbers,
    individual_channels,
    nested_numbers,
)
from askance.results import is_missing
from askance.typing import Integers


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


def designed(
    written: str, answers: str | None = None
) -> tuple[AbstractMechanism, Channel, "OwnChances | None"]:
    """Read a design as it is typed, with the names and numbers of a survey file.

    A number that is ``@NAME`` stands in a column, one for each person. The recipe and the channel
    are then those of somebody, whose reports have the names of everybody's.

    Raises
    ------
    InputError
        If it is no such design, or a number is out of its range.

    >>> designed("forced:yes=1/6,no=1/6")[1].matrix.round(4).tolist()
    [[0.8333, 0.1667], [0.1667, 0.8333]]
    >>> designed("crosswise:harmless=1/4")[1].reports
    ('both or neither', 'just one')
    >>> designed("crosswise:harmless=@p")[2].columns
    ('p',)
    """
    names = [unquoted(one.strip()) for one in apart("yes,no" if answers is None else answers)]
    name, numbers = named(written, "--design")
    name = name.replace("-", "_")
    if name not in ANSWERS:
        raise InputError(
            "--design",
            got=name,
            allowed=", ".join(ANSWERS),
            remedy=nearest(name, tuple(ANSWERS)) or "such as crosswise:harmless=1/4",
        )
    each = set(numbers) & set(names) or not set(numbers) & {"forced", "truth", "epsilon", "ratio"}
    if name == "forced" and each and not isinstance(numbers.get("forced"), dict):
        numbers = {"forced": numbers}
    own = OwnChances(name=name, numbers=numbers, answers=tuple(names))
    numbers = _with(numbers, lambda _: _SOMEBODY)
    with _of_design(name):
        recipe = answer_mechanism(name, numbers, Frame(names))
        return recipe, recipe.channel(Frame(names)), own if own.columns else None


_SOMEBODY = "1/4"  # a chance that every design can have


def _is_column(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("@")


def _with(numbers: Mapping[str, Any], found: Callable[[str], Any]) -> dict[str, Any]:
    """Numbers with what is found of each column in its place."""
    told = flat_numbers(numbers)
    return nested_numbers((at, found(one[1:]) if _is_column(one) else one) for at, one in told)


@contextmanager
def _of_design(name: str) -> Iterator[None]:
    """Name the design in what is refused of its numbers."""
    try:
        yield
    except InputError as error:
        got = error.got
        column = isinstance(got, str) and got.isidentifier() and "a number" in error.allowed
        raise InputError(
            f"--design {name}: {error.where}",
            got=got,
            allowed=error.allowed,
            remedy=f"chances of people's own stand in a column: @{got}" if column else error.remedy,
        ) from None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChances:
    """A design whose numbers stand in columns, since each person was asked with their own.

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
        told = [one[1:] for _, one in flat_numbers(self.numbers) if _is_column(one)]
        return tuple(dict.fromkeys(told))

    def of(self, columns: Columns) -> tuple[dict[str, Channel], Integers]:
        """The channel of each set of numbers, by its numbers, and which of them each row has.

        Raises
        ------
        InputError
            If a column is missing, has a hole, or holds what is no number of the design.
        """
        held = {name: column_of(columns, name, "--design") for name in self.columns}
        for name, column in held.items():
            if holes := [at for at, one in enumerate(column, start=1) if is_missing(one)]:
                raise InputError(
                    f"--design {self.name}: column {name!r}, row {holes[0]}",
                    got="nothing",
                    allowed="a number for each person",
                )
        told = _with(self.numbers, held.__getitem__)
        with _of_design(self.name):
            found = individual_channels(self.name, told, Frame(self.answers))
        first = np.unique(found.group, return_index=True)[1].tolist()
        names = [", ".join(_told(column[at]) for column in held.values()) for at in first]
        return dict(zip(names, found.channels, strict=True)), found.group

    def named(self, names: Sequence[str]) -> dict[str, Channel]:
        """The channel of each name that `of` gave.

        Raises
        ------
        InputError
            If a name has other numbers than the design's columns.

        >>> designed("crosswise:harmless=@p")[2].named(["0.25"])["0.25"].matrix.tolist()
        [[0.25, 0.75], [0.75, 0.25]]
        """
        found: dict[str, Channel] = {}
        for name in names:
            numbers = name.split(", ")
            if len(numbers) != len(self.columns):
                raise InputError(
                    f"--design {self.name}",
                    got=f"counts of {name!r}",
                    allowed=f"those of {', '.join(self.columns)}",
                    remedy="count the reports by the same design",
                )
            held: Columns = {
                column: [one] for column, one in zip(self.columns, numbers, strict=True)
            }
            found[name] = next(iter(self.of(held)[0].values()))
        return found


def _told(number: Any) -> str:
    if not isinstance(number, float):
        return str(number)
    short = f"{number:.15g}"
    return short if float(short) == number else repr(number)


def counted_groups(
    places: Sequence[Path], groups: Mapping[str, Channel], own: OwnChances | None
) -> GroupedTally:
    """Put together counts that were written, of groups with designs or chances of their own.

    Raises
    ------
    DocumentError
        If one has no counts of these.
    """
    found = [_groups_at(one, groups, own) for one in places]
    if own is None or any(one.design for one in found):
        return sum(found[1:], found[0])
    names: dict[Channel, str] = {}  # 0.25 in one place is 1/4 in another
    sums: dict[str, Tally] = {}
    for written, one in (pair for each in found for pair in each.tallies.items()):
        name = names.setdefault(one.channel, written)
        sums[name] = sums[name] + one if name in sums else one
    return GroupedTally(sums)


def _groups_at(path: Path, groups: Mapping[str, Channel], own: OwnChances | None) -> GroupedTally:
    """Read counts by group; those of chances of people's own are named by their numbers."""
    try:
        written = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise DocumentError(path.name, got=str(error), allowed="counts in JSON") from error
    held = written.get("groups") if isinstance(written, dict) else None
    if not isinstance(held, dict):
        raise DocumentError(
            path.name, got="counts of one design", allowed="those that askance count wrote of these"
        )
    return GroupedTally.from_dict(written, groups if own is None else own.named(list(held)))


def designs_typed(design: Sequence[str], answers: str | None) -> tuple[str, ...]:
    """Write down how designs were named: there is no form before the places.

    >>> designs_typed(["warner:truth=3/4"], "yes,no")
    ('', '--design', 'warner:truth=3/4', '--answers', 'yes,no')
    """
    designs = [word for one in design for word in ("--design", one)]
    return ("", *designs, *([] if answers is None else ["--answers", answers]))
