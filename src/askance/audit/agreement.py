"""Tests beyond the loss: of the stated law of the reports, and for side channels.

Each check is one exact test, whatever the number of draws: binomial where chances are stated,
Fisher's where two kinds of draws are compared. What is compared is chosen on the first half of
the draws and tested on the second. Together they raise a false alarm as seldom as is stated (Holm).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.audit.events import (
    best_difference,
    binomial_upper_tail,
    fisher_upper_tail,
    telling_pairs,
    two_sided,
)
from askance.audit.loss_bounds import AuditSample
from askance.audit.reports_by_cell import ReportCells
from askance.channels.channel import Channel
from askance.typing import Booleans, Floats, Integers

NOT_COMPARED = "too few draws alike to compare"
"""What is told of a check for which there was nothing to compare."""

_TRACE_CELLS = 16
_MOST_PLACES = 64  # reports among which a trace is looked at
_LOOKED_AT = 42  # ordered pairs of kinds of draws that are compared
_TOO_FEW = 20  # draws of one kind in a half, below which nothing is compared


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCheck:
    """One test of a mechanism, with its p-value.

    Attributes
    ----------
    name : str
    claim : str
        What must hold, in a sentence.
    observed : str
        Where it seems broken most, in words, or that too few draws were alike to compare.
    p_value : float
        Exact, for this check by itself.
    is_violated : bool
        Whether it fails beside all other checks, by Holm's step-down.

    >>> AuditCheck(name="place", claim="reports of a place", observed="", p_value=0.3).is_violated
    False
    """

    name: str
    claim: str
    observed: str
    p_value: float
    is_violated: bool = False


def holm(checks: Sequence[AuditCheck], alpha: float) -> tuple[AuditCheck, ...]:
    """Say which checks fail, with at most this chance of a false alarm among all: Holm (1979).

    >>> parts = {"claim": "", "observed": ""}
    >>> checks = [AuditCheck(name=p, p_value=float(p), **parts) for p in (".004", ".2")]
    >>> [check.is_violated for check in holm(checks, 0.01)]
    [True, False]
    """
    order = sorted(range(len(checks)), key=lambda i: checks[i].p_value)
    failed: set[int] = set()
    for rank, i in enumerate(order):
        if checks[i].p_value > alpha / (len(checks) - rank):
            break
        failed.add(i)
    return tuple(
        AuditCheck(
            name=check.name,
            claim=check.claim,
            observed=check.observed,
            p_value=check.p_value,
            is_violated=i in failed,
        )
        for i, check in enumerate(checks)
    )


def law_checks(sample: AuditSample, channel: Channel) -> Iterator[AuditCheck]:
    """Test whether reports follow the law that is stated, answer by answer."""
    cells, chances = sample.reading.every, _stack_chances(channel)
    begun, counts = sample.halves(cells)
    yield _check_possible(sample, begun + counts, chances, cells)
    yield _check_each_chance(sample, begun + counts, chances, cells)
    yield _check_jointly(sample, (begun, counts), chances, cells)


def _stack_chances(channel: Channel) -> Floats:
    """The stated chances, with a zero column for any other report."""
    return np.column_stack([channel.matrix, np.zeros(len(channel.frame))])


def _check_possible(
    sample: AuditSample, counts: Integers, chances: Floats, cells: ReportCells
) -> AuditCheck:
    impossible = np.argwhere((counts > 0) & (chances == 0))
    worst = ""
    if len(impossible):
        answer, cell = impossible[int(np.argmax(counts[tuple(impossible.T)]))]
        many = int(counts[answer, cell])
        worst = f"“{cells.names[cell]}” {many:,} times from “{sample.answers[answer]}”"
    return AuditCheck(
        name="possible reports",
        claim="no answer sends a report that it cannot",
        observed=worst,
        p_value=0.0 if len(impossible) else 1.0,
    )


def _check_each_chance(
    sample: AuditSample, counts: Integers, chances: Floats, cells: ReportCells
) -> AuditCheck:
    draws = counts.sum(axis=1, keepdims=True)
    values = np.where(chances > 0, two_sided(counts, draws, chances), 1.0)
    answer, cell = np.unravel_index(int(np.argmin(values)), values.shape)
    many = int((chances > 0).sum())
    observed, stated = counts[answer, cell] / draws[answer, 0], chances[answer, cell]
    return AuditCheck(
        name="each chance",
        claim="every report is as frequent as is stated",
        observed=f"“{cells.names[cell]}” from “{sample.answers[answer]}”: {observed:.4f}, "
        f"stated {stated:.4f}",
        p_value=float(min(1.0, many * values[answer, cell])),
    )


def _check_jointly(
    sample: AuditSample, halves: tuple[Integers, Integers], chances: Floats, cells: ReportCells
) -> AuditCheck:
    """Test the reports together that were too frequent on the first half, for each answer."""
    begun, counts = halves
    values, tested = [], []
    for first, then, stated in zip(begun, counts, chances, strict=True):
        chosen = first > first.sum() * stated
        tested.append(chosen)
        chance = min(1.0, float(stated[chosen].sum()))
        values.append(binomial_upper_tail(int(then[chosen].sum()), int(then.sum()), chance))
    worst = int(np.argmin(values))
    share = counts[worst][tested[worst]].sum() / counts[worst].sum()
    stated = chances[worst][tested[worst]].sum()
    return AuditCheck(
        name="chances together",
        claim="reports that seemed too frequent are not so on fresh draws",
        observed=f"{cells.describe(tested[worst])} from “{sample.answers[worst]}”: {share:.4f}, "
        f"stated {stated:.4f}",
        p_value=min(1.0, len(values) * values[worst]),
    )


def order_checks(sample: AuditSample, size_of_run: int) -> Iterator[AuditCheck]:
    """Test whether reports depend on anything but their own answer: others, or their place."""
    cells, places = sample.reading.every, sample.places
    run = np.arange(len(places)) % size_of_run
    within = np.ones(len(places), dtype=bool)
    before, after = np.roll(places, 1), np.roll(places, -1)
    for name, claim, label, among in (
        ("answer before", "no report depends on the answer before", before, run > 0),
        ("answer after", "no report depends on the answer after", after, run < size_of_run - 1),
        ("place", "no report depends on how early it is asked", run * 4 // size_of_run, within),
    ):
        yield _compare_cells(sample, cells, (name, claim), label.astype(np.int64), among)


def joint_checks(
    sample: AuditSample, size_of_run: int, others: Mapping[str, Sequence[str]]
) -> Iterator[AuditCheck]:
    """Test whether reports are independent given their own answers.

    Of one another, 1 to 8 apart in a run: what is compared are the reports of draws between which
    lie as many as their distance, beside the answer and report of the draw before. No report is
    compared and compared with, so that Fisher's test is exact. And of the answers to, and reports
    of, other questions that the same person was asked.
    """
    by_lag = [
        check
        for lag in range(1, _FARTHEST + 1)
        for check in _check_distance(sample, lag, size_of_run)
    ]
    yield _take_surest(
        by_lag, "reports together", f"no report depends on the {_FARTHEST} reports before it"
    )
    if others:
        by_question = [_check_question(sample, name, column) for name, column in others.items()]
        yield _take_surest(
            by_question,
            "other questions",
            "no report depends on what was answered or sent elsewhere",
        )


_FARTHEST = 8
_KINDS = 8  # reports of another draw, or answers and reports of another question
_ELSE = "anything else"


def _take_surest(checks: Sequence[AuditCheck], name: str, claim: str) -> AuditCheck:
    """The surest of several checks, its p-value times their number (Bonferroni)."""
    best = min(checks, key=lambda check: check.p_value)
    compared = [check for check in checks if check.observed != NOT_COMPARED]
    p_value = min(1.0, max(len(compared), 1) * best.p_value)
    return AuditCheck(name=name, claim=claim, observed=best.observed, p_value=p_value)


def _check_distance(sample: AuditSample, lag: int, size_of_run: int) -> Iterator[AuditCheck]:
    """Test the dependence of reports at a lag: by the modal report, and by all reports."""
    cells, heading = sample.reading.every, ("reports together", "")
    among, before = _pair_draws(len(sample.places), lag, size_of_run)
    counts = cells.counts(sample.places, sample.first, len(sample.answers))
    likeliest = (counts.argmax(axis=1)[sample.places] == cells.index).astype(np.int64)
    pooled = AuditSample(
        answers=("any answer",),
        places=np.zeros_like(sample.places),
        first=sample.first,
        reading=sample.reading,
    )
    by_likeliest = ReportCells(
        likeliest, ("an unlikelier report", "the likeliest report of the answer")
    )
    labels = [f"{lag} before came {name}" for name in by_likeliest.names]
    yield _compare_cells(pooled, by_likeliest, heading, likeliest[before], among, labels)
    label, labels = _label_draws(sample, counts.sum(axis=0))
    labels = [f"{lag} before {label}" for label in labels]
    yield _compare_cells(sample, cells, heading, label[before], among, labels)


def _pair_draws(n: int, lag: int, size_of_run: int) -> tuple[Booleans, Integers]:
    """Choose the draws to compare at a lag, and the earlier draw of each.

    In the second half of a run the others are: what goes wrong in pairs goes wrong in one of them.
    """
    position, row = np.arange(n) % size_of_run, np.arange(n)
    late = position >= size_of_run // 2
    phase = (position + lag * late) % (2 * lag)
    before = np.maximum(row - lag, 0)
    return (position >= lag) & (late == late[before]) & (phase >= lag), before


def _label_draws(sample: AuditSample, counts: Integers) -> tuple[Integers, list[str]]:
    """Label each draw by answer and report, both merged into few kinds."""
    cells, k = sample.reading.every, len(sample.answers)
    groups = min(k, _GROUPS)
    often = np.argsort(-counts, kind="stable")[: _KINDS if groups == k else _GROUPS]
    kind = np.full(len(cells.names), len(often))
    kind[often] = np.arange(len(often))
    suffix = " or one near it" * (groups < k)
    answers = [f"“{sample.answers[-(-group * k // groups)]}”{suffix}" for group in range(groups)]
    reports = [*(f"“{cells.names[cell]}”" for cell in often), _ELSE]
    label = sample.places * groups // k * len(reports) + kind[cells.index]
    return label, [f"{report} came from {answer}" for answer in answers for report in reports]


_GROUPS = 4  # of many answers, so that enough draws are alike


def _check_question(sample: AuditSample, name: str, column: Sequence[str]) -> AuditCheck:
    often = [text for text, _ in Counter(column).most_common(_KINDS)]
    codes = {text: code for code, text in enumerate(often)}
    label = np.array([codes.get(text, len(often)) for text in column], dtype=np.int64)
    labels = [f"{name}: {text}" for text in (*often, _ELSE)]
    everybody = np.ones(len(label), dtype=bool)
    return _compare_cells(sample, sample.reading.every, (name, ""), label, everybody, labels)


def collision_check(
    sample: AuditSample, reports: Sequence[str], stated_ratio: float
) -> Iterator[AuditCheck]:
    r"""Test whether two equal reports come from one answer oftener than e^ε allows.

    Of each report that came twice or oftener two draws are looked at. Where each answer was asked
    as often, both are of one answer with a chance of at most

        max over m of (m e^{2ε} + k − m) / (m e^ε + k − m)²,

    k answers of which m are likelier senders: a binomial test. It sees a long report that is made
    of the answer and a short secret, and never comes often enough to be compared by itself.
    """
    if not np.isfinite(stated_ratio):
        return
    rows: dict[str, list[int]] = {}
    for row, report in enumerate(reports):
        rows.setdefault(report, []).append(row)
    pairs = np.array(
        [repeated[:2] for repeated in rows.values() if len(repeated) > 1], dtype=np.int64
    )
    name, claim = "equal reports", "equal reports come from one answer no oftener than ε allows"
    if len(pairs) < _TOO_FEW:
        yield AuditCheck(name=name, claim=claim, observed=NOT_COMPARED, p_value=1.0)
        return
    same = int((sample.places[pairs[:, 0]] == sample.places[pairs[:, 1]]).sum())
    k, likelier = len(sample.answers), np.arange(1, len(sample.answers))
    chances = (likelier * stated_ratio**2 + k - likelier) / (
        likelier * stated_ratio + k - likelier
    ) ** 2
    chance = float(chances.max())
    yield AuditCheck(
        name=name,
        claim=claim,
        observed=f"{same:,} of {len(pairs):,} pairs, where {chance:.4f} of them may be",
        p_value=binomial_upper_tail(same, len(pairs), chance),
    )


def message_checks(sample: AuditSample, messages: Sequence[bytes]) -> Iterator[AuditCheck]:
    """Test whether any byte of a message depends on the answer, given the report."""
    name, claim = (
        "message",
        ("no byte of a message reveals more about the answer than the report does"),
    )
    messages = messages[:_MOST_MESSAGES]
    if not messages or len(set(map(len, messages))) > 1:
        return
    n, width = len(messages), len(messages[0])
    letters = np.frombuffer(b"".join(messages), dtype=np.uint8).reshape(n, width)
    varying = np.flatnonzero((letters != letters[0]).any(axis=0))
    part = AuditSample(
        answers=sample.answers,
        places=sample.places[:n],
        first=sample.first[:n],
        reading=sample.reading,
    )
    reports = sample.reading.every
    by_report = AuditSample(
        answers=reports.names, places=reports.index[:n], first=part.first, reading=sample.reading
    )
    labels = [f"“{answer}”" for answer in sample.answers]
    checks = [
        _compare_cells(
            by_report,
            ReportCells(letters[:, position].astype(np.int64), _BYTES),
            (name, ""),
            part.places,
            by_report.places < reports.single,
            labels,
        )
        for position in varying[_find_telling_positions(part, letters[:, varying])].tolist()
    ]
    if checks:
        yield _take_surest(checks, name, claim)


_MOST_MESSAGES = 1 << 14
_POSITIONS = 4
_BYTES = tuple(f"{chr(code)}" if 32 < code < 127 else f"byte {code}" for code in range(256))


def _find_telling_positions(sample: AuditSample, letters: npt.NDArray[np.uint8]) -> Integers:
    """Find the bytes that differ most between answers with one report, on the first half."""
    largest = np.zeros(letters.shape[1])
    reports = sample.reading.every.index[: len(letters)]
    for report in np.argsort(-np.bincount(reports), kind="stable")[:_POSITIONS].tolist():
        own = sample.first & (reports == report)
        among = [own & (sample.places == answer) for answer in range(len(sample.answers))]
        sizes = np.array([mask.sum() for mask in among])
        first, second = np.argsort(-sizes, kind="stable")[:2]
        if sizes[second] < _TOO_FEW:
            continue
        shares = [_count_byte_shares(letters[among[answer]]) for answer in (first, second)]
        largest = np.maximum(largest, np.abs(shares[0] - shares[1]).sum(axis=1))
    return np.argsort(-largest, kind="stable")[:_POSITIONS]


def _count_byte_shares(letters: npt.NDArray[np.uint8]) -> Floats:
    """The share of each byte at each position: shape (positions, 256)."""
    n, width = letters.shape
    flat = np.arange(width) * 256 + letters
    shares: Floats = np.bincount(flat.ravel(), minlength=width * 256).reshape(width, 256) / n
    return shares


def text_checks(
    sample: AuditSample, texts: Mapping[str, Sequence[str]], few: int = _TOO_FEW
) -> Iterator[AuditCheck]:
    """Test whether texts that come with reports depend on the answer, given the report."""
    for name, column in texts.items():
        often = [text for text, _ in Counter(column).most_common(_TRACE_CELLS)]
        codes = {text: code for code, text in enumerate(often)}
        cell = np.array([codes.get(text, len(often)) for text in column], dtype=np.int64)
        names = (*(f"{name}: {text[:_MAX_LETTERS]}" for text in often), f"{name}: {_ELSE}")
        yield _compare_given_report(sample, name, ReportCells(cell, names), few)


_MAX_LETTERS = 40  # characters of a text


def trace_checks(
    sample: AuditSample, traces: dict[str, Floats], constant: Sequence[str]
) -> Iterator[AuditCheck]:
    """Test whether lengths, times and other traces depend on the answer, given the report."""
    for name, values in traces.items():
        if name in constant:
            yield _check_constant(name, values)
        yield _check_trace(sample, name, values)


def _check_constant(name: str, values: Floats) -> AuditCheck:
    counts = Counter(values.tolist())
    listing = ", ".join(f"{value:g} ({many:,} times)" for value, many in counts.most_common(3))
    return AuditCheck(
        name=f"constant {name}",
        claim=f"{name} is the same for every report",
        observed=listing,
        p_value=0.0 if len(counts) > 1 else 1.0,
    )


def _check_trace(sample: AuditSample, name: str, values: Floats) -> AuditCheck:
    """Compare a trace between answers, among draws of one report."""
    edges = np.unique(values[sample.first])
    if len(edges) > _TRACE_CELLS:
        edges = np.unique(np.quantile(values[sample.first], np.linspace(0, 1, _TRACE_CELLS + 1)))
    cell = np.searchsorted(edges, values).astype(np.int64)
    names = [*(f"{name} up to {edge:.6g}" for edge in edges), f"{name} above {edges[-1]:.6g}"]
    return _compare_given_report(sample, name, ReportCells(cell, tuple(names)), _TOO_FEW)


def _compare_given_report(
    sample: AuditSample, name: str, traces: ReportCells, few: int
) -> AuditCheck:
    """Compare a side channel between answers, among draws with equal reports."""
    reports = sample.reading.every
    by_report = AuditSample(
        answers=reports.names, places=reports.index, first=sample.first, reading=sample.reading
    )
    claim = f"{name} reveals no more about the answer than the report does"
    among = reports.index < reports.single  # in a cell of several the answer may choose among them
    labels = [f"“{answer}”" for answer in sample.answers]
    return _compare_cells(by_report, traces, (name, claim), sample.places, among, labels, few)


def _compare_cells(
    sample: AuditSample,
    cells: ReportCells,
    heading: tuple[str, str],
    label: Integers,
    among: Booleans,
    labels: Sequence[str] = (),
    few: int = _TOO_FEW,
) -> AuditCheck:
    """Fisher's exact test of the cells of two labels within the most divergent stratum.

    Of all places and pairs of labels the one is taken whose difference is largest on the first
    half, in standard errors; Fisher's exact test is made of it on the second.
    """
    best: tuple[float, int, int, int, Booleans] | None = None
    size = int(label.max()) + 1
    for stratum in np.argsort(-np.bincount(sample.places), kind="stable")[:_MOST_PLACES].tolist():
        own = among & (sample.places == stratum)
        begun = cells.counts(label, own & sample.first, size)
        for first, second in telling_pairs(begun, _LOOKED_AT):
            if min(begun[first].sum(), begun[second].sum()) < few:
                continue
            event = best_difference(begun[first], begun[second])
            errors = _count_errors(begun[first], begun[second], event.chosen)
            if best is None or errors > best[0]:
                best = errors, stratum, first, second, event.chosen
    if best is None:
        return AuditCheck(name=heading[0], claim=heading[1], observed=NOT_COMPARED, p_value=1.0)
    _, stratum, first, second, chosen = best
    counts = cells.counts(label, among & (sample.places == stratum) & ~sample.first, size)
    count, other_count = (int(counts[row][chosen].sum()) for row in (first, second))
    draws, other_draws = int(counts[first].sum()), int(counts[second].sum())
    named = [
        labels[row] if labels else _name_label(heading[0], sample, row) for row in (first, second)
    ]
    return AuditCheck(
        name=heading[0],
        claim=heading[1],
        observed=f"{cells.describe(chosen)} where “{sample.answers[stratum]}”: {count:,} of "
        f"{draws:,} if {named[0]}, {other_count:,} of {other_draws:,} if {named[1]}",
        p_value=fisher_upper_tail(count, draws, other_count, other_draws),
    )


def _name_label(name: str, sample: AuditSample, position: int) -> str:
    if name == "place":
        return f"in quarter {position + 1}"
    return f"“{sample.answers[position]}”"


def _count_errors(first: Integers, second: Integers, chosen: Booleans) -> float:
    """The difference of an event's two shares, in standard errors."""
    n, m = first.sum(), second.sum()
    first_count, second_count = first[chosen].sum(), second[chosen].sum()
    share = (first_count + second_count + 1) / (n + m + 2)
    return float(
        (first_count / n - second_count / m) / np.sqrt(share * (1 - share) * (1 / n + 1 / m))
    )


def seed_check(reports: Sequence[str], again: Sequence[str]) -> AuditCheck:
    """Test whether two runs agree more, line by line, than two different lines do.

    In the first half of the lines a report is compared with the other run's at the same place, in
    the second half with the other run's one place on: no draw is compared twice, so that both
    shares are of independent draws, and Fisher's test of them is exact.
    """
    first, second = np.array(reports), np.array(again)
    half = len(first) // 2
    same = int((first[:half] == second[:half]).sum())
    shifted = int((first[half:] == np.roll(second[half:], 1)).sum())
    return AuditCheck(
        name="two runs",
        claim="a run does not repeat the draws of another",
        observed=f"{same} of {half} reports alike at the same place, {shifted} of "
        f"{len(first) - half} at different ones",
        p_value=fisher_upper_tail(same, half, shifted, len(first) - half),
    )
