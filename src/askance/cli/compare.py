"""Whether groups of people have the same shares, how far these differ, and all together."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from askance.channels.grouped_tally import GroupedTally
from askance.cli.documents import FILE
from askance.cli.options import Learnt, draw, echo_learnt, reports_options, told_how
from askance.cli.reports import Counted, asked_by, asked_in_groups, tallied
from askance.cli.sample import Sample, join_example
from askance.errors import InputError
from askance.inference.shares.group_comparison import compare_groups
from askance.present.methods import methods_paragraph


@click.command()
@reports_options
@click.option("--plot", type=FILE, help="Draw the share of each group: .svg, .png")
@click.option(
    "--group", help="The column of groups; each may have a --design of its own, GROUP=NAME:…"
)
def compare(
    words: Sequence[str],
    level: float,
    design: Sequence[str],
    answers: str | None,
    group: str | None,
    plot: Path | None,
    **told: Any,
) -> None:
    """Compare groups in REPORTS under FORM, and pool them.

    Groups asked alike, such as men and women; or asked in different ways by chance, such as plainly
    and by a coin: whether shares are the same (likelihood ratio; Rao and Scott's of a sample), by
    how much they differ, and the shares of all together. Columns of --by split people first; the
    last of them holds the groups where --group names no column.

    FORM and REPORTS are those of `askance estimate`.
    """
    asked = asked_by(words, design, answers)
    if group is None and told["by"] and not asked_in_groups(asked, Sample(column=told["column"])):
        *others, group = told["by"]
        told["by"] = tuple(others)
    how = told_how(told, told["by"], plot=plot)
    sample = Sample(**told)
    tallies = tallied(asked, sample, group, apart=True, alike=True)

    def learn(counted: Counted) -> Learnt:
        if not isinstance(counted, GroupedTally):
            raise InputError(
                "--group",
                got="no column",
                allowed="the column of groups",
                remedy="name it: --group COLUMN",
            )
        refuse_small(counted, tallies.minimum)
        found = compare_groups(counted, level)
        return Learnt(json=found.to_dict(), shown=(found,))

    found = tallies.each(learn)
    if plot is not None and isinstance(one := found[0][2], Learnt):
        draw(one.shown[0], plot, rows=len(tallies.channels) + 1)
    echo_learnt(found, how, sample.by, partial(methods_paragraph, **tallies.asked), asked.fieldwork)


def refuse_small(counted: GroupedTally, minimum: int) -> None:
    """Refuse to show a group of fewer reports than the form's author wants shown."""
    for name, one in counted.tallies.items():
        if one.total < minimum and minimum > 1:
            raise InputError(
                f"--group, {name}",
                got=f"{one.total:,} report{'s' * (one.total != 1)}",
                allowed=f"at least {minimum:,}, the form's minimum",
                remedy=f"take it and another as one: {join_example(name, counted.tallies)}",
            )
