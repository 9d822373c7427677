"""Bounds on shares that are only partly identified: nonresponse, false reports, joined answers."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import click

from askance.channels.channel import Channel
from askance.cli.options import VerbResult, echo_results, pop_output_options, reports_options
from askance.cli.reports import Counted, ReportSource, Tallies, read_source, tally_question
from askance.cli.sample import SampleColumns
from askance.cli.typed import split_list, unquote
from askance.errors import InputError
from askance.exact.ratio import spelt
from askance.inference.shares.manipulation import contamination_bounds
from askance.inference.shares.nonresponse import nonresponse_bounds, with_no_reply
from askance.inference.shares.partial import estimate_sets


@click.command()
@reports_options
@click.option("--group", help="The column of groups, each with a --mechanism of its own.")
@click.option("--set", "sets", multiple=True, help="The share of answers together: NAME=a,b")
@click.option("--false-share", help="If up to this share of reports is false, such as 1/20.")
@click.option("--by-chance", help="… the chance of a blank whatever the answer; a form knows it.")
@click.option("--at-least", help="… an answer at least as common among who did not reply.")
@click.option("--silent", type=int, help="… people who were asked and sent nothing, not even so.")
@click.option("--nonresponse", is_flag=True, help="Among all who were asked: blanks did not reply")
def bounds(
    words: Sequence[str],
    level: float,
    mechanism: Sequence[str],
    answers: str | None,
    nonresponse: bool,
    silent: int | None,
    at_least: str | None,
    by_chance: str | None,
    false_share: str | None,
    sets: Sequence[str],
    group: str | None,
    **options: Any,
) -> None:
    """Bound shares in REPORTS under FORM where some do not reply.

    Who did not reply may have any answer (--nonresponse), false reports may say anything
    (--false-share), and some ways of asking do not tell all answers apart (--set). More reports do
    not bring such ends together.

    FORM and REPORTS are those of `askance estimate`.
    """
    how = pop_output_options(options, options["by"])
    sample = SampleColumns(**options)
    silence = {"silent": silent, "at_least": at_least, "by_chance": by_chance and spelt(by_chance)}
    chosen = {"--nonresponse": nonresponse, "--false-share": false_share, "--set": sets}
    (only,) = _require_one(chosen)
    source = read_source(words, mechanism, answers)
    if only == "--nonresponse":
        tallies = _tally_with_silence(source, sample, group, silence)
        learn = _bound_nonresponse(tallies, silence, level)
    else:
        _refuse_silence(silence, only)
        tallies = tally_question(source, sample, group, separate_groups=bool(sets))
        learn = (
            _bound_false_reports(spelt(false_share), level)
            if false_share
            else _estimate_sets_of(sets, level)
        )
    echo_results(
        tallies.estimate_each(learn),
        how,
        sample.by,
        tallies.methods,
        source.fieldwork,
    )


def _require_one(chosen: Mapping[str, object]) -> list[str]:
    names = [name for name, value in chosen.items() if value]
    if len(names) != 1:
        raise InputError(
            "bounds", got=" and ".join(names) or "nothing", allowed=f"one of {', '.join(chosen)}"
        )
    return names


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse_silence(silence: Mapping[str, object], only: str) -> None:
    """Refuse options about people who did not reply without --nonresponse."""
    for name, value in silence.items():
        if value is not None:
            raise InputError(_flag(name), got=str(value), allowed=f"nothing, with {only}")


def _tally_with_silence(
    source: ReportSource, sample: SampleColumns, group: str | None, silence: Mapping[str, Any]
) -> Tallies:
    """Tally also who did not reply: of a sample with weights each by how many they stand for."""
    by_chance = silence["by_chance"]
    if by_chance is not None and source.form is not None:
        raise InputError("--by-chance", got=by_chance, allowed="nothing, beside a form: it knows")
    if sample.sampling is None:
        return tally_question(source, sample, group)
    if silence["silent"]:
        raise InputError(
            "--silent",
            got=f"{silence['silent']:,} people without weights",
            allowed="a row for each, with the weights that replies have and an empty report",
        )

    def with_silence(channel: Channel, of_form: Fraction) -> Channel:
        return with_no_reply(channel, by_chance or of_form)

    return tally_question(source, sample, group, silence=with_silence)


def _bound_nonresponse(
    tallies: Tallies, silence: Mapping[str, Any], level: float
) -> Callable[[Counted], VerbResult]:
    how: dict[str, Any] = {"no_reply": tallies.silence}
    if tallies.silence is None:
        by_chance = silence["by_chance"] or tallies.blank
        how = {"silent": silence["silent"] or 0, "by_chance": by_chance}
    how |= {"at_least": silence["at_least"], "level": level}

    def learn(counted: Counted) -> VerbResult:
        result = nonresponse_bounds(counted, **how)
        return VerbResult(json=result.to_dict(), results=(result,))

    return learn


def _bound_false_reports(share: str, level: float) -> Callable[[Counted], VerbResult]:
    def learn(counted: Counted) -> VerbResult:
        result = contamination_bounds(counted, share, level)
        return VerbResult(json=result.to_dict(), results=(result,))

    return learn


def _estimate_sets_of(written: Sequence[str], level: float) -> Callable[[Counted], VerbResult]:
    sets = dict(map(_read_set, written))

    def learn(counted: Counted) -> VerbResult:
        result = estimate_sets(counted, sets, level)
        return VerbResult(json=result.to_dict(), results=(result,))

    return learn


def _read_set(written: str) -> tuple[str, list[str]]:
    """Read answers that are counted together, by a name.

    >>> _read_set('now and then = "at times, seldom",often')
    ('now and then', ['at times, seldom', 'often'])
    """
    name, equals, answers = (part.strip() for part in written.partition("="))
    if not (name and equals and answers):
        raise InputError("--set", got=written, allowed="NAME=ANSWER,ANSWER: ever=daily,often")
    return name, [unquote(part.strip()) for part in split_list(answers)]
