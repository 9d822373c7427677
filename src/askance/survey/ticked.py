"""Multi-select lists: privacy losses, and channels and tallies of items and pairs.

What is sent item by item adds up to the loss of the whole list; what is sent as one report has one
loss, and is seen of each item through a channel of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.tally import Tally
from askance.errors import SurveyError
from askance.inference.shares.information import plainly_identified
from askance.privacy.guarantee import Guarantee, Notion
from askance.results import json_of
from askance.typing import Json
from askance.wire.answer_question import TableQuestion
from askance.wire.question import ReportCounts


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TickedShare:
    """The share of people who tick an item of a list, or both of two.

    Attributes
    ----------
    items : tuple of str
        The items as the form words them.
    reports : int
        Reports with a value.
    share, se, lower, upper : float
        The estimated share, its standard error and its interval.
    effective_sample_size : float
        How many plainly asked, truthful answers would have told as much.
    suppressed : bool
        Whether there are too few reports to publish.
    truth : float or None
        The share in the data, where this is a rehearsal.

    >>> import askance as ak
    >>> from askance.survey import ListFinding, TickedShare
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... minimum = 1
    ... [[question]]
    ... name = "tea"
    ... text = "Which do you drink?"
    ... choose = "all"
    ... protect = "together"
    ... answers = ["black", "green"]
    ... mechanism = { name = "kary", ratio = 5 }
    ... '''))
    >>> analysis = ak.analyse(form, ak.engines.Counts(80, {"tea": {0: 30, 1: 20, 2: 20, 3: 10}}))
    >>> first: ListFinding = analysis.lists[0]
    >>> black: TickedShare = first.items[0]
    >>> black.items, black.share, first.pairs[0].items
    (('black',), 0.25, ('black', 'green'))
    """

    items: tuple[str, ...]
    reports: int
    share: float
    se: float
    lower: float
    upper: float
    effective_sample_size: float
    suppressed: bool
    truth: float | None = None

    def to_dict(self) -> Json:
        """Write the share for JSON; withheld from too few reports."""
        return json_of(self, _FIELDS if self.suppressed else f"{_FIELDS} share se lower upper")


_FIELDS = "items reports withheld=suppressed truth"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ListFinding:
    """Estimated shares of the items and pairs of a multi-select list.

    Attributes
    ----------
    text : str
    questions : tuple of str
        The names of its questions: one, where it was sent as one report.
    items : tuple of TickedShare
        The share of people who tick each item.
    pairs : tuple of TickedShare
        The share who tick both of each two items, as far as these are counted together.

    >>> from askance.survey import ListFinding
    >>> ListFinding(text="Which?", questions=("tea",), items=()).to_dict()["pairs"]
    []
    """

    text: str
    questions: tuple[str, ...]
    items: tuple[TickedShare, ...]
    pairs: tuple[TickedShare, ...] = ()

    def to_dict(self) -> Json:
        """Write the finding for JSON."""
        return {
            "text": self.text,
            "questions": list(self.questions),
            "items": [share.to_dict() for share in self.items],
            "pairs": [share.to_dict() for share in self.pairs],
        }


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
        if view is None or not plainly_identified(view[0]):
            raise SurveyError(
                where,
                got="a mechanism that treats some lists unlike others",
                allowed="one by which each tick is told by itself, such as kary",
                remedy='or protect = "each", a report for each of them',
            )


def project_channel(
    channel: Channel, items: Sequence[int]
) -> tuple[Channel, tuple[int, ...]] | None:
    """Marginal channel of some items of a list, where it exists.

    Reports that say the same of these items are one. If the chance of such reports depends on these
    items alone, that is a channel from sets of them, and for each report of all sets it is said
    which one of these it is; else there is none.

    Parameters
    ----------
    channel : Channel
        Its answers are all sets: item i is in the answer of position s where bit i of s is set.
    at : sequence of int
        Which items.

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
        frozenset(projected[position] for position in channel.frame.places(meaning))
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


def tally_items(channel: Channel, items: Sequence[int], counts: ReportCounts) -> Tally | None:
    """Tally the reports of a whole list through the marginal channel of some items.

    None where no channel leads from these items to reports, or it does not tell them apart. The
    last answer of the tally's frame is that all of these items are ticked.

    >>> from askance.mechanisms import KAry
    >>> sets = Frame(["none", "a", "b", "a + b"])
    >>> tally_items(KAry(truth="2/5").channel(sets), [0], {0: 3, 1: 2, 3: 4}).counts.tolist()
    [3, 6]
    """
    view = project_channel(channel, items)
    if view is None or not plainly_identified(view[0]):
        return None
    own, which = view
    counted = dict.fromkeys(own.reports, 0)
    for value, count in counts.items():
        if type(value) is int:
            counted[own.reports[which[value]]] += count
    return Tally(own, counted)


def sum_shares_with(
    question: TableQuestion, items: Sequence[int], shares: Mapping[str, float]
) -> float:
    """Add up the shares of all answers to a list in which these items are ticked."""
    bits = sum(1 << item for item in items)
    names = enumerate(answer.name for answer in question.answers)
    return sum(shares.get(name, 0.0) for answer, name in names if answer & bits == bits)


def find_tick_loss(question: TableQuestion) -> Fraction | float:
    """The largest likelihood ratio of a report between lists that differ in one tick.

    The local loss between neighbours in Hamming's distance, as its ratio; infinite if some report
    rules a tick out.
    """
    largest: Fraction | float = Fraction(1)
    for s, row in enumerate(question.table.rows):
        for tick in range(question.ticks):
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
    """
    item_loss, list_loss = (
        Guarantee(Notion.LOCAL, ratio, "").printed(4) for ratio in (item_ratio, list_ratio)
    )
    how = "sent as one report" if together else "each sent by itself"
    unit = "report" if together else "set of reports"
    if inf in (item_ratio, list_ratio):
        return f"Some report says for certain that an item is ticked, or not. All {items}: {how}."
    return (
        f"One item: no report is more than {item_loss} times as likely if it is ticked as if it is "
        f"not. All {items}, {how}: no {unit} is more than {list_loss} times as likely from one "
        "list as from another."
    )
