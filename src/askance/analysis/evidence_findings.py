"""Findings on comprehension, carelessness and false admissions, from evidence questions."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import final

from askance.analysis.form_results import EvidenceFinding, EvidenceRate
from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.engines.counts import Counts
from askance.inference.shares.estimate import estimate
from askance.inference.shares.group_comparison import compare_groups
from askance.inference.shares.inattention import InattentionCorrection, correct_inattention
from askance.survey.deployed import DeployedForm, DeployedQuestion, ProtectedAnswers, table_channel
from askance_collect.errors import NotIdentified
from askance_collect.wire.explanations import EvidenceQuestions, read_evidence

RIGHT = "right"
"""The report of a teach-back, and the class of its answers, that is right."""


def find_evidence(
    deployed: DeployedForm, counts: Counts, left_out: Counts | None, level: float, minimum: int
) -> EvidenceFinding | None:
    """Estimate comprehension, carelessness and false admissions, if the form asks for them.

    What fewer reports tell than the form's minimum is withheld, also where fewer were left out; of
    groups all are, where one is.

    >>> from askance.survey import load_survey
    >>> from askance.survey.publish import deploy
    >>> find_evidence(deploy(load_survey("examples/affairs.toml")), Counts(0, {}), None, 0.95, 50)
    """
    form = deployed.form
    if (asked := read_evidence(form.document, form.questions)) is None:
        return None
    by_name = {entry.question.name: entry for entry in deployed.questions}
    teach_back, question = by_name[asked.teach_back], by_name[asked.question]
    assert isinstance(teach_back, ProtectedAnswers)
    assert isinstance(question, ProtectedAnswers)
    guard = _Guard(minimum, level)
    sources = [counts] if left_out is None else [counts, left_out]
    understood = [_tally_understanding(teach_back, source) for source in sources]
    answered = [_tally_by_group(teach_back, question, source) for source in sources]
    everybody = guard.rate("", RIGHT, *map(GroupedTally, understood))
    comprehension, comprehension_p = guard.rate_groups(RIGHT, *understood)
    first = question.channel.frame.answers[0]
    by_group, by_group_p = guard.rate_groups(first, *answered)
    false_positive = None
    if asked.sham is not None:
        sham = by_name[asked.sham]
        assert isinstance(sham, ProtectedAnswers)
        tallies = [_tally(sham.channel, source.values[asked.sham].items()) for source in sources]
        admitted = guard.rate("", asked.innocent, *tallies)
        others = " or ".join(name for name in sham.channel.frame.answers if name != asked.innocent)
        share = None if admitted.share is None else 1 - admitted.share
        false_positive = replace(admitted, answer=others, share=share)
    corrections, untold = _correct(asked, by_name, sources, guard)
    return EvidenceFinding(
        question=asked.question,
        comprehension=(everybody, *comprehension),
        comprehension_p=comprehension_p,
        by_group=by_group,
        by_group_p=by_group_p,
        false_positive=false_positive,
        corrections=corrections,
        untold=untold,
    )


@final
@dataclass(frozen=True, slots=True)
class _Guard:
    """Disclosure rule: a minimum of reports for a share, and for each group that it leaves out."""

    minimum: int
    level: float

    def allows(self, reports: int, left_out: Iterable[int]) -> bool:
        return reports >= max(self.minimum, 1) and not any(
            0 < count < self.minimum for count in left_out
        )

    def rate(
        self, group: str, answer: str, tally: Tally | GroupedTally, *left_out: Tally | GroupedTally
    ) -> EvidenceRate:
        """Estimate the share of an answer, or withhold it."""
        reports = _count(tally)
        figures: tuple[float | None, float | None] = (None, None)
        if self.allows(reports, map(_count, left_out)):
            fit = estimate(tally, level=self.level)
            position = fit.labels.index(answer)
            figures = float(fit.value[position]), float(fit.se[position])
        return EvidenceRate(
            group=group, answer=answer, reports=reports, share=figures[0], se=figures[1]
        )

    def rate_groups(
        self, answer: str, tallies: Mapping[str, Tally], *left_out: Mapping[str, Tally]
    ) -> tuple[tuple[EvidenceRate, ...], float | None]:
        """Estimate the share in each group, and test that groups are equal."""
        rates = tuple(
            self.rate(group, answer, tally, *(others[group] for others in left_out))
            for group, tally in tallies.items()
        )
        if any(rate.share is None for rate in rates):
            return tuple(replace(rate, share=None, se=None) for rate in rates), None
        comparison = compare_groups(GroupedTally(tallies), level=self.level)
        return rates, comparison.p_value


def _count(tally: Tally | GroupedTally) -> int:
    if isinstance(tally, GroupedTally):
        return sum(part.total for part in tally.tallies.values())
    return tally.total


def _tally(channel: Channel, counts: Iterable[tuple[object, int]]) -> Tally:
    """Tally the reports to one question by their positions, without blanks."""
    reports: Counter[str] = Counter()
    for value, count in counts:
        if isinstance(value, int):
            reports[channel.reports[value]] += count
    return Tally(channel, reports)


def _find_groups(teach_back: ProtectedAnswers) -> list[tuple[str, int]]:
    """The group of each report to the teach-back, and the report's position in it."""
    return [
        (group.name, position)
        for group in teach_back.question.groups
        for position in range(group.reports)
    ]


def _tally_understanding(teach_back: ProtectedAnswers, counts: Counts) -> dict[str, Tally]:
    """Tally the reports to the teach-back of each group, through its own chances."""
    places = _find_groups(teach_back)
    values = counts.values[teach_back.question.name].items()
    return {
        group.name: _tally(
            table_channel(own),
            [
                (places[value][1], count)
                for value, count in values
                if isinstance(value, int) and places[value][0] == group.name
            ],
        )
        for group, own in zip(
            teach_back.question.groups, teach_back.question.group_questions, strict=True
        )
    }


def _tally_by_group(
    teach_back: ProtectedAnswers, question: ProtectedAnswers, counts: Counts
) -> dict[str, Tally]:
    """Tally the reports to the sensitive question of each group of the teach-back."""
    places = _find_groups(teach_back)
    pairs = counts.pairs.get((teach_back.question.name, question.question.name), {})
    return {
        group.name: _tally(
            question.channel,
            [
                (report, count)
                for (value, report), count in pairs.items()
                if isinstance(value, int) and places[value][0] == group.name
            ],
        )
        for group in teach_back.question.groups
    }


def _correct(
    asked: EvidenceQuestions,
    by_name: Mapping[str, DeployedQuestion],
    sources: list[Counts],
    guard: _Guard,
) -> tuple[dict[str, InattentionCorrection], dict[str, str]]:
    """Correct the shares by the anchor and by the sham."""
    corrections, untold = {}, {}
    for name in filter(None, (asked.anchor, asked.sham)):
        question, other = by_name[asked.question], by_name[name]
        assert isinstance(question, ProtectedAnswers)
        assert isinstance(other, ProtectedAnswers)
        shares: dict[str, object] = {asked.innocent: 1}
        if name == asked.anchor:
            rest = [
                answer for answer in other.channel.frame.answers if answer != asked.anchor_answer
            ]
            shares = {asked.anchor_answer: asked.anchor_share, rest[0]: 1 - asked.anchor_share}
        pairs = [_pair(question, other, source) for source in sources]
        reports, *left_out = (sum(counted.values()) for counted in pairs)
        if not guard.allows(reports, left_out):
            continue
        try:
            corrections[name] = correct_inattention(
                question.channel,
                other.channel,
                pairs[0],
                anchor_shares=shares,
                level=guard.level,
            )
        except NotIdentified as error:
            untold[name] = str(error.got)
    return corrections, untold


def _pair(
    question: ProtectedAnswers, other: ProtectedAnswers, counts: Counts
) -> dict[tuple[str, str], int]:
    """Count each pair of reports by their names, without blanks."""
    pairs = counts.pairs.get((question.question.name, other.question.name), {})
    return {
        (question.channel.reports[first], other.channel.reports[second]): count
        for (first, second), count in pairs.items()
        if isinstance(first, int) and isinstance(second, int)
    }
