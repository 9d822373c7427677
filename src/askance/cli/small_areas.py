"""Shares of many small groups, which borrow from each other, or from what is known of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from askance.channels.tally import Tally
from askance.cli.documents import FILE
from askance.cli.options import Learnt, draw, echo_learnt, reports_options, told_how
from askance.cli.reports import Asked, Counted, Tallies, asked_by, columns_at, tallied
from askance.cli.sample import Sample, groups_of
from askance.engines.tables import Columns, column_of, table_columns
from askance.errors import InputError
from askance.inference.area_level import FayHerriotEstimates, fay_herriot
from askance.inference.domains import group_name, why_withheld, withheld_groups
from askance.inference.regression.formula import RegressionColumns, look_up_columns, names_in
from askance.inference.shares.estimate import moment_estimate
from askance.inference.shares.information import speaking
from askance.inference.shares.small_areas import SmallAreaEstimates, estimate_small_areas
from askance.present.methods import methods_paragraph
from askance.typing import Floats, Json

_Areas = TypeVar("_Areas", SmallAreaEstimates, FayHerriotEstimates)
_Group = tuple[Any, ...]

_BY_GROUP = (
    "value",
    "se",
    "lower",
    "upper",
    "direct",
    "direct_se",
    "borrowed",
    "reports",
    "effective",
)


@click.command("small-areas")
@reports_options
@click.option("--plot", type=FILE, help="Draw the shares: .svg, .png")
@click.option(
    "--errors",
    type=click.Choice(["pooled", "own"]),
    default="pooled",
    show_default=True,
    help="With --formula: errors at everybody's share, or each group's own.",
)
@click.option("--areas", help="With --formula: a table of the groups, with a column as in --by.")
@click.option("--formula", help='What is known of groups, such as "~ rural" (Fay and Herriot).')
def small_areas(
    words: Sequence[str],
    level: float,
    design: Sequence[str],
    answers: str | None,
    formula: str | None,
    areas: str | None,
    errors: str,
    plot: Path | None,
    **told: Any,
) -> None:
    """Pool shares of many small groups in REPORTS under FORM.

    Groups of --by borrow from all others (empirical Bayes), or with a --formula from those of which
    the same is known (the model of Fay and Herriot).

    FORM and REPORTS are those of `askance estimate`.
    """
    how = told_how(told, ())
    sample = Sample(**told)
    if not sample.by:
        raise InputError("--by", got="nothing", allowed="the column of groups")
    if formula is None and areas is not None:
        raise InputError("--areas", got=areas, allowed="nothing, without --formula")
    asked = asked_by(words, design, answers)
    tallies = tallied(asked, sample)
    found: dict[str, Any]
    if formula is None:
        counted = {_named(group): one for group, one in _each(tallies).items()}
        found = {"": estimate_small_areas(counted, level)}
    else:
        whole = _stacked(tallied(asked, replace(sample, by=())).everybody)
        known = _known(asked, sample, tallies, formula, areas)
        found = _drawn(_each(tallies), whole, known, own=errors == "own", level=level)
    told_of = _learnt(found, tallies)
    if plot is not None:
        draw(told_of.shown[0], plot, rows=len(told_of.shown[0].groups) + 2)
    n = sum(one.total for one in tallies.counted.values())
    echo_learnt(
        [((), n, told_of)], how, (), partial(methods_paragraph, **tallies.asked), asked.fieldwork
    )


def _named(group: _Group) -> str:
    return ", ".join(map(group_name, group))


def _each(tallies: Tallies) -> dict[_Group, Tally]:
    """The tally of each group, through one channel; of chances of people's own that of all."""
    return {group: _stacked(one) for group, one in tallies.counted.items()}


def _stacked(counted: Counted) -> Tally:
    return counted if isinstance(counted, Tally) else counted.stacked


def _known(
    asked: Asked, sample: Sample, tallies: Tallies, formula: str, areas: str | None
) -> tuple[list[_Group], RegressionColumns]:
    """Read what is known of each group, of a table of groups or as all rows of one tell."""
    if areas is not None:
        columns = table_columns(areas, identifiers=sample.by)
        rows = _of_areas(columns, tallies, sample.by)
    else:
        columns = columns_at(asked, sample, [])
        labels = _rows_of(columns, sample.by)
        rows = {label: at for at, label in reversed(list(enumerate(labels)))}
        _refuse_varied(columns, labels, rows, formula)
    groups = [*tallies.counted, *(one for one in rows if one not in tallies.counted)]
    table = {name: [column[rows[one]] for one in groups] for name, column in columns.items()}
    return groups, look_up_columns(table, formula, None)


def _of_areas(columns: Columns, tallies: Tallies, by: Sequence[str]) -> dict[_Group, int]:
    """Find the row of each group in a table of them."""
    rows: dict[_Group, int] = {}
    for at, label in enumerate(_rows_of(columns, by)):
        if label in rows:
            raise InputError(f"--areas, row {at + 1}", got=_named(label), allowed="each group once")
        rows[label] = at
    lacking = [group for group in tallies.counted if group not in rows]
    if lacking:
        raise InputError(
            "--areas",
            got=f"no row of {_named(lacking[0])}",
            allowed="a row for each group that has reports",
        )
    return rows


def _rows_of(columns: Columns, by: Sequence[str]) -> list[_Group]:
    return [one if isinstance(one, tuple) else (one,) for one in groups_of(columns, by)]


def _refuse_varied(
    columns: Columns, labels: Sequence[_Group], rows: Mapping[_Group, int], formula: str
) -> None:
    """Make sure that all rows of a group tell the same of it."""
    for name in names_in(formula):
        column = column_of(columns, name, "--formula")
        for at, label in enumerate(labels):
            if column[at] != column[rows[label]]:
                raise InputError(
                    f"--formula, {name}",
                    got=f"{column[rows[label]]} and {column[at]} in {_named(label)}",
                    allowed="what all rows of a group tell alike",
                    remedy="give a table of the groups: --areas FILE",
                )


def _drawn(
    tallies: Mapping[_Group, Tally],
    whole: Any,
    known: tuple[list[_Group], RegressionColumns],
    *,
    own: bool,
    level: float,
) -> dict[str, FayHerriotEstimates]:
    """Draw each share towards what is known of its group; of two answers the first tells both."""
    groups, given = known
    labels = whole.channel.frame.answers
    told = [tallies.get(group) for group in groups]
    direct = np.array([_shares(one, len(labels)) for one in told])
    errors = _errors(told, whole, len(labels), own=own)
    return {
        name: fay_herriot(
            direct[:, at],
            errors[:, at],
            given.covariates if given.terms else None,
            level,
            groups=[_named(one) for one in groups],
            terms=given.terms,
        )
        for at, name in enumerate(labels[: 1 if len(labels) == 2 else None])
    }


def _shares(one: Tally | None, k: int) -> Floats:
    """The unbiased shares of a group, which may lie outside 0 and 1."""
    return np.full(k, np.nan) if one is None or not one.total else moment_estimate(one).value


def _errors(told: Sequence[Tally | None], whole: Tally, k: int, *, own: bool) -> Floats:
    """Standard errors of the unbiased shares, shape (groups, k).

    Those of few reports err too, and are 0 where all reports are the same. So they are reckoned at
    the share of everybody, with everybody's design effect, for as many reports as the group has.
    """
    if own:
        return np.array([_own_errors(one, k) for one in told])
    sizes = np.array([np.nan if one is None or not one.total else _size(one) for one in told])
    return moment_estimate(whole).se * np.sqrt(_size(whole) / sizes)[:, None]


def _own_errors(one: Tally | None, k: int) -> Floats:
    return np.full(k, np.nan) if one is None or not one.total else moment_estimate(one).se


def _size(one: Tally) -> float:
    """How many equally weighted reports say anything: (Σ w)²/Σ w² (Kish, 1965)."""
    told = speaking(one.channel)
    if one.weights is None or one.squares is None:
        return float(one.counts[told].sum())
    return float(one.weights[told].sum() ** 2 / one.squares[told].sum())


def _learnt(found: Mapping[str, Any], tallies: Tallies) -> Learnt:
    """Tell all groups but those that are withheld."""
    n = [one.total for one in tallies.counted.values()]
    held = withheld_groups(list(tallies.counted), n, tallies.minimum, tallies.sample.by)
    out = {
        _named(group): ", ".join(why_withheld(size, tallies.minimum))
        for group, size, gone in zip(tallies.counted, n, held, strict=True)
        if gone and size
    }
    kept = {name: _without(one, out) for name, one in found.items()}
    written: Json = {"answers": {name: one.to_dict() for name, one in kept.items()}}
    if "" in kept:
        written = kept[""].to_dict()
    return Learnt(
        json=written | ({"withheld": out} if out else {}),
        shown=tuple(kept.values()),
        titles=tuple(kept),
        notes=tuple(f"{name}: {why}" for name, why in out.items()),
    )


def _without(found: _Areas, out: Mapping[str, str]) -> _Areas:
    """Leave out groups of which nothing is told."""
    if not out:
        return found
    kept = np.array([name not in out for name in found.groups])
    if not kept.any():
        raise InputError("REPORTS", got="groups that are all withheld", allowed="larger groups")
    rows = {name: getattr(found, name)[kept] for name in _BY_GROUP if hasattr(found, name)}
    names = tuple(name for name in found.groups if name not in out)
    return replace(found, groups=names, **rows)
