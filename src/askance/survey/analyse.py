"""A form judged before it is asked, and what its reports say: to each question, and to others.

`check` says what each respondent risks and how precise answers will be, `analyse` what was learnt
from counted reports. `reported_ranges` hands reports to other estimators.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.combine import two_questions
from askance.channels.ranges import Ranges
from askance.channels.tally import Tally
from askance.engines.counts import Counts
from askance.errors import InputError, refuse_unknown
from askance.exact.ratio import whole
from askance.inference.line.cells import LineEstimate, nothing_told
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate
from askance.survey.attention import attention_in, right_answers
from askance.survey.deployed import (
    SIZES,
    AbstractDeployed,
    Analysis,
    Check,
    CheckedQuestion,
    CheckedTrait,
    Finding,
    minimum_of,
)
from askance.survey.deployed_answers import PlainAnswers, ProtectedAnswers
from askance.survey.deployed_numbers import ProtectedNumber
from askance.survey.publish import DeployedForm, deployed, led_by_ranges, together, traits_of
from askance.survey.random_ranges import plain
from askance.survey.ticked import (
    ListFinding,
    TickedShare,
    losses_of_items,
    share_with,
    tally_items,
)
from askance.wire.answer_question import Choice, TableQuestion
from askance.wire.checklist import Checklist, pairs_of
from askance.wire.form import Form
from askance.wire.label import said
from askance.wire.pipes import piped_names, unpiped
from askance.wire.question import Question, Sent, Value, sent_of
from askance.wire.text_question import FreeText

_TOGETHER = "\nAll that was ticked, taken together"
"""What stands below a list that was sent as one report, beside its items by themselves."""


@checked
def check(form: Form, sizes: Sequence[int] = SIZES) -> Check:
    """Judge every question of a form, and questions about one trait together.

    Parameters
    ----------
    form : Form
    sizes : sequence of int
        Numbers of reports to give the precision for.

    >>> from askance.survey.survey_file import load_survey
    >>> from askance.survey.random_ranges import plain
    >>> from askance.survey.publish import publish
    >>> judged = check(publish(load_survey("examples/affairs.toml")))
    >>> judged.questions[3].words[-1]
    'What is sent is always true.'
    """
    return judged(DeployedForm.of(form), sizes)


def judged(deployed: DeployedForm, sizes: Sequence[int] = SIZES) -> Check:
    """Judge a form whose questions are built already."""
    sizes = [whole(n, "check.sizes", "numbers of people in [1, ∞)") for n in sizes]
    form, questions = deployed.form, deployed.questions
    sentences = _sent(deployed)
    guarantees = {one.question.name: one.guarantees for one in questions}
    led = led_by_ranges(form)
    traits = tuple(
        CheckedTrait(
            trait,
            names,
            together([guarantees[name] for name in names], led_by_range=not led.isdisjoint(names)),
        )
        for trait, names in traits_of(form).items()
    )
    return Check(
        form.document["title"][deployed.language],
        form.fingerprint,
        tuple(_judged(one, sizes, told) for one, told in zip(questions, sentences, strict=True)),
        traits,
        _warnings(deployed),
    )


def _sent(deployed: DeployedForm) -> list[tuple[str, ...]]:
    """Say of each question what its list loses, how it is come to, and whom it skips."""
    form = deployed.form
    told = [_on_the_way(form, at) for at in range(len(form.questions))]
    for found in form.checklists:
        one = losses_of_items(len(found.items), deployed.questions[found.at].guarantees)
        for at in found.places:
            told[at] = (*one, *told[at])
    names = [question.name for question in form.questions]
    for name, right in right_answers(form).items():
        at = names.index(name)
        (answer,) = _named(form.questions[at], [right])
        told[at] = (*told[at], _CHECKS.format(answer))
    needed = form.needed
    told = [
        (*one, _NEEDED) if question.name in needed else one
        for question, one in zip(form.questions, told, strict=True)
    ]
    for quota in form.quotas:
        (answer,) = _named(form.questions[quota.question], [quota.answer])
        full = _QUOTA.format(f"{quota.most:,}", answer)
        told[quota.question] = (*told[quota.question], full)
    for skip in form.skips:
        asked, after = form.questions[skip.question], form.questions[skip.after]
        send = "nothing"
        if skip.send is not None:
            send = f"“{_named(asked, [skip.send])[0]}”, as any answer,"
        given = " or ".join(f"“{one}”" for one in _named(after, skip.answered))
        told[skip.question] = (
            *told[skip.question],
            f"Not asked of whoever answers {given} to {after.name}: {send} is sent for them.",
        )
    return told


def _on_the_way(form: Form, at: int) -> tuple[str, ...]:
    """Say that a question begins a section that chance orders, and what is piped into its text."""
    document, told = form.document, []
    sections = document.get("sections", ())
    ends = [*(one["at"] for one in sections[1:]), len(form.questions)]
    for one, end in zip(sections, ends, strict=True) if sections else ():
        if one["at"] == at and "order" in one and end > at + 1:
            told.append(_ORDER.format(one["title"][form.languages[0]], end - at))
    asked = document["questions"][at]
    if "piped" in asked:
        named = dict.fromkeys(chain.from_iterable(map(piped_names, asked["text"].values())))
        told.append(_PIPED.format(" and ".join(named)))
    return tuple(told)


_ORDER = (
    "It begins section “{}”: each device asks the {} questions of it in an order by chance, which "
    "is not sent. That averages out what comes of standing first, and nobody can study it."
)
_PIPED = (
    "What was answered to {} stands in its text, where whoever looks at the screen can read it; "
    "the device puts it there, and nothing is sent for it."
)
_QUOTA = (
    "Once {} reports say “{}”, whoever answers so is turned away, and nothing is sent. Who began "
    "before that is counted too."
)
_CHECKS = (
    "It checks attention: “{}” is right. That decides nothing on the device; estimates are made "
    "with those who fail and without."
)
_NEEDED = "An answer is required: the page offers none to leave it out."


def _named(question: Question, answers: Sequence[int]) -> list[str]:
    """Name answers: each by its name, or numbers that follow each other from one to the last."""
    if isinstance(question, Choice | TableQuestion):
        return [question.answers[at].name for at in answers]
    assert not isinstance(question, FreeText)  # no rule names what somebody writes
    runs = [answers] if isinstance(answers, range) else _runs(answers)
    ends = ((question.numbers(run[0])[0], question.numbers(run[-1])[1]) for run in runs)
    told = (dict.fromkeys(map(plain, both)) for both in ends)
    return [f"{' to '.join(one)} {said(question.unit)}".rstrip() for one in told]


def _runs(numbers: Sequence[int]) -> list[Sequence[int]]:
    """Part numbers where one does not follow the other."""
    runs: list[list[int]] = []
    for at in sorted(numbers):
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [*runs]


def _judged(
    one: AbstractDeployed, sizes: Sequence[int], skipped: tuple[str, ...]
) -> CheckedQuestion:
    n = sizes[len(sizes) // 2] if sizes else SIZES[1]
    widths = one.precision(sizes)
    return CheckedQuestion(
        one.question.name,
        unpiped(said(one.question.text)),
        one.question.kind,
        (*one.sentences(), *skipped),
        one.guarantees,
        tuple(zip(sizes, widths, strict=True)) if widths else (),
        one.preview(),
        one.spread,
        one.protection(),
        one.moved(max(n // 10, 1), n),
        one.by_answer,
    )


def _warnings(deployed: DeployedForm) -> tuple[str, ...]:
    questions = deployed.questions
    told = [one.blank_warning for one in questions] + [one.mean_warning for one in questions]
    told = [*filter(None, told), *deployed.rounding_notes]
    if plain := [one.question.name for one in questions if not one.guarantees]:
        told.append(
            f"Asked plainly, and kept as given: {', '.join(plain)}. Together with other answers "
            "they can single a person out in a small population."
        )
    choices = [
        one.question.name
        for one in questions
        if isinstance(one.question, Choice) and not one.guarantees
    ]
    if choices and (minimum := minimum_of(deployed.form)) > 1:
        told.append(
            f"Groups by {' or '.join(choices)} with fewer than {minimum:,} reports are withheld, "
            "and any that would reveal such a group. Decide now which to merge (`--join`)."
        )
    needed = deployed.form.needed
    if forced := [
        one.question.name for one in questions if one.guarantees and one.question.name in needed
    ]:
        told.append(
            f"Required, though protected: {', '.join(forced)}. Whoever would rather not answer can "
            "only answer falsely, or leave the survey; both bend the estimate."
        )
    texts = [one.question.name for one in questions if isinstance(one.question, FreeText)]
    if texts and any(one.guarantees for one in questions):
        told.append(
            f"What people write can name them, and tell what chance hides: {', '.join(texts)}. "
            "Whoever runs the collector holds it in one report with what is protected. Ask for "
            "texts in a survey of their own, or leave them out."
        )
    return tuple(told)


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
    return analysed(
        DeployedForm.of(form),
        counts,
        level=level,
        command=command,
        data_fingerprint=data_fingerprint,
        truth=truth,
    )


def analysed(
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

    Of reports that are left out, of a question too few of whom would be told by subtracting what is
    estimated from what is estimated of all, its estimate is withheld.
    """
    if not 0 < level < 1:
        raise InputError("level", got=level, allowed="a probability in (0, 1)")
    form, known = deployed.form, dict[str, Any](truth or {})
    for name, told in known.items():
        refuse_unknown("analyse.truth", name, [question.name for question in form.questions])
        if not isinstance(told, Mapping):
            where, allowed = f"analyse.truth[{name!r}]", "a mapping of labels to numbers"
            raise InputError(where, got=told, allowed=allowed)
    findings = _findings(deployed, counts, level, known)
    if left_out is not None:
        minimum = minimum_of(form)
        findings = tuple(_withheld_beside(one, left_out, minimum) for one in findings)
    whole = counts if left_out is None else counts + left_out
    return Analysis(
        form=form,
        reports=counts.reports,
        command=command,
        form_fingerprint=form.fingerprint,
        data_fingerprint=data_fingerprint,
        findings=findings,
        lists=_lists_found(form, findings, _channels(deployed), (counts, left_out), level),
        attention=attention_in(form, whole.values),
        left_out=0 if left_out is None else left_out.reports,
        fieldwork=whole.fieldwork,
    )


def _findings(
    deployed: DeployedForm, counts: Counts, level: float, known: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Estimate each question by itself, in the order of the form."""
    form, minimum = deployed.form, minimum_of(deployed.form)
    return tuple(
        _finding(
            one,
            counts.values[asked.name],
            minimum,
            level,
            known.get(asked.name),
            skipped,
            not_asked=_count_not_asked(form, counts, asked.name),
        )
        for asked, one, skipped in zip(
            form.questions, deployed.questions, _sent(deployed), strict=True
        )
    )


def _count_not_asked(form: Form, counts: Counts, name: str) -> int:
    """Count the blanks of people to whom a skip rule that sends nothing did not put a question."""
    rules = [rule for rule in form.skips if form.questions[rule.question].name == name]
    earlier = [counts.values[form.questions[rule.after].name] for rule in rules]
    return sum(
        count
        for rule, replies in zip(rules, earlier, strict=True)
        for reply, count in replies.items()
        if rule.send is None and isinstance(reply, int) and reply in rule.answered
    )


def _withheld_beside(found: Finding, left_out: Counts, minimum: int) -> Finding:
    """Withhold an estimate if that of all people tells by subtraction of few who are left out."""
    few = 0 < sum(sent_of(left_out.values[found.name]).values()) < minimum
    return replace(found, suppressed=found.suppressed or few)


def _channels(deployed: DeployedForm) -> list[Channel | None]:
    """The channel of each question with answers."""
    kinds = PlainAnswers | ProtectedAnswers
    return [one.channel if isinstance(one, kinds) else None for one in deployed.questions]


def _finding(
    one: AbstractDeployed,
    values: Mapping[Value, int],
    minimum: int,
    level: float,
    truth: Mapping[str, float] | None,
    skipped: tuple[str, ...],
    *,
    not_asked: int,
) -> Finding:
    total, n = sum(values.values()), sum(sent_of(values).values())
    not_asked = min(not_asked, total - n)  # a forged report may answer what was not asked
    learnt, (units, of) = one.learn(values, level), one.question.blank
    return Finding(
        name=one.question.name,
        text=unpiped(said(one.question.text)) + _TOGETHER * (getattr(one.question, "ticks", 0) > 0),
        kind=one.question.kind,
        protected=bool(one.guarantees),
        reports=n,
        blank=total - n - not_asked,
        expected_blank=total * units / of,
        estimate=_unsure(learnt.estimate) if learnt.fit.doubted else learnt.estimate,
        sent=(*one.sentences(), *skipped),
        guarantees=one.guarantees,
        truth=truth,
        suppressed=n < minimum,
        spread=one.spread if one.guarantees else "",
        fit=learnt.fit,
        manipulation=learnt.moved,
        way=one.way,
        wording=one.wording,
        left_open=learnt.left_open,
        tally=learnt.tally,
        by_answer=one.by_answer,
        not_asked=not_asked,
    )


def _unsure(found: Estimate | LineEstimate) -> Estimate | LineEstimate:
    """Let every interval span all that is possible: what was sent to mislead has no law."""
    nothing = float("nan")
    if isinstance(found, Estimate):
        k = len(found.labels)
        worth = np.full(k, nothing)
        return replace(found, lower=np.zeros(k), upper=np.ones(k), effective_sample_size=worth)
    wide = nothing_told(found.ticks, found.level, found.unit, whole=found.whole)
    first, last = wide.lower, wide.upper
    quantiles = {share: (first, middle, last) for share, (_, middle, _) in found.quantiles.items()}
    return replace(
        found,
        lower=first,
        upper=last,
        band_lower=wide.band_lower,
        band_upper=wide.band_upper,
        quantiles=quantiles,
        effective_sample_size=nothing,
    )


def _lists_found(
    form: Form,
    findings: Sequence[Finding],
    channels: Sequence[Channel | None],
    counts: tuple[Counts, Counts | None],
    level: float,
) -> tuple[ListFinding, ...]:
    """Gather what is learnt of each list to tick, in the order of the form."""
    found = {
        one.at: _by_item(one, findings, channels, counts, level, minimum_of(form))
        for one in form.checklists
    }
    for at, question in enumerate(form.questions):
        channel = channels[at]
        if isinstance(question, TableQuestion) and question.ticks and channel is not None:
            sent = sent_of(counts[0].values[question.name])
            found[at] = _as_one(question, findings[at], channel, sent, level)
    return tuple(found[at] for at in sorted(found))


def _by_item(
    found: Checklist,
    findings: Sequence[Finding],
    channels: Sequence[Channel | None],
    counts: tuple[Counts, Counts | None],
    level: float,
    minimum: int,
) -> ListFinding:
    """Gather the estimates of the items, and estimate pairs from what was sent of both."""
    asked, items = [findings[at] for at in found.places], list(map(said, found.items))
    shares = []
    for item, one in zip(items, asked, strict=True):
        assert isinstance(one.estimate, Estimate)
        found_so = one.reports, one.suppressed, one.fit.doubted
        truth = (one.truth or {}).get("yes")
        shares.append(_share_of([item], one.estimate, 0, *found_so, truth=truth))
    pairs = []
    for at in pairs_of(len(items)):
        first, second = (asked[n] for n in at)
        names, through = (first.name, second.name), [channels[found.at + n] for n in at]
        sent = [one.pairs.get(names) for one in counts if one is not None]
        if sent[0] is None:
            continue
        told, *apart = (_tally_of_both(through, one or {}) for one in sent)
        few = told.total < minimum or any(0 < one.total < minimum for one in apart)
        few |= first.suppressed or second.suppressed
        found_so = told.total, few, first.fit.doubted or second.fit.doubted
        both = estimate(told, level=level)
        pairs.append(_share_of([items[n] for n in at], both, 0, *found_so))
    return ListFinding(
        text=said(found.text),
        questions=tuple(one.name for one in asked),
        items=tuple(shares),
        pairs=tuple(pairs),
    )


def _tally_of_both(
    channels: Sequence[Channel | None], sent: Mapping[tuple[Value, Value], int]
) -> Tally:
    """Count what was sent to two questions as reports of the pair, without a blank of either."""
    first, second = (one for one in channels if one is not None)
    pair, width = two_questions(first, second), len(second.reports)
    counted = {
        pair.reports[one * width + other]: count
        for (one, other), count in sent.items()
        if type(one) is int and type(other) is int
    }
    return Tally(pair, counted)


def _as_one(
    question: TableQuestion,
    finding: Finding,
    channel: Channel,
    sent: Sent,
    level: float,
) -> ListFinding:
    """Estimate each item, and each two, from reports of the whole list, as seen of these."""
    truth, doubted = finding.truth, finding.fit.doubted
    wording = [said(one.wording) for one in question.items]

    def seen_of(at: Sequence[int]) -> TickedShare | None:
        tally = tally_items(channel, at, sent)
        if tally is None:
            return None
        known = None if truth is None else share_with(question, at, truth)
        found = estimate(tally, level=level)
        items, found_so = (
            [wording[item] for item in at],
            (finding.reports, finding.suppressed, doubted),
        )
        return _share_of(items, found, -1, *found_so, truth=known)

    one_by_one = (seen_of([at]) for at in range(question.ticks))
    two_by_two = (seen_of(at) for at in pairs_of(question.ticks))
    return ListFinding(
        text=said(question.text),
        questions=(question.name,),
        items=tuple(one for one in one_by_one if one is not None),
        pairs=tuple(one for one in two_by_two if one is not None),
    )


def _share_of(
    items: Sequence[str],
    estimated: Estimate,
    at: int,
    reports: int,
    suppressed: bool,
    doubted: bool,
    *,
    truth: float | None = None,
) -> TickedShare:
    """Take one answer's share of an estimate; of doubted reports nothing is sure."""
    if doubted:
        sure = _unsure(estimated)
        assert isinstance(sure, Estimate)
        estimated = sure
    return TickedShare(
        items=tuple(items),
        reports=reports,
        share=float(estimated.value[at]),
        se=float(estimated.se[at]),
        lower=float(estimated.lower[at]),
        upper=float(estimated.upper[at]),
        effective_sample_size=float(estimated.effective_sample_size[at]),
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
    >>> from askance.survey.random_ranges import plain
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
    asked = deployed(form.question(question))
    if not isinstance(asked, ProtectedNumber):
        raise InputError(
            "reported_ranges.question",
            got=f"{question!r}, a {asked.question.kind} question",
            allowed="a question asked by cuts or a ring",
            remedy="analyse estimates questions of every kind",
        )
    cells = {cell: n for cell, n in counts.values[question].items() if isinstance(cell, tuple)}
    return asked.channel.ranges(list(cells), list(cells.values()))
