"""Bounds on shares that are only partly identified: nonresponse, false reports, joined answers."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, final

import msgspec

from askance.channels.channel import Channel
from askance.cli.reports import (
    ReportOptions,
    ReportSource,
    TableOptions,
    Tallies,
    read_source,
    tally_question,
)
from askance.cli.sample import SampleColumns, show_replicates
from askance.cli.typed_request import Exact, GroupColumn, Level, read_sets, takes_request
from askance.cli.verb_result import OutputOptions, echo_results, refuse_beside_groups, single_result
from askance.inference.shares.nonresponse import nonresponse_bounds, with_no_reply
from askance.inference.shares.partial import estimate_sets
from askance.inference.shares.sensitivity import contamination_bounds
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError


@final
class BoundsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on shares that are only partly identified.

    Attributes
    ----------
    sets : dict of str to tuple of str
        The share of several answers together: `ever=daily,often`; again for several.
    false_share : str, optional
        Bounds if up to this share of the reports is false, such as `1/20` (contamination).
    blank_chance : str, optional
        With `--nonresponse`: the chance of a blank whatever the answer; a form knows it.
    monotone_selection : str, optional
        With `--nonresponse`: an answer at least as common among nonrespondents (monotone
        selection).
    nonrespondents : int, optional
        With `--nonresponse`: how many people were asked and sent nothing, not even a blank.
    nonresponse : bool
        Bounds among all who were asked: [nonrespondents](../how-to/nonresponse.md), and who
        sent a blank, may have any answer.
    """

    level: Level = 0.95
    output: OutputOptions = OutputOptions()
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    sample: SampleColumns = SampleColumns()
    group: GroupColumn = None
    sets: Annotated[dict[str, tuple[str, ...]], Arg(flag="--set", read=read_sets)] = msgspec.field(
        default_factory=dict
    )
    false_share: Exact | None = None
    blank_chance: Exact | None = None
    monotone_selection: str | None = None
    nonrespondents: int | None = None
    nonresponse: bool = False


@takes_request()
@show_replicates
def bounds(request: BoundsRequest) -> None:
    """Bound shares in REPORTS under FORM where some do not reply.

    Nonrespondents may have any answer (--nonresponse), false reports may say anything
    (--false-share), and some mechanisms do not distinguish all answers (--set). More reports do not
    narrow such bounds.

    FORM and REPORTS are those of `askance estimate`.
    """
    sample, output = request.sample, request.output
    refuse_beside_groups(sample.by, {"methods": output.methods})
    chosen = {
        "--nonresponse": request.nonresponse,
        "--false-share": request.false_share,
        "--set": request.sets,
    }
    (only,) = _require_one(chosen)
    source = read_source(request.source, request.tables)
    bound: Callable[..., Any]
    how: dict[str, Any]
    if only == "--nonresponse":
        tallies = _tally_with_silence(source, request)
        bound, how = nonresponse_bounds, _describe_silence(tallies, request)
    else:
        _refuse_silence(request, only)
        tallies = tally_question(source, sample, request.group, separate_groups=bool(request.sets))
        bound, how = estimate_sets, {"sets": request.sets}
        if request.false_share:
            bound, how = contamination_bounds, {"false_share": request.false_share}
    outcomes = tallies.estimate_each(
        lambda counted: single_result(bound(counted, **how, level=request.level))
    )
    echo_results(outcomes, output, sample.by, tallies.methods, source.fieldwork)


def _require_one(chosen: Mapping[str, object]) -> list[str]:
    names = [name for name, value in chosen.items() if value]
    if len(names) != 1:
        raise InputError(
            "bounds", got=" and ".join(names) or "nothing", allowed=f"one of {', '.join(chosen)}"
        )
    return names


def _refuse_silence(request: BoundsRequest, only: str) -> None:
    """Refuse options about people who did not reply without --nonresponse."""
    for name in ("nonrespondents", "monotone_selection", "blank_chance"):
        if (value := getattr(request, name)) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise InputError(flag, got=str(value), allowed=f"nothing, with {only}")


def _tally_with_silence(source: ReportSource, request: BoundsRequest) -> Tallies:
    """Tally reports and nonrespondents; in a sample nonrespondents are weighted too."""
    blank_chance = request.blank_chance
    if blank_chance is not None and source.form is not None:
        raise InputError(
            "--blank-chance", got=blank_chance, allowed="nothing, beside a form: it states it"
        )
    if request.sample.sampling is None:
        return tally_question(source, request.sample, request.group)
    if request.nonrespondents:
        raise InputError(
            "--nonrespondents",
            got=f"{request.nonrespondents:,} people without weights",
            allowed="a row for each, with the weights that replies have and an empty report",
        )

    def with_silence(channel: Channel, of_form: Fraction) -> Channel:
        return with_no_reply(channel, blank_chance or of_form)

    return tally_question(source, request.sample, request.group, silence=with_silence)


def _describe_silence(tallies: Tallies, request: BoundsRequest) -> dict[str, Any]:
    """What is known of who did not reply, as `nonresponse_bounds` takes it."""
    if tallies.silence is not None:
        described: dict[str, Any] = {"no_reply": tallies.silence}
    else:
        chance = request.blank_chance or tallies.blank
        described = {"nonrespondents": request.nonrespondents or 0, "blank_chance": chance}
    return described | {"monotone_selection": request.monotone_selection}
