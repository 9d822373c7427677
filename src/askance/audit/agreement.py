"""Checks beyond the loss: that reports are drawn as is stated, and that nothing beside them tells.

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
    at_least_so_often,
    best_difference,
    oftener,
    telling_pairs,
    two_sided,
)
from askance.audit.loss_bounds import Sample
from askance.audit.reports_by_cell import Cells
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
class Check:
    """One thing that a mechanism must not do, and how surely it does.

    Attributes
    ----------
    name : str
    asked : str
        What must hold, in a sentence.
    told : str
        Where it seems broken most, in words, or that too few draws were alike to compare.
    p_value : float
        Exact, for this check by itself.
    broken : bool
        Whether it fails beside all other checks, by Holm's step-down.

    >>> Check(name="place", asked="no report depends on its place", told="", p_value=0.3).broken
    False
    """

    name: str
    asked: str
    told: str
    p_value: float
    broken: bool = False


def holm(checks: Sequence[Check], failure: float) -> tuple[Check, ...]:
    """Say which checks fail, with at most this chance of a false alarm among all: Holm (1979).

    >>> both = [Check(name=p, asked="", told="", p_value=float(p)) for p in (".004", ".2")]
    >>> [one.broken for one in holm(both, 0.01)]
    [True, False]
    """
    order = sorted(range(len(checks)), key=lambda at: checks[at].p_value)
    failed: set[int] = set()
    for rank, at in enumerate(order):
        if checks[at].p_value > failure / (len(checks) - rank):
            break
        failed.add(at)
    return tuple(
        Check(
            name=one.name,
            asked=one.asked,
            told=one.told,
            p_value=one.p_value,
            broken=at in failed,
        )
        for at, one in enumerate(checks)
    )


def law_checks(sample: Sample, channel: Channel) -> Iterator[Check]:
    """Test whether reports follow the law that is stated, answer by answer."""
    cells, chances = sample.reading.every, _chances(channel)
    begun, counts = sample.halves(cells)
    yield _possible(sample, begun + counts, chances, cells)
    yield _each_chance(sample, begun + counts, chances, cells)
    yield _together(sample, (begun, counts), chances, cells)


def _chances(channel: Channel) -> Floats:
    """The stated chances, and that of any other report: none."""
    return np.column_stack([channel.matrix, np.zeros(len(channel.frame))])


def _possible(sample: Sample, counts: Integers, chances: Floats, cells: Cells) -> Check:
    at = np.argwhere((counts > 0) & (chances == 0))
    told = ""
    if len(at):
        answer, cell = at[int(np.argmax(counts[tuple(at.T)]))]
        many = int(counts[answer, cell])
        told = f"“{cells.names[cell]}” {many:,} times from “{sample.answers[answer]}”"
    return Check(
        name="possible reports",
        asked="no answer sends a report that it cannot",
        told=told,
        p_value=0.0 if len(at) else 1.0,
    )


def _each_chance(sample: Sample, counts: Integers, chances: Floats, cells: Cells) -> Check:
    draws = counts.sum(axis=1, keepdims=True)
    values = np.where(chances > 0, two_sided(counts, draws, chances), 1.0)
    answer, cell = np.unravel_index(int(np.argmin(values)), values.shape)
    many = int((chances > 0).sum())
    found, stated = counts[answer, cell] / draws[answer, 0], chances[answer, cell]
    return Check(
        name="each chance",
        asked="every report is as frequent as is stated",
        told=f"“{cells.names[cell]}” from “{sample.answers[answer]}”: {found:.4f}, "
        f"stated {stated:.4f}",
        p_value=float(min(1.0, many * values[answer, cell])),
    )


def _together(
    sample: Sample, halves: tuple[Integers, Integers], chances: Floats, cells: Cells
) -> Check:
    """Test the reports together that were too frequent on the first half, for each answer."""
    begun, counts = halves
    values, tested = [], []
    for first, then, stated in zip(begun, counts, chances, strict=True):
        chosen = first > first.sum() * stated
        tested.append(chosen)
        chance = min(1.0, float(stated[chosen].sum()))
        values.append(at_least_so_often(int(then[chosen].sum()), int(then.sum()), chance))
    at = int(np.argmin(values))
    share = counts[at][tested[at]].sum() / counts[at].sum()
    stated = chances[at][tested[at]].sum()
    return Check(
        name="chances together",
        asked="reports that seemed too frequent are not so on fresh draws",
        told=f"{cells.told(tested[at])} from “{sample.answers[at]}”: {share:.4f}, "
        f"stated {stated:.4f}",
        p_value=min(1.0, len(values) * values[at]),
    )


def order_checks(sample: Sample, size_of_run: int) -> Iterator[Check]:
    """Test whether reports depend on anything but their own answer: others, or their place."""
    cells, places = sample.reading.every, sample.places
    run = np.arange(len(places)) % size_of_run
    within = np.ones(len(places), dtype=bool)
    before, after = np.roll(places, 1), np.roll(places, -1)
    for name, asked, label, among in (
        ("answer before", "no report depends on the answer before", before, run > 0),
        ("answer after", "no report depends on the answer after", after, run < size_of_run - 1),
        ("place", "no report depends on how early it is asked", run * 4 // size_of_run, within),
    ):
        yield _beside(sample, cells, (name, asked), label.astype(np.int64), among)


def joint_checks(
    sample: Sample, size_of_run: int, others: Mapping[str, Sequence[str]]
) -> Iterator[Check]:
    """Test whether reports are independent given their own answers.

    Of one another, 1 to 8 apart in a run: what is compared are the reports of draws between which
    lie as many as their distance, beside the answer and report of the draw before. No report is
    compared and compared with, so that Fisher's test is exact. And of the answers to, and reports
    of, other questions that the same person was asked.
    """
    near = [
        check
        for lag in range(1, _FARTHEST + 1)
        for check in _at_a_distance(sample, lag, size_of_run)
    ]
    yield _surest(
        near, "reports together", f"no report depends on the {_FARTHEST} reports before it"
    )
    if others:
        beside = [_beside_question(sample, name, column) for name, column in others.items()]
        yield _surest(
            beside, "other questions", "no report depends on what was answered or sent elsewhere"
        )


_FARTHEST = 8
_KINDS = 8  # reports of another draw, or answers and reports of another question
_ELSE = "anything else"


def _surest(checks: Sequence[Check], name: str, asked: str) -> Check:
    """The surest of several checks, its p-value times their number (Bonferroni)."""
    best = min(checks, key=lambda check: check.p_value)
    compared = [check for check in checks if check.told != NOT_COMPARED]
    p_value = min(1.0, max(len(compared), 1) * best.p_value)
    return Check(name=name, asked=asked, told=best.told, p_value=p_value)


def _at_a_distance(sample: Sample, lag: int, size_of_run: int) -> Iterator[Check]:
    """Compare reports so far apart: by the likeliest one of each answer, and by all."""
    cells, said = sample.reading.every, ("reports together", "")
    among, before = _apart(len(sample.places), lag, size_of_run)
    counts = cells.counts(sample.places, sample.first, len(sample.answers))
    likeliest = (counts.argmax(axis=1)[sample.places] == cells.at).astype(np.int64)
    alike = Sample(
        answers=("any answer",),
        places=np.zeros_like(sample.places),
        first=sample.first,
        reading=sample.reading,
    )
    shown = Cells(likeliest, ("an unlikelier report", "the likeliest report of the answer"))
    labels = [f"{lag} before came {name}" for name in shown.names]
    yield _beside(alike, shown, said, likeliest[before], among, labels)
    label, labels = _answers_and_reports(sample, counts.sum(axis=0))
    labels = [f"{lag} before {one}" for one in labels]
    yield _beside(sample, cells, said, label[before], among, labels)


def _apart(n: int, lag: int, size_of_run: int) -> tuple[Booleans, Integers]:
    """Say which draws are compared, and the draw so far before each, which is not.

    In the second half of a run the others are: what goes wrong in pairs goes wrong in one of them.
    """
    position, row = np.arange(n) % size_of_run, np.arange(n)
    late = position >= size_of_run // 2
    phase = (position + lag * late) % (2 * lag)
    before = np.maximum(row - lag, 0)
    return (position >= lag) & (late == late[before]) & (phase >= lag), before


def _answers_and_reports(sample: Sample, counts: Integers) -> tuple[Integers, list[str]]:
    """Label each draw by its answer and report, in few kinds of both; of many answers groups."""
    cells, k = sample.reading.every, len(sample.answers)
    groups = min(k, _GROUPS)
    often = np.argsort(-counts, kind="stable")[: _KINDS if groups == k else _GROUPS]
    kind = np.full(len(cells.names), len(often))
    kind[often] = np.arange(len(often))
    near = " or one near it" * (groups < k)
    answers = [f"“{sample.answers[-(-group * k // groups)]}”{near}" for group in range(groups)]
    reports = [*(f"“{cells.names[cell]}”" for cell in often), _ELSE]
    label = sample.places * groups // k * len(reports) + kind[cells.at]
    return label, [f"{report} came from {answer}" for answer in answers for report in reports]


_GROUPS = 4  # of many answers, so that enough draws are alike


def _beside_question(sample: Sample, name: str, column: Sequence[str]) -> Check:
    often = [text for text, _ in Counter(column).most_common(_KINDS)]
    known = {text: at for at, text in enumerate(often)}
    label = np.array([known.get(text, len(often)) for text in column], dtype=np.int64)
    labels = [f"{name}: {text}" for text in (*often, _ELSE)]
    everybody = np.ones(len(label), dtype=bool)
    return _beside(sample, sample.reading.every, (name, ""), label, everybody, labels)


def collision_check(sample: Sample, reports: Sequence[str], reach: float) -> Iterator[Check]:
    r"""Test whether two equal reports come from one answer oftener than e^ε allows.

    Of each report that came twice or oftener two draws are looked at. Where each answer was asked
    as often, both are of one answer with a chance of at most

        max over m of (m e^{2ε} + k − m) / (m e^ε + k − m)²,

    k answers of which m are likelier senders: a binomial test. It sees a long report that is made
    of the answer and a short secret, and never comes often enough to be compared by itself.
    """
    if not np.isfinite(reach):
        return
    rows: dict[str, list[int]] = {}
    for row, report in enumerate(reports):
        rows.setdefault(report, []).append(row)
    pairs = np.array([seen[:2] for seen in rows.values() if len(seen) > 1], dtype=np.int64)
    name, asked = "equal reports", "equal reports come from one answer no oftener than ε allows"
    if len(pairs) < _TOO_FEW:
        yield Check(name=name, asked=asked, told=NOT_COMPARED, p_value=1.0)
        return
    same = int((sample.places[pairs[:, 0]] == sample.places[pairs[:, 1]]).sum())
    k, likelier = len(sample.answers), np.arange(1, len(sample.answers))
    chances = (likelier * reach**2 + k - likelier) / (likelier * reach + k - likelier) ** 2
    chance = float(chances.max())
    yield Check(
        name=name,
        asked=asked,
        told=f"{same:,} of {len(pairs):,} pairs, where {chance:.4f} of them may be",
        p_value=at_least_so_often(same, len(pairs), chance),
    )


def message_checks(sample: Sample, messages: Sequence[bytes]) -> Iterator[Check]:
    """Test whether any byte of the whole message tells more of the answer than the report does."""
    name, asked = "message", "no byte of a message tells more of the answer than the report does"
    messages = messages[:_MOST_MESSAGES]
    if not messages or len(set(map(len, messages))) > 1:
        return
    n, width = len(messages), len(messages[0])
    letters = np.frombuffer(b"".join(messages), dtype=np.uint8).reshape(n, width)
    varying = np.flatnonzero((letters != letters[0]).any(axis=0))
    part = Sample(
        answers=sample.answers,
        places=sample.places[:n],
        first=sample.first[:n],
        reading=sample.reading,
    )
    reports = sample.reading.every
    turned = Sample(
        answers=reports.names, places=reports.at[:n], first=part.first, reading=sample.reading
    )
    labels = [f"“{answer}”" for answer in sample.answers]
    checks = [
        _beside(
            turned,
            Cells(letters[:, at].astype(np.int64), _BYTES),
            (name, ""),
            part.places,
            turned.places < reports.single,
            labels,
        )
        for at in varying[_telling_positions(part, letters[:, varying])].tolist()
    ]
    if checks:
        yield _surest(checks, name, asked)


_MOST_MESSAGES = 1 << 14
_POSITIONS = 4
_BYTES = tuple(f"{chr(at)}" if 32 < at < 127 else f"byte {at}" for at in range(256))


def _telling_positions(sample: Sample, letters: npt.NDArray[np.uint8]) -> Integers:
    """Find the bytes that differ most between answers with one report, on the first half."""
    most = np.zeros(letters.shape[1])
    reports = sample.reading.every.at[: len(letters)]
    for report in np.argsort(-np.bincount(reports), kind="stable")[:_POSITIONS].tolist():
        own = sample.first & (reports == report)
        among = [own & (sample.places == at) for at in range(len(sample.answers))]
        sizes = np.array([one.sum() for one in among])
        one, other = np.argsort(-sizes, kind="stable")[:2]
        if sizes[other] < _TOO_FEW:
            continue
        shares = [_byte_shares(letters[among[at]]) for at in (one, other)]
        most = np.maximum(most, np.abs(shares[0] - shares[1]).sum(axis=1))
    return np.argsort(-most, kind="stable")[:_POSITIONS]


def _byte_shares(letters: npt.NDArray[np.uint8]) -> Floats:
    """The share of each byte at each position: shape (positions, 256)."""
    n, width = letters.shape
    flat = np.arange(width) * 256 + letters
    found: Floats = np.bincount(flat.ravel(), minlength=width * 256).reshape(width, 256) / n
    return found


def beside_checks(
    sample: Sample, beside: Mapping[str, Sequence[str]], few: int = _TOO_FEW
) -> Iterator[Check]:
    """Test whether texts beside reports tell more of the answer than the reports do."""
    for name, column in beside.items():
        often = [text for text, _ in Counter(column).most_common(_TRACE_CELLS)]
        known = {text: at for at, text in enumerate(often)}
        at = np.array([known.get(text, len(often)) for text in column], dtype=np.int64)
        names = (*(f"{name}: {text[:_SHOWN]}" for text in often), f"{name}: {_ELSE}")
        yield _told_beside(sample, name, Cells(at, names), few)


_SHOWN = 40  # characters of a text


def trace_checks(
    sample: Sample, traces: dict[str, Floats], constant: Sequence[str]
) -> Iterator[Check]:
    """Test whether what comes with a report tells more of the answer than the report does."""
    for name, values in traces.items():
        if name in constant:
            yield _constant(name, values)
        yield _trace(sample, name, values)


def _constant(name: str, values: Floats) -> Check:
    seen = Counter(values.tolist())
    told = ", ".join(f"{one:g} ({many:,} times)" for one, many in seen.most_common(3))
    return Check(
        name=f"constant {name}",
        asked=f"{name} is the same for every report",
        told=told,
        p_value=0.0 if len(seen) > 1 else 1.0,
    )


def _trace(sample: Sample, name: str, values: Floats) -> Check:
    """Compare a trace between answers, among draws of one report."""
    edges = np.unique(values[sample.first])
    if len(edges) > _TRACE_CELLS:
        edges = np.unique(np.quantile(values[sample.first], np.linspace(0, 1, _TRACE_CELLS + 1)))
    at = np.searchsorted(edges, values).astype(np.int64)
    names = [*(f"{name} up to {edge:.6g}" for edge in edges), f"{name} above {edges[-1]:.6g}"]
    return _told_beside(sample, name, Cells(at, tuple(names)), _TOO_FEW)


def _told_beside(sample: Sample, name: str, traces: Cells, few: int) -> Check:
    """Compare what came beside reports between answers, among draws of one report."""
    reports = sample.reading.every
    turned = Sample(
        answers=reports.names, places=reports.at, first=sample.first, reading=sample.reading
    )
    asked = f"{name} tells no more of the answer than the report does"
    among = reports.at < reports.single  # in a cell of several the answer may choose among them
    labels = [f"“{answer}”" for answer in sample.answers]
    return _beside(turned, traces, (name, asked), sample.places, among, labels, few)


def _beside(
    sample: Sample,
    cells: Cells,
    said: tuple[str, str],
    label: Integers,
    among: Booleans,
    labels: Sequence[str] = (),
    few: int = _TOO_FEW,
) -> Check:
    """Compare cells between draws of two labels, among those of one place: the most telling first.

    Of all places and pairs of labels the one is taken whose difference is largest on the first
    half, in standard errors; Fisher's exact test is made of it on the second.
    """
    best: tuple[float, int, int, int, Booleans] | None = None
    size = int(label.max()) + 1
    for place in np.argsort(-np.bincount(sample.places), kind="stable")[:_MOST_PLACES].tolist():
        own = among & (sample.places == place)
        begun = cells.counts(label, own & sample.first, size)
        for one, other in telling_pairs(begun, _LOOKED_AT):
            if min(begun[one].sum(), begun[other].sum()) < few:
                continue
            event = best_difference(begun[one], begun[other])
            errors = _errors(begun[one], begun[other], event.chosen)
            if best is None or errors > best[0]:
                best = errors, place, one, other, event.chosen
    if best is None:
        return Check(name=said[0], asked=said[1], told=NOT_COMPARED, p_value=1.0)
    _, place, one, other, chosen = best
    counts = cells.counts(label, among & (sample.places == place) & ~sample.first, size)
    here, there = (int(counts[at][chosen].sum()) for at in (one, other))
    draws, others = int(counts[one].sum()), int(counts[other].sum())
    named = [labels[at] if labels else _label(said[0], sample, at) for at in (one, other)]
    return Check(
        name=said[0],
        asked=said[1],
        told=f"{cells.told(chosen)} where “{sample.answers[place]}”: {here:,} of {draws:,} if "
        f"{named[0]}, {there:,} of {others:,} if {named[1]}",
        p_value=oftener(here, draws, there, others),
    )


def _label(name: str, sample: Sample, at: int) -> str:
    if name == "place":
        return f"in quarter {at + 1}"
    return f"“{sample.answers[at]}”"


def _errors(one: Integers, other: Integers, chosen: Booleans) -> float:
    """How many standard errors an event's shares are apart."""
    n, m = one.sum(), other.sum()
    here, there = one[chosen].sum(), other[chosen].sum()
    share = (here + there + 1) / (n + m + 2)
    return float((here / n - there / m) / np.sqrt(share * (1 - share) * (1 / n + 1 / m)))


def seed_check(reports: Sequence[str], again: Sequence[str]) -> Check:
    """Test whether two runs agree more, line by line, than two different lines do.

    In the first half of the lines a report is compared with the other run's at the same place, in
    the second half with the other run's one place on: no draw is compared twice, so that both
    shares are of independent draws, and Fisher's test of them is exact.
    """
    one, other = np.array(reports), np.array(again)
    half = len(one) // 2
    same = int((one[:half] == other[:half]).sum())
    apart = int((one[half:] == np.roll(other[half:], 1)).sum())
    return Check(
        name="two runs",
        asked="a run does not repeat the draws of another",
        told=f"{same} of {half} reports alike at the same place, {apart} of {len(one) - half} at "
        "different ones",
        p_value=oftener(same, half, apart, len(one) - half),
    )
