"""Estimate every question of a form from its counted reports.

`analyse` gives a `Finding` for each question, `reported_ranges` hands reports to other estimators.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from askance.analysis.evidence_findings import find_evidence
from askance.analysis.form_notes import find_right_answers, write_notes
from askance.analysis.form_results import (
    Analysis,
    AttentionCheck,
    ChecklistFinding,
    Finding,
    QuestionEstimate,
    TickedShare,
)
from askance.analysis.question_analysis import prepare_analysis, sum_shares_with, tally_items
from askance.channels.channel import Channel
from askance.channels.combine import two_questions
from askance.channels.ranges import Ranges
from askance.channels.tally import Tally
from askance.engines.counts import Counts
from askance.inference.line.cells import LineEstimate, empty_estimate
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate
from askance.survey.deployed import (
    DeployedForm,
    DeployedQuestion,
    answers_channel,
    deployed,
    minimum_of,
)
from askance.survey.random_ranges import ProtectedNumber
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.wire.form import Checklist, Form, pairs_of, unpiped
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import Choice, ReportCounts, TableQuestion, Value, sent_of

if TYPE_CHECKING:
    from askance.inference.regression.coefficients import Margins

_TOGETHER = "\nAll that was ticked, taken together"
"""What stands below a list that was sent as one report, beside its items by themselves."""


@checked
def analyse(
    form: Form,
    counts: Counts,
    *,
    level: float = 0.95,
    command: str = "",
    data_fingerprint: str = "",
    truth: Mapping[str, Mapping[str, float]] | None = None,
) -> Analysis:
    """Estimate every question of a form from its counted reports.

    Channels are taken from the form: what was deployed is what is inverted.

    Parameters
    ----------
    form : Form
    counts : Counts
        From `askance.engines.count.count_reports`.
    level : float in (0, 1)
    command, data_fingerprint : str
        How to compute this again, and from what.
    truth : mapping, optional
        By question and label, for a rehearsal.

    Raises
    ------
    InputError
        If the level is not in (0, 1).
    """
    return analyse_deployed(
        DeployedForm.of(form),
        counts,
        level=level,
        command=command,
        data_fingerprint=data_fingerprint,
        truth=truth,
    )


def analyse_deployed(
    deployed: DeployedForm,
    counts: Counts,
    *,
    level: float = 0.95,
    command: str = "",
    data_fingerprint: str = "",
    truth: Mapping[str, Mapping[str, float]] | None = None,
    left_out: Counts | None = None,
) -> Analysis:
    """Estimate every question of a form whose questions are built already.

    Where a question has fewer than the minimum of reports among those left out, its estimate is
    withheld: subtracting it from the estimate of everybody would reveal these few.
    """
    if not 0 < level < 1:
        raise InputError("level", got=level, allowed="a probability in (0, 1)")
    form, truths = deployed.form, dict[str, Any](truth or {})
    for name, shares in truths.items():
        refuse_unknown("analyse.truth", name, [question.name for question in form.questions])
        if not isinstance(shares, Mapping):
            where, allowed = f"analyse.truth[{name!r}]", "a mapping of labels to numbers"
            raise InputError(where, got=shares, allowed=allowed)
    findings = _estimate_questions(deployed, counts, level, truths)
    if left_out is not None:
        minimum = minimum_of(form)
        findings = tuple(_withhold_if_revealing(finding, left_out, minimum) for finding in findings)
    all_counts = counts if left_out is None else counts + left_out
    return Analysis(
        form=form,
        reports=counts.reports,
        command=command,
        form_fingerprint=form.fingerprint,
        data_fingerprint=data_fingerprint,
        findings=findings,
        lists=_estimate_lists(deployed, findings, (counts, left_out), level),
        attention=count_attention(form, all_counts.values),
        evidence=find_evidence(deployed, counts, left_out, level, minimum_of(form)),
        left_out=0 if left_out is None else left_out.reports,
        fieldwork=all_counts.fieldwork,
    )


def _estimate_questions(
    deployed: DeployedForm, counts: Counts, level: float, truths: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Estimate each question by itself, in the order of the form."""
    form, minimum = deployed.form, minimum_of(deployed.form)
    return tuple(
        _estimate_question(
            question,
            counts.values[published.name],
            minimum,
            level,
            truths.get(published.name),
            notes,
            not_asked=_count_not_asked(form, counts, published.name),
        )
        for published, question, notes in zip(
            form.questions, deployed.questions, write_notes(deployed), strict=True
        )
    )


def count_attention(
    form: Form, values: Mapping[str, Mapping[Value, int]]
) -> tuple[AttentionCheck, ...]:
    """Count who paid attention, question by question.

    >>> from askance.survey import load_survey, publish
    >>> count_attention(publish(load_survey("examples/affairs.toml")), {})
    ()
    """
    checks = []
    for name, position in find_right_answers(form).items():
        counts = values[name]
        blank, passed = counts.get(None, 0), counts.get(position, 0)
        question = form.question(name)
        assert isinstance(question, Choice)
        checks.append(
            AttentionCheck(
                question=name,
                correct_answer=question.answers[position].name,
                passed=passed,
                failed=sum(counts.values()) - passed - blank,
                blank=blank,
            )
        )
    return tuple(checks)


def _count_not_asked(form: Form, counts: Counts, name: str) -> int:
    """Count the blanks of people who skipped a question by a rule that sends nothing."""
    rules = [rule for rule in form.skips if form.questions[rule.question].name == name]
    earlier = [counts.values[form.questions[rule.after].name] for rule in rules]
    return sum(
        count
        for rule, replies in zip(rules, earlier, strict=True)
        for reply, count in replies.items()
        if rule.send is None and isinstance(reply, int) and reply in rule.answered
    )


def _withhold_if_revealing(finding: Finding, left_out: Counts, minimum: int) -> Finding:
    """Withhold an estimate if subtracting it from everybody's reveals a few people left out."""
    few = 0 < sum(sent_of(left_out.values[finding.name]).values()) < minimum
    return replace(finding, suppressed=finding.suppressed or few)


def _estimate_question(
    question: DeployedQuestion,
    values: Mapping[Value, int],
    minimum: int,
    level: float,
    truth: Mapping[str, float] | None,
    notes: tuple[str, ...],
    *,
    not_asked: int,
) -> Finding:
    total, n = sum(values.values()), sum(sent_of(values).values())
    not_asked = min(not_asked, total - n)  # a forged report may answer what was not asked
    learnt = prepare_analysis(question).learn(values, level)
    numerator, denominator = question.question.blank
    return Finding(
        name=question.question.name,
        text=unpiped(in_first_language(question.question.text))
        + _TOGETHER * (getattr(question.question, "checkbox_count", 0) > 0),
        kind=question.question.kind,
        protected=bool(question.guarantees),
        reports=n,
        blank=total - n - not_asked,
        expected_blank=total * numerator / denominator,
        estimate=_widen_intervals(learnt.estimate) if learnt.fit.doubted else learnt.estimate,
        sentences=(*question.sentences(), *notes),
        guarantees=question.guarantees,
        truth=truth,
        suppressed=n < minimum,
        assumed_population=question.assumed_population if question.guarantees else "",
        fit=learnt.fit,
        manipulation=learnt.manipulation,
        report_kind=question.report_kind,
        wording=question.wording,
        left_open=learnt.left_open,
        tally=learnt.tally,
        by_answer=question.by_answer,
        not_asked=not_asked,
        difference_in_means=_widen_difference(learnt),
    )


def _widen_difference(learnt: QuestionEstimate) -> "Margins | None":
    """Widen the interval of a difference in means to [0, 1] where reports can mislead."""
    difference = learnt.difference_in_means
    if difference is None or not learnt.fit.doubted:
        return difference
    return replace(difference, lower=np.zeros(1), upper=np.ones(1))


def _widen_intervals(estimate: Estimate | LineEstimate) -> Estimate | LineEstimate:
    """Widen every interval to all possible values: misleading reports follow no known law."""
    nothing = float("nan")
    if isinstance(estimate, Estimate):
        k = len(estimate.labels)
        worth = np.full(k, nothing)
        return replace(estimate, lower=np.zeros(k), upper=np.ones(k), effective_sample_size=worth)
    wide = empty_estimate(estimate.ticks, estimate.level, estimate.unit, integer=estimate.integer)
    first, last = wide.lower, wide.upper
    quantiles = {
        share: (first, middle, last) for share, (_, middle, _) in estimate.quantiles.items()
    }
    return replace(
        estimate,
        lower=first,
        upper=last,
        band_lower=wide.band_lower,
        band_upper=wide.band_upper,
        quantiles=quantiles,
        effective_sample_size=nothing,
    )


def _estimate_lists(
    deployed: DeployedForm,
    findings: Sequence[Finding],
    counts: tuple[Counts, Counts | None],
    level: float,
) -> tuple[ChecklistFinding, ...]:
    """Collect the findings of each multi-select list, in the order of the form."""
    form, channels = deployed.form, list(map(answers_channel, deployed.questions))
    lists = {
        checklist.first_question: _estimate_items(
            checklist, findings, channels, counts, level, minimum_of(form)
        )
        for checklist in form.checklists
    }
    for index, question in enumerate(form.questions):
        channel = channels[index]
        if isinstance(question, TableQuestion) and question.checkbox_count and channel is not None:
            report_counts = sent_of(counts[0].values[question.name])
            lists[index] = _estimate_whole_list(
                question, findings[index], channel, report_counts, level
            )
    return tuple(lists[index] for index in sorted(lists))


def _estimate_items(
    checklist: Checklist,
    findings: Sequence[Finding],
    channels: Sequence[Channel | None],
    counts: tuple[Counts, Counts | None],
    level: float,
    minimum: int,
) -> ChecklistFinding:
    """Collect the estimates of the items, and estimate pairs from their joint reports."""
    item_findings = [findings[index] for index in checklist.question_positions]
    items = list(map(in_first_language, checklist.items))
    shares = []
    for item, finding in zip(items, item_findings, strict=True):
        assert isinstance(finding.estimate, Estimate)
        status = finding.reports, finding.suppressed, finding.fit.doubted
        truth = (finding.truth or {}).get("yes")
        shares.append(_take_share([item], finding.estimate, 0, *status, truth=truth))
    pairs = []
    for pair in pairs_of(len(items)):
        first, second = (item_findings[n] for n in pair)
        names = first.name, second.name
        pair_channels = [channels[checklist.first_question + n] for n in pair]
        pair_counts = [source.pairs.get(names) for source in counts if source is not None]
        if pair_counts[0] is None:
            continue
        tally, *others = (_tally_pairs(pair_channels, replies or {}) for replies in pair_counts)
        few = tally.total < minimum or any(0 < other.total < minimum for other in others)
        few |= first.suppressed or second.suppressed
        status = tally.total, few, first.fit.doubted or second.fit.doubted
        pair_estimate = estimate(tally, level=level)
        pairs.append(_take_share([items[n] for n in pair], pair_estimate, 0, *status))
    return ChecklistFinding(
        text=in_first_language(checklist.text),
        questions=tuple(finding.name for finding in item_findings),
        items=tuple(shares),
        pairs=tuple(pairs),
        level=level,
    )


def _tally_pairs(
    channels: Sequence[Channel | None], counts: Mapping[tuple[Value, Value], int]
) -> Tally:
    """Tally the joint reports to two questions, without blanks."""
    first, second = (channel for channel in channels if channel is not None)
    pair, width = two_questions(first, second), len(second.reports)
    counted = {
        pair.reports[first_report * width + second_report]: count
        for (first_report, second_report), count in counts.items()
        if type(first_report) is int and type(second_report) is int
    }
    return Tally(pair, counted)


def _estimate_whole_list(
    question: TableQuestion,
    finding: Finding,
    channel: Channel,
    report_counts: ReportCounts,
    level: float,
) -> ChecklistFinding:
    """Estimate each item and each pair from reports of the whole list."""
    truth, doubted = finding.truth, finding.fit.doubted
    wording = [in_first_language(item.wording) for item in question.items]

    def estimate_share(indices: Sequence[int]) -> TickedShare | None:
        tally = tally_items(channel, indices, report_counts)
        if tally is None:
            return None
        true_share = None if truth is None else sum_shares_with(question, indices, truth)
        estimated = estimate(tally, level=level)
        items = [wording[item] for item in indices]
        status = finding.reports, finding.suppressed, doubted
        return _take_share(items, estimated, -1, *status, truth=true_share)

    one_by_one = (estimate_share([index]) for index in range(question.checkbox_count))
    two_by_two = (estimate_share(pair) for pair in pairs_of(question.checkbox_count))
    return ChecklistFinding(
        text=in_first_language(question.text),
        questions=(question.name,),
        items=tuple(share for share in one_by_one if share is not None),
        pairs=tuple(share for share in two_by_two if share is not None),
        level=level,
    )


def _take_share(
    items: Sequence[str],
    estimated: Estimate,
    index: int,
    reports: int,
    suppressed: bool,
    doubted: bool,
    *,
    truth: float | None = None,
) -> TickedShare:
    """Take one answer's share of an estimate; doubted reports get the widest interval."""
    if doubted:
        sure = _widen_intervals(estimated)
        assert isinstance(sure, Estimate)
        estimated = sure
    return TickedShare(
        items=tuple(items),
        reports=reports,
        share=float(estimated.value[index]),
        se=float(estimated.se[index]),
        lower=float(estimated.lower[index]),
        upper=float(estimated.upper[index]),
        effective_sample_size=float(estimated.effective_sample_size[index]),
        suppressed=suppressed,
        truth=truth,
    )


@checked
def reported_ranges(form: Form, counts: Counts, question: str) -> Ranges:
    """Interval-censored data of a numeric question: its distinct ranges, with their counts.

    Parameters
    ----------
    form : Form
    counts : Counts
        What `count_reports` found in the store; blanks are left out.
    question : str
        The name of a question that was asked by ranges.

    Returns
    -------
    Ranges
        In the unit of the form, with no end where a report has no limit.

    Raises
    ------
    InputError
        If the question is not asked by ranges.
    FormError
        If the form has no such question.

    >>> from askance.survey.survey_file import parse_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Age"
    ... consent = "Voluntary."
    ... [[question]]
    ... name = "age"
    ... text = "How old are you?"
    ... line = { lower = 20, upper = 80, step = 10, unit = "years" }
    ... mechanism = { name = "cuts", number = 1 }
    ... '''))
    >>> counts = Counts(9, {"age": {(0, 2): 3, (2, 6): 5, None: 1}})  # up to the second tick: 40
    >>> reported_ranges(form, counts, "age")
    Ranges((-inf, 40], (40, inf])
    """
    deployed_question = deployed(form.question(question))
    if not isinstance(deployed_question, ProtectedNumber):
        raise InputError(
            "reported_ranges.question",
            got=f"{question!r}, a {deployed_question.question.kind} question",
            allowed="a question asked by cuts or a ring",
            remedy="analyse estimates questions of every kind",
        )
    cells = {cell: n for cell, n in counts.values[question].items() if isinstance(cell, tuple)}
    return deployed_question.channel.ranges(list(cells), list(cells.values()))
