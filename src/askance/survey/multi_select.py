"""Multi-select lists: how they are written into the form, their channels and privacy losses.

Item by item is a question of two answers for each item, with a report of its own, and losses add up
to that of the whole list. As one answer the frame is all sets of items: one report hides the list,
has one loss, and is seen of each item through a channel of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

import msgspec

from askance.channels.channel import Channel, has_independent_rows
from askance.channels.frame import Frame
from askance.privacy.guarantee import Guarantee, Notion
from askance.survey.specs import (
    FilePosition,
    Names,
    QuestionSpec,
    read_label,
    read_labels,
    word_label,
    write_wording,
)
from askance_collect.errors import SurveyError, nearest
from askance_collect.wire.question import MOST_TICKED, TableQuestion

ALL = "all"
PER_ITEM, TOGETHER = "each", "together"
_BESIDE_NONE = "items", "line", "coin", "replies", "group", "attention"
"""What a list to tick cannot have."""

_NONE, _AND = "none", " + "
_TICKED, _NOTHING = ("nameTicked", "nameUnticked"), "nameNone"


def expand_checklist(spec: QuestionSpec, names: Names, where: str) -> QuestionSpec:
    """Expand a multi-select list into a question for each item, or an answer for each set.

    Raises
    ------
    SurveyError
        With the path in the survey file of what no such list can have.

    >>> from askance.survey.specs import list_default_labels
    >>> tea = QuestionSpec("tea", "Which?", ["black", "green"], choose="all")
    >>> one_by_one = expand_checklist(tea, list_default_labels(["en"]), "question[0]")
    >>> one_by_one.items, [answer["name"] for answer in one_by_one.answers]
    (['black', 'green'], ['yes', 'no'])
    """
    if spec.choose is None:
        for key in ("protect", "none"):
            if getattr(spec, key) is not None:
                remedy = 'add choose = "all", or leave it out'
                raise SurveyError(f"{where}.{key}", got="no list to tick", remedy=remedy)
        return spec
    together = _check_list(spec, where)
    choices = spec.answers or []
    labels = read_labels(choices, names, f"{where}.answers")
    yes_no, nothing = [word_label(names, key) for key in _TICKED], word_label(names, _NOTHING)
    if spec.none is not None:
        nothing = write_wording(spec.none, names, f"{where}.none")
    if together:
        answers = [
            {"name": name, **label} for name, label in _enumerate_sets(labels, nothing, where)
        ]
        return msgspec.structs.replace(spec, answers=answers)
    answers = [{"name": name} | word for name, word in zip(("yes", "no"), yes_no, strict=True)]
    return msgspec.structs.replace(spec, answers=answers, items=choices)


def _check_list(spec: QuestionSpec, where: str) -> bool:
    """Refuse an invalid multi-select list; return whether it is sent as one report."""
    _refuse_others(spec, where)
    if spec.plain and spec.protect is not None:
        remedy = "add a mechanism, or leave it out"
        raise SurveyError(f"{where}.protect", got="a plain question", remedy=remedy)
    together, count = spec.protect == TOGETHER, len(spec.answers or [])
    if together and not 2 <= count <= MOST_TICKED:
        raise SurveyError(
            f"{where}.answers",
            got=f"{count} answers, which have 2^{count} sets",
            allowed=f"2 to {MOST_TICKED} answers that are sent as one report",
            remedy=f'protect = "{PER_ITEM}" sends a report for each of them',
        )
    return together


def _refuse_others(spec: QuestionSpec, where: str) -> None:
    """Refuse keys that a multi-select list cannot have, and unknown ways of sending it."""
    if spec.choose != ALL:
        remedy = nearest(spec.choose or "", (ALL,)) or "leave it out where one answer is chosen"
        raise SurveyError(f"{where}.choose", got=spec.choose, allowed=f'"{ALL}"', remedy=remedy)
    for key in _BESIDE_NONE:
        if getattr(spec, key) is not None:
            allowed = "answers to tick, with a mechanism or asked plainly"
            raise SurveyError(f"{where}.{key}", got=f"{key} beside choose", allowed=allowed)
    for key, value in (spec.mechanism or {}).items():
        if isinstance(value, dict) and "each" in value:
            allowed = "one number for everybody, beside choose"
            raise SurveyError(f"{where}.mechanism.{key}", got="each", allowed=allowed)
    if spec.protect not in {None, PER_ITEM, TOGETHER}:
        remedy = nearest(spec.protect or "", (PER_ITEM, TOGETHER))
        allowed = f'"{PER_ITEM}" or "{TOGETHER}"'
        raise SurveyError(f"{where}.protect", got=spec.protect, allowed=allowed, remedy=remedy)


def _enumerate_sets(
    labels: Sequence[Mapping[str, Any]], nothing: Mapping[str, str], where: str
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Name and word every set of items: bit i of a set's position says whether it holds item i."""
    for i, label in enumerate(labels):
        if label["name"] == _NONE or _AND.strip() in label["name"]:
            allowed = f'a name without a plus, and another one than "{_NONE}": sets are named by it'
            remedy = 'name it, as in { name = "both", en = "Tea + milk" }'
            raise SurveyError(
                f"{where}.answers[{i}]", got=label["name"], allowed=allowed, remedy=remedy
            )
    yield _NONE, nothing
    for bits in range(1, 1 << len(labels)):
        ticked = [label for i, label in enumerate(labels) if bits >> i & 1]
        worded = {tag: _AND.join(label["label"][tag] for label in ticked) for tag in nothing}
        yield _AND.join(label["name"] for label in ticked), worded


def write_checklists(
    specs: Sequence[QuestionSpec], places: Sequence[FilePosition], names: Names
) -> list[dict[str, Any]]:
    """Write which questions of a form are one multi-select list.

    Parameters
    ----------
    specs : sequence of QuestionSpec
        As the survey file has them.
    places : sequence of FilePosition
        Where in it each question of the form stands.
    names : Names
        What the survey leaves to Askance to name, in each of its languages.
    """
    written = []
    for index, spec in enumerate(specs):
        where = f"question[{index}]"
        if spec.choose is None or spec.protect == TOGETHER:
            continue
        first = next(n for n, (path, _) in enumerate(places) if path == where)
        items = [read_label(answer, names, where)["label"] for answer in spec.answers or []]
        text = write_wording(spec.text, names, f"{where}.text")
        none = word_label(names, _NOTHING) if spec.none is None else spec.none
        nothing = write_wording(none, names, f"{where}.none")
        written.append({"at": first, "text": text, "items": items, "none": nothing})
    return written


def refuse_uneven(channel: Channel, where: str) -> None:
    """Refuse a mechanism of whole lists under which one tick cannot be estimated by itself.

    Raises
    ------
    SurveyError
        If what is sent of a tick depends on the others too.
    """
    ticks = len(channel.frame).bit_length() - 1
    for tick in range(ticks):
        view = project_channel(channel, [tick])
        if view is None or not has_independent_rows(view[0]):
            raise SurveyError(
                where,
                got="a mechanism that treats some lists unlike others",
                allowed="one that reports each tick separately, such as kary",
                remedy='or protect = "each", a report for each of them',
            )


def project_channel(
    channel: Channel, items: Sequence[int]
) -> tuple[Channel, tuple[int, ...]] | None:
    """Marginal channel of some items of a list, where it exists.

    Reports that say the same of these items are merged. Where the chances of the merged reports
    depend on these items alone, they are a channel from sets of these items; it is returned with
    the merged report of each report of the whole list. Otherwise there is none.

    Parameters
    ----------
    channel : Channel
        Its answers are all sets: item i is in the answer of position s where bit i of s is set.
    items : sequence of int
        Their positions in the list.

    >>> from askance.mechanisms import KAry
    >>> sets = Frame(["none", "a", "b", "a + b"])
    >>> own, which = project_channel(KAry(truth="2/5").channel(sets), [0])
    >>> own.table.total, own.table.rows, own.frame.answers, which
    (5, ((3, 2), (2, 3)), ('none', 'a'), (0, 1, 0, 1))
    """
    table, names = channel.table, channel.frame.answers
    assert table is not None
    projected = [
        sum(1 << n for n, item in enumerate(items) if s >> item & 1) for s in range(len(names))
    ]
    own = [
        sum(1 << item for n, item in enumerate(items) if bits >> n & 1)
        for bits in range(1 << len(items))
    ]
    meant = [
        frozenset(projected[position] for position in channel.frame.positions(meaning))
        for meaning in channel.meanings
    ]
    kinds = list(dict.fromkeys(meant))
    lumped = [
        tuple(
            sum(units for units, positions in zip(row, meant, strict=True) if positions == kind)
            for kind in kinds
        )
        for row in table.rows
    ]
    if any(lumped[s] != lumped[own[projected[s]]] for s in range(len(names))):
        return None
    frame = Frame([names[s] for s in own])
    reports = {
        " or ".join(frame.answers[bits] for bits in sorted(kind)): [
            frame.answers[bits] for bits in sorted(kind)
        ]
        for kind in kinds
    }
    rows = [[Fraction(units, table.total) for units in lumped[s]] for s in own]
    return Channel(frame, reports, rows), tuple(kinds.index(positions) for positions in meant)


def find_tick_loss(question: TableQuestion) -> Fraction | float:
    """The largest likelihood ratio of a report between lists that differ in one tick.

    The local loss between neighbours in Hamming's distance, as its ratio; infinite if some report
    rules a tick out.
    """
    largest: Fraction | float = Fraction(1)
    for s, row in enumerate(question.table.rows):
        for tick in range(question.checkbox_count):
            for chance, other in zip(row, question.table.rows[s ^ 1 << tick], strict=True):
                if chance > other:
                    largest = max(largest, Fraction(chance, other) if other else inf)
    return largest


def describe_item_losses(items: int, guarantees: Sequence[Guarantee]) -> tuple[str, ...]:
    """Describe the privacy loss of one item sent by itself, and of all items together."""
    ratios = [guarantee.value for guarantee in guarantees if guarantee.notion is Notion.LOCAL]
    return tuple(
        describe_losses(items, ratio, _power(ratio, items), together=False) for ratio in ratios
    )


def _power(ratio: Fraction | float, times: int) -> Fraction | float:
    return inf if ratio == inf else Fraction(ratio) ** times


def describe_losses(
    items: int, item_ratio: Fraction | float, list_ratio: Fraction | float, *, together: bool
) -> str:
    """State the privacy loss of one tick and that of the whole list.

    >>> describe_losses(3, Fraction(3), Fraction(27), together=False)
    'One item: no report is more than 3 times as likely if it is ticked as if it is not. All 3, ...'
    >>> describe_losses(2, Fraction(3), Fraction(9), together=False)[84:102]
    'Both, each sent by'
    """
    item_loss, list_loss = (
        Guarantee(Notion.LOCAL, ratio, "").printed(4) for ratio in (item_ratio, list_ratio)
    )
    how = "sent as one report" if together else "each sent by itself"
    unit = "report" if together else "set of reports"
    every = "Both" if items == 2 else f"All {items}"
    if inf in (item_ratio, list_ratio):
        return f"Some report proves that an item is ticked, or is not ticked. {every}: {how}."
    return (
        f"One item: no report is more than {item_loss} times as likely if it is ticked as if it is "
        f"not. {every}, {how}: no {unit} is more than {list_loss} times as likely from one "
        "list as from another."
    )
