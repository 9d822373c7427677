"""Whether groups of people have the same shares, how far these differ, and all together."""

from pathlib import Path
from typing import final

import msgspec
from msgspec.structs import replace

from askance.channels.grouped_tally import GroupedTally
from askance.cli.reports import (
    Counted,
    ReportOptions,
    TableOptions,
    is_asked_in_groups,
    read_source,
    tally_question,
)
from askance.cli.sample import SampleColumns, collapse_example, show_replicates
from askance.cli.typed_request import Level, takes_request
from askance.cli.verb_result import (
    OutputOptions,
    VerbResult,
    draw,
    echo_results,
    refuse_beside_groups,
    single_result,
)
from askance.inference.shares.group_comparison import compare_groups
from askance_collect.errors import InputError


@final
class CompareRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of groups, how far they differ, and of all together.

    Attributes
    ----------
    plot : Path, optional
        Draw the share of each group: .svg, .png
    group : str, optional
        The column of groups; each may have a `--mechanism` of its own, `GROUP=NAME:…`.
    """

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    sample: SampleColumns = SampleColumns()
    plot: Path | None = None
    group: str | None = None


@takes_request()
@show_replicates
def compare(request: CompareRequest) -> None:
    """Compare groups in REPORTS under FORM, and pool them.

    The groups have one mechanism, such as men and women, or were assigned at random to different
    ones, such as a direct question and a coin. This tests whether their shares are equal
    (likelihood ratio; for a sample, Rao and Scott's), and estimates the differences and the shares
    of all together. Columns of --by split people first; the
    last of them holds the groups where --group names no column.

    FORM and REPORTS are those of `askance estimate`.
    """
    source = read_source(request.source, request.tables)
    sample, group = request.sample, request.group
    if group is None and sample.by and not is_asked_in_groups(source, sample):
        *others, group = sample.by
        sample = replace(sample, by=tuple(others))
    output = request.output
    refuse_beside_groups(sample.by, {"methods": output.methods, "plot": request.plot})
    tallies = tally_question(source, sample, group, separate_groups=True, allow_one_channel=True)

    def learn(counted: Counted) -> VerbResult:
        if not isinstance(counted, GroupedTally):
            raise InputError(
                "--group",
                got="no column",
                allowed="the column of groups",
                remedy="name it: --group COLUMN",
            )
        refuse_small(counted, tallies.minimum)
        return single_result(compare_groups(counted, request.level))

    outcomes = tallies.estimate_each(learn)
    if request.plot is not None and isinstance(result := outcomes[0][2], VerbResult):
        draw(result.results[0], request.plot)
    echo_results(outcomes, output, sample.by, tallies.methods, source.fieldwork)


def refuse_small(counted: GroupedTally, minimum: int) -> None:
    """Refuse to show a group of fewer reports than the form's author wants shown."""
    for name, tally in counted.tallies.items():
        if tally.total < minimum and minimum > 1:
            raise InputError(
                f"--group, {name}",
                got=f"{tally.total:,} report{'s' * (tally.total != 1)}",
                allowed=f"at least {minimum:,}, the form's minimum",
                remedy=f"take it and another as one: {collapse_example(name, counted.tallies)}",
            )
